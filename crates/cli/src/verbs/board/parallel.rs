//! Work on several bands at once.

/// Returns the number of threads that an option means; 0 means one per core.
pub fn threads(option: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    if option > 0 { option } else { cores() }
}

/// Applies `work` to each item, each on a thread of its own.
pub fn map<A: Send, B: Send>(items: Vec<A>, work: impl Fn(A) -> B + Sync) -> Vec<B> {
    if items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, B>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        for count in [0, 1, 2, 9] {
            let squares: Vec<u32> = (0..count).map(|number| number * number).collect();
            assert_eq!(map((0..count).collect(), |number: u32| number * number), squares);
        }
        assert!(threads(0) > 0 && threads(3) == 3);
    }
}
