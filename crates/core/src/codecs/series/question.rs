//! Series as yes-or-no questions, for writing, reading and training alike.

use super::curve::odds;
use super::inputs::Inputs;
use super::net::{ATOMS, OUTPUTS};

/// Number of guesses of a trained table for each answer, each in its own context.
pub(super) const TRAINED: usize = 6;

/// Number of places for questions in one context.
pub(super) const PLACES: u32 = 128;

/// Places from this on are for questions that are not about a number.
pub(super) const FLAGS: u32 = 120;

/// The shared properties of all questions about one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// Selects the weights.
    pub kind: u32,
    /// The relevant rows of the table.
    pub rows: [u32; TRAINED],
    /// The context of the guess that is learnt within the series.
    pub recent: u32,
}

/// Answers questions. A writer takes the answer and returns it; a reader ignores its argument and
/// returns the decoded answer.
pub(super) trait Asker {
    /// Returns the outputs of a net. Training also takes `place`, the position of the value on the
    /// curve.
    fn look(&mut self, net: usize, inputs: &Inputs, place: Place) -> [i32; OUTPUTS];

    /// Asks a question of a scene, given the curve's odds in 256ths; 0 without a curve.
    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool;

    /// Asks a question with these odds alone.
    fn ask_by(&mut self, odds: i32, answer: bool) -> bool;
}

/// The position of a value on a curve.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Its ends; `None` where the curve ends.
    pub ends: [Option<i64>; 2],
    /// Which atoms it is, and which are allowed.
    pub is: [bool; ATOMS],
    pub allowed: [bool; ATOMS],
}

/// Questions about lengths from this on share one place.
const LENGTHS: u32 = 15;

/// Bits of numbers from this length on share places.
const BITS: u32 = 13;

/// Number of bits after the leading one that are predicted.
const GUESSED: u32 = 3;

/// Asks for a number without a curve.
pub(super) fn unguided(asker: &mut impl Asker, scene: &Scene, known: u32) -> u32 {
    number(asker, scene, known, [0; 2], |_| 0)
}

/// Asks for a number below 2^32 - 1. Adds one, then asks for its length in bits and for the bits
/// below the leading one.
///
/// `below` returns the weight of the curve below a number plus one; `first` is the weight below all
/// numbers, `most` that below their end.
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

/// Asks for a number of `bits` bits, at most seven, each predicted from the higher ones.
pub(super) fn choice(asker: &mut impl Asker, scene: &Scene, bits: u32, number: u32) -> u32 {
    let mut prefix = 1u32;
    for below in (0..bits).rev() {
        let bit = asker.ask(scene, prefix, 0, number >> below & 1 == 1);
        prefix = prefix << 1 | u32::from(bit);
    }
    prefix - (1 << bits)
}

/// Which plies have a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gaps {
    /// All of them.
    #[default]
    None,
    /// All but the last.
    Last,
    /// Any other plies, stated one by one.
    Some,
}

impl Gaps {
    /// Returns the gaps of a series.
    pub fn of<T>(values: &[Option<T>]) -> Self {
        match values.iter().position(Option::is_none) {
            None => Self::None,
            Some(first) if first + 1 == values.len() => Self::Last,
            Some(_) => Self::Some,
        }
    }

    /// Asks for the kind of gaps, with two questions from `place` on.
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

/// Asks for a number of `bits` bits, all equally likely.
pub(super) fn plain(asker: &mut impl Asker, bits: u32, number: u32) -> u32 {
    (0..bits)
        .rev()
        .fold(0, |read, below| read << 1 | u32::from(asker.ask_by(0, number >> below & 1 == 1)))
}

/// Returns the size of a number in steps of half a doubling, at most `most`.
pub(super) fn half_steps(number: i64, most: u32) -> u32 {
    let Some(length) = u64::try_from(number).ok().and_then(u64::checked_ilog2) else { return 0 };
    let half = length > 0 && number >> (length - 1) & 1 == 1;
    (2 * length + u32::from(half) + 1).min(most)
}
