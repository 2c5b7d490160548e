//! A game's movetext as a tree: lines of moves, with their annotations.

use std::time::Duration;

use crate::store::Movetext;
use plypack_records::{self as records, ItemKind, Values};

/// Consecutive moves: a variation, or a game's main line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variation {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// Texts before the first move that were not understood.
    pub unread: Vec<String>,
    /// The moves.
    pub moves: Vec<MoveNode>,
}

/// A move with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveNode {
    /// The number of its ply, counted from 1 at the start of the main line.
    pub ply: u32,
    /// Its text.
    pub text: String,
    /// Numeric annotation glyphs: `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6, `$14` 14.
    pub glyphs: Vec<u8>,
    /// Comments after it, without their braces and without values that have a field of their own.
    pub comments: Vec<String>,
    /// The time left to the player after it.
    pub clock: Option<Duration>,
    /// The time it took.
    pub elapsed: Option<Duration>,
    /// An engine's evaluation of the position after it.
    pub evaluation: Option<Evaluation>,
    /// Alternatives to it and the moves after it, each from the position before it.
    pub variations: Vec<Variation>,
    /// Texts after it that were not understood.
    pub unread: Vec<String>,
}

/// An engine's evaluation of a position, from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evaluation {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if Black mates.
    Mate(i32),
}

/// Builds a tree from pieces in canonical order. Their producer ensures that they are balanced and
/// nested less than 64 deep.
pub(crate) fn build(movetext: Movetext) -> Result<Variation, &'static str> {
    let Movetext { pieces, values, decimals, took } = movetext;
    let mut values = values.into_iter();
    // The open lines, the main line first, and the number of plies before each.
    let mut open = vec![(Variation::default(), 0u32)];
    for (kind, text) in pieces {
        let depth = open.len();
        let Some((line, before)) = open.last_mut() else { break };
        match kind {
            ItemKind::Move => {
                let plies = u32::try_from(line.moves.len()).unwrap_or(u32::MAX);
                let ply = before.saturating_add(plies).saturating_add(1);
                let mut mv = MoveNode { ply, text, ..MoveNode::default() };
                // Variations have their moves' values in comments.
                if depth == 1
                    && let Some(values) = values.next()
                {
                    mv.take_values(values, decimals, took);
                }
                line.moves.push(mv);
            }
            ItemKind::Open => {
                let last = line.moves.last().ok_or("a variation replaces no move")?;
                let before = last.ply.saturating_sub(1);
                open.push((Variation::default(), before));
            }
            ItemKind::Close => {
                let (variation, _) = open.pop().ok_or("a variation ends twice")?;
                let trunk = open.last_mut().and_then(|(trunk, _)| trunk.moves.last_mut());
                trunk.ok_or("a variation ends twice")?.variations.push(variation);
            }
            ItemKind::Suffix | ItemKind::Glyph => match (line.moves.last_mut(), glyph(&text)) {
                (Some(mv), Some(glyph)) => mv.glyphs.push(glyph),
                (Some(mv), None) => mv.unread.push(text),
                (None, _) => line.unread.push(text),
            },
            ItemKind::Comment => line.comment(text),
            ItemKind::LineComment => match text.strip_prefix(';') {
                Some(comment) => line.comment(comment.to_owned()),
                None => line.not_understood(text),
            },
            ItemKind::Result => {}
            ItemKind::Other => line.not_understood(text),
        }
    }
    open.into_iter().next().map(|(line, _)| line).ok_or("a variation ends twice")
}

impl Variation {
    fn comment(&mut self, mut text: String) {
        let comments = match self.moves.last_mut() {
            Some(mv) => {
                mv.take_commands(&mut text);
                &mut mv.comments
            }
            None => &mut self.comments,
        };
        let text = text.trim_ascii();
        if !text.is_empty() {
            comments.push(text.to_owned());
        }
    }

    fn not_understood(&mut self, text: String) {
        self.moves.last_mut().map_or(&mut self.unread, |mv| &mut mv.unread).push(text);
    }
}

impl MoveNode {
    fn take_values(&mut self, values: Values, decimals: u8, took: bool) {
        // A unit is at least a millisecond.
        let unit = 10u64.pow(3u32.saturating_sub(decimals.into()));
        let time = values.clock.map(|clock| Duration::from_millis(u64::from(clock) * unit));
        *(if took { &mut self.elapsed } else { &mut self.clock }) = time;
        self.evaluation = values.evaluation.map(|evaluation| match evaluation {
            records::Evaluation::Pawns(hundredths) => Evaluation::Centipawns(hundredths),
            records::Evaluation::Mate(moves) => Evaluation::Mate(moves),
        });
    }

