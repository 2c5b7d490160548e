//! Readers and writers of game record formats. Readers never fail, and writers restore each record
//! byte for byte. This crate knows no game rules: a move is a piece of text.
//!
//! Each format has a folder and an entry in [`FORMATS`], and implements [`Format`].

// Code that determines coded bytes must not use files, threads, clocks or the terminal; its tests
// may (clippy.toml).
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable
    )
)]

pub mod cbf;
pub mod ccbridge;
pub mod charset;
mod described;
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
mod xiangqi;
pub mod xqf;

pub use format::{
    Content, FALLBACK, FALLBACK_READER, FORMATS, Format, FormatInfo, READERS, Reader, Reading,
    Rules, Sketch, format,
};
pub use layout::{Layout, NotationName, Rendering};
pub use record::{Evaluation, Item, ItemKind, Record, START_TAG, Values};
pub use split::Splitter;
