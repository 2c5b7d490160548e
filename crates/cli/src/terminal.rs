//! Text for a terminal. Nothing from a file may send it commands, or change the writing direction
//! so that text reads as something else.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Stdout, Write};

/// Escapes such characters in lines of text, in the syntax of JSON strings, which suits plain text
/// and JSON alike.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| commands(c) && c != '\n')
}

/// Like [`lines`], for part of a line: escapes newlines, too.
pub fn part(text: &str) -> Cow<'_, str> {
    escaped(text, commands)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            escaped += &format!("\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// Whether a character acts on a terminal, rather than only being shown.
fn commands(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns standard output for the content of records: unchanged, but escaped on a terminal.
pub fn output() -> Output {
    let is_terminal = io::stdout().is_terminal();
    Output { out: io::stdout(), shows: is_terminal, cut: Vec::new() }
}

/// Standard output for arbitrary bytes.
#[derive(Debug)]
pub struct Output<W = Stdout> {
    out: W,
    /// Whether it is a terminal, so bytes are escaped.
    shows: bool,
    /// Trailing bytes whose meaning depends on what follows.
    cut: Vec<u8>,
}

impl<W: Write> Output<W> {
    /// Writes bytes escaped. Keeps back an incomplete end unless `is_last`.
    fn show(&mut self, bytes: &[u8], is_last: bool) -> io::Result<()> {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let (mut valid, invalid) = (chunk.valid(), chunk.invalid());
            let is_end = chunks.peek().is_none() && !is_last;
            if is_end && invalid.is_empty() && valid.ends_with('\r') {
                valid = valid.strip_suffix('\r').unwrap_or_default();
                self.cut.push(b'\r');
            }
            // A carriage return is harmless at the end of a line.
            let mut rest = valid.split("\r\n");
            let first = rest.next().unwrap_or_default();
            self.out.write_all(kept(first).as_bytes())?;
            for line in rest {
                self.out.write_all(b"\r\n")?;
                self.out.write_all(kept(line).as_bytes())?;
            }
            let may_go_on = std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none());
            if is_end && may_go_on {
                self.cut.extend(invalid);
            } else {
                for byte in invalid {
                    write!(self.out, "\\x{byte:02x}")?;
                }
            }
        }
        Ok(())
    }
}

/// Escapes text from a record, keeping newlines and tabs.
fn kept(text: &str) -> Cow<'_, str> {
    escaped(text, |c| commands(c) && !matches!(c, '\n' | '\t'))
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.shows {
            return self.out.write(bytes);
        }
        let mut whole = std::mem::take(&mut self.cut);
        whole.extend(bytes);
        self.show(&whole, false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let cut = std::mem::take(&mut self.cut);
        self.show(&cut, true)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_a_terminal_is_escaped() {
        for (text, expected) in [
            ("plain\nŠarić\t炮", "plain\nŠarić\\u0009炮"),
            ("\u{1b}]0;pwned\u{7}\u{1b}[2J", "\\u001b]0;pwned\\u0007\\u001b[2J"),
            ("a\u{9b}31m\u{7f}", "a\\u009b31m\\u007f"),
            ("\u{202e}nbp.\u{2066}", "\\u202enbp.\\u2066"),
        ] {
            assert_eq!(lines(text), expected);
        }
        assert_eq!(part("a\nb"), "a\\u000ab");
        let json = serde_json::json!({ "Event": "\u{1b}\u{9b}\u{202e}\n" }).to_string();
        let read: serde_json::Value = serde_json::from_str(&lines(&json)).expect("JSON");
        assert_eq!(read["Event"], "\u{1b}\u{9b}\u{202e}\n");
    }

    #[test]
    fn bytes_are_shown_wherever_they_are_cut() {
        let bytes = b"[White \"\xc5\xa0ari\xc4\x87\"]\r\n\x1b[2J\ta\rb\xff\xe2\x82 \r".as_slice();
        let shown = "[White \"Šarić\"]\r\n\\u001b[2J\ta\\u000db\\xff\\xe2\\x82 \\u000d";
        for cut in 0..=bytes.len() {
            let mut output = Output { out: Vec::new(), shows: true, cut: Vec::new() };
            for part in [&bytes[..cut], &bytes[cut..]] {
                output.write_all(part).expect("memory");
            }
            output.flush().expect("memory");
            assert_eq!(String::from_utf8(output.out).expect("UTF-8"), shown, "{cut}");
        }
        let mut output = Output { out: Vec::new(), shows: false, cut: Vec::new() };
        output.write_all(bytes).expect("memory");
        assert_eq!(output.out, bytes);
    }
}
