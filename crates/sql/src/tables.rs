//! Tables by name: packed files, folders of them, patterns, and objects in a store.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::TreeNode;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::datasource::source_as_provider;
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use plypack::store::condition::nearest;
use plypack::store::find::packed_files;
use plypack::store::{PackedFile, check_end};
use plypack::store::{games, positions};

use crate::error::Error;
use crate::prose::ProseTable;

/// Whether a name in a query is a file's, rather than that of a view or a subquery.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains(['/', '\\', '*', '?']) || name.contains(".parquet")
}

/// The local packed files that a name denotes, as far as known.
pub(crate) fn local_files(name: &str) -> Vec<PathBuf> {
    let path = Path::new(name);
    match path.is_dir() {
        true => packed_files(path).unwrap_or_default(),
        false if path.is_file() => vec![path.into()],
        false => Vec::new(),
    }
}

/// Opens a table by its name: the path of a file or folder, a pattern with `*`, or a URL.
///
/// # Errors
/// Returns an error if there is no such file, or it is not a Parquet file.
pub(crate) async fn open(state: &SessionState, name: &str) -> Result<Arc<ListingTable>, Error> {
    if !name.contains("://") && !name.contains(['*', '?', '[']) {
        check_path(Path::new(name))?;
        local_files(name).iter().try_for_each(|path| check_footer(path))?;
    }
    // A folder ends in a slash.
    let folder = Path::new(name).is_dir() && !name.ends_with('/');
    let url = ListingTableUrl::parse(if folder { format!("{name}/") } else { name.to_owned() })
        .map_err(|error| Error::new(error.message()))?;
    let settings = state.table_options().parquet.clone();
    let format = ParquetFormat::default().with_options(settings);
    // A file named explicitly is read whatever its extension.
    let extension = if url.is_folder() || url.get_glob().is_some() { ".parquet" } else { "" };
    let options = ListingOptions::new(Arc::new(format)).with_file_extension(extension);
    let config = ListingTableConfig::new(url).with_listing_options(options);
    let fail = |error: datafusion::error::DataFusionError| cannot_open(name, &error);
    let mut config = config.infer_schema(state).await.map_err(fail)?;
    if let Some(whole) = config.file_schema.as_deref().and_then(whole) {
        config = config.with_schema(Arc::new(whole));
    }
    let table = ListingTable::try_new(config).map_err(fail)?;
    if TableProvider::schema(&table).fields().is_empty() {
        return Err(Error::new(format_args!("'{name}': there are no packed files (*.parquet)")));
    }
    Ok(Arc::new(table))
}

/// Returns the table of this name so that comments in blocks are restored, if it may have any.
pub(crate) fn with_prose(table: Arc<ListingTable>, name: &str) -> Arc<dyn TableProvider> {
    let files = local_files(name);
    match files.is_empty() || files.iter().any(|path| has_prose(path)) {
        true => Arc::new(ProseTable(table)),
        false => table,
    }
}

/// Returns whether a plan reads annotations of local files that have some in blocks, as tables of
/// their own do not restore them.
pub(crate) fn reads_prose(plan: &LogicalPlan) -> bool {
    let reads = |node: &LogicalPlan| {
        let LogicalPlan::TableScan(scan) = node else { return Ok(false) };
        let annotations = scan.projected_schema.fields().find("annotations");
        let provider = source_as_provider(&scan.source)?;
        let table = provider.downcast_ref::<ListingTable>().filter(|_| annotations.is_some());
        let mut urls = table.into_iter().flat_map(ListingTable::table_paths);
        Ok(urls.any(|url| {
            let path = url::Url::parse(url.as_str()).ok().and_then(|url| url.to_file_path().ok());
            let files = path.and_then(|path| Some(local_files(path.to_str()?)));
            files.unwrap_or_default().iter().any(|path| has_prose(path))
        }))
    };
    plan.exists(reads).unwrap_or(false)
}

/// Returns whether a file may have comments in blocks.
fn has_prose(path: &Path) -> bool {
    PackedFile::open(path).is_ok_and(|file| file.has_prose())
}

/// Returns the schema of packed files with the columns that they lack because no record has a value
/// there; `None` if they are other tables.
fn whole(found: &Schema) -> Option<Schema> {
    let has = |name: &&str| found.column_with_name(name).is_some();
    let ours = if games::schema::needed().all(|name| has(&name)) {
        games::schema::SCHEMA.clone()
    } else if positions::NEEDED.iter().all(has) {
        positions::schema::schema(&[])
    } else {
        return None;
    };
    // Texts may be read as views.
    let text = found.field_with_name("layout").ok()?.data_type();
    let lacking = |field: &FieldRef| {
        let data_type = match field.data_type() {
            DataType::Utf8 => text,
            other => other,
        };
        Arc::new(Field::new(field.name(), data_type.clone(), true))
    };
    let mut fields: Vec<FieldRef> = Vec::new();
    for field in ours.fields() {
        let there = found.fields().find(field.name());
        fields.push(there.map_or_else(|| lacking(field), |(_, there)| Arc::clone(there)));
    }
    let others = found.fields().iter().filter(|field| ours.fields().find(field.name()).is_none());
    fields.extend(others.cloned());
    Some(Schema::new_with_metadata(fields, found.metadata().clone()))
}

/// Refuses missing files, and files that are certainly not packed.
fn check_path(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return packed_files(path).map(|_| ()).map_err(Error::new);
    }
    if path.is_file() {
        return Ok(());
    }
    let name = path.display();
    let found = Error::new(format_args!("there is no file '{name}'"));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = packed_files(folder.unwrap_or(Path::new("."))).unwrap_or_default();
    let names: Vec<String> =
        beside.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Err(match nearest(wanted, names.iter().map(String::as_str)) {
        Some(name) => found.with_cure(format_args!("did you mean '{name}'?")),
        None => found,
    })
}

/// Refuses a file whose end states a footer longer than the file, which the Parquet library reports
/// as a bug of its own, or has a wrong checksum, which the library does not check. The library
/// checks the checksums of pages and reports other defects.
fn check_footer(path: &Path) -> Result<(), Error> {
    let mut end = [0; 8];
    let read = File::open(path).and_then(|mut file| {
        let size = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(size.saturating_sub(end.len() as u64)))?;
        file.read_exact(&mut end)?;
        Ok(size)
    });
    let Ok(size) = read else { return Ok(()) };
    let [a, b, c, d, magic @ ..] = end;
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    if magic == *b"PAR1" && footer + 8 > size {
        let why = "it is damaged: its stated footer is longer than the file";
        return Err(Error::new(format_args!("'{}': {why}", path.display())));
    }
    check_end(path).map_err(Error::new)
}

fn cannot_open(name: &str, error: &datafusion::error::DataFusionError) -> Error {
    let message = error.find_root().message().into_owned();
    let why = message.lines().next().unwrap_or_default();
    let found = Error::new(format_args!("'{name}' cannot be read: {why}"));
    match message.contains("Invalid Parquet file") || message.contains("magic") {
        true => Error::new(format_args!("'{name}' is not a Parquet file"))
            .with_cure("`plypack pack` makes one from games"),
        false => found,
    }
}
