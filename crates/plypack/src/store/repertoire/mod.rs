//! A repertoire: the positions that one side prepares for, and the moves that it has in each.
//!
//! Positions count, not moves in their order: a game follows a repertoire for as long as it comes
//! back to one of its positions.

mod read;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use plypack_core::key::Structure;
use plypack_core::{Cursor, ErasedRules, Error as LineError, Notation, Turn};

pub use crate::rows::sides;
use crate::rows::{RowError, numbered};
use crate::store::index::Spot;
use crate::store::row::StoredRecord;

/// What one side plays, and against what.
#[derive(Debug)]
pub struct Repertoire {
    game: &'static dyn ErasedRules,
    /// Whether it is for the second player.
    second: bool,
    positions: Positions,
    starts: Vec<Start>,
    /// The position of the game's usual start, which every game has.
    usual: Option<u32>,
    /// The progress beyond which no line comes back.
    progress: u32,
}

/// Positions, by their places in the order in which they were read.
#[derive(Debug, Default)]
struct Positions {
    all: Vec<Position>,
    by_key: BTreeMap<u64, Vec<u32>>,
}

#[derive(Debug)]
struct Position {
    key: u64,
    structure: Structure,
    /// The facts that tell it from others with the same key.
    facts: Box<str>,
    progress: u32,
    /// Whether the second player is to move.
    second: bool,
    replies: Vec<Reply>,
    /// How a shortest line leads here; `None` for a start, and for what no line of the side leads
    /// to.
    before: Option<Step>,
}

/// A move of the repertoire.
#[derive(Clone, Copy, Debug)]
struct Reply {
    candidate: u16,
    /// The place of the position after it.
    to: u32,
    /// Whether it is always marked as a mistake.
    mistake: bool,
}

/// The last move to a position, and the place of the position before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: u32,
    candidate: u16,
}

/// A position from which lines begin.
#[derive(Debug)]
struct Start {
    place: u32,
    /// Its text; `None` for the usual start.
    text: Option<String>,
}

/// Where a game is in a repertoire for the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leaving {
    /// The number of plies from the start of the game to there.
    pub ply: u32,
    /// The place of the position in the repertoire.
    pub place: u32,
    /// The move that the game plays there; `None` if it ends.
    pub candidate: Option<u16>,
}

/// Why a game is no longer in a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Left {
    /// The side of the repertoire played another move.
    Own,
    /// The other side played a move that the repertoire does not answer.
    Opponent,
    /// The line of the repertoire ends.
    LineEnd,
    /// The game ends.
    GameEnd,
}

impl Left {
    /// All of them, in order.
    const ALL: [Self; 4] = [Self::Own, Self::Opponent, Self::LineEnd, Self::GameEnd];

    /// Returns its name in lower case: `own`, `opponent`, `line end` or `game end`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Opponent => "opponent",
            Self::LineEnd => "line end",
            Self::GameEnd => "game end",
        }
    }
}

/// How many games follow a repertoire, by what ends that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followers([u64; 4]);

impl Followers {
    /// Adds games.
    pub fn add(&mut self, left: Left, games: u64) {
        for (sum, of) in self.0.iter_mut().zip(Left::ALL) {
            if of == left {
                *sum = sum.saturating_add(games);
            }
        }
    }

    /// Returns the number of games that left so.
    #[must_use]
    pub fn of(&self, left: Left) -> u64 {
        Left::ALL.iter().zip(self.0).find(|(of, _)| **of == left).map_or(0, |found| found.1)
    }

    /// Returns the number of all games.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().fold(0, |sum, games| sum.saturating_add(*games))
    }
}

