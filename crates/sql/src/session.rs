//! Sessions: queries in, rows out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::parser::Statement as Parsed;
use datafusion::sql::sqlparser::ast::Statement;
use plypack::store::condition::Condition;
use plypack::store::index::Indices;
use plypack::store::{Error as StoreError, PackedFile};

use crate::answer::Answer;
use crate::error::Error;
use crate::names::Known;
use crate::relations::Opened;
use crate::{functions, indexed, names, relations, tables};

/// Rows of a batch: the number of games decoded before a limit is checked.
const BATCH_ROWS: usize = 2_048;

/// Answers queries.
pub struct Session {
    context: SessionContext,
    /// Whether queries run in this process, where indices are used.
    is_local: bool,
}

/// Sets the options common to all sessions.
pub fn configure(config: SessionConfig) -> SessionConfig {
    let mut config = config.with_batch_size(BATCH_ROWS).with_information_schema(true);
    let options = config.options_mut();
    // Reads moves only for games whose tags match.
    options.execution.parquet.pushdown_filters = true;
    options.execution.parquet.reorder_filters = true;
    options.execution.parquet.schema_force_view_types = false;
    options.sql_parser.collect_spans = true;
    options.sql_parser.map_string_types_to_utf8view = false;
    options.optimizer.repartition_file_min_size = 256 << 10;
    config
}

impl Session {
    /// Creates a session in this process with this many threads; 0 means one per core. Moves are
    /// decoded by the threads requested by the first session of a process.
    pub fn local(threads: usize) -> Self {
        let mut config = configure(SessionConfig::new());
        if threads > 0 {
            config = config.with_target_partitions(threads);
            // Fails if the pool exists already.
            _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        }
        let state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(crate::runtime())
            .with_default_features()
            .with_physical_optimizer_rule(Arc::new(indexed::Rule))
            .build();
        Self { is_local: true, ..Self::over(SessionContext::new_with_state(state)) }
    }

    /// Creates a session over an existing context, such as that of a cluster, and registers the
    /// functions.
    pub fn over(context: SessionContext) -> Self {
        for function in functions::all() {
            context.register_udf(function.as_ref().clone());
        }
        Self { context, is_local: false }
    }

    /// Runs a query.
    ///
    /// # Errors
    /// Returns an error if it is invalid or names something unknown. Errors during execution come
    /// with the rows: [`Self::explain`] makes them readable.
    pub async fn ask(&self, query: &str) -> Result<Answer, Error> {
        let fail = |error| Error::of(&error, query);
        let mut registered = Vec::new();
        let planned = self.plan(query, &mut registered).await;
        // The plan holds them; the next query opens files again.
        for table in registered {
            _ = self.context.deregister_table(TableReference::bare(table));
        }
        let (plan, remarks) = planned?;
        let allowed = SQLOptions::new().with_allow_dml(false);
        allowed.verify_plan(&plan).map_err(|_| {
            Error::new("queries only read").with_cure("`-o FILE` writes the result of a query")
        })?;
        if !self.is_local
            && tables::reads_prose(&self.context.state().optimize(&plan).map_err(fail)?)
        {
            return Err(Error::new("a cluster does not read comments that are coded in blocks")
                .with_cure("ask without --cluster, or pack with `--model fast`"));
        }
        let frame = self.context.execute_logical_plan(plan).await.map_err(fail)?;
        let task = frame.task_ctx();
        let plan = frame.create_physical_plan().await.map_err(fail)?;
        let rows = execute_stream(Arc::clone(&plan), Arc::new(task)).map_err(fail)?;
        Ok(Answer { schema: rows.schema(), rows, remarks, plan })
    }

    /// Makes an error that came with the rows of a query readable.
    pub fn explain(error: &datafusion::error::DataFusionError, query: &str) -> Error {
        Error::of(error, query)
    }

    /// Plans a query, and returns remarks for the user. The tables registered on the way are added
    /// to a list.
    async fn plan(
        &self,
        query: &str,
        registered: &mut Vec<String>,
    ) -> Result<(LogicalPlan, Vec<String>), Error> {
        let (statement, remarks) = self.understand(query, registered).await?;
        let plan = self.context.state().statement_to_plan(statement).await;
        Ok((plan.map_err(|error| Error::of(&error, query))?, remarks))
    }

