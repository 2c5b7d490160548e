//! Clock readings and evaluations: a column of codes, which are decoded with their moves, or
//! comments in a text of moves.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use datafusion::common::Result;
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, Evaluation};
use plypack_core::{Hint, Notation};
use plypack_records::pgn::{ValueStyle, parse};
use plypack_records::{Item, ItemKind, Values};

use super::super::call::Arguments;
use super::rows::of_rows;
use super::walk::{codec, damaged, failed};
use super::{Line, Moves};

/// A column of codes; all rows are empty if it has no type.
pub(crate) struct Series {
    parts: Option<(ArrayRef, StringArray, BinaryArray)>,
}

impl Series {
    /// Returns `None` if the column is of another kind.
    pub fn new(column: &ArrayRef) -> Option<Self> {
        let Some(whole) = column.as_struct_opt() else {
            return (column.null_count() == column.len()).then_some(Self { parts: None });
        };
        let codecs = whole.column_by_name("codec")?.as_string_opt()?.clone();
        let codes = whole.column_by_name("code")?.as_binary_opt()?.clone();
        Some(Self { parts: Some((Arc::clone(column), codecs, codes)) })
    }

    /// The codec and the code in a row.
    fn row(&self, row: usize) -> Option<(&str, &[u8])> {
        let (whole, codecs, codes) = self.parts.as_ref()?;
        let has = whole.is_valid(row) && codecs.is_valid(row) && codes.is_valid(row);
        has.then(|| (codecs.value(row), codes.value(row)))
    }
}

/// The input from which values are decoded: the moves and, unless the values are part of a text,
/// their codec and code.
type Key<'a> = (Line<'a>, Option<(&'a str, &'a [u8])>);

fn key<'a>(moves: &'a Moves, series: Option<&'a Series>, row: usize) -> Option<Key<'a>> {
    let line = moves.line(row)?;
    match (series, line) {
        // A text contains its own values.
        (None, _) | (_, Line::Text(_)) => Some((line, None)),
        (Some(series), Line::Coded { .. }) => Some((line, Some(series.row(row)?))),
    }
}

/// The values of a line, at most one per ply.
type Along<V> = Arc<Vec<Option<V>>>;

/// Returns the value at each row's ply, from `coded` for a line of packed files, from `read` for a
/// text. Consecutive rows of one line are decoded once.
fn values<V: Copy + Send + Sync>(
    arguments: &Arguments,
    coded: impl Fn(Line<'_>, &str, &[u8]) -> Result<Vec<Option<V>>> + Sync,
    read: impl Fn(&str) -> Vec<Option<V>> + Sync,
) -> Result<Vec<Option<V>>> {
    let (moves, series) = (arguments.moves()?, arguments.series()?);
    let plies = arguments.plies().unwrap_or_default();
    let key = |row| key(&moves, series.as_ref(), row);
    of_rows(
        arguments.rows,
        key,
        || None,
        |last: &mut Option<(Key<'_>, Along<V>)>, key, row| {
            let ply = plies.get(row).copied().flatten().and_then(|ply| usize::try_from(ply).ok());
            let Some(place) = ply.and_then(|ply| ply.checked_sub(1)) else { return Ok(None) };
            let values = match last.as_ref().filter(|last| last.0 == key) {
                Some((_, values)) => Arc::clone(values),
                None => Arc::new(match key {
                    (line, Some((name, code))) => coded(line, name, code)?,
                    (Line::Text(text), None) => read(text),
                    (Line::Coded { .. }, None) => Vec::new(),
                }),
            };
            let value = values.get(place).copied().flatten();
            *last = Some((key, values));
            Ok(value)
        },
    )
}

/// Returns the clock reading at each row's ply, in seconds.
pub(crate) fn readings(arguments: &Arguments) -> Result<Vec<Option<f64>>> {
    let function = arguments.function;
    let coded = |line: Line<'_>, name: &str, code: &[u8]| {
        let known = CLOCKS.stored(name).map_err(|why| failed(function, why))?;
        let (plies, hints) = hints(function, line)?;
        let read = known.decode(plies, &hints, code);
        let (readings, decimals) = read.map_err(|error| damaged(function, name, error))?;
        Ok(readings.into_iter().map(|reading| Some(seconds(reading?, decimals))).collect())
    };
    values(arguments, coded, |text| {
        let (values, decimals) = comments(text);
        values.into_iter().map(|values| Some(seconds(values.clock?, decimals))).collect()
    })
}

/// Returns the evaluation at each row's ply.
pub(crate) fn evaluations(arguments: &Arguments) -> Result<Vec<Option<Evaluation>>> {
    let function = arguments.function;
    let coded = |line: Line<'_>, name: &str, code: &[u8]| {
        let known = EVALUATIONS.stored(name).map_err(|why| failed(function, why))?;
        let (plies, hints) = hints(function, line)?;
        known.decode(plies, &hints, code).map_err(|error| damaged(function, name, error))
    };
    values(arguments, coded, |text| {
        let evaluation = |values: Values| match values.evaluation? {
            plypack_records::Evaluation::Pawns(value) => Some(Evaluation::Pawns(value)),
            plypack_records::Evaluation::Mate(moves) => Some(Evaluation::Mate(moves)),
        };
        comments(text).0.into_iter().map(evaluation).collect()
    })
}

/// Returns the number of plies of a line, and the hints with which its values are decoded.
fn hints(function: &'static str, line: Line<'_>) -> Result<(u32, Vec<Hint>)> {
    let Line::Coded { codec: name, start, plies, code } = line else { return Ok((0, Vec::new())) };
    let decoded =
        codec(function, name)?.decode_trunk(start, plies, code, Notation::Coordinate, true);
    let (_, trunk) = decoded.map_err(|error| damaged(function, name, error))?;
    let hints = trunk.hints().map_err(|error| failed(function, error))?;
    Ok((plies, hints.to_vec()))
}

/// Converts a clock reading to seconds.
fn seconds(reading: u32, decimals: u8) -> f64 {
    f64::from(reading) / f64::from(10u32.pow(decimals.min(3).into()))
}

/// Returns the values in the comments on the main line of a text, and the number of decimals of a
/// second in readings. Other comments have no values.
fn comments(text: &str) -> (Vec<Values>, u8) {
    let record = parse(text);
    let of_values = |item: &&Item<'_>| item.kind == ItemKind::Comment;
    let texts = record.items.iter().filter(of_values).map(|item| item.text);
    let Some(style) = ValueStyle::guess(texts) else { return (Vec::new(), 0) };
    let (mut values, mut depth) = (Vec::<Values>::new(), 0u32);
    for item in &record.items {
        match item.kind {
            ItemKind::Open => depth += 1,
            ItemKind::Close => depth = depth.saturating_sub(1),
            ItemKind::Move if depth == 0 => values.push(Values::default()),
            ItemKind::Comment if depth == 0 => {
                let read = style.read(item.text).unwrap_or_default();
                if let Some(values) = values.last_mut() {
                    values.clock = read.clock.or(values.clock);
                    values.evaluation = read.evaluation.or(values.evaluation);
                }
            }
            _ => {}
        }
    }
    (values, style.decimals)
}
