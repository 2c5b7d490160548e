//! Packed files: opened, searched, counted and changed.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_schema::{DataType, Field, Schema};
use plypack::{
    Collection, Contents, Deduplicator, Error, Kept, Likeness, Merger, PackedFile, Packer, Query,
    Scan, Sort,
};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PySlice};

use crate::error::{raised, refused};
use crate::game::Game;
use crate::input::{Input, Natural, RangeReader};
use crate::table::{Batches, Table};
use crate::watch::{Told, Watch, watched};

/// Open files, as one collection. It does not change; a changed file is opened anew.
pub struct State {
    /// The files, for reading games.
    files: Vec<PackedFile>,
    /// The number of games before each file.
    starts: Vec<u64>,
    /// The same files, for queries.
    collection: Collection,
    /// The paths that were opened; none for sources.
    paths: Vec<PathBuf>,
}

impl State {
    fn open(paths: Vec<PathBuf>) -> Result<Self, Error> {
        let collection = Collection::open(&paths)?;
        let found = collection.coverage().into_iter().map(|covered| covered.path);
        let files = found.map(PackedFile::open).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::of(files, collection, paths))
    }

    fn of_sources(sources: &[(String, Py<PyAny>)]) -> Result<Self, Error> {
        let open = || {
            let open = |(name, object): &(String, Py<PyAny>)| {
                let object = Python::attach(|py| object.clone_ref(py));
                PackedFile::from_source(Path::new(name), RangeReader(object))
            };
            sources.iter().map(open).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self::of(open()?, Collection::of(open()?)?, Vec::new()))
    }

    fn of(files: Vec<PackedFile>, collection: Collection, paths: Vec<PathBuf>) -> Self {
        let mut before = 0;
        let starts = files.iter().map(|file| {
            before += file.len();
            before - file.len()
        });
        Self { starts: starts.collect(), files, collection, paths }
    }

    /// Returns the number of games.
    pub fn len(&self) -> u64 {
        self.files.iter().map(PackedFile::len).sum()
    }

    /// Returns a file.
    pub fn file(&self, file: usize) -> Option<&PackedFile> {
        self.files.get(file)
    }

    /// Returns the number of games before a file.
    pub fn start(&self, file: usize) -> u64 {
        self.starts.get(file).copied().unwrap_or(0)
    }

    /// Returns the files' row groups: the places of both.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let groups = |(at, file): (usize, &PackedFile)| (0..file.groups()).map(move |g| (at, g));
        self.files.iter().enumerate().flat_map(groups)
    }

    /// Returns the files' row groups.
    pub fn groups(&self) -> impl Iterator<Item = (&PackedFile, usize)> + '_ {
        self.places().filter_map(|(file, group)| Some((self.file(file)?, group)))
    }

    /// Returns the file of a game, counted from 0 over all files, and its number there, from 1.
    fn place(&self, index: u64) -> (usize, u64) {
        let file = self.starts.partition_point(|&start| start <= index).saturating_sub(1);
        (file, index - self.start(file) + 1)
    }

    /// Returns the row group of a game, by its file and its number there, and the numbers of that
    /// group's games.
    pub fn group(&self, file: usize, number: u64) -> (usize, Range<u64>) {
        let opened = self.file(file);
        let mut first = 1;
        for group in 0..opened.map_or(0, PackedFile::groups) {
            let end = first + opened.map_or(0, |opened| opened.group_len(group));
            if (first..end).contains(&number) {
                return (group, first..end);
            }
            first = end;
        }
        (0, number..number.saturating_add(1))
    }

    /// Reads games by their files and numbers there, one row group after another.
    fn games_at(
        &self,
        watch: &Watch,
        places: &[(usize, u64)],
    ) -> Result<Vec<plypack::Game>, Error> {
        let mut games = Vec::with_capacity(places.len());
        let mut left = places;
        while let Some(&(file, number)) = left.first() {
            watch.go_on()?;
            let (_, group) = self.group(file, number);
            let run = left.iter().take_while(|place| place.0 == file && group.contains(&place.1));
            let numbers: Vec<u64> = run.map(|place| place.1).collect();
            left = left.get(numbers.len().max(1)..).unwrap_or_default();
            if let Some(file) = self.file(file) {
                games.extend(Scan::new().games_at(file, &numbers)?);
            }
        }
        Ok(games)
    }

    /// Returns a query over all files.
    pub fn query(&self) -> Query<'_> {
        self.collection.query()
    }
}

/// What a query asks for.
#[derive(Clone, Default)]
pub struct Asked {
    pub fen: Option<String>,
    pub moves: Option<String>,
    pub pattern: Option<String>,
    pub condition: Option<String>,
    pub player: Option<Players>,
}

