//! A row of a file of games, without the file: what its columns say, and the record's bytes from
//! them.
//!
//! Whoever has the values of a row's columns, from Parquet or from a browser's reader of it, gets
//! the record back ([`StoredRecord`]), finds a position in its moves ([`hits`]), and reads from its
//! tags who played, when, and how it ended ([`facts`]). Files, threads and Arrow are the store's.

pub mod facts;
pub mod line;
pub mod movetext;
pub mod patch;
mod pattern;
mod row;
pub mod tag_value;
mod target;
mod unpack;

pub use line::{Hit, hits, may_hit};
pub use pattern::{PatternText, matched, result_of};
pub use row::{StoredRecord, in_order};
pub use tag_value::TagType;
pub use target::Target;
pub use unpack::Movetext;

/// A longer record is cut into pieces of this many bytes, which are kept verbatim.
pub const RECORD_BYTES_MAX: usize = 16 << 20;
