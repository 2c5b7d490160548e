//! `xiangqi.rank`: positions as numbers, in 17 bytes each.
//!
//! All placements are counted in which the men keep to their regions, at most one pawn of a file
//! has not crossed the river, and the kings do not face each other: 7319236989832599193157938594028
//! 579365939, twice as many with the side to move. `SPEC.md` states the numbering.
//!
//! To leave out the placements with facing kings, those are numbered by themselves. Let there be
//! `n` others. Where the number of another is `n` or more, it gets that of a placement with facing
//! kings instead.

mod courts;
mod number;
mod numbering;
mod officers;
mod pawns;
mod placement;
mod places;

use std::sync::LazyLock;

use plypack_bits::bitstring::{BitReader, BitWriter};
use plypack_core::{CodecInfo, Error, PositionCode, PositionCodec};

use super::board::Side;
use super::{Position, Xiangqi};
use number::{Number, low_half};
use numbering::Numbering;
use officers::Officers;
use pawns::Pawns;
use placement::Placement;

/// How many bits a rank has.
const BITS: u32 = 134;

/// Everything that is worked out once.
#[derive(Debug)]
struct Tables {
    pawns: Pawns,
    officers: Officers,
    /// All placements.
    all: Numbering,
    /// Those with facing kings on files d, e and f.
    facing: [Numbering; 3],
    /// How many placements have no facing kings.
    size: Number,
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

    /// The number of a placement whose kings do not face each other.
    fn number(&self, placement: &Placement) -> Number {
        let mut number = self.all.number(placement, &self.pawns, &self.officers);
        while number >= self.size {
            let instead = self.facing_placement(number.minus(self.size));
            number = self.all.number(&instead, &self.pawns, &self.officers);
        }
        number
    }

