//! Batches of positions for training, filled without the interpreter's lock.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

use numpy::{PyArray1, PyArrayMethods};
use plypack::{Boards, Error, Game, Notation, Outcome, Rules, Scan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{raised, refused};
use crate::file::{Asked, File, Players, State};
use crate::input::Natural;
use crate::watch::{Watch, watched};

/// How many rows are decoded at a time, or a batch if it has more.
const POOL: usize = 1 << 15;

/// The same where each row has a mask of legal moves, of up to 20,480 bytes.
const MASKED_POOL: usize = 1 << 11;

/// How many games a thread decodes before its rows are joined with those of others.
const CHUNK: usize = 64;

/// How boards are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    BitBoards,
    Planes,
    Cells,
}

impl Form {
    fn named(name: &str) -> PyResult<Self> {
        match name {
            "bitboards" => Ok(Self::BitBoards),
            "planes" => Ok(Self::Planes),
            "cells" => Ok(Self::Cells),
            _ => Err(refused(format!("`{name}`: use bitboards, planes or cells"))),
        }
    }
}

/// How the moves that can be played are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Legal {
    None,
    Mask,
    Indices,
}

impl Legal {
    fn named(name: Option<&str>) -> PyResult<Self> {
        match name {
            None => Ok(Self::None),
            Some("mask") => Ok(Self::Mask),
            Some("indices") => Ok(Self::Indices),
            Some(other) => Err(refused(format!("`{other}`: use mask or indices"))),
        }
    }
}

/// What rows are made of, and which games.
struct Plan {
    rules: Rules,
    size: (u16, u16),
    scan: Scan,
    /// The part of all games, by their hashes.
    part: (f64, f64),
    seed: u64,
    epoch: u64,
    /// This worker among all.
    shard: (usize, usize),
    form: Form,
    legal: Legal,
    /// Whether moves are numbered as by Leela Chess Zero.
    leela: bool,
    /// Whether boards and moves are seen by the side to move.
    mover: bool,
    /// Whether clock readings are told.
    clocks: bool,
    batch: usize,
    threads: usize,
}

/// Rows as columns, in order.
#[derive(Default)]
struct Rows {
    boards: Boards,
    results: Vec<i8>,
    ratings: Vec<i16>,
    plies: Vec<i32>,
    left: Vec<i32>,
    games: Vec<i64>,
    clocks: Vec<f32>,
    spans: Vec<Span>,
}

/// The rows of a game.
#[derive(Clone, Copy)]
struct Span {
    unit: usize,
    /// The game's place in the order of its unit.
    index: usize,
    /// The first of its rows that is here.
    ply: usize,
    rows: usize,
}

/// A game to decode.
struct Task<'a> {
    game: &'a Game,
    /// Its number over all files, from 0.
    number: i64,
    unit: usize,
    index: usize,
    /// How many of its rows to leave out.
    skip: usize,
}

/// The result of a game whose result is unknown.
const UNKNOWN: i8 = -128;

impl Plan {
    fn boards(&self) -> Boards {
        let small = self.is_small();
        let men = self.form == Form::BitBoards || self.form == Form::Planes && small;
        let cells = self.form == Form::Cells || self.form == Form::Planes && !small;
        Boards::new().with_men(men).with_cells(cells).with_legal(self.legal != Legal::None)
    }

    fn is_small(&self) -> bool {
        self.cells() <= 64
    }

    fn cells(&self) -> usize {
        usize::from(self.size.0) * usize::from(self.size.1)
    }

    fn rows(&self) -> Rows {
        Rows { boards: self.boards(), ..Rows::default() }
    }

    /// Whether boards of this game differ in size.
    fn varies(&self) -> bool {
        matches!(self.rules.name(), "go" | "gomoku")
    }

    fn has_part(&self) -> bool {
        self.part != (0.0, 1.0)
    }

    /// Whether a game with these moves is in the part.
    fn is_in(&self, start: Option<&str>, moves: &[u16]) -> bool {
        let share = share(start, moves);
        self.part.0 <= share && share < self.part.1
    }

