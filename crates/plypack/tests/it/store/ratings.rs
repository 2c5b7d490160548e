//! Sums by rating group: trees narrowed to some groups, and trees of all groups, are those of the
//! games when they are replayed, whatever happened to the file and its indices.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use plypack::store::facts::Fact;
use plypack::store::find::{
    Asked, Known, Limits, MoveSum, Question, RATED_MIN, RATING_GROUPS, Sum, Summand, Target, Tree,
    tree, tree_by_rating,
};
use plypack::store::index::{Entry, Indices, Refused, Spot, index, part_path};
use plypack::store::synth::{Synth, write};
use plypack::store::versions::delete_from;
use plypack::store::{Condition, Options, Outcome, PackedFile, Wanted, Work, import};
use plypack::{Collection, Merger, Packer};

use crate::store::common::source;

/// The ratings that are asked for; the last ones divide a group.
const RATINGS: [&[RangeInclusive<u16>]; 6] = [
    &[2_200..=u16::MAX],
    &[0..=999],
    &[0..=1_799],
    &[1_400..=1_599, 2_000..=2_499],
    &[0..=u16::MAX],
    &[1_700..=2_300],
];

/// Made-up games, of which every fifth has no ratings, and every seventh but one rating. Some come
/// back to the usual start.
fn games(seed: u64, count: u64) -> String {
    let codec = plypack_games::line_codec("chess", "line.fast").expect("a codec");
    let synth = Synth::new(codec, seed).expect("a model");
    let mut text = Vec::new();
    let mut sink = |games: &[u8]| {
        text.extend_from_slice(games);
        Ok(())
    };
    write(&synth, count, &Work::on(2), &mut sink).expect("games");
    let text = String::from_utf8(text).expect("UTF-8");
    let (mut number, mut games) = (0, String::new());
    for line in text.lines() {
        number += u64::from(line.starts_with("[Event "));
        let is_left_out = match line.get(..10) {
            Some("[WhiteElo ") => number % 5 == 0,
            Some("[BlackElo ") => number % 5 == 0 || number % 7 == 0,
            _ => false,
        };
        if !is_left_out {
            games += line;
            games.push('\n');
        }
    }
    for number in 0..count / 40 {
        let rating = 900 + 37 * number % 1_700;
        let result = ["1-0", "0-1", "1/2-1/2", "*"][usize::try_from(number % 4).expect("small")];
        games += &format!(
            "[White \"A\"]\n[WhiteElo \"{rating}\"]\n[Result \"{result}\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Nf3 {result}\n\n"
        );
    }
    games
}

fn packed(path: &Path, text: &str) {
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: true };
    import(vec![source("a.pgn", text.as_bytes())], path, &options, &Work::on(2)).expect("packed");
    let file = PackedFile::open(path).expect("a packed file");
    index(&file, false, &Work::on(2)).expect("an index");
}

fn asked(path: &Path) -> Asked {
    let file = PackedFile::open(path).expect("a packed file");
    let indices = Indices::open(&file);
    assert!(indices.refused().is_empty(), "{:?}", indices.refused());
    Asked { file, indices, known: None }
}

/// A position that was replayed, with the games that reach it: their file and row, what they play
/// there in order, and their facts.
struct Reached {
    target: Target,
    games: Vec<(usize, u64, Vec<Option<u16>>, Fact)>,
}

/// Replays the first plies of all games; returns what reaches each position of `least` games.
fn replayed(files: &[Asked], least: usize) -> Vec<Reached> {
    let mut reached: BTreeMap<String, Reached> = BTreeMap::new();
    for (number, Asked { file, .. }) in files.iter().enumerate() {
        let groups = (0..file.groups()).map(|group| file.facts(group, None).expect("facts"));
        let facts: Vec<Fact> = groups.flatten().collect();
        let all = 0..file.records();
        let rows = file.read_rows(std::slice::from_ref(&all), Wanted::MOVES).expect("rows");
        for (row, fact) in facts.iter().enumerate() {
            let Some((codec, start, plies, code)) = rows.record(row).and_then(|r| r.0.line) else {
                continue;
            };
            let codec = plypack_games::stored_line_codec(codec).expect("a codec");
            let mut cursor = codec.cursor(start, plies, code).expect("a line");
            let row = row as u64;
            loop {
                let mut facts = String::new();
                cursor.write_facts(&mut facts);
                let target = || Target::at(codec.game(), &*cursor);
                let here = reached
                    .entry(facts)
                    .or_insert_with(|| Reached { target: target(), games: Vec::new() });
                let played = cursor.next().expect("a move");
                match here.games.last_mut().filter(|last| (last.0, last.1) == (number, row)) {
                    Some((.., moves, _)) if moves.contains(&played) => {}
                    Some((.., moves, _)) => moves.push(played),
                    None => here.games.push((number, row, vec![played], *fact)),
                }
                if played.is_none() {
                    break;
                }
            }
        }
    }
    reached.into_values().filter(|reached| reached.games.len() >= least).collect()
}

