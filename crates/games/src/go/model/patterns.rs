//! What stands around each point, as hashes that rotations and mirror images share. They follow the
//! stones as these come and go.

use plypack_core::Ply;
use plypack_core::key::mix;

use crate::go::rules::EDGE;
use crate::go::{Go, Position};

/// How far a pattern reaches.
const REACH: i16 = 3;

/// How many places a row of the square around a point has.
const WIDTH: i16 = 2 * REACH + 1;

/// The places of that square.
const PLACES: usize = (WIDTH * WIDTH) as usize;

/// How many rings there are: the eight points around; the four at a distance of two; the rest of
/// five rows; the rest of seven rows but the corners.
pub const RINGS: usize = 4;

/// A hash for each of the eight images of the board.
pub type Hashes = [u32; 8];

/// The hashes of a ring, as Black sees it and as White does.
type Ring = [Hashes; 2];

/// The word of a place and what stands there: 1 ours, 2 theirs, 3 no point, 4 the last stone.
#[must_use]
pub fn word(place: usize, what: usize) -> u32 {
    let word = mix((place * 8 + what) as u64);
    u32::try_from(word >> 32).unwrap_or(0)
}

/// Where a place, by rows and columns from the point, lands in each image.
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

/// The words of what stands at a place, by image.
fn words(down: i16, right: i16, what: usize) -> Hashes {
    images(down, right).map(|place| word(place, what))
}

/// The ring of a place. `None` if it is in none.
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

/// What a stone at a place changes, for Black and White; or an edge.
#[derive(Clone, Copy, Debug)]
struct Change {
    down: i16,
    right: i16,
    ring: usize,
    /// By what stands there: a black stone, a white one, no point.
    words: [Ring; 3],
}

/// The tables of words, the same for every line.
#[derive(Debug)]
pub struct Words {
    changes: Vec<Change>,
    /// The words of the last stone, by place.
    last: [Hashes; PLACES],
    /// The words of chains of 1, 2 and 3 or more liberties beside the point: above, left, right,
    /// below.
    liberties: [[Hashes; 4]; 4],
}

/// The neighbours, in the order in which positions list them.
const BESIDE: [(i16, i16); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

impl Words {
    /// Works out the tables.
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

    /// The words of the last stone, so far down and to the right. `None` beyond the reach.
    pub fn last(&self, down: i16, right: i16) -> Option<&Hashes> {
        if down.abs() > REACH || right.abs() > REACH {
            return None;
        }
        self.last.get(usize::try_from((down + REACH) * WIDTH + right + REACH).ok()?)
    }

    /// The words of a chain with so many liberties, at most 3, beside the point.
    pub fn liberties(&self, count: usize, beside: usize) -> &Hashes {
        &self.liberties[count.min(3)][beside.min(3)]
    }
}

/// The hashes of all points of a position.
#[derive(Clone, Debug)]
pub struct Patterns {
    points: Vec<[Ring; RINGS]>,
}

impl Patterns {
    /// The patterns of a position.
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

    /// Follows a move.
    pub fn follow(&mut self, words: &Words, ply: &Ply<'_, Go>) {
        let size = [ply.after.rows(), ply.after.columns()].map(u16::cast_signed);
        changes(ply, |place, old, new| {
            self.toggle(words, size, place, old);
            self.toggle(words, size, place, new);
        });
    }

    /// Puts something at a place, or takes it away.
    fn toggle(&mut self, words: &Words, size: [i16; 2], place: [i16; 2], what: u8) {
        let Some(what) = usize::from(what).checked_sub(1) else { return };
        for change in &words.changes {
            // The point that sees this place so far away.
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

    /// The hashes of the rings around a point, as the player to move sees them: of each ring and
    /// those within.
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

/// Calls `changed` for each point, by row and column, that a move changes, with what stood there
/// and what does now.
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

/// The points, by row and column, whose patterns see this place.
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

/// The number of a pattern, of so many: its least hash, scaled down.
pub fn number(hashes: &Hashes, count: usize) -> usize {
    scaled(hashes.iter().copied().min().unwrap_or(0), count)
}

/// The number, of so many, that the least of the hashes of something's images gives.
pub fn scaled(least: u32, count: usize) -> usize {
    // The least of eight numbers is small: it is mixed once more.
    let mixed = mix(least.into()) >> 32;
    usize::try_from((mixed * count as u64) >> 32).unwrap_or(0)
}
