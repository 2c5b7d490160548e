//! WTHOR files: a header, then records of equal length. Numbers are little-endian, texts ISO
//! 8859-1. Passes are not stored. Meaningless bytes are kept, so that a record can be written back.

use std::fmt::Write;

use super::Layout;
use crate::layout::{read_hexadecimal, write_hexadecimal};
use crate::record::Record;

/// The length of a header in bytes.
pub const HEADER_BYTES: usize = 16;

/// The length of a game in bytes.
pub const GAME_BYTES: usize = 68;

/// The length of a player's name in bytes.
pub const PLAYER_BYTES: usize = 20;

/// The length of a tournament's name in bytes.
pub const TOURNAMENT_BYTES: usize = 26;

/// The most moves of a game.
const MOVES_MAX: usize = 60;

/// The header of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The date on which the file was made: century, year of the century, month, day.
    pub made: [u8; 4],
    /// The number of games; 0 in a file of names.
    pub games: u32,
    /// The number of names; 0 in a file of games.
    pub names: u16,
    /// The year of the games; 0 in a file of names.
    pub year: u16,
    /// The rows of the board; 0 means 8.
    pub rows: u8,
    /// 1 if the games are solitaire games, else 0.
    pub solitaires: u8,
    /// The depth, in plies from the end, of the theoretical scores.
    pub depth: u8,
    /// A reserved byte.
    pub reserved: u8,
}

impl Header {
    /// Reads a header.
    pub fn read(bytes: &[u8; HEADER_BYTES]) -> Self {
        let &[century, year, month, day, g0, g1, g2, g3, n0, n1, y0, y1, rows, kind, depth, last] =
            bytes;
        Self {
            made: [century, year, month, day],
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            rows,
            solitaires: kind,
            depth,
            reserved: last,
        }
    }

    /// Appends the header's bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.made);
        out.extend(self.games.to_le_bytes());
        out.extend(self.names.to_le_bytes());
        out.extend(self.year.to_le_bytes());
        out.extend([self.rows, self.solitaires, self.depth, self.reserved]);
    }
}

/// A file of records of `BYTES` bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File<'a, const BYTES: usize> {
    /// The header; its record count need not be right.
    pub header: Header,
    /// The records.
    pub records: &'a [[u8; BYTES]],
    /// The bytes after the last whole record.
    pub tail: &'a [u8],
}

impl<'a, const BYTES: usize> File<'a, BYTES> {
    /// Reads a file. `None` if it is too short for a header.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (header, body) = bytes.split_first_chunk()?;
        let (records, tail) = body.as_chunks();
        Some(Self { header: Header::read(header), records, tail })
    }
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game<'a> {
    /// The index of the tournament's name.
    pub tournament: u16,
    /// The index of Black's name.
    pub black: u16,
    /// The index of White's name.
    pub white: u16,
    /// Black's discs at the end, with empty cells counted for the winner.
    pub discs: u8,
    /// Black's discs if both had played perfectly from the header's depth on.
    pub theoretical: u8,
    /// The moves, two characters each: `f5d6c3`.
    pub transcript: String,
    /// The rest of the moves' bytes, from the first that is not a cell; empty if all are 0.
    pub rest: &'a [u8],
}

impl<'a> Game<'a> {
    /// Reads a record.
    pub fn read(record: &'a [u8; GAME_BYTES]) -> Self {
        let &[t0, t1, b0, b1, w0, w1, discs, theoretical, ref moves @ ..] = record;
        let mut transcript = String::new();
        let mut length = 0;
        for &cell in moves {
            let (row, column) = (cell / 10, cell % 10);
            if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
                break;
            }
            transcript.push(char::from(b'a' + column - 1));
            transcript.push(char::from(b'0' + row));
            length += 1;
        }
        let rest = moves.get(length..).unwrap_or_default();
        Self {
            tournament: u16::from_le_bytes([t0, t1]),
            black: u16::from_le_bytes([b0, b1]),
            white: u16::from_le_bytes([w0, w1]),
            discs,
            theoretical,
            transcript,
            rest: if rest.iter().any(|&byte| byte != 0) { rest } else { &[] },
        }
    }

    /// Appends the record's bytes. `None`, with nothing appended, if the transcript is malformed or
    /// has too many moves.
    pub fn write(&self, out: &mut Vec<u8>) -> Option<()> {
        let (moves, half) = self.transcript.as_bytes().as_chunks::<2>();
        let mut cells = Vec::with_capacity(MOVES_MAX);
        if !half.is_empty() || !is_squares(&self.transcript) {
            return None;
        }
        cells.extend(moves.iter().map(|[column, row]| (row - b'0') * 10 + (column - b'a' + 1)));
        cells.extend(self.rest);
        if cells.len() > MOVES_MAX {
            return None;
        }
        cells.resize(MOVES_MAX, 0);
        for number in [self.tournament, self.black, self.white] {
            out.extend(number.to_le_bytes());
        }
        out.extend([self.discs, self.theoretical]);
        out.extend(cells);
        Some(())
    }
}

