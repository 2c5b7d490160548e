//! Random bytes decode to plausible games: a model that knows the game turns noise into moves that
//! players could have made. The other models are the judges.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::testkit::Random;
use plypack_core::{ErasedLineCodec, Error, Notation};
use plypack_games::{GAMES, line_codec};

/// Plies of each game that are judged.
const PLIES: u32 = 30;
/// Bytes that hold more moves than that.
const BYTES: usize = 40;
const LINES: usize = 60;

/// The largest cost of moves, to a judge that never saw the model, relative to their cost if all
/// moves are alike.
const MOST: f64 = 0.8;

/// The most bits a ply that the judge may need, and the least that coding all moves alike needs,
/// based on games of players.
const LIMITS: [(&str, f64, f64); 3] =
    [("chess", 3.5, 4.8), ("xiangqi", 3.6, 5.0), ("othello", 2.4, 3.0)];

/// Decodes random bytes, as far as a game goes: one may end by mate.
fn drawn(codec: &dyn ErasedLineCodec) -> Vec<Vec<u16>> {
    let mut random = Random::new(7);
    let line = |_| {
        let code: Vec<u8> = (0..BYTES).map(|_| random.next_u64().to_le_bytes()[0]).collect();
        let mut cursor = codec.cursor(None, 1000, &code).expect("a decoder");
        let mut next = || match cursor.next() {
            Err(Error::Over { .. }) => None,
            next => next.expect("any bytes are a game"),
        };
        (0..PLIES).map_while(|_| next()).collect()
    };
    (0..LINES).map(line).collect()
}

/// Returns the bits a ply that a codec takes for games.
fn bits(game: &str, codec: &str, lines: &[Vec<u16>]) -> f64 {
    let codec = line_codec(game, codec).expect("a codec");
    let (mut bits, mut plies) = (0, 0);
    for line in lines {
        let texts = codec.game().write_moves(None, line, Notation::Coordinate).expect("legal");
        let line = codec.encode(None, &mut texts.iter(), Notation::Coordinate).expect("legal");
        bits += line.bits;
        plies += line.plies;
    }
    f64::from(bits) / f64::from(plies)
}

/// Games drawn from noise are as likely as games of players, to a judge that never saw the model.
#[test]
fn noise_makes_games() {
    let mut count = 0;
    for game in GAMES {
        let name = game.info().name;
        let Some(codec) = line_codec(name, "line.link") else { continue };
        let lines = drawn(codec);
        let whole = lines.iter().filter(|line| line.len() == PLIES as usize).count();
        assert!(whole * 10 >= LINES * 9, "{name}: {whole} of {LINES} lines");
        let [ranked, uniform] =
            ["line.ranked", "line.uniform"].map(|codec| bits(name, codec, &lines));
        eprintln!("{name}: ranked {ranked:.2}, uniform {uniform:.2}");
        assert!(ranked <= MOST * uniform, "{name}: {ranked:.2}, {uniform:.2}");
        if let Some((_, most, least)) = LIMITS.iter().find(|limit| limit.0 == name) {
            assert!(ranked <= *most && uniform >= *least, "{name}: {ranked:.2}, {uniform:.2}");
        }
        count += 1;
    }
    assert!(count > 3, "{count} games have a model");
}

#[test]
fn games_of_chess_begin_as_players_do() {
    let codec = line_codec("chess", "line.link").expect("a codec");
    let first = |line: &Vec<u16>| {
        let texts = codec.game().write_moves(None, &line[..1], Notation::Coordinate);
        texts.expect("legal").iter().map(str::to_owned).collect::<String>()
    };
    let usual = ["e2e4", "d2d4", "g1f3", "c2c4"];
    let lines = drawn(codec);
    let begun = lines.iter().filter(|line| usual.contains(&first(line).as_str())).count();
    assert!(begun * 10 >= LINES * 8, "{begun} of {LINES} begin as players do");
}
