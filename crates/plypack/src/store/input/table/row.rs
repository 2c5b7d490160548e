//! Writes a row of a table as a PGN record, in Lichess's style.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int64Type, Time32MillisecondType};
use arrow_array::{Array, RecordBatch};
use plypack_records::Splitter;
use plypack_records::pgn::{PgnSplitter, RESULTS};

use super::columns::{Columns, Tag};
use crate::store::games::schema::TagType;
use crate::store::tag_value;

/// A record that may precede and follow any other.
const NEIGHBOUR: &str = "1. e4 *\n\n";

/// Milliseconds per day.
const DAY: i32 = 86_400_000;

/// Writes a row; an error says what PGN cannot hold.
pub(super) fn write(
    rows: &RecordBatch,
    row: usize,
    columns: &Columns,
    text: &mut String,
) -> Result<(), String> {
    let mut result = None;
    for tag in &columns.tags {
        let Some(value) = value(rows, row, tag)? else { continue };
        if tag.name == "Result" {
            result = RESULTS.into_iter().find(|result| **result == *value);
        }
        write_tag(&tag.name, &value, text)?;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let movetext = rows.column(columns.movetext).as_string_opt::<i32>();
    let movetext = movetext.filter(|column| column.is_valid(row)).map(|column| column.value(row));
    let movetext = movetext.unwrap_or_default().trim_ascii();
    text.push_str(movetext);
    let last = movetext.split_ascii_whitespace().next_back();
    if last.is_none_or(|last| !RESULTS.contains(&last)) {
        if !movetext.is_empty() {
            text.push(' ');
        }
        text.push_str(result.unwrap_or("*"));
    }
    text.push_str("\n\n");
    if is_one_record(text) {
        return Ok(());
    }
    Err("its movetext is not a single game: it has tags, several results or an unclosed comment; \
         correct it or leave the row out"
        .into())
}

/// Returns the text of a tag, if the row has it.
fn value<'a>(rows: &'a RecordBatch, row: usize, tag: &Tag) -> Result<Option<Cow<'a, str>>, String> {
    let column = rows.column(tag.place);
    if column.is_null(row) {
        return Ok(None);
    }
    let text = match tag.kind {
        TagType::Text => column.as_string_opt::<i32>().map(|texts| texts.value(row).into()),
        TagType::Number | TagType::Difference => {
            let number = column.as_primitive_opt::<Int64Type>().map(|numbers| numbers.value(row));
            number.map(|number| match tag.kind {
                TagType::Difference => format!("{number:+}").into(),
                _ => number.to_string().into(),
            })
        }
        TagType::Date => {
            let day = column.as_primitive_opt::<Date32Type>().map(|days| days.value(row));
            let day = day.filter(|&day| tag_value::year(day).is_some());
            day.and_then(|day| tag_value::write(tag.kind, day))
        }
        TagType::Time => {
            let times = column.as_primitive_opt::<Time32MillisecondType>();
            let time = times.map(|times| times.value(row));
            let time = time.filter(|time| (0..DAY).contains(time) && time % 1000 == 0);
            time.and_then(|time| tag_value::write(tag.kind, time))
        }
    };
    text.map(Some).ok_or_else(|| {
        let name = &tag.name;
        let wanted = match tag.kind {
            TagType::Date => "day in the years 1 to 9999",
            _ => "time of day in whole seconds",
        };
        format!("its {name} is not a {wanted}; correct it or make it NULL")
    })
}

/// Writes a tag on its own line.
fn write_tag(name: &str, value: &str, text: &mut String) -> Result<(), String> {
    if value.contains(['\n', '\r']) {
        return Err(format!(
            "its {name} has a line break, which a tag cannot hold; replace it with a space"
        ));
    }
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for letter in value.chars() {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push_str("\"]\n");
    Ok(())
}

/// Whether a text between two records is split exactly at its beginning and end.
fn is_one_record(text: &str) -> bool {
    let three = [NEIGHBOUR, text, NEIGHBOUR].concat();
    let records = PgnSplitter::new(b'\n').records(three.as_bytes());
    matches!(records[..], [_, record, _] if record == text.as_bytes())
}
