//! The file: records in, Parquet out, and the same bytes back.

pub mod error;
pub mod export;
pub mod file;
pub mod import;
pub mod input;
pub mod movetext;
pub mod pack;
mod pages;
pub mod patch;
pub mod positions;
pub mod row;
pub mod sample;
pub mod schema;
mod tag_value;
mod unpack;

pub use error::Error;
pub use export::{export, verify};
pub use file::{PackedFile, Records, Summary};
pub use import::{Notice, Options, Report, import};
pub use input::Source;
pub use pack::Packer;
pub use plypack_records::Content;
pub use row::Fault;
