//! The inputs of the closer look at a point: the nearest stones, the stones in its corner, the
//! chains beside it after the move, and the stones around the last moves.

use super::features::{SLOTS, slot};
use crate::go::chains::Chain;
use crate::go::link::features::{State, WORDS};
use crate::go::link::patterns::{number, scaled, with, word};
use crate::go::link::scene::{Scene, size_class};
use crate::go::rules::{EDGE, EMPTY};
use crate::go::{Move, Position};

/// The largest distance recorded; farther stones count as this far.
const FAR: u8 = 7;

/// Number of rows and columns of a corner.
const CORNER: usize = 9;

/// Corners with more stones are not hashed.
const CORNER_STONES: usize = 16;

/// The stones in a corner, as a hash for each of its two images.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    hashes: [u32; 2],
    stones: usize,
}

/// What all candidates of a position share.
#[derive(Debug)]
pub struct Surroundings {
    /// By point, the distances of the nearest stones of ours and theirs.
    nearest: Vec<[u8; 2]>,
    corners: [Corner; 4],
    /// The numbers of our chains beside the last move; 0 for none.
    beside_last: [u16; 4],
}

/// Returns the words of something in a corner, by image.
fn words([row, column]: [usize; 2], what: usize) -> [u32; 2] {
    [word(row * CORNER + column, what), word(column * CORNER + row, what)]
}

impl Surroundings {
    /// Computes what all candidates share.
    pub fn new(scene: &Scene, state: &State, position: &Position) -> Self {
        let [rows, columns] = [scene.rows, scene.columns].map(usize::from);
        let mut nearest = vec![[FAR; 2]; rows * columns];
        let mut corners = [Corner::default(); 4];
        for (point, stone) in (0..).zip(position.points()) {
            if stone == EMPTY {
                continue;
            }
            let theirs = usize::from(stone != scene.us);
            if let Some(place) = nearest.get_mut(usize::from(point)) {
                place[theirs] = 0;
            }
            let (corner, place) = corner(scene, point);
            let corner = &mut corners[corner];
            corner.stones += 1;
            if let Some(place) = place {
                for (hash, word) in corner.hashes.iter_mut().zip(words(place, 1 + theirs)) {
                    *hash ^= word;
                }
            }
        }
        // The last move becomes part of its corner's hash.
        if state.past[0] != Move::PASS {
            let (corner, _) = corner(scene, state.past[0]);
            corners[corner].hashes.iter_mut().for_each(|hash| *hash ^= word(CORNER * CORNER, 4));
        }
        spread(&mut nearest, columns);
        let last = position.index(state.past[0]);
        let beside_last = position.strides().map(|stride| {
            let beside = last.wrapping_add_signed(stride);
            let ours = last > 0 && position.array().get(beside) == Some(&scene.us);
            scene.chains.at(beside).filter(|_| ours).map_or(0, |(number, _)| number)
        });
        Self { nearest, corners, beside_last }
    }

    /// Fills the slots of a candidate.
    pub fn see(
        &self,
        scene: &Scene,
        state: &State,
        position: &Position,
        point: u16,
        slots: &mut [u16; SLOTS],
    ) {
        let stage = scene.stage();
        let captures = self.see_chains(scene, position, point, slots);
        if let Some(turn) = state.kos.iter().position(|&ko| ko == point) {
            let retaken = usize::from(position.ko().is_some());
            slot::set(slots, slot::KOS, (turn * 2 + usize::from(captures)) * 2 + retaken);
        }
        // The patterns around the last moves.
        let white = position.white_to_move();
        for (past, which, rings) in [(0, slot::RESPONSE, 2), (1, slot::SEQUEL, 1)] {
            let other = state.past[past];
            if other == Move::PASS {
                continue;
            }
            let [down, right] = scene.apart(point, other);
            if let Some(words) = WORDS.last(down, right) {
                let around = state.patterns.around(other, white);
                slot::set(slots, which, number(&with(&around[rings], words), slot::count(which)));
            }
        }
        let far = |other: u16| {
            if other == Move::PASS {
                return 7;
            }
            let [down, right] =
                scene.apart(point, other).map(|far| usize::from(far.unsigned_abs()));
            match 2 * down.max(right) + down.min(right) {
                0..=2 => 0,
                3 => 1,
                4 => 2,
                5 | 6 => 3,
                7..=9 => 4,
                10..=13 => 5,
                _ => 6,
            }
        };
        let [last, own, third] = [0, 1, 2].map(|past| far(state.past[past]));
        slot::set(slots, slot::PAST, (last * 8 + own) * 8 + third);
        let (corner, place) = corner(scene, point);
        let corner = &self.corners[corner];
        if let Some(place) = place.filter(|_| corner.stones <= CORNER_STONES) {
            let [one, other] = words(place, 4);
            let least = (corner.hashes[0] ^ one).min(corner.hashes[1] ^ other);
            slot::set(slots, slot::JOSEKI, scaled(least, slot::count(slot::JOSEKI)));
        }
        let nearest = self.nearest.get(usize::from(point)).copied().unwrap_or([FAR; 2]);
        let [ours, theirs] = nearest.map(|far| usize::from(far.clamp(1, FAR)) - 1);
        let edges = scene.edges(point);
        let line = edges[0].min(edges[1]).min(4);
        slot::set(slots, slot::NEAREST, ((ours * 7 + theirs) * 5 + line) * 3 + stage);
    }

