//! The positions that the moves of a tree lead to: their games are those that come to them when all
//! games are replayed, by whatever order of moves.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use plypack::store::find::{Asked, Limits, Question, Sum, Target, successors, tree};
use plypack::store::index::{Indices, index};
use plypack::store::{Condition, Options, Outcome, PackedFile, Wanted, Work, import};
use plypack_testing::corpus_path;
use plypack_testing::sample::is_whole;

use crate::store::common::{corpus, source};

/// The most games that are decoded for one tree.
const DECODED_MAX: usize = 64;

/// Positions within so many plies are asked for.
const PLIES: u32 = 60;

fn packed(path: &Path, bytes: &[u8], name: &str) -> Asked {
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: true };
    import(vec![source(name, bytes)], path, &options, &Work::on(2)).expect("a packed file");
    let file = PackedFile::open(path).expect("a packed file");
    index(&file, false, &Work::on(2)).expect("an index");
    asked(path, true)
}

fn asked(path: &Path, indexed: bool) -> Asked {
    let file = PackedFile::open(path).expect("a packed file");
    let indices = if indexed { Indices::open(&file) } else { Indices::none(&file) };
    Asked { file, indices, known: None }
}

/// A position that was replayed.
struct Reached {
    target: Target,
    /// The fewest plies after which a game reaches it.
    ply: u32,
    sum: Sum,
}

/// Replays the main lines of all games; returns what reaches each position, by its facts.
fn replayed(files: &[Asked]) -> BTreeMap<String, Reached> {
    let mut reached: BTreeMap<String, Reached> = BTreeMap::new();
    for Asked { file, .. } in files {
        let groups = (0..file.groups()).map(|group| file.facts(group, None).expect("facts"));
        let facts: Vec<_> = groups.flatten().collect();
        let all = 0..file.records();
        let rows = file.read_rows(std::slice::from_ref(&all), Wanted::MOVES).expect("rows");
        for (row, fact) in facts.iter().enumerate() {
            let Some((codec, start, plies, code)) = rows.record(row).and_then(|r| r.0.line) else {
                continue;
            };
            let codec = plypack_games::stored_line_codec(codec).expect("a codec");
            let mut cursor = codec.cursor(start, plies, code).expect("a line");
            let mut played: BTreeMap<String, BTreeSet<Option<u16>>> = BTreeMap::new();
            loop {
                let mut facts = String::new();
                cursor.write_facts(&mut facts);
                let ply = cursor.ply();
                let known = reached.entry(facts.clone()).or_insert_with(|| {
                    let target = Target::at(codec.game(), &*cursor);
                    Reached { target, ply, sum: Sum::default() }
                });
                known.ply = known.ply.min(ply);
                let candidate = cursor.next().expect("a move");
                played.entry(facts).or_default().insert(candidate);
                if candidate.is_none() {
                    break;
                }
            }
            for (facts, moves) in played {
                let sum = &mut reached.get_mut(&facts).expect("it was entered").sum;
                sum.records += 1;
                // A game counts once for each different move.
                for _ in moves {
                    let rating = fact.rating().map(u64::from);
                    sum.white += u64::from(fact.outcome == Some(Outcome::White));
                    sum.draws += u64::from(fact.outcome == Some(Outcome::Draw));
                    sum.black += u64::from(fact.outcome == Some(Outcome::Black));
                    sum.rated += u64::from(rating.is_some());
                    sum.rating_sum += rating.unwrap_or(0);
                    sum.last_year = sum.last_year.max(fact.year);
                }
            }
        }
    }
    reached
}

/// How many moves were asked for.
#[derive(Debug, Default)]
struct Counts {
    all: usize,
    /// Those that lead to positions with more games than play them.
    transposed: usize,
    /// Those whose games were too many to be decoded.
    unknown: usize,
}