/// A player, or two who play each other.
#[derive(Clone, FromPyObject)]
pub enum Players {
    /// One name.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Asked {
    /// Adds it to a query.
    pub fn of<'a>(&self, mut query: Query<'a>) -> Query<'a> {
        if let Some(fen) = &self.fen {
            query = query.position(fen);
        }
        if let Some(moves) = &self.moves {
            query = query.moves(moves);
        }
        if let Some(pattern) = &self.pattern {
            query = query.pattern(pattern);
        }
        if let Some(condition) = &self.condition {
            query = query.condition(condition);
        }
        match &self.player {
            None => query,
            Some(Players::One(name)) => query.player(name),
            Some(Players::Several(names)) => names.iter().fold(query, Query::player),
        }
    }
}

/// Packed files of games, opened as one sequence of games.
///
/// Indices count from 0 over all files, `Game.number` from 1 in each file.
#[pyclass(frozen, module = "plypack")]
pub struct File(RwLock<Arc<State>>);

impl File {
    pub fn state(&self) -> Arc<State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the only path, for what changes a file.
    fn path(&self) -> PyResult<PathBuf> {
        let state = self.state();
        match (&state.paths[..], &state.files[..]) {
            ([_], [file]) => Ok(file.path().to_path_buf()),
            ([], _) => Err(refused("it was not opened by a path, so it cannot be changed")),
            _ => Err(refused("several files are open; open the one to change alone")),
        }
    }

    fn reopen(&self, py: Python<'_>) -> PyResult<()> {
        let paths = self.state().paths.clone();
        let state = py.detach(|| State::open(paths)).map_err(raised)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        Ok(())
    }
}

