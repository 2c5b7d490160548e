//! `uci`: moves as engines write them.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_core::Notation;

use super::call::{Arguments, Function, Parameter, texts};
use super::column::move_texts;

pub(super) const ROW: Function = Function {
    name: "uci",
    usage: "uci(moves [, ply])",
    gives: "The moves in coordinates, separated by spaces, or the one that led to a ply.",
    forms: &[&[Parameter::Moves], &[Parameter::Moves, Parameter::Ply]],
    returns: DataType::Utf8,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    texts(arguments.function, move_texts(arguments, Notation::Coordinate)?)
}
