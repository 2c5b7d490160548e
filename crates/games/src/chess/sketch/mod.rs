//! `line.small` of chess: moves weighed at a glance, then judged by the same features and a net.

use std::sync::LazyLock;

use cozy_chess::Move;
use plypack_core::Ply;
use plypack_core::policy::{Features, Judge, Sight, Sizes, groups};

use super::glance::features::{FIRST, GROUPS, SLOTS, Seen};
use super::glance::view::View;
use super::model::inputs::{self, INPUTS};
use super::model::past::{Pasts, follow};
use super::model::rows;
use super::order::phase;
use super::{Chess, Position};

/// The judge of `line.small`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(include_bytes!("small.judge")).unwrap_or_default());

/// What a candidate weighs at least that the judge looks at: 2^-4 of the heaviest.
pub const LEAST: u32 = 1 << 18;

/// The groups of features that have only weights: the move, and the time.
const SHALLOW: usize = 2;

/// The features.
#[derive(Debug)]
pub struct Sketch;

impl Features<Chess> for Sketch {
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
        ..Sizes::NONE
    };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
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
        // In place: what extends a vector is not inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let places = sight.heavy.as_chunks_mut::<SLOTS>().0.iter_mut().zip(&mut sight.rows);
        for (&index, (slots, row)) in sight.chosen.iter().zip(places) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            *slots = seen.slots(mv);
            *row = row_of(&seen.view, mv);
        }
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Chess>) {
        *pasts = follow(*pasts, ply);
    }
}

/// The row of the net's output for a move.
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
        let judge = include_bytes!("small.judge");
        assert!(Judge::read(judge).is_some() && judge.len() <= 1_000_000);
        assert_eq!(fnv1a(*judge), 0x1f9d_f8ff_b826_edb9);
    }
}
