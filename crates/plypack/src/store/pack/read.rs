//! The first stage: reads a record's text, before its moves are known to be legal.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::reading::record::{self, notation};
use plypack_core::{ErasedRules, Notation};
use plypack_records::charset::Charset;
use plypack_records::pgn::ValueStyle;
use plypack_records::{Format, ItemKind, Layout, Reading, Record};

/// An incoming record.
#[derive(Clone, Copy)]
pub(super) struct Original<'a, 'r> {
    /// Its bytes.
    pub bytes: &'r [u8],
    /// The character set of the bytes.
    pub charset: Charset,
    /// The decoded text.
    pub text: &'a str,
}

/// The contents of a record's text.
pub(super) struct Draft<'a> {
    pub record: Record<'a>,
    /// Its format.
    pub format: &'static dyn Format,
    /// The layout, if reading determines it; PGN has many.
    pub layout: Option<Arc<dyn Layout>>,
    /// The notation of the moves, if the layout determines it.
    pub notation: Option<Notation>,
    /// The part of the text that the layout writes; `None` means all of it.
    pub place: Option<Range<usize>>,
    /// How long each move took, if the format has times outside of comments.
    pub times: Vec<u32>,
    /// The decimal places of the seconds.
    pub decimals: u8,
    /// How comments write clock readings and evaluations, if they do.
    pub values: Option<ValueStyle>,
    /// Whether the main line has variations.
    pub branches: bool,
}

impl<'a> Draft<'a> {
    /// Reads a record of an input in this format.
    pub fn read(
        game: &dyn ErasedRules,
        original: Original<'a, '_>,
        format: &'static dyn Format,
    ) -> Self {
        let Original { charset, text, .. } = original;
        let (format, reading) = record::read(game, text, charset, format);
        let Reading { mut record, layout, place, times, decimals } = reading;
        drop_repeated_tags(&mut record);
        // Only layouts that are guessed have a style of values in comments.
        let comments = record.items.iter().filter(|item| item.kind == ItemKind::Comment);
        let comments = comments.filter(|_| layout.is_none());
        let values = ValueStyle::guess(comments.map(|item| item.text));
        let branches = record.items.iter().any(|item| item.kind == ItemKind::Open);
        let name = layout.as_ref().map(|layout| layout.notation());
        let notation = name.and_then(|name| notation(name, game.info()));
        let layout = layout.map(Arc::from);
        Self { record, format, layout, notation, place, times, decimals, values, branches }
    }

    /// Returns the texts of all moves, including those of variations.
    pub fn moves(&self) -> impl Iterator<Item = &'a str> {
        let items = self.record.items.iter();
        items.filter(|item| item.kind == ItemKind::Move).map(|item| item.text)
    }

    /// Returns whether moves have clock readings or evaluations.
    pub fn is_valued(&self) -> bool {
        self.values.is_some() || !self.times.is_empty()
    }
}

/// Keeps only the first tag of each name, as columns hold one. The others go into the patch.
fn drop_repeated_tags(record: &mut Record<'_>) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    record.tags.retain(|tag| seen.insert(tag.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_records::FALLBACK;

    fn draft(text: &str) -> Draft<'_> {
        let game = plypack_games::game("chess").expect("it is registered");
        let original = Original { bytes: text.as_bytes(), charset: Charset::Utf8, text };
        Draft::read(game, original, FALLBACK)
    }

    /// A layout that reading determines has no style of values: unpacking would not write them.
    #[test]
    fn values_in_comments_are_those_of_guessed_layouts() {
        let game = plypack_games::game("xiangqi").expect("it is registered");
        let text = "xqf version=10\n\n7747 { [%clk 0:01:00] } 7062 { [%clk 0:00:59] }";
        let original = Original { bytes: text.as_bytes(), charset: Charset::Utf8, text };
        let xqf = plypack_records::format("xqf").expect("it is registered");
        let draft = Draft::read(game, original, xqf);
        assert!(draft.layout.is_some() && !draft.is_valued());
    }

    #[test]
    fn what_surrounds_the_moves_is_seen_before_they_are_coded() {
        let plain = draft("[Event \"a\"]\n[Event \"b\"]\n\n1. e4 e5 {text} *\n\n");
        assert_eq!(plain.record.tags.len(), 1);
        assert!(!plain.branches && !plain.is_valued());
        assert!(draft("1. e4 (1. d4) *\n").branches);
        assert!(draft("1. e4 { [%clk 0:01:00] } *\n").is_valued());
    }
}
