//! Ranks positions of random play and of every corner of the rules, and unranks arbitrary bytes.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::testkit::Random;
use plypack_core::{Error, Rules};
use plypack_games::chess::position_rank::{
    BISHOP, BYTES, KING, KNIGHT, PAWN, Placement, QUEEN, ROOK, Unranked, rank, unrank,
};
use plypack_games::chess::{Chess, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions and their ranks, by a program written in another language from `SPEC.md` alone.
const GOLDEN: &[(&str, &str)] = &[
    (START, "994065d4ade0143ab8991818a1675ebe9b3376ae"),
    ("4k3/8/8/8/8/8/8/4K3 b - - 99 1", "0000000000000000000000000000000000057894"),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "aaafa9a16c40269fe16c8d818c0b02c0338f472b",
    ),
    (
        "rnbqkbnr/ppp1pppp/8/8/3pP3/P7/1PPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "9a63412d316b893bcece2e11b1c95c98920c18cb",
    ),
    (
        "r1bqkbnr/ppp2ppp/8/3pP3/4p3/7P/PPP1PPP1/RNBQKBNR w KQkq d6 0 1",
        "aaafa9a16c40269fcc0b7a80dab5c72a2665a996",
    ),
    ("4k2r/8/5n2/2pP4/8/2P1p2Q/1q4Q1/R3K3 w Qk c6 0 1", "9a633e984628aec31acb2679515f9ed7d8c99e16"),
    ("8/5k2/1R3Pp1/1p4Pp/7P/1P4K1/1r6/8 b - - 3 1", "8376fb1fbaee18fd270eb4d21053bfffd01ef940"),
];

fn position(fen: &str) -> Position {
    Position::read_fen(fen).expect(fen)
}

fn fen_of(position: &Position) -> String {
    let mut fen = String::new();
    position.write_fen(&mut fen);
    fen
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ranks a position and unranks it, and checks that only the move number is lost.
fn check(position: &Position) -> [u8; BYTES] {
    let bytes = rank(position).unwrap_or_else(|error| panic!("{error}"));
    let back = unrank(&bytes).unwrap_or_else(|error| panic!("{}: {error}", fen_of(position)));
    let expected = fen_of(&Position { fullmove_number: 1, ..position.clone() });
    assert_eq!(fen_of(&back), expected);
    bytes
}

/// Checks the positions of random play; returns how many had an en passant field.
fn play(fen: &str, random: &mut Random) -> usize {
    let mut position = position(fen);
    let mut candidates = Vec::new();
    let mut noted = 0;
    for _ in 0..300 {
        if position.halfmove_clock > 100 {
            break;
        }
        check(&position);
        noted += usize::from(position.board.en_passant().is_some());
        candidates.clear();
        Chess.candidates(&position, &mut candidates);
        if candidates.is_empty() {
            break;
        }
        let index = random.next_u64() % candidates.len() as u64;
        Chess.play(&mut position, candidates[usize::try_from(index).expect("an index")]);
    }
    noted
}

#[test]
fn random_play_comes_back() {
    let mut random = Random::new(11);
    let mut noted = 0;
    for _ in 0..40 {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            // Only pawns: promotions and en passant.
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
            "r3k2r/1p1p1p1p/8/1P1P1P1P/p1p1p1p1/8/P1P1P1P1/R3K2R w KQkq - 0 1",
        ] {
            noted += play(fen, &mut random);
        }
    }
    assert!(noted > 500, "{noted}");
}

#[test]
fn ranks_are_those_of_the_specification() {
    for (fen, expected) in GOLDEN {
        assert_eq!(hex(&check(&position(fen))), *expected, "{fen}");
    }
}

#[test]
fn castling_rights_come_back() {
    let mut ranks = Vec::new();
    for side in ["w", "b"] {
        for rights in 0..16 {
            let letters = "KQkq".char_indices();
            let field: String = letters
                .filter(|(bit, _)| rights >> bit & 1 == 1)
                .map(|(_, letter)| letter)
                .collect();
            let field = if field.is_empty() { "-".into() } else { field };
            ranks.push(check(&position(&format!("r3k2r/8/8/8/8/8/8/R3K2R {side} {field} - 0 1"))));
        }
    }
    ranks.sort_unstable();
    ranks.dedup();
    assert_eq!(ranks.len(), 32);
}

#[test]
fn en_passant_comes_back() {
    let [mut taken, mut loose] = [0; 2];
    for file in 0..8u8 {
        for beside in 0..4 {
            for black_to_move in [false, true] {
                // Our pawns left and right of the one that stepped, if they are on the board.
                let mut ours = 0;
                for (bit, neighbour) in [(1, file.checked_sub(1)), (2, Some(file + 1))] {
                    let on_board = neighbour.filter(|&file| file < 8 && beside & bit != 0);
                    ours |= on_board.map_or(0, |file| 1u64 << (32 + file));
                }
                let theirs = 1 << (32 + file);
                let mut men = [[0; 6]; 2];
                men[0][PAWN] = ours;
                men[1][PAWN] = theirs;
                men[0][KING] = 1 << 4;
                men[1][KING] = 1 << 60;
                if black_to_move {
                    men = men.map(|boards| boards.map(u64::swap_bytes));
                    men.swap(0, 1);
                }
                let placement = Placement {
                    men,
                    black_to_move,
                    en_passant: Some(file),
                    ..Placement::default()
                };
                let bytes = placement.rank().expect("it has a rank");
                assert_eq!(Placement::unrank(&bytes), Ok(placement));
                check(&placement.position().expect("the rules hold it"));
                if hex(&bytes).as_str() < TROMP_END {
                    taken += 1
                } else {
                    loose += 1
                }
                assert_eq!(hex(&bytes).as_str() < TROMP_END, ours != 0);
            }
        }
    }
    assert_eq!((taken, loose), (44, 20));
}

