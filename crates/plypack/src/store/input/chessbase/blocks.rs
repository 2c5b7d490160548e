//! A file of blocks, which are read one at a time by their places.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use crate::store::error::Error;

/// The bytes that are read ahead, as games mostly lie one behind another.
const PAGE_BYTES: usize = 1 << 16;

/// A file and where it stands.
#[derive(Debug)]
pub(super) struct Blocks {
    pub path: PathBuf,
    file: BufReader<File>,
    place: u64,
    pub length: u64,
}

impl Blocks {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io(path))?;
        Self::of_file(path.into(), file)
    }

    /// Reads an open file from its beginning, which is called `path` in messages.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn of_file(path: PathBuf, mut file: File) -> Result<Self, Error> {
        let length = file.metadata().and_then(|found| Ok((found.len(), file.rewind()?)));
        let (length, ()) = length.map_err(Error::io(&path))?;
        let file = BufReader::with_capacity(PAGE_BYTES, file);
        Ok(Self { path, file, place: 0, length })
    }

    /// Appends `length` bytes from `place` on; whether the file has them. Nothing is appended
    /// otherwise.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn read(&mut self, place: u64, length: usize, out: &mut Vec<u8>) -> io::Result<bool> {
        let length = length as u64;
        if place.checked_add(length).is_none_or(|end| end > self.length) {
            return Ok(false);
        }
        let known = out.len();
        // A file is shorter than `i64::MAX` bytes.
        self.file.seek_relative(place.wrapping_sub(self.place).cast_signed())?;
        self.place = place;
        let read = (&mut self.file).take(length).read_to_end(out)? as u64;
        self.place += read;
        if read < length {
            out.truncate(known);
        }
        Ok(read == length)
    }
}

/// Bytes that are read from the front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number of at most four bytes, the highest first.
    pub fn big(&mut self, length: usize) -> Option<u32> {
        Some(self.take(length)?.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    }

    /// A number of at most four bytes, the lowest first.
    pub fn little(&mut self, length: usize) -> Option<u32> {
        Some(self.take(length)?.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    }
}
