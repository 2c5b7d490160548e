//! One game: its tags, moves, annotations and bytes.

use std::time::Duration;

use plypack::{Evaluation, MoveNode as Node, Notation, Outcome, Side, Variation as Line};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyType};

use crate::error::{raised, refused};

/// One game of a packed file.
///
/// Moves and annotations are decoded on demand. Games are made by files, not by their class.
#[pyclass(frozen, module = "plypack")]
pub struct Game(pub plypack::Game);

/// Reads the name of a notation.
pub fn notation(name: &str) -> PyResult<Notation> {
    match name {
        "san" | "customary" => Ok(Notation::Customary),
        "uci" | "coordinate" => Ok(Notation::Coordinate),
        _ => Err(refused(format!("`{name}` is not a notation; use `san` or `uci`"))),
    }
}

/// Makes a date, if year, month and day are known and there is such a day.
fn date(py: Python<'_>, date: plypack::Date) -> PyResult<Option<Py<PyAny>>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (Some(month), Some(day)) = (date.month(), date.day()) else { return Ok(None) };
    let class = DATE.import(py, "datetime", "date")?;
    // No 30 February.
    Ok(class.call1((date.year(), month, day)).ok().map(Bound::unbind))
}

#[pymethods]
impl Game {
    /// The number of the game in its file, counted from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.0.number()
    }

    /// The path its file was opened by.
    #[getter]
    fn path(&self) -> String {
        self.0.path().display().to_string()
    }

    /// The name of the input it was packed from; empty if the file does not tell.
    #[getter]
    fn input(&self) -> &str {
        self.0.input()
    }

    /// The name of its rules, such as `chess`; None if none of its moves could be coded.
    #[getter]
    fn rules(&self) -> PyResult<Option<&'static str>> {
        Ok(self.0.rules().map_err(raised)?.map(plypack::Rules::name))
    }

    /// The tags in order; of a name that occurs twice the first value.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.0.tags() {
            if !tags.contains(name)? {
                tags.set_item(name, value)?;
            }
        }
        Ok(tags)
    }

    /// The name of the first player, from the tag White; None without one.
    #[getter]
    fn white(&self) -> Option<&str> {
        self.0.tag("White")
    }

    /// The name of the second player, from the tag Black; None without one.
    #[getter]
    fn black(&self) -> Option<&str> {
        self.0.tag("Black")
    }

    /// White's rating; None if unknown.
    #[getter]
    fn white_rating(&self) -> Option<u16> {
        self.0.white_rating()
    }

    /// Black's rating; None if unknown.
    #[getter]
    fn black_rating(&self) -> Option<u16> {
        self.0.black_rating()
    }

    /// The day it was played, as a `datetime.date`; None unless day, month and year are known.
    #[getter]
    fn date(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.date().map_or(Ok(None), |found| date(py, found))
    }

    /// The year it was played; None if unknown.
    #[getter]
    fn year(&self) -> Option<u16> {
        self.0.date().map(plypack::Date::year)
    }

    /// How it ended: `1-0`, `0-1` or `1/2-1/2`; None if unknown.
    #[getter]
    fn result(&self) -> Option<String> {
        self.0.outcome().map(|outcome| outcome.to_string())
    }

    /// White's points: 1.0, 0.5 or 0.0; None if unknown.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.0.outcome().and_then(|outcome| match outcome {
            Outcome::WhiteWon => Some(1.0),
            Outcome::Draw => Some(0.5),
            Outcome::BlackWon => Some(0.0),
            _ => None,
        })
    }

    /// The position the moves start from; None for the usual start.
    #[getter]
    fn start(&self) -> Option<&str> {
        self.0.start()
    }

    /// How many moves of the main line are coded.
    #[getter]
    fn plies(&self) -> u32 {
        self.0.plies()
    }

    /// The movetext from the first move that was not understood; None if there is none.
    #[getter]
    fn rest(&self) -> PyResult<Option<String>> {
        self.0.rest().map_err(raised)
    }

    /// The moves of the main line, in `san` or `uci` notation; `customary` and `coordinate` are the
    /// same for other games.
    ///
    /// >>> game.moves("uci")[:2]
    /// ['e2e4', 'e7e5']
    #[pyo3(signature = (notation = "san"))]
    fn moves(&self, notation: &str) -> PyResult<Vec<String>> {
        let moves = self.0.moves(self::notation(notation)?).map_err(raised)?;
        Ok(moves.iter().map(str::to_owned).collect())
    }

    /// The moves of the main line in the game's customary notation: SAN for chess.
    ///
    /// >>> game.san()
    /// ['e4', 'e5', 'Nf3']
    fn san(&self) -> PyResult<Vec<String>> {
        self.moves("san")
    }

    /// The moves of the main line as squares: UCI for chess.
    ///
    /// >>> game.uci()
    /// ['e2e4', 'e7e5', 'g1f3']
    fn uci(&self) -> PyResult<Vec<String>> {
        self.moves("uci")
    }

    /// The position after this many plies, as a FEN; a negative number counts from the end: -1 is
    /// the last.
    ///
    /// >>> game.fen(1)
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
    #[pyo3(signature = (ply = -1))]
    fn fen(&self, ply: i64) -> PyResult<Option<String>> {
        let Some(mut cursor) = self.0.cursor().map_err(raised)? else { return Ok(None) };
        let plies = i64::from(self.0.plies());
        let wanted = if ply < 0 { plies + 1 + ply } else { ply };
        if !(0..=plies).contains(&wanted) {
            return Err(refused(format!("the game has {plies} plies, and no ply {ply}")));
        }
        while i64::from(cursor.ply()) < wanted && cursor.advance().map_err(raised)? {}
        Ok(Some(cursor.position()))
    }

    /// The main line step by step: each move with the position after it.
    ///
    /// >>> [(step.san, step.side, step.clock) for step in game.steps()][:2]
    /// [('e4', 'first', 60.0), ('e5', 'second', None)]
    fn steps(&self) -> PyResult<Vec<Step>> {
        let Some(mut cursor) = self.0.cursor().map_err(raised)? else { return Ok(Vec::new()) };
        let tree = self.0.tree(Notation::Coordinate).map_err(raised)?;
        let mut values = tree.moves.into_iter();
        let mut steps = Vec::new();
        loop {
            let side = side(cursor.turn());
            if !cursor.advance().map_err(raised)? {
                return Ok(steps);
            }
            let node = values.next().unwrap_or_default();
            let (centipawns, mate) = numbers(node.evaluation);
            steps.push(Step {
                ply: cursor.ply(),
                side,
                san: cursor.last_move(Notation::Customary),
                uci: cursor.last_move(Notation::Coordinate),
                fen: cursor.position(),
                key: cursor.key(),
                clock: node.clock.as_ref().map(Duration::as_secs_f64),
                elapsed: node.elapsed.as_ref().map(Duration::as_secs_f64),
                centipawns,
                mate,
            });
        }
    }

    /// The main line with comments, glyphs, clock readings, evaluations and variations, which are
    /// lines themselves.
    ///
    /// >>> move = game.tree().moves[1]
    /// >>> move.comments, [variation.moves[0].text for variation in move.variations]
    /// (['solid'], ['c5'])
    #[pyo3(signature = (notation = "san"))]
    fn tree(&self, py: Python<'_>, notation: &str) -> PyResult<Variation> {
        let tree = self.0.tree(self::notation(notation)?).map_err(raised)?;
        variation(py, tree)
    }

    /// The main line as bytes, with the codec they need, such as `chess/line.default/5`; None if
    /// none of its moves could be coded.
    ///
    /// >>> codec, cell = game.cell()
    /// >>> plypack.decode(cell, codec)
    /// ['e4', 'e5', 'Nf3']
    fn cell<'py>(&self, py: Python<'py>) -> PyResult<Option<(String, Bound<'py, PyBytes>)>> {
        let cell = self.0.cell().map_err(raised)?;
        Ok(cell.map(|(codec, cell)| (codec.to_string(), PyBytes::new(py, &cell))))
    }

    /// The game as a link, to put behind `#` in an address; None if none of its moves could be
    /// coded.
    ///
    /// >>> plypack.unlink(game.link()).moves
    /// ['e4', 'e5', 'Nf3']
    fn link(&self) -> PyResult<Option<String>> {
        Ok(self.0.link().map_err(raised)?.map(|link| link.to_string()))
    }

    /// The record's bytes, exactly as they were packed.
    ///
    /// >>> game.original()[:5]
    /// b'1. e4'
    fn original<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.original().map_err(raised)?))
    }

    /// The record as PGN, whatever it was packed from; of go in SGF. A record in PGN comes as it
    /// was packed, unless its moves are to be in `uci` notation.
    ///
    /// >>> b"2. g1f3" in game.pgn("uci")
    /// True
    #[pyo3(signature = (notation = "san"))]
    fn pgn<'py>(&self, py: Python<'py>, notation: &str) -> PyResult<Bound<'py, PyBytes>> {
        let pgn = self.0.to_pgn(self::notation(notation)?).map_err(raised)?;
        Ok(PyBytes::new(py, &pgn))
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.0.tag(tag).unwrap_or("?");
        let (white, black) = (name("White"), name("Black"));
        format!("<Game {}: {white} - {black}, {} plies>", self.0.number(), self.0.plies())
    }
}

