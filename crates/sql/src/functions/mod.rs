//! The functions on games, a file each.
//!
//! To add one, write its file and its row below, and an example in `docs/sql.md`: the tests do the
//! rest.

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
pub static FUNCTIONS: &[Function] = &[];

/// All of them, for a session, a scheduler or an executor.
#[must_use]
pub fn all() -> Vec<Arc<ScalarUDF>> {
    FUNCTIONS.iter().map(|function| Arc::new((function.make)())).collect()
}
