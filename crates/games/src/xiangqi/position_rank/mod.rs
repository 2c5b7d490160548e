//! `xiangqi.rank`: positions as numbers, in 17 bytes each.
//!
//! It counts the placements in which all men are in their regions, at most one pawn on each file
//! has not crossed the river, and the kings do not face each other:
//! 7319236989832599193157938594028579365939, and twice as many with the side to move. `SPEC.md`
//! states the numbering.
//!
//! All placements are easy to number, and so are those with facing kings. So a placement without
//! facing kings has its number among all, unless that is too large; then it gets one of the smaller
//! numbers that belong to placements with facing kings.

mod courts;
mod numbering;
mod officers;
mod pawns;
mod placement;
mod places;

use std::sync::LazyLock;

use plypack_core::Error;

use super::Position;
use crate::common::wide::{U192, lower};
use numbering::Numbering;
use officers::Officers;
use pawns::Pawns;

pub use placement::Placement;

/// U192 of bits of a rank.
pub const BITS: u32 = 134;

/// U192 of bytes of a rank.
pub const BYTES: usize = 17;

/// Tables that are computed once.
#[derive(Debug)]
struct Tables {
    pawns: Pawns,
    officers: Officers,
    /// All placements.
    all: Numbering,
    /// Those with facing kings on files d, e and f.
    facing: [Numbering; 3],
    /// U192 of placements without facing kings.
    size: U192,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The first file of a palace.
const FIRST_FILE: u8 = 3;

impl Tables {
    fn new() -> Self {
        let (pawns, officers) = (Pawns::new(), Officers::new());
        let all = Numbering::new(None, &pawns, &officers);
        let on_file = |file| Numbering::new(Some(FIRST_FILE + file), &pawns, &officers);
        let facing = [0, 1, 2].map(on_file);
        let size = facing.iter().fold(all.size(), |size, facing| size.minus(facing.size()));
        Self { pawns, officers, all, facing, size }
    }

    /// Returns the number of a placement whose kings do not face each other.
    fn number(&self, placement: &Placement) -> U192 {
        let mut number = self.all.number(placement, &self.pawns, &self.officers);
        while number >= self.size {
            let instead = self.facing_placement(number.minus(self.size));
            number = self.all.number(&instead, &self.pawns, &self.officers);
        }
        number
    }

    /// Returns the placement with this number, if there is one.
    fn placement(&self, number: U192) -> Option<Placement> {
        if number >= self.size {
            return None;
        }
        let mut placement = self.all.placement(number, &self.pawns, &self.officers);
        while let Some(file) = placement.facing() {
            let number = self.size.plus(self.facing_number(file, &placement));
            placement = self.all.placement(number, &self.pawns, &self.officers);
        }
        Some(placement)
    }

    /// Returns the number of a placement among those with facing kings, file by file.
    fn facing_number(&self, file: u8, placement: &Placement) -> U192 {
        let [before @ .., _] = &self.facing;
        let file = usize::from(file.saturating_sub(FIRST_FILE));
        let start = before.iter().take(file);
        let start = start.fold(U192::default(), |start, facing| start.plus(facing.size()));
        start.plus(self.facing[file].number(placement, &self.pawns, &self.officers))
    }

