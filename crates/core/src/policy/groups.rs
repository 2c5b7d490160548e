//! Groups of features, numbered through: what a slot's number means.
//!
//! A game lists its groups, each a name and how many features it has: first one of a single
//! feature, which stands for none, then one for each slot. A group without features of its own
//! shares those of the slot before it.

/// The number of each slot's first feature.
#[must_use]
pub const fn firsts<const SLOTS: usize>(groups: &[(&str, usize)]) -> [u16; SLOTS] {
    let mut firsts = [0; SLOTS];
    let mut next = groups[0].1;
    let mut slot = 0;
    while slot < SLOTS {
        let own = groups[slot + 1].1;
        firsts[slot] = if own == 0 { firsts[slot - 1] } else { narrow(next) };
        next += own;
        slot += 1;
    }
    firsts
}

/// How many features there are. Fewer than 65,536: compilation fails otherwise.
#[must_use]
pub const fn count(groups: &[(&str, usize)]) -> u16 {
    let mut sum = 0;
    let mut group = 0;
    while group < groups.len() {
        sum += groups[group].1;
        group += 1;
    }
    assert!(sum < 1 << 16, "a slot has 16 bits for a feature");
    narrow(sum)
}

/// Puts a feature of the group of slot `number` into its place: the one that comes so many after
/// `base`, which is of that group; or none, if `base` is 0 and there is none to be added.
#[inline(always)]
pub fn add(
    place: &mut u16,
    groups: &[(&str, usize)],
    firsts: &[u16],
    number: usize,
    base: u16,
    more: usize,
) {
    debug_assert!(base > 0 || more == 0, "{}: {more}", groups[number + 1].0);
    if cfg!(debug_assertions) && base > 0 {
        let feature = usize::from(base - firsts[number]) + more;
        return set(place, groups, firsts, number, feature);
    }
    *place = base.wrapping_add(narrow(more));
}

/// Puts a feature of the group of slot `number` into its place.
#[inline(always)]
pub fn set(
    place: &mut u16,
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
    *place = firsts[number].wrapping_add(narrow(feature));
}

/// A number of a feature in the 16 bits that `count` made sure of.
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
        let mut place = 0;
        set(&mut place, &GROUPS, &firsts::<5>(&GROUPS), 2, 8);
        assert_eq!(place, 9);
    }
}
