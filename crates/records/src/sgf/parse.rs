//! Reads a tree: the root's properties become tags, nodes become moves and the items between them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::layout::{GAPS_MAX, Layout};
use super::tree::{NONE, Node, Property, Tree};
use super::{GAMES, ID, USUAL, tag_of};
use crate::charset::Charset;
use crate::format::Rules;
use crate::layout::write_space;
use crate::record::{Item, ItemKind, Record, START_TAG};

/// A record.
#[derive(Debug)]
pub struct Sgf<'a> {
    /// Its contents.
    pub record: Record<'a>,
    /// Its layout.
    pub layout: Layout,
}

/// The longest set-up from which a start is derived, in bytes of text.
const START_MAX: usize = 1 << 14;

/// Reads a record. `None` if it is neither a tree nor a list of bare nodes, or if it is of another
/// game.
pub fn parse<'a>(text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Sgf<'a>> {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let begin = mark + space(text.get(mark..)?).len();
    match text.as_bytes().get(begin)? {
        b'(' => tree(text, begin, charset, rules),
        _ => list(text, charset, rules),
    }
}

/// Whether a text begins with a node whose first property is one of these.
fn begins_with(text: &str, properties: &[&str]) -> bool {
    let node = text.trim_ascii_start().strip_prefix(';').map(str::trim_ascii_start);
    let property = node.and_then(|node| node.split_once('[')).map(|(name, _)| name);
    property.is_some_and(|name| properties.contains(&name))
}

/// The white space at the beginning of a text.
fn space(text: &str) -> &str {
    text.get(..text.len() - text.trim_ascii_start().len()).unwrap_or_default()
}

/// Reads a list of bare nodes.
fn list<'a>(text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Sgf<'a>> {
    let (id, nodes) = match text.split_once('\t') {
        Some((id, nodes)) if !id.contains(['\n', '\r']) => (Some(id), nodes),
        _ => (None, text),
    };
    if !begins_with(nodes, &["B", "W"]) {
        return None;
    }
    let begin = text.len() - nodes.len();
    let mut layout = Layout { charset, bare: true, ..Layout::default() };
    let tail = nodes.len() - nodes.trim_ascii_end().len();
    layout.tail = Gap::of(text.get(text.len() - tail..)?);
    let tree = Tree::read(text.get(..text.len() - tail)?, begin);
    // The first value may be unterminated.
    tree.nodes.first().and_then(|node| tree.of(node).first()).filter(|first| is_move(first))?;
    let mut reader = Reader::new(text, &tree, rules);
    reader.record.tags.extend(id.map(|id| (ID, Cow::Borrowed(id))));
    reader.gaps(&mut layout, 0);
    reader.lines(0)?;
    reader.finish(rules, &[], layout, text.get(..tree.end)?)
}

/// Reads the tree whose parenthesis is at `begin`.
fn tree<'a>(text: &'a str, begin: usize, charset: Charset, rules: &dyn Rules) -> Option<Sgf<'a>> {
    let tree = Tree::read(text, begin);
    let root = tree.nodes.first()?;
    let mut reader = Reader::new(text, &tree, rules);
    let mut layout = Layout { charset, ..Layout::default() };
    layout.mark = text.starts_with('\u{feff}');
    layout.head = Gap::of(text.get(if layout.mark { 3 } else { 0 }..begin)?);
    layout.open = Gap::of(text.get(begin + 1..root.start)?);
    layout.tail = Gap::of(text.get((tree.end + 1).min(text.len())..)?);
    let before_end = text.get(..tree.end)?;
    layout.end = Gap::of(before_end.get(before_end.trim_ascii_end().len()..)?);
    let mut words = Vec::new();
    let mut gaps = Gaps::default();
    for property in tree.of(root) {
        if matches!(property.name, "B" | "W") {
            reader.push(ItemKind::Move, property);
            continue;
        }
        let value = value_of(property.values);
        if property.name == "GM" && !may_be(value.trim_ascii(), rules) {
            return None;
        }
        if property.name != START_TAG {
            gaps.after(text, property);
            reader.record.tags.push((tag_of(property.name), value));
        }
        words.extend(start_word(property));
    }
    let first = tree.of(root).first().map_or(root.start + 1, |property| property.place.0);
    layout.first = Gap::of(text.get(root.start + 1..first)?);
    gaps.into_layout(&mut layout);
    let children = reader.head(root, &mut words)?;
    reader.gaps(&mut layout, if children == NONE { root.child } else { children });
    reader.lines(children)?;
    reader.finish(rules, &words, layout, text.get(..tree.end)?.trim_ascii_end())
}

