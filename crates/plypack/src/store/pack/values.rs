//! The third stage: splits up what is between the moves, and codes clock readings, evaluations and
//! reviews.

use plypack_core::codecs::fields::FIELDS;
use plypack_core::{Hint, Trunk};
use plypack_records::Values;
use plypack_records::pgn::{ReviewStyle, ValueStyle};

use super::code::Coded;
use super::fields::{Fields, Templates};
use super::read::Draft;
use crate::store::movetext::{self, Dissection, Style};

/// What was extracted from a record's movetext.
pub(super) struct Taken<'a> {
    /// How comments write values, if any were extracted.
    pub values: Option<ValueStyle>,
    /// How reviews are written, if any were extracted.
    pub reviews: Option<ReviewStyle>,
    /// What was extracted, and what is left.
    pub found: Dissection<'a>,
    /// The code of the clock readings.
    pub clocks: Option<Vec<u8>>,
    /// The code of the evaluations.
    pub evaluations: Option<Vec<u8>>,
    /// The code of the reviews.
    pub review_code: Option<Vec<u8>>,
    /// The templates and the code of the comments that follow a pattern.
    pub fields: Option<(String, Vec<u8>)>,
    /// Whether nothing is lost: all times outside of comments could be coded.
    pub complete: bool,
}

impl<'a> Taken<'a> {
    /// Extracts everything that can be coded from a record, given its coded main line.
    pub fn out_of(draft: &Draft<'a>, coded: &Coded, templates: &mut Templates) -> Self {
        let fields = templates.find(&draft.record.items, coded.plies(), coded.trunk());
        let fields = fields.unwrap_or_default();
        let trunk = coded.trunk().filter(|_| draft.branches || draft.is_valued());
        let mut taken = Self::dissect(draft, coded, trunk, true, &fields);
        if !taken.code_fields(&fields, coded) && !fields.comments.is_empty() {
            taken = Self::dissect(draft, coded, trunk, true, &Fields::default());
        }
        if !draft.times.is_empty() {
            taken.code_times(&draft.times, draft.decimals, trunk);
        } else if draft.values.is_some() && !taken.code_values(trunk) {
            // Without values, reviews could decode differently, so they are not extracted.
            let coded_fields = taken.fields.is_some();
            let fields = if coded_fields { fields } else { Fields::default() };
            let without = Self::dissect(draft, coded, trunk, false, &fields);
            taken = Self { fields: taken.fields, ..without };
        }
        taken
    }

    /// Codes the comments that follow a pattern. Returns whether that was possible.
    fn code_fields(&mut self, fields: &Fields<'a>, coded: &Coded) -> bool {
        let comments = &self.found.comments;
        let code = coded.trunk().zip(coded.texts()).filter(|_| !comments.is_empty());
        let code = code.and_then(|(trunk, texts)| {
            movetext::encode_comments(comments, &fields.templates, texts, trunk)
        });
        self.fields = code.map(|code| (fields.templates.clone(), code));
        self.fields.is_some()
    }

    /// Returns how values, reviews and moves are written.
    pub fn style(&self, coded: &Coded) -> Style<'_> {
        let reviews = self.reviews.as_ref();
        Style { values: self.values, reviews, notation: coded.notation }
    }

    /// Returns the comments that follow a pattern, one or none for each ply, from what is stored.
    pub fn comment_texts(
        &self,
        plies: u32,
        trunk: Option<&dyn Trunk<'_>>,
    ) -> Result<Vec<Option<String>>, String> {
        let Some(((templates, code), trunk)) = self.fields.as_ref().zip(trunk) else {
            return Ok(Vec::new());
        };
        movetext::decode_comments(plies, (FIELDS.newest, code), templates, trunk)
    }

    /// Splits the movetext, with or without extracting values and reviews.
    fn dissect(
        draft: &Draft<'a>,
        coded: &Coded,
        trunk: Option<&dyn Trunk<'_>>,
        valued: bool,
        fields: &Fields<'a>,
    ) -> Self {
        let comments = &fields.comments;
        let (record, plies, notation) = (&draft.record, coded.plies(), coded.notation);
        let values = draft.values.filter(|_| valued);
        let guessed = match trunk {
            Some(_) if valued && draft.layout.is_none() => ReviewStyle::guess(record, values),
            _ => None,
        };
        let style = Style { values, reviews: guessed.as_ref(), notation };
        let mut found = movetext::dissect(record, plies, trunk, style, comments);
        let review_code = match (&guessed, trunk) {
            (Some(style), Some(trunk)) if !found.reviews.is_empty() => {
                movetext::encode_reviews(&found, style, trunk)
            }
            _ => None,
        };
        if guessed.is_some() && review_code.is_none() {
            let style = Style { reviews: None, ..style };
            found = movetext::dissect(record, plies, trunk, style, comments);
        }
        let reviews = guessed.filter(|_| review_code.is_some());
        let (clocks, evaluations) = (None, None);
        let (fields, complete) = (None, true);
        Self { values, reviews, found, clocks, evaluations, review_code, fields, complete }
    }

    /// Codes the values from comments. Returns whether there are any and all could be coded.
    fn code_values(&mut self, trunk: Option<&dyn Trunk<'_>>) -> bool {
        let Some(hints) = hints(trunk) else { return false };
        let values = &self.found.values;
        let codes = self.values.and_then(|style| movetext::encode_values(values, style, hints));
        (self.clocks, self.evaluations) = codes.unwrap_or_default();
        self.clocks.is_some() || self.evaluations.is_some()
    }

    /// Codes times of moves outside of comments.
    fn code_times(&mut self, times: &[u32], decimals: u8, trunk: Option<&dyn Trunk<'_>>) {
        let clocks = times.iter().map(|&time| Some(time)).take(self.found.values.len());
        let values = clocks.map(|clock| Values { clock, evaluation: None });
        self.found.values = values.collect();
        let values = &self.found.values;
        self.clocks =
            hints(trunk).and_then(|hints| movetext::encode_times(values, decimals, hints));
        self.complete = self.clocks.is_some() || self.found.values.is_empty();
    }
}

