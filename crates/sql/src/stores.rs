//! Where files are: disks, and object stores, which are opened when a query names them.

use std::sync::Arc;

use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

/// What queries run in: it opens object stores by their URLs.
#[must_use]
pub fn runtime() -> Arc<RuntimeEnv> {
    Arc::new(RuntimeEnvBuilder::new().build().unwrap_or_default())
}
