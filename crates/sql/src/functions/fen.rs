//! `fen`: positions as texts.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, Parameter, texts};
use super::column::at_plies;

pub(super) const ROW: Function = Function {
    name: "fen",
    usage: "fen(moves [, ply])",
    gives: "The position after a ply, or at the end of the game, as text.",
    forms: &[&[Parameter::Moves], &[Parameter::Moves, Parameter::Ply]],
    returns: DataType::Utf8,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let positions = at_plies(arguments, |cursor| {
        let mut text = String::new();
        cursor.write_position(&mut text);
        Some(text)
    });
    texts(arguments.function, positions?)
}
