//! Boards to files, a band of rows at a time: texts, portable files and packed boards.
//!
//! A packed board is 13 bytes of head and, for each band in order, the length of its code and its
//! checksum, 4 bytes each, and the code. `docs/FORMAT.md` has the details.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::{HEAD_BYTES, SIDE_MAX, Size};
use plypack_core::codecs::ternary::TernaryCodec;
use plypack_store::Error;
use tempfile::NamedTempFile;

use super::{is_portable, parallel, text};
use crate::failure::Failure;
use crate::files;

/// What a packed board begins with. A portable file does not: its board has a row.
pub const MAGIC: [u8; 4] = [0, 0, 0, b'P'];

/// The version of packed boards.
pub const VERSION: u8 = 0;

/// How long the head of a packed board is: the magic bytes, the version, the codec's number and
/// the head of the portable file.
pub const PACKED_HEAD_BYTES: usize = MAGIC.len() + 1 + 2 + HEAD_BYTES;

/// What is written.
#[derive(Clone, Copy)]
pub enum Form {
    /// One line a row.
    Text,
    /// The cells in a codec: the portable file, or a packed board.
    Coded(&'static dyn TernaryCodec),
}

/// A board that is being written.
pub struct Output {
    form: Form,
    target: Target,
    /// The rows so far, and the columns.
    rows: u32,
    columns: u32,
    bytes: u64,
    /// Whether the head was written before the size was known.
    head_is_missing: bool,
}

enum Target {
    /// A file that has its name only once it is complete.
    File {
        writer: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    Stdout(BufWriter<Stdout>),
    /// What goes to standard output once its head is known.
    Later(BufWriter<File>),
}

impl Output {
    /// Begins to write a file, `-` for standard output. The size is that of the whole board, if
    /// it is known.
    pub fn begin(
        path: &Path,
        form: Form,
        size: Option<Size>,
        force: bool,
    ) -> Result<Self, Failure> {
        let failure = |error| Failure::from(Error::io(path)(error));
        let target = if files::is_standard(path) {
            let binary = !matches!(form, Form::Text);
            if binary && std::io::stdout().is_terminal() {
                return Err(Failure::new(
                    "a board file is not for a terminal; name a file with -o, or ask for --to text",
                ));
            }
            match size {
                None if binary => {
                    Target::Later(BufWriter::new(tempfile::tempfile().map_err(failure)?))
                }
                _ => Target::Stdout(BufWriter::with_capacity(1 << 16, std::io::stdout())),
            }
        } else {
            files::check_free(path, force)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut temporary = tempfile::Builder::new();
            let temporary = temporary.prefix(".plypack-").suffix(".tmp");
            let temporary = temporary.tempfile_in(folder.unwrap_or(Path::new(".")));
            let writer = BufWriter::with_capacity(1 << 16, temporary.map_err(failure)?);
            Target::File { writer, path: path.into() }
        };
        let head_is_missing = size.is_none();
        let mut output = Self { form, target, rows: 0, columns: 0, bytes: 0, head_is_missing };
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

    /// Ends the file, which now has its name. Gives its length.
    pub fn finish(mut self) -> Result<u64, Failure> {
        if self.head_is_missing {
            let size = Size::new(self.rows.min(SIDE_MAX), self.columns).map_err(Failure::new)?;
            self.rewind()?;
            self.write_head(Some(size))?;
        }
        match self.target {
            Target::File { writer, path } => {
                let failed = |error| Failure::from(Error::io(&path)(error));
                let temporary = writer.into_inner().map_err(|error| failed(error.into_error()))?;
                plypack_store::import::publish(temporary, &path)?;
            }
            Target::Stdout(mut writer) => writer.flush()?,
            Target::Later(writer) => {
                let mut file = writer.into_inner().map_err(|error| error.into_error())?;
                file.seek(SeekFrom::Start(0))?;
                std::io::copy(&mut file, &mut std::io::stdout())?;
            }
        }
        Ok(self.bytes)
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        match &mut self.target {
            Target::File { writer, path } => {
                let failed = Error::io(&*path);
                writer.seek(SeekFrom::Start(0)).map_err(failed)?;
            }
            Target::Later(writer) => {
                writer.seek(SeekFrom::Start(0))?;
            }
            Target::Stdout(_) => return Ok(()),
        }
        self.bytes -= head(self.form, None).len() as u64;
        Ok(())
    }

    fn write_head(&mut self, size: Option<Size>) -> Result<(), Failure> {
        let head = head(self.form, size);
        self.write_bytes(&head)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.bytes += bytes.len() as u64;
        match &mut self.target {
            Target::File { writer, path } => {
                let failed = Error::io(&*path);
                Ok(writer.write_all(bytes).map_err(failed)?)
            }
            Target::Stdout(writer) => Ok(writer.write_all(bytes)?),
            Target::Later(writer) => Ok(writer.write_all(bytes)?),
        }
    }
}

/// The head of a file; zeros where the size belongs if it is not known.
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

/// The bytes of a band.
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
