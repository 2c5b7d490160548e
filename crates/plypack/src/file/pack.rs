//! Packs inputs into one packed file.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use crate::store::find::packed_files_if_any;
use crate::store::index::Indices;
use crate::store::input::opening::{self, Opened};
use crate::store::revision::{Held, InputNames};
use crate::store::{
    Destination, Error as Inner, Existing, Options, Output, PackedFile, Report, Sources, Work,
    import_to, versions,
};

use super::index::IndexReport;
use super::own_codec;
use super::summary::Summary;
use super::work::{Working, overwriting, working};
use crate::error::Error;
use crate::line::LineCodec;
use crate::position::PositionCodec;
use crate::rules::Rules;
use crate::{Loss, UnreadInput};

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
    /// The number of records that a file had before others were appended to it.
    pub records_before: u64,
    /// The number of inputs; each file in a folder or an archive counts.
    pub inputs: u64,
    /// Whether an input was a folder or an archive.
    pub has_folders: bool,
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
    /// Why records are kept as they are, and how many for each reason.
    pub reasons: Vec<(&'static str, u64)>,
    /// Records of games in which neither a tag nor a move was understood. They may be verbatim,
    /// too.
    pub unread: u64,
    /// The first inputs that consist only of such records.
    pub unread_inputs: Vec<UnreadInput>,
    /// Inputs that hold something else than the first: positions instead of games, or the reverse.
    /// Their records are kept as text.
    pub misfits: Vec<String>,
    /// Pieces of records longer than [`Packer::RECORD_BYTES_MAX`].
    pub pieces: u64,
    /// What is wrong with the first records that could not be coded.
    pub notices: Vec<Notice>,
    /// Inputs that were renamed when they were appended, because the file has an input of that
    /// name: both names.
    pub renamed: Vec<(String, String)>,
    /// For each table of games among the inputs, the columns that records have no place for.
    pub left_out: Vec<(String, Vec<String>)>,
    /// For each database of another program among the inputs, which are read as the PGN that their
    /// games make, what they hold that PGN does not, by kind.
    pub losses: BTreeMap<String, BTreeMap<&'static str, Loss>>,
    /// What the output holds, and its path. After appending, the sizes are those of the whole file,
    /// and all else counts only what is new.
    pub summary: Summary,
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
    Looked(opening::Input),
}

impl<'a> Packer<'a> {
    /// The length in bytes, 16 MiB, at which a record is cut. The pieces are kept as they are.
    pub const RECORD_BYTES_MAX: usize = crate::store::RECORD_BYTES_MAX;

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
        self.inputs.push(Input::Looked(opening::Input::reader(name, Box::new(reader))));
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

    /// Checks that none of the inputs is a folder without files, packed already, or a database of
    /// another program that cannot be read. Packing does so, too.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if one of them is.
    pub fn check_inputs(&mut self) -> Result<(), Error> {
        self.look().map(drop)
    }

    /// Returns where the first input is packed by default: beside it, `games.parquet` for
    /// `games.pgn.zst` or `games.tar.gz`.
    ///
    /// ```
    /// # fn main() -> Result<(), plypack::Error> {
    /// let mut packer = plypack::Packer::new().input("2024/games.pgn.zst");
    /// assert_eq!(packer.default_output()?, std::path::Path::new("2024/games.parquet"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::File`] if the first input has no name, or there is none, and the errors of
    /// [`check_inputs`](Self::check_inputs).
    pub fn default_output(&mut self) -> Result<PathBuf, Error> {
        let first = self.look()?.next();
        let none = || Inner::Format { path: "plypack".into(), why: "there are no inputs".into() };
        first.ok_or_else(none).and_then(opening::Input::default_output).map_err(Error::file)
    }

    /// Checks that no input is the output, or has it in its folder. Packing does so, too.
    ///
    /// # Errors
    /// Returns [`Error::File`] if one is or has, and the errors of
    /// [`check_inputs`](Self::check_inputs).
    pub fn check_output(&mut self, output: impl AsRef<Path>) -> Result<(), Error> {
        let output = output.as_ref();
        self.look()?.try_for_each(|input| input.check_apart(output)).map_err(Error::file)
    }

