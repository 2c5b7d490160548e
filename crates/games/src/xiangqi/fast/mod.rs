//! `line.fast` of xiangqi: moves are weighed at a glance.
//!
//! The features ([`features`]) cost a few look-ups per candidate. [`Fast`] takes short cuts: what
//! depends only on kind and destination is added up once per position, what depends on the origin
//! once per man, and what depends on the exchange at the destination beforehand.

pub mod features;
pub mod inputs;
pub mod view;

use std::sync::LazyLock;

use plypack_core::policy::{Features, FirstLook, Gate, Sight};
use plypack_core::{MoveModel, Ply, natively};
use plypack_tables::xiangqi::FAST_GATE;

use super::board::{SQUARES, squares};
use super::link::features::follow;
use super::link::rows::man_rows;
use super::link::scene::DISPLACEMENT;
use super::{Move, Position, Xiangqi};
use crate::common::past::Pasts;
use crate::common::weights::{Glance, Weighing, Weights, weigh_at_a_glance};
use features::{FIRST, OUTCOMES, PHASES, SET_UPS, Seen, TIMES, outcome, slot};
use view::View;

/// The gate of `line.fast`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(FAST_GATE).unwrap_or_default());

/// The model.
#[derive(Debug)]
pub struct Fast;

/// The state of a line's model, and scratch memory.
#[derive(Clone, Debug)]
pub struct State {
    pasts: Pasts,
    sums: Vec<i16>,
    bases: [Base; 2],
}

/// Sums that mostly stay the same from one move of a side to the next.
#[derive(Clone, Debug)]
struct Base {
    /// The rows of the tables that were added up, counted from 1; initially 0.
    of: [usize; 4],
    /// By kind of man, then destination.
    sums: [[i16; WIDTH]; 8],
}

impl Default for Base {
    fn default() -> Self {
        Self { of: [0; 4], sums: [[0; WIDTH]; 8] }
    }
}

impl Base {
    /// Adds up what depends only on the kind of man and the destination, if the rows have changed.
    #[inline(always)]
    fn follow(&mut self, view: &View, tables: &Tables) {
        let of = [view.time + 1, view.set_up + 1, view.phase + 1, view.target + 1];
        if self.of == of {
            return;
        }
        self.of = of;
        let parts = [
            tables.times.get(view.time),
            tables.set_ups.get(view.set_up),
            tables.to.get(view.phase),
            tables.targets.get(view.target),
        ];
        if let [Some(time), Some(set_up), Some(to), Some(target)] = parts {
            for role in 0..7 {
                for at in 0..96 {
                    self.sums[role][at] = i16::from(time[role][at])
                        + i16::from(set_up[role][at])
                        + i16::from(to[role][at])
                        + i16::from(target[role][at]);
                }
            }
        }
    }
}

/// Number of exchanges at a destination, by the captured man, the danger, and whether it is
/// defended: 48, rounded up to a power of two, so that indices need no check.
const EXCHANGES: usize = 64;

/// Number of distinct origins in `leave`, for one phase.
const LEAVES: usize = 7 * 6 * 2 * 2;

/// Number of squares of a row, rounded up, so that indices need no check.
const WIDTH: usize = 128;

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// By kind of man and origin, then destination.
    moves: Vec<[i8; WIDTH]>,
    /// By stretch of the game, set-up, phase, and place of their king; then by kind of man; then by
    /// destination.
    times: Vec<[[i8; WIDTH]; 7]>,
    set_ups: Vec<[[i8; WIDTH]; 7]>,
    to: Vec<[[i8; WIDTH]; 7]>,
    targets: Vec<[[i8; WIDTH]; 7]>,
    /// By phase and kind of man, then origin.
    from: Vec<[i8; WIDTH]>,
    /// By the man's last move and the stage, then kind.
    again: Vec<[i8; 8]>,
    /// By kind of man and of the last man moved, then displacement.
    near: Vec<[i8; 64]>,
    /// By phase and origin, then exchange.
    exchanges: Vec<[i16; EXCHANGES]>,
    /// By kind of man, then exchange and what the man does at its destination.
    acts: [[i16; EXCHANGES * 8]; 8],
    weights: Weights,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::of(&GATE));

