//! Occurrences of positions in games, which the builder of an index sorts.

use plypack_core::Outcome;

/// The candidate of an occurrence at the end of its game.
pub const END: u16 = u16::MAX;

/// What a game adds to the sums of the positions that it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summand {
    /// How the game ended, if known.
    pub outcome: Option<Outcome>,
    /// The mean of the players' ratings, rounded down, or the only one known; at most
    /// [`RATING_MAX`](Self::RATING_MAX).
    pub rating: Option<u16>,
    /// The year in which it was played; at most [`YEAR_MAX`](Self::YEAR_MAX).
    pub year: Option<u16>,
}

impl Summand {
    /// The largest rating.
    pub const RATING_MAX: u16 = (1 << 13) - 2;
    /// The last year.
    pub const YEAR_MAX: u16 = (1 << 12) - 2;

    /// Returns it in 27 bits; numbers that are too large become the largest.
    pub fn to_bits(self) -> u32 {
        let part = |value: Option<u16>, most: u16| value.map_or(0, |v| u32::from(v.min(most)) + 1);
        let (rating, year) = (part(self.rating, Self::RATING_MAX), part(self.year, Self::YEAR_MAX));
        u32::from(Outcome::number(self.outcome)) << 25 | rating << 12 | year
    }

    /// Returns the summand of these bits.
    pub fn of_bits(bits: u32) -> Self {
        let part = |bits: u32| bits.checked_sub(1).and_then(|value| u16::try_from(value).ok());
        let rating = part(bits >> 12 & 0x1fff);
        Self {
            outcome: Outcome::of_number((bits >> 25 & 3) as u8),
            rating,
            year: part(bits & 0xfff),
        }
    }
}

/// An occurrence of a position in a game, and the move played there. Occurrences are sorted by
/// their fields in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// Where the position is listed ([`Spot::place`](crate::Spot::place)).
    pub place: u64,
    /// The position's key.
    pub key: u64,
    /// The position's second hash, which keeps positions with colliding keys apart.
    pub check: u32,
    /// The number of the game among those of the index, from 0.
    pub game: u32,
    /// The candidate that is played, or [`END`].
    pub candidate: u16,
    /// The number of plies that lead here; at most 65,535.
    pub ply: u16,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn facts_that_are_too_large_are_cut() {
        let summand = Summand { outcome: None, rating: Some(9_999), year: Some(u16::MAX) };
        let cut = Summand {
            outcome: None,
            rating: Some(Summand::RATING_MAX),
            year: Some(Summand::YEAR_MAX),
        };
        assert_eq!(Summand::of_bits(summand.to_bits()), cut);
        assert_eq!(Summand::of_bits(Summand::default().to_bits()), Summand::default());
    }

    proptest! {
        #[test]
        fn summands_come_back((outcome, rating, year) in (0u8..4, 0u16..8_191, 0u16..4_095)) {
            let summand = Summand {
                outcome: Outcome::of_number(outcome),
                rating: Some(rating),
                year: Some(year),
            };
            prop_assert_eq!(Summand::of_bits(summand.to_bits()), summand);
        }
    }
}
