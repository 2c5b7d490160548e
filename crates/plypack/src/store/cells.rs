//! Reads the cells of one column of a row group, for queries that need no whole records.
//!
//! Repeated texts stay dictionary-encoded, as in the file, so that a test runs once per distinct
//! text.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type, Int64Type, Time32MillisecondType};
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use plypack_records::Content;

use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::games::{elements, places};
use crate::store::movetext::AnnotationKind;
use crate::store::reader::Request;

/// The part of a column that holds the comments of a game.
const COMMENTS: &str = "annotations.text";

/// If more than one row in this many is wanted, the whole row group is read.
const DENSE: usize = 32;

/// The cells of a column in some rows.
#[derive(Debug)]
pub(crate) struct Cells {
    rows: usize,
    parts: Vec<Part>,
}

/// Cells that were read together.
#[derive(Debug)]
enum Part {
    /// This many rows without a value.
    Nothing(usize),
    Words(DictionaryArray<Int32Type>, StringArray),
    Texts(StringArray),
    /// Numbers, days or milliseconds.
    Numbers(Vec<Option<i64>>),
    /// Which rows have bytes, and how many rows there are.
    Bytes(Option<NullBuffer>, usize),
    /// The range of each row's tags among all names and values.
    Tags(Vec<Range<usize>>, StringArray, StringArray),
}

/// Which rows have a value, and which of them pass a test.
#[derive(Debug)]
pub(crate) struct Answer {
    pub present: BooleanBuffer,
    pub yes: BooleanBuffer,
}

impl Answer {
    /// Returns the answer for rows without values.
    pub(crate) fn nothing(rows: usize) -> Self {
        let none = BooleanBuffer::new_unset(rows);
        Self { present: none.clone(), yes: none }
    }
}

/// The least and the largest value of a column, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds<'a> {
    /// The column has no values.
    Nothing,
    /// Numbers, inclusive.
    Numbers(i64, i64),
    /// Texts, inclusive; neither bound need be a value.
    Texts(&'a [u8], &'a [u8]),
    /// The bounds are unknown.
    Unknown,
}

impl PackedFile {
    /// Returns the cells of the named column, or part of one, in a row group of games: in all rows,
    /// or in `rows`, in ascending order.
    pub(crate) fn cells(
        &self,
        group: usize,
        rows: Option<&[u32]>,
        name: &str,
    ) -> Result<Cells, Error> {
        let length = self.length(group, rows)?;
        if length == 0 || self.bounds(group, name) == Bounds::Nothing {
            return Ok(Cells { rows: length, parts: vec![Part::Nothing(length)] });
        }
        if name == COMMENTS {
            return self.comments(group, rows);
        }
        let all = usize::try_from(self.group_records(group)).unwrap_or(usize::MAX);
        let sparse = rows.filter(|rows| rows.len() <= all / DENSE);
        let metadata = self.words(sparse.is_some())?;
        let leaves = Wanted::Of(&[name]).leaves(metadata.parquet_schema());
        let rows_read = sparse.map(runs);
        self.prove(group, rows_read.as_deref())?;
        if leaves.is_empty() {
            return Ok(Cells { rows: length, parts: vec![Part::Nothing(length)] });
        }
        let request = Request { group, rows: rows_read, leaves, lenient: false };
        let whole = name.split('.').next().unwrap_or(name);
        let mut parts = Vec::new();
        for batch in self.read(metadata, request)? {
            let column = batch.column_by_name(whole).cloned();
            let column = match name.split_once('.') {
                Some((_, part)) => column.as_ref().and_then(|whole| field(whole, part)),
                None => column,
            };
            parts.push(column.and_then(Part::new).ok_or_else(|| self.wrong_type(name))?);
        }
        let cells = Cells { rows: parts.iter().map(Part::len).sum(), parts };
        let cells = match rows.filter(|_| sparse.is_none()) {
            Some(rows) => cells.take(rows),
            None => cells,
        };
        if cells.rows != length {
            let why = "it is damaged: a column and its row group differ in length";
            return Err(Error::Format { path: self.path().into(), why: why.into() });
        }
        Ok(cells)
    }

