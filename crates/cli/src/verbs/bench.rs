//! `plypack bench`: measures every codec, and general compressors, on the user's own games or
//! positions.

mod positions;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ThreadTime;
use plypack::reading::game::in_turn;
use plypack::store::Content;
use plypack::store::sample::{Line, Lines, kind_of, read_lines};
use plypack_core::ErasedLineCodec;
use plypack_games::line_codecs;
use serde_json::json;

use super::codecs::names;
use crate::failure::Failure;
use crate::progress;

/// Measure every codec and general compressors on your own games or positions.
///
/// For games, the lines are measured, or the positions along them; for a file of positions, the
/// positions. Codecs code each line or position on its own; compressors get all movetext, or the
/// FENs of all positions, in one piece, which helps them.
///
/// Rates are plies or positions per second of CPU time on one core, from the best round. All
/// candidates take turns in each round, codecs of lines every 20 games, so that they meet the same
/// conditions. Bits are those of the codes alone: lines in whole bytes, positions to the bit.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack bench games.pgn
  plypack bench games.pgn --games 100000 --rounds 1
  plypack bench positions.epd --positions-max 100000")]
pub struct Arguments {
    /// A file of games or positions that `pack` reads, compressed or not, or a packed file
    file: PathBuf,
    /// The game of the records [default: that of the first record or of the positions, as `pack`
    /// finds it, else chess]
    #[arg(long, value_parser = crate::verbs::codecs::game_name)]
    game: Option<String>,
    /// Measure the positions along the main lines of games, including the start positions
    #[arg(long)]
    positions: bool,
    /// Use at most this many positions: if there are more, every second, fourth, and so on
    #[arg(long, default_value_t = 10_000)]
    positions_max: usize,
    /// Use at most this many games, from the start of the file
    #[arg(long, default_value_t = 10_000)]
    games: usize,
    /// Print no progress, and no note if only a part was measured
    #[arg(short, long)]
    quiet: bool,
    /// Number of rounds
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Print one JSON object per codec
    #[arg(long)]
    json: bool,
}

/// Compresses or decompresses.
type Filter = fn(&[u8]) -> std::io::Result<Vec<u8>>;

/// General compressors and their decompressors.
const COMPRESSORS: [(&str, Filter, Filter); 2] =
    [("zstd -19", zstd19, unzstd), ("xz -9e", xz9e, unxz)];

/// The size of one candidate's output, and its CPU times, in the end the best.
#[derive(Default)]
struct Row {
    name: String,
    bytes: u64,
    encode: Duration,
    decode: Duration,
}