impl Reached {
    /// The tree of the games whose rating is admitted.
    fn tree(&self, admits: impl Fn(u16) -> bool) -> Tree {
        let own = |game: &&(usize, u64, _, Fact)| admits(game.3.rating().unwrap_or(0));
        let own: Vec<_> = self.games.iter().filter(own).collect();
        let mut sums: BTreeMap<Option<u16>, Sum> = BTreeMap::new();
        for (_, _, moves, fact) in &own {
            let Fact { outcome, year, .. } = *fact;
            let summand = Summand { outcome, rating: fact.rating(), year };
            moves.iter().for_each(|played| sums.entry(*played).or_default().add(summand));
        }
        let ended = sums.remove(&None).unwrap_or_default();
        let mut moves: Vec<(u16, Sum)> =
            sums.into_iter().filter_map(|(played, sum)| Some((played?, sum))).collect();
        moves.sort_by_key(|(_, sum)| Reverse(sum.records));
        let moves = moves.into_iter().map(|(candidate, sum)| MoveSum { candidate, sum });
        Tree { records: own.len() as u64, moves: moves.collect(), ended, examples: Vec::new() }
    }

    /// The best games whose rating is admitted: file, row, and the first move.
    fn best(&self, admits: impl Fn(u16) -> bool) -> Vec<(usize, u64, Option<u16>)> {
        let own = |game: &&(usize, u64, _, Fact)| admits(game.3.rating().unwrap_or(0));
        let mut own: Vec<_> = self.games.iter().filter(own).collect();
        own.sort_by_key(|game| (Reverse((game.3.rating(), game.3.year)), game.0, game.1));
        own.iter().take(3).map(|(file, row, moves, _)| (*file, *row, moves[0])).collect()
    }
}

/// What was found while checking.
#[derive(Debug, Default)]
struct Counts {
    positions: usize,
    /// Positions that have sums by rating in all indices that have a block of them.
    summed: usize,
    /// Positions of which all groups are known.
    known: usize,
}

/// Asks for the trees of all positions that at least `least` games reach.
fn check(files: &mut [Asked], least: usize) -> Counts {
    let mut counts = Counts::default();
    for reached in replayed(files, least) {
        counts.positions += 1;
        let target = &reached.target;
        let place = target.text();
        let spot = Spot { structure: target.structure(), key: target.key() };
        let entries = files.iter().flat_map(|asked| asked.indices.look_up(spot).expect("whole"));
        let sums = entries.filter_map(|entry| match entry {
            Entry::Shared(shared) => Some(shared.by_rating().expect("whole").is_some()),
            Entry::Few(_) => None,
        });
        let sums: Vec<bool> = sums.collect();
        counts.summed += usize::from(!sums.is_empty() && sums.iter().all(|has| *has));
        let question = Question { target: Some(target), ..Question::default() };
        let groups = tree_by_rating(files, &question, &Work::on(1)).expect("an answer");
        assert!(groups.is_none() || reached.games.len() as u64 >= RATED_MIN, "{place}");
        counts.known += usize::from(groups.is_some());
        for (number, group) in groups.iter().flatten().enumerate() {
            let next = RATING_GROUPS.get(number + 1).copied().unwrap_or(u16::MAX);
            let own = reached.tree(|rating| (RATING_GROUPS[number]..next).contains(&rating));
            assert_eq!(*group, own, "{place} group {number}");
        }
        for ratings in RATINGS {
            let admits = |rating: u16| ratings.iter().any(|range| range.contains(&rating));
            let limits = Limits { ratings: Some(ratings.to_vec()), ..Limits::default() };
            let question = Question { limits: Some(&limits), ..question };
            for with_known in [false, true] {
                for asked in &mut *files {
                    let known = with_known.then(|| Known::read(&asked.file).expect("facts"));
                    asked.known = known;
                }
                let mut found = tree(files, &question, &Work::on(1)).expect("a tree");
                let examples = std::mem::take(&mut found.examples).into_iter();
                let best: Vec<_> =
                    examples.map(|(file, game)| (file, game.row, game.candidate)).collect();
                assert_eq!(found, reached.tree(admits), "{place} {ratings:?}");
                assert_eq!(best, reached.best(admits), "{place} {ratings:?}");
            }
        }
        assert!(files.iter().all(|asked| asked.indices.damaged().is_none()));
    }
    counts
}

