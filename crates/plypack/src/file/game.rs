//! Reads one game of a packed file.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::rows::RowError;
use crate::rows::facts::rating;
use crate::store::games::Rows;
use crate::store::movetext::AnnotationKind;
use crate::store::row::StoredRecord;
use plypack_core::cell;

use super::tags::{Date, Outcome};
use super::variation::{self, Variation};
use crate::boards::Boards;
use crate::cursor::Cursor;
use crate::error::Error;
use crate::line::{Line, LineCodec};
use crate::link::Link;
use crate::moves::{MoveTexts, Notation};
use crate::rules::Rules;

/// One game of a packed file. It owns its data, and shares the memory of some thousand games that
/// were read with it; moves and annotations are decoded on demand.
#[derive(Clone, Debug)]
pub struct Game {
    path: Arc<Path>,
    rows: Arc<Rows>,
    row: usize,
    number: u64,
    tags: OnceLock<Tags>,
}

/// Tags in one allocation.
#[derive(Clone, Debug, Default)]
struct Tags {
    text: String,
    /// The ends of each name and value.
    ends: Vec<[usize; 2]>,
}

/// A line's codec, start, number of plies, and code.
type Parts<'a> = (LineCodec, Option<&'a str>, u32, &'a [u8]);

impl Tags {
    fn iter(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |&[name, value]| {
            let tag = (&self.text[start..name], &self.text[name..value]);
            start = value;
            tag
        })
    }
}

impl Game {
    pub(crate) fn new(path: Arc<Path>, rows: Arc<Rows>, row: usize, number: u64) -> Self {
        Self { path, rows, row, number, tags: OnceLock::new() }
    }

    /// Returns the path its file was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its number in the file, counted from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the name of the input it was packed from; empty if the file does not say.
    #[must_use]
    pub fn input(&self) -> &str {
        self.rows.record(self.row).map_or("", |record| record.2)
    }

    /// Returns its rules; `None` if none of its moves could be coded.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if it was coded by another version.
    pub fn rules(&self) -> Result<Option<Rules>, Error> {
        Ok(self.parts()?.map(|line| line.0.rules()))
    }

