//! Names of columns and of tables.

use tempfile::TempDir;

use crate::packed::{given, pack, sample};

#[test]
fn columns_are_found_in_any_case_and_keep_their_spelling() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "championship.parquet", &sample("championship.pgn"));
    for query in [
        "select WHITE, count(*) as games from FILE where white like 'Ka%' group by White \
         order by games desc, wHiTe limit 2",
        "select g.white, count(*) from FILE as G where g.WHITE like 'Ka%' group by g.White \
         order by 2 desc, 1 limit 2",
        "select championship.White, count(*) from FILE where White like 'Ka%' \
         group by championship.white order by 2 desc, 1 limit 2",
        "select * exclude (black) from (select white, black, count(*) over (partition by white) \
         from FILE where white like 'Ka%') order by 2 desc, 1 limit 2",
    ] {
        let rows = given(query, &path);
        assert_eq!(rows.len(), 2, "{query}: {rows:?}");
        assert!(rows[0][0].starts_with("Ka"), "{query}: {rows:?}");
    }
    let counted = given("select count(*), count(distinct White) from FILE", &path);
    assert_eq!(counted[0][0], "567");
    // A name of the query's own is none of a column's.
    let own = given("select count(*) as year from FILE order by year", &path);
    assert_eq!(own, [["567"]]);
}

#[test]
fn tables_are_files_folders_and_patterns() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "a.parquet", &sample("championship.pgn"));
    pack(&folder, "b.parquet", &sample("championship.pgn"));
    let pattern = folder.path().join("*.parquet");
    for (table, games) in [(path.as_path(), "567"), (folder.path(), "1134"), (&pattern, "1134")] {
        assert_eq!(given("select count(*) from FILE", table), [[games]], "{}", table.display());
    }
}

#[test]
fn a_row_a_ply_and_a_row_of_plain_columns() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "a.parquet", b"1. e4 e5 2. Nf3 *\n\n[White \"W\"]\n\n1. d4 *\n");
    let rows = given("select number, ply, san, fen from plies(FILE) order by number, ply", &path);
    let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(rows[0], ["1", "1", "e4", start]);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[3][..3], ["2", "1", "d4"]);
    let rows = given("select white, plies, movetext from plain(FILE) order by plies", &path);
    assert_eq!(rows, [["W", "1", "1. d4 *"], ["NULL", "3", "1. e4 e5 2. Nf3 *"]]);
}
