//! Transcripts: one game a line, its moves with little or nothing between them, as players of
//! othello (`f5d6c3d3c4`) and gomoku (`h8i9j10`, `h8 i9 j10`) write them.
//!
//! Nothing here fails: every line is what stands before its moves, the moves and what stands
//! behind them. Which moves are legal is not known here.

use std::fmt::{self, Display};
use std::str::FromStr;

/// A line. Texts borrow from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript<'a> {
    /// What stands before the moves.
    pub lead: &'a str,
    /// The moves as they are written: a letter and a number.
    pub moves: Vec<&'a str>,
    /// The passes that are written out.
    pub passes: Vec<Pass<'a>>,
    /// What stands behind the moves, the newline included; the whole line if there are none.
    pub tail: &'a str,
    /// What stands between moves.
    pub gap: Gap,
}

/// A pass that is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass<'a> {
    /// How many moves stand before it.
    pub place: u32,
    /// How it is written: `--`, `pass`, `pa` or `ps`, in letters of either case.
    pub text: &'a str,
}

/// What stands between moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gap {
    /// Nothing.
    #[default]
    Nothing,
    /// A space.
    Space,
    /// A comma.
    Comma,
}

impl Gap {
    fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Space => " ",
            Self::Comma => ",",
        }
    }
}

/// How the moves of a line are written, in one short text that many lines share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Whether their letters are capitals.
    pub capital: bool,
    /// What stands between them.
    pub gap: Gap,
}

/// What parts a line.
const SEPARATORS: [char; 6] = [' ', ',', ';', '\t', '\r', '\n'];

/// The spellings of a pass, in small letters. Of two of which one begins the other the longer
/// comes first.
const PASSES: [&str; 4] = ["--", "pass", "pa", "ps"];

/// The highest number of a row.
const ROW_MAX: u32 = 26;

/// Reads one line.
///
/// The moves are the longest part of the line that consists of moves and passes alone: either one
/// word, or words of one move each with a single space or a single comma between any two.
#[must_use]
pub fn parse(line: &str) -> Transcript<'_> {
    let mut best = Part::default();
    let mut this = Part::default();
    let mut start = 0;
    for word in line.split_inclusive(SEPARATORS) {
        let bare = word.trim_end_matches(SEPARATORS);
        let moves = count_moves(bare).unwrap_or(0);
        let gap = gap_before(line, start).filter(|_| moves == 1 && this.may_grow(start));
        this = match gap {
            // Another gap than before: the list begins with the word before this one.
            Some(gap) if this.words > 1 && this.gap != gap => {
                Part { start: this.last, moves: 2, words: 2, gap, ..this }
            }
            Some(gap) => Part { moves: this.moves + 1, words: this.words + 1, gap, ..this },
            None => Part { start, moves, words: 1, ..Part::default() },
        };
        (this.last, this.end) = (start, start + bare.len());
        if this.moves > best.moves {
            best = this;
        }
        start += word.len();
    }
    let mut transcript = Transcript { tail: line, ..Transcript::default() };
    if best.moves > 0 {
        transcript.lead = &line[..best.start];
        transcript.tail = &line[best.end..];
        transcript.gap = best.gap;
        for word in line[best.start..best.end].split(SEPARATORS) {
            transcript.take(word);
        }
    }
    transcript
}

/// A part of a line that is a list of moves.
#[derive(Clone, Copy, Default)]
struct Part {
    start: usize,
    end: usize,
    /// Where its last word begins.
    last: usize,
    /// Moves and passes.
    moves: usize,
    words: usize,
    gap: Gap,
}

impl Part {
    /// Whether a word of one move that begins at `start` may continue the list.
    fn may_grow(&self, start: usize) -> bool {
        self.moves > 0 && self.moves == self.words && self.end + 1 == start
    }
}

/// The gap that ends where a word begins.
fn gap_before(line: &str, start: usize) -> Option<Gap> {
    match line.as_bytes().get(start.checked_sub(1)?)? {
        b' ' => Some(Gap::Space),
        b',' => Some(Gap::Comma),
        _ => None,
    }
}

/// The move or the pass at the front of a text: whether it is a pass, and its length.
fn front(text: &str) -> Option<(bool, usize)> {
    let pass = |spelling: &&&str| {
        text.get(..spelling.len()).is_some_and(|front| front.eq_ignore_ascii_case(spelling))
    };
    if let Some(spelling) = PASSES.iter().find(pass) {
        return Some((true, spelling.len()));
    }
    let number = text.strip_prefix(|symbol: char| symbol.is_ascii_alphabetic())?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let row = number.get(..digits).filter(|digits| !digits.starts_with('0'))?;
    let row: u32 = row.parse().ok()?;
    (row <= ROW_MAX).then_some((false, 1 + digits))
}

/// How many moves and passes a word consists of. `None` if of something else too.
fn count_moves(mut word: &str) -> Option<usize> {
    let mut count = 0;
    while !word.is_empty() {
        word = word.get(front(word)?.1..)?;
        count += 1;
    }
    Some(count)
}

impl<'a> Transcript<'a> {
    /// Files the moves and passes of a word.
    fn take(&mut self, mut word: &'a str) {
        while let Some((is_pass, length)) = front(word) {
            let (text, rest) = word.split_at(length);
            word = rest;
            if is_pass {
                let place = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
                self.passes.push(Pass { place, text });
            } else {
                self.moves.push(text);
            }
        }
    }

