//! Go moves as text: SGF's letters for column and row, `pd`; GTP's coordinates, `Q16`; or SGF
//! properties, which name the player, `B[pd]`.

use plypack_core::MoveFault;

use super::rules::{Move, SIDE_MAX};

/// The names of the notations besides the customary one and coordinates: SGF properties with an
/// empty pass, and with the pass `tt`.
pub const NAMES: &[&str] = &["sgf", "sgf-tt"];

/// The longest side of a board on which `tt` is a pass.
const TT_MAX: u16 = 19;

/// Returns the letter of a column or row.
pub(super) fn letter(place: u16) -> char {
    let place = u8::try_from(place).unwrap_or(0);
    char::from(if place < 26 { b'a' + place } else { b'A' + (place - 26) % 26 })
}

/// Returns the column or row of a letter.
pub(super) fn place(letter: u8) -> Option<u16> {
    match letter {
        b'a'..=b'z' => Some((letter - b'a').into()),
        b'A'..=b'Z' => Some(u16::from(letter - b'A') + 26),
        _ => None,
    }
}

/// Returns the number of the point that two letters name on a board of this size.
pub(super) fn point(text: &[u8], [rows, columns]: [u16; 2]) -> Option<u16> {
    let &[column, row] = text else { return None };
    let (column, row) = (place(column)?, place(row)?);
    (row < rows && column < columns).then(|| row * columns + column)
}

/// Reads a point from a text without a player.
fn read_point(text: &str, size: [u16; 2], property: bool) -> Result<u16, MoveFault> {
    let bytes = text.as_bytes();
    if text.eq_ignore_ascii_case("pass") || property && bytes.is_empty() {
        return Ok(Move::PASS);
    }
    if let &[column, row] = bytes
        && place(column).and(place(row)).is_some()
    {
        let passes = text == "tt" && size.iter().all(|&side| side <= TT_MAX);
        let found = if passes { Some(Move::PASS) } else { point(bytes, size) };
        return found.ok_or(MoveFault::Illegal);
    }
    let digits = bytes.iter().position(u8::is_ascii_digit).ok_or(MoveFault::Unreadable)?;
    let (letters, number) = text.split_at_checked(digits).ok_or(MoveFault::Unreadable)?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    let row: u16 = number.parse().ok().filter(|_| plain).ok_or(MoveFault::Unreadable)?;
    let column = column_of(letters).ok_or(MoveFault::Unreadable)?;
    let [rows, columns] = size;
    let row = rows.checked_sub(row).ok_or(MoveFault::Illegal)?;
    if column < columns { Ok(row * columns + column) } else { Err(MoveFault::Illegal) }
}

/// Returns the column that letters name in GTP: A to Z without I, then AA, BB and so on.
fn column_of(letters: &str) -> Option<u16> {
    let letter = |byte: u8| match byte.to_ascii_uppercase() {
        byte @ b'A'..=b'H' => Some(u16::from(byte - b'A')),
        byte @ b'J'..=b'Z' => Some(u16::from(byte - b'A') - 1),
        _ => None,
    };
    match *letters.as_bytes() {
        [one] => letter(one),
        [one, two] if one.eq_ignore_ascii_case(&two) => Some(letter(one)? + 25),
        [b'C' | b'c', b'B' | b'b', b'A' | b'a'] => Some(50),
        [b'C' | b'c', b'B' | b'b', b'C' | b'c'] => Some(51),
        _ => None,
    }
}

/// Appends the letters of a column in GTP.
fn write_column(column: u16, out: &mut String) {
    // For columns 51 and 52 there is no agreed spelling.
    if column >= 50 {
        return out.push_str(if column == 50 { "CBA" } else { "CBC" });
    }
    let place = u8::try_from(column % 25).unwrap_or(0);
    let letter = char::from(b'A' + place + u8::from(place >= 8));
    out.extend(std::iter::repeat_n(letter, 1 + usize::from(column / 25)));
}

/// Reads a move on a board of this size, by the player to move unless the text names one.
///
/// # Errors
/// Returns an error if the text does not name a point of the board.
pub fn read(text: &str, size: [u16; 2], white_to_move: bool) -> Result<Move, MoveFault> {
    let text = text.strip_prefix(';').unwrap_or(text);
    let whose = text.strip_suffix(']').and_then(|text| {
        let (player, point) = text.split_once('[')?;
        match player {
            "B" | "b" => Some((false, point)),
            "W" | "w" => Some((true, point)),
            _ => None,
        }
    });
    let (white, point, property) =
        whose.map_or((white_to_move, text, false), |(white, point)| (white, point, true));
    Ok(Move { point: read_point(point, size, property)?, white })
}

