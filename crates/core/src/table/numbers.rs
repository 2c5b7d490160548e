//! Tables of numbers that are useful only as a whole: rows of equal length, read at compile time.
//!
//! After the header come the numbers of rows and of columns, two bytes each, and then the numbers
//! row by row, four bytes each, little-endian.

use super::Head;

/// Reads the numbers of an embedded file. Another header, or other dimensions, panics; in a static,
/// this is a compile error.
pub const fn part<const COLUMNS: usize, const ROWS: usize>(
    file: &'static [u8],
) -> [[u32; COLUMNS]; ROWS] {
    let mut body = Head::NUMBERS.part(file);
    assert!(short(&mut body) == ROWS && short(&mut body) == COLUMNS, "a table has the wrong size");
    let mut table = [[0; COLUMNS]; ROWS];
    let mut at = 0;
    while let Some((number, rest)) = body.split_first_chunk() {
        table[at / COLUMNS][at % COLUMNS] = u32::from_le_bytes(*number);
        body = rest;
        at += 1;
    }
    assert!(at == ROWS * COLUMNS && body.is_empty(), "a table is truncated");
    table
}

/// Takes two bytes as a little-endian number, at compile time like [`part`].
pub(crate) const fn short(bytes: &mut &[u8]) -> usize {
    let next = bytes.split_first_chunk();
    assert!(next.is_some(), "a table is truncated");
    match next {
        Some((number, rest)) => {
            *bytes = rest;
            u16::from_le_bytes(*number) as usize
        }
        None => 0,
    }
}

/// Returns the rows of a table as slices.
pub const fn rows<T, const COLUMNS: usize, const ROWS: usize>(
    table: &'static [[T; COLUMNS]; ROWS],
) -> [&'static [T]; ROWS] {
    let mut rows: [&'static [T]; ROWS] = [&[]; ROWS];
    each!(row, ROWS, rows[row] = &table[row]);
    rows
}

/// Converts a table of numbers below 256. Larger ones panic; in a static, this is a compile error.
pub const fn bytes<const COLUMNS: usize, const ROWS: usize>(
    table: [[u32; COLUMNS]; ROWS],
) -> [[u8; COLUMNS]; ROWS] {
    let mut bytes = [[0; COLUMNS]; ROWS];
    each!(at, ROWS * COLUMNS, {
        let [byte, high @ ..] = table[at / COLUMNS][at % COLUMNS].to_le_bytes();
        assert!(high[0] == 0 && high[1] == 0 && high[2] == 0, "a number above 255");
        bytes[at / COLUMNS][at % COLUMNS] = byte;
    });
    bytes
}

/// Returns a file of these rows, the shorter ones padded with zeros. Returns `None` if there are
/// too many rows or columns.
pub fn file(rows: &[Vec<u32>]) -> Option<Vec<u8>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut body = Vec::new();
    for size in [rows.len(), columns] {
        body.extend(u16::try_from(size).ok()?.to_le_bytes());
    }
    for row in rows {
        let filled = row.iter().copied().chain(std::iter::repeat(0)).take(columns);
        body.extend(filled.flat_map(u32::to_le_bytes));
    }
    Some(Head::NUMBERS.file(&body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let written = file(&[vec![1, 2], vec![70_000], vec![]]).expect("few");
        assert_eq!(written[4..12], [3, 0, 2, 0, 1, 0, 0, 0]);
        let table: [[u32; 2]; 3] = part(written.leak());
        assert_eq!(table, [[1, 2], [70_000, 0], [0, 0]]);
        assert_eq!(bytes([[255, 0]]), [[255, 0]]);
        assert_eq!(rows(&[[1, 2], [3, 4]]), [[1, 2], [3, 4]]);
        assert_eq!(file(&[vec![0; 65_536]]), None);
    }

    #[test]
    fn files_of_another_size_are_no_program() {
        let whole = file(&[vec![1, 2]]).expect("few");
        let longer = [&whole[..], &[0]].concat();
        let shorter = whole[..whole.len() - 1].to_vec();
        let turned = file(&[vec![1], vec![1]]).expect("few");
        for damaged in [shorter, longer, turned] {
            let read = || part::<2, 1>(damaged.leak());
            assert!(std::panic::catch_unwind(read).is_err());
        }
    }
}
