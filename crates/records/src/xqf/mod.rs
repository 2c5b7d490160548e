//! XQF, the files of XQStudio and of the many programs that took over its format: one game of
//! xiangqi with variations and comments, in Chinese.
//!
//! A header of 1,024 bytes has the men's squares and texts of fixed length; the moves follow as a
//! tree. From version 11 on squares, lengths of comments and all bytes behind the header are hidden
//! by keys, which are numbers in the header. Bytes without a meaning, which programs fill at
//! random, are not part of the layout.

mod cipher;
mod file;
pub mod layout;

pub use layout::Layout;

use crate::described::{self, Described};
use crate::format::FormatInfo;

/// The name of the format, in layouts and in games that use it.
pub const NAME: &str = "xqf";

const TITLE: &str = "XQF";

/// The XQF format.
#[derive(Debug)]
pub struct Xqf;

impl Described for Xqf {
    type Layout = Layout;

    const INFO: FormatInfo = described::info(NAME, TITLE);

    fn begins(bytes: &[u8]) -> bool {
        file::begins(bytes)
    }

    fn describe(record: &[u8]) -> Option<String> {
        file::describe(record)
    }
}
