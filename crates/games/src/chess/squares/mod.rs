//! Predicts each square of a chess position from the squares before it.
//!
//! The squares a1 b1 … h8 come in order. For each, thirteen scores (logits) say how likely the
//! symbols of [`board`](super::board) are. They are sums of table rows, one for each fact that
//! holds ([`Seen::rows`]), and of the hidden units of a small net, to which each man so far adds
//! (after H. Larochelle and I. Murray, "The Neural Autoregressive Distribution Estimator", 2011).
//! All weights are trained and fixed: there is nothing to learn from a single position.

use plypack_core::each;

mod guess;
mod state;
mod walk;
mod weights;

pub use guess::Guess;
pub use state::QUESTIONS;
pub use walk::{Coder, Contents, walk, walk_state};
pub use weights::{BYTES, HIDDEN, INPUTS, OUTPUTS, TO_MOVE, chance};

/// The symbols of a square; 0 is empty.
pub const SYMBOLS: usize = 13;

/// The kinds of men.
pub const MEN: usize = SYMBOLS - 1;

/// The symbols of the two kings; each occurs once.
const KINGS: [usize; 2] = [1, 6];

/// The symbols of the two kinds of pawns.
const PAWNS: [usize; 2] = [11, 12];

/// By kind of men: the largest number that is counted.
const COUNTED: [usize; MEN] = [1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 8, 8];

/// By kind of men: the first row of their number.
const COUNT_ROWS: [usize; MEN + 1] = {
    let mut rows = [2; MEN + 1];
    each!(kind, MEN, rows[kind + 1] = rows[kind] + COUNTED[kind] + 1);
    rows
};