/// Whether a record with this game number may be of the game with these rules. Many programs write
/// the number of go for every game, so a game named by the user is believed.
fn may_be(number: &str, rules: &dyn Rules) -> bool {
    let is = |game: &(&str, &str)| game.0 == number && [USUAL, rules.name()].contains(&game.1);
    number.is_empty() || GAMES.iter().any(is)
}

/// White space between two parts, which layouts can hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap(pub(super) String);

impl Gap {
    /// The white space at the beginning of a text.
    pub(super) fn of(text: &str) -> Self {
        let space = space(text);
        Self(write_space(space).map(|_| space.to_owned()).unwrap_or_default())
    }
}

/// The gaps after the properties of a root.
#[derive(Default)]
struct Gaps<'a> {
    behind: Vec<(&'a str, Gap)>,
}

impl<'a> Gaps<'a> {
    fn after(&mut self, text: &str, property: &Property<'a>) {
        let rest = text.get(property.place.1..).unwrap_or_default();
        self.behind.push((property.name, Gap::of(rest)));
    }

    /// Sets the usual gap, the gaps that differ, by property, and the last one, before the nodes.
    fn into_layout(mut self, layout: &mut Layout) {
        let last = self.behind.pop();
        let mut counts: BTreeMap<&Gap, usize> = BTreeMap::new();
        for (_, gap) in &self.behind {
            *counts.entry(gap).or_default() += 1;
        }
        let usual = counts.into_iter().max_by_key(|count| count.1).map(|count| count.0.clone());
        layout.root = usual.unwrap_or_default();
        let odd = self.behind.iter().filter(|behind| behind.1 != layout.root);
        layout.behind =
            odd.take(GAPS_MAX).map(|(name, gap)| ((*name).to_owned(), gap.clone())).collect();
        layout.body = last.map(|last| last.1).unwrap_or_default();
    }
}

/// The value of a property: a single value without brackets and escapes, a list as written.
fn value_of(values: &str) -> Cow<'_, str> {
    let inner = values.strip_prefix('[').and_then(|values| values.strip_suffix(']'));
    let inner = inner.unwrap_or_default();
    let mut escaped = false;
    let listed = inner.bytes().any(|byte| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    if listed {
        return values.into();
    }
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut value = String::with_capacity(inner.len());
    let mut symbols = inner.chars();
    while let Some(symbol) = symbols.next() {
        value.extend(if symbol == '\\' { symbols.next() } else { Some(symbol) });
    }
    value.into()
}

/// The word that a property contributes to the start, if any.
fn start_word(property: &Property<'_>) -> Option<String> {
    let values: String = property.values.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    match property.name {
        "SZ" => Some(value_of(&values).into_owned()),
        "HA" | "PL" => Some(format!("{}{values}", property.name)),
        "AB" | "AW" | "AE" if values != "[]" => Some(format!("{}{values}", property.name)),
        _ => None,
    }
}

/// Whether a property changes the position other than by a move.
fn sets_up(property: &Property<'_>) -> bool {
    matches!(property.name, "AB" | "AW" | "AE" | "PL")
}

/// Whether a property is a move.
fn is_move(property: &Property<'_>) -> bool {
    matches!(property.name, "B" | "W")
}

/// Reads the nodes after the root.
struct Reader<'a, 't> {
    text: &'a str,
    tree: &'t Tree<'a>,
    record: Record<'a>,
    /// Whether any pass is `tt`.
    tt: bool,
    /// Whether points have names that end in digits.
    names: bool,
    /// Whether a pass is a move; otherwise the next player is the one who has a legal move.
    passes: bool,
}

/// A pending step of reading, on a stack.
enum Step {
    /// A node, and whether its siblings branch from its line.
    Node(usize, bool),
    /// The nodes that follow a node.
    Rest(usize),
    /// The parenthesis that opens before a node.
    Open(usize),
    /// The parenthesis that closes it.
    Close(usize),
}