    /// Adds the rows of a game, if it is wanted.
    fn add(&self, task: &Task<'_>, rows: &mut Rows, spare: &mut Boards) -> Result<(), Error> {
        let Some(line) = task.game.line()? else { return Ok(()) };
        if line.codec.rules() != self.rules || line.plies == 0 {
            return Ok(());
        }
        // Where few games are wanted, most need no boards.
        if self.has_part() && self.part.1 - self.part.0 < 0.5 {
            let mut moves = Boards::new();
            task.game.boards(&mut moves)?;
            if !self.is_in(line.start, moves.moves()) {
                return Ok(());
            }
        }
        let before = rows.boards.len();
        if self.varies() {
            spare.clear();
            task.game.boards(spare)?;
            if spare.size() != self.size {
                return Ok(());
            }
            rows.boards.append(spare);
        } else {
            task.game.boards(&mut rows.boards)?;
        }
        let moves = rows.boards.moves().get(before..).unwrap_or_default();
        let all = moves.len();
        if self.has_part() && !self.is_in(line.start, moves) {
            rows.boards.truncate(before);
            return Ok(());
        }
        let skip = task.skip.min(all);
        if skip > 0 {
            let mut kept = rows.boards.split_off(before + skip);
            rows.boards.truncate(before);
            rows.boards.append(&mut kept);
        }
        self.add_facts(task, all, skip, rows)
    }

    /// Adds what a game's rows have besides boards.
    fn add_facts(
        &self,
        task: &Task<'_>,
        all: usize,
        skip: usize,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let count = all - skip;
        let game = task.game;
        let result = match game.outcome() {
            Some(Outcome::WhiteWon) => 1,
            Some(Outcome::Draw) => 0,
            Some(Outcome::BlackWon) => -1,
            _ => UNKNOWN,
        };
        let rating = |rating: Option<u16>| rating.and_then(|r| i16::try_from(r).ok()).unwrap_or(0);
        let ratings = [rating(game.white_rating()), rating(game.black_rating())];
        let number = |ply: usize| i32::try_from(ply).unwrap_or(i32::MAX);
        rows.results.resize(rows.results.len() + count, result);
        rows.ratings.extend(std::iter::repeat_n(ratings, count).flatten());
        rows.plies.extend((skip..all).map(number));
        rows.left.extend((skip..all).map(|ply| number(all - ply)));
        rows.games.resize(rows.games.len() + count, task.number);
        if self.clocks {
            let tree = game.tree(Notation::Coordinate)?;
            let clock = |ply: usize| tree.moves.get(ply).and_then(|mv| mv.clock);
            let clocks = (skip..all).map(|ply| clock(ply).map_or(f32::NAN, |c| c.as_secs_f32()));
            rows.clocks.extend(clocks);
        }
        let Task { unit, index, .. } = *task;
        rows.spans.push(Span { unit, index, ply: skip, rows: count });
        Ok(())
    }

