//! Finds comments that follow a pattern, and their fields.
//!
//! Patterns are not listed anywhere: a comment's numbers, times and lines of moves are its fields,
//! and so are words that look like moves and cannot be played; the rest is its template. A template
//! is used once enough comments share it, in records whose comments mostly have numbers.

use std::collections::BTreeMap;

use plypack_core::codecs::fields::{
    Comment, Datum, FIELDS_MAX, Kind, Line, NUMBER_MAX, Part, Plus, TEMPLATES_BYTES_MAX,
    TEMPLATES_MAX, Template, Value, WORDS_BYTES_MAX,
};
use plypack_core::{Notation, Trunk};
use plypack_records::{Item, ItemKind};

use crate::store::movetext::Filled;

/// How many comments of a record share a template before it is used.
const SHARED_MIN: usize = 3;

/// How many comments of several records share a template before it is used.
const SEEN_MIN: usize = 3;

/// How many comments a record has at least before any are taken.
const COMMENTS_MIN: usize = 4;

/// How many templates that are not used yet are remembered.
const SEEN_MAX: usize = 1_024;

/// The longest comment that may follow a pattern, in bytes.
const COMMENT_MAX: usize = 8 << 10;

/// Of a word this many bytes are looked at: more than a move has.
const WORD_LOOKED_AT: usize = 16;

/// Remembers the templates of earlier records, which neighbouring records tend to share.
#[derive(Debug, Default)]
pub(super) struct Templates {
    /// Those in use, and each without the signs of its numbers.
    used: Vec<(Template, Template)>,
    /// How often others were seen.
    seen: BTreeMap<Template, usize>,
    /// The base of the last line that followed a word.
    bases: BTreeMap<String, u8>,
}

/// The fields that were found in a record.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    /// The text of the templates, one a line.
    pub templates: String,
    /// The comments that follow one, each with the place of its item.
    pub comments: BTreeMap<usize, Filled<'a>>,
}

/// A line of moves in a comment, or words that look like one.
struct Moves {
    /// Its base; `None` if no move of it can be played.
    base: Option<u8>,
    /// Its length in bytes.
    length: usize,
}

/// A comment after a move of the main line.
struct Candidate<'a> {
    item: usize,
    text: &'a str,
    parsed: Parsed<'a>,
}

/// A comment, read.
#[derive(Debug, Default)]
struct Parsed<'a> {
    /// Its template, without the signs of its numbers.
    template: Template,
    values: Vec<Value<'a>>,
    /// Of each field, how its sign is written.
    signs: Vec<Sign>,
    /// The base of each line.
    bases: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sign {
    #[default]
    None,
    Plus,
    Minus,
}

