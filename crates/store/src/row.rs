//! One record between its bytes and its columns, in both directions.

use std::borrow::Cow;
use std::ops::Range;

use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS, Registry};
use plypack_core::{
    CodecRow, EncodedLine, ErasedLineCodec, Error as LineError, GameInfo, Notation, Texts, Turn,
};
use plypack_reading::form::{self, Form, Reading, notation};
use plypack_reading::game::is_variant;
use plypack_records::Syntax;
use plypack_records::charset::{self, Charset};
use plypack_records::pgn::{
    self, Kind, Layout, Record, Rendering, ReviewStyle, Spelling, ValueStyle, Values,
};
use plypack_records::psq;

use crate::movetext::{self, Annotation, AnnotationKind, Piece, ReviewText, Style};
use crate::patch;
use crate::schema::START_TAG;

/// Why a record's bytes are kept as they are, although its columns hold what was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is a piece of a record that was too long.
    TooLong,
    /// Its bytes are too far from what any layout describes.
    Layout,
    /// It is a line of a position file, but no position.
    NoPosition,
    /// It is a line with a position that could not be coded.
    Position,
}

impl Reason {
    /// The reason in a few words, as the `verbatim_reason` column keeps it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::TooLong => "piece of a too long record",
            Self::Layout => "unusual layout",
            Self::NoPosition => "no position",
            Self::Position => "position that could not be coded",
        }
    }
}

/// Why a record's moves are kept as text, all of them or the last.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its Variant tag, cut to a readable length, names other rules.
    #[error("the variant `{0}` has other rules")]
    Variant(String),
    /// Its set-up position or one of its moves was not understood.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// A line in a form that a file holds.
#[derive(Debug)]
pub struct CodedLine<'a> {
    /// What coded it.
    pub codec: &'static dyn ErasedLineCodec,
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
    /// The clock readings' code.
    pub clocks: Option<Vec<u8>>,
    /// The evaluations' code.
    pub evaluations: Option<Vec<u8>>,
    /// The reviews' code.
    pub reviews: Option<Vec<u8>>,
    /// What stands between the moves.
    pub annotations: Vec<Annotation<'a>>,
    /// How to write the record out, or why its bytes are kept.
    pub layout: Result<Form, Reason>,
    /// Where its bytes differ from what the layout gives; empty if nowhere.
    pub patch: Vec<u8>,
    /// What stopped the coding of its moves.
    pub fault: Option<Fault>,
}

/// Packs records. Remembers layouts, which neighbouring records tend to share, so what it makes of
/// a record depends on those before it.
#[derive(Debug)]
pub struct Packer {
    codec: &'static dyn ErasedLineCodec,
    /// Layouts met so far, the latest first.
    layouts: Vec<Layout>,
    /// The notation of the last record that was not in coordinates.
    notation: Notation,
    syntax: Syntax,
}

/// How many layouts a packer remembers.
const LAYOUTS_KEPT: usize = 12;

/// A patch this small, in bytes, is not worth the search for a better layout.
const PATCH_SMALL: usize = 24;

impl Packer {
    /// A packer that codes moves with `codec`.
    #[must_use]
    pub fn new(codec: &'static dyn ErasedLineCodec) -> Self {
        let syntax = Syntax::default();
        Self { codec, layouts: Vec::new(), notation: Notation::Customary, syntax }
    }

    /// A packer of records that are written so.
    #[must_use]
    pub fn of(self, syntax: Syntax) -> Self {
        Self { syntax, ..self }
    }

