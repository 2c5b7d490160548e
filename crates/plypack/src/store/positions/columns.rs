//! Builds the columns of a row group of positions.

use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Int32Builder, Int64Builder, StringBuilder, UInt32Builder,
};
use arrow_array::{ArrayRef, StructArray};
use plypack_core::ErasedPositionCodec;
use plypack_core::position::Counters;
use plypack_games::{position_text, stored_text};
use rayon::prelude::*;

use super::row::PackedPosition;
use super::schema::{CHECKSUM_FIELDS, CHECKSUM_RECORDS, POSITION_FIELDS, operation_fields};

/// A line to be written to a row.
pub(crate) struct Entry<'a> {
    /// The line.
    pub record: &'a PackedPosition<'a>,
    /// The codec of its position.
    pub codec: &'static dyn ErasedPositionCodec,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its number in its input, from 1.
    pub line: u64,
    /// The name of its input.
    pub source: &'a str,
    /// The number of records of its input, if it is the last one.
    pub source_records: Option<u64>,
    /// Whether it is the last of its input in this group.
    pub last: bool,
}

/// Positions coded together: the row, text and counters of each.
#[derive(Default)]
struct Block {
    rows: Vec<usize>,
    texts: Vec<(String, Counters)>,
}

/// Collects the columns, one line at a time.
pub(crate) struct Columns {
    opcodes: Vec<String>,
    /// The codec and the code of each row that has a position.
    positions: Vec<Option<(&'static dyn ErasedPositionCodec, Vec<u8>)>>,
    /// Blocks whose positions are not coded yet, and the open block.
    blocks: Vec<Block>,
    block: Block,
    counters: [Int32Builder; 2],
    operations: Vec<StringBuilder>,
    rest: StringBuilder,
    layout: StringBuilder,
    patch: BinaryBuilder,
    verbatim: BinaryBuilder,
    reason: StringBuilder,
    line: Int64Builder,
    source: StringBuilder,
    source_records: Int64Builder,
    checksum_records: Int32Builder,
    checksum_crc: UInt32Builder,
    has_checksum: Vec<bool>,
    /// The checksum of the records since the last one stored, and their number.
    open: (crc32fast::Hasher, usize),
}

impl Columns {
    pub(crate) fn new(opcodes: &[String]) -> Self {
        Self {
            opcodes: opcodes.to_vec(),
            positions: Vec::new(),
            blocks: Vec::new(),
            block: Block::default(),
            counters: [Int32Builder::new(), Int32Builder::new()],
            operations: opcodes.iter().map(|_| StringBuilder::new()).collect(),
            rest: StringBuilder::new(),
            layout: StringBuilder::new(),
            patch: BinaryBuilder::new(),
            verbatim: BinaryBuilder::new(),
            reason: StringBuilder::new(),
            line: Int64Builder::new(),
            source: StringBuilder::new(),
            source_records: Int64Builder::new(),
            checksum_records: Int32Builder::new(),
            checksum_crc: UInt32Builder::new(),
            has_checksum: Vec::new(),
            open: (crc32fast::Hasher::new(), 0),
        }
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        let Entry { record, codec, bytes, .. } = *entry;
        // Counters that were parsed have at most 31 bits.
        let counters = record
            .counters
            .map(|counter| counter.filter(|&counter| i32::try_from(counter).is_ok()));
        if let Some(text) = &record.text {
            self.block.rows.push(self.positions.len());
            self.block.texts.push((text.clone(), counters));
        }
        self.positions.push(record.code.clone().map(|code| (codec, code)));
        for (column, counter) in self.counters.iter_mut().zip(counters) {
            column.append_option(counter.and_then(|counter| i32::try_from(counter).ok()));
        }
        for (place, column) in self.operations.iter_mut().enumerate() {
            let operand = record.operands.iter().find(|operand| operand.0 == place);
            column.append_option(operand.map(|operand| operand.1));
        }
        self.rest.append_option(Some(record.rest).filter(|rest| !rest.is_empty()));
        self.layout.append_option(Some(&record.layout).filter(|layout| !layout.is_empty()));
        self.patch.append_option(Some(&record.patch).filter(|patch| !patch.is_empty()));
        self.verbatim.append_option(record.layout.is_empty().then_some(bytes));
        self.reason.append_option(record.reason.map(|reason| reason.text()));
        self.line.append_value(i64::try_from(entry.line).unwrap_or(i64::MAX));
        self.source.append_value(entry.source);
        let records = entry.source_records.and_then(|records| i64::try_from(records).ok());
        self.source_records.append_option(records);
        self.push_checksum(bytes, entry.last);
    }

