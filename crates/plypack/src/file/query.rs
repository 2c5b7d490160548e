//! Questions: which games reach a position or fit a condition, and what was played there.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use plypack_core::Pattern;
use plypack_store::condition::Condition;
use plypack_store::find::{self, Asked, Found, Order, PatternText, Question, Target, Watch};
use plypack_store::games::Rows;
use plypack_store::index::Indices;
use plypack_store::{PackedFile as Inner, Wanted};

use super::collection::Collection;
use super::played::MovesPlayed;
use super::record::Record;
use super::watch::Watching;
use super::{Progress, Watcher};
use crate::error::Error;
use crate::game::{Game, game};
use crate::moves::Notation;

/// How many games are read at a time.
const CHUNK: usize = 256;

/// A question to packed files: [`Collection::query`].
///
/// All that is asked for has to hold of a game. A position is found however it was reached: by
/// other moves, from a start that was set up, or for the second time; the counters of a FEN do not
/// matter. Of moves that could not be coded, and are kept as text, nothing is found.
#[must_use = "nothing is asked before `find` or `tree` is called"]
pub struct Query<'a> {
    collection: &'a Collection,
    game: Option<Game>,
    position: Option<String>,
    moves: Option<String>,
    pattern: Option<String>,
    condition: Option<String>,
    player: Option<String>,
    variations: bool,
    sort: Sort,
    limit: u64,
    notation: Notation,
    scan: bool,
    threads: usize,
    progress: Option<Watcher<'a>>,
}

/// The order of games. Those that are equal in it stay as they are stored, file by file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sort {
    /// As they are stored.
    #[default]
    Stored,
    /// The best-rated first, by the mean of the players' ratings, as far as those are known; those
    /// without a rating last.
    Rating,
    /// The latest first; those without a date last.
    Date,
}

impl<'a> Query<'a> {
    pub(crate) fn new(collection: &'a Collection) -> Self {
        Self {
            collection,
            game: None,
            position: None,
            moves: None,
            pattern: None,
            condition: None,
            player: None,
            variations: false,
            sort: Sort::default(),
            limit: u64::MAX,
            notation: Notation::default(),
            scan: false,
            threads: 0,
            progress: None,
        }
    }

    /// Asks for a position, as the game writes it: a FEN of chess, with or without its counters, or
    /// of xiangqi, the rows of other games.
    pub fn position(mut self, position: impl Into<String>) -> Self {
        self.position = Some(position.into());
        self
    }

    /// Asks for the position after these moves, in any notation, with or without their numbers,
    /// from the usual start or from [`position`](Self::position): `1. e4 c5`.
    pub fn moves(mut self, moves: impl Into<String>) -> Self {
        self.moves = Some(moves.into());
        self
    }

