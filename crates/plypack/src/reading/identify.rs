//! Identifies an input: its compression; or its character set, its format and the game of its
//! records. Only its content counts, not its name.

use std::borrow::Cow;

use plypack_core::ErasedRules;
use plypack_records::Rules;
use plypack_records::charset::{self, Charset};
use plypack_records::format::{Content, FALLBACK, FORMATS, Format, Head, Sniffed, Sure, newline};

use crate::reading::compression::Compression;
use crate::reading::game;
use crate::reading::rules::OfGame;

/// The number of leading bytes of an input that are examined.
pub const SNIFFED_BYTES: usize = 1 << 16;

/// The identity of an input.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Its compression. If there is one, its content has its own identity, and the other fields
    /// here mean nothing.
    pub compression: Option<Compression>,
    /// The character set of its first bytes. Records may use others.
    pub charset: Charset,
    /// Its format, which says what it holds and where it is cut.
    pub format: &'static dyn Format,
    /// The byte that ends its lines.
    pub newline: u8,
    /// The game of all its records; `None` if each record names its own.
    pub game: Option<&'static dyn ErasedRules>,
}

impl Default for Identity {
    /// The identity of an unknown input.
    fn default() -> Self {
        Self {
            compression: None,
            charset: Charset::default(),
            format: FALLBACK,
            newline: b'\n',
            game: None,
        }
    }
}

/// Identifies an input by its first [`SNIFFED_BYTES`] bytes, or all of them (`whole`). The game is
/// one of `games`, the first in a tie. A single game there is the one that the user named.
pub fn identify(begin: &[u8], whole: bool, games: &[&'static dyn ErasedRules]) -> Identity {
    let compression = Compression::of(begin);
    if compression.is_some() {
        return Identity { compression, ..Identity::default() };
    }
    let begin = &begin[..begin.len().min(SNIFFED_BYTES)];
    let head = Head::new(begin, whole, games.len() == 1);
    let (format, game) = sniff(&head, games).unwrap_or((FALLBACK, None));
    let signs = game.map_or("", |game| game.info().signs);
    let (charset, _) = charset::decode(begin, signs);
    Identity { compression, charset, format, newline: newline(begin), game }
}

/// The format that is surest of an input, and the game of all its records.
fn sniff(
    head: &Head<'_>,
    games: &[&'static dyn ErasedRules],
) -> Option<(&'static dyn Format, Option<&'static dyn ErasedRules>)> {
    let mut best: Option<(&'static dyn Format, Sure, _)> = None;
    for &format in FORMATS {
        let with = |game: &&'static dyn ErasedRules| format.serves(&OfGame(*game));
        let games: Vec<&'static dyn ErasedRules> = games.iter().copied().filter(with).collect();
        if games.is_empty() {
            continue;
        }
        let rules: Vec<OfGame<'_>> = games.iter().map(|game| OfGame(*game)).collect();
        let rules: Vec<&dyn Rules> = rules.iter().map(|rules| rules as &dyn Rules).collect();
        let Some(Sniffed { sure, game }) = format.sniff(head, &rules) else { continue };
        let game = game.and_then(|place| games.get(place).copied());
        if best.is_none_or(|best| sure > best.1) {
            best = Some((format, sure, game));
        }
        if sure == Sure::Certainly {
            break;
        }
    }
    best.map(|(format, _, game)| (format, game))
}

/// A record as text.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The game.
    pub game: &'static dyn ErasedRules,
    /// The character set of its bytes.
    pub charset: Charset,
    /// The text.
    pub text: Cow<'a, str>,
}

impl Identity {
    /// The identity of an input to be read as this content, whatever it holds.
    pub fn holding(content: Content) -> Self {
        let holds = |format: &&&'static dyn Format| format.info().content == content;
        let usual = Some(&FALLBACK).filter(holds);
        let format = usual.or_else(|| FORMATS.iter().find(holds)).copied().unwrap_or(FALLBACK);
        Self { format, ..Self::default() }
    }

    /// What its records hold.
    pub fn content(&self) -> Content {
        self.format.info().content
    }

    /// Decodes one of its records, and finds the record's game: the game of all records; or, with
    /// `detect`, the one that the record indicates; or else `usual`.
    pub fn decode<'a>(
        &self,
        record: &'a [u8],
        usual: &'static dyn ErasedRules,
        detect: bool,
    ) -> Decoded<'a> {
        // Tags give the game in any charset; the game's signs give the charset of the moves.
        let (mut charset, mut text) = self.format.decode(record, "");
        let game = match self.game {
            Some(game) => game,
            None if detect => game::of(&text, usual),
            None => usual,
        };
        let signs = game.info().signs;
        if charset != Charset::Utf8 && !signs.is_empty() {
            (charset, text) = self.format.decode(record, signs);
        }
        Decoded { game, charset, text }
    }
}

