//! The same input and options give the same file, whatever the number of threads and however the
//! bytes arrive.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Sandbox, many_games, sample};

#[test]
fn threads_change_no_byte() {
    let sandbox = Sandbox::new();
    // Two row groups, and more than one chunk of work for each of five threads.
    let games = many_games(17_000);
    sandbox.write("games.pgn", &games);
    for threads in ["1", "2", "5"] {
        let output = format!("{threads}.parquet");
        let pack = ["pack", "games.pgn", "-q", "--model", "fast", "-T", threads, "-o", &output];
        sandbox.run(pack).expect(0);
        assert!(sandbox.read(&output) == sandbox.read("1.parquet"), "-T {threads}");
        let unpacked = sandbox.run(["unpack", "-c", "-T", threads, &output]).expect(0);
        assert!(unpacked.out == games.as_bytes(), "-T {threads}");
    }
}

#[test]
fn repeating_a_run_changes_no_byte() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", many_games(2_000));
    for output in ["a.parquet", "b.parquet"] {
        sandbox.run(["pack", "games.pgn", "-q", "-o", output]).expect(0);
    }
    assert!(sandbox.read("a.parquet") == sandbox.read("b.parquet"));
}

#[test]
fn standard_input_and_output_serve_as_files() {
    let sandbox = Sandbox::new();
    // More than a pipe holds, so that it arrives in pieces.
    let games = many_games(2_000);
    sandbox.write("-.pgn", &games);
    sandbox.run(["pack", "./-.pgn", "-q", "-o", "file.parquet"]).expect(0);
    let piped = sandbox.run_with(["pack", "-", "-q", "-o", "piped.parquet"], games.as_bytes());
    piped.expect(0);
    let both = sandbox.run_with(["pack", "-", "-q", "-o", "-"], games.as_bytes()).expect(0);
    // The files name their inputs, one `-.pgn` and the others `-`, so that they cannot be equal.
    assert!(both.out == sandbox.read("piped.parquet"));
    for packed in ["file.parquet", "piped.parquet"] {
        let out = sandbox.run(["unpack", "-c", packed]).expect(0).out;
        assert!(out == games.as_bytes(), "{packed}");
        let out = sandbox.run(["unpack", "-o", "-", packed]).expect(0).out;
        assert!(out == games.as_bytes(), "{packed}");
    }
    assert_eq!(sandbox.names(), ["-.pgn", "file.parquet", "piped.parquet"]);
}

#[test]
fn inputs_are_packed_one_after_the_other() {
    let sandbox = Sandbox::new();
    let (famous, buffett) = (sample("famous.pgn"), sample("buffett.pgn"));
    let bytes = |path| std::fs::read(path).expect("a sample");
    let both = [bytes(&famous), bytes(&buffett)].concat();
    sandbox
        .run([
            "pack".as_ref(),
            famous.as_os_str(),
            buffett.as_os_str(),
            "-o".as_ref(),
            "both.parquet".as_ref(),
        ])
        .expect(0);
    let unpacked = sandbox.run(["unpack", "-c", "both.parquet"]).expect(0);
    assert!(unpacked.out == both);
    let verified = sandbox.run(["verify", "both.parquet"]).expect(0);
    assert!(verified.err.contains("5 records"), "{}", verified.err);
}

/// Systems allow as few as 256 or 1,024 open files at a time.
#[test]
#[cfg(unix)]
fn inputs_may_be_more_than_the_files_that_may_be_open() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..200).map(|number| format!("{number}.pgn")).collect();
    names.iter().for_each(|name| drop(sandbox.write(name, format!("1. e4 {{{name}}} *\n"))));
    let limited = "ulimit -n 64; exec \"$0\" pack -q -o all.parquet \"$@\"";
    let pack = sandbox.command([""; 0]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", limited]).arg(pack.get_program()).args(&names);
    let status = shell.current_dir(sandbox.path("")).status().expect("a shell");
    assert!(status.success(), "{status}");
    let unpacked = sandbox.run(["unpack", "-c", "all.parquet"]).expect(0);
    let all: Vec<u8> = names.iter().flat_map(|name| sandbox.read(name)).collect();
    assert!(unpacked.out == all);
}
