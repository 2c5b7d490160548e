//! Packs a group of records into the columns of a row group, with the same result on any number of
//! threads. The columns depend on the file's content, games or positions.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use crate::reading::identify::Decoded;
use arrow_array::ArrayRef;
use plypack_games::line_codec_like;
use plypack_records::Content;
use plypack_records::charset::{self, Charset};
use plypack_records::tag_order::Templates;
use rayon::prelude::*;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::games;
use crate::store::import::{Options, Report, Tally};
use crate::store::index::Builder;
use crate::store::input::{Group, Span};
use crate::store::pack::Packer;
use crate::store::positions;
use crate::store::positions::row::PackedPosition;
use crate::store::row::PackedRecord;
use crate::store::schema::{Form, GROUP_BYTES_MAX};

/// How many records share one history of layouts, on one thread. It affects the stored bytes, so it
/// does not depend on the number of threads.
const CHUNK_RECORDS: usize = 512;

/// How many lines of a position file decide which opcodes get columns.
const OPCODE_LINES: usize = 16_384;

/// Files with fewer games have no page index: it would take up to 3 % of the file, and all columns
/// together hardly exceed the cost of one record in a large file.
pub(crate) const INDEXED_RECORDS_MIN: usize = 4_096;

/// The columns of a file.
pub(crate) enum Sheet {
    /// Games, and whether the file has a page index.
    Games { indexed: bool },
    /// Positions, and the opcodes that have columns.
    Positions { opcodes: Vec<String> },
}

impl Sheet {
    /// Returns the columns of a file that begins with this group.
    pub fn new(kind: Content, first: Option<&Group>, options: &Options) -> Self {
        match (kind, first) {
            (Content::Games, first) => Self::Games { indexed: first.is_some_and(is_large) },
            (Content::Positions, None) => Self::Positions { opcodes: Vec::new() },
            (Content::Positions, Some(group)) => {
                Self::Positions { opcodes: frequent_opcodes(group, options) }
            }
        }
    }

    /// Returns the columns of a file that is appended to, starting with this group.
    pub fn like(file: &PackedFile, first: Option<&Group>) -> Result<Self, Error> {
        Ok(match file.kind() {
            Content::Games => {
                let is_large = file.records() >= INDEXED_RECORDS_MIN as u64;
                let indexed =
                    is_large || file.has_page_index()? || first.is_some_and(self::is_large);
                Self::Games { indexed }
            }
            Content::Positions => Self::Positions { opcodes: file.opcodes() },
        })
    }

    /// Returns the columns of a file.
    pub fn form(&self) -> Form {
        match self {
            Self::Games { indexed } => games::schema::form(*indexed),
            Self::Positions { opcodes } => positions::schema::form(opcodes),
        }
    }

    /// Packs a group of records, until `stop` is set. Games are added to `index`, if any.
    pub fn columns(
        &self,
        group: &Group,
        options: &Options,
        stop: &AtomicBool,
        report: &mut Report,
        tally: &mut Tally,
        index: Option<&mut Builder>,
    ) -> Result<Vec<ArrayRef>, Error> {
        match self {
            Self::Games { .. } => game_columns(group, options, stop, report, tally, index),
            Self::Positions { opcodes } => position_columns(group, options, opcodes, stop, report),
        }
    }
}

/// Returns whether a file that begins with this group is worth a page index: it has many games, or
/// a row group full of long ones.
fn is_large(first: &Group) -> bool {
    first.records.len() >= INDEXED_RECORDS_MIN || first.bytes.len() >= GROUP_BYTES_MAX
}

/// Returns the opcodes that get their own columns, from the first lines of a group.
fn frequent_opcodes(group: &Group, options: &Options) -> Vec<String> {
    let lines = group.records.iter().take(OPCODE_LINES).map(|span| {
        let codec = options.position_codec(group.origin(span));
        (codec, charset::decode(group.bytes(span), codec.game().info().signs))
    });
    let lines: Vec<_> = lines.collect();
    let lines = lines.iter().map(|(codec, (charset, text))| (*codec, *charset, text.as_ref()));
    positions::row::frequent_opcodes(lines)
}

