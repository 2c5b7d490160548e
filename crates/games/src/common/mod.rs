//! Code shared by several games.

#[cfg(test)]
pub mod checksum;
#[cfg(feature = "all-games")]
pub mod diagram;
pub mod fen;
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
