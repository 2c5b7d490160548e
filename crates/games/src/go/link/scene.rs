//! The features of a candidate, and the inputs of the judge's net: the stones around the last move.

use plypack_core::policy::Sight;

use super::features::light::{self, count, set};
use super::features::{LIGHT, State, WORDS};
use super::patterns::{Hashes, number, with};
use crate::go::chains::{Chain, Chains};
use crate::go::rules::{BLACK, EDGE, EMPTY, WHITE};
use crate::go::{Move, Position};

/// The reach of the net's view around the last move.
const VIEW: i16 = 5;

/// Number of places in the net's view.
const PLACES: u16 = (2 * VIEW as u16 + 1) * (2 * VIEW as u16 + 1);

/// Number of inputs of the net: at each place a stone of ours or theirs with 1, 2, 3 or more
/// liberties, or off the board; the places of our last move and of their last but one; the number
/// of stones; no last move.
pub const INPUTS: u16 = PLACES * 9 + PHASES + 1;

/// Number of rows of the net's output: the places around the last move; for other points the
/// distances from the edges; the pass.
pub const ROWS: u16 = PLACES + 55 + 1;

/// Number of phases: one per 24 stones.
pub const PHASES: u16 = 12;

/// What all candidates of a position share.
#[derive(Debug)]
pub struct Scene {
    pub(in crate::go) chains: Chains,
    pub(in crate::go) us: u8,
    pub(in crate::go) rows: u16,
    pub(in crate::go) columns: u16,
    stones: usize,
    /// The numbers of our and their stones above and to the left of each point.
    sums: Vec<[u16; 2]>,
    /// The last move's chain.
    pub(in crate::go) last: Option<(u16, Chain)>,
}

/// What a new stone touches.
#[derive(Default)]
struct Contact {
    /// The pattern next to it, with the liberties of the chains there.
    near: Hashes,
    /// The chain that it makes.
    after: Chain,
    /// Whether a chain that it joins has more liberties than are counted.
    enough: bool,
    /// The fewest liberties of neighbouring chains; `None` without any.
    ours: Option<usize>,
    theirs: Option<usize>,
    /// The number of stones of our largest neighbouring chains with 1 and with 2 liberties.
    saved: usize,
    pressed: usize,
    /// The number of stones that are captured, and of the other's largest chain with 2 liberties.
    captured: usize,
    chased: usize,
    /// Whether the last move's chain is next to it, and is captured.
    touches: bool,
    last_taken: bool,
}

/// Returns one number for an unordered pair.
fn triangle(a: usize, b: usize) -> usize {
    let (small, large) = (a.min(b), a.max(b));
    large * (large + 1) / 2 + small
}

/// Returns the class of a number of stones, one of five; 0 is a class of its own.
pub(in crate::go) fn size_class(stones: usize) -> usize {
    match stones {
        0..=2 => stones,
        3 | 4 => 3,
        _ => 4,
    }
}

impl Scene {
    /// Computes what all candidates share.
    pub fn new(state: &State, position: &Position) -> Self {
        let us = if position.white_to_move() { WHITE } else { BLACK };
        let (rows, columns) = (position.rows(), position.columns());
        let width = usize::from(columns) + 1;
        let mut sums = vec![[0u16; 2]; (usize::from(rows) + 1) * width];
        let mut stones = 0;
        for (point, stone) in position.points().enumerate() {
            let (row, column) = (point / usize::from(columns), point % usize::from(columns));
            let at = (row + 1) * width + column + 1;
            let (left, above, both) = (sums[at - 1], sums[at - width], sums[at - width - 1]);
            let ours = stone == us;
            let here = [ours, stone != EMPTY && !ours].map(u16::from);
            sums[at] = [0, 1].map(|side| left[side] + above[side] + here[side] - both[side]);
            stones += usize::from(stone != EMPTY);
        }
        let chains = Chains::new(position);
        let last = chains.at(position.index(state.past[0])).map(|(number, chain)| (number, *chain));
        Self { chains, us, rows, columns, stones, sums, last }
    }

