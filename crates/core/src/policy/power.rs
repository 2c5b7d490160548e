//! Powers of two in integers: from scores (logits) to weights.

/// How many steps of a score double the weight.
pub const STEPS: i32 = 256;

/// The weight of the best candidate: a thousand like it stay below 2^32.
#[cfg(test)]
const WEIGHT_MAX: u32 = 1 << 22;

/// The weight of a candidate whose score is `below` steps below the best: 2^22, halved every 256
/// steps, at least 1.
#[inline(always)]
#[must_use]
pub fn weight(below: i32) -> u32 {
    let below = below.max(0);
    let whole = (below / STEPS).min(31);
    (FRACTIONS[(below % STEPS) as usize] >> whole).max(1)
}

/// 2^(22 - i / 256), rounded down: each entry is the last times the 256th root of 1/2, in fixed
/// point with 62 fractional bits.
static FRACTIONS: [u32; STEPS as usize] = {
    // 2^(-1/256) in units of 2^-62.
    const ROOT: u128 = 4_599_216_278_082_138_665;
    let mut table = [0; STEPS as usize];
    let mut value: u128 = 1 << 62;
    let mut i = 0;
    while i < table.len() {
        #[expect(clippy::cast_possible_truncation, reason = "at most 23 bits are left")]
        {
            table[i] = (value >> 40) as u32;
        }
        value = (value * ROOT) >> 62;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact_to_a_unit() {
        for below in 0..8_000 {
            let exact = f64::from(WEIGHT_MAX) * (-f64::from(below) / 256.0).exp2();
            let ours = f64::from(weight(below));
            assert!((ours - exact.max(1.0)).abs() <= 1.0, "{below}: {ours} for {exact}");
        }
        assert_eq!(weight(-5), WEIGHT_MAX);
        assert_eq!(weight(i32::MAX), 1);
    }

    #[test]
    fn golden_powers() {
        assert_eq!(FRACTIONS[..4], [4_194_304, 4_182_962, 4_171_652, 4_160_372]);
        assert_eq!(FRACTIONS[255], 2_102_837);
    }
}
