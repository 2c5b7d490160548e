//! Indices beside packed files: identical however they are built, valid for no other file, and
//! either complete or absent after any interruption.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::{Destination, Work};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::common::source;
use plypack::store::find::{Asked, Question, Target, Tree, tree};
use plypack::store::index::{
    Built, Entry, IndexWriter, Indices, Spot, index, part_path, remove_others,
};
use plypack::store::ranges::{Counted, Counts, Ranges};
use plypack::store::{Error, Options, PackedFile, Source, Wanted, import, import_to};
use plypack_core::Cursor;
use plypack_games::line_codec;

fn options(codec: &str) -> Options {
    let codec = line_codec("chess", codec).expect("a codec");
    Options { codec, positions: None, detect: true }
}

fn pack(path: &Path, sources: Vec<Source>) -> PackedFile {
    let options = options("line.uniform");
    import(sources, path, &options, &Work::on(2)).expect("a packed file");
    PackedFile::open(path).expect("a packed file")
}

fn build(file: &PackedFile, threads: usize) -> Option<Built> {
    index(file, false, &Work::on(threads)).expect("an index")
}

/// Packs and indexes in one go, and returns the index.
fn packed_with_index(path: &Path, sources: Vec<Source>, threads: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = IndexWriter::begin(&part_path(path, 0)).expect("room");
    let builder = Some(writer.builder());
    let options = options("line.uniform");
    let report = import_to(
        sources,
        &mut Destination::new(&mut bytes, path).with_index(builder),
        &options,
        &Work::on(threads),
    );
    let groups = report.expect("a packed file").groups;
    std::fs::write(path, &bytes).expect("room");
    let written = writer.finish(&groups, Work::on(1).stop).expect("room");
    written.publish().expect("room");
    std::fs::read(part_path(path, 0)).expect("an index")
}

/// Generates small games of tic-tac-toe, numbered so that each ends differently.
fn small_games(numbers: std::ops::Range<usize>) -> String {
    let cells = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
    let game = |number: usize| {
        let [first, second] = [number % 9, (number / 9 + 1 + number) % 9];
        let second = if first == second { (second + 1) % 9 } else { second };
        let result = ["1-0", "0-1", "1/2-1/2", "*"][number % 4];
        format!(
            "[Event \"{number}\"]\n[Variant \"tictactoe\"]\n[Result \"{result}\"]\n\n\
             1. {} {} {result}\n\n",
            cells[first], cells[second]
        )
    };
    numbers.map(game).collect()
}

/// Returns the rows that an index names for a position of tic-tac-toe.
fn rows_of(file: &PackedFile, moves: &[&str]) -> Vec<u64> {
    let game = plypack_games::game("tictactoe").expect("a game");
    let mut cursor = game.cursor(None).expect("the start");
    for text in moves {
        cursor.read(text).expect("a move");
    }
    let indices = Indices::open(file);
    let mut rows = Vec::new();
    for entry in indices.look_up(spot_of(&*cursor)).expect("whole") {
        match entry {
            Entry::Few(few) => rows.extend(few),
            Entry::Shared(shared) => {
                assert_eq!(shared.first_games(usize::MAX).expect("whole").len() as u64, {
                    let played: u64 = shared.moves().iter().map(|mv| mv.sum.records).sum();
                    played + shared.ended().map_or(0, |sum| sum.records)
                });
                rows.extend(shared.games().expect("whole").into_iter().map(|game| game.0));
            }
        }
    }
    rows.sort_unstable();
    rows
}

/// Returns what the position at a cursor is listed under.
fn spot_of(cursor: &dyn Cursor<'_>) -> Spot {
    Spot { structure: cursor.structure(), key: cursor.key() }
}