    /// Packs the inputs, in order, into a file at `output`. The file gets its name once all of it
    /// is on disk; an error leaves an existing one unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Io`]; [`Error::File`], also if an input is the output; [`Error::Exists`];
    /// [`Error::Stopped`] if the caller asks to stop.
    pub fn pack(mut self, output: impl AsRef<Path>) -> Result<PackReport, Error> {
        let output = output.as_ref();
        self.check_output(output)?;
        self.pack_as(output, None, &mut Err)
    }

    /// Packs the inputs, in order, to `writer`, under a `name` for messages. No index is built.
    ///
    /// ```
    /// # fn main() -> Result<(), plypack::Error> {
    /// let mut packed = Vec::new();
    /// let packer = plypack::Packer::new().reader("a.pgn", &b"1. e4 e5 *\n"[..]);
    /// let report = packer.to_writer("memory", &mut packed)?;
    /// assert_eq!(report.output_bytes, packed.len() as u64);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`pack`](Self::pack). Some bytes may then be written, which are no packed file.
    pub fn to_writer(
        self,
        name: impl AsRef<Path>,
        mut writer: impl Write + Send + Sync,
    ) -> Result<PackReport, Error> {
        let (options, name) = (self.options(None)?, name.as_ref());
        let (report, about) = self.run(|sources, work| {
            import_to(sources, &mut Destination::new(&mut writer, name), &options, work)
        })?;
        writer.flush().map_err(Error::io(name))?;
        Ok(about.with(report, name))
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
    pub fn append(mut self, path: impl AsRef<Path>) -> Result<PackReport, Error> {
        let path = path.as_ref();
        self.check_output(path)?;
        let held = Held::open(path).map_err(Error::file)?;
        let options = self.options(own_codec(held.file())?)?;
        let indexed = self.index || !Indices::open(held.file()).is_empty();
        let output = Output::begin(path, Existing::Replaced).map_err(Error::file)?;
        let (report, about) = self.run(|sources, work| {
            let report = versions::append(held, sources, output, &options, work)?;
            if indexed {
                versions::keep_index(path, &[], work)?;
            }
            Ok(report)
        })?;
        Ok(about.with(report, path))
    }

    /// Packs the inputs into a file of their own in a folder of packed files, which is made if
    /// there is none. The file is named after the first input, with a number if that name is taken,
    /// and the [summary](PackReport::summary) has its path. Games are coded like those of the first
    /// file there, unless a codec was chosen. If a file there has an index, so has the new one.
    ///
    /// # Errors
    /// As [`pack`](Self::pack); also [`Error::File`] if a `*.parquet` file there is no packed file.
    /// Then the folder is as it was.
    pub fn append_to_folder(self, folder: impl AsRef<Path>) -> Result<PackReport, Error> {
        let folder = folder.as_ref();
        if folder.exists() {
            return self.pack_into(folder);
        }
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let packed = self.pack_into(folder);
        if packed.is_err() {
            // Nothing is left of a run that failed; a folder that has files stays.
            let _ = std::fs::remove_dir(folder);
        }
        packed
    }

    fn pack_into(mut self, folder: &Path) -> Result<PackReport, Error> {
        let paths = packed_files_if_any(folder).map_err(Error::file)?;
        let others = paths.iter().map(|path| PackedFile::open(path)).collect::<Result<Vec<_>, _>>();
        let others = others.map_err(Error::file)?;
        let own = others.first().map(own_codec).transpose()?.flatten();
        self.index |= others.iter().any(|other| !Indices::open(other).is_empty());
        self.existing = Existing::Kept;
        let name = self.default_output()?;
        let output = free_path(folder, &name).map_err(Error::file)?;
        self.check_output(&output)?;
        // Another run may take the name first.
        let mut next = |error| free_path(folder, &name).map_err(|_| error);
        self.pack_as(&output, own, &mut next)
    }

    /// Packs the inputs into a file. If there is one of that name, at first or when this one is
    /// complete, `next` may return another name.
    fn pack_as(
        self,
        output: &Path,
        own: Option<LineCodec>,
        next: &mut dyn FnMut(Inner) -> Result<PathBuf, Inner>,
    ) -> Result<PackReport, Error> {
        let (options, index) = (self.options(own)?, self.index);
        let mut output = output.to_path_buf();
        let file = loop {
            match Output::begin(&output, self.existing) {
                Err(error @ Inner::Exists { .. }) => output = next(error).map_err(Error::file)?,
                begun => break begun.map_err(Error::file)?,
            }
        };
        let (packed, about) =
            self.run(|sources, work| versions::pack(sources, file, &options, index, next, work))?;
        let index = packed.built.map(IndexReport::of);
        Ok(PackReport { index, ..about.with(packed.report, &packed.path) })
    }

    /// Returns how to pack: as asked, else like the games of a file, coded by `own`.
    fn options(&self, own: Option<LineCodec>) -> Result<Options, Error> {
        let own = match (own, self.rules) {
            (Some(own), Some(rules)) => {
                rules.line_codec(&format!("{}/{}", own.name(), own.id())).ok()
            }
            (own, _) => own,
        };
        let codec = match (self.line_codec.or(own), self.rules) {
            (Some(codec), _) => codec,
            (None, Some(rules)) => rules.default_line_codec()?,
            (None, None) => "chess".parse::<Rules>()?.default_line_codec()?,
        };
        let positions = self.position_codec.map(|codec| codec.0);
        Ok(Options { codec: codec.0, positions, detect: self.rules.is_none() })
    }

    /// Determines the kinds of the inputs, unless that was done before.
    fn look(&mut self) -> Result<impl Iterator<Item = &opening::Input>, Error> {
        for input in &mut self.inputs {
            if let Input::Path(path) = input {
                *input = Input::Looked(opening::Input::look(path).map_err(Error::file)?);
            }
        }
        Ok(self.inputs.iter().filter_map(|input| match input {
            Input::Looked(input) => Some(input),
            Input::Path(_) => None,
        }))
    }

    /// Opens the inputs and has `work` pack them. Also returns what is known about them.
    fn run<T>(
        mut self,
        work: impl FnOnce(Sources, &Work<'_>) -> Result<T, Inner>,
    ) -> Result<(T, PackReport), Error> {
        let has_folders = self.look()?.any(opening::Input::is_container);
        let looked = |input| match input {
            Input::Looked(input) => Some(input),
            Input::Path(_) => None,
        };
        let inputs = self.inputs.into_iter().filter_map(looked).collect();
        let opened = opening::open(inputs, &self.work.read).map_err(Error::file)?;
        let Opened { sources, count, size, left_out, losses } = opened;
        let done = Working { size, ..self.work }.run(|working| work(sources, working))?;
        let (inputs, losses) = (count.load(Ordering::Relaxed), losses.counts());
        Ok((done, PackReport { inputs, has_folders, left_out, losses, ..PackReport::default() }))
    }
}

/// Returns the path of a new file in a folder: with this name, or with a number if that is taken.
fn free_path(folder: &Path, name: &Path) -> Result<PathBuf, Inner> {
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut there = Vec::new();
    for entry in folder.read_dir().map_err(Inner::io(folder))? {
        let entry = entry.map_err(Inner::io(folder))?;
        there.push(entry.file_name().to_string_lossy().into_owned());
    }
    Ok(folder.join(InputNames::of(&there).take(&name).unwrap_or(name)))
}

impl PackReport {
    /// Adds to what is known about the inputs what was packed of them, into a file at `path`.
    fn with(self, report: Report, path: &Path) -> Self {
        let verbatim = report.verbatim_records();
        let notice = |notice: crate::store::Notice| Notice {
            input: notice.source,
            line: notice.line,
            record: notice.record,
            message: notice.fault.to_string(),
        };
        Self {
            records: report.records,
            records_before: report.records_before,
            plies: report.plies,
            positions: report.positions,
            input_bytes: report.input_bytes,
            output_bytes: report.output_bytes,
            faulty: report.faulty,
            verbatim,
            reasons: report.verbatim.iter().map(|(why, count)| (why.text(), *count)).collect(),
            unread: report.unread,
            unread_inputs: report.unread_inputs,
            misfits: report.misfits,
            pieces: report.pieces,
            notices: report.notices.into_iter().map(notice).collect(),
            renamed: report.renamed,
            summary: Summary::of(path, report.summary),
            ..self
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
