//! Encodes the columns of row groups. Where it is not clear which way to store a column is the
//! smallest, several are tried.

use std::io::{Sink, sink};
use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_schema::{Field, SchemaRef};
use parquet::arrow::arrow_writer::{
    ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory, PageStoreFactory,
    compute_leaves,
};
use parquet::basic::{Compression, Encoding};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use rayon::prelude::*;

use super::sealed::{Pages, SealedChunk};
use crate::store::games::prose::PROSE;
use crate::store::schema::MOVES_PART_RECORDS;

/// A column of a row group with more rows than this is compressed as its kind says.
const TRIED_ROWS: usize = 1_024;

/// So is a column with more bytes than this. In smaller ones a dictionary and zstd often cost more
/// than they save: a page of their own, and the frames of zstd.
const TRIED_BYTES: usize = 1_024;

/// Of the ways to store a column, that of its kind and the one without a dictionary. In columns of
/// any size zstd often makes less of values as they are than of their numbers in a dictionary,
/// which are no whole bytes.
const WORDS_WAYS: usize = 2;

/// Encodes columns.
pub(super) struct Encoder {
    schema: SchemaRef,
    /// The ways to store a column, the first one that of its kind. Nothing is written to these.
    ways: Vec<SerializedFileWriter<Sink>>,
    /// Of each part of a column, whether its kind is that of words.
    has_words: Vec<bool>,
}

/// A column of a row group that can be written in one of several ways.
struct Trials {
    ways: Vec<(Arc<Pages>, ArrowColumnWriter)>,
    /// How many of them are tried even if the column is not tiny.
    tried: usize,
}

impl Encoder {
    pub fn new(
        schema: &SchemaRef,
        parquet: &SchemaDescriptor,
        properties: &WriterPropertiesPtr,
    ) -> Result<Self> {
        let usual = || properties.as_ref().clone();
        let columns = parquet.columns().iter();
        let has_words = columns.map(|column| has_words(column, properties)).collect();
        let plain = plain(usual(), parquet);
        let ways =
            [usual(), plain.clone(), uncompressed(usual(), parquet), uncompressed(plain, parquet)];
        let root = parquet.root_schema_ptr();
        let way = |way| SerializedFileWriter::new(sink(), Arc::clone(&root), Arc::new(way));
        let ways = ways.into_iter().map(way).collect::<Result<_>>()?;
        Ok(Self { schema: Arc::clone(schema), ways, has_words })
    }

    /// Encodes columns, each on any thread. Each consists of one or more arrays.
    pub fn columns(&self, parts: &[Vec<ArrayRef>]) -> Result<Vec<SealedChunk>> {
        let mut leaves: Vec<Vec<ArrowLeafColumn>> = Vec::new();
        for (field, arrays) in self.schema.fields().iter().zip(parts) {
            leaves.extend(leaves_of(field, arrays)?);
        }
        let rows = parts.first().map_or(0, |arrays| arrays.iter().map(|array| array.len()).sum());
        let columns: Vec<_> = self.trials(rows)?.into_iter().zip(leaves).enumerate().collect();
        let encode = |(leaf, (trials, arrays)): (usize, (Trials, Vec<ArrowLeafColumn>))| {
            smallest(leaf, trials, &arrays)
        };
        columns.into_par_iter().map(encode).collect()
    }

    /// Encodes one part of a column, by its number among the parts of all columns.
    pub fn part(&self, leaf: usize, name: &str, arrays: &[ArrayRef]) -> Result<SealedChunk> {
        let lost = || ParquetError::General("there is no such column".into());
        let columns = self.ways.first().map_or(&[][..], |way| way.schema_descr().columns());
        let is_first =
            |column: &ColumnDescPtr| column.path().parts().first().is_some_and(|n| n == name);
        let first = columns.iter().position(is_first).ok_or_else(lost)?;
        let leaves = leaves_of(self.schema.field_with_name(name)?, arrays)?;
        let leaves = leaf.checked_sub(first).and_then(|at| leaves.get(at)).ok_or_else(lost)?;
        let rows = arrays.iter().map(|array| array.len()).sum();
        let trials = self.trials(rows)?.into_iter().nth(leaf).ok_or_else(lost)?;
        smallest(leaf, trials, leaves)
    }

