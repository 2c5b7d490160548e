//! Rows of games read from a file, with all or some of their columns.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::rows::{AnnotationFault, TagType, in_order, tag_value};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Time32MillisecondType};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, Int32Array, ListArray, MapArray,
    PrimitiveArray, RecordBatch, StringArray, StructArray, UInt32Array,
};

use super::schema::{self, COLUMNS, Column, Content, Presence};
use crate::store::conversion::convert;
use crate::store::movetext::{Annotation, AnnotationKind};
use crate::store::row::StoredRecord;

/// Games read from a file. Columns that were not requested appear empty.
#[derive(Debug, Default)]
pub struct Rows {
    batches: Vec<Batch>,
}

/// Some of the rows.
#[derive(Debug)]
struct Batch {
    whole: RecordBatch,
    cells: Vec<Cells>,
}

/// A column that was read.
#[derive(Debug)]
enum Cells {
    Tag(&'static str, TagArray),
    Tags(TagsArray),
    Moves(MovesArray),
    Annotations(AnnotationsArray),
    Series(for<'a> fn(&mut StoredRecord<'a>, (&'a str, &'a [u8])), SeriesArray),
    Text(for<'a> fn(&mut Found<'a>, &'a str), StringArray),
    Bytes(for<'a> fn(&mut StoredRecord<'a>, &'a [u8]), BinaryArray),
    Checksum(UInt32Array),
}

/// A row assembled from its columns.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    pub record: StoredRecord<'a>,
    pub start: Option<&'a str>,
    pub tag_order: Option<&'a str>,
    pub source: &'a str,
    pub checksum: Option<u32>,
}

impl Rows {
    /// Reads the rows of a table that has the columns of a packed file, from any source.
    ///
    /// # Errors
    /// Returns a message that names the columns that are missing or have a different type.
    pub fn of(batch: RecordBatch) -> Result<Self, String> {
        let missing = |name: &&str| batch.schema_ref().column_with_name(name).is_none();
        let missing: Vec<String> =
            schema::needed().filter(missing).map(|name| format!("`{name}`")).collect();
        if !missing.is_empty() {
            return Err(format!(
                "these columns of a packed file are missing: {}",
                missing.join(", ")
            ));
        }
        let batch = convert(batch, schema::data_type).map_err(|mismatch| mismatch.to_string())?;
        let wrong = |name| format!("column `{name}` has a different type than in a packed file");
        Self::new(vec![batch], &BTreeMap::new()).map_err(wrong)
    }

    /// Splits a row group into its columns. `codecs` names the codec of each column that has one
    /// codec for all rows. An error is the name of the column whose type is wrong.
    pub(crate) fn new(
        batches: Vec<RecordBatch>,
        codecs: &BTreeMap<String, String>,
    ) -> Result<Self, &'static str> {
        let batches: Result<_, _> =
            batches.into_iter().map(|batch| Batch::new(batch, codecs)).collect();
        Ok(Self { batches: batches? })
    }

    /// Appends rows.
    pub(crate) fn extend(&mut self, rows: Self) {
        self.batches.extend(rows.batches);
    }

    /// Returns the number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batches.iter().map(|batch| batch.whole.num_rows()).sum()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the record in this row, the checksum of its original bytes if it was read, and its
    /// input's name, empty if unknown. `None` past the end.
    #[must_use]
    pub fn record(&self, mut row: usize) -> Option<(StoredRecord<'_>, Option<u32>, &str)> {
        for batch in &self.batches {
            if row < batch.whole.num_rows() {
                let found = batch.record(row);
                return Some((found.record, found.checksum, found.source));
            }
            row -= batch.whole.num_rows();
        }
        None
    }

    /// Returns the batches as they were read.
    pub(crate) fn batches(&self) -> impl Iterator<Item = &RecordBatch> {
        self.batches.iter().map(|batch| &batch.whole)
    }
}

impl Batch {
    fn new(whole: RecordBatch, codecs: &BTreeMap<String, String>) -> Result<Self, &'static str> {
        let mut cells = Vec::with_capacity(COLUMNS.len());
        for column in COLUMNS.iter().filter(|column| column.is_read()) {
            if let Some(array) = whole.column_by_name(column.name) {
                match Cells::new(column, array, codecs.get(column.name)) {
                    Some(found) => cells.push(found),
                    // A column without values may have any type, unless every file has it.
                    None if column.presence != Presence::Needed
                        && array.null_count() == array.len() => {}
                    None => return Err(column.name),
                }
            }
        }
        Ok(Self { whole, cells })
    }

    fn record(&self, row: usize) -> Found<'_> {
        let mut found = Found::default();
        self.cells.iter().for_each(|cells| cells.read(row, &mut found));
        in_order(&mut found.record.tags, found.start, found.tag_order);
        found
    }
}

