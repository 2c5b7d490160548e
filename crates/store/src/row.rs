//! One record between its bytes and its columns, in both directions.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use plypack_core::codecs::series;
use plypack_core::{EncodedLine, ErasedLineCodec, Error as LineError, Notation, Texts, Turn};
use plypack_reading::game::is_variant;
use plypack_reading::record::{self as reading, begins_with_move, name_of, notation};
use plypack_records::charset::{self, Charset};
use plypack_records::pgn::{ReviewStyle, ValueStyle};
use plypack_records::{
    FALLBACK, Format, ItemKind as Kind, Layout, Reading, Record, Rendering, Sketch, Values,
};

use crate::movetext::{self, Annotation, AnnotationKind, ReviewText, Style};
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
    pub layout: Result<Arc<dyn Layout>, Reason>,
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
    layouts: Vec<Arc<dyn Layout>>,
    /// The notation of the last record that was not in coordinates.
    notation: Notation,
    format: &'static dyn Format,
}

/// How many layouts a packer remembers.
const LAYOUTS_KEPT: usize = 12;

/// A patch this small, in bytes, is not worth the search for a better layout.
const PATCH_SMALL: usize = 24;

impl Packer {
    /// A packer that codes moves with `codec`.
    #[must_use]
    pub fn new(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { codec, layouts: Vec::new(), notation: Notation::Customary, format: FALLBACK }
    }