    /// Asks for games whose main lines match a pattern: JSON such as `{"material": "KRPKR"}`, or a
    /// board, material or an imbalance alone; `docs/patterns.md` of the project has all of it. The
    /// hits are then where its conditions are met. [`tree`](Self::tree) does not ask for it.
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }

    /// Says which game the position is of; otherwise it is that of the first record.
    pub fn game(mut self, game: Game) -> Self {
        self.game = Some(game);
        self
    }

    /// Asks for games of which a condition holds, as in SQL: `WhiteElo > 2400 and Result = '1-0'`.
    /// Names are tags in any case, `player` is either of the two; `docs/where.md` of the project
    /// has all of it.
    pub fn condition(mut self, condition: impl Into<String>) -> Self {
        self.condition = Some(condition.into());
        self
    }

    /// Asks for games of a player, of either colour: a part of the name, in any case.
    pub fn player(mut self, name: impl Into<String>) -> Self {
        self.player = Some(name.into());
        self
    }

    /// Lets positions in variations count as well.
    pub fn variations(mut self, variations: bool) -> Self {
        self.variations = variations;
        self
    }

    /// Gives the games that are found in this order.
    pub fn sort(mut self, sort: Sort) -> Self {
        self.sort = sort;
        self
    }

    /// Gives at most so many games; otherwise all.
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Writes the moves that were played like this.
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// Decodes all games, as if there were no index. The answer is the same, and comes later.
    pub fn scan(mut self, scan: bool) -> Self {
        self.scan = scan;
        self
    }

    /// Works on so many threads; 0, the usual number, is one a core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `progress` as records are gone through, from any thread; it may stop the work.
    pub fn progress(
        mut self,
        progress: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Finds the games; all if nothing is asked for. Each that reaches the position was decoded to
    /// prove it. They are counted when this returns, and read as the iterator comes to them.
    ///
    /// # Errors
    /// [`Error::Position`] or [`Error::Move`] if the position cannot be read; [`Error::Condition`];
    /// [`Error::Pattern`]; [`Error::Io`], [`Error::Record`], or [`Error::File`] if a file or its
    /// index is damaged; [`Error::Stopped`].
    pub fn find(self) -> Result<FoundGames<'a>, Error> {
        let asks = self.position.is_some() || self.moves.is_some();
        let target = if asks { Some(self.target()?) } else { None };
        let condition = self.read_condition()?;
        let texts = target.as_ref().map(|target| self.texts(target)).transpose()?;
        let text = self.pattern.as_deref().map(PatternText::read).transpose();
        let text = text.map_err(Error::pattern)?;
        let pattern = text.as_ref().map(|text| self.read_pattern(text)).transpose()?;
        let skip = text.as_ref().map_or(0, |text| text.skip);
        let most = text.as_ref().and_then(|text| text.limit).unwrap_or(u64::MAX);
        let Self { collection, variations, sort, scan, threads, progress, .. } = self;
        let limit = self.limit.min(most).saturating_add(skip);
        let question = Question {
            target: target.as_ref(),
            condition: condition.as_ref(),
            variations,
            limits: None,
            pattern: pattern.as_ref(),
        };
        let order = match sort {
            Sort::Stored => Order::Stored,
            Sort::Rating => Order::Rating,
            Sort::Date => Order::Date,
        };
        let (mut found, mut passed) = (Vec::new(), 0);
        let mut sink = |game| {
            passed += 1;
            if passed > skip {
                found.push(game);
            }
            Ok(())
        };
        watched(collection, scan, threads, progress, |asked, watch| {
            find::find(asked, &question, order, limit, watch, &mut sink).map(|_| ())
        })?;
        let texts = texts.unwrap_or_default();
        let (found, ready) = (found.into_iter(), Vec::new().into_iter());
        Ok(FoundGames { collection, texts, found, ready })
    }

    /// Adds up the moves that were played in the position, or else in the usual start.
    ///
    /// # Errors
    /// [`Error::Position`] or [`Error::Move`] if the position cannot be read; [`Error::Condition`];
    /// [`Error::Io`], [`Error::Record`], or [`Error::File`] if a file or its index is damaged;
    /// [`Error::Stopped`].
    pub fn tree(self) -> Result<MovesPlayed, Error> {
        let (target, condition) = (self.target()?, self.read_condition()?);
        let texts = self.texts(&target)?;
        let Self { collection, variations, scan, threads, progress, .. } = self;
        let question = Question {
            target: Some(&target),
            condition: condition.as_ref(),
            variations,
            limits: None,
            pattern: None,
        };
        let tree = watched(collection, scan, threads, progress, |asked, watch| {
            find::tree(asked, &question, watch)
        })?;
        Ok(MovesPlayed::of(tree, target.text(), &texts, collection))
    }

    fn target(&self) -> Result<Target, Error> {
        let (start, moves) = (self.position.as_deref(), self.moves.as_deref().unwrap_or_default());
        Target::read(self.game_asked()?.0, start, moves).map_err(Error::coding)
    }

    fn game_asked(&self) -> Result<Game, Error> {
        if let Some(game) = self.game {
            return Ok(game);
        }
        for asked in &self.collection.asked {
            if let Some(game) = find::game_of(&asked.file).map_err(Error::file)? {
                return Ok(Game(game));
            }
        }
        // No record has moves, so that nothing will be found, whatever the game.
        game("chess")
    }

    fn read_condition(&self) -> Result<Option<Condition>, Error> {
        let condition = Condition::of(self.condition.as_deref(), self.player.as_deref());
        let Some(condition) = condition.map_err(Error::condition)? else { return Ok(None) };
        let files: Vec<&Inner> = self.collection.asked.iter().map(|asked| &asked.file).collect();
        let checked = condition.check(&files).map_err(Error::file)?;
        checked.map_err(Error::condition)?;
        Ok(Some(condition))
    }

    fn read_pattern(&self, text: &PatternText) -> Result<Pattern, Error> {
        text.of(self.game_asked()?.0).map_err(Error::pattern)
    }

    /// The texts of the moves that may be played in the position.
    fn texts(&self, target: &Target) -> Result<Vec<String>, Error> {
        target.candidates(self.notation.inner()).map_err(Error::coding)
    }
}

