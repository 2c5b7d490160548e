//! The yes-or-no questions that a series becomes, whether it is written, read or learnt from.

use super::curve::odds;
use super::inputs::Inputs;
use super::net::{ATOMS, OUTPUTS};

/// How many guesses a trained table has for each answer, each in its own context.
pub(super) const TRAINED: usize = 6;

/// How many places there are for questions in one context.
pub(super) const PLACES: u32 = 128;

/// From this place on come questions that are not about a number.
pub(super) const FLAGS: u32 = 120;

/// What all questions of one value share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// Which weights are used.
    pub kind: u32,
    /// The rows of the table that have something to say.
    pub rows: [u32; TRAINED],
    /// The context of the guess that is learnt within the series.
    pub recent: u32,
}

/// Answers questions. Writers are told the answer and return it; readers ignore what they are told
/// and return the answer that they decode.
pub(super) trait Asker {
    /// The outputs of a net. Training also takes `place`, where the value lies on the curve.
    fn look(&mut self, net: usize, inputs: &Inputs, place: Place) -> [i32; OUTPUTS];

    /// Asks a question of a scene, given the curve's odds, in 256ths; 0 if there is no curve.
    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool;

    /// Asks a question that has only these odds.
    fn ask_by(&mut self, odds: i32, answer: bool) -> bool;
}

/// Where a value lies on a curve.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Its ends; `None` where the curve ends.
    pub ends: [Option<i64>; 2],
    /// Which atoms it is, and which there are.
    pub is: [bool; ATOMS],
    pub allowed: [bool; ATOMS],
}

/// From this length on, questions of length share one place.
const LENGTHS: u32 = 15;

/// From this length on, the bits of numbers share places.
const BITS: u32 = 13;

/// How many bits after the leading one are predicted.
const GUESSED: u32 = 3;

/// A number without a curve.
pub(super) fn unguided(asker: &mut impl Asker, scene: &Scene, known: u32) -> u32 {
    number(asker, scene, known, [0; 2], |_| 0)
}

/// A number below 2^32 - 1: how many bits it has, plus one, and then those below the leading one.
///
/// `below` is the weight of a curve below each number, plus one; `first` that below the least of
/// all numbers, `most` that below the end.
pub(super) fn number(
    asker: &mut impl Asker,
    scene: &Scene,
    number: u32,
    [first, most]: [u64; 2],
    below: impl Fn(i64) -> u64,
) -> u32 {
    let known = number.saturating_add(1);
    // The weight of the curve below the numbers of this length, and including them.
    let (mut first, mut last) = (first, most);
    let mut length = 0;
    while length < 31 {
        last = below(2 << length);
        let odds = odds(most.saturating_sub(last), last.saturating_sub(first));
        if !asker.ask(scene, length.min(LENGTHS), odds, length < known.ilog2()) {
            break;
        }
        (first, last) = (last, most);
        length += 1;
    }
    let mut shifted = 1u32;
    for place in (0..length).rev() {
        let middle = below((2 * i64::from(shifted) + 1) << place);
        let odds = odds(last.saturating_sub(middle), middle.saturating_sub(first));
        let bit = known >> place & 1 == 1;
        let bit = if length - place <= GUESSED {
            let place = 16 + (length.min(BITS) - 1) * 8 + shifted;
            asker.ask(scene, place, odds, bit)
        } else {
            asker.ask_by(odds, bit)
        };
        if bit {
            first = middle;
        } else {
            last = middle;
        }
        shifted = shifted << 1 | u32::from(bit);
    }
    shifted - 1
}

/// A number of `bits` bits, at most seven, each predicted from those above it.
pub(super) fn choice(asker: &mut impl Asker, scene: &Scene, bits: u32, number: u32) -> u32 {
    let mut prefix = 1u32;
    for below in (0..bits).rev() {
        let bit = asker.ask(scene, prefix, 0, number >> below & 1 == 1);
        prefix = prefix << 1 | u32::from(bit);
    }
    prefix - (1 << bits)
}

/// Which plies have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gaps {
    /// All of them.
    None,
    /// All but the last.
    Last,
    /// Each tells for itself.
    Some,
}

impl Gaps {
    /// What plies have gaps, told by whether each has a value.
    pub fn of<T>(values: &[Option<T>]) -> Self {
        match values.iter().position(Option::is_none) {
            None => Self::None,
            Some(first) if first + 1 == values.len() => Self::Last,
            Some(_) => Self::Some,
        }
    }

    /// Asks which, by two questions from `place` on.
    pub fn ask(self, asker: &mut impl Asker, scene: &Scene, place: u32) -> Self {
        if asker.ask(scene, place, 0, self == Self::None) {
            Self::None
        } else if asker.ask(scene, place + 1, 0, self == Self::Last) {
            Self::Last
        } else {
            Self::Some
        }
    }
}

/// A number of `bits` bits, all equally likely.
pub(super) fn plain(asker: &mut impl Asker, bits: u32, number: u32) -> u32 {
    (0..bits)
        .rev()
        .fold(0, |read, below| read << 1 | u32::from(asker.ask_by(0, number >> below & 1 == 1)))
}

/// How large a number is, in steps of half a doubling, up to a limit.
pub(super) fn half_steps(number: i64, most: u32) -> u32 {
    let Some(length) = u64::try_from(number).ok().and_then(u64::checked_ilog2) else { return 0 };
    let half = length > 0 && number >> (length - 1) & 1 == 1;
    (2 * length + u32::from(half) + 1).min(most)
}
