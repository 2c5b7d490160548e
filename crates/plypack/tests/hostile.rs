//! Damages a packed file in every place: reading it must fail or give the right bytes, and never
//! panic, give wrong bytes, or use memory out of proportion.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, GzipLevel};
use parquet::file::properties::WriterProperties;
use plypack::store::export::export_rows;
use plypack::store::{Content, Error, Options, PackedFile, Source, Writer, export, import, verify};
use plypack_testing::sample::every;
use tempfile::TempDir;

/// Returns a few records of every kind: coded, verbatim, with a set-up position, with rare tags.
fn records() -> Vec<u8> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/famous.pgn");
    let mut records = std::fs::read(sample).expect("a sample");
    records.extend_from_slice(
        b"[Event \"x\"]\n[Board \"7\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n[Result \"*\"]\n\n\
          1. a8=Q Kg6 *\n\n[Event \"M\xf3ra\"]\n[UTCDate \"2020.01.31\"]\n\n1. e4 {why} e5 *\n\n",
    );
    records
}

/// Returns positions of every kind: FEN and EPD, coded, verbatim, with a patch, in two blocks.
fn positions() -> Vec<u8> {
    const BOARD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    let mut lines: Vec<String> =
        (1..70).map(|number| format!("{BOARD} w KQkq - {number} {number}\n")).collect();
    lines.push(format!("{BOARD} b Kq - bm Qxf3; id \"x; y\";\n"));
    lines.push(format!("{BOARD} w  KQkq - 007 1 \r\n# a comment\n8/8/8/8 w - -\n\n"));
    let mut bytes = lines.concat().into_bytes();
    bytes.extend_from_slice(b"4k3/8/8/8/8/8/8/1R1RK1RR w GD - 0 1; c0 \"M\xf3ra\"");
    bytes
}

/// Returns both kinds of inputs.
fn inputs() -> [Vec<u8>; 2] {
    [records(), positions()]
}

/// Packs an input into a file in this folder, and returns its bytes.
fn packed(folder: &TempDir, input: &[u8]) -> Vec<u8> {
    let output = folder.path().join("whole.parquet");
    let codec = plypack_games::line_codec("chess", "line.ranked").expect("a codec");
    let options = Options { codec, positions: None, detect: false };
    let source = Source::new("in.pgn", Box::new(Cursor::new(input.to_vec())));
    import(vec![source], &output, &options, &Work::on(1)).expect("a packed file");
    let file = PackedFile::open(&output).expect("a packed file");
    if file.kind() == Content::Games {
        // Small files have no page index; a copy has.
        let mut writer = Writer::games(Vec::new(), &output).expect("memory");
        writer.copy(&file.read_group(0).expect("a row group")).expect("memory");
        std::fs::write(&output, writer.finish(&[]).expect("memory")).expect("a file");
    }
    std::fs::read(output).expect("a packed file")
}

/// The outcome of reading a file.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Whole,
    Refused,
    /// `export` gave this many bytes, which differ from the packed ones.
    Wrong(usize),
    /// `export_rows` gave this many bytes, which are not part of the packed ones.
    WrongPart(usize),
    /// `verify` finds no fault, but `export` fails.
    Disagreement,
    Panic(String),
}

/// The place of the latest panic, which its payload lacks.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn note_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        if let Ok(mut noted) = PANIC.lock() {
            *noted = place;
        }
    }));
}

/// Reads a file in every way.
fn read(path: &Path, expected: &[u8]) -> Outcome {
    let read = || -> Result<Outcome, Error> {
        let file = PackedFile::open(path)?;
        // They must return; the answer does not matter.
        let _ = file.summary();
        let _ = file.completeness();
        let mut bytes = Vec::new();
        let mut sink = |_: &str, piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        let exported = export(&file, &Work::on(1), &mut sink);
        // A part of it is read in different ways.
        let mut part = Vec::new();
        let mut part_sink = |_: &str, piece: &[u8]| {
            part.extend_from_slice(piece);
            Ok(())
        };
        let read = export_rows(&file, 1..3, &Work::on(1), &mut part_sink);
        if read.is_ok() && (part.is_empty() || memchr::memmem::find(expected, &part).is_none()) {
            return Ok(Outcome::WrongPart(part.len()));
        }
        let verified = verify(&file, 20, &Work::on(1)).is_ok_and(|f| f.is_empty());
        Ok(match exported {
            // `verify` also checks what no record needs.
            Err(_) if verified => Outcome::Disagreement,
            Err(_) => Outcome::Refused,
            Ok(()) if bytes == expected => Outcome::Whole,
            Ok(()) => Outcome::Wrong(bytes.len()),
        })
    };
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Outcome::Refused,
        Err(_) => Outcome::Panic(PANIC.lock().map(|place| place.clone()).unwrap_or_default()),
    }
}

