//! The text that stands for a binary record: the words of its layout, its tags, and the moves with
//! variations and comments. Formats of one record a file or of libraries share it.
//!
//! The first line has the layout. Then comes a line a tag, its name and its value with a tab
//! between; an empty line; and the movetext. In it words are moves, braces surround comments and
//! parentheses variations, as in PGN. A backslash stands before a backslash or a closing brace in
//! a comment. In the value of a tag it stands for itself twice, with `n` for a newline and with `r`
//! for a carriage return.

use std::borrow::Cow;
use std::fmt::Debug;
use std::str::FromStr;

use crate::charset::Charset;
use crate::format::{Content, Format, FormatInfo, Head, Reader, Reading, Rules, Sniffed, Sure};
use crate::layout::{Layout, Rendering, boxed};
use crate::record::{Item, ItemKind, Record};
use crate::split::{Splitter, Whole};

/// A format of xiangqi whose records are described: what it has of its own.
pub(crate) trait Described: Debug + Send + Sync {
    /// How a record is laid out.
    type Layout: Layout + FromStr<Err = String> + 'static;

    const INFO: FormatInfo;

    /// Whether its records are no texts.
    const BINARY: bool = true;

    /// Whether bytes begin an input.
    fn begins(bytes: &[u8]) -> bool;

    /// Cuts an input into records; by default it is one.
    fn splitter() -> Box<dyn Splitter> {
        Box::new(Whole)
    }

    /// Describes a record. `None` if these bytes are none.
    fn describe(record: &[u8]) -> Option<String>;
}

/// The facts about such a format.
pub(crate) const fn info(name: &'static str, title: &'static str) -> FormatInfo {
    FormatInfo { name, title, content: Content::Games, every_game: false }
}

impl<F: Described> Reader for F {
    fn info(&self) -> &'static FormatInfo {
        &F::INFO
    }

    fn is_binary(&self) -> bool {
        F::BINARY
    }

    fn escapes_comments(&self) -> bool {
        true
    }

    fn record<'a>(&self, text: &'a str, _: &dyn Rules) -> Option<Record<'a>> {
        read::<F::Layout>(text).map(|(_, record)| record)
    }
}

impl<F: Described> Format for F {
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed> {
        let game = (games.len() == 1).then_some(0);
        F::begins(head.bytes).then_some(Sniffed { sure: Sure::Certainly, game })
    }

    fn splitter(&self, _: u8) -> Box<dyn Splitter> {
        F::splitter()
    }

    fn describe(&self, record: &[u8]) -> Option<String> {
        F::describe(record)
    }

    fn read<'a>(&self, text: &'a str, _: Charset, _: &dyn Rules) -> Option<Reading<'a>> {
        let (layout, record) = read::<F::Layout>(text)?;
        Some(Reading::new(record, boxed(layout)))
    }

    fn layout(&self, text: &str) -> Result<Box<dyn Layout>, String> {
        text.parse::<F::Layout>().map(boxed)
    }
}

/// The place of a tree's root among its nodes.
pub(crate) const ROOT: usize = 0;

/// The place that stands for no node.
const NONE: usize = usize::MAX;

/// A node: a position, and the move that leads to it. The root has no move.
#[derive(Debug)]
struct Node<'a> {
    text: Cow<'a, str>,
    comment: Cow<'a, str>,
    parent: usize,
    /// The first and the last of the nodes that follow.
    first: usize,
    last: usize,
    /// The next alternative.
    next: usize,
}

/// The moves of a record. The first node that follows another continues its line; the others are
/// alternatives to the first.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
}

/// A node in the order of binary files: a line to its end, then the alternatives that were met
/// last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step<'t> {
    /// The move; empty for the root.
    pub text: &'t str,
    /// The comment, without escapes.
    pub comment: &'t str,
    /// Whether a move follows it.
    pub continues: bool,
    /// Whether there is another alternative to it.
    pub alternative: bool,
}

impl<'a> Tree<'a> {
    /// A tree of no moves.
    pub fn new() -> Self {
        let mut tree = Self { nodes: Vec::new() };
        tree.nodes.push(Node::new(NONE, Cow::Borrowed("")));
        tree
    }

