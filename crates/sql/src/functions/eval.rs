//! `eval`: engine evaluations of positions.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_core::codecs::series::Evaluation;

use super::call::{Arguments, EVALUATION_OF_PLY, Function};
use super::column::evaluations;

pub(super) const ROW: Function = Function {
    name: "eval",
    usage: "eval(moves, evals, ply)",
    gives: "The evaluation of the position after a ply, in pawns for the first \
            player; null if it is a mate.",
    forms: EVALUATION_OF_PLY,
    returns: DataType::Float64,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let pawns = |evaluation: Option<Evaluation>| match evaluation? {
        Evaluation::Pawns(hundredths) => Some(f64::from(hundredths) / 100.0),
        Evaluation::Mate(_) => None,
    };
    Ok(Arc::new(evaluations(arguments)?.into_iter().map(pawns).collect::<Float64Array>()))
}