#[pymethods]
impl File {
    #[new]
    #[pyo3(signature = (paths, sources = Vec::new()))]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        sources: Vec<(String, Py<PyAny>)>,
    ) -> PyResult<Self> {
        let open = || match sources.is_empty() {
            true => State::open(paths),
            false => State::of_sources(&sources),
        };
        let state = py.detach(open).map_err(raised)?;
        Ok(Self(RwLock::new(Arc::new(state))))
    }

    /// The paths of the files, in order.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.state().files.iter().map(|file| file.path().to_path_buf()).collect()
    }

    /// How many games an index covers. Queries decode all others, which takes longer.
    #[getter]
    fn indexed(&self) -> u64 {
        self.state().collection.coverage().iter().map(|covered| covered.indexed).sum()
    }

    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.state().len()).map_err(|_| refused("too many games to count"))
    }

    /// Returns a game by its place, or a list of games by a slice.
    fn __getitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let state = self.state();
        item(py, index, state.len(), |watch, indices| {
            let places: Vec<_> = indices.iter().map(|&index| state.place(index)).collect();
            state.games_at(watch, &places)
        })
    }

    fn __iter__(&self) -> PyResult<Games> {
        Ok(Games::new(self.state(), Scan::new()))
    }

    /// Iterates over the games, or those that meet a condition, which is written as in SQL:
    /// `"WhiteElo > 2400 and Result = '1-0'"`. If columns are named, games have only these, such as
    /// `White` or `moves`, and the others are not read.
    ///
    /// >>> drawn = games.games(where="Result = '1/2-1/2'", columns=["White"])
    /// >>> next(drawn).result is None, next(games.games(columns=["White"])).white == games[0].white
    /// (True, True)
    #[pyo3(signature = (*, r#where = None, columns = None))]
    fn games(&self, r#where: Option<&str>, columns: Option<Vec<String>>) -> PyResult<Games> {
        Ok(Games::new(self.state(), scan(r#where, columns)?))
    }

    /// Returns a table of columns, by default the games' numbers, tags and moves; of all games, or
    /// of those that meet a condition. What is left out is not decoded.
    ///
    /// >>> games.scan(where="WhiteElo > 2800", columns=["game", "White"]).columns
    /// ['game', 'White']
    #[pyo3(signature = (*, r#where = None, columns = None))]
    fn scan(&self, r#where: Option<&str>, columns: Option<Vec<String>>) -> PyResult<Table> {
        Ok(Table { state: self.state(), scan: scan(r#where, columns)? })
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        slf: PyRef<'py, Self>,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let table = Py::new(py, slf.scan(None, None)?)?;
        let stream = table.bind(py).call_method1("__arrow_c_stream__", (requested_schema,))?;
        Ok(stream.cast_into()?)
    }

    /// Finds the games that reach a position, however they do, and meet conditions: `fen` a
    /// position, `moves` the position after them, such as `"1. e4 c5"`, `pattern` a board, material
    /// or JSON, `where` a condition as in SQL, `player` a name however it is spelled, or two names
    /// for the games of two players against each other.
    ///
    /// >>> found = games.find(moves="1. e4 c5", where="Result = '1-0'")
    /// >>> len(found) > 0, found[0].san()[:2]
    /// (True, ['e4', 'c5'])
    #[pyo3(signature = (*, fen = None, moves = None, pattern = None, r#where = None, player = None,
        sort = "stored", limit = None, variations = false, notation = "san", progress = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn find(
        &self,
        py: Python<'_>,
        fen: Option<String>,
        moves: Option<String>,
        pattern: Option<String>,
        r#where: Option<String>,
        player: Option<Players>,
        sort: &str,
        limit: Option<Natural>,
        variations: bool,
        notation: &str,
        progress: Option<Told>,
    ) -> PyResult<Found> {
        let state = self.state();
        let sort = match sort {
            "stored" => Sort::Stored,
            "rating" => Sort::Rating,
            "date" => Sort::Date,
            _ => return Err(refused(format!("`{sort}` is no order; use stored, rating or date"))),
        };
        let notation = crate::game::notation(notation)?;
        let asked = Asked { fen, moves, pattern, condition: r#where, player };
        let places = watched(py, progress.as_ref(), |watch| {
            let query = asked.of(state.query()).sort(sort).variations(variations);
            let query = query.limit(limit.map_or(u64::MAX, |limit| limit.0)).notation(notation);
            let found = query.stop(watch.stop.clone()).progress(watch.told()).find()?;
            Ok(found.places().collect::<Vec<_>>())
        })?;
        Ok(Found { state, places: Arc::new(places) })
    }

    /// Counts the games that `find` would find. For a position that an index knows, it reads no
    /// game.
    ///
    /// >>> games.count(moves="1. e4 c5") == len(games.find(moves="1. e4 c5"))
    /// True
    #[pyo3(signature = (*, fen = None, moves = None, pattern = None, r#where = None, player = None,
        variations = false, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn count(
        &self,
        py: Python<'_>,
        fen: Option<String>,
        moves: Option<String>,
        pattern: Option<String>,
        r#where: Option<String>,
        player: Option<Players>,
        variations: bool,
        progress: Option<Told>,
    ) -> PyResult<u64> {
        let state = self.state();
        let asked = Asked { fen, moves, pattern, condition: r#where, player };
        watched(py, progress.as_ref(), |watch| {
            let query = asked.of(state.query()).variations(variations);
            query.stop(watch.stop.clone()).progress(watch.told()).count()
        })
    }

    /// Counts the lines that games play from a position on, by default the usual start: `plies`
    /// deep, at most 100, and only moves of at least `min_games` games.
    ///
    /// >>> lines = games.branches(2, min_games=50)
    /// >>> [(first.text, [second.text for second in first.moves]) for first in lines.moves][:2]
    /// [('e4', ['e5', 'c5']), ('d4', ['Nf6'])]
    #[pyo3(signature = (plies, *, fen = None, moves = None, r#where = None, player = None,
        min_games = Natural(1), notation = "san", progress = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn branches(
        &self,
        py: Python<'_>,
        plies: Natural,
        fen: Option<String>,
        moves: Option<String>,
        r#where: Option<String>,
        player: Option<Players>,
        min_games: Natural,
        notation: &str,
        progress: Option<Told>,
    ) -> PyResult<Branches> {
        let state = self.state();
        let notation = crate::game::notation(notation)?;
        let plies = u16::try_from(plies.0).unwrap_or(u16::MAX);
        let asked = Asked { fen, moves, condition: r#where, player, ..Asked::default() };
        let found = watched(py, progress.as_ref(), |watch| {
            let query = asked.of(state.query()).notation(notation);
            let query = query.stop(watch.stop.clone()).progress(watch.told());
            query.branches(plies, min_games.0)
        })?;
        Ok(Branches(found))
    }

    /// Counts the moves played in a position, by default the usual start, and their results.
    ///
    /// >>> games.tree(moves="1. e4").moves[0].text
    /// 'e5'
    #[pyo3(signature = (*, fen = None, moves = None, r#where = None, player = None,
        variations = false, notation = "san", progress = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn tree(
        &self,
        py: Python<'_>,
        fen: Option<String>,
        moves: Option<String>,
        r#where: Option<String>,
        player: Option<Players>,
        variations: bool,
        notation: &str,
        progress: Option<Told>,
    ) -> PyResult<Tree> {
        let state = self.state();
        let notation = crate::game::notation(notation)?;
        let asked = Asked { fen, moves, condition: r#where, player, ..Asked::default() };
        let tree = watched(py, progress.as_ref(), |watch| {
            let query = asked.of(state.query()).variations(variations).notation(notation);
            query.stop(watch.stop.clone()).progress(watch.told()).tree()
        })?;
        Ok(Tree(tree))
    }

    /// Appends inputs to the file, whose games are copied as they are coded. An index is kept up to
    /// date. Returns a report.
    #[pyo3(signature = (inputs, *, index = false, threads = Natural(0), progress = None))]
    fn _append<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<Input>,
        index: bool,
        threads: Natural,
        progress: Option<Told>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let path = self.path()?;
        let report = watched(py, progress.as_ref(), |watch| {
            let packer =
                inputs.into_iter().fold(Packer::new(), |packer, input| input.add_to(packer));
            let packer = packer.index(index).threads(threads.size());
            packer.stop(watch.stop.clone()).progress(watch.told()).append(&path)
        })?;
        self.reopen(py)?;
        self::report(py, &report)
    }

    /// Deletes games by their numbers, counted from 1, or those that meet a condition. Returns how
    /// many there were.
    ///
    /// >>> path = tmp_path / "delete.parquet"
    /// >>> _ = plypack.pack([b"1. e4 *", b"1. d4 *"], path)
    /// >>> plypack.open(path).delete([1])
    /// 1
    #[pyo3(signature = (numbers = Vec::new(), *, r#where = None, progress = None))]
    fn delete(
        &self,
        py: Python<'_>,
        numbers: Vec<Natural>,
        r#where: Option<String>,
        progress: Option<Told>,
    ) -> PyResult<u64> {
        let path = self.path()?;
        if numbers.is_empty() && r#where.is_none() {
            return Err(refused("nothing says which games to delete: give numbers or `where`"));
        }
        let numbers: Vec<u64> = numbers.into_iter().map(|number| number.0).collect();
        let games = self.state().len();
        if let Some(number) = numbers.iter().find(|number| !(1..=games).contains(number)) {
            return Err(refused(format!("record {number}: the file has no such record")));
        }
        let deleted = watched(py, progress.as_ref(), |watch| {
            let file = PackedFile::open(&path)?;
            let mut deleter = file.deleter().records(numbers);
            if let Some(condition) = r#where {
                deleter = deleter.condition(condition);
            }
            deleter.stop(watch.stop.clone()).progress(watch.told()).delete()
        })?;
        self.reopen(py)?;
        Ok(deleted)
    }

    /// Finds games that the files have more than once, and with `delete=True` deletes the copies.
    /// Of each the `longest`, the `annotated` or the `first` is kept.
    ///
    /// >>> path = tmp_path / "dedup.parquet"
    /// >>> _ = plypack.pack([b"1. e4 *", b"1. e4 *"], path)
    /// >>> [(copy.number, copy.of_number) for copy in plypack.open(path).dedup(delete=True)]
    /// [(2, 1)]
    #[pyo3(signature = (*, delete = false, keep = "longest", any_day = false, any_result = false,
        progress = None))]
    fn dedup(
        &self,
        py: Python<'_>,
        delete: bool,
        keep: &str,
        any_day: bool,
        any_result: bool,
        progress: Option<Told>,
    ) -> PyResult<Vec<Duplicate>> {
        let state = self.state();
        if state.paths.is_empty() {
            return Err(refused("it was not opened by a path; download it to compare its games"));
        }
        let keep = match keep {
            "longest" => Kept::Longest,
            "annotated" => Kept::Annotated,
            "first" => Kept::First,
            _ => {
                return Err(refused(format!("`{keep}` is unknown; use longest, annotated, first")));
            }
        };
        let found = watched(py, progress.as_ref(), |watch| {
            let finder = state.paths.iter().fold(Deduplicator::new(), Deduplicator::file);
            let finder = finder.keep(keep).any_day(any_day).any_outcome(any_result);
            let finder = finder.stop(watch.stop.clone()).progress(watch.told());
            if delete { finder.delete() } else { finder.find() }
        })?;
        if delete {
            self.reopen(py)?;
        }
        Ok(found.into_iter().map(Duplicate).collect())
    }

    /// Builds the position index beside each file, or brings it up to date.
    ///
    /// >>> path = tmp_path / "index.parquet"
    /// >>> _ = plypack.pack(b"1. e4 *", path, index=False)
    /// >>> file = plypack.open(path)
    /// >>> file.build_index()
    /// >>> file.indexed
    /// 1
    #[pyo3(signature = (*, progress = None))]
    fn build_index(&self, py: Python<'_>, progress: Option<Told>) -> PyResult<()> {
        let state = self.state();
        if state.paths.is_empty() {
            return Err(refused("it was not opened by a path, so no index can be put beside it"));
        }
        watched(py, progress.as_ref(), |watch| {
            for file in &state.files {
                file.indexer().stop(watch.stop.clone()).progress(watch.told()).build()?;
            }
            Ok(())
        })?;
        self.reopen(py)
    }

    /// Decodes every game and compares checksums. Returns what is wrong, in words.
    ///
    /// >>> games.verify()
    /// []
    #[pyo3(signature = (*, progress = None))]
    fn verify(&self, py: Python<'_>, progress: Option<Told>) -> PyResult<Vec<String>> {
        let state = self.state();
        watched(py, progress.as_ref(), |watch| {
            let mut faults = Vec::new();
            for file in &state.files {
                let verifier = file.verifier().stop(watch.stop.clone()).progress(watch.told());
                faults.extend(verifier.verify()?.iter().map(ToString::to_string));
            }
            Ok(faults)
        })
    }

    fn __repr__(&self) -> String {
        let state = self.state();
        let names: Vec<_> =
            state.files.iter().map(|file| file.path().display().to_string()).collect();
        format!("<File {}: {} games>", names.join(", "), state.len())
    }
}

/// Returns what an index asks for of a sequence of games: a game by a number, or a list by a slice.
/// `read` reads games by their places in the sequence.
fn item(
    py: Python<'_>,
    index: &Bound<'_, PyAny>,
    length: u64,
    read: impl FnOnce(&Watch, &[u64]) -> Result<Vec<plypack::Game>, Error> + Send,
) -> PyResult<Py<PyAny>> {
    let length = isize::try_from(length).unwrap_or(isize::MAX);
    if let Ok(slice) = index.cast::<PySlice>() {
        let slice = slice.indices(length)?;
        let mut at = slice.start;
        let mut indices = Vec::with_capacity(slice.slicelength);
        for _ in 0..slice.slicelength {
            indices.push(u64::try_from(at).unwrap_or(0));
            at += slice.step;
        }
        let games = watched(py, None, |watch| read(watch, &indices))?;
        let games: Vec<Game> = games.into_iter().map(Game).collect();
        return Ok(games.into_pyobject(py)?.unbind().into_any());
    }
    let none = || PyIndexError::new_err(format!("there are {length} games, and no {index}"));
    let at: isize = index.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(py) {
            true => none(),
            false => PyTypeError::new_err("games are found by a number or a slice"),
        }
    })?;
    let at = if at < 0 { length + at } else { at };
    let at = u64::try_from(at).ok().filter(|_| at < length).ok_or_else(none)?;
    // Not watched: a thread for each game would take longer than the game.
    let games = py.detach(|| read(&Watch::default(), &[at])).map_err(raised)?;
    let game = games.into_iter().next().ok_or_else(none)?;
    Ok(Py::new(py, Game(game))?.into_any())
}

/// Makes a scan of a condition and columns.
fn scan(condition: Option<&str>, columns: Option<Vec<String>>) -> PyResult<Scan> {
    let mut scan = Scan::new();
    if let Some(columns) = columns {
        scan = scan.columns(columns).map_err(raised)?;
    }
    match condition {
        Some(condition) => scan.condition(condition).map_err(raised),
        None => Ok(scan),
    }
}

/// The games of files, in order.
#[pyclass(frozen, module = "plypack")]
pub struct Games {
    state: Arc<State>,
    scan: Scan,
    /// The next row group, and the games of the last.
    place: Mutex<(usize, std::vec::IntoIter<plypack::Game>)>,
}

impl Games {
    fn new(state: Arc<State>, scan: Scan) -> Self {
        Self { state, scan, place: Mutex::new((0, Vec::new().into_iter())) }
    }
}

#[pymethods]
impl Games {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        loop {
            let group = {
                // Held for moments only, and never while the interpreter's lock is waited for.
                let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(game) = place.1.next() {
                    return Ok(Some(Game(game)));
                }
                place.0 += 1;
                place.0 - 1
            };
            let Some((file, group)) = self.state.groups().nth(group) else { return Ok(None) };
            let games = watched(py, None, |_| self.scan.games(file, group))?;
            let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have read the next group meanwhile.
            let left: Vec<_> = std::mem::take(&mut place.1).collect();
            place.1 = left.into_iter().chain(games).collect::<Vec<_>>().into_iter();
        }
    }
}

