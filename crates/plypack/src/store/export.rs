//! Unpacks records to their bytes, in order, and checks that they are the original ones.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use plypack_core::ErasedRules;
use rayon::prelude::*;

use crate::rows::{Fate, Moves, RowError, stays_sgf};
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::games::Rows;
use crate::store::input::RawRecord;
use crate::store::positions::row::StoredPosition;
use crate::store::positions::schema::CHECKSUM_RECORDS;
use crate::store::positions::{Block, PositionRows};
use crate::store::row::StoredRecord;
use crate::store::work::{self, Done, Work};
use plypack_records::{Content, format};

/// How many records a thread writes at a time: few, so that threads finish together.
const CHUNK_RECORDS: usize = 32;

/// Takes the next bytes, and the name of their input; empty if the file does not tell.
pub type Sink<'a> = dyn FnMut(&str, &[u8]) -> Result<(), Error> + Send + 'a;

/// A record as it was packed.
#[derive(Clone, Copy, Debug)]
pub struct Exported<'a> {
    /// Its row in the file, counted from 0.
    pub row: u64,
    /// The name of its input; empty if the file does not tell.
    pub source: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Consecutive records of one input.
struct Piece {
    source: String,
    bytes: Vec<u8>,
    /// The length of each record in bytes.
    lengths: Vec<usize>,
}

/// The bytes of consecutive records, or an error about one of them.
type Chunk = Result<Vec<Piece>, Error>;

/// Passes the bytes of all records, in order and in pieces, to `sink`.
///
/// A piece comes from one input. The pieces of an input are consecutive in files that plypack
/// writes; in a file that another tool sorted, they may be interleaved.
///
/// Each record's checksum is verified, so the output equals the input.
///
/// # Errors
/// Returns an error if the file cannot be read, a record does not match its original bytes, `sink`
/// fails, or the work is stopped.
pub fn export(file: &PackedFile, work: &Work<'_>, sink: &mut Sink<'_>) -> Result<(), Error> {
    export_rows(file, 0..u64::MAX, work, sink)
}

/// Exports only the records in these rows, counted from 0, as far as the file has them. Of other
/// rows only what checksums need is read.
///
/// # Errors
/// See [`export`].
pub fn export_rows(
    file: &PackedFile,
    rows: Range<u64>,
    work: &Work<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let sink = &mut |piece: &Piece, _| sink(&piece.source, &piece.bytes);
    export_pieces(file, rows, None, work, sink)
}

/// How games are converted, and what became of them so far.
#[derive(Debug)]
pub struct Conversion {
    /// The notation of moves.
    pub moves: Moves,
    /// The number of games of which parts became comments.
    pub changed: AtomicU64,
    /// The number of records that were not written, as nothing of them was understood.
    pub nothing: AtomicU64,
    /// The number of games that were written in SGF, as PGN does not have their game.
    pub sgf: AtomicU64,
}

impl Conversion {
    /// A conversion of no games so far.
    pub fn new(moves: Moves) -> Self {
        let [changed, nothing, sgf] = [(); 3].map(|()| AtomicU64::new(0));
        Self { moves, changed, nothing, sgf }
    }

