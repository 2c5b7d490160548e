//! Games and codecs without their types, as callers use them: one virtual call a record.

use std::fmt::Debug;

use crate::codec::{Claim, CodecInfo, Excursion, Finish, LineCodec};
use crate::error::Error;
use crate::game::{Game, GameInfo, Notation, Turn};
use crate::hint::Hint;
use crate::key::Keys;
use crate::limits::PLIES_MAX;
use crate::line::{
    IndexSink, IndexSource, MoveSink, MoveSource, Ply, TextSink, TextSource, Walk, walk,
};
use crate::position::{PositionCode, PositionCodec};
use crate::texts::Texts;

/// A game whose types the caller need not know.
///
/// A `start` of `None` is the position in which the game usually begins.
pub trait ErasedGame: Debug + Send + Sync {
    /// The facts about the game.
    fn info(&self) -> &'static GameInfo;

    /// The number of the first move of a line, and whose it is.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn turn(&self, start: Option<&str>) -> Result<Turn, Error>;

    /// The start of a record by the words at its head and by the texts of its moves, in canonical
    /// spelling. `None` if it is the usual one or they do not tell.
    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String>;

    /// Reads moves in any notation as candidate indices, up to the first that cannot be resolved.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn read_moves(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<(Vec<u16>, Option<Error>), Error>;

    /// The notation that spells the most of these moves as they are written, up to the first that
    /// cannot be resolved; of equals the likeliest.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn notation_of(&self, start: Option<&str>, moves: &[&str]) -> Result<Notation, Error>;

    /// The position after a line, in canonical spelling.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too large.
    fn position_after(&self, start: Option<&str>, indices: &[u16]) -> Result<String, Error>;

    /// The keys of the position after a line.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too large.
    fn keys(&self, start: Option<&str>, indices: &[u16]) -> Result<Keys, Error>;

    /// The texts of a line's moves.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too large.
    fn write_moves(
        &self,
        start: Option<&str>,
        indices: &[u16],
        notation: Notation,
    ) -> Result<Texts, Error>;

    /// The texts of the moves that `start` offers, in canonical order.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn candidates(&self, start: Option<&str>, notation: Notation) -> Result<Texts, Error>;

    /// The positions after each ply of a line of moves in any notation, the start first, up to the
    /// first move that cannot be resolved.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn positions_along(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<Texts, Error>;

    /// The number of lines of `depth` plies from `start`: the field's check of a move generator.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn perft(&self, start: Option<&str>, depth: u32) -> Result<u64, Error>;
}

/// A line as an encoder leaves it.
#[derive(Debug)]
pub struct EncodedLine {
    /// How many plies were coded.
    pub plies: u32,
    /// Their code, the last byte filled up.
    pub code: Vec<u8>,
    /// How many bits of it are the code.
    pub bits: u32,
    /// Their texts, in the notation asked for.
    pub texts: Texts,
    /// Why the moves after them could not be coded, if there are any.
    pub stopped: Option<Error>,
}

/// A line codec bound to its game.
pub trait ErasedLineCodec: Debug + Send + Sync {
    /// The game.
    fn game(&self) -> &'static dyn ErasedGame;

    /// The facts about the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Published figures for this codec, with ours beside them.
    fn claims(&self) -> &'static [Claim];

    /// Encodes moves in any notation, up to the first that cannot be resolved.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn encode(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> Result<EncodedLine, Error>;

