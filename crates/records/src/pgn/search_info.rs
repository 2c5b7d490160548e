//! What engines' comments say of the search for a move: `{+0.42/27 3.2s, n=8192}` as cutechess,
//! fastchess, CCRL and Winboard write them, `{d=27, mt=3200, n=8192, wv=0.42}` as TCEC does, and
//! `{[%emt 0:00:03]}`.
//!
//! Words that mean nothing here are skipped. Nothing is written back from what is read.

use crate::record::Evaluation;

/// What a comment says of the search for the move before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// The evaluation of the position, and whether it is from the point of view of the player who
    /// moved, not from White's.
    pub evaluation: Option<(Evaluation, bool)>,
    /// The depth of the search in plies.
    pub depth: Option<u32>,
    /// The time that the move took, in milliseconds.
    pub time: Option<u64>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

impl SearchInfo {
    /// Reads the text between a comment's braces. Of two values of the same meaning the first
    /// counts.
    #[must_use]
    pub fn read(comment: &str) -> Self {
        let mut info = Self::default();
        let mut words = comment.split([' ', '\n', '\r', ',', '[', ']']).filter(|w| !w.is_empty());
        // Behind an evaluation and its depth a word without a name is the time.
        let mut time_is_next = false;
        while let Some(word) = words.next() {
            let timed = std::mem::take(&mut time_is_next);
            if let Some(name) = word.strip_prefix('%') {
                info.command(name, words.next().unwrap_or_default());
            } else if let Some((name, value)) = word.split_once('=') {
                info.named(name, value);
                time_is_next = timed;
            } else if let Some((evaluation, depth)) = word.split_once('/') {
                // `24/7` and `1/2` are words of people.
                let evaluation = Some(evaluation).filter(|text| text.contains(['.', 'M', '#']));
                let depth = depth.parse().ok();
                if let Some((evaluation, depth)) = evaluation.and_then(read_evaluation).zip(depth) {
                    info.evaluation.get_or_insert((evaluation, true));
                    info.depth.get_or_insert(depth);
                    time_is_next = true;
                }
            } else if timed {
                info.time = info.time.or_else(|| read_time(word));
            }
        }
        info
    }

    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads the value of a command: `[%emt 0:00:03]`.
    fn command(&mut self, name: &str, value: &str) {
        match name {
            "eval" => {
                let evaluation = read_evaluation(value).map(|evaluation| (evaluation, false));
                self.evaluation = self.evaluation.or(evaluation);
            }
            "emt" => self.time = self.time.or_else(|| read_time(value)),
            // In tenths of a second, as chess.com writes it.
            "timestamp" => {
                let tenths = value.parse::<u64>().ok();
                self.time = self.time.or(tenths.and_then(|tenths| tenths.checked_mul(100)));
            }
            _ => {}
        }
    }

    /// Reads a named value: `d=27`.
    fn named(&mut self, name: &str, value: &str) {
        match name {
            "d" | "depth" => self.depth = self.depth.or_else(|| value.parse().ok()),
            "n" | "nodes" => self.nodes = self.nodes.or_else(|| value.parse().ok()),
            // A number without a unit is one of milliseconds.
            "mt" => {
                let time = value.parse().ok().or_else(|| read_time(value));
                self.time = self.time.or(time);
            }
            "t" | "time" => self.time = self.time.or_else(|| read_time(value)),
            "wv" | "ev" => {
                let evaluation = read_evaluation(value).map(|found| (found, name == "ev"));
                self.evaluation = self.evaluation.or(evaluation);
            }
            _ => {}
        }
    }
}

