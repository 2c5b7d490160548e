//! Packs inputs into one packed file.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::store::find::codec_of;
use crate::store::index::Indices;
use crate::store::input::opening::{self, BytesRead, Opened};
use crate::store::revision::Held;
use crate::store::{Content, Existing, Options, Output, Report, versions};

use super::index::IndexReport;
use super::work::{Working, overwriting, working};
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
    /// Records with a move, a set-up position, a variant or a position that was not understood.
    /// What could not be coded is kept as text.
    pub faulty: u64,
    /// Records whose bytes are kept as they are, because nothing shorter restores them.
    pub verbatim: u64,
    /// Records of games in which neither a tag nor a move was understood. They may be verbatim,
    /// too.
    pub unread: u64,
    /// What is wrong with the first records that could not be coded.
    pub notices: Vec<Notice>,
    /// Inputs that were renamed when they were appended, because the file has an input of that
    /// name: both names.
    pub renamed: Vec<(String, String)>,
    /// For each table of games among the inputs, the columns that records have no place for.
    pub left_out: Vec<(String, Vec<String>)>,
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
    existing: Existing,
    work: Working<'a>,
}

enum Input {
    Path(PathBuf),
    Reader(opening::Input),
}

impl<'a> Packer<'a> {
    /// Returns a packer without inputs, with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an input, opened when packing begins: a file, compressed or not; a table of games; a
    /// folder, or a tar or zip archive, whose files become inputs; a pipe; `-` for standard input.
    /// An input is named after its file, with as many parent folders as it takes to tell inputs
    /// apart.
    pub fn input(mut self, path: impl AsRef<Path>) -> Self {
        self.inputs.push(Input::Path(path.as_ref().to_path_buf()));
        self
    }

    /// Adds bytes from any reader, under a name that no other input has.
    pub fn reader(mut self, name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        self.inputs.push(Input::Reader(opening::Input::reader(name, Box::new(reader))));
        self
    }

    /// Reads all records as games of `game`. By default a record's tags, format or position decide
    /// its game; if they do not, it is chess.
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

    overwriting! {}

    working! {
        /// Calls `progress` after each group of records, at most 16 MiB of input or 16,384 games;
        /// it may stop the work.
    }

    /// Takes over another builder's settings for output, threads and progress.
    pub(super) fn set(self, existing: Existing, work: Working<'a>) -> Self {
        Self { existing, work, ..self }
    }

    /// Packs the inputs, in order, into a file at `output`. The file gets its name once all of it
    /// is on disk; an error leaves an existing one unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Io`], also if an input is the output; [`Error::Exists`]; [`Error::Stopped`]
    /// if the caller asks to stop.
    pub fn pack(self, output: impl AsRef<Path>) -> Result<PackReport, Error> {
        let Self { inputs, rules, line_codec, position_codec, index, existing, work } = self;
        let options = options(rules, line_codec, position_codec)?;
        let output = output.as_ref();
        let Opened { sources, left_out, .. } = open(inputs, output)?;
        let file = Output::begin(output, existing).map_err(Error::file)?;
        let packed = work.run(|work| {
            versions::pack(sources, file, &options, index, &mut |error| Err(error), work)
        })?;
        let index = packed.built.map(IndexReport::of);
        Ok(PackReport { index, left_out, ..PackReport::of(packed.report) })
    }

    /// Appends the inputs, in order, to the packed file at `path`, whose records are copied as they
    /// are coded. New records are coded like its first one, unless a codec was chosen. An existing
    /// index is kept up to date; [`index`](Self::index) builds one if there is none. The report
    /// counts only new records; its index is `None`.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::File`], also if an input is the file itself, or another
    /// process is changing it; [`Error::Stopped`]. Then the file is unchanged.
    /// [`Error::Unindexed`] if only its index is out of date.
    pub fn append(self, path: impl AsRef<Path>) -> Result<PackReport, Error> {
        let Self { inputs, rules, line_codec, position_codec, index, work, .. } = self;
        let path = path.as_ref();
        let Opened { sources, left_out, .. } = open(inputs, path)?;
        let held = Held::open(path).map_err(Error::file)?;
        let own = match held.file().kind() {
            Content::Games => codec_of(held.file()).map_err(Error::file)?.map(LineCodec),
            Content::Positions => None,
        };
        let own = own.filter(|own| rules.is_none_or(|rules| rules == own.rules()));
        let options = options(rules, line_codec.or(own), position_codec)?;
        let indexed = index || !Indices::open(held.file()).is_empty();
        let output = Output::begin(path, Existing::Replaced).map_err(Error::file)?;
        let report = work.run(|work| {
            let report = versions::append(held, sources, output, &options, work)?;
            if indexed {
                versions::keep_index(path, &[], work)?;
            }
            Ok(report)
        })?;
        Ok(PackReport { left_out, ..PackReport::of(report) })
    }
}

/// Returns how to pack.
fn options(
    rules: Option<Rules>,
    line_codec: Option<LineCodec>,
    position_codec: Option<PositionCodec>,
) -> Result<Options, Error> {
    let codec = match (line_codec, rules) {
        (Some(codec), _) => codec,
        (None, Some(rules)) => rules.default_line_codec()?,
        (None, None) => "chess".parse::<Rules>()?.default_line_codec()?,
    };
    let positions = position_codec.map(|codec| codec.0);
    Ok(Options { codec: codec.0, positions, detect: rules.is_none() })
}

/// Opens inputs, none of which may be the output.
fn open(inputs: Vec<Input>, output: &Path) -> Result<Opened, Error> {
    let open = || {
        let look = |input| match input {
            Input::Path(path) => opening::Input::look(&path),
            Input::Reader(input) => Ok(input),
        };
        let inputs = inputs.into_iter().map(look).collect::<Result<Vec<_>, _>>()?;
        inputs.iter().try_for_each(|input| input.check_apart(output))?;
        opening::open(inputs, &BytesRead::default())
    };
    open().map_err(Error::file)
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
            unread: report.unread,
            notices: report.notices.into_iter().map(notice).collect(),
            renamed: report.renamed,
            left_out: Vec::new(),
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
            .field("threads", &self.work.threads)
            .finish_non_exhaustive()
    }
}