/// The tags of named things, in the order of their numbers, each with the tag for the number when
/// the first tag has the name.
pub(super) const NAMED: [(&str, &str); 3] =
    [("Event", "EventNumber"), ("Black", "BlackNumber"), ("White", "WhiteNumber")];

/// The tags of the other numbers, in order.
pub(super) const COUNTS: [&str; 2] = ["BlackDiscs", "TheoreticalDiscs"];

/// The length in bytes of a file's `first` record, with the header, or of another.
pub fn record_bytes(first: bool) -> usize {
    GAME_BYTES + if first { HEADER_BYTES } else { 0 }
}

/// Whether bytes may begin a file of games: the header counts games and no names.
pub fn may_begin(bytes: &[u8]) -> bool {
    let header = bytes.first_chunk().map(Header::read);
    header.is_some_and(|header| {
        let [century, year, month, day] = header.made;
        let made = century < 100 && year < 100 && (1..=12).contains(&month);
        let made = made && (1..=31).contains(&day);
        made && header.games > 0 && header.names == 0 && [0, 8].contains(&header.rows)
    })
}

/// Describes a game as a line of text, which [`parse`] reads: the header, if it precedes the game,
/// in hexadecimal; the numbers; the moves. `None` if the length is wrong.
pub fn describe(bytes: &[u8]) -> Option<String> {
    let (header, record) = bytes.split_at_checked(bytes.len().checked_sub(GAME_BYTES)?)?;
    if ![0, HEADER_BYTES].contains(&header.len()) {
        return None;
    }
    let game = Game::read(record.first_chunk()?);
    let mut text = write_hexadecimal(header);
    let Game { tournament, black, white, discs, theoretical, transcript, .. } = game;
    // Writing to a string cannot fail.
    let _ = write!(text, "\t{tournament}\t{black}\t{white}\t{discs}\t{theoretical}\t{transcript}");
    Some(text)
}

/// Reads the text that [`describe`] writes, with or without the names and the year that
/// [`Names::describe`](super::Names::describe) adds. `None` for any other text.
pub fn parse(text: &str) -> Option<(Record<'_>, Layout)> {
    let mut fields = text.split('\t');
    let header = fields.next()?;
    let layout = Layout { header: if header.is_empty() { None } else { Some(bytes_of(header)?) } };
    let mut record = Record::default();
    let numbers = [fields.next()?, fields.next()?, fields.next()?];
    let counts = [fields.next()?, fields.next()?];
    let is_number = numbers.iter().all(|text| text.parse::<u16>().is_ok())
        && counts.iter().all(|text| text.parse::<u8>().is_ok());
    // Two bytes per move; what squares they name is up to the rules.
    let moves = fields.next().filter(|moves| is_number && is_squares(moves))?;
    let names = NAMED.map(|_| fields.next().filter(|name| !name.is_empty()));
    for (((tag, _), number), name) in NAMED.into_iter().zip(numbers).zip(names) {
        record.tags.push((tag, name.unwrap_or(number).into()));
    }
    let date = fields.next().filter(|date| !date.is_empty());
    record.tags.extend(date.map(|date| ("Date", date.into())));
    for (((_, tag), number), _) in
        NAMED.into_iter().zip(numbers).zip(names).filter(|(_, name)| name.is_some())
    {
        record.tags.push((tag, number.into()));
    }
    record.tags.extend(COUNTS.into_iter().zip(counts).map(|(tag, count)| (tag, count.into())));
    record.movetext = moves;
    for start in (0..moves.len() / 2 * 2).step_by(2) {
        let end = start + 2;
        let text = &moves[start..end];
        record.push_move(text, start..end);
    }
    fields.next().is_none().then_some((record, layout))
}

/// Whether a text is a list of squares, at most as many as a record has room for.
fn is_squares(text: &str) -> bool {
    let (moves, half) = text.as_bytes().as_chunks::<2>();
    let is_square =
        |&[column, row]: &[u8; 2]| (b'a'..=b'h').contains(&column) && (b'1'..=b'8').contains(&row);
    half.is_empty() && moves.len() <= MOVES_MAX && moves.iter().all(is_square)
}

/// Reads the bytes of a header in hexadecimal.
pub(super) fn bytes_of(text: &str) -> Option<[u8; HEADER_BYTES]> {
    read_hexadecimal(text)?.try_into().ok()
}

/// Reads the name in a record of a file of names: the bytes before the first 0.
pub fn read_name(record: &[u8]) -> String {
    record.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect()
}

