//! `plypack find` and `plypack tree`: every game of the registry, with and without an index, and
//! compared with games replayed here; conditions, orders and files; and what is refused.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeMap;

use crate::common::{CHESS960, Sandbox, TORTURE, sample};
use plypack_core::ErasedRules;
use plypack_testing::sample::every;
use serde_json::{Value, json};

/// Without and with an index.
const INDEXED: [bool; 2] = [false, true];

/// Packs games, and indexes them if asked to.
fn pack(sandbox: &Sandbox, name: &str, text: &str, options: &[&str], indexed: bool) {
    let input = sandbox.write(&format!("{name}.pgn"), text);
    let output = format!("{name}.parquet");
    let arguments = ["pack", "-q", "-f", "-o", &output, input.to_str().expect("a path")];
    sandbox.run([&arguments, options].concat()).expect(0);
    if indexed {
        sandbox.run(["index", "-q", &output]).expect(0);
    }
}

/// Runs a check over these games, with and without an index.
fn both(name: &str, text: &str, options: &[&str], check: impl Fn(&Sandbox)) {
    for indexed in INDEXED {
        let sandbox = Sandbox::new();
        pack(&sandbox, name, text, options, indexed);
        check(&sandbox);
    }
}

/// Returns what `find --json` prints; nothing if nothing is found.
fn find(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let done = sandbox.run([&["find", "--json", "-q"], arguments].concat());
    let code = if done.out.is_empty() { 1 } else { 0 };
    done.expect(code).json()
}

/// Returns the records found, and the plies of each.
fn places(sandbox: &Sandbox, arguments: &[&str]) -> Vec<(u64, Vec<u64>)> {
    let numbers = |value: &Value| {
        let numbers = value.as_array().expect("a list").iter();
        numbers.map(|number| number.as_u64().expect("a number")).collect()
    };
    let found = find(sandbox, arguments);
    let place = |game: &Value| (game["record"].as_u64().expect("one"), numbers(&game["plies"]));
    found.iter().map(place).collect()
}

/// Returns what `tree --json` prints, by move: records, White's wins, draws and Black's wins.
fn tree(sandbox: &Sandbox, arguments: &[&str]) -> BTreeMap<String, [u64; 4]> {
    let done = sandbox.run([&["tree", "--json", "-q"], arguments].concat());
    let code = if done.out.is_empty() { 1 } else { 0 };
    let number = |value: &Value| value.as_u64().expect("a number");
    let played = |object: Value| {
        let counts = ["records", "white", "draws", "black"].map(|key| number(&object[key]));
        (object["move"].as_str().unwrap_or("end").to_owned(), counts)
    };
    done.expect(code).json().into_iter().map(played).collect()
}

/// Takes out what only an index tells: the games of the positions after the moves.
fn without_positions(mut tree: Vec<Value>) -> Vec<Value> {
    for object in &mut tree {
        object.as_object_mut().and_then(|keys| keys.remove("any_order")).expect("its key");
    }
    tree
}

/// A game of these moves.
fn game(tags: &str, moves: &str, result: &str) -> String {
    format!("{tags}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

#[test]
fn a_position_is_found_however_it_was_reached() {
    let set_up = "[FEN \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\"]\n";
    let games = [
        game("", "1. d4 Nf6 2. c4 e6 3. Nc3", "1-0"),
        game("", "1. c4 e6 2. d4 Nf6 3. Nf3", "0-1"),
        game(set_up, "1... e6 2. c4 Nf6 3. Nc3 Bb4", "1/2-1/2"),
        game("", "1. d4 Nf6 2. c4 e6", "*"),
        game("", "1. d4 Nf6 2. c4 g6", "1-0"),
        // The part of a game that was understood counts.
        game("", "1. d4 Nf6 2. c4 e6 3. Ke4", "1-0"),
        "junk\n\n".to_owned(),
    ];
    both("a", &games.concat(), &[], |sandbox| {
        let found = places(sandbox, &["a.parquet", "--moves", "1. d4 Nf6 2. c4 e6"]);
        let expected = [(1, vec![4]), (2, vec![4]), (3, vec![3]), (4, vec![4]), (6, vec![4])];
        assert_eq!(found, expected);
        for spelling in [
            "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
            "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w HAha - 77 99",
            "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq",
        ] {
            assert_eq!(places(sandbox, &["a.parquet", "--fen", spelling]), expected, "{spelling}");
        }
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let from = ["a.parquet", "--fen", start, "--moves", "c2c4 e7e6 d2d4 g8f6"];
        assert_eq!(places(sandbox, &from), expected);
        assert_eq!(places(sandbox, &["a.parquet", "--moves", "1. a4"]), []);
        let found = tree(sandbox, &["a.parquet", "--moves", "1. d4 Nf6 2. c4 e6"]);
        let expected = [("Nc3", [2, 1, 1, 0]), ("Nf3", [1, 0, 0, 1])];
        assert!(found.iter().map(|(mv, sum)| (mv.as_str(), *sum)).eq(expected), "{found:?}");
        let games = find(sandbox, &["a.parquet", "--moves", "1. d4 Nf6 2. c4 e6"]);
        assert_eq!([&games[0]["move"], &games[0]["coordinates"]], ["Nc3", "b1c3"]);
        assert_eq!((&games[3]["move"], &games[0]["ply"]), (&Value::Null, &json!(4)));
        assert_eq!(games[2]["FEN"], set_up[6..set_up.len() - 3]);
    });
}

/// Games that come to the same positions by other moves, and one that plays alone.
fn transposed() -> String {
    let games = [
        game("[White \"A\"]\n", "1. d4 Nf6 2. c4 e6 3. Nc3", "1-0"),
        game("", "1. c4 Nf6 2. d4 e6 3. Nf3", "0-1"),
        game("", "1. c4 e6 2. d4 Nf6", "1/2-1/2"),
        game("", "1. d4 e6 2. c4 Nf6", "*"),
        game("", "1. d4 Nf6 2. c4 g6", "1-0"),
    ];
    games.concat()
}

#[test]
fn a_move_tells_the_games_of_its_position_by_any_order() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &transposed(), &[], true);
    let asked = ["tree", "-q", "a.parquet", "--moves", "1. d4 Nf6 2. c4"];
    let behind = |more: &[&str]| {
        let done = sandbox.run([&asked[..], &["--json"], more].concat()).expect(0).json();
        let behind = done.into_iter().map(|object| {
            let own = ["records", "white", "draws", "black"].map(|key| object[key].clone());
            (object["move"].as_str().unwrap_or("end").to_owned(), own, object["any_order"].clone())
        });
        behind.collect::<Vec<_>>()
    };
    let sum = |n: [u8; 4]| json!({ "records": n[0], "white": n[1], "draws": n[2], "black": n[3] });
    let expected = [
        ("e6".to_owned(), [2, 1, 0, 1].map(Value::from), sum([4, 1, 1, 1])),
        ("g6".to_owned(), [1, 1, 0, 0].map(Value::from), sum([1, 1, 0, 0])),
    ];
    assert_eq!(behind(&[]), expected);
    let done = sandbox.run(asked).expect(0);
    let lines: Vec<&str> = done.text().lines().collect();
    assert!(lines[2].ends_with("last   any order"), "{}", lines[2]);
    assert!(lines[3].starts_with("e6") && lines[3].ends_with("4  33/33/33"), "{}", lines[3]);
    assert!(lines[4].starts_with("g6") && lines[4].ends_with("1  100/0/0"), "{}", lines[4]);
    // What only some games tell is unknown.
    for narrow in [&["--no-index"][..], &["--where", "White = 'A'"], &["--variations"]] {
        assert!(behind(narrow).iter().all(|(_, _, behind)| behind.is_null()), "{narrow:?}");
        let done = sandbox.run([&asked[..], narrow].concat()).expect(0);
        assert!(!done.text().contains("any order"), "{narrow:?}: {}", done.text());
    }
    // A damaged index tells nothing.
    let mut index = sandbox.read("a.plyindex");
    let at = "PLYINDEX".len() + 1;
    index[at] ^= 1;
    std::fs::write(sandbox.path("a.plyindex"), index).expect("written");
    assert!(behind(&[]).iter().all(|(_, _, behind)| behind.is_null()));
}

