//! Maps the columns of a table to tags.

use arrow_schema::{DataType, Schema, TimeUnit};

use super::MOVETEXT;
use crate::store::games::schema::{self, TagType};

/// Lichess tags in the order of its PGN files. Other tags follow them.
const ORDER: [&str; 19] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "UTCDate",
    "UTCTime",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "WhiteTitle",
    "BlackTitle",
    "ECO",
    "Opening",
    "TimeControl",
    "Termination",
];

/// The columns of a table of games.
#[derive(Debug)]
pub(super) struct Columns {
    /// The tags, in writing order.
    pub tags: Vec<Tag>,
    /// The index of the movetext among the columns read.
    pub movetext: usize,
    /// The indices in the file of all columns read, ascending.
    roots: Vec<usize>,
    /// The other columns, each with its type.
    pub left_out: Vec<String>,
}

/// A tag column.
#[derive(Debug)]
pub(super) struct Tag {
    /// The tag's name.
    pub name: String,
    /// The column's name.
    column: String,
    /// The column's index in the file, and among the columns read.
    root: usize,
    pub place: usize,
    pub kind: TagType,
}

impl Columns {
    /// Returns the columns of a table of games; `None` if there is no movetext. An error says why
    /// they are not games.
    pub fn of(schema: &Schema) -> Result<Option<Self>, String> {
        let is_movetext = |name: &str| name.eq_ignore_ascii_case(MOVETEXT);
        let mut movetext = None;
        let (mut tags, mut left_out): (Vec<Tag>, _) = (Vec::new(), Vec::new());
        for (root, field) in schema.fields().iter().enumerate() {
            let (column, data_type) = (field.name(), field.data_type());
            if is_movetext(column) {
                if movetext.is_some() {
                    return Err("it has two columns of movetext; leave one out".into());
                }
                if *data_type != DataType::Utf8 {
                    let found = in_words(data_type);
                    return Err(format!("its column `{column}` must be text, but has {found}"));
                }
                movetext = Some(root);
                continue;
            }
            let Some((name, kind)) = name(column).and_then(|name| {
                let kind = kind(&name, data_type)?;
                Some((name, kind))
            }) else {
                left_out.push(format!("`{column}` ({})", in_words(data_type)));
                continue;
            };
            if let Some(other) = tags.iter().find(|other| other.name == name) {
                return Err(format!(
                    "its columns `{}` and `{column}` are both the tag {name}; leave one out",
                    other.column
                ));
            }
            tags.push(Tag { name, column: column.clone(), root, place: 0, kind });
        }
        let Some(movetext) = movetext else { return Ok(None) };
        let mut roots: Vec<usize> = tags.iter().map(|tag| tag.root).chain([movetext]).collect();
        roots.sort_unstable();
        // Every root is among them.
        let place = |root: usize| roots.partition_point(|&other| other < root);
        for tag in &mut tags {
            tag.place = place(tag.root);
        }
        let movetext = place(movetext);
        // A stable sort keeps the others in column order.
        tags.sort_by_key(|tag| {
            ORDER.iter().position(|&name| name == tag.name).unwrap_or(usize::MAX)
        });
        Ok(Some(Self { tags, movetext, roots, left_out }))
    }

    /// Returns the file indices of the columns to read.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        self.roots.iter().copied()
    }

    /// Returns the type that a column is converted to.
    pub fn wanted(&self, column: &str) -> Option<DataType> {
        let tag = self.tags.iter().find(|tag| tag.column == column)?;
        Some(match tag.kind {
            TagType::Text => DataType::Utf8,
            TagType::Number | TagType::Difference => DataType::Int64,
            TagType::Date => DataType::Date32,
            TagType::Time => DataType::Time32(TimeUnit::Millisecond),
        })
    }

    /// Returns what a column's values must be.
    pub fn in_words(&self, column: &str) -> &'static str {
        match self.wanted(column) {
            Some(DataType::Int64) => "whole number",
            Some(DataType::Date32) => "day",
            Some(DataType::Time32(_)) => "time of day in milliseconds",
            _ => "text value",
        }
    }
}

/// Returns the tag for a column name: known tags in their usual spelling, others unchanged.
fn name(column: &str) -> Option<String> {
    let known = ORDER.into_iter().chain(schema::tags().map(|(name, _)| name));
    if let Some(name) = known.into_iter().find(|name| name.eq_ignore_ascii_case(column)) {
        return Some(name.to_owned());
    }
    let is_tag = column.starts_with(|first: char| first.is_ascii_alphabetic())
        && column.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_tag.then(|| column.to_owned())
}

/// Returns how the values of a column are written; `None` if tags cannot hold them.
fn kind(tag: &str, data_type: &DataType) -> Option<TagType> {
    let known = schema::tags().find(|(name, _)| *name == tag).map(|(_, kind)| kind);
    let number = match known {
        Some(TagType::Difference) => TagType::Difference,
        _ => TagType::Number,
    };
    let is_day = known == Some(TagType::Date) || tag.ends_with("Date");
    match data_type {
        DataType::Utf8 => Some(TagType::Text),
        data_type if data_type.is_integer() => Some(number),
        // Written by tools that have no nullable integers.
        DataType::Float64 if matches!(known, Some(TagType::Number | TagType::Difference)) => {
            Some(number)
        }
        DataType::Date32 => Some(TagType::Date),
        // Written by tools that have no dates.
        DataType::Timestamp(..) if is_day => Some(TagType::Date),
        DataType::Time32(_) | DataType::Time64(_) => Some(TagType::Time),
        _ => None,
    }
}

/// Describes a type in terms common to all tools.
fn in_words(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Utf8 => "text, with an invalid tag name",
        DataType::Binary | DataType::FixedSizeBinary(_) => "bytes",
        DataType::Float16 | DataType::Float32 | DataType::Float64 => "numbers with fractions",
        DataType::Decimal128(..) | DataType::Decimal256(..) => "decimal numbers",
        DataType::Timestamp(..) => "timestamps",
        DataType::Boolean => "booleans",
        DataType::Struct(_) => "structs",
        DataType::List(_) => "lists",
        DataType::Map(..) => "maps",
        data_type if data_type.is_integer() => "numbers, with an invalid tag name",
        DataType::Date32 | DataType::Time32(_) | DataType::Time64(_) => {
            "dates or times, with an invalid tag name"
        }
        _ => "another type",
    }
}
