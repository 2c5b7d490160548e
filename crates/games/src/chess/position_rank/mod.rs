//! `chess.rank`: positions of standard chess as numbers, in 20 bytes each.
//!
//! After J. Tromp's ChessPositionRanking, which counts the diagrams that no simple argument about
//! pawns and captures excludes: 8726713169886222032347729969256422370854716254 with side to move,
//! castling rights and en passant. His en passant field names a pawn that can capture; ranks beyond
//! his are for positions whose field does not. The halfmove clock, 0 to 100, fits beside the rank.
//! `SPEC.md` states the numbering.
//!
//! A position with several choices of witnesses for its opposed pawns has several numbers in
//! Tromp's count. Here the first is its rank, and decoding refuses the others.

mod castling;
mod classes;
mod en_passant;
mod men;
mod pawns;
mod placement;
mod subsets;
mod words;

use std::sync::LazyLock;

use plypack_core::Error;

use super::Position;
use crate::common::wide::U192;
use classes::{Class, Classes};
use en_passant::CASES;
use men::Men;
use pawns::{Pawns, Witnesses};
use subsets::{Squares, open, union};
use words::Words;

pub use placement::{BISHOP, KING, KNIGHT, PAWN, Placement, QUEEN, ROOK, Unranked};

/// The size of a rank in bytes.
pub const BYTES: usize = 20;

/// The number of values of the halfmove clock.
const CLOCKS: u64 = 101;

/// Returns the rank of a position, with its halfmove clock, without its move number.
///
/// # Errors
/// Returns [`Error::Position`] if the position has no rank; [`Unranked`] lists the reasons.
pub fn rank(position: &Position) -> Result<[u8; BYTES], Error> {
    Placement::of(position).and_then(|placement| placement.rank()).map_err(|why| {
        let mut fen = String::new();
        position.write_fen(&mut fen);
        Error::position("chess", &fen, why.to_string())
    })
}

/// Returns the position of a rank, with move number 1.
///
/// # Errors
/// Returns [`Error::Cell`] if there is no such rank, or if its position is not valid.
pub fn unrank(bytes: &[u8]) -> Result<Position, Error> {
    let placement = Placement::unrank(bytes)?;
    let why = "the position of this rank is not valid in chess";
    placement.position().ok_or(Error::Cell { at: 0, why })
}

impl Placement {
    /// Returns the rank, in big-endian order.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn rank(&self) -> Result<[u8; BYTES], Unranked> {
        self.check()?;
        let number =
            if self.black_to_move { TABLES.rank(&self.turned()) } else { TABLES.rank(self) }?;
        let with_side = number.times(2).plus(U192::from(u64::from(self.black_to_move)));
        let with_clock = with_side.times(CLOCKS).plus(U192::from(u64::from(self.clock)));
        Ok(with_clock.to_bytes())
    }

    /// Returns the placement with this rank.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if there is none.
    pub fn unrank(bytes: &[u8]) -> Result<Self, Error> {
        let error = |why| Error::Cell { at: 0, why };
        let bytes = bytes.try_into().map_err(|_| error("a rank has 20 bytes"))?;
        let (with_side, clock) = U192::from_bytes(bytes).divide(CLOCKS);
        let (number, side) = with_side.divide(2);
        let upward = TABLES.unrank(number).map_err(error)?;
        let placement = Self { clock: u8::try_from(clock).unwrap_or(u8::MAX), ..upward };
        Ok(if side == 1 { placement.turned() } else { placement })
    }
}

/// The tables that are computed once.
#[derive(Debug)]
struct Tables {
    words: Words,
    pawns: Pawns,
    classes: Classes,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let (words, pawns) = (Words::new(), Pawns::new());
    let classes = Classes::new(&pawns, &words);
    Tables { words, pawns, classes }
});

