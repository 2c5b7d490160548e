//! File names on the command line: `-`, defaults, and the refusal to overwrite.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::packed_files;
use plypack::store::input::opening;
pub use plypack::store::input::opening::{
    STANDARD, is_same_file, is_standard, looks_packed, with_extension,
};
use plypack::store::{Existing, Output, PackedFile};

use crate::failure::Failure;

/// The remedy where an output has no name, or the wrong one.
pub const NAME_OUTPUT: &str = "name the output with -o";

/// Refuses an output that is the input under any name.
pub fn check_apart(input: &Path, output: &Path) -> Result<(), Failure> {
    let checked = opening::check_apart(input, output);
    checked.map_err(|error| Failure::from(error).with_hint(NAME_OUTPUT))
}

/// Opens a packed file by the functions behind the public interface.
pub fn open_packed(path: &Path) -> Result<PackedFile, Failure> {
    refuse_standard_input(path)?;
    Ok(PackedFile::open(path)?)
}

/// Returns these paths, and for a folder the packed files in it, in the order of their names.
pub fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut expanded = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => expanded.extend(packed_files(path)?),
            false => expanded.push(path.clone()),
        }
    }
    Ok(expanded)
}

/// Does work on each packed file, also on those of folders. What fails is reported at its turn, and
/// the others are worked on all the same; the exit code is that of the first failure.
pub fn each(
    paths: &[PathBuf],
    mut work: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    let mut is_sound = true;
    for path in &expanded(paths)? {
        match work(path) {
            Ok(()) => {}
            Err(failure) if failure.ends_all() => return Err(failure),
            Err(failure) => {
                let failed = failure.report();
                if std::mem::take(&mut is_sound) {
                    code = failed;
                }
            }
        }
    }
    Ok(code)
}

/// Opens the packed files of a folder, which all must be packed files: an answer without one of
/// them would be an answer about other games.
pub fn open_folder<F>(
    folder: &Path,
    open: impl Fn(&Path) -> Result<F, Failure>,
) -> Result<Vec<F>, Failure> {
    let open = |path: &PathBuf| {
        open(path).map_err(|failure| {
            failure.with_hint(&format!(
                "every *.parquet file in {} is asked; move this one, or name the files to ask",
                folder.display()
            ))
        })
    };
    packed_files(folder)?.iter().map(open).collect()
}

/// Opens packed files, and those of folders, each once: games of a file named twice would count
/// twice.
pub fn open_each(paths: &[PathBuf]) -> Result<Vec<plypack::PackedFile>, Failure> {
    let mut read: Vec<plypack::PackedFile> = Vec::new();
    for path in paths {
        let files = match path.is_dir() {
            true => open_folder(path, open)?,
            false => vec![open(path)?],
        };
        for file in files {
            if !read.iter().any(|other| is_same_file(other.path(), file.path())) {
                read.push(file);
            }
        }
    }
    Ok(read)
}

/// Opens a packed file.
pub fn open(path: &Path) -> Result<plypack::PackedFile, Failure> {
    refuse_standard_input(path)?;
    Ok(plypack::PackedFile::open(path)?)
}

/// Refuses standard input for a packed file.
fn refuse_standard_input(path: &Path) -> Result<(), Failure> {
    if is_standard(path) {
        return Err(Failure::new(
            "a packed file is read from its end, which standard input does not allow; \
             write it to a file first",
        ));
    }
    Ok(())
}

/// Whether an output names a folder: it is one, or the name ends in a separator.
pub fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

/// Whether a name means standard output: `-`, or the system's name for it, such as `/dev/stdout`.
pub fn is_standard_output(path: &Path) -> bool {
    is_standard(path) || is_same_as_standard_output(path)
}

#[cfg(unix)]
fn is_same_as_standard_output(path: &Path) -> bool {
    use std::fs::Metadata;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let output = io::stdout().as_fd().try_clone_to_owned();
    let output = output.and_then(|output| File::from(output).metadata());
    let same = |output: Metadata, named: Metadata| {
        (output.dev(), output.ino()) == (named.dev(), named.ino())
    };
    output.is_ok_and(|output| path.metadata().is_ok_and(|named| same(output, named)))
}

#[cfg(not(unix))]
fn is_same_as_standard_output(_: &Path) -> bool {
    false
}

/// Whether an output is a terminal, by its name.
#[cfg(unix)]
pub fn is_terminal(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_device = path.metadata().is_ok_and(|found| found.file_type().is_char_device());
    is_device && File::open(path).is_ok_and(|device| device.is_terminal())
}

#[cfg(not(unix))]
pub fn is_terminal(_: &Path) -> bool {
    false
}

/// Begins an output, replacing an existing file if `force`.
pub fn begin_output(path: &Path, force: bool) -> Result<Output, Failure> {
    refuse_folder(path)?;
    let existing = if force { Existing::Replaced } else { Existing::Kept };
    Ok(Output::begin(path, existing)?)
}

/// Checks that an output can be begun, for what is written only after long work.
pub fn check_output(path: &Path, force: bool) -> Result<(), Failure> {
    let is_stream = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_stream { Ok(()) } else { begin_output(path, force).map(drop) }
}

/// Refuses a folder as an output.
pub fn refuse_folder(path: &Path) -> Result<(), Failure> {
    if is_folder(path) {
        let path = path.display();
        return Err(Failure::new(format!("{path} is a folder: name a file in it")));
    }
    Ok(())
}

/// Returns standard output for binary data, unless it is a terminal.
pub fn binary_output() -> Result<io::Stdout, Failure> {
    let output = io::stdout();
    refuse_terminal(output.is_terminal())?;
    Ok(output)
}

/// Refuses binary output to a terminal.
pub fn refuse_terminal(is_terminal: bool) -> Result<(), Failure> {
    if is_terminal {
        return Err(Failure::new(
            "a Parquet file is not written to a terminal; name a file with -o",
        ));
    }
    Ok(())
}
