//! A run that is interrupted ends with code 130 and leaves nothing behind.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

mod common;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Sandbox, many_games};

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "no signal was sent");
}

/// Waits until the run has begun to write, so that the signal does not come before it is heeded.
fn wait_for_temporary_file(sandbox: &Sandbox) {
    let begin = Instant::now();
    while !sandbox.names().iter().any(|name| name.ends_with(".tmp")) {
        assert!(begin.elapsed() < Duration::from_secs(20), "no temporary file appeared");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The handler is set before the file is made; the first group of records takes longer.
    std::thread::sleep(Duration::from_millis(50));
}

#[test]
fn packing_stops_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    // 30 MB: enough row groups that it cannot be over before the signal comes.
    let games = many_games(10_000);
    let copies = 30_000_000 / games.len() + 1;
    sandbox.write("big.pgn", games.repeat(copies));
    let mut command = sandbox.command(["pack", "big.pgn"]);
    let child = command.stderr(Stdio::piped()).spawn().expect("the binary starts");
    wait_for_temporary_file(&sandbox);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted; nothing was written"), "{err}");
    assert_eq!(sandbox.names(), ["big.pgn"]);
}

#[test]
fn unpacking_stops_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let games = many_games(10_000);
    let copies = 30_000_000 / games.len() + 1;
    sandbox.write("big.pgn", games.repeat(copies));
    sandbox.run(["pack", "-q", "big.pgn"]).expect(0);
    let mut command = sandbox.command(["unpack", "big.parquet", "-o", "back.pgn", "-T", "1"]);
    let child = command.stderr(Stdio::piped()).spawn().expect("the binary starts");
    wait_for_temporary_file(&sandbox);
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert_eq!(sandbox.names(), ["big.parquet", "big.pgn"]);
}

/// Ctrl-C in `produce | plypack pack -` ends the producer too: what was read until then is not
/// the whole input, although it ends like one.
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
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(200));
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert_eq!(sandbox.names(), ["first.pgn"]);
}
