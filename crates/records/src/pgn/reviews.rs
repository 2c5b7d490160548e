//! Reviews: the judgements that servers write after a move,
//! `Bd6?! { Inaccuracy. Nf6 was best. } (5... Nf6 6. O-O)`.
//!
//! Everything but the line follows from a wording, of which a record has only a few.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use super::values::ValueStyle;
use crate::record::{Evaluation, Item, ItemKind, Record, Values};

/// The style of a record's reviews.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewStyle {
    /// The wording comes before the values of the move.
    pub wording_first: bool,
    /// The wordings, ascending; at most [`WORDINGS_MAX`].
    wordings: Vec<Wording>,
}

/// The wording of a judgement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wording {
    /// The suffix or glyph after the move.
    mark: String,
    /// The comment. `@` stands for the first move of the line, `<` and `>` for the evaluations
    /// before and after the move.
    comment: String,
}

/// The most wordings of a record.
pub const WORDINGS_MAX: usize = 8;

/// The longest comment of a wording, in bytes.
const COMMENT_MAX: usize = 96;

/// Characters with a special meaning in wordings or layouts.
const RESERVED: [char; 9] = ['@', '<', '>', '_', '|', ':', '\n', '\r', '\t'];

/// A review found in a record.
#[derive(Debug)]
pub struct Found<'a> {
    /// The number of its wording.
    pub class: u8,
    /// The moves of the line.
    pub moves: Vec<&'a str>,
    /// The values of the move.
    pub values: Values,
    /// The number of items that it takes.
    pub items: usize,
}

/// The items after a move that may be a review.
struct Parts<'a> {
    mark: &'a str,
    comment: &'a str,
    values: Option<&'a str>,
    moves: Vec<&'a str>,
    /// The number of these items.
    items: usize,
}

impl ReviewStyle {
    /// The style of most of a record's reviews, if any, given the style of its values.
    pub fn guess(record: &Record<'_>, values: Option<ValueStyle>) -> Option<Self> {
        let items = &record.items;
        let mut orders = [Vec::new(), Vec::new()];
        let (mut before, mut depth) = (None, 0u32);
        for (at, item) in items.iter().enumerate() {
            match item.kind {
                ItemKind::Open => depth += 1,
                ItemKind::Close => depth = depth.saturating_sub(1),
                ItemKind::Move if depth == 0 => {
                    let rest = items.get(at + 1..).unwrap_or_default();
                    let after = evaluation_of(rest, values);
                    for (wording_first, wordings) in [false, true].into_iter().zip(&mut orders) {
                        let parts = Parts::read(rest, wording_first);
                        wordings.extend(parts.and_then(|parts| Wording::of(&parts, before, after)));
                    }
                    before = after;
                }
                _ => {}
            }
        }
        let [second, first] = orders;
        let wording_first = first.len() > second.len();
        let mut wordings = if wording_first { first } else { second };
        wordings.sort_unstable();
        wordings.dedup();
        wordings.truncate(WORDINGS_MAX);
        (!wordings.is_empty()).then_some(Self { wording_first, wordings })
    }

    /// The number of wordings.
    pub fn classes(&self) -> u32 {
        u32::try_from(self.wordings.len()).unwrap_or(0)
    }

    /// Reads a review from the items after a move, given the evaluation before the move.
    pub fn read<'a>(
        &self,
        items: &[Item<'a>],
        style: Option<ValueStyle>,
        before: Option<Evaluation>,
    ) -> Option<Found<'a>> {
        let Parts { mark, comment, values, moves, items } = Parts::read(items, self.wording_first)?;
        let values = match values {
            Some(text) => style?.read(text)?,
            None => Values::default(),
        };
        let first = moves.first()?;
        let says = |wording: &Wording| {
            wording.mark == mark
                && wording.write(first, before, values.evaluation).as_deref() == Some(comment)
        };
        let class = self.wordings.iter().position(says)?;
        Some(Found { class: u8::try_from(class).ok()?, moves, values, items })
    }

    /// The kind and the mark of a class.
    pub fn mark(&self, class: u8) -> Option<(ItemKind, &str)> {
        let mark = self.wordings.get(usize::from(class))?.mark.as_str();
        Some((if mark.starts_with('$') { ItemKind::Glyph } else { ItemKind::Suffix }, mark))
    }

    /// The comment of a class, given the first move of the line and the evaluations before and
    /// after the move. `None` if there is no such class, or it needs evaluations that are missing.
    pub fn comment(
        &self,
        class: u8,
        best: &str,
        before: Option<Evaluation>,
        after: Option<Evaluation>,
    ) -> Option<String> {
        self.wordings.get(usize::from(class))?.write(best, before, after)
    }
}

