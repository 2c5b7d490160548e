//! Reads boards, a band of rows at a time: texts, portable files and packed boards.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use plypack_core::Error;
use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::{HEAD_BYTES, SIDE_MAX, Size};
use plypack_core::codecs::ternary::{CODECS, TernaryCodec, bands};

use super::output::{MAGIC, PACKED_HEAD_BYTES, VERSION};
use super::parallel;
use super::text::{self, RowRead};
use crate::failure::Failure;
use crate::files;

/// A board being read.
pub struct Input {
    name: String,
    reader: BufReader<Box<dyn Read>>,
    /// Number of bytes read so far.
    at: u64,
    form: Form,
}

/// The kind of file.
enum Form {
    /// One line per row; with its number of columns, and of rows read.
    Text { columns: u32, rows: u32 },
    /// The portable file.
    Portable { size: Size, bands: Bands },
    /// A packed board.
    Packed { size: Size, bands: Bands, codec: &'static dyn TernaryCodec },
}

type Bands = Box<dyn Iterator<Item = Size>>;

/// A band as stored: its size, its bytes and their offset, and its checksum.
struct Piece {
    size: Size,
    at: u64,
    code: Vec<u8>,
    checksum: Option<u32>,
}

/// What to do about a packed board of another version.
fn other_version(version: u8) -> String {
    if version == 0 {
        return "it is a packed board of version 0: unpack it with plypack 0.1.0, and pack what \
                comes back"
            .into();
    }
    format!(
        "it is a packed board of version {version}: a newer plypack wrote it; update plypack to \
         read it"
    )
}

impl Input {
    /// Opens a file, `-` for standard input, and reads its header.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let name = if files::is_standard(path) {
            "standard input".to_owned()
        } else {
            path.display().to_string()
        };
        let reader: Box<dyn Read> = if files::is_standard(path) {
            Box::new(std::io::stdin())
        } else {
            let file = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
                true => Err(ErrorKind::IsADirectory.into()),
                false => Ok(file),
            });
            Box::new(file.map_err(|error| Failure::new(format!("{name}: {error}")))?)
        };
        Self::read_from(name, reader)
    }

    /// Reads the header of a board that messages call `name`.
    pub fn read_from(name: String, reader: Box<dyn Read>) -> Result<Self, Failure> {
        let reader = BufReader::with_capacity(1 << 20, reader);
        let form = Form::Text { columns: 0, rows: 0 };
        let mut input = Self { name, reader, at: 0, form };
        let mut head = Vec::new();
        input.read_some(HEAD_BYTES, &mut head)?;
        if !head.is_empty() && head.iter().all(|&byte| text::is_text(byte)) {
            // A portable file that begins like this has more than 80 GB.
            let rest = std::mem::replace(&mut input.reader, BufReader::new(Box::new(&[][..])));
            let whole: Box<dyn Read> = Box::new(std::io::Cursor::new(head).chain(rest));
            input.reader = BufReader::with_capacity(1 << 20, whole);
        } else if head.starts_with(&MAGIC) {
            input.read_some(PACKED_HEAD_BYTES - HEAD_BYTES, &mut head)?;
            input.form = input.packed_form(&head)?;
        } else {
            let Ok(head) = head.try_into() else {
                return Err(
                    input.fault("it is not a board: the file ends within the size of a board")
                );
            };
            let size = Size::read_head(head).map_err(|error| {
                input.fault(&format!("it is not a board that plypack knows: {error}"))
            })?;
            input.form = Form::Portable { size, bands: Box::new(bands(size)) };
        }
        Ok(input)
    }

    fn packed_form(&self, head: &[u8]) -> Result<Form, Failure> {
        let Some(&[version, a, b, ref size @ ..]) = head.get(MAGIC.len()..) else {
            return Err(self.fault("the file ends within its header"));
        };
        let Some(size) = size.first_chunk() else {
            return Err(self.fault("the file ends within its header"));
        };
        if version != VERSION {
            return Err(self.fault(&other_version(version)));
        }
        let id = u16::from_le_bytes([a, b]);
        let codec = CODECS.iter().copied().find(|codec| codec.info().id == id);
        let codec = codec.ok_or_else(|| self.fault(&format!("there is no board codec {id}")))?;
        let size = Size::read_head(*size).map_err(|error| self.fault(&error.to_string()))?;
        Ok(Form::Packed { size, bands: Box::new(bands(size)), codec })
    }

    /// Returns the file's name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the codec of the cells; `None` for a text.
    pub fn codec(&self) -> Option<&'static dyn TernaryCodec> {
        match self.form {
            Form::Text { .. } => None,
            Form::Portable { .. } => plypack_core::codecs::ternary::codec("ternary.trits5"),
            Form::Packed { codec, .. } => Some(codec),
        }
    }

    /// Whether it is a portable file.
    pub fn is_portable(&self) -> bool {
        matches!(self.form, Form::Portable { .. })
    }

    /// Returns the size of the board; `None` for a text, whose size is known only at its end.
    pub fn size(&self) -> Option<Size> {
        match self.form {
            Form::Text { .. } => None,
            Form::Portable { size, .. } | Form::Packed { size, .. } => Some(size),
        }
    }

    /// Number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.at
    }

    /// Reads the next bands, at most `count`; none at the end, where nothing may follow.
    pub fn read(&mut self, count: usize) -> Result<Vec<TernaryBoard>, Failure> {
        let mut pieces = Vec::new();
        let mut boards = Vec::new();
        for _ in 0..count {
            if let Form::Text { .. } = self.form {
                boards.extend(self.read_text()?);
            } else {
                pieces.extend(self.read_piece()?);
            }
        }
        if pieces.is_empty() && boards.is_empty() {
            self.expect_end()?;
            return Ok(boards);
        }
        let codec = self.codec();
        let decoded = parallel::map(pieces, |piece| decode(codec, &piece));
        for board in decoded {
            boards.push(board.map_err(|error| self.fault(&error.to_string()))?);
        }
        Ok(boards)
    }

    fn read_piece(&mut self) -> Result<Option<Piece>, Failure> {
        let (size, packed) = match &mut self.form {
            Form::Text { .. } => return Ok(None),
            Form::Portable { bands, .. } => (bands.next(), false),
            Form::Packed { bands, .. } => (bands.next(), true),
        };
        let Some(size) = size else { return Ok(None) };
        if !packed {
            let (at, mut code) = (self.at, Vec::new());
            self.read_exactly(size.packed_bytes(), &mut code)?;
            return Ok(Some(Piece { size, at, code, checksum: None }));
        }
        let mut head = Vec::new();
        self.read_exactly(8, &mut head)?;
        let word = |at: usize| head[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
        let (length, checksum) = (u64::from(word(0)), Some(word(4)));
        // No codec needs much more than two bits per cell.
        if length > 2 * size.packed_bytes() + 1_024 {
            return Err(self.fault(&format!(
                "byte {}: {length} bytes are too many for a band of {} rows",
                self.at - 8,
                size.rows()
            )));
        }
        let (at, mut code) = (self.at, Vec::new());
        self.read_exactly(length, &mut code)?;
        Ok(Some(Piece { size, at, code, checksum }))
    }

    fn read_text(&mut self) -> Result<Option<TernaryBoard>, Failure> {
        let Form::Text { mut columns, mut rows } = self.form else { return Ok(None) };
        let mut cells = Vec::new();
        let mut first = rows;
        while rows - first < band_rows(columns) {
            let row = text::read_row(&mut self.reader, &mut cells);
            let row = row.map_err(|error| self.fault(&error.to_string()))?;
            let wrong = match row {
                RowRead::End => break,
                RowRead::Row(0) => Some("is empty".to_owned()),
                RowRead::Row(found) if found == columns || rows == 0 => None,
                RowRead::Row(found) => {
                    Some(format!("has {found} cells, but the lines before it have {columns}"))
                }
                RowRead::TooLong => Some(format!("has more than {SIDE_MAX} cells")),
                RowRead::Unknown { column, byte } => Some(format!(
                    "has `{}` in column {column}; cells are `.`, `o` and `x`, or 0, 1 and 2",
                    byte.escape_ascii()
                )),
            };
            if let Some(wrong) = wrong {
                return Err(self.fault(&format!("line {} {wrong}", rows + 1)));
            }
            if rows == SIDE_MAX {
                return Err(self.fault(&format!("it has more than {SIDE_MAX} lines")));
            }
            if rows == 0 {
                columns = u32::try_from(cells.len()).unwrap_or(SIDE_MAX);
            }
            rows += 1;
        }
        std::mem::swap(&mut first, &mut rows);
        let (read, rows) = (first - rows, first);
        self.form = Form::Text { columns, rows };
        self.at += cells.len() as u64 + u64::from(read);
        if read == 0 {
            return if rows > 0 { Ok(None) } else { Err(self.fault("it is empty")) };
        }
        let board =
            Size::new(read, columns).and_then(|size| TernaryBoard::from_cells(size, &cells));
        board.map(Some).map_err(|error| self.fault(&error.to_string()))
    }

    fn expect_end(&mut self) -> Result<(), Failure> {
        let left = self.reader.fill_buf().map(<[u8]>::len);
        match left.map_err(|error| Failure::new(format!("{}: {error}", self.name)))? {
            0 => Ok(()),
            _ => Err(self.fault(&format!("byte {}: bytes follow the end of the board", self.at))),
        }
    }

    /// Appends `count` bytes, or as many as there are. Memory grows as bytes come.
    fn read_some(&mut self, count: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
        let read = (&mut self.reader).take(count as u64).read_to_end(out);
        let read = read.map_err(|error| Failure::new(format!("{}: {error}", self.name)))?;
        self.at += read as u64;
        Ok(())
    }

    fn read_exactly(&mut self, count: u64, out: &mut Vec<u8>) -> Result<(), Failure> {
        self.read_some(usize::try_from(count).unwrap_or(usize::MAX), out)?;
        if out.len() as u64 == count {
            return Ok(());
        }
        let whole = match self.form {
            Form::Portable { size, .. } => format!(
                "{} rows and {} columns make {} bytes, but there are {}",
                size.rows(),
                size.columns(),
                size.file_bytes(),
                self.at
            ),
            _ => format!("it ends at byte {}", self.at),
        };
        Err(self.fault(&format!("the file ends before its board does: {whole}")))
    }

    /// Returns a failed check of this file.
    fn fault(&self, what: &str) -> Failure {
        Failure::check(format!("{}: {what}", self.name))
    }
}

/// Returns the number of rows in a band of a text.
fn band_rows(columns: u32) -> u32 {
    let largest = Size::new(SIDE_MAX, columns).ok();
    largest.and_then(|size| bands(size).next()).map_or(1, Size::rows)
}

fn decode(codec: Option<&'static dyn TernaryCodec>, piece: &Piece) -> Result<TernaryBoard, Error> {
    let Some(codec) = codec else { return TernaryBoard::new(piece.size) };
    let board = codec.decode(piece.size, &piece.code).map_err(|error| error.moved(piece.at))?;
    match piece.checksum {
        Some(checksum) if checksum != crc32fast::hash(&board.to_packed()) => Err(Error::Ternary {
            at: piece.at,
            why: "the cells are not those that were packed: their checksum differs",
        }),
        _ => Ok(board),
    }
}
