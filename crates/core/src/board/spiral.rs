//! Numbers in a spiral: OneDim's example of how sentinels simplify a walk.

use super::{Direction, Padded};

/// Returns the numbers from 1 on in a clockwise inward spiral from the first corner, listed row by
/// row. Three by three is 1 2 3, 8 9 4, 7 6 5.
#[must_use]
pub fn spiral(rows: u16, columns: u16) -> Vec<u32> {
    let board = Padded::new(rows, columns);
    let cells = u32::from(rows) * u32::from(columns);
    let mut array = board.array(0, u32::MAX);
    let turns = [Direction::Right, Direction::Down, Direction::Left, Direction::Up];
    let mut strides = turns.into_iter().cycle().map(|direction| board.stride(direction));
    // The sentinel before the first cell.
    let mut at = usize::from(columns) + 1;
    let mut number = 0;
    while let (true, Some(stride)) = (number < cells, strides.next()) {
        while let Some(next) = at.checked_add_signed(stride).filter(|&n| array.get(n) == Some(&0)) {
            number += 1;
            if let Some(cell) = array.get_mut(next) {
                *cell = number;
            }
            at = next;
        }
    }
    board.indices().filter_map(|index| array.get(index).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_case_of_the_article() {
        assert_eq!(spiral(3, 3), [1, 2, 3, 8, 9, 4, 7, 6, 5]);
    }

    #[test]
    fn boards_need_not_be_square() {
        assert_eq!(spiral(2, 4), [1, 2, 3, 4, 8, 7, 6, 5]);
        assert_eq!(spiral(4, 1), [1, 2, 3, 4]);
        assert_eq!(spiral(1, 1), [1]);
        assert!(spiral(0, 3).is_empty() && spiral(3, 0).is_empty());
    }

    /// Each number lies beside the previous one, and none is missing.
    #[test]
    fn the_numbers_follow_each_other() {
        for (rows, columns) in (1..=12).flat_map(|rows| (1..=12).map(move |c| (rows, c))) {
            let mut places = spiral(rows, columns).into_iter().zip(0u16..).collect::<Vec<_>>();
            places.sort_unstable();
            for (pair, number) in places.windows(2).zip(1..) {
                assert_eq!(pair[0].0, number);
                let [(r, c), (s, d)] = [0, 1].map(|i| (pair[i].1 / columns, pair[i].1 % columns));
                assert_eq!(r.abs_diff(s) + c.abs_diff(d), 1, "{rows}x{columns} {number}");
            }
        }
    }
}