    /// Fills the slots for the chains beside a point. Returns whether the move captures.
    fn see_chains(
        &self,
        scene: &Scene,
        position: &Position,
        point: u16,
        slots: &mut [u16; SLOTS],
    ) -> bool {
        let at = position.index(point);
        // The most stones in a chain of ours beside the last move with one liberty, and with two;
        // the liberties of the last move's chain, if it is beside the point.
        let (mut urgent, mut captures) = ([0usize; 2], false);
        let mut answered = 0;
        // The chain that either side's stone here would form: ours first.
        let mut after = [Chain::default(); 2];
        let mut enough = [false; 2];
        let mut chains = [0usize; 2];
        let mut size = 1;
        let mut seen = [0u16; 4];
        for (beside, stride) in position.strides().into_iter().enumerate() {
            let next = at.wrapping_add_signed(stride);
            let free = u16::try_from(next).unwrap_or(0);
            let stone = position.array().get(next).copied().unwrap_or(EDGE);
            if stone == EMPTY {
                after.iter_mut().for_each(|after| after.add(free));
                continue;
            }
            let Some((number, chain)) = scene.chains.at(next) else { continue };
            let again = seen.contains(&number);
            seen[beside] = number;
            let side = usize::from(stone != scene.us);
            if !again {
                chains[side] += 1;
                size += if side == 0 { usize::from(chain.size) } else { 0 };
                enough[side] |= chain.free == chain.liberties.len();
                for &liberty in chain.liberties.get(..chain.free).unwrap_or_default() {
                    if usize::from(liberty) != at {
                        after[side].add(liberty);
                    }
                }
            }
            if side == 0
                && self.beside_last.contains(&number)
                && let Some(most) = urgent.get_mut(chain.free.wrapping_sub(1))
            {
                *most = (*most).max(chain.size.into());
            }
            if scene.last.is_some_and(|last| last.0 == number) {
                answered = chain.free.min(3);
            }
            if chain.free == 1 {
                after[1 - side].add(free);
                captures |= side == 1;
            }
        }
        let [ours, theirs] =
            [0, 1].map(|side| if enough[side] { 5 } else { after[side].free.min(5) });
        let [joined, cut] = chains.map(|count| count.min(3));
        slot::set(slots, slot::JOINS, (joined * 4 + cut) * 4 + ours.min(3));
        slot::set(slots, slot::BOTH, (ours * 6 + theirs) * 3 + scene.stage());
        if ours <= 2 {
            slot::set(slots, slot::RISK, ours * 5 + size_class(size));
        }
        let [one, two] = urgent.map(size_class);
        if one + two + answered > 0 {
            let few = ours.min(3);
            slot::set(slots, slot::URGENT, ((one * 5 + two) * 4 + answered) * 4 + few);
        }
        captures
    }
}

/// Returns the corner nearest to a point, and the point's distances from its edges if both are at
/// most 8.
fn corner(scene: &Scene, point: u16) -> (usize, Option<[usize; 2]>) {
    let (row, column) = (point / scene.columns, point % scene.columns);
    let corner = usize::from(row * 2 >= scene.rows) * 2 + usize::from(column * 2 >= scene.columns);
    let edges = scene.edges(point);
    (corner, Some(edges).filter(|edges| edges.iter().all(|&edge| edge < CORNER)))
}

/// Spreads distances from the stones, where they are 0, to all points, along rows and columns.
fn spread(nearest: &mut [[u8; 2]], columns: usize) {
    let relax = |nearest: &mut [[u8; 2]], at: usize, other: usize| {
        let Some(&there) = nearest.get(other) else { return };
        let Some(here) = nearest.get_mut(at) else { return };
        for (here, there) in here.iter_mut().zip(there) {
            *here = (*here).min(there + 1);
        }
    };
    for at in 0..nearest.len() {
        if !at.is_multiple_of(columns) {
            relax(nearest, at, at - 1);
        }
        if at >= columns {
            relax(nearest, at, at - columns);
        }
    }
    for at in (0..nearest.len()).rev() {
        if !(at + 1).is_multiple_of(columns) {
            relax(nearest, at, at + 1);
        }
        relax(nearest, at, at + columns);
    }
}
