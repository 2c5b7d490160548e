//! `plypack serve`: what it shows, to whom, and what it refuses.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server that ends with the test.
struct Served {
    child: Child,
    port: u16,
    /// What stands behind the port in the address that was printed.
    place: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server.
fn serve(arguments: &[&str]) -> Served {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plypack"))
        .args(["serve", "--no-open"])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("its output");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
    let (port, place) = rest.split_once('/').expect("a place");
    Served { child, port: port.parse().expect("a port"), place: place.into() }
}

/// What the server answers to a host of this name who asks for a path.
fn get(served: &Served, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_record_of_a_file_is_shown_and_nothing_else() {
    let served = serve(&["samples/famous.pgn", "--record", "2"]);
    assert_eq!(served.place, "?src=record");
    let host = format!("127.0.0.1:{}", served.port);
    assert!(get(&served, &host, "/").contains("<plypack-board"));
    assert!(get(&served, &host, "/record").contains("Morphy"));
    for name in ["plypack-games.js", "plypack-board.js", "example.html"] {
        assert!(get(&served, &host, &format!("/{name}")).starts_with("HTTP/1.1 200"), "{name}");
    }
    for path in ["/../Cargo.toml", "/samples/famous.pgn", "/nothing", "//record"] {
        let answer = get(&served, &host, path);
        assert!(answer.starts_with("HTTP/1.1 404") || path == "//record", "{path}: {answer}");
    }
    assert!(get(&served, "elsewhere.example", "/record").starts_with("HTTP/1.1 404"));
}

#[test]
fn the_files_of_a_folder_are_shown_by_name() {
    let served = serve(&["samples"]);
    let host = format!("127.0.0.1:{}", served.port);
    assert_eq!(served.place, "");
    assert!(get(&served, &host, "/?src=famous.pgn").contains("<plypack-board"));
    let game = get(&served, &host, "/famous.pgn");
    assert!(game.contains("Kieseritzky") && !game.contains("Morphy"), "its first game: {game}");
    for path in ["/../README.md", "/..%2FREADME.md", "/nothing.pgn", "/.", "/.."] {
        assert!(get(&served, &host, path).starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn a_link_is_shown() {
    let served = serve(&["https://example.org/play#FgKzM3o"]);
    assert!(served.place.starts_with('#') && served.place.len() == 8, "{}", served.place);
}

#[test]
fn what_is_neither_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plypack"));
    let output = command.args(["serve", "no-such-file.pgn"]).output().expect("the program");
    assert!(!output.status.success());
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(why.contains("no file of this name"), "{why}");
}
