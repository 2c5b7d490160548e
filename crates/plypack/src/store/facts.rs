//! Facts about games, for counting and sorting: results, players, ratings and dates.

pub(crate) use crate::rows::facts::{
    BLACK_DISCS, Ending, RED, of_tags, outcome_of_bytes, outcome_of_discs, outcome_of_ending,
    rating,
};
pub use crate::rows::facts::{Fact, Outcome, Players, year_of};

use crate::store::cells::Bounds;
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::tag_value;

/// The columns that the year is read from.
pub(crate) const YEARS: [&str; 3] = ["played_on", "Date", "UTCDate"];

impl PackedFile {
    /// Returns the facts of the games of a row group, one per row: of all rows, or of `rows` within
    /// the group, in ascending order.
    ///
    /// # Errors
    /// Returns an error if the file holds positions, has no such rows, or cannot be read, or if its
    /// column types are not ours.
    pub fn facts(&self, group: usize, rows: Option<&[u32]>) -> Result<Vec<Fact>, Error> {
        let mut facts = vec![Fact::default(); self.length(group, rows)?];
        let column = |name: &str| self.cells(group, rows, name);
        for (fact, outcome) in facts.iter_mut().zip(outcomes(self, group, rows)?) {
            fact.outcome = outcome;
        }
        for (fact, white) in facts.iter_mut().zip(column("WhiteElo")?.numbers()) {
            fact.white_rating = rating(white);
        }
        for (fact, black) in facts.iter_mut().zip(column("BlackElo")?.numbers()) {
            fact.black_rating = rating(black);
        }
        let (days, years) = days(self, group, rows)?;
        for ((fact, day), year) in facts.iter_mut().zip(days).zip(years) {
            (fact.day, fact.year) = (day, year);
        }
        Ok(facts)
    }

    /// Returns the players of the games of a row group, one per row: of all rows, or of `rows`
    /// within the group, in ascending order.
    ///
    /// # Errors
    /// Returns an error if the file holds positions, has no such rows, or cannot be read, or if its
    /// column types are not ours.
    pub fn players(&self, group: usize, rows: Option<&[u32]>) -> Result<Vec<Players>, Error> {
        let mut players = vec![Players::default(); self.length(group, rows)?];
        for (player, white) in players.iter_mut().zip(self.cells(group, rows, "White")?.texts()) {
            player.white = white.map(str::to_owned);
        }
        for (player, black) in players.iter_mut().zip(self.cells(group, rows, "Black")?.texts()) {
            player.black = black.map(str::to_owned);
        }
        let lacks = players.iter().any(|player| player.white.is_none());
        if lacks && self.may_have_tag(group, rows, RED)? {
            let tags = self.cells(group, rows, "tags")?;
            for (player, red) in players.iter_mut().zip(tags.tags(RED)) {
                if player.white.is_none() {
                    player.white = red.map(str::to_owned);
                }
            }
        }
        Ok(players)
    }

    /// Returns whether some of these rows may have a tag of this name without a column of its own:
    /// the lists of tag names are smaller than the tags.
    pub(crate) fn may_have_tag(
        &self,
        group: usize,
        rows: Option<&[u32]>,
        name: &str,
    ) -> Result<bool, Error> {
        let may_be = match self.bounds(group, "tags.key") {
            Bounds::Nothing => false,
            // Capitals sort before small letters.
            Bounds::Texts(least, most) => {
                name.to_ascii_lowercase().as_bytes() >= least
                    && name.to_ascii_uppercase().as_bytes() <= most
            }
            _ => true,
        };
        if !may_be {
            return Ok(false);
        }
        let has = |order: &str| order.split(' ').any(|tag| tag.eq_ignore_ascii_case(name));
        let orders = self.cells(group, rows, "tag_order")?.ask_texts(has);
        Ok(orders.present.count_set_bits() < orders.present.len()
            || orders.yes.count_set_bits() > 0)
    }
}

