//! Assembles movetext.

use std::borrow::Cow;
use std::iter::Peekable;

use plypack_core::{Texts, Trunk};
use plypack_records::{self as records, ItemKind as Kind, Values};

use super::{Annotation, AnnotationKind, NESTING_MAX, Piece, ReviewText, Style};
use crate::rows::RECORD_BYTES_MAX;

/// The most plies of all variations of a record together: each takes at least a letter and a space.
/// A code may be empty for any number of plies, so only this bounds what decoding allocates.
const VARIATION_PLIES_MAX: u64 = RECORD_BYTES_MAX as u64 / 2;

/// Refuses more variations than a record can have.
///
/// # Errors
/// Returns an error if the variations have more moves than a record can have.
pub fn check_variations(annotations: &[Annotation<'_>]) -> Result<(), &'static str> {
    let variations = annotations.iter().filter_map(|annotation| annotation.moves.as_ref());
    if variations.map(|(plies, _)| u64::from(*plies)).sum::<u64>() > VARIATION_PLIES_MAX {
        return Err("its variations have more moves than a record can have");
    }
    Ok(())
}

/// Assembles movetext from its parts.
///
/// # Errors
/// Returns an error that says what is wrong with the annotations.
pub fn assemble<'a>(
    annotations: &'a [Annotation<'_>],
    values: &[Values],
    comments: &'a [Option<String>],
    reviews: &'a [ReviewText],
    style: Style<'a>,
    moves: &'a Texts,
    trunk: Option<&dyn Trunk<'_>>,
) -> Result<Vec<Piece<'a>>, String> {
    check_variations(annotations)?;
    let mut assembler = Assembler {
        annotations: annotations.iter(),
        values: values.iter(),
        comments: comments.iter(),
        reviews: reviews.iter().peekable(),
        style,
        pieces: Vec::with_capacity(moves.len() + annotations.len() + values.len()),
        ply: 0,
        evaluation: None,
        waiting: None,
        comment: None,
    };
    assembler.line(&mut moves.iter().map(Cow::Borrowed), trunk, 0)?;
    Ok(assembler.pieces)
}

struct Assembler<'a, 'v, 's> {
    annotations: std::slice::Iter<'a, Annotation<'s>>,
    values: std::slice::Iter<'v, Values>,
    comments: std::slice::Iter<'a, Option<String>>,
    reviews: Peekable<std::slice::Iter<'a, ReviewText>>,
    style: Style<'a>,
    pieces: Vec<Piece<'a>>,
    /// The number of moves of the main line that are written, and the evaluation of the last one.
    ply: u32,
    evaluation: Option<records::Evaluation>,
    /// The values of the last move, until its suffix and glyphs are written.
    waiting: Option<Values>,
    /// Its comment that follows a pattern, until its values are written.
    comment: Option<&'a str>,
}

impl<'a> Assembler<'a, '_, '_> {
    fn line(
        &mut self,
        rest: &mut dyn Iterator<Item = Cow<'a, str>>,
        trunk: Option<&dyn Trunk<'_>>,
        depth: u32,
    ) -> Result<(), String> {
        let main = depth == 0;
        if depth > NESTING_MAX {
            return Err("its variations are nested too deeply".into());
        }
        let mut ply = 0;
        while let Some(annotation) = self.annotations.next() {
            for _ in 0..annotation.skip {
                let mv = rest.next().ok_or("an annotation comes after the last move")?;
                self.mv(mv, main)?;
                ply += 1;
            }
            let kind = annotation.kind;
            if !matches!(kind, AnnotationKind::Suffix | AnnotationKind::Glyph) {
                self.write_waiting();
            }
            let text: &'a str = match kind {
                AnnotationKind::Open => "(",
                AnnotationKind::Close => ")",
                _ => &annotation.text,
            };
            self.pieces.push((kind.piece(), text.into()));
            match kind {
                AnnotationKind::Open => {
                    let (plies, code) =
                        annotation.moves.as_ref().ok_or("a variation has no moves")?;
                    let trunk = trunk.ok_or("a variation has no main line")?;
                    let (texts, branch) = trunk
                        .decode_branch(ply, *plies, code, self.style.notation)
                        .map_err(|error| error.to_string())?;
                    let mut owned = texts.iter().map(|text| Cow::Owned(text.to_owned()));
                    self.line(&mut owned, Some(&*branch), depth + 1)?;
                }
                AnnotationKind::Close if main => return Err("a variation ends twice".into()),
                AnnotationKind::Close => return Ok(()),
                _ => {}
            }
        }
        for mv in rest {
            self.mv(mv, main)?;
        }
        self.write_waiting();
        Ok(())
    }

    fn mv(&mut self, mv: Cow<'a, str>, main: bool) -> Result<(), String> {
        self.write_waiting();
        self.pieces.push((Kind::Move, mv));
        if !main {
            return Ok(());
        }
        self.ply += 1;
        self.waiting = self.values.next().copied();
        self.comment = self.comments.next().and_then(Option::as_deref);
        let before = self.evaluation;
        self.evaluation = self.waiting.and_then(|values| values.evaluation);
        match self.reviews.next_if(|review| review.ply == self.ply) {
            Some(review) => self.review(review, before),
            None => Ok(()),
        }
    }

    /// Writes the review of the last move, whose values are still to be written, given the
    /// evaluation before it.
    fn review(
        &mut self,
        review: &'a ReviewText,
        before: Option<records::Evaluation>,
    ) -> Result<(), String> {
        let ReviewText { class, moves, .. } = review;
        let style = self.style.reviews.ok_or("its layout has no review style")?;
        let best = moves.iter().next().ok_or("a review has no moves")?;
        let wording = style.comment(*class, best, before, self.evaluation);
        let (mark, wording) =
            style.mark(*class).zip(wording).ok_or("the evaluations of a review are missing")?;
        self.pieces.push((mark.0, mark.1.into()));
        if style.wording_first {
            self.pieces.push((Kind::Comment, wording.into()));
            self.write_waiting();
        } else {
            self.write_waiting();
            self.pieces.push((Kind::Comment, wording.into()));
        }
        self.pieces.push((Kind::Open, "(".into()));
        self.pieces.extend(moves.iter().map(|mv| (Kind::Move, Cow::Borrowed(mv))));
        self.pieces.push((Kind::Close, ")".into()));
        Ok(())
    }

    fn write_waiting(&mut self) {
        let values = self.waiting.take().filter(|values| *values != Values::default());
        if let Some((values, style)) = values.zip(self.style.values) {
            let mut text = String::new();
            style.write(values, &mut text);
            self.pieces.push((Kind::Comment, text.into()));
        }
        let comment = self.comment.take().map(|text| (Kind::Comment, text.into()));
        self.pieces.extend(comment);
    }
}