    /// Codes the moves of the records that follow with `codec`.
    pub fn code_with(&mut self, codec: &'static dyn ErasedLineCodec) {
        if codec.game().info().id != self.codec.game().info().id {
            self.notation = Notation::Customary;
        }
        self.codec = codec;
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
        let mut packed = PackedRecord {
            tags: Vec::new(),
            tag_names: Vec::new(),
            line: None,
            clocks: None,
            evaluations: None,
            reviews: None,
            annotations: Vec::new(),
            layout: Err(Reason::TooLong),
            patch: Vec::new(),
            fault: None,
        };
        if piece {
            return packed;
        }
        let reading = form::read(self.codec.game(), text, charset, self.syntax);
        let Reading { mut record, form, place, times } = reading;
        drop_repeated_tags(&mut record);
        let info = self.codec.game().info();
        let usual = form.as_ref().and_then(|form| form.notation(info));
        let (line, turn, fault) = self.code_moves(&record, usual);
        packed.fault = fault;
        let no_moves = Texts::default();
        let texts = line.as_ref().map_or(&no_moves, |line| &line.encoded.texts);
        let comments = record.items.iter().filter(|item| item.kind == Kind::Comment);
        let values = ValueStyle::guess(comments.map(|item| item.text));
        let valued = values.is_some() || !times.is_empty();
        let has_variations = record.items.iter().any(|item| item.kind == Kind::Open);
        let trunk = match &line {
            Some(_) if has_variations || valued => {
                let moves = &mut texts.iter();
                let trunk = self.codec.encode_trunk(
                    record.tag(START_TAG),
                    moves,
                    Notation::Customary,
                    true,
                );
                trunk.ok().map(|(_, trunk)| trunk)
            }
            _ => None,
        };
        let trunk = trunk.as_deref();
        let plies = line.as_ref().map_or(0, |line| line.encoded.plies);
        let notation = line.as_ref().map_or(Notation::Customary, |line| line.notation);
        let reviews = match form {
            None => trunk.and_then(|_| ReviewStyle::guess(&record, values)),
            Some(_) => None,
        };
        let mut style = Style { values, reviews: reviews.as_ref(), notation };
        let mut found = movetext::dissect(&record, plies, trunk, style);
        if let Some((reviews, trunk)) = style.reviews.zip(trunk) {
            if !found.reviews.is_empty() {
                packed.reviews = movetext::encode_reviews(&found, reviews, trunk);
            }
            if packed.reviews.is_none() {
                style.reviews = None;
                found = movetext::dissect(&record, plies, Some(trunk), style);
            }
        }
        // Values that were coded without hints would be read as others.
        let Ok(hints) = trunk.filter(|_| valued).map_or(Ok(&[][..]), |trunk| trunk.hints()) else {
            packed.layout = Err(Reason::Layout);
            return packed;
        };
        let mut timed = true;
        if !times.is_empty() {
            let clocks = times.iter().map(|&time| Some(time)).take(found.values.len());
            let values = clocks.map(|clock| Values { clock, evaluation: None });
            found.values = values.collect();
            packed.clocks = movetext::encode_times(&found.values, psq::DECIMALS, hints);
            timed = packed.clocks.is_some() || found.values.is_empty();
        }
        let codes = match style.values {
            Some(style) => movetext::encode_values(&found.values, style, hints),
            None => Some((packed.clocks.take(), None)),
        };
        match codes {
            Some((None, None)) | None if style.values.is_some() => {
                // Without values reviews may be others: there are none.
                style = Style { values: None, reviews: None, notation };
                packed.reviews = None;
                found = movetext::dissect(&record, plies, trunk, style);
            }
            codes => (packed.clocks, packed.evaluations) = codes.unwrap_or((None, None)),
        }
        if !found.ends_with_result {
            record.result = None;
        }
        // What is written out comes from what is stored, by the way that reading takes.
        let reviews = found.reviews.iter().map(|(ply, class, moves)| ReviewText {
            ply: *ply,
            class: *class,
            moves: moves.iter().collect(),
        });
        let reviews: Vec<ReviewText> = reviews.collect();
        let (annotations, values) = (&found.annotations, &found.values);
        let assembled = movetext::assemble(annotations, values, &reviews, style, texts, trunk);
        if let (Ok(pieces), Some(form)) = (&assembled, form) {
            let tags = borrowed(&record.tags);
            let pieces = pieces.iter().map(|(kind, text)| (*kind, text.as_ref()));
            let rendered = form.render(&tags, pieces, &found.values, turn).filter(|_| timed);
            let patch = rendered.and_then(|rendered| match place {
                Some(place) => place_patch(&rendered, bytes, text, place, charset),
                None => patch::make_short(&rendered, bytes, bytes.len()),
            });
            (packed.layout, packed.patch) = match patch {
                Some(patch) => (Ok(form), patch),
                None => (Err(Reason::Layout), Vec::new()),
            };
        } else if let Ok(pieces) = assembled {
            let sketch =
                Sketch { bytes, charset, text, record: &record, texts, pieces, style, turn, info };
            let layout = self.find_layout(&sketch);
            (packed.layout, packed.patch) = match layout {
                Some((layout, patch)) => (Ok(Form::Pgn(layout)), patch),
                None => (Err(Reason::Layout), Vec::new()),
            };
        } else {
            packed.layout = Err(Reason::Layout);
        }
        packed.annotations = found.annotations;
        packed.tag_names = record.tags.iter().map(|tag| tag.0).collect();
        let start = record.tags.iter().position(|tag| line.is_some() && tag.0 == START_TAG);
        let start = start.map(|at| record.tags.remove(at).1);
        packed.line = line.map(|line| CodedLine {
            codec: self.codec,
            start,
            plies: line.encoded.plies,
            code: line.encoded.code,
        });
        packed.tags = record.tags;
        packed
    }

