//! `line.fast` of chess: moves weighed at a glance.
//!
//! The features ([`features`]) are eight look-ups per candidate. [`Fast`] takes short cuts: values
//! that depend on the origin alone are looked up once, and those of the exchange at the destination
//! are summed beforehand.

pub mod features;
pub mod view;

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Move};
use plypack_core::policy::{Features, FirstLook, Gate, Sight};
use plypack_core::{MoveModel, Ply, natively};
use plypack_tables::chess::FAST_GATE;

use crate::chess::default::past::{castled, follow, man};
use crate::chess::sets::DISPLACEMENT;
use crate::chess::{Chess, Position};
use crate::common::past::Past;
use crate::common::weights::{Glance, Weighing, Weights, weigh_at_a_glance};
use features::{FIRST, OUTCOMES, Seen, outcome};
use view::View;

/// The gate of `line.fast`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(FAST_GATE).unwrap_or_default());

/// The model.
#[derive(Debug)]
pub struct Fast;

/// State of a line, and scratch memory.
#[derive(Clone, Debug)]
pub struct State {
    past: Option<Past>,
    sums: Vec<i16>,
}

/// The number of exchanges at a destination: check or not, the captured man, the danger, defended
/// or not.
const EXCHANGES: usize = 2 * 6 * 3 * 2;

/// The same, rounded up to a power of two, so that indices need no bounds check.
const ROOM: usize = EXCHANGES.next_power_of_two();

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// By kind of man and origin, then destination.
    moves: Box<[[i8; 64]; 512]>,
    /// By stretch of the game and kind of man, then destination.
    times: Vec<[i8; 64]>,
    /// By kind of man and the last move's, then displacement.
    near: Vec<[i8; 64]>,
    /// By kind of man, the origin's least attacker, whether it is covered, and whether the position
    /// is late, then exchange.
    exchanges: Box<[[i16; ROOM]; 256]>,
    /// By whether it is late, then whether it is towards the h-file.
    castling: [[i16; 2]; 2],
    /// By piece, then the captured man.
    promotions: [[i16; 6]; 4],
    weights: Weights,
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
                if exchange >= EXCHANGES {
                    return 0;
                }
                let (defended, danger) = (exchange % 2, exchange / 2 % 3);
                let (victim, check) = (exchange / 6 % 6, exchange / 36);
                let outcome = outcome(role, victim, danger, defended == 1);
                let at = (((role * 6 + victim) * 3 + danger) * 2 + defended) * 2 + late;
                let leave = ((role * 6 + attacker) * 2 + covered) * OUTCOMES + outcome;
                let check = (check * 6 + role) * OUTCOMES + outcome;
                i16::from(weight(2, at)) + i16::from(weight(3, leave)) + i16::from(weight(5, check))
            })
        };
        Self {
            moves: boxed(rows(0, 6 * 64), [0; 64]),
            times: rows(1, features::BUCKETS * 6),
            near: (0..6 * 12).map(near).collect(),
            exchanges: boxed((0..6 * 6 * 2 * 2).map(exchanges).collect(), [0; ROOM]),
            castling: [0, 2].map(|late| [0, 1].map(|side| weight(6, late + side).into())),
            promotions: std::array::from_fn(|piece| {
                std::array::from_fn(|victim| weight(7, piece * 6 + victim).into())
            }),
            weights: Weights::of(gate),
        }
    }
}

/// Returns the rows as a table of fixed size, so that indices need no bounds check.
fn boxed<T: Copy, const SIZE: usize>(mut rows: Vec<T>, none: T) -> Box<[T; SIZE]> {
    rows.resize(SIZE, none);
    // The fallback is never used: the lengths agree.
    rows.into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([none; SIZE]))
}

impl MoveModel<Chess> for Fast {
    type State = State;

    fn begin(&self, _: &Chess, _: &Position) -> State {
        State { past: None, sums: Vec::with_capacity(64) }
    }

    weigh_at_a_glance!(Chess);

    fn update(&self, state: &mut State, ply: &Ply<'_, Chess>) {
        [state.past, ..] = follow([state.past, None, None, None], ply);
    }
}

impl Glance<Chess> for Fast {
    type Memory = State;

    #[inline(always)]
    fn glance(
        State { past, sums }: &mut State,
        position: &Position,
        candidates: &[Move],
        weights: &mut Vec<u32>,
    ) {
        Seen::new(*past, position).weigh(candidates, sums, weights);
    }
}

/// The first look for features with the same scene.
impl<F: Features<Chess, Scene = Seen>> FirstLook<Chess, F> for Fast {
    type State = State;

    fn begin(&self, game: &Chess, start: &Position) -> State {
        MoveModel::begin(self, game, start)
    }

    #[inline(always)]
    fn weigh(
        &self,
        state: &mut State,
        _: (&F, &F::State),
        position: &Position,
        candidates: &[Move],
        weights: &mut Vec<u32>,
        _: &mut Sight,
    ) -> Seen {
        let seen = Seen::new(state.past, position);
        seen.weigh(candidates, &mut state.sums, weights);
        seen
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Chess>) {
        MoveModel::update(self, state, ply);
    }
}

/// Zero weights, for positions without a last move.
static NONE: [i8; 64] = [0; 64];

