//! The second stage: codes the main line, in the notation of its text.

use crate::reading::game::is_variant;
use plypack_core::{
    EncodedLine, ErasedLineCodec, Error as LineError, Notation, Texts, Trunk, Turn,
};
use plypack_games::with_nulls;

use super::read::Draft;
use crate::store::row::Fault;
use crate::store::schema::START_TAG;

/// Codes moves. Remembers the last notation other than coordinates: the next record is likely to
/// use it, too.
#[derive(Debug)]
pub(super) struct Coder {
    codec: &'static dyn ErasedLineCodec,
    notation: Notation,
}

/// A coded line, and its positions.
type Line = (EncodedLine, Box<dyn Trunk<'static>>);

/// A main line, as far as it could be coded.
pub(super) struct Coded {
    /// The codec of its lines.
    pub codec: &'static dyn ErasedLineCodec,
    /// The line and its positions; `None` if no move could be coded.
    pub line: Option<Line>,
    /// The notation of its texts.
    pub notation: Notation,
    /// The number of the first move, and the side to move.
    pub turn: Turn,
    /// Why coding stopped.
    pub fault: Option<Fault>,
}

impl Coded {
    fn nothing(codec: &'static dyn ErasedLineCodec, turn: Turn, fault: Fault) -> Self {
        Self { codec, line: None, notation: Notation::Customary, turn, fault: Some(fault) }
    }

    /// Returns how many plies are coded.
    pub fn plies(&self) -> u32 {
        self.line.as_ref().map_or(0, |(line, _)| line.plies)
    }

    /// Returns the texts of the coded moves.
    pub fn texts(&self) -> Option<&Texts> {
        self.line.as_ref().map(|(line, _)| &line.texts)
    }

    pub fn trunk(&self) -> Option<&dyn Trunk<'static>> {
        self.line.as_ref().map(|(_, trunk)| &**trunk)
    }
}

impl Coder {
    pub fn new(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { codec, notation: Notation::Customary }
    }

    pub fn codec(&self) -> &'static dyn ErasedLineCodec {
        self.codec
    }

    /// Sets the codec of the following records.
    pub fn switch(&mut self, codec: &'static dyn ErasedLineCodec) {
        if codec.game().info().id != self.codec.game().info().id {
            self.notation = Notation::Customary;
        }
        self.codec = codec;
    }

    /// Codes the main line, up to the first move that cannot be coded. Null moves anywhere in the
    /// record require a codec that supports them.
    pub fn code(&mut self, draft: &Draft<'_>) -> Coded {
        let usual = self.codec;
        let has_null = draft.moves().any(|text| usual.game().is_null(text));
        self.codec = with_nulls(usual).filter(|_| has_null).unwrap_or(usual);
        let coded = self.code_line(draft);
        self.codec = usual;
        coded
    }

    fn code_line(&mut self, draft: &Draft<'_>) -> Coded {
        let codec = self.codec;
        let turn = Turn { number: 1, second: false };
        if let Some(variant) = draft.record.tag("Variant")
            && !is_variant(self.codec.game(), variant)
        {
            let variant = variant.chars().take(100).collect();
            return Coded::nothing(codec, turn, Fault::Variant(variant));
        }
        let coded = match draft.notation {
            Some(notation) => self.encode(draft, notation).map(|line| (line, notation)),
            None => self.encode_as_written(draft),
        };
        let ((mut line, trunk), notation) = match coded {
            Ok(coded) => coded,
            Err(error) => return Coded::nothing(codec, turn, error.into()),
        };
        let (turn, fault) = (trunk.turn(), line.stopped.take().map(Fault::from));
        match fault {
            Some(fault) if line.plies == 0 => Coded::nothing(codec, turn, fault),
            fault => Coded { codec, line: Some((line, trunk)), notation, turn, fault },
        }
    }

    fn encode(&self, draft: &Draft<'_>, notation: Notation) -> Result<Line, LineError> {
        let start = draft.record.tag(START_TAG);
        let moves = &mut draft.record.moves.iter().copied();
        self.codec.encode_trunk(start, moves, notation, draft.is_valued())
    }

    /// Encodes the moves, with their texts in the likeliest notation, or in one closer to the
    /// record's.
    fn encode_as_written(&mut self, draft: &Draft<'_>) -> Result<(Line, Notation), LineError> {
        let (game, moves) = (self.codec.game(), &draft.record.moves);
        let coordinates = moves.first().is_some_and(|mv| looks_like_coordinates(mv));
        let likeliest = if coordinates { Notation::Coordinate } else { self.notation };
        let coded = self.encode(draft, likeliest)?;
        let texts = &coded.0.texts;
        let written = moves.get(..texts.len()).unwrap_or_default();
        if game.info().notations.is_empty() || texts.iter().eq(written.iter().copied()) {
            return Ok((coded, likeliest));
        }
        let closest = game.notation_of(draft.record.tag(START_TAG), written)?;
        if closest != Notation::Coordinate {
            self.notation = closest;
        }
        if closest == likeliest {
            return Ok((coded, likeliest));
        }
        Ok((self.encode(draft, closest)?, closest))
    }
}

