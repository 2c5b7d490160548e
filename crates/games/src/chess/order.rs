//! The heuristic order of `line.ranked` for chess: likelier moves first.
//!
//! A move's key is a sum of small trained weights, one for each of its features. Facts about the
//! whole position are computed once and kept in bitboards, so that a move costs a few dozen shifts
//! and look-ups. `SPEC.md` states every feature. The weights and the frequencies of the ranks are
//! in `ranked.order`, written by `cargo xtask ranks`; `ranks.rs` names the games that they
//! were learnt from, and the xtask explains how.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_between_rays, get_king_moves,
    get_knight_moves, get_line_rays, get_pawn_attacks,
};
use plypack_core::codecs::line::ranked::{MoveOrder, Tally, first_feature, table};
use plypack_core::{Ply, each};

use super::{Chess, Position, attacks as lines, ranks};
use crate::chess::sets::Octal;
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

/// The sum of the weights.
#[derive(Clone, Copy, Default)]
struct Key(i32);

impl Tally for Key {
    fn add(&mut self, feature: usize) {
        self.0 += ranks::ORDER.weights.get(feature).map_or(0, |&weight| i32::from(weight));
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

/// 1 if the set has the square, else 0.
fn bit(set: u64, square: Square) -> usize {
    usize::from(set >> square as u32 & 1 == 1)
}

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

/// Returns the squares that a bishop attacks.
fn bishop_moves(square: Square, occupied: BitBoard) -> BitBoard {
    BitBoard(lines::diagonally(square as usize, occupied.0))
}

/// Returns the squares that a rook attacks.
fn rook_moves(square: Square, occupied: BitBoard) -> BitBoard {
    BitBoard(lines::straight(square as usize, occupied.0))
}

/// Returns the squares that a man attacks.
fn attacks(piece: Piece, square: Square, color: Color, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, color),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => bishop_moves(square, occupied),
        Piece::Rook => rook_moves(square, occupied),
        Piece::Queen => bishop_moves(square, occupied) | rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

/// Returns the squares that pawns attack towards the a-file, and towards the h-file.
fn pawns_attack(pawns: BitBoard, color: Color) -> (u64, u64) {
    let (a_file, h_file) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080);
    let (west, east) = (pawns.0 & !a_file, pawns.0 & !h_file);
    match color {
        Color::White => (west << 7, east << 9),
        Color::Black => (west >> 9, east >> 7),
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
struct Scene<'a> {
    board: &'a Board,
    us: Color,
    occupied: BitBoard,
    ours: BitBoard,
    theirs: BitBoard,
    /// Flips squares so that the side to move is below: 0 for White, 56 for Black.
    turn: usize,
    stage: usize,
    phase: usize,
    /// Their men: 0 none, 1 pawn … 5 queen.
    men: Octal,
    /// Their least attacker: 0 none, 1 pawn, 2 knight or bishop, 3 rook, 4 queen, 5 king.
    least: Octal,
    /// Squares that at least one of our men attacks, and that at least two do.
    once: u64,
    twice: u64,
    their_king: Square,
    /// The distances from their king.
    king_distance: &'static [u8; 64],
    /// The distances from the destination of their last move, and whether it captured.
    last: Option<(&'static [u8; 64], usize)>,
    /// The squares from which each kind of man would give check.
    checks: [u64; 6],
    /// Our men that give discovered check when they leave their line.
    covers: BitBoard,
    /// For each kind of man, their men worth attacking with it, and our man worth guarding.
    targets: [BitBoard; 6],
    /// Our man most in danger, and its attackers.
    hanging: Hanging,
    /// Their knights and bishops, rooks, queens.
    worth: [u64; 3],
    /// The squares that the man that moved last attacks, and its kind.
    chaser: Option<(BitBoard, Piece)>,
}

#[derive(Clone, Copy)]
struct Hanging {
    /// Empty if none of our men is in danger; then the kind is pawn.
    square: BitBoard,
    piece: Piece,
    attackers: BitBoard,
}

impl<'a> Scene<'a> {
    fn new(state: State, position: &'a Position) -> Self {
        let board = &position.board;
        let us = board.side_to_move();
        let (ours, theirs) = (board.colors(us), board.colors(!us));
        let occupied = ours | theirs;
        let [pawns, knights, bishops, rooks, queens, _] =
            Piece::ALL.map(|piece| board.pieces(piece) & theirs);

        let (west, east) = pawns_attack(pawns, !us);
        let by_pawn = west | east;
        let reach = |men: BitBoard, piece| {
            men.iter().fold(0, |all, from| all | attacks(piece, from, !us, occupied).0)
        };
        let by_minor = reach(knights, Piece::Knight) | reach(bishops, Piece::Bishop);
        let by_rook = reach(rooks, Piece::Rook);
        let by_queen = reach(queens, Piece::Queen);
        let by_king = get_king_moves(board.king(!us)).0;
        let (least, attacked) = Octal::cheapest([by_pawn, by_minor, by_rook, by_queen, by_king]);

        let (west, east) = pawns_attack(board.pieces(Piece::Pawn) & ours, us);
        let (mut once, mut twice) = (west | east, west & east);
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
            for from in board.pieces(piece) & ours {
                let to = attacks(piece, from, us, occupied).0;
                twice |= once & to;
                once |= to;
            }
        }

        let their_king = board.king(!us);
        let diagonal = bishop_moves(their_king, occupied);
        let straight = rook_moves(their_king, occupied);
        let checks = [
            get_pawn_attacks(their_king, !us).0,
            get_knight_moves(their_king).0,
            diagonal.0,
            straight.0,
            diagonal.0 | straight.0,
            0,
        ];
        // Remove our men in view of their king: a slider of ours that only then comes into view was
        // blocked by one of them.
        let mut covers = BitBoard::EMPTY;
        let queens_all = board.pieces(Piece::Queen);
        let behind = (bishop_moves(their_king, occupied ^ diagonal & ours)
            & (board.pieces(Piece::Bishop) | queens_all))
            | (rook_moves(their_king, occupied ^ straight & ours)
                & (board.pieces(Piece::Rook) | queens_all));
        for slider in behind & ours & !(diagonal | straight) {
            covers |= get_between_rays(their_king, slider) & ours;
        }

        let bare = theirs.0 & !attacked & !board.pieces(Piece::King).0;
        let majors = rooks | queens;
        let pieces = majors | knights | bishops;
        let victims =
            [bare | pieces.0, bare | majors.0, bare | majors.0, bare | queens.0, bare, bare];

        let in_danger = (by_pawn & !board.pieces(Piece::Pawn).0)
            | (by_minor & (board.pieces(Piece::Rook) | queens_all).0)
            | (by_rook & queens_all.0)
            | (attacked & !once);
        let in_danger = BitBoard(in_danger & ours.0 & !board.pieces(Piece::King).0);
        let safe =
            Hanging { square: BitBoard::EMPTY, piece: Piece::Pawn, attackers: BitBoard::EMPTY };
        let hanging = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn]
            .into_iter()
            .find_map(|piece| {
                (in_danger & board.pieces(piece)).next_square().map(|square| (square, piece))
            })
            .map_or(safe, |(square, piece)| {
                let diagonal = bishops | queens;
                let straight = rooks | queens;
                let attackers = get_pawn_attacks(square, us) & pawns
                    | get_knight_moves(square) & knights
                    | bishop_moves(square, occupied) & diagonal
                    | rook_moves(square, occupied) & straight;
                Hanging { square: square.bitboard(), piece, attackers }
            });

        let chaser = state.last.and_then(|last| {
            let piece = board.piece_on(last.to)?;
            Some((attacks(piece, last.to, !us, occupied), piece))
        });

        let phase = phase(board);
        let stage = match (phase, position.fullmove_number) {
            (0, 0..=4) => 0,
            (0, 5..=8) => 1,
            (0, 9..=14) => 2,
            (0, _) => 3,
            _ => 3 + phase,
        };
        Scene {
            board,
            us,
            occupied,
            ours,
            theirs,
            turn: if us == Color::White { 0 } else { 56 },
            stage,
            phase,
            men: Octal::new([
                (pawns | bishops | queens).0,
                (knights | bishops).0,
                (rooks | queens).0,
            ]),
            least,
            once,
            twice,
            their_king,
            king_distance: &DISTANCE[their_king as usize],
            last: state.last.map(|last| (&DISTANCE[last.to as usize], usize::from(last.captured))),
            checks,
            covers,
            targets: victims.map(|men| BitBoard(men) | hanging.square),
            hanging,
            worth: [(knights | bishops).0, rooks.0, queens.0],
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
    piece: Piece,
    /// The kind as a number, from pawn 0 to king 5.
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
    fn new(scene: &Scene<'_>, from: Square) -> Self {
        let piece = scene.board.piece_on(from).unwrap_or(Piece::Pawn);
        let role = piece as usize;
        let plane = (scene.stage * 6 + role) * 64;
        let mut base = T::default();
        base.add(FROM + plane + (from as usize ^ scene.turn));
        let defended = bit(scene.once, from);
        let chaser = scene.chaser.filter(|(squares, _)| squares.has(from));
        let chaser = chaser.map_or(0, |(_, piece)| 1 + piece as usize);
        let uncovers =
            if scene.covers.has(from) { !get_line_rays(scene.their_king, from).0 } else { 0 };
        let file = match piece {
            Piece::Rook | Piece::Queen => FILE + ((role - 3) * 4 + scene.file_state(from)) * 4,
            _ => 0,
        };
        Self {
            piece,
            role,
            base,
            leave: LEAVE + (role * 16 + scene.least.at(from as usize) * 2 + defended) * 5,
            uncovers,
            chased: CHASED + (chaser * 6 + role) * 5,
            to: TO + plane,
            king: KING + (role * 8 + usize::from(scene.king_distance[from as usize])) * 8,
            file,
        }
    }

    fn tally(&self, scene: &Scene<'_>, mv: Move) -> T {
        let Move { from, to, promotion } = mv;
        let mut tally = self.base.clone();
        if scene.ours.has(to) {
            let short = usize::from(from < to);
            tally.add(CASTLING + short * 7 + scene.stage);
            return tally;
        }
        let role = self.role;
        let turned = to as usize ^ scene.turn;
        tally.add(self.to + turned);

        let mut taken = scene.men.at(to as usize);
        let pawn = self.piece == Piece::Pawn;
        let ahead = pawn && from as usize % 8 == to as usize % 8;
        if pawn && !ahead && taken == 0 {
            taken = 1;
        }
        let defended = bit(if ahead { scene.once } else { scene.twice }, to);
        let exchange = role * 128 + defended * 64 + scene.least.at(to as usize) * 8 + taken;
        let outcome = usize::from(OUTCOME[exchange]);
        tally.add(EXCHANGE + exchange);
        tally.add(self.leave + outcome);

        let check = bit(scene.checks[role], to) + 2 * bit(self.uncovers, to);
        tally.add(CHECK + (check * 6 + role) * 5 + outcome);
        if let Some((distance, captured)) = scene.last {
            tally.add(NEAR + (captured * 6 + role) * 8 + usize::from(distance[to as usize]));
        }
        tally.add(self.chased + outcome);
        if let Some(promoted) = promotion {
            let captures = usize::from(taken > 0);
            tally.add(PROMOTION + (promoted as usize).saturating_sub(1) % 4 * 2 + captures);
        }

        let targets = scene.targets[role];
        let reach = attacks(self.piece, to, scene.us, scene.occupied ^ from.bitboard());
        let threatened = (reach & targets & scene.theirs).0;
        let [minor, rook, queen] = scene.worth.map(|men| usize::from(threatened & men != 0));
        let most = usize::from(threatened != 0).max(2 * minor).max(3 * rook).max(4 * queen);
        tally.add(THREAT + (most * 6 + role) * 2 + usize::from(outcome > 0));
        let Hanging { square, piece, attackers } = scene.hanging;
        let answer = if square.has(from) {
            1
        } else if attackers.has(to) {
            2
        } else {
            3 * usize::from(!(reach & square).is_empty())
        };
        tally.add(HANGING + (answer * 6 + piece as usize) * 5 + outcome);
        tally.add(self.king + usize::from(scene.king_distance[to as usize]));
        match self.piece {
            Piece::Pawn => tally.add(PAWN + scene.pawn(to) * 4 + scene.phase),
            Piece::Rook | Piece::Queen => tally.add(self.file + scene.file_state(to)),
            _ => {}
        }
        tally
    }
}

impl Scene<'_> {
    /// Returns which pawns are on a square's file: 1 ours, 2 theirs, 3 both.
    fn file_state(&self, square: Square) -> usize {
        let pawns = self.board.pieces(Piece::Pawn) & square.file().bitboard();
        let ours = usize::from(!(pawns & self.ours).is_empty());
        ours + 2 * usize::from(!(pawns & self.theirs).is_empty())
    }

    /// Describes a pawn on its new square: how many pawns it attacks, how many guard it, and
    /// whether it is passed.
    fn pawn(&self, to: Square) -> usize {
        let pawns = self.board.pieces(Piece::Pawn);
        let attacked = (get_pawn_attacks(to, self.us) & pawns & self.theirs).iter().count();
        let guards = (get_pawn_attacks(to, !self.us) & pawns & self.ours).iter().count();
        let files = to.file().bitboard() | to.file().adjacent();
        let ranks = match self.us {
            Color::White => u64::MAX.checked_shl(to as u32 / 8 * 8 + 8).unwrap_or(0),
            Color::Black => (1 << (to as u32 / 8 * 8)) - 1,
        };
        let passed = usize::from((pawns & self.theirs & files).0 & ranks == 0);
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
