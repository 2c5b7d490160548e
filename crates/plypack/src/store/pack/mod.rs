//! Packs one record, in four stages: read its text (`read`), code the moves (`code`), extract
//! values and reviews from what is between them (`values`), write everything again and compare
//! (`write`).

mod code;
mod fields;
mod read;
mod values;
mod write;

use std::borrow::Cow;
use std::sync::Arc;

use plypack_core::ErasedLineCodec;
use plypack_records::charset::Charset;
use plypack_records::{FALLBACK, Format, Layout, pgn};

use crate::store::facts::{Outcome, outcome_of_ending};
use crate::store::index::{Scan, head};
use crate::store::movetext::AnnotationKind;
use crate::store::row::{CodedLine, PackedRecord, Reason};
use crate::store::schema::START_TAG;
use code::{Coded, Coder};
use fields::Templates;
use read::{Draft, Original};
use values::Taken;
use write::Writer;

/// Packs records. It remembers the layouts and notation of earlier records, so its results depend
/// on them.
#[derive(Debug)]
pub struct Packer {
    coder: Coder,
    templates: Templates,
    writer: Writer,
    format: &'static dyn Format,
    scans: bool,
}

impl Packer {
    /// Makes a packer that codes moves with `codec`.
    #[must_use]
    pub fn new(codec: &'static dyn ErasedLineCodec) -> Self {
        let (coder, writer) = (Coder::new(codec), Writer::default());
        let templates = Templates::default();
        Self { coder, templates, writer, format: FALLBACK, scans: false }
    }

    /// Sets the format of the following records.
    pub fn read_as(&mut self, format: &'static dyn Format) {
        self.format = format;
    }

    /// Sets whether the following records are scanned for an index.
    pub fn scan(&mut self, scans: bool) {
        self.scans = scans;
    }

    /// Sets the codec of the following records' moves.
    pub fn code_with(&mut self, codec: &'static dyn ErasedLineCodec) {
        self.coder.switch(codec);
    }

    /// Packs one record, given its bytes and the text that they decode to. A `piece` of an overlong
    /// record is kept unread.
    #[must_use]
    pub fn pack<'a>(
        &mut self,
        bytes: &[u8],
        charset: Charset,
        text: &'a str,
        piece: bool,
    ) -> PackedRecord<'a> {
        let scans = self.scans;
        let unread = |reason| {
            let ending = || outcome_of_ending(None, &[], bytes);
            let scan = scans.then(|| Scan::of_head(head::of_tags(&|_| None, &ending)));
            PackedRecord { scan, ..PackedRecord::unread(reason) }
        };
        if piece {
            return unread(Reason::TooLong);
        }
        let (codec, original) = (self.coder.codec(), Original { bytes, charset, text });
        let game = codec.game();
        let mut draft = Draft::read(game, original, self.format);
        let coded = self.coder.code(&draft);
        let is_read = coded.plies() > 0 || !draft.record.tags.is_empty();
        if !is_read && is_binary(bytes) {
            return unread(Reason::NoText);
        }
        let taken = Taken::out_of(&draft, &coded, &mut self.templates);
        if !taken.found.ends_with_result {
            draft.record.result = None;
        }
        let written = self.writer.write(original, &draft, &coded, &taken, game.info());
        let ending = || match &written {
            Ok((layout, patch)) => outcome_of_ending(Some(&layout.to_string()), patch, bytes),
            Err(_) => outcome_of_ending(None, &[], bytes),
        };
        let scan = self.scans.then(|| scan(&draft, &coded, &taken, &ending));
        PackedRecord { scan, ..row(draft, coded, taken, written) }
    }
}

/// Returns whether bytes are binary: they contain a byte that no text has in any character set.
fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_some()
}

/// Scans a record for an index. Coded variations can be decoded again.
fn scan(
    draft: &Draft<'_>,
    coded: &Coded,
    taken: &Taken<'_>,
    ending: &dyn Fn() -> Option<Outcome>,
) -> Scan {
    let head = head::of_tags(&|name| draft.record.tag(name), ending);
    let Some(trunk) = coded.trunk() else { return Scan::of_head(head) };
    let start = draft.record.tag(START_TAG);
    let found = &taken.found;
    let reviews = found.reviews.iter().map(|(ply, _, moves)| (*ply, moves.iter().copied()));
    Scan::of_trunk(trunk, start, &found.annotations, reviews, head).unwrap_or_default()
}

