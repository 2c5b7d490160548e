//! The lines of `tree --depth`: as a table, as objects and as a file in PGN.

use std::io::Write;
use std::path::Path;

use plypack::store::find::{Branch, Branches, Target, move_text, spoken};
use plypack::store::repertoire::{numbered_line, players};
use plypack_core::Notation;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::verbs::number;
use crate::verbs::tree::{bar, mean_rating, of_sum, results, share};
use crate::{files, progress};

/// Returns the lines as objects, each before those that continue it.
pub fn objects(found: &Branches, target: &Target) -> Result<Vec<Value>, Failure> {
    let mut objects = Vec::new();
    let (start, moves) = target.line();
    each(found, moves, &mut |row| {
        let Row::Move { line, branch, .. } = row else { return Ok(()) };
        let text = |notation| move_text(target, line, notation).map_err(Failure::new);
        let whole = numbered_line(target.game(), start, line, Notation::Customary);
        let mut object = Map::new();
        object.insert("line".into(), whole.map_err(Failure::new)?.into());
        object.insert("ply".into(), (line.len() - moves.len()).into());
        object.insert("move".into(), text(Notation::Customary)?.into());
        object.insert("coordinates".into(), text(Notation::Coordinate)?.into());
        object.extend(of_sum(&branch.sum));
        object.insert("ended".into(), branch.ended.records.into());
        objects.push(object.into());
        Ok(())
    })?;
    Ok(objects)
}

/// Returns the lines as a table, each below the one that it continues.
pub fn table(found: &Branches, target: &Target) -> Result<String, Failure> {
    let (start, moves) = target.line();
    let game = target.game();
    // The move with its number, indented, and what stands behind it.
    let mut rows: Vec<(String, String)> = Vec::new();
    each(found, moves, &mut |row| {
        match row {
            Row::Move { line, before, branch } => {
                let text = move_text(target, line, spoken(game)).map_err(Failure::new)?;
                let ply = u32::try_from(line.len() - 1).unwrap_or(u32::MAX);
                let indent = "  ".repeat(line.len() - moves.len() - 1);
                let sum = &branch.sum;
                let [first, drawn, second] = results(sum, players(game));
                let figures = format!(
                    "{:>11} {:>5.1} %  {first:>6} {drawn:>6} {second:>6}  {}  {:>6}  {}",
                    progress::count(sum.records).to_string(),
                    share(sum.records, before),
                    bar(sum, players(game)),
                    mean_rating(sum).map(|rating| format!("{rating:.0}")).unwrap_or_default(),
                    sum.last_year.map(|year| year.to_string()).unwrap_or_default(),
                );
                rows.push((format!("{indent}{}{text}", number(game, start, ply)), figures));
            }
            Row::LeftOut { depth, moves } => {
                let more = progress::counted(moves as u64, "more move");
                rows.push((format!("{}.. {more}", "  ".repeat(depth)), String::new()));
            }
        }
        Ok(())
    })?;
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).max(4);
    let [first, second] = players(game).map(str::to_lowercase);
    let mut lines = vec![
        target.text().to_owned(),
        String::new(),
        format!(
            "{:<width$} {:>11} {:>7}  {first:>6} {:>6} {second:>6}  {:<20}  {:>6}  last",
            "move", "games", "share", "draw", "", "rating",
        ),
    ];
    lines.extend(rows.iter().map(|(text, figures)| format!("{text:<width$} {figures}")));
    lines.push(format!("{:<width$} {:>11}", "all", progress::count(found.records).to_string()));
    Ok(lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n"))
}

/// What is printed of lines.
enum Row<'r> {
    /// A line with its last move, and how many games come to that move.
    Move { line: &'r [u16], before: u64, branch: &'r Branch },
    /// How many moves of a position are left out, after so many moves of a line.
    LeftOut { depth: usize, moves: usize },
}

/// Passes the rows of all lines in order. `moves` lead to the position.
fn each(
    found: &Branches,
    moves: &[u16],
    pass: &mut dyn FnMut(Row<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    fn below(
        (moves, left_out, before): (&[Branch], usize, u64),
        line: &mut Vec<u16>,
        depth: usize,
        pass: &mut dyn FnMut(Row<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for branch in moves {
            line.push(branch.candidate);
            pass(Row::Move { line, before, branch })?;
            let after = (&branch.moves[..], branch.left_out, branch.sum.records);
            below(after, line, depth + 1, pass)?;
            line.pop();
        }
        match left_out {
            0 => Ok(()),
            moves => pass(Row::LeftOut { depth, moves }),
        }
    }
    let first = (&found.moves[..], found.left_out, found.records);
    below(first, &mut moves.to_vec(), 0, pass)
}

/// Writes the lines as a game in PGN.
pub fn write(
    found: &Branches,
    target: &Target,
    path: &Path,
    (force, quiet): (bool, bool),
) -> Result<(), Failure> {
    let Some(pgn) = found.pgn(target).map_err(Failure::new)? else {
        return Err(Failure::new("PGN has no games of go; --json prints the lines"));
    };
    if files::is_standard_output(path) {
        return crate::verbs::print_line(pgn.trim_end());
    }
    let mut output = files::begin_output(path, force)?;
    output.write_all(pgn.as_bytes()).map_err(Failure::io(path))?;
    output.publish()?;
    if !quiet {
        let games = progress::counted(found.records, "game");
        progress::say(format_args!("{}: the moves of {games}", path.display()));
    }
    Ok(())
}
