//! A game as a tree of positions: the main line and its variations.

use plypack_core::{Cursor, ErasedRules, Error, Notation};
use plypack_records::{ItemKind, Record};

use crate::viewer::{Nodes, Played};

/// A cursor of a registered game.
pub type BoxedCursor = Box<dyn Cursor<'static>>;

/// A growing tree.
pub struct Tree {
    /// Its nodes.
    pub nodes: Nodes,
}

impl Tree {
    /// Creates a tree with only a start position, and a cursor there.
    ///
    /// # Errors
    /// Returns an error if the position is not valid.
    pub fn new(
        game: &'static dyn ErasedRules,
        start: Option<&str>,
    ) -> Result<(Self, BoxedCursor), Error> {
        let mut tree = Self { nodes: Nodes::default() };
        let cursor = game.cursor(start)?;
        let (text, coordinates, mut position) = (String::new(), String::new(), String::new());
        cursor.write_position(&mut position);
        tree.push(0, Played { text, coordinates, position });
        Ok((tree, cursor))
    }

    /// Plays moves, given as candidate indices, from the start, where the cursor is.
    ///
    /// # Errors
    /// Returns an error if there is no such candidate.
    pub fn play_line(&mut self, mut cursor: BoxedCursor, indices: &[u16]) -> Result<(), Error> {
        let mut node = 0;
        for &index in indices {
            cursor.play(index)?;
            node = self.follow(node, &mut *cursor);
        }
        Ok(())
    }

    /// Plays a record, with its variations and annotations, from the start, where the cursor is. A
    /// line ends at its first unreadable move; returns the first error, or an empty text.
    pub fn play_record(&mut self, cursor: BoxedCursor, record: &Record<'_>) -> String {
        let mut warning = String::new();
        // The place of a line, and what its next variation replaces; likewise for each enclosing
        // line.
        let mut here = Place { node: 0, before: 0, cursor, stopped: false };
        let mut around = Vec::new();
        for item in &record.items {
            match item.kind {
                ItemKind::Move if !here.stopped => match here.cursor.read(item.text) {
                    Ok(_) => {
                        here.before = here.node;
                        here.node = self.follow(here.node, &mut *here.cursor);
                    }
                    Err(error) => {
                        here.stopped = true;
                        if warning.is_empty() {
                            warning = error.to_string();
                        }
                    }
                },
                ItemKind::Open => {
                    let cursor = here.cursor.fork(here.cursor.ply());
                    let branch = Place { node: here.before, cursor, ..here };
                    around.push(std::mem::replace(&mut here, branch));
                }
                ItemKind::Close => here = around.pop().unwrap_or(here),
                ItemKind::Suffix | ItemKind::Glyph if !here.stopped => {
                    append(&mut self.nodes.glyphs, here.node, item.text);
                }
                ItemKind::Comment if !here.stopped => self.comment(here.node, item.text),
                ItemKind::LineComment if !here.stopped => {
                    self.comment(here.node, item.text.trim_start_matches([';', '%']));
                }
                _ => {}
            }
        }
        warning
    }

    /// Adds the last move of a cursor; returns the number of the node, which may exist already.
    fn follow(&mut self, node: u32, cursor: &mut dyn Cursor<'static>) -> u32 {
        let played = played(cursor);
        // A line usually grows at its end, where nothing follows yet.
        let may_follow = at(node) + 1 < self.nodes.parents.len();
        let same = |&(child, parent): &(usize, &u32)| {
            child > 0 && *parent == node && self.nodes.coordinates[child] == played.coordinates
        };
        let mut children = self.nodes.parents.iter().enumerate().filter(|_| may_follow);
        if let Some((child, _)) = children.find(same) {
            return u32::try_from(child).unwrap_or(u32::MAX);
        }
        self.push(node, played)
    }

    fn push(&mut self, parent: u32, played: Played) -> u32 {
        let nodes = &mut self.nodes;
        nodes.parents.push(parent);
        nodes.moves.push(played.text);
        nodes.coordinates.push(played.coordinates);
        nodes.positions.push(played.position);
        for texts in
            [&mut nodes.glyphs, &mut nodes.comments, &mut nodes.clocks, &mut nodes.evaluations]
        {
            texts.push(String::new());
        }
        u32::try_from(nodes.parents.len() - 1).unwrap_or(u32::MAX)
    }

    /// Splits a comment: `[%clk 0:01:00]` and `[%eval 0.3]` are values, other commands are for
    /// other programs, and the rest is text.
    fn comment(&mut self, node: u32, text: &str) {
        let mut rest = text;
        let mut said = String::new();
        while let Some((before, after)) = rest.split_once("[%") {
            let Some((command, behind)) = after.split_once(']') else { break };
            said.push_str(before);
            rest = behind;
            match command.split_once(' ') {
                Some(("clk", time)) => append(&mut self.nodes.clocks, node, time.trim()),
                Some(("eval", value)) => append(&mut self.nodes.evaluations, node, value.trim()),
                _ => {}
            }
        }
        said.push_str(rest);
        let words: Vec<&str> = said.split_whitespace().collect();
        append(&mut self.nodes.comments, node, &words.join(" "));
    }
}

struct Place {
    node: u32,
    before: u32,
    /// At the node.
    cursor: BoxedCursor,
    stopped: bool,
}

/// Plays a move, in any notation, in a position.
///
/// # Errors
/// Returns an error if the position cannot be read, or if the move is not legal.
pub fn play(game: &'static dyn ErasedRules, position: &str, text: &str) -> Result<Played, Error> {
    let mut cursor = game.cursor(Some(position))?;
    cursor.read(text)?;
    Ok(played(&mut *cursor))
}

/// Returns the last move of a cursor, and the position after it.
fn played(cursor: &mut dyn Cursor<'static>) -> Played {
    let (mut text, mut coordinates, mut position) = (String::new(), String::new(), String::new());
    cursor.write_move(Notation::Customary, &mut text);
    cursor.write_move(Notation::Coordinate, &mut coordinates);
    cursor.write_position(&mut position);
    Played { text, coordinates, position }
}

fn at(node: u32) -> usize {
    usize::try_from(node).unwrap_or(usize::MAX)
}

/// Appends words to those of a node.
fn append(texts: &mut [String], node: u32, words: &str) {
    if let Some(text) = texts.get_mut(at(node)) {
        if !text.is_empty() && !words.is_empty() {
            text.push(' ');
        }
        text.push_str(words);
    }
}
