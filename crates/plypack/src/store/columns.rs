//! Selects the columns of a file, and those that a row group must be read for.

use std::collections::BTreeMap;

use parquet::basic::Repetition;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use crate::store::games;

/// The columns of lines: of annotations all but the texts.
pub(crate) const LINES: [&str; 9] = [
    "moves",
    "annotations.skip",
    "annotations.kind",
    "annotations.plies",
    "annotations.code",
    "clocks",
    "evals",
    "reviews",
    "layout",
];

/// The columns to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// All columns of the file.
    All,
    /// Columns by name: whole ones, such as `moves`, or parts, such as `moves.plies` or
    /// `annotations.kind`.
    Of(&'a [&'a str]),
}

impl Wanted<'_> {
    /// The main lines only.
    pub const MOVES: Wanted<'static> = Wanted::Of(&["moves"]);

    /// The main lines and everything that branches from them.
    pub const LINES: Wanted<'static> = Wanted::Of(&LINES);

    /// The tags in order, with the set-up position.
    pub const TAGS: Wanted<'static> = Wanted::Of(&games::schema::TAGS);

    /// The tags, and the checksum, which identifies a record while rows may move.
    pub const TAGS_AND_CHECKSUM: Wanted<'static> = Wanted::Of(&games::schema::TAGS_AND_CHECKSUM);

    /// The tags and the main lines: what a list of games shows, and what proves that a game reaches
    /// a position.
    pub const TAGS_AND_MOVES: Wanted<'static> = Wanted::Of(&games::schema::TAGS_AND_MOVES);

    /// Returns whether this column of the Parquet file is wanted, by the names of the whole column
    /// and its innermost part.
    fn has(self, parts: &[String]) -> bool {
        let Self::Of(names) = self else { return true };
        let (whole, part) = (parts.first(), parts.last());
        names.iter().any(|name| match name.split_once('.') {
            Some((first, last)) => {
                whole.is_some_and(|w| w == first) && part.is_some_and(|p| p == last)
            }
            None => whole.is_some_and(|w| w == name),
        })
    }

    /// Returns the numbers of the wanted columns, as Parquet counts them.
    pub(crate) fn leaves(self, schema: &SchemaDescriptor) -> Vec<usize> {
        let wanted = |&leaf: &usize| self.has(schema.column(leaf).path().parts());
        (0..schema.num_columns()).filter(wanted).collect()
    }
}

/// What the footer tells about a row group's columns.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The numbers of the columns that have to be read.
    pub leaves: Vec<usize>,
    /// Columns of codes that all use one codec, and its name.
    pub codecs: BTreeMap<String, String>,
}

/// Drops columns without values in a row group, and codec names that are the same in all of its
/// rows: what the statistics tell need not be read.
pub(crate) fn known(leaves: &[usize], group: &RowGroupMetaData) -> Known {
    let mut known = Known::default();
    let of = |leaf: usize| group.columns().get(leaf);
    let whole = |leaf: usize| of(leaf).and_then(|column| column.column_path().parts().first());
    let empty: Vec<&String> = leaves
        .iter()
        .filter(|&&leaf| of(leaf).is_some_and(is_empty))
        .filter_map(|&leaf| whole(leaf))
        .collect();
    for &leaf in leaves {
        let Some((column, name)) = of(leaf).zip(whole(leaf)) else { continue };
        if empty.contains(&name) {
            continue;
        }
        let parts = column.column_path().parts();
        let is_codec = parts.len() == 2 && parts.last().is_some_and(|part| part == "codec");
        let others = leaves.iter().any(|&other| other != leaf && whole(other) == Some(name));
        match constant(column).filter(|_| is_codec && others) {
            Some(codec) => _ = known.codecs.insert(name.clone(), codec),
            None => known.leaves.push(leaf),
        }
    }
    known
}

/// Returns whether a column, or the whole that it is a required part of, has no value in any row.
pub(crate) fn is_empty(column: &ColumnChunkMetaData) -> bool {
    let descriptor = column.column_descr();
    let info = descriptor.self_type().get_basic_info();
    let required = info.has_repetition() && info.repetition() == Repetition::REQUIRED;
    let nulls = column.statistics().and_then(Statistics::null_count_opt);
    let whole = column.column_path().parts().len() == 1;
    (whole || required)
        && nulls.is_some_and(|nulls| i64::try_from(nulls) == Ok(column.num_values()))
}

/// Returns the text that a column has wherever it has one, if it is short.
fn constant(column: &ColumnChunkMetaData) -> Option<String> {
    let statistics = column.statistics().filter(|s| s.min_is_exact() && s.max_is_exact())?;
    let (min, max) = (statistics.min_bytes_opt()?, statistics.max_bytes_opt()?);
    let text = (min == max).then(|| std::str::from_utf8(min).ok()).flatten()?;
    Some(text.to_owned())
}
