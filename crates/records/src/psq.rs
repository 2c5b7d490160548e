//! PSQ, the records of gomoku that Piskvork and the Gomocup tournaments write.
//!
//! A line says the size of the board, the levels of the players and who began; then comes a line
//! for each stone, column, row and milliseconds, counted from 1 at the upper left (Piskvork reads
//! them so; its `.rec` files count from 0); then lines for the players and how the game ended.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use crate::charset::{self, Charset};
use crate::layout_words;
use crate::pgn::{Item, Kind, Record};

/// The name of the notation of moves, for games that know it and for layouts.
pub const NOTATION: &str = "psq";

/// How many decimals of a second the times have.
pub const DECIMALS: u8 = 3;

/// The tag of the size of the board, as in `20x20`.
pub const SIZE: &str = "Size";

/// What a record begins with.
const BEGINS: &str = "Piskvorky ";

/// A record.
#[derive(Debug, PartialEq, Eq)]
pub struct Psq<'a> {
    /// What it says but for times. Moves are columns and rows, as in `8,8`.
    pub record: Record<'a>,
    /// How long each move took, in milliseconds.
    pub times: Vec<u32>,
    /// How it is written.
    pub layout: Layout,
}

/// How a record is laid out in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// How characters become bytes.
    pub charset: Charset,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
}

/// Reads a record. `None` if its first line is not that of one.
///
/// The list of stones ends where a line is spelt otherwise; what follows the names of the players,
/// which come behind it, stays as it stands.
#[must_use]
pub fn parse(text: &str, charset: Charset) -> Option<Psq<'_>> {
    let head = text.strip_prefix(BEGINS)?;
    let crlf = head[..memchr::memchr(b'\n', head.as_bytes())?].ends_with('\r');
    let layout = Layout { charset, crlf };
    let (head, stones) = head.split_once(layout.newline())?;
    let (size, rest) = head.split_once(", ")?;
    let (levels, beginner) = rest.split_once(", ")?;
    let mut record = Record::default();
    let head = [(SIZE, size), ("Levels", levels), ("Beginner", beginner)];
    record.tags.extend(head.map(|(name, value)| (name, value.into())));
    let mut times = Vec::new();
    let mut after = stones;
    while let Some((line, rest)) = after.split_once(layout.newline())
        && let Some((point, time)) = parse_stone(line)
    {
        let start = stones.len() - after.len();
        record.items.push(Item { kind: Kind::Move, text: point, start, end: start + line.len() });
        record.moves.push(point);
        times.push(time);
        after = rest;
    }
    record.movetext = &stones[..stones.len() - after.len()];
    let mut lines = after.splitn(3, layout.newline());
    if let (Some(players), [Some(first), Some(second), Some(rest)]) =
        (players(beginner), [lines.next(), lines.next(), lines.next()])
    {
        record.tags.extend([(players[0], first.into()), (players[1], second.into())]);
        after = rest;
    }
    record.tags.push(("After", after.into()));
    Some(Psq { record, times, layout })
}

/// The tags of the players in the order of their lines: who began has the black stones.
fn players(beginner: &str) -> Option<[&'static str; 2]> {
    match beginner {
        "0" => Some(["Black", "White"]),
        "1" => Some(["White", "Black"]),
        _ => None,
    }
}

/// The point and the milliseconds of a stone, if all numbers are in their one usual spelling.
fn parse_stone(line: &str) -> Option<(&str, u32)> {
    let (point, time) = line.rsplit_once(',')?;
    let (column, row) = point.split_once(',')?;
    let place = number::<u16>(column).and(number::<u16>(row));
    place.and(number(time)).map(|time| (point, time))
}

fn number<N: FromStr>(text: &str) -> Option<N> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| plain && !leading_zero)
}

/// Whether a text begins with the line of a stone.
#[must_use]
pub fn is_list(text: &str) -> bool {
    text.lines().next().and_then(parse_stone).is_some()
}

impl Layout {
    fn newline(self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }

    /// Writes out a record of these tags and pieces of movetext, each move taking one of `times`.
    /// `None` if there are too few of them, or a character is not in the layout's charset.
    #[must_use]
    pub fn render<'a>(
        &self,
        tags: &[(&str, &str)],
        pieces: impl Iterator<Item = (Kind, &'a str)>,
        mut times: impl Iterator<Item = u32>,
    ) -> Option<Vec<u8>> {
        let newline = self.newline();
        let find = |name| tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1);
        let tag = |name| find(name).unwrap_or_default();
        let (size, levels, beginner) = (tag(SIZE), tag("Levels"), tag("Beginner"));
        let mut text = format!("{BEGINS}{size}, {levels}, {beginner}{newline}");
        for (kind, piece) in pieces {
            text.push_str(piece);
            if kind == Kind::Move {
                // Writing to a string cannot fail.
                let _ = write!(text, ",{}", times.next()?);
            }
            text.push_str(newline);
        }
        let names = players(beginner).unwrap_or_default();
        for name in names.into_iter().filter_map(find) {
            text.push_str(name);
            text.push_str(newline);
        }
        text.push_str(tag("After"));
        charset::encode(text, self.charset)
    }

    /// Whether a layout's text is that of one of these.
    #[must_use]
    pub fn is_text(text: &str) -> bool {
        layout_words::are_of(NOTATION, text)
    }
}

impl Display for Layout {
    /// `psq`, then `key=value` for everything that differs from the usual layout.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NOTATION)?;
        if self.charset != Charset::default() {
            write!(f, " charset={}", self.charset.name())?;
        }
        f.write_str(if self.crlf { " newline=crlf" } else { "" })
    }
}

impl FromStr for Layout {
    type Err = String;

    /// # Errors
    /// The word that is not known, in a sentence: a newer version may have written it.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut layout = Self::default();
        for word in layout_words::behind(NOTATION, "PSQ", text)? {
            let unknown = || layout_words::unknown(word);
            match word.split_once('=').ok_or_else(unknown)? {
                ("charset", name) => {
                    layout.charset = Charset::of_name(name).ok_or_else(unknown)?;
                }
                ("newline", "crlf") => layout.crlf = true,
                _ => return Err(unknown()),
            }
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was read, once it has come back.
    fn read(text: &str) -> Option<Psq<'_>> {
        let psq = parse(text, Charset::Utf8)?;
        assert_eq!(psq.layout.to_string().parse(), Ok(psq.layout));
        let tags: Vec<(&str, &str)> = psq.record.tags.iter().map(|tag| (tag.0, &*tag.1)).collect();
        let pieces = psq.record.items.iter().map(|item| (item.kind, item.text));
        let back = psq.layout.render(&tags, pieces.clone(), psq.times.iter().copied());
        assert_eq!(back.as_deref(), Some(text.as_bytes()));
        let fewer = psq.times.iter().copied().skip(1);
        assert_eq!(psq.layout.render(&tags, pieces, fewer).is_none(), !psq.times.is_empty());
        Some(psq)
    }

    #[test]
    fn a_record_is_read() {
        let text = "Piskvorky 20x20, 7:0, 1\r\n10,10,456\r\n1,20,0\r\na.exe\r\nb.zip\r\n0\r\n";
        let Psq { record, times, layout } = read(text).expect("a record");
        assert_eq!((&record.moves[..], &times[..]), (&["10,10", "1,20"][..], &[456, 0][..]));
        assert_eq!(layout.to_string(), "psq newline=crlf");
        let tag = |name| record.tag(name).expect(name);
        assert_eq!([tag("Size"), tag("Levels"), tag("Beginner")], ["20x20", "7:0", "1"]);
        assert_eq!([tag("Black"), tag("White"), tag("After")], ["b.zip", "a.exe", "0\r\n"]);
        assert_eq!(record.movetext, "10,10,456\r\n1,20,0\r\n");
        assert!(is_list(&record.movetext[record.items[1].start..]) && !is_list("a.exe\r\n"));
    }

    #[test]
    fn odd_lines_are_kept_as_they_stand() {
        for (text, stones) in [
            ("Piskvorky 15x15, 0:0, 0\n", 0),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0", 0),
            ("Piskvorky 15x15, 0:0, 2\n8,8,0\na\nb\nc\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\na\nb", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\na\nb\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n08,8,0\n9,9,0\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,+8,0\n", 1),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\r\n8,9,0\n", 0),
            ("Piskvorky 15x15, 0:0, 0\n8,8,99999999999\n", 0),
            ("Piskvorky 8, 9, 0, 0, 0\n8,8,1,1\n", 0),
        ] {
            assert_eq!(read(text).expect(text).times.len(), stones, "{text}");
        }
        for text in ["", "\n", "Piskvorky\n", "Piskvorky 15x15, 0:0, 0", "Piskvorky 15x15 0\n"] {
            assert_eq!(read(text), None, "{text}");
        }
        for text in ["pgn", "psq new", "psq newline=lf", "psq charset=x"] {
            assert!(text.parse::<Layout>().is_err(), "{text}");
        }
    }
}
