//! DhtmlXQ, the format in which xiangqi sites embed a game in a page: fields between
//! `[DhtmlXQ_name]` and `[/DhtmlXQ_name]`, one of which holds the moves.
//!
//! A move is four digits: file and rank of the origin, then of the destination. Files count from 0
//! at Red's left, ranks from 0 at Black's back rank. Text around the fields is not part of the
//! layout.

pub mod layout;
pub mod parse;

pub use layout::Layout;
pub use parse::{Page, parse, parse_list};

use crate::charset::Charset;
use crate::format::{Content, Format, FormatInfo, Reader, Reading, Rules};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;

/// The name of the format, in layouts and in games that use it, and of its move notation.
pub const NAME: &str = "dhtmlxq";

const TITLE: &str = "DhtmlXQ";

/// The DhtmlXQ format.
#[derive(Debug)]
pub struct DhtmlXq;

impl Reader for DhtmlXq {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn announces(&self, text: &str) -> bool {
        parse(text, Charset::Utf8).is_some()
    }

    fn record<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        parse(text, Charset::Utf8).map(|page| page.record)
    }

    fn read_list<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        parse_list(text)
    }
}

impl Format for DhtmlXq {
    fn read<'a>(&self, text: &'a str, charset: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        let Page { fields, record, layout } = parse(text, charset)?;
        Some(Reading { place: Some(fields), ..Reading::new(record, boxed(layout)) })
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}
