//! What became of games that reach a position, added up.

use crate::facts::{Fact, Outcome};

/// Games, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many there are.
    pub records: u64,
    /// How many White won, or who else begins.
    pub white: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many Black won. Games without a result are none of the three.
    pub black: u64,
    /// How many have a rating: the mean of their players', as far as those are known.
    pub rated: u64,
    /// The sum of these ratings.
    pub rating_sum: u64,
    /// The year of the last game whose year is known.
    pub last_year: Option<u16>,
}

impl Sum {
    /// Adds a game.
    pub(super) fn add(&mut self, fact: &Fact) {
        self.records += 1;
        match fact.outcome {
            Some(Outcome::White) => self.white += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Black) => self.black += 1,
            None => {}
        }
        if let Some(rating) = fact.rating() {
            self.rated += 1;
            self.rating_sum = self.rating_sum.saturating_add(rating.into());
        }
        self.last_year = self.last_year.max(fact.year);
    }

    /// Adds games that are none of those so far.
    pub(super) fn merge(&mut self, other: &Self) {
        self.records = self.records.saturating_add(other.records);
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
        self.black = self.black.saturating_add(other.black);
        self.rated = self.rated.saturating_add(other.rated);
        self.rating_sum = self.rating_sum.saturating_add(other.rating_sum);
        self.last_year = self.last_year.max(other.last_year);
    }

    /// The mean rating of the games that have one.
    #[must_use]
    pub fn mean_rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.rating_sum as f64 / self.rated as f64)
    }
}

/// A move that was played, and what became of the games in which it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSum {
    /// The candidate.
    pub candidate: u16,
    /// The games.
    pub sum: Sum,
}

/// A game that reached the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its row, counted from 0 over its file.
    pub row: u64,
    /// The candidate that was played there first; `None` if the game ended there.
    pub candidate: Option<u16>,
    /// Its players.
    pub white: String,
    pub black: String,
    pub white_rating: Option<u16>,
    pub black_rating: Option<u16>,
    pub year: Option<u16>,
    pub outcome: Option<Outcome>,
}
