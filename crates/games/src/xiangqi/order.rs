//! The heuristic order of `line.ranked` for xiangqi, the likeliest moves first.
//!
//! A move's key is the sum of small trained weights, one per feature. `SPEC.md` states every
//! feature; the weights and the frequencies of the ranks are in `ranked.order`, which
//! `cargo xtask ranks` writes; `ranks.rs` names the games they were learnt from.

use plypack_core::Ply;
use plypack_core::codecs::line::ranked::{MoveOrder, Tally, table};

use super::attacks::{Attacks, Men, dearest, first_with, in_danger, targets};
use super::board::{Board, Piece, SQUARES, Side, between, bit, first};
use super::lines::{Man, attacks, has};
use super::link::scene::DISTANCE;
use super::{Move, Position, Xiangqi, ranks, rules};
use crate::common::classes;
use crate::common::slots::order_groups;

/// The order.
#[derive(Debug)]
pub struct Order;

/// What the order remembers of a line: the last move and whether it captured, and the one before
/// it, by the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    last: Option<Move>,
    captured: bool,
    own: Option<Move>,
}

impl MoveOrder<Xiangqi> for Order {
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

    fn update(&self, state: &mut State, ply: &Ply<'_, Xiangqi>) {
        let captured = ply.before.board.occupied() & bit(ply.mv().to) != 0;
        *state = State { last: Some(ply.mv()), captured, own: state.last };
    }
}

order_groups! {
    /// A move has at most one feature of a group.
    TO = ("to", 7 * 7 * SQUARES),
    FROM = ("from", 7 * 7 * SQUARES),
    EXCHANGE = ("exchange", 7 * 2 * 6 * 8),
    LEAVE = ("leave", 7 * 6 * 2 * 5),
    CHECK = ("check", 4 * 7 * 5),
    CHASED = ("chased", 8 * 7 * 5),
    THREAT = ("threat", 5 * 7 * 2),
    HANGING = ("hanging", 4 * 7 * 5),
    KING = ("king", 7 * 10 * 10),
    NEAR = ("near", 2 * 7 * 10),
    AGAIN = ("again", 3 * 7 * 7),
    FREEDOM = ("freedom", 7 * 15),
    AIM = ("aim", 2 * 5 * 5),
}

/// The worth of king, advisor, elephant, horse, rook, cannon and pawn.
const WORTH: [i8; 7] = [50, 2, 2, 4, 9, 4, 1];

/// The worth of the cheapest attacker: none, pawn, advisor or elephant, horse or cannon, rook or
/// king.
const ATTACKER: [i8; 6] = [0, 1, 2, 4, 9, 50];

/// Returns how far the game has progressed: the phase, 0 with most officers to 3 with fewest, and
/// the stage, which divides the opening by moves.
#[inline(always)]
pub(super) fn phase_and_stage(board: &Board, number: u32) -> (usize, usize) {
    let officers = [Piece::Horse, Piece::Rook, Piece::Cannon].map(|piece| board.pieces(piece));
    let phase = match officers.iter().fold(0, |all, set| all | set).count_ones() {
        10.. => 0,
        7..=9 => 1,
        4..=6 => 2,
        _ => 3,
    };
    (phase, classes::stage(phase, number))
}

/// Returns the outcome of a move to a square: 0 it loses material, 1 nothing is captured or lost, 2
/// an even exchange, 3 it wins one or two pawns, 4 more.
pub(super) const fn outcome(
    piece: Piece,
    defended: bool,
    least: usize,
    taken: Option<Piece>,
) -> usize {
    let man = WORTH[piece as usize];
    let gain = match taken {
        None => 0,
        Some(piece) => WORTH[piece as usize],
    };
    let lost = match ATTACKER[least] {
        0 => 0,
        50 if defended => 0,
        attacker if defended => man - attacker,
        _ => man,
    };
    match if lost > 0 { gain - lost } else { gain } {
        ..0 => 0,
        0 if gain == 0 => 1,
        0 => 2,
        1 | 2 => 3,
        _ => 4,
    }
}

/// Returns the distance between two squares in steps in all eight directions.
fn distance(a: u8, b: u8) -> usize {
    DISTANCE[usize::from(a) % SQUARES][usize::from(b) % SQUARES].into()
}