    /// Counts the stones of a side in a rectangle; `bottom` and `right` are exclusive.
    fn within(&self, side: usize, [top, left]: [u16; 2], [bottom, right]: [u16; 2]) -> usize {
        let width = usize::from(self.columns) + 1;
        let at = |row: u16, column: u16| {
            self.sums.get(usize::from(row) * width + usize::from(column)).map_or(0, |sum| sum[side])
        };
        usize::from(at(bottom, right) + at(top, left) - at(top, right) - at(bottom, left))
    }

    /// Returns the stage of the game, one of three.
    pub(in crate::go) fn stage(&self) -> usize {
        match self.stones {
            0..=39 => 0,
            40..=119 => 1,
            _ => 2,
        }
    }

    /// Returns the distances of a point from the nearer edges, at most 9: rows, columns.
    pub(in crate::go) fn edges(&self, point: u16) -> [usize; 2] {
        let (row, column) = (point / self.columns, point % self.columns);
        [row.min(self.rows - 1 - row), column.min(self.columns - 1 - column)]
            .map(|edge| usize::from(edge.min(9)))
    }

    /// Returns the offset between two points, in rows and columns.
    pub(in crate::go) fn apart(&self, point: u16, other: u16) -> [i16; 2] {
        let place = |point: u16| [point / self.columns, point % self.columns].map(u16::cast_signed);
        let ([row, column], [other_row, other_column]) = (place(point), place(other));
        [row - other_row, column - other_column]
    }

    /// Fills the light slots of a candidate.
    pub fn see(&self, state: &State, position: &Position, mv: Move, slots: &mut [u16; LIGHT]) {
        if mv.point == Move::PASS {
            set(slots, light::PASS, state.passes * 24 + (self.stones / 16).min(23));
            return;
        }
        let ko = self.see_chains(state, position, mv.point, slots);
        self.see_past(state, mv.point, slots);
        self.see_place(mv.point, slots);
        let retaken = usize::from(position.ko().is_some());
        set(slots, light::KO, ko * 3 + retaken * 2);
    }

    /// Fills the slots for stones and chains around. Returns a class of the move's effect.
    fn see_chains(
        &self,
        state: &State,
        position: &Position,
        point: u16,
        slots: &mut [u16; LIGHT],
    ) -> usize {
        let around = state.patterns.around(point, self.us == WHITE);
        let contact = self.contact(position, point, around[0]);
        let answer = state.past[0];
        if answer != Move::PASS {
            let [down, right] = self.apart(answer, point);
            if let Some(words) = WORDS.last(down, right) {
                set(slots, light::ANSWER, number(&with(&around[1], words), count(light::ANSWER)));
            }
        }
        set(slots, light::NEAR, number(&contact.near, count(light::NEAR)));
        set(slots, light::MIDDLE, number(&around[1], count(light::MIDDLE)));
        set(slots, light::WIDE, number(&around[2], count(light::WIDE)));
        set(slots, light::FAR, number(&around[3], count(light::FAR)));
        let [ours, theirs] =
            [contact.ours, contact.theirs].map(|least| least.map_or(0, |free| free.min(4)));
        let free = if contact.enough { 5 } else { contact.after.free.min(5) };
        let stage = self.stage();
        let liberties = ((ours * 5 + theirs) * 6 + free) * 2 + usize::from(contact.touches);
        set(slots, light::LIBERTIES, liberties * 3 + stage);
        let few = free.min(3);
        let Contact { saved, captured, pressed, chased, .. } = contact;
        if captured + saved > 0 {
            let taken = if captured > 8 { 5 } else { size_class(captured) };
            let feature = (taken * 5 + size_class(saved)) * 4 + few;
            set(slots, light::CAPTURE, feature * 2 + usize::from(contact.last_taken));
        }
        if chased + pressed > 0 {
            let feature = (size_class(chased) * 5 + size_class(pressed)) * 4 + few;
            set(slots, light::CHASE, feature * 3 + stage);
        }
        match (captured, saved, chased) {
            (1.., _, _) => 3,
            (_, 1.., _) => 2,
            (_, _, 1..) => 1,
            _ => 0,
        }
    }

