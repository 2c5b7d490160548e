//! A packed file open for reading: its metadata, and the source of its ranges.

mod checks;
mod contents;
mod faults;
mod rows;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use plypack_records::Content;

pub(crate) use self::checks::check_footer;
use self::checks::{kind_of, listed_checksums, starts, value};
pub use self::rows::Records;
use crate::store::cells;
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::footer::{Checks, Unreadable, read_footer, read_index};
use crate::store::index::group_id;
use crate::store::ranges::Ranges;
use crate::store::reader::guarded;
use crate::store::schema::{FORMAT_VERSION, VERSION_KEY, is_ours};
use crate::store::writer::checksum_of;

/// The first bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// A packed file.
#[derive(Debug)]
pub struct PackedFile {
    path: PathBuf,
    ranges: Box<dyn Ranges>,
    size: u64,
    metadata: ArrowReaderMetadata,
    /// The checksums before the footer, if any.
    checks: Option<Checks>,
    /// The metadata with the page index, once needed.
    indexed: OnceLock<ArrowReaderMetadata>,
    /// The metadata for reading repeated texts as words and their numbers, without and with the
    /// page index, once needed.
    words: [OnceLock<ArrowReaderMetadata>; 2],
    kind: Content,
    /// The first row of each row group, and the row after the last.
    starts: Vec<u64>,
    /// The checksum of each row group's record checksums, where the metadata has it.
    checksums: Vec<Option<u32>>,
    /// For each row group of a copy, whether its records were compared with their checksums.
    proved: Vec<OnceLock<()>>,
}

/// A column of a row group as stored in its file.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Where it begins.
    pub start: u64,
    pub bytes: Bytes,
    /// Its metadata in the footer.
    pub metadata: ColumnChunkMetaData,
    /// Where its pages are, if the file has a page index.
    pub pages: Option<OffsetIndexMetaData>,
}

/// What to do about a file of another version of the format (`docs/FORMAT.md`, *What will stay*).
fn other_version(version: &str) -> String {
    if version == "0" {
        return "its format is version 0, which was never promised to stay: unpack it with plypack \
                0.1.0, the last program that reads it, and pack what comes back"
            .into();
    }
    format!(
        "its format is version {version}, and this plypack reads version {FORMAT_VERSION}: a newer \
             plypack wrote it; update plypack to read it"
    )
}

/// Returns whether a file begins as Parquet files do.
fn begins_as_parquet(ranges: &dyn Ranges) -> std::io::Result<bool> {
    let begin = ranges.fetch(&[0..MAGIC.len() as u64])?;
    Ok(begin.first().is_some_and(|begin| begin[..] == MAGIC[..]))
}