    /// Decodes games into rows, in order, on one thread or several.
    fn decode(&self, tasks: &[Task<'_>], rows: &mut Rows) -> Result<(), Error> {
        if self.threads < 2 || tasks.len() <= CHUNK {
            let mut spare = self.boards();
            return tasks.iter().try_for_each(|task| self.add(task, rows, &mut spare));
        }
        let each = tasks.len().div_ceil(self.threads);
        let parts = thread::scope(|scope| {
            let work = |tasks: &[Task<'_>]| {
                let (mut rows, mut spare) = (self.rows(), self.boards());
                tasks.iter().try_for_each(|task| self.add(task, &mut rows, &mut spare))?;
                Ok::<_, Error>(rows)
            };
            let workers: Vec<_> =
                tasks.chunks(each).map(|tasks| scope.spawn(move || work(tasks))).collect();
            workers.into_iter().map(thread::ScopedJoinHandle::join).collect::<Vec<_>>()
        });
        for part in parts {
            match part {
                Ok(part) => rows.append(part?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    }
}

impl Rows {
    fn len(&self) -> usize {
        self.boards.len()
    }

    fn append(&mut self, mut other: Self) {
        self.boards.append(&mut other.boards);
        self.results.append(&mut other.results);
        self.ratings.append(&mut other.ratings);
        self.plies.append(&mut other.plies);
        self.left.append(&mut other.left);
        self.games.append(&mut other.games);
        self.clocks.append(&mut other.clocks);
        self.spans.append(&mut other.spans);
    }

    /// Takes away the rows from this one on.
    fn split_off(&mut self, row: usize) -> Self {
        let mut spans = Vec::new();
        let mut before = 0;
        self.spans.retain_mut(|span| {
            let first = before;
            before += span.rows;
            if before <= row {
                return true;
            }
            let kept = row.saturating_sub(first);
            spans.push(Span { ply: span.ply + kept, rows: span.rows - kept, ..*span });
            span.rows = kept;
            kept > 0
        });
        let clock = row.min(self.clocks.len());
        Self {
            boards: self.boards.split_off(row),
            results: self.results.split_off(row),
            ratings: self.ratings.split_off(2 * row),
            plies: self.plies.split_off(row),
            left: self.left.split_off(row),
            games: self.games.split_off(row),
            clocks: self.clocks.split_off(clock),
            spans,
        }
    }
}

/// Returns a number from 0 up to 1 that depends on a game's moves and start alone: FNV-1a, 64 bits,
/// of the start's text, if it has one, and of the numbers of its moves, each of two bytes, the
/// lower first; mixed, as FNV leaves the highest bits of short texts alike.
fn share(start: Option<&str>, moves: &[u16]) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    start.unwrap_or_default().bytes().for_each(&mut take);
    moves.iter().flat_map(|mv| mv.to_le_bytes()).for_each(take);
    // The 53 bits of a fraction.
    (mixed(hash) >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns the next number of SplitMix64 after this state.
fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Shuffles (Fisher and Yates), with numbers that depend on these seeds alone.
fn shuffle<T>(items: &mut [T], seeds: [u64; 3]) {
    let mut state = seeds.into_iter().fold(0, |state, seed| mixed(state ^ mixed(seed)));
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let below = (u128::from(mixed(state)) * (last as u128 + 1)) >> 64;
        items.swap(last, usize::try_from(below).unwrap_or(0));
    }
}

/// The place in the plan, and rows that are not delivered yet.
struct Place {
    /// The row groups, shuffled: file and group.
    units: Vec<(usize, usize)>,
    /// For each row group, the numbers of the games that a query found; `None` without one.
    found: Option<BTreeMap<(usize, usize), Vec<u64>>>,
    /// The current unit.
    unit: usize,
    /// Its games, shuffled, once read: for each its number over all files, from 0.
    games: Option<Vec<(i64, Game)>>,
    /// The next of them.
    index: usize,
    /// The rows to leave out of the next game.
    skip: usize,
    rows: Rows,
    /// The spans of what was delivered last.
    delivered: Vec<Span>,
}

/// Batches of positions: the part of `plypack.training` that is not Python.
#[pyclass(frozen, module = "plypack.training")]
pub struct Sampler {
    state: Arc<State>,
    asked: Asked,
    plan: Plan,
    place: Mutex<Option<Place>>,
}

/// The columns of a batch's games: tags that rows tell of, and moves.
const COLUMNS: [&str; 5] = ["moves", "Result", "WhiteElo", "BlackElo", "tags"];

impl Sampler {
    fn place_of(&self, row: usize) -> (usize, usize, usize) {
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = place.as_ref() else { return (0, 0, 0) };
        let mut before = 0;
        for span in place.delivered.iter().chain(&place.rows.spans) {
            if row < before + span.rows {
                return (span.unit, span.index, span.ply + row - before);
            }
            before += span.rows;
        }
        (place.unit, place.index, place.skip)
    }
}

#[pymethods]
impl Sampler {
    #[new]
    #[pyo3(signature = (file, *, game, size, boards, legal, policy, perspective, clocks, part, seed,
        epoch, shard, batch, threads, fen = None, moves = None, pattern = None, r#where = None,
        player = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        file: &File,
        game: &str,
        size: (u16, u16),
        boards: &str,
        legal: Option<&str>,
        policy: &str,
        perspective: &str,
        clocks: bool,
        part: (f64, f64),
        seed: Natural,
        epoch: Natural,
        shard: (Natural, Natural),
        batch: Natural,
        threads: Natural,
        fen: Option<String>,
        moves: Option<String>,
        pattern: Option<String>,
        r#where: Option<String>,
        player: Option<Players>,
    ) -> PyResult<Self> {
        let rules = game.parse::<Rules>().map_err(raised)?;
        let form = Form::named(boards)?;
        if form == Form::BitBoards && usize::from(size.0) * usize::from(size.1) > 64 {
            return Err(refused(format!("a board of {game} has more than 64 cells; use cells")));
        }
        let legal = Legal::named(legal)?;
        let leela = match policy {
            "numbers" => false,
            "leela" if game == "chess" => true,
            "leela" => return Err(refused("Leela's 1,858 moves are moves of chess")),
            _ => return Err(refused(format!("`{policy}`: use numbers or leela"))),
        };
        let mover = match perspective {
            "board" => false,
            "mover" => true,
            _ => return Err(refused(format!("`{perspective}`: use board or mover"))),
        };
        let (shard, batch) = ((shard.0.size(), shard.1.size()), batch.size());
        if shard.0 >= shard.1 {
            return Err(refused("a shard is one of as many as there are, counted from 0"));
        }
        if batch == 0 {
            return Err(refused("a batch has at least one position"));
        }
        let mut columns = COLUMNS.to_vec();
        if clocks {
            columns.extend(["clocks", "annotations", "layout", "fields", "templates"]);
        }
        let mut scan = Scan::new().columns(columns).map_err(raised)?;
        let asks = fen.is_some() || moves.is_some() || pattern.is_some() || player.is_some();
        if let Some(condition) = r#where.as_deref().filter(|_| !asks) {
            scan = scan.condition(condition).map_err(raised)?;
        }
        let asked = Asked { fen, moves, pattern, condition: r#where.filter(|_| asks), player };
        let threads = threads.size().max(1);
        let plan = Plan {
            rules,
            size,
            scan,
            part,
            seed: seed.0,
            epoch: epoch.0,
            shard,
            form,
            legal,
            leela,
            mover,
            clocks,
            batch,
            threads,
        };
        Ok(Self { state: file.state(), asked, plan, place: Mutex::new(None) })
    }

    /// The number of different moves: the width of a legal-move mask.
    #[getter]
    fn move_count(&self) -> u32 {
        match self.plan.leela {
            true => 1_858,
            false => self.plan.rules.move_numbers(self.plan.size.0, self.plan.size.1),
        }
    }

    /// The letters of the men, in the order of bitboards and planes.
    #[getter]
    fn men(&self) -> &'static str {
        self.plan.rules.men()
    }

    /// Goes to a place that `place` returned.
    fn seek(&self, py: Python<'_>, unit: usize, index: usize, ply: usize) -> PyResult<()> {
        let mut place = watched(py, None, |watch| self.begin(watch))?;
        (place.unit, place.index, place.skip) = (unit, index, ply);
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
        Ok(())
    }

    /// Returns the place of a row of what was delivered last, or of the row after it.
    fn place(&self, py: Python<'_>, row: usize) -> (usize, usize, usize) {
        // Who holds it may wait for the interpreter's lock.
        py.detach(|| self.place_of(row))
    }

    /// Decodes the next rows, as many as fill batches; at the end those that are left. Returns
    /// None if there are none.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        // Another thread waits without the interpreter's lock.
        let rows = watched(py, None, |watch| {
            let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
            let place = match &mut *place {
                Some(place) => place,
                none => none.insert(self.begin(watch)?),
            };
            self.fill(place, watch)
        })?;
        rows.map(|arrays| arrays.into_dict(py, &self.plan)).transpose()
    }

    /// Counts the games and positions of the plan.
    fn count(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        watched(py, None, |watch| {
            let mut place = self.begin(watch)?;
            let (mut games, mut positions) = (0, 0);
            while self.fill(&mut place, watch)?.is_some() {
                let starts = place.delivered.iter().filter(|span| span.ply == 0);
                games += starts.count() as u64;
                positions += place.delivered.iter().map(|span| span.rows as u64).sum::<u64>();
            }
            Ok((games, positions))
        })
    }
}

impl Sampler {
    /// Returns the place before all positions.
    fn begin(&self, watch: &Watch) -> Result<Place, Error> {
        let mut units: Vec<(usize, usize)> = self.state.places().collect();
        let asked = &self.asked;
        let asks = asked.fen.is_some() || asked.moves.is_some();
        let found = if asks || asked.pattern.is_some() || asked.player.is_some() {
            let query = asked.of(self.state.query()).stop(watch.stop.clone());
            let mut found: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
            for place in query.find()?.places() {
                let (group, _) = self.state.group(place.file, place.number);
                found.entry((place.file, group)).or_default().push(place.number);
            }
            units.retain(|unit| found.contains_key(unit));
            Some(found)
        } else {
            None
        };
        shuffle(&mut units, [self.plan.seed, self.plan.epoch, 0]);
        let (games, delivered, rows) = (None, Vec::new(), self.plan.rows());
        Ok(Place { units, found, unit: 0, games, index: 0, skip: 0, rows, delivered })
    }

