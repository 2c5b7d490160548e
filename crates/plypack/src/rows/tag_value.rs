//! Tag values that a typed column can hold: those that convert back to the same text.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate};

/// The type of a tag's column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagType {
    /// Any text.
    Text,
    /// A whole number without leading zeros.
    Number,
    /// A whole number with its sign, `+0` included.
    Difference,
    /// A complete date, `2024.01.31`.
    Date,
    /// A time of day, `23:59:59`.
    Time,
}

/// The tags with typed columns.
pub const NUMBERS: [(&str, TagType); 9] = [
    ("WhiteElo", TagType::Number),
    ("BlackElo", TagType::Number),
    ("WhiteFideId", TagType::Number),
    ("BlackFideId", TagType::Number),
    ("WhiteRatingDiff", TagType::Difference),
    ("BlackRatingDiff", TagType::Difference),
    ("UTCDate", TagType::Date),
    ("UTCTime", TagType::Time),
    ("PlyCount", TagType::Number),
];

/// The type of the column of a tag.
#[must_use]
pub fn kind(tag: &str) -> TagType {
    let found = NUMBERS.iter().find(|(name, _)| *name == tag);
    found.map_or(TagType::Text, |(_, kind)| *kind)
}

const MILLISECONDS: i32 = 1_000;

/// The value in the column's unit: the number, days since 1970-01-01, or milliseconds since
/// midnight. `None` if [`write()`] does not give the same text for it.
#[must_use]
pub fn read(kind: TagType, text: &str) -> Option<i32> {
    let value = match kind {
        TagType::Text => return None,
        TagType::Number | TagType::Difference => text.parse().ok()?,
        TagType::Date => {
            let (year, rest) = text.split_once('.')?;
            let (month, day) = rest.split_once('.')?;
            let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
            NaiveDate::from_ymd_opt(year, month, day)?.num_days_from_ce() - epoch_days()
        }
        TagType::Time => {
            let mut parts = text.splitn(3, ':').map(str::parse::<i32>);
            let (hour, minute, second) =
                (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
            let valid = hour < 24 && minute < 60 && second < 60;
            valid.then_some(((hour * 60 + minute) * 60 + second) * MILLISECONDS)?
        }
    };
    (write(kind, value)? == text).then_some(value)
}

/// The text of a value. `None` if the type has no such value.
#[must_use]
pub fn write(kind: TagType, value: i32) -> Option<Cow<'static, str>> {
    let text = match kind {
        TagType::Text => return None,
        TagType::Number => value.to_string(),
        TagType::Difference => format!("{value:+}"),
        TagType::Date => {
            let days = value.checked_add(epoch_days())?;
            let date = NaiveDate::from_num_days_from_ce_opt(days)?;
            format!("{:04}.{:02}.{:02}", date.year(), date.month(), date.day())
        }
        TagType::Time => {
            let seconds = u32::try_from(value).ok()? / MILLISECONDS.cast_unsigned();
            format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
        }
    };
    Some(Cow::Owned(text))
}

/// The day that a text names, in days since 1970-01-01: year, month and day of the Gregorian
/// calendar, in this order, with the same separator between them. `None` if the date is incomplete,
/// or there is no such day. A day may have several texts.
#[must_use]
pub fn day(text: &str) -> Option<i32> {
    let sign = text.chars().nth(4).filter(|sign| matches!(sign, '.' | '-' | '/'))?;
    let mut parts = text.split(sign);
    let mut number = |least, most| {
        let part = parts.next()?;
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| digits && (least..=most).contains(&part.len()))
    };
    let (year, month, day) = (number(4, 4)?, number(1, 2)?, number(1, 2)?);
    let year = i32::try_from(year).ok().filter(|&year| year > 0 && parts.next().is_none())?;
    Some(NaiveDate::from_ymd_opt(year, month, day)?.num_days_from_ce() - epoch_days())
}

/// The year of a day, if it is from 1 to 9999.
#[must_use]
pub fn year(day: i32) -> Option<u16> {
    let date = NaiveDate::from_num_days_from_ce_opt(day.checked_add(epoch_days())?)?;
    u16::try_from(date.year()).ok().filter(|year| (1..=9999).contains(year))
}

/// The days from the first of January of year 1 to the Unix epoch.
fn epoch_days() -> i32 {
    NaiveDate::default().num_days_from_ce()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_texts_come_back() {
        for (kind, text, value) in [
            (TagType::Number, "2773", 2773),
            (TagType::Number, "-5", -5),
            (TagType::Difference, "+0", 0),
            (TagType::Difference, "-12", -12),
            (TagType::Date, "1970.01.02", 1),
            (TagType::Date, "1969.12.31", -1),
            (TagType::Date, "2024.02.29", 19_782),
            (TagType::Time, "23:59:59", 86_399_000),
        ] {
            assert_eq!(read(kind, text), Some(value), "{text}");
            assert_eq!(write(kind, value).as_deref(), Some(text));
        }
    }

    #[test]
    fn complete_dates_are_days() {
        for (text, value) in [
            ("1970.01.02", 1),
            ("2024.02.29", 19_782),
            ("2024-02-29", 19_782),
            ("2024/2/29", 19_782),
            ("1970.1.1", 0),
            ("0001.01.01", -719_162),
            ("9999.12.31", 2_932_896),
            ("1900.02.28", -25_509),
        ] {
            assert_eq!(day(text), Some(value), "{text}");
        }
        for text in [
            "",
            "?",
            "2024",
            "1992.??.??",
            "1992.05.??",
            "????.05.01",
            "2019.02.30",
            "1900.02.29",
            "2019.13.01",
            "2019.00.10",
            "2019.01.00",
            "0000.01.01",
            "10000.01.01",
            "192.01.01",
            "-192.01.01",
            "2019.01.01 ",
            "2019.01.01.",
            "2019.01-01",
            "2019.001.01",
            "2019.+1.01",
            "2019:01:01",
            "01.02.2019",
            "\u{6c11}\u{570b}93\u{5e74}",
            "1392/\u{664}/\u{661}",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for (kind, texts) in [
            (TagType::Number, &["", "?", "+5", "007", "9999999999", " 5"][..]),
            (TagType::Difference, &["5", "0", "±1", ""]),
            (TagType::Date, &["2023.02.29", "2023.1.01", "????.??.??", "2023"]),
            (TagType::Time, &["24:00:00", "1:00:00", "00:00", "00:00:60", "-1:00:00"]),
            (TagType::Text, &["text"]),
        ] {
            for text in texts {
                assert_eq!(read(kind, text), None, "{text}");
            }
        }
    }
}
