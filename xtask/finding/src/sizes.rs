//! The size of an index, and the time to build it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use plypack::store::index::{Built, IndexWriter, index, part_path};
use plypack::store::{
    Destination, Existing, Options as Packing, Output, PackedFile, Report, Source, Work, import_to,
};
use serde_json::json;

use crate::system;

/// Measures the size and build time of an index: packs the games, indexes the packed file, and
/// does both at once.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// PGN, compressed or not.
    pub input: PathBuf,
    /// The codec of the moves.
    #[arg(long, default_value = "line.uniform")]
    pub codec: String,
    /// The folder for the temporary packed files.
    #[arg(long, default_value = ".")]
    pub folder: PathBuf,
    /// The number of rounds; the least time counts.
    #[arg(long, default_value_t = 1)]
    pub rounds: usize,
    /// The number of threads; 0 means one per core.
    #[arg(short = 'T', long, default_value_t = 0)]
    pub threads: usize,
    /// Prints one object.
    #[arg(long)]
    pub json: bool,
}

/// The time of a step, in hundredths of a second.
#[derive(Clone, Copy, Debug)]
struct Time {
    wall: u64,
    processor: u64,
}

impl Time {
    const LONGEST: Self = Self { wall: u64::MAX, processor: u64::MAX };

    fn take(&mut self, wall: u64, processor: u64) {
        self.wall = self.wall.min(wall);
        self.processor = self.processor.min(processor);
    }
}

fn timed<T>(best: &mut Time, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let before = system::processor_time().unwrap_or_default().0;
    let start = Instant::now();
    let done = work()?;
    let wall = u64::try_from(start.elapsed().as_millis() / 10).unwrap_or(u64::MAX);
    best.take(wall, system::processor_time().unwrap_or_default().0 - before);
    Ok(done)
}

/// Packs games, builds the index of the packed file, and does both at once.
///
/// # Errors
/// Returns an error if something cannot be read or written, as a message.
pub fn run(options: &Options) -> Result<(), String> {
    let alone = options.folder.join("alone.parquet");
    let both = options.folder.join("both.parquet");
    let mut times = [Time::LONGEST; 3];
    let mut made = None;
    for _ in 0..options.rounds.max(1) {
        let report = timed(&mut times[0], || pack(options, &alone, false))?.0;
        let built = timed(&mut times[1], || build(&alone, options.threads))?;
        let at_once = timed(&mut times[2], || pack(options, &both, true))?.1;
        if at_once.map(|built| built.bytes) != Some(built.bytes) {
            return Err("the index built with the file differs".into());
        }
        made = Some((report, built));
    }
    for file in [&alone, &both] {
        for path in [file.clone(), part_path(file, 0)] {
            std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    let Some((report, built)) = made else { return Ok(()) };
    print(options, &report, built, times);
    Ok(())
}

fn pack(options: &Options, to: &Path, indexed: bool) -> Result<(Report, Option<Built>), String> {
    let words = |error: plypack::store::Error| error.to_string();
    let codec = plypack_games::line_codec("chess", &options.codec)
        .ok_or_else(|| format!("there is no codec {}", options.codec))?;
    let packing = Packing { codec, positions: None, detect: true };
    let input = File::open(&options.input);
    let input = input.map_err(|error| format!("{}: {error}", options.input.display()))?;
    let name = options.input.display().to_string();
    let work = Work::on(options.threads);
    let mut output = Output::begin(to, Existing::Replaced).map_err(words)?;
    let index = indexed.then(|| IndexWriter::begin(&part_path(to, 0))).transpose();
    let mut index = index.map_err(words)?;
    let builder = index.as_mut().map(IndexWriter::builder);
    let mut destination = Destination::new(&mut output, to).with_index(builder);
    let sources = vec![Source::new(name, Box::new(input))];
    let report = import_to(sources, &mut destination, &packing, &work);
    let report = report.map_err(words)?;
    let index = index.map(|index| index.finish(&report.groups, work.stop)).transpose();
    let index = index.map_err(words)?;
    output.publish().map_err(words)?;
    let built = index.map(|index| index.publish()).transpose().map_err(words)?;
    Ok((report, built))
}

fn build(file: &Path, threads: usize) -> Result<Built, String> {
    let words = |error: plypack::store::Error| error.to_string();
    let file = PackedFile::open(file).map_err(words)?;
    index(&file, true, &Work::on(threads))
        .map_err(words)?
        .ok_or_else(|| "no index was built".into())
}

fn print(options: &Options, report: &Report, built: Built, times: [Time; 3]) {
    let memory = system::peak_memory();
    if options.json {
        let time = |time: Time| {
            let [wall, processor] = [time.wall, time.processor].map(|time| time as f64 / 100.0);
            json!({ "wall": wall, "processor": processor })
        };
        let line = json!({
            "input": options.input.to_string_lossy(), "codec": options.codec,
            "games": built.games, "plies": report.plies, "packed_bytes": report.output_bytes,
            "positions": built.positions, "pairs": built.pairs, "index_bytes": built.bytes,
            "pack_seconds": time(times[0]), "index_seconds": time(times[1]),
            "both_seconds": time(times[2]), "peak_memory_bytes": memory,
        });
        println!("{line}");
        return;
    }
    let whole = |part: u64, of: u64| part as f64 / of.max(1) as f64;
    println!("games           {:>12}", built.games);
    println!("packed bytes    {:>12}", report.output_bytes);
    println!("positions       {:>12}", built.positions);
    println!("pairs           {:>12}   {:.1} a game", built.pairs, whole(built.pairs, built.games));
    println!("index bytes     {:>12}   {:.3} a pair", built.bytes, whole(built.bytes, built.pairs));
    let words = ["pack", "index", "pack --index"];
    for (words, Time { wall, processor }) in words.into_iter().zip(times) {
        println!(
            "{words:<15} {:>10.2} s   {:.2} s of processor time, {:.0} games a second",
            wall as f64 / 100.0,
            processor as f64 / 100.0,
            100.0 * whole(built.games, wall),
        );
    }
    println!("pack --index takes {:.2} times as long as pack", whole(times[2].wall, times[0].wall));
    if let Some(memory) = memory {
        println!("peak memory     {:>9} MB", memory / 1_000_000);
    }
}
