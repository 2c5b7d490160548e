//! Two runs at once.

use std::path::Path;

use crate::cases::{Case, prepare};
use crate::sandbox::{Sandbox, Tree, ended, stranger};

/// Starts two runs of every case at once.
///
/// # Errors
/// Returns an error if a file is not as one or two runs leave it.
pub fn run(program: &Path, only: &str, runs: u32) -> Result<(), String> {
    let (cases, before) = prepare(program, only)?;
    println!("| case | pairs | both succeeded | one was refused |");
    println!("|---|---|---|---|");
    for case in cases {
        let named = |why: String| format!("{}: {why}", case.name);
        let (both, one) = pair(program, case, &before, runs).map_err(named)?;
        println!("| {} | {runs} | {both} | {one} |", case.name);
    }
    Ok(())
}

fn pair(program: &Path, case: Case, before: &Tree, runs: u32) -> Result<(u32, u32), String> {
    let sandbox = Sandbox::new(program, before)?;
    sandbox.succeed(case.arguments)?;
    let once = sandbox.tree()?;
    // The second may be refused: a file that is there is not written over unasked.
    sandbox.run(case.arguments)?;
    let twice = sandbox.tree()?;
    sandbox.check(&twice, &[before])?;
    let (mut both, mut one) = (0, 0);
    for number in 0..runs {
        let sandbox = Sandbox::new(program, before)?;
        let children = [sandbox.start(case.arguments)?, sandbox.start(case.arguments)?];
        let ended = children.map(ended);
        let [first, second] = ended;
        let (first, second) = (first?, second?);
        let now = sandbox.tree()?;
        let named = |why: String| {
            format!("pair {number}: {why}; they said {:?} and {:?}", first.said, second.said)
        };
        match (first.code, second.code) {
            (Some(0), Some(0)) => both += 1,
            (Some(0), Some(2)) | (Some(2), Some(0)) => one += 1,
            codes => return Err(named(format!("they ended with {codes:?}"))),
        }
        if let Some(why) = stranger(&now, &[&once, &twice]) {
            return Err(named(why));
        }
        if !now.unfinished.is_empty() {
            return Err(named(format!("{:?} are left", now.unfinished)));
        }
        sandbox.check(&now, &[&once, &twice]).map_err(named)?;
    }
    Ok((both, one))
}
