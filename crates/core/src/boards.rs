//! The positions and moves of lines as numbers, without texts: for programs that learn from games.

use std::ops::ControlFlow;

use crate::codec::LineCodec;
use crate::error::Error;
use crate::game::Rules;
use crate::pattern::Patterns;

/// The most cells of a board whose men fit bit sets.
pub const BIT_SET_CELLS: usize = 64;

/// What is wanted of each position, besides the move played in it and its [`Marks`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// The men as bit sets, on boards of at most [`BIT_SET_CELLS`] cells.
    pub men: bool,
    /// The man on each cell.
    pub cells: bool,
    /// The moves that can be played.
    pub legal: bool,
}

/// What decides which moves may follow, besides the men: all 0 in most games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The castling rights: 1 and 2 are White's on the right and on the left, 4 and 8 Black's.
    pub rights: u8,
    /// The column, counted from 1, of the pawn that may be taken en passant; 0 if there is none.
    pub pushed: u8,
    /// The number of plies since the last capture or pawn move, at most 255.
    pub clock: u8,
}

/// Positions and the moves played in them, as numbers: a row for each move, line after line.
///
/// Cells are numbered rank by rank from the first, as the game counts ranks, and in a rank from the
/// left. Men have symbols: 0 is an empty cell, and a man's is the place of its letter among the
/// letters of the game's men, from 1.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    /// What the rows hold.
    pub facets: Facets,
    /// The columns and ranks of the board of the last line.
    pub size: (u16, u16),
    /// For each row a bit set per man, in the order of their letters: bit `n` is cell `n`.
    pub men: Vec<u64>,
    /// For each row the symbol on each cell.
    pub cells: Vec<u8>,
    /// For each row whether the second player is to move.
    pub seconds: Vec<bool>,
    /// For each row what else decides which moves may follow.
    pub marks: Vec<Marks>,
    /// For each row the number of the move played
    /// ([`Grid::number`](crate::pattern::grid::Grid::number)).
    pub moves: Vec<u16>,
    /// The numbers of the moves that can be played, row after row.
    pub legal: Vec<u16>,
    /// For each row the number of the moves that can be played.
    pub legal_counts: Vec<u16>,
}

impl Boards {
    /// Returns no rows, to which lines add these facets.
    pub fn new(facets: Facets) -> Self {
        Self { facets, ..Self::default() }
    }

    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.men.clear();
        self.cells.clear();
        self.seconds.clear();
        self.marks.clear();
        self.moves.clear();
        self.legal.clear();
        self.legal_counts.clear();
    }

    /// Replays a line of a codec, and appends a row for each of its moves.
    pub(crate) fn replay<G: Rules, C: LineCodec<G>>(
        &mut self,
        (game, codec): (&G, &C),
        start: G::Position,
        plies: u32,
        code: &[u8],
    ) -> Result<(), Error> {
        // Links do without.
        let Some(grid) = game.patterns().filter(|_| cfg!(feature = "full")) else {
            return Err(Error::Cell { at: 0, why: "this build does not know the game's board" });
        };
        self.size = grid.extent(&start);
        let mut filling = Filling { boards: self, game, grid, candidates: Vec::new() };
        if plies > 0 {
            filling.push(&start);
        }
        let mut left = plies;
        let replayed = codec.replay(game, start, plies, code, &mut |mv, position| {
            let number = grid.number_of(filling.boards.size, mv);
            filling.boards.moves.push(number);
            left = left.saturating_sub(1);
            if left > 0 {
                filling.push(position);
            }
            ControlFlow::Continue(())
        });
        if replayed.is_err() {
            // The position whose move could not be read has a row already.
            self.truncate(self.moves.len());
        }
        replayed
    }

    /// Keeps only the first rows.
    pub fn truncate(&mut self, rows: usize) {
        drop(self.split_off(rows));
    }

    /// Takes away the rows from this one on. All lines must have the same board.
    pub fn split_off(&mut self, row: usize) -> Self {
        let (rows, men, cells) = (self.seconds.len(), self.men.len(), self.cells.len());
        let each = |length: usize| length.checked_div(rows).unwrap_or(0) * row.min(rows);
        let counts = split(&mut self.legal_counts, row);
        let legal = self.legal_counts.iter().map(|&count| usize::from(count)).sum();
        Self {
            facets: self.facets,
            size: self.size,
            men: split(&mut self.men, each(men)),
            cells: split(&mut self.cells, each(cells)),
            seconds: split(&mut self.seconds, row),
            marks: split(&mut self.marks, row),
            moves: split(&mut self.moves, row),
            legal: split(&mut self.legal, legal),
            legal_counts: counts,
        }
    }

    /// Appends rows with the same facets and the same board.
    pub fn append(&mut self, other: &mut Self) {
        self.size = other.size;
        self.men.append(&mut other.men);
        self.cells.append(&mut other.cells);
        self.seconds.append(&mut other.seconds);
        self.marks.append(&mut other.marks);
        self.moves.append(&mut other.moves);
        self.legal.append(&mut other.legal);
        self.legal_counts.append(&mut other.legal_counts);
    }
}

fn split<T>(values: &mut Vec<T>, at: usize) -> Vec<T> {
    if at < values.len() { values.split_off(at) } else { Vec::new() }
}

/// Rows of one line.
struct Filling<'a, G: Rules> {
    boards: &'a mut Boards,
    game: &'a G,
    grid: &'a dyn Patterns<G>,
    candidates: Vec<G::Move>,
}

impl<G: Rules> Filling<'_, G> {
    /// Appends the row of a position, but for its move.
    fn push(&mut self, position: &G::Position) {
        let Facets { men, cells, legal } = self.boards.facets;
        if men {
            self.grid.write_men(position, &mut self.boards.men);
        }
        if cells {
            self.grid.write_cells(position, &mut self.boards.cells);
        }
        self.boards.seconds.push(self.game.turn(position).second);
        self.boards.marks.push(self.grid.marks_of(position));
        if legal {
            self.candidates.clear();
            self.game.candidates(position, &mut self.candidates);
            // Rare candidates are no legal moves.
            let legal = self.candidates.len().saturating_sub(self.game.rare(&self.candidates));
            let size = self.boards.size;
            let numbers = self.candidates.iter().take(legal);
            let numbers = numbers.map(|&mv| self.grid.number_of(size, mv));
            self.boards.legal.extend(numbers);
            self.boards.legal_counts.push(u16::try_from(legal).unwrap_or(u16::MAX));
        }
    }
}
