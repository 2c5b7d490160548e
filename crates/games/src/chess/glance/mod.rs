//! `line.fast` of chess: moves weighed at a glance.
//!
//! The features ([`features`]) are eight look-ups a candidate, few enough to decode half as fast as
//! without weights. [`Fast`] gives the weights that `policy::Gated` gives with these features,
//! several times as fast: what depends on the origin alone is looked up once, and what depends on
//! the exchange at the destination is added up beforehand, for all of them.

pub mod features;
mod view;

use std::sync::LazyLock;

use cozy_chess::{Move, Piece};
use plypack_core::policy::{Gate, weigh_scores};
use plypack_core::{MoveModel, Ply, Work, natively};

use crate::chess::attacks::square;
use crate::chess::{Chess, Position};
use features::{FIRST, OUTCOMES, castled, outcome};
use view::{DISPLACEMENT, Past, View, bucket, past_of};

/// The gate of `line.fast`.
pub static GATE: LazyLock<Gate> =
    LazyLock::new(|| Gate::read(include_bytes!("fast.gate")).unwrap_or_default());

/// The model.
#[derive(Debug)]
pub struct Fast;

/// What a line's model remembers, and scratch memory.
#[derive(Clone, Debug)]
pub struct State {
    past: Option<Past>,
    scores: Vec<i32>,
}

/// How many exchanges there are at a destination: check or not, the man that is taken, the least
/// attacker, defended or not.
const EXCHANGES: usize = 2 * 6 * 6 * 2;

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// By kind of man and origin, then destination.
    moves: Vec<[i8; 64]>,
    /// By stretch of the game and kind of man, then destination.
    times: Vec<[i8; 64]>,
    /// By kind of man and the last move's, then displacement.
    near: Vec<[i8; 64]>,
    /// By kind of man, the origin's least attacker, whether it is covered, and whether it is late,
    /// then exchange.
    exchanges: Vec<[i16; EXCHANGES]>,
    /// By late, then towards the h-file.
    castling: [[i32; 2]; 2],
    /// By piece, then the man that is taken.
    promotions: [[i32; 6]; 4],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::of(&GATE));

impl Tables {
    fn of(gate: &Gate) -> Self {
        let weight = |slot: usize, feature: usize| gate.weight(usize::from(FIRST[slot]) + feature);
        let rows = |slot: usize, count: usize| -> Vec<[i8; 64]> {
            let row = |row: usize| std::array::from_fn(|column| weight(slot, row * 64 + column));
            (0..count).map(row).collect()
        };
        let near = |row: usize| {
            let (role, man) = (row / 12, row % 12);
            let at = |place: usize| weight(4, (place.min(48) * 6 + role) * 12 + man);
            std::array::from_fn(at)
        };
        let exchanges = |origin: usize| {
            let (late, covered, role) = (origin % 2, origin / 2 % 2, origin / 24);
            let attacker = origin / 4 % 6;
            std::array::from_fn(|exchange| {
                let (defended, least) = (exchange % 2, exchange / 2 % 6);
                let (victim, check) = (exchange / 12 % 6, exchange / 72);
                let outcome = outcome(role, victim, least, defended == 1);
                let at = (((role * 6 + victim) * 6 + least) * 2 + defended) * 2 + late;
                let leave = ((role * 6 + attacker) * 2 + covered) * OUTCOMES + outcome;
                let check = (check * 6 + role) * OUTCOMES + outcome;
                i16::from(weight(2, at)) + i16::from(weight(3, leave)) + i16::from(weight(5, check))
            })
        };
        Self {
            moves: rows(0, 6 * 64),
            times: rows(1, features::BUCKETS * 6),
            near: (0..6 * 12).map(near).collect(),
            exchanges: (0..6 * 6 * 2 * 2).map(exchanges).collect(),
            castling: [0, 2].map(|late| [0, 1].map(|side| weight(6, late + side).into())),
            promotions: std::array::from_fn(|piece| {
                std::array::from_fn(|victim| weight(7, piece * 6 + victim).into())
            }),
        }
    }
}

impl MoveModel<Chess> for Fast {
    type State = State;

    fn begin(&self, _: &Chess, _: &Position) -> State {
        State { past: None, scores: Vec::with_capacity(64) }
    }

    fn weigh(
        &self,
        state: &mut State,
        position: &Position,
        candidates: &[Move],
        weights: &mut Vec<u32>,
    ) {
        natively(Weighing { state, position, candidates, weights });
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Chess>) {
        state.past = Some(past_of(&ply.before.board, ply.mv()));
    }
}

struct Weighing<'a> {
    state: &'a mut State,
    position: &'a Position,
    candidates: &'a [Move],
    weights: &'a mut Vec<u32>,
}

/// No weights, for positions without a last move.
static NONE: [i8; 64] = [0; 64];