/// Returns the hint of each ply; `None` if this build lacks the tables, as values coded without
/// hints would decode differently.
fn hints<'t>(trunk: Option<&'t dyn Trunk<'_>>) -> Option<&'t [Hint]> {
    trunk.map_or(Some(&[]), |trunk| trunk.hints().ok())
}

#[cfg(test)]
mod tests {
    use super::super::code::Coder;
    use super::super::read::Original;
    use super::*;
    use plypack_records::charset::Charset;
    use plypack_records::{FALLBACK, Format, format};

    /// Returns what is extracted from a record of a game.
    fn take<'a>(game: &str, format: &'static dyn Format, text: &'a str) -> (Taken<'a>, u32) {
        let codec = plypack_games::line_codec(game, "line.uniform").expect("it is registered");
        let original = Original { bytes: text.as_bytes(), charset: Charset::Utf8, text };
        let draft = Draft::read(codec.game(), original, format);
        let coded = Coder::new(codec).code(&draft);
        (Taken::out_of(&draft, &coded, &mut Templates::default()), coded.plies())
    }

    #[test]
    fn values_leave_the_comments_that_hold_nothing_else() {
        let text =
            "1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... e5 { well } 2. d4 { [%clk 0:02:58] } *\n";
        let (taken, plies) = take("chess", FALLBACK, text);
        assert!(taken.clocks.is_some() && taken.evaluations.is_some() && taken.complete);
        assert_eq!((plies, taken.found.values.len()), (3, 3));
        let kept: Vec<&str> = taken.found.annotations.iter().map(|a| a.text.as_ref()).collect();
        assert_eq!(kept, [" well "]);
    }

    #[test]
    fn a_record_without_values_has_no_codes() {
        let (taken, _) = take("chess", FALLBACK, "1. e4 { well } e5 (1... c5) *\n");
        assert!(taken.clocks.is_none() && taken.evaluations.is_none() && taken.values.is_none());
        assert!(taken.reviews.is_none() && taken.review_code.is_none());
        assert_eq!(taken.found.annotations.len(), 3);
    }

    #[test]
    fn reviews_come_out_with_the_values_that_they_are_judged_by() {
        let text = "1. e4 { [%eval 0.1] } 1... f6?! { (0.10 → 0.75) Inaccuracy. e5 was best. } \
                    { [%eval 0.75] } (1... e5 2. Nf3) 2. d4 { [%eval 0.8] } *\n";
        let (taken, _) = take("chess", FALLBACK, text);
        assert!(taken.review_code.is_some() && taken.reviews.is_some(), "{:?}", taken.found);
        assert!(taken.found.annotations.is_empty(), "{:?}", taken.found.annotations);
    }

    #[test]
    fn times_of_a_format_become_clock_readings() {
        let psq = format("psq").expect("it is registered");
        let text = "Piskvorky 20x20, 7:0, 1\n8,8,120\n9,9,3\n10,8,44\na.exe\nb.zip\n0\n";
        let (taken, plies) = take("gomoku", psq, text);
        assert_eq!((plies, taken.complete), (3, true));
        let clocks: Vec<_> = taken.found.values.iter().map(|values| values.clock).collect();
        assert_eq!(clocks, [Some(120), Some(3), Some(44)]);
        assert!(taken.clocks.is_some() && taken.evaluations.is_none());
    }
}
