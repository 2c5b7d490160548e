//! The yes-or-no questions that a series is taken apart into, whether it is written, read or
//! learnt from.

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
    /// Asks a question of a scene.
    fn ask(&mut self, scene: &Scene, place: u32, answer: bool) -> bool;

    /// Asks what nothing is known about.
    fn ask_evenly(&mut self, answer: bool) -> bool;
}

/// From this length on, lengths are asked about in one place.
const LENGTHS: u32 = 15;

/// From this length on, the bits of numbers share their places.
const BITS: u32 = 13;

/// How many bits below the leading one are guessed.
const GUESSED: u32 = 3;

/// A number below 2^32 - 1: how many bits it has, plus one, and then those below the leading one.
pub(super) fn number(asker: &mut dyn Asker, scene: &Scene, number: u32) -> u32 {
    let known = number.saturating_add(1);
    let mut length = 0;
    while length < 31 && asker.ask(scene, length.min(LENGTHS), length < known.ilog2()) {
        length += 1;
    }
    let mut shifted = 1u32;
    for below in (0..length).rev() {
        let bit = known >> below & 1 == 1;
        let bit = if length - below <= GUESSED {
            let place = 16 + (length.min(BITS) - 1) * 8 + shifted;
            asker.ask(scene, place, bit)
        } else {
            asker.ask_evenly(bit)
        };
        shifted = shifted << 1 | u32::from(bit);
    }
    shifted - 1
}

/// A number of so many bits, at most seven, each guessed by those above it.
pub(super) fn choice(asker: &mut dyn Asker, scene: &Scene, bits: u32, number: u32) -> u32 {
    let mut prefix = 1u32;
    for below in (0..bits).rev() {
        let bit = asker.ask(scene, prefix, number >> below & 1 == 1);
        prefix = prefix << 1 | u32::from(bit);
    }
    prefix - (1 << bits)
}

/// A number of so many bits of which nothing is known.
pub(super) fn plain(asker: &mut dyn Asker, bits: u32, number: u32) -> u32 {
    (0..bits)
        .rev()
        .fold(0, |read, below| read << 1 | u32::from(asker.ask_evenly(number >> below & 1 == 1)))
}

/// How large a number is, in steps of half a doubling, up to a limit.
pub(super) fn half_steps(number: i64, most: u32) -> u32 {
    let Some(length) = u64::try_from(number).ok().and_then(u64::checked_ilog2) else { return 0 };
    let half = length > 0 && number >> (length - 1) & 1 == 1;
    (2 * length + u32::from(half) + 1).min(most)
}
