//! Files of positions: they come back byte for byte, coded where understood; and the tables of
//! `bench`.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Sandbox, corpus, sample};
use plypack_games::position_codecs;
use plypack_testing::sample::every;

/// Lines as found in real files, and how many have a position that can be coded.
const FILES: &[(&str, usize)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1),
    // The byte order mark makes another word of the board: the line is kept.
    ("\u{feff}8/5k2/8/3p4/8/4K3/4P3/7R b - -\n8/5k2/8/3p4/8/4K3/4P3/7R b - - 120 300\n\n\n", 1),
    ("r1bq1r1k/p1pnbpp1/1p2p3/6p1/3PB3/5N2/PPPQ1PPP/2KR3R w - - bm g4; id \"a.1\";\r\n", 1),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66\r\n# no more\r\n4k3/8/8/8/8/8/8/4K3 b - -\r", 2),
    // Castling of Chess960, in the notation of X-FEN and in Shredder's.
    ("nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w KQkq - 2 10  \n", 1),
    ("nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w FBfb - 2 10\t\n", 1),
    ("1r1k1rbb/8/8/8/8/8/8/RK4R1 w KQkq - 0 1\n", 1),
    // Broken lines in the middle.
    ("4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/4K4 w - -\n\n???\n4k3/8/8/8/8/8/8/4K3 b - -\n", 2),
    ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 5 99999999999\n", 1),
    ("8/8/8/8/8/8/8/8 w - - 0 1\n4k3/8/8/8/8/8/8/4K3\tw\t-\t-\t3\t4\n", 1),
    ("4k3/8/8/8/8/8/8/4K3 w - - c0 \"\u{e9};\"; pv e4\n", 1),
];

#[test]
fn lines_of_every_kind_come_back() {
    let sandbox = Sandbox::new();
    let mut all = (Vec::new(), 0);
    for &(text, positions) in FILES {
        let summary = sandbox.round_trip(text, text.as_bytes(), &[]);
        assert_eq!(summary["positions"], positions, "{text}{summary}");
        assert_eq!(summary["game"], "chess", "{text}{summary}");
        all.0.extend_from_slice(text.as_bytes());
        all.0.push(b'\n');
        all.1 += positions;
    }
    // A lone carriage return does not end a line where newlines do.
    let summary = sandbox.round_trip("all", &all.0, &[]);
    assert_eq!(summary["positions"], all.1, "{summary}");
    let crlf = String::from_utf8_lossy(&all.0).replace('\n', "\r\n");
    sandbox.round_trip("all with CRLF", crlf.as_bytes(), &[]);
    let latin = b"4k3/8/8/8/8/8/8/4K3 w - - c0 \"\xe9\xff\";\n\x00\xff\n".repeat(3);
    assert_eq!(sandbox.round_trip("latin", &latin, &[])["positions"], 3);
}

#[test]
fn every_codec_brings_positions_back() {
    let sandbox = Sandbox::new();
    let text: String = FILES.iter().flat_map(|file| [file.0, "\n"]).collect();
    for codec in position_codecs("chess").map(|codec| codec.info()) {
        let numbered = codec.text();
        for named in [codec.name, numbered.as_str()] {
            let summary = sandbox.round_trip(codec.name, text.as_bytes(), &["--codec", named]);
            assert_eq!(summary["model"][0], format!("chess/{numbered}"), "{summary}");
            assert!(summary["positions"].as_u64() >= Some(8), "{summary}");
        }
    }
}

#[test]
fn the_game_is_found_by_the_lines_unless_it_is_named() {
    let sandbox = Sandbox::new();
    for game in plypack_games::GAMES {
        let name = game.info().name;
        let start = game.position_after(None, &[]).expect("a start");
        let text = format!("{start}\n{start}\r\n");
        for options in [&[][..], &["--game", name]] {
            let summary = sandbox.round_trip(name, text.as_bytes(), options);
            assert_eq!((&summary["game"], &summary["positions"]), (&name.into(), &2.into()));
        }
        let other = if name == "chess" { "othello" } else { "chess" };
        let summary = sandbox.round_trip(name, text.as_bytes(), &["--game", other]);
        assert_eq!(summary["positions"], 0, "{summary}");
    }
}