    /// Decodes a line to texts.
    ///
    /// # Errors
    /// If the code is not one of this codec's, or holds fewer plies.
    fn decode(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<Texts, Error>;

    /// Plays a line of moves in any notation, up to the first that cannot be resolved, and keeps
    /// its positions.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read.
    fn trunk<'a>(
        &'a self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<Box<dyn Trunk + 'a>, Error>;

    /// Encodes a line given as candidate indices.
    ///
    /// # Errors
    /// [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too large.
    fn encode_indices(&self, start: Option<&str>, indices: &[u16]) -> Result<Vec<u8>, Error>;

    /// Decodes a line to candidate indices.
    ///
    /// # Errors
    /// If the code is not one of this codec's, or holds fewer plies.
    fn decode_indices(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
    ) -> Result<Vec<u16>, Error>;
}

/// A line whose positions are at hand, so that variations can branch from it.
pub trait Trunk {
    /// Encodes moves that replace the move at `ply`, counted from 1, and what followed it; up to
    /// the first that cannot be resolved.
    fn encode_branch<'a>(
        &'a self,
        ply: u32,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> (EncodedLine, Box<dyn Trunk + 'a>);

    /// Decodes a branch to texts.
    ///
    /// # Errors
    /// If the code is not one of this codec's, or holds fewer plies.
    fn decode_branch<'a>(
        &'a self,
        ply: u32,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<(Texts, Box<dyn Trunk + 'a>), Error>;

    /// What the game's rules tell of each ply of the line.
    fn hints(&self) -> Vec<Hint>;

    /// Whether these moves can replace the move at `ply`, counted from 1, and what followed it, and
    /// are spelt as `notation` spells them.
    fn spells(&self, ply: u32, moves: &[&str], notation: Notation) -> bool;

    /// Encodes branches into one code, each the ply that it replaces, counted from 1 and never
    /// below the one before, and its moves. They cost less than codes of their own: only the last
    /// byte of all is filled up, and the codec knows the moves before. `None` if a move cannot be
    /// resolved, or there are more than [`PLIES_MAX`].
    fn encode_branches(&self, branches: &[(u32, Vec<&str>)]) -> Option<Vec<u8>>;

    /// Decodes what [`encode_branches`](Self::encode_branches) wrote to texts, given the ply that
    /// each branch replaces and how many plies it has.
    ///
    /// # Errors
    /// If the code is not one of this codec's, or holds fewer plies.
    fn decode_branches(
        &self,
        branches: &[(u32, u32)],
        code: &[u8],
        notation: Notation,
    ) -> Result<Vec<Texts>, Error>;
}

/// A position codec bound to its game.
pub trait ErasedPositionCodec: Debug + Send + Sync {
    /// The game.
    fn game(&self) -> &'static dyn ErasedGame;

    /// The facts about the codec.
    fn info(&self) -> &'static CodecInfo;

    /// What of a position's text it does not hold, in words; empty if it holds everything.
    fn drops(&self) -> &'static [&'static str];

    /// The size of a code in bits, if all have the same.
    fn bits(&self) -> Option<u32>;

    /// Published figures for this codec, with ours beside them.
    fn claims(&self) -> &'static [Claim];

    /// Encodes a position, given in any dialect of the game's notation.
    ///
    /// # Errors
    /// [`Error::Position`] if the text cannot be read, [`Error::Board`] if this codec cannot hold
    /// the position.
    fn encode(&self, text: &str) -> Result<PositionCode, Error>;

    /// Decodes a position to its canonical text.
    ///
    /// # Errors
    /// If the bytes are not one of this codec's codes, or not of a position that the rules hold.
    fn decode(&self, code: &[u8]) -> Result<String, Error>;

    /// Reads positions once, to encode and decode them as often as a measurement needs. Those
    /// that this codec cannot hold are left out.
    ///
    /// # Errors
    /// [`Error::Position`] if a text cannot be read.
    fn trial(
        &self,
        texts: &mut dyn Iterator<Item = &str>,
    ) -> Result<Box<dyn PositionTrial + '_>, Error>;
}

/// Positions in memory, for measuring a codec without reading and writing texts.
pub trait PositionTrial {
    /// How many of the positions the codec cannot hold.
    fn refused(&self) -> u32;

    /// Encodes every position and keeps the codes.
    fn encode(&mut self);

    /// The codes, once they are there.
    fn codes(&self) -> &[PositionCode];

    /// Decodes every code and compares; whether all came back, but for what the codec drops.
    fn decode(&self) -> bool;
}

/// A row of the registry of games.
#[derive(Debug)]
pub struct GameRow<G>(pub G);

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

/// A row of the registry of position codecs.
pub struct PositionRow<G: 'static, C> {
    /// The game.
    pub game: &'static GameRow<G>,
    /// The codec.
    pub codec: C,
    /// Published figures for this codec on this game.
    pub claims: &'static [Claim],
}

impl<G: Debug, C: Debug> Debug for PositionRow<G, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PositionRow").field(&self.game.0).field(&self.codec).finish()
    }
}

fn start_of<G: Game>(game: &G, start: Option<&str>) -> Result<G::Position, Error> {
    match start {
        None => Ok(game.start()),
        Some(text) => game.read_position(text),
    }
}

