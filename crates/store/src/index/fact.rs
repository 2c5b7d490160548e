//! What an index keeps of a game beside its positions, told by the columns of a file or by the tags
//! of a record that was just packed: the same either way.

use plypack_index::{Fact, Outcome, Players};

use crate::error::Error;
use crate::facts::{self, BLACK_DISCS, RED};
use crate::file::PackedFile;
use crate::games::schema::TagType;
use crate::games::tag_value;

/// The columns that [`of_tags`] may need.
pub(crate) const TAGS: [&str; 9] =
    ["White", "Black", "Result", "WhiteElo", "BlackElo", "Date", "UTCDate", "tags", "tag_order"];

/// What is told of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub fact: Fact,
    pub players: Players,
}

/// What the columns tell of all games of a row group.
pub(super) fn of_group(file: &PackedFile, group: usize) -> Result<Vec<Told>, Error> {
    let (facts, players) = (file.facts(group, None)?, file.players(group, None)?);
    let told = facts.iter().zip(players).map(|(fact, players)| Told {
        players: Players {
            white: players.white.unwrap_or_default(),
            black: players.black.unwrap_or_default(),
            white_rating: fact.white_rating,
            black_rating: fact.black_rating,
        },
        fact: of_fact(fact),
    });
    Ok(told.collect())
}

/// What the tags of a record tell; `ending` is how it ended by its bytes, where these have to be
/// asked.
pub(crate) fn of_tags<'a>(
    tag: &dyn Fn(&str) -> Option<&'a str>,
    ending: &dyn Fn() -> Option<facts::Outcome>,
) -> Told {
    let read = |kind, name| tag_value::read(kind, tag(name)?);
    let rating = |name| facts::rating(read(TagType::Number, name).map(i64::from));
    let year = || read(TagType::Date, "UTCDate").and_then(tag_value::year);
    let fact = facts::Fact {
        outcome: match tag("Result") {
            Some(result) => facts::Outcome::read(result),
            None => ending().or_else(|| facts::outcome_of_discs(tag(BLACK_DISCS)?)),
        },
        white_rating: rating("WhiteElo"),
        black_rating: rating("BlackElo"),
        year: tag("Date").and_then(facts::year_of).or_else(year),
        day: None,
    };
    let name = |name: Option<&str>| name.unwrap_or_default().to_owned();
    let players = Players {
        white: name(tag("White").or_else(|| tag(RED))),
        black: name(tag("Black")),
        white_rating: fact.white_rating,
        black_rating: fact.black_rating,
    };
    Told { fact: of_fact(&fact), players }
}

fn of_fact(fact: &facts::Fact) -> Fact {
    let outcome = fact.outcome.map(|outcome| match outcome {
        facts::Outcome::White => Outcome::White,
        facts::Outcome::Draw => Outcome::Draw,
        facts::Outcome::Black => Outcome::Black,
    });
    Fact { outcome, rating: fact.rating(), year: fact.year }
}
