//! Results of a player or of an event, year by year.

use std::collections::BTreeMap;

use plypack::store::facts::{Fact, Outcome};
use plypack::store::find::{Order, Question, find};
use serde_json::{Value, json};

use crate::explorer::answer::Stop;
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::names;

/// The rows whose columns are read at once.
pub const CHUNK: usize = 1_024;

/// Games, and those with a result, as one of their players sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// All games; those without a result are neither won, drawn nor lost.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    /// Adds a game of the player who is White, or of the other one.
    pub fn add(&mut self, outcome: Option<Outcome>, is_white: bool) {
        self.games += 1;
        match outcome {
            None => {}
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::White) if is_white => self.wins += 1,
            Some(Outcome::Black) if !is_white => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }

    /// Returns it as an object.
    pub fn object(&self) -> Value {
        let Self { games, wins, draws, losses } = self;
        json!({ "games": games, "wins": wins, "draws": draws, "losses": losses })
    }

    /// Twice the points.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }
}

/// Scores by year; games without a date come last.
#[derive(Clone, Debug, Default)]
pub struct Years(BTreeMap<u16, Score>);

impl Years {
    /// Adds a game.
    pub fn add(&mut self, fact: &Fact, is_white: bool) {
        let score = self.0.entry(fact.year.unwrap_or(u16::MAX)).or_default();
        score.add(fact.outcome, is_white);
    }

    /// The first and the last year that is known.
    pub fn span(&self) -> (Option<u16>, Option<u16>) {
        let mut known = self.0.keys().copied().filter(|&year| year < u16::MAX);
        let first = known.next();
        (first, known.next_back().or(first))
    }

    /// Returns them as a list.
    pub fn list(&self) -> Vec<Value> {
        let one = |(&year, score): (&u16, &Score)| {
            let mut object = score.object();
            object["year"] = Some(year).filter(|&year| year < u16::MAX).into();
            object
        };
        self.0.iter().map(one).collect()
    }
}

/// Returns the rows of each file whose games meet a condition, ascending.
///
/// # Errors
/// Returns an error if a file cannot be read, or the work was stopped.
pub fn rows(database: &Database, condition: &str, stop: &Stop) -> Result<Vec<Vec<u64>>, Refusal> {
    let condition = names::condition(condition)?;
    let question = Question { condition: Some(&condition), ..Question::default() };
    let mut rows = vec![Vec::new(); database.files().len()];
    find(database.files(), &question, Order::Stored, u64::MAX, &stop.work(), &mut |game| {
        if let Some(rows) = rows.get_mut(game.file) {
            rows.push(game.row);
        }
        Ok(())
    })?;
    Ok(rows)
}