#[test]
fn en_passant_counts_where_a_pawn_may_take() {
    let games =
        [game("", "1. e4 d5 2. e5 f5 3. exf6", "1-0"), game("", "1. e4 f5 2. e5 d5 3. Nf3", "0-1")];
    both("a", &games.concat(), &[], |sandbox| {
        let fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq";
        for (square, expected) in [("f6", &[1][..]), ("d6", &[2]), ("-", &[])] {
            let found = places(sandbox, &["a.parquet", "--fen", &format!("{fen} {square}")]);
            assert!(found.iter().map(|found| &found.0).eq(expected), "{square}: {found:?}");
        }
        // No pawn can take on e3.
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        for square in ["e3", "-"] {
            let found = places(sandbox, &["a.parquet", "--fen", &format!("{fen} {square} 0 1")]);
            assert_eq!(found.len(), 2, "{square}");
        }
    });
}

#[test]
fn a_game_that_comes_back_counts_once_for_each_move() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5";
    let games = [game("", moves, "1/2-1/2"), game("", "1. e4 c5", "1-0"), game("", "", "*")];
    both("a", &games.concat(), &[], |sandbox| {
        let found = places(sandbox, &["a.parquet", "--moves", ""]);
        assert_eq!(found, [(1, vec![0, 4, 8]), (2, vec![0]), (3, vec![0])]);
        let done = sandbox.run(["tree", "--json", "-q", "a.parquet"]).expect(0).json();
        assert_eq!(
            [&done[0]["move"], &done[0]["records"], &done[0]["all"]],
            [&json!("e4"), &json!(2), &json!(3)]
        );
        assert_eq!(
            [&done[1]["move"], &done[1]["records"], &done[1]["ended"]],
            [&json!("Nf3"), &json!(1), &json!(1)]
        );
        // A position in which all games end has no move.
        let end = sandbox.run(["tree", "--json", "-q", "a.parquet", "--moves", "e4 c5"]);
        let end = end.expect(0).json();
        assert_eq!((end.len(), &end[0]["move"], &end[0]["records"]), (1, &Value::Null, &json!(1)));
    });
}

#[test]
fn variations_and_other_starts_of_chess_count() {
    let nested = game("", "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6 3. g3)) 2. Nf3", "1-0");
    both("a", &[CHESS960, &nested].concat(), &[], |sandbox| {
        let start = "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w";
        for rights in ["KQkq", "GBgb"] {
            let fen = format!("{start} {rights} - 0 1");
            assert_eq!(places(sandbox, &["a.parquet", "--fen", &fen]), [(1, vec![0])]);
            let castled = ["a.parquet", "--fen", &fen, "--moves", "O-O"];
            assert_eq!(places(sandbox, &castled), [(1, vec![1])]);
        }
        let fen = format!("{start} - - 0 1");
        assert_eq!(places(sandbox, &["a.parquet", "--fen", &fen]), []);
        let fen = format!("{start} KQkq - 0 1");
        let both_castled = ["a.parquet", "--fen", &fen, "--moves", "O-O O-O"];
        assert_eq!(places(sandbox, &both_castled), []);
        let found = find(sandbox, &[&both_castled[..], &["--variations"]].concat());
        assert_eq!(found.len(), 1);
        assert_eq!((&found[0]["plies"], &found[0]["variations"]), (&json!([]), &json!([2])));
        assert_eq!((&found[0]["ply"], &found[0]["move"]), (&json!(2), &json!("Ng3")));

        for (moves, main, all) in [
            ("1. e4 c5", 0, 1),
            ("1. e4 c5 2. Nc3 Nc6 3. g3", 0, 1),
            ("1. e4 c5 2. Nf3", 0, 1),
            // A variation begins at a position of its line, which counts once.
            ("1. e4", 1, 1),
        ] {
            let arguments = ["a.parquet", "--moves", moves];
            assert_eq!(find(sandbox, &arguments).len(), main, "{moves}");
            let found = find(sandbox, &[&arguments[..], &["--variations"]].concat());
            assert_eq!(found.len(), all, "{moves}");
        }
        let found = tree(sandbox, &["a.parquet", "--moves", "1. e4 c5", "--variations"]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("Nf3".to_owned(), [1, 1, 0, 0])]);
    });
}

