//! What the nets of `line.default` and `line.max` see of a point: planes, each 0 or 1, as the bits
//! of a number.

use plypack_core::Ply;

use crate::go::chains::{Chain, Chains};
use crate::go::link::features::{KOS, PAST};
use crate::go::rules::{BLACK, EDGE, EMPTY, WHITE};
use crate::go::{Go, Move, Position};

/// The bits of the planes.
#[expect(missing_docs, reason = "each is told below")]
pub mod plane {
    /// A stone of the player to move.
    pub const OURS: u32 = 1;
    pub const THEIRS: u32 = 1 << 1;
    /// A stone of a chain with one liberty; the next two bits, with two, with three.
    pub const LIBERTIES: u32 = 1 << 2;
    /// The ko point.
    pub const KO: u32 = 1 << 5;
    /// A stone of ours captures here, and captures more than one stone.
    pub const CAPTURES: u32 = 1 << 6;
    pub const CAPTURES_MORE: u32 = 1 << 7;
    /// A stone of ours here has one liberty; the next two bits, two, three.
    pub const AFTER: u32 = 1 << 8;
    /// A stone of ours here has none.
    pub const SUICIDE: u32 = 1 << 11;
    /// A stone of theirs captures here.
    pub const THEY_CAPTURE: u32 = 1 << 12;
    /// A stone of theirs here has one liberty; the next bit, two.
    pub const THEIR_AFTER: u32 = 1 << 13;
    /// Every point of the board.
    pub const BOARD: u32 = 1 << 15;
    /// The point of the last move; the next seven bits, of the moves before.
    pub const PAST: u32 = 1 << 16;
    /// The ko point of one of the last positions.
    pub const OLD_KO: u32 = 1 << 24;
    /// Every point if the last move was a pass; the next bit, if the last two were.
    pub const PASSED: u32 = 1 << 25;
    /// Every point if White is to move.
    pub const WHITE: u32 = 1 << 27;
    /// Points 6 or 7 rows or columns, whichever is more, from the last move; the next three bits, 8
    /// to 10, 11 to 13, 14 or more. A shallow net sees no farther than 5. `line.max` does not look.
    pub const FAR: u32 = 1 << 28;
}

/// What is remembered of a line.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The points of the last moves, the latest first; [`Move::PASS`] for a pass, and for moves
    /// before the start of the line.
    past: [u16; PAST],
    /// Number of passes at the end of the line, at most 2.
    passes: usize,
    /// The ko points of the positions before the last moves, the latest first; [`Move::PASS`] for
    /// none.
    kos: [u16; KOS],
}

impl Default for Memory {
    fn default() -> Self {
        Self { past: [Move::PASS; PAST], passes: 0, kos: [Move::PASS; KOS] }
    }
}

impl Memory {
    /// Applies a played move.
    pub fn follow(&mut self, ply: &Ply<'_, Go>) {
        let point = ply.mv().point;
        self.past.rotate_right(1);
        self.past[0] = point;
        self.kos.rotate_right(1);
        self.kos[0] = ply.before.ko().unwrap_or(Move::PASS);
        self.passes = if point == Move::PASS { (self.passes + 1).min(2) } else { 0 };
    }

    /// Fills `planes`, which is empty, with the planes of each point, row by row.
    pub fn see(&self, position: &Position, planes: &mut Vec<u32>) {
        let us = if position.white_to_move() { WHITE } else { BLACK };
        let mut everywhere = plane::BOARD;
        for passes in 0..self.passes {
            everywhere |= plane::PASSED << passes;
        }
        everywhere |= if us == WHITE { plane::WHITE } else { 0 };
        let chains = Chains::new(position);
        planes.extend((0..).zip(position.points()).map(|(point, stone)| {
            let at = position.index(point);
            everywhere
                | match stone {
                    EMPTY => empty_point(position, &chains, us, at),
                    _ => stone_of(&chains, stone == us, at),
                }
        }));
        let mut mark = |point: u16, plane: u32| {
            if let Some(planes) = planes.get_mut(usize::from(point)) {
                *planes |= plane;
            }
        };
        mark(position.ko().unwrap_or(Move::PASS), plane::KO);
        for (ago, &point) in self.past.iter().enumerate() {
            mark(point, plane::PAST << ago);
        }
        for &point in &self.kos {
            mark(point, plane::OLD_KO);
        }
        if self.past[0] != Move::PASS {
            mark_far(self.past[0], position.columns(), planes);
        }
    }
}

