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

impl<'a> Tree<'a> {
    /// Reads a text from the parenthesis or the semicolon at `at`. Text that belongs to no node is
    /// skipped.
    pub fn read(text: &'a str, at: usize) -> Self {
        let mut tree = Self { end: text.len(), ..Self::default() };
        let bytes = text.as_bytes();
        let mut at = at;
        // For each open parenthesis: its place, the node before it, and the first node within.
        let mut open: Vec<(usize, usize, usize)> = Vec::new();
        let mut node = NONE;
        // The last child of each node.
        let mut last: Vec<usize> = Vec::new();
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'(' => open.push((at, node, NONE)),
                b')' => {
                    let Some((_, before, first)) = open.pop() else {
                        tree.end = at;
                        break;
                    };
                    if let Some(first) = tree.nodes.get_mut(first) {
                        first.close = at + 1;
                    }
                    node = before;
                    if open.is_empty() {
                        tree.end = at;
                        break;
                    }
                }
                b';' => {
                    let number = tree.nodes.len();
                    let mut begins = NONE;
                    if let Some(group) = open.last_mut().filter(|group| group.2 == NONE) {
                        group.2 = number;
                        begins = group.0;
                    }
                    if let (Some(before), Some(last)) =
                        (tree.nodes.get_mut(node), last.get_mut(node))
                    {
                        let elder = std::mem::replace(last, number);
                        match elder {
                            NONE => before.child = number,
                            elder => {
                                if let Some(elder) = tree.nodes.get_mut(elder) {
                                    elder.sibling = number;
                                }
                            }
                        }
                    }
                    let first = tree.properties.len();
                    tree.nodes.push(Node {
                        properties: (first, first),
                        start: at,
                        child: NONE,
                        sibling: NONE,
                        open: begins,
                        close: NONE,
                    });
                    last.push(NONE);
                    node = number;
                }
                byte if byte.is_ascii_alphanumeric() => {
                    let start = at;
                    while bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                        at += 1;
                    }
                    let name = text.get(start..at).unwrap_or_default();
                    let space = |at: usize| {
                        let rest = bytes.get(at..).unwrap_or_default();
                        at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
                    };
                    let values = space(at);
                    let mut end = at;
                    let mut next = values;
                    while bytes.get(next) == Some(&b'[')
                        && let Some(length) = value_length(bytes.get(next..).unwrap_or_default())
                    {
                        end = next + length;
                        next = space(end);
                    }
                    at = end;
                    // A property after a branch belongs to no node.
                    let latest = tree.nodes.len().checked_sub(1) == Some(node);
                    if let Some(holder) =
                        tree.nodes.get_mut(node).filter(|_| latest && end > values)
                    {
                        let values = text.get(values..end).unwrap_or_default();
                        tree.properties.push(Property { name, values, place: (start, end) });
                        holder.properties.1 = tree.properties.len();
                    }
                    continue;
                }
                // A value without a property.
                b'[' => {
                    at += value_length(bytes.get(at..).unwrap_or_default()).unwrap_or(1);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        tree
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
