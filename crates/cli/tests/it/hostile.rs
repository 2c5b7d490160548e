//! Damaged packed files on the command line: it names the fault, exits with the right code, and
//! leaves nothing behind. `plypack` tests every bit.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use crate::common::{Sandbox, many_games, sample};
use plypack_testing::sample::every;

/// A sandbox with `whole.parquet`, and that file's bytes.
fn packed() -> (Sandbox, Vec<u8>) {
    let sandbox = Sandbox::new();
    sandbox.write("whole.pgn", std::fs::read(sample("famous.pgn")).expect("a sample"));
    sandbox.run(["pack", "-q", "whole.pgn"]).expect(0);
    let bytes = sandbox.read("whole.parquet");
    (sandbox, bytes)
}

/// The packed bytes with one bit of the last record's moves changed.
fn with_a_wrong_move(sandbox: &Sandbox, mut bytes: Vec<u8>) -> Vec<u8> {
    // Codes are stored unchanged, so those of a game with the usual start can be found.
    let text = std::fs::read_to_string(sample("famous.pgn")).expect("a sample");
    let last = text.trim_end().rsplit("\n\n").next().expect("a movetext").to_owned();
    let cell = sandbox.run_with(["line", "encode"], last.as_bytes()).expect(0);
    let cell = cell.text().trim().to_owned();
    let codes: Vec<u8> = (2..cell.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&cell[at..at + 2], 16).expect("hexadecimal"))
        .collect();
    let place = bytes.windows(codes.len()).position(|window| window == codes);
    let place = place.expect("the last record's code stands in the file");
    bytes[place + codes.len() / 2] ^= 0x10;
    bytes
}

#[test]
fn a_wrong_move_is_found_and_its_record_named() {
    let (sandbox, bytes) = packed();
    let damaged = with_a_wrong_move(&sandbox, bytes);
    sandbox.write("damaged.parquet", damaged);
    let words = ["damaged.parquet", "record 4"];
    sandbox.run(["verify", "damaged.parquet"]).refuses(1, &words);
    sandbox.run(["verify", "-q", "damaged.parquet"]).refuses(1, &words);
    let both = sandbox.run(["verify", "damaged.parquet", "whole.parquet"]).refuses(1, &words);
    assert!(both.err.contains("whole.parquet: 4 records"), "{}", both.err);
    sandbox.run(["unpack", "-c", "damaged.parquet"]).refuses(1, &words);
    // No part of a damaged file is left where a whole one is expected.
    sandbox.run(["unpack", "damaged.parquet", "-o", "back.pgn"]).refuses(1, &words);
    let names = ["damaged.parquet", "whole.parquet", "whole.pgn"];
    assert_eq!(sandbox.names(), names);
    let whole = sandbox.run(["verify", "whole.parquet"]).expect(0);
    assert!(whole.err.contains("4 records, all as packed"), "{}", whole.err);
}

#[test]
fn verify_goes_on_after_a_file_that_it_cannot_read() {
    let (sandbox, bytes) = packed();
    let damaged = with_a_wrong_move(&sandbox, bytes);
    sandbox.write("damaged.parquet", damaged);
    let files = ["verify", "nowhere", "damaged.parquet", "whole.pgn", "whole.parquet"];
    let words = [
        "nowhere: No such file",
        "damaged.parquet: record 4",
        "whole.pgn: this is not a packed file",
        "whole.parquet: 4 records, all as packed",
    ];
    sandbox.run(files).refuses(2, &words);
    let quiet = sandbox.run(["verify", "-q", "whole.parquet", "nowhere"]).refuses(2, &words[..1]);
    assert_eq!(quiet.err.lines().count(), 1, "{}", quiet.err);
}

#[test]
fn a_file_that_was_cut_is_refused() {
    let (sandbox, bytes) = packed();
    for length in [0, 3, 4, 8, 100, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
        sandbox.write("cut.parquet", &bytes[..length]);
        let words = match length {
            ..4 => ["cut.parquet: this is not a packed file", "plypack pack"],
            _ => ["cut.parquet: its end is damaged or missing", "use an undamaged copy"],
        };
        for verb in ["verify", "unpack", "cat", "ls"] {
            sandbox.run([verb, "cut.parquet"]).refuses(2, &words);
        }
    }
    assert_eq!(sandbox.names(), ["cut.parquet", "whole.parquet", "whole.pgn"]);
}

/// A block of zeros, as a failing disk leaves it, in the first or the second row group.
#[test]
fn a_hole_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", many_games(17_000));
    sandbox.run(["pack", "-q", "games.pgn"]).expect(0);
    let bytes = sandbox.read("games.parquet");
    for place in every(3, 3).map(|tried| bytes.len() / 6 * [1, 3, 5][tried]) {
        let mut damaged = bytes.clone();
        damaged[place..place + 512].fill(0);
        sandbox.write("hole.parquet", damaged);
        sandbox.run(["verify", "hole.parquet"]).refuses(1, &["hole.parquet"]);
        let unpacked = sandbox.run(["unpack", "hole.parquet"]);
        assert!(matches!(unpacked.code, Some(1 | 2)), "{:?}: {}", unpacked.code, unpacked.err);
        assert!(!unpacked.err.contains("panicked"), "{}", unpacked.err);
        assert!(!sandbox.path("hole.pgn").exists());
    }
}

#[test]
fn another_version_of_the_format_names_the_plypack_that_reads_it() {
    let (sandbox, mut bytes) = packed();
    // The version is the text `1` after its key in the footer.
    let key = b"plypack.format";
    let place = bytes.windows(key.len()).position(|window| window == key).expect("the key");
    let version = place + key.len() + 2;
    assert_eq!(bytes[version], b'1');
    for (other, words) in [
        (b'7', ["other.parquet", "version 7", "update plypack"]),
        (b'0', ["other.parquet", "version 0", "plypack 0.1.0"]),
    ] {
        bytes[version] = other;
        sandbox.write("other.parquet", &bytes);
        for verb in ["verify", "unpack", "cat", "ls"] {
            sandbox.run([verb, "other.parquet"]).refuses(2, &words);
        }
    }
}

/// `cat` compares checksums like `verify`: it never prints a wrong game silently.
#[test]
fn cat_prints_no_wrong_game() {
    let (sandbox, bytes) = packed();
    sandbox.write("damaged.parquet", with_a_wrong_move(&sandbox, bytes));
    let whole = String::from_utf8(sandbox.read("whole.pgn")).expect("a text");
    for records in [&[][..], &["--records", "4"]] {
        let done = sandbox.run([&["cat", "damaged.parquet"], records].concat());
        let done = done.refuses(1, &["damaged.parquet: record 4", "damaged"]);
        assert!(whole.starts_with(done.text()), "{}", done.text());
    }
    let done = sandbox.run(["cat", "damaged.parquet", "--records", "1..3"]).expect(0);
    assert!(whole.starts_with(done.text()) && !done.text().is_empty());
}
