//! Tic-tac-toe's board for patterns.

use plypack_core::pattern::grid::{Diagram, Grid};

use super::{PADDED, Position, SIZE, TicTacToe};

impl Grid for TicTacToe {
    fn diagram(&self) -> &'static Diagram {
        &Diagram {
            game: "tictactoe",
            men: "xo",
            kinds: false,
            sides: ["x", "o"],
            size: Some((SIZE, SIZE)),
            rises: true,
            first_rank: 1,
            without_i: false,
            turns: false,
        }
    }

    fn size(&self, _: &Position) -> (u16, u16) {
        (SIZE, SIZE)
    }

    fn number(&self, _: (u16, u16), cell: u8) -> u16 {
        cell.into()
    }

    fn symbol(&self, position: &Position, column: u16, rank: u16) -> u8 {
        position.cells.get(PADDED.index(rank, column)).map_or(0, |&cell| cell as u8)
    }
}
