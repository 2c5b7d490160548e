//! Writing a packed file, a row group after the other: rows that were just packed, and rows of
//! other packed files, which are copied as they are.

mod splice;

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, RecordBatch, new_null_array};
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory,
    compute_leaves,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;
use rayon::prelude::*;

use crate::error::Error;
use crate::games::{self, Rows};
use crate::index::group_id;
use crate::schema::{
    GROUP_BYTES_MAX, GROUP_RECORDS_MAX, GROUPS_KEY, MOVES_PART_RECORDS, SOURCES_KEY,
};
use crate::sources::{self, Rowless};
pub(crate) use splice::Renames;
use splice::with_new_names;

/// A packed file that is being written.
pub struct Writer<W: Write + Send> {
    name: PathBuf,
    schema: SchemaRef,
    parquet: SchemaDescriptor,
    /// Whether it gets an index of pages.
    indexed: bool,
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    groups: usize,
    /// The checksum of each row group's checksums.
    checksums: Vec<u32>,
    /// Rows that were copied, but do not yet fill a row group.
    waiting: Vec<RecordBatch>,
}

/// What [`Writer::close`] tells.
type Closed = (ParquetMetaData, Vec<[u8; 16]>, u64);

/// The columns of a row group as the file will have them.
pub(crate) struct EncodedGroup {
    columns: Vec<ArrowColumnChunk>,
    /// The checksum of its records' checksums.
    checksum: u32,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file of games. `name` is for messages.
    ///
    /// # Errors
    /// If nothing can be written to `file`.
    pub fn games(file: W, name: &Path) -> Result<Self, Error> {
        let properties = games::schema::writer_properties(true);
        Self::new(file, name, games::schema::SCHEMA.clone(), properties)
    }

