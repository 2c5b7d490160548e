//! Plays real and random games of xiangqi: every move of a record must be legal, and every spelling
//! must read back as the move that it was written for.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack_core::table::numbers;
use plypack_core::testkit::Random;
use plypack_core::{Board, BoardRules, Candidates, Listing, MoveFault, PositionCode, Rules};
use plypack_games::xiangqi::spelling::{Digits, Spelling};
use plypack_games::xiangqi::{Move, Position, Xiangqi};
use plypack_games::{game, position_codecs};

/// Returns the contents of a file of the folder of test games.
fn corpus(name: &str) -> Option<String> {
    let file = plypack_testing::corpus_file(&format!("xiangqi/{name}"))?;
    Some(String::from_utf8(file).expect(name))
}

/// Plays the games of a file, each a line of fields: its name, its start if `starts`, its moves.
/// Returns the number of games and of plies.
fn replay(text: &str, starts: bool) -> (usize, usize) {
    let xiangqi = game("xiangqi").expect("the game is registered");
    let (mut games, mut plies) = (0, 0);
    for line in text.lines() {
        let mut fields = line.split('\t');
        let name = fields.next().expect("a name");
        let start = if starts { fields.next() } else { None };
        let moves = fields.next().expect("moves");
        let (indices, stopped) =
            xiangqi.read_moves(start, &mut moves.split_ascii_whitespace()).expect("a position");
        assert_eq!(stopped, None, "{name}");
        // The starts are spelt the way we spell positions.
        if let Some(start) = start {
            assert_eq!(xiangqi.position_after(Some(start), &[]).as_deref(), Ok(start), "{name}");
        }
        games += 1;
        plies += indices.len();
    }
    (games, plies)
}

#[test]
fn real_games_are_legal() {
    for (name, starts, expected) in [
        ("xiangqi_dev.tsv.xz", false, (814, 79_605)),
        ("xiangqi_train.tsv.xz", false, (25_739, 2_200_893)),
        ("xiangqi_fen_lines.tsv.xz", true, (2_046, 53_122)),
    ] {
        let Some(text) = corpus(name) else { continue };
        assert_eq!(replay(&text, starts), expected, "{name}");
    }
}

const SPELLINGS: [Spelling; 10] = [
    Spelling::CUSTOMARY,
    Spelling::COORDINATE,
    Spelling::Coordinates { capital: true },
    Spelling::Wxf { equals: false, prefix: false, wide: false },
    Spelling::Wxf { equals: true, prefix: true, wide: false },
    Spelling::Wxf { equals: true, prefix: true, wide: true },
    chinese(false, false, [Digits::Chinese, Digits::Ascii]),
    chinese(true, false, [Digits::Chinese, Digits::Wide]),
    chinese(true, true, [Digits::Chinese, Digits::Chinese]),
    chinese(true, false, [Digits::Ascii, Digits::Ascii]),
];

const fn chinese(simplified: bool, sparing: bool, digits: [Digits; 2]) -> Spelling {
    Spelling::Chinese { simplified, sparing, digits }
}

/// Writes every legal move in every spelling and reads it back. Returns how often another spelling
/// had to fall back on coordinates.
fn check_spellings(position: &Position, candidates: &[Move]) -> u32 {
    let mut coordinates = 0;
    for index in 0..candidates.len() {
        let mut plain = String::new();
        Spelling::COORDINATE.write(position, candidates, index, &mut plain);
        for spelling in SPELLINGS {
            let mut text = String::new();
            spelling.write(position, candidates, index, &mut text);
            let read = Xiangqi.read_move(&Candidates::listed(position, candidates), &text);
            assert_eq!(read, Ok(candidates[index]), "{}: {plain} written {text}", fen(position));
            coordinates += u32::from(text == plain && spelling != Spelling::COORDINATE);
        }
    }
    coordinates
}

fn fen(position: &Position) -> String {
    let mut fen = String::new();
    Xiangqi.write_position(position, &mut fen);
    fen
}

/// Plays at random and checks all spellings at each ply; returns the sum of `check_spellings`.
fn play(start: &str, plies: u32, seed: u64) -> u32 {
    let mut position = Xiangqi.read_position(start).expect(start);
    let mut random = Random::new(seed);
    let mut candidates = Vec::new();
    let mut coordinates = 0;
    for _ in 0..plies {
        candidates.clear();
        Xiangqi.candidates(&position, &mut candidates);
        coordinates += check_spellings(&position, &candidates);
        if candidates.is_empty() {
            break;
        }
        Xiangqi.play(&mut position, candidates[below(&mut random, candidates.len())]);
    }
    coordinates
}

