//! Functions over a column of moves, which take and give Arrow arrays.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, StringBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field};
use plypack::{Error, Line, LineCodec, Notation, Rules};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};
use pyo3_arrow::input::AnyArray;

use crate::error::{raised, refused};
use crate::watch::{Watch, watched};

/// What a function makes of the lines of a column, row by row.
trait Made: Send {
    /// Adds what it makes of a line; `None` for a row without moves.
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error>;

    /// Returns what was made since the last call.
    fn finish(&mut self) -> ArrayRef;
}

/// Applies a function to each chunk of a column of moves.
fn apply(py: Python<'_>, moves: AnyArray, mut made: impl Made) -> PyResult<Column> {
    let chunks = moves.into_chunked_array()?;
    let chunks = chunks.chunks().to_vec();
    let columns = chunks.iter().map(Columns::of).collect::<Option<Vec<_>>>().ok_or_else(|| {
        refused("this is no column of moves: it needs the fields codec, start, plies and code")
    })?;
    let out = watched(py, None, |watch| {
        let each = columns.iter().map(|columns| {
            columns.each(watch, &mut made)?;
            Ok(made.finish())
        });
        each.collect::<Result<Vec<_>, Error>>()
    })?;
    // An array without chunks has the type of an empty one.
    Ok(Column(if out.is_empty() { vec![made.finish()] } else { out }))
}

/// A column that a function made: any Arrow library reads it without a copy.
#[pyclass(frozen, module = "plypack.functions")]
pub struct Column(Vec<ArrayRef>);

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.0.iter().map(Array::len).sum()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let data_type = self.0.first().map_or(DataType::Null, |array| array.data_type().clone());
        let field = Arc::new(Field::new("", data_type, true));
        let chunks = ArrayIterator::new(self.0.clone().into_iter().map(Ok), field);
        Ok(to_stream_pycapsule(py, Box::new(chunks), requested_schema)?)
    }

    fn __repr__(&self) -> String {
        format!("<Column of {} rows>", self.__len__())
    }
}

/// The parts of a column of moves.
struct Columns<'a> {
    whole: &'a StructArray,
    codecs: Texts<'a>,
    starts: Option<Texts<'a>>,
    plies: ArrayRef,
    codes: Bytes<'a>,
}

/// Texts in any of Arrow's layouts.
#[derive(Clone, Copy)]
struct Texts<'a>(&'a ArrayRef);

impl<'a> Texts<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        let known = array.as_string_opt::<i32>().is_some()
            || array.as_string_opt::<i64>().is_some()
            || array.as_string_view_opt().is_some();
        known.then_some(Self(array))
    }

    fn at(self, row: usize) -> Option<&'a str> {
        if self.0.is_null(row) {
            return None;
        }
        let short = || self.0.as_string_opt::<i32>().map(|texts| texts.value(row));
        let long = || self.0.as_string_opt::<i64>().map(|texts| texts.value(row));
        let view = || self.0.as_string_view_opt().map(|texts| texts.value(row));
        short().or_else(long).or_else(view)
    }
}

/// Bytes in any of Arrow's layouts.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a ArrayRef);

impl<'a> Bytes<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        let known = array.as_binary_opt::<i32>().is_some()
            || array.as_binary_opt::<i64>().is_some()
            || array.as_binary_view_opt().is_some();
        known.then_some(Self(array))
    }

    fn at(self, row: usize) -> Option<&'a [u8]> {
        if self.0.is_null(row) {
            return None;
        }
        let short = || self.0.as_binary_opt::<i32>().map(|bytes| bytes.value(row));
        let long = || self.0.as_binary_opt::<i64>().map(|bytes| bytes.value(row));
        let view = || self.0.as_binary_view_opt().map(|bytes| bytes.value(row));
        short().or_else(long).or_else(view)
    }
}

impl<'a> Columns<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        let whole = array.as_struct_opt()?;
        let part = |name| whole.column_by_name(name);
        let plies = part("plies")?.clone();
        plies.as_primitive_opt::<Int32Type>()?;
        let starts = match part("start") {
            Some(starts) if starts.null_count() < starts.len() => Some(Texts::of(starts)?),
            _ => None,
        };
        let (codecs, codes) = (Texts::of(part("codec")?)?, Bytes::of(part("code")?)?);
        Some(Self { whole, codecs, starts, plies, codes })
    }

    fn each(&self, watch: &Watch, made: &mut impl Made) -> Result<(), Error> {
        let mut known: BTreeMap<&str, LineCodec> = BTreeMap::new();
        let plies = self.plies.as_primitive::<Int32Type>();
        for row in 0..self.whole.len() {
            watch.go_on()?;
            let name = self.codecs.at(row).filter(|_| self.whole.is_valid(row));
            let line = match name.zip(self.codes.at(row)) {
                None => None,
                Some((name, code)) => {
                    let codec = match known.get(name) {
                        Some(codec) => *codec,
                        None => *known.entry(name).or_insert(name.parse()?),
                    };
                    let start = self.starts.and_then(|starts| starts.at(row));
                    let plies = u32::try_from(plies.value(row)).unwrap_or(0);
                    Some(Line { codec, start, plies, code })
                }
            };
            made.add(line)?;
        }
        Ok(())
    }
}

/// The texts of moves.
struct MoveLists(ListBuilder<StringBuilder>, Notation);

