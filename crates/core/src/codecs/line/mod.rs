//! Line codecs for every game: one file each.

pub mod modelled;
pub mod nulls;
pub mod policy;
pub mod ranked;
pub mod text;
pub mod uniform;
