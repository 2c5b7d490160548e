//! Runs on a disk that is full.

use std::path::Path;

use crate::cases::{Case, prepare};
use crate::sandbox::{Ended, Sandbox, Tree, stranger};

/// Limits the size of files to so many times 512 bytes; a write beyond is refused, as on a full
/// disk, and not the end of the process.
const LIMITED: &str = "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$0\" \"$@\" -q";

/// The most limits that are tried of a case.
const LIMITS: usize = 400;

/// What prints to standard output, which is full.
const PRINTED: [&[&str]; 11] = [
    &["cat", "all.parquet"],
    &["unpack", "all.parquet", "-c"],
    &["ls", "all.parquet"],
    &["ls", "all.parquet", "--json"],
    &["find", "all.parquet", "--moves", "1. e4"],
    &["find", "all.parquet", "--moves", "1. e4", "--json"],
    &["tree", "all.parquet"],
    &["players", "all.parquet"],
    &["link", "games.pgn", "--record", "1"],
    &["synth", "--game", "chess", "--games", "10", "--model", "fast"],
    &["pack", "games.pgn", "-o", "-"],
];

/// Runs every case with all limits.
///
/// # Errors
/// Returns an error if a run fails without a word, leaves anything behind, or succeeds without
/// having written everything.
pub fn run(program: &Path, only: &str) -> Result<(), String> {
    let (cases, before) = prepare(program, only)?;
    println!("| case | limits | refused | the least limit that suffices, bytes |");
    println!("|---|---|---|---|");
    for case in cases {
        let named = |why: String| format!("{}: {why}", case.name);
        let (limits, refused, least) = limit(program, case, &before).map_err(named)?;
        println!("| {} | {limits} | {refused} | {least} |", case.name);
    }
    let sandbox = Sandbox::new(program, &before)?;
    for arguments in PRINTED {
        let ended = sandbox.run_by("exec \"$0\" \"$@\" > /dev/full", arguments)?;
        refuses(&ended).map_err(|why| format!("{} > /dev/full: {why}", arguments.join(" ")))?;
    }
    println!("\n{} verbs refuse a full standard output", PRINTED.len());
    Ok(())
}

/// The limits that were tried, how many were refused, and the least that suffices.
fn limit(program: &Path, case: Case, before: &Tree) -> Result<(usize, usize, usize), String> {
    let sandbox = Sandbox::new(program, before)?;
    sandbox.succeed(case.arguments)?;
    let after = sandbox.tree()?;
    // What a run writes is at most a few times what it leaves; the limit doubles where it is more.
    let (mut blocks, mut tried, mut refused, mut step) = (0, 0, 0, 1);
    loop {
        let sandbox = Sandbox::new(program, before)?;
        let limit = blocks.to_string();
        let ended = sandbox.run_by(LIMITED, &[&[limit.as_str()], case.arguments].concat())?;
        let now = sandbox.tree()?;
        let named = |why: String| format!("{blocks} blocks: {why}");
        if !now.unfinished.is_empty() {
            return Err(named(format!("{:?} are left", now.unfinished)));
        }
        tried += 1;
        if ended.code == Some(0) {
            if now.files != after.files {
                return Err(named("it says that it succeeded, and did not".into()));
            }
            return Ok((tried, refused, blocks * 512));
        }
        refuses(&ended).map_err(named)?;
        if let Some(why) = stranger(&now, &[before, &after]) {
            return Err(named(why));
        }
        sandbox.check(&now, &[before, &after]).map_err(named)?;
        refused += 1;
        if tried % LIMITS == 0 {
            step *= 2;
        }
        blocks += step;
    }
}

/// A run that has to fail says why, and does not crash.
fn refuses(ended: &Ended) -> Result<(), String> {
    if ended.code != Some(2) || ended.said.trim().is_empty() || ended.said.contains("panicked") {
        return Err(format!("it ended with {:?}, and said {:?}", ended.code, ended.said));
    }
    Ok(())
}