    /// Makes the writers of the columns of a row group with this many rows.
    fn trials(&self, rows: usize) -> Result<Vec<Trials>> {
        let tried = self.has_words.iter().map(|&words| if words { WORDS_WAYS } else { 1 });
        let new = |tried| Trials { ways: Vec::new(), tried };
        let mut trials: Vec<Trials> = tried.map(new).collect();
        let most = if rows <= TRIED_ROWS { self.ways.len() } else { WORDS_WAYS };
        for (at, way) in self.ways.iter().enumerate().take(most) {
            let pages = Arc::<Pages>::default();
            let store: Arc<dyn PageStoreFactory> = Arc::clone(&pages) as _;
            let factory = ArrowRowGroupWriterFactory::new(way, Arc::clone(&self.schema));
            let writers = factory.with_page_store_factory(store).create_column_writers(0)?;
            for (trials, writer) in trials.iter_mut().zip(writers) {
                if rows <= TRIED_ROWS || at < trials.tried {
                    trials.ways.push((Arc::clone(&pages), writer));
                }
            }
        }
        Ok(trials)
    }
}

/// Encodes a column in the way of those to be tried that takes the fewest bytes.
fn smallest(leaf: usize, trials: Trials, arrays: &[ArrowLeafColumn]) -> Result<SealedChunk> {
    let mut best: Option<SealedChunk> = None;
    for (at, (pages, writer)) in trials.ways.into_iter().enumerate() {
        let is_enough = |best: &SealedChunk| {
            let is_large = best.stored.bytes.len() > TRIED_BYTES;
            is_large && (at >= trials.tried || !best.may_be_smaller_plain())
        };
        if best.as_ref().is_some_and(is_enough) {
            break;
        }
        let next = pages.finish(leaf, writer, arrays)?;
        let is_better = best.as_ref().is_none_or(|best| next.cost() < best.cost());
        if is_better {
            best = Some(next);
        }
    }
    best.ok_or_else(|| ParquetError::General("there is no such column".into()))
}

/// Returns the parts of a column that Parquet stores apart, each with its arrays.
fn leaves_of(field: &Field, arrays: &[ArrayRef]) -> Result<Vec<Vec<ArrowLeafColumn>>> {
    let mut leaves: Vec<Vec<ArrowLeafColumn>> = Vec::new();
    for array in arrays.iter().flat_map(|array| parts_of(field.name(), array)) {
        for (at, leaf) in compute_leaves(field, &array)?.into_iter().enumerate() {
            match leaves.get_mut(at) {
                Some(leaf_parts) => leaf_parts.push(leaf),
                None => leaves.push(vec![leaf]),
            }
        }
    }
    Ok(leaves)
}

/// Splits an array into the parts that it is written in.
fn parts_of(name: &str, array: &ArrayRef) -> Vec<ArrayRef> {
    let rows = array.len();
    if name == PROSE {
        return until_codes(array);
    }
    if name != "moves" || rows <= MOVES_PART_RECORDS {
        return vec![Arc::clone(array)];
    }
    let part = |start: usize| array.slice(start, MOVES_PART_RECORDS.min(rows - start));
    (0..rows).step_by(MOVES_PART_RECORDS).map(part).collect()
}

/// Splits a column of codes behind each of them: a page can end only with a part.
fn until_codes(array: &ArrayRef) -> Vec<ArrayRef> {
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 1..=array.len() {
        if array.is_valid(end - 1) || end == array.len() {
            parts.push(array.slice(start, end - start));
            start = end;
        }
    }
    parts
}

/// Returns whether a part of a column is stored as words (`Storage::Words`).
fn has_words(column: &ColumnDescPtr, properties: &WriterProperties) -> bool {
    properties.dictionary_enabled(column.path())
}

/// Stores every value as it is.
fn plain(properties: WriterProperties, parquet: &SchemaDescriptor) -> WriterProperties {
    let set = |builder: WriterPropertiesBuilder, column: &ColumnDescPtr| {
        builder
            .set_column_dictionary_enabled(column.path().clone(), false)
            .set_column_encoding(column.path().clone(), Encoding::PLAIN)
    };
    parquet.columns().iter().fold(properties.into_builder(), set).build()
}

/// Compresses nothing.
fn uncompressed(properties: WriterProperties, parquet: &SchemaDescriptor) -> WriterProperties {
    let set = |builder: WriterPropertiesBuilder, column: &ColumnDescPtr| {
        builder.set_column_compression(column.path().clone(), Compression::UNCOMPRESSED)
    };
    parquet.columns().iter().fold(properties.into_builder(), set).build()
}
