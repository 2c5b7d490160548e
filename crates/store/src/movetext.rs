//! Movetext between its pieces and its columns: moves go into codes, clock readings and
//! evaluations into series, what servers say of moves into reviews, and what is left into a list of
//! annotations.

use std::borrow::Cow;
use std::iter::Peekable;

use plypack_bits::varint;
use plypack_core::codecs::series::{self, Evaluation, Review};
use plypack_core::{EncodedLine, Hint, Notation, Texts, Trunk};
use plypack_records::pgn::{ReviewStyle, ValueStyle};
use plypack_records::{self as records, Item, ItemKind as Kind, Record, Values};

use crate::schema::RECORD_BYTES_MAX;

/// How deep variations may nest before they are kept as text.
const NESTING_MAX: u32 = 64;

/// The most plies that the variations of a record have together: each takes a letter and a space.
/// A code may be empty whatever its plies, so these alone bound what decoding allocates.
const VARIATION_PLIES_MAX: u64 = RECORD_BYTES_MAX as u64 / 2;

/// A piece of movetext: its kind and text, as layouts write them.
pub type Piece<'a> = (Kind, Cow<'a, str>);

/// Something between the moves of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation<'a> {
    /// The plies of the same line since the annotation before, or since the line's beginning.
    pub skip: u32,
    /// What it is.
    pub kind: AnnotationKind,
    /// Its text; empty for the ends of variations.
    pub text: Cow<'a, str>,
    /// The moves of a variation that begins: how many, and their code.
    pub moves: Option<(u32, Cow<'a, [u8]>)>,
}

/// What an annotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationKind {
    /// `!`, `?` and their pairs.
    Suffix,
    /// `$14`.
    Glyph,
    /// A comment in braces.
    Comment,
    /// A comment to the end of the line.
    LineComment,
    /// A variation begins: it replaces the last move.
    Open,
    /// The variation ends.
    Close,
    /// Words that were not understood. Whatever follows the last move that was, too.
    Other,
}

impl AnnotationKind {
    const ALL: [(Self, &'static str, Kind); 7] = [
        (Self::Suffix, "suffix", Kind::Suffix),
        (Self::Glyph, "glyph", Kind::Glyph),
        (Self::Comment, "comment", Kind::Comment),
        (Self::LineComment, "line comment", Kind::LineComment),
        (Self::Open, "variation", Kind::Open),
        (Self::Close, "end", Kind::Close),
        (Self::Other, "other", Kind::Other),
    ];

    /// The name that files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The kind of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn of_piece(kind: Kind) -> Self {
        Self::ALL.into_iter().find(|row| row.2 == kind).map_or(Self::Other, |row| row.0)
    }

    fn piece(self) -> Kind {
        Self::ALL.into_iter().find(|row| row.0 == self).map_or(Kind::Other, |row| row.2)
    }
}

/// Takes a record's movetext apart.
#[derive(Debug)]
pub(crate) struct Dissection<'a> {
    /// The annotations in order.
    pub annotations: Vec<Annotation<'a>>,
    /// The values of each ply of the main line.
    pub values: Vec<Values>,
    /// The reviews of main-line moves: of which ply, counted from 1, of which class, and the line.
    pub reviews: Vec<(u32, u8, Vec<&'a str>)>,
    /// Whether the movetext ends with its result, and not with something else.
    pub ends_with_result: bool,
}

/// Takes a record's movetext apart. `line` is what its main line was coded to; what follows the
/// first move that was not becomes one annotation.
pub(crate) fn dissect<'a>(
    record: &Record<'a>,
    plies: u32,
    trunk: Option<&dyn Trunk>,
    style: Style<'_>,
) -> Dissection<'a> {
    let mut dissector = Dissector {
        record,
        items: &record.items,
        style,
        found: Dissection {
            annotations: Vec::new(),
            values: Vec::new(),
            reviews: Vec::new(),
            ends_with_result: false,
        },
    };
    dissector.line(0, plies, trunk, 0);
    dissector.found
}

/// How values and reviews are written, and moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style<'s> {
    pub values: Option<ValueStyle>,
    pub reviews: Option<&'s ReviewStyle>,
    pub notation: Notation,
}

struct Dissector<'a, 'r> {
    record: &'r Record<'a>,
    items: &'r [Item<'a>],
    style: Style<'r>,
    found: Dissection<'a>,
}

