//! PSQ, the format of gomoku records of Piskvork and the Gomocup tournaments.
//!
//! The first line has the size of the board, the players' levels and who began. Then comes one line
//! per stone: its column, row and milliseconds. Columns and rows count from 1 at the upper left (as
//! Piskvork reads them; its `.rec` files count from 0). Lines for the players and the end of the
//! game follow.

pub mod layout;
pub mod parse;

pub use layout::Layout;
pub use parse::{Psq, parse};

use crate::charset::Charset;
use crate::format::{Content, Format, FormatInfo, Reader, Reading, Rules};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::Record;

/// The name of the format, in layouts and in games that use it, and of its move notation.
pub const NAME: &str = "psq";

const TITLE: &str = "PSQ";

/// The number of decimals of a second in times.
const DECIMALS: u8 = 3;

/// The tag for the size of the board, such as `20x20`.
pub const SIZE: &str = "Size";

/// The PSQ format.
#[derive(Debug)]
pub struct PsqFormat;

impl Reader for PsqFormat {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn announces(&self, text: &str) -> bool {
        parse(text, Charset::Utf8).is_some()
    }

    fn record<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>> {
        read(text, Charset::Utf8, rules).map(|psq| psq.record)
    }
}

impl Format for PsqFormat {
    fn read<'a>(&self, text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Reading<'a>> {
        let Psq { record, times, layout } = read(text, charset, rules)?;
        Some(Reading { times, decimals: DECIMALS, ..Reading::new(record, boxed(layout)) })
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}

/// Reads a record; the size of its board may give its start.
fn read<'a>(text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Psq<'a>> {
    let mut psq = parse(text, charset)?;
    let size = psq.record.tag(SIZE).unwrap_or_default().to_owned();
    psq.record.add_start(rules, &size);
    Some(psq)
}
