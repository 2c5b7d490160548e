//! What a codec is: a name and a number that never change their meaning, and a pair of functions.

use thiserror::Error as ThisError;

use crate::erased::{ErasedLineCodec, ErasedPositionCodec};
use crate::error::{Error, readable};
use crate::game::Game;
use crate::line::{MoveSink, MoveSource, Ply};

/// Numbers from this one on are a game's own: what is trained anew for one game takes the next that
/// the game has not used, and other games may use it for something else. Numbers below it mean the
/// same codec, or the first of its name, in every game.
pub const OWN_NUMBERS: u16 = 128;

/// The facts about a codec.
#[derive(Debug)]
pub struct CodecInfo {
    /// The codec's name, as on the command line and in files.
    pub name: &'static str,
    /// The codec's number in stored bytes. Never reused, never changed: a codec with a table that
    /// was trained anew keeps its name and gets a number that is greater.
    pub id: u16,
    /// One sentence on how it works.
    pub summary: &'static str,
    /// The article, paper or format that it follows.
    pub source: &'static str,
}

impl CodecInfo {
    /// The codec as files name it, by name and number: `line.default/5`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}/{}", self.name, self.id)
    }
}

/// A row of a registry of codecs. Of one name the newest is the one with the greatest number.
pub trait CodecRow: Copy {
    /// The facts about the codec.
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

/// The codec that a person names: the newest of this name, `line.default`, or the one of this name
/// and number, `line.default/5`.
pub fn named<R: CodecRow>(rows: impl Iterator<Item = R>, text: &str) -> Option<R> {
    let (name, number) = split(text);
    let number = number.map(read_number);
    let has = |info: &CodecInfo| number.is_none_or(|number| number == Some(info.id));
    let rows = rows.filter(|row| row.codec_info().name == name && has(row.codec_info()));
    rows.max_by_key(|row| row.codec_info().id)
}

/// The codec of this name and number, as a file names it. `text` is all that the file says, for the
/// message; what stands behind the first `/` of it, or all of it, is the codec's own.
///
/// # Errors
/// If it is not here: another version of the program wrote it.
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
        _ => Err(UnknownCodec::Newer { codec }),
    }
}

/// A codec's name and, if the text has it, its number.
fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once('/').map_or((text, None), |(name, number)| (name, Some(number)))
}

/// A number in its one spelling.
fn read_number(text: &str) -> Option<u16> {
    let spelt = text.bytes().all(|byte| byte.is_ascii_digit());
    let spelt = spelt && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| spelt)
}

/// Why the codec that a file names is not here.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum UnknownCodec {
    /// It came after this version.
    #[error(
        "codec `{codec}` is unknown: a newer plypack wrote it; update plypack, and it can be read"
    )]
    Newer {
        /// What the file says.
        codec: String,
    },
    /// It was before the oldest of its name.
    #[error(
        "codec `{codec}` is no longer known: a plypack before version 1 wrote it; unpack the file \
         with that one and pack it again"
    )]
    Dropped {
        /// What the file says.
        codec: String,
    },
    /// The file names no number.
    #[error(
        "codec `{codec}` has no number, as in `line.uniform/2`: a plypack before version 1 wrote \
         it; unpack the file with that one and pack it again"
    )]
    Unnumbered {
        /// What the file says.
        codec: String,
    },
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
