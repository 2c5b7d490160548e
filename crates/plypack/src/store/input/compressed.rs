//! Compressed inputs as streams, recognised by their first bytes rather than by file name.
//!
//! Consecutive members or frames are read as one content, as `zstd -d`, `gzip -d`, `bzip2 -d` and
//! `xz -d` do. Reading takes at most about 128 MiB of memory for any input.

use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::reading::compression::{Compression, MAGIC_BYTES};
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use liblzma::read::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};

/// The largest zstd window accepted, as a power of two: 128 MiB, the default limit of `zstd -d`.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;

/// Memory limit for reading xz: a dictionary of 128 MiB. `xz -9` needs half of it.
const XZ_MEMORY_MAX: u64 = 130 << 20;

/// Bytes read at a time.
const READ_BYTES: usize = 1 << 16;

/// File name extensions of compressed files.
const EXTENSIONS: [&str; 4] = ["zst", "gz", "bz2", "xz"];

/// Decompresses an input if its first bytes are those of zstd, gzip, bzip2 or xz; otherwise returns
/// it unchanged.
///
/// Errors while reading explain what is wrong with compressed data, and how to fix it if possible.
///
/// # Errors
/// Returns an error if the first bytes cannot be read, or if there is no memory for a decompressor.
pub fn decompress(mut reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = Vec::with_capacity(MAGIC_BYTES);
    reader.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut magic)?;
    let compression = Compression::of(&magic);
    let whole = Cursor::new(magic).chain(reader);
    let Some(compression) = compression else { return Ok(Box::new(whole)) };
    let buffered = BufReader::with_capacity(READ_BYTES, whole);
    let content: Box<dyn Read + Send> = match compression {
        Compression::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(buffered)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
            Box::new(decoder)
        }
        Compression::Gzip => Box::new(MultiGzDecoder::new(buffered)),
        Compression::Bzip2 => Box::new(MultiBzDecoder::new(buffered)),
        Compression::Xz => {
            let stream = Stream::new_stream_decoder(XZ_MEMORY_MAX, CONCATENATED)?;
            Box::new(XzDecoder::new_stream(buffered, stream))
        }
    };
    Ok(Box::new(Content { content, compression }))
}

/// Returns a path without the extension of a compression, if it has one. Only the name is examined.
pub fn content_name(path: &Path) -> PathBuf {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let compressed = EXTENSIONS.contains(&ending.as_str());
    if compressed { path.with_extension("") } else { path.to_owned() }
}

/// The content, with readable errors.
struct Content {
    content: Box<dyn Read + Send>,
    compression: Compression,
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.read(buffer).map_err(|error| explain(self.compression, error))
    }
}

