//! `go.number`: any position on the 19 by 19 board in 73 bytes.
//!
//! 3^361 boards take 572.2 bits, 362 ko states and 2 sides to move 9.5: one number of 581.7 bits,
//! in 584. On other boards two bytes for the size precede the number.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::radix;
use plypack_core::{Board, BoardRules, CodecInfo, Error, PositionCode, PositionCodec};

use crate::go::rules::SIDE_MAX;
use crate::go::{Go, Position, State, USUAL};

/// The codec, for a registry row.
#[derive(Debug)]
pub struct Number;

/// The length of a code of the 19 by 19 board; no other board's code has this length.
const USUAL_BYTES: usize = 73;

/// The radices of the digits of a board with `points` points, the most significant first.
fn radices(points: u16) -> impl DoubleEndedIterator<Item = u32> + Clone {
    let cells = std::iter::repeat_n(3, points.into());
    [2, u32::from(points) + 1].into_iter().chain(cells)
}

/// Returns the number of bytes that the number takes.
fn number_bytes(points: u16) -> u32 {
    radix::width(radices(points)).div_ceil(8)
}

/// Whether the size precedes the number, and whether a zero byte follows it.
fn form([rows, columns]: [u16; 2]) -> (bool, bool) {
    let sized = [rows, columns] != [USUAL, USUAL];
    (sized, sized && number_bytes(rows * columns) as usize + 2 == USUAL_BYTES)
}

impl PositionCodec<Go> for Number {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "go.number",
            id: 55,
            summary: "the side to move, the point of the ko and the points as one number; 73 bytes \
                      for 19 rows",
            source: "plypack; Ternary (base 3)",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["the numbers of captured stones"]
    }

    fn encode(&self, game: &Go, position: &Position) -> Result<PositionCode, Error> {
        let (board, state) = game.split(position);
        let (sized, padded) = form([state.rows, state.columns]);
        let points = state.rows * state.columns;
        let mut out = BitWriter::new();
        if sized {
            out.write(state.rows.into(), 8);
            out.write(state.columns.into(), 8);
        }
        let head = [u32::from(state.white_to_move), state.ko.map_or(0, |ko| u32::from(ko) + 1)];
        let digits = head.into_iter().chain((0..points.into()).map(|point| board.symbol(point)));
        out.write(0, number_bytes(points) * 8 - radix::width(radices(points)));
        radix::write(&mut out, digits.zip(radices(points)));
        if padded {
            out.write(0, 8);
        }
        Ok(PositionCode { bits: out.bits(), board_bits: None, bytes: out.into_bytes() })
    }

    fn decode(&self, game: &Go, code: &[u8]) -> Result<Position, Error> {
        let bad = |why| Error::Cell { at: 0, why };
        let mut bits = BitReader::new(code);
        let mut size = [USUAL, USUAL];
        if code.len() != USUAL_BYTES {
            for side in &mut size {
                let read = bits.read(8).and_then(|side| u16::try_from(side).ok());
                let read = read.filter(|side| (1..=SIDE_MAX).contains(side));
                *side = read.ok_or(bad("it does not begin with the size of a board"))?;
            }
            if !form(size).0 {
                return Err(bad("it does not have 73 bytes"));
            }
        }
        let [rows, columns] = size;
        let points = rows * columns;
        let padding = bits.read(number_bytes(points) * 8 - radix::width(radices(points)));
        let digits = radix::read(&mut bits, radices(points)).filter(|_| padding == Some(0));
        let digits: Vec<u32> = digits.ok_or(bad("it is not the number of a position"))?;
        if form(size).1 && bits.read(8) != Some(0) || bits.left() > 0 {
            return Err(Error::Cell { at: bits.byte(), why: "bytes follow the position's number" });
        }
        let [white, ko, cells @ ..] = &digits[..] else { return Err(bad("it is cut off")) };
        let state = State {
            rows,
            columns,
            white_to_move: *white > 0,
            ko: ko.checked_sub(1).and_then(|point| u16::try_from(point).ok()),
            captures: [0; 2],
        };
        let mut board = game.start_board(&state);
        for (point, &symbol) in (0..).zip(cells) {
            board.set(point, symbol);
        }
        game.join(&board, &state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_board_takes_73_bytes_and_no_other_does() {
        assert_eq!((radix::width(radices(361)), number_bytes(361)), (582, 73));
        for rows in 1..=SIDE_MAX {
            for columns in 1..=SIDE_MAX {
                let (sized, padded) = form([rows, columns]);
                let bytes = number_bytes(rows * columns) as usize;
                let bytes = bytes + if sized { 2 } else { 0 } + usize::from(padded);
                assert_eq!(bytes == USUAL_BYTES, !sized, "{rows} by {columns}");
            }
        }
        for text in ["52 x 0 0", "1 o 0 0", "1kx/ooo/3 x 0 0", &["19"; 19].join("/")] {
            let text = if text.contains(' ') { text.to_owned() } else { format!("{text} o 0 0") };
            let position = Position::read(&text).expect("a position");
            let code = Number.encode(&Go, &position).expect("any position");
            assert_eq!(Number.decode(&Go, &code.bytes), Ok(position));
        }
    }
}
