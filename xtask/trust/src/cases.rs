//! The verbs that write, and the files that they find.

use std::path::Path;

use crate::sandbox::{Sandbox, Tree};

/// A verb that writes.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is called in the report.
    pub name: &'static str,
    /// The arguments, `-q` aside, which all of them take.
    pub arguments: &'static [&'static str],
}

const fn case(name: &'static str, arguments: &'static [&'static str]) -> Case {
    Case { name, arguments }
}

const CASES: [Case; 18] = [
    case("pack", &["pack", "games.pgn", "-o", "new.parquet"]),
    case("pack --index", &["pack", "games.pgn", "--index", "-o", "new.parquet"]),
    case("pack --force", &["pack", "new.pgn", "--index", "-f", "-o", "all.parquet"]),
    case("append to a file", &["append", "all.parquet", "new.pgn"]),
    case("append to a folder", &["append", "folder", "new.pgn"]),
    case("merge", &["merge", "folder", "-o", "merged.parquet"]),
    case("merge --force", &["merge", "-f", "folder", "-o", "all.parquet"]),
    case("delete a range", &["delete", "all.parquet", "--records", "100..900"]),
    case("delete what matches", &["delete", "all.parquet", "--where", "plies < 60"]),
    case("dedup", &["dedup", "twice.parquet"]),
    case("index", &["index", "bare.parquet"]),
    case("unpack", &["unpack", "all.parquet", "-o", "back.pgn"]),
    case("unpack to a folder", &["unpack", "twice.parquet", "-o", "back/"]),
    case("find to PGN", &["find", "all.parquet", "--moves", "1. e4", "-o", "found.pgn"]),
    case("find to Parquet", &["find", "all.parquet", "--moves", "1. e4", "-o", "found.parquet"]),
    case("tree to PGN", &["tree", "all.parquet", "--depth", "6", "-o", "tree.pgn"]),
    case(
        "synth",
        &["synth", "--game", "chess", "--games", "500", "--model", "fast", "-o", "made.parquet"],
    ),
    case("board pack", &["board", "pack", "board.tern", "-o", "board.plyb"]),
];

/// How the files that the verbs find are made. Chess alone: what is tried are files, not games.
const FILES: [&[&str]; 9] = [
    &["synth", "--game", "chess", "--games", "1500", "--model", "fast", "-o", "games.pgn"],
    &["synth", "--game=chess", "--games=300", "--model=fast", "--seed=2", "-o", "new.pgn"],
    &["pack", "games.pgn", "--model", "fast", "--index", "-o", "all.parquet"],
    &["pack", "games.pgn", "--model", "fast", "-o", "bare.parquet"],
    &["pack", "games.pgn", "again.pgn", "--model", "fast", "--index", "-o", "twice.parquet"],
    &["pack", "games.pgn", "--model", "fast", "--index", "-o", "folder/a.parquet"],
    &["pack", "new.pgn", "--model", "fast", "--index", "-o", "folder/b.parquet"],
    &["board", "random", "300", "300", "-o", "board.tern"],
    &["verify", "all.parquet", "bare.parquet", "twice.parquet", "folder"],
];

/// The cases with names that contain `only`, and the files that each finds.
///
/// # Errors
/// Returns an error if there is no such case, or the program does not make the files.
pub fn prepare(program: &Path, only: &str) -> Result<(Vec<Case>, Tree), String> {
    let cases: Vec<Case> = CASES.into_iter().filter(|case| case.name.contains(only)).collect();
    if cases.is_empty() {
        let names = CASES.map(|case| case.name).join(", ");
        return Err(format!("no case is called `{only}`: they are {names}"));
    }
    let sandbox = Sandbox::new(program, &Tree::default())?;
    sandbox.make_folder("folder")?;
    for arguments in FILES {
        if arguments.contains(&"again.pgn") {
            sandbox.copy("games.pgn", "again.pgn")?;
        }
        sandbox.succeed(arguments)?;
    }
    Ok((cases, sandbox.tree()?))
}
