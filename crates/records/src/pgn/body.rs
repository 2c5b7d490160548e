//! Writes movetext in a layout, piece by piece.

use std::fmt::Write;

use super::layout::{Comments, Gap, Layout, Lines, NULLS, Numbers, ResultLine};
use crate::record::ItemKind;

/// Movetext being written.
pub(super) struct Body<'a> {
    /// The text so far, tags included.
    pub out: String,
    layout: &'a Layout,
    newline: &'static str,
    /// The length of the current line in characters.
    column: usize,
    /// The number of the next move and whether it is the second player's: for the line being
    /// written and those it branched from.
    turns: Vec<(u32, bool)>,
    last: Option<ItemKind>,
    label: String,
}

impl<'a> Body<'a> {
    pub fn new(layout: &'a Layout, out: String, newline: &'static str, turn: (u32, bool)) -> Self {
        let (turns, label) = (vec![turn], String::new());
        Self { out, layout, newline, column: 0, turns, last: None, label }
    }

    /// Writes one piece; `next` is the kind of the one after it.
    pub fn piece(&mut self, kind: ItemKind, text: &str, next: Option<ItemKind>) {
        let gap = match self.last {
            None => Gap::Nothing,
            // A comment of this kind goes to the end of its line.
            Some(ItemKind::LineComment) => Gap::Line,
            Some(_) if kind == ItemKind::Suffix => Gap::Nothing,
            Some(last) => self.layout.gaps.between(last, kind),
        };
        match kind {
            ItemKind::Move => self.mv(text, gap, next),
            ItemKind::Comment => self.comment(text, gap),
            ItemKind::Open => {
                let (number, second) = self.turns.last().copied().unwrap_or((1, false));
                // A variation replaces the move before it.
                let before = if second { number } else { number.saturating_sub(1) };
                self.turns.push((before, !second));
                self.word(&["("], gap);
            }
            ItemKind::Close => {
                if self.turns.len() > 1 {
                    self.turns.pop();
                }
                self.word(&[")"], gap);
            }
            ItemKind::Suffix => self.attach(text),
            _ => self.word(&[text], gap),
        }
        self.last = Some(kind);
    }

    /// Writes the result.
    pub fn result(&mut self, text: &str) {
        let Some(last) = self.last else { return self.attach(text) };
        match self.layout.result_line {
            ResultLine::Filled | ResultLine::Same => {}
            ResultLine::Own | ResultLine::Apart => {
                self.end_line();
                if self.layout.result_line == ResultLine::Apart {
                    self.end_line();
                }
                return self.attach(text);
            }
        }
        let gap = self.layout.gaps.between(last, ItemKind::Result);
        let overhangs = self.layout.result_line == ResultLine::Same;
        let spaces = usize::from(self.layout.result_gap);
        if gap == Gap::Space && (overhangs || self.fits(spaces + length(text))) {
            (0..spaces).for_each(|_| self.out.push(' '));
            self.attach(text);
        } else {
            self.word(&[text], gap);
        }
    }