    /// What a stone at a point touches; `near` is the pattern of what is next to it.
    fn contact(&self, position: &Position, point: u16, near: Hashes) -> Contact {
        let at = position.index(point);
        let mut contact = Contact { near, ..Contact::default() };
        let mut seen = [0u16; 4];
        for (beside, stride) in position.strides().into_iter().enumerate() {
            let next = at.wrapping_add_signed(stride);
            let stone = position.array().get(next).copied().unwrap_or(EDGE);
            if stone == EMPTY {
                contact.after.add(u16::try_from(next).unwrap_or(0));
                continue;
            }
            let Some((number, chain)) = self.chains.at(next) else { continue };
            contact.near = with(&contact.near, WORDS.liberties(chain.free, beside));
            let again = seen.contains(&number);
            seen[beside] = number;
            let is_last = self.last.is_some_and(|last| last.0 == number);
            contact.touches |= is_last;
            let size = usize::from(chain.size);
            if stone == self.us {
                contact.ours = Some(contact.ours.map_or(chain.free, |ours| ours.min(chain.free)));
                match chain.free {
                    1 => contact.saved = contact.saved.max(size),
                    2 => contact.pressed = contact.pressed.max(size),
                    _ => {}
                }
                contact.enough |= chain.free == chain.liberties.len();
                for &liberty in chain.liberties.get(..chain.free).unwrap_or_default() {
                    if usize::from(liberty) != at {
                        contact.after.add(liberty);
                    }
                }
            } else {
                let theirs = contact.theirs;
                contact.theirs = Some(theirs.map_or(chain.free, |theirs| theirs.min(chain.free)));
                if chain.free == 1 {
                    contact.captured += if again { 0 } else { size };
                    contact.last_taken |= is_last;
                    contact.after.add(u16::try_from(next).unwrap_or(0));
                } else if chain.free == 2 {
                    contact.chased = contact.chased.max(size);
                }
            }
        }
        contact
    }

    /// Fills the slots for the last moves.
    fn see_past(&self, state: &State, point: u16, slots: &mut [u16; LIGHT]) {
        let line = self.edges(point).into_iter().min().unwrap_or(0).min(2);
        let apart = |other: u16| {
            let [down, right] = self.apart(point, other).map(|far| usize::from(far.unsigned_abs()));
            (other != Move::PASS).then_some((down, right))
        };
        let near =
            |other: u16| apart(other).map(|(down, right)| triangle(down.min(10), right.min(10)));
        if let Some(near) = near(state.past[0]) {
            let free = self.last.map_or(4, |last| last.1.free).clamp(1, 4) - 1;
            set(slots, light::LAST, (near * 4 + free) * 3 + line);
        }
        if let Some(near) = near(state.past[1]) {
            set(slots, light::OWN, near * 3 + line);
        }
        if let Some(near) = near(state.past[2]) {
            set(slots, light::THIRD, near * 3 + line);
        }
        if let Some(near) = near(state.past[3]) {
            set(slots, light::FOURTH, near);
        }
        // The latest moves next to the point, and close to it.
        let latest = |within: usize| {
            let close = |other: &u16| apart(*other).is_some_and(|(d, r)| d.max(r) <= within);
            state.past.iter().position(close).unwrap_or(state.past.len())
        };
        set(slots, light::RECENT, (latest(1) * 10 + latest(3)) * 3 + self.stage());
    }

    /// Fills the slots for the point's place.
    fn see_place(&self, point: u16, slots: &mut [u16; LIGHT]) {
        let [row, column] = [point / self.columns, point % self.columns];
        let edges = self.edges(point);
        let cell = triangle(edges[0], edges[1]);
        let board = match self.rows.min(self.columns) {
            ..=9 => 0,
            10..=16 => 1,
            _ => 2,
        };
        let phase = match self.stones {
            0..=3 => 0,
            4..=7 => 1,
            8..=15 => 2,
            16..=29 => 3,
            30..=49 => 4,
            50..=79 => 5,
            80..=119 => 6,
            120..=169 => 7,
            170..=219 => 8,
            _ => 9,
        };
        set(slots, light::CELL, (cell * 3 + board) * 10 + phase);
        if [self.rows, self.columns] == [19, 19] && self.stones < 8 {
            let early = [0, 1, 2, 2, 3, 3, 3, 3].get(self.stones).copied().unwrap_or(3);
            set(slots, light::OPENING, usize::from(point) * 4 + early);
        }
        let [top, left] = [(row, self.rows), (column, self.columns)]
            .map(|(at, side)| if at * 2 < side { 0 } else { side.saturating_sub(9) });
        let corner = [(top + 9).min(self.rows), (left + 9).min(self.columns)];
        let there: usize = (0..2).map(|side| self.within(side, [top, left], corner)).sum();
        let there = match there {
            0..=2 => there,
            3 | 4 => 3,
            5..=8 => 4,
            _ => 5,
        };
        set(slots, light::CORNER, (cell * 6 + there) * 3 + self.stage());
        let first = [row.saturating_sub(3), column.saturating_sub(3)];
        let end = [(row + 4).min(self.rows), (column + 4).min(self.columns)];
        let [ours, theirs] = [0, 1].map(|side| size_class(self.within(side, first, end)));
        let line = edges[0].min(edges[1]).min(4);
        set(slots, light::DENSITY, ((ours * 5 + theirs) * 5 + line) * 3 + self.stage());
    }

