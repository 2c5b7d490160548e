//! How a tree is laid out in bytes.

use std::fmt::{self, Display};
use std::ops::Range;

use super::parse::Gap;
use super::{ID, NAME, NAMES_NAME, TT_NAME, property_of};
use crate::charset::{self, Charset};
use crate::layout::{self, NotationName, Rendering, from_words, read_space, write_space};
use crate::record::{ItemKind, START_TAG};

/// The most properties of the root with gaps of their own.
pub(super) const GAPS_MAX: usize = 32;

/// How a tree is laid out. Gaps are white space, usually none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The character set.
    pub charset: Charset,
    /// Whether a byte order mark comes first.
    pub mark: bool,
    /// Whether there are only nodes, without a root and parentheses, perhaps after a field.
    pub bare: bool,
    /// Whether a pass is `tt` instead of empty.
    pub tt: bool,
    /// Whether points have the game's own names.
    pub names: bool,
    /// Before the tree.
    pub head: Gap,
    /// Between the first parenthesis and the root.
    pub open: Gap,
    /// Between the root's semicolon and its first property.
    pub first: Gap,
    /// After a property of the root.
    pub root: Gap,
    /// After particular properties of the root, by their identifiers.
    pub behind: Vec<(String, Gap)>,
    /// Between the root and the nodes.
    pub body: Gap,
    /// Between nodes.
    pub node: Gap,
    /// Between a node's semicolon and its first property.
    pub inner: Gap,
    /// Between properties of a node.
    pub property: Gap,
    /// Before the parenthesis that opens a branch.
    pub branch: Gap,
    /// Between the parenthesis of a branch and its first node.
    pub within: Gap,
    /// Before the parenthesis that closes a branch.
    pub close: Gap,
    /// Before the last parenthesis.
    pub end: Gap,
    /// After the tree.
    pub tail: Gap,
}

/// Lists the gaps that have a word, which is the field's name, in the order in which they are
/// written.
macro_rules! gaps {
    ($($gap:ident),+) => {
        /// Returns the gaps with their words.
        fn gaps(&self) -> impl Iterator<Item = (&'static str, &Gap)> {
            [$((stringify!($gap), &self.$gap)),+].into_iter()
        }

        fn gap_mut(&mut self, word: &str) -> Option<&mut Gap> {
            match word {
                $(stringify!($gap) => Some(&mut self.$gap),)+
                _ => None,
            }
        }
    };
}

impl Layout {
    gaps!(head, open, first, root, body, node, inner, property, branch, within, close, end, tail);

    /// Writes the root's properties.
    fn write_root(&self, record: &Rendering<'_>, out: &mut String) {
        let tags = record.tags.iter().filter(|tag| tag.0 != START_TAG);
        let mut gap: Option<&Gap> = None;
        for &(name, value) in tags {
            out.push_str(&gap.unwrap_or(&self.first).0);
            let property = property_of(name);
            out.push_str(property);
            if value.starts_with('[') && value.ends_with(']') && value.len() > 1 {
                out.push_str(value);
            } else {
                out.push('[');
                for symbol in value.chars() {
                    if matches!(symbol, ']' | '\\') {
                        out.push('\\');
                    }
                    out.push(symbol);
                }
                out.push(']');
            }
            let own = self.behind.iter().find(|behind| behind.0 == property);
            gap = Some(own.map_or(&self.root, |own| &own.1));
        }
        if gap.is_none() {
            out.push_str(&self.first.0);
        }
    }
}

/// A pending step of writing, on a stack.
enum Step {
    /// The pieces from one index up to another.
    Pieces(usize, usize),
    /// The parenthesis that opens a branch.
    Open,
    /// The parenthesis that closes a branch.
    Close,
}

/// Pushes the steps of a branch: from its first piece to its last, or one piece of text.
fn push_branch((open, close): (usize, usize), steps: &mut Vec<Step>) {
    if open == close {
        steps.push(Step::Pieces(open, open + 1));
    } else {
        steps.extend([Step::Close, Step::Pieces(open + 1, close), Step::Open]);
    }
}

/// For each opening parenthesis among the pieces, the index of its closing one.
fn counterparts(pieces: &[(ItemKind, &str)]) -> Option<Vec<usize>> {
    let mut ends = vec![0; pieces.len()];
    let mut open = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        match piece.0 {
            ItemKind::Open => open.push(number),
            ItemKind::Close => *ends.get_mut(open.pop()?)? = number,
            _ => {}
        }
    }
    open.is_empty().then_some(ends)
}

/// Returns the branches behind the items of a node, whose other items and alternatives are among
/// these pieces, each as its first and its last piece, and the place behind them.
fn alternatives(
    pieces: &[(ItemKind, &str)],
    ends: &[usize],
    among: Range<usize>,
) -> Option<(usize, Vec<(usize, usize)>)> {
    let own = pieces.get(among.clone())?.iter().take_while(|(kind, text)| match kind {
        ItemKind::Comment => true,
        ItemKind::Open | ItemKind::Move => false,
        _ => !text.starts_with([';', '(']),
    });
    let mut behind = among.start + own.count();
    let mut branches = Vec::new();
    while let Some(&(kind, text)) = pieces.get(behind).filter(|_| behind < among.end) {
        match kind {
            ItemKind::Open => {
                let end = *ends.get(behind)?;
                branches.push((behind, end));
                behind = end + 1;
            }
            ItemKind::Other if text.starts_with('(') => {
                branches.push((behind, behind));
                behind += 1;
            }
            _ => break,
        }
    }
    Some((behind, branches))
}

