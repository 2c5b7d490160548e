//! `append`, `merge`, `delete` and `dedup`: existing records stay as they were, indices are
//! updated, and a run killed at any moment does no harm.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Sandbox, many_games, sample};
use plypack_testing::sample::every;
use serde_json::Value;

/// Packs a text under this name, with an index.
fn pack(sandbox: &Sandbox, name: &str, text: &str) {
    sandbox.write(&format!("{name}.pgn"), text);
    sandbox.run(["pack", "-q", "--index", "--model", "fast", &format!("{name}.pgn")]).expect(0);
}

/// Fails unless the inputs in a packed file are these, byte for byte.
#[track_caller]
fn holds(sandbox: &Sandbox, file: &str, inputs: &[(&str, &str)]) {
    sandbox.run(["verify", "-q", file]).expect(0);
    sandbox.run(["unpack", "-q", "-f", file, "-o", "back/"]).expect(0);
    for (name, text) in inputs {
        let back = sandbox.read(&format!("back/{name}"));
        assert!(back == text.as_bytes(), "{name} of {file} is another");
    }
}

/// Fails unless the index covers the whole file and answers like a search of all games.
#[track_caller]
fn index_is_in_step(sandbox: &Sandbox, file: &str) {
    for moves in ["1. e4", "1. e4 c5 2. Nf3 d6 3. d4 cxd4"] {
        let find = |more: &[&str]| sandbox.run([&["find", file, "--moves", moves], more].concat());
        let (with, without) = (find(&[]), find(&["--no-index"]));
        assert!(with.err.is_empty() || with.code == Some(1), "{}", with.err);
        assert_eq!(with.text(), without.text(), "{moves}");
    }
}

/// Returns the number of records in a file.
fn records(sandbox: &Sandbox, file: &str) -> u64 {
    let listed = sandbox.run(["ls", "--json", file]).expect(0).json();
    listed.first().and_then(|row| row["records"].as_u64()).expect("a number")
}

/// A game with these tags and moves.
fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let mut text: String =
        tags.iter().map(|(tag, value)| format!("[{tag} \"{value}\"]\n")).collect();
    text.push_str(&format!("\n{moves}\n\n"));
    text
}

#[test]
fn appended_games_come_back_as_an_input_of_their_own() {
    let sandbox = Sandbox::new();
    let (first, second) = (many_games(5_000), many_games(700));
    pack(&sandbox, "all", &first);
    sandbox.write("new.pgn", &second);
    let before = sandbox.read("all.parquet");
    let said = sandbox.run(["append", "--json", "all.parquet", "new.pgn"]).expect(0).json();
    let said = said.first().expect("a summary");
    assert_eq!(
        (said["records"].as_u64(), said["records_in_file"].as_u64()),
        (Some(700), Some(5_700))
    );
    let after = sandbox.read("all.parquet");
    // Existing row groups are copied byte for byte.
    let same = before.iter().zip(&after).take_while(|pair| pair.0 == pair.1).count();
    assert!(same > before.len() * 9 / 10, "only {same} of {} bytes are the same", before.len());
    holds(&sandbox, "all.parquet", &[("all.pgn", &first), ("new.pgn", &second)]);
    index_is_in_step(&sandbox, "all.parquet");
    let codec =
        |file: &str| sandbox.run(["ls", "--json", file]).expect(0).json()[0]["model"].clone();
    assert_eq!(codec("all.parquet"), "chess/line.fast/6", "it is coded as the first");

    // The same name once more, and one from standard input, twice.
    let again = sandbox.run(["append", "all.parquet", "new.pgn"]).expect(0);
    assert!(again.err.contains("new.2.pgn"), "{}", again.err);
    for _ in 0..2 {
        sandbox.run_with(["append", "-q", "all.parquet", "-"], second.as_bytes()).expect(0);
    }
    let inputs = [
        ("all.pgn", &first),
        ("new.pgn", &second),
        ("new.2.pgn", &second),
        ("stdin.pgn", &second),
        ("stdin.2.pgn", &second),
    ];
    holds(&sandbox, "all.parquet", &inputs.map(|(name, text)| (name, text.as_str())));
    index_is_in_step(&sandbox, "all.parquet");
}

