//! Clock readings, evaluations and what engines' comments say: a column of codes, which are decoded
//! with their moves, or comments in a text of moves.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use datafusion::common::Result;
use plypack::rows::AnnotationFault;
use plypack::store::movetext::Annotation;
use plypack::store::row::StoredRecord;
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, Evaluation};
use plypack_core::{Hint, Notation};
use plypack_records::pgn::{SearchInfo, ValueStyle, parse};
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
/// their code.
type Key<'a> = (Line<'a>, Option<Code<'a>>);

/// A code of values, and the name of its codec.
type Code<'a> = (&'a str, &'a [u8]);

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

/// Returns the value at each row's ply, of those that `decode` gives for the row's key. They are
/// decoded once for consecutive rows of one key.
fn along<K: PartialEq, V: Copy + Send + Sync>(
    arguments: &Arguments,
    key: impl Fn(usize) -> Option<K> + Sync,
    decode: impl Fn(&K) -> Result<Vec<Option<V>>> + Sync,
) -> Result<Vec<Option<V>>> {
    let plies = arguments.plies().unwrap_or_default();
    let one = |last: &mut Option<(K, Along<V>)>, key: K, row: usize| {
        let ply = plies.get(row).copied().flatten().and_then(|ply| usize::try_from(ply).ok());
        let Some(place) = ply.and_then(|ply| ply.checked_sub(1)) else { return Ok(None) };
        let values = match last.as_ref().filter(|last| last.0 == key) {
            Some((_, values)) => Arc::clone(values),
            None => Arc::new(decode(&key)?),
        };
        let value = values.get(place).copied().flatten();
        *last = Some((key, values));
        Ok(value)
    };
    of_rows(arguments.rows, key, || None, one)
}

/// Returns the value at each row's ply, from `coded` for a line of packed files, from `read` for a
/// text.
fn values<V: Copy + Send + Sync>(
    arguments: &Arguments,
    coded: impl Fn(Line<'_>, &str, &[u8]) -> Result<Vec<Option<V>>> + Sync,
    read: impl Fn(&str) -> Vec<Option<V>> + Sync,
) -> Result<Vec<Option<V>>> {
    let (moves, series) = (arguments.moves()?, arguments.series()?);
    let key = |row| key(&moves, series.as_ref(), row);
    along(arguments, key, |&(line, code)| match (line, code) {
        (line, Some((name, code))) => coded(line, name, code),
        (Line::Text(text), None) => Ok(read(text)),
        (Line::Coded { .. }, None) => Ok(Vec::new()),
    })
}

/// Returns the clock reading at each row's ply, in seconds.
pub(crate) fn readings(arguments: &Arguments) -> Result<Vec<Option<f64>>> {
    let to_seconds = |readings: Vec<Option<u32>>, decimals: u8| {
        let seconds = |reading| f64::from(reading) / f64::from(units(decimals));
        readings.into_iter().map(|reading| reading.map(seconds)).collect()
    };
    clocks(arguments, to_seconds)
}

/// Returns by how much the clock of the player who made each row's ply showed less than after that
/// player's move before, in milliseconds.
pub(crate) fn differences(arguments: &Arguments) -> Result<Vec<Option<i64>>> {
    let to_differences = |readings: Vec<Option<u32>>, decimals: u8| {
        let unit = i64::from(1_000 / units(decimals));
        let before = std::iter::repeat_n(None, 2).chain(readings.iter().copied());
        let pairs = readings.iter().zip(before);
        let less = |(now, before): (&Option<u32>, Option<u32>)| {
            Some((i64::from(before?) - i64::from((*now)?)) * unit)
        };
        pairs.map(less).collect()
    };
    clocks(arguments, to_differences)
}

/// Returns the value at each row's ply, of those that `convert` makes of a line's clock readings
/// and of their number of decimals.
fn clocks<V: Copy + Send + Sync>(
    arguments: &Arguments,
    convert: impl Fn(Vec<Option<u32>>, u8) -> Vec<Option<V>> + Sync,
) -> Result<Vec<Option<V>>> {
    let function = arguments.function;
    let coded = |line: Line<'_>, name: &str, code: &[u8]| {
        let known = CLOCKS.stored(name).map_err(|why| failed(function, why))?;
        let (plies, hints) = hints(function, line)?;
        let read = known.decode(plies, &hints, code);
        let (readings, decimals) = read.map_err(|error| damaged(function, name, error))?;
        Ok(convert(readings, decimals))
    };
    values(arguments, coded, |text| {
        let (values, decimals) = comments(text);
        convert(values.into_iter().map(|values| values.clock).collect(), decimals)
    })
}