impl Cells {
    /// Reads a column, whose codes may all be of one codec; `None` if its type is not ours.
    fn new(column: &Column, array: &ArrayRef, codec: Option<&String>) -> Option<Self> {
        Some(match column.content {
            Content::Tag(kind) => Self::Tag(column.name, TagArray::new(kind, array)?),
            Content::Tags => Self::Tags(TagsArray::new(array.as_map_opt()?.clone())?),
            Content::Moves => Self::Moves(MovesArray::new(array.as_struct_opt()?, codec)?),
            Content::Annotations => {
                Self::Annotations(AnnotationsArray::new(array.as_list_opt()?.clone())?)
            }
            Content::Series { read, .. } => {
                Self::Series(read, SeriesArray::new(array.as_struct_opt()?, codec)?)
            }
            Content::Text { read, .. } => Self::Text(read, typed(array)?),
            Content::Bytes { read, .. } => Self::Bytes(read, typed(array)?),
            Content::Checksum => Self::Checksum(typed(array)?),
            Content::Prose | Content::Number { .. } | Content::Day(_) => return None,
        })
    }

    /// Adds the column's value in this row to `found`.
    fn read<'a>(&'a self, row: usize, found: &mut Found<'a>) {
        match self {
            Self::Tag(name, array) => {
                found.record.tags.extend(array.value(row).map(|value| (*name, value)));
            }
            Self::Tags(array) => found.record.tags.extend(array.row(row)),
            Self::Moves(array) => array.read(row, found),
            Self::Annotations(array) => found.record.annotations = array.row(row),
            Self::Series(read, array) => {
                if let Some(code) = array.row(row) {
                    read(&mut found.record, code);
                }
            }
            Self::Text(read, array) => {
                if array.is_valid(row) {
                    read(found, array.value(row));
                }
            }
            Self::Bytes(read, array) => {
                if array.is_valid(row) {
                    read(&mut found.record, array.value(row));
                }
            }
            Self::Checksum(array) => {
                found.checksum = array.is_valid(row).then(|| array.value(row));
            }
        }
    }
}

/// Downcasts an array; `None` if it has a different type.
fn typed<A: Array + Clone + 'static>(array: &ArrayRef) -> Option<A> {
    array.as_any().downcast_ref::<A>().cloned()
}

/// Returns a part of a struct column, if it was read; `None` if it has a different type.
fn part<A: Array + Clone + 'static>(whole: &StructArray, name: &str) -> Option<Option<A>> {
    whole.column_by_name(name).map(typed).map_or(Some(None), |found| found.map(Some))
}

/// Returns the range of a row's elements among those of all rows.
pub(crate) fn places(offsets: &[i32], row: usize) -> Range<usize> {
    let place = |at: usize| offsets.get(at).and_then(|&place| usize::try_from(place).ok());
    match (place(row), place(row + 1)) {
        (Some(from), Some(to)) => from..to,
        _ => 0..0,
    }
}

/// Returns the range of a row's elements in the values of a list.
pub(crate) fn elements(list: &ListArray, row: usize) -> Range<usize> {
    if list.is_valid(row) { places(list.value_offsets(), row) } else { 0..0 }
}

/// The column of one tag.
#[derive(Debug)]
enum TagArray {
    Text(StringArray),
    Number(Int32Array, TagType),
    Date(PrimitiveArray<Date32Type>),
    Time(PrimitiveArray<Time32MillisecondType>),
}

impl TagArray {
    fn new(kind: TagType, array: &ArrayRef) -> Option<Self> {
        Some(match kind {
            TagType::Text => Self::Text(typed(array)?),
            TagType::Number | TagType::Difference => Self::Number(typed(array)?, kind),
            TagType::Date => Self::Date(typed(array)?),
            TagType::Time => Self::Time(typed(array)?),
        })
    }

    fn value(&self, row: usize) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(array) => array.is_valid(row).then(|| array.value(row).into()),
            Self::Number(array, kind) => number(array, row, *kind),
            Self::Date(array) => number(array, row, TagType::Date),
            Self::Time(array) => number(array, row, TagType::Time),
        }
    }
}

fn number<T: ArrowPrimitiveType<Native = i32>>(
    array: &PrimitiveArray<T>,
    row: usize,
    kind: TagType,
) -> Option<Cow<'static, str>> {
    array.is_valid(row).then(|| tag_value::write(kind, array.value(row))).flatten()
}

/// The column of the other tags.
#[derive(Debug)]
struct TagsArray {
    whole: MapArray,
    names: StringArray,
    values: StringArray,
}

