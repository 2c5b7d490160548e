//! Which lines of comments were foretold by earlier ones.

use super::{BACK_MAX, Comment, Datum, Line, Source};
use crate::error::Error;
use crate::texts::Texts;
use crate::{Branch, Foretold};

/// A line of a comment, in the order in which lines are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coded {
    /// Its place among all lines, in the order of the comments and their fields.
    pub place: usize,
    /// Its branch.
    pub branch: Branch,
}

/// Returns the ply that a line's first move replaces, counted from 1, given that of its comment.
fn ply_of(comment: u32, base: u8) -> Option<u32> {
    (comment + u32::from(base)).checked_sub(1).filter(|&ply| ply > 0)
}

/// Fills in which line foretold each line, and how much of it. `plies` are those of the comments,
/// counted from 1, and `lines` their texts, both in the order of the comments and their fields; a
/// line's base and its number of plies are known. `main` has the moves of the game.
pub fn foretell(lines: &mut [(u32, &mut Line, Vec<&str>)], main: &Texts) {
    let main: Vec<&str> = main.iter().collect();
    let mut order: Vec<(u32, usize)> = lines
        .iter()
        .enumerate()
        .map(|(place, line)| (ply_of(line.0, line.1.base).unwrap_or(0), place))
        .collect();
    order.sort_unstable();
    let mut earlier: Vec<(u32, usize)> = Vec::new();
    for (ply, place) in order {
        let Some((_, _, moves)) = lines.get(place) else { continue };
        let agreeing = |line: &[&str]| moves.iter().zip(line).take_while(|(a, b)| a == b).count();
        let from = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
        let rest = main.get(from..).unwrap_or_default();
        let mut best = (agreeing(rest), Source::Game);
        for (back, &(start, place)) in (1..=BACK_MAX).zip(earlier.iter().rev()) {
            let Some((_, _, line)) = lines.get(place) else { continue };
            let skip = usize::try_from(ply - start).unwrap_or(usize::MAX);
            let start = usize::try_from(start.saturating_sub(1)).unwrap_or(usize::MAX);
            let Some((played, rest)) = line.split_at_checked(skip) else { continue };
            // Its tail counts only if the game went along with it so far.
            if main.get(start..).is_none_or(|main| !main.starts_with(played)) {
                continue;
            }
            let agree = agreeing(rest);
            if agree > best.0 {
                best = (agree, Source::Line(back));
            }
        }
        earlier.push((ply, place));
        if let Some((_, line, _)) = lines.get_mut(place) {
            let foretold = u32::try_from(best.0).unwrap_or(0);
            (line.foretold, line.source) =
                if foretold == 0 { (0, Source::None) } else { (foretold, best.1) };
        }
    }
}

/// Returns the branches of all lines of comments, one or none for each ply, in the order in which
/// they are coded: by the ply that they replace, then as they stand.
///
/// # Errors
/// Returns [`Error::Cell`] if a line begins before the game, or no line foretells what one says.
pub fn branches(comments: &[Option<Comment>]) -> Result<Vec<Coded>, Error> {
    let mut lines: Vec<(u32, usize, Line)> = Vec::new();
    for (ply, comment) in (1..).zip(comments) {
        for datum in comment.iter().flat_map(|comment| &comment.data) {
            if let Datum::Line(line) = datum {
                let ply = ply_of(ply, line.base).ok_or(super::DAMAGED)?;
                lines.push((ply, lines.len(), *line));
            }
        }
    }
    lines.sort_unstable_by_key(|line| (line.0, line.1));
    let mut coded: Vec<Coded> = Vec::with_capacity(lines.len());
    for (ply, place, line) in lines {
        let told = |by, skip| Some(Foretold { by, skip, plies: line.foretold });
        let foretold = match line.source {
            Source::None => None,
            Source::Game => told(None, ply - 1),
            Source::Line(back) => {
                let by = coded.len().checked_sub(back.into()).ok_or(super::DAMAGED)?;
                let start = coded.get(by).ok_or(super::DAMAGED)?.branch.ply;
                told(Some(by), ply - start)
            }
        };
        coded.push(Coded { place, branch: Branch { ply, foretold, plies: line.plies } });
    }
    Ok(coded)
}
