//! Execution of tasks by an executor: Ballista's, with progress messages, and errors that name the
//! machine and a remedy.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::BallistaError;
use ballista_core::serde::protobuf::{
    RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
};
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::SessionConfig;

use crate::Say;
use crate::error::{causes, message, missing_in, said};

/// Runs tasks.
pub struct Engine {
    pub inner: DefaultExecutionEngine,
    /// The executor's address, its name in messages.
    pub place: String,
    /// Receives the begin and end of each task, if set.
    pub say: Option<Say>,
}

impl ExecutionEngine for Engine {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        global_output_partition_ids: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let name = format!("task {}/{stage_id}/{task_id}", job_id.as_str());
        let partitions = global_output_partition_ids;
        let (place, say) = (self.place.clone(), self.say.clone());
        let inner = self.inner.create_query_stage_exec(
            job_id, stage_id, task_id, partitions, plan, work_dir, config,
        )?;
        Ok(Arc::new(Task { inner, name, place, say }))
    }
}

/// A running task.
struct Task {
    inner: Arc<dyn QueryStageExecutor>,
    name: String,
    place: String,
    say: Option<Say>,
}

impl Task {
    fn say(&self, what: &str) {
        if let Some(say) = &self.say {
            say(&format!("{} {what}", self.name));
        }
    }
}

#[async_trait]
impl QueryStageExecutor for Task {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        self.say("begins");
        let begun = Instant::now();
        let done = self.inner.execute_query_stage(task_id, context).await;
        let how = if done.is_ok() { "ends" } else { "fails" };
        self.say(&format!("{how} after {:.1} s", begun.elapsed().as_secs_f64()));
        done.map_err(|error| name_place(error, &self.place))
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.inner.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.inner.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.inner.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.inner.collect_column_stats()
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(formatter)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.inner, formatter)
    }
}

/// Adds the machine's name to an error. Errors on which the scheduler retries stay as they are.
fn name_place(error: DataFusionError, place: &str) -> DataFusionError {
    let causes = causes(&error);
    if causes.iter().any(|cause| is_tried_again(*cause)) {
        return error;
    }
    let missing = causes.iter().find_map(|cause| match cause.downcast_ref() {
        Some(object_store::Error::NotFound { path, .. }) => Some(path.as_str()),
        _ => None,
    });
    let exhausted = causes
        .iter()
        .any(|cause| matches!(cause.downcast_ref(), Some(DataFusionError::ResourcesExhausted(_))));
    let why = message(&causes);
    // Another Parquet reader keeps only the text.
    DataFusionError::Execution(said(match missing.or_else(|| missing_in(&why)) {
        Some(path) => no_file(path, place),
        None if exhausted => format!(
            "the executor at {place} ran out of memory; give it more with --memory, or fewer \
             tasks at a time with -T ({why})"
        ),
        None => format!("{why} (on the executor at {place})"),
    }))
}

/// Whether a task that fails with this error is retried, perhaps elsewhere.
fn is_tried_again(error: &(dyn std::error::Error + 'static)) -> bool {
    use BallistaError::{Cancelled, FetchFailed, IoError};
    matches!(error.downcast_ref(), Some(DataFusionError::IoError(_)))
        || matches!(error.downcast_ref(), Some(FetchFailed(..) | IoError(_) | Cancelled))
}

/// The message for a file that only other machines have.
fn no_file(path: &str, place: &str) -> String {
    let path = format!("/{}", path.trim_start_matches('/'));
    format!(
        "the executor at {place} has no file {path}: files must be at the same path on every \
         machine, or in an object store"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named_with_its_machine() {
        let missing =
            object_store::Error::NotFound { path: "a/b.parquet".into(), source: "".into() };
        let error = DataFusionError::ObjectStore(Box::new(missing)).context("while it scanned");
        let text = name_place(error, "there:1").to_string();
        assert!(text.contains("the executor at there:1 has no file /a/b.parquet: files"), "{text}");
    }

    #[test]
    fn what_the_scheduler_understands_stays_as_it_is() {
        let lost = BallistaError::FetchFailed("a".into(), 1, 2, "gone".into()).into_datafusion();
        let error = name_place(lost, "there:1");
        assert!(matches!(BallistaError::from(error), BallistaError::FetchFailed(..)));
    }
}
