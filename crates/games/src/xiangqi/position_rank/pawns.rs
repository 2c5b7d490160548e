//! Pawns that have not crossed the river, at most one on each of their five files.
//!
//! Points are counted from the player's own side, from the left: 27 is the first of the pawns'
//! rank, 36 is ahead of it.

/// The two points of each file.
const FILES: [[u64; 2]; 5] = [
    [1 << 27, 1 << 36],
    [1 << 29, 1 << 38],
    [1 << 31, 1 << 40],
    [1 << 33, 1 << 42],
    [1 << 35, 1 << 44],
];

/// Number of kinds of grounds for the pawns, by which of their points are closed to them.
pub const GROUNDS: usize = 8;

/// Points that an elephant may occupy, and the file that facing kings keep empty.
const CLOSED: [u64; 3] = [1 << 38, 1 << 42, 1 << 31 | 1 << 40];

/// The largest number of pawns, plus one.
pub const COUNTS: usize = 6;

/// Returns the grounds that these points leave.
pub fn grounds(taken: u64) -> usize {
    (0..).zip(CLOSED).map(|(place, points)| usize::from(taken & points != 0) << place).sum()
}

/// All ways to place pawns.
#[derive(Debug)]
pub struct Pawns {
    /// By grounds and by the number of pawns.
    sets: [[Vec<u64>; COUNTS]; GROUNDS],
    /// By grounds and by [`digits`], the index of a set among those with as many pawns.
    places: Vec<[u8; 243]>,
}

/// Returns a number below 3^5 for each set of pawns, with a digit for each file from the left: 0
/// for none, 1 for a pawn on the first point, 2 for one on the second.
fn digits(set: u64) -> usize {
    FILES.iter().fold(0, |digits, file| {
        let digit = file.iter().position(|point| set & point != 0).map_or(0, |place| place + 1);
        digits * 3 + digit
    })
}

impl Pawns {
    pub fn new() -> Self {
        let mut pawns = Self { sets: Default::default(), places: vec![[0; 243]; GROUNDS] };
        for number in 0..243 {
            let mut rest = number;
            let mut set = 0;
            for [first, second] in FILES.into_iter().rev() {
                set |= [0, first, second][rest % 3];
                rest /= 3;
            }
            let count = set.count_ones() as usize;
            for (grounds, places) in pawns.places.iter_mut().enumerate() {
                let closed = (0..3).filter(|place| grounds >> place & 1 == 1);
                if closed.map(|place| CLOSED[place]).any(|points| set & points != 0) {
                    continue;
                }
                let sets = &mut pawns.sets[grounds][count];
                // There are at most 80 sets with as many pawns.
                places[number] = u8::try_from(sets.len()).unwrap_or(u8::MAX);
                sets.push(set);
            }
        }
        pawns
    }

    /// Returns the number of sets of `pawns` pawns.
    pub fn count(&self, grounds: usize, pawns: usize) -> u64 {
        self.sets[grounds][pawns].len() as u64
    }

    /// Returns the number of a set among those with as many pawns.
    pub fn number(&self, grounds: usize, set: u64) -> u64 {
        self.places[grounds][digits(set)].into()
    }

    /// Returns the set of `pawns` pawns with this number.
    pub fn set(&self, grounds: usize, pawns: usize, number: u64) -> u64 {
        let place = usize::try_from(number);
        place.ok().and_then(|place| self.sets[grounds][pawns].get(place)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted() {
        let pawns = Pawns::new();
        let all: Vec<_> = (0..COUNTS).map(|count| pawns.count(0, count)).collect();
        assert_eq!(all, [1, 10, 40, 80, 80, 32]);
        // Two of the points are taken and a file is closed: 1 + 3 x 2 + ...
        let fewest: Vec<_> = (0..COUNTS).map(|count| pawns.count(7, count)).collect();
        assert_eq!(fewest, [1, 6, 13, 12, 4, 0]);
    }

    #[test]
    fn sets_have_numbers_in_a_row() {
        let pawns = Pawns::new();
        for grounds in 0..GROUNDS {
            for count in 0..COUNTS {
                for number in 0..pawns.count(grounds, count) {
                    let set = pawns.set(grounds, count, number);
                    assert_eq!(set.count_ones() as usize, count);
                    assert_eq!(pawns.number(grounds, set), number);
                }
            }
        }
    }
}