#[test]
fn spellings_come_back_in_random_play() {
    let start = fen(&Xiangqi.start());
    for seed in 0..20 {
        assert_eq!(play(&start, 150, seed), 0, "every move of a game has a spelling");
    }
}

#[test]
fn spellings_come_back_where_men_share_files() {
    for start in [
        // Five pawns on a file; four; three and two; two and two; two, two and one.
        "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1",
        "3k5/9/2P6/2P3P2/2P6/2P6/9/9/9/5K3 w - - 0 1",
        "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/5K3 w - - 0 1",
        "3k5/9/2P6/2P3P2/6P2/9/9/9/9/5K3 w - - 0 1",
        "5k3/9/9/9/9/6p2/2p3p2/2p5p/9/3K5 b - - 0 1",
        // Tandem pieces of every kind, for both.
        "2bakab2/4a4/n3b3n/r7r/c7c/C7C/R7R/N3B3N/4A4/2BAKAB2 w - - 0 1",
        "3ak4/4a1r2/2b1b1r2/2c1n4/2c1n4/9/4P4/4P4/4A4/3AK4 b - - 0 1",
    ] {
        for seed in 0..8 {
            assert_eq!(play(start, 60, seed), 0, "{start}");
        }
    }
}

/// More men than a set has: some moves have no text of their own, but none has a wrong one.
#[test]
fn spellings_come_back_where_they_have_no_words() {
    let crowded = [
        "3k5/R1R6/R1R6/R1R6/R1R6/9/9/9/9/5K3 w - - 0 1",
        "3k5/P1P6/P1P6/P1P6/P1P6/P1P6/9/9/9/5K3 w - - 0 1",
        "3k1A3/5A3/A8/1A7/A8/BB7/B8/BB3B3/9/3A1K3 w - - 0 1",
    ];
    let written = crowded.map(|start| (0..4).map(|seed| play(start, 20, seed)).sum::<u32>());
    assert!(written.iter().any(|&coordinates| coordinates > 0), "{written:?}");
}

#[test]
fn texts_that_name_no_move_are_refused() {
    let position = Xiangqi.start();
    let listing = Listing::default();
    let candidates = Candidates::of(&Xiangqi, &position, &listing);
    let read = |text: &str| Xiangqi.read_move(&candidates, text);
    for text in ["炮二平二", "炮二進六", "馬二進五", "前炮平五", "a0a9", "P1.2", "卒１進９"]
    {
        assert_eq!(read(text), Err(MoveFault::Illegal), "{text}");
    }
    for text in [
        "",
        "炮",
        "炮二",
        "平五",
        "炮二平",
        "炮二平五五",
        "後退",
        "1-0",
        "*",
        "h2",
        "j0j1",
        "h2-",
        "h2e2-",
    ] {
        assert_eq!(read(text), Err(MoveFault::Unreadable), "{text}");
    }
}

/// Returns a number below `bound`.
fn below(random: &mut Random, bound: usize) -> usize {
    usize::try_from(random.next_u64() % bound as u64).expect("a small number")
}

/// Any text in a record, read as a move or a position, gives a result.
#[test]
fn random_texts_are_read_or_refused() {
    let signs: Vec<char> = "兵炮車馬前後進平一三五七９PRC+-.37h2ＣK!".chars().collect();
    let starts = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "5k3/9/6P2/2P3P2/2P3P2/4C4/4C4/4R4/4R4/3K5 w - - 0 1",
        "3ak4/4a1r2/2b1b1r2/2c1n4/2c1n4/9/4P4/4P4/4A4/3AK4 b - - 0 1",
    ];
    let mut random = Random::new(11);
    let (mut moves, mut positions) = (0, 0);
    for start in starts {
        let position = Xiangqi.read_position(start).expect(start);
        let listing = Listing::default();
        let candidates = Candidates::of(&Xiangqi, &position, &listing);
        for _ in 0..100_000 {
            let length = 3 + below(&mut random, 3);
            let text: String =
                (0..length).map(|_| signs[below(&mut random, signs.len())]).collect();
            if let Ok(mv) = Xiangqi.read_move(&candidates, &text) {
                assert!(candidates.contains(&mv));
                moves += 1;
            }
        }
        for _ in 0..10_000 {
            let mut text: Vec<char> = start.chars().collect();
            for _ in 0..=below(&mut random, 3) {
                let at = below(&mut random, text.len());
                text[at] = text[below(&mut random, text.len())];
            }
            let text: String = text.into_iter().collect();
            if let Ok(position) = Xiangqi.read_position(&text) {
                assert_eq!(Xiangqi.read_position(&fen(&position)), Ok(position), "{text}");
                positions += 1;
            }
        }
    }
    assert!(moves > 100 && positions > 1_000, "{moves} moves, {positions} positions");
}

