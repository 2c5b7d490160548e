//! Restores the bytes of a record from its row.

use std::borrow::Cow;

use crate::reading::record::notation;
#[cfg(feature = "series")]
use plypack_core::CodecRow;
#[cfg(feature = "series")]
use plypack_core::codecs::fields::FIELDS;
#[cfg(feature = "series")]
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS, Registry};
use plypack_core::{Cursor, ErasedLineCodec, ErasedRules, GameInfo, Notation, Texts, Trunk, Turn};
use plypack_records::{ItemKind, Layout, Rendering, Values, format};

use crate::rows::error::RowError;
#[cfg(feature = "series")]
use crate::rows::movetext::AnnotationKind;
use crate::rows::movetext::{self, Annotation, ReviewText, Style};
use crate::rows::row::{AnnotationFault, StoredRecord};
use crate::rows::{patch, prose};

impl StoredRecord<'_> {
    /// The line codec that a file names with this text.
    ///
    /// # Errors
    /// Returns an error if it is unknown, because another version wrote it.
    pub fn codec(text: &str) -> Result<&'static dyn ErasedLineCodec, RowError> {
        Ok(plypack_games::stored_line_codec(text)?)
    }

    /// The record's game, and a cursor at the start of its main line; `None` if it has no coded
    /// moves.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the cell.
    pub fn cursor(&self) -> Result<Option<(&'static dyn ErasedRules, BoxedCursor<'_>)>, RowError> {
        let Some((codec, start, plies, code)) = self.line else { return Ok(None) };
        let codec = Self::codec(codec)?;
        Ok(Some((codec.game(), codec.cursor(start, plies, code)?)))
    }

    /// The record's bytes.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the row.
    pub fn render(&self) -> Result<Cow<'_, [u8]>, RowError> {
        if let Some(verbatim) = self.verbatim {
            return Ok(Cow::Borrowed(verbatim));
        }
        let text = self.layout.ok_or("it has neither a layout nor its bytes")?;
        let layout = format::layout(text)?;
        let annotations = self.known_annotations()?;
        let line = self.decode_line(|info| {
            let why = || format!("{} has no notation for layout `{text}`", info.title);
            notation(layout.notation(), info).ok_or_else(|| why().into())
        })?;
        let trunk = line.trunk.as_deref();
        let style =
            Style { values: layout.values(), reviews: layout.reviews(), notation: line.notation };
        let (values, _) = self.decode_values(trunk)?;
        let reviews = self.decode_reviews(&values, style, trunk)?;
        let texts = &line.texts;
        let comments = &self.decode_comments(trunk)?;
        let pieces =
            movetext::assemble(annotations, &values, comments, &reviews, style, texts, trunk)?;
        let pieces: Vec<_> = pieces.iter().map(|(kind, text)| (*kind, text.as_ref())).collect();
        let tags: Vec<_> = self.tags.iter().map(|tag| (tag.0, tag.1.as_ref())).collect();
        let (tags, pieces, values) = (&tags, &pieces, &values);
        let Turn { number, second } = line.turn;
        let bytes = layout.render(&Rendering { tags, pieces, values, number, second });
        let bytes = bytes.ok_or("what it holds does not fit its layout")?;
        match self.patch {
            None => Ok(Cow::Owned(bytes)),
            Some(patch) => {
                Ok(Cow::Owned(patch::apply(&bytes, patch).ok_or("its patch does not fit")?))
            }
        }
    }

    /// The record's bytes, if they have this checksum.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the row.
    pub fn original(&self, checksum: Option<u32>) -> Result<Cow<'_, [u8]>, RowError> {
        self.render().and_then(|bytes| match crc32fast::hash(&bytes) {
            sum if Some(sum) == checksum => Ok(bytes),
            _ => Err(RowError::Checksum),
        })
    }

    /// The contents of the record's movetext, with moves in `notation`, whatever its layout.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the row.
    pub fn movetext(&self, notation: Notation) -> Result<Movetext, RowError> {
        let layout = self.layout.map(format::layout).transpose()?;
        let layout = layout.as_deref();
        let line = self.decode_line(|_| Ok(notation))?;
        let trunk = line.trunk.as_deref();
        let (mut values, decimals) = self.decode_values(trunk)?;
        let reviews = layout.and_then(Layout::reviews);
        let style = Style { values: None, reviews, notation };
        // Without a layout, the wording of reviews is unknown.
        let reviews = match reviews {
            Some(_) => self.decode_reviews(&values, style, trunk)?,
            None => Vec::new(),
        };
        let (annotations, texts) = (self.known_annotations()?, &line.texts);
        let comments = &self.decode_comments(trunk)?;
        let pieces =
            movetext::assemble(annotations, &values, comments, &reviews, style, texts, trunk)?;
        let pieces = pieces.into_iter().map(|(kind, text)| (kind, text.into_owned())).collect();
        let took = layout.is_some_and(|layout| layout.values().is_none());
        if layout.is_none() {
            // The meaning of clock readings is unknown, too.
            values.iter_mut().for_each(|values| values.clock = None);
        }
        Ok(Movetext { pieces, values, decimals, took })
    }

    /// The lines of its reviews: the ply of the main line that each replaces, counted from 1, and
    /// its moves.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the row.
    pub fn review_lines(&self) -> Result<Vec<(u32, Texts)>, RowError> {
        if self.reviews.is_none() {
            return Ok(Vec::new());
        }
        let layout = self.layout.map(format::layout).transpose()?;
        let layout = layout.as_deref();
        let line = self.decode_line(|_| Ok(Notation::Customary))?;
        let trunk = line.trunk.as_deref();
        let (values, _) = self.decode_values(trunk)?;
        let reviews = layout.and_then(Layout::reviews);
        let style = Style { values: None, reviews, notation: Notation::Customary };
        let reviews = self.decode_reviews(&values, style, trunk)?;
        Ok(reviews.into_iter().map(|review| (review.ply, review.moves)).collect())
    }

    /// The annotations, if this version knows all of them.
    ///
    /// # Errors
    /// Returns an error that names the unknown kind, or says that their texts are missing.
    pub fn known_annotations(&self) -> Result<&[Annotation<'_>], RowError> {
        let unknown = |fault: &AnnotationFault<'_>| match fault {
            AnnotationFault::Kind(kind) => RowError::Annotation { kind: (*kind).to_owned() },
            AnnotationFault::Prose => prose::MISSING.into(),
        };
        self.annotations.as_deref().map_err(unknown)
    }

    /// The main line, in the notation that `notation` chooses for its game.
    fn decode_line(
        &self,
        notation: impl FnOnce(&GameInfo) -> Result<Notation, RowError>,
    ) -> Result<Line, RowError> {
        let Some((codec, start, plies, code)) = self.line else { return Ok(Line::default()) };
        let codec = Self::codec(codec)?;
        let notation = notation(codec.game().info())?;
        let hinted = self.clocks.is_some() || self.evaluations.is_some();
        let (texts, trunk) = codec.decode_trunk(start, plies, code, notation, hinted)?;
        Ok(Line { texts, notation, turn: trunk.turn(), trunk: Some(trunk) })
    }
}

