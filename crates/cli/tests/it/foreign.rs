//! Inputs that plypack does not understand: they come back, too, and it says what they seem to be.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::time::{Duration, Instant};

use crate::common::{Random, Sandbox, sample};

fn inputs() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let noise = Random(42).bytes(100_000);
    vec![
        ("a.7z", [b"7z\xbc\xaf\x27\x1c", &noise[..1000]].concat(), "a 7z archive"),
        ("other.parquet", [b"PAR1", &noise[..1000], b"PAR1"].concat(), "a Parquet file"),
        ("noise", noise, "binary data"),
        ("notes.txt", b"{Notes on the match, without a move}\n".into(), "text in no format"),
    ]
}

#[test]
fn what_is_not_understood_is_told_and_strict_fails() {
    let sandbox = Sandbox::new();
    for (name, bytes, what) in inputs() {
        sandbox.write(name, &bytes);
        let done = sandbox.run(["pack", name, "-f", "-o", "p.parquet"]).expect(0);
        let line = format!("{name}: no game was understood in it; it seems to be {what}");
        assert!(done.err.contains(&line), "{}", done.err);
        let quiet = sandbox.run(["pack", name, "-q", "-f", "-o", "p.parquet"]).expect(0);
        assert_eq!(quiet.err, "");
        sandbox.run(["pack", name, "--strict", "-f", "-o", "p.parquet"]).expect(3);
        assert!(sandbox.run(["unpack", "-c", "p.parquet"]).expect(0).out == bytes, "{name}");
        let json = sandbox.run(["pack", name, "--json", "-f", "-o", "p.parquet"]).expect(0).json();
        assert_eq!(json[0]["unread_inputs"][0], name);
        assert!(json[0]["unread_records"].as_u64() > Some(0), "{}", json[0]);
    }
}

/// A damaged archive is refused before anything is written.
#[test]
fn a_damaged_archive_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("a.zip", [b"PK\x03\x04", &Random(42).bytes(1000)[..]].concat());
    let refused = sandbox.run(["pack", "a.zip", "-o", "p.parquet"]).expect(2);
    assert!(refused.err.contains("a.zip: this zip archive is damaged"), "{}", refused.err);
    assert!(!sandbox.path("p.parquet").exists());
}

#[test]
fn strict_passes_what_is_understood() {
    let sandbox = Sandbox::new();
    for text in ["", "\n\n", "*\n", "1-0", "[Event \"x\"]\n\n*\n\n", "1. e4 e5 {why} *\n"] {
        sandbox.write("a.pgn", text);
        let done = sandbox.run(["pack", "a.pgn", "--strict", "-f"]).expect(0);
        assert!(!done.err.contains("understood"), "{text:?}: {}", done.err);
    }
    for name in ["famous.pgn", "tictactoe.pgn"] {
        let path = sample(name);
        let arguments = ["pack".as_ref(), path.as_os_str(), "--strict".as_ref(), "-o".as_ref()];
        sandbox.run(arguments.into_iter().chain([name.as_ref()])).expect(0);
    }
}

/// A single record in which nothing is understood sets the exit code.
#[test]
fn strict_looks_at_each_record() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", "[Event \"x\"]\n\n1. e4 *\n\n");
    sandbox.write("b.txt", "{only words}\n");
    let done = sandbox.run(["pack", "a.pgn", "b.txt", "--strict", "-o", "p.parquet"]).expect(3);
    assert!(done.err.contains("b.txt: no game was understood"), "{}", done.err);
    assert!(!done.err.contains("a.pgn: no game"), "{}", done.err);
}

#[test]
fn a_packed_file_is_not_packed_again_unless_it_comes_through_a_pipe() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", "[Event \"x\"]\n\n1. e4 *\n\n");
    sandbox.run(["pack", "a.pgn", "-q"]).expect(0);
    for output in ["b.parquet", "-"] {
        let again = sandbox.run(["pack", "a.parquet", "-o", output]);
        again.refuses(2, &["a.parquet: it is already a packed file", "plypack unpack a.parquet"]);
    }
    assert_eq!(sandbox.names(), ["a.parquet", "a.pgn"]);
    let bytes = sandbox.read("a.parquet");
    let piped = sandbox.run_with(["pack", "-", "-o", "b.parquet"], &bytes).expect(0);
    assert!(piped.err.contains("standard input: no game was understood"), "{}", piped.err);
    assert!(piped.err.contains("a Parquet file"), "{}", piped.err);
    assert!(sandbox.run(["unpack", "-c", "b.parquet"]).expect(0).out == bytes);
}

#[test]
fn why_a_file_is_larger_is_said() {
    let sandbox = Sandbox::new();
    sandbox.write("small.pgn", "[Event \"x\"]\n\n1. e4 *\n\n");
    let small = sandbox.run(["pack", "small.pgn"]).expect(0);
    assert!(small.err.contains("of that is the footer"), "{}", small.err);
    sandbox.write("noise", Random(42).bytes(200_000));
    let noise = sandbox.run(["pack", "noise"]).expect(0);
    assert!(noise.err.contains("it grew"), "{}", noise.err);
}

/// It once took 39 seconds for five megabytes.
#[test]
fn noise_is_packed_quickly() {
    let sandbox = Sandbox::new();
    sandbox.write("noise", Random(7).bytes(1_000_000));
    let begin = Instant::now();
    sandbox.run(["pack", "-q", "noise"]).expect(0);
    let took = begin.elapsed();
    println!("a megabyte of noise took {took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}
