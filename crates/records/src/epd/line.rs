//! The parts of a line of a position file.

use std::ops::Range;

use super::Layout;
use super::layout::{USUAL_BETWEEN, USUAL_GAP, gap, is_gap};
use crate::charset::Charset;

/// The parts of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The position without its counters.
    pub position: &'a str,
    /// The numbers at the end of the position; in FEN the halfmove clock and the move number.
    pub counters: [Option<u32>; 2],
    /// The operations, as long as the same text separates them.
    pub operations: Vec<Operation<'a>>,
    /// The layout of the line, without its operations.
    pub layout: Layout,
    /// All operations as written, without trailing white space and semicolons.
    written: &'a str,
}

/// An EPD operation: an opcode and its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation<'a> {
    /// A letter, then letters, digits and underscores.
    pub opcode: &'a str,
    /// Its operands as written, without the quotes if they are one quoted string.
    pub operand: &'a str,
    /// Whether they are one quoted string.
    pub quoted: bool,
    /// Its end within all operations as written.
    end: usize,
}

/// The longest opcode, in characters. The standard's longest has 4.
const OPCODE_MAX: usize = 32;

/// The most words of a position with its counters, plus one before it.
const WORDS_MAX: usize = 6;

/// The number of bytes of a line that are searched for a position.
const POSITION_MAX: usize = 1_100;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Whether a line is blank, or a comment that begins with `#` or `%`.
pub fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), [] | [b'#' | b'%', ..])
}

/// The number of words in a position's text, without its counters.
pub fn position_words(position: &str) -> usize {
    let words = words(position);
    words.len() - counters(position, &words)
}

/// The first `count` words of a position's text.
pub fn first_words(position: &str, count: usize) -> &str {
    let last = count.checked_sub(1).and_then(|last| words(position).into_iter().nth(last));
    last.map_or(position, |last| &position[..last.end])
}

impl<'a> Line<'a> {
    /// Splits a line, newline included, into its parts. `None` if there is no position at its
    /// beginning or after its first word.
    ///
    /// `position_words` is called with fewer and fewer words. It returns the number of words of the
    /// full position, as [`position_words`] counts them, or `None` if they are not a position. A
    /// shortened position must end the line; otherwise a refused position could pass for a shorter
    /// one.
    pub fn read(
        text: &'a str,
        charset: Charset,
        position_words: &mut dyn FnMut(&str) -> Option<usize>,
    ) -> Option<Self> {
        let words = words(text);
        let is_name = |byte: u8| byte.is_ascii_alphabetic() || byte == b':';
        let named = words.first().is_some_and(|word| text[word.clone()].bytes().all(is_name));
        let Found { position, words, counters } = (0..=usize::from(named))
            .find_map(|first| find_position(text, words.get(first..)?, position_words))?;
        let after = counters.last().unwrap_or(&position).end;
        let operations =
            after + text[after..].len() - text[after..].trim_start_matches(is_gap).len();
        let written = text[operations..].trim_end_matches(is_gap);
        let (stop, end) = match written {
            "" => (USUAL_GAP, &text[after..]),
            _ => (&text[after..operations], &text[operations + written.len()..]),
        };
        let (operations, between) = read_operations(written);
        let before_counters = counters.first().map(|first| &text[position.end..first.start]);
        let layout = Layout {
            charset,
            lead: gap(&text[..position.start]),
            words,
            files: false,
            gap: gap(before_counters.unwrap_or(USUAL_GAP)),
            stop: gap(stop),
            operations: Vec::new(),
            between: gap(between.unwrap_or(USUAL_BETWEEN)),
            end: gap(end),
        };
        let number = |place: usize| number(&text[counters.get(place)?.clone()]);
        let counters = [number(0), number(1)];
        Some(Self { position: &text[position], counters, operations, layout, written })
    }

    /// The text after the first `kept` operations, including the separator.
    pub fn rest(&self, kept: usize) -> &'a str {
        let last = kept.checked_sub(1).and_then(|last| self.operations.get(last));
        &self.written[last.map_or(0, |last| last.end)..]
    }
}

/// The ranges of the first words, up to the first semicolon.
fn words(text: &str) -> Vec<Range<usize>> {
    let begin = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut words = Vec::with_capacity(WORDS_MAX + 1);
    let mut start = None;
    for (at, byte) in text.bytes().enumerate().take(POSITION_MAX).skip(begin) {
        let ends = byte.is_ascii_whitespace() || byte == b';';
        match start {
            None if !ends => start = Some(at),
            Some(from) if ends => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
        if byte == b';' || words.len() > WORDS_MAX {
            return words;
        }
    }
    words.extend(start.filter(|_| text.len() <= POSITION_MAX).map(|from| from..text.len()));
    words
}

/// The value of a counter, of at most 31 bits.
fn number(word: &str) -> Option<u32> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|&number| digits && i32::try_from(number).is_ok())
}

