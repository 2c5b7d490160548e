//! Archives of ChessBase (`.cbv`): a header, a record for each file, and the packed files.
//!
//! ChessBase does not document them. Their form is as the open-source crate `cbvault-format` found
//! it, apart from the sums of blocks, which archives show that ChessBase wrote. Numbers have their
//! lowest byte first.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::blocks::{Blocks, Bytes};
use super::files::{COMPANIONS, INDEX};
use super::unpack::Unpacker;
use crate::store::error::Error;
use crate::store::input::database::{not_unpacked, unnamed_file};

/// The length of the header, in which the number of files has a place.
pub(super) const HEADER_BYTES: usize = 8;

/// The length of a record.
const RECORD_BYTES: usize = 173;

/// The field of a record with a file's name, up to the first zero.
const NAME_BYTES: usize = 128;

/// The bytes of a record between the numbers in four bytes and the same in eight.
const BETWEEN_BYTES: usize = 9;

/// How many times its packed size a file may take. A run of more than 4,000 bytes takes three, but
/// blocks make 60 KiB at a time, and take tens of bytes at the least.
const RATIO_MAX: u64 = 2000;

const CONTRADICTION: &str = "its list of files contradicts itself";

/// An archive.
pub(super) struct Archive {
    path: PathBuf,
    file: File,
    /// The files of databases in it.
    members: Vec<Member>,
}

/// A file in an archive.
#[derive(Clone, Debug)]
struct Member {
    name: String,
    /// The place of the packed file, its length, and that of the file.
    place: u64,
    packed: u64,
    size: u64,
}

/// The number of files, if these bytes are the header of an archive.
pub(super) fn files(header: &[u8]) -> Option<u16> {
    match *header.first_chunk::<HEADER_BYTES>()? {
        [8, 0, low, high, 173, 0, 3, 0] => Some(u16::from_le_bytes([low, high])),
        _ => None,
    }
}

impl Member {
    /// Reads a record; `Err` says what is wrong with it.
    fn read(record: &[u8], archive_bytes: u64) -> Result<Self, &'static str> {
        const SHORT: &str = "its list of files is cut off";
        let mut bytes = Bytes(record);
        let name = bytes.take(NAME_BYTES).ok_or(SHORT)?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let name = name.iter().map(|&byte| char::from(byte)).collect();
        let mut short = || bytes.little(4).map(u64::from).ok_or(SHORT);
        let shorts = [short()?, short()?, short()?];
        bytes.take(BETWEEN_BYTES).ok_or(SHORT)?;
        let mut long = || {
            let (low, high) = bytes.little(4).zip(bytes.little(4)).ok_or(SHORT)?;
            Ok::<_, &str>(u64::from(high) << 32 | u64::from(low))
        };
        let longs @ [place, packed, size] = [long()?, long()?, long()?];
        if longs.map(|number| number & u64::from(u32::MAX)) != shorts {
            return Err(CONTRADICTION);
        }
        if place.checked_add(packed).is_none_or(|end| end > archive_bytes) {
            return Err("it ends before a file in it does");
        }
        if size > packed.saturating_mul(RATIO_MAX) {
            return Err("a file in it takes more than 2,000 times its packed size");
        }
        Ok(Self { name, place, packed, size })
    }

    /// Whether it may be a file of a database.
    fn is_of_database(&self) -> bool {
        let extension = self.extension();
        extension == INDEX || COMPANIONS.contains(&extension.as_str())
    }

    fn extension(&self) -> String {
        let extension = self.name.rsplit_once('.').unwrap_or_default().1;
        extension.to_ascii_lowercase()
    }

    /// Its name without the extension.
    fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(&self.name, |(stem, _)| stem)
    }
}