/// Facts shared by all moves of a man.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    role: u8,
    /// Rows of the tables.
    moves: u16,
    exchanges: u16,
}

/// The tables' rows for a position.
struct Rows<'a> {
    tables: &'a Tables,
    view: &'a View,
    origins: [Origin; 64],
    /// By kind of man.
    times: [&'a [i8; 64]; 8],
    near: [&'a [i8; 64]; 8],
    displacement: &'a [u8; 64],
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn new(seen: &'a Seen) -> Self {
        let (tables, view) = (&*TABLES, &seen.view);
        let mut origins = [Origin::default(); 64];
        let late = usize::from(view.late);
        for from in BitBoard(view.ours) {
            let from = from as usize;
            let (role, covered) = (view.role(from), usize::from(view.covered(from)));
            let exchanges = ((role * 6 + view.least_at(from)) * 2 + covered) * 2 + late;
            let moves = role * 64 + (from ^ view.turn);
            // Below 384, and kinds below 6.
            #[expect(clippy::cast_possible_truncation)]
            {
                origins[from % 64] =
                    Origin { role: role as u8, moves: moves as u16, exchanges: exchanges as u16 };
            }
        }
        let near = |role: usize| match seen.past {
            Some(past) if role < 6 => &tables.near[role * 12 + man(past)],
            _ => &NONE,
        };
        let stretch = seen.bucket * 6;
        let time = |role: usize| tables.times.get(stretch + role).unwrap_or(&NONE);
        let last = seen.past.map_or(0, |past| usize::from(past.to)) ^ view.turn;
        Self {
            tables,
            view,
            origins,
            times: std::array::from_fn(time),
            near: std::array::from_fn(near),
            displacement: &DISPLACEMENT[last % 64],
        }
    }

    /// Returns the sum for a move that neither castles nor promotes, to a square with a man of kind
    /// `victim`. It has no branches, as none could be predicted.
    #[inline(always)]
    fn sum(&self, from: usize, to: usize, victim: usize) -> i16 {
        let (view, tables) = (self.view, self.tables);
        let origin = &self.origins[from % 64];
        let role = usize::from(origin.role) % 8;
        let turned = (to ^ view.turn) % 64;
        let exchange = view.defended(role, from, to)
            + 2 * view.danger(role, to)
            + 6 * victim
            + 36 * view.check(role, to);
        i16::from(tables.moves[usize::from(origin.moves) % 512][turned])
            + i16::from(self.times[role][turned])
            + i16::from(self.near[role][usize::from(self.displacement[turned]) % 64])
            + tables.exchanges[usize::from(origin.exchanges) % 256][exchange % ROOM]
    }
}

impl Seen {
    /// Fills `weights`, which is empty, with the candidates' weights. `sums` is scratch memory.
    #[inline(always)]
    fn weigh(&self, candidates: &[Move], sums: &mut Vec<i16>, weights: &mut Vec<u32>) {
        let (tables, rows, view) = (&*TABLES, Rows::new(self), &self.view);
        // In place: extending a vector is not inlined.
        sums.clear();
        sums.resize(candidates.len(), 0);
        for (mv, sum) in candidates.iter().zip(sums.iter_mut()) {
            let (from, to) = (mv.from as usize, mv.to as usize);
            *sum = rows.sum(from, to, view.victim(to));
        }
        if view.has_oddities() {
            for (&mv, sum) in candidates.iter().zip(sums.iter_mut()) {
                let (from, to) = (mv.from as usize, mv.to as usize);
                let late = usize::from(view.late);
                if view.castles(mv) {
                    *sum = rows.sum(from, castled(from, to) as usize, 0);
                    *sum += tables.castling[late][usize::from(mv.from < mv.to)];
                } else if let Some(piece) = mv.promotion {
                    let piece = (piece as usize).saturating_sub(1) % 4;
                    *sum += tables.promotions[piece][view.victim(to) % 6];
                } else if view.takes_in_passing(mv) {
                    *sum = rows.sum(from, to, 1);
                }
            }
        }
        tables.weights.weigh(sums.iter().copied(), candidates.len(), weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::weights::plain;
    use plypack_core::policy::Features;
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Ply, Rules};

    #[test]
    fn the_table_is_whole() {
        assert!(Gate::read(FAST_GATE).is_some());
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
            let mut fast = MoveModel::begin(&Fast, &Chess, &position);
            let mut past = None;
            for _ in 0..80 {
                let mut candidates = Vec::new();
                Chess.candidates(&position, &mut candidates);
                let mut weights = Vec::new();
                MoveModel::weigh(&Fast, &mut fast, &position, &candidates, &mut weights);
                assert_eq!(
                    weights,
                    plain((&features::Eyes, &GATE), &past, &position, &candidates),
                    "{position:?}"
                );
                let Some(count) = u64::try_from(candidates.len()).ok().filter(|&n| n > 0) else {
                    break;
                };
                let index = usize::try_from(random.next_u64() % count).expect("few");
                let before = position.clone();
                position.play(candidates[index]);
                let listed = Candidates::listed(&before, &candidates);
                let ply = Ply::new(listed, candidates[index], &position);
                MoveModel::update(&Fast, &mut fast, &ply);
                features::Eyes.update(&mut past, &ply);
            }
        }
    }
}
