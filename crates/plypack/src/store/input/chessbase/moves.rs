//! The moves of a game, as a tree in the order in which they are stored: the main line of each
//! position first.

use super::men::Men;
use super::tables;
use crate::store::input::database::game::{DEPTH_MAX, Move, Player, Stand};

/// Codes that are no moves: two bytes follow, nothing, a variation begins before the next move, and
/// the line ends.
const PAIR: u8 = 235;
const NOTHING: u8 = 236;
const OPEN: u8 = 254;
const CLOSE: u8 = 255;

/// The bits of a move of two bytes before which a variation begins, or behind which the line ends.
const PAIR_OPENS: u16 = 1 << 15;
const PAIR_CLOSES: u16 = 1 << 14;

/// How moves are encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encoding {
    table: &'static [u8; 256],
    /// Whether the number of moves is taken off before the table is asked, instead of behind it.
    is_first: bool,
    /// Whether every move has two bytes.
    is_paired: bool,
    /// Whether the game is one of Chess960.
    pub is_chess960: bool,
}

impl Encoding {
    /// The encoding with this number; `None` if it is not known.
    pub fn numbered(number: u8) -> Option<Self> {
        let (table, is_first, is_paired) = match number {
            0 => (&tables::OF_0, true, false),
            4 => (&tables::OF_4, false, false),
            5 => (&tables::OF_5, false, true),
            10 => (&tables::OF_10, false, false),
            _ => return None,
        };
        Some(Self { table, is_first, is_paired, is_chess960: number == 10 })
    }

    /// The meaning of a byte behind so many moves.
    fn meaning(self, byte: u8, moves: u8) -> u8 {
        let of = |byte: u8| self.table[usize::from(byte)];
        if self.is_first { of(byte.wrapping_sub(moves)) } else { of(byte).wrapping_sub(moves) }
    }
}

/// A move and what follows it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub text: String,
    /// Whether Black made it.
    pub black: bool,
    /// The next move of its line.
    pub next: Option<usize>,
    /// Another move in its place.
    pub other: Option<usize>,
}

/// The moves of a game in the order in which they are stored. The first one is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// Whether all was read.
    pub is_whole: bool,
}

/// Where the next move belongs.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Behind(usize),
    Beside(usize),
}

/// Reads moves.
struct Reader<'a> {
    encoding: Encoding,
    player: &'a mut Player,
    stand: Stand<Men>,
    place: Place,
    /// Whether a variation begins before the next move.
    opens: bool,
    /// The positions with other moves to come, and the move after which they come.
    open: Vec<(Stand<Men>, usize)>,
    tree: Tree,
}

/// Reads the moves of a game up to its end or to a fault.
pub(super) fn read(
    bytes: &[u8],
    encoding: Encoding,
    stand: Stand<Men>,
    player: &mut Player,
) -> Tree {
    let (place, tree) = (Place::Root, Tree::default());
    let mut reader =
        Reader { encoding, player, stand, place, opens: false, open: Vec::new(), tree };
    let whole = if encoding.is_paired { reader.pairs(bytes) } else { reader.codes(bytes) };
    // A game without moves may have no bytes at all.
    reader.tree.is_whole = whole.is_some() || bytes.is_empty();
    reader.tree
}

impl Reader<'_> {
    fn meaning(&self, byte: u8) -> u8 {
        // The number counts modulo 256.
        let moves = u8::try_from(self.tree.nodes.len() & 0xff).unwrap_or_default();
        self.encoding.meaning(byte, moves)
    }

    fn word(&self, bytes: [u8; 2]) -> u16 {
        u16::from_be_bytes(bytes.map(|byte| self.meaning(byte)))
    }

    /// Reads up to the end of the main line; `None` if that is damaged. What lies behind the end is
    /// a rest of a longer game.
    fn codes(&mut self, mut bytes: &[u8]) -> Option<()> {
        loop {
            let (&first, rest) = bytes.split_first()?;
            bytes = rest;
            let mv = match self.meaning(first) {
                NOTHING => continue,
                OPEN => {
                    self.begin()?;
                    continue;
                }
                CLOSE => {
                    if self.end()? {
                        return Some(());
                    }
                    continue;
                }
                PAIR => {
                    let (pair, rest) = bytes.split_first_chunk::<2>()?;
                    bytes = rest;
                    self.stand.men.between(self.word(*pair), self.encoding.is_chess960)?
                }
                code => self.stand.men.decode(code)?,
            };
            self.play(mv)?;
        }
    }

    fn pairs(&mut self, mut bytes: &[u8]) -> Option<()> {
        loop {
            let (pair, rest) = bytes.split_first_chunk::<2>()?;
            bytes = rest;
            let word = self.word(*pair);
            if word & PAIR_OPENS != 0 {
                self.begin()?;
            }
            let mv = self.stand.men.between(word, false)?;
            self.play(mv)?;
            if word & PAIR_CLOSES != 0 && self.end()? {
                return Some(());
            }
        }
    }

    fn begin(&mut self) -> Option<()> {
        (!self.opens && self.open.len() < DEPTH_MAX).then_some(())?;
        self.opens = true;
        Some(())
    }

    /// Ends a line; whether it was the last one.
    fn end(&mut self) -> Option<bool> {
        (!self.opens).then_some(())?;
        let Some((stand, first)) = self.open.pop() else { return Some(true) };
        self.stand = stand;
        self.place = Place::Beside(first);
        Some(false)
    }

    fn play(&mut self, mv: Move) -> Option<()> {
        let before = self.opens.then(|| self.stand.clone());
        let black = self.stand.men.is_black();
        let text = self.player.play(&mut self.stand, mv)?;
        let own = self.tree.nodes.len();
        match self.place {
            Place::Root => {}
            Place::Behind(before) => self.tree.nodes.get_mut(before)?.next = Some(own),
            Place::Beside(first) => self.tree.nodes.get_mut(first)?.other = Some(own),
        }
        self.tree.nodes.push(Node { text, black, next: None, other: None });
        self.place = Place::Behind(own);
        self.opens = false;
        self.open.extend(before.map(|before| (before, own)));
        Some(())
    }
}
