//! A game as SCID stores it, and the PGN that it makes.

use std::borrow::Cow;

use plypack_core::Rules;
use plypack_games::chess::Chess;
use plypack_records::{ItemKind, START_TAG};

use super::index::Entry;
use super::men::Men;
use super::names::{Kind, Names, text};
use crate::store::input::database::game::{
    DAMAGED, DEPTH_MAX, Player, Stand, Tag, comment_text, render,
};

/// The tags that have a number instead of a name, from [`NAMED_FIRST`] on.
const NAMED: [&str; 10] = [
    "WhiteCountry",
    "BlackCountry",
    "Annotator",
    "PlyCount",
    "EventDate",
    "Opening",
    "Variation",
    "Setup",
    "Source",
    "SetUp",
];

/// The least length that stands for a tag's number.
const NAMED_FIRST: u8 = 241;

/// The length that stands for an old kind of EventDate, of three bytes.
const OLD_DATE: u8 = 255;

/// Bytes that are no moves: a glyph, whose number follows; a comment, whose text comes behind the
/// moves; the beginning and the end of a variation; the end of the game.
const GLYPH: u8 = 11;
const COMMENT: u8 = 12;
const OPEN: u8 = 13;
const CLOSE: u8 = 14;
const END: u8 = 15;

/// Writes games.
#[derive(Debug, Default)]
pub(super) struct Writer {
    player: Player,
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// The bytes before the next zero.
    fn text(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(0, self.0)?;
        let text = self.take(end)?;
        self.next()?;
        Some(text)
    }
}

/// A line that is being read: where it stands, and where it stood before its last move.
struct Line {
    now: Stand<Men>,
    before: Option<Stand<Men>>,
}

/// A piece of movetext. Comments are found when all moves are known.
enum Piece {
    Text(ItemKind, String),
    /// Behind a move or at the beginning of a line: whether a comment is announced here.
    Place(bool),
}

impl Writer {
    /// The PGN of a game, and the number of comments in which a brace had to be another one. `None`
    /// if it cannot be written.
    pub fn write(&mut self, entry: &Entry, data: &[u8], names: &Names) -> Option<(Vec<u8>, usize)> {
        let mut bytes = Bytes(data);
        let mut more = Vec::new();
        let mut whole = read_tags(&mut bytes, &mut more).is_some();
        let mut fen = None;
        let mut pieces = Vec::new();
        let mut start = Some(Chess.start());
        if whole {
            whole = match read_start(&mut bytes) {
                Some(told) => {
                    fen = told;
                    let men = Men::of_start(fen.as_deref());
                    if let Some(fen) = &fen {
                        start = Chess.read_position(fen).ok();
                    }
                    let position = start.clone();
                    let stand = men.map(|men| Stand { men, position });
                    stand
                        .and_then(|stand| self.read_moves(&mut bytes, stand, &mut pieces))
                        .is_some()
                }
                None => false,
            };
        }
        let (comments, braces) = match whole {
            true => comments(&mut bytes, &pieces),
            false => (vec![None; pieces.len()], 0),
        };
        let mut tags = tags(entry, names, more);
        tags.extend(fen.map(|fen| (START_TAG.into(), fen)));
        tags.dedup_by(|later, first| later.0 == first.0);
        let mut said: Vec<(ItemKind, &str)> = Vec::with_capacity(pieces.len());
        for (piece, comment) in pieces.iter().zip(&comments) {
            match (piece, comment) {
                (Piece::Text(kind, text), _) => said.push((*kind, text)),
                (Piece::Place(_), Some(comment)) => said.push((ItemKind::Comment, comment)),
                (Piece::Place(_), None) => {}
            }
        }
        if !whole {
            said.push((ItemKind::Comment, DAMAGED));
        }
        Some((render(tags, &said, start.as_ref())?, braces))
    }

    /// Reads the moves up to the end of the game. `None` if they are damaged; then the pieces up to
    /// the fault are there, with all variations closed.
    fn read_moves(
        &mut self,
        bytes: &mut Bytes<'_>,
        stand: Stand<Men>,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        let mut lines = vec![Line { now: stand, before: None }];
        pieces.push(Piece::Place(false));
        let read = self.read_lines(bytes, &mut lines, pieces);
        for _ in 1..lines.len() {
            pieces.push(Piece::Text(ItemKind::Close, ")".into()));
        }
        read
    }

