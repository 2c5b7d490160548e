//! Detects how an input is compressed, from its first bytes, not its name.

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Zstandard.
    Zstd,
    /// Gzip.
    Gzip,
    /// Bzip2.
    Bzip2,
    /// xz.
    Xz,
}

/// The number of leading bytes needed to detect it.
pub const MAGIC_BYTES: usize = 10;

/// The 48-bit marker at the beginning of a bzip2 block.
const BZIP2_BLOCK: u64 = 0x3141_5926_5359;
/// The 48-bit marker at the end of a bzip2 stream.
const BZIP2_END: u64 = 0x1772_4538_5090;

impl Compression {
    /// The compression of an input that begins with these bytes.
    pub fn of(begin: &[u8]) -> Option<Self> {
        match begin {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // A skippable frame, with which seekable and parallel writers begin.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            // The first letters might begin a text, so a block or the end must follow.
            [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] => {
                let begins = |magic: u64| block.starts_with(&magic.to_be_bytes()[2..]);
                (begins(BZIP2_BLOCK) || begins(BZIP2_END)).then_some(Self::Bzip2)
            }
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell() {
        let bzip2 = |block: u64| [b"BZh9", &block.to_be_bytes()[2..]].concat();
        for (begin, compression) in [
            (b"\x28\xb5\x2f\xfd".to_vec(), Some(Compression::Zstd)),
            (b"\x5a\x2a\x4d\x18".to_vec(), Some(Compression::Zstd)),
            (b"\x1f\x8b\x08".to_vec(), Some(Compression::Gzip)),
            (b"\xfd7zXZ\0".to_vec(), Some(Compression::Xz)),
            (bzip2(BZIP2_BLOCK), Some(Compression::Bzip2)),
            (bzip2(BZIP2_END), Some(Compression::Bzip2)),
            (b"BZh9, said the engine".to_vec(), None),
            (b"[Event \"a\"]".to_vec(), None),
            (Vec::new(), None),
        ] {
            assert_eq!(Compression::of(&begin), compression, "{begin:?}");
            assert_eq!(Compression::of(&begin[..begin.len() / 2]), None);
        }
    }
}