/// Names a side.
fn side(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// A move of the main line, and the position after it.
#[pyclass(frozen, get_all, module = "plypack")]
pub struct Step {
    /// The number of its ply, counted from 1.
    ply: u32,
    /// The side that moves: `first`, White in chess, or `second`.
    side: &'static str,
    /// The move in the game's customary notation.
    san: String,
    /// The move as squares.
    uci: String,
    /// The position after it.
    fen: String,
    /// The key of that position: 64 bits, the same in every version.
    key: u64,
    /// The seconds left to the player after it; None if unknown.
    clock: Option<f64>,
    /// The seconds it took; None if unknown.
    elapsed: Option<f64>,
    /// An engine's evaluation in hundredths of a pawn, from White's side; None without one.
    centipawns: Option<i32>,
    /// The number of moves to mate, negative if Black mates; None without one.
    mate: Option<i32>,
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        format!("<Step {}: {}>", self.ply, self.san)
    }
}

/// Consecutive moves: a variation, or a game's main line.
#[pyclass(frozen, get_all, module = "plypack")]
pub struct Variation {
    /// The comments before the first move.
    comments: Vec<String>,
    /// Texts before the first move that were not understood.
    unread: Vec<String>,
    /// The moves.
    moves: Vec<Py<MoveNode>>,
}

