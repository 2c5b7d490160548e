//! Reads a PGN record as tags, items of movetext, main-line moves and a result.

use std::borrow::Cow;

use super::RESULTS;
use crate::record::{Item, ItemKind, Record};

/// Reads one record. Never fails: anything that is not understood is skipped, and stays in the
/// text.
pub fn parse(text: &str) -> Record<'_> {
    let (tags, movetext) = parse_tags(text);
    let mut record = Record { tags, movetext, ..Record::default() };
    parse_movetext(movetext, &mut record);
    record
}

/// The tags of a record, with `\"` and `\\` unescaped, and everything after them.
pub fn parse_tags(text: &str) -> (Vec<(&str, Cow<'_, str>)>, &str) {
    let mut tags = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    while let Some((tag, after)) = parse_tag(rest) {
        tags.push(tag);
        rest = after.trim_start();
    }
    (tags, rest)
}

/// Reads a tag pair at the front of `text`, and returns the text after its bracket.
fn parse_tag(text: &str) -> Option<((&str, Cow<'_, str>), &str)> {
    let body = text.strip_prefix('[')?;
    let line_end = memchr::memchr(b'\n', body.as_bytes()).unwrap_or(body.len());
    let line = &body[..line_end];
    let name_end = line.find(|symbol: char| !symbol.is_ascii_alphanumeric() && symbol != '_')?;
    let name = &line[..name_end];
    let value = line[name_end..].trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let mut escaped = false;
    let mut closing = value.char_indices().filter_map(|(at, symbol)| {
        let closes = symbol == '"' && !escaped;
        escaped = symbol == '\\' && !escaped;
        closes.then_some(at)
    });
    // The value ends at the quote before a bracket: some writers do not escape inner quotes.
    let (end, after) = closing.find_map(|at| {
        let after = value[at + 1..].trim_start().strip_prefix(']')?;
        Some((at, after))
    })?;
    let after = &text[text.len() - (body.len() - line_end) - after.len()..];
    Some(((name, unescape(&value[..end])), after))
}

fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut symbols = value.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let escapes = symbol == '\\' && matches!(symbols.peek(), Some('"' | '\\'));
        out.extend(if escapes { symbols.next() } else { Some(symbol) });
    }
    Cow::Owned(out)
}

/// The bytes that end a word.
static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        ends[byte as usize] =
            byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b';');
        byte += 1;
    }
    ends
};

fn parse_movetext<'a>(text: &'a str, record: &mut Record<'a>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut depth = 0u32;
    // The start of the next move's number, if that is a word of its own.
    let mut number = None;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let find = |from: usize, byte| memchr::memchr(byte, &bytes[from..]).map(|n| from + n);
        let line_begins = at == 0 || bytes[at - 1] == b'\n';
        let (kind, inner, end) = match byte {
            b'{' => match find(at, b'}') {
                Some(close) => (ItemKind::Comment, at + 1..close, close + 1),
                None => (ItemKind::Other, at..bytes.len(), bytes.len()),
            },
            b';' | b'%' if byte == b';' || line_begins => {
                let end = find(at, b'\n').unwrap_or(bytes.len());
                let end = if bytes[..end].ends_with(b"\r") { end - 1 } else { end };
                (ItemKind::LineComment, at..end, end)
            }
            b'(' => {
                depth += 1;
                (ItemKind::Open, at..at + 1, at + 1)
            }
            b')' => {
                depth = depth.saturating_sub(1);
                (ItemKind::Close, at..at + 1, at + 1)
            }
            b'}' => (ItemKind::Other, at..at + 1, at + 1),
            _ => {
                let ends = |&byte: &u8| ENDS_WORD[usize::from(byte)];
                let length = bytes[at..].iter().position(ends);
                let end = length.map_or(bytes.len(), |length| at + length);
                take_word(&text[at..end], at, &mut number, depth, record);
                at = end;
                continue;
            }
        };
        let item = Item { kind, text: &text[inner], start: number.take().unwrap_or(at), end };
        record.items.push(item);
        at = end;
    }
}

/// Takes one word as a number, move, suffix, glyph, result or something else.
fn take_word<'a>(
    word: &'a str,
    start: usize,
    number: &mut Option<usize>,
    depth: u32,
    record: &mut Record<'a>,
) {
    let end = start + word.len();
    let begin = number.take().unwrap_or(start);
    let mut push = |kind, text: &'a str, start, end| {
        record.items.push(Item { kind, text, start, end });
    };
    // Most words are moves, which their first byte tells from results.
    let may_be_result = matches!(word.as_bytes(), [b'0' | b'1' | b'*', ..]);
    if may_be_result && depth == 0 && record.result.is_none() && RESULTS.contains(&word) {
        push(ItemKind::Result, word, begin, end);
        record.result = Some(word);
        return;
    }
    let word = strip_number(word);
    if word.is_empty() {
        *number = Some(begin);
        return;
    }
    // A glyph may follow its move without a space.
    let (word, glyph) = word.split_at(word.find('$').unwrap_or(word.len()));
    let bare = word.trim_end_matches(['!', '?']);
    let bare_end = end - glyph.len() - (word.len() - bare.len());
    let mut begin = begin;
    if !bare.is_empty() {
        let is_move = could_be_move(bare) && (depth > 0 || record.result.is_none());
        push(if is_move { ItemKind::Move } else { ItemKind::Other }, bare, begin, bare_end);
        if is_move && depth == 0 {
            record.moves.push(bare);
        }
        begin = bare_end;
    }
    if bare.len() < word.len() {
        let suffix_end = end - glyph.len();
        record.items.push(Item {
            kind: ItemKind::Suffix,
            text: &word[bare.len()..],
            start: begin,
            end: suffix_end,
        });
        begin = suffix_end;
    }
    if !glyph.is_empty() {
        record.items.push(Item { kind: ItemKind::Glyph, text: glyph, start: begin, end });
    }
}

