//! The frontier: bits a ply against plies decoded a second, of our chess codecs and of Aix's.
//!
//! `cargo xtask frontier` prints the tables and draws the chart. Each file is coded by all codecs
//! in turns of a few games, several times; the time of a turn is its least processor time in this
//! thread, so that other programs and a varying clock affect all alike. Decoding includes playing
//! the moves on a board; encoding starts from the moves, ours from their indices.
//!
//! aix-chess-compression is GPL-3.0-or-later: it serves only for comparison, and is never shipped.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use aix_chess_compression::{CompressionLevel, Decode, Decoder, Encode, EncodedGame, Encoder};
use cpu_time::ThreadTime;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use plotters::prelude::*;
use plypack_core::ErasedLineCodec;
use plypack_core::codec::CodecInfo;
use plypack_games::{game, line_codec, line_codecs};
use shakmaty::{CastlingMode, Chess, Move, Position};

/// The number of games of a turn.
const TURN: usize = 20;

/// The number of rounds of each turn.
const ROUNDS: usize = 5;

/// Codecs that are not drawn: baselines of the articles, far from the others.
const BASELINES: [&str; 4] =
    ["line.text", "chess.from-to12", "chess.san-bits", "chess.san-bits-naive"];

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A game from the usual start.
struct Rules {
    moves: Vec<Move>,
    /// Our indices of the moves.
    indices: Vec<u16>,
}

/// A codec to compare.
enum Codec {
    Ours(&'static dyn ErasedLineCodec),
    Aix(&'static str, CompressionLevel),
}

/// The cost of a codec over all games.
#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: usize,
    encoding: Duration,
    decoding: Duration,
}

impl Codec {
    fn all() -> Vec<Self> {
        let aix = [
            Self::Aix("Aix Low", CompressionLevel::Low),
            Self::Aix("Aix Medium", CompressionLevel::Medium),
            Self::Aix("Aix High", CompressionLevel::High),
        ];
        line_codecs("chess").map(Self::Ours).chain(aix).collect()
    }

    /// Its name, with its number if a newer codec has the same name.
    fn name(&self) -> String {
        match self {
            Self::Ours(codec) => {
                let CodecInfo { name, id, .. } = codec.info();
                let newest = line_codec("chess", name).is_some_and(|other| other.info().id == *id);
                if newest { (*name).into() } else { format!("{name}/{id}") }
            }
            Self::Aix(name, _) => (*name).into(),
        }
    }

    fn encode(&self, game: &Rules) -> Outcome<Vec<u8>> {
        match self {
            Self::Ours(codec) => Ok(codec.encode_indices(None, &game.indices)?),
            Self::Aix(_, level) => {
                let mut encoder = Encoder::new(*level);
                for &mv in &game.moves {
                    encoder.encode_move(mv).map_err(|_| "Aix cannot encode a move")?;
                }
                Ok(encoder.finish().into_bytes())
            }
        }
    }

    /// Plays a game from its code, and returns the number of plies.
    fn decode(&self, code: &[u8], plies: u32) -> Outcome<u32> {
        let mut seen = 0;
        match self {
            Self::Ours(codec) => codec.scan(None, plies, code, &mut |place| {
                seen += 1;
                black_box(place);
                ControlFlow::Continue(())
            })?,
            Self::Aix(..) => {
                let code = EncodedGame::from_bytes(code).map_err(|_| "not a code of Aix")?;
                let mut decoder = Decoder::new(&code);
                while let Some(position) = decoder.next_position() {
                    black_box(position.map_err(|_| "Aix cannot decode a move")?);
                    seen += 1;
                }
            }
        }
        Ok(seen)
    }

