//! Tables of numbers that no codec makes sense of before it has all of them: rows of as many, read
//! when the program is compiled.
//!
//! Behind the head stand the number of rows and that of columns, two bytes each, and then the
//! numbers row by row, four bytes each, the least significant first.

use super::Head;

/// The numbers of a file that is part of the program. With another head, or not of so many rows and
/// columns, there is no program: used in a static, this is found out when it is compiled.
#[must_use]
pub const fn part<const COLUMNS: usize, const ROWS: usize>(
    file: &'static [u8],
) -> [[u32; COLUMNS]; ROWS] {
    let mut body = Head::NUMBERS.part(file);
    assert!(short(&mut body) == ROWS && short(&mut body) == COLUMNS, "a table of another size");
    let mut table = [[0; COLUMNS]; ROWS];
    let mut at = 0;
    while let Some((number, rest)) = body.split_first_chunk() {
        table[at / COLUMNS][at % COLUMNS] = u32::from_le_bytes(*number);
        body = rest;
        at += 1;
    }
    assert!(at == ROWS * COLUMNS && body.is_empty(), "a table that is not whole");
    table
}

/// The next two bytes as a number, the least significant first. Used when the program is compiled,
/// like [`part`].
pub(crate) const fn short(bytes: &mut &[u8]) -> usize {
    let next = bytes.split_first_chunk();
    assert!(next.is_some(), "a table that is not whole");
    match next {
        Some((number, rest)) => {
            *bytes = rest;
            u16::from_le_bytes(*number) as usize
        }
        None => 0,
    }
}

/// The rows of a table as slices.
#[must_use]
pub const fn rows<T, const COLUMNS: usize, const ROWS: usize>(
    table: &'static [[T; COLUMNS]; ROWS],
) -> [&'static [T]; ROWS] {
    let mut rows: [&'static [T]; ROWS] = [&[]; ROWS];
    let mut row = 0;
    while row < ROWS {
        rows[row] = &table[row];
        row += 1;
    }
    rows
}

/// A table of numbers that are below 256 each; used in a static, others are found out when the
/// program is compiled.
#[must_use]
pub const fn bytes<const COLUMNS: usize, const ROWS: usize>(
    table: [[u32; COLUMNS]; ROWS],
) -> [[u8; COLUMNS]; ROWS] {
    let mut bytes = [[0; COLUMNS]; ROWS];
    let mut at = 0;
    while at < ROWS * COLUMNS {
        let [byte, high @ ..] = table[at / COLUMNS][at % COLUMNS].to_le_bytes();
        assert!(high[0] == 0 && high[1] == 0 && high[2] == 0, "a number above 255");
        bytes[at / COLUMNS][at % COLUMNS] = byte;
        at += 1;
    }
    bytes
}

/// A file of these rows, zeros filling up the shorter ones. `None` if there are too many rows or
/// columns.
#[must_use]
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
