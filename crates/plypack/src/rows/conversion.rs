//! Writes a record of any format as PGN, for other programs.

use std::borrow::Cow;

use plypack_core::{Notation, Turn};
use plypack_records::pgn::layout::ResultMark;
use plypack_records::pgn::{self, Layout, ValueStyle};
use plypack_records::{ItemKind, Layout as _, Rendering, START_TAG, Values, format};

use crate::rows::error::RowError;
use crate::rows::row::StoredRecord;
use crate::rows::unpack::Movetext;

/// The moves of a record that is written as PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// In the game's customary notation.
    Customary,
    /// As coordinates: in xiangqi as ICCS writes them.
    Coordinates,
}

/// A record that was converted.
#[derive(Debug)]
pub struct Converted<'a> {
    /// Its text.
    pub bytes: Cow<'a, [u8]>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a record that was to be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is the record as it was packed, in PGN.
    Original,
    /// It is the record as it was packed, in SGF: of a game that PGN does not have.
    Sgf,
    /// All of it is there.
    Whole,
    /// Parts of its movetext became comments: moves that could not be coded, or marks that PGN does
    /// not have.
    Changed,
    /// Nothing of it was understood, and nothing is written.
    Nothing,
}

/// The game of records that are in SGF, which PGN does not have.
const SGF_ONLY: &str = "go";

/// Whether a record of a game, in the layout with this text, is converted to SGF, in which it is.
pub fn stays_sgf(game: &str, layout: Option<&str>) -> bool {
    let format = layout.and_then(format::of_layout);
    game == SGF_ONLY && format.is_none_or(|format| format.info().name != pgn::NAME)
}

impl StoredRecord<'_> {
    /// The record as PGN. A record in PGN is given as it is, unless its moves are to be
    /// coordinates; records of go are given in SGF. The record as it was packed is restored first,
    /// and its checksum verified: a damaged row is not converted.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the row.
    pub fn convert(&self, moves: Moves, checksum: Option<u32>) -> Result<Converted<'_>, RowError> {
        let original = self.original(checksum)?;
        let format = self.layout.and_then(format::of_layout);
        let escaped = format.is_some_and(|format| format.escapes_comments());
        let format = format.map(|format| format.info().name);
        let codec = self.line.map(|line| Self::codec(line.0)).transpose()?;
        let game = codec.map(|codec| codec.game());
        if game.is_some_and(|game| stays_sgf(game.info().name, self.layout)) {
            return Ok(Converted { bytes: original, fate: Fate::Sgf });
        }
        let is_go = game.is_some_and(|game| game.info().name == SGF_ONLY);
        if format == Some(pgn::NAME) && (is_go || moves == Moves::Customary) {
            return Ok(Converted { bytes: original, fate: Fate::Original });
        }
        if self.verbatim.is_some() || (game.is_none() && self.tags.is_empty()) {
            return Ok(Converted { bytes: Cow::Borrowed(&[]), fate: Fate::Nothing });
        }
        let notation = match (moves, game) {
            (Moves::Customary, _) | (_, None) => Notation::Customary,
            (Moves::Coordinates, Some(game)) => {
                game.info().notation("iccs").unwrap_or(Notation::Coordinate)
            }
        };
        let start = self.line.and_then(|line| line.1);
        let turn = match game {
            Some(game) => game.turn(start).map_err(|error| error.to_string())?,
            None => Turn { number: 1, second: false },
        };
        let (pieces, changed) =
            pieces(self.movetext(notation)?, escaped, format == Some(pgn::NAME));
        let mut tags: Vec<(Cow<'_, str>, Cow<'_, str>)> = Vec::new();
        let has = |name: &str| self.tags.iter().any(|tag| tag.0 == name);
        if let Some(info) = game.map(|game| game.info())
            && info.name != "chess"
            && !["Game", "Variant"].iter().chain(info.own_tags).any(|name| has(name))
        {
            let variant = info.variants.first().copied().unwrap_or(info.name);
            tags.push(("Variant".into(), variant.into()));
        }
        tags.extend(self.tags.iter().map(|(name, value)| {
            let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
            let plain = name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_');
            let name = if plain { Cow::Borrowed(*name) } else { name.chars().map(sign).collect() };
            let value = match value.contains(char::is_control) {
                true => value.replace(char::is_control, " ").into(),
                false => Cow::Borrowed(&**value),
            };
            (name, value)
        }));
        if game.is_some() && !has(START_TAG) {
            tags.extend(start.map(|start| (START_TAG.into(), start.into())));
        }
        let tags: Vec<(&str, &str)> = tags.iter().map(|tag| (&*tag.0, &*tag.1)).collect();
        let pieces: Vec<(ItemKind, &str)> =
            pieces.iter().map(|(kind, text)| (*kind, &**text)).collect();
        let result = tags.iter().find(|tag| tag.0 == "Result").map(|tag| tag.1);
        let result = pgn::RESULTS.into_iter().find(|known| Some(*known) == result);
        let layout =
            Layout { result: ResultMark::Marker(result.unwrap_or("*")), ..Layout::usual(false) };
        let Turn { number, second } = turn;
        let rendering = Rendering { tags: &tags, pieces: &pieces, values: &[], number, second };
        let bytes = layout.render(&rendering).ok_or("it cannot be written as PGN")?;
        let fate = if changed { Fate::Changed } else { Fate::Whole };
        Ok(Converted { bytes: bytes.into(), fate })
    }
}

/// The pieces of a movetext in PGN, and whether some of them became comments.
fn pieces(movetext: Movetext, escaped: bool, is_pgn: bool) -> (Vec<(ItemKind, String)>, bool) {
    let Movetext { pieces, values, decimals, took } = movetext;
    let style = ValueStyle { padded: true, decimals, ..ValueStyle::default() };
    let mut values = values.into_iter();
    let mut written = Vec::with_capacity(pieces.len());
    // The values of the last move of the main line, until its glyphs are written.
    let mut waiting: Option<Values> = None;
    let mut depth = 0usize;
    let mut changed = false;
    let flush = |waiting: &mut Option<Values>, written: &mut Vec<(ItemKind, String)>| {
        let known = |values: &Values| values.clock.is_some() || values.evaluation.is_some();
        if let Some(values) = waiting.take().filter(known) {
            let mut text = String::new();
            style.write(values, &mut text);
            let text = if took { text.replace("[%clk ", "[%emt ") } else { text };
            written.push((ItemKind::Comment, text));
        }
    };
    for (kind, text) in pieces {
        if !kind.is_glyph() {
            flush(&mut waiting, &mut written);
        }
        let (kind, text) = match kind {
            ItemKind::Move if depth == 0 => {
                waiting = values.next();
                (kind, text)
            }
            ItemKind::Open => {
                depth += 1;
                (kind, text)
            }
            ItemKind::Close => {
                depth = depth.saturating_sub(1);
                (kind, text)
            }
            ItemKind::Comment if escaped => (kind, comment(&unescape(&text))),
            ItemKind::Other if !is_pgn => {
                changed = true;
                (ItemKind::Comment, comment(&text))
            }
            kind => (kind, text),
        };
        written.push((kind, text));
    }
    flush(&mut waiting, &mut written);
    (written, changed)
}

/// A comment without the brace that would end it.
fn comment(text: &str) -> String {
    text.trim().replace('}', ")").replace('\r', "")
}

/// A text without the backslashes before its signs.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut signs = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(sign) = signs.next() {
        plain.extend(if sign == '\\' { signs.next() } else { Some(sign) });
    }
    plain.into()
}
