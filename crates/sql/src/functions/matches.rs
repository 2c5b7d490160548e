//! `matches`: whether games match a pattern.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack::store::find::PatternText;
use plypack_core::pattern::results;
use plypack_core::{ErasedRules, Pattern};

use super::call::{Arguments, Function, Parameter};
use super::column::{Known, matched, of_rows};

pub(super) const ROW: Function = Function {
    name: "matches",
    usage: "matches(moves, pattern)",
    gives: "Whether the game matches a pattern, given as JSON: men on squares, material, moves, \
            and sequences of such.",
    forms: &[&[Parameter::Moves, Parameter::Text]],
    returns: DataType::Boolean,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, texts) = (arguments.moves()?, arguments.texts()?);
    let patterns = Known::new(arguments.function);
    let key = |row| moves.line(row).zip(texts.is_valid(row).then(|| texts.value(row)));
    let found = of_rows(
        arguments.rows,
        key,
        || None,
        |last: &mut Option<_>, (line, text), _| {
            if let Some((_, known)) = last.filter(|(key, _)| *key == (line, text)) {
                return Ok(known);
            }
            let pattern = |game| patterns.get(game, text, |game| read(game, text));
            let known = matched(arguments.function, line, pattern)?;
            *last = Some(((line, text), known));
            Ok(known)
        },
    )?;
    Ok(Arc::new(found.into_iter().collect::<BooleanArray>()))
}

/// Reads a pattern of moves alone.
fn read(game: &'static dyn ErasedRules, text: &str) -> Result<Pattern, String> {
    let read = PatternText::read(text)?;
    if read.skip > 0 || read.limit.is_some() {
        return Err("`skip` and `limit` apply to whole queries; use LIMIT".into());
    }
    let pattern = read.of(game)?;
    if pattern.results() != results::ALL || pattern.asks_result() {
        return Err("moves do not contain the result; add a condition: Result = '1-0'".into());
    }
    Ok(pattern)
}
