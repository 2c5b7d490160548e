//! The images of a pattern: with colours swapped, mirrored, turned.

use super::{Diagram, Query};

/// A transformation of a pattern: the requirement of a cell applies to its image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Whether the first player's men become the second's.
    pub swapped: bool,
    /// Whether rows and columns are swapped, before either is reversed.
    pub transposed: bool,
    /// Whether columns are reversed.
    pub columns: bool,
    /// Whether rows are reversed.
    pub rows: bool,
}

impl Image {
    /// Returns the images that a query asks for, beginning with the pattern itself. Where the
    /// players sit opposite each other, swapping colours also reverses the rows.
    ///
    /// # Errors
    /// Returns a message if the game has no such symmetry.
    pub(super) fn of(query: &Query, diagram: &Diagram) -> Result<Vec<Self>, String> {
        if query.symmetric && diagram.turns {
            return Err(format!(
                "the board of {} has an up and a down, so `symmetric` does not apply; `mirrored` \
                 swaps left and right, `either-colour` the players",
                diagram.game
            ));
        }
        let both = |wanted: bool| if wanted { &[false, true][..] } else { &[false][..] };
        let mut images = Vec::new();
        for &swapped in both(query.either_colour) {
            for &transposed in both(query.symmetric) {
                for &rows in both(query.symmetric) {
                    for &columns in both(query.symmetric || query.mirrored) {
                        let rows = rows != (swapped && diagram.turns);
                        images.push(Self { swapped, transposed, columns, rows });
                    }
                }
            }
        }
        Ok(images)
    }

    /// Returns the image of a cell on a board of this size. Returns `None` if it is not on such a
    /// board, or if the board is not square and would have to be transposed.
    pub fn cell(self, column: u16, row: u16, size: (u16, u16)) -> Option<(u16, u16)> {
        let (columns, rows) = size;
        if self.transposed && columns != rows || column >= columns || row >= rows {
            return None;
        }
        let (column, row) = if self.transposed { (row, column) } else { (column, row) };
        let column = if self.columns { columns - 1 - column } else { column };
        let row = if self.rows { rows - 1 - row } else { row };
        Some((column, row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_those_that_are_asked_for() {
        let of = |query: &Query, turns| {
            let diagram = Diagram {
                game: "",
                men: "",
                kinds: false,
                sides: ["", ""],
                size: None,
                rises: true,
                first_rank: 1,
                without_i: false,
                turns,
            };
            Image::of(query, &diagram)
        };
        let plain = Query::default();
        assert_eq!(of(&plain, true), Ok(vec![Image::default()]));
        let swapped = Query { either_colour: true, ..Query::default() };
        let other = Image { swapped: true, ..Image::default() };
        assert_eq!(of(&swapped, false), Ok(vec![Image::default(), other]));
        assert_eq!(of(&swapped, true).expect("images")[1], Image { rows: true, ..other });
        let all = Query { symmetric: true, either_colour: true, ..Query::default() };
        let images = of(&all, false).expect("images");
        assert!(of(&all, true).is_err());
        let differs = |at: usize| !images[..at].contains(&images[at]);
        assert!(images.len() == 16 && (0..16).all(differs));
    }

    #[test]
    fn a_cell_has_its_image() {
        let turned = Image { transposed: true, rows: true, ..Image::default() };
        assert_eq!(turned.cell(1, 2, (5, 5)), Some((2, 3)));
        assert_eq!(turned.cell(1, 2, (5, 6)), None);
        assert_eq!(Image::default().cell(5, 0, (5, 5)), None);
        let mirrored = Image { columns: true, ..Image::default() };
        assert_eq!(mirrored.cell(1, 2, (9, 10)), Some((7, 2)));
    }
}
