//! How a PGN record is laid out in bytes. Layouts are guessed from a single record.

use super::body::Body;
use super::reviews::ReviewStyle;
use super::values::ValueStyle;
use crate::charset::{self, Charset};
use crate::format::Sketch;
use crate::layout::{self, NotationName, Rendering};
use crate::record::ItemKind;

/// The layout of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The character set.
    pub charset: Charset,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
    /// White space before the first tag.
    pub lead: String,
    /// White space between the last tag and the movetext.
    pub gap: String,
    /// How moves are spelt.
    pub spelling: Spelling,
    /// How null moves are spelt, one of [`NULLS`].
    pub null: &'static str,
    /// How move numbers are written.
    pub numbers: Numbers,
    /// The number of spaces before every number of a first player's move.
    pub number_indent: u16,
    /// The width in characters to which such a number is padded with spaces.
    pub number_width: u16,
    /// The number of spaces before the second player's moves, if those without a number have their
    /// own lines.
    pub second_line: Option<u16>,
    /// Where the lines of movetext end.
    pub lines: Lines,
    /// Whether they end with a space, but for the last.
    pub trailing_space: bool,
    /// When the second player's move gets a number.
    pub renumber: Renumber,
    /// Whether there is no space between the number of the second player's move and the move.
    pub dots_joined: bool,
    /// The white space around annotations.
    pub gaps: Gaps,
    /// Where the lines of comments end.
    pub comments: Comments,
    /// The style of clock readings and evaluations in comments, if there are any.
    pub values: Option<ValueStyle>,
    /// The style of reviews, if there are any.
    pub reviews: Option<ReviewStyle>,
    /// Whether a line may end where two words touch, such as after `(`.
    pub breaks_tight: bool,
    /// The result at the end of the movetext.
    pub result: ResultMark,
    /// The number of spaces before the result.
    pub result_gap: u16,
    /// The line of the result.
    pub result_line: ResultLine,
    /// White space after the movetext.
    pub end: String,
}

/// The spellings of a null move, the games' own first.
pub const NULLS: [&str; 5] = ["--", "Z0", "null", "pass", "@@@@"];

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
    /// In another of the game's notations, with this name: lower-case letters and dashes.
    Named(String),
}

impl Spelling {
    /// The spelling that turns `moves`, in customary notation, into `written`.
    pub fn of<'a>(moves: impl Iterator<Item = &'a str> + Clone, written: &[&str]) -> Option<Self> {
        [Self::Customary, Self::MateAsCheck, Self::Unmarked].into_iter().find(|spelling| {
            let mut written = written.iter();
            let spelt = moves.clone().all(|mv| {
                if mv == NULLS[0] {
                    return written.next().is_some();
                }
                let (bare, mark) = spelling.spell(mv);
                written.next().and_then(|written| written.strip_suffix(mark)) == Some(bare)
            });
            spelt && written.next().is_none()
        })
    }

    /// The spelling of a record's moves.
    pub(super) fn of_sketch(sketch: &Sketch<'_>) -> Self {
        match sketch.notation {
            NotationName::Coordinates => Self::Coordinates,
            NotationName::Named(name) => Self::Named(name.into()),
            NotationName::Customary => {
                let written = sketch.record.moves.get(..sketch.moves.len()).unwrap_or_default();
                Self::of(sketch.moves.iter().copied(), written).unwrap_or_default()
            }
        }
    }

    /// A move in this spelling: its text and a mark to put after it.
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

/// When the second player's move gets a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renumber {
    /// After a comment.
    pub comment: bool,
    /// After a variation.
    pub variation: bool,
    /// After a glyph or suffix.
    pub glyph: bool,
    /// Whenever the move itself has a glyph or suffix.
    pub before_glyph: bool,
    /// Whenever a comment follows the move.
    pub before_comment: bool,
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

/// The white space around annotations.
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

/// Where the lines of comments end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// Where their texts have newlines.
    #[default]
    Kept,
    /// At any of their spaces, as if their words were words of movetext.
    Filled,
    /// The same, but a comment that fits on a line of its own is not divided: ChessBase begins a
    /// new line after `{`.
    Whole,
}

/// Where the lines of movetext end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// All is one line.
    One,
    /// A word that would go beyond this many characters begins a new line.
    Within(u16),
    /// A move number that would come after this many characters or more begins a new line.
    After(u16),
}

/// The result at the end of the movetext.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultMark {
    /// The same as in the Result tag.
    #[default]
    Same,
    /// None.
    Absent,
    /// This one, whatever the tag says.
    Marker(&'static str),
}

/// The line of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultLine {
    /// Where it fits, like any word.
    #[default]
    Filled,
    /// After the last word, even beyond the line's width.
    Same,
    /// On a line of its own.
    Own,
    /// On a line of its own after an empty one.
    Apart,
}

