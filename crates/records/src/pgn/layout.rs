//! How a plain record is laid out in bytes, in one short text that many records share.
//!
//! A layout and what a record says give the record's bytes back. Layouts are guessed from one
//! record and then proved by writing the record out and comparing: nothing depends on the guess.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use super::body::Body;
use super::reviews::ReviewStyle;
use super::values::ValueStyle;
use super::{Kind, RESULTS, Record};
use crate::charset::{self, Charset};
use crate::layout_words;

/// The layout of a record without annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How characters become bytes.
    pub charset: Charset,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
    /// White space before the first tag.
    pub lead: String,
    /// White space between the last tag and the movetext.
    pub gap: String,
    /// How moves are spelt.
    pub spelling: Spelling,
    /// How move numbers are written.
    pub numbers: Numbers,
    /// Spaces before every number of a first player's move.
    pub number_indent: u16,
    /// To how many digits spaces before such a number fill it up.
    pub number_width: u16,
    /// Spaces before the second player's moves, if those without a number have lines of their own.
    pub second_line: Option<u16>,
    /// Where the lines of movetext end.
    pub lines: Lines,
    /// After what the second player's move gets a number.
    pub renumber: Renumber,
    /// Whether nothing stands between the number of the second player's move and the move.
    pub dots_joined: bool,
    /// What stands between annotations and what surrounds them.
    pub gaps: Gaps,
    /// Whether lines may end at any space of a comment, as if its words were words of movetext.
    pub comments_filled: bool,
    /// How clock readings and evaluations stand in comments, if they do.
    pub values: Option<ValueStyle>,
    /// How reviews are written, if there are any.
    pub reviews: Option<ReviewStyle>,
    /// Whether a line may end where nothing stands between two words, such as after `(`.
    pub breaks_tight: bool,
    /// The result at the end of the movetext.
    pub result: ResultMark,
    /// Spaces before the result.
    pub result_gap: u16,
    /// On which line the result stands.
    pub result_line: ResultLine,
    /// White space after the movetext.
    pub end: String,
}

/// The longest white space that a layout holds, in characters. What stands before every move makes
/// a record so much longer at most.
const SPACE_MAX: usize = 64;

/// How moves are spelt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// In the game's customary notation.
    #[default]
    Customary,
    /// The same, but `+` stands for `#`.
    MateAsCheck,
    /// The same, without `+` and `#`.
    Unmarked,
    /// In coordinate notation.
    Coordinates,
    /// In another notation of the game's, of this name: lower-case letters and dashes.
    Named(String),
}

impl Spelling {
    /// The spelling that turns `moves`, in customary notation, into `written`.
    #[must_use]
    pub fn of<'a>(moves: impl Iterator<Item = &'a str> + Clone, written: &[&str]) -> Option<Self> {
        [Self::Customary, Self::MateAsCheck, Self::Unmarked].into_iter().find(|spelling| {
            let mut written = written.iter();
            let spelt = moves.clone().all(|mv| {
                let (bare, mark) = spelling.spell(mv);
                written.next().and_then(|written| written.strip_suffix(mark)) == Some(bare)
            });
            spelt && written.next().is_none()
        })
    }

    /// A move in this spelling: its text and a mark to put behind it.
    pub(super) fn spell<'a>(&self, mv: &'a str) -> (&'a str, &'static str) {
        match self {
            Self::Customary | Self::Coordinates | Self::Named(_) => (mv, ""),
            Self::MateAsCheck => mv.strip_suffix('#').map_or((mv, ""), |bare| (bare, "+")),
            Self::Unmarked => (mv.trim_end_matches(['+', '#']), ""),
        }
    }
}

/// How move numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// `1. e4`, and a line may end after the number.
    #[default]
    Spaced,
    /// `1. e4`, on one line.
    Unbroken,
    /// `1.e4`
    Joined,
    /// No numbers.
    Absent,
}

/// After what the second player's move gets a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renumber {
    /// After a comment.
    pub comment: bool,
    /// After a variation.
    pub variation: bool,
    /// After a glyph or suffix.
    pub glyph: bool,
    /// Wherever the move has a glyph or suffix itself.
    pub before_glyph: bool,
}

/// White space between two pieces of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// None.
    Nothing,
    /// A space, or a newline where the line is full.
    Space,
    /// A newline.
    Line,
}

/// What stands between annotations and what surrounds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Before a comment.
    pub before_comment: Gap,
    /// After a comment.
    pub after_comment: Gap,
    /// Before the `(` of a variation.
    pub before_variation: Gap,
    /// After the `)` of a variation.
    pub after_variation: Gap,
    /// After `(`.
    pub after_open: Gap,
    /// Before `)`.
    pub before_close: Gap,
}