/// What all moves of one position share.
struct Scene<'a> {
    board: &'a Board,
    side: Side,
    /// The men, Red's first, and all of ours.
    men: Men,
    ours: u128,
    state: State,
    stage: usize,
    /// Our attacks.
    by_us: Attacks,
    /// Their attacks by the cheapest man.
    least: [u128; 5],
    their_king: u8,
    /// The squares that decide whether the king is attacked.
    watched: u128,
    /// For each kind of man, their men worth attacking with it.
    targets: [u128; 7],
    /// Our man most in danger, if any: its square and kind, and its attackers.
    hanging: Option<(usize, usize, u128)>,
    /// The attacks of the man moved last, and its kind.
    chaser: Option<(u128, usize)>,
}

impl<'a> Scene<'a> {
    fn new(state: State, position: &'a Position) -> Self {
        let (board, side) = (&position.board, position.side);
        let (us, them) = (side as usize, side.other() as usize);
        let (ours, theirs) = (board.side(side), board.side(side.other()));
        let men = Men::of(board);
        let [by_us, by_them] = [us, them].map(|side| men.attacks(side));
        let (our, their) = (&men.by_role[us], &men.by_role[them]);
        let chaser = state.last.and_then(|last| {
            let role = board.piece_on(last.to)? as usize;
            Some((attacks(them, role, last.to.into(), men.occupied), role))
        });
        let (_, stage) = phase_and_stage(board, position.fullmove_number);
        let their_king = first(their[0]).unwrap_or(0);
        Self {
            board,
            side,
            men,
            ours,
            state,
            stage,
            by_us,
            least: by_them.by_worth(),
            their_king,
            watched: rules::watch(board, side.other(), their_king),
            targets: targets(theirs & !by_them.cover.once & !their[0], their),
            hanging: men.hanging(us, in_danger(our, &by_them.by_role, by_us.cover.once)),
            chaser,
        }
    }

    /// Returns the cheapest of their men that attacks a square, as an index into `ATTACKER`.
    fn least(&self, square: u8) -> usize {
        first_with(&self.least, square.into())
    }

    /// Looks from a square for a man of ours.
    #[inline(always)]
    fn man(&self, role: usize, at: u8, occupied: u128) -> Man {
        Man::new(self.side as usize, role, at.into(), occupied)
    }

    /// Counts the men between a square and their king: 0 to 2, 3 for more; 4 if the two are not in
    /// line.
    fn aim(&self, square: u8, occupied: u128) -> usize {
        between(square, self.their_king, occupied).map_or(4, |men| men.min(3) as usize)
    }

    /// Returns the number of a kind's square in the groups `to` and `from`, with the side to move
    /// below.
    fn place(&self, role: usize, square: u8) -> usize {
        let square = usize::from(square);
        let turned = if self.side == Side::Red { square } else { SQUARES - 1 - square };
        (self.stage * 7 + role) * SQUARES + turned
    }
}

/// Calls `done` with the tally of each candidate, in order.
pub fn tally<T: Tally>(
    state: State,
    position: &Position,
    candidates: &[Move],
    mut done: impl FnMut(T),
) {
    let scene = Scene::new(state, position);
    // Candidates come by origin, so that its part is computed once.
    for moves in candidates.chunk_by(|a, b| a.from == b.from) {
        let Some(first) = moves.first() else { continue };
        let origin = Origin::new(&scene, first.from);
        for mv in moves {
            done(origin.tally(&scene, mv.to));
        }
    }
}

/// What all moves of one man share.
struct Origin<T> {
    from: u8,
    piece: Piece,
    /// A tally of the origin's part.
    base: T,
    /// Its attacks, and the number of squares to which it may go.
    attacks: u128,
    reach: u32,
    /// The first feature of `leave` and of `chased`, to which the outcome is added.
    leave: usize,
    chased: usize,
}

