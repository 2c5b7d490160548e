//! What a game must provide so that its lines can be coded.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::candidates::Candidates;
use crate::error::{Error, MoveFault};
use crate::hint::Hint;
use crate::line::Ply;
use crate::pattern::Patterns;

/// The facts about a game that do not depend on a position.
#[derive(Debug)]
pub struct GameInfo {
    /// The game's name, as on the command line: lower case, no spaces.
    pub name: &'static str,
    /// The game's number in stored bytes. Never reused, never changed.
    pub id: u8,
    /// The name as people write it.
    pub title: &'static str,
    /// One sentence on what the candidates are and in which order; part of the format.
    pub order: &'static str,
    /// The values of a record's Variant or Game tag, in lower case, that name this game.
    pub variants: &'static [&'static str],
    /// Tags that only records of this game have.
    pub own_tags: &'static [&'static str],
    /// The non-ASCII characters in its move texts, if any. They tell a record's character set.
    pub signs: &'static str,
    /// The names of the notations that its records use besides the customary one and coordinates.
    /// Layouts name them, so names never change their meaning; new ones come last.
    pub notations: &'static [&'static str],
    /// The names of the formats of its records, besides those of every game.
    pub formats: &'static [&'static str],
}

impl GameInfo {
    /// All notations of the game, the likeliest first.
    pub fn all_notations(&self) -> impl Iterator<Item = Notation> + use<> {
        let others = u8::try_from(self.notations.len()).unwrap_or(u8::MAX);
        let known = [Notation::Customary, Notation::Coordinate].into_iter();
        known.chain((0..others).map(Notation::Other))
    }

    /// The notation with this name.
    #[must_use]
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
    /// Another one that the game's records use: its index in [`GameInfo::notations`].
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
pub enum Outcome {
    /// The player who moves first in the usual start has won.
    First,
    /// Nobody has.
    Draw,
    /// The other player has.
    Second,
}

impl Outcome {
    /// A win of the second player, or else of the first.
    #[must_use]
    pub fn win(second: bool) -> Self {
        if second { Self::Second } else { Self::First }
    }
}

/// The rules of a game, seen as a coding alphabet that changes from ply to ply.
///
/// Only perfect-information games of two players. The position has the side to move and everything
/// else that decides which moves may follow.
pub trait Game: Sized + Debug + Send + Sync + 'static {
    /// The board and everything that decides which moves may follow.
    type Position: Clone + PartialEq + Debug;
    /// One move.
    type Move: Copy + PartialEq + Debug;

    /// The facts about the game.
    fn info(&self) -> &'static GameInfo;

    /// The usual start: the position in which a game begins unless its record says otherwise.
    fn start(&self) -> Self::Position;

    /// The start of a record, worked out from the words at its head, such as `20x20` or `standard`,
    /// and the texts of its moves. `None` if it is the usual one or they do not tell.
    fn start_told(&self, _head: &[&str], _moves: &[&str]) -> Option<Self::Position> {
        None
    }

    /// Fills `out`, which is empty, with the candidates of `position` in canonical order.
    ///
    /// The order is written down in the game's `SPEC.md` and is part of the format: coded bytes
    /// depend on it. At most 65,535 candidates; none means that the game is over.
    fn candidates(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// How many of these candidates, the last of the list, stand behind an escape: moves that no
    /// rule allows, but that records have. Codecs that weigh candidates give all of them together
    /// the least weight that there is, as if they were one candidate after the others, and then
    /// tell them apart as if all were equally likely.
    fn rare(&self, _candidates: &[Self::Move]) -> usize {
        0
    }

    /// Goes along `plies` moves from `position` without listing candidates: `choose` is told how
    /// many there are and says which is played, and `seen` sees the position after it, until it has
    /// seen enough. `None`, at once, from a game that knows no such way; one that does has no
    /// [`rare`](Self::rare) candidates.
    ///
    /// The inner error is [`Error::Over`], where there is no candidate.
    fn follow(
        &self,
        _position: &Self::Position,
        _plies: u32,
        _choose: &mut impl FnMut(u32) -> u32,
        _seen: &mut impl FnMut(&Self::Position) -> ControlFlow<()>,
    ) -> Option<Result<(), Error>> {
        None
    }

    /// Plays a candidate of `position`.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// The candidate that `text` names, in any notation of the game, or the null move. A game that
    /// can tell without a list of the candidates does not look at it.
    ///
    /// # Errors
    /// If `text` names no candidate, or several.
    fn read_move(
        &self,
        candidates: &Candidates<'_, Self>,
        text: &str,
    ) -> Result<Self::Move, MoveFault>;

    /// The null move of a position: its side passes, which no rule allows and annotated lines have.
    /// It is no candidate; its index is the number of candidates. `None` if the game has none, or
    /// none can be played here. [`read_move`](Self::read_move) reads it and
    /// [`write_move`](Self::write_move) writes it.
    fn null(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Whether a text names the null move.
    fn is_null(&self, _text: &str) -> bool {
        false
    }

    /// Appends the text of a ply's move to `out`, in `notation`'s canonical spelling.
    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String);

    /// Reads a position in any dialect of the game's notation (FEN for chess).
    ///
    /// # Errors
    /// [`Error::Position`] if the text is not a valid position.
    fn read_position(&self, text: &str) -> Result<Self::Position, Error>;

    /// What the text of a position leaves open that decides which moves may follow, in words: it is
    /// filled in when the position is read, and who looks for a position should not be surprised.
    fn lacks(&self, _text: &str) -> Option<&'static str> {
        None
    }