impl<G: Game> ErasedGame for GameRow<G> {
    fn info(&self) -> &'static GameInfo {
        self.0.info()
    }

    fn turn(&self, start: Option<&str>) -> Result<Turn, Error> {
        Ok(self.0.turn(&start_of(&self.0, start)?))
    }

    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String> {
        let mut text = String::new();
        self.0.write_position(&self.0.start_told(head, moves)?, &mut text);
        Some(text)
    }

    fn read_moves(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<(Vec<u16>, Option<Error>), Error> {
        let mut sink = IndexSink::default();
        let start = start_of(&self.0, start)?;
        let end = walk(&self.0, start, &mut TextSource::new(&self.0, moves), &mut sink);
        Ok((sink.0, end.stopped))
    }

    fn notation_of(&self, start: Option<&str>, moves: &[&str]) -> Result<Notation, Error> {
        let game = &self.0;
        let counts = self.info().all_notations().map(|notation| (notation, 0)).collect();
        let mut tally = Tally { game, written: moves.iter(), counts, text: String::new() };
        let mut source = TextSource::new(game, moves.iter().copied());
        walk(game, start_of(game, start)?, &mut source, &mut tally);
        // Of equals the last is taken, so the likeliest comes last.
        let best = tally.counts.into_iter().rev().max_by_key(|(_, count)| *count);
        Ok(best.map_or(Notation::Customary, |(notation, _)| notation))
    }

    fn position_after(&self, start: Option<&str>, indices: &[u16]) -> Result<String, Error> {
        let start = start_of(&self.0, start)?;
        let end = walk(&self.0, start, &mut IndexSource(indices.iter()), &mut ());
        let mut text = String::new();
        self.0.write_position(&end.end, &mut text);
        end.stopped.map_or(Ok(text), Err)
    }

    fn keys(&self, start: Option<&str>, indices: &[u16]) -> Result<Keys, Error> {
        let game = &self.0;
        let start = start_of(game, start)?;
        let end = walk(game, start, &mut IndexSource(indices.iter()), &mut ());
        let keys = Keys { exact: game.key(&end.end), canonical: game.canonical_key(&end.end) };
        end.stopped.map_or(Ok(keys), Err)
    }

    fn write_moves(
        &self,
        start: Option<&str>,
        indices: &[u16],
        notation: Notation,
    ) -> Result<Texts, Error> {
        let start = start_of(&self.0, start)?;
        let mut sink = TextSink::new(&self.0, notation);
        let end = walk(&self.0, start, &mut IndexSource(indices.iter()), &mut sink);
        end.stopped.map_or(Ok(sink.texts), Err)
    }

    fn candidates(&self, start: Option<&str>, notation: Notation) -> Result<Texts, Error> {
        let before = start_of(&self.0, start)?;
        let (mut candidates, mut texts) = (Vec::new(), Texts::default());
        self.0.candidates(&before, &mut candidates);
        for (index, &mv) in candidates.iter().enumerate() {
            let mut after = before.clone();
            self.0.play(&mut after, mv);
            let write = |out: &mut String| {
                self.0.write_move(&before, &candidates, index, &after, notation, out);
            };
            texts.push_with(write);
        }
        Ok(texts)
    }

    fn positions_along(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<Texts, Error> {
        let start = start_of(&self.0, start)?;
        let mut positions = PositionSink(vec![start.clone()]);
        walk(&self.0, start, &mut TextSource::new(&self.0, moves), &mut positions);
        let mut texts = Texts::default();
        for position in &positions.0 {
            texts.push_with(|out| self.0.write_position(position, out));
        }
        Ok(texts)
    }

    fn perft(&self, start: Option<&str>, depth: u32) -> Result<u64, Error> {
        fn count<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let mut candidates = Vec::with_capacity(64);
            game.candidates(position, &mut candidates);
            if depth == 1 {
                return candidates.len() as u64;
            }
            candidates
                .iter()
                .map(|&mv| {
                    let mut after = position.clone();
                    game.play(&mut after, mv);
                    count(game, &after, depth - 1)
                })
                .sum()
        }
        Ok(count(&self.0, &start_of(&self.0, start)?, depth))
    }
}

/// Counts how many moves of a line each notation spells as they are written.
struct Tally<'a, G> {
    game: &'a G,
    written: std::slice::Iter<'a, &'a str>,
    counts: Vec<(Notation, u32)>,
    text: String,
}