    /// Begins a file with these columns.
    pub(crate) fn new(
        file: W,
        name: &Path,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<Self, Error> {
        let failed = || Error::parquet(name);
        let parquet = ArrowSchemaConverter::new().convert(&schema).map_err(failed())?;
        let indexed = !properties.offset_index_disabled();
        let file = SerializedFileWriter::new(file, parquet.root_schema_ptr(), Arc::new(properties));
        let file = file.map_err(failed())?;
        let factory = ArrowRowGroupWriterFactory::new(&file, schema.clone());
        Ok(Self {
            name: name.into(),
            schema,
            parquet,
            indexed,
            file,
            factory,
            groups: 0,
            checksums: Vec::new(),
            waiting: Vec::new(),
        })
    }

    /// Encodes the columns of the next row group side by side. Each column comes in one array or
    /// more.
    pub(crate) fn encode(&self, parts: &[Vec<ArrayRef>]) -> Result<EncodedGroup, Error> {
        let failed = Error::parquet(&self.name);
        let columns = encode(&self.schema, &self.factory, self.groups, parts).map_err(failed)?;
        Ok(EncodedGroup { columns, checksum: checksum(&self.schema, parts) })
    }

    /// Writes a row group that was encoded.
    pub(crate) fn append(&mut self, group: EncodedGroup) -> Result<(), Error> {
        let failed = || Error::parquet(&self.name);
        let mut row_group = self.file.next_row_group().map_err(failed())?;
        for chunk in group.columns {
            chunk.append_to_row_group(&mut row_group).map_err(failed())?;
        }
        row_group.close().map_err(failed())?;
        self.groups += 1;
        self.checksums.push(group.checksum);
        Ok(())
    }

    /// Copies rows of a packed file as they are, all columns of which were read, into row groups
    /// with those copied before.
    ///
    /// # Errors
    /// If a column has another type than ours, as in a copy that another tool made, or writing
    /// fails.
    pub fn copy(&mut self, rows: &Rows) -> Result<(), Error> {
        rows.batches().try_for_each(|batch| self.wait(self.as_ours(batch)?))
    }

    /// Copies runs of rows of a row group, all of which was read, with other names of inputs.
    pub(crate) fn copy_runs(
        &mut self,
        rows: &Rows,
        runs: &[Range<usize>],
        renamed: &Renames,
    ) -> Result<(), Error> {
        let mut before = 0;
        for batch in rows.batches() {
            let whole = before..before + batch.num_rows();
            before = whole.end;
            let batch = with_sources(self.as_ours(batch)?, renamed);
            for run in runs {
                let (start, end) = (run.start.max(whole.start), run.end.min(whole.end));
                if start < end {
                    self.wait(batch.slice(start - whole.start, end - start))?;
                }
            }
        }
        Ok(())
    }

    /// Takes rows that are written with those before them, once these fill a row group.
    fn wait(&mut self, batch: RecordBatch) -> Result<(), Error> {
        let mut start = 0;
        while start < batch.num_rows() {
            let taken = self.room(&batch, start);
            self.waiting.push(batch.slice(start, taken));
            start += taken;
            if start < batch.num_rows() {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the file, which names these inputs without rows, and gives back what it was written to.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self, rowless: &[Rowless]) -> Result<W, Error> {
        self.flush()?;
        self.say_of_all(rowless);
        self.file.into_inner().map_err(Error::parquet(&self.name))
    }

    /// Ends the file, and tells what its footer says, what tells each of its row groups from
    /// others, and how many bytes it has.
    pub(crate) fn close(mut self, rowless: &[Rowless]) -> Result<Closed, Error> {
        self.flush()?;
        self.say_of_all(rowless);
        let metadata = self.file.finish().map_err(Error::parquet(&self.name))?;
        let groups = metadata.row_groups().iter().zip(&self.checksums);
        let ids = groups.map(|(group, checksum)| group_id(group, Some(*checksum))).collect();
        Ok((metadata, ids, self.file.bytes_written() as u64))
    }

    /// Writes what is said of all row groups.
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

    /// How many rows of a batch, from one on, still go into the row group; at least one.
    fn room(&self, batch: &RecordBatch, start: usize) -> usize {
        let rows: usize = self.waiting.iter().map(RecordBatch::num_rows).sum();
        let bytes: usize = self.waiting.iter().map(size).sum();
        let left = batch.num_rows() - start;
        let mean = (size(batch) / batch.num_rows().max(1)).max(1);
        let fitting = GROUP_BYTES_MAX.saturating_sub(bytes) / mean;
        let most = GROUP_RECORDS_MAX.saturating_sub(rows);
        left.min(fitting).min(most).max(usize::from(rows == 0))
    }

    /// Writes the rows that wait as a row group.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        let batches = std::mem::take(&mut self.waiting);
        if batches.iter().all(|batch| batch.num_rows() == 0) {
            return Ok(());
        }
        let column = |at: usize| batches.iter().map(|batch| Arc::clone(batch.column(at))).collect();
        let parts: Vec<Vec<ArrayRef>> = (0..self.schema.fields().len()).map(column).collect();
        let group = self.encode(&parts)?;
        self.append(group)
    }

    /// A batch with our columns in our order: what it lacks is null, or of no input.
    fn as_ours(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let wrong = |name: &str| Error::Format {
            path: self.name.clone(),
            why: format!(
                "the rows to copy have another type in column `{name}` than plypack writes; unpack \
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

/// Rows with other names of inputs.
fn with_sources(batch: RecordBatch, renamed: &Renames) -> RecordBatch {
    let place = batch.schema().index_of("source").ok().filter(|_| !renamed.is_empty());
    let new = place.and_then(|at| Some((at, with_new_names(batch.column(at), renamed)?)));
    let Some((at, names)) = new else { return batch };
    let mut columns = batch.columns().to_vec();
    if let Some(column) = columns.get_mut(at) {
        *column = names;
    }
    // The type is the same, and so is the number of rows.
    RecordBatch::try_new(batch.schema(), columns).unwrap_or(batch)
}

/// The CRC-32 of the checksums of a row group's records.
fn checksum(schema: &SchemaRef, parts: &[Vec<ArrayRef>]) -> u32 {
    let column = schema.index_of("checksum").ok().and_then(|at| parts.get(at));
    checksum_of(column.into_iter().flatten())
}

/// The CRC-32 of checksums; positions have none that count.
pub(crate) fn checksum_of<'a>(columns: impl Iterator<Item = &'a ArrayRef>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for array in columns {
        let Some(checksums) = array.as_primitive_opt::<UInt32Type>() else { continue };
        checksums.values().iter().for_each(|checksum| hasher.update(&checksum.to_le_bytes()));
    }
    hasher.finalize()
}

/// The bytes of a batch, as far as they are its own.
fn size(batch: &RecordBatch) -> usize {
    let size = |array: &ArrayRef| array.to_data().get_slice_memory_size().unwrap_or(0);
    batch.columns().iter().map(size).sum()
}

/// An array in the parts that it is written in.
fn parts_of(name: &str, array: &ArrayRef) -> Vec<ArrayRef> {
    let rows = array.len();
    if name != "moves" || rows <= MOVES_PART_RECORDS {
        return vec![Arc::clone(array)];
    }
    let part = |start: usize| array.slice(start, MOVES_PART_RECORDS.min(rows - start));
    (0..rows).step_by(MOVES_PART_RECORDS).map(part).collect()
}

/// Encodes columns, each on any thread.
fn encode(
    schema: &SchemaRef,
    factory: &ArrowRowGroupWriterFactory,
    number: usize,
    parts: &[Vec<ArrayRef>],
) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    let writers = factory.create_column_writers(number)?;
    let mut leaves: Vec<Vec<ArrowLeafColumn>> = Vec::with_capacity(writers.len());
    for (field, arrays) in schema.fields().iter().zip(parts) {
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
    let encode = |(mut writer, leaves): (ArrowColumnWriter, Vec<ArrowLeafColumn>)| {
        leaves.iter().try_for_each(|leaf| writer.write(leaf))?;
        writer.close()
    };
    let columns: Vec<_> = writers.into_iter().zip(leaves).collect();
    columns.into_par_iter().map(encode).collect()
}
