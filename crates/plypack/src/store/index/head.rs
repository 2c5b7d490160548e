//! The head that an index keeps of a game, read from the columns of a file or the tags of a record
//! just packed, with the same result.

use plypack_core::Outcome;
use plypack_index::{Head, Players};

use crate::store::error::Error;
use crate::store::facts;
use crate::store::file::PackedFile;

/// Returns the heads of the games of a row group: of all, or of those in these ascending rows of
/// the group. Names are not cut.
pub(crate) fn of_group(
    file: &PackedFile,
    group: usize,
    rows: Option<&[u32]>,
) -> Result<Vec<Head>, Error> {
    let (facts, players) = (file.facts(group, rows)?, file.players(group, rows)?);
    Ok(facts.iter().zip(players).map(|(fact, players)| head(fact, players)).collect())
}

/// Returns the head of a game with these facts and players.
pub(crate) fn head(fact: &facts::Fact, players: facts::Players) -> Head {
    let players = Players {
        white: players.white.unwrap_or_default(),
        black: players.black.unwrap_or_default(),
        white_rating: fact.white_rating,
        black_rating: fact.black_rating,
    };
    Head { players, outcome: fact.outcome, year: fact.year }
}

/// Returns the head that a record's tags give, with uncut names. `ending` is called if the outcome
/// must be read from the record's bytes.
pub(crate) fn of_tags<'a>(
    tag: &dyn Fn(&str) -> Option<&'a str>,
    ending: &dyn Fn() -> Option<Outcome>,
) -> Head {
    let (fact, players) = facts::of_tags(tag, ending);
    head(&fact, players)
}
