//! A line codec without its types.

use std::fmt::Debug;
use std::ops::ControlFlow;

use super::cursor::{self, Cursor};
use super::trunk::{LineTrunk, Recorder, Trunk};
use super::{ErasedRules, GameRow, start_of};
use crate::boards::Boards;
use crate::codec::{Claim, CodecInfo, Finish, LineCodec};
use crate::error::Error;
use crate::game::{Notation, Rules};
use crate::limits::check_plies;
use crate::line::{IndexSink, IndexSource, MoveSink, MoveSource, TextSink, TextSource, Walk, walk};
use crate::pattern::{self, Pattern};
use crate::sample::{Sample, Sampling, bytes_for};
use crate::split_mix::SplitMix;
use crate::texts::Texts;

/// An encoded line.
#[derive(Debug)]
pub struct EncodedLine {
    /// Number of plies coded.
    pub plies: u32,
    /// Their code, the last byte padded.
    pub code: Vec<u8>,
    /// The length of the code in bits.
    pub bits: u32,
    /// Their texts, in the requested notation.
    pub texts: Texts,
    /// Why the remaining moves, if any, could not be coded.
    pub stopped: Option<Error>,
}

/// A line codec bound to its game.
pub trait ErasedLineCodec: Debug + Send + Sync {
    /// Returns the game.
    fn game(&self) -> &'static dyn ErasedRules;

    /// Returns the description of the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Returns published figures for this codec, with ours beside them.
    fn claims(&self) -> &'static [Claim];

    /// Returns whether it also codes null moves.
    fn takes_nulls(&self) -> bool;

    /// Encodes moves in any notation, up to the first that cannot be resolved.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn encode(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> Result<EncodedLine, Error>;

    /// Decodes a line to texts.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies.
    fn decode(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<Texts, Error>;

    /// Encodes like [`encode`](Self::encode), and keeps the line's positions; with `hinted`, also
    /// the hint of each ply.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn encode_trunk<'a>(
        &'a self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
        hinted: bool,
    ) -> Result<(EncodedLine, Box<dyn Trunk<'a> + 'a>), Error>;

    /// Decodes like [`decode`](Self::decode), and keeps the line's positions; with `hinted`, also
    /// the hint of each ply.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies.
    fn decode_trunk<'a>(
        &'a self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        notation: Notation,
        hinted: bool,
    ) -> Result<(Texts, Box<dyn Trunk<'a> + 'a>), Error>;

    /// Decodes a line and appends the keys ([`Rules::key`]) of its positions to `keys`: first the
    /// start's, then the one after each ply.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies. `keys` then
    /// has the keys up to there.
    fn keys(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        keys: &mut Vec<u64>,
    ) -> Result<(), Error>;

    /// Decodes a line and passes the position after each move to a callback, until that breaks.
    /// This is the fastest way along a line if neither indices nor texts are needed.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies; all positions
    /// up to there have then been seen.
    fn scan(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        seen: &mut dyn FnMut(&dyn Place) -> ControlFlow<()>,
    ) -> Result<(), Error>;

    /// Decodes a line and appends a row for each of its moves to `boards`, without texts.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies; `boards` then
    /// has the rows up to there.
    fn boards(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        boards: &mut Boards,
    ) -> Result<(), Error>;

    /// Returns the plies at which a line first meets the conditions of a pattern, in sequence;
    /// `None` if it never does, or if the pattern is of another game. `result` is one of
    /// [`results`](crate::pattern::results). Decodes no more than needed.
    ///
    /// # Errors
    /// Returns an error if the start cannot be read, or if the code is not one of this codec's or
    /// holds fewer plies.
    fn matched(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        pattern: &Pattern,
        result: u8,
    ) -> Result<Option<Vec<u32>>, Error>;

    /// Returns a cursor at `start`, before the first of `plies` moves. It decodes each move when it
    /// steps over it.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::TooLong`] or [`Error::Cell`]
    /// if the bytes cannot be one of this codec's codes.
    fn cursor<'a>(
        &'a self,
        start: Option<&str>,
        plies: u32,
        code: &'a [u8],
    ) -> Result<Box<dyn Cursor<'a> + 'a>, Error>;

    /// Encodes a line given as candidate indices.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too
    /// large.
    fn encode_indices(&self, start: Option<&str>, indices: &[u16]) -> Result<Vec<u8>, Error>;

    /// Decodes a line to candidate indices.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies.
    fn decode_indices(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
    ) -> Result<Vec<u16>, Error>;

    /// Draws a line of at most `plies` moves from the codec's model, up to where players would end
    /// it. Moves that no rule allows and only records contain are never drawn. Returns `None` if
    /// the codec has no model to draw from.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::TooLong`] if `plies` is
    /// above the limit of lines.
    fn sample(
        &self,
        start: Option<&str>,
        plies: u32,
        random: &mut SplitMix,
        notation: Notation,
    ) -> Result<Option<Sample>, Error>;
}

