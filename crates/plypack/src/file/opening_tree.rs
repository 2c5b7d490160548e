//! Counts the moves played in a position, and their results.

use std::path::PathBuf;

use crate::store::find::{Example, Sum, Target, Tree};

use super::collection::Collection;
use super::query::Texts;
use super::tags::Outcome;
use crate::rules::Rules;

/// The moves played in a position: [`Query::tree`](crate::Query::tree).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpeningTree {
    /// The rules by which the position was read.
    pub rules: Rules,
    /// The position, in canonical spelling.
    pub position: String,
    /// How many games reach it.
    pub games: u64,
    /// The moves, the most frequent first. A game counts once for each different move that it plays
    /// there.
    pub moves: Vec<TreeMove>,
    /// The games that ended there.
    pub ended: Tally,
    /// The results of all moves and of the games that ended there. A game that plays two moves
    /// there counts twice, except in the number of games.
    pub all: Tally,
    /// Up to three games, the best-rated first, then the latest.
    pub examples: Vec<ExampleGame>,
}

/// A move played in a position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeMove {
    /// The move, in the notation of the query.
    pub text: String,
    /// The move as coordinates.
    pub coordinates: String,
    /// The results of the games that played it.
    pub tally: Tally,
    /// The results of all games that reach the position after it, by any order of moves: a game
    /// counts once for each different move that it plays there. `None` if that is unknown: the
    /// query has a condition, a player or variations; an index does not cover all games; or too
    /// many games would have to be decoded.
    pub any_order: Option<Tally>,
}

/// The moves played in a position by games whose ratings are in one group:
/// [`Query::tree_by_rating`](crate::Query::tree_by_rating).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RatingGroup {
    /// The least rating of the group, which goes up to the next one.
    pub least: u16,
    /// How many of its games reach the position.
    pub games: u64,
    /// The moves, in the notation of the query, with the results of the group's games that played
    /// them; the most frequent first.
    pub moves: Vec<(String, Tally)>,
    /// The group's games that ended there.
    pub ended: Tally,
}

impl RatingGroup {
    /// The group from this rating on, by the texts of the position's candidates.
    pub(crate) fn of(least: u16, tree: &Tree, texts: &Texts) -> Self {
        let text = |candidate| texts.of(Some(candidate)).unwrap_or_default();
        let moves = tree.moves.iter().map(|own| (text(own.candidate), Tally::of(&own.sum)));
        let (games, moves, ended) = (tree.records, moves.collect(), Tally::of(&tree.ended));
        Self { least, games, moves, ended }
    }
}

/// The results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tally {
    /// How many games there are, including those with unknown results.
    pub games: u64,
    /// How many White won; in xiangqi Red.
    pub white: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many Black won.
    pub black: u64,
    /// The mean rating of the games that have one: for each the mean of its players' known ratings,
    /// rounded down.
    pub mean_rating: Option<f64>,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

/// A game that reaches a position. [`PackedFile::game`](crate::PackedFile::game) reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExampleGame {
    /// The file.
    pub path: PathBuf,
    /// Its number there, counted from 1.
    pub number: u64,
    /// The first move that it plays in the position; `None` if it ends there.
    pub next_move: Option<String>,
    /// White's name; names of more than 100 bytes may be cut.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// The year in which it was played.
    pub year: Option<u16>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl OpeningTree {
    /// `behind` has the games of the positions after the moves, `texts` the texts of the position's
    /// candidates.
    pub(crate) fn of(
        tree: Tree,
        behind: &[Option<Sum>],
        target: &Target,
        texts: &Texts,
        collection: &Collection,
    ) -> Self {
        let moves = tree.moves.iter().zip(behind).map(|(played, behind)| TreeMove {
            text: texts.of(Some(played.candidate)).unwrap_or_default(),
            coordinates: texts.coordinates(Some(played.candidate)).unwrap_or_default(),
            tally: Tally::of(&played.sum),
            any_order: behind.as_ref().map(Tally::of),
        });
        let example = |(file, example): (usize, Example)| ExampleGame {
            path: collection.paths.get(file).map(|path| path.to_path_buf()).unwrap_or_default(),
            number: example.row + 1,
            next_move: texts.of(example.candidate),
            white: example.head.players.white,
            black: example.head.players.black,
            white_rating: example.head.players.white_rating,
            black_rating: example.head.players.black_rating,
            year: example.head.year,
            outcome: example.head.outcome.map(Outcome::of),
        };
        let mut all = tree.ended;
        tree.moves.iter().for_each(|played| all.merge(&played.sum));
        all.records = tree.records;
        Self {
            rules: Rules(target.game()),
            position: target.text().to_owned(),
            games: tree.records,
            moves: moves.collect(),
            ended: Tally::of(&tree.ended),
            all: Tally::of(&all),
            examples: tree.examples.into_iter().map(example).collect(),
        }
    }
}

impl Tally {
    pub(crate) fn of(sum: &Sum) -> Self {
        Self {
            games: sum.records,
            white: sum.white,
            draws: sum.draws,
            black: sum.black,
            mean_rating: (sum.rated > 0).then(|| sum.rating_sum as f64 / sum.rated as f64),
            last_year: sum.last_year,
        }
    }
}
