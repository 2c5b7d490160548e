use plypack_games::{GAMES, line_codec, usual_line_codec};

use super::*;

fn synth(game: &str, codec: &str, seed: u64) -> Synth {
    Synth::new(line_codec(game, codec).expect("it is registered"), seed).expect("a model")
}

/// All that [`write`] gives.
fn written(synth: &Synth, games: u64, threads: usize) -> Vec<u8> {
    let (mut texts, mut counts) = (Vec::new(), Vec::new());
    let never = AtomicBool::new(false);
    let sink = &mut |bytes: &[u8]| {
        texts.extend_from_slice(bytes);
        Ok(())
    };
    write(synth, games, threads, &never, sink, &mut |games| counts.push(games)).expect("games");
    assert_eq!(counts.last().copied(), Some(games));
    texts
}

#[test]
fn a_game_depends_on_the_seed_and_its_number_alone() {
    let some = written(&synth("tictactoe", "line.uniform", 7), 600, 1);
    let more = written(&synth("tictactoe", "line.uniform", 7), 1_100, 2);
    assert!(more.starts_with(&some) && more.len() > some.len());
    let mut read = Vec::new();
    static NEVER: AtomicBool = AtomicBool::new(false);
    let mut reader = Reader::new(synth("tictactoe", "line.uniform", 7), 1_100, &NEVER);
    reader.read_to_end(&mut read).expect("games");
    assert!(read == more);
    let others = written(&synth("tictactoe", "line.uniform", 8), 600, 1);
    assert_ne!(some, others);
}

#[test]
fn every_game_says_that_it_is_made_up() {
    for game in GAMES {
        let codec = usual_line_codec(game.info().name).expect("every game has one");
        let synth = Synth::new(codec, 5).expect("a model");
        for number in 0..2 {
            let text = String::from_utf8(synth.game(number).expect("a game")).expect("UTF-8");
            assert!(text.contains("plypack synth, seed 5"), "{text}");
        }
    }
}

#[test]
fn codecs_without_a_model_are_refused() {
    let codec = line_codec("chess", "line.text").expect("it is registered");
    let why = Synth::new(codec, 0).expect_err("no model");
    assert!(why.contains("`line.text`"), "{why}");
}