    /// Reads the games of a unit, in its order.
    fn read(&self, place: &Place, unit: usize) -> Result<Vec<(i64, Game)>, Error> {
        let Some(&(file, group)) = place.units.get(unit) else { return Ok(Vec::new()) };
        let Some(opened) = self.state.file(file) else { return Ok(Vec::new()) };
        let games = match place.found.as_ref().map(|found| found.get(&(file, group))) {
            None => self.plan.scan.games(opened, group)?,
            Some(numbers) => {
                let mut numbers = numbers.cloned().unwrap_or_default();
                numbers.sort_unstable();
                self.plan.scan.games_at(opened, &numbers)?
            }
        };
        let start = self.state.start(file);
        let number = |game: &Game| i64::try_from(start + game.number() - 1).unwrap_or(i64::MAX);
        let mut games: Vec<(i64, Game)> =
            games.into_iter().map(|game| (number(&game), game)).collect();
        // The order depends on the file and the row group, not on where the units were shuffled to.
        let seed = (file as u64) << 32 | group as u64;
        shuffle(&mut games, [self.plan.seed, self.plan.epoch, seed.wrapping_add(1)]);
        Ok(games)
    }

    /// Decodes until there are batches, and returns all that are whole; at the end the rest.
    fn fill(&self, place: &mut Place, watch: &Watch) -> Result<Option<Arrays>, Error> {
        let plan = &self.plan;
        let pool = if plan.legal == Legal::Mask { MASKED_POOL } else { POOL };
        let wanted = plan.batch.max(pool / plan.batch * plan.batch);
        while place.rows.len() < wanted && place.unit < place.units.len() {
            watch.go_on()?;
            let games = match place.games.take() {
                Some(games) => games,
                None => self.read(place, place.unit)?,
            };
            let end = games.len().min(place.index.saturating_add(CHUNK * plan.threads));
            let run = place.index.min(end)..end;
            let (shard, shards) = plan.shard;
            let tasks = run.clone().filter(|index| index % shards == shard);
            let tasks = tasks.filter_map(|index| {
                let (number, game) = games.get(index)?;
                let skip = if index == run.start { place.skip } else { 0 };
                Some(Task { game, number: *number, unit: place.unit, index, skip })
            });
            plan.decode(&tasks.collect::<Vec<_>>(), &mut place.rows)?;
            (place.index, place.skip) = (end, 0);
            if end == games.len() {
                (place.unit, place.index) = (place.unit + 1, 0);
            } else {
                place.games = Some(games);
            }
        }
        let rows = place.rows.len();
        if rows == 0 {
            place.delivered = Vec::new();
            return Ok(None);
        }
        let cut = if rows < plan.batch { rows } else { rows / plan.batch * plan.batch };
        let rest = place.rows.split_off(cut);
        let rows = std::mem::replace(&mut place.rows, rest);
        place.delivered.clone_from(&rows.spans);
        Ok(Some(Arrays::of(rows, plan)))
    }
}

/// What becomes numpy's.
struct Arrays {
    rows: usize,
    bitboards: Option<Vec<u64>>,
    planes: Option<Vec<u8>>,
    cells: Option<Vec<u8>>,
    moves: Vec<i64>,
    mask: Option<Vec<bool>>,
    legal: Option<(Vec<i64>, Vec<i64>)>,
    sides: Vec<u8>,
    marks: Vec<u8>,
    results: Vec<i8>,
    ratings: Vec<i16>,
    plies: Vec<i32>,
    left: Vec<i32>,
    games: Vec<i64>,
    clocks: Vec<f32>,
}

impl Arrays {
    fn of(mut rows: Rows, plan: &Plan) -> Self {
        let boards = &mut rows.boards;
        let count = boards.len();
        let (men, cells) = (boards.take_men(), boards.take_cells());
        let seconds = boards.seconds();
        let see = Sight::new(plan);
        let (mut bitboards, mut planes, mut symbols) = (None, None, None);
        match plan.form {
            Form::BitBoards => bitboards = Some(see.men(men, seconds)),
            Form::Planes if plan.is_small() => {
                planes = Some(see.planes_of_men(&see.men(men, seconds)));
            }
            Form::Planes => planes = Some(see.planes_of_cells(&see.cells(cells, seconds))),
            Form::Cells => symbols = Some(see.cells(cells, seconds)),
        }
        let moves = boards.moves().iter().zip(seconds);
        let moves = moves.map(|(mv, second)| see.number(*mv, *second)).collect();
        let (mut mask, mut legal) = (None, None);
        if plan.legal != Legal::None {
            let (numbers, offsets) = see.legal(boards);
            match plan.legal {
                Legal::Indices => legal = Some((numbers, offsets)),
                _ => mask = Some(see.mask(&numbers, &offsets)),
            }
        }
        let mut marks = Vec::with_capacity(3 * count);
        marks.extend(boards.marks().flat_map(|marks| [marks.rights, marks.pushed, marks.clock]));
        if plan.mover {
            let sides = seconds.iter().zip(&mut rows.results);
            sides
                .filter(|(second, result)| **second && **result != UNKNOWN)
                .for_each(|(_, r)| *r = -*r);
        }
        Self {
            rows: count,
            bitboards,
            planes,
            cells: symbols,
            moves,
            mask,
            legal,
            sides: seconds.iter().map(|second| u8::from(*second)).collect(),
            marks,
            results: rows.results,
            ratings: rows.ratings,
            plies: rows.plies,
            left: rows.left,
            games: rows.games,
            clocks: rows.clocks,
        }
    }

