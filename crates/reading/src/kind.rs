//! What an input holds: games, in one of several syntaxes, or positions, one a line. Its content
//! says so, not its name.

use plypack_core::ErasedGame;
use plypack_games::GAMES;
use plypack_records::charset::{self, Charset};
use plypack_records::epd::{self, Line};
use plypack_records::{START_TAG, Syntax, transcript, wthor};

use crate::form;

/// What the records of an input are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Games; also whatever cannot be told.
    #[default]
    Games,
    /// Positions in FEN or EPD, one a line.
    Positions,
}

/// How much of an input's beginning decides, in bytes.
pub const SNIFFED_BYTES: usize = 1 << 16;

/// Other lines that may stand in a position file for each position.
const OTHERS_MAX: usize = 16;

/// The fewest moves of a transcript that tells the game. Fewer may be the squares of another one.
const TELLING_MOVES: usize = 8;

/// How many games of WTHOR are looked at.
const WTHOR_GAMES: usize = 64;

/// This game, and then all others if they are to be thought of.
#[must_use]
pub fn in_turn(game: &'static dyn ErasedGame, others: bool) -> Vec<&'static dyn ErasedGame> {
    let rest = GAMES.iter().copied().filter(|other| other.info().id != game.info().id);
    std::iter::once(game).chain(rest.filter(|_| others)).collect()
}

/// What an input holds, and the byte that ends its lines.
#[derive(Debug)]
pub struct Content {
    /// Games or positions.
    pub kind: Kind,
    /// How games are written.
    pub syntax: Syntax,
    /// The byte that ends its lines.
    pub newline: u8,
    /// The game, if the content as a whole says it.
    pub game: Option<&'static dyn ErasedGame>,
}

impl Content {
    /// Games, or whatever cannot be told.
    pub const GAMES: Self =
        Self { kind: Kind::Games, syntax: Syntax::Pgn, newline: b'\n', game: None };
}

/// What an input holds, by the first bytes of it, or all (`whole`).
///
/// A position file has lines that one of these games reads as positions, the first of them that
/// does, and none that could be a tag of PGN. Transcripts and games of WTHOR must be legal, and
/// transcripts of which no game was named be long enough and without gaps.
pub fn of(begin: &[u8], whole: bool, games: &[&'static dyn ErasedGame]) -> Content {
    let begin = &begin[..begin.len().min(SNIFFED_BYTES)];
    let newline = if begin.contains(&b'\r') && !begin.contains(&b'\n') { b'\r' } else { b'\n' };
    let mut lines: Vec<&[u8]> = begin.split(|&byte| byte == newline).collect();
    if !whole && lines.len() > 1 {
        // Whatever was cut off may look like anything.
        lines.pop();
    }
    lines.retain(|line| !epd::is_comment(line));
    let find =
        |holds: &dyn Fn(&dyn ErasedGame) -> bool| games.iter().copied().find(|game| holds(*game));
    if let Some(game) = find(&|game| holds_wthor(begin, game)) {
        return Content { syntax: Syntax::Wthor, game: Some(game), ..Content::GAMES };
    }
    if lines.iter().any(|line| looks_like_tag(&charset::decode(line, "").1)) {
        return Content::GAMES;
    }
    if let Some(game) = find(&|game| holds_positions(&lines, game)) {
        let (kind, syntax) = (Kind::Positions, Syntax::Pgn);
        return Content { kind, syntax, newline, game: Some(game) };
    }
    let least = if games.len() > 1 { TELLING_MOVES } else { 1 };
    if let Some(game) = find(&|game| holds_transcripts(&lines, game, least)) {
        let (kind, syntax) = (Kind::Games, Syntax::Transcript);
        return Content { kind, syntax, newline, game: Some(game) };
    }
    Content::GAMES
}

/// Whether at least half of the first games, each of at least one move, are legal.
fn holds_wthor(begin: &[u8], game: &dyn ErasedGame) -> bool {
    if !game.info().syntaxes.contains(&wthor::NAME) || !wthor::may_begin(begin) {
        return false;
    }
    let Some((first, others)) = begin.split_at_checked(wthor::record_bytes(true)) else {
        return false;
    };
    let others = others.chunks_exact(wthor::record_bytes(false));
    let records = std::iter::once(first).chain(others).take(WTHOR_GAMES);
    let (mut games, mut legal) = (0usize, 0usize);
    for text in records.filter_map(wthor::describe) {
        games += 1;
        legal += usize::from(legal_moves(game, &text, Syntax::Wthor).is_some());
    }
    legal > 0 && 2 * legal >= games
}

/// Whether there are more legal transcripts, one of them with at least so many moves, than lines
/// that are none.
fn holds_transcripts(lines: &[&[u8]], game: &dyn ErasedGame, least: usize) -> bool {
    if !game.info().syntaxes.contains(&transcript::NAME) {
        return false;
    }
    let (mut long, mut legal, mut others) = (false, 0usize, 0usize);
    for line in lines.iter().filter(|line| !line.trim_ascii().is_empty()) {
        let (_, text) = charset::decode(line, "");
        let moves = legal_moves(game, &text, Syntax::Transcript);
        let (_, layout) = transcript::parse(&text, Charset::Utf8);
        let telling = least == 1 || layout.gap == transcript::Gap::Nothing;
        match moves.filter(|_| telling) {
            Some(moves) => (legal, long) = (legal + 1, long || moves >= least),
            None => others += 1,
        }
    }
    long && legal > others
}

/// How many moves a record has, if there are any and all are legal.
fn legal_moves(game: &dyn ErasedGame, text: &str, syntax: Syntax) -> Option<usize> {
    let record = form::parse(game, text, syntax);
    let moves = &mut record.moves.iter().copied();
    let (indices, stopped) = game.read_moves(record.tag(START_TAG), moves).ok()?;
    (!indices.is_empty() && stopped.is_none()).then_some(indices.len())
}

fn holds_positions(lines: &[&[u8]], game: &dyn ErasedGame) -> bool {
    let (mut positions, mut others) = (0usize, 0usize);
    for line in lines {
        let (charset, text) = charset::decode(line, game.info().signs);
        let words = &mut |text: &str| {
            let full = game.position_after(Some(text), &[]).ok()?;
            Some(epd::position_words(&full))
        };
        match Line::read(&text, charset, words) {
            Some(_) => positions += 1,
            None => others += 1,
        }
    }
    positions > 0 && others <= positions * OTHERS_MAX
}

/// Whether a line begins with a bracket, a name and a quote.
fn looks_like_tag(line: &str) -> bool {
    let tag = line.trim_start_matches(['\u{feff}', ' ', '\t']).strip_prefix('[');
    let value = tag.map(|tag| tag.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
    value.is_some_and(|value| value.trim_start_matches([' ', '\t']).starts_with('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn kind(game: &str, text: &str) -> (Kind, u8) {
        let content = of(text.as_bytes(), true, &[plypack_games::game(game).expect("a game")]);
        (content.kind, content.newline)
    }

    #[test]
    fn lines_that_the_game_reads_are_positions() {
        for text in [
            START.to_owned(),
            format!("{START} 0 1\n"),
            format!("# a comment\n\n{START} bm e4; id \"x\";\r\n"),
            format!("\u{feff}{START}\nno position\n"),
            format!("id 1\nepd {START}\nperft 1 20\nperft 2 400\n\n"),
        ] {
            assert_eq!(kind("chess", &text), (Kind::Positions, b'\n'), "{text}");
        }
        assert_eq!(kind("chess", &format!("{START}\r{START}\r")), (Kind::Positions, b'\r'));
        assert_eq!(kind("tictactoe", "3/1x1/3 o\n"), (Kind::Positions, b'\n'));
        assert_eq!(kind("tictactoe", START), (Kind::Games, b'\n'));
    }

    #[test]
    fn anything_else_is_games() {
        let set_up = format!("[FEN \"{START} 0 1\"]\n\n{START}\n1. e4 *\n");
        let diagram = format!("{START}\n[Event \"x\"]\n\n1. e4 *\n");
        let drowned = format!("{START}\n{}", "1. e4 e5 *\n\n".repeat(20));
        for text in [
            "",
            "\n\n\n",
            "# only a comment\n",
            "1. e4 e5 *\r1. d4 *\r",
            "PuzzleId,FEN,Moves\n01tg7,8/1bnr2pk/8/p1p1Rp2/P1B2P2/6Q1/8/4R1K1 w - - 1 44,f2\n",
            "8/8/8/8/8/8/8/8 w - - 0 1\n",
            &set_up,
            &diagram,
            &drowned,
        ] {
            assert_eq!(kind("chess", text), (Kind::Games, b'\n'), "{text}");
        }
    }

    #[test]
    fn the_game_that_reads_the_lines_is_found() {
        for game in GAMES {
            let start = game.position_after(None, &[]).expect("a start");
            let content = of(format!("{start}\n").as_bytes(), true, GAMES);
            let found = content.game.map(|game| game.info().name);
            assert_eq!(found, Some(game.info().name), "{start}");
        }
    }

    #[test]
    fn a_line_that_is_cut_off_does_not_count() {
        let game = [plypack_games::game("chess").expect("a game")];
        // The cut leaves `4k3/8/8/8/8/8/8/R3K3`, a position by itself.
        let text = b"hello\n4k3/8/8/8/8/8/8/R3K3";
        assert_eq!(of(text, true, &game).kind, Kind::Positions);
        assert_eq!(of(text, false, &game).kind, Kind::Games);
    }
}
