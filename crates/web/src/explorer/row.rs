//! A row of a packed file, filled value by value as the page reads its columns.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use plypack::rows::facts::{self, Ending, outcome_of_bytes};
use plypack::rows::movetext::{Annotation, AnnotationKind};
use plypack::rows::{AnnotationFault, StoredRecord, hits, in_order, tag_value};
use plypack_core::Outcome;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use super::index::{Visits, number};
use super::position::Position;

/// A row, as far as it was read.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Row {
    tags: Vec<(String, String)>,
    tag_order: Option<String>,
    line: Option<Line>,
    /// Clock readings, evaluations, reviews, and comments that follow a pattern.
    series: [Option<(String, Vec<u8>)>; 4],
    templates: Option<String>,
    annotations: Vec<Note>,
    layout: Option<String>,
    patch: Option<Vec<u8>>,
    verbatim: Option<Vec<u8>>,
}

/// A main line.
#[derive(Debug)]
struct Line {
    codec: String,
    start: Option<String>,
    plies: u32,
    code: Vec<u8>,
}

/// An annotation.
#[derive(Debug)]
struct Note {
    skip: u32,
    kind: String,
    text: String,
    moves: Option<(u32, Vec<u8>)>,
}

/// Facts about a game.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Facts {
    /// The player of White, in xiangqi Red.
    pub white: String,
    /// The player of Black.
    pub black: String,
    /// White's rating, Black's rating, the year and the outcome; 0 if unknown.
    pub facts: Vec<u16>,
}

#[wasm_bindgen]
impl Row {
    /// Creates an empty row.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tag with a text value.
    pub fn tag(&mut self, name: &str, value: &str) {
        self.tags.push((name.into(), value.into()));
    }

    /// Adds a tag with a numeric column.
    pub fn number(&mut self, name: &str, value: i32) {
        let text = tag_value::write(tag_value::kind(name), value);
        self.tags.extend(text.map(|text| (name.into(), text.into_owned())));
    }

    /// Sets the order of the tags.
    pub fn order(&mut self, names: &str) {
        self.tag_order = Some(names.into());
    }

    /// Sets the main line.
    pub fn line(&mut self, codec: &str, start: Option<String>, plies: i32, code: Vec<u8>) {
        // A negative number is invalid; no codec accepts one this large.
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        self.line = Some(Line { codec: codec.into(), start, plies, code });
    }

    /// Sets the templates of comments.
    pub fn templates(&mut self, templates: &str) {
        self.templates = Some(templates.into());
    }

    /// Sets the clock readings, the evaluations, the reviews or the comments that follow a pattern:
    /// column 0, 1, 2 or 3.
    pub fn series(&mut self, column: usize, codec: &str, code: Vec<u8>) {
        if let Some(place) = self.series.get_mut(column) {
            *place = Some((codec.into(), code));
        }
    }

    /// Adds the next annotation; for a variation with the code of its moves.
    pub fn annotation(
        &mut self,
        skip: i32,
        kind: &str,
        text: &str,
        plies: i32,
        code: Option<Vec<u8>>,
    ) {
        let number = |plies: i32| u32::try_from(plies).unwrap_or(u32::MAX);
        self.annotations.push(Note {
            skip: number(skip),
            kind: kind.into(),
            text: text.into(),
            moves: code.map(|code| (number(plies), code)),
        });
    }

    /// Sets the layout.
    pub fn layout(&mut self, layout: &str) {
        self.layout = Some(layout.into());
    }

    /// Sets the patch.
    pub fn patch(&mut self, patch: Vec<u8>) {
        self.patch = Some(patch);
    }

    /// Sets the bytes kept verbatim.
    pub fn verbatim(&mut self, bytes: Vec<u8>) {
        self.verbatim = Some(bytes);
    }

