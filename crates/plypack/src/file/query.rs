//! Queries which games reach a position or fit a condition, and what was played there.

use std::iter::FusedIterator;
use std::path::Path;
use std::sync::Arc;

use crate::store::condition::Condition;
use crate::store::find::{
    self, Asked, CandidateTexts, Followed, Found, Order, PatternText, Question, Reach, Target,
};
use crate::store::games::Rows;
use crate::store::index::Indices;
use crate::store::repertoire::Leaving;
use crate::store::work::Work;
use crate::store::{PackedFile as Inner, Wanted};
use plypack_core::{ErasedRules, Pattern};

use super::branches::Branches;
use super::collection::Collection;
use super::game::Game;
use super::listing::{ListedGame, Listing};
use super::opening_tree::{OpeningTree, RatingGroup};
use super::repertoire::{Departures, FollowedGame, Repertoire};
use super::work::{Working, working};
use crate::Followers;
use crate::error::Error;
use crate::moves::Notation;
use crate::rules::Rules;

/// How many games are read at a time.
const CHUNK: usize = 256;

/// A query over packed files: [`Collection::query`].
///
/// A game must meet all of its conditions. A position is found however it was reached: by other
/// moves, from a set-up start, or for the second time; the counters of a FEN are ignored. Moves
/// that could not be coded, and are kept as text, are not searched.
#[must_use = "call `find`, `list` or `tree` to run the query"]
#[derive(Debug)]
pub struct Query<'a> {
    collection: &'a Collection,
    rules: Option<Rules>,
    position: Option<String>,
    moves: Option<String>,
    pattern: Option<String>,
    condition: Option<String>,
    players: Vec<String>,
    variations: bool,
    sort: Sort,
    limit: u64,
    moves_max: usize,
    notation: Notation,
    ignore_index: bool,
    work: Working<'a>,
}

/// The order of games. Ties stay in stored order, file by file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sort {
    /// As stored.
    #[default]
    Stored,
    /// The best-rated first: games of two rated players by the mean of their ratings, then games
    /// with one rated player by that rating; games without a rating last.
    Rating,
    /// The latest first; games without a date last.
    Date,
}

impl Sort {
    fn order(self) -> Order {
        match self {
            Self::Stored => Order::Stored,
            Self::Rating => Order::Rating,
            Self::Date => Order::Date,
        }
    }
}

impl<'a> Query<'a> {
    pub(crate) fn new(collection: &'a Collection) -> Self {
        Self {
            collection,
            rules: None,
            position: None,
            moves: None,
            pattern: None,
            condition: None,
            players: Vec::new(),
            variations: false,
            sort: Sort::default(),
            limit: u64::MAX,
            moves_max: usize::MAX,
            notation: Notation::default(),
            ignore_index: false,
            work: Working::default(),
        }
    }

    /// Requires a position, in the game's notation: a FEN of chess or xiangqi, with or without
    /// counters; the rows of other games.
    pub fn position(mut self, position: impl Into<String>) -> Self {
        self.position = Some(position.into());
        self
    }

    /// Requires the position after these moves, in any notation, with or without numbers, from the
    /// usual start or from [`position`](Self::position): `1. e4 c5`.
    pub fn moves(mut self, moves: impl Into<String>) -> Self {
        self.moves = Some(moves.into());
        self
    }

