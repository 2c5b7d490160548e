//! Packing: inputs to one Parquet file, in parallel, with the same bytes on any number of threads.
//!
//! A group of records is coded in chunks of a fixed number of records, each on any thread, and its
//! columns are then encoded side by side. Only one group is in memory, and the next is being read.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::RecordBatch;
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};
use plypack_games::position_codec_like;
use plypack_reading::{foreign, game};
use plypack_records::Content;

use crate::error::Error;
use crate::file::PackedFile;
use crate::index::Builder;
use crate::input::{Group, Groups, Origin, Source, Sources, Span};
use crate::output::{Existing, Output};
use crate::positions;
use crate::revision;
use crate::row::{Fault, Reason};
use crate::schema::RECORD_BYTES_MAX;
use crate::sheet::Sheet;
use crate::summary::Summary;
use crate::writer::{Renames, Writer};

/// The most notices that a report keeps.
const NOTICES_MAX: usize = 20;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The codec of the moves, and with it the game.
    pub codec: &'static dyn ErasedLineCodec,
    /// The codec of positions; `None` is [`positions::default_codec`].
    pub positions: Option<&'static dyn ErasedPositionCodec>,
    /// Whether a record whose tags name another game is coded by that game's codec of the same
    /// name; likewise an input with another game's positions, or else by that game's default.
    pub detect: bool,
    /// The number of threads; 0 means one a core.
    pub threads: usize,
}

impl Options {
    /// The codec for the positions of an input.
    pub(crate) fn position_codec(&self, origin: &Origin) -> &'static dyn ErasedPositionCodec {
        let game = origin.identity.game.unwrap_or(self.codec.game()).info().name;
        self.positions
            .and_then(|codec| position_codec_like(codec, game))
            .unwrap_or_else(|| positions::default_codec(game))
    }
}

/// A record whose moves, or whose position, could not all be coded.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The input.
    pub source: String,
    /// The number of the record in the output, from 1.
    pub record: u64,
    /// The line of the input on which it begins, from 1.
    pub line: u64,
    /// What was wrong.
    pub fault: Fault,
}

/// What was packed.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the inputs hold.
    pub kind: Content,
    /// Bytes of input, decompressed.
    pub input_bytes: u64,
    /// Bytes of output.
    pub output_bytes: u64,
    /// Records that were there before, in a file that these were appended to.
    pub records_before: u64,
    /// Records.
    pub records: u64,
    /// Coded plies.
    pub plies: u64,
    /// Coded positions.
    pub positions: u64,
    /// Records kept verbatim, by reason.
    pub verbatim: BTreeMap<Reason, u64>,
    /// Records with moves, or a position, that could not be coded.
    pub faulty: u64,
    /// The first of them.
    pub notices: Vec<Notice>,
    /// Inputs of another kind than the first, whose records are kept as text.
    pub misfits: Vec<String>,
    /// Records in which nothing was understood, neither a tag nor a move.
    pub unread: u64,
    /// Pieces of records that are longer than a record may be, [`RECORD_BYTES_MAX`].
    pub pieces: u64,
    /// The first inputs that have no other records.
    pub unread_inputs: Vec<Unread>,
    /// What the file holds. Of one that was appended to, its sizes are those of the whole file, and
    /// all else is what came in.
    pub summary: Summary,
    /// What tells each row group from others by its content, for an index: those that came in.
    pub groups: Vec<[u8; 16]>,
    /// The inputs that got another name, as the file has one of that name: both names.
    pub renamed: Vec<(String, String)>,
}

/// An input in which nothing was understood.
#[derive(Clone, Debug)]
pub struct Unread {
    /// Its name.
    pub source: String,
    /// What its first bytes look like, with an article; `None` if they do not tell.
    pub what: Option<&'static str>,
    /// How many records it was cut into.
    pub records: u64,
}

impl Report {
    /// How many records are kept verbatim.
    #[must_use]
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().sum()
    }
}

