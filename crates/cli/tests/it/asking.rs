//! What people ask of `find` and `tree` first: how many, how deep, who against whom, and in which
//! game; and what is said where a word is only close.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Sandbox, sample};
use serde_json::{Value, json};

/// A game of two players, with ratings if they are not 0.
fn game(players: [&str; 2], elos: [u32; 2], moves: &str, result: &str) -> String {
    let [white, black] = players;
    let elo = |side: &str, elo: u32| match elo {
        0 => String::new(),
        elo => format!("[{side}Elo \"{elo}\"]\n"),
    };
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n{}{}[Result \"{result}\"]\n\n\
         {moves} {result}\n\n",
        elo("White", elos[0]),
        elo("Black", elos[1]),
    )
}

/// Six games of chess.
fn games() -> String {
    let [adams, short] = ["Adams, Michael", "Short, Nigel D"];
    [
        game([adams, short], [2700, 2600], "1. e4 c5 2. Nf3 d6 3. d4", "1-0"),
        game([short, adams], [2600, 2700], "1. e4 c5 2. Nf3 Nc6", "1/2-1/2"),
        game(["Kasparov, Garry", "Amateur"], [2850, 0], "1. e4 c5 2. c3", "1-0"),
        game([adams, "Kasparov, Garry"], [2700, 2850], "1. e4 e5", "0-1"),
        game(["Short, Nigel D", "Shirov"], [0, 0], "1. d4 d5", "*"),
        game(["Nunn", "Speelman"], [2600, 2550], "1. Nf3 c5 2. e4 d6", "0-1"),
    ]
    .concat()
}

/// Packs a text as a file of this name, and indexes it if asked to.
fn pack(sandbox: &Sandbox, name: &str, text: &str, indexed: bool) {
    let (stem, _) = name.rsplit_once('.').expect("a name with an ending");
    sandbox.write(name, text);
    let output = format!("{stem}.parquet");
    sandbox.run(["pack", "-q", "-f", name, "-o", &output]).expect(0);
    if indexed {
        sandbox.run(["index", "-q", &output]).expect(0);
    }
}

/// Runs a check on the games, with and without an index.
fn both(check: impl Fn(&Sandbox, bool)) {
    for indexed in [false, true] {
        let sandbox = Sandbox::new();
        pack(&sandbox, "a.pgn", &games(), indexed);
        check(&sandbox, indexed);
    }
}

/// The numbers of the records that `find` lists.
fn records(sandbox: &Sandbox, arguments: &[&str]) -> Vec<u64> {
    let found = sandbox.run([&["find", "-q", "--json", "a.parquet"], arguments].concat());
    let code = if found.out.is_empty() { 1 } else { 0 };
    let number = |game: Value| game["record"].as_u64().expect("a number");
    found.expect(code).json().into_iter().map(number).collect()
}