/// Returns whether a move text is just two squares, as in UCI.
fn looks_like_coordinates(mv: &str) -> bool {
    let bytes = mv.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[..4]
            .chunks(2)
            .all(|square| square[0].is_ascii_lowercase() && square[1].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::read::Original;
    use super::*;
    use plypack_records::FALLBACK;
    use plypack_records::charset::Charset;

    fn code(coder: &mut Coder, text: &str) -> Coded {
        let original = Original { bytes: text.as_bytes(), charset: Charset::Utf8, text };
        coder.code(&Draft::read(coder.codec().game(), original, FALLBACK))
    }

    fn coder(game: &str) -> Coder {
        Coder::new(plypack_games::line_codec(game, "line.uniform").expect("it is registered"))
    }

    #[test]
    fn lines_end_at_the_first_move_that_is_none() {
        let mut chess = coder("chess");
        let coded = code(&mut chess, "1. e4 e5 2. Kd5 Nc6 1-0\n");
        assert_eq!((coded.plies(), coded.fault.is_some()), (2, true));
        let coded = code(&mut chess, "1. Kd5 Nc6 1-0\n");
        assert!(coded.line.is_none() && coded.fault.is_some());
        let coded = code(&mut chess, "[FEN \"x\"]\n\n1. e4 *\n");
        assert!(coded.line.is_none() && matches!(coded.fault, Some(Fault::Line(_))));
        let coded = code(&mut chess, "[Variant \"Atomic\"]\n\n1. e4 *\n");
        assert_eq!(coded.fault, Some(Fault::Variant("Atomic".into())));
    }

    #[test]
    fn the_turn_is_that_of_the_start() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 40\"]\n\n40... Kd7 *\n";
        let coded = code(&mut coder("chess"), text);
        assert_eq!(coded.turn, Turn { number: 40, second: true });
        assert_eq!(coded.plies(), 1);
    }

    #[test]
    fn the_notation_is_that_of_the_record_and_remembered() {
        let mut chess = coder("chess");
        assert_eq!(code(&mut chess, "1. e2e4 e7e5 *\n").notation, Notation::Coordinate);
        assert_eq!(chess.notation, Notation::Customary);
        let mut xiangqi = coder("xiangqi");
        let wxf = code(&mut xiangqi, "1. C2.5 h8+7 *\n");
        assert!(matches!(wxf.notation, Notation::Other(_)), "{:?}", wxf.notation);
        assert_eq!(xiangqi.notation, wxf.notation);
        xiangqi.switch(chess.codec());
        assert_eq!(xiangqi.notation, Notation::Customary);
    }
}
