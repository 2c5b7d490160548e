//! Packs inputs into one packed file.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::index::{IndexWriter, part_path, remove_others};
use crate::store::{Content, Existing, Options, Output, Report, Source, import_to};

use super::index::IndexReport;
use super::{Progress, Watcher, check_apart};
use crate::error::Error;
use crate::line::LineCodec;
use crate::position::PositionCodec;
use crate::rules::Rules;

/// Packs one file into another: `games.pgn` into `games.parquet`. A file at `output` is replaced
/// once all of the new file is on disk.
///
/// The input may be in any format that plypack knows, and compressed by zstd, gzip, bzip2 or xz;
/// both are detected from its content. [`Packer`] has options.
///
/// # Errors
/// Returns [`Error::Io`]. No content is an error: what is not understood is kept as it is.
pub fn pack(input: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<PackReport, Error> {
    Packer::new().input(input).pack(output)
}

/// What was packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackReport {
    /// The number of records.
    pub records: u64,
    /// The number of coded plies.
    pub plies: u64,
    /// The number of coded positions, for files of positions.
    pub positions: u64,
    /// Size of the inputs in bytes, decompressed.
    pub input_bytes: u64,
    /// Size of the output in bytes.
    pub output_bytes: u64,
    /// Records whose moves or position could not be coded and are kept as text.
    pub faulty: u64,
    /// Records whose bytes are kept as they are, because no layout describes them.
    pub verbatim: u64,
    /// What is wrong with the first records that could not be coded.
    pub notices: Vec<Notice>,
    /// What was indexed, if requested and the inputs hold games.
    pub index: Option<IndexReport>,
}

/// A record whose moves or position could not all be coded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notice {
    /// The name of the input.
    pub input: String,
    /// The line of the input where the record begins, counted from 1.
    pub line: u64,
    /// The record's number in the output, counted from 1.
    pub record: u64,
    /// What is wrong with it.
    pub message: String,
}

/// Packs inputs, with options.
///
/// The same inputs and options give the same file on any number of threads.
#[must_use = "call `pack` to pack"]
#[derive(Default)]
pub struct Packer<'a> {
    inputs: Vec<Input>,
    rules: Option<Rules>,
    line_codec: Option<LineCodec>,
    position_codec: Option<PositionCodec>,
    index: bool,
    threads: usize,
    progress: Option<Watcher<'a>>,
}

enum Input {
    Path(PathBuf),
    Reader(Source),
}

impl<'a> Packer<'a> {
    /// Returns a packer without inputs, with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, opened when packing begins. It is named by its file name, or by its path if
    /// another input has that name.
    pub fn input(mut self, path: impl AsRef<Path>) -> Self {
        self.inputs.push(Input::Path(path.as_ref().to_path_buf()));
        self
    }

    /// Adds bytes from any reader, under a name.
    pub fn reader(mut self, name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        let source = Source::new(name, Box::new(reader));
        self.inputs.push(Input::Reader(source));
        self
    }

    /// Reads all records as games of `game`. By default a record's tags, format or position tell
    /// its game, else it is chess.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Codes moves by `codec` instead of the smallest; moves of other games by the codec of the
    /// same name, if they have it.
    pub fn line_codec(mut self, codec: LineCodec) -> Self {
        self.line_codec = Some(codec);
        self
    }

    /// Codes files of positions by `codec` instead of the codec that makes files smallest;
    /// positions of other games by the codec of the same name, if they have it.
    pub fn position_codec(mut self, codec: PositionCodec) -> Self {
        self.position_codec = Some(codec);
        self
    }

    /// Also builds the position index beside the output: see [`index`](crate::build_index).
    pub fn index(mut self, index: bool) -> Self {
        self.index = index;
        self
    }