/// Splits an exchange's number: the captured man, the danger, and whether it is defended.
const fn exchange_of(exchange: usize) -> (usize, usize, usize) {
    (exchange % 8, exchange / 8 % 4, exchange / 32)
}

impl Tables {
    fn of(gate: &Gate) -> Self {
        let weight = |slot: usize, feature: usize| gate.weight(usize::from(FIRST[slot]) + feature);
        let row = |slot: usize, row: usize| {
            let at =
                |column| if column < SQUARES { weight(slot, row * SQUARES + column) } else { 0 };
            std::array::from_fn(at)
        };
        let rows = |slot: usize, count: usize| -> Vec<[[i8; WIDTH]; 7]> {
            let all = |one: usize| std::array::from_fn(|role| row(slot, one * 7 + role));
            (0..count).map(all).collect()
        };
        let moves = |number: usize| {
            let rows = man_rows(number / SQUARES, number % SQUARES);
            std::array::from_fn(|to| rows.get(to).map_or(0, |&row| weight(slot::MOVE, row.into())))
        };
        let near = |row: usize| {
            let (role, man) = (row / 14, row % 14);
            let at = |place: usize| weight(slot::NEAR, (place.min(48) * 7 + role) * 14 + man);
            std::array::from_fn(at)
        };
        let known = |exchange: usize| {
            let (taken, danger, defended) = exchange_of(exchange);
            (taken, danger.min(2), defended)
        };
        let exchanges = |number: usize| {
            let (phase, origin) = (number / LEAVES, number % LEAVES);
            let role = origin / 24;
            std::array::from_fn(|exchange| {
                let (taken, danger, defended) = known(exchange);
                let outcome = outcome(role, taken, danger, defended == 1);
                let at = ((role * 8 + taken) * 3 + danger) * 2 + defended;
                i16::from(weight(slot::EXCHANGE, at * PHASES + phase))
                    + i16::from(weight(slot::LEAVE, origin * OUTCOMES + outcome))
            })
        };
        let acts = |role: usize| {
            std::array::from_fn(|number| {
                let (taken, danger, defended) = known(number / 8);
                let role = role.min(6);
                let outcome = outcome(role, taken, danger, defended == 1);
                let act = number % 8 / 4 * 3 + (number % 4).min(2);
                weight(slot::ACT, (act * 7 + role) * OUTCOMES + outcome).into()
            })
        };
        let again =
            |row: usize| std::array::from_fn(|role| weight(slot::AGAIN, row * 7 + role.min(6)));
        Self {
            moves: (0..7 * SQUARES).map(moves).collect(),
            times: rows(slot::TIME, TIMES),
            set_ups: rows(slot::SET_UP, SET_UPS),
            to: rows(slot::TO, PHASES),
            targets: rows(slot::TARGET, 9),
            from: (0..PHASES * 7).map(|number| row(slot::FROM, number)).collect(),
            again: (0..3 * 7).map(again).collect(),
            near: (0..7 * 14).map(near).collect(),
            exchanges: (0..PHASES * LEAVES).map(exchanges).collect(),
            acts: std::array::from_fn(acts),
            weights: Weights::of(gate),
        }
    }
}

impl MoveModel<Xiangqi> for Fast {
    type State = State;

    fn begin(&self, _: &Xiangqi, _: &Position) -> State {
        State { pasts: Pasts::default(), sums: Vec::with_capacity(64), bases: Default::default() }
    }

    weigh_at_a_glance!(Xiangqi);

    fn update(&self, state: &mut State, ply: &Ply<'_, Xiangqi>) {
        state.pasts = follow(state.pasts, ply);
    }
}

impl Glance<Xiangqi> for Fast {
    type Memory = State;

    #[inline(always)]
    fn glance(
        State { pasts, sums, bases }: &mut State,
        position: &Position,
        candidates: &[Move],
        weights: &mut Vec<u32>,
    ) {
        Seen::new(pasts, position).weigh(candidates, bases, sums, weights);
    }
}

