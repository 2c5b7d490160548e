//! The heuristic order of othello's `line.ranked`: a sum of criteria that players use.
//!
//! `SPEC.md` describes it for other implementations.

use plypack_core::Ply;
use plypack_core::codecs::line::ranked::MoveOrder;

use super::rules::{moves, turned};
use super::{Othello, Position, ranks};
use crate::common::spread;

/// The order.
#[derive(Debug)]
pub struct Order;

/// What the order remembers of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// The cell of the last move.
    last: Option<u8>,
    /// Where the side to move could have played before that move.
    earlier: u64,
}

/// What a move is worth at one stage of the game. A unit is 1/64 of log probability.
struct Worth {
    /// By the kind of cell, as in [`KINDS`].
    cell: [i32; 9],
    /// For each move that the other player has afterwards.
    their_moves: i32,
    /// For each move that the player would have afterwards if it were their turn again.
    our_moves: i32,
    /// For each empty cell next to the disc or a turned one, afterwards.
    frontier: i32,
    /// For each turned disc.
    turned: i32,
    /// For each corner that the other player may take afterwards.
    corner_given: i32,
    /// If the cell is next to the cell of the move before.
    beside: i32,
    /// If the region of empty cells around this one, itself included, has an odd number of cells.
    odd: i32,
    /// For each empty cell next to this one.
    room: i32,
    /// If the move before made this one possible.
    new: i32,
}

/// By quarter of the game, by the number of empty cells: more than 45, 30, 15, and the rest. Fitted
/// to the games that the rank frequencies come from, and rounded.
const STAGES: [Worth; 4] = [
    Worth {
        cell: [-28, -176, -64, -119, -323, 4, 5, 27, 19],
        their_moves: -22,
        our_moves: 13,
        frontier: -17,
        turned: -44,
        corner_given: -116,
        beside: -37,
        odd: -12,
        room: -25,
        new: 16,
    },
    Worth {
        cell: [-34, -75, -20, -68, -189, 7, 17, 18, 22],
        their_moves: -23,
        our_moves: 12,
        frontier: -30,
        turned: -31,
        corner_given: -199,
        beside: 6,
        odd: -4,
        room: 9,
        new: 30,
    },
    Worth {
        cell: [-10, -55, -12, -25, -81, 9, 19, 20, 27],
        their_moves: -25,
        our_moves: 11,
        frontier: -21,
        turned: -12,
        corner_given: -117,
        beside: 18,
        odd: 10,
        room: 14,
        new: 34,
    },
    Worth {
        cell: [13, -18, -8, -11, -19, -2, -2, 4, -1],
        their_moves: -29,
        our_moves: 16,
        frontier: -9,
        turned: 5,
        corner_given: -67,
        beside: 31,
        odd: 47,
        room: 10,
        new: 29,
    },
];

/// The kinds of cells up to symmetry, for the upper left quarter: a1 b1 c1 d1, a2 …. The four cells
/// in the middle, which are candidates only in set-up positions, are of kind d3.
const KINDS: [[u8; 4]; 4] = [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 8]];

/// By convention records begin with f5, one of four symmetric moves.
const FIRST: (u8, i32) = (37, 512);

/// a1, h1, a8 and h8.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The largest difference from the best key that counts as close, and as within sight: one unit of
/// log probability, and three.
const NEAR: [i32; 2] = [64, 192];

/// Number of frequency tables.
pub const TABLES: usize = spread::TABLES;

/// Returns the number of the frequency table for these keys.
pub fn table(keys: &[i32]) -> usize {
    spread::table(keys, NEAR)
}

impl MoveOrder<Othello> for Order {
    type State = State;

    fn begin(&self, _: &Position) -> State {
        State::default()
    }

    fn keys(&self, state: &State, position: &Position, candidates: &[u8], keys: &mut Vec<i32>) {
        let [own, other] = position.sides();
        let empty = (!(own | other)).count_ones();
        let stage = 60u32.saturating_sub(empty) / 15;
        let worth = STAGES.get(stage as usize).unwrap_or(&STAGES[3]);
        let first = if empty == 60 { FIRST } else { (0, 0) };
        keys.extend(candidates.iter().map(|&cell| {
            worth.of(state, [own, other], cell) + if cell == first.0 { first.1 } else { 0 }
        }));
    }

    fn weights(&self, _: &Position, keys: &[i32]) -> &[u16] {
        ranks::ORDER.table(table(keys))
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Othello>) {
        let [black, white] = ply.before.discs();
        let earlier = if ply.after.white_to_move() { [white, black] } else { [black, white] };
        *state = State { last: Some(ply.mv()), earlier: moves(earlier[0], earlier[1]) };
    }
}