#[test]
fn every_game_of_the_registry_is_searched() {
    let xiangqi = std::fs::read_to_string(sample("xiangqi.pgn")).expect("a sample");
    both("x", &xiangqi, &[], |sandbox| {
        let fen = "rnbakabnr/9/1c5c1/p1p3p1p/4p4/4P4/P1P3P1P/1C5C1/9/RNBAKABNR";
        for arguments in [
            ["--moves", "兵五進一 卒５進１"],
            ["--moves", "e3e4 e6e5"],
            ["--fen", &format!("{fen} w - - 0 2")],
            ["--fen", &format!("{fen} r")],
        ] {
            let found = places(sandbox, &[&["x.parquet"], &arguments[..]].concat());
            assert_eq!(found, [(1, vec![2])], "{arguments:?}");
        }
        assert!(places(sandbox, &["x.parquet", "--fen", &format!("{fen} b")]).is_empty());
    });
    let tictactoe = std::fs::read_to_string(sample("tictactoe.pgn")).expect("a sample");
    both("t", &tictactoe, &[], |sandbox| {
        // a3 b2 a1 is b2 a3 a1 in another order.
        assert_eq!(places(sandbox, &["t.parquet", "--moves", "1. a1 a3 2. b2"]), [(1, vec![3])]);
        assert_eq!(places(sandbox, &["t.parquet", "--fen", "3/1x1/3 o"]).len(), 2);
        let found = tree(sandbox, &["t.parquet", "--moves", "b2"]);
        let expected = [("a3", [1, 0, 1, 0]), ("b1", [1, 1, 0, 0])];
        assert!(found.iter().map(|(mv, sum)| (mv.as_str(), *sum)).eq(expected), "{found:?}");
    });
    let othello = "f5d6c3d3c4\nf5d6c5f4e3\nd3c3c4\n";
    both("o", othello, &["--game", "othello"], |sandbox| {
        let board = "---------------------------OX------OXX-----O-------------------- X";
        for arguments in [["--moves", "f5d6"], ["--moves", "f5 d6"], ["--fen", board]] {
            let found = places(sandbox, &[&["o.parquet"], &arguments[..]].concat());
            assert_eq!(found, [(1, vec![2]), (2, vec![2])], "{arguments:?}");
        }
        assert_eq!(tree(sandbox, &["o.parquet"]).len(), 2);
    });
    let gomoku = game("", "1. h8 h9 2. i8 g8", "1-0") + &game("", "1. i8 h9 2. h8 i9", "0-1");
    both("g", &gomoku, &["--game", "gomoku"], |sandbox| {
        assert_eq!(places(sandbox, &["g.parquet", "--moves", "h8 h9 i8"]).len(), 2);
        let rows = |middle: &str| format!("{}{middle}{} o", "15/".repeat(6), "/15".repeat(7));
        // The rule is not part of a position.
        for rule in ["", " freestyle", " standard"] {
            let fen = rows("7o7/7xx6") + rule;
            assert_eq!(places(sandbox, &["g.parquet", "--fen", &fen]).len(), 2, "{fen}");
        }
        let found = tree(sandbox, &["g.parquet", "--moves", "h8 h9 i8"]);
        let expected = [("g8", [1, 1, 0, 0]), ("i9", [1, 0, 0, 1])];
        assert!(found.iter().map(|(mv, sum)| (mv.as_str(), *sum)).eq(expected), "{found:?}");
    });
}

/// A game as this test replays it.
struct Replay {
    result: String,
    /// The position's text without counters before each move and at the end, and the move.
    plies: Vec<(String, Option<String>)>,
}

fn replays(text: &str, chess: &dyn ErasedRules) -> Vec<Replay> {
    let games = text.split("\n[Event ").collect::<Vec<_>>();
    let replay = |text: &&str| {
        let (tags, moves) = text.split_once("\n\n").expect("tags and moves");
        let result = tags.split_once("[Result \"").and_then(|rest| rest.1.split_once('"'));
        let mut cursor = chess.cursor(None).expect("the usual start");
        let mut plies = Vec::new();
        let words = moves.split_ascii_whitespace().filter(|word| !word.ends_with('.'));
        let words = words.filter(|word| !["1-0", "0-1", "1/2-1/2", "*"].contains(word));
        for word in words.map(Some).chain([None]) {
            let mut fen = String::new();
            cursor.write_position(&mut fen);
            let stem: Vec<&str> = fen.split(' ').take(4).collect();
            plies.push((stem.join(" "), word.map(str::to_owned)));
            if let Some(word) = word {
                cursor.read(word).unwrap_or_else(|error| panic!("{word}: {error}"));
            }
        }
        Replay { result: result.expect("a result").0.to_owned(), plies }
    };
    games.iter().map(replay).collect()
}

#[test]
fn what_is_found_is_what_a_replay_finds() {
    let chess = plypack_games::game("chess").expect("a game");
    let text = std::fs::read_to_string(sample("championship.pgn")).expect("a sample");
    let games = replays(&text, chess);
    assert_eq!(games.len(), 567);
    // Texts may differ only by an en passant square where no capture is possible.
    let same = |one: &str, other: &str| {
        let board = |text: &str| text.rsplit_once(' ').map(|parts| parts.0.to_owned());
        let moves = |text: &str| {
            let texts = chess.candidates(Some(text), plypack_core::Notation::Coordinate);
            texts.expect("a position").iter().map(str::to_owned).collect::<Vec<_>>()
        };
        one == other || board(one) == board(other) && moves(one) == moves(other)
    };
    let mut random = crate::common::Random(88_172_645_463_325_252);
    let mut targets: Vec<String> = [0, 1, 2, 3, 5, 8, 12, 16, 25, 40, 60]
        .map(|ply| {
            let plies = &games[random.below(games.len())].plies;
            plies[ply.min(plies.len() - 1)].0.clone()
        })
        .to_vec();
    targets.push(games[566].plies.last().expect("an end").0.clone());
    let sandboxes = INDEXED.map(|indexed| {
        let sandbox = Sandbox::new();
        pack(&sandbox, "c", &text, &["--codec", "line.uniform"], indexed);
        sandbox
    });
    for target in &targets {
        let mut expected = Vec::new();
        let mut moves: BTreeMap<String, [u64; 4]> = BTreeMap::new();
        for (number, game) in (1..).zip(&games) {
            let reached: Vec<usize> =
                (0..game.plies.len()).filter(|&ply| same(&game.plies[ply].0, target)).collect();
            if reached.is_empty() {
                continue;
            }
            let mut played: Vec<&String> =
                reached.iter().filter_map(|&ply| game.plies[ply].1.as_ref()).collect();
            played.sort();
            played.dedup();
            for mv in played {
                let sum = moves.entry(mv.clone()).or_default();
                let results = ["1-0", "1/2-1/2", "0-1"];
                sum[0] += 1;
                results.iter().zip(1..).for_each(|(result, at)| {
                    sum[at] += u64::from(game.result == *result);
                });
            }
            expected.push((number, reached.iter().map(|&ply| ply as u64).collect::<Vec<_>>()));
        }
        assert!(!expected.is_empty());
        if moves.is_empty() {
            moves.insert("end".into(), [1, 0, 0, 0]);
        }
        for sandbox in &sandboxes {
            let asked = ["c.parquet", "--fen", target];
            assert_eq!(places(sandbox, &asked), expected, "{target}");
            let found = tree(sandbox, &asked);
            let records = |tree: &BTreeMap<String, [u64; 4]>| {
                tree.iter().map(|(mv, sum)| (mv.clone(), sum[0])).collect::<Vec<_>>()
            };
            assert_eq!(records(&found), records(&moves), "{target}");
            assert!(moves.contains_key("end") || found == moves, "{target}: {found:?} {moves:?}");
        }
        // All output is the same with an index and without, but for what only an index tells.
        let said = sandboxes.each_ref().map(|sandbox| {
            let tree = sandbox.run(["tree", "--json", "-q", "c.parquet", "--fen", target]);
            let text = sandbox.run(["tree", "-q", "c.parquet", "--fen", target]);
            let find = sandbox.run(["find", "-q", "--limit", "3", "c.parquet", "--fen", target]);
            let [text, find] = [text, find].map(|done| done.expect(0).text().to_owned());
            (without_positions(tree.expect(0).json()), text, find)
        });
        let [(tree, text, find), (indexed_tree, indexed_text, indexed_find)] = &said;
        assert_eq!((tree, find), (indexed_tree, indexed_find), "{target}");
        assert_eq!(text.lines().count(), indexed_text.lines().count(), "{target}");
        let mut lines = text.lines().zip(indexed_text.lines());
        assert!(lines.all(|(line, indexed)| indexed.starts_with(line)), "{target}");
    }
}

