//! `ply_of`: when games reach a position.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter};
use super::column::{Reached, first_plies};

pub(super) const ROW: Function = Function {
    name: "ply_of",
    usage: "ply_of(moves, position)",
    gives: "The number of plies after which the game first reaches a position; null if never.",
    forms: &[&[Parameter::Moves, Parameter::Text]],
    returns: DataType::Int32,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let ply = |reached: Option<Reached>| match reached? {
        Reached::After(ply) => i32::try_from(ply).ok(),
        Reached::Never => None,
    };
    Ok(Arc::new(first_plies(arguments)?.into_iter().map(ply).collect::<Int32Array>()))
}