impl<T: Tally> Origin<T> {
    fn new(scene: &Scene<'_>, from: u8) -> Self {
        let piece = scene.board.piece_on(from).unwrap_or(Piece::Pawn);
        let role = piece as usize;
        let mut base = T::default();
        base.add(FROM + scene.place(role, from));
        let guarded = has(scene.by_us.cover.once, from.into());
        let chaser = scene.chaser.filter(|(squares, _)| squares & bit(from) != 0);
        let chaser = chaser.map_or(0, |(_, role)| 1 + role);
        let man = scene.man(role, from, scene.men.occupied);
        Self {
            from,
            piece,
            base,
            attacks: man.attacks,
            reach: man.reach.count_ones(),
            leave: LEAVE + ((role * 6 + scene.least(from)) * 2 + guarded) * 5,
            chased: CHASED + (chaser * 7 + role) * 5,
        }
    }

    fn tally(&self, scene: &Scene<'_>, to: u8) -> T {
        let Self { from, piece, .. } = *self;
        let role = piece as usize;
        let mut tally = self.base.clone();
        tally.add(TO + scene.place(role, to));

        let taken = scene.board.piece_on(to);
        let defended = scene.by_us.guard(self.attacks, to.into());
        let least = scene.least(to);
        let outcome = outcome(piece, defended == 1, least, taken);
        let victim = taken.map_or(0, |piece| 1 + piece as usize);
        tally.add(EXCHANGE + ((role * 2 + defended) * 6 + least) * 8 + victim);
        tally.add(self.leave + outcome);
        tally.add(self.chased + outcome);

        let occupied = scene.men.occupied & !bit(from) | bit(to);
        let Man { reach, attacks, .. } = scene.man(role, to, occupied);
        let direct = reach & bit(scene.their_king) != 0;
        // Their king is not attacked before the move.
        let uncovered = scene.watched & (bit(from) | bit(to)) != 0 && {
            let (king, rest) = (scene.their_king, scene.ours & !bit(from));
            rules::attacked(scene.board, scene.side.other(), king, occupied, rest)
        };
        let check = usize::from(direct) + 2 * usize::from(uncovered);
        tally.add(CHECK + (check * 7 + role) * 5 + outcome);

        let prey = attacks & !bit(to) & scene.targets[role];
        let threat = dearest(&scene.men.by_role[scene.side.other() as usize], prey);
        tally.add(THREAT + (threat * 7 + role) * 2 + usize::from(outcome > 0));

        let (answer, hanging) = match scene.hanging {
            None => (0, 0),
            Some((square, role, _)) if square == usize::from(from) => (1, role),
            Some((_, role, attackers)) if attackers & bit(to) != 0 => (2, role),
            Some((square, role, _)) => (3 * has(attacks, square), role),
        };
        tally.add(HANGING + (answer * 7 + hanging) * 5 + outcome);

        let before = distance(from, scene.their_king);
        tally.add(KING + (role * 10 + before) * 10 + distance(to, scene.their_king));
        let again = match scene.state.own {
            Some(own) if own.to == from && own.from == to => 2,
            Some(own) if own.to == from => 1,
            _ => 0,
        };
        tally.add(AGAIN + (again * 7 + scene.stage) * 7 + role);
        if let Some(last) = scene.state.last {
            let captured = usize::from(scene.state.captured);
            tally.add(NEAR + (captured * 7 + role) * 10 + distance(last.to, to));
        }
        let gained = reach.count_ones() + 7 - self.reach.min(7);
        tally.add(FREEDOM + role * 15 + gained.min(14) as usize);
        if matches!(piece, Piece::Rook | Piece::Cannon) {
            let (before, after) = (scene.aim(from, scene.men.occupied), scene.aim(to, occupied));
            tally.add(AIM + (usize::from(piece == Piece::Cannon) * 5 + before) * 5 + after);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::board::squares;
    use plypack_core::line::TextSource;
    use plypack_core::{Candidates, MoveSink, Notation, Rules, walk};

    #[derive(Default)]
    struct Follower(State);

    impl MoveSink<Xiangqi> for Follower {
        fn push(&mut self, ply: &Ply<'_, Xiangqi>) {
            Order.update(&mut self.0, ply);
        }
    }

    /// Returns the candidates after a line by rank, each with its key.
    fn ranking(fen: Option<&str>, moves: &str) -> Vec<(String, i32)> {
        let start = fen.map_or_else(Position::default, |fen| Position::read_fen(fen).expect(fen));
        let mut follower = Follower::default();
        let mut source = TextSource::new(&Xiangqi, moves.split_whitespace());
        let walk = walk(&Xiangqi, start, &mut source, &mut follower);
        assert_eq!(walk.stopped, None);
        let end = walk.end;
        let mut candidates = Vec::new();
        Xiangqi.candidates(&end, &mut candidates);
        let mut keys = Vec::new();
        Order.keys(&follower.0, &end, &candidates, &mut keys);
        assert_eq!(keys.len(), candidates.len());
        let text = |&mv| {
            let mut out = String::new();
            let ply = Ply::new(Candidates::listed(&end, &candidates), mv, &end);
            Xiangqi.write_move(&ply, Notation::Coordinate, &mut out);
            out
        };
        let mut ranking: Vec<_> = candidates.iter().map(text).zip(keys).collect();
        ranking.sort_by_key(|&(_, key)| std::cmp::Reverse(key));
        ranking
    }

    fn first(fen: Option<&str>, moves: &str, count: usize) -> String {
        let ranking = ranking(fen, moves);
        let texts: Vec<_> = ranking.iter().take(count).map(|(text, _)| text.as_str()).collect();
        texts.join(" ")
    }

    #[test]
    fn what_players_do_ranks_first() {
        assert_eq!(first(None, "", 1), "h2e2");
        // The horse recaptures the cannon; a rook attacked for nothing goes away.
        assert_eq!(first(None, "h2e2 h9g7 e2e6 ", 1), "g7e6");
        assert_eq!(first(Some("3ak4/4a4/9/9/9/9/9/4p1n2/4A4/3AK2R1 w - - 0 40"), "", 1), "h0h9");
    }

    #[test]
    fn golden_ranking() {
        let ranking = ranking(None, "h2e2 h9g7 h0g2 i9h9");
        let text: Vec<_> =
            ranking.iter().take(12).map(|(text, key)| format!("{text} {key}")).collect();
        assert_eq!(
            text.join(", "),
            "i0h0 -34, b0c2 -66, c3c4 -68, g3g4 -70, a0a1 -89, b0a2 -90, i0i1 -102, b2d2 -110, \
             b2a2 -117, f0e1 -127, b2b6 -128, b2c2 -131"
        );
    }

    #[test]
    fn outcomes() {
        use Piece::{Cannon, Horse, King, Pawn, Rook};
        assert_eq!(outcome(Horse, false, 0, None), 1, "a horse to a quiet square");
        assert_eq!(outcome(Horse, true, 1, None), 0, "a horse to where a pawn takes it");
        assert_eq!(outcome(Horse, false, 4, Some(Cannon)), 2, "a horse for a cannon");
        assert_eq!(outcome(Rook, false, 0, Some(Pawn)), 3, "a rook takes a pawn for nothing");
        assert_eq!(outcome(Pawn, true, 1, Some(Rook)), 4, "a pawn takes a rook");
        assert_eq!(outcome(Rook, true, 5, Some(Pawn)), 3, "a guarded rook beside the king");
        assert_eq!(outcome(King, false, 0, Some(Pawn)), 3, "the king takes a pawn");
    }

    #[test]
    fn attacks_and_aims() {
        let fen = "3k5/9/4c4/9/4p4/9/4C4/9/4P4/3AK4 w - - 0 1";
        let position = Position::read_fen(fen).expect(fen);
        let scene = Scene::new(State::default(), &position);
        // Beyond the pawn on e5 as far as the cannon on e7, and the king beyond the pawn on e1.
        let cannon = scene.man(5, 3 * 9 + 4, scene.men.occupied).attacks;
        let squares: Vec<_> = squares(cannon).collect();
        assert_eq!(squares, [4, 6 * 9 + 4, 7 * 9 + 4]);
        let aims = [8 * 9 + 3, 4, 3, 3 * 9 + 4].map(|square| scene.aim(square, scene.men.occupied));
        assert_eq!(aims, [0, 4, 0, 4]);
        assert_eq!(scene.aim(3, scene.men.occupied | bit(30) | bit(39) | bit(48) | bit(57)), 3);
    }
}
