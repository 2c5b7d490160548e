//! The light features of a candidate: the stones on its four lines and around it, how it compares
//! with the others, and its place on the board.

use super::features::light::set;
use super::features::{LIGHT, State, light};
use super::patterns::{CLASSES, FIVE, FOUR, OPEN_FOUR, OPEN_THREE, OPEN_TWO, Pattern, Patterns};
use crate::gomoku::Position;
use crate::gomoku::order::{TABLES, logarithm, table};
use crate::gomoku::position::size_class;

/// Number of directions of lines: rows, columns, rising diagonals, falling diagonals.
const DIRECTIONS: usize = 4;

/// The largest number of rows of a board.
const SIZE_MAX: u8 = 20;

/// The largest number of lines of a direction.
const LINES: usize = 2 * SIZE_MAX as usize;

/// A bound above all keys: at most 20 fives pass through a point, none worth more than 100,000.
pub(super) const KEYS: usize = 16 * 22;

/// The least number of stones of each phase from the second on.
pub const PHASES: [usize; 11] = [1, 2, 3, 4, 6, 9, 13, 21, 41, 81, 141];

/// The stones of a position line by line: bit `4 + place` of a set is the point at that place.
struct Lines {
    /// Our stones, and theirs, by direction.
    stones: [[[u32; LINES]; DIRECTIONS]; 2],
    size: u8,
}

impl Lines {
    fn new(position: &Position) -> Self {
        let size = u8::try_from(position.variant().size()).unwrap_or(SIZE_MAX).min(SIZE_MAX);
        let mut lines = Self { stones: [[[0; LINES]; DIRECTIONS]; 2], size };
        let own = 1 + u8::from(position.white_to_move());
        for (row, points) in (0..size).zip(position.points().chunks(size.into())) {
            for (column, &stone) in (0..size).zip(points).filter(|(_, stone)| **stone != 0) {
                let side = &mut lines.stones[usize::from(stone != own)];
                for (direction, (line, place)) in places(column, row, size).into_iter().enumerate()
                {
                    side[direction][line] |= 1 << (4 + place);
                }
            }
        }
        lines
    }

    /// Returns the bits beyond a line.
    fn outside(&self, direction: usize, line: usize) -> u32 {
        let size = usize::from(self.size);
        let (first, last) = if direction < 2 {
            (0, size - 1)
        } else {
            ((line + 1).saturating_sub(size), line.min(size - 1))
        };
        !((u32::MAX >> (31 + first - last)) << (4 + first))
    }

    /// Counts the stones of a side next to a point.
    fn beside(&self, side: usize, column: u8, row: u8) -> usize {
        let rows = &self.stones[side][0];
        let (first, last) = (row.saturating_sub(1), (row + 1).min(self.size - 1));
        let stones = |row: u8| (rows[usize::from(row)] >> (3 + column) & 7).count_ones() as usize;
        (first..=last).map(stones).sum()
    }
}

/// Returns the line of a point and its place on it, by direction.
fn places(column: u8, row: u8, size: u8) -> [(usize, u8); DIRECTIONS] {
    let (across, up) = (usize::from(column), usize::from(row));
    [
        (up, column),
        (across, row),
        (across + usize::from(size) - 1 - up, column),
        (across + up, column),
    ]
}

/// A candidate.
struct Point {
    column: u8,
    row: u8,
    /// By direction, for us and for them.
    ours: [Pattern; DIRECTIONS],
    theirs: [Pattern; DIRECTIONS],
    /// The classes of the above, in descending order.
    sorted: [[u8; DIRECTIONS]; 2],
    key: i32,
}

/// What all candidates of a position share.
pub struct Scene {
    lines: Lines,
    points: Vec<Point>,
    past: [Option<(u8, u8)>; 4],
    phase: usize,
    /// The best class of a candidate, for us and for them.
    best: [u8; 2],
    best_key: i32,
    /// By key, the number of candidates with a greater key.
    above: [u16; KEYS],
    table: usize,
}

