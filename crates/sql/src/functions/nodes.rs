//! `nodes`: sizes of engines' searches.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, REMARK_OF_PLY};
use super::column::{Remark, remarks};

pub(super) const ROW: Function = Function {
    name: "nodes",
    usage: "nodes(moves, annotations, templates, fields, ply)",
    gives: "The number of nodes searched for a move, as the engine's comment behind it says.",
    forms: REMARK_OF_PLY,
    returns: DataType::Int64,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let nodes = |remark: Option<Remark>| i64::try_from(remark?.0.nodes?).ok();
    Ok(Arc::new(remarks(arguments)?.into_iter().map(nodes).collect::<Int64Array>()))
}
