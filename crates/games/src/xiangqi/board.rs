//! The men as bitboards, and the moves of each kind of man from each square.
//!
//! A bitboard (*set*) is a 128-bit integer with bit `9 * rank + file` for a square, so that squares
//! come out in canonical order.

use plypack_core::each;

/// Numbers of files and of squares.
pub(super) const FILES: u8 = 9;
pub(super) const SQUARES: usize = 90;

/// The two players. Red moves first and has ranks 0 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Red,
    Black,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }
}

/// The kinds of men, in the customary order for xiangqi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    King,
    Advisor,
    Elephant,
    Horse,
    Rook,
    Cannon,
    Pawn,
}

impl Piece {
    pub(super) const ALL: [Self; 7] = [
        Self::King,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Rook,
        Self::Cannon,
        Self::Pawn,
    ];
}

/// Returns the set of one square.
#[inline(always)]
pub(super) fn bit(square: u8) -> u128 {
    1 << square
}

/// Iterates over the squares of a set in ascending order.
#[inline(always)]
pub(super) fn squares(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = first(set)?;
        set &= set - 1;
        Some(square)
    })
}

/// Returns the lowest square of a set.
#[inline(always)]
pub(super) fn first(set: u128) -> Option<u8> {
    // At most 127, so the conversion keeps the value.
    if set == 0 { None } else { u8::try_from(set.trailing_zeros()).ok() }
}

/// Returns the highest square of a set.
fn last(set: u128) -> Option<u8> {
    if set == 0 { None } else { u8::try_from(127 - set.leading_zeros()).ok() }
}

/// The placement of the men.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    pieces: [u128; 7],
    sides: [u128; 2],
}

impl Board {
    /// Returns the men of one side.
    pub(super) fn side(&self, side: Side) -> u128 {
        self.sides[side as usize]
    }

    /// Returns the men of one kind, of both sides.
    pub(super) fn pieces(&self, piece: Piece) -> u128 {
        self.pieces[piece as usize]
    }

    /// Returns all men.
    pub(super) fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// Returns the kind of the man on a square.
    #[inline(always)]
    pub(super) fn piece_on(&self, square: u8) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.pieces(piece) & bit(square) != 0)
    }

    /// Returns the man on a square.
    pub(super) fn man_on(&self, square: u8) -> Option<(Side, Piece)> {
        let side = if self.side(Side::Red) & bit(square) == 0 { Side::Black } else { Side::Red };
        self.piece_on(square).map(|piece| (side, piece))
    }

    /// Puts a man on an empty square.
    pub(super) fn put(&mut self, square: u8, side: Side, piece: Piece) {
        self.pieces[piece as usize] |= bit(square);
        self.sides[side as usize] |= bit(square);
    }

    /// Puts men on these empty squares.
    pub(super) fn put_all(&mut self, squares: u128, side: Side, piece: Piece) {
        self.pieces[piece as usize] |= squares;
        self.sides[side as usize] |= squares;
    }

    /// Moves a man of `side`, and captures any man on the destination.
    #[inline(always)]
    pub(super) fn play(&mut self, side: Side, from: u8, to: u8) {
        for men in &mut self.pieces {
            let moved = *men >> from & 1;
            *men = *men & !(bit(from) | bit(to)) | moved << to;
        }
        self.sides[side as usize] ^= bit(from) | bit(to);
        self.sides[side.other() as usize] &= !bit(to);
    }
}

/// Returns the squares that a man other than a rook or cannon reaches, including those of its own
/// side's men.
#[inline(always)]
pub(super) fn leaps_of(side: Side, piece: Piece, from: u8, occupied: u128) -> u128 {
    let square = usize::from(from) % SQUARES;
    match piece {
        Piece::King => KING[square],
        Piece::Advisor => ADVISOR[side as usize][square],
        Piece::Elephant => leaps(&ELEPHANT[side as usize][square], occupied),
        Piece::Horse => leaps(&HORSE[square], occupied),
        Piece::Pawn => PAWN[side as usize][square],
        Piece::Rook | Piece::Cannon => 0,
    }
}

/// Counts the men between two squares; `None` if they share neither file nor rank.
pub(super) fn between(a: u8, b: u8, occupied: u128) -> Option<u32> {
    let (low, high) = (a.min(b), a.max(b));
    let direction = if low / FILES == high / FILES {
        0
    } else if low % FILES == high % FILES {
        1
    } else {
        return None;
    };
    Some((ray(direction, low) & ray(direction + 2, high) & occupied).count_ones())
}

/// Returns the nearest square of a set in this direction.
#[inline(always)]
pub(super) fn nearest(direction: usize, set: u128) -> Option<u8> {
    if direction < 2 { first(set) } else { last(set) }
}

/// Returns the destinations of unblocked leaps.
#[inline(always)]
pub(super) fn leaps(leaps: &[Leap; 4], occupied: u128) -> u128 {
    // Branch-free, as blocked leaps are unpredictable.
    let open = |leap: &Leap| u128::from(leap.over & occupied != 0).wrapping_sub(1);
    leaps.iter().fold(0, |set, leap| set | leap.to & open(leap))
}

