//! Line codecs that write each move in its own bits, independently of earlier moves.

use std::fmt::Debug;

use cozy_chess::Move;
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::codec::{Excursion, Finish};
use plypack_core::{Candidates, CodecInfo, Error, LineCodec, MoveSink, MoveSource, Ply};

use crate::chess::{Chess, Position};

/// A code of moves as bits.
pub trait MoveCode: Debug + Send + Sync + 'static {
    /// Appends a move.
    fn write(&self, ply: &Ply<'_, Chess>, out: &mut BitWriter);

    /// Reads a candidate. `None` if the bits end or encode none.
    fn read(&self, candidates: &Candidates<'_, Chess>, bits: &mut BitReader<'_>) -> Option<Move>;
}

/// The codes of the moves in sequence, the last byte padded with zeros. Only the code that would be
/// written is accepted.
#[derive(Debug)]
pub struct ByMove<C> {
    /// The codec's description.
    pub info: &'static CodecInfo,
    /// The code of a move.
    pub code: C,
}

impl<C: MoveCode> LineCodec<Chess> for ByMove<C> {
    fn info(&self) -> &'static CodecInfo {
        self.info
    }

    fn encoder<'a>(
        &'a self,
        _: &'a Chess,
        _: &Position,
    ) -> impl MoveSink<Chess> + Excursion<Chess> + Finish + 'a {
        ByMoveEncoder { code: &self.code, out: BitWriter::new() }
    }

    fn decoder<'a>(
        &'a self,
        _: &'a Chess,
        _: &Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<Chess> + Excursion<Chess> + 'a, Error> {
        Ok(ByMoveDecoder { code: &self.code, bits: BitReader::new(code), plies })
    }
}

struct ByMoveEncoder<'a, C> {
    code: &'a C,
    out: BitWriter,
}

impl<C: MoveCode> MoveSink<Chess> for ByMoveEncoder<'_, C> {
    fn push(&mut self, ply: &Ply<'_, Chess>) {
        self.code.write(ply, &mut self.out);
    }
}

impl<C: MoveCode> Excursion<Chess> for ByMoveEncoder<'_, C> {}

impl<C> Finish for ByMoveEncoder<'_, C> {
    fn finish(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    fn bits(&self) -> Option<u32> {
        Some(self.out.bits())
    }
}

impl<C: MoveCode> Excursion<Chess> for ByMoveDecoder<'_, C> {}

struct ByMoveDecoder<'a, C> {
    code: &'a C,
    bits: BitReader<'a>,
    plies: u32,
}

impl<C: MoveCode> ByMoveDecoder<'_, C> {
    fn read(&mut self, candidates: &Candidates<'_, Chess>) -> Option<Move> {
        let mut again = self.bits.clone();
        let mv = self.code.read(candidates, &mut self.bits)?;
        let mut after = candidates.position().clone();
        after.play(mv);
        let mut out = BitWriter::new();
        self.code.write(&Ply::new(*candidates, mv, &after), &mut out);
        let bits = out.bits();
        let written = out.into_bytes();
        let mut written = BitReader::new(&written);
        let equal = (0..bits).all(|_| written.read_bit() == again.read_bit());
        (equal && again.left() == self.bits.left()).then_some(mv)
    }
}

impl<C: MoveCode> MoveSource<Chess> for ByMoveDecoder<'_, C> {
    fn next(
        &mut self,
        ply: u32,
        candidates: &Candidates<'_, Chess>,
    ) -> Result<Option<Move>, Error> {
        let at = self.bits.byte();
        if ply <= self.plies {
            if candidates.is_empty() {
                return Err(Error::Over { plies: self.plies, ply: ply - 1 });
            }
            let mv = self.read(candidates);
            let why = "the code of a move ends too early, or means no legal move";
            return mv.map(Some).ok_or(Error::Cell { at, why });
        }
        if !self.bits.is_at_end() {
            return Err(Error::Cell { at, why: "bits follow the last move" });
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::line_codec;
    use plypack_core::Notation;

    /// Returns the number of bits of a line, and checks that it comes back.
    fn bits_of(codec: &str, start: Option<&str>, moves: &str) -> u32 {
        let codec = line_codec("chess", codec).expect(codec);
        let line =
            codec.encode(start, &mut moves.split(' '), Notation::Customary).expect("a start");
        assert!(line.stopped.is_none() && line.texts.iter().eq(moves.split(' ')), "{moves}");
        let back = codec.decode(start, line.plies, &line.code, Notation::Customary);
        assert!(back.as_ref().is_ok_and(|back| back.iter().eq(moves.split(' '))), "{back:?}");
        line.bits
    }

    #[test]
    fn what_is_special_comes_back() {
        let castling = Some("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        let queens = Some("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1");
        let knights = Some("4k3/8/8/2N5/8/2N5/8/4K3 w - - 0 1");
        let pawns = Some("1n2k3/P7/8/1pP5/8/8/8/4K3 w - b6 0 2");
        for (start, moves, san_bits) in [
            // Castling: man, special; if it checks, mate.
            (castling, "O-O+", 5),
            (castling, "O-O-O", 4),
            // Man 3, special 1, destination 6; capture, check, promotion, disambiguation 1 each;
            // the disambiguation itself.
            (queens, "Qee1", 14 + 2 + 3),
            (queens, "Qh4e1", 14 + 2 + 6),
            (knights, "N3e4", 14 + 2 + 3),
            // From the a file 6 bits say where it goes, from others 7.
            (pawns, "axb8=N", 14 + 2),
            (pawns, "axb8=Q+", 15 + 2),
            (pawns, "cxb6", 15),
        ] {
            assert_eq!(bits_of("chess.san-bits", start, moves), san_bits, "{moves}");
            assert_eq!(bits_of("chess.san-bits-naive", start, moves), 29, "{moves}");
            assert_eq!(bits_of("chess.from-to12", start, moves), 12, "{moves}");
        }
    }

    #[test]
    fn a_move_has_one_code() {
        let decode = |codec: &str, code: &[u8]| {
            let codec = line_codec("chess", codec).expect(codec);
            codec.decode_indices(None, 1, code)
        };
        // a3: pawn 000, not special 0, square 16 = 010000.
        assert!(decode("chess.san-bits", &[0b0000_0100, 0]).is_ok());
        // Special, but no capture, check, promotion or disambiguation.
        assert!(decode("chess.san-bits", &[0b0001_0000, 0b0100_0000]).is_err());
        // The same, with a bit after it.
        assert!(decode("chess.san-bits", &[0b0000_0100, 0b0010_0000]).is_err());
        assert!(decode("chess.san-bits", &[0b0000_0100, 0, 0]).is_err());
        // a2 to a3 = 001000 010000; a2 to b3; and cut.
        assert!(decode("chess.from-to12", &[0b0010_0001, 0]).is_ok());
        assert!(decode("chess.from-to12", &[0b0010_0001, 0b0001_0000]).is_err());
        assert!(decode("chess.from-to12", &[0b0010_0001]).is_err());
    }
}
