//! Generated games: moves drawn from a model, and tags as in real records.
//!
//! A game depends only on the seed and its own number, not on the number of games or threads. It
//! starts from the game's usual position.

mod ending;
mod people;
mod profile;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::reading::record::notation;
use plypack_core::{ErasedLineCodec, Notation, Sample, SplitMix};
use plypack_records::{ItemKind, Layout, Rendering, format};
use rayon::prelude::*;

use crate::store::error::Error;
use crate::store::work::{Done, Work};
use ending::Ending;
use people::{People, Tags};
use profile::Profile;

/// Games generated before they are passed on.
const BATCH: u64 = 512;

/// Games that a thread generates at a time.
const CHUNK: usize = 8;

/// Why games cannot be made up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SynthError {
    /// The codec has no model to draw from.
    #[error("`{codec}` has no model to draw moves from; codecs driven by a range coder have one")]
    NoModel {
        /// The name of the codec.
        codec: &'static str,
    },
    /// The codec failed.
    #[error("{0}")]
    Code(#[from] plypack_core::Error),
    /// The layout is not in this build, or cannot hold a game.
    #[error("{0}")]
    Layout(String),
}

/// Generates games.
#[derive(Debug)]
pub struct Synth {
    codec: &'static dyn ErasedLineCodec,
    profile: &'static Profile,
    layout: Box<dyn Layout>,
    notation: Notation,
    seed: u64,
    people: People,
}

impl Synth {
    /// Creates a generator that draws moves from this codec's model.
    ///
    /// # Errors
    /// Returns an error if the codec has no model to draw from.
    pub fn new(codec: &'static dyn ErasedLineCodec, seed: u64) -> Result<Self, SynthError> {
        let info = codec.game().info();
        let profile = Profile::of(info.name);
        let layout = format::layout(profile.layout).map_err(SynthError::Layout)?;
        let notation = notation(layout.notation(), info).unwrap_or_default();
        let synth = Self { codec, profile, layout, notation, seed, people: People::new(seed) };
        synth.draw(0, &mut SplitMix::new(seed, 0))?;
        Ok(synth)
    }

    /// Returns the name of an input with such games: `synth.pgn`.
    pub fn name(&self) -> String {
        let format = format::of_layout(self.profile.layout).map(|format| format.info().name);
        format!("synth.{}", format.unwrap_or_default())
    }

    /// Draws a game of up to `plies` plies.
    fn draw(&self, plies: u32, random: &mut SplitMix) -> Result<Sample, SynthError> {
        let sample = self.codec.sample(None, plies, random, self.notation)?;
        sample.ok_or(SynthError::NoModel { codec: self.codec.info().name })
    }

    /// Returns the text of a game, by its number.
    ///
    /// # Errors
    /// Returns an error if the codec or the layout fails.
    pub fn game(&self, number: u64) -> Result<Vec<u8>, SynthError> {
        let random = &mut SplitMix::new(self.seed, number);
        let plies = self.profile.plies(random);
        let sample = self.draw(plies, random)?;
        let players = self.people.pair(random);
        let ending = Ending::of(self.profile, &sample, players, random);
        let mut tags = Tags::new(random, self.seed, players);
        let info = self.codec.game().info();
        self.profile.fill(info, &mut tags, &self.people, ending, random);
        let pieces: Vec<_> = sample.texts.iter().map(|text| (ItemKind::Move, text)).collect();
        let rendering = Rendering {
            tags: &tags.list(),
            pieces: &pieces,
            values: &[],
            number: 1,
            second: false,
        };
        let text = self.layout.render(&rendering);
        let why = || format!("the layout `{}` cannot hold a game", self.profile.layout);
        text.ok_or_else(|| SynthError::Layout(why()))
    }

    /// Returns the texts of the games with these numbers.
    fn batch(&self, numbers: Range<u64>, stop: &AtomicBool) -> Result<Vec<u8>, Error> {
        let starts: Vec<u64> = numbers.clone().step_by(CHUNK).collect();
        let chunk = |&start: &u64| {
            let mut texts = Vec::with_capacity(1 << 13);
            for number in start..numbers.end.min(start + CHUNK as u64) {
                crate::store::work::check(stop)?;
                let text = self.game(number).map_err(io::Error::other);
                texts.extend(text.map_err(Error::io("synth"))?);
            }
            Ok(texts)
        };
        let chunks: Result<Vec<Vec<u8>>, Error> = starts.par_iter().map(chunk).collect();
        Ok(chunks?.concat())
    }
}

