//! The first player's material minus the second's, in every game.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::testkit::random_line;
use plypack_games::{GAMES, game, line_codec};

fn material(name: &str, start: Option<&str>, moves: &str) -> i32 {
    let game = game(name).expect("a game");
    let mut cursor = game.cursor(start).unwrap_or_else(|error| panic!("{error}"));
    for text in moves.split_ascii_whitespace() {
        cursor.read(text).unwrap_or_else(|error| panic!("{error}"));
    }
    cursor.material()
}

#[test]
fn men_count_by_their_worth_or_as_men() {
    for game in GAMES {
        assert_eq!(material(game.info().name, None, ""), 0, "{}", game.info().name);
    }
    assert_eq!(material("chess", Some("4k3/p7/8/8/8/8/PP6/QRBNK3 w"), ""), 9 + 5 + 3 + 3 + 1);
    assert_eq!(material("chess", None, "e4 d5 exd5"), 1);
    assert_eq!(material("xiangqi", Some("3k5/9/9/9/9/9/P8/9/9/RNBAKC3 w"), ""), 9 + 4 + 4 + 5);
    assert_eq!(material("xiangqi", Some("3k1r3/9/9/9/9/9/9/9/9/4K4 b"), ""), -9);
    assert_eq!(material("othello", None, "f5"), 3);
    assert_eq!(material("gomoku", None, "h8"), 1);
    assert_eq!(material("tictactoe", None, "b2 a1"), 0);
}

/// The text of a board says the same, in games where all men are equal.
#[test]
fn men_are_those_of_the_boards_text() {
    for (name, first, second) in
        [("othello", 'x', 'o'), ("gomoku", 'x', 'o'), ("tictactoe", 'x', 'o')]
    {
        let game = game(name).expect("a game");
        let codec = line_codec(name, "line.uniform").expect("a codec");
        let mut cursor = game.cursor(None).expect("the start");
        for index in random_line(codec, None, 40, 7).expect("a line") {
            cursor.play(index).expect("a candidate");
            let mut text = String::new();
            cursor.write_position(&mut text);
            let board = text.split(' ').next().expect("a board").to_lowercase();
            let count = |sign| i32::try_from(board.matches(sign).count()).expect("few men");
            assert_eq!(cursor.material(), count(first) - count(second), "{text}");
        }
    }
}
