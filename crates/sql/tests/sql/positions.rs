//! `reaches` with an index and without one.

use plypack::store::index::index;
use plypack::store::{PackedFile, Work};
use plypack_sql::Session;
use tempfile::TempDir;

use crate::packed::{ask, given, pack, rows, sample};

const QUERY: &str = "select number from FILE where reaches(moves, '1. d4 d5 2. c4 c6') \
                     and White like '%a%' order by number";

#[test]
fn an_index_names_the_games_and_changes_no_answer() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "a.parquet", &sample("championship.pgn"));
    let without = given(QUERY, &path);
    assert!(without.len() > 5, "{without:?}");
    let plan = |path| rows(&ask(&Session::local(2), &format!("explain {QUERY}"), path).expect(""));
    assert!(!format!("{:?}", plan(&path)).contains("index:"));
    index(&PackedFile::open(&path).expect("a packed file"), false, &Work::on(2)).expect("an index");
    assert_eq!(given(QUERY, &path), without);
    let with = format!("{:?}", plan(&path));
    assert!(with.contains("reaches [index: "), "{with}");
    assert!(with.contains(" of 567 games]"), "{with}");
    // For a position that no game reaches nothing is read.
    let none = "select count(*) from FILE where reaches(moves, '1. a4 a5 2. h4')";
    assert_eq!(given(none, &path), [["0"]]);
    // An index does not help with a negated condition.
    let all = given("select count(*) from FILE where not reaches(moves, '1. d4')", &path);
    let some = given("select count(*) from FILE where reaches(moves, '1. d4')", &path);
    let sum = |rows: &[Vec<String>]| rows[0][0].parse::<u32>().expect("a number");
    assert_eq!(sum(&all) + sum(&some), 567);
    // An index of another file is not used.
    let other = pack(&folder, "b.parquet", b"1. d4 d5 2. c4 c6 *\n");
    std::fs::copy(path.with_extension("plyindex"), other.with_extension("plyindex"))
        .expect("a copy");
    let query = "select count(*) from FILE where reaches(moves, '1. d4 d5 2. c4 c6')";
    assert_eq!(given(query, &other), [["1"]]);
}

#[test]
fn conditions_on_tags_come_before_moves() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "a.parquet", &sample("championship.pgn"));
    let metrics = |path, condition: &str| {
        let query = format!("explain analyze select fen(moves) from FILE where {condition}");
        format!("{:?}", rows(&ask(&Session::local(2), &query, path).expect("a plan")))
    };
    let by_player = metrics(&path, "White = 'Carlsen,M' and reaches(moves, '1. d4')");
    let has = |metric: &str| assert!(by_player.contains(metric), "{metric}: {by_player}");
    has("pushdown_rows_matched=26,");
    has("pushdown_rows_pruned=541,");
    // No game is of that day, according to the footer, which small files leave out.
    let large = pack(&folder, "large.parquet", &sample("championship.pgn").repeat(5));
    let by_day = metrics(&large, "played_on > '2030' and reaches(moves, '1. d4')");
    assert!(by_day.contains("1 total → 0 matched"), "{by_day}");
}