/// Where the lines of movetext end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// All is one line.
    One,
    /// A word that would go beyond this many characters begins a new line.
    Within(u16),
    /// A move number that would stand after this many characters or more begins a new line.
    After(u16),
}

/// The result at the end of the movetext.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultMark {
    /// That of the Result tag.
    #[default]
    Same,
    /// None.
    Absent,
    /// This one, whatever the tag says.
    Marker(&'static str),
}

/// On which line the result stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultLine {
    /// Where it fits, as any word.
    #[default]
    Filled,
    /// Behind the last word, even beyond the line's width.
    Same,
    /// On a line of its own.
    Own,
    /// On a line of its own after an empty one.
    Apart,
}

/// What a record says, for writing it out.
#[derive(Clone, Debug)]
pub struct Rendering<'a, P> {
    /// Tags in order.
    pub tags: &'a [(&'a str, &'a str)],
    /// The pieces of the movetext but for the result: their kinds and texts, as in
    /// [`Item`](super::Item).
    pub pieces: P,
    /// The number of the first move.
    pub number: u32,
    /// Whether the second player makes the first move.
    pub second: bool,
}

impl Layout {
    /// The usual layout with these newlines: one blank line after the tags, one after the moves,
    /// lines of at most 80 characters.
    #[must_use]
    pub fn usual(crlf: bool) -> Self {
        let blank_line = if crlf { "\r\n\r\n" } else { "\n\n" };
        Self {
            charset: Charset::Utf8,
            crlf,
            lead: String::new(),
            gap: blank_line.into(),
            spelling: Spelling::Customary,
            numbers: Numbers::Spaced,
            number_indent: 0,
            number_width: 0,
            second_line: None,
            lines: Lines::Within(80),
            renumber: Renumber {
                comment: true,
                variation: true,
                glyph: false,
                before_glyph: false,
            },
            dots_joined: false,
            gaps: Gaps {
                before_comment: Gap::Space,
                after_comment: Gap::Space,
                before_variation: Gap::Space,
                after_variation: Gap::Space,
                after_open: Gap::Nothing,
                before_close: Gap::Nothing,
            },
            comments_filled: false,
            values: None,
            reviews: None,
            breaks_tight: false,
            result: ResultMark::Same,
            result_gap: 1,
            result_line: ResultLine::Filled,
            end: blank_line.into(),
        }
    }

    /// The layouts that could be this record's, likeliest first.
    ///
    /// `text` is the record, `charset` what it was decoded from, `spelling` how its moves are
    /// spelt, and `second` whether the second player makes the first move.
    #[must_use]
    pub fn guess(
        text: &str,
        record: &Record<'_>,
        charset: Charset,
        spelling: Spelling,
        second: bool,
    ) -> Vec<Self> {
        let before = &text[..text.len() - record.movetext.len()];
        let tags = before.trim();
        let lead = &before[..before.len() - before.trim_start().len()];
        let body = record.movetext.trim_ascii_end();
        let end = &record.movetext[body.len()..];
        let gap = if tags.is_empty() { "" } else { &before[lead.len() + tags.len()..] };
        if [lead, gap, end].iter().any(|space| write_space(space).is_none()) {
            return Vec::new();
        }
        let crlf = memchr::memchr(b'\n', text.as_bytes())
            .is_some_and(|newline| text[..newline].ends_with('\r'));
        let result = RESULTS.into_iter().find(|&marker| record.result == Some(marker));
        let head = result.and_then(|marker| body.strip_suffix(marker));
        let (moves, result_gap) = match head {
            Some(head) => (head.trim_end(), head.len() - head.trim_end_matches(' ').len()),
            None => (body, 1),
        };
        let own_line = match head.map(|head| &head[moves.len()..]) {
            Some("\n" | "\r\n") => Some((moves, ResultLine::Own)),
            Some("\n\n" | "\r\n\r\n") => Some((moves, ResultLine::Apart)),
            _ => None,
        };
        let result_lines = [(body, ResultLine::Filled), (moves, ResultLine::Same)];
        let layout = Self {
            charset,
            lead: lead.into(),
            gap: gap.into(),
            spelling,
            result: match result {
                None => ResultMark::Absent,
                Some(marker) if record.tag("Result") == Some(marker) => ResultMark::Same,
                Some(marker) => ResultMark::Marker(marker),
            },
            result_gap: u16::try_from(result_gap).unwrap_or(1).max(1),
            end: end.into(),
            ..Self::usual(crlf)
        };
        // How the first move is written: with its number, if that stands before it.
        let first = record.items.iter().find(|item| item.kind == Kind::Move);
        let number = first.map(|item| &record.movetext[item.start..item.end - item.text.len()]);
        let styles: &[Numbers] = match number {
            None => &[Numbers::Spaced],
            Some("") => &[Numbers::Absent],
            Some(number) if number.ends_with('.') => &[Numbers::Joined],
            Some(_) => &[Numbers::Spaced, Numbers::Unbroken],
        };
        let annotated =
            record.items.iter().any(|item| !matches!(item.kind, Kind::Move | Kind::Result));
        let broken_comment =
            record.items.iter().any(|item| item.kind == Kind::Comment && item.text.contains('\n'));
        let layout = if annotated { layout.with_gaps(record, second) } else { layout };
        let mut layouts = Vec::new();
        for &numbers in styles {
            for (filled, result_line) in result_lines.into_iter().chain(own_line) {
                for lines in guess_lines(filled, numbers) {
                    let layout = Self { numbers, lines, result_line, ..layout.clone() };
                    if annotated && lines != Lines::One {
                        layouts.push(Self { breaks_tight: true, ..layout.clone() });
                    }
                    layouts.push(layout);
                }
            }
        }
        for (number_indent, number_width, second_line) in guess_columns(gap, record) {
            let gap = gap.trim_end_matches(' ').to_owned();
            for &numbers in styles {
                let result_lines = own_line.map(|own| own.1).into_iter();
                for result_line in result_lines.chain([ResultLine::Filled]) {
                    layouts.push(Self {
                        numbers,
                        number_indent,
                        number_width,
                        second_line,
                        lines: Lines::After(1),
                        result_line,
                        gap: gap.clone(),
                        ..layout.clone()
                    });
                }
            }
        }
        if broken_comment {
            let filled = layouts.clone().into_iter();
            layouts.splice(0..0, filled.map(|layout| Self { comments_filled: true, ..layout }));
        }
        layouts
    }