    /// Parses a query, opens the files that it names, and resolves its names.
    async fn understand(
        &self,
        query: &str,
        registered: &mut Vec<String>,
    ) -> Result<(Parsed, Vec<String>), Error> {
        let state = self.context.state();
        let dialect = state.config().options().sql_parser.dialect;
        let mut parsed =
            state.sql_to_statement(query, &dialect).map_err(|error| Error::of(&error, query))?;
        let Some(statement) = statement_of(&mut parsed)? else { return Ok((parsed, Vec::new())) };
        let mut opened: BTreeMap<String, Opened> = BTreeMap::new();
        let mut files = Vec::new();
        for file in relations::files(statement) {
            let table =
                tables::open(&state, &file.name).await.map_err(|error| error.at(query, file.at))?;
            let table: Arc<dyn TableProvider> = match self.is_local {
                true => tables::with_prose(table, &file.name),
                // Plans of ours do not cross to a cluster; functions there say what is missing.
                false => table,
            };
            let schema = table.schema();
            let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
            let is_taken = |name: &str| self.context.table_exist(name).unwrap_or(true);
            let name = relations::table_name(&file.name, is_taken);
            let reference = TableReference::bare(name.as_str());
            self.context
                .register_table(reference, table)
                .map_err(|error| Error::of(&error, query))?;
            registered.push(name.clone());
            files.extend(tables::local_files(&file.name));
            opened.insert(file.name, Opened { table: name, columns });
        }
        let added = relations::write_out(statement, &opened)?;
        let is_tag = |name: &str| is_tag(&files, name);
        let known = Known { files: &opened, added: &added, is_tag: &is_tag };
        names::resolve(statement, &known, query)?;
        let remark = relations::asks_for_position(statement).then(|| self.unindexed(&files));
        Ok((parsed, remark.flatten().into_iter().collect()))
    }

    /// A remark on files searched for a position without an index.
    fn unindexed(&self, files: &[PathBuf]) -> Option<String> {
        if !self.is_local {
            return Some(
                "indices are not used on a cluster: all games that match are decoded".into(),
            );
        }
        let has_none = |path: &&PathBuf| {
            PackedFile::open(path).is_ok_and(|file| Indices::open(&file).is_empty())
        };
        let mut without = files.iter().filter(has_none);
        let first = without.next()?.display();
        let others = without.count();
        Some(match others {
            0 => format!(
                "{first} has no usable index, so all of its games are searched; \
                 `plypack index {first}` makes one"
            ),
            _ => format!(
                "{first} and {others} more files have no usable index, so all of their \
                 games are searched; `plypack index {first} ..` makes them"
            ),
        })
    }
}

/// The SQL statement in the parsed query; `None` if it does not name tables.
fn statement_of(parsed: &mut Parsed) -> Result<Option<&mut Statement>, Error> {
    let writes = || {
        let cure = "`-o FILE` writes the result of a query, and `plypack pack` packs games";
        Err(Error::new("queries only read").with_cure(cure))
    };
    match parsed {
        Parsed::Statement(statement) => match &**statement {
            Statement::Insert(_)
            | Statement::Update(_)
            | Statement::Delete(_)
            | Statement::CreateTable(_)
            | Statement::Copy { .. } => writes(),
            _ => Ok(Some(statement)),
        },
        Parsed::Explain(explain) => statement_of(&mut explain.statement),
        Parsed::CopyTo(_) => writes(),
        Parsed::CreateExternalTable(_) => Err(Error::new("tables cannot be declared")
            .with_cure("a file name in quotes is a table: from 'games.parquet'")),
        Parsed::Reset(_) => Ok(None),
    }
}

/// Whether some game of these files has a tag of this name, which has no column.
///
/// # Errors
/// Returns an error if a file cannot be read, or no game has such a tag.
fn is_tag(files: &[PathBuf], name: &str) -> Result<bool, Error> {
    if files.is_empty() || name.contains('"') {
        return Ok(false);
    }
    let Ok(condition) = Condition::parse(&format!("\"{name}\" IS NOT NULL")) else {
        return Ok(false);
    };
    let files: Result<Vec<PackedFile>, _> =
        files.iter().map(|path| PackedFile::open(path)).collect();
    // Files that are not ours have no tags without columns.
    let Ok(files) = files else { return Ok(false) };
    let files: Vec<&PackedFile> = files.iter().collect();
    match condition.check(&files) {
        Ok(()) => Ok(true),
        Err(StoreError::Condition(unknown)) => Err(Error::new(unknown.why())),
        Err(error) => Err(Error::new(error)),
    }
}
