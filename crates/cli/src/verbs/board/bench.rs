//! `plypack board bench`: measures codecs and general compressors on a board, or the kernels.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::Size;
use plypack_core::codecs::ternary::{CODECS, TernaryCodec};
use serde_json::json;

use super::input::Input;
use super::kernels;
use crate::failure::Failure;
use crate::progress;
use crate::verbs::bench::{fastest, unxz, unzstd, xz9e, zstd19};

/// Measure every codec on a board, or the speed of the kernels.
///
/// With a file, codecs code the board band by band, and bytes are those of the codes alone; general
/// compressors get the cells of the portable file, or one byte per cell. Without a file, measures
/// how many cells per second are unpacked and packed, compared with a copy of as many bytes, in
/// cache and in memory. Runs on one thread; the best round counts.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The board
    file: Option<PathBuf>,
    /// Only this codec, and no general compressors
    #[arg(long, requires = "file", value_parser = super::find)]
    codec: Option<&'static dyn TernaryCodec>,
    /// Split the board into boards of this many rows, each coded and compressed alone
    #[arg(long, requires = "file", value_parser = clap::value_parser!(u32).range(1..))]
    rows: Option<u32>,
    /// Number of rounds [default: 3 for a board, else 30]
    #[arg(long)]
    rounds: Option<usize>,
    /// Print one JSON object per codec or kernel
    #[arg(long)]
    json: bool,
}