impl Templates {
    /// Finds the comments of a record that follow a pattern; `plies` plies of its main line are
    /// coded.
    pub fn find<'a>(
        &mut self,
        items: &[Item<'a>],
        plies: u32,
        trunk: Option<&dyn Trunk<'_>>,
    ) -> Option<Fields<'a>> {
        let trunk = trunk?;
        let mut candidates: Vec<Candidate<'a>> = Vec::new();
        for (item, ply, text) in comments_after_moves(items, plies) {
            if let Some(parsed) = self.parse(text, ply, trunk) {
                candidates.push(Candidate { item, text, parsed });
            }
        }
        if candidates.len() < COMMENTS_MIN {
            return None;
        }
        let mut comments = self.known(&candidates);
        if self.learn(&candidates, &comments) {
            comments = self.known(&candidates);
        }
        let numbers = comments.values().filter(|filled| has_number(&filled.comment)).count();
        // Prose that repeats a phrase now and then is cheaper as prose.
        if comments.len() < COMMENTS_MIN || 2 * numbers < candidates.len() {
            return None;
        }
        let texts: Vec<String> =
            self.used.iter().map(|(template, _)| template.to_string()).collect();
        Some(Fields { templates: texts.join("\n"), comments })
    }

    /// Returns the comments that follow a template in use.
    fn known<'a>(&self, candidates: &[Candidate<'a>]) -> BTreeMap<usize, Filled<'a>> {
        let filled = candidates.iter().filter_map(|candidate| {
            let Candidate { item, text, parsed } = candidate;
            let writes = |(template, unsigned): &(Template, Template)| {
                *unsigned == parsed.template
                    && template.write(&parsed.values).as_deref() == Some(*text)
            };
            let template = self.used.iter().position(writes)?;
            Some((*item, parsed.fill(template)))
        });
        filled.collect()
    }

    /// Takes templates into use that comments share which follow none. Returns whether it did.
    fn learn(&mut self, candidates: &[Candidate<'_>], known: &BTreeMap<usize, Filled<'_>>) -> bool {
        let mut shared: BTreeMap<&Template, Vec<&Candidate<'_>>> = BTreeMap::new();
        for candidate in candidates.iter().filter(|candidate| !known.contains_key(&candidate.item))
        {
            shared.entry(&candidate.parsed.template).or_default().push(candidate);
        }
        let mut found = Vec::new();
        for (template, comments) in shared {
            let seen = self.seen.get(template).copied().unwrap_or(0) + comments.len();
            if comments.len() < SHARED_MIN && seen < SEEN_MIN {
                if self.seen.len() >= SEEN_MAX {
                    self.seen.clear();
                }
                self.seen.insert(template.clone(), seen);
                continue;
            }
            self.seen.remove(template);
            found.push((signed(template, &comments), template.clone()));
        }
        let learnt = !found.is_empty();
        for new in found {
            if self.used.len() >= TEMPLATES_MAX || self.bytes() + new.0.to_string().len() + 1 > ROOM
            {
                // Those of this record are the likeliest to come again.
                let mut at = 0;
                self.used.retain(|_| {
                    at += 1;
                    known.values().any(|comment| comment.comment.template + 1 == at)
                });
            }
            self.used.push(new);
            if self.used.len() > TEMPLATES_MAX || self.bytes() > ROOM {
                self.used.clear();
                return false;
            }
        }
        learnt
    }

    /// Returns the size of the templates in use.
    fn bytes(&self) -> usize {
        self.used.iter().map(|(template, _)| template.to_string().len() + 1).sum()
    }

    /// Reads a comment after the move at `ply`; `None` if it is too long.
    fn parse<'a>(&mut self, text: &'a str, ply: u32, trunk: &dyn Trunk<'_>) -> Option<Parsed<'a>> {
        if text.len() > COMMENT_MAX {
            return None;
        }
        let mut parsed = Parsed::default();
        let mut at = 0;
        while at < text.len() {
            let rest = text.get(at..)?;
            let before = text.get(..at)?.chars().next_back();
            let signed = parsed.ends_with_signed_number();
            let taken = match self.moves(rest, before, &parsed, ply, trunk) {
                Some(Moves { base: None, length }) => {
                    parsed.template.push(Kind::Words);
                    parsed.values.push(Value::Words(rest.get(..length)?));
                    parsed.signs.push(Sign::None);
                    length
                }
                Some(Moves { base: Some(base), length }) => {
                    parsed.template.push(Kind::Line);
                    parsed.values.push(Value::Line(rest.get(..length)?));
                    parsed.signs.push(Sign::None);
                    parsed.bases.push(base);
                    length
                }
                None => match number(rest, before, signed) {
                    Some((kind, sign, value, length)) => {
                        parsed.template.push(kind);
                        parsed.values.push(Value::Number(value));
                        parsed.signs.push(sign);
                        length
                    }
                    None => {
                        // A run of digits that is no number is text as a whole.
                        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                        let letter = rest.chars().next().map_or(1, char::len_utf8);
                        let length = digits.max(letter);
                        parsed.template.push_text(rest.get(..length)?);
                        length
                    }
                },
            };
            at += taken;
        }
        (parsed.values.len() <= FIELDS_MAX).then_some(parsed)
    }

    /// Reads a line of moves, which a word may precede, or words that look like one.
    fn moves(
        &mut self,
        text: &str,
        before: Option<char>,
        parsed: &Parsed<'_>,
        ply: u32,
        trunk: &dyn Trunk<'_>,
    ) -> Option<Moves> {
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let mut words: Vec<&str> = Vec::new();
        let mut ends = Vec::new();
        let mut end = 0;
        for word in text.split(' ') {
            // In a long comment of one word, more would be looked at again and again.
            let head = word.get(..word.floor_char_boundary(WORD_LOOKED_AT)).unwrap_or(word);
            let size =
                head.find([',', ';', '(', ')', '[', ']', '{', '}', '"', '.', ':', '/', '?', '!']);
            let whole = size.is_none();
            let word = word.get(..size.unwrap_or(word.len()))?;
            if !looks_like_move(word) {
                break;
            }
            words.push(word);
            ends.push(end + word.len());
            end += word.len() + 1;
            if !whole {
                break;
            }
        }
        if words.is_empty() {
            return None;
        }
        let word = parsed.word();
        let usual = self.bases.get(word).copied().unwrap_or(1);
        let mut best: Option<(u8, usize)> = None;
        for base in [usual, 1, 0, 2] {
            let Some(ply) = (ply + u32::from(base)).checked_sub(1).filter(|&ply| ply > 0) else {
                continue;
            };
            let spelt = trunk.spelt(ply, &words, Notation::Customary);
            if spelt > best.map_or(0, |best| best.1) {
                best = Some((base, spelt));
            }
            if spelt == words.len() {
                break;
            }
        }
        let Some((base, moves)) = best else {
            let spelt = words.iter().take_while(|word| names_a_move(word)).count();
            let length = *ends.get(spelt.checked_sub(1)?)?;
            let moves = Moves { base: None, length };
            return Some(moves).filter(|_| length <= WORDS_BYTES_MAX);
        };
        if self.bases.get(word) != Some(&base) {
            self.bases.insert(word.to_owned(), base);
        }
        Some(Moves { base: Some(base), length: *ends.get(moves - 1)? })
    }
}