    /// Adds a move behind a node. Returns its place.
    fn add(&mut self, parent: usize, text: Cow<'a, str>) -> usize {
        let place = self.nodes.len();
        self.nodes.push(Node::new(parent, text));
        let elder = match self.nodes.get_mut(parent) {
            Some(before) => {
                if before.first == NONE {
                    before.first = place;
                }
                std::mem::replace(&mut before.last, place)
            }
            None => NONE,
        };
        if let Some(elder) = self.nodes.get_mut(elder) {
            elder.next = place;
        }
        place
    }

    /// The tree of a record's movetext. `None` if these are not the pieces of one.
    pub fn of_pieces(pieces: &[(ItemKind, &'a str)]) -> Option<Self> {
        let mut tree = Self::new();
        let mut place = ROOT;
        let mut open = Vec::new();
        for &(kind, text) in pieces {
            if kind == ItemKind::Other {
                for item in items(text)? {
                    place = tree.take(item.kind, item.text, place, &mut open)?;
                }
            } else {
                place = tree.take(kind, text, place, &mut open)?;
            }
        }
        open.is_empty().then_some(tree)
    }

    /// Takes an item behind the node at `place`. Returns the node that the next one follows.
    fn take(
        &mut self,
        kind: ItemKind,
        text: &'a str,
        place: usize,
        open: &mut Vec<usize>,
    ) -> Option<usize> {
        match kind {
            ItemKind::Move => Some(self.add(place, Cow::Borrowed(text))),
            ItemKind::Comment => {
                let node = self.nodes.get_mut(place)?;
                node.comment.is_empty().then_some(())?;
                node.comment = unescape_comment(text);
                Some(place)
            }
            ItemKind::Open => {
                open.push(place);
                let parent = self.nodes.get(place)?.parent;
                (parent != NONE).then_some(parent)
            }
            ItemKind::Close => open.pop(),
            _ => None,
        }
    }

    /// The nodes in the order of binary files, the root first.
    pub fn steps(&self) -> Vec<Step<'_>> {
        let mut steps = Vec::with_capacity(self.nodes.len());
        let mut waiting = vec![ROOT];
        while let Some(node) = waiting.pop().and_then(|place| self.nodes.get(place)) {
            let Node { text, comment, first, next, .. } = node;
            let (continues, alternative) = (*first != NONE, *next != NONE);
            steps.push(Step { text, comment, continues, alternative });
            waiting.extend([*next, *first].into_iter().filter(|&place| place != NONE));
        }
        steps
    }

    /// Writes the movetext.
    fn write(&self, out: &mut String) {
        /// A step of writing that waits for its turn.
        enum Waiting {
            /// The moves behind a node.
            Behind(usize),
            /// An alternative, with the moves behind it.
            Alternative(usize),
            Close,
        }
        let Some(root) = self.nodes.first() else { return };
        write_comment(&root.comment, out);
        let mut waiting = vec![Waiting::Behind(ROOT)];
        while let Some(step) = waiting.pop() {
            match step {
                Waiting::Close => out.push(')'),
                Waiting::Alternative(place) => {
                    let Some(node) = self.nodes.get(place) else { continue };
                    out.push_str(" (");
                    node.write(out);
                    if node.next != NONE {
                        waiting.push(Waiting::Alternative(node.next));
                    }
                    waiting.extend([Waiting::Close, Waiting::Behind(place)]);
                }
                Waiting::Behind(place) => {
                    let Some(node) = self.nodes.get(place) else { continue };
                    let Some(first) = self.nodes.get(node.first) else { continue };
                    if !out.ends_with(['(', '\n']) {
                        out.push(' ');
                    }
                    first.write(out);
                    waiting.push(Waiting::Behind(node.first));
                    if first.next != NONE {
                        waiting.push(Waiting::Alternative(first.next));
                    }
                }
            }
        }
    }
}

impl<'a> Node<'a> {
    fn new(parent: usize, text: Cow<'a, str>) -> Self {
        let comment = Cow::Borrowed("");
        Self { text, comment, parent, first: NONE, last: NONE, next: NONE }
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.text);
        write_comment(&self.comment, out);
    }
}

/// Builds a tree from nodes in the order of binary files.
#[derive(Debug)]
pub(crate) struct Planting<'a> {
    tree: Tree<'a>,
    /// The node that the next one follows.
    place: usize,
    /// The nodes that alternatives to come follow, the next one last.
    waiting: Vec<usize>,
}