impl Work for Weighing<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let Self { state: State { past, scores }, position, candidates, weights } = self;
        let (board, tables) = (&position.board, &*TABLES);
        let view = View::new(board);
        let (turn, late, stretch) = (view.turn, usize::from(view.late), bucket(position));
        let ours = board.colors(board.side_to_move());
        let last = (past.map_or(0, |past| usize::from(past.to)) ^ turn) % 64;
        let displacement = &DISPLACEMENT[last];
        scores.clear();
        scores.resize(candidates.len(), 0);
        let mut each = scores.iter_mut();
        for moves in candidates.chunk_by(|a, b| a.from == b.from) {
            let Some(from) = moves.first().map(|mv| mv.from as usize) else { break };
            let role = board.piece_on(square(from)).unwrap_or(Piece::Pawn) as usize % 6;
            let by_move = &tables.moves[role * 64 + (from ^ turn) % 64];
            let by_time = &tables.times[stretch * 6 + role];
            let by_near = past.map_or(&NONE, |past| &tables.near[role * 12 + past.man()]);
            let covered = usize::from(view.covered(from));
            let origin = ((role * 6 + view.least_at(from) % 6) * 2 + covered) * 2 + late;
            let exchanges = &tables.exchanges[origin];
            let score = |to: usize, planes: [u64; 5], victim: usize| {
                let turned = (to ^ turn) % 64;
                let [ones, twos, fours, defended, checks] =
                    planes.map(|plane| (plane >> to & 1) as usize);
                let exchange = defended + 2 * (ones + 2 * twos + 4 * fours) + 72 * checks;
                let exchange = exchange + 12 * victim;
                i32::from(by_move[turned])
                    + i32::from(by_time[turned])
                    + i32::from(by_near[usize::from(displacement[turned]) % 64])
                    + i32::from(exchanges[exchange % 256 % EXCHANGES])
            };
            match role {
                0 => {
                    for (mv, sum) in moves.iter().zip(each.by_ref()) {
                        let to = mv.to as usize;
                        let ahead = from % 8 == to % 8;
                        let victim = if ahead { 0 } else { view.victim(0, from, to) };
                        *sum = score(to, view.planes(0, ahead), victim);
                        if let Some(piece) = mv.promotion {
                            let piece = (piece as usize).saturating_sub(1) % 4;
                            *sum += tables.promotions[piece][victim % 6];
                        }
                    }
                }
                5 => {
                    for (&mv, sum) in moves.iter().zip(each.by_ref()) {
                        let castling = ours.has(mv.to);
                        let to = if castling { castled(mv) } else { mv.to } as usize;
                        let victim = if castling { 0 } else { view.victim(5, from, to) };
                        *sum = score(to, view.planes(5, false), victim);
                        if castling {
                            *sum += tables.castling[late][usize::from(mv.from < mv.to)];
                        }
                    }
                }
                _ => {
                    let planes = view.planes(role, false);
                    for (mv, sum) in moves.iter().zip(each.by_ref()) {
                        let to = mv.to as usize;
                        *sum = score(to, planes, view.victim(role, from, to));
                    }
                }
            }
        }
        let gate = &*GATE;
        scores.iter_mut().for_each(|sum| *sum = gate.scaled(*sum));
        weigh_scores(scores, weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::Game;
    use plypack_core::policy::Gated;
    use plypack_core::testkit::Random;

    /// The same model without short cuts.
    const PLAIN: Gated<features::Glance> = Gated { features: features::Glance, gate: &GATE };

    #[test]
    fn the_table_is_whole() {
        assert!(Gate::read(include_bytes!("fast.gate")).is_some());
    }

    #[test]
    fn short_cuts_lead_to_the_same_weights() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 40",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ];
        let mut random = Random::new(6);
        for start in starts.iter().cycle().take(60) {
            let mut position = Position::read_fen(start).expect(start);
            let mut fast = Fast.begin(&Chess, &position);
            let mut plain = PLAIN.begin(&Chess, &position);
            for _ in 0..80 {
                let mut candidates = Vec::new();
                Chess.candidates(&position, &mut candidates);
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                Fast.weigh(&mut fast, &position, &candidates, &mut ours);
                PLAIN.weigh(&mut plain, &position, &candidates, &mut theirs);
                assert_eq!(ours, theirs, "{position:?}");
                let Some(count) = u64::try_from(candidates.len()).ok().filter(|&n| n > 0) else {
                    break;
                };
                let index = usize::try_from(random.next_u64() % count).expect("few");
                let before = position.clone();
                position.play(candidates[index]);
                let (candidates, after) = (&candidates[..], &position);
                let ply = Ply { before: &before, candidates, index, after };
                Fast.update(&mut fast, &ply);
                PLAIN.update(&mut plain, &ply);
            }
        }
    }
}
