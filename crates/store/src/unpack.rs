//! The way back of one record: from its row to its bytes.

use std::borrow::Cow;

use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS, Registry};
use plypack_core::{CodecRow, Cursor, ErasedGame, ErasedLineCodec, Notation, Texts, Trunk, Turn};
use plypack_reading::record::notation;
use plypack_records::{Layout, Rendering, Values, format};

use crate::movetext::{self, ReviewText, Style};
use crate::patch;
use crate::row::StoredRecord;

impl StoredRecord<'_> {
    /// The codec that coded this record's moves, by what the file says of it.
    ///
    /// # Errors
    /// If it is unknown: another version wrote it.
    pub fn codec(text: &str) -> Result<&'static dyn ErasedLineCodec, String> {
        plypack_games::stored_line_codec(text).map_err(|error| error.to_string())
    }

    /// The game that it is of, and a cursor at the start of its main line; `None` if it has no
    /// coded moves.
    ///
    /// # Errors
    /// What is wrong with the cell, in words.
    pub fn cursor(&self) -> Result<Option<(&'static dyn ErasedGame, BoxedCursor<'_>)>, String> {
        let Some((codec, start, plies, code)) = self.line else { return Ok(None) };
        let codec = Self::codec(codec)?;
        let cursor = codec.cursor(start, plies, code).map_err(|error| error.to_string())?;
        Ok(Some((codec.game(), cursor)))
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
        let layout = format::layout(text)?;
        let annotations = self.annotations.as_deref().map_err(|kind| {
            format!("annotations of the kind `{kind}` are unknown; a newer plypack wrote them")
        })?;
        let line = self.decode_line(&*layout, text)?;
        let trunk = line.trunk.as_deref();
        let style =
            Style { values: layout.values(), reviews: layout.reviews(), notation: line.notation };
        let values = self.decode_values(trunk)?;
        let reviews = self.decode_reviews(&values, style, trunk)?;
        let texts = &line.texts;
        let pieces = movetext::assemble(annotations, &values, &reviews, style, texts, trunk)?;
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

    /// The main line, in the notation of its layout.
    fn decode_line(&self, layout: &dyn Layout, text: &str) -> Result<Line, String> {
        let Some((codec, start, plies, code)) = self.line else { return Ok(Line::default()) };
        let codec = Self::codec(codec)?;
        let info = codec.game().info();
        let notation = notation(layout.notation(), info)
            .ok_or_else(|| format!("{} has no notation of layout `{text}`", info.title))?;
        let hinted = self.clocks.is_some() || self.evaluations.is_some();
        let decoded = codec.decode_trunk(start, plies, code, notation, hinted);
        let (texts, trunk) = decoded.map_err(|error| error.to_string())?;
        Ok(Line { texts, notation, turn: trunk.turn(), trunk: Some(trunk) })
    }

    /// The clock readings and evaluations of the main line.
    fn decode_values(&self, trunk: Option<&dyn Trunk<'_>>) -> Result<Vec<Values>, String> {
        let clocks = series_code(self.clocks, &CLOCKS)?;
        let evaluations = series_code(self.evaluations, &EVALUATIONS)?;
        let plies = self.line.map_or(0, |line| line.2);
        let valued = trunk.filter(|_| clocks.is_some() || evaluations.is_some());
        let hints = valued.map_or(Ok(&[][..]), |trunk| trunk.hints());
        let hints = hints.map_err(|error| error.to_string())?;
        movetext::decode_values(plies, clocks, evaluations, hints)
    }

    /// The reviews of the main line, whose values these are.
    fn decode_reviews(
        &self,
        values: &[Values],
        style: Style<'_>,
        trunk: Option<&dyn Trunk<'_>>,
    ) -> Result<Vec<ReviewText>, String> {
        let code = series_code(self.reviews, &REVIEWS)?;
        let Some((code, trunk)) = code.zip(trunk) else { return Ok(Vec::new()) };
        let plies = self.line.map_or(0, |line| line.2);
        movetext::decode_reviews(plies, values, code, style, trunk)
    }
}

/// A cursor, as a record gives it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movetext::{Annotation, AnnotationKind};

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
