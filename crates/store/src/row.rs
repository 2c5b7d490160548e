//! One record between its bytes and its columns, in both directions.

use std::borrow::Cow;

use plypack_core::{EncodedLine, ErasedLineCodec, Error as LineError, Notation, Turn};
use plypack_records::charset::Charset;
use plypack_records::pgn::{self, Layout, Record, Rendering, Spelling};

use crate::schema::START_TAG;

/// Why a record's bytes are kept as they are, although its columns hold what was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is a piece of a record that was too long.
    TooLong,
    /// Two tags have the same name.
    TagTwice,
    /// It has comments.
    Comments,
    /// It has variations.
    Variations,
    /// It has `$` codes or suffixes such as `!?`.
    Glyphs,
    /// Words follow the result.
    Leftovers,
    /// Its Variant tag names other rules.
    Variant,
    /// Its set-up position cannot be read.
    Start,
    /// A move is not possible, ambiguous or no move at all.
    Move,
    /// Its bytes are laid out in a way that no layout describes.
    Layout,
}

impl Reason {
    /// The reason in a few words, as the `verbatim_reason` column keeps it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::TooLong => "piece of a too long record",
            Self::TagTwice => "a tag twice",
            Self::Comments => "comments",
            Self::Variations => "variations",
            Self::Glyphs => "glyphs",
            Self::Leftovers => "words after the result",
            Self::Variant => "another variant",
            Self::Start => "unreadable set-up position",
            Self::Move => "unresolved move",
            Self::Layout => "unusual layout",
        }
    }
}

/// A line in a form that a file holds.
#[derive(Debug)]
pub struct CodedLine<'a> {
    /// The set-up position as its tag spells it.
    pub start: Option<Cow<'a, str>>,
    /// How many plies are coded.
    pub plies: u32,
    /// Their code.
    pub code: Vec<u8>,
}

/// A record in a form that a file holds.
#[derive(Debug)]
pub struct PackedRecord<'a> {
    /// The tags in order, but for the set-up position where `line` has it.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The names of all tags in order.
    pub tag_names: Vec<&'a str>,
    /// The moves, if any could be coded or there are none.
    pub line: Option<CodedLine<'a>>,
    /// How to write the record out, or why its bytes are kept.
    pub layout: Result<Layout, Reason>,
    /// What stopped the coding of its moves.
    pub fault: Option<LineError>,
}

/// Packs records. Remembers layouts, which neighbouring records tend to share, so what it makes of
/// a record depends on those before it.
#[derive(Debug)]
pub struct Packer {
    codec: &'static dyn ErasedLineCodec,
    /// Layouts met so far, the latest first.
    layouts: Vec<Layout>,
}

/// How many layouts a packer remembers.
const LAYOUTS_KEPT: usize = 12;

impl Packer {
    /// A packer that codes moves with `codec`.
    #[must_use]
    pub fn new(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { codec, layouts: Vec::new() }
    }

    /// Packs one record, given its bytes and the text they decode to.
    #[must_use]
    pub fn pack<'a>(
        &mut self,
        bytes: &[u8],
        charset: Charset,
        text: &'a str,
        piece: bool,
    ) -> PackedRecord<'a> {
        if piece {
            return PackedRecord {
                tags: Vec::new(),
                tag_names: Vec::new(),
                line: None,
                layout: Err(Reason::TooLong),
                fault: None,
            };
        }
        let mut record = pgn::parse(text);
        let tag_twice = drop_repeated_tags(&mut record);
        let (line, turn, fault) = self.code_moves(&record);
        let annotations = record.annotations;
        let obstacle = [
            (tag_twice, Reason::TagTwice),
            (annotations.comments > 0, Reason::Comments),
            (annotations.variations > 0, Reason::Variations),
            (annotations.glyphs > 0, Reason::Glyphs),
            (annotations.leftovers > 0, Reason::Leftovers),
        ];
        let obstacle = obstacle.into_iter().find(|(found, _)| *found).map(|(_, reason)| reason);
        let layout = match (&line, obstacle) {
            (_, Some(reason)) => Err(reason),
            (Err(reason), None) => Err(*reason),
            (Ok(_), None) if fault.is_some() => Err(Reason::Move),
            (Ok(line), None) => {
                self.find_layout(bytes, charset, text, &record, line, turn).ok_or(Reason::Layout)
            }
        };
        let tag_names = record.tags.iter().map(|tag| tag.0).collect();
        let start_coded = matches!(&line, Ok(line) if line.has_start);
        let start = record
            .tags
            .iter()
            .position(|tag| start_coded && tag.0 == START_TAG)
            .map(|at| record.tags.remove(at).1);
        let line = line.ok().map(|line| CodedLine {
            start,
            plies: line.encoded.plies,
            code: line.encoded.code,
        });
        PackedRecord { tags: record.tags, tag_names, line, layout, fault }
    }

    /// Codes the main line, in the notation that it is written in.
    fn code_moves(&self, record: &Record<'_>) -> (Result<Coded, Reason>, Turn, Option<LineError>) {
        let mut turn = Turn { number: 1, second: false };
        let game = self.codec.game();
        if let Some(variant) = record.tag("Variant") {
            let variant = variant.to_ascii_lowercase();
            if !game.info().variants.contains(&variant.as_str()) {
                return (Err(Reason::Variant), turn, None);
            }
        }
        let start = record.tag(START_TAG);
        match game.turn(start) {
            Ok(first) => turn = first,
            Err(error) => return (Err(Reason::Start), turn, Some(error)),
        }
        let encode =
            |notation| self.codec.encode(start, &mut record.moves.iter().copied(), notation);
        let coordinates = record.moves.first().is_some_and(|mv| looks_like_coordinates(mv));
        let notation = if coordinates { Notation::Coordinate } else { Notation::Customary };
        match encode(notation) {
            Err(error) => (Err(Reason::Start), turn, Some(error)),
            Ok(encoded) if encoded.plies == 0 && encoded.stopped.is_some() => {
                (Err(Reason::Move), turn, encoded.stopped)
            }
            Ok(mut encoded) => {
                let fault = encoded.stopped.take();
                (Ok(Coded { encoded, coordinates, has_start: start.is_some() }), turn, fault)
            }
        }
    }

    /// The layout that gives the record's bytes back, if one does.
    fn find_layout(
        &mut self,
        bytes: &[u8],
        charset: Charset,
        text: &str,
        record: &Record<'_>,
        line: &Coded,
        turn: Turn,
    ) -> Option<Layout> {
        let tags: Vec<(&str, &str)> = record.tags.iter().map(|t| (t.0, t.1.as_ref())).collect();
        let moves = line.encoded.texts.iter();
        let spelling = if line.coordinates {
            Spelling::Coordinates
        } else {
            Spelling::of(moves.clone(), &record.moves)?
        };
        let fits = |layout: &Layout| {
            let Turn { number, second } = turn;
            let rendering = Rendering { tags: &tags, moves: moves.clone(), number, second };
            (layout.spelling == Spelling::Coordinates) == line.coordinates
                && layout.render(rendering).as_deref() == Some(bytes)
        };
        if let Some(known) = self.layouts.iter().position(fits) {
            self.layouts[..=known].rotate_right(1);
        } else {
            let mut guesses = Layout::guess(text, record, charset, spelling).into_iter();
            let layout = guesses.find(fits)?;
            self.layouts.truncate(LAYOUTS_KEPT - 1);
            self.layouts.insert(0, layout);
        }
        self.layouts.first().cloned()
    }
}

