//! Reads the values of tags: dates and results.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// A date of a tag, whose month and day may be unknown: `1851.06.21`, `1851.??.??`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl Date {
    /// Reads a date; `None` if the text is not one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(['.', '-', '/']);
        let year = number(parts.next()?)?.filter(|&year| year > 0)?;
        let month = part(parts.next(), 12)?;
        let day = part(parts.next(), 31)?;
        let (None, false) = (parts.next(), month.is_none() && day.is_some()) else { return None };
        Some(Self { year, month, day })
    }

    /// Returns the year.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, from 1 to 12, if known.
    #[must_use]
    pub fn month(self) -> Option<u8> {
        self.month
    }

    /// Returns the day of the month, from 1 to 31, if known.
    #[must_use]
    pub fn day(self) -> Option<u8> {
        self.day
    }
}

/// Reads a date such as `1851.06.21` or `1851.??.??`; the error is [`Error::Parse`].
impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Parse {
            message: format!("`{text}` is not a date such as `1851.06.21` or `1851.??.??`"),
        };
        Self::read(text).ok_or_else(wrong)
    }
}

/// Writes the date as in a tag.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}

/// Reads a number; `Some(None)` for question marks, `None` if it is neither.
fn number(text: &str) -> Option<Option<u16>> {
    let is_unknown = !text.is_empty() && text.bytes().all(|byte| byte == b'?');
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    match (is_unknown, is_number) {
        (true, _) => Some(None),
        (false, true) => text.parse().ok().map(Some),
        (false, false) => None,
    }
}

/// Reads an optional month or day; `None` if it is neither.
fn part(text: Option<&str>, max: u8) -> Option<Option<u8>> {
    let Some(number) = text.map_or(Some(None), number)? else { return Some(None) };
    u8::try_from(number).ok().filter(|part| (1..=max).contains(part)).map(Some)
}

/// How a game ended, from its Result tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// `1-0`: White won; in xiangqi Red.
    WhiteWon,
    /// `0-1`: Black won.
    BlackWon,
    /// `1/2-1/2`: a draw.
    Draw,
}

impl Outcome {
    pub(crate) fn of(outcome: plypack_core::Outcome) -> Self {
        match outcome {
            plypack_core::Outcome::White => Self::WhiteWon,
            plypack_core::Outcome::Draw => Self::Draw,
            plypack_core::Outcome::Black => Self::BlackWon,
        }
    }

    /// Reads a result; `None` if the text is not one, such as `*`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::WhiteWon),
            "0-1" => Some(Self::BlackWon),
            "1/2-1/2" => Some(Self::Draw),
            _ => None,
        }
    }
}

/// Reads a result: `1-0`, `0-1` or `1/2-1/2`; the error is [`Error::Parse`].
impl FromStr for Outcome {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Parse {
            message: format!("`{text}` is not a result: `1-0`, `0-1` or `1/2-1/2`"),
        };
        Self::read(text).ok_or_else(wrong)
    }
}

/// Writes the result as in a tag.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWon => "1-0",
            Self::BlackWon => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_far_as_they_go() {
        for (text, expected) in [
            ("1851.06.21", Some((1851, Some(6), Some(21)))),
            ("1851.06.??", Some((1851, Some(6), None))),
            ("1851.??.??", Some((1851, None, None))),
            ("1851", Some((1851, None, None))),
            ("2024-01-31", Some((2024, Some(1), Some(31)))),
            ("1851.??.21", None),
            ("????.??.??", None),
            ("1851.13.01", None),
            ("1851.00.01", None),
            ("1851.01.32", None),
            ("1851.06.21.1", None),
            ("+851.06.21", None),
            ("0000.01.01", None),
            ("18510.01.01", None),
            ("", None),
        ] {
            let date = Date::read(text);
            let parts = date.map(|date| (date.year(), date.month(), date.day()));
            assert_eq!(parts, expected, "{text}");
        }
        let back = |text| Date::read(text).map(|date: Date| date.to_string());
        assert_eq!(back("0987-3").as_deref(), Some("0987.03.??"));
    }

    #[test]
    fn results_are_read() {
        for text in ["1-0", "0-1", "1/2-1/2"] {
            assert_eq!(Outcome::read(text).map(|end| end.to_string()).as_deref(), Some(text));
        }
        assert_eq!((Outcome::read("*"), Outcome::read("1-0 ")), (None, None));
    }
}
