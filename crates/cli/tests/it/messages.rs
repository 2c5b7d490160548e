//! What the command line says and how it exits: the words and codes that scripts rely on.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::sync::Arc;

use crate::archives::zip_of;
use crate::common::{ILLEGAL_KING_MOVE, Sandbox, TORTURE, many_games, sample};
use parquet::data_type::Int32Type;
use parquet::file::writer::SerializedFileWriter;

/// A sandbox with the packed samples `famous.parquet` and `tictactoe.parquet`.
fn packed() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, game) in [("famous", "chess"), ("tictactoe", "tictactoe")] {
        let input = sample(&format!("{name}.pgn"));
        let output = format!("{name}.parquet");
        let options = ["-o", &output, "-q", "--game", game].map(AsRef::as_ref);
        sandbox.run(["pack".as_ref(), input.as_os_str()].into_iter().chain(options)).expect(0);
    }
    sandbox
}

/// A Parquet file that plypack did not write.
fn foreign_parquet() -> Vec<u8> {
    let schema = parquet::schema::parser::parse_message_type("message m { required int32 a; }");
    let mut bytes = Vec::new();
    let schema = Arc::new(schema.expect("a schema"));
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a row group");
    let mut column = group.next_column().expect("no error").expect("a column");
    column.typed::<Int32Type>().write_batch(&[1, 2, 3], None, None).expect("memory");
    column.close().expect("memory");
    group.close().expect("memory");
    writer.close().expect("memory");
    bytes
}

#[test]
fn a_missing_file_is_named() {
    let sandbox = packed();
    for verb in ["pack", "unpack", "cat", "ls", "verify", "bench"] {
        sandbox.run([verb, "nowhere.x"]).refuses(2, &["nowhere.x", "No such file"]);
    }
    let output = ["pack", "nowhere.pgn", "-o", "out.parquet"];
    sandbox.run(output).refuses(2, &["nowhere.pgn"]);
    let second = ["verify", "famous.parquet", "nowhere.x"];
    sandbox.run(second).refuses(2, &["nowhere.x"]);
    assert_eq!(sandbox.names(), ["famous.parquet", "tictactoe.parquet"]);
}

#[test]
fn a_model_or_codec_that_a_game_has_not_is_told() {
    let sandbox = Sandbox::new();
    let asked = [["--model", "fast"], ["--codec", "line.index"]];
    for (asked, what) in asked.into_iter().zip(["model `fast`", "codec `line.index`"]) {
        for (name, told) in [("tictactoe", true), ("famous", false)] {
            let input = sample(&format!("{name}.pgn"));
            let options = asked.into_iter().chain(["-o", "out.parquet", "-f"]).map(AsRef::as_ref);
            let arguments = ["pack".as_ref(), input.as_os_str()].into_iter().chain(options);
            let run = sandbox.run(arguments).expect(0);
            let said = run.err.contains(&format!("tictactoe has no {what}"));
            assert_eq!(said, told, "{}", run.err);
        }
    }
}

#[test]
fn the_model_may_be_one_of_any_game() {
    let sandbox = packed();
    let game = b"(;GM[1]FF[4]SZ[9]\n;B[cc];W[gg])\n";
    sandbox.write("game.sgf", game);
    sandbox.run(["pack", "game.sgf", "--model", "max"]).expect(0);
    let listed = sandbox.run(["ls", "--json", "game.parquet"]).expect(0);
    assert!(listed.text().contains("go/line.max/9"), "{}", listed.text());
    assert_eq!(sandbox.run(["unpack", "-c", "game.parquet"]).expect(0).out, game);
    let input = sample("tictactoe.pgn");
    let input = input.to_str().expect("a path");
    let run = sandbox.run(["pack", input, "--model", "max", "-o", "out.parquet"]).expect(0);
    assert!(run.err.contains("tictactoe has no model `max`"), "{}", run.err);
    let with_game = ["pack", "game.sgf", "--game", "chess", "--model", "max", "-o", "x.parquet"];
    sandbox.run(with_game).refuses(2, &["chess has no model `max`", "default"]);
}

