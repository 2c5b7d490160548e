//! One PGN record as tags, main-line moves and a result; what else it holds is counted.

use std::borrow::Cow;

use super::RESULTS;

/// What a record says. Texts borrow from the record.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Record<'a> {
    /// Tag names and values in order, `\"` and `\\` resolved.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// Everything after the tags.
    pub movetext: &'a str,
    /// The texts of the main line's moves, without numbers and without `!` and `?`.
    pub moves: Vec<&'a str>,
    /// The result that ends the movetext.
    pub result: Option<&'a str>,
    /// What stands between the moves.
    pub annotations: Annotations,
}

/// How much of a record is neither tag nor move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Comments in braces or after a semicolon, and `%` lines.
    pub comments: u32,
    /// `$` codes and suffixes such as `!?`.
    pub glyphs: u32,
    /// Variations in parentheses, of any depth.
    pub variations: u32,
    /// Words after the result.
    pub leftovers: u32,
}

impl Annotations {
    /// Whether there is nothing of the kind.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Record<'_> {
    /// The value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_ref())
    }
}

/// Reads one record. Never fails: what is not understood is skipped, and stays in the text.
#[must_use]
pub fn parse(text: &str) -> Record<'_> {
    let mut record = Record::default();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    while let Some((tag, after)) = parse_tag(rest) {
        record.tags.push(tag);
        rest = after.trim_start();
    }
    record.movetext = rest;
    parse_movetext(rest, &mut record);
    record
}

/// A tag pair at the front of `text`, and what follows its bracket.
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

fn parse_movetext<'a>(text: &'a str, record: &mut Record<'a>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut depth = 0u32;
    while let Some(&byte) = bytes.get(at) {
        let line_end =
            |from| memchr::memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |n| from + n);
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' | b'\x0c' => at += 1,
            b'{' => {
                record.annotations.comments += 1;
                at = memchr::memchr(b'}', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1);
            }
            b';' => {
                record.annotations.comments += 1;
                at = line_end(at);
            }
            b'%' if at == 0 || bytes[at - 1] == b'\n' => {
                record.annotations.comments += 1;
                at = line_end(at);
            }
            b'(' => {
                record.annotations.variations += 1;
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'}' => {
                record.annotations.leftovers += 1;
                at += 1;
            }
            _ => {
                let end = bytes[at..]
                    .iter()
                    .position(|b| b.is_ascii_whitespace() || b"{}();".contains(b))
                    .map_or(bytes.len(), |length| at + length);
                if depth == 0 {
                    take_word(&text[at..end], record);
                }
                at = end;
            }
        }
    }
}

/// Files one word of the main line as number, move, glyph or result.
fn take_word<'a>(word: &'a str, record: &mut Record<'a>) {
    if record.result.is_some() {
        record.annotations.leftovers += 1;
    } else if RESULTS.contains(&word) {
        record.result = Some(word);
    } else if word.starts_with('$') {
        record.annotations.glyphs += 1;
    } else {
        let mv = strip_number(word);
        let bare = mv.trim_end_matches(['!', '?']);
        if bare.len() < mv.len() {
            record.annotations.glyphs += 1;
        }
        if !bare.is_empty() {
            record.moves.push(bare);
        }
    }
}

/// A word without the move number and the dots at its front. `0-0` keeps its zeros.
fn strip_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_game() {
        let record = parse(
            "[Event \"a \\\"b\\\" \\\\c\"]\r\n[Round \"1\"]\r\n\r\n1. e4 e5 2.Nf3 2... Nc6 1-0\r\n",
        );
        assert_eq!(record.tag("Event"), Some("a \"b\" \\c"));
        assert_eq!(record.tag("Round"), Some("1"));
        assert_eq!(record.moves, ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(record.result, Some("1-0"));
        assert!(record.annotations.is_empty());
    }

    #[test]
    fn annotations_are_skipped_and_counted() {
        let record =
            parse("1. e4! {a ; ( b} e5?! $14 (1... c5 (1... e6) 2. Nf3) ; rest ) 2\n2.0-0 *");
        assert_eq!(record.moves, ["e4", "e5", "0-0"]);
        let expected = Annotations { comments: 2, glyphs: 3, variations: 2, leftovers: 0 };
        assert_eq!(record.annotations, expected);
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