impl Repertoire {
    /// The game.
    pub fn game(&self) -> &'static dyn ErasedRules {
        self.game
    }

    /// Whether it is for the second player.
    pub fn second(&self) -> bool {
        self.second
    }

    /// What the player is called that it is for.
    pub fn side(&self) -> &'static str {
        sides(self.game)[usize::from(self.second)]
    }

    /// What the opponent is called.
    pub fn opponent(&self) -> &'static str {
        sides(self.game)[usize::from(!self.second)]
    }

    /// The number of its positions.
    pub fn positions(&self) -> usize {
        self.kept().count()
    }

    /// The number of positions where its lines end.
    pub fn lines(&self) -> usize {
        self.kept().filter(|(_, position)| position.replies.is_empty()).count()
    }

    /// What its positions are listed under in indices, apart from the usual start, neighbours side
    /// by side.
    pub fn spots(&self) -> Vec<Spot> {
        let kept = self.kept().filter(|(place, _)| Some(*place) != self.usual);
        let spot = |(_, Position { structure, key, .. }): (u32, &Position)| Spot {
            structure: *structure,
            key: *key,
        };
        let mut spots: Vec<Spot> = kept.map(spot).collect();
        let order = |spot: &Spot| (spot.structure.frame, spot.structure.men, spot.key);
        spots.sort_unstable_by_key(order);
        spots
    }

    /// Why a game leaves it there.
    pub fn left(&self, leaving: &Leaving) -> Left {
        let Some(position) = self.positions.at(leaving.place) else { return Left::GameEnd };
        match leaving.candidate {
            _ if position.replies.is_empty() => Left::LineEnd,
            None => Left::GameEnd,
            Some(_) if position.second == self.second => Left::Own,
            Some(_) => Left::Opponent,
        }
    }

    /// Where a record's main line is in the repertoire for the last time. `None` if it is never in
    /// a position of it but the usual start, is of another game, or has no moves. What variations
    /// show does not count.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the record.
    pub fn leaving(&self, record: &StoredRecord<'_>) -> Result<Option<Leaving>, RowError> {
        let Some((codec, start, plies, code)) = record.line else { return Ok(None) };
        let codec = StoredRecord::codec(codec)?;
        if codec.game().info().id != self.game.info().id {
            return Ok(None);
        }
        // Without candidates a line is decoded in the quickest way, and most lines need no more.
        let (mut ply, mut last) = (0, 0);
        codec.scan(start, plies, code, &mut |place| {
            ply += 1;
            if place.progress() > self.progress {
                return ControlFlow::Break(());
            }
            if self.positions.by_key.contains_key(&place.key()) {
                last = ply;
            }
            ControlFlow::Continue(())
        })?;
        // A line that is set up may begin in the repertoire.
        if last == 0 && start.is_none() {
            return Ok(None);
        }
        self.follow(&mut *codec.cursor(start, plies, code)?, last).map_err(RowError::from)
    }

    /// Follows a line for so many plies.
    fn follow(&self, line: &mut dyn Cursor<'_>, plies: u32) -> Result<Option<Leaving>, LineError> {
        let (mut leaving, mut enters) = (None, false);
        loop {
            let (ply, place) = (line.ply(), self.positions.find(line));
            let candidate = if ply <= plies { line.next()? } else { None };
            if let Some(place) = place {
                enters |= Some(place) != self.usual;
                leaving = Some(Leaving { ply, place, candidate });
            }
            if ply >= plies || candidate.is_none() {
                return Ok(leaving.filter(|_| enters));
            }
        }
    }

    /// A line to a position, with one more move if there is one; the text of its start, unless that
    /// is the usual one.
    fn line(&self, place: u32, candidate: Option<u16>) -> (Option<&str>, Vec<u16>) {
        let (mut at, mut moves) = (place, Vec::from_iter(candidate));
        // No shortest line comes back to a position.
        while let Some(Step { from, candidate }) = self.positions.at(at).and_then(|at| at.before) {
            moves.push(candidate);
            at = from;
        }
        moves.reverse();
        let start = self.starts.iter().find(|start| start.place == at);
        (start.and_then(|start| start.text.as_deref()), moves)
    }

    /// The text of a position, in canonical spelling.
    ///
    /// # Errors
    /// Never returns an error, as its lines were read before.
    pub fn position_text(&self, place: u32) -> Result<String, LineError> {
        let (start, moves) = self.line(place, None);
        self.game.position_after(start, &moves)
    }

    /// The text of a candidate move in a position.
    ///
    /// # Errors
    /// Returns an error if there is no such candidate.
    pub fn move_text(
        &self,
        place: u32,
        candidate: u16,
        notation: Notation,
    ) -> Result<String, LineError> {
        let (start, moves) = self.line(place, Some(candidate));
        let texts = self.game.write_moves(start, &moves, notation)?;
        Ok(texts.iter().last().unwrap_or_default().to_owned())
    }

    /// The texts of the moves that it has in a position.
    ///
    /// # Errors
    /// Never returns an error, as they were read before.
    pub fn replies(&self, place: u32, notation: Notation) -> Result<Vec<String>, LineError> {
        let replies = self.positions.at(place).into_iter().flat_map(|position| &position.replies);
        replies.map(|reply| self.move_text(place, reply.candidate, notation)).collect()
    }

    /// The start of a shortest line to a position, unless it is the usual one, and the moves of the
    /// line and one more, as coordinates.
    ///
    /// # Errors
    /// Returns an error if there is no such candidate.
    pub fn line_moves(
        &self,
        place: u32,
        candidate: Option<u16>,
    ) -> Result<(Option<&str>, Vec<String>), LineError> {
        let (start, moves) = self.line(place, candidate);
        let texts = self.game.write_moves(start, &moves, Notation::Coordinate)?;
        Ok((start, texts.iter().map(str::to_owned).collect()))
    }

    /// The moves of a shortest line to a position, and one more, as people write them: `1. e4 e5 2.
    /// Nf3`. A line from another start than the usual one begins with that position in brackets.
    ///
    /// # Errors
    /// Returns an error if there is no such candidate.
    pub fn line_text(
        &self,
        place: u32,
        candidate: Option<u16>,
        notation: Notation,
    ) -> Result<String, LineError> {
        let (start, moves) = self.line(place, candidate);
        let line = numbered_line(self.game, start, &moves, notation)?;
        let start = start.map(|start| format!("[{start}] ")).unwrap_or_default();
        Ok((start + &line).trim_end().to_owned())
    }

    /// Its positions with their places.
    fn kept(&self) -> impl Iterator<Item = (u32, &Position)> {
        let places = self.positions.by_key.values().flatten().copied();
        places.filter_map(|place| Some((place, self.positions.at(place)?)))
    }
}