    /// The layout with the gaps and numbers that most annotations of a record show.
    fn with_gaps(mut self, record: &Record<'_>, second: bool) -> Self {
        let mut votes = [[0u32; 3]; 6];
        let mut numbered = [[0u32; 2]; 4];
        let mut dots = [0u32; 2];
        let mut turns = vec![second];
        let mut last: Option<&super::Item<'_>> = None;
        let mut items = record.items.iter().peekable();
        while let Some(item) = items.next() {
            let space = &record.movetext[last.map_or(0, |last| last.end)..item.start];
            if let Some(place) = last.and_then(|last| Gaps::place(last.kind, item.kind)) {
                let vote = match space {
                    "" => 0,
                    _ if space.contains('\n') => 2,
                    _ => 1,
                };
                votes[place][vote] += 1;
            }
            match item.kind {
                Kind::Move => {
                    let written = &record.movetext[item.start..item.end];
                    let has_number = written.len() > item.text.len();
                    let turn = turns.last_mut();
                    if turn.as_deref() == Some(&true) {
                        let place = match last.map(|last| last.kind) {
                            Some(Kind::Comment) => Some(0),
                            Some(Kind::Close) => Some(1),
                            Some(Kind::Glyph | Kind::Suffix) => Some(2),
                            _ => items.peek().filter(|next| next.kind.is_glyph()).map(|_| 3),
                        };
                        if let Some(place) = place {
                            numbered[place][usize::from(has_number)] += 1;
                        }
                        if has_number {
                            let joined = written[..written.len() - item.text.len()].ends_with('.');
                            dots[usize::from(joined)] += 1;
                        }
                    }
                    if let Some(turn) = turn {
                        *turn = !*turn;
                    }
                }
                Kind::Open => turns.push(!turns.last().copied().unwrap_or(false)),
                Kind::Close if turns.len() > 1 => {
                    turns.pop();
                }
                _ => {}
            }
            last = Some(item);
        }
        let gap = |place: usize, usual: Gap| match votes[place] {
            [0, 0, 0] => usual,
            // A newline may be a space at the end of a full line.
            [nothing, space, line] if line > space + nothing => Gap::Line,
            [nothing, space, _] if nothing > space => Gap::Nothing,
            _ => Gap::Space,
        };
        let usual = self.gaps;
        self.gaps = Gaps {
            before_comment: gap(0, usual.before_comment),
            after_comment: gap(1, usual.after_comment),
            before_variation: gap(2, usual.before_variation),
            after_variation: gap(3, usual.after_variation),
            after_open: gap(4, usual.after_open),
            before_close: gap(5, usual.before_close),
        };
        let renumber = |place: usize, usual: bool| match numbered[place] {
            [0, 0] => usual,
            [without, with] => with > without,
        };
        self.renumber = Renumber {
            comment: renumber(0, self.renumber.comment),
            variation: renumber(1, self.renumber.variation),
            glyph: renumber(2, self.renumber.glyph),
            before_glyph: renumber(3, self.renumber.before_glyph),
        };
        self.dots_joined = dots[1] > dots[0];
        self
    }

