//! A game as a tree of positions: the main line and its variations.

use plypack_core::{ErasedGame, Error, Notation};
use plypack_records::{ItemKind, Record};

use crate::{Nodes, Played};

/// A tree that grows.
pub struct Tree {
    game: &'static dyn ErasedGame,
    /// What it holds.
    pub nodes: Nodes,
}

impl Tree {
    /// A tree of a start position alone.
    ///
    /// # Errors
    /// If the rules cannot hold it.
    pub fn new(game: &'static dyn ErasedGame, start: Option<&str>) -> Result<Self, Error> {
        let mut tree = Self { game, nodes: Nodes::default() };
        let position = game.position_after(start, &[])?;
        tree.push(0, Played { text: String::new(), coordinates: String::new(), position });
        Ok(tree)
    }

    /// Plays moves from the start.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn play_line<'a>(&mut self, moves: impl Iterator<Item = &'a str>) -> Result<(), Error> {
        let mut node = 0;
        for text in moves {
            node = self.play(node, text)?;
        }
        Ok(())
    }

    /// Plays what a record says, with its variations and annotations. A line ends at its first move
    /// that cannot be read; the first reason is returned, empty if there is none.
    pub fn play_record(&mut self, record: &Record<'_>) -> String {
        let mut warning = String::new();
        // Where a line stands and what its next variation replaces; of each line around it, too.
        let mut here = Place { node: 0, before: 0, stopped: false };
        let mut around = Vec::new();
        for item in &record.items {
            match item.kind {
                ItemKind::Move if !here.stopped => match self.play(here.node, item.text) {
                    Ok(node) => here = Place { node, before: here.node, stopped: false },
                    Err(error) => {
                        here.stopped = true;
                        if warning.is_empty() {
                            warning = self.describe(here.node, &error);
                        }
                    }
                },
                ItemKind::Open => {
                    around.push(here);
                    here = Place { node: here.before, ..here };
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

    /// Plays a move; the number of its node, which may have been there.
    fn play(&mut self, node: u32, text: &str) -> Result<u32, Error> {
        let position = self.nodes.positions.get(at(node)).map_or("", String::as_str);
        let played = play(self.game, position, text)?;
        // A line mostly grows at its end, where nothing can follow yet.
        let may_follow = at(node) + 1 < self.nodes.parents.len();
        let same = |&(child, parent): &(usize, &u32)| {
            child > 0 && *parent == node && self.nodes.coordinates[child] == played.coordinates
        };
        let mut children = self.nodes.parents.iter().enumerate().filter(|_| may_follow);
        if let Some((child, _)) = children.find(same) {
            return Ok(u32::try_from(child).unwrap_or(u32::MAX));
        }
        Ok(self.push(node, played))
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

    /// Takes a comment apart: `[%clk 0:01:00]` and `[%eval 0.3]` are values, other commands are for
    /// other programs, and what is left is for people.
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

    /// What is wrong with the move after a node.
    fn describe(&self, node: u32, error: &Error) -> String {
        let mut ply = 1;
        let mut node = at(node);
        while node > 0 {
            node = self.nodes.parents.get(node).copied().map_or(0, at);
            ply += 1;
        }
        match error {
            Error::Move { text, fault, .. } => {
                Error::Move { ply, text: text.clone(), fault: *fault }.to_string()
            }
            other => other.to_string(),
        }
    }
}

#[derive(Clone, Copy)]
struct Place {
    node: u32,
    before: u32,
    stopped: bool,
}

/// Plays a move, in any notation, of a position.
///
/// # Errors
/// If the position cannot be read or does not offer it.
pub fn play(game: &dyn ErasedGame, position: &str, text: &str) -> Result<Played, Error> {
    let (indices, stopped) = game.read_moves(Some(position), &mut std::iter::once(text))?;
    if let Some(error) = stopped {
        return Err(error);
    }
    let spelt = |notation| {
        let texts = game.write_moves(Some(position), &indices, notation)?;
        Ok::<_, Error>(texts.iter().next().unwrap_or_default().to_owned())
    };
    Ok(Played {
        text: spelt(Notation::Customary)?,
        coordinates: spelt(Notation::Coordinate)?,
        position: game.position_after(Some(position), &indices)?,
    })
}

fn at(node: u32) -> usize {
    usize::try_from(node).unwrap_or(usize::MAX)
}

/// Adds words to those of a node.
fn append(texts: &mut [String], node: u32, words: &str) {
    if let Some(text) = texts.get_mut(at(node)) {
        if !text.is_empty() && !words.is_empty() {
            text.push(' ');
        }
        text.push_str(words);
    }
}
