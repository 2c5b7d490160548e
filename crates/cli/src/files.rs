//! File names on the command line: `-`, defaults, and the refusal to overwrite.

use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use plypack_store::{PackedFile, Source};

use crate::failure::Failure;

/// Whether a name means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens an input, `-` for standard input, and tells its size in bytes if it is known.
pub fn open_input(path: &Path) -> Result<(Source, Option<u64>), Failure> {
    if is_standard(path) {
        let reader = Box::new(std::io::stdin());
        return Ok((Source { name: "-".into(), reader }, None));
    }
    let failure = |error| Failure::new(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(failure)?;
    let metadata = file.metadata().map_err(failure)?;
    if metadata.is_dir() {
        return Err(Failure::new(format!(
            "{} is a folder; name the files in it, for example {}/*.pgn",
            path.display(),
            path.display()
        )));
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    if !metadata.is_file() {
        // A pipe opens only once.
        return Ok((Source { name, reader: Box::new(file) }, None));
    }
    let reader = Box::new(Later { path: path.into(), file: None });
    Ok((Source { name, reader }, Some(metadata.len())))
}

/// A file that is opened when its turn comes: the system allows only so many open files.
struct Later {
    path: PathBuf,
    file: Option<File>,
}

impl Read for Later {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            closed => closed.insert(File::open(&self.path)?),
        };
        file.read(buffer)
    }
}

/// Opens a packed file.
pub fn open_packed(path: &Path) -> Result<PackedFile, Failure> {
    if is_standard(path) {
        return Err(Failure::new(
            "a packed file is read from its end, which standard input does not allow; \
             write it to a file and name that",
        ));
    }
    Ok(PackedFile::open(path)?)
}

/// The input's name with another extension, in the same folder.
pub fn with_extension(input: &Path, extension: &str) -> PathBuf {
    input.with_extension(extension)
}

/// Refuses to write over a file unless told to.
pub fn check_free(path: &Path, force: bool) -> Result<(), Failure> {
    if !force && path.symlink_metadata().is_ok() {
        return Err(Failure::new(format!(
            "{} exists; use -f to write over it, or -o to name another file",
            path.display()
        )));
    }
    Ok(())
}

/// Standard output for bytes that are not text.
pub fn binary_output() -> Result<impl Write, Failure> {
    let output = std::io::stdout();
    if output.is_terminal() {
        return Err(Failure::new("a Parquet file is not for a terminal; name a file with -o"));
    }
    Ok(output)
}