#[pymethods]
impl Variation {
    fn __repr__(&self) -> String {
        format!("<Variation of {} moves>", self.moves.len())
    }
}

/// A move with its annotations.
#[pyclass(frozen, get_all, module = "plypack")]
pub struct MoveNode {
    /// The number of its ply, counted from 1 at the start of the main line.
    ply: u32,
    /// Its text.
    text: String,
    /// Numeric annotation glyphs: `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    glyphs: Vec<u16>,
    /// Comments after it.
    comments: Vec<String>,
    /// The seconds left to the player after it; None if unknown.
    clock: Option<f64>,
    /// The seconds it took; None if unknown.
    elapsed: Option<f64>,
    /// An engine's evaluation in hundredths of a pawn, from White's side; None without one.
    centipawns: Option<i32>,
    /// The number of moves to mate, negative if Black mates; None without one.
    mate: Option<i32>,
    /// Alternatives to it and the moves after it, each from the position before it.
    variations: Vec<Py<Variation>>,
    /// Texts after it that were not understood.
    unread: Vec<String>,
}

#[pymethods]
impl MoveNode {
    fn __repr__(&self) -> String {
        format!("<MoveNode {}: {}>", self.ply, self.text)
    }
}

/// Splits an evaluation into hundredths of a pawn and moves to mate.
fn numbers(evaluation: Option<Evaluation>) -> (Option<i32>, Option<i32>) {
    match evaluation {
        Some(Evaluation::Centipawns(hundredths)) => (Some(hundredths), None),
        Some(Evaluation::Mate(moves)) => (None, Some(moves)),
        _ => (None, None),
    }
}

/// Converts a line. Lines nest less than 64 deep.
fn variation(py: Python<'_>, line: Line) -> PyResult<Variation> {
    let moves = line.moves.into_iter().map(|node| Py::new(py, move_node(py, node)?));
    let moves = moves.collect::<PyResult<_>>()?;
    Ok(Variation { comments: line.comments, unread: line.unread, moves })
}

fn move_node(py: Python<'_>, node: Node) -> PyResult<MoveNode> {
    let (centipawns, mate) = numbers(node.evaluation);
    let variations = node.variations.into_iter().map(|line| Py::new(py, variation(py, line)?));
    Ok(MoveNode {
        ply: node.ply,
        text: node.text,
        glyphs: node.glyphs.into_iter().map(u16::from).collect(),
        comments: node.comments,
        clock: node.clock.as_ref().map(Duration::as_secs_f64),
        elapsed: node.elapsed.as_ref().map(Duration::as_secs_f64),
        centipawns,
        mate,
        variations: variations.collect::<PyResult<_>>()?,
        unread: node.unread,
    })
}