/// The number of Tromp's positions, times 101; smaller ranks are of positions that he counts.
const TROMP_END: &str = "9a63412d316b893bceecdb5341d45c113d589416";

#[test]
fn what_tromp_misses_has_a_rank() {
    // 1. d4 e5 2. Nf3 e4 3. Ng1 Nc6 4. h3 Ne5 5. dxe5 d5: after one capture seven files are
    // opposed, but the e-file not by the pawn that can take.
    let fen = "r1bqkbnr/ppp2ppp/8/3pP3/4p3/7P/PPP1PPP1/RNBQKBNR w KQkq d6 0 6";
    assert!(hex(&check(&position(fen))).as_str() > TROMP_END);
}

#[test]
fn what_has_no_rank_is_refused_by_name() {
    let refused = |fen: &str, why: Unranked| {
        let Err(Error::Position { text, why: said, .. }) = rank(&position(fen)) else {
            panic!("{fen} has a rank");
        };
        assert_eq!((text.as_str(), said), (fen, why.to_string()));
    };
    // Two queens and eight pawns.
    refused("4k3/8/8/8/8/8/PPPPPPPP/1QQ1K3 w - - 0 1", Unranked::Promoted);
    // A promoted man without a capture.
    refused("rnbqkbnr/pppppppp/8/8/8/Q7/1PPPPPPP/RNBQKBNR w KQkq - 0 1", Unranked::Captures);
    // One capture, though two pairs of pawns have passed each other.
    refused("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", Unranked::Opposed);
    refused("nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w KQkq - 2 10", CASTLING);
    refused("4k3/8/8/8/8/8/8/1R2KR2 w KQ - 0 1", CASTLING);
    refused("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", CASTLING);
    refused("4k3/8/8/8/8/8/8/4K2R w K - 101 80", Unranked::Clock);
    refused("4k3/8/8/8/8/8/8/4K2R w K - 300 200", Unranked::Clock);
}

const CASTLING: Unranked = Unranked::Castling;

#[test]
fn what_no_board_can_be_is_refused_by_name() {
    let start = Placement::of(&position(START)).expect("it castles as usual");
    let refused = |change: &dyn Fn(&mut Placement), why: Unranked| {
        let mut placement = start;
        change(&mut placement);
        assert_eq!(placement.rank(), Err(why), "{placement:?}");
    };
    refused(&|it| it.men[0][KNIGHT] |= it.men[1][PAWN], Unranked::Overlap);
    refused(&|it| it.men[1][KING] = 0, Unranked::Kings);
    refused(&|it| it.men[0][KING] |= 1 << 30, Unranked::Kings);
    refused(&|it| it.men[0] = [1, 0, 0, 0, 0, 1 << 20], Unranked::PawnRank);
    refused(&|it| it.men[0][PAWN] |= 1 << 20, Unranked::Pawns);
    refused(&|it| it.men[1][BISHOP] |= 1 << 20, Unranked::Men);
    refused(&|it| it.men[0][ROOK] = 1 << 7, CASTLING);
    refused(&|it| it.men[1][KING] = 1 << 40, CASTLING);
    refused(&|it| it.clock = 101, Unranked::Clock);
    refused(&|it| it.en_passant = Some(3), Unranked::EnPassant);
    refused(&|it| it.en_passant = Some(200), Unranked::EnPassant);
    let stepped = "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq d6 0 1";
    let mut blocked = Placement::of(&position(stepped)).expect("it castles as usual");
    assert!(blocked.rank().is_ok());
    blocked.men[0][QUEEN] = 1 << 43;
    assert_eq!(blocked.rank(), Err(Unranked::EnPassant));
}

#[test]
fn bytes_that_nobody_wrote_are_refused_or_come_back() {
    let mut random = Random::new(5);
    let [mut ranks, mut held] = [0; 2];
    for round in 0..40_000 {
        // Small numbers too, since classes with pinned men come early.
        let zeros = if round % 2 == 0 {
            0
        } else {
            usize::from(random.next_u64().to_le_bytes()[7]) % BYTES
        };
        let mut bytes = [0; BYTES];
        for byte in &mut bytes[zeros..] {
            *byte = random.next_u64().to_le_bytes()[7];
        }
        match Placement::unrank(&bytes) {
            Ok(placement) => {
                assert_eq!(placement.rank(), Ok(bytes), "{placement:?}");
                ranks += 1;
                if let Ok(position) = unrank(&bytes) {
                    assert_eq!(check(&position), bytes);
                    held += 1;
                }
            }
            Err(error) => assert!(matches!(error, Error::Cell { at: 0, .. }), "{error}"),
        }
    }
    // Two thirds of all numbers are ranks, but few of their positions are valid.
    assert!(ranks > 20_000 && held > 200, "{ranks} {held}");
}

#[test]
fn damaged_ranks_are_refused_or_give_another_position() {
    let bytes = rank(&position(START)).expect("it has a rank");
    for bit in 0..8 * BYTES {
        let mut damaged = bytes;
        damaged[bit / 8] ^= 1 << (bit % 8);
        if let Ok(position) = unrank(&damaged) {
            assert_eq!(rank(&position), Ok(damaged));
        }
    }
    for length in (0..BYTES).chain(BYTES + 1..60) {
        let why = "a rank has 20 bytes";
        assert_eq!(unrank(&vec![0; length]), Err(Error::Cell { at: 0, why }), "{length}");
    }
}