    /// Fills everything in `sight` except the light slots and the book's.
    pub fn look(&self, state: &State, position: &Position, candidates: &[Move], sight: &mut Sight) {
        let phase = u16::try_from(self.stones / 24).unwrap_or(0).min(PHASES - 1);
        sight.phase = u8::try_from(phase).unwrap_or(0);
        sight.inputs.push(PLACES * 9 + phase);
        let last = Some(state.past[0]).filter(|&point| point != Move::PASS);
        let Some(last) = last else {
            sight.inputs.push(INPUTS - 1);
            let rows = sight.chosen.iter().map(|&index| self.far(candidates, index));
            sight.rows.extend(rows);
            return;
        };
        // The board is turned so that the last move is near the upper left corner, and nearer to
        // the upper edge.
        let [row, column] = [last / self.columns, last % self.columns];
        let flips = [2 * row >= self.rows, 2 * column >= self.columns];
        let edges = [row.min(self.rows - 1 - row), column.min(self.columns - 1 - column)];
        let laid = |[down, right]: [i16; 2]| {
            let down = if flips[0] { -down } else { down };
            let right = if flips[1] { -right } else { right };
            let [down, right] = if edges[0] > edges[1] { [right, down] } else { [down, right] };
            let inside = down.abs() <= VIEW && right.abs() <= VIEW;
            inside.then(|| ((down + VIEW) * (2 * VIEW + 1) + right + VIEW).unsigned_abs())
        };
        for down in -VIEW..=VIEW {
            for right in -VIEW..=VIEW {
                let Some(place) = laid([down, right]) else { continue };
                let (row, column) = (row.cast_signed() + down, column.cast_signed() + right);
                let inside = (0..self.rows.cast_signed()).contains(&row)
                    && (0..self.columns.cast_signed()).contains(&column);
                if !inside {
                    sight.inputs.push(PLACES * 6 + place);
                    continue;
                }
                let at = position.padded().index(row.unsigned_abs(), column.unsigned_abs());
                let stone = position.array().get(at).copied().unwrap_or(EDGE);
                if let Some((_, chain)) = self.chains.at(at) {
                    let free = u16::try_from(chain.free.clamp(1, 3)).unwrap_or(1) - 1;
                    let kind = if stone == self.us { free } else { 3 + free };
                    sight.inputs.push(PLACES * kind + place);
                }
            }
        }
        for (past, kind) in [(state.past[1], 7), (state.past[2], 8)] {
            if past != Move::PASS
                && let Some(place) = laid(self.apart(past, last))
            {
                sight.inputs.push(PLACES * kind + place);
            }
        }
        let row = |&index: &u16| {
            let point = candidates.get(usize::from(index)).map_or(Move::PASS, |mv| mv.point);
            let near = if point == Move::PASS { None } else { laid(self.apart(point, last)) };
            near.unwrap_or_else(|| self.far(candidates, index))
        };
        sight.rows.extend(sight.chosen.iter().map(row));
    }

    /// Returns the row of a candidate that is not near the last move.
    fn far(&self, candidates: &[Move], index: u16) -> u16 {
        let point = candidates.get(usize::from(index)).map_or(Move::PASS, |mv| mv.point);
        if point == Move::PASS {
            return ROWS - 1;
        }
        let edges = self.edges(point);
        PLACES + u16::try_from(triangle(edges[0], edges[1])).unwrap_or(0)
    }
}
