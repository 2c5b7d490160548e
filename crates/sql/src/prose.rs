//! Tables of packed files whose comments are in blocks: consecutive rows, the last of which has the
//! code of the comments of all.
//!
//! A scan that is asked for annotations also reads the codes, of all rows in their order: neither
//! filters nor limits may leave out rows of a block. A node above it restores the comments.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Statistics, project_schema};
use datafusion::datasource::listing::ListingTable;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt, stream};
use plypack::store::games::restore_prose;

/// The column whose texts are in blocks.
const ANNOTATIONS: &str = "annotations";

/// The column of codes.
const PROSE: &str = "prose";

/// The columns that are read beside it.
const SOURCES: [&str; 2] = [PROSE, "checksum"];

/// A table of files whose comments are in blocks.
#[derive(Debug)]
pub(crate) struct ProseTable(pub Arc<ListingTable>);

#[async_trait]
impl TableProvider for ProseTable {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        self.0.table_type()
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = self.schema();
        let all = || (0..schema.fields().len()).collect();
        let mut read: Vec<usize> = projection.cloned().unwrap_or_else(all);
        let place = |name: &str| schema.index_of(name).ok();
        if place(ANNOTATIONS).is_none_or(|annotations| !read.contains(&annotations)) {
            return self.0.scan(state, projection, filters, limit).await;
        }
        let wanted = project_schema(&schema, projection)?;
        for source in SOURCES.into_iter().filter_map(place) {
            if !read.contains(&source) {
                read.push(source);
            }
        }
        let input = self.0.scan(state, Some(&read), &[], None).await?;
        Ok(Arc::new(ProseExec::new(input, wanted)))
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        // A filter may be left out below, and so stays above.
        let supported = self.0.supports_filters_pushdown(filters)?.into_iter();
        let kept = supported.map(|supported| match supported {
            TableProviderFilterPushDown::Exact => TableProviderFilterPushDown::Inexact,
            other => other,
        });
        Ok(kept.collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        self.0.statistics()
    }
}

/// Restores comments, and drops the columns that only that needs.
#[derive(Debug)]
struct ProseExec {
    input: Arc<dyn ExecutionPlan>,
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl ProseExec {
    /// The columns of `schema` are the input's first.
    fn new(input: Arc<dyn ExecutionPlan>, schema: SchemaRef) -> Self {
        let below = input.properties();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            below.output_partitioning().clone(),
            below.emission_type,
            below.boundedness,
        );
        Self { input, schema, properties: Arc::new(properties) }
    }
}

impl DisplayAs for ProseExec {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ProseExec")
    }
}

impl ExecutionPlan for ProseExec {
    fn name(&self) -> &'static str {
        "ProseExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    /// Rows of a block stay in one partition.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let lost = || DataFusionError::Internal("a scan for comments is missing".into());
        let input = children.into_iter().next().ok_or_else(lost)?;
        Ok(Arc::new(Self::new(input, Arc::clone(&self.schema))))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mode = datafusion::physical_plan::ChildrenPropertiesMode::Recompute;
        self.replace_children(children, ReplaceChildrenOptions::new(mode))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let input = self.input.execute(partition, context)?;
        let rows = restored(input, Arc::clone(&self.schema));
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows)))
    }
}

/// What was read of the input.
struct Reading {
    input: SendableRecordBatchStream,
    schema: SchemaRef,
    /// Rows whose block has not ended.
    waiting: Vec<RecordBatch>,
    /// Restored rows.
    ready: VecDeque<RecordBatch>,
    ended: bool,
}

/// Restores the comments of rows as they come, block by block.
fn restored(
    input: SendableRecordBatchStream,
    schema: SchemaRef,
) -> impl Stream<Item = Result<RecordBatch>> + Send {
    let ready = VecDeque::new();
    let reading = Reading { input, schema, waiting: Vec::new(), ready, ended: false };
    stream::try_unfold(reading, |mut reading| async move {
        loop {
            if let Some(batch) = reading.ready.pop_front() {
                return Ok(Some((batch, reading)));
            }
            if reading.ended {
                return Ok(None);
            }
            match reading.input.next().await {
                Some(batch) => reading.add(&batch?)?,
                None => reading.end()?,
            }
        }
    })
}

impl Reading {
    /// Adds rows, and restores those whose blocks they end.
    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let codes = batch.column_by_name(PROSE);
        let last = codes.and_then(|codes| (0..codes.len()).rev().find(|&row| codes.is_valid(row)));
        let Some(end) = last.map(|row| row + 1) else {
            self.waiting.push(batch.clone());
            return Ok(());
        };
        self.waiting.push(batch.slice(0, end));
        self.restore()?;
        if end < batch.num_rows() {
            self.waiting.push(batch.slice(end, batch.num_rows() - end));
        }
        Ok(())
    }

    /// Restores what is left.
    fn end(&mut self) -> Result<()> {
        self.ended = true;
        self.restore()
    }

    fn restore(&mut self) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let restored = restore_prose(&waiting).map_err(DataFusionError::Execution)?;
        for batch in restored {
            let columns = batch.columns().iter().take(self.schema.fields().len()).cloned();
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect())?;
            self.ready.push_back(batch);
        }
        Ok(())
    }
}
