//! Patterns: searches for games by properties that no single position has.
//!
//! A [`Query`] is a search in terms of a game's [`Diagram`]; its syntax is up to the caller. The
//! game compiles it into a [`Pattern`], which a codec matches against a line in the pass that
//! decodes it. [`grid`] implements every rule for a game that describes its board; a game may test
//! some of them faster.

mod ask;
pub mod grid;
mod image;
mod matcher;

use std::any::Any;
use std::cell::OnceCell;
use std::fmt::Debug;

use crate::game::Rules;

pub use ask::{Ask, Ending, Men, Region, Regions, Shape, Want};
pub use grid::{Diagram, Patterns, Planes};
pub use image::Image;
pub(crate) use matcher::{matched, matched_by_indices};

/// The maximum number of conditions in sequence.
pub const STEPS_MAX: usize = 60;

/// The results of games, as bits of a set.
pub mod results {
    /// White won; in xiangqi Red.
    pub const WHITE: u8 = 1;
    /// Black won.
    pub const BLACK: u8 = 2;
    /// A draw.
    pub const DRAW: u8 = 4;
    /// Anything else, such as an unfinished game.
    pub const OTHER: u8 = 8;
    /// Any result.
    pub const ALL: u8 = 15;

    /// Returns the results with the players' colours swapped.
    pub fn swapped(results: u8) -> u8 {
        results & !(WHITE | BLACK) | (results & WHITE) << 1 | (results & BLACK) >> 1
    }
}

/// A search in a line: conditions that hold in sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The conditions, in order, each at a later ply than the previous one.
    pub steps: Vec<Step>,
    /// Whether to match also with the colours swapped.
    pub either_colour: bool,
    /// Whether to match also with left and right swapped.
    pub mirrored: bool,
    /// Whether to match in all eight symmetries of a square board.
    pub symmetric: bool,
}

/// One of the conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether it must hold at the very next ply.
    pub next: bool,
    /// The condition.
    pub condition: Condition,
}

/// A condition on a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All of these; the empty list always holds.
    All(Vec<Condition>),
    /// At least one of these.
    Any(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
    /// The game ended with one of these [`results`].
    Result(u8),
    /// Whether the second player is to move.
    ToMove(bool),
    /// A rule.
    Ask(Ask),
}

/// A point in a line, as tests see it.
#[derive(Debug)]
pub struct Moment<'a, G: Rules> {
    /// The game.
    pub game: &'a G,
    /// The position before the last move; `None` at the start of the line, and for tests that do
    /// not [look back](Test::looks_back).
    pub before: Option<&'a G::Position>,
    /// The position.
    pub at: &'a G::Position,
    /// Whether the line ends here.
    pub last: bool,
    /// The board as rows of bits, computed on demand.
    pub planes: OnceCell<Planes>,
}

/// A rule of a pattern, resolved by a game.
pub trait Test<G: Rules>: Debug + Send + Sync {
    /// Returns whether it holds.
    fn holds(&self, moment: &Moment<'_, G>) -> bool;

    /// Returns whether it may still hold at this position or a later one. A test that cannot tell
    /// quickly returns `true`; the search leaves a line on `false`.
    fn may_come(&self, _position: &G::Position) -> bool {
        true
    }

    /// Returns whether it may have held somewhere in a line whose end has these remains
    /// ([`Rules::remains`]). A test that cannot tell returns `true`.
    fn may_leave(&self, _remains: u64) -> bool {
        true
    }

    /// Returns the frames ([`Structure`](crate::key::Structure)) of which every position where it
    /// holds has one; `None` if it cannot tell.
    fn frames(&self) -> Option<Vec<u64>> {
        None
    }

    /// Returns whether it needs the position before the last move.
    fn looks_back(&self) -> bool {
        false
    }
}

/// A query resolved by a game, ready to be matched with its lines.
#[derive(Debug)]
pub struct Pattern {
    /// The name of the game.
    game: &'static str,
    results: u8,
    asks_result: bool,
    /// The typed value that [`matched`] takes.
    compiled: Box<dyn Compiled>,
}

/// A query resolved by some game.
trait Compiled: Debug + Send + Sync {
    /// See [`Pattern::may_leave`].
    fn may_leave(&self, remains: u64) -> bool;

    /// See [`Pattern::frames`].
    fn frames(&self) -> Option<Vec<u64>>;

    /// Returns itself, for downcasting to the game's type.
    fn typed(&self) -> &dyn Any;
}

impl Pattern {
    /// Returns the name of the game whose lines it is for.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// Returns the [`results`] that a matching game may have: a filter to apply before decoding any
    /// move.
    pub fn results(&self) -> u8 {
        self.results
    }

    /// Returns whether the result of a game matters.
    pub fn asks_result(&self) -> bool {
        self.asks_result
    }

    /// Returns whether a line whose end has these remains may match ([`Rules::remains`]): a filter
    /// to apply before decoding any move.
    pub fn may_leave(&self, remains: u64) -> bool {
        self.compiled.may_leave(remains)
    }

    /// Returns the frames ([`Structure`](crate::key::Structure)) of which every line that matches
    /// comes to one; `None` if the pattern does not tell.
    pub fn frames(&self) -> Option<Vec<u64>> {
        self.compiled.frames()
    }

    /// Returns whether the remains of a line matter.
    pub fn asks_remains(&self) -> bool {
        !self.may_leave(u64::MAX)
    }
}

/// Returns a game's support for patterns.
///
/// # Errors
/// Returns a message if it has none.
pub(crate) fn supported<G: Rules>(game: &G) -> Result<&dyn Patterns<G>, String> {
    game.patterns().ok_or_else(|| format!("{} does not support patterns", game.info().name))
}

/// Compiles a query for a game.
///
/// # Errors
/// Returns a message with a remedy if the game does not support a part of the query.
pub(crate) fn compile<G: Rules>(game: &G, query: &Query) -> Result<Pattern, String> {
    let compiled = matcher::Compiled::new(supported(game)?, query)?;
    let results = compiled.results();
    let asks_result = compiled.asks_result();
    Ok(Pattern { game: game.info().name, results, asks_result, compiled: Box::new(compiled) })
}