impl Worth {
    fn of(&self, state: &State, [own, other]: [u64; 2], cell: u8) -> i32 {
        let disc = 1u64 << (cell & 63);
        let turned = turned(own, other, cell);
        let (own, other) = (own | turned | disc, other & !turned);
        let empty = !(own | other);
        let their_moves = moves(other, own);
        let count = |cells: u64| i32::try_from(cells.count_ones()).unwrap_or(0);
        let when = |holds: bool, worth: i32| if holds { worth } else { 0 };
        let beside_last = state.last.is_some_and(|last| around(1 << (last & 63)) & disc != 0);
        self.cell[kind(cell)]
            + self.their_moves * count(their_moves)
            + self.our_moves * count(moves(own, other))
            + self.frontier * count(around(turned | disc) & empty)
            + self.turned * count(turned)
            + self.corner_given * count(their_moves & CORNERS)
            + self.room * count(around(disc) & empty)
            + when(beside_last, self.beside)
            + when(region(disc, empty | disc).count_ones() % 2 == 1, self.odd)
            + when(state.earlier & disc == 0, self.new)
    }
}

/// Returns the kind of a cell, below 9, by its place in its quarter.
#[inline(always)]
pub fn kind(cell: u8) -> usize {
    let fold = |place: u8| usize::from(place.min(7 - place));
    KINDS[fold(cell / 8 % 8)][fold(cell % 8)].into()
}

/// Returns the cells of a set and their eight neighbours.
#[inline(always)]
pub fn around(cells: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let rows = cells | cells << 1 & NOT_A | cells >> 1 & NOT_H;
    rows | rows << 8 | rows >> 8
}

/// Returns the cells of `empty` that are connected with `cells`.
#[inline(always)]
pub fn region(mut cells: u64, empty: u64) -> u64 {
    loop {
        let more = around(cells) & empty;
        if more == cells {
            return cells;
        }
        cells = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_states_the_worths() {
        let cells = |stage: usize| STAGES[stage].cell;
        let mut rows: Vec<(&str, [i32; 4])> = Vec::new();
        for (kind, name) in
            ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3"].iter().enumerate()
        {
            rows.push((name, std::array::from_fn(|stage| cells(stage)[kind])));
        }
        let of = |worth: fn(&Worth) -> i32| STAGES.each_ref().map(worth);
        rows.push(("their moves", of(|worth| worth.their_moves)));
        rows.push(("our moves", of(|worth| worth.our_moves)));
        rows.push(("frontier", of(|worth| worth.frontier)));
        rows.push(("turned", of(|worth| worth.turned)));
        rows.push(("corner given", of(|worth| worth.corner_given)));
        rows.push(("beside", of(|worth| worth.beside)));
        rows.push(("odd", of(|worth| worth.odd)));
        rows.push(("room", of(|worth| worth.room)));
        rows.push(("new", of(|worth| worth.new)));
        let (_, stated) = include_str!("SPEC.md").split_once("| | times |").expect("the table");
        let mut lines = stated.lines().skip(2);
        for (name, worths) in rows {
            let cells: Vec<&str> = lines.next().expect(name).trim_matches('|').split('|').collect();
            assert!(cells[0].trim().ends_with(name), "{name}: {cells:?}");
            let stated: Vec<_> = cells[2..].iter().map(|cell| cell.trim().parse()).collect();
            assert_eq!(stated, worths.map(Ok), "{name}");
        }
    }

    #[test]
    fn cells_alike_are_of_one_kind() {
        let cells = |wanted| (0..64).filter(move |&cell| kind(cell) == wanted).count();
        let counts: Vec<usize> = (0..9).map(cells).collect();
        assert_eq!(counts, [4, 8, 8, 8, 4, 8, 8, 4, 12]);
        assert_eq!((kind(0), kind(6), kind(9), kind(63 - 8)), (0, 1, 4, 1));
    }

    #[test]
    fn regions_hang_together_at_corners_too() {
        // b2 joins a1 and c1; h8 is isolated.
        let empty = 1 | 1 << 2 | 1 << 9 | 1 << 63;
        assert_eq!(region(1, empty), 1 | 1 << 2 | 1 << 9);
        assert_eq!(region(1 << 63, empty), 1 << 63);
        // Column h does not touch column a of the next row.
        assert_eq!(around(1 << 7), 1 << 6 | 1 << 7 | 1 << 14 | 1 << 15);
    }
}
