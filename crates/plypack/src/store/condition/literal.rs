//! Comparisons, and the literals of a condition.

use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate};

use crate::store::tag_value;

/// A comparison of two values. `<>` is [`Self::Equal`], negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the equivalent comparison with its sides swapped.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// Whether the comparison holds between two values.
    pub(super) fn is<T: PartialOrd + ?Sized>(self, value: &T, other: &T) -> bool {
        match self {
            Self::Equal => value == other,
            Self::Less => value < other,
            Self::LessOrEqual => value <= other,
            Self::Greater => value > other,
            Self::GreaterOrEqual => value >= other,
        }
    }

    /// Whether the comparison may hold between some value from `least` to `most`, and `other`.
    pub(super) fn may_be<T: PartialOrd + ?Sized>(self, least: &T, most: &T, other: &T) -> bool {
        match self {
            Self::Equal => least <= other && other <= most,
            Self::Less | Self::LessOrEqual => self.is(least, other),
            Self::Greater | Self::GreaterOrEqual => self.is(most, other),
        }
    }
}

/// A number literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    /// The largest integer that is not greater.
    floor: i64,
    is_whole: bool,
    /// The value as floating point.
    pub value: f64,
}

impl Number {
    /// Parses digits, with an optional sign and decimal point.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        let is_whole = fraction.bytes().all(|byte| byte == b'0');
        // A number too large for a column is greater than all its values.
        let number = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(i64::MAX) };
        let floor = match (negative, is_whole) {
            (false, _) => number,
            (true, true) => -number,
            (true, false) => (-number).saturating_sub(1),
        };
        Some(Self { floor, is_whole, value: text.parse().ok()? })
    }

    /// Returns the integer, if the number is one.
    pub(super) fn whole(self) -> Option<i64> {
        self.is_whole.then_some(self.floor)
    }

    /// Returns the range of integers for which the comparison holds.
    pub(super) fn range(self, comparison: Comparison) -> Option<(i64, i64)> {
        let (least, most) = match comparison {
            Comparison::Equal => (self.whole()?, self.floor),
            Comparison::Less if self.is_whole => (i64::MIN, self.floor.checked_sub(1)?),
            Comparison::Less | Comparison::LessOrEqual => (i64::MIN, self.floor),
            Comparison::GreaterOrEqual if self.is_whole => (self.floor, i64::MAX),
            Comparison::Greater | Comparison::GreaterOrEqual => {
                (self.floor.checked_add(1)?, i64::MAX)
            }
        };
        Some((least, most))
    }
}

/// Returns the first and the last day of a literal year, month or day, each as `2020-01-31`; `None`
/// if it is not a date.
pub fn days(literal: &str) -> Option<(String, String)> {
    let days = span(literal)?;
    let epoch = NaiveDate::default().num_days_from_ce();
    let text = |day: i32| Some(NaiveDate::from_num_days_from_ce_opt(day + epoch)?.to_string());
    Some((text(*days.start())?, text(*days.end())?))
}

/// Returns the days of a literal year, month or day, in days since 1970-01-01; `None` if it is not
/// a date.
pub fn span(literal: &str) -> Option<RangeInclusive<i32>> {
    Span::of_literal(literal).map(|span| span.first..=span.last)
}

/// The range of days that a date may denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The first day, in days since 1970-01-01.
    pub first: i32,
    /// The last day.
    pub last: i32,
}

impl Span {
    /// Returns the days of a year.
    pub(super) fn year(year: u16) -> Option<Self> {
        if year == 0 || year > 9999 {
            return None;
        }
        Self::of(i32::from(year), None, None)
    }

    pub(super) fn day(day: i32) -> Self {
        Self { first: day, last: day }
    }

    fn of(year: i32, month: Option<u32>, day: Option<u32>) -> Option<Self> {
        let epoch = NaiveDate::default().num_days_from_ce();
        let at = |month, day| {
            Some(NaiveDate::from_ymd_opt(year, month, day)?.num_days_from_ce() - epoch)
        };
        let last_of = |month| (28..=31).rev().find_map(|day| at(month, day));
        Some(match (month, day) {
            (Some(month), Some(day)) => Self::day(at(month, day)?),
            (Some(month), None) => Self { first: at(month, 1)?, last: last_of(month)? },
            (None, _) => Self { first: at(1, 1)?, last: at(12, 31)? },
        })
    }

    /// Returns the days that a game's date may denote: unknown or nonexistent parts are open.
    /// `None` without a year.
    pub(super) fn of_value(text: &str) -> Option<Self> {
        if let Some(day) = tag_value::day(text) {
            return Some(Self::day(day));
        }
        let year = crate::store::facts::year_of(text)?;
        let month = text.get(4..).and_then(|rest| {
            let rest = rest.strip_prefix(['.', '-', '/'])?;
            let month = rest.split(['.', '-', '/']).next()?;
            let digits = (1..=2).contains(&month.len());
            month.parse().ok().filter(|_| digits && month.bytes().all(|b| b.is_ascii_digit()))
        });
        Self::of(year.into(), month, None).or_else(|| Self::year(year))
    }

    /// Parses a literal year, month or day. Months and days may have one digit, but not question
    /// marks.
    pub(super) fn of_literal(text: &str) -> Option<Self> {
        if let Some(day) = tag_value::day(text) {
            return Some(Self::day(day));
        }
        let year = crate::store::facts::year_of(text)?;
        let rest = text.get(4..)?;
        if rest.is_empty() {
            return Self::year(year);
        }
        let month = rest.strip_prefix(['.', '-', '/'])?;
        let is_month = (1..=2).contains(&month.len()) && month.bytes().all(|b| b.is_ascii_digit());
        Self::of(year.into(), Some(month.parse().ok().filter(|_| is_month)?), None)
    }

    /// Compares a day within this span with the days of a literal; `None` if the result depends on
    /// the open parts.
    pub(super) fn compare(self, comparison: Comparison, literal: Self) -> Option<bool> {
        let is_less = || match (self.last < literal.first, self.first >= literal.first) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let is_at_most = || match (self.last <= literal.last, self.first > literal.last) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        match comparison {
            Comparison::Equal => {
                let is_apart = self.last < literal.first || self.first > literal.last;
                let is_within = literal.first <= self.first && self.last <= literal.last;
                (is_apart || is_within).then_some(is_within)
            }
            Comparison::Less => is_less(),
            Comparison::LessOrEqual => is_at_most(),
            Comparison::Greater => is_at_most().map(|at_most| !at_most),
            Comparison::GreaterOrEqual => is_less().map(|less| !less),
        }
    }

    /// Returns the days for which a comparison with this literal holds.
    pub(super) fn range(self, comparison: Comparison) -> (i64, i64) {
        let (first, last) = (i64::from(self.first), i64::from(self.last));
        match comparison {
            Comparison::Equal => (first, last),
            Comparison::Less => (i64::MIN, first - 1),
            Comparison::LessOrEqual => (i64::MIN, last),
            Comparison::Greater => (last + 1, i64::MAX),
            Comparison::GreaterOrEqual => (first, i64::MAX),
        }
    }
}
