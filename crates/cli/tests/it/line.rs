//! `plypack line`: one game's moves to a cell and back, and messages about invalid moves and cells.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Sandbox, sample};

/// The moves of Buffett's game without their numbers.
fn buffett() -> Vec<String> {
    let game = std::fs::read_to_string(sample("buffett.pgn")).expect("a sample");
    let bare = |word: &str| word.rsplit('.').next().map(str::to_owned);
    let moves: Vec<String> = game.split_ascii_whitespace().filter_map(bare).collect();
    assert_eq!(moves.len(), 133, "67 moves, the last of them White's");
    moves
}

#[test]
fn buffetts_game_comes_back_from_every_codec() {
    let sandbox = Sandbox::new();
    let pgn = std::fs::read(sample("buffett.pgn")).expect("a sample");
    let moves = buffett().join(" ");
    let mut sizes = Vec::new();
    for codec in ["line.text", "line.uniform", "line.ranked"] {
        let cell = sandbox.run_with(["line", "encode", "--codec", codec], &pgn).expect(0);
        let cell = cell.text().trim().to_owned();
        // As an argument and from standard input, in capitals too.
        let back = sandbox.run(["line", "decode", "--codec", codec, &cell]).expect(0);
        assert_eq!(back.text().trim(), moves, "{codec}");
        let capitals = cell.to_ascii_uppercase() + "\n";
        let decode = ["line", "decode", "--codec", codec, "-"];
        assert_eq!(sandbox.run_with(decode, capitals.as_bytes()).expect(0).text().trim(), moves);
        println!("Buffett's game, {} bytes of PGN: {codec} {} bytes", pgn.len(), cell.len() / 2);
        sizes.push(cell.len() / 2);
    }
    // Text is the baseline; ranks are learnt, so they beat equal chances.
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
}

#[test]
fn moves_may_be_words_or_one_text() {
    let sandbox = Sandbox::new();
    let words = sandbox.run(["line", "encode", "e4", "e5", "Nf3"]).expect(0);
    for arguments in [&["1. e4 e5 2. Nf3"][..], &["e2e4", "e7e5", "g1f3"], &["1.e4", "e5 2.Nf3 *"]]
    {
        let same = sandbox.run([&["line", "encode"], arguments].concat()).expect(0);
        assert_eq!(same.out, words.out, "{arguments:?}");
    }
    let none = sandbox.run(["line", "encode"]).expect(0);
    let back = sandbox.run(["line", "decode", none.text().trim()]).expect(0);
    assert_eq!(back.text(), "\n");
}

#[test]
fn a_line_may_start_from_a_position() {
    let sandbox = Sandbox::new();
    let start = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let cell = sandbox.run(["line", "encode", "--start", start, "a8=N", "Kg6"]).expect(0);
    let cell = cell.text().trim();
    let back = sandbox.run(["line", "decode", "--start", start, cell]).expect(0);
    assert_eq!(back.text(), "a8=N Kg6\n");
    for bad in ["8/8", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", ""] {
        let arguments = ["line", "encode", "--start", bad, "e4"];
        sandbox.run(arguments).refuses(2, &["is not a chess position"]);
    }
}

#[test]
fn tic_tac_toe_goes_the_same_way() {
    let sandbox = Sandbox::new();
    for codec in ["line.text", "line.uniform", "line.ranked"] {
        let game = ["--game", "tictactoe", "--codec", codec];
        let encode = [&["line", "encode", "b2", "a1", "c3"][..], &game].concat();
        let cell = sandbox.run(encode).expect(0);
        let decode = [&["line", "decode", cell.text().trim()][..], &game].concat();
        assert_eq!(sandbox.run(decode).expect(0).text(), "b2 a1 c3\n");
    }
}

