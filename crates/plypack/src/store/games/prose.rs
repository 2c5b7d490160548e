//! The prose of a row group: texts of annotations, coded in blocks of consecutive rows.
//!
//! A block's last row has its code. An element whose text is in the block has an empty text, which
//! no element has otherwise. The rows of before, and those of files for other tools, have texts.

use std::iter::repeat_n;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, ListArray, RecordBatch, StringArray, StructArray,
    UInt32Array, new_null_array,
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat;
use arrow_select::filter::filter;
use plypack_core::codecs::prose::Texts;
use rayon::prelude::*;

use super::rows::elements;
use crate::rows::{RowError, prose};

/// The column of codes.
pub(crate) const PROSE: &str = "prose";

/// The column whose texts they hold.
const ANNOTATIONS: &str = "annotations";

/// The part with the texts.
const TEXT: &str = "text";

/// What is read to restore texts.
pub(crate) const SOURCES: [&str; 3] = ["annotations.text", PROSE, "checksum"];

/// The codec of lines whose row groups keep their texts, with or without null moves.
const KEEPING: &str = "line.fast";

/// A block takes no further rows once its texts have this many bytes. A reader of one record
/// decodes its block.
const BLOCK_BYTES: usize = 1 << 20;

/// The most bytes of text that rows read together have: a row group has 16 MiB of input and a
/// record more, whose characters may take several bytes each here.
const RESTORED_BYTES_MAX: u64 = 128 << 20;

/// A row group with fewer bytes of text keeps them: a column more costs as much as it saves.
const CODED_BYTES_MIN: usize = 512;

/// A column of annotations, as far as it was read, with its texts.
struct Annotations<'a> {
    list: &'a ListArray,
    elements: &'a StructArray,
    texts: &'a StringArray,
}

impl<'a> Annotations<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        let list = array.as_list_opt()?;
        let elements: &StructArray = list.values().as_struct_opt()?;
        let texts = elements.column_by_name(TEXT)?.as_string_opt()?;
        Some(Self { list, elements, texts })
    }

    fn in_batch(batch: &'a RecordBatch) -> Option<Self> {
        Self::of(batch.column_by_name(ANNOTATIONS)?)
    }

    /// Returns the texts of a row, and their places.
    fn row(&self, row: usize) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        let texts = self.texts;
        elements(self.list, row)
            .filter(|&at| texts.is_valid(at))
            .map(move |at| (at, texts.value(at)))
    }

    /// Returns whether a row has a text in a block.
    fn is_coded(&self, row: usize) -> bool {
        self.row(row).any(|(_, text)| text.is_empty())
    }

    /// Returns the column with other texts.
    fn with(&self, texts: ArrayRef) -> Option<ArrayRef> {
        let (fields, mut parts, nulls) = self.elements.clone().into_parts();
        let at = fields.find(TEXT)?.0;
        *parts.get_mut(at)? = texts;
        let elements = StructArray::try_new(fields, parts, nulls).ok()?;
        let DataType::List(element) = self.list.data_type() else { return None };
        let (offsets, nulls) = (self.list.offsets().clone(), self.list.nulls().cloned());
        let list = ListArray::try_new(Arc::clone(element), offsets, Arc::new(elements), nulls);
        Some(Arc::new(list.ok()?))
    }
}

