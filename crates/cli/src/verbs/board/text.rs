//! Boards as text: one line per row, one symbol per cell.

use std::io::BufRead;

use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::SIDE_MAX;

/// The symbols written for 0, 1 and 2.
pub const SYMBOLS: [u8; 3] = *b".ox";

/// Returns the cell of a symbol.
fn cell(symbol: u8) -> Option<u8> {
    match symbol {
        b'.' | b'0' => Some(0),
        b'o' | b'O' | b'1' => Some(1),
        b'x' | b'X' | b'2' => Some(2),
        _ => None,
    }
}

/// Whether any text may contain this byte. Reading checks which bytes are cells.
pub fn is_text(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// Reads the next line and appends its cells. Returns their number, the end, or what is wrong with
/// the line.
///
/// # Errors
/// Returns an error if reading fails.
pub fn read_row(reader: &mut impl BufRead, cells: &mut Vec<u8>) -> std::io::Result<RowRead> {
    let mut columns = 0;
    let mut began = false;
    loop {
        let available = reader.fill_buf()?;
        if available.is_empty() {
            return Ok(if began { RowRead::Row(columns) } else { RowRead::End });
        }
        began = true;
        let mut used = 0;
        for &byte in available {
            used += 1;
            match cell(byte) {
                Some(cell) if columns < SIDE_MAX => {
                    cells.push(cell);
                    columns += 1;
                }
                Some(_) => return Ok(RowRead::TooLong),
                None if byte == b'\n' => {
                    reader.consume(used);
                    return Ok(RowRead::Row(columns));
                }
                // Allowed only before the end of a line.
                None if byte == b'\r' => {
                    reader.consume(used);
                    return finish_line(reader, columns);
                }
                None => return Ok(RowRead::Unknown { column: columns + 1, byte }),
            }
        }
        reader.consume(used);
    }
}

/// A row of a text, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub enum RowRead {
    Row(u32),
    End,
    TooLong,
    Unknown { column: u32, byte: u8 },
}

fn finish_line(reader: &mut impl BufRead, columns: u32) -> std::io::Result<RowRead> {
    match reader.fill_buf()?.first() {
        None => Ok(RowRead::Row(columns)),
        Some(b'\n') => {
            reader.consume(1);
            Ok(RowRead::Row(columns))
        }
        Some(_) => Ok(RowRead::Unknown { column: columns + 1, byte: b'\r' }),
    }
}

/// Returns the lines of a board.
pub fn write(board: &TernaryBoard) -> Vec<u8> {
    let columns = board.size().columns() as usize;
    let cells = board.to_cells();
    let mut out = Vec::with_capacity(cells.len() + cells.len() / columns);
    for row in cells.chunks(columns) {
        out.extend(row.iter().map(|&cell| SYMBOLS[usize::from(cell.min(2))]));
        out.push(b'\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<RowRead> {
        // A reader that gives few bytes at a time.
        let mut reader = std::io::BufReader::with_capacity(3, text.as_bytes());
        let mut rows = Vec::new();
        loop {
            let row = read_row(&mut reader, &mut Vec::new()).expect("memory");
            let last = !matches!(row, RowRead::Row(_));
            rows.push(row);
            if last {
                return rows;
            }
        }
    }

    #[test]
    fn lines_are_rows() {
        use RowRead::{End, Row, Unknown};
        assert_eq!(rows(""), [End]);
        assert_eq!(rows(".ox\n012"), [Row(3), Row(3), End]);
        assert_eq!(rows("....\r\nOOXX\r\n"), [Row(4), Row(4), End]);
        assert_eq!(rows("..\n\n"), [Row(2), Row(0), End]);
        assert_eq!(rows("..\r"), [Row(2), End]);
        assert_eq!(rows(".. \n"), [Unknown { column: 3, byte: b' ' }]);
        assert_eq!(rows("..\rx\n"), [Unknown { column: 3, byte: b'\r' }]);
    }
}
