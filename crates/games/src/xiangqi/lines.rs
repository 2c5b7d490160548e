//! The views of rooks and cannons along ranks and files, looked up by the men there.

use crate::xiangqi::board::{Piece, SQUARES, Side, bit, leaps_of};
use plypack_core::each;

/// The four lines from a square.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// Up to and including the first man of each line: what a rook attacks.
    pub seen: u128,
    /// Beyond the first man of each line, up to and including the second: what a cannon attacks.
    pub beyond: u128,
    /// The second man of each line.
    pub second: u128,
}

impl Lines {
    /// Looks from a square along its file and rank.
    #[inline(always)]
    pub fn new(from: usize, occupied: u128) -> Self {
        let (file, rank) = (from % 9, from / 9 % 10);
        let first = 9 * rank;
        let across = (occupied >> first) as usize & 511;
        let across = RANK[file][across];
        let along = FILE[rank][file_of(occupied, file)];
        let join = |part: usize| {
            u128::from(across[part]) << first | SPREAD[usize::from(along[part]) & 1023] << file
        };
        let beyond = join(1);
        Self { seen: join(0), beyond, second: beyond & occupied }
    }

    /// Returns the squares to which a cannon can go.
    #[inline(always)]
    pub fn cannon(&self, occupied: u128) -> u128 {
        self.seen & !occupied | self.second
    }
}

/// Returns the men of a file, one bit per rank.
#[inline(always)]
fn file_of(occupied: u128, file: usize) -> usize {
    // Each product has the bits of the ranks side by side from bit 48 on.
    const RANKS: u64 = 0x0040_2010_0804_0201;
    const GATHER: u64 = 0x0001_0101_0101_0101;
    #[expect(clippy::cast_possible_truncation, reason = "the upper ranks come by themselves")]
    let (low, high) = ((occupied >> file) as u64 & RANKS, (occupied >> (63 + file)) as u64);
    let gather = |ranks: u64| (ranks.wrapping_mul(GATHER) >> 48 & 127) as usize;
    gather(low) | gather(high & 0x0004_0201) << 7
}

/// Returns the view from a place on a line of `places` places with these men: the first two parts
/// of [`Lines`].
const fn look(place: usize, places: usize, men: usize) -> [u16; 2] {
    let mut sets = [0u16; 2];
    each!(direction, 2, {
        let mut at = place;
        let mut passed = 0;
        while passed < 2 && (if direction == 0 { at + 1 < places } else { at > 0 }) {
            at = if direction == 0 { at + 1 } else { at - 1 };
            sets[passed] |= 1 << at;
            if men >> at & 1 == 1 {
                passed += 1;
            }
        }
    });
    sets
}

static RANK: [[[u16; 2]; 512]; 9] = {
    let mut table = [[[0; 2]; 512]; 9];
    each!(entry, 9 * 512, table[entry / 512][entry % 512] = look(entry / 512, 9, entry % 512));
    table
};

static FILE: [[[u16; 2]; 1024]; 10] = {
    let mut table = [[[0; 2]; 1024]; 10];
    each!(entry, 10 * 1024, {
        table[entry / 1024][entry % 1024] = look(entry / 1024, 10, entry % 1024);
    });
    table
};

/// By a set of ranks, the squares of the first file.
static SPREAD: [u128; 1024] = {
    let mut table = [0; 1024];
    each!(ranks, 1, 1024, table[ranks] = table[ranks / 2] << 9 | (ranks % 2) as u128);
    table
};

/// A man and its reach.
#[derive(Clone, Copy, Debug)]
pub struct Man {
    /// Its kind, from king 0 to pawn 6.
    pub role: usize,
    /// Its square.
    pub from: usize,
    /// The squares to which it can go, including those of its own side's men.
    pub reach: u128,
    /// The squares on which it could capture: for a cannon, those beyond its screens.
    pub attacks: u128,
    /// Reach and attacks stay the same while the same of these squares are empty.
    pub watch: u128,
    /// Number of squares that a horse, rook or cannon reaches; 0 for others.
    pub freedom: usize,
}

impl Man {
    /// Looks from a square for a man of a side (0 ours, whose back rank is the first).
    #[inline(always)]
    pub fn new(side: usize, role: usize, from: usize, occupied: u128) -> Self {
        let leaper = |reach: u128, watch: u128, freedom: usize| Self {
            role,
            from,
            reach,
            attacks: reach,
            watch,
            freedom,
        };
        match role {
            4 => {
                let lines = Lines::new(from, occupied);
                leaper(lines.seen, lines.seen, lines.seen.count_ones() as usize)
            }
            5 => {
                let lines = Lines::new(from, occupied);
                let reach = lines.cannon(occupied);
                Self {
                    role,
                    from,
                    reach,
                    attacks: lines.beyond,
                    watch: lines.seen | lines.beyond,
                    freedom: reach.count_ones() as usize,
                }
            }
            _ => {
                let reach = leaps(side, role, from, occupied);
                let at = one(from);
                match role {
                    2 => leaper(reach, legs(0, at), 0),
                    3 => leaper(reach, legs(at, 0), reach.count_ones() as usize),
                    _ => leaper(reach, 0, 0),
                }
            }
        }
    }
}