    /// Writes a record out. `None` if a character is not in the layout's charset.
    #[must_use]
    pub fn render<'a, P: Iterator<Item = (Kind, &'a str)>>(
        &self,
        record: Rendering<'_, P>,
    ) -> Option<Vec<u8>> {
        charset::encode(self.render_text(record), self.charset)
    }

    /// Writes a record out as text.
    #[must_use]
    pub fn render_text<'a, P: Iterator<Item = (Kind, &'a str)>>(
        &self,
        record: Rendering<'_, P>,
    ) -> String {
        let newline = if self.crlf { "\r\n" } else { "\n" };
        let mut out = String::with_capacity(1024);
        out.push_str(&self.lead);
        for (index, (name, value)) in record.tags.iter().enumerate() {
            if index > 0 {
                out.push_str(newline);
            }
            out.push('[');
            out.push_str(name);
            out.push_str(" \"");
            for symbol in value.chars() {
                if matches!(symbol, '"' | '\\') {
                    out.push('\\');
                }
                out.push(symbol);
            }
            out.push_str("\"]");
        }
        out.push_str(&self.gap);
        let turn = (record.number, record.second);
        let mut body = Body::new(self, out, newline, turn);
        let mut pieces = record.pieces.peekable();
        while let Some((kind, text)) = pieces.next() {
            body.piece(kind, text, pieces.peek().map(|piece| piece.0));
        }
        let tagged = || record.tags.iter().find(|tag| tag.0 == "Result").map(|tag| tag.1);
        let result = match self.result {
            ResultMark::Same => tagged(),
            ResultMark::Absent => None,
            ResultMark::Marker(marker) => Some(marker),
        };
        if let Some(result) = result {
            body.result(result);
        }
        let mut out = body.out;
        out.push_str(&self.end);
        out
    }
}

impl Gaps {
    /// The number of the gap between two pieces, in the order of the fields; `None` if it is an
    /// ordinary space.
    fn place(before: Kind, after: Kind) -> Option<usize> {
        match (before, after) {
            (Kind::Open, _) => Some(4),
            (_, Kind::Close) => Some(5),
            (_, Kind::Comment) => Some(0),
            (Kind::Comment, _) => Some(1),
            (_, Kind::Open) => Some(2),
            (Kind::Close, _) => Some(3),
            _ => None,
        }
    }

    fn list(self) -> [Gap; 6] {
        let Self { before_comment, after_comment, before_variation, .. } = self;
        let Self { after_variation, after_open, before_close, .. } = self;
        [before_comment, after_comment, before_variation, after_variation, after_open, before_close]
    }

    fn from_list(gaps: [Gap; 6]) -> Self {
        let [before_comment, after_comment, before_variation, ..] = gaps;
        let [.., after_variation, after_open, before_close] = gaps;
        Self {
            before_comment,
            after_comment,
            before_variation,
            after_variation,
            after_open,
            before_close,
        }
    }

    /// The gap between two pieces.
    pub(super) fn between(self, before: Kind, after: Kind) -> Gap {
        Self::place(before, after).map_or(Gap::Space, |place| self.list()[place])
    }
}

/// White space in letters: n for a newline, r for a carriage return, s for a space, t for a tab.
/// `None` if it is too long or holds anything else.
pub(crate) fn write_space(space: &str) -> Option<String> {
    if space.len() > SPACE_MAX {
        return None;
    }
    let letter = |symbol| match symbol {
        '\n' => Some('n'),
        '\r' => Some('r'),
        ' ' => Some('s'),
        '\t' => Some('t'),
        _ => None,
    };
    space.chars().map(letter).collect()
}

/// The reverse of [`write_space`].
pub(crate) fn read_space(letters: &str) -> Option<String> {
    if letters.len() > SPACE_MAX {
        return None;
    }
    let symbol = |letter| match letter {
        'n' => Some('\n'),
        'r' => Some('\r'),
        's' => Some(' '),
        't' => Some('\t'),
        _ => None,
    };
    letters.chars().map(symbol).collect()
}

