//! Othello's board for patterns.

use plypack_core::pattern::grid::{Diagram, Grid};

use super::{Othello, Position};

impl Grid for Othello {
    fn diagram(&self) -> &'static Diagram {
        &Diagram {
            game: "othello",
            men: "xo",
            kinds: false,
            sides: ["black", "white"],
            size: Some((8, 8)),
            rises: false,
            first_rank: 1,
            without_i: false,
            turns: false,
        }
    }

    fn size(&self, _: &Position) -> (u16, u16) {
        (8, 8)
    }

    fn number(&self, _: (u16, u16), cell: u8) -> u16 {
        cell.into()
    }

    fn symbol(&self, position: &Position, column: u16, rank: u16) -> u8 {
        let [black, white] = position.discs();
        let has = |discs: u64| u8::from(discs >> (8 * rank + column) & 1 == 1);
        has(black) + 2 * has(white)
    }
}
