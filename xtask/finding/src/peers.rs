//! The same queries, run with other programs over the same games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::system;

/// Puts five queries to plypack, pgn-extract and python-chess, and compares the answers.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The games as PGN.
    pub games: PathBuf,
    /// The same games packed, with an index or without one.
    #[arg(required = true)]
    pub packed: Vec<PathBuf>,
    /// The plypack program.
    #[arg(long, default_value = "plypack")]
    pub plypack: PathBuf,
    /// A Python with the package chess.
    #[arg(long, default_value = "python3")]
    pub python: PathBuf,
    /// The pgn-extract program.
    #[arg(long, default_value = "pgn-extract")]
    pub pgn_extract: PathBuf,
    /// The number of rounds; the least processor time counts.
    #[arg(long, default_value_t = 3)]
    pub rounds: usize,
    /// Prints one object per query and program.
    #[arg(long)]
    pub json: bool,
}

/// The five queries, over games of 2013 to 2017.
struct Question {
    what: &'static str,
    /// A position of chess.
    fen: &'static str,
    player: Option<&'static str>,
    white_above: Option<u16>,
}

const SICILIAN: &str = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3";

const QUESTIONS: &[Question] = &[
    Question { what: "after 1. e4 c5 2. Nf3 d6", fen: SICILIAN, player: None, white_above: None },
    Question {
        what: "a middlegame",
        fen: "r2qr1k1/1bpnbppp/p2p1n2/1p2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 w - - 5 13",
        player: None,
        white_above: None,
    },
    Question {
        what: "an endgame",
        fen: "8/8/4k1p1/6P1/5K1P/8/8/8 w - - 0 60",
        player: None,
        white_above: None,
    },
    Question {
        what: "the first, by a player",
        fen: SICILIAN,
        player: Some("Nakamura,Hi"),
        white_above: None,
    },
    Question {
        what: "the first, WhiteElo > 2700",
        fen: SICILIAN,
        player: None,
        white_above: Some(2700),
    },
];

/// The python-chess side.
const PYTHON: &str = include_str!("peers.py");

/// A program with its query.
struct Asked {
    program: String,
    command: Command,
    /// Extracts the number of games from its output.
    count: fn(&[u8]) -> usize,
    /// The least processor time, in hundredths of a second, of this many runs.
    best: Option<(u64, u64)>,
    found: usize,
}

/// The least time measured at once, in hundredths of a second: shorter runs are repeated.
const LEAST: u64 = 40;

/// Runs every query with every program, and compares the results.
///
/// # Errors
/// Returns an error if a program cannot be started, fails or gives a different result, as a
/// message.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("plypack-peers-{}", std::process::id()));
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(named)?;
    let done = compare(options, &folder);
    std::fs::remove_dir_all(&folder).map_err(named)?;
    done
}

fn compare(options: &Options, folder: &Path) -> Result<(), String> {
    if !options.json {
        println!("question                        games  program        processor time");
    }
    for question in QUESTIONS {
        let mut asked = commands(options, question, folder)?;
        for _ in 0..options.rounds.max(1) {
            for asked in &mut asked {
                ask(asked)?;
            }
        }
        for Asked { program, best, found, .. } in &asked {
            let (ticks, runs) = best.unwrap_or_default();
            let seconds = ticks as f64 / 100.0 / runs.max(1) as f64;
            if options.json {
                let line = json!({
                    "question": question.what, "program": program, "games": found,
                    "processor_seconds": seconds,
                });
                println!("{line}");
            } else {
                let what = question.what;
                println!("{what:<30} {found:6}  {program:<24} {seconds:9.3} s");
            }
        }
        if asked.iter().any(|other| other.found != asked[0].found) {
            return Err(format!("the programs find different games: {}", question.what));
        }
    }
    Ok(())
}

/// Runs a command often enough to measure it.
fn ask(asked: &mut Asked) -> Result<(), String> {
    let children = || system::processor_time().map_or(0, |times| times.1);
    let before = children();
    let mut runs = 0;
    loop {
        let output = asked.command.output();
        let output = output.map_err(|error| format!("{}: {error}", asked.program))?;
        // Exit code 1 of ours means that nothing was found.
        if !output.status.success() && output.status.code() != Some(1) {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", asked.program, why.trim()));
        }
        asked.found = (asked.count)(&output.stdout);
        runs += 1;
        let ticks = children() - before;
        if ticks >= LEAST || runs >= 100 {
            let better = asked.best.is_none_or(|(best, of)| ticks * of < best * runs);
            if better {
                asked.best = Some((ticks, runs));
            }
            return Ok(());
        }
    }
}

fn commands(options: &Options, question: &Question, folder: &Path) -> Result<Vec<Asked>, String> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let written = std::fs::File::create(&path).and_then(|mut f| f.write_all(text.as_bytes()));
        written.map(|()| path.clone()).map_err(|error| format!("{}: {error}", path.display()))
    };
    let asked =
        |program: String, command, count| Asked { program, command, count, best: None, found: 0 };
    let mut all = Vec::new();
    for packed in &options.packed {
        let mut command = Command::new(&options.plypack);
        command.arg("find").arg(packed).args(["--fen", question.fen, "--json", "--quiet"]);
        if let Some(player) = question.player {
            command.args(["--player", player]);
        }
        if let Some(rating) = question.white_above {
            command.arg("--where").arg(format!("WhiteElo > {rating}"));
        }
        let indexed = plypack::store::index::part_path(packed, 0).exists();
        let program = if indexed { "plypack" } else { "plypack without an index" };
        all.push(asked(program.into(), command, lines));
    }
    let mut criteria = format!("FEN \"{}\"\n", question.fen);
    if let Some(player) = question.player {
        criteria += &format!("Player \"{player}\"\n");
    }
    if let Some(rating) = question.white_above {
        criteria += &format!("WhiteElo > \"{rating}\"\n");
    }
    let mut command = Command::new(&options.pgn_extract);
    command.arg("-s").arg(format!("-t{}", write("criteria", &criteria)?.display()));
    command.arg(&options.games);
    all.push(asked("pgn-extract".into(), command, events));
    let mut command = Command::new(&options.python);
    command.arg(write("peers.py", PYTHON)?).arg(&options.games).arg(question.fen);
    if let Some(player) = question.player {
        command.args(["--player", player]);
    }
    if let Some(rating) = question.white_above {
        command.arg("--white-above").arg(rating.to_string());
    }
    all.push(asked("python-chess".into(), command, number));
    Ok(all)
}

fn lines(output: &[u8]) -> usize {
    output.iter().filter(|byte| **byte == b'\n').count()
}

fn events(output: &[u8]) -> usize {
    output.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"[Event ")).count()
}

fn number(output: &[u8]) -> usize {
    String::from_utf8_lossy(output).trim().parse().unwrap_or(usize::MAX)
}