/// Returns the evaluation at each row's ply, from the first player's point of view.
pub(crate) fn evaluations(arguments: &Arguments) -> Result<Vec<Option<Evaluation>>> {
    if arguments.annotations().is_some() {
        return evaluations_in_remarks(arguments);
    }
    let function = arguments.function;
    let coded = |line: Line<'_>, name: &str, code: &[u8]| {
        let known = EVALUATIONS.stored(name).map_err(|why| failed(function, why))?;
        let (plies, hints) = hints(function, line)?;
        known.decode(plies, &hints, code).map_err(|error| damaged(function, name, error))
    };
    values(arguments, coded, |text| {
        let values = comments(text).0.into_iter().map(|values| values.evaluation.map(evaluation));
        if values.len() > 0 {
            return values.collect();
        }
        remarks_in(text).into_iter().map(of_first).collect()
    })
}
/// Returns the evaluation at each row's ply in an engine's comment.
fn evaluations_in_remarks(arguments: &Arguments) -> Result<Vec<Option<Evaluation>>> {
    Ok(remarks(arguments)?.into_iter().map(|remark| remark.and_then(of_first)).collect())
}

/// What an engine's comment says, and whether the second player made the move before it.
pub(crate) type Remark = (SearchInfo, bool);

/// The input from which remarks are read: the moves and, unless comments are part of a text, those
/// that follow a pattern, and annotations.
type Noted<'a> = (Line<'a>, Option<Code<'a>>, Option<&'a str>, Annotated<'a>);

/// The annotations of a record, or why they are unknown.
type Annotated<'a> = Result<Vec<Annotation<'a>>, AnnotationFault<'a>>;

/// Returns what the comments behind each row's ply say of the search for its move.
pub(crate) fn remarks(arguments: &Arguments) -> Result<Vec<Option<Remark>>> {
    let (moves, series, function) = (arguments.moves()?, arguments.series()?, arguments.function);
    let (templates, annotations) = (arguments.templates(), arguments.annotations());
    let key = |row| {
        let line = moves.line(row)?;
        let code = series.as_ref().and_then(|series| series.row(row));
        let templates = templates.filter(|templates| templates.is_valid(row));
        let annotated = annotations.as_ref().map_or(Ok(Vec::new()), |column| column.row(row));
        Some((line, code, templates.map(|templates| templates.value(row)), annotated))
    };
    along(arguments, key, |(line, code, templates, annotations): &Noted<'_>| {
        let (codec, start, plies, moves) = match *line {
            Line::Text(text) => return Ok(remarks_in(text).into_iter().map(Some).collect()),
            Line::Coded { codec, start, plies, code } => (codec, start, plies, code),
        };
        let turn = self::codec(function, codec)?.game().turn(start);
        let turn = turn.map_err(|error| damaged(function, codec, error))?;
        let record = StoredRecord {
            line: Some((codec, start, plies, moves)),
            fields: *code,
            templates: *templates,
            annotations: annotations.clone(),
            ..StoredRecord::default()
        };
        let mut infos = Vec::new();
        for (ply, text) in record.remarks().map_err(|error| failed(function, error))? {
            let place = usize::try_from(ply.min(plies).saturating_sub(1)).unwrap_or(0);
            infos.resize(infos.len().max(place + 1), SearchInfo::default());
            note(infos.get_mut(place), &text);
        }
        Ok(with_players(infos, turn.second).into_iter().map(Some).collect())
    })
}

/// Reads a comment on a move, unless one before it said something.
fn note(info: Option<&mut SearchInfo>, comment: &str) {
    if let Some(info) = info.filter(|info| info.is_empty()) {
        *info = SearchInfo::read(comment);
    }
}

/// Gives each ply's remark its player.
fn with_players(infos: Vec<SearchInfo>, second: bool) -> Vec<Remark> {
    infos.into_iter().zip([second, !second].into_iter().cycle()).collect()
}

/// Returns the remarks on the main line of a text.
fn remarks_in(text: &str) -> Vec<Remark> {
    let record = parse(text);
    let (mut infos, mut depth) = (Vec::<SearchInfo>::new(), 0u32);
    for item in &record.items {
        match item.kind {
            ItemKind::Open => depth += 1,
            ItemKind::Close => depth = depth.saturating_sub(1),
            ItemKind::Move if depth == 0 => infos.push(SearchInfo::default()),
            ItemKind::Comment if depth == 0 => note(infos.last_mut(), item.text),
            _ => {}
        }
    }
    let start = record.tags.iter().find(|tag| tag.0 == "FEN").map(|tag| &*tag.1);
    let second = start.is_some_and(|fen| fen.split(' ').nth(1) == Some("b"));
    with_players(infos, second)
}

/// Returns a remark's evaluation from the first player's point of view.
fn of_first((info, second): Remark) -> Option<Evaluation> {
    let (said, own) = info.evaluation?;
    let sign = if own && second { -1 } else { 1 };
    Some(match evaluation(said) {
        Evaluation::Pawns(value) => Evaluation::Pawns(sign * value),
        Evaluation::Mate(moves) => Evaluation::Mate(sign * moves),
    })
}

fn evaluation(said: plypack_records::Evaluation) -> Evaluation {
    match said {
        plypack_records::Evaluation::Pawns(value) => Evaluation::Pawns(value),
        plypack_records::Evaluation::Mate(moves) => Evaluation::Mate(moves),
    }
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

/// The number of units of a clock reading in a second.
fn units(decimals: u8) -> u32 {
    10u32.pow(decimals.min(3).into())
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