    /// Returns the comments of each game, one below the other.
    fn comments(&self, group: usize, rows: Option<&[u32]>) -> Result<Cells, Error> {
        let runs = rows.map(runs);
        self.prove(group, runs.as_deref())?;
        let wanted = Wanted::Of(&["annotations.kind", COMMENTS]);
        let mut parts = Vec::new();
        for batch in self.read_columns(group, runs, wanted)?.0 {
            let part = match batch.column_by_name("annotations") {
                Some(annotations) => comments(annotations).map(Part::Texts),
                None => Some(Part::Nothing(batch.num_rows())),
            };
            parts.push(part.ok_or_else(|| self.wrong_type(COMMENTS))?);
        }
        let found = Cells { rows: parts.iter().map(Part::len).sum(), parts };
        match found.rows == self.length(group, rows)? {
            true => Ok(found),
            false => Err(self.wrong_type(COMMENTS)),
        }
    }

    /// Returns the number of requested rows.
    pub(crate) fn length(&self, group: usize, rows: Option<&[u32]>) -> Result<usize, Error> {
        let fail = |why: String| Error::Format { path: self.path().into(), why };
        if self.kind() != Content::Games {
            return Err(fail("it holds positions, not games".into()));
        }
        let all = (group < self.groups()).then(|| self.group_records(group));
        let all = all.ok_or_else(|| fail(format!("it has {} row groups", self.groups())))?;
        let Some(rows) = rows else { return Ok(usize::try_from(all).unwrap_or(usize::MAX)) };
        let ascending = rows.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || rows.last().is_some_and(|&last| u64::from(last) >= all) {
            let why = format!("row group {group} does not have the requested rows");
            return Err(fail(why));
        }
        Ok(rows.len())
    }

    /// Returns the footer's bounds for a column of a row group. The footer of a copy has no
    /// checksum and is not trusted: the column may be lost.
    pub(crate) fn bounds(&self, group: usize, name: &str) -> Bounds<'_> {
        let leaves = Wanted::Of(&[name]).leaves(self.footer().file_metadata().schema_descr());
        let column = |leaf: usize| self.footer().row_groups().get(group)?.columns().get(leaf);
        let bounds = match leaves[..] {
            _ if self.is_copy() => Bounds::Unknown,
            [] => Bounds::Nothing,
            [leaf] => column(leaf).map_or(Bounds::Unknown, bounds),
            _ => Bounds::Unknown,
        };
        let is_number = || self.schema_type(name).as_ref().is_some_and(is_plain_number);
        if matches!(bounds, Bounds::Numbers(..)) && !is_number() { Bounds::Unknown } else { bounds }
    }
}

/// Returns the comments in each row of annotations, one below the other.
fn comments(annotations: &ArrayRef) -> Option<StringArray> {
    let list = annotations.as_list_opt::<i32>()?;
    let all = list.values().as_struct_opt()?;
    let kinds: &StringArray = all.column_by_name("kind")?.as_string_opt()?;
    let texts: &StringArray = all.column_by_name("text")?.as_string_opt()?;
    let is_comment =
        |&at: &usize| kinds.value(at) == AnnotationKind::Comment.name() && texts.is_valid(at);
    let of_row = |row| {
        let found = elements(list, row).filter(is_comment).map(|at| texts.value(at));
        let found: Vec<&str> = found.collect();
        (!found.is_empty()).then(|| found.join("\n"))
    };
    Some((0..list.len()).map(of_row).collect())
}

/// Returns the bounds of a column of a row group.
fn bounds(column: &ColumnChunkMetaData) -> Bounds<'_> {
    let Some(statistics) = column.statistics() else { return Bounds::Unknown };
    let nulls = statistics.null_count_opt().and_then(|nulls| i64::try_from(nulls).ok());
    if nulls == Some(column.num_values()) {
        return Bounds::Nothing;
    }
    match statistics {
        Statistics::Int32(values) => match (values.min_opt(), values.max_opt()) {
            (Some(&min), Some(&max)) => Bounds::Numbers(min.into(), max.into()),
            _ => Bounds::Unknown,
        },
        Statistics::Int64(values) => match (values.min_opt(), values.max_opt()) {
            (Some(&min), Some(&max)) => Bounds::Numbers(min, max),
            _ => Bounds::Unknown,
        },
        // Old tools compared bytes as signed numbers.
        Statistics::ByteArray(values) if !statistics.is_min_max_deprecated() => {
            match (values.min_opt(), values.max_opt()) {
                (Some(min), Some(max)) => Bounds::Texts(min.data(), max.data()),
                _ => Bounds::Unknown,
            }
        }
        _ => Bounds::Unknown,
    }
}

