//! A board without stones: where its points lie.

use crate::go::Position;

/// Where the points of a board lie.
#[derive(Clone, Debug)]
pub struct Ground {
    /// How many rows it has.
    pub rows: usize,
    /// How many columns it has.
    pub columns: usize,
    /// Whether there are 19 of both.
    pub usual: bool,
    /// The class of its shorter side.
    pub size: usize,
}

/// Two numbers in either order.
#[inline(always)]
#[must_use]
pub fn triangle(a: u16, b: u16) -> usize {
    let (small, large) = (usize::from(a.min(b)), usize::from(a.max(b)));
    large * (large + 1) / 2 + small
}

impl Ground {
    /// The board of a position.
    #[inline(always)]
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let (rows, columns) = (usize::from(position.rows()), usize::from(position.columns()));
        let shorter = rows.min(columns);
        let size = usize::from(shorter > 9) + usize::from(shorter > 16);
        Self { rows, columns, usual: [rows, columns] == [19, 19], size }
    }

    /// The rows of a position's points, each with its number.
    #[inline(always)]
    pub fn lines<'a>(&self, position: &'a Position) -> impl Iterator<Item = (usize, &'a [u8])> {
        let (rows, columns) = (self.rows, self.columns);
        let cells = position.array().get(columns + 2..).unwrap_or_default();
        let lines = cells.chunks(columns + 1).take(rows).enumerate();
        lines.map(move |(row, line)| (row, line.get(..columns).unwrap_or_default()))
    }

    /// The row and the column of a point.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, point: u16) -> [usize; 2] {
        [usize::from(point) / self.columns, usize::from(point) % self.columns]
    }

    /// How far one point is from another, by rows and columns.
    #[inline(always)]
    #[must_use]
    pub fn apart(&self, point: u16, other: u16) -> [i16; 2] {
        let (here, there) = (self.place(point), self.place(other));
        // Sides have at most 52 points.
        [0, 1].map(|axis| narrow(here[axis]) - narrow(there[axis]))
    }

    /// The distances of a point from the nearer edges, at most 9.
    #[inline(always)]
    fn edges(&self, point: u16) -> [u16; 2] {
        let [row, column] = self.place(point);
        [row.min(self.rows - 1 - row), column.min(self.columns - 1 - column)]
            .map(|edge| narrow(edge.min(9)).unsigned_abs())
    }

    /// The distance of a point from the nearest edge, at most 2.
    #[inline(always)]
    #[must_use]
    pub fn line(&self, point: u16) -> usize {
        let [row, column] = self.edges(point);
        usize::from(row.min(column).min(2))
    }

    /// The distances of a point from the edges, as one of 55 numbers.
    #[inline(always)]
    #[must_use]
    pub fn cell(&self, point: u16) -> usize {
        let [row, column] = self.edges(point);
        triangle(row, column)
    }

    /// The corner that a point is nearest to, from the upper left.
    #[inline(always)]
    #[must_use]
    pub fn corner(&self, point: u16) -> usize {
        let [row, column] = self.place(point);
        usize::from(row * 2 >= self.rows) * 2 + usize::from(column * 2 >= self.columns)
    }

    /// Whether a row belongs to the upper nine and to the lower nine of so many.
    #[inline(always)]
    #[must_use]
    pub fn bands(&self, row: usize, rows: usize) -> [bool; 2] {
        [row < 9, row + 9 >= rows]
    }
}

/// A row or a column, of at most 52.
#[inline(always)]
fn narrow(place: usize) -> i16 {
    i16::try_from(place).unwrap_or(0)
}
