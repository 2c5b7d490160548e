//! The index of a database: a header, and an entry of equal length for each game. Numbers have
//! their highest byte first.

use std::io::{self, Read};

/// The bytes with which an index begins.
pub(super) const MAGIC: &[u8; 8] = b"Scid.si\0";

/// The versions, and their lengths of a header and of an entry in bytes.
const VERSIONS: [(u16, usize, usize); 2] = [(400, 182, 47), (300, 128, 46)];

/// The greatest length of an entry in bytes.
pub(super) const ENTRY_BYTES_MAX: usize = 47;

/// The letters of an entry's flags, from bit 3 on: deleted, marks of the user, and his own six.
const FLAGS: &str = "DWBMENPTKQ!?U123456";

/// The first bit of [`FLAGS`].
const FLAGS_FIRST: u32 = 3;

/// The header of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    version: u16,
    entry_bytes: usize,
    /// The number of games.
    pub games: u32,
}

/// What an index says of a game. Names are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The place of the game in the file with moves.
    pub offset: u32,
    /// Its length there in bytes.
    pub length: u32,
    flags: u32,
    pub white: u32,
    pub black: u32,
    pub event: u32,
    pub site: u32,
    pub round: u32,
    result: u16,
    eco: u16,
    date: u32,
    event_date: u32,
    white_rating: u16,
    black_rating: u16,
}

impl Header {
    /// Reads a header; `None` if there is none of a known version.
    pub fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        from.take(128).read_to_end(&mut bytes)?;
        let number = |place| Some(u16::from_be_bytes(*bytes.get(place..)?.first_chunk()?));
        let known = |version| VERSIONS.into_iter().find(|row| row.0 == version);
        let Some((version, length, entry_bytes)) = number(8).and_then(known) else {
            return Ok(None);
        };
        let Some(&[high, middle, low]) = bytes.get(14..17).and_then(<[u8]>::first_chunk) else {
            return Ok(None);
        };
        if !bytes.starts_with(MAGIC) {
            return Ok(None);
        }
        let more = length.saturating_sub(bytes.len());
        from.take(u64::try_from(more).unwrap_or(0)).read_to_end(&mut bytes)?;
        let games = u32::from_be_bytes([0, high, middle, low]);
        Ok((bytes.len() == length).then_some(Self { version, entry_bytes, games }))
    }

    /// The length of an entry in bytes.
    pub fn entry_bytes(self) -> usize {
        self.entry_bytes
    }

    /// Reads an entry.
    pub fn entry(self, bytes: &[u8]) -> Option<Entry> {
        let mut rest = bytes;
        let mut next = |length: usize| {
            let (number, behind) = rest.split_at_checked(length)?;
            rest = behind;
            Some(number.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)))
        };
        let offset = next(4)?;
        let short = next(2)?;
        // The length's highest bit, and the user's own flags.
        let more = if self.version < 400 { 0 } else { next(1)? };
        let flags = (more & 0x3f) << 16 | next(2)?;
        let players = next(1)?;
        let (white, black) = (next(2)?, next(2)?);
        let places = next(1)?;
        let (event, site, round) = (next(2)?, next(2)?, next(2)?);
        let [counts, eco] = [next(2)?, next(2)?];
        let dates = next(4)?;
        let [white_rating, black_rating] = [next(2)?, next(2)?];
        let date = dates & 0xf_ffff;
        Some(Entry {
            offset,
            length: (more & 0x80) << 9 | short,
            flags,
            white: (players & 0xf0) << 12 | white,
            black: (players & 0x0f) << 16 | black,
            event: (places & 0xe0) << 11 | event,
            site: (places & 0x1c) << 14 | site,
            round: (places & 0x03) << 16 | round,
            result: u16::try_from(counts >> 12).ok()?,
            eco: u16::try_from(eco).ok()?,
            date,
            event_date: event_date(dates >> 20, date),
            white_rating: u16::try_from(white_rating).ok()?,
            black_rating: u16::try_from(black_rating).ok()?,
        })
    }
}

/// The date of an event: its year is stored as the difference to that of the game, plus 4; 0 says
/// that there is none.
fn event_date(stored: u32, date: u32) -> u32 {
    let (near, rest) = (stored >> 9 & 7, stored & 0x1ff);
    match near {
        0 => 0,
        near => ((date >> 9) + near).saturating_sub(4) << 9 | rest,
    }
}