/// The size of one candidate's output, and its best times so far.
struct Row {
    name: &'static str,
    bytes: usize,
    encode: Duration,
    decode: Duration,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(path) = &arguments.file else {
        kernels::run(arguments.rounds.unwrap_or(30), arguments.json)?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut input = Input::open(path)?;
    let bands = read(&mut input)?;
    // The boards to code one by one, and the number of streams to compress.
    let (boards, streams): (Vec<TernaryBoard>, usize) = match arguments.rows {
        None => (bands, 1),
        Some(rows) => {
            let boards = cut(&bands, rows)?;
            let count = boards.len();
            (boards, count)
        }
    };
    let rounds = arguments.rounds.unwrap_or(3).max(1);
    let candidates = candidates(arguments.codec);
    let steps = rounds * candidates.len();
    let progress = progress::steps(steps as u64, arguments.json);
    let measure = || measure(&candidates, &boards, streams, &progress);
    let rows = fastest(rounds, measure, |row| [&mut row.encode, &mut row.decode])?;
    progress.finish_and_clear();
    let cells: u64 = boards.iter().map(|board| board.size().cells()).sum();
    if !arguments.json {
        crate::verbs::print_line(&format!(
            "{cells} cells\n{:<24} {:>12} {:>11} {:>15} {:>15}",
            "codec", "bytes", "bits/cell", "encode cells/s", "decode cells/s"
        ))?;
    }
    for row in &rows {
        print(row, cells, arguments.json)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a whole board.
fn read(input: &mut Input) -> Result<Vec<TernaryBoard>, Failure> {
    let mut bands = Vec::new();
    loop {
        let read = input.read(1)?;
        if read.is_empty() {
            return Ok(bands);
        }
        bands.extend(read);
    }
}

/// Splits a board into boards of so many rows; the last one may have fewer.
fn cut(bands: &[TernaryBoard], rows: u32) -> Result<Vec<TernaryBoard>, Failure> {
    let columns = bands.first().map_or(1, |band| band.size().columns());
    let cells: Vec<u8> = bands.iter().flat_map(TernaryBoard::to_cells).collect();
    let most = Size::new(rows, columns).map_err(Failure::new)?.cells();
    let piece = |cells: &[u8]| {
        let rows = cells.len() / columns as usize;
        let size = Size::new(u32::try_from(rows).unwrap_or(u32::MAX), columns)?;
        TernaryBoard::from_cells(size, cells)
    };
    let pieces = cells.chunks(usize::try_from(most).unwrap_or(usize::MAX)).map(piece);
    pieces.collect::<Result<_, _>>().map_err(Failure::new)
}

/// A codec or compressor to measure.
enum Candidate {
    Codec(&'static dyn TernaryCodec),
    /// A compressor of the portable file's cells, or of one byte per cell.
    Compressor {
        name: &'static str,
        bytes: Bytes,
        compress: Filter,
        expand: Filter,
    },
}

type Bytes = fn(&TernaryBoard) -> Vec<u8>;
type Filter = fn(&[u8]) -> std::io::Result<Vec<u8>>;
type Compressor = (&'static str, Bytes, Filter, Filter);

fn candidates(only: Option<&'static dyn TernaryCodec>) -> Vec<Candidate> {
    if let Some(codec) = only {
        return vec![Candidate::Codec(codec)];
    }
    let mut candidates: Vec<Candidate> = CODECS.iter().copied().map(Candidate::Codec).collect();
    let compressors: [Compressor; 4] = [
        ("zstd -19", TernaryBoard::to_packed, zstd19, unzstd),
        ("xz -9e", TernaryBoard::to_packed, xz9e, unxz),
        ("zstd -19, a byte a cell", TernaryBoard::to_cells, zstd19, unzstd),
        ("xz -9e, a byte a cell", TernaryBoard::to_cells, xz9e, unxz),
    ];
    for (name, bytes, compress, expand) in compressors {
        candidates.push(Candidate::Compressor { name, bytes, compress, expand });
    }
    candidates
}

/// Encodes and decodes all boards with each candidate. Compressors get them in `streams` streams:
/// one, or one per board.
fn measure(
    candidates: &[Candidate],
    boards: &[TernaryBoard],
    streams: usize,
    progress: &ProgressBar,
) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for candidate in candidates {
        rows.push(match *candidate {
            Candidate::Codec(codec) => {
                progress.set_message(codec.info().name);
                measure_codec(codec, boards)?
            }
            Candidate::Compressor { name, bytes, compress, expand } => {
                progress.set_message(name);
                let bytes = |boards: &[TernaryBoard]| boards.iter().flat_map(bytes).collect();
                let per_stream = boards.len().div_ceil(streams.max(1)).max(1);
                let streams: Vec<Vec<u8>> = boards.chunks(per_stream).map(bytes).collect();
                measure_compressor(name, &streams, compress, expand)?
            }
        });
        progress.inc(1);
    }
    Ok(rows)
}

fn measure_codec(codec: &dyn TernaryCodec, boards: &[TernaryBoard]) -> Result<Row, Failure> {
    let name = codec.info().name;
    let begin = Instant::now();
    let codes: Result<Vec<Vec<u8>>, _> = boards.iter().map(|board| codec.encode(board)).collect();
    let codes = codes.map_err(Failure::new)?;
    let encode = begin.elapsed();
    let begin = Instant::now();
    for (board, code) in boards.iter().zip(&codes) {
        if codec.decode(board.size(), code).map_err(Failure::check)? != *board {
            return Err(Failure::check(format!("{name}: the board came back changed")));
        }
    }
    let bytes = codes.iter().map(Vec::len).sum();
    Ok(Row { name, bytes, encode, decode: begin.elapsed() })
}

fn measure_compressor(
    name: &'static str,
    streams: &[Vec<u8>],
    compress: Filter,
    expand: Filter,
) -> Result<Row, Failure> {
    let begin = Instant::now();
    let packed: Vec<Vec<u8>> =
        streams.iter().map(|stream| compress(stream)).collect::<Result<_, _>>()?;
    let encode = begin.elapsed();
    let begin = Instant::now();
    for (stream, packed) in streams.iter().zip(&packed) {
        if expand(packed)? != *stream {
            return Err(Failure::check(format!("{name}: the board came back changed")));
        }
    }
    let bytes = packed.iter().map(Vec::len).sum();
    Ok(Row { name, bytes, encode, decode: begin.elapsed() })
}

fn print(row: &Row, cells: u64, as_json: bool) -> Result<(), Failure> {
    let bits_per_cell = 8.0 * row.bytes as f64 / cells as f64;
    let rate = |time: Duration| (cells as f64 / time.as_secs_f64().max(1e-9)).round();
    let (encode, decode) = (rate(row.encode), rate(row.decode));
    crate::verbs::print_line(&if as_json {
        json!({
            "codec": row.name,
            "cells": cells,
            "bytes": row.bytes,
            "bits_per_cell": bits_per_cell,
            "encode_per_second": encode,
            "decode_per_second": decode,
        })
        .to_string()
    } else {
        let Row { name, bytes, .. } = row;
        format!("{name:<24} {bytes:>12} {bits_per_cell:>11.4} {encode:>15.0} {decode:>15.0}")
    })
}