/// The result of a glance, for models that look closer.
#[derive(Debug)]
pub struct Glanced {
    /// The position.
    pub seen: Seen,
    below: [u8; 128],
}

/// Number of distinct distances from the best candidate.
pub const BELOWS: usize = 64;

impl Glanced {
    /// Glances at a position.
    pub fn new(pasts: &Pasts, position: &Position, candidates: &[Move]) -> Self {
        let seen = Seen::new(pasts, position);
        let (mut sums, mut weights) = (Vec::new(), Vec::new());
        seen.weigh(candidates, &mut Default::default(), &mut sums, &mut weights);
        Self::of(seen, &sums)
    }

    #[inline(always)]
    fn of(seen: Seen, sums: &[i16]) -> Self {
        let best = sums.iter().copied().max().unwrap_or(0);
        let mut below = [0; 128];
        for (place, &sum) in below.iter_mut().zip(sums) {
            // From 0 to 63.
            #[expect(clippy::cast_sign_loss)]
            {
                *place = ((best - sum) / 2).clamp(0, 63) as u8;
            }
        }
        Self { seen, below }
    }

    /// Returns the difference of a candidate's sum from the best, in steps of two, at most 63.
    /// Candidates from the 129th on, which no game has, repeat those of the first 128.
    #[inline(always)]
    pub fn below(&self, index: u16) -> usize {
        self.below[usize::from(index) % 128].into()
    }
}

/// For features that look closer.
impl<F: Features<Xiangqi, Scene = Glanced>> FirstLook<Xiangqi, F> for Fast {
    type State = State;

    fn begin(&self, game: &Xiangqi, start: &Position) -> State {
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
    ) -> Glanced {
        let seen = Seen::new(&state.pasts, position);
        seen.weigh(candidates, &mut state.bases, &mut state.sums, weights);
        Glanced::of(seen, &state.sums)
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Xiangqi>) {
        MoveModel::update(self, state, ply);
    }
}

/// No weights, for positions without a last move.
static NONE: [i8; 64] = [0; 64];

/// What all moves of a man share.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    /// A summand of each of its moves.
    sum: i16,
    /// Rows of the tables.
    moves: u16,
    exchanges: u16,
    role: u8,
}

/// The tables' rows for a position.
struct Rows<'a> {
    tables: &'a Tables,
    seen: &'a Seen,
    origins: [Origin; 128],
    base: &'a [[i16; WIDTH]; 8],
    near: [&'a [i8; 64]; 8],
    displacement: [u8; WIDTH],
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn new(seen: &'a Seen, base: &'a mut Base) -> Self {
        let tables = &*TABLES;
        let view = &seen.view;
        base.follow(view, tables);
        let base = &base.sums;
        let again = |place: usize, role: usize| -> i16 {
            tables.again.get(place * 7 + view.stage).map_or(0, |row| row[role % 8].into())
        };
        let own = seen.own.map_or(usize::from(u8::MAX), |own| own.to.into());
        let mut origins = [Origin::default(); 128];
        for at in squares(view.ours) {
            let at = usize::from(at);
            let from = usize::from(view.turn(at)) % SQUARES;
            let role = view.role(at) % 7;
            let number = ((role * 6 + view.least_at(at)) * 2 + view.covered(at)) * 2;
            let from_sum =
                tables.from.get(view.phase * 7 + role).map_or(0, |row| i16::from(row[from]));
            // Below 672 and 630, and kinds below 7.
            #[expect(clippy::cast_possible_truncation)]
            {
                origins[at % 128] = Origin {
                    sum: from_sum + again(usize::from(own == from), role),
                    moves: (role * SQUARES + from) as u16,
                    exchanges: (view.phase * LEAVES + number + view.chased(at)) as u16,
                    role: role as u8,
                };
            }
        }
        let near = |role: usize| match seen.last {
            Some(last) => tables.near.get(role * 14 + last.man()).unwrap_or(&NONE),
            None => &NONE,
        };
        let last = seen.last.map_or(0, |last| usize::from(last.to));
        let mut displacement = [0; WIDTH];
        displacement[..SQUARES].copy_from_slice(&DISPLACEMENT[last % SQUARES]);
        Self { tables, seen, origins, base, near: std::array::from_fn(near), displacement }
    }

    /// Returns the sum of a move. Branch-free, as branches would be unpredictable.
    #[inline(always)]
    fn sum(&self, mv: Move) -> i16 {
        let (view, tables) = (&self.seen.view, self.tables);
        let origin = &self.origins[usize::from(mv.from) % 128];
        let role = usize::from(origin.role) % 8;
        let goal = usize::from(mv.to);
        let to = usize::from(view.turn(goal)) % WIDTH;
        let taken = view.taken(goal);
        let exchange = taken + 8 * view.danger(role, goal) + 32 * view.defended(role, goal);
        let act = 4 * view.check(role, goal) + view.threat(role, goal);
        let moves = &tables.moves[usize::from(origin.moves)];
        let exchanges = &tables.exchanges[usize::from(origin.exchanges)];
        origin.sum
            + i16::from(moves[to])
            + self.base[role][to]
            + i16::from(self.near[role][usize::from(self.displacement[to]) % 64])
            + exchanges[exchange % EXCHANGES]
            + tables.acts[role][(exchange * 8 + act) % (EXCHANGES * 8)]
    }
}