    /// Requires the main line to match a pattern: JSON such as `{"material": "KRPKR"}`, or just a
    /// board, material or an imbalance; the project's `docs/patterns.md` describes them. The hits
    /// are then the places where its conditions are met. [`tree`](Self::tree) ignores it.
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }

    /// Sets the rules of the position or pattern; the default is the first game of the files whose
    /// notation fits.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Requires a condition, written as in SQL: `WhiteElo > 2400 and Result = '1-0'`. Names are
    /// tags in any case, `player` is either player; the project's `docs/where.md` describes them.
    pub fn condition(mut self, condition: impl Into<String>) -> Self {
        self.condition = Some(condition.into());
        self
    }

    /// Requires a player, of either colour, by part of the name in any case, or by the name
    /// however it is spelled: `Magnus Carlsen` also finds `Carlsen,M`. Called twice, it requires
    /// that the two play each other.
    pub fn player(mut self, name: impl Into<String>) -> Self {
        self.players.push(name.into());
        self
    }

    /// Counts positions in variations as well.
    pub fn variations(mut self, variations: bool) -> Self {
        self.variations = variations;
        self
    }

    /// Sorts the games found.
    pub fn sort(mut self, sort: Sort) -> Self {
        self.sort = sort;
        self
    }

    /// Limits the number of games; the default is all.
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Limits the moves of each position in [`branches`](Self::branches), the most frequent first;
    /// the default is all.
    pub fn moves_max(mut self, moves: usize) -> Self {
        self.moves_max = moves;
        self
    }

    /// Sets the notation of the moves played.
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// Decodes all games, ignoring indices. The answer is the same, but slower.
    pub fn ignore_index(mut self, ignore: bool) -> Self {
        self.ignore_index = ignore;
        self
    }

    working! {
        /// Calls `progress` as records are searched, from any thread; it may stop the work.
    }

    /// Finds the games, or all games if nothing is required. Each game that reaches the position
    /// was decoded to prove it. They are counted when this returns, and read as the iterator
    /// reaches them.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Move`] if the position cannot be read;
    /// [`Error::Condition`]; [`Error::Pattern`]; [`Error::Io`], [`Error::Record`], or
    /// [`Error::File`] if a file or its index is damaged; [`Error::Stopped`].
    pub fn find(self) -> Result<FoundGames<'a>, Error> {
        let (collection, texts, mut found) = (self.collection, self.texts()?, Vec::new());
        self.search(&mut |game| {
            found.push(game);
            Ok(())
        })?;
        let (found, ready) = (found.into_iter(), Vec::new().into_iter());
        Ok(FoundGames { collection, texts, found, ready })
    }

    /// Passes the places of the games that [`find`](Self::find) finds to `each`, in order, and
    /// reads none of them, while others are still searched for; an error ends it. Returns how many
    /// there are. They take no memory here, however many they are.
    ///
    /// # Errors
    /// As [`find`](Self::find), and [`Error::Io`] if `each` fails.
    pub fn places(
        self,
        mut each: impl FnMut(Place) -> std::io::Result<()> + Send,
    ) -> Result<u64, Error> {
        let (texts, paths) = (self.texts()?, &self.collection.paths);
        self.search(&mut |game| {
            let path = paths.get(game.file).map_or(Path::new(""), |path| &**path);
            each(texts.place(&game)).map_err(crate::store::Error::io(path))
        })
    }

    /// Passes the games that [`find`](Self::find) finds to `each`, with their tags and without
    /// their moves, while others are still searched for; an error ends it. Returns how many there
    /// are.
    ///
    /// # Errors
    /// As [`find`](Self::find), and [`Error::Io`] if `each` fails. Games found before a damaged
    /// record are passed.
    pub fn list(
        self,
        mut each: impl FnMut(&ListedGame<'_>) -> std::io::Result<()> + Send,
    ) -> Result<u64, Error> {
        let texts = self.texts()?;
        let mut listing =
            Listing::new(self.collection, |mut game: ListedGame<'_>, hits: Vec<find::Hit>| {
                game.hits = hits.iter().map(|hit| texts.hit(hit)).collect();
                each(&game)
            });
        let listed = self.search(&mut |game| listing.push(game.file, game.row, game.hits));
        listing.finish().map_err(Error::file)?;
        listed
    }

    /// Reads the position, the moves, the pattern and the condition, and searches for nothing.
    /// Returns the position, in canonical spelling; `None` if neither a position nor moves are set.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Move`] if the position cannot be read;
    /// [`Error::Condition`]; [`Error::Pattern`]; [`Error::Io`], or [`Error::File`] if a file is
    /// damaged.
    pub fn check(&self) -> Result<Option<String>, Error> {
        Ok(self.read()?.target.map(|target| target.text().to_owned()))
    }

    /// Returns whether an index makes it faster: it asks for a position, or for a pattern of pawns
    /// or of what is left on the board.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn uses_index(&self) -> Result<bool, Error> {
        let Read { target, pattern, .. } = self.read()?;
        let asks = |pattern: &Pattern| pattern.asks_remains() || pattern.frames().is_some();
        Ok(target.is_some() || pattern.as_ref().is_some_and(asks))
    }

    /// Counts the games that [`find`](Self::find) would find without a limit. For a position that
    /// an index knows, no game is read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn count(self) -> Result<u64, Error> {
        let read = self.read()?;
        let Self { collection, variations, ignore_index, work, .. } = self;
        let question = read.question(variations);
        watched(collection, ignore_index, work, |asked, work| find::count(asked, &question, work))
    }

    /// Counts them like [`count`](Self::count) if indices know their number; else returns `None`.
    /// It takes no more than a few look-ups.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn known_count(self) -> Result<Option<u64>, Error> {
        let read = self.read()?;
        let Self { collection, variations, ignore_index, work, .. } = self;
        let question = read.question(variations);
        watched(collection, ignore_index, work, |asked, work| {
            find::count_told(asked, &question, work)
        })
    }

    /// Counts the lines that games play from the position on, by default the usual start: `plies`
    /// plies deep, at most 100, and only moves of at least `games_min` games. Lines are
    /// distinguished by their moves, whatever positions they lead to. Each game that reaches the
    /// position is decoded, and takes two bytes of memory for each ply, up to 256 MB; variations do
    /// not count.
    ///
    /// # Errors
    /// As [`tree`](Self::tree), and [`Error::File`] if the games are too many for so many plies.
    pub fn branches(self, plies: u16, games_min: u64) -> Result<Branches, Error> {
        let (target, condition) = (self.target()?, self.condition_on(None)?);
        let Self { collection, notation, moves_max, ignore_index, work, .. } = self;
        let question = Question {
            target: Some(&target),
            condition: condition.as_ref(),
            ..Question::default()
        };
        let reach = Reach { plies, records_min: games_min, moves_max };
        let found = watched(collection, ignore_index, work, |asked, work| {
            find::branches(asked, &question, reach, work)
        })?;
        Branches::of(&found, &target, notation)
    }

    /// Counts the moves played in the position, by default the usual start.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Move`] if the position cannot be read;
    /// [`Error::Condition`]; [`Error::Io`], [`Error::Record`], or [`Error::File`] if a file or its
    /// index is damaged; [`Error::Stopped`].
    pub fn tree(self) -> Result<OpeningTree, Error> {
        let (target, condition) = (self.target()?, self.condition_on(None)?);
        let texts = Texts::of_target(&target, self.notation)?;
        let Self { collection, variations, ignore_index, work, .. } = self;
        let question = Question {
            target: Some(&target),
            condition: condition.as_ref(),
            variations,
            ..Question::default()
        };
        let (tree, behind) = watched(collection, ignore_index, work, |asked, work| {
            let tree = find::tree(asked, &question, work)?;
            let behind = find::successors(asked, &question, &tree.candidates(), work)?;
            Ok((tree, behind))
        })?;
        Ok(OpeningTree::of(tree, &behind, &target, &texts, collection))
    }

    /// Counts the moves played in the position, by default the usual start, by the ratings of the
    /// games: the mean of both players', rounded down, or the only one known. The groups begin at
    /// 0, 1000, 1200, 1400, 1600, 1800, 2000, 2200 and 2500; games without a rating are in the
    /// first.
    ///
    /// `None` is unknown: fewer than a thousand games reach the position; the query has a
    /// condition, a player or variations; an index does not cover all games, or is older than such
    /// counts.
    ///
    /// # Errors
    /// As [`tree`](Self::tree).
    pub fn tree_by_rating(self) -> Result<Option<Vec<RatingGroup>>, Error> {
        let (target, condition) = (self.target()?, self.condition_on(None)?);
        let texts = Texts::of_target(&target, self.notation)?;
        let Self { collection, variations, ignore_index, work, .. } = self;
        let question = Question {
            target: Some(&target),
            condition: condition.as_ref(),
            variations,
            ..Question::default()
        };
        let groups = watched(collection, ignore_index, work, |asked, work| {
            find::tree_by_rating(asked, &question, work)
        })?;
        let of = |(least, tree)| RatingGroup::of(least, &tree, &texts);
        Ok(groups.map(|groups| find::RATING_GROUPS.into_iter().zip(groups).map(of).collect()))
    }

    /// Finds the games that follow a repertoire, and says where each leaves it. A game follows it
    /// if it reaches one of its positions other than the usual start; a game that leaves it and
    /// comes back, by other moves, has not left it.
    ///
    /// Only the query's condition, order, notation and players apply. The first player has the side
    /// of the repertoire, a second one is the opponent.
    ///
    /// # Errors
    /// Returns [`Error::Condition`]; [`Error::Io`], [`Error::Record`], or [`Error::File`] if a file
    /// or its index is damaged; [`Error::Stopped`].
    pub fn follow(self, repertoire: &Repertoire) -> Result<Vec<FollowedGame>, Error> {
        let condition = self.condition_on(Some(repertoire.side_tag()))?;
        let order = self.sort.order();
        let Self { collection, notation, ignore_index, work, .. } = self;
        let question = Question { condition: condition.as_ref(), ..Question::default() };
        let mut found = Vec::new();
        watched(collection, ignore_index, work, |asked, work| {
            let mut sink = |game| {
                found.push(game);
                Ok(())
            };
            find::follow(asked, &question, repertoire.inner(), order, work, &mut sink)
        })?;
        found.iter().map(|game| repertoire.followed(game, notation)).collect()
    }

    /// Sums up where games leave a repertoire, by position and move: what is played against it
    /// that it does not answer, and what its own side played instead. It counts the games that
    /// [`follow`](Self::follow) finds.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn departures(self, repertoire: &Repertoire) -> Result<Departures, Error> {
        let condition = self.condition_on(Some(repertoire.side_tag()))?;
        let Self { collection, notation, ignore_index, work, .. } = self;
        let question = Question { condition: condition.as_ref(), ..Question::default() };
        let found = watched(collection, ignore_index, work, |asked, work| {
            find::departures(asked, &question, repertoire.inner(), work)
        })?;
        repertoire.departures(&found, notation)
    }

    /// Passes the games that [`follow`](Self::follow) finds to `each`, up to the limit of the
    /// query, with their tags and without their moves, while others are still searched for; an
    /// error ends it. Counts all of them.
    ///
    /// # Errors
    /// As [`follow`](Self::follow), and [`Error::Io`] if `each` fails.
    pub fn list_following(
        self,
        repertoire: &Repertoire,
        mut each: impl FnMut(&ListedGame<'_>, &FollowedGame) -> std::io::Result<()> + Send,
    ) -> Result<Followers, Error> {
        let condition = self.condition_on(Some(repertoire.side_tag()))?;
        let Self { collection, sort, limit, notation, ignore_index, work, .. } = self;
        let question = Question { condition: condition.as_ref(), ..Question::default() };
        let mut listing = Listing::new(collection, |game: ListedGame<'_>, leaving: Leaving| {
            let (file, row) = (game.file, game.row);
            let followed = repertoire.followed(&Followed { file, row, leaving }, notation);
            each(&game, &followed.map_err(std::io::Error::other)?)
        });
        let mut followers = Followers::default();
        watched(collection, ignore_index, work, |asked, work| {
            let mut sink = |game: Followed| {
                followers.add(repertoire.inner().left(&game.leaving), 1);
                match followers.all() <= limit {
                    true => listing.push(game.file, game.row, game.leaving),
                    false => Ok(()),
                }
            };
            let order = sort.order();
            let all = find::follow(asked, &question, repertoire.inner(), order, work, &mut sink);
            listing.finish()?;
            all
        })?;
        Ok(followers)
    }

    /// Passes the games that it finds to `sink`, in order, and returns their number.
    fn search(self, sink: &mut find::Sink<'_>) -> Result<u64, Error> {
        let read = self.read()?;
        let Self { collection, variations, sort, limit, ignore_index, work, .. } = self;
        let question = read.question(variations);
        let (mut passed, mut skipped) = (0, 0);
        watched(collection, ignore_index, work, |asked, work| {
            let limit = read.limit(limit);
            find::find(asked, &question, sort.order(), limit, work, &mut |game| {
                if skipped < read.skip {
                    skipped += 1;
                    return Ok(());
                }
                passed += 1;
                sink(game)
            })
        })?;
        Ok(passed)
    }

    /// Reads what the query requires.
    fn read(&self) -> Result<Read, Error> {
        let asks = self.position.is_some() || self.moves.is_some();
        let target = asks.then(|| self.target()).transpose()?;
        let text = self.pattern.as_deref().map(PatternText::read).transpose();
        let text = text.map_err(Error::pattern)?;
        let pattern = text.as_ref().map(|text| self.read_pattern(text)).transpose()?;
        let (skip, most) = text.map_or((0, None), |text| (text.skip, text.limit));
        let condition = self.condition_on(None)?;
        Ok(Read { target, pattern, condition, skip, most: most.unwrap_or(u64::MAX) })
    }

    /// Returns the texts of the moves that can be played in the position; none without one.
    fn texts(&self) -> Result<Texts, Error> {
        let asks = self.position.is_some() || self.moves.is_some();
        match asks && self.pattern.is_none() {
            true => Texts::of_target(&self.target()?, self.notation),
            false => Ok(Texts::default()),
        }
    }

    fn target(&self) -> Result<Target, Error> {
        let (start, moves) = (self.position.as_deref(), self.moves.as_deref().unwrap_or_default());
        self.read_in_game(|game| Target::read(game, start, moves))?.map_err(Error::coding)
    }

    /// Reads something by the rules asked for, or by those of the first game whose notation fits.
    fn read_in_game<T, E>(
        &self,
        read: impl Fn(&'static dyn ErasedRules) -> Result<T, E>,
    ) -> Result<Result<T, E>, Error> {
        if let Some(rules) = self.rules {
            return Ok(read(rules.0));
        }
        match find::read_in_game(&self.collection.asked, &read).map_err(Error::file)? {
            Some(found) => Ok(found.read),
            // No record has moves, so nothing will be found, whatever the game.
            None => Ok(read("chess".parse::<Rules>()?.0)),
        }
    }

    /// Reads the condition, where the first player has the side with this tag.
    fn condition_on(&self, side: Option<&str>) -> Result<Option<Condition>, Error> {
        let condition = self.condition.as_deref();
        let condition = Condition::of_players(condition, side, &self.players);
        let Some(condition) = condition.map_err(Error::condition)? else { return Ok(None) };
        let files: Vec<&Inner> = self.collection.asked.iter().map(|asked| &asked.file).collect();
        condition.check(&files).map_err(Error::file)?;
        Ok(Some(condition))
    }

    fn read_pattern(&self, text: &PatternText) -> Result<Pattern, Error> {
        self.read_in_game(|game| text.of(game))?.map_err(Error::pattern)
    }
}

