//! Query errors: a plain message, the place in the query, and a remedy.

use std::fmt;

use datafusion::common::{Column, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::Location;
use plypack::store::condition::nearest;

use crate::functions::FUNCTIONS;

/// Why a query failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    why: String,
    cure: Option<String>,
    /// The faulty line of the query, and the character in it, from 1.
    at: Option<(String, usize)>,
}

impl Error {
    /// An error with only a message.
    pub fn new(why: impl fmt::Display) -> Self {
        Self { why: why.to_string(), cure: None, at: None }
    }

    /// Adds a remedy.
    #[must_use]
    pub fn with_cure(self, cure: impl fmt::Display) -> Self {
        Self { cure: Some(cure.to_string()), ..self }
    }

    /// Adds a place in a query.
    pub(crate) fn at(self, query: &str, at: Location) -> Self {
        let place = |number: u64| usize::try_from(number).ok()?.checked_sub(1);
        let line = place(at.line).and_then(|line| query.lines().nth(line));
        let at = line.zip(place(at.column)).map(|(line, column)| (line.to_owned(), column + 1));
        Self { at: at.or(self.at), ..self }
    }

    /// Condenses an error of the engine about a query.
    pub(crate) fn of(error: &DataFusionError, query: &str) -> Self {
        let told = error
            .diagnostic()
            .and_then(|told| told.span)
            .map(|span| Location { line: span.start.line, column: span.start.column });
        let root = error.find_root();
        let found = match root {
            DataFusionError::SQL(why, _) => return Self::of_syntax(why, query),
            DataFusionError::SchemaError(why, _) => Self::of_schema(why),
            DataFusionError::External(why) => match why.downcast_ref::<Self>() {
                Some(found) => found.clone(),
                None => Self::new(why),
            },
            DataFusionError::ResourcesExhausted(why) => Self::new(why)
                .with_cure("query less data at once, or use -T 1, which needs less memory"),
            _ => Self::of_message(&root.message()),
        };
        // The place of a name is more precise than that of its context.
        match found.name().and_then(|name| place_of(query, name)).or(told) {
            Some(at) => found.at(query, at),
            None => found,
        }
    }

    fn of_syntax(error: &ParserError, query: &str) -> Self {
        let text = match error {
            ParserError::TokenizerError(text) | ParserError::ParserError(text) => text.as_str(),
            ParserError::RecursionLimitExceeded => "it is nested too deeply",
        };
        let (why, at) = match text.rsplit_once(" at Line: ") {
            Some((why, at)) => (why, at.split_once(", Column: ")),
            None => (text, None),
        };
        let found = Self::new(why);
        let location = at.and_then(|(line, column)| {
            let column = column.trim_end_matches(|sign: char| !sign.is_ascii_digit());
            Some(Location { line: line.parse().ok()?, column: column.parse().ok()? })
        });
        match location {
            Some(at) => found.at(query, at),
            None => found,
        }
    }

    fn of_message(message: &str) -> Self {
        // An external error is a text with its cause at the end.
        let message = message.rsplit("caused by\n").next().unwrap_or_default();
        let first = message.lines().next().unwrap_or_default().trim_end_matches('.');
        let quoted = |before: &str| message.split_once(before)?.1.split('\'').next();
        if let Some(name) = quoted("Invalid function '") {
            let found = Self::new(format_args!("there is no function `{name}`"));
            let ours = FUNCTIONS.iter().map(|function| function.name);
            return match nearest(name, ours).or(quoted("Did you mean '")) {
                Some(name) => found.with_cure(format_args!("did you mean `{name}`?")),
                None => found,
            };
        }
        if first.ends_with("' not found")
            && let Some(name) = quoted("table 'datafusion.public.")
        {
            return Self::new(format_args!("there is no table `{name}`")).with_cure(
                "write file names in single quotes, with the extension: 'games.parquet'",
            );
        }
        Self::new(first)
    }

    fn of_schema(error: &SchemaError) -> Self {
        match error {
            SchemaError::FieldNotFound { field, valid_fields } => {
                let found = Self::new(format_args!("there is no column `{}` here", field.name()));
                let names = valid_fields.iter().map(Column::name);
                match nearest(field.name(), names) {
                    Some(name) => found.with_cure(format_args!("did you mean `{name}`?")),
                    None => found.with_cure(
                        "`describe 'FILE'` lists the columns; a tag without one is tags['Name']",
                    ),
                }
            }
            _ => Self::new(error),
        }
    }

    /// The name in backquotes in the message.
    fn name(&self) -> Option<&str> {
        self.why.split('`').nth(1)
    }
}

/// The first place of a name in a query, as a whole word and in any case.
fn place_of(query: &str, name: &str) -> Option<Location> {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    for (line, text) in (1..).zip(query.lines()) {
        let (lower, name) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
        for (at, found) in lower.match_indices(&name) {
            let (before, after) = (&lower[..at], &lower[at + found.len()..]);
            if !before.ends_with(is_word) && !after.starts_with(is_word) {
                let column = before.chars().count() as u64 + 1;
                return Some(Location { line, column });
            }
        }
    }
    None
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)?;
        if let Some(cure) = &self.cure {
            write!(f, "; {cure}")?;
        }
        let Some((line, column)) = &self.at else { return Ok(()) };
        // A long line is shown around the place.
        const SHOWN: usize = 80;
        let from = column.saturating_sub(SHOWN / 2 + 1);
        let shown: String = line.chars().skip(from).take(SHOWN).collect();
        write!(f, "\n  {shown}\n  {:>width$}", '^', width = column - from)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_shown_below_the_query() {
        let error =
            Error::new("no").with_cure("yes").at("select\n a", Location { line: 2, column: 2 });
        assert_eq!(error.to_string(), "no; yes\n   a\n   ^");
        let long = format!("{}x", " ".repeat(200));
        let error = Error::new("no").at(&long, Location { line: 1, column: 201 });
        assert_eq!(error.to_string(), format!("no\n  {}x\n  {:>41}", " ".repeat(40), '^'));
    }

    #[test]
    fn names_are_found_as_words() {
        let at = |query, name| place_of(query, name).map(|at| (at.line, at.column));
        assert_eq!(at("select Whites,\n white", "White"), Some((2, 2)));
        assert_eq!(at("select a", "b"), None);
    }
}
