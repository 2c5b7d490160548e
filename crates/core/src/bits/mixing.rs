//! Logistic mixing: combines several guesses at a yes-or-no answer, weighted by their past success.
//!
//! After M. Mahoney, "Adaptive weighing of context models for lossless data compression" (2005): a
//! guess is the logarithm of its odds, the mixture is the weighted sum of the guesses, and each
//! answer moves the weights along the gradient of its cost. Integer arithmetic makes every machine
//! guess alike.

/// The denominator of chances (probabilities).
pub const ONE: u32 = 1 << 16;

/// Limit of log odds in either direction, in 256ths.
const FAR: i32 = 12 * 256;

/// `ONE / (1 + exp(-x))`, rounded, for x from -12 to 12 in steps of a half; at least 1.
const ANCHORS: [u32; 49] = [
    1, 1, 1, 2, 3, 5, 8, 13, 22, 36, 60, 98, 162, 267, 439, 720, 1_179, 1_921, 3_108, 4_971, 7_812,
    11_955, 17_625, 24_743, 32_768, 40_793, 47_911, 53_581, 57_724, 60_565, 62_428, 63_615, 64_357,
    64_816, 65_097, 65_269, 65_374, 65_438, 65_476, 65_500, 65_514, 65_523, 65_528, 65_531, 65_533,
    65_534, 65_535, 65_535, 65_535,
];

/// Returns the chance, out of [`ONE`], for these log odds, interpolated linearly between anchors.
pub fn squash(odds: i32) -> u32 {
    squash_within(odds.clamp(-FAR, FAR))
}

const fn squash_within(odds: i32) -> u32 {
    let place = odds + FAR;
    let (below, part) = ((place >> 7) as usize, (place & 127).cast_unsigned());
    let above = if below == 48 { 48 } else { below + 1 };
    (ANCHORS[below] * (128 - part) + ANCHORS[above] * part) >> 7
}

/// The odds of chances out of 4,096: the lowest whose `squash` reaches the middle of the 16 chances
/// out of [`ONE`] that make one of them.
static ODDS: [i32; 4_096] = odds();

const fn odds() -> [i32; 4_096] {
    let mut table = [0; 4_096];
    let mut odds = -FAR;
    each!(chance, 4_096, {
        while odds < FAR && squash_within(odds) < 16 * chance + 8 {
            odds += 1;
        }
        table[chance as usize] = odds;
    });
    table
}

/// The answers to a question so far. The upper 22 bits are the chance of yes, which moves towards
/// each answer; the lower 10 the number of answers, up to a limit.
#[derive(Clone, Copy, Debug)]
pub struct Counter(u32);

/// The adaptation rate stops falling after this many answers.
pub const SEEN_MAX: u32 = 255;

/// Step of a chance towards an answer, in 65,536ths, after `n` answers: 1 / (n + 1.6).
static PACE: [i64; SEEN_MAX as usize + 1] = pace();

const fn pace() -> [i64; SEEN_MAX as usize + 1] {
    let mut table = [0; _];
    let mut seen = 0;
    while seen <= SEEN_MAX {
        table[seen as usize] = 5 * 65_536 / (5 * seen as i64 + 8);
        seen += 1;
    }
    table
}

/// Weight of a guess in 256ths, by the number of answers seen; full from seven on.
const TRUST: [i32; 8] = [0, 90, 141, 179, 205, 225, 241, 256];

impl Default for Counter {
    fn default() -> Self {
        Self(1 << 31)
    }
}

impl Counter {
    /// Creates a counter with these odds, to the precision of a 16-bit chance, and this many
    /// answers.
    pub fn new(odds: i32, seen: u32) -> Self {
        Self(squash(odds) << 16 | seen.min(SEEN_MAX))
    }

    /// Returns the log odds of yes, in 256ths, regardless of how few answers were seen.
    pub fn odds(self) -> i32 {
        ODDS.get((self.0 >> 20) as usize).copied().unwrap_or(0)
    }

    /// Returns the log odds of yes, in 256ths, nearer to 0 while few answers have been seen.
    #[inline]
    pub fn guess(self) -> i32 {
        let odds = self.odds();
        let trust = TRUST.get((self.0 & 1_023) as usize).unwrap_or(&256);
        (odds * trust) >> 8
    }

    /// Returns the number of answers seen, up to [`SEEN_MAX`].
    pub fn seen(self) -> u32 {
        self.0 & 1_023
    }

    /// Moves towards an answer.
    pub fn learn(&mut self, answer: bool) {
        let (chance, seen) = (i64::from(self.0 >> 10), self.0 & 1_023);
        let target = if answer { (1 << 22) - 1 } else { 0 };
        let pace = PACE.get(seen as usize).copied().unwrap_or(0);
        let chance = chance + (((target - chance) * pace) >> 16);
        let chance = u32::try_from(chance.clamp(0, (1 << 22) - 1)).unwrap_or(0);
        self.0 = chance << 10 | (seen + 1).min(SEEN_MAX);
    }
}