/// Games of two files with ratings and dates; all but one begin with the same move.
fn rated() -> [String; 2] {
    let tags = |white: &str, black: &str, elo: &str, date: &str| {
        let elo = if elo.is_empty() { String::new() } else { format!("[WhiteElo \"{elo}\"]\n") };
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n{elo}[Date \"{date}\"]\n")
    };
    let first = [
        game(&tags("Adams", "Short", "2500", "1999.03.01"), "1. e4 e5", "1-0"),
        game(&tags("Short", "Speelman", "", "2001.??.??"), "1. e4 c5", "0-1"),
        game(&tags("O'Kelly", "Adams", "2700", "1970.01.02"), "1. e4 e6", "1/2-1/2"),
    ];
    let second = [
        game(&tags("Speelman", "Nunn", "2600", "????.??.??"), "1. d4 d5", "1-0"),
        game(&tags("Nunn", "Adams", "2700", "2001.05.05"), "1. e4 d5", "1-0"),
    ];
    [first.concat(), second.concat()]
}

#[test]
fn conditions_orders_and_limits_hold_over_several_files() {
    for indexed in INDEXED {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.path("all")).expect("a folder");
        let [first, second] = rated();
        pack(&sandbox, "all/a", &first, &[], indexed);
        // A file without an index beside one that has one.
        pack(&sandbox, "all/b", &second, &[], false);
        let whites = |arguments: &[&str]| -> Vec<String> {
            let found = find(&sandbox, &[&["all"], arguments].concat());
            let name = |game: &Value| game["White"].as_str().expect("a name").to_owned();
            found.iter().map(name).collect()
        };
        let e4 = ["--moves", "1. e4"];
        for (arguments, expected) in [
            (&[][..], &["Adams", "Short", "O'Kelly", "Nunn"][..]),
            (&["--limit", "2"], &["Adams", "Short"]),
            (&["--sort", "rating"], &["O'Kelly", "Nunn", "Adams", "Short"]),
            (&["--sort", "date"], &["Nunn", "Short", "Adams", "O'Kelly"]),
            (&["--sort", "rating", "--limit", "1"], &["O'Kelly"]),
            (&["--where", "whiteelo >= 2600"], &["O'Kelly", "Nunn"]),
            (&["--where", "Result = '1-0'", "--sort", "date"], &["Nunn", "Adams"]),
            (&["--player", "adams"], &["Adams", "O'Kelly", "Nunn"]),
            (&["--player", "o'k"], &["O'Kelly"]),
            (&["--player", "adams", "--where", "Year < 2000 -- old"], &["Adams", "O'Kelly"]),
            (&["--player", "%"], &[]),
        ] {
            assert_eq!(whites(&[&e4, arguments].concat()), expected, "{arguments:?}");
        }
        assert_eq!(whites(&["--player", "nunn"]), ["Speelman", "Nunn"]);
        assert_eq!(whites(&["--tags"]).len(), 5);
        let found = find(&sandbox, &["all", "--player", "nunn"]);
        assert_eq!(found[0]["file"], "all/b.parquet");
        assert!(found[0].get("ply").is_none() && found[1]["record"] == 2);

        let all = tree(&sandbox, &["all"]);
        assert_eq!(all.into_values().map(|sum| sum[0]).collect::<Vec<_>>(), [1, 4]);
        let some = tree(&sandbox, &["all", "--player", "adams"]);
        assert_eq!(some.into_iter().collect::<Vec<_>>(), [("e4".to_owned(), [3, 2, 1, 0])]);
        let done = sandbox.run(["tree", "-q", "--json", "all", "--moves", "e4"]).expect(0).json();
        let examples: Vec<&str> = done
            .iter()
            .flat_map(|object| object["examples"].as_array().expect("a list"))
            .map(|game| game["white"].as_str().expect("a name"))
            .collect();
        assert_eq!(examples.len(), 3);
        assert!(["O'Kelly", "Nunn", "Adams"].iter().all(|name| examples.contains(name)));
        let mean = done.iter().find(|object| object["move"] == "e5").expect("a move");
        assert_eq!((&mean["mean_rating"], &mean["last_year"]), (&json!(2500.0), &json!(1999)));
        let none = sandbox.run(["tree", "-q", "all", "--where", "Year = 1800"]);
        none.expect(1);
    }
}