/// Reads each damaged form of `bytes`, on one thread per core. Returns the number of cases with
/// each outcome, and the first few of them.
fn read_all<'a>(
    folder: &TempDir,
    expected: &[u8],
    cases: &[usize],
    damage: &(dyn Fn(usize) -> Vec<u8> + Sync + 'a),
) -> BTreeMap<Outcome, (usize, Vec<usize>)> {
    let outcomes: Mutex<BTreeMap<Outcome, (usize, Vec<usize>)>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let path: PathBuf = folder.path().join(format!("damaged-{thread}.parquet"));
            let outcomes = &outcomes;
            scope.spawn(move || {
                for &case in cases.iter().skip(thread).step_by(threads) {
                    std::fs::write(&path, damage(case)).expect("a temporary file");
                    let outcome = read(&path, expected);
                    let mut outcomes = outcomes.lock().expect("no thread panics");
                    let (count, first) = outcomes.entry(outcome).or_default();
                    *count += 1;
                    first.push(case);
                    first.truncate(5);
                }
            });
        }
    });
    outcomes.into_inner().expect("no thread panics")
}

/// Fails if there was anything but errors and the right bytes.
fn check(what: &str, outcomes: &BTreeMap<Outcome, (usize, Vec<usize>)>) {
    println!("{what}: {outcomes:?}");
    let fine = |outcome: &Outcome| matches!(outcome, Outcome::Whole | Outcome::Refused);
    let bad = outcomes.iter().filter(|(outcome, _)| !fine(outcome));
    let bad: Vec<String> = bad.map(|(outcome, cases)| format!("{outcome:?}: {cases:?}")).collect();
    assert!(bad.is_empty(), "{what}:\n{}", bad.join("\n"));
}

#[test]
fn the_whole_file_is_read() {
    for input in inputs() {
        let folder = TempDir::new().expect("a temporary folder");
        packed(&folder, &input);
        let path = folder.path().join("whole.parquet");
        assert_eq!(read(&path, &input), Outcome::Whole);
        // The damaged files may refuse this; the whole file may not.
        let file = PackedFile::open(&path).expect("a packed file");
        export_rows(&file, 1..3, &Work::on(1), &mut |_, _| Ok(())).expect("whole");
    }
}

/// Flips one bit per case: the one with number `bit(case)`.
fn flip_bits(cases: &dyn Fn(usize) -> Vec<usize>, bit: &(dyn Fn(usize) -> usize + Sync)) {
    note_panics();
    for input in inputs() {
        let folder = TempDir::new().expect("a temporary folder");
        let bytes = packed(&folder, &input);
        let cases = cases(bytes.len());
        let outcomes = read_all(&folder, &input, &cases, &|case| {
            let mut damaged = bytes.clone();
            damaged[bit(case) / 8] ^= 1 << (bit(case) % 8);
            damaged
        });
        check("bits", &outcomes);
        // Most of the file must matter, or the test misses something.
        let refused = outcomes.get(&Outcome::Refused).map_or(0, |found| found.0);
        let tried = cases.len();
        assert!(refused > tried / 2, "{refused} of {tried} flips were noticed");
    }
    check_memory();
}

#[test]
fn a_bit_flipped_in_every_byte_is_noticed_or_does_not_matter() {
    // A large step, so that all eight bits of a byte take turns.
    flip_bits(&|bytes| every(5, bytes).collect(), &|byte| byte * 8 + byte * 5 % 8);
}

/// Flips every bit of the footer's length and the magic.
#[test]
fn every_bit_of_the_end_is_noticed() {
    note_panics();
    for input in inputs() {
        let folder = TempDir::new().expect("a temporary folder");
        let bytes = packed(&folder, &input);
        let first = (bytes.len() - 8) * 8;
        let outcomes = read_all(&folder, &input, &Vec::from_iter(0..64), &|case| {
            let mut damaged = bytes.clone();
            damaged[(first + case) / 8] ^= 1 << (case % 8);
            damaged
        });
        assert_eq!(outcomes.get(&Outcome::Refused).map(|found| found.0), Some(64), "{outcomes:?}");
    }
}

