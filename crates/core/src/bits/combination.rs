//! Combinations as numbers: binomial coefficients and the combinatorial number system.
//!
//! A subset of `k` of `n` places has a rank below C(n, k): the sum of C(place, ordinal) over its
//! places, the lowest first, ordinals counted from 1 (D. H. Lehmer, "The machine tools of
//! combinatorics", 1964; also called combinadics).

/// Returns C(n, k), or `None` if it exceeds 64 bits.
pub fn binomial(n: u32, k: u32) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let mut value = 1u128;
    for factor in 0..k.min(n - k) {
        // A product of consecutive numbers divides without a remainder at each step.
        value = value * u128::from(n - factor) / u128::from(factor + 1);
        if value > u128::from(u64::MAX) {
            return None;
        }
    }
    u64::try_from(value).ok()
}

/// Returns the rank of a subset, given its places in ascending order, or `None` if it exceeds 64
/// bits.
pub fn rank(places: &[u32]) -> Option<u64> {
    let mut sum = 0u64;
    for (&place, ordinal) in places.iter().zip(1u32..) {
        sum = sum.checked_add(binomial(place, ordinal)?)?;
    }
    Some(sum)
}

/// Returns the subset of `k` of `n` places with this rank, in ascending order. Returns `None` if
/// the rank is not below C(n, k), or if C(n, k) exceeds 64 bits.
pub fn unrank(mut rank: u64, n: u32, k: u32) -> Option<Vec<u32>> {
    if rank >= binomial(n, k)? {
        return None;
    }
    let mut places = Vec::new();
    let mut ordinal = k;
    for place in (0..n).rev() {
        if ordinal == 0 {
            break;
        }
        let below = binomial(place, ordinal)?;
        if rank >= below {
            rank -= below;
            places.push(place);
            ordinal -= 1;
        }
    }
    places.reverse();
    Some(places)
}

/// Returns the number of bits that distinguish `count` things: log2 of `count`, rounded up.
pub fn width(count: u64) -> u32 {
    count.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_has_its_rank() {
        let (n, k) = (9, 4);
        let count = binomial(n, k).expect("it is small");
        assert_eq!(count, 126);
        for number in 0..count {
            let places = unrank(number, n, k).expect("it is below the count");
            assert!(places.is_sorted_by(|a, b| a < b) && places.len() == 4, "{places:?}");
            assert_eq!(rank(&places), Some(number));
        }
        assert_eq!(unrank(count, n, k), None);
    }

    #[test]
    fn large_binomials_are_exact_or_refused() {
        assert_eq!(binomial(64, 32), Some(1_832_624_140_942_590_534));
        assert_eq!(binomial(225, 112), None);
        assert_eq!(binomial(3, 4), Some(0));
        assert_eq!((width(0), width(1), width(2), width(48), width(1 << 44)), (0, 0, 1, 6, 44));
    }
}
