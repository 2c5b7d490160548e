//! Flips bits of a packed file and of its index, and asks every possible question: the answer is
//! right, or there is none. Everything happens in memory, in one process.
//!
//! Flips a sample of the bits, a different one for each `$PLYPACK_SEED`, or all bits if
//! `$PLYPACK_ALL` is set.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use plypack::store::export::{export_converted, raw_record, verify};
use plypack::store::find::{
    Asked, Known, Order, PatternText, Question, Sum, Target, find, plays, successors, tree,
};
use plypack::store::index::{Indices, index, part_path};
use plypack::store::revision::{Sought, duplicates};
use plypack::store::{
    Condition, Content, Conversion, Error, Moves, Options, PackedFile, Source, Wanted, Writer,
    export, import,
};
use plypack_core::Notation;
use plypack_testing::sample::{is_whole, seed};

/// The number of bits flipped in each part, unless all are.
const SAMPLED: usize = 50;

/// The same in each golden file, of which there are many.
const GOLDEN_SAMPLED: usize = 12;

/// A packed file and its index, in memory.
#[derive(Clone)]
struct Files {
    path: PathBuf,
    packed: Bytes,
    index: Option<Bytes>,
    /// How many bits of each part are flipped, unless all are.
    sampled: usize,
}

impl Files {
    fn open(&self) -> Result<(PackedFile, Indices), Error> {
        let file = PackedFile::open_ranges(&self.path, Box::new(self.packed.clone()))?;
        let first = part_path(&self.path, 0);
        let indices = Indices::open_ranges(&file, |path| {
            let index = self.index.clone().filter(|_| path == first)?;
            Some(Box::new(index))
        });
        Ok((file, indices))
    }
}

fn games() -> Vec<u8> {
    let sample = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
        std::fs::read(path).expect("a sample")
    };
    let mut games = [sample("famous.pgn"), sample("annotated.pgn")].concat();
    games.extend_from_slice(
        b"[Event \"x\"]\n[Board \"7\"]\n[Date \"2020.01.31\"]\n[WhiteElo \"2400\"]\n\
          [FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. a8=Q Kg6 1-0\n\n\
          [Event \"M\xf3ra\"]\n[UTCDate \"2020.01.31\"]\n[White \"A\"]\n[Black \"B\"]\n\n\
          1. e4 { [%clk 0:03:00] [%eval 0.2] } e5 { [%clk 0:02:59] [%eval 0.3] } 2. f4 *\n\n",
    );
    // Enough games with one position for blocks.
    let short = "[Event \"s\"]\n[White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n\
                 1. f3 e5 2. g4 Qh4# 0-1\n\n";
    games.extend(short.repeat(40).bytes());
    games
}

/// Games of engines, whose comments follow a pattern, and some with prose.
fn commented() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/engines.pgn");
    let mut games = std::fs::read(path).expect("a sample");
    for number in 0..30 {
        let game = format!(
            "[Event \"{number}\"]\n\n1. e4 {{ The king's pawn, for the {number}th time. }} 1... e5 \
             {{ {} }} (1... c5 {{ sharper }} 2. Nf3) 2. f4 *\n\n",
            ["Solid", "As in the old days", "No zugzwang yet"][number % 3]
        );
        games.extend(game.bytes());
    }
    games
}

fn positions() -> Vec<u8> {
    const BOARD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    let mut lines: Vec<String> =
        (1..300).map(|number| format!("{BOARD} w KQkq - {number} {number}\n")).collect();
    lines.push(format!("{BOARD} b Kq - bm Qxf3; id \"x; y\";\n"));
    lines.concat().into_bytes()
}

/// A form of a packed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Small,
    /// With a page index, as in large files.
    Large,
    /// A copy by another tool, without page checksums.
    Copy,
}

/// Packs an input.
fn packed(input: Vec<u8>, form: Form) -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: false };
    let source = Source::new("in", Box::new(Cursor::new(input)));
    import(vec![source], &path, &options, &Work::on(1)).expect("a packed file");
    let file = PackedFile::open(&path).expect("a packed file");
    if form == Form::Large {
        let mut writer = Writer::games(Vec::new(), &path).expect("memory");
        writer.copy(&file.read_group(0).expect("a row group")).expect("memory");
        std::fs::write(&path, writer.finish(&[]).expect("memory")).expect("a file");
    }
    if form == Form::Copy {
        let file = std::fs::File::open(&path).expect("a packed file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let mut copy = Vec::new();
        let schema = reader.schema().clone();
        let mut writer = ArrowWriter::try_new(&mut copy, schema, None).expect("a writer");
        for batch in reader.build().expect("Parquet") {
            writer.write(&batch.expect("rows")).expect("memory");
        }
        writer.close().expect("memory");
        std::fs::write(&path, copy).expect("a file");
    }
    let file = PackedFile::open(&path).expect("a packed file");
    let mut index_bytes = None;
    if file.kind() == Content::Games {
        index(&file, true, &Work::on(1)).expect("an index");
        index_bytes = Some(std::fs::read(part_path(&path, 0)).expect("an index").into());
    }
    let packed = std::fs::read(&path).expect("a file").into();
    Files { path: "games.parquet".into(), packed, index: index_bytes, sampled: SAMPLED }
}

