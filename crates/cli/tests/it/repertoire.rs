//! `--repertoire` of `plypack find` and `plypack tree`: which games follow one, where each leaves
//! it and who left; with and without an index, and compared with games replayed here; and
//! repertoires that are refused.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::common::{Sandbox, sample};
use serde_json::{Value, json};

/// For White: transpositions, a mistake of either side, an idea behind a null move, and a chapter
/// that begins later.
const WHITE: &str = r#"[Event "Open games"]

1. e4 {the best} e5 (1... c5 2. Nf3 d6 (2... e6 3. d4) 3. d4 (3. Bc4? d5 4. d3) 3... cxd4) 2. Nf3
Nc6 (2... f6? 3. Nxe5) (2... d6 3. -- (3. d4) 3... h6 4. d4) 3. Bb5 a6 *

[Event "Spanish"]
[FEN "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"]

4. Ba4 Nf6 (4... d6 5. O-O) 5. O-O *

"#;

/// Packs games, and indexes them if asked to.
fn pack(sandbox: &Sandbox, text: &str, indexed: bool) {
    sandbox.write("g.pgn", text);
    sandbox.run(["pack", "-q", "-f", "g.pgn"]).expect(0);
    if indexed {
        sandbox.run(["index", "-q", "g.parquet"]).expect(0);
    }
}