impl<G: Game> MoveSink<G> for Tally<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        let Some(&written) = self.written.next() else { return };
        let Ply { before, candidates, index, after } = *ply;
        for (notation, count) in &mut self.counts {
            self.text.clear();
            self.game.write_move(before, candidates, index, after, *notation, &mut self.text);
            *count += u32::from(self.text == written);
        }
    }
}

/// What a walk, an encoder and a text writer leave.
fn encoded_line<G: Game>(end: Walk<G>, encoder: impl Finish, texts: Texts) -> EncodedLine {
    let bits = encoder.bits();
    let code = encoder.finish();
    let whole = || u32::try_from(code.len()).unwrap_or(u32::MAX).saturating_mul(8);
    let bits = bits.unwrap_or_else(whole);
    EncodedLine { plies: end.plies, bits, code, texts, stopped: end.stopped }
}

impl<G: Game, C: LineCodec<G>> LineRow<G, C> {
    fn decode_into(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        sink: &mut impl MoveSink<G>,
    ) -> Result<(), Error> {
        if plies > PLIES_MAX {
            return Err(Error::TooLong { plies, max: PLIES_MAX });
        }
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let mut decoder = self.codec.decoder(game, &start, plies, code)?;
        let end = walk(game, start, &mut decoder, sink);
        end.stopped.map_or(Ok(()), Err)
    }

    fn encode_from(
        &self,
        start: Option<&str>,
        source: &mut impl MoveSource<G>,
        notation: Notation,
    ) -> Result<EncodedLine, Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let mut sinks = (self.codec.encoder(game, &start), TextSink::new(game, notation));
        let end = walk(game, start, source, &mut sinks);
        Ok(encoded_line(end, sinks.0, sinks.1.texts))
    }
}

impl<G: Game, C: LineCodec<G>> ErasedLineCodec for LineRow<G, C> {
    fn game(&self) -> &'static dyn ErasedGame {
        self.game
    }

    fn info(&self) -> &'static CodecInfo {
        self.codec.info()
    }

    fn claims(&self) -> &'static [Claim] {
        self.claims
    }

    fn encode(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> Result<EncodedLine, Error> {
        self.encode_from(start, &mut TextSource::new(&self.game.0, moves), notation)
    }

    fn decode(
        &self,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<Texts, Error> {
        let mut sink = TextSink::new(&self.game.0, notation);
        self.decode_into(start, plies, code, &mut sink)?;
        Ok(sink.texts)
    }

    fn trunk<'a>(
        &'a self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<Box<dyn Trunk + 'a>, Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let mut sinks = (PositionSink(vec![start.clone()]), IndexSink::default());
        walk(game, start, &mut TextSource::new(game, moves), &mut sinks);
        Ok(Box::new(LineTrunk { row: self, positions: sinks.0.0, indices: sinks.1.0 }))
    }

    fn encode_indices(&self, start: Option<&str>, indices: &[u16]) -> Result<Vec<u8>, Error> {
        let game = &self.game.0;
        let start = start_of(game, start)?;
        let mut encoder = self.codec.encoder(game, &start);
        let end = walk(game, start, &mut IndexSource(indices.iter()), &mut encoder);
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
        self.decode_into(start, plies, code, &mut sink)?;
        Ok(sink.0)
    }
}

/// Keeps the positions of a line.
struct PositionSink<P>(Vec<P>);

impl<G: Game> MoveSink<G> for PositionSink<G::Position> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.0.push(ply.after.clone());
    }
}

/// A trunk of a codec's: the positions before the first move and after each.
struct LineTrunk<'a, G: Game, C> {
    row: &'a LineRow<G, C>,
    positions: Vec<G::Position>,
    /// Which candidate was played in each position but the last.
    indices: Vec<u16>,
}

impl<G: Game, C> LineTrunk<'_, G, C> {
    /// The position before the move at `ply`; that at the end for a ply beyond it.
    fn before(&self, ply: u32) -> G::Position {
        let last = self.positions.len() - 1;
        self.positions[usize::try_from(ply.saturating_sub(1)).unwrap_or(last).min(last)].clone()
    }

    /// Follows the line to each of these plies, which ascend, and makes an excursion from there.
    fn tour<T: Excursion<G>>(
        &self,
        traveller: &mut T,
        plies: impl Iterator<Item = u32>,
        mut visit: impl FnMut(&mut T, G::Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let game = &self.row.game.0;
        let mut candidates = Vec::with_capacity(64);
        let mut moves = (1..).zip(self.positions.windows(2).zip(&self.indices)).peekable();
        for ply in plies {
            while let Some((_, (around, &index))) = moves.next_if(|mv| mv.0 < ply) {
                let [before, after] = around else { continue };
                candidates.clear();
                game.candidates(before, &mut candidates);
                let candidates = &candidates;
                traveller.pass(&Ply { before, candidates, index: index.into(), after });
            }
            let at = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
            traveller.leave(self.indices.get(at).map(|&index| index.into()));
            visit(traveller, self.before(ply))?;
            traveller.come_back();
        }
        Ok(())
    }
}

