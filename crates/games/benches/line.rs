//! Measures how many plies a second each line codec of a game encodes and decodes, on one core.
//!
//! `cargo bench -p plypack-games --bench line -- FILE GAME CODEC..` reads PGN without comments, of
//! chess if no other game is named; without a file it repeats one game of chess. The codecs, all of
//! them if none is named, take turns, so that noise affects them equally.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use plypack_games::chess::claims::BUFFETT_GAME;
use plypack_games::line_codecs;

/// The time spent, all codecs together.
const TIME: Duration = Duration::from_secs(10);

/// The number of games coded before another codec takes its turn.
const STRETCH: usize = 20;

/// Processor time of this thread if the system reports it, else elapsed time.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|spent| spent.parse().ok());
    spent.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let (file, name) = (args.next(), args.next().unwrap_or_else(|| "chess".to_owned()));
    let games: Vec<Vec<u16>> = match &file {
        Some(file) => read(&name, &std::fs::read_to_string(file).expect("the file can be read")),
        None => vec![indices("chess", BUFFETT_GAME); STRETCH],
    };
    let named: Vec<String> = args.collect();
    let wanted = |codec: &str| named.is_empty() || named.iter().any(|name| name == codec);
    let codecs: Vec<_> = line_codecs(&name).filter(|codec| wanted(codec.info().name)).collect();
    let mut spent = vec![(0usize, 0usize, Duration::ZERO, Duration::ZERO); codecs.len()];
    let mut stretches = games.chunks(STRETCH).cycle();
    while spent.iter().map(|(.., encoding, decoding)| *encoding + *decoding).sum::<Duration>()
        < TIME
    {
        let stretch = stretches.next().expect("a game");
        for (codec, (plies, bits, encoding, decoding)) in codecs.iter().zip(&mut spent) {
            let begun = now();
            let encode = |game: &Vec<u16>| codec.encode_indices(None, game).expect("a legal game");
            let codes: Vec<Vec<u8>> = stretch.iter().map(encode).collect();
            *encoding += now() - begun;
            let begun = now();
            for (code, game) in codes.iter().zip(stretch) {
                let count = u32::try_from(game.len()).expect("a short game");
                black_box(codec.decode_indices(None, count, code)).expect("its own code");
            }
            *decoding += now() - begun;
            *plies += stretch.iter().map(Vec::len).sum::<usize>();
            *bits += codes.iter().map(|code| 8 * code.len()).sum::<usize>();
        }
    }
    println!("{:24} {:>8} {:>14} {:>14}", "codec", "bits/ply", "encode plies/s", "decode plies/s");
    for (codec, (plies, bits, encoding, decoding)) in codecs.iter().zip(spent) {
        let plies = plies as f64;
        println!(
            "{:24} {:8.3} {:14.0} {:14.0}",
            codec.info().name,
            bits as f64 / plies,
            plies / encoding.as_secs_f64(),
            plies / decoding.as_secs_f64()
        );
    }
}

/// Reads the games of a PGN file without comments.
fn read(game: &str, text: &str) -> Vec<Vec<u16>> {
    let mut games = Vec::new();
    let mut moves = String::new();
    for line in text.lines().chain(["["]) {
        if !line.starts_with('[') {
            moves.extend([line, " "]);
        } else if !moves.trim().is_empty() {
            games.push(indices(game, &moves));
            moves.clear();
        }
    }
    games
}

/// Returns the indices of a line's moves, as far as they are legal.
fn indices(game: &str, moves: &str) -> Vec<u16> {
    let word = |word: &str| {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        (!word.is_empty() && !word.starts_with(['-', '/', '*'])).then(|| word.to_owned())
    };
    let words: Vec<String> = moves.split_whitespace().filter_map(word).collect();
    let game = plypack_games::game(game).expect("a game of this name");
    game.read_moves(None, &mut words.iter().map(String::as_str)).expect("the usual start").0
}
