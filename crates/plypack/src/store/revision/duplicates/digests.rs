//! Digests of what is stored of a game, by which games are compared.

use sha2::{Digest as _, Sha256};

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::movetext::Annotation;
use crate::store::row::StoredRecord;

/// The first half of a SHA-256.
pub(super) type Digest = [u8; 16];

/// What is stored of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stored {
    /// The digest of its line in coded form; `None` for a record without moves.
    pub(super) line: Option<Digest>,
    pub(super) annotations: u32,
    /// The digest of its annotations.
    pub(super) notes: Digest,
}

/// The digests of the keys of a line: of all keys, and of prefixes of some lengths.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub(super) end: Option<Digest>,
    pub(super) prefixes: Vec<(u32, Digest)>,
}

/// Starts a digest; `first` tells what it is of.
pub(super) fn digest(first: &[u8]) -> Sha256 {
    Sha256::new_with_prefix(first)
}

/// Finishes a digest.
pub(super) fn half(hash: Sha256) -> Digest {
    let mut half = Digest::default();
    half.copy_from_slice(&hash.finalize()[..size_of::<Digest>()]);
    half
}

/// Adds bytes and their length, so that different lists of texts give different bytes.
pub(super) fn add(hash: &mut Sha256, bytes: Option<&[u8]>) {
    hash.update(bytes.map_or(u64::MAX, |bytes| bytes.len() as u64).to_le_bytes());
    hash.update(bytes.unwrap_or_default());
}

/// Returns the digest of a record's line in coded form.
pub(super) fn line_of(record: &StoredRecord<'_>) -> Option<Digest> {
    let (codec, start, plies, code) = record.line?;
    let mut hash = digest(b"line");
    add(&mut hash, Some(codec.as_bytes()));
    add(&mut hash, start.map(str::as_bytes));
    hash.update(plies.to_le_bytes());
    add(&mut hash, Some(code));
    Some(half(hash))
}

/// Returns the number of a record's annotations, and their digest. Series count as one each.
pub(super) fn notes_of(record: &StoredRecord<'_>) -> (u32, Digest) {
    let mut hash = digest(b"notes");
    let annotations = record.annotations.as_deref().unwrap_or_default();
    for Annotation { skip, kind, text, moves } in annotations {
        hash.update(skip.to_le_bytes());
        add(&mut hash, Some(kind.name().as_bytes()));
        add(&mut hash, Some(text.as_bytes()));
        hash.update(moves.as_ref().map_or(0, |moves| moves.0).to_le_bytes());
        add(&mut hash, moves.as_ref().map(|moves| &*moves.1));
    }
    let mut count = annotations.len();
    add(&mut hash, record.templates.map(str::as_bytes));
    for series in [record.clocks, record.evaluations, record.reviews, record.fields] {
        add(&mut hash, series.map(|series| series.0.as_bytes()));
        add(&mut hash, series.map(|series| series.1));
        count += usize::from(series.is_some());
    }
    (u32::try_from(count).unwrap_or(u32::MAX), half(hash))
}

/// Returns the digest of everything stored of a record.
pub(super) fn row_of(record: &StoredRecord<'_>) -> Digest {
    let mut hash = digest(b"row");
    for (name, value) in &record.tags {
        add(&mut hash, Some(name.as_bytes()));
        add(&mut hash, Some(value.as_bytes()));
    }
    hash.update(line_of(record).unwrap_or_default());
    hash.update(notes_of(record).1);
    add(&mut hash, record.layout.map(str::as_bytes));
    add(&mut hash, record.patch);
    add(&mut hash, record.verbatim);
    half(hash)
}

/// Returns the digests of the keys of a record's line: of all keys, and of prefixes of these
/// lengths.
pub(super) fn keys_of(
    file: &PackedFile,
    row: u64,
    record: &StoredRecord<'_>,
    lengths: &[u32],
) -> Result<Keys, Error> {
    let Some((codec, start, plies, code)) = record.line else { return Ok(Keys::default()) };
    let codec = StoredRecord::codec(codec).map_err(Error::record(file.path(), row))?;
    let mut keys = Vec::new();
    // What cannot be decoded is not a copy; `verify` reports it.
    if codec.keys(start, plies, code, &mut keys).is_err() {
        return Ok(Keys::default());
    }
    let mut hash = digest(codec.game().info().name.as_bytes());
    let (mut prefixes, mut lengths) = (Vec::new(), lengths.iter().peekable());
    for (ply, key) in (0u32..).zip(&keys) {
        hash.update(key.to_le_bytes());
        while let Some(&length) = lengths.next_if(|&&length| length <= ply) {
            if length == ply && ply < plies {
                prefixes.push((length, half(hash.clone())));
            }
        }
    }
    Ok(Keys { end: Some(half(hash)), prefixes })
}