/// One branch of several that are decoded from one code.
struct Leg<'s, S> {
    source: &'s mut S,
    /// The plies of the branches before.
    before: u32,
    plies: u32,
}

impl<G: Game, S: MoveSource<G>> MoveSource<G> for Leg<'_, S> {
    fn next(
        &mut self,
        ply: u32,
        position: &G::Position,
        candidates: &[G::Move],
    ) -> Result<Option<usize>, Error> {
        if ply > self.plies {
            return Ok(None);
        }
        self.source.next(self.before + ply, position, candidates)
    }

    fn played(&mut self, ply: &Ply<'_, G>) {
        self.source.played(ply);
    }
}

impl<G: Game, C: LineCodec<G>> Trunk for LineTrunk<'_, G, C> {
    fn encode_branch<'a>(
        &'a self,
        ply: u32,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> (EncodedLine, Box<dyn Trunk + 'a>) {
        let game = &self.row.game.0;
        let start = self.before(ply);
        let encoder = self.row.codec.encoder(game, &start);
        let texts = TextSink::new(game, notation);
        let positions = (PositionSink(vec![start.clone()]), IndexSink::default());
        let mut sinks = ((encoder, texts), positions);
        let end = walk(game, start, &mut TextSource::new(game, moves), &mut sinks);
        let ((encoder, texts), (positions, indices)) = sinks;
        let line = encoded_line(end, encoder, texts.texts);
        let (positions, indices) = (positions.0, indices.0);
        (line, Box::new(LineTrunk { row: self.row, positions, indices }))
    }

    fn decode_branch<'a>(
        &'a self,
        ply: u32,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<(Texts, Box<dyn Trunk + 'a>), Error> {
        if plies > PLIES_MAX {
            return Err(Error::TooLong { plies, max: PLIES_MAX });
        }
        let game = &self.row.game.0;
        let start = self.before(ply);
        let mut decoder = self.row.codec.decoder(game, &start, plies, code)?;
        let positions = (PositionSink(vec![start.clone()]), IndexSink::default());
        let mut sinks = (TextSink::new(game, notation), positions);
        let end = walk(game, start, &mut decoder, &mut sinks);
        if let Some(error) = end.stopped {
            return Err(error);
        }
        let (texts, (positions, indices)) = sinks;
        let (positions, indices) = (positions.0, indices.0);
        Ok((texts.texts, Box::new(LineTrunk { row: self.row, positions, indices })))
    }

    fn hints(&self) -> Vec<Hint> {
        let game = &self.row.game.0;
        let mut candidates = Vec::with_capacity(64);
        let mut last = None;
        let hint = |(around, &index): (&[G::Position], &u16)| {
            let [before, after] = around else { return Hint::default() };
            candidates.clear();
            game.candidates(before, &mut candidates);
            let ply = Ply { before, candidates: &candidates, index: index.into(), after };
            game.hint(&ply, last.replace(ply.mv()))
        };
        self.positions.windows(2).zip(&self.indices).map(hint).collect()
    }

    fn spells(&self, ply: u32, moves: &[&str], notation: Notation) -> bool {
        let game = &self.row.game.0;
        let mut source = TextSource::new(game, moves.iter().copied());
        let mut texts = TextSink::new(game, notation);
        let end = walk(game, self.before(ply), &mut source, &mut texts);
        end.stopped.is_none() && texts.texts.iter().eq(moves.iter().copied())
    }

    fn encode_branches(&self, branches: &[(u32, Vec<&str>)]) -> Option<Vec<u8>> {
        let plies: usize = branches.iter().map(|branch| branch.1.len()).sum();
        u32::try_from(plies).ok().filter(|&plies| plies <= PLIES_MAX)?;
        let game = &self.row.game.0;
        let mut encoder = self.row.codec.encoder(game, &self.before(0));
        let mut moves = branches.iter().map(|branch| branch.1.iter().copied());
        let toured = self.tour(&mut encoder, branches.iter().map(|b| b.0), |encoder, start| {
            let Some(moves) = moves.next() else { return Ok(()) };
            let end = walk(game, start, &mut TextSource::new(game, moves), encoder);
            end.stopped.map_or(Ok(()), Err)
        });
        toured.ok().map(|()| encoder.finish())
    }

    fn decode_branches(
        &self,
        branches: &[(u32, u32)],
        code: &[u8],
        notation: Notation,
    ) -> Result<Vec<Texts>, Error> {
        let plies = branches.iter().fold(0u32, |sum, branch| sum.saturating_add(branch.1));
        if plies > PLIES_MAX {
            return Err(Error::TooLong { plies, max: PLIES_MAX });
        }
        let game = &self.row.game.0;
        let start = self.before(0);
        let mut decoder = self.row.codec.decoder(game, &start, plies, code)?;
        let mut lengths = branches.iter().map(|branch| branch.1);
        let mut found = Vec::new();
        let mut before = 0;
        self.tour(&mut decoder, branches.iter().map(|branch| branch.0), |source, start| {
            let plies = lengths.next().unwrap_or(0);
            let mut texts = TextSink::new(game, notation);
            let end = walk(game, start, &mut Leg { source, before, plies }, &mut texts);
            before += plies;
            found.push(texts.texts);
            end.stopped.map_or(Ok(()), Err)
        })?;
        // What follows the last move is damage.
        decoder.next(plies + 1, &start, &[])?;
        Ok(found)
    }
}

