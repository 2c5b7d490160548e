//! Which modes a record's numbers are coded with.

use super::expectation::{Mode, Modes, Past, expected, swapped, usable};
use super::model::size;
use super::template::Kind;
use super::walk::{DISTANCE_BITS, Subjects};
use super::{Comment, Datum};

/// What it costs to have a mode for each player, in half bits.
const MODE_COST: u64 = 48;

/// The number of fields before in the comment that a mode with two others is tried with.
const PRODUCT_DISTANCE: usize = 8;

/// Chooses the modes of each subject, by the sizes of what would be left of its numbers.
pub(super) fn choose(subjects: &Subjects, comments: &[Option<Comment>]) -> Vec<Modes> {
    // Of each subject, its modes, and what the numbers of each player cost in them.
    let mut costs: Vec<Vec<(Mode, [u64; 2])>> = vec![Vec::new(); subjects.count];
    let mut pasts = vec![Past::default(); subjects.count];
    for (ply, comment) in comments.iter().enumerate() {
        let Some(comment) = comment else { continue };
        let side = ply % 2;
        let fields = subjects.fields.get(comment.template).map_or(&[][..], |fields| fields);
        let mut here: Vec<usize> = Vec::new();
        for (&(kind, subject), datum) in fields.iter().zip(&comment.data) {
            let Datum::Number(number) = datum else { continue };
            let costs = &mut costs[subject];
            if costs.is_empty() {
                costs.extend(modes(kind, &here).into_iter().map(|mode| (mode, [0; 2])));
            }
            for (mode, cost) in costs {
                let used = usable(*mode, &here);
                let above = number.saturating_sub(expected(used, side, subject, &pasts));
                let missed = swapped(used, pasts[subject].shares[side], above);
                // In half bits: a sign, and a length that is hardly known.
                let bits = match size(missed) {
                    0 => 1,
                    size => 3 + u64::from(size),
                };
                cost[side] +=
                    if *mode == Mode::Bare { bits.saturating_sub(3).max(1) } else { bits };
            }
            pasts[subject].note(side, *number, 0);
            if kind.has_tenths() {
                pasts[subject].shares[side].note(*number);
            }
            here.push(subject);
        }
    }
    costs.iter().map(|costs| cheapest(costs)).collect()
}

/// Returns the modes that a subject may have, given the numbers before in its first comment.
fn modes(kind: Kind, here: &[usize]) -> Vec<Mode> {
    let mut modes = vec![Mode::Bare, Mode::Own, Mode::Last, Mode::Trend];
    if kind.has_tenths() {
        modes.push(Mode::Share);
    }
    for &other in here.iter().rev().take(1 << DISTANCE_BITS) {
        modes.extend([Mode::Less(other), Mode::More(other), Mode::Fall(other), Mode::Ratio(other)]);
    }
    let near = || here.iter().rev().take(PRODUCT_DISTANCE);
    for (at, &one) in near().enumerate() {
        modes.extend(near().skip(at + 1).map(|&other| Mode::Product(one, other)));
    }
    modes
}

/// Returns the modes that cost the players least; the same one if two cost hardly less.
fn cheapest(costs: &[(Mode, [u64; 2])]) -> Modes {
    let best = |cost: fn(&[u64; 2]) -> u64| {
        costs.iter().min_by_key(|(_, costs)| cost(costs)).map(|(mode, costs)| (*mode, cost(costs)))
    };
    let both = best(|costs| costs[0] + costs[1]);
    let [white, black] = [best(|costs| costs[0]), best(|costs| costs[1])];
    let (Some(both), Some(white), Some(black)) = (both, white, black) else { return [None; 2] };
    match white.1 + black.1 + MODE_COST < both.1 {
        true => [Some(white.0), Some(black.0)],
        false => [Some(both.0); 2],
    }
}
