//! Indices by structure: every position of every game is found, by decoding few games, whoever else
//! comes to its structure. Games are replayed to know which positions they reach.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use plypack::store::find::{Asked, Found, Order, Question, Target, Tree, find, tree};
use plypack::store::index::{Entry, Indices, Spot, index};
use plypack::store::versions::delete_from;
use plypack::store::{Options, PackedFile, Wanted, Work, import};
use plypack_testing::corpus_path;
use plypack_testing::sample::is_whole;

use crate::store::common::{corpus, source};

/// The most games that a structure lists.
const LISTED_MAX: usize = 16;

fn packed(path: &Path, name: &str, bytes: &[u8]) -> PackedFile {
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: true };
    import(vec![source(name, bytes)], path, &options, &Work::on(2)).expect("a packed file");
    let file = PackedFile::open(path).expect("a packed file");
    index(&file, false, &Work::on(2)).expect("an index");
    file
}

/// The rows that reach each position of a file's main lines, by its key.
fn reached(file: &PackedFile) -> BTreeMap<u64, (Spot, BTreeSet<u64>)> {
    let all = 0..file.records();
    let rows = file.read_rows(std::slice::from_ref(&all), Wanted::MOVES).expect("rows");
    let mut reached = BTreeMap::new();
    for row in 0..rows.len() {
        let Some((codec, start, plies, code)) = rows.record(row).and_then(|r| r.0.line) else {
            continue;
        };
        let codec = plypack_games::stored_line_codec(codec).expect("a codec");
        let mut cursor = codec.cursor(start, plies, code).expect("a line");
        loop {
            let spot = Spot { structure: cursor.structure(), key: cursor.key() };
            let known = reached.entry(spot.key).or_insert_with(|| (spot, BTreeSet::new()));
            known.1.insert(row as u64);
            if cursor.next().expect("a move").is_none() {
                break;
            }
        }
    }
    reached
}

/// Looks up every position; returns the numbers of games to decode for those without a block.
fn check(file: &PackedFile) -> Vec<usize> {
    let indices = Indices::open(file);
    assert!(indices.uncovered().is_empty() && indices.refused().is_empty());
    let mut decoded = Vec::new();
    for (spot, rows) in reached(file).into_values() {
        let (mut few, mut blocks) = (BTreeSet::new(), Vec::new());
        for entry in indices.look_up(spot).expect("whole") {
            match entry {
                Entry::Few(listed) => {
                    assert!(listed.len() <= LISTED_MAX);
                    few.extend(listed);
                }
                Entry::Shared(shared) => {
                    let games = shared.games().expect("whole");
                    blocks.push(games.into_iter().map(|game| game.0).collect::<BTreeSet<u64>>());
                }
            }
        }
        match &blocks[..] {
            [] => {
                assert!(few.is_superset(&rows), "{spot:?}: {few:?}, not {rows:?}");
                decoded.push(few.len());
            }
            [block] => assert_eq!(*block, rows, "{spot:?}"),
            _ => panic!("{spot:?} has {} blocks", blocks.len()),
        }
    }
    decoded.sort_unstable();
    decoded
}

/// Checks an index, and what is left of it once every third game is deleted; returns what
/// [`check`] does for the whole.
fn check_changed(name: &str, bytes: &[u8]) -> Vec<usize> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let file = packed(&path, name, bytes);
    let decoded = check(&file);
    // Positions that share a slot are decoded together.
    assert!(decoded.last().is_none_or(|&most| most <= LISTED_MAX + 3), "{name}: {decoded:?}");
    let thirds: Vec<u64> = (0..file.records()).step_by(3).collect();
    delete_from(&file, &thirds, &Work::on(2)).expect("a smaller file");
    check(&PackedFile::open(&path).expect("a packed file"));
    decoded
}

#[test]
fn every_position_of_the_samples_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for name in ["championship.pgn", "famous.pgn", "annotated.pgn", "tictactoe.pgn", "xiangqi.pgn"]
    {
        check_changed(name, &std::fs::read(root.join(name)).expect("a sample"));
    }
}

