//! `holds(text, condition)`: whether a text meets a condition, as in `find --where`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{ScalarValue, exec_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use plypack::store::condition::Condition;

/// The function.
pub(super) fn make() -> ScalarUDF {
    ScalarUDF::from(Holds(Signature::any(2, Volatility::Immutable)))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Holds(Signature);

impl ScalarUDFImpl for Holds {
    fn name(&self) -> &'static str {
        "holds"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [texts, ColumnarValue::Scalar(ScalarValue::Utf8(Some(condition)))] = &args.args[..]
        else {
            return exec_err!("holds(text, condition): the condition must be a text in quotes");
        };
        let condition = Condition::parse(condition)
            .map_err(|error| DataFusionError::Execution(error.to_string()))?;
        let texts = cast(&texts.to_array(args.number_rows)?, &DataType::Utf8)?;
        let holds = |text: Option<&str>| text.and_then(|text| condition.of_text(text));
        let held: BooleanArray = texts.as_string::<i32>().iter().map(holds).collect();
        Ok(ColumnarValue::Array(Arc::new(held) as ArrayRef))
    }
}