/// Asks for the successors of every position that at least `least` games reach.
fn check(files: &[Asked], least: u64) -> Counts {
    assert!(files.iter().all(|asked| asked.indices.uncovered().is_empty()));
    let reached = replayed(files);
    let mut counts = Counts::default();
    let positions =
        reached.values().filter(|found| found.ply <= PLIES && found.sum.records >= least);
    for Reached { target, .. } in positions {
        let question = Question { target: Some(target), ..Question::default() };
        let played = tree(files, &question, &Work::on(1)).expect("a tree");
        let candidates = played.candidates();
        let sums = successors(files, &question, &candidates, &Work::on(1)).expect("an answer");
        assert_eq!(sums.len(), candidates.len());
        for (played, sum) in played.moves.iter().zip(sums) {
            let mut cursor = target.game().cursor(Some(target.text())).expect("a position");
            cursor.play(played.candidate).expect("a move");
            let mut facts = String::new();
            cursor.write_facts(&mut facts);
            let expected = reached.get(&facts).expect("its games were replayed").sum;
            counts.all += 1;
            counts.transposed += usize::from(expected.records > played.sum.records);
            counts.unknown += usize::from(sum.is_none());
            let place = || format!("{} {}", target.text(), played.candidate);
            assert!(sum.is_none_or(|sum| sum == expected), "{}: {sum:?}, {expected:?}", place());
        }
    }
    counts
}

/// The same for one input.
fn check_input(name: &str, bytes: &[u8], least: u64) -> Counts {
    let folder = tempfile::tempdir().expect("a folder");
    check(&[packed(&folder.path().join("games.parquet"), bytes, name)], least)
}

fn sample(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    std::fs::read(root.join(name)).expect("a sample")
}

/// Numbers that look random.
struct Mixed(u64);

impl Mixed {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        usize::try_from(plypack_core::key::mix(self.0) % below as u64).expect("small")
    }

    /// Takes one of these out.
    fn take<'t>(&mut self, texts: &mut Vec<&'t str>) -> &'t str {
        texts.swap_remove(self.below(texts.len()))
    }
}

/// Games of chess that make the same moves in any order, some of which come back.
fn transposed(count: usize) -> String {
    let mut mixed = Mixed(1);
    let mut game = |number: usize| {
        let mut white = vec!["Nf3", "Nc3", "a3", "h3", "d3", "g3"];
        let mut black = vec!["Nf6", "Nc6", "a6", "h6", "d6", "g6"];
        let mut moves = String::new();
        if number.is_multiple_of(9) {
            moves.push_str("Nh3 Nh6 Ng1 Ng8 ");
        }
        for _ in 0..mixed.below(6) {
            moves += &format!("{} {} ", mixed.take(&mut white), mixed.take(&mut black));
        }
        let result = ["1-0", "0-1", "1/2-1/2", "*", "1-0"][number % 5];
        let [year, elo] = [1_950 + number % 70, 1_400 + number % 1_300];
        format!(
            "[Date \"{year}.??.??\"]\n[WhiteElo \"{elo}\"]\n[Result \"{result}\"]\n\n\
             {moves}{result}\n\n"
        )
    };
    (0..count).map(&mut game).collect()
}

/// Games of tic-tac-toe.
fn crosses(count: usize) -> String {
    let mut mixed = Mixed(2);
    let mut game = |number: usize| {
        let mut cells = vec!["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];
        let moves = 3 + mixed.below(7);
        let moves: Vec<&str> = (0..moves).map(|_| mixed.take(&mut cells)).collect();
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        format!(
            "[Variant \"tictactoe\"]\n[Result \"{result}\"]\n\n{} {result}\n\n",
            moves.join(" ")
        )
    };
    (0..count).map(&mut game).collect()
}

#[test]
fn games_that_transpose_are_all_counted() {
    let counts = check_input("a.pgn", transposed(2_000).as_bytes(), 1);
    assert!(counts.transposed > counts.all / 3, "{counts:?}");
    assert!(counts.unknown * 20 <= counts.all, "{counts:?}");
    let counts = check_input("b.pgn", crosses(2_000).as_bytes(), 1);
    assert!(counts.transposed > counts.all / 3, "{counts:?}");
    assert_eq!(counts.unknown, 0, "{counts:?}");
}

#[test]
fn the_samples_are_counted() {
    let samples =
        [("championship.pgn", 3), ("famous.pgn", 3), ("annotated.pgn", 1), ("xiangqi.pgn", 1)];
    for (name, step) in samples {
        let counts = check_input(name, &sample(name), step);
        assert!(counts.all > 0 && counts.unknown * 20 <= counts.all, "{name}: {counts:?}");
    }
}

#[test]
fn real_games_are_counted() {
    let Some(path) = corpus_path("chess/dev/otb/otb_2013_2017.pgn.zst") else { return };
    let file = std::fs::File::open(path).expect("a file");
    let mut bytes = Vec::new();
    let reader = zstd::Decoder::new(file).expect("a frame");
    let [most, transposed] = if is_whole() { [2 << 20, 500] } else { [1 << 19, 100] };
    reader.take(most as u64).read_to_end(&mut bytes).expect("games");
    let counts = check_input("otb.pgn", &bytes, 4);
    assert!(counts.transposed > transposed && counts.unknown * 20 <= counts.all, "{counts:?}");
    for name in ["xiangqi/ccpd_dev_big5.pgn.xz", "othello/wthor/WTH_2016.wtb"] {
        let Some(bytes) = corpus(name) else { return };
        let counts = check_input(name, &bytes, 4);
        assert!(counts.transposed > 0 && counts.unknown * 20 <= counts.all, "{name}: {counts:?}");
    }
}

#[test]
fn several_files_are_added_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = transposed(600);
    let (some, others) = text.split_at(text[..text.len() / 3].rfind("[Date").expect("games"));
    let files = [("a", some), ("b", others)].map(|(name, text)| {
        packed(&folder.path().join(name).with_extension("parquet"), text.as_bytes(), "a.pgn")
    });
    let counts = check(&files, 4);
    assert!(counts.transposed > counts.all / 3 && counts.unknown * 20 <= counts.all, "{counts:?}");
}

