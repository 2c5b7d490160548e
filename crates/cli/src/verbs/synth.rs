//! `plypack synth`: makes up games, to test what must hold many.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use plypack::{Error, Synthesizer};
use plypack_core::ErasedRules;
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
        None => super::codecs::of_face(super::codecs::find(game, arguments.codec.as_deref())?)?,
    };
    let bar = progress::bar(Some(arguments.games), false, arguments.quiet);
    let synthesizer = Synthesizer::new(codec, arguments.games).seed(arguments.seed);
    let synthesizer = synthesizer.threads(arguments.threads).stop(interrupt::shared_flag());
    let synthesizer = synthesizer.progress(progress::moved(&bar, false)).overwrite(arguments.force);
    let output = arguments.output.as_deref().unwrap_or(Path::new(files::STANDARD));
    let is_standard = files::is_standard_output(output);
    let written = if is_standard {
        synthesizer.to_writer(BufWriter::with_capacity(1 << 16, std::io::stdout()))
    } else if output.extension().is_some_and(|extension| extension == "parquet") {
        files::refuse_terminal(files::is_terminal(output))?;
        synthesizer.pack(output).map(drop)
    } else {
        synthesizer.to_file(output)
    };
    bar.finish_and_clear();
    let failed = |error| match error {
        Error::Model { message, .. } => unfit(game, &message),
        Error::Io { source, .. } if is_standard => source.into(),
        // Games before an interrupt are complete.
        error if is_standard => error.into(),
        error => Failure::from(error).leaving_nothing(),
    };
    written.map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Explains why a codec cannot be used, and names one that can.
fn unfit(game: &str, why: &str) -> Failure {
    let usual = usual_line_codec(game).map_or("line.uniform", |codec| codec.info().name);
    Failure::new(format!("{why}, as `{usual}` does"))
}
