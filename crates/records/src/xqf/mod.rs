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

use crate::charset::Charset;
use crate::described;
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;
use crate::split::{Splitter, Whole};

/// The name of the format, in layouts and in games that use it.
pub const NAME: &str = "xqf";

const TITLE: &str = "XQF";

/// The XQF format.
#[derive(Debug)]
pub struct Xqf;

impl Reader for Xqf {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn is_binary(&self) -> bool {
        true
    }

    fn escapes_comments(&self) -> bool {
        true
    }

    fn record<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        described::read::<Layout>(text).map(|(_, record)| record)
    }
}

impl Format for Xqf {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = (games.len() == 1).then_some(0);
        file::begins(head.bytes).then_some(Sniffed { sure: Sure::Certainly, game })
    }

    fn splitter(&self, _: u8) -> Box<dyn Splitter> {
        Box::new(Whole)
    }

    fn describe(&self, record: &[u8]) -> Option<String> {
        file::describe(record)
    }

    fn read<'a>(&self, text: &'a str, _: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        let (layout, record) = described::read::<Layout>(text)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}
