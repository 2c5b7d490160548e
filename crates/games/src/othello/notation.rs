//! Othello moves as text: column and row, `f5`; in SGF a property, `B[fe]`.

use plypack_core::MoveFault;

use crate::common::property;

/// Reads the name of a cell, with the letter in either case.
///
/// # Errors
/// Returns an error if the text does not name a cell.
pub fn read(text: &str) -> Result<u8, MoveFault> {
    let &[column, row @ b'1'..=b'8'] = text.as_bytes() else { return Err(MoveFault::Unreadable) };
    match column.to_ascii_lowercase() {
        column @ b'a'..=b'h' => Ok((row - b'1') * 8 + (column - b'a')),
        _ => Err(MoveFault::Unreadable),
    }
}

/// Reads the cell of an SGF property: two letters, rows from the top, or the cell's name.
///
/// # Errors
/// Returns an error if the text does not name a cell.
pub fn read_property(text: &str) -> Result<u8, MoveFault> {
    let Some((column, row)) = property::point(text) else { return read(text) };
    let cell = if column < 8 && row < 8 { u8::try_from(8 * row + column).ok() } else { None };
    cell.ok_or(MoveFault::Illegal)
}

/// Appends the name of a cell, a number below 64.
pub fn write(cell: u8, out: &mut String) {
    out.push(char::from(b'a' + cell % 8));
    out.push(char::from(b'1' + cell / 8 % 8));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_name() {
        for cell in 0..64 {
            let mut text = String::new();
            write(cell, &mut text);
            assert_eq!(read(&text), Ok(cell));
            assert_eq!(read(&text.to_ascii_uppercase()), Ok(cell));
        }
        assert_eq!((read("a1"), read("h1"), read("f5")), (Ok(0), Ok(7), Ok(37)));
        for text in ["", "f", "f9", "f0", "i1", "f55", "5f", "--", "pa", "é"] {
            assert_eq!(read(text), Err(MoveFault::Unreadable), "{text}");
        }
    }
}
