//! How games end: what boards show, and where players stop although candidates remain.

#![cfg(feature = "full")]
#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::{Candidates, Listing, Ply, Rules, Verdict};
use plypack_games::chess::Chess;
use plypack_games::go::Go;
use plypack_games::gomoku::Gomoku;
use plypack_games::othello::Othello;
use plypack_games::tictactoe::TicTacToe;
use plypack_games::xiangqi::Xiangqi;

fn outcome<G: Rules>(game: &G, text: &str) -> Option<Verdict> {
    game.outcome(&game.read_position(text).expect(text))
}

/// Plays a line from here. Returns the number of the first ply that ends it, from 1, and the
/// outcome.
fn play<G: Rules>(game: &G, start: G::Position, moves: &str) -> (Option<usize>, Option<Verdict>) {
    let (mut here, mut last, mut ended) = (start, None, None);
    for (number, text) in (1..).zip(moves.split(' ')) {
        let listing = Listing::default();
        let before = here.clone();
        let candidates = Candidates::of(game, &before, &listing);
        let mv = game.read_move(&candidates, text).expect(text);
        game.play(&mut here, mv);
        let ends = game.ends(&Ply::new(candidates, mv, &here), last);
        ended = ended.or(ends.then_some(number));
        last = Some(mv);
    }
    (ended, game.outcome(&here))
}

#[test]
fn three_in_a_row_win() {
    let of = |text| outcome(&TicTacToe, text);
    assert_eq!(of("xxx/oo1/3 o"), Some(Verdict::First));
    assert_eq!(of("xx1/ooo/x2 x"), Some(Verdict::Second));
    assert_eq!(of("xox/oxx/oxo o"), Some(Verdict::Draw));
    assert_eq!(of("xox/oxx/1xo o"), None);
}

#[test]
fn mates_win_and_few_men_draw() {
    let of = |text| outcome(&Chess, text);
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(of(mate), Some(Verdict::Second));
    assert_eq!(of("R6k/8/6K1/8/8/8/8/8 b - - 150 99"), Some(Verdict::First));
    assert_eq!(of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Verdict::Draw));
    assert_eq!(of("7k/8/6K1/8/8/8/8/1B6 w - - 0 1"), Some(Verdict::Draw));
    assert_eq!(of("7k/8/6K1/8/8/8/P7/8 w - - 150 99"), Some(Verdict::Draw));
    assert_eq!(of("7k/8/6K1/8/8/8/P7/8 w - - 149 99"), None);
    let start = Chess.read_position("7k/8/6K1/8/8/8/1p6/B7 w - - 0 1").expect("a position");
    assert_eq!(play(&Chess, start, "Bxb2+ Kg8"), (Some(1), Some(Verdict::Draw)));
    assert_eq!(play(&Chess, Chess.start(), "f3 e5 g4 Qh4#"), (None, Some(Verdict::Second)));
}

#[test]
fn who_cannot_move_has_lost_in_xiangqi() {
    let of = |text| outcome(&Xiangqi, text);
    assert_eq!(of("R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1"), Some(Verdict::First));
    assert_eq!(of("4k4/9/9/9/9/9/9/9/r8/1r1K5 w - - 0 1"), Some(Verdict::Second));
    assert_eq!(of("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"), None);
}

#[test]
fn two_passes_end_a_game_of_go() {
    let go = |moves| play(&Go, Go.start(), moves);
    assert_eq!(go("pd pass dd pass pass pp"), (Some(5), None));
    assert_eq!(go("pass pd pass"), (None, None));
}

#[test]
fn discs_decide_othello() {
    let of = |black: usize, side: &str| {
        let board = "x".repeat(black) + &"o".repeat(64 - black);
        outcome(&Othello, &format!("{board} {side}"))
    };
    assert_eq!(of(33, "x"), Some(Verdict::First));
    assert_eq!(of(32, "o"), Some(Verdict::Draw));
    assert_eq!(of(31, "x"), Some(Verdict::Second));
    assert_eq!(play(&Othello, Othello.start(), "f5 d6"), (None, None));
}

#[test]
fn five_in_a_row_win() {
    let line = "h8 a1 h9 a2 h10 b3 h11 b4 h12";
    let gomoku = |moves: &str| play(&Gomoku, Gomoku.start(), moves);
    assert_eq!(gomoku(line), (Some(9), Some(Verdict::First)));
    assert_eq!(gomoku(&line[..line.len() - 4]), (None, None));
    // At an edge, along a diagonal, by White; a row does not continue over an edge.
    let diagonal = "a2 k15 a4 l14 c6 m13 c8 n12 e5 o11";
    assert_eq!(gomoku(diagonal), (Some(10), Some(Verdict::Second)));
    assert_eq!(gomoku("n1 a9 o1 b9 a2 a11 b2 b11 c2"), (None, None));
    // Six in a row win only by the free rule.
    let six = "a1 a8 b1 b8 c1 c8 e1 e8 f1 g8 d1";
    assert_eq!(gomoku(six), (Some(11), Some(Verdict::First)));
    let standard = Gomoku.start_told(&["15", "standard"], &[]).expect("another start");
    assert_eq!(play(&Gomoku, standard, six), (None, None));
}
