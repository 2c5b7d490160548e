//! The nodes of a tree, in text order. Nothing here recurses, because a tree may be as deep as it
//! is long.

/// A property: its identifier, and all of its values with their brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    /// The identifier as written.
    pub name: &'a str,
    /// The values, from the first bracket to the last.
    pub values: &'a str,
    /// Its start and end in the text.
    pub place: (usize, usize),
}

/// The index that stands for no node.
pub(super) const NONE: usize = usize::MAX;

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    /// The range of its properties among all.
    pub properties: (usize, usize),
    /// The place of its semicolon.
    pub start: usize,
    /// Its first child, and its next sibling.
    pub child: usize,
    pub sibling: usize,
    /// The place of the parenthesis that opens before it, and the place after the one that closes
    /// it; [`NONE`] if there is none.
    pub open: usize,
    pub close: usize,
}

/// A tree.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub properties: Vec<Property<'a>>,
    pub nodes: Vec<Node>,
    /// The place of the parenthesis that closes the tree, or the end of the text.
    pub end: usize,
}

/// Reads a tree.
struct Reader<'a> {
    text: &'a str,
    tree: Tree<'a>,
    /// The node at hand; [`NONE`] before the first.
    node: usize,
    /// For each open parenthesis: its place, the node before it, and the first node within.
    open: Vec<(usize, usize, usize)>,
    /// The last child of each node.
    last: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn bytes(&self, at: usize) -> &'a [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }

    /// Takes the parenthesis at `at` that closes a group. Returns whether the tree ends there.
    fn close(&mut self, at: usize) -> bool {
        let Some((_, before, first)) = self.open.pop() else { return true };
        if let Some(first) = self.tree.nodes.get_mut(first) {
            first.close = at + 1;
        }
        self.node = before;
        self.open.is_empty()
    }

    /// Takes the semicolon at `at`: a node, behind the one at hand.
    fn take_node(&mut self, at: usize) {
        let number = self.tree.nodes.len();
        let mut begins = NONE;
        if let Some(group) = self.open.last_mut().filter(|group| group.2 == NONE) {
            group.2 = number;
            begins = group.0;
        }
        let before = self.tree.nodes.get_mut(self.node).zip(self.last.get_mut(self.node));
        if let Some((before, last)) = before {
            match std::mem::replace(last, number) {
                NONE => before.child = number,
                elder => {
                    if let Some(elder) = self.tree.nodes.get_mut(elder) {
                        elder.sibling = number;
                    }
                }
            }
        }
        let first = self.tree.properties.len();
        self.tree.nodes.push(Node {
            properties: (first, first),
            start: at,
            child: NONE,
            sibling: NONE,
            open: begins,
            close: NONE,
        });
        self.last.push(NONE);
        self.node = number;
    }

    /// Takes the property whose identifier begins at `start`. Returns the place behind it.
    fn take_property(&mut self, start: usize) -> usize {
        let letters = self.bytes(start).iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let behind = start + letters.count();
        let name = self.text.get(start..behind).unwrap_or_default();
        let space = |at: usize| {
            at + self.bytes(at).iter().take_while(|byte| byte.is_ascii_whitespace()).count()
        };
        let values = space(behind);
        let (mut end, mut next) = (behind, values);
        while self.bytes(next).first() == Some(&b'[')
            && let Some(length) = value_length(self.bytes(next))
        {
            end = next + length;
            next = space(end);
        }
        // A property after a branch belongs to no node.
        let latest = self.tree.nodes.len().checked_sub(1) == Some(self.node);
        let holder = self.tree.nodes.get_mut(self.node).filter(|_| latest && end > values);
        if let Some(holder) = holder {
            let values = self.text.get(values..end).unwrap_or_default();
            self.tree.properties.push(Property { name, values, place: (start, end) });
            holder.properties.1 = self.tree.properties.len();
        }
        end
    }
}

impl<'a> Tree<'a> {
    /// Reads a text from the parenthesis or the semicolon at `at`. Text that belongs to no node is
    /// skipped.
    pub fn read(text: &'a str, at: usize) -> Self {
        let tree = Self { end: text.len(), ..Self::default() };
        let mut reader = Reader { text, tree, node: NONE, open: Vec::new(), last: Vec::new() };
        let mut at = at;
        while let Some(&byte) = reader.bytes(at).first() {
            match byte {
                b'(' => reader.open.push((at, reader.node, NONE)),
                b')' => {
                    let ends = reader.close(at);
                    if ends {
                        reader.tree.end = at;
                        break;
                    }
                }
                b';' => reader.take_node(at),
                byte if byte.is_ascii_alphanumeric() => {
                    at = reader.take_property(at);
                    continue;
                }
                // A value without a property.
                b'[' => {
                    at += value_length(reader.bytes(at)).unwrap_or(1);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        reader.tree
    }

    /// The properties of a node.
    pub fn of(&self, node: &Node) -> &[Property<'a>] {
        self.properties.get(node.properties.0..node.properties.1).unwrap_or_default()
    }
}

/// The length of the value that these bytes begin with, brackets included; `None` if it does not
/// end.
fn value_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr2(b']', b'\\', bytes.get(at..)?)?;
        match bytes.get(at) {
            Some(b']') => return Some(at + 1),
            _ => at += 2,
        }
    }
}