#[test]
fn junk_with_the_name_of_a_packed_file_is_not_served() {
    let sandbox = Sandbox::new();
    for (name, bytes) in [("junk.parquet", &b"no Parquet"[..]), ("empty.parquet", b"")] {
        sandbox.write(name, bytes);
        sandbox.run(["serve", "--no-open", name]).refuses(2, &[name]);
    }
}

#[test]
fn a_packed_file_does_not_come_from_a_pipe() {
    let sandbox = packed();
    let bytes = sandbox.read("famous.parquet");
    for verb in ["unpack", "cat", "ls", "verify"] {
        let words = ["read from its end", "write it to a file"];
        sandbox.run_with([verb, "-"], &bytes).refuses(2, &words);
    }
}

#[test]
fn a_folder_is_no_packed_file() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("folder")).expect("a folder");
    sandbox.run(["pack", "folder"]).refuses(2, &["folder: it is a folder without files"]);
    sandbox.run(["link", "folder"]).refuses(2, &["folder: it is a folder without files"]);
    for verb in ["unpack", "cat"] {
        sandbox.run([verb, "folder"]).refuses(2, &["folder", "directory"]);
    }
    for verb in ["ls", "verify", "index"] {
        let words = ["folder: it is a folder without packed files"];
        sandbox.run([verb, "folder"]).refuses(2, &words);
    }
    assert_eq!(sandbox.names(), ["folder"]);
}

#[test]
fn an_output_that_cannot_be_made_is_named() {
    let sandbox = packed();
    sandbox.write("a.pgn", "1. e4 *\n");
    sandbox.run(["pack", "a.pgn", "-o", "no/x.parquet"]).refuses(2, &["no", "No such file"]);
    sandbox.run(["unpack", "famous.parquet", "-o", "no/x"]).refuses(2, &["no", "No such file"]);
}

#[test]
fn a_file_that_is_not_parquet_is_refused_with_the_cure() {
    let sandbox = Sandbox::new();
    for (name, bytes) in [
        ("games.pgn", std::fs::read(sample("famous.pgn")).expect("a sample")),
        ("empty", Vec::new()),
        ("ends.well", b"not PAR1 but ends so PAR1".to_vec()),
    ] {
        sandbox.write(name, bytes);
        for verb in ["unpack", "cat", "ls", "verify"] {
            let words = [name, "not a packed file", "plypack pack"];
            sandbox.run([verb, name]).refuses(2, &words);
        }
    }
}

#[test]
fn another_programs_parquet_file_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("other.parquet", foreign_parquet());
    for verb in ["unpack", "cat", "ls", "verify", "bench"] {
        let words = ["other.parquet", "none of the columns", "plypack did not write it"];
        sandbox.run([verb, "other.parquet"]).refuses(2, &words);
    }
    assert_eq!(sandbox.names(), ["other.parquet"]);
}

#[test]
fn an_output_is_not_written_over_unless_forced() {
    let sandbox = Sandbox::new();
    let famous = std::fs::read(sample("famous.pgn")).expect("a sample");
    sandbox.write("famous.pgn", &famous);
    sandbox.run(["pack", "famous.pgn"]).expect(0);
    assert_eq!(sandbox.names(), ["famous.parquet", "famous.pgn"], "the default name");
    let packed = sandbox.read("famous.parquet");

    sandbox.write("famous.pgn", "1. d4 *\n");
    sandbox.run(["pack", "famous.pgn"]).refuses(2, &["famous.parquet exists", "-f", "-o"]);
    assert!(sandbox.read("famous.parquet") == packed);
    sandbox.run(["unpack", "famous.parquet"]).refuses(2, &["famous.pgn exists", "-f", "-o"]);
    assert_eq!(sandbox.read("famous.pgn"), b"1. d4 *\n");

    sandbox.run(["unpack", "famous.parquet", "-f"]).expect(0);
    assert!(sandbox.read("famous.pgn") == famous);
    sandbox.write("famous.pgn", "1. d4 *\n");
    sandbox.run(["pack", "famous.pgn", "-f"]).expect(0);
    assert!(sandbox.read("famous.parquet") != packed);

    sandbox.run(["unpack", "famous.parquet", "-o", "other.txt"]).expect(0);
    assert_eq!(sandbox.read("other.txt"), b"1. d4 *\n");
    assert_eq!(sandbox.names(), ["famous.parquet", "famous.pgn", "other.txt"]);
}

