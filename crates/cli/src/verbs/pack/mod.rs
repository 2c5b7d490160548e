//! `plypack pack`: packs files of games or of positions into one Parquet file.

mod summary;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::builder::{PossibleValue, PossibleValuesParser};
use plypack::store::input::database::losses::Loss;
use plypack::store::input::opening::{self, BytesRead, Input, Opened};
use plypack::store::{
    Destination, Done, Error, Options, Report, Sources, Work, import_to, versions,
};
use plypack_games::{GAMES, Tier, tiers};

use self::summary::tell;
pub(super) use self::summary::{tell_kept, tell_model, tell_not_understood};
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
    let game = arguments.game.as_deref().unwrap_or("chess");
    let (codec, positions) = match &arguments.model {
        Some(model) => (super::codecs::find_tier(game, model)?, None),
        None => super::codecs::find_both(game, arguments.codec.as_deref())?,
    };
    let detect = arguments.game.is_none();
    let options = Options { codec, positions, detect };
    pack_inputs(arguments, &options, &mut |error| Err(error))
}

/// Packs inputs into a file of their own.
///
/// If another run creates a file of that name meanwhile, `next` may return another name.
pub(super) fn pack_inputs(
    arguments: &Arguments,
    options: &Options,
    next: &mut dyn FnMut(Error) -> Result<PathBuf, Error>,
) -> Result<ExitCode, Failure> {
    let inputs = look(&arguments.inputs)?;
    let holds_files = inputs.iter().any(Input::is_container);
    let mut output = match (&arguments.output, inputs.first()) {
        (Some(output), _) => output.clone(),
        (None, Some(first)) => named(first.default_output())?,
        (None, None) => return Err(Failure::new("name a file to pack")),
    };
    let (report, packed) = if files::is_standard_output(&output) {
        if arguments.index {
            return Err(Failure::new("--index needs an output file; name one with -o"));
        }
        if arguments.json {
            return Err(Failure::new(
                "--json needs standard output; write the games to a file with -o",
            ));
        }
        let mut stream = files::binary_output()?;
        let name = Path::new("standard output");
        let packed = pack(arguments, inputs, |sources, work| {
            import_to(sources, &mut Destination::new(&mut stream, name), options, work)
        })?;
        stream.flush()?;
        packed
    } else {
        inputs.iter().try_for_each(|input| named(input.check_apart(&output)))?;
        let file = files::begin_output(&output, arguments.force)?;
        files::refuse_terminal(file.is_terminal())?;
        let (done, packed) = pack(arguments, inputs, |sources, work| {
            versions::pack(sources, file, options, arguments.index, next, work)
        })
        .map_err(Failure::leaving_nothing)?;
        output = done.path;
        (done.report, packed)
    };
    let packed = Packed { holds_files, ..packed };
    tell(arguments, &report, &packed, &output)?;
    Ok(exit_code(arguments, &report))
}

/// Adds to an error that the output can be named.
fn named<T>(done: Result<T, Error>) -> Result<T, Failure> {
    done.map_err(|error| Failure::from(error).with_hint(files::NAME_OUTPUT))
}

/// Determines the kinds of all inputs.
pub(super) fn look(inputs: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    inputs.iter().map(|input| Ok(Input::look(input)?)).collect()
}

/// Returns the exit code of a run that packed.
pub(super) fn exit_code(arguments: &Arguments, report: &Report) -> ExitCode {
    let kept_as_text = report.verbatim_records() > 0 || report.faulty > 0 || report.unread > 0;
    let fails = arguments.strict && kept_as_text;
    if fails { ExitCode::from(VERBATIM) } else { ExitCode::SUCCESS }
}

/// Opens inputs and has `work` pack them, with progress.
pub(super) fn pack<T>(
    arguments: &Arguments,
    inputs: Vec<Input>,
    work: impl FnOnce(Sources, &Work<'_>) -> Result<T, Error>,
) -> Result<(T, Packed), Failure> {
    let read = BytesRead::default();
    let Opened { sources, count, size, left_out, losses } = opening::open(inputs, &read)?;
    let bar = progress::bar(size, true, arguments.quiet || arguments.json);
    let records = AtomicU64::new(0);
    let progress = |done: Done| {
        let records = records.fetch_add(done.records, Ordering::Relaxed) + done.records;
        bar.set_position(read.get());
        bar.set_message(progress::counted(records, "record"));
    };
    let done = work(sources, &Work { progress: &progress, ..interrupt::work(arguments.threads) });
    bar.finish_and_clear();
    let inputs = count.load(Ordering::Relaxed);
    let left_out = left_out.into_iter().collect();
    let done = done?;
    let losses = losses.counts();
    Ok((done, Packed { inputs, holds_files: false, left_out, losses }))
}

/// Facts about the inputs that the report lacks.
pub(super) struct Packed {
    /// Number of inputs; each file in a folder or archive counts.
    inputs: u64,
    /// Whether there was a folder or an archive.
    holds_files: bool,
    /// For each input that is a table, the columns that PGN has no place for.
    left_out: BTreeMap<String, Vec<String>>,
    /// What the databases, which were read as PGN, hold that it does not, by database and kind.
    losses: BTreeMap<String, BTreeMap<&'static str, Loss>>,
}
