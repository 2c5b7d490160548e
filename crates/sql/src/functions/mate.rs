//! `mate`: mates announced by engines.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack_core::codecs::series::Evaluation;

use super::call::{Arguments, EVALUATION_OF_PLY, Function};
use super::column::evaluations;

pub(super) const ROW: Function = Function {
    name: "mate",
    usage: "mate(moves, evals, ply)",
    gives: "The number of moves to mate in the position after a ply, negative if the second \
            player mates; null if the evaluation is not a mate.",
    forms: EVALUATION_OF_PLY,
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
