//! Walks a zip archive, whose directory is at its end.

use std::collections::BTreeMap;
use std::io::{self, BufReader, ErrorKind, Read, Seek};

use ::zip::read::{Config, ZipFileEntry};
use ::zip::result::ZipError;
use ::zip::unstable::read::ZipIterable;
use ::zip::{CompressionMethod, ZipReadOptions};

use super::relay::Outlet;
use super::{decode, is_plain, refused};

/// The bits of a Unix mode that hold the file type.
const TYPE_BITS: u32 = 0o170_000;
/// Their values for a file and a folder.
const FILE_TYPES: [u32; 2] = [0o100_000, 0o040_000];

/// Walks an archive, reading its directory with one reader and its files with the other.
pub(super) fn walk<R: Read + Seek>(directory: R, files: R, outlet: &mut Outlet) -> io::Result<()> {
    let mut directory = BufReader::new(directory);
    let mut files = BufReader::new(files);
    let mut archive = ZipIterable::try_new(&mut directory, Config::default()).map_err(explain)?;
    let mut places = Places::default();
    for entry in archive.files().map_err(explain)? {
        let entry = entry.map_err(explain)?;
        // Windows programs may separate folders by backslashes.
        let name = decode(entry.name_raw()).replace('\\', "/");
        if name.ends_with('/') {
            continue;
        }
        check(&entry, &name)?;
        outlet.begin(&name)?;
        let (start, size) = (entry.header_start(), entry.size());
        let compressed = entry.compressed_size();
        let opened = entry.with_reader(&mut files, ZipReadOptions::new());
        let mut file = opened.map_err(explain)?;
        let data = file.data_start().unwrap_or(start);
        places.take(start, data.saturating_add(compressed))?;
        if outlet.copy(&mut file).map_err(|error| explain(error.into()))? != size {
            return Err(damaged("a file has the wrong length"));
        }
        outlet.end()?;
    }
    Ok(())
}

/// Refuses entries that are not files or cannot be read.
fn check(entry: &ZipFileEntry<'_>, name: &str) -> io::Result<()> {
    let kind = entry.unix_mode().map_or(0, |mode| mode & TYPE_BITS);
    let wrong = if entry.is_symlink() {
        "is a symbolic link; recreate the archive with its target"
    } else if kind != 0 && !FILE_TYPES.contains(&kind) {
        "is not a file; recreate the archive without it"
    } else if entry.encrypted() {
        "is encrypted; unpack the archive with its password and pack the folder"
    } else if !matches!(
        entry.compression(),
        CompressionMethod::Stored | CompressionMethod::Deflated
    ) {
        "uses a compression that plypack does not support; unpack the archive with its own \
         program and pack the folder"
    } else {
        return Ok(());
    };
    Err(refused(format!("its entry `{}` {wrong}", name.escape_debug())))
}

/// The places of files in the archive.
#[derive(Default)]
struct Places(BTreeMap<u64, u64>);

impl Places {
    /// Takes a place. Overlapping files would let a small archive expand to any size.
    fn take(&mut self, start: u64, end: u64) -> io::Result<()> {
        let before = self.0.range(..end).next_back();
        if before.is_some_and(|(_, &before)| before > start) {
            return Err(refused("files in it overlap; it is damaged or malicious"));
        }
        self.0.insert(start, end);
        Ok(())
    }
}

/// Explains the library's errors.
fn explain(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) if is_plain(&error) => error,
        ZipError::Io(error) if error.kind() == ErrorKind::UnexpectedEof => damaged("it is cut off"),
        other => damaged(&other.to_string()),
    }
}

fn damaged(why: &str) -> io::Error {
    refused(format!("this zip archive is damaged ({why}); fetch it again"))
}