    /// Returns the placement with facing kings and this number, which must be below their count.
    fn facing_placement(&self, mut number: U192) -> Placement {
        let [before @ .., last] = &self.facing;
        for facing in before {
            if number < facing.size() {
                return facing.placement(number, &self.pawns, &self.officers);
            }
            number = number.minus(facing.size());
        }
        last.placement(number, &self.pawns, &self.officers)
    }
}

/// Returns a number below 2^134 as 134 bits and two zeros.
fn to_bytes(number: U192) -> [u8; BYTES] {
    let (high, low) = number.parts();
    let mut bytes = [0; BYTES];
    bytes[0] = ((high << 2 | lower(low >> 126)) & 0xff) as u8;
    bytes[1..].copy_from_slice(&(low << 2).to_be_bytes());
    bytes
}

/// Reads such a number; `None` if the last two bits are not zeros.
fn from_bytes([first, rest @ ..]: [u8; BYTES]) -> Option<U192> {
    let rest = u128::from_be_bytes(rest);
    let low = u128::from(first & 3) << 126 | rest >> 2;
    (rest & 3 == 0).then_some(U192::new(u64::from(first >> 2), low))
}

impl Placement {
    /// Returns the rank: 134 bits, the most significant first, and two zeros. Ranks with Red to
    /// move come first.
    ///
    /// # Errors
    /// Returns the reason if the kings face each other: such placements have no rank.
    pub fn rank(&self) -> Result<[u8; BYTES], &'static str> {
        if self.facing().is_some() {
            return Err("the kings face each other");
        }
        let black = if self.black_to_move { TABLES.size } else { U192::default() };
        Ok(to_bytes(TABLES.number(self).plus(black)))
    }

    /// Returns the placement with this rank.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if there is none.
    pub fn unrank(bytes: &[u8]) -> Result<Self, Error> {
        let error = |why| Error::Cell { at: 0, why };
        let bytes = bytes.try_into().map_err(|_| error("a rank has 17 bytes"))?;
        let last = Error::Cell { at: BYTES - 1, why: "bits follow the end of the code" };
        let number = from_bytes(bytes).ok_or(last)?;
        let black_to_move = number >= TABLES.size;
        let number = if black_to_move { number.minus(TABLES.size) } else { number };
        let placement = TABLES.placement(number).ok_or(error("the rank is beyond the last one"))?;
        Ok(Self { black_to_move, ..placement })
    }
}

/// Returns the rank of a position, without its counters.
///
/// # Errors
/// Returns [`Error::Board`] if the position has no rank.
pub fn rank(position: &Position) -> Result<[u8; BYTES], Error> {
    let rank = Placement::of(position).and_then(|placement| placement.rank());
    rank.map_err(|why| Error::Board { why })
}

