//! Finds a position in a file of positions. Each record is one position, so all are compared.

use std::ops::ControlFlow;

use plypack_core::ErasedRules;

use super::Target;
use crate::rows::RowError;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::positions::StoredPosition;
use crate::store::work::Work;

/// Receives the row of a position and what is stored there; returns whether to continue.
pub type PositionSink<'s> =
    dyn FnMut(u64, &StoredPosition<'_>) -> Result<ControlFlow<()>, Error> + 's;

/// Passes the records of a file of positions that have this position to `sink`, in order, whatever
/// their counters say.
///
/// # Errors
/// Returns an error if the file holds games, cannot be read or is damaged, `sink` fails, or the
/// work was stopped.
pub fn find_positions(
    file: &PackedFile,
    target: &Target,
    work: &Work<'_>,
    sink: &mut PositionSink<'_>,
) -> Result<(), Error> {
    let mut before = 0;
    for group in 0..file.groups() {
        work.check()?;
        let rows = file.read_positions(group)?;
        for (place, row) in (0..rows.len()).zip(before..) {
            let Some((stored, _)) = rows.record(place) else { continue };
            let is_there = has(&stored, target).map_err(Error::record(file.path(), row))?;
            if is_there && sink(row, &stored)?.is_break() {
                return Ok(());
            }
        }
        work.done(rows.len() as u64);
        before += file.group_records(group);
    }
    Ok(())
}

/// Whether a record has this position.
fn has(stored: &StoredPosition<'_>, target: &Target) -> Result<bool, RowError> {
    let Some((codec, _)) = stored.position else { return Ok(false) };
    if StoredPosition::codec(codec)?.game().info().id != target.game().info().id {
        return Ok(false);
    }
    let Some(text) = stored.text()? else { return Ok(false) };
    // The men on the board tell nearly all positions apart.
    let board = |text: &str| text.split(' ').next().map(str::to_owned);
    if board(&text) != board(target.text()) {
        return Ok(false);
    }
    Ok(target.is_at(&*target.game().cursor(Some(&text))?))
}

/// Returns the game of the first position of a file of positions; `None` if it has none.
///
/// # Errors
/// As [`find_positions`].
pub fn game_of_positions(file: &PackedFile) -> Result<Option<&'static dyn ErasedRules>, Error> {
    for group in 0..file.groups() {
        let rows = file.read_positions(group)?;
        for (place, row) in (0..rows.len()).zip(0..) {
            if let Some((codec, _)) = rows.record(place).and_then(|record| record.0.position) {
                let codec = StoredPosition::codec(codec);
                return codec
                    .map(|codec| Some(codec.game()))
                    .map_err(|why| Error::record(file.path(), row)(why));
            }
        }
    }
    Ok(None)
}