/// Number of games that a codec codes in its turn.
const TURN: usize = 20;

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let name = arguments.game.as_deref().unwrap_or("chess");
    let game = super::codecs::find(name, Some("line.text"))?.game();
    let games = in_turn(game, arguments.game.is_none());
    if arguments.positions || kind_of(&arguments.file, games.clone())? == Content::Positions {
        return positions::run(arguments, games);
    }
    let Some(Lines { game, lines }) = read_lines(&arguments.file, games, arguments.games)? else {
        return Err(Failure::new("there are no games to measure"));
    };
    let name = game.info().name;
    let plies: u64 = lines.iter().map(|line| line.indices.len() as u64).sum();
    if plies == 0 {
        let file = arguments.file.display();
        return Err(Failure::check(format!("{file} has no {name} moves")));
    }
    let text: String = lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect();
    let rounds = arguments.rounds.max(1);
    let bar = progress::steps((rounds * lines.len()) as u64, arguments.quiet);
    let measure = || {
        let row = |name| Row { name, ..Row::default() };
        let mut round: Vec<Row> = names(line_codecs(name)).into_iter().map(row).collect();
        for turn in lines.chunks(TURN) {
            for (codec, row) in line_codecs(name).zip(&mut round) {
                measure_codec(codec, row, turn)?;
            }
            bar.inc(turn.len() as u64);
        }
        for (name, compress, expand) in COMPRESSORS {
            bar.set_message(name);
            round.push(measure_text(name, &text, compress, expand)?);
        }
        Ok(round)
    };
    let rows = fastest(rounds, measure, |row| [&mut row.encode, &mut row.decode])?;
    bar.finish_and_clear();
    if lines.len() == arguments.games && !arguments.quiet {
        let games = progress::count(lines.len() as u64);
        progress::say(format_args!("measured the first {games} games only; --games N takes more"));
    }
    if !arguments.json {
        super::print_line(&format!(
            "{} games, {plies} plies\n{:<14} {:>12} {:>10} {:>16} {:>16}",
            lines.len(),
            "codec",
            "bytes",
            "bits/ply",
            "encode plies/s",
            "decode plies/s"
        ))?;
    }
    for row in &rows {
        print(arguments, name, row, lines.len(), plies)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures in several rounds. The shortest times count.
pub(super) fn fastest<R>(
    rounds: usize,
    mut measure: impl FnMut() -> Result<Vec<R>, Failure>,
    times: impl Fn(&mut R) -> [&mut Duration; 2],
) -> Result<Vec<R>, Failure> {
    let mut rows = measure()?;
    for _ in 1..rounds {
        for (row, mut new) in rows.iter_mut().zip(measure()?) {
            for (least, time) in times(row).into_iter().zip(times(&mut new)) {
                *least = (*least).min(*time);
            }
        }
    }
    Ok(rows)
}

fn print(
    arguments: &Arguments,
    game: &str,
    row: &Row,
    records: usize,
    plies: u64,
) -> Result<(), Failure> {
    let bits_per_ply = 8.0 * row.bytes as f64 / plies as f64;
    let rate = |time: Duration| (plies as f64 / time.as_secs_f64().max(1e-9)).round();
    let (encode, decode) = (rate(row.encode), rate(row.decode));
    let line = if arguments.json {
        json!({
            "codec": row.name,
            "game": game,
            "records": records,
            "plies": plies,
            "bytes": row.bytes,
            "bits_per_ply": bits_per_ply,
            "encode_per_second": encode,
            "decode_per_second": decode,
        })
        .to_string()
    } else {
        format!(
            "{:<14} {:>12} {bits_per_ply:>10.3} {encode:>16.0} {decode:>16.0}",
            row.name, row.bytes
        )
    };
    super::print_line(&line)
}

/// Adds the size and times of a codec for some lines.
fn measure_codec(
    codec: &dyn ErasedLineCodec,
    row: &mut Row,
    lines: &[Line],
) -> Result<(), Failure> {
    let begin = ThreadTime::now();
    let codes: Result<Vec<Vec<u8>>, _> = lines
        .iter()
        .map(|line| codec.encode_indices(line.start.as_deref(), &line.indices))
        .collect();
    let codes = codes.map_err(Failure::new)?;
    row.encode += begin.elapsed();
    let begin = ThreadTime::now();
    for (line, code) in lines.iter().zip(&codes) {
        let plies = u32::try_from(line.indices.len()).unwrap_or(u32::MAX);
        let back = codec.decode_indices(line.start.as_deref(), plies, code);
        if back.map_err(Failure::check)? != line.indices {
            return Err(Failure::check(format!("{}: a line came back changed", row.name)));
        }
    }
    row.decode += begin.elapsed();
    row.bytes += codes.iter().map(|code| code.len() as u64).sum::<u64>();
    Ok(())
}

fn measure_text(name: &str, text: &str, compress: Filter, expand: Filter) -> Result<Row, Failure> {
    let begin = ThreadTime::now();
    let packed = compress(text.as_bytes())?;
    let encode = begin.elapsed();
    let begin = ThreadTime::now();
    if expand(&packed)? != text.as_bytes() {
        return Err(Failure::check(format!("{name}: the text came back changed")));
    }
    Ok(Row { name: name.to_owned(), bytes: packed.len() as u64, encode, decode: begin.elapsed() })
}

pub(super) fn zstd19(text: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::stream::encode_all(text, 19)
}

pub(super) fn unzstd(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::stream::decode_all(packed)
}

pub(super) fn xz9e(text: &[u8]) -> std::io::Result<Vec<u8>> {
    /// liblzma's flag for `xz -e`, combined with the level.
    const EXTREME: u32 = 1 << 31;
    let stream =
        liblzma::stream::Stream::new_easy_encoder(9 | EXTREME, liblzma::stream::Check::Crc64)?;
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(text)?;
    encoder.finish()
}

pub(super) fn unxz(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    liblzma::read::XzDecoder::new(packed).read_to_end(&mut text)?;
    Ok(text)
}