/// What a query requires, as read.
struct Read {
    target: Option<Target>,
    pattern: Option<Pattern>,
    condition: Option<Condition>,
    /// How many games the pattern passes over, and how many it wants after that.
    skip: u64,
    most: u64,
}

impl Read {
    fn question(&self, variations: bool) -> Question<'_> {
        Question {
            target: self.target.as_ref(),
            pattern: self.pattern.as_ref(),
            condition: self.condition.as_ref(),
            variations,
            ..Question::default()
        }
    }

    /// Returns how many games to look for, if this many are wanted.
    fn limit(&self, wanted: u64) -> u64 {
        wanted.min(self.most).saturating_add(self.skip)
    }
}

/// The texts of the moves that can be played in a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    texts: CandidateTexts,
    notation: Notation,
}

impl Texts {
    pub fn of_target(target: &Target, notation: Notation) -> Result<Self, Error> {
        Ok(Self { texts: target.texts().map_err(Error::coding)?, notation })
    }

    /// Returns a move in the notation of the query; `None` for the end of a game.
    pub fn of(&self, candidate: Option<u16>) -> Option<String> {
        self.texts.of(self.notation.inner(), candidate).map(str::to_owned)
    }

    /// Returns a move as coordinates.
    pub fn coordinates(&self, candidate: Option<u16>) -> Option<String> {
        self.texts.coordinates(candidate).map(str::to_owned)
    }

