//! The eight directions of lines of cells.

/// One of the eight directions, for boards whose row 0 is drawn at the top.
///
/// Most games draw row 0 at the bottom, which swaps up and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the next column.
    Right,
    /// To the next row.
    Down,
    /// To the next row and the next column.
    DownRight,
    /// To the next row and the previous column.
    DownLeft,
    /// Opposite to [`Direction::Right`].
    Left,
    /// Opposite to [`Direction::Down`].
    Up,
    /// Opposite to [`Direction::DownRight`].
    UpLeft,
    /// Opposite to [`Direction::DownLeft`].
    UpRight,
}

impl Direction {
    /// One direction of each line through a cell.
    pub const LINES: [Self; 4] = [Self::Right, Self::Down, Self::DownRight, Self::DownLeft];

    /// All directions: those of the lines, then their opposites in the same order.
    pub const ALL: [Self; 8] = [
        Self::Right,
        Self::Down,
        Self::DownRight,
        Self::DownLeft,
        Self::Left,
        Self::Up,
        Self::UpLeft,
        Self::UpRight,
    ];

    /// Returns how many rows down and columns to the right one step goes.
    pub const fn step(self) -> (isize, isize) {
        match self {
            Self::Right => (0, 1),
            Self::Down => (1, 0),
            Self::DownRight => (1, 1),
            Self::DownLeft => (1, -1),
            Self::Left => (0, -1),
            Self::Up => (-1, 0),
            Self::UpLeft => (-1, -1),
            Self::UpRight => (-1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_stand_four_places_apart() {
        for (direction, opposite) in Direction::ALL.iter().zip(&Direction::ALL[4..]) {
            let ((down, right), (up, left)) = (direction.step(), opposite.step());
            assert_eq!((down + up, right + left), (0, 0), "{direction:?}");
        }
        assert_eq!(Direction::ALL[..4], Direction::LINES);
    }
}
