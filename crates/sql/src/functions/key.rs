//! `key`: hash keys of positions, for joins and counts.
//!
//! A signed number, because every tool has that: many databases lack unsigned ones, and this engine
//! compares them with signed ones as decimals. Its 64 bits are the key's.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter};
use super::column::at_plies;

pub(super) const ROW: Function = Function {
    name: "key",
    usage: "key(moves [, ply])",
    gives: "The key of the position after a ply, or at the end of the game: equal \
            for equal positions.",
    forms: &[&[Parameter::Moves], &[Parameter::Moves, Parameter::Ply]],
    returns: DataType::Int64,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let keys = at_plies(arguments, |cursor| Some(cursor.key().cast_signed()));
    Ok(Arc::new(Int64Array::from(keys?)))
}
