//! Codecs: a name and a number that never change their meaning, and a pair of functions.

use std::ops::ControlFlow;

use thiserror::Error as ThisError;

use crate::candidates::Candidates;
use crate::erased::{ErasedLineCodec, ErasedPositionCodec};
use crate::error::{Error, readable};
use crate::game::Rules;
use crate::line::{MoveSink, MoveSource, Ply, walk};

/// The first number that is specific to a game: a newly trained table takes the game's next unused
/// number, which may mean something else in another game. A lower number means the same codec, or
/// the first of its name, in every game.
pub const OWN_NUMBERS: u16 = 128;

/// The description of a codec.
#[derive(Debug)]
pub struct CodecInfo {
    /// The codec's name, as on the command line and in files.
    pub name: &'static str,
    /// The codec's number in stored bytes. It is never reused or changed: a codec with a newly
    /// trained table keeps its name and gets a greater number.
    pub id: u16,
    /// One sentence on how it works.
    pub summary: &'static str,
    /// The article, paper or format it follows.
    pub source: &'static str,
}

impl CodecInfo {
    /// Returns the codec as files name it: `line.default/5`.
    pub fn text(&self) -> String {
        format!("{}/{}", self.name, self.id)
    }
}

/// A row of a registry of codecs. Of rows with the same name, the greatest number is the newest.
pub trait CodecRow: Copy {
    /// Returns the description of the codec.
    fn codec_info(self) -> &'static CodecInfo;
}

impl CodecRow for &'static dyn ErasedLineCodec {
    fn codec_info(self) -> &'static CodecInfo {
        self.info()
    }
}

impl CodecRow for &'static dyn ErasedPositionCodec {
    fn codec_info(self) -> &'static CodecInfo {
        self.info()
    }
}

/// Finds the codec that a user names: `line.default` is the newest of that name, `line.default/5`
/// the one with that number.
pub fn named<R: CodecRow>(rows: impl Iterator<Item = R>, text: &str) -> Option<R> {
    let (name, number) = split(text);
    let number = number.map(read_number);
    let has = |info: &CodecInfo| number.is_none_or(|number| number == Some(info.id));
    let rows = rows.filter(|row| row.codec_info().name == name && has(row.codec_info()));
    rows.max_by_key(|row| row.codec_info().id)
}

/// The codecs of positions that require the feature `literature`.
const LEFT_OUT: &[&str] = if cfg!(feature = "literature") { &[] } else { &["board.lzma"] };

/// Finds the codec with the name and number that a file gives. `text` is the file's whole text, for
/// the message; the part after its first `/`, or all of it, names the codec.
///
/// # Errors
/// Returns an error if it is not registered: another version of the program wrote it.
pub fn stored<R: CodecRow>(
    rows: impl Iterator<Item = R> + Clone,
    codec: &str,
    text: &str,
) -> Result<R, UnknownCodec> {
    let (name, number) = split(codec);
    if let Some(row) = named(rows.clone(), codec).filter(|_| number.is_some()) {
        return Ok(row);
    }
    let codec = readable(text, 100);
    let newest = rows.map(CodecRow::codec_info).filter(|info| info.name == name);
    match (number, newest.map(|info| info.id).max()) {
        (None, _) => Err(UnknownCodec::Unnumbered { codec }),
        (Some(number), Some(newest)) if read_number(number).is_some_and(|n| n < newest) => {
            Err(UnknownCodec::Dropped { codec })
        }
        _ if LEFT_OUT.contains(&name) => Err(UnknownCodec::LeftOut { codec }),
        _ => Err(UnknownCodec::Newer { codec }),
    }
}

/// Splits a codec's name from its number, if any.
fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once('/').map_or((text, None), |(name, number)| (name, Some(number)))
}

/// Parses a number in its only valid spelling.
fn read_number(text: &str) -> Option<u16> {
    let spelt = text.bytes().all(|byte| byte.is_ascii_digit());
    let spelt = spelt && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| spelt)
}

/// Why the codec that a file names is unknown.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum UnknownCodec {
    /// It is newer than this version.
    #[error("codec `{codec}` is unknown: a newer plypack wrote it; update plypack to read it")]
    Newer {
        /// The text in the file.
        codec: String,
    },
    /// It is older than the oldest of that name in this version.
    #[error(
        "codec `{codec}` is no longer known: a plypack before version 1 wrote it; unpack the file \
         with that version and pack it again"
    )]
    Dropped {
        /// The text in the file.
        codec: String,
    },
    /// This build does not include it.
    #[error("codec `{codec}` is not in this build: it needs plypack's feature `literature`")]
    LeftOut {
        /// The text in the file.
        codec: String,
    },
    /// The file gives no number.
    #[error(
        "codec `{codec}` has no number, as in `line.uniform/2`: a plypack before version 1 wrote \
         it; unpack the file with that version and pack it again"
    )]
    Unnumbered {
        /// The text in the file.
        codec: String,
    },
}

/// A figure stated by a source, beside ours, which a test measures.
#[derive(Debug)]
pub struct Claim {
    /// The source of the figure.
    pub source: &'static str,
    /// What was coded: the moves of a line, separated by spaces, or a position's text.
    pub case: &'static str,
    /// The start of the line, if not the usual position.
    pub start: Option<&'static str>,
    /// The case in words.
    pub what: &'static str,
    /// Their figure, in bits.
    pub their_bits: u32,
    /// Ours, in bits: all of a line, or those of a position's board if the codec can tell.
    pub our_bits: u32,
    /// Why the two differ, or what both consist of.
    pub why: &'static str,
}