/// The most bytes of templates in use.
const ROOM: usize = TEMPLATES_BYTES_MAX;

impl<'a> Parsed<'a> {
    /// Returns the word before what comes next.
    fn word(&self) -> &str {
        match self.template.parts.last() {
            Some(Part::Text(text)) => text.rsplit([' ', ',', ';', '\n']).next().unwrap_or(""),
            _ => "",
        }
    }

    fn ends_with_signed_number(&self) -> bool {
        let number = matches!(self.template.parts.last(), Some(Part::Field(Kind::Number { .. })));
        number && self.signs.last().is_some_and(|&sign| sign != Sign::None)
    }

    /// Returns the comment as one of the template with this number.
    fn fill(&self, template: usize) -> Filled<'a> {
        let mut bases = self.bases.iter();
        let mut lines = Vec::new();
        let data = self.values.iter().map(|value| match value {
            Value::Number(number) => Datum::Number(*number),
            Value::Words(words) => Datum::Words((*words).to_owned()),
            Value::Line(text) => {
                let moves: Vec<&'a str> = text.split(' ').collect();
                let base = bases.next().copied().unwrap_or(1);
                let plies = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                lines.push(moves);
                Datum::Line(Line { base, plies, ..Line::default() })
            }
        });
        let comment = Comment { template, data: data.collect() };
        Filled { comment, lines }
    }
}

/// Returns whether a comment has a number or a time.
fn has_number(comment: &Comment) -> bool {
    comment.data.iter().any(|datum| matches!(datum, Datum::Number(_)))
}