#[test]
fn an_index_of_many_parts_stays_in_step() {
    let sandbox = Sandbox::new();
    let (first, second) = (many_games(400), many_games(30));
    pack(&sandbox, "all", &first);
    sandbox.write("new.pgn", &second);
    for append in 0..12 {
        sandbox.run(["append", "-q", "all.parquet", "new.pgn"]).expect(0);
        if append == 11 || every(4, 12).any(|checked| checked == append) {
            index_is_in_step(&sandbox, "all.parquet");
        }
    }
    let parts = sandbox.names().iter().filter(|name| name.contains(".plyindex")).count();
    assert!((2..=8).contains(&parts), "{parts} parts");
    assert_eq!(records(&sandbox, "all.parquet"), 400 + 12 * 30);
}

#[test]
fn an_empty_folder_gets_its_first_file() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("set")).expect("a folder");
    sandbox.write("week.pgn", many_games(3));
    sandbox.run(["append", "set", "week.pgn", "--index"]).expect(0);
    holds(&sandbox, "set/week.parquet", &[("week.pgn", &many_games(3))]);
    index_is_in_step(&sandbox, "set");
}

/// Answers of servers overlap: each has games that the one before had. The recipe is that of
/// docs/growing.md.
#[test]
fn ones_own_games_are_appended_as_servers_give_them() {
    let sandbox = Sandbox::new();
    let game = |id: &str, day: &str| {
        format!(
            "[Event \"rated blitz game\"]\n[Site \"https://lichess.org/{id}\"]\n[Date \"{day}\"]\n\
             [White \"me\"]\n[Black \"{id}\"]\n[Result \"1-0\"]\n[UTCDate \"{day}\"]\n\
             [UTCTime \"18:02:11\"]\n[TimeControl \"180+2\"]\n\n\
             1. e4 {{ [%clk 0:03:00] }} 1... e5 {{ [%clk 0:03:00] }} 2. Nf3 {{ [%clk 0:02:59] }} \
             2... Nc6 {{ [%clk 0:02:58] }} 3. Bc4 {{ [%clk 0:02:58] }} 1-0\n\n\n"
        )
    };
    let (one, two) = (game("AbCdEf12", "2026.11.20"), game("GhIjKl34", "2026.11.25"));
    let first = ["pack", "-q", "--index", "-o", "mine.parquet", "-"];
    sandbox.run_with(first, one.as_bytes()).expect(0);
    let next = ["append", "-q", "mine.parquet", "-"];
    sandbox.run_with(next, format!("{two}{one}").as_bytes()).expect(0);
    sandbox.run(["dedup", "-q", "mine.parquet"]).expect(0);
    let all = sandbox.run(["cat", "mine.parquet"]).expect(0);
    assert_eq!(all.text(), format!("{one}{two}"));
    index_is_in_step(&sandbox, "mine.parquet");
}

#[test]
fn a_folder_gets_a_file_of_its_own() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("set")).expect("a folder");
    let text = many_games(300);
    pack(&sandbox, "set/one", &text);
    let before = sandbox.read("set/one.parquet");
    sandbox.write("two.pgn", &text);
    sandbox.run(["append", "-q", "set", "two.pgn"]).expect(0);
    let again = sandbox.run(["append", "set", "two.pgn"]).expect(0);
    assert!(again.err.contains("two.2.parquet"), "{}", again.err);
    assert_eq!(sandbox.read("set/one.parquet"), before);
    for name in ["two.parquet", "two.plyindex", "two.2.parquet", "two.2.plyindex"] {
        assert!(sandbox.path("set").join(name).exists(), "{name}");
    }
    index_is_in_step(&sandbox, "set");
    sandbox.run(["merge", "-q", "set", "-o", "all.parquet"]).expect(0);
    assert_eq!(records(&sandbox, "all.parquet"), 900);
    index_is_in_step(&sandbox, "all.parquet");
}

#[test]
fn other_games_are_coded_as_the_file_is() {
    let sandbox = Sandbox::new();
    let text = std::fs::read_to_string(sample("xiangqi.pgn")).expect("a sample");
    pack(&sandbox, "all", &text);
    sandbox.write("new.pgn", &text);
    sandbox.run(["append", "-q", "all.parquet", "new.pgn"]).expect(0);
    holds(&sandbox, "all.parquet", &[("all.pgn", &text), ("new.pgn", &text)]);
    let model = &sandbox.run(["ls", "--json", "all.parquet"]).expect(0).json()[0]["model"];
    assert!(model.to_string().contains("xiangqi/line.fast"), "{model}");
}

