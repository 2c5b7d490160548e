//! WTHOR, the othello database of the French federation: games in `.wtb` files, players' names in a
//! `.jou` file and tournaments' names in a `.trn` file.
//!
//! Every file begins with a [`Header`] of 16 bytes, followed by records of equal length. A game
//! refers to names by their indices in the other files. The indices become tags, beside the names
//! if the other files are available ([`Names`]); no byte of a game is restored from a name.

pub mod file;
pub mod layout;
pub mod names;

pub use file::{
    File, GAME_BYTES, Game, HEADER_BYTES, Header, PLAYER_BYTES, TOURNAMENT_BYTES, describe,
    may_begin, parse, read_name, record_bytes, write_name,
};
pub use layout::Layout;
pub use names::Names;

use crate::charset::Charset;
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout as AnyLayout, boxed};
use crate::record::{Record, START_TAG};
use crate::split::{Blocks, Splitter};

/// The format's name, in layouts and in games that use it.
pub const NAME: &str = "wthor";

const TITLE: &str = "WTHOR";

/// The number of games that are checked for legality.
const GAMES_SNIFFED: usize = 64;

/// The WTHOR format.
#[derive(Debug)]
pub struct Wthor;

impl Reader for Wthor {
    fn info(&self) -> &'static FormatInfo {
        &FormatInfo { name: NAME, title: TITLE, content: Content::Games, every_game: false }
    }

    fn is_binary(&self) -> bool {
        true
    }

    fn record<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        parse(text).map(|(record, _)| record)
    }
}

impl Format for Wthor {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = games.iter().position(|game| holds_games(head.bytes, *game))?;
        Some(Sniffed { sure: Sure::Certainly, game: Some(game) })
    }

    fn splitter(&self, _: u8) -> Box<dyn Splitter> {
        Box::new(Blocks::new(record_bytes(true), record_bytes(false)))
    }

    fn describe(&self, record: &[u8]) -> Option<String> {
        describe(record)
    }

    fn read<'a>(&self, text: &'a str, _: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        let (record, layout) = parse(text)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn AnyLayout>, String> {
        text.parse::<Layout>().map(boxed)
    }
}

/// Whether at least half of the first games are legal, each with at least one move.
fn holds_games(begin: &[u8], rules: &dyn Rules) -> bool {
    if !may_begin(begin) {
        return false;
    }
    let Some((first, others)) = begin.split_at_checked(record_bytes(true)) else { return false };
    let others = others.chunks_exact(record_bytes(false));
    let records = std::iter::once(first).chain(others).take(GAMES_SNIFFED);
    let (mut games, mut legal) = (0usize, 0usize);
    for text in records.filter_map(describe) {
        games += 1;
        let plays = parse(&text).is_some_and(|(record, _)| {
            !record.moves.is_empty() && rules.plays(record.tag(START_TAG), &record.moves)
        });
        legal += usize::from(plays);
    }
    legal > 0 && 2 * legal >= games
}