    fn into_dict<'py>(self, py: Python<'py>, plan: &Plan) -> PyResult<Bound<'py, PyDict>> {
        let (n, out) = (self.rows, PyDict::new(py));
        let men = plan.rules.men().len();
        let (columns, ranks) = (usize::from(plan.size.0), usize::from(plan.size.1));
        if let Some(sets) = self.bitboards {
            out.set_item("bitboards", PyArray1::from_vec(py, sets).reshape([n, men])?)?;
        }
        if let Some(planes) = self.planes {
            let planes = PyArray1::from_vec(py, planes).reshape([n, men, ranks, columns])?;
            out.set_item("planes", planes)?;
        }
        if let Some(cells) = self.cells {
            out.set_item("cells", PyArray1::from_vec(py, cells).reshape([n, ranks, columns])?)?;
        }
        out.set_item("move", PyArray1::from_vec(py, self.moves))?;
        if let Some(mask) = self.mask {
            let width = mask.len().checked_div(n).unwrap_or(0);
            out.set_item("legal", PyArray1::from_vec(py, mask).reshape([n, width])?)?;
        }
        if let Some((numbers, offsets)) = self.legal {
            out.set_item("legal", PyArray1::from_vec(py, numbers))?;
            out.set_item("legal_offsets", PyArray1::from_vec(py, offsets))?;
        }
        out.set_item("side", PyArray1::from_vec(py, self.sides))?;
        out.set_item("marks", PyArray1::from_vec(py, self.marks).reshape([n, 3])?)?;
        out.set_item("result", PyArray1::from_vec(py, self.results))?;
        out.set_item("ratings", PyArray1::from_vec(py, self.ratings).reshape([n, 2])?)?;
        out.set_item("ply", PyArray1::from_vec(py, self.plies))?;
        out.set_item("plies_left", PyArray1::from_vec(py, self.left))?;
        out.set_item("game", PyArray1::from_vec(py, self.games))?;
        if plan.clocks {
            out.set_item("clock", PyArray1::from_vec(py, self.clocks))?;
        }
        Ok(out)
    }
}