    /// Returns the tags in order, with a set-up position as `FEN`.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let tags = self.tags.get_or_init(|| {
            let mut tags = Tags::default();
            for (name, value) in self.stored().into_iter().flat_map(|stored| stored.tags) {
                tags.text.push_str(name);
                let name = tags.text.len();
                tags.text.push_str(&value);
                tags.ends.push([name, tags.text.len()]);
            }
            tags
        });
        tags.iter()
    }

    /// Returns the value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|tag| tag.0 == name).map(|tag| tag.1)
    }

    /// Returns the value of the first tag of this name as a number; `None` if it is not one.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.tag(name)?.parse().ok()
    }

    /// Returns White's rating, from the tag `WhiteElo`; `None` if it is 0, which stands for none.
    #[must_use]
    pub fn white_rating(&self) -> Option<u16> {
        rating(self.integer("WhiteElo"))
    }

    /// Returns Black's rating, from the tag `BlackElo`; `None` if it is 0, which stands for none.
    #[must_use]
    pub fn black_rating(&self) -> Option<u16> {
        rating(self.integer("BlackElo"))
    }

    /// Returns when it was played, from the tag `Date`.
    #[must_use]
    pub fn date(&self) -> Option<Date> {
        self.tag("Date").and_then(Date::read)
    }

    /// Returns how it ended, from the tag `Result`.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.tag("Result").and_then(Outcome::read)
    }

    /// Returns the set-up position that the moves start from; `None` for the usual start.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.rows.record(self.row)?.0.line?.1
    }

    /// Returns how many moves of the main line are coded.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.stored().and_then(|stored| stored.line).map_or(0, |line| line.2)
    }

    /// Returns the coded moves of the main line. Anything after them is in
    /// [`rest`](Self::rest).
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it.
    pub fn moves(&self, notation: Notation) -> Result<MoveTexts, Error> {
        let Some((codec, start, plies, code)) = self.parts()? else {
            return Ok(MoveTexts::default());
        };
        let moves = codec.0.decode(start, plies, code, notation.inner());
        moves.map(MoveTexts).map_err(|inner| self.fault(inner))
    }

    /// Returns the movetext from the first move that could not be coded, because it is illegal or
    /// not understood; `None` if the main line is coded to its end, or if nothing in the record was
    /// understood.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if another version wrote the file.
    pub fn rest(&self) -> Result<Option<String>, Error> {
        let Some(stored) = self.stored() else { return Ok(None) };
        let annotations = stored.known_annotations().map_err(|why| self.fault(why))?;
        let last = annotations.last().filter(|last| last.kind == AnnotationKind::Rest);
        Ok(last.map(|last| last.text.clone().into_owned()))
    }

    /// Returns the main line as a cell, with its codec; `None` if none of its moves could be coded.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if another version wrote the file.
    pub fn cell(&self) -> Result<Option<(LineCodec, Vec<u8>)>, Error> {
        Ok(self.parts()?.map(|(codec, _, plies, code)| (codec, cell::join(plies, code))))
    }

    /// Returns the main line as it is coded; `None` if none of its moves could be coded.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if another version wrote the file.
    pub fn line(&self) -> Result<Option<Line<'_>>, Error> {
        let line = self.parts()?;
        Ok(line.map(|(codec, start, plies, code)| Line { codec, start, plies, code }))
    }

    /// Appends a row for each coded move of the main line to `boards`, without texts.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it; the rows up to
    /// there are then appended.
    pub fn boards(&self, boards: &mut Boards) -> Result<(), Error> {
        let Some((codec, start, plies, code)) = self.parts()? else { return Ok(()) };
        codec.0.boards(start, plies, code, &mut boards.0).map_err(|inner| self.fault(inner))
    }

    /// Returns a cursor at the start of the main line; `None` if none of its moves could be coded.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it.
    pub fn cursor(&self) -> Result<Option<Cursor<'_>>, Error> {
        let Some((codec, start, plies, code)) = self.parts()? else { return Ok(None) };
        let cursor = codec.0.cursor(start, plies, code);
        cursor.map(Cursor).map(Some).map_err(|inner| self.fault(inner))
    }

    /// Returns the main line with comments, glyphs, clock readings, evaluations and variations,
    /// which are lines themselves.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it.
    pub fn tree(&self, notation: Notation) -> Result<Variation, Error> {
        let Some(stored) = self.stored() else { return Ok(Variation::default()) };
        let movetext = stored.movetext(notation.inner()).map_err(|why| self.fault(why))?;
        variation::build(movetext).map_err(|why| self.fault(why))
    }

    /// Returns the record's bytes, exactly as they were packed. Its checksum is verified.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it.
    pub fn original(&self) -> Result<Vec<u8>, Error> {
        let missing = || self.fault("it is missing");
        let (stored, checksum, _) = self.rows.record(self.row).ok_or_else(missing)?;
        let bytes = stored.original(checksum).map_err(|why| self.fault(why))?;
        Ok(bytes.into_owned())
    }

    /// Returns a link to the main line, shown at its end; `None` if none of its moves could be
    /// coded.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it;
    /// [`Error::Link`] if the link would have more than 131,072 characters.
    pub fn link(&self) -> Result<Option<Link>, Error> {
        let Some(rules) = self.rules()? else { return Ok(None) };
        let moves = self.moves(Notation::Coordinate)?;
        Link::new(rules, self.start(), moves.iter()).map(Some)
    }

    /// Returns the record as PGN; in SGF if the game is go, which PGN does not have. A record in
    /// PGN comes as it was packed, unless coordinates are asked for. Empty if nothing of the record
    /// was understood.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if the file is damaged or another version wrote it.
    pub fn to_pgn(&self, notation: Notation) -> Result<Vec<u8>, Error> {
        let missing = || self.fault("it is missing");
        let (stored, checksum, _) = self.rows.record(self.row).ok_or_else(missing)?;
        let converted = stored.convert(notation.converted(), checksum);
        Ok(converted.map_err(|why| self.fault(why))?.bytes.into_owned())
    }

    fn stored(&self) -> Option<StoredRecord<'_>> {
        self.rows.record(self.row).map(|record| record.0)
    }

    fn parts(&self) -> Result<Option<Parts<'_>>, Error> {
        let Some(line) = self.stored().and_then(|stored| stored.line) else { return Ok(None) };
        let (codec, start, plies, code) = line;
        let codec = StoredRecord::codec(codec).map_err(|why| self.fault(why))?;
        Ok(Some((LineCodec(codec), start, plies, code)))
    }

    fn fault(&self, why: impl Into<RowError>) -> Error {
        Error::record(&self.path, self.number, why)
    }
}
