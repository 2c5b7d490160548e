//! Packs inputs into one Parquet file in parallel, with the same bytes on any number of threads.
//!
//! The records of a group are coded in chunks of fixed size, on any thread; then the group's
//! columns are encoded in parallel. Memory holds one group, while the next is being read.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use crate::reading::{foreign, game};
use arrow_array::RecordBatch;
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};
use plypack_games::position_codec_like;
use plypack_records::Content;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::index::Builder;
use crate::store::input::{Group, Groups, Origin, Sources, Span};
use crate::store::output::{Existing, Output};
use crate::store::row::{Fault, Reason};
use crate::store::schema::RECORD_BYTES_MAX;
use crate::store::sheet::Sheet;
use crate::store::summary::Summary;
use crate::store::work::{Done, Work};
use crate::store::writer::{Renames, Writer};
use crate::store::{positions, revision};

/// The most notices that a report keeps.
const NOTICES_MAX: usize = 20;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The codec of the moves, which also sets the game.
    pub codec: &'static dyn ErasedLineCodec,
    /// The codec of positions; `None` means [`positions::default_codec`].
    pub positions: Option<&'static dyn ErasedPositionCodec>,
    /// Whether a record whose tags name another game uses that game's codec of the same name.
    /// Likewise for an input with another game's positions, which falls back to that game's
    /// default.
    pub detect: bool,
}

impl Options {
    /// Returns the codec for the positions of an input.
    pub(crate) fn position_codec(&self, origin: &Origin) -> &'static dyn ErasedPositionCodec {
        let game = origin.identity.game.unwrap_or(self.codec.game()).info().name;
        self.positions
            .and_then(|codec| position_codec_like(codec, game))
            .unwrap_or_else(|| positions::default_codec(game))
    }
}

/// A record whose moves or position could not all be coded.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The name of the input.
    pub source: String,
    /// The number of the record in the output, counted from 1.
    pub record: u64,
    /// The line of the input where the record begins, counted from 1.
    pub line: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What was packed.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the inputs hold.
    pub kind: Content,
    /// Size of the inputs in bytes, decompressed.
    pub input_bytes: u64,
    /// Size of the output in bytes.
    pub output_bytes: u64,
    /// The number of records already in a file that was appended to.
    pub records_before: u64,
    /// The number of records.
    pub records: u64,
    /// The number of coded plies.
    pub plies: u64,
    /// The number of coded positions.
    pub positions: u64,
    /// The numbers of records kept verbatim, by reason.
    pub verbatim: BTreeMap<Reason, u64>,
    /// The number of records with moves or a position that could not be coded.
    pub faulty: u64,
    /// The first of those records.
    pub notices: Vec<Notice>,
    /// Inputs of another kind than the first, whose records are kept as text.
    pub misfits: Vec<String>,
    /// Records in which neither a tag nor a move was understood.
    pub unread: u64,
    /// Pieces of records longer than [`RECORD_BYTES_MAX`].
    pub pieces: u64,
    /// The first inputs that consist only of such records.
    pub unread_inputs: Vec<UnreadInput>,
    /// What the file holds. For a file that was appended to, the sizes are of the whole file; all
    /// else counts only what was added.
    pub summary: Summary,
    /// Identifiers of the content of each new row group, for an index.
    pub groups: Vec<[u8; 16]>,
    /// Inputs that were renamed, as the file already has an input of that name: the old and the new
    /// name.
    pub renamed: Vec<(String, String)>,
}

/// An input in which nothing was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnreadInput {
    /// Its name.
    pub name: String,
    /// What its first bytes look like, with an article, such as `a ZIP archive`; `None` if unknown.
    pub what: Option<&'static str>,
    /// The number of records it was split into.
    pub records: u64,
}

impl Report {
    /// Returns how many records are kept verbatim.
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().sum()
    }
}

/// Packs `sources`, in order, into a file at `output`, replacing an existing file.
///
/// The file appears under its name only when it is complete and on disk; see [`Output`] for where
/// it is until then.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then nothing is left
/// behind.
pub fn import(
    sources: impl Into<Sources>,
    output: &Path,
    options: &Options,
    work: &Work<'_>,
) -> Result<Report, Error> {
    let mut file = Output::begin(output, Existing::Replaced)?;
    let report = import_to(sources, &mut Destination::new(&mut file, output), options, work)?;
    file.publish()?;
    Ok(report)
}

