//! The nodes of a tree, in the order in which the text has them. Nothing here calls itself, because
//! trees may be as deep as they are long.

/// A property: its identifier, and all of its values with their brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    /// The identifier as written.
    pub name: &'a str,
    /// From the first bracket to behind the last.
    pub values: &'a str,
    /// Where it begins in the text, and where it ends.
    pub place: (usize, usize),
}

/// No node.
pub(super) const NONE: usize = usize::MAX;

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    /// Its properties, among all.
    pub properties: (usize, usize),
    /// Its semicolon.
    pub start: usize,
    /// The first of those that follow it, and the next of those that follow the one before.
    pub child: usize,
    pub sibling: usize,
    /// Where the parenthesis stands that opens before it, and where the text behind its counterpart
    /// begins; [`NONE`] if there is none.
    pub open: usize,
    pub close: usize,
}

/// A tree.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub properties: Vec<Property<'a>>,
    pub nodes: Vec<Node>,
    /// Where the parenthesis stands that closes the tree, or the end of the text.
    pub end: usize,
}

impl<'a> Tree<'a> {
    /// Reads a text from the parenthesis or the semicolon at `at`. What belongs to nothing is
    /// passed over.
    pub fn read(text: &'a str, at: usize) -> Self {
        let mut tree = Self { end: text.len(), ..Self::default() };
        let bytes = text.as_bytes();
        let mut at = at;
        // For each open parenthesis where it stands, the node before it, and the first within.
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
                    // Behind a branch it belongs to nothing.
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
                // A value of nothing.
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
