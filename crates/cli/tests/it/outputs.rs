//! Where output goes: a file that appears once complete, or something that is written to directly;
//! two runs that want the same name; and what a killed run leaves.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Sandbox, sample};

const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n";

/// A sandbox with a game, the same packed, and a board as text, portable and packed.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", GAME);
    sandbox.write("a.board", ".ox\nxo.\n");
    sandbox.run(["pack", "-q", "a.pgn"]).expect(0);
    sandbox.run(["board", "pack", "-q", "a.board"]).expect(0);
    sandbox.run(["board", "pack", "-q", "a.tern"]).expect(0);
    sandbox
}

/// Every verb that writes a file, without the output's name.
const WRITERS: [&[&str]; 6] = [
    &["pack", "a.pgn"],
    &["unpack", "a.parquet"],
    &["board", "random", "3", "5", "--seed", "1"],
    &["board", "pack", "a.board"],
    &["board", "unpack", "a.tern"],
    &["board", "unpack", "a.plyb"],
];

/// Returns what a verb writes into a file.
fn written(sandbox: &Sandbox, verb: &[&str]) -> Vec<u8> {
    sandbox.run([verb, &["-o", "plain", "-q", "-f"]].concat()).expect(0);
    let bytes = sandbox.read("plain");
    std::fs::remove_file(sandbox.path("plain")).expect("a file");
    bytes
}

#[test]
fn standard_output_may_have_a_name() {
    let sandbox = sandbox();
    for verb in WRITERS {
        let expected = written(&sandbox, verb);
        for options in [&["-o", "/dev/stdout", "-q"][..], &["-o", "/dev/stdout", "-q", "-f"]] {
            let done = sandbox.run([verb, options].concat()).expect(0);
            assert!(done.out == expected, "{verb:?} {options:?}");
        }
        assert!(Path::new("/dev/stdout").is_symlink());
        // Redirected to a file that the shell has opened, and that others write to.
        let mut command = sandbox.command([verb, &["-o", "/dev/stdout", "-q"]].concat());
        let mut file = std::fs::File::create(sandbox.path("redirected")).expect("a file");
        std::io::Write::write_all(&mut file, b"before").expect("space");
        assert!(command.stdout(file).status().expect("it runs").success());
        assert!(sandbox.read("redirected") == [b"before", &expected[..]].concat(), "{verb:?}");
    }
}

#[test]
fn a_pipe_is_written_to() {
    let sandbox = sandbox();
    let made = Command::new("mkfifo").arg(sandbox.path("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "no pipe");
    for verb in WRITERS {
        let expected = written(&sandbox, verb);
        for options in [&["-o", "pipe", "-q"][..], &["-o", "pipe", "-q", "-f"]] {
            let mut reader = Command::new("cat");
            let reader = reader.arg(sandbox.path("pipe")).stdout(Stdio::piped());
            let reader = reader.spawn().expect("cat");
            sandbox.run([verb, options].concat()).expect(0);
            let read = reader.wait_with_output().expect("it ends").stdout;
            assert!(read == expected, "{verb:?} {options:?}");
            let kind = sandbox.path("pipe").symlink_metadata().expect("a pipe").file_type();
            assert!(kind.is_fifo(), "{verb:?}");
        }
    }
}

#[test]
fn a_device_is_written_to() {
    let sandbox = sandbox();
    symlink("/dev/null", sandbox.path("null")).expect("a link");
    symlink("/dev/full", sandbox.path("full")).expect("a link");
    let made = Command::new("mknod").arg(sandbox.path("device")).args(["c", "1", "3"]).output();
    let has_device = made.is_ok_and(|output| output.status.success());
    for verb in WRITERS {
        for force in [&["-q"][..], &["-q", "-f"]] {
            sandbox.run([verb, &["-o", "null"], force].concat()).expect(0);
            assert!(sandbox.path("null").is_symlink(), "{verb:?}");
            let full = sandbox.run([verb, &["-o", "full"], force].concat());
            full.refuses(2, &["full", "No space left"]);
            if has_device {
                sandbox.run([verb, &["-o", "device"], force].concat()).expect(0);
                let kind = sandbox.path("device").symlink_metadata().expect("a device");
                assert!(kind.file_type().is_char_device(), "{verb:?}");
            }
        }
    }
    if !has_device {
        plypack_testing::skip("no device can be made here");
    }
}

#[test]
fn a_link_is_followed() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("far")).expect("a folder");
    for verb in WRITERS {
        let expected = written(&sandbox, verb);
        sandbox.write("far/file", "old");
        let link = sandbox.path("link");
        let _ = std::fs::remove_file(&link);
        symlink("far/file", &link).expect("a link");
        sandbox.run([verb, &["-o", "link"]].concat()).refuses(2, &["link exists", "-f", "-o"]);
        assert_eq!(sandbox.read("far/file"), b"old");
        sandbox.run([verb, &["-o", "link", "-q", "-f"]].concat()).expect(0);
        assert!(link.is_symlink() && sandbox.read("far/file") == expected, "{verb:?}");
        let names = std::fs::read_dir(sandbox.path("far")).expect("a folder").count();
        assert_eq!(names, 1, "{verb:?}");
    }
}