/// A line that was coded.
struct Coded {
    encoded: EncodedLine,
    coordinates: bool,
    has_start: bool,
}

/// Keeps the first tag of each name. Whether there were others.
fn drop_repeated_tags(record: &mut Record<'_>) -> bool {
    let count = record.tags.len();
    let mut seen: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    record.tags.retain(|tag| seen.insert(tag.0));
    record.tags.len() < count
}

/// Whether a move text names two squares and nothing else, as UCI does.
fn looks_like_coordinates(mv: &str) -> bool {
    let bytes = mv.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[..4]
            .chunks(2)
            .all(|square| square[0].is_ascii_lowercase() && square[1].is_ascii_digit())
}

/// A record as a file holds it, borrowed from the columns.
#[derive(Debug, Default)]
pub struct StoredRecord<'a> {
    /// Tags in order, the set-up position included.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The codec, the start, the number of plies and the code.
    pub line: Option<(&'a str, Option<&'a str>, u32, &'a [u8])>,
    /// The layout's text.
    pub layout: Option<&'a str>,
    /// The record's bytes, if they are kept.
    pub verbatim: Option<&'a [u8]>,
}

impl StoredRecord<'_> {
    /// The codec that coded this record's moves.
    ///
    /// # Errors
    /// If it is unknown: a newer version may have written it.
    pub fn codec(name: &str) -> Result<&'static dyn ErasedLineCodec, String> {
        name.split_once('/')
            .and_then(|(game, codec)| plypack_games::line_codec(game, codec))
            .ok_or_else(|| format!("codec `{name}` is unknown; a newer plypack wrote it"))
    }

    /// The moves as texts.
    ///
    /// # Errors
    /// What is wrong with the cell, in words.
    pub fn moves(&self, notation: Notation) -> Result<(plypack_core::Texts, Turn), String> {
        let Some((codec, start, plies, code)) = self.line else {
            return Ok((plypack_core::Texts::default(), Turn { number: 1, second: false }));
        };
        let codec = Self::codec(codec)?;
        let turn = codec.game().turn(start).map_err(|error| error.to_string())?;
        let texts =
            codec.decode(start, plies, code, notation).map_err(|error| error.to_string())?;
        Ok((texts, turn))
    }

    /// The record's bytes.
    ///
    /// # Errors
    /// What is wrong with the row, in words.
    pub fn render(&self) -> Result<Cow<'_, [u8]>, String> {
        if let Some(verbatim) = self.verbatim {
            return Ok(Cow::Borrowed(verbatim));
        }
        let layout: Layout = self.layout.ok_or("it has neither a layout nor its bytes")?.parse()?;
        let notation = match layout.spelling {
            Spelling::Coordinates => Notation::Coordinate,
            _ => Notation::Customary,
        };
        let (texts, turn) = self.moves(notation)?;
        let tags: Vec<(&str, &str)> = self.tags.iter().map(|t| (t.0, t.1.as_ref())).collect();
        let Turn { number, second } = turn;
        let rendering = Rendering { tags: &tags, moves: texts.iter(), number, second };
        let bytes = layout.render(rendering);
        bytes.map(Cow::Owned).ok_or_else(|| "a character is not in its charset".into())
    }
}