impl Tables {
    /// Returns the number of a placement with White to move.
    fn rank(&self, placement: &Placement) -> Result<U192, Unranked> {
        let men = Men::of(placement)?;
        let class = men.class().ok_or(Unranked::Captures)?;
        if let Some(file) = placement.en_passant {
            let occupied = union(placement.men.as_flattened());
            if !self.pawns.stepped(file, men.pawns[1], occupied) {
                return Err(Unranked::EnPassant);
            }
        }
        let witnesses = self.pawns.witnesses(men.pawns, placement.en_passant, class.opposed);
        let witnesses = witnesses.ok_or(Unranked::Opposed)?;
        let class = Class { en_passant: witnesses.case.kind, ..class };
        self.number(placement, &men, &witnesses, &class).ok_or(Unranked::Opposed)
    }

    /// Returns the number of a placement, given its class and witnesses; `None` is not expected.
    fn number(
        &self,
        placement: &Placement,
        men: &Men,
        witnesses: &Witnesses<'_>,
        class: &Class,
    ) -> Option<U192> {
        let case = witnesses.case;
        let mut frame = self.pawns.rank(men.pawns, witnesses, class.opposed)?;
        frame = frame * CASES[case.kind] + case.number;
        for (rooks, rights) in class.rooks.into_iter().zip(placement.castling) {
            frame = frame * castling::cases(rooks) + castling::case(rights);
        }
        let naming = self.rank_naming(men, class)?;
        let holes = union(&men.pawns) | case.fixed.empty | men.pinned;
        let squares = subsets::rank(union(men.free.as_flattened()), !holes);
        let number = U192::from(naming)
            .times(class.frames(&self.pawns))
            .plus(U192::from(frame))
            .times(class.squares())
            .plus(U192::from(squares));
        Some(self.classes.start(class)?.plus(number))
    }

    /// Returns the number of the owners and kinds of the free pieces.
    fn rank_naming(&self, men: &Men, class: &Class) -> Option<u128> {
        let [ours, theirs] = &men.free;
        let start = self.classes.split_start(&self.words, class, &men.sets);
        let colors = subsets::rank(union(ours), union(ours) | union(theirs));
        let our_word = self.words.rank(men.sets[0], men.armies[0], ours)?;
        let their_word = self.words.rank(men.sets[1], men.armies[1], theirs)?;
        let [our_words, their_words] = men.sets.map(|set| self.words.size(set));
        let both = u128::from(colors * our_words + our_word) * u128::from(their_words);
        Some(start + both + u128::from(their_word))
    }

