//! The yes-or-no questions that a series is taken apart into, whether it is written, read or
//! learnt from.

use super::curve::odds;
use super::inputs::Inputs;
use super::net::{ATOMS, OUTPUTS};

/// How many guesses a trained table makes of each answer, each in a context of its own.
pub(super) const TRAINED: usize = 6;

/// How many places questions have that are asked in one context.
pub(super) const PLACES: u32 = 128;

/// From this place on there is room for questions that are not those of a number.
pub(super) const FLAGS: u32 = 120;

/// What all questions of one value share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// Which weights are used.
    pub kind: u32,
    /// The contexts of the trained guesses.
    pub contexts: [u32; TRAINED],
    /// The context of the guess that is learnt within the series.
    pub recent: u32,
}

/// Who answers questions. Writers are told the answer and give it back; readers overlook it.
pub(super) trait Asker {
    /// What a net makes of these inputs. Who teaches nets is told where the value lies.
    fn look(&mut self, net: usize, inputs: &Inputs, place: Place) -> [i32; OUTPUTS];

    /// Asks a question of a scene, to which a curve gives these odds, in 256ths; 0 if there is no
    /// curve.
    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool;

    /// Asks a question of which only these odds are known.
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

/// From this length on, lengths are asked about in one place.
const LENGTHS: u32 = 15;

/// From this length on, the bits of numbers share their places.
const BITS: u32 = 13;

/// How many bits below the leading one are guessed.
const GUESSED: u32 = 3;

/// What a curve weighs below each number that `number` may find, one being added to it.
pub(super) type Below<'a> = &'a dyn Fn(i64) -> u64;

/// Where there is no curve.
pub(super) fn unknown(_: i64) -> u64 {
    0
}

/// The end of all numbers.
const END: i64 = 1 << 32;

/// A number below 2^32 - 1: how many bits it has, plus one, and then those below the leading one.
pub(super) fn number(asker: &mut dyn Asker, scene: &Scene, number: u32, below: Below<'_>) -> u32 {
    let known = number.saturating_add(1);
    let most = below(END);
    // What the curve weighs below the numbers of this length, and with them.
    let (mut first, mut last) = (below(1), most);
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

/// A number of so many bits, at most seven, each guessed by those above it.
pub(super) fn choice(asker: &mut dyn Asker, scene: &Scene, bits: u32, number: u32) -> u32 {
    let mut prefix = 1u32;
    for below in (0..bits).rev() {
        let bit = asker.ask(scene, prefix, 0, number >> below & 1 == 1);
        prefix = prefix << 1 | u32::from(bit);
    }
    prefix - (1 << bits)
}

/// A number of so many bits of which nothing is known.
pub(super) fn plain(asker: &mut dyn Asker, bits: u32, number: u32) -> u32 {
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
