//! `plypack synth`: makes up games, to test what must hold many.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use plypack::store::synth::{Reader, Synth};
use plypack::store::{
    Compressed, Destination, Error as StoreError, Options, Output, Source, Work, import_to,
};
use plypack::{Error, Synthesizer};
use plypack_core::{ErasedLineCodec, ErasedRules};
use plypack_games::{GAMES, usual_line_codec};

use super::codecs::game_name;
use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// Make up games, to test a program or a computer with many.
///
/// Moves are drawn from a model, so openings, captures and lengths resemble those of real games;
/// names, dates, ratings and results are made up to match, and the event says so. The same game,
/// model and seed give the same games on any computer; fewer games are the first of more. Go,
/// othello and gomoku are written as SGF, the others as PGN.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack synth --game chess --games 1000 > games.pgn
  plypack synth --game go --games 1000 --seed 7 -o games.sgf
  plypack synth --game chess --games 10000000 --model fast -o games.parquet")]
pub struct Arguments {
    /// The game
    #[arg(long, ignore_case = true, value_parser = games())]
    game: String,
    /// Number of games
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed; each gives another series of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The model to draw moves from, and to code them with in a packed file [default: default, or
    /// the best that the game has]
    #[arg(long, conflicts_with = "codec", value_parser = models())]
    model: Option<String>,
    /// The codec whose model to draw from, in place of --model; `plypack codecs` lists the choices
    #[arg(long)]
    codec: Option<String>,
    /// The file to write, packed if its name ends in .parquet [default: standard output, as text]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

/// Returns a parser for the names of games.
fn games() -> impl TypedValueParser<Value = String> {
    let value = |game: &&dyn ErasedRules| {
        let info = game.info();
        PossibleValue::new(info.name).alias(info.title)
    };
    PossibleValuesParser::new(GAMES.iter().map(value)).try_map(|name| game_name(&name))
}

/// Returns a parser for the names of all games' models.
fn models() -> PossibleValuesParser {
    PossibleValuesParser::new(super::pack::models())
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let game = &arguments.game;
    let codec = match &arguments.model {
        Some(model) => super::codecs::find_tier(game, model)?,
        None => super::codecs::find(game, arguments.codec.as_deref())?,
    };
    let output = arguments.output.as_deref().unwrap_or(Path::new(files::STANDARD));
    if files::is_standard_output(output) {
        let mut stdout = BufWriter::with_capacity(1 << 16, std::io::stdout());
        // Games before an interrupt are complete.
        print(arguments, codec, &mut stdout, Path::new("standard output"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut file = files::begin_output(output, arguments.force)?;
    let written = if output.extension().is_some_and(|extension| extension == "parquet") {
        files::refuse_terminal(file.is_terminal())?;
        pack(arguments, codec, &mut file, output)
    } else {
        let failed = || StoreError::io(output);
        let compressed = Compressed::new(&mut file, output).map_err(failed())?;
        let mut writer = BufWriter::with_capacity(1 << 16, compressed);
        print(arguments, codec, &mut writer, output).and_then(|()| {
            let compressed = writer.into_inner().map_err(|error| failed()(error.into_error()))?;
            Ok(compressed.finish().map(drop).map_err(failed())?)
        })
    };
    written.map_err(Failure::leaving_nothing)?;
    file.publish()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the games as text.
fn print(
    arguments: &Arguments,
    codec: &'static dyn ErasedLineCodec,
    output: &mut (impl Write + Send),
    name: &Path,
) -> Result<(), Failure> {
    let Arguments { game, games, seed, threads, quiet, .. } = arguments;
    let codec = format!("{game}/{}", codec.info().text()).parse()?;
    let bar = progress::bar(Some(*games), false, *quiet);
    let synthesizer = Synthesizer::new(codec, *games).seed(*seed).threads(*threads);
    let synthesizer = synthesizer.stop(interrupt::shared_flag());
    let written = synthesizer.progress(progress::moved(&bar, false)).to_writer(output);
    bar.finish_and_clear();
    written.map_err(|error| match error {
        Error::Model { message, .. } => unfit(game, &message),
        Error::Io { source, .. } => StoreError::io(name)(source).into(),
        error => error.into(),
    })
}

/// Packs the games.
fn pack(
    arguments: &Arguments,
    codec: &'static dyn ErasedLineCodec,
    output: &mut Output,
    name: &Path,
) -> Result<(), Failure> {
    let Arguments { game, games, seed, threads, quiet, .. } = arguments;
    let synth = Synth::new(codec, *seed).map_err(|error| unfit(game, &error.to_string()))?;
    let options = Options { codec, positions: None, detect: false };
    let input = synth.name();
    let reader = Box::new(Reader::new(synth, *games, interrupt::shared_flag()));
    let sources = vec![Source::new(input, reader)];
    let mut destination = Destination::new(output, name);
    let import = |work: &Work<'_>| import_to(sources, &mut destination, &options, work);
    progress::watched(*games, *threads, *quiet, import)?;
    Ok(())
}

/// Explains why a codec cannot be used, and names one that can.
fn unfit(game: &str, why: &str) -> Failure {
    let usual = usual_line_codec(game).map_or("line.uniform", |codec| codec.info().name);
    Failure::new(format!("{why}, as `{usual}` does"))
}
