//! Selection of rows by position indices, for `reaches(moves, 'FEN')`.
//!
//! This is the last rule of the optimizer. It looks for such a condition above a scan of local
//! files, queries the indices beside them, and restricts the scan to the rows that they name. The
//! condition stays in place and proves them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use datafusion::common::ScalarValue;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::ParquetRowSelection;
use datafusion::datasource::physical_plan::{
    FileGroup, FileScanConfig, FileScanConfigBuilder, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::parquet::arrow::arrow_reader::RowSelection;
use datafusion::physical_expr::expressions::{Column, Literal};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr, split_conjunction};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::{ExecutionPlan, replace_children_if_necessary};
use plypack::store::PackedFile;
use plypack::store::find::{Asked, game_of, rows_named};
use plypack::store::index::Indices;

use crate::functions::target;

/// The function that looks for a position.
const REACHES: &str = "reaches";

/// The rule.
#[derive(Debug)]
pub(crate) struct Rule;

impl PhysicalOptimizerRule for Rule {
    fn name(&self) -> &'static str {
        "index_of_positions"
    }

    fn schema_check(&self) -> bool {
        true
    }

    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(plan.transform_down(narrow)?.data)
    }
}

/// The number of games named by indices, and the number of games in the files that have one.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    named: u64,
    of: u64,
}

/// Narrows the scan below a filter for a position.
fn narrow(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(filter) = plan.downcast_ref::<FilterExec>() else { return Ok(Transformed::no(plan)) };
    for part in split_conjunction(filter.predicate()) {
        let Some((function, position)) = asked(part) else { continue };
        let mut counted = Counted::default();
        let Some(input) = narrowed(filter.input(), position, &mut counted)? else { continue };
        let predicate = renamed(filter.predicate(), function, counted)?;
        let filter = FilterExecBuilder::from(filter).with_predicate(predicate).with_input(input);
        let filter: Arc<dyn ExecutionPlan> = Arc::new(filter.build()?);
        return Ok(Transformed::new(filter, true, TreeNodeRecursion::Jump));
    }
    Ok(Transformed::no(plan))
}

/// Returns the position of a condition `reaches(moves, 'position')`.
fn asked(part: &Arc<dyn PhysicalExpr>) -> Option<(&ScalarFunctionExpr, &str)> {
    let function = part.downcast_ref::<ScalarFunctionExpr>()?;
    let [moves, position] = function.args() else { return None };
    if function.fun().name() != REACHES || moves.downcast_ref::<Column>()?.name() != "moves" {
        return None;
    }
    match position.downcast_ref::<Literal>()?.value() {
        ScalarValue::Utf8(Some(position))
        | ScalarValue::LargeUtf8(Some(position))
        | ScalarValue::Utf8View(Some(position)) => Some((function, position)),
        _ => None,
    }
}

/// Renames the function in the predicate to show the effect of the index in EXPLAIN.
fn renamed(
    predicate: &Arc<dyn PhysicalExpr>,
    function: &ScalarFunctionExpr,
    counted: Counted,
) -> Result<Arc<dyn PhysicalExpr>> {
    let name = format!("{} [index: {} of {} games]", REACHES, counted.named, counted.of);
    let rename = |expr: Arc<dyn PhysicalExpr>| {
        let Some(found) = expr.downcast_ref::<ScalarFunctionExpr>().filter(|f| *f == function)
        else {
            return Ok(Transformed::no(expr));
        };
        let renamed = ScalarFunctionExpr::new(
            &name,
            Arc::new(found.fun().clone()),
            found.args().to_vec(),
            found.return_field(&datafusion::arrow::datatypes::Schema::empty())?,
            Arc::new(found.config_options().clone()),
        );
        Ok(Transformed::yes(Arc::new(renamed) as Arc<dyn PhysicalExpr>))
    };
    Ok(Arc::clone(predicate).transform_down(rename)?.data)
}

/// Returns a plan whose scan reads the rows named by indices; `None` if the plan is too complex, or
/// none of its files has an index.
fn narrowed(
    plan: &Arc<dyn ExecutionPlan>,
    position: &str,
    counted: &mut Counted,
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if let Some(scan) = plan.downcast_ref::<DataSourceExec>() {
        let Some((config, _)) = scan.downcast_to_file_source::<ParquetSource>() else {
            return Ok(None);
        };
        return Ok(narrowed_scan(config, position, counted)
            .map(|config| DataSourceExec::from_data_source(config) as Arc<dyn ExecutionPlan>));
    }
    // Nodes that pass on the scan's rows unchanged.
    let hands_on = plan.is::<RepartitionExec>()
        || plan.is::<CoalescePartitionsExec>()
        || plan.is::<FilterExec>();
    let children = plan.children();
    let (true, [child]) = (hands_on, &children[..]) else { return Ok(None) };
    match narrowed(child, position, counted)? {
        Some(child) => Ok(Some(replace_children_if_necessary(Arc::clone(plan), vec![child])?)),
        None => Ok(None),
    }
}

fn narrowed_scan(
    config: &FileScanConfig,
    position: &str,
    counted: &mut Counted,
) -> Option<FileScanConfig> {
    if config.object_store_url.as_str() != "file:///" {
        return None;
    }
    // A file may be scanned in several parts, each a range of bytes.
    let mut looked_up: Vec<(String, Option<RowSelection>)> = Vec::new();
    let mut narrow = |file: &PartitionedFile| {
        let path = file.object_meta.location.to_string();
        if looked_up.iter().all(|known| known.0 != path) {
            let selection = look_up(&path, position, counted);
            looked_up.push((path.clone(), selection));
        }
        let selection = looked_up.iter().find(|known| known.0 == path)?.1.clone()?;
        Some(file.clone().with_extension(ParquetRowSelection::new(selection)))
    };
    let groups = config.file_groups.iter().map(|group| {
        let files = group.iter().map(|file| narrow(file).unwrap_or_else(|| file.clone()));
        FileGroup::new(files.collect())
    });
    let groups: Vec<FileGroup> = groups.collect();
    if looked_up.iter().all(|known| known.1.is_none()) {
        return None;
    }
    Some(FileScanConfigBuilder::from(config.clone()).with_file_groups(groups).build())
}

/// Returns the rows of a file that its indices name, and those that no index covers; `None` if it
/// is not a packed file, has no index, or its index cannot be read. Then all games are searched.
fn look_up(path: &str, position: &str, counted: &mut Counted) -> Option<RowSelection> {
    let file = PackedFile::open(&Path::new("/").join(path)).ok()?;
    let indices = Indices::open(&file);
    if indices.is_empty() {
        return None;
    }
    let target = target(game_of(&file).ok()??, position).ok()?;
    let asked = Asked { file, indices, known: None };
    let rows: Vec<Range<u64>> = rows_named(&asked, &target).ok()?;
    let of = asked.file.records();
    counted.named += rows.iter().map(|rows| rows.end - rows.start).sum::<u64>();
    counted.of += of;
    let place = |row: u64| usize::try_from(row).ok();
    let rows: Option<Vec<Range<usize>>> =
        rows.iter().map(|rows| Some(place(rows.start)?..place(rows.end)?)).collect();
    Some(RowSelection::from_consecutive_ranges(rows?.into_iter(), place(of)?))
}
