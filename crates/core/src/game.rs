//! What a game must provide so that its lines can be coded.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::candidates::Candidates;
use crate::error::{Error, MoveFault};
use crate::hint::Hint;
use crate::key::Structure;
use crate::line::Ply;
use crate::pattern::Patterns;

/// The description of a game, independent of positions.
#[derive(Debug)]
pub struct GameInfo {
    /// The game's name, as on the command line: lower case, no spaces.
    pub name: &'static str,
    /// The game's number in stored bytes. It is never reused or changed.
    pub id: u8,
    /// The name as people write it.
    pub title: &'static str,
    /// One sentence that describes the candidates and their order; part of the format.
    pub order: &'static str,
    /// The lower-case values of a record's Variant or Game tag that name this game.
    pub variants: &'static [&'static str],
    /// Tags that only records of this game have.
    pub own_tags: &'static [&'static str],
    /// The non-ASCII characters in its move texts, if any. They reveal a record's character set.
    pub signs: &'static str,
    /// The names of its records' notations, besides the customary one and coordinates. Layouts name
    /// them, so names never change their meaning; new ones come last.
    pub notations: &'static [&'static str],
    /// The names of the formats of its records, besides those of every game.
    pub formats: &'static [&'static str],
}

impl GameInfo {
    /// Returns all notations of the game, the likeliest first.
    pub fn all_notations(&self) -> impl Iterator<Item = Notation> + use<> {
        let others = u8::try_from(self.notations.len()).unwrap_or(u8::MAX);
        let known = [Notation::Customary, Notation::Coordinate].into_iter();
        known.chain((0..others).map(Notation::Other))
    }

    /// Returns the notation with this name.
    pub fn notation(&self, name: &str) -> Option<Notation> {
        let place = self.notations.iter().position(|known| *known == name)?;
        u8::try_from(place).ok().map(Notation::Other)
    }
}

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// The notation that the game's records use: SAN for chess.
    #[default]
    Customary,
    /// Squares only, as engines use: UCI for chess.
    Coordinate,
    /// Another notation of the game's records: its index in [`GameInfo::notations`].
    Other(u8),
}

/// A move number and the side to move, as PGN counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The number of the move, from 1; a move here is a pair of plies.
    pub number: u32,
    /// Whether the second player is to move.
    pub second: bool,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player who moves first in the usual start has won.
    First,
    /// Neither player has won.
    Draw,
    /// The other player has won.
    Second,
}

impl Verdict {
    /// Returns a win of the second player, or of the first.
    pub fn win(second: bool) -> Self {
        if second { Self::Second } else { Self::First }
    }
}

