//! The annotations of a game: texts, symbols, drawings, clocks, each at the number of a move in the
//! order in which the moves are stored.

use std::fmt::Write as _;

use super::blocks::Bytes;
use super::moves::Tree;
use super::page::Page;
use crate::store::input::database::game::comment_text;
use crate::store::input::database::losses::BRACES;

/// The length of the head of a game's annotations: the game, a mark, their number and the length.
pub(super) const HEAD_BYTES: usize = 14;

/// The most bytes of a game's annotations.
pub(super) const BYTES_MAX: u32 = 16 << 20;

/// The mark in the head.
const MARK: u32 = 0x0100_0e0e;

/// The length of the head of an annotation: the place, the kind and the length.
const OWN_HEAD_BYTES: usize = 6;

/// The place that stands for the whole game.
const GAME: u32 = 0x00ff_ffff;

/// The kinds that PGN has a place for.
mod kind {
    pub const TEXT: u32 = 0x02;
    pub const TEXT_BEFORE: u32 = 0x82;
    pub const SYMBOLS: u32 = 0x03;
    pub const SQUARES: u32 = 0x04;
    pub const ARROWS: u32 = 0x05;
    pub const TIME: u32 = 0x07;
    pub const WHITE_CLOCK: u32 = 0x16;
    pub const BLACK_CLOCK: u32 = 0x17;
    pub const EVALUATION: u32 = 0x21;
    pub const MEDALS: u32 = 0x22;
    pub const TIME_CONTROL: u32 = 0x24;
    pub const PROFILE: u32 = 0x26;
}

/// The kinds that PGN has no place for.
const LOST: [(u32, &str); 13] = [
    (0x09, "training questions"),
    (0x10, "sounds"),
    (0x11, "pictures"),
    (0x13, "quotations of games"),
    (0x14, "marks of pawn structures"),
    (0x15, "marks of a man's path"),
    (0x18, "marks of critical positions"),
    (0x19, "moves of correspondence"),
    (0x1c, "links"),
    (0x20, "videos"),
    (0x23, "colours of variations"),
    (0x25, "times of videos"),
    (0x61, "headers of correspondence"),
];

/// What is lost besides.
pub(super) const UNKNOWN: &str = "annotations of unknown kind";
pub(super) const DAMAGED: &str = "damaged annotations";
const LANGUAGES: &str = "marks of a comment's language";
const COLOURS: &str = "squares and arrows in other colours";
const SYMBOLS: &str = "symbols without a move";
const TIME_CONTROLS: &str = "time controls";

/// The number of moves that stands for the rest of the game.
const REST: u32 = 1000;

/// What stands before a move and behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    pub before: Vec<String>,
    pub glyphs: Vec<u8>,
    /// Commands of a comment, as `[%csl Gd4]`.
    pub commands: String,
    pub after: Vec<String>,
}

/// The annotations of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Annotations {
    pub game: Notes,
    /// The time control as in the tag of PGN.
    pub time_control: Option<String>,
    /// One for each move, or none for all.
    pub moves: Vec<Notes>,
    /// The kinds that were lost, once for each time.
    pub lost: Vec<&'static str>,
}

/// The length of a game's annotations by their head; `None` if it is not the head of this game's.
pub(super) fn length(head: &[u8], game: u32) -> Option<usize> {
    let mut bytes = Bytes(head);
    // Some programs leave the game out.
    let is_own = [0, game & 0xff_ffff].contains(&bytes.big(3)?) && bytes.big(4)? == MARK;
    bytes.take(3)?;
    let length = bytes.big(4)?;
    let is_whole = usize::try_from(length).ok()? >= HEAD_BYTES && length <= BYTES_MAX;
    (is_own && is_whole).then_some(())?;
    usize::try_from(length).ok()
}

/// Each text of these annotations, to guess the code page.
pub(super) fn texts(record: &[u8], mut see: impl FnMut(&[u8])) {
    let mut bytes = Bytes(record.get(HEAD_BYTES..).unwrap_or_default());
    while let Some((_, kind, data)) = next(&mut bytes) {
        if matches!(kind, kind::TEXT | kind::TEXT_BEFORE) {
            see(data.get(2..).unwrap_or_default());
        }
    }
}

/// The next annotation: its place, its kind and its data.
fn next<'a>(bytes: &mut Bytes<'a>) -> Option<(u32, u32, &'a [u8])> {
    let (place, kind, length) = (bytes.big(3)?, bytes.big(1)?, bytes.big(2)?);
    let length = usize::try_from(length).ok()?.checked_sub(OWN_HEAD_BYTES)?;
    Some((place, kind, bytes.take(length)?))
}