/// Returns whether numbers of this type are in our order and units.
fn is_plain_number(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::Date32
            | DataType::Time32(TimeUnit::Millisecond)
    )
}

/// Groups rows into runs.
fn runs(rows: &[u32]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for row in rows.iter().filter_map(|&row| usize::try_from(row).ok()) {
        match runs.last_mut().filter(|run| run.end == row) {
            Some(run) => run.end = row + 1,
            None => runs.push(row..row + 1),
        }
    }
    runs
}

/// Returns one part of a composite column, null where the whole is null.
fn field(whole: &ArrayRef, part: &str) -> Option<ArrayRef> {
    let whole: &StructArray = whole.as_struct_opt()?;
    let field = whole.column_by_name(part)?;
    let nulls = NullBuffer::union(whole.nulls(), field.nulls());
    let data = field.to_data().into_builder().nulls(nulls).build().ok()?;
    Some(arrow_array::make_array(data))
}

impl Part {
    /// Makes a part of an array; `None` if its type is never queried.
    fn new(array: ArrayRef) -> Option<Self> {
        fn numbers<T: arrow_array::ArrowPrimitiveType>(array: &ArrayRef) -> Option<Part>
        where
            T::Native: Into<i64>,
        {
            let values = array.as_primitive_opt::<T>()?.iter();
            Some(Part::Numbers(values.map(|value| value.map(Into::into)).collect()))
        }
        match array.data_type() {
            DataType::Dictionary(..) => {
                let words = array.as_dictionary_opt::<Int32Type>()?;
                Some(Self::Words(words.clone(), words.values().as_string_opt()?.clone()))
            }
            DataType::Utf8 => Some(Self::Texts(array.as_string_opt()?.clone())),
            DataType::Binary => Some(Self::Bytes(array.nulls().cloned(), array.len())),
            DataType::Int32 => numbers::<Int32Type>(&array),
            DataType::Int64 => numbers::<Int64Type>(&array),
            DataType::Date32 => numbers::<Date32Type>(&array),
            DataType::Time32(_) => numbers::<Time32MillisecondType>(&array),
            DataType::Map(..) => {
                let map = array.as_map_opt()?;
                let text = |half: &ArrayRef| half.as_string_opt::<i32>().cloned();
                let of_row = |row| match map.is_valid(row) {
                    true => places(map.value_offsets(), row),
                    false => 0..0,
                };
                let rows = (0..map.len()).map(of_row).collect();
                Some(Self::Tags(rows, text(map.keys())?, text(map.values())?))
            }
            _ => (array.null_count() == array.len()).then(|| Self::Nothing(array.len())),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Nothing(rows) => *rows,
            Self::Words(words, _) => words.len(),
            Self::Texts(texts) => texts.len(),
            Self::Bytes(_, rows) => *rows,
            Self::Numbers(numbers) => numbers.len(),
            Self::Tags(rows, ..) => rows.len(),
        }
    }

    fn is_present(&self, row: usize) -> bool {
        match self {
            Self::Nothing(_) => false,
            Self::Words(words, _) => words.is_valid(row),
            Self::Texts(texts) => texts.is_valid(row),
            Self::Bytes(nulls, _) => nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)),
            Self::Numbers(numbers) => numbers.get(row).is_some_and(Option::is_some),
            Self::Tags(..) => true,
        }
    }

    /// Returns the text in a row.
    fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Words(words, values) => {
                let word = words.key(row).filter(|&word| word < values.len())?;
                values.is_valid(word).then(|| values.value(word))
            }
            Self::Texts(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Nothing(_) | Self::Bytes(..) | Self::Numbers(_) | Self::Tags(..) => None,
        }
    }

    /// Returns the value in a row of the tag of this name, ignoring case.
    fn tag(&self, row: usize, name: &str) -> Option<&str> {
        let Self::Tags(rows, names, values) = self else { return None };
        let mut places = rows.get(row)?.clone();
        let is_it = |&at: &usize| names.value(at).eq_ignore_ascii_case(name) && values.is_valid(at);
        places.find(is_it).map(|at| values.value(at))
    }
}

