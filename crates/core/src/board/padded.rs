//! Padded boards: the cells of a rectangle in an array, with sentinels that end every walk.
//!
//! After the article OneDim, "Modelling a two-dimensional board with a one-dimensional array",
//! which took it from Warren Smith's endgame program for Othello. A row of sentinels lies above the
//! cells and another below, but there is a column of them only on the left: the sentinel to the
//! right of a row is the one before the next row. One more follows the last row:
//!
//! ```text
//!  0  1  2  3        # # # #
//!  4  5  6  7        # . . .
//!  8  9 10 11        # . . .
//! 12 13 14 15        # . . .
//! 16 17 18 19 20     # # # # #
//! ```
//!
//! A walk adds one number for each step and stops at the first cell that does not match, so it
//! never tests for an edge.

use super::Direction;

/// The layout of a rectangle of cells and its sentinels in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padded {
    rows: u16,
    columns: u16,
}

impl Padded {
    /// Creates the layout of a board of `rows` by `columns`.
    pub const fn new(rows: u16, columns: u16) -> Self {
        Self { rows, columns }
    }

    /// Returns the length of the array: `(rows + 2) * (columns + 1) + 1`.
    ///
    /// This is 273 for 15 by 15. The article's program has 15 * 15 + 34 + 15 = 274, and never reads
    /// the last element.
    pub const fn length(self) -> usize {
        (self.rows as usize + 2) * (self.columns as usize + 1) + 1
    }

    /// Returns the index of a cell: `columns + 2 + column + row * (columns + 1)`.
    pub const fn index(self, row: u16, column: u16) -> usize {
        let columns = self.columns as usize;
        columns + 2 + column as usize + row as usize * (columns + 1)
    }

    /// Returns the row and the column of an index; `None` for a sentinel, or beyond the array.
    pub fn place(self, index: usize) -> Option<(u16, u16)> {
        let columns = usize::from(self.columns);
        let from_first = index.checked_sub(columns + 2)?;
        let row = u16::try_from(from_first / (columns + 1)).ok()?;
        let column = u16::try_from(from_first % (columns + 1)).ok()?;
        (row < self.rows && column < self.columns).then_some((row, column))
    }

    /// Returns the indices of the cells, row by row.
    pub fn indices(self) -> impl Iterator<Item = usize> + Clone {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |c| self.index(row, c)))
    }

    /// Returns the distance in the array between neighbours in this direction: for the four lines
    /// 1, `columns + 1`, `columns + 2` and `columns`.
    pub const fn stride(self, direction: Direction) -> isize {
        let (rows, columns) = direction.step();
        rows * (self.columns as isize + 1) + columns
    }

    /// Creates an array with `cell` on every cell and `sentinel` around them.
    pub fn array<T: Clone>(self, cell: T, sentinel: T) -> Vec<T> {
        let mut array = vec![sentinel; self.length()];
        for index in self.indices() {
            if let Some(place) = array.get_mut(index) {
                *place = cell.clone();
            }
        }
        array
    }

    /// Returns the length of the row of equal cells through `at`, including itself, along each
    /// line.
    ///
    /// `array` must have this board's length, and sentinels that differ from every cell.
    pub fn rows_through<T: PartialEq>(self, array: &[T], at: usize) -> [usize; 4] {
        Direction::LINES.map(|line| {
            let stride = self.stride(line);
            let Some(wanted) = array.get(at) else { return 0 };
            let alike = |stride| {
                walk(at, stride).take_while(|&index| array.get(index) == Some(wanted)).count()
            };
            alike(-stride) + 1 + alike(stride)
        })
    }

    /// Returns whether a row of `count` or more equal cells goes through the cell `at`.
    ///
    /// `array` as for [`Padded::rows_through`].
    pub fn has_at_least<T: PartialEq>(self, count: usize, array: &[T], at: usize) -> bool {
        self.rows_through(array, at).iter().any(|&found| found >= count)
    }
}