/// An input under another name is the input all the same.
#[test]
#[cfg(unix)]
fn an_input_is_never_written_over() {
    let sandbox = Sandbox::new();
    let famous = std::fs::read(sample("famous.pgn")).expect("a sample");
    let path = sandbox.write("a.pgn", &famous);
    std::fs::create_dir(sandbox.path("folder")).expect("a folder");
    std::fs::hard_link(&path, sandbox.path("hard")).expect("a link");
    std::os::unix::fs::symlink("a.pgn", sandbox.path("soft")).expect("a link");
    let names = ["a.pgn", "./a.pgn", "folder/../a.pgn", "hard", "soft"];
    let mut pairs: Vec<_> = names.iter().map(|name| ("a.pgn", *name)).collect();
    pairs.extend(names.iter().map(|name| (*name, "a.pgn")));
    for (input, output) in pairs {
        for force in [&["-f"][..], &[]] {
            let words = [output, "is the input", input, "-o"];
            sandbox.run([&["pack", input, "-o", output], force].concat()).refuses(2, &words);
        }
    }
    // As the second of two inputs, as the default output, and as redirected standard input.
    sandbox.write("b.pgn", "1. e4 *\n");
    let second = ["pack", "b.pgn", "a.pgn", "-o", "a.pgn", "-f"];
    sandbox.run(second).refuses(2, &["a.pgn: it is the input a.pgn"]);
    sandbox.write("c.parquet", "1. e4 *\n");
    sandbox.run(["pack", "c.parquet", "-f"]).refuses(2, &["c.parquet: it is the input"]);
    let mut redirected = sandbox.command(["pack", "-", "-o", "a.pgn", "-f"]);
    redirected.stdin(std::fs::File::open(&path).expect("a file"));
    assert_eq!(redirected.output().expect("it runs").status.code(), Some(2));
    assert!(sandbox.read("a.pgn") == famous);

    sandbox.run(["pack", "a.pgn", "-q"]).expect(0);
    let packed = sandbox.read("a.parquet");
    std::fs::hard_link(sandbox.path("a.parquet"), sandbox.path("linked")).expect("a link");
    for output in ["a.parquet", "./a.parquet", "linked"] {
        let words = [output, "is the input a.parquet"];
        sandbox.run(["unpack", "a.parquet", "-o", output, "-f"]).refuses(2, &words);
    }
    assert!(sandbox.read("a.parquet") == packed);
    // Nor is a packed file overwritten where one of its inputs is to go.
    sandbox.run(["pack", "a.pgn", "-q", "-o", "folder/a.pgn"]).expect(0);
    let unpack = ["unpack", "folder/a.pgn", "-o", "folder/", "-f"];
    sandbox.run(unpack).refuses(2, &["folder/a.pgn", "overwrite the packed file", "-o FILE"]);
    sandbox.run(["verify", "folder/a.pgn", "a.parquet"]).expect(0);
}

#[test]
fn standard_input_needs_an_output_name() {
    let sandbox = Sandbox::new();
    sandbox.run_with(["pack", "-"], b"1. e4 *\n").refuses(2, &["-o"]);
    assert_eq!(sandbox.names(), [""; 0]);
}

#[test]
fn strict_tells_moves_kept_as_text_by_the_exit_code() {
    let sandbox = Sandbox::new();
    sandbox.write("plain.pgn", "[Event \"x\"]\n\n1. e4 e5 *\n\n");
    sandbox.write("odd.pgn", "[Event \"x\"]\n\n1. e4 e5 {why} *\n\n1. e4 Ke8 *\n");
    sandbox.run(["pack", "plain.pgn", "--strict"]).expect(0);
    let odd = ["pack", "odd.pgn", "--strict", "-v"];
    let words = ["odd.pgn", "record 2", "line 5", "ply 2", "Ke8"];
    sandbox.run(odd).refuses(3, &words);
    // The file is there and complete all the same.
    let unpacked = sandbox.run(["unpack", "-c", "odd.parquet"]).expect(0);
    assert_eq!(unpacked.out, sandbox.read("odd.pgn"));
    let lenient = sandbox.run(["pack", "odd.pgn", "-f"]).expect(0);
    assert!(lenient.err.contains("in 1 record not every move"), "{}", lenient.err);
    let quiet = sandbox.run(["pack", "odd.pgn", "-f", "-q"]).expect(0);
    assert_eq!((quiet.err.as_str(), quiet.text()), ("", ""));
    let piped = sandbox.run(["pack", "odd.pgn", "-o", "-", "--strict"]);
    piped.refuses(3, &["in 1 record not every move"]);
}