#[test]
fn files_with_different_columns_are_searched_together() {
    for indexed in INDEXED {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.path("all")).expect("a folder");
        for (name, tags, moves) in [
            ("a", "[White \"a\"]\n", "1. e4 e5"),
            ("b", "[White \"b\"]\n[WhiteElo \"2500\"]\n", "1. e4 {x} c5"),
            ("c", "[White \"c\"]\n[Odd \"1\"]\n", "1. e4 { [%clk 0:01:00] } d5"),
        ] {
            pack(&sandbox, &format!("all/{name}"), &game(tags, moves, "*"), &[], indexed);
        }
        for (condition, expected) in [
            ("WhiteElo > 2000", &["b"][..]),
            ("WhiteElo IS NULL", &["a", "c"]),
            ("BlackElo > 0 OR UTCTime IS NOT NULL", &[]),
            ("Odd = '1' OR played_on > '1900-01-01'", &["c"]),
        ] {
            let found = find(&sandbox, &["all", "--moves", "1. e4", "--where", condition]);
            let whites: Vec<&str> =
                found.iter().map(|found| found["White"].as_str().expect("a name")).collect();
            assert_eq!(whites, expected, "{condition}");
        }
    }
}

#[test]
fn games_are_written_as_they_were_packed() {
    let sandbox = Sandbox::new();
    let games = TORTURE.concat();
    for indexed in INDEXED {
        pack(&sandbox, "a", &games, &[], indexed);
        // The last game has no newline at its end, and another follows.
        pack(&sandbox, "b", "1. d4 d5 2. c4 e6 *", &[], indexed);
        pack(&sandbox, "c", "[Event \"x\"]\r\n\r\n1. d4 d5 *\r\n", &[], indexed);
        let all = ["find", "a.parquet", "b.parquet", "c.parquet", "--moves", "1. d4 d5"];
        let output = ["-o", "out.pgn"];
        let done = sandbox.run([&all, &output[..]].concat()).expect(0);
        assert!(done.out.is_empty() && done.err.contains("3 games"), "{}", done.err);
        let expected =
            [TORTURE[0], "1. d4 d5 2. c4 e6 *", "\n\n[Event \"x\"]\r\n\r\n1. d4 d5 *\r\n"];
        assert_eq!(sandbox.read("out.pgn"), expected.concat().as_bytes());
        // It is not overwritten, and stays if nothing is found.
        sandbox.run([&all, &output[..]].concat()).refuses(2, &["out.pgn exists", "-f"]);
        let none = ["find", "a.parquet", "--moves", "1. h4", "-f", "-o", "out.pgn"];
        sandbox.run(none).refuses(1, &["nothing was found"]);
        assert_eq!(sandbox.read("out.pgn"), expected.concat().as_bytes());
        let done = sandbox.run([&all[..], &["-o", "-", "--limit", "1"]].concat()).expect(0);
        assert_eq!(done.out, TORTURE[0].as_bytes());
        sandbox.run([&all[..], &["-f", "-o", "b.parquet"]].concat()).refuses(2, &["is the input"]);
        std::fs::remove_file(sandbox.path("out.pgn")).expect("it is there");
    }
}

#[test]
fn lists_and_tables_are_for_people() {
    both("a", &rated()[0], &[], |sandbox| {
        let done = sandbox.run(["find", "-q", "a.parquet", "--moves", "e4"]).expect(0);
        let lines: Vec<&str> = done.text().lines().collect();
        assert_eq!(lines.len(), 3);
        let words: Vec<&str> = lines[0].split_ascii_whitespace().collect();
        assert_eq!(words, ["1", "Adams", "2500", "Short", "1-0", "1999.03.01", "1...", "e5"]);
        let done = sandbox.run(["find", "-q", "a.parquet", "--tags", "--limit", "1"]).expect(0);
        assert!(done.text().contains("[White \"Adams\"]\n[Black \"Short\"]\n"), "{}", done.text());
        let done = sandbox.run(["tree", "-q", "a.parquet", "--moves", "e4"]).expect(0);
        for part in ["b KQkq", "c5", "33.3 %", "100 %", "2700", "1999", "O'Kelly 2700 - Adams"] {
            assert!(done.text().contains(part), "no {part}: {}", done.text());
        }
        assert!(done.text().lines().all(|line| line.trim_end() == line));
    });
}

/// Three games with different results.
const PATTERNS: &str = "[White \"A\"]\n[Date \"2001.01.01\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1-0\n\n\
    [White \"B\"]\n[Date \"2002.01.01\"]\n[Result \"0-1\"]\n\n\
    1. d4 d5 2. c4 dxc4 0-1\n\n\
    [White \"C\"]\n[Date \"2003.01.01\"]\n[Result \"1/2-1/2\"]\n\n\
    1. e4 e5 2. Bb5 a6 3. Ba4 1/2-1/2\n";

#[test]
fn patterns_are_found() {
    both("a", PATTERNS, &[], |sandbox| {
        let pattern = |pattern: Value, options: &[&str]| {
            let pattern = pattern.to_string();
            places(sandbox, &[&["a.parquet", "--pattern", &pattern], options].concat())
        };
        assert_eq!(pattern(json!({"captured": "P"}), &[]), [(2, vec![4])]);
        assert_eq!(pattern(json!({"captured": "Q"}), &[]), []);
        let bishop = json!({"on": {"b5": "B"}});
        let sequence = json!({"sequence": [bishop, {"black-move": "a6"}]});
        let both = [(1, vec![5, 6]), (3, vec![3, 4])];
        assert_eq!(pattern(sequence.clone(), &[]), both);
        assert_eq!(pattern(sequence.clone(), &["-T", "1"]), both);
        assert_eq!(pattern(sequence.clone(), &["--limit", "1"]), both[..1]);
        assert_eq!(pattern(sequence.clone(), &["--where", "Result = '1-0'"]), both[..1]);
        assert_eq!(pattern(sequence.clone(), &["--player", "c"]), both[1..]);
        let sorted = pattern(sequence, &["--sort", "date"]);
        assert_eq!(sorted, [both[1].clone(), both[0].clone()]);
        let drawn = json!({"on": {"b5": "B"}, "result": "1/2-1/2"});
        assert_eq!(pattern(drawn.clone(), &[]), [(3, vec![3])]);
        assert_eq!(pattern(drawn, &["--sort", "date"]), [(3, vec![3])]);
        let others = json!({"on": {"b5": "B"}, "not": {"result": "1-0"}});
        assert_eq!(pattern(others, &[]), [(3, vec![3])]);
        assert_eq!(pattern(json!({"on": {"b5": "B"}, "skip": 1, "limit": 5}), &[]), [(3, vec![3])]);
        assert_eq!(pattern(json!({"on": {"b5": "B"}, "skip": 2}), &[]), []);
        // The material left in the others shows that they never reached it.
        let pawn = json!({"sub-fen": "8/8/p7/8/8/8/8/8"});
        assert_eq!(pattern(pawn.clone(), &[]), [(1, vec![6]), (3, vec![4])]);
        let latest = pattern(pawn, &["--sort", "date", "--limit", "2"]);
        assert_eq!(latest, [(3, vec![4]), (1, vec![6])]);
        let taken_pawn = json!({"material": "KQRRBBNNPPPPPPPKQRRBBNNPPPPPPPP"});
        assert_eq!(pattern(taken_pawn, &[]), [(2, vec![4])]);
        // Only games that also reach the position; the plies are the pattern's.
        let taken = json!({"any": [{"captured": "P"}, {"captured": "N"}]});
        assert_eq!(pattern(taken, &["--moves", "e4"]), [(1, vec![7])]);
        assert_eq!(pattern(bishop, &["--moves", "d4"]), []);
        sandbox.write("pattern.json", "{\"moved\": \"K\"}");
        sandbox.run(["find", "-q", "a.parquet", "--pattern", "@pattern.json"]).expect(1);
        let one = ["find", "-q", "a.parquet", "--pattern", "8/8/8/1B6/8/8/8/8", "--limit", "1"];
        let done = sandbox.run(one).expect(0);
        assert!(done.text().contains("ply 5"), "{}", done.text());
        let write = ["find", "-q", "-f", "a.parquet", "--pattern", "Bv", "-o", "out.pgn"];
        sandbox.run(write).refuses(1, &[]);
        let write = ["find", "-q", "-f", "a.parquet", "--pattern", "Nv", "-o", "out.pgn"];
        sandbox.run(write).expect(0);
        let written = std::fs::read_to_string(sandbox.path("out.pgn")).expect("it is there");
        assert!(PATTERNS.starts_with(written.trim_end()), "{written}");
    });
}