#[test]
fn merged_files_keep_their_inputs() {
    let sandbox = Sandbox::new();
    let (one, two) = (many_games(5_000), many_games(600));
    pack(&sandbox, "one", &one);
    pack(&sandbox, "two", &two);
    std::fs::create_dir(sandbox.path("set")).expect("a folder");
    pack(&sandbox, "set/one", &two);
    sandbox.write("none.pgn", "");
    sandbox.run(["pack", "-q", "none.pgn"]).expect(0);
    let files = ["none.parquet", "one.parquet", "two.parquet", "set/one.parquet"];
    let merged = sandbox.run([&["merge", "-o", "all.parquet"], &files[..]].concat()).expect(0);
    assert!(merged.err.contains("one.2.pgn"), "{}", merged.err);
    let inputs = [("none.pgn", ""), ("one.pgn", &one), ("two.pgn", &two), ("one.2.pgn", &two)];
    holds(&sandbox, "all.parquet", &inputs);
    index_is_in_step(&sandbox, "all.parquet");
    sandbox
        .run(["merge", "one.parquet", "two.parquet", "-o", "two.parquet"])
        .refuses(2, &["input"]);
    sandbox.run(["merge", "one.parquet", "-o", "all.parquet"]).refuses(2, &["exists", "-f"]);
}

#[test]
fn what_is_not_deleted_stays_as_it_was() {
    let sandbox = Sandbox::new();
    let text = many_games(3_000);
    pack(&sandbox, "all", &text);
    let each = |file: &str| -> Vec<String> {
        let records = sandbox.run(["cat", "--json", file]).expect(0).json();
        records.iter().map(|record| record["text"].to_string()).collect()
    };
    let all = each("all.parquet");
    let drawn = |text: &&String| text.contains("[Result \\\"1/2-1/2\\\"]");
    let left: Vec<String> = all.iter().filter(|text| !drawn(text)).cloned().collect();
    let drawn = "Result = '1/2-1/2'";
    let would = sandbox.run(["delete", "-n", "all.parquet", "--where", drawn]).expect(0);
    assert!(would.err.contains("would be deleted"), "{}", would.err);
    assert_eq!(each("all.parquet"), all);
    sandbox.run(["delete", "-q", "all.parquet", "--where", drawn, "-o", "left.parquet"]).expect(0);
    assert_eq!(each("all.parquet"), all);
    assert_eq!(each("left.parquet"), left);
    let found = sandbox.run(["find", "all.parquet", "--where", drawn, "--json"]).expect(0);
    sandbox.write("found.json", &found.out);
    sandbox.run(["delete", "-q", "all.parquet", "--found", "found.json"]).expect(0);
    assert_eq!(each("all.parquet"), left);
    index_is_in_step(&sandbox, "all.parquet");
    // Other records are in those rows now.
    let stale = ["delete", "all.parquet", "--found", "found.json"];
    sandbox.run(stale).refuses(1, &["rows were moved or changed", "nothing was deleted"]);
    sandbox.run(["delete", "-q", "all.parquet", "--records", "2..4"]).expect(0);
    assert_eq!(each("all.parquet"), [&left[..1], &left[4..]].concat());
    let none = sandbox.run(["delete", "all.parquet", "--where", drawn]).expect(0);
    assert!(none.err.contains("0 records deleted"), "{}", none.err);
    sandbox.run(["delete", "-q", "all.parquet", "--where", drawn, "-o", "same.parquet"]).expect(0);
    assert_eq!(each("same.parquet"), each("all.parquet"));
    sandbox.run_with(["delete", "all.parquet", "--found", "-"], b"junk").refuses(2, &["line 1"]);
    sandbox.run(["delete", "all.parquet", "--records", "999999"]).refuses(1, &["only"]);
    sandbox.run(["delete", "-q", "all.parquet", "--records", "1.."]).expect(0);
    assert_eq!(records(&sandbox, "all.parquet"), 0);
    sandbox.run(["verify", "-q", "all.parquet"]).expect(0);
}