#[test]
fn an_illegal_move_is_named_by_file_record_line_and_ply() {
    let sandbox = Sandbox::new();
    let before = TORTURE.iter().position(|game| *game == ILLEGAL_KING_MOVE).expect("it is there");
    assert!(before > 0, "the place of the first record would show little");
    let line = 1 + TORTURE[..before].concat().lines().count();
    let (record, line) = (format!("record {}", before + 1), format!("line {line}"));
    sandbox.write("torture.pgn", TORTURE.concat());
    let words = ["torture.pgn", &record, &line, "ply 5", "`Ke3`", "not a legal move"];
    let named = sandbox.run(["pack", "torture.pgn", "-v"]).refuses(0, &words);
    assert_eq!(named.err.matches("record ").count(), 1, "{}", named.err);
    sandbox.run(["pack", "torture.pgn", "-v", "-f", "--strict"]).refuses(3, &words);
    assert_eq!(sandbox.run(["cat", "torture.parquet"]).expect(0).text(), TORTURE.concat());
}

#[test]
fn an_unknown_game_or_codec_is_answered_with_the_choices() {
    let sandbox = packed();
    sandbox.write("a.pgn", "1. e4 *\n");
    for verb in [&["pack", "a.pgn"][..], &["bench", "a.pgn"], &["line", "encode", "e4"]] {
        let game = [verb, &["--game", "checkers"]].concat();
        sandbox.run(game).refuses(2, &["checkers", "chess", "tictactoe"]);
    }
    for verb in [&["pack", "a.pgn"][..], &["line", "encode", "e4"], &["line", "decode", "00"]] {
        let codec = [verb, &["--codec", "line.best"]].concat();
        let choices = ["line.best", "line.text", "line.uniform", "line.ranked"];
        sandbox.run(codec).refuses(2, &choices);
    }
}

#[test]
fn a_near_miss_is_answered_with_the_right_word() {
    let sandbox = Sandbox::new();
    for (arguments, word) in [
        (&["pakc"][..], "pack"),
        (&["pack", "--thread", "2", "x"], "--threads"),
        (&["pack", "--forse", "x"], "--force"),
        (&["unpack", "--stdot", "x"], "--stdout"),
        (&["cat", "--record", "1", "x"], "--records"),
        (&["line", "encod", "e4"], "encode"),
    ] {
        sandbox.run(arguments).refuses(2, &[word]);
    }
    for arguments in [&["pack"][..], &["unpack"], &["verify"], &["ls"], &["cat"]] {
        sandbox.run(arguments).refuses(2, &["Usage: plypack"]);
    }
    for records in ["0", "3..2", "a..b", "1..2..3", "-1"] {
        let argument = format!("--records={records}");
        sandbox.run(["cat", argument.as_str(), "x"]).refuses(2, &["--records"]);
    }
    for records in ["2-3", "-1", "0", "3..2"] {
        let words = ["--records", "use 5, 2..3 (both included), 2.. or ..3"];
        sandbox.run(["cat", "--records", records, "x"]).refuses(2, &words);
    }
    sandbox.run(["unpack", "x", "-c", "-o", "y"]).refuses(2, &["cannot be used with"]);
    sandbox.run(["pack", "x", "-T", "-1"]).refuses(2, &["-1"]);
}

#[test]
fn help_and_version_go_to_standard_output() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(["--help"]).expect(0);
    for verb in ["pack", "unpack", "cat", "ls", "verify", "line", "position", "codecs", "bench"] {
        assert!(help.text().lines().any(|line| line.trim_start().starts_with(verb)), "{verb}");
        let help = sandbox.run([verb, "--help"]).expect(0);
        assert!(help.text().contains("Usage: plypack"), "{verb}");
        assert!(help.text().contains(&format!("  plypack {verb} ")), "{verb} has no example");
    }
    assert!(help.text().contains("Exit codes: 0 done; 1"), "{}", help.text());
    assert!(sandbox.run(["--version"]).expect(0).text().starts_with("plypack 1."));
}

