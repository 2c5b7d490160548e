//! `clock`: the players' remaining time.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, VALUE_OF_PLY};
use super::column::readings;

pub(super) const ROW: Function = Function {
    name: "clock",
    usage: "clock(moves, clocks, ply)",
    gives: "The remaining time of the player who made a ply, in seconds.",
    forms: VALUE_OF_PLY,
    returns: DataType::Float64,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    Ok(Arc::new(Float64Array::from(readings(arguments)?)))
}
