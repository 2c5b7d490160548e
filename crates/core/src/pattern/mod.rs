//! Patterns: what games are searched for that no single position says.
//!
//! A [`Query`] is what somebody asks, in words that every game shares; how it is spelt is up to who
//! reads it. A game makes a [`Pattern`] of it, which a codec matches against a line in the one pass
//! that decodes it. [`grid`] answers every rule for a game that says how its board is drawn; a game
//! may answer some of them quicker.

mod ask;
pub mod grid;
mod image;
mod matcher;

use std::any::Any;
use std::cell::OnceCell;
use std::fmt::Debug;

use crate::game::Game;

pub use ask::{Ask, Ending, Men, Region, Regions, Shape, Want};
pub use grid::{Patterns, Planes};
pub use image::Image;
pub(crate) use matcher::matched;

/// The most conditions that follow one another.
pub const STEPS_MAX: usize = 60;

/// The results of games, as bits of a set.
pub mod results {
    /// White won; in xiangqi Red.
    pub const WHITE: u8 = 1;
    /// Black won.
    pub const BLACK: u8 = 2;
    /// A draw.
    pub const DRAW: u8 = 4;
    /// Anything else, such as a game that goes on.
    pub const OTHER: u8 = 8;
    /// Any result.
    pub const ALL: u8 = 15;

    /// The same results where the players have swapped colours.
    #[must_use]
    pub fn swapped(results: u8) -> u8 {
        results & !(WHITE | BLACK) | (results & WHITE) << 1 | (results & BLACK) >> 1
    }
}

/// What is asked of a line: conditions that hold one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The conditions, in order, each at a later ply than the one before.
    pub steps: Vec<Step>,
    /// Whether it is asked with the colours swapped as well.
    pub either_colour: bool,
    /// Whether it is asked with left and right swapped as well.
    pub mirrored: bool,
    /// Whether it is asked in all eight symmetries of a square board.
    pub symmetric: bool,
}

/// One of the conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether it has to hold at the very next ply, and not at any later one.
    pub next: bool,
    /// What has to hold.
    pub condition: Condition,
}

/// What is to hold at a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All of these; none of them is anything.
    All(Vec<Condition>),
    /// At least one of these.
    Any(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
    /// The game ended with one of these [`results`].
    Result(u8),
    /// The player of this name is to move.
    ToMove(String),
    /// What the game has to answer.
    Rule(Rule),
}

/// A rule, with its texts as they were written: the game knows what they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The rows of a board, from the top: letters of men, `*` for any man, numbers for runs of
    /// cells on which anything may stand, `?` for one of them, `.` for an empty cell.
    Board(String),
    /// The same, anywhere on the board; `#` is beyond its edge.
    Shape(String),
    /// On this cell stands one of these men, or nothing, `.`.
    On(String, String),
    /// So many of these men, at least and at most, stand on these cells.
    Count {
        /// Letters of men, and `.` for empty cells.
        men: String,
        /// Names of cells, files and ranks, or `a1-c3`; `*` is the whole board.
        cells: String,
        /// At least so many.
        least: u32,
        /// At most so many.
        most: u32,
    },
    /// Exactly these men are left: `KRPKR`.
    Material(String),
    /// What one player has more than the other, `PPvN`.
    Imbalance(String),
    /// The player of this name made this move.
    Move(String, String),
    /// A man of one of these kinds moved.
    Moved(String),
    /// A man of one of these kinds was taken; if there are none, none was.
    Captured(String),
    /// The game ended on the board in this way.
    Ending(String),
}

/// A place in a line, as tests see it.
#[derive(Debug)]
pub struct Moment<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The position before the last move; `None` at the start of the line, and for tests that do
    /// not [look back](Test::looks_back).
    pub before: Option<&'a G::Position>,
    /// The position.
    pub at: &'a G::Position,
    /// Whether the line ends here.
    pub last: bool,
    /// The board in rows of bits, as soon as a test has asked for it.
    pub planes: OnceCell<Planes>,
}

/// A rule of a pattern, read by a game.
pub trait Test<G: Game>: Debug + Send + Sync {
    /// Whether it holds.
    fn holds(&self, moment: &Moment<'_, G>) -> bool;

    /// Whether it may still hold at this position or a later one. A test that cannot tell quickly
    /// says yes; lines are left where the answer is no.
    fn may_come(&self, _position: &G::Position) -> bool {
        true
    }

    /// Whether it may have held somewhere in a line at whose end so much is left
    /// ([`Game::remains`]). A test that cannot tell says yes.
    fn may_leave(&self, _remains: u64) -> bool {
        true
    }

    /// Whether it asks for the position before the last move.
    fn looks_back(&self) -> bool {
        false
    }
}

/// A query that a game has read, ready to be matched with its lines.
#[derive(Debug)]
pub struct Pattern {
    /// The name of the game.
    game: &'static str,
    results: u8,
    asks_result: bool,
    /// What [`matched`] takes: it is typed.
    compiled: Box<dyn Compiled>,
}

/// A query that some game has read.
trait Compiled: Debug + Send + Sync {
    /// See [`Pattern::may_leave`].
    fn may_leave(&self, remains: u64) -> bool;

    /// Itself, for who knows the game.
    fn typed(&self) -> &dyn Any;
}

impl Pattern {
    /// The name of the game whose lines it is for.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The [`results`] that a game which matches may have: a filter to apply before any move is
    /// decoded.
    #[must_use]
    pub fn results(&self) -> u8 {
        self.results
    }

    /// Whether it matters how a game ended.
    #[must_use]
    pub fn asks_result(&self) -> bool {
        self.asks_result
    }

    /// Whether a line at whose end so much is left may match ([`Game::remains`]): a filter to apply
    /// before any move is decoded.
    #[must_use]
    pub fn may_leave(&self, remains: u64) -> bool {
        self.compiled.may_leave(remains)
    }

    /// Whether it matters what is left.
    #[must_use]
    pub fn asks_remains(&self) -> bool {
        !self.may_leave(u64::MAX)
    }
}

/// Reads a query for a game.
///
/// # Errors
/// In words, with a cure, if the game has nothing that is asked of it, or a text is not understood.
pub(crate) fn compile<G: Game>(game: &G, query: &Query) -> Result<Pattern, String> {
    let name = game.info().name;
    let patterns = game.patterns().ok_or_else(|| format!("{name} has no board for patterns"))?;
    let compiled = matcher::Compiled::new(patterns, query)?;
    let results = compiled.results();
    let asks_result = compiled.asks_result();
    Ok(Pattern { game: name, results, asks_result, compiled: Box::new(compiled) })
}