/// Appends the record of a name, padded with zeros to `bytes`. `None`, with nothing appended, if it
/// is too long or has characters that are not in ISO 8859-1.
pub fn write_name(name: &str, bytes: usize, out: &mut Vec<u8>) -> Option<()> {
    let latin = |symbol: char| u8::try_from(symbol).ok().filter(|&byte| byte != 0);
    let mut record: Vec<u8> = name.chars().map(latin).collect::<Option<_>>()?;
    if record.len() > bytes {
        return None;
    }
    record.resize(bytes, 0);
    out.extend(record);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout as _, Rendering};

    fn rewritten(record: &[u8; GAME_BYTES]) -> Vec<u8> {
        let mut bytes = Vec::new();
        Game::read(record).write(&mut bytes).expect("what was read");
        bytes
    }

    #[test]
    fn a_game_is_read() {
        let mut record = [0; GAME_BYTES];
        record[..11].copy_from_slice(&[0xde, 0, 0xee, 5, 0xb3, 7, 50, 35, 56, 64, 33]);
        let game = Game::read(&record);
        assert_eq!((game.tournament, game.black, game.white), (222, 1_518, 1_971));
        assert_eq!((game.discs, game.theoretical), (50, 35));
        assert_eq!((&game.transcript[..], game.rest), ("f5d6c3", &[][..]));
        assert_eq!(rewritten(&record), record);
    }

    #[test]
    fn whatever_stands_behind_the_moves_comes_back() {
        let mut record = [11; GAME_BYTES];
        assert_eq!(Game::read(&record).transcript.len(), 2 * MOVES_MAX);
        assert_eq!(rewritten(&record), record);
        for odd in [0, 9, 10, 19, 90, 255] {
            record[20] = odd;
            let game = Game::read(&record);
            assert_eq!((game.transcript.len(), game.rest.len()), (24, 48));
            assert_eq!(rewritten(&record), record);
        }
    }

    #[test]
    fn what_is_no_game_is_not_written() {
        let game = |transcript: &str, rest| {
            let game = Game { transcript: transcript.into(), rest, ..Game::default() };
            game.write(&mut Vec::new())
        };
        assert!(game("f5", &[0; 59]).is_some());
        assert!(game("f5", &[0; 60]).is_none());
        assert!(game("f", &[]).is_none());
        assert!(game("f9", &[]).is_none());
        assert!(game("i1", &[]).is_none());
        assert!(game(&"a1".repeat(61), &[]).is_none());
    }

    #[test]
    fn a_game_is_a_record_with_or_without_its_header() {
        let header: [u8; HEADER_BYTES] = [20, 16, 10, 29, 134, 7, 0, 0, 0, 0, 223, 7, 8, 0, 24, 0];
        let mut game = [0; GAME_BYTES];
        game[..11].copy_from_slice(&[0xde, 0, 0xee, 5, 0xb3, 7, 50, 35, 56, 64, 33]);
        for bytes in [game.to_vec(), [&header[..], &game].concat()] {
            let text = describe(&bytes).expect("a game");
            let (record, layout) = parse(&text).expect("a game");
            assert_eq!(layout.to_string().parse(), Ok(layout));
            assert_eq!(layout.header.is_some(), bytes.len() > GAME_BYTES);
            assert_eq!(record.moves, ["f5", "d6", "c3"]);
            let (tags, pieces) = (record.tag_list(), record.pieces());
            let render = |tags: &[(&str, &str)]| {
                let (pieces, values) = (&pieces, &[]);
                layout.render(&Rendering { tags, pieces, values, number: 1, second: false })
            };
            assert_eq!(tags[..3], [("Event", "222"), ("Black", "1518"), ("White", "1971")]);
            assert_eq!(render(&tags), Some(bytes));
            assert_eq!(render(&tags[1..]), None);
            let large = [&tags[..4], &[("TheoreticalDiscs", "256")]].concat();
            assert_eq!(render(&large), None);
        }
        assert!(may_begin(&header) && !may_begin(&header[1..]) && !may_begin(&[0; HEADER_BYTES]));
        for odd in [0, 67, 69, 83, 85] {
            assert_eq!(describe(&vec![11; odd]), None);
        }
        for text in ["", "f5", "x\t1\t2\t3\t4\t5\tf5", "\t1\t2\t3\t4\t5", "\t1\t2\t3\t4\t5\té"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_read_and_written() {
        let mut record = Vec::new();
        write_name("André", 8, &mut record).expect("it is short enough");
        assert_eq!(record, b"Andr\xe9\0\0\0");
        assert_eq!(read_name(&record), "André");
        assert!(write_name("123456789", 8, &mut record).is_none());
        assert!(write_name("棋", 8, &mut record).is_none());
        assert!(write_name("a\0b", 8, &mut record).is_none());
        assert_eq!(read_name(b"12345678"), "12345678");
    }

    #[test]
    fn short_files_have_a_tail_or_are_none() {
        assert_eq!(File::<GAME_BYTES>::read(&[0; 15]), None);
        let file = File::<GAME_BYTES>::read(&[0; 16 + 68 + 67]).expect("a header");
        assert_eq!((file.records.len(), file.tail.len()), (1, 67));
    }
}