#[test]
fn copies_of_games_are_found() {
    let sandbox = Sandbox::new();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *";
    let part = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 *";
    let noted = "1. e4 { good } e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 *";
    let tags = [("White", "Tal, Mikhail"), ("Black", "Keres, P"), ("Date", "1959.09.07")];
    let other_day = [tags[0], tags[1], ("Date", "1961.01.01")];
    let no_day = [("White", "TAL,M"), ("Black", "Keres, Paul"), ("Date", "????.??.??")];
    let others = [("White", "Smyslov, V"), tags[1], tags[2]];
    let text = [
        game(&tags, moves),
        game(&tags, part),
        game(&other_day, moves),
        game(&no_day, noted),
        game(&others, moves),
        game(&tags, moves),
        game(&[("Event", "Nobody")], "1. e4 *"),
        game(&tags, "1. e4 e5 *"),
    ];
    pack(&sandbox, "all", &text.concat());
    let copies = |more: &[&str]| -> Vec<(u64, u64, String)> {
        let done = sandbox.run([&["dedup", "all.parquet", "-n", "--json"], more].concat());
        let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
        let copy = |row: &Value| {
            let same = row["same"].as_str().expect("a word").to_owned();
            (number(row, "record"), number(row, "of_record"), same)
        };
        done.expect(0).json().iter().map(copy).collect()
    };
    let found = |found: &[(u64, u64, &str)]| -> Vec<(u64, u64, String)> {
        found.iter().map(|&(one, other, same)| (one, other, same.to_owned())).collect()
    };
    assert_eq!(copies(&[]), found(&[(2, 1, "part"), (4, 1, "part"), (6, 1, "bytes")]));
    let annotated = [(1, 4, "part"), (2, 4, "moves"), (3, 4, "part"), (6, 4, "part")];
    assert_eq!(copies(&["--keep", "annotated"]), found(&annotated));
    let any = [(2, 1, "part"), (3, 1, "moves"), (4, 1, "part"), (6, 1, "bytes")];
    assert_eq!(copies(&["--any-day"]), found(&any));
    assert_eq!(records(&sandbox, "all.parquet"), 8);
    let said = sandbox.run(["dedup", "all.parquet"]).expect(0);
    assert!(said.text().contains("11 of its 14 plies"), "{}", said.text());
    assert_eq!(records(&sandbox, "all.parquet"), 5);
    index_is_in_step(&sandbox, "all.parquet");
    let none = sandbox.run(["dedup", "all.parquet"]).expect(0);
    assert!(none.err.contains("0 of 5 records are copies"), "{}", none.err);
    // With two files, copies are deleted where they are.
    pack(&sandbox, "more", &text[0]);
    sandbox.run(["dedup", "-q", "all.parquet", "more.parquet"]).expect(0);
    assert_eq!((records(&sandbox, "all.parquet"), records(&sandbox, "more.parquet")), (5, 0));
}

#[test]
fn positions_grow_too_but_lose_none() {
    let sandbox = Sandbox::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"1\";\n";
    let other = "8/8/8/4k3/8/4K3/4P3/8 w - - bm Kd3; id \"2\";\n";
    let (one, two) = (start.repeat(700), other.repeat(300));
    for (name, text) in [("one.epd", &one), ("two.epd", &two)] {
        sandbox.write(name, text);
        sandbox.run(["pack", "-q", name]).expect(0);
    }
    let merge = ["merge", "-q", "one.parquet", "two.parquet", "-o", "both.parquet"];
    sandbox.run(merge).expect(0);
    sandbox.run(["append", "-q", "one.parquet", "two.epd"]).expect(0);
    for file in ["both.parquet", "one.parquet"] {
        holds(&sandbox, file, &[("one.epd", &one), ("two.epd", &two)]);
    }
    let delete = ["delete", "one.parquet", "--records", "1"];
    sandbox.run(delete).refuses(2, &["holds positions"]);
    pack(&sandbox, "games", &many_games(10));
    let mixed = ["merge", "games.parquet", "one.parquet", "-o", "mixed.parquet"];
    sandbox.run(mixed).refuses(2, &["cannot be merged"]);
}

#[test]
fn of_two_runs_that_change_a_file_the_second_is_refused() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "all", &many_games(50));
    let held = std::fs::File::open(sandbox.path("all.parquet")).expect("a file");
    held.lock().expect("a lock");
    for arguments in
        [&["append", "all.parquet", "all.pgn"][..], &["delete", "all.parquet", "--records", "1"]]
    {
        sandbox.run(arguments).refuses(2, &["another run is changing it"]);
    }
    // Readers are not locked out.
    if cfg!(unix) {
        sandbox.run(["verify", "-q", "all.parquet"]).expect(0);
    }
    held.unlock().expect("no lock");
    sandbox.run(["append", "all.parquet", "all.parquet"]).refuses(2, &["plypack merge"]);
    sandbox.run(["append", "-q", "all.parquet", "all.pgn"]).expect(0);
}

