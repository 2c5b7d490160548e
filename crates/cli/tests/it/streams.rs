//! Compressed inputs, endless inputs, and several inputs in one file: what comes back, and where.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Sandbox, corpus, many_games, sample};

/// Compression programs, and the endings they give.
const PROGRAMS: [(&str, &str); 4] =
    [("zstd", "zst"), ("gzip", "gz"), ("bzip2", "bz2"), ("xz", "xz")];

/// Compresses bytes with a program; `None`, and a line that says so, if it is not installed.
#[allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]
fn compress(program: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let spawned = command.arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = spawned else {
        plypack_testing::skip(&format!("{program} is not installed"));
        return None;
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(bytes).ok());
        child.wait_with_output()
    });
    Some(output.expect("it ends").stdout)
}

/// The names of all files below a folder, sorted.
#[allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]
fn tree(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            names.extend(tree(&path).iter().map(|inner| format!("{name}/{inner}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

/// Makes a folder in the sandbox.
#[allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]
fn make_folder(sandbox: &Sandbox, name: &str) {
    std::fs::create_dir(sandbox.path(name)).expect("a folder");
}

#[test]
fn compressed_inputs_are_known_by_their_first_bytes() {
    let sandbox = Sandbox::new();
    let games = many_games(1_000);
    for (program, _) in PROGRAMS {
        let Some(packed) = compress(program, games.as_bytes()) else { continue };
        // Two members, and a name without an ending.
        sandbox.write("games.pgn", [&packed[..], &packed].concat());
        sandbox.run(["pack", "games.pgn", "-qf"]).expect(0);
        let back = sandbox.run(["unpack", "-c", "games.parquet"]).expect(0);
        assert!(back.out == [games.as_bytes(), games.as_bytes()].concat(), "{program}");
        let piped = sandbox.run_with(["pack", "-", "-q", "-o", "piped.parquet", "-f"], &packed);
        piped.expect(0);
        let back = sandbox.run(["unpack", "-c", "piped.parquet"]).expect(0);
        assert!(back.out == games.as_bytes(), "{program}");
    }
}

#[test]
fn a_compressed_input_gives_its_name_without_the_ending() {
    let sandbox = Sandbox::new();
    let games = std::fs::read(sample("famous.pgn")).expect("a sample");
    for (program, ending) in PROGRAMS {
        let Some(packed) = compress(program, &games) else { continue };
        let name = format!("{program}.pgn.{ending}");
        sandbox.write(&name, packed);
        let done = sandbox.run(["pack", &name, "--json"]).expect(0);
        assert_eq!(done.json()[0]["input_bytes"], games.len());
        assert_eq!(done.json()[0]["file"], format!("{program}.parquet"));
        sandbox.run(["bench", &name, "--rounds", "1"]).expect(0);
        sandbox.run(["unpack", &format!("{program}.parquet"), "-o", "back/"]).expect(0);
        assert!(sandbox.read(&format!("back/{program}.pgn")) == games);
    }
}

#[test]
fn a_damaged_compressed_input_is_named_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let games = many_games(3_000);
    for (program, ending) in PROGRAMS {
        let Some(packed) = compress(program, games.as_bytes()) else { continue };
        let name = format!("games.{ending}");
        let mut changed = packed.clone();
        changed[packed.len() / 2] ^= 0x55;
        for bytes in [&packed[..packed.len() / 2], &packed[..packed.len() - 1], &changed] {
            sandbox.write(&name, bytes);
            sandbox.run(["pack", &name]).refuses(2, &[&name, program]);
            sandbox.run(["bench", &name]).refuses(2, &[&name, program]);
            assert_eq!(sandbox.names(), [name.as_str()]);
        }
        std::fs::remove_file(sandbox.path(&name)).expect("a file");
    }
}

#[test]
fn inputs_come_back_into_a_folder() {
    let sandbox = Sandbox::new();
    let famous = std::fs::read(sample("famous.pgn")).expect("a sample");
    make_folder(&sandbox, "x");
    make_folder(&sandbox, "y");
    // The first and the last have no bytes, and so no records.
    let inputs: [(&str, &[u8]); 5] = [
        ("none.pgn", b""),
        ("x/a.pgn", &famous),
        ("junk.txt", b"not a game\xff\r\n\0"),
        ("y/a.pgn", b"1. e4 *"),
        ("y/b.pgn", b""),
    ];
    let mut arguments = vec!["pack", "-q", "-o", "all.parquet"];
    for (name, bytes) in inputs {
        sandbox.write(name, bytes);
        arguments.push(name);
    }
    sandbox.run(arguments).expect(0);
    let all = inputs.map(|input| input.1).concat();
    assert!(sandbox.run(["unpack", "-c", "all.parquet"]).expect(0).out == all);
    sandbox.run(["unpack", "all.parquet", "-o", "one.pgn"]).expect(0);
    assert!(sandbox.read("one.pgn") == all);

    sandbox.run(["unpack", "all.parquet", "-o", "new/folder/"]).expect(0);
    let names = ["b.pgn", "junk.txt", "none.pgn", "x/a.pgn", "y/a.pgn"];
    assert_eq!(tree(&sandbox.path("new/folder")), names);
    for (name, bytes) in inputs {
        let back = if name == "y/b.pgn" { "b.pgn" } else { name };
        assert!(sandbox.read(&format!("new/folder/{back}")) == bytes, "{name}");
    }

    // An existing folder needs no slash, and keeps its files.
    make_folder(&sandbox, "old");
    sandbox.write("old/junk.txt", "mine");
    let taken = ["unpack", "all.parquet", "-o", "old"];
    sandbox.run(taken).refuses(2, &["old/junk.txt", "-f", "-o"]);
    assert_eq!(tree(&sandbox.path("old")), ["junk.txt"]);
    assert_eq!(sandbox.read("old/junk.txt"), b"mine");
    sandbox.run(["unpack", "all.parquet", "-f", "-o", "old"]).expect(0);
    assert_eq!(tree(&sandbox.path("old")), names);
    assert!(sandbox.read("old/junk.txt") == inputs[2].1);
}

#[test]
fn a_file_without_any_record_comes_back_too() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.pgn", "");
    sandbox.run(["pack", "-q", "empty.pgn"]).expect(0);
    sandbox.run(["unpack", "empty.parquet", "-o", "back/"]).expect(0);
    assert_eq!(tree(&sandbox.path("back")), ["empty.pgn"]);
    sandbox.run_with(["pack", "-q", "-", "-o", "piped.parquet"], b"1. e4 *").expect(0);
    sandbox.run(["unpack", "piped.parquet", "-o", "back"]).expect(0);
    assert_eq!(tree(&sandbox.path("back")), ["empty.pgn", "stdin.pgn"]);
}

#[test]
fn inputs_that_would_be_one_file_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("a.pgn", "1. e4 *");
    sandbox.write("a.pgn.gz", "1. d4 *");
    for second in ["a.pgn", "./a.pgn", "a.pgn.gz"] {
        let done = sandbox.run(["pack", "a.pgn", second, "-o", "both.parquet"]);
        done.refuses(2, &["a.pgn", second, "told apart", "rename"]);
    }
    assert_eq!(sandbox.names(), ["a.pgn", "a.pgn.gz"]);
}

#[test]
fn nothing_is_left_of_a_file_that_is_damaged() {
    let sandbox = Sandbox::new();
    sandbox.write("one.pgn", "1. e4 *\n\n");
    sandbox.write("two.pgn", "{junk that is kept as it stands}");
    sandbox.run(["pack", "-q", "one.pgn", "two.pgn", "-o", "both.parquet"]).expect(0);
    // The checksum of the last record is found by its bytes.
    let mut bytes = sandbox.read("both.parquet");
    let sum = crc32(b"{junk that is kept as it stands}").to_le_bytes();
    let at = bytes.windows(4).rposition(|window| window == sum).expect("a checksum");
    bytes[at] ^= 1;
    sandbox.write("both.parquet", bytes);
    let done = sandbox.run(["unpack", "both.parquet", "-o", "back/deep/"]);
    done.refuses(1, &["both.parquet", "record 2"]);
    assert_eq!(sandbox.names(), ["both.parquet", "one.pgn", "two.pgn"]);
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_folder() {
    let sandbox = Sandbox::new();
    for folder in ["x", "y", "back", "elsewhere"] {
        make_folder(&sandbox, folder);
    }
    for name in ["x/a.pgn", "y/a.pgn"] {
        sandbox.write(name, "1. e4 *");
    }
    sandbox.run(["pack", "-q", "x/a.pgn", "y/a.pgn", "-o", "both.parquet"]).expect(0);
    std::os::unix::fs::symlink("../elsewhere", sandbox.path("back/y")).expect("a link");
    let done = sandbox.run(["unpack", "both.parquet", "-o", "back", "-f"]);
    done.refuses(2, &["back/y"]);
    assert!(tree(&sandbox.path("elsewhere")).is_empty());
    assert!(tree(&sandbox.path("back")).is_empty());
}

/// Packing takes the same memory for an input of any length. This takes some ten minutes on two
/// cores: `cargo test --release -p plypack-cli --test it streams:: -- --ignored --nocapture`.
/// `PLYPACK_STREAM_BYTES` sets another length than 5 GB.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "it takes minutes"]
fn memory_is_bounded_whatever_the_input() {
    const MEMORY_MAX: u64 = 512 << 10;
    let Some(corpus) = corpus() else { return };
    let file = corpus.join("chess/dev/otb/otb_2013_2017.pgn.zst");
    let packed = std::fs::read(file).expect("a file of the corpus");
    let games = zstd::stream::decode_all(&packed[..]).expect("its content");
    let length = std::env::var("PLYPACK_STREAM_BYTES").ok().and_then(|text| text.parse().ok());
    let length: u64 = length.unwrap_or(5_000_000_000);
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(["pack", "-", "-q", "-o", "out.parquet"]);
    let mut child =
        command.args(["--codec", "line.uniform"]).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let begin = std::time::Instant::now();
    let (mut written, mut most) = (0, 0);
    while written < length {
        stdin.write_all(&games).expect("a reader");
        written += games.len() as u64;
        most = most.max(crate::common::peak_so_far(child.id()));
    }
    drop(stdin);
    most = most.max(crate::common::peak_memory(&mut child));
    assert!(child.wait().expect("a child").success());
    let seconds = begin.elapsed().as_secs_f64();
    println!("{written} bytes in {seconds:.1} s, at most {most} KiB of memory");
    assert!(most > 0 && most < MEMORY_MAX, "{most} KiB");
}
