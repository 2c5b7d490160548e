//! Codecs of ternary boards: the four of the article Ternary, and others that come close to log2(3)
//! bits a cell or, on boards that are not random, go below.
//!
//! A codec holds a whole board in memory. Larger boards are cut into [`bands`] of rows, each a
//! separate board.

pub mod base3;
pub mod lzma;
pub mod model;
pub mod planar;
pub mod rle;
pub mod tight;
pub mod trits5;

use std::fmt::Debug;

use crate::board::TernaryBoard;
use crate::board::ternary::Size;
use crate::codec::{Claim, CodecInfo};
use crate::codecs::board::context_mixing::PILE_COLUMNS;
use crate::error::Error;

/// Codes the cells of a ternary board. The caller stores the size.
pub trait TernaryCodec: Debug + Send + Sync + 'static {
    /// Returns the description of the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Encodes a board.
    ///
    /// # Errors
    /// Returns [`Error::TooManyCells`] if the board has more than [`CELLS_MAX`].
    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error>;

    /// Decodes a board.
    ///
    /// # Errors
    /// Returns [`Error::Ternary`] if the bytes are not one of this codec's codes for this size,
    /// [`Error::TooManyCells`] if the size is above [`CELLS_MAX`], or [`Error::Memory`].
    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error>;
}

/// Every codec of ternary boards, in the order of their numbers.
pub static CODECS: &[&dyn TernaryCodec] = &[
    &trits5::Trits5,
    &planar::Planar,
    &tight::Tight,
    &base3::Base3,
    &rle::Rle,
    &lzma::Lzma,
    &model::Model,
];

/// Finds the codec with this name; `ternary.` may be left out.
pub fn codec(name: &str) -> Option<&'static dyn TernaryCodec> {
    let short = |name: &'static str| name.strip_prefix("ternary.");
    let is = |info: &CodecInfo| info.name == name || short(info.name) == Some(name);
    CODECS.iter().copied().find(|codec| is(codec.info()))
}

/// Returns the number of bytes of the largest number of `cells` digits in base 3.
fn packed_bytes(cells: u64) -> u64 {
    /// log2(3) times 2^64, rounded down. No power of 3 in use is so near a power of 2 that the
    /// rounding would matter.
    const LOG2_3: u128 = 29_237_397_617_229_858_719;
    let bits = ((u128::from(cells) * LOG2_3) >> 64) + u128::from(cells > 0);
    u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX)
}

/// The maximum number of cells of a board coded in one piece. 32 bytes of code may represent all of
/// them, so the length of the code does not bound the memory of the board.
pub const CELLS_MAX: u64 = 1 << 27;

/// Number of cells in a band, unless five of its rows have more.
const BAND_CELLS: u32 = 1 << 22;

/// Returns the bands of rows that a board is cut into for packing, from the first. Each but the
/// last fills whole bytes of the portable file and has at most [`CELLS_MAX`] cells. Bands of what
/// may be a pile of square boards end where a square board does.
pub fn bands(size: Size) -> impl Iterator<Item = Size> {
    let columns = size.columns();
    let unit = if columns <= PILE_COLUMNS { 5 * columns } else { 5 };
    let most = (BAND_CELLS / columns / unit).max(1) * unit;
    (0..size.rows()).step_by(most as usize).filter_map(move |first| {
        // These are parts of a valid size.
        Size::new(most.min(size.rows() - first), columns).ok()
    })
}

/// Rejects boards that are too large to be coded in one piece.
fn check_cells(size: Size) -> Result<(), Error> {
    if size.cells() > CELLS_MAX {
        return Err(Error::TooManyCells { cells: size.cells(), max: CELLS_MAX });
    }
    Ok(())
}

