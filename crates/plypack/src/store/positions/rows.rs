//! The rows of a group of positions, and which of their checksums can be verified.

use std::ops::Range;
use std::sync::OnceLock;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BinaryArray, Int32Array, Int64Array, RecordBatch, StringArray, StructArray, UInt32Array,
};

use super::row::StoredPosition;
use crate::rows::RowError;

/// The columns that every file of positions has.
pub const NEEDED: [&str; 4] = ["position", "layout", "line", "checksum"];

/// The columns that positions are built from.
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
    blocks: Vec<Block>,
    /// The positions of each block, decoded on demand.
    positions: Vec<OnceLock<Result<Positions, RowError>>>,
}

/// The texts of the positions of a block, by row from its first.
type Positions = Vec<Option<String>>;

/// Why the positions of a block in a copy cannot be decoded.
const NOT_WHOLE: &str = "it is coded together with neighbouring rows, some of which are missing, \
                         have moved or lack a column: use the file that this is a copy of";

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
    verbatim: Option<BinaryArray>,
    marks: Marks,
}

/// The columns that tell which records a checksum covers.
#[derive(Debug)]
struct Marks {
    line: Int64Array,
    source: Option<StringArray>,
    checksum: StructArray,
    records: Int32Array,
    crc: UInt32Array,
}

/// Consecutive records up to one that has a checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Their rows.
    pub rows: Range<usize>,
    /// The checksum of their bytes, if it covers exactly these records.
    pub checksum: Option<u32>,
}

impl PositionRows {
    /// Splits batches into columns. An error is the name of the column whose type is wrong.
    pub(crate) fn new(batches: &[RecordBatch]) -> Result<Self, &'static str> {
        let batches: Vec<Batch> = batches.iter().map(Batch::new).collect::<Result<_, _>>()?;
        let mut rows = Self { batches, blocks: Vec::new(), positions: Vec::new() };
        rows.blocks =
            blocks(rows.len(), |row| rows.find(row).map(|(batch, row)| (&batch.marks, row)));
        rows.positions.resize_with(rows.blocks.len(), OnceLock::new);
        Ok(rows)
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.batches.iter().map(|batch| batch.positions.len()).sum()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the record in this row and its input's name. `None` past the end.
    pub fn record(&self, row: usize) -> Option<(StoredPosition<'_>, &str)> {
        let (batch, place) = self.find(row)?;
        let mut record = batch.record(place);
        if record.position.is_some_and(|(codec, _)| is_of_blocks(codec)) {
            record.of_block = Some(self.of_block(row));
        }
        Some((record, batch.marks.source(place)))
    }

    /// Returns the blocks of records that have a checksum each, if they are still complete.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the position in this row, which its block codes.
    fn of_block(&self, row: usize) -> Result<&str, RowError> {
        let number = self.blocks.partition_point(|block| block.rows.end <= row);
        let block = self.blocks.get(number).ok_or(NOT_WHOLE)?;
        let positions = self.positions.get(number).ok_or(NOT_WHOLE)?;
        let positions =
            positions.get_or_init(|| self.decode(block)).as_ref().map_err(RowError::clone)?;
        let position = row.checked_sub(block.rows.start).and_then(|place| positions.get(place));
        let none = "its block has no position for it: it is damaged";
        Ok(position.and_then(Option::as_deref).ok_or(none)?)
    }

