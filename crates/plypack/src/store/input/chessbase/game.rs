//! The PGN that a game or a guiding text makes.

use plypack_core::Rules as _;
use plypack_games::chess::{Chess, Position};
use plypack_records::{ItemKind, START_TAG};

use super::annotations::{Annotations, Notes};
use super::blocks::Bytes;
use super::guiding::Text;
use super::men::Men;
use super::moves::{self, Encoding, Tree};
use super::start::Start;
use crate::store::input::database::game::{DAMAGED, Player, Stand, Tag, comment_text, render};
use crate::store::input::database::losses::BRACES;

/// The bits of a game's first byte: a start of its own, and the number of the encoding.
const HAS_START: u8 = 64;
const ENCODING: u8 = 63;

/// What a game may lose.
pub(super) const DAMAGED_GAMES: &str = "damaged games";
pub(super) const ENCODINGS: &str = "games in an unknown encoding";
const STARTS: &str = "starts that the rules refuse";
const RIGHTS: &str = "castling and en passant that a start does not allow";

/// The comment in place of moves that cannot be read.
const UNREAD: &str = "The moves are in an unknown encoding.";

/// A game or a guiding text to write.
#[derive(Debug, Default)]
pub(super) struct Game {
    /// The moves.
    pub tree: Tree,
    /// The start if it is not the usual one: its FEN, and whether the game is one of Chess960.
    fen: Option<String>,
    is_chess960: bool,
    start: Option<Position>,
    /// A comment at the end of what cannot be read.
    fault: Option<&'static str>,
    /// What was lost.
    pub lost: Vec<&'static str>,
}

impl Game {
    /// A game whose moves cannot be found.
    pub fn damaged() -> Self {
        Self { fault: Some(DAMAGED), lost: vec![DAMAGED_GAMES], ..Self::default() }
    }

    /// Reads the moves of a game: its first byte, and what lies behind its length.
    pub fn read(flags: u8, bytes: &[u8], player: &mut Player) -> Self {
        let Some(encoding) = Encoding::numbered(flags & ENCODING) else {
            return Self { fault: Some(UNREAD), lost: vec![ENCODINGS], ..Self::default() };
        };
        let mut game = Self::default();
        let mut bytes = Bytes(bytes);
        let (men, position) = if flags & HAS_START == 0 {
            (Men::usual(), Some(Chess.start()))
        } else {
            let Some(start) = Start::read(&mut bytes, encoding.is_chess960) else {
                return Self::damaged();
            };
            if start.is_less {
                game.lost.push(RIGHTS);
            }
            if start.position.is_none() {
                game.lost.push(STARTS);
            }
            game.fen = Some(start.fen);
            game.is_chess960 = encoding.is_chess960;
            (Men::of_board(&start.board, start.black), start.position)
        };
        game.start = position.clone();
        if let Some(men) = men {
            game.tree = moves::read(bytes.0, encoding, Stand { men, position }, player);
        }
        if !game.tree.is_whole {
            game.fault = Some(DAMAGED);
            game.lost.push(DAMAGED_GAMES);
        }
        game
    }

    /// The PGN of the game with these tags. `None` if it cannot be written.
    pub fn write(&self, mut tags: Vec<Tag>, annotations: &Annotations) -> Option<Vec<u8>> {
        if self.is_chess960 {
            tags.push(("Variant".into(), "Chess960".into()));
        }
        let control = annotations.time_control.clone();
        tags.extend(control.map(|control| ("TimeControl".into(), control)));
        tags.extend(self.fen.clone().map(|fen| (START_TAG.into(), fen)));
        let mut pieces = Vec::new();
        let game = &annotations.game;
        pieces.extend(game.before.iter().map(|text| (ItemKind::Comment, text.clone())));
        push_after(game, &mut pieces);
        self.push_moves(annotations, &mut pieces);
        pieces.extend(self.fault.map(|fault| (ItemKind::Comment, fault.to_owned())));
        let pieces: Vec<(ItemKind, &str)> =
            pieces.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        render(tags, &pieces, self.start.as_ref())
    }

    /// Appends the moves: other moves come behind the one in whose place they are, before that
    /// one's line goes on.
    fn push_moves(&self, annotations: &Annotations, pieces: &mut Vec<(ItemKind, String)>) {
        /// What is to be written.
        enum Rest {
            /// A line from this move on, whose first move stands alone or before others.
            Line(usize, bool),
            /// The other moves in the place of a move, from this one on.
            Others(usize),
            Close,
        }
        let nodes = &self.tree.nodes;
        let mut rest = Vec::new();
        if !nodes.is_empty() {
            rest.push(Rest::Line(0, true));
        }
        while let Some(next) = rest.pop() {
            match next {
                Rest::Line(first, has_others) => {
                    let mut at = Some((first, has_others));
                    while let Some((place, has_others)) = at {
                        let Some(node) = nodes.get(place) else { break };
                        let notes = annotations.moves.get(place);
                        for text in notes.iter().flat_map(|notes| &notes.before) {
                            pieces.push((ItemKind::Comment, text.clone()));
                        }
                        pieces.push((ItemKind::Move, node.text.clone()));
                        if let Some(notes) = notes {
                            push_after(notes, pieces);
                        }
                        at = node.next.map(|next| (next, true));
                        if let (Some(other), true) = (node.other, has_others) {
                            rest.extend(at.map(|(next, others)| Rest::Line(next, others)));
                            rest.push(Rest::Others(other));
                            break;
                        }
                    }
                }
                Rest::Others(first) => {
                    pieces.push((ItemKind::Open, "(".into()));
                    let others = nodes.get(first).and_then(|node| node.other);
                    rest.extend(others.map(Rest::Others));
                    rest.push(Rest::Close);
                    rest.push(Rest::Line(first, false));
                }
                Rest::Close => pieces.push((ItemKind::Close, ")".into())),
            }
        }
    }
}

/// Appends what stands behind a move: glyphs, and comments, the first one with commands.
fn push_after(notes: &Notes, pieces: &mut Vec<(ItemKind, String)>) {
    pieces.extend(notes.glyphs.iter().map(|glyph| (ItemKind::Glyph, format!("${glyph}"))));
    let mut texts = notes.after.iter();
    if !notes.commands.is_empty() {
        let first = texts.next().map_or(String::new(), |text| format!(" {text}"));
        pieces.push((ItemKind::Comment, format!("{}{first}", notes.commands)));
    }
    pieces.extend(texts.map(|text| (ItemKind::Comment, text.clone())));
}

/// The PGN of a guiding text: its titles are tags, and its contents comments without a move.
pub(super) fn write_text(
    mut tags: Vec<Tag>,
    text: &Text,
    lost: &mut Vec<&'static str>,
) -> Option<Vec<u8>> {
    let titles = text.titles.join(" / ");
    tags.push(("GuidingText".into(), titles));
    let contents: Vec<(String, bool)> =
        text.contents.iter().map(|content| comment_text(content)).collect();
    lost.extend(contents.iter().filter(|content| content.1).map(|_| BRACES));
    let pieces: Vec<(ItemKind, &str)> =
        contents.iter().map(|content| (ItemKind::Comment, content.0.as_str())).collect();
    render(tags, &pieces, None)
}
