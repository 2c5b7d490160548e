//! `board.best-of`: the shortest of four codes, after two bits that say which.

use crate::bits::bitstring::{BitReader, BitWriter};

use crate::board::{Board, BoardCodec, cut};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec that chooses among these four, for a registry row.
pub const fn best_of<B: Board>(
    codecs: [&'static dyn BoardCodec<B>; 4],
) -> StateAndBoard<BestOf<B>> {
    StateAndBoard {
        info: &CodecInfo {
            name: "board.best-of",
            id: 24,
            summary: "two bits that choose among four codecs, then the shortest of their codes",
            source: "Shields (combined approach)",
        },
        board: BestOf { codecs },
    }
}

/// Two bits for a codec's index in the list, then its code. Of equally short codes, the first.
#[derive(Debug)]
pub struct BestOf<B: 'static> {
    /// The codecs to choose among.
    pub codecs: [&'static dyn BoardCodec<B>; 4],
}

impl<B: Board> BoardCodec<B> for BestOf<B> {
    fn encode(&self, board: &B, start: &B, out: &mut BitWriter) -> Result<(), Error> {
        let mut shortest: Result<BitWriter, Error> =
            Err(Error::Board { why: "none of the four codecs can represent it" });
        for (choice, codec) in (0..).zip(self.codecs) {
            let mut code = BitWriter::new();
            code.write(choice, 2);
            match codec.encode(board, start, &mut code) {
                Ok(()) if shortest.as_ref().is_ok_and(|best| best.bits() <= code.bits()) => {}
                Ok(()) => shortest = Ok(code),
                Err(_) => {}
            }
        }
        out.append(&shortest?);
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let choice = bits.read(2).and_then(|choice| usize::try_from(choice).ok());
        let codec = choice.and_then(|choice| self.codecs.get(choice)).ok_or_else(|| cut(bits))?;
        codec.decode(start, bits)
    }
}