impl PackedFile {
    /// Opens a packed file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is not Parquet, lacks our columns, or needs a newer
    /// version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let found = path.metadata().map_err(Error::io(path))?;
        if found.is_dir() {
            return Err(Error::io(path)(std::io::ErrorKind::IsADirectory.into()));
        }
        if !found.is_file() {
            // Opening a pipe would block until it has a writer.
            let why = "it is not a regular file, and a packed file is read from its end; write it \
                       to a file and name that";
            return Err(Error::Format { path: path.into(), why: why.into() });
        }
        let file = File::open(path).map_err(Error::io(path))?;
        Self::open_ranges(path, Box::new(file))
    }

    /// Opens a packed file by ranges of its bytes. `path` is its name in messages.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is not Parquet, lacks our columns, or needs a newer
    /// version.
    pub fn open_ranges(path: &Path, ranges: Box<dyn Ranges>) -> Result<Self, Error> {
        let size = ranges.size().map_err(Error::io(path))?;
        let format = |why: String| Error::Format { path: path.into(), why };
        let (metadata, checks) = read_footer(&*ranges, size).map_err(|error| match error {
            Unreadable::Io(error) => Error::io(path)(error),
            Unreadable::Damaged(why) => format(why.into()),
            Unreadable::Parquet(error) if begins_as_parquet(&*ranges).unwrap_or_default() => {
                format(format!(
                    "its end is damaged or missing ({error}); use an undamaged copy, or pack the \
                     games again"
                ))
            }
            Unreadable::Parquet(error) => {
                format(format!("this is not a packed file; make one with `plypack pack` ({error})"))
            }
        })?;
        let version = value(&metadata, VERSION_KEY);
        if version.is_some_and(|version| version != FORMAT_VERSION.to_string()) {
            return Err(format(other_version(version.unwrap_or_default())));
        }
        // Checked after the version: the checksums of a newer format are unknown.
        let checks = checks.map_err(|why| format(why.into()))?;
        check_footer(&metadata).map_err(format)?;
        let kind = kind_of(&metadata).map_err(format)?;
        let path = path.into();
        let (indexed, words) = (OnceLock::new(), [const { OnceLock::new() }; 2]);
        let (starts, checksums) = (starts(&metadata), listed_checksums(&metadata));
        let copied = if is_ours(metadata.metadata()) { 0 } else { starts.len().saturating_sub(1) };
        let proved = (0..copied).map(|_| OnceLock::new()).collect();
        Ok(Self {
            path,
            ranges,
            size,
            metadata,
            checks,
            indexed,
            words,
            kind,
            starts,
            checksums,
            proved,
        })
    }

    /// Returns what its records are.
    pub fn kind(&self) -> Content {
        self.kind
    }

    /// Returns the path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of row groups.
    pub fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// Returns an identifier of each row group's content, for an index.
    pub(crate) fn group_ids(&self) -> Vec<[u8; 16]> {
        let groups = self.metadata.metadata().row_groups();
        let checksum = |at: usize| self.checksums.get(at).copied().flatten();
        groups.iter().zip(0..).map(|(group, at)| group_id(group, checksum(at))).collect()
    }

    /// Returns whether its row groups equal those of another file, in order: it is the same file,
    /// or a copy of it.
    pub fn has_groups_of(&self, other: &Self) -> bool {
        self.group_ids() == other.group_ids()
    }

    /// Returns the checksum of a row group's record checksums.
    pub(crate) fn group_checksum(&self, group: usize) -> Result<u32, Error> {
        if let Some(Some(listed)) = self.checksums.get(group) {
            return Ok(*listed);
        }
        let batches = self.read_batches(group, Wanted::Of(&["checksum"]))?;
        Ok(checksum_of(batches.iter().filter_map(|batch| batch.column_by_name("checksum"))))
    }

    /// Returns whether it has a page index for all columns.
    pub(crate) fn has_page_index(&self) -> Result<bool, Error> {
        Ok(self.indexed()?.metadata().offset_index().is_some())
    }

    /// Returns a column of a row group as stored in the file, by the number of the column.
    pub(crate) fn chunk(&self, group: usize, leaf: usize) -> Result<Chunk, Error> {
        let metadata = self.indexed()?.metadata();
        let lost = || ParquetError::General("a row group lacks a column".into());
        let column = metadata.row_groups().get(group).and_then(|group| group.columns().get(leaf));
        let column = column.ok_or_else(|| self.unreadable(lost()))?;
        let range = guarded(|| Ok(column.byte_range())).map_err(|error| self.unreadable(error))?;
        let start = range.0;
        let range = start..start.saturating_add(range.1);
        let fetched = self.ranges.fetch(&[range]).map_err(Error::io(&self.path))?;
        let bytes = fetched.into_iter().next().ok_or_else(|| self.unreadable(lost()))?;
        let pages = metadata.offset_index().and_then(|index| index.get(group)?.get(leaf)).cloned();
        Ok(Chunk { start, bytes, metadata: column.clone(), pages })
    }

    /// Returns the number of records in a row group.
    pub fn group_records(&self, group: usize) -> u64 {
        self.group_start(group + 1) - self.group_start(group)
    }

    /// Returns the first row of a row group, counted from 0 over the whole file; after the last
    /// group, the number of records.
    pub(crate) fn group_start(&self, group: usize) -> u64 {
        self.starts.get(group).or(self.starts.last()).copied().unwrap_or(0)
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.group_start(self.groups())
    }

    /// Returns whether a row group of a copy was verified; `None` if the file has checksums
    /// everywhere.
    pub(crate) fn proved(&self, group: usize) -> Option<&OnceLock<()>> {
        self.proved.get(group)
    }

    /// Loads and keeps the page index, if not yet loaded. The first [`Self::read_rows`] does so,
    /// too.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn load_index(&self) -> Result<(), Error> {
        self.indexed().map(drop)
    }

    /// Checks the parts that records do not need but other tools do: the magic bytes, and the page
    /// index.
    ///
    /// # Errors
    /// Returns an error if one is damaged, or cannot be read.
    pub(crate) fn check_ends(&self) -> Result<(), Error> {
        if !begins_as_parquet(&*self.ranges).map_err(Error::io(&self.path))? {
            let why = "it is damaged: it does not begin like a Parquet file".into();
            return Err(Error::Format { path: self.path.clone(), why });
        }
        self.load_index()
    }

    /// Returns the metadata with the page index, loading it when first needed.
    fn indexed(&self) -> Result<&ArrowReaderMetadata, Error> {
        if let Some(indexed) = self.indexed.get() {
            return Ok(indexed);
        }
        let metadata = self.metadata.metadata().as_ref().clone();
        let read = read_index(&*self.ranges, self.size, metadata, self.checks.as_ref());
        let read = read.map_err(|error| match error {
            Unreadable::Io(error) => Error::io(&self.path)(error),
            Unreadable::Damaged(why) => Error::Format { path: self.path.clone(), why: why.into() },
            Unreadable::Parquet(error) => Error::parquet(&self.path)(error),
        })?;
        Ok(self.indexed.get_or_init(|| read))
    }

    /// Returns the metadata for reading columns of repeated texts as words and their numbers
    /// ([`cells`](crate::store::cells)).
    pub(crate) fn words(&self, indexed: bool) -> Result<&ArrowReaderMetadata, Error> {
        let kept = &self.words[usize::from(indexed)];
        if let Some(kept) = kept.get() {
            return Ok(kept);
        }
        let metadata = if indexed { self.indexed()? } else { &self.metadata };
        let words = guarded(|| cells::with_words(metadata));
        let words = words.map_err(|error| self.unreadable(error))?;
        Ok(kept.get_or_init(|| words))
    }

    /// Returns the type of a column, or of a part of one, in this file.
    pub(crate) fn schema_type(&self, name: &str) -> Option<DataType> {
        let (whole, part) = name.split_once('.').unwrap_or((name, ""));
        let whole = self.metadata.schema().field_with_name(whole).ok()?.data_type();
        match whole {
            DataType::Struct(parts) => parts.find(part).map(|part| part.1.data_type().clone()),
            whole => Some(whole.clone()),
        }
    }

    /// Returns the footer.
    pub(crate) fn footer(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    /// Returns whether another tool wrote it, perhaps with our metadata.
    pub(crate) fn is_copy(&self) -> bool {
        !is_ours(self.footer())
    }
}