/// The games that answer a query, in its order: a sequence that reads games when asked for.
#[pyclass(frozen, module = "plypack", sequence)]
pub struct Found {
    state: Arc<State>,
    places: Arc<Vec<plypack::Place>>,
}

#[pymethods]
impl Found {
    fn __len__(&self) -> usize {
        self.places.len()
    }

    /// Returns a game by its place among those found, or a list of games by a slice.
    fn __getitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        item(py, index, self.places.len() as u64, |watch, indices| {
            let place = |&index: &u64| self.places.get(usize::try_from(index).ok()?);
            let places = indices.iter().filter_map(place).map(|place| (place.file, place.number));
            self.state.games_at(watch, &places.collect::<Vec<_>>())
        })
    }

    fn __iter__(&self) -> FoundGames {
        let (state, places) = (self.state.clone(), self.places.clone());
        FoundGames { state, places, at: Mutex::new((0, Vec::new().into_iter())) }
    }

    /// Where the games are: for each the place of its file among the files, its number there from
    /// 1, and its hits, each a ply, the move played there or None, and whether in a variation.
    #[getter]
    #[expect(clippy::type_complexity, reason = "a list of tuples in Python")]
    fn places(&self) -> Vec<(usize, u64, Vec<(u32, Option<String>, bool)>)> {
        let place = |place: &plypack::Place| {
            let hits = place.hits.iter();
            let hits = hits.map(|hit| (hit.ply, hit.next_move.clone(), hit.variation));
            (place.file, place.number, hits.collect())
        };
        self.places.iter().map(place).collect()
    }

    /// A row for each hit, or for each game without hits: path, game, ply, move, variation.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (mut paths, mut games) = (StringBuilder::new(), UInt64Builder::new());
        let (mut plies, mut moves) = (UInt32Builder::new(), StringBuilder::new());
        let mut variations = BooleanBuilder::new();
        for place in self.places.iter() {
            let path = self.state.file(place.file).map(|file| file.path().display().to_string());
            // A game without hits has a row, too.
            for at in 0..place.hits.len().max(1) {
                let hit = place.hits.get(at);
                paths.append_option(path.as_deref());
                games.append_value(place.number);
                plies.append_option(hit.map(|hit| hit.ply));
                moves.append_option(hit.and_then(|hit| hit.next_move.as_deref()));
                variations.append_option(hit.map(|hit| hit.variation));
            }
        }
        let schema = Schema::new(vec![
            Field::new("path", DataType::Utf8, true),
            Field::new("game", DataType::UInt64, false),
            Field::new("ply", DataType::UInt32, true),
            Field::new("move", DataType::Utf8, true),
            Field::new("variation", DataType::Boolean, true),
        ]);
        let table = Batches::of(
            schema,
            vec![
                Arc::new(paths.finish()),
                Arc::new(games.finish()),
                Arc::new(plies.finish()),
                Arc::new(moves.finish()),
                Arc::new(variations.finish()),
            ],
        )?;
        let batches = table.batches.into_iter().map(Ok);
        crate::table::stream(py, &table.schema, batches, requested_schema)
    }

    /// Writes the games to a file. One that ends in `.parquet` is packed, in the order of the
    /// files; others get the games as they were packed, or as PGN if a notation is named, and are
    /// compressed if their names end in `.zst`, `.gz` or `.xz`. Returns how many games there are.
    ///
    /// >>> games.find(moves="1. e4 c5", limit=3).save(tmp_path / "sicilian.pgn")
    /// 3
    #[pyo3(signature = (out, *, notation = None, progress = None))]
    fn save(
        &self,
        py: Python<'_>,
        out: PathBuf,
        notation: Option<&str>,
        progress: Option<Told>,
    ) -> PyResult<u64> {
        let notation = notation.map(crate::game::notation).transpose()?;
        let report = watched(py, progress.as_ref(), |watch| {
            let places = self.places.iter().map(|place| (place.file, place.number));
            let mut extractor = self.state.collection.extractor().games(places);
            if let Some(notation) = notation {
                extractor = extractor.as_pgn(notation);
            }
            extractor.stop(watch.stop.clone()).progress(watch.told()).to_file(&out)
        })?;
        Ok(report.games)
    }

    fn __repr__(&self) -> String {
        format!("<Found {} games>", self.places.len())
    }
}

