//! `year_of(date)`: the year of a date, which may be partial.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Int32Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;

pub(super) fn answer(args: &[ColumnarValue]) -> Result<ColumnarValue> {
    let [dates] = &ColumnarValue::values_to_arrays(args)?[..] else {
        return exec_err!("year_of(date) takes one argument");
    };
    let dates = cast(dates, &DataType::Utf8)?;
    let year = |date: Option<&str>| date.and_then(plypack::store::facts::year_of).map(i32::from);
    let years: Int32Array = dates.as_string::<i32>().iter().map(year).collect();
    Ok(ColumnarValue::Array(Arc::new(years) as ArrayRef))
}
