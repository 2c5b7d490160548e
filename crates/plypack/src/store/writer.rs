//! Writes a packed file, one row group after another: newly packed rows, and rows copied from other
//! packed files in coded form.

mod encoder;
mod group;
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
use arrow_schema::{Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::ArrowSchemaConverter;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescriptor, TypePtr};

use crate::store::error::Error;
use crate::store::footer::{CHECKS_BYTES, Tail};
use crate::store::games::{self, Rows, prose};
use crate::store::index::group_id;
use crate::store::schema::{Form, GROUP_BYTES_MAX, GROUP_RECORDS_MAX, GROUPS_KEY, SOURCES_KEY};
use crate::store::sources::{self, Rowless};
use encoder::Encoder;
pub(crate) use group::EncodedGroup;
use group::{is_empty, is_empty_in, stays_small};
use sealed::SealedChunk;
pub(crate) use splice::Renames;
use splice::with_new_names;

/// A packed file that is being written.
pub struct Writer<W: Write + Send> {
    name: PathBuf,
    form: Form,
    parquet: SchemaDescriptor,
    properties: WriterPropertiesPtr,
    /// Whether the file gets a page index.
    indexed: bool,
    encoder: Encoder,
    state: State<W>,
    /// The checksum of each row group's checksums.
    checksums: Vec<u32>,
    /// Copied rows that do not yet fill a row group.
    waiting: Waiting,
}

/// What was written so far.
enum State<W: Write + Send> {
    /// Nothing. Row groups are held back while they are small: if the file ends then, it lacks the
    /// columns in which it has no value.
    Begun(W, Vec<EncodedGroup>),
    /// Row groups.
    Open(SerializedFileWriter<Tail<W>>),
    /// An error ended the file.
    Failed,
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

impl<W: Write + Send> Writer<W> {
    /// Starts a file of games. `name` is used in messages.
    ///
    /// # Errors
    /// Returns an error if `file` cannot be written to.
    pub fn games(file: W, name: &Path) -> Result<Self, Error> {
        Self::new(file, name, games::schema::form(true))
    }

    /// Starts a file with these columns.
    pub(crate) fn new(file: W, name: &Path, form: Form) -> Result<Self, Error> {
        let failed = || Error::parquet(name);
        let parquet = ArrowSchemaConverter::new().convert(&form.schema).map_err(failed())?;
        let properties = Arc::new(form.properties.clone());
        let encoder = Encoder::new(&form.schema, &parquet, &properties).map_err(failed())?;
        Ok(Self {
            name: name.into(),
            form,
            parquet,
            indexed: !properties.offset_index_disabled(),
            properties,
            encoder,
            state: State::Begun(file, Vec::new()),
            checksums: Vec::new(),
            waiting: Waiting::default(),
        })
    }

    /// Encodes the columns of the next row group in parallel. Each column consists of one or more
    /// arrays.
    pub(crate) fn encode(&self, mut parts: Vec<Vec<ArrayRef>>) -> Result<EncodedGroup, Error> {
        self.code_prose(&mut parts).ok_or_else(|| {
            let why = "its annotations were encoded with an unexpected type";
            Error::Format { path: self.name.clone(), why: why.into() }
        })?;
        let parts = &parts[..];
        let columns = self.encoder.columns(parts).map_err(Error::parquet(&self.name))?;
        let named = self.form.schema.fields().iter().zip(parts);
        let empty = named.filter(|(_, arrays)| arrays.iter().all(is_empty));
        let empty = empty.map(|(field, _)| field.name().clone()).collect();
        Ok(EncodedGroup { columns, empty, checksum: checksum(&self.form.schema, parts) })
    }

    /// Codes the texts of annotations in blocks, unless the row group begins with a line of the
    /// tier whose texts other tools can read. `None` if a column has another type than ours.
    fn code_prose(&self, parts: &mut [Vec<ArrayRef>]) -> Option<()> {
        let place = |name: &str| self.form.schema.index_of(name).ok();
        let Some(codes) = place(prose::PROSE) else { return Some(()) };
        let annotations = place("annotations")?;
        let keeps_texts = prose::keeps_texts(parts.get(place("moves")?)?);
        let checksums = parts.get(place("checksum")?)?;
        let (texts, coded) = prose::code(parts.get(annotations)?, checksums, keeps_texts)?;
        *parts.get_mut(annotations)? = texts;
        *parts.get_mut(codes)? = coded;
        Some(())
    }