/// The rules of a game, as a coding alphabet that changes from ply to ply.
///
/// For perfect-information games of two players. The position includes the side to move and
/// everything else that decides which moves may follow.
pub trait Rules: Sized + Debug + Send + Sync + 'static {
    /// The board and everything that decides which moves may follow.
    type Position: Clone + PartialEq + Debug;
    /// One move.
    type Move: Copy + PartialEq + Debug;

    /// Returns the description of the game.
    fn info(&self) -> &'static GameInfo;

    /// Returns the usual start: the position in which a game begins unless its record says
    /// otherwise.
    fn start(&self) -> Self::Position;

    /// Returns the start of a record, inferred from the words at its head, such as `20x20` or
    /// `standard`, and the texts of its moves. Returns `None` if it is the usual one or cannot be
    /// inferred.
    fn start_told(&self, _head: &[&str], _moves: &[&str]) -> Option<Self::Position> {
        None
    }

    /// Fills `out`, which is empty, with the candidates of `position` in canonical order.
    ///
    /// The game's `SPEC.md` defines the order, which is part of the format: coded bytes depend on
    /// it. There are at most 65,535 candidates; none means that the game is over.
    fn candidates(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Returns how many of these candidates, the last of the list, are rare: moves that no rule
    /// allows but that records contain. Codecs that weigh candidates give them a joint escape of
    /// minimum weight, after the other candidates, and then code which it is with equal
    /// probabilities.
    fn rare(&self, _candidates: &[Self::Move]) -> usize {
        0
    }

    /// Plays `plies` moves from `position` without listing candidates. `choose` gets the number of
    /// candidates and returns the index of the one to play; `seen` gets the move and the position
    /// after it, and may break. Returns `None` at once from a game that cannot do so; a game that
    /// can has no [`rare`](Self::rare) candidates.
    ///
    /// The inner error is [`Error::Over`], where there is no candidate.
    fn follow(
        &self,
        _position: &Self::Position,
        _plies: u32,
        _choose: &mut impl FnMut(u32) -> u32,
        _seen: &mut impl FnMut(Self::Move, &Self::Position) -> ControlFlow<()>,
    ) -> Option<Result<(), Error>> {
        None
    }

    /// Plays a candidate of `position`.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// Returns the candidate that `text` names, in any notation of the game, or the null move. A
    /// game that can resolve the text without listing the candidates does so.
    ///
    /// # Errors
    /// Returns an error if `text` names no candidate, or several.
    fn read_move(
        &self,
        candidates: &Candidates<'_, Self>,
        text: &str,
    ) -> Result<Self::Move, MoveFault>;

    /// Returns the null move of a position: its side passes, which no rule allows but annotated
    /// lines contain. It is not a candidate; its index is the number of candidates. Returns `None`
    /// if the game has none, or none can be played here. [`read_move`](Self::read_move) reads it
    /// and [`write_move`](Self::write_move) writes it.
    fn null(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Returns whether a text names the null move.
    fn is_null(&self, _text: &str) -> bool {
        false
    }

    /// Appends the text of a ply's move to `out`, in `notation`'s canonical spelling.
    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String);

    /// Reads a position in any dialect of the game's notation (FEN for chess).
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text is not a valid position.
    fn read_position(&self, text: &str) -> Result<Self::Position, Error>;

    /// Describes what the text of a position leaves open although it decides which moves may
    /// follow, for a warning to those who search for the position. Reading the position fills it
    /// in.
    fn lacks(&self, _text: &str) -> Option<&'static str> {
        None
    }

    /// Appends the text of a position to `out`, in its canonical spelling.
    fn write_position(&self, position: &Self::Position, out: &mut String);

    /// Returns the position's hash key: equal for positions from which the same moves may follow
    /// for ever, different for all others, except for one pair in 2^64.
    ///
    /// It is the exclusive or of the [`word`](crate::key::word) of every fact that decides which
    /// moves may follow, and of nothing else: the men, the side to move (also when the game is
    /// over), the rights left, the size of the board where there are several; an opportunity such
    /// as en passant only where it can be taken. Counters, results and rules that only decide who
    /// wins do not count. The game's `SPEC.md` numbers the facts; golden files in `vectors/key` pin
    /// the keys. Keys are part of the format and never change.
    ///
    /// A key is cheap compared with listing the candidates: a walk may compute it for every
    /// position.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns a second hash of the facts that decide the [`key`](Self::key), independent of it:
    /// equal for equal positions, and different for positions whose keys collide, except for one
    /// pair in 2^32. Index builders use it to tell such positions apart; it is never stored.
    fn second_key(&self, position: &Self::Position) -> u32;

    /// Returns what of a position changes seldom in the course of a game. Positions with the same
    /// [`key`](Self::key) have the same structure. In a game where every move changes as much as
    /// any other, a structure is a position: its frame is the key. Part of the format of indices;
    /// the game's `SPEC.md` defines it.
    fn structure(&self, position: &Self::Position) -> Structure {
        Structure { frame: self.key(position), men: 0 }
    }

    /// Returns the lowest key of the images of a position under the game's symmetries, compared as
    /// unsigned numbers: equal for positions that are rotations or mirror images of each other.
    ///
    /// The game's `SPEC.md` names the symmetries: the eight of a square board; left and right; or
    /// none, in which case this is the [`key`](Self::key). A symmetry maps every legal line of one
    /// position to a legal line of the other.
    fn canonical_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// Appends the text of the facts that determine the [`key`](Self::key): two positions have the
    /// same text exactly if they have the same facts, so it proves what equal keys only suggest. It
    /// is the position's text if that says no more: no counters, no rules, no results.
    fn write_facts(&self, position: &Self::Position, out: &mut String) {
        self.write_position(position, out);
    }

    /// Returns how far a line has come, measured by irreversible changes such as captures: a number
    /// that no candidate lowers. A search for a position stops where a line has passed its
    /// progress.
    fn progress(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// Returns the first player's material minus the second's: in chess pawns if men differ in
    /// worth, each by its usual worth, otherwise in men. It is informative; no coded bit depends on
    /// it.
    fn material(&self, position: &Self::Position) -> i32;

    /// Returns what remains of `start` in a position of its line, as bits that tests of patterns
    /// understand ([`Test::may_leave`](crate::pattern::Test::may_leave)), such as the men that no
    /// earlier position can lack. More bits say more; 0 says nothing. Indices store it for the end
    /// of each game, so that games that never reached a pattern need no decoding. Part of the
    /// format of indices.
    fn remains(&self, _start: &Self::Position, _position: &Self::Position) -> u64 {
        0
    }

    /// Returns the game's support for patterns; a game whose board is a
    /// [`Grid`](crate::pattern::grid::Grid) returns itself.
    fn patterns(&self) -> Option<&dyn Patterns<Self>> {
        None
    }

    /// Returns a hint for predicting a ply's clock reading and evaluation, given the previous move
    /// and its hint. Part of the format: a build without the tables for it returns `None`, never
    /// another hint.
    fn hint(&self, _ply: &Ply<'_, Self>, _last: Option<(Self::Move, &Hint)>) -> Option<Hint> {
        Some(Hint::default())
    }

    /// Returns whether players would end a game with this ply although there are candidates,
    /// because records may continue: with five stones in a row, or two passes. `last` is the
    /// previous move. No coded bit depends on it.
    fn ends(&self, _ply: &Ply<'_, Self>, _last: Option<Self::Move>) -> bool {
        false
    }

    /// Returns how a game that is over in this position has ended; `None` if it is not over or the
    /// rules do not say. No coded bit depends on it.
    fn outcome(&self, _position: &Self::Position) -> Option<Verdict> {
        None
    }

    /// Returns the number of the next move, and the side to move.
    fn turn(&self, position: &Self::Position) -> Turn;
}