impl Annotations {
    /// Reads the annotations of a game, from their head on.
    pub fn read(record: &[u8], tree: &Tree, page: Page) -> Self {
        let mut all = Self { moves: vec![Notes::default(); tree.nodes.len()], ..Self::default() };
        let mut bytes = Bytes(record.get(HEAD_BYTES..).unwrap_or_default());
        let mut count = 1;
        while !bytes.0.is_empty() {
            let Some((place, kind, data)) = next(&mut bytes) else {
                all.lost.push(DAMAGED);
                return all;
            };
            all.add(place, kind, data, tree, page);
            count += 1;
        }
        if Bytes(record.get(7..).unwrap_or_default()).big(3) != Some(count) {
            all.lost.push(DAMAGED);
        }
        all
    }

    fn add(&mut self, place: u32, kind: u32, data: &[u8], tree: &Tree, page: Page) {
        // What lies behind the last move belongs to it.
        let last = tree.nodes.len().checked_sub(1);
        let at = usize::try_from(place).ok().zip(last).map(|(at, last)| at.min(last));
        let at = at.filter(|_| place != GAME);
        let notes = at.and_then(|at| self.moves.get_mut(at)).unwrap_or(&mut self.game);
        let black = at.and_then(|at| tree.nodes.get(at)).map(|node| node.black);
        let lost = &mut self.lost;
        let added = match kind {
            kind::TEXT | kind::TEXT_BEFORE => {
                let texts = if kind == kind::TEXT { &mut notes.after } else { &mut notes.before };
                add_text(data, page, texts, lost)
            }
            kind::SYMBOLS if at.is_none() => {
                lost.push(SYMBOLS);
                Some(())
            }
            kind::SYMBOLS => {
                // A prefix comes first: "better is".
                let symbols = [data.get(2), data.first(), data.get(1)].into_iter().flatten();
                notes.glyphs.extend(symbols.copied().filter(|&glyph| glyph != 0));
                (1..=3).contains(&data.len()).then_some(())
            }
            kind::SQUARES => add_marks("csl", 1, data, &mut notes.commands, lost),
            kind::ARROWS => add_marks("cal", 2, data, &mut notes.commands, lost),
            kind::TIME => add_time(data, &mut notes.commands),
            kind::WHITE_CLOCK => add_clock(data, black == Some(false), 'w', &mut notes.commands),
            kind::BLACK_CLOCK => add_clock(data, black == Some(true), 'b', &mut notes.commands),
            kind::EVALUATION => add_evaluation(data, &mut notes.commands),
            kind::MEDALS => add_medals(data, &mut notes.commands),
            kind::TIME_CONTROL => {
                let control = time_control(data);
                let is_kept = at.is_none() && control.is_some() && self.time_control.is_none();
                lost.extend((!is_kept).then_some(TIME_CONTROLS));
                self.time_control = self.time_control.take().or(control.filter(|_| is_kept));
                Some(())
            }
            kind::PROFILE => add_profile(data, &mut notes.commands),
            _ => {
                let known = LOST.iter().find(|row| row.0 == kind);
                lost.push(known.map_or(UNKNOWN, |row| row.1));
                Some(())
            }
        };
        if added.is_none() {
            lost.push(DAMAGED);
        }
    }
}

/// A text behind an unknown byte and the number of its language.
fn add_text(
    data: &[u8],
    page: Page,
    texts: &mut Vec<String>,
    lost: &mut Vec<&'static str>,
) -> Option<()> {
    let (&[_, language], text) = data.split_first_chunk::<2>()?;
    if language != 0 {
        lost.push(LANGUAGES);
    }
    let (text, has_brace) = comment_text(&page.text(text));
    lost.extend(has_brace.then_some(BRACES));
    if !text.is_empty() {
        texts.push(text);
    }
    Some(())
}

/// Squares or arrows: a colour and so many squares for each, from 1 on, file by file.
fn add_marks(
    name: &str,
    squares: usize,
    data: &[u8],
    commands: &mut String,
    lost: &mut Vec<&'static str>,
) -> Option<()> {
    let mut marks = Vec::new();
    let chunks = data.chunks_exact(squares + 1);
    chunks.remainder().is_empty().then_some(())?;
    for chunk in chunks {
        let (&colour, squares) = chunk.split_first()?;
        let mut mark = String::from(match colour {
            2 => 'G',
            3 => 'Y',
            4 => 'R',
            _ => {
                lost.push(COLOURS);
                continue;
            }
        });
        for square in squares {
            let at = square.checked_sub(1).filter(|&at| at < 64)?;
            mark.push(char::from(b'a' + at / 8));
            mark.push(char::from(b'1' + at % 8));
        }
        marks.push(mark);
    }
    if !marks.is_empty() {
        command(commands, name, format_args!("{}", marks.join(",")));
    }
    Some(())
}

