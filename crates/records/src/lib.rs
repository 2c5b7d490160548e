//! The formats of game records: reading them without ever failing, and writing them back byte for
//! byte. This crate knows no rules; a move is a piece of text.
//!
//! Each format is a folder and a row of [`FORMATS`]; [`Format`] says what it must do.

// What decides coded bytes sees no file, thread, clock or terminal; its tests may (clippy.toml).
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable
    )
)]

pub mod charset;
pub mod dhtmlxq;
pub mod epd;
pub mod format;
pub mod layout;
pub mod pgn;
pub mod psq;
pub mod record;
pub mod sgf;
pub mod split;
pub mod tag_order;
pub mod transcript;
pub mod wthor;

pub use format::{
    Content, FALLBACK, FALLBACK_READER, FORMATS, Format, FormatInfo, READERS, Reader, Reading,
    Rules, Sketch, format,
};
pub use layout::{Layout, NotationName, Rendering};
pub use record::{Evaluation, Item, ItemKind, Record, START_TAG, Values};
pub use split::Splitter;