    /// Returns the placement with this number, with White to move.
    fn unrank(&self, number: U192) -> Result<Placement, &'static str> {
        const BEYOND: &str = "the rank is beyond the last one";
        if !number.is_below(self.classes.size()) {
            return Err(BEYOND);
        }
        let (class, start) = self.classes.find(number).ok_or(BEYOND)?;
        let (rest, squares) = number.minus(start).divide(class.squares());
        let (naming, mut frame) = rest.divide(class.frames(&self.pawns));
        let mut castling = [[false; 2]; 2];
        for (rights, rooks) in castling.iter_mut().zip(class.rooks).rev() {
            *rights = castling::from_case(rooks, frame % castling::cases(rooks));
            frame /= castling::cases(rooks);
        }
        let cases = CASES[class.en_passant];
        let case = self.pawns.case(class.en_passant, frame % cases).ok_or(BEYOND)?;
        let (pawns, witnesses) =
            self.pawns.unrank(case, class.pawns, class.opposed, frame / cases).ok_or(BEYOND)?;
        if self.pawns.witnesses(pawns, case.file, class.opposed) != Some(witnesses) {
            return Err("the rank does not name the first witnesses of its position");
        }
        let pinned = [castling::pinned_men(castling[0], 0), castling::pinned_men(castling[1], 1)];
        let holes = union(&pawns) | case.fixed.empty | union(pinned.as_flattened());
        let pieces = open(subsets::unrank(squares, class.pieces, class.space()), holes);
        let mut men = self.unrank_naming(&class, pieces, naming.low_half()).ok_or(BEYOND)?;
        for side in [0, 1] {
            let [king, rooks] = pinned[side];
            men[side][KING] |= king;
            men[side][ROOK] |= rooks;
            men[side][PAWN] = pawns[side];
        }
        Ok(Placement { men, castling, en_passant: case.file, ..Placement::default() })
    }

    /// Returns the bitboards of both sides, given the squares of the free pieces and their naming.
    fn unrank_naming(&self, class: &Class, pieces: u64, naming: u128) -> Option<[[u64; 6]; 2]> {
        let (sets, number) = self.classes.find_split(&self.words, class, naming)?;
        let (rest, their_word) = U192::from(number).divide(self.words.size(sets[1]));
        let (colors, our_word) = rest.divide(self.words.size(sets[0]));
        let colors = subsets::unrank(colors.low(), sets[0].pieces, class.pieces);
        let ours = Squares::of(pieces).at(colors);
        let theirs = pieces ^ ours;
        Some([
            self.words.unrank(sets[0], our_word, ours),
            self.words.unrank(sets[1], their_word, theirs),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number that decimal digits spell.
    fn decimal(digits: &str) -> U192 {
        digits.bytes().fold(U192::default(), |number, digit| {
            number.times(10).plus(U192::from(u64::from(digit - b'0')))
        })
    }

    /// Iterates over all classes with their first and next numbers, as unranking finds them.
    fn classes() -> impl Iterator<Item = (Class, U192, U192)> {
        let mut next = U192::default();
        std::iter::from_fn(move || {
            let (class, start) =
                next.is_below(TABLES.classes.size()).then(|| TABLES.classes.find(next))??;
            assert_eq!(start, next, "{class:?}");
            let size = TABLES.classes.size_of(&class, &TABLES.pawns);
            next = start.plus(size);
            Some((class, start, size))
        })
    }

    /// Returns the bytes of the first rank of a number: White to move, clock 0.
    fn first_rank(number: U192) -> [u8; BYTES] {
        number.times(2).times(CLOCKS).to_bytes()
    }

    #[test]
    fn there_are_as_many_ranks_as_tromp_counts() {
        let mut ends = [U192::default(); 3];
        for (class, start, size) in classes() {
            assert_eq!(TABLES.classes.start(&class), Some(start), "{class:?}");
            ends[class.en_passant] = start.plus(size);
        }
        let [_, tromp, all] = ends;
        assert_eq!(tromp.times(2), decimal("8726713169886222032347729969256422370854716254"));
        assert_eq!(
            all.minus(tromp).times(2),
            decimal("921265427692677312846956446397792954129995712")
        );
        assert_eq!(all, TABLES.classes.size());
        // 20 bytes hold the last of them.
        let past = all.times(2).times(CLOCKS);
        assert_eq!(U192::from_bytes(&past.to_bytes()), past);
    }

    #[test]
    fn small_classes_are_whole() {
        let [mut ranks, mut others] = [0; 2];
        for (class, start, size) in classes() {
            if U192::from(6_000u64).is_below(size) {
                continue;
            }
            for place in 0..size.low() {
                let number = start.plus(U192::from(place));
                let Ok(placement) = TABLES.unrank(number) else {
                    others += 1;
                    continue;
                };
                assert_eq!(TABLES.rank(&placement), Ok(number), "{class:?} {placement:?}");
                ranks += 1;
            }
        }
        // Bare kings alone give 64 * 63.
        assert!(ranks > 4_032, "{ranks}");
        println!("{ranks} ranks, {others} name other witnesses");
    }

    #[test]
    fn ranks_end_where_they_should() {
        let size = TABLES.classes.size();
        let one = U192::from(1u64);
        let beyond = Error::Cell { at: 0, why: "the rank is beyond the last one" };
        let kings = Placement::unrank(&[0; BYTES]).expect("bare kings");
        assert_eq!((kings.men[0][KING], kings.men[1][KING]), (1, 2));
        let last = size.times(2).times(CLOCKS).minus(one);
        for number in [last, U192::from_bytes(&first_rank(size)).minus(one)] {
            assert_ne!(Placement::unrank(&number.to_bytes()), Err(beyond.clone()));
        }
        assert_eq!(Placement::unrank(&first_rank(size)), Err(beyond.clone()));
        assert_eq!(Placement::unrank(&[0xff; BYTES]), Err(beyond));
    }
}
