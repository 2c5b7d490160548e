//! What a codec is: a name and a number that never change their meaning, and a pair of functions.

use crate::error::Error;
use crate::game::Game;
use crate::line::{MoveSink, MoveSource, Ply};

/// The facts about a codec.
#[derive(Debug)]
pub struct CodecInfo {
    /// The codec's name, as on the command line and in files.
    pub name: &'static str,
    /// The codec's number in stored bytes. Never reused, never changed.
    pub id: u16,
    /// One sentence on how it works.
    pub summary: &'static str,
    /// The article, paper or format that it follows.
    pub source: &'static str,
}

/// A figure stated by a source, with ours beside it. A test measures ours.
#[derive(Debug)]
pub struct Claim {
    /// Who says so.
    pub source: &'static str,
    /// What was coded: the moves of a line, separated by spaces, or a position's text.
    pub case: &'static str,
    /// Where the line starts, if not in the usual position.
    pub start: Option<&'static str>,
    /// The case in words.
    pub what: &'static str,
    /// Their figure, in bits.
    pub their_bits: u32,
    /// Ours, in bits: of a line all of them, of a position those of the board if the codec can tell
    /// them apart.
    pub our_bits: u32,
    /// Why the two differ, or what both are made of.
    pub why: &'static str,
}

/// Codes the moves of a line, from a known start, into bytes and back.
///
/// The number of plies is kept by the caller, and so is the start.
pub trait LineCodec<G: Game>: Send + Sync + 'static {
    /// The facts about the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Begins to encode a line that starts at `start`.
    fn encoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
    ) -> impl MoveSink<G> + Excursion<G> + Finish + 'a;

    /// Begins to decode `plies` moves from `code`.
    ///
    /// # Errors
    /// [`Error::Cell`] if the bytes cannot be this codec's.
    fn decoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<G> + Excursion<G> + 'a, Error>;
}

/// How an encoder or a decoder follows a line that is known, to code only what branches from it.
/// What remembers nothing of the moves before need not do anything.
pub trait Excursion<G: Game> {
    /// Takes note of a move of the known line, which is not coded.
    fn pass(&mut self, _ply: &Ply<'_, G>) {}

    /// A branch begins where the line stands. It hardly begins with the candidate of this index,
    /// if there is one: that is how the line goes on.
    fn leave(&mut self, _known: Option<usize>) {}

    /// The branch is over: the line goes on from where it was left.
    fn come_back(&mut self) {}
}

/// The end of encoding.
pub trait Finish {
    /// The coded bytes.
    fn finish(self) -> Vec<u8>;

    /// How many bits of them are the code, if it does not end with a whole byte.
    fn bits(&self) -> Option<u32> {
        None
    }
}
