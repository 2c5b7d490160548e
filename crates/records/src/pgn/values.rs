//! Clock readings and evaluations in comments: `{ [%eval 0.17] [%clk 0:02:59] }`.
//!
//! A comment with nothing else becomes numbers, if the numbers and a style give back its text.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use crate::record::{Evaluation, Values};

/// The style of values, the same for all comments of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueStyle {
    /// A space after `{` and before `}`.
    pub padded: bool,
    /// The clock comes before the evaluation.
    pub clock_first: bool,
    /// Hours have two digits.
    pub wide_hours: bool,
    /// Decimals of a second: a clock reading counts units of `10^-decimals` seconds.
    pub decimals: u8,
    /// Zeros at the end of a clock's decimals are left out, and the point if no digit is left.
    pub clock_trimmed: bool,
    /// A zero at the end of an evaluation's two decimals is left out.
    pub evaluation_trimmed: bool,
}

/// The most decimals of a second.
const DECIMALS_MAX: u8 = 3;

impl ValueStyle {
    /// The style that gives back most of these comments, if any of them holds only values.
    pub fn guess<'a>(comments: impl Iterator<Item = &'a str> + Clone) -> Option<Self> {
        let mut style: Option<Self> = None;
        let mut fewest = DECIMALS_MAX;
        for comment in comments {
            let Some((padded, commands)) = commands(comment) else { continue };
            let style =
                style.get_or_insert(Self { padded, evaluation_trimmed: true, ..Self::default() });
            style.clock_first |= commands.len() == 2 && commands[0].0 == "clk";
            for (name, text) in commands {
                if name == "clk" {
                    let decimals = text.split_once('.').map_or(0, |(_, part)| part.len());
                    let decimals = u8::try_from(decimals).unwrap_or(u8::MAX).min(DECIMALS_MAX);
                    style.decimals = style.decimals.max(decimals);
                    fewest = fewest.min(decimals);
                    style.wide_hours |= text.find(':') == Some(2) && text.starts_with('0');
                } else if text.ends_with("00") || text.ends_with(".10") {
                    style.evaluation_trimmed = false;
                }
            }
        }
        style.map(|style| Self { clock_trimmed: fewest < style.decimals, ..style })
    }

    /// Reads the values of a comment from the text between its braces; `None` if this style does
    /// not give the text back.
    pub fn read(self, comment: &str) -> Option<Values> {
        let (_, commands) = commands(comment)?;
        let mut values = Values::default();
        for (name, text) in commands {
            match name {
                "clk" => values.clock = Some(self.read_clock(text)?),
                _ => values.evaluation = Some(read_evaluation(text)?),
            }
        }
        let mut out = String::new();
        self.write(values, &mut out);
        (out == comment).then_some(values)
    }

    /// Appends the text between the braces.
    pub fn write(self, values: Values, out: &mut String) {
        if self.padded {
            out.push(' ');
        }
        let mut space = "";
        for clock in [self.clock_first, !self.clock_first] {
            if let Some(time) = values.clock.filter(|_| clock) {
                out.push_str(space);
                self.write_clock(time, out);
                space = " ";
            }
            if let Some(evaluation) = values.evaluation.filter(|_| !clock) {
                out.push_str(space);
                self.write_evaluation(evaluation, out);
                space = " ";
            }
        }
        if self.padded {
            out.push(' ');
        }
    }

    fn read_clock(self, text: &str) -> Option<u32> {
        let (time, decimals) = text.split_once('.').unwrap_or((text, ""));
        let mut parts = time.splitn(3, ':').map(|part| part.parse::<u32>().ok());
        let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
        let mut value = hours.checked_mul(60)?.checked_add(minutes)?;
        value = value.checked_mul(60)?.checked_add(seconds)?;
        let mut digits = decimals.bytes();
        for _ in 0..self.decimals {
            let digit = digits.next().map_or(Some(0), |byte| byte.checked_sub(b'0'))?;
            value = value.checked_mul(10)?.checked_add(digit.into())?;
        }
        i32::try_from(value).is_ok().then_some(value)
    }

    fn write_clock(self, time: u32, out: &mut String) {
        let unit = 10u32.pow(self.decimals.min(DECIMALS_MAX).into());
        let (seconds, mut fraction) = (time / unit, time % unit);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let width = if self.wide_hours { 2 } else { 1 };
        // Writing to a string cannot fail.
        let _ = write!(out, "[%clk {hours:0width$}:{minutes:02}:{seconds:02}");
        let mut digits = usize::from(self.decimals);
        while self.clock_trimmed && digits > 0 && fraction % 10 == 0 {
            fraction /= 10;
            digits -= 1;
        }
        if digits > 0 {
            let _ = write!(out, ".{fraction:0digits$}");
        }
        out.push(']');
    }

    fn write_evaluation(self, evaluation: Evaluation, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match evaluation {
            Evaluation::Mate(moves) => write!(out, "[%eval #{moves}]"),
            Evaluation::Pawns(hundredths) => {
                let sign = if hundredths < 0 { "-" } else { "" };
                let (whole, part) =
                    (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
                if self.evaluation_trimmed && part % 10 == 0 {
                    write!(out, "[%eval {sign}{whole}.{}]", part / 10)
                } else {
                    write!(out, "[%eval {sign}{whole}.{part:02}]")
                }
            }
        };
    }
}