fn explain(compression: Compression, error: io::Error) -> io::Error {
    // Errors from the operating system are not about the data.
    if error.raw_os_error().is_some() || error.kind() == ErrorKind::Interrupted {
        return error;
    }
    let name = compression.name();
    let text = error.to_string();
    let limited = match compression {
        Compression::Zstd => text.contains("too much memory"),
        Compression::Xz => text.contains("memory"),
        Compression::Gzip | Compression::Bzip2 => false,
    };
    let why = if limited && compression == Compression::Zstd {
        "this zstd file needs a window of more than 128 MiB; recompress it, as with \
         `zstd -d --long=31 -c FILE | zstd -19 --long=27`"
            .to_owned()
    } else if limited {
        "this xz file needs a dictionary of more than 128 MiB; recompress it, as with \
         `xz -dc FILE | xz -9`"
            .to_owned()
    } else if error.kind() == ErrorKind::UnexpectedEof {
        format!("this {name} file is cut off before its end; fetch it again")
    } else {
        format!("this {name} file is damaged ({text}); fetch it again")
    };
    io::Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// The magic of each format, followed by invalid data.
    const GARBAGE: [&[u8]; 5] = [
        b"\x28\xb5\x2f\xfdgarbage and more of it",
        b"\x50\x2a\x4d\x18\xff\xff\xff\xffgarbage",
        b"\x1f\x8b\x08\xffgarbage and more of it, until there is enough",
        b"BZh9\x31\x41\x59\x26\x53\x59garbage and more of it",
        b"\xfd7zXZ\0garbage and more of it",
    ];

    fn text() -> Vec<u8> {
        let game = |number: u32| format!("[Round \"{number}\"]\n\n1. e4 e5 {number} *\n\n");
        (0..5_000).map(game).collect::<String>().into_bytes()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        zstd::stream::encode_all(text, 3).expect("memory")
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    fn xz(text: &[u8]) -> Vec<u8> {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    /// Each format with a text and its compressed form.
    fn samples() -> Vec<(&'static str, Vec<u8>, Vec<u8>)> {
        let text = text();
        vec![
            ("zstd", text.clone(), zstd(&text)),
            ("gzip", text.clone(), gzip(&text)),
            ("bzip2", text.clone(), bzip2(&text)),
            ("xz", text.clone(), xz(&text)),
        ]
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        decompress(Box::new(Cursor::new(bytes.to_vec())))?.read_to_end(&mut content)?;
        Ok(content)
    }

    #[test]
    fn every_format_is_known_by_its_first_bytes() {
        for (name, text, packed) in samples() {
            assert!(read(&packed).expect(name) == text, "{name}");
        }
    }

    #[test]
    fn what_follows_one_another_is_one_content() {
        for (name, text, packed) in samples() {
            let twice = [&packed[..], &packed].concat();
            assert!(read(&twice).expect(name) == [&text[..], &text].concat(), "{name}");
        }
        let skip = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";
        let text = text();
        let framed = [&skip[..], &zstd(&text), skip, &zstd(b"end")].concat();
        assert!(read(&framed).expect("zstd") == [&text[..], b"end"].concat());
    }

    #[test]
    fn a_reader_may_give_little_at_a_time() {
        struct Trickle(Cursor<Vec<u8>>);
        impl Read for Trickle {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let some = buffer.len().min(3);
                self.0.read(&mut buffer[..some])
            }
        }
        for (name, text, packed) in samples() {
            let mut content = Vec::new();
            let reader = Box::new(Trickle(Cursor::new(packed)));
            decompress(reader).expect(name).read_to_end(&mut content).expect(name);
            assert!(content == text, "{name}");
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        for (name, _, packed) in samples() {
            let twice = [&packed[..], &packed].concat();
            let step = (packed.len() / 200).max(1);
            let starts = (MAGIC_BYTES..packed.len()).step_by(step).chain([packed.len() - 1]);
            for end in starts {
                let error = read(&packed[..end]).expect_err(name);
                assert!(error.to_string().contains(name), "{name} to {end}: {error}");
                let error = read(&twice[..packed.len() + end]).expect_err(name);
                assert!(error.to_string().contains("fetch it again"), "{name}: {error}");
            }
            for more in 1..MAGIC_BYTES {
                assert!(read(&twice[..packed.len() + more]).is_err(), "{name} and {more}");
            }
        }
    }

    #[test]
    fn garbage_is_refused() {
        for garbage in GARBAGE {
            let error = read(garbage).expect_err("garbage");
            assert!(error.to_string().contains("file is"), "{error}");
        }
        for (name, _, packed) in samples() {
            let error = read(&[&packed[..], b"and more"].concat()).expect_err(name);
            assert!(error.to_string().contains("fetch it again"), "{name}: {error}");
        }
    }

    #[test]
    fn anything_else_comes_as_it_is() {
        let letters = b"BZh9 is how bzip2 begins";
        for plain in [&b""[..], b"1", b"\x28\xb5\x2f", b"\x1f\x8b", b"BZh9", letters, &text()] {
            assert!(read(plain).expect("memory") == plain);
        }
    }

    #[test]
    fn nothing_makes_us_take_much_memory() {
        // A frame with a declared window of 256 MiB.
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("memory");
        encoder.window_log(28).expect("a window");
        encoder.write_all(b"1. e4 *").expect("memory");
        encoder.flush().expect("memory");
        let packed = encoder.finish().expect("memory");
        let error = read(&packed).expect_err("a window").to_string();
        assert!(error.contains("zstd -d --long=31"), "{error}");

        // A dictionary of the same size.
        let mut options = liblzma::stream::LzmaOptions::new_preset(0).expect("a preset");
        options.dict_size(256 << 20);
        let mut filters = liblzma::stream::Filters::new();
        filters.lzma2(&options);
        let check = liblzma::stream::Check::Crc32;
        let stream = Stream::new_stream_encoder(&filters, check).expect("memory");
        let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
        encoder.write_all(b"1. e4 *").expect("memory");
        let packed = encoder.finish().expect("memory");
        let error = read(&packed).expect_err("a dictionary").to_string();
        assert!(error.contains("xz -dc"), "{error}");
    }

    #[test]
    fn errors_of_the_system_stay_what_they_are() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::from_raw_os_error(5))
            }
        }
        for (name, _, packed) in samples() {
            let half = Cursor::new(packed[..MAGIC_BYTES].to_vec());
            let mut content = decompress(Box::new(half.chain(Broken))).expect(name);
            let error = content.read_to_end(&mut Vec::new()).expect_err(name);
            assert_eq!(error.raw_os_error(), Some(5), "{name}");
        }
    }

    #[test]
    fn names_lose_the_ending_of_a_compression_alone() {
        for (name, content) in [
            ("a.pgn.zst", "a.pgn"),
            ("b/a.pgn.GZ", "b/a.pgn"),
            ("a.bz2", "a"),
            ("a.xz.xz", "a.xz"),
            ("a.pgn", "a.pgn"),
            (".zst", ".zst"),
            ("-", "-"),
        ] {
            assert_eq!(content_name(Path::new(name)), Path::new(content));
        }
    }
}
