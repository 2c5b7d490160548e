//! `line.small` of chess: moves weighed at a glance, then judged by the same features and a net.

use std::sync::LazyLock;

use cozy_chess::Move;
use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Judge, Sight, Sizes, groups};
use plypack_core::{Ply, Rules, each};
use plypack_tables::chess::SMALL_JUDGE;

use super::default::inputs::{self, INPUTS};
use super::default::past::follow;
use super::default::{BOOK_MOVES, rows};
use super::fast::features::{self as fast, Seen};
use super::fast::view::View;
use super::order::phase;
use super::{Chess, Position};
use crate::common::past::Pasts;

/// The judge of `line.small`.
pub static JUDGE: LazyLock<Judge> = LazyLock::new(|| Judge::read(SMALL_JUDGE).unwrap_or_default());

/// The least weight of a candidate that the judge looks at: 5/32 of the heaviest.
pub const LEAST: u32 = 5 << 17;

/// The number of groups of features that have only weights: the move, and the time.
const SHALLOW: usize = 2;

/// The number of slots of a candidate: those of `line.fast`, and the book's.
const SLOTS: usize = fast::SLOTS + 1;

/// The groups of features: those of `line.fast`, and the book's.
pub const GROUPS: [(&str, usize); 1 + SLOTS] = {
    let mut all = [("book", BOOK_FEATURES); 1 + SLOTS];
    each!(group, fast::GROUPS.len(), all[group] = fast::GROUPS[group]);
    all
};

/// The number of each slot's first feature.
const FIRST: [u16; SLOTS] = groups::firsts(&GROUPS);

/// The features of `line.small`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Chess> for Eyes {
    type State = Pasts;
    type Scene = Seen;

    const SIZES: Sizes = Sizes {
        shallow: SHALLOW,
        heavy: SLOTS,
        deep: FIRST[SHALLOW],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: rows::COUNTS.1,
        phases: 4,
        book: (fast::SLOTS, FIRST[fast::SLOTS]),
        ..Sizes::NONE
    };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        (position.fullmove_number <= BOOK_MOVES).then(|| Chess.key(position))
    }

    #[inline(always)]
    fn see(&self, pasts: &Pasts, position: &Position, _: &[Move], _: &mut Sight) -> Seen {
        Seen::new(pasts[0], position)
    }

    #[inline(always)]
    fn look(
        &self,
        pasts: &Pasts,
        seen: &Seen,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.phase = u8::try_from(phase(&position.board)).unwrap_or(0);
        inputs::fill(&position.board, pasts, &mut sight.inputs);
        // In place: extending a vector is not inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let places = sight.heavy.as_chunks_mut::<SLOTS>().0.iter_mut().zip(&mut sight.rows);
        for (&index, (slots, row)) in sight.chosen.iter().zip(places) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            slots[..fast::SLOTS].copy_from_slice(&seen.slots(mv));
            *row = row_of(&seen.view, mv);
        }
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Chess>) {
        *pasts = follow(*pasts, ply);
    }
}

/// Returns the row of the net's output for a move.
#[inline(always)]
fn row_of(view: &View, mv: Move) -> u16 {
    if view.castles(mv) {
        return if mv.from < mv.to { rows::CASTLING_SHORT.1 } else { rows::CASTLING_LONG.1 };
    }
    rows::row(mv.from as usize ^ view.turn, mv.to as usize ^ view.turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Judge::read(SMALL_JUDGE).is_some() && SMALL_JUDGE.len() <= 1_000_000);
        assert_eq!(fnv1a(*SMALL_JUDGE), 0x88d8_9420_b6f6_9bf1);
    }
}
