//! `san`: moves in the customary notation.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_core::Notation;

use super::call::{Arguments, Function, Parameter, texts};
use super::column::move_texts;

pub(super) const ROW: Function = Function {
    name: "san",
    usage: "san(moves [, ply])",
    gives: "The moves in the game's customary notation, separated by spaces, or the one that \
            led to a ply.",
    forms: &[&[Parameter::Moves], &[Parameter::Moves, Parameter::Ply]],
    returns: DataType::Utf8,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    texts(arguments.function, move_texts(arguments, Notation::Customary)?)
}