fn folder_of(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

#[test]
fn packing_and_indexing_at_once_give_the_same_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let mut inputs: Vec<std::path::PathBuf> = Vec::new();
    for folder in ["samples", "vectors/file"] {
        let entries = std::fs::read_dir(folder_of(folder)).expect("it is in the repository");
        inputs.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    inputs.sort();
    let mut positions = 0;
    for input in inputs.iter().filter(|path| path.is_file()) {
        let name = input.file_name().expect("a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(input).expect("a file");
        if bytes.starts_with(b"PAR1") || name.ends_with(".epd") || name.ends_with(".md") {
            continue;
        }
        let at_once = packed_with_index(&path, vec![source(&name, &bytes)], 2);
        let file = PackedFile::open(&path).expect("a packed file");
        if file.kind() != plypack::store::Content::Games {
            continue;
        }
        assert_eq!(build(&file, 2), None, "{name}: its index is of today");
        std::fs::remove_file(part_path(&path, 0)).expect("it is there");
        let built = build(&file, 1).expect("there was none");
        positions += built.positions;
        let after = std::fs::read(part_path(&path, 0)).expect("an index");
        assert!(at_once == after, "{name}: {} and {} bytes", at_once.len(), after.len());
    }
    assert!(positions > 40_000, "{positions} positions");
}

#[test]
fn threads_and_the_order_of_work_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let text = std::fs::read(folder_of("samples/championship.pgn")).expect("a sample");
    let inputs = || vec![source("championship.pgn", &text)];
    let one = packed_with_index(&path, inputs(), 1);
    assert!(one == packed_with_index(&path, inputs(), 7));
    let file = PackedFile::open(&path).expect("a packed file");
    for threads in [1, 3] {
        assert!(index(&file, true, &Work::on(threads)).expect("an index").is_some());
        assert!(one == std::fs::read(part_path(&path, 0)).expect("an index"), "{threads}");
    }
}

#[test]
fn a_file_that_grew_is_covered_but_for_what_is_new() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    // A row group has 16,384 games; the same games give the same row group.
    let group = 16_384;
    let old = small_games(0..group);
    let file = pack(&path, vec![source("a.pgn", old.as_bytes())]);
    assert_eq!(Indices::open(&file).uncovered(), [0]);
    let first = build(&file, 2).expect("there was none");
    assert_eq!((first.games, Indices::open(&file).uncovered().len()), (16_384, 0));
    let before = rows_of(&file, &["b2", "a1"]);

    let new = small_games(group..group + 900);
    let inputs = vec![source("a.pgn", old.as_bytes()), source("b.pgn", new.as_bytes())];
    let file = pack(&path, inputs);
    let indices = Indices::open(&file);
    assert!(!indices.is_empty() && indices.refused().is_empty());
    assert_eq!(indices.uncovered(), [1]);
    assert_eq!(rows_of(&file, &["b2", "a1"]), before);
    let second = build(&file, 2).expect("a row group is new");
    assert_eq!(second.games, 900);
    assert!(part_path(&path, 1).exists() && Indices::open(&file).uncovered().is_empty());
    let both = rows_of(&file, &["b2", "a1"]);
    let newer: Vec<u64> = both.iter().copied().filter(|&row| row >= 16_384).collect();
    assert!(both.len() == before.len() + newer.len() && !newer.is_empty());
    assert_eq!(build(&file, 2), None);

    // Rebuilt as one index, they give the same answers.
    assert_eq!(
        index(&file, true, &Work::on(2)).expect("an index").map(|built| built.games),
        Some(17_284)
    );
    assert!(!part_path(&path, 1).exists());
    assert_eq!(rows_of(&file, &["b2", "a1"]), both);
}

#[test]
fn an_index_of_other_games_is_refused_and_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let games = small_games(0..2_000);
    let file = pack(&path, vec![source("a.pgn", games.as_bytes())]);
    build(&file, 1);
    let stale = std::fs::read(part_path(&path, 0)).expect("an index");
    // One different move: every column keeps its length in bytes.
    let other = games.replacen("1. a1 ", "1. a3 ", 1);
    assert_ne!(other, games);
    let changed = pack(&path, vec![source("a.pgn", other.as_bytes())]);
    let indices = Indices::open(&changed);
    assert!(indices.is_empty() && indices.uncovered() == [0]);
    let why = &indices.refused().first().expect("it is there").why;
    assert!(why.contains("changed"), "{why}");
    assert_eq!(build(&changed, 1).expect("it was stale").games, 2_000);
    assert!(stale != std::fs::read(part_path(&path, 0)).expect("an index"));
    assert!(Indices::open(&changed).refused().is_empty());
    // Damaged, truncated or foreign: reported, and not used.
    let good = std::fs::read(part_path(&path, 0)).expect("an index");
    for bad in [&good[..good.len() - 1], &good[..20], b"", b"something else altogether"] {
        std::fs::write(part_path(&path, 0), bad).expect("room");
        let indices = Indices::open(&changed);
        assert_eq!((indices.refused().len(), indices.is_empty()), (1, true));
        assert!(build(&changed, 1).is_some());
        assert!(good == std::fs::read(part_path(&path, 0)).expect("an index"));
    }
    remove_others(&path, &[]).expect("they are ours");
    assert!(!part_path(&path, 0).exists());
}

#[test]
fn a_page_that_is_damaged_is_an_error_and_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let file = pack(&path, vec![source("a.pgn", small_games(0..500).as_bytes())]);
    build(&file, 1);
    let mut bytes = std::fs::read(part_path(&path, 0)).expect("an index");
    bytes[30] ^= 4;
    std::fs::write(part_path(&path, 0), &bytes).expect("room");
    let game = plypack_games::game("tictactoe").expect("a game");
    let start = spot_of(&*game.cursor(None).expect("the start"));
    let told = Indices::open(&file).look_up(start).map(|entries| entries.len());
    let error = told.expect_err("it is damaged").to_string();
    assert!(error.contains("damaged") && error.contains("plypack index"), "{error}");
}

