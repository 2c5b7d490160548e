//! `xiangqi.candidates`: for each man the index of its square in a list of possible squares.
//!
//! After HullQin, "How many bits does it take to store a xiangqi board", whose links hold this
//! code: a bit for Red to move, then the men in the order of their numbers, each in a truncated
//! binary code, padded with ones to a whole byte.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::truncated::{self, Form};
use plypack_core::{CodecInfo, Error, PositionCode, PositionCodec};

use crate::xiangqi::board::Piece;
use crate::xiangqi::men::{ALL, Men, TAKEN, kind_of};
use crate::xiangqi::{Position, Xiangqi};

/// The codec.
///
/// Men of one kind may be numbered in any order, so a position has several codes; the one written
/// numbers them as [`Men::of`] does.
#[derive(Debug)]
pub struct Candidates;

/// The possible squares of a man, the likeliest first.
struct List {
    squares: [u8; 91],
    count: u8,
}

/// The lists of Red's men. Black's are the same on the board rotated by 180 degrees.
static LISTS: [List; 16] = [
    short(&[85, 86, 84, 76, 77, 75, 67, 68, 66, TAKEN]),
    short(&[TAKEN, 86, 84, 76, 68, 66]),
    short(&[TAKEN, 84, 86, 76, 66, 68]),
    short(&[TAKEN, 87, 67, 71, 51, 83, 47, 63]),
    short(&[TAKEN, 83, 67, 63, 47, 87, 51, 71]),
    down_from(&[TAKEN], 89),
    down_from(&[TAKEN], 89),
    down_from(&[TAKEN], 89),
    down_from(&[TAKEN], 89),
    down_from(&[TAKEN], 89),
    down_from(&[TAKEN], 89),
    down_from(&[TAKEN, 62, 53], 44),
    down_from(&[TAKEN, 60, 51], 44),
    down_from(&[TAKEN, 58, 49], 44),
    down_from(&[TAKEN, 56, 47], 44),
    down_from(&[TAKEN, 54, 45], 44),
];

const fn short(squares: &[u8]) -> List {
    let mut list = List { squares: [TAKEN; 91], count: 0 };
    while (list.count as usize) < squares.len() {
        list.squares[list.count as usize] = squares[list.count as usize];
        list.count += 1;
    }
    list
}

/// Returns some squares, then all from `square` down to 0.
const fn down_from(first: &[u8], mut square: u8) -> List {
    let mut list = short(first);
    loop {
        list.squares[list.count as usize] = square;
        list.count += 1;
        if square == 0 {
            return list;
        }
        square -= 1;
    }
}

/// Returns a square from the point of view of the man's own player, as in the lists.
fn own_view(man: usize, square: u8) -> u8 {
    if man < 16 || square >= ALL { square } else { ALL - 1 - square }
}

impl Men {
    /// Returns the code, with the last byte padded with ones.
    ///
    /// # Errors
    /// Returns [`Error::Board`] if a man is on a square that is not in its list, or two are on one
    /// square.
    pub fn to_code(&self) -> Result<PositionCode, Error> {
        if self.share_a_square() {
            return Err(Error::Board { why: "two men are on one square" });
        }
        let mut out = BitWriter::new();
        out.write_bit(self.red_to_move);
        for (man, &square) in self.squares.iter().enumerate() {
            let list = &LISTS[man % 16];
            let seen = own_view(man, square);
            let index = (0..list.count).find(|&index| list.squares[usize::from(index)] == seen);
            let index = index.ok_or(Error::Board { why: no_place(man) })?;
            truncated::write(&mut out, index.into(), list.count.into(), Form::Suffixed);
        }
        let bits = out.bits();
        Ok(PositionCode { bits, board_bits: None, bytes: out.into_bytes_filled_with_ones() })
    }

    /// Reads a code.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if the bytes are not a code.
    pub fn from_code(code: &[u8]) -> Result<Self, Error> {
        let mut bits = BitReader::new(code);
        let men = Self::read(&mut bits);
        let at = bits.byte();
        let men = men.ok_or(Error::Cell { at, why: "the code ends too early" })?;
        if !bits.is_at_end_of_ones() {
            return Err(Error::Cell {
                at,
                why: "something other than padding with ones follows the code",
            });
        }
        if men.share_a_square() {
            return Err(Error::Cell { at: 0, why: "two men are on one square" });
        }
        Ok(men)
    }

    fn read(bits: &mut BitReader<'_>) -> Option<Self> {
        let mut men = Self { red_to_move: bits.read_bit()?, squares: [TAKEN; 32] };
        for (man, square) in men.squares.iter_mut().enumerate() {
            let list = &LISTS[man % 16];
            let index = truncated::read(bits, list.count.into(), Form::Suffixed)?;
            *square = own_view(man, *list.squares.get(index as usize)?);
        }
        Some(men)
    }

    fn share_a_square(&self) -> bool {
        let mut seen = 0u128;
        self.squares.iter().filter(|&&square| square < ALL).any(|&square| {
            let before = seen;
            seen |= 1 << square;
            seen == before
        })
    }
}

fn no_place(man: usize) -> &'static str {
    match kind_of(man) {
        Piece::King => "a king is outside its palace",
        Piece::Advisor => "an advisor is where it cannot go",
        Piece::Elephant => "an elephant is where it cannot go",
        Piece::Pawn => "a pawn that has not crossed the river is where its file's pawn cannot be",
        Piece::Horse | Piece::Rook | Piece::Cannon => "a man's square is off the board",
    }
}