/// Combines the results of all stages in a row.
fn row<'a>(
    draft: Draft<'a>,
    coded: Coded,
    taken: Taken<'a>,
    written: Result<(Arc<dyn Layout>, Vec<u8>), Reason>,
) -> PackedRecord<'a> {
    let mut tags = draft.record.tags;
    let tag_names = tags.iter().map(|tag| tag.0).collect();
    let has_line = coded.line.is_some();
    let start = tags.iter().position(|tag| has_line && tag.0 == START_TAG);
    let start = start.map(|at| tags.remove(at).1);
    let codec = coded.codec;
    let line =
        coded.line.map(|(line, _)| CodedLine { codec, start, plies: line.plies, code: line.code });
    let (layout, patch) = match written {
        Ok((layout, patch)) => (Ok(layout), patch),
        Err(reason) => (Err(reason), Vec::new()),
    };
    let Taken { found, clocks, evaluations, review_code: reviews, fields, .. } = taken;
    let mut annotations = found.annotations;
    if layout.as_ref().is_ok_and(|layout| layout.fills_comments()) {
        for comment in &mut annotations {
            if comment.kind == AnnotationKind::Comment && comment.text.contains('\n') {
                comment.text = Cow::Owned(pgn::unbroken(&comment.text));
            }
        }
    }
    PackedRecord {
        tags,
        tag_names,
        line,
        clocks,
        evaluations,
        reviews,
        fields,
        annotations,
        layout,
        patch,
        fault: coded.fault,
        scan: None,
    }
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
    fn comments_that_follow_a_pattern_leave_no_annotation() {
        let comments = ["e4 e5 Nf3", "e5 Nf3 Nc6 Bb5", "Nf3 Nc6", "Nc6 Bb5 a6", "Bb5 Nf6 O-O"];
        let moves = ["1. e4!", "1... e5", "2. Nf3 $14", "2... Nc6", "3. Bb5 { [%clk 0:01:00] }"];
        let game: Vec<String> = moves
            .iter()
            .zip(comments)
            .zip(0..)
            .map(|((mv, line), at)| format!("{mv} {{d=2{at}, pv={line}, wv=-0.1{at}}}"))
            .collect();
        let text = format!("[Result \"*\"]\n\n{} *\n\n", game.join(" "));
        let packed = pack(&text);
        let kinds: Vec<&str> = packed.annotations.iter().map(|a| a.kind.name()).collect();
        assert_eq!(kinds, ["suffix", "glyph"], "{packed:?}");
        let templates = packed.fields.as_ref().map(|fields| &*fields.0);
        assert!(templates.is_some_and(|text| text.contains("pv=%l, wv=%2n")), "{packed:?}");
        assert!(packed.patch.is_empty() && packed.clocks.is_some());
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
            // Unusual spelling; more moves in the variation; without the best move.
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
    fn lines_of_comments_are_the_layouts() {
        let talk = ["White", "is", "better"].repeat(20).join(" ");
        let text = format!("[Event \"a\"]\n\n1. e4 {{{talk}}} 1... e5 {{{talk}}} 2. Nf3 *\n\n");
        let (head, body) = text.split_at(13);
        let mut broken = String::new();
        for word in body.split(' ') {
            let column = broken.len() - broken.rfind('\n').map_or(0, |at| at + 1);
            if !broken.is_empty() {
                broken.push(if column + 1 + word.trim_end().len() > 79 { '\n' } else { ' ' });
            }
            broken.push_str(word);
        }
        let broken = format!("{head}{broken}");
        let packed = pack(&broken);
        let layout = packed.layout.as_ref().map(ToString::to_string);
        assert!(layout.is_ok_and(|layout| layout.contains("comments=whole")), "{packed:?}");
        assert!(packed.patch.is_empty(), "{broken} {packed:?}");
        let comments: Vec<&str> = packed.annotations.iter().map(|a| &*a.text).collect();
        assert_eq!(comments, [&talk, &talk]);
    }

    #[test]
    fn an_odd_space_is_a_patch_of_a_few_bytes() {
        let packed = pack("[Event \"a\"]\n\n1. e4 e5  2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n");
        assert!(packed.layout.is_ok(), "{packed:?}");
        assert!((1..8).contains(&packed.patch.len()), "{packed:?}");
    }
}