/// Copies a packed file as another tool would, with its compression.
fn copied(folder: &TempDir, compression: Compression) -> Vec<u8> {
    let file = std::fs::File::open(folder.path().join("whole.parquet")).expect("a packed file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let schema = reader.schema().clone();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut copy = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut copy, schema, Some(properties)).expect("a writer");
    for batch in reader.build().expect("Parquet") {
        writer.write(&batch.expect("rows")).expect("memory");
    }
    writer.close().expect("memory");
    copy
}

#[test]
fn damage_to_copies_of_every_compression_is_noticed_or_does_not_matter() {
    note_panics();
    for input in inputs() {
        let folder = TempDir::new().expect("a temporary folder");
        packed(&folder, &input);
        for compression in [
            Compression::SNAPPY,
            Compression::LZ4_RAW,
            Compression::GZIP(GzipLevel::default()),
            Compression::UNCOMPRESSED,
        ] {
            let bytes = copied(&folder, compression);
            // The footers are alike, so not every byte is tested.
            let step = if compression == Compression::SNAPPY { 7 } else { 23 };
            let cases: Vec<usize> = every(5, bytes.len() / step).collect();
            let outcomes = read_all(&folder, &input, &cases, &|case| {
                let mut damaged = bytes.clone();
                damaged[case * step] ^= 1 << (case * 5 % 8);
                damaged
            });
            check(&compression.to_string(), &outcomes);
            assert!(outcomes.contains_key(&Outcome::Refused), "{outcomes:?}");
        }
    }
    check_memory();
}

#[test]
#[ignore = "every bit takes minutes"]
fn every_bit_flipped_is_noticed_or_does_not_matter() {
    flip_bits(&|bytes| (0..8 * bytes).collect(), &|bit| bit);
}

#[test]
fn every_length_is_refused() {
    note_panics();
    for input in inputs() {
        let folder = TempDir::new().expect("a temporary folder");
        let bytes = packed(&folder, &input);
        let cut = |length: usize| bytes[..length].to_vec();
        let outcomes = read_all(&folder, &input, &Vec::from_iter(0..bytes.len()), &cut);
        check("lengths", &outcomes);
        assert!(!outcomes.contains_key(&Outcome::Whole), "{outcomes:?}");
    }
    check_memory();
}

#[test]
fn zeros_and_ones_in_blocks_are_noticed_or_do_not_matter() {
    const BLOCK: usize = 4;
    note_panics();
    for input in inputs() {
        let folder = TempDir::new().expect("a temporary folder");
        let bytes = packed(&folder, &input);
        // The step is not a multiple of the block, so that blocks also begin at odd places.
        let places = (bytes.len() - BLOCK) / 7;
        let outcomes = read_all(&folder, &input, &Vec::from_iter(0..2 * places), &|case| {
            let mut damaged = bytes.clone();
            let filling = if case < places { 0 } else { 0xff };
            damaged[case % places * 7..][..BLOCK].fill(filling);
            damaged
        });
        check("blocks", &outcomes);
    }
    check_memory();
}

/// Fails if this process ever held far more memory than such a small file is worth.
fn check_memory() {
    /// The code itself takes about 50 MB; an unchecked length could claim 2 GB.
    const PEAK_MAX_KB: u64 = 300_000;
    // Only Linux reports it.
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let peak = peak.expect("a number of kilobytes");
    println!("at most {peak} kB of memory");
    assert!(peak < PEAK_MAX_KB, "{peak} kB of memory for a file of a few kB");
}

/// Checks that a set flag stops the work.
#[test]
fn a_wish_to_stop_is_heeded() {
    let folder = TempDir::new().expect("a temporary folder");
    packed(&folder, &records());
    let file = PackedFile::open(&folder.path().join("whole.parquet")).expect("a packed file");
    let stop = AtomicBool::new(true);
    let work = Work { stop: &stop, ..Work::on(1) };
    let exported = export(&file, &work, &mut |_, _| Ok(()));
    assert!(matches!(exported, Err(Error::Stopped)));
    stop.store(false, Ordering::Relaxed);
    assert!(export(&file, &work, &mut |_, _| Ok(())).is_ok());
}
