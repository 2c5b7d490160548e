//! A walk along the moves of a row, from which positions are taken on the way.

use std::fmt::Display;
use std::vec::IntoIter;

use datafusion::common::{DataFusionError, Result};
use plypack_core::{Cursor, ErasedGame, ErasedLineCodec, Error};
use plypack_reading::game::is_variant;
use plypack_reading::record::parse;
use plypack_records::{FALLBACK_READER, Item, ItemKind, START_TAG};
use plypack_store::row::StoredRecord;

use super::Line;

/// The game of moves that are texts.
const GAME_OF_TEXTS: &str = "chess";

/// A walk along a line, as far as it was asked for.
pub(crate) struct Walk<'a> {
    function: &'static str,
    line: Line<'a>,
    game: &'static dyn ErasedGame,
    cursor: Box<dyn Cursor<'a> + 'a>,
    ahead: Ahead<'a>,
}

/// Where the moves ahead come from.
enum Ahead<'a> {
    /// The cursor's code.
    Code,
    /// A text, and whether it says nothing else.
    Text(IntoIter<&'a str>, bool),
    /// Nowhere: what follows in the text is no legal move.
    Unreadable,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A move was played.
    Moved,
    /// There is none any more.
    End,
    /// What follows in a text cannot be read, so that nothing is known of it.
    Unreadable,
}

impl<'a> Walk<'a> {
    /// A walk from the start of a line; `None` if it is a text that cannot be read.
    pub fn new(function: &'static str, line: Line<'a>) -> Result<Option<Self>> {
        match line {
            Line::Coded { codec: name, start, plies, code } => {
                let codec = codec(function, name)?;
                let cursor = codec.cursor(start, plies, code);
                let cursor = cursor.map_err(|error| damaged(function, name, error))?;
                let (game, ahead) = (codec.game(), Ahead::Code);
                Ok(Some(Self { function, line, game, cursor, ahead }))
            }
            Line::Text(text) => Ok(Self::along(function, text)),
        }
    }

    fn along(function: &'static str, text: &'a str) -> Option<Self> {
        let game = plypack_games::game(GAME_OF_TEXTS)?;
        let record = parse(game, text, FALLBACK_READER);
        if record.tag("Variant").is_some_and(|variant| !is_variant(game, variant)) {
            return None;
        }
        let cursor = game.cursor(record.tag(START_TAG)).ok()?;
        let (readable, whole) = readable(&record.items);
        let mut moves = record.moves;
        moves.truncate(readable);
        let ahead = Ahead::Text(moves.into_iter(), whole);
        Some(Self { function, line: Line::Text(text), game, cursor, ahead })
    }

    /// The line.
    pub fn line(&self) -> Line<'a> {
        self.line
    }

    /// The game.
    pub fn game(&self) -> &'static dyn ErasedGame {
        self.game
    }

    /// Where the walk has come to.
    pub fn here(&mut self) -> &mut dyn Cursor<'a> {
        &mut *self.cursor
    }

    /// Plays the next move.
    pub fn step(&mut self) -> Result<Step> {
        let moved = match &mut self.ahead {
            Ahead::Code => match self.cursor.next() {
                Ok(Some(_)) => return Ok(Step::Moved),
                Ok(None) => return Ok(Step::End),
                Err(error) => return Err(self.damaged(error)),
            },
            Ahead::Text(moves, whole) => match moves.next() {
                Some(text) => self.cursor.read(text).is_ok(),
                None if *whole => return Ok(Step::End),
                None => false,
            },
            Ahead::Unreadable => false,
        };
        if moved {
            return Ok(Step::Moved);
        }
        self.ahead = Ahead::Unreadable;
        Ok(Step::Unreadable)
    }

    /// What `give` finds in the position after so many plies, or in the last one; `None` if the
    /// line does not come so far, or cannot be read so far.
    pub fn at<T>(
        &mut self,
        ply: Option<i64>,
        give: impl FnOnce(&mut dyn Cursor<'a>) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(ply) = ply else { return Ok(if self.end()? { give(self.here()) } else { None }) };
        let Ok(ply) = u32::try_from(ply) else { return Ok(None) };
        if matches!(self.line, Line::Coded { plies, .. } if ply > plies) {
            return Ok(None);
        }
        while self.cursor.ply() < ply {
            if self.step()? != Step::Moved {
                return Ok(None);
            }
        }
        if self.cursor.ply() > ply {
            return Ok(give(&mut *self.cursor.fork(ply + 1)));
        }
        Ok(give(self.here()))
    }

    /// Goes to the end; false if what is there cannot be read.
    pub fn end(&mut self) -> Result<bool> {
        loop {
            match self.step()? {
                Step::Moved => {}
                step => return Ok(step == Step::End),
            }
        }
    }

    /// What is wrong with the code.
    fn damaged(&self, error: Error) -> DataFusionError {
        match self.line {
            Line::Coded { codec, .. } => damaged(self.function, codec, error),
            Line::Text(_) => failed(self.function, error),
        }
    }
}

/// How many moves of the main line stand before what is not understood, and whether that is all.
fn readable(items: &[Item<'_>]) -> (usize, bool) {
    let (mut moves, mut depth) = (0, 0u32);
    for item in items {
        match item.kind {
            ItemKind::Open => depth += 1,
            ItemKind::Close => depth = depth.saturating_sub(1),
            ItemKind::Move if depth == 0 => moves += 1,
            ItemKind::Other if depth == 0 => return (moves, false),
            _ => {}
        }
    }
    (moves, true)
}

/// The codec that a row names.
pub(crate) fn codec(function: &str, name: &str) -> Result<&'static dyn ErasedLineCodec> {
    StoredRecord::codec(name).map_err(|why| failed(function, why))
}

/// What a function says of a row.
pub(crate) fn failed(function: &str, why: impl Display) -> DataFusionError {
    DataFusionError::Execution(format!("{function}: {why}"))
}

/// An error about a code, with a cure.
pub(crate) fn damaged(function: &str, codec: &str, error: impl Display) -> DataFusionError {
    DataFusionError::Execution(format!(
        "{function}: the code of a row, made by `{codec}`, cannot be decoded: {error}; \
         `plypack verify` says which record of which file it is: take that file from its source \
         again, or leave the record out with a condition on its tags"
    ))
}
