//! Small files lack columns in which they have no value: there these are null.

use plypack_sql::Session;
use tempfile::TempDir;

use crate::packed::{ask, given, pack, refused, rows};

#[test]
fn columns_that_a_file_lacks_are_null() {
    let folder = TempDir::new().expect("a folder");
    let file = pack(&folder, "one.parquet", b"[White \"Ada\"]\n\n1. e4 e5 *\n\n");
    for (query, expected) in [
        ("select White, WhiteElo, Date, played_on, Komi from FILE", "Ada NULL NULL NULL NULL"),
        ("select count(*) from FILE where WhiteElo > 2000", "0"),
        ("select count(*) from FILE where WhiteElo is null and UTCTime is null", "1"),
        ("select count(*) from FILE where Date > '1900'", "0"),
        (
            "select count(annotations), count(clocks), count(tags), count(moves) from FILE",
            "0 0 0 1",
        ),
        ("select ply, san from plies(FILE) where ply = 1", "1 e4"),
        ("select White, plies from plain(FILE) where BlackElo is null", "Ada 2"),
    ] {
        let found: Vec<String> = given(query, &file).iter().map(|row| row.join(" ")).collect();
        assert_eq!(found, [expected], "{query}");
    }
    assert!(refused("select WhiteEllo from FILE", &file).contains("WhiteElo"));
}

#[test]
fn files_with_different_columns_are_one_table() {
    let folder = TempDir::new().expect("a folder");
    pack(&folder, "a.parquet", b"[White \"Ada\"]\n\n1. e4 e5 *\n\n");
    pack(&folder, "b.parquet", b"[White \"Bo\"]\n[WhiteElo \"2500\"]\n[Odd \"x\"]\n\n1. d4 *\n\n");
    pack(&folder, "c.parquet", b"[White \"Cy\"]\n\n1. e4 { [%clk 0:01:00] } (1. c4 {x}) c5 *\n\n");
    let query = "select White, WhiteElo, tags['Odd'], clocks is null, cardinality(annotations) \
                 from FILE where WhiteElo is null or WhiteElo > 2000 order by White";
    let found = ask(&Session::local(2), query, folder.path()).expect("an answer");
    let expected = "Ada NULL NULL true NULL Bo 2500 x true NULL Cy NULL NULL false 3";
    assert_eq!(rows(&found).concat().join(" "), expected);
}
