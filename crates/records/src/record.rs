//! The contents of a record in any format: tags, moves and everything between them.

use std::borrow::Cow;
use std::ops::Range;

use crate::format::Rules;

/// The PGN tag for a start other than the usual one. In formats without it, readers may add the
/// tag, and writers leave it out.
pub const START_TAG: &str = "FEN";

/// The contents of a record. Strings borrow from the record's text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Record<'a> {
    /// Tag names and values in order, without escapes.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The part of the text with the moves.
    pub movetext: &'a str,
    /// The items of the movetext, without white space and move numbers, in canonical order: a
    /// variation follows the move that it replaces and precedes the next move of its line. A format
    /// may write them in another order.
    pub items: Vec<Item<'a>>,
    /// The texts of the main line's moves, without numbers and suffixes.
    pub moves: Vec<&'a str>,
    /// The result that ends the movetext.
    pub result: Option<&'a str>,
}

/// An item of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'a> {
    /// Its kind.
    pub kind: ItemKind,
    /// Its text; for a comment, the text between the braces.
    pub text: &'a str,
    /// Its start in the movetext, including its brace or move number.
    pub start: usize,
    /// Its end in the movetext.
    pub end: usize,
}

/// The kind of an item of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A word that could be a move, without its number and suffix.
    Move,
    /// `!`, `?` and their pairs, after a move.
    Suffix,
    /// A numeric annotation glyph, `$14`.
    Glyph,
    /// A comment.
    Comment,
    /// A comment from `;` to the end of the line, or a line that begins with `%`, including that
    /// character.
    LineComment,
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The result at the end of the main line.
    Result,
    /// Anything else: words that cannot be moves, an unclosed comment, or text after the result.
    Other,
}

impl ItemKind {
    /// Whether it judges the move before it.
    pub fn is_glyph(self) -> bool {
        matches!(self, Self::Suffix | Self::Glyph)
    }
}

impl<'a> Record<'a> {
    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_ref())
    }

    /// The text that these items span, whatever their order in the movetext.
    pub fn text_of(&self, items: Range<usize>) -> &'a str {
        let Some(some) = self.items.get(items) else { return "" };
        let start = some.iter().map(|item| item.start).min().unwrap_or(0);
        let end = some.iter().map(|item| item.end).max().unwrap_or(0);
        self.movetext.get(start..end).unwrap_or_default()
    }

    /// The text that the items from `at` on span. If no other item follows them in the text, it
    /// extends to the end of the movetext, without trailing white space.
    pub fn text_from(&self, at: usize) -> &'a str {
        let (before, rest) = self.items.split_at(at.min(self.items.len()));
        let start = rest.iter().map(|item| item.start).min().unwrap_or(self.movetext.len());
        let end = rest.iter().map(|item| item.end).max().unwrap_or(start);
        let end = match before.iter().all(|item| item.end <= end) {
            true => self.movetext.trim_ascii_end().len(),
            false => end,
        };
        self.movetext.get(start..end).unwrap_or_default()
    }

    /// The tags in the form that layouts take.
    pub fn tag_list(&self) -> Vec<(&str, &str)> {
        self.tags.iter().map(|tag| (tag.0, tag.1.as_ref())).collect()
    }

    /// The items of the movetext, without the result, in the form that layouts take.
    pub fn pieces(&self) -> Vec<(ItemKind, &'a str)> {
        let pieces = self.items.iter().filter(|item| item.kind != ItemKind::Result);
        pieces.map(|item| (item.kind, item.text)).collect()
    }

    /// Adds a tag for the start, if the words of the head or the moves determine it.
    pub(crate) fn add_start(&mut self, rules: &dyn Rules, head: &str) {
        let head: Vec<&str> = head.split_ascii_whitespace().collect();
        let start = rules.start_told(&head, &self.moves);
        self.tags.extend(start.map(|start| (START_TAG, start.into())));
    }

    /// Adds the main-line move at `place` in the movetext.
    pub(crate) fn push_move(&mut self, text: &'a str, place: Range<usize>) {
        let Range { start, end } = place;
        self.items.push(Item { kind: ItemKind::Move, text, start, end });
        self.moves.push(text);
    }
}

/// The clock reading and the evaluation of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// The time left, or the time taken, in the unit of the record's style or layout.
    pub clock: Option<u32>,
    /// The evaluation.
    pub evaluation: Option<Evaluation>,
}

/// An engine's evaluation of a position, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// In hundredths of a pawn.
    Pawns(i32),
    /// Mate in this many moves; negative if Black mates.
    Mate(i32),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse;

    #[test]
    fn items_have_their_text() {
        let text = "1. e4 {a} (1. d4 d5) 1... e5 ; b\n 2. ";
        let record = parse(text);
        let at = |kind| record.items.iter().position(|item| item.kind == kind);
        let (open, close) = (at(ItemKind::Open).expect("one"), at(ItemKind::Close).expect("one"));
        assert_eq!(record.text_of(open..close + 1), "(1. d4 d5)");
        assert_eq!(record.text_of(0..2), "1. e4 {a}");
        // The number at the end belongs to no item.
        assert_eq!(record.text_from(close + 1), "1... e5 ; b\n 2.");
        assert_eq!((record.text_from(99), record.text_of(9..9)), ("", ""));
    }

    #[test]
    fn items_may_stand_in_another_order() {
        // The main line first, as in SGF: `c` follows `a`, and `b` is the alternative to `a`.
        let item = |kind, text, start, end| Item { kind, text, start, end };
        let items = vec![
            item(ItemKind::Move, "a", 0, 1),
            item(ItemKind::Open, "(", 3, 4),
            item(ItemKind::Move, "b", 4, 5),
            item(ItemKind::Close, ")", 5, 6),
            item(ItemKind::Move, "c", 1, 2),
        ];
        let record = Record { movetext: "ac (b) ", items, ..Record::default() };
        assert_eq!((record.text_of(1..4), record.text_of(0..5)), ("(b)", "ac (b)"));
        // Another item comes after the last one.
        assert_eq!(record.text_from(4), "c");
        assert_eq!(record.text_from(1), "c (b)");
    }
}