    fn place(&self, found: &Found) -> Place {
        let hits = found.hits.iter().map(|hit| self.hit(hit)).collect();
        Place { file: found.file, number: found.row + 1, hits }
    }

    fn hit(&self, hit: &find::Hit) -> Hit {
        let next_move = self.of(hit.candidate);
        let coordinates = self.coordinates(hit.candidate);
        Hit { ply: hit.ply, next_move, coordinates, variation: hit.variation }
    }
}

/// Queries the files of a collection, with or without their indices.
fn watched<T>(
    collection: &Collection,
    ignore_index: bool,
    work: Working<'_>,
    ask: impl FnOnce(&[Asked], &Work<'_>) -> Result<T, crate::store::Error>,
) -> Result<T, Error> {
    if ignore_index {
        let asked = without_indices(collection)?;
        return work.run(|work| ask(&asked, work));
    }
    work.run(|work| ask(&collection.asked, work))
}

/// Returns the files without their indices.
fn without_indices(collection: &Collection) -> Result<Vec<Asked>, Error> {
    let open = |path: &Arc<std::path::Path>| {
        let file = Inner::open(path).map_err(Error::file)?;
        let indices = Indices::none(&file);
        Ok(Asked { file, indices, known: None })
    };
    collection.paths.iter().map(open).collect()
}

/// A game that answers a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundGame {
    /// The game.
    pub game: Game,
    /// Where the position occurs, on the main line first, or where the pattern's conditions are
    /// met, in order; empty if neither was asked for.
    pub hits: Vec<Hit>,
}