/// The rules that the lines of a movetext may follow, as far as they show it.
fn guess_lines(body: &str, numbers: Numbers) -> Vec<Lines> {
    /// Widths that writers of PGN use, the commonest first.
    const USUAL_WITHIN: [usize; 6] = [80, 79, 78, 75, 100, 255];
    const USUAL_AFTER: [usize; 2] = [72, 1];
    let lines: Vec<&str> = body.lines().collect();
    let [full @ .., last] = lines.as_slice() else { return vec![Lines::Within(80)] };
    if full.is_empty() {
        return vec![Lines::One];
    }
    let number = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    // The longest line fits, and no line has room for the word that begins the next.
    let longest = full.iter().map(|line| line.len()).max().unwrap_or(0);
    let overfull = lines
        .windows(2)
        .map(|pair| pair[0].len() + 1 + first_word(pair[1], numbers == Numbers::Unbroken));
    let overfull = overfull.min().unwrap_or(0);
    let at_least = longest.max(last.len());
    let usual = USUAL_WITHIN.into_iter().find(|&width| (at_least..overfull).contains(&width));
    let mut rules = match usual {
        Some(width) => vec![Lines::Within(number(width))],
        // No width explains all lines: perhaps one explains most.
        None => [at_least, 80, 79].into_iter().map(|w| Lines::Within(number(w))).collect(),
    };
    // Every line but the last is long enough, and none was so before its last number.
    let numbered = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    if lines.iter().all(numbered) {
        let shortest = full.iter().map(|line| line.len()).min().unwrap_or(0);
        let before_last = |line: &&str| {
            let words = line.rmatch_indices(' ');
            words.map(|(at, _)| at).find(|at| numbered(&&line[at + 1..])).unwrap_or(0)
        };
        let too_short = lines.iter().map(before_last).max().unwrap_or(0);
        let usual =
            USUAL_AFTER.into_iter().find(|after| (too_short + 1..=shortest).contains(after));
        rules.push(Lines::After(number(usual.unwrap_or(shortest))));
    }
    rules
}

/// How numbers and second players' moves may stand in columns, if the first of each do: the indent
/// and the width of numbers, and the spaces before second players' moves. `gap` is the white space
/// before the first number.
fn guess_columns(gap: &str, record: &Record<'_>) -> Vec<(u16, u16, Option<u16>)> {
    let count =
        |text: &str| u16::try_from(text.len()).ok().filter(|&n| usize::from(n) <= SPACE_MAX);
    let spaces = &gap[gap.trim_end_matches(' ').len()..];
    let mut moves = record.items.iter();
    let second_line = match (moves.next(), moves.next()) {
        (Some(first), Some(second)) if second.kind == Kind::Move => {
            let between = &record.movetext[first.end..second.end - second.text.len()];
            let indent = between.strip_prefix("\r\n").or_else(|| between.strip_prefix('\n'));
            indent.filter(|indent| indent.trim_start_matches(' ').is_empty()).and_then(count)
        }
        _ => None,
    };
    let digits = record.movetext.bytes().take_while(u8::is_ascii_digit).count();
    let Some(indent) = count(spaces).filter(|_| digits > 0) else { return Vec::new() };
    let filled = u16::try_from(digits).ok().and_then(|digits| indent.checked_add(digits));
    match (indent, second_line) {
        (0, None) => Vec::new(),
        (0, Some(_)) => vec![(0, 0, second_line)],
        _ => vec![(0, filled.unwrap_or(0), second_line), (indent, 0, second_line)],
    }
}

/// The length of a line's first word; with its move, if a number and its move are `unbroken`.
fn first_word(line: &str, unbroken: bool) -> usize {
    let mut words = line.split(' ').map(str::len);
    let first = words.next().unwrap_or(0);
    let number = unbroken && line[..first].ends_with('.');
    if number { first + 1 + words.next().unwrap_or(0) } else { first }
}