    /// Counts what became of a record.
    pub fn count(&self, fate: Fate) {
        match fate {
            Fate::Original | Fate::Whole => {}
            Fate::Changed => drop(self.changed.fetch_add(1, Ordering::Relaxed)),
            Fate::Nothing => drop(self.nothing.fetch_add(1, Ordering::Relaxed)),
            Fate::Sgf => drop(self.sgf.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

/// The formats in which a conversion writes games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Some in PGN.
    pub pgn: bool,
    /// Some in SGF.
    pub sgf: bool,
}

/// Returns the formats in which a conversion will write the games of a file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn written(file: &PackedFile) -> Result<Written, Error> {
    let mut written = Written::default();
    if file.kind() == Content::Positions {
        return Ok(written);
    }
    let columns = Wanted::Of(&["moves.codec", "layout"]);
    for batch in (0..file.groups()).map(|group| file.read_columns(group, None, columns)) {
        for batch in batch?.0 {
            let moves = batch.column_by_name("moves").and_then(AsArray::as_struct_opt);
            let codecs = moves.and_then(|moves| moves.column_by_name("codec"));
            let codecs = codecs.and_then(AsArray::as_string_opt::<i32>);
            let layouts = batch.column_by_name("layout").and_then(AsArray::as_string_opt::<i32>);
            let layout = |row: usize| {
                layouts.filter(|layouts| layouts.is_valid(row)).map(|layouts| layouts.value(row))
            };
            for (row, codec) in codecs.into_iter().flatten().enumerate() {
                let game = codec.and_then(|codec| codec.split_once('/'));
                match game.map(|(game, _)| stays_sgf(game, layout(row))) {
                    Some(true) => written.sgf = true,
                    Some(false) => written.pgn = true,
                    None => {}
                }
            }
        }
    }
    Ok(written)
}

/// Exports the games in these rows as PGN, those of go in SGF ([`StoredRecord::convert`]).
///
/// # Errors
/// Returns an error if the file holds positions, or as [`export`] does.
pub fn export_converted(
    file: &PackedFile,
    rows: Range<u64>,
    conversion: &Conversion,
    work: &Work<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    if file.kind() == Content::Positions {
        let why = "it holds positions, which are FEN or EPD already; leave out --as".into();
        return Err(Error::Format { path: file.path().into(), why });
    }
    let sink = &mut |piece: &Piece, _| sink(&piece.source, &piece.bytes);
    export_pieces(file, rows, Some(conversion), work, sink)
}

/// Exports the records in these rows one by one.
///
/// # Errors
/// See [`export`].
pub fn export_records(
    file: &PackedFile,
    rows: Range<u64>,
    work: &Work<'_>,
    sink: &mut (dyn FnMut(Exported<'_>) -> Result<(), Error> + Send),
) -> Result<(), Error> {
    let each = &mut |piece: &Piece, mut row| {
        let mut bytes = &piece.bytes[..];
        for &length in &piece.lengths {
            let (record, rest) = bytes.split_at(length.min(bytes.len()));
            sink(Exported { row, source: &piece.source, bytes: record })?;
            (bytes, row) = (rest, row + 1);
        }
        Ok(())
    };
    export_pieces(file, rows, None, &work.unwatched(), each)
}

/// Returns the record in this row, counted from 0, as its input had it, and what is known about it;
/// of a line with a position, only the position. Returns `None` if there is no such row.
///
/// # Errors
/// Returns an error if the file cannot be read, or the record does not match its original bytes.
pub fn raw_record(file: &PackedFile, row: u64) -> Result<Option<RawRecord>, Error> {
    if row >= file.records() {
        return Ok(None);
    }
    let mut raw = RawRecord::default();
    export_records(file, row..row + 1, &Work::on(1), &mut |record| {
        raw.bytes = record.bytes.to_vec();
        Ok(())
    })?;
    if file.kind() == Content::Positions {
        let position = position_of(file, row)?;
        raw.identity.game = position.as_ref().map(|position| position.0);
        raw.bytes = position.map_or(raw.bytes, |position| position.1.into_bytes());
    } else {
        let rows = file.read_rows(&[row..row + 1], Wanted::All)?;
        if let Some((record, ..)) = rows.record(0) {
            let format = record.layout.and_then(format::of_layout);
            raw.identity.format = format.unwrap_or(raw.identity.format);
            let codec = record.line.and_then(|line| StoredRecord::codec(line.0).ok());
            raw.identity.game = codec.map(|codec| codec.game());
        }
    }
    Ok(Some(raw))
}

/// Returns the position in this row of a file of positions, if it has one, and its game.
fn position_of(
    file: &PackedFile,
    row: u64,
) -> Result<Option<(&'static dyn ErasedRules, String)>, Error> {
    let mut before = 0;
    for group in 0..file.groups() {
        let after = file.group_records(group).saturating_add(before);
        if row < after {
            let within = |row: u64| usize::try_from(row - before).unwrap_or(usize::MAX);
            let around = around(within(row)..within(row).saturating_add(1), within(after));
            let place = within(row) - around.start;
            let rows = file.read_position_rows(group, Some(around))?;
            let Some((record, _)) = rows.record(place) else { return Ok(None) };
            let found = || -> Result<_, RowError> {
                let (Some((codec, _)), Some(text)) = (record.position, record.text()?) else {
                    return Ok(None);
                };
                Ok(Some((StoredPosition::codec(codec)?.game(), text)))
            };
            return found().map_err(|why| fault(file, row, 0, why));
        }
        before = after;
    }
    Ok(None)
}

/// Passes on pieces, each with the row of its first record.
fn export_pieces(
    file: &PackedFile,
    rows: Range<u64>,
    conversion: Option<&Conversion>,
    work: &Work<'_>,
    sink: &mut (dyn FnMut(&Piece, u64) -> Result<(), Error> + Send),
) -> Result<(), Error> {
    // What is converted may have names and an order of tags that no record checksum covers.
    let lenient = conversion.is_none();
    work.run(|| {
        let mut groups = wanted_groups(file, &rows).into_iter();
        let mut next = groups.next().map(|group| group.read(file, lenient));
        while let Some(read) = next {
            work.check()?;
            let group = read?;
            // The next group is read while this one is decoded and written.
            let (written, following) = rayon::join(
                || {
                    let mut row = group.of.wanted.start;
                    let mut bytes = 0;
                    for chunk in group.bytes(file, conversion, work.stop) {
                        for piece in chunk? {
                            sink(&piece, row)?;
                            row += piece.lengths.len() as u64;
                            bytes += piece.bytes.len() as u64;
                        }
                    }
                    let records = group.of.wanted.end - group.of.wanted.start;
                    (work.progress)(Done { records, bytes });
                    Ok::<(), Error>(())
                },
                || groups.next().map(|group| group.read(file, lenient)),
            );
            written?;
            next = following;
        }
        Ok(())
    })
}

/// Rows of a file that lie in one row group.
struct WantedGroup {
    group: usize,
    /// The group's first row in the file, and the row after its last.
    before: u64,
    after: u64,
    /// The wanted rows.
    wanted: Range<u64>,
}

/// Returns the row groups that contain some of these rows.
fn wanted_groups(file: &PackedFile, rows: &Range<u64>) -> Vec<WantedGroup> {
    let mut after = 0;
    let group = |group| {
        let before = after;
        after = file.group_records(group).saturating_add(before);
        let wanted = rows.start.max(before)..rows.end.min(after);
        WantedGroup { group, before, after, wanted }
    };
    let groups = (0..file.groups()).map(group);
    groups.filter(|group| group.wanted.start < group.wanted.end).collect()
}

/// A row group that was read.
struct ReadGroup {
    of: WantedGroup,
    rows: ReadRows,
}

enum ReadRows {
    Games(Rows),
    /// Positions from a row of the group on, and the range that is wanted.
    Positions(PositionRows, usize, Range<usize>),
}

impl WantedGroup {
    /// Reads the columns needed for the wanted rows; `lenient` as [`Self::rows`].
    fn read(self, file: &PackedFile, lenient: bool) -> Result<ReadGroup, Error> {
        let rows = self.rows(file, lenient)?;
        Ok(ReadGroup { of: self, rows })
    }

    /// Reads the same, and returns any damage to a page that is readable despite it.
    fn read_to_verify(self, file: &PackedFile) -> Result<(ReadGroup, Option<Error>), Error> {
        let (rows, damage) = match self.rows(file, false) {
            Err(damage @ Error::Page { .. }) => (self.rows(file, true)?, Some(damage)),
            rows => (rows?, None),
        };
        Ok((ReadGroup { of: self, rows }, damage))
    }

    /// Reads the rows; `lenient` also reads the undamaged parts of a damaged page.
    fn rows(&self, file: &PackedFile, lenient: bool) -> Result<ReadRows, Error> {
        let Self { group, before, after, wanted } = self;
        let within = |row: u64| usize::try_from(row - before).unwrap_or(usize::MAX);
        let records = within(*after);
        let wanted = within(wanted.start)..within(wanted.end);
        let all = wanted == (0..records);
        Ok(match file.kind() {
            Content::Games if lenient => {
                ReadRows::Games(file.read_to_compare(*group, (!all).then(|| vec![wanted]))?)
            }
            Content::Games => {
                let runs = (!all).then(|| vec![wanted]);
                ReadRows::Games(file.read_game_rows(*group, runs, Wanted::All)?)
            }
            Content::Positions => {
                let around = around(wanted.clone(), records);
                let start = around.start;
                let rows = file.read_position_rows(*group, (!all).then_some(around))?;
                ReadRows::Positions(rows, start, wanted.start - start..wanted.end - start)
            }
        })
    }
}

impl ReadGroup {
    /// Returns the bytes of the wanted records, in chunks.
    fn bytes(
        &self,
        file: &PackedFile,
        conversion: Option<&Conversion>,
        stop: &AtomicBool,
    ) -> Vec<Chunk> {
        match &self.rows {
            ReadRows::Games(rows) => game_bytes(file, rows, self.of.wanted.start, conversion, stop),
            ReadRows::Positions(rows, start, wanted) => {
                position_bytes(file, rows, wanted.clone(), self.of.before + *start as u64, stop)
            }
        }
    }
}

/// Extends these rows of a group of positions by as many as one checksum can cover, as those are
/// coded together.
fn around(rows: Range<usize>, records: usize) -> Range<usize> {
    let start = rows.start.saturating_sub(CHECKSUM_RECORDS - 1);
    start..rows.end.saturating_add(CHECKSUM_RECORDS - 1).min(records)
}

/// Decodes games, which have one checksum each.
fn game_bytes(
    file: &PackedFile,
    rows: &Rows,
    before: u64,
    conversion: Option<&Conversion>,
    stop: &AtomicBool,
) -> Vec<Chunk> {
    let starts: Vec<usize> = (0..rows.len()).step_by(CHUNK_RECORDS).collect();
    let chunk = |&start: &usize| {
        let mut pieces: Vec<Piece> = Vec::new();
        for row in start..rows.len().min(start + CHUNK_RECORDS) {
            work::check(stop)?;
            let Some((record, checksum, source)) = rows.record(row) else { break };
            let bytes = match conversion {
                None => record.original(checksum),
                Some(conversion) => record.convert(conversion.moves, checksum).map(|converted| {
                    conversion.count(converted.fate);
                    converted.bytes
                }),
            };
            let bytes = bytes.map_err(|why| file.with_loss(why));
            let bytes = bytes.map_err(|why| fault(file, before, row, why))?;
            append(&mut pieces, source, bytes);
        }
        Ok(pieces)
    };
    starts.par_iter().map(chunk).collect()
}

/// Decodes the wanted positions among those read, which have one checksum per block.
fn position_bytes(
    file: &PackedFile,
    rows: &PositionRows,
    wanted: Range<usize>,
    before: u64,
    stop: &AtomicBool,
) -> Vec<Chunk> {
    let chunk = |block: &Block| {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut crc = crc32fast::Hasher::new();
        work::check(stop)?;
        for row in block.rows.clone() {
            let Some((record, source)) = rows.record(row) else { break };
            let bytes =
                record.render().map_err(|why| fault(file, before, row, file.with_loss(why)))?;
            crc.update(&bytes);
            if wanted.contains(&row) {
                append(&mut pieces, source, bytes);
            }
        }
        match block.checksum {
            Some(checksum) if checksum != crc.finalize() => {
                let last = before + block.rows.end as u64;
                let why = format!(
                    "it, or one of the records up to {last}, does not match its \
                     original bytes: the file is damaged"
                );
                Err(fault(file, before, block.rows.start, file.with_loss(why.into())))
            }
            _ => Ok(pieces),
        }
    };
    let overlaps = |block: &Block| block.rows.start < wanted.end && wanted.start < block.rows.end;
    let blocks: Vec<&Block> = rows.blocks().iter().filter(|block| overlaps(block)).collect();
    blocks.into_par_iter().map(chunk).collect()
}

fn fault(file: &PackedFile, before: u64, row: usize, why: RowError) -> Error {
    Error::record(file.path(), before + row as u64)(why)
}

/// Appends the bytes of a record to the piece of its input.
fn append(pieces: &mut Vec<Piece>, source: &str, bytes: Cow<'_, [u8]>) {
    match pieces.last_mut().filter(|piece| piece.source == source) {
        Some(piece) => {
            piece.lengths.push(bytes.len());
            piece.bytes.extend_from_slice(&bytes);
        }
        None => {
            let lengths = vec![bytes.len()];
            pieces.push(Piece { source: source.to_owned(), bytes: bytes.into_owned(), lengths });
        }
    }
}

/// Decodes every record and verifies checksums. Returns up to `faults_max` errors.
///
/// # Errors
/// Returns an error if the file cannot be read at all, or the work is stopped.
pub fn verify(file: &PackedFile, faults_max: usize, work: &Work<'_>) -> Result<Vec<Error>, Error> {
    file.check_ends()?;
    work.run(|| {
        let mut faults = Vec::new();
        let mut groups = wanted_groups(file, &(0..u64::MAX)).into_iter();
        let records = |group: &WantedGroup| group.after - group.before;
        let mut next = groups.next().map(|group| (records(&group), group.read_to_verify(file)));
        while let Some((records_read, read)) = next {
            work.check()?;
            let (found, following) = rayon::join(
                || match read {
                    Ok((group, damage)) => {
                        let chunks = group.bytes(file, None, work.stop).into_iter();
                        let found: Vec<Error> = chunks.filter_map(Result::err).collect();
                        // Damaged records say more than the page they are in.
                        if found.is_empty() { damage.into_iter().collect() } else { found }
                    }
                    Err(error) => vec![error],
                },
                || groups.next().map(|group| (records(&group), group.read_to_verify(file))),
            );
            faults.extend(found);
            work.check()?;
            if faults.len() >= faults_max {
                faults.truncate(faults_max);
                break;
            }
            next = following;
            work.done(records_read);
        }
        Ok(faults)
    })
}
