//! Writes boards, a band of rows at a time: texts, portable files and packed boards.
//!
//! A packed board is a header of 13 bytes and, for each band in order, the length of its code and
//! its checksum, 4 bytes each, and the code. `docs/FORMAT.md` has the details.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use plypack::store::Error;
use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::{HEAD_BYTES, SIDE_MAX, Size};
use plypack_core::codecs::ternary::TernaryCodec;

use super::{is_portable, parallel, text};
use crate::failure::Failure;
use crate::files;

/// The first bytes of a packed board. No portable file begins like this, as its board has a row.
pub const MAGIC: [u8; 4] = [0, 0, 0, b'P'];

/// The version of packed boards.
pub const VERSION: u8 = 1;

/// Length of a packed board's header: the magic bytes, the version, the codec's number and the
/// header of the portable file.
pub const PACKED_HEAD_BYTES: usize = MAGIC.len() + 1 + 2 + HEAD_BYTES;

/// The form to write.
#[derive(Clone, Copy)]
pub enum Form {
    /// One line per row.
    Text,
    /// The cells in a codec: the portable file, or a packed board.
    Coded(&'static dyn TernaryCodec),
}

/// A board being written.
pub struct Output {
    form: Form,
    /// Its name for messages.
    name: PathBuf,
    target: Target,
    /// Rows so far, and columns.
    rows: u32,
    columns: u32,
    bytes: u64,
    /// Whether the header was written before the size was known.
    head_is_missing: bool,
}

enum Target {
    /// A file that gets its name once complete.
    File(BufWriter<plypack::store::Output>),
    /// A stream that cannot seek.
    Stream(BufWriter<Box<dyn Write>>),
    /// A temporary file that is copied to a stream once its header is known.
    Later(BufWriter<File>, Box<dyn Write>),
}

impl Output {
    /// Begins a file, `-` for standard output. `size` is that of the whole board, if known.
    pub fn begin(
        path: &Path,
        form: Form,
        size: Option<Size>,
        force: bool,
    ) -> Result<Self, Failure> {
        let (name, stream, is_terminal): (&Path, Box<dyn Write>, bool) =
            if files::is_standard_output(path) {
                let stdout = std::io::stdout();
                let is_terminal = stdout.is_terminal();
                (Path::new("standard output"), Box::new(stdout), is_terminal)
            } else {
                let file = files::begin_output(path, force)?;
                if file.is_file() {
                    let target = Target::File(BufWriter::with_capacity(1 << 16, file));
                    return Self::new(path, form, size, target);
                }
                let is_terminal = file.is_terminal();
                (path, Box::new(file), is_terminal)
            };
        let binary = !matches!(form, Form::Text);
        if binary && is_terminal {
            return Err(Failure::new(
                "a board file is not written to a terminal; name a file with -o, or use --to text",
            ));
        }
        let target = if binary && size.is_none() {
            let file = tempfile::tempfile().map_err(Error::io(name))?;
            Target::Later(BufWriter::with_capacity(1 << 16, file), stream)
        } else {
            Target::Stream(BufWriter::with_capacity(1 << 16, stream))
        };
        Self::new(name, form, size, target)
    }

    /// Begins a board of this size on a stream.
    pub fn to_stream(stream: Box<dyn Write>, form: Form, size: Size) -> Result<Self, Failure> {
        let target = Target::Stream(BufWriter::with_capacity(1 << 16, stream));
        Self::new(Path::new("a temporary file"), form, Some(size), target)
    }

    fn new(name: &Path, form: Form, size: Option<Size>, target: Target) -> Result<Self, Failure> {
        let head_is_missing = size.is_none();
        let (name, rows, columns, bytes) = (name.into(), 0, 0, 0);
        let mut output = Self { form, name, target, rows, columns, bytes, head_is_missing };
        output.write_head(size)?;
        Ok(output)
    }

    /// Writes the next bands; several at once are coded in parallel.
    pub fn write(&mut self, boards: Vec<TernaryBoard>) -> Result<(), Failure> {
        for board in &boards {
            let size = board.size();
            (self.rows, self.columns) = (self.rows.saturating_add(size.rows()), size.columns());
        }
        let form = self.form;
        for code in parallel::map(boards, |board| code(form, &board)) {
            self.write_bytes(&code.map_err(Failure::new)?)?;
        }
        Ok(())
    }

    /// Completes the file and gives it its name. Returns its length.
    pub fn finish(mut self) -> Result<u64, Failure> {
        if self.head_is_missing {
            let size = Size::new(self.rows.min(SIDE_MAX), self.columns).map_err(Failure::new)?;
            self.rewind()?;
            self.write_head(Some(size))?;
        }
        let failed = || Error::io(&self.name);
        match self.target {
            Target::File(writer) => {
                let file = writer.into_inner().map_err(|error| failed()(error.into_error()))?;
                file.publish()?;
            }
            Target::Stream(mut writer) => writer.flush().map_err(failed())?,
            Target::Later(writer, mut stream) => {
                let file = writer.into_inner().map_err(|error| failed()(error.into_error()));
                let mut file = file?;
                file.seek(SeekFrom::Start(0)).map_err(failed())?;
                std::io::copy(&mut file, &mut stream).map_err(failed())?;
                stream.flush().map_err(failed())?;
            }
        }
        Ok(self.bytes)
    }

    /// Seeks back to the header, where possible.
    fn rewind(&mut self) -> Result<(), Failure> {
        let failed = || Error::io(&self.name);
        let file = match &mut self.target {
            Target::File(writer) => {
                writer.flush().map_err(failed())?;
                writer.get_mut().file()
            }
            Target::Later(writer, _) => {
                writer.flush().map_err(failed())?;
                Some(writer.get_mut())
            }
            Target::Stream(_) => None,
        };
        if let Some(file) = file {
            file.seek(SeekFrom::Start(0)).map_err(failed())?;
            self.bytes -= head(self.form, None).len() as u64;
        }
        Ok(())
    }

    fn write_head(&mut self, size: Option<Size>) -> Result<(), Failure> {
        let head = head(self.form, size);
        self.write_bytes(&head)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.bytes += bytes.len() as u64;
        let written = match &mut self.target {
            Target::File(writer) => writer.write_all(bytes),
            Target::Stream(writer) => writer.write_all(bytes),
            Target::Later(writer, _) => writer.write_all(bytes),
        };
        Ok(written.map_err(Error::io(&self.name))?)
    }
}

/// Returns the header of a file, with zeros for an unknown size.
fn head(form: Form, size: Option<Size>) -> Vec<u8> {
    let size = size.map_or([0; HEAD_BYTES], Size::head);
    match form {
        Form::Text => Vec::new(),
        Form::Coded(codec) if is_portable(codec) => size.into(),
        Form::Coded(codec) => {
            let id = codec.info().id.to_le_bytes();
            [&MAGIC[..], &[VERSION], &id, &size].concat()
        }
    }
}

/// Returns the bytes of a band.
fn code(form: Form, board: &TernaryBoard) -> Result<Vec<u8>, plypack_core::Error> {
    match form {
        Form::Text => Ok(text::write(board)),
        Form::Coded(codec) if is_portable(codec) => Ok(board.to_packed()),
        Form::Coded(codec) => {
            let code = codec.encode(board)?;
            let length = u32::try_from(code.len()).unwrap_or(u32::MAX);
            let checksum = crc32fast::hash(&board.to_packed());
            Ok([&length.to_le_bytes()[..], &checksum.to_le_bytes(), &code].concat())
        }
    }
}
