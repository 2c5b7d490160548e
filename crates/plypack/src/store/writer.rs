//! Writes a packed file, one row group after another: newly packed rows, and rows copied from other
//! packed files in coded form.

mod sealed;
mod splice;

use std::io::Write;
use std::iter::Peekable;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, new_null_array};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{
    ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory, PageStoreFactory,
    compute_leaves,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;
use rayon::prelude::*;

use crate::store::error::Error;
use crate::store::footer::{CHECKS_BYTES, Tail};
use crate::store::games::{self, Rows};
use crate::store::index::group_id;
use crate::store::schema::{
    GROUP_BYTES_MAX, GROUP_RECORDS_MAX, GROUPS_KEY, MOVES_PART_RECORDS, SOURCES_KEY,
};
use crate::store::sources::{self, Rowless};
use sealed::{Pages, SealedChunk};
pub(crate) use splice::Renames;
use splice::with_new_names;

/// A packed file that is being written.
pub struct Writer<W: Write + Send> {
    name: PathBuf,
    schema: SchemaRef,
    parquet: SchemaDescriptor,
    /// Whether the file gets a page index.
    indexed: bool,
    file: SerializedFileWriter<Tail<W>>,
    groups: usize,
    /// The checksum of each row group's checksums.
    checksums: Vec<u32>,
    /// Copied rows that do not yet fill a row group.
    waiting: Waiting,
}

/// Rows waiting for more, and running totals, so that their batches are not summed again for each
/// new one.
#[derive(Debug, Default)]
struct Waiting {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

/// The result of [`Writer::close`].
type Closed = (ParquetMetaData, Vec<[u8; 16]>, u64);

/// The encoded columns of a row group.
pub(crate) struct EncodedGroup {
    columns: Vec<SealedChunk>,
    /// The checksum of its record checksums.
    checksum: u32,
}

impl<W: Write + Send> Writer<W> {
    /// Starts a file of games. `name` is used in messages.
    ///
    /// # Errors
    /// Returns an error if `file` cannot be written to.
    pub fn games(file: W, name: &Path) -> Result<Self, Error> {
        let properties = games::schema::writer_properties(true);
        Self::new(file, name, games::schema::SCHEMA.clone(), properties)
    }

    /// Starts a file with these columns.
    pub(crate) fn new(
        file: W,
        name: &Path,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<Self, Error> {
        let failed = || Error::parquet(name);
        let parquet = ArrowSchemaConverter::new().convert(&schema).map_err(failed())?;
        let indexed = !properties.offset_index_disabled();
        let (root, properties) = (parquet.root_schema_ptr(), Arc::new(properties));
        let file = SerializedFileWriter::new(Tail::new(file), root, properties);
        let file = file.map_err(failed())?;
        Ok(Self {
            name: name.into(),
            schema,
            parquet,
            indexed,
            file,
            groups: 0,
            checksums: Vec::new(),
            waiting: Waiting::default(),
        })
    }

    /// Encodes the columns of the next row group in parallel. Each column consists of one or more
    /// arrays.
    pub(crate) fn encode(&self, parts: &[Vec<ArrayRef>]) -> Result<EncodedGroup, Error> {
        let failed = Error::parquet(&self.name);
        let columns = self.encode_columns(parts).map_err(failed)?;
        Ok(EncodedGroup { columns, checksum: checksum(&self.schema, parts) })
    }

    /// Writes an encoded row group.
    pub(crate) fn append(&mut self, group: EncodedGroup) -> Result<(), Error> {
        let failed = || Error::parquet(&self.name);
        let mut row_group = self.file.next_row_group().map_err(failed())?;
        for SealedChunk { bytes, close } in group.columns {
            row_group.append_column(&bytes, close).map_err(failed())?;
        }
        row_group.close().map_err(failed())?;
        self.groups += 1;
        self.checksums.push(group.checksum);
        Ok(())
    }

    /// Encodes columns, each on any thread.
    fn encode_columns(&self, parts: &[Vec<ArrayRef>]) -> Result<Vec<SealedChunk>, ParquetError> {
        let (pages, writers) = self.column_writers()?;
        let mut leaves: Vec<Vec<ArrowLeafColumn>> = Vec::with_capacity(writers.len());
        for (field, arrays) in self.schema.fields().iter().zip(parts) {
            let first = leaves.len();
            for array in arrays.iter().flat_map(|array| parts_of(field.name(), array)) {
                for (at, leaf) in compute_leaves(field, &array)?.into_iter().enumerate() {
                    match leaves.get_mut(first + at) {
                        Some(leaf_parts) => leaf_parts.push(leaf),
                        None => leaves.push(vec![leaf]),
                    }
                }
            }
        }
        let columns: Vec<_> = writers.into_iter().zip(leaves).enumerate().collect();
        let encode = |(number, (writer, leaves)): (usize, (_, Vec<ArrowLeafColumn>))| {
            pages.finish(number, writer, &leaves)
        };
        columns.into_par_iter().map(encode).collect()
    }

    /// Makes the column writers of the next row group, and the store of their pages.
    fn column_writers(&self) -> Result<(Arc<Pages>, Vec<ArrowColumnWriter>), ParquetError> {
        let pages = Arc::<Pages>::default();
        let factory = ArrowRowGroupWriterFactory::new(&self.file, Arc::clone(&self.schema));
        let store: Arc<dyn PageStoreFactory> = Arc::clone(&pages) as _;
        let writers = factory.with_page_store_factory(store).create_column_writers(self.groups)?;
        Ok((pages, writers))
    }

    /// Copies rows of a packed file in coded form, with all columns, into row groups with those
    /// copied before.
    ///
    /// # Errors
    /// Returns an error if a column has another type than ours, as in a copy that another tool
    /// made, or if writing fails.
    pub fn copy(&mut self, rows: &Rows) -> Result<(), Error> {
        rows.batches().try_for_each(|batch| self.wait(self.as_ours(batch)?))
    }

    /// Copies runs of rows of a row group that was read whole, with renamed inputs.
    pub(crate) fn copy_runs(
        &mut self,
        rows: &Rows,
        runs: &[Range<usize>],
        renamed: &Renames,
    ) -> Result<(), Error> {
        let mut runs = runs.iter().cloned().peekable();
        let mut before = 0;
        for batch in rows.batches() {
            let whole = before..before + batch.num_rows();
            before = whole.end;
            let wanted = within(&whole, &mut runs);
            if wanted.count_set_bits() == 0 {
                continue;
            }
            let batch = with_sources(self.as_ours(batch)?, renamed);
            // One batch, however scattered the rows: each batch costs work on every column.
            let batch = filter_record_batch(&batch, &BooleanArray::new(wanted, None))
                .map_err(|error| Error::parquet(&self.name)(error.into()))?;
            self.wait(batch)?;
        }
        Ok(())
    }

    /// Queues rows, and writes the queue whenever it fills a row group.
    fn wait(&mut self, batch: RecordBatch) -> Result<(), Error> {
        let mean = (size(&batch) / batch.num_rows().max(1)).max(1);
        let mut start = 0;
        while start < batch.num_rows() {
            let taken = self.waiting.room(batch.num_rows() - start, mean);
            self.waiting.push(batch.slice(start, taken));
            start += taken;
            if start < batch.num_rows() {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the file, listing these inputs without rows, and returns the inner writer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self, rowless: &[Rowless]) -> Result<W, Error> {
        self.end(rowless)?;
        self.into_output()
    }

    /// Ends the file, and returns its footer, the identifiers of its row groups, and its size in
    /// bytes.
    pub(crate) fn close(mut self, rowless: &[Rowless]) -> Result<Closed, Error> {
        let metadata = self.end(rowless)?;
        let groups = metadata.row_groups().iter().zip(&self.checksums);
        let ids = groups.map(|(group, checksum)| group_id(group, Some(*checksum))).collect();
        let bytes = self.file.bytes_written() as u64 + CHECKS_BYTES as u64;
        self.into_output()?;
        Ok((metadata, ids, bytes))
    }

    /// Writes everything except the end, which waits for its checksums.
    fn end(&mut self, rowless: &[Rowless]) -> Result<ParquetMetaData, Error> {
        self.flush()?;
        self.say_of_all(rowless);
        self.file.flush().map_err(Error::io(&self.name))?;
        self.file.inner_mut().hold();
        self.file.finish().map_err(Error::parquet(&self.name))
    }

    /// Writes the end, and returns the inner writer.
    fn into_output(mut self) -> Result<W, Error> {
        let tail = self.file.inner_mut().take();
        tail.ok_or_else(|| Error::io(&self.name)(std::io::ErrorKind::BrokenPipe.into()))?
            .finish()
            .map_err(Error::io(&self.name))
    }

    /// Writes the metadata about all row groups.
    fn say_of_all(&mut self, rowless: &[Rowless]) {
        let checksums = self.checksums.iter().map(|checksum| format!("{checksum:08x}"));
        let checksums = checksums.collect::<Vec<_>>().join(" ");
        let checksums = KeyValue::new(GROUPS_KEY.to_owned(), checksums);
        self.file.append_key_value_metadata(checksums);
        if !rowless.is_empty() {
            let list = KeyValue::new(SOURCES_KEY.to_owned(), sources::write(rowless));
            self.file.append_key_value_metadata(list);
        }
    }

    /// Writes the waiting rows as a row group.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        let Waiting { batches, rows, .. } = std::mem::take(&mut self.waiting);
        if rows == 0 {
            return Ok(());
        }
        let column = |at: usize| batches.iter().map(|batch| Arc::clone(batch.column(at))).collect();
        let parts: Vec<Vec<ArrayRef>> = (0..self.schema.fields().len()).map(column).collect();
        let group = self.encode(&parts)?;
        self.append(group)
    }

    /// Converts a batch to our columns in our order: missing values are null, missing inputs empty.
    fn as_ours(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let wrong = |name: &str| Error::Format {
            path: self.name.clone(),
            why: format!(
                "column `{name}` of the rows to copy has another type than plypack writes; unpack \
                 their file and pack it again"
            ),
        };
        let column = |field: &arrow_schema::FieldRef| match batch.column_by_name(field.name()) {
            Some(array) if array.data_type() == field.data_type() => Ok(Arc::clone(array)),
            Some(array) if array.null_count() < array.len() => Err(wrong(field.name())),
            _ if field.is_nullable() => Ok(new_null_array(field.data_type(), batch.num_rows())),
            _ if field.data_type() == &arrow_schema::DataType::Utf8 => {
                let empty = std::iter::repeat_n("", batch.num_rows());
                Ok(Arc::new(arrow_array::StringArray::from_iter_values(empty)) as ArrayRef)
            }
            _ => Err(wrong(field.name())),
        };
        let columns = self.schema.fields().iter().map(column).collect::<Result<_, _>>()?;
        RecordBatch::try_new(self.schema.clone(), columns)
            .map_err(|error| Error::parquet(&self.name)(error.into()))
    }
}

impl Waiting {
    /// Returns how many of these rows, of this mean size, still fit the row group; at least one.
    fn room(&self, rows: usize, mean: usize) -> usize {
        let fitting = GROUP_BYTES_MAX.saturating_sub(self.bytes) / mean;
        let most = GROUP_RECORDS_MAX.saturating_sub(self.rows);
        rows.min(fitting).min(most).max(usize::from(self.rows == 0))
    }

    fn push(&mut self, batch: RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += size(&batch);
        self.batches.push(batch);
    }
}

/// Returns which rows of a batch, at these places of its row group, lie in runs. Consumes the runs
/// that end in it.
fn within(
    whole: &Range<usize>,
    runs: &mut Peekable<impl Iterator<Item = Range<usize>>>,
) -> BooleanBuffer {
    let mut wanted = BooleanBufferBuilder::new(whole.len());
    while let Some(run) = runs.peek().filter(|run| run.start < whole.end) {
        let (start, end) = (run.start.max(whole.start), run.end.min(whole.end));
        wanted.append_n(start.saturating_sub(whole.start + wanted.len()), false);
        wanted.append_n(end.saturating_sub(whole.start + wanted.len()), true);
        if run.end > whole.end {
            break;
        }
        runs.next();
    }
    wanted.append_n(whole.len() - wanted.len(), false);
    wanted.finish()
}

/// Renames the inputs of rows.
fn with_sources(batch: RecordBatch, renamed: &Renames) -> RecordBatch {
    let place = batch.schema().index_of("source").ok().filter(|_| !renamed.is_empty());
    let new = place.and_then(|at| Some((at, with_new_names(batch.column(at), renamed)?)));
    let Some((at, names)) = new else { return batch };
    let mut columns = batch.columns().to_vec();
    if let Some(column) = columns.get_mut(at) {
        *column = names;
    }
    // The type and the number of rows are unchanged.
    RecordBatch::try_new(batch.schema(), columns).unwrap_or(batch)
}

/// Returns the CRC-32 of the checksums of a row group's records.
fn checksum(schema: &SchemaRef, parts: &[Vec<ArrayRef>]) -> u32 {
    let column = schema.index_of("checksum").ok().and_then(|at| parts.get(at));
    checksum_of(column.into_iter().flatten())
}

/// Returns the CRC-32 of checksums; those of positions do not count.
pub(crate) fn checksum_of<'a>(columns: impl Iterator<Item = &'a ArrayRef>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for array in columns {
        let Some(checksums) = array.as_primitive_opt::<UInt32Type>() else { continue };
        checksums.values().iter().for_each(|checksum| hasher.update(&checksum.to_le_bytes()));
    }
    hasher.finalize()
}

/// Returns the size of a batch in bytes, without shared parts of its buffers.
fn size(batch: &RecordBatch) -> usize {
    let size = |array: &ArrayRef| array.to_data().get_slice_memory_size().unwrap_or(0);
    batch.columns().iter().map(size).sum()
}

/// Splits an array into the parts that it is written in.
fn parts_of(name: &str, array: &ArrayRef) -> Vec<ArrayRef> {
    let rows = array.len();
    if name != "moves" || rows <= MOVES_PART_RECORDS {
        return vec![Arc::clone(array)];
    }
    let part = |start: usize| array.slice(start, MOVES_PART_RECORDS.min(rows - start));
    (0..rows).step_by(MOVES_PART_RECORDS).map(part).collect()
}