/// Asks the files of a collection, with or without their indices, and tells who watches.
fn watched<T>(
    collection: &Collection,
    scan: bool,
    threads: usize,
    progress: Option<Watcher<'_>>,
    ask: impl FnOnce(&[Asked], &Watch<'_>) -> Result<T, plypack_store::Error>,
) -> Result<T, Error> {
    let watching = Watching::new(progress);
    let progress = |records| watching.add(records);
    let watch = Watch { threads, stop: &watching.stop, progress: &progress };
    let answer = match scan {
        false => ask(&collection.asked, &watch),
        true => ask(&without_indices(collection)?, &watch),
    };
    let answer = answer.map_err(Error::file)?;
    watching.finish()?;
    Ok(answer)
}

/// The files, as if nothing were beside them.
fn without_indices(collection: &Collection) -> Result<Vec<Asked>, Error> {
    let open = |path: &Arc<std::path::Path>| {
        let file = Inner::open(path).map_err(Error::file)?;
        let indices = Indices::none(&file);
        Ok(Asked { file, indices, known: None })
    };
    collection.paths.iter().map(open).collect()
}

impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("game", &self.game)
            .field("position", &self.position)
            .field("moves", &self.moves)
            .field("pattern", &self.pattern)
            .field("condition", &self.condition)
            .field("player", &self.player)
            .field("variations", &self.variations)
            .field("sort", &self.sort)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// A game that answers a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundGame {
    /// The game.
    pub record: Record,
    /// Where the position stands in it, on the main line first, or where the pattern's conditions
    /// are met, one after the other; empty if neither was asked for.
    pub hits: Vec<Hit>,
}

/// A place where a position stands in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// How many plies led to it from the start of the game.
    pub ply: u32,
    /// The move that was played there, in the notation of the query; `None` where the line ends,
    /// and for patterns.
    pub played: Option<String>,
    /// Whether that is in a variation, and not on the main line.
    pub variation: bool,
}

/// The games that answer a query, in its order: [`Query::find`].
///
/// Each is read with those that follow it, at most 256 at a time. The iterator ends behind an
/// error: [`Error::Io`], or [`Error::File`] if the file is damaged.
#[derive(Debug)]
pub struct FoundGames<'a> {
    collection: &'a Collection,
    texts: Vec<String>,
    found: std::vec::IntoIter<Found>,
    ready: std::vec::IntoIter<FoundGame>,
}

impl FoundGames<'_> {
    /// Reads the next games that are in one file.
    fn read(&mut self) -> Result<(), Error> {
        let next = self.found.as_slice();
        let file = next.first().map_or(0, |found| found.file);
        let count = next.iter().take(CHUNK).take_while(|found| found.file == file).count();
        let games: Vec<Found> = self.found.by_ref().take(count).collect();
        let (asked, path) = (self.collection.asked.get(file), self.collection.paths.get(file));
        let (Some(asked), Some(path)) = (asked, path) else { return Ok(()) };
        let mut rows: Vec<u64> = games.iter().map(|game| game.row).collect();
        rows.sort_unstable();
        let read: Rows = asked.file.read_rows(&runs(&rows), Wanted::All).map_err(Error::file)?;
        let read = Arc::new(read);
        let hit = |hit: find::Hit| Hit {
            ply: hit.ply,
            played: hit.candidate.and_then(|at| self.texts.get(usize::from(at)).cloned()),
            variation: hit.variation,
        };
        let game = |game: Found| {
            let place = rows.binary_search(&game.row).unwrap_or(usize::MAX);
            let record = Record::new(path.clone(), read.clone(), place, game.row + 1);
            FoundGame { record, hits: game.hits.into_iter().map(hit).collect() }
        };
        self.ready = games.into_iter().map(game).collect::<Vec<_>>().into_iter();
        Ok(())
    }
}

/// Rows in ascending order as runs.
fn runs(rows: &[u64]) -> Vec<Range<u64>> {
    let runs = rows.chunk_by(|row, next| row + 1 == *next);
    runs.filter_map(|run| Some(*run.first()?..run.last()? + 1)).collect()
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
