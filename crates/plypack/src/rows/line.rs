//! Finds where a position occurs in a game.

use std::sync::atomic::{AtomicBool, Ordering};

use plypack_core::{Cursor, Error as LineError};

use crate::rows::error::RowError;
use crate::rows::movetext::{Annotation, AnnotationKind, NESTING_MAX, check_variations};
use crate::rows::row::StoredRecord;
use crate::rows::target::Target;

/// A place where the position occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The number of plies from the start of the game.
    pub ply: u32,
    /// The candidate that was played there; `None` where the line ends.
    pub candidate: Option<u16>,
    /// Whether that was in a variation, not on the main line.
    pub variation: bool,
}

/// Whether the main line of a record reaches the position, found in the quickest way; most records
/// need nothing more. Returns true for a damaged record, so that [`hits`] says what is wrong.
pub fn may_hit(record: &StoredRecord<'_>, target: &Target) -> bool {
    let Some((codec, start, plies, code)) = record.line else { return false };
    let found = StoredRecord::codec(codec).map(|codec| target.first_ply(codec, start, plies, code));
    !matches!(found, Ok(Ok(None)))
}

/// The hits of a record: those of the main line in order; with `variations`, also those in
/// variations, in the order of the text, and then in the lines of reviews. Empty if the record is
/// of another game or has no moves. Moves that could not be coded are not searched. Variations need
/// the annotations and the series.
///
/// # Errors
/// Returns an error that says what is wrong with the record, or that `stop` interrupted the search;
/// the caller checks `stop` as well.
pub fn hits(
    record: &StoredRecord<'_>,
    target: &Target,
    variations: bool,
    stop: &AtomicBool,
) -> Result<Vec<Hit>, RowError> {
    let Some((game, mut cursor)) = record.cursor()? else { return Ok(Vec::new()) };
    if game.info().id != target.game().info().id {
        return Ok(Vec::new());
    }
    let mut finder = Finder { target, stop, hits: Vec::new() };
    if variations {
        let annotations = record.known_annotations()?;
        check_variations(annotations)?;
        finder.line(&mut *cursor, &mut annotations.iter(), 0)?;
        for (ply, moves) in record.review_lines()? {
            let line = moves.iter();
            finder.review(&mut *cursor.fork(ply), line)?;
        }
        finder.hits.sort_by_key(|hit| hit.variation);
    } else {
        finder.rest(&mut *cursor)?;
    }
    Ok(finder.hits)
}

struct Finder<'t> {
    target: &'t Target,
    stop: &'t AtomicBool,
    hits: Vec<Hit>,
}

impl Finder<'_> {
    /// Checks the position, and steps on. Returns false at the end of the line.
    fn step(&mut self, cursor: &mut dyn Cursor<'_>, variation: bool) -> Result<bool, LineError> {
        let (ply, found) = (cursor.ply(), self.target.is_at(cursor));
        let candidate = cursor.next()?;
        if found {
            self.hits.push(Hit { ply, candidate, variation });
        }
        Ok(candidate.is_some())
    }

    /// Follows the main line for as long as the position may still come.
    fn rest(&mut self, cursor: &mut dyn Cursor<'_>) -> Result<(), LineError> {
        while !self.target.is_behind(cursor) && self.step(cursor, false)? {}
        Ok(())
    }

    /// Follows the line of a review, from the position before the move that it replaces.
    fn review<'m>(
        &mut self,
        cursor: &mut dyn Cursor<'_>,
        moves: impl Iterator<Item = &'m str>,
    ) -> Result<(), LineError> {
        let before = cursor.ply();
        let mut found = false;
        for text in moves {
            let (ply, candidate) = (cursor.ply(), Some(cursor.read(text)?));
            if found {
                self.hits.push(Hit { ply, candidate, variation: true });
            }
            found = cursor.ply() > before && self.target.is_at(cursor);
        }
        if found {
            self.hits.push(Hit { ply: cursor.ply(), candidate: None, variation: true });
        }
        Ok(())
    }

    /// Follows a line and the variations that leave it.
    fn line<'a>(
        &mut self,
        cursor: &mut dyn Cursor<'a>,
        annotations: &mut std::slice::Iter<'a, Annotation<'_>>,
        depth: u32,
    ) -> Result<(), RowError> {
        if depth > NESTING_MAX {
            return Err("its variations are nested too deeply".into());
        }
        // The position where a variation begins was checked on its trunk.
        let before = if depth > 0 { Some(cursor.ply()) } else { None };
        while let Some(annotation) = annotations.next() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(RowError::Stopped);
            }
            for _ in 0..annotation.skip {
                let moved = match before == Some(cursor.ply()) {
                    true => cursor.next()?.is_some(),
                    false => self.step(cursor, depth > 0)?,
                };
                if !moved {
                    return Err("an annotation comes after the last move".into());
                }
            }
            match annotation.kind {
                AnnotationKind::Open => {
                    let (plies, code) =
                        annotation.moves.as_ref().ok_or("a variation has no moves")?;
                    let branch = cursor.branch(cursor.ply(), *plies, code);
                    self.line(&mut *branch?, annotations, depth + 1)?;
                }
                AnnotationKind::Close if depth == 0 => {
                    return Err("a variation ends twice".into());
                }
                AnnotationKind::Close => break,
                _ => {}
            }
        }
        if depth == 0 {
            return Ok(self.rest(cursor)?);
        }
        // The end of a variation may be the position, too.
        if before != Some(cursor.ply()) {
            self.step(cursor, true)?;
        }
        Ok(())
    }
}
