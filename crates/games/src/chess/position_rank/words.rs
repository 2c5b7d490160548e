//! The kinds of one side's pieces as numbers, given their squares.
//!
//! A *word* names the kind of each free piece, in the order of the squares. The words of the same
//! number of pieces, with the same number of promoted men, form a set; in it the words of one
//! *army* are consecutive.

use super::placement::{BISHOP, KING, KNIGHT, QUEEN, ROOK};
use super::subsets::{Squares, below, choose, open, rank, union, unrank};

/// The largest number of pieces of a side.
pub const PIECES_MAX: usize = 16;

/// The largest number of promoted men of a side.
pub const PROMOTED_MAX: usize = 8;

/// The numbers of queens, rooks, bishops and knights. The king is one more free piece if castling
/// rights pin no rook; otherwise it is pinned, too.
#[derive(Clone, Copy, Debug)]
pub struct Army {
    pub queens: usize,
    pub rooks: usize,
    pub bishops: usize,
    pub knights: usize,
}

/// A strict upper bound on the keys of armies: no side has ten queens.
const KEYS: usize = 10 << 12;

impl Army {
    fn men(self) -> usize {
        self.queens + self.rooks + self.bishops + self.knights
    }

    /// Returns the number of pieces, with the king if it is free.
    pub fn pieces(self, pinned: usize) -> usize {
        self.men() + usize::from(pinned == 0)
    }

    /// Returns the number of these men that must be promoted, given the pinned rooks besides.
    pub fn promoted(self, pinned: usize) -> usize {
        self.queens.saturating_sub(1)
            + self.rooks.saturating_sub(2 - pinned)
            + self.bishops.saturating_sub(2)
            + self.knights.saturating_sub(2)
    }

    /// Returns the army's number.
    fn key(self) -> usize {
        ((self.queens * 16 + self.rooks) * 16 + self.bishops) * 16 + self.knights
    }

    /// Returns the army with this key.
    fn of_key(key: usize) -> Self {
        Self { queens: key >> 12, rooks: key >> 8 & 15, bishops: key >> 4 & 15, knights: key & 15 }
    }

    /// Returns the number of words of the army, without the place of the king.
    fn words(self) -> u64 {
        let Self { rooks, bishops, knights, .. } = self;
        choose(self.men(), self.queens)
            * choose(rooks + bishops + knights, rooks)
            * choose(bishops + knights, bishops)
    }
}

/// What the words of a set have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set {
    /// The number of rooks that castling rights pin.
    pub pinned: usize,
    /// The number of promoted men, at most 8.
    pub promoted: usize,
    /// The number of free pieces, at most 16.
    pub pieces: usize,
}

/// All sets of words.
#[derive(Debug, Default)]
pub struct Words {
    /// The number of words of a set.
    sizes: Table<u64>,
    /// The keys of its armies, in ascending order, with the number of the first word of each.
    armies: Table<Vec<(usize, u64)>>,
}

/// By the fields of a set.
type Table<T> = [[[T; PIECES_MAX + 1]; PROMOTED_MAX + 1]; 3];

impl Words {
    pub fn new() -> Self {
        let mut words = Self::default();
        for pinned in 0..3 {
            for key in 0..KEYS {
                words.add(pinned, Army::of_key(key));
            }
        }
        words
    }

    /// Adds an army to its set, if there can be such a set.
    fn add(&mut self, pinned: usize, army: Army) {
        let (promoted, pieces) = (army.promoted(pinned), army.pieces(pinned));
        if promoted <= PROMOTED_MAX && pieces <= PIECES_MAX {
            let size = &mut self.sizes[pinned][promoted][pieces];
            self.armies[pinned][promoted][pieces].push((army.key(), *size));
            *size += army.words() * if pinned == 0 { pieces as u64 } else { 1 };
        }
    }

    /// Returns the number of words of the set.
    pub fn size(&self, set: Set) -> u64 {
        self.sizes[set.pinned][set.promoted][set.pieces]
    }

    fn armies(&self, set: Set) -> &[(usize, u64)] {
        &self.armies[set.pinned][set.promoted][set.pieces]
    }

    /// Returns the number of the word that an army spells on these bitboards. `None` if the army is
    /// not in the set.
    pub fn rank(&self, set: Set, army: Army, free: &[u64; 6]) -> Option<u64> {
        let key = army.key();
        let (_, start) = self.armies(set).iter().find(|found| found.0 == key)?;
        let Army { queens, rooks, bishops, knights } = army;
        let mut rest = union(free);
        let mut number = if set.pinned == 0 { below(rest, free[KING]) as u64 } else { 0 };
        rest ^= free[KING];
        for (kind, radix) in [
            (QUEEN, choose(army.men(), queens)),
            (ROOK, choose(rooks + bishops + knights, rooks)),
            (BISHOP, choose(bishops + knights, bishops)),
        ] {
            number = number * radix + rank(free[kind], rest);
            rest ^= free[kind];
        }
        Some(start + number)
    }

    /// Returns the bitboards of the word with this number, which must be below the size of the set,
    /// if the free pieces are on `board`.
    pub fn unrank(&self, set: Set, number: u64, board: u64) -> [u64; 6] {
        let mut boards = [0; 6];
        let Some(&(key, start)) = self.armies(set).iter().rfind(|army| army.1 <= number) else {
            return boards;
        };
        let Army { queens, rooks, bishops, knights } = Army::of_key(key);
        let mut number = number - start;
        // The last factor is divided out first.
        let mut cut = |size, limit| {
            let radix = choose(limit, size);
            let share = number % radix;
            number /= radix;
            unrank(share, size, limit)
        };
        let bishop_places = cut(bishops, bishops + knights);
        let rook_places = cut(rooks, rooks + bishops + knights);
        let queen_places = cut(queens, queens + rooks + bishops + knights);
        let king_place = if set.pinned == 0 { 1 << number } else { 0 };
        let squares = Squares::of(board);
        let mut taken = 0;
        let mut put = |places| {
            let places = open(places, taken);
            taken |= places;
            squares.at(places)
        };
        boards[KING] = put(king_place);
        boards[QUEEN] = put(queen_places);
        boards[ROOK] = put(rook_places);
        boards[BISHOP] = put(bishop_places);
        boards[KNIGHT] = board ^ boards.iter().sum::<u64>();
        boards
    }
}

/// Returns the largest number of free pieces with this many rooks pinned and this many men
/// promoted.
pub fn most_pieces(pinned: usize, promoted: usize) -> usize {
    let initial = if pinned == 0 { 8 } else { 7 - pinned };
    initial + promoted
}