impl<'a> Dissector<'a, '_> {
    /// Goes through a line that has so many coded plies, from the item at `at`. The item behind it.
    fn line(&mut self, mut at: usize, plies: u32, trunk: Option<&dyn Trunk>, depth: u32) -> usize {
        let main = depth == 0;
        let mut ply = 0;
        let mut skip = 0;
        // Whether only suffixes and glyphs came since the last move.
        let mut beside_move = false;
        while let Some(item) = self.items.get(at) {
            let kind = item.kind;
            match kind {
                Kind::Move if ply < plies => {
                    ply += 1;
                    skip += 1;
                    beside_move = true;
                    at += 1;
                    if main {
                        let reviewed = self.review(at, ply, trunk);
                        beside_move = reviewed == 0;
                        at += reviewed;
                    }
                    continue;
                }
                Kind::Move => return self.rest(at, skip),
                Kind::Result if at + 1 == self.items.len() => {
                    self.found.ends_with_result = true;
                    return at + 1;
                }
                Kind::Result => return self.rest(at, skip),
                Kind::Comment if main && beside_move => {
                    let values = self.style.values.and_then(|style| style.read(item.text));
                    if let Some((values, place)) = values.zip(self.found.values.last_mut()) {
                        *place = values;
                        beside_move = false;
                        at += 1;
                        continue;
                    }
                }
                Kind::Open => {
                    at = self.variation(at, ply, skip, trunk, depth + 1);
                    skip = 0;
                    beside_move = false;
                    continue;
                }
                Kind::Close if !main => {
                    self.push(skip, AnnotationKind::Close, "", None);
                    return at + 1;
                }
                _ => {}
            }
            let kind = match kind {
                Kind::Close => AnnotationKind::Other,
                kind => AnnotationKind::of_piece(kind),
            };
            beside_move &= matches!(kind, AnnotationKind::Suffix | AnnotationKind::Glyph);
            self.push(skip, kind, item.text, None);
            skip = 0;
            at += 1;
        }
        at
    }

    /// Takes the review of the main-line move at `ply` from the items at `at`, if there is one. How
    /// many items it takes.
    fn review(&mut self, at: usize, ply: u32, trunk: Option<&dyn Trunk>) -> usize {
        let Style { values, reviews, notation } = self.style;
        let before = self.found.values.last().and_then(|values| values.evaluation);
        let items = self.items.get(at..).unwrap_or_default();
        let review = reviews.and_then(|style| style.read(items, values, before));
        let spelt = |moves: &[&str]| trunk.is_some_and(|trunk| trunk.spells(ply, moves, notation));
        let Some(review) = review.filter(|review| spelt(&review.moves)) else {
            self.found.values.push(Values::default());
            return 0;
        };
        self.found.values.push(review.values);
        self.found.reviews.push((ply, review.class, review.moves));
        review.items
    }

    /// Takes a variation whose `(` is at `at`: coded if all its moves can be, else as text.
    fn variation(
        &mut self,
        at: usize,
        ply: u32,
        skip: u32,
        trunk: Option<&dyn Trunk>,
        nesting: u32,
    ) -> usize {
        let mut depth = 0u32;
        let mut moves = Vec::new();
        let mut end = None;
        for (index, item) in self.items.iter().enumerate().skip(at) {
            match item.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Move if depth == 1 => moves.push(item.text),
                _ => {}
            }
            if depth == 0 {
                end = Some(index);
                break;
            }
        }
        // Without its `)` it goes on to the end of the movetext.
        let Some(end) = end else { return self.rest(at, skip) };
        if let Some(trunk) = trunk.filter(|_| ply > 0 && nesting <= NESTING_MAX) {
            let notation = Notation::Customary;
            let (line, branch) = trunk.encode_branch(ply, &mut moves.iter().copied(), notation);
            if line.stopped.is_none() {
                let EncodedLine { plies, code, .. } = line;
                self.push(skip, AnnotationKind::Open, "", Some((plies, code.into())));
                return self.line(at + 1, plies, Some(&*branch), nesting);
            }
        }
        let text = self.record.text_of(at..end + 1);
        self.push(skip, AnnotationKind::Other, text, None);
        end + 1
    }

    /// Takes everything from the item at `at` as text.
    fn rest(&mut self, at: usize, skip: u32) -> usize {
        let text = self.record.text_from(at);
        self.push(skip, AnnotationKind::Other, text, None);
        self.items.len()
    }

    fn push(
        &mut self,
        skip: u32,
        kind: AnnotationKind,
        text: &'a str,
        moves: Option<(u32, Cow<'a, [u8]>)>,
    ) {
        self.found.annotations.push(Annotation { skip, kind, text: text.into(), moves });
    }
}