/// How many found games are read at a time.
const FOUND: usize = 256;

/// The games found, in order.
#[pyclass(frozen, module = "plypack")]
pub struct FoundGames {
    state: Arc<State>,
    places: Arc<Vec<plypack::Place>>,
    at: Mutex<(usize, std::vec::IntoIter<plypack::Game>)>,
}

#[pymethods]
impl FoundGames {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let from = {
            let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(game) = at.1.next() {
                return Ok(Some(Game(game)));
            }
            at.0 += FOUND;
            at.0 - FOUND
        };
        let places = self.places.iter().skip(from).take(FOUND);
        let places: Vec<_> = places.map(|place| (place.file, place.number)).collect();
        let mut games = watched(py, None, |watch| self.state.games_at(watch, &places))?.into_iter();
        let next = games.next();
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let left: Vec<_> = std::mem::take(&mut at.1).collect();
        at.1 = left.into_iter().chain(games).collect::<Vec<_>>().into_iter();
        Ok(next.map(Game))
    }
}

/// The moves played in a position. It is a table, too: a row for each move.
#[pyclass(frozen, module = "plypack")]
pub struct Tree(plypack::OpeningTree);

#[pymethods]
impl Tree {
    /// The position, in canonical spelling.
    #[getter]
    fn fen(&self) -> &str {
        &self.0.position
    }

