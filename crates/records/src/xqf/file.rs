//! The bytes of a file. Bytes that mean nothing are written as zeros.

use super::Layout;
use super::cipher::{Cipher, Keys};
use crate::charset;
use crate::described::{self, Planting, Step, Tree, number_of_result, result_of_number, tag};
use crate::layout::Rendering;
use crate::record::START_TAG;
use crate::xiangqi::{Board, Move, read_move, write_move};

/// The bytes with which a file begins.
const MAGIC: &[u8; 2] = b"XQ";

/// The length of the header in bytes.
const HEADER_BYTES: usize = 1024;

/// The last known version, with room for a few more.
const VERSION_MAX: u8 = 31;

/// The tags, with the places of their texts: a byte for the length, then at most so many bytes.
const TEXTS: [(&str, usize, usize); 12] = [
    ("Title", 80, 63),
    ("Subtitle", 144, 63),
    ("Event", 208, 63),
    ("Date", 272, 15),
    ("Site", 288, 15),
    ("Red", 304, 15),
    ("Black", 320, 15),
    ("TimeControl", 336, 63),
    ("RedTime", 400, 15),
    ("BlackTime", 416, 15),
    ("Annotator", 464, 15),
    ("Author", 480, 15),
];

/// The places of the numbers of the player to move and of the result.
const MOVER: usize = 50;
const RESULT: usize = 51;

/// The men in their order, as letters of FEN.
const MEN: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// The square of a man who is not on the board.
const OFF: u8 = 0xff;

/// What is added to origins and destinations in every version.
const SQUARES: [u8; 2] = [0x18, 0x20];

/// Flags of a node: a move follows; there is an alternative; a comment follows.
const CONTINUES: u8 = 0x80;
const ALTERNATIVE: u8 = 0x40;
const COMMENTED: u8 = 0x20;

/// The flags of a node in version 10, where any bit of half a byte is enough.
const PLAIN_CONTINUES: u8 = 0xf0;
const PLAIN_ALTERNATIVE: u8 = 0x0f;

/// Whether bytes begin a file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let known = |version: &u8| (1..=VERSION_MAX).contains(version);
    let last = TEXTS.iter().all(|&(_, place, most)| {
        bytes.get(place).is_some_and(|&length| usize::from(length) <= most)
    });
    bytes.starts_with(MAGIC)
        && bytes.get(2).is_some_and(known)
        && last
        && bytes.len() >= HEADER_BYTES
}

/// Describes a file as text. `None` if it is none.
pub(super) fn describe(bytes: &[u8]) -> Option<String> {
    let (header, body) = bytes.split_first_chunk::<HEADER_BYTES>()?;
    if !begins(bytes) {
        return None;
    }
    let keys = keys(header);
    let cipher = keys.cipher();
    let (root, nodes) = nodes(body, keys, &cipher);
    let texts = TEXTS.map(|(name, place, most)| (name, text(header, place, most)));
    let all: Vec<&[u8]> = texts
        .iter()
        .map(|text| text.1)
        .chain(nodes.iter().map(|node| &node.comment[..]))
        .chain([&root[..]])
        .collect();
    let charset = charset::of_chinese(&all);
    let decode = |bytes: &[u8]| charset::decode_roughly(bytes, charset);
    let board = board(header, keys, &cipher);
    let first = nodes.first().and_then(|node| square(node.squares[0]));
    let mover = first.and_then(|square| board.man(square));
    let black = mover.map_or(header[MOVER] == 1, |man| man.is_ascii_lowercase());
    let texts = texts.into_iter().filter(|text| !text.1.is_empty());
    let mut tags: Vec<(&str, String)> = texts.map(|(name, text)| (name, decode(text))).collect();
    tags.extend(result_of_number(header[RESULT]).map(|result| ("Result", result.into())));
    tags.extend(board.start(black).map(|start| (START_TAG, start)));
    let mut planting = Planting::new(decode(&root));
    for Node { squares, comment, continues, alternative } in nodes {
        let text = write_move(squares.map(square), squares);
        planting.add(text, decode(&comment), continues, alternative);
    }
    let layout = Layout { keys, charset };
    Some(described::describe(&layout.to_string(), &tags, &planting.tree()))
}

