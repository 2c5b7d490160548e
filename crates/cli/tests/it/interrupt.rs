//! A run that is interrupted ends within two seconds with code 130, whatever it does, and leaves
//! nothing behind.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Sandbox, many_games};

/// How soon a run must end: two seconds, and one for a busy machine to notice.
const SOON: Duration = Duration::from_secs(3);

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "no signal was sent");
}

/// Waits until the run has begun to write, so that the signal does not come before the work.
fn wait_for_temporary_file(sandbox: &Sandbox) {
    let begin = Instant::now();
    while !sandbox.names().iter().any(|name| name.ends_with(".tmp")) {
        assert!(begin.elapsed() < Duration::from_secs(60), "no temporary file appeared");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
}

/// Sends a signal and checks that the run ends soon with code 130. Returns what it said.
#[track_caller]
fn ends_soon(mut child: Child, name: &str) -> String {
    signal(&child, name);
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(30), "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    let took = begin.elapsed();
    let mut err = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("UTF-8");
    assert_eq!(child.wait().expect("it ended").code(), Some(130), "{err}");
    assert!(took < SOON, "it took {took:?}");
    assert!(err.contains("interrupted"), "{err}");
    println!("it ended after {took:?}");
    err
}

/// Enough games that no verb is over before the signal comes.
fn large() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("big.pgn", many_games(20_000));
    sandbox
}

fn start(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

#[test]
fn packing_stops_and_leaves_nothing() {
    let sandbox = large();
    for name in ["-INT", "-TERM"] {
        let child = start(&sandbox, &["pack", "big.pgn"]);
        wait_for_temporary_file(&sandbox);
        let err = ends_soon(child, name);
        assert!(err.contains("interrupted; nothing was written"), "{err}");
        assert_eq!(sandbox.names(), ["big.pgn"]);
    }
}

#[test]
fn reading_stops_and_leaves_nothing() {
    let sandbox = large();
    sandbox.run(["pack", "-q", "big.pgn", "--codec", "line.ranked"]).expect(0);
    for arguments in [
        &["unpack", "big.parquet", "-o", "back.pgn"][..],
        &["unpack", "big.parquet", "-o", "back/deep/"],
    ] {
        let child = start(&sandbox, arguments);
        if arguments[3].ends_with('/') {
            std::thread::sleep(Duration::from_millis(200));
        } else {
            wait_for_temporary_file(&sandbox);
        }
        ends_soon(child, "-INT");
        assert_eq!(sandbox.names(), ["big.parquet", "big.pgn"], "{arguments:?}");
    }
    for arguments in [
        &["verify", "big.parquet", "-T", "1"][..],
        &["cat", "big.parquet"],
        &["find", "big.parquet", "--fen", "8/8/8/4k3/8/4K3/8/8 w - -", "-T", "1"],
        &["tree", "big.parquet", "--fen", "8/8/8/4k3/8/4K3/8/8 w - -"],
        &["bench", "big.parquet"],
        &["bench", "--positions", "big.pgn"],
        &["board", "verify", "--random", "5000", "5000"],
        &["board", "random", "20000", "20000", "-o", "board"],
    ] {
        for name in ["-INT", "-TERM"] {
            let child = start(&sandbox, arguments);
            std::thread::sleep(Duration::from_millis(200));
            ends_soon(child, name);
            assert_eq!(sandbox.names(), ["big.parquet", "big.pgn"], "{arguments:?}");
        }
    }
}

#[test]
fn making_games_up_stops_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let synth = ["synth", "--game", "chess", "--games", "100000000", "--codec", "line.ranked"];
    for output in ["games.pgn", "games.parquet"] {
        let child = start(&sandbox, &[&synth[..], &["-o", output]].concat());
        wait_for_temporary_file(&sandbox);
        let err = ends_soon(child, "-INT");
        assert!(err.contains("interrupted; nothing was written"), "{err}");
        assert!(sandbox.names().is_empty(), "{output}");
    }
    let child = start(&sandbox, &synth);
    std::thread::sleep(Duration::from_millis(200));
    ends_soon(child, "-TERM");
}

/// A run that waits for another program does not check the flag.
#[test]
fn waiting_stops() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", "1. e4 *\n");
    let mut command = sandbox.command(["pack", "-", "-o", "out.parquet"]);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    for times in [1, 2] {
        let mut child = command.spawn().expect("the binary starts");
        let stdin = child.stdin.take().expect("a pipe");
        wait_for_temporary_file(&sandbox);
        let begin = Instant::now();
        if times == 2 {
            signal(&child, "-INT");
            std::thread::sleep(Duration::from_millis(50));
        }
        ends_soon(child, "-INT");
        // A second signal ends it at once.
        assert!(times == 1 || begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
        assert_eq!(sandbox.names(), ["a.pgn"]);
        drop(stdin);
    }
    // No program reads what it writes.
    let made = Command::new("mkfifo").arg(sandbox.path("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "no pipe");
    let child = start(&sandbox, &["pack", "a.pgn", "-o", "pipe"]);
    std::thread::sleep(Duration::from_millis(200));
    ends_soon(child, "-TERM");
}

/// Ctrl-C in `produce | plypack pack -` ends the producer too: the input read until then is not
/// whole, although it ends as if it were.
#[test]
fn an_input_that_ends_by_the_interrupt_is_not_taken_for_whole() {
    let sandbox = Sandbox::new();
    sandbox.write("first.pgn", many_games(100));
    let mut command = sandbox.command(["pack", "first.pgn", "-", "-o", "out.parquet"]);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    // The first input is packed, and the packer waits for the second.
    let stdin = child.stdin.take().expect("a pipe");
    wait_for_temporary_file(&sandbox);
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(200));
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert_eq!(sandbox.names(), ["first.pgn"]);
}
