//! Numbers that become a few classes, for features.

/// Returns the class of a number: how many of these bounds it exceeds.
#[inline(always)]
pub fn exceeded<const BOUNDS: usize>(bounds: [usize; BOUNDS], number: usize) -> usize {
    bounds.into_iter().filter(|&bound| number > bound).count()
}

/// Returns the stage of a game of chess or xiangqi at a move: its phase, from 0 with most pieces to
/// 3 with fewest, where the opening is divided by moves.
#[inline(always)]
pub const fn stage(phase: usize, number: u32) -> usize {
    match (phase, number) {
        (0, 0..=4) => 0,
        (0, 5..=8) => 1,
        (0, 9..=14) => 2,
        _ => 3 + phase,
    }
}
