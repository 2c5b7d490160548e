//! `plypack pack`: packs files of games or of positions into one Parquet file.

mod summary;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser};
use indicatif::ProgressBar;
use plypack::{Error, LineCodec, PackReport, Packer, Progress};
use plypack_games::{GAMES, Tier, tier, tiers};

pub(super) use self::summary::{tell, tell_kept, tell_model, tell_not_understood};
use crate::failure::{Failure, VERBATIM};
use crate::{files, interrupt, progress};

/// Pack files of games or of positions into one Parquet file.
///
/// Every file in a folder, a tar archive (compressed or not) or a zip archive is packed under its
/// path, and `unpack -o DIR/` restores the files.
///
/// Games are in PGN, SGF, web pages with DhtmlXQ, XQF, CBR, CBL, CBF, transcripts (one game per
/// line), WTHOR or PSQ; positions are FEN or EPD, one per line.
///
/// A database of SCID or ChessBase is named by its index, .si4 or .cbh, with its other files beside
/// it, or by ChessBase's archive of it, .cbv; or it is in a folder or an archive. It is packed as
/// the PGN that its games make; what PGN has no place for is counted.
///
/// Tables of games are read, too: Parquet files with a column `movetext`, as published by Lichess.
/// Each row is turned into PGN, which `unpack` gives back: columns of text, whole numbers, dates
/// and times become tags, NULL becomes no tag, and other columns are left out and named. Name such
/// a file instead of piping it, and name the output with -o.
///
/// Formats are recognised by content; the first input decides whether the packed file holds games
/// or positions. `unpack` restores every byte; what is not understood is kept as it is. Inputs
/// compressed with zstd, gzip, bzip2 or xz are recognised by their first bytes and packed
/// decompressed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack pack games.pgn                      writes games.parquet
  plypack pack a.pgn b.pgn.zst -o both.parquet
  plypack pack KGS.tar.gz                     writes KGS.parquet
  plypack pack folder/ more.zip -o all.parquet
  plypack pack lichess.parquet -o games.parquet
  curl -s https://example.org/games.pgn | plypack pack - -o games.parquet")]
pub struct Arguments {
    /// The files, folders and archives to pack, in this order; `-` is standard input
    #[arg(required = true)]
    pub(super) inputs: Vec<PathBuf>,
    /// The file to write [default: beside the first input, with its name and .parquet:
    /// dir/games.parquet for dir/games.pgn.zst or dir/games.tar.gz]
    #[arg(short, long)]
    pub(super) output: Option<PathBuf>,
    /// The game of the records [default: from each game's tags or the input's transcripts or
    /// positions, else chess]
    #[arg(long, value_parser = crate::verbs::codecs::game_name)]
    pub(super) game: Option<String>,
    /// The model to code moves with [default: default, or the best that the game has]
    #[arg(long, conflicts_with = "codec", value_parser = PossibleValuesParser::new(models()))]
    pub(super) model: Option<String>,
    /// The codec for moves or positions, in place of a model; `plypack codecs` lists the choices
    /// [default: the model's codec; for positions board.blocks, which makes the smallest files]
    #[arg(long)]
    pub(super) codec: Option<String>,
    /// Also build the position index beside the output, for `find` and `tree`
    #[arg(long)]
    pub(super) index: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    pub(super) threads: usize,
    /// Overwrite an existing output
    #[arg(short, long)]
    pub(super) force: bool,
    /// Ignored; inputs are always kept
    #[arg(short, long)]
    pub(super) keep: bool,
    /// Exit with code 3 if records or moves had to be kept as text, or if nothing in a record was
    /// understood
    #[arg(long)]
    pub(super) strict: bool,
    /// Print no summary and no progress
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Name the records whose moves or position could not all be coded
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// Print the summary as one JSON object on standard output
    #[arg(long)]
    pub(super) json: bool,
}

