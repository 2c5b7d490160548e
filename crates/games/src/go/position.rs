//! Go positions as text, and the start position from the words at the head of a record.

use plypack_core::Error;

use super::notation;
use super::rules::{BLACK, EMPTY, POINTS_MAX, Position, SIDE_MAX, WHITE};

/// The longest text that is read as a position, in bytes: every point, a separator per row, and the
/// rest.
const TEXT_MAX: usize = POINTS_MAX + SIDE_MAX as usize + 32;

impl Position {
    /// Reads the rows of a board from the top, the side to move, and the numbers of stones captured
    /// by Black and by White.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text is not a position.
    pub fn read(text: &str) -> Result<Self, Error> {
        let error = |why: &str| Error::position("go", text, why);
        if text.len() > TEXT_MAX {
            return Err(error("it is too long to be a position"));
        }
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or_else(|| error("it is empty"))?;
        let white = match fields.next() {
            Some("x" | "X" | "b" | "B" | "black") => false,
            Some("o" | "O" | "w" | "W" | "white") => true,
            _ => return Err(error("the side to move is x or o")),
        };
        let mut captures = [0; 2];
        for captured in &mut captures {
            let number = fields.next().filter(|word| word.bytes().all(|b| b.is_ascii_digit()));
            *captured = number.and_then(|word| word.parse().ok()).ok_or_else(|| {
                error("the stones captured by Black and by White must follow the side to move")
            })?;
        }
        if fields.next().is_some() {
            return Err(error("it has more than four fields"));
        }
        let rows = board.split('/').map(read_row).collect::<Result<Vec<_>, _>>().map_err(error)?;
        let columns = rows.first().map_or(0, Vec::len);
        let sides = [rows.len(), columns].map(|side| u16::try_from(side).unwrap_or(0));
        if sides.iter().any(|side| !(1..=SIDE_MAX).contains(side)) {
            return Err(error("a board has 1 to 52 rows of 1 to 52 points"));
        }
        if rows.iter().any(|row| row.len() != columns) {
            return Err(error("its rows do not have equal lengths"));
        }
        let mut position = Self::empty(sides[0], sides[1], white);
        let mut ko = None;
        for (point, cell) in (0..).zip(rows.into_iter().flatten()) {
            match cell {
                Cell::Stone(stone) => position.set(point, stone),
                Cell::Ko if ko.is_some() => return Err(error("two points may not be retaken")),
                Cell::Ko => ko = Some(point),
            }
        }
        position.set_ko(ko);
        position.set_captures(captures);
        Ok(position)
    }

    /// Appends the rows from the top, `x` for black stones, `o` for white ones, `k` for the ko
    /// point and numbers for runs of other empty points, `/` between rows; the side to move; the
    /// numbers of captured stones.
    pub fn write(&self, out: &mut String) {
        self.write_board(out);
        for captured in self.captures() {
            out.push(' ');
            out.push_str(&captured.to_string());
        }
    }

    /// Appends the position without captured stones, which do not affect the legal moves.
    pub(super) fn write_facts(&self, out: &mut String) {
        self.write_board(out);
        out.push_str(" 0 0");
    }

    /// Appends the rows and the side to move.
    fn write_board(&self, out: &mut String) {
        let ko = self.ko();
        let mut empty = 0u32;
        for (point, stone) in (0u16..).zip(self.points()) {
            let begins = point % self.columns() == 0;
            let is_empty = stone == EMPTY && ko != Some(point);
            if (begins || !is_empty) && empty > 0 {
                out.push_str(&empty.to_string());
                empty = 0;
            }
            if begins && point > 0 {
                out.push('/');
            }
            match stone {
                BLACK => out.push('x'),
                WHITE => out.push('o'),
                _ if is_empty => empty += 1,
                _ => out.push('k'),
            }
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
        }
        out.push_str(if self.white_to_move() { " o" } else { " x" });
    }