/// How boards and moves are seen.
struct Sight<'a> {
    plan: &'a Plan,
    men: usize,
    columns: usize,
    ranks: usize,
    /// Whether the second player sits opposite.
    turns: bool,
}

impl<'a> Sight<'a> {
    fn new(plan: &'a Plan) -> Self {
        let turns = plan.mover && matches!(plan.rules.name(), "chess" | "xiangqi");
        let (columns, ranks) = (usize::from(plan.size.0), usize::from(plan.size.1));
        Self { plan, men: plan.rules.men().len(), columns, ranks, turns }
    }

    fn men(&self, mut men: Vec<u64>, seconds: &[bool]) -> Vec<u64> {
        if !self.plan.mover {
            return men;
        }
        let rows = men.chunks_exact_mut(self.men.max(1)).zip(seconds);
        for (row, _) in rows.filter(|(_, second)| **second) {
            let (ours, theirs) = row.split_at_mut(self.men / 2);
            ours.swap_with_slice(theirs);
            if self.turns {
                // Eight ranks of eight: the bytes of a set are its ranks.
                row.iter_mut().for_each(|set| *set = set.swap_bytes());
            }
        }
        men
    }

    fn cells(&self, mut cells: Vec<u8>, seconds: &[bool]) -> Vec<u8> {
        if !self.plan.mover {
            return cells;
        }
        let half = u8::try_from(self.men / 2).unwrap_or(0);
        let all = self.columns * self.ranks;
        let rows = cells.chunks_exact_mut(all.max(1)).zip(seconds);
        for (row, _) in rows.filter(|(_, second)| **second) {
            for symbol in row.iter_mut() {
                *symbol = match *symbol {
                    0 => 0,
                    man if man <= half => man + half,
                    man => man - half,
                };
            }
            if self.turns {
                for rank in 0..self.ranks / 2 {
                    let (low, high) = row.split_at_mut((self.ranks - 1 - rank) * self.columns);
                    low[rank * self.columns..][..self.columns]
                        .swap_with_slice(&mut high[..self.columns]);
                }
            }
        }
        cells
    }

