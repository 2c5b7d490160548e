//! `board.model`: a position whose squares are predicted by a trained model.

use cozy_chess::Color;
use plypack_core::bits::range::{Decoder, Encoder};
use plypack_core::position::{PositionCode, PositionCodec};
use plypack_core::{CodecInfo, Error};

use crate::chess::squares::{Coder, Contents, Guess, Seen, chance, walk, walk_state};
use crate::chess::{Chess, Position};

/// The side to move, the squares a1 … h8, the counters and the rights, all range coded with
/// probabilities from trained tables.
#[derive(Debug)]
pub struct BoardModel;

/// The denominator of probabilities.
const ONE: u32 = 1 << 16;

impl PositionCodec<Chess> for BoardModel {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "board.model",
            id: 71,
            summary: "squares predicted by a trained model from those before, then the state",
            source: "Larochelle and Murray (NADE), with a table of rows for facts about squares",
        }
    }

    fn encode(&self, _: &Chess, position: &Position) -> Result<PositionCode, Error> {
        let contents = Contents::of(position);
        let mut writer = Writer::new(contents.state.side == Color::Black);
        walk(&mut writer, &contents);
        if !writer.fits {
            return Err(Error::Board {
                why: "it has two kings of one colour, or pawns on the first or last rank",
            });
        }
        let bytes = writer.encoder.finish();
        let bits = bits(&bytes);
        Ok(PositionCode { bits, board_bits: Some(writer.board_bits.min(bits)), bytes })
    }

    fn decode(&self, _: &Chess, code: &[u8]) -> Result<Position, Error> {
        let mut reader = Reader { decoder: Decoder::new(code), guess: None, back: Encoder::new() };
        let read = walk(&mut reader, &Contents::NOTHING);
        let position = read.position()?;
        // Any bytes can be read as a position, but a position has only one code. Its squares were
        // read from the only slices that they can be written as, so only the state is written
        // again.
        let contents = Contents::of(&position);
        let mut writer = Writer { encoder: reader.back, ..Writer::new(false) };
        walk_state(&mut writer, &contents);
        let same = contents.symbols == read.symbols && contents.state.side == read.state.side;
        if !same || writer.encoder.finish() != code {
            return Err(Error::Cell { at: 0, why: "its position is not coded canonically" });
        }
        Ok(position)
    }
}

fn bits(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).saturating_mul(8)
}

struct Writer {
    encoder: Encoder,
    guess: Guess,
    fits: bool,
    board_bits: u32,
}

impl Writer {
    fn new(black: bool) -> Self {
        Self { encoder: Encoder::new(), guess: Guess::new(black), fits: true, board_bits: 0 }
    }
}

impl Coder for Writer {
    fn square(&mut self, seen: &Seen, symbol: u8) -> u8 {
        let weights = self.guess.weights(seen);
        let place = usize::from(symbol);
        let before = weights.iter().take(place).sum();
        match weights.get(place) {
            Some(&weight) if weight > 0 => {
                self.encoder.encode(before, weight, weights.iter().sum());
            }
            _ => self.fits = false,
        }
        self.guess.see(seen, symbol);
        symbol
    }

    fn board_ends(&mut self) {
        self.board_bits = bits(&self.encoder.clone().finish());
    }

    fn answer(&mut self, question: usize, yes: bool) -> bool {
        let chance = chance(question);
        match yes {
            true => self.encoder.encode(0, chance, ONE),
            false => self.encoder.encode(chance, ONE - chance, ONE),
        }
        yes
    }

    fn bit(&mut self, bit: bool) -> bool {
        self.encoder.encode(u32::from(bit), 1, 2);
        bit
    }
}

struct Reader<'a> {
    decoder: Decoder<'a>,
    /// Set from the first square on, when the side to move is known.
    guess: Option<Guess>,
    /// Writes the side to move and the squares again.
    back: Encoder,
}

impl Coder for Reader<'_> {
    fn side(&mut self, _: bool) -> bool {
        let black = self.bit(false);
        self.back.encode(u32::from(black), 1, 2);
        black
    }

    fn square(&mut self, seen: &Seen, _: u8) -> u8 {
        let guess = self.guess.get_or_insert_with(|| Guess::new(seen.black()));
        let weights = guess.weights(seen);
        let total = weights.iter().sum();
        let place = self.decoder.peek(total);
        let mut before = 0;
        for (symbol, weight) in (0..).zip(weights) {
            if place < before + weight {
                self.decoder.consume(before, weight, total);
                self.back.encode(before, weight, total);
                guess.see(seen, symbol);
                return symbol;
            }
            before += weight;
        }
        0
    }

    fn answer(&mut self, question: usize, _: bool) -> bool {
        let chance = chance(question);
        let yes = self.decoder.peek(ONE) < chance;
        match yes {
            true => self.decoder.consume(0, chance, ONE),
            false => self.decoder.consume(chance, ONE - chance, ONE),
        }
        yes
    }

    fn bit(&mut self, _: bool) -> bool {
        let bit = self.decoder.peek(2);
        self.decoder.consume(bit, 1, 2);
        bit == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::Rules;

    fn code_of(fen: &str) -> Vec<u8> {
        let position = Position::read_fen(fen).expect(fen);
        BoardModel.encode(&Chess, &position).expect(fen).bytes
    }

    fn is_read(code: &[u8]) -> bool {
        BoardModel.decode(&Chess, code).is_ok()
    }

    #[test]
    fn what_games_have_is_short() {
        let start = code_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let queens = code_of("1QQQQQQQ/8/7k/8/K7/8/8/nnnnnnn1 b - - 0 1");
        assert!(start.len() <= 4, "{start:02x?}");
        assert!(queens.len() > 8 * start.len(), "{queens:02x?}");
    }

    /// The state could be coded in several ways; only the writer's is accepted.
    #[test]
    fn a_position_has_one_code() {
        let code = code_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 40");
        assert!(is_read(&code));
        for end in [0, 1, 255] {
            assert!(!is_read(&[&code[..], &[end]].concat()));
        }
    }

    #[test]
    fn whatever_the_rules_hold_comes_back() {
        for fen in [
            "4k3/8/8/8/8/8/8/1R1RK1RR w GD - 0 1",
            "1r1k2r1/8/8/8/8/8/8/1R1K2R1 b GBgb - 0 1",
            "rk1r4/8/8/8/8/8/8/RK1R4 w DAda - 7 9",
            "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1",
            "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1",
            "4k3/8/8/pP6/8/8/8/4K3 w - a6 17 0",
            "4k3/8/8/8/8/8/8/4K3 b - - 4294967295 4294967295",
            "4k3/8/8/8/8/8/8/4K3 b - - 4294967294 4294967294",
            "1QQQQQQQ/8/7k/8/K7/8/8/nnnnnnn1 b - - 0 1",
        ] {
            let position = Chess.read_position(fen).expect(fen);
            let code = BoardModel.encode(&Chess, &position).expect(fen).bytes;
            let back = BoardModel.decode(&Chess, &code).expect(fen);
            let mut text = String::new();
            back.write_fen(&mut text);
            let mut expected = String::new();
            position.write_fen(&mut expected);
            assert_eq!(text, expected);
        }
    }
}
