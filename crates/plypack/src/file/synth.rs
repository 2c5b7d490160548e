//! Makes synthetic games.

use std::fmt;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::pack::{PackReport, Packer};
use super::work::{Working, overwriting, working};
use crate::error::Error;
use crate::line::LineCodec;
use crate::store::synth::{Reader, Synth, write};
use crate::store::{Compressed, Error as Inner, Existing, Output};

/// The size of the buffer before an output, in bytes.
const BUFFER_BYTES: usize = 1 << 16;

/// Makes synthetic games, with options, for tests with many games.
///
/// Moves are drawn from the model of a codec, so that openings, captures and lengths resemble those
/// of real games. Names, dates, ratings and results are made up to match, and the event says so.
/// The same codec and seed give the same games on any computer and any number of threads; fewer
/// games are the first of more.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{LineCodec, Synthesizer};
///
/// let codec = "tictactoe/small".parse::<LineCodec>()?;
/// let mut games = Vec::new();
/// Synthesizer::new(codec, 2).seed(7).to_writer(&mut games)?;
/// assert!(games.starts_with(b"[Variant \"tictactoe\"]"));
/// let packed = std::env::temp_dir().join("plypack-synthesized.parquet");
/// assert_eq!(Synthesizer::new(codec, 2).seed(7).pack(&packed)?.records, 2);
/// # Ok(())
/// # }
/// ```
#[must_use = "call `to_writer`, `to_file` or `pack` to make games up"]
pub struct Synthesizer<'a> {
    codec: LineCodec,
    games: u64,
    seed: u64,
    existing: Existing,
    work: Working<'a>,
}

impl<'a> Synthesizer<'a> {
    /// Returns a synthesizer of this many games, whose moves are drawn from the model of `codec`.
    pub fn new(codec: LineCodec, games: u64) -> Self {
        Self { codec, games, seed: 1, existing: Existing::default(), work: Working::default() }
    }

    /// Sets the seed; each gives another series of games. The default is 1.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    overwriting! {}

    working! {
        /// Calls `progress` after every few hundred games, or as [`Packer::progress`] does; it may
        /// stop the work.
    }

    /// Writes the games as text: as SGF for go, othello and gomoku, and as PGN for other games.
    /// Games that are written before an error are whole.
    ///
    /// # Errors
    /// Returns [`Error::Model`] if the codec has no model to draw from; [`Error::Io`] if `writer`
    /// fails; [`Error::Stopped`].
    pub fn to_writer(self, mut writer: impl Write + Send) -> Result<(), Error> {
        let Self { codec, games, seed, work, .. } = self;
        let synth = Synth::new(codec.0, seed).map_err(Error::model)?;
        let name = synth.name();
        let sink = &mut |bytes: &[u8]| writer.write_all(bytes).map_err(Inner::io(&name));
        let written = work.run(|work| write(&synth, games, work, sink));
        let flushed = writer.flush().map_err(Error::io(Path::new(&name)));
        written.and(flushed)
    }

    /// Writes the games as text to a file at `output`, compressed if its name ends in `.zst`, `.gz`
    /// or `.xz`. The file gets its name once all of it is on disk; an error leaves an existing one
    /// unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Model`] if the codec has no model to draw from; [`Error::Io`];
    /// [`Error::Exists`]; [`Error::Stopped`].
    pub fn to_file(self, output: impl AsRef<Path>) -> Result<(), Error> {
        let output = output.as_ref();
        let mut file = Output::begin(output, self.existing).map_err(Error::file)?;
        let compressed = Compressed::new(&mut file, output).map_err(Error::io(output))?;
        let mut writer = BufWriter::with_capacity(BUFFER_BYTES, compressed);
        self.to_writer(&mut writer)?;
        let compressed = writer.into_inner().map_err(|error| error.into_error());
        compressed.and_then(Compressed::finish).map_err(Error::io(output))?;
        file.publish().map_err(Error::file)
    }

    /// Packs the games into a file at `output`, by the codec that they are drawn from. The file
    /// gets its name once all of it is on disk; an error leaves an existing one unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Model`] if the codec has no model to draw from; [`Error::Io`];
    /// [`Error::Exists`]; [`Error::Stopped`].
    pub fn pack(self, output: impl AsRef<Path>) -> Result<PackReport, Error> {
        let Self { codec, games, seed, existing, work } = self;
        let synth = Synth::new(codec.0, seed).map_err(Error::model)?;
        let name = synth.name();
        let reader = Reader::new(synth, games, work.stop.clone());
        let packer = Packer::new().rules(codec.rules()).line_codec(codec).reader(name, reader);
        packer.set(existing, work).pack(output)
    }
}

impl fmt::Debug for Synthesizer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Synthesizer")
            .field("codec", &self.codec)
            .field("games", &self.games)
            .field("seed", &self.seed)
            .field("threads", &self.work.threads)
            .finish_non_exhaustive()
    }
}