    /// Restores the record's bytes, which have this checksum.
    ///
    /// # Errors
    /// Returns a message if the row is invalid.
    pub fn original(&self, checksum: u32) -> Result<Vec<u8>, JsError> {
        let bytes = self.stored().original(Some(checksum)).map(Cow::into_owned);
        bytes.map_err(JsError::from)
    }

    /// Finds a position in the main line: the plies that lead there, and the candidates played.
    ///
    /// # Errors
    /// Returns a message if the row is invalid.
    pub fn hits(&self, position: &Position) -> Result<Visits, JsError> {
        let stop = AtomicBool::new(false);
        let found = hits(&self.stored(), &position.target, false, &stop);
        let found = found?;
        Ok(Visits {
            games: found.iter().map(|hit| hit.ply).collect(),
            candidates: found.iter().map(|hit| number(hit.candidate)).collect(),
        })
    }

    /// The main line as candidates; `None` without one.
    ///
    /// # Errors
    /// Returns a message if the row is invalid.
    pub fn candidates(&self) -> Result<Option<Vec<u16>>, JsError> {
        let Some((codec, start, plies, code)) = self.stored().line else { return Ok(None) };
        Ok(Some(StoredRecord::codec(codec)?.decode_indices(start, plies, code)?))
    }

    /// Facts from the tags and, without a Result, from the layout and the bytes.
    pub fn told(&self) -> Facts {
        let record = self.stored();
        let tag = |name: &str| record.tags.iter().find(|tag| tag.0 == name).map(|tag| &*tag.1);
        let ending = || {
            let ending = record.layout.map_or(Ending::Open, Ending::of_layout);
            match ending.patched(record.patch.is_some()) {
                Ending::Told(told) => told,
                Ending::Open => outcome_of_bytes(&record.render().ok()?),
            }
        };
        let (fact, players) = facts::of_tags(&tag, &ending);
        let known = [fact.white_rating, fact.black_rating, fact.year];
        let mut numbers: Vec<u16> = known.into_iter().map(Option::unwrap_or_default).collect();
        numbers.push(Outcome::number(fact.outcome).into());
        Facts {
            white: players.white.unwrap_or_default(),
            black: players.black.unwrap_or_default(),
            facts: numbers,
        }
    }

    /// The tags in order, names and values alternating.
    pub fn tags(&self) -> Vec<String> {
        let tags = self.stored().tags.into_iter();
        tags.flat_map(|(name, value)| [name.to_owned(), value.into_owned()]).collect()
    }
}

impl Row {
    fn stored(&self) -> StoredRecord<'_> {
        let series = |at: usize| {
            let series = self.series.get(at).and_then(Option::as_ref);
            series.map(|(codec, code)| (codec.as_str(), code.as_slice()))
        };
        let line = self.line.as_ref();
        let start = line.and_then(|line| line.start.as_deref());
        let tags = self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str().into()));
        let mut tags = tags.collect();
        in_order(&mut tags, start, self.tag_order.as_deref());
        StoredRecord {
            tags,
            line: line.map(|line| (&*line.codec, start, line.plies, &*line.code)),
            clocks: series(0),
            evaluations: series(1),
            reviews: series(2),
            fields: series(3),
            templates: self.templates.as_deref(),
            annotations: self.annotations.iter().map(Note::stored).collect(),
            layout: self.layout.as_deref(),
            patch: self.patch.as_deref(),
            verbatim: self.verbatim.as_deref(),
        }
    }
}

impl Note {
    /// The annotation, or why it is unknown.
    fn stored(&self) -> Result<Annotation<'_>, AnnotationFault<'_>> {
        let moves = self.moves.as_ref();
        Ok(Annotation {
            skip: self.skip,
            kind: AnnotationKind::of_name(&self.kind).ok_or(AnnotationFault::Kind(&self.kind))?,
            text: Cow::Borrowed(&self.text),
            moves: moves.map(|(plies, code)| (*plies, Cow::Borrowed(&**code))),
        })
    }
}