impl Cells {
    /// Makes cells of numbers from another source.
    pub(crate) fn of_numbers(numbers: impl Iterator<Item = Option<i64>>) -> Self {
        let numbers: Vec<Option<i64>> = numbers.collect();
        Self { rows: numbers.len(), parts: vec![Part::Numbers(numbers)] }
    }

    /// Selects rows.
    fn take(&self, rows: &[u32]) -> Self {
        let mut parts = Vec::with_capacity(self.parts.len());
        let (mut start, mut rest) = (0, rows);
        for part in &self.parts {
            let end = start + part.len();
            let until = rest.partition_point(|&row| usize::try_from(row).is_ok_and(|r| r < end));
            let (here, later) = rest.split_at(until);
            let within = |row: &u32| usize::try_from(*row).unwrap_or(usize::MAX) - start;
            let within: Vec<usize> = here.iter().map(within).collect();
            parts.push(part.take(&within));
            (start, rest) = (end, later);
        }
        Self { rows: parts.iter().map(Part::len).sum(), parts }
    }

    /// Tests every text; equal texts once.
    pub(crate) fn ask_texts(&self, mut ask: impl FnMut(&str) -> bool) -> Answer {
        self.answer(|part, present, yes| match part {
            Part::Words(words, values) => {
                let mut said = Vec::with_capacity(values.len());
                let mut any = false;
                for word in values {
                    let known = word.map(&mut ask);
                    any |= known == Some(true);
                    said.push(known);
                }
                match words.nulls() {
                    Some(nulls) => present.append_buffer(nulls.inner()),
                    None => present.append_n(words.len(), true),
                }
                if any {
                    for &word in words.keys().values() {
                        let word = usize::try_from(word).ok().and_then(|word| said.get(word));
                        yes.append(word == Some(&Some(true)));
                    }
                } else {
                    yes.append_n(words.len(), false);
                }
            }
            part => {
                // Consecutive games often have the same date.
                let mut last: Option<(&str, bool)> = None;
                for row in 0..part.len() {
                    let text = part.text(row);
                    present.append(text.is_some());
                    yes.append(text.is_some_and(|text| match last {
                        Some((asked, said)) if asked == text => said,
                        _ => last.insert((text, ask(text))).1,
                    }));
                }
            }
        })
    }

    /// Tests whether every number is in one of the ranges, inclusive. The ranges are ascending and
    /// disjoint.
    pub(crate) fn ask_numbers(&self, ranges: &[(i64, i64)]) -> Answer {
        let is_in = |number: i64| match ranges {
            [(first, last)] => (*first..=*last).contains(&number),
            _ => {
                let at = ranges.partition_point(|&(_, last)| last < number);
                ranges.get(at).is_some_and(|&(first, _)| first <= number)
            }
        };
        self.ask_each_number(is_in)
    }

    /// Tests every number.
    pub(crate) fn ask_each_number(&self, ask: impl Fn(i64) -> bool) -> Answer {
        self.answer(|part, present, yes| match part {
            Part::Numbers(numbers) => {
                for number in numbers {
                    present.append(number.is_some());
                    yes.append(number.is_some_and(&ask));
                }
            }
            part => {
                present.append_n(part.len(), false);
                yes.append_n(part.len(), false);
            }
        })
    }

    /// Tests the value of the named tag in every row.
    pub(crate) fn ask_tags(&self, name: &str, ask: impl Fn(&str) -> bool) -> Answer {
        self.answer(|part, present, yes| {
            for row in 0..part.len() {
                let text = part.tag(row, name);
                present.append(text.is_some());
                yes.append(text.is_some_and(&ask));
            }
        })
    }

    fn answer(
        &self,
        mut ask: impl FnMut(&Part, &mut BooleanBufferBuilder, &mut BooleanBufferBuilder),
    ) -> Answer {
        let mut present = BooleanBufferBuilder::new(self.rows);
        let mut yes = BooleanBufferBuilder::new(self.rows);
        for part in &self.parts {
            ask(part, &mut present, &mut yes);
        }
        let (present, yes) = (present.finish(), yes.finish());
        // A null row may have any dictionary key.
        let yes = &yes & &present;
        Answer { present, yes }
    }

