//! Bytes that come from Python: inputs to pack, and files read in ranges.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::PathBuf;

use plypack::{Packer, Source};
use pyo3::exceptions::{PyOSError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::refused;

/// A number from 0 up, of which Python's own words would be that it overflows.
#[derive(Clone, Copy)]
pub struct Natural(pub u64);

impl Natural {
    /// Returns it as a size, at most the largest.
    pub fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'py> FromPyObject<'_, 'py> for Natural {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(object.py()) {
                refused(format!("{} is not a number from 0 to {}", *object, u64::MAX))
            } else {
                error
            }
        })
    }
}

/// What to pack: a path, bytes, or an object with `read`.
#[derive(FromPyObject)]
pub enum Input {
    Bytes(NamedBytes),
    Reader(NamedReader),
    Path(PathBuf),
}

/// A name and bytes.
#[derive(FromPyObject)]
pub struct NamedBytes(String, Bytes);

/// The bytes of a `bytes` object, and nothing else that looks like them.
pub struct Bytes(Vec<u8>);

impl<'py> FromPyObject<'_, 'py> for Bytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(object.cast::<PyBytes>()?.as_bytes().to_vec()))
    }
}

/// A name and an object with `read`.
#[derive(FromPyObject)]
pub struct NamedReader(String, Py<PyAny>);

impl Input {
    /// Adds it to what is packed.
    pub fn add_to<'a>(self, packer: Packer<'a>) -> Packer<'a> {
        match self {
            Self::Path(path) => packer.input(path),
            Self::Bytes(NamedBytes(name, bytes)) => packer.reader(name, Cursor::new(bytes.0)),
            Self::Reader(NamedReader(name, object)) => {
                packer.reader(name, Reader { object, left: Vec::new(), at: 0 })
            }
        }
    }
}

/// How many bytes are asked for at a time.
const CHUNK: usize = 1 << 20;

/// Reads from an object with `read`.
struct Reader {
    object: Py<PyAny>,
    left: Vec<u8>,
    at: usize,
}

impl Read for Reader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.left.len() {
            self.left = Python::attach(|py| {
                let read = self.object.call_method1(py, "read", (CHUNK,)).map_err(io_error)?;
                Ok::<_, io::Error>(
                    read.bind(py).cast::<PyBytes>().map_err(not_bytes)?.as_bytes().to_vec(),
                )
            })?;
            self.at = 0;
        }
        let read = (&self.left[self.at..]).read(out)?;
        self.at += read;
        Ok(read)
    }
}

fn not_bytes(_: pyo3::CastError<'_, '_>) -> io::Error {
    io::Error::other("`read` returned something other than bytes; open the file in binary mode")
}

/// Keeps an exception as the cause of an error. The name of an `OSError` would tell nothing.
fn io_error(exception: PyErr) -> io::Error {
    Python::attach(|py| match exception.is_instance_of::<PyOSError>(py) {
        true => io::Error::other(exception.value(py).to_string()),
        false => io::Error::other(exception),
    })
}

/// Reads ranges by an object with `size()` and `read_range(start, end)`, which any thread may call.
pub struct RangeReader(pub Py<PyAny>);

impl Source for RangeReader {
    fn size(&self) -> io::Result<u64> {
        Python::attach(|py| self.0.call_method0(py, "size")?.extract(py)).map_err(io_error)
    }

    fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        Python::attach(|py| {
            let range = (range.start, range.end);
            let read = self.0.call_method1(py, "read_range", range).map_err(io_error)?;
            Ok(read.bind(py).cast::<PyBytes>().map_err(not_bytes)?.as_bytes().to_vec())
        })
    }
}
