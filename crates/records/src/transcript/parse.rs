//! The parts of a line with a transcript.

use super::layout::{Gap, Layout, Newline};
use crate::charset::Charset;
use crate::record::{Item, ItemKind, Record};

/// The parts of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Transcript<'a> {
    /// The text before the moves.
    lead: &'a str,
    /// The moves, from the first to the last, including written passes.
    body: &'a str,
    /// The text after the moves, including the newline; the whole line if there are no moves.
    tail: &'a str,
    /// The separator of moves.
    gap: Gap,
}

/// The tags of the fields other than the one with the moves. Further fields stay with the last one.
const FIELDS: [&str; 16] = [
    "Field1", "Field2", "Field3", "Field4", "Field5", "Field6", "Field7", "Field8", "Field9",
    "Field10", "Field11", "Field12", "Field13", "Field14", "Field15", "Field16",
];

/// The tag of the text before the moves in their field.
pub(super) const BEFORE: &str = "Before";

/// The tag of the text after the moves in their field.
pub(super) const AFTER: &str = "After";

/// The separators of words.
const SEPARATORS: [char; 6] = [' ', ',', ';', '\t', '\r', '\n'];

/// The spellings of a pass, in lower case. A spelling comes before its prefixes.
const PASSES: [&str; 4] = ["--", "pass", "pa", "ps"];

/// The highest row number.
const ROW_MAX: u32 = 26;

/// Finds the moves of a line.
///
/// They are the longest part of the line with nothing but moves and passes: either one word, or
/// words of one move each, separated by single spaces or single commas.
fn split(line: &str) -> Transcript<'_> {
    let mut best = Part::default();
    let mut this = Part::default();
    let mut start = 0;
    for word in line.split_inclusive(SEPARATORS) {
        let bare = word.trim_end_matches(SEPARATORS);
        let moves = count_moves(bare).unwrap_or(0);
        let gap = gap_before(line, start).filter(|_| moves == 1 && this.may_grow(start));
        this = match gap {
            // The gap changes: a new list begins with the word before this one.
            Some(gap) if this.words > 1 && this.gap != gap => {
                Part { start: this.last, moves: 2, words: 2, gap, ..this }
            }
            Some(gap) => Part { moves: this.moves + 1, words: this.words + 1, gap, ..this },
            None => Part { start, moves, words: 1, ..Part::default() },
        };
        (this.last, this.end) = (start, start + bare.len());
        if this.moves > best.moves {
            best = this;
        }
        start += word.len();
    }
    if best.moves == 0 {
        return Transcript { tail: line, ..Transcript::default() };
    }
    Transcript {
        lead: &line[..best.start],
        body: &line[best.start..best.end],
        tail: &line[best.end..],
        gap: best.gap,
    }
}

/// Reads one line. Its fields, numbered from 1, and any other text beside the moves become tags.
/// Written passes are items between the moves, like comments.
pub fn parse(line: &str, charset: Charset) -> (Record<'_>, Layout) {
    let newlines = [Newline::Crlf, Newline::Lf, Newline::Absent];
    let newline = newlines.into_iter().find(|newline| line.ends_with(newline.text()));
    let newline = newline.unwrap_or_default();
    let content = &line[..line.len() - newline.text().len()];
    let Transcript { lead, body, tail, gap } = split(content);
    let (mut lead, mut tail) = if body.is_empty() { (tail, "") } else { (lead, tail) };
    let mut record = Record { movetext: body, ..Record::default() };
    let mut fields = FIELDS.into_iter();
    let mut before_moves = 0;
    // One name is reserved for the field of the moves.
    while fields.len() > 1
        && let Some((field, rest)) = lead.split_once('\t')
        && let Some(name) = fields.next()
    {
        record.tags.push((name, field.into()));
        before_moves += 1;
        lead = rest;
    }
    fields.next();
    let mut behind = Vec::new();
    if let Some((after, mut rest)) = tail.split_once('\t')
        && fields.len() > 0
    {
        tail = after;
        while let Some(name) = fields.next() {
            let split = rest.split_once('\t').filter(|_| fields.len() > 0);
            behind.push((name, split.map_or(rest, |split| split.0).into()));
            match split {
                Some(split) => rest = split.1,
                None => break,
            }
        }
    }
    let beside = [(BEFORE, lead), (AFTER, tail)].into_iter().filter(|tag| !tag.1.is_empty());
    record.tags.extend(beside.map(|(name, text)| (name, text.into())));
    record.tags.extend(behind);
    take_moves(body, &mut record);
    let capital = |text: &&str| text.starts_with(|symbol: char| symbol.is_ascii_uppercase());
    let capital = record.moves.first().is_some_and(capital);
    (record, Layout { charset, newline, before_moves, capital, gap })
}

