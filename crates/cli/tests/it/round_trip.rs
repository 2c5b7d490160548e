//! Packed inputs come back byte for byte: samples, real games, and inputs that are not games.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{
    CHESS960, ILLEGAL_KING_MOVE, Random, Sandbox, TORTURE, corpus, files_under, many_games, sample,
};
use plypack_testing::sample::{every, is_whole};

#[test]
fn samples_come_back() {
    let sandbox = Sandbox::new();
    let samples = files_under(&sample(""), "pgn");
    assert!(samples.len() >= 4, "{samples:?}");
    for path in samples {
        // A sample of a game other than chess has its name, and its records say so.
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let game = if ["tictactoe", "xiangqi"].contains(&stem) { stem } else { "chess" };
        let name = path.display().to_string();
        let summary = sandbox.round_trip_of(&name, &path, &[]);
        assert_eq!(summary["game"], game, "{summary}");
        // They are plain games: coded, not merely kept.
        assert_eq!(summary["verbatim_records"], 0, "{summary}");
        assert!(summary["plies"].as_u64() > Some(0), "{summary}");
    }
}

/// Each on its own and all in one file, whatever the newlines.
#[test]
fn games_that_others_stumble_on_come_back() {
    let sandbox = Sandbox::new();
    let expected = |game: &str| match game {
        ILLEGAL_KING_MOVE => (4, 1),
        CHESS960 => (4, 0),
        _ => (5, 0),
    };
    let mut all = (0, 0);
    for game in TORTURE {
        let (plies, faulty) = expected(game);
        all = (all.0 + plies, all.1 + faulty);
        for text in [game.to_owned(), game.replace('\n', "\r\n")] {
            let summary = sandbox.round_trip(game, text.as_bytes(), &[]);
            assert_eq!(summary["records"], 1, "{game}{summary}");
            assert_eq!(summary["plies"], plies, "{game}{summary}");
            assert_eq!(summary["faulty_records"], faulty, "{game}{summary}");
            assert_eq!(summary["verbatim_records"], 0, "{game}{summary}");
        }
    }
    let summary = sandbox.round_trip("all three", TORTURE.concat().as_bytes(), &[]);
    assert_eq!(summary["records"], TORTURE.len(), "{summary}");
    assert_eq!(summary["plies"], all.0, "{summary}");
    assert_eq!(summary["faulty_records"], all.1, "{summary}");
}

#[test]
fn every_codec_brings_a_game_back() {
    let sandbox = Sandbox::new();
    for (game, file) in
        [("chess", "famous.pgn"), ("tictactoe", "tictactoe.pgn"), ("xiangqi", "xiangqi.pgn")]
    {
        for codec in ["line.text/1", "line.uniform/2", "line.ranked/3"] {
            let options = ["--game", game, "--codec", codec];
            let summary = sandbox.round_trip_of(codec, &sample(file), &options);
            assert_eq!(summary["model"][0], format!("{game}/{codec}"));
            assert_eq!(summary["verbatim_records"], 0, "{summary}");
        }
    }
}

#[test]
fn one_games_pgn_read_as_another_game_comes_back() {
    let sandbox = Sandbox::new();
    let options = ["--game", "tictactoe"];
    let summary = sandbox.round_trip_of("famous.pgn", &sample("famous.pgn"), &options);
    assert_eq!(summary["faulty_records"], summary["records"], "{summary}");
    assert_eq!(summary["plies"], 0, "{summary}");
}

/// Small files with every kind of trouble: parsers' own test suites, annotated games, clocks.
#[test]
fn plain_files_of_the_corpus_come_back() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    for folder in ["robust", "annotated", "online"] {
        let folder = corpus.join("chess/dev").join(folder);
        let files = files_under(&folder, "pgn");
        assert!(!files.is_empty(), "no PGN under {}", folder.display());
        for path in every(3, files.len()).map(|tried| &files[tried]) {
            sandbox.round_trip_of(&path.display().to_string(), path, &[]);
        }
    }
}