/// The article's figures for a board of 1,024 by 1,024 cells, which hold 1,661,953.6 bits of
/// information.
pub const CLAIMS: &[Claim] = &[
    Claim {
        source: "Ternary",
        case: "in memory",
        start: None,
        what: "2 bits a cell, 26.2 % more than log2(3)",
        their_bits: 2_097_385,
        our_bits: 2_097_152,
        why: "the same, except for the rounding of the percentage",
    },
    Claim {
        source: "Ternary",
        case: "in a file",
        start: None,
        what: "five cells a byte, 5.1 % more than log2(3)",
        their_bits: 1_746_713,
        our_bits: 1_677_728,
        why: "it is 0.95 % more; 5.1 % is the share of byte values that stay unused",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::ternary::SIDE_MAX;
    use crate::testkit::Random;

    fn size(rows: u32, columns: u32) -> Size {
        Size::new(rows, columns).expect("a size")
    }

    /// Boards of several kinds: random, empty, full, sparse, striped, one odd cell.
    fn boards(size: Size) -> Vec<TernaryBoard> {
        let mut random = Random::new(size.cells());
        let cells = usize::try_from(size.cells()).expect("a small board");
        let columns = size.columns() as usize;
        let mut make = |cell: &mut dyn FnMut(usize, u64) -> usize| {
            let mut random = || random.next_u64() >> 20;
            let cells = (0..cells).map(|at| cell(at, random()).to_le_bytes()[0]);
            let cells: Vec<u8> = cells.collect();
            TernaryBoard::from_cells(size, &cells).expect("cells")
        };
        vec![
            make(&mut |_, r| (r % 3) as usize),
            make(&mut |_, _| 0),
            make(&mut |_, _| 2),
            make(&mut |_, r| if r % 50 == 0 { 1 + (r / 64 % 2) as usize } else { 0 }),
            make(&mut |at, _| at / columns % 3),
            make(&mut |at, _| at % columns / 2 % 3),
            make(&mut |at, _| usize::from(at == cells / 2)),
            make(&mut |at, _| if at + 1 == cells { 2 } else { 1 }),
        ]
    }

    #[test]
    fn boards_come_back_from_every_codec() {
        let sizes = [
            (1, 1),
            (1, 4),
            (1, 5),
            (3, 3),
            (8, 8),
            (15, 15),
            (19, 19),
            (1, 323),
            (2, 323),
            (17, 19),
            (1, 324),
            (4, 160),
            (5, 32),
            (161, 1),
            (64, 8),
            (300, 15),
            (100, 100),
            (1, 3000),
        ];
        for (rows, columns) in sizes {
            for (kind, board) in boards(size(rows, columns)).into_iter().enumerate() {
                for codec in CODECS {
                    let name = codec.info().name;
                    let code = codec.encode(&board).expect("a code");
                    let back = codec.decode(board.size(), &code);
                    assert!(back.as_ref() == Ok(&board), "{name} {rows}x{columns} kind {kind}");
                }
            }
        }
    }

    /// Returns whether a board has only one code. The model's encoder chooses which rows to copy.
    fn is_unique(codec: &dyn TernaryCodec) -> bool {
        codec.info().name != "ternary.model"
    }

    /// Truncated codes, longer codes and codes with a flipped bit give an error or another board.
    #[test]
    fn damaged_codes_are_refused_or_another_board() {
        for (rows, columns) in [(1, 1), (8, 8), (1, 323), (20, 17), (24, 8)] {
            for board in boards(size(rows, columns)) {
                for codec in CODECS {
                    let name = codec.info().name;
                    let code = codec.encode(&board).expect("a code");
                    for length in 0..code.len() {
                        let cut = codec.decode(board.size(), &code[..length]);
                        let same = cut.as_ref() == Ok(&board) && is_unique(*codec);
                        assert!(!same, "{name} without its end");
                    }
                    let longer = codec.decode(board.size(), &[&code[..], &[0]].concat());
                    assert!(longer.is_err(), "{name} with a byte too many");
                    for bit in 0..8 * code.len().min(200) {
                        let mut bad = code.clone();
                        bad[bit / 8] ^= 1 << (bit % 8);
                        if let Ok(other) = codec.decode(board.size(), &bad) {
                            let same = other == board && is_unique(*codec);
                            assert!(!same, "{name}: bit {bit} does not matter");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn any_bytes_decode_or_are_refused() {
        let mut random = Random::new(3);
        for length in 0..300 {
            let code: Vec<u8> = (0..length).map(|_| random.next_u64().to_le_bytes()[5]).collect();
            for codec in CODECS {
                for (rows, columns) in [(1, 1), (8, 8), (40, 8), (5, 90)] {
                    let size = size(rows, columns);
                    let Ok(board) = codec.decode(size, &code) else { continue };
                    let again = codec.encode(&board).expect("a code");
                    assert!(again == code || !is_unique(*codec), "{}", codec.info().name);
                    assert_eq!(codec.decode(size, &again), Ok(board));
                }
            }
        }
    }

    #[test]
    fn boards_that_no_code_pays_for_are_refused() {
        for codec in CODECS {
            let largest = size(SIDE_MAX, SIDE_MAX);
            assert!(codec.decode(largest, &[0; 64]).is_err(), "{:?}", codec.info().name);
        }
    }

    #[test]
    fn bands_make_the_board() {
        for (rows, columns) in [
            (1, 1),
            (7, 3),
            (16_777_215, 1),
            (16_777_215, 8),
            (3_000_000, 64),
            (32_768, 32_768),
            (1_000, 16_777_215),
            (4, 16_777_215),
            (5_000, 1_000),
        ] {
            let whole = size(rows, columns);
            let bands: Vec<Size> = bands(whole).collect();
            assert_eq!(bands.iter().map(|band| band.rows()).sum::<u32>(), rows);
            for (place, band) in bands.iter().enumerate() {
                assert_eq!(band.columns(), columns);
                assert!(check_cells(*band).is_ok());
                assert!(band.cells() <= 1 << 22 || band.rows() <= 5);
                let pile = if columns <= 64 { columns } else { 1 };
                let whole = band.rows().is_multiple_of(pile) && band.cells().is_multiple_of(5);
                assert!(whole || place + 1 == bands.len(), "{band:?}");
            }
        }
    }

    #[test]
    fn claims_are_measured() {
        let board = TernaryBoard::new(size(1_024, 1_024)).expect("memory");
        let bits =
            [board.memory_bytes() * 8, trits5::Trits5.encode(&board).expect("a code").len() * 8];
        for ((claim, bits), percent) in CLAIMS.iter().zip(bits).zip([26.2, 5.1]) {
            assert_eq!(usize::try_from(claim.our_bits), Ok(bits));
            let worth = 1_048_576.0 * 3f64.log2();
            assert!((f64::from(claim.their_bits) - worth * (1.0 + percent / 100.0)).abs() < 1.0);
        }
    }

    #[test]
    fn codecs_are_found_by_name() {
        let name = |name| codec(name).map(|codec| codec.info().name);
        assert_eq!(name("tight"), Some("ternary.tight"));
        assert_eq!(name("ternary.rle"), Some("ternary.rle"));
        assert_eq!(name("ernary.rle"), None);
        assert!(CODECS.windows(2).all(|pair| pair[0].info().id < pair[1].info().id));
    }
}