impl Layout {
    /// The usual layout: one blank line after the tags, one after the moves, lines of at most 80
    /// characters.
    pub fn usual(crlf: bool) -> Self {
        let blank_line = if crlf { "\r\n\r\n" } else { "\n\n" };
        Self {
            charset: Charset::Utf8,
            crlf,
            lead: String::new(),
            gap: blank_line.into(),
            spelling: Spelling::Customary,
            null: NULLS[0],
            numbers: Numbers::Spaced,
            number_indent: 0,
            number_width: 0,
            second_line: None,
            lines: Lines::Within(80),
            trailing_space: false,
            renumber: Renumber {
                comment: true,
                variation: true,
                glyph: false,
                before_glyph: false,
                before_comment: false,
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
            comments: Comments::Kept,
            values: None,
            reviews: None,
            breaks_tight: false,
            result: ResultMark::Same,
            result_gap: 1,
            result_line: ResultLine::Filled,
            end: blank_line.into(),
        }
    }

    /// Writes a record as text.
    pub fn render_text(&self, record: &Rendering<'_>) -> String {
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
        let mut pieces = record.pieces.iter().peekable();
        while let Some((kind, text)) = pieces.next() {
            body.piece(*kind, text, pieces.peek().map(|piece| piece.0));
        }
        let result = match self.result {
            ResultMark::Same => record.tag("Result"),
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

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        match &self.spelling {
            Spelling::Coordinates => NotationName::Coordinates,
            Spelling::Named(name) => NotationName::Named(name),
            Spelling::Customary | Spelling::MateAsCheck | Spelling::Unmarked => {
                NotationName::Customary
            }
        }
    }

    fn values(&self) -> Option<ValueStyle> {
        self.values
    }

    fn reviews(&self) -> Option<&ReviewStyle> {
        self.reviews.as_ref()
    }

    fn fills_comments(&self) -> bool {
        self.comments != Comments::Kept
    }

    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        charset::encode(self.render_text(record), self.charset)
    }
}

impl Gaps {
    /// The number of the gap between two pieces, in the order of the fields; `None` if it is an
    /// ordinary space.
    pub(super) fn place(before: ItemKind, after: ItemKind) -> Option<usize> {
        match (before, after) {
            (ItemKind::Open, _) => Some(4),
            (_, ItemKind::Close) => Some(5),
            (_, ItemKind::Comment) => Some(0),
            (ItemKind::Comment, _) => Some(1),
            (_, ItemKind::Open) => Some(2),
            (ItemKind::Close, _) => Some(3),
            _ => None,
        }
    }

    pub(super) fn list(self) -> [Gap; 6] {
        let Self { before_comment, after_comment, before_variation, .. } = self;
        let Self { after_variation, after_open, before_close, .. } = self;
        [before_comment, after_comment, before_variation, after_variation, after_open, before_close]
    }

    pub(super) fn from_list(gaps: [Gap; 6]) -> Self {
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
    pub(super) fn between(self, before: ItemKind, after: ItemKind) -> Gap {
        Self::place(before, after).map_or(Gap::Space, |place| self.list()[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout as _;
    use crate::pgn::parse;

    /// Movetext from the first move on, without tags.
    fn plain<'a>(pieces: &'a [(ItemKind, &'a str)]) -> Rendering<'a> {
        Rendering { tags: &[], pieces, values: &[], number: 1, second: false }
    }

    /// The layout that gives back `bytes`, if there is one.
    fn layout_of(bytes: &[u8]) -> Option<String> {
        let (charset, text) = charset::decode(bytes, "");
        let record = parse(&text);
        let (tags, pieces) = (record.tag_list(), record.pieces());
        let rendering = Rendering { tags: &tags, ..plain(&pieces) };
        let sketch = Sketch {
            text: &text,
            charset,
            record: &record,
            moves: &record.moves,
            notation: NotationName::Customary,
            values: None,
            reviews: None,
            second: false,
        };
        let gives = |layout: &Layout| layout.render(&rendering).as_deref() == Some(bytes);
        let found = Layout::guess(&sketch).into_iter().find(gives)?;
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
            (
                b"1.e4 e5 2.Nf3 \nNc6 \n{the king's knight, as so often} \n3.Bb5 \n*\n\n",
                "pgn numbers=joined result=* result-line=own lines=within-13 trail=space \
                 gaps=nnss00 breaks=tight gap=",
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
            // Lines of 24 characters, which are more bytes.
            (
                "1. e4 {\n\u{e9}\u{e9} \u{e9}\u{e9} \u{e9}\u{e9} \u{e9}\u{e9} \u{e9}\u{e9} \
                 \u{e9}\u{e9}e} 1...\ne5 {\naa bb cc dd ee ff ggg}\n2. Nf3 {aa bb cc dd ee\n\
                 ff gg hh ii} *\n"
                    .as_bytes(),
                "pgn result=* lines=within-24 comments=whole breaks=tight gap= end=n",
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
            "1. e4 1... e5 {a} 2. d4 $6 exd4 3. c3 3... dxc3 {b} 4. Nxc3 *",
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
                let moves = moves.into_iter().chain(["b5", "Bb3", "d6", "c3", "O-O"]);
                let pieces: Vec<_> = moves.map(|mv| (ItemKind::Move, mv)).collect();
                let rendering = Rendering { tags: &[("Result", "*")], ..plain(&pieces) };
                let bytes = layout.render(&rendering).expect("ASCII");
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
        let pieces = moves.map(|mv| (ItemKind::Move, mv));
        assert_eq!(layout.render(&plain(&pieces)), Some(b"\n\n1. e4 Qxf7+ 2. O-O+\n\n".to_vec()));
    }

    #[test]
    fn black_may_begin() {
        let layout = Layout { numbers: Numbers::Joined, ..Layout::usual(false) };
        let pieces = ["e5", "Nf3"].map(|mv| (ItemKind::Move, mv));
        let rendering = Rendering { number: 9, second: true, ..plain(&pieces) };
        assert_eq!(layout.render(&rendering), Some(b"\n\n9...e5 10.Nf3\n\n".to_vec()));
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