impl<'a> Planting<'a> {
    /// Begins with the root, and its comment.
    pub fn new(comment: String) -> Self {
        let mut tree = Tree::new();
        if let Some(root) = tree.nodes.first_mut() {
            root.comment = comment.into();
        }
        Self { tree, place: ROOT, waiting: Vec::new() }
    }

    /// Adds the next node. Returns whether another one follows.
    pub fn add(
        &mut self,
        text: String,
        comment: String,
        continues: bool,
        alternative: bool,
    ) -> bool {
        let place = self.tree.add(self.place, text.into());
        if let Some(node) = self.tree.nodes.get_mut(place) {
            node.comment = comment.into();
        }
        if alternative {
            self.waiting.push(self.place);
        }
        self.place = place;
        if !continues {
            let Some(next) = self.waiting.pop() else { return false };
            self.place = next;
        }
        true
    }

    /// The tree.
    pub fn tree(self) -> Tree<'a> {
        self.tree
    }
}

/// The text of a record: the words of its layout, tags, and moves.
pub(crate) fn describe(layout: &str, tags: &[(&str, String)], tree: &Tree<'_>) -> String {
    let mut text = format!("{layout}\n");
    for (name, value) in tags {
        text.push_str(name);
        text.push('\t');
        for symbol in value.chars() {
            match symbol {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                _ => text.push(symbol),
            }
        }
        text.push('\n');
    }
    text.push('\n');
    tree.write(&mut text);
    text
}

/// Reads the text that [`describe`] writes: the layout and the record. `None` for any other text.
pub(crate) fn read<L: FromStr>(text: &str) -> Option<(L, Record<'_>)> {
    let (layout, record) = parse(text)?;
    Some((layout.parse().ok()?, record))
}

/// Reads the same, the layout as its words.
fn parse(text: &str) -> Option<(&str, Record<'_>)> {
    let (layout, mut rest) = text.split_once('\n')?;
    let mut record = Record::default();
    loop {
        let (line, behind) = rest.split_once('\n')?;
        rest = behind;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once('\t')?;
        record.tags.push((name, unescape_value(value)));
    }
    record.movetext = rest;
    record.items = items(rest)?;
    let mut depth = 0usize;
    for item in &record.items {
        match item.kind {
            ItemKind::Open => depth += 1,
            ItemKind::Close => depth = depth.checked_sub(1)?,
            ItemKind::Move if depth == 0 => record.moves.push(item.text),
            _ => {}
        }
    }
    Some((layout, record))
}

/// The items of a movetext. `None` if it is none.
fn items(text: &str) -> Option<Vec<Item<'_>>> {
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let (kind, inner) = match byte {
            b' ' => {
                at += 1;
                continue;
            }
            b'(' | b')' => {
                at += 1;
                let kind = if byte == b'(' { ItemKind::Open } else { ItemKind::Close };
                (kind, start..at)
            }
            b'{' => {
                at += 1;
                loop {
                    at += memchr::memchr2(b'}', b'\\', bytes.get(at..)?)?;
                    match bytes.get(at) {
                        Some(b'}') => break,
                        _ => at += 2,
                    }
                }
                at += 1;
                (ItemKind::Comment, start + 1..at - 1)
            }
            _ => {
                let is_word = |byte: &u8| !matches!(byte, b' ' | b'(' | b')' | b'{' | b'}');
                let length = bytes.get(at..)?.iter().take_while(|byte| is_word(byte)).count();
                (length > 0).then_some(())?;
                at += length;
                (ItemKind::Move, start..at)
            }
        };
        items.push(Item { kind, text: text.get(inner)?, start, end: at });
    }
    Some(items)
}

fn write_comment(comment: &str, out: &mut String) {
    if comment.is_empty() {
        return;
    }
    if !out.ends_with(['(', '\n']) {
        out.push(' ');
    }
    out.push('{');
    for symbol in comment.chars() {
        if matches!(symbol, '}' | '\\') {
            out.push('\\');
        }
        out.push(symbol);
    }
    out.push('}');
}

/// The text that was written with escapes, given the sign that each escaped one stands for.
fn unescape(text: &str, meaning: fn(char) -> char) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut symbols = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(symbol) = symbols.next() {
        plain.extend(if symbol == '\\' { symbols.next().map(meaning) } else { Some(symbol) });
    }
    plain.into()
}

/// The comment that was written with escapes.
fn unescape_comment(text: &str) -> Cow<'_, str> {
    unescape(text, |escaped| escaped)
}

