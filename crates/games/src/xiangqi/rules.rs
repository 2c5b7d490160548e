//! The legal moves: all that leave the mover's king unattacked.
//!
//! Few squares decide whether a move is legal: those on the king's lines as far as they matter, and
//! those of horses and pawns near it. A move that touches none of them leaves the king as safe as
//! before, so only the others have to be tried.

use plypack_core::{Work, natively};

use super::Move;
use super::board::{
    Board, Piece, SQUARES, Side, bit, first, horses_to, leaps, nearest, pawns_to, ray, squares,
};
use super::lines::{Lines, reach};

/// Fills `out` with the legal moves of `side` by origin, then destination, both ascending.
pub(super) fn legal_moves(board: &Board, side: Side, out: &mut Vec<Move>) {
    natively(Listing { board, side, out });
}

struct Listing<'a> {
    board: &'a Board,
    side: Side,
    out: &'a mut Vec<Move>,
}

impl Work for Listing<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let Self { board, side, out } = self;
        let (ours, occupied) = (board.side(side), board.occupied());
        let Some(king) = first(board.pieces(Piece::King) & ours) else { return };
        // Kind by kind, so that branches on the kind are predictable.
        let mut destinations = [0; SQUARES];
        for piece in Piece::ALL {
            for from in squares(board.pieces(piece) & ours) {
                if let Some(place) = destinations.get_mut(usize::from(from)) {
                    *place = reach(side, piece, from, occupied) & !ours;
                }
            }
        }
        let watched = watch(board, side, king);
        let in_check = attacked(board, side, king, occupied, board.side(side.other()));
        let mut count = 0;
        for from in squares(ours) {
            let Some(place) = destinations.get_mut(usize::from(from)) else { continue };
            let to = *place;
            let apart = from == king || watched & bit(from) != 0;
            let doubtful = if apart || in_check { to } else { to & watched };
            for goal in squares(doubtful) {
                if !leaves_safe(board, side, king, from, goal) {
                    *place &= !bit(goal);
                }
            }
            count += place.count_ones() as usize;
        }
        // Written in place: `extend` would not be inlined.
        let start = out.len();
        out.resize(start + count, Move { from: 0, to: 0 });
        let mut places = out[start..].iter_mut();
        for from in squares(ours) {
            let to = destinations.get(usize::from(from)).copied().unwrap_or(0);
            for to in squares(to) {
                if let Some(place) = places.next() {
                    *place = Move { from, to };
                }
            }
        }
    }
}

/// Whether the king of `side` is attacked.
pub(super) fn in_check(board: &Board, side: Side) -> bool {
    let king = first(board.pieces(Piece::King) & board.side(side));
    king.is_some_and(|king| attacked(board, side, king, board.occupied(), board.side(side.other())))
}

/// Whether the king of `side` is safe after a move.
#[inline(always)]
fn leaves_safe(board: &Board, side: Side, king: u8, from: u8, to: u8) -> bool {
    let occupied = board.occupied() & !bit(from) | bit(to);
    let theirs = board.side(side.other()) & !bit(to);
    let king = if from == king { to } else { king };
    !attacked(board, side, king, occupied, theirs)
}

/// Whether `theirs`, some of the other side's men, attack the king of `side` on `king`, given the
/// occupied squares. Facing the other king on an open file counts as attacked.
#[inline(always)]
pub(super) fn attacked(board: &Board, side: Side, king: u8, occupied: u128, theirs: u128) -> bool {
    let near = pawns_to(side.other(), king) & board.pieces(Piece::Pawn)
        | leaps(horses_to(king), occupied) & board.pieces(Piece::Horse);
    if near & theirs != 0 {
        return true;
    }
    // Kings meet only on files, because neither leaves its palace.
    let nearest = (board.pieces(Piece::Rook) | board.pieces(Piece::King)) & theirs;
    let cannons = board.pieces(Piece::Cannon) & theirs;
    let lines = Lines::new(king.into(), occupied);
    lines.seen & nearest | lines.second & cannons != 0
}

/// Returns the squares that matter to the king of `side`: a move of another man from and to squares
/// outside this set changes nothing for it.
#[inline(always)]
pub(super) fn watch(board: &Board, side: Side, king: u8) -> u128 {
    let occupied = board.occupied();
    let theirs = board.side(side.other());
    let mut squares = pawns_to(side.other(), king) & board.pieces(Piece::Pawn) & theirs;
    let horses = board.pieces(Piece::Horse) & theirs;
    for leap in horses_to(king) {
        if leap.to & horses != 0 {
            squares |= leap.over | leap.to & horses;
        }
    }
    let sliders = theirs
        & (board.pieces(Piece::Rook) | board.pieces(Piece::Cannon) | board.pieces(Piece::King));
    for direction in 0..4 {
        let line = ray(direction, king);
        if line & sliders != 0 {
            squares |= watched_on(direction, line, occupied, sliders);
        }
    }
    squares
}

