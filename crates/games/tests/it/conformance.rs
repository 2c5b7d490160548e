//! Runs the conformance suite on every row of the registries, so that a new codec or game is tested
//! without writing a test.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::golden::starts;
use plypack_core::codec::OWN_NUMBERS;
use plypack_core::testkit::{
    Random, check_codec, check_hostile, check_hostile_position, check_position, check_positions,
    random_line,
};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec, Notation, UnknownCodec};
use plypack_games::{
    GAMES, all_line_codecs, all_position_codecs, line_codec, line_codec_like, line_codecs,
    position_codecs, stored_line_codec, stored_position_codec, stored_text, tier, tiers,
    usual_line_codec,
};
use plypack_testing::sample::{every, is_whole, seed};

/// The length of the random lines. Every bit of their code is flipped, so the work grows with its
/// square.
const PLIES: u32 = 26;

fn uniform_of(codec: &dyn ErasedLineCodec) -> &'static dyn ErasedLineCodec {
    line_codec(codec.game().info().name, "line.uniform").expect("every game has line.uniform")
}

/// Runs `check` for every codec and start, and fails with a list of all errors.
fn check_all(check: impl Fn(&dyn ErasedLineCodec, Option<&str>) -> Result<(), String>) {
    let mut wrong = Vec::new();
    for codec in all_line_codecs() {
        let game = codec.game().info().name;
        for start in starts(game) {
            if let Err(why) = check(codec, start.as_deref()) {
                let (codec, start) = (codec.info().name, start.as_deref().unwrap_or("the start"));
                wrong.push(format!("{game} {codec} from {start}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a codec is checked less: `line.max` takes two milliseconds a ply.
fn is_slow(codec: &dyn ErasedLineCodec) -> bool {
    codec.info().name == "line.max"
}

#[test]
fn random_play_comes_back() {
    check_all(|codec, start| {
        let plies = if is_slow(codec) { 3 } else { PLIES };
        let seeds = match seed() % 3 {
            _ if is_whole() => 0..3,
            seed => seed..seed + 1,
        };
        check_codec(codec, uniform_of(codec), start, plies, seeds)
    });
}

#[test]
fn random_bytes_decode_or_are_refused() {
    check_all(|codec, start| {
        let mut random = Random::new(7);
        let slow = is_slow(codec);
        for length in every(if slow { 12 } else { 4 }, 48) {
            let code: Vec<u8> = std::iter::repeat_with(|| random.next_u64().to_le_bytes()[0])
                .take(length)
                .collect();
            for plies in [0, 1, 20, if slow { 30 } else { 300 }] {
                check_hostile(codec, start, plies, &code)?;
            }
        }
        Ok(())
    });
}

#[test]
fn zeros_decode() {
    check_all(|codec, start| {
        let most = if is_slow(codec) { 3 } else { 20 };
        (0..most).try_for_each(|plies| check_hostile(codec, start, plies, &[0; 8]))
    });
}

#[test]
fn positions_come_back_from_their_text() {
    for game in GAMES {
        let name = game.info().name;
        let uniform = line_codec(name, "line.uniform").expect("every game has line.uniform");
        for start in starts(name) {
            for seed in 0..8 {
                let checked = check_positions(*game, uniform, start.as_deref(), seed);
                assert_eq!(checked, Ok(()), "{name} from {start:?}, seed {seed}");
            }
        }
    }
}

/// Runs `check` for every position codec, and fails with a list of all errors.
fn check_all_positions(check: impl Fn(&dyn ErasedPositionCodec) -> Result<(), String>) {
    let name = |codec: &dyn ErasedPositionCodec| {
        format!("{} {}", codec.game().info().name, codec.info().name)
    };
    let wrong: Vec<String> = all_position_codecs()
        .filter_map(|codec| Some(format!("{}: {}", name(codec), check(codec).err()?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn positions_come_back_from_every_codec() {
    check_all_positions(|codec| {
        let game = codec.game().info().name;
        let uniform = line_codec(game, "line.uniform").ok_or("it has no line.uniform")?;
        let (mut held, mut all) = (0, 0);
        for start in starts(game) {
            for seed in every(2, 2) {
                let line = random_line(uniform, start.as_deref(), PLIES, seed as u64)
                    .map_err(|e| e.to_string())?;
                // Every bit of every code is flipped, so a few positions of each line must suffice.
                for plies in (0..=line.len()).step_by(13) {
                    let text = uniform.game().position_after(start.as_deref(), &line[..plies]);
                    let text = text.map_err(|error| error.to_string())?;
                    held += usize::from(check_position(codec, &text)?.is_some());
                    all += 1;
                }
            }
        }
        if held * 2 < all { Err(format!("it holds {held} of {all} positions")) } else { Ok(()) }
    });
}

#[test]
fn random_bytes_decode_to_positions_or_are_refused() {
    check_all_positions(|codec| {
        let mut random = Random::new(11);
        for length in 0..400 {
            let mut code: Vec<u8> = std::iter::repeat_with(|| random.next_u64().to_le_bytes()[0])
                .take(length / 8)
                .collect();
            check_hostile_position(codec, &code)?;
            // With few bits set, more of them are positions.
            for byte in &mut code {
                *byte &= random.next_u64().to_le_bytes()[0] & random.next_u64().to_le_bytes()[1];
            }
            check_hostile_position(codec, &code)?;
        }
        check_hostile_position(codec, &[0; 64])?;
        check_hostile_position(codec, &[0xff; 64])
    });
}

#[test]
fn claims_are_measured() {
    let mut wrong = Vec::new();
    for codec in all_line_codecs() {
        for claim in codec.claims() {
            let name =
                format!("{} {}, {}", codec.game().info().name, codec.info().name, claim.what);
            let mut moves = claim.case.split(' ');
            let line = codec.encode(claim.start, &mut moves, Notation::Customary);
            let line = line.expect("a position to start from");
            if let Some(error) = line.stopped {
                wrong.push(format!("{name}: {error}"));
            } else if line.texts.iter().collect::<Vec<_>>().join(" ") != claim.case {
                wrong.push(format!("{name}: its moves are written differently"));
            } else if line.bits != claim.our_bits {
                let (ours, bits) = (claim.our_bits, line.bits);
                wrong.push(format!("{name}: our_bits is {ours}, measured {bits}"));
            }
        }
    }
    for codec in all_position_codecs() {
        for claim in codec.claims() {
            let name =
                format!("{} {}, {}", codec.game().info().name, codec.info().name, claim.what);
            match codec.encode(claim.case) {
                Err(error) => wrong.push(format!("{name}: {error}")),
                Ok(code) => {
                    let bits = code.board_bits.unwrap_or(code.bits);
                    if bits != claim.our_bits {
                        let our_bits = claim.our_bits;
                        wrong.push(format!("{name}: our_bits is {our_bits}, measured {bits}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_and_numbers_are_unique() {
    let mut games: Vec<_> = GAMES.iter().map(|game| (game.info().id, game.info().name)).collect();
    games.sort_unstable();
    for pair in games.windows(2) {
        assert!(pair[0].0 != pair[1].0 && pair[0].1 != pair[1].1, "{pair:?}");
    }
    for (_, game) in games {
        let lines: Vec<_> = line_codecs(game).map(|row| row.info()).collect();
        let positions: Vec<_> = position_codecs(game).map(|row| row.info()).collect();
        for (place, codec) in lines.iter().chain(&positions).enumerate() {
            let mut before = lines.iter().chain(&positions).take(place);
            assert!(before.all(|other| other.id != codec.id), "{game}: {codec:?}");
        }
        for codec in &lines {
            assert!(positions.iter().all(|other| other.name != codec.name), "{game}: {codec:?}");
        }
    }
    // A number below `OWN_NUMBERS` names the same codec in every game.
    let lines = all_line_codecs().map(|codec| codec.info());
    let infos: Vec<_> = lines.chain(all_position_codecs().map(|codec| codec.info())).collect();
    let shared: Vec<_> = infos.iter().filter(|info| info.id < OWN_NUMBERS).collect();
    for a in &shared {
        for b in &shared {
            assert_eq!(a.name == b.name, a.id == b.id, "{} and {}", a.name, b.name);
        }
    }
}

#[test]
fn rows_are_found_by_what_files_say_of_them() {
    for codec in all_line_codecs() {
        let text = stored_text(codec.game(), codec.info());
        let found = stored_line_codec(&text).expect("a row");
        assert_eq!(
            (found.game().info().id, found.info().id),
            (codec.game().info().id, codec.info().id)
        );
    }
    for codec in all_position_codecs() {
        let text = stored_text(codec.game(), codec.info());
        let found = stored_position_codec(&text).expect("a row");
        assert_eq!(
            (found.game().info().id, found.info().id),
            (codec.game().info().id, codec.info().id)
        );
    }
    let why = |text: &str| stored_line_codec(text).map(|codec| codec.info().id);
    assert_eq!(why("chess/line.uniform/2"), Ok(2));
    for text in ["chess/line.uniform/40000", "hex/line.uniform/2", "chess/line.other/2"] {
        assert_eq!(why(text), Err(UnknownCodec::Newer { codec: text.into() }));
    }
    for text in ["chess/line.uniform", "line.uniform", ""] {
        assert_eq!(why(text), Err(UnknownCodec::Unnumbered { codec: text.into() }));
    }
    assert_eq!(
        why("chess/line.uniform/1"),
        Err(UnknownCodec::Dropped { codec: "chess/line.uniform/1".into() })
    );
}

#[test]
fn every_game_has_tiers() {
    for game in GAMES.iter().map(|game| game.info().name) {
        let usual = usual_line_codec(game).expect("a tier");
        assert!(tiers(game).next().is_some(), "{game}");
        for row in tiers(game) {
            let here = line_codecs(game).any(|codec| codec.info().id == row.codec.info().id);
            assert!(here && row.codec.game().info().name == game, "{game}: {}", row.name);
            let newest = tier(game, row.name).expect("a tier").info().id;
            assert!(newest >= row.codec.info().id, "{game}: the newest {} comes first", row.name);
        }
        let default = tier(game, "default").map(|codec| codec.info().id);
        assert!(default.is_none_or(|default| default == usual.info().id), "{game}");
        for codec in line_codecs(game) {
            let like = line_codec_like(codec, game);
            assert_eq!(like.info().id, codec.info().id, "{game}: it stands for itself");
            let of_chess = line_codec_like(codec, "chess");
            assert_eq!(of_chess.game().info().name, "chess");
        }
    }
    let like = |codec: &str, game: &str| {
        line_codec_like(line_codec("chess", codec).expect(codec), game).info().name
    };
    assert_eq!(like("line.small", "xiangqi"), "line.small", "by its name");
    assert_eq!(like("line.small", "go"), "line.link", "by its tier");
    assert_eq!(like("line.index", "go"), "line.default", "the usual one");
    assert!(usual_line_codec("hex").is_none() && tier("chess", "line.default").is_none());
}