fn path_in(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(name).with_extension("parquet")
}

#[test]
fn trees_of_rating_groups_are_those_of_their_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "games");
    packed(&path, &games(1, 3_000));
    let counts = check(&mut [asked(&path)], 400);
    assert!(counts.positions > counts.known && counts.known > 1, "{counts:?}");
    assert_eq!(counts.known, counts.summed, "{counts:?}");
    assert_eq!(faults(&path), []);
}

/// The faults of the indices beside a file.
fn faults(path: &Path) -> Vec<Refused> {
    asked(path).indices.verify(&Work::on(1)).expect("it can be read")
}

#[test]
fn they_stay_right_when_games_come_and_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "games");
    packed(&path, &games(2, 3_000));
    // Those that come in are in an index of their own, with too few games for sums.
    let more = games(3, 700).into_bytes();
    Packer::new().reader("more.pgn", std::io::Cursor::new(more)).append(&path).expect("appended");
    let counts = check(&mut [asked(&path)], 700);
    assert_eq!(asked(&path).indices.paths(&asked(&path).file).len(), 2);
    assert!(counts.known > counts.summed && counts.known > 1, "{counts:?}");
    // A third of them goes, and some positions no longer have sums.
    let file = PackedFile::open(&path).expect("a packed file");
    let gone: Vec<u64> = (0..file.records()).filter(|row| row % 3 == 1).collect();
    delete_from(&file, &gone, &Work::on(2)).expect("deleted");
    let counts = check(&mut [asked(&path)], 500);
    assert!(counts.positions > counts.known && counts.known > 0, "{counts:?}");
    let merged = path_in(folder.path(), "merged");
    let other = path_in(folder.path(), "other");
    packed(&other, &games(4, 1_500));
    Merger::new().file(&path).file(&other).merge(&merged).expect("merged");
    let counts = check(&mut [asked(&merged)], 1_000);
    assert!(counts.known > 1, "{counts:?}");
    // Two files are added up.
    let counts = check(&mut [asked(&path), asked(&other)], 1_000);
    assert!(counts.known > 1, "{counts:?}");
}

/// The usual start, and a limit to the first group and the last three.
fn start_of(game: &str) -> (Target, Limits) {
    let game = plypack_games::game(game).expect("a game");
    let target = Target::read(game, None, "").expect("the start");
    let ratings = Some(vec![0..=999, 2_000..=u16::MAX]);
    (target, Limits { ratings, ..Limits::default() })
}

#[test]
fn damaged_sums_are_found_and_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "games");
    packed(&path, &games(5, 1_100));
    let part = part_path(&path, 0);
    let bytes = std::fs::read(&part).expect("an index");
    let (target, limits) = start_of("chess");
    let question = Question { target: Some(&target), limits: Some(&limits), ..Question::default() };
    let whole = tree(&[asked(&path)], &question, &Work::on(1)).expect("a tree");
    // The sums are the last part before the footer, whose length stands before the last four bytes.
    let length = bytes[bytes.len() - 8..].first_chunk().copied().map(u32::from_le_bytes);
    let end = bytes.len() - 12 - usize::try_from(length.expect("four")).expect("small");
    for before in [1, 4, 5, 40, 60] {
        let mut bad = bytes.clone();
        bad[end - before] ^= 0x10;
        std::fs::write(&part, &bad).expect("written");
        let files = [asked(&path)];
        let found = tree(&files, &question, &Work::on(2)).expect("a tree");
        assert_eq!(found, whole, "{before} bytes before the end");
        let why = &files[0].indices.damaged().expect("it is damaged").why;
        assert!(why.contains("sums by rating"), "{why}");
        let plain = Question { limits: None, ..question };
        let files = [asked(&path)];
        assert_eq!(tree_by_rating(&files, &plain, &Work::on(1)).expect("an answer"), None);
        let faults = faults(&path);
        assert!(faults.len() == 1 && faults[0].why.contains("sums by rating"), "{faults:?}");
    }
}

