//! Sets of squares as 64 bits, from a1 to h8, and what is computed from them.

use plypack_core::each;

/// The squares of the a-file.
pub const A_FILE: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const H_FILE: u64 = A_FILE << 7;

/// 1 if the set has the square, else 0.
#[inline(always)]
pub fn bit(set: u64, at: usize) -> usize {
    (set >> (at % 64) & 1) as usize
}

/// Iterates over the squares of a set, lowest first.
#[inline(always)]
pub fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// Returns the number of squares of a set, at most 3.
#[inline(always)]
pub fn few(mut set: u64) -> usize {
    // Most sets are empty. Branchless code is slower.
    let mut count = 0;
    while set != 0 && count < 3 {
        set &= set - 1;
        count += 1;
    }
    count
}

/// The displacement of the second square from the first, clamped to three squares each way: below
/// 49.
pub static DISPLACEMENT: [[u8; 64]; 64] = {
    const fn step(from: usize, to: usize) -> usize {
        let step = (to + 3).saturating_sub(from);
        if step > 6 { 6 } else { step }
    }
    let mut rows = [[0; 64]; 64];
    each!(pair, 0usize, 64 * 64, {
        let (a, b) = (pair / 64, pair % 64);
        // Below 49, but a constant cannot use `try_from`.
        #[expect(clippy::cast_possible_truncation)]
        {
            rows[a][b] = (step(a % 8, b % 8) * 7 + step(a / 8, b / 8)) as u8;
        }
    });
    rows
};

/// Three planes that hold a number from 0 to 7 for each square.
#[derive(Clone, Copy, Debug, Default)]
pub struct Octal([u64; 3]);

impl Octal {
    #[inline(always)]
    pub const fn new(planes: [u64; 3]) -> Self {
        Self(planes)
    }

    /// Numbers the cheapest attacker of each square: 0 none, 1 pawn, 2 knight or bishop, 3 rook, 4
    /// queen, 5 king; from the squares that each attacks. Returns all of these, too.
    #[inline(always)]
    pub fn cheapest([by_pawn, by_minor, by_rook, by_queen, by_king]: [u64; 5]) -> (Self, u64) {
        // A square belongs to its cheapest attacker, so each kind omits what cheaper ones attack.
        // The three planes then spell the kind's number in binary.
        let minor = by_minor & !by_pawn;
        let low = by_pawn | by_minor;
        let rook = by_rook & !low;
        let queen = by_queen & !low & !by_rook;
        let king = by_king & !low & !by_rook & !by_queen;
        let least = Self([by_pawn | rook | king, minor | rook, queen | king]);
        (least, low | by_rook | by_queen | by_king)
    }

    #[inline(always)]
    pub fn at(self, square: usize) -> usize {
        let [ones, twos, fours] = self.0;
        bit(ones, square) | bit(twos, square) << 1 | bit(fours, square) << 2
    }
}

/// Returns all squares of the files on which a set has squares.
#[inline(always)]
pub fn fill_files(set: u64) -> u64 {
    let set = set | set >> 32;
    let set = set | set >> 16;
    let set = (set | set >> 8) & 0xff;
    set * A_FILE
}

/// The squares from which pawns could come to attack each square: above it on the adjacent files.
pub static BESIDE_ABOVE: [u64; 64] = {
    let mut sets = [0; 64];
    each!(at, 64, sets[at] = beside(at) & above(at));
    sets
};

/// Returns the squares on the ranks above a square's.
#[inline(always)]
pub const fn above(at: usize) -> u64 {
    !1 << (at / 8 * 8 + 7)
}

/// Returns the files adjacent to a square's.
#[inline(always)]
pub const fn beside(at: usize) -> u64 {
    let file = A_FILE << (at % 8);
    (file & !A_FILE) >> 1 | (file & !H_FILE) << 1
}
