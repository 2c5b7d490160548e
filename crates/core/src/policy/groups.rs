//! Groups of features, numbered consecutively, which give the numbers in slots their meaning.
//!
//! A game lists its groups, each a name and a number of features: first a group of one feature,
//! which stands for none, then one group for each slot. A group of 0 features shares those of the
//! previous group.

/// Returns the number of each slot's first feature.
pub const fn firsts<const SLOTS: usize>(groups: &[(&str, usize)]) -> [u16; SLOTS] {
    let mut firsts = [0; SLOTS];
    let mut next = groups[0].1;
    each!(slot, SLOTS, {
        let own = groups[slot + 1].1;
        firsts[slot] = if own == 0 { firsts[slot - 1] } else { narrow(next) };
        next += own;
    });
    firsts
}

/// Returns the number of features. More than 65,535 are a compile error.
pub const fn count(groups: &[(&str, usize)]) -> u16 {
    let mut sum = 0;
    each!(group, groups.len(), sum += groups[group].1);
    assert!(sum < 1 << 16, "a slot has 16 bits for a feature");
    narrow(sum)
}

/// Puts a feature into slot `number`: the one `more` after `base`, which is in the slot's group; or
/// none, if both are 0.
#[inline(always)]
pub fn add(
    slot: &mut u16,
    groups: &[(&str, usize)],
    firsts: &[u16],
    number: usize,
    base: u16,
    more: usize,
) {
    debug_assert!(base > 0 || more == 0, "{}: {more}", groups[number + 1].0);
    if cfg!(debug_assertions) && base > 0 {
        let feature = usize::from(base - firsts[number]) + more;
        return set(slot, groups, firsts, number, feature);
    }
    *slot = base.wrapping_add(narrow(more));
}

/// Puts a feature of the slot's group into slot `number`.
#[inline(always)]
pub fn set(
    slot: &mut u16,
    groups: &[(&str, usize)],
    firsts: &[u16],
    number: usize,
    feature: usize,
) {
    let mut shared = groups[..=number + 1].iter().rev().map(|group| group.1);
    debug_assert!(
        shared.find(|&own| own > 0).is_some_and(|own| feature < own),
        "{}: {feature}",
        groups[number + 1].0
    );
    *slot = firsts[number].wrapping_add(narrow(feature));
}

/// Narrows the number of a feature to 16 bits, which `count` ensures.
#[expect(clippy::cast_possible_truncation, reason = "`count` is below 2^16")]
const fn narrow(number: usize) -> u16 {
    number as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_through() {
        const GROUPS: [(&str, usize); 6] =
            [("none", 1), ("row", 9), ("column", 0), ("diagonal", 0), ("cell", 3), ("side", 2)];
        assert_eq!(firsts::<5>(&GROUPS), [1, 1, 1, 10, 13]);
        assert_eq!(count(&GROUPS), 15);
        let mut slot = 0;
        set(&mut slot, &GROUPS, &firsts::<5>(&GROUPS), 2, 8);
        assert_eq!(slot, 9);
    }
}
