//! The fields of a page, and the moves in one of them.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem;

use super::Layout;
use crate::charset::Charset;
use crate::layout::write_space;
use crate::record::{Record, START_TAG};
use crate::xiangqi::Board;

/// The field of the moves.
pub(super) const MOVES: &str = "movelist";

/// The field of the men's initial squares.
const MEN: &str = "binit";

/// The length of a move in bytes.
const MOVE_BYTES: usize = 4;

/// Fields that have another name in PGN.
const NAMES: [(&str, &str); 11] = [
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("date", "Date"),
    ("event", "Event"),
    ("open", "Opening"),
    ("place", "Site"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("result", "Result"),
    ("round", "Round"),
    ("title", "Title"),
];

/// The name of the tag that a field becomes.
fn tag_name(field: &str) -> &str {
    NAMES.into_iter().find(|row| row.0 == field).map_or(field, |row| row.1)
}

/// The name of the field that became a tag.
pub(super) fn field_name(tag: &str) -> &str {
    NAMES.into_iter().find(|row| row.1 == tag).map_or(tag, |row| row.0)
}

/// A page with a game.
#[derive(Debug)]
pub struct Page<'a> {
    /// The range of its fields in the page, from the first recognised one to the last.
    pub fields: Range<usize>,
    /// The moves, and all other fields as tags. There is a FEN tag if the men do not start on their
    /// usual squares.
    pub record: Record<'a>,
    /// How the fields are laid out.
    pub layout: Layout,
}

/// Reads the first game of a page. `None` if there is none.
///
/// Fields that end with another name, repeat an earlier one or have the name of a tag are skipped.
pub fn parse(text: &str, charset: Charset) -> Option<Page<'_>> {
    let begin = memmem::find(text.as_bytes(), OPENS.as_bytes())?;
    let game = &text[begin..];
    let game = &game[..game.find("[/DhtmlXQ]").unwrap_or(game.len())];
    let fields = fields(game);
    let at = fields.iter().position(|field| field.name == MOVES)?;
    let moves = fields.get(at)?.value;
    let (first, last) = (fields.first()?, fields.last()?);
    let gap = fields.get(1).map_or("", |second| &game[first.place.end..second.place.start]);
    let layout = Layout {
        charset,
        gap: if write_space(gap).is_some() { gap.into() } else { String::new() },
        before_moves: u16::try_from(at).ok().filter(|_| at + 1 < fields.len()),
    };
    let mut record = Record::default();
    let men = fields.iter().find(|field| field.name == MEN);
    let start = men.and_then(|men| start(men.value, moves));
    let tags = fields.iter().filter(|field| field.name != MOVES);
    record.tags.extend(tags.map(|field| (tag_name(field.name), field.value.into())));
    record.tags.extend(start.map(|start| (START_TAG, start.into())));
    take_moves(moves, &mut record);
    Some(Page { fields: begin + first.place.start..begin + last.place.end, record, layout })
}

pub(super) const OPENS: &str = "[DhtmlXQ_";

struct Field<'a> {
    name: &'a str,
    value: &'a str,
    /// Its range, including its brackets.
    place: Range<usize>,
}

/// Finds the fields of a game, in linear time.
fn fields(game: &str) -> Vec<Field<'_>> {
    const CLOSES: &str = "[/DhtmlXQ_";
    const NAME_MAX: usize = 64;
    let find = |from: usize, what| game[from..].find(what).map(|at| from + at);
    let mut fields = Vec::new();
    let mut seen = BTreeSet::new();
    let (mut next_open, mut close) = (find(0, OPENS), 0);
    while let Some(open) = next_open {
        let at = open + OPENS.len();
        next_open = find(at, OPENS);
        if close < at {
            let Some(next) = find(at, CLOSES) else { break };
            close = next;
        }
        if next_open.is_some_and(|next| next < close) {
            continue;
        }
        let is_sign = |sign: &u8| sign.is_ascii_alphanumeric() || *sign == b'_';
        let length =
            game[at..close].bytes().take(NAME_MAX).take_while(|sign| is_sign(sign)).count();
        let (name, value) = game[at..close].split_at(length);
        let Some(value) = value.strip_prefix(']') else { continue };
        let closed = game[close + CLOSES.len()..].strip_prefix(name);
        let is_field = !name.is_empty() && closed.is_some_and(|after| after.starts_with(']'));
        if is_field && field_name(tag_name(name)) == name && name != START_TAG && seen.insert(name)
        {
            let end = close + CLOSES.len() + name.len() + 1;
            fields.push(Field { name, value, place: open..end });
        }
    }
    fields
}

/// Reads a bare list of moves, with or without spaces between them. `None` if the text has anything
/// else.
pub fn parse_list(text: &str) -> Option<Record<'_>> {
    let mut words = text.split_ascii_whitespace().peekable();
    words.peek()?;
    let mut record = Record::default();
    for word in words {
        if !is_list(word) {
            return None;
        }
        let moves = (0..word.len()).step_by(MOVE_BYTES);
        record.moves.extend(moves.map(|start| &word[start..start + MOVE_BYTES]));
    }
    Some(record)
}

/// Splits a list into moves, up to the first character that is not a digit.
fn take_moves<'a>(list: &'a str, record: &mut Record<'a>) {
    let digits = list.bytes().take_while(u8::is_ascii_digit).count();
    let moves = &list[..digits - digits % MOVE_BYTES];
    for start in (0..moves.len()).step_by(MOVE_BYTES) {
        let end = start + MOVE_BYTES;
        let text = &moves[start..end];
        record.push_move(text, start..end);
    }
    record.movetext = moves;
}

