//! Templates: what comments that follow a pattern have in common, with places for their fields.
//!
//! In text a template is the comment, with `%` before the kind of each field:
//!
//! | text | field |
//! |---|---|
//! | `%n`, `%2n` | a number, with two decimals |
//! | `%+n`, `%~n` | a number with a plus if it is not negative; if it is above zero |
//! | `%t`, `%1t` | a time, `0:02:59`, with one decimal of its seconds |
//! | `%T`, `%1T` | the same with at least two digits of hours |
//! | `%l` | moves with a space between two |
//! | `%w` | words that look like moves and are none there, with a space between two |
//! | `%%`, `%.`, `%,` | a percent sign, a line feed, a carriage return |

use std::fmt::{self, Write};

/// The most templates of a record.
pub const TEMPLATES_MAX: usize = 63;

/// The most fields of a template.
pub const FIELDS_MAX: usize = 64;

/// The most bytes of all templates of a record together.
pub const TEMPLATES_BYTES_MAX: usize = 16 << 10;

/// The limit of numbers in either direction, in units of their last decimal.
pub const NUMBER_MAX: i64 = 1_000_000_000_000_000;

/// How a number's sign is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plus {
    /// No plus.
    Never,
    /// A plus if it is above zero.
    Above,
    /// A plus if it is not negative.
    Always,
}

/// The kind of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A number with this many decimals.
    Number {
        /// How its sign is written.
        plus: Plus,
        /// Its decimals.
        decimals: u8,
    },
    /// A time in hours, minutes and seconds.
    Time {
        /// Whether the hours have at least two digits.
        padded: bool,
        /// The decimals of the seconds.
        decimals: u8,
    },
    /// Moves.
    Line,
    /// Words, in ASCII.
    Words,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// The place of a field.
    Field(Kind),
}

/// What comments that follow a pattern have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Template {
    /// Its parts; two texts never follow each other.
    pub parts: Vec<Part>,
}

/// A number, in units of its last decimal, or a time in units of the last decimal of its seconds;
/// or the text of a line, or words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number or a time.
    Number(i64),
    /// The moves of a line, with a space between two.
    Line(&'a str),
    /// Words.
    Words(&'a str),
}

impl Kind {
    /// Writes a value. Returns `None` if it is of another kind, or cannot be written so.
    fn write(self, value: Value<'_>, out: &mut String) -> Option<()> {
        match (self, value) {
            (Self::Line, Value::Line(text)) | (Self::Words, Value::Words(text)) => {
                out.push_str(text);
            }
            (Self::Number { plus, decimals }, Value::Number(number)) => {
                let sign = match number {
                    ..0 => "-",
                    0 if plus == Plus::Always => "+",
                    1.. if plus != Plus::Never => "+",
                    _ => "",
                };
                let (whole, part) = split(number.unsigned_abs(), decimals);
                write!(out, "{sign}{whole}").ok()?;
                write_decimals(part, decimals, out)?;
            }
            (Self::Time { padded, decimals }, Value::Number(time)) => {
                let (seconds, part) = split(u64::try_from(time).ok()?, decimals);
                let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
                let width = if padded { 2 } else { 1 };
                write!(out, "{hours:0width$}:{minutes:02}:{seconds:02}").ok()?;
                write_decimals(part, decimals, out)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Returns whether it is a time.
    #[must_use]
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time { .. })
    }

    /// Returns whether it is a number with one decimal.
    pub(super) fn has_tenths(self) -> bool {
        matches!(self, Self::Number { decimals: 1, .. })
    }

    /// Returns the kind without its sign: numbers of both are the same field.
    fn unsigned(self) -> Self {
        match self {
            Self::Number { decimals, .. } => Self::Number { plus: Plus::Never, decimals },
            other => other,
        }
    }
}

/// Splits a number into what is before its point and behind it.
fn split(number: u64, decimals: u8) -> (u64, u64) {
    let unit = 10u64.saturating_pow(decimals.into());
    (number / unit, number % unit)
}

fn write_decimals(part: u64, decimals: u8, out: &mut String) -> Option<()> {
    if decimals == 0 {
        return Some(());
    }
    write!(out, ".{part:0width$}", width = usize::from(decimals)).ok()
}

impl Template {
    /// Reads a template from its text; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut template = Self::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            template.push_text(before);
            let mut chars = after.chars();
            let mut next = chars.next()?;
            let plus = match next {
                '+' => Plus::Always,
                '~' => Plus::Above,
                _ => Plus::Never,
            };
            if plus != Plus::Never {
                next = chars.next()?;
            }
            let decimals = next.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
            if let Some(digit) = decimals {
                next = chars.next().filter(|_| digit > 0)?;
            }
            let decimals = decimals.unwrap_or(0);
            let bare = plus == Plus::Never;
            match next {
                'n' => template.push(Kind::Number { plus, decimals }),
                't' | 'T' if bare => {
                    template.push(Kind::Time { padded: next == 'T', decimals });
                }
                'l' if bare && decimals == 0 => template.push(Kind::Line),
                'w' if bare && decimals == 0 => template.push(Kind::Words),
                '%' | '.' | ',' if bare && decimals == 0 => {
                    template.push_text(match next {
                        '%' => "%",
                        '.' => "\n",
                        _ => "\r",
                    });
                }
                _ => return None,
            }
            rest = chars.as_str();
        }
        template.push_text(rest);
        (template.fields().count() <= FIELDS_MAX).then_some(template)
    }

    /// Adds the place of a field.
    pub fn push(&mut self, kind: Kind) {
        self.parts.push(Part::Field(kind));
    }

    /// Adds text.
    pub fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Returns the kinds of its fields.
    pub fn fields(&self) -> impl Iterator<Item = Kind> {
        self.parts.iter().filter_map(|part| match part {
            Part::Field(kind) => Some(*kind),
            Part::Text(_) => None,
        })
    }

    /// Returns its fields, each with the text by which it is known: the word before it, or all text
    /// since the field before where there is no word.
    pub fn names(&self) -> impl Iterator<Item = (&str, Kind)> {
        let mut before = "";
        self.parts.iter().filter_map(move |part| match part {
            Part::Text(text) => {
                before = text;
                None
            }
            Part::Field(kind) => {
                let text = std::mem::take(&mut before);
                let word = text.rsplit([' ', ',', ';', '\n']).next().unwrap_or_default();
                Some((if word.is_empty() { text } else { word }, *kind))
            }
        })
    }

    /// Writes a comment. Returns `None` if the values are not those of its fields.
    #[must_use]
    pub fn write(&self, values: &[Value<'_>]) -> Option<String> {
        let mut values = values.iter();
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Field(kind) => kind.write(*values.next()?, &mut out)?,
            }
        }
        values.next().is_none().then_some(out)
    }

    /// Returns the template without the signs of its numbers.
    #[must_use]
    pub fn unsigned(&self) -> Self {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => Part::Text(text.clone()),
            Part::Field(kind) => Part::Field(kind.unsigned()),
        });
        Self { parts: parts.collect() }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits =
            |decimals: u8| if decimals == 0 { String::new() } else { decimals.to_string() };
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    for letter in text.chars() {
                        match letter {
                            '%' => out.write_str("%%")?,
                            '\n' => out.write_str("%.")?,
                            '\r' => out.write_str("%,")?,
                            other => out.write_char(other)?,
                        }
                    }
                }
                Part::Field(Kind::Number { plus, decimals }) => {
                    let plus = match plus {
                        Plus::Never => "",
                        Plus::Above => "~",
                        Plus::Always => "+",
                    };
                    write!(out, "%{plus}{}n", digits(*decimals))?;
                }
                Part::Field(Kind::Time { padded, decimals }) => {
                    write!(out, "%{}{}", digits(*decimals), if *padded { 'T' } else { 't' })?;
                }
                Part::Field(Kind::Line) => out.write_str("%l")?,
                Part::Field(Kind::Words) => out.write_str("%w")?,
            }
        }
        Ok(())
    }
}

