//! Blocks of positions of every game: they come back, alone and together, and arbitrary bytes
//! decode to positions or give an error.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::codecs::blocks::BLOCK_MAX;
use plypack_core::position::Counters;
use plypack_core::testkit::Random;
use plypack_core::{ErasedPositionCodec, ErasedRules};
use plypack_games::{GAMES, line_codec, position_codec};

fn codec(game: &dyn ErasedRules) -> &'static dyn ErasedPositionCodec {
    position_codec(game.info().name, "board.blocks").expect("every game has it")
}

/// Returns positions of random games, in sequence, with what is known of them.
fn positions(game: &dyn ErasedRules, count: usize) -> Vec<(String, Counters)> {
    let lines = line_codec(game.info().name, "line.uniform").expect("every game has it");
    let mut random = Random::new(9);
    let mut positions = Vec::new();
    while positions.len() < count {
        let code: Vec<u8> = (0..40).map(|_| (random.next_u64() & 0xff) as u8).collect();
        let plies = 1 + u32::try_from(random.next_u64() % 40).unwrap_or(0);
        let Ok(mut cursor) = lines.cursor(None, plies, &code) else { continue };
        while let Ok(Some(_)) = cursor.next() {
            let mut text = String::new();
            cursor.write_position(&mut text);
            let known = match random.next_u64() % 3 {
                0 => [None; 2],
                1 => [Some(3), None],
                _ => [Some(0), Some(positions.len().try_into().unwrap_or(0))],
            };
            positions.push((text, known));
        }
    }
    positions.truncate(count);
    positions
}

#[test]
fn blocks_come_back() {
    for game in GAMES {
        let codec = codec(*game);
        for count in [1, 2, 77, BLOCK_MAX] {
            let positions = positions(*game, count);
            let texts: Vec<(&str, Counters)> =
                positions.iter().map(|(text, known)| (text.as_str(), *known)).collect();
            let known: Vec<Counters> = positions.iter().map(|position| position.1).collect();
            let code = codec.encode_block(&texts).expect("a block");
            let back = codec.decode_block(&code, &known).expect("its own code");
            assert!(back.iter().eq(positions.iter().map(|position| &position.0)));
            // The first positions need only what is known of them.
            let some = codec.decode_block(&code, &known[..count.div_ceil(2)]).expect("its code");
            assert_eq!(some, back[..count.div_ceil(2)]);
        }
        let many: Vec<_> = std::iter::repeat_n(positions(*game, 1), BLOCK_MAX + 1).collect();
        let many: Vec<_> = many.iter().map(|one| (one[0].0.as_str(), [None; 2])).collect();
        assert!(codec.encode_block(&many).is_err());
    }
}

#[test]
fn any_bytes_are_positions_or_an_error() {
    let mut random = Random::new(3);
    for game in GAMES {
        let codec = codec(*game);
        let positions = positions(*game, 20);
        let texts: Vec<_> = positions.iter().map(|(text, known)| (text.as_str(), *known)).collect();
        let known: Vec<Counters> = positions.iter().map(|position| position.1).collect();
        let code = codec.encode_block(&texts).expect("a block");
        let mut refused = 0;
        for round in 0..200 {
            let mut bytes = code.clone();
            match round % 3 {
                0 => {
                    let place = usize::try_from(random.next_u64()).unwrap_or(0) % bytes.len();
                    bytes[place] ^= 1 << (random.next_u64() % 8);
                }
                1 => bytes.truncate(round % bytes.len()),
                _ => bytes = (0..60).map(|_| (random.next_u64() & 0xff) as u8).collect(),
            }
            refused += usize::from(codec.decode_block(&bytes, &known).is_err());
        }
        let name = game.info().name;
        assert!(refused > 0 || name == "tictactoe" || name == "gomoku", "{name}");
    }
}

#[test]
fn a_codec_of_single_positions_has_no_blocks() {
    let codec = position_codec("chess", "board.aligned").expect("it is registered");
    assert!(!codec.has_blocks());
    assert!(codec.encode_block(&[]).is_err() && codec.decode_block(&[], &[]).is_err());
}

/// Positions of a game resemble each other: a block is smaller than its positions coded alone.
#[test]
fn a_block_is_smaller_than_its_parts() {
    let lines = line_codec("chess", "line.uniform").expect("it is registered");
    let mut cursor = lines.cursor(None, 0, &[]).expect("the usual start");
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"];
    let text = |text: &str| {
        cursor.read(text).expect("legal");
        let mut position = String::new();
        cursor.write_position(&mut position);
        position
    };
    let texts: Vec<String> = moves.into_iter().map(text).collect();
    let codec = codec(lines.game());
    let together: Vec<(&str, Counters)> = texts.iter().map(|text| (&**text, [None; 2])).collect();
    let together = codec.encode_block(&together).expect("a block").len();
    let alone: usize =
        texts.iter().map(|text| codec.encode(text).expect("a position").bytes.len()).sum();
    assert!(together < alone, "{together} {alone}");
}
