//! Counts what a packed file holds.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int32Array, ListArray, RecordBatch, StringArray, StructArray};
use parquet::file::metadata::ParquetMetaData;
use plypack_records::Content;

use crate::rows::movetext::AnnotationKind;
use crate::store::columns::Wanted;
use crate::store::games::elements;
use crate::store::row::Reason;

/// The columns needed for counting.
pub(crate) const WANTED: Wanted<'static> = Wanted::Of(&[
    "position.codec",
    "moves.codec",
    "moves.plies",
    "annotations.kind",
    "patch",
    "verbatim_reason",
]);

/// Counts of what a packed file holds.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// What the records are.
    pub kind: Content,
    /// The game's name; empty if nothing is coded.
    pub game: String,
    /// The codecs of the moves or positions.
    pub codecs: Vec<String>,
    /// The number of records.
    pub records: u64,
    /// The number of coded plies.
    pub plies: u64,
    /// The number of coded positions, in a file of positions.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The stored size of each top-level column in bytes.
    pub columns: BTreeMap<String, u64>,
    /// The numbers of records kept verbatim, by reason.
    pub verbatim: BTreeMap<String, u64>,
    /// The number of records with moves or a set-up position that could not be coded.
    pub faulty: u64,
    /// The number of records with a patch.
    pub patched: u64,
    /// The number of variations kept as text, because a move could not be coded.
    pub uncoded_variations: u64,
}

impl Summary {
    /// Returns how many records are kept verbatim.
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().sum()
    }

    /// Makes an empty summary.
    pub(crate) fn of_kind(kind: Content) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Sets the sizes of the file and its columns.
    pub(crate) fn with_sizes(mut self, bytes: u64, metadata: &ParquetMetaData) -> Self {
        self.bytes = bytes;
        for group in metadata.row_groups() {
            self.records += u64::try_from(group.num_rows()).unwrap_or(0);
            for column in group.columns() {
                let name = column.column_path().parts().first().cloned().unwrap_or_default();
                let bytes = u64::try_from(column.compressed_size()).unwrap_or(0);
                let sum = self.columns.entry(name).or_default();
                *sum = sum.saturating_add(bytes);
            }
        }
        self
    }

    /// Counts these rows; an error names the column of a wrong type.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), &'static str> {
        match self.kind {
            Content::Games => self.add_games(batch),
            Content::Positions => self.add_positions(batch),
        }?;
        // The first codec names the game.
        let game = self.codecs.first().and_then(|codec| Some(codec.split_once('/')?.0));
        self.game = game.unwrap_or_default().to_owned();
        Ok(())
    }

    /// Counts these rows of games; an error names the column of a wrong type.
    fn add_games(&mut self, batch: &RecordBatch) -> Result<(), &'static str> {
        let moves = batch.column_by_name("moves").and_then(AsArray::as_struct_opt);
        let moves = moves.ok_or("moves")?;
        let plies = part::<Int32Array>(moves, "plies").ok_or("moves")?;
        let codecs = part::<StringArray>(moves, "codec").ok_or("moves")?;
        // These columns may be absent.
        let kinds = batch.column_by_name("annotations").map(Kinds::new).transpose()?;
        let reasons = batch.column_by_name("verbatim_reason");
        let reasons = reasons.and_then(|column| column.as_string_opt::<i32>());
        for row in 0..batch.num_rows() {
            let reason = self.add_reason(reasons, row);
            if moves.is_null(row) {
                let unread = [Reason::TooLong, Reason::NoText].map(|reason| Some(reason.text()));
                self.faulty += u64::from(!unread.contains(&reason));
                continue;
            }
            self.faulty += u64::from(kinds.as_ref().is_some_and(|kinds| kinds.end_in_rest(row)));
            self.plies += u64::try_from(plies.value(row)).unwrap_or(0);
            self.add_codec(codecs.value(row));
        }
        self.uncoded_variations += kinds.as_ref().map_or(0, Kinds::uncoded);
        self.add_patches(batch);
        Ok(())
    }

    /// Counts these rows of positions; an error names the column of a wrong type.
    fn add_positions(&mut self, batch: &RecordBatch) -> Result<(), &'static str> {
        let positions = batch.column_by_name("position").and_then(AsArray::as_struct_opt);
        let positions = positions.ok_or("position")?;
        let codecs = part::<StringArray>(positions, "codec").ok_or("position")?;
        let reasons = batch.column_by_name("verbatim_reason");
        let reasons = reasons.and_then(|column| column.as_string_opt::<i32>());
        for row in 0..batch.num_rows() {
            let reason = self.add_reason(reasons, row);
            self.faulty += u64::from(reason == Some(Reason::Position.text()));
            if positions.is_valid(row) {
                self.positions += 1;
                self.add_codec(codecs.value(row));
            }
        }
        self.add_patches(batch);
        Ok(())
    }

    /// Counts the reason why a record is kept verbatim, if it is.
    fn add_reason<'a>(&mut self, reasons: Option<&'a StringArray>, row: usize) -> Option<&'a str> {
        let reason = reasons.filter(|reasons| reasons.is_valid(row))?.value(row);
        *self.verbatim.entry(reason.to_owned()).or_default() += 1;
        Some(reason)
    }

    fn add_codec(&mut self, codec: &str) {
        if !self.codecs.iter().any(|known| known == codec) {
            self.codecs.push(codec.to_owned());
        }
    }

    fn add_patches(&mut self, batch: &RecordBatch) {
        let patches = batch.column_by_name("patch");
        let patched = patches.map_or(0, |patches| patches.len() - patches.null_count());
        self.patched += patched as u64;
    }
}

/// The kinds of annotations.
struct Kinds<'a> {
    list: &'a ListArray,
    kinds: &'a StringArray,
}

impl<'a> Kinds<'a> {
    fn new(annotations: &'a ArrayRef) -> Result<Self, &'static str> {
        const NAME: &str = "annotations";
        let list = annotations.as_list_opt().ok_or(NAME)?;
        let elements = list.values().as_struct_opt().ok_or(NAME)?;
        Ok(Self { list, kinds: part(elements, "kind").ok_or(NAME)? })
    }

    /// Returns how many variations could not be coded.
    fn uncoded(&self) -> u64 {
        let name = AnnotationKind::Uncoded.name();
        self.kinds.iter().filter(|kind| *kind == Some(name)).count() as u64
    }

    /// Returns whether a record's coded moves are followed by others that could not be coded.
    fn end_in_rest(&self, row: usize) -> bool {
        let last = elements(self.list, row).next_back();
        last.is_some_and(|last| self.kinds.value(last) == AnnotationKind::Rest.name())
    }
}

/// Returns a part of a struct as the expected type.
fn part<'a, A: Array + 'static>(array: &'a StructArray, name: &str) -> Option<&'a A> {
    array.column_by_name(name)?.as_any().downcast_ref()
}