    /// Returns the start that the words and the first move give: `19` or `19:13` for the size, SGF
    /// lists of stones (`AB[dd][pp:qq]`, `AW`, `AE`), `HA[2]` for a handicap and `PL[W]` for the
    /// player who begins.
    ///
    /// The first move decides who begins; otherwise `PL`; otherwise White begins if there is a
    /// handicap of two stones or more, or if all stones are black. `None` if a word is none of
    /// these.
    pub fn told(head: &[&str], moves: &[&str]) -> Option<Self> {
        let size = head.iter().find_map(|word| notation::size(word)).unwrap_or([19, 19]);
        let mut position = Self::empty(size[0], size[1], false);
        let (mut handicap, mut begins) = (false, None);
        for word in head {
            let Some((name, values)) = word.split_once('[') else {
                notation::size(word)?;
                continue;
            };
            let mut values = values.strip_suffix(']')?.split("][");
            let stone = match name {
                "AB" => BLACK,
                "AW" => WHITE,
                "AE" => EMPTY,
                "PL" => {
                    begins = match values.next()?.as_bytes() {
                        [b'B' | b'b' | b'1', ..] => Some(false),
                        [b'W' | b'w' | b'2', ..] => Some(true),
                        _ => begins,
                    };
                    continue;
                }
                "HA" => {
                    handicap = values.next()?.parse().is_ok_and(|stones: u32| stones > 1);
                    continue;
                }
                _ => return None,
            };
            for value in values {
                for point in notation::points(value, size)? {
                    position.set(point, stone);
                }
            }
        }
        let only_black = || {
            let mut stones = position.points().filter(|&stone| stone > 0).peekable();
            stones.peek().is_some() && stones.all(|stone| stone == BLACK)
        };
        let first = moves.first().and_then(|mv| match mv.trim_start_matches(';').as_bytes() {
            [b'B' | b'b', b'[', ..] => Some(false),
            [b'W' | b'w', b'[', ..] => Some(true),
            _ => None,
        });
        let white = first.or(begins).unwrap_or_else(|| handicap || only_black());
        position.set_turn(white);
        Some(position)
    }
}

/// A point as a text gives it.
#[derive(Clone, Copy)]
enum Cell {
    /// A stone, or an empty point.
    Stone(u8),
    /// The empty ko point.
    Ko,
}

/// Reads a row.
fn read_row(text: &str) -> Result<Vec<Cell>, &'static str> {
    let mut row = Vec::new();
    let mut empty = 0u32;
    for symbol in text.chars().chain(['/']) {
        if let Some(digit) = symbol.to_digit(10) {
            empty = empty * 10 + digit;
            if empty == 0 || empty > SIDE_MAX.into() {
                return Err("a number of empty points must be from 1 to 52");
            }
            continue;
        }
        row.extend((0..std::mem::take(&mut empty)).map(|_| Cell::Stone(EMPTY)));
        row.push(match symbol {
            'x' | 'X' | 'b' | 'B' => Cell::Stone(BLACK),
            'o' | 'O' | 'w' | 'W' => Cell::Stone(WHITE),
            '.' | '-' | '+' => Cell::Stone(EMPTY),
            'k' => Cell::Ko,
            '/' => break,
            _ => return Err("a board consists of x, o, k, numbers of empty points, and /"),
        });
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Option<String> {
        let mut out = String::new();
        Position::read(text).ok()?.write(&mut out);
        Some(out)
    }

    #[test]
    fn dialects_are_understood() {
        for (text, canonical) in [
            ("1 x 0 0", "1 x 0 0"),
            ("b.w/--- white 3 4", "x1o/3 o 3 4"),
            ("2kx/4/ooo1 B 0 1", "2kx/4/ooo1 x 0 1"),
            ("52 O 0 0", "52 o 0 0"),
        ] {
            assert_eq!(rewritten(text).as_deref(), Some(canonical), "{text}");
        }
        let long = format!("{} x 4294967295 4294967295", vec!["xo".repeat(26); 52].join("/"));
        assert_eq!(rewritten(&long), Some(long));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "",
            "3/3/3",
            "3/3/3 x",
            "3/3/3 x 0",
            "3/3/3 x 0 0 0",
            "3/3/3 y 0 0",
            "3/2/3 x 0 0",
            "53 x 0 0",
            "0 x 0 0",
            "kk x 0 0",
            "3/x1x/3 o",
            "3 x -1 0",
            "3 x 99999999999 0",
            "/ x 0 0",
        ] {
            assert_eq!(rewritten(text), None, "{text}");
        }
    }

    #[test]
    fn words_tell_the_start() {
        let told = |head: &[&str], moves: &[&str]| {
            let mut text = String::new();
            Position::told(head, moves)?.write(&mut text);
            Some(text)
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(told(&["3"], &[]), text("3/3/3 x 0 0"));
        assert_eq!(told(&["3:2"], &["W[aa]"]), text("3/3 o 0 0"));
        assert_eq!(told(&["3", "AB[aa:bb][cc]"], &[]), text("xx1/xx1/2x o 0 0"));
        assert_eq!(told(&["3", "AB[aa:bb]", "AE[ab]", "AW[ac]"], &[]), text("xx1/1x1/o2 x 0 0"));
        assert_eq!(told(&["3", "AB[aa]"], &["B[bb]"]), text("x2/3/3 x 0 0"));
        assert_eq!(told(&["3", "HA[2]"], &[]), text("3/3/3 o 0 0"));
        assert_eq!(told(&["3", "HA[2]", "PL[Black]"], &["aa"]), text("3/3/3 x 0 0"));
        for head in [&["3", "AB[dd]"][..], &["0"], &["53"], &["3", "AB"], &["x"], &["AB[]"]] {
            assert_eq!(told(head, &[]), None, "{head:?}");
        }
    }
}
