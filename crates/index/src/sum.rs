//! Sums over games.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_core::bits::truncated::{self, Form};

use plypack_core::Outcome;

use crate::occurrence::Summand;

/// The number of bits of a mean rating.
const RATING_BITS: u32 = 13;

/// The results, ratings and years of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number of games.
    pub records: u64,
    /// The number of games that White won, in xiangqi Red.
    pub white: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of games that Black won. The results of the remaining games are unknown.
    pub black: u64,
    /// The number of games with a rating: the mean of their players'.
    pub rated: u64,
    /// The sum of these ratings.
    pub rating_sum: u64,
    /// The last year in which one was played, if known.
    pub last_year: Option<u16>,
}

impl Sum {
    /// Counts a game.
    pub fn add(&mut self, summand: Summand) {
        self.records += 1;
        match summand.outcome {
            Some(Outcome::White) => self.white += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Black) => self.black += 1,
            None => {}
        }
        if let Some(rating) = summand.rating {
            self.rated += 1;
            self.rating_sum += u64::from(rating);
        }
        self.last_year = self.last_year.max(summand.year);
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Self) {
        self.records += other.records;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rated += other.rated;
        self.rating_sum += other.rating_sum;
        self.last_year = self.last_year.max(other.last_year);
    }

    /// The mean rating, rounded down; `None` if no game has one.
    pub fn mean_rating(&self) -> Option<u64> {
        self.rating_sum.checked_div(self.rated)
    }

    /// Appends the sum; `newest` is the last year of all sums written with it.
    pub(crate) fn write(&self, out: &mut BitWriter, newest: Option<u16>) {
        let told = self.white + self.draws + self.black;
        let counts = [self.white, self.draws, self.black, self.records - told];
        for count in counts.into_iter().chain([self.records - self.rated]) {
            golomb::write(out, u32::try_from(count).unwrap_or(u32::MAX), 0);
        }
        if let Some(mean) = self.mean_rating() {
            out.write(mean, RATING_BITS);
            let rated = u32::try_from(self.rated).unwrap_or(u32::MAX);
            let rest = u32::try_from(self.rating_sum % self.rated).unwrap_or(0);
            truncated::write(out, rest, rated, Form::Ascending);
        }
        if let Some(newest) = newest {
            out.write_bit(self.last_year.is_some());
            if let Some(year) = self.last_year {
                golomb::write(out, newest.saturating_sub(year).into(), 1);
            }
        }
    }

    /// Reads a sum of at least one game; `None` if the bits are not one.
    pub(crate) fn read(bits: &mut BitReader<'_>, newest: Option<u16>) -> Option<Self> {
        let mut count = || golomb::read(bits, 0).map(u64::from);
        let [white, draws, black, untold] = [count()?, count()?, count()?, count()?];
        let records = white + draws + black + untold;
        let rated = records.checked_sub(count()?).filter(|_| records > 0)?;
        let mut rating_sum = 0;
        if rated > 0 {
            let mean = bits.read(RATING_BITS)?;
            let parts = u32::try_from(rated).ok()?;
            let rest = truncated::read(bits, parts, Form::Ascending)?;
            rating_sum = mean * rated + u64::from(rest);
        }
        let mut last_year = None;
        if let Some(newest) = newest
            && bits.read_bit()?
        {
            let before = u16::try_from(golomb::read(bits, 1)?).ok()?;
            last_year = Some(newest.checked_sub(before)?);
        }
        Some(Self { records, white, draws, black, rated, rating_sum, last_year })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn summand() -> impl Strategy<Value = Summand> {
        let rating = proptest::option::of(0..=Summand::RATING_MAX);
        let fact = (0u8..4, rating, proptest::option::of(1_800u16..2_100));
        fact.prop_map(|(outcome, rating, year)| Summand {
            outcome: Outcome::of_number(outcome),
            rating,
            year,
        })
    }

    fn sum(facts: &[Summand]) -> Sum {
        let mut sum = Sum::default();
        facts.iter().for_each(|fact| sum.add(*fact));
        sum
    }

    proptest! {
        /// Whatever a sum has is merged, written and read.
        #[test]
        fn sums_are_merged_and_come_back(
            facts in proptest::collection::vec(summand(), 1..20),
            part in 0usize..20,
        ) {
            let whole = sum(&facts);
            let (some, others) = facts.split_at(part.min(facts.len()));
            let mut merged = sum(some);
            merged.merge(&sum(others));
            prop_assert_eq!(merged, whole);
            let newest = whole.last_year.map(|year| year + 3);
            let mut bits = BitWriter::new();
            whole.write(&mut bits, newest);
            let bytes = bits.into_bytes();
            prop_assert_eq!(Sum::read(&mut BitReader::new(&bytes), newest), Some(whole));
        }
    }
}