#[cfg(feature = "series")]
impl StoredRecord<'_> {
    /// The clock readings and evaluations of the main line, and the number of decimals of a second
    /// in readings.
    fn decode_values(&self, trunk: Option<&dyn Trunk<'_>>) -> Result<(Vec<Values>, u8), RowError> {
        let clocks = series_code(self.clocks, &CLOCKS)?;
        let evaluations = series_code(self.evaluations, &EVALUATIONS)?;
        let plies = self.line.map_or(0, |line| line.2);
        let valued = trunk.filter(|_| clocks.is_some() || evaluations.is_some());
        let hints = valued.map_or(Ok(&[][..]), |trunk| trunk.hints())?;
        Ok(movetext::decode_values(plies, clocks, evaluations, hints)?)
    }

    /// The reviews of the main line, which has these values.
    fn decode_reviews(
        &self,
        values: &[Values],
        style: Style<'_>,
        trunk: Option<&dyn Trunk<'_>>,
    ) -> Result<Vec<ReviewText>, RowError> {
        let code = series_code(self.reviews, &REVIEWS)?;
        let Some((code, trunk)) = code.zip(trunk) else { return Ok(Vec::new()) };
        let plies = self.line.map_or(0, |line| line.2);
        Ok(movetext::decode_reviews(plies, values, code, style, trunk)?)
    }

    /// The comments on moves of the main line, each with the ply of its move, counted from 1. Those
    /// that follow a pattern come first, without the lines of moves in them.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with their code or their templates.
    pub fn remarks(&self) -> Result<Vec<(u32, Cow<'_, str>)>, RowError> {
        let mut found = Vec::new();
        if let Some((codec, code)) = self.fields {
            let codec = FIELDS.stored(codec)?;
            let plies = self.line.map_or(0, |line| line.2);
            let templates = self.templates.ok_or(NO_TEMPLATES)?;
            let comments = movetext::decode_remarks(plies, (codec, code), templates)?;
            let comments = (1..).zip(comments);
            found.extend(comments.filter_map(|(ply, text)| Some((ply, Cow::Owned(text?)))));
        }
        let (mut ply, mut depth) = (0u32, 0u32);
        for annotation in self.known_annotations()? {
            if depth == 0 {
                ply = ply.saturating_add(annotation.skip);
            }
            match annotation.kind {
                AnnotationKind::Open => depth = depth.saturating_add(1),
                AnnotationKind::Close => depth = depth.saturating_sub(1),
                AnnotationKind::Comment if depth == 0 && ply > 0 => {
                    found.push((ply, Cow::Borrowed(&*annotation.text)));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// The comments of the main line that follow a pattern, one or none for each ply.
    fn decode_comments(
        &self,
        trunk: Option<&dyn Trunk<'_>>,
    ) -> Result<Vec<Option<String>>, String> {
        let Some(((codec, code), trunk)) = self.fields.zip(trunk) else { return Ok(Vec::new()) };
        let codec = FIELDS.stored(codec).map_err(|error| error.to_string())?;
        let templates = self.templates.ok_or(NO_TEMPLATES)?;
        let plies = self.line.map_or(0, |line| line.2);
        movetext::decode_comments(plies, (codec, code), templates, trunk)
    }
}

#[cfg(feature = "series")]
const NO_TEMPLATES: &str = "its comments have no templates";

#[cfg(not(feature = "series"))]
impl StoredRecord<'_> {
    fn decode_values(&self, _: Option<&dyn Trunk<'_>>) -> Result<(Vec<Values>, u8), RowError> {
        match (self.clocks, self.evaluations) {
            (None, None) => Ok((Vec::new(), 0)),
            _ => Err("this build cannot read clock readings and evaluations".into()),
        }
    }

    fn decode_reviews(
        &self,
        _: &[Values],
        _: Style<'_>,
        _: Option<&dyn Trunk<'_>>,
    ) -> Result<Vec<ReviewText>, RowError> {
        match self.reviews {
            None => Ok(Vec::new()),
            Some(_) => Err("this build cannot read reviews".into()),
        }
    }

    fn decode_comments(&self, _: Option<&dyn Trunk<'_>>) -> Result<Vec<Option<String>>, String> {
        match self.fields {
            None => Ok(Vec::new()),
            Some(_) => Err("this build cannot read comments that follow a pattern".into()),
        }
    }
}

/// The contents of a record's movetext.
#[derive(Debug)]
pub struct Movetext {
    /// Its pieces, in canonical order. The values of the main line are not among them.
    pub pieces: Vec<(ItemKind, String)>,
    /// The values of the main line's moves; those of the last moves may be missing.
    pub values: Vec<Values>,
    /// The number of decimals of a second in clock readings.
    pub decimals: u8,
    /// Whether a clock reading is the time taken for the move, not the time left.
    pub took: bool,
}

/// A cursor that a record gives.
type BoxedCursor<'a> = Box<dyn Cursor<'a> + 'a>;

/// A main line, decoded.
struct Line {
    texts: Texts,
    notation: Notation,
    turn: Turn,
    /// Its positions; `None` if there is no line.
    trunk: Option<Box<dyn Trunk<'static>>>,
}

impl Default for Line {
    fn default() -> Self {
        let turn = Turn { number: 1, second: false };
        Self { texts: Texts::default(), notation: Notation::Customary, turn, trunk: None }
    }
}

/// The codec and the code of a series.
#[cfg(feature = "series")]
fn series_code<'a, C>(
    series: Option<(&str, &'a [u8])>,
    registry: &'static Registry<C>,
) -> Result<Option<(&'static C, &'a [u8])>, RowError>
where
    &'static C: CodecRow,
{
    let Some((codec, code)) = series else { return Ok(None) };
    if !cfg!(feature = "series") {
        return Err(
            "this build lacks the tables for clock readings, evaluations and reviews".into()
        );
    }
    Ok(Some((registry.stored(codec)?, code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::movetext::AnnotationKind;

    /// Mismatched columns give an error, or a record whose checksum does not match.
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
                    fields: None,
                    templates: None,
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

    /// A variation of a few bytes in a file would be 65,536 moves in memory.
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
            fields: None,
            templates: None,
            annotations: Ok(vec![variation; 200_000].concat()),
            layout: Some("pgn"),
            patch: None,
            verbatim: None,
        };
        assert!(row.render().is_err_and(|why| why.to_string().contains("more moves than")));
    }
}
