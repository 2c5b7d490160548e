//! Code shared by several games.

#[cfg(test)]
pub mod checksum;
pub mod classes;
pub mod cover;
#[cfg(feature = "all-games")]
pub mod diagram;
pub mod fen;
pub mod past;
#[cfg(feature = "all-games")]
pub mod property;
pub mod registry;
#[cfg(feature = "all-games")]
pub mod rules;
pub mod slots;
#[cfg(feature = "all-games")]
pub mod spread;
#[cfg(feature = "all-games")]
pub mod summed;
#[cfg(feature = "full")]
pub mod weights;
pub mod wide;
pub mod worth;