    /// Measures one turn.
    fn take(&self, games: &[Rules]) -> Outcome<Cost> {
        let begun = ThreadTime::now();
        let codes = games.iter().map(|game| self.encode(game)).collect::<Outcome<Vec<_>>>()?;
        let encoding = begun.elapsed();
        let begun = ThreadTime::now();
        for (code, game) in codes.iter().zip(games) {
            let plies = u32::try_from(game.moves.len())?;
            if self.decode(code, plies)? != plies {
                return Err(format!("{} decodes a different number of plies", self.name()).into());
            }
        }
        let decoding = begun.elapsed();
        Ok(Cost { bytes: codes.iter().map(Vec::len).sum(), encoding, decoding })
    }
}

/// The results of a codec on a file.
struct Point {
    name: String,
    bits: f64,
    /// Thousand plies a second.
    encoded: f64,
    decoded: f64,
}

fn measure(games: &[Rules], only: Option<&str>) -> Outcome<Vec<Point>> {
    let mut codecs = Codec::all();
    codecs.retain(|codec| only.is_none_or(|only| codec.name() == only));
    let mut costs = vec![Cost::default(); codecs.len()];
    for turn in games.chunks(TURN) {
        let mut least = vec![None::<Cost>; codecs.len()];
        for _ in 0..ROUNDS {
            for (codec, least) in codecs.iter().zip(&mut least) {
                let cost = codec.take(turn)?;
                let known = least.unwrap_or(cost);
                *least = Some(Cost {
                    bytes: cost.bytes,
                    encoding: known.encoding.min(cost.encoding),
                    decoding: known.decoding.min(cost.decoding),
                });
            }
        }
        for (cost, least) in costs.iter_mut().zip(least.into_iter().flatten()) {
            cost.bytes += least.bytes;
            cost.encoding += least.encoding;
            cost.decoding += least.decoding;
        }
    }
    let plies = games.iter().map(|game| game.moves.len()).sum::<usize>() as f64;
    let rate = |time: Duration| plies / time.as_secs_f64() / 1e3;
    let point = |(codec, cost): (&Codec, Cost)| Point {
        name: codec.name(),
        bits: 8.0 * cost.bytes as f64 / plies,
        encoded: rate(cost.encoding),
        decoded: rate(cost.decoding),
    };
    Ok(codecs.iter().zip(costs).map(point).collect())
}

/// Whether no other codec is both smaller and faster to decode.
fn is_best(point: &Point, points: &[Point]) -> bool {
    !points.iter().any(|other| other.bits < point.bits && other.decoded > point.decoded)
}

fn print(name: &str, games: &[Rules], points: &[Point]) {
    let plies = games.iter().map(|game| game.moves.len()).sum::<usize>();
    let uniform = points.iter().find(|point| point.name == "line.uniform");
    let uniform = uniform.map_or(f64::NAN, |point| point.decoded);
    println!("{name}: {} games, {plies} plies", games.len());
    println!(
        "{:22}{:>9}{:>16}{:>16}{:>12}",
        "codec", "bits/ply", "encode k/s", "decode k/s", "of uniform"
    );
    for point in points {
        println!(
            "{:22}{:9.3}{:16.0}{:16.0}{:12.3}{}",
            point.name,
            point.bits,
            point.encoded,
            point.decoded,
            point.decoded / uniform,
            if is_best(point, points) { "  *" } else { "" }
        );
    }
}

/// Reads the games that begin at the usual start, each up to the first illegal move.
struct Games;

impl Visitor for Games {
    type Tags = bool;
    type Movetext = (Chess, Vec<Move>);
    type Output = Option<Vec<Move>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, bool> {
        ControlFlow::Continue(true)
    }

    fn tag(&mut self, usual: &mut bool, name: &[u8], _: RawTag<'_>) -> ControlFlow<Self::Output> {
        *usual &= name != b"FEN";
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, usual: bool) -> ControlFlow<Self::Output, Self::Movetext> {
        if usual {
            ControlFlow::Continue((Chess::new(), Vec::new()))
        } else {
            ControlFlow::Break(None)
        }
    }