/// Returns a template with the signs that numbers have in most of these comments.
fn signed(template: &Template, comments: &[&Candidate<'_>]) -> Template {
    let mut template = template.clone();
    let mut field = 0;
    for part in &mut template.parts {
        let Part::Field(kind) = part else { continue };
        if let Kind::Number { plus, .. } = kind {
            let count = |is: &dyn Fn(Sign, Value<'_>) -> bool| {
                let values = comments.iter().filter(|comment| {
                    let Parsed { signs, values, .. } = &comment.parsed;
                    signs.get(field).zip(values.get(field)).is_some_and(|(s, v)| is(*s, *v))
                });
                values.count()
            };
            let zero = Value::Number(0);
            let pluses = count(&|sign, _| sign == Sign::Plus);
            let bare = count(&|sign, value| sign == Sign::None && value != zero);
            let bare_zeros = count(&|sign, value| sign == Sign::None && value == zero);
            let plus_zeros = count(&|sign, value| sign == Sign::Plus && value == zero);
            *plus = match () {
                () if pluses <= bare => Plus::Never,
                () if bare_zeros > plus_zeros => Plus::Above,
                () => Plus::Always,
            };
        }
        field += 1;
    }
    template
}

/// Returns the comments that may follow a move of the main line at once, but for its suffix, its
/// glyphs and a comment: the places of their items, their plies, counted from 1, and their texts.
fn comments_after_moves<'a>(items: &[Item<'a>], plies: u32) -> Vec<(usize, u32, &'a str)> {
    let mut found = Vec::new();
    let (mut depth, mut ply) = (0u32, 0);
    let mut comments = u32::MAX;
    for (place, item) in items.iter().enumerate() {
        match item.kind {
            ItemKind::Open => (depth, comments) = (depth + 1, u32::MAX),
            ItemKind::Close => depth = depth.saturating_sub(1),
            ItemKind::Move if depth == 0 => {
                (ply, comments) = (ply + 1, 0);
                if ply > plies {
                    break;
                }
            }
            ItemKind::Comment if comments < 2 => {
                comments += 1;
                found.push((place, ply, item.text));
            }
            _ => {}
        }
    }
    found
}

/// Returns whether a word may be a move.
fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let spelt =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'=' | b'+' | b'#' | b'-');
    (2..=8).contains(&bytes.len())
        && bytes.iter().all(spelt)
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && (word.starts_with("O-O") || bytes.iter().any(u8::is_ascii_digit))
}

/// Returns whether a word is spelt like a move that ends on a square, as in `Rxb8=Q+`, or like
/// castling.
fn names_a_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    let word = word.split_once('=').map_or(word, |(word, _)| word);
    let mut letters = word.bytes().rev();
    let square = matches!(letters.next(), Some(b'1'..=b'9'))
        && matches!(letters.next(), Some(b'a'..=b'i'))
        && letters.all(|letter| letter.is_ascii_alphanumeric());
    square || word.starts_with("O-O")
}

/// Reads a number or a time at the beginning of a text, given the letter before it and whether a
/// number with a sign ends there. Returns its kind, its sign, its value and its length in bytes.
fn number(text: &str, before: Option<char>, signed: bool) -> Option<(Kind, Sign, i64, usize)> {
    let sign = match text.as_bytes().first()? {
        b'+' => Sign::Plus,
        b'-' => Sign::Minus,
        _ => Sign::None,
    };
    if sign != Sign::None && !signed && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let start = usize::from(sign != Sign::None);
    let digits = text.get(start..)?;
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    if whole == 0 || before.is_some_and(|before| before.is_ascii_digit() && !signed) {
        return None;
    }
    if sign == Sign::None
        && let Some((padded, decimals, value, length)) = time(digits, whole)
    {
        return Some((Kind::Time { padded, decimals }, sign, value, length));
    }
    if whole > 1 && digits.starts_with('0') {
        return None;
    }
    // A name, as in `R50=`.
    let end = digits.as_bytes().get(whole);
    if before.is_some_and(char::is_alphabetic) && end == Some(&b'=') {
        return None;
    }
    let decimals = decimals(digits.get(whole..)?);
    let length = whole + if decimals > 0 { decimals + 1 } else { 0 };
    let value = value(digits.get(..whole)?, digits.get(length - decimals..length)?)?;
    if sign == Sign::Minus && value == 0 {
        return None;
    }
    let value = if sign == Sign::Minus { -value } else { value };
    let decimals = u8::try_from(decimals).ok().filter(|&decimals| decimals < 10)?;
    let kind = Kind::Number { plus: Plus::Never, decimals };
    Some((kind, sign, value, start + length))
}

