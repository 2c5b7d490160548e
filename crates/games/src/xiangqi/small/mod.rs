//! `line.small` of xiangqi: moves are weighed at a glance, then judged by a net that sees who
//! attacks whom, and two features of each move.

use std::sync::LazyLock;

use plypack_core::Ply;
use plypack_core::policy::{Features, Judge, Sight, Sizes, groups};
use plypack_tables::xiangqi::SMALL_JUDGE;

use super::fast::inputs::{self, INPUTS};
use super::fast::view::View;
use super::fast::{BELOWS, Glanced};
use super::link::features::follow;
use super::link::rows;
use super::{Move, Position, Xiangqi};
use crate::common::past::Pasts;

/// The judge of `line.small`.
pub static JUDGE: LazyLock<Judge> = LazyLock::new(|| Judge::read(SMALL_JUDGE).unwrap_or_default());

/// The least weight of a candidate that the judge looks at: 2^-3 of the heaviest.
pub const LEAST: u32 = 1 << 19;

/// The groups of features, each a name and a size: none, then one group per slot.
pub const GROUPS: [(&str, usize); 1 + SLOTS] =
    [("none", 1), ("below", BELOWS), ("exchange", 7 * 8 * 3 * 2 * 2 * 3 * 2 * 2)];

/// Number of slots of a candidate.
const SLOTS: usize = 2;

/// The number of each slot's first feature.
const FIRST: [u16; SLOTS] = groups::firsts(&GROUPS);

/// The features of `line.small`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Xiangqi> for Eyes {
    type State = Pasts;
    type Scene = Glanced;

    const SIZES: Sizes = Sizes {
        heavy: SLOTS,
        deep: FIRST[0],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: rows::COUNTS.1,
        phases: 4,
        ..Sizes::NONE
    };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn see(&self, pasts: &Pasts, position: &Position, all: &[Move], _: &mut Sight) -> Glanced {
        Glanced::new(pasts, position, all)
    }

    #[inline(always)]
    fn look(
        &self,
        _: &Pasts,
        glanced: &Glanced,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        let seen = &glanced.seen;
        let view = &seen.view;
        sight.phase = u8::try_from(view.phase).unwrap_or(0);
        inputs::fill(seen, position, &mut sight.inputs);
        // Written in place: `extend` would not be inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let places = sight.heavy.as_chunks_mut::<SLOTS>().0.iter_mut().zip(&mut sight.rows);
        for (&index, (slots, row)) in sight.chosen.iter().zip(places) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            let (from, to) = (usize::from(mv.from), usize::from(mv.to));
            let attacked = usize::from(view.status(from) > 1);
            let exchange = exchange(view, view.role(from) % 7, to) * 4;
            let numbers = [glanced.below(index), exchange + view.chased(from) * 2 + attacked];
            for (slot, number) in numbers.into_iter().enumerate() {
                groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, number);
            }
            *row = rows::row(view.turn(from).into(), view.turn(to).into());
        }
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Xiangqi>) {
        *pasts = follow(*pasts, ply);
    }
}

/// Returns what a move of a man of this kind captures, risks and threatens, judged by its
/// destination alone.
#[inline(always)]
pub fn exchange(view: &View, role: usize, to: usize) -> usize {
    let risk = view.danger(role, to) * 2 + view.defended(role, to);
    let act = view.check(role, to) * 3 + view.threat(role, to);
    ((role * 8 + view.taken(to)) * 6 + risk) * 6 + act
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Judge::read(SMALL_JUDGE).is_some() && SMALL_JUDGE.len() <= 1_200_000);
        assert_eq!(fnv1a(*SMALL_JUDGE), 0x0e90_d384_40f7_523f);
    }
}
