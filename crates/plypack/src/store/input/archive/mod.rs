//! Archives as inputs: every file in a tar or zip archive is a source, named by its path in the
//! archive.
//!
//! Nothing is unpacked to disk. Memory holds only a few pieces of the file being read, and the
//! names so far.

mod names;
mod relay;
mod tar;
mod zip;

use std::fmt;
use std::io::{self, Read, Seek};
use std::path::Path;

use super::compressed::decompress;
use super::{Source, Sources};
use crate::reading::compression::Compression;
use crate::store::error::Error;
use relay::Files;

pub use names::decode;

/// The number of bytes that show whether an input is an archive.
pub const HEAD_BYTES: usize = 512;

/// The number of bytes examined of an input that can be read only once: more than a block of bzip2,
/// which must be decoded whole.
const STREAM_HEAD_BYTES: u64 = 1 << 20;

/// Maximum total size of the file names in an archive, in bytes.
const NAMES_BYTES_MAX: usize = 128 << 20;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archive {
    /// A tar archive, which may be compressed as a whole.
    Tar,
    /// A zip archive.
    Zip,
}

/// How a zip archive begins: with a file, or with the end of an empty archive.
const ZIP_MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// The checksum in a tar header.
const TAR_SUM: std::ops::Range<usize> = 148..156;

impl Archive {
    /// Returns the archive kind for the first bytes of an input, after decompression.
    pub fn of(begin: &[u8]) -> Option<Self> {
        if ZIP_MAGIC.iter().any(|magic| begin.starts_with(magic)) {
            return Some(Self::Zip);
        }
        let head = begin.get(..HEAD_BYTES)?;
        let stated = std::str::from_utf8(head.get(TAR_SUM)?).ok()?;
        let stated = stated.trim_matches([' ', '\0']);
        let stated = u32::from_str_radix(stated, 8).ok()?;
        // The checksum counts itself as spaces.
        let sum = head.iter().enumerate().map(|(place, &byte)| match TAR_SUM.contains(&place) {
            true => u32::from(b' '),
            false => u32::from(byte),
        });
        (head.first() != Some(&0) && sum.sum::<u32>() == stated).then_some(Self::Tar)
    }

    /// Examines the beginning of an input, through compression if there is any. An unreadable input
    /// does not count as an archive; reading it will report the error.
    pub fn look(mut reader: impl Read + Send + 'static) -> Option<Self> {
        let mut begin = Vec::with_capacity(HEAD_BYTES);
        let mut head = |reader: &mut dyn Read| {
            reader.take(HEAD_BYTES as u64).read_to_end(&mut begin).ok()?;
            Some(std::mem::take(&mut begin))
        };
        let begin = head(&mut reader)?;
        if Compression::of(&begin).is_none() {
            return Self::of(&begin);
        }
        let whole = Box::new(io::Cursor::new(begin).chain(reader));
        let content = head(&mut decompress(whole).ok()?)?;
        // A compressed zip archive is an ordinary file, as zip is read from its end.
        Self::of(&content).filter(|kind| *kind == Self::Tar)
    }
}

/// Returns the files in a tar archive, which may be compressed, in order. `path` is the archive's,
/// for messages; `prefix`, unless empty, is a folder prepended to the names. The archive is opened
/// when the first file is requested.
pub fn tar<R: Read + Send + 'static>(
    path: &Path,
    prefix: &str,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> Sources {
    let files = Files::new(path, prefix, move |outlet| tar::walk(Box::new(open()?), outlet));
    Sources::new(files)
}

/// Returns the files in an input that can be read only once, if it is a tar archive; otherwise the
/// input itself, as `name`. Its first bytes decide when its turn comes.
pub fn streamed(
    path: &Path,
    prefix: &str,
    name: String,
    mut reader: Box<dyn Read + Send>,
) -> Sources {
    let (path, prefix) = (path.to_path_buf(), prefix.to_owned());
    let mut opened: Option<Sources> = None;
    let mut open = move || {
        let mut begin = Vec::new();
        reader
            .by_ref()
            .take(STREAM_HEAD_BYTES)
            .read_to_end(&mut begin)
            .map_err(Error::input(&name))?;
        let is_tar = Archive::look(io::Cursor::new(begin.clone())) == Some(Archive::Tar);
        let reader = std::mem::replace(&mut reader, Box::new(io::empty()));
        let whole = io::Cursor::new(begin).chain(reader);
        Ok(match is_tar {
            true => tar(&path, &prefix, || Ok(whole)),
            false => vec![Source::new(name.clone(), Box::new(whole))].into(),
        })
    };
    let next = move || match &mut opened {
        Some(sources) => sources.next(),
        closed => match open() {
            Ok(sources) => closed.insert(sources).next(),
            Err(error) => {
                *closed = Some(Vec::new().into());
                Some(Err(error))
            }
        },
    };
    Sources::new(std::iter::from_fn(next))
}

/// Returns the files in a zip archive, in the order of its directory; otherwise like [`tar()`].
/// `open` is called twice, as the directory is read separately.
pub fn zip<R: Read + Seek + Send + 'static>(
    path: &Path,
    prefix: &str,
    open: impl Fn() -> io::Result<R> + Send + 'static,
) -> Sources {
    let files = Files::new(path, prefix, move |outlet| zip::walk(open()?, open()?, outlet));
    Sources::new(files)
}

/// A fault of an archive, not of the operating system or a library.
#[derive(Debug)]
struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

fn refused(why: impl Into<String>) -> io::Error {
    io::Error::other(Refused(why.into()))
}

/// Whether an error needs no explanation: it comes from the operating system or from us, or its
/// receiver is gone.
fn is_plain(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
        || error.kind() == io::ErrorKind::BrokenPipe
        || error.get_ref().is_some_and(|error| error.is::<Refused>())
}