/// Names in a packed file are untrusted: they do not lead out of the folder.
#[test]
fn only_files_are_replaced_in_a_folder() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("back")).expect("a folder");
    sandbox.write("mine", "mine");
    symlink("../mine", sandbox.path("back/a.pgn")).expect("a link");
    let done = sandbox.run(["unpack", "a.parquet", "-o", "back", "-f"]);
    done.refuses(2, &["back/a.pgn", "not a file", "-o"]);
    assert_eq!(sandbox.read("mine"), b"mine");
    assert!(sandbox.path("back/a.pgn").is_symlink());
}

/// A run that waits for its input, and its standard input.
fn waiting(sandbox: &Sandbox, output: &str) -> (Child, ChildStdin) {
    let mut command = sandbox.command(["pack", "-", "-o", output]);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let stdin = child.stdin.take().expect("a pipe");
    (child, stdin)
}

fn unfinished(sandbox: &Sandbox) -> Vec<String> {
    sandbox.names().into_iter().filter(|name| name.ends_with(".tmp")).collect()
}

fn wait_for_unfinished(sandbox: &Sandbox, count: usize) {
    let begin = Instant::now();
    while unfinished(sandbox).len() != count {
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", sandbox.names());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn two_runs_to_one_name_cannot_both_win() {
    for _ in 0..3 {
        let sandbox = Sandbox::new();
        let runs = [waiting(&sandbox, "out.parquet"), waiting(&sandbox, "out.parquet")];
        // Neither sees a file of that name when it begins.
        wait_for_unfinished(&sandbox, 2);
        let mut codes = Vec::new();
        let mut inputs = Vec::new();
        let mut children = Vec::new();
        for (number, (child, mut stdin)) in runs.into_iter().enumerate() {
            let game = format!("[Event \"{number}\"]\n\n1. e4 *\n\n");
            std::io::Write::write_all(&mut stdin, game.as_bytes()).expect("a reader");
            inputs.push(game);
            children.push(child);
        }
        for child in children {
            let output = child.wait_with_output().expect("it ends");
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            codes.push((output.status.code(), err));
        }
        let winner = codes.iter().position(|(code, _)| *code == Some(0)).expect("a winner");
        let (code, err) = &codes[1 - winner];
        assert_eq!(*code, Some(2), "{err}");
        assert!(err.contains("out.parquet exists") && err.contains("meanwhile"), "{err}");
        assert!(err.contains("-f") && err.contains("-o"), "{err}");
        assert_eq!(sandbox.names(), ["out.parquet"]);
        let whole = sandbox.run(["cat", "out.parquet"]).expect(0);
        assert_eq!(whole.text(), inputs[winner]);
    }
}

#[test]
fn what_a_killed_run_left_is_cleared_away_and_what_lives_is_not() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", GAME);
    let (mut killed, _input) = waiting(&sandbox, "killed.parquet");
    wait_for_unfinished(&sandbox, 1);
    killed.kill().expect("a signal");
    killed.wait().expect("it ends");
    let dead = unfinished(&sandbox);
    assert_eq!(dead.len(), 1, "this test shows nothing");
    let (living, mut stdin) = waiting(&sandbox, "living.parquet");
    let begin = Instant::now();
    while unfinished(&sandbox) == dead || unfinished(&sandbox).len() != 1 {
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", sandbox.names());
        std::thread::sleep(Duration::from_millis(5));
    }
    let alive = unfinished(&sandbox);
    sandbox.run(["pack", "-q", "a.pgn"]).expect(0);
    sandbox.run(["unpack", "-q", "a.parquet", "-o", "back.pgn"]).expect(0);
    sandbox.run(["unpack", "-q", "a.parquet", "-f", "-o", "."]).expect(0);
    assert_eq!(unfinished(&sandbox), alive);
    std::io::Write::write_all(&mut stdin, GAME.as_bytes()).expect("a reader");
    drop(stdin);
    assert!(living.wait_with_output().expect("it ends").status.success());
    assert_eq!(sandbox.names(), ["a.parquet", "a.pgn", "back.pgn", "living.parquet"]);
}

#[test]
fn several_inputs_in_one_output_are_told() {
    let sandbox = Sandbox::new();
    let famous = std::fs::read(sample("famous.pgn")).expect("a sample");
    sandbox.write("a.pgn", &famous);
    sandbox.write("b.pgn", GAME);
    let packed = sandbox.run(["pack", "a.pgn", "b.pgn"]).expect(0);
    assert!(packed.err.contains("2 inputs are in one file"), "{}", packed.err);
    assert!(packed.err.contains("plypack unpack a.parquet -o DIR/"), "{}", packed.err);
    // No note if the output is named.
    let named = sandbox.run(["pack", "a.pgn", "b.pgn", "-o", "both.parquet"]).expect(0);
    assert!(!named.err.contains("inputs"), "{}", named.err);
    let merged = sandbox.run(["unpack", "both.parquet", "-o", "both.pgn"]).expect(0);
    assert!(merged.err.contains("both.pgn: 2 inputs, joined"), "{}", merged.err);
    assert!(merged.err.contains("plypack unpack both.parquet -o DIR/"), "{}", merged.err);
    let apart = sandbox.run(["unpack", "both.parquet", "-o", "back/"]).expect(0);
    assert_eq!(apart.err, "");
    sandbox.run(["pack", "-q", "b.pgn"]).expect(0);
    assert_eq!(sandbox.run(["unpack", "b.parquet", "-o", "c.pgn"]).expect(0).err, "");
}