impl<G: Game, C: PositionCodec<G>> ErasedPositionCodec for PositionRow<G, C> {
    fn game(&self) -> &'static dyn ErasedGame {
        self.game
    }

    fn info(&self) -> &'static CodecInfo {
        self.codec.info()
    }

    fn drops(&self) -> &'static [&'static str] {
        self.codec.drops()
    }

    fn bits(&self) -> Option<u32> {
        self.codec.bits()
    }

    fn claims(&self) -> &'static [Claim] {
        self.claims
    }

    fn encode(&self, text: &str) -> Result<PositionCode, Error> {
        let game = &self.game.0;
        self.codec.encode(game, &game.read_position(text)?)
    }

    fn decode(&self, code: &[u8]) -> Result<String, Error> {
        let game = &self.game.0;
        let mut text = String::new();
        game.write_position(&self.codec.decode(game, code)?, &mut text);
        Ok(text)
    }

    fn trial(
        &self,
        texts: &mut dyn Iterator<Item = &str>,
    ) -> Result<Box<dyn PositionTrial + '_>, Error> {
        let game = &self.game.0;
        let mut trial = Trial { row: self, positions: Vec::new(), codes: Vec::new(), refused: 0 };
        for text in texts {
            let position = game.read_position(text)?;
            // What a codec drops must not count as a difference, so compare with what comes back.
            match self.codec.encode(game, &position) {
                Ok(code) => trial.positions.push(match self.drops() {
                    [] => position,
                    _ => self.codec.decode(game, &code.bytes)?,
                }),
                Err(_) => trial.refused += 1,
            }
        }
        Ok(Box::new(trial))
    }
}

/// Positions with their codes.
struct Trial<'a, G: Game, C> {
    row: &'a PositionRow<G, C>,
    positions: Vec<G::Position>,
    codes: Vec<PositionCode>,
    refused: u32,
}

impl<G: Game, C: PositionCodec<G>> PositionTrial for Trial<'_, G, C> {
    fn refused(&self) -> u32 {
        self.refused
    }

    fn encode(&mut self) {
        let (codec, game) = (&self.row.codec, &self.row.game.0);
        self.codes.clear();
        let codes = self.positions.iter().filter_map(|position| codec.encode(game, position).ok());
        self.codes.extend(codes);
    }

    fn codes(&self) -> &[PositionCode] {
        &self.codes
    }

    fn decode(&self) -> bool {
        let (codec, game) = (&self.row.codec, &self.row.game.0);
        let mut pairs = self.codes.iter().zip(&self.positions);
        self.codes.len() == self.positions.len()
            && pairs.all(|(code, position)| {
                codec.decode(game, &code.bytes).is_ok_and(|back| back == *position)
            })
    }
}
