//! What the end-to-end tests share: a fresh folder, the built binary and its output.

#![allow(dead_code, unused_imports, reason = "each test file uses some of it")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use plypack_testing::corpus;
use tempfile::TempDir;

/// A folder of one test's own, in which the binary runs.
pub struct Sandbox(TempDir);

/// How a run of the binary ended.
pub struct Done {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

impl Done {
    /// Standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("standard output is UTF-8")
    }

    /// Standard output as one JSON object per line.
    pub fn json(&self) -> Vec<serde_json::Value> {
        let read = |line| serde_json::from_str(line).expect("each line is a JSON object");
        self.text().lines().map(read).collect()
    }

    /// Fails unless the exit code is this one, and also if anything panicked.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert_eq!(self.code, Some(code), "{}", self.err);
        self
    }

    /// Fails unless the exit code is this one and standard error has every one of these words.
    #[track_caller]
    pub fn refuses(self, code: i32, words: &[&str]) -> Self {
        let done = self.expect(code);
        for word in words {
            assert!(done.err.contains(word), "no `{word}` in: {}", done.err);
        }
        done
    }
}

impl Sandbox {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A path in this folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file into this folder.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file in the temporary folder");
        path
    }

    /// Reads a file of this folder.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files in this folder, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let folder = std::fs::read_dir(self.0.path()).expect("the temporary folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = folder.map(name).collect();
        names.sort();
        names
    }

    /// The binary, with this folder as its working directory.
    pub fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plypack"));
        // Temporary files for standard output are made here too, so that leftovers are found.
        command.args(arguments).current_dir(self.0.path()).env("TMPDIR", self.0.path());
        command
    }

    /// Runs the binary with empty standard input.
    pub fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Done {
        self.run_with(arguments, b"")
    }

    /// Runs the binary with these bytes on standard input.
    pub fn run_with(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: &[u8],
    ) -> Done {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let output = std::thread::scope(|scope| {
            // A run that refuses its arguments does not read its input.
            scope.spawn(move || stdin.write_all(input).ok());
            child.wait_with_output()
        });
        let output = output.expect("the binary ends");
        let mut err = String::from_utf8(output.stderr).expect("messages are UTF-8");
        let mut out = output.stdout;
        if cfg!(windows) {
            // The tests write paths with slashes. In JSON a backslash is two.
            err = err.replace('\\', "/");
            if let Ok(text) = std::str::from_utf8(&out) {
                out = text.replace("\\\\", "/").into_bytes();
            }
        }
        Done { code: output.status.code(), out, err }
    }

    /// Packs these bytes, unpacks them, and fails unless the same bytes come back. Returns the
    /// summary of `pack --json`.
    #[track_caller]
    pub fn round_trip(&self, what: &str, input: &[u8], options: &[&str]) -> serde_json::Value {
        let pgn = self.write("in.pgn", input);
        let summary = self.round_trip_of(what, &pgn, options);
        let _ = std::fs::remove_file(pgn);
        summary
    }

    /// Like [`Self::round_trip`], for an existing file.
    #[track_caller]
    pub fn round_trip_of(&self, what: &str, pgn: &Path, options: &[&str]) -> serde_json::Value {
        let input = std::fs::read(pgn).expect("the input");
        let mut arguments = vec!["pack".as_ref(), pgn.as_os_str()];
        arguments.extend(["-f", "-o", "packed.parquet", "--json"].map(OsStr::new));
        arguments.extend(options.iter().map(OsStr::new));
        let packed = self.run(arguments).expect(0);
        let unpacked = self.run(["unpack", "-c", "packed.parquet"]).expect(0);
        if unpacked.out != input {
            let same = unpacked.out.iter().zip(&input).take_while(|pair| pair.0 == pair.1).count();
            let lengths = (input.len(), unpacked.out.len());
            panic!("{what}: of {} bytes {} came back, equal up to {same}", lengths.0, lengths.1);
        }
        packed.json().into_iter().next().expect("a summary")
    }
}

/// A file of the repository's `samples` folder.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

/// Three games on which other readers of PGN stumble: they lose the game or what follows the move,
/// begin from the wrong position, or find an end where there is none.
pub const TORTURE: [&str; 3] = [COMMENT_TO_THE_END_OF_ITS_LINE, ILLEGAL_KING_MOVE, CHESS960];