#[test]
fn structures_are_found() {
    both("a", PATTERNS, &[], |sandbox| {
        let find = |options: &[&str]| places(sandbox, &[&["a.parquet"], options].concat());
        let both = [(1, vec![6]), (3, vec![4])];
        let all_men = "rnbqkbnr/1ppp1ppp/p7/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!(find(&["--pawns", all_men]), both);
        assert_eq!(find(&["--structure", all_men]), both);
        assert_eq!(
            find(&["--structure", &format!("{all_men} w - - 0 1"), "--limit", "1"]),
            both[..1]
        );
        // A knight less, wherever the others stand.
        let taken = "rnbqkb1r/1ppp1ppp/p7/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!(find(&["--structure", taken]), [(1, vec![7])]);
        assert_eq!(find(&["--pawns", taken]), both);
        assert_eq!(find(&["--pawns", taken, "--where", "Result = '1/2-1/2'"]), both[1..]);
        assert_eq!(find(&["--pawns", "8/1pp2ppp/p1p5/4p3/4P3/8/PPPP1PPP/8"]), [(1, vec![8])]);
        assert_eq!(find(&["--pawns", "8/8/8/8/8/8/8/8"]), []);
        let swapped = json!({"pawns": "8/pppp1ppp/8/4p3/4P3/P7/1PPP1PPP/8", "either-colour": true});
        assert_eq!(find(&["--pattern", &swapped.to_string()]), both);
        let either = json!({"any": [{"pawns": ["8/8/8/8/8/8/8/8", all_men]}, {"captured": "Q"}]});
        assert_eq!(find(&["--pattern", &either.to_string()]), both);
        let neither = ["find", "a.parquet", "--pawns", all_men, "--pattern", "Bv"];
        sandbox.run(neither).refuses(2, &["--pawns", "--pattern"]);
        sandbox.run(["find", "a.parquet", "--pawns", "8/8"]).refuses(2, &["not a board"]);
    });
}

#[test]
fn what_cannot_be_answered_is_refused_with_its_cure() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &rated()[0], &[], false);
    sandbox.write("p.epd", "8/8/8/4k3/8/4K3/4P3/8 w - - bm e3;\n8/8/8/4k3/8/4K3/4P3/8 b - -\n");
    sandbox.run(["pack", "-q", "p.epd"]).expect(0);
    sandbox.write("text.pgn", "1. e4 *\n");
    std::fs::create_dir(sandbox.path("empty")).expect("a folder");
    let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for (arguments, words) in [
        (&["a.parquet"][..], &["nothing to find", "--fen"][..]),
        (&["a.parquet", "--fen", "x"], &["`x` is not a chess position"]),
        (&["a.parquet", "--fen", xiangqi], &["it is a position of xiangqi", "--game"]),
        (&["a.parquet", "--moves", "1. e4 e4"], &["e4", "ply 2"]),
        (&["a.parquet", "--moves", "1.", "e4"], &["e4", "quotes"]),
        (&["a.parquet", "--moves", "e4", "--game", "checkers"], &["checkers", "xiangqi"]),
        (&["a.parquet", "--moves", "e4", "--limit", "0"], &["0"]),
        (&["a.parquet", "--where", "Result is nice"], &["condition"]),
        (&["a.parquet", "--where", "Whit = 'x'"], &["Whit", "White"]),
        (&["p.parquet", "a.parquet", "--moves", "e4"], &["positions, not games"]),
        (&["p.parquet", "--tags"], &["positions, not games"]),
        (&["text.pgn", "--moves", "e4"], &["not a packed file"]),
        (&["empty", "--moves", "e4"], &["without packed files"]),
        (&["none.parquet", "--fen", "x"], &["none.parquet"]),
        (&["a.parquet", "--moves", "e4", "-o", "-", "--json"], &["--json"]),
        (&["a.parquet", "--pattern", "{\"subfen\": \"\"}"], &["`subfen`", "sub-fen"]),
        (&["a.parquet", "--pattern", "{"], &["not JSON"]),
        (&["a.parquet", "--pattern", "{\"shape\": \"x\"}"], &["`x` is not a man of chess"]),
        (&["a.parquet", "--pattern", "@none.json"], &["none.json"]),
        (&["a.parquet", "--pattern", "vP", "--variations"], &["--variations", "main lines"]),
        (&["p.parquet", "--pattern", "vP"], &["positions, not games"]),
        (&["a.parquet", "--game", "go", "--pattern", "vP"], &["one kind", "count"]),
    ] {
        sandbox.run([&["find"], arguments].concat()).refuses(2, words);
    }
    sandbox.run(["tree", "p.parquet"]).refuses(2, &["positions, not games"]);
    let done = sandbox.run(["find", "a.parquet", "--moves", "a4"]);
    done.refuses(1, &["has no index", "plypack index a.parquet", "nothing was found"]);
    // The named game may have no records there.
    let other = ["find", "a.parquet", "--game", "xiangqi", "--fen", xiangqi];
    sandbox.run(other).refuses(1, &["nothing was found"]);
}