/// Answers by question; an error is no answer.
type Answers = BTreeMap<&'static str, Option<String>>;

fn answers(files: &Files, asked: &BTreeMap<&'static str, Ask>) -> Answers {
    asked
        .iter()
        .map(|(&name, ask)| {
            let answer = catch_unwind(AssertUnwindSafe(|| {
                let (file, indices) = files.open().ok()?;
                ask(file, indices).ok()
            }));
            (name, answer.unwrap_or_else(|_| Some("a panic".into())))
        })
        .collect()
}

type Ask = Box<dyn Fn(PackedFile, Indices) -> Result<String, Error> + Sync>;

fn say(answer: impl Debug) -> String {
    format!("{answer:?}")
}

/// Exports all records, with the names of their inputs if `named`.
fn exported(file: &PackedFile, named: bool) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let mut sink = |name: &str, piece: &[u8]| {
        bytes.extend_from_slice(if named { name.as_bytes() } else { b"" });
        bytes.extend_from_slice(piece);
        Ok(())
    };
    export(file, &Work::on(1), &mut sink)?;
    Ok(bytes.escape_ascii().to_string())
}

/// Returns the questions that apply to any file.
fn asked_of_any() -> BTreeMap<&'static str, Ask> {
    let mut asked: BTreeMap<&'static str, Ask> = BTreeMap::new();
    asked.insert("summary", Box::new(|file, _| Ok(say(file.summary()?))));
    asked.insert("completeness", Box::new(|file, _| Ok(say(file.completeness()?))));
    asked.insert("sources", Box::new(|file, _| Ok(say((file.sources()?, file.rowless()?)))));
    asked.insert("export", Box::new(|file, _| exported(&file, true)));
    asked.insert("one record", Box::new(|file, _| Ok(say(raw_record(&file, 1)?.map(|r| r.bytes)))));
    asked.insert(
        "verify",
        Box::new(|file, _| match verify(&file, 1, &Work::on(1))?.pop() {
            Some(fault) => Err(fault),
            None => Ok(String::new()),
        }),
    );
    asked
}

/// Writes all games as PGN, with moves as coordinates, so that none is given as it was packed.
fn converted(file: &PackedFile) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let mut sink = |_: &str, piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    let conversion = Conversion::new(Moves::Coordinates);
    export_converted(file, 0..u64::MAX, &conversion, &Work::on(1), &mut sink)?;
    Ok(bytes.escape_ascii().to_string())
}