    /// How many games reach it.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// The moves, the most frequent first.
    #[getter]
    fn moves(&self) -> Vec<TreeMove> {
        let of = |played: &plypack::TreeMove| TreeMove {
            text: played.text.clone(),
            games: played.tally.games,
            white: played.tally.white,
            draws: played.tally.draws,
            black: played.tally.black,
            mean_rating: played.tally.mean_rating,
            last_year: played.tally.last_year,
            any_order: played.any_order.map(|all| (all.games, all.white, all.draws, all.black)),
        };
        self.0.moves.iter().map(of).collect()
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (mut texts, mut ratings) = (StringBuilder::new(), Float64Builder::new());
        let mut counts: [UInt64Builder; 4] = std::array::from_fn(|_| UInt64Builder::new());
        let mut any_order: [UInt64Builder; 4] = std::array::from_fn(|_| UInt64Builder::new());
        let mut years = UInt32Builder::new();
        for played in &self.0.moves {
            let tally = &played.tally;
            texts.append_value(&played.text);
            let numbers = [tally.games, tally.white, tally.draws, tally.black];
            counts.iter_mut().zip(numbers).for_each(|(builder, n)| builder.append_value(n));
            ratings.append_option(tally.mean_rating);
            years.append_option(tally.last_year.map(u32::from));
            let all = played.any_order.map(|all| [all.games, all.white, all.draws, all.black]);
            for (at, builder) in any_order.iter_mut().enumerate() {
                builder.append_option(all.and_then(|all| all.get(at).copied()));
            }
        }
        let count = |name| Field::new(name, DataType::UInt64, false);
        let sum = |name| Field::new(name, DataType::UInt64, true);
        let schema = Schema::new(vec![
            Field::new("move", DataType::Utf8, false),
            count("games"),
            count("white"),
            count("draws"),
            count("black"),
            Field::new("mean_rating", DataType::Float64, true),
            Field::new("last_year", DataType::UInt32, true),
            sum("any_order_games"),
            sum("any_order_white"),
            sum("any_order_draws"),
            sum("any_order_black"),
        ]);
        let mut columns: Vec<arrow_array::ArrayRef> = vec![Arc::new(texts.finish())];
        for mut builder in counts {
            columns.push(Arc::new(builder.finish()));
        }
        columns.push(Arc::new(ratings.finish()));
        columns.push(Arc::new(years.finish()));
        for mut builder in any_order {
            columns.push(Arc::new(builder.finish()));
        }
        let table = Batches::of(schema, columns)?;
        let batches = table.batches.into_iter().map(Ok);
        crate::table::stream(py, &table.schema, batches, requested_schema)
    }

