//! Says what packed files hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Contents, PackedFile, expanded};
use crate::error::Error;
use crate::store;

/// Says what a packed file holds, or each of the `*.parquet` files in a folder, in order of name.
/// The small columns of the files are read, and nothing is decoded.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// let packed = std::env::temp_dir().join("plypack-listed.parquet");
/// plypack::Packer::new().reader("a.pgn", &b"1. e4 e5 2. Nf3 *\n"[..]).pack(&packed)?;
/// let held = &plypack::list(&packed)?[0];
/// assert_eq!((held.game.as_str(), held.records, held.plies), ("chess", 1, 3));
/// assert!(held.move_bytes() < held.bytes && held.bits_per_ply().is_some());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns [`Error::Io`], or [`Error::File`] if a path is not a packed file, is damaged, or needs
/// another version.
pub fn list(path: impl AsRef<Path>) -> Result<Vec<Summary>, Error> {
    let paths = expanded([path.as_ref().to_path_buf()])?;
    paths.into_iter().map(|path| PackedFile::open(path)?.summary()).collect()
}

/// What a packed file holds: [`PackedFile::summary`], [`list`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The file.
    pub path: PathBuf,
    /// What its records are.
    pub contents: Contents,
    /// The name of the game of its first coded record, as [`Rules::name`](crate::Rules::name)
    /// returns it; empty if nothing is coded.
    pub game: String,
    /// The codecs of the moves or positions, such as `chess/line.default/5`, in order of their
    /// first record.
    pub codecs: Vec<String>,
    /// The number of records.
    pub records: u64,
    /// The number of coded plies.
    pub plies: u64,
    /// The number of coded positions, in a file of positions.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The stored size of each column in bytes.
    pub columns: BTreeMap<String, u64>,
    /// The numbers of records whose bytes are kept as they are, by reason.
    pub verbatim: BTreeMap<String, u64>,
    /// The number of records with a move, a set-up position, a variant or a position that was not
    /// understood. What could not be coded is kept as text.
    pub faulty: u64,
    /// The number of records that are restored with the help of a patch.
    pub patched: u64,
    /// The number of variations that are kept as text, because a move could not be coded.
    pub uncoded_variations: u64,
}

impl Summary {
    pub(crate) fn of(path: &Path, inner: store::Summary) -> Self {
        Self {
            path: path.to_path_buf(),
            contents: Contents::of(inner.kind),
            game: inner.game,
            codecs: inner.codecs,
            records: inner.records,
            plies: inner.plies,
            positions: inner.positions,
            bytes: inner.bytes,
            columns: inner.columns,
            verbatim: inner.verbatim,
            faulty: inner.faulty,
            patched: inner.patched,
            uncoded_variations: inner.uncoded_variations,
        }
    }

    /// Returns the stored size of the coded moves in bytes.
    #[must_use]
    pub fn move_bytes(&self) -> u64 {
        self.columns.get("moves").copied().unwrap_or(0)
    }

    /// Returns the stored size of the coded positions in bytes, in a file of positions.
    #[must_use]
    pub fn position_bytes(&self) -> u64 {
        self.columns.get("position").copied().unwrap_or(0)
    }

    /// Returns how many bytes are in no column: the footer and the page index, which are most of a
    /// file of a few records.
    #[must_use]
    pub fn footer_bytes(&self) -> u64 {
        self.columns.values().fold(self.bytes, |left, bytes| left.saturating_sub(*bytes))
    }

    /// Returns how many bits are stored of the moves, for each coded ply; `None` without plies.
    #[must_use]
    pub fn bits_per_ply(&self) -> Option<f64> {
        bits(self.move_bytes(), self.plies)
    }

    /// Returns how many bits are stored of the positions, for each record of a file of positions;
    /// `None` without records.
    #[must_use]
    pub fn bits_per_position(&self) -> Option<f64> {
        let records = (self.contents == Contents::Positions).then_some(self.records)?;
        bits(self.position_bytes(), records)
    }

    /// Returns how many records are kept as they are.
    #[must_use]
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().fold(0, |sum, records| sum.saturating_add(*records))
    }
}

fn bits(bytes: u64, pieces: u64) -> Option<f64> {
    (pieces > 0).then(|| 8.0 * bytes as f64 / pieces as f64)
}
