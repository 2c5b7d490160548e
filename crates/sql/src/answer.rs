//! The rows that answer a query, and the progress of the work.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::ExecutionPlan;

/// The rows that answer a query, as a stream.
pub struct Answer {
    /// Their columns.
    pub schema: SchemaRef,
    /// The rows.
    pub rows: SendableRecordBatchStream,
    /// Remarks for the user, e.g. on files without an index.
    pub remarks: Vec<String>,
    pub(crate) plan: Arc<dyn ExecutionPlan>,
}

impl Answer {
    /// The number of rows in the files that are read; `None` if unknown.
    pub fn records(&self) -> Option<u64> {
        let mut rows = Some(0);
        scans(&self.plan, &mut |scan| {
            let found = scan.data_source().partition_statistics(None).ok();
            let found = found.and_then(|found| found.num_rows.get_value().copied());
            rows = rows.zip(found).map(|(sum, found)| sum + found as u64);
        });
        rows.filter(|&rows| rows > 0)
    }

    /// The number of those rows processed so far.
    pub fn done(&self) -> u64 {
        let mut rows = 0;
        scans(&self.plan, &mut |scan| {
            let metrics = scan.metrics().unwrap_or_default();
            let sum = |name| metrics.sum_by_name(name).map_or(0, |value| value.as_usize());
            // Rows that a condition on tags removed were processed, too.
            rows += (metrics.output_rows().unwrap_or(0) + sum("pushdown_rows_pruned")) as u64;
        });
        rows
    }
}

/// Calls `each` with every file scan in a plan.
fn scans(plan: &Arc<dyn ExecutionPlan>, each: &mut dyn FnMut(&DataSourceExec)) {
    if let Some(scan) = plan.downcast_ref::<DataSourceExec>() {
        each(scan);
    }
    plan.children().into_iter().for_each(|child| scans(child, each));
}