    /// Sets the number of threads; 0 (the default) uses one per core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `progress` after each group of records, at most 16 MiB of input or 16,384 games; it
    /// may stop the work.
    pub fn progress(
        mut self,
        progress: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Packs the inputs, in order, into a file at `output`. An existing file is replaced once all
    /// of the new file is on disk; an error leaves it unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Io`], also if an input is the output; [`Error::Stopped`] if the closure of
    /// [`progress`](Self::progress) asks to stop.
    pub fn pack(self, output: impl AsRef<Path>) -> Result<PackReport, Error> {
        let Self { inputs, rules, line_codec, position_codec, index, threads, progress } = self;
        let codec = match (line_codec, rules) {
            (Some(codec), _) => codec,
            (None, Some(rules)) => rules.default_line_codec()?,
            (None, None) => "chess".parse::<Rules>()?.default_line_codec()?,
        };
        let positions = position_codec.map(|codec| codec.0);
        let options = Options { codec: codec.0, positions, detect: rules.is_none(), threads };
        let stop = AtomicBool::new(false);
        let mut progress = progress;
        let mut tell = |report: &Report| {
            let so_far = Progress { records: report.records, bytes: report.input_bytes };
            if progress.as_mut().is_some_and(|progress| progress(&so_far).is_break()) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let output = output.as_ref();
        for input in &inputs {
            if let Input::Path(input) = input {
                check_apart(input, output)?;
            }
        }
        let sources = open(inputs)?;
        let written = write(sources, output, &options, index, &stop, &mut tell);
        let (report, index) = written.map_err(Error::file)?;
        Ok(PackReport { index, ..PackReport::of(report) })
    }
}

/// Packs into a file at `output`, with the index beside it if wanted. Both get their names when
/// both are on disk.
fn write(
    sources: Vec<Source>,
    output: &Path,
    options: &Options,
    index: bool,
    stop: &AtomicBool,
    tell: &mut (dyn FnMut(&Report) + Send),
) -> Result<(Report, Option<IndexReport>), crate::store::Error> {
    let mut file = Output::begin(output, Existing::Replaced)?;
    let path = file.path().to_path_buf();
    let mut index = if index { Some(begin_index(&file)?) } else { None };
    let builder = index.as_mut().map(IndexWriter::builder);
    let report = import_to(sources, &mut file, output, options, builder, stop, tell)?;
    let index = index.filter(|_| report.kind == Content::Games);
    let index = index.map(|index| index.finish(&report.groups, stop)).transpose()?;
    file.publish()?;
    let Some(index) = index else { return Ok((report, None)) };
    let built = index.publish()?;
    remove_others(&path, &[0])?;
    Ok((report, Some(IndexReport::of(built))))
}

/// Begins the index beside a packed file.
fn begin_index(file: &Output) -> Result<IndexWriter, crate::store::Error> {
    if file.unfinished().is_none() {
        let why = std::io::Error::other("it is not a regular file, so it cannot have an index");
        return Err(crate::store::Error::io(file.path())(why));
    }
    IndexWriter::begin(&part_path(file.path(), 0))
}

/// Opens the inputs, each under a name.
fn open(inputs: Vec<Input>) -> Result<Vec<Source>, Error> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for input in &inputs {
        let name = match input {
            Input::Path(path) => name(path).unwrap_or_default(),
            Input::Reader(source) => source.name.clone(),
        };
        *names.entry(name).or_default() += 1;
    }
    let open = |input| match input {
        Input::Reader(source) => Ok(source),
        Input::Path(path) => {
            let file = File::open(&path).map_err(Error::io(&path))?;
            let own = name(&path).filter(|name| names.get(name) == Some(&1));
            let name = own.unwrap_or_else(|| path.to_string_lossy().into_owned());
            Ok(Source::new(name, Box::new(file)))
        }
    };
    inputs.into_iter().map(open).collect()
}

impl PackReport {
    fn of(report: Report) -> Self {
        let notice = |notice: crate::store::Notice| Notice {
            input: notice.source,
            line: notice.line,
            record: notice.record,
            message: notice.fault.to_string(),
        };
        Self {
            records: report.records,
            plies: report.plies,
            positions: report.positions,
            input_bytes: report.input_bytes,
            output_bytes: report.output_bytes,
            faulty: report.faulty,
            verbatim: report.verbatim_records(),
            notices: report.notices.into_iter().map(notice).collect(),
            index: None,
        }
    }
}

impl fmt::Debug for Packer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packer")
            .field("inputs", &self.inputs.len())
            .field("rules", &self.rules)
            .field("line_codec", &self.line_codec)
            .field("position_codec", &self.position_codec)
            .field("index", &self.index)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}