/// Where records are packed to.
pub struct Destination<'d> {
    output: &'d mut (dyn Write + Send + Sync),
    name: &'d Path,
    index: Option<&'d mut Builder>,
}

impl<'d> Destination<'d> {
    /// Anything that takes bytes in order. `name` is for messages.
    pub fn new(output: &'d mut (dyn Write + Send + Sync), name: &'d Path) -> Self {
        Self { output, name, index: None }
    }

    /// Adds games to `index`, too, which must then be finished with the `groups` of the report.
    #[must_use]
    pub fn with_index(self, index: Option<&'d mut Builder>) -> Self {
        Self { index, ..self }
    }
}

/// Packs `sources`, in order, to `destination`.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then what was written is
/// not a packed file.
pub fn import_to(
    sources: impl Into<Sources>,
    destination: &mut Destination<'_>,
    options: &Options,
    work: &Work<'_>,
) -> Result<Report, Error> {
    let sources = sources.into();
    work.run(|| write(None, sources, destination, options, work))
}

/// Copies the records of a packed file as they are coded, and packs `sources` after them, in order,
/// as [`import_to`] does. An input whose name the file already has gets a number. The index covers
/// only the new row groups.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then what was written is
/// not a packed file.
pub fn append_to(
    file: &PackedFile,
    sources: impl Into<Sources>,
    destination: &mut Destination<'_>,
    options: &Options,
    work: &Work<'_>,
) -> Result<Report, Error> {
    let sources = sources.into();
    work.run(|| write(Some(file), sources, destination, options, work))
}

fn write(
    before: Option<&PackedFile>,
    sources: Sources,
    destination: &mut Destination<'_>,
    options: &Options,
    work: &Work<'_>,
) -> Result<Report, Error> {
    let mut report = Report::default();
    let name = destination.name;
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
    let mut index = destination.index.as_deref_mut();
    let form = sheet.form();
    let schema = form.schema.clone();
    let mut writer = Writer::new(&mut *destination.output, name, form)?;
    let mut rowless = Vec::new();
    if let Some(file) = before {
        for group in 0..file.groups() {
            work.check()?;
            revision::copy(&mut writer, file, group, None, &Renames::new())?;
        }
        writer.flush()?;
        report.records_before = file.records();
        rowless = file.rowless()?;
    }
    let mut encoded_groups = 0;
    let mut told = Done::default();
    let mut counts = Summary::of_kind(report.kind);
    let mut tally = Tally::default();
    while let Some(group) = next {
        let (encoded, following) = rayon::join(
            || {
                let index = index.as_deref_mut();
                let arrays =
                    sheet.columns(&group, options, work.stop, &mut report, &mut tally, index)?;
                let batch = RecordBatch::try_new(schema.clone(), arrays);
                let batch = batch.map_err(|error| Error::parquet(name)(error.into()))?;
                let columns = batch.columns().iter();
                let encoded = writer.encode(columns.cloned().map(|c| vec![c]).collect());
                counts.add(&batch).map_err(|column| {
                    let why = format!("column `{column}` was encoded with an unexpected type");
                    Error::Format { path: name.into(), why }
                })?;
                encoded
            },
            || groups.next_group(),
        );
        report.misfits.extend(groups.take_misfits());
        writer.append(encoded?)?;
        encoded_groups += 1;
        let Report { records, input_bytes, .. } = report;
        (work.progress)(Done { records: records - told.records, bytes: input_bytes - told.bytes });
        told = Done { records, bytes: input_bytes };
        next = following?;
    }
    // An interrupt that also closed an input pipe must not look like the end of the input.
    work.check()?;
    tally.close(&mut report);
    rowless.extend_from_slice(groups.rowless());
    let (metadata, mut ids, bytes) = writer.close(&rowless)?;
    report.groups = ids.split_off(ids.len().saturating_sub(encoded_groups));
    report.renamed = groups.take_renamed();
    report.output_bytes = bytes;
    report.summary = counts.with_sizes(bytes, &metadata);
    Ok(report)
}

/// Counts the records of the current input in which nothing is understood.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    source: String,
    what: Option<&'static str>,
    records: u64,
    unread: u64,
    /// Whether it has an overlong record, which explains why that was not understood.
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

    /// Finishes an input.
    fn close(&mut self, report: &mut Report) {
        let Self { source, what, records, unread, is_cut } = std::mem::take(self);
        if records > 0 && unread == records && !is_cut && report.unread_inputs.len() < NOTICES_MAX {
            report.unread_inputs.push(UnreadInput { name: source, what, records });
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