/// Returns the indices after `from`, one stride apart, without end: the caller stops at a sentinel.
pub fn walk(from: usize, stride: isize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), move |index| index.checked_add_signed(stride)).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_of_the_article() {
        let board = Padded::new(3, 3);
        let array = board.array('.', '#');
        assert_eq!(array.len(), 21);
        let sentinels: Vec<usize> = (0..21).filter(|&index| array[index] == '#').collect();
        assert_eq!(sentinels, [0, 1, 2, 3, 4, 8, 12, 16, 17, 18, 19, 20]);
        for ((row, column), index) in [((0, 0), 5), ((0, 1), 6), ((1, 0), 9), ((2, 2), 15)] {
            assert_eq!(board.index(row, column), index);
            assert_eq!(board.place(index), Some((row, column)));
        }
        // The article says that a step of 1 goes to the left; it goes to the right.
        let strides = |side| Direction::LINES.map(|line| Padded::new(side, side).stride(line));
        assert_eq!(strides(3), [1, 4, 5, 3]);
        assert_eq!(strides(4), [1, 5, 6, 4]);
        assert_eq!(strides(5), [1, 6, 7, 5]);
        assert_eq!(strides(15), [1, 16, 17, 15]);
        // To the left of 13 is 12, a sentinel.
        assert_eq!(walk(13, board.stride(Direction::Left)).next(), Some(12));
        assert_eq!(board.place(12), None);
    }

    /// The article's program takes 274 elements for 15 by 15 cells. The rule that gives 21 for 3 by
    /// 3 gives 273, which is enough: see the next test.
    #[test]
    fn fifteen_by_fifteen_needs_one_element_less_than_the_article_has() {
        assert_eq!(15 * 15 + 34 + 15, 274);
        let board = Padded::new(15, 15);
        assert_eq!(board.length(), 273);
        assert_eq!((board.index(0, 0), board.index(14, 14)), (17, 255));
        let farthest = board.index(14, 14).checked_add_signed(board.stride(Direction::DownRight));
        assert_eq!(farthest, Some(272));
    }

    /// Every walk, from every cell in every direction, passes exactly the cells that lie there,
    /// then reaches a sentinel within the array.
    #[test]
    fn every_walk_ends_on_a_sentinel() {
        let mut walks = 0;
        for (rows, columns) in (1..=20).flat_map(|rows| (1..=20).map(move |c| (rows, c))) {
            let board = Padded::new(rows, columns);
            let array = board.array('.', '#');
            let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            for ((row, column), index) in cells.zip(board.indices()) {
                assert_eq!(board.index(row, column), index);
                assert_eq!(board.place(index), Some((row, column)));
                for direction in Direction::ALL {
                    let (down, right) = direction.step();
                    let (mut row, mut column) = (row as isize, column as isize);
                    for at in walk(index, board.stride(direction)) {
                        (row, column) = (row + down, column + right);
                        let place = (u16::try_from(row).ok()).zip(u16::try_from(column).ok());
                        let place = place.filter(|place| place.0 < rows && place.1 < columns);
                        assert_eq!(
                            board.place(at),
                            place,
                            "{rows}x{columns} {index} {direction:?}"
                        );
                        if array[at] == '#' {
                            assert_eq!(place, None);
                            walks += 1;
                            break;
                        }
                        assert!(place.is_some());
                    }
                }
            }
            let sentinels = array.iter().filter(|&&place| place == '#').count();
            assert_eq!(array.len(), sentinels + usize::from(rows) * usize::from(columns));
        }
        // Eight from each cell of all these boards, which have 210 * 210 cells in total.
        assert_eq!(walks, 8 * 210 * 210);
    }

    /// Returns a row of `length` on a 15 by 15 board from the given cell.
    fn row(length: usize, from: (u16, u16), direction: Direction) -> (Vec<char>, usize) {
        let board = Padded::new(15, 15);
        let mut array = board.array('.', '#');
        let first = board.index(from.0, from.1);
        let cells = walk(first, board.stride(direction)).take(length - 1);
        std::iter::once(first).chain(cells).for_each(|index| array[index] = 'x');
        (array, first)
    }

    #[test]
    fn rows_are_counted_from_any_of_their_cells() {
        let board = Padded::new(15, 15);
        for direction in Direction::ALL {
            for length in 1..=7 {
                let (array, first) = row(length, (7, 7), direction);
                let cells = walk(first, board.stride(direction)).take(length - 1);
                for at in std::iter::once(first).chain(cells) {
                    assert_eq!(board.has_at_least(5, &array, at), length >= 5);
                    let longest = board.rows_through(&array, at).into_iter().max();
                    assert_eq!(longest, Some(length));
                }
            }
        }
    }

    #[test]
    fn rows_do_not_go_on_over_an_edge() {
        let board = Padded::new(15, 15);
        let (mut array, first) = row(3, (6, 12), Direction::Right);
        // The next row begins right after this one, except for the sentinel between them.
        array[board.index(7, 0)] = 'x';
        array[board.index(7, 1)] = 'x';
        assert_eq!(board.rows_through(&array, first), [3, 1, 1, 1]);
        assert!(!board.has_at_least(4, &array, first));
    }
}
