//! `board.alternating`: the number of a board among all boards that alternating moves can make; it
//! implies the side to move.
//!
//! Boards are ordered by their number of stones, then by their cells as digits. The number of
//! boards with the same prefix is a trinomial coefficient; the next cell changes it by one
//! multiplication and one division of big integers.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::combination::width;
use crate::bits::natural::Natural;

use crate::board::{Board, PlacingRules, cut, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::{PositionCode, PositionCodec};

/// The codec, for a registry row.
#[derive(Debug)]
pub struct Alternating;

/// The maximum number of cells: time grows with their square.
const CELLS_MAX: u32 = 1_024;

/// The boards that share a prefix: their number, the number of cells left, and how many of those
/// will be empty, the first player's and the second's.
struct Boards {
    count: Natural,
    cells: u32,
    empty: u32,
    men: [u32; 2],
}

impl Boards {
    /// Returns the empty board alone.
    fn empty(cells: u32) -> Self {
        Self { count: Natural::from(1), cells, empty: cells, men: [0, 0] }
    }

    /// Adds a stone of the side to move. Returns `false` if there is no room.
    fn grow(&mut self) -> bool {
        if self.empty == 0 {
            return false;
        }
        let player = usize::from(self.men[0] > self.men[1]);
        self.men[player] += 1;
        self.count.multiply_add(self.empty, 0);
        self.count.divide(self.men[player]);
        self.empty -= 1;
        true
    }

    /// Returns how many of the boards have this symbol on the next cell.
    fn with(&self, symbol: u32) -> Natural {
        let mut count = self.count.clone();
        count.multiply_add(self.left(symbol), 0);
        count.divide(self.cells);
        count
    }

    /// Puts a symbol on the next cell; `count` is the number of boards that have it there.
    fn put(&mut self, symbol: u32, count: Natural) {
        match symbol {
            0 => self.empty = self.empty.saturating_sub(1),
            1 => self.men[0] = self.men[0].saturating_sub(1),
            _ => self.men[1] = self.men[1].saturating_sub(1),
        }
        self.cells = self.cells.saturating_sub(1);
        self.count = count;
    }

    fn left(&self, symbol: u32) -> u32 {
        match symbol {
            0 => self.empty,
            1 => self.men[0],
            2 => self.men[1],
            _ => 0,
        }
    }
}

/// Returns the number of bits that hold the number of any board of `cells` cells.
fn number_width(cells: u32) -> u32 {
    let mut boards = Boards::empty(cells);
    // The empty board is number 0, so the last number is the count of the others.
    let mut last = Natural::default();
    while boards.grow() {
        last.add(&boards.count);
    }
    last.bits()
}

/// Returns the number of bits that hold the number of a variant.
fn variant_width<G: PlacingRules>(game: &G) -> u32 {
    width((0..).take_while(|&variant| game.state(variant, false).is_some()).count() as u64)
}

impl<G: PlacingRules> PositionCodec<G> for Alternating {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "board.alternating",
            id: 51,
            summary: "the number of the board among those that two players make by taking turns; \
                      it implies the side to move",
            source: "plypack",
        }
    }

    fn encode(&self, game: &G, position: &G::Position) -> Result<PositionCode, Error> {
        let (board, state) = game.split(position);
        let cells = board.cells();
        if cells > CELLS_MAX {
            return Err(Error::Board { why: "it has too many cells" });
        }
        let mut men = [0u32; 3];
        for cell in 0..cells {
            let count = men.get_mut(board.symbol(cell) as usize);
            *count.ok_or(Error::Board { why: "it has stones of neither player" })? += 1;
        }
        let [_, first, second] = men;
        if first != second && first != second + 1 {
            return Err(Error::Board { why: "its numbers of stones contradict alternating moves" });
        }
        let states = (0..).map_while(|variant| game.state(variant, first > second));
        let variant = (0..).zip(states).find(|variant| variant.1 == state);
        let (variant, _) =
            variant.ok_or(Error::Board { why: "its stones imply the other side to move" })?;
        let mut number = Natural::default();
        let mut boards = Boards::empty(cells);
        for _ in 0..first + second {
            number.add(&boards.count);
            boards.grow();
        }
        for symbol in (0..cells).map(|cell| board.symbol(cell)) {
            for lower in 0..symbol {
                number.add(&boards.with(lower));
            }
            let count = boards.with(symbol);
            boards.put(symbol, count);
        }
        let mut out = BitWriter::new();
        out.write(variant, variant_width(game));
        let number_width = number_width(cells);
        number.write(&mut out, number_width);
        let bits = out.bits();
        Ok(PositionCode { bytes: out.into_bytes(), bits, board_bits: Some(number_width) })
    }

    fn decode(&self, game: &G, code: &[u8]) -> Result<G::Position, Error> {
        let mut bits = BitReader::new(code);
        let variant = bits.read(variant_width(game)).ok_or_else(|| cut(&bits))?;
        let state = |second| {
            game.state(variant, second)
                .ok_or(Error::Cell { at: 0, why: "the variant does not exist" })
        };
        let mut board = emptied(&game.start_board(&state(false)?));
        let cells = board.cells();
        if cells > CELLS_MAX {
            return Err(Error::Board { why: "it has too many cells" });
        }
        let number = Natural::read(&mut bits, number_width(cells));
        let mut number = number.ok_or_else(|| cut(&bits))?;
        if !bits.is_at_end() {
            return Err(Error::Cell { at: bits.byte(), why: "bits follow the end of the code" });
        }
        let mut boards = Boards::empty(cells);
        while number.subtract(&boards.count) {
            if !boards.grow() {
                return Err(Error::Cell { at: 0, why: "not a number that a board can have" });
            }
        }
        let second = boards.men[0] > boards.men[1];
        for cell in 0..cells {
            let mut symbol = 0;
            let mut count = boards.with(symbol);
            while symbol < 2 && number.subtract(&count) {
                symbol += 1;
                count = boards.with(symbol);
            }
            boards.put(symbol, count);
            board.set(cell, symbol);
        }
        game.join(&board, &state(second)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The widths for tic-tac-toe, with its 6,046 boards, and for gomoku.
    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let mut boards = Boards::empty(9);
        let mut sum = Natural::from(1);
        while boards.grow() {
            sum.add(&boards.count);
        }
        assert_eq!(sum, Natural::from(6_046));
        assert_eq!([1, 9, 225].map(number_width), [1, 13, 353]);
    }
}