#[test]
fn verbs_know_files_of_positions() {
    let sandbox = Sandbox::new();
    let lines: Vec<&str> = FILES[7].0.split_inclusive('\n').collect();
    sandbox.write("a.epd", lines.concat());
    let told = sandbox.run(["pack", "a.epd", "-v"]).expect(0).err;
    for words in ["2 positions", "a.epd: record 2 (line 2)", "the line is kept as text"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    sandbox.run(["pack", "a.epd", "-f", "-q", "--strict"]).expect(3);
    let listed = sandbox.run(["ls", "--json", "a.parquet"]).expect(0).json().remove(0);
    for (key, number) in
        [("records", 5), ("positions", 2), ("verbatim_records", 2), ("faulty_records", 1)]
    {
        assert_eq!(listed[key], number, "{key}: {listed}");
    }
    assert!(listed["bits_per_position"].as_f64() > Some(0.0), "{listed}");
    assert!(listed["bytes"].as_u64() > Some(0), "{listed}");
    assert!(sandbox.run(["ls", "-v", "a.parquet"]).expect(0).text().contains("no position, 1"));
    let cat = sandbox.run(["cat", "a.parquet", "--records", "2..4"]).expect(0);
    assert_eq!(cat.text(), lines[1..4].concat());
    let verified = sandbox.run(["verify", "a.parquet"]).expect(0).err;
    assert!(verified.contains("5 records, all as packed"), "{verified}");
    std::fs::remove_file(sandbox.path("a.epd")).expect("a file");
    sandbox.run(["unpack", "a.parquet"]).expect(0);
    assert_eq!(sandbox.read("a.epd"), lines.concat().into_bytes());
    sandbox.run_with(["pack", "-", "-q", "-o", "piped.parquet"], &sandbox.read("a.epd")).expect(0);
    sandbox.run(["unpack", "piped.parquet", "-o", "back/"]).expect(0);
    assert_eq!(sandbox.read("back/stdin.epd"), lines.concat().into_bytes());
}

#[test]
fn an_input_of_the_other_kind_is_kept_and_named() {
    let sandbox = Sandbox::new();
    sandbox.write("a.epd", FILES[2].0);
    std::fs::copy(sample("famous.pgn"), sandbox.path("b.pgn")).expect("a sample");
    for inputs in [["a.epd", "b.pgn"], ["b.pgn", "a.epd"]] {
        let pack = ["pack", inputs[0], inputs[1], "-f", "-o", "both.parquet"];
        let told = sandbox.run(pack).expect(0).err;
        assert!(told.contains(&format!("{} holds", inputs[1])), "{told}");
        let unpacked = sandbox.run(["unpack", "-c", "both.parquet"]).expect(0);
        assert_eq!(unpacked.out, inputs.map(|name| sandbox.read(name)).concat());
    }
}

#[test]
fn threads_change_no_byte() {
    let sandbox = Sandbox::new();
    // More than one slice of lines for each of five threads.
    let line = |number: u32| format!("4k3/8/8/8/8/8/8/4K2{} w - - {number} 9\n", number % 2);
    sandbox.write("a.epd", (0..20_000).map(line).collect::<String>().replace("K20", "K3"));
    for threads in ["1", "2", "5"] {
        let output = format!("{threads}.parquet");
        sandbox.run(["pack", "a.epd", "-q", "-T", threads, "-o", &output]).expect(0);
        assert!(sandbox.read(&output) == sandbox.read("1.parquet"), "-T {threads}");
        let unpacked = sandbox.run(["unpack", "-c", "-T", threads, &output]).expect(0);
        assert!(unpacked.out == sandbox.read("a.epd"), "-T {threads}");
    }
}

/// The rows that `bench --json` prints.
fn bench(sandbox: &Sandbox, options: &[&str]) -> Vec<serde_json::Value> {
    let options = ["bench", "--rounds", "1", "--json"].iter().chain(options);
    sandbox.run(options).expect(0).json()
}

#[test]
fn bench_measures_every_position_codec() {
    let sandbox = Sandbox::new();
    const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    const ENDGAME: &str = "8/5k2/8/3p4/8/4K3/4P3/7R b - -";
    const CHESS960: &str = "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w KQkq - 2 10";
    let more = format!("no position\n{ENDGAME}\n{CHESS960}\n");
    sandbox.write("a.epd", format!("{BARE}\r\n").repeat(18) + &more);
    let rows = bench(&sandbox, &["a.epd"]);
    let names: Vec<&str> = rows.iter().filter_map(|row| row["codec"].as_str()).collect();
    let codecs = position_codecs("chess").map(|codec| codec.info().name);
    let expected: Vec<&str> = codecs.chain(["zstd -19", "xz -9e"]).collect();
    assert_eq!(names, expected);
    for row in &rows {
        // 20 bytes cannot hold Chess960 castling.
        let refused = u64::from(row["codec"] == "chess.rank");
        assert_eq!((&row["records"], &row["refused"]), (&(20 - refused).into(), &refused.into()));
        for key in ["bits_per_position", "encode_per_second", "decode_per_second"] {
            assert!(row[key].as_f64() > Some(0.0), "{key}: {row}");
        }
    }
    // 8 bits per letter; the second has no counters, and is coded with 0 and 1.
    let [bare, endgame, chess960] =
        [BARE.len(), ENDGAME.len() + " 0 1".len(), CHESS960.len()].map(|letters| 8 * letters);
    let mean = (18 * bare + endgame + chess960) as f64 / 20.0;
    assert_eq!(rows[0]["bits_per_position"], mean, "{}", rows[0]);
    assert_eq!((&rows[0]["p5"], &rows[0]["p95"]), (&bare.into(), &endgame.into()));
    // The packed file has the same positions.
    sandbox.run(["pack", "-q", "a.epd"]).expect(0);
    let bits = |rows: &[serde_json::Value]| -> Vec<serde_json::Value> {
        rows.iter().map(|row| row["bits_per_position"].clone()).collect()
    };
    assert_eq!(bits(&bench(&sandbox, &["a.parquet"])), bits(&rows));
    let table = sandbox.run(["bench", "a.epd", "--rounds", "1"]).expect(0);
    for words in ["20 positions of chess", "that a codec refuses", "chess.rank does not hold"] {
        assert!(table.text().contains(words), "{words}: {}", table.text());
    }
    sandbox.write("none.epd", "4k3/8/8/8/8/8/8/4K4 w - -\n");
    sandbox.run(["bench", "none.epd", "--positions"]).refuses(1, &["none.epd", "no positions"]);
}

#[test]
fn bench_measures_the_positions_of_games() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", "1. e4 (1. d4 d5) e5 *\n\n[Event \"x\"]\n\n1. d4 *\n\n");
    let rows = bench(&sandbox, &["a.pgn", "--positions"]);
    assert!(rows.iter().all(|row| row["records"] == 5), "{rows:?}");
    for (options, records) in [(["--games", "1"], 3), (["--positions-max", "4"], 3)] {
        let rows = bench(&sandbox, &["a.pgn", "--positions", options[0], options[1]]);
        assert!(rows.iter().all(|row| row["records"] == records), "{options:?}: {rows:?}");
    }
    sandbox.run(["pack", "-q", "a.pgn"]).expect(0);
    let packed = bench(&sandbox, &["a.parquet", "--positions"]);
    assert!(packed.iter().all(|row| row["records"] == 5), "{packed:?}");
    assert!(bench(&sandbox, &["a.pgn"]).iter().all(|row| row["bits_per_ply"].is_number()));
}

/// All suites and books of the corpus.
#[test]
fn positions_of_the_corpus_come_back() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let folder = corpus.join("chess/dev/positions/suites");
    let files = ["epd", "fen", "perft"]
        .map(|extension| crate::common::files_under(&folder, extension))
        .concat();
    println!("{} files", files.len());
    for path in every(3, files.len()).map(|tried| &files[tried]) {
        let name = path.display().to_string();
        let summary = sandbox.round_trip_of(&name, path, &[]);
        println!("{name}: {summary}");
    }
}
