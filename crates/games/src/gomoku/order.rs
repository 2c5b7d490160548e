//! The heuristic order of gomoku's `line.ranked`: what a stone would make of the possible fives
//! through its point, for its own side and against the other.
//!
//! `SPEC.md` describes it for other implementations.

use plypack_core::Ply;
use plypack_core::codecs::line::ranked::MoveOrder;

use super::position::POINTS_MAX;
use super::{Gomoku, Position, Rule, ranks};
use crate::common::spread;

/// The order.
#[derive(Debug)]
pub struct Order;

/// What five points in a row add to the worth of each empty one among them: without stones; with 1
/// to 4 of ours and none of theirs; with 1 to 4 of theirs and none of ours.
pub(super) const NOBODYS: u32 = 1;
pub(super) const OURS: [u32; 4] = [12, 60, 400, 100_000];
pub(super) const THEIRS: [u32; 4] = [10, 50, 250, 10_000];

/// The largest difference from the best key that counts as close, and as within sight. Keys are
/// logarithms to base 2 in units of 1/16.
pub(super) const NEAR: [i32; 2] = [8, 24];

/// Number of frequency tables.
pub const TABLES: usize = spread::TABLES;

/// Returns the number of the frequency table for these keys.
pub fn table(keys: &[i32]) -> usize {
    spread::table(keys, NEAR)
}

impl MoveOrder<Gomoku> for Order {
    type State = ();

    fn begin(&self, _: &Position) {}

    fn keys(&self, (): &(), position: &Position, candidates: &[u16], keys: &mut Vec<i32>) {
        let worth = worth(position);
        let of = |&point: &u16| worth.get(usize::from(point)).map_or(0, |&worth| logarithm(worth));
        keys.extend(candidates.iter().map(of));
    }

    fn weights(&self, _: &Position, keys: &[i32]) -> &[u16] {
        ranks::ORDER.table(table(keys))
    }

    fn update(&self, (): &mut (), _: &Ply<'_, Gomoku>) {}
}

/// The largest number of points of a line.
const LINE_MAX: usize = 20;

/// Returns the worth of every empty point for the side to move; other entries are meaningless.
fn worth(position: &Position) -> [u32; POINTS_MAX] {
    let exact = position.variant().rule() == Rule::Standard;
    // 0 is empty, 1 ours, 2 theirs.
    let sides = if position.white_to_move() { [0, 2, 1] } else { [0, 1, 2] };
    let mut worth = [0; POINTS_MAX];
    for (first, step, length) in lines(position.variant().size().into()) {
        // The line has an empty place before and after it.
        let mut line = [0usize; LINE_MAX + 2];
        for (place, point) in line[1..=length].iter_mut().zip((first..).step_by(step)) {
            *place = sides[usize::from(position.points()[point])];
        }
        let mut sums = [0; LINE_MAX + 2];
        // The numbers of empty points, ours and theirs in the five that ends at `last`.
        let mut counts = [1, 0, 0];
        line[1..5].iter().for_each(|&side| counts[side] += 1);
        for last in 5..=length {
            counts[line[last - 5]] -= 1;
            counts[line[last]] += 1;
            let beyond = [line[last - 5], line[last + 1]];
            // A sixth stone in a row would make the five worthless.
            let overlong = |side| exact && beyond.contains(&side);
            let value = match counts {
                [5, _, _] => NOBODYS,
                [1..=4, ours, 0] if !overlong(1) => OURS[ours - 1],
                [1..=4, 0, theirs] if !overlong(2) => THEIRS[theirs - 1],
                _ => continue,
            };
            sums[last - 4..=last].iter_mut().for_each(|sum| *sum += value);
        }
        for (sum, point) in sums[1..=length].iter().zip((first..).step_by(step)) {
            worth[point] += sum;
        }
    }
    worth
}

/// Iterates over the lines of at least five points: the first point, the step to the next, the
/// length.
fn lines(size: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let straight = (0..size).flat_map(move |n| [(n * size, 1, size), (n, size, size)]);
    let slanted = (5..=size).flat_map(move |length| {
        let off = size - length;
        let rising = [(off, size + 1, length), (off * size, size + 1, length)];
        let falling = [(length - 1, size - 1, length), (off * size + size - 1, size - 1, length)];
        // The two main diagonals would be listed twice.
        let once = if off == 0 { 1 } else { 2 };
        rising.into_iter().take(once).chain(falling.into_iter().take(once))
    });
    straight.chain(slanted)
}

/// Returns 16 times the logarithm to base 2, interpolated linearly between powers of two; 0 for 0.
pub(super) fn logarithm(value: u32) -> i32 {
    let Some(whole) = value.checked_ilog2() else { return 0 };
    let fraction = (u64::from(value) << 4 >> whole) & 15;
    i32::try_from(u64::from(whole) * 16 + fraction).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use plypack_core::Rules;

    use super::*;

    #[test]
    fn every_line_comes_once() {
        for size in [15, 19, 20] {
            let mut seen = std::collections::BTreeSet::new();
            let mut through = vec![0; size * size];
            for (first, step, length) in lines(size) {
                assert!(length >= 5 && seen.insert((first, step)));
                for place in 0..length {
                    through[first + place * step] += 1;
                }
                // No line crosses an edge.
                let column = |place: usize| (first + place * step) % size;
                assert!((1..length).all(|place| column(place).abs_diff(column(place - 1)) <= 1));
            }
            assert_eq!(seen.len(), 2 * size + 2 * (2 * (size - 4) - 1));
            assert_eq!((through[0], through[size / 2 * size + size / 2]), (3, 4));
        }
    }

    #[test]
    fn logarithms_grow() {
        assert_eq!([0, 1, 2, 3, 4, 1 << 20].map(logarithm), [0, 0, 16, 24, 32, 320]);
        assert!((0..5_000).all(|value| logarithm(value) <= logarithm(value + 1)));
    }

    fn best(text: &str) -> Vec<String> {
        let position = Gomoku.read_position(text).expect(text);
        let mut candidates = Vec::new();
        Gomoku.candidates(&position, &mut candidates);
        let mut keys = Vec::new();
        Order.keys(&(), &position, &candidates, &mut keys);
        let most = keys.iter().max().expect("a candidate");
        let named = candidates.iter().zip(&keys).filter(|(_, key)| *key == most);
        let name = |point: u16| {
            let mut text = String::new();
            let size = position.variant().size();
            super::super::notation::write(point % size, point / size, &mut text);
            text
        };
        named.map(|(&point, _)| name(point)).collect()
    }

    #[test]
    fn fives_come_before_blocks() {
        let rows = |top: &str| format!("{top}{}", "/15".repeat(13));
        // Black completes five on the lower of two rows; White would on the upper.
        assert_eq!(best(&format!("{} x", rows("4oooo7/3xxxx8"))), ["c14", "h14"]);
        assert_eq!(best(&format!("{} o", rows("4oooo7/3xxxx8"))), ["d15", "i15"]);
        assert_eq!(best(&format!("{} o", rows("7o7/3xxxx8"))), ["c14", "h14"]);
        // Six in a row do not win where five must be exact.
        let six = rows("xxx1xx9/15");
        assert_eq!(best(&format!("{six} x freestyle")), ["d15"]);
        assert_ne!(best(&format!("{six} x standard")), ["d15"]);
        // On an empty board the middle has the most possible fives.
        let middle = best("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x");
        assert_eq!((middle.len(), &middle[0][..], &middle[48][..]), (49, "e5", "k11"));
    }
}