/// Writes a file. `None` if a text is too long, or if something is no move.
pub(super) fn write(record: &Rendering<'_>, layout: Layout) -> Option<Vec<u8>> {
    let Layout { keys, charset } = layout;
    let cipher = keys.cipher();
    let tree = Tree::of_pieces(record.pieces)?;
    let (board, black) = Board::of_start(record.tag(START_TAG))?;
    let mut header = [0; HEADER_BYTES];
    let mut set = |place: usize, bytes: &[u8]| {
        let room = header.get_mut(place..)?.get_mut(..bytes.len())?;
        room.copy_from_slice(bytes);
        Some(())
    };
    set(0, MAGIC)?;
    set(2, &[keys.version, keys.mask])?;
    set(8, &keys.bits)?;
    set(12, &keys.sums)?;
    set(16, &men(&board, keys, &cipher))?;
    set(MOVER, &[black.into(), number_of_result(tag(record, "Result"))])?;
    for (name, place, most) in TEXTS {
        let bytes = charset::encode_roughly(tag(record, name), charset);
        let length = u8::try_from(bytes.len()).ok().filter(|_| bytes.len() <= most)?;
        set(place, &[&[length], &bytes[..]].concat())?;
    }
    let mut out = header.to_vec();
    for step in tree.steps() {
        write_node(step, layout, &cipher, &mut out)?;
    }
    for (place, byte) in out.iter_mut().enumerate().skip(HEADER_BYTES) {
        *byte = byte.wrapping_add(cipher.stream[place % cipher.stream.len()]);
    }
    Some(out)
}

/// The numbers of a header.
fn keys(header: &[u8; HEADER_BYTES]) -> Keys {
    let &[_, _, version, mask, _, _, _, _, a, b, c, d, sum, men, from, to, ..] = header;
    Keys { version, mask, bits: [a, b, c, d], sums: [sum, men, from, to] }
}

/// The bytes of a text in the header.
fn text(header: &[u8; HEADER_BYTES], place: usize, most: usize) -> &[u8] {
    let Some((&length, rest)) = header.get(place..).and_then(<[u8]>::split_first) else {
        return &[];
    };
    rest.get(..usize::from(length).min(most)).unwrap_or_default()
}

/// The square of a number: file and rank. Ranks count from Red's side in the file.
fn square(number: u8) -> Option<(u8, u8)> {
    (number < 90).then_some((number / 10, 9 - number % 10))
}

/// The number of a square.
fn number((file, rank): (u8, u8)) -> u8 {
    10 * file + 9 - rank
}

/// The place of a man in the header.
fn turned(man: usize, keys: Keys, cipher: &Cipher) -> usize {
    let turn = if keys.turns_men() { usize::from(cipher.men) + 1 } else { 0 };
    (man + MEN.len() - turn % MEN.len()) % MEN.len()
}

/// The board that a header has.
fn board(header: &[u8; HEADER_BYTES], keys: Keys, cipher: &Cipher) -> Board {
    let mut board = Board::default();
    for (place, &man) in MEN.iter().enumerate() {
        let hidden = header.get(16 + turned(place, keys, cipher)).copied().unwrap_or(OFF);
        if let Some(square) = square(hidden.wrapping_sub(cipher.men)) {
            board.put(square, man);
        }
    }
    board
}

/// The men's squares in the header: of men of one kind, from each player's right to his left.
fn men(board: &Board, keys: Keys, cipher: &Cipher) -> [u8; 32] {
    let mut men = [OFF.wrapping_add(cipher.men); 32];
    let mut taken = [false; 32];
    for file in 0..9u8 {
        for rank in 0..10u8 {
            for red in [true, false] {
                // Red's men are found from his right, Black's from the other side.
                let square = if red { (8 - file, rank) } else { (file, 9 - rank) };
                let Some(man) = board.man(square).filter(|man| man.is_ascii_uppercase() == red)
                else {
                    continue;
                };
                let free = |place: &usize| MEN.get(*place) == Some(&man) && !taken[*place];
                let Some(place) = (0..MEN.len()).find(free) else { continue };
                taken[place] = true;
                men[turned(place, keys, cipher)] = number(square).wrapping_add(cipher.men);
            }
        }
    }
    men
}

