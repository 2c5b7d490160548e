//! A block of prose: the texts of consecutive rows, coded together.

use plypack_core::bits::varint;
use plypack_core::codecs::prose::{PROSE, ProseCodec, Texts};

use crate::rows::RowError;

/// Says what is wrong with a record whose texts are in no block, and the remedy.
pub const MISSING: &str = "its comments are coded with those of other games, some of which are \
    missing here or damaged; copy all games in their order, or pack with `--model fast`, so that \
    other tools can pick games";

/// How to avoid that the code of a block cannot be read.
pub const REMEDY: &str = "if it is not damaged, a tool dropped or reordered games: copy all games \
    in their order, or pack with `--model fast`, so that other tools can pick games";

/// The number of bytes of the digest.
const DIGEST_BYTES: usize = 4;

/// Encodes the texts of rows with these checksums, those of rows without a text left out. Returns
/// `None` if they are too long.
#[must_use]
pub fn encode(texts: &[&str], checksums: &[u32]) -> Option<Vec<u8>> {
    let codec = PROSE.newest;
    let mut out = Vec::new();
    varint::write_u32(codec.info.id.into(), &mut out);
    out.extend(digest(texts.iter().copied(), checksums));
    out.extend(codec.encode(texts)?);
    Some(out)
}

/// Decodes the texts of rows with these checksums.
///
/// # Errors
/// Returns an error if a newer version wrote the code, if it is damaged, or if it is the code of
/// other rows.
pub fn decode(code: &[u8], checksums: &[u32]) -> Result<Texts, RowError> {
    let (codec, code) = codec(code)?;
    let (stated, code) = code.split_at_checked(DIGEST_BYTES).ok_or("it is cut")?;
    let texts = codec.decode(code)?;
    if digest(texts.iter(), checksums) != stated {
        return Err("it is not that of these games".into());
    }
    Ok(texts)
}

/// Returns how many bytes of text a code is said to have; 0 if it cannot be decoded.
#[must_use]
pub fn stated_bytes(code: &[u8]) -> u64 {
    let length = codec(code).ok().and_then(|(codec, code)| codec.length(code.get(DIGEST_BYTES..)?));
    length.unwrap_or_default().into()
}

/// Returns the codec of a code, and the bytes after its number.
fn codec(code: &[u8]) -> Result<(&'static ProseCodec, &[u8]), RowError> {
    let (number, taken) = varint::read_u32(code).ok_or("it has no codec")?;
    let codec = PROSE.all().find(|codec| u32::from(codec.info.id) == number);
    let codec = codec.ok_or_else(|| format!("codec {number} is unknown: a newer plypack wrote it"));
    Ok((codec?, code.get(taken..).unwrap_or_default()))
}

/// Returns the CRC-32 of the checksums and the texts, each with its end.
fn digest<'a>(texts: impl Iterator<Item = &'a str>, checksums: &[u32]) -> [u8; DIGEST_BYTES] {
    let mut hasher = crc32fast::Hasher::new();
    checksums.iter().for_each(|checksum| hasher.update(&checksum.to_le_bytes()));
    for text in texts {
        hasher.update(text.as_bytes());
        hasher.update(&[0xff]);
    }
    hasher.finalize().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_their_rows() {
        let texts = ["a novelty", "The point!"];
        let code = encode(&texts, &[7, 8]).expect("short");
        let back = decode(&code, &[7, 8]).expect("its rows");
        assert_eq!(back.iter().collect::<Vec<_>>(), texts);
        for other in [&[8, 7][..], &[7], &[7, 8, 9], &[]] {
            assert!(decode(&code, other).is_err());
        }
    }

    #[test]
    fn damage_is_never_another_text() {
        let code = encode(&["a novelty"], &[7]).expect("short");
        for at in 0..code.len() {
            for bit in 0..8 {
                let mut code = code.clone();
                code[at] ^= 1 << bit;
                // The last bytes may have spare bits.
                if let Ok(texts) = decode(&code, &[7]) {
                    assert_eq!(texts.joined(), "a novelty");
                }
            }
        }
        for at in 0..code.len() {
            assert!(decode(&code[..at], &[7]).is_err());
        }
        let newer = [&[99], &code[1..]].concat();
        let error = decode(&newer, &[7]).expect_err("newer").to_string();
        assert!(error.contains("newer"), "{error}");
    }
}
