//! The elements of a file, read from its text.

use memchr::memmem;

use super::Layout;
use crate::described::{self, Planting, result_of_number};
use crate::layout::{read_space, write_space};
use crate::xiangqi::{self, Board};

/// The root element.
const ROOT: &str = "<ChineseChessRecord";

/// The elements of the head whose tags have another name.
const NAMES: [(&str, &str); 13] = [
    ("Commentator", "Annotator"),
    ("CommentatorURL", "AnnotatorURL"),
    ("Contest", "Event"),
    ("ContestType", "EventType"),
    ("Creator", "Author"),
    ("CreatorURL", "AuthorURL"),
    ("DateCreated", "Created"),
    ("DateModified", "Modified"),
    ("From", "Source"),
    ("Name", "Title"),
    ("RecordResult", RESULT),
    ("Table", "Board"),
    ("TimeRule", "TimeControl"),
];

/// The tag of the result, a number in files.
pub(super) const RESULT: &str = "Result";

/// The tag of the start as it is written. The start of the moves is a tag of its own.
pub(super) const START: &str = "Start";

/// The element of the start.
const FEN: &str = "FEN";

/// The square from which and to which the first element of the moves goes, which is none.
pub(super) const NO_MOVE: &str = "00-00";

/// The name of the tag of an element.
fn tag_name(element: &str) -> &str {
    match element {
        FEN => START,
        _ => NAMES.iter().find(|row| row.0 == element).map_or(element, |row| row.1),
    }
}

/// The name of the element of a tag.
pub(super) fn element_name(tag: &str) -> &str {
    match tag {
        START => FEN,
        _ => NAMES.iter().find(|row| row.1 == tag).map_or(tag, |row| row.0),
    }
}

/// Whether bytes begin a file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let begin = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let prolog = begin.starts_with(b"<?xml") || begin.starts_with(ROOT.as_bytes());
    prolog && memmem::find(begin.get(..1024).unwrap_or(begin), ROOT.as_bytes()).is_some()
}

/// Describes a file as text. `None` if it is none, or has elements that are not known.
pub(super) fn describe(text: &str) -> Option<String> {
    if !begins(text.as_bytes()) {
        return None;
    }
    let (_, rest) = text.split_once("<Head>")?;
    let (head, rest) = rest.split_once("</Head>")?;
    let (_, rest) = rest.split_once("<MoveList>")?;
    let (moves, tail) = rest.rsplit_once("</MoveList>")?;
    let (mut tags, closed) = read_head(head)?;
    let mut steps = read_moves(moves)?.into_iter();
    let plain = memmem::find(moves.as_bytes(), b"<![CDATA[").is_none();
    let (none, comment, goes_on) = steps.next()?;
    (none == NO_MOVE).then_some(())?;
    let mut planting = Planting::new(comment);
    if goes_on {
        for (squares, comment, continues) in steps {
            let text: String = squares.chars().filter(|sign| *sign != '-').collect();
            xiangqi::read_move(&text).filter(|_| squares.len() == NO_MOVE.len())?;
            planting.add(text, comment, continues, false);
        }
    }
    let start = tags.iter().find(|tag| tag.0 == START).map(|tag| tag.1.clone());
    if let Some((board, black)) = start.and_then(|start| Board::of_start(Some(&start))) {
        tags.extend(board.start(black).map(|start| (crate::START_TAG, start)));
    }
    let end = tail.split_once("</ChineseChessRecord>").map_or("", |tail| tail.1);
    let layout = Layout {
        mark: text.starts_with('\u{feff}'),
        crlf: memmem::find(text.as_bytes(), b"\r\n").is_some(),
        plain: plain && memmem::find(moves.as_bytes(), b"</Move>").is_some(),
        closed,
        end: write_space(end).and_then(|letters| read_space(&letters)).unwrap_or_default(),
    };
    Some(described::describe(&layout.to_string(), &tags, &planting.tree()))
}

/// Tags and their values.
type Tags<'a> = Vec<(&'a str, String)>;

/// The tags of the elements of the head, and whether empty ones have an end of their own.
fn read_head(head: &str) -> Option<(Tags<'_>, bool)> {
    let mut tags = Tags::new();
    let mut closed = false;
    let mut rest = head.trim_ascii_start();
    while !rest.is_empty() {
        let (name, behind) = rest.strip_prefix('<')?.split_once('>')?;
        if let Some(name) = name.strip_suffix('/') {
            tags.push((tag_name(name.trim_ascii_end()), String::new()));
            rest = behind;
        } else {
            let (value, behind) = behind.split_once("</")?;
            rest = behind.strip_prefix(name)?.strip_prefix('>')?;
            closed |= value.is_empty();
            let value = unescape(value)?;
            let number = value.parse().ok().filter(|_| name == "RecordResult");
            let result = number.and_then(result_of_number).map(str::to_owned);
            tags.push((tag_name(name), result.unwrap_or(value)));
        }
        let name = tags.last()?.0;
        let plain = name.bytes().all(|sign| sign.is_ascii_alphanumeric());
        plain.then_some(())?;
        rest = rest.trim_ascii_start();
    }
    Some((tags, closed))
}

/// The elements of the moves: the squares, the comment, and whether the line goes on.
fn read_moves(moves: &str) -> Option<Vec<(&str, String, bool)>> {
    let mut steps = Vec::new();
    let mut rest = moves.trim_ascii_start();
    while !rest.is_empty() {
        let (squares, behind) = rest.strip_prefix("<Move value=\"")?.split_once('"')?;
        let (ends, behind) = match behind.strip_prefix(" end=\"1\"") {
            Some(behind) => (true, behind),
            None => (false, behind),
        };
        let mut comment = String::new();
        rest = if let Some(behind) = behind.strip_prefix(" />") {
            behind
        } else if let Some(behind) = behind.strip_prefix("><![CDATA[") {
            let (text, behind) = behind.split_once("]]></Move>")?;
            text.clone_into(&mut comment);
            behind
        } else {
            let (text, behind) = behind.strip_prefix('>')?.split_once("</Move>")?;
            comment = unescape(text)?;
            behind
        };
        rest = rest.trim_ascii_start();
        steps.push((squares, comment, !ends && !rest.is_empty()));
    }
    Some(steps)
}

/// The signs that XML writes as names.
const ENTITIES: [(char, &str); 3] = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;")];

/// The text of an element. `None` if it has other elements, or names that are not known.
fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (sign, name) = ENTITIES.into_iter().find(|row| rest.starts_with(row.1))?;
        plain.push(sign);
        rest = &rest[name.len()..];
    }
    plain.push_str(rest);
    Some(plain)
}

/// Writes the text of an element.
pub(super) fn escape(text: &str, out: &mut String) {
    for sign in text.chars() {
        match ENTITIES.into_iter().find(|row| row.0 == sign) {
            Some((_, name)) => out.push_str(name),
            None => out.push(sign),
        }
    }
}
