//! The probability of each value: a sum of logistic distributions, and separate weights for single
//! values.
//!
//! A net outputs the middles, widths and weights of the parts. The shape follows C. M. Bishop,
//! "Mixture density networks" (1994); the logistic parts over whole numbers follow T. Salimans, A.
//! Karpathy, X. Chen, D. P. Kingma, "PixelCNN++" (2017). Integers only.

use super::net::{ATOMS, OUTPUTS, PARTS};
use crate::hint::binary_logarithm;
use crate::policy::power;

/// The minimum and maximum width of parts, in doublings.
pub(super) type Widths = [i32; 2];

/// A curve over places in 256ths of its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    parts: [Part; PARTS],
    /// The weights of single values, on the scale of the parts; the codec chooses the values.
    pub atoms: [u64; ATOMS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    weight: u64,
    middle: i64,
    /// The reciprocal of the width, in 2^-14.
    steepness: i64,
}

/// Parts are 2^-8 to 2^8 units wide; a codec may narrow that.
const WIDTH_MAX: i32 = 8 * 256;

/// A part's weight is 0 beyond this distance from its middle, in 256ths of its width.
const REACH: i64 = 16 * 256;

impl Curve {
    /// Creates the curve that a net's outputs describe, with parts from `least` to `most` wide, in
    /// doublings of its unit. Only the `allowed` atoms have weight.
    pub fn new(outputs: &[i32; OUTPUTS], [least, most]: Widths, allowed: [bool; ATOMS]) -> Self {
        let (weights, rest) = outputs.split_at(PARTS);
        let (middles, rest) = rest.split_at(PARTS);
        let (widths, lone) = rest.split_at(PARTS);
        let best = weights.iter().chain(lone).max().copied().unwrap_or(0);
        let weight = |&output: &i32| u64::from(power::weight(best - output));
        let mut parts = [Part::default(); PARTS];
        let shapes = weights.iter().zip(middles).zip(widths);
        for (part, ((output, &middle), &width)) in parts.iter_mut().zip(shapes) {
            let width = width.clamp(256 * least, 256 * most) + WIDTH_MAX;
            *part = Part {
                weight: weight(output),
                middle: middle.into(),
                steepness: power::weight(width).into(),
            };
        }
        let mut atoms = [0; ATOMS];
        for ((atom, output), allowed) in atoms.iter_mut().zip(lone).zip(allowed) {
            *atom = if allowed { weight(output) << LOGISTIC_BITS } else { 0 };
        }
        Self { parts, atoms }
    }

    /// Returns the weight of all parts below a place.
    #[inline]
    pub fn below(&self, place: i64) -> u64 {
        // Beyond this no part has weight; the limit avoids overflow.
        let place = place.clamp(-1 << 40, 1 << 40);
        let share = |part: &Part| {
            let far = ((place - part.middle) * part.steepness) >> 14;
            part.weight * logistic(far)
        };
        self.parts.iter().map(share).sum()
    }

    /// Returns the weight of all parts.
    pub fn whole(&self) -> u64 {
        self.parts.iter().map(|part| part.weight << LOGISTIC_BITS).sum()
    }
}

/// Fractional bits of the logistic function.
const LOGISTIC_BITS: u32 = 30;

/// The logistic function at x = -16, -15 7/8 … 16, rounded down, except that the first is 0 and the
/// last 1; and the difference from the next entry.
static LOGISTIC: [[u32; 2]; 257] = {
    // exp(-1/8) in units of 2^-62.
    const FACTOR: u128 = 4_069_798_626_954_855_183;
    const UNIT: u128 = 1 << 62;
    let mut table = [[0; 2]; 257];
    let mut power = UNIT;
    each!(step, 128, {
        #[expect(clippy::cast_possible_truncation, reason = "a share is at most 2^30")]
        {
            table[128 + step][0] = ((UNIT << LOGISTIC_BITS) / (UNIT + power)) as u32;
            table[128 - step][0] = ((power << LOGISTIC_BITS) / (UNIT + power)) as u32;
        }
        power = (power * FACTOR) >> 62;
    });
    table[256][0] = 1 << LOGISTIC_BITS;
    each!(at, 256, table[at][1] = table[at + 1][0] - table[at][0]);
    table
};

/// Returns the logistic function of a number in 256ths, in 2^-30, interpolated linearly.
#[inline(always)]
fn logistic(number: i64) -> u64 {
    let place = (number.clamp(-REACH, REACH) + REACH).unsigned_abs();
    let [at, step] = LOGISTIC.get((place >> 5) as usize).copied().unwrap_or_default();
    u64::from(at) + ((u64::from(step) * (place & 31)) >> 5)
}

/// Returns the log odds of `yes` against `no`, in 256ths.
pub(super) fn odds(yes: u64, no: u64) -> i32 {
    // From powers of 2 to powers of e.
    (binary_logarithm(yes) - binary_logarithm(no)) * 177 / 256
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    #[test]
    fn the_logistic_function_is_close() {
        for number in -6_000..6_000 {
            let exact = f64::from(1 << LOGISTIC_BITS) / (1.0 + (-f64::from(number) / 256.0).exp());
            #[expect(clippy::cast_precision_loss, reason = "at most 2^30")]
            let ours = logistic(number.into()) as f64;
            // Linear interpolation errs by an eighth of the squared distance of the entries, times
            // the curvature.
            let tail = exact.min(f64::from(1 << LOGISTIC_BITS) - exact);
            assert!((ours - exact).abs() < 0.002 * tail + 130.0, "{number}: {ours} {exact}");
        }
        assert_eq!((logistic(i64::MIN), logistic(0), logistic(i64::MAX)), (0, 1 << 29, 1 << 30));
    }

    #[test]
    fn curves_rise_to_the_whole() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let outputs = [(); OUTPUTS]
                .map(|()| i32::try_from(random.next_u64() % 131_072).unwrap_or(0) - 65_536);
            let curve = Curve::new(&outputs, [-8, 8], [true; ATOMS]);
            let mut last = curve.below(i64::MIN);
            assert_eq!(last, 0);
            for place in (-70_000..70_000).step_by(997) {
                let below = curve.below(place);
                assert!(below >= last);
                last = below;
            }
            assert_eq!(curve.below(i64::MAX), curve.whole());
        }
    }

    #[test]
    fn odds_are_logarithms() {
        assert_eq!(odds(1, 1), 0);
        assert_eq!(odds(0, 1), 0);
        for (yes, no) in [(3u64, 1u64), (1, 1_000), (u64::MAX, 1), (5 << 40, 7 << 41)] {
            #[expect(clippy::cast_precision_loss, reason = "compared roughly")]
            let exact = 256.0 * (yes as f64 / no as f64).ln();
            assert!((f64::from(odds(yes, no)) - exact).abs() < 32.0, "{yes} {no}");
        }
    }
}
