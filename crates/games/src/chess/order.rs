//! The heuristic order of `line.ranked` for chess: likelier moves first.
//!
//! A move's key is a sum of small trained weights, one for each of its features. Facts about the
//! whole position are computed once and kept in bitboards, so that a move costs a few dozen shifts
//! and look-ups. `SPEC.md` states every feature. The weights and the frequencies of the ranks are
//! in `ranked.order`, written by `cargo xtask ranks`; `ranks.rs` names the games that they
//! were learnt from, and the xtask explains how.

use cozy_chess::{Board, Color, Move, Piece, Square, get_line_rays, get_pawn_attacks};
use plypack_core::codecs::line::ranked::{MoveOrder, Tally, table};
use plypack_core::{Ply, each};

use super::attacks::{attacks_of, by_pawns};
use super::default::exchange::Men;
use super::sets::{A_FILE, Octal, above, beside, bit, few, fill_files, squares};
use super::threats::{checks, in_danger, targets};
use super::{Chess, Position, ranks};
use crate::common::classes;
use crate::common::cover::Cover;
use crate::common::slots::order_groups;

/// The order.
#[derive(Debug)]
pub struct Order;

/// The state of a line: the destination of the opponent's last move, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    to: Square,
    captured: bool,
}

impl MoveOrder<Chess> for Order {
    type State = State;

    fn begin(&self, _: &Position) -> State {
        State::default()
    }

    fn keys(&self, state: &State, position: &Position, candidates: &[Move], keys: &mut Vec<i32>) {
        tally(*state, position, candidates, |key: Key| keys.push(key.0));
    }

    fn weights(&self, _: &Position, keys: &[i32]) -> &[u16] {
        ranks::ORDER.table(table(keys))
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Chess>) {
        let to = ply.mv().to;
        let board = &ply.before.board;
        let captured = board.colors(!board.side_to_move()).has(to);
        state.last = Some(Last { to, captured });
    }
}

order_groups! {
    /// A move has at most one feature of a group.
    TO = ("to", 7 * 6 * 64),
    FROM = ("from", 7 * 6 * 64),
    EXCHANGE = ("exchange", 6 * 128),
    LEAVE = ("leave", 6 * 16 * 5),
    CHECK = ("check", 4 * 6 * 5),
    CHASED = ("chased", 7 * 6 * 5),
    PROMOTION = ("promotion", 4 * 2),
    THREAT = ("threat", 5 * 6 * 2),
    HANGING = ("hanging", 4 * 6 * 5),
    KING = ("king", 6 * 64),
    NEAR = ("near", 2 * 6 * 8),
    PAWN = ("pawn", 18 * 4),
    FILE = ("file", 2 * 16),
    CASTLING = ("castling", 2 * 7),
}

/// The worth of pawn, knight, bishop, rook, queen and king.
const WORTH: [i8; 6] = [1, 3, 3, 5, 9, 50];

/// The outcome of a move to a square, by the index in the group `exchange`: 0 loses material, 1
/// captures and loses nothing, 2 is an even exchange, 3 wins one or two pawns, 4 wins more.
pub(super) static OUTCOME: [u8; 6 * 128] = {
    let taken = [0, 1, 3, 3, 5, 9, 0, 0];
    let attacker = [0, 1, 3, 5, 9, 50, 0, 0];
    let mut outcomes = [0; 6 * 128];
    each!(i, outcomes.len(), {
        let man = WORTH[i / 128];
        let gain = taken[i % 8];
        let by = i / 8 % 8;
        let defended = i / 64 % 2 == 1;
        let lost = if by == 0 || by == 5 && defended {
            0
        } else if defended {
            man - attacker[by]
        } else {
            man
        };
        let net = if lost > 0 { gain - lost } else { gain };
        outcomes[i] = match net {
            ..0 => 0,
            0 if gain == 0 => 1,
            0 => 2,
            1 | 2 => 3,
            _ => 4,
        };
    });
    outcomes
};

