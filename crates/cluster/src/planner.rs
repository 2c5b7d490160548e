//! The client's part of planning: it sends its query with every file named.
//!
//! A pattern would be lost on the way, and the scheduler would list a folder again, perhaps with
//! other files than the client sees: a query would count the wrong games without failing. A named
//! file that is missing is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use ballista_core::config::BallistaConfig;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::datasource::listing::{ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::datasource::{TableProvider, provider_as_source, source_as_provider};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{LogicalPlan, TableScan};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion_proto::protobuf::LogicalPlanNode;
use futures::TryStreamExt;

use crate::error::explain;

/// Sends queries to a scheduler.
#[derive(Debug)]
pub struct Planner {
    inner: BallistaQueryPlanner<LogicalPlanNode>,
}

impl Planner {
    pub fn new(scheduler: String, config: BallistaConfig) -> Self {
        Self { inner: BallistaQueryPlanner::new(scheduler, config) }
    }
}

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = name_files(plan, session).await?;
        let plan = self.inner.create_physical_plan(&plan, session).await?;
        Ok(Arc::new(Explained { inner: plan }))
    }
}

/// The cluster's execution, with plain errors.
#[derive(Debug)]
struct Explained {
    inner: Arc<dyn ExecutionPlan>,
}

impl DisplayAs for Explained {
    fn fmt_as(&self, kind: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_as(kind, formatter)
    }
}

impl ExecutionPlan for Explained {
    fn name(&self) -> &'static str {
        "Explained"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.inner.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let rows = self.inner.execute(partition, context).map_err(|error| plain(&error))?;
        let schema = rows.schema();
        let rows = rows.map_err(|error| plain(&error));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

/// A session error, which is shown as it is.
fn plain(error: &DataFusionError) -> DataFusionError {
    DataFusionError::External(Box::new(plypack_sql::Error::new(explain(error))))
}

/// Replaces every table of a plan by its named files.
async fn name_files(plan: &LogicalPlan, session: &dyn Session) -> Result<LogicalPlan> {
    let mut listed = BTreeMap::new();
    for urls in tables(plan)? {
        let files = files_of(&urls, session).await?;
        listed.insert(urls, files);
    }
    let name = |node: LogicalPlan| match node {
        LogicalPlan::TableScan(scan) => rewrite(scan, &listed),
        node => Ok(Transformed::no(node)),
    };
    Ok(plan.clone().transform_down_with_subqueries(name)?.data)
}

/// The sources of a plan's tables, as in the client's tables.
type Urls = Vec<(String, Option<String>, String)>;

/// The tables of a plan that are not named file by file.
fn tables(plan: &LogicalPlan) -> Result<BTreeSet<Urls>> {
    let mut tables = BTreeSet::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            let provider = source_as_provider(&scan.source)?;
            tables.extend(provider.downcast_ref().map(urls_of));
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(tables)
}

/// The sources of a table: addresses, patterns and file extension.
fn urls_of(table: &ListingTable) -> Urls {
    let extension = &table.options().file_extension;
    let url = |url: &ListingTableUrl| {
        let glob = url.get_glob().as_ref().map(|glob| glob.as_str().to_string());
        (url.to_string(), glob, extension.clone())
    };
    table.table_paths().iter().map(url).collect()
}

/// The files of a table, ordered by name.
async fn files_of(urls: &Urls, session: &dyn Session) -> Result<Vec<ListingTableUrl>> {
    let mut files = Vec::new();
    for (address, glob, extension) in urls {
        let mut url = ListingTableUrl::parse(address)?;
        if let Some(glob) = glob {
            url = url.with_glob(glob)?;
        }
        let store = url.object_store();
        let opened = session.runtime_env().object_store(&store)?;
        let found = url.list_all_files(session, opened.as_ref(), extension).await?;
        let found: Vec<_> = found.try_collect().await?;
        for file in found {
            let mut file_url = url::Url::parse(store.as_str())
                .map_err(|error| DataFusionError::External(error.into()))?;
            file_url.set_path(file.location.as_ref());
            files.push(ListingTableUrl::try_new(file_url, None)?);
        }
    }
    files.sort_unstable_by(|left, right| left.as_str().cmp(right.as_str()));
    Ok(files)
}

/// A scan of the listed files.
fn rewrite(
    scan: TableScan,
    listed: &BTreeMap<Urls, Vec<ListingTableUrl>>,
) -> Result<Transformed<LogicalPlan>> {
    let provider = source_as_provider(&scan.source)?;
    let table = provider.downcast_ref::<ListingTable>();
    let files = table.and_then(|table| listed.get(&urls_of(table)));
    let (Some(table), Some(files)) = (table, files.filter(|files| !files.is_empty())) else {
        return Ok(Transformed::no(LogicalPlan::TableScan(scan)));
    };
    let mut options = table.options().clone();
    // Every file is named, whatever its extension.
    options.file_extension = String::new();
    let config = ListingTableConfig::new_with_multi_paths(files.clone())
        .with_listing_options(options)
        .with_schema(table.schema());
    let source = provider_as_source(Arc::new(ListingTable::try_new(config)?));
    Ok(Transformed::yes(LogicalPlan::TableScan(TableScan { source, ..scan })))
}