/// Codes the prose of a row group, given the columns of its annotations and checksums. Returns the
/// annotations with the other texts, and the column of codes. `None` if a type is wrong.
pub(crate) fn code(
    annotations: &[ArrayRef],
    checksums: &[ArrayRef],
    keeps_texts: bool,
) -> Option<(Vec<ArrayRef>, Vec<ArrayRef>)> {
    let columns: Vec<Annotations<'_>> =
        annotations.iter().map(Annotations::of).collect::<Option<_>>()?;
    let checksums: Vec<&UInt32Array> =
        checksums.iter().map(|array| array.as_primitive_opt()).collect::<Option<_>>()?;
    let rows: Vec<Prose<'_>> = columns
        .iter()
        .zip(checksums)
        .flat_map(|(column, checksums)| {
            (0..column.list.len()).map(|row| Prose {
                texts: column.row(row).map(|text| text.1).filter(|t| !t.is_empty()).collect(),
                checksum: if checksums.is_valid(row) { checksums.value(row) } else { 0 },
            })
        })
        .collect();
    let bytes: usize = rows.iter().map(Prose::bytes).sum();
    let blocks = if keeps_texts || bytes < CODED_BYTES_MIN { Vec::new() } else { blocks(&rows) };
    let codes = blocks.into_par_iter().filter_map(|block| {
        let code = Prose::code(rows.get(block.clone())?)?;
        Some((block, code))
    });
    let codes: Vec<(Range<usize>, Vec<u8>)> = codes.collect();
    let mut coded = vec![false; rows.len()];
    let mut at_row: Vec<Option<&[u8]>> = vec![None; rows.len()];
    for (block, code) in &codes {
        coded.get_mut(block.clone())?.fill(true);
        *at_row.get_mut(block.end.checked_sub(1)?)? = Some(code);
    }
    let mut first = 0;
    let mut found = (Vec::new(), Vec::new());
    for column in &columns {
        let places = first..first + column.list.len();
        first = places.end;
        found.0.push(without_texts(column, coded.get(places.clone())?)?);
        found.1.push(Arc::new(BinaryArray::from_iter(at_row.get(places)?)) as ArrayRef);
    }
    Some(found)
}

/// Returns whether the first line among these main lines is of the tier whose texts are kept.
pub(crate) fn keeps_texts(moves: &[ArrayRef]) -> bool {
    let codec = moves.iter().filter_map(|array| {
        let lines = array.as_struct_opt()?;
        let codecs = lines.column_by_name("codec")?.as_string_opt::<i32>()?;
        let first = (0..lines.len()).find(|&row| lines.is_valid(row))?;
        Some(codecs.value(first))
    });
    let first = codec.into_iter().next().and_then(|codec| codec.split('/').nth(1));
    first.is_some_and(|name| name.starts_with(KEEPING))
}

/// The prose of a row.
struct Prose<'a> {
    texts: Vec<&'a str>,
    checksum: u32,
}

impl Prose<'_> {
    fn bytes(&self) -> usize {
        self.texts.iter().map(|text| text.len() + 1).sum()
    }

    /// Codes a block of rows; `None` if that does not make it smaller.
    fn code(rows: &[Self]) -> Option<Vec<u8>> {
        let with_text = || rows.iter().filter(|row| !row.texts.is_empty());
        let texts: Vec<&str> = with_text().flat_map(|row| row.texts.iter().copied()).collect();
        let checksums: Vec<u32> = with_text().map(|row| row.checksum).collect();
        let bytes: usize = rows.iter().map(Self::bytes).sum();
        prose::encode(&texts, &checksums).filter(|code| code.len() < bytes)
    }
}

/// Cuts rows into blocks. A row of more text than a block is one by itself.
fn blocks(rows: &[Prose<'_>]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, row) in rows.iter().enumerate() {
        if bytes > 0 && row.bytes() >= BLOCK_BYTES {
            blocks.push(start..at);
            (start, bytes) = (at, 0);
        }
        bytes += row.bytes();
        if bytes >= BLOCK_BYTES {
            blocks.push(start..at + 1);
            (start, bytes) = (at + 1, 0);
        }
    }
    if bytes > 0 {
        blocks.push(start..rows.len());
    }
    blocks
}

/// Returns annotations without the texts of coded rows.
fn without_texts(column: &Annotations<'_>, coded: &[bool]) -> Option<ArrayRef> {
    let mut is_coded = vec![false; column.texts.len()];
    for (row, _) in coded.iter().enumerate().filter(|row| *row.1) {
        is_coded.get_mut(elements(column.list, row))?.fill(true);
    }
    let text = |(text, coded): (Option<&'_ str>, bool)| {
        // An empty text says that it is in a block.
        let text = text.filter(|text| !text.is_empty());
        text.map(|text| if coded { "" } else { text }.to_owned())
    };
    let texts: StringArray = column.texts.iter().zip(is_coded).map(text).collect();
    column.with(Arc::new(texts))
}

