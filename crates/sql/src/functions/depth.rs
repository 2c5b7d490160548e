//! `depth`: depths of engines' searches.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, REMARK_OF_PLY};
use super::column::{Remark, remarks};

pub(super) const ROW: Function = Function {
    name: "depth",
    usage: "depth(moves, annotations, templates, fields, ply)",
    gives: "The depth of the search for a move in plies, as the engine's comment behind it says.",
    forms: REMARK_OF_PLY,
    returns: DataType::Int32,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let depth = |remark: Option<Remark>| i32::try_from(remark?.0.depth?).ok();
    Ok(Arc::new(remarks(arguments)?.into_iter().map(depth).collect::<Int32Array>()))
}