/// The value of a tag that was written with escapes.
fn unescape_value(text: &str) -> Cow<'_, str> {
    unescape(text, |escaped| match escaped {
        'n' => '\n',
        'r' => '\r',
        other => other,
    })
}

/// The value of a tag to be written into a file, empty if there is no such tag.
pub(crate) fn tag<'r>(record: &'r Rendering<'_>, name: &str) -> &'r str {
    record.tag(name).unwrap_or_default()
}

/// The tag Result of the number by which files give it. `None` if it is unknown.
pub(crate) fn result_of_number(number: u8) -> Option<&'static str> {
    RESULTS.get(usize::from(number)).copied().filter(|_| number > 0)
}

/// The number by which files give the result of this tag; 0 for any other.
pub(crate) fn number_of_result(result: &str) -> u8 {
    let place = RESULTS.iter().position(|known| *known == result);
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or(0)
}

/// Results by their numbers: unknown, Red wins, Black wins, drawn.
const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree with two alternatives to its second move, the last of which branches again.
    fn tree() -> Tree<'static> {
        let mut planting = Planting::new("root }".into());
        for (text, comment, continues, alternative, more) in [
            ("7747", "", true, false, true),
            ("7062", "a\\b\r\n", false, true, true),
            ("1022", "", false, true, true),
            ("1737", "", true, false, true),
            ("7967", "", false, true, true),
            ("8979", "", false, false, false),
        ] {
            assert_eq!(
                planting.add(text.into(), comment.into(), continues, alternative),
                more,
                "{text}"
            );
        }
        planting.tree()
    }

    #[test]
    fn a_tree_is_written_with_its_alternatives_behind_each_move() {
        let text =
            describe("xqf", &[("Title", "a\\b\r\nc".into()), ("Red", String::new())], &tree());
        let expected = "xqf\nTitle\ta\\\\b\\r\\nc\nRed\t\n\n{root \\}} 7747 7062 {a\\\\b\r\n} \
                        (1022) (1737 7967 (8979))";
        assert_eq!(text, expected);
        let (layout, record) = parse(&text).expect("a description");
        assert_eq!(layout, "xqf");
        assert_eq!(record.tags, [("Title", "a\\b\r\nc".into()), ("Red", "".into())]);
        assert_eq!(record.moves, ["7747", "7062"]);
        let back = Tree::of_pieces(&record.pieces()).expect("a tree");
        assert_eq!(back.steps(), tree().steps());
        // A part that is kept as text is read again.
        let mut pieces = record.pieces();
        pieces.truncate(2);
        pieces.push((ItemKind::Other, record.text_from(2)));
        assert_eq!(Tree::of_pieces(&pieces).expect("a tree").steps(), tree().steps());
    }

    #[test]
    fn what_is_no_description_is_refused() {
        for text in ["", "xqf", "xqf\n", "xqf\nTitle\n\n", "xqf\n\n{", "xqf\n\n{\\}", "xqf\n\n}"] {
            assert!(parse(text).is_none(), "{text}");
        }
        assert!(parse("xqf\n\n)").is_none());
        assert!(parse("xqf\n\n").is_some_and(|(_, record)| record.items.is_empty()));
        let open = |text| Tree::of_pieces(&[(ItemKind::Other, text)]).map(|tree| tree.nodes.len());
        assert_eq!(open("7747 (1022)"), Some(3));
        for none in ["(7747)", "7747 (1022", "7747)", "7747 {a}{b}", "7747 {"] {
            assert_eq!(open(none), None, "{none}");
        }
    }

    #[test]
    fn deep_trees_need_no_stack() {
        let mut planting = Planting::new(String::new());
        for _ in 0..100_000 {
            planting.add("7747".into(), String::new(), true, true);
        }
        let tree = planting.tree();
        let text = describe("xqf", &[], &tree);
        let (_, record) = parse(&text).expect("a description");
        assert_eq!(Tree::of_pieces(&record.pieces()).map(|tree| tree.steps().len()), Some(100_001));
    }

    #[test]
    fn results_have_numbers() {
        for number in 0..4 {
            let result = result_of_number(number);
            assert_eq!(number_of_result(result.unwrap_or("*")), number);
        }
        assert_eq!((result_of_number(4), number_of_result("x")), (None, 0));
    }
}
