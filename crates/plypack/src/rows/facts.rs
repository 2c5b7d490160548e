//! Facts about a game, for counting and sorting games: how it ended, the players, their ratings,
//! and the date.

use chrono::{Datelike, NaiveDate};

pub use plypack_core::Outcome;

use crate::rows::tag_value::{self, TagType};

/// Facts about a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// The year of its date, from 1 to 9999.
    pub year: Option<u16>,
    /// The day of its date, if the date is complete, in days since 1970-01-01.
    pub day: Option<i32>,
}

/// The players of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Players {
    /// White; in xiangqi Red.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
}

impl Fact {
    /// The mean of the known ratings, rounded down.
    pub fn rating(&self) -> Option<u16> {
        match (self.white_rating, self.black_rating) {
            (Some(white), Some(black)) => Some(white.midpoint(black)),
            (white, black) => white.or(black),
        }
    }
    /// The year and the month in which it was played, if its day is known.
    pub fn month(&self) -> Option<(i32, u32)> {
        let date = NaiveDate::from_epoch_days(self.day?)?;
        Some((date.year(), date.month()))
    }
}

/// The year that a date begins with, from 1 to 9999: its first four digits, unless there are more.
pub fn year_of(date: &str) -> Option<u16> {
    let (year, rest) = date.split_at_checked(4)?;
    let digits = year.bytes().all(|byte| byte.is_ascii_digit());
    let more = rest.starts_with(|letter: char| letter.is_ascii_digit());
    year.parse().ok().filter(|&year| digits && !more && year > 0)
}

/// The tag of the first player in xiangqi.
pub const RED: &str = "Red";

/// The tag for the number of Black's discs, of 64, at the end of a game of othello.
pub const BLACK_DISCS: &str = "BlackDiscs";

/// The rating that a number means: 0 stands for none.
pub fn rating(number: Option<i64>) -> Option<u16> {
    number.and_then(|number| u16::try_from(number).ok()).filter(|&rating| rating > 0)
}

/// How a game without a Result tag ended, as far as its layout tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The outcome that the word after the last move means, if any.
    Told(Option<Outcome>),
    /// Unknown without the record's bytes.
    Open,
}

impl Ending {
    /// The ending that a layout tells.
    pub fn of_layout(layout: &str) -> Self {
        let result = layout.split(' ').find_map(|word| word.strip_prefix("result="));
        Self::Told(result.and_then(Outcome::read))
    }

    /// The same, or [`Open`](Self::Open) if a patch may have changed the word.
    #[must_use]
    pub fn patched(self, is_patched: bool) -> Self {
        if is_patched { Self::Open } else { self }
    }
}

/// How a game without a Result tag ended, from the layout of its record, its patch and its bytes.
pub fn outcome_of_ending(layout: Option<&str>, patch: &[u8], bytes: &[u8]) -> Option<Outcome> {
    match layout.map_or(Ending::Open, Ending::of_layout).patched(!patch.is_empty()) {
        Ending::Told(told) => told,
        Ending::Open => outcome_of_bytes(bytes),
    }
}

/// The outcome of a game of othello that ended with this many black discs.
pub fn outcome_of_discs(black: &str) -> Option<Outcome> {
    Some(match black.parse::<u8>().ok()? {
        0..32 => Outcome::White,
        32 => Outcome::Draw,
        33..=64 => Outcome::Black,
        _ => return None,
    })
}

/// The facts in the tags of a record; `ending` gives the outcome from its bytes, where that is
/// needed.
pub fn of_tags<'a>(
    tag: &dyn Fn(&str) -> Option<&'a str>,
    ending: &dyn Fn() -> Option<Outcome>,
) -> (Fact, Players) {
    let read = |kind, name| tag_value::read(kind, tag(name)?);
    let rating = |name| rating(read(TagType::Number, name).map(i64::from));
    let year = || read(TagType::Date, "UTCDate").and_then(tag_value::year);
    let fact = Fact {
        outcome: match tag("Result") {
            Some(result) => Outcome::read(result),
            None => ending().or_else(|| outcome_of_discs(tag(BLACK_DISCS)?)),
        },
        white_rating: rating("WhiteElo"),
        black_rating: rating("BlackElo"),
        year: tag("Date").and_then(year_of).or_else(year),
        day: None,
    };
    let name = |name: Option<&str>| name.map(str::to_owned);
    let white = name(tag("White").or_else(|| tag(RED)));
    (fact, Players { white, black: name(tag("Black")) })
}

/// The outcome that a record's last word means.
pub fn outcome_of_bytes(bytes: &[u8]) -> Option<Outcome> {
    let word = bytes.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next()?;
    // Other spellings may be words of a text.
    let word = std::str::from_utf8(word).ok().filter(|word| word.contains('-'))?;
    Outcome::read(word)
}