    fn begin_variation(
        &mut self,
        _: &mut Self::Movetext,
    ) -> ControlFlow<Self::Output, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn san(
        &mut self,
        (position, moves): &mut Self::Movetext,
        san: SanPlus,
    ) -> ControlFlow<Self::Output> {
        let Ok(mv) = san.san.to_move(position) else {
            return ControlFlow::Break(Some(std::mem::take(moves)));
        };
        position.play_unchecked(mv);
        moves.push(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        Some(moves)
    }
}

/// Reads the first games of a file, with our indices of their moves.
fn read(path: &Path, count: usize) -> Outcome<Vec<Rules>> {
    let file = BufReader::new(File::open(path)?);
    let input: Box<dyn Read> = match path.extension().and_then(|end| end.to_str()) {
        Some("zst") => Box::new(zstd::Decoder::new(file)?),
        _ => Box::new(file),
    };
    let chess = game("chess").ok_or("this build lacks chess")?;
    let mut games = Vec::new();
    let mut reader = Reader::new(input);
    while let Some(moves) = reader.read_game(&mut Games)? {
        let Some(moves) = moves.filter(|moves| !moves.is_empty()) else { continue };
        let text = |mv: &Move| mv.to_uci(CastlingMode::Standard).to_string();
        let texts: Vec<String> = moves.iter().map(text).collect();
        let (indices, _) = chess.read_moves(None, &mut texts.iter().map(String::as_str))?;
        if indices.len() != moves.len() {
            return Err(format!("a game of {} is read differently", path.display()).into());
        }
        games.push(Rules { moves, indices });
        if games.len() == count {
            break;
        }
    }
    Ok(games)
}

/// Draws all points of a file, one panel each.
fn draw(path: &str, charts: &[(String, Vec<Point>)]) -> Outcome<()> {
    let root = SVGBackend::new(path, (720 * u32::try_from(charts.len())?, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    for ((name, points), area) in charts.iter().zip(root.split_evenly((1, charts.len()))) {
        let drawn = |point: &&Point| !BASELINES.contains(&point.name.as_str()) && point.bits < 9.0;
        let mut chart = ChartBuilder::on(&area)
            .caption(format!("{name}: left and up is better"), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(52)
            .build_cartesian_2d(2.0..8.5, (100.0..20_000.0).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc("bits a ply")
            .y_desc("thousand plies decoded a second on one core")
            .y_label_formatter(&|rate| format!("{rate:.0}"))
            .draw()?;
        for point in points.iter().filter(drawn) {
            let aix = point.name.starts_with("Aix");
            let color = if aix { RGBColor(192, 57, 43) } else { RGBColor(31, 97, 141) };
            let mark = (point.bits, point.decoded);
            let label = format!("{} {:.2}", point.name, point.bits);
            chart.draw_series([EmptyElement::at(mark)
                + Circle::new((0, 0), 5, color.filled())
                + Text::new(label, (9, -6), ("sans-serif", 14).into_font().color(&color))])?;
        }
    }
    root.present()?;
    Ok(())
}

fn run() -> Outcome<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut svg = None;
    if let Some(at) = args.iter().position(|arg| arg == "--svg") {
        svg = args.get(at + 1).cloned();
        args.drain(at..args.len().min(at + 2));
    }
    let mut count = 3_000;
    if let Some(at) = args.iter().position(|arg| arg == "--games") {
        count = args.get(at + 1).ok_or("--games needs a number")?.parse()?;
        args.drain(at..at + 2);
    }
    let mut only = None;
    if let Some(at) = args.iter().position(|arg| arg == "--only") {
        only = args.get(at + 1).cloned();
        args.drain(at..args.len().min(at + 2));
    }
    if args.is_empty() {
        return Err(
            "usage: cargo xtask frontier [--games N] [--only CODEC] [--svg FILE] GAMES.pgn[.zst].."
                .into(),
        );
    }
    let mut charts = Vec::new();
    for file in &args {
        let path = Path::new(file);
        let games = read(path, count).map_err(|error| format!("{file}: {error}"))?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("games");
        let points = measure(&games, only.as_deref())?;
        print(name, &games, &points);
        charts.push((name.split('.').next().unwrap_or(name).to_owned(), points));
    }
    if let Some(path) = svg {
        draw(&path, &charts)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    run().map_or_else(
        |error| {
            eprintln!("frontier: {error}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}