    /// Decodes the positions of a block. The first row with a position has the code of all.
    fn decode(&self, block: &Block) -> Result<Positions, RowError> {
        if block.checksum.is_none() {
            return Err(NOT_WHOLE.into());
        }
        let mut first: Option<(&str, &[u8])> = None;
        let mut known = Vec::new();
        for row in block.rows.clone() {
            let (batch, place) = self.find(row).ok_or(NOT_WHOLE)?;
            let record = batch.record(place);
            let Some((codec, code)) = record.position else { continue };
            match first {
                None => first = Some((codec, code)),
                Some((first, _)) if first == codec && code.is_empty() => {}
                Some(_) => return Err("its block has more than one code: it is damaged".into()),
            }
            if batch.counters.iter().any(Option::is_none) {
                return Err(NOT_WHOLE.into());
            }
            known.push(record.counters);
        }
        let (codec, code) = first.ok_or(NOT_WHOLE)?;
        let texts = StoredPosition::codec(codec)?.decode_block(code, &known)?;
        let mut texts = texts.into_iter();
        let position = |row: usize| {
            let has_one = self.find(row).is_some_and(|(batch, row)| batch.positions.is_valid(row));
            has_one.then(|| texts.next()).flatten()
        };
        Ok(block.rows.clone().map(position).collect())
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

/// Whether this codec codes positions in blocks.
fn is_of_blocks(codec: &str) -> bool {
    plypack_games::stored_position_codec(codec).is_ok_and(|codec| codec.has_blocks())
}

/// Counts the records of a group whose checksum cannot be verified. Needs only the columns `line`,
/// `source` and `checksum`.
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

/// Splits rows into blocks by their checksums. A checksum covers a number of records, of which its
/// own is the last. In a copy some may be missing or reordered; then it cannot be verified.
fn blocks<'a>(rows: usize, find: impl Fn(usize) -> Option<(&'a Marks, usize)>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut in_order = true;
    for row in 0..rows {
        let Some((marks, at)) = find(row) else { break };
        if row > start
            && let Some((before, place)) = find(row - 1)
        {
            // The pieces of a line that was too long share its number.
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
            verbatim: typed(batch, "verbatim").ok(),
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
            of_block: None,
            counters: [counter(clocks), counter(numbers)],
            operations: operations.map(|(name, text)| (name.as_str(), text.value(row))).collect(),
            rest: rest.map_or("", |rest| rest.value(row)),
            layout: valid(&self.layout).then(|| self.layout.value(row)),
            patch: self.patch.as_ref().filter(|patch| valid(*patch)).map(|patch| patch.value(row)),
            verbatim: self
                .verbatim
                .as_ref()
                .filter(|verbatim| valid(*verbatim))
                .map(|verbatim| verbatim.value(row)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::positions::row::{PackedPosition, pack};
    use crate::store::positions::schema::schema;
    use crate::store::positions::{Columns, Entry, default_codec};
    use plypack_core::ErasedPositionCodec;
    use plypack_records::charset::Charset;

    /// Lines of a file: positions along a game, some with counters, with comments in between.
    fn lines() -> Vec<String> {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("it is registered");
        let mut cursor = codec.cursor(None, 0, &[]).expect("the usual start");
        let mut lines = Vec::new();
        for ply in 0..600usize {
            let mut text = String::new();
            cursor.write_position(&mut text);
            cursor.read(moves[ply % 4]).expect("legal");
            let words: Vec<&str> = text.split(' ').collect();
            lines.push(match ply % 50 {
                49 => "# a comment\n".to_owned(),
                place if place % 3 == 0 => format!("{}\n", words[..4].join(" ")),
                _ => format!("{text}\n"),
            });
        }
        lines
    }

    fn packed(lines: &[String], codec: &'static dyn ErasedPositionCodec) -> RecordBatch {
        let mut columns = Columns::new(&[]);
        for (number, line) in (1..).zip(lines) {
            let record: PackedPosition<'_> =
                pack(codec, &[], line.as_bytes(), (Charset::Utf8, line), false);
            columns.push(&Entry {
                record: &record,
                codec,
                bytes: line.as_bytes(),
                line: number,
                source: "positions.epd",
                source_records: None,
                last: number == lines.len() as u64,
            });
        }
        RecordBatch::try_new(schema(&[]), columns.finish()).expect("columns of the schema")
    }

    fn rendered(rows: &PositionRows, row: usize) -> Result<Vec<u8>, RowError> {
        let (record, _) = rows.record(row).expect("a row");
        record.render().map(std::borrow::Cow::into_owned)
    }

    #[test]
    fn blocks_come_back_line_by_line() {
        let lines = lines();
        let batch = packed(&lines, default_codec("chess"));
        let rows = PositionRows::new(&[batch.slice(0, 100), batch.slice(100, 500)]).expect("rows");
        assert_eq!(rows.blocks().len(), 3);
        // In any order of access.
        for row in (0..600).rev() {
            assert_eq!(rendered(&rows, row).as_deref(), Ok(lines[row].as_bytes()), "{row}");
        }
        let codes: Vec<usize> = (0..600)
            .filter_map(|row| {
                rows.record(row).and_then(|(record, _)| Some(record.position?.1.len()))
            })
            .collect();
        assert_eq!(codes.iter().filter(|&&code| code > 0).count(), 3);
        assert!(codes.iter().sum::<usize>() < 600, "a byte each, as they resemble each other");
    }

    #[test]
    fn a_block_whose_rows_are_not_all_there_is_refused() {
        let lines = lines();
        let batch = packed(&lines, default_codec("chess"));
        let refused = |batches: &[RecordBatch], row: usize| {
            let rows = PositionRows::new(batches).expect("rows");
            rendered(&rows, row).expect_err("it is refused").to_string().contains("use the file")
        };
        // Rows 256 to 511 are a block. Comments need none.
        assert!(refused(&[batch.slice(300, 300)], 0));
        assert!(refused(&[batch.slice(256, 10), batch.slice(270, 242)], 250));
        assert!(refused(&[batch.slice(300, 212), batch.slice(256, 44)], 7));
        assert!(refused(&[batch.slice(256, 200)], 0));
        let lacking: Vec<usize> = (0..batch.num_columns()).filter(|&column| column != 2).collect();
        assert!(refused(&[batch.project(&lacking).expect("columns")], 0));
        let whole = PositionRows::new(&[batch.slice(256, 256)]).expect("rows");
        assert_eq!(rendered(&whole, 9).as_deref(), Ok(lines[265].as_bytes()));
        let alone =
            packed(&lines, plypack_games::position_codec("chess", "board.aligned").expect("it"));
        let alone = PositionRows::new(&[alone.slice(300, 5)]).expect("rows");
        assert_eq!(rendered(&alone, 3).as_deref(), Ok(lines[303].as_bytes()));
    }
}