/// Returns the questions that apply to games.
fn asked_of_games() -> BTreeMap<&'static str, Ask> {
    fn add(asked: &mut BTreeMap<&'static str, Ask>, name: &'static str, question: Owned) {
        let finds = question.clone();
        asked.insert(name, Box::new(move |file, indices| finds.found(file, indices)));
    }
    let mut asked = asked_of_any();
    asked.insert("converted", Box::new(|file, _| converted(&file)));
    let chess = plypack_games::game("chess").expect("chess");
    let target = |moves| Some(Target::read(chess, None, moves).expect("a position"));
    let none = Owned::default();
    add(&mut asked, "find all", none.clone());
    add(&mut asked, "find a start", Owned { target: target(""), ..none.clone() });
    add(&mut asked, "find", Owned { target: target("1. f3 e5 2. g4"), ..none.clone() });
    add(&mut asked, "find the rare", Owned { target: target("1. e4 e5 2. f4"), ..none.clone() });
    let variations = Owned { target: target("1. e4 e5 2. Nf3"), variations: true, ..none.clone() };
    add(&mut asked, "find in variations", variations);
    add(&mut asked, "find the best", Owned { order: Order::Rating, ..none.clone() });
    for (name, text) in [
        ("where result", "Result = '1-0'"),
        ("where date", "played_on >= '1900-01-01'"),
        ("where text", "Date like '%19%' or Event = 'x' or Board = '7'"),
        ("where number", "WhiteElo > 2000 or plies < 5"),
        ("where player", "player like '%a%'"),
    ] {
        let condition = Some(Condition::parse(text).expect("a condition"));
        add(&mut asked, name, Owned { condition, ..none.clone() });
    }
    let pattern = Some(r#"{"imbalance":"Pv"}"#.to_owned());
    add(&mut asked, "pattern", Owned { pattern, ..none.clone() });
    let pattern = Some(r#"{"result":"0-1"}"#.to_owned());
    add(&mut asked, "pattern with result", Owned { pattern, ..none.clone() });
    for (name, moves) in [("tree", ""), ("tree of many", "1. f3 e5"), ("tree of few", "1. e4 e5")] {
        let target = Target::read(chess, None, moves).expect("a position");
        asked.insert(
            name,
            Box::new(move |file, indices| {
                let question = Question { target: Some(&target), ..Question::default() };
                Ok(say(tree(&[Asked { file, indices, known: None }], &question, &Work::on(1))?))
            }),
        );
    }
    for (name, moves) in [("successors", ""), ("successors of few", "1. e4 e5")] {
        let target = Target::read(chess, None, moves).expect("a position");
        asked.insert(name, Box::new(move |file, indices| behind(file, indices, &target)));
    }
    let target = Target::read(chess, None, "1. f3").expect("a position");
    asked.insert(
        "plays",
        Box::new(move |file, indices| {
            let question = Question { target: Some(&target), ..Question::default() };
            let mut found = Vec::new();
            let known = Some(Known::read(&file)?);
            let asked = [Asked { file, indices, known }];
            plays(&asked, &question, &Work::on(1), &mut |play| {
                found.push((play.row, play.candidate))
            })?;
            found.sort_unstable();
            Ok(say(found))
        }),
    );
    asked.insert(
        "facts",
        Box::new(|file, _| {
            let groups = 0..file.groups();
            let facts: Result<Vec<_>, Error> = groups
                .map(|group| Ok((file.facts(group, None)?, file.players(group, None)?)))
                .collect();
            Ok(say(facts?))
        }),
    );
    asked.insert(
        "tags of one",
        Box::new(|file, _| {
            let row = 2..3;
            let rows = file.read_rows(std::slice::from_ref(&row), Wanted::TAGS_AND_CHECKSUM)?;
            Ok(say(rows.record(0).map(|(record, checksum, _)| (record.tags, checksum))))
        }),
    );
    asked.insert(
        "duplicates",
        Box::new(|file, _| Ok(say(duplicates(&[file], Sought::default(), &Work::on(1))?))),
    );
    asked
}

/// Returns the games of the positions after the moves of a position; where they are unknown, as a
/// tree of each tells.
fn behind(file: PackedFile, indices: Indices, target: &Target) -> Result<String, Error> {
    let asked = [Asked { file, indices, known: None }];
    let question = Question { target: Some(target), ..Question::default() };
    let candidates = tree(&asked, &question, &Work::on(1))?.candidates();
    let sums = successors(&asked, &question, &candidates, &Work::on(1))?;
    let mut told = Vec::new();
    for (candidate, sum) in candidates.into_iter().zip(sums) {
        let mut cursor = target.game().cursor(Some(target.text())).expect("a position");
        cursor.play(candidate).expect("a move");
        let next = Target::at(target.game(), &*cursor);
        let all = || {
            let question = Question { target: Some(&next), ..Question::default() };
            let tree = tree(&asked, &question, &Work::on(1))?;
            let mut all = tree.ended;
            tree.moves.iter().for_each(|played| all.merge(&played.sum));
            Ok::<Sum, Error>(Sum { records: tree.records, ..all })
        };
        told.push((candidate, sum.map_or_else(all, Ok)?));
    }
    Ok(say(told))
}

/// A question that owns its parts.
#[derive(Clone, Default)]
struct Owned {
    target: Option<Target>,
    condition: Option<Condition>,
    pattern: Option<String>,
    variations: bool,
    order: Order,
}

impl Owned {
    fn found(&self, file: PackedFile, indices: Indices) -> Result<String, Error> {
        let chess = plypack_games::game("chess").expect("chess");
        let pattern = self.pattern.as_ref().map(|text| {
            PatternText::read(text).and_then(|text| text.of(chess)).expect("a pattern")
        });
        let question = Question {
            target: self.target.as_ref(),
            pattern: pattern.as_ref(),
            condition: self.condition.as_ref(),
            variations: self.variations,
            limits: None,
        };
        let asked = [Asked { file, indices, known: None }];
        let mut found = Vec::new();
        find(&asked, &question, self.order, 10_000, &Work::on(1), &mut |game| {
            found.push((game.row, game.hits));
            Ok(())
        })?;
        Ok(say(found))
    }
}

/// Returns the bits to flip in this many bytes: so many, unless all are.
fn bits(bytes: usize, sampled: usize) -> Vec<usize> {
    let all = bytes * 8;
    if is_whole() {
        return (0..all).collect();
    }
    let mut state = seed();
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        plypack_core::key::mix(state)
    };
    (0..sampled.min(all)).map(|_| usize::try_from(next() % all as u64).unwrap_or(0)).collect()
}