fn read_evaluation(text: &str) -> Option<Evaluation> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Evaluation::Mate);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.')?;
    let part = match part.len() {
        1 => part.parse::<i32>().ok()?.checked_mul(10)?,
        2 => part.parse().ok()?,
        _ => return None,
    };
    let value = whole.parse::<i32>().ok()?.checked_mul(100)?.checked_add(part)?;
    Some(Evaluation::Pawns(if negative { -value } else { value }))
}

/// The commands `clk` and `eval` of a comment with nothing else, and whether it is padded.
fn commands(comment: &str) -> Option<(bool, Vec<(&str, &str)>)> {
    let padded = comment.starts_with(' ');
    let mut rest = comment.trim_matches(' ');
    let mut found: Vec<(&str, &str)> = Vec::new();
    while !rest.is_empty() {
        let (command, after) = rest.strip_prefix("[%")?.split_once(']')?;
        let (name, text) = command.split_once(' ')?;
        let known = matches!(name, "clk" | "eval") && found.iter().all(|other| other.0 != name);
        found.push((known.then_some(name)?, text));
        rest = after.trim_start_matches(' ');
    }
    (!found.is_empty()).then_some((padded, found))
}

impl Display for ValueStyle {
    /// A letter for each property that holds, in the order of the fields, then the decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (holds, letter) in [
            (self.padded, 'p'),
            (self.clock_first, 'c'),
            (self.wide_hours, 'w'),
            (self.clock_trimmed, 't'),
            (self.evaluation_trimmed, 'e'),
        ] {
            if holds {
                f.write_char(letter)?;
            }
        }
        write!(f, "{}", self.decimals)
    }
}

impl FromStr for ValueStyle {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut style = Self::default();
        let (letters, decimals) = text.split_at_checked(text.len().wrapping_sub(1)).ok_or(())?;
        style.decimals = decimals.parse().map_err(|_| ())?;
        if style.decimals > DECIMALS_MAX {
            return Err(());
        }
        for letter in letters.chars() {
            match letter {
                'p' => style.padded = true,
                'c' => style.clock_first = true,
                'w' => style.wide_hours = true,
                't' => style.clock_trimmed = true,
                'e' => style.evaluation_trimmed = true,
                _ => return Err(()),
            }
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_the_wild_come_back() {
        for comments in [
            &[" [%eval 0.17] [%clk 0:00:30] ", " [%eval #-3] ", " [%clk 0:01:00] "][..],
            &["[%clk 0:09:59.9]", "[%clk 0:10:00]"],
            &["[%clk 1:00:00.05][%eval 0.00]"],
            &["[%clk 00:59:59]", "[%clk 12:00:00]"],
            &[" [%eval -0.05] ", " [%eval -1.2] ", " [%eval 0.0] "],
            &["[%eval 1.00]", "[%eval -0.15]"],
        ] {
            let style = ValueStyle::guess(comments.iter().copied()).expect("values");
            assert_eq!(style.to_string().parse(), Ok(style));
            let glued = comments[0].contains("][");
            for comment in comments {
                let values = style.read(comment);
                assert_eq!(values.is_none(), glued, "{comment} {style}");
                let mut out = String::new();
                style.write(values.unwrap_or_default(), &mut out);
                assert!(glued || out == *comment, "{comment} {out}");
            }
        }
    }

    #[test]
    fn other_comments_are_text() {
        let style = ValueStyle { padded: true, evaluation_trimmed: true, ..ValueStyle::default() };
        for comment in [
            "",
            " ",
            "text",
            " [%clk 0:00:30] text ",
            " [%clk 0:60:00] ",
            " [%clk 99999999:00:00] ",
            " [%clk -1:00:00] ",
            " [%eval 0.170] ",
            " [%eval -0.0] ",
            " [%eval +1.0] ",
            " [%eval #+3] ",
            " [%eval 0.17,20] ",
            " [%csl Ga1] ",
            " [%clk ",
        ] {
            assert_eq!(style.read(comment), None, "{comment}");
        }
    }
}