#[test]
fn games_are_counted_as_they_are_listed() {
    both(|sandbox, _| {
        for (question, games) in [
            (&[][..], 6),
            (&["--moves", "1. e4 c5"], 3),
            (&["--moves", "1. e4 c5 2. Nf3"], 3),
            (&["--moves", "1. e4 c5", "--where", "WhiteElo > 2650"], 2),
            (&["--moves", "1. d4 d5", "--variations"], 1),
            (&["--player", "short"], 3),
            (&["--pattern", "{\"moved\": \"N\"}"], 3),
            (&["--pawns", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"], 4),
        ] {
            let count = [&["find", "-q", "--count", "a.parquet"], question].concat();
            assert_eq!(sandbox.run(&count).expect(0).text(), format!("{games}\n"), "{question:?}");
            let counted = sandbox.run([&count[..], &["--json"]].concat()).expect(0).json();
            assert_eq!(counted, [json!({ "records": games })], "{question:?}");
            let all = if question.is_empty() { &["--tags"] } else { question };
            assert_eq!(records(sandbox, all).len(), games, "{question:?}");
        }
        let none = ["find", "-q", "--count", "a.parquet", "--moves", "1. h4"];
        assert_eq!(sandbox.run(none).expect(1).text(), "0\n");
        let cut = ["find", "--count", "a.parquet", "--moves", "1. e4", "--limit", "1"];
        sandbox.run(cut).refuses(2, &["--limit", "--count"]);
    });
}

#[test]
fn a_limit_that_cuts_says_so() {
    both(|sandbox, indexed| {
        let list = ["find", "a.parquet", "--moves", "1. e4", "--limit"];
        let first = sandbox.run([&list[..], &["2"]].concat()).expect(0);
        let told = if indexed { "--limit: the first 2 of 4 games" } else { "--count counts all" };
        assert!(first.err.contains(told), "{}", first.err);
        assert_eq!(first.text().lines().count(), 2);
        for limit in ["4", "5"] {
            let all = sandbox.run([&list[..], &[limit]].concat()).expect(0);
            let cut = limit == "4" && !indexed;
            assert_eq!(all.err.contains("--limit"), cut, "{}", all.err);
        }
        let some = ["find", "a.parquet", "--player", "short", "--limit", "1"];
        sandbox.run(some).refuses(0, &["--limit: the first 1 game; --count counts all"]);
        let all = ["find", "a.parquet", "--sort", "rating", "--limit", "2"];
        sandbox.run(all).refuses(0, &["--limit: the first 2 of 6 games"]);
        let quiet = sandbox.run(["find", "-q", "a.parquet", "--tags", "--limit", "2"]).expect(0);
        assert_eq!(quiet.err, "");
    });
}

#[test]
fn two_players_are_those_of_one_game() {
    both(|sandbox, _| {
        assert_eq!(records(sandbox, &["--player", "adams"]), [1, 2, 4]);
        assert_eq!(records(sandbox, &["--player", "adams", "--player", "Nigel Short"]), [1, 2]);
        // Parts of one name are not two players.
        assert!(records(sandbox, &["--player", "adams", "--player", "michael"]).is_empty());
        let some = ["--player", "short", "--player", "adams", "--where", "Result = '1-0'"];
        assert_eq!(records(sandbox, &some), [1]);
        let three = ["find", "a.parquet", "--player", "a", "--player", "b", "--player", "c"];
        sandbox.run(three).refuses(2, &["a game has two players, and 3 are asked for"]);
        // With a repertoire the first player has its side.
        sandbox.write("white.pgn", "[Orientation \"white\"]\n\n1. e4 c5 2. Nf3 *\n");
        let follow = ["--repertoire", "white.pgn", "--player", "adams", "--player", "short"];
        assert_eq!(records(sandbox, &follow), [1]);
    });
    let sandbox = Sandbox::new();
    let xiangqi = "[Game \"Chinese Chess\"]\n[Red \"Hu\"]\n[Black \"Lü\"]\n\n1. C2.5 H8+7 *\n\n";
    pack(&sandbox, "a.pgn", xiangqi, false);
    assert_eq!(records(&sandbox, &["--player", "Lu", "--player", "Hu"]), [1]);
}

#[test]
fn the_best_rated_need_no_other_question() {
    both(|sandbox, _| {
        // One rating alone is no mean: those games come after all with two.
        assert_eq!(records(sandbox, &["--sort", "rating"]), [4, 1, 2, 6, 3, 5]);
        assert_eq!(records(sandbox, &["--sort", "rating", "--limit", "2"]), [4, 1]);
        assert_eq!(records(sandbox, &["--moves", "1. e4 c5", "--sort", "rating"]), [1, 2, 3]);
    });
}

#[test]
fn a_tree_goes_as_deep_as_it_is_asked() {
    both(|sandbox, _| {
        let asked = ["tree", "-q", "a.parquet", "--depth", "3"];
        let tree = sandbox.run(asked).expect(0);
        let rows: Vec<&str> = tree.text().lines().collect();
        let moves: Vec<&str> =
            rows[3..].iter().map(|row| row[..row.len().min(12)].trim_end()).collect();
        assert_eq!(
            moves[..4],
            ["1. e4", "  1... c5", "    2. Nf3", "    2. c3"],
            "{}",
            tree.text()
        );
        let words = |row: usize| rows[row].split_ascii_whitespace().collect::<Vec<_>>();
        assert_eq!(words(5)[..5], ["2.", "Nf3", "2", "66.7", "%"]);
        assert_eq!(words(rows.len() - 1), ["all", "6"]);
        let lines = sandbox.run([&asked[..], &["--json"]].concat()).expect(0).json();
        let of = |line: &str| {
            lines.iter().find(|object| object["line"] == line).unwrap_or_else(|| panic!("{line}"))
        };
        let sicilian = of("1. e4 c5");
        assert_eq!((&sicilian["move"], &sicilian["coordinates"]), (&json!("c5"), &json!("c7c5")));
        assert_eq!((&sicilian["records"], &sicilian["ply"]), (&json!(3), &json!(2)));
        assert_eq!((&sicilian["white"], &sicilian["draws"]), (&json!(2), &json!(1)));
        assert_eq!(
            (&of("1. e4 e5")["ended"], &of("1. e4 c5 2. Nf3")["ended"]),
            (&json!(1), &json!(0))
        );
        assert_eq!(lines.len(), 10);
        // The first ply is the tree.
        let flat = sandbox.run(["tree", "-q", "a.parquet", "--json"]).expect(0).json();
        let first = lines.iter().filter(|object| object["ply"] == 1);
        for (one, other) in flat.iter().zip(first) {
            for key in ["move", "records", "white", "draws", "black", "mean_rating", "last_year"] {
                assert_eq!(one[key], other[key], "{key}");
            }
        }
        // From a position, whatever led there.
        let from =
            ["tree", "-q", "a.parquet", "--moves", "1. e4 c5 2. Nf3", "--depth", "2", "--json"];
        let lines: Vec<(Value, Value)> = sandbox
            .run(from)
            .expect(0)
            .json()
            .into_iter()
            .map(|object| (object["line"].clone(), object["records"].clone()))
            .collect();
        let expected = [
            ("1. e4 c5 2. Nf3 d6", 2),
            ("1. e4 c5 2. Nf3 d6 3. d4", 1),
            ("1. e4 c5 2. Nf3 Nc6", 1),
        ];
        assert_eq!(lines, expected.map(|(line, games)| (json!(line), json!(games))));
    });
}

#[test]
fn a_tree_shows_as_many_moves_as_it_is_asked() {
    both(|sandbox, _| {
        let rows = |arguments: &[&str]| {
            let tree = sandbox.run([&["tree", "-q", "a.parquet"], arguments].concat()).expect(0);
            tree.text().to_owned()
        };
        let few = rows(&["--limit", "1"]);
        assert!(few.contains("\n.. 2 more moves\n") && !few.contains("\nd4 "), "{few}");
        assert!(few.contains("\nall "), "{few}");
        let often = rows(&["--min-games", "2", "--depth", "2"]);
        assert!(often.contains("1. e4") && often.contains("1... c5"), "{often}");
        assert!(!often.contains("1... e5") && often.contains("  .. 1 more move\n"), "{often}");
        let json = sandbox.run(["tree", "-q", "a.parquet", "--json", "--min-games", "2"]);
        assert_eq!(json.expect(0).json().len(), 1);
    });
}

#[test]
fn a_tree_is_a_game_with_variations() {
    both(|sandbox, _| {
        let write = ["tree", "a.parquet", "--moves", "1. e4", "--depth", "3", "-o", "tree.pgn"];
        let done = sandbox.run(write).expect(0);
        assert!(done.out.is_empty() && done.err.contains("tree.pgn: the moves of 4 games"));
        sandbox.run(write).refuses(2, &["tree.pgn exists", "-f"]);
        let text = String::from_utf8(sandbox.read("tree.pgn")).expect("text");
        let plain: String = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "1. e4 c5 {3 games, White 67 %, drawn 33 %, Black 0 %, rating 2716}",
            "(1... e5 {1 game, White 0 %, drawn 0 %, Black 100 %, rating 2775})",
            "(2. c3 {1 game, White 100 %, drawn 0 %, Black 0 %, rating 2850})",
        ] {
            assert!(plain.contains(part), "no {part}: {plain}");
        }
        // It is read like any other game.
        sandbox.run(["pack", "-q", "-f", "--strict", "tree.pgn"]).expect(0);
        let found = ["find", "-q", "tree.parquet", "--variations", "--moves", "1. e4 c5 2. c3"];
        sandbox.run(found).expect(0);
    });
    let sandbox = Sandbox::new();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let set_up = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e4 Ke7 *\n\n");
    pack(&sandbox, "a.pgn", &set_up, false);
    let done = sandbox.run(["tree", "-q", "a.parquet", "--fen", fen, "--depth", "2", "-o", "-"]);
    assert!(done.expect(0).text().contains(&format!("[FEN \"{fen}\"]")));
    pack(&sandbox, "a.sgf", GO, false);
    let go = ["tree", "-q", "a.parquet", "--depth", "2", "-o", "-"];
    sandbox.run(go).refuses(2, &["PGN has no games of go"]);
}

/// Two games of go on 19 rows.
const GO: &str = "(;GM[1]SZ[19]PB[Shusaku]PW[Gennan]RE[B+2];B[pd];W[dp];B[pq])\n\
                  (;GM[1]SZ[19]PB[Ota]PW[Inoue]RE[W+R];B[pd];W[dd])\n";

#[test]
fn go_is_told_as_its_players_tell_it() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a.sgf", GO, false);
    let list = sandbox.run(["find", "-q", "a.parquet", "--moves", "Q16 D4"]).expect(0);
    let words: Vec<&str> = list.text().split_ascii_whitespace().collect();
    assert_eq!(words, ["1", "Shusaku", "Gennan", "B+2", "3.", "Q3"]);
    // Both spellings are understood, and programs read the one that they always did.
    for moves in ["Q16 D4", "pd dp", ";B[pd];W[dp]"] {
        let found = sandbox.run(["find", "-q", "--json", "a.parquet", "--moves", moves]);
        assert_eq!(found.expect(0).json()[0]["move"], "pq", "{moves}");
    }
    let tree = sandbox.run(["tree", "-q", "a.parquet", "--moves", "Q16"]).expect(0);
    let rows: Vec<Vec<&str>> =
        tree.text().lines().map(|row| row.split_ascii_whitespace().collect()).collect();
    assert_eq!(rows[2][..6], ["move", "games", "share", "black", "draw", "white"]);
    assert_eq!(rows[3][..6], ["D16", "1", "50.0", "%", "0", "%"]);
    assert_eq!(rows[4][..6], ["D4", "1", "50.0", "%", "100", "%"]);
    assert!(tree.text().contains("Shusaku - Gennan"), "{}", tree.text());
    let deep = sandbox.run(["tree", "-q", "a.parquet", "--depth", "2"]).expect(0);
    assert!(deep.text().contains("\n1. Q16 ") && deep.text().contains("\n  2. D4 "));
}