impl Display for Layout {
    /// `pgn`, then `key=value` for everything that differs from the usual layout.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::usual(self.crlf);
        f.write_str("pgn")?;
        if self.crlf {
            f.write_str(" newline=crlf")?;
        }
        if self.charset != usual.charset {
            write!(f, " charset={}", self.charset.name())?;
        }
        match &self.spelling {
            Spelling::Customary => {}
            Spelling::MateAsCheck => f.write_str(" moves=mate-as-check")?,
            Spelling::Unmarked => f.write_str(" moves=unmarked")?,
            Spelling::Coordinates => f.write_str(" moves=coordinates")?,
            Spelling::Named(name) => write!(f, " moves={name}")?,
        }
        match self.numbers {
            Numbers::Spaced => {}
            Numbers::Unbroken => f.write_str(" numbers=unbroken")?,
            Numbers::Joined => f.write_str(" numbers=joined")?,
            Numbers::Absent => f.write_str(" numbers=absent")?,
        }
        for (key, spaces) in [("indent", self.number_indent), ("number-width", self.number_width)] {
            if spaces > 0 {
                write!(f, " {key}={spaces}")?;
            }
        }
        if let Some(spaces) = self.second_line {
            write!(f, " second-line={spaces}")?;
        }
        match self.result {
            ResultMark::Same => {}
            ResultMark::Absent => f.write_str(" result=absent")?,
            ResultMark::Marker(marker) => write!(f, " result={marker}")?,
        }
        match self.result_line {
            ResultLine::Filled => {}
            ResultLine::Same => f.write_str(" result-line=same")?,
            ResultLine::Own => f.write_str(" result-line=own")?,
            ResultLine::Apart => f.write_str(" result-line=apart")?,
        }
        if self.result_gap != usual.result_gap {
            write!(f, " result-gap={}", self.result_gap)?;
        }
        match self.lines {
            lines if lines == usual.lines => {}
            Lines::One => f.write_str(" lines=one")?,
            Lines::Within(width) => write!(f, " lines=within-{width}")?,
            Lines::After(length) => write!(f, " lines=after-{length}")?,
        }
        let Renumber { comment, variation, glyph, before_glyph } = self.renumber;
        if self.renumber != usual.renumber {
            f.write_str(" renumber=")?;
            let letters = [(comment, 'c'), (variation, 'v'), (glyph, 'g'), (before_glyph, 'b')];
            for (wanted, letter) in letters {
                if wanted {
                    f.write_char(letter)?;
                }
            }
        }
        if self.dots_joined {
            f.write_str(" dots=joined")?;
        }
        if self.gaps != usual.gaps {
            f.write_str(" gaps=")?;
            for gap in self.gaps.list() {
                f.write_char(match gap {
                    Gap::Nothing => '0',
                    Gap::Space => 's',
                    Gap::Line => 'n',
                })?;
            }
        }
        if self.comments_filled {
            f.write_str(" comments=filled")?;
        }
        if let Some(values) = self.values {
            write!(f, " values={values}")?;
        }
        if let Some(reviews) = &self.reviews {
            write!(f, " reviews={reviews}")?;
        }
        if self.breaks_tight {
            f.write_str(" breaks=tight")?;
        }
        for (key, space, usual) in [
            ("lead", &self.lead, usual.lead),
            ("gap", &self.gap, usual.gap),
            ("end", &self.end, usual.end),
        ] {
            if *space != usual {
                write!(f, " {key}={}", write_space(space).unwrap_or_default())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Layout {
    type Err = String;

    /// # Errors
    /// The word that is not known, in a sentence: a newer version may have written it.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(' ').peekable();
        if words.next() != Some("pgn") {
            return Err(format!("`{text}` is not a PGN layout"));
        }
        let mut layout = Self::usual(words.next_if_eq(&"newline=crlf").is_some());
        for word in words {
            let unknown = || layout_words::unknown(word);
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            let number = || value.parse::<u16>().map_err(|_| unknown());
            let space = || read_space(value).ok_or_else(unknown);
            let spaces = || {
                number().and_then(|n| match usize::from(n) {
                    0..=SPACE_MAX => Ok(n),
                    _ => Err(unknown()),
                })
            };
            match (key, value) {
                ("charset", name) => {
                    layout.charset = Charset::of_name(name).ok_or_else(unknown)?;
                }
                ("moves", "mate-as-check") => layout.spelling = Spelling::MateAsCheck,
                ("moves", "unmarked") => layout.spelling = Spelling::Unmarked,
                ("moves", "coordinates") => layout.spelling = Spelling::Coordinates,
                ("moves", name) => {
                    let is_name = |sign: u8| sign.is_ascii_lowercase() || sign == b'-';
                    if !name.bytes().all(is_name) {
                        return Err(unknown());
                    }
                    layout.spelling = Spelling::Named(name.into());
                }
                ("numbers", "unbroken") => layout.numbers = Numbers::Unbroken,
                ("numbers", "joined") => layout.numbers = Numbers::Joined,
                ("numbers", "absent") => layout.numbers = Numbers::Absent,
                ("indent", _) => layout.number_indent = spaces()?,
                ("number-width", _) => layout.number_width = spaces()?,
                ("second-line", _) => layout.second_line = Some(spaces()?),
                ("result", "absent") => layout.result = ResultMark::Absent,
                ("result", marker) => {
                    let known = RESULTS.into_iter().find(|&known| known == marker);
                    layout.result = ResultMark::Marker(known.ok_or_else(unknown)?);
                }
                ("result-line", "same") => layout.result_line = ResultLine::Same,
                ("result-line", "own") => layout.result_line = ResultLine::Own,
                ("result-line", "apart") => layout.result_line = ResultLine::Apart,
                ("result-gap", _) => layout.result_gap = number()?,
                ("lines", "one") => layout.lines = Lines::One,
                ("lines", _) => {
                    let (rule, length) = value.split_once('-').ok_or_else(unknown)?;
                    let length = length.parse().map_err(|_| unknown())?;
                    layout.lines = match rule {
                        "within" => Lines::Within(length),
                        "after" => Lines::After(length),
                        _ => return Err(unknown()),
                    };
                }
                ("renumber", letters) => {
                    let [comment, variation, glyph, before_glyph] =
                        ['c', 'v', 'g', 'b'].map(|letter| letters.contains(letter));
                    if !letters.bytes().all(|letter| b"cvgb".contains(&letter)) {
                        return Err(unknown());
                    }
                    layout.renumber = Renumber { comment, variation, glyph, before_glyph };
                }
                ("dots", "joined") => layout.dots_joined = true,
                ("gaps", letters) => {
                    let gap = |letter| match letter {
                        b'0' => Some(Gap::Nothing),
                        b's' => Some(Gap::Space),
                        b'n' => Some(Gap::Line),
                        _ => None,
                    };
                    let gaps: Option<Vec<Gap>> = letters.bytes().map(gap).collect();
                    let gaps = gaps.and_then(|gaps| <[Gap; 6]>::try_from(gaps).ok());
                    layout.gaps = Gaps::from_list(gaps.ok_or_else(unknown)?);
                }
                ("comments", "filled") => layout.comments_filled = true,
                ("values", style) => layout.values = Some(style.parse().map_err(|()| unknown())?),
                ("reviews", style) => layout.reviews = Some(style.parse().map_err(|()| unknown())?),
                ("breaks", "tight") => layout.breaks_tight = true,
                ("lead", _) => layout.lead = space()?,
                ("gap", _) => layout.gap = space()?,
                ("end", _) => layout.end = space()?,
                _ => return Err(unknown()),
            }
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse;

    /// The layout that gives `bytes` back, if there is one.
    fn layout_of(bytes: &[u8]) -> Option<String> {
        let (charset, text) = charset::decode(bytes, "");
        let record = parse(&text);
        let tags: Vec<(&str, &str)> = record.tags.iter().map(|t| (t.0, t.1.as_ref())).collect();
        let guesses = Layout::guess(&text, &record, charset, Spelling::Customary, false);
        let found = guesses.into_iter().find(|layout| {
            let pieces = record.items.iter().filter(|item| item.kind != Kind::Result);
            let pieces = pieces.map(|item| (item.kind, item.text));
            let rendering = Rendering { tags: &tags, pieces, number: 1, second: false };
            layout.render(rendering).as_deref() == Some(bytes)
        })?;
        let text = found.to_string();
        assert_eq!(text.parse(), Ok(found));
        Some(text)
    }

    #[test]
    fn layouts_of_the_wild() {
        for (bytes, expected) in [
            (&b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"[..], "pgn lines=one"),
            (
                b"[Result \"1-0\"]\r\n\r\n1.e4 e5 1-0\n\n",
                "pgn newline=crlf numbers=joined lines=one end=nn",
            ),
            (
                b"[White \"M\xf3ra\"]\n1. e4  * \n",
                "pgn charset=latin-1 result=* result-gap=2 lines=one gap=n end=sn",
            ),
            (b"e4 e5", "pgn numbers=absent result=absent lines=one gap= end="),
            (b"\n[A \"\\\\ \\\"\"]\n\n*", "pgn result=* lines=one lead=n end="),
            (b"", "pgn result=absent gap= end="),
            (
                b"1. e4\ne5 2.\nNf3 1/2-1/2\n\n",
                "pgn result=1/2-1/2 result-line=same lines=within-5 gap=",
            ),
            (
                b"1.e4 e5\n2.Nf3 1/2-1/2",
                "pgn numbers=joined result=1/2-1/2 lines=after-7 gap= end=",
            ),
            (
                b"1. e4 e5\n2. Qxf7+ Kxf7\n3. d4\n0-1\n\n",
                "pgn result=0-1 result-line=own lines=after-1 gap=",
            ),
            (
                b"1. e4 e5\r\n2. Qxf7+ Kxf7\r\n3. d4\r\n\r\n*\r\n",
                "pgn newline=crlf result=* result-line=apart lines=after-1 gap= end=rn",
            ),
            (
                b"[A \"\"]\n  1. e4 e5\n  2. d4 d5 *\n",
                "pgn number-width=3 result=* lines=after-1 gap=n end=n",
            ),
            (
                b"[A \"\"]\n 1. e4\n    e5\n 2. d4\n    d5\n*\n",
                "pgn number-width=2 second-line=4 result=* result-line=own lines=after-1 gap=n \
                 end=n",
            ),
            (
                b"1.e4\r\ne5\r\n2.Qxf7+\r\nKxf7 *\r\n",
                "pgn newline=crlf numbers=joined second-line=0 result=* lines=after-1 gap= end=rn",
            ),
        ] {
            assert_eq!(layout_of(bytes).as_deref(), Some(expected));
        }
        for text in [
            "1. e4 { a } 1... e5 {b} 2. Nf3 *\n",
            "1. e4 {a} e5 $1 {b} (1... c5 2. d4 (2. d3) 2... d6) 2. Nf3 *\n",
            "1.e4!? {a} 1...e5 (1...c5) 2.d4 d5!\n",
            "1. e4 ( 1. d4 ) e5\n{a}\n2. d4\n{b}\n*",
            "1. e4 1... e5 $1 2. d4 $6 2... exd4 3. c3 dxc3 4. Nxc3 *",
            "1. e4 {aa aa aa\nbb bb bb} e5\n(1... d5 2. d4)\n2. d4 *",
        ] {
            assert!(layout_of(text.as_bytes()).is_some(), "{text}");
        }
        assert_eq!(layout_of(b"[A  \"two spaces\"]\n\n*\n"), None);
        assert_eq!(layout_of(b"1. e4 \n e5 *\n"), None);
    }

    #[test]
    fn filled_lines() {
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1"];
        for numbers in [Numbers::Spaced, Numbers::Unbroken, Numbers::Joined, Numbers::Absent] {
            for lines in (8..60).flat_map(|n| [Lines::Within(n), Lines::After(n)]) {
                let layout = Layout { numbers, lines, ..Layout::usual(false) };
                let rendering = Rendering {
                    tags: &[("Result", "*")],
                    pieces: moves
                        .into_iter()
                        .chain(["b5", "Bb3", "d6", "c3", "O-O"])
                        .map(|mv| (Kind::Move, mv)),
                    number: 1,
                    second: false,
                };
                let bytes = layout.render(rendering).expect("ASCII");
                let text = String::from_utf8(bytes.clone()).expect("ASCII");
                if let Lines::Within(width) = lines {
                    assert!(text.lines().skip(2).all(|line| line.len() <= width.into()), "{text}");
                }
                assert!(layout_of(&bytes).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn marks_may_be_missing() {
        let moves = ["e4", "Qxf7+", "O-O#"];
        for (written, spelling) in [
            (["e4", "Qxf7+", "O-O#"], Some(Spelling::Customary)),
            (["e4", "Qxf7+", "O-O+"], Some(Spelling::MateAsCheck)),
            (["e4", "Qxf7", "O-O"], Some(Spelling::Unmarked)),
            (["e4", "Qxf7", "O-O#"], None),
        ] {
            assert_eq!(Spelling::of(moves.into_iter(), &written), spelling);
        }
        let layout = Layout { spelling: Spelling::MateAsCheck, ..Layout::usual(false) };
        let pieces = moves.into_iter().map(|mv| (Kind::Move, mv));
        let rendering = Rendering { tags: &[], pieces, number: 1, second: false };
        assert_eq!(layout.render(rendering), Some(b"\n\n1. e4 Qxf7+ 2. O-O+\n\n".to_vec()));
    }

    #[test]
    fn black_may_begin() {
        let layout = Layout { numbers: Numbers::Joined, ..Layout::usual(false) };
        let pieces = ["e5", "Nf3"].into_iter().map(|mv| (Kind::Move, mv));
        let rendering = Rendering { tags: &[], pieces, number: 9, second: true };
        assert_eq!(layout.render(rendering), Some(b"\n\n9...e5 10.Nf3\n\n".to_vec()));
    }

    #[test]
    fn unknown_words_are_refused() {
        for text in [
            "",
            "sgf",
            "pgn lines",
            "pgn indent=65",
            "pgn second-line=a",
            "pgn lines=over-9",
            "pgn end=x",
            "pgn new=1",
            "pgn result=2-0",
        ] {
            assert!(text.parse::<Layout>().is_err(), "{text}");
        }
    }
}