/// A node of the tree.
struct Node {
    /// Origin and destination.
    squares: [u8; 2],
    comment: Vec<u8>,
    continues: bool,
    alternative: bool,
}

/// Reads the tree: the comment of the root, and the nodes behind it up to the first that is cut
/// off.
fn nodes(body: &[u8], keys: Keys, cipher: &Cipher) -> (Vec<u8>, Vec<Node>) {
    let key = cipher.stream.iter().cycle().skip(HEADER_BYTES % cipher.stream.len());
    let plain: Vec<u8> = body.iter().zip(key).map(|(byte, key)| byte.wrapping_sub(*key)).collect();
    let mut rest = &plain[..];
    let Some(root) = node(&mut rest, keys, cipher) else { return Default::default() };
    let mut nodes = Vec::new();
    let mut open = usize::from(root.continues);
    while open > 0 {
        let Some(node) = node(&mut rest, keys, cipher) else { break };
        open = open - 1 + usize::from(node.continues) + usize::from(node.alternative);
        nodes.push(node);
    }
    (root.comment, nodes)
}

/// Takes a node off the front of these bytes. `None` if it is cut off.
fn node(bytes: &mut &[u8], keys: Keys, cipher: &Cipher) -> Option<Node> {
    let (&[from, to, flags, _], mut rest) = bytes.split_first_chunk()?;
    let mut length = 0;
    if keys.is_plain() || flags & COMMENTED != 0 {
        let (number, behind) = rest.split_first_chunk()?;
        length = usize::try_from(u32::from_le_bytes(*number).wrapping_sub(cipher.length)).ok()?;
        rest = behind;
    }
    let (comment, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    let has = |flag, plain| flags & if keys.is_plain() { plain } else { flag } != 0;
    let mut squares = [from, to];
    for ((square, always), hidden) in squares.iter_mut().zip(SQUARES).zip(cipher.squares) {
        *square = square.wrapping_sub(always).wrapping_sub(hidden);
    }
    Some(Node {
        squares,
        comment: comment.to_vec(),
        continues: has(CONTINUES, PLAIN_CONTINUES),
        alternative: has(ALTERNATIVE, PLAIN_ALTERNATIVE),
    })
}

/// Writes a node, before its bytes are hidden.
fn write_node(step: Step<'_>, layout: Layout, cipher: &Cipher, out: &mut Vec<u8>) -> Option<()> {
    let Layout { keys, charset } = layout;
    let Step { text, comment, continues, alternative } = step;
    let squares = match read_move(text) {
        Some(Move::Squares(squares)) => squares.map(number),
        Some(Move::Bytes(bytes)) => bytes,
        None if text.is_empty() => [0; 2],
        None => return None,
    };
    for ((square, always), hidden) in squares.into_iter().zip(SQUARES).zip(cipher.squares) {
        out.push(square.wrapping_add(always).wrapping_add(hidden));
    }
    let has_comment = !comment.is_empty();
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    out.push(if keys.is_plain() {
        flag(continues, PLAIN_CONTINUES) | flag(alternative, PLAIN_ALTERNATIVE)
    } else {
        flag(continues, CONTINUES) | flag(alternative, ALTERNATIVE) | flag(has_comment, COMMENTED)
    });
    out.push(0);
    if keys.is_plain() || has_comment {
        let bytes = charset::encode_roughly(comment, charset);
        let length = u32::try_from(bytes.len()).ok()?.wrapping_add(cipher.length);
        out.extend(length.to_le_bytes());
        out.extend(bytes);
    }
    Some(())
}
