//! What the rules of a game must offer so that its lines can be coded.

use std::fmt::Debug;

use crate::error::{Error, MoveFault};
use crate::hint::Hint;
use crate::line::Ply;

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
    /// The values of a record's Variant or Game tag, in lower case, that mean these rules.
    pub variants: &'static [&'static str],
    /// Tags that only records of these rules have.
    pub own_tags: &'static [&'static str],
    /// The characters beyond ASCII of its move texts; empty if there are none. They tell which
    /// charset a record is in.
    pub signs: &'static str,
    /// The names of the notations that its records use besides the customary one and coordinates.
    /// Layouts name them, so names and what they stand for never change; new ones come last.
    pub notations: &'static [&'static str],
    /// The names of the formats that its records come in, besides those of every game.
    pub formats: &'static [&'static str],
}

impl GameInfo {
    /// The notations of the game, the likeliest first.
    pub fn all_notations(&self) -> impl Iterator<Item = Notation> + use<> {
        let others = u8::try_from(self.notations.len()).unwrap_or(u8::MAX);
        let known = [Notation::Customary, Notation::Coordinate].into_iter();
        known.chain((0..others).map(Notation::Other))
    }

    /// The notation of this name.
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
    /// Another one that the game's records use: its place in [`GameInfo::notations`].
    Other(u8),
}

/// Where a line stands in the numbering of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The number of the move, counted in pairs of plies, from 1.
    pub number: u32,
    /// Whether the second player is to move.
    pub second: bool,
}

/// The rules of a game, seen as a coding alphabet that changes from ply to ply.
///
/// Only perfect-information games of two players. Which player is to move, and everything else
/// that decides which moves may follow, is in the position.
pub trait Game: Sized + Debug + Send + Sync + 'static {
    /// The board and everything that decides which moves may follow.
    type Position: Clone + PartialEq + Debug;
    /// One move.
    type Move: Copy + PartialEq + Debug;

    /// The facts about the game.
    fn info(&self) -> &'static GameInfo;

    /// The position in which a game begins unless its record says otherwise.
    fn start(&self) -> Self::Position;

    /// The start of a record by the words at its head, such as `20x20` or `standard`, and by the
    /// texts of its moves. `None` if it is the usual one or they do not tell.
    fn start_told(&self, _head: &[&str], _moves: &[&str]) -> Option<Self::Position> {
        None
    }

    /// Fills `out`, which is empty, with the candidates of `position` in canonical order.
    ///
    /// The order is written down in the game's `SPEC.md` and is part of the format: coded bytes
    /// depend on it. At most 65,535 candidates; none means that the game is over.
    fn candidates(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays a candidate of `position`.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// The index of the candidate that `text` names, in any notation of the game.
    ///
    /// # Errors
    /// If no candidate, or more than one, is named.
    fn read_move(
        &self,
        position: &Self::Position,
        candidates: &[Self::Move],
        text: &str,
    ) -> Result<usize, MoveFault>;

    /// Appends the text of a candidate to `out`, in the one spelling of `notation`.
    ///
    /// `after` is `before` with the move played.
    fn write_move(
        &self,
        before: &Self::Position,
        candidates: &[Self::Move],
        index: usize,
        after: &Self::Position,
        notation: Notation,
        out: &mut String,
    );

    /// Reads a position in any dialect of the game's notation (FEN for chess).
    ///
    /// # Errors
    /// [`Error::Position`] if the text is not a position that the rules can hold.
    fn read_position(&self, text: &str) -> Result<Self::Position, Error>;

    /// Appends the text of a position to `out`, in its one canonical spelling.
    fn write_position(&self, position: &Self::Position, out: &mut String);

    /// The key of a position: equal for positions from which the same moves may follow for ever,
    /// and different, but for one pair in 2^64, for all others.
    ///
    /// It is the exclusive or of the [`word`](crate::key::word) of every fact that decides which
    /// moves may follow, and of nothing else: the men, the player to move (also when the game is
    /// over), rights that are left, and the size of the board where there are several; an
    /// opportunity such as en passant only where it can be taken. Counters, results and rules that
    /// only say who wins do not count. Which fact has which number stands in the game's `SPEC.md`;
    /// golden files in `vectors/key` pin the keys. They are part of the format, on every machine,
    /// for ever.
    ///
    /// It costs little beside listing the candidates, so that a walk may ask for every position's.
    fn key(&self, position: &Self::Position) -> u64;

    /// The least key among the images of a position under the symmetries of the game, compared as
    /// unsigned numbers: equal for positions that are one position seen from elsewhere.
    ///
    /// Which symmetries there are stands in the game's `SPEC.md`: the eight of a square board, left
    /// and right, or none, where it is the [`key`](Self::key). Only such symmetries count as turn
    /// every legal line of one position into a legal line of the other.
    fn canonical_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// What the rules tell of a ply, given the move before it, to those who guess its clock reading
    /// and its evaluation. Part of the format: a build without the tables that it takes has no
    /// other hint, but `None`.
    fn hint(&self, _ply: &Ply<'_, Self>, _last: Option<Self::Move>) -> Option<Hint> {
        Some(Hint::default())
    }

    /// The number of the move that follows `position`, and whose it is.
    fn turn(&self, position: &Self::Position) -> Turn;
}
