//! What names and conditions are written out as (`names`, `conditions`): functions that queries
//! need not know.

mod holds;
mod tag;
mod year_of;

use datafusion::logical_expr::ScalarUDF;

/// All of them.
pub(super) fn all() -> [ScalarUDF; 3] {
    [holds::make(), tag::make(), year_of::make()]
}
