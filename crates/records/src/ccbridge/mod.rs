//! CBR and CBL, the files of CCBridge: one game of xiangqi with variations and comments in Chinese,
//! and a library of many.
//!
//! A record has texts of fixed length in UTF-16, the board, and the moves as a tree. In a library a
//! header and an index come before the records, each of which takes a multiple of 4,096 bytes. The
//! program writes whole structures: what lies between their parts is whatever was in memory, and
//! not part of the layout.

mod game;
pub mod layout;
mod library;

pub use layout::Layout;

use crate::described::{self, Described};
use crate::format::FormatInfo;
use crate::split::Splitter;

/// The name of the format, in layouts and in games that use it.
pub const NAME: &str = "ccbridge";

const TITLE: &str = "CBR or CBL";

/// The format of CBR and CBL.
#[derive(Debug)]
pub struct CcBridge;

impl Described for CcBridge {
    type Layout = Layout;

    const INFO: FormatInfo = described::info(NAME, TITLE);

    fn begins(bytes: &[u8]) -> bool {
        game::begins(bytes) || library::begins(bytes)
    }

    fn splitter() -> Box<dyn Splitter> {
        Box::new(library::Games::default())
    }

    fn describe(record: &[u8]) -> Option<String> {
        layout::describe(record)
    }
}
