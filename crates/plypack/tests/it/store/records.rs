//! Reading a few records of a file takes a few ranges, and every record has a name.

#![allow(
    clippy::expect_used,
    clippy::single_range_in_vec_init,
    reason = "clippy spares only functions marked #[test], and a list of runs may have one"
)]

use plypack::store::Work;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use plypack::store::export::export_rows;
use plypack::store::ranges::{Counted, Counts};
use plypack::store::{Error, PackedFile, RecordId, Wanted};

use crate::store::common::source;

/// Generates distinct games with names, ratings, clock readings and evaluations.
fn games(count: u64) -> Vec<String> {
    let game = |number: u64| {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (site, elo) = (mixed >> 24, 1_000 + mixed % 1_700);
        let (clock, value) = (mixed % 60, (mixed >> 8) % 300);
        format!(
            "[Event \"Rated game\"]\n[Site \"https://lichess.org/{site:010x}\"]\n\
             [White \"player {}\"]\n[Black \"player {}\"]\n[WhiteElo \"{elo}\"]\n\
             [UTCTime \"{:02}:{clock:02}:07\"]\n\n\
             1. e4 {{ [%eval 0.{value:02}] [%clk 0:09:{clock:02}] }} \
             1... e5 {{ [%eval {value}.5] [%clk 0:08:{clock:02}] }} 2. {} *\n\n",
            mixed % 997,
            mixed % 991,
            number % 24,
            ["f4", "Nf3", "Nc3", "d4", "Bc4"][usize::try_from(mixed % 5).expect("small")],
        )
    };
    (0..count).map(game).collect()
}

/// Creates a packed file in memory with a counter of its ranges.
fn packed(games: &[String]) -> (PackedFile, Arc<Counts>, u64) {
    let bytes = packed_bytes(games);
    let size = bytes.len() as u64;
    let (file, counts) = open(bytes);
    file.load_index().expect("an index of pages");
    (file, counts, size)
}

fn packed_bytes(games: &[String]) -> Bytes {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.parquet");
    crate::store::common::pack(&path, vec![source("games.pgn", games.concat().as_bytes())]);
    Bytes::from(std::fs::read(&path).expect("a file"))
}

fn open(bytes: Bytes) -> (PackedFile, Arc<Counts>) {
    let (ranges, counts) = Counted::new(bytes);
    let file = PackedFile::open_ranges(Path::new("memory"), Box::new(ranges)).expect("ours");
    (file, counts)
}

#[test]
fn a_record_costs_a_few_pages() {
    let games = games(20_000);
    let (file, counts, size) = packed(&games);
    assert_eq!(file.groups(), 2);
    let (_, metadata) = counts.take();
    assert!(metadata < size / 9, "{metadata} of {size} bytes are metadata");
    let mut costs = Vec::new();
    for columns in [Wanted::All, Wanted::TAGS, Wanted::MOVES, Wanted::Of(&["moves.plies"])] {
        let mut most = 0;
        for row in [0, 1, 8_191, 16_383, 16_384, 19_999] {
            let rows = file.read_rows(&[row..row + 1], columns).expect("a row");
            assert_eq!(rows.len(), 1);
            let (ranges, bytes) = counts.take();
            // Comments are read with those of their block.
            let allowed = if columns == Wanted::All { 8 } else { 4 };
            let is_few = (1..=allowed).contains(&ranges);
            assert!(is_few, "{ranges} ranges for {columns:?} of row {row}");
            most = most.max(bytes);
        }
        costs.push(most);
    }
    // Half a megabyte of comments is one block.
    assert!(costs[0] < size * 3 / 5, "{costs:?} of {size}");
    assert!(costs[1] < costs[0] && costs[2] < costs[1] && costs[3] < costs[2], "{costs:?}");
}

#[test]
fn scattered_records_are_those_asked_for() {
    let games = games(17_000);
    let (file, counts, _) = packed(&games);
    let wanted = [3..5, 700..701, 16_380..16_390, 16_999..17_000];
    let rows = file.read_rows(&wanted, Wanted::All).expect("rows");
    let (ranges, _) = counts.take();
    assert!(ranges <= 4 * 5, "{ranges} ranges");
    for (at, row) in wanted.iter().cloned().flatten().enumerate() {
        let (record, checksum, name) = rows.record(at).expect("a row");
        let game = games[usize::try_from(row).expect("small")].as_bytes();
        assert_eq!(&record.render().expect("whole")[..], game);
        assert_eq!((checksum, name), (Some(crc32fast::hash(game)), "games.pgn"));
    }
    assert!(rows.record(14).is_none());
    assert!(matches!(file.read_rows(&[16_999..17_001], Wanted::All), Err(Error::Record { .. })));
}

