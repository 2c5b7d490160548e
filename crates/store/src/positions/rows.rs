//! The rows of a group of positions, and which of their checksums can be compared.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BinaryArray, Int32Array, Int64Array, RecordBatch, StringArray, StructArray, UInt32Array,
};

use super::row::StoredPosition;

/// The columns without which a file of positions is not ours.
pub(crate) const NEEDED: [&str; 5] = ["position", "layout", "verbatim", "line", "checksum"];

/// The columns that positions are made of.
pub(crate) const USED: [&str; 8] = [
    "position",
    "halfmove_clock",
    "fullmove_number",
    "rest",
    "layout",
    "patch",
    "verbatim",
    "checksum",
];

/// The records of a row group.
#[derive(Debug)]
pub struct PositionRows {
    batches: Vec<Batch>,
}

#[derive(Debug)]
struct Batch {
    positions: StructArray,
    codecs: StringArray,
    codes: BinaryArray,
    counters: [Option<Int32Array>; 2],
    operations: Vec<(String, StringArray)>,
    rest: Option<StringArray>,
    layout: StringArray,
    patch: Option<BinaryArray>,
    verbatim: BinaryArray,
    marks: Marks,
}

/// What tells which records a checksum covers.
#[derive(Debug)]
struct Marks {
    line: Int64Array,
    source: Option<StringArray>,
    checksum: StructArray,
    records: Int32Array,
    crc: UInt32Array,
}

/// Records that follow one another up to one that has a checksum.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Their rows.
    pub rows: Range<usize>,
    /// The checksum of their bytes, if all that it covers are there.
    pub checksum: Option<u32>,
}

impl PositionRows {
    /// Takes the columns apart; an error names the column whose type is wrong.
    pub(crate) fn new(batches: &[RecordBatch]) -> Result<Self, &'static str> {
        let batches: Result<Vec<Batch>, _> = batches.iter().map(Batch::new).collect();
        Ok(Self { batches: batches? })
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batches.iter().map(|batch| batch.positions.len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record in this row, and its input's name. `None` past the end.
    #[must_use]
    pub fn record(&self, row: usize) -> Option<(StoredPosition<'_>, &str)> {
        let (batch, row) = self.find(row)?;
        Some((batch.record(row), batch.marks.source(row)))
    }

    /// The records in blocks that have a checksum each, as far as they are as they were written.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        blocks(self.len(), |row| self.find(row).map(|(batch, row)| (&batch.marks, row)))
    }

    fn find(&self, mut row: usize) -> Option<(&Batch, usize)> {
        for batch in &self.batches {
            if row < batch.positions.len() {
                return Some((batch, row));
            }
            row -= batch.positions.len();
        }
        None
    }
}

/// How many records of a group have no checksum that could be compared. Needs the columns `line`,
/// `source` and `checksum` alone.
pub(crate) fn unchecked(batches: &[RecordBatch]) -> Result<usize, &'static str> {
    let marks: Vec<Marks> = batches.iter().map(Marks::new).collect::<Result<_, _>>()?;
    let find = |mut row: usize| {
        for marks in &marks {
            if row < marks.line.len() {
                return Some((marks, row));
            }
            row -= marks.line.len();
        }
        None
    };
    let rows = marks.iter().map(|marks| marks.line.len()).sum();
    let without = |block: &Block| block.checksum.is_none();
    Ok(blocks(rows, find).iter().filter(|block| without(block)).map(|block| block.rows.len()).sum())
}

/// A checksum covers a number of records that end with its own. A copy may lack some of them or
/// have them in another order: then nothing can be compared.
fn blocks<'a>(rows: usize, find: impl Fn(usize) -> Option<(&'a Marks, usize)>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut in_order = true;
    for row in 0..rows {
        let Some((marks, at)) = find(row) else { break };
        if row > start
            && let Some((before, place)) = find(row - 1)
        {
            // The pieces of a line that was too long have its number.
            let step = marks.line.value(at).checked_sub(before.line.value(place));
            in_order &= matches!(step, Some(0 | 1)) && marks.source(at) == before.source(place);
        }
        if marks.checksum.is_valid(at) {
            let whole = usize::try_from(marks.records.value(at)) == Ok(row + 1 - start);
            let checksum = (whole && in_order).then(|| marks.crc.value(at));
            blocks.push(Block { rows: start..row + 1, checksum });
            (start, in_order) = (row + 1, true);
        }
    }
    if start < rows {
        blocks.push(Block { rows: start..rows, checksum: None });
    }
    blocks
}

impl Marks {
    fn new(batch: &RecordBatch) -> Result<Self, &'static str> {
        let checksum: StructArray = typed(batch, "checksum")?;
        Ok(Self {
            line: typed(batch, "line")?,
            source: typed(batch, "source").ok(),
            records: child(&checksum, "records").ok_or("checksum")?,
            crc: child(&checksum, "crc").ok_or("checksum")?,
            checksum,
        })
    }

    fn source(&self, row: usize) -> &str {
        self.source.as_ref().map_or("", |source| source.value(row))
    }
}

impl Batch {
    fn new(batch: &RecordBatch) -> Result<Self, &'static str> {
        let positions: StructArray = typed(batch, "position")?;
        let operations = match batch.column_by_name("operations") {
            None => Vec::new(),
            Some(column) => {
                let operations = column.as_struct_opt().ok_or("operations")?;
                let names = operations.column_names().into_iter();
                let texts = names.map(|name| Some((name.to_owned(), child(operations, name)?)));
                texts.collect::<Option<_>>().ok_or("operations")?
            }
        };
        Ok(Self {
            codecs: child(&positions, "codec").ok_or("position")?,
            codes: child(&positions, "code").ok_or("position")?,
            positions,
            counters: [typed(batch, "halfmove_clock").ok(), typed(batch, "fullmove_number").ok()],
            operations,
            rest: typed(batch, "rest").ok(),
            layout: typed(batch, "layout")?,
            patch: typed(batch, "patch").ok(),
            verbatim: typed(batch, "verbatim")?,
            marks: Marks::new(batch)?,
        })
    }

    fn record(&self, row: usize) -> StoredPosition<'_> {
        let valid = |array: &dyn Array| array.is_valid(row);
        let counter = |column: &Option<Int32Array>| {
            let column = column.as_ref().filter(|column| valid(*column))?;
            u32::try_from(column.value(row)).ok()
        };
        let [clocks, numbers] = &self.counters;
        let operations = self.operations.iter().filter(|(_, column)| valid(column));
        let rest = self.rest.as_ref().filter(|rest| valid(*rest));
        StoredPosition {
            position: valid(&self.positions)
                .then(|| (self.codecs.value(row), self.codes.value(row))),
            counters: [counter(clocks), counter(numbers)],
            operations: operations.map(|(name, text)| (name.as_str(), text.value(row))).collect(),
            rest: rest.map_or("", |rest| rest.value(row)),
            layout: valid(&self.layout).then(|| self.layout.value(row)),
            patch: self.patch.as_ref().filter(|patch| valid(*patch)).map(|patch| patch.value(row)),
            verbatim: valid(&self.verbatim).then(|| self.verbatim.value(row)),
        }
    }
}

fn typed<A: Array + Clone + 'static>(
    batch: &RecordBatch,
    name: &'static str,
) -> Result<A, &'static str> {
    let column = batch.column_by_name(name).ok_or(name)?;
    column.as_any().downcast_ref::<A>().cloned().ok_or(name)
}

fn child<A: Array + Clone + 'static>(array: &StructArray, name: &str) -> Option<A> {
    array.column_by_name(name)?.as_any().downcast_ref().cloned()
}