impl PositionCodec<Xiangqi> for Candidates {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "xiangqi.candidates",
            id: 60,
            summary: "each man's square as an index into its list, in truncated binary",
            source: "HullQin (prefix code over candidate lists)",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["halfmove clock", "move number"]
    }

    fn encode(&self, _: &Xiangqi, position: &Position) -> Result<PositionCode, Error> {
        Men::of(position)?.to_code()
    }

    fn decode(&self, _: &Xiangqi, code: &[u8]) -> Result<Position, Error> {
        Men::from_code(code)?.position().map_err(|why| Error::Cell { at: 0, why })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64ct::{Base64UrlUnpadded, Encoding};
    use plypack_core::Rules;

    fn encode(fen: &str) -> Result<String, Error> {
        let position = Xiangqi.read_position(fen).expect(fen);
        Candidates
            .encode(&Xiangqi, &position)
            .map(|code| Base64UrlUnpadded::encode_string(&code.bytes))
    }

    fn decode(text: &str) -> Result<Men, Error> {
        Men::from_code(&Base64UrlUnpadded::decode_vec(text).expect(text))
    }

    #[test]
    fn lists_have_every_square_once() {
        for (man, list) in LISTS.iter().enumerate() {
            let squares = &list.squares[..usize::from(list.count)];
            let mut sorted = squares.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), squares.len(), "{man}");
        }
        let counts = LISTS.each_ref().map(|list| list.count);
        assert_eq!(counts, [10, 6, 6, 8, 8, 91, 91, 91, 91, 91, 91, 48, 48, 48, 48, 48]);
    }

    #[test]
    fn kings_may_be_missing_from_the_code() {
        let men = Men { red_to_move: false, squares: [TAKEN; 32] };
        let code = men.to_code().expect("every list has a place for the taken");
        assert_eq!((code.bits, Base64UrlUnpadded::encode_string(&code.bytes)), {
            (151, "eAAAAAAAAAAADwAAAAAAAAAAAQ".into())
        });
        assert_eq!(Men::from_code(&code.bytes), Ok(men));
    }

    #[test]
    fn what_the_lists_cannot_hold_is_refused_by_name() {
        for (fen, why) in [
            ("4k4/9/9/9/9/9/3P5/9/9/3K5 w", "pawn"),
            ("4k4/9/9/9/9/9/9/P8/9/3K5 w", "pawn"),
            ("4k4/9/9/9/9/P8/P8/9/9/3K5 w", "pawn"),
            ("4k4/9/9/9/9/9/8p/9/9/3K5 w", ""),
            ("4k4/9/9/8p/8p/9/9/9/9/3K5 w", "pawn"),
            ("4k4/9/9/9/9/9/R8/R8/R8/3K5 w", "two rooks"),
            ("4k4/9/9/9/9/9/n8/n8/n8/3K5 w", "two horses"),
            ("4k4/P8/P8/P8/P8/P8/P8/9/9/3K5 w", "five pawns"),
            ("4k4/9/9/9/9/9/9/9/A8/3K5 w", "advisor"),
            ("4k4/9/9/9/9/9/9/9/B8/3K5 w", "elephant"),
        ] {
            match encode(fen) {
                Ok(_) => assert_eq!(why, "", "{fen}"),
                Err(error) => {
                    assert!(!why.is_empty() && error.to_string().contains(why), "{fen}: {error}");
                }
            }
        }
    }

    #[test]
    fn pawns_take_the_numbers_of_the_nearest_files() {
        let men = |fen: &str| {
            let men = Men::of(&Xiangqi.read_position(fen).expect(fen)).expect(fen);
            <[u8; 5]>::try_from(&men.squares[11..16]).expect("five pawns")
        };
        // Numbers 11 to 15 begin on files i, g, e, c, a. The pawn on b7 is between two files; the
        // one on a4 has not crossed, so it is the a-pawn and the other the c-pawn.
        let fen = "4k4/9/1P7/9/9/P8/9/9/9/3K5 w";
        assert_eq!(men(fen), [TAKEN, TAKEN, TAKEN, 19, 45]);
        // Of two that are equally near, the lower square chooses first, and takes the lower number.
        let fen = "4k4/5P3/5P3/9/9/9/9/9/9/3K5 w";
        assert_eq!(men(fen), [TAKEN, 14, 23, TAKEN, TAKEN]);
        let fen = "4k4/9/P1P1P1P2/P8/9/9/9/9/9/3K5 w";
        assert_eq!(men(fen), [27, 24, 22, 20, 18]);
    }

    #[test]
    fn hostile_codes_are_refused() {
        let start = "hSQiASVGghCEIUkIgElRoIQhDw";
        let mut code = Base64UrlUnpadded::decode_vec(start).expect("a text");
        assert!(Men::from_code(&code).is_ok());
        // 149 bits, so three ones pad the last byte.
        *code.last_mut().expect("bytes") &= !1;
        assert!(matches!(Men::from_code(&code), Err(Error::Cell { at: 18, .. })));
        *code.last_mut().expect("bytes") |= 1;
        code.push(0xff);
        assert!(Men::from_code(&code).is_err());
        code.truncate(18);
        assert!(Men::from_code(&code).is_err());
        // A red rook on the square of its king.
        let mut men = decode(start).expect("a code");
        men.squares[7] = men.squares[0];
        assert!(men.to_code().is_err());
        let mut out = BitWriter::new();
        out.write_bit(true);
        for man in 0..32 {
            // Kings have 85 and 4 first in their lists; 85 is fifth in the list of horses.
            let index = u32::from(man == 5) * 5;
            let count = LISTS[man % 16].count;
            truncated::write(&mut out, index, count.into(), Form::Suffixed);
        }
        let error = Men::from_code(&out.into_bytes_filled_with_ones()).expect_err("two on one");
        assert!(error.to_string().contains("one square"), "{error}");
    }
}
