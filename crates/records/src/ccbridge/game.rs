//! The bytes of a game. Bytes between its parts are written as zeros.

use crate::charset::{Charset, decode_roughly, encode_roughly};
use crate::described::{Planting, Step, Tree, number_of_result, result_of_number, tag};
use crate::layout::Rendering;
use crate::record::START_TAG;
use crate::xiangqi::{Board, Move, read_move, write_move};

/// The bytes with which a game begins.
pub(super) const MAGIC: &[u8; 16] = b"CCBridge Record\0";

/// The character set of texts.
const CHARSET: Charset = Charset::Utf16Le;

/// The tags, with the places of their texts and their lengths in bytes. A text ends with a zero.
const TEXTS: [(&str, usize, usize); 30] = [
    ("Script", 52, 128),
    ("Title", 180, 128),
    ("Category", 308, 256),
    ("Source", 564, 64),
    ("EventType", 628, 64),
    ("Event", 692, 64),
    ("Round", 756, 64),
    ("Group", 820, 32),
    ("Board", 852, 32),
    ("Date", 884, 64),
    ("Site", 948, 64),
    ("TimeControl", 1012, 64),
    ("Red", 1076, 64),
    ("RedTeam", 1140, 64),
    ("RedTime", 1204, 64),
    ("RedRating", 1268, 32),
    ("Black", 1300, 64),
    ("BlackTeam", 1364, 64),
    ("BlackTime", 1428, 64),
    ("BlackRating", 1492, 32),
    ("Referee", 1524, 64),
    ("Recorder", 1588, 64),
    ("Annotator", 1652, 64),
    ("AnnotatorEmail", 1716, 64),
    ("Author", 1780, 64),
    ("AuthorEmail", 1844, 64),
    ("Created", 1908, 40),
    ("Modified", 1972, 40),
    ("Kind", 2044, 32),
    ("Termination", 2080, 32),
];

/// Numbers that most games have alike, and their places.
const USUAL: [(usize, &[u8]); 4] =
    [(19, &[2]), (2040, &[1, 0, 0, 0]), (2116, &[1, 0, 0, 0]), (2210, &[0xff; 4])];

/// The place of the number of the result.
const RESULT: usize = 2076;

/// The place of the number of the player who moves first, and that of Red and Black.
const MOVER: usize = 2112;
const RED: u8 = 1;
const BLACK: u8 = 2;

/// The place of the board: a byte a square, from Red's left on Black's side.
const BOARD: usize = 2120;

/// The place of the moves.
const MOVES: usize = 2214;

/// The men, as letters of FEN, by the lower half of their byte from 1; the upper half is 1 for Red
/// and 2 for Black.
const MEN: &[u8; 7] = b"RNBAKCP";

/// Flags of a node: the line ends; there is an alternative; a comment follows.
const ENDS: u8 = 1;
const ALTERNATIVE: u8 = 2;
const COMMENTED: u8 = 4;

/// Whether bytes begin a game.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && bytes.len() >= MOVES
}

/// What a file has of a game.
pub(super) struct Game<'a> {
    /// Its tags, with a start that is not the usual one.
    pub tags: Vec<(&'static str, String)>,
    /// Its moves.
    pub tree: Tree<'a>,
}

/// Reads a game. `None` if these bytes begin with none.
pub(super) fn read<'a>(bytes: &[u8]) -> Option<Game<'a>> {
    if !begins(bytes) {
        return None;
    }
    let (header, body) = bytes.split_at_checked(MOVES)?;
    let mut tags = read_texts(header, &TEXTS);
    let byte = |place| header.get(place).copied().unwrap_or(0);
    tags.extend(result_of_number(byte(RESULT)).map(|result| ("Result", result.into())));
    let mut board = Board::default();
    for (place, &man) in header.get(BOARD..)?.iter().enumerate() {
        if let Some((square, man)) = square_of(place).zip(man_of(man)) {
            board.put(square, man);
        }
    }
    let start = board.start(byte(MOVER) == BLACK);
    tags.extend(start.map(|start| (START_TAG, start)));
    Some(Game { tags, tree: read_tree(body) })
}

/// Appends the bytes of a game. `None` if a text is too long, or if something is no move.
pub(super) fn write(record: &Rendering<'_>, out: &mut Vec<u8>) -> Option<()> {
    let tree = Tree::of_pieces(record.pieces)?;
    let (board, black) = Board::of_start(record.tag(START_TAG))?;
    let mut header = [0; MOVES];
    put(&mut header, 0, MAGIC)?;
    write_texts(record, &TEXTS, &mut header)?;
    for (place, bytes) in USUAL {
        put(&mut header, place, bytes)?;
    }
    put(&mut header, RESULT, &[number_of_result(tag(record, "Result"))])?;
    put(&mut header, MOVER, &[if black { BLACK } else { RED }])?;
    let squares = board.0.iter().flatten().zip(header.get_mut(BOARD..)?);
    squares.for_each(|(man, place)| *place = man.map_or(0, byte_of));
    out.extend(header);
    for step in tree.steps() {
        write_node(step, out)?;
    }
    Some(())
}