/// Returns moves from a start with their numbers, `1. e4 e5 2. Nf3`; as coordinates without, which
/// are for games whose players do not count moves in pairs.
///
/// # Errors
/// Returns an error if the start cannot be read, or there is no such line.
pub fn numbered_line(
    game: &dyn ErasedRules,
    start: Option<&str>,
    moves: &[u16],
    notation: Notation,
) -> Result<String, LineError> {
    let texts = game.write_moves(start, moves, notation)?;
    if notation != Notation::Customary {
        return Ok(texts.iter().collect::<Vec<_>>().join(" "));
    }
    let mut turn = game.turn(start)?;
    let mut line = String::new();
    for text in texts.iter() {
        if !line.is_empty() {
            line.push(' ');
        }
        if !turn.second || line.is_empty() {
            line += &numbered(turn);
            line.push(' ');
        }
        line += text;
        turn = Turn {
            number: turn.number.saturating_add(u32::from(turn.second)),
            second: !turn.second,
        };
    }
    Ok(line)
}

impl Positions {
    fn at(&self, place: u32) -> Option<&Position> {
        self.all.get(usize::try_from(place).ok()?)
    }

    fn at_mut(&mut self, place: u32) -> Option<&mut Position> {
        self.all.get_mut(usize::try_from(place).ok()?)
    }

    /// Returns the place of a cursor's position. Equal keys are a hint; facts prove it.
    fn find(&self, cursor: &dyn Cursor<'_>) -> Option<u32> {
        let places = self.by_key.get(&cursor.key())?;
        let mut facts = String::with_capacity(96);
        cursor.write_facts(&mut facts);
        let is_here = |place: &&u32| self.at(**place).is_some_and(|at| *at.facts == *facts);
        places.iter().find(is_here).copied()
    }
}