impl<'a, 't> Reader<'a, 't> {
    fn new(text: &'a str, tree: &'t Tree<'a>, rules: &dyn Rules) -> Self {
        let passes = rules.name() == USUAL;
        Self { text, tree, record: Record::default(), tt: false, names: false, passes }
    }

    /// Whether a property is a move.
    fn is_move(&self, property: &Property<'_>) -> bool {
        is_move(property) && (self.passes || property.values != "[]")
    }

    fn node(&self, number: usize) -> Option<&'t Node> {
        self.tree.nodes.get(number)
    }

    /// Walks the nodes before all moves and branches, and collects what they say about the start.
    /// Returns the first node after them.
    fn head(&mut self, root: &Node, words: &mut Vec<String>) -> Option<usize> {
        let mut next = root.child;
        if !self.record.moves.is_empty() {
            return Some(next);
        }
        while let Some(node) = self.node(next) {
            let properties = self.tree.of(node);
            let sets = properties.iter().any(sets_up);
            if node.sibling != NONE || node.open != NONE || properties.iter().any(is_move) {
                break;
            }
            if sets {
                words.extend(properties.iter().filter(|p| sets_up(p)).filter_map(start_word));
            }
            self.bare(node);
            for property in properties {
                self.property(property);
            }
            next = node.child;
        }
        Some(next)
    }

    /// Finds the gaps of the nodes from the first few of them.
    fn gaps(&self, layout: &mut Layout, first: usize) {
        let node = |number: usize| self.node(number);
        let Some(begin) = node(if first == NONE { 0 } else { first }) else { return };
        let place = |node: &Node| if node.open == NONE { node.start } else { node.open };
        let before = |at: usize| {
            let text = self.text.get(..at).unwrap_or_default();
            Gap::of(text.get(text.trim_ascii_end().len()..).unwrap_or_default())
        };
        let behind = |at: usize| Gap::of(self.text.get(at..).unwrap_or_default());
        layout.inner = behind(begin.start + 1);
        let second = node(begin.child).filter(|node| node.open == NONE);
        // After nodes without a move, even the first one has nodes before it.
        let is_behind = first != NONE && first != 0 && node(0).is_some_and(|n| n.child != first);
        let second = second.or_else(|| Some(begin).filter(|_| is_behind));
        layout.node = second.map_or_else(Gap::default, |node| before(place(node)));
        // Variations come later; the first in parentheses decides.
        let branch = self.tree.nodes.iter().skip(1).find(|node| node.open != NONE);
        if let Some(branch) = branch {
            layout.branch = before(branch.open);
            layout.within = behind(branch.open + 1);
            let closes = self.text.get(..branch.close.saturating_sub(1)).unwrap_or_default();
            layout.close = Gap::of(closes.get(closes.trim_ascii_end().len()..).unwrap_or_default());
        }
        let behind_first = |node: &Node| self.tree.of(node).first().map(|p| behind(p.place.1));
        let two = self.tree.nodes.iter().skip(1).find(|node| self.tree.of(node).len() > 1);
        layout.property = two.and_then(behind_first).unwrap_or_default();
    }

    /// Reads the lines from a node on. `None` if the tree is malformed.
    fn lines(&mut self, first: usize) -> Option<()> {
        let mut steps = vec![Step::Node(first, true)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Node(number, main) => {
                    let Some(node) = self.node(number) else { continue };
                    let moves = self.nodes_items(node);
                    steps.push(Step::Rest(number));
                    let mut siblings = Vec::new();
                    let mut next = node.sibling;
                    while main && let Some(sibling) = self.node(next) {
                        if sibling.open == NONE || sibling.close == NONE {
                            return None;
                        }
                        siblings.push(next);
                        next = sibling.sibling;
                    }
                    if moves {
                        for &sibling in siblings.iter().rev() {
                            steps.push(Step::Close(sibling));
                            steps.push(Step::Node(sibling, false));
                            steps.push(Step::Open(sibling));
                        }
                    } else {
                        // Nothing says where these branch from.
                        for sibling in siblings {
                            let node = self.node(sibling)?;
                            self.item(ItemKind::Other, node.open, node.close);
                        }
                    }
                }
                Step::Rest(number) => {
                    let child = self.node(number)?.child;
                    if child != NONE {
                        steps.push(Step::Node(child, true));
                    }
                }
                Step::Open(number) => {
                    let open = self.node(number)?.open;
                    self.item(ItemKind::Open, open, open + 1);
                }
                Step::Close(number) => {
                    let close = self.node(number)?.close;
                    self.item(ItemKind::Close, close - 1, close);
                }
            }
        }
        Some(())
    }

    /// Adds the items of a node. Returns whether it has a move.
    fn nodes_items(&mut self, node: &Node) -> bool {
        let properties = self.tree.of(node);
        if properties.iter().any(sets_up) {
            // No move leads to a set-up; what follows is kept as text.
            let end = properties.last().map_or(node.start + 1, |last| last.place.1);
            let text = self.text.get(node.start..end).unwrap_or_default();
            self.record.items.push(Item { kind: ItemKind::Move, text, start: node.start, end });
            self.record.moves.push(text);
            return true;
        }
        let mv = properties.iter().position(|property| self.is_move(property));
        match mv.and_then(|place| properties.get(place)) {
            Some(property) => {
                let at = self.record.items.len();
                self.push(ItemKind::Move, property);
                if let Some(item) = self.record.items.get_mut(at) {
                    item.start = node.start;
                }
            }
            None => self.bare(node),
        }
        for (place, property) in properties.iter().enumerate() {
            if Some(place) != mv {
                self.property(property);
            }
        }
        mv.is_some()
    }

    /// Adds the semicolon of a node without a move.
    fn bare(&mut self, node: &Node) {
        self.item(ItemKind::Other, node.start, node.start + 1);
    }

    /// Adds a property that is not a move.
    fn property(&mut self, property: &Property<'a>) {
        let comment = property.values.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        match comment.filter(|_| property.name == "C") {
            Some(text) => {
                let (start, end) = property.place;
                self.record.items.push(Item { kind: ItemKind::Comment, text, start, end });
            }
            None => self.push(ItemKind::Other, property),
        }
    }

    /// Adds a property as written.
    fn push(&mut self, kind: ItemKind, property: &Property<'a>) {
        self.item(kind, property.place.0, property.place.1);
        if kind == ItemKind::Move {
            let (start, end) = property.place;
            let text = self.text.get(start..end).unwrap_or_default();
            self.tt |= self.passes && property.values == "[tt]";
            let digit = property.values.bytes().rev().nth(1).is_some_and(|b| b.is_ascii_digit());
            self.names |= !self.passes && digit;
            self.record.moves.push(text);
        }
    }

    fn item(&mut self, kind: ItemKind, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or_default();
        self.record.items.push(Item { kind, text, start, end });
    }

    /// Completes the record, with this movetext.
    fn finish(
        mut self,
        rules: &dyn Rules,
        words: &[String],
        mut layout: Layout,
        movetext: &'a str,
    ) -> Option<Sgf<'a>> {
        self.record.movetext = movetext;
        // Only the moves of the main line are the record's.
        let mut depth = 0u32;
        let items = self.record.items.iter();
        let main = items.filter_map(|item| {
            match item.kind {
                ItemKind::Open => depth += 1,
                ItemKind::Close => depth = depth.saturating_sub(1),
                ItemKind::Move if depth == 0 => return Some(item.text),
                _ => {}
            }
            None
        });
        self.record.moves = main.collect();
        layout.tt = self.tt;
        layout.names = self.names;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words.iter().map(|word| word.len()).sum::<usize>() <= START_MAX {
            let start = rules.start_told(&words, &self.record.moves);
            self.record.tags.extend(start.map(|start| (START_TAG, start.into())));
        }
        Some(Sgf { record: self.record, layout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout as _, Rendering};

    /// A game without rules, whose start is all words of the head.
    #[derive(Debug)]
    struct Told;

    impl Rules for Told {
        fn name(&self) -> &str {
            "go"
        }

        fn has_format(&self, _: &str) -> bool {
            true
        }

        fn signs(&self) -> &str {
            ""
        }

        fn start_told(&self, head: &[&str], _: &[&str]) -> Option<String> {
            (!head.is_empty()).then(|| head.join(" "))
        }

        fn position(&self, text: &str) -> Option<String> {
            Some(text.to_owned())
        }

        fn plays(&self, _: Option<&str>, _: &[&str]) -> bool {
            true
        }
    }

    fn read(text: &str) -> Option<Sgf<'_>> {
        parse(text, Charset::Utf8, &Told)
    }

    /// Writes a record back.
    fn written(sgf: &Sgf<'_>) -> String {
        let text = sgf.layout.to_string();
        assert_eq!(text.parse(), Ok(sgf.layout.clone()), "{text}");
        let rendering = Rendering {
            tags: &sgf.record.tag_list(),
            pieces: &sgf.record.pieces(),
            values: &[],
            number: 1,
            second: false,
        };
        String::from_utf8(sgf.layout.render(&rendering).expect("a tree")).expect("UTF-8")
    }

    #[test]
    fn trees_come_back() {
        for text in [
            "(;)",
            "(;GM[1]FF[4]\nSZ[19]PB[a\\]b\\\\c]AB[aa][bb:cc]\n\n;B[pd];W[]C[x\\]y])\n",
            "(;;B[aa](;W[bb];B[cc])(;W[dd](;B[ee])(;B[ff]C[z]TR[aa][bb])))",
            "\u{feff} ( ; GM [1] )",
            "(\n;\nGM[1]\nSZ[9]\n;\nB[aa]\n;\nW[bb]\n)\n",
            "7\t;B[aa];W[tt];B[]\r\n",
            ";B[aa]",
            "(;;B[aa](;N[x];W[bb])(;W[cc]))",
        ] {
            let sgf = read(text).expect(text);
            // White space within a property is not a gap.
            if !text.contains("GM [") {
                assert_eq!(written(&sgf), text);
            }
        }
    }

    #[test]
    fn a_tree_is_taken_apart() {
        let text = "(;GM[1]PW[x]RE[B+2]KM[6.5]HA[2];AB[dd][pp]C[head];W[aa]\
                    (;B[bb]C[c](;W[cc])(;W[dd];B[ee]))(;B[ff];AE[aa];W[gg]))";
        let Sgf { record, layout } = read(text).expect("a tree");
        let tags: Vec<(&str, &str)> = record.tag_list();
        assert_eq!(
            tags[1..5],
            [("White", "x"), ("Result", "B+2"), ("Komi", "6.5"), ("Handicap", "2")]
        );
        assert_eq!(tags[5], (START_TAG, "HA[2] AB[dd][pp]"));
        assert_eq!(record.moves, ["W[aa]", "B[bb]", "W[cc]"]);
        let kinds: String = record
            .items
            .iter()
            .map(|item| match item.kind {
                ItemKind::Move => 'm',
                ItemKind::Comment => 'c',
                ItemKind::Open => '(',
                ItemKind::Close => ')',
                _ => 'o',
            })
            .collect();
        // The branch of the second move comes before the nodes that follow that move; a set-up is
        // not a move.
        assert_eq!(kinds, "oocmmc(mmm)m(mm)");
        assert_eq!(layout.to_string(), "sgf");
        let tt = read("(;B[tt])").expect("a tree");
        assert_eq!(tt.layout.to_string(), "sgf pass=tt");
    }

    #[test]
    fn a_property_behind_a_branch_belongs_to_nothing() {
        let text = "(;;W[bb](;B[gg];AB[hh])W[ii])";
        assert_eq!(written(&read(text).expect("a tree")), "(;;W[bb];B[gg];AB[hh])");
    }

    #[test]
    fn what_is_odd_is_read_as_something() {
        for text in ["(;GM[1]PB[open", "(;B[aa", "((;B[aa])", "(;GM[1](;)(;))junk", "(;x y[z]]]"] {
            let sgf = read(text).expect(text);
            assert!(!written(&sgf).is_empty());
        }
        for text in ["", "1. e4", "(x)", "(;GM[2];B[f5])", "[Event \"x\"]", "x\ty"] {
            assert!(read(text).is_none_or(|sgf| sgf.record.moves.is_empty()), "{text}");
        }
        let deep = format!("(;{}{})", "(;B[aa]".repeat(50_000), ")".repeat(50_000));
        assert_eq!(read(&deep).map(|sgf| sgf.record.moves.len()), Some(50_000));
    }
}
