//! Internal functions to which names and conditions are rewritten (`names`, `conditions`).

mod holds;
mod tag;
mod year_of;

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::expr_fn::SimpleScalarUDF;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Signature, Volatility};

/// All of them.
pub(super) fn all() -> [ScalarUDF; 3] {
    [
        make("holds", 2, DataType::Boolean, holds::answer),
        make("tag", 2, DataType::Utf8, tag::answer),
        make("year_of", 1, DataType::Int32, year_of::answer),
    ]
}

/// A function of so many arguments.
fn make(
    name: &str,
    arguments: usize,
    returns: DataType,
    answer: fn(&[ColumnarValue]) -> Result<ColumnarValue>,
) -> ScalarUDF {
    let signature = Signature::any(arguments, Volatility::Immutable);
    SimpleScalarUDF::new_with_signature(name, signature, returns, Arc::new(answer)).into()
}
