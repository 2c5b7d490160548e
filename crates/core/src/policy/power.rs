//! Powers of two in integers: from scores (logits) to weights.

/// Number of steps of a score that double the weight.
pub const STEPS: i32 = 256;

/// The weight of the best candidate: the sum of a thousand such weights stays below 2^32.
#[cfg(test)]
const WEIGHT_MAX: u32 = 1 << 22;

/// Returns the weight of a candidate whose score is `below` steps below the best: 2^22, halved
/// every 256 steps, at least 1.
#[inline(always)]
pub fn weight(below: i32) -> u32 {
    let below = below.max(0);
    let whole = (below / STEPS).min(31);
    (FRACTIONS[(below % STEPS) as usize] >> whole).max(1)
}

/// Returns how often the weights of `candidates` candidates are halved, so that their sum, plus the
/// escape's weight, stays below 2^32: not at all for fewer than 1,024.
#[inline(always)]
pub fn halvings(candidates: usize) -> u32 {
    usize::BITS - (candidates >> 10).leading_zeros()
}

/// 2^(22 - i / 256), rounded down: each entry is the previous one times the 256th root of 1/2, in
/// fixed point with 62 fractional bits.
static FRACTIONS: [u32; STEPS as usize] = {
    // 2^(-1/256) in units of 2^-62.
    const ROOT: u128 = 4_599_216_278_082_138_665;
    let mut table = [0; STEPS as usize];
    let mut value: u128 = 1 << 62;
    each!(i, table.len(), {
        #[expect(clippy::cast_possible_truncation, reason = "at most 23 bits are left")]
        {
            table[i] = (value >> 40) as u32;
        }
        value = (value * ROOT) >> 62;
    });
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

    /// Totals of the range coder have 32 bits. Go on 52 rows has 2,705 candidates and an escape.
    #[test]
    fn as_many_equal_weights_as_there_may_be_fit_in_a_total() {
        for candidates in [1, 362, 1_023, 1_024, 2_047, 2_048, 2_705, 4_095, 4_096, 65_535] {
            let mut weights = Vec::new();
            crate::policy::weigh_scores(&vec![7; candidates], &mut weights);
            let total = weights.iter().map(|&weight| u64::from(weight)).sum::<u64>() + 1;
            let max = u64::from(crate::bits::range::TOTAL_MAX);
            assert!(total <= max && total > max / 4 || candidates < 512, "{candidates}");
        }
        assert_eq!([362, 1_023, 1_024, 2_705].map(halvings), [0, 0, 1, 2]);
    }

    #[test]
    fn golden_powers() {
        assert_eq!(FRACTIONS[..4], [4_194_304, 4_182_962, 4_171_652, 4_160_372]);
        assert_eq!(FRACTIONS[255], 2_102_837);
    }
}