#[test]
fn cat_prints_the_records_asked_for() {
    let sandbox = packed();
    let whole = std::fs::read_to_string(sample("famous.pgn")).expect("a sample");
    let games: Vec<&str> = whole.split_inclusive("\n\n").collect();
    let games: Vec<String> = games.chunks(2).map(<[&str]>::concat).collect();
    assert_eq!(games.len(), 4, "tags and moves of four games");
    for (records, expected) in [
        (&[][..], whole.clone()),
        (&["--records", "2"], games[1].clone()),
        (&["--records", "1..2"], games[..2].concat()),
        (&["--records", "2.."], games[1..].concat()),
        (&["--records", "..2"], games[..2].concat()),
        (&["--records", "4..99"], games[3].clone()),
        (&["--records", ".."], whole.clone()),
    ] {
        let done = sandbox.run([&["cat", "famous.parquet"], records].concat()).expect(0);
        assert_eq!(done.text(), expected, "{records:?}");
    }
    let beyond = ["cat", "famous.parquet", "--records", "5"];
    let done = sandbox.run(beyond).refuses(1, &["famous.parquet", "only 4 records"]);
    assert_eq!(done.text(), "");
}

#[test]
fn a_reader_who_has_gone_is_no_error() {
    let sandbox = Sandbox::new();
    sandbox.write("big.pgn", many_games(3_000));
    sandbox.run(["pack", "big.pgn", "-q"]).expect(0);
    for arguments in [
        &["cat", "big.parquet"][..],
        &["unpack", "-c", "big.parquet"],
        &["pack", "-o", "-", "big.pgn"],
        &["ls", "big.parquet"],
    ] {
        let mut command = sandbox.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).expect("a line");
        drop(reader);
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("UTF-8");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{arguments:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("plypack: "), "{arguments:?}: {err}");
    }
}

/// A full disk is the commonest reason why output fails.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let sandbox = packed();
    for arguments in [
        &["cat", "famous.parquet"][..],
        &["unpack", "-c", "famous.parquet"],
        &["ls", "famous.parquet"],
        &["codecs"],
        &["line", "encode", "e4"],
        &["position", "encode", "8/8/8/4k3/8/4K3/8/7R"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = sandbox.command(arguments).stdout(full).output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("standard output: No space left"), "{arguments:?}: {err}");
    }
    // If no message can be printed, the exit code still tells.
    for (arguments, code) in [(&["verify", "famous.parquet"][..], 0), (&["ls", "nowhere"], 2)] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let status = sandbox.command(arguments).stderr(full).status().expect("it runs");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

/// Fails unless an object has every one of these keys.
#[track_caller]
fn assert_keys(object: &serde_json::Value, keys: &[&str]) {
    for key in keys {
        assert!(object.get(key).is_some(), "no `{key}` in {object}");
    }
}

#[test]
fn ls_has_the_keys_that_scripts_rely_on() {
    let sandbox = packed();
    let done = sandbox.run(["ls", "--json", "famous.parquet", "tictactoe.parquet"]).expect(0);
    let objects = done.json();
    assert_eq!(objects.len(), 2);
    for (object, (file, game, records)) in
        objects.iter().zip([("famous.parquet", "chess", 4), ("tictactoe.parquet", "tictactoe", 2)])
    {
        assert_keys(object, &["plies", "move_bytes", "bits_per_ply", "verbatim_records"]);
        assert_eq!((&object["faulty_records"], &object["patched_records"]), (&0.into(), &0.into()));
        assert_eq!(object["file"], file);
        assert_eq!(object["game"], game);
        assert_eq!(object["records"], records);
        assert_eq!(object["bytes"], sandbox.read(file).len());
        let model = plypack_games::usual_line_codec(game).expect("a game").info().text();
        assert_eq!(object["model"], format!("{game}/{model}"));
        let columns = object["columns"].as_object().expect("an object");
        assert_eq!(columns["moves"], object["move_bytes"]);
        for column in ["moves", "layout", "checksum"] {
            assert!(columns.contains_key(column), "{column}");
        }
        let number = |key: &str| object[key].as_f64().expect("a number");
        let bits = 8.0 * number("move_bytes") / number("plies");
        assert!((number("bits_per_ply") - bits).abs() < 1e-9);
    }
    // The same figures in words.
    let words = sandbox.run(["ls", "-v", "famous.parquet"]).expect(0);
    for word in ["famous.parquet", "chess/line.default", "moves", "checksum"] {
        assert!(words.text().contains(word), "{word}: {}", words.text());
    }
    // A file without records has no bits per ply.
    sandbox.run(["pack", "-", "-o", "empty.parquet", "-q"]).expect(0);
    let empty = &sandbox.run(["ls", "--json", "empty.parquet"]).expect(0).json()[0];
    assert_eq!((&empty["records"], &empty["plies"]), (&0.into(), &0.into()));
    assert!(empty["bits_per_ply"].is_null());
    sandbox.run(["ls", "empty.parquet"]).expect(0);
    let again = sandbox.run(["pack", "-", "-o", "empty.parquet", "-f"]).expect(0);
    assert!(again.err.contains("0 B -> ") && !again.err.contains('%'), "{}", again.err);
}