/// Returns the tiers of all games, each once.
pub(super) fn models() -> Vec<PossibleValue> {
    let mut models: Vec<&Tier> = Vec::new();
    for tier in GAMES.iter().flat_map(|game| tiers(game.info().name)) {
        if models.iter().all(|other| other.name != tier.name) {
            models.push(tier);
        }
    }
    models.into_iter().map(|tier| PossibleValue::new(tier.name).help(tier.about)).collect()
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut packer = options(packer(arguments), arguments, None)?;
    packer.check_inputs()?;
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None => packer.default_output().map_err(unnamed)?,
    };
    let report = if files::is_standard_output(&output) {
        if arguments.index {
            return Err(Failure::new("--index needs an output file; name one with -o"));
        }
        if arguments.json {
            return Err(Failure::new(
                "--json needs standard output; write the games to a file with -o",
            ));
        }
        let stream = files::binary_output()?;
        watched(arguments, 0, packer, |packer| packer.to_writer("standard output", stream))?
    } else {
        packer.check_output(&output).map_err(unnamed)?;
        files::refuse_folder(&output)?;
        files::refuse_terminal(files::is_terminal(&output))?;
        let packed = watched(arguments, 0, packer, |packer| packer.pack(&output));
        packed.map_err(Failure::leaving_nothing)?
    };
    tell(arguments, &report, &output)?;
    Ok(exit_code(arguments, &report))
}

/// Adds to an error that the output can be named.
fn unnamed(error: Error) -> Failure {
    Failure::from(error).with_hint(files::NAME_OUTPUT)
}

/// Returns what packs the inputs.
pub(super) fn packer<'a>(arguments: &Arguments) -> Packer<'a> {
    let packer = arguments.inputs.iter().fold(Packer::new(), Packer::input);
    let packer = packer.index(arguments.index).overwrite(arguments.force);
    packer.threads(arguments.threads).stop(interrupt::shared_flag())
}

/// Tells a packer how to code: as asked, for the game of `own` unless another is named. That is the
/// codec of the games that the new ones come to.
pub(super) fn options<'a>(
    mut packer: Packer<'a>,
    arguments: &Arguments,
    own: Option<LineCodec>,
) -> Result<Packer<'a>, Failure> {
    let own = own.map_or("chess", |codec| codec.rules().name());
    let game = arguments.game.as_deref().unwrap_or(own);
    if let Some(model) = &arguments.model {
        // Other games take its counterpart, so without a game it may be the model of any.
        let others = GAMES.iter().map(|game| game.info().name);
        let mut games = [game].into_iter().chain(others.filter(|_| arguments.game.is_none()));
        let with_it = games.find(|game| tier(game, model).is_some()).unwrap_or(game);
        packer = packer.line_codec(super::codecs::find_tier(with_it, model)?);
    } else {
        let (line, positions) = super::codecs::find_both(game, arguments.codec.as_deref())?;
        if arguments.codec.is_some() {
            packer = packer.line_codec(line);
        }
        if let Some(codec) = positions {
            packer = packer.position_codec(codec);
        }
    }
    Ok(if arguments.game.is_some() { packer.rules(game.parse()?) } else { packer })
}

/// Returns the exit code of a run that packed.
pub(super) fn exit_code(arguments: &Arguments, report: &PackReport) -> ExitCode {
    let kept_as_text = report.verbatim > 0 || report.faulty > 0 || report.unread > 0;
    let fails = arguments.strict && kept_as_text;
    if fails { ExitCode::from(VERBATIM) } else { ExitCode::SUCCESS }
}

/// Packs with a progress bar of the bytes that are read. Where an index is built afterwards,
/// another one is of the file's records, of which there were some `before`.
pub(super) fn watched(
    arguments: &Arguments,
    before: u64,
    packer: Packer<'_>,
    pack: impl FnOnce(Packer<'_>) -> Result<PackReport, Error>,
) -> Result<PackReport, Failure> {
    let quiet = arguments.quiet || arguments.json;
    let (mut packing, mut indexing) = (None, None);
    let mut told = Progress::default();
    let packed = pack(packer.progress(|so_far| {
        if so_far.bytes > told.bytes {
            let bar = packing.get_or_insert_with(|| progress::bar(so_far.size, true, quiet));
            bar.set_position(so_far.read);
            bar.set_message(progress::counted(so_far.records, "record"));
        } else {
            // Records without bytes are being indexed.
            let total = before + told.records;
            packing.take().inspect(ProgressBar::finish_and_clear);
            let bar = indexing.get_or_insert_with(|| progress::bar(Some(total), false, quiet));
            bar.inc(so_far.records - told.records);
        }
        told = *so_far;
        ControlFlow::Continue(())
    }));
    packing.or(indexing).inspect(ProgressBar::finish_and_clear);
    Ok(packed?)
}
