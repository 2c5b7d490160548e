//! Position files, one position per line: FEN, and EPD, which adds operations (S. J. Edwards' PGN
//! standard, section 16.2): `8/7p/… w - - bm e4; id "PET001";`.
//!
//! There are no errors: a line that is not a position gives `None`, and the caller keeps what the
//! syntax does not cover. The game decides which words are a position.

pub mod layout;
pub mod line;

pub use layout::Layout;
pub use line::{Line, Operation, first_words, is_comment, position_words};

use crate::charset::{self, Charset};
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::{Record, START_TAG};
use crate::split::{Lines, Splitter};

/// The format's name, with which its layouts begin.
const NAME: &str = "epd";

const TITLE: &str = "EPD";

/// The most other lines per position in a position file.
const OTHERS_MAX: usize = 16;

/// The tags of the counters, and of the text after the operations. They contain spaces, which
/// opcodes never do.
const COUNTERS: [&str; 2] = ["halfmove clock", "move number"];
const REST: &str = "rest of line";

/// The format of position files.
#[derive(Debug)]
pub struct Epd;

impl Reader for Epd {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Positions, every_game: true }
    }

    fn record<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>> {
        read(text, Charset::Utf8, rules).map(|(record, _)| record)
    }
}

impl Format for Epd {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = games.iter().position(|game| holds_positions(head, *game))?;
        Some(Sniffed { sure: Sure::Likely, game: Some(game) })
    }

    fn splitter(&self, newline: u8) -> Box<dyn Splitter> {
        Box::new(Lines::new(newline))
    }

    fn read<'a>(&self, text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Reading<'a>> {
        let (record, layout) = read(text, charset, rules)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}

/// Reads a line. The position becomes the start of a record without moves; counters, operations and
/// the text after them become further tags.
fn read<'a>(text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<(Record<'a>, Layout)> {
    let line = read_line(text, charset, rules)?;
    let mut layout = line.layout.clone();
    let mut record = Record::default();
    record.tags.push((START_TAG, line.position.into()));
    for (name, counter) in COUNTERS.into_iter().zip(line.counters) {
        record.tags.extend(counter.map(|counter| (name, counter.to_string().into())));
    }
    for operation in &line.operations {
        record.tags.push((operation.opcode, operation.operand.into()));
        layout.operations.push((operation.opcode.to_owned(), operation.quoted));
    }
    let rest = Some(line.rest(line.operations.len())).filter(|rest| !rest.is_empty());
    record.tags.extend(rest.map(|rest| (REST, rest.into())));
    Some((record, layout))
}

/// Splits a line into its parts; the game decides what is a position.
fn read_line<'a>(text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Line<'a>> {
    let words = &mut |text: &str| Some(position_words(&rules.position(text)?));
    Line::read(text, charset, words)
}

/// Whether there are positions, and not too many other lines.
fn holds_positions(head: &Head<'_>, rules: &dyn Rules) -> bool {
    let (mut positions, mut others) = (0usize, 0usize);
    for line in &head.lines {
        let (charset, text) = charset::decode(line, rules.signs());
        match read_line(&text, charset, rules) {
            Some(_) => positions += 1,
            None => others += 1,
        }
    }
    positions > 0 && others <= positions * OTHERS_MAX
}