    /// Codes the main line, in the notation that it is written in, if that is not known. `None` if
    /// nothing of it can be.
    fn code_moves(
        &mut self,
        record: &Record<'_>,
        notation: Option<Notation>,
    ) -> (Option<Coded>, Turn, Option<Fault>) {
        let mut turn = Turn { number: 1, second: false };
        let game = self.codec.game();
        if let Some(variant) = record.tag("Variant")
            && !is_variant(game, variant)
        {
            let variant = variant.chars().take(100).collect();
            return (None, turn, Some(Fault::Variant(variant)));
        }
        let start = record.tag(START_TAG);
        match game.turn(start) {
            Ok(first) => turn = first,
            Err(error) => return (None, turn, Some(error.into())),
        }
        let coordinates = record.moves.first().is_some_and(|mv| looks_like_coordinates(mv));
        let likeliest = if coordinates { Notation::Coordinate } else { self.notation };
        let encoded = match notation {
            Some(notation) => self
                .codec
                .encode(start, &mut record.moves.iter().copied(), notation)
                .map(|encoded| (encoded, notation)),
            None => self.encode(start, &record.moves, likeliest),
        };
        match encoded {
            Err(error) => (None, turn, Some(error.into())),
            Ok((mut encoded, notation)) => {
                let fault = encoded.stopped.take().map(Fault::from);
                if encoded.plies == 0 && fault.is_some() {
                    return (None, turn, fault);
                }
                (Some(Coded { encoded, notation }), turn, fault)
            }
        }
    }

    /// Encodes moves. Their texts come in this notation, or in one that is closer to `moves`.
    fn encode(
        &mut self,
        start: Option<&str>,
        moves: &[&str],
        notation: Notation,
    ) -> Result<(EncodedLine, Notation), LineError> {
        let (codec, game) = (self.codec, self.codec.game());
        let encoded = codec.encode(start, &mut moves.iter().copied(), notation)?;
        let written = moves.get(..encoded.texts.len()).unwrap_or_default();
        if game.info().notations.is_empty() || encoded.texts.iter().eq(written.iter().copied()) {
            return Ok((encoded, notation));
        }
        let closest = game.notation_of(start, written)?;
        if closest != Notation::Coordinate {
            self.notation = closest;
        }
        if closest == notation {
            return Ok((encoded, notation));
        }
        Ok((codec.encode(start, &mut moves.iter().copied(), closest)?, closest))
    }

    /// The layout that gives the record's bytes back, and the patch for what it does not explain.
    fn find_layout(&mut self, sketch: &Sketch<'_, '_>) -> Option<(Layout, Vec<u8>)> {
        let fits = |layout: &Layout| sketch.render(layout).as_deref() == Some(sketch.bytes);
        if let Some(known) = self.layouts.iter().position(fits) {
            self.layouts[..=known].rotate_right(1);
            return Some((self.layouts.first()?.clone(), Vec::new()));
        }
        let limit = sketch.bytes.len() / 2;
        let known = closest(&self.layouts, sketch);
        if let Some((at, rendered)) = known
            && let Some(patch) = patch::make(&rendered, sketch.bytes, PATCH_SMALL.min(limit))
        {
            self.layouts[..=at].rotate_right(1);
            return Some((self.layouts.first()?.clone(), patch));
        }
        let mut layouts = sketch.guesses();
        let exact = layouts.iter().position(fits);
        layouts.extend(self.layouts.iter().cloned());
        let (layout, patch) = match exact {
            Some(exact) => (layouts.swap_remove(exact), Vec::new()),
            None => {
                let (at, patch) = smallest_patch(&layouts, sketch, limit)?;
                (layouts.swap_remove(at), patch)
            }
        };
        self.layouts.retain(|known| *known != layout);
        self.layouts.truncate(LAYOUTS_KEPT - 1);
        self.layouts.insert(0, layout.clone());
        Some((layout, patch))
    }
}

