//! Powers of two in integers: from scores to weights.

/// How many steps of a score double the weight.
const STEPS: u32 = 256;

/// The weight of a symbol whose score is `below` steps under the best: 2^22 halved every 256 steps,
/// and never less than 1.
pub fn weight(below: u32) -> u32 {
    let whole = (below / STEPS).min(31);
    (FRACTIONS[(below % STEPS) as usize] >> whole).max(1)
}

/// 2^(22 - i / 256), rounded down: each entry is the last times the 256th root of 1/2, in fixed
/// point with 62 bits behind the point.
static FRACTIONS: [u32; STEPS as usize] = fractions();

#[allow(clippy::cast_possible_truncation, reason = "22 bits are left")]
const fn fractions() -> [u32; STEPS as usize] {
    // 2^(62 - 1 / 256).
    const ROOT: u128 = 4_599_216_278_082_138_665;
    let mut table = [0; STEPS as usize];
    let mut value: u128 = 1 << 62;
    let mut step = 0;
    while step < table.len() {
        table[step] = (value >> 40) as u32;
        value = (value * ROOT) >> 62;
        step += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weight of the likeliest symbol.
    const WEIGHT_MAX: u32 = 1 << 22;

    #[test]
    fn weights_are_powers_of_two() {
        for below in 0..8_000 {
            let exact = f64::from(WEIGHT_MAX) * (-f64::from(below) / 256.0).exp2();
            assert!((f64::from(weight(below)) - exact.max(1.0)).abs() <= 1.0, "{below}");
        }
        assert_eq!([0, 256, 22 * 256, u32::MAX].map(weight), [WEIGHT_MAX, WEIGHT_MAX / 2, 1, 1]);
    }
}
