//! The package's exceptions.

use plypack::Error;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    plypack,
    InputError,
    PyValueError,
    "A text, a number or bytes of the caller are not what they should be."
);
pyo3::create_exception!(plypack, MoveError, InputError, "A text is not a playable move.");
pyo3::create_exception!(
    plypack,
    FileError,
    PyOSError,
    "A file cannot be read or written, or is not a packed file."
);
pyo3::create_exception!(
    plypack,
    DamagedError,
    FileError,
    "A packed file, or one of its records, is damaged or was written by another version."
);

/// Converts an error to an exception with the same words.
pub fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Io { source, .. } => match source.raw_os_error() {
            Some(number) => FileError::new_err((number, text)),
            None => FileError::new_err(text),
        },
        Error::File { .. }
        | Error::NewerVersion { .. }
        | Error::Exists { .. }
        | Error::Gone { .. }
        | Error::Unindexed { .. } => FileError::new_err(text),
        Error::Record { .. } | Error::Page { .. } => DamagedError::new_err(text),
        Error::Move { .. } => MoveError::new_err(text),
        _ => InputError::new_err(text),
    }
}

/// Makes an exception about an argument.
pub fn refused(message: impl Into<String>) -> PyErr {
    InputError::new_err(message.into())
}
