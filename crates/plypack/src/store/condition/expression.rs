//! A parsed condition: a tree without NOT, which is pushed down into the leaves.

use super::literal::{Comparison, Span};
use super::names::Subject;
use super::pattern::Pattern;
use crate::store::person::{Likeness, Person, SoughtPlayer};

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// All of these hold.
    All(Vec<Expression>),
    /// Any of these holds.
    Any(Vec<Expression>),
    /// The value is present; negated: absent.
    Present { subject: Subject, negated: bool },
    /// A number, day or time is in one of these ranges, which are ascending and disjoint.
    Numbers { subject: Subject, ranges: Vec<(i64, i64)> },
    /// This is true of a text; negated: false.
    Texts { subject: Subject, texts: Texts, negated: bool },
    /// This is true of two values; negated: false.
    Both { left: Subject, comparison: Comparison, right: Subject, negated: bool },
    /// Two values are names of the same player; negated: they are not.
    SamePlayer { left: Subject, right: Subject, negated: bool },
}

/// Accepted texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Texts {
    /// One of these words, in ascending order.
    pub words: Vec<String>,
    /// Or a text for which one of these tests holds.
    pub others: Vec<Text>,
}

/// A test of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Text {
    /// Compares it with another, byte by byte.
    Order(Comparison, String),
    /// Compares the number in it.
    Number(Comparison, f64),
    /// Compares the days it denotes.
    Days(Comparison, Span),
    /// Matches it against a pattern.
    Like(Pattern),
    /// Searches it for the name of a player.
    Finds(Box<SoughtPlayer>),
    /// Compares it with the name of a player.
    Is(Person),
}

impl Expression {
    /// Evaluates the expression with `text` as every value; `None` if unknown.
    pub(super) fn of_text(&self, text: &str) -> Option<bool> {
        let first = |parts: &[Self], decides: bool| {
            let mut said = Some(!decides);
            for part in parts {
                match part.of_text(text) {
                    Some(part) if part == decides => return Some(decides),
                    Some(_) => {}
                    None => said = None,
                }
            }
            said
        };
        match self {
            Self::All(parts) => first(parts, false),
            Self::Any(parts) => first(parts, true),
            Self::Present { negated, .. } => Some(!negated),
            Self::Texts { texts, negated, .. } => texts.say(text).map(|said| said != *negated),
            Self::Numbers { .. } | Self::Both { .. } | Self::SamePlayer { .. } => None,
        }
    }
}

impl Texts {
    pub(super) fn one(text: Text) -> Self {
        match text {
            Text::Order(Comparison::Equal, word) => Self { words: vec![word], others: vec![] },
            text => Self { words: vec![], others: vec![text] },
        }
    }

    /// Whether any test is true of a text; `None` if unknown.
    pub(super) fn say(&self, text: &str) -> Option<bool> {
        if self.words.binary_search_by(|word| word.as_str().cmp(text)).is_ok() {
            return Some(true);
        }
        let mut said = Some(false);
        for other in &self.others {
            match other.say(text) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => said = None,
            }
        }
        said
    }

    /// Whether any test may be true of some text between two bounds.
    pub(super) fn may_be(&self, least: &[u8], most: &[u8]) -> bool {
        let from = self.words.partition_point(|word| word.as_bytes() < least);
        let word = self.words.get(from).is_some_and(|word| word.as_bytes() <= most);
        word || self.others.iter().any(|other| other.may_be(least, most))
    }
}

impl Text {
    /// Whether the test is true of a text; `None` if unknown.
    pub(super) fn say(&self, text: &str) -> Option<bool> {
        match self {
            Self::Order(comparison, other) => Some(comparison.is(text, other.as_str())),
            Self::Number(comparison, other) => Some(comparison.is(&number(text)?, other)),
            Self::Days(comparison, days) => Span::of_value(text)?.compare(*comparison, *days),
            Self::Like(pattern) => Some(pattern.fits(text)),
            Self::Finds(sought) => Some(sought.finds(text)),
            Self::Is(person) => Some(person.compare(&Person::read(text)) == Likeness::Same),
        }
    }

    fn may_be(&self, least: &[u8], most: &[u8]) -> bool {
        match self {
            Self::Order(comparison, other) => comparison.may_be(least, most, other.as_bytes()),
            Self::Number(..) | Self::Finds(_) | Self::Is(_) => true,
            Self::Days(comparison, days) => {
                let (first, last) = years(least, most);
                let [Some(first), Some(last)] = [Span::year(first), Span::year(last)] else {
                    return true;
                };
                let (from, to) = days.range(*comparison);
                from <= i64::from(last.last) && i64::from(first.first) <= to
            }
            Self::Like(pattern) => {
                let prefix = pattern.prefix();
                let prefix = prefix.as_bytes();
                most >= prefix && (least <= prefix || least.starts_with(prefix))
            }
        }
    }
}

/// Returns the first and the last year that texts between two bounds may begin with.
pub(super) fn years(least: &[u8], most: &[u8]) -> (u16, u16) {
    let year = |text: &[u8]| {
        let text = text.first_chunk::<4>()?;
        std::str::from_utf8(text).ok().and_then(crate::store::facts::year_of)
    };
    (year(least).unwrap_or(1), year(most).unwrap_or(9999))
}

/// Parses a text as a number: digits, with an optional sign and decimal point.
fn number(text: &str) -> Option<f64> {
    super::literal::Number::read(text.strip_prefix('+').unwrap_or(text)).map(|number| number.value)
}

/// Sorts ranges and merges those that overlap or touch.
pub(super) fn in_order(mut ranges: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    ranges.sort_unstable();
    let mut apart: Vec<(i64, i64)> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match apart.last_mut().filter(|before| first <= before.1.saturating_add(1)) {
            Some(before) => before.1 = before.1.max(last),
            None => apart.push((first, last)),
        }
    }
    apart
}

/// Returns the complement of these ranges.
pub(super) fn others(ranges: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut others = Vec::with_capacity(ranges.len() + 1);
    let mut next = Some(i64::MIN);
    for &(first, last) in ranges {
        if let Some(from) = next.filter(|&from| from < first) {
            others.push((from, first - 1));
        }
        next = last.checked_add(1);
    }
    others.extend(next.map(|from| (from, i64::MAX)));
    others
}
