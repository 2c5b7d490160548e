//! Which columns of a file are wanted, and which of them a row group has to be read for.

use std::collections::BTreeMap;

use parquet::basic::Repetition;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use crate::games;

/// The columns that a reader wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// All that the file has.
    All,
    /// Those of these names: a whole column, as `moves`, or one part of it, as `moves.plies` or
    /// `annotations.kind`.
    Of(&'a [&'a str]),
}

impl Wanted<'_> {
    /// The main lines alone.
    pub const MOVES: Wanted<'static> = Wanted::Of(&["moves"]);

    /// The main lines, and all that branches from them.
    pub const LINES: Wanted<'static> =
        Wanted::Of(&["moves", "annotations", "clocks", "evals", "reviews", "layout"]);

    /// The tags in their order, the set-up position among them.
    pub const TAGS: Wanted<'static> = Wanted::Of(&games::schema::TAGS);

    /// The tags, and what a record is named by for as long as rows may move.
    pub const TAGS_AND_CHECKSUM: Wanted<'static> = Wanted::Of(&games::schema::TAGS_AND_CHECKSUM);

    /// The tags and the main lines: what a list of games shows, and what proves that a game reaches
    /// a position.
    pub const TAGS_AND_MOVES: Wanted<'static> = Wanted::Of(&games::schema::TAGS_AND_MOVES);

    /// Whether this column of the Parquet file is wanted, by the names of the whole and of the
    /// innermost part.
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

    /// The numbers of the wanted columns, as Parquet counts them.
    pub(crate) fn leaves(self, schema: &SchemaDescriptor) -> Vec<usize> {
        let wanted = |&leaf: &usize| self.has(schema.column(leaf).path().parts());
        (0..schema.num_columns()).filter(wanted).collect()
    }
}

/// What the footer already tells of a row group's columns.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The numbers of the columns that have to be read.
    pub leaves: Vec<usize>,
    /// Columns of codes all of which were made by one codec, and its name.
    pub codecs: BTreeMap<String, String>,
}

/// Leaves out the columns that have nothing in a row group, and the names of codecs that are the
/// same in all of its rows: what statistics tell needs no range.
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

/// Whether a column of the file, or what it is a required part of, has nothing in any row.
fn is_empty(column: &ColumnChunkMetaData) -> bool {
    let descriptor = column.column_descr();
    let info = descriptor.self_type().get_basic_info();
    let required = info.has_repetition() && info.repetition() == Repetition::REQUIRED;
    let nulls = column.statistics().and_then(Statistics::null_count_opt);
    let whole = column.column_path().parts().len() == 1;
    (whole || required)
        && nulls.is_some_and(|nulls| i64::try_from(nulls) == Ok(column.num_values()))
}

/// The text that a column has in every row in which it has one, if it is short.
fn constant(column: &ColumnChunkMetaData) -> Option<String> {
    let statistics = column.statistics().filter(|s| s.min_is_exact() && s.max_is_exact())?;
    let (min, max) = (statistics.min_bytes_opt()?, statistics.max_bytes_opt()?);
    let text = (min == max).then(|| std::str::from_utf8(min).ok()).flatten()?;
    Some(text.to_owned())
}
