//! Plain boards: the cells of a rectangle in an array, row by row.
//!
//! After the article OneDim, "Modelling a two-dimensional board with a one-dimensional array". A
//! plain board wastes no memory, but a walk crosses edges unnoticed: to the left of a row's first
//! cell is the last cell of the previous row. So every step must check the row and the column. The
//! rules of games walk on [`Padded`](super::Padded) instead.

use super::Direction;

/// The layout of a rectangle of cells in an array: row by row, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    rows: u16,
    columns: u16,
}

impl Plain {
    /// Creates the layout of a board of `rows` by `columns`.
    pub const fn new(rows: u16, columns: u16) -> Self {
        Self { rows, columns }
    }

    /// Returns the number of cells in the array.
    pub const fn length(self) -> usize {
        self.rows as usize * self.columns as usize
    }

    /// Returns the index of a cell: `columns * row + column`.
    pub const fn index(self, row: u16, column: u16) -> usize {
        self.columns as usize * row as usize + column as usize
    }

    /// Returns the row and the column of an index; `None` beyond the last cell.
    pub fn place(self, index: usize) -> Option<(u16, u16)> {
        let row = index.checked_div(self.columns.into())?;
        let column = index.checked_rem(self.columns.into())?;
        let row = u16::try_from(row).ok().filter(|&row| row < self.rows)?;
        Some((row, u16::try_from(column).ok()?))
    }

    /// Returns the distance in the array between neighbours in this direction: for the four lines
    /// 1, `columns`, `columns + 1` and `columns - 1`.
    pub const fn stride(self, direction: Direction) -> isize {
        let (rows, columns) = direction.step();
        rows * self.columns as isize + columns
    }

    /// Returns the neighbour in this direction; `None` at an edge.
    pub fn step(self, index: usize, direction: Direction) -> Option<usize> {
        let (row, column) = self.place(index)?;
        let (down, right) = direction.step();
        let row = usize::from(row).checked_add_signed(down)?;
        let column = usize::from(column).checked_add_signed(right)?;
        let inside = row < self.rows.into() && column < self.columns.into();
        inside.then(|| usize::from(self.columns) * row + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_of_the_article() {
        let board = Plain::new(3, 3);
        assert_eq!(board.length(), 9);
        let cells = [((0, 0), 0), ((0, 1), 1), ((1, 0), 3), ((1, 2), 5), ((2, 2), 8)];
        for ((row, column), index) in cells {
            assert_eq!(board.index(row, column), index);
            assert_eq!(board.place(index), Some((row, column)));
        }
        let strides = |side| Direction::LINES.map(|line| Plain::new(side, side).stride(line));
        assert_eq!(strides(3), [1, 3, 4, 2]);
        assert_eq!(strides(4), [1, 4, 5, 3]);
        assert_eq!(strides(5), [1, 5, 6, 4]);
    }

    #[test]
    fn a_step_over_an_edge_would_land_on_another_row() {
        let board = Plain::new(3, 3);
        assert_eq!(3usize.checked_add_signed(board.stride(Direction::Left)), Some(2));
        assert_eq!(board.step(3, Direction::Left), None);
    }

    #[test]
    fn indices_and_steps_agree_for_all_small_sizes() {
        for (rows, columns) in (0..=20).flat_map(|rows| (0..=20).map(move |c| (rows, c))) {
            let board = Plain::new(rows, columns);
            let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            assert_eq!(cells.clone().count(), board.length());
            for ((row, column), index) in cells.zip(0..) {
                assert_eq!(board.index(row, column), index);
                assert_eq!(board.place(index), Some((row, column)));
                for direction in Direction::ALL {
                    let (down, right) = direction.step();
                    let to = (row as isize + down, column as isize + right);
                    let inside =
                        (0..rows as isize).contains(&to.0) && (0..columns as isize).contains(&to.1);
                    let stepped = index.checked_add_signed(board.stride(direction));
                    assert_eq!(board.step(index, direction), stepped.filter(|_| inside));
                }
            }
            assert_eq!(board.place(board.length()), None);
        }
    }
}