    fn planes_of_men(&self, men: &[u64]) -> Vec<u8> {
        let all = self.columns * self.ranks;
        let mut planes = Vec::with_capacity(men.len() * all);
        for &set in men {
            if all == 64 {
                planes.extend_from_slice(&spread(set));
            } else {
                planes.extend((0..all).map(|cell| u8::from(set >> cell & 1 == 1)));
            }
        }
        planes
    }

    fn planes_of_cells(&self, cells: &[u8]) -> Vec<u8> {
        let all = self.columns * self.ranks;
        let mut planes = vec![0; cells.len() * self.men];
        let rows = cells.chunks_exact(all.max(1)).zip(planes.chunks_exact_mut(all * self.men));
        for (row, planes) in rows {
            for (cell, &symbol) in row.iter().enumerate() {
                if let Some(plane) = usize::from(symbol).checked_sub(1)
                    && let Some(there) = planes.get_mut(plane * all + cell)
                {
                    *there = 1;
                }
            }
        }
        planes
    }

    /// Returns the number of a move as it is seen.
    fn number(&self, number: u16, second: bool) -> i64 {
        if self.plan.leela {
            // Leela always looks from the side to move.
            let seen = if second { turned(number) } else { number };
            return LEELA.get(usize::from(seen & 0x7fff)).map_or(-1, |&index| i64::from(index));
        }
        if !(second && self.turns) {
            return i64::from(number);
        }
        if self.plan.is_small() {
            return i64::from(turned(number));
        }
        let all = self.columns * self.ranks;
        let turn = |cell: usize| {
            (self.ranks - 1 - cell / self.columns) * self.columns + cell % self.columns
        };
        let (from, to) = (usize::from(number) / all, usize::from(number) % all);
        i64::try_from(turn(from.min(all - 1)) * all + turn(to)).unwrap_or(-1)
    }

    fn legal(&self, boards: &Boards) -> (Vec<i64>, Vec<i64>) {
        let mut numbers = Vec::with_capacity(boards.legal().len());
        let mut offsets = Vec::with_capacity(boards.len() + 1);
        offsets.push(0);
        let mut left = boards.legal();
        for (&count, &second) in boards.legal_counts().iter().zip(boards.seconds()) {
            let (row, rest) = left.split_at(usize::from(count).min(left.len()));
            numbers.extend(row.iter().map(|&mv| self.number(mv, second)));
            offsets.push(i64::try_from(numbers.len()).unwrap_or(i64::MAX));
            left = rest;
        }
        (numbers, offsets)
    }

