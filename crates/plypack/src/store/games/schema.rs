//! The columns of a file of games, each defined once: its name, its type, how Parquet stores it,
//! how it is written from a packed record and how a stored record is read from it.
//!
//! The schema, the writer properties, `columns.rs` and `rows.rs` all follow from `COLUMNS`.
//! `docs/FORMAT.md` describes the columns for readers in other languages.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

pub use crate::rows::TagType;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use parquet::file::properties::WriterProperties;
use plypack_core::codecs::fields::FIELDS;
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS};

use super::columns::Entry;
use super::prose::PROSE;
use super::rows::Found;
use crate::store::row::{PackedRecord, StoredRecord};
use crate::store::schema::{
    Form, GROUP_RECORDS_MAX, MOVES_PAGE_BYTES, PAGE_BYTES, PLIES_PAGE_BYTES, Storage, column,
    properties, zstd,
};

/// A column of the file.
#[derive(Debug)]
pub(crate) struct Column {
    /// Its name.
    pub name: &'static str,
    /// Which files have it.
    pub presence: Presence,
    /// Whether rows may be null.
    pub nullable: bool,
    /// What it holds.
    pub content: Content,
}

/// Which files have a column. Where it is missing, it is null in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// All: without it, a file is no packed file.
    Needed,
    /// All that plypack writes, but not every copy.
    Written,
    /// A small file only if it has a value there.
    Filled,
}

