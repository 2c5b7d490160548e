//! `line.small` of xiangqi: moves weighed at a glance, then judged by the same features and a net.

use std::sync::LazyLock;

use plypack_core::Ply;
use plypack_core::policy::{Features, Judge, Sight, Sizes, groups};

use super::board::{Piece, SQUARES, squares};
use super::glance::features::{FIRST, GROUPS, SLOTS, Seen};
use super::model::features::{INPUTS, State, follow};
use super::model::rows;
use super::{Move, Position, Xiangqi};

/// The judge of `line.small`.
pub static JUDGE: LazyLock<Judge> =
    LazyLock::new(|| Judge::read(include_bytes!("small.judge")).unwrap_or_default());

/// What a candidate weighs at least that the judge looks at: 3/64 of the heaviest.
pub const LEAST: u32 = 3 << 16;

/// The groups of features that have only weights, up to `near`.
const SHALLOW: usize = 7;

/// More active inputs than a position has: 90 men, four squares and one.
const ROOM: usize = 128;

/// The features.
#[derive(Debug)]
pub struct Sketch;

impl Features<Xiangqi> for Sketch {
    type State = State;
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

    fn begin(&self, _: &Position) -> State {
        State::default()
    }

    #[inline(always)]
    fn see(&self, state: &State, position: &Position, _: &[Move], _: &mut Sight) -> Seen {
        Seen::new(state, position)
    }

    #[inline(always)]
    fn look(
        &self,
        _: &State,
        seen: &Seen,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.phase = u8::try_from(seen.view.phase).unwrap_or(0);
        inputs(seen, position, &mut sight.inputs);
        // In place: what extends a vector is not inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let places = sight.heavy.as_chunks_mut::<SLOTS>().0.iter_mut().zip(&mut sight.rows);
        for (&index, (slots, row)) in sight.chosen.iter().zip(places) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            *slots = seen.slots(mv);
            let turn = |at: u8| usize::from(seen.view.turn(at.into()));
            *row = rows::row(turn(mv.from), turn(mv.to));
        }
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Xiangqi>) {
        follow(state, ply);
    }
}

/// The active inputs of the net: the same as those of `line.default`.
#[inline(always)]
fn inputs(seen: &Seen, position: &Position, inputs: &mut Vec<u16>) {
    let mut list = [0; ROOM];
    let mut count = 0;
    let mut add = |input: usize| {
        // Below 1,621.
        #[expect(clippy::cast_possible_truncation)]
        {
            list[count % ROOM] = input as u16;
        }
        count += 1;
    };
    let (view, board) = (&seen.view, &position.board);
    for (place, men) in [(0, view.ours), (7, board.occupied() & !view.ours)] {
        for piece in Piece::ALL {
            for at in squares(board.pieces(piece) & men) {
                add((place + piece as usize) * SQUARES + usize::from(view.turn(at.into())));
            }
        }
    }
    for (place, past) in [seen.last, seen.own].into_iter().enumerate() {
        if let Some(past) = past {
            add(1260 + place * 180 + usize::from(past.from));
            add(1260 + place * 180 + 90 + usize::from(past.to));
        }
    }
    add(1620);
    inputs.extend_from_slice(&list[..count % ROOM]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;

    #[test]
    fn the_table_is_whole_and_unchanged() {
        let judge = include_bytes!("small.judge");
        assert!(Judge::read(judge).is_some() && judge.len() <= 1_000_000);
        assert_eq!(fnv1a(*judge), 0xad66_e721_b5f7_0ef3);
    }
}