#[test]
fn a_question_is_asked_in_the_game_whose_notation_it_has() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("all")).expect("a folder");
    for (name, output) in [("xiangqi", "all/a.parquet"), ("famous", "all/b.parquet")] {
        let input = sample(&format!("{name}.pgn"));
        let pack = ["pack".as_ref(), "-q".as_ref(), input.as_os_str(), "-o".as_ref()];
        sandbox.run(pack.into_iter().chain([output.as_ref()])).expect(0);
    }
    let e4 = sandbox.run(["find", "all", "--moves", "1. e4"]).expect(0);
    assert!(e4.err.contains("asked in chess, the game of all/b.parquet"), "{}", e4.err);
    sandbox.run(["find", "all", "--pattern", "{\"moved\": \"Q\"}"]).expect(0);
    let cannon = sandbox.run(["tree", "all", "--moves", "1. P5+1"]);
    assert!(!cannon.err.contains("asked in"), "{}", cannon.err);
    let neither = sandbox.run(["find", "all", "--moves", "1. e9"]);
    let words = ["e9", "this was read as xiangqi, the game of all/a.parquet", "--game"];
    neither.refuses(2, &words);
}

#[test]
fn a_name_that_is_nearly_right_is_told() {
    both(|sandbox, _| {
        for (sought, near) in [
            ("kasparof", "near are: Kasparov, Garry"),
            ("Adms, Michael", "near are: Adams, Michael"),
            ("Nigel Shrot", "near are: Short, Nigel D"),
        ] {
            sandbox.run(["find", "a.parquet", "--player", sought]).refuses(1, &[sought, near]);
            sandbox.run(["tree", "a.parquet", "--player", sought]).refuses(1, &[near]);
        }
        for arguments in [&["--player", "Botvinnik"][..], &["--player", "nunn", "--moves", "d4"]] {
            let none = sandbox.run([&["find", "a.parquet"], arguments].concat()).expect(1);
            assert!(!none.err.contains("near are"), "{}", none.err);
        }
    });
}

