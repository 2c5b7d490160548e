//! Go's board for patterns.

use plypack_core::pattern::grid::{Diagram, Grid};

use super::Go;
use super::rules::{Move, Position};

impl Grid for Go {
    fn diagram(&self) -> &'static Diagram {
        &Diagram {
            game: "go",
            men: "xo",
            kinds: false,
            sides: ["black", "white"],
            size: None,
            rises: true,
            first_rank: 1,
            without_i: true,
            turns: false,
        }
    }

    fn size(&self, position: &Position) -> (u16, u16) {
        (position.columns(), position.rows())
    }

    fn number(&self, (columns, rows): (u16, u16), mv: Move) -> u16 {
        // Points are numbered from the top.
        let rank = |row: u16| rows.saturating_sub(row + 1);
        match mv.point {
            Move::PASS => columns * rows,
            point => rank(point / columns.max(1)) * columns + point % columns.max(1),
        }
    }

    fn symbol(&self, position: &Position, column: u16, rank: u16) -> u8 {
        let row = position.rows().saturating_sub(rank + 1);
        let index = position.padded().index(row, column);
        position.array().get(index).map_or(0, |&stone| stone & 3)
    }
}
