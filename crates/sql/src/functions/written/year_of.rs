//! `year_of(date)`: the year of a date, which may be partial.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Int32Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

/// The function.
pub(super) fn make() -> ScalarUDF {
    ScalarUDF::from(YearOf(Signature::any(1, Volatility::Immutable)))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct YearOf(Signature);

impl ScalarUDFImpl for YearOf {
    fn name(&self) -> &'static str {
        "year_of"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [dates] = &ColumnarValue::values_to_arrays(&args.args)?[..] else {
            return exec_err!("year_of(date) takes one argument");
        };
        let dates = cast(dates, &DataType::Utf8)?;
        let year =
            |date: Option<&str>| date.and_then(plypack::store::facts::year_of).map(i32::from);
        let years: Int32Array = dates.as_string::<i32>().iter().map(year).collect();
        Ok(ColumnarValue::Array(Arc::new(years) as ArrayRef))
    }
}
