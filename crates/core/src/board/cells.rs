//! Small boards, one byte a cell, passed from games to codecs.

use super::Board;

/// A board of at most 65,536 cells, one byte each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    symbols: Vec<u8>,
    alphabets: &'static [u8],
}

impl Cells {
    /// Creates an empty board whose cells have these alphabets. A shorter list repeats: a single
    /// number serves every cell.
    pub fn empty(cells: u16, alphabets: &'static [u8]) -> Self {
        Self { symbols: vec![0; cells.into()], alphabets }
    }
}

impl Board for Cells {
    fn cells(&self) -> u32 {
        u32::try_from(self.symbols.len()).unwrap_or(u32::MAX)
    }

    fn alphabet(&self, cell: u32) -> u32 {
        let place = (cell as usize).checked_rem(self.alphabets.len());
        place.and_then(|place| self.alphabets.get(place)).map_or(1, |&count| count.into())
    }

    fn symbol(&self, cell: u32) -> u32 {
        self.symbols.get(cell as usize).map_or(0, |&symbol| symbol.into())
    }

    fn set(&mut self, cell: u32, symbol: u32) {
        let symbol = u8::try_from(symbol).ok();
        if let (Some(cell), Some(symbol)) = (self.symbols.get_mut(cell as usize), symbol) {
            *cell = symbol;
        }
    }
}