impl<'a> Parts<'a> {
    /// Reads a suffix or glyph; a comment, before or after the one with the move's values; and a
    /// variation of nothing but moves.
    fn read(items: &[Item<'a>], wording_first: bool) -> Option<Self> {
        let (mark, rest) = items.split_first().filter(|(mark, _)| mark.kind.is_glyph())?;
        if !is_mark(mark.text) {
            return None;
        }
        let comments = rest.iter().take_while(|item| item.kind == ItemKind::Comment).count();
        let (comments, rest) = rest.split_at(comments);
        let (comment, values) = match comments {
            [comment] => (comment, None),
            [comment, values] if wording_first => (comment, Some(values.text)),
            [values, comment] => (comment, Some(values.text)),
            _ => return None,
        };
        let (_, rest) = rest.split_first().filter(|(open, _)| open.kind == ItemKind::Open)?;
        let plies = rest.iter().take_while(|item| item.kind == ItemKind::Move).count();
        let (moves, rest) = rest.split_at(plies);
        rest.first().filter(|close| close.kind == ItemKind::Close && plies > 0)?;
        Some(Self {
            mark: mark.text,
            comment: comment.text,
            values,
            moves: moves.iter().map(|mv| mv.text).collect(),
            items: comments.len() + plies + 3,
        })
    }
}

/// Whether a text is a suffix or glyph that a layout can name.
fn is_mark(text: &str) -> bool {
    let is_sign = |sign: u8| matches!(sign, b'!' | b'?' | b'$') || sign.is_ascii_digit();
    !text.is_empty() && text.bytes().all(is_sign)
}

/// The evaluation in a move's comments, given the items after the move.
fn evaluation_of(items: &[Item<'_>], style: Option<ValueStyle>) -> Option<Evaluation> {
    let behind =
        items.iter().take_while(|item| item.kind == ItemKind::Comment || item.kind.is_glyph());
    let mut values = behind.filter_map(|item| style?.read(item.text));
    values.find_map(|values| values.evaluation)
}

impl Wording {
    /// The wording of a possible review, given the evaluations before and after the move. `None` if
    /// it does not name the line's first move, is too long, or has reserved characters.
    fn of(
        parts: &Parts<'_>,
        before: Option<Evaluation>,
        after: Option<Evaluation>,
    ) -> Option<Self> {
        let mut comment = parts.comment;
        if comment.len() > COMMENT_MAX || comment.contains(RESERVED) {
            return None;
        }
        let mut template = String::new();
        if let Some((before, after)) = before.zip(after) {
            let numbers = format!("{} → {}", evaluation_text(before), evaluation_text(after));
            if let Some((head, tail)) = comment.split_once(&numbers) {
                template = format!("{head}< → >");
                comment = tail;
            }
        }
        let best = parts.moves.first()?;
        let is_word = |text: &str| !text.starts_with(|next: char| next.is_ascii_alphanumeric());
        let named = comment.match_indices(best).find(|(at, _)| {
            let (head, tail) = (&comment[..*at], &comment[at + best.len()..]);
            (head.is_empty() || head.ends_with(' ')) && is_word(tail)
        });
        let (at, _) = named?;
        template.push_str(&comment[..at]);
        template.push('@');
        template.push_str(&comment[at + best.len()..]);
        Some(Self { mark: parts.mark.into(), comment: template })
    }

    fn write(
        &self,
        best: &str,
        before: Option<Evaluation>,
        after: Option<Evaluation>,
    ) -> Option<String> {
        let mut out = String::with_capacity(COMMENT_MAX);
        for symbol in self.comment.chars() {
            match symbol {
                '@' => out.push_str(best),
                '<' => out.push_str(&evaluation_text(before?)),
                '>' => out.push_str(&evaluation_text(after?)),
                symbol => out.push(symbol),
            }
        }
        Some(out)
    }
}

/// An evaluation as wordings write it: `-0.90`, `Mate in 3`.
fn evaluation_text(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::Mate(moves) => format!("Mate in {}", moves.unsigned_abs()),
        Evaluation::Pawns(hundredths) => {
            let sign = if hundredths < 0 { "-" } else { "" };
            let (whole, part) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
            format!("{sign}{whole}.{part:02}")
        }
    }
}

impl Display for ReviewStyle {
    /// `first:` if the wording comes before the values, then the wordings separated by `|`, each
    /// with its mark, `:` and its comment, in which `_` is a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.wording_first {
            f.write_str("first:")?;
        }
        for (index, Wording { mark, comment }) in self.wordings.iter().enumerate() {
            if index > 0 {
                f.write_char('|')?;
            }
            write!(f, "{mark}:")?;
            for symbol in comment.chars() {
                f.write_char(if symbol == ' ' { '_' } else { symbol })?;
            }
        }
        Ok(())
    }
}