/// Returns the phase, by the pieces of both sides (N 3, B 3, R 5, Q 9): at least 50, 32, 16, or
/// less.
#[inline(always)]
pub(super) fn phase(board: &Board) -> usize {
    let count = |piece| board.pieces(piece).len();
    let minors = count(Piece::Knight) + count(Piece::Bishop);
    phase_of(3 * minors + 5 * count(Piece::Rook) + 9 * count(Piece::Queen))
}

/// Returns the phase, by the worth of the pieces.
#[inline(always)]
pub(super) fn phase_of(worth: u32) -> usize {
    match worth {
        50.. => 0,
        32.. => 1,
        16.. => 2,
        _ => 3,
    }
}

/// The distance between two squares in king's steps: the larger of the differences of files and
/// ranks.
pub(super) static DISTANCE: [[u8; 64]; 64] = {
    let mut rows = [[0; 64]; 64];
    each!(pair, 0usize, 64 * 64, {
        let (a, b) = (pair / 64, pair % 64);
        let files = (a % 8).abs_diff(b % 8);
        let ranks = (a / 8).abs_diff(b / 8);
        // At most 7, but a constant cannot use `try_from`.
        #[expect(clippy::cast_possible_truncation)]
        {
            rows[a][b] = if files > ranks { files } else { ranks } as u8;
        }
    });
    rows
};

