//! The lines of `tree --depth`: as a table, as objects and as a file in PGN.

use std::io::Write;
use std::path::Path;

use plypack::{Branch, Branches};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::verbs::tree::{figures, of_tally};
use crate::{files, progress};

/// Returns the lines as objects, each before those that continue it.
pub fn objects(found: &Branches) -> Vec<Value> {
    let mut objects = Vec::new();
    each(found, &mut |row| {
        let Row::Move { line, depth, branch, .. } = row else { return };
        let mut object = Map::new();
        object.insert("line".into(), line.into());
        object.insert("ply".into(), (depth + 1).into());
        object.insert("move".into(), branch.text.clone().into());
        object.insert("coordinates".into(), branch.coordinates.clone().into());
        object.extend(of_tally(&branch.tally));
        object.insert("ended".into(), branch.ended.games.into());
        objects.push(object.into());
    });
    objects
}

/// Returns the lines as a table, each below the one that it continues.
pub fn table(found: &Branches) -> String {
    let sides = found.rules.sides();
    // The move with its number, indented, and what stands behind it.
    let mut rows: Vec<(String, String)> = Vec::new();
    each(found, &mut |row| match row {
        Row::Move { depth, before, branch, .. } => {
            let Branch { number, text, tally, .. } = branch;
            let year = tally.last_year.map(|year| year.to_string()).unwrap_or_default();
            let figures = format!("{}  {year}", figures(tally, before, sides));
            rows.push((format!("{}{number} {text}", "  ".repeat(depth)), figures));
        }
        Row::LeftOut { depth, moves } => {
            let more = progress::counted(moves as u64, "more move");
            rows.push((format!("{}.. {more}", "  ".repeat(depth)), String::new()));
        }
    });
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).max(4);
    let [first, second] = sides.map(str::to_lowercase);
    let mut lines = vec![
        found.position.clone(),
        String::new(),
        format!(
            "{:<width$} {:>11} {:>7}  {first:>6} {:>6} {second:>6}  {:<20}  {:>6}  last",
            "move", "games", "share", "draw", "", "rating",
        ),
    ];
    lines.extend(rows.iter().map(|(text, figures)| format!("{text:<width$} {figures}")));
    lines.push(format!("{:<width$} {:>11}", "all", progress::count(found.games).to_string()));
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// What is printed of lines.
enum Row<'r> {
    /// A line whose last move lies so deep, and how many games come to that move.
    Move { line: &'r str, depth: usize, before: u64, branch: &'r Branch },
    /// How many moves of a position are left out, after so many moves of a line.
    LeftOut { depth: usize, moves: usize },
}

/// Passes the rows of all lines in order.
fn each(found: &Branches, pass: &mut dyn FnMut(Row<'_>)) {
    fn below(
        (moves, left_out, before): (&[Branch], usize, u64),
        line: &mut String,
        depth: usize,
        pass: &mut dyn FnMut(Row<'_>),
    ) {
        let length = line.len();
        for branch in moves {
            if !line.is_empty() {
                line.push(' ');
            }
            // The second player's moves stand behind those of the first.
            if line.is_empty() || !branch.number.ends_with("...") {
                *line += &branch.number;
                line.push(' ');
            }
            *line += &branch.text;
            pass(Row::Move { line, depth, before, branch });
            let after = (&branch.moves[..], branch.left_out, branch.tally.games);
            below(after, line, depth + 1, pass);
            line.truncate(length);
        }
        if left_out > 0 {
            pass(Row::LeftOut { depth, moves: left_out });
        }
    }
    let first = (&found.moves[..], found.left_out, found.games);
    below(first, &mut found.line.clone(), 0, pass);
}

/// Writes the lines as a game in PGN.
pub fn write(found: &Branches, path: &Path, (force, quiet): (bool, bool)) -> Result<(), Failure> {
    let Some(pgn) = found.to_pgn() else {
        return Err(Failure::new("PGN has no games of go; --json prints the lines"));
    };
    if files::is_standard_output(path) {
        return crate::verbs::print_line(pgn.trim_end());
    }
    let mut output = files::begin_output(path, force)?;
    output.write_all(pgn.as_bytes()).map_err(Failure::io(path))?;
    output.publish()?;
    if !quiet {
        let games = progress::counted(found.games, "game");
        progress::say(format_args!("{}: the moves of {games}", path.display()));
    }
    Ok(())
}