/// Reads a bare list of moves, with nothing but white space around it. `None` if there is anything
/// else, or no move.
pub fn parse_list(text: &str) -> Option<Record<'_>> {
    let found = split(text);
    let alone = found.lead.trim().is_empty() && found.tail.trim().is_empty();
    let mut record = Record { movetext: found.body, ..Record::default() };
    take_moves(found.body, &mut record);
    (alone && !record.moves.is_empty()).then_some(record)
}

/// Splits the moves of a line.
fn take_moves<'a>(body: &'a str, record: &mut Record<'a>) {
    let mut start = 0;
    while let Some(rest) = body.get(start..).filter(|rest| !rest.is_empty()) {
        let Some((is_pass, length)) = front(rest) else {
            // The separator.
            start += 1;
            continue;
        };
        let (text, end) = (&rest[..length], start + length);
        let kind = if is_pass { ItemKind::Comment } else { ItemKind::Move };
        record.items.push(Item { kind, text, start, end });
        if !is_pass {
            record.moves.push(text);
        }
        start = end;
    }
}

/// A part of a line that is a list of moves.
#[derive(Clone, Copy, Default)]
struct Part {
    start: usize,
    end: usize,
    /// The start of its last word.
    last: usize,
    /// The number of moves and passes.
    moves: usize,
    words: usize,
    gap: Gap,
}

impl Part {
    /// Whether a one-move word at `start` may continue the list.
    fn may_grow(&self, start: usize) -> bool {
        self.moves > 0 && self.moves == self.words && self.end + 1 == start
    }
}

/// The gap before the word at `start`.
fn gap_before(line: &str, start: usize) -> Option<Gap> {
    match line.as_bytes().get(start.checked_sub(1)?)? {
        b' ' => Some(Gap::Space),
        b',' => Some(Gap::Comma),
        _ => None,
    }
}

/// The move or pass at the front of a text: whether it is a pass, and its length.
fn front(text: &str) -> Option<(bool, usize)> {
    let pass = |spelling: &&&str| {
        text.get(..spelling.len()).is_some_and(|front| front.eq_ignore_ascii_case(spelling))
    };
    if let Some(spelling) = PASSES.iter().find(pass) {
        return Some((true, spelling.len()));
    }
    let number = text.strip_prefix(|symbol: char| symbol.is_ascii_alphabetic())?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let row = number.get(..digits).filter(|digits| !digits.starts_with('0'))?;
    let row: u32 = row.parse().ok()?;
    (row <= ROW_MAX).then_some((false, 1 + digits))
}