/// What a column holds, and how it is written and read.
#[derive(Debug)]
pub(crate) enum Content {
    /// The value of the tag the column is named after.
    Tag(TagType),
    /// Tags without a column, or whose values do not fit their column.
    Tags,
    /// The main line.
    Moves,
    /// Annotations between the moves.
    Annotations,
    /// The code of a block of their texts, which the writer makes (`prose.rs`).
    Prose,
    /// Values along the main line: the codec's name and the code.
    Series { codec: fn() -> String, write: WriteSeries, read: ReadSeries },
    /// Text.
    Text { storage: Storage, write: WriteText, read: for<'a> fn(&mut Found<'a>, &'a str) },
    /// Bytes.
    Bytes { storage: Storage, write: WriteBytes, read: ReadBytes },
    /// The CRC-32 of the record's bytes.
    Checksum,
    /// A number for queries, never read back.
    Number { storage: Storage, write: for<'a> fn(&'a Entry<'_>) -> Option<i64> },
    /// The day that the tag of this name gives, if any; for queries, never read back.
    Day(&'static str),
}

type WriteSeries = for<'a> fn(&'a PackedRecord<'_>) -> Option<&'a [u8]>;
type ReadSeries = for<'a> fn(&mut StoredRecord<'a>, (&'a str, &'a [u8]));
type WriteText = for<'a> fn(&'a Entry<'_>) -> Option<Cow<'a, str>>;
type WriteBytes = for<'a> fn(&'a Entry<'_>) -> Option<&'a [u8]>;
type ReadBytes = for<'a> fn(&mut StoredRecord<'a>, &'a [u8]);

/// The columns, in the order of a row group. Small columns come first, side by side, so that one
/// range holds all of them; codes come last.
pub(crate) static COLUMNS: [Column; TAG_COLUMNS + 19] = [
    tag("Event", TagType::Text),
    tag("Site", TagType::Text),
    tag("Date", TagType::Text),
    tag("Round", TagType::Text),
    tag("White", TagType::Text),
    tag("Black", TagType::Text),
    tag("Result", TagType::Text),
    tag("WhiteElo", TagType::Number),
    tag("BlackElo", TagType::Number),
    tag("WhiteTitle", TagType::Text),
    tag("BlackTitle", TagType::Text),
    tag("WhiteFideId", TagType::Number),
    tag("BlackFideId", TagType::Number),
    tag("WhiteTeam", TagType::Text),
    tag("BlackTeam", TagType::Text),
    tag("WhiteRatingDiff", TagType::Difference),
    tag("BlackRatingDiff", TagType::Difference),
    tag("UTCDate", TagType::Date),
    tag("UTCTime", TagType::Time),
    tag("EventDate", TagType::Text),
    tag("ECO", TagType::Text),
    tag("Opening", TagType::Text),
    tag("Variation", TagType::Text),
    tag("TimeControl", TagType::Text),
    tag("Termination", TagType::Text),
    tag("Variant", TagType::Text),
    tag("PlyCount", TagType::Number),
    tag("Annotator", TagType::Text),
    tag("WhiteRank", TagType::Text),
    tag("BlackRank", TagType::Text),
    tag("Komi", TagType::Text),
    tag("Handicap", TagType::Text),
    tag("Rules", TagType::Text),
    // In SQL `date` would match `Date`; no tag has this name, as tags begin with a capital letter.
    filled("played_on", Content::Day("Date")),
    filled("tags", Content::Tags),
    text(
        "tag_order",
        Storage::Words,
        |entry| entry.tag_order.map(Cow::Borrowed),
        |found, order| found.tag_order = Some(order),
    ),
    Column {
        presence: Presence::Needed,
        ..text(
            "layout",
            Storage::Words,
            |entry| entry.record.layout.as_ref().ok().map(|layout| layout.to_string().into()),
            |found, layout| found.record.layout = Some(layout),
        )
    },
    Column {
        presence: Presence::Written,
        nullable: false,
        ..text(
            "source",
            Storage::Names,
            |entry| Some(Cow::Borrowed(entry.source)),
            |found, source| found.source = source,
        )
    },
    number("number", Storage::Steps, |entry| i64::try_from(entry.number).ok()),
    number("source_records", Storage::Words, |entry| {
        i64::try_from(entry.number).ok().filter(|_| entry.last)
    }),
    text(
        "verbatim_reason",
        Storage::Words,
        |entry| entry.record.layout.as_ref().err().map(|reason| reason.text().into()),
        |_, _| {},
    ),
    Column { presence: Presence::Needed, nullable: false, ..filled("checksum", Content::Checksum) },
    filled(
        "patch",
        Content::Bytes {
            storage: Storage::Texts,
            write: |entry| Some(&entry.record.patch[..]).filter(|patch| !patch.is_empty()),
            read: |record, patch| record.patch = Some(patch),
        },
    ),
    filled(
        "verbatim",
        Content::Bytes {
            storage: Storage::Bytes,
            write: |entry| entry.record.layout.is_err().then_some(entry.bytes),
            read: |record, bytes| record.verbatim = Some(bytes),
        },
    ),
    text(
        "templates",
        Storage::Words,
        |entry| entry.record.fields.as_ref().map(|fields| Cow::Borrowed(&*fields.0)),
        |found, templates| found.record.templates = Some(templates),
    ),
    filled("annotations", Content::Annotations),
    filled(PROSE, Content::Prose),
    // It tells games from positions.
    Column { presence: Presence::Needed, ..filled("moves", Content::Moves) },
    series(
        "clocks",
        || CLOCKS.newest.info.text(),
        |record| record.clocks.as_deref(),
        |record, clocks| record.clocks = Some(clocks),
    ),
    series(
        "evals",
        || EVALUATIONS.newest.info.text(),
        |record| record.evaluations.as_deref(),
        |record, evaluations| record.evaluations = Some(evaluations),
    ),
    series(
        "reviews",
        || REVIEWS.newest.info.text(),
        |record| record.reviews.as_deref(),
        |record, reviews| record.reviews = Some(reviews),
    ),
    series(
        "fields",
        || FIELDS.newest.info.text(),
        |record| record.fields.as_ref().map(|fields| &*fields.1),
        |record, fields| record.fields = Some(fields),
    ),
];

/// The number of tag columns.
const TAG_COLUMNS: usize = 33;

/// The columns from which the tags of a record are read.
pub(crate) const TAGS: [&str; TAG_COLUMNS + 3] = {
    let mut names = [""; TAG_COLUMNS + 3];
    let mut at = 0;
    while at < TAG_COLUMNS {
        names[at] = COLUMNS[at].name;
        at += 1;
    }
    names[at] = "tags";
    names[at + 1] = "tag_order";
    names[at + 2] = "moves.start";
    names
};

/// The tag columns and the main line.
pub(crate) const TAGS_AND_MOVES: [&str; TAGS.len() + 1] = tags_and("moves");

/// The tag columns and the checksum.
pub(crate) const TAGS_AND_CHECKSUM: [&str; TAGS.len() + 1] = tags_and("checksum");

const fn tags_and(other: &'static str) -> [&'static str; TAGS.len() + 1] {
    let mut names = [other; TAGS.len() + 1];
    let mut at = 0;
    while at < TAGS.len() {
        names[at] = TAGS[at];
        at += 1;
    }
    names
}

const fn filled(name: &'static str, content: Content) -> Column {
    Column { name, presence: Presence::Filled, nullable: true, content }
}

const fn tag(name: &'static str, kind: TagType) -> Column {
    filled(name, Content::Tag(kind))
}

const fn text(
    name: &'static str,
    storage: Storage,
    write: WriteText,
    read: for<'a> fn(&mut Found<'a>, &'a str),
) -> Column {
    filled(name, Content::Text { storage, write, read })
}

/// Files have it even if it is empty, as it tells whether an input is complete.
const fn number(
    name: &'static str,
    storage: Storage,
    write: for<'a> fn(&'a Entry<'_>) -> Option<i64>,
) -> Column {
    let content = Content::Number { storage, write };
    Column { presence: Presence::Written, ..filled(name, content) }
}

const fn series(
    name: &'static str,
    codec: fn() -> String,
    write: WriteSeries,
    read: ReadSeries,
) -> Column {
    filled(name, Content::Series { codec, write, read })
}

/// A field of a struct column, and how Parquet stores it.
struct Part {
    name: &'static str,
    data_type: DataType,
    nullable: bool,
    storage: Storage,
}

const MOVES: [Part; 4] = [
    Part { name: "codec", data_type: DataType::Utf8, nullable: false, storage: Storage::Words },
    Part { name: "start", data_type: DataType::Utf8, nullable: true, storage: Storage::Words },
    Part { name: "plies", data_type: DataType::Int32, nullable: false, storage: Storage::Words },
    Part { name: "code", data_type: DataType::Binary, nullable: false, storage: Storage::Codes },
];

const SERIES: [Part; 2] = [
    Part { name: "codec", data_type: DataType::Utf8, nullable: false, storage: Storage::Words },
    Part { name: "code", data_type: DataType::Binary, nullable: false, storage: Storage::Codes },
];

const ANNOTATION: [Part; 5] = [
    Part { name: "skip", data_type: DataType::Int32, nullable: false, storage: Storage::Words },
    Part { name: "kind", data_type: DataType::Utf8, nullable: false, storage: Storage::Words },
    Part { name: "text", data_type: DataType::Utf8, nullable: true, storage: Storage::Texts },
    Part { name: "plies", data_type: DataType::Int32, nullable: true, storage: Storage::Words },
    Part { name: "code", data_type: DataType::Binary, nullable: true, storage: Storage::Texts },
];

/// The name of elements of the `annotations` column.
const ELEMENT: &str = "element";

fn fields(parts: &[Part]) -> Fields {
    let field = |part: &Part| Field::new(part.name, part.data_type.clone(), part.nullable);
    parts.iter().map(field).collect()
}

/// The fields of the `moves` column.
pub(crate) static MOVE_FIELDS: LazyLock<Fields> = LazyLock::new(|| fields(&MOVES));

/// The fields of the `clocks`, `evals` and `reviews` columns.
pub(crate) static SERIES_FIELDS: LazyLock<Fields> = LazyLock::new(|| fields(&SERIES));

/// The fields of an element of the `annotations` column.
pub(crate) static ANNOTATION_FIELDS: LazyLock<Fields> = LazyLock::new(|| fields(&ANNOTATION));

/// The element of the `annotations` column.
pub(crate) static ANNOTATION_ELEMENT: LazyLock<Arc<Field>> = LazyLock::new(|| {
    Arc::new(Field::new(ELEMENT, DataType::Struct(ANNOTATION_FIELDS.clone()), false))
});

/// The Arrow schema.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |column: &Column| Field::new(column.name, column.data_type(), column.nullable);
    Arc::new(Schema::new(COLUMNS.iter().map(field).collect::<Vec<_>>()))
});

