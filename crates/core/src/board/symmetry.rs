//! The symmetries of a square board: four rotations and their mirror images.

/// One of the eight ways to map a square board onto itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Whether rows and columns are swapped, before either is reversed.
    transposed: bool,
    /// Whether rows are reversed.
    rows: bool,
    /// Whether columns are reversed.
    columns: bool,
}

impl Symmetry {
    /// All eight; the first is the identity.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { transposed: false, rows: false, columns: false }; 8];
        each!(place, all.len(), {
            all[place] =
                Self { transposed: place & 4 != 0, rows: place & 2 != 0, columns: place & 1 != 0 };
        });
        all
    };

    /// Returns the image of a cell on a board of `size` rows; `row` and `column` are below `size`.
    pub const fn image(self, size: u16, row: u16, column: u16) -> (u16, u16) {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        let row = if self.rows { size - 1 - row } else { row };
        let column = if self.columns { size - 1 - column } else { column };
        (row, column)
    }
}

/// The stones' part of the keys of a board's eight images, updated incrementally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageKeys([u64; 8]);

impl ImageKeys {
    /// Puts a stone on a cell of a board of `size` rows, or removes it. `word` returns the stone's
    /// word by row and column.
    pub fn toggle(&mut self, size: u16, row: u16, column: u16, word: impl Fn(u16, u16) -> u64) {
        for (key, symmetry) in self.0.iter_mut().zip(Symmetry::ALL) {
            let (row, column) = symmetry.image(size, row, column);
            *key ^= word(row, column);
        }
    }

    /// Returns the key of the board itself; `rest` is the key of everything except the stones.
    pub fn exact(&self, rest: u64) -> u64 {
        self.0[0] ^ rest
    }

    /// Returns the lowest key of the eight images.
    pub fn least(&self, rest: u64) -> u64 {
        self.0.iter().fold(u64::MAX, |least, key| least.min(key ^ rest))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn images(size: u16, row: u16, column: u16) -> Vec<(u16, u16)> {
        Symmetry::ALL.iter().map(|symmetry| symmetry.image(size, row, column)).collect()
    }

    #[test]
    fn the_images_of_a_cell() {
        let expected = [(0, 1), (0, 1), (2, 1), (2, 1), (1, 0), (1, 2), (1, 0), (1, 2)];
        assert_eq!(images(3, 0, 1), expected);
        let expected = [(0, 1), (0, 2), (3, 1), (3, 2), (1, 0), (1, 3), (2, 0), (2, 3)];
        assert_eq!(images(4, 0, 1), expected);
        assert!(images(3, 1, 1).iter().all(|&image| image == (1, 1)));
    }

    /// The composition of any two is again one of them, and each is a permutation of the cells.
    #[test]
    fn symmetries_are_a_group() {
        let moves = |first: Symmetry, second: Symmetry| -> Vec<(u16, u16)> {
            let cells = (0..5).flat_map(|row| (0..5).map(move |column| (row, column)));
            let after = |(row, column)| {
                let (row, column) = first.image(5, row, column);
                second.image(5, row, column)
            };
            cells.map(after).collect()
        };
        let single: Vec<_> =
            Symmetry::ALL.iter().map(|&one| moves(one, Symmetry::ALL[0])).collect();
        assert_eq!(single.iter().collect::<BTreeSet<_>>().len(), 8);
        for first in Symmetry::ALL {
            for second in Symmetry::ALL {
                assert!(single.contains(&moves(first, second)));
            }
        }
        assert!(single.iter().all(|cells| cells.iter().collect::<BTreeSet<_>>().len() == 25));
    }

    #[test]
    fn images_have_one_least_key() {
        let word = |row: u16, column: u16, man: u16| {
            crate::key::man(1, 2, u32::from(7 * row + column), man.into())
        };
        let men = [(0, 1, 0), (2, 5, 1), (6, 3, 0)];
        let keys = Symmetry::ALL.map(|symmetry| {
            let mut keys = ImageKeys::default();
            for (row, column, man) in men {
                let (row, column) = symmetry.image(7, row, column);
                keys.toggle(7, row, column, |row, column| word(row, column, man));
            }
            let exact = men.iter().fold(99, |key, &(row, column, man)| {
                let (row, column) = symmetry.image(7, row, column);
                key ^ word(row, column, man)
            });
            assert_eq!(keys.exact(99), exact);
            (exact, keys.least(99))
        });
        let least = keys.iter().map(|keys| keys.0).min();
        assert!(keys.iter().all(|keys| Some(keys.1) == least));
        assert_eq!(keys.iter().map(|keys| keys.0).collect::<BTreeSet<_>>().len(), 8);
    }

    #[test]
    fn a_stone_that_is_taken_away_leaves_nothing() {
        let mut keys = ImageKeys::default();
        (0..2).for_each(|_| keys.toggle(5, 1, 3, |row, column| (5 * row + column).into()));
        assert_eq!(keys, ImageKeys::default());
    }
}