/// The number of moves and passes in a word. `None` if it has anything else.
fn count_moves(mut word: &str) -> Option<usize> {
    let mut count = 0;
    while !word.is_empty() {
        word = word.get(front(word)?.1..)?;
        count += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout as _, Rendering};

    /// A line's tags as `name=value`, its moves, and its layout's text, after checking that it
    /// round-trips.
    fn read(line: &str) -> (Vec<String>, String, String) {
        let (record, layout) = parse(line, Charset::Utf8);
        let text = layout.to_string();
        assert_eq!(text.parse(), Ok(layout), "{line:?}");
        let tags = record.tag_list();
        let small: Vec<(ItemKind, String)> = record
            .items
            .iter()
            .map(|item| match item.kind {
                ItemKind::Move => (item.kind, item.text.to_ascii_lowercase()),
                kind => (kind, item.text.to_owned()),
            })
            .collect();
        let pieces: Vec<_> = small.iter().map(|(kind, text)| (*kind, &text[..])).collect();
        let (tags, values) = (&tags, &[]);
        let rendering = Rendering { tags, pieces: &pieces, values, number: 1, second: false };
        let back = layout.render(&rendering).expect("UTF-8");
        assert_eq!(String::from_utf8_lossy(&back), line);
        let tags = tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
        (tags, record.moves.join(" "), text)
    }

    #[test]
    fn lines_come_back() {
        for (line, tags, moves, layout) in [
            ("f5d6c3\n", &[][..], "f5 d6 c3", ""),
            ("F5D6C3\r\n", &[], "F5 D6 C3", " newline=crlf letters=capital"),
            ("f5d6c3 1", &["After= 1"], "f5 d6 c3", " newline=absent"),
            ("h8 i9 j10\n", &[], "h8 i9 j10", " gap=space"),
            ("h8,i9,j10,\n", &["After=,"], "h8 i9 j10", " gap=comma"),
            (
                "x#0\tf5f6\t50\t1,2\n",
                &["Field1=x#0", "Field3=50", "Field4=1,2"],
                "f5 f6",
                " moves=after-1",
            ),
            (
                "15\t\ta: h8i9j10 b\t\n",
                &["Field1=15", "Field2=", "Before=a: ", "After= b", "Field4="],
                "h8 i9 j10",
                " moves=after-2",
            ),
            ("a1 b1 c1d1e1f1 g1\n", &["Before=a1 b1 ", "After= g1"], "c1 d1 e1 f1", ""),
            ("a1 b1,c1,d1\n", &["Before=a1 "], "b1 c1 d1", " gap=comma"),
            ("a1  b1 c1\n", &["Before=a1  "], "b1 c1", " gap=space"),
            ("i27 t26\n", &["Before=i27 "], "t26", ""),
            ("\n", &[], "", ""),
            ("no moves\t1\n", &["Field1=no moves", "Before=1"], "", " moves=after-1"),
            ("a0 a01 é1\r\n", &["Before=a0 a01 é1"], "", " newline=crlf"),
        ] {
            let (found, written, text) = read(line);
            assert_eq!((found, &written[..]), (tags.iter().map(|&t| t.into()).collect(), moves));
            assert_eq!(text, format!("transcript{layout}"), "{line:?}");
        }
    }

    #[test]
    fn passes_are_kept_apart() {
        for line in ["f5d6--c3PAps\n", "-- f5 pass d6 Pa\n", "PASS,F5,--,D6,ps"] {
            let (tags, moves, _) = read(line);
            assert!(tags.is_empty() && moves.len() >= 5, "{line:?}: {tags:?} {moves}");
        }
    }

    #[test]
    fn any_text_is_a_line() {
        for line in ["", "\0", "--", "- -", "a", "a1b", ",a1,", "a1;b2", "a1 ,b2", "p1pa", "ａ１"]
        {
            read(line);
        }
        for fields in [14, 15, 16, 17, 40] {
            let (before, behind) = ("x\t".repeat(fields), "\ty".repeat(fields));
            read(&format!("{before}a1b1\n"));
            read(&format!("a1b1{behind}\n"));
            read(&format!("{before}a1b1{behind}\n"));
            read(&before);
        }
    }

    #[test]
    fn lists_alone_are_read() {
        let moves = |text| parse_list(text).map(|record| record.moves.join(" "));
        assert_eq!(moves(" f5d6c3\n").as_deref(), Some("f5 d6 c3"));
        assert_eq!(moves("h8 -- i9").as_deref(), Some("h8 i9"));
        for none in ["", " ", "--", "1. f5", "f5d6 1-0", "e2e4 e7e5"] {
            assert_eq!(moves(none), None, "{none}");
        }
    }
}