/// Puts movetext together again.
///
/// # Errors
/// What is wrong with the annotations, in words.
pub(crate) fn assemble<'a>(
    annotations: &'a [Annotation<'_>],
    values: &[Values],
    reviews: &'a [ReviewText],
    style: Style<'a>,
    moves: &'a Texts,
    trunk: Option<&dyn Trunk>,
) -> Result<Vec<Piece<'a>>, String> {
    let variations = annotations.iter().filter_map(|annotation| annotation.moves.as_ref());
    if variations.map(|(plies, _)| u64::from(*plies)).sum::<u64>() > VARIATION_PLIES_MAX {
        return Err("its variations have more moves than a record has room for".into());
    }
    let mut assembler = Assembler {
        annotations: annotations.iter(),
        values: values.iter(),
        reviews: reviews.iter().peekable(),
        style,
        pieces: Vec::with_capacity(moves.len() + annotations.len() + values.len()),
        ply: 0,
        evaluation: None,
        waiting: None,
    };
    assembler.line(&mut moves.iter().map(Cow::Borrowed), trunk, 0)?;
    Ok(assembler.pieces)
}

struct Assembler<'a, 'v, 's> {
    annotations: std::slice::Iter<'a, Annotation<'s>>,
    values: std::slice::Iter<'v, Values>,
    reviews: Peekable<std::slice::Iter<'a, ReviewText>>,
    style: Style<'a>,
    pieces: Vec<Piece<'a>>,
    /// How many moves of the main line are written, and what evaluation the last has.
    ply: u32,
    evaluation: Option<records::Evaluation>,
    /// The values of the last move, until its suffix and glyphs are written.
    waiting: Option<Values>,
}