#[test]
fn what_an_index_does_not_cover_is_searched() {
    let sandbox = Sandbox::new();
    let [first, second] = rated();
    pack(&sandbox, "a", &first, &[], true);
    sandbox.run(["find", "a.parquet", "--moves", "d4"]).refuses(1, &["nothing was found"]);
    // Another file of the same name: the index belongs to the first.
    pack(&sandbox, "a", &second, &[], false);
    let done = sandbox.run(["find", "a.parquet", "--moves", "d4"]);
    let done = done.refuses(0, &["a.plyindex", "not used", "plypack index a.parquet"]);
    assert_eq!(done.text().lines().count(), 1);
    sandbox.run(["index", "-q", "a.parquet"]).expect(0);
    let done = sandbox.run(["find", "a.parquet", "--moves", "d4"]).expect(0);
    assert_eq!(done.err, "");
    let searched = sandbox.run(["find", "-q", "--no-index", "a.parquet", "--moves", "d4"]);
    assert_eq!(searched.expect(0).out, done.out);
}

/// An indexed row group stays indexed when others follow it; those are searched, or indexed on
/// their own.
#[test]
fn a_file_that_grew_is_asked_rightly() {
    let sandbox = Sandbox::new();
    // As many records as a row group has.
    sandbox.write("old.pgn", game("[White \"a\"]\n", "1. e4 e5", "1-0").repeat(16_384));
    let new = ["1. e4 e5 2. Nf3", "1. d4 d5", "1. e4 e5 2. f4"];
    sandbox.write("new.pgn", new.map(|moves| game("[White \"b\"]\n", moves, "0-1")).concat());
    let pack = ["pack", "-q", "-f", "--codec", "line.uniform", "-o", "g.parquet", "old.pgn"];
    sandbox.run(pack).expect(0);
    sandbox.run(["index", "-q", "g.parquet"]).expect(0);
    sandbox.run([&pack[..], &["new.pgn"]].concat()).expect(0);
    let said = [
        ["covers 16,384 of its 16,387 games", "plypack index g.parquet"].as_slice(),
        // Now there are two indices, and nothing to report.
        &[],
    ];
    for said in said {
        let find = ["find", "--json", "g.parquet", "--moves", "1. e4 e5"];
        let found = sandbox.run(find).refuses(0, said);
        assert_eq!(found.err.is_empty(), said.is_empty(), "{}", found.err);
        let records: Vec<u64> =
            found.json().iter().map(|game| game["record"].as_u64().expect("a number")).collect();
        let expected: Vec<u64> = (1..=16_385).chain([16_387]).collect();
        assert_eq!(records, expected);
        let first = sandbox.run([&find[..], &["--limit", "2", "--where", "White = 'b'"]].concat());
        assert_eq!(first.expect(0).json().len(), 2);
        let found = tree(&sandbox, &["g.parquet", "--moves", "1. e4 e5"]);
        assert_eq!(
            found.into_iter().map(|(mv, sum)| (mv, sum[0], sum[3])).collect::<Vec<_>>(),
            [("Nf3".to_owned(), 1, 1), ("f4".to_owned(), 1, 1)]
        );
        let found = tree(&sandbox, &["g.parquet"]);
        assert_eq!((found["e4"][0], found["d4"][0]), (16_386, 1));
        sandbox.run(["index", "-q", "g.parquet"]).expect(0);
    }
    let names = sandbox.names();
    assert!(names.iter().any(|name| name == "g.plyindex2"), "{names:?}");
}

/// Whichever byte of an index is damaged, the answer is right.
#[test]
fn a_damaged_index_does_no_harm() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &rated().concat(), &[], true);
    let whole = sandbox.read("a.plyindex");
    let questions = [
        ["find", "--json", "a.parquet", "--moves", "1. e4"],
        ["tree", "--json", "a.parquet", "--moves", "1. e4"],
    ];
    let answers = questions.map(|question| sandbox.run(question).expect(0).json());
    let [list, tree] = answers;
    assert!(tree.iter().all(|object| object["any_order"].is_object()), "{tree:?}");
    let (mut left_aside, mut tried) = (0, 0);
    for at in every(5, whole.len()) {
        tried += 1;
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        sandbox.write("a.plyindex", damaged);
        let [found, played] = questions.map(|question| {
            let done = sandbox.run(question).expect(0);
            left_aside += usize::from(done.err.contains("rebuilds it"));
            done.json()
        });
        assert_eq!(found, list, "byte {at}");
        // The positions after the moves are right, or unknown.
        for (object, whole) in played.iter().zip(&tree) {
            let position = &object["any_order"];
            assert!(position.is_null() || *position == whole["any_order"], "byte {at}");
        }
        assert_eq!(without_positions(played), without_positions(tree.clone()), "byte {at}");
    }
    assert!(left_aside > tried);
    sandbox.run(["index", "-q", "-f", "a.parquet"]).expect(0);
    assert_eq!(sandbox.read("a.plyindex"), whole);
}

/// A game as a server annotates it, and one with null moves in its line and in a variation.
const ANNOTATED: &str = "[White \"R\"]\n\n\
                         1. e4 { [%eval 0.2] } e5 $2 { [%eval 0.3] Blunder. c5 was best. } \
                         ( 1... c5 2. Nf3 ) 2. Nf3 *\n\n\
                         [White \"N\"]\n\n1. e4 -- 2. d4 (2. c4 Z0 3. g3) 2... d5 1-0\n\n";

#[test]
fn what_a_review_shows_is_a_variation() {
    both("a", ANNOTATED, &[], |sandbox| {
        let ask = ["a.parquet", "--moves", "1. e4 c5 2. Nf3"];
        assert_eq!(places(sandbox, &ask), []);
        let found = find(sandbox, &[&ask[..], &["--variations"]].concat());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((&found[0]["White"], &found[0]["variations"]), (&json!("R"), &json!([3])));
    });
}

#[test]
fn what_follows_a_null_move_is_found() {
    both("a", ANNOTATED, &[], |sandbox| {
        for spelling in ["1. e4 -- 2. d4 d5", "1. e4 Z0 2. d4 d5", "1. e4 null 2. d4 d5"] {
            assert_eq!(places(sandbox, &["a.parquet", "--moves", spelling]), [(2, vec![4])]);
        }
        let variation = ["a.parquet", "--variations", "--moves", "1. e4 pass 2. c4 pass 3. g3"];
        assert_eq!(find(sandbox, &variation).len(), 1);
        let shown = sandbox.run(["find", "-q", "a.parquet", "--moves", "1. e4"]).expect(0);
        assert!(shown.text().contains("1... --"), "{}", shown.text());
        assert_eq!(sandbox.run(["cat", "a.parquet"]).expect(0).text(), ANNOTATED);
    });
}