/// Seven plies; the fifth is not a legal king move.
pub const ILLEGAL_KING_MOVE: &str = r#"[Event "A king in a hurry"]
[Site "?"]
[Date "????.??.??"]
[Round "-"]
[White "First, Player"]
[Black "Second, Player"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Ke3 Nf6 4. d4 1-0

"#;

/// Castling as the first move, which only the set-up position allows, a glyph, and a variation
/// with both.
pub const CHESS960: &str = r#"[Event "Castles at once"]
[Site "?"]
[Date "????.??.??"]
[Round "-"]
[White "First, Player"]
[Black "Second, Player"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"]

1. O-O $1 Ng6 (1... O-O $6 2. Ng3 Ng6) 2. Ng3 Nb6 1/2-1/2

"#;

/// Comments after `;` that hold a result, brackets and a brace, and a blank line after one.
pub const COMMENT_TO_THE_END_OF_ITS_LINE: &str = r#"[Event "A word to the reader"]
[Site "?"]
[Date "????.??.??"]
[Round "-"]
[White "First, Player"]
[Black "Second, Player"]
[Result "1/2-1/2"]

1. d4 d5 ; some would have stopped here: 1-0

2. c4 ; [Event "none"] ( or {
e6 3. Nc3 1/2-1/2

"#;

/// All files with this extension under a folder, sorted.
pub fn files_under(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns the peak memory of a running program, in KiB, watched until it ends.
#[cfg(target_os = "linux")]
pub fn peak_memory(child: &mut std::process::Child) -> u64 {
    let mut most = 0;
    while child.try_wait().expect("a child").is_none() {
        most = most.max(peak_so_far(child.id()));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    most
}

/// Returns the peak memory of a program so far, in KiB; 0 if it has ended.
#[cfg(target_os = "linux")]
pub fn peak_so_far(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().next());
    number.map_or(0, |number| number.parse().expect("kilobytes"))
}

/// Repeatable pseudo-random numbers (Marsaglia's xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to `below` - 1.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).expect("less than a usize")
    }

    /// This many random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| u8::try_from(self.below(256)).expect("a byte")).collect()
    }
}

/// Games of legal moves, of many lengths, with a few tags and in a few layouts: prefixes of
/// Buffett's game. Every 50th has a comment, every 70th an illegal move.
pub fn many_games(count: usize) -> String {
    let game = std::fs::read_to_string(sample("buffett.pgn")).expect("a sample");
    let moves: Vec<&str> = game
        .split_ascii_whitespace()
        .map(|word| word.rsplit('.').next().expect("always one"))
        .collect();
    let mut random = Random(88_172_645_463_325_252);
    let mut out = String::with_capacity(count * 500);
    for number in 0..count {
        let newline = if number % 1_000 < 30 { "\r\n" } else { "\n" };
        let result = ["1-0", "0-1", "1/2-1/2", "*"][random.below(4)];
        let (year, elo) = (1990 + random.below(30), 1000 + random.below(1800));
        let players = (random.below(500), random.below(500));
        for tag in [
            format!("[Event \"Event {}\"]", number / 40),
            format!("[Date \"{year}.{:02}.??\"]", 1 + random.below(12)),
            format!("[White \"Player {}\"]", players.0),
            format!("[Black \"Player {}\"]", players.1),
            format!("[Result \"{result}\"]"),
            format!("[WhiteElo \"{elo}\"]"),
            String::new(),
        ] {
            out.push_str(&tag);
            out.push_str(newline);
        }
        let plies = random.below(moves.len() + 1);
        let joined = number % 300 < 100;
        let mut movetext = String::new();
        for (ply, mv) in moves[..plies].iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = match (ply % 2, joined) {
                (0, false) => write!(movetext, "{}. {mv} ", ply / 2 + 1),
                (0, true) => write!(movetext, "{}.{mv} ", ply / 2 + 1),
                _ => write!(movetext, "{mv} "),
            };
        }
        movetext.push_str(if number % 50 == 7 { "{a comment} " } else { "" });
        // Neither king of Buffett's game ever comes near this square.
        movetext.push_str(if number % 70 == 9 { "Kh8 " } else { "" });
        movetext.push_str(result);
        // Short games do not show their layout.
        let width = if number % 9 < 5 { 80 } else { usize::MAX };
        let mut column = 0;
        for word in movetext.split(' ') {
            if column > 0 {
                let full = column + 1 + word.len() > width;
                column = if full { 0 } else { column + 1 };
                out.push_str(if full { newline } else { " " });
            }
            out.push_str(word);
            column += word.len();
        }
        out.push_str(newline);
        out.push_str(newline);
    }
    out
}