/// A game between Anna and Boris, unless the tags say otherwise.
fn game(tags: &str, moves: &str, result: &str) -> String {
    let players = if tags.contains("White") { "" } else { "[White \"Anna\"]\n[Black \"Boris\"]\n" };
    format!("{players}{tags}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

/// Returns what `find --json` says of each game: its number, the ply, what ended it, the move
/// played and those of the repertoire.
fn followed(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let done =
        sandbox.run([&["find", "g.parquet", "--json", "-q", "--repertoire"], arguments].concat());
    let code = if done.out.is_empty() { 1 } else { 0 };
    let keys = ["record", "ply", "left", "move", "repertoire"];
    let of = |game: Value| Value::Array(keys.iter().map(|key| game[key].clone()).collect());
    done.expect(code).json().into_iter().map(of).collect()
}

#[test]
fn games_say_where_they_leave_and_who_left() {
    let set_up = "[FEN \"r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4\"]\n";
    let games = [
        game("", "1. d4 d5 2. e4", "1-0"),
        game("", "1. e4 d5", "1-0"),
        game("", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Bc5", "0-1"),
        game("", "1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 4. Bxc6 dxc6", "1/2-1/2"),
        game("", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1", "1-0"),
        game("", "1. e4 e5 2. Nf3", "*"),
        game("", "1. e4 e5 2. Nf3 f6 3. d4", "*"),
        game("", "1. e4 c5 2. Nf3 d6 3. Bc4 Nf6", "*"),
        game("", "1. e4 e5 2. Nf3 d6 3. d4 h6", "*"),
        game(set_up, "4... b5 5. Bb3", "*"),
        game(set_up, "4... Nf6 5. O-O", "*"),
        game("", "1. c4 c5", "*"),
        game("", "1. e4 e5 (1... c6) 2. f4", "*"),
    ];
    let expected = [
        json!([2, 1, "opponent", "d5", ["e5", "c5"]]),
        json!([3, 5, "opponent", "Bc5", ["a6"]]),
        json!([4, 6, "own", "Bxc6", ["Ba4"]]),
        json!([5, 9, "line end", "Be7", []]),
        json!([6, 3, "game end", null, ["Nc6", "f6", "d6"]]),
        json!([7, 4, "own", "d4", ["Nxe5"]]),
        json!([8, 4, "own", "Bc4", ["d4"]]),
        json!([9, 5, "line end", "h6", []]),
        json!([10, 0, "opponent", "b5", ["Nf6", "d6"]]),
        json!([11, 2, "line end", null, []]),
        json!([13, 2, "own", "f4", ["Nf3"]]),
    ];
    for indexed in [false, true] {
        let sandbox = Sandbox::new();
        sandbox.write("r.pgn", WHITE);
        // Indices are asked where there are many more games than positions.
        let others = game("", "1. c4 e5 2. Nc3", "*").repeat(200);
        pack(&sandbox, &(games.concat() + &others), indexed);
        assert_eq!(followed(&sandbox, &["r.pgn"]), expected, "{indexed}");
        assert_eq!(followed(&sandbox, &["r.pgn", "--side", "white", "--no-index"]), expected);
    }
}

#[test]
fn the_answer_is_that_of_a_replay() {
    let text = std::fs::read_to_string(sample("championship.pgn")).expect("a sample");
    let rules = plypack_games::game("chess").expect("a game");
    let moves = |rest: &str| {
        let game = format!("[Event {rest}");
        let record = plypack_records::pgn::parse(&game);
        record.moves.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>()
    };
    let games: Vec<Vec<String>> = text.split("[Event ").skip(1).map(moves).collect();
    // The first plies of each seventh game are a repertoire of Black.
    let mut lines = String::new();
    let mut keys = BTreeSet::new();
    for (at, game) in games.iter().enumerate().step_by(7) {
        let plies = game.len().min(5 + at % 10);
        write!(lines, "[Event \"{at}\"]\n\n{} *\n\n", game[..plies].join(" ")).expect("memory");
        let mut cursor = rules.cursor(None).expect("a start");
        for text in &game[..plies] {
            cursor.read(text).expect("a move");
            keys.insert(cursor.key());
        }
    }
    let mut expected = Vec::new();
    for (at, game) in games.iter().enumerate() {
        let mut cursor = rules.cursor(None).expect("a start");
        let mut last = 0;
        for text in game {
            cursor.read(text).expect("a move");
            if keys.contains(&cursor.key()) {
                last = cursor.ply();
            }
        }
        let next = game.get(last as usize).map(|text| text.trim_end_matches(['+', '#']));
        if last > 0 {
            expected.push((at as u64 + 1, u64::from(last), next.map(str::to_owned)));
        }
    }
    assert!(expected.len() > 400, "{}", expected.len());
    for indexed in [false, true] {
        let sandbox = Sandbox::new();
        sandbox.write("r.pgn", &lines);
        pack(&sandbox, &text, indexed);
        let arguments = ["find", "g.parquet", "--json", "-q", "--repertoire", "r.pgn", "--side"];
        let found = sandbox.run([&arguments[..], &["black"]].concat()).expect(0).json();
        let found = found.iter().map(|game| {
            let next = game["move"].as_str().map(|text| text.trim_end_matches(['+', '#']));
            let number = |key: &str| game[key].as_u64().expect("a number");
            (number("record"), number("ply"), next.map(str::to_owned))
        });
        assert!(found.eq(expected.iter().cloned()), "{indexed}");
        // A tree sums up the same games.
        let tree = ["tree", "g.parquet", "--json", "--repertoire", "r.pgn", "--side", "black"];
        let tree = sandbox.run(tree).expect(0).json();
        let records = |object: &Value| object["records"].as_u64().expect("a number");
        assert_eq!(tree.iter().map(records).sum::<u64>(), expected.len() as u64);
        assert!(tree.is_sorted_by_key(|object| u64::MAX - records(object)));
    }
}

#[test]
fn games_are_chosen_sorted_and_written_as_always() {
    let sandbox = Sandbox::new();
    sandbox.write("r.pgn", WHITE);
    let tags = |white: &str, day: u8| {
        format!("[White \"{white}\"]\n[Black \"Anna\"]\n[Date \"2026.11.{day:02}\"]\n")
    };
    let games = [
        game("[Date \"2026.11.20\"]\n", "1. e4 e5 2. Nf3 Nf6", "1-0"),
        game("[Date \"2026.11.22\"]\n", "1. e4 c6", "0-1"),
        game(&tags("Boris", 21), "1. e4 e5 2. Nf3 Nc6 3. Bc4", "1-0"),
    ];
    pack(&sandbox, &games.concat(), false);
    let records = |arguments: &[&str]| -> Vec<u64> {
        let found = followed(&sandbox, &[&["r.pgn"], arguments].concat());
        found.iter().map(|game| game[0].as_u64().expect("a number")).collect()
    };
    assert_eq!(records(&["--sort", "date"]), [2, 3, 1]);
    // A player has the side of the repertoire.
    assert_eq!(records(&["--player", "anna"]), [1, 2]);
    assert_eq!(records(&["--where", "Date >= '2026-11-21'"]), [2, 3]);
    assert_eq!(records(&["--player", "anna", "--where", "Date > '2026-11-22'"]), [0; 0]);
    assert_eq!(records(&["--limit", "2", "--sort", "date"]), [2, 3]);
    // The summary is of all.
    let arguments =
        ["find", "g.parquet", "--repertoire", "r.pgn", "--limit", "1", "--sort", "date"];
    let listed = sandbox.run(arguments).expect(0);
    let lines: Vec<&str> = listed.text().lines().collect();
    assert_eq!(lines.len(), 3, "{}", listed.text());
    assert!(lines[0].contains("  Black leaves: 1... c6, not e5 or c5  "), "{}", lines[0]);
    assert_eq!(
        lines[2],
        "3 games follow the repertoire of White (23 positions, 6 lines): White leaves it in 1, \
         Black in 2; a line of it ends in 0, the game in 0"
    );
    let written = ["find", "g.parquet", "--repertoire", "r.pgn", "--player", "anna", "-o", "-"];
    let written = sandbox.run(written).expect(0);
    assert_eq!(written.text(), games[..2].concat());
    assert!(written.err.contains("2 games follow the repertoire of White"), "{}", written.err);
    sandbox.run(["find", "-q", "g.parquet", "--repertoire", "r.pgn", "-o", "o.parquet"]).expect(0);
    assert_eq!(sandbox.run(["unpack", "-q", "-c", "o.parquet"]).expect(0).text(), games.concat());
}

#[test]
fn a_tree_shows_what_is_not_answered() {
    let sandbox = Sandbox::new();
    sandbox.write("r.pgn", WHITE);
    let games = [
        game("[WhiteElo \"2000\"]\n", "1. e4 c6", "1-0").repeat(3),
        game("", "1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6", "0-1").repeat(2),
        game("", "1. e4 e5 2. f4", "1/2-1/2"),
        game("", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 d6 5. O-O b5", "1/2-1/2"),
        game("", "1. e4", "*"),
    ];
    pack(&sandbox, &games.concat(), false);
    let shown = sandbox.run(["tree", "g.parquet", "--repertoire", "r.pgn"]).expect(0);
    let text = "\
8 games follow the repertoire of White (23 positions, 6 lines): White leaves it in 1, Black in 5; \
a line of it ends in 1, the game in 1

Moves of Black without an answer
    games   white   draw  black  rating  last  line
        3   100 %    0 %    0 %    2000        1. e4 c6
        2     0 %    0 %  100 %                1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6

Moves of White other than those of the repertoire
    games   white   draw  black  rating  last  line
        1     0 %  100 %    0 %                1. e4 e5 2. f4, not Nf3

Moves after the end of a line
    games   white   draw  black  rating  last  line
        1     0 %  100 %    0 %                1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 d6 5. O-O b5
";
    assert_eq!(shown.text(), text);
    let objects = sandbox.run(["tree", "g.parquet", "--json", "--repertoire", "r.pgn"]).expect(0);
    let objects = objects.json();
    assert_eq!(objects.len(), 5);
    for (key, value) in [
        ("line", json!("1. e4 e5 2. Nf3 Nc6 3. Bb5")),
        ("move", json!("Nf6")),
        ("coordinates", json!("g8f6")),
        ("left", json!("opponent")),
        ("repertoire", json!(["a6"])),
        ("records", json!(2)),
        ("black", json!(2)),
        ("mean_rating", json!(null)),
        ("position", json!("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")),
    ] {
        assert_eq!(objects[1][key], value, "{key}");
    }
    let none = ["tree", "g.parquet", "--repertoire", "r.pgn", "--where", "WhiteElo > 2400"];
    sandbox.run(none).refuses(1, &["no game comes to a position of the repertoire"]);
}

#[test]
fn the_side_is_told_by_the_file() {
    let sandbox = Sandbox::new();
    pack(&sandbox, &game("", "1. e4 c5 2. Nf3 d6", "1-0"), false);
    let side = |text: &str, options: &[&str]| {
        sandbox.write("r.pgn", text);
        let done = sandbox.run([&["tree", "g.parquet", "--repertoire", "r.pgn"], options].concat());
        let said = done.expect(0).text().to_owned();
        said.split(" (")
            .next()
            .unwrap_or_default()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let black = "1. e4 (1. d4 Nf6) c5 2. Nf3 (2. c3 d5) (2. Nc3 Nc6) d6 *";
    assert_eq!(side(black, &[]), "Black");
    assert_eq!(side(WHITE, &[]), "White");
    assert_eq!(side(WHITE, &["--side", "black"]), "Black");
    let line = "1. e4 c5 2. Nf3 *";
    assert_eq!(side(&format!("[Orientation \"black\"]\n\n{line}"), &[]), "Black");
    let refuse = |text: &str, words: &[&str]| {
        sandbox.write("r.pgn", text);
        sandbox.run(["tree", "g.parquet", "--repertoire", "r.pgn"]).refuses(2, words);
    };
    let cure = "say it with --side white or --side black";
    refuse(line, &["r.pgn: for which side", "White has several moves in 0 of 2 positions", cure]);
    // Two repertoires in one file.
    refuse(&format!("{WHITE}[Event \"b\"]\n\n{black}"), &[cure]);
    let two = format!("[Orientation \"white\"]\n\n{line}\n\n[Orientation \"black\"]\n\n{line}\n");
    refuse(&two, &[cure]);
    sandbox.write("r.pgn", WHITE);
    let red = ["find", "g.parquet", "--repertoire", "r.pgn", "--side", "red"];
    sandbox.run(red).refuses(2, &["the sides of Chess are White and Black"]);
}

#[test]
fn what_is_no_repertoire_is_refused() {
    let sandbox = Sandbox::new();
    pack(&sandbox, &game("", "1. e4 c5 2. Nf3 d6", "1-0"), false);
    let refuse = |text: &[u8], words: &[&str]| {
        sandbox.write("r.pgn", text);
        let arguments = ["find", "g.parquet", "--side", "white", "--repertoire", "r.pgn"];
        sandbox.run(arguments).refuses(2, &[&["r.pgn: "], words].concat());
    };
    refuse(b"", &["it has no moves"]);
    refuse(b"[Event \"x\"]\n\n*\n", &["it has no moves"]);
    refuse(b"[Event \"x\"]\n\n{ only words }\n", &["it has no moves"]);
    refuse(b"hello world\n", &["line 1: ply 1: `hello` is not a move"]);
    refuse(&[0xff, 0, 0xfe, 7, 200], &["line 1: "]);
    refuse(
        b"[Event \"x\"]\n\n1. e4 e5\n2. Nf3\n2... Ke4 3. d4 *\n",
        &["line 5: ply 4: `Ke4` is not a legal"],
    );
    refuse(
        b"[Event \"x\"]\n\n1. e4 e5 *\n\n[Event \"y\"]\n\n1. e4 (1. d4\nd6 2. dxe5) *\n",
        &["line 8: ply 3: `dxe5`"],
    );
    refuse(
        b"[FEN \"k7/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n",
        &["line 3: ", "is not a chess position"],
    );
    refuse(b"[Variant \"Horde\"]\n\n1. e4 *\n", &["the rules of `Horde` are not known"]);
    refuse(b"1. e4 (1. d4 e5 *\n", &["line 1: the parenthesis of a variation is missing"]);
    refuse(b"1. e4 e5) 2. Nf3 *\n", &["line 1: a parenthesis ends no variation"]);
    refuse(b"(1. e4) 1. d4 *\n", &["line 1: a variation replaces no move"]);
    refuse(b"1. e4 e5 { 2. Nf3\n", &["line 1: `{ 2. Nf3` is neither a move nor a comment"]);
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(70));
    refuse(deep.as_bytes(), &["more than 64 variations are within each other"]);
    let long = format!("1. {}", "Nf3 Nf6 Ng1 Ng8 ".repeat(300));
    refuse(long.as_bytes(), &["a line is longer than 1000 plies"]);
    refuse(
        b"1. e4 e5 *\n\n[Red \"a\"]\n\n1. C2=5 *\n",
        &["line 5: a game of Xiangqi after one of Chess"],
    );
    // Results within variations are none of its business.
    sandbox.write("r.pgn", "1. e4 c5 (1... e5 2. Nf3 1-0) (1... e6 *) 2. Nf3 *\n");
    sandbox.run(["find", "g.parquet", "--repertoire", "r.pgn"]).expect(0);
    sandbox.run(["find", "g.parquet", "--repertoire", "none.pgn"]).refuses(2, &["none.pgn: "]);
    sandbox
        .run(["find", "g.parquet", "--repertoire", "g.parquet"])
        .refuses(2, &["already a packed"]);
    for other in [["--moves", "1. e4"], ["--pattern", "KRK"], ["--pawns", "8/8/8/8/8/8/8/8"]] {
        let arguments = ["find", "g.parquet", "--repertoire", "r.pgn"];
        sandbox.run([&arguments[..], &other].concat()).refuses(2, &["cannot be used with"]);
    }
    sandbox.run(["find", "g.parquet", "--side", "white"]).refuses(2, &["--repertoire"]);
}

#[test]
fn other_games_have_repertoires() {
    let sandbox = Sandbox::new();
    let opening = "[Red \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. C2=5";
    pack(&sandbox, &format!("{opening} H8+7 2. H2+3 R9=8 *\n\n{opening} C8=5 *\n"), false);
    sandbox.write("r.pgn", "[Red \"\"]\n\n1. C2=5 H8+7 (1... H2+3 2. H8+7) 2. H2+3 *\n");
    let found = followed(&sandbox, &["r.pgn", "--player", "a"]);
    assert_eq!(found[0], json!([1, 3, "line end", "車９平８", []]));
    assert_eq!(found[1], json!([2, 1, "opponent", "炮８平５", ["馬８進７", "馬２進３"]]));
    let listed = sandbox.run(["find", "g.parquet", "--repertoire", "r.pgn"]).expect(0);
    assert!(listed.text().starts_with("1  a    "), "{}", listed.text());
    let told = sandbox.run(["tree", "g.parquet", "--repertoire", "r.pgn"]).expect(0);
    assert!(told.text().contains("the repertoire of Red"), "{}", told.text());
    // A tree of SGF is the same; what else its nodes have is passed over.
    sandbox.write("g.sgf", "(;GM[1]SZ[19]PB[a]PW[b];B[pd];W[dp];B[qp];W[dd])");
    sandbox.run(["pack", "-q", "-f", "g.sgf"]).expect(0);
    let joseki = "(;GM[1]SZ[19];B[pd]LB[dp:A](;W[dp];B[pp])(;W[dd];B[qp]TR[qp]))";
    sandbox.write("r.sgf", joseki);
    let found = followed(&sandbox, &["r.sgf"]);
    assert_eq!(found, [json!([1, 2, "own", "qp", ["pp"]])]);
    sandbox.write("r.pgn", WHITE);
    let other = ["find", "g.parquet", "--repertoire", "r.pgn"];
    sandbox.run(other).refuses(2, &["r.pgn"]);
}

/// The document's repertoire and the commands in it, over a sample, print what it says.
#[test]
fn the_document_says_what_is_printed() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/repertoire.md");
    let text = std::fs::read_to_string(document).expect("the document");
    let sandbox = Sandbox::new();
    std::fs::copy(sample("championship.pgn"), sandbox.path("games.pgn")).expect("a sample");
    sandbox.run(["pack", "-q", "games.pgn"]).expect(0);
    let mut blocks = Vec::new();
    let mut block = Vec::new();
    for line in text.lines().chain([""]) {
        match line.strip_prefix("    ") {
            Some(line) => block.push(line),
            // Blank lines stand within blocks.
            None if line.is_empty() && !block.is_empty() => block.push(""),
            None => blocks.push(std::mem::take(&mut block).join("\n")),
        }
    }
    let (lines, shown): (Vec<String>, Vec<String>) = blocks
        .into_iter()
        .filter(|block| block.starts_with('[') || block.starts_with("$ "))
        .partition(|block| block.starts_with('['));
    sandbox.write("white.pgn", &lines[0]);
    assert!(lines.len() == 1 && shown.len() >= 2, "{}", shown.len());
    for block in shown {
        let (command, expected) = block.split_once('\n').expect("an answer");
        let command = command.strip_prefix("$ plypack ").expect("a command");
        let mut words: Vec<String> = Vec::new();
        for (at, part) in command.split('"').enumerate() {
            match at % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        let done = sandbox.run(&words).expect(0);
        assert_eq!(done.text().trim_end(), expected.trim_end(), "{command}");
    }
}