#[test]
fn variations_that_are_text_are_counted() {
    let sandbox = Sandbox::new();
    // The king cannot go there.
    pack(&sandbox, "a", &game("", "1. e4 (1. Ke4 e5) 1... e5", "*"), &[], true);
    let listed = sandbox.run(["ls", "--json", "a.parquet"]).expect(0).json();
    assert_eq!(listed[0]["uncoded_variations"], 1);
    let ask = ["find", "a.parquet", "--variations", "--moves", "1. e4"];
    assert!(sandbox.run(ask).expect(0).err.contains("1 variation"));
}

#[test]
fn typed_moves_lose_nothing_unsaid() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &game("", "1. e4 c5 2. Nf3", "1-0"), &[], true);
    let ask = |verb, moves| sandbox.run([verb, "a.parquet", "--moves", moves]);
    for verb in ["find", "tree"] {
        ask(verb, "1. e4 ; c5").refuses(2, &["ply 2", "; c5", "not a move"]);
        ask(verb, "1. e4 x c5").refuses(2, &["not a move"]);
        ask(verb, "1. e4 1-0").refuses(0, &["--where \"Result = '1-0'\""]);
        assert_eq!(ask(verb, "1. e4 *").expect(0).err, "");
        assert_eq!(ask(verb, "1. e4 { a } c5 ; sicilian\n").code, Some(2));
    }
    pack(&sandbox, "go", "(;GM[1]SZ[19];B[ee];W[dd])", &["--game", "go"], true);
    let ask = |moves| sandbox.run(["find", "-q", "go.parquet", "--moves", moves]);
    for moves in ["B[ee];W[dd]", ";B[ee];W[dd]"] {
        ask(moves).expect(0);
    }
}

#[test]
fn a_board_without_its_other_fields_is_asked_about() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &game("", "1. e4", "*"), &[], true);
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let ask = |fen: &str| sandbox.run(["find", "a.parquet", "--fen", fen]);
    ask(board).refuses(2, &["who is to move", "castling", "--pattern"]);
    ask(&format!("{board} b")).refuses(2, &["castling"]);
    ask(&format!("{board} b KQkq")).expect(0);
    // The message gives what was searched.
    ask(&format!("{board} b -")).refuses(1, &[&format!("{board} b - - 0 1")]);
}

#[test]
fn found_games_are_written_as_the_name_says() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", ANNOTATED, &[], true);
    for (name, more) in [("b.parquet", "packed"), ("b.pgn.zst", "as they were"), ("b.pgn", "")] {
        let ask = ["find", "a.parquet", "--where", "White = 'N'", "-o", name];
        sandbox.run(ask).refuses(0, &[more]);
    }
    let game = &ANNOTATED[ANNOTATED.find("[White \"N").expect("a game")..];
    assert_eq!(sandbox.run(["cat", "b.parquet"]).expect(0).text(), game);
    assert_eq!(sandbox.read("b.pgn"), game.as_bytes());
    sandbox.run(["pack", "-q", "-o", "c.parquet", "b.pgn.zst"]).expect(0);
    assert_eq!(sandbox.run(["cat", "c.parquet"]).expect(0).text(), game);
}

// Windows has no such names of files.
#[cfg(unix)]
#[test]
fn nothing_in_a_game_commands_a_terminal() {
    let sandbox = Sandbox::new();
    let evil = "\x1b]0;pwned\x07\x1b[2J\u{202e}\u{9b}1m";
    let tags = format!("[Event \"{evil}\"]\n[White \"{evil}\"]\n[Odd \"{evil}\"]\n");
    sandbox.write(&format!("{evil}.pgn"), game(&tags, "1. e4", "*"));
    sandbox.run(["pack", "-q", &format!("{evil}.pgn"), "-o", &format!("{evil}.parquet")]).expect(0);
    let file = format!("{evil}.parquet");
    for arguments in [
        &["find", &file, "--moves", "1. e4"][..],
        &["find", &file, "--moves", "1. e4", "--json"],
        &["find", &file, "--moves", "1. d4"],
        &["find", &file, "--where", &format!("White = '{evil}'")],
        &["tree", &file],
        &["ls", &file],
        &["ls", "--json", &file],
        &["verify", &file],
        &["index", &file],
        &["dedup", "-n", &file],
        &["delete", &file, "--where", "Odd = 1", "-n"],
        &["append", &file, &file],
        &["link", &file],
        &["unpack", "-o", &file, &file],
    ] {
        let done = sandbox.run(arguments);
        for text in [done.text(), &done.err] {
            let control = text.chars().find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
            assert_eq!(control, None, "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn a_link_to_a_file_has_its_index() {
    if cfg!(not(unix)) {
        return;
    }
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &rated().concat(), &[], true);
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.parquet", sandbox.path("link.parquet")).expect("a link");
    let ask = || sandbox.run(["find", "link.parquet", "--moves", "1. e4"]).expect(0);
    assert_eq!(ask().err, "");
    sandbox.run(["append", "-q", "link.parquet", "a.pgn"]).expect(0);
    assert!(sandbox.path("link.parquet").is_symlink());
    assert_eq!(ask().err, "");
    let names = sandbox.names();
    assert!(!names.iter().any(|name| name.starts_with("link.ply")), "{names:?}");
}

#[cfg(unix)]
#[test]
fn pipes_instead_of_files_are_refused_at_once() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "a", &rated().concat(), &[], false);
    for pipe in ["pipe.parquet", "a.plyindex"] {
        let made = std::process::Command::new("mkfifo").arg(sandbox.path(pipe)).status();
        assert!(made.is_ok_and(|status| status.success()), "no pipe was made");
    }
    for arguments in [
        &["find", "pipe.parquet", "--moves", "1. e4"][..],
        &["ls", "pipe.parquet"],
        &["verify", "pipe.parquet"],
        &["merge", "pipe.parquet", "a.parquet", "-o", "b.parquet"],
    ] {
        sandbox.run(arguments).refuses(2, &["pipe.parquet", "not a regular file"]);
    }
    sandbox.run(["find", "a.parquet", "--moves", "1. e4"]).refuses(0, &["a.plyindex is not used"]);
}
