//! What `line.default` of othello remembers of a line.

use plypack_core::Ply;

use crate::othello::Othello;
use crate::othello::link::features::turn_of;
use crate::othello::link::scene::cell_turned;
use crate::othello::rules::moves;

/// What is remembered of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past {
    /// The turn of the board: see `scene::turned`.
    pub turn: u8,
    /// The cells of the last two moves on the turned board, the latest first.
    pub cells: [Option<u8>; 2],
    /// Where the side to move could have played before the last move, on the board as it is.
    pub earlier: u64,
    /// For Black and White, on the board as it is: the number of consecutive turns of the player on
    /// which a cell was a candidate that was not chosen, up to 7; the bits of these numbers, the
    /// lowest first.
    pub ages: [[u64; 3]; 2],
}

impl Past {
    /// Records a move.
    #[inline(always)]
    pub fn follow(&mut self, ply: &Ply<'_, Othello>) {
        self.turn = turn_of(self.turn, ply);
        self.cells = [Some(cell_turned(ply.mv(), self.turn)), self.cells[0]];
        let offered = ply.before.moves() & !(1 << (ply.mv() & 63));
        let ages = &mut self.ages[usize::from(ply.before.white_to_move())];
        let [low, middle, high] = *ages;
        let full = low & middle & high;
        *ages = [!low | full, middle ^ low | full, high ^ (low & middle) | full]
            .map(|bits| bits & offered);
        let [black, white] = ply.before.discs();
        let [own, other] = if ply.after.white_to_move() { [white, black] } else { [black, white] };
        self.earlier = moves(own, other);
    }

    /// Returns how a move has waited: whether it is new (could not be made just before the last
    /// move), whether the opponent could make it now, its age, and the kind of its cell.
    #[inline(always)]
    pub fn wait(&self, ages: [u64; 3], theirs_now: u64, disc: u64, kind: usize) -> usize {
        let has = |set: u64| usize::from(set & disc != 0);
        let [low, middle, high] = ages.map(has);
        let age = 4 * high + 2 * middle + low;
        (((1 - has(self.earlier)) * 2 + has(theirs_now)) * 8 + age) * 9 + kind
    }
}