impl Scene {
    /// Computes what all candidates share, and the lines through each.
    pub fn new(state: &State, position: &Position, candidates: &[u16]) -> Self {
        let lines = Lines::new(position);
        let size = u16::from(lines.size);
        let place = |point: u16| {
            let narrow = |number: u16| u8::try_from(number).unwrap_or(0).min(SIZE_MAX - 1);
            (narrow(point % size), narrow(point / size))
        };
        let patterns = Patterns::of(position.variant().rule());
        let points: Vec<Point> =
            candidates.iter().map(|&point| Point::new(&lines, patterns, place(point))).collect();
        let best = |side: usize| points.iter().map(|p| p.sorted[side][0]).max().unwrap_or(0);
        let keys: Vec<i32> = points.iter().map(|point| point.key).collect();
        let stones = position.points().len() - candidates.len();
        Self {
            past: state.past.map(|point| point.map(place)),
            phase: PHASES.iter().filter(|&&least| stones >= least).count(),
            best: [best(0), best(1)],
            best_key: keys.iter().copied().max().unwrap_or(0),
            above: above(&keys),
            table: table(&keys),
            lines,
            points,
        }
    }

    /// Fills the light slots of the candidates.
    pub fn see(&self, slots: &mut [[u16; LIGHT]]) {
        for (point, slots) in self.points.iter().zip(slots) {
            self.see_lines(point, slots);
            self.see_place(point, slots);
            self.see_past(point, slots);
        }
    }

    /// Fills the slots for what a stone would make.
    fn see_lines(&self, point: &Point, slots: &mut [u16; LIGHT]) {
        for direction in 0..DIRECTIONS {
            set(slots, light::OURS + direction, point.ours[direction].number.into());
            set(slots, light::THEIRS + direction, point.theirs[direction].number.into());
        }
        let [ours, theirs] = &point.sorted;
        let both = pair(ours) * 45 + pair(theirs);
        set(slots, light::BOTH, self.need() * 2025 + both);
        let best = class(self.best[0]) * CLASSES + class(self.best[1]);
        let own = class(ours[0]) * CLASSES + class(theirs[0]);
        set(slots, light::SITUATION, best * 81 + own);
        let above = usize::from(self.above[key_index(point.key)]);
        set(slots, light::RANK, above.min(47) * TABLES + self.table);
        let below = usize::try_from(self.best_key - point.key).unwrap_or(0);
        let urgent = usize::from(self.best.iter().any(|&class| class >= FOUR));
        set(slots, light::BELOW, ((below / 4).min(31) * 12 + self.phase) * 2 + urgent);
        let count = |classes: &[u8; DIRECTIONS]| {
            let some = classes.iter().filter(|&&class| class >= 2).count();
            let open = |class: u8| class == OPEN_TWO || class >= OPEN_THREE;
            some * 5 + classes.iter().filter(|&&class| open(class)).count()
        };
        set(slots, light::COUNTS, count(ours) * 25 + count(theirs));
    }

    /// Returns the most urgent need of the position, one of six classes.
    fn need(&self) -> usize {
        match self.best {
            [FIVE, _] => 0,
            [_, FIVE] => 1,
            [OPEN_FOUR, _] => 2,
            [_, OPEN_FOUR] => 3,
            [FOUR, _] => 4,
            _ => 5,
        }
    }

    /// Fills the slots for the point's place.
    fn see_place(&self, point: &Point, slots: &mut [u16; LIGHT]) {
        let size = self.lines.size;
        let stage = self.phase / 3;
        let edge = |at: u8| usize::from(at.min(size - 1 - at));
        let board = size_class(size.into());
        let cell = triangle(edge(point.column), edge(point.row));
        set(slots, light::CELL, (cell * 3 + board) * 12 + self.phase);
        let beside = |side| self.lines.beside(side, point.column, point.row).min(5);
        set(slots, light::BESIDE, (beside(0) * 6 + beside(1)) * 4 + stage);
    }

    /// Fills the slots for the last stones.
    fn see_past(&self, point: &Point, slots: &mut [u16; LIGHT]) {
        let stage = self.phase / 3;
        let most = class(point.sorted[0][0].max(point.sorted[1][0]));
        for (past, slot) in self.past.iter().zip(light::NEAR_LAST..) {
            let Some(past) = past else { continue };
            let across = usize::from(past.0.abs_diff(point.column));
            let up = usize::from(past.1.abs_diff(point.row));
            let near = triangle(across.min(8), up.min(8));
            let last = slot <= light::NEAR_OWN;
            set(slots, slot, if last { (near * 9 + most) * 4 + stage } else { near * 4 + stage });
        }
    }
}