    fn mv(&mut self, text: &str, gap: Gap, next: Option<ItemKind>) {
        let layout = self.layout;
        let (number, second) = self.turns.last().copied().unwrap_or((1, false));
        let renumbered = match self.last {
            None | Some(ItemKind::Open) => true,
            Some(ItemKind::Comment | ItemKind::LineComment) => layout.renumber.comment,
            Some(ItemKind::Close) => layout.renumber.variation,
            Some(ItemKind::Suffix | ItemKind::Glyph) => layout.renumber.glyph,
            Some(_) => false,
        };
        let text = if text == NULLS[0] { layout.null } else { text };
        let (bare, mark) = layout.spelling.spell(text);
        let renumbered = renumbered
            || match next {
                Some(ItemKind::Comment) => layout.renumber.before_comment,
                next => layout.renumber.before_glyph && next.is_some_and(ItemKind::is_glyph),
            };
        if layout.numbers != Numbers::Absent && (!second || renumbered) {
            if let Lines::After(length) = layout.lines
                && self.column >= length.into()
            {
                self.end_line();
            }
            let mut label = std::mem::take(&mut self.label);
            label.clear();
            // Writing to a string cannot fail.
            let _ = match (second, layout.number_indent, usize::from(layout.number_width)) {
                (true, ..) => write!(label, "{number}..."),
                (false, 0, width) => write!(label, "{number:>width$}."),
                (false, indent, width) => {
                    write!(label, "{:indent$}{number:>width$}.", "", indent = usize::from(indent))
                }
            };
            if layout.numbers == Numbers::Joined || second && layout.dots_joined {
                self.word(&[&label, bare, mark], gap);
            } else if layout.numbers == Numbers::Unbroken {
                self.word(&[&label, " ", bare, mark], gap);
            } else {
                self.word(&[&label], gap);
                self.word(&[bare, mark], Gap::Space);
            }
            self.label = label;
        } else if let (true, Some(spaces)) = (second, layout.second_line) {
            self.end_line();
            (0..spaces).for_each(|_| self.out.push(' '));
            self.attach(bare);
            self.attach(mark);
        } else {
            self.word(&[bare, mark], gap);
        }
        if let Some(turn) = self.turns.last_mut() {
            *turn = (number.saturating_add(u32::from(second)), !second);
        }
    }

    fn comment(&mut self, text: &str, gap: Gap) {
        let comments = self.layout.comments;
        if comments == Comments::Kept {
            return self.word(&["{", text, "}"], gap);
        }
        if self.layout.breaks_tight {
            self.word(&["{"], gap);
            self.words(text, comments == Comments::Whole);
            return self.word(&["}"], Gap::Nothing);
        }
        let mut words = words(text).peekable();
        let (mut open, mut gap) = ("{", gap);
        while let Some(word) = words.next() {
            let close = if words.peek().is_none() { "}" } else { "" };
            self.word(&[open, word, close], gap);
            (open, gap) = ("", Gap::Space);
        }
    }

    /// Writes the words of a comment behind its `{`; on a line of their own if they fit there only,
    /// and `whole` asks for that.
    fn words(&mut self, text: &str, whole: bool) {
        if let Lines::Within(width) = self.layout.lines
            && whole
        {
            let length = words(text).map(|word| length(word) + 1).sum::<usize>() - 1;
            if length <= width.into() && !self.fits(length) {
                self.end_line();
            }
        }
        for (index, word) in words(text).enumerate() {
            self.word(&[word], if index == 0 { Gap::Nothing } else { Gap::Space });
        }
    }

    fn end_line(&mut self) {
        if self.layout.trailing_space {
            self.out.push(' ');
        }
        self.out.push_str(self.newline);
        self.column = 0;
    }

    /// Whether `length` more characters fit on the line.
    fn fits(&self, length: usize) -> bool {
        match self.layout.lines {
            Lines::Within(width) => self.column + length <= width.into(),
            Lines::One | Lines::After(_) => true,
        }
    }

    /// Writes a word after a gap, or on a new line if it does not fit.
    fn word(&mut self, parts: &[&str], gap: Gap) {
        if self.column > 0 {
            let length: usize = parts.iter().map(|part| length(part)).sum();
            let spaces = usize::from(gap == Gap::Space);
            let may_break = gap == Gap::Space || self.layout.breaks_tight;
            if gap == Gap::Line || may_break && !self.fits(spaces + length) {
                self.end_line();
            } else if gap == Gap::Space {
                self.out.push(' ');
                self.column += 1;
            }
        }
        for part in parts.iter().filter(|part| !part.is_empty()) {
            self.attach(part);
        }
    }

    /// Writes text without a gap.
    fn attach(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match memchr::memrchr(b'\n', text.as_bytes()) {
            Some(newline) => length(&text[newline + 1..]),
            None => self.column + length(text),
        };
    }
}

/// The number of characters of a text.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Returns a comment whose newlines are spaces, as layouts that break its lines themselves take it.
#[must_use]
pub fn unbroken(comment: &str) -> String {
    words(comment).collect::<Vec<_>>().join(" ")
}

/// The words of a comment in which newlines are spaces at the ends of lines.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\n']).map(|word| word.strip_suffix('\r').unwrap_or(word))
}