    /// The placement that has this number, if there is one.
    fn placement(&self, number: Number) -> Option<Placement> {
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

    /// The number of a placement among those with facing kings, file by file.
    fn facing_number(&self, file: u8, placement: &Placement) -> Number {
        let [before @ .., _] = &self.facing;
        let file = usize::from(file.saturating_sub(FIRST_FILE));
        let start = before.iter().take(file);
        let start = start.fold(Number::default(), |start, facing| start.plus(facing.size()));
        start.plus(self.facing[file].number(placement, &self.pawns, &self.officers))
    }

    /// The placement with facing kings that has this number, which must be below their count.
    fn facing_placement(&self, mut number: Number) -> Placement {
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

/// The codec. Ranks of positions with Red to move come before the others.
#[derive(Debug)]
pub struct Rank;

impl PositionCodec<Xiangqi> for Rank {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "xiangqi.rank",
            id: 63,
            summary: "the rank of the position among all that keep to the regions of men",
            source: "ours",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["the halfmove clock", "the move number"]
    }

    fn encode(&self, _: &Xiangqi, position: &Position) -> Result<PositionCode, Error> {
        let placement = Placement::of(&position.board).map_err(|why| Error::Board { why })?;
        let number = TABLES.number(&placement);
        let black = if position.side == Side::Black { TABLES.size } else { Number::default() };
        let (high, low) = number.plus(black).parts();
        let mut out = BitWriter::new();
        out.write(high, BITS - 128);
        out.write(low_half(low >> 64), 64);
        out.write(low_half(low), 64);
        Ok(PositionCode { bits: out.bits(), board_bits: None, bytes: out.into_bytes() })
    }

    fn decode(&self, _: &Xiangqi, code: &[u8]) -> Result<Position, Error> {
        let error = |why| Error::Cell { at: 0, why };
        let mut bits = BitReader::new(code);
        let rank = read(&mut bits).ok_or(error("a rank has 134 bits"))?;
        if !bits.is_at_end() {
            return Err(Error::Cell { at: bits.byte(), why: "bits follow the end of the code" });
        }
        let (side, number) = if rank < TABLES.size {
            (Side::Red, rank)
        } else {
            (Side::Black, rank.minus(TABLES.size))
        };
        let placement = TABLES.placement(number).ok_or(error("the rank is beyond the last one"))?;
        Position::new(placement.board(), side, 0, 1).map_err(error)
    }
}

fn read(bits: &mut BitReader<'_>) -> Option<Number> {
    let high = bits.read(BITS - 128)?;
    let low = u128::from(bits.read(64)?) << 64 | u128::from(bits.read(64)?);
    Some(Number::new(high, low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::Game;
    use plypack_core::testkit::Random;

    /// A number below another, each of them likely enough.
    fn below(random: &mut Random, bound: Number) -> Number {
        loop {
            let low = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
            let number = Number::new(random.next_u64() & 0x1f, low);
            if number < bound {
                return number;
            }
        }
    }

    fn decimal(number: Number) -> String {
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
        assert!(both < Number::new(1 << 6, 0) && both > Number::new(1 << 5, 0), "134 bits");
    }

    fn check(number: Number) {
        let placement = TABLES.placement(number).expect("a number below the last");
        assert_eq!(placement.facing(), None, "{number:?}");
        assert_eq!(Placement::of(&placement.board()).as_ref(), Ok(&placement), "{number:?}");
        assert_eq!(TABLES.number(&placement), number, "{placement:?}");
    }

    #[test]
    fn numbers_come_back() {
        let mut random = Random::new(1);
        for _ in 0..100_000 {
            check(below(&mut random, TABLES.size));
        }
        for low in 0..10_000 {
            check(Number::from(low));
            check(TABLES.size.minus(Number::from(low + 1)));
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
            assert_eq!(Placement::of(&placement.board()).as_ref(), Ok(&placement), "{number:?}");
            assert_eq!(TABLES.facing_number(file, &placement), number, "{placement:?}");
        }
    }

    fn rank(fen: &str) -> Result<PositionCode, Error> {
        Rank.encode(&Xiangqi, &Xiangqi.read_position(fen).expect(fen))
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
            let error = rank(fen).expect_err(fen).to_string();
            assert!(error.contains(why), "{fen}: {error}");
        }
    }

    #[test]
    fn hostile_codes_are_refused() {
        let code = rank("4k4/9/9/9/9/9/9/9/9/3K5 b").expect("a rank").bytes;
        assert_eq!(code.len(), 17);
        assert!(Rank.decode(&Xiangqi, &code).is_ok());
        assert!(Rank.decode(&Xiangqi, &code[..16]).is_err());
        assert!(Rank.decode(&Xiangqi, &[code.as_slice(), &[0]].concat()).is_err());
        assert!(Rank.decode(&Xiangqi, &[0xff; 17]).is_err());
        let mut odd = code;
        odd[16] |= 1;
        assert!(Rank.decode(&Xiangqi, &odd).is_err());
    }

    /// Prints how long the tables take, and for how many placements a second there are numbers,
    /// and placements for numbers: in the best of many short turns, as other programs take theirs.
    #[test]
    #[ignore = "a measurement"]
    fn speed() {
        use std::time::{Duration, Instant};
        let begin = Instant::now();
        let tables = Tables::new();
        println!("tables: {:?}", begin.elapsed());
        let mut random = Random::new(3);
        let (mut ranking, mut unranking) = (Duration::MAX, Duration::MAX);
        for _ in 0..500 {
            let numbers: Vec<Number> =
                (0..4_000).map(|_| below(&mut random, tables.size)).collect();
            let begin = Instant::now();
            let placements: Vec<_> =
                numbers.iter().filter_map(|&number| tables.placement(number)).collect();
            unranking = unranking.min(begin.elapsed());
            let begin = Instant::now();
            let back: Vec<_> = placements.iter().map(|place| tables.number(place)).collect();
            ranking = ranking.min(begin.elapsed());
            assert_eq!(back, numbers);
        }
        println!("ranking: {:.2} million a second", 4_000.0 / ranking.as_secs_f64() / 1e6);
        println!("unranking: {:.2} million a second", 4_000.0 / unranking.as_secs_f64() / 1e6);
    }
}
