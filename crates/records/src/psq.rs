//! PSQ, the records of gomoku that Piskvork and the Gomocup tournaments write.
//!
//! A line says the size of the board, the levels of the players and who began; then comes a line
//! for each stone, column, row and milliseconds, counted from 1 at the upper left (Piskvork reads
//! them so; its `.rec` files count from 0); then lines for the players and how the game ended.

use std::fmt::Write;

/// A record. Texts borrow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Psq<'a> {
    /// How many columns and rows the board has.
    pub size: [u16; 2],
    /// What the first line says of the players' levels; 0 is a person.
    pub levels: [u16; 2],
    /// Which of the two players began, 0 or 1.
    pub beginner: u16,
    /// The stones in order.
    pub stones: Vec<Stone>,
    /// What follows the stones, as it stands: the players, a code for the end, the tournament.
    pub after: &'a str,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
}

/// A stone that was put down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// The column, from 1 at the left.
    pub column: u16,
    /// The row, from 1 at the top.
    pub row: u16,
    /// How long it took, in milliseconds.
    pub milliseconds: u32,
}

impl Stone {
    /// The name of the point in gomoku's notation, `h8`, whose rows begin at the bottom, on a board
    /// of so many rows. `None` if it lies outside, or has no letter.
    #[must_use]
    pub fn name(self, rows: u16) -> Option<String> {
        let letter =
            u8::try_from(self.column.checked_sub(1)?).ok().filter(|&column| column < 26)?;
        let row = rows.checked_sub(self.row)?.checked_add(1)?;
        (self.row > 0).then(|| format!("{}{row}", char::from(b'a' + letter)))
    }

    /// The stone on the point of this name.
    #[must_use]
    pub fn at(name: &str, rows: u16, milliseconds: u32) -> Option<Self> {
        let (letter, row) = name.split_at_checked(1)?;
        let letter = letter.bytes().next().filter(u8::is_ascii_lowercase)?;
        let row: u16 = row.parse().ok().filter(|row| (1..=rows).contains(row))?;
        Some(Self { column: u16::from(letter - b'a') + 1, row: rows - row + 1, milliseconds })
    }
}

/// Reads a record. `None` if its first line is not that of one.
///
/// Writing it out gives the same text: the list of stones ends where a line is spelt otherwise.
#[must_use]
pub fn parse(text: &str) -> Option<Psq<'_>> {
    let crlf = text[..memchr::memchr(b'\n', text.as_bytes())?].ends_with('\r');
    let newline = newline(crlf);
    let (first, mut after) = text.split_once(newline)?;
    let (size, rest) = first.strip_prefix("Piskvorky ")?.split_once(", ")?;
    let (levels, beginner) = rest.split_once(", ")?;
    let pair = |text: &str, between| {
        let (a, b) = text.split_once(between)?;
        Some([number(a)?, number(b)?])
    };
    let mut psq = Psq {
        size: pair(size, 'x')?,
        levels: pair(levels, ':')?,
        beginner: number(beginner)?,
        stones: Vec::new(),
        after: "",
        crlf,
    };
    while let Some((line, rest)) = after.split_once(newline) {
        let Some(stone) = parse_stone(line) else { break };
        psq.stones.push(stone);
        after = rest;
    }
    psq.after = after;
    Some(psq)
}

fn newline(crlf: bool) -> &'static str {
    if crlf { "\r\n" } else { "\n" }
}

fn parse_stone(line: &str) -> Option<Stone> {
    let mut fields = line.split(',');
    let stone = Stone {
        column: number(fields.next()?)?,
        row: number(fields.next()?)?,
        milliseconds: number(fields.next()?)?,
    };
    fields.next().is_none().then_some(stone)
}

/// A number in its one usual spelling.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| plain && !leading_zero)
}

impl Psq<'_> {
    /// Writes the record out.
    #[must_use]
    pub fn render(&self) -> String {
        let newline = newline(self.crlf);
        let [[columns, rows], [first, second]] = [self.size, self.levels];
        let mut text =
            format!("Piskvorky {columns}x{rows}, {first}:{second}, {}{newline}", self.beginner);
        for Stone { column, row, milliseconds } in &self.stones {
            // Writing to a string cannot fail.
            let _ = write!(text, "{column},{row},{milliseconds}{newline}");
        }
        text.push_str(self.after);
        text
    }

    /// The names of the players, which come in two lines behind the stones.
    #[must_use]
    pub fn players(&self) -> Option<[&str; 2]> {
        let mut lines = self.after.split(newline(self.crlf));
        Some([lines.next()?, lines.next()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read() {
        let text = "Piskvorky 20x20, 7:0, 1\r\n10,10,456\r\n1,20,0\r\na.exe\r\nb.zip\r\n0\r\n";
        let psq = parse(text).expect("a record");
        assert_eq!((psq.size, psq.levels, psq.beginner, psq.crlf), ([20, 20], [7, 0], 1, true));
        assert_eq!(psq.stones.len(), 2);
        assert_eq!(psq.players(), Some(["a.exe", "b.zip"]));
        let names: Vec<_> = psq.stones.iter().map(|stone| stone.name(20)).collect();
        assert_eq!(names, [Some("j11".into()), Some("a1".into())]);
        assert_eq!(psq.render(), text);
    }

    #[test]
    fn names_and_stones_are_the_same() {
        for (column, row) in [(1, 1), (15, 15), (8, 3), (26, 1)] {
            let stone = Stone { column, row, milliseconds: 7 };
            let name = stone.name(15).expect("a point");
            assert_eq!(Stone::at(&name, 15, 7), Some(stone), "{name}");
        }
        for (column, row) in [(0, 1), (1, 0), (1, 16), (27, 1), (u16::MAX, u16::MAX)] {
            assert_eq!(Stone { column, row, milliseconds: 0 }.name(15), None);
        }
        for name in ["", "h", "8h", "h0", "h16", "H8", "é8"] {
            assert_eq!(Stone::at(name, 15, 0), None, "{name}");
        }
    }

    #[test]
    fn odd_lines_are_kept_as_they_stand() {
        for (text, stones) in [
            ("Piskvorky 15x15, 0:0, 0\n", 0),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0", 0),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n08,8,0\n9,9,0\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,+8,0\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\r\n8,9,0\n", 0),
            ("Piskvorky 15x15, 0:0, 0\n8,8,99999999999\n", 0),
        ] {
            let psq = parse(text).expect(text);
            assert_eq!((psq.stones.len(), psq.render()), (stones, text.into()));
        }
        for text in
            ["", "\n", "Piskvorky\n", "Piskvorky 15x15, 0:0, 0", "Piskvorky 015x15, 0:0, 0\n"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