/// A list of games costs each record as if read alone.
#[test]
fn twenty_records_cost_twenty_times_one() {
    let bytes_of_file = packed_bytes(&games(40_000));
    let (file, counts) = open(bytes_of_file.clone());
    counts.take();
    file.load_index().expect("an index of pages");
    let (_, index) = counts.take();
    let rows: Vec<u64> = (0..20).map(|number| number * 1_999 + 7).collect();
    let wanted: Vec<_> = rows.iter().map(|&row| row..row + 1).collect();
    let found = file.read_rows(&wanted, Wanted::TAGS_AND_MOVES).expect("rows");
    let (ranges_of_all, bytes) = counts.take();
    assert!(ranges_of_all <= 20 * 4, "{ranges_of_all} ranges");
    let (mut alone, mut most) = (0, 0);
    for (at, row) in rows.iter().enumerate() {
        let one = file.read_rows(&[*row..row + 1], Wanted::TAGS_AND_MOVES).expect("a row");
        let (ranges, bytes) = counts.take();
        assert!(ranges <= 4 && bytes <= 512 << 10, "{ranges} ranges and {bytes} bytes");
        (alone, most) = (alone + bytes, most.max(bytes));
        let [one, among] = [(&one, 0), (&found, at)].map(|(rows, at)| rows.record(at));
        let (one, among) = (one.expect("a row").0, among.expect("a row").0);
        assert_eq!((&one.tags, one.line), (&among.tags, among.line), "row {row}");
        assert!(one.tags.iter().any(|tag| tag.0 == "White") && one.line.is_some());
    }
    // Rows of the same row group share its dictionaries.
    assert!(bytes < alone && bytes > most, "{bytes} of {alone}, {most} of one");
    // Row groups are read in parallel, but the page index only once.
    let (file, counts) = open(bytes_of_file);
    counts.take();
    file.read_rows(&wanted, Wanted::TAGS_AND_MOVES).expect("rows");
    assert_eq!(counts.take(), (ranges_of_all + 1, bytes + index));
}

/// Rows that are close together, then far apart: the library reads them differently, and must not
/// miss the pages in between.
#[test]
fn rows_of_any_distances_come_back() {
    let games = games(17_000);
    let (file, ..) = packed(&games);
    for (step, count) in [(2, 2_000), (3, 100), (31, 200), (63, 200), (65, 200), (129, 100)] {
        let near = (0..count).map(|number| number * step);
        for far in [None, Some(16_300), Some(16_999)] {
            let rows: Vec<u64> = near.clone().chain(far).collect();
            let wanted: Vec<_> = rows.iter().map(|&row| row..row + 1).collect();
            let found = file.read_rows(&wanted, Wanted::All).expect("rows");
            assert_eq!(found.len(), rows.len());
            let some = (0..rows.len()).step_by(37).chain([rows.len() - 1]);
            for (at, row) in some.map(|at| (at, rows[at])) {
                let (record, ..) = found.record(at).expect("a row");
                let game = games[usize::try_from(row).expect("small")].as_bytes();
                assert!(record.render().expect("whole") == game, "{step} {far:?}: row {row}");
            }
        }
    }
}

#[test]
fn columns_that_were_not_asked_for_are_empty() {
    let games = games(600);
    let (file, ..) = packed(&games);
    let rows = file.read_rows(&[599..600], Wanted::TAGS).expect("a row");
    let (record, checksum, name) = rows.record(0).expect("a row");
    let names: Vec<&str> = record.tags.iter().map(|tag| tag.0).collect();
    assert_eq!(names, ["Event", "Site", "White", "Black", "WhiteElo", "UTCTime"]);
    assert!(record.line.is_none() && record.clocks.is_none() && record.layout.is_none());
    assert_eq!((checksum, name), (None, ""));
    let rows = file.read_rows(&[599..600], Wanted::MOVES).expect("a row");
    let (record, ..) = rows.record(0).expect("a row");
    let (codec, start, plies, code) = record.line.expect("moves");
    assert_eq!((codec, start, plies), ("chess/line.uniform/2", None, 3));
    assert!(!code.is_empty() && record.tags.is_empty());
}

#[test]
fn a_part_is_exported_like_the_whole() {
    let games = games(600);
    let (file, ..) = packed(&games);
    for (rows, part) in [(0..600, 0..600), (1..2, 1..2), (255..513, 255..513), (598..999, 598..600)]
    {
        let mut bytes = Vec::new();
        let mut sink = |_: &str, piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        export_rows(&file, rows, &Work::on(1), &mut sink).expect("whole");
        assert!(bytes == games[part].concat().as_bytes());
    }
}

#[test]
fn a_name_finds_its_record_or_is_refused() {
    let games = games(600);
    let (file, ..) = packed(&games);
    let id = file.id(41).expect("a record");
    assert_eq!(id, RecordId { record: 42, checksum: crc32fast::hash(games[41].as_bytes()) });
    let rows = file.look_up(id, Wanted::All).expect("the record");
    let (record, ..) = rows.record(0).expect("a row");
    assert_eq!(&record.render().expect("whole")[..], games[41].as_bytes());
    let moved = RecordId { record: 43, ..id };
    let refused = file.look_up(moved, Wanted::All).expect_err("another record").to_string();
    assert!(refused.contains("record 43") && refused.contains("rows were moved"), "{refused}");
    assert!(file.look_up(RecordId { record: 601, ..id }, Wanted::All).is_err());
    assert!(file.id(u64::MAX).is_err());
}
