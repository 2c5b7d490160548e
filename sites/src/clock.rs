//! Time measurement.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Returns the processor time of this thread, or the elapsed time where the system lacks it.
pub fn thread_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|spent| spent.parse().ok());
    spent.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Returns the median of some values, or 0 without any.
pub fn median<T: Ord + Copy + Default>(values: &mut [T]) -> T {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
