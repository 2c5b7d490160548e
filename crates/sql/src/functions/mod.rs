//! The functions on games, a file each.
//!
//! To add one, write its file and its row below, and an example in `docs/sql.md`: the tests do the
//! rest.

mod holds;
pub(crate) mod reaches;
mod tag;
mod year_of;

use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;

/// A function that queries may call.
#[derive(Debug)]
pub struct Function {
    /// How it is called.
    pub name: &'static str,
    make: fn() -> ScalarUDF,
}

/// All of them, by their names.
pub static FUNCTIONS: &[Function] = &[
    Function { name: "holds", make: holds::make },
    Function { name: "tag", make: tag::make },
    Function { name: "year_of", make: year_of::make },
];

/// All of them, for a session, a scheduler or an executor.
#[must_use]
pub fn all() -> Vec<Arc<ScalarUDF>> {
    FUNCTIONS.iter().map(|function| Arc::new((function.make)())).collect()
}
