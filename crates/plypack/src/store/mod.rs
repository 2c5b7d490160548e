//! Packs records into Parquet files, and restores the same bytes.

#![allow(clippy::single_range_in_vec_init, reason = "a list of runs of rows may have one")]

#[cfg(target_endian = "big")]
compile_error!(
    "packed files need a little-endian machine, as the Parquet library writes some numbers in the \
     order of the machine; for codecs, links and records, build plypack without its feature `file`"
);

mod cells;
pub mod columns;
mod completeness;
mod compressed;
pub mod condition;
mod conversion;
pub mod error;
pub mod events;
pub mod export;
pub mod facts;
pub mod file;
pub mod find;
pub mod folder;
mod footer;
pub mod games;
pub mod import;
pub mod index;
pub mod input;
pub mod output;
pub mod pack;
mod pages;
pub mod person;
pub mod players;
pub mod positions;
mod proof;
pub mod ranges;
mod reader;
mod record_id;
pub mod repertoire;
pub mod revision;
pub mod row;
pub mod sample;
pub mod schema;
mod sheet;
mod sources;
mod summary;
pub mod synth;
pub mod versions;
pub mod work;
mod writer;

pub use crate::rows::{Converted, Fate, Moves, Movetext, movetext, patch};
pub use columns::Wanted;
pub use completeness::Completeness;
pub use compressed::Compressed;
pub use condition::{Condition, ConditionError};
pub use error::Error;
pub use export::{Conversion, export, verify};
pub use facts::{Fact, Outcome, Players};
pub use file::{PackedFile, Records};
pub use footer::check_end;
pub use import::{Destination, Notice, Options, Report, UnreadInput, append_to, import, import_to};
pub use input::{Source, Sources};
pub use output::{Existing, Output, Outputs};
pub use pack::Packer;
pub use plypack_records::Content;
pub use reader::catches_panics;
pub use record_id::{NoRecordId, RecordId};
pub use row::Fault;
pub use schema::RECORD_BYTES_MAX;
pub use sources::Rowless;
pub use summary::Summary;
pub use work::{Done, Work};
pub use writer::Writer;

use crate::rows::tag_value;
