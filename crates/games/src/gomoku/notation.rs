//! Gomoku moves as text: a letter for the column and the number of the row, `h8`; in PSQ two
//! numbers, `8,8`; in SGF a property, `B[hh]`.

use plypack_core::MoveFault;

use crate::common::property;

/// The names of the notations besides the customary one.
pub const NAMES: &[&str] = &["psq", property::NAMES[0], property::NAMES[1]];

/// Reads a point as column and row, from 0, on a board of any size, with the letter in either case.
///
/// # Errors
/// Returns an error if the text does not name a point.
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

/// Reads a point as PSQ writes it on a board of `size` rows: column and row from 1, rows from the
/// top. Returns them from 0, rows from the bottom.
///
/// # Errors
/// Returns an error if the text does not name a point of the board.
pub fn read_psq(text: &str, size: u16) -> Result<(u16, u16), MoveFault> {
    let (column, row) = text.split_once(',').ok_or(MoveFault::Unreadable)?;
    let number = |text: &str| {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        text.parse::<u16>().ok().filter(|_| plain).ok_or(MoveFault::Unreadable)
    };
    let (column, row) = (number(column)?, number(row)?);
    let row = size.checked_sub(row).ok_or(MoveFault::Illegal)?;
    Ok((column - 1, row))
}

/// Appends a point, its column and row counted from 0, as PSQ writes it on a board of `size` rows.
pub fn write_psq(column: u16, row: u16, size: u16, out: &mut String) {
    out.push_str(&(column + 1).to_string());
    out.push(',');
    out.push_str(&(size - row).to_string());
}

/// Reads the point of an SGF property on a board of `size` rows: two letters, rows from the top, or
/// the point's name. Returns column and row from 0.
///
/// # Errors
/// Returns an error if the text does not name a point of the board.
pub fn read_property(text: &str, size: u16) -> Result<(u16, u16), MoveFault> {
    let Some((column, from_top)) = property::point(text) else { return read(text) };
    let row = size.checked_sub(from_top + 1).ok_or(MoveFault::Illegal)?;
    Ok((column, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_count_from_the_upper_left() {
        assert_eq!(read_property("aa", 15), Ok((0, 14)));
        assert_eq!(read_property("ho", 15), Ok((7, 0)));
        assert_eq!(read_property("h15", 15), Ok((7, 14)));
        assert_eq!(read_property("hp", 15), Err(MoveFault::Illegal));
        for text in ["", "a", "abc"] {
            assert_eq!(read_property(text, 15), Err(MoveFault::Unreadable), "{text}");
        }
    }

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

    #[test]
    fn psq_counts_from_the_upper_left() {
        assert_eq!(read_psq("1,1", 15), Ok((0, 14)));
        assert_eq!(read_psq("10,20", 20), Ok((9, 0)));
        for (column, row) in [(0, 0), (14, 3), (7, 14)] {
            let mut text = String::new();
            write_psq(column, row, 15, &mut text);
            assert_eq!(read_psq(&text, 15), Ok((column, row)), "{text}");
        }
        assert_eq!(read_psq("1,16", 15), Err(MoveFault::Illegal));
        for text in ["", ",", "1", "0,1", "1,0", "01,1", "+1,1", "1,1,1", "70000,1"] {
            assert_eq!(read_psq(text, 15), Err(MoveFault::Unreadable), "{text}");
        }
    }
}