/// The kinds of records are counted from what is stored, with the same result as by `pack`.
#[test]
fn ls_counts_what_was_not_coded() {
    let sandbox = Sandbox::new();
    let records: [(&str, u64, u64); 14] = [
        ("1. e4 e5 *", 0, 0),
        ("1. e4 Ke8 2. d4 *", 1, 0),
        ("1. Ke4 e5 *", 1, 0),
        ("1. e4 e5 {why} (1... c5) ; so\n2. d4 $1 *", 0, 0),
        // Text at the end that holds no move of the main line.
        ("1. e4 e5 +-", 0, 0),
        ("1. e4 e5 (1... Ke9 *)", 0, 0),
        ("1. e4 e5 (1... c5 2. Nf3", 0, 0),
        ("1. e4 e5 * 2. d4", 0, 0),
        ("1. e4 e5 [a\"b\"]d4", 0, 0),
        ("[Variant \"Atomic\"]\n\n1. e4 e5 *", 1, 0),
        ("[FEN \"nowhere\"]\n\n*", 1, 0),
        ("1. e4  e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *", 0, 1),
        ("1. e4  e5 2. Nf3 Nc6 3. Bb5 a6 4. Ke8 Nf6 5. O-O Be7 *", 1, 1),
        ("1. e4 e5 * 1. d4", 0, 0),
    ];
    let mut names = Vec::new();
    for (number, (movetext, ..)) in records.iter().enumerate() {
        let name = format!("{number}.pgn");
        let tags = "[White \"Anderssen, Adolf\"]\n[Black \"Kieseritzky, Lionel\"]\n";
        let gap = if movetext.starts_with('[') { "" } else { "\n" };
        sandbox.write(&name, format!("{tags}{gap}{movetext}\n\n"));
        names.push(name);
        let last = names.last().expect("just pushed").as_str();
        let pack = &sandbox.run(["pack", "--json", "-f", "-o", "a.parquet", last]).expect(0);
        let ls = &sandbox.run(["ls", "--json", "a.parquet"]).expect(0).json()[0];
        let (_, faulty, patched) = records[number];
        for counts in [&pack.json()[0], ls] {
            assert_eq!(counts["faulty_records"], faulty, "{movetext}");
            assert_eq!(counts["patched_records"], patched, "{movetext}");
        }
    }
    let mut arguments = vec!["pack", "-q", "-o", "all.parquet"];
    arguments.extend(names.iter().map(String::as_str));
    sandbox.run(arguments).expect(0);
    let words = sandbox.run(["ls", "-v", "all.parquet"]).expect(0);
    let faulty: u64 = records.iter().map(|record| record.1).sum();
    // Neighbouring records share layouts, so others of them need a patch.
    let counts = sandbox.run(["ls", "--json", "all.parquet"]).expect(0).json().remove(0);
    let patched = counts["patched_records"].as_u64().expect("a number");
    assert!(patched > 0);
    for line in [
        format!("moves that could not be coded: {faulty} records"),
        format!("completed by a patch: {patched} records"),
    ] {
        assert!(words.text().contains(&line), "{line}: {}", words.text());
    }
    let brief = sandbox.run(["ls", "all.parquet"]).expect(0);
    assert!(!brief.text().contains("patch"), "{}", brief.text());
}