/// The weights of `N` guesses, in several sets; the caller chooses a set for each question.
#[derive(Clone, Debug)]
pub struct Mixer<const N: usize> {
    sets: Vec<Set<N>>,
}

#[derive(Clone, Debug)]
struct Set<const N: usize> {
    /// In 65,536ths.
    weights: [i32; N],
    answers: u32,
}

/// The initial weight of every guess: a fifth.
const FIRST: i32 = 65_536 / 5;

impl<const N: usize> Mixer<N> {
    /// Creates `sets` sets, every weight a fifth.
    pub fn new(sets: usize) -> Self {
        Self { sets: vec![Set { weights: [FIRST; N], answers: 0 }; sets] }
    }

    /// Returns the weighted sum of the guesses: the mixed log odds.
    pub fn mix(&self, set: usize, guesses: &[i32; N]) -> i32 {
        let Some(set) = self.sets.get(set) else { return 0 };
        let terms = guesses.iter().zip(&set.weights);
        let sum: i64 = terms.map(|(&guess, &weight)| i64::from(guess) * i64::from(weight)).sum();
        let far = i64::from(FAR);
        i32::try_from((sum >> 16).clamp(-far, far)).unwrap_or(0)
    }

    /// Moves the weights of a set after an answer, given the odds that it had mixed.
    pub fn learn(&mut self, set: usize, guesses: &[i32; N], odds: i32, answer: bool) {
        let Some(set) = self.sets.get_mut(set) else { return };
        let target = if answer { i64::from(ONE) - 1 } else { 0 };
        // Fast at first, so that small boards gain too, then ever more slowly.
        let rate = match i64::from(set.answers) / 16 {
            // Avoids a division.
            480.. => 16,
            answers => 16 + 480 / (1 + answers),
        };
        let step = (target - i64::from(squash(odds))) * rate;
        for (weight, &guess) in set.weights.iter_mut().zip(guesses) {
            let change = (i64::from(guess) * step + (1 << 19)) >> 20;
            let moved = i64::from(*weight) + change;
            *weight = i32::try_from(moved.clamp(-WEIGHT_MAX, WEIGHT_MAX)).unwrap_or(*weight);
        }
        set.answers = set.answers.saturating_add(1);
    }
}

/// The largest weight: 64.
const WEIGHT_MAX: i64 = 64 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_the_logistic_function() {
        for (anchor, half_steps) in ANCHORS.into_iter().zip(-24..) {
            let exact = f64::from(ONE) / (1.0 + (-f64::from(half_steps) / 2.0).exp());
            let nearest = exact.round().clamp(1.0, f64::from(ONE) - 1.0);
            assert!((f64::from(anchor) - nearest).abs() < 0.5, "{half_steps}");
        }
    }

    #[test]
    fn odds_and_chances_are_inverse() {
        assert_eq!((squash(0), squash(i32::MIN), squash(i32::MAX)), (32_768, 1, 65_535));
        assert!((-FAR..FAR).all(|odds| squash(odds) <= squash(odds + 1)));
        for (chance, &odds) in (0u32..).zip(&ODDS) {
            let back = squash(odds);
            assert!(back >= 16 * chance + 8 && squash(odds - 1) < 16 * chance + 8);
        }
    }

    #[test]
    fn counters_follow_the_answers() {
        let mut counter = Counter::default();
        assert_eq!(counter.guess(), 0);
        let mut last = 0;
        for _ in 0..10 {
            counter.learn(true);
            assert!(counter.guess() > last);
            last = counter.guess();
        }
        for _ in 0..100_000 {
            counter.learn(false);
        }
        assert!(counter.guess() < -8 * 256);
        for _ in 0..100_000 {
            counter.learn(true);
        }
        assert!(counter.guess() > 8 * 256);
    }

    /// One of two guesses is always right, the other wrong every third time.
    #[test]
    fn who_is_right_gains_weight() {
        let mut mixer = Mixer::<2>::new(3);
        for round in 0..1_000 {
            let answer = round % 5 < 2;
            let sign = |right: bool| if right == answer { 512 } else { -512 };
            let guesses = [sign(true), sign(round % 3 > 0)];
            let odds = mixer.mix(1, &guesses);
            mixer.learn(1, &guesses, odds, answer);
        }
        let [knows, errs] = mixer.sets[1].weights;
        assert!(knows > 4 * FIRST && errs < FIRST, "{knows} {errs}");
        assert_eq!(mixer.sets[0].weights, [FIRST; 2]);
        // A set that does not exist has no effect.
        assert_eq!(mixer.mix(3, &[512; 2]), 0);
        mixer.learn(3, &[512; 2], 0, true);
    }

    #[test]
    fn weights_have_bounds() {
        let mut mixer = Mixer::<1>::new(1);
        for _ in 0..100_000 {
            mixer.learn(0, &[i32::MAX], -FAR, true);
        }
        assert_eq!(i64::from(mixer.sets[0].weights[0]), WEIGHT_MAX);
        assert_eq!(mixer.mix(0, &[i32::MAX]), FAR);
    }
}