/// A position that a [`scan`](ErasedLineCodec::scan) has reached.
pub trait Place {
    /// Returns the position's key ([`Rules::key`]).
    fn key(&self) -> u64;

    /// Returns the progress of the line ([`Rules::progress`]).
    fn progress(&self) -> u32;

    /// Returns the first player's material advantage ([`Rules::material`]).
    fn material(&self) -> i32;

    /// Appends the text of the facts that determine the key ([`Rules::write_facts`]).
    fn write_facts(&self, out: &mut String);
}

/// A position and its game.
struct At<'a, G: Rules>(&'a G, &'a G::Position);

impl<G: Rules> Place for At<'_, G> {
    fn key(&self) -> u64 {
        self.0.key(self.1)
    }

    fn progress(&self) -> u32 {
        self.0.progress(self.1)
    }

    fn material(&self) -> i32 {
        self.0.material(self.1)
    }

    fn write_facts(&self, out: &mut String) {
        self.0.write_facts(self.1, out);
    }
}

/// A row of the registry of line codecs.
pub struct LineRow<G: 'static, C> {
    /// The game.
    pub game: &'static GameRow<G>,
    /// The codec.
    pub codec: C,
    /// Published figures for this codec on this game.
    pub claims: &'static [Claim],
}

impl<G: Debug, C> Debug for LineRow<G, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LineRow").field(&self.game.0).finish()
    }
}

/// Combines the results of a walk, an encoder and a text writer.
fn encoded_line<G: Rules>(end: Walk<G>, encoder: impl Finish, texts: Texts) -> EncodedLine {
    let bits = encoder.bits();
    let code = encoder.finish();
    let whole = || u32::try_from(code.len()).unwrap_or(u32::MAX).saturating_mul(8);
    let bits = bits.unwrap_or_else(whole);
    EncodedLine { plies: end.plies, bits, code, texts, stopped: end.stopped }
}

impl<G: Rules, C: LineCodec<G>> LineRow<G, C> {
    fn decode_into(
        &self,
        start: G::Position,
        plies: u32,
        code: &[u8],
        sink: &mut impl MoveSink<G>,
    ) -> Result<(), Error> {
        check_plies(plies)?;
        let game = &self.game.0;
        let mut decoder = self.codec.decoder(game, &start, plies, code)?;
        let end = walk(game, start, &mut decoder, sink);
        end.stopped.map_or(Ok(()), Err)
    }

    /// Encodes the moves of `source`, and keeps their texts and positions.
    pub(super) fn encode_recorded(
        &self,
        start: G::Position,
        source: &mut impl MoveSource<G>,
        notation: Notation,
        hinted: bool,
    ) -> (EncodedLine, LineTrunk<'_, G, C>) {
        let game = &self.game.0;
        let encoder = self.codec.encoder(game, &start);
        let recorder = Recorder::new(game, start.clone(), hinted);
        let mut sinks = ((encoder, TextSink::new(game, notation)), recorder);
        let end = walk(game, start, source, &mut sinks);
        let ((encoder, texts), recorder) = sinks;
        (encoded_line(end, encoder, texts.texts), recorder.trunk(self))
    }

