//! Texts that are compressed as their file's name says.

use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;
use zstd::stream::write::Encoder as ZstdEncoder;

/// What is compressed on its way, by the ending of a name: `.zst`, `.gz` or `.xz`; as it is by any
/// other.
pub enum Compressed<W: Write> {
    /// As it is.
    Plain(W),
    /// In frames of zstd.
    Zstd(Box<ZstdEncoder<'static, W>>),
    /// As gzip.
    Gzip(Box<GzEncoder<W>>),
    /// As xz.
    Xz(Box<XzEncoder<W>>),
}

/// The levels: those that the programs `zstd`, `gzip` and `xz` take if nobody says another, and of
/// zstd one that archives of games are often packed with.
const ZSTD_LEVEL: i32 = 12;
const GZIP_LEVEL: u32 = 6;
const XZ_LEVEL: u32 = 6;

impl<W: Write> Compressed<W> {
    /// Begins to write to `output`, which is called so.
    ///
    /// # Errors
    /// If there is no memory for the compression, or the name ends as bzip2's do, which nothing
    /// here writes.
    pub fn new(output: W, name: &Path) -> io::Result<Self> {
        let ending = name.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        Ok(match ending.as_str() {
            "zst" => {
                let mut encoder = ZstdEncoder::new(output, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Box::new(encoder))
            }
            "gz" => {
                let level = flate2::Compression::new(GZIP_LEVEL);
                Self::Gzip(Box::new(GzEncoder::new(output, level)))
            }
            "xz" => Self::Xz(Box::new(XzEncoder::new(output, XZ_LEVEL))),
            "bz2" => {
                let why =
                    "bzip2 is read and not written; name a file that ends in .zst, .gz or .xz";
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
            _ => Self::Plain(output),
        })
    }

    /// Writes the end, and gives back what was written to.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(output) => Ok(output),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Compressed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(output) => output.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Xz(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(output) => output.flush(),
            Self::Zstd(encoder) => encoder.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Xz(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::compressed::decompress;

    #[test]
    fn what_is_compressed_is_read_again() {
        let text = b"1. e4 e5 2. Nf3 Nc6 1-0\n\n".repeat(1_000);
        for name in ["a.pgn", "a.pgn.zst", "a.pgn.GZ", "a.pgn.xz"] {
            let mut output = Compressed::new(Vec::new(), Path::new(name)).expect(name);
            output.write_all(&text).expect("memory");
            let bytes = output.finish().expect("memory");
            assert_eq!(bytes.len() < text.len(), name != "a.pgn", "{name}");
            let mut back = Vec::new();
            let mut reader = decompress(Box::new(io::Cursor::new(bytes))).expect(name);
            io::copy(&mut reader, &mut back).expect(name);
            assert!(back == text, "{name}");
        }
        assert!(Compressed::new(Vec::new(), Path::new("a.pgn.bz2")).is_err());
    }
}
