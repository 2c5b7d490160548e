//! `mate`: the mates that engines saw.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_core::codecs::series::Evaluation;

use super::call::{Arguments, Function, Parameter};
use super::column::evaluations;

pub(super) const ROW: Function = Function {
    name: "mate",
    usage: "mate(moves, evals, ply)",
    gives: "In how many moves there is a mate after so many plies, less than 0 if the second \
            player mates; nothing if the evaluation is none.",
    forms: &[
        &[Parameter::Moves, Parameter::Series, Parameter::Ply],
        &[Parameter::Movetext, Parameter::Ply],
    ],
    returns: DataType::Int32,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let mate = |evaluation: Option<Evaluation>| match evaluation? {
        Evaluation::Pawns(_) => None,
        Evaluation::Mate(moves) => Some(moves),
    };
    Ok(Arc::new(evaluations(arguments)?.into_iter().map(mate).collect::<Int32Array>()))
}
