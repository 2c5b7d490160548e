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

use crate::charset::Charset;
use crate::described;
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;
use crate::split::Splitter;

/// The name of the format, in layouts and in games that use it.
pub const NAME: &str = "ccbridge";

const TITLE: &str = "CBR or CBL";

/// The format of CBR and CBL.
#[derive(Debug)]
pub struct CcBridge;

impl Reader for CcBridge {
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

impl Format for CcBridge {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = (games.len() == 1).then_some(0);
        let begins = game::begins(head.bytes) || library::begins(head.bytes);
        begins.then_some(Sniffed { sure: Sure::Certainly, game })
    }

    fn splitter(&self, _: u8) -> Box<dyn Splitter> {
        Box::new(library::Games::default())
    }

    fn describe(&self, record: &[u8]) -> Option<String> {
        layout::describe(record)
    }

    fn read<'a>(&self, text: &'a str, _: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        let (layout, record) = described::read::<Layout>(text)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}
