//! `plypack board random`: makes a random board, like the program in the article Ternary.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use plypack_core::SplitMix;
use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::Size;
use plypack_core::codecs::ternary::{TernaryCodec, bands};
use serde_json::json;

use super::output::{Form, Output};
use super::parallel;
use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// Make a random board: each cell is empty, white or black with equal probability.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The number of rows, 1 to 16777215
    rows: u32,
    /// The number of columns, 1 to 16777215
    columns: u32,
    /// The file to write; `-` is standard output
    #[arg(short, long, default_value = "-")]
    output: PathBuf,
    /// The seed; the same seed gives the same board [default: from the clock, and printed]
    #[arg(long)]
    seed: Option<u64>,
    /// How to code the cells: trits5 (the portable file), or a codec of packed boards
    #[arg(long, default_value = "trits5", value_parser = super::find)]
    codec: &'static dyn TernaryCodec,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress and no summary
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as a JSON object, unless the board itself goes to standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let size = Size::new(arguments.rows, arguments.columns).map_err(Failure::new)?;
    let seed = arguments.seed.unwrap_or_else(from_the_clock);
    let form = Form::Coded(arguments.codec);
    let mut output = Output::begin(&arguments.output, form, Some(size), arguments.force)?;
    let stop = interrupt::flag();
    let bar = progress::bar(Some(size.packed_bytes()), true, arguments.quiet);
    let mut boards = Boards::new(size, seed);
    let mut counts = [0; 3];
    loop {
        let batch = boards.next(parallel::threads(arguments.threads))?;
        if batch.is_empty() {
            break;
        }
        super::go_on(stop)?;
        for board in &batch {
            counts.iter_mut().zip(board.counts()).for_each(|(sum, count)| *sum += count);
            bar.inc(board.size().packed_bytes());
        }
        output.write(batch)?;
    }
    bar.finish_and_clear();
    let bytes = output.finish()?;
    if !arguments.quiet {
        summarise(arguments, seed, counts, bytes)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports what was made, so that it can be made again.
fn summarise(
    arguments: &Arguments,
    seed: u64,
    [empty, white, black]: [u64; 3],
    bytes: u64,
) -> Result<(), Failure> {
    let &Arguments { rows, columns, .. } = arguments;
    if arguments.json && !files::is_standard_output(&arguments.output) {
        let object = json!({
            "file": arguments.output.display().to_string(),
            "codec": arguments.codec.info().name,
            "rows": rows,
            "columns": columns,
            "seed": seed,
            "empty": empty,
            "white": white,
            "black": black,
            "bytes": bytes,
        });
        return crate::verbs::print_line(&object.to_string());
    }
    let count = progress::count;
    progress::say(format_args!(
        "{} rows, {} columns, seed {seed}: {} empty, {} white, {} black; {} bytes",
        count(rows.into()),
        count(columns.into()),
        count(empty),
        count(white),
        count(black),
        count(bytes),
    ));
    Ok(())
}

/// Returns a seed that differs each time.
pub fn from_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() ^ u64::from(now.subsec_nanos()) << 34
}

/// The bands of a random board.
pub struct Boards {
    bands: Box<dyn Iterator<Item = Size>>,
    cells: Cells,
}

impl Boards {
    /// Returns the bands of the board with this size and seed.
    pub fn new(size: Size, seed: u64) -> Self {
        Self { bands: Box::new(bands(size)), cells: Cells::seeded(seed) }
    }

    /// Returns the next bands, at most `count`.
    pub fn next(&mut self, count: usize) -> Result<Vec<TernaryBoard>, Failure> {
        let Self { bands, cells } = self;
        let codes = bands.take(count).map(|size| (size, cells.packed(size))).collect();
        let boards =
            parallel::map(codes, |(size, packed)| TernaryBoard::from_packed(size, &packed));
        boards.into_iter().collect::<Result<_, _>>().map_err(Failure::new)
    }
}

/// Random bytes below 243, each of which is five random cells: the numbers of SplitMix64, lowest
/// byte first, without bytes from 243 on.
struct Cells {
    numbers: SplitMix,
    /// The bytes left of the last number: how many, and their values.
    left: u32,
    bytes: u64,
}

impl Cells {
    fn seeded(seed: u64) -> Self {
        Self { numbers: SplitMix::seeded(seed), left: 0, bytes: 0 }
    }

    fn next_five(&mut self) -> u8 {
        loop {
            if self.left == 0 {
                (self.left, self.bytes) = (8, self.numbers.number());
            }
            let [byte, ..] = self.bytes.to_le_bytes();
            (self.left, self.bytes) = (self.left - 1, self.bytes >> 8);
            if byte < 243 {
                return byte;
            }
        }
    }

    /// Returns the cells of a band, five per byte; surplus cells in the last byte are 0.
    fn packed(&mut self, size: Size) -> Vec<u8> {
        let mut packed: Vec<u8> = (0..size.packed_bytes()).map(|_| self.next_five()).collect();
        let cells_in_last = (size.cells() - 1) % 5 + 1;
        if let Some(last) = packed.last_mut() {
            *last = (u32::from(*last) % 3u32.pow(u32::try_from(cells_in_last).unwrap_or(5)))
                .to_le_bytes()[0];
        }
        packed
    }
}
