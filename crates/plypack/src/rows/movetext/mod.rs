//! From movetext to columns and back: moves become codes, clock readings and evaluations become
//! series, servers' judgements of moves become reviews, and the rest is a list of annotations.

mod assemble;
mod dissect;
mod fields;
mod series;

use std::borrow::Cow;

use plypack_core::codecs::fields::Comment;
use plypack_core::{Notation, Texts};
use plypack_records::ItemKind as Kind;
use plypack_records::pgn::{ReviewStyle, ValueStyle};

pub use assemble::{assemble, check_variations};
pub use dissect::{Dissection, dissect};
pub use fields::{decode_comments, decode_remarks, encode_comments};
pub use series::{decode_reviews, decode_values, encode_reviews, encode_times, encode_values};

/// How deep variations may nest before they are kept as text.
pub const NESTING_MAX: u32 = 64;

/// A piece of movetext: its kind and text, as layouts take them.
pub type Piece<'a> = (Kind, Cow<'a, str>);

/// An annotation: something between the moves of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation<'a> {
    /// The plies of the same line since the previous annotation, or since the line's beginning.
    pub skip: u32,
    /// Its kind.
    pub kind: AnnotationKind,
    /// Its text; empty for the ends of variations.
    pub text: Cow<'a, str>,
    /// The moves of a variation that begins here: how many, and their code.
    pub moves: Option<(u32, Cow<'a, [u8]>)>,
}

/// The kind of an annotation.
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
    /// A variation with a move that could not be coded, as it was written.
    Uncoded,
    /// Words that were not understood, and the text after the last move of a fully coded main line.
    Other,
    /// Everything from the first move that could not be coded, or from what encloses it, to the
    /// end: the last annotation.
    Rest,
}

impl AnnotationKind {
    const ALL: [(Self, &'static str, Kind); 9] = [
        (Self::Suffix, "suffix", Kind::Suffix),
        (Self::Glyph, "glyph", Kind::Glyph),
        (Self::Comment, "comment", Kind::Comment),
        (Self::LineComment, "line comment", Kind::LineComment),
        (Self::Open, "variation", Kind::Open),
        (Self::Close, "end", Kind::Close),
        (Self::Other, "other", Kind::Other),
        (Self::Uncoded, "uncoded variation", Kind::Other),
        (Self::Rest, "rest", Kind::Other),
    ];

    /// The name that files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The kind with this name.
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

/// A comment that follows a pattern: its fields, and the moves of its lines, which are not
/// foretold yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled<'a> {
    /// Its fields.
    pub comment: Comment,
    /// The moves of each of its lines.
    pub lines: Vec<Vec<&'a str>>,
}

/// The style of values, reviews and moves.
#[derive(Clone, Copy, Debug)]
pub struct Style<'s> {
    /// The style of values in comments, if there are any.
    pub values: Option<ValueStyle>,
    /// The style of reviews, if there are any.
    pub reviews: Option<&'s ReviewStyle>,
    /// The notation of moves.
    pub notation: Notation,
}

/// A review to write.
#[derive(Debug)]
pub struct ReviewText {
    /// The ply of the main line that it judges, counted from 1.
    pub ply: u32,
    /// The number of its wording.
    pub class: u8,
    /// The moves of its line.
    pub moves: Texts,
}
