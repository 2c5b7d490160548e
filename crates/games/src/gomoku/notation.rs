//! Gomoku moves as text: a letter for the column and the number of the row, `h8`.

use plypack_core::MoveFault;

/// The column and the row, from 0, that a text names on a board of any size, the letter in either
/// case.
///
/// # Errors
/// If the text is no name of a point.
pub fn read(text: &str) -> Result<(u16, u16), MoveFault> {
    let (column, row) = match *text.as_bytes() {
        [column, row @ b'1'..=b'9'] => (column, row - b'0'),
        [column, tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => {
            (column, (tens - b'0') * 10 + (ones - b'0'))
        }
        _ => return Err(MoveFault::Unreadable),
    };
    match column.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => Ok(((letter - b'a').into(), (row - 1).into())),
        _ => Err(MoveFault::Unreadable),
    }
}

/// Appends the name of a point, its column and row counted from 0.
pub fn write(column: u16, row: u16, out: &mut String) {
    let letter = u8::try_from(column).unwrap_or(0).min(25);
    out.push(char::from(b'a' + letter));
    out.push_str(&(row + 1).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_its_name() {
        for row in 0..20 {
            for column in 0..20 {
                let mut text = String::new();
                write(column, row, &mut text);
                assert_eq!(read(&text), Ok((column, row)));
                assert_eq!(read(&text.to_ascii_uppercase()), Ok((column, row)));
            }
        }
        assert_eq!((read("a1"), read("t20"), read("h8")), (Ok((0, 0)), Ok((19, 19)), Ok((7, 7))));
        for text in ["", "h", "8h", "h0", "h08", "h100", "hh", "é8", "--"] {
            assert_eq!(read(text), Err(MoveFault::Unreadable), "{text}");
        }
    }
}