/// Packs a group of games.
fn game_columns(
    group: &Group,
    options: &Options,
    stop: &AtomicBool,
    report: &mut Report,
    tally: &mut Tally,
    index: Option<&mut Builder>,
) -> Result<Vec<ArrayRef>, Error> {
    let scans = index.is_some();
    let (usual, detect) = (options.codec.game(), options.detect);
    let decode = |span: &Span| group.origin(span).decode(group.bytes(span), usual, detect);
    let texts: Vec<Decoded<'_>> = group.records.par_iter().map(decode).collect();
    let mut packed: Vec<Vec<PackedRecord<'_>>> = group
        .records
        .par_chunks(CHUNK_RECORDS)
        .zip(texts.par_chunks(CHUNK_RECORDS))
        .map(|(spans, texts)| pack_games(group, spans, texts, options, scans, stop))
        .collect::<Result<_, _>>()?;
    if let Some(index) = index {
        let scans = packed.iter_mut().flatten().map(|record| record.scan.take());
        let scans = scans.map(Option::unwrap_or_default);
        index.add(scans).map_err(Error::io("the index"))?;
        index.end_group();
    }
    let mut templates = Templates::default();
    let mut orders = Vec::with_capacity(group.records.len());
    for (span, record) in group.records.iter().zip(packed.iter().flatten()) {
        report.plies += record.line.as_ref().map_or(0, |line| u64::from(line.plies));
        report.add(group, span, record.layout.as_ref().err().copied(), record.fault.as_ref());
        tally.add(group, span, is_understood(record, group.bytes(span)), report);
        orders.push(record.layout.is_ok().then(|| templates.assign(&record.tag_names)));
    }
    // Later records may extend templates, so their texts are taken at the end.
    let orders = orders.into_iter().map(|order| order.map(|number| templates.text(number)));
    let mut columns = games::Columns::new();
    for ((span, record), order) in group.records.iter().zip(packed.iter().flatten()).zip(orders) {
        columns.push(&games::Entry {
            record,
            bytes: group.bytes(span),
            source: &group.origin(span).name,
            number: span.number,
            last: span.last,
            tag_order: order.as_deref(),
        });
    }
    // Texts decoded from other encodings are large, and the columns now hold copies.
    drop(packed);
    drop(texts);
    crate::store::work::check(stop)?;
    Ok(columns.finish())
}

/// Returns whether anything in a record is understood: a tag, a move, or that it is empty.
fn is_understood(record: &PackedRecord<'_>, bytes: &[u8]) -> bool {
    let empty = || matches!(bytes.trim_ascii(), b"" | b"*" | b"1-0" | b"0-1" | b"1/2-1/2");
    let has_moves = record.line.as_ref().is_some_and(|line| line.plies > 0);
    has_moves || !record.tag_names.is_empty() || empty()
}

/// Packs consecutive games with a shared history of layouts.
fn pack_games<'a>(
    group: &Group,
    spans: &[Span],
    texts: &'a [Decoded<'_>],
    options: &Options,
    scans: bool,
    stop: &AtomicBool,
) -> Result<Vec<PackedRecord<'a>>, Error> {
    let mut packer = Packer::new(options.codec);
    packer.scan(scans);
    let mut records = Vec::with_capacity(spans.len());
    for (span, Decoded { game, charset, text }) in spans.iter().zip(texts) {
        crate::store::work::check(stop)?;
        packer.read_as(group.origin(span).identity.format);
        packer.code_with(line_codec_like(options.codec, game.info().name));
        records.push(packer.pack(group.bytes(span), *charset, text, span.piece));
    }
    Ok(records)
}

/// Packs a group of positions.
fn position_columns(
    group: &Group,
    options: &Options,
    opcodes: &[String],
    stop: &AtomicBool,
    report: &mut Report,
) -> Result<Vec<ArrayRef>, Error> {
    let codec = |span: &Span| options.position_codec(group.origin(span));
    let mut columns = positions::Columns::new(opcodes);
    let mut following = group.records.iter().skip(1);
    // In slices, so that not all packed rows are in memory together with the columns.
    for spans in group.records.chunks(16 * CHUNK_RECORDS) {
        crate::store::work::check(stop)?;
        let read =
            |span: &Span| charset::decode(group.bytes(span), codec(span).game().info().signs);
        let texts: Vec<(Charset, Cow<'_, str>)> = spans.par_iter().map(read).collect();
        let packed: Vec<PackedPosition<'_>> = spans
            .par_iter()
            .zip(&texts)
            .map(|(span, (charset, text))| {
                let bytes = group.bytes(span);
                positions::row::pack(codec(span), opcodes, bytes, (*charset, text), span.piece)
            })
            .collect();
        for (span, record) in spans.iter().zip(&packed) {
            report.add(group, span, record.reason, record.fault.as_ref());
            report.positions += u64::from(record.code.is_some());
            let entry = positions::Entry {
                record,
                codec: codec(span),
                bytes: group.bytes(span),
                line: span.line,
                source: &group.origin(span).name,
                source_records: span.last.then_some(span.number),
                last: following.next().is_none_or(|next| next.origin != span.origin),
            };
            columns.push(&entry);
        }
    }
    Ok(columns.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::input::{Groups, Source};

    /// Returns whether a file of this many copies of a game has an index.
    fn is_indexed(game: &str, copies: usize) -> bool {
        let reader = Box::new(std::io::Cursor::new(game.repeat(copies).into_bytes()));
        let source = Source::new("games.pgn", reader);
        let mut groups = Groups::new(vec![source], plypack_games::GAMES.to_vec());
        is_large(&groups.next_group().expect("memory").expect("games"))
    }

    #[test]
    fn files_of_many_games_or_of_long_ones_have_an_index() {
        let game = "[Event \"x\"]\n\n1. e4 e5 *\n\n";
        assert!(!is_indexed(game, INDEXED_RECORDS_MIN - 1));
        assert!(is_indexed(game, INDEXED_RECORDS_MIN));
        let long = format!("[Event \"x\"]\n\n1. e4 {{{}}} e5 *\n\n", "talk ".repeat(4_000));
        assert!(!is_indexed(&long, 500));
        assert!(is_indexed(&long, 1_000));
    }
}