/// Reads `+0.42`, `M12`, `-M5` or `#-5`.
fn read_evaluation(text: &str) -> Option<Evaluation> {
    let (negative, size) = match text.strip_prefix('#') {
        Some(mate) => (mate.starts_with('-'), text),
        None => (text.starts_with('-'), text.trim_start_matches(['+', '-'])),
    };
    let signed = |size: i32| if negative { -size } else { size };
    if let Some(moves) = size.strip_prefix(['M', '#']) {
        let moves = moves.trim_start_matches(['+', '-']);
        return Some(Evaluation::Mate(signed(digits(moves)?)));
    }
    let (pawns, part) = size.split_once('.').unwrap_or((size, ""));
    let hundredths: String = part.chars().chain(['0', '0']).take(2).collect();
    let part = if part.is_empty() { 0 } else { digits(&hundredths)? };
    let whole: i32 = digits(pawns)?;
    Some(Evaluation::Pawns(signed(whole.checked_mul(100)?.checked_add(part)?)))
}

/// Reads `3.2s`, `3.2`, `150ms`, `2:35` or `0:02:35` as milliseconds.
fn read_time(text: &str) -> Option<u64> {
    if let Some(millis) = text.strip_suffix("ms") {
        return digits(millis);
    }
    let text = text.strip_suffix('s').unwrap_or(text);
    let (before, seconds) = text.rsplit_once(':').unwrap_or(("0", text));
    let mut minutes = 0u64;
    for part in before.split(':') {
        minutes = minutes.checked_mul(60)?.checked_add(digits(part)?)?;
    }
    let (seconds, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let thousandths: String = part.chars().chain("00".chars()).take(3).collect();
    let seconds = minutes.checked_mul(60)?.checked_add(digits(seconds)?)?;
    seconds.checked_mul(1_000)?.checked_add(digits(&thousandths)?)
}

/// Reads digits and nothing else.
fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(evaluation: Evaluation, own: bool, depth: u32, time: u64) -> SearchInfo {
        let (evaluation, depth, time) = (Some((evaluation, own)), Some(depth), Some(time));
        SearchInfo { evaluation, depth, time, nodes: None }
    }

    #[test]
    fn what_programs_write_is_read() {
        use Evaluation::{Mate, Pawns};
        let of_tcec = "d=40, sd=59, pd=Nc5+, mt=50315, tl=619294, s=69554004, n=3498009999, \
                       pv=Ke8 Bd2 Kf7, tb=329334, h=15.6, ph=85.7, wv=2.30, R50=49, mb=+0-1,";
        for (text, expected) in [
            ("+0.42/27 3.2s", info(Pawns(42), true, 27, 3_200)),
            ("-M5/12 0.015s, Black mates", info(Mate(-5), true, 12, 15)),
            ("(Nf3 e5) +0.1/9 12", info(Pawns(10), true, 9, 12_000)),
            ("-0.05/18 2:35", info(Pawns(-5), true, 18, 155_000)),
            ("0.00/57 5.004s, n=8192", {
                SearchInfo { nodes: Some(8_192), ..info(Pawns(0), true, 57, 5_004) }
            }),
            (of_tcec, {
                SearchInfo { nodes: Some(3_498_009_999), ..info(Pawns(230), false, 40, 50_315) }
            }),
            ("d=1, mt=00:00:07, wv=-M16", info(Mate(-16), false, 1, 7_000)),
        ] {
            assert_eq!(SearchInfo::read(text), expected, "{text}");
        }
        let taken = SearchInfo::read("[%emt 0:01:05.5]");
        assert_eq!(taken, SearchInfo { time: Some(65_500), ..SearchInfo::default() });
        assert_eq!(SearchInfo::read("[%timestamp 59]").time, Some(5_900));
        let evaluation = SearchInfo::read("[%eval #-3] better is d4").evaluation;
        assert_eq!(evaluation, Some((Mate(-3), false)));
    }

    #[test]
    fn other_words_say_nothing() {
        for text in [
            "book",
            "",
            "1/2-1/2 by agreement",
            "a draw 12s",
            "x/y 3",
            "99999999999.0/1 2s",
            "open 24/7",
            "1/2 2s",
        ] {
            assert!(SearchInfo::read(text).is_empty(), "{text}: {:?}", SearchInfo::read(text));
        }
        assert_eq!(SearchInfo::read("+0.1/3 4s +9.9/9 9s"), SearchInfo::read("+0.1/3 4s"));
    }
}
