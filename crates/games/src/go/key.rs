//! Hash keys of positions: the numbers of the facts, as in `SPEC.md`. Captured stones do not count.

use plypack_core::key::{self as words, FIRST_MAN, SECOND_TO_MOVE, word};

use super::{ID, Position};

/// The first fact for the ko point.
const FIRST_KO: u32 = 8_192;

/// The first fact for the number of columns, used if it differs from the number of rows.
const FIRST_COLUMNS: u32 = 16_384;

/// Returns the word of a stone on a point, by its number; 0 for no stone.
pub(super) fn stone(point: usize, stone: u8) -> u64 {
    let point = u32::try_from(point).unwrap_or(0);
    stone.checked_sub(1).map_or(0, |kind| word(ID, FIRST_MAN + 2 * point + u32::from(kind)))
}

/// Returns the key without the stones, for a board of this size.
fn rest(position: &Position, [rows, columns]: [u16; 2], ko: Option<u32>) -> u64 {
    let mut key = word(ID, rows.into());
    if rows != columns {
        key ^= word(ID, FIRST_COLUMNS + u32::from(columns));
    }
    if position.white_to_move() {
        key ^= word(ID, SECOND_TO_MOVE);
    }
    key ^ ko.map_or(0, |point| word(ID, FIRST_KO + point))
}

/// Returns the key of a position.
pub(super) fn key(position: &Position) -> u64 {
    let size = [position.rows(), position.columns()];
    position.stones() ^ rest(position, size, position.ko().map(u32::from))
}

/// Returns the second hash of a position, which takes its points eight at a time.
pub(super) fn second_key(position: &Position) -> u32 {
    let rest = u64::from(position.columns()) << 17
        | u64::from(position.white_to_move()) << 16
        | u64::from(position.ko().map_or(0, |point| point + 1));
    let eights = position.array().chunks(8);
    let word = |points: &[u8]| points.iter().fold(0, |word, &stone| word << 8 | u64::from(stone));
    words::second_key(eights.map(word).chain([rest]))
}

/// Returns the least key of the eight images. Where rows and columns are swapped, so are their
/// numbers.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let [rows, columns] = [position.rows(), position.columns()];
    let images = (0u8..8).map(|way| {
        let transposed = way & 4 != 0;
        let size = if transposed { [columns, rows] } else { [rows, columns] };
        let image = |point: u16| {
            let (row, column) = (point / columns, point % columns);
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            let row = if way & 2 != 0 { size[0] - 1 - row } else { row };
            let column = if way & 1 != 0 { size[1] - 1 - column } else { column };
            row * size[1] + column
        };
        let of = |(point, kind): (u16, u8)| stone(image(point).into(), kind);
        let stones = (0..).zip(position.points()).filter(|point| point.1 > 0).map(of);
        let ko = position.ko().map(|point| image(point).into());
        stones.fold(rest(position, size, ko), |key, word| key ^ word)
    });
    images.min().unwrap_or_else(|| key(position))
}