/// Index entries of the records that stay are carried over, wherever they lie, not rebuilt by a
/// scan.
#[test]
fn an_index_is_carried_over() {
    let sandbox = Sandbox::new();
    pack(&sandbox, "all", &many_games(4_000));
    pack(&sandbox, "few", &many_games(300));
    let find = ["find", "-q", "--json", "all.parquet", "--where", "plies > 0"];
    let found = sandbox.run(find).expect(0);
    let third: Vec<&str> = found.text().lines().step_by(3).collect();
    let deleted = third.len() as u64;
    let names = third.join("\n");
    let delete = ["delete", "-q", "all.parquet", "--found", "-"];
    sandbox.run_with(delete, names.as_bytes()).expect(0);
    assert_eq!(records(&sandbox, "all.parquet"), 4_000 - deleted);
    index_is_in_step(&sandbox, "all.parquet");
    sandbox.run(["verify", "-q", "all.parquet"]).expect(0);
    let merge = ["merge", "-q", "few.parquet", "all.parquet", "few.parquet", "-o", "both.parquet"];
    sandbox.run(merge).expect(0);
    assert_eq!(records(&sandbox, "both.parquet"), 4_600 - deleted);
    index_is_in_step(&sandbox, "both.parquet");
    sandbox.run(["verify", "-q", "both.parquet"]).expect(0);
    // Answers match those of a rebuilt index.
    let tree = || sandbox.run(["tree", "--json", "both.parquet", "--moves", "1. e4"]).expect(0);
    let carried = tree();
    sandbox.run(["index", "-q", "-f", "both.parquet"]).expect(0);
    assert_eq!(carried.text(), tree().text());
}

#[test]
fn a_copy_with_another_result_stays_and_is_listed() {
    let sandbox = Sandbox::new();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
    let tags = [("White", "Tal, M"), ("Black", "Botvinnik, M"), ("Date", "1960.03.15")];
    let with =
        |result| game(&[&tags[..], &[("Result", result)]].concat(), &format!("{moves} {result}"));
    pack(&sandbox, "all", &[with("1-0"), with("0-1")].concat());
    let done =
        sandbox.run(["dedup", "all.parquet"]).refuses(0, &["only in the result", "--any-result"]);
    assert!(done.text().contains("0-1"), "{}", done.text());
    assert_eq!(records(&sandbox, "all.parquet"), 2);
    let done = sandbox.run(["dedup", "--any-result", "all.parquet"]).expect(0);
    assert!(done.text().contains("0-1"), "the loss is not reported: {}", done.text());
    assert_eq!(records(&sandbox, "all.parquet"), 1);
}

#[test]
fn the_first_append_to_a_folder_may_make_it() {
    let sandbox = Sandbox::new();
    sandbox.write("new.pgn", game(&[("White", "A")], "1. e4 e5 *"));
    sandbox.run(["append", "weekly/", "none.pgn"]).refuses(2, &["none.pgn"]);
    assert_eq!(sandbox.names(), ["new.pgn"]);
    sandbox.run(["append", "-q", "weekly/", "new.pgn"]).expect(0);
    sandbox.run(["append", "-q", "weekly/", "new.pgn"]).expect(0);
    assert_eq!(
        sandbox.run(["find", "-q", "--json", "weekly", "--moves", "e4"]).expect(0).json().len(),
        2
    );
    // Without the sign it is a file that is missing.
    let words = ["other: there is no such file to append to", "plypack pack"];
    sandbox.run(["append", "other", "new.pgn"]).refuses(2, &words);
    for folder in ["weekly", "weekly/", "another/"] {
        sandbox
            .run(["pack", "-q", "new.pgn", "-o", folder])
            .refuses(2, &["is a folder: name a file in it"]);
    }
}

#[test]
fn runs_that_append_to_a_folder_at_once_all_succeed() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("set")).expect("a folder");
    sandbox.write("new.pgn", game(&[("White", "A")], "1. e4 e5 *").repeat(50));
    sandbox.run(["pack", "-q", "new.pgn", "-o", "set/old.parquet"]).expect(0);
    let mut runs: Vec<_> = (0..6)
        .map(|_| sandbox.command(["append", "-q", "set", "new.pgn"]).spawn().expect("a run"))
        .collect();
    for run in &mut runs {
        assert!(run.wait().expect("an end").success());
    }
    let all = ["find", "-q", "--json", "set", "--where", "plies > 0"];
    assert_eq!(sandbox.run(all).expect(0).json().len(), 7 * 50);
}