/// Returns whether the batch has annotations whose texts are in blocks.
pub(crate) fn is_coded(batch: &RecordBatch) -> bool {
    let annotations = Annotations::in_batch(batch);
    annotations.is_some_and(|found| (0..batch.num_rows()).any(|row| found.is_coded(row)))
}

/// Texts that cannot be restored.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The rows of the block, counted over all batches.
    pub rows: Range<usize>,
    /// What is wrong with its code.
    pub why: RowError,
}

/// Restores the texts of consecutive rows that end with a block, in batches with `annotations`,
/// `prose` and `checksum`.
///
/// # Errors
/// Returns a message if a block is damaged, or rows of it are missing.
pub fn restore_whole(batches: &[RecordBatch]) -> Result<Vec<RecordBatch>, String> {
    if !batches.iter().any(is_coded) {
        return Ok(batches.to_vec());
    }
    restore(batches, false).map_err(|unreadable| {
        format!("comments cannot be read: {}; {}", unreadable.why, prose::REMEDY)
    })
}

/// A block while it is read.
#[derive(Default)]
struct Block<'a> {
    rows: Range<usize>,
    /// The number of texts.
    count: usize,
    /// The checksums of rows with texts.
    checksums: Vec<u32>,
    code: Option<&'a [u8]>,
}

impl<'a> Block<'a> {
    /// Adds a row, with its number of texts, its checksum and its code.
    fn push(&mut self, count: usize, checksum: Option<u32>, code: Option<&'a [u8]>) {
        self.rows.end += 1;
        self.count += count;
        if count > 0 {
            self.checksums.extend(checksum);
        }
        self.code = code;
    }

    fn decode(&self) -> Result<Texts, Unreadable> {
        let texts = self.code.ok_or_else(|| "its last row is missing".into());
        let texts = texts.and_then(|code| prose::decode(code, &self.checksums));
        let texts = texts.and_then(|texts| {
            let is_right = texts.iter().len() == self.count;
            is_right.then_some(texts).ok_or_else(|| "it has another number of texts".into())
        });
        texts.map_err(|why| Unreadable { rows: self.rows.clone(), why })
    }
}

/// Restores the texts of consecutive rows that end with a block, given their annotations, codes and
/// checksums, and drops the codes. If `lenient`, texts that cannot be restored stay empty.
pub(crate) fn restore(
    batches: &[RecordBatch],
    lenient: bool,
) -> Result<Vec<RecordBatch>, Unreadable> {
    let blocks: Vec<Block<'_>> = blocks_of(batches).into_iter().filter(|b| b.count > 0).collect();
    let bytes = blocks.iter().filter_map(|block| block.code).map(prose::stated_bytes);
    if bytes.fold(0, u64::saturating_add) > RESTORED_BYTES_MAX {
        return Err(Unreadable { rows: rows_of(batches), why: "its texts are too long".into() });
    }
    let decoded: Vec<_> = blocks.par_iter().map(Block::decode).collect();
    let mut found = Vec::with_capacity(decoded.len());
    for (block, texts) in blocks.iter().zip(decoded) {
        match texts {
            Ok(texts) => found.push((block.count, Some(texts))),
            Err(_) if lenient => found.push((block.count, None)),
            Err(error) => return Err(error),
        }
    }
    let mut texts = found.iter().flat_map(|(count, texts)| {
        let none = repeat_n("", if texts.is_some() { 0 } else { *count });
        texts.iter().flat_map(Texts::iter).chain(none)
    });
    let restored = batches.iter().map(|batch| with_texts(batch, &mut texts));
    let restored = restored.collect::<Option<Vec<_>>>();
    let wrong = || "its columns have other types".into();
    restored.ok_or_else(|| Unreadable { rows: rows_of(batches), why: wrong() })
}

/// Returns the rows of all batches.
fn rows_of(batches: &[RecordBatch]) -> Range<usize> {
    0..batches.iter().map(RecordBatch::num_rows).sum()
}