/// Whether a word may be a move, including a null move. A word that turns out not to be a legal
/// move ends the line: skipping it would invent a game.
fn could_be_move(word: &str) -> bool {
    matches!(word, "--" | "@@@@")
        || word != "e.p." && word.starts_with(char::is_alphanumeric)
        || begins_with_place(word)
}

/// Whether a word is a xiangqi move that begins with a sign for the front or rear one of two men:
/// `+C.5`, `－Ｐ＋１`, `++.4`. Judgements such as `+-` and `+0.35` are not.
fn begins_with_place(word: &str) -> bool {
    let is_place = |sign| matches!(sign, '+' | '-' | '＋' | '－');
    let mut signs = word.chars();
    let mut next = || signs.next().unwrap_or(' ');
    let [place, man, way, number] = [next(), next(), next(), next()];
    is_place(place)
        && (is_place(man) || man.is_alphabetic())
        && (is_place(way) || matches!(way, '.' | '=' | '．' | '＝'))
        && number.is_numeric()
        && signs.next().is_none()
}

/// A word without the leading move number and dots. `0-0` keeps its zeros.
fn strip_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(ItemKind, &str)> {
        parse(text).items.iter().map(|item| (item.kind, item.text)).collect()
    }

    #[test]
    fn a_plain_game() {
        let record = parse(
            "[Event \"a \\\"b\\\" \\\\c\"]\r\n[Round \"1\"]\r\n\r\n1. e4 e5 2.Nf3 2... Nc6 1-0\r\n",
        );
        assert_eq!(record.tag("Event"), Some("a \"b\" \\c"));
        assert_eq!(record.tag("Round"), Some("1"));
        assert_eq!(record.moves, ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(record.result, Some("1-0"));
        assert!(record.items.iter().all(|i| matches!(i.kind, ItemKind::Move | ItemKind::Result)));
    }

    #[test]
    fn annotations() {
        let text = "1. e4! {a ; ( b} e5?!$14 (1... c5 (1... e6) 2. Nf3 +-) ; rest ) 2\n2.0-0 *";
        assert_eq!(
            kinds(text),
            [
                (ItemKind::Move, "e4"),
                (ItemKind::Suffix, "!"),
                (ItemKind::Comment, "a ; ( b"),
                (ItemKind::Move, "e5"),
                (ItemKind::Suffix, "?!"),
                (ItemKind::Glyph, "$14"),
                (ItemKind::Open, "("),
                (ItemKind::Move, "c5"),
                (ItemKind::Open, "("),
                (ItemKind::Move, "e6"),
                (ItemKind::Close, ")"),
                (ItemKind::Move, "Nf3"),
                (ItemKind::Other, "+-"),
                (ItemKind::Close, ")"),
                (ItemKind::LineComment, "; rest ) 2"),
                (ItemKind::Move, "0-0"),
                (ItemKind::Result, "*"),
            ]
        );
        assert_eq!(parse(text).moves, ["e4", "e5", "0-0"]);
    }

    #[test]
    fn moves_may_begin_with_signs() {
        let record = parse("1. +C=5 －Ｐ＋１ 2. ++.4 R2+3 +- +0.35 -/+ *");
        assert_eq!(record.moves, ["+C=5", "－Ｐ＋１", "++.4", "R2+3"]);
    }

    #[test]
    fn items_lie_side_by_side() {
        let text = "1. e4! {a} 1... e5?!$14 (1. e6) 2. Nf3 % x ; y\n%z\n junk 1-0 more";
        let record = parse(text);
        let mut last = 0;
        for item in &record.items {
            let space = &text[last..item.start];
            assert!(space.chars().all(char::is_whitespace), "{item:?}");
            assert!(text[item.start..item.end].contains(item.text), "{item:?}");
            last = item.end;
        }
        assert_eq!(last, text.len());
    }

    #[test]
    fn odd_tags() {
        let record = parse("\u{feff}[A \"un\"escaped\"][B \"x]\"]\n[C   \"\"]  1. e4");
        assert_eq!(record.tag("A"), Some("un\"escaped"));
        assert_eq!(record.tag("B"), Some("x]"));
        assert_eq!(record.tag("C"), Some(""));
        assert_eq!(record.moves, ["e4"]);
        assert_eq!(parse("[Event no quotes]\n1. e4").tags, []);
        assert_eq!(parse("[Event \"open\n1. e4").tags, []);
    }

    #[test]
    fn junk_is_only_text() {
        for junk in
            ["", "[", "[[[", "{", ")))", "\\", "[a \"\\", "1.....", "é(", "\0\u{1}", "a\x0cb"]
        {
            assert!(junk.ends_with(parse(junk).movetext), "{junk}");
        }
    }
}
