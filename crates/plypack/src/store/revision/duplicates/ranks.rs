//! Which of two copies is better, and which of many go.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::classes::Told;
use super::digests::{Digest, Keys, Stored};
use super::{Copied, Duplicate, Stays};

/// The most games with the same moves that one is compared with, the best first: thousands of
/// copies of one game would make millions of pairs.
const COMPARED_MAX: usize = 16;

/// The most games considered for those comparisons.
const LOOKED_AT_MAX: usize = 256;

/// The indices of two games, and why one is a copy of the other.
pub(super) type Pair = (usize, usize, Copied);

/// The rank of a copy; the best has the least. Ties are decided by a known day, then by place.
pub(super) type Rank = (Reverse<[u32; 2]>, bool, (usize, u64));

/// Ranks games.
pub(super) struct Ranks<'r> {
    pub(super) told: &'r [Told],
    pub(super) stored: &'r BTreeMap<usize, Stored>,
    pub(super) stays: Stays,
}

impl Ranks<'_> {
    pub(super) fn of(&self, at: usize) -> Option<Rank> {
        let told = self.told.get(at)?;
        let annotations = self.stored(at).annotations;
        let goods = match self.stays {
            Stays::Longest => [told.plies, annotations],
            Stays::Annotated => [annotations, told.plies],
            Stays::First => [0, 0],
        };
        Some((Reverse(goods), told.when.day.is_none(), told.place))
    }

    pub(super) fn stored(&self, at: usize) -> Stored {
        self.stored.get(&at).copied().unwrap_or_default()
    }

    pub(super) fn duplicate(&self, (copy, of, why): Pair) -> Option<Duplicate> {
        let [told, of_told] = [self.told.get(copy)?, self.told.get(of)?];
        let [stored, of_stored] = [self.stored(copy), self.stored(of)];
        Some(Duplicate {
            copy: told.place,
            of: of_told.place,
            why,
            plies: [told.plies, of_told.plies],
            annotations: [stored.annotations, of_stored.annotations],
            annotated_otherwise: stored.annotations > 0 && stored.notes != of_stored.notes,
            outcomes: [told.outcome, of_told.outcome],
            contradicts: false,
            checksum: told.checksum,
        })
    }
}

/// Pairs the games of a class whose moves equal another's, or the beginning of another's.
pub(super) fn same_moves(
    class: &[usize],
    told: &[Told],
    ranks: &Ranks<'_>,
    keys: &BTreeMap<usize, Keys>,
    any_day: bool,
) -> Vec<Pair> {
    let when = |at: usize| told.get(at).map(|told| told.when);
    let fits = |one: usize, other: usize| {
        any_day || when(one).zip(when(other)).is_some_and(|(one, other)| one.fits(other))
    };
    let mut best: Vec<usize> = class.to_vec();
    best.sort_by_key(|&at| ranks.of(at));
    let mut ends: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
    let mut pairs = Vec::new();
    // The best games come first, so each is compared with better ones.
    for &at in &best {
        let Some(end) = keys.get(&at).and_then(|keys| keys.end) else { continue };
        let same = ends.entry(end).or_default();
        let better = same.iter().take(LOOKED_AT_MAX).filter(|&&other| fits(at, other));
        pairs.extend(better.take(COMPARED_MAX).map(|&other| (at, other, Copied::Moves)));
        same.push(at);
    }
    for &at in &best {
        for (_, beginning) in keys.get(&at).into_iter().flat_map(|keys| &keys.prefixes) {
            let shorter = ends.get(beginning).into_iter().flatten().take(LOOKED_AT_MAX);
            let shorter = shorter.filter(|&&other| fits(at, other));
            pairs.extend(shorter.take(COMPARED_MAX).map(|&other| (at, other, Copied::Part)));
        }
    }
    pairs
}

/// Decides which games to delete: of all that are copies of one another, the best is kept, and the
/// copies of kept ones go. The pairs in `apart`, which differ only in their results, are both kept.
pub(super) fn decided(ranks: &Ranks<'_>, pairs: &[Pair], apart: &[Pair]) -> Vec<Duplicate> {
    let mut of: BTreeMap<usize, Vec<(usize, Copied)>> = BTreeMap::new();
    for &(one, other, why) in pairs {
        of.entry(one).or_default().push((other, why));
        of.entry(other).or_default().push((one, why));
    }
    let mut order: Vec<usize> = of.keys().copied().collect();
    order.sort_by_key(|&at| ranks.of(at));
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for at in order {
        let others = of.get(&at).map(Vec::as_slice).unwrap_or_default();
        let best = others.iter().filter(|other| kept.contains(&other.0));
        let best = best.min_by_key(|other| (other.1, ranks.of(other.0)));
        let duplicate = best.and_then(|&(other, why)| ranks.duplicate((at, other, why)));
        (if duplicate.is_some() { &mut gone } else { &mut kept }).insert(at);
        found.extend(duplicate);
    }
    let mut said = BTreeSet::new();
    for &(one, other, why) in apart {
        let (better, worse) = match ranks.of(one) <= ranks.of(other) {
            true => (one, other),
            false => (other, one),
        };
        if !gone.contains(&one) && !gone.contains(&other) && said.insert(worse) {
            let duplicate = ranks.duplicate((worse, better, why));
            found.extend(duplicate.map(|found| Duplicate { contradicts: true, ..found }));
        }
    }
    found.sort_by_key(|duplicate| duplicate.copy);
    found
}