/// Marks the points that are far from a point of a board with so many columns.
fn mark_far(point: u16, columns: u16, planes: &mut [u32]) {
    let columns = usize::from(columns.max(1));
    let [row, column] = [usize::from(point) / columns, usize::from(point) % columns];
    for (at, planes) in planes.chunks_mut(columns).enumerate() {
        let rows = at.abs_diff(row);
        for (at, planes) in planes.iter_mut().enumerate() {
            *planes |= match rows.max(at.abs_diff(column)) {
                0..=5 => 0,
                6..=7 => plane::FAR,
                8..=10 => plane::FAR << 1,
                11..=13 => plane::FAR << 2,
                _ => plane::FAR << 3,
            };
        }
    }
}

/// Returns the planes of a stone.
fn stone_of(chains: &Chains, ours: bool, at: usize) -> u32 {
    let liberties = chains.at(at).map_or(0, |(_, chain)| chain.free);
    let side = if ours { plane::OURS } else { plane::THEIRS };
    side | if (1..=3).contains(&liberties) { plane::LIBERTIES << (liberties - 1) } else { 0 }
}

/// Returns the planes of an empty point: what a stone of either side would do.
fn empty_point(position: &Position, chains: &Chains, us: u8, at: usize) -> u32 {
    let board = position.array();
    let beside = |stride| board.get(at.wrapping_add_signed(stride)).copied().unwrap_or(EDGE);
    let around = position.strides().map(beside);
    if around == [EMPTY; 4] {
        // Nothing is captured, and a stone has four liberties.
        return 0;
    }
    let mut planes = 0;
    // By side, ours first: the chain that a stone here forms, and the stones that it captures.
    let mut after = [Chain::default(); 2];
    let mut captured = [0u16; 2];
    let mut seen = [0u16; 4];
    // Whether it has more liberties than any plane tells.
    let mut many = [false; 2];
    for (beside, (stone, stride)) in around.into_iter().zip(position.strides()).enumerate() {
        let next = at.wrapping_add_signed(stride);
        let free = u16::try_from(next).unwrap_or(0);
        if stone == EMPTY {
            after.iter_mut().for_each(|after| after.add(free));
            continue;
        }
        let Some((number, chain)) = chains.at(next) else { continue };
        let side = usize::from(stone != us);
        let again = seen.contains(&number);
        seen[beside] = number;
        if chain.free == 1 {
            // The other side captures it.
            after[1 - side].add(free);
            captured[1 - side] += if again { 0 } else { chain.size };
        }
        // One of its liberties is here.
        many[side] |= chain.free > 4;
        if many[side] {
            continue;
        }
        let liberties = chain.liberties.get(..chain.free).unwrap_or_default();
        for &liberty in liberties.iter().filter(|&&liberty| usize::from(liberty) != at) {
            after[side].add(liberty);
        }
    }
    planes |= match captured[0] {
        0 => 0,
        1 => plane::CAPTURES,
        _ => plane::CAPTURES | plane::CAPTURES_MORE,
    };
    planes |= match after[0].free {
        _ if many[0] => 0,
        0 => plane::SUICIDE,
        liberties @ 1..=3 => plane::AFTER << (liberties - 1),
        _ => 0,
    };
    planes |= if captured[1] > 0 { plane::THEY_CAPTURE } else { 0 };
    planes
        | match after[1].free {
            liberties @ 1..=2 if !many[1] => plane::THEIR_AFTER << (liberties - 1),
            _ => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::Rules;

    #[test]
    fn far_is_counted_in_rows_or_columns() {
        let far = |past: u16, row: usize, column: usize| {
            let mut memory = Memory::default();
            memory.past[0] = past;
            let mut planes = Vec::new();
            memory.see(&Go.start(), &mut planes);
            planes[row * 19 + column] >> 28
        };
        assert_eq!(far(0, 5, 5), 0);
        assert_eq!(far(0, 6, 0), 1);
        assert_eq!(far(0, 2, 7), 1);
        assert_eq!(far(0, 8, 8), 2);
        assert_eq!(far(0, 10, 3), 2);
        assert_eq!(far(0, 0, 11), 4);
        assert_eq!(far(0, 13, 13), 4);
        assert_eq!(far(0, 14, 0), 8);
        assert_eq!(far(360, 4, 18), 8);
        assert_eq!(far(Move::PASS, 14, 0), 0);
    }
}