/// Packs `sources`, in order, into a file at `output`, in the place of one that is there.
///
/// The file appears under its name only when it is complete and on disk, and [`Output`] says where
/// it is until then. `progress` is told the report so far after each group of records; setting
/// `stop` ends the work at the next record.
///
/// # Errors
/// If reading or writing fails or `stop` was set; then nothing is left behind.
pub fn import(
    sources: Vec<Source>,
    output: &Path,
    options: &Options,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report, Error> {
    let mut file = Output::begin(output, Existing::Replaced)?;
    let report = import_to(sources, &mut file, output, options, None, stop, progress)?;
    file.publish()?;
    Ok(report)
}

/// Packs `sources`, in order, to whatever takes bytes one after the other. `name` is for messages.
/// Games are added to `index`, which then has to be finished, with the report's `groups`.
///
/// # Errors
/// If reading or writing fails or `stop` was set; then what was written is no packed file.
pub fn import_to(
    sources: impl Into<Sources>,
    output: &mut (dyn Write + Send + Sync),
    name: &Path,
    options: &Options,
    index: Option<&mut Builder>,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report, Error> {
    packed(None, sources.into(), output, name, options, index, stop, progress)
}

/// Writes the records of a packed file, copied as they are coded, and behind them `sources`, in
/// order, as [`import_to`] does. An input that has the name of one of the file's gets a number.
/// The new games are added to `index`, which covers the new row groups alone.
///
/// # Errors
/// If reading or writing fails or `stop` was set; then what was written is no packed file.
#[allow(clippy::too_many_arguments, reason = "they are those of `import_to`, and the file")]
pub fn append_to(
    file: &PackedFile,
    sources: impl Into<Sources>,
    output: &mut (dyn Write + Send + Sync),
    name: &Path,
    options: &Options,
    index: Option<&mut Builder>,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report, Error> {
    packed(Some(file), sources.into(), output, name, options, index, stop, progress)
}

#[allow(clippy::too_many_arguments, reason = "it makes the pool of threads for `write`")]
fn packed(
    before: Option<&PackedFile>,
    sources: Sources,
    output: &mut (dyn Write + Send + Sync),
    name: &Path,
    options: &Options,
    index: Option<&mut Builder>,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report, Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::io(name)(std::io::Error::other(error)))?;
    let mut report = Report::default();
    let into = &mut report;
    pool.install(|| write(before, sources, output, name, options, index, stop, into, progress))?;
    Ok(report)
}

#[allow(clippy::too_many_arguments, reason = "it is one function, run on a pool of threads")]
fn write(
    before: Option<&PackedFile>,
    sources: Sources,
    output: &mut (dyn Write + Send + Sync),
    name: &Path,
    options: &Options,
    mut index: Option<&mut Builder>,
    stop: &AtomicBool,
    report: &mut Report,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<(), Error> {
    let mut groups = Groups::new(sources, game::in_turn(options.codec.game(), options.detect));
    if let Some(file) = before {
        groups = groups.behind(file.kind(), &file.sources()?);
    }
    let mut next = groups.next_group()?;
    report.kind = groups.kind();
    let sheet = match before {
        Some(file) => Sheet::like(file, next.as_ref())?,
        None => Sheet::new(report.kind, next.as_ref(), options),
    };
    let mut writer = Writer::new(output, name, sheet.schema(), sheet.properties())?;
    let mut rowless = Vec::new();
    if let Some(file) = before {
        for group in 0..file.groups() {
            go_on(stop)?;
            revision::copy(&mut writer, file, group, None, &Renames::new())?;
        }
        writer.flush()?;
        report.records_before = file.records();
        rowless = file.rowless()?;
    }
    let mut encoded_groups = 0;
    let mut counts = Summary::of_kind(report.kind);
    let mut tally = Tally::default();
    while let Some(group) = next {
        let (encoded, following) = rayon::join(
            || {
                let index = index.as_deref_mut();
                let arrays = sheet.columns(&group, options, stop, report, &mut tally, index)?;
                let batch = RecordBatch::try_new(sheet.schema(), arrays);
                let batch = batch.map_err(|error| Error::parquet(name)(error.into()))?;
                let columns = batch.columns().iter();
                let encoded = writer.encode(&columns.cloned().map(|c| vec![c]).collect::<Vec<_>>());
                counts.add(&batch).map_err(|column| {
                    let why = format!("column `{column}` came out with another type");
                    Error::Format { path: name.into(), why }
                })?;
                encoded
            },
            || groups.next_group(),
        );
        report.misfits.extend(groups.take_misfits());
        writer.append(encoded?)?;
        encoded_groups += 1;
        progress(report);
        next = following?;
    }
    // An interrupt that also ended a pipe into us must not look like the end of the input.
    go_on(stop)?;
    tally.close(report);
    rowless.extend_from_slice(groups.rowless());
    let (metadata, mut ids, bytes) = writer.close(&rowless)?;
    report.groups = ids.split_off(ids.len().saturating_sub(encoded_groups));
    report.renamed = groups.take_renamed();
    report.output_bytes = bytes;
    report.summary = counts.with_sizes(bytes, &metadata);
    Ok(())
}

/// Ends the work once the caller has asked for that.
pub(crate) fn go_on(stop: &AtomicBool) -> Result<(), Error> {
    if stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Counts the records of the input that is being packed in which nothing is understood.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    source: String,
    what: Option<&'static str>,
    records: u64,
    unread: u64,
    /// Whether it has a record that is too long, which is why that is not understood.
    is_cut: bool,
}

impl Tally {
    /// Counts a record of games.
    pub fn add(&mut self, group: &Group, span: &Span, is_understood: bool, report: &mut Report) {
        let name = &group.origin(span).name;
        if self.records == 0 || *name != self.source {
            self.close(report);
            let what = foreign::kind(group.bytes(span));
            *self = Self { source: name.clone(), what, ..Self::default() };
        }
        self.records += 1;
        if !is_understood {
            self.unread += 1;
            report.unread += 1;
        }
        if span.bytes.len() >= RECORD_BYTES_MAX {
            self.is_cut = true;
            report.pieces += 1;
        }
    }

    /// Ends an input.
    fn close(&mut self, report: &mut Report) {
        let Self { source, what, records, unread, is_cut } = std::mem::take(self);
        if records > 0 && unread == records && !is_cut && report.unread_inputs.len() < NOTICES_MAX {
            report.unread_inputs.push(Unread { source, what, records });
        }
    }
}

impl Report {
    /// Counts a record.
    pub(crate) fn add(
        &mut self,
        group: &Group,
        span: &Span,
        verbatim: Option<Reason>,
        fault: Option<&Fault>,
    ) {
        self.records += 1;
        self.input_bytes += span.bytes.len() as u64;
        if let Some(reason) = verbatim {
            *self.verbatim.entry(reason).or_default() += 1;
        }
        let Some(fault) = fault else { return };
        self.faulty += 1;
        if self.notices.len() < NOTICES_MAX {
            self.notices.push(Notice {
                source: group.origin(span).name.clone(),
                record: self.records_before + self.records,
                line: span.line,
                fault: fault.clone(),
            });
        }
    }
}