/// The time a move took: hours, minutes, seconds and hundredths.
fn add_time(data: &[u8], commands: &mut String) -> Option<()> {
    let &[hours, minutes, seconds, parts] = data.first_chunk::<4>()?;
    (minutes < 60 && seconds < 60).then_some(())?;
    let time = Time { hours: hours.into(), minutes, seconds, parts };
    command(commands, "emt", format_args!("{time}"));
    Some(())
}

/// The reading of a clock in hundredths of a second. One of the player who does not move has a
/// command of its own.
fn add_clock(data: &[u8], is_own: bool, side: char, commands: &mut String) -> Option<()> {
    let number = Bytes(data).big(4)?;
    let part = |number: u32| u8::try_from(number).unwrap_or_default();
    let seconds = number / 100;
    let time = Time {
        hours: seconds / 3600,
        minutes: part(seconds / 60 % 60),
        seconds: part(seconds % 60),
        parts: part(number % 100),
    };
    let name = if is_own { "clk".to_owned() } else { format!("clk{side}") };
    command(commands, &name, format_args!("{time}"));
    Some(())
}

/// An evaluation: its value, its kind, and the depth of the search, which may be 0.
fn add_evaluation(data: &[u8], commands: &mut String) -> Option<()> {
    let mut bytes = Bytes(data);
    let mut short = || Some(u16::try_from(bytes.little(2)?).ok()?.cast_signed());
    let (value, kind, depth) = (short()?, short()?, short()?);
    let depth = if depth > 0 { format!(",{depth}") } else { String::new() };
    match kind {
        0 => command(commands, "eval", format_args!("{}{depth}", Pawns(value))),
        1 => command(commands, "eval", format_args!("#{value}{depth}")),
        _ => return None,
    }
    Some(())
}

/// Medals, a bit for each.
fn add_medals(data: &[u8], commands: &mut String) -> Option<()> {
    let bits = Bytes(data).big(4)?;
    command(commands, "mdl", format_args!("{bits}"));
    Some(())
}

/// A time control as in the tag of PGN: up to three periods, each of the time, what a move adds to
/// it in hundredths of a second, the number of moves, and a byte of unknown meaning. `None` if it
/// is not one of whole seconds.
fn time_control(data: &[u8]) -> Option<String> {
    let mut bytes = Bytes(data);
    let mut periods = Vec::new();
    let seconds = |hundredths: u32| hundredths.is_multiple_of(100).then_some(hundredths / 100);
    for _ in 0..3 {
        let (time, more) = (seconds(bytes.big(4)?)?, seconds(bytes.big(4)?)?);
        let (moves, _) = (bytes.big(2)?, bytes.big(1)?);
        if (time, more) == (0, 0) {
            continue;
        }
        let is_rest = moves == 0 || moves == REST;
        let moves = if is_rest { String::new() } else { format!("{moves}/") };
        let more = if more == 0 { String::new() } else { format!("+{more}") };
        periods.push(format!("{moves}{time}{more}"));
        if is_rest {
            break;
        }
    }
    Some(periods.join(":")).filter(|text| !text.is_empty())
}

/// The evaluations of the main line's positions, as ChessBase's command gives them: the first and
/// the last position, and a value for each. A mate in so many plies counts from 30000 down, and
/// 32767 is none.
fn add_profile(data: &[u8], commands: &mut String) -> Option<()> {
    let mut bytes = Bytes(data);
    let count = bytes.big(2)?;
    let last = count.checked_sub(1)?;
    let mut text = format!("0,{last}");
    for _ in 0..count {
        let (kind, _depth) = (bytes.big(1)?, bytes.big(1)?);
        let value = i32::from(u16::try_from(bytes.big(2)?).ok()?.cast_signed());
        let shown = match kind {
            0xff => 32767,
            1 if value > 0 => 30000 - value,
            1 => -30000 - value,
            _ => value,
        };
        // Writing to a string cannot fail.
        let _ = write!(text, ",{shown}");
    }
    bytes.0.is_empty().then_some(())?;
    command(commands, "evp", format_args!("{text}"));
    Some(())
}

fn command(commands: &mut String, name: &str, value: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = write!(commands, "[%{name} {value}]");
}

/// A time as in a command.
struct Time {
    hours: u32,
    minutes: u8,
    seconds: u8,
    parts: u8,
}