impl<'a> Assembler<'a, '_, '_> {
    fn line(
        &mut self,
        rest: &mut dyn Iterator<Item = Cow<'a, str>>,
        trunk: Option<&dyn Trunk>,
        depth: u32,
    ) -> Result<(), String> {
        let main = depth == 0;
        if depth > NESTING_MAX {
            return Err("its variations are nested too deep".into());
        }
        let mut ply = 0;
        while let Some(annotation) = self.annotations.next() {
            for _ in 0..annotation.skip {
                let mv = rest.next().ok_or("an annotation stands behind the last move")?;
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
        let before = self.evaluation;
        self.evaluation = self.waiting.and_then(|values| values.evaluation);
        match self.reviews.next_if(|review| review.ply == self.ply) {
            Some(review) => self.review(review, before),
            None => Ok(()),
        }
    }

    /// Writes the review of the last move, whose values are waiting, given the evaluation before.
    fn review(
        &mut self,
        review: &'a ReviewText,
        before: Option<records::Evaluation>,
    ) -> Result<(), String> {
        let ReviewText { class, moves, .. } = review;
        let style = self.style.reviews.ok_or("its layout says nothing of reviews")?;
        let best = moves.iter().next().ok_or("a review has no moves")?;
        let wording = style.comment(*class, best, before, self.evaluation);
        let (mark, wording) =
            style.mark(*class).zip(wording).ok_or("the evaluations of a review are not there")?;
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
    }
}

/// The codes of clock readings and of evaluations, where there are any.
pub(crate) type SeriesCodes = (Option<Vec<u8>>, Option<Vec<u8>>);

/// The evaluations among values.
fn evaluations(values: &[Values]) -> Vec<Option<Evaluation>> {
    let evaluation = |values: &Values| {
        values.evaluation.map(|evaluation| match evaluation {
            records::Evaluation::Pawns(value) => Evaluation::Pawns(value),
            records::Evaluation::Mate(moves) => Evaluation::Mate(moves),
        })
    };
    values.iter().map(evaluation).collect()
}

/// A review as it is written.
#[derive(Debug)]
pub(crate) struct ReviewText {
    /// The ply of the main line that it is of, counted from 1.
    pub ply: u32,
    /// The number of its wording.
    pub class: u8,
    /// The moves of its line.
    pub moves: Texts,
}

/// The code of the reviews of a main line: how many bytes it has, it, and that of their moves.
/// `None` if they have too many.
pub(crate) fn encode_reviews(
    found: &Dissection<'_>,
    style: &ReviewStyle,
    trunk: &dyn Trunk,
) -> Option<Vec<u8>> {
    let mut series = vec![None; found.values.len()];
    let mut branches = Vec::with_capacity(found.reviews.len());
    for (ply, class, moves) in &found.reviews {
        let plies = u32::try_from(moves.len()).ok()?;
        let at = usize::try_from(ply.checked_sub(1)?).ok()?;
        *series.get_mut(at)? = Some(Review { class: *class, plies });
        branches.push((*ply, moves.clone()));
    }
    let code = series::encode_reviews(&series, &evaluations(&found.values), style.classes())?;
    let mut whole = Vec::new();
    varint::write_u32(u32::try_from(code.len()).ok()?, &mut whole);
    whole.extend(code);
    whole.extend(trunk.encode_branches(&branches)?);
    Some(whole)
}

/// The reviews of a main line of `plies` plies.
///
/// # Errors
/// What is wrong with the codes, in words.
pub(crate) fn decode_reviews(
    plies: u32,
    values: &[Values],
    whole: &[u8],
    style: Style<'_>,
    trunk: &dyn Trunk,
) -> Result<Vec<ReviewText>, String> {
    let classes = style.reviews.ok_or("its layout says nothing of reviews")?.classes();
    let split = varint::read_u32(whole)
        .and_then(|(length, at)| whole.get(at..)?.split_at_checked(usize::try_from(length).ok()?));
    let (code, moves) = split.ok_or("its reviews are cut off")?;
    let reviews = series::decode_reviews(plies, &evaluations(values), classes, code);
    let reviews = reviews.map_err(|error| error.to_string())?;
    let reviewed = (1..).zip(reviews).filter_map(|(ply, review)| Some((ply, review?)));
    let reviewed: Vec<(u32, Review)> = reviewed.collect();
    let branches: Vec<(u32, u32)> = reviewed.iter().map(|(ply, r)| (*ply, r.plies)).collect();
    let moves = trunk.decode_branches(&branches, moves, style.notation);
    let moves = moves.map_err(|error| error.to_string())?;
    let texts = reviewed.into_iter().zip(moves);
    Ok(texts.map(|((ply, r), moves)| ReviewText { ply, class: r.class, moves }).collect())
}

/// The codes of a main line's clock readings and evaluations; `None` where there are none.
///
/// The values must be those that a style read: others might not be codable.
pub(crate) fn encode_values(
    values: &[Values],
    style: ValueStyle,
    hints: &[Hint],
) -> Option<SeriesCodes> {
    let clocks: Vec<Option<u32>> = values.iter().map(|values| values.clock).collect();
    let evaluations = evaluations(values);
    let clocks = match clocks.iter().any(Option::is_some) {
        true => Some(series::encode_clocks(&clocks, style.decimals, hints)?),
        false => None,
    };
    let evaluations = match evaluations.iter().any(Option::is_some) {
        true => Some(series::encode_evaluations(&evaluations, hints)?),
        false => None,
    };
    Some((clocks, evaluations))
}

/// The code of the times of moves, in units of 10^-`decimals` seconds. `None` if there are none, or
/// one is too long.
pub(crate) fn encode_times(values: &[Values], decimals: u8, hints: &[Hint]) -> Option<Vec<u8>> {
    let times: Vec<Option<u32>> = values.iter().map(|values| values.clock).collect();
    if times.is_empty() { None } else { series::encode_clocks(&times, decimals, hints) }
}

/// The values of a main line of `plies` plies.
///
/// # Errors
/// What is wrong with the codes, in words.
pub(crate) fn decode_values(
    plies: u32,
    clocks: Option<&[u8]>,
    evaluations: Option<&[u8]>,
    hints: &[Hint],
) -> Result<Vec<Values>, String> {
    if clocks.is_none() && evaluations.is_none() {
        return Ok(Vec::new());
    }
    let mut values = Vec::new();
    if let Some(code) = clocks {
        let clocks = series::decode_clocks(plies, hints, code);
        let (clocks, _) = clocks.map_err(|error| error.to_string())?;
        values.extend(clocks.into_iter().map(|clock| Values { clock, evaluation: None }));
    }
    if let Some(code) = evaluations {
        let evaluations = series::decode_evaluations(plies, hints, code);
        let evaluations = evaluations.map_err(|error| error.to_string())?;
        values.resize(evaluations.len(), Values::default());
        for (values, evaluation) in values.iter_mut().zip(evaluations) {
            values.evaluation = evaluation.map(|evaluation| match evaluation {
                Evaluation::Pawns(value) => records::Evaluation::Pawns(value),
                Evaluation::Mate(moves) => records::Evaluation::Mate(moves),
            });
        }
    }
    Ok(values)
}