impl Entry {
    /// The result in PGN.
    pub fn result(&self) -> &'static str {
        ["*", "1-0", "0-1", "1/2-1/2"].get(usize::from(self.result)).copied().unwrap_or("*")
    }

    /// The date in PGN.
    pub fn date(&self) -> String {
        date(self.date)
    }

    /// The date of the event in PGN, if there is one.
    pub fn event_date(&self) -> Option<String> {
        (self.event_date != 0).then(|| date(self.event_date))
    }

    /// The ratings of both players, each with the ending of its tag, if there are any.
    pub fn ratings(&self) -> [Option<(&'static str, u16)>; 2] {
        const KINDS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"];
        [self.white_rating, self.black_rating].map(|rating| {
            let kind = KINDS.get(usize::from(rating >> 12)).copied().unwrap_or("Elo");
            (rating & 0xfff != 0).then_some((kind, rating & 0xfff))
        })
    }

    /// The code of the opening, with SCID's letters behind it, if there is one.
    pub fn eco(&self) -> Option<String> {
        let number = self.eco.checked_sub(1)?;
        let (code, more) = (number / 131, number % 131);
        let letter = b'A'.checked_add(u8::try_from(code / 100).ok()?)?;
        let mut text = format!("{}{:02}", char::from(letter), code % 100);
        if let Some(more) = more.checked_sub(1) {
            text.push(char::from(b'a'.checked_add(u8::try_from(more / 5).ok()?)?));
            if more % 5 > 0 {
                text.push_str(&(more % 5).to_string());
            }
        }
        Some(text)
    }

    /// The letters of the flags that are set.
    pub fn flags(&self) -> String {
        let set = |(bit, _): &(u32, char)| self.flags >> bit & 1 != 0;
        (FLAGS_FIRST..).zip(FLAGS.chars()).filter(set).map(|flag| flag.1).collect()
    }
}

/// A date in PGN: five bits of day, four of month, then the year; 0 is unknown.
fn date(date: u32) -> String {
    let part = |number: u32, digits: usize| match number {
        0 => "?".repeat(digits),
        number => format!("{number:0digits$}"),
    };
    let (year, month, day) = (date >> 9, date >> 5 & 15, date & 31);
    format!("{}.{}.{}", part(year, 4), part(month, 2), part(day, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read() {
        let mut file = MAGIC.to_vec();
        file.extend([1, 0x90, 0, 0, 0, 0, 0, 1, 2]);
        file.resize(182, 0);
        let header = Header::read(&mut &file[..]).expect("bytes").expect("an index");
        assert_eq!((header.games, header.entry_bytes()), (258, 47));
        let date = (2013 << 9 | 6 << 5 | 8_u32) | (5 << 9 | 3 << 5) << 20;
        let mut bytes = vec![0, 1, 0, 0, 0, 5, 0x81, 0x00, 0x08, 0x12, 0, 1, 0, 2];
        bytes.extend([0b0100_1001, 0, 3, 0, 4, 0, 5, 0x30, 0]);
        bytes.extend((131_u16 * 120 + 1 + 1 + 7).to_be_bytes());
        bytes.extend(date.to_be_bytes());
        bytes.extend([0x0a, 0xbc, 0x17, 0xd0]);
        bytes.resize(47, 0);
        let entry = header.entry(&bytes).expect("an entry");
        assert_eq!((entry.offset, entry.length), (0x1_0000, 0x1_0005));
        assert_eq!((entry.white, entry.black), (0x1_0001, 0x2_0002));
        assert_eq!((entry.event, entry.site, entry.round), (0x2_0003, 0x2_0004, 0x1_0005));
        assert_eq!((entry.result(), entry.flags().as_str()), ("1/2-1/2", "D1"));
        assert_eq!(
            (&*entry.date(), entry.event_date().as_deref()),
            ("2013.06.08", Some("2014.03.??"))
        );
        assert_eq!(entry.ratings(), [Some(("Elo", 2748)), Some(("Rating", 2000))]);
        assert_eq!(entry.eco().as_deref(), Some("B20b2"));
        assert_eq!(header.entry(&bytes[..20]), None);
        for cut in [0, 8, 127, 181] {
            assert!(Header::read(&mut &file[..cut]).expect("bytes").is_none(), "{cut}");
        }
    }
}
