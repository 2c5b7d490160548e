//! The geometry of a board without its stones.

use crate::go::Position;

/// The size of a board.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Whether the board is 19 by 19.
    pub usual: bool,
    /// The class of the shorter side.
    pub size: usize,
}

/// Returns one number for an unordered pair.
#[inline(always)]
pub fn triangle(a: u16, b: u16) -> usize {
    let (small, large) = (usize::from(a.min(b)), usize::from(a.max(b)));
    large * (large + 1) / 2 + small
}

impl Ground {
    /// Returns the board of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> Self {
        let (rows, columns) = (usize::from(position.rows()), usize::from(position.columns()));
        let shorter = rows.min(columns);
        let size = usize::from(shorter > 9) + usize::from(shorter > 16);
        Self { rows, columns, usual: [rows, columns] == [19, 19], size }
    }

    /// Iterates over the rows of a position's points, each with its number.
    #[inline(always)]
    pub fn lines<'a>(&self, position: &'a Position) -> impl Iterator<Item = (usize, &'a [u8])> {
        let (rows, columns) = (self.rows, self.columns);
        let cells = position.array().get(columns + 2..).unwrap_or_default();
        let lines = cells.chunks(columns + 1).take(rows).enumerate();
        lines.map(move |(row, line)| (row, line.get(..columns).unwrap_or_default()))
    }

    /// Returns the row and column of a point.
    #[inline(always)]
    pub fn place(&self, point: u16) -> [usize; 2] {
        [usize::from(point) / self.columns, usize::from(point) % self.columns]
    }

    /// Returns the offset from `other` to `point`, in rows and columns.
    #[inline(always)]
    pub fn apart(&self, point: u16, other: u16) -> [i16; 2] {
        let (here, there) = (self.place(point), self.place(other));
        // Sides have at most 52 points.
        [0, 1].map(|axis| narrow(here[axis]) - narrow(there[axis]))
    }

    /// Returns the distances of a point from the nearer edges, at most 9.
    #[inline(always)]
    fn edges(&self, point: u16) -> [u16; 2] {
        let [row, column] = self.place(point);
        [row.min(self.rows - 1 - row), column.min(self.columns - 1 - column)]
            .map(|edge| narrow(edge.min(9)).unsigned_abs())
    }

    /// Returns the distance of a point from the nearest edge, at most 2.
    #[inline(always)]
    pub fn line(&self, point: u16) -> usize {
        let [row, column] = self.edges(point);
        usize::from(row.min(column).min(2))
    }

    /// Returns the distances of a point from the edges, as one of 55 numbers.
    #[inline(always)]
    pub fn cell(&self, point: u16) -> usize {
        let [row, column] = self.edges(point);
        triangle(row, column)
    }

    /// Returns the corner nearest to a point, counted from the upper left.
    #[inline(always)]
    pub fn corner(&self, point: u16) -> usize {
        let [row, column] = self.place(point);
        usize::from(row * 2 >= self.rows) * 2 + usize::from(column * 2 >= self.columns)
    }

    /// Whether a row is among the upper nine, and among the lower nine, of `rows` rows.
    #[inline(always)]
    pub fn bands(&self, row: usize, rows: usize) -> [bool; 2] {
        [row < 9, row + 9 >= rows]
    }
}

/// Converts a row or column number, which is at most 52.
#[inline(always)]
fn narrow(place: usize) -> i16 {
    i16::try_from(place).unwrap_or(0)
}