/// Returns the squares of a king's line that matter: up to its second man, because a rook attacks
/// over none and a cannon over one; or none, if no slider would be that near even after one man
/// left.
fn watched_on(direction: usize, line: u128, occupied: u128, sliders: u128) -> u128 {
    let Some(one) = nearest(direction, line & occupied) else { return 0 };
    let beyond = ray(direction, one);
    let Some(two) = nearest(direction, beyond & occupied) else { return line };
    let beyond = ray(direction, two);
    let three = nearest(direction, beyond & occupied).map_or(0, bit);
    if (bit(one) | bit(two) | three) & sliders == 0 { 0 } else { line & !beyond }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::board::PALACES;
    use crate::xiangqi::{Position, Xiangqi};
    use plypack_core::Rules;
    use plypack_core::testkit::Random;

    /// Lists the legal moves by trying each one: afterwards no man may reach the king, and the
    /// kings may not face each other.
    fn tried(board: &Board, side: Side) -> Vec<Move> {
        let ours = board.side(side);
        let mut moves = Vec::new();
        for from in squares(ours) {
            let piece = board.piece_on(from).expect("a man");
            for to in squares(reach(side, piece, from, board.occupied()) & !ours) {
                let mut after = board.clone();
                after.play(side, from, to);
                let kings = after.pieces(Piece::King);
                let king = kings & after.side(side);
                let theirs = after.side(side.other());
                let reached = squares(theirs).any(|man| {
                    let piece = after.piece_on(man).expect("a man");
                    reach(side.other(), piece, man, after.occupied()) & king != 0
                });
                let [low, high] = squares(kings).collect::<Vec<_>>()[..] else { panic!("kings") };
                let between = (low + 9..high).step_by(9).all(|s| after.piece_on(s).is_none());
                let facing = low % 9 == high % 9 && between;
                if !reached && !facing {
                    moves.push(Move { from, to });
                }
            }
        }
        moves
    }

    fn below(random: &mut Random, bound: usize) -> usize {
        usize::try_from(random.next_u64() % bound as u64).expect("a small number")
    }

    /// Places men of all kinds anywhere, kings in their palaces.
    fn crowd(random: &mut Random) -> Board {
        let mut board = Board::default();
        for side in [Side::Red, Side::Black] {
            let palace: Vec<_> = squares(PALACES[side as usize]).collect();
            board.put(palace[below(random, palace.len())], side, Piece::King);
        }
        for _ in 0..6 + below(random, 20) {
            let free: Vec<_> = (0..90).filter(|&s| board.piece_on(s).is_none()).collect();
            let side = [Side::Red, Side::Black][below(random, 2)];
            board.put(free[below(random, free.len())], side, Piece::ALL[1 + below(random, 6)]);
        }
        board
    }

    #[test]
    fn watched_squares_are_all_that_matter() {
        let (mut positions, mut checks) = (0, 0);
        for seed in 0..600 {
            let mut random = Random::new(seed);
            let mut position = Position::default();
            if seed >= 40 {
                position.board = crowd(&mut random);
            }
            if in_check(&position.board, Side::Black) {
                continue;
            }
            for _ in 0..60 {
                let mut moves = Vec::new();
                legal_moves(&position.board, position.side, &mut moves);
                let mut fen = String::new();
                position.write_fen(&mut fen);
                assert_eq!(moves, tried(&position.board, position.side), "{fen}");
                positions += 1;
                checks += u32::from(in_check(&position.board, position.side));
                if moves.is_empty() {
                    break;
                }
                position.play(moves[below(&mut random, moves.len())]);
            }
        }
        assert!(positions > 10_000 && checks > 500, "{positions} positions, {checks} checks");
    }

    fn moves(fen: &str) -> String {
        let position = Position::read_fen(fen).expect(fen);
        let mut moves = Vec::new();
        Xiangqi.candidates(&position, &mut moves);
        let square = |square: u8| format!("{}{}", char::from(b'a' + square % 9), square / 9);
        let texts = moves.iter().map(|mv| square(mv.from) + &square(mv.to));
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn blocked_ways() {
        // A pawn is ahead of the horse, another on an eye of both elephants.
        assert_eq!(
            moves("3k5/9/9/9/9/4P4/4N4/2B6/3P5/2B2K3 w - - 0 1"),
            "c0a2 f0e0 f0f1 d1d2 c2a0 c2a4 e3f1 e3g2 e3c4 e3g4 e4e5"
        );
    }
}
