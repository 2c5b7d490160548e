//! The results of the last moves with best play.

use crate::othello::link::scene::count;
use crate::othello::order::around;
use crate::othello::rules::{moves, turned};
use plypack_core::each;

/// Differences between results of this many discs or more are not told apart.
pub const FAR: i32 = 17;

/// Returns the difference of discs after best play, own minus other, with `other` to move: exact
/// above `low`, at most `low` otherwise.
pub fn result([own, other]: [u64; 2], low: i32) -> i32 {
    -solve(other, own, -64, -low, false)
}

/// Returns the difference of discs, own minus other, after best play with own to move: exact
/// between `low` and `high`, otherwise only on the right side of them. `passed` says that the other
/// side has just passed.
fn solve(own: u64, other: u64, low: i32, high: i32, passed: bool) -> i32 {
    let free = !(own | other);
    if free & free.wrapping_sub(1) == 0 {
        return last(own, other, free);
    }
    // Few cells are tried one by one; with more, the legal moves are computed first.
    let mut left = if count(free) < 4 { free & around(other) } else { moves(own, other) };
    let (mut best, mut low) = (i32::MIN, low);
    while left != 0 {
        let disc = left & left.wrapping_neg();
        left ^= disc;
        let taken = turned(own, other, (disc.trailing_zeros() & 63) as u8);
        if taken == 0 {
            continue;
        }
        let result = -solve(other & !taken, own | taken | disc, -high, -low, false);
        best = best.max(result);
        low = low.max(result);
        if low >= high {
            return low;
        }
    }
    match (best, passed) {
        (i32::MIN, true) => difference(own, other),
        (i32::MIN, false) => -solve(other, own, -high, -low, true),
        _ => low,
    }
}

/// Does the same with one empty cell, or none.
#[inline(always)]
fn last(own: u64, other: u64, free: u64) -> i32 {
    let now = difference(own, other);
    if free == 0 {
        return now;
    }
    let cell = free.trailing_zeros() as usize & 63;
    match 2 * turned_last(own, cell) {
        0 => match 2 * turned_last(other, cell) {
            0 => now,
            lost => now - lost - 1,
        },
        won => now + won + 1,
    }
}

/// Returns the number of discs that turn when the side with the discs `own` fills the last empty
/// cell; all others are the opponent's.
#[inline(always)]
fn turned_last(own: u64, cell: usize) -> i32 {
    let (row, column) = (cell / 8, cell % 8);
    let across = own >> (8 * row) & 0xff;
    let down = (own >> column & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    // Each cell of a diagonal lies in a column of its own, so a multiplication gathers them in one
    // byte.
    let [falling, rising] = DIAGONALS[cell].map(|line| (own & line).wrapping_mul(COLUMN) >> 56);
    let on = |place: usize, line: u64| i32::from(BETWEEN[place][(line & 0xff) as usize]);
    on(column, across) + on(row, down) + on(column, falling) + on(column, rising)
}

/// Column a.
const COLUMN: u64 = 0x0101_0101_0101_0101;

/// By cell, the diagonals through it, the falling one first.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    each!(cell, 64, {
        each!(other, 64, {
            let (down, right) = (other / 8 + 8 - cell / 8, other % 8 + 8 - cell % 8);
            if down == right {
                all[cell][0] |= 1 << other;
            }
            if down + right == 16 {
                all[cell][1] |= 1 << other;
            }
        });
    });
    all
};

/// By place on a line and the discs on it: the number of cells between the place and the nearest
/// disc on either side; none if there is no disc.
static BETWEEN: [[u8; 256]; 8] = {
    let mut all = [[0; 256]; 8];
    each!(place, 8, {
        each!(line, 256, {
            let (mut above, mut run) = (place + 1, 0);
            while above < 8 && line >> above & 1 == 0 {
                above += 1;
                run += 1;
            }
            if above < 8 {
                all[place][line] += run;
            }
            let (mut below, mut run) = (place, 0);
            while below > 0 && line >> (below - 1) & 1 == 0 {
                below -= 1;
                run += 1;
            }
            if below > 0 {
                all[place][line] += run;
            }
        });
    });
    all
};

fn difference(own: u64, other: u64) -> i32 {
    own.count_ones().cast_signed() - other.count_ones().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::link::scene::squares;
    use plypack_core::testkit::Random;

    #[test]
    fn the_last_disc_turns_what_any_would() {
        let mut random = Random::new(9);
        for _ in 0..1_000 {
            let own = random.next_u64();
            for cell in 0..64 {
                let own = own & !(1 << cell);
                let other = !(own | 1 << cell);
                let expected = turned(own, other, cell).count_ones().cast_signed();
                assert_eq!(turned_last(own, cell.into()), expected, "{own:x} {cell}");
            }
        }
    }

    /// Computes results without short cuts.
    fn plain([own, other]: [u64; 2], passed: bool) -> i32 {
        let candidates = moves(own, other);
        if candidates == 0 {
            return if passed { difference(own, other) } else { -plain([other, own], true) };
        }
        let after = |cell: usize| {
            let taken = turned(own, other, u8::try_from(cell).expect("a cell"));
            -plain([other & !taken, own | taken | 1 << cell], false)
        };
        squares(candidates).map(after).max().expect("a move")
    }

    #[test]
    fn results_are_those_of_all_lines() {
        let mut random = Random::new(3);
        for round in 0..300 {
            let (mut free, own) = (0u64, random.next_u64());
            for _ in 0..1 + round % 6 {
                free |= 1 << (random.next_u64() % 64);
            }
            let [own, other] = [own & !free, !own & !free];
            let expected = -plain([other, own], false);
            for low in [-64, -20, -1, 0, 5] {
                let result = result([own, other], low);
                assert!(if expected > low { result == expected } else { result <= low });
            }
        }
    }
}
