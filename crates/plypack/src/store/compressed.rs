//! Compresses texts as their file's name says.

use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;
use zstd::stream::write::Encoder as ZstdEncoder;

/// A writer that compresses by the file extension, `.zst`, `.gz` or `.xz`, or not at all.
pub enum Compressed<W: Write> {
    /// Uncompressed.
    Plain(W),
    /// zstd frames.
    Zstd(Box<ZstdEncoder<'static, W>>),
    /// gzip.
    Gzip(Box<GzEncoder<W>>),
    /// xz.
    Xz(Box<XzEncoder<W>>),
}

/// The compression levels: the defaults of the programs `gzip` and `xz`, and for zstd one that
/// archives of games often use.
const ZSTD_LEVEL: i32 = 12;
const GZIP_LEVEL: u32 = 6;
const XZ_LEVEL: u32 = 6;

impl<W: Write> Compressed<W> {
    /// Starts to write to `output`, compressed as `name` says.
    ///
    /// # Errors
    /// Returns an error if the compressor lacks memory, or if the extension is that of bzip2, which
    /// is not written.
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
                let why = "bzip2 is read but not written; name a file ending in .zst, .gz or .xz";
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
            _ => Self::Plain(output),
        })
    }

    /// Writes the end, and returns the inner writer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
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
    use crate::store::input::compressed::decompress;

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
