//! `took`: the time that moves took.

use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{ArrayRef, Float64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;

use super::call::{Arguments, Function, REMARK_OF_PLY};
use super::column::{Remark, remarks};

pub(super) const ROW: Function = Function {
    name: "took",
    usage: "took(moves, annotations, templates, fields, ply)",
    gives: "The time that a move took in seconds, as the comment behind it says.",
    forms: REMARK_OF_PLY,
    returns: DataType::Float64,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let took = |remark: Option<Remark>| Some(Duration::from_millis(remark?.0.time?).as_secs_f64());
    Ok(Arc::new(remarks(arguments)?.into_iter().map(took).collect::<Float64Array>()))
}