    /// Decodes a line, and keeps its texts and positions.
    pub(super) fn decode_recorded(
        &self,
        start: G::Position,
        plies: u32,
        code: &[u8],
        notation: Notation,
        hinted: bool,
    ) -> Result<(Texts, LineTrunk<'_, G, C>), Error> {
        let game = &self.game.0;
        let recorder = Recorder::new(game, start.clone(), hinted);
        let mut sinks = (TextSink::new(game, notation), recorder);
        self.decode_into(start, plies, code, &mut sinks)?;
        Ok((sinks.0.texts, sinks.1.trunk(self)))
    }
}

impl<G: Rules, C: LineCodec<G>> ErasedLineCodec for LineRow<G, C> {
    fn game(&self) -> &'static dyn ErasedRules {
        self.game
    }

    fn info(&self) -> &'static CodecInfo {
        self.codec.info()
    }

    fn claims(&self) -> &'static [Claim] {
        self.claims
    }

    fn takes_nulls(&self) -> bool {
        C::NULLS
    }

    fn encode(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> Result<EncodedLine, Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let mut sinks = (self.codec.encoder(game, &start), TextSink::new(game, notation));
        let mut source = TextSource::new(game, moves).with_nulls(C::NULLS);
        let end = walk(game, start, &mut source, &mut sinks);
        Ok(encoded_line(end, sinks.0, sinks.1.texts))
    }

    fn decode(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<Texts, Error> {
        let game = &self.game.0;
        let mut sink = TextSink::new(game, notation);
        self.decode_into(start_of(game, start)?, plies, code, &mut sink)?;
        Ok(sink.texts)
    }

    fn encode_trunk<'a>(
        &'a self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
        hinted: bool,
    ) -> Result<(EncodedLine, Box<dyn Trunk<'a> + 'a>), Error> {
        let start = start_of(&self.game.0, start)?;
        let source = &mut TextSource::new(&self.game.0, moves).with_nulls(C::NULLS);
        let (line, trunk) = self.encode_recorded(start, source, notation, hinted);
        Ok((line, Box::new(trunk)))
    }

    fn decode_trunk<'a>(
        &'a self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        notation: Notation,
        hinted: bool,
    ) -> Result<(Texts, Box<dyn Trunk<'a> + 'a>), Error> {
        let start = start_of(&self.game.0, start)?;
        let (texts, trunk) = self.decode_recorded(start, plies, code, notation, hinted)?;
        Ok((texts, Box::new(trunk)))
    }

    fn keys(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        keys: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        keys.push(game.key(&start));
        self.codec.replay(game, start, plies, code, &mut |_, position| {
            keys.push(game.key(position));
            ControlFlow::Continue(())
        })
    }

    fn scan(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        seen: &mut dyn FnMut(&dyn Place) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        self.codec.replay(game, start, plies, code, &mut |_, position| seen(&At(game, position)))
    }

    fn boards(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        boards: &mut Boards,
    ) -> Result<(), Error> {
        let game = &self.game.0;
        boards.replay((game, &self.codec), start_of(game, start)?, plies, code)
    }

    fn matched(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        pattern: &Pattern,
        result: u8,
    ) -> Result<Option<Vec<u32>>, Error> {
        // A build without patterns cannot have made one.
        if !cfg!(feature = "patterns") {
            return Ok(None);
        }
        let game = &self.game.0;
        let line = (start_of(game, start)?, plies, code);
        pattern::matched((game, &self.codec), line, pattern, result)
    }

    fn cursor<'a>(
        &'a self,
        start: Option<&str>,
        plies: u32,
        code: &'a [u8],
    ) -> Result<Box<dyn Cursor<'a> + 'a>, Error> {
        cursor::along(self, start_of(&self.game.0, start)?, plies, code)
    }

    fn encode_indices(&self, start: Option<&str>, indices: &[u16]) -> Result<Vec<u8>, Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let mut encoder = self.codec.encoder(game, &start);
        let mut source = IndexSource::new(game, indices, C::NULLS);
        let end = walk(game, start, &mut source, &mut encoder);
        let code = encoder.finish();
        end.stopped.map_or(Ok(code), Err)
    }

    fn decode_indices(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
    ) -> Result<Vec<u16>, Error> {
        let mut sink = IndexSink::default();
        self.decode_into(start_of(&self.game.0, start)?, plies, code, &mut sink)?;
        Ok(sink.0)
    }

    fn sample(
        &self,
        start: Option<&str>,
        plies: u32,
        random: &mut SplitMix,
        notation: Notation,
    ) -> Result<Option<Sample>, Error> {
        if !C::SAMPLES || !cfg!(feature = "full") {
            return Ok(None);
        }
        check_plies(plies)?;
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let code = random.bytes(bytes_for(plies));
        let mut source = Sampling::new(game, self.codec.decoder(game, &start, plies, &code)?);
        let mut sink = TextSink::new(game, notation);
        let Walk { end, stopped, .. } = walk(game, start, &mut source, &mut sink);
        let (outcome, material) = (game.outcome(&end), game.material(&end));
        let sample = Sample { texts: sink.texts, outcome, material };
        stopped.map_or(Ok(Some(sample)), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::{HEAP, LINES};
    use super::*;
    use crate::limits::PLIES_MAX;

    #[test]
    fn coding_ends_at_the_first_move_that_is_none() {
        let moves = &mut ["3", "3", "3", "2", "1"].into_iter();
        let line = LINES.encode(None, moves, Notation::Coordinate).expect("the usual start");
        assert!(line.texts.iter().eq(["03", "03", "03"]));
        assert!(matches!(line.stopped, Some(Error::Move { ply: 4, .. })));
        let texts = LINES.decode(None, 3, &line.code, Notation::Customary).expect("its own code");
        assert!(texts.iter().eq(["3", "3", "3"]));
        assert_eq!(LINES.decode_indices(None, 3, &line.code), Ok(vec![2, 2, 2]));
        assert!(LINES.decode_indices(None, 5, &line.code).is_err());
    }

    #[test]
    fn lines_are_drawn_up_to_the_end_of_the_game() {
        let draw = |plies, number| {
            let random = &mut SplitMix::new(7, number);
            let sample = LINES.sample(None, plies, random, Notation::Customary);
            sample.expect("the usual start").expect("it has a model").texts
        };
        for number in 0..50 {
            let texts = draw(100, number);
            let sum: u32 = texts.iter().map(|text| text.parse::<u32>().expect("stones")).sum();
            assert_eq!(sum, 10);
            // A draw depends only on the generator, and a shorter line begins in the same way.
            assert!(draw(2, number).iter().eq(texts.iter().take(2)));
        }
        assert!((1..50).any(|number| draw(100, number) != draw(100, 0)));
        let random = &mut SplitMix::new(7, 0);
        assert!(LINES.sample(None, PLIES_MAX + 1, random, Notation::Customary).is_err());
    }

    #[test]
    fn keys_begin_with_that_of_the_start() {
        let code = LINES.encode_indices(Some("4'"), &[1, 0]).expect("legal moves");
        let mut keys = Vec::new();
        LINES.keys(Some("4'"), 2, &code, &mut keys).expect("its own code");
        assert_eq!(keys, [(4, true), (2, false), (1, true)].map(|at| HEAP.0.key(&at)));
        // The keys before the damage are present.
        keys.clear();
        assert!(LINES.keys(Some("1"), 3, &code, &mut keys).is_err());
        assert_eq!(keys, [(1, false), (0, true)].map(|at| HEAP.0.key(&at)));
    }
}
