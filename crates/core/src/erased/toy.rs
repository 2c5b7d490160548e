//! A toy game for tests: players alternately take one, two or three stones from a heap. A start is
//! the number of stones and, if the second player begins, a `'`.

use crate::candidates::Candidates;
use crate::codecs::line::modelled::Modelled;
use crate::codecs::line::uniform::{UNIFORM, Uniform};
use crate::erased::{GameRow, LineRow};
use crate::error::{Error, MoveFault};
use crate::game::{GameInfo, Notation, Rules, Turn};
use crate::hint::Hint;
use crate::key::{FIRST_MAN, SECOND_TO_MOVE, word};
use crate::line::Ply;

/// The game.
#[derive(Debug)]
pub struct Heap;

/// The game's row.
pub static HEAP: GameRow<Heap> = GameRow(Heap);

/// The row of its codec.
pub static LINES: LineRow<Heap, Modelled<Uniform>> =
    LineRow { game: &HEAP, codec: UNIFORM, claims: &[] };

impl Rules for Heap {
    /// The number of stones left, and whether the second player is to move.
    type Position = (u32, bool);
    type Move = u32;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "heap",
            id: 255,
            title: "Heap",
            order: "one, two, three stones",
            variants: &[],
            own_tags: &[],
            signs: "",
            notations: &[],
            formats: &[],
        }
    }

    fn start(&self) -> Self::Position {
        (10, false)
    }

    fn candidates(&self, position: &Self::Position, out: &mut Vec<u32>) {
        out.extend(1..=position.0.min(3));
    }

    fn play(&self, position: &mut Self::Position, stones: u32) {
        *position = (position.0 - stones, !position.1);
    }

    fn read_move(&self, moves: &Candidates<'_, Self>, text: &str) -> Result<u32, MoveFault> {
        let stones = text.parse().map_err(|_| MoveFault::Unreadable)?;
        if moves.contains(&stones) { Ok(stones) } else { Err(MoveFault::Illegal) }
    }

    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String) {
        let sign = if notation == Notation::Coordinate { "0" } else { "" };
        out.push_str(&format!("{sign}{}", ply.mv()));
    }

    fn read_position(&self, text: &str) -> Result<Self::Position, Error> {
        let stones = text.trim_end_matches('\'').parse();
        let stones = stones.map_err(|_| Error::position("heap", text, "it is not a number"))?;
        Ok((stones, text.ends_with('\'')))
    }

    fn write_position(&self, position: &Self::Position, out: &mut String) {
        out.push_str(&format!("{}{}", position.0, if position.1 { "'" } else { "" }));
    }

    fn second_key(&self, position: &Self::Position) -> u32 {
        crate::key::second_key([position.0.into(), position.1.into()])
    }

    fn key(&self, position: &Self::Position) -> u64 {
        let side = if position.1 { word(255, SECOND_TO_MOVE) } else { 0 };
        word(255, FIRST_MAN + position.0) ^ side
    }

    fn material(&self, _: &Self::Position) -> i32 {
        0
    }

    fn hint(&self, ply: &Ply<'_, Self>, last: Option<(u32, &Hint)>) -> Option<Hint> {
        let worth = [ply.mv(), last.map_or(0, |last| last.0)]
            .map(|stones| i32::try_from(stones).unwrap_or(0));
        Some(Hint { worth, ..Hint::default() })
    }

    fn turn(&self, position: &Self::Position) -> Turn {
        Turn { number: 1, second: position.1 }
    }
}
