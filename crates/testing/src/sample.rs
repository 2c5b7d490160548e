//! Tests that have more cases than every change can wait for try a sample of them: others for each
//! `$PLYPACK_SEED`, which `cargo xtask ci` takes from the commit, and all if `$PLYPACK_ALL` is set.

/// Returns whether everything is tried: whether `$PLYPACK_ALL` is set.
pub fn is_whole() -> bool {
    std::env::var_os("PLYPACK_ALL").is_some()
}

/// Returns the number that selects the sample: `$PLYPACK_SEED`, or 0.
pub fn seed() -> u64 {
    std::env::var("PLYPACK_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// Returns the numbers of the tried cases of `count`: one of each `step`, or all.
pub fn every(step: usize, count: usize) -> impl Iterator<Item = usize> + Clone {
    let step = if is_whole() { 1 } else { step };
    let first = usize::try_from(seed() % step as u64).unwrap_or(0);
    (first..count).step_by(step)
}
