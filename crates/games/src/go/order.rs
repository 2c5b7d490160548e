//! The heuristic order of go's `line.ranked`: points near the last two stones, on the third and
//! fourth lines, and where a chain is captured or saved.
//!
//! `SPEC.md` describes it for other implementations.

use plypack_core::Ply;
use plypack_core::codecs::line::ranked::MoveOrder;

use super::chains::Chains;
use super::rules::{BLACK, EDGE, EMPTY, WHITE};
use super::{Go, Move, Position, ranks};
use crate::common::spread;

/// The order.
#[derive(Debug)]
pub struct Order;

/// What the distance to the last stone adds, and to the stone before it. The distance is twice the
/// larger of the differences of rows and columns plus the smaller.
const LAST: [i32; 16] = [0, 0, 64, 78, 62, 54, 44, 40, 32, 28, 22, 18, 12, 8, 4, 2];
const BEFORE: [i32; 16] = [0, 0, 44, 52, 44, 38, 30, 26, 20, 16, 12, 8, 6, 4, 2, 0];

/// What the distance from the nearest edge adds, from the first line on.
const LINES: [i32; 6] = [0, 22, 40, 38, 26, 22];

/// What a neighbouring stone adds, by its chain's liberties, for ours and theirs: a chain with one
/// liberty is saved or captured.
const OURS: [i32; 4] = [0, 60, 12, 4];
const THEIRS: [i32; 4] = [0, 72, 26, 10];

/// What a point surrounded by our stones or the edge adds.
const EYE: i32 = -90;

/// The largest difference from the best key that counts as close, and as within sight.
const NEAR: [i32; 2] = [16, 48];

/// Number of frequency tables.
pub const TABLES: usize = spread::TABLES;

/// Returns the number of the frequency table for these keys.
pub fn table(keys: &[i32]) -> usize {
    spread::table(keys, NEAR)
}

impl MoveOrder<Go> for Order {
    /// The points of the last two moves, the later first.
    type State = [Option<u16>; 2];

    fn begin(&self, _: &Position) -> Self::State {
        [None; 2]
    }

    fn keys(
        &self,
        last: &Self::State,
        position: &Position,
        candidates: &[Move],
        keys: &mut Vec<i32>,
    ) {
        let [rows, columns] = [position.rows(), position.columns()];
        let chains = Chains::new(position);
        let us = if position.white_to_move() { WHITE } else { BLACK };
        let near = |point: u16, last: Option<u16>, table: &[i32; 16]| {
            let Some(last) = last else { return 0 };
            let down = (point / columns).abs_diff(last / columns);
            let across = (point % columns).abs_diff(last % columns);
            let far = 2 * down.max(across) + down.min(across);
            table.get(usize::from(far)).copied().unwrap_or(0)
        };
        let of = |mv: &Move| {
            if mv.point == Move::PASS {
                return 0;
            }
            let (row, column) = (mv.point / columns, mv.point % columns);
            let line = row.min(rows - 1 - row).min(column).min(columns - 1 - column);
            let mut key = LINES[usize::from(line).min(5)];
            key += near(mv.point, last[0], &LAST) + near(mv.point, last[1], &BEFORE);
            let at = position.index(mv.point);
            let mut own = 0;
            for stride in position.strides() {
                let beside = at.wrapping_add_signed(stride);
                let stone = position.array().get(beside).copied().unwrap_or(EDGE);
                own += u32::from(stone == us || stone == EDGE);
                if stone == EMPTY || stone == EDGE {
                    continue;
                }
                let table = if stone == us { OURS } else { THEIRS };
                key += table[chains.at(beside).map_or(0, |(_, chain)| chain.free.min(3))];
            }
            if own == 4 { key + EYE } else { key }
        };
        keys.extend(candidates.iter().map(of));
    }

    fn weights(&self, _: &Position, keys: &[i32]) -> &[u16] {
        ranks::ORDER.table(table(keys))
    }

    fn update(&self, last: &mut Self::State, ply: &Ply<'_, Go>) {
        let point = ply.mv().point;
        *last = [Some(point).filter(|&point| point != Move::PASS), last[0]];
    }
}
