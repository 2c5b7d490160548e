//! `holds(text, condition)`: whether a text meets a condition, as in `find --where`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{ScalarValue, exec_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::ColumnarValue;
use plypack::store::condition::Condition;

pub(super) fn answer(args: &[ColumnarValue]) -> Result<ColumnarValue> {
    let [texts, ColumnarValue::Scalar(ScalarValue::Utf8(Some(condition)))] = args else {
        return exec_err!("holds(text, condition): the condition must be a text in quotes");
    };
    let condition = Condition::parse(condition)
        .map_err(|error| DataFusionError::Execution(error.to_string()))?;
    let texts = cast(&texts.to_array(1)?, &DataType::Utf8)?;
    let holds = |text: Option<&str>| text.and_then(|text| condition.of_text(text));
    let held: BooleanArray = texts.as_string::<i32>().iter().map(holds).collect();
    Ok(ColumnarValue::Array(Arc::new(held) as ArrayRef))
}
