//! `material`: the material balance.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter};
use super::column::at_plies;

pub(super) const ROW: Function = Function {
    name: "material",
    usage: "material(moves [, ply])",
    gives: "The first player's material minus the second player's: in chess in pawns.",
    forms: &[&[Parameter::Moves], &[Parameter::Moves, Parameter::Ply]],
    returns: DataType::Int32,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let balances = at_plies(arguments, |cursor| Some(cursor.material()));
    Ok(Arc::new(Int32Array::from(balances?)))
}
