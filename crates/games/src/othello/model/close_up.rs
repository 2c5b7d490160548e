//! The heavy features of a candidate: the discs on its diagonals and around it, what the replies
//! leave us, and in the last moves the result.

use plypack_core::policy::Sight;

use super::features::heavy::set;
use super::features::{HEAVY, heavy};
use super::patterns;
use super::scene::{Outcome, Scene, count, mirror, squares};
use crate::othello::rules::{moves, turned};

/// With at most this many empty cells the game is solved.
const SOLVED_EMPTY: usize = 7;

/// Fills everything in `sight` except the light slots.
pub fn look(scene: &Scene, sight: &mut Sight) {
    sight.phase = u8::try_from(scene.phase).unwrap_or(0);
    let [ours, theirs] = scene.sides;
    let inputs = squares(ours).chain(squares(theirs).map(|cell| 64 + cell)).chain([128]);
    sight.inputs.extend(inputs.map(|input| u16::try_from(input).unwrap_or(0)));
    sight.heavy.resize(sight.chosen.len() * HEAVY, 0);
    let mirrored = scene.sides.map(mirror);
    let chosen = || sight.chosen.iter().filter_map(|&index| scene.outcomes.get(usize::from(index)));
    let results: Vec<i32> = if scene.empty <= SOLVED_EMPTY {
        chosen().map(|outcome| -solve(outcome.sides[1], outcome.sides[0], -64, 64)).collect()
    } else {
        Vec::new()
    };
    let best = results.iter().copied().max().unwrap_or(0);
    let mut results = results.iter();
    for (outcome, slots) in chosen().zip(sight.heavy.as_chunks_mut::<HEAVY>().0) {
        let cell = outcome.cell;
        sight.rows.push(cell.into());
        set(slots, heavy::DIAGONAL, patterns::diagonal(scene.sides, cell));
        set(slots, heavy::DIAGONAL_OTHER, patterns::diagonal(mirrored, cell ^ 7));
        set(slots, heavy::AROUND, patterns::around(scene.sides, cell));
        set(slots, heavy::SQUEEZE, squeeze(outcome).min(12) * 15 + scene.phase);
        if let Some(&result) = results.next() {
            let lost = loss_class(best - result);
            let outcome = (lost * 3 + sign(result)) * 3 + sign(best);
            set(slots, heavy::SOLVED, outcome * 8 + scene.empty.min(7));
        }
    }
}

/// The fewest moves that a reply leaves us; 12 if there is no reply.
fn squeeze(outcome: &Outcome) -> usize {
    let [ours, theirs] = outcome.sides;
    let after = |reply: usize| {
        let cell = u8::try_from(reply).unwrap_or(0);
        let taken = turned(theirs, ours, cell);
        count(moves(ours & !taken, theirs | taken | 1 << (reply & 63)))
    };
    squares(outcome.theirs).map(after).min().unwrap_or(12)
}

/// Six classes of discs given away.
fn loss_class(discs: i32) -> usize {
    match discs {
        ..=0 => 0,
        1 | 2 => 1,
        3 | 4 => 2,
        5..=8 => 3,
        9..=16 => 4,
        _ => 5,
    }
}

/// 0 for a loss, 1 for a draw, 2 for a win.
fn sign(result: i32) -> usize {
    usize::from(result >= 0) + usize::from(result > 0)
}

/// The difference of discs, own minus other, after best play with own to move: exact between `low`
/// and `high`, otherwise only on the right side of them.
fn solve(own: u64, other: u64, low: i32, high: i32) -> i32 {
    let candidates = moves(own, other);
    if candidates == 0 {
        if moves(other, own) == 0 {
            return own.count_ones().cast_signed() - other.count_ones().cast_signed();
        }
        return -solve(other, own, -high, -low);
    }
    let mut low = low;
    for cell in squares(candidates) {
        let taken = turned(own, other, u8::try_from(cell).unwrap_or(0));
        let own = own | taken | 1 << cell;
        low = low.max(-solve(other & !taken, own, -high, -low));
        if low >= high {
            break;
        }
    }
    low
}