/// Returns the squares to which a man other than a rook or cannon can go.
#[inline(always)]
fn leaps(side: usize, role: usize, from: usize, occupied: u128) -> u128 {
    let side = if side == 0 { Side::Red } else { Side::Black };
    leaps_of(side, Piece::ALL[role % 7], u8::try_from(from % SQUARES).unwrap_or(0), occupied)
}

/// Returns the squares that a man reaches by its own way of moving, including those of its own
/// side's men.
#[inline(always)]
pub(super) fn reach(side: Side, piece: Piece, from: u8, occupied: u128) -> u128 {
    match piece {
        Piece::Rook => Lines::new(from.into(), occupied).seen,
        Piece::Cannon => Lines::new(from.into(), occupied).cannon(occupied),
        _ => leaps_of(side, piece, from, occupied),
    }
}

/// Returns the squares that a man attacks.
#[inline(always)]
pub fn attacks(side: usize, role: usize, from: usize, occupied: u128) -> u128 {
    match role {
        4 => Lines::new(from, occupied).seen,
        5 => Lines::new(from, occupied).beyond,
        _ => leaps(side, role, from, occupied),
    }
}

/// Returns the squares of a file.
const fn file(number: usize) -> u128 {
    let mut set = 0;
    each!(rank, 10, set |= 1 << (9 * rank + number));
    set
}

/// The squares of the first file, and of the last.
pub const A_FILE: u128 = file(0);
/// See [`A_FILE`].
pub const I_FILE: u128 = file(8);

/// The squares of the middle file.
pub const E_FILE: u128 = file(4);

/// Returns the squares next to horses, and those that elephants leap over.
#[inline(always)]
pub fn legs(horses: u128, elephants: u128) -> u128 {
    let sideways = |set: u128| (set & !I_FILE) << 1 | (set & !A_FILE) >> 1;
    let eyes = sideways(elephants);
    let all = horses << 9 | horses >> 9 | sideways(horses) | eyes << 9 | eyes >> 9;
    all & ((1 << 90) - 1)
}

/// Returns 1 if the set has the square, else 0.
#[inline(always)]
pub fn has(set: u128, at: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "one half or the other")]
    let half = if at < 64 { set as u64 } else { (set >> 64) as u64 };
    (half >> (at % 64) & 1) as usize
}

/// Returns the set of one square.
#[inline(always)]
pub fn one(at: usize) -> u128 {
    bit(u8::try_from(at % 128).unwrap_or(0))
}

/// Iterates over the squares of a set in ascending order.
#[inline(always)]
pub fn squares(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::board::{nearest, ray};
    use plypack_core::testkit::Random;

    /// Looks along the four lines, man by man.
    fn rays(from: u8, occupied: u128) -> Lines {
        let mut lines = Lines { seen: 0, beyond: 0, second: 0 };
        for direction in 0..4 {
            let line = ray(direction, from);
            let Some(first) = nearest(direction, line & occupied) else {
                lines.seen |= line;
                continue;
            };
            let beyond = ray(direction, first);
            lines.seen |= line & !beyond;
            let Some(second) = nearest(direction, beyond & occupied) else {
                lines.beyond |= beyond;
                continue;
            };
            lines.beyond |= beyond & !ray(direction, second);
            lines.second |= bit(second);
        }
        lines
    }

    #[test]
    fn tables_see_what_rays_see() {
        let mut random = Random::new(7);
        for _ in 0..2000 {
            let mut word = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
            let occupied = word() & word() & ((1 << 90) - 1);
            for from in 0..90 {
                let (lines, rays) = (Lines::new(from.into(), occupied), rays(from, occupied));
                assert_eq!(lines.seen, rays.seen);
                assert_eq!(lines.beyond, rays.beyond);
                assert_eq!(lines.second, rays.second);
                for (role, piece) in Piece::ALL.into_iter().enumerate() {
                    let man = Man::new(1, role, from.into(), occupied);
                    assert_eq!(man.reach, reach(Side::Black, piece, from, occupied));
                    if man.freedom > 0 {
                        assert_eq!(man.freedom, man.reach.count_ones() as usize);
                    }
                    let other = occupied ^ word() & !man.watch & !(1 << from) & ((1 << 90) - 1);
                    assert_eq!(man.attacks, Man::new(1, role, from.into(), other).attacks);
                }
            }
        }
    }
}