#[cfg(test)]
mod tests {
    use plypack_games::GAMES;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn kind(game: &str, text: &str) -> (Content, u8) {
        let game = plypack_games::game(game).expect("a game");
        let identity = identify(text.as_bytes(), true, &[game]);
        (identity.content(), identity.newline)
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
            assert_eq!(kind("chess", &text), (Content::Positions, b'\n'), "{text}");
        }
        assert_eq!(kind("chess", &format!("{START}\r{START}\r")), (Content::Positions, b'\r'));
        assert_eq!(kind("tictactoe", "3/1x1/3 o\n"), (Content::Positions, b'\n'));
        assert_eq!(kind("tictactoe", START), (Content::Games, b'\n'));
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
            "PuzzleId,FEN,Moves\n01tg7,8/1bnr2pk/8/p1p1Rp2/P1B2P2/6Q1/8/4R1K1 w - - 1 44,f2\n",
            "8/8/8/8/8/8/8/8 w - - 0 1\n",
            &set_up,
            &diagram,
            &drowned,
        ] {
            assert_eq!(kind("chess", text), (Content::Games, b'\n'), "{text}");
        }
        assert_eq!(kind("chess", "1. e4 e5 *\r\r1. d4 *\r"), (Content::Games, b'\r'));
    }

    #[test]
    fn the_game_that_reads_the_lines_is_found() {
        for game in GAMES {
            let start = game.position_after(None, &[]).expect("a start");
            let identity = identify(format!("{start}\n").as_bytes(), true, GAMES);
            let found = identity.game.map(|game| game.info().name);
            assert_eq!(found, Some(game.info().name), "{start}");
        }
    }

    #[test]
    fn a_line_that_is_cut_off_does_not_count() {
        let game = [plypack_games::game("chess").expect("a game")];
        // The cut leaves `4k3/8/8/8/8/8/8/R3K3`, a position by itself.
        let text = b"hello\n4k3/8/8/8/8/8/8/R3K3";
        assert_eq!(identify(text, true, &game).content(), Content::Positions);
        assert_eq!(identify(text, false, &game).content(), Content::Games);
    }

    #[test]
    fn the_answer_has_all_parts() {
        let of = |bytes: &[u8]| {
            let Identity { compression, charset, format, newline, game } =
                identify(bytes, true, GAMES);
            let game = game.map(|game| game.info().name);
            (compression, charset, format.info().name, newline, game)
        };
        let (utf8, latin1) = (Charset::Utf8, Charset::Latin1);
        let othello = Some("othello");
        assert_eq!(of(b""), (None, utf8, "pgn", b'\n', None));
        assert_eq!(of(b"f5d6c3d3c4f4f6f3\r"), (None, utf8, "transcript", b'\r', othello));
        assert_eq!(of(b"[White \"M\xfcller\"]\n"), (None, latin1, "pgn", b'\n', None));
        assert_eq!(of(b"Piskvorky 15x15, 0:0, 0\n8,8,0\n"), (None, utf8, "psq", b'\n', None));
        let gzip = Some(Compression::Gzip);
        assert_eq!(of(b"\x1f\x8b\x08f5d6c3"), (gzip, utf8, "pgn", b'\n', None));
    }

    #[test]
    fn a_record_is_decoded_for_its_game() {
        let usual = plypack_games::game("chess").expect("a game");
        let text = "[Red \"\u{9280}\"]\n\n1. \u{70ae}\u{4e8c}\u{5e73}\u{4e94} *";
        let big5 = charset::encode(text.into(), Charset::Big5).expect("its characters");
        let Decoded { game, charset, text: back } = Identity::default().decode(&big5, usual, true);
        assert_eq!((game.info().name, charset, &*back), ("xiangqi", Charset::Big5, text));
        let named = Identity::default().decode(&big5, usual, false);
        assert_eq!((named.game.info().name, named.charset), ("chess", Charset::Latin1));
        let held = Identity::holding(Content::Positions);
        assert_eq!((held.format.info().name, held.game.is_none()), ("epd", true));
        assert_eq!(Identity::holding(Content::Games).format.info().name, "pgn");
    }
}
