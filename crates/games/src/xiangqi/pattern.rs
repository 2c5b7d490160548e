//! Xiangqi's board for patterns.

use plypack_core::pattern::grid::{Diagram, Grid};

use super::board::{FILES, Side};
use super::{Move, Position, Xiangqi};

/// The number of cells.
const CELLS: u16 = 90;

impl Grid for Xiangqi {
    fn diagram(&self) -> &'static Diagram {
        &Diagram {
            game: "xiangqi",
            men: "KABNRCPkabnrcp",
            kinds: true,
            sides: ["red", "black"],
            size: Some((9, 10)),
            rises: true,
            first_rank: 0,
            without_i: false,
            turns: true,
        }
    }

    fn size(&self, _: &Position) -> (u16, u16) {
        (9, 10)
    }

    fn number(&self, _: (u16, u16), mv: Move) -> u16 {
        u16::from(mv.from) * CELLS + u16::from(mv.to)
    }

    fn symbol(&self, position: &Position, column: u16, rank: u16) -> u8 {
        let square = u8::try_from(rank * u16::from(FILES) + column).unwrap_or(u8::MAX);
        let man = position.board.man_on(square);
        man.map_or(0, |(side, piece)| 1 + piece as u8 + if side == Side::Red { 0 } else { 7 })
    }
}