/// Facts shared by all moves of a position.
struct Scene {
    us: Color,
    /// The men of both sides, and ours.
    occupied: u64,
    ours: u64,
    /// Our pawns, and theirs; and the files that have them.
    pawns: [u64; 2],
    files: [u64; 2],
    /// Our men by kind.
    roles: Octal,
    /// Flips squares so that the side to move is below: 0 for White, 56 for Black.
    turn: usize,
    stage: usize,
    phase: usize,
    /// Their men: 0 none, 1 pawn … 5 queen.
    men: Octal,
    /// Their least attacker: 0 none, 1 pawn, 2 knight or bishop, 3 rook, 4 queen, 5 king.
    least: Octal,
    /// The squares that our men attack.
    cover: Cover<u64>,
    their_king: Square,
    /// The distances from their king.
    king_distance: &'static [u8; 64],
    /// The distances from the destination of their last move, and whether it captured.
    last: Option<(&'static [u8; 64], usize)>,
    /// The squares from which each kind of man would give check.
    checks: [u64; 8],
    /// Our men that give discovered check when they leave their line.
    covers: u64,
    /// For each kind of man, their men worth attacking with it.
    targets: [u64; 8],
    /// Our man most in danger, its kind and its attackers. Empty, and a pawn, if there is none.
    hanging: (u64, usize, u64),
    /// Their knights and bishops, rooks, queens.
    worth: [u64; 3],
    /// The squares that the man that moved last attacks, and its kind.
    chaser: Option<(u64, usize)>,
}

/// Returns the squares that a man of a colour attacks. Not inlined: pages hold this code.
fn reach_of(color: Color, role: usize, from: usize, occupied: u64) -> u64 {
    attacks_of(color, role, from, occupied)
}

/// Returns the squares that a side's pawns, minor pieces, rooks, queens and king attack.
fn attacked_by(side: Color, men: &[u64; 6], occupied: u64) -> [u64; 5] {
    let by = |role: usize| {
        squares(men[role]).fold(0, |all, from| all | reach_of(side, role, from, occupied))
    };
    let [west, east] = by_pawns(men[0], side == Color::White);
    [west | east, by(1) | by(2), by(3), by(4), by(5)]
}

/// Returns the squares that a side's men attack.
fn covered_by(side: Color, men: &[u64; 6], occupied: u64) -> Cover<u64> {
    let [west, east] = by_pawns(men[0], side == Color::White);
    let mut cover = Cover { once: west | east, twice: west & east };
    for (role, &men) in men.iter().enumerate().skip(1) {
        squares(men).for_each(|from| cover.add(reach_of(side, role, from, occupied)));
    }
    cover
}

impl Scene {
    fn new(state: State, position: &Position) -> Self {
        let board = &position.board;
        let us = board.side_to_move();
        let men = Men::of(board);
        let [our, their] = [us, !us].map(|side| men.by_kind[side as usize]);
        let [ours, theirs] = [us, !us].map(|side| men.sides[side as usize]);
        let occupied = men.occupied;
        let by_them = attacked_by(!us, &their, occupied);
        let (least, attacked) = Octal::cheapest(by_them);
        let cover = covered_by(us, &our, occupied);
        let their_king = board.king(!us);
        let (checks, covers) = checks(their_king as usize, us, &our, occupied);
        let [pawns, knights, bishops, rooks, queens, king] = their;
        let hanging = men.hanging(us as usize, in_danger(&our, by_them, cover.once));
        let chaser = state.last.and_then(|last| {
            let role = board.piece_on(last.to)? as usize;
            Some((reach_of(!us, role, last.to as usize, occupied), role))
        });
        let phase = phase(board);
        Self {
            us,
            occupied,
            ours,
            pawns: [our[0], pawns],
            files: [fill_files(our[0]), fill_files(pawns)],
            roles: Octal::new([our[1] | our[3] | our[5], our[2] | our[3], our[4] | our[5]]),
            turn: if us == Color::White { 0 } else { 56 },
            stage: classes::stage(phase, position.fullmove_number),
            phase,
            men: Octal::new([pawns | bishops | queens, knights | bishops, rooks | queens]),
            least,
            cover,
            their_king,
            king_distance: &DISTANCE[their_king as usize],
            last: state.last.map(|last| (&DISTANCE[last.to as usize], usize::from(last.captured))),
            checks,
            covers,
            targets: targets(theirs & !attacked & !king, &their),
            hanging: hanging.map_or((0, 0, 0), |(man, role, by)| (man, role, by & !king)),
            worth: [knights | bishops, rooks, queens],
            chaser,
        }
    }
}

/// Calls `done` with the tally of each candidate, in turn.
pub fn tally<T: Tally>(
    state: State,
    position: &Position,
    candidates: &[Move],
    mut done: impl FnMut(T),
) {
    let scene = Scene::new(state, position);
    // Candidates come by origin, so facts of the origin alone are computed once.
    for moves in candidates.chunk_by(|a, b| a.from == b.from) {
        let Some(first) = moves.first() else { continue };
        let origin = Origin::new(&scene, first.from);
        for &mv in moves {
            done(origin.tally(&scene, mv));
        }
    }
}

/// Facts shared by all moves of a man.
///
/// `leave`, `chased`, `to`, `king` and `file` are feature numbers in the groups of these names,
/// without the destination's part.
struct Origin<T> {
    /// The kind, from pawn 0 to king 5.
    role: usize,
    /// A tally of the origin's part.
    base: T,
    leave: usize,
    /// The destinations that give discovered check.
    uncovers: u64,
    chased: usize,
    to: usize,
    king: usize,
    /// Used for rooks and queens only, else 0.
    file: usize,
}

impl<T: Tally> Origin<T> {
    fn new(scene: &Scene, square: Square) -> Self {
        let from = square as usize;
        let role = scene.roles.at(from);
        let plane = (scene.stage * 6 + role) * 64;
        let mut base = T::default();
        base.add(FROM + plane + (from ^ scene.turn));
        let defended = bit(scene.cover.once, from);
        let chaser = scene.chaser.filter(|&(squares, _)| bit(squares, from) == 1);
        let chaser = chaser.map_or(0, |(_, role)| 1 + role);
        let covers = bit(scene.covers, from) == 1;
        Self {
            role,
            base,
            leave: LEAVE + (role * 16 + scene.least.at(from) * 2 + defended) * 5,
            uncovers: if covers { !get_line_rays(scene.their_king, square).0 } else { 0 },
            chased: CHASED + (chaser * 6 + role) * 5,
            to: TO + plane,
            king: KING + (role * 8 + usize::from(scene.king_distance[from])) * 8,
            file: match role {
                3 | 4 => FILE + ((role - 3) * 4 + scene.file_state(from)) * 4,
                _ => 0,
            },
        }
    }