impl Point {
    fn new(lines: &Lines, patterns: &Patterns, (column, row): (u8, u8)) -> Self {
        let mut ours = [Pattern::default(); DIRECTIONS];
        let mut theirs = ours;
        let mut worth = 0;
        for (direction, (line, place)) in places(column, row, lines.size).into_iter().enumerate() {
            let [own, other] = [0, 1].map(|side| lines.stones[side][direction][line]);
            let outside = lines.outside(direction, line);
            ours[direction] = patterns.look(own, other | outside, place);
            theirs[direction] = patterns.look(other, own | outside, place);
            worth += ours[direction].ours + theirs[direction].theirs;
        }
        let sorted = [&ours, &theirs].map(|patterns| {
            let mut classes = patterns.map(|pattern| pattern.class);
            classes.sort_unstable_by(|a, b| b.cmp(a));
            classes
        });
        Self { column, row, ours, theirs, sorted, key: logarithm(worth) }
    }
}

/// Returns the number of greater keys, by key.
fn above(keys: &[i32]) -> [u16; KEYS] {
    let mut counts = [0u16; KEYS];
    for &key in keys {
        counts[key_index(key)] += 1;
    }
    let mut greater = 0;
    for count in counts.iter_mut().rev() {
        greater += std::mem::replace(count, greater);
    }
    counts
}

fn key_index(key: i32) -> usize {
    usize::try_from(key).unwrap_or(0).min(KEYS - 1)
}

fn class(class: u8) -> usize {
    class.into()
}

/// Returns the best two classes as one number below 45.
fn pair(sorted: &[u8; DIRECTIONS]) -> usize {
    triangle(class(sorted[0]), class(sorted[1]))
}

/// Returns one number for an unordered pair.
pub fn triangle(a: usize, b: usize) -> usize {
    let (small, large) = (a.min(b), a.max(b));
    large * (large + 1) / 2 + small
}

#[cfg(test)]
mod tests {
    use plypack_core::Rules;

    use super::*;
    use crate::gomoku::{Gomoku, Variant};

    #[test]
    fn what_lies_outside_is_no_point() {
        for size in [15, 19, 20] {
            let variant = Variant::ALL.into_iter().find(|variant| variant.size() == size.into());
            let mut full = Position::empty(variant.expect("a size"), false);
            (0..full.variant().points()).for_each(|point| full.set(point, 1));
            let lines = Lines::new(&full);
            for direction in 0..DIRECTIONS {
                let count = if direction < 2 { size } else { 2 * size - 1 };
                for line in 0..usize::from(count) {
                    let stones = lines.stones[0][direction][line];
                    assert_eq!(!stones, lines.outside(direction, line), "{direction} {line}");
                }
            }
            let corner = size - 1;
            assert_eq!(
                [(0, 0), (0, corner), (1, 1)].map(|(x, y)| lines.beside(0, x, y)),
                [4, 4, 9]
            );
        }
    }

    /// Returns the light slots of the candidates, the mirror image's in its own order.
    fn seen(position: &Position, past: [Option<u16>; 4]) -> (Vec<u16>, Vec<[u16; LIGHT]>) {
        let mut candidates = Vec::new();
        Gomoku.candidates(position, &mut candidates);
        let mut slots = vec![[0; LIGHT]; candidates.len()];
        Scene::new(&State { past }, position, &candidates).see(&mut slots);
        (candidates, slots)
    }

    #[test]
    fn a_mirrored_board_looks_the_same() {
        let stones = [112, 113, 97, 127, 126, 98, 0, 14, 128, 99, 142];
        let [mut plain, mut mirrored] = [(); 2].map(|()| Gomoku.start());
        let mirror = |point: u16| point / 15 * 15 + 14 - point % 15;
        for point in stones {
            plain.play(point);
            mirrored.play(mirror(point));
        }
        let past = [Some(142), Some(99), Some(128), None];
        let (candidates, here) = seen(&plain, past);
        let (others, there) = seen(&mirrored, past.map(|point| point.map(mirror)));
        for (point, slots) in candidates.iter().zip(&here) {
            let other = others.binary_search(&mirror(*point)).expect("an empty point");
            // Rising and falling diagonals are swapped.
            let mut slots = *slots;
            slots.swap(light::OURS + 2, light::OURS + 3);
            slots.swap(light::THEIRS + 2, light::THEIRS + 3);
            assert_eq!(slots, there[other], "{point}");
        }
    }
}
