//! Runs that are killed.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::cases::{Case, prepare};
use crate::sandbox::{Sandbox, Tree, stranger};

/// The longest that any run takes that follows a kill.
const PATIENCE: Duration = Duration::from_secs(60);

/// Kills runs of every case.
///
/// # Errors
/// Returns an error if a file is neither as it was nor as it should be, or the next run fails.
pub fn run(program: &Path, only: &str, runs: u32) -> Result<(), String> {
    let (cases, before) = prepare(program, only)?;
    println!("| case | killed | files as before | as after | left unfinished | still there |");
    println!("|---|---|---|---|---|---|");
    for case in cases {
        let named = |why: String| format!("{}: {why}", case.name);
        let tally = kill(program, case, &before, runs).map_err(named)?;
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            case.name, tally.killed, tally.as_before, tally.as_after, tally.left, tally.still,
        );
    }
    Ok(())
}

/// What became of the runs of a case. A run may leave some files as before and others as after, as
/// a packed file and its index.
#[derive(Default)]
struct Tally {
    killed: u32,
    as_before: u32,
    as_after: u32,
    left: u32,
    still: u32,
}

fn kill(program: &Path, case: Case, before: &Tree, runs: u32) -> Result<Tally, String> {
    let sandbox = Sandbox::new(program, before)?;
    let begun = Instant::now();
    sandbox.succeed(case.arguments)?;
    let whole = begun.elapsed();
    let after = sandbox.tree()?;
    sandbox.check(&after, &[before])?;
    let mut tally = Tally::default();
    for number in 0..runs {
        let sandbox = Sandbox::new(program, before)?;
        let mut child = sandbox.start(case.arguments)?;
        std::thread::sleep(whole.mul_f64((f64::from(number) + 0.5) / f64::from(runs)));
        // It may have ended already.
        if child.try_wait().map_err(|error| error.to_string())?.is_none() {
            child.kill().map_err(|error| error.to_string())?;
            tally.killed += 1;
        }
        child.wait().map_err(|error| error.to_string())?;
        let now = sandbox.tree()?;
        if let Some(why) = stranger(&now, &[before, &after]) {
            return Err(format!("run {number}: {why}"));
        }
        tally.as_before += u32::from(now.files == before.files);
        tally.as_after += u32::from(now.files == after.files);
        tally.left += u32::from(!now.unfinished.is_empty());
        sandbox.check(&now, &[before, &after])?;
        tally.still += again(&sandbox, case, &now, before, &after)
            .map_err(|why| format!("the run after run {number}: {why}"))?;
    }
    Ok(tally)
}

/// Runs the case once more, which has to succeed where nothing was done yet. Returns 1 if
/// something unfinished is still there afterwards.
fn again(
    sandbox: &Sandbox,
    case: Case,
    now: &Tree,
    before: &Tree,
    after: &Tree,
) -> Result<u32, String> {
    let begun = Instant::now();
    let ended = sandbox.run(case.arguments)?;
    if begun.elapsed() > PATIENCE {
        return Err(format!("it took {:?}", begun.elapsed()));
    }
    let then = sandbox.tree()?;
    if now.files == before.files && then.files != after.files {
        return Err(format!("it ended with {:?}, and other files: {}", ended.code, ended.said));
    }
    if !matches!(ended.code, Some(0..=2)) {
        return Err(format!("it ended with {:?}: {}", ended.code, ended.said));
    }
    sandbox.check(&then, &[before, after])?;
    Ok(u32::from(!then.unfinished.is_empty()))
}
