//! Builds the columns of a row group of games.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Date32Builder, Int32Builder, Int64Builder, MapBuilder, MapFieldNames,
    StringBuilder, Time32MillisecondBuilder, UInt32Builder,
};
use arrow_array::{ArrayRef, ListArray, StructArray, new_null_array};
use arrow_buffer::OffsetBuffer;
use arrow_schema::DataType;
use plypack_games::stored_text;

use super::schema::{
    ANNOTATION_ELEMENT, ANNOTATION_FIELDS, COLUMNS, Column, Content, MOVE_FIELDS, SERIES_FIELDS,
    TagType,
};
use crate::store::movetext::Annotation;
use crate::store::row::{CodedLine, PackedRecord};
use crate::store::tag_value;

/// A record to be written to a row.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// The record.
    pub record: &'a PackedRecord<'a>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The name of its input.
    pub source: &'a str,
    /// Its number in its input, from 1.
    pub number: u64,
    /// Whether it is the last of its input.
    pub last: bool,
    /// The names of its tags, in order; `None` for a verbatim record.
    pub tag_order: Option<&'a str>,
}

/// Collects the columns, one record at a time.
pub(crate) struct Columns {
    builders: Vec<Builder>,
}

/// A column being built.
enum Builder {
    Tag(&'static str, TagBuilder),
    Tags(MapBuilder<StringBuilder, StringBuilder>),
    Moves(MovesBuilder),
    Annotations(AnnotationsBuilder),
    /// Nothing, in this many rows.
    Prose(usize),
    Series(SeriesBuilder),
    Text(for<'a> fn(&'a Entry<'_>) -> Option<Cow<'a, str>>, StringBuilder),
    Bytes(for<'a> fn(&'a Entry<'_>) -> Option<&'a [u8]>, BinaryBuilder),
    Checksum(UInt32Builder),
    Number(for<'a> fn(&'a Entry<'_>) -> Option<i64>, Int64Builder),
    Day(&'static str, Date32Builder),
}

impl Columns {
    pub(crate) fn new() -> Self {
        Self { builders: COLUMNS.iter().map(Builder::new).collect() }
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        // Tag columns come first in the table, so that the column of other tags gets the rest.
        let mut left: Vec<(&str, &str)> =
            entry.record.tags.iter().map(|(name, value)| (*name, value.as_ref())).collect();
        for builder in &mut self.builders {
            builder.push(entry, &mut left);
        }
    }

    /// Returns the arrays in schema order.
    pub(crate) fn finish(self) -> Vec<ArrayRef> {
        self.builders.into_iter().map(Builder::finish).collect()
    }
}

impl Builder {
    fn new(column: &Column) -> Self {
        match column.content {
            Content::Tag(kind) => Self::Tag(column.name, TagBuilder::new(kind)),
            Content::Tags => {
                let names = MapFieldNames {
                    entry: "key_value".into(),
                    key: "key".into(),
                    value: "value".into(),
                };
                let texts = StringBuilder::new;
                Self::Tags(MapBuilder::new(Some(names), texts(), texts()))
            }
            Content::Moves => Self::Moves(MovesBuilder::default()),
            Content::Annotations => Self::Annotations(AnnotationsBuilder::default()),
            Content::Prose => Self::Prose(0),
            Content::Series { codec, write, .. } => {
                Self::Series(SeriesBuilder::new(codec(), write))
            }
            Content::Text { write, .. } => Self::Text(write, StringBuilder::new()),
            Content::Bytes { write, .. } => Self::Bytes(write, BinaryBuilder::new()),
            Content::Checksum => Self::Checksum(UInt32Builder::new()),
            Content::Number { write, .. } => Self::Number(write, Int64Builder::new()),
            Content::Day(tag) => Self::Day(tag, Date32Builder::new()),
        }
    }

    /// Appends a row. `left` holds the tags that no column has taken yet.
    fn push(&mut self, entry: &Entry<'_>, left: &mut Vec<(&str, &str)>) {
        match self {
            Self::Tag(name, column) => {
                let place = left.iter().position(|tag| tag.0 == *name);
                match place.filter(|&place| column.append(left[place].1)) {
                    Some(place) => _ = left.remove(place),
                    None => column.append_null(),
                }
            }
            Self::Tags(column) => {
                for (name, value) in left.drain(..) {
                    column.keys().append_value(name);
                    column.values().append_value(value);
                }
                // The builder checks that there are as many keys as values, which holds here.
                let _ = column.append(true);
            }
            Self::Moves(column) => column.push(entry.record.line.as_ref()),
            Self::Annotations(column) => column.push(&entry.record.annotations),
            Self::Prose(rows) => *rows += 1,
            Self::Series(column) => column.push(entry.record),
            Self::Text(write, column) => column.append_option(write(entry)),
            Self::Bytes(write, column) => column.append_option(write(entry)),
            Self::Checksum(column) => column.append_value(crc32fast::hash(entry.bytes)),
            Self::Number(write, column) => column.append_option(write(entry)),
            Self::Day(name, column) => {
                let tag = entry.record.tags.iter().find(|tag| tag.0 == *name);
                column.append_option(tag.and_then(|tag| tag_value::day(&tag.1)));
            }
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Tag(_, column) => column.finish(),
            Self::Tags(mut column) => Arc::new(column.finish()),
            Self::Moves(column) => column.finish(),
            Self::Annotations(column) => column.finish(),
            Self::Prose(rows) => new_null_array(&DataType::Binary, rows),
            Self::Series(column) => column.finish(),
            Self::Text(_, mut column) => Arc::new(column.finish()),
            Self::Bytes(_, mut column) => Arc::new(column.finish()),
            Self::Checksum(mut column) => Arc::new(column.finish()),
            Self::Number(_, mut column) => Arc::new(column.finish()),
            Self::Day(_, mut column) => Arc::new(column.finish()),
        }
    }
}

/// The column of one tag.
enum TagBuilder {
    Text(StringBuilder),
    Number(Int32Builder, TagType),
    Date(Date32Builder),
    Time(Time32MillisecondBuilder),
}

impl TagBuilder {
    fn new(kind: TagType) -> Self {
        match kind {
            TagType::Text => Self::Text(StringBuilder::new()),
            TagType::Number | TagType::Difference => Self::Number(Int32Builder::new(), kind),
            TagType::Date => Self::Date(Date32Builder::new()),
            TagType::Time => Self::Time(Time32MillisecondBuilder::new()),
        }
    }

    /// Appends a value if it is canonical for the column's type. Returns whether it was.
    fn append(&mut self, value: &str) -> bool {
        let number = |kind| tag_value::read(kind, value);
        match self {
            Self::Text(column) => {
                column.append_value(value);
                return true;
            }
            Self::Number(column, kind) => number(*kind).map(|number| column.append_value(number)),
            Self::Date(column) => number(TagType::Date).map(|days| column.append_value(days)),
            Self::Time(column) => number(TagType::Time).map(|time| column.append_value(time)),
        }
        .is_some()
    }

    fn append_null(&mut self) {
        match self {
            Self::Text(column) => column.append_null(),
            Self::Number(column, _) => column.append_null(),
            Self::Date(column) => column.append_null(),
            Self::Time(column) => column.append_null(),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Text(mut column) => Arc::new(column.finish()),
            Self::Number(mut column, _) => Arc::new(column.finish()),
            Self::Date(mut column) => Arc::new(column.finish()),
            Self::Time(mut column) => Arc::new(column.finish()),
        }
    }
}

/// The column of main lines.
#[derive(Default)]
struct MovesBuilder {
    codecs: StringBuilder,
    starts: StringBuilder,
    plies: Int32Builder,
    codes: BinaryBuilder,
    present: Vec<bool>,
}

impl MovesBuilder {
    fn push(&mut self, line: Option<&CodedLine<'_>>) {
        let codec = |line: &CodedLine<'_>| stored_text(line.codec.game(), line.codec.info());
        self.present.push(line.is_some());
        self.codecs.append_value(line.map(codec).unwrap_or_default());
        self.starts.append_option(line.and_then(|line| line.start.as_deref()));
        self.plies.append_value(line.map_or(0, |line| plies(line.plies)));
        self.codes.append_value(line.map_or(&[][..], |line| &line.code));
    }

    fn finish(mut self) -> ArrayRef {
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(self.codecs.finish()),
            Arc::new(self.starts.finish()),
            Arc::new(self.plies.finish()),
            Arc::new(self.codes.finish()),
        ];
        Arc::new(StructArray::new(MOVE_FIELDS.clone(), arrays, Some(self.present.into())))
    }
}

/// Converts plies for their column: neither plies nor skips exceed `PLIES_MAX`.
fn plies(plies: u32) -> i32 {
    i32::try_from(plies).unwrap_or(i32::MAX)
}

/// A column of codes that may be sparse.
struct SeriesBuilder {
    codec: String,
    code: for<'a> fn(&'a PackedRecord<'_>) -> Option<&'a [u8]>,
    codecs: StringBuilder,
    codes: BinaryBuilder,
    present: Vec<bool>,
}

impl SeriesBuilder {
    fn new(codec: String, code: for<'a> fn(&'a PackedRecord<'_>) -> Option<&'a [u8]>) -> Self {
        let (codecs, codes) = (StringBuilder::new(), BinaryBuilder::new());
        Self { codec, code, codecs, codes, present: Vec::new() }
    }

    fn push(&mut self, record: &PackedRecord<'_>) {
        let code = (self.code)(record);
        self.present.push(code.is_some());
        self.codecs.append_value(if code.is_some() { &self.codec } else { "" });
        self.codes.append_value(code.unwrap_or_default());
    }

    fn finish(mut self) -> ArrayRef {
        let arrays: Vec<ArrayRef> =
            vec![Arc::new(self.codecs.finish()), Arc::new(self.codes.finish())];
        Arc::new(StructArray::new(SERIES_FIELDS.clone(), arrays, Some(self.present.into())))
    }
}

/// The column of annotation lists.
#[derive(Default)]
struct AnnotationsBuilder {
    skips: Int32Builder,
    kinds: StringBuilder,
    texts: StringBuilder,
    plies: Int32Builder,
    codes: BinaryBuilder,
    lengths: Vec<usize>,
    present: Vec<bool>,
}

impl AnnotationsBuilder {
    fn push(&mut self, annotations: &[Annotation<'_>]) {
        for annotation in annotations {
            self.skips.append_value(plies(annotation.skip));
            self.kinds.append_value(annotation.kind.name());
            self.texts.append_option(Some(&annotation.text).filter(|text| !text.is_empty()));
            let moves = annotation.moves.as_ref();
            self.plies.append_option(moves.map(|moves| plies(moves.0)));
            self.codes.append_option(moves.map(|moves| &moves.1));
        }
        self.lengths.push(annotations.len());
        self.present.push(!annotations.is_empty());
    }

    fn finish(mut self) -> ArrayRef {
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(self.skips.finish()),
            Arc::new(self.kinds.finish()),
            Arc::new(self.texts.finish()),
            Arc::new(self.plies.finish()),
            Arc::new(self.codes.finish()),
        ];
        let elements = Arc::new(StructArray::new(ANNOTATION_FIELDS.clone(), arrays, None));
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        let present = Some(self.present.into());
        Arc::new(ListArray::new(ANNOTATION_ELEMENT.clone(), offsets, elements, present))
    }
}