/// Returns how games ended: from their Result tag; without one from the word after the last move;
/// in WTHOR from the number of discs.
fn outcomes(
    file: &PackedFile,
    group: usize,
    rows: Option<&[u32]>,
) -> Result<Vec<Option<Outcome>>, Error> {
    let results = file.cells(group, rows, "Result")?.of_texts(Outcome::read);
    let lacks = results.iter().any(Option::is_none);
    let mut outcomes: Vec<Option<Outcome>> = results.iter().copied().map(Option::flatten).collect();
    if !lacks {
        return Ok(outcomes);
    }
    let unsaid = |at: usize| results.get(at).is_none_or(Option::is_none);
    let layouts = file.cells(group, rows, "layout")?.of_texts(Ending::of_layout);
    let patched = file.cells(group, rows, "patch")?.presence();
    let mut odd = Vec::new();
    for (at, (outcome, layout)) in outcomes.iter_mut().zip(layouts).enumerate() {
        if !unsaid(at) {
            continue;
        }
        match layout.unwrap_or(Ending::Open).patched(patched.value(at)) {
            Ending::Told(told) => *outcome = told,
            Ending::Open => odd.push(at),
        }
    }
    if !odd.is_empty() {
        let row = |&at: &usize| match rows {
            Some(rows) => rows.get(at).and_then(|&row| usize::try_from(row).ok()),
            None => Some(at),
        };
        let runs = odd.iter().filter_map(row).map(|row| row..row + 1).collect();
        let records = file.read_game_rows(group, Some(runs), Wanted::All)?;
        for (record, &at) in odd.iter().enumerate() {
            // A record that cannot be decoded has no result.
            if let Some(((record, ..), outcome)) = records.record(record).zip(outcomes.get_mut(at))
                && let Ok(text) = record.render()
            {
                *outcome = outcome_of_bytes(&text);
            }
        }
    }
    if file.may_have_tag(group, rows, BLACK_DISCS)? {
        let tags = file.cells(group, rows, "tags")?;
        for (at, (outcome, discs)) in outcomes.iter_mut().zip(tags.tags(BLACK_DISCS)).enumerate() {
            if unsaid(at) {
                *outcome = outcome.or(discs.and_then(outcome_of_discs));
            }
        }
    }
    Ok(outcomes)
}

/// Returns the years of games' dates.
pub(crate) fn years(
    file: &PackedFile,
    group: usize,
    rows: Option<&[u32]>,
) -> Result<Vec<Option<u16>>, Error> {
    Ok(days(file, group, rows)?.1)
}

type Days = (Vec<Option<i32>>, Vec<Option<u16>>);

/// Returns the days and years of games' dates: from Date, or from UTCDate if Date has no year.
fn days(file: &PackedFile, group: usize, rows: Option<&[u32]>) -> Result<Days, Error> {
    let day = |day: Option<i64>| day.and_then(|day| i32::try_from(day).ok());
    let complete = file.cells(group, rows, "played_on")?;
    let mut days: Vec<Option<i32>> = complete.numbers().map(day).collect();
    let mut years: Vec<Option<u16>> =
        days.iter().map(|day| day.and_then(tag_value::year)).collect();
    let lacks = |years: &[Option<u16>]| years.iter().any(Option::is_none);
    if lacks(&years) {
        // `played_on` has the day of every complete date, unless a copy has lost the column.
        let is_lost = file.schema_type("played_on").is_none();
        let dates = file.cells(group, rows, "Date")?;
        for ((day, year), date) in days.iter_mut().zip(&mut years).zip(dates.texts()) {
            if let Some(date) = date.filter(|_| year.is_none()) {
                *day = if is_lost { tag_value::day(date) } else { None };
                *year = year_of(date);
            }
        }
    }
    if lacks(&years) {
        let utc = file.cells(group, rows, "UTCDate")?;
        for ((found, year), utc) in days.iter_mut().zip(&mut years).zip(utc.numbers()) {
            if year.is_none() {
                *found = day(utc);
                *year = found.and_then(tag_value::year);
            }
        }
    }
    Ok((days, years))
}
