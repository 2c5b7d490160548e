//! Conditions on games: `WhiteElo > 2400 AND Result = '1-0'`, in a subset of SQL's expressions.
//!
//! Syntax and meaning are described in `docs/where.md`. A condition is parsed once by a SQL parser
//! (`parser`) and evaluated one row group at a time (`selection`). Only the columns it names are
//! read, and none if the footer rules out a match.

mod expression;
mod fault;
mod literal;
mod names;
mod parser;
mod pattern;
mod selection;
mod test;

use std::collections::BTreeSet;
use std::fmt;

use sqlparser::tokenizer::Location;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::person::SoughtPlayer;
use expression::{Expression, Text, Texts};
use parser::Name;

pub use literal::{days, span};
pub use names::nearest;
pub(crate) use names::slips;

/// A condition on games.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    expression: Expression,
    names: Vec<Name>,
}

/// Why a condition is invalid, where, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    why: String,
    /// Line and character, from 1.
    at: Option<(u64, u64)>,
}

impl ConditionError {
    fn new(why: String, at: Option<Location>) -> Self {
        Self { why, at: at.map(|at| (at.line, at.column)).filter(|at| at.0 > 0) }
    }
}

impl ConditionError {
    /// Returns the reason, without the place.
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
    /// Parses a condition, as described in `docs/where.md`.
    ///
    /// # Errors
    /// Returns an error if `text` is not a condition: why, where, and what is allowed.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let (expression, names) = parser::parse(text)?;
        Ok(Self { expression, names })
    }

    /// Combines a condition with one that requires a player of either colour that a search for
    /// `player` finds (`finds_player`). Returns `None` if neither is given.
    ///
    /// # Errors
    /// Returns an error if `condition` is invalid.
    pub fn of(
        condition: Option<&str>,
        player: Option<&str>,
    ) -> Result<Option<Self>, ConditionError> {
        Self::of_players(condition, None, player.as_slice())
    }

    /// Combines a condition with one that requires players. One has either colour, or the side
    /// whose tag is `side`; two play each other, the first of them with that side.
    ///
    /// # Errors
    /// Returns an error if `condition` is invalid or there are more than two players.
    pub fn of_players(
        condition: Option<&str>,
        side: Option<&str>,
        players: &[impl AsRef<str>],
    ) -> Result<Option<Self>, ConditionError> {
        let condition = condition.map(Self::parse).transpose()?;
        let Some(players) = played_by(side, players)? else { return Ok(condition) };
        let (mut all, names) = match condition {
            Some(Self { expression, names }) => (vec![expression], names),
            None => (Vec::new(), Vec::new()),
        };
        all.push(players);
        Ok(Some(Self { expression: Expression::All(all), names }))
    }

    /// Evaluates the condition with `text` as the value of every name; `None` if unknown.
    pub fn of_text(&self, text: &str) -> Option<bool> {
        self.expression.of_text(text)
    }

    /// Checks that for every name in the condition some file has the column, or a game with the
    /// tag. A name that is not a column may be any tag, or a typo.
    ///
    /// # Errors
    /// Returns [`Error::Condition`], which names the first missing column or tag, or another error
    /// if a file cannot be read.
    pub fn check(&self, files: &[&PackedFile]) -> Result<(), Error> {
        if files.iter().all(|file| file.records() == 0) {
            return Ok(());
        }
        for name in &self.names {
            let mut tags = BTreeSet::new();
            let mut is_known = false;
            for file in files {
                is_known = is_known || file.knows(name, &mut tags)?;
            }
            if !is_known {
                return Err(name.unknown(&tags).into());
            }
        }
        Ok(())
    }
}

/// Returns the expression that these players take part in a game: with the side whose tag is named,
/// or with either; two against each other.
fn played_by(
    side: Option<&str>,
    players: &[impl AsRef<str>],
) -> Result<Option<Expression>, ConditionError> {
    let names::Named::Player([first, second]) = names::look_up(names::PLAYER) else {
        return Ok(None);
    };
    // The tag of one player is White or Red, that of the other Black in all games.
    let is_second = |tag: &str| tag == "Black";
    let is = |subject: &names::Subject, name: &str| Expression::Texts {
        subject: subject.clone(),
        texts: Texts::one(Text::Finds(Box::new(SoughtPlayer::read(name)))),
        negated: false,
    };
    let sides = match side.map(is_second) {
        Some(false) => vec![[&first, &second]],
        Some(true) => vec![[&second, &first]],
        None => vec![[&first, &second], [&second, &first]],
    };
    let ways = sides.into_iter().map(|[own, other]| match players {
        [one] => Ok(is(own, one.as_ref())),
        [one, two] => Ok(Expression::All(vec![is(own, one.as_ref()), is(other, two.as_ref())])),
        _ => {
            let why = format!("a game has two players, and {} are asked for", players.len());
            Err(ConditionError::new(why, None))
        }
    });
    if players.is_empty() {
        return Ok(None);
    }
    ways.collect::<Result<_, _>>().map(Expression::Any).map(Some)
}
