//! CBF, the XML of CCBridge and of collections of xiangqi: one game, with comments in Chinese.
//!
//! Elements of the head become tags; a move is an element with two squares. What is laid out in
//! another way than the program does it is left to the patch.

pub mod layout;
mod parse;

pub use layout::Layout;

use crate::charset::Charset;
use crate::described;
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;
use crate::split::{Splitter, Whole};

/// The name of the format, in layouts and in games that use it.
pub const NAME: &str = "cbf";

const TITLE: &str = "CBF";

/// The CBF format.
#[derive(Debug)]
pub struct Cbf;

impl Reader for Cbf {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn escapes_comments(&self) -> bool {
        true
    }

    fn record<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        described::read::<Layout>(text).map(|(_, record)| record)
    }
}

impl Format for Cbf {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = (games.len() == 1).then_some(0);
        parse::begins(head.bytes).then_some(Sniffed { sure: Sure::Certainly, game })
    }

    fn splitter(&self, _: u8) -> Box<dyn Splitter> {
        Box::new(Whole)
    }

    fn describe(&self, record: &[u8]) -> Option<String> {
        parse::describe(std::str::from_utf8(record).ok()?)
    }

    fn read<'a>(&self, text: &'a str, _: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        let (layout, record) = described::read::<Layout>(text)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}
