//! Facts about all games of a file, kept in memory for servers.

use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate};
use plypack_index::{GROUPS, RATING_GROUPS};
use rayon::prelude::*;

use crate::store::error::Error;
use crate::store::facts::{Fact, Outcome};
use crate::store::file::PackedFile;

/// The speed of a game, by its `TimeControl`: the limits are lichess.org's, for an estimate of 40
/// moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Less than 30 seconds.
    UltraBullet,
    /// Less than 3 minutes.
    Bullet,
    /// Less than 8 minutes.
    Blitz,
    /// Less than 25 minutes.
    Rapid,
    /// 25 minutes or more.
    Classical,
    /// Days per move, or no clock.
    Correspondence,
}

impl Speed {
    /// All speeds, fastest first.
    pub const ALL: [Self; 6] = [
        Self::UltraBullet,
        Self::Bullet,
        Self::Blitz,
        Self::Rapid,
        Self::Classical,
        Self::Correspondence,
    ];

    /// Returns the speed of a `TimeControl` such as `300+3`, `600`, `40/7200:3600` or `-`; `None`
    /// if it cannot be parsed.
    pub fn of_time_control(text: &str) -> Option<Self> {
        if text == "-" {
            return Some(Self::Correspondence);
        }
        // The first of several periods decides: longer games are slow already.
        let period = text.split(':').next()?;
        let (moves, time) = match period.split_once('/') {
            Some((moves, time)) => (moves.parse::<u64>().ok()?, time),
            None => (40, period),
        };
        let (limit, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (limit, increment): (u64, u64) = (limit.parse().ok()?, increment.parse().ok()?);
        // A day per move.
        if moves <= 1 && limit >= 86_400 {
            return Some(Self::Correspondence);
        }
        Some(match limit.saturating_add(increment.saturating_mul(40)) {
            ..30 => Self::UltraBullet,
            30..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1_500 => Self::Rapid,
            _ => Self::Classical,
        })
    }

    fn number(self) -> u64 {
        Self::ALL.iter().zip(1..).find(|(speed, _)| **speed == self).map_or(0, |found| found.1)
    }

    fn of_number(number: u64) -> Option<Self> {
        Self::ALL.iter().zip(1..).find(|(_, its)| *its == number).map(|found| *found.0)
    }
}

/// Facts about each game of a file: eight bytes per game.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// From the lowest bit: 3 bits of speed, 2 of outcome, 13 for each of White's and Black's
    /// ratings, 14 for the year, and 9 for the day of the year. 0 is unknown.
    games: Vec<u64>,
}

const RATING_BITS: u32 = 13;
const YEAR_BITS: u32 = 14;
const DAY_BITS: u32 = 9;
const WHITE: u32 = 5;
const BLACK: u32 = WHITE + RATING_BITS;
const YEAR: u32 = BLACK + RATING_BITS;
const DAY: u32 = YEAR + YEAR_BITS;

impl Known {
    /// Reads the facts of all games of a file.
    ///
    /// # Errors
    /// Returns an error if the file holds positions or cannot be read.
    pub fn read(file: &PackedFile) -> Result<Self, Error> {
        let group = |group| {
            let facts = file.facts(group, None)?;
            let speeds = file.cells(group, None, "TimeControl")?;
            let speeds = speeds.of_texts(Speed::of_time_control);
            let games = facts.iter().zip(speeds);
            Ok(games.map(|(fact, speed)| pack(fact, speed.flatten())).collect())
        };
        let groups: Result<Vec<Vec<u64>>, Error> =
            (0..file.groups()).into_par_iter().map(group).collect();
        Ok(Self { games: groups?.concat() })
    }

    /// Returns the facts of the game in this row; ratings above 8,190 are clamped.
    pub fn fact(&self, row: u64) -> Fact {
        let game = self.game(row);
        let number = |shift: u32, bits: u32| u16::try_from(game >> shift & ((1 << bits) - 1)).ok();
        let rating = |shift| number(shift, RATING_BITS).and_then(|rating| rating.checked_sub(1));
        let year = number(YEAR, YEAR_BITS).filter(|&year| year > 0);
        let ordinal = number(DAY, DAY_BITS).filter(|&day| day > 0);
        let date = year
            .zip(ordinal)
            .and_then(|(year, day)| NaiveDate::from_yo_opt(year.into(), day.into()));
        Fact {
            outcome: Outcome::of_number((game >> 3 & 3) as u8),
            white_rating: rating(WHITE),
            black_rating: rating(BLACK),
            year,
            day: date.map(|date| date.to_epoch_days()),
        }
    }

