//! How a game is laid out in a WTHOR file.

use std::fmt::{self, Display};

use super::NAME;
use super::file::{COUNTS, Game, HEADER_BYTES, NAMED, bytes_of};
use crate::layout::{self, NotationName, Rendering, from_words, write_hexadecimal};

/// How a game is laid out in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The header, if this is the first game.
    pub header: Option<[u8; HEADER_BYTES]>,
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Customary
    }

    /// Pads the moves with zeros. `None` if a number is missing or too large, or if something is
    /// not a move.
    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let number = |name| record.tags.iter().find(|tag| tag.0 == name)?.1.parse::<u16>().ok();
        // A named thing has its number in another tag.
        let has = |name| record.tags.iter().any(|tag| tag.0 == name);
        let [event, black, white] =
            NAMED.map(|(name, place)| number(if has(place) { place } else { name }));
        let [discs, theoretical] = COUNTS.map(number);
        let game = Game {
            tournament: event?,
            black: black?,
            white: white?,
            discs: discs?.try_into().ok()?,
            theoretical: theoretical?.try_into().ok()?,
            transcript: record.pieces.iter().map(|piece| piece.1).collect(),
            rest: &[],
        };
        let mut bytes = self.header.map(Vec::from).unwrap_or_default();
        game.write(&mut bytes)?;
        Some(bytes)
    }
}

impl Display for Layout {
    /// `wthor`, and the header in hexadecimal if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        match &self.header {
            Some(header) => write!(f, " header={}", write_hexadecimal(header)),
            None => Ok(()),
        }
    }
}

from_words!(|layout, key, value| {
    layout.header = Some(bytes_of(value).filter(|_| key == "header")?);
    Some(())
});
