//! A walk along the moves of a row, with access to the positions on the way.

use std::fmt::Display;
use std::vec::IntoIter;

use datafusion::common::{DataFusionError, Result};
use plypack::reading::game::is_variant;
use plypack::reading::record::parse;
use plypack::store::row::StoredRecord;
use plypack_core::{Cursor, ErasedLineCodec, ErasedRules, Error};
use plypack_records::{FALLBACK_READER, Item, ItemKind, START_TAG};

use super::Line;

/// The game of moves given as texts.
const GAME_OF_TEXTS: &str = "chess";

/// A walk along a line, advanced on demand.
pub(crate) struct Walk<'a> {
    function: &'static str,
    line: Line<'a>,
    game: &'static dyn ErasedRules,
    cursor: Box<dyn Cursor<'a> + 'a>,
    ahead: Ahead<'a>,
}

/// The source of the moves ahead.
enum Ahead<'a> {
    /// The cursor's code.
    Code,
    /// A text, and whether it holds nothing else.
    Text(IntoIter<&'a str>, bool),
    /// None: the rest of the text is not a legal move.
    Unreadable,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A move was played.
    Moved,
    /// The line has ended.
    End,
    /// The rest of a text is unreadable, so nothing is known about it.
    Unreadable,
}

impl<'a> Walk<'a> {
    /// Starts a walk at the start of a line; `None` if it is a text that cannot be read.
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
    pub fn game(&self) -> &'static dyn ErasedRules {
        self.game
    }

    /// The current position.
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

    /// Returns the result of `give` in the position after this many plies, or in the last one;
    /// `None` if the line is shorter, or cannot be read that far.
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

    /// Goes to the end; returns false if the rest cannot be read.
    pub fn end(&mut self) -> Result<bool> {
        loop {
            match self.step()? {
                Step::Moved => {}
                step => return Ok(step == Step::End),
            }
        }
    }

    /// An error about the code.
    fn damaged(&self, error: Error) -> DataFusionError {
        match self.line {
            Line::Coded { codec, .. } => damaged(self.function, codec, error),
            Line::Text(_) => failed(self.function, error),
        }
    }
}

/// The number of moves of the main line before the first unknown item, and whether that is all.
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

/// Returns the codec named in a row.
pub(crate) fn codec(function: &str, name: &str) -> Result<&'static dyn ErasedLineCodec> {
    StoredRecord::codec(name).map_err(|why| failed(function, why))
}

/// An error of a function about a row.
pub(crate) fn failed(function: &str, why: impl Display) -> DataFusionError {
    DataFusionError::Execution(format!("{function}: {why}"))
}

/// An error about a code, with a remedy.
pub(crate) fn damaged(function: &str, codec: &str, error: impl Display) -> DataFusionError {
    DataFusionError::Execution(format!(
        "{function}: the code of a row, made by `{codec}`, cannot be decoded: {error}; \
         `plypack verify` finds the record and its file: get that file from its source \
         again, or leave the record out with a condition on its tags"
    ))
}
