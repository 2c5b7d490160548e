//! The lines of a PSQ record.

use std::str::FromStr;

use super::{Layout, SIZE};
use crate::charset::Charset;
use crate::record::Record;

/// The beginning of a record.
pub(super) const BEGINS: &str = "Piskvorky ";

/// A record.
#[derive(Debug, PartialEq, Eq)]
pub struct Psq<'a> {
    /// Its contents, without times. Moves are columns and rows, as in `8,8`.
    pub record: Record<'a>,
    /// The time that each move took, in milliseconds.
    pub times: Vec<u32>,
    /// Its layout.
    pub layout: Layout,
}

/// Reads a record. `None` if it does not begin with the first line of PSQ.
///
/// The list of stones ends at the first line of another form. The players' names follow; the rest
/// is kept as it is.
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
        record.push_move(point, start..start + line.len());
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

/// The tags of the players in the order of their lines: the one who began has the black stones.
pub(super) fn players(beginner: &str) -> Option<[&'static str; 2]> {
    match beginner {
        "0" => Some(["Black", "White"]),
        "1" => Some(["White", "Black"]),
        _ => None,
    }
}

/// The point and the milliseconds of a stone, if all numbers are in canonical form.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout as _, Rendering, Values};

    /// Reads a record, after checking that it round-trips.
    fn read(text: &str) -> Option<Psq<'_>> {
        let psq = parse(text, Charset::Utf8)?;
        assert_eq!(psq.layout.to_string().parse(), Ok(psq.layout));
        let timed = |&time: &u32| Values { clock: Some(time), evaluation: None };
        let values: Vec<Values> = psq.times.iter().map(timed).collect();
        let render = |values: &[Values]| {
            psq.layout.render(&Rendering {
                tags: &psq.record.tag_list(),
                pieces: &psq.record.pieces(),
                values,
                number: 1,
                second: false,
            })
        };
        assert_eq!(render(&values).as_deref(), Some(text.as_bytes()));
        assert!(values.is_empty() || render(&values[1..]).is_none());
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
    }
}