/// Returns a number below `end`, small ones more often.
fn rather_small(random: &mut SplitMix, end: u32) -> u32 {
    let end = 1 + random.below(end);
    random.below(end)
}

/// Passes the texts of the first `games` games to `sink`, in order.
///
/// # Errors
/// Returns an error if `sink` fails or `stop` is set.
pub fn write(
    synth: &Synth,
    games: u64,
    work: &Work<'_>,
    sink: &mut (dyn FnMut(&[u8]) -> Result<(), Error> + Send),
) -> Result<(), Error> {
    work.run(|| {
        let batch = |from: u64| synth.batch(from..games.min(from.saturating_add(BATCH)), work.stop);
        let mut from = 0;
        let mut next = batch(from);
        while from < games {
            let texts = next?;
            let bytes = texts.len() as u64;
            let after = games.min(from.saturating_add(BATCH));
            let (given, following) = rayon::join(|| sink(&texts), || batch(after));
            given?;
            (work.progress)(Done { records: after - from, bytes });
            (from, next) = (after, following);
        }
        work.check()
    })
}

/// Generated games as an input, generated on the threads of the pool that reads it. Ends early if
/// `stop` is set.
#[derive(Debug)]
pub struct Reader {
    synth: Synth,
    games: u64,
    made: u64,
    stop: Arc<AtomicBool>,
    texts: io::Cursor<Vec<u8>>,
}

impl Reader {
    /// Creates a reader of the first `games` games.
    pub fn new(synth: Synth, games: u64, stop: Arc<AtomicBool>) -> Self {
        Self { synth, games, made: 0, stop, texts: io::Cursor::default() }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.texts.read(buffer)?;
            if read > 0 || self.made >= self.games || buffer.is_empty() {
                return Ok(read);
            }
            let after = self.games.min(self.made.saturating_add(BATCH));
            let texts = match self.synth.batch(self.made..after, &self.stop) {
                Ok(texts) => texts,
                Err(Error::Stopped) => return Ok(0),
                Err(error) => return Err(io::Error::other(error)),
            };
            self.texts = io::Cursor::new(texts);
            self.made = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use plypack_games::{GAMES, line_codec, usual_line_codec};

    use super::*;

    fn synth(game: &str, codec: &str, seed: u64) -> Synth {
        Synth::new(line_codec(game, codec).expect("it is registered"), seed).expect("a model")
    }

    /// Returns everything that [`write`] passes on.
    fn written(synth: &Synth, games: u64, threads: usize) -> Vec<u8> {
        let mut texts = Vec::new();
        let made = AtomicU64::new(0);
        let sink = &mut |bytes: &[u8]| {
            texts.extend_from_slice(bytes);
            Ok(())
        };
        let progress = |done: Done| _ = made.fetch_add(done.records, Ordering::Relaxed);
        let work = Work { progress: &progress, ..Work::on(threads) };
        write(synth, games, &work, sink).expect("games");
        assert_eq!(made.into_inner(), games);
        texts
    }

    #[test]
    fn a_game_depends_on_the_seed_and_its_number_alone() {
        let some = written(&synth("tictactoe", "line.uniform", 7), 600, 1);
        let more = written(&synth("tictactoe", "line.uniform", 7), 1_100, 2);
        assert!(more.starts_with(&some) && more.len() > some.len());
        let mut read = Vec::new();
        let mut reader = Reader::new(synth("tictactoe", "line.uniform", 7), 1_100, Arc::default());
        reader.read_to_end(&mut read).expect("games");
        assert!(read == more);
        let others = written(&synth("tictactoe", "line.uniform", 8), 600, 1);
        assert_ne!(some, others);
    }

    #[test]
    fn every_game_says_that_it_is_made_up() {
        for game in GAMES {
            let codec = usual_line_codec(game.info().name).expect("every game has one");
            let synth = Synth::new(codec, 5).expect("a model");
            for number in 0..2 {
                let text = String::from_utf8(synth.game(number).expect("a game")).expect("UTF-8");
                assert!(text.contains("plypack synth, seed 5"), "{text}");
            }
        }
    }

    #[test]
    fn codecs_without_a_model_are_refused() {
        let codec = line_codec("chess", "line.text").expect("it is registered");
        let refused = Synth::new(codec, 0).expect_err("no model");
        assert_eq!(refused, SynthError::NoModel { codec: "line.text" });
    }
}