/// Returns how many decimals follow a point at the beginning of a text.
fn decimals(text: &str) -> usize {
    text.strip_prefix('.').map_or(0, |text| text.bytes().take_while(u8::is_ascii_digit).count())
}

/// Returns the number with these digits, in units of its last decimal.
fn value(whole: &str, decimals: &str) -> Option<i64> {
    let digits = [whole, decimals].concat();
    digits.parse().ok().filter(|&value| value < NUMBER_MAX)
}

/// Reads a time whose hours have `whole` digits: whether they are padded, the decimals of the
/// seconds, the value and the length in bytes.
fn time(text: &str, whole: usize) -> Option<(bool, u8, i64, usize)> {
    let part = |from: usize| -> Option<i64> {
        let bytes = text.as_bytes().get(from..from + 3)?;
        let [b':', tens @ b'0'..=b'5', ones @ b'0'..=b'9'] = bytes else { return None };
        Some(i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
    };
    let (minutes, seconds) = (part(whole)?, part(whole + 3)?);
    let end = whole + 6;
    if text.as_bytes().get(end).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let padded = whole > 1 && text.starts_with('0');
    if padded && whole != 2 {
        return None;
    }
    // Two digits without a zero may be either; what is written tells.
    let padded = padded || whole == 2;
    let hours: i64 = text.get(..whole)?.parse().ok().filter(|&hours| hours < 1_000_000)?;
    let decimals = decimals(text.get(end..)?);
    let units = u8::try_from(decimals).ok().filter(|&decimals| decimals < 7)?;
    let length = end + if decimals > 0 { decimals + 1 } else { 0 };
    let part: i64 = match text.get(length - decimals..length)? {
        "" => 0,
        digits => digits.parse().ok()?,
    };
    let seconds = hours * 3_600 + minutes * 60 + seconds;
    Some((padded, units, seconds * 10i64.pow(units.into()) + part, length))
}

#[cfg(test)]
mod tests {
    use super::super::code::Coder;
    use super::super::read::{Draft, Original};
    use super::*;
    use plypack_records::FALLBACK;
    use plypack_records::charset::Charset;

    /// Returns the templates of a record of chess, and the number of comments that follow them.
    fn find(memory: &mut Templates, text: &str) -> Option<(String, usize)> {
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("it is registered");
        let original = Original { bytes: text.as_bytes(), charset: Charset::Utf8, text };
        let draft = Draft::read(codec.game(), original, FALLBACK);
        let coded = Coder::new(codec).code(&draft);
        let found = memory.find(&draft.record.items, coded.plies(), coded.trunk())?;
        Some((found.templates, found.comments.len()))
    }

    fn of(comments: [&str; 6]) -> Option<(String, usize)> {
        let [a, b, c, d, e, f] = comments;
        let text = format!(
            "1. e4 {{{a}}} e5 {{{b}}} 2. Nf3 {{{c}}} Nc6 {{{d}}} 3. Bb5 {{{e}}} a6 {{{f}}} *\n"
        );
        find(&mut Templates::default(), &text)
    }

    #[test]
    fn patterns_are_found() {
        for (comments, template) in [
            (
                [
                    "+0.31/14 5s",
                    "-0.20/13 12s",
                    "0.00/9 1s",
                    "+1.00/7 2s",
                    "0.00/8 3s",
                    "-1.10/9 0s",
                ],
                "%~2n/%n %ns",
            ),
            (
                [
                    "d=1, mb=+0-1+0",
                    "d=20, mb=+0+0+0",
                    "d=7, mb=-3+2+0",
                    "d=1, mb=+1-1-1",
                    "d=30, mb=+0+0+2",
                    "d=9, mb=+0+0+0",
                ],
                "d=%n, mb=%+n%+n%+n",
            ),
            (
                [
                    "[%clk 0:01:00][%emt 1:00:59.5]",
                    "[%clk 0:00:01][%emt 0:00:00.0]",
                    "[%clk 2:00:00][%emt 0:00:01.1]",
                    "[%clk 0:00:59][%emt 0:10:00.9]",
                    "[%clk 9:59:59][%emt 1:00:00.0]",
                    "[%clk 0:00:00][%emt 0:00:10.2]",
                ],
                "[%%clk %t][%%emt %1t]",
            ),
            (
                [
                    "R50=50 5 %",
                    "R50=49 4 %",
                    "R50=50 0 %",
                    "R50=50 7 %",
                    "R50=50 8 %",
                    "R50=50 100 %",
                ],
                "R50=%n %n %%",
            ),
            (
                [
                    "1 pv=e4 e5 Nf3, x",
                    "1 pv=e5, x",
                    "1 pv=Nf3 d6, x",
                    "1 pv=Nc6 Bc4, x",
                    "1 pv=Bb5, x",
                    "1 pv=a6 Ba4, x",
                ],
                "%n pv=%l, x",
            ),
            // What looks like a move and cannot be played is words.
            (
                [
                    "1 pd=Kg4, x",
                    "1 pd=Rxb8=Q+ Na9, x",
                    "1 pd=O-O-O, x",
                    "1 pd=Qh1, x",
                    "1 pd=Bxe4, x",
                    "1 pd=Nfe3+, x",
                ],
                "%n pd=%w, x",
            ),
        ] {
            assert_eq!(of(comments), Some((template.to_owned(), 6)));
        }
    }

    #[test]
    fn prose_follows_no_pattern() {
        assert_eq!(of(["A fine move", "well", "the usual", "so, so", "a3 1", "007"]), None);
        // Three alike are a pattern, but too few.
        assert_eq!(of(["a1", "a2", "a3", "yes", "no", "perhaps"]), None);
        let some = of(["x 1", "x 2", "x 3", "x 44", "no", "perhaps"]);
        assert_eq!(some, Some(("x %n".to_owned(), 4)));
        // A phrase that repeats is no data without a number, though it ends with a word or a line.
        assert_eq!(of(["to Kg4", "to Kh8", "to Qxa1", "to Kxa8", "to Qh4", "to Na9"]), None);
        assert_eq!(of(["so e4", "so e5", "so Nf3", "so Nc6", "so Bb5", "so a6"]), None);
        // A number that is not written as numbers are stays with the text.
        assert_eq!(of(["01", "02", "03", "04", "05", "06"]), None);
        assert_eq!(of(["-0", "-0.0", "99999999999999999", "1.", ".5", "+"]), None);
    }

    #[test]
    fn templates_are_remembered() {
        let mut memory = Templates::default();
        let game = |end: &str| {
            format!("1. e4 {{d=1}} e5 {{d=2}} 2. Nf3 {{d=3}} Nc6 {{d=4}} 3. Bb5 {{{end}}} *\n")
        };
        let first = find(&mut memory, &game("d=5, drawn by rule"));
        assert_eq!(first, Some(("d=%n".to_owned(), 4)));
        let second = find(&mut memory, &game("d=5, drawn by rule"));
        assert_eq!(second.map(|found| found.1), Some(4));
        let last = find(&mut memory, &game("d=9, drawn by rule"));
        assert_eq!(last, Some(("d=%n\nd=%n, drawn by rule".to_owned(), 5)));
    }

    #[test]
    fn many_templates_make_room_for_others() {
        let mut memory = Templates::default();
        let letters = || 'a'..='z';
        let names = letters().flat_map(|first| letters().map(move |next| [first, next]));
        for name in names.take(200) {
            let name = String::from_iter(name);
            let text = format!(
                "1. e4 {{{name} 1}} e5 {{{name} 2}} 2. Nf3 {{{name} 3}} Nc6 {{{name} 4}} *\n"
            );
            let (templates, count) = find(&mut memory, &text).expect("a pattern");
            assert_eq!(count, 4);
            assert!(templates.lines().any(|line| line == format!("{name} %n")));
            assert!(templates.lines().count() <= TEMPLATES_MAX);
        }
    }
}