/// The spelling of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Letters, `pd`.
    Letters,
    /// GTP's coordinates, `Q16`.
    Coordinates,
    /// A property of SGF, `B[pd]`.
    Property {
        /// Whether a pass is `tt` where that is not a point; otherwise it is empty.
        tt: bool,
    },
}

/// Appends a move on a board of this size, with the player if it is not that player's turn.
pub fn write(mv: Move, size: [u16; 2], white_to_move: bool, spelling: Spelling, out: &mut String) {
    let property = matches!(spelling, Spelling::Property { .. });
    let named = property || mv.white != white_to_move;
    if named {
        out.push_str(if mv.white { "W[" } else { "B[" });
    }
    let [rows, columns] = size;
    if mv.point == Move::PASS {
        let tt_passes = rows.max(columns) <= TT_MAX;
        out.push_str(match spelling {
            Spelling::Property { tt } => {
                if tt && tt_passes {
                    "tt"
                } else {
                    ""
                }
            }
            _ => "pass",
        });
    } else {
        let (row, column) = (mv.point / columns.max(1), mv.point % columns.max(1));
        if spelling == Spelling::Coordinates {
            write_column(column, out);
            out.push_str(&rows.saturating_sub(row).to_string());
        } else {
            out.extend([letter(column), letter(row)]);
        }
    }
    if named {
        out.push(']');
    }
}

/// Reads the points of a list value: `dd`, or `aa:cc` for a rectangle. `None` if a point is off a
/// board of this size.
pub(super) fn points(value: &str, size: [u16; 2]) -> Option<Vec<u16>> {
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let columns = size[1];
    let corner = |text: &str| {
        let point = point(text.as_bytes(), size)?;
        Some((point / columns, point % columns))
    };
    let ((top, left), (bottom, right)) = (corner(first)?, corner(last)?);
    let (rows, places) = (top.min(bottom)..=top.max(bottom), left.min(right)..=left.max(right));
    Some(rows.flat_map(|row| places.clone().map(move |column| row * columns + column)).collect())
}

/// Reads the size that a word gives: `19`, or `19:13` and `19x13` for columns and rows.
pub(super) fn size(word: &str) -> Option<[u16; 2]> {
    let (columns, rows) = word.split_once([':', 'x']).unwrap_or((word, word));
    let side = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|side| digits && (1..=SIDE_MAX).contains(side))
    };
    Some([side(rows)?, side(columns)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_comes_back_in_every_spelling() {
        for size in [[1, 1], [9, 13], [19, 19], [20, 20], [52, 52]] {
            for point in (0..size[0] * size[1]).chain([Move::PASS]) {
                for (white, turn) in [(false, false), (false, true), (true, false), (true, true)] {
                    for spelling in [
                        Spelling::Letters,
                        Spelling::Coordinates,
                        Spelling::Property { tt: false },
                        Spelling::Property { tt: true },
                    ] {
                        let mv = Move { point, white };
                        let mut text = String::new();
                        write(mv, size, turn, spelling, &mut text);
                        assert_eq!(read(&text, size, turn), Ok(mv), "{text} {size:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn points_are_named_as_go_players_do() {
        let at = |text| read(text, [19, 19], false).map(|mv| (mv.point, mv.white));
        let corner = 3 * 19 + 15;
        assert_eq!((at("pd"), at("Q16"), at("q16")), (Ok((corner, false)), at("pd"), at("pd")));
        assert_eq!((at(";W[pd]"), at("w[Q16]")), (Ok((corner, true)), Ok((corner, true))));
        assert_eq!((at("aa"), at("A19"), at("T1")), (at("A19"), at("aa"), at("ss")));
        let pass = Ok((Move::PASS, false));
        assert_eq!((at("tt"), at("B[]"), at("pass"), at("PASS")), (pass, pass, pass, pass));
        assert_eq!(read("tt", [20, 20], false).map(|mv| mv.point), Ok(19 * 20 + 19));
        for text in ["ta", "A20", "Z1"] {
            assert_eq!(at(text), Err(MoveFault::Illegal), "{text}");
        }
        for text in ["", "[]", "a", "I5", "A0", "A05", "abc", "B[pd", "AB[pd]", "é", "B[p]"] {
            assert_eq!(at(text), Err(MoveFault::Unreadable), "{text}");
        }
    }
}
