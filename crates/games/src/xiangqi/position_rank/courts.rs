//! Kings with their advisors and elephants.
//!
//! Points are counted from the player's own side, from the left: 4 is where the king starts.

use std::ops::RangeInclusive;

use super::pawns::{GROUNDS, grounds};

/// Number of points of half a board.
const HALF: usize = 45;

/// The points of a king, advisors and elephants, in ascending order.
const PALACE: [u8; 9] = [3, 4, 5, 12, 13, 14, 21, 22, 23];
const ADVISORS: [u8; 5] = [3, 5, 13, 21, 23];
const ELEPHANTS: [u8; 7] = [2, 6, 18, 22, 26, 38, 42];

/// Number of sets of at most two advisors, and of at most two elephants.
const PAIRS: [usize; 2] = [16, 29];

/// The most points that a court takes, for a king on its first rank that faces another king, with
/// two advisors and two elephants.
pub const SIZES: usize = 10;

/// A king with its advisors and elephants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Court {
    /// The king's point.
    pub king: u8,
    /// The points of advisors and elephants. No point belongs to both kinds.
    pub guards: u64,
    /// All points that are closed to other men.
    pub taken: u64,
}

/// All courts of one kind in order: by the number of points that they take, by the grounds that
/// they leave to pawns, then by the king's point, the advisors and the elephants.
#[derive(Debug)]
pub struct Courts {
    /// The guards, and in higher bits the king's point; compact, as it is read often.
    rows: Vec<u64>,
    /// By the king's point, the points before it that are kept empty.
    before: [u64; HALF],
    /// The numbers of points that courts take.
    sizes: RangeInclusive<usize>,
    /// By the number of points taken and the grounds left: the number of courts, and the number of
    /// courts before these.
    counts: [[u64; GROUNDS]; SIZES],
    starts: [[u64; GROUNDS]; SIZES],
    /// The index of each court in `rows`, by its code.
    places: Vec<u16>,
}

/// Returns the number of a set of at most two points of a list.
fn pair(list: &[u8], set: u64) -> usize {
    let place = |point: u32| list.iter().position(|&other| u32::from(other) == point).unwrap_or(0);
    match set.count_ones() {
        0 => 0,
        1 => 1 + place(set.trailing_zeros()),
        _ => {
            let (low, high) = (place(set.trailing_zeros()), place(set.ilog2()));
            1 + list.len() + high * (high - 1) / 2 + low
        }
    }
}

/// Iterates over all sets of at most two points of a list, in the order of their numbers.
fn pairs(list: &[u8]) -> impl Iterator<Item = u64> {
    let ones = list.iter().map(|&point| 1 << point);
    let twos = (0..list.len())
        .flat_map(move |high| list.iter().take(high).map(move |&low| 1 << low | 1 << list[high]));
    std::iter::once(0).chain(ones).chain(twos)
}

/// Returns the number of points that a court takes.
fn size_of(court: Option<&Court>) -> usize {
    court.map_or(0, |court| court.taken.count_ones() as usize)
}

/// Returns the points on a king's file between it and the river.
pub fn points_before(king: u8) -> u64 {
    (king + 9..45).step_by(9).fold(0, |set, point| set | 1 << point)
}

/// Returns the code of a court.
fn code(king: u8, guards: u64) -> usize {
    let of = |list: &[u8]| guards & list.iter().fold(0, |set, point| set | 1 << point);
    let king = PALACE.iter().position(|&point| point == king).unwrap_or(0);
    let advisors = pair(&ADVISORS, of(&ADVISORS));
    (king * PAIRS[0] + advisors) * PAIRS[1] + pair(&ELEPHANTS, of(&ELEPHANTS))
}

impl Courts {
    /// Builds the courts of all kings; or of kings on one file that face another king, with all
    /// points before them empty.
    pub fn new(file: Option<u8>) -> Self {
        let mut rows = Vec::new();
        let mut before = [0; HALF];
        for king in PALACE.into_iter().filter(|king| file.is_none_or(|file| king % 9 == file)) {
            if file.is_some() {
                before[usize::from(king)] = points_before(king);
            }
            let before = before[usize::from(king)];
            for advisors in pairs(&ADVISORS) {
                for elephants in pairs(&ELEPHANTS) {
                    let guards = advisors | elephants;
                    if guards & (before | 1 << king) == 0 {
                        rows.push(Court { king, guards, taken: before | guards | 1 << king });
                    }
                }
            }
        }
        rows.sort_by_key(|court| (court.taken.count_ones(), grounds(court.taken)));
        let mut courts = Self {
            rows: rows.iter().map(|court| u64::from(court.king) << HALF | court.guards).collect(),
            before,
            sizes: size_of(rows.first())..=size_of(rows.last()),
            counts: Default::default(),
            starts: Default::default(),
            places: vec![0; PALACE.len() * PAIRS[0] * PAIRS[1]],
        };
        for (place, court) in (0..).zip(&rows) {
            let (size, grounds) = (size_of(Some(court)), grounds(court.taken));
            if courts.counts[size][grounds] == 0 {
                courts.starts[size][grounds] = place.into();
            }
            courts.counts[size][grounds] += 1;
            courts.places[code(court.king, court.guards)] = place;
        }
        courts
    }

    /// Returns the fewest and the most points that a court takes.
    pub fn sizes(&self) -> RangeInclusive<usize> {
        self.sizes.clone()
    }

    /// Returns the number of courts that take `size` points and leave these grounds.
    pub fn count(&self, size: usize, grounds: usize) -> u64 {
        self.counts[size][grounds]
    }

    /// Returns the court of a king and its guards, and its number among those of its size and
    /// grounds.
    pub fn find(&self, king: u8, guards: u64) -> (Court, u64) {
        let place = self.places[code(king, guards)];
        let court = self.of(king, guards);
        let size = size_of(Some(&court));
        (court, u64::from(place) - self.starts[size][grounds(court.taken)])
    }

    /// Returns the court with this number among those that take `size` points and leave these
    /// grounds.
    pub fn court(&self, size: usize, grounds: usize, number: u64) -> Court {
        let place = usize::try_from(self.starts[size][grounds] + number);
        let row = self.rows[place.unwrap_or(0)];
        self.of((row >> HALF & 0x3f) as u8, row & ((1 << HALF) - 1))
    }

    fn of(&self, king: u8, guards: u64) -> Court {
        let taken = guards | 1 << king | self.before[usize::from(king)];
        Court { king, guards, taken }
    }
}