#[test]
fn another_variant_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", "[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n");
    let words = ["a.pgn", "record 1", "line 1", "`Atomic`", "kept as text"];
    sandbox.run(["pack", "a.pgn", "-v", "--strict"]).refuses(3, &words);
}

#[test]
fn pack_has_the_keys_that_scripts_rely_on() {
    let sandbox = Sandbox::new();
    let input = std::fs::read(sample("famous.pgn")).expect("a sample");
    sandbox.write("a.pgn", &input);
    let done = sandbox.run(["pack", "--json", "a.pgn"]).expect(0);
    assert_eq!(done.err, "");
    let objects = done.json();
    assert_eq!(objects.len(), 1);
    let object = &objects[0];
    let counts = ["faulty_records", "patched_records"];
    assert_keys(object, &["game", "plies", "move_bytes", "verbatim", counts[0], counts[1]]);
    assert_eq!(object["file"], "a.parquet");
    assert_eq!(object["records"], 4);
    assert_eq!(object["verbatim_records"], 0);
    assert_eq!(object["input_bytes"], input.len());
    assert_eq!(object["bytes"], sandbox.read("a.parquet").len());
}

#[test]
fn verify_and_cat_have_the_keys_that_scripts_rely_on() {
    let sandbox = packed();
    let objects = sandbox.run(["cat", "famous.parquet", "--json"]).expect(0).json();
    let whole = std::fs::read_to_string(sample("famous.pgn")).expect("a sample");
    let texts: String = objects.iter().filter_map(|object| object["text"].as_str()).collect();
    assert_eq!(texts, whole);
    for (number, object) in (1..).zip(&objects) {
        assert_eq!((&object["record"], &object["source"]), (&number.into(), &"famous.pgn".into()));
        assert!(object.get("base64").is_none());
    }
    let some = ["cat", "famous.parquet", "--json", "--records", "3.."];
    assert_eq!(sandbox.run(some).expect(0).json(), objects[2..]);
    sandbox.write("latin1.pgn", b"[White \"M\xfcller\"]\n\n1. e4 *\n");
    sandbox.run(["pack", "-q", "latin1.pgn"]).expect(0);
    let latin1 = sandbox.run(["cat", "latin1.parquet", "--json"]).expect(0).json();
    assert!(latin1[0]["text"].as_str().is_some_and(|text| text.contains("M\u{fc}ller")));
    let bytes = latin1[0]["base64"].as_str().expect("bytes").as_bytes();
    let bytes = data_encoding::BASE64.decode(bytes).expect("base64");
    assert_eq!(bytes, sandbox.read("latin1.pgn"));

    let files = ["verify", "--json", "famous.parquet", "tictactoe.parquet"];
    let sound = sandbox.run(files).expect(0);
    assert_eq!(sound.err, "");
    for object in sound.json() {
        assert_keys(&object, &["file", "sound", "records", "unchecked_records", "faults"]);
        assert_eq!((&object["sound"], &object["unchecked_records"]), (&true.into(), &0.into()));
    }
    // The checksum of the last record is found by its bytes.
    sandbox.write("junk.pgn", "{junk that is kept as it stands}");
    sandbox.run(["pack", "-q", "junk.pgn"]).expect(0);
    let mut bytes = sandbox.read("junk.parquet");
    let sum = crc32fast::hash(b"{junk that is kept as it stands}").to_le_bytes();
    let at = bytes.windows(4).rposition(|window| window == sum).expect("a checksum");
    bytes[at] ^= 1;
    sandbox.write("junk.parquet", bytes);
    sandbox.write("other", "no packed file");
    let damaged = sandbox.run(["verify", "--json", "junk.parquet"]).expect(1).json();
    assert_eq!(
        (&damaged[0]["sound"], &damaged[0]["faults"][0]["record"]),
        (&false.into(), &1.into())
    );
    let unreadable = sandbox.run(["verify", "--json", "other"]).expect(2).json();
    assert_eq!(unreadable[0]["sound"], false);
}

