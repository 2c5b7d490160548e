//! Packing: inputs to one Parquet file, in parallel, with the same bytes on any number of threads.
//!
//! A group of records is coded in chunks of a fixed number of records, each on any thread, and its
//! columns are then encoded side by side. Only one group is in memory, and the next is being read.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use plypack_core::{ErasedLineCodec, ErasedPositionCodec};
use plypack_games::position_codec_like;
use plypack_reading::game;
use plypack_records::Content;

use crate::error::Error;
use crate::input::{Group, Groups, Origin, Source, Span};
use crate::positions;
use crate::row::{Fault, Reason};
use crate::sheet::Sheet;
use crate::writer::Writer;

/// The most notices that a report keeps.
const NOTICES_MAX: usize = 20;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The codec of the moves, and with it the game.
    pub codec: &'static dyn ErasedLineCodec,
    /// The codec of positions; `None` is [`positions::default_codec`].
    pub positions: Option<&'static dyn ErasedPositionCodec>,
    /// Whether a record whose tags tell of another game is coded by that game's codec of the same
    /// name; and so an input with positions of another game, or else by the default.
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
}

impl Report {
    /// How many records are kept verbatim.
    #[must_use]
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().sum()
    }
}

/// Packs `sources`, in order, into a new file at `output`.
///
/// The file appears under its name only when it is complete and on disk. `progress` is told the
/// report so far after each group of records; setting `stop` ends the work at the next group.
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
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut temporary = tempfile::Builder::new();
    let temporary = temporary.prefix(".plypack-").suffix(".tmp").tempfile_in(folder);
    let temporary = temporary.map_err(Error::io(folder))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::io(output)(std::io::Error::other(error)))?;
    let mut report = Report::default();
    pool.install(|| {
        write(sources, temporary.as_file(), output, options, stop, &mut report, progress)
    })?;
    let file = publish(temporary, output)?;
    report.output_bytes = file.metadata().map_err(Error::io(output))?.len();
    Ok(report)
}

/// Gives a complete temporary file its name, once it is on disk.
///
/// # Errors
/// If the system refuses; then the temporary file is removed.
pub fn publish(temporary: tempfile::NamedTempFile, output: &Path) -> Result<File, Error> {
    temporary.as_file().sync_all().map_err(Error::io(output))?;
    let file = temporary.persist(output).map_err(|error| Error::io(output)(error.error))?;
    make_readable(&file).map_err(Error::io(output))?;
    Ok(file)
}

/// Gives a file that began as a private temporary one the usual permissions.
#[cfg(unix)]
fn make_readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> std::io::Result<()> {
    Ok(())
}

fn write(
    sources: Vec<Source>,
    file: &File,
    output: &Path,
    options: &Options,
    stop: &AtomicBool,
    report: &mut Report,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<(), Error> {
    let mut groups = Groups::new(sources, game::in_turn(options.codec.game(), options.detect));
    let mut next = groups.next_group()?;
    report.kind = groups.kind();
    let sheet = Sheet::new(report.kind, next.as_ref(), options);
    let mut writer = Writer::new(file, output, sheet.schema(), sheet.properties())?;
    while let Some(group) = next {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let (encoded, following) = rayon::join(
            || {
                let arrays = sheet.columns(&group, options, report);
                let parts: Vec<_> = arrays.into_iter().map(|array| vec![array]).collect();
                writer.encode(&parts)
            },
            || groups.next_group(),
        );
        report.misfits.extend(groups.take_misfits());
        writer.append(encoded?)?;
        progress(report);
        next = following?;
    }
    // An interrupt that ended a pipe into us, too, must not pass for the end of the input.
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    writer.finish(groups.rowless())?;
    Ok(())
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
                record: self.records,
                line: span.line,
                fault: fault.clone(),
            });
        }
    }
}