#[test]
fn what_only_some_games_tell_is_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "games");
    packed(&path, &games(6, 1_000));
    let files = [asked(&path)];
    let (target, limits) = start_of("chess");
    let question = Question { target: Some(&target), ..Question::default() };
    let ask = |files: &[Asked], question: &Question<'_>| {
        tree_by_rating(files, question, &Work::on(1)).expect("an answer").is_some()
    };
    assert!(ask(&files, &question));
    let condition = Condition::parse("Result = '1-0'").expect("a condition");
    assert!(!ask(&files, &Question { condition: Some(&condition), ..question }));
    assert!(!ask(&files, &Question { limits: Some(&limits), ..question }));
    assert!(!ask(&files, &Question { variations: true, ..question }));
    assert!(!ask(&files, &Question { target: None, ..question }));
    let file = PackedFile::open(&path).expect("a packed file");
    let indices = Indices::none(&file);
    assert!(!ask(&[Asked { file, indices, known: None }], &question));
    // The same through the face.
    let collection = Collection::open([&path]).expect("a collection");
    let groups = collection.query().tree_by_rating().expect("an answer").expect("they are known");
    let least: Vec<u16> = groups.iter().map(|group| group.least).collect();
    assert_eq!(least, RATING_GROUPS);
    let whole = collection.query().tree().expect("a tree");
    assert_eq!(groups.iter().map(|group| group.games).sum::<u64>(), whole.games);
    let played = whole.moves.iter().map(|played| {
        let own = |group: &plypack::RatingGroup| {
            let own = group.moves.iter().find(|own| own.0 == played.text);
            own.map_or(0, |own| own.1.games)
        };
        (groups.iter().map(own).sum::<u64>(), played.tally.games)
    });
    assert!(played.collect::<Vec<_>>().iter().all(|(groups, whole)| groups == whole));
    assert_eq!(collection.query().moves("1. h4 h5").tree_by_rating().expect("an answer"), None);
}

#[test]
fn games_without_ratings_are_in_the_first_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "games");
    let game = "[Variant \"tictactoe\"]\n[Result \"1-0\"]\n\n1. a1 b2 1-0\n\n";
    packed(&path, &game.repeat(1_200));
    let files = [asked(&path)];
    let (target, limits) = start_of("tictactoe");
    let question = Question { target: Some(&target), ..Question::default() };
    let groups = tree_by_rating(&files, &question, &Work::on(1)).expect("an answer");
    let groups = groups.expect("they are known").map(|group| group.records);
    assert_eq!(groups, [1_200, 0, 0, 0, 0, 0, 0, 0, 0]);
    let question = Question { limits: Some(&limits), ..question };
    let found = tree(&files, &question, &Work::on(1)).expect("a tree");
    assert_eq!((found.records, found.moves.len(), found.examples.len()), (1_200, 1, 3));
    let bytes = std::fs::read(part_path(&path, 0)).expect("an index");
    assert!(!bytes.windows(7).any(|name| name == b"ratings"));
}

/// Limits without a condition narrow a tree, also where an index has sums of all games.
#[test]
fn limits_narrow_the_sums_of_an_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path(), "games");
    let game = |number: usize| {
        let (year, result) = (1_990 + number % 20, ["1-0", "0-1"][number % 2]);
        format!("[Date \"{year}.01.01\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n")
    };
    packed(&path, &(0..100).map(game).collect::<String>());
    let (target, _) = start_of("chess");
    // 2000-01-01.
    let since = Some(10_957);
    for (limits, records) in [
        (Limits { since, ..Limits::default() }, 50),
        (Limits { outcome: Some(Outcome::Black), ..Limits::default() }, 50),
        (Limits { ratings: Some(vec![1..=u16::MAX]), ..Limits::default() }, 0),
    ] {
        let question =
            Question { target: Some(&target), limits: Some(&limits), ..Question::default() };
        let found = tree(&[asked(&path)], &question, &Work::on(1)).expect("a tree");
        assert_eq!(found.records, records, "{limits:?}");
    }
}