    fn mask(&self, numbers: &[i64], offsets: &[i64]) -> Vec<bool> {
        let width = match self.plan.leela {
            true => 1_858,
            false => self.plan.rules.move_numbers(self.plan.size.0, self.plan.size.1),
        };
        let width = usize::try_from(width).unwrap_or(0);
        let mut mask = vec![false; (offsets.len() - 1) * width];
        for (row, run) in mask.chunks_exact_mut(width.max(1)).zip(offsets.windows(2)) {
            let [from, to] = [run[0], run[1]].map(|at| usize::try_from(at).unwrap_or(0));
            for number in &numbers[from..to] {
                if let Some(legal) = usize::try_from(*number).ok().and_then(|at| row.get_mut(at)) {
                    *legal = true;
                }
            }
        }
        mask
    }
}

/// Spreads 64 bits into bytes, the lowest first.
fn spread(set: u64) -> [u8; 64] {
    let mut out = [0; 64];
    for (bytes, rank) in out.chunks_exact_mut(8).zip(set.to_le_bytes()) {
        // A bit to each byte: the multiplication copies the rank, the mask leaves one bit of each
        // copy, and the sum carries it to the byte's highest bit.
        let copies = u64::from(rank).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let bits =
            (copies.wrapping_add(0x007f_7f7f_7f7f_7f7f) | copies) >> 7 & 0x0101_0101_0101_0101;
        bytes.copy_from_slice(&bits.to_le_bytes());
    }
    out
}

/// Turns the number of a move of chess upside down.
fn turned(number: u16) -> u16 {
    number ^ (56 << 6 | 56)
}

/// For each number of a move of chess, seen from its mover, its index among the 1,858 moves of
/// Leela Chess Zero's policy; -1 for what no man does.
///
/// The first 1,792 are those of queens and knights, by origin and destination; a promotion to a
/// knight is among them. Promotions to queen, rook and bishop follow, by origin and destination.
static LEELA: LazyLock<Vec<i16>> = LazyLock::new(|| {
    let mut indices = vec![-1; 5 << 12];
    let mut next = 0;
    let mut put = |number: usize| {
        indices[number] = next;
        next += 1;
    };
    let place = |square: usize| (square % 8, square / 8);
    for from in 0..64 {
        for to in (0..64).filter(|&to| to != from) {
            let ((a, b), (c, d)) = (place(from), place(to));
            let (x, y) = (a.abs_diff(c), b.abs_diff(d));
            if x == 0 || y == 0 || x == y || x + y == 3 {
                put(from << 6 | to);
            }
        }
    }
    for from in 48..56 {
        for to in (56..64).filter(|&to| usize::abs_diff(from + 8, to) < 2) {
            // Queen, rook, bishop.
            [4, 3, 2].into_iter().for_each(|kind| put(kind << 12 | from << 6 | to));
        }
    }
    for knight in 0..1 << 12 {
        indices[1 << 12 | knight] = indices[knight];
    }
    indices
});

/// The number of a move among Leela's 1,858, by its squares as its mover sees them.
///
/// >>> leela_index("a1b1"), leela_index("h7h8b")
/// (0, 1857)
#[pyfunction]
pub fn leela_index(uci: &str) -> PyResult<i64> {
    let square = |text: &[u8]| match text {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
        }
        _ => None,
    };
    let bytes = uci.as_bytes();
    let kind = match bytes.get(4..) {
        Some([]) => Some(0),
        Some([letter]) => b"nbrq".iter().position(|known| known == letter).map(|at| at + 1),
        _ => None,
    };
    let squares = (bytes.get(..2).and_then(square), bytes.get(2..4).and_then(square), kind);
    let (Some(from), Some(to), Some(kind)) = squares else {
        return Err(refused(format!("`{uci}` is not a move such as e2e4 or a7a8q")));
    };
    match LEELA.get(kind << 12 | from << 6 | to) {
        Some(&index) if index >= 0 => Ok(i64::from(index)),
        _ => Err(refused(format!("`{uci}` is none of Leela's moves"))),
    }
}
