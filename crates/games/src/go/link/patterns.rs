//! The surroundings of each point, as hashes that are the same for all rotations and mirror images.
//! They are updated as stones appear and disappear.

use plypack_core::Ply;
use plypack_core::key::mix;

use crate::go::rules::EDGE;
use crate::go::{Go, Position};

/// The reach of a pattern, in rows and columns.
const REACH: i16 = 3;

/// The width of the square around a point.
const WIDTH: i16 = 2 * REACH + 1;

/// Number of places in that square.
const PLACES: usize = (WIDTH * WIDTH) as usize;

/// Number of rings: the eight points around; the four at a distance of two; the rest of five rows;
/// the rest of seven rows without the corners.
pub const RINGS: usize = 4;

/// A hash for each of the eight images of the board.
pub type Hashes = [u32; 8];

/// The hashes of a ring, from Black's and from White's point of view.
type Ring = [Hashes; 2];

/// Returns the word of a place and its contents: 1 ours, 2 theirs, 3 off the board, 4 the last
/// stone.
pub fn word(place: usize, what: usize) -> u32 {
    let word = mix((place * 8 + what) as u64);
    u32::try_from(word >> 32).unwrap_or(0)
}

/// Returns where a place, by rows and columns from the point, lands in each image.
fn images(down: i16, right: i16) -> [usize; 8] {
    let mut images = [0; 8];
    for (way, image) in images.iter_mut().enumerate() {
        let (mut row, mut column) = if way & 4 != 0 { (right, down) } else { (down, right) };
        if way & 2 != 0 {
            row = -row;
        }
        if way & 1 != 0 {
            column = -column;
        }
        let place = (row + REACH) * WIDTH + column + REACH;
        *image = usize::try_from(place).unwrap_or(0);
    }
    images
}

/// Returns the words of the contents of a place, by image.
fn words(down: i16, right: i16, what: usize) -> Hashes {
    images(down, right).map(|place| word(place, what))
}

/// Returns the ring of a place; `None` if it is in none.
fn ring(down: i16, right: i16) -> Option<usize> {
    let (far, near) = (down.abs().max(right.abs()), down.abs().min(right.abs()));
    match (far, near) {
        (1, _) => Some(0),
        (2, 0) => Some(1),
        (2, _) => Some(2),
        (3, 0..=2) => Some(3),
        _ => None,
    }
}

/// The change of a pattern by a stone at a place, for Black and White; or by an edge.
#[derive(Clone, Copy, Debug)]
struct Change {
    down: i16,
    right: i16,
    ring: usize,
    /// By the contents: a black stone, a white one, off the board.
    words: [Ring; 3],
}

/// The tables of words, shared by all lines.
#[derive(Debug)]
pub struct Words {
    changes: Vec<Change>,
    /// The words of the last stone, by place.
    last: [Hashes; PLACES],
    /// The words of neighbouring chains with 1, 2 and 3 or more liberties: above, left, right,
    /// below.
    liberties: [[Hashes; 4]; 4],
}