impl Archive {
    /// Opens an archive, which is called `path` in messages.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is damaged, or does not hold one database.
    pub fn open(path: &Path, file: File) -> Result<Self, Error> {
        let damaged = |why: &str| Error::Format {
            path: path.into(),
            why: format!("this archive of ChessBase is damaged ({why}); fetch it again"),
        };
        let length = file.metadata().map_err(Error::io(path))?.len();
        let mut archive = Self { path: path.into(), file, members: Vec::new() };
        let mut reader = BufReader::new(&mut archive.file);
        reader.seek(SeekFrom::Start(0)).map_err(Error::io(path))?;
        let mut header = [0; HEADER_BYTES];
        reader.read_exact(&mut header).map_err(Error::io(path))?;
        let count = files(&header).ok_or_else(|| damaged("it does not begin as one"))?;
        let list_end = HEADER_BYTES as u64 + RECORD_BYTES as u64 * u64::from(count);
        for number in 0..count {
            let mut record = Vec::with_capacity(RECORD_BYTES);
            let mut next = (&mut reader).take(RECORD_BYTES as u64);
            next.read_to_end(&mut record).map_err(Error::io(path))?;
            let member = Member::read(&record, length).map_err(damaged)?;
            // The first file follows the list, which tells whether its length is right.
            if number == 0 && member.place != list_end {
                return Err(damaged(CONTRADICTION));
            }
            if member.is_of_database() {
                archive.members.push(member);
            }
        }
        let indices = archive.members.iter().filter(|member| member.extension() == INDEX);
        let why = match indices.count() {
            0 => {
                "it is an archive of ChessBase without a database that has a .cbh; open it in \
                  ChessBase and save its games as a new database or as PGN"
            }
            1 => return Ok(archive),
            _ => {
                "it is an archive of ChessBase with several databases; unpack it in ChessBase \
                  and pack them one by one"
            }
        };
        Err(Error::Format { path: path.into(), why: why.into() })
    }

    /// The path in messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Unpacks the file of the database with this extension into a file without a name, which is
    /// gone with the process; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if it is damaged, or cannot be read or written.
    pub fn unpack(&mut self, extension: &str) -> Result<Option<Blocks>, Error> {
        let index = self.members.iter().find(|member| member.extension() == INDEX);
        let stem = index.map(|index| index.stem().to_owned()).unwrap_or_default();
        let is_it = |member: &&Member| {
            member.extension() == extension && member.stem().eq_ignore_ascii_case(&stem)
        };
        let Some(member) = self.members.iter().find(is_it).cloned() else { return Ok(None) };
        let name = member.name.escape_debug();
        let path = PathBuf::from(format!("{}: {name}", self.path.display()));
        let file = self.unpack_member(&member).map_err(Error::io(&path))?;
        Blocks::of_file(path.clone(), file).map(Some)
    }

    fn unpack_member(&mut self, member: &Member) -> io::Result<File> {
        let mut reader = BufReader::new(&mut self.file);
        reader.seek(SeekFrom::Start(member.place))?;
        let mut reader = reader.take(member.packed);
        let mut to = BufWriter::new(unnamed_file()?);
        let mut size = 0;
        let mut unpacker = Unpacker::new();
        let mut block = Vec::new();
        while reader.limit() > 0 {
            let at = member.place + member.packed - reader.limit();
            let damaged = |why: &str| {
                let what = format!("it is damaged at byte {at} of the archive ({why})");
                io::Error::other(format!("{what}; fetch the archive again"))
            };
            read_block(&mut reader, &mut block)?.map_err(damaged)?;
            let made = unpacker.block(&block).map_err(damaged)?;
            size += made.len() as u64;
            if size > member.size {
                return Err(damaged("it is longer than the archive says"));
            }
            to.write_all(made).map_err(not_unpacked)?;
        }
        if size != member.size {
            return Err(io::Error::other(format!(
                "it is damaged ({size} of its {} bytes are there); fetch the archive again",
                member.size
            )));
        }
        to.into_inner().map_err(|error| not_unpacked(error.into_error()))
    }
}

/// Reads a block behind its length and its sum, in two bytes each. The inner error says why it is
/// damaged.
fn read_block(from: &mut impl Read, block: &mut Vec<u8>) -> io::Result<Result<(), &'static str>> {
    block.clear();
    from.take(4).read_to_end(block)?;
    let head = block.first_chunk::<4>().copied();
    block.clear();
    let Some([low, high, sum_low, sum_high]) = head else { return Ok(Err("a block is cut off")) };
    let length = u16::from_le_bytes([low, high]);
    from.take(length.into()).read_to_end(block)?;
    if block.len() != usize::from(length) {
        return Ok(Err("a block is cut off"));
    }
    let is_whole = sum(block) == u16::from_le_bytes([sum_low, sum_high]);
    Ok(is_whole.then_some(()).ok_or("the sum of a block is wrong"))
}

/// The sum of a block's words of two bytes; a single byte at the end is no part of it.
fn sum(block: &[u8]) -> u16 {
    let words = block.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
    words.fold(0, u16::wrapping_add)
}
