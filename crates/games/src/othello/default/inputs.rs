//! The inputs of the net: the discs on the halves of rows and columns, the moves of both sides, and
//! the last moves, on the turned board.

use super::past::Past;
use crate::othello::Position;
use crate::othello::link::scene::{count, squares, transpose, turned};
use plypack_core::each;

/// Number of patterns of four cells, whose discs are digits of base 3.
const FOURS: u16 = 81;

/// The first inputs of each kind; there are two halves of each of eight rows and columns.
const OURS: u16 = 32 * FOURS;
const THEIRS: u16 = OURS + 64;
const LAST: u16 = THEIRS + 64;
const BEFORE: u16 = LAST + 64;
const EMPTY: u16 = BEFORE + 64;
const ALWAYS: u16 = EMPTY + 61;

/// Number of inputs.
pub const INPUTS: u16 = ALWAYS + 1;

/// By the discs on a line: the sums of the powers of three for its two halves.
const THREES: [[u8; 2]; 256] = {
    let mut threes = [[0; 2]; 256];
    each!(line, 1, 256, {
        let (mut cell, mut power) = (0, 1);
        while cell < 8 {
            if line >> cell & 1 == 1 {
                threes[line][cell / 4] += power;
            }
            power = if cell == 3 { 1 } else { power * 3 };
            cell += 1;
        }
    });
    threes
};

/// Fills `inputs`, which is empty.
#[inline(always)]
pub fn fill(past: &Past, position: &Position, ours: u64, theirs: u64, inputs: &mut Vec<u16>) {
    let sides = position.sides().map(|set| turned(set, past.turn));
    let free = !(sides[0] | sides[1]);
    let [ours, theirs] = [ours, theirs].map(|set| turned(set, past.turn));
    let last = usize::from(past.cells[0].is_some()) + usize::from(past.cells[1].is_some());
    // Written in place: `extend` would not be inlined.
    inputs.resize(32 + 2 + last + count(ours) + count(theirs), ALWAYS);
    let mut places = inputs.iter_mut();
    let mut put = |input: u16| {
        if let Some(place) = places.next() {
            *place = input;
        }
    };
    let mut first = 0;
    for [own, other] in [sides, sides.map(transpose)] {
        for line in 0..8 {
            let of = |set: u64| THREES[(set >> (8 * line) & 0xff) as usize];
            let (own, other) = (of(own), of(other));
            for half in 0..2 {
                put(first + u16::from(own[half]) + 2 * u16::from(other[half]));
                first += FOURS;
            }
        }
    }
    for (set, first) in [(ours, OURS), (theirs, THEIRS)] {
        squares(set).for_each(|cell| put(first + narrow(cell)));
    }
    for (cell, first) in past.cells.into_iter().zip([LAST, BEFORE]) {
        if let Some(cell) = cell {
            put(first + u16::from(cell & 63));
        }
    }
    put(EMPTY + narrow(count(free).min(60)));
}

/// Converts a number below 64.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "it is small")]
fn narrow(number: usize) -> u16 {
    number as u16
}
