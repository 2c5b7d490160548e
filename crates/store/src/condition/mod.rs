//! Conditions on games: `WhiteElo > 2400 AND Result = '1-0'`, in a subset of SQL's expressions.
//!
//! What is allowed and what it means stands in `docs/where.md`. A condition is read once, by a
//! parser of SQL (`parser`), and asked of a row group at a time (`selection`), of which only the
//! columns are read that it names, and none if the footer says that nothing there can match.

mod expression;
mod literal;
mod names;
mod parser;
mod pattern;
mod selection;

use std::collections::BTreeSet;
use std::fmt;

use sqlparser::tokenizer::Location;

use crate::error::Error;
use crate::file::PackedFile;
use expression::Expression;
use parser::Name;

pub use literal::{days, span};
pub use names::nearest;

/// A condition on games.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    expression: Expression,
    names: Vec<Name>,
}

/// What was not understood in a condition, where, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    why: String,
    /// The line and the character, from 1.
    at: Option<(u64, u64)>,
}

impl ConditionError {
    fn new(why: String, at: Option<Location>) -> Self {
        Self { why, at: at.map(|at| (at.line, at.column)).filter(|at| at.0 > 0) }
    }
}

impl ConditionError {
    /// What is wrong, without the place.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the condition")?;
        match self.at {
            Some((1, column)) => write!(f, ", at character {column}")?,
            Some((line, column)) => write!(f, ", at line {line}, character {column}")?,
            None => {}
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for ConditionError {}

impl Condition {
    /// Reads a condition, as `docs/where.md` says.
    ///
    /// # Errors
    /// If it is none: what was not understood, where, and what is allowed.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let (expression, names) = parser::parse(text)?;
        Ok(Self { expression, names })
    }

    /// The condition that both hold, if any is given: this one, and that one of the players has
    /// this in the name, in any case.
    ///
    /// # Errors
    /// If `condition` is none.
    pub fn of(
        condition: Option<&str>,
        player: Option<&str>,
    ) -> Result<Option<Self>, ConditionError> {
        let player = player.map(|name| {
            let name = name.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            format!("player ILIKE '%{}%'", name.replace('\'', "''"))
        });
        match (condition, player) {
            (None, None) => Ok(None),
            (Some(condition), None) => Self::parse(condition).map(Some),
            (None, Some(player)) => Self::parse(&player).map(Some),
            (Some(condition), Some(player)) => {
                // What is wrong with it is said of it alone.
                Self::parse(condition)?;
                // The condition may end in a comment.
                Self::parse(&format!("({condition}\n) AND {player}")).map(Some)
            }
        }
    }

    /// Whether it is true of this text, which all of its names stand for; `None` if that cannot be
    /// known.
    #[must_use]
    pub fn of_text(&self, text: &str) -> Option<bool> {
        self.expression.of_text(text)
    }

    /// Looks whether one of these files has every column that the condition names, and a game with
    /// every tag: a name that stands for no column may be that of any tag, or a slip.
    ///
    /// # Errors
    /// If a file cannot be read. The inner error names the first column or tag that is not there.
    pub fn check(&self, files: &[&PackedFile]) -> Result<Result<(), ConditionError>, Error> {
        if files.iter().all(|file| file.records() == 0) {
            return Ok(Ok(()));
        }
        for name in &self.names {
            let mut tags = BTreeSet::new();
            let mut is_known = false;
            for file in files {
                is_known = is_known || file.knows(name, &mut tags)?;
            }
            if !is_known {
                return Ok(Err(name.unknown(&tags)));
            }
        }
        Ok(Ok(()))
    }
}
