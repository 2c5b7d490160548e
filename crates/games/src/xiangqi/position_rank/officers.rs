//! Rooks, horses and cannons: at most two of each side and kind, on any points left.

use std::ops::{Add, Sub};

use super::places::{LANES, NOWHERE, place, points, raise, raise_from};
use crate::common::wide::lower;

/// Number of kinds, both sides together.
pub const KINDS: usize = 6;

/// Number of points of a board.
const POINTS: usize = 90;

/// All ways to place officers, kind by kind.
#[derive(Debug)]
pub struct Officers {
    /// By the number of points left, the ways for all kinds. Only these exceed 64 bits.
    all: Vec<Ways<u128>>,
    /// By kind, then by the number of points left, the ways for the kind and those after it.
    from: Vec<Vec<Ways<u64>>>,
    /// The places of two men by their number.
    pairs: Vec<[u8; 2]>,
}

/// The numbers of ways to place men of a kind and of the kinds after it. Those with two men of the
/// kind come first, then those with one, then those with none.
#[derive(Clone, Copy, Debug)]
struct Ways<T> {
    with_two: T,
    with_any: T,
    all: T,
}

impl<T: Copy + Default + From<u16> + PartialOrd + Add<Output = T> + Sub<Output = T>> Ways<T> {
    /// Returns the number of men of the kind for a number, and the number among those with as many.
    fn split(&self, number: T) -> (usize, T) {
        if number < self.with_two {
            (2, number)
        } else if number < self.with_any {
            (1, number - self.with_two)
        } else {
            (0, number - self.with_any)
        }
    }

    /// Returns the first number with `men` men of the kind.
    fn start(&self, men: usize) -> T {
        match men {
            2 => T::default(),
            1 => self.with_two,
            _ => self.with_any,
        }
    }
}

impl Officers {
    pub fn new() -> Self {
        let one = Ways { with_two: 0, with_any: 0, all: 1 };
        let mut from = vec![vec![one; POINTS + 1]; KINDS + 1];
        for piece in (1..KINDS).rev() {
            for left in 0..=POINTS {
                let after = |men| left.checked_sub(men).map_or(0, |left| from[piece + 1][left].all);
                let wide = left as u64;
                let with_two = wide * wide.saturating_sub(1) / 2 * after(2);
                let with_any = with_two + wide * after(1);
                from[piece][left] = Ways { with_two, with_any, all: with_any + after(0) };
            }
        }
        let all = (0..=POINTS).map(|left| {
            let after = |men| left.checked_sub(men).map_or(0, |left| u128::from(from[1][left].all));
            let wide = left as u128;
            let with_two = wide * wide.saturating_sub(1) / 2 * after(2);
            let with_any = with_two + wide * after(1);
            Ways { with_two, with_any, all: with_any + after(0) }
        });
        let all = all.collect();
        let pairs = (1..90).flat_map(|high| (0..high).map(move |low| [low, high])).collect();
        Self { all, from, pairs }
    }

    /// Returns the number of ways to place officers on `left` points.
    pub fn count(&self, left: usize) -> u128 {
        self.all[left].all
    }

    /// Returns the number of these officers, given the points taken by other men.
    pub fn number(&self, officers: &[u128; KINDS], mut taken: u128) -> u128 {
        let mut left = POINTS - taken.count_ones() as usize;
        let mut number = 0;
        for (piece, &men) in officers.iter().enumerate() {
            let mut places = points(men).map(|point| u64::from(place(point, taken)));
            let (choice, count) = match (places.next(), places.next()) {
                (Some(low), Some(high)) => (high * (high - 1) / 2 + low, 2),
                (Some(place), None) => (place, 1),
                _ => (0, 0),
            };
            let after = self.from[piece + 1][left - count].all;
            number += match piece {
                0 => self.all[left].start(count) + u128::from(choice) * u128::from(after),
                _ => u128::from(self.from[piece][left].start(count) + choice * after),
            };
            left -= count;
            taken |= men;
        }
        number
    }

    /// Returns the officers with this number, given the points taken by other men.
    pub fn officers(&self, number: u128, taken: u128) -> [u128; KINDS] {
        let mut left = POINTS - taken.count_ones() as usize;
        let mut lanes = [NOWHERE; LANES];
        let (count, rest) = self.all[left].split(number);
        left -= count;
        let after = u128::from(self.from[1][left].all);
        let choice = rest / after;
        self.put(&mut lanes, 0, count, lower(choice));
        let mut number = lower(rest - choice * after);
        for piece in 1..KINDS {
            let (count, rest) = self.from[piece][left].split(number);
            left -= count;
            let after = self.from[piece + 1][left].all;
            self.put(&mut lanes, piece, count, rest / after);
            number = rest % after;
        }
        // The places of a kind skip the points of the kinds before it.
        for piece in (1..KINDS).rev() {
            for lane in [2 * piece - 2, 2 * piece - 1] {
                let place = lanes[lane];
                raise_from(&mut lanes, 2 * piece, place);
            }
        }
        raise(&mut lanes, taken);
        std::array::from_fn(|piece| {
            let men = lanes[2 * piece..2 * piece + 2].iter().filter(|&&point| point < NOWHERE);
            men.fold(0, |set, point| set | 1 << point)
        })
    }

    /// Writes the places of `count` men of a kind whose choice has this number.
    fn put(&self, lanes: &mut [u8; LANES], piece: usize, count: usize, choice: u64) {
        match count {
            2 => {
                let pair = usize::try_from(choice).ok().and_then(|choice| self.pairs.get(choice));
                let pair = pair.copied().unwrap_or_default();
                lanes[2 * piece..2 * piece + 2].copy_from_slice(&pair);
            }
            1 => lanes[2 * piece] = u8::try_from(choice).unwrap_or(NOWHERE),
            _ => {}
        }
    }
}