/// Returns the blocks of consecutive rows.
fn blocks_of(batches: &[RecordBatch]) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut block = Block::default();
    for batch in batches {
        let annotations = Annotations::in_batch(batch);
        let checksums = batch.column_by_name("checksum");
        let checksums = checksums.and_then(|column| column.as_primitive_opt::<UInt32Type>());
        let codes = batch.column_by_name(PROSE).and_then(|column| column.as_binary_opt::<i32>());
        for row in 0..batch.num_rows() {
            let texts = annotations.as_ref().map(|found| found.row(row));
            let count = texts.into_iter().flatten().filter(|text| text.1.is_empty()).count();
            let checksum = checksums.filter(|column| column.is_valid(row));
            let code = codes.filter(|column| column.is_valid(row)).map(|codes| codes.value(row));
            block.push(count, checksum.map(|column| column.value(row)), code);
            if code.is_some() {
                let next = block.rows.end..block.rows.end;
                blocks
                    .push(std::mem::replace(&mut block, Block { rows: next, ..Block::default() }));
            }
        }
    }
    blocks.push(block);
    blocks
}

/// Returns the batch with these texts where it has empty ones, and without codes.
fn with_texts<'a>(
    batch: &RecordBatch,
    texts: &mut impl Iterator<Item = &'a str>,
) -> Option<RecordBatch> {
    let annotations = Annotations::in_batch(batch)?;
    let mut restored = StringBuilder::new();
    for text in annotations.texts {
        match text {
            Some("") => restored.append_option(texts.next()),
            text => restored.append_option(text),
        }
    }
    with(&without_codes(batch)?, ANNOTATIONS, annotations.with(Arc::new(restored.finish()))?)
}

/// Returns the batch with nothing in its column of codes.
pub(crate) fn without_codes(batch: &RecordBatch) -> Option<RecordBatch> {
    match batch.column_by_name(PROSE) {
        Some(codes) => with(batch, PROSE, new_null_array(codes.data_type(), codes.len())),
        None => Some(batch.clone()),
    }
}

/// Returns the batch with another array in this column.
fn with(batch: &RecordBatch, name: &str, array: ArrayRef) -> Option<RecordBatch> {
    let at = batch.schema_ref().index_of(name).ok()?;
    let (schema, mut columns, _) = batch.clone().into_parts();
    let field = schema.field(at).clone();
    *columns.get_mut(at)? = array;
    // A copy's column without nulls may be declared so.
    let fields = schema.fields().iter().enumerate().map(|(place, other)| match place == at {
        true => Arc::new(Field::new(field.name(), field.data_type().clone(), true)),
        false => Arc::clone(other),
    });
    RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns).ok()
}

/// Restores the texts of `batches`, which are these rows of those restored in `sources`.
pub(crate) fn pick(
    batches: &[RecordBatch],
    sources: &[RecordBatch],
    wanted: &[bool],
) -> Option<Vec<RecordBatch>> {
    let (mut first, mut picked): (usize, Vec<ArrayRef>) = (0, Vec::new());
    for source in sources {
        let places = first..first + source.num_rows();
        first = places.end;
        let wanted = BooleanArray::from(wanted.get(places)?.to_vec());
        let rows = filter(source.column_by_name(ANNOTATIONS)?, &wanted).ok()?;
        let found = Annotations::of(&rows)?;
        let ends = (found.list.value_offsets().first()?, found.list.value_offsets().last()?);
        let ends = (usize::try_from(*ends.0).ok()?, usize::try_from(*ends.1).ok()?);
        picked.push(Arc::new(found.texts.slice(ends.0, ends.1.checked_sub(ends.0)?)));
    }
    let picked: Vec<&dyn Array> = picked.iter().map(AsRef::as_ref).collect();
    let texts = concat(&picked).ok()?;
    let mut taken = 0;
    let restored = batches.iter().map(|batch| {
        let annotations = Annotations::in_batch(batch)?;
        let count = annotations.texts.len();
        let part = (taken + count <= texts.len()).then(|| texts.slice(taken, count))?;
        taken += count;
        with(&without_codes(batch)?, ANNOTATIONS, annotations.with(part)?)
    });
    restored.collect()
}
