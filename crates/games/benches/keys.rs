//! Measures the cost of the keys of all positions on top of a walk along coded lines, on one core.
//!
//! `cargo bench -p plypack-games --bench keys` walks along games from the folder of test games,
//! `$PLYPACK_CORPUS` or else the `shared/data` beside the repository, or, for a game without any
//! there, along its golden lines. Ways take turns, so that noise affects them equally. The share is
//! the speed left with the keys, relative to decoding to indices.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use plypack_core::{ErasedLineCodec, ErasedRules, cell};
use plypack_games::{GAMES, line_codec};
use plypack_testing::corpus_file;

/// The time spent on a game, all ways together.
const TIME: Duration = Duration::from_secs(4);

/// The number of lines walked before another way takes its turn.
const STRETCH: usize = 20;

/// The number of games taken from a file.
const MOST: usize = 1000;

/// Files of games: PGN without comments, or `.tsv.xz`, with size, rule and transcript for gomoku,
/// and with name and moves for others.
const FILES: [(&str, &str); 4] = [
    ("chess", "chess/dev/robust/python-chess/kasparov-deep-blue-1997.pgn"),
    ("xiangqi", "xiangqi/xiangqi_dev.tsv.xz"),
    ("othello", "othello/othello_dev.tsv.xz"),
    ("gomoku", "gomoku/syn_dev.tsv.xz"),
];

/// A line as files hold it.
struct Line {
    start: Option<String>,
    plies: u32,
    code: Vec<u8>,
}

/// The ways to walk a line.
const WAYS: [(&str, Way); 5] = [
    ("indices", |codec, line| {
        let indices = codec.decode_indices(line.start.as_deref(), line.plies, &line.code);
        black_box(indices).expect("its own code");
    }),
    ("keys", |codec, line| {
        let mut keys = Vec::with_capacity(line.plies as usize + 1);
        let keys = codec.keys(line.start.as_deref(), line.plies, &line.code, &mut keys);
        black_box(keys).expect("its own code");
    }),
    ("steps", |codec, line| walk(codec, line, |_| 0)),
    ("steps, keys", |codec, line| walk(codec, line, |cursor| cursor.key())),
    ("steps, canonical", |codec, line| walk(codec, line, |cursor| cursor.canonical_key())),
];

type Way = fn(&dyn ErasedLineCodec, &Line);

fn walk(
    codec: &dyn ErasedLineCodec,
    line: &Line,
    see: impl Fn(&dyn plypack_core::Cursor<'_>) -> u64,
) {
    let cursor = codec.cursor(line.start.as_deref(), line.plies, &line.code);
    let mut cursor = cursor.expect("its own code");
    while cursor.next().expect("its own code").is_some() {
        black_box(see(&*cursor));
    }
}

/// Processor time of this thread if the system reports it, else elapsed time.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|spent| spent.parse().ok());
    spent.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() {
    println!("{:10} {:8} {:>20} {:>12} {:>6}", "game", "lines", "way", "plies/s", "share");
    for game in GAMES {
        let name = game.info().name;
        let codec = line_codec(name, "line.uniform").expect("every game has it");
        let mut lines = real_lines(*game, codec);
        if lines.is_empty() {
            lines = golden_lines(name);
        }
        let mut spent = [Duration::ZERO; WAYS.len()];
        let mut plies = 0u64;
        let mut stretches = lines.chunks(STRETCH).cycle();
        while spent.iter().sum::<Duration>() < TIME {
            let stretch = stretches.next().expect("a line");
            for ((_, way), spent) in WAYS.iter().zip(&mut spent) {
                let begun = now();
                stretch.iter().for_each(|line| way(codec, line));
                *spent += now() - begun;
            }
            plies += stretch.iter().map(|line| u64::from(line.plies)).sum::<u64>();
        }
        for ((way, _), time) in WAYS.iter().zip(spent) {
            let rate = plies as f64 / time.as_secs_f64();
            let share = spent[0].as_secs_f64() / time.as_secs_f64();
            println!("{name:10} {:8} {way:>20} {rate:12.0} {share:6.2}", lines.len());
        }
    }
}

/// Reads games from the folder of test games; none if it has none.
fn real_lines(game: &dyn ErasedRules, codec: &dyn ErasedLineCodec) -> Vec<Line> {
    let file = FILES.iter().find(|file| file.0 == game.info().name);
    let Some(bytes) = file.and_then(|file| corpus_file(file.1)) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    let games = if text.starts_with('[') { pgn(&text) } else { tsv(&text) };
    let line = |(start, moves): &(Option<String>, Vec<String>)| {
        let start = start.clone();
        let moves = &mut moves.iter().map(String::as_str);
        let (indices, _) = game.read_moves(start.as_deref(), moves).expect("a start");
        let plies = u32::try_from(indices.len()).expect("a short game");
        let code = codec.encode_indices(start.as_deref(), &indices).expect("legal moves");
        Line { start, plies, code }
    };
    games.iter().take(MOST).map(line).collect()
}

/// The starts, where not the usual ones, and the moves of games.
type Games = Vec<(Option<String>, Vec<String>)>;

fn pgn(text: &str) -> Games {
    let mut games = Vec::new();
    let mut moves = Vec::new();
    for line in text.lines().chain(["["]) {
        if !line.starts_with('[') {
            let words = line.split_whitespace().map(|word| word.rsplit('.').next());
            moves.extend(words.flatten().filter(|word| !word.is_empty()).map(str::to_owned));
        } else if !moves.is_empty() {
            games.push((None, std::mem::take(&mut moves)));
        }
    }
    games
}

fn tsv(text: &str) -> Games {
    let game = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let Ok(size) = fields[0].parse::<usize>() else { return (None, words(fields[1])) };
        let rows = vec![size.to_string(); size].join("/");
        (Some(format!("{rows} x {}", fields[1])), words(fields[2]))
    };
    text.lines().map(game).collect()
}

/// Splits moves into words; a single word is split before each of its letters.
fn words(moves: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for symbol in moves.chars() {
        match words.last_mut() {
            Some(word) if !symbol.is_ascii_alphabetic() || moves.contains(' ') => {
                if symbol == ' ' {
                    words.push(String::new())
                } else {
                    word.push(symbol)
                }
            }
            _ => words.push(symbol.to_string()),
        }
    }
    words
}

/// Reads the golden lines of a game.
fn golden_lines(name: &str) -> Vec<Line> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/line");
    let text = std::fs::read_to_string(format!("{folder}/{name}-v1.txt")).expect("golden lines");
    let line = |row: &str| {
        let mut fields = row.strip_prefix("line.uniform/2\t")?.split('\t');
        let start = fields.next().filter(|&start| start != "-").map(str::to_owned);
        let bytes: Vec<u8> = (fields.nth(1)?.as_bytes().chunks(2))
            .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        let (plies, code) = cell::split(&bytes).ok()?;
        Some(Line { start, plies, code: code.to_vec() })
    };
    text.lines().filter_map(line).collect()
}
