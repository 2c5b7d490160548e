//! CBF, the XML of CCBridge and of collections of xiangqi: one game, with comments in Chinese.
//!
//! Elements of the head become tags; a move is an element with two squares. What is laid out in
//! another way than the program does it is left to the patch.

pub mod layout;
mod parse;

pub use layout::Layout;

use crate::described::{self, Described};
use crate::format::FormatInfo;

/// The name of the format, in layouts and in games that use it.
pub const NAME: &str = "cbf";

const TITLE: &str = "CBF";

/// The CBF format.
#[derive(Debug)]
pub struct Cbf;

impl Described for Cbf {
    type Layout = Layout;

    const INFO: FormatInfo = described::info(NAME, TITLE);

    const BINARY: bool = false;

    fn begins(bytes: &[u8]) -> bool {
        parse::begins(bytes)
    }

    fn describe(record: &[u8]) -> Option<String> {
        parse::describe(std::str::from_utf8(record).ok()?)
    }
}