/// Compressed files with clocks and with engine comments. Only the beginning is read, so the last
/// game is probably cut.
#[test]
fn compressed_files_of_the_corpus_come_back() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let files = files_under(&corpus.join("chess/dev"), "zst");
    let files: Vec<_> =
        files.into_iter().filter(|path| path.to_string_lossy().ends_with(".pgn.zst")).collect();
    assert!(!files.is_empty(), "no .pgn.zst under {}", corpus.display());
    let most = if is_whole() { 2 << 20 } else { 1 << 19 };
    for path in every(2, files.len()).map(|tried| &files[tried]) {
        sandbox.round_trip(&path.display().to_string(), &expand(path, most), &[]);
    }
}

/// The first bytes of a compressed file, at most this many.
fn expand(path: &std::path::Path, bytes_max: u64) -> Vec<u8> {
    use std::io::Read;
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = Vec::new();
    let decoder = zstd::Decoder::new(file).expect("a zstd stream");
    decoder.take(bytes_max).read_to_end(&mut text).expect("a whole zstd stream");
    text
}

/// The promised size, on games played over the board.
#[test]
fn games_over_the_board_take_half_of_zstd_19() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let path = corpus.join("chess/dev/otb/otb_2013_2017.pgn.zst");
    let most = if is_whole() { u64::MAX } else { 1 << 22 };
    let pgn = expand(&path, most);
    let summary = sandbox.round_trip("otb_2013_2017", &pgn, &[]);
    let number = |key: &str| summary[key].as_f64().unwrap_or_else(|| panic!("{key}: {summary}"));
    assert_eq!(number("input_bytes"), pgn.len() as f64);
    assert!(number("records") > 0.001 * pgn.len() as f64, "{summary}");
    assert!(number("verbatim_records") < 0.01 * number("records"), "{summary}");
    // The codes of Lichess take 4.3 to 4.7 bits per ply; `moves` also has lengths and numbers of
    // plies.
    let bits = 8.0 * number("move_bytes") / number("plies");
    assert!(bits < 4.4, "{bits} bits a ply");
    // All of it is stored with zstd at level 19: compressing 30 MB again takes longer than all
    // other tests. A long window would save 3 %.
    let zstd = match is_whole() {
        true => std::fs::metadata(&path).expect("a file").len(),
        false => zstd::encode_all(&pgn[..], 19).expect("zstd compresses").len() as u64,
    };
    let share = number("bytes") / zstd as f64;
    assert!(share < 0.5 * 0.97, "{share} of what zstd makes of it");
}