    fn __repr__(&self) -> String {
        format!("<Tree of {} games and {} moves>", self.0.games, self.0.moves.len())
    }
}

/// A move played in a position.
#[pyclass(frozen, get_all, module = "plypack")]
pub struct TreeMove {
    /// The move.
    text: String,
    /// The games that played it.
    games: u64,
    /// How many White won.
    white: u64,
    /// How many were drawn.
    draws: u64,
    /// How many Black won.
    black: u64,
    /// The mean rating of the players; None if unknown.
    mean_rating: Option<f64>,
    /// The year of the latest game; None if unknown.
    last_year: Option<u16>,
    /// The games that reach the position after it, by whatever order of moves, and how many of them
    /// White won, were drawn and Black won; None if unknown, as without an index or with a filter.
    any_order: Option<(u64, u64, u64, u64)>,
}

#[pymethods]
impl TreeMove {
    fn __repr__(&self) -> String {
        format!("<TreeMove {}: {} games>", self.text, self.games)
    }
}

/// The lines that games play from a position on.
#[pyclass(frozen, module = "plypack")]
pub struct Branches(plypack::Branches);

#[pymethods]
impl Branches {
    /// The position, in canonical spelling.
    #[getter]
    fn fen(&self) -> &str {
        &self.0.position
    }

    /// How many games reach it.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// The moves, the most frequent first.
    #[getter]
    fn moves(&self) -> Vec<Branch> {
        self.0.moves.iter().map(|branch| Branch(branch.clone())).collect()
    }

    /// The lines as a game in PGN, the less frequent moves as variations; None for go.
    #[getter]
    fn pgn(&self) -> Option<&str> {
        self.0.to_pgn()
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __repr__(&self) -> String {
        format!("<Branches of {} games and {} moves>", self.0.games, self.0.moves.len())
    }
}

/// A move, and how the games that play it go on.
#[pyclass(frozen, module = "plypack")]
pub struct Branch(plypack::Branch);

#[pymethods]
impl Branch {
    /// The move.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The games that played it.
    #[getter]
    fn games(&self) -> u64 {
        self.0.tally.games
    }

    /// How many White won.
    #[getter]
    fn white(&self) -> u64 {
        self.0.tally.white
    }

    /// How many were drawn.
    #[getter]
    fn draws(&self) -> u64 {
        self.0.tally.draws
    }

    /// How many Black won.
    #[getter]
    fn black(&self) -> u64 {
        self.0.tally.black
    }

    /// The mean rating of the players; None if unknown.
    #[getter]
    fn mean_rating(&self) -> Option<f64> {
        self.0.tally.mean_rating
    }

    /// The year of the latest game; None if unknown.
    #[getter]
    fn last_year(&self) -> Option<u16> {
        self.0.tally.last_year
    }

    /// The moves after it, the most frequent first; none at the last ply that was asked for.
    #[getter]
    fn moves(&self) -> Vec<Self> {
        self.0.moves.iter().map(|branch| Self(branch.clone())).collect()
    }

    /// The games that end after it; 0 at the last ply that was asked for.
    #[getter]
    fn ended(&self) -> u64 {
        self.0.ended.games
    }

    fn __repr__(&self) -> String {
        format!(
            "<Branch {}: {} games and {} moves>",
            self.0.text,
            self.0.tally.games,
            self.0.moves.len()
        )
    }
}

/// A game that is a copy of one that is kept.
#[pyclass(frozen, module = "plypack")]
pub struct Duplicate(plypack::Duplicate);

#[pymethods]
impl Duplicate {
    /// The file of the copy.
    #[getter]
    fn path(&self) -> &Path {
        &self.0.path
    }

    /// The number of the copy there, counted from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.0.number
    }