#[test]
fn what_is_interrupted_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let file = pack(&path, vec![source("a.pgn", small_games(0..3_000).as_bytes())]);
    let stop = AtomicBool::new(false);
    let progress = |_| stop.store(true, Ordering::Relaxed);
    let work = Work { threads: 1, stop: &stop, progress: &progress };
    assert!(matches!(index(&file, false, &work), Err(Error::Stopped)));
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 1, "only the packed file is there");
}

#[test]
fn positions_of_variations_are_found_under_their_own_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let text = "[Event \"a\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 *\n\n";
    let file = pack(&path, vec![source("a.pgn", text.as_bytes())]);
    build(&file, 1);
    let game = plypack_games::game("chess").expect("a game");
    let indices = Indices::open(&file);
    let found = |moves: &str, inside: bool| {
        let mut cursor = game.cursor(None).expect("the start");
        for text in moves.split(' ') {
            cursor.read(text).expect("a move");
        }
        let spot = spot_of(&*cursor);
        let spot = if inside { spot.in_variation() } else { spot };
        !indices.look_up(spot).expect("whole").is_empty()
    };
    for moves in ["e4", "e4 e5", "e4 e5 Nf3"] {
        assert!(found(moves, false) && !found(moves, true), "{moves}");
    }
    for moves in ["e4 c5", "e4 c5 Nf3", "e4 c5 Nf3 d6", "e4 c5 c3", "e4 c5 c3 d5"] {
        assert!(!found(moves, false) && found(moves, true), "{moves}");
    }
}

#[test]
fn any_storage_serves_an_index_in_few_ranges() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let file = pack(&path, vec![source("a.pgn", small_games(0..9_000).as_bytes())]);
    build(&file, 1);
    let bytes = std::fs::read(part_path(&path, 0)).expect("an index");
    remove_others(&path, &[]).expect("they are ours");
    assert!(Indices::open(&file).is_empty());
    let (memory, counts) = Counted::new(bytes::Bytes::from(bytes));
    let mut memory = Some(memory);
    let indices = Indices::open_ranges(&file, |at| {
        let is_first = at == part_path(&path, 0);
        is_first.then(|| memory.take()).flatten().map(|memory| Box::new(memory) as Box<dyn Ranges>)
    });
    assert!(indices.uncovered().is_empty());
    assert_eq!(counts.take().0, 1, "its end is read once");
    let game = plypack_games::game("tictactoe").expect("a game");
    let start = spot_of(&*game.cursor(None).expect("the start"));
    let entries = indices.look_up(start).expect("whole");
    let [Entry::Shared(shared)] = &entries[..] else { panic!("every game begins there") };
    assert_eq!(shared.first_games(20).expect("whole").len(), 20);
    assert_eq!((shared.records(), shared.examples().len()), (9_000, 3));
    let (ranges, read) = counts.take();
    assert!(ranges == 2 && read <= 128 << 10, "{ranges} ranges, {read} bytes");
    assert_eq!(shared.games().expect("whole").len(), 9_000);
    assert_eq!(counts.take().0, 1, "a long list is one range more");
}

#[test]
fn positions_files_have_no_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n".repeat(4);
    let file = pack(&path, vec![source("a.epd", epd.as_bytes())]);
    assert!(matches!(index(&file, false, &Work::on(1)), Err(Error::Format { .. })));
}