#[test]
fn an_option_that_a_condition_replaces_is_told() {
    let sandbox = Sandbox::new();
    for (option, condition) in [
        ("--eco", "--where \"ECO = 'B90'\""),
        ("--event", "--where \"Event LIKE"),
        ("--from=2020", "--where \"Date >= '2020-01-31'\""),
        ("--opening", "--where \"Opening LIKE"),
    ] {
        for verb in ["find", "tree"] {
            let done = sandbox.run([verb, "a.parquet", option]).refuses(2, &[condition]);
            assert!(!done.err.contains("as a value"), "{}", done.err);
        }
    }
    let done = sandbox.run(["ls", "a.parquet", "--eco"]).expect(2);
    assert!(!done.err.contains("--where"), "{}", done.err);
}

#[test]
fn positions_are_found_in_files_of_positions() {
    let sandbox = Sandbox::new();
    let lines = "8/8/8/4k3/8/4K3/4P3/8 w - - bm e3;\n\
                 8/8/8/4k3/8/4K3/4P3/8 b - -\n\
                 # a comment\n\
                 8/8/8/4k3/8/4K3/4P3/8 w - - 7 40\n";
    pack(&sandbox, "p.epd", lines, false);
    let find = ["find", "p.parquet", "--fen", "8/8/8/4k3/8/4K3/4P3/8 w - -"];
    let found = sandbox.run(find).expect(0);
    let words: Vec<&str> = found.text().lines().map(str::trim).collect();
    assert_eq!(
        words,
        ["1  8/8/8/4k3/8/4K3/4P3/8 w - - bm e3;", "4  8/8/8/4k3/8/4K3/4P3/8 w - - 7 40"]
    );
    let found = sandbox.run([&find[..], &["--json"]].concat()).expect(0).json();
    assert_eq!((&found[0]["record"], &found[0]["bm"]), (&json!(1), &json!("e3")));
    assert_eq!(found[1]["position"], "8/8/8/4k3/8/4K3/4P3/8 w - - 7 40");
    assert_eq!(sandbox.run([&find[..], &["--count"]].concat()).expect(0).text(), "2\n");
    let first = sandbox.run([&find[..], &["--limit", "1"]].concat()).expect(0);
    assert_eq!(first.text().lines().count(), 1);
    let other = ["find", "p.parquet", "--fen", "8/8/8/4k3/8/4K3/8/8 w - -"];
    sandbox.run(other).refuses(1, &["no record has 8/8/8/4k3/8/4K3/8/8 w - -"]);
    let sorted = [&find[..], &["--sort", "date"]].concat();
    sandbox.run(sorted).refuses(2, &["files of positions", "is for games"]);
}

