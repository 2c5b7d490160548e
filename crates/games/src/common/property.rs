//! Moves and stones as SGF properties, such as `B[hh]`, in games whose boards fit SGF's lower-case
//! letters.

/// The names of the move notations: letters for column and row, from the upper left; or the game's
/// own names of its points.
pub const NAMES: [&str; 2] = ["sgf", "sgf-names"];

/// Reads a property with a move: whether it is White's, and its point.
pub fn read(text: &str) -> Option<(bool, &str)> {
    let text = text.strip_prefix(';').unwrap_or(text);
    match text.strip_suffix(']')?.split_once('[')? {
        ("B", point) => Some((false, point)),
        ("W", point) => Some((true, point)),
        _ => None,
    }
}

/// Returns the column and row, from 0 at the upper left, that two letters name.
pub fn point(letters: &str) -> Option<(u16, u16)> {
    let &[column, row] = letters.as_bytes() else { return None };
    let place = |letter: u8| letter.is_ascii_lowercase().then(|| u16::from(letter - b'a'));
    Some((place(column)?, place(row)?))
}

/// Appends a move; `write` appends its point.
pub fn write(white: bool, out: &mut String, write: impl FnOnce(&mut String)) {
    out.push_str(if white { "W[" } else { "B[" });
    write(out);
    out.push(']');
}

/// Appends the letters of a point, given its column and row from 0 at the upper left.
pub fn write_point(column: u16, row: u16, out: &mut String) {
    let letter = |place: u16| char::from(b'a' + u8::try_from(place).unwrap_or(0).min(25));
    out.extend([letter(column), letter(row)]);
}

/// Reads the start from the head of a record: who begins, and in the order of the text which
/// points, from the upper left, get which stones: 0 none, 1 black, 2 white. Returns `None` if a
/// word is neither a size nor such a list.
pub fn set_up(head: &[&str], moves: &[&str]) -> Option<SetUp> {
    let mut set_up = SetUp::default();
    for word in head {
        let Some((name, values)) = word.split_once('[') else { continue };
        let mut values = values.strip_suffix(']')?.split("][");
        let stone = match name {
            "AE" => 0,
            "AB" => 1,
            "AW" => 2,
            "PL" => {
                let letter = values.next()?.as_bytes().first();
                set_up.white = letter.is_some_and(|letter| b"Ww2".contains(letter));
                continue;
            }
            // A handicap has no effect here.
            "HA" => continue,
            _ => return None,
        };
        for value in values {
            let (first, last) = value.split_once(':').unwrap_or((value, value));
            let ((left, top), (right, bottom)) = (point(first)?, point(last)?);
            let rows = top.min(bottom)..=top.max(bottom);
            let columns = left.min(right)..=left.max(right);
            let all = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
            set_up.stones.extend(all.map(|point| (point, stone)));
        }
    }
    if let Some((white, _)) = moves.first().and_then(|text| read(text)) {
        set_up.white = white;
    }
    Some(set_up)
}

/// The start that a record sets up.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    /// Points, as columns and rows, with their stones.
    pub stones: Vec<((u16, u16), u8)>,
    /// Whether White begins.
    pub white: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_a_property() {
        assert_eq!((read("B[hh]"), read(";W[]")), (Some((false, "hh")), Some((true, ""))));
        for text in ["", "h8", "B[hh", "hh]", "AB[hh]", "b[hh]"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!((point("aa"), point("oz")), (Some((0, 0)), Some((14, 25))));
        for text in ["", "a", "A1", "aA", "abc", "\u{e9}"] {
            assert_eq!(point(text), None, "{text}");
        }
        let mut out = String::new();
        write(true, &mut out, |out| write_point(7, 25, out));
        assert_eq!(out, "W[hz]");
    }

    #[test]
    fn a_head_sets_up() {
        let told = |head: &[&str], moves: &[&str]| set_up(head, moves);
        assert_eq!(told(&["15", "HA[0]"], &[]), Some(SetUp::default()));
        let stones = vec![((1, 0), 1), ((1, 1), 1), ((2, 3), 2), ((1, 0), 0)];
        let head = ["AB[ba:bb]", "AW[cd]", "AE[ba]", "PL[W]"];
        assert_eq!(told(&head, &[]), Some(SetUp { stones: stones.clone(), white: true }));
        assert_eq!(told(&head, &["B[aa]"]), Some(SetUp { stones, white: false }));
        assert_eq!(told(&[], &["W[aa]"]).map(|set_up| set_up.white), Some(true));
        for word in ["AB[b]", "AB[ba", "XX[aa]", "AB[ba:c]"] {
            assert_eq!(told(&[word], &[]), None, "{word}");
        }
    }
}
