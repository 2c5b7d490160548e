//! A symbol as yes-or-no questions: is the cell empty, whose man is it, which one?

/// The maximum number of symbols of a cell.
pub const SYMBOLS_MAX: usize = 16;

/// The maximum number of questions that identify a symbol.
pub const NODES_MAX: usize = 16;

/// The questions of one alphabet, in order. The first asks whether the cell is empty, the second
/// whether the symbol is in the first group. Each group then asks for its symbols one by one.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// The symbols for which a question is answered by yes.
    nodes: [u32; NODES_MAX],
    /// The first question of each group.
    first: [usize; 2],
}

impl Tree {
    /// Creates the questions for these two groups of symbols.
    pub const fn of(groups: [&[u8]; 2]) -> Self {
        let mut tree = Self { nodes: [0; NODES_MAX], first: [2; 2] };
        tree.nodes[0] = 1;
        let mut at = 2;
        each!(group, 2, {
            tree.first[group] = at;
            each!(place, groups[group].len(), {
                let symbol = 1 << groups[group][place];
                if group == 0 {
                    tree.nodes[1] |= symbol;
                }
                // The last symbol of a group needs no question.
                if place + 1 < groups[group].len() {
                    tree.nodes[at] = symbol;
                    at += 1;
                }
            });
        });
        tree
    }

    /// Returns the symbols for which this question is answered by yes, as bits.
    pub(super) fn yes(&self, node: usize) -> u32 {
        self.nodes.get(node).copied().unwrap_or(0)
    }

    /// Returns the question that follows this one.
    pub(super) fn next(&self, node: usize, answer: bool) -> usize {
        match (node, answer) {
            (0, _) => 1,
            (1, true) => self.first[0],
            (1, false) => self.first[1],
            _ => node + 1,
        }
    }

    /// Returns whether a symbol is in the first group.
    pub(super) fn is_first(&self, symbol: u8) -> bool {
        self.nodes[1] >> symbol & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any sequence of answers ends at one symbol.
    #[test]
    fn every_symbol_has_its_answers() {
        let tree = Tree::of([&[5, 1, 3], &[2, 4]]);
        for symbol in 0..6 {
            let (mut left, mut node) = (0b11_1111u32, 0);
            while left.count_ones() > 1 {
                assert!(node < NODES_MAX);
                let yes = tree.yes(node) & left;
                let answer = yes >> symbol & 1 == 1;
                left = if answer { yes } else { left & !yes };
                node = tree.next(node, answer);
            }
            assert_eq!(left, 1 << symbol);
        }
        assert!(tree.is_first(5) && !tree.is_first(2) && !tree.is_first(0));
    }
}
