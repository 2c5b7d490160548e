//! Ten times as many records must be ten times as much work, for every operation and wherever the
//! records lie. Allocations are compared, which are the same on every machine, unlike time.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use plypack::store::Work;
use std::alloc::System;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use plypack::store::find::{Asked, Order, Question, find, records, tree};
use plypack::store::index::{Indices, Moved, carry_over, index};
use plypack::store::revision::{Sought, delete, duplicates, merge};
use plypack::store::synth::{Reader, Synth};
use plypack::store::{Condition, Options, PackedFile, Source, Wanted, export, import};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const FEW: u64 = 500;
const MANY: u64 = 10 * FEW;

/// The number of allocations, and their bytes.
type Amounts = [usize; 2];

#[derive(Default)]
struct Works(BTreeMap<&'static str, Amounts>);

impl Works {
    fn count<T>(&mut self, name: &'static str, done: impl FnOnce() -> T) -> T {
        let region = Region::new(ALLOCATOR);
        let result = done();
        let change = region.change();
        let calls = change.allocations + change.reallocations;
        self.0.insert(name, [calls, change.bytes_allocated]);
        result
    }
}

/// Measures every operation on this many games, of which every second one is deleted.
fn works(games: u64) -> BTreeMap<&'static str, Amounts> {
    let mut works = Works::default();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let codec = plypack_games::tier("chess", "fast").expect("a codec");
    let synth = Synth::new(codec, 7).expect("a model");
    let source = Source::new("synth.pgn", Box::new(Reader::new(synth, games, Arc::default())));
    let uniform = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec: uniform, positions: None, detect: false };
    works.count("pack", || {
        import(vec![source], &path, &options, &Work::on(1)).expect("a packed file");
    });
    let open = || PackedFile::open(&path).expect("a packed file");
    let file = open();
    assert_eq!(file.records(), games);
    works.count("unpack", || {
        export(&file, &Work::on(1), &mut |_, _| Ok(())).expect("all records");
    });
    works.count("index", || index(&file, true, &Work::on(1)).expect("an index"));
    let asked = || [Asked { file: open(), indices: Indices::open(&file), known: None }];
    let condition = Condition::parse("Result = '1-0'").expect("a condition");
    for (name, order) in [("find", Order::Stored), ("find, sorted", Order::Rating)] {
        works.count(name, || {
            let asked = asked();
            let question = Question { condition: Some(&condition), ..Question::default() };
            let mut rows = Vec::new();
            find(&asked, &question, order, u64::MAX, &Work::on(1), &mut |game| {
                rows.push(game.row);
                Ok(())
            })
            .expect("rows");
            records(&asked[0], &rows, Wanted::TAGS, |_, _, _| Ok::<(), plypack::store::Error>(()))
                .expect("tags");
            assert!(rows.len() as u64 > games / 5);
        });
    }
    works.count("tree", || tree(&asked(), &Question::default(), &Work::on(1)).expect("moves"));
    works.count("dedup", || {
        duplicates(&[open()], Sought::default(), &Work::on(1)).expect("copies");
    });

    let scattered: Vec<u64> = (0..games).step_by(2).collect();
    let block: Vec<u64> = (0..games / 2).collect();
    let left = folder.path().join("left.parquet");
    for (name, with_index, rows) in
        [("delete", "delete, index", &scattered), ("delete a block", "a block, index", &block)]
    {
        let mut output = Vec::new();
        works.count(name, || {
            delete(&file, rows, &mut output, Path::new("left"), &Work::on(1)).expect("memory")
        });
        std::fs::write(&left, output).expect("a file");
        works.count(with_index, || {
            let file = PackedFile::open(&left).expect("a packed file");
            let moved = Moved { indices: &Indices::open(&open()), gone: rows, first: 0 };
            carry_over(&file, &[moved], &Work::on(1)).expect("an index");
            assert!(Indices::open(&file).uncovered().is_empty());
        });
    }
    // Files of a hundred games each are merged.
    let files: Vec<PackedFile> = (0..games / 100)
        .map(|number| {
            let path = folder.path().join(format!("{number}.parquet"));
            let others = |&row: &u64| row / 100 != number;
            let rows: Vec<u64> = (0..games).filter(others).collect();
            let mut output = Vec::new();
            delete(&file, &rows, &mut output, &path, &Work::on(1)).expect("memory");
            std::fs::write(&path, output).expect("a file");
            PackedFile::open(&path).expect("a packed file")
        })
        .collect();
    works.count("merge", || {
        merge(&files, &mut Vec::new(), Path::new("all"), &Work::on(1)).expect("memory")
    });
    works.0
}

#[test]
fn work_grows_with_the_number_of_records() {
    // Warms up what is initialised on first use.
    works(100);
    let (few, many) = (works(FEW), works(MANY));
    for (name, [calls, bytes]) in many {
        let [few_calls, few_bytes] = few[name];
        println!("{name}: {few_calls} and {calls} allocations, {few_bytes} and {bytes} bytes");
        assert!(calls <= 15 * few_calls, "{name}: {few_calls} and {calls} allocations");
        assert!(bytes <= 15 * few_bytes, "{name}: {few_bytes} and {bytes} bytes allocated");
    }
}
