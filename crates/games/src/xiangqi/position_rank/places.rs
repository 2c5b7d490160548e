//! Places, which are points counted without the taken ones, and numbers for sets of places.

use crate::common::wide::lower;
use plypack_core::each;

/// The most places that [`raise`] handles at once.
pub const LANES: usize = 16;

/// No place: above all points, even after raising.
pub const NOWHERE: u8 = 128;

/// The most places of a set.
const MEN_MAX: usize = 5;

/// Number of points of half a board.
const HALF: usize = 45;

/// Iterates over the points of a set in ascending order.
pub fn points(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        u8::try_from(point).ok().filter(|&point| point < 128)
    })
}

/// Returns the place of a point: the number of points below it that are not taken.
pub fn place(point: u8, taken: u128) -> u8 {
    let below = taken & ((1 << point) - 1);
    // At most 127, so the mask keeps the value.
    point - (below.count_ones() & 0x7f) as u8
}

/// Turns places into points, given the taken ones.
pub fn raise(places: &mut [u8; LANES], taken: u128) {
    for (start, half) in [(0, taken), (64, taken >> 64)] {
        let mut half = lower(half);
        while half != 0 {
            // At most 127, so the mask keeps the value.
            raise_from(places, 0, ((start + half.trailing_zeros()) & 0x7f) as u8);
            half &= half - 1;
        }
    }
}

/// `FROM[lane]` is 1 in that lane and all after it.
static FROM: [[u8; LANES]; LANES] = {
    let mut masks = [[0; LANES]; LANES];
    each!(cell, LANES * LANES, {
        masks[cell / LANES][cell % LANES] = (cell % LANES >= cell / LANES) as u8;
    });
    masks
};

/// Raises by one all places that are at least `point`, from lane `first` on.
pub fn raise_from(places: &mut [u8; LANES], first: usize, point: u8) {
    // All lanes at once, as one SIMD instruction.
    for (place, mask) in places.iter_mut().zip(&FROM[first]) {
        *place += u8::from(*place >= point) & mask;
    }
}

/// `CHOOSE[k][n]`: the number of ways to choose `k` of `n` places.
static CHOOSE: [[u32; HALF + 1]; MEN_MAX + 1] = {
    let mut table = [[0; HALF + 1]; MEN_MAX + 1];
    let mut n = 0;
    while n <= HALF {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MEN_MAX && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the number of ways to choose `k` of `n` places, at most five of at most 45.
pub fn choose(n: usize, k: usize) -> u64 {
    CHOOSE[k][n].into()
}

/// Returns the number of a set of at most five places, given in ascending order.
pub fn number_of(places: impl Iterator<Item = u8>) -> u64 {
    places.zip(&CHOOSE[1..]).map(|(place, column)| u64::from(column[usize::from(place)])).sum()
}

/// Returns the set of `count` places with this number.
pub fn set_of(number: u64, count: usize) -> [u8; LANES] {
    let mut places = [NOWHERE; LANES];
    // Sets of at most five of 45 places have numbers below 2^21.
    let mut rest = u32::try_from(number).unwrap_or(u32::MAX);
    for ordinal in (0..count).rev() {
        let column = &CHOOSE[ordinal + 1];
        let place = column.partition_point(|&below| below <= rest).saturating_sub(1);
        rest -= column[place];
        places[ordinal] = u8::try_from(place).unwrap_or(NOWHERE);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_numbers_in_a_row() {
        for count in 0..=5 {
            let all = choose(11, count);
            let mut last = None;
            for number in 0..all {
                let places = set_of(number, count);
                let men = &places[..count];
                assert!(men.is_sorted_by(|a, b| a < b) && men.iter().all(|&place| place < 11));
                assert_eq!(number_of(men.iter().copied()), number);
                assert!(last.is_none_or(|last: Vec<u8>| last.iter().rev().lt(men.iter().rev())));
                last = Some(men.to_vec());
            }
        }
    }

    #[test]
    fn places_are_raised_to_points() {
        let taken = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 89;
        let free: Vec<u8> = (0..90).filter(|&point| taken >> point & 1 == 0).collect();
        for (index, &point) in (0..).zip(&free) {
            assert_eq!(place(point, taken), index);
            let mut places = [NOWHERE; LANES];
            places[7] = index;
            raise(&mut places, taken);
            assert_eq!(places[7], point);
            assert!(places[0] >= NOWHERE);
        }
    }
}