    /// How the moves seem to be written.
    #[must_use]
    pub fn layout(&self) -> Layout {
        let capital = |text: &&str| text.starts_with(|symbol: char| symbol.is_ascii_uppercase());
        Layout { capital: self.moves.first().is_some_and(capital), gap: self.gap }
    }
}

impl Layout {
    /// Writes a line out, the moves being given in small letters. What was read comes back, unless
    /// its letters are of both cases.
    #[must_use]
    pub fn render<'a>(
        self,
        lead: &str,
        moves: impl Iterator<Item = &'a str>,
        passes: &[Pass<'_>],
        tail: &str,
    ) -> String {
        let mut line = String::from(lead);
        let mut put = |text: &str, capital: bool| {
            if line.len() > lead.len() {
                line.push_str(self.gap.text());
            }
            let begin = line.len();
            line.push_str(text);
            if let (true, Some(text)) = (capital, line.get_mut(begin..)) {
                text.make_ascii_uppercase();
            }
        };
        let mut passes = passes.iter().peekable();
        for (mv, place) in moves.zip(0..) {
            while let Some(pass) = passes.next_if(|pass| pass.place <= place) {
                put(pass.text, false);
            }
            put(mv, self.capital);
        }
        for pass in passes {
            put(pass.text, false);
        }
        line.push_str(tail);
        line
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("transcript")?;
        if self.capital {
            f.write_str(" letters=capital")?;
        }
        match self.gap {
            Gap::Nothing => Ok(()),
            Gap::Space => f.write_str(" gap=space"),
            Gap::Comma => f.write_str(" gap=comma"),
        }
    }
}

impl FromStr for Layout {
    type Err = String;

    /// Reads what [`Display`] writes.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(' ');
        if words.next() != Some("transcript") {
            return Err(format!("`{text}` is no layout of a transcript"));
        }
        let mut layout = Self::default();
        for word in words {
            match word {
                "letters=capital" => layout.capital = true,
                "gap=space" => layout.gap = Gap::Space,
                "gap=comma" => layout.gap = Gap::Comma,
                _ => return Err(format!("`{word}` is nothing that a transcript's layout says")),
            }
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes what a line says out again.
    fn rewritten(line: &str) -> String {
        let read = parse(line);
        let layout: Layout = read.layout().to_string().parse().expect("a layout");
        let moves: Vec<String> = read.moves.iter().map(|mv| mv.to_ascii_lowercase()).collect();
        layout.render(read.lead, moves.iter().map(String::as_str), &read.passes, read.tail)
    }

    #[test]
    fn lines_come_back() {
        for (line, lead, moves, tail) in [
            ("f5d6c3\n", "", "f5 d6 c3", "\n"),
            ("F5D6C3\r\n", "", "F5 D6 C3", "\r\n"),
            ("f5d6c3 1", "", "f5 d6 c3", " 1"),
            ("h8 i9 j10", "", "h8 i9 j10", ""),
            ("h8,i9,j10,", "", "h8 i9 j10", ","),
            ("WTH_2015.wtb#0\tf5f6\t50\t1,2", "WTH_2015.wtb#0\t", "f5 f6", "\t50\t1,2"),
            (
                "15\tstandard\th8i9j10\tB\tseed2002\n",
                "15\tstandard\t",
                "h8 i9 j10",
                "\tB\tseed2002\n",
            ),
            ("a1 b1 c1d1e1f1 g1", "a1 b1 ", "c1 d1 e1 f1", " g1"),
            ("a1 b1,c1,d1", "a1 ", "b1 c1 d1", ""),
            ("a1  b1 c1", "a1  ", "b1 c1", ""),
            ("i27 t26", "i27 ", "t26", ""),
            ("", "", "", ""),
            ("no moves\n", "", "", "no moves\n"),
            ("a0 a01 é1\n", "", "", "a0 a01 é1\n"),
        ] {
            let read = parse(line);
            let expected: Vec<&str> = moves.split_terminator(' ').collect();
            assert_eq!((read.lead, read.moves, read.tail), (lead, expected, tail), "{line:?}");
            assert_eq!(rewritten(line), line);
        }
    }

    #[test]
    fn passes_are_kept_apart() {
        for (line, places) in [
            ("f5d6--c3PAps\n", [2, 3, 3]),
            ("-- f5 pass d6 Pa\n", [0, 1, 2]),
            ("PASS,F5,--,D6,ps", [0, 1, 2]),
        ] {
            let read = parse(line);
            assert_eq!(read.passes.iter().map(|pass| pass.place).collect::<Vec<_>>(), places);
            assert_eq!(rewritten(line), line);
        }
    }

    #[test]
    fn any_text_is_a_line() {
        for line in ["\0", "--", "- -", "a", "a1b", ",a1,", "a1;b2", "a1 ,b2", "p1pa", "ａ１"] {
            assert_eq!(rewritten(line), line);
        }
        // Letters of both cases are not described.
        assert_eq!(rewritten("f5D6"), "f5d6");
        assert!("transcript gap=none".parse::<Layout>().is_err());
        assert!("pgn".parse::<Layout>().is_err());
    }
}