/// Flips bits of a part of some files, up to this byte. Returns for each question how often it was
/// answered correctly, and how often not at all.
fn flip(
    files: &Files,
    asked: &BTreeMap<&'static str, Ask>,
    end: usize,
    part: fn(&mut Files) -> &mut Bytes,
) -> BTreeMap<&'static str, [usize; 2]> {
    let truth = answers(files, asked);
    assert!(truth.values().all(Option::is_some), "{truth:?}");
    let flipped = bits(end, files.sampled);
    let outcomes: Mutex<BTreeMap<&str, [usize; 2]>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (flipped, truth, outcomes) = (&flipped, &truth, &outcomes);
            scope.spawn(move || {
                for &bit in flipped.iter().skip(thread).step_by(threads) {
                    let mut damaged = files.clone();
                    let bytes = part(&mut damaged);
                    let mut flipped = bytes.to_vec();
                    flipped[bit / 8] ^= 1 << (bit % 8);
                    *bytes = flipped.into();
                    for (name, answer) in answers(&damaged, asked) {
                        let is_there = answer.is_some();
                        assert!(
                            !is_there || answer == truth[name],
                            "{name}: bit {bit}: {answer:?}"
                        );
                        let mut outcomes = outcomes.lock().expect("no thread panics");
                        outcomes.entry(name).or_default()[usize::from(!is_there)] += 1;
                    }
                }
            });
        }
    });
    outcomes.into_inner().expect("no thread panics")
}

#[test]
fn no_bit_of_a_file_of_games_answers_wrongly() {
    std::panic::set_hook(Box::new(|panic| {
        if !plypack::store::catches_panics() {
            eprintln!("{panic}");
        }
    }));
    for form in [Form::Small, Form::Large, Form::Copy] {
        let files = packed(games(), form);
        let mut asked = asked_of_games();
        if form == Form::Copy {
            // Columns that records are not built from are not compared.
            asked.retain(|name, _| !["summary", "completeness", "sources"].contains(name));
            asked.insert("export", Box::new(|file, _| exported(&file, false)));
        }
        // The footer of a copy has no checksum.
        let end = if form == Form::Copy { footer(&files.packed) } else { files.packed.len() };
        let outcomes = flip(&files, &asked, end, |files| &mut files.packed);
        println!("{form:?}, {end} bytes: {outcomes:?}");
        // Checks of the whole file refuse every flip.
        assert!(form == Form::Copy || outcomes["verify"][0] == 0, "{outcomes:?}");
        // A damaged index is ignored, so that nothing is refused.
        let index = files.index.as_ref().expect("an index").len();
        let outcomes = flip(&files, &asked, index, |files| files.index.as_mut().expect("an index"));
        println!("index: {outcomes:?}");
        assert!(outcomes.values().all(|[_, refused]| *refused == 0), "{outcomes:?}");
    }
}

/// What comments are coded in is read by all who ask for comments, by conditions, and with the
/// record.
#[test]
fn no_bit_of_comments_answers_wrongly() {
    let files = packed(commented(), Form::Small);
    let mut asked = asked_of_any();
    let movetexts = |file: PackedFile, _: Indices| {
        let rows = file.read_group(0)?;
        let text = |row| {
            let (record, ..) = rows.record(row)?;
            let fault = |source| Error::Record { path: PathBuf::new(), record: row as u64, source };
            Some(record.movetext(Notation::Customary).map(say).map_err(fault))
        };
        Ok(say((0..rows.len()).map(|row| text(row).transpose()).collect::<Result<Vec<_>, _>>()?))
    };
    asked.insert("movetexts", Box::new(movetexts));
    asked.insert("converted", Box::new(|file, _| converted(&file)));
    let condition = Some(Condition::parse("comments like '%zugzwang%'").expect("a condition"));
    let question = Owned { condition, ..Owned::default() };
    asked.insert("where comments", Box::new(move |file, indices| question.found(file, indices)));
    let nothing = Some("[]".to_owned());
    assert!(answers(&files, &asked).values().all(|answer| *answer != nothing));
    let bytes = files.packed.len();
    let outcomes = flip(&files, &asked, bytes, |files| &mut files.packed);
    println!("{bytes} bytes: {outcomes:?}");
    assert_eq!(outcomes["verify"][0], 0, "{outcomes:?}");
}