impl Column {
    /// Returns the column's type.
    pub(crate) fn data_type(&self) -> DataType {
        match self.content {
            Content::Tag(kind) => type_of(kind),
            Content::Tags => {
                let key = Field::new("key", DataType::Utf8, false);
                let value = Field::new("value", DataType::Utf8, true);
                let entry = DataType::Struct(Fields::from(vec![key, value]));
                DataType::Map(Arc::new(Field::new("key_value", entry, false)), false)
            }
            Content::Moves => DataType::Struct(MOVE_FIELDS.clone()),
            Content::Annotations => DataType::List(ANNOTATION_ELEMENT.clone()),
            Content::Series { .. } => DataType::Struct(SERIES_FIELDS.clone()),
            Content::Text { .. } => DataType::Utf8,
            Content::Prose | Content::Bytes { .. } => DataType::Binary,
            Content::Checksum => DataType::UInt32,
            Content::Number { .. } => DataType::Int64,
            Content::Day(_) => DataType::Date32,
        }
    }

    /// Whether records are built from it. The other columns are never trusted or read.
    pub(crate) fn is_read(&self) -> bool {
        !matches!(self.content, Content::Prose | Content::Number { .. } | Content::Day(_))
    }

    /// Returns the paths of its leaf columns in the Parquet file, and how each is stored.
    fn storages(&self) -> Vec<(String, Storage)> {
        let name = self.name;
        let parts = |prefix: String, parts: &[Part]| {
            parts.iter().map(|part| (format!("{prefix}.{}", part.name), part.storage)).collect()
        };
        match &self.content {
            Content::Day(_) => vec![(name.to_owned(), Storage::Steps)],
            // A dictionary of dates would take a third more.
            Content::Tag(_) if name == "Date" => vec![(name.to_owned(), Storage::Names)],
            Content::Tag(_) => vec![(name.to_owned(), Storage::Words)],
            Content::Text { storage, .. } | Content::Number { storage, .. } => {
                vec![(name.to_owned(), *storage)]
            }
            Content::Tags => ["key", "value"]
                .map(|part| (format!("{name}.key_value.{part}"), Storage::Words))
                .to_vec(),
            Content::Moves => parts(name.to_owned(), &MOVES),
            Content::Annotations => parts(format!("{name}.list.{ELEMENT}"), &ANNOTATION),
            Content::Series { .. } => parts(name.to_owned(), &SERIES),
            Content::Bytes { storage, .. } => vec![(name.to_owned(), *storage)],
            Content::Prose => vec![(name.to_owned(), Storage::Blocks)],
            Content::Checksum => vec![(name.to_owned(), Storage::Numbers)],
        }
    }
}