/// The patch that makes a record of what is written out of one place of it. It may have most of the
/// record: so would the whole record, kept instead. `None` if there is none.
fn place_patch(
    rendered: &[u8],
    bytes: &[u8],
    text: &str,
    place: Range<usize>,
    charset: Charset,
) -> Option<Vec<u8>> {
    let length = |text: &str| Some(charset::encode(text.into(), charset)?.len());
    let before = length(text.get(..place.start)?)?;
    let behind = bytes.len().checked_sub(length(text.get(place.end..)?)?)?;
    let actual = bytes.get(before..behind)?;
    let patch = patch::make(rendered, actual, usize::MAX)?;
    let patch = patch::surround(&patch, rendered.len(), &bytes[..before], &bytes[behind..])?;
    (patch::apply(rendered, &patch).as_deref() == Some(bytes)).then_some(patch)
}

/// Tags as layouts take them.
fn borrowed<'a>(tags: &'a [(&str, Cow<'_, str>)]) -> Vec<(&'a str, &'a str)> {
    tags.iter().map(|tag| (tag.0, tag.1.as_ref())).collect()
}

/// The layout that comes closest to a record's bytes, by what agrees at either end, and what it
/// gives.
fn closest(layouts: &[Layout], sketch: &Sketch<'_, '_>) -> Option<(usize, Vec<u8>)> {
    let agreement = |rendered: &[u8]| {
        let pairs = || rendered.iter().zip(sketch.bytes);
        let ahead = pairs().take_while(|(a, b)| a == b).count();
        let back = rendered.iter().rev().zip(sketch.bytes.iter().rev());
        ahead + back.take_while(|(a, b)| a == b).count()
    };
    let rendered = layouts.iter().enumerate();
    let rendered = rendered.filter_map(|(at, layout)| Some((at, sketch.render(layout)?)));
    // Of equals the first, so that the likeliest guess wins.
    rendered.rev().max_by_key(|(_, rendered)| agreement(rendered))
}

/// The layout that needs the smallest patch, which has at most `limit` bytes. Of equals the first.
fn smallest_patch(
    layouts: &[Layout],
    sketch: &Sketch<'_, '_>,
    limit: usize,
) -> Option<(usize, Vec<u8>)> {
    /// In longer records, in bytes, the search would take too long.
    const SEARCHED_MAX: usize = 1 << 16;
    if sketch.bytes.len() > SEARCHED_MAX {
        let (at, rendered) = closest(layouts, sketch)?;
        return Some((at, patch::make(&rendered, sketch.bytes, limit)?));
    }
    let mut smallest: Option<(usize, Vec<u8>)> = None;
    for (at, layout) in layouts.iter().enumerate() {
        let limit = smallest.as_ref().map_or(limit, |(_, patch)| patch.len().saturating_sub(1));
        let patch = sketch.render(layout).and_then(|r| patch::make(&r, sketch.bytes, limit));
        smallest = patch.map(|patch| (at, patch)).or(smallest);
    }
    smallest
}

/// A record on its way to a layout.
struct Sketch<'a, 'r> {
    bytes: &'r [u8],
    charset: Charset,
    text: &'a str,
    record: &'r Record<'a>,
    texts: &'r Texts,
    pieces: Vec<Piece<'r>>,
    style: Style<'r>,
    turn: Turn,
    info: &'static GameInfo,
}

impl Sketch<'_, '_> {
    /// The record as a layout gives it; `None` if the layout is for another kind of record.
    fn render(&self, layout: &Layout) -> Option<Vec<u8>> {
        let notation = notation(&layout.spelling, self.info);
        if notation != Some(self.style.notation)
            || layout.values != self.style.values
            || layout.reviews.as_ref() != self.style.reviews
        {
            return None;
        }
        let tags = borrowed(&self.record.tags);
        let Turn { number, second } = self.turn;
        let pieces = self.pieces.iter().map(|(kind, text)| (*kind, text.as_ref()));
        layout.render(Rendering { tags: &tags, pieces, number, second })
    }

    fn guesses(&self) -> Vec<Layout> {
        let spelling = match self.style.notation {
            Notation::Coordinate => Spelling::Coordinates,
            Notation::Customary => {
                let written = self.record.moves.get(..self.texts.len()).unwrap_or_default();
                Spelling::of(self.texts.iter(), written).unwrap_or_default()
            }
            Notation::Other(place) => {
                let name = self.info.notations.get(usize::from(place));
                name.map_or(Spelling::Customary, |name| Spelling::Named((*name).into()))
            }
        };
        let guesses =
            Layout::guess(self.text, self.record, self.charset, spelling, self.turn.second);
        let (values, reviews) = (self.style.values, self.style.reviews);
        let with = |layout| Layout { values, reviews: reviews.cloned(), ..layout };
        guesses.into_iter().map(with).collect()
    }
}

/// A line that was coded.
struct Coded {
    encoded: EncodedLine,
    notation: Notation,
}

/// Keeps the first tag of each name: columns hold one. The others go into the patch.
fn drop_repeated_tags(record: &mut Record<'_>) {
    let mut seen: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    record.tags.retain(|tag| seen.insert(tag.0));
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
#[derive(Debug)]
pub struct StoredRecord<'a> {
    /// Tags in order, the set-up position included.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The codec, the start, the number of plies and the code.
    pub line: Option<(&'a str, Option<&'a str>, u32, &'a [u8])>,
    /// The codec and the code of the clock readings.
    pub clocks: Option<(&'a str, &'a [u8])>,
    /// The codec and the code of the evaluations.
    pub evaluations: Option<(&'a str, &'a [u8])>,
    /// The codec and the code of the reviews.
    pub reviews: Option<(&'a str, &'a [u8])>,
    /// What stands between the moves; or the name of a kind of annotation that is unknown.
    pub annotations: Result<Vec<Annotation<'a>>, &'a str>,
    /// The layout's text.
    pub layout: Option<&'a str>,
    /// Where the record's bytes differ from what the layout gives.
    pub patch: Option<&'a [u8]>,
    /// The record's bytes, if they are kept.
    pub verbatim: Option<&'a [u8]>,
}

impl StoredRecord<'_> {
    /// The codec that coded this record's moves, by what the file says of it.
    ///
    /// # Errors
    /// If it is unknown: another version wrote it.
    pub fn codec(text: &str) -> Result<&'static dyn ErasedLineCodec, String> {
        plypack_games::stored_line_codec(text).map_err(|error| error.to_string())
    }

    /// The moves as texts.
    ///
    /// # Errors
    /// What is wrong with the cell, in words.
    pub fn moves(&self, notation: Notation) -> Result<(Texts, Turn), String> {
        let Some((codec, start, plies, code)) = self.line else {
            return Ok((Texts::default(), Turn { number: 1, second: false }));
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
        let text = self.layout.ok_or("it has neither a layout nor its bytes")?;
        let form: Form = text.parse()?;
        let notation = match self.line {
            Some((codec, ..)) => {
                let info = Self::codec(codec)?.game().info();
                form.notation(info)
                    .ok_or_else(|| format!("{} has no notation of layout `{text}`", info.title))?
            }
            None => Notation::Customary,
        };
        let annotations = self.annotations.as_deref().map_err(|kind| {
            format!("annotations of the kind `{kind}` are unknown; a newer plypack wrote them")
        })?;
        let clocks = series_code(self.clocks, &CLOCKS)?;
        let evaluations = series_code(self.evaluations, &EVALUATIONS)?;
        let (texts, turn) = self.moves(notation)?;
        let timed = clocks.is_some() || evaluations.is_some();
        let branches = annotations.iter().any(|a| a.kind == AnnotationKind::Open);
        let trunk = match self.line {
            Some((codec, start, ..)) if branches || self.reviews.is_some() || timed => {
                let moves = &mut texts.iter();
                let trunk = Self::codec(codec)?.encode_trunk(start, moves, notation, true);
                Some(trunk.map_err(|error| error.to_string())?.1)
            }
            _ => None,
        };
        let plies = self.line.map_or(0, |line| line.2);
        let trunk = trunk.as_deref();
        let hints = trunk.filter(|_| timed).map_or(Ok(&[][..]), |trunk| trunk.hints());
        let hints = hints.map_err(|error| error.to_string())?;
        let values = movetext::decode_values(plies, clocks, evaluations, hints)?;
        let style = Style { values: form.values(), reviews: form.reviews(), notation };
        let reviews = series_code(self.reviews, &REVIEWS)?;
        let reviews = match reviews.zip(trunk) {
            Some((coded, trunk)) => movetext::decode_reviews(plies, &values, coded, style, trunk)?,
            None => Vec::new(),
        };
        let pieces = movetext::assemble(annotations, &values, &reviews, style, &texts, trunk)?;
        let pieces = pieces.iter().map(|(kind, text)| (*kind, text.as_ref()));
        let tags = borrowed(&self.tags);
        let bytes = form.render(&tags, pieces, &values, turn);
        let bytes = bytes.ok_or("what it holds does not fit its layout")?;
        match self.patch {
            None => Ok(Cow::Owned(bytes)),
            Some(patch) => {
                let bytes = patch::apply(&bytes, patch).ok_or("its patch does not fit")?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

/// The codec and the code of a series.
fn series_code<'a, C>(
    series: Option<(&str, &'a [u8])>,
    registry: &'static Registry<C>,
) -> Result<Option<(&'static C, &'a [u8])>, String>
where
    &'static C: CodecRow,
{
    let Some((codec, code)) = series else { return Ok(None) };
    let codec = registry.stored(codec).map_err(|error| error.to_string())?;
    Ok(Some((codec, code)))
}

/// Whether an annotation, the last of its record, is movetext from a move on that could not be
/// coded. Other words that were not understood do not begin with what could be a move.
#[must_use]
pub fn is_tail(kind: &str, text: &str) -> bool {
    if kind != AnnotationKind::Other.name() {
        return false;
    }
    if form::is_tail(text) {
        return true;
    }
    let tail = pgn::parse(text);
    // What reads as a tag, or as the mark of an encoding, was none behind the tags.
    let whole = tail.movetext.len() == text.len();
    whole && tail.items.first().is_some_and(|item| item.kind == Kind::Move)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs one record with `line.uniform`.
    fn pack(text: &str) -> PackedRecord<'_> {
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("it is registered");
        Packer::new(codec).pack(text.as_bytes(), Charset::Utf8, text, false)
    }

    #[test]
    fn what_is_understood_goes_into_columns_and_not_into_a_patch() {
        let packed = pack(
            "[Result \"*\"]\n\n1. e4! { [%eval 0.2] [%clk 0:03:00] } 1... e5 { [%clk 0:02:59] } \
             { text } (1... c5 2. Nf3 (2. d4 $14) 2... d6) 2. f4 *\n\n",
        );
        assert_eq!(packed.line.as_ref().map(|line| line.plies), Some(3));
        assert!(packed.clocks.is_some() && packed.evaluations.is_some());
        let kinds: Vec<&str> = packed.annotations.iter().map(|a| a.kind.name()).collect();
        let expected = ["suffix", "comment", "variation", "variation", "glyph", "end", "end"];
        assert_eq!(kinds, expected);
        assert!(packed.layout.is_ok() && packed.patch.is_empty() && packed.fault.is_none());
    }

    #[test]
    fn reviews_leave_no_annotation() {
        let game = "1. e4 { [%eval 0.1] } 1... f6?! { (0.10 → 0.75) Inaccuracy. e5 was best. } \
                    { [%eval 0.75] } (1... e5 2. Nf3) 2. g4?? { (0.75 → -2.10) Blunder. d4 was \
                    best. } { [%eval -2.1] } (2. d4)";
        for (rest, annotations) in [
            ("", 0),
            ("2... e5? { d5 was best. } (2... d5) $1 {text}", 2),
            ("2... e5? { (1.00 → 2.00) d5 was best. } { [%eval 0.3] } (2... d5)", 0),
            ("2... e5? { (-2.10 → 0.30) d5 was best. } { [%eval 0.3] } (2... d5)", 0),
            // Spelt oddly; with more in the variation; without the best move.
            ("2... d6? { Ng8h6 was best. } (2... Ng8h6)", 4),
            ("2... d6? { Nh6 was best. } (2... Nh6 (2... Kf7))", 6),
            ("2... d6? { Oh no. } (2... Nh6)", 4),
        ] {
            let text = format!("{game} {rest} *\n\n");
            let packed = pack(&text);
            assert_eq!(packed.annotations.len(), annotations, "{text} {packed:?}");
            assert!(packed.reviews.is_some() && packed.layout.is_ok(), "{text} {packed:?}");
        }
        let packed = pack("1. e4 f6?! { e5 was best. } 2. d4 *\n\n");
        assert!(packed.reviews.is_none() && packed.patch.is_empty(), "{packed:?}");
    }

    #[test]
    fn what_follows_an_impossible_move_is_text() {
        let packed = pack("[Event \"a\"]\n\n1. e4 e5 2. Kd5 Nc6 1-0\n\n");
        assert_eq!(packed.line.as_ref().map(|line| line.plies), Some(2));
        let texts: Vec<&str> = packed.annotations.iter().map(|a| a.text.as_ref()).collect();
        assert_eq!(texts, ["2. Kd5 Nc6 1-0"]);
        assert!(packed.fault.is_some() && packed.patch.is_empty());
    }

    #[test]
    fn an_odd_space_is_a_patch_of_a_few_bytes() {
        let packed = pack("[Event \"a\"]\n\n1. e4 e5  2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n");
        assert!(packed.layout.is_ok(), "{packed:?}");
        assert!((1..8).contains(&packed.patch.len()), "{packed:?}");
    }

    /// Columns that do not belong together give an error, or a record that its checksum refuses.
    #[test]
    fn layouts_stand_columns_of_other_syntaxes() {
        let tags = [vec![], vec![("Field1", "x".into()), ("Size", "\u{e9}".into())]];
        let lines = [
            None,
            Some(("othello/line.text/1", None, 2, &b"f5 d6"[..])),
            Some(("gomoku/line.text/1", None, 2, &b"o15 a1"[..])),
            Some(("chess/line.text/1", None, 2, &b"e4 e5"[..])),
        ];
        let header = format!("wthor header={}", "0".repeat(32));
        for layout in ["wthor", &header, "psq", "transcript moves=after-200 letters=capital"] {
            for (tags, line) in tags.iter().flat_map(|tags| lines.map(|line| (tags, line))) {
                let row = StoredRecord {
                    tags: tags.clone(),
                    line,
                    clocks: None,
                    evaluations: None,
                    reviews: None,
                    annotations: Ok(vec![Annotation {
                        skip: 0,
                        kind: AnnotationKind::Comment,
                        text: "\u{e9}".into(),
                        moves: None,
                    }]),
                    layout: Some(layout),
                    patch: None,
                    verbatim: None,
                };
                let made = row.render();
                let is_transcript = layout.starts_with("transcript");
                assert!(made.is_ok() == is_transcript || layout == "psq", "{layout}: {made:?}");
            }
        }
    }

    /// A variation takes a few bytes of a file, and would be 65,536 moves in memory.
    #[test]
    fn variations_from_nothing_are_refused() {
        let annotation = |kind, moves| Annotation { skip: 0, kind, text: "".into(), moves };
        let variation = [
            annotation(AnnotationKind::Open, Some((65_536, Cow::Borrowed(&[][..])))),
            annotation(AnnotationKind::Close, None),
        ];
        let row = StoredRecord {
            tags: Vec::new(),
            line: Some(("chess/line.uniform/2", None, 1, &[])),
            clocks: None,
            evaluations: None,
            reviews: None,
            annotations: Ok(vec![variation; 200_000].concat()),
            layout: Some("pgn"),
            patch: None,
            verbatim: None,
        };
        assert!(row.render().is_err_and(|why| why.contains("more moves than")));
    }
}