#[test]
fn codecs_has_the_keys_that_scripts_rely_on() {
    let sandbox = Sandbox::new();
    let objects = sandbox.run(["codecs", "--json"]).expect(0).json();
    for object in &objects {
        assert_keys(object, &["name", "game", "kind", "bits", "drops", "claims"]);
        for claim in object["claims"].as_array().expect("a list") {
            assert_keys(claim, &["source", "case", "their_bits", "our_bits", "why"]);
        }
    }
    // One line each, unless more is asked for.
    let words = sandbox.run(["codecs"]).expect(0);
    assert_eq!(words.text().lines().count(), objects.len());
    let text = objects.iter().find(|row| row["name"] == "line.text").expect("a codec");
    let source = text["source"].as_str().expect("a text");
    assert!(!words.text().contains(&format!("after {source}")) && words.err.contains("-v"));
    let all = sandbox.run(["codecs", "-v"]).expect(0);
    let one = sandbox.run(["codecs", "line.text"]).expect(0);
    let chess = sandbox.run(["codecs", "chess"]).expect(0);
    for text in [all.text(), one.text()] {
        assert!(text.contains(&format!("after {source}")), "{text}");
    }
    assert!(!one.text().contains("line.ranked") && !chess.text().contains("tictactoe"));
    assert!(chess.text().contains("line.ranked"));
    sandbox.run(["codecs", "line.best"]).refuses(2, &["line.best", "tictactoe", "plypack codecs"]);
    for (game, name) in
        [("chess", "line.text"), ("chess", "line.ranked"), ("tictactoe", "line.uniform")]
    {
        assert!(objects.iter().any(|row| row["game"] == game && row["name"] == name), "{name}");
        assert!(words.text().contains(name), "{name}");
    }
    assert!(objects.iter().any(|row| !row["claims"].as_array().expect("a list").is_empty()));
    let positions = objects.iter().filter(|row| row["kind"] == "position");
    assert_eq!(positions.count(), plypack_games::all_position_codecs().count());
}

#[test]
fn bench_has_the_keys_that_scripts_rely_on() {
    let sandbox = packed();
    let pgn = sample("famous.pgn");
    let options = ["--rounds", "1", "--json"].map(AsRef::as_ref);
    let unpacked = ["bench".as_ref(), pgn.as_os_str()].into_iter().chain(options);
    let objects = sandbox.run(unpacked).expect(0).json();
    let names: Vec<&str> = objects.iter().filter_map(|row| row["codec"].as_str()).collect();
    for name in ["line.text", "line.uniform", "line.ranked", "zstd -19", "xz -9e"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for object in &objects {
        assert_keys(object, &["records", "plies", "encode_per_second", "decode_per_second"]);
        assert!(object["bits_per_ply"].as_f64() > Some(0.0), "{object}");
    }
    // A packed file and an archive hold the same lines, so everything takes the same bits.
    let bits = |rows: &[serde_json::Value]| -> Vec<serde_json::Value> {
        rows.iter().map(|row| row["bits_per_ply"].clone()).collect()
    };
    let content = std::fs::read(&pgn).expect("a sample");
    sandbox.write("famous.zip", zip_of(&[("a/famous.pgn".to_owned(), content)].into()));
    for file in ["famous.parquet", "famous.zip"] {
        let same = sandbox.run(["bench", file, "--rounds", "1", "--json"]).expect(0);
        assert_eq!(bits(&same.json()), bits(&objects), "{file}");
    }
    let table = sandbox.run(["bench", "famous.parquet", "--rounds", "1"]).expect(0);
    assert!(table.text().contains("line.ranked"));
    sandbox.write("none.pgn", "[Event \"x\"]\n\n*\n");
    sandbox.run(["bench", "none.pgn"]).refuses(1, &["none.pgn", "no chess moves"]);
}

#[test]
fn a_record_that_is_too_long_is_named_as_that() {
    let sandbox = Sandbox::new();
    let text = format!("[White \"A\"]\n\n1. e4 {{{}}} e5 *\n", "x".repeat(17 << 20));
    sandbox.write("a.pgn", &text);
    let done = sandbox.run(["pack", "a.pgn"]).refuses(0, &["16.00 MiB", "not found"]);
    assert!(!done.err.contains("no game was understood"), "{}", done.err);
    assert_eq!(sandbox.run(["cat", "a.parquet"]).expect(0).text(), text);
}
