//! The index: a header, and an entry for each game or guiding text, of 46 bytes each. Numbers have
//! their highest byte first.

use super::blocks::Bytes;

/// The length of the header and of an entry in bytes.
pub(super) const ENTRY_BYTES: usize = 46;

/// The codes of openings that a number stands for begin here with A00, and these many parts of a
/// code make the next one.
const ECO_PARTS: u32 = 128;

/// The least number that stands for a start of Chess960 instead of an opening.
const CHESS960_FIRST: u32 = (1 << 16) - 960;

/// The bits of an entry's first byte.
const IS_TEXT: u32 = 2;
const IS_DELETED: u32 = 128;

/// The names of an entry's medals, from the lowest bit on.
const MEDALS: [&str; 16] = [
    "best game",
    "decided tournament",
    "model game",
    "novelty",
    "pawn structure",
    "strategy",
    "tactics",
    "with attack",
    "sacrifice",
    "defense",
    "material",
    "piece play",
    "endgame",
    "tactical blunder",
    "strategical blunder",
    "user",
];

/// What the index says of a game or of a guiding text. Names are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub is_text: bool,
    pub is_deleted: bool,
    /// The place of the moves or of the text in its file.
    pub moves: u64,
    /// The place of the annotations in their file; 0 if there are none.
    pub annotations: u64,
    /// White and Black, unless it is a text.
    pub players: Option<[u32; 2]>,
    pub tournament: u32,
    pub annotator: u32,
    pub source: u32,
    pub date: u32,
    result: u32,
    /// The glyph that judges a line, if the result is that it is one.
    judgement: u32,
    round: [u32; 2],
    pub ratings: [u32; 2],
    eco: u32,
    medals: u32,
}

/// The number of entries, if these bytes are the header of an index.
pub(super) fn entries(header: &[u8]) -> Option<u32> {
    let mut bytes = Bytes(header);
    let known = matches!(bytes.take(6)?, [0, 0, 0x24 | 0x2c, 0, 46, 1]);
    let next = bytes.big(4)?;
    known.then(|| next.checked_sub(1)).flatten()
}

impl Entry {
    /// Reads an entry.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let kind = bytes.big(1)?;
        let is_text = kind & IS_TEXT != 0;
        let is_deleted = kind & IS_DELETED != 0;
        let mut entry =
            Self { is_text, is_deleted, moves: bytes.big(4)?.into(), ..Self::default() };
        if is_text {
            bytes.take(2)?;
            entry.tournament = bytes.big(3)?;
            entry.source = bytes.big(3)?;
            entry.annotator = bytes.big(3)?;
            entry.round = [bytes.big(1)?, bytes.big(1)?];
            // The result of what is no game.
            entry.result = 3;
            return Some(entry);
        }
        entry.annotations = bytes.big(4)?.into();
        entry.players = Some([bytes.big(3)?, bytes.big(3)?]);
        entry.tournament = bytes.big(3)?;
        entry.annotator = bytes.big(3)?;
        entry.source = bytes.big(3)?;
        entry.date = bytes.big(3)?;
        entry.result = bytes.big(1)?;
        entry.judgement = bytes.big(1)?;
        entry.round = [bytes.big(1)?, bytes.big(1)?];
        entry.ratings = [bytes.big(2)?, bytes.big(2)?];
        entry.eco = bytes.big(2)?;
        entry.medals = bytes.big(2)?;
        Some(entry)
    }

    /// The result as in PGN, and what PGN's has no word for.
    pub fn result(&self) -> (&'static str, Option<&'static str>) {
        match self.result {
            0 => ("0-1", None),
            1 => ("1/2-1/2", None),
            2 => ("1-0", None),
            4 => ("0-1", Some("forfeit")),
            5 => ("1/2-1/2", Some("forfeit")),
            6 => ("1-0", Some("forfeit")),
            7 => ("*", Some("both sides lose")),
            _ => ("*", None),
        }
    }

    /// The glyph that judges a line.
    pub fn judgement(&self) -> Option<u32> {
        Some(self.judgement).filter(|&glyph| self.result == 3 && glyph != 0)
    }

    /// The round as in PGN.
    pub fn round(&self) -> String {
        match self.round {
            [0, 0] => "?".into(),
            [round, 0] => round.to_string(),
            [round, part] => format!("{round}.{part}"),
        }
    }

    /// The code of the opening, without its part.
    pub fn eco(&self) -> Option<String> {
        let number = (self.eco / ECO_PARTS).checked_sub(1)?;
        if number >= 500 || self.eco >= CHESS960_FIRST {
            return None;
        }
        let letter = char::from(b"ABCDE"[usize::try_from(number / 100).ok()?]);
        Some(format!("{letter}{:02}", number % 100))
    }

    /// The medals by name.
    pub fn medals(&self) -> String {
        let all = MEDALS.iter().zip(0..);
        let given: Vec<&str> =
            all.filter(|(_, bit)| self.medals >> bit & 1 != 0).map(|(name, _)| *name).collect();
        given.join(", ")
    }
}

/// A date as in PGN; `None` if nothing of it is known.
pub(super) fn date(number: u32) -> Option<String> {
    let (day, month, year) = (number & 31, number >> 5 & 15, number >> 9 & 0xfff);
    let part = |part: u32| if part == 0 { "??".to_owned() } else { format!("{part:02}") };
    let written = if year == 0 { "????".to_owned() } else { format!("{year:04}") };
    let known = number & 0x1f_ffff != 0;
    known.then(|| format!("{written}.{}.{}", part(month), part(day)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_may_lack_parts() {
        let of = |year: u32, month: u32, day: u32| date(year << 9 | month << 5 | day);
        assert_eq!(of(1997, 5, 11).as_deref(), Some("1997.05.11"));
        assert_eq!(of(1997, 0, 0).as_deref(), Some("1997.??.??"));
        assert_eq!(of(0, 5, 1).as_deref(), Some("????.05.01"));
        assert_eq!(date(0), None);
    }

    #[test]
    fn openings_have_codes() {
        let of = |eco| Entry { eco, ..Entry::default() }.eco();
        assert_eq!(of(0), None);
        assert_eq!(of(ECO_PARTS).as_deref(), Some("A00"));
        assert_eq!(of(500 * ECO_PARTS + 7).as_deref(), Some("E99"));
        assert_eq!(of(501 * ECO_PARTS), None);
        assert_eq!(of(CHESS960_FIRST + 518), None);
    }
}