    /// Writes an encoded row group, or keeps it until more is known of the file.
    pub(crate) fn append(&mut self, group: EncodedGroup) -> Result<(), Error> {
        self.checksums.push(group.checksum);
        if let State::Begun(_, held) = &mut self.state
            && stays_small(held, &group)
        {
            held.push(group);
            return Ok(());
        }
        let file = self.state.open(self.parquet.root_schema_ptr(), &self.properties);
        file.and_then(|file| write_group(file, group)).map_err(Error::parquet(&self.name))
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
        let bytes = match &self.state {
            State::Open(file) => file.bytes_written() as u64 + CHECKS_BYTES as u64,
            _ => 0,
        };
        self.into_output()?;
        Ok((metadata, ids, bytes))
    }

    /// Writes everything except the end, which waits for its checksums.
    fn end(&mut self, rowless: &[Rowless]) -> Result<ParquetMetaData, Error> {
        self.flush()?;
        let schema = self.reduce()?;
        let said = self.said_of_all(rowless);
        let failed = || Error::parquet(&self.name);
        let file = self.state.open(schema, &self.properties).map_err(failed())?;
        said.into_iter().for_each(|said| file.append_key_value_metadata(said));
        file.flush().map_err(Error::io(&self.name))?;
        file.inner_mut().hold();
        file.finish().map_err(failed())
    }

    /// Returns the schema of the file. If it is small, and has no page index, columns without
    /// values are left out.
    fn reduce(&mut self) -> Result<TypePtr, Error> {
        let (State::Begun(_, held), false) = (&mut self.state, self.indexed) else {
            return Ok(self.parquet.root_schema_ptr());
        };
        let fields = self.form.schema.fields().iter();
        let (lacking, left): (Vec<_>, Vec<_>) = fields.cloned().partition(|field| {
            (self.form.may_be_left_out)(field.name()) && is_empty_in(held, field.name())
        });
        let lacks = |name: &str| lacking.iter().any(|field| field.name() == name);
        let reduced = group::reduce(held, lacks)
            .and_then(|()| ArrowSchemaConverter::new().convert(&Schema::new(left)));
        reduced.map(|schema| schema.root_schema_ptr()).map_err(Error::parquet(&self.name))
    }

    /// Writes the end, and returns the inner writer.
    fn into_output(mut self) -> Result<W, Error> {
        let tail = match &mut self.state {
            State::Open(file) => file.inner_mut().take(),
            _ => None,
        };
        tail.ok_or_else(|| Error::io(&self.name)(std::io::ErrorKind::BrokenPipe.into()))?
            .finish()
            .map_err(Error::io(&self.name))
    }

    /// Returns the metadata about all row groups.
    fn said_of_all(&self, rowless: &[Rowless]) -> Vec<KeyValue> {
        let checksums = self.checksums.iter().map(|checksum| format!("{checksum:08x}"));
        let checksums = checksums.collect::<Vec<_>>().join(" ");
        let mut said = vec![KeyValue::new(GROUPS_KEY.to_owned(), checksums)];
        if !rowless.is_empty() {
            said.push(KeyValue::new(SOURCES_KEY.to_owned(), sources::write(rowless)));
        }
        said
    }

    /// Writes the waiting rows as a row group.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        let Waiting { batches, rows, .. } = std::mem::take(&mut self.waiting);
        if rows == 0 {
            return Ok(());
        }
        let column = |at: usize| batches.iter().map(|batch| Arc::clone(batch.column(at))).collect();
        let parts: Vec<Vec<ArrayRef>> = (0..self.form.schema.fields().len()).map(column).collect();
        let group = self.encode(parts)?;
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
        let columns = self.form.schema.fields().iter().map(column).collect::<Result<_, _>>()?;
        RecordBatch::try_new(self.form.schema.clone(), columns)
            .map_err(|error| Error::parquet(&self.name)(error.into()))
    }
}

impl<W: Write + Send> State<W> {
    /// Returns the file, which begins with the row groups held back and has this schema.
    fn open(
        &mut self,
        schema: TypePtr,
        properties: &WriterPropertiesPtr,
    ) -> Result<&mut SerializedFileWriter<Tail<W>>, ParquetError> {
        if let Self::Begun(..) = self
            && let Self::Begun(output, held) = std::mem::replace(self, Self::Failed)
        {
            let output = Tail::new(output);
            let mut file = SerializedFileWriter::new(output, schema, Arc::clone(properties))?;
            held.into_iter().try_for_each(|group| write_group(&mut file, group))?;
            *self = Self::Open(file);
        }
        match self {
            Self::Open(file) => Ok(file),
            _ => Err(ParquetError::General("the file could not be begun".into())),
        }
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

/// Writes a row group.
fn write_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    group: EncodedGroup,
) -> Result<(), ParquetError> {
    let mut row_group = file.next_row_group()?;
    for SealedChunk { stored, close } in group.columns {
        row_group.append_column(&stored, close)?;
    }
    row_group.close()?;
    Ok(())
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