impl FromStr for ReviewStyle {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let rest = text.strip_prefix("first:");
        let wordings = rest.unwrap_or(text).split('|').map(|wording| {
            let (mark, comment) = wording.split_once(':').ok_or(())?;
            let times = |sign| comment.matches(sign).count();
            if !is_mark(mark)
                || comment.len() > COMMENT_MAX
                || comment.contains([':', '}', '\n'])
                || (times('@'), times('<').max(times('>')) > 1) != (1, false)
            {
                return Err(());
            }
            Ok(Wording { mark: mark.into(), comment: comment.replace('_', " ") })
        });
        let wordings = wordings.collect::<Result<Vec<_>, ()>>()?;
        if wordings.len() > WORDINGS_MAX {
            return Err(());
        }
        Ok(Self { wording_first: rest.is_some(), wordings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse;

    /// The style of a record, and the class and the number of moves of each review that it finds.
    fn read(movetext: &str) -> (String, Vec<(u8, usize)>) {
        let record = parse(movetext);
        let comments = record.items.iter().filter(|item| item.kind == ItemKind::Comment);
        let values = ValueStyle::guess(comments.map(|item| item.text));
        let Some(style) = ReviewStyle::guess(&record, values) else { return Default::default() };
        assert_eq!(style.to_string().parse(), Ok(style.clone()));
        let mut before = None;
        let mut found = Vec::new();
        for at in 0..record.items.len() {
            let rest = &record.items[at..];
            if let Some(review) = style.read(rest, values, before) {
                let comment =
                    style.comment(review.class, review.moves[0], before, review.values.evaluation);
                assert!(rest.iter().any(|item| Some(item.text) == comment.as_deref()));
                found.push((review.class, review.moves.len()));
            }
            let values = Some(rest[0]).filter(|item| item.kind == ItemKind::Comment);
            let values = values.and_then(|item| values_of(item.text));
            before = values.or(before);
        }
        (style.to_string(), found)
    }

    fn values_of(text: &str) -> Option<Evaluation> {
        let style = ValueStyle::guess([text].into_iter())?;
        style.read(text)?.evaluation
    }

    #[test]
    fn reviews_of_the_wild() {
        for (movetext, style, reviews) in [
            (
                "1. e4 { [%eval 0.0] } 1... f6?! { [%eval 0.7] } { e5 was best. } (1... e5 2. Nf3)",
                "?!:_@_was_best._",
                &[(0, 2)][..],
            ),
            (
                "1. e4 { [%eval 0.1] } 1... f6?! { (0.10 → 0.75) Inaccuracy. Best move was e5. } \
                 { [%eval 0.75] } (1... e5) 2. g4?? { (0.75 → -2.10) Blunder. Best move was \
                 d4. } { [%eval -2.1] } (2. d4 e6)",
                "first:?!:_(<_→_>)_Inaccuracy._Best_move_was_@._|??:_(<_→_>)_Blunder._\
                 Best_move_was_@._",
                &[(0, 1), (1, 2)],
            ),
            ("1. e4 f6 $2 {better e5!} (1... e5)", "$2:better_@!", &[(0, 1)]),
            ("1. e4 f6 $2 {better e5!} (1... e5 {a})", "", &[]),
            ("1. e4 f6 $2 {e5_} (1... e5)", "", &[]),
            ("1. e4 f6 $2 {e55} (1... e5)", "", &[]),
            ("1. e4 f6 {e5} (1... e5)", "", &[]),
            ("1. e4 f6 $6` {e5} (1... e5)", "", &[]),
        ] {
            assert_eq!(read(movetext), (style.into(), reviews.to_vec()), "{movetext}");
        }
    }

    #[test]
    fn what_no_writer_writes_is_refused() {
        for text in
            ["", "?", ":@", "a:@", "?:@|", "?:@}", "?:@:b", "?:a", "?:@@", &"?:@|".repeat(9)]
        {
            assert_eq!(text.parse::<ReviewStyle>(), Err(()), "{text}");
        }
    }
}
