//! Internal functions to which names and conditions are rewritten (`names`, `conditions`).

mod holds;
mod tag;
mod year_of;

use datafusion::logical_expr::ScalarUDF;

/// All of them.
pub(super) fn all() -> [ScalarUDF; 3] {
    [holds::make(), tag::make(), year_of::make()]
}
