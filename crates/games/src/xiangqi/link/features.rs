//! The features of `line.link/7`.
//!
//! Everything is from the point of view of the side to move: for Black the board is rotated by 180
//! degrees, so that every feature is written for a player who moves up the board. The features
//! (`scene.rs`) take little more than look-ups.

use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Work, natively};

use super::rows;
use super::scene::{Origin, Scene};
use crate::common::past::{Past, Pasts};
use crate::common::slots::slots;
use crate::xiangqi::board::{Piece, bit};
use crate::xiangqi::{Move, Position, Xiangqi};

slots! {
    light of LIGHT {
        FOLDED = ("folded", rows::COUNTS.0 as usize),
        TIME = ("time", 15 * 630),
        SET_UP = ("set-up", 8 * 630),
        ANSWER = ("answer", ANSWERS),
        PLAN = ("plan", PLANS),
        CONTEXT = ("context", CONTEXTS),
        TO = ("to", 4 * 630),
        FROM = ("from", 4 * 630),
        NEAR_THEIRS = ("near-theirs", 49 * 7 * 7),
        NEAR_OURS = ("near-ours", 49 * 7 * 7),
        EXCHANGE = ("exchange", 7 * 2 * 6 * 8),
        LEAVE = ("leave", 7 * 6 * 2 * 5),
        RETAKE = ("retake", 3 * 7 * 8 * 5),
        REPLY = ("reply", 7 * 2 * 7 * 5),
        CHASED = ("chased", 8 * 7 * 5),
        CHECK = ("check", 4 * 7 * 5),
        AGAIN = ("again", 3 * 7 * 7),
        THREAT = ("threat", 5 * 2 * 7 * 5),
        KING = ("king", 7 * 10 * 10),
        AIM = ("aim", 2 * 9 * 9),
        FREEDOM = ("freedom", 15 * 3 * 4),
        HANGING = ("hanging", 4 * 7 * 7 * 5),
        REPEAT = ("repeat", 8 * 7),
        CHOICE = ("choice", 8 * 2 * 2 * 2),
        FRONT = ("front", 15 * 10 * 7),
        LEGS = ("legs", 16 * 7 * 4),
        LINES = ("lines", 16 * 7),
        SCREENS = ("screens", 16 * 7),
        UNDEFENDS = ("undefends", 8 * 7 * 2),
        DEFENDS = ("defends", 8 * 7 * 2),
    }
}

/// Number of features of the group `answer`: pairs of moves share them by hash.
pub const ANSWERS: usize = 6000;

/// Number of features of the group `plan`.
pub const PLANS: usize = 3000;

/// Number of features of the group `context`.
pub const CONTEXTS: usize = 4000;

/// The features of `line.link/7`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Xiangqi> for Eyes {
    type State = Pasts;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: LIGHT, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn see(&self, pasts: &Pasts, position: &Position, candidates: &[Move], sight: &mut Sight) {
        natively(Seeing { pasts, position, candidates, sight });
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Xiangqi>) {
        *pasts = follow(*pasts, ply);
    }
}

/// A look at all candidates.
struct Seeing<'a> {
    pasts: &'a Pasts,
    position: &'a Position,
    candidates: &'a [Move],
    sight: &'a mut Sight,
}

impl Work for Seeing<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let Self { pasts, position, candidates, sight } = self;
        let scene = Scene::new(pasts, position, candidates.len());
        sight.light.resize(candidates.len() * LIGHT, 0);
        let mut each = sight.light.as_chunks_mut::<LIGHT>().0.iter_mut();
        for moves in candidates.chunk_by(|a, b| a.from == b.from) {
            let Some(origin) = moves.first().map(|mv| Origin::new(&scene, mv.from)) else { break };
            for (mv, slots) in moves.iter().zip(each.by_ref()) {
                scene.see(&origin, mv.to, slots);
            }
        }
    }
}

/// Returns the last moves after one more.
#[inline(always)]
pub fn follow([first, second, third, _]: Pasts, ply: &Ply<'_, Xiangqi>) -> Pasts {
    let board = &ply.before.board;
    let Move { from, to } = ply.mv();
    let role = board.piece_on(from).unwrap_or(Piece::Pawn) as u8;
    let captured = board.occupied() & bit(to) != 0;
    [Some(Past { from, to, role, captured }), first, second, third]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::board::Side;
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Rules};

    /// Returns the slots of all candidates.
    fn seen(pasts: &Pasts, position: &Position) -> (Vec<Move>, Vec<Vec<u16>>) {
        let mut moves = Vec::new();
        Xiangqi.candidates(position, &mut moves);
        let mut sight = Sight::default();
        Eyes.see(pasts, position, &moves, &mut sight);
        (moves, sight.light.chunks(LIGHT).map(<[u16]>::to_vec).collect())
    }

    /// Returns the slots of the move between two squares of the position of a FEN.
    fn seen_at(fen: &str, from: u8, to: u8) -> Vec<u16> {
        let position = Position::read_fen(fen).expect(fen);
        let (moves, mut all) = seen(&Pasts::default(), &position);
        all.swap_remove(moves.iter().position(|&mv| mv == Move { from, to }).expect("a move"))
    }

    fn turned(mut position: Position) -> Position {
        let turn = |set: u128| set.reverse_bits() >> 38;
        let mut board = crate::xiangqi::board::Board::default();
        for (side, seat) in [(Side::Red, Side::Black), (Side::Black, Side::Red)] {
            for piece in Piece::ALL {
                let men = position.board.pieces(piece) & position.board.side(side);
                board.put_all(turn(men), seat, piece);
            }
        }
        position.board = board;
        position.side = position.side.other();
        position
    }

    #[test]
    fn black_sees_what_red_sees() {
        let mut random = Random::new(11);
        let mut position = Position::default();
        let mut pasts = Pasts::default();
        for _ in 0..300 {
            let pasts_over = pasts.map(|past| past.map(|past| past.seen(|square| 89 - square)));
            let (moves, all) = seen(&pasts, &position);
            let (moves_over, mut all_over) = seen(&pasts_over, &turned(position.clone()));
            all_over.reverse();
            assert_eq!(all.len(), moves_over.len());
            let mut pairs = all.iter().zip(&all_over);
            // On the rotated board candidates come by descending origin, then descending
            // destination.
            assert!(pairs.all(|(one, other)| one == other), "{position:?}");
            let Some(&mv) =
                moves.get(usize::try_from(random.next_u64()).unwrap_or(0) % moves.len().max(1))
            else {
                position = Position::default();
                pasts = Pasts::default();
                continue;
            };
            let before = position.clone();
            position.play(mv);
            let ply = Ply::new(Candidates::listed(&before, &moves), mv, &position);
            Eyes.update(&mut pasts, &ply);
        }
    }

    /// Returns the number of a feature within its group.
    fn within(slots: &[u16], slot: usize) -> usize {
        usize::from(slots[slot] - FIRST[slot])
    }

    #[test]
    fn a_rook_takes_a_guarded_horse() {
        // The rook on a0 takes the horse on a5, which the elephant on c7 guards.
        let fen = "4k4/9/2b6/9/n8/9/9/9/9/R3K4 w - - 0 30";
        let fen = fen.replace("4k4", "3k5");
        let light = seen_at(&fen, 0, 45);
        assert_eq!(within(&light, light::EXCHANGE), ((4 * 2) * 6 + 2) * 8 + 4);
    }
}