    /// Returns which rows have a value.
    pub(crate) fn presence(&self) -> BooleanBuffer {
        self.answer(|part, present, yes| {
            (0..part.len()).for_each(|row| present.append(part.is_present(row)));
            yes.append_n(part.len(), false);
        })
        .present
    }

    /// Returns the texts, one per row.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        self.parts.iter().flat_map(|part| (0..part.len()).map(move |row| part.text(row)))
    }

    /// Returns the values of the named tag, one per row.
    pub(crate) fn tags<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Option<&'a str>> {
        self.parts.iter().flat_map(move |part| (0..part.len()).map(move |at| part.tag(at, name)))
    }

    /// Returns the numbers, one per row.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = Option<i64>> {
        self.parts.iter().flat_map(|part| {
            (0..part.len()).map(move |row| match part {
                Part::Numbers(numbers) => numbers.get(row).copied().flatten(),
                _ => None,
            })
        })
    }

    /// Maps every text, one result per row; equal texts once.
    pub(crate) fn of_texts<T: Copy>(&self, mut make: impl FnMut(&str) -> T) -> Vec<Option<T>> {
        let mut made = Vec::with_capacity(self.rows);
        for part in &self.parts {
            if let Part::Words(words, values) = part {
                let of: Vec<Option<T>> = values.iter().map(|word| word.map(&mut make)).collect();
                let each = words.keys().iter().map(|word| {
                    let word = word.and_then(|word| usize::try_from(word).ok());
                    word.and_then(|word| of.get(word).copied().flatten())
                });
                made.extend(each);
                continue;
            }
            let mut last: Option<(&str, T)> = None;
            for row in 0..part.len() {
                made.push(part.text(row).map(|text| match last {
                    Some((asked, said)) if asked == text => said,
                    _ => last.insert((text, make(text))).1,
                }));
            }
        }
        made
    }
}

impl Part {
    /// Selects rows.
    fn take(&self, rows: &[usize]) -> Self {
        match self {
            Self::Nothing(_) => Self::Nothing(rows.len()),
            Self::Words(words, values) => {
                let key = |&row: &usize| words.is_valid(row).then(|| words.keys().value(row));
                let keys = rows.iter().map(key).collect();
                // The keys are all valid for these values.
                match DictionaryArray::try_new(keys, Arc::new(values.clone())) {
                    Ok(taken) => Self::Words(taken, values.clone()),
                    Err(_) => Self::Nothing(rows.len()),
                }
            }
            Self::Bytes(nulls, _) => {
                let valid = |&row: &usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
                let nulls: Vec<bool> = rows.iter().map(valid).collect();
                Self::Bytes(Some(nulls.into()), rows.len())
            }
            Self::Texts(_) => Self::Texts(rows.iter().map(|&row| self.text(row)).collect()),
            Self::Numbers(numbers) => {
                let number = |&row: &usize| numbers.get(row).copied().flatten();
                Self::Numbers(rows.iter().map(number).collect())
            }
            Self::Tags(of_row, names, values) => {
                let of_rows = rows.iter().map(|&row| of_row.get(row).cloned().unwrap_or(0..0));
                Self::Tags(of_rows.collect(), names.clone(), values.clone())
            }
        }
    }
}

/// Returns whether a column is read as a dictionary of words.
pub(crate) fn is_words(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Dictionary(..))
}

/// Returns metadata that reads dictionary-encoded texts as words.
pub(crate) fn with_words(metadata: &ArrowReaderMetadata) -> ParquetResult<ArrowReaderMetadata> {
    let whole = metadata.metadata();
    let schema = metadata.parquet_schema();
    let of_words = |name: &str| {
        let leaves = Wanted::Of(&[name]).leaves(schema);
        let has = |column: &ColumnChunkMetaData| column.dictionary_page_offset().is_some();
        let [leaf] = leaves[..] else { return false };
        let mut columns = whole.row_groups().iter().filter_map(|group| group.columns().get(leaf));
        columns.any(has)
    };
    let words = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 if of_words(field.name()) => {
            Arc::new(Field::new(field.name(), words(), field.is_nullable()))
        }
        _ => Arc::clone(field),
    };
    let fields: Vec<Arc<Field>> = metadata.schema().fields().iter().map(field).collect();
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let options = options.with_schema(Arc::new(Schema::new(fields)));
    ArrowReaderMetadata::try_new(Arc::clone(whole), options)
}