    fn read_lines(
        &mut self,
        bytes: &mut Bytes<'_>,
        lines: &mut Vec<Line>,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        loop {
            match bytes.next()? {
                GLYPH => {
                    // Before the place of the comment.
                    let glyph = Piece::Text(ItemKind::Glyph, format!("${}", bytes.next()?));
                    let comes_last = matches!(pieces.last(), Some(Piece::Place(_)));
                    pieces.insert(pieces.len() - usize::from(comes_last), glyph);
                }
                COMMENT => {
                    let place = pieces.iter_mut().rev().find_map(|piece| match piece {
                        Piece::Place(announced) => Some(announced),
                        Piece::Text(..) => None,
                    });
                    *place? = true;
                }
                OPEN => {
                    let now = lines.last()?.before.clone()?;
                    (lines.len() <= DEPTH_MAX).then_some(())?;
                    lines.push(Line { now, before: None });
                    pieces.push(Piece::Text(ItemKind::Open, "(".into()));
                    pieces.push(Piece::Place(false));
                }
                CLOSE => {
                    (lines.len() > 1).then_some(())?;
                    lines.pop();
                    pieces.push(Piece::Text(ItemKind::Close, ")".into()));
                }
                END => return (lines.len() == 1).then_some(()),
                code => {
                    let line = lines.last_mut()?;
                    let second = bytes.0.first().copied();
                    let (mv, taken) = line.now.men.decode(code, second)?;
                    if taken {
                        bytes.next()?;
                    }
                    let before = line.now.clone();
                    let text = self.player.play(&mut line.now, mv)?;
                    line.before = Some(before);
                    pieces.push(Piece::Text(ItemKind::Move, text));
                    pieces.push(Piece::Place(false));
                }
            }
        }
    }
}

/// Reads the tags that the index has not.
fn read_tags(bytes: &mut Bytes<'_>, tags: &mut Vec<Tag>) -> Option<()> {
    loop {
        let length = bytes.next()?;
        let name: Cow<'static, str> = match length {
            0 => return Some(()),
            OLD_DATE => {
                bytes.take(3)?;
                continue;
            }
            NAMED_FIRST.. => (*NAMED.get(usize::from(length - NAMED_FIRST))?).into(),
            length => text(bytes.take(length.into())?).into(),
        };
        let length = bytes.next()?;
        tags.push((name, text(bytes.take(length.into())?)));
    }
}

/// Reads the start: `Some(None)` is the usual one.
fn read_start(bytes: &mut Bytes<'_>) -> Option<Option<String>> {
    let flags = bytes.next()?;
    if flags & 1 == 0 { Some(None) } else { Some(Some(text(bytes.text()?))) }
}

/// The comments behind the moves, one or none for each piece. They belong to the announced places
/// in order; what is left belongs to the places behind the last of them. Returns also the number of
/// those in which a brace had to be another one.
fn comments(bytes: &mut Bytes<'_>, pieces: &[Piece]) -> (Vec<Option<String>>, usize) {
    let mut braces = 0;
    let mut comments = vec![None; pieces.len()];
    let places = |wanted: bool, from: usize| {
        let pieces = pieces.iter().enumerate().skip(from);
        let is_place = move |piece: &Piece| matches!(piece, Piece::Place(told) if *told == wanted);
        pieces.filter(move |piece| is_place(piece.1)).map(|piece| piece.0)
    };
    let announced: Vec<usize> = places(true, 0).collect();
    let others = places(false, announced.last().map_or(0, |last| last + 1));
    for place in announced.iter().copied().chain(others) {
        let Some(comment) = bytes.text() else { break };
        let (comment, has_brace) = comment_text(&text(comment));
        braces += usize::from(has_brace);
        if let Some(told) = comments.get_mut(place).filter(|_| !comment.is_empty()) {
            *told = Some(comment);
        }
    }
    (comments, braces)
}

/// All tags of a game, in SCID's order.
fn tags(entry: &Entry, names: &Names, more: Vec<Tag>) -> Vec<Tag> {
    let mut tags: Vec<Tag> = vec![
        ("Event".into(), names.name(Kind::Event, entry.event)),
        ("Site".into(), names.name(Kind::Site, entry.site)),
        ("Date".into(), entry.date()),
        ("Round".into(), names.name(Kind::Round, entry.round)),
        ("White".into(), names.name(Kind::Player, entry.white)),
        ("Black".into(), names.name(Kind::Player, entry.black)),
        ("Result".into(), entry.result().into()),
    ];
    for (rating, side) in entry.ratings().into_iter().zip(["White", "Black"]) {
        tags.extend(
            rating.map(|(kind, number)| (format!("{side}{kind}").into(), number.to_string())),
        );
    }
    tags.extend(entry.eco().map(|eco| ("ECO".into(), eco)));
    tags.extend(entry.event_date().map(|date| ("EventDate".into(), date)));
    let flags = entry.flags();
    tags.extend((!flags.is_empty()).then(|| ("ScidFlags".into(), flags)));
    let plain = |name: &str| name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_');
    tags.extend(more.into_iter().filter(|tag| plain(&tag.0) && tag.0 != START_TAG));
    tags
}