/// Returns the type of a tag's column.
fn type_of(kind: TagType) -> DataType {
    match kind {
        TagType::Text => DataType::Utf8,
        TagType::Number | TagType::Difference => DataType::Int32,
        TagType::Date => DataType::Date32,
        TagType::Time => DataType::Time32(TimeUnit::Millisecond),
    }
}

/// Returns the type that this column has in our files; `None` if it is not one of ours.
pub(crate) fn data_type(field: &Field) -> Option<DataType> {
    SCHEMA.field_with_name(field.name()).ok().map(|ours| ours.data_type().clone())
}

/// Returns the tags that have columns, and their types.
pub(crate) fn tags() -> impl Iterator<Item = (&'static str, TagType)> {
    COLUMNS.iter().filter_map(|column| match column.content {
        Content::Tag(kind) => Some((column.name, kind)),
        _ => None,
    })
}

/// Returns the columns that every file of games has.
pub fn needed() -> impl Iterator<Item = &'static str> {
    let is_needed = |column: &&Column| column.presence == Presence::Needed;
    COLUMNS.iter().filter(is_needed).map(|column| column.name)
}

/// Returns the columns of a file, with or without a page index.
pub(crate) fn form(indexed: bool) -> Form {
    let is_filled = |name: &str| {
        let mut columns = COLUMNS.iter();
        columns.any(|column| column.name == name && column.presence == Presence::Filled)
    };
    let properties = writer_properties(indexed);
    Form { schema: SCHEMA.clone(), properties, may_be_left_out: is_filled }
}

/// Returns the columns that records are built from.
pub(crate) fn read() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().filter(|column| column.is_read()).map(|column| column.name)
}

/// Returns the Parquet properties of the columns.
fn writer_properties(indexed: bool) -> WriterProperties {
    let storages = COLUMNS.iter().flat_map(Column::storages);
    let mut begin = properties(zstd(12), indexed)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(GROUP_RECORDS_MAX);
    // Without a page index columns are read whole.
    if indexed {
        begin = begin
            .set_column_data_page_size_limit(column("moves.code"), MOVES_PAGE_BYTES)
            .set_column_data_page_size_limit(column("moves.plies"), PLIES_PAGE_BYTES)
            // A page for each code.
            .set_column_data_page_size_limit(column(PROSE), 1);
    }
    let set =
        |properties, (path, storage): (String, Storage)| storage.set(properties, &column(&path));
    storages.fold(begin, set).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::arrow::ArrowSchemaConverter;

    #[test]
    fn every_column_of_the_file_is_stored_in_a_way_that_the_table_says() {
        let schema = ArrowSchemaConverter::new().convert(&SCHEMA).expect("a Parquet schema");
        let written: Vec<String> =
            schema.columns().iter().map(|column| column.path().string()).collect();
        let said = COLUMNS.iter().flat_map(Column::storages);
        assert_eq!(said.map(|said| said.0).collect::<Vec<_>>(), written);
    }

    #[test]
    fn readers_without_the_schema_know_what_tags_hold() {
        for (name, kind) in tags() {
            assert_eq!(crate::rows::tag_value::kind(name), kind, "{name}");
        }
    }

    #[test]
    fn tags_are_read_from_the_columns_of_tags() {
        let is_tag = |column: &Column| matches!(column.content, Content::Tag(..));
        assert!(COLUMNS[..TAG_COLUMNS].iter().all(is_tag));
        assert!(!COLUMNS[TAG_COLUMNS..].iter().any(is_tag));
    }

    #[test]
    fn names_differ() {
        // Many tools ignore case.
        let name = |column: &Column| column.name.to_ascii_lowercase();
        let mut names: Vec<String> = COLUMNS.iter().map(name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COLUMNS.len());
    }

    #[test]
    fn what_is_needed_tells_games_from_other_tables() {
        let needed: Vec<&str> = needed().collect();
        assert_eq!(needed, ["layout", "checksum", "moves"]);
    }
}
