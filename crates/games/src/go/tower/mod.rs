//! `line.default` and `line.max` of go: convolutional nets that see the whole board and score all
//! points at once.
//!
//! `xtask/training/tower.py` learns the tables from what `cargo xtask planes` writes;
//! `docs/models.md` names the games.

pub mod planes;

use std::sync::LazyLock;

use plypack_core::policy::{BoardSize, Boards, Tower, weigh_scores};
use plypack_core::{MoveModel, Ply};
use plypack_tables::go::{DEFAULT_TOWER, MAX_TOWER};

use super::{Go, Move, Position};
use planes::Memory;

/// The tower of a tier; `None` only if its table is damaged.
type Table = LazyLock<Option<Tower>>;

/// The tower of `line.default`.
pub static DEFAULT: Table = LazyLock::new(|| Tower::read(DEFAULT_TOWER));

/// The tower of `line.max`.
pub static MAX: Table = LazyLock::new(|| Tower::read(MAX_TOWER));

/// The model of a tower.
#[derive(Debug)]
pub struct ByTower(pub &'static Table);

/// Its memory of the line, and scratch memory.
#[derive(Clone, Debug, Default)]
pub struct State {
    memory: Memory,
    planes: Vec<u32>,
    boards: Boards,
    points: Vec<i32>,
    scores: Vec<i32>,
}

impl MoveModel<Go> for ByTower {
    type State = State;

    fn begin(&self, _: &Go, _: &Position) -> State {
        State::default()
    }

    fn weigh(
        &self,
        State { memory, planes, boards, points, scores }: &mut State,
        position: &Position,
        candidates: &[Move],
        weights: &mut Vec<u32>,
    ) {
        let size = BoardSize { rows: position.rows().into(), columns: position.columns().into() };
        planes.clear();
        memory.see(position, planes);
        points.clear();
        let tower = self.0.as_ref();
        let pass = tower.map_or(0, |tower| tower.score(size, planes, boards, points));
        scores.clear();
        let score = |mv: &Move| points.get(usize::from(mv.point)).copied().unwrap_or(pass);
        scores.extend(candidates.iter().map(score));
        weigh_scores(scores, weights);
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        state.memory.follow(ply);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;
    use plypack_core::Rules;

    #[test]
    fn tables_are_whole_and_unchanged() {
        assert!(DEFAULT.is_some() && DEFAULT_TOWER.len() <= 100_000);
        assert!(MAX.is_some() && MAX_TOWER.len() <= 1_000_000);
        assert_eq!(fnv1a(*DEFAULT_TOWER), 0x998f_df57_b008_789e);
        assert_eq!(fnv1a(*MAX_TOWER), 0xe0d5_2432_9f90_ea19);
    }

    #[test]
    fn the_mirrored_board_is_played_alike() {
        // The net of `line.max` learnt from all images of a board, so it knows a corner in each of
        // them.
        let share = |row: u16, column: u16| {
            let (position, mut weights) = (Go.start(), Vec::new());
            let mut candidates = Vec::new();
            Go.candidates(&position, &mut candidates);
            let model = ByTower(&MAX);
            model.weigh(&mut State::default(), &position, &candidates[..362], &mut weights);
            weights[usize::from(row * 19 + column)]
        };
        let [first, other, middle] = [share(3, 15), share(15, 3), share(9, 9)];
        assert!(first.abs_diff(other) < first / 4, "{first} and {other}");
        assert!(middle < first / 10, "{middle}");
    }
}
