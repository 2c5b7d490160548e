//! `plies`: the length of games.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter};
use super::column::{Line, Moves, Walk, of_lines};

pub(super) const ROW: Function = Function {
    name: "plies",
    usage: "plies(moves)",
    gives: "The number of plies of the game; for packed files no move is decoded.",
    forms: &[&[Parameter::Moves]],
    returns: DataType::Int32,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let moves = arguments.moves()?;
    let plies = match &moves {
        Moves::Coded(coded) => (0..arguments.rows).map(|row| coded.plies(row)).collect(),
        Moves::Texts(_) => of_lines(arguments, &moves, |line| read(arguments.function, line))?,
    };
    Ok(Arc::new(Int32Array::from(plies)))
}

/// The number of moves in a text, if it can be read to its end.
fn read(function: &'static str, line: Line<'_>) -> Result<Option<i32>> {
    let Some(mut walk) = Walk::new(function, line)? else { return Ok(None) };
    let ended = walk.end()?;
    Ok(Some(walk.here().ply()).filter(|_| ended).and_then(|ply| ply.try_into().ok()))
}
