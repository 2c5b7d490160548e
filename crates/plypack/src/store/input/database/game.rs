//! Moves of a database's game, played by the rules and by the database's own numbering of men, and
//! the PGN that the game makes.

use std::borrow::Cow;

use plypack_core::{Candidates, Listing, Notation, Ply, Rules, Turn};
use plypack_games::chess::{Chess, Position};
use plypack_records::pgn::Layout;
use plypack_records::{ItemKind, Layout as _, Rendering};

/// The comment behind the last move that can be read of a damaged game.
pub const DAMAGED: &str = "The rest of the game is damaged.";

/// The most variations within each other.
pub const DEPTH_MAX: usize = 1000;

/// The name and the value of a tag.
pub type Tag = (Cow<'static, str>, String);

/// A move that was decoded. Squares count from a1, then along the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The player passes.
    Null,
    /// Castling with the rook on the h-side.
    Short,
    /// Castling with the rook on the a-side.
    Long,
    /// From one square to another, with the letter of a promotion.
    Plain {
        /// The square it leaves.
        from: u8,
        /// The square it goes to.
        to: u8,
        /// The piece that a pawn becomes.
        promotion: Option<char>,
    },
}

impl Move {
    /// The move as text: castling and null moves as in SAN, others as squares.
    pub fn text(self) -> String {
        match self {
            Self::Null => "--".into(),
            Self::Short => "O-O".into(),
            Self::Long => "O-O-O".into(),
            Self::Plain { from, to, promotion } => {
                let mut text = String::new();
                for square in [from, to] {
                    text.push(char::from(b'a' + square % 8));
                    text.push(char::from(b'1' + square / 8));
                }
                text.extend(promotion);
                text
            }
        }
    }
}

/// The men of a game as a database numbers them.
pub trait Men: Clone {
    /// Plays a move. In castling the rook is on `rook`, or where it usually is. `None` if there are
    /// no men for it.
    fn play(&mut self, mv: Move, rook: Option<u8>) -> Option<()>;
}

/// The men, and the position unless a move was illegal.
#[derive(Clone)]
pub struct Stand<M> {
    /// The men.
    pub men: M,
    /// The position.
    pub position: Option<Position>,
}

/// Plays moves.
#[derive(Debug, Default)]
pub struct Player {
    listing: Listing<<Chess as Rules>::Move>,
}

impl Player {
    /// Plays a move. Returns its text: in SAN, or as it is if it is not legal or follows such a
    /// move. `None` if there are no men for it.
    pub fn play<M: Men>(&mut self, stand: &mut Stand<M>, mv: Move) -> Option<String> {
        let text = mv.text();
        let mut written = None;
        let mut rook = None;
        if let Some(before) = &stand.position {
            self.listing.clear();
            let candidates = Candidates::of(&Chess, before, &self.listing);
            if let Ok(legal) = Chess.read_move(&candidates, &text) {
                let mut after = before.clone();
                Chess.play(&mut after, legal);
                let mut san = String::new();
                let ply = Ply::new(candidates, legal, &after);
                Chess.write_move(&ply, Notation::Customary, &mut san);
                rook = u8::try_from(legal.to as usize).ok();
                written = Some((san, after));
            }
        }
        let castles = matches!(mv, Move::Short | Move::Long);
        stand.men.play(mv, rook.filter(|_| castles))?;
        let (san, after) = written.map_or((text, None), |(san, after)| (san, Some(after)));
        stand.position = after;
        Some(san)
    }
}

/// A text as it stands in a comment, which a brace would end, and whether there was one.
pub fn comment_text(text: &str) -> (String, bool) {
    (text.replace('}', ")"), text.contains('}'))
}

/// The PGN of a game: its tags, the pieces of its movetext without the result, and its start if
/// that is a position. `None` if it cannot be written.
pub fn render(
    mut tags: Vec<Tag>,
    pieces: &[(ItemKind, &str)],
    start: Option<&Position>,
) -> Option<Vec<u8>> {
    for (_, value) in &mut tags {
        if value.contains(char::is_control) {
            *value = value.replace(char::is_control, " ");
        }
    }
    let tags: Vec<(&str, &str)> = tags.iter().map(|tag| (&*tag.0, &*tag.1)).collect();
    let turn = start.map(|start| Chess.turn(start));
    let Turn { number, second } = turn.unwrap_or(Turn { number: 1, second: false });
    let rendering = Rendering { tags: &tags, pieces, values: &[], number, second };
    Layout::usual(false).render(&rendering)
}
