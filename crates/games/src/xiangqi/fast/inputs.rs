//! The inputs of the nets that look closer at the candidates of a glance.
//!
//! Every man is one input, by its side, kind, square and status: whether it is attacked, by whom,
//! and whether it is guarded. So a net sees threats without adding up more rows than there are men.

use super::features::Seen;
use crate::xiangqi::Position;
use crate::xiangqi::board::{SQUARES, squares};
use plypack_core::each;

/// Number of statuses: see [`View::status`](super::view::View::status).
const STATUSES: u16 = 6;

/// Whether a man of ours of this kind may stand on a square.
const fn stands(role: usize, square: usize) -> bool {
    let (file, rank) = (square % 9, square / 9);
    match role {
        0 => rank < 3 && file > 2 && file < 6,
        1 => {
            let middle = rank == 1 && file == 4;
            middle || (rank == 0 || rank == 2) && (file == 3 || file == 5)
        }
        2 => match rank {
            0 | 4 => file == 2 || file == 6,
            2 => file == 0 || file == 4 || file == 8,
            _ => false,
        },
        6 => rank > 4 || rank > 2 && file % 2 == 0,
        _ => true,
    }
}

/// Numbers the places of men from `next` on: of ours, then of theirs on the rotated board.
const fn number() -> ([[u16; 128]; 16], u16) {
    let mut places = [[0; 128]; 16];
    let mut next = 0;
    each!(man, 14, {
        let (theirs, role) = (man / 7 == 1, man % 7);
        let row = if theirs { 8 + role } else { role };
        // On an impossible square a man counts as on its first one.
        places[row] = [next; 128];
        each!(square, SQUARES, {
            if stands(role, if theirs { SQUARES - 1 - square } else { square }) {
                places[row][square] = next;
                next += STATUSES;
            }
        });
    });
    (places, next)
}

const NUMBERED: ([[u16; 128]; 16], u16) = number();

/// By kind, ours from king 0, theirs from king 8, then square: the first input.
static PLACES: [[u16; 128]; 16] = NUMBERED.0;

/// The first input for the squares of the last moves.
const LAST: u16 = NUMBERED.1;

/// Number of inputs: men by side, kind, square and status; the squares of the opponent's last move
/// and of the mover's own; one that is always active.
pub const INPUTS: u16 = LAST + 4 * 90 + 1;

/// A bound above the active inputs of a position: 90 men, four squares and one.
const ROOM: usize = 128;

/// Fills `inputs` with the active inputs of a position.
#[inline(always)]
pub fn fill(seen: &Seen, position: &Position, inputs: &mut Vec<u16>) {
    let mut list = [0; ROOM];
    let mut count = 0;
    let mut add = |input: u16| {
        list[count % ROOM] = input;
        count += 1;
    };
    let view = &seen.view;
    // Below 6.
    #[expect(clippy::cast_possible_truncation)]
    let status = |at: usize| view.status(at) as u16;
    for at in squares(view.ours) {
        let at = usize::from(at);
        add(PLACES[view.role(at) % 16][usize::from(view.turn(at)) % 128] + status(at));
    }
    for at in squares(position.board.occupied() & !view.ours) {
        let at = usize::from(at);
        add(PLACES[(7 + view.taken(at)) % 16][usize::from(view.turn(at)) % 128] + status(at));
    }
    for (past, first) in [seen.last, seen.own].into_iter().zip([LAST, LAST + 180]) {
        if let Some(past) = past {
            add(first + u16::from(past.from));
            add(first + 90 + u16::from(past.to));
        }
    }
    add(LAST + 360);
    inputs.extend_from_slice(&list[..count % ROOM]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::past::Pasts;

    #[test]
    fn places_are_numbered_through() {
        assert_eq!(LAST, 2 * (9 + 5 + 7 + 3 * 90 + 55) * STATUSES);
        let mut firsts: Vec<u16> = PLACES[..7].concat();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 346);
        assert_eq!(PLACES[8][SQUARES - 1 - 4], LAST / 2 + STATUSES * 7);
    }

    /// Returns the status that the inputs give for a man on a known square.
    fn status(fen: &str, man: usize, square: usize) -> u16 {
        let position = Position::read_fen(fen).expect(fen);
        let mut inputs = Vec::new();
        fill(&Seen::new(&Pasts::default(), &position), &position, &mut inputs);
        let first = PLACES[man][square];
        let of_man: Vec<u16> = inputs.into_iter().filter(|&input| input / 6 == first / 6).collect();
        assert_eq!(of_man.len(), 1, "{fen}");
        of_man[0] - first
    }

    #[test]
    fn statuses_by_hand() {
        // Our rook on a0 attacks their horse on a5, which their elephant on c7 guards.
        let fen = "3k5/9/2b6/9/n8/9/9/9/9/R3K4 w - - 0 30";
        assert_eq!((status(fen, 4, 0), status(fen, 8 + 3, 45)), (0, 3));
        assert_eq!(status(fen, 8 + 2, 65), 0);
        // The same from the other side: our horse is attacked by a man of greater worth.
        let fen = fen.replace(" w ", " b ");
        assert_eq!((status(&fen, 3, 89 - 45), status(&fen, 8 + 4, 89)), (3, 0));
        // A pawn attacks a rook that another guards; that one attacks the pawn, which is not
        // guarded.
        let fen = "3k5/9/9/9/9/4p4/4R4/4R4/9/5K3 w - - 0 30";
        assert_eq!((status(fen, 4, 31), status(fen, 4, 22), status(fen, 8 + 6, 40)), (5, 1, 2));
    }
}
