//! The rows of a file of games, independent of the file: their contents, and the bytes of their
//! records.
//!
//! From the values of a row's columns, read from Parquet natively or in a browser, this crate
//! restores the record ([`StoredRecord`]), finds a position in its moves ([`hits`]), and reads from
//! its tags who played, when, and how the game ended ([`facts`]). Files, threads and Arrow belong
//! to the store.

#[cfg(feature = "file")]
mod conversion;
mod error;
pub mod facts;
pub mod line;
pub mod movetext;
pub mod patch;
mod pattern;
pub mod prose;
mod row;
pub mod tag_value;
mod target;
mod unpack;

#[cfg(feature = "file")]
pub use conversion::{Converted, Fate, Moves, stays_sgf};
pub use error::RowError;
pub use line::{Hit, hits, may_hit};
pub use pattern::{PatternText, matched, result_of};
pub use row::{AnnotationFault, StoredRecord, in_order};
pub use tag_value::TagType;
pub use target::{CandidateTexts, Target, numbered, sides, spoken};
pub use unpack::Movetext;

/// The most bytes of a record. A longer one is cut into pieces of this length, which are kept
/// verbatim.
pub const RECORD_BYTES_MAX: usize = 16 << 20;