/// A place where a position occurs in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// The number of plies from the start of the game.
    pub ply: u32,
    /// The move played there, in the notation of the query; `None` where the line ends, and for
    /// patterns.
    pub next_move: Option<String>,
    /// The same as coordinates.
    pub coordinates: Option<String>,
    /// Whether it is in a variation.
    pub variation: bool,
}

/// The games that answer a query, in its order: [`Query::find`].
///
/// Games are read in batches of up to 256. The iterator ends after an error: [`Error::Io`], or
/// [`Error::File`] if the file is damaged.
#[derive(Debug)]
pub struct FoundGames<'a> {
    collection: &'a Collection,
    texts: Texts,
    found: std::vec::IntoIter<Found>,
    ready: std::vec::IntoIter<FoundGame>,
}

/// Where a game is that answers a query: [`Query::places`], [`FoundGames::places`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The place of its file in the collection, counted from 0.
    pub file: usize,
    /// Its number there, counted from 1.
    pub number: u64,
    /// Where the position occurs in it: [`FoundGame::hits`].
    pub hits: Vec<Hit>,
}

impl FoundGames<'_> {
    /// Returns where the games are that have not been read yet, in order, and reads none.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.found.as_slice().iter().map(|found| self.texts.place(found))
    }

    /// Reads the next games that are in the same file.
    fn read(&mut self) -> Result<(), Error> {
        let next = self.found.as_slice();
        let file = next.first().map_or(0, |found| found.file);
        let count = next.iter().take(CHUNK).take_while(|found| found.file == file).count();
        let games: Vec<Found> = self.found.by_ref().take(count).collect();
        let (asked, path) = (self.collection.asked.get(file), self.collection.paths.get(file));
        let (Some(asked), Some(path)) = (asked, path) else { return Ok(()) };
        let mut rows: Vec<u64> = games.iter().map(|game| game.row).collect();
        rows.sort_unstable();
        let read: Rows = asked
            .file
            .read_rows(&find::runs(rows.iter().copied()), Wanted::All)
            .map_err(Error::file)?;
        let read = Arc::new(read);
        let game = |game: Found| {
            let place = rows.binary_search(&game.row).unwrap_or(usize::MAX);
            let (row, hits) = (game.row, game.hits);
            let game = Game::new(path.clone(), read.clone(), place, row + 1);
            FoundGame { game, hits: hits.iter().map(|hit| self.texts.hit(hit)).collect() }
        };
        self.ready = games.into_iter().map(game).collect::<Vec<_>>().into_iter();
        Ok(())
    }
}

impl Iterator for FoundGames<'_> {
    type Item = Result<FoundGame, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.len() == 0
            && let Err(error) = self.read()
        {
            self.found = Vec::new().into_iter();
            return Some(Err(error));
        }
        self.ready.next().map(Ok)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.ready.len() + self.found.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for FoundGames<'_> {}

impl FusedIterator for FoundGames<'_> {}
