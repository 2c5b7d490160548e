//! Gomoku's board for patterns.

use plypack_core::pattern::grid::{Diagram, Grid};

use super::{Gomoku, Position};

impl Grid for Gomoku {
    fn diagram(&self) -> &'static Diagram {
        &Diagram {
            game: "gomoku",
            men: "xo",
            kinds: false,
            sides: ["black", "white"],
            size: None,
            rises: true,
            first_rank: 1,
            without_i: false,
            turns: false,
        }
    }

    fn size(&self, position: &Position) -> (u16, u16) {
        let size = position.variant().size();
        (size, size)
    }

    fn number(&self, _: (u16, u16), point: u16) -> u16 {
        point
    }

    fn symbol(&self, position: &Position, column: u16, rank: u16) -> u8 {
        let place =
            usize::from(rank) * usize::from(position.variant().size()) + usize::from(column);
        position.points().get(place).copied().unwrap_or(0)
    }
}