#[test]
fn a_move_that_cannot_be_is_named_with_its_ply_and_the_reason() {
    let sandbox = Sandbox::new();
    for (moves, words) in [
        ("1. e4 e5 2. Ke3", ["ply 3", "`Ke3`", "not a legal move"]),
        ("1. e4 hello", ["ply 2", "`hello`", "not a move"]),
        ("d4 d5 Nd2 e6 Ngf3 f6 N2b3 g6 e3 h6 Nd2", ["ply 11", "`Nd2`", "several legal moves"]),
        ("f3 e5 g4 Qh4# a3", ["ply 5", "`a3`", "not a legal move"]),
    ] {
        let done = sandbox.run(["line", "encode", moves]).refuses(2, &words);
        assert_eq!(done.text(), "");
    }
}

#[test]
fn what_is_no_cell_is_refused() {
    let sandbox = Sandbox::new();
    for hex in ["0", "abc", "zz", "0x00", "+1+1", "éé", "1 2"] {
        sandbox.run(["line", "decode", hex]).refuses(2, &["hexadecimal"]);
    }
    for (cell, what) in [
        ("", "no number of plies"),
        ("80", "half a number"),
        ("ffffffffffff", "too large a number"),
        ("ffffffff0f", "the largest number"),
    ] {
        sandbox.run(["line", "decode", cell]).refuses(1, &["plies"]);
        sandbox.run(["line", "decode", "--codec", "line.text", cell]).refuses(1, &["plies"]);
        println!("{what} is refused");
    }
    // A mated side has no move to decode: fool's mate with one ply more.
    let mate = sandbox.run(["line", "encode", "f3", "e5", "g4", "Qh4#"]).expect(0);
    let longer = mate.text().trim().replacen("04", "05", 1);
    sandbox.run(["line", "decode", &longer]).refuses(1, &["over after 4"]);
}

/// A cut cell gives an error or other moves, nothing else.
#[test]
fn a_damaged_cell_ends_in_an_error_or_in_moves() {
    let sandbox = Sandbox::new();
    for codec in ["line.text", "line.ranked"] {
        let encode = ["line", "encode", "--codec", codec, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O"];
        let cell = sandbox.run(encode).expect(0).text().trim().to_owned();
        for length in (2..cell.len()).step_by(2) {
            let cut = sandbox.run(["line", "decode", "--codec", codec, &cell[..length]]);
            assert!(!cut.err.contains("panicked"), "{}", cut.err);
            assert!(matches!(cut.code, Some(0 | 1)), "{codec} {length}: {:?}", cut.code);
        }
    }
}

#[test]
fn xiangqi_is_read_in_any_notation() {
    let sandbox = Sandbox::new();
    let encode = |moves: &str| {
        let done = sandbox.run(["line", "encode", "--game", "xiangqi", moves]).expect(0);
        done.text().to_owned()
    };
    let cell = encode("h2e2 h9g7");
    assert!(cell.starts_with("02"), "{cell}");
    for moves in ["炮二平五 马８进７", "1. C2=5 H8+7", "H2-E2 H9-G7", "7747 7062", "77477062"]
    {
        assert_eq!(encode(moves), cell, "{moves}");
    }
}

/// Codes in the columns of a packed file are decoded, too, and a missing --plies is reported.
#[test]
fn a_code_without_its_plies_is_decoded_with_them() {
    let sandbox = Sandbox::new();
    let cell = sandbox.run(["line", "encode", "1. e4 e5 2. Nf3"]).expect(0);
    let (plies, code) = cell.text().trim().split_at(2);
    assert_eq!(plies, "03");
    let alone = sandbox.run(["line", "decode", "--plies", "3", code]).expect(0);
    assert_eq!(alone.text(), "e4 e5 Nf3\n");
    let words = ["a cell is the number of plies", "--plies N", "`moves.code`"];
    sandbox.run(["line", "decode", "ffffff7f00"]).refuses(1, &words);
    sandbox.run(["line", "decode", "ff"]).refuses(1, &words);
    let odd = sandbox.run(["line", "decode", "--plies", "4000000000", "ca"]).expect(1);
    assert!(!odd.err.contains("a cell is"), "{}", odd.err);
}