    /// Returns the speed of the game in this row.
    pub fn speed(&self, row: u64) -> Option<Speed> {
        Speed::of_number(self.game(row) & 7)
    }

    fn game(&self, row: u64) -> u64 {
        let game = usize::try_from(row).ok().and_then(|row| self.games.get(row));
        game.copied().unwrap_or_default()
    }
}

fn pack(fact: &Fact, speed: Option<Speed>) -> u64 {
    let rating = |rating: Option<u16>| {
        rating.map_or(0, |rating| u64::from(rating.min((1 << RATING_BITS) - 2)) + 1)
    };
    let outcome = u64::from(Outcome::number(fact.outcome));
    let date = fact.day.and_then(NaiveDate::from_epoch_days);
    let day = date.map_or(0, |date| u64::from(date.ordinal()));
    speed.map_or(0, Speed::number)
        | outcome << 3
        | rating(fact.white_rating) << WHITE
        | rating(fact.black_rating) << BLACK
        | u64::from(fact.year.unwrap_or(0)) << YEAR
        | day << DAY
}

/// Limits on games, checked against [`Known`] facts. `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Ranges for the mean of the known ratings. A game without ratings has 0.
    pub ratings: Option<Vec<RangeInclusive<u16>>>,
    /// The first day, in days since 1970-01-01. A game whose year alone is known may have been
    /// played on any day of it; a game of unknown year never matches.
    pub since: Option<i32>,
    /// The last day.
    pub until: Option<i32>,
    /// The game's outcome.
    pub outcome: Option<Outcome>,
    /// Allowed speeds; an unknown speed passes.
    pub speeds: Option<Vec<Speed>>,
}

impl Limits {
    /// Whether there is no limit.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Returns which rating groups ([`RATING_GROUPS`]) the limits admit, if ratings are their only
    /// limit and each range goes from the beginning of a group to the end of one.
    pub fn rating_groups(&self) -> Option<[bool; GROUPS]> {
        let Self { ratings: Some(ratings), since: None, until: None, outcome: None, speeds: None } =
            self
        else {
            return None;
        };
        let begins = |rating: u16| RATING_GROUPS.contains(&rating);
        let is_whole = |range: &RangeInclusive<u16>| {
            begins(*range.start()) && range.end().checked_add(1).is_none_or(begins)
        };
        let admits = |least| ratings.iter().any(|range| range.contains(&least));
        ratings.iter().all(is_whole).then(|| RATING_GROUPS.map(admits))
    }

    /// Whether a game is within the limits.
    pub fn admit(&self, fact: &Fact, speed: Option<Speed>) -> bool {
        let rated = |ratings: &Vec<RangeInclusive<u16>>| {
            let rating = fact.rating().unwrap_or(0);
            ratings.iter().any(|some| some.contains(&rating))
        };
        self.ratings.as_ref().is_none_or(rated)
            && self.outcome.is_none_or(|outcome| fact.outcome == Some(outcome))
            && self.is_in_time(fact)
            && self.speeds.as_ref().zip(speed).is_none_or(|(some, speed)| some.contains(&speed))
    }

    fn is_in_time(&self, fact: &Fact) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let days = match (fact.day, fact.year) {
            (Some(day), _) => Some((day, day)),
            (None, Some(year)) => days_of_year(year),
            (None, None) => None,
        };
        days.is_some_and(|(first, last)| {
            self.since.is_none_or(|since| last >= since)
                && self.until.is_none_or(|until| first <= until)
        })
    }
}