    fn tally(&self, scene: &Scene, mv: Move) -> T {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let mut tally = self.base.clone();
        if bit(scene.ours, to) == 1 {
            let short = usize::from(from < to);
            tally.add(CASTLING + short * 7 + scene.stage);
            return tally;
        }
        let role = self.role;
        tally.add(self.to + (to ^ scene.turn));

        let mut taken = scene.men.at(to);
        let ahead = role == 0 && from % 8 == to % 8;
        if role == 0 && !ahead && taken == 0 {
            taken = 1;
        }
        let defended = bit(if ahead { scene.cover.once } else { scene.cover.twice }, to);
        let exchange = role * 128 + defended * 64 + scene.least.at(to) * 8 + taken;
        let outcome = usize::from(OUTCOME[exchange]);
        tally.add(EXCHANGE + exchange);
        tally.add(self.leave + outcome);

        let check = bit(scene.checks[role % 8], to) + 2 * bit(self.uncovers, to);
        tally.add(CHECK + (check * 6 + role) * 5 + outcome);
        if let Some((distance, captured)) = scene.last {
            tally.add(NEAR + (captured * 6 + role) * 8 + usize::from(distance[to]));
        }
        tally.add(self.chased + outcome);
        if let Some(promoted) = mv.promotion {
            let captures = usize::from(taken > 0);
            tally.add(PROMOTION + (promoted as usize).saturating_sub(1) % 4 * 2 + captures);
        }

        let reach = reach_of(scene.us, role, to, scene.occupied ^ 1 << from);
        let threatened = reach & scene.targets[role % 8];
        let [minor, rook, queen] = scene.worth.map(|men| usize::from(threatened & men != 0));
        let most = usize::from(threatened != 0).max(2 * minor).max(3 * rook).max(4 * queen);
        tally.add(THREAT + (most * 6 + role) * 2 + usize::from(outcome > 0));
        let (man, kind, attackers) = scene.hanging;
        let answer = if bit(man, from) == 1 {
            1
        } else if bit(attackers, to) == 1 {
            2
        } else {
            3 * usize::from(reach & man != 0)
        };
        tally.add(HANGING + (answer * 6 + kind) * 5 + outcome);
        tally.add(self.king + usize::from(scene.king_distance[to]));
        match role {
            0 => tally.add(PAWN + scene.pawn(mv.to) * 4 + scene.phase),
            3 | 4 => tally.add(self.file + scene.file_state(to)),
            _ => {}
        }
        tally
    }
}

impl Scene {
    /// Returns which pawns are on a square's file: 1 ours, 2 theirs, 3 both.
    fn file_state(&self, at: usize) -> usize {
        bit(self.files[0], at) + 2 * bit(self.files[1], at)
    }