/// The neighbours, in the order of [`Position::strides`].
const BESIDE: [(i16, i16); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

impl Words {
    /// Computes the tables.
    pub fn new() -> Self {
        let mut changes = Vec::new();
        let mut last = [[0; 8]; PLACES];
        let mut place = 0;
        for down in -REACH..=REACH {
            for right in -REACH..=REACH {
                last[place] = words(down, right, 4);
                place += 1;
                let Some(ring) = ring(down, right) else { continue };
                let [ours, theirs, edge] = [1, 2, 3].map(|what| words(down, right, what));
                let words = [[ours, theirs], [theirs, ours], [edge, edge]];
                changes.push(Change { down, right, ring, words });
            }
        }
        let liberties = [0, 5, 6, 7].map(|what| match what {
            0 => [[0; 8]; 4],
            what => BESIDE.map(|(down, right)| words(down, right, what)),
        });
        Self { changes, last, liberties }
    }

    /// Returns the words of the last stone, by its offset. `None` beyond the reach.
    pub fn last(&self, down: i16, right: i16) -> Option<&Hashes> {
        if down.abs() > REACH || right.abs() > REACH {
            return None;
        }
        self.last.get(usize::try_from((down + REACH) * WIDTH + right + REACH).ok()?)
    }

    /// Returns the words of a neighbouring chain with `count` liberties; from 3 on they are the
    /// same.
    pub fn liberties(&self, count: usize, beside: usize) -> &Hashes {
        &self.liberties[count.min(3)][beside.min(3)]
    }
}

/// The hashes around all points of a position.
#[derive(Clone, Debug)]
pub struct Patterns {
    points: Vec<[Ring; RINGS]>,
}

impl Patterns {
    /// Computes the patterns of a position.
    pub fn new(words: &Words, position: &Position) -> Self {
        let points = vec![[[[0; 8]; 2]; RINGS]; position.count().into()];
        let mut patterns = Self { points };
        let [rows, columns] = [position.rows(), position.columns()].map(u16::cast_signed);
        for row in -REACH..rows + REACH {
            for column in -REACH..columns + REACH {
                if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                    patterns.toggle(words, [rows, columns], [row, column], EDGE);
                }
            }
        }
        for (point, stone) in (0i16..).zip(position.points()) {
            patterns.toggle(words, [rows, columns], [point / columns, point % columns], stone);
        }
        patterns
    }

    /// Applies a move.
    pub fn follow(&mut self, words: &Words, ply: &Ply<'_, Go>) {
        let size = [ply.after.rows(), ply.after.columns()].map(u16::cast_signed);
        changes(ply, |place, old, new| {
            self.toggle(words, size, place, old);
            self.toggle(words, size, place, new);
        });
    }

    /// Adds or removes something at a place.
    fn toggle(&mut self, words: &Words, size: [i16; 2], place: [i16; 2], what: u8) {
        let Some(what) = usize::from(what).checked_sub(1) else { return };
        for change in &words.changes {
            // The point from which this place has that offset.
            let (row, column) = (place[0] - change.down, place[1] - change.right);
            if !(0..size[0]).contains(&row) || !(0..size[1]).contains(&column) {
                continue;
            }
            let point = usize::try_from(row * size[1] + column).unwrap_or(0);
            let Some(rings) = self.points.get_mut(point) else { continue };
            let ring = rings[change.ring].iter_mut().flatten();
            let words = change.words[what.min(2)].iter().flatten();
            ring.zip(words).for_each(|(hash, word)| *hash ^= word);
        }
    }

    /// Returns the hashes of the rings around a point, from the point of view of the player to
    /// move: each of a ring and all those within.
    pub fn around(&self, point: u16, white: bool) -> [Hashes; RINGS] {
        let mut around = [[0; 8]; RINGS];
        let Some(rings) = self.points.get(usize::from(point)) else { return around };
        let mut sum = [0; 8];
        for (out, ring) in around.iter_mut().zip(rings) {
            for (sum, hash) in sum.iter_mut().zip(&ring[usize::from(white)]) {
                *sum ^= hash;
            }
            *out = sum;
        }
        around
    }
}

/// Calls `changed` for each point that a move changes, by row and column, with its contents before
/// and after.
pub fn changes(ply: &Ply<'_, Go>, mut changed: impl FnMut([i16; 2], u8, u8)) {
    let (before, after) = (ply.before, ply.after);
    let mut look = |at: usize| {
        let at_index = |position: &Position| position.array().get(at).copied().unwrap_or(EDGE);
        let (old, new) = (at_index(before), at_index(after));
        if old != new
            && let Some((row, column)) = after.padded().place(at)
        {
            changed([row.cast_signed(), column.cast_signed()], old, new);
        }
    };
    if before.captures() == after.captures() {
        look(after.index(ply.mv().point));
    } else {
        (0..after.array().len()).for_each(look);
    }
}

/// Iterates over the points whose patterns include this place.
#[cfg(feature = "full")]
pub fn seers(words: &Words, size: [i16; 2], place: [i16; 2]) -> impl Iterator<Item = u16> + '_ {
    words.changes.iter().filter_map(move |change| {
        let (row, column) = (place[0] - change.down, place[1] - change.right);
        let inside = (0..size[0]).contains(&row) && (0..size[1]).contains(&column);
        inside.then(|| (row * size[1] + column).unsigned_abs())
    })
}

/// Adds words to hashes.
pub fn with(hashes: &Hashes, words: &Hashes) -> Hashes {
    let mut sum = *hashes;
    sum.iter_mut().zip(words).for_each(|(hash, word)| *hash ^= word);
    sum
}

/// Returns the number of a pattern, below `count`: its least hash, scaled.
pub fn number(hashes: &Hashes, count: usize) -> usize {
    scaled(hashes.iter().copied().min().unwrap_or(0), count)
}

/// Scales the least of the hashes of the images to a number below `count`.
pub fn scaled(least: u32, count: usize) -> usize {
    // The least of eight numbers is small, so it is mixed once more.
    let mixed = mix(least.into()) >> 32;
    usize::try_from((mixed * count as u64) >> 32).unwrap_or(0)
}
