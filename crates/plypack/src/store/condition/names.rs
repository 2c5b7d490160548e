//! Resolves the names in a condition.

use crate::store::facts::RED;
use crate::store::games::schema::{COLUMNS, Content, TagType};
use crate::store::schema::START_TAG;

/// A value of a game that a condition can test, and how it compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// Its name in messages.
    pub name: String,
    /// Where its value is looked up, in order.
    pub sources: Vec<Source>,
    pub kind: Kind,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// This column, or part of one.
    Column(&'static str),
    /// The tag of this name, which has no column.
    Tag(String),
    /// The year of the game's date.
    Year,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// Text that is a date, possibly incomplete.
    Date,
    Number,
    Day,
    /// A time of day, in milliseconds.
    Time,
}

impl Kind {
    /// Names the kind of value in messages.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Date | Self::Day => "dates",
            Self::Number => "numbers",
            Self::Time => "times of day",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// One value of a game.
    One(Subject),
    /// The players of both colours, the first player first.
    Player([Subject; 2]),
}

/// The name for either player.
pub(super) const PLAYER: &str = "player";

/// Names that are not columns of tags: name, column, kind.
const OTHERS: [(&str, &str, Kind); 6] = [
    ("played_on", "played_on", Kind::Day),
    ("source", "source", Kind::Text),
    ("number", "number", Kind::Number),
    ("plies", "moves.plies", Kind::Number),
    ("verbatim_reason", "verbatim_reason", Kind::Text),
    ("comments", "annotations.text", Kind::Text),
];

/// Returns every known name: tags with columns, others, and derived values.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let others = OTHERS.iter().map(|row| row.0);
    tags().map(|tag| tag.0).chain(others).chain(["Year", START_TAG, PLAYER])
}

fn tags() -> impl Iterator<Item = (&'static str, Kind)> {
    COLUMNS.iter().filter_map(|column| match column.content {
        Content::Tag(kind) => Some((
            column.name,
            match kind {
                TagType::Text if column.name.ends_with("Date") => Kind::Date,
                TagType::Text => Kind::Text,
                TagType::Number | TagType::Difference => Kind::Number,
                TagType::Date => Kind::Day,
                TagType::Time => Kind::Time,
            },
        )),
        _ => None,
    })
}

/// Resolves a name, ignoring case.
pub(super) fn look_up(name: &str) -> Named {
    let is = |other: &str| other.eq_ignore_ascii_case(name);
    if is(PLAYER) {
        let first = vec![Source::Column("White"), Source::Tag(RED.to_owned())];
        let second = vec![Source::Column("Black")];
        return Named::Player([first, second].map(|sources| Subject {
            name: PLAYER.to_owned(),
            sources,
            kind: Kind::Text,
        }));
    }
    let tag = tags().find(|tag| is(tag.0)).map(|(name, kind)| (name, name, kind));
    let (name, sources, kind) = if let Some((name, column, kind)) =
        tag.or_else(|| OTHERS.into_iter().find(|row| is(row.0)))
    {
        (name, vec![Source::Column(column)], kind)
    } else if is("Year") {
        ("Year", vec![Source::Year], Kind::Number)
    } else if is(START_TAG) {
        let sources = vec![Source::Column("moves.start"), Source::Tag(START_TAG.to_owned())];
        (START_TAG, sources, Kind::Text)
    } else {
        (name, vec![Source::Tag(name.to_owned())], Kind::Text)
    };
    Named::One(Subject { name: name.to_owned(), sources, kind })
}

/// Returns the name closest to a misspelt one, if a typo explains the difference.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LETTERS_MAX: usize = 64;
    let letters = |name: &str| -> Vec<char> {
        name.chars()
            .filter(|sign| !matches!(sign, '_' | '-' | ' '))
            .collect::<String>()
            .to_lowercase()
            .chars()
            .collect()
    };
    let wanted = letters(name);
    if wanted.len() > LETTERS_MAX {
        return None;
    }
    let slips = |other: &str| slips(&wanted, &letters(other));
    let most = (wanted.len() / 3).clamp(1, 3);
    names.map(|other| (slips(other), other)).filter(|near| near.0 <= most).min().map(|near| near.1)
}

/// Counts the letters that are missing, added, wrong or transposed.
pub(crate) fn slips(one: &[char], other: &[char]) -> usize {
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let mut least = (rows[i][j + 1] + 1).min(row[j] + 1);
            least = least.min(rows[i][j] + usize::from(letter != wanted));
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *wanted {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        for (name, nearest_name) in [
            ("WhitElo", Some("WhiteElo")),
            ("white_elo", Some("WhiteElo")),
            ("ressult", Some("Result")),
            ("Reuslt", Some("Result")),
            ("Playr", Some("player")),
            ("Yaer", Some("Year")),
            ("Temperature", None),
            ("X", None),
        ] {
            assert_eq!(nearest(name, all()), nearest_name, "{name}");
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        for name in ["WHITEELO", "whiteelo", "WhiteElo"] {
            let Named::One(subject) = look_up(name) else { panic!("one value") };
            assert_eq!(subject.sources, [Source::Column("WhiteElo")]);
            assert_eq!(subject.kind, Kind::Number);
        }
        assert!(matches!(look_up("PLAYER"), Named::Player(_)));
        for (name, kind) in [
            ("Date", Kind::Date),
            ("EventDate", Kind::Date),
            ("UTCDate", Kind::Day),
            ("played_on", Kind::Day),
            ("UTCTime", Kind::Time),
            ("year", Kind::Number),
            ("Site", Kind::Text),
            ("LichessURL", Kind::Text),
        ] {
            let Named::One(subject) = look_up(name) else { panic!("one value") };
            assert_eq!(subject.kind, kind, "{name}");
        }
    }
}
