//! A session: queries in, rows out.

use datafusion::error::Result;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::functions;

/// Answers queries.
pub struct Session {
    context: SessionContext,
}

/// What a session is told wherever it runs.
#[must_use]
pub fn configure(config: SessionConfig) -> SessionConfig {
    let mut config = config.with_batch_size(2_048);
    config.options_mut().execution.parquet.pushdown_filters = true;
    config.options_mut().execution.parquet.schema_force_view_types = false;
    config
}

impl Session {
    /// A session of this process.
    pub fn local() -> Self {
        let state = SessionStateBuilder::new()
            .with_config(configure(SessionConfig::new()))
            .with_runtime_env(crate::runtime())
            .with_default_features()
            .build();
        Self::over(SessionContext::new_with_state(state))
    }

    /// A session over a context that was made elsewhere, as that of a cluster is. It is taught
    /// the functions.
    pub fn over(context: SessionContext) -> Self {
        for function in functions::all() {
            context.register_udf(function.as_ref().clone());
        }
        Self { context }
    }

    /// Asks a query.
    ///
    /// # Errors
    /// If it is not understood.
    pub async fn ask(&self, query: &str) -> Result<SendableRecordBatchStream> {
        self.context.sql(query).await?.execute_stream().await
    }
}
