//! Counts the lines that the rules allow and compares them with published counts, the field's
//! check of a move generator.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_games::game;

/// A position and how many lines of 1, 2, 3 … plies begin there.
type Counts = (&'static str, &'static [u64]);

/// The six positions of the Chess Programming Wiki, "Perft Results".
const STANDARD: &[Counts] = &[
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    ),
];

/// Fifteen positions of the Chess Programming Wiki, "Chess960 Perft Results", one for each kind of
/// castling rights that they have; then four of ours, counted by shakmaty too: two starts, a right
/// of an inner rook, and kings with a rook on either side away from the usual files.
const CHESS960: &[Counts] = &[
    (
        "qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9",
        &[25, 635, 17_054, 465_806],
    ),
    (
        "qbb1rnkr/ppp3pp/4n3/3ppp2/1P3PP1/8/P1PPPN1P/QBB1RNKR w HEhe - 0 9",
        &[28, 696, 20_502, 541_886],
    ),
    (
        "n1bnrrkb/pp1pp2p/2p2p2/6p1/5B2/3P4/PPP1PPPP/NQ1NRKRB w GE - 2 9",
        &[28, 606, 16_883, 381_646],
    ),
    ("nnq1brkr/pp1pppp1/8/2p4P/8/5K2/PPPbPP1P/NNQBBR1R w hf - 0 9", &[23, 724, 18_263, 571_072]),
    ("bbrnqk1r/pppp3p/6p1/4pp2/3P2P1/8/PPP1PP1P/BBRN1NKR w HC - 0 9", &[22, 566, 12_965, 362_624]),
    (
        "rkr1bqnb/pp1ppppp/8/2pN4/1P6/5N2/P1PPnPPP/RKR1BQ1B w CAca - 0 9",
        &[28, 730, 20_511, 559_167],
    ),
    (
        "1rknnbqr/3ppppp/p7/1pp5/4b2P/P4P2/1PPPP1PR/BRKNNBQ1 w Bhb - 1 9",
        &[24, 757, 19_746, 618_777],
    ),
    ("bbrkrnqn/1p1ppppp/8/8/p2pP3/PP6/2P2PPP/BBRKRNQN w ECec - 0 9", &[24, 757, 19_067, 603_231]),
    (
        "rqbbnkrn/3pppp1/p1p4p/1p6/5P2/P2N4/1PPPP1PP/RQBBK1RN w ga - 0 9",
        &[23, 665, 16_400, 492_544],
    ),
    (
        "brkrqnnb/3pppp1/1p6/p1p4p/2P3P1/6N1/PP1PPP1P/BRKRQ1NB w DBdb - 0 9",
        &[29, 699, 20_042, 512_639],
    ),
    ("r1nqbbnr/1pppp1pp/1k6/p4p2/8/4P3/PPPP1PPP/RKN1BBNR w HA - 0 9", &[26, 658, 17_302, 464_039]),
    (
        "bbqr1krn/pppp1p1p/5n2/4p1p1/3P4/P3QP2/1PP1P1PP/BB1RNKRN w GDgd - 0 9",
        &[31, 799, 25_627, 674_913],
    ),
    ("rbnqkrbn/Bppp1p2/p5pp/4p3/5P2/6PP/PPPPP3/RBNQKR1N w FAfa - 0 9", &[29, 720, 20_434, 534_148]),
    ("rkbnqbrn/pp1ppp1p/2p5/6p1/P7/4P3/KPPPQPPP/R1BN1BRN w - - 3 9", &[28, 585, 17_443, 401_483]),
    (
        "brk1qb1n/ppppppr1/2n3pp/8/2P3P1/2N5/PP1PPP1P/BR1KQBRN w b - 1 9",
        &[26, 570, 15_537, 352_883],
    ),
    ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", &[20, 400, 9_006, 201_143]),
    ("rnbkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BBRQNKNR w KQkq - 0 1", &[20, 400, 9_016, 201_139]),
    ("4k3/8/8/8/8/8/8/1R1RK1RR w GD - 0 1", &[38, 104, 4_443, 16_913]),
    ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", &[23, 522, 12_333, 285_754]),
];

/// The games of 1 to 9 plies, those won earlier having no longer continuation; known since long
/// before computers: 255,168 games in all, of which 127,872 fill the board.
const TICTACTOE: Counts =
    ("3/3/3 x", &[9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0]);

/// Three positions that Fairy-Stockfish counts in its own tests (`tests/perft.sh`), which give the
/// last depth of each; the counts before it are ours.
const XIANGQI: &[Counts] = &[
    (
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        &[44, 1_920, 79_666, 3_290_240],
    ),
    (
        "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
        &[49, 2_265, 100_326, 4_485_547],
    ),
    ("4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1", &[13, 272, 3_707, 92_741]),
];

/// The start; Fairy-Stockfish has the same count of seven plies. To others a pass is a ply, and it
/// may come as the ninth: `othello/mod.rs` counts further in their way.
const OTHELLO: Counts = (
    "---------------------------OX------XO--------------------------- X",
    &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216],
);

/// Empty points are all there is to count: 225 x 224 x 223 lines of three plies, and the ways to
/// fill the last points, five in a row or not.
const GOMOKU: &[Counts] = &[
    ("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x", &[225, 50_400, 11_239_200]),
    (
        "xoxoxoxoxoxoxox/oxoxoxoxoxoxoxo/xoxoxoxoxoxoxox/oxoxoxoxoxoxoxo/xoxoxoxoxo\
         xoxox/oxoxoxoxoxoxoxo/xoxoxoxoxoxoxox/oxoxoxoxoxoxoxo/xoxoxoxoxoxoxox/oxox\
         oxoxoxoxoxo/xoxoxoxoxoxoxox/oxoxoxoxoxoxoxo/xoxoxoxoxoxoxox/oxoxoxoxoxoxox\
         o/xoxoxo1xoxo1x1o o standard",
        &[3, 6, 6, 0],
    ),
];

fn check(name: &str, positions: &[Counts]) {
    let game = game(name).expect("the game is registered");
    for (start, counts) in positions {
        for (&count, depth) in counts.iter().zip(1..) {
            let ours = game.perft(Some(start), depth).expect(start);
            assert_eq!(ours, count, "{name}, `{start}`, {depth} plies");
        }
    }
}

#[test]
fn standard_chess() {
    check("chess", STANDARD);
}

#[test]
fn chess960() {
    check("chess", CHESS960);
}

#[test]
fn tictactoe() {
    check("tictactoe", &[TICTACTOE]);
}

#[test]
fn xiangqi() {
    check("xiangqi", XIANGQI);
}

#[test]
fn othello() {
    check("othello", &[OTHELLO]);
}

#[test]
fn gomoku() {
    check("gomoku", GOMOKU);
}

#[test]
fn no_plies_are_one_line() {
    for game in plypack_games::GAMES {
        assert_eq!(game.perft(None, 0), Ok(1), "{}", game.info().name);
    }
}