/// The start in FEN, if it is not the usual one. `men` has two digits per man: file and rank as in
/// moves, or 99 if it is missing. The first move determines the side to move.
fn start(men: &str, moves: &str) -> Option<String> {
    const MEN: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";
    let digit = |sign: u8| sign.checked_sub(b'0').filter(|digit| *digit < 10);
    let digits: Vec<u8> = men.bytes().map(digit).collect::<Option<_>>()?;
    if digits.len() != 2 * MEN.len() {
        return None;
    }
    let mut board = Board::default();
    for (square, &man) in digits.chunks_exact(2).zip(MEN) {
        let &[file, rank] = square else { continue };
        board.put((file, rank), man);
    }
    let digit = |at| moves.get(at..=at).and_then(|digit: &str| digit.parse::<u8>().ok());
    let mover = digit(0).zip(digit(1)).and_then(|square| board.man(square));
    board.start(mover.is_some_and(|man| man.is_ascii_lowercase()))
}

/// Whether a text is a list of moves.
pub(super) fn is_list(text: &str) -> bool {
    let digits = text.bytes().all(|sign| sign.is_ascii_digit());
    digits && !text.is_empty() && text.len().is_multiple_of(MOVE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout as _, Rendering};

    /// Checks that a page's fields and its layout's text round-trip, and returns what was read.
    fn round_trip(text: &str) -> Option<(Record<'_>, String)> {
        let page = parse(text, Charset::Utf8)?;
        let layout = page.layout.to_string();
        assert_eq!(layout.parse().as_ref(), Ok(&page.layout));
        let back = page.layout.render(&Rendering {
            tags: &page.record.tag_list(),
            pieces: &page.record.pieces(),
            values: &[],
            number: 1,
            second: false,
        });
        assert_eq!(back.as_deref(), text.as_bytes().get(page.fields));
        Some((page.record, layout))
    }

    #[test]
    fn fields_come_back() {
        let page = "<p>[DhtmlXQ]\r\n[DhtmlXQ_red]a[b][/DhtmlXQ_red]\r\n\
                    [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\r\n\
                    [DhtmlXQ_comment1]<i>é</i>[/DhtmlXQ_comment1]\r\n[/DhtmlXQ]</p>\r\n\
                    [DhtmlXQ][DhtmlXQ_date]2[/DhtmlXQ_date][/DhtmlXQ]";
        let (record, layout) = round_trip(page).expect("a game");
        assert_eq!(record.tags, [("Red", "a[b]".into()), ("comment1", "<i>é</i>".into())]);
        assert_eq!(record.moves, ["7747", "7062"]);
        assert_eq!(layout, "dhtmlxq gap=rn moves=after-1");
        for (list, moves) in
            [("", 0), ("774", 0), ("7747", 1), ("77477", 1), (" 7747", 0), ("é", 0)]
        {
            let page = format!("[DhtmlXQ_movelist]{list}[/DhtmlXQ_movelist]");
            let page = parse(&page, Charset::Utf8).expect("a game");
            assert_eq!(page.record.moves.len(), moves, "{list}");
        }
    }

    #[test]
    fn odd_fields_are_passed_over() {
        let moves = "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]";
        for odd in [
            "[DhtmlXQ_blacktime]1[/DhtmlXQ_time]",
            "[DhtmlXQ_Red]1[/DhtmlXQ_Red]",
            "[DhtmlXQ_FEN]1[/DhtmlXQ_FEN]",
            "[DhtmlXQ_]1[/DhtmlXQ_]",
            "[DhtmlXQ_red",
            "[DhtmlXQ_é]1[/DhtmlXQ_é]",
            "[DhtmlXQ_movelist]",
        ] {
            let page = format!("{odd}{moves}{odd}");
            let page = parse(&page, Charset::Utf8).expect(odd);
            assert_eq!((page.record.tags.len(), page.record.moves.len()), (0, 1), "{odd}");
        }
        for none in ["", "[DhtmlXQ]", "[DhtmlXQ_red]1[/DhtmlXQ_red]", "[DhtmlXQ_movelist]7747"] {
            assert!(parse(none, Charset::Utf8).is_none(), "{none}");
        }
    }

    #[test]
    fn lists_alone_are_read() {
        let moves = |text| parse_list(text).map(|record| record.moves);
        assert_eq!(moves(" 77477062\n7967 "), Some(vec!["7747", "7062", "7967"]));
        for none in ["", " ", "1. 7747", "774770", "7747 1-0", "７７４７"] {
            assert_eq!(moves(none), None, "{none}");
        }
    }

    #[test]
    fn men_make_a_start() {
        let usual = "8979695949392919097717866646260600102030405060708012720323436383";
        assert_eq!(start(usual, "77477062"), None);
        let black = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
        assert_eq!(start(usual, "7062").as_deref(), Some(black));
        let few = format!("09999999{}{}30{}", "49", "99".repeat(15), "99".repeat(11));
        let start_of_few = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        assert_eq!(start(&few, "0908").as_deref(), Some(start_of_few));
        for odd in ["", "89", &usual[1..], &usual.replace('8', "x")] {
            assert_eq!(start(odd, "7747"), None, "{odd}");
        }
    }
}