impl std::fmt::Display for Time {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{:02}:{:02}", self.hours, self.minutes, self.seconds)?;
        if self.parts > 0 { write!(out, ".{:02}", self.parts) } else { Ok(()) }
    }
}

/// Hundredths of a pawn as pawns.
struct Pawns(i16);

impl std::fmt::Display for Pawns {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let value = self.0.unsigned_abs();
        write!(out, "{sign}{}.{:02}", value / 100, value % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::input::chessbase::moves::Node;
    use crate::store::input::chessbase::page::Guess;

    fn read(kind: u8, data: &[u8]) -> Annotations {
        let node = Node { text: "e4".into(), black: false, next: None, other: None };
        let tree = Tree { nodes: vec![node], is_whole: true };
        let mut record = vec![0, 0, 1, 1, 0, 0x0e, 0x0e, 0, 0, 2, 0, 0, 0, 0];
        let length = u8::try_from(data.len() + OWN_HEAD_BYTES).expect("short data");
        record.extend([0, 0, 0, kind, 0, length]);
        record.extend(data);
        Annotations::read(&record, &tree, Guess::default().of_texts())
    }

    #[test]
    fn commands_are_those_of_pgn() {
        for (kind, data, text) in [
            (0x04, &[2, 1, 4, 64][..], "[%csl Ga1,Rh8]"),
            (0x05, &[3, 9, 2], "[%cal Yb1a2]"),
            (0x07, &[1, 2, 3, 0], "[%emt 1:02:03]"),
            (0x16, &[0, 5, 0x7e, 0x41], "[%clk 1:00:00.01]"),
            (0x17, &[0, 0, 0, 100], "[%clkb 0:00:01]"),
            (0x21, &[0xeb, 0xff, 0, 0, 16, 0], "[%eval -0.21,16]"),
            (0x21, &[3, 0, 1, 0, 0, 0], "[%eval #3]"),
            (0x22, &[0, 0, 0, 32], "[%mdl 32]"),
            (0x26, &[0, 2, 0, 9, 0, 25, 0xff, 0, 0, 0], "[%evp 0,1,25,32767]"),
        ] {
            let read = read(kind, data);
            assert_eq!((read.moves[0].commands.as_str(), read.lost.len()), (text, 0));
        }
    }

    #[test]
    fn texts_and_symbols_are_kept() {
        let text = read(0x02, b"\0\0Caf\xe9 {x}\r\ny");
        assert_eq!(text.moves[0].after, ["Café {x) y"]);
        assert_eq!(text.lost, [BRACES]);
        let before = read(0x82, b"\0\x2ano");
        assert_eq!(before.moves[0].before, ["no"]);
        assert_eq!(before.lost, [LANGUAGES]);
        assert_eq!(read(0x03, &[1, 16, 140]).moves[0].glyphs, [140, 1, 16]);
    }

    #[test]
    fn time_controls_are_those_of_pgn() {
        let period = |time: u32, more: u32, moves: u16| {
            [&time.to_be_bytes()[..], &more.to_be_bytes(), &moves.to_be_bytes(), &[1]].concat()
        };
        let none = period(0, 0, 0);
        let of = |periods: [&Vec<u8>; 3]| time_control(&periods.map(Vec::as_slice).concat());
        let rest = period(18_000, 200, 1000);
        assert_eq!(of([&rest, &none, &none]).as_deref(), Some("180+2"));
        let first = period(720_000, 0, 40);
        let last = period(90_000, 3_000, 1000);
        let all = [&first, &period(360_000, 0, 20), &last];
        assert_eq!(of(all).as_deref(), Some("40/7200:20/3600:900+30"));
        assert_eq!(of([&none, &none, &none]), None);
        assert_eq!(of([&period(18_050, 0, 1000), &none, &none]), None);
        assert_eq!(time_control(&first), None);
        // It stands at the game, not at a move.
        let at_move = [&rest[..], &none, &none].concat();
        assert_eq!(read(0x24, &at_move).lost, [TIME_CONTROLS]);
    }

    #[test]
    fn what_is_lost_is_counted() {
        for (kind, data, lost) in [
            (0x09, &[1, 2, 3][..], "training questions"),
            (0x77, &[], UNKNOWN),
            (0x04, &[2], DAMAGED),
            (0x04, &[2, 65], DAMAGED),
            (0x05, &[9, 1, 1], COLOURS),
            (0x02, &[0], DAMAGED),
            (0x07, &[0, 60, 0, 0], DAMAGED),
            (0x26, &[0, 2, 0, 0, 0, 0], DAMAGED),
        ] {
            assert_eq!(read(kind, data).lost, [lost], "{kind}");
        }
    }
}