/// Reads the texts of these tags, without those that are empty.
pub(super) fn read_texts(
    bytes: &[u8],
    texts: &[(&'static str, usize, usize)],
) -> Vec<(&'static str, String)> {
    let text = |&(name, place, length): &(&'static str, usize, usize)| {
        let (units, _) = bytes.get(place..)?.get(..length)?.as_chunks::<2>();
        let end = units.iter().position(|unit| *unit == [0; 2])?;
        let text = decode_roughly(units.get(..end)?.as_flattened(), CHARSET);
        (!text.is_empty()).then_some((name, text))
    };
    texts.iter().filter_map(text).collect()
}

/// Writes the texts of these tags. `None` if one is too long.
pub(super) fn write_texts(
    record: &Rendering<'_>,
    texts: &[(&str, usize, usize)],
    out: &mut [u8],
) -> Option<()> {
    for &(name, place, length) in texts {
        let text = encode_roughly(tag(record, name), CHARSET);
        (text.len() + 2 <= length).then_some(())?;
        put(out, place, &text)?;
    }
    Some(())
}

/// Writes bytes at a place.
pub(super) fn put(out: &mut [u8], place: usize, bytes: &[u8]) -> Option<()> {
    out.get_mut(place..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(())
}

/// The file and rank of a square on the board.
fn square_of(place: usize) -> Option<(u8, u8)> {
    let place = u8::try_from(place).ok().filter(|place| *place < 90)?;
    Some((place % 9, place / 9))
}

/// The letter of a man.
fn man_of(byte: u8) -> Option<u8> {
    let man = MEN.get(usize::from(byte & 15).checked_sub(1)?)?;
    match byte >> 4 {
        1 => Some(*man),
        2 => Some(man.to_ascii_lowercase()),
        _ => None,
    }
}

/// The byte of a man.
fn byte_of(man: u8) -> u8 {
    let place = (1u8..).zip(MEN).find(|(_, known)| **known == man.to_ascii_uppercase());
    let side = if man.is_ascii_uppercase() { 0x10 } else { 0x20 };
    place.map_or(0, |(place, _)| side | place)
}

/// A node of the tree.
struct Node<'b> {
    flags: u8,
    /// Origin and destination.
    squares: [u8; 2],
    comment: &'b [u8],
}

/// Reads the tree up to the first node that is cut off. Its root has no move.
fn read_tree<'a>(mut rest: &[u8]) -> Tree<'a> {
    let comment = |node: &Node<'_>| decode_roughly(node.comment, CHARSET);
    let Some(root) = node(&mut rest) else { return Tree::new() };
    let mut planting = Planting::new(comment(&root));
    let mut goes_on = root.flags & ENDS == 0;
    while goes_on && let Some(node) = node(&mut rest) {
        let squares = node.squares.map(|square| square_of(square.into()));
        let text = write_move(squares, node.squares);
        let (ends, alternative) = (node.flags & ENDS != 0, node.flags & ALTERNATIVE != 0);
        goes_on = planting.add(text, comment(&node), !ends, alternative);
    }
    planting.tree()
}

/// Takes a node off the front of these bytes. `None` if it is cut off.
fn node<'b>(bytes: &mut &'b [u8]) -> Option<Node<'b>> {
    let (&[flags, _, from, to], mut rest) = bytes.split_first_chunk()?;
    let mut length = 0;
    if flags & COMMENTED != 0 {
        let (number, behind) = rest.split_first_chunk()?;
        length = usize::try_from(u32::from_le_bytes(*number)).ok()?;
        rest = behind;
    }
    let (comment, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    Some(Node { flags, squares: [from, to], comment })
}

/// Writes a node.
fn write_node(step: Step<'_>, out: &mut Vec<u8>) -> Option<()> {
    let Step { text, comment, continues, alternative } = step;
    let [from, to] = match read_move(text) {
        Some(Move::Squares(squares)) => squares.map(|(file, rank)| 9 * rank + file),
        Some(Move::Bytes(bytes)) => bytes,
        None if text.is_empty() => [0; 2],
        None => return None,
    };
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    let has_comment = !comment.is_empty();
    let flags =
        flag(!continues, ENDS) | flag(alternative, ALTERNATIVE) | flag(has_comment, COMMENTED);
    out.extend([flags, 0, from, to]);
    if has_comment {
        let comment = encode_roughly(comment, CHARSET);
        out.extend(u32::try_from(comment.len()).ok()?.to_le_bytes());
        out.extend(comment);
    }
    Some(())
}
