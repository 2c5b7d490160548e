//! `reaches`: whether games reach a position.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter};
use super::column::{Reached, first_plies};

pub(super) const ROW: Function = Function {
    name: "reaches",
    usage: "reaches(moves, position)",
    gives: "Whether the game reaches a position, given as its text or by moves that lead to it.",
    forms: &[&[Parameter::Moves, Parameter::Text]],
    returns: DataType::Boolean,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let reached = first_plies(arguments)?.into_iter();
    let reached = reached.map(|reached| reached.map(|reached| reached != Reached::Never));
    Ok(Arc::new(reached.collect::<BooleanArray>()))
}