/// The number of trailing words that are counters: at most two, and never all.
fn counters(text: &str, words: &[Range<usize>]) -> usize {
    let last = words.get(1..).unwrap_or_default().iter().rev().take(2);
    last.take_while(|word| number(&text[(*word).clone()]).is_some()).count()
}

/// A position that was found.
struct Found {
    position: Range<usize>,
    /// The number of its words that are written, if not all.
    words: Option<u8>,
    counters: Vec<Range<usize>>,
}

/// Finds the position with the most words that begins with the first of these.
fn find_position(
    text: &str,
    words: &[Range<usize>],
    position_words: &mut dyn FnMut(&str) -> Option<usize>,
) -> Option<Found> {
    let start = words.first()?.start;
    for count in (1..=words.len().min(WORDS_MAX)).rev() {
        let words = &words[..count];
        let after = text[words.last()?.end..].trim_start_matches(' ');
        let stands_alone = after.is_empty() || after.starts_with(is_gap);
        let counters = counters(text, words);
        // In some games the numbers belong to the position and are not counters.
        let splits = [Some(counters), Some(0).filter(|_| counters > 0)];
        for (words, counters) in splits.iter().flatten().map(|n| words.split_at(count - n)) {
            let position = start..words.last()?.end;
            let Some(full) = position_words(&text[position.clone()]) else { continue };
            let short = words.len() < full;
            if !short || stands_alone {
                let words = u8::try_from(words.len()).ok().filter(|_| short);
                return Some(Found { position, words, counters: counters.to_vec() });
            }
        }
    }
    None
}

/// Reads the operations, as long as the same text separates them, and returns that text.
fn read_operations(written: &str) -> (Vec<Operation<'_>>, Option<&str>) {
    let mut operations: Vec<Operation<'_>> = Vec::new();
    let mut between = None;
    let mut at = 0;
    while let Some(operation) = read_operation(written, at) {
        at = operation.end;
        operations.push(operation);
        let rest = &written[at..];
        let gap = &rest[..rest.len() - rest.trim_start_matches(is_gap).len()];
        if gap.is_empty() || *between.get_or_insert(gap) != gap {
            break;
        }
        at += gap.len();
    }
    (operations, between)
}

