//! Parallel work on the rows of a batch: decoding moves dominates the time of a query.

use std::ops::Range;

use datafusion::common::Result;
use plypack_core::{Cursor, Notation};
use rayon::prelude::*;

use super::super::call::Arguments;
use super::walk::Step;
use super::{Line, Moves, Walk};

/// The number of rows that a thread takes at a time, or more if they share a key.
const CHUNK_ROWS: usize = 32;

/// Returns the result of `one` for each row that has a key. Consecutive rows of one key share a
/// state, created by `begin`.
pub(crate) fn of_rows<K: PartialEq, S, T: Send>(
    rows: usize,
    key: impl Fn(usize) -> Option<K> + Sync,
    begin: impl Fn() -> S + Sync,
    one: impl Fn(&mut S, K, usize) -> Result<Option<T>> + Sync,
) -> Result<Vec<Option<T>>> {
    let chunk = |rows: Range<usize>| {
        let mut state = begin();
        let one = |row| key(row).map_or(Ok(None), |found| one(&mut state, found, row));
        rows.map(one).collect::<Result<Vec<Option<T>>>>()
    };
    let chunks = chunks(rows, &key);
    let answers: Result<Vec<Vec<Option<T>>>> = chunks.into_par_iter().map(chunk).collect();
    Ok(answers?.into_iter().flatten().collect())
}

/// Splits rows into chunks, without separating rows of one key.
fn chunks<K: PartialEq>(rows: usize, key: impl Fn(usize) -> Option<K>) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < rows {
        let mut end = rows.min(start + CHUNK_ROWS);
        while end < rows && key(end) == key(end - 1) {
            end += 1;
        }
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// Returns the result of `give` for the lines of rows. It is called once for equal consecutive
/// lines.
pub(crate) fn of_lines<'a, T: Clone + Send>(
    arguments: &Arguments,
    moves: &'a Moves,
    give: impl Fn(Line<'a>) -> Result<Option<T>> + Sync,
) -> Result<Vec<Option<T>>> {
    let key = |row| moves.line(row);
    of_rows(
        arguments.rows,
        key,
        || None,
        |last: &mut Option<(Line<'a>, Option<T>)>, line, _| {
            if let Some((_, known)) = last.as_ref().filter(|last| last.0 == line) {
                return Ok(known.clone());
            }
            let found = give(line)?;
            *last = Some((line, found.clone()));
            Ok(found)
        },
    )
}

/// Returns the result of `give` in the position at each row's ply, or at the end of the line
/// without a ply. Consecutive rows of one line share a walk.
pub(crate) fn at_plies<T: Send>(
    arguments: &Arguments,
    give: impl Fn(&mut dyn Cursor<'_>) -> Option<T> + Sync,
) -> Result<Vec<Option<T>>> {
    let (moves, plies) = (arguments.moves()?, arguments.plies());
    let key = |row| moves.line(row);
    of_rows(
        arguments.rows,
        key,
        || None,
        |last: &mut Option<Walk<'_>>, line, row| {
            let ply = match plies.as_ref().map(|plies| plies.get(row).copied().flatten()) {
                Some(None) => return Ok(None),
                ply => ply.flatten(),
            };
            if last.as_ref().is_none_or(|walk| walk.line() != line) {
                *last = Walk::new(arguments.function, line)?;
            }
            last.as_mut().map_or(Ok(None), |walk| walk.at(ply, |cursor| give(cursor)))
        },
    )
}

/// Returns the texts of the moves that led to each row's ply, or of all moves, separated by spaces.
pub(crate) fn move_texts(arguments: &Arguments, notation: Notation) -> Result<Vec<Option<String>>> {
    let last = |cursor: &mut dyn Cursor<'_>| {
        let mut text = String::new();
        cursor.write_move(notation, &mut text);
        Some(text).filter(|text| !text.is_empty())
    };
    if arguments.plies().is_some() {
        return at_plies(arguments, last);
    }
    let moves = arguments.moves()?;
    of_lines(arguments, &moves, |line| all_moves(arguments.function, line, notation))
}

fn all_moves(function: &'static str, line: Line<'_>, notation: Notation) -> Result<Option<String>> {
    let Some(mut walk) = Walk::new(function, line)? else { return Ok(None) };
    let mut text = String::new();
    loop {
        match walk.step()? {
            Step::Moved if text.is_empty() => {}
            Step::Moved => text.push(' '),
            Step::End => return Ok(Some(text)),
            Step::Unreadable => return Ok(None),
        }
        walk.here().write_move(notation, &mut text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_part_no_rows_of_one_key() {
        let of = |rows, length: usize| chunks(rows, move |row| Some(row / length));
        assert!(of(0, 1).is_empty());
        assert_eq!(of(70, 1), [0..32, 32..64, 64..70]);
        assert_eq!(of(70, 33), [0..33, 33..66, 66..70]);
        let whole = 0..70;
        assert_eq!(of(70, 100), [whole]);
    }
}