/// Verifying an index reads all of its parts, also those that no question above needs. Nothing
/// rests on its first eight bytes.
#[test]
fn every_damaged_byte_of_an_index_is_found() {
    let files = packed(games(), Form::Small);
    let index = files.index.clone().expect("an index");
    let faults = |index: Vec<u8>| {
        let files = Files { index: Some(index.into()), ..files.clone() };
        let (_, indices) = files.open().expect("the file is whole");
        indices.verify(&Work::on(1)).expect("memory").len()
    };
    assert_eq!(faults(index.to_vec()), 0);
    for at in 8..index.len() {
        let mut damaged = index.to_vec();
        damaged[at] ^= 1 << (at % 8);
        assert_eq!(faults(damaged), 1, "byte {at} of {}", index.len());
    }
}

#[test]
fn no_bit_of_a_file_of_positions_answers_wrongly() {
    let files = packed(positions(), Form::Small);
    let bytes = files.packed.len();
    let outcomes = flip(&files, &asked_of_any(), bytes, |files| &mut files.packed);
    println!("{bytes} bytes: {outcomes:?}");
}

/// The golden packed files, of every game and format.
fn golden() -> Vec<Files> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/file");
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let mut paths: Vec<PathBuf> = entries(&root).iter().flat_map(|case| entries(case)).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "parquet"));
    let files = |path: PathBuf| Files {
        packed: std::fs::read(&path).expect("a file").into(),
        path,
        index: None,
        sampled: GOLDEN_SAMPLED,
    };
    paths.into_iter().map(files).collect()
}

#[test]
fn no_bit_of_a_golden_file_answers_wrongly() {
    let all = golden();
    assert!(all.len() > 30, "{} golden files", all.len());
    for files in all {
        let (file, _) = files.open().expect("a packed file");
        let mut asked = asked_of_any();
        if file.kind() == Content::Games {
            asked.insert("converted", Box::new(|file, _| converted(&file)));
        }
        let bytes = files.packed.len();
        let outcomes = flip(&files, &asked, bytes, |files| &mut files.packed);
        println!("{}, {bytes} bytes: {outcomes:?}", files.path.display());
        assert_eq!(outcomes["verify"][0], 0, "{}: {outcomes:?}", files.path.display());
    }
}

/// Damaged lengths of strings may end one of them within a character, which the Parquet library
/// notices only with debug assertions: without them (`--release`), this tests our own check.
#[test]
fn a_text_that_ends_within_a_character_is_refused() {
    for (bit, row) in [(11_280, 1), (11_519, 2)] {
        let refused = raw_record(&flipped(bit), row).expect_err("its text is damaged").to_string();
        assert!(refused.contains("damaged"), "{bit}: {refused}");
    }
}

/// The Parquet library names each layer that an error passed through, and some of its errors name
/// no column.
#[test]
fn damage_is_told_with_the_records_and_the_cure() {
    let cure = "use an undamaged copy of the file, or pack the games again";
    for bit in [833, 951, 4_402, 11_103, 11_286, 12_491, 12_572, 12_666] {
        let refused = raw_record(&flipped(bit), 0).expect_err("it is damaged").to_string();
        println!("{bit}: {refused}");
        assert!(refused.contains("records 1 to 5 cannot be read"), "{bit}: {refused}");
        assert!(refused.ends_with(cure), "{bit}: {refused}");
        assert!(!refused.contains("External") && !refused.contains("rror:"), "{bit}: {refused}");
    }
}

/// A golden file with this bit flipped.
fn flipped(bit: usize) -> PackedFile {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/file");
    let packed = std::fs::read(golden.join("xiangqi-desktop/default-v1.parquet"));
    let mut packed = packed.expect("a golden file");
    packed[bit / 8] ^= 1 << (bit % 8);
    let opened = PackedFile::open_ranges(Path::new("a"), Box::new(Bytes::from(packed)));
    opened.expect("only a page is damaged")
}

/// Returns where the footer of a Parquet file begins.
fn footer(file: &[u8]) -> usize {
    let (length, _) = file.last_chunk::<8>().expect("an end").split_at(4);
    file.len() - 8 - u32::from_le_bytes(length.try_into().expect("four bytes")) as usize
}