    /// Moves commands from a comment into their fields, where those are still empty.
    fn take_commands(&mut self, comment: &mut String) {
        if self.clock.is_none() {
            self.clock = take_command(comment, "[%clk ", read_time);
        }
        if self.elapsed.is_none() {
            self.elapsed = take_command(comment, "[%emt ", read_time);
        }
        if self.evaluation.is_none() {
            self.evaluation = take_command(comment, "[%eval ", read_evaluation);
        }
    }
}

/// Takes the first command with this beginning out of a comment, if it can be read.
fn take_command<T>(
    comment: &mut String,
    begin: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let start = comment.find(begin)?;
    let length = comment[start..].find(']')?;
    let value = read(comment[start + begin.len()..start + length].trim_ascii())?;
    comment.replace_range(start..=start + length, "");
    Some(value)
}

/// Returns the number of a glyph; `None` if it has none.
fn glyph(text: &str) -> Option<u8> {
    Some(match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => text.strip_prefix('$')?.parse().ok()?,
    })
}

/// Reads hours, minutes and seconds: `1:02:03`, `0:00:05.4`.
fn read_time(text: &str) -> Option<Duration> {
    let (time, fraction) = text.split_once('.').unwrap_or((text, ""));
    let parts: Option<Vec<u32>> = time.split(':').map(digits).collect();
    let [hours, minutes, seconds] = parts?[..] else { return None };
    let seconds = u64::from(hours) * 3_600 + u64::from(minutes) * 60 + u64::from(seconds);
    let milliseconds = match fraction.len() {
        0 => 0,
        length @ 1..=3 => digits(fraction)? * [100, 10, 1][length - 1],
        _ => return None,
    };
    Some(Duration::from_secs(seconds) + Duration::from_millis(milliseconds.into()))
}

/// Reads pawns or a mate: `0.17`, `-1.5`, `#-3`, optionally with the depth after a comma.
fn read_evaluation(text: &str) -> Option<Evaluation> {
    let text = text.split(',').next()?;
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Evaluation::Mate);
    }
    let (sign, number) = match text.strip_prefix('-') {
        Some(number) => (-1, number),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let part = match part.len() {
        0 => 0,
        1 => digits(part)? * 10,
        2 => digits(part)?,
        _ => return None,
    };
    let hundredths = digits(whole)?.checked_mul(100)?.checked_add(part)?;
    i32::try_from(hundredths).ok().map(|hundredths| Evaluation::Centipawns(sign * hundredths))
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, expected) in [
            ("1:02:03", Some(3_723_000)),
            ("0:00:05.4", Some(5_400)),
            ("0:00:05.04", Some(5_040)),
            ("00:00:00.001", Some(1)),
            ("0:05", None),
            ("0:00:05.", Some(5_000)),
            ("0:00:05.0000", None),
            ("-1:00:00", None),
            ("0:00:+5", None),
            ("", None),
            ("::", None),
        ] {
            assert_eq!(read_time(text), expected.map(Duration::from_millis), "{text}");
        }
    }

    #[test]
    fn evaluations_are_read() {
        use Evaluation::{Centipawns, Mate};
        for (text, expected) in [
            ("0.17", Some(Centipawns(17))),
            ("-0.05", Some(Centipawns(-5))),
            ("+1.5,22", Some(Centipawns(150))),
            ("3", Some(Centipawns(300))),
            ("#-3", Some(Mate(-3))),
            ("#2", Some(Mate(2))),
            ("0.175", None),
            ("--1", None),
            ("99999999999", None),
            ("", None),
        ] {
            assert_eq!(read_evaluation(text), expected, "{text}");
        }
    }

    #[test]
    fn commands_are_taken_out_of_comments() {
        let mut mv = MoveNode::default();
        let mut comment = "a [%clk 0:00:05] b [%eval 0.1] [%csl Ra1] [%clk 0:00:06]".to_owned();
        mv.take_commands(&mut comment);
        assert_eq!(comment, "a  b  [%csl Ra1] [%clk 0:00:06]");
        assert_eq!(mv.clock, Some(Duration::from_secs(5)));
        assert_eq!(mv.evaluation, Some(Evaluation::Centipawns(10)));
        let mut comment = "[%emt 0:0:x] [%emt".to_owned();
        mv.take_commands(&mut comment);
        assert_eq!((comment.as_str(), mv.elapsed), ("[%emt 0:0:x] [%emt", None));
    }
}