#[test]
fn what_only_some_games_tell_is_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    let files = [packed(&path, transposed(60).as_bytes(), "a.pgn")];
    let plain = [asked(&path, false)];
    let target = Target::read(plypack_games::game("chess").expect("chess"), None, "");
    let target = target.expect("a position");
    let question = Question { target: Some(&target), ..Question::default() };
    let candidates = tree(&files, &question, &Work::on(1)).expect("a tree").candidates();
    let ask = |files: &[Asked], question: &Question<'_>| {
        let sums = successors(files, question, &candidates, &Work::on(1)).expect("an answer");
        assert_eq!(sums.len(), candidates.len());
        sums.iter().filter(|sum| sum.is_some()).count()
    };
    assert!(candidates.len() > 4);
    assert_eq!(ask(&files, &question), candidates.len());
    assert_eq!(ask(&plain, &question), 0);
    let condition = Condition::parse("Result = '1-0'").expect("a condition");
    let limits = Limits { since: Some(0), ..Limits::default() };
    assert_eq!(ask(&files, &Question { condition: Some(&condition), ..question }), 0);
    assert_eq!(ask(&files, &Question { limits: Some(&limits), ..question }), 0);
    assert_eq!(ask(&files, &Question { variations: true, ..question }), 0);
    assert_eq!(ask(&files, &Question { target: None, ..question }), 0);
}

/// Games of one stone or two, the first on another point for every `each` games.
fn stones(games: usize, each: usize) -> String {
    let game = |number: usize| {
        let at = number / each;
        let first = format!("{}{}", char::from(b"abcdefghijklmno"[at % 15]), at / 15 + 1);
        format!("[Variant \"gomoku\"]\n[Result \"1-0\"]\n\n1. {first} o15 1-0\n\n")
    };
    (0..games).map(game).collect()
}

#[test]
fn few_games_are_decoded_and_the_first_moves_come_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let gomoku = plypack_games::game("gomoku").expect("gomoku");
    for (games, each) in [(150, 1), (150, 2)] {
        let path = folder.path().join(format!("{each}.parquet"));
        let files = [packed(&path, stones(games, each).as_bytes(), "a.pgn")];
        let target = Target::read(gomoku, None, "").expect("a position");
        let question = Question { target: Some(&target), ..Question::default() };
        let candidates = tree(&files, &question, &Work::on(1)).expect("a tree").candidates();
        assert_eq!(candidates.len(), games / each);
        let sums = successors(&files, &question, &candidates, &Work::on(1)).expect("an answer");
        let each = each as u64;
        let expected = Sum { records: each, white: each, ..Sum::default() };
        assert!(sums.iter().flatten().all(|sum| *sum == expected), "{sums:?}");
        // Strangers that are listed with them are decoded, too.
        let most = DECODED_MAX / usize::try_from(each).expect("few");
        let first = sums.iter().take_while(|sum| sum.is_some()).count();
        assert!((most * 3 / 4..=most).contains(&first), "{each}: {first}");
        assert!(sums.iter().flatten().count() <= most, "{each}: {sums:?}");
    }
}