    /// A packer of records of inputs in this format.
    #[must_use]
    pub fn of(self, format: &'static dyn Format) -> Self {
        Self { format, ..self }
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
        let (format, reading) = reading::read(self.codec.game(), text, charset, self.format);
        let Reading { mut record, layout, place, times, decimals } = reading;
        drop_repeated_tags(&mut record);
        let info = self.codec.game().info();
        let usual = layout.as_ref().and_then(|layout| notation(layout.notation(), info));
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
                self.codec.trunk(record.tag(START_TAG), &mut texts.iter()).ok()
            }
            _ => None,
        };
        let trunk = trunk.as_deref();
        let plies = line.as_ref().map_or(0, |line| line.encoded.plies);
        let notation = line.as_ref().map_or(Notation::Customary, |line| line.notation);
        let reviews = match layout {
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
        let hints = trunk.filter(|_| valued).map(|trunk| trunk.hints()).unwrap_or_default();
        let mut timed = true;
        if !times.is_empty() {
            let clocks = times.iter().map(|&time| Some(time)).take(found.values.len());
            let values = clocks.map(|clock| Values { clock, evaluation: None });
            found.values = values.collect();
            packed.clocks = movetext::encode_times(&found.values, decimals, &hints);
            timed = packed.clocks.is_some() || found.values.is_empty();
        }
        let codes = match style.values {
            Some(style) => movetext::encode_values(&found.values, style, &hints),
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
        let Turn { number, second } = turn;
        let pieces = assembled.as_deref().unwrap_or_default();
        let pieces: Vec<_> = pieces.iter().map(|(kind, text)| (*kind, text.as_ref())).collect();
        let (tags, values) = (&record.tag_list(), &found.values);
        let said = Rendering { tags, pieces: &pieces, values, number, second };
        if assembled.is_err() {
            packed.layout = Err(Reason::Layout);
        } else if let Some(layout) = layout {
            let rendered = layout.render(&said).filter(|_| timed);
            let patch = rendered.and_then(|rendered| match place {
                Some(place) => place_patch(&rendered, bytes, text, place, charset),
                None => patch::make_short(&rendered, bytes, bytes.len()),
            });
            (packed.layout, packed.patch) = match patch {
                Some(patch) => (Ok(layout.into()), patch),
                None => (Err(Reason::Layout), Vec::new()),
            };
        } else {
            let moves: Vec<&str> = texts.iter().collect();
            let sketch = Sketch {
                text,
                charset,
                record: &record,
                moves: &moves,
                notation: name_of(style.notation, info),
                values: style.values,
                reviews: style.reviews,
                second,
            };
            let layout = self.find_layout(&Unlaid { format, bytes, sketch, said });
            (packed.layout, packed.patch) = match layout {
                Some((layout, patch)) => (Ok(layout), patch),
                None => (Err(Reason::Layout), Vec::new()),
            };
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
    fn find_layout(&mut self, sketch: &Unlaid<'_>) -> Option<(Arc<dyn Layout>, Vec<u8>)> {
        let fits =
            |layout: &Arc<dyn Layout>| sketch.render(layout).as_deref() == Some(sketch.bytes);
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
        let guesses = sketch.format.guess(&sketch.sketch).into_iter();
        let mut layouts: Vec<Arc<dyn Layout>> = guesses.map(Arc::from).collect();
        let exact = layouts.iter().position(fits);
        layouts.extend(self.layouts.iter().cloned());
        let (layout, patch) = match exact {
            Some(exact) => (layouts.swap_remove(exact), Vec::new()),
            None => {
                let (at, patch) = smallest_patch(&layouts, sketch, limit)?;
                (layouts.swap_remove(at), patch)
            }
        };
        let text = layout.to_string();
        self.layouts.retain(|known| known.to_string() != text);
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

/// The layout that comes closest to a record's bytes, by what agrees at either end, and what it
/// gives.
fn closest(layouts: &[Arc<dyn Layout>], sketch: &Unlaid<'_>) -> Option<(usize, Vec<u8>)> {
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
    layouts: &[Arc<dyn Layout>],
    sketch: &Unlaid<'_>,
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
struct Unlaid<'a> {
    format: &'static dyn Format,
    bytes: &'a [u8],
    sketch: Sketch<'a>,
    said: Rendering<'a>,
}

impl Unlaid<'_> {
    /// The record as a layout gives it; `None` if the layout is for another kind of record.
    fn render(&self, layout: &Arc<dyn Layout>) -> Option<Vec<u8>> {
        let Sketch { notation, values, reviews, .. } = self.sketch;
        let style = (layout.notation(), layout.values(), layout.reviews());
        if style == (notation, values, reviews) { layout.render(&self.said) } else { None }
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
    /// The codec that coded this record's moves.
    ///
    /// # Errors
    /// If it is unknown: a newer version may have written it.
    pub fn codec(name: &str) -> Result<&'static dyn ErasedLineCodec, String> {
        name.split_once('/')
            .and_then(|(game, codec)| plypack_games::line_codec(game, codec))
            .ok_or_else(|| unknown_codec(name))
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
        let layout = plypack_records::format::layout(text)?;
        let notation = match self.line {
            Some((codec, ..)) => {
                let info = Self::codec(codec)?.game().info();
                reading::notation(layout.notation(), info)
                    .ok_or_else(|| format!("{} has no notation of layout `{text}`", info.title))?
            }
            None => Notation::Customary,
        };
        let annotations = self.annotations.as_deref().map_err(|kind| {
            format!("annotations of the kind `{kind}` are unknown; a newer plypack wrote them")
        })?;
        let clocks = series_code(self.clocks, series::CLOCK_INFO.name)?;
        let evaluations = series_code(self.evaluations, series::EVALUATION_INFO.name)?;
        let (texts, turn) = self.moves(notation)?;
        let timed = clocks.is_some() || evaluations.is_some();
        let branches = annotations.iter().any(|a| a.kind == AnnotationKind::Open);
        let trunk = match self.line {
            Some((codec, start, ..)) if branches || self.reviews.is_some() || timed => {
                let trunk = Self::codec(codec)?.trunk(start, &mut texts.iter());
                Some(trunk.map_err(|error| error.to_string())?)
            }
            _ => None,
        };
        let plies = self.line.map_or(0, |line| line.2);
        let trunk = trunk.as_deref();
        let hints = trunk.filter(|_| timed).map(|trunk| trunk.hints()).unwrap_or_default();
        let values = movetext::decode_values(plies, clocks, evaluations, &hints)?;
        let style = Style { values: layout.values(), reviews: layout.reviews(), notation };
        let reviews = series_code(self.reviews, series::REVIEW_INFO.name)?;
        let reviews = match reviews.zip(trunk) {
            Some((code, trunk)) => movetext::decode_reviews(plies, &values, code, style, trunk)?,
            None => Vec::new(),
        };
        let pieces = movetext::assemble(annotations, &values, &reviews, style, &texts, trunk)?;
        let pieces: Vec<_> = pieces.iter().map(|(kind, text)| (*kind, text.as_ref())).collect();
        let tags: Vec<_> = self.tags.iter().map(|tag| (tag.0, tag.1.as_ref())).collect();
        let (tags, pieces, values) = (&tags, &pieces, &values);
        let Turn { number, second } = turn;
        let bytes = layout.render(&Rendering { tags, pieces, values, number, second });
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

/// The code of a series whose codec must be this one.
fn series_code<'a>(
    series: Option<(&str, &'a [u8])>,
    codec: &str,
) -> Result<Option<&'a [u8]>, String> {
    match series {
        Some((name, _)) if name != codec => Err(unknown_codec(name)),
        series => Ok(series.map(|(_, code)| code)),
    }
}

fn unknown_codec(name: &str) -> String {
    format!("codec `{name}` is unknown; a newer plypack wrote it")
}

/// Whether an annotation, the last of its record, is movetext from a move on that could not be
/// coded. Other words that were not understood do not begin with what could be a move.
#[must_use]
pub fn is_tail(kind: &str, text: &str) -> bool {
    kind == AnnotationKind::Other.name() && begins_with_move(text)
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
            Some(("othello/line.text", None, 2, &b"f5 d6"[..])),
            Some(("gomoku/line.text", None, 2, &b"o15 a1"[..])),
            Some(("chess/line.text", None, 2, &b"e4 e5"[..])),
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
            line: Some(("chess/line.uniform", None, 1, &[])),
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