impl TagsArray {
    fn new(whole: MapArray) -> Option<Self> {
        Some(Self { names: typed(whole.keys())?, values: typed(whole.values())?, whole })
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let valid = self.whole.is_valid(row);
        let places = if valid { places(self.whole.value_offsets(), row) } else { 0..0 };
        places.map(|at| (self.names.value(at), self.values.value(at).into()))
    }
}

/// The codecs of a column of codes.
#[derive(Debug)]
enum Codecs {
    /// One per row.
    Each(StringArray),
    /// One for all rows.
    One(String),
}

impl Codecs {
    /// Returns the codecs of a column, if known; `None` if they have a different type.
    fn new(whole: &StructArray, one: Option<&String>) -> Option<Option<Self>> {
        let one = one.map(|codec| Self::One(codec.clone()));
        Some(part(whole, "codec")?.map(Self::Each).or(one))
    }

    fn of(&self, row: usize) -> &str {
        match self {
            Self::Each(codecs) => codecs.value(row),
            Self::One(codec) => codec,
        }
    }
}

/// The column of main lines, with the parts that were read.
#[derive(Debug)]
struct MovesArray {
    whole: StructArray,
    codecs: Option<Codecs>,
    starts: Option<StringArray>,
    plies: Option<Int32Array>,
    codes: Option<BinaryArray>,
}

impl MovesArray {
    fn new(whole: &StructArray, codec: Option<&String>) -> Option<Self> {
        Some(Self {
            codecs: Codecs::new(whole, codec)?,
            starts: part(whole, "start")?,
            plies: part(whole, "plies")?,
            codes: part(whole, "code")?,
            whole: whole.clone(),
        })
    }

    fn read<'a>(&'a self, row: usize, found: &mut Found<'a>) {
        if self.whole.is_null(row) {
            return;
        }
        let starts = self.starts.as_ref().filter(|starts| starts.is_valid(row));
        found.start = starts.map(|starts| starts.value(row));
        if let (Some(codecs), Some(plies), Some(codes)) = (&self.codecs, &self.plies, &self.codes) {
            // Negative numbers are invalid; no codec accepts one this large.
            let plies = u32::try_from(plies.value(row)).unwrap_or(u32::MAX);
            found.record.line = Some((codecs.of(row), found.start, plies, codes.value(row)));
        }
    }
}

/// A column of values along the main lines.
#[derive(Debug)]
struct SeriesArray {
    whole: StructArray,
    codecs: Option<Codecs>,
    codes: Option<BinaryArray>,
}

impl SeriesArray {
    fn new(whole: &StructArray, codec: Option<&String>) -> Option<Self> {
        let (codecs, codes) = (Codecs::new(whole, codec)?, part(whole, "code")?);
        Some(Self { whole: whole.clone(), codecs, codes })
    }

    /// Returns the codec and the code in this row.
    fn row(&self, row: usize) -> Option<(&str, &[u8])> {
        let (codecs, codes) = (self.codecs.as_ref()?, self.codes.as_ref()?);
        self.whole.is_valid(row).then(|| (codecs.of(row), codes.value(row)))
    }
}

/// The column of annotation lists.
#[derive(Debug)]
struct AnnotationsArray {
    list: ListArray,
    skips: Int32Array,
    kinds: StringArray,
    /// Not read if only the lines are wanted.
    texts: Option<StringArray>,
    plies: Int32Array,
    codes: BinaryArray,
}

impl AnnotationsArray {
    fn new(list: ListArray) -> Option<Self> {
        let elements = list.values().as_struct_opt()?;
        Some(Self {
            skips: part(elements, "skip")??,
            kinds: part(elements, "kind")??,
            texts: part(elements, "text")?,
            plies: part(elements, "plies")??,
            codes: part(elements, "code")??,
            list,
        })
    }

    /// Returns the annotations of a row.
    fn row(&self, row: usize) -> Result<Vec<Annotation<'_>>, AnnotationFault<'_>> {
        elements(&self.list, row).map(|at| self.annotation(at)).collect()
    }