impl Seen {
    /// Fills `weights`, which is empty, with the candidates' weights. `sums` is scratch memory.
    #[inline(always)]
    fn weigh(
        &self,
        candidates: &[Move],
        bases: &mut [Base; 2],
        sums: &mut Vec<i16>,
        weights: &mut Vec<u32>,
    ) {
        let rows = Rows::new(self, &mut bases[usize::from(self.view.black)]);
        // Written in place: `extend` would not be inlined.
        sums.clear();
        sums.resize(candidates.len(), 0);
        for (&mv, sum) in candidates.iter().zip(sums.iter_mut()) {
            *sum = rows.sum(mv);
        }
        if let Some(own) = self.own {
            // The reverse of our own last move.
            let back =
                Move { from: self.view.turn(own.to.into()), to: self.view.turn(own.from.into()) };
            if let Some(place) = candidates.iter().position(|&mv| mv == back) {
                let role = usize::from(own.role) % 8;
                let again = |place: usize| -> i16 {
                    let row = rows.tables.again.get(place * 7 + self.view.stage);
                    row.map_or(0, |row| row[role].into())
                };
                if let Some(sum) = sums.get_mut(place) {
                    *sum += again(2) - again(1);
                }
            }
        }
        rows.tables.weights.weigh(sums.iter().copied(), candidates.len(), weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;
    use crate::common::weights::plain;
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Rules};

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(FAST_GATE).is_some() && FAST_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*FAST_GATE), 0x8aa7_150a_fb09_485c);
    }

    #[test]
    fn short_cuts_lead_to_the_same_weights() {
        let starts = [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "2bak4/4a4/4b4/p3p3p/4c1p2/2P6/P3P1P1P/1C2B1N2/9/1RBAKA3 b - - 0 17",
            "3aka3/9/4b4/2R6/9/2P1P4/5r3/4BA3/4N4/2BAK2n1 w - - 3 45",
        ];
        let mut random = Random::new(6);
        for start in starts.iter().cycle().take(60) {
            let mut position = Position::read_fen(start).expect(start);
            let mut fast = MoveModel::begin(&Fast, &Xiangqi, &position);
            for _ in 0..80 {
                let mut candidates = Vec::new();
                Xiangqi.candidates(&position, &mut candidates);
                let mut weights = Vec::new();
                MoveModel::weigh(&Fast, &mut fast, &position, &candidates, &mut weights);
                assert_eq!(
                    weights,
                    plain((&features::Eyes, &GATE), &fast.pasts, &position, &candidates),
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
            }
        }
    }
}