    /// The file of the game that is kept.
    #[getter]
    fn of_path(&self) -> &Path {
        &self.0.of_path
    }

    /// The number of the game that is kept, counted from 1.
    #[getter]
    fn of_number(&self) -> u64 {
        self.0.of_number
    }

    /// In what both are alike: `bytes`, `moves`, or `first moves`.
    #[getter]
    fn likeness(&self) -> &'static str {
        match self.0.likeness {
            Likeness::Bytes => "bytes",
            Likeness::Moves => "moves",
            _ => "first moves",
        }
    }

    /// Whether it is kept as well, because the results differ.
    #[getter]
    fn is_kept(&self) -> bool {
        self.0.is_kept
    }

    fn __repr__(&self) -> String {
        format!("<Duplicate {} of {}>", self.0.number, self.0.of_number)
    }
}

/// Makes a report of what was packed.
fn report<'py>(py: Python<'py>, report: &plypack::PackReport) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("games", report.records)?;
    out.set_item("plies", report.plies)?;
    out.set_item("positions", report.positions)?;
    out.set_item("input_bytes", report.input_bytes)?;
    out.set_item("output_bytes", report.output_bytes)?;
    out.set_item("faulty", report.faulty)?;
    out.set_item("verbatim", report.verbatim)?;
    let notice = |notice: &plypack::Notice| {
        format!("{}, line {}: {}", notice.input, notice.line, notice.message)
    };
    out.set_item("notices", report.notices.iter().map(notice).collect::<Vec<_>>())?;
    Ok(out)
}

/// Packs inputs into a file, which is replaced once all of the new one is on disk.
#[pyfunction]
#[pyo3(signature = (inputs, out, *, model = None, game = None, index = true, threads = Natural(0),
    progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn _pack<'py>(
    py: Python<'py>,
    inputs: Vec<Input>,
    out: PathBuf,
    model: Option<&str>,
    game: Option<&str>,
    index: bool,
    threads: Natural,
    progress: Option<Told>,
) -> PyResult<Bound<'py, PyDict>> {
    if inputs.is_empty() {
        return Err(refused("there is nothing to pack"));
    }
    let rules = game.map(str::parse::<plypack::Rules>).transpose().map_err(raised)?;
    let codec = match model {
        None => None,
        Some(model) => {
            let of = rules.map_or_else(|| "chess".parse(), Ok).map_err(raised)?;
            Some(of.line_codec(model).map_err(raised)?)
        }
    };
    let packed = watched(py, progress.as_ref(), |watch| {
        let packer = inputs.into_iter().fold(Packer::new(), |packer, input| input.add_to(packer));
        let mut packer = packer.index(index).threads(threads.size());
        if let Some(rules) = rules {
            packer = packer.rules(rules);
        }
        if let Some(codec) = codec {
            packer = packer.line_codec(codec);
        }
        packer.stop(watch.stop.clone()).progress(watch.told()).pack(&out)
    })?;
    report(py, &packed)
}

/// Restores the bytes that were packed: into a file, or as bytes without one.
#[pyfunction]
#[pyo3(signature = (packed, out = None, *, threads = Natural(0), progress = None))]
pub fn unpack<'py>(
    py: Python<'py>,
    packed: PathBuf,
    out: Option<PathBuf>,
    threads: Natural,
    progress: Option<Told>,
) -> PyResult<Option<Bound<'py, pyo3::types::PyBytes>>> {
    let bytes = watched(py, progress.as_ref(), |watch| {
        let file = PackedFile::open(&packed)?;
        let unpacker = file.unpacker().threads(threads.size()).stop(watch.stop.clone());
        let unpacker = unpacker.progress(watch.told());
        match &out {
            Some(out) => unpacker.to_file(out).map(|_| None),
            None => {
                let mut bytes = Vec::new();
                unpacker.to_writer(&mut bytes).map(|_| Some(bytes))
            }
        }
    })?;
    Ok(bytes.map(|bytes| pyo3::types::PyBytes::new(py, &bytes)))
}

/// Merges packed files of games into one. Their games are copied as they are coded. Returns how
/// many there are.
#[pyfunction]
#[pyo3(signature = (packed, out, *, index = true, progress = None))]
pub fn merge(
    py: Python<'_>,
    packed: Vec<PathBuf>,
    out: PathBuf,
    index: bool,
    progress: Option<Told>,
) -> PyResult<u64> {
    if packed.is_empty() {
        return Err(refused("there is nothing to merge"));
    }
    let report = watched(py, progress.as_ref(), |watch| {
        let merger = packed.iter().fold(Merger::new(), Merger::file).index(index);
        merger.stop(watch.stop.clone()).progress(watch.told()).merge(&out)
    })?;
    Ok(report.records)
}

/// Whether a file holds games, rather than positions.
#[pyfunction]
pub fn holds_games(py: Python<'_>, path: PathBuf) -> PyResult<bool> {
    let file = py.detach(|| PackedFile::open(path)).map_err(raised)?;
    Ok(file.contents() == Contents::Games)
}
