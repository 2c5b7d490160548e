//! Predicts each square of a chess position from the squares before it.
//!
//! The squares a1 b1 … h8 come in order. For each, thirteen scores (logits) say how likely the
//! symbols of [`board`](super::board) are. They are sums of table rows, one for each fact that
//! holds ([`Seen::rows`]), and of the hidden units of a small net, to which each man so far adds
//! (after H. Larochelle and I. Murray, "The Neural Autoregressive Distribution Estimator", 2011).
//! All weights are trained and fixed: a single position has nothing to learn from.

mod guess;
mod state;
mod walk;
mod weights;

pub use guess::Guess;
pub use state::QUESTIONS;
pub use walk::{Coder, Contents, walk};
pub use weights::{BYTES, HIDDEN, INPUTS, OUTPUTS, TO_MOVE, chance};

/// The symbols of a square; 0 is empty.
pub const SYMBOLS: usize = 13;

/// The kinds of men.
pub const MEN: usize = SYMBOLS - 1;

/// The symbols of the two kings; each occurs once.
const KINGS: [usize; 2] = [1, 6];

/// The symbols of the two kinds of pawns.
const PAWNS: [usize; 2] = [11, 12];

/// By kind of men: up to which number they are counted.
const COUNTED: [usize; MEN] = [1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 8, 8];

/// By kind of men: the first row of their number.
const COUNT_ROWS: [usize; MEN + 1] = {
    let mut rows = [2; MEN + 1];
    let mut kind = 0;
    while kind < MEN {
        rows[kind + 1] = rows[kind] + COUNTED[kind] + 1;
        kind += 1;
    }
    rows
};

/// The steps, in files and ranks, towards earlier squares: left, and the three below.
const STEPS: [(i32, i32); 4] = [(-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The first row of the first man in each direction.
const RAY_ROWS: usize = COUNT_ROWS[MEN];

/// The first row of the left and the lower neighbour together.
const SIDE_ROWS: usize = RAY_ROWS + STEPS.len() * MEN;

/// The first row of the two lower neighbours on the diagonals together.
const CORNER_ROWS: usize = SIDE_ROWS + SYMBOLS * SYMBOLS;

/// The first row of the men on single squares.
const MAN_ROWS: usize = CORNER_ROWS + SYMBOLS * SYMBOLS;

/// The first row of a square: each has [`MAN_ROWS`], and one for each man on each square before it.
const fn first_row(square: usize) -> usize {
    square * MAN_ROWS + MEN * (square * square.saturating_sub(1) / 2)
}

/// How many rows there are.
pub const ROWS: usize = first_row(64);

/// The squares so far.
#[derive(Clone, Debug)]
pub struct Seen {
    black: bool,
    /// How many.
    squares: u8,
    symbols: [u8; 64],
    counts: [u8; SYMBOLS],
    /// The men, as [`Seen::man`] numbers them.
    men: [usize; 64],
    men_seen: usize,
}

impl Seen {
    /// No squares yet, only the side to move.
    #[must_use]
    pub const fn new(black: bool) -> Self {
        Self {
            black,
            squares: 0,
            symbols: [0; 64],
            counts: [0; SYMBOLS],
            men: [0; 64],
            men_seen: 0,
        }
    }

    /// The next square; 64 at the end.
    #[must_use]
    pub fn square(&self) -> usize {
        usize::from(self.squares)
    }

    /// Whether Black is to move.
    #[must_use]
    pub const fn black(&self) -> bool {
        self.black
    }

    /// The symbol of a square so far; 0 for later squares.
    #[must_use]
    pub fn symbol(&self, square: usize) -> u8 {
        self.symbols.get(square).copied().unwrap_or(0)
    }

    /// How many men there are so far.
    #[must_use]
    pub const fn men(&self) -> usize {
        self.men_seen
    }

    /// The number of a man on the next square, if the symbol is one: the square times [`MEN`] plus
    /// the symbol minus 1.
    #[must_use]
    pub fn man(&self, symbol: u8) -> Option<usize> {
        Some(self.square() * MEN + usize::from(symbol).checked_sub(1)?)
    }

    /// Takes the symbol of the next square.
    pub fn push(&mut self, symbol: u8) {
        if let Some(man) = self.man(symbol) {
            self.men[self.men_seen] = man;
            self.men_seen += 1;
        }
        self.symbols[self.square()] = symbol;
        self.counts[usize::from(symbol)] += 1;
        self.squares += 1;
    }

    /// Whether a symbol can be on the next square: no pawn on the first or last rank, no second
    /// king of a colour.
    #[must_use]
    pub fn fits(&self, symbol: usize) -> bool {
        let last_rank = self.squares < 8 || self.squares >= 56;
        let king_stands = KINGS.contains(&symbol) && self.counts[symbol] > 0;
        !(king_stands || last_rank && PAWNS.contains(&symbol))
    }

    /// The table's rows whose facts hold for the next square.
    pub fn rows(&self, out: &mut Vec<usize>) {
        let first = first_row(self.square());
        out.clear();
        out.push(first);
        if self.black {
            out.push(first + 1);
        }
        for kind in 0..MEN {
            let count = usize::from(self.counts[kind + 1]).min(COUNTED[kind]);
            out.push(first + COUNT_ROWS[kind] + count);
        }
        let [left, below_left, below, below_right] = STEPS.map(|step| self.neighbour(step));
        for (direction, step) in STEPS.into_iter().enumerate() {
            if let Some(kind) = self.ray(step).checked_sub(1) {
                out.push(first + RAY_ROWS + direction * MEN + kind);
            }
        }
        out.push(first + SIDE_ROWS + left * SYMBOLS + below);
        out.push(first + CORNER_ROWS + below_left * SYMBOLS + below_right);
        let men = &self.men[..self.men_seen];
        out.extend(men.iter().map(|&man| first + MAN_ROWS + man));
    }

    /// The symbol on the neighbour in a direction; 0 beyond the edge.
    fn neighbour(&self, (files, ranks): (i32, i32)) -> usize {
        let square = i32::from(self.squares);
        self.at(square % 8 + files, square / 8 + ranks).unwrap_or(0)
    }

    /// The first man in a direction; 0 if there is none.
    fn ray(&self, (files, ranks): (i32, i32)) -> usize {
        let (mut file, mut rank) = (i32::from(self.squares) % 8, i32::from(self.squares) / 8);
        loop {
            (file, rank) = (file + files, rank + ranks);
            match self.at(file, rank) {
                Some(0) => {}
                found => return found.unwrap_or(0),
            }
        }
    }

    fn at(&self, file: i32, rank: i32) -> Option<usize> {
        let on_board = (0..8).contains(&file) && rank >= 0;
        let square = usize::try_from(rank * 8 + file).ok().filter(|_| on_board);
        square.map(|square| usize::from(self.symbol(square)))
    }
}