#[test]
fn inputs_that_are_no_games_come_back() {
    let sandbox = Sandbox::new();
    let all_bytes: Vec<u8> = (0..=255).collect();
    let inputs: [(&str, Vec<u8>); 12] = [
        ("nothing", Vec::new()),
        ("random bytes", Random(1).bytes(1 << 20)),
        ("every byte", all_bytes.repeat(3)),
        ("NUL bytes", vec![0; 100_000]),
        ("blank lines", b"\n".repeat(100_000)),
        ("blank lines of each kind", b"\n\r\n \n\t\r\n\r\x0b\n\x0c\n".repeat(9)),
        ("one newline", b"\n".to_vec()),
        ("one letter", b"x".to_vec()),
        ("a BOM alone", b"\xef\xbb\xbf".to_vec()),
        ("half a BOM", b"\xef\xbb".to_vec()),
        (
            "UTF-16",
            "[Event \"x\"]\n\n1. e4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ),
        (
            "a binary",
            std::fs::read(env!("CARGO_BIN_EXE_plypack")).expect("the binary")[..300_000].into(),
        ),
    ];
    for (what, input) in inputs {
        let summary = sandbox.round_trip(what, &input, &[]);
        assert_eq!(summary["input_bytes"], input.len(), "{what}: {summary}");
    }
}

/// Each single byte within a game: as a word among moves, in a move, in a tag.
#[test]
fn every_byte_in_every_place_comes_back() {
    let sandbox = Sandbox::new();
    let mut input = Vec::new();
    for byte in 0..=255u8 {
        for (before, after) in [
            ("[Event \"", "\"]\n\n1. e4 e5 *\n\n"),
            ("[Ev", "ent \"x\"]\n\n1. e4 e5 *\n\n"),
            ("[Event \"x\"", "]\n\n1. e4 e5 *\n\n"),
            ("[Event \"x\"]", "\n\n1. e4 e5 *\n\n"),
            ("[Event \"x\"]\n", "\n1. e4 e5 *\n\n"),
            ("[Event \"x\"]\n\n1. e4 ", " e5 *\n\n"),
            ("[Event \"x\"]\n\n1. e4", "e5 *\n\n"),
            ("[Event \"x\"]\n\n1. e4 e5 *", "\n\n"),
        ] {
            input.extend_from_slice(before.as_bytes());
            input.push(byte);
            input.extend_from_slice(after.as_bytes());
        }
    }
    sandbox.round_trip("every byte in every place", &input, &[]);
}

/// Every seventh prefix, each an input of its own, all packed into one file.
#[test]
fn games_that_are_cut_anywhere_come_back() {
    let sandbox = Sandbox::new();
    let famous = std::fs::read(sample("famous.pgn")).expect("a sample");
    let mut names = Vec::new();
    let mut expected = Vec::new();
    for length in (0..famous.len()).step_by(7) {
        let name = format!("{length}.pgn");
        sandbox.write(&name, &famous[..length]);
        expected.extend_from_slice(&famous[..length]);
        names.push(name);
    }
    let mut arguments = vec!["pack", "-q", "-o", "all.parquet"];
    arguments.extend(names.iter().map(String::as_str));
    sandbox.run(arguments).expect(0);
    let unpacked = sandbox.run(["unpack", "-c", "all.parquet"]).expect(0);
    assert!(unpacked.out == expected);
}

#[test]
fn odd_encodings_and_newlines_come_back() {
    let sandbox = Sandbox::new();
    let famous = std::fs::read_to_string(sample("famous.pgn")).expect("a sample");
    let bytes = |text: String| text.into_bytes();
    let latin1 = b"[White \"M\xf3ra\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n".repeat(3);
    let mixed =
        [latin1.as_slice(), "[White \"棋 Mo\u{301}ra\"]\n\n1. d4 *\n\n".as_bytes()].concat();
    let lone_surrogate = b"[White \"\xed\xa0\x80\"]\n\n1. e4 *\n";
    for (what, input, coded) in [
        ("CRLF", bytes(famous.replace('\n', "\r\n")), true),
        ("no newline at the end", bytes(famous.trim_end().into()), true),
        ("Latin-1", latin1.clone(), true),
        ("Latin-1 and UTF-8", mixed, true),
        ("invalid UTF-8", lone_surrogate.to_vec(), true),
        ("CR alone", bytes(famous.replace('\n', "\r")), false),
        ("a BOM", bytes(format!("\u{feff}{famous}")), false),
        ("LF CR", bytes(famous.replace('\n', "\n\r")), false),
        ("both newlines", bytes(famous.replacen('\n', "\r\n", 9)), false),
        ("form feeds", bytes(famous.replace(' ', "\x0c")), false),
        ("no-break spaces", bytes(famous.replace(' ', "\u{a0}")), false),
        ("spaces doubled", bytes(famous.replace(' ', "  ")), false),
    ] {
        let summary = sandbox.round_trip(what, &input, &[]);
        if coded {
            assert_eq!(summary["verbatim_records"], 0, "{what}: {summary}");
        }
    }
}

#[test]
fn records_without_bounds_come_back() {
    let sandbox = Sandbox::new();
    let cycle: Vec<String> =
        (0..17_500).map(|at| format!("{}. Nf3 Nf6 {}. Ng1 Ng8", 2 * at + 1, 2 * at + 2)).collect();
    let tags: String = (0..200_000).map(|number| format!("[T{number} \"x\"]\n")).collect();
    let other_tags: String = (0..200_000).map(|number| format!("[U{number} \"x\"]\n")).collect();
    let inputs = [
        ("70,000 plies", format!("[Event \"long\"]\n\n{} *\n", cycle.join(" "))),
        ("a tag of 1 MB", format!("[Event \"{}\"]\n\n1. e4 *\n", "x".repeat(1 << 20))),
        ("a tag's name of 1 MB", format!("[{} \"x\"]\n\n1. e4 *\n", "x".repeat(1 << 20))),
        ("a move of 1 MB", format!("[Event \"x\"]\n\n1. e{} *\n", "4".repeat(1 << 20))),
        ("100,000 empty tags", "[Event \"\"]\n\n*\n\n".repeat(100_000)),
        ("200,000 tags a record", format!("{tags}\n1. e4 *\n\n{other_tags}\n1. d4 *\n\n")),
        ("quotes", format!("[Event \"{}\"]\n\n1. e4 *\n", "\" ".repeat(500_000))),
        ("backslashes", format!("[Event \"{}\"]\n\n1. e4 *\n", "\\".repeat(1_000_001))),
        ("open parentheses", format!("1. e4 {} *\n", "(".repeat(1_000_000))),
        ("closed parentheses", format!("1. e4 {} *\n", ")".repeat(1_000_000))),
        ("nested variations", format!("1. e4 {}{}", "(1. d4".repeat(300_000), ")".repeat(300_000))),
        ("open braces", format!("1. e4 {} *\n", "{".repeat(1_000_000))),
        ("open brackets", "[".repeat(1_000_000)),
        ("lines of one bracket", "[\n".repeat(500_000)),
        ("results", "*\n\n".repeat(100_000)),
        ("short lines", "a\n".repeat(1_000_000)),
        ("a set-up position of 1 MB", format!("[FEN \"{}\"]\n\n1. e4 *", "8/".repeat(500_000))),
    ];
    for (what, input) in every(3, inputs.len()).map(|tried| &inputs[tried]) {
        sandbox.round_trip(what, input.as_bytes(), &[]);
    }
}

/// Longer than the records read at once, and than a row group may hold.
#[test]
fn a_line_of_40_megabytes_comes_back() {
    let sandbox = Sandbox::new();
    let line = b"1. e4 e5 2. Nf3 ".repeat(40 * (1 << 20) / 16);
    let summary = sandbox.round_trip("40 MB without a newline", &line, &[]);
    assert_eq!(summary["records"], 3, "{summary}");
    assert_eq!(summary["input_bytes"], line.len());
}

/// Blocks of real syntax in random order: whatever they mean together, no byte is lost.
#[test]
fn shuffled_syntax_comes_back() {
    const PIECES: [&str; 30] = [
        "[Event \"x\"]",
        "[Site \"a\\\"b\"]",
        "[FEN \"8/8/8/8/8/4k3/8/4K3 w - - 0 1\"]",
        "[Bad",
        "[Variant \"Chess960\"]",
        "[Result \"1-0\"]",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "  ",
        "1.",
        "1...",
        "e4",
        "e5",
        "Nf3",
        "O-O",
        "{comment}",
        "{open",
        "}",
        "(",
        ")",
        ";rest",
        "%escape",
        "$3",
        "1-0",
        "*",
        "e7e8=Q",
        "\u{e9}",
    ];
    let sandbox = Sandbox::new();
    let mut random = Random(7);
    let text: String = (0..200_000).map(|_| PIECES[random.below(PIECES.len())]).collect();
    sandbox.round_trip("shuffled syntax", text.as_bytes(), &[]);
}

#[test]
fn a_generated_file_is_mostly_coded() {
    let sandbox = Sandbox::new();
    let summary = sandbox.round_trip("many games", many_games(3_000).as_bytes(), &[]);
    assert_eq!(summary["records"], 3_000, "{summary}");
    // Every 50th has a comment and every 70th an illegal move; one in 350 has both.
    assert_eq!(summary["verbatim_records"], 0, "{summary}");
    let planted = (0..3_000).filter(|number| number % 70 == 9).count();
    assert_eq!(summary["faulty_records"], planted, "{summary}");
}
