//! How predictable a move is, judged by the spread of the candidates' keys.

use super::classes::exceeded;

/// The number of tables that [`table`] chooses from.
pub const TABLES: usize = 6 * 6;

/// Returns the number of a position's frequency table, from the number of keys close to the best
/// and the number in sight of it. `near` holds the greatest distance for each.
pub fn table(keys: &[i32], near: [i32; 2]) -> usize {
    let best = keys.iter().copied().max().unwrap_or(0);
    table_of(near.map(|near| {
        let least = best.saturating_sub(near);
        keys.iter().filter(|&&key| key >= least).count()
    }))
}

/// Returns the same from the numbers of keys close to the best and in sight of it.
pub fn table_of(counts: [usize; 2]) -> usize {
    let [close, in_sight] = counts.map(|count| exceeded([1, 2, 3, 5, 8], count));
    close * 6 + in_sight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_follow_the_spread() {
        assert_eq!(table(&[], [5, 10]), 0);
        assert_eq!(table(&[7], [5, 10]), 0);
        assert_eq!(table(&[0, 5, 10, 11], [5, 10]), 6 + 2);
        assert_eq!(table(&[3; 20], [5, 10]), TABLES - 1);
        assert_eq!(table(&[i32::MIN, 0], [5, 10]), 0);
    }
}