#[test]
fn who_comes_next_clears_what_was_left() {
    for verb in [
        &["dedup", "-q", "all.parquet"][..],
        &["delete", "-q", "all.parquet", "--where", "plies < 0"],
    ] {
        let sandbox = Sandbox::new();
        pack(&sandbox, "all", &many_games(400));
        // Killed after the file was replaced, before its index was.
        let index = sandbox.read("all.plyindex");
        sandbox.run(["delete", "-q", "all.parquet", "--records", "1..200"]).expect(0);
        sandbox.write("all.plyindex", index);
        sandbox.write(".plypack-0123456789.tmp", "half of an index");
        sandbox.run(verb).expect(0);
        assert_eq!(sandbox.names(), ["all.parquet", "all.pgn", "all.plyindex"]);
        index_is_in_step(&sandbox, "all.parquet");
    }
}

#[test]
fn what_is_no_packed_file_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", many_games(5));
    for arguments in [
        &["append", "games.pgn", "games.pgn"][..],
        &["append", "none.parquet", "games.pgn"],
        &["merge", "games.pgn", "-o", "all.parquet"],
        &["delete", "games.pgn", "--records", "1"],
        &["dedup", "games.pgn"],
    ] {
        sandbox.run(arguments).expect(2);
    }
    assert_eq!(sandbox.names(), ["games.pgn"]);
    if cfg!(unix) {
        let fifo = sandbox.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.is_ok_and(|status| status.success()), "no pipe was made");
        sandbox.run(["append", "pipe", "games.pgn"]).refuses(2, &["not a regular file"]);
    }
}

/// The moments at which runs of each verb are killed, of which a sample is tried.
#[cfg(unix)]
const MOMENTS: usize = 100;

/// Kills runs of a verb at different moments; each leaves the file as it was, or as it should be.
#[cfg(unix)]
#[track_caller]
fn survives_kills(arguments: &[&str], before: u64, after: u64) {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let sandbox = Sandbox::new();
    pack(&sandbox, "all", &many_games(1_500));
    sandbox.write("new.pgn", many_games(400));
    let original = sandbox.read("all.parquet");
    let begin = Instant::now();
    sandbox.run(arguments).expect(0);
    let whole = begin.elapsed();
    assert_eq!(records(&sandbox, "all.parquet"), after);
    let mut seen = [0; 2];
    for number in every(5, MOMENTS) {
        sandbox.write("all.parquet", &original);
        let mut command = sandbox.command(arguments);
        let null = || (Stdio::null(), Stdio::null());
        let (out, err) = null();
        let mut child =
            command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().expect("a run");
        let wait = whole.mul_f64(1.1 * (number as f64 + 0.5) / MOMENTS as f64);
        std::thread::sleep(wait.min(Duration::from_secs(10)));
        // It may have ended already.
        let _ = child.kill();
        let _ = child.wait();
        let found = records(&sandbox, "all.parquet");
        assert!([before, after].contains(&found), "{found} records after {wait:?}");
        seen[usize::from(found == after)] += 1;
        sandbox.run(["verify", "-q", "all.parquet"]).expect(0);
        let found = sandbox.run(["find", "all.parquet", "--moves", "1. e4", "-q"]).expect(0);
        let all = sandbox.run(["find", "all.parquet", "--moves", "1. e4", "-q", "--no-index"]);
        assert!(found.out == all.out, "the index is another's after {wait:?}");
    }
    // The next run clears away what was left.
    sandbox.write("all.parquet", &original);
    sandbox.run(arguments).expect(0);
    let left: Vec<String> =
        sandbox.names().into_iter().filter(|name| name.ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    println!("killed runs: {} before the end, {} after it", seen[0], seen[1]);
}

#[cfg(unix)]
#[test]
fn killed_appends_harm_nothing() {
    survives_kills(&["append", "all.parquet", "new.pgn"], 1_500, 1_900);
}

#[cfg(unix)]
#[test]
fn killed_deletions_harm_nothing() {
    survives_kills(&["delete", "all.parquet", "--records", "1..700"], 1_500, 800);
}

#[cfg(unix)]
#[test]
fn killed_merges_harm_nothing() {
    let merge = ["merge", "-f", "all.parquet", "all.parquet", "-o", "both.parquet"];
    survives_kills(&merge, 1_500, 1_500);
}