    /// Appends the text of a position to `out`, in its canonical spelling.
    fn write_position(&self, position: &Self::Position, out: &mut String);

    /// The position's hash key: equal for positions from which the same moves may follow for ever,
    /// different for all others, except for one pair in 2^64.
    ///
    /// It is the exclusive or of the [`word`](crate::key::word) of every fact that decides which
    /// moves may follow, and of nothing else: the men, the side to move (also when the game is
    /// over), the rights left, the size of the board where there are several; an opportunity such
    /// as en passant only where it can be taken. Counters, results and rules that only say who wins
    /// do not count. The game's `SPEC.md` numbers the facts; golden files in `vectors/key` pin the
    /// keys. Keys are part of the format and never change.
    ///
    /// A key costs little compared with listing the candidates: a walk may ask for every
    /// position's.
    fn key(&self, position: &Self::Position) -> u64;

    /// A second hash of the facts that decide the [`key`](Self::key), independent of it: equal for
    /// equal positions, and different for positions whose keys collide, except for one pair in
    /// 2^32. Who builds an index tells such positions apart by it; it is stored nowhere.
    fn check(&self, position: &Self::Position) -> u32;

    /// The least key among the images of a position under the game's symmetries, compared as
    /// unsigned numbers: equal for positions that are rotations or mirror images of each other.
    ///
    /// The game's `SPEC.md` names the symmetries: the eight of a square board; left and right; or
    /// none, and then this is the [`key`](Self::key). A symmetry maps every legal line of one
    /// position to a legal line of the other.
    fn canonical_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// Appends the text of the facts that the [`key`](Self::key) is made of: two positions have one
    /// text exactly if they have the same facts, so that it proves what equal keys only hint at. It
    /// is the position's text where that says no more: no counters, no rules, no results.
    fn write_facts(&self, position: &Self::Position, out: &mut String) {
        self.write_position(position, out);
    }

    /// How far a line has come, by what never comes back, such as men that were taken: a number
    /// that no candidate lowers. A search for a position ends where a line is further than it is.
    fn progress(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// What the first player has on the board less what the second has: in chess pawns where men
    /// differ in worth, each by its usual one, and in men where they do not. For people who ask;
    /// no coded bit depends on it.
    fn material(&self, position: &Self::Position) -> i32;

    /// What is left in a position of a line that began with `start`, in bits that tests of
    /// patterns understand ([`Test::may_leave`](crate::pattern::Test::may_leave)): such as the men
    /// that no earlier position can lack. More bits say more; 0 says nothing. Indices have it of
    /// the end of each game, so that patterns which it never came to need no decoding. Part of
    /// the format of indices.
    fn remains(&self, _start: &Self::Position, _position: &Self::Position) -> u64 {
        0
    }

    /// What it knows of patterns; a game whose board is a [`Grid`](crate::pattern::grid::Grid)
    /// returns itself.
    fn patterns(&self) -> Option<&dyn Patterns<Self>> {
        None
    }

    /// A hint for predicting a ply's clock reading and evaluation, given the move before it and its
    /// hint. Part of the format: a build without the tables for it returns `None`, never another
    /// hint.
    fn hint(&self, _ply: &Ply<'_, Self>, _last: Option<(Self::Move, &Hint)>) -> Option<Hint> {
        Some(Hint::default())
    }

    /// Whether players would end a game with this ply though there are candidates, because records
    /// may go on: with five stones in a row, or two passes. `last` is the move before it. No coded
    /// bit depends on it.
    fn ends(&self, _ply: &Ply<'_, Self>, _last: Option<Self::Move>) -> bool {
        false
    }

    /// How a game that is over in this position has ended; `None` if it goes on or the rules do not
    /// tell. No coded bit depends on it.
    fn outcome(&self, _position: &Self::Position) -> Option<Outcome> {
        None
    }

    /// The number of the next move, and the side to move.
    fn turn(&self, position: &Self::Position) -> Turn;
}
