//! File names on the command line: `-`, defaults, and the refusal to overwrite.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use plypack_store::Source;

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
    let size = metadata.is_file().then_some(metadata.len());
    Ok((Source { name, reader: Box::new(file) }, size))
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