/// Returns the squares from which horses attack a square, with the square that blocks each.
#[inline(always)]
pub(super) fn horses_to(square: u8) -> &'static [Leap; 4] {
    &HORSES_TO[usize::from(square)]
}

/// Returns the squares from which pawns of `side` attack a square.
#[inline(always)]
pub(super) fn pawns_to(side: Side, square: u8) -> u128 {
    PAWNS_TO[side as usize][usize::from(square)]
}

/// Returns the squares beyond a square in a direction: 0 east, 1 north, 2 west, 3 south.
#[inline(always)]
pub(super) fn ray(direction: usize, from: u8) -> u128 {
    RAYS[direction][usize::from(from)]
}

/// Squares that are reached if another square is empty.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    /// The blocking square, as a set.
    pub(super) over: u128,
    /// The squares beyond it.
    pub(super) to: u128,
}

const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Returns the set of the square a step away; empty if it is off the board.
const fn step(square: usize, files: i8, ranks: i8) -> u128 {
    // Square numbers are below 90, so the casts keep them.
    #[expect(clippy::cast_possible_truncation)]
    let (file, rank) = ((square % 9) as i8 + files, (square / 9) as i8 + ranks);
    if file < 0 || file > 8 || rank < 0 || rank > 9 { 0 } else { 1 << (rank * 9 + file) }
}

/// Returns the squares of the first `ranks` ranks of a side, on files `first` to `last`.
const fn region(side: usize, ranks: usize, first: usize, last: usize) -> u128 {
    let mut set = 0;
    each!(square, SQUARES, {
        let rank = if side == 0 { square / 9 } else { 9 - square / 9 };
        if rank < ranks && first <= square % 9 && square % 9 <= last {
            set |= 1 << square;
        }
    });
    set
}

/// The palaces, by side.
pub(super) const PALACES: [u128; 2] = [region(0, 3, 3, 5), region(1, 3, 3, 5)];

/// The sides' own halves of the board, by side.
pub(super) const HALVES: [u128; 2] = [region(0, 5, 0, 8), region(1, 5, 0, 8)];

static RAYS: [[u128; SQUARES]; 4] = {
    let mut rays = [[0; SQUARES]; 4];
    each!(direction, 4, {
        let (files, ranks) = STRAIGHT[direction];
        each!(square, SQUARES, {
            each!(steps, 1, 10, {
                rays[direction][square] |= step(square, files * steps, ranks * steps);
            });
        });
    });
    rays
};

static KING: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    each!(side, 2, {
        each!(square, SQUARES, {
            let mut i = 0;
            while i < 4 && PALACES[side] >> square & 1 == 1 {
                table[square] |= step(square, STRAIGHT[i].0, STRAIGHT[i].1) & PALACES[side];
                i += 1;
            }
        });
    });
    table
};

static ADVISOR: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    each!(side, 2, {
        each!(square, SQUARES, {
            each!(i, 4, {
                let (files, ranks) = DIAGONALS[i];
                table[side][square] |= step(square, files, ranks) & PALACES[side];
            });
        });
    });
    table
};

static ELEPHANT: [[[Leap; 4]; SQUARES]; 2] = {
    let mut table = [[[Leap { over: 0, to: 0 }; 4]; SQUARES]; 2];
    each!(side, 2, {
        each!(square, SQUARES, {
            each!(i, 4, {
                let (files, ranks) = DIAGONALS[i];
                let to = step(square, 2 * files, 2 * ranks) & HALVES[side];
                table[side][square][i] = Leap { over: step(square, files, ranks), to };
            });
        });
    });
    table
};

static HORSE: [[Leap; 4]; SQUARES] = {
    let mut table = [[Leap { over: 0, to: 0 }; 4]; SQUARES];
    each!(square, SQUARES, {
        each!(i, 4, {
            let (files, ranks) = STRAIGHT[i];
            let to = step(square, 2 * files + ranks, 2 * ranks + files)
                | step(square, 2 * files - ranks, 2 * ranks - files);
            table[square][i] = Leap { over: step(square, files, ranks), to };
        });
    });
    table
};

/// A horse's leg is next to the horse; seen from the target, it is the square on the diagonal.
static HORSES_TO: [[Leap; 4]; SQUARES] = {
    let mut table = [[Leap { over: 0, to: 0 }; 4]; SQUARES];
    each!(square, SQUARES, {
        each!(i, 4, {
            let (files, ranks) = DIAGONALS[i];
            let to = step(square, 2 * files, ranks) | step(square, files, 2 * ranks);
            table[square][i] = Leap { over: step(square, files, ranks), to };
        });
    });
    table
};

/// A pawn goes one step ahead; beyond the river also sideways.
static PAWN: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    each!(side, 2, {
        each!(square, SQUARES, {
            let mut set = step(square, 0, if side == 0 { 1 } else { -1 });
            if HALVES[side] >> square & 1 == 0 {
                set |= step(square, 1, 0) | step(square, -1, 0);
            }
            table[side][square] = set;
        });
    });
    table
};

static PAWNS_TO: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    each!(side, 2, {
        each!(pair, SQUARES * SQUARES, {
            let (from, to) = (pair / SQUARES, pair % SQUARES);
            if PAWN[side][from] >> to & 1 == 1 {
                table[side][to] |= 1 << from;
            }
        });
    });
    table
};