impl Layout {
    /// Writes the nodes: each line to its end, then its branches, the last ones first.
    fn write_nodes(&self, pieces: &[(ItemKind, &str)], out: &mut String) -> Option<()> {
        let ends = counterparts(pieces)?;
        let mut steps = vec![Step::Pieces(0, pieces.len())];
        // The gaps before the next node and before the next property.
        let (mut node, mut property) = (&self.body, &self.inner);
        while let Some(step) = steps.pop() {
            let (mut at, to) = match step {
                Step::Open => {
                    out.push_str(&self.branch.0);
                    out.push('(');
                    node = &self.within;
                    continue;
                }
                Step::Close => {
                    out.push_str(&self.close.0);
                    out.push(')');
                    continue;
                }
                Step::Pieces(at, to) => (at, to),
            };
            while at < to {
                let &(kind, text) = pieces.get(at)?;
                let begins = kind == ItemKind::Move || text.starts_with(';');
                if begins && kind != ItemKind::Comment {
                    let (behind, branches) = alternatives(pieces, &ends, at + 1..to)?;
                    if !branches.is_empty() {
                        branches.iter().rev().for_each(|branch| push_branch(*branch, &mut steps));
                        steps.extend([Step::Close, Step::Pieces(behind, to)]);
                        out.push_str(&self.branch.0);
                        out.push('(');
                        node = &self.within;
                    }
                    let own_end = branches.first().map_or(behind, |branch| branch.0);
                    out.push_str(&node.0);
                    // A set-up node in place of a move is written verbatim.
                    if kind == ItemKind::Move && !text.starts_with(';') {
                        out.push(';');
                        out.push_str(&self.inner.0);
                    }
                    out.push_str(text);
                    (node, property) = (&self.node, &self.property);
                    if text == ";" {
                        property = &self.inner;
                    }
                    at += 1;
                    while at < own_end {
                        self.write_property(pieces.get(at)?, property, out);
                        property = &self.property;
                        at += 1;
                    }
                    if !branches.is_empty() {
                        break;
                    }
                } else if text.starts_with('(') && kind == ItemKind::Other {
                    out.push_str(&self.branch.0);
                    out.push_str(text);
                    at += 1;
                } else if matches!(kind, ItemKind::Open | ItemKind::Close) {
                    return None;
                } else {
                    self.write_property(&(kind, text), property, out);
                    property = &self.property;
                    at += 1;
                }
            }
        }
        Some(())
    }

    fn write_property(&self, &(kind, text): &(ItemKind, &str), gap: &Gap, out: &mut String) {
        out.push_str(&gap.0);
        if kind == ItemKind::Comment {
            out.push_str("C[");
            out.push_str(text);
            out.push(']');
        } else {
            out.push_str(text);
        }
    }
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Named(match (self.names, self.tt) {
            (true, _) => NAMES_NAME,
            (_, true) => TT_NAME,
            _ => NAME,
        })
    }

    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let mut text = String::new();
        if self.bare {
            if let Some(id) = record.tag(ID) {
                text.push_str(id);
                text.push('\t');
            }
            self.write_nodes(record.pieces, &mut text)?;
        } else {
            if self.mark {
                text.push('\u{feff}');
            }
            text.push_str(&self.head.0);
            text.push('(');
            text.push_str(&self.open.0);
            text.push(';');
            self.write_root(record, &mut text);
            self.write_nodes(record.pieces, &mut text)?;
            text.push_str(&self.end.0);
            text.push(')');
        }
        text.push_str(&self.tail.0);
        charset::encode(text, self.charset)
    }
}

impl Display for Layout {
    /// `sgf`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        layout::write_charset(self.charset, f)?;
        f.write_str(if self.bare { " nodes=bare" } else { "" })?;
        f.write_str(if self.mark { " mark=bom" } else { "" })?;
        f.write_str(if self.tt { " pass=tt" } else { "" })?;
        f.write_str(if self.names { " points=names" } else { "" })?;
        let letters = |gap: &Gap| write_space(&gap.0).unwrap_or_default();
        for (word, gap) in self.gaps() {
            if !gap.0.is_empty() {
                write!(f, " {word}={}", letters(gap))?;
            }
        }
        for (name, gap) in &self.behind {
            write!(f, " behind={name}:{}", letters(gap))?;
        }
        Ok(())
    }
}

from_words!(|layout, key, value| {
    match (key, value) {
        ("charset", _) => layout.charset = Charset::of_name(value)?,
        ("nodes", "bare") => layout.bare = true,
        ("mark", "bom") => layout.mark = true,
        ("pass", "tt") => layout.tt = true,
        ("points", "names") => layout.names = true,
        ("behind", _) if layout.behind.len() < GAPS_MAX => {
            let (name, letters) = value.split_once(':')?;
            layout.behind.push((name.to_owned(), Gap(read_space(letters)?)));
        }
        _ => *layout.gap_mut(key)? = Gap(read_space(value)?),
    }
    Some(())
});
