//! The head that an index keeps of a game, told by the columns of a file or by the tags of a record
//! that was just packed: the same either way.

use plypack_index::{Head, Outcome, Players};

use crate::error::Error;
use crate::facts;
use crate::file::PackedFile;

/// What the columns tell of the games of a row group: all, or those in these rows of the group,
/// which are in ascending order. Names are whole.
pub(crate) fn of_group(
    file: &PackedFile,
    group: usize,
    rows: Option<&[u32]>,
) -> Result<Vec<Head>, Error> {
    let (facts, players) = (file.facts(group, rows)?, file.players(group, rows)?);
    let heads = facts.iter().zip(players).map(|(fact, players)| Head {
        players: Players {
            white: players.white.unwrap_or_default(),
            black: players.black.unwrap_or_default(),
            white_rating: fact.white_rating,
            black_rating: fact.black_rating,
        },
        outcome: fact.outcome.map(outcome),
        year: fact.year,
    });
    Ok(heads.collect())
}

/// What the tags of a record tell, names whole; `ending` is how it ended by its bytes, where these
/// have to be asked.
pub(crate) fn of_tags<'a>(
    tag: &dyn Fn(&str) -> Option<&'a str>,
    ending: &dyn Fn() -> Option<facts::Outcome>,
) -> Head {
    let (fact, names) = facts::of_tags(tag, ending);
    let players = Players {
        white: names.white.unwrap_or_default(),
        black: names.black.unwrap_or_default(),
        white_rating: fact.white_rating,
        black_rating: fact.black_rating,
    };
    Head { players, outcome: fact.outcome.map(outcome), year: fact.year }
}

/// An outcome as an index has it.
pub(crate) fn outcome(outcome: facts::Outcome) -> Outcome {
    match outcome {
        facts::Outcome::White => Outcome::White,
        facts::Outcome::Draw => Outcome::Draw,
        facts::Outcome::Black => Outcome::Black,
    }
}
