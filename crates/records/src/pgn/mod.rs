//! PGN, Portable Game Notation: S. J. Edwards' standard of 1994, and what real files add to it.
//!
//! Reading never fails: every byte string splits into records, and every record reads as tags,
//! moves and a rest that was not understood. PGN is therefore the fallback for records in no other
//! format.

mod body;
mod guess;
pub mod layout;
pub mod parse;
pub mod reviews;
mod search_info;
pub mod split;
pub mod values;
mod words;

pub use body::unbroken;
pub use layout::{Layout, Spelling};
pub use parse::{parse, parse_tags};
pub use reviews::ReviewStyle;
pub use search_info::SearchInfo;
pub use split::PgnSplitter;
pub use values::ValueStyle;

use crate::charset::{self, Charset};
use crate::format::{
    Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sketch, Sniffed, Sure,
};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;

/// The markers that end a game.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The format's name, with which its layouts begin.
pub const NAME: &str = "pgn";

const TITLE: &str = "PGN";

/// The PGN format.
#[derive(Debug)]
pub struct Pgn;

impl Reader for Pgn {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: true }
    }

    fn record<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        Some(parse(text))
    }
}

impl Format for Pgn {
    fn sniff(&self, head: &Head<'_>, _: &[&dyn Rules]) -> Option<Sniffed> {
        let mut lines = head.lines.iter();
        let tagged = lines.any(|line| looks_like_tag(&charset::decode(line, "").1));
        tagged.then_some(Sniffed { sure: Sure::Certainly, game: None })
    }

    fn read<'a>(&self, text: &'a str, _: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        Some(Reading::without_layout(parse(text)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }

    fn guess(&self, read: &Sketch<'_>) -> Vec<Box<dyn AnyLayout>> {
        Layout::guess(read).into_iter().map(boxed).collect()
    }
}

/// Whether a line begins with a bracket, a name and a quote.
fn looks_like_tag(line: &str) -> bool {
    let tag = line.trim_start_matches(['\u{feff}', ' ', '\t']).strip_prefix('[');
    let value = tag.map(|tag| tag.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
    value.is_some_and(|value| value.trim_start_matches([' ', '\t']).starts_with('"'))
}
