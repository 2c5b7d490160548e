//! Transcripts: one game per line, with little or nothing between its moves, as players of othello
//! (`f5d6c3d3c4`) and gomoku (`h8i9j10`, `h8 i9 j10`) write them.
//!
//! Parsing never fails: every line is moves with something before and after them, in one of its
//! tab-separated fields. Parsing does not check legality.

pub mod layout;
pub mod parse;

pub use layout::{Gap, Layout, Newline};
pub use parse::{parse, parse_list};

use crate::charset::{self, Charset};
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::{Record, START_TAG};
use crate::split::{Lines, Splitter};

/// The format's name, in layouts and in games that use it.
pub const NAME: &str = "transcript";

const TITLE: &str = "a transcript";

/// The fewest moves of a transcript that identify the game. Fewer may be squares in another game.
const TELLING_MOVES: usize = 8;

/// The format of transcripts.
#[derive(Debug)]
pub struct Transcripts;

impl Reader for Transcripts {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn record<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>> {
        Some(read(text, Charset::Utf8, rules).0)
    }

    fn read_list<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>> {
        let mut record = parse_list(text)?;
        record.add_start(rules, "");
        Some(record)
    }
}

impl Format for Transcripts {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = games.iter().position(|game| holds_transcripts(head, *game))?;
        Some(Sniffed { sure: Sure::Perhaps, game: Some(game) })
    }

    fn splitter(&self, newline: u8) -> Box<dyn Splitter> {
        Box::new(Lines::new(newline))
    }

    fn read<'a>(&self, text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Reading<'a>> {
        let (record, layout) = read(text, charset, rules);
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}

/// Reads a line; its first fields and the text before the moves may give its start.
fn read<'a>(text: &'a str, charset: Charset, rules: &dyn Rules) -> (Record<'a>, Layout) {
    let (mut record, layout) = parse(text, charset);
    let (fields, others) = record.tags.split_at(layout.before_moves.into());
    let before = others.iter().filter(|tag| tag.0 == parse::BEFORE);
    let head = fields.iter().chain(before).map(|tag| tag.1.to_string()).collect::<Vec<_>>();
    record.add_start(rules, &head.join(" "));
    (record, layout)
}

/// Whether there are more legal transcripts than other lines. If the user did not name the game,
/// the transcripts must have no gaps, and one must be long enough.
fn holds_transcripts(head: &Head<'_>, rules: &dyn Rules) -> bool {
    let least = if head.game_told { 1 } else { TELLING_MOVES };
    let (mut long, mut legal, mut others) = (false, 0usize, 0usize);
    for line in &head.lines {
        let (_, text) = charset::decode(line, "");
        let (record, layout) = read(&text, Charset::Utf8, rules);
        let telling = head.game_told || layout.gap == Gap::Nothing;
        let moves = record.moves.len();
        if telling && moves > 0 && rules.plays(record.tag(START_TAG), &record.moves) {
            (legal, long) = (legal + 1, long || moves >= least);
        } else {
            others += 1;
        }
    }
    long && legal > others
}