    fn push_checksum(&mut self, bytes: &[u8], last: bool) {
        let (crc, records) = &mut self.open;
        crc.update(bytes);
        *records += 1;
        let closes = last || *records == CHECKSUM_RECORDS;
        self.has_checksum.push(closes);
        let records = i32::try_from(*records).unwrap_or(i32::MAX);
        self.checksum_records.append_value(if closes { records } else { 0 });
        if closes && !self.block.rows.is_empty() {
            self.blocks.push(std::mem::take(&mut self.block));
        }
        if closes {
            let (crc, _) = std::mem::take(&mut self.open);
            self.checksum_crc.append_value(crc.finalize());
        } else {
            self.checksum_crc.append_value(0);
        }
    }

    /// Codes the waiting blocks of positions, on all threads.
    fn code_blocks(&mut self) {
        let positions = &self.positions;
        let code = |block: &Block| {
            let codec = block.rows.first().and_then(|&row| positions.get(row)?.as_ref())?.0;
            let texts: Vec<(&str, Counters)> =
                block.texts.iter().map(|(text, counters)| (text.as_str(), *counters)).collect();
            codec.encode_block(&texts).ok().map(|code| (codec, code))
        };
        let codes: Vec<_> = self.blocks.par_iter().map(code).collect();
        for (block, code) in std::mem::take(&mut self.blocks).into_iter().zip(codes) {
            match code {
                Some((_, code)) => {
                    let first = block.rows.first().and_then(|&row| self.positions.get_mut(row));
                    if let Some(Some((_, first))) = first {
                        *first = code;
                    }
                }
                // Positions that a game can read but its blocks cannot hold are kept as text.
                None => block.rows.iter().zip(&block.texts).for_each(|(&row, (text, _))| {
                    if let Some(Some((codec, code))) = self.positions.get_mut(row) {
                        *codec = position_text(codec.game().info().name);
                        *code = text.clone().into_bytes();
                    }
                }),
            }
        }
    }

    /// Returns the column of codecs and codes.
    fn finish_positions(&mut self) -> StructArray {
        self.code_blocks();
        let (mut codecs, mut codes) = (StringBuilder::new(), BinaryBuilder::new());
        let mut valid = Vec::with_capacity(self.positions.len());
        for position in &self.positions {
            valid.push(position.is_some());
            match position {
                Some((codec, code)) => {
                    codecs.append_value(stored_text(codec.game(), codec.info()));
                    codes.append_value(code);
                }
                None => {
                    codecs.append_value("");
                    codes.append_value([]);
                }
            }
        }
        let position: Vec<ArrayRef> = vec![Arc::new(codecs.finish()), Arc::new(codes.finish())];
        StructArray::new(POSITION_FIELDS.clone(), position, Some(valid.into()))
    }

    /// Returns the arrays in schema order.
    pub(crate) fn finish(mut self) -> Vec<ArrayRef> {
        let position = self.finish_positions();
        let [clocks, numbers] = &mut self.counters;
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(position), Arc::new(clocks.finish()), Arc::new(numbers.finish())];
        if !self.opcodes.is_empty() {
            let columns = self.operations.iter_mut();
            let columns = columns.map(|column| Arc::new(column.finish()) as ArrayRef).collect();
            let fields = operation_fields(&self.opcodes);
            arrays.push(Arc::new(StructArray::new(fields, columns, None)));
        }
        let checksum: Vec<ArrayRef> =
            vec![Arc::new(self.checksum_records.finish()), Arc::new(self.checksum_crc.finish())];
        let checksum =
            StructArray::new(CHECKSUM_FIELDS.clone(), checksum, Some(self.has_checksum.into()));
        arrays.push(Arc::new(self.rest.finish()));
        arrays.push(Arc::new(self.layout.finish()));
        arrays.push(Arc::new(self.patch.finish()));
        arrays.push(Arc::new(self.verbatim.finish()));
        arrays.push(Arc::new(self.reason.finish()));
        arrays.push(Arc::new(self.line.finish()));
        arrays.push(Arc::new(self.source.finish()));
        arrays.push(Arc::new(self.source_records.finish()));
        arrays.push(Arc::new(checksum));
        arrays
    }
}