/// The steps, in files and ranks, to earlier squares: left, and the three below.
const STEPS: [(i32, i32); 4] = [(-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The first row of the first man in each direction.
const RAY_ROWS: usize = COUNT_ROWS[MEN];

/// The first row of the left and the lower neighbour together.
const SIDE_ROWS: usize = RAY_ROWS + STEPS.len() * MEN;

/// The first row of the two lower neighbours on the diagonals together.
const CORNER_ROWS: usize = SIDE_ROWS + SYMBOLS * SYMBOLS;

/// The first row of the men on single squares.
const MAN_ROWS: usize = CORNER_ROWS + SYMBOLS * SYMBOLS;

/// Returns the first row of a square: each has [`MAN_ROWS`], and one for each man on each square
/// before it.
const fn first_row(square: usize) -> usize {
    square * MAN_ROWS + MEN * (square * square.saturating_sub(1) / 2)
}

/// The number of rows.
pub const ROWS: usize = first_row(64);

/// The men beside, below and beyond a square; 0 for none.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    /// The first man in each of [`STEPS`].
    rays: [u8; 4],
    left: u8,
    below: u8,
    below_left: u8,
    below_right: u8,
}

/// The squares so far.
#[derive(Clone, Debug)]
pub struct Seen {
    black: bool,
    /// Their number.
    squares: u8,
    symbols: [u8; 64],
    counts: [u8; SYMBOLS],
    /// The men, as [`Seen::man`] numbers them.
    men: [u16; 64],
    men_seen: usize,
    /// The last man on this rank, on each file, and on each diagonal that falls or rises.
    on_rank: u8,
    on_files: [u8; 8],
    on_falling: [u8; 16],
    on_rising: [u8; 16],
}

impl Seen {
    /// Creates a state with no squares yet, only the side to move.
    pub const fn new(black: bool) -> Self {
        Self {
            black,
            squares: 0,
            symbols: [0; 64],
            counts: [0; SYMBOLS],
            men: [0; 64],
            men_seen: 0,
            on_rank: 0,
            on_files: [0; 8],
            on_falling: [0; 16],
            on_rising: [0; 16],
        }
    }

    /// Returns the next square; 64 at the end.
    #[inline(always)]
    pub fn square(&self) -> usize {
        usize::from(self.squares)
    }

    /// Whether Black is to move.
    #[inline(always)]
    pub const fn black(&self) -> bool {
        self.black
    }

    /// Returns the symbol of a square so far; 0 for later squares.
    #[inline(always)]
    pub fn symbol(&self, square: usize) -> u8 {
        self.symbols.get(square).copied().unwrap_or(0)
    }

    /// Returns the number of men so far.
    pub const fn men(&self) -> usize {
        self.men_seen
    }

    /// Returns the number of a man on the next square, if the symbol is one: the square times
    /// [`MEN`] plus the symbol minus 1.
    #[inline(always)]
    pub fn man(&self, symbol: u8) -> Option<usize> {
        Some(self.square() * MEN + usize::from(symbol).checked_sub(1)?)
    }

    /// Takes the symbol of the next square.
    #[inline(always)]
    pub fn push(&mut self, symbol: u8) {
        let square = usize::from(self.squares & 63);
        let (file, rank) = (square % 8, square / 8);
        if symbol > 0 {
            let man = square * MEN + usize::from(symbol) - 1;
            self.men[self.men_seen & 63] = u16::try_from(man).unwrap_or(0);
            self.men_seen += 1;
            self.on_rank = symbol;
            self.on_files[file] = symbol;
            self.on_rising[file + 8 - rank] = symbol;
            self.on_falling[file + rank] = symbol;
        }
        if file == 7 {
            self.on_rank = 0;
        }
        self.symbols[square] = symbol;
        self.counts[usize::from(symbol).min(MEN)] += 1;
        self.squares += 1;
    }

    /// Whether a symbol can be on the next square: no pawn on the first or last rank, no second
    /// king of a colour.
    #[inline(always)]
    pub fn fits(&self, symbol: usize) -> bool {
        let last_rank = self.squares < 8 || self.squares >= 56;
        let king_stands = KINGS.contains(&symbol) && self.counts[symbol] > 0;
        !(king_stands || last_rank && PAWNS.contains(&symbol))
    }

    /// Calls `take` for each table row whose fact holds for the next square, with its number among
    /// the rows of this square ([`first_row`]).
    #[inline(always)]
    fn each_row(&self, mut take: impl FnMut(usize)) {
        take(0);
        if self.black {
            take(1);
        }
        for kind in 0..MEN {
            take(COUNT_ROWS[kind] + usize::from(self.counts[kind + 1]).min(COUNTED[kind]));
        }
        let near = self.neighbours();
        for (direction, &man) in near.rays.iter().enumerate() {
            if man > 0 {
                take(RAY_ROWS + direction * MEN + usize::from(man) - 1);
            }
        }
        take(SIDE_ROWS + usize::from(near.left) * SYMBOLS + usize::from(near.below));
        take(CORNER_ROWS + usize::from(near.below_left) * SYMBOLS + usize::from(near.below_right));
        for &man in self.men.iter().take(self.men_seen) {
            take(MAN_ROWS + usize::from(man));
        }
    }

    /// Collects the table rows whose facts hold for the next square.
    pub fn rows(&self, out: &mut Vec<usize>) {
        let first = first_row(self.square());
        out.clear();
        self.each_row(|row| out.push(first + row));
    }

    #[inline(always)]
    fn neighbours(&self) -> Neighbours {
        let square = usize::from(self.squares & 63);
        let (file, rank) = (square % 8, square / 8);
        let before = |steps: usize, inside: bool| {
            let symbol = self.symbols[square.wrapping_sub(steps) & 63];
            if inside { symbol } else { 0 }
        };
        let below = rank > 0;
        Neighbours {
            rays: [
                self.on_rank,
                self.on_rising[file + 8 - rank],
                self.on_files[file],
                self.on_falling[file + rank],
            ],
            left: before(1, file > 0),
            below: before(8, below),
            below_left: before(9, below && file > 0),
            below_right: before(7, below && file < 7),
        }
    }
}