/// Reads the templates of a record, one a line; `None` if they are none, or too many.
#[must_use]
pub fn read_templates(text: &str) -> Option<Vec<Template>> {
    if text.len() > TEMPLATES_BYTES_MAX || text.split('\n').count() > TEMPLATES_MAX {
        return None;
    }
    text.split('\n').map(Template::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_come_back_from_their_text() {
        for text in [
            "",
            "book",
            "d=%n, sd=%n, mt=%n, pv=%l, wv=%2n, mb=%+n%+n%+n",
            "%~2n/%n %1ns",
            "pd=%w pv=%l %w",
            "[%%clk %1t] 100%% %.x%,%T%2T",
        ] {
            let template = Template::read(text).expect(text);
            assert_eq!(template.to_string(), text);
        }
        for wrong in ["%", "%x", "%0n", "%+", "%+t", "%2l", "%+l", "%1w", "%1%", "%12n", "%~%"] {
            assert_eq!(Template::read(wrong), None, "{wrong}");
        }
        let many = "%n".repeat(FIELDS_MAX + 1);
        assert_eq!(Template::read(&many), None);
        assert_eq!(read_templates(&"\n".repeat(TEMPLATES_MAX)), None);
        assert_eq!(read_templates("a\n%n").map(|list| list.len()), Some(2));
    }

    #[test]
    fn values_are_written_as_their_kind_says() {
        let write = |text: &str, values: &[i64]| {
            let values: Vec<_> = values.iter().copied().map(Value::Number).collect();
            Template::read(text).expect(text).write(&values)
        };
        let wrote = |text: &str, values: &[i64]| write(text, values).expect(text);
        assert_eq!(wrote("%2n/%n", &[-5, 12]), "-0.05/12");
        assert_eq!(wrote("%+1n%~1n%1n", &[0, 0, 0]), "+0.0+0.0".replace("+0.0+0.0", "+0.00.00.0"));
        assert_eq!(wrote("%+n%~n%n", &[7, 7, 7]), "+7+77");
        assert_eq!(wrote("%t %T %1t", &[3_661, 59, 599]), "1:01:01 00:00:59 0:00:59.9");
        assert_eq!(write("%t", &[-1]), None);
        assert_eq!(write("%n", &[]), None);
        assert_eq!(write("%n", &[1, 2]), None);
        assert_eq!(write("%l", &[1]), None);
        let values = [Value::Words("Kg2 Kf8"), Value::Line("e4 e5")];
        let template = Template::read("%w, %l").expect("a template");
        assert_eq!(template.write(&values).as_deref(), Some("Kg2 Kf8, e4 e5"));
        assert_eq!(Template::read("%l, %w").expect("a template").write(&values), None);
    }

    #[test]
    fn fields_are_known_by_the_word_before_them() {
        let template = Template::read("d=%n, wv=%2n, R50=%n %l/%n").expect("a template");
        let names: Vec<&str> = template.names().map(|name| name.0).collect();
        assert_eq!(names, ["d=", "wv=", "R50=", " ", "/"]);
    }
}