#[test]
fn folders_are_taken_whole_and_junk_in_them_is_named() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("all")).expect("a folder");
    pack(&sandbox, "all/a.pgn", &games(), false);
    pack(&sandbox, "all/c.pgn", &games(), false);
    let listed = sandbox.run(["ls", "--json", "all"]).expect(0).json();
    let files: Vec<&Value> = listed.iter().map(|file| &file["file"]).collect();
    assert_eq!(files, ["all/a.parquet", "all/c.parquet"]);
    sandbox.run(["verify", "all"]).refuses(0, &["all/a.parquet: 6 records", "all/c.parquet"]);
    sandbox.run(["index", "all/"]).expect(0);
    assert!(sandbox.path("all/c.plyindex").is_file());
    sandbox.write("all/b.parquet", "junk");
    // What works on files one by one does so, and says which it could not work on.
    let ls = sandbox.run(["ls", "--json", "all"]).refuses(2, &["all/b.parquet: this is not"]);
    assert_eq!(ls.json().len(), 2);
    sandbox.run(["index", "-f", "all"]).refuses(2, &["b.parquet: this", "c.parquet: indexed"]);
    sandbox.run(["verify", "all"]).refuses(2, &["b.parquet: this", "c.parquet: 6 records"]);
    // A question to a folder is not answered without one of its files.
    for arguments in [&["find", "all", "--tags"][..], &["tree", "all"], &["players", "all"]] {
        let cure = "every *.parquet file in all is asked; move this one, or name the files to ask";
        sandbox.run(arguments).refuses(2, &["all/b.parquet: this is not a packed file", cure]);
    }
}