#[test]
fn every_position_of_real_games_is_found_by_decoding_few() {
    let Some(path) = corpus_path("chess/dev/otb/otb_2013_2017.pgn.zst") else { return };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).expect("a file");
    let reader = zstd::Decoder::new(file).expect("a frame");
    let most = if is_whole() { 400 << 10 } else { 100 << 10 };
    reader.take(most).read_to_end(&mut bytes).expect("games");
    let decoded = check_changed("otb.pgn", &bytes);
    let at = |percent: usize| decoded.get(decoded.len() * percent / 100).copied();
    assert_eq!(at(50), Some(1));
    assert!(at(95) <= Some(9), "{:?}", at(95));
    let name = "xiangqi/ccpd_dev_big5.pgn.xz";
    let Some(bytes) = corpus(name) else { return };
    check_changed(name, &bytes);
}

/// Games that differ little, in their main lines and beside them.
fn with_variations() -> String {
    let game = |number: usize| {
        let own = ["d6", "e6", "a6", "g6", "Nc6"][number % 5];
        let [second, other] = [["Nc6", "a6"], ["d6", "h6"], ["Nf6", "g6"]][number % 3];
        let third = ["Bb5", "d3", "c3", "a3"][number % 4];
        format!(
            "[Event \"{number}\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... {own}) 2. Nf3 \
             {second} (2... {other} 3. d4) 3. {third} (3. Bc4) *\n\n"
        )
    };
    (0..40).map(game).collect()
}

/// Finds games, and sums up what they play, with an index or without.
fn answers(asked: &[Asked], target: &Target, variations: bool) -> (Vec<Found>, Tree) {
    let question = Question { target: Some(target), variations, ..Question::default() };
    let (work, mut found) = (Work::on(1), Vec::new());
    let mut sink = |game| {
        found.push(game);
        Ok(())
    };
    find(asked, &question, Order::Stored, u64::MAX, &work, &mut sink).expect("an answer");
    (found, tree(asked, &question, &work).expect("an answer"))
}

#[test]
fn positions_beside_the_games_are_answered_as_without_an_index() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let mut in_variations = 0;
    let sample = |name: &str| std::fs::read(root.join(name)).expect("a sample");
    for bytes in [sample("annotated.pgn"), sample("engines.pgn"), with_variations().into_bytes()] {
        packed(&path, "games.pgn", &bytes);
        let open = || PackedFile::open(&path).expect("a packed file");
        let indexed = [Asked { indices: Indices::open(&open()), file: open(), known: None }];
        let plain = [Asked { indices: Indices::none(&open()), file: open(), known: None }];
        for target in beside(&indexed[0]) {
            let found = answers(&indexed, &target, true);
            assert_eq!(found, answers(&plain, &target, true), "{}", target.text());
            let main = answers(&indexed, &target, false);
            assert_eq!(main, answers(&plain, &target, false), "{}", target.text());
            in_variations += usize::from(found.0 != main.0);
        }
    }
    assert!(in_variations > 20, "{in_variations} positions of variations");
}

/// Positions that the first games could have come to by one move: some, and all that variations may
/// reach.
fn beside(Asked { file, indices, .. }: &Asked) -> Vec<Target> {
    let first = 0..file.records().min(9);
    let rows = file.read_rows(std::slice::from_ref(&first), Wanted::MOVES).expect("rows");
    let lines = (0..rows.len()).filter_map(|row| rows.record(row).and_then(|record| record.0.line));
    let mut beside = Vec::new();
    for (codec, start, plies, code) in lines {
        let codec = plypack_games::stored_line_codec(codec).expect("a codec");
        let mut cursor = codec.cursor(start, plies, code).expect("a line");
        while cursor.next().expect("a move").is_some() {
            for candidate in 0..u16::try_from(cursor.candidates()).expect("few") {
                let mut other = cursor.fork(u32::MAX);
                other.play(candidate).expect("a candidate");
                let spot = Spot { structure: other.structure(), key: other.key() }.in_variation();
                let may_be = !indices.look_up(spot).expect("whole").is_empty();
                if !may_be && other.ply() % 40 > 0 {
                    continue;
                }
                beside.push(Target::at(codec.game(), &*other));
            }
        }
    }
    beside
}
