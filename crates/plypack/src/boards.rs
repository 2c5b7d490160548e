//! Positions and moves as numbers, for machine learning.

use std::fmt;

use plypack_core::{Boards as Inner, Facets};

/// Positions and the moves played in them, as numbers: a row for each move, line after line.
/// [`Game::boards`](crate::Game::boards) and [`Line::boards`](crate::Line::boards) append rows, as
/// fast as moves are decoded.
///
/// Cells are numbered rank by rank from the first, as the game counts ranks, and in a rank from the
/// left: in chess a1 is 0, b1 1 and h8 63. Men have symbols: 0 is an empty cell, and a man's symbol
/// is the place of its letter in [`Rules::men`](crate::Rules::men), counted from 1.
///
/// Moves have numbers, below [`Rules::move_numbers`](crate::Rules::move_numbers). In games where
/// men are only put on the board, this is the number of the cell, or for a pass the number of
/// cells. In games where men move, it is the origin times the number of cells, plus the
/// destination; a promotion to knight, bishop, rook or queen adds 1, 2, 3 or 4 times the square of
/// the number of cells. Castling ends on the rook's square, as in Chess960.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{Boards, Rules};
///
/// let chess: Rules = "chess".parse()?;
/// let codec = chess.line_codec("fast")?;
/// let cell = codec.encode(["e4", "e5"])?;
/// let mut boards = Boards::new().with_men(true);
/// codec.boards(None, &cell, &mut boards)?;
/// assert_eq!((boards.len(), boards.moves()), (2, &[12 * 64 + 28, 52 * 64 + 36][..]));
/// // White's pawns before the second move, all but one of them at home.
/// let pawns = chess.men().find('P').and_then(|man| boards.men().get(12 + man));
/// assert_eq!(pawns, Some(&0x1000_ef00));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Boards(pub(crate) Inner);

/// What decides which moves may follow in a position, besides the men: all 0 in most games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marks {
    /// The castling rights: 1 and 2 are White's on the right and on the left, 4 and 8 Black's.
    pub rights: u8,
    /// The column, counted from 1, of the pawn that may be taken en passant; 0 if there is none.
    pub pushed: u8,
    /// The number of plies since the last capture or pawn move, at most 255.
    pub clock: u8,
}

impl Boards {
    /// Returns no rows, to which lines add moves and [marks](Self::marks) only.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether rows have the men as bit sets.
    #[must_use]
    pub fn with_men(mut self, men: bool) -> Self {
        self.0 = Inner::new(Facets { men, ..self.0.facets });
        self
    }

    /// Sets whether rows have the man on each cell.
    #[must_use]
    pub fn with_cells(mut self, cells: bool) -> Self {
        self.0 = Inner::new(Facets { cells, ..self.0.facets });
        self
    }

    /// Sets whether rows have the moves that can be played, which takes longer.
    #[must_use]
    pub fn with_legal(mut self, legal: bool) -> Self {
        self.0 = Inner::new(Facets { legal, ..self.0.facets });
        self
    }

    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes away the rows from this one on. All lines must have boards of one size.
    #[must_use]
    pub fn split_off(&mut self, row: usize) -> Self {
        Self(self.0.split_off(row))
    }

    /// Keeps only the first rows. All lines must have boards of one size.
    pub fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows);
    }

    /// Moves all rows of `other` to the end. It must have the same facts about boards of the same
    /// size.
    pub fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// Takes the bit sets that [`men`](Self::men) returns, without a copy. The rows have none then.
    #[must_use]
    pub fn take_men(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.0.men)
    }

    /// Takes the symbols that [`cells`](Self::cells) returns, without a copy. The rows have none
    /// then.
    #[must_use]
    pub fn take_cells(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0.cells)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.moves.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the columns and ranks of the board of the last line.
    #[must_use]
    pub fn size(&self) -> (u16, u16) {
        self.0.size
    }

    /// Returns for each row a bit set per man, in the order of [`Rules::men`](crate::Rules::men):
    /// bit `n` is cell `n`. Cells from the 65th on have none.
    #[must_use]
    pub fn men(&self) -> &[u64] {
        &self.0.men
    }

    /// Returns for each row the symbol on each cell.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.0.cells
    }

    /// Returns for each row whether the second player is to move.
    #[must_use]
    pub fn seconds(&self) -> &[bool] {
        &self.0.seconds
    }

    /// Returns for each row what else decides which moves may follow.
    pub fn marks(&self) -> impl ExactSizeIterator<Item = Marks> + '_ {
        self.0.marks.iter().map(|marks| Marks {
            rights: marks.rights,
            pushed: marks.pushed,
            clock: marks.clock,
        })
    }

    /// Returns for each row the number of the move played.
    #[must_use]
    pub fn moves(&self) -> &[u16] {
        &self.0.moves
    }

    /// Returns the numbers of the moves that can be played, row after row.
    #[must_use]
    pub fn legal(&self) -> &[u16] {
        &self.0.legal
    }

    /// Returns for each row the number of the moves that can be played.
    #[must_use]
    pub fn legal_counts(&self) -> &[u16] {
        &self.0.legal_counts
    }
}

impl fmt::Debug for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, rows) = (self.size(), self.len());
        f.debug_struct("Boards").field("size", &size).field("rows", &rows).finish_non_exhaustive()
    }
}