/// Returns the first and the last day of a year, in days since 1970-01-01.
fn days_of_year(year: u16) -> Option<(i32, i32)> {
    let day = |month, day| NaiveDate::from_ymd_opt(year.into(), month, day);
    Some((day(1, 1)?.to_epoch_days(), day(12, 31)?.to_epoch_days()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_those_of_the_time_control() {
        let speed = Speed::of_time_control;
        assert_eq!(speed("15+0"), Some(Speed::UltraBullet));
        assert_eq!(speed("60+1"), Some(Speed::Bullet));
        assert_eq!(speed("180+2"), Some(Speed::Blitz));
        assert_eq!(speed("600"), Some(Speed::Rapid));
        assert_eq!(speed("40/7200:3600"), Some(Speed::Classical));
        assert_eq!(speed("-"), Some(Speed::Correspondence));
        assert_eq!(speed("1/259200"), Some(Speed::Correspondence));
        for text in ["", "?", "blitz", "3+", "99999999999999999999999"] {
            assert_eq!(speed(text), None, "{text}");
        }
    }

    #[test]
    fn a_year_is_all_of_its_days() {
        let day = |text: &str| crate::store::tag_value::day(text);
        let year = Fact { year: Some(2014), ..Fact::default() };
        let limits = |since: Option<&str>, until: Option<&str>| Limits {
            since: since.and_then(&day),
            until: until.and_then(&day),
            ..Limits::default()
        };
        assert!(limits(Some("2014.12.31"), None).admit(&year, None));
        assert!(limits(None, Some("2014.01.01")).admit(&year, None));
        assert!(!limits(Some("2015.01.01"), None).admit(&year, None));
        assert!(!limits(None, Some("2013.12.31")).admit(&year, None));
        assert!(!limits(Some("2000.01.01"), None).admit(&Fact::default(), None));
        assert!(limits(None, None).admit(&Fact::default(), None));
    }

    #[test]
    fn groups_of_ratings_are_admitted_whole_or_not_at_all() {
        let of = |ratings: &[RangeInclusive<u16>]| Limits {
            ratings: Some(ratings.to_vec()),
            ..Limits::default()
        };
        let groups = |ratings: &[RangeInclusive<u16>]| {
            let groups = of(ratings).rating_groups()?;
            Some(RATING_GROUPS.into_iter().zip(groups).filter(|one| one.1).map(|one| one.0))
        };
        let groups = |ratings| groups(ratings).map(|groups| groups.collect::<Vec<u16>>());
        assert_eq!(groups(&[2_500..=u16::MAX]), Some(vec![2_500]));
        assert_eq!(groups(&[0..=999, 1_800..=2_199]), Some(vec![0, 1_800, 2_000]));
        assert_eq!(groups(&[0..=u16::MAX]), Some(RATING_GROUPS.to_vec()));
        assert_eq!(groups(&[]), Some(Vec::new()));
        for ratings in [&[2_501..=u16::MAX][..], &[0..=998], &[0..=999, 1_000..=1_200]] {
            assert_eq!(groups(ratings), None, "{ratings:?}");
        }
        let ratings = Some(vec![2_500..=u16::MAX]);
        assert_eq!(Limits::default().rating_groups(), None);
        assert_eq!(Limits { ratings, since: Some(0), ..Limits::default() }.rating_groups(), None);
    }

    #[test]
    fn what_is_known_comes_back() {
        let outcomes = [None, Some(Outcome::White), Some(Outcome::Draw), Some(Outcome::Black)];
        let ratings = [None, Some(0), Some(2_882), Some(8_190)];
        let days = [None, Some(-719_162), Some(0), Some(59), Some(365), Some(2_932_896)];
        let speeds = Speed::ALL.into_iter().map(Some).chain([None]);
        for (at, speed) in speeds.cycle().take(96).enumerate() {
            let (outcome, day) = (outcomes[at % 4], days[at % 6]);
            let (white_rating, black_rating) = (ratings[at / 4 % 4], ratings[at / 16 % 4]);
            let year = day.map_or(Some(1999), crate::store::tag_value::year);
            let fact = Fact { outcome, white_rating, black_rating, year, day };
            let known = Known { games: vec![0, pack(&fact, speed)] };
            assert_eq!((known.fact(1), known.speed(1)), (fact, speed));
            assert_eq!((known.fact(0), known.speed(2)), (Fact::default(), None));
        }
        let fact = Fact { white_rating: Some(u16::MAX), ..Fact::default() };
        let known = Known { games: vec![pack(&fact, None)] };
        assert_eq!(known.fact(0).white_rating, Some(8_190));
    }
}