/// Codes the moves of a line, from a known start, into bytes and back.
///
/// The caller stores the start and the number of plies.
pub trait LineCodec<G: Rules>: Send + Sync + 'static {
    /// Whether any bytes decode to a line, so that random bytes sample moves as often as the model
    /// expects them.
    const SAMPLES: bool = false;

    /// Whether it also codes null moves ([`Rules::null`]).
    const NULLS: bool = false;

    /// Returns the description of the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Starts encoding a line that begins at `start`.
    fn encoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
    ) -> impl MoveSink<G> + Excursion<G> + Finish + 'a;

    /// Starts decoding `plies` moves from `code`.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if the bytes cannot be this codec's.
    fn decoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<G> + Excursion<G> + 'a, Error>;

    /// Decodes `plies` moves from `code` and passes each, and the position after it, to `seen`,
    /// until that breaks. Codecs that can do so without listing candidates override this.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies; `seen` has
    /// then got all moves up to there.
    fn replay(
        &self,
        game: &G,
        start: G::Position,
        plies: u32,
        code: &[u8],
        seen: &mut impl FnMut(G::Move, &G::Position) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        replay_by_walk(self, game, start, plies, code, seen)
    }
}

/// Replays a line as a walk, which lists candidates on demand.
pub(crate) fn replay_by_walk<G: Rules, C: LineCodec<G> + ?Sized>(
    codec: &C,
    game: &G,
    start: G::Position,
    plies: u32,
    code: &[u8],
    seen: &mut impl FnMut(G::Move, &G::Position) -> ControlFlow<()>,
) -> Result<(), Error> {
    replay_from(codec.decoder(game, &start, plies, code)?, game, start, seen)
}

/// Replays the moves of a source as a walk.
pub(crate) fn replay_from<G: Rules>(
    source: impl MoveSource<G>,
    game: &G,
    start: G::Position,
    seen: &mut impl FnMut(G::Move, &G::Position) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut source = Stoppable { source, stopped: false, seen };
    walk(game, start, &mut source, &mut ()).stopped.map_or(Ok(()), Err)
}

/// A source that shows positions, and ends when `seen` breaks.
struct Stoppable<'a, S, F> {
    source: S,
    stopped: bool,
    seen: &'a mut F,
}

impl<G: Rules, S: MoveSource<G>, F> MoveSource<G> for Stoppable<'_, S, F>
where
    F: FnMut(G::Move, &G::Position) -> ControlFlow<()>,
{
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        if self.stopped { Ok(None) } else { self.source.next(ply, candidates) }
    }

    fn played(&mut self, ply: &Ply<'_, G>) {
        self.source.played(ply);
        self.stopped = (self.seen)(ply.mv(), ply.after).is_break();
    }
}

/// Follows a known line in an encoder or a decoder, to code only the branches from it. A codec
/// without memory of earlier moves need not do anything.
pub trait Excursion<G: Rules> {
    /// Takes a move of the known line, which is not coded.
    fn pass(&mut self, _ply: &Ply<'_, G>) {}

    /// Begins a branch at this point of the line. `known` is the index of the line's own next move,
    /// which is an unlikely first move of the branch.
    fn leave(&mut self, _known: Option<usize>) {}

    /// Continues a branch behind moves that were passed. `known` is the index of the move that
    /// followed them where they were seen, which is an unlikely next move.
    fn doubt(&mut self, _known: Option<usize>) {}

    /// Ends the branch: the line continues where it was left.
    fn come_back(&mut self) {}
}

/// The end of encoding.
pub trait Finish {
    /// Returns the coded bytes.
    fn finish(self) -> Vec<u8>;

    /// Returns the length of the code in bits, if it does not end with a whole byte.
    fn bits(&self) -> Option<u32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn info(name: &'static str, id: u16) -> CodecInfo {
        CodecInfo { name, id, summary: "", source: "" }
    }

    static ROWS: [CodecInfo; 4] = [info("a", 5), info("a", 128), info("b", 7), info("a", 6)];

    impl CodecRow for &'static CodecInfo {
        fn codec_info(self) -> &'static CodecInfo {
            self
        }
    }

    #[test]
    fn two_numbers_of_a_name_live_side_by_side() {
        let named = |text| named(ROWS.iter(), text).map(|info| info.id);
        assert_eq!(named("a"), Some(128));
        assert_eq!((named("a/5"), named("a/128")), (Some(5), Some(128)));
        for text in ["c", "a/7", "a/05", "a/+5", "a/", "a/5/", "", "/", "b/65543"] {
            assert_eq!(named(text), None, "{text}");
        }
        for row in &ROWS {
            let found = stored(ROWS.iter(), &row.text(), "").map(|info| info.id);
            assert_eq!(found, Ok(row.id));
        }
    }

    #[test]
    fn what_is_not_here_is_newer_or_older() {
        let why = |text: &str| stored(ROWS.iter(), text, text).map(|info| info.id);
        for text in ["a/129", "c/5", "a/x", "a/70000", "b/5/2"] {
            assert_eq!(why(text), Err(UnknownCodec::Newer { codec: text.into() }));
        }
        for text in ["a/4", "a/127", "b/0"] {
            assert_eq!(why(text), Err(UnknownCodec::Dropped { codec: text.into() }));
        }
        for text in ["a", "c", ""] {
            assert_eq!(why(text), Err(UnknownCodec::Unnumbered { codec: text.into() }));
        }
    }
}