/// Reads the operation at `at`, if there is one.
fn read_operation(written: &str, at: usize) -> Option<Operation<'_>> {
    let text = &written[at..];
    let in_opcode = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let length = text.bytes().take_while(|&byte| in_opcode(byte)).count();
    let (opcode, after) = text.split_at(length);
    let begins = opcode.starts_with(|first: char| first.is_ascii_alphabetic());
    if !begins || length > OPCODE_MAX || !after.is_empty() && !after.starts_with([' ', ';']) {
        return None;
    }
    let mut in_quotes = false;
    let closes = |byte: u8| {
        in_quotes ^= byte == b'"';
        byte == b';' && !in_quotes
    };
    let operand = &after[..after.bytes().position(closes).unwrap_or(after.len())];
    let operand = operand.trim_end_matches(is_gap);
    let end = at + length + operand.len();
    let operand = operand.strip_prefix(' ').unwrap_or(operand);
    let quoted = operand.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let quoted = quoted.filter(|text| !text.contains('"'));
    Some(Operation { opcode, operand: quoted.unwrap_or(operand), quoted: quoted.is_some(), end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts anything with seven slashes, and perhaps a side and two more words: four words in
    /// full.
    fn looks_like_fen(text: &str) -> Option<usize> {
        let mut words = text.split_ascii_whitespace();
        let board = words.next()?;
        let fits = board.bytes().all(|byte| !matches!(byte, b',' | b'"'))
            && board.matches('/').count() == 7
            && words.next().is_none_or(|word| ["w", "b"].contains(&word))
            && words.next().is_none_or(|word| !word.contains('X'))
            && words.count() <= 1;
        fits.then_some(4)
    }

    fn read(text: &str) -> Option<Line<'_>> {
        Line::read(text, Charset::Utf8, &mut looks_like_fen)
    }

    /// Writes a line from its parts, including all operations.
    fn rendered(line: &Line<'_>) -> String {
        let mut layout = line.layout.clone();
        let names = line.operations.iter().map(|o| (o.opcode.to_owned(), o.quoted));
        layout.operations = names.collect();
        let layout: Layout = layout.to_string().parse().expect("a layout");
        let operands = line.operations.iter().map(|operation| operation.operand);
        let rest = line.rest(line.operations.len());
        let bytes = layout.write(line.position, line.counters, operands, rest);
        String::from_utf8(bytes.expect("ASCII")).expect("ASCII")
    }

    #[test]
    fn lines_of_the_wild_come_back() {
        const BOARD: &str = "8/8/8/4k3/8/4K3/8/7R";
        for (tail, counters, opcodes, rest) in [
            (" w - - 0 1\n", [Some(0), Some(1)], &[][..], ""),
            ("", [None, None], &[], ""),
            (" b\r\n", [None, None], &[], ""),
            (" w - -\n", [None, None], &[], ""),
            (" w - - 7\n", [Some(7), None], &[], ""),
            (" b - -  0 1; D4 100083\r\n", [Some(0), Some(1)], &["D4"], ""),
            (" w - - bm e4;   id \"x; y\";\n", [None, None], &["bm", "id"], ""),
            (" w HFhf - 2 9 ;D1 21 ;D2 528\n", [Some(2), Some(9)], &["D1", "D2"], ""),
            (" w - - ; bm Qd1 + ; id BK.01 \n", [None, None], &["bm", "id"], ""),
            (" b - - 0 1; noop; c0 \"\"; dm 3", [Some(0), Some(1)], &["noop", "c0", "dm"], ""),
            (" w - - bm a;id b; c0 c;\n", [None, None], &["bm", "id"], "; c0 c"),
            (" w - - 0 1 [0.5] 12\n", [Some(0), Some(1)], &[], "[0.5] 12"),
            (" w - - 0 1\tbm e4\n", [Some(0), Some(1)], &["bm"], ""),
            (" w - - bm \"a\" \"b\"; am \"c\n", [None, None], &["bm", "am"], ""),
            (" w - - bm  e4; 1 b;\n", [None, None], &["bm"], "; 1 b"),
            (" w - - ;;;\n", [None, None], &[], ""),
        ] {
            let text = format!("{BOARD}{tail}");
            let line = read(&text).expect("a position");
            let found: Vec<&str> = line.operations.iter().map(|o| o.opcode).collect();
            assert_eq!((line.counters, found.as_slice()), (counters, opcodes), "{text}");
            assert_eq!(line.rest(opcodes.len()), rest, "{text}");
            assert_eq!(rendered(&line), text);
        }
    }

    #[test]
    fn quotes_are_taken_off_one_text_alone() {
        let line = read("8/8/8/8/8/8/8/8 w - - id \"a b\"; c0 \"a\" \"b\"; c1 a\"b;").expect("one");
        let operands: Vec<_> = line.operations.iter().map(|o| (o.operand, o.quoted)).collect();
        assert_eq!(operands, [("a b", true), ("\"a\" \"b\"", false), ("a\"b", false)]);
    }

    #[test]
    fn a_position_may_stand_behind_a_word() {
        for (text, position) in [
            ("epd 8/8/8/8/8/8/8/8 w KQ -\n", Some("8/8/8/8/8/8/8/8 w KQ -")),
            ("FEN: 8/8/8/8/8/8/8/8", Some("8/8/8/8/8/8/8/8")),
            ("\u{feff}8/8/8/8/8/8/8/8 w", Some("8/8/8/8/8/8/8/8 w")),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", None),
            ("a1,8/8/8/8/8/8/8/8 w - -,e4", None),
            ("two words 8/8/8/8/8/8/8/8", None),
            ("8/8/8/8/8/8/8/8 w XX - 0 1", None),
            ("8/8/8/8/8/8/8/8 bm e4;", None),
            ("8/8/8/8/8/8/8/8 w; bm e4;", Some("8/8/8/8/8/8/8/8 w")),
            ("1. e4 e5", None),
            ("", None),
            (";", None),
        ] {
            assert_eq!(read(text).map(|line| line.position), position, "{text}");
        }
    }

    #[test]
    fn numbers_that_a_game_needs_are_no_counters() {
        let mut words = |text: &str| (text == "a 1").then_some(2);
        for (text, counters, rest) in [
            ("a 1\n", [None, None], ""),
            ("a 1 2 3\n", [Some(2), Some(3)], ""),
            ("a 1 x 3\n", [None, None], "x 3"),
        ] {
            let line = Line::read(text, Charset::Utf8, &mut words).expect("a position");
            assert_eq!((line.position, line.counters, line.rest(0)), ("a 1", counters, rest));
        }
    }

    #[test]
    fn counters_end_a_position() {
        for (text, count) in
            [("8/8 w - - 0 1", 4), ("8/8 w - - 5", 4), ("3/3/3 x", 2), ("7 7 7", 1)]
        {
            assert_eq!(position_words(text), count, "{text}");
        }
        assert_eq!(first_words("8/8 w - - 0 1", 4), "8/8 w - -");
        assert_eq!(first_words("8/8 w", 9), "8/8 w");
    }
}
