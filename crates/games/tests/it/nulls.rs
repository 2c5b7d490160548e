//! Null moves: lines with them come back from every codec that takes them, and the other codecs
//! refuse them.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::SplitMix;
use plypack_core::{Branch, ErasedLineCodec, Error, MoveFault, Notation};
use plypack_games::{game, line_codec, line_codecs, with_nulls, without_nulls};

const STARTS: [Option<&str>; 3] = [
    None,
    Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    Some("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 7 40"),
];

/// Returns a line of random moves, in some of which a side passes.
fn line(start: Option<&str>, seed: u64, plies: u32) -> Vec<String> {
    let mut random = SplitMix::new(seed, 0);
    let mut cursor = game("chess").expect("chess").cursor(start).expect("a start");
    let mut moves = Vec::new();
    for _ in 0..plies {
        let count = cursor.candidates();
        if count == 0 {
            break;
        }
        let passes = random.below(4) == 0 && cursor.read("--").is_ok();
        if !passes {
            let choice = random.below(u32::try_from(count).expect("few"));
            cursor.play(u16::try_from(choice).expect("few")).expect("a candidate");
        }
        let mut text = String::new();
        cursor.write_move(Notation::Customary, &mut text);
        moves.push(text);
    }
    moves
}

fn takers() -> impl Iterator<Item = &'static dyn ErasedLineCodec> {
    line_codecs("chess").filter(|codec| codec.takes_nulls())
}

#[test]
fn lines_with_null_moves_come_back() {
    assert_eq!(takers().count(), 5);
    for codec in takers() {
        let name = codec.info().name;
        for (start, seed) in
            STARTS.into_iter().zip(0..).flat_map(|s| (0..8).map(move |n| (s.0, s.1 * 8 + n)))
        {
            let moves = line(start, seed, 60);
            let mut texts = moves.iter().map(String::as_str);
            let (coded, trunk) =
                codec.encode_trunk(start, &mut texts, Notation::Customary, true).expect("a start");
            assert_eq!(coded.stopped, None, "{name}: {moves:?}");
            assert!(coded.texts.iter().eq(moves.iter().map(String::as_str)), "{name}");
            assert_eq!(trunk.hints().expect("tables").len(), moves.len());
            let back = codec.decode(start, coded.plies, &coded.code, Notation::Customary);
            let back = back.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(back.iter().eq(moves.iter().map(String::as_str)), "{name}");
            let indices = codec.decode_indices(start, coded.plies, &coded.code).expect("its code");
            assert_eq!(codec.encode_indices(start, &indices).as_deref(), Ok(&coded.code[..]));
            let mut keys = Vec::new();
            codec.keys(start, coded.plies, &coded.code, &mut keys).expect("its code");
            let mut cursor = codec.cursor(start, coded.plies, &coded.code).expect("its code");
            for key in keys {
                assert_eq!(cursor.key(), key);
                cursor.next().expect("its code");
            }
            // Branches, coded together or one by one.
            for ply in [1, 2, coded.plies / 2, coded.plies] {
                let rest: Vec<&str> =
                    moves.iter().skip(ply as usize - 1).map(String::as_str).collect();
                let (branch, _) =
                    trunk.encode_branch(ply, &mut rest.iter().copied(), Notation::Customary);
                let (texts, _) = trunk
                    .decode_branch(ply, branch.plies, &branch.code, Notation::Customary)
                    .expect("its code");
                assert!(texts.iter().eq(rest.iter().copied()), "{name}");
                let branch_plies = branch.plies;
                let branch = |ply, plies| Branch { ply, foretold: None, plies };
                let heads = [branch(1, 1), branch(ply, branch_plies)];
                let branches = [(heads[0], vec!["--"]), (heads[1], rest.clone())];
                // A side in check cannot pass.
                if let Some(code) = trunk.encode_branches(&branches) {
                    let texts = trunk.decode_branches(&heads, &code, Notation::Customary);
                    assert!(texts.expect("its code")[1].iter().eq(rest), "{name}");
                }
            }
            // Damage gives an error or another line, not a panic.
            for bit in 0..coded.code.len() * 8 {
                let mut damaged = coded.code.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                _ = codec.decode(start, coded.plies, &damaged, Notation::Customary);
            }
        }
    }
}

#[test]
fn other_codecs_refuse_null_moves_and_have_one_that_does_not() {
    for codec in line_codecs("chess").filter(|codec| !codec.takes_nulls()) {
        let mut moves = ["e4", "Z0", "d4"].into_iter();
        let coded = codec.encode(None, &mut moves, Notation::Customary).expect("a start");
        let refused = Some(Error::Move { ply: 2, text: "Z0".into(), fault: MoveFault::Illegal });
        assert_eq!((coded.plies, coded.stopped), (1, refused), "{}", codec.info().name);
        assert!(with_nulls(codec).is_some_and(|codec| codec.takes_nulls()));
    }
    for tier in ["line.uniform", "line.fast", "line.small", "line.default"] {
        let codec = line_codec("chess", tier).expect("a tier");
        let twin = with_nulls(codec).expect("chess has null moves");
        assert_eq!(twin.info().name, format!("{tier}-null"));
        assert_eq!(without_nulls(twin).info().text(), codec.info().text());
    }
    let othello = line_codec("othello", "line.uniform").expect("a codec");
    assert!(with_nulls(othello).is_none());
}

#[test]
fn nobody_passes_in_check() {
    let mut cursor = game("chess").expect("chess").cursor(Some("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"));
    let cursor = cursor.as_mut().expect("a start");
    assert!(cursor.read("--").is_err());
    let mut cursor = game("chess").expect("chess").cursor(STARTS[2]).expect("a start");
    cursor.read("null").expect("there is no check");
    let mut text = String::new();
    cursor.write_position(&mut text);
    assert_eq!(text, "4k3/8/8/8/4Pp2/8/8/4K3 w - - 8 41");
}
