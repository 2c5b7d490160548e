//! Archives as inputs: every file in a tar or zip archive is a source of its own, called by its
//! path in the archive.
//!
//! Nothing of an archive is unpacked to the disk, and no more of it is in memory than a few pieces
//! of the file that is being read, and the names so far.

mod names;
mod relay;
mod tar;
mod zip;

use std::fmt;
use std::io::{self, Read, Seek};
use std::path::Path;

use super::compressed::decompress;
use super::{Source, Sources};
use crate::error::Error;
use plypack_reading::compression::Compression;
use relay::Files;

pub use names::decode;

/// How much of an input tells whether it is an archive, in bytes.
pub const HEAD_BYTES: usize = 512;

/// How much of an input that can be read only once is looked at: a block of bzip2, of which nothing
/// is known before its end, is shorter.
const STREAM_HEAD_BYTES: u64 = 1 << 20;

/// The most that the names of the files in an archive may take, in bytes.
const NAMES_BYTES_MAX: usize = 128 << 20;

/// A kind of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archive {
    /// A tar archive, which may be compressed as a whole.
    Tar,
    /// A zip archive.
    Zip,
}

/// What a zip archive begins with: a file, or the end of an empty archive.
const ZIP_MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Where the head of a tar archive has its checksum.
const TAR_SUM: std::ops::Range<usize> = 148..156;

impl Archive {
    /// The kind of an input that begins so; of a compressed one its content.
    #[must_use]
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

    /// Looks at the beginning of an input, through a compression of all of it. What cannot be read
    /// is no archive: whoever reads it will say why.
    #[must_use]
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
        // A compressed zip archive is a file like any other: it is read from its end.
        Self::of(&content).filter(|kind| *kind == Self::Tar)
    }
}

/// The files in a tar archive, which may be compressed, in their order. `path` is the archive's,
/// for messages; their names begin with `prefix`, a folder's, unless that is empty. The archive is
/// opened when the first of them is asked for.
pub fn tar<R: Read + Send + 'static>(
    path: &Path,
    prefix: &str,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> Sources {
    let files = Files::new(path, prefix, move |outlet| tar::walk(Box::new(open()?), outlet));
    Sources::new(files)
}

/// The files in an input that can be read only once, if it is a tar archive, or else that input,
/// called `name`: which, its first bytes say when its turn comes.
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

/// The files in a zip archive, in the order of its directory; otherwise as [`tar`] has them. `open`
/// is called twice: the directory is read on its own.
pub fn zip<R: Read + Seek + Send + 'static>(
    path: &Path,
    prefix: &str,
    open: impl Fn() -> io::Result<R> + Send + 'static,
) -> Sources {
    let files = Files::new(path, prefix, move |outlet| zip::walk(open()?, open()?, outlet));
    Sources::new(files)
}

/// Something that is wrong with an archive, and neither with the system nor with a library.
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

/// Whether an error says in plain words what is wrong: it is the system's or our own, or nobody
/// waits for it.
fn is_plain(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
        || error.kind() == io::ErrorKind::BrokenPipe
        || error.get_ref().is_some_and(|error| error.is::<Refused>())
}
