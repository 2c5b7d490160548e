//! Splits movetext into columns.

use std::borrow::Cow;
use std::collections::BTreeMap;

use plypack_core::{EncodedLine, Notation, Trunk};
use plypack_records::{Item, ItemKind as Kind, Record, Values};

use super::{Annotation, AnnotationKind, Filled, NESTING_MAX, Style};

/// The parts of a record's movetext.
#[derive(Debug)]
pub struct Dissection<'a> {
    /// The annotations in order.
    pub annotations: Vec<Annotation<'a>>,
    /// The values of each ply of the main line.
    pub values: Vec<Values>,
    /// The comment that follows a pattern of each ply of the main line, where there is one.
    pub comments: Vec<Option<Filled<'a>>>,
    /// The reviews of main-line moves: the ply, counted from 1, the class, and the line.
    pub reviews: Vec<(u32, u8, Vec<&'a str>)>,
    /// Whether the movetext ends with its result.
    pub ends_with_result: bool,
}

/// Splits a record's movetext. `plies` plies of its main line are coded; everything from the first
/// uncoded move on becomes one annotation. `comments` are those that follow a pattern, by the
/// places of their items; they are left out of the annotations where they stand right behind their
/// move.
pub fn dissect<'a>(
    record: &Record<'a>,
    plies: u32,
    trunk: Option<&dyn Trunk<'_>>,
    style: Style<'_>,
    comments: &BTreeMap<usize, Filled<'a>>,
) -> Dissection<'a> {
    let mut dissector = Dissector {
        record,
        items: &record.items,
        style,
        comments,
        stopped: (plies as usize) < record.moves.len(),
        found: Dissection {
            annotations: Vec::new(),
            values: Vec::new(),
            comments: Vec::new(),
            reviews: Vec::new(),
            ends_with_result: false,
        },
    };
    dissector.line(0, plies, trunk, 0);
    let mut found = dissector.found;
    if !found.comments.is_empty() {
        found.comments.resize(found.values.len(), None);
    }
    found
}

struct Dissector<'a, 'r> {
    record: &'r Record<'a>,
    items: &'r [Item<'a>],
    style: Style<'r>,
    comments: &'r BTreeMap<usize, Filled<'a>>,
    /// Whether there is a move of the main line that could not be coded.
    stopped: bool,
    found: Dissection<'a>,
}

/// What may stand next behind a move of the main line apart from annotations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// Its values, then its comment that follows a pattern.
    Values,
    /// That comment.
    Comment,
    Nothing,
}

impl<'a> Dissector<'a, '_> {
    /// Processes a line of coded plies, from the item at `at`. Returns the index of the item after
    /// it.
    fn line(
        &mut self,
        mut at: usize,
        plies: u32,
        trunk: Option<&dyn Trunk<'_>>,
        depth: u32,
    ) -> usize {
        let main = depth == 0;
        let mut ply = 0;
        let mut skip = 0;
        let mut beside = Beside::Nothing;
        while let Some(item) = self.items.get(at) {
            let kind = item.kind;
            match kind {
                Kind::Move if ply < plies => {
                    ply += 1;
                    skip += 1;
                    at += 1;
                    if main {
                        let reviewed = self.review(at, ply, trunk);
                        beside = if reviewed == 0 { Beside::Values } else { Beside::Nothing };
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
                Kind::Comment if main && beside != Beside::Nothing => {
                    let values = self.style.values.filter(|_| beside == Beside::Values);
                    let values = values.and_then(|style| style.read(item.text));
                    if let Some((values, place)) = values.zip(self.found.values.last_mut()) {
                        *place = values;
                        beside = Beside::Comment;
                        at += 1;
                        continue;
                    }
                    if let Some(comment) = self.comments.get(&at) {
                        self.found.comments.resize(self.found.values.len(), None);
                        if let Some(place) = self.found.comments.last_mut() {
                            *place = Some(comment.clone());
                            beside = Beside::Nothing;
                            at += 1;
                            continue;
                        }
                    }
                }
                Kind::Open => {
                    at = self.variation(at, ply, skip, trunk, depth + 1);
                    skip = 0;
                    beside = Beside::Nothing;
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
            let is_mark = matches!(kind, AnnotationKind::Suffix | AnnotationKind::Glyph);
            if !is_mark || beside == Beside::Comment {
                beside = Beside::Nothing;
            }
            self.push(skip, kind, item.text, None);
            skip = 0;
            at += 1;
        }
        at
    }

    /// Takes the review of the main-line move at `ply` from the items at `at`, if there is one.
    /// Returns its number of items.
    fn review(&mut self, at: usize, ply: u32, trunk: Option<&dyn Trunk<'_>>) -> usize {
        let Style { values, reviews, notation } = self.style;
        let before = self.found.values.last().and_then(|values| values.evaluation);
        let items = self.items.get(at..).unwrap_or_default();
        let review = reviews.and_then(|style| style.read(items, values, before));
        let spelt = |moves: &[&str]| {
            trunk.is_some_and(|trunk| trunk.spelt(ply, moves, notation) == moves.len())
        };
        let Some(review) = review.filter(|review| spelt(&review.moves)) else {
            self.found.values.push(Values::default());
            return 0;
        };
        self.found.values.push(review.values);
        self.found.reviews.push((ply, review.class, review.moves));
        review.items
    }

    /// Takes a variation whose `(` is at `at`: coded if all its moves can be coded, else as text.
    fn variation(
        &mut self,
        at: usize,
        ply: u32,
        skip: u32,
        trunk: Option<&dyn Trunk<'_>>,
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
        // Without its `)` it extends to the end of the movetext.
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
        self.push(skip, AnnotationKind::Uncoded, text, None);
        end + 1
    }

    /// Takes everything from the item at `at` as text.
    fn rest(&mut self, at: usize, skip: u32) -> usize {
        let text = self.record.text_from(at);
        let kind = if self.stopped { AnnotationKind::Rest } else { AnnotationKind::Other };
        self.push(skip, kind, text, None);
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