    /// Describes a pawn on its new square: how many pawns it attacks, how many guard it, and
    /// whether it is passed.
    fn pawn(&self, to: Square) -> usize {
        let [ours, theirs] = self.pawns;
        let attacked = few(get_pawn_attacks(to, self.us).0 & theirs);
        let guards = few(get_pawn_attacks(to, !self.us).0 & ours);
        let at = to as usize;
        let files = A_FILE << (at % 8) | beside(at);
        let ranks = match self.us {
            Color::White => above(at),
            Color::Black => (1 << (at / 8 * 8)) - 1,
        };
        let passed = usize::from(theirs & files & ranks == 0);
        (attacked * 3 + guards) * 2 + passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::line::TextSource;
    use plypack_core::{MoveSink, Rules, walk};

    #[derive(Default)]
    struct Follower(State);

    impl MoveSink<Chess> for Follower {
        fn push(&mut self, ply: &Ply<'_, Chess>) {
            Order.update(&mut self.0, ply);
        }
    }

    /// Returns the candidates after a line by rank, each with its key.
    fn ranking(fen: Option<&str>, moves: &str) -> Vec<(String, i32)> {
        let start = fen.map_or_else(Position::default, |fen| Position::read_fen(fen).expect(fen));
        let mut follower = Follower::default();
        let mut source = TextSource::new(&Chess, moves.split_whitespace());
        let end = walk(&Chess, start, &mut source, &mut follower).end;
        let mut candidates = Vec::new();
        Chess.candidates(&end, &mut candidates);
        let mut keys = Vec::new();
        Order.keys(&follower.0, &end, &candidates, &mut keys);
        assert_eq!(keys.len(), candidates.len());
        let mut ranking: Vec<_> = candidates.iter().map(ToString::to_string).zip(keys).collect();
        ranking.sort_by_key(|&(_, key)| std::cmp::Reverse(key));
        ranking
    }

    fn first(fen: Option<&str>, moves: &str, count: usize) -> String {
        let ranking = ranking(fen, moves);
        let texts: Vec<_> = ranking.iter().take(count).map(|(text, _)| text.as_str()).collect();
        texts.join(" ")
    }

    #[test]
    fn a_recapture_ranks_first() {
        assert_eq!(first(None, "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", 2), "d7c6 b7c6");
        assert_eq!(first(None, "d4 d5 c4 e6 Nc3 Nf6 cxd5", 1), "e6d5");
    }

    #[test]
    fn golden_ranking() {
        let ranking = ranking(None, "e4 e5 Nf3 Nc6 Bb5");
        let text: Vec<_> = ranking.iter().map(|(text, key)| format!("{text} {key}")).collect();
        assert_eq!(
            text.join(", "),
            "g8f6 -38, f8b4 -58, a7a6 -64, f8c5 -64, d7d5 -66, d7d6 -67, g7g6 -69, f8e7 -76, \
             b7b6 -84, g8e7 -86, c6d4 -87, f8d6 -94, c6b8 -98, d8e7 -115, d8f6 -116, f7f6 -119, \
             c6b4 -121, c6a5 -121, f7f5 -123, c6e7 -125, h7h6 -127, g7g5 -133, g8h6 -139, \
             h7h5 -140, a7a5 -141, f8a3 -147, a8b8 -149, e8e7 -166, d8h4 -184, d8g5 -204"
        );
    }

    #[test]
    fn special_moves_have_keys() {
        // Castling, en passant, promotion with and without capture.
        assert_eq!(first(Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "", 1), "a1a8");
        assert_eq!(first(Some("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "", 1), "e5d6");
        assert_eq!(first(Some("1r6/P6k/8/8/8/8/8/K7 w - - 0 1"), "", 1), "a7b8q");
        // A bare king, far into a game.
        assert_eq!(ranking(Some("8/8/8/4k3/8/4K3/8/7R b - - 149 300"), "").len(), 5);
    }

    #[test]
    fn outcomes() {
        let outcome = |man: usize, defended: usize, least: usize, taken: usize| {
            OUTCOME[man * 128 + defended * 64 + least * 8 + taken]
        };
        assert_eq!(outcome(1, 0, 0, 0), 1, "a knight to a quiet square");
        assert_eq!(outcome(1, 1, 1, 0), 0, "a knight to where a pawn takes it");
        assert_eq!(outcome(1, 0, 2, 3), 2, "a knight for a bishop");
        assert_eq!(outcome(3, 0, 0, 1), 3, "a rook takes a pawn for nothing");
        assert_eq!(outcome(0, 1, 1, 5), 4, "a pawn takes a queen");
        assert_eq!(outcome(4, 1, 5, 1), 3, "a guarded queen takes a pawn beside the king");
    }
}