/// Returns the positions after every eighth ply of each game of a file, the start included.
fn sample(text: &str) -> Vec<Position> {
    let mut positions = Vec::new();
    for line in text.lines() {
        let moves = line.split('\t').nth(1).expect("moves");
        let mut position = Xiangqi.start();
        for (ply, text) in moves.split_ascii_whitespace().enumerate() {
            if ply % 8 == 0 {
                positions.push(position.clone());
            }
            let listing = Listing::default();
            let candidates = Candidates::of(&Xiangqi, &position, &listing);
            let mv = Xiangqi.read_move(&candidates, text).expect(text);
            Xiangqi.play(&mut position, mv);
        }
    }
    positions
}

/// Writes the tables of `crates/games/src/xiangqi/frequencies.rs`. Adds one to every count, so that
/// nothing is impossible.
#[test]
#[ignore = "writes tables, counted in the games of the corpus"]
fn count_cells() {
    let Some(text) = corpus("xiangqi_train.tsv.xz") else { return };
    let (mut symbols, mut differences, mut counts) = ([1; 14], [1; 16], [[1; 91]; 14]);
    let positions = sample(&text);
    for position in &positions {
        let (board, state) = Xiangqi.split(position);
        let start = Xiangqi.start_board(&state);
        let mut men = [0; 14];
        for cell in 0..board.cells() {
            let symbol = board.symbol(cell) as usize;
            symbols[symbol] += 1;
            differences[symbol ^ start.symbol(cell) as usize] += 1;
            men[symbol] += 1;
        }
        for (counts, men) in counts.iter_mut().zip(men) {
            counts[men] += 1;
        }
    }
    println!("positions: {}", positions.len());
    let seen = |counts: &[u32; 91]| {
        let seen = counts.iter().rposition(|&count| count > 1).map_or(0, |last| last + 1);
        counts[..seen].to_vec()
    };
    let counts: Vec<_> = counts[1..].iter().map(seen).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/xiangqi");
    for (name, rows) in [
        ("symbols", vec![symbols.to_vec()]),
        ("differences", vec![differences.to_vec()]),
        ("counts", counts),
    ] {
        let file = numbers::file(&rows).expect("small enough");
        std::fs::write(format!("{folder}/{name}.numbers"), file).expect(name);
    }
}

/// Prints the size and speed of every position codec on positions of games that nothing was fitted
/// to.
#[test]
#[ignore = "prints figures, measured on the games of the corpus"]
fn measure_position_codecs() {
    let Some(text) = corpus("xiangqi_dev.tsv.xz") else { return };
    let positions: Vec<String> = sample(&text).iter().map(fen).collect();
    println!("{} positions: bits, of the board, refused, thousands a second", positions.len());
    for codec in position_codecs("xiangqi") {
        let mut trial = codec.trial(&mut positions.iter().map(String::as_str)).expect("positions");
        let a_second = |work: &mut dyn FnMut()| {
            let begin = std::time::Instant::now();
            work();
            positions.len() as u128 * 1_000_000 / begin.elapsed().as_nanos().max(1)
        };
        let encoding = (0..5).map(|_| a_second(&mut || trial.encode())).max();
        let sum = |bits: fn(&PositionCode) -> u32| -> f64 {
            trial.codes().iter().map(|code| f64::from(bits(code))).sum()
        };
        let held = trial.codes().len() as f64;
        let bits = [sum(|code| code.bits), sum(|code| code.board_bits.unwrap_or(0))];
        let [all, board] = bits.map(|bits| bits / held);
        let decoding = (0..5).map(|_| a_second(&mut || assert!(trial.decode()))).max();
        let name = codec.info().name;
        let speeds = [encoding, decoding].map(Option::unwrap_or_default);
        println!("{name:<20} {all:8.2} {board:8.2} {:>4} {speeds:?}", trial.refused());
    }
}