    fn annotation(&self, at: usize) -> Result<Annotation<'_>, AnnotationFault<'_>> {
        // Negative numbers of plies are invalid: no line is this long.
        let number = |value: i32| u32::try_from(value).unwrap_or(u32::MAX);
        let texts = self.texts.as_ref().filter(|texts| texts.is_valid(at));
        let text = texts.map(|texts| texts.value(at));
        // Its text is in a block of prose, and was not restored.
        if text == Some("") {
            return Err(AnnotationFault::Prose);
        }
        let coded = self.codes.is_valid(at);
        let moves = || (number(self.plies.value(at)), Cow::Borrowed(self.codes.value(at)));
        let kind = self.kinds.value(at);
        Ok(Annotation {
            skip: number(self.skips.value(at)),
            kind: AnnotationKind::of_name(kind).ok_or(AnnotationFault::Kind(kind))?,
            text: Cow::Borrowed(text.unwrap_or_default()),
            moves: coded.then(moves),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::SCHEMA;
    use super::super::{Columns, Entry};
    use super::*;
    use crate::store::pack::Packer;
    use plypack_records::charset::Charset;

    const GAME: &str = "[White \"Anderssen\"]\n[Odd \"x\"]\n[WhiteElo \"2600\"]\n[BlackElo \"?\"]\n\
                        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
                        1. e4! { [%clk 0:01:00] } Kd7 (1... Kf7 2. e5) *\n\n";

    /// Returns this record as a row of columns.
    fn batch(text: &str) -> RecordBatch {
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
        let record = Packer::new(codec).pack(text.as_bytes(), Charset::Utf8, text, false);
        let order = record.tag_names.join(" ");
        let mut columns = Columns::new();
        let (bytes, source) = (text.as_bytes(), "in.pgn");
        let tag_order = record.layout.is_ok().then_some(order.as_str());
        columns.push(&Entry { record: &record, bytes, source, number: 1, last: true, tag_order });
        RecordBatch::try_new(SCHEMA.clone(), columns.finish()).expect("the table's types")
    }

    #[test]
    fn a_record_comes_back_from_its_columns() {
        for text in [GAME, "junk", "", "[A \"1\"]\n\n1. Ke9 *\n\n"] {
            let rows = Rows::new(vec![batch(text)], &BTreeMap::new()).expect("our columns");
            let (record, checksum, source) = rows.record(0).expect("a row");
            assert_eq!(&record.render().expect("whole")[..], text.as_bytes());
            assert_eq!((checksum, source), (Some(crc32fast::hash(text.as_bytes())), "in.pgn"));
            assert!(rows.record(1).is_none());
        }
    }

    #[test]
    fn tags_stand_in_their_order_wherever_they_are_kept() {
        let rows = Rows::new(vec![batch(GAME)], &BTreeMap::new()).expect("our columns");
        let (record, ..) = rows.record(0).expect("a row");
        let names: Vec<&str> = record.tags.iter().map(|tag| tag.0).collect();
        assert_eq!(names, ["White", "Odd", "WhiteElo", "BlackElo", "FEN"]);
        // A value that is not a number is kept with the tags that have no column.
        let tags = batch(GAME);
        let odd = tags.column_by_name("tags").and_then(|column| column.as_map_opt());
        assert_eq!(odd.map(|map| map.keys().len()), Some(2));
    }

    #[test]
    fn a_codec_that_all_rows_share_need_not_be_read() {
        let whole = batch(GAME);
        let column = whole.column_by_name("clocks").expect("a column").as_struct();
        let code = column.column_by_name("code").expect("a part").clone();
        let field = arrow_schema::Field::new("code", code.data_type().clone(), false);
        let part = StructArray::new(vec![field].into(), vec![code], column.nulls().cloned());
        let part: ArrayRef = std::sync::Arc::new(part);
        let part = RecordBatch::try_from_iter([("clocks", part)]).expect("a column");
        let codecs = BTreeMap::from([("clocks".to_owned(), "some/1".to_owned())]);
        let rows = Rows::new(vec![part.clone()], &codecs).expect("our columns");
        let clocks = rows.record(0).and_then(|row| row.0.clocks).expect("clocks");
        assert_eq!(clocks.0, "some/1");
        let rows = Rows::new(vec![part], &BTreeMap::new()).expect("our columns");
        assert!(rows.record(0).expect("a row").0.clocks.is_none());
    }

    #[test]
    fn a_column_of_another_type_is_named_unless_it_is_empty() {
        let texts: ArrayRef = std::sync::Arc::new(StringArray::from(vec![Some("x")]));
        let nulls: ArrayRef = std::sync::Arc::new(StringArray::from(vec![None::<&str>]));
        for (name, array, expected) in [
            ("checksum", &texts, Some("checksum")),
            ("UTCTime", &texts, Some("UTCTime")),
            ("UTCTime", &nulls, None),
            ("moves", &nulls, Some("moves")),
        ] {
            let batch = RecordBatch::try_from_iter_with_nullable([(name, array.clone(), true)]);
            let rows = Rows::new(vec![batch.expect("a column")], &BTreeMap::new());
            assert_eq!(rows.err(), expected, "{name}");
        }
    }
}