impl Made for MoveLists {
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error> {
        if let Some(line) = line {
            for text in &line.moves(self.1)? {
                self.0.values().append_value(text);
            }
        }
        self.0.append(line.is_some());
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// The texts of moves, in one text each.
struct MoveTexts(StringBuilder, Notation);

impl Made for MoveTexts {
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error> {
        self.0
            .append_option(line.map(|line| line.moves(self.1)).transpose()?.map(|m| m.to_string()));
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// The positions after a ply.
struct Positions(StringBuilder, i64);

impl Made for Positions {
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error> {
        let Some(line) = line else {
            self.0.append_null();
            return Ok(());
        };
        let plies = i64::from(line.plies);
        let ply = if self.1 < 0 { plies + 1 + self.1 } else { self.1 };
        if !(0..=plies).contains(&ply) {
            self.0.append_null();
            return Ok(());
        }
        let mut cursor = line.cursor()?;
        while i64::from(cursor.ply()) < ply && cursor.advance()? {}
        self.0.append_value(cursor.position());
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// All positions of lines.
struct AllPositions(ListBuilder<StringBuilder>);

impl Made for AllPositions {
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error> {
        if let Some(line) = line {
            let (mut cursor, mut text) = (line.cursor()?, String::new());
            loop {
                text.clear();
                cursor.write_position(&mut text);
                self.0.values().append_value(&text);
                if !cursor.advance()? {
                    break;
                }
            }
        }
        self.0.append(line.is_some());
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// The keys of positions.
struct Keys(ListBuilder<UInt64Builder>);

impl Made for Keys {
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error> {
        if let Some(line) = line {
            self.0.values().append_slice(&line.keys()?);
        }
        self.0.append(line.is_some());
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// The plies at which a position is reached.
struct Reached(Int32Builder, u64, Rules);

impl Made for Reached {
    fn add(&mut self, line: Option<Line<'_>>) -> Result<(), Error> {
        let line = line.filter(|line| line.codec.rules() == self.2);
        let keys = line.map(|line| line.keys()).transpose()?.unwrap_or_default();
        let ply = keys.iter().position(|key| *key == self.1);
        self.0.append_option(ply.and_then(|ply| i32::try_from(ply).ok()));
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// The moves in the game's customary notation, as a list of texts for each row.
///
/// >>> column = pyarrow.chunked_array(functions.san(moves))
/// >>> column[0].as_py() == games[0].san()
/// True
#[pyfunction]
pub fn san(py: Python<'_>, moves: AnyArray) -> PyResult<Column> {
    apply(py, moves, MoveLists(ListBuilder::new(StringBuilder::new()), Notation::Customary))
}

/// The moves as squares, as a list of texts for each row.
///
/// >>> pyarrow.chunked_array(functions.uci(moves))[0].as_py() == games[0].uci()
/// True
#[pyfunction]
pub fn uci(py: Python<'_>, moves: AnyArray) -> PyResult<Column> {
    apply(py, moves, MoveLists(ListBuilder::new(StringBuilder::new()), Notation::Coordinate))
}

/// The moves as one text for each row, separated by spaces.
///
/// >>> pyarrow.chunked_array(functions.movetext(moves))[0].as_py() == " ".join(games[0].san())
/// True
#[pyfunction]
#[pyo3(signature = (moves, notation = "san"))]
pub fn movetext(py: Python<'_>, moves: AnyArray, notation: &str) -> PyResult<Column> {
    apply(py, moves, MoveTexts(StringBuilder::new(), crate::game::notation(notation)?))
}

/// The position after this many plies; a negative number counts from the end. Null for lines that
/// are shorter.
///
/// >>> pyarrow.chunked_array(functions.fen(moves, 0))[0].as_py()
/// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
#[pyfunction]
#[pyo3(signature = (moves, ply = -1))]
pub fn fen(py: Python<'_>, moves: AnyArray, ply: i64) -> PyResult<Column> {
    apply(py, moves, Positions(StringBuilder::new(), ply))
}

/// All positions, as a list of texts for each row: the start, then the one after each ply.
///
/// >>> len(pyarrow.chunked_array(functions.fens(moves))[0]) == games[0].plies + 1
/// True
#[pyfunction]
pub fn fens(py: Python<'_>, moves: AnyArray) -> PyResult<Column> {
    apply(py, moves, AllPositions(ListBuilder::new(StringBuilder::new())))
}

/// The keys of all positions, as a list of numbers for each row.
///
/// >>> pyarrow.chunked_array(functions.keys(moves))[0][1].as_py() == games[0].steps()[0].key
/// True
#[pyfunction]
pub fn keys(py: Python<'_>, moves: AnyArray) -> PyResult<Column> {
    apply(py, moves, Keys(ListBuilder::new(UInt64Builder::new())))
}

/// The first ply after which a position is reached, whatever its counters; null if it never is.
///
/// >>> start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
/// >>> pyarrow.chunked_array(functions.reaches(moves, start))[0].as_py()
/// 0
#[pyfunction]
#[pyo3(signature = (moves, fen, game = "chess"))]
pub fn reaches(py: Python<'_>, moves: AnyArray, fen: &str, game: &str) -> PyResult<Column> {
    let rules = game.parse::<Rules>().map_err(raised)?;
    let key = rules.cursor(Some(fen)).map_err(raised)?.key();
    apply(py, moves, Reached(Int32Builder::new(), key, rules))
}