/// Returns the position of a rank, with a halfmove clock of 0 and move number 1.
///
/// # Errors
/// Returns [`Error::Cell`] if there is no such rank, or if its position is not valid.
pub fn unrank(bytes: &[u8]) -> Result<Position, Error> {
    let position = Placement::unrank(bytes)?.position();
    position.map_err(|why| Error::Cell { at: 0, why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Xiangqi;
    use crate::xiangqi::board::Side;
    use plypack_core::Rules;
    use plypack_core::testkit::Random;

    /// Returns a random number below another.
    fn below(random: &mut Random, bound: U192) -> U192 {
        loop {
            let low = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
            let number = U192::new(random.next_u64() & 0x1f, low);
            if number < bound {
                return number;
            }
        }
    }

    fn decimal(number: U192) -> String {
        let (high, mut low) = number.parts();
        let mut high = u128::from(high);
        let mut digits = Vec::new();
        while (high, low) != (0, 0) {
            // Long division by ten, 64 bits at a time.
            let mut rest = high % 10;
            high /= 10;
            let mut quotient = 0;
            for limb in [low >> 64, low & u128::from(u64::MAX)] {
                let dividend = rest << 64 | limb;
                quotient = (quotient << 64) + dividend / 10;
                rest = dividend % 10;
            }
            low = quotient;
            digits.push(char::from(b'0' + u8::try_from(rest).expect("a digit")));
        }
        digits.iter().rev().collect()
    }

    #[test]
    fn as_many_as_were_counted() {
        assert_eq!(decimal(TABLES.all.size()), "7583767311308936928441671793917387439659");
        assert_eq!(decimal(TABLES.size), "7319236989832599193157938594028579365939");
        let both = TABLES.size.plus(TABLES.size);
        assert_eq!(decimal(both), "14638473979665198386315877188057158731878");
        assert!(both < U192::new(1 << 6, 0) && both > U192::new(1 << 5, 0), "134 bits");
    }

    fn check(number: U192) {
        let placement = TABLES.placement(number).expect("a number below the last");
        assert_eq!(placement.facing(), None, "{number:?}");
        assert_eq!(of_board(&placement).as_ref(), Ok(&placement), "{number:?}");
        assert_eq!(TABLES.number(&placement), number, "{placement:?}");
    }

    /// Returns the placement of the board that a placement gives.
    fn of_board(placement: &Placement) -> Result<Placement, &'static str> {
        let (board, side) = (placement.board(), Side::Red);
        Placement::of(&Position { board, side, halfmove_clock: 0, fullmove_number: 1 })
    }

    #[test]
    fn bytes_come_back() {
        for number in [
            U192::default(),
            U192::from(1u64),
            U192::from(3u128 << 126),
            U192::new(1, 0),
            U192::new(0x3f, u128::MAX),
        ] {
            assert_eq!(from_bytes(to_bytes(number)), Some(number));
        }
        assert_eq!(to_bytes(U192::new(1, 1))[..2], [4, 0]);
        assert_eq!(to_bytes(U192::new(1, 1))[16], 4);
        assert_eq!(from_bytes([2; BYTES]), None);
    }

    #[test]
    fn numbers_come_back() {
        let mut random = Random::new(1);
        for _ in 0..100_000 {
            check(below(&mut random, TABLES.size));
        }
        for low in 0..10_000u64 {
            check(U192::from(low));
            check(TABLES.size.minus(U192::from(low + 1)));
        }
        assert_eq!(TABLES.placement(TABLES.size), None);
    }

    #[test]
    fn facing_kings_have_numbers_of_their_own() {
        let mut random = Random::new(2);
        let count = TABLES.all.size().minus(TABLES.size);
        for _ in 0..20_000 {
            let number = below(&mut random, count);
            let placement = TABLES.facing_placement(number);
            let file = placement.facing().expect("facing kings");
            assert_eq!(of_board(&placement).as_ref(), Ok(&placement), "{number:?}");
            assert_eq!(TABLES.facing_number(file, &placement), number, "{placement:?}");
        }
    }

    fn rank_of(fen: &str) -> Result<[u8; BYTES], Error> {
        rank(&Xiangqi.read_position(fen).expect(fen))
    }

    #[test]
    fn what_has_no_rank_is_refused_by_name() {
        for (fen, why) in [
            ("4k4/9/9/9/9/9/R8/R8/R8/3K5 w", "two rooks"),
            ("4k4/P8/P8/P8/P8/P8/P8/9/9/3K5 w", "five pawns"),
            ("4k4/9/9/9/9/9/9/9/A8/3K5 w", "advisor"),
            ("4k4/9/9/9/9/9/9/9/B8/3K5 w", "elephant"),
            ("4k4/9/9/9/9/9/1P7/9/9/3K5 w", "pawn"),
            ("4k4/9/9/9/9/P8/P8/9/9/3K5 w", "share a file"),
        ] {
            let error = rank_of(fen).expect_err(fen).to_string();
            assert!(error.contains(why), "{fen}: {error}");
        }
    }

    #[test]
    fn hostile_codes_are_refused() {
        let code = rank_of("4k4/9/9/9/9/9/9/9/9/3K5 b").expect("a rank");
        assert!(unrank(&code).is_ok());
        assert!(unrank(&code[..16]).is_err());
        assert!(unrank(&[code.as_slice(), &[0]].concat()).is_err());
        assert!(unrank(&[0xff; 17]).is_err());
        let mut odd = code;
        odd[16] |= 1;
        assert!(unrank(&odd).is_err());
        let beyond = TABLES.size.plus(TABLES.size);
        assert!(Placement::unrank(&to_bytes(beyond.minus(U192::from(1u64)))).is_ok());
        assert!(Placement::unrank(&to_bytes(beyond)).is_err());
    }
}