/// Generates games of gomoku by players whose names do not compress: three share the first four
/// stones, and 24 the first two.
fn spread_games(count: usize) -> String {
    let mixed = |seed: usize| {
        let mixed = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    let cell = |at: u64| {
        format!("{}{}", char::from(b'a' + u8::try_from(at % 15).expect("small")), at / 15 % 15 + 1)
    };
    let game = |number: usize| {
        let (pair, four) = (number as u64 / 24, number as u64 / 3 % 8);
        // In columns of their own, so that they never meet.
        let stones = [pair % 45, 45 + pair / 45 % 45, 90 + four, 135 + mixed(number / 3) % 45];
        let stones = stones.map(|at| cell(at % 15 * 15 + at / 15)).join(" ");
        let last = cell(13 + mixed(number) % 15 * 15);
        let [year, elo] = [1_950 + number % 70, 1_400 + number % 1_300];
        let result = ["1-0", "0-1", "1/2-1/2", "*"][number % 4];
        format!(
            "[Event \"a\"]\n[Variant \"gomoku\"]\n[Date \"{year}.??.??\"]\n[White \"{:x}\"]\n\
             [Black \"{:x}\"]\n[WhiteElo \"{elo}\"]\n[Result \"{result}\"]\n\n{stones} {last} \
             {result}\n\n",
            mixed(number),
            mixed(number + count)
        )
    };
    (0..count).map(game).collect()
}

/// Builds the trees of the positions after this many plies of some games. Returns each with the
/// bytes read of the file and of its index.
fn trees(asked: Asked, plies: usize, counts: [&Counts; 2]) -> Vec<(Tree, [u64; 2])> {
    let game = plypack_games::game("gomoku").expect("a game");
    let work = Work::on(1);
    let asked = [asked];
    let one = |row: u64| {
        let this = row..row + 1;
        let rows = asked[0].file.read_rows(std::slice::from_ref(&this), Wanted::MOVES);
        let rows = rows.expect("a row");
        let (_, start, count, code) = rows.record(0).and_then(|r| r.0.line).expect("moves");
        let codec = line_codec("gomoku", "line.uniform").expect("a codec");
        let moves = codec.decode_indices(start, count, code).expect("moves");
        let mut cursor = game.cursor(start).expect("a start");
        for candidate in moves.iter().take(plies) {
            cursor.play(*candidate).expect("a move");
        }
        let target = Target::at(game, &*cursor);
        let question = Question { target: Some(&target), ..Question::default() };
        _ = counts.map(Counts::take);
        let tree = tree(&asked, &question, &work).expect("a tree");
        (tree, counts.map(|counts| counts.take().1))
    };
    (0..20).map(|at| one(at * 1_151 % asked[0].file.records())).collect()
}

#[test]
fn a_tree_of_few_games_reads_no_column_of_tags() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let text = spread_games(20_000);
    let file = pack(&path, vec![source("a.pgn", text.as_bytes())]);
    build(&file, 2);
    for (plies, records) in [(5, 1..4), (4, 3..4), (2, 4..32)] {
        let open = || Counted::new(std::fs::File::open(&path).expect("a file"));
        let (ranges, of_file) = open();
        let file = PackedFile::open_ranges(&path, Box::new(ranges)).expect("a packed file");
        file.load_index().expect("an index of pages");
        let index = std::fs::File::open(part_path(&path, 0)).expect("an index");
        let (index, of_index) = Counted::new(index);
        let mut index = Some(Box::new(index) as Box<dyn Ranges>);
        let first = part_path(&path, 0);
        let indices = Indices::open_ranges(&file, |at| index.take_if(|_| at == first));
        let found = trees(Asked { file, indices, known: None }, plies, [&of_file, &of_index]);
        let file = PackedFile::open(&path).expect("a packed file");
        let indices = Indices::none(&file);
        let scanned = trees(Asked { file, indices, known: None }, plies, [&of_file, &of_index]);
        for ((found, [of_file, of_index]), (scanned, _)) in found.iter().zip(&scanned) {
            assert_eq!(found, scanned);
            assert!(records.contains(&found.records), "{} games", found.records);
            assert!(*of_file + *of_index < 160_000, "{of_file} and {of_index} bytes");
            // One of the two dictionaries of names alone is larger.
            assert!(*of_file < 100_000, "{of_file} bytes");
        }
    }
}

#[test]
fn heads_tell_what_the_columns_tell() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let mut text = std::fs::read(folder_of("samples/championship.pgn")).expect("a sample");
    let long = "ö".repeat(70);
    text.extend(format!("\n\n[White \"{long}\"]\n[Date \"9999\"]\n\n*\n\n").bytes());
    text.extend(b"[Event \"no moves\"]\n[BlackElo \"65535\"]\n[WhiteElo \"9000\"]\n\n0-1\n\n");
    let binary = b"\0\0 no game at all 1-0\n";
    let file = pack(&path, vec![source("a.pgn", &text), source("b.pgn", binary)]);
    build(&file, 1);
    let rows: Vec<u64> = (0..file.records()).rev().collect();
    let heads = Indices::open(&file).heads(&rows).expect("whole");
    let (facts, players) = (file.facts(0, None).expect("facts"), file.players(0, None));
    let told = facts.iter().zip(players.expect("players")).rev();
    assert_eq!(heads.len(), facts.len());
    for (head, (fact, players)) in heads.iter().zip(told) {
        let head = head.as_ref().expect("it is covered");
        let white = players.white.unwrap_or_default();
        assert_eq!(head.players.white, white.chars().take(50).collect::<String>());
        assert!(players.black.unwrap_or_default().starts_with(&head.players.black));
        let ratings = (head.players.white_rating, head.players.black_rating);
        assert_eq!((ratings, head.year), ((fact.white_rating, fact.black_rating), fact.year));
        let outcome = fact.outcome.map(|outcome| format!("{outcome:?}"));
        assert_eq!(head.outcome.map(|outcome| format!("{outcome:?}")), outcome);
    }
    let none = Indices::none(&file).heads(&rows).expect("nothing to read");
    assert!(none.iter().all(Option::is_none));
}
