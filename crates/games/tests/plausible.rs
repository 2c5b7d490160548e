//! Random bytes decode to plausible games: a model that knows the game makes of noise what players
//! could have played. The other models are the judges of it.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use plypack_core::codecs::line::policy::small;
use plypack_core::testkit::Random;
use plypack_core::{Game, LineCodec, MoveSink, Notation, Ply, walk};
use plypack_games::{chess, line_codec, othello, xiangqi};

/// Plies of each game that are looked at.
const PLIES: usize = 30;
/// Bytes that hold more moves than that.
const BYTES: usize = 40;
const GAMES: usize = 60;

/// The texts of a line.
struct Spelt<'a, G>(&'a G, Vec<String>);

impl<G: Game> MoveSink<G> for Spelt<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        let mut text = String::new();
        let Ply { before, candidates, index, after } = *ply;
        self.0.write_move(before, candidates, index, after, Notation::Coordinate, &mut text);
        self.1.push(text);
    }
}

/// What random bytes decode to.
fn drawn<G: Game>(game: &G, codec: &impl LineCodec<G>) -> Vec<Vec<String>> {
    let mut random = Random::new(7);
    (0..GAMES)
        .map(|_| {
            let code: Vec<u8> = (0..BYTES).map(|_| random.next_u64().to_le_bytes()[0]).collect();
            let start = game.start();
            let mut decoder = codec.decoder(game, &start, 1000, &code).expect("a decoder");
            let mut spelt = Spelt(game, Vec::new());
            walk(game, game.start(), &mut decoder, &mut spelt);
            spelt.1.truncate(PLIES);
            spelt.1
        })
        .collect()
}

/// Bits a ply that a codec takes for games.
fn bits(game: &str, codec: &str, games: &[Vec<String>]) -> f64 {
    let codec = line_codec(game, codec).expect("a codec");
    let (mut bits, mut plies) = (0, 0);
    for moves in games {
        let moves = &mut moves.iter().map(String::as_str);
        let line = codec.encode(None, moves, Notation::Coordinate).expect("legal moves");
        bits += line.bits;
        plies += line.plies;
    }
    f64::from(bits) / f64::from(plies)
}

/// Checks that games drawn from noise are as likely, to a judge that never saw the model, as
/// games of players are: `most` bits a ply, where all moves alike would take `least`.
fn check<G: Game>(game: &G, codec: &impl LineCodec<G>, most: f64, least: f64) {
    let games = drawn(game, codec);
    let name = game.info().name;
    assert!(games.iter().all(|moves| moves.len() == PLIES), "{name}");
    let ranked = bits(name, "line.ranked", &games);
    let uniform = bits(name, "line.uniform", &games);
    eprintln!("{name}: ranked {ranked:.2}, uniform {uniform:.2}");
    assert!(ranked <= most && uniform >= least, "{name}: {ranked:.2}, {uniform:.2}");
}

#[test]
fn noise_makes_games_of_chess() {
    let model = small::<4, _>(chess::model::Eyes, &chess::model::GATE);
    check(&chess::Chess, &model, 3.5, 4.8);
    let firsts = drawn(&chess::Chess, &model);
    let usual = ["e2e4", "d2d4", "g1f3", "c2c4"];
    let begun = firsts.iter().filter(|moves| usual.contains(&moves[0].as_str())).count();
    assert!(begun * 10 >= GAMES * 8, "{begun} of {GAMES} begin as players do");
}

#[test]
fn noise_makes_games_of_xiangqi() {
    let model = small::<4, _>(xiangqi::model::Eyes, &xiangqi::model::GATE);
    check(&xiangqi::Xiangqi, &model, 3.6, 5.0);
}

#[test]
fn noise_makes_games_of_othello() {
    let model = small::<4, _>(othello::model::Eyes, &othello::model::GATE);
    check(&othello::Othello, &model, 2.4, 3.0);
}
