//! Names of columns and of tables.

use plypack_sql::Session;
use plypack_sql::output::{Format, Rows};
use tempfile::TempDir;

use crate::packed::{ask, given, pack, rows as texts_of, sample};

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
    // A name defined by the query is not a column's.
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

#[test]
fn what_is_asked_for_is_called_as_it_was_written() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "a.parquet", b"[White \"W\"]\n[Date \"2001.??.??\"]\n\n1. e4 *\n");
    let query = "select white, Year, SAN(moves), moves.plies, pgn(*), plies + 1 from FILE";
    let batches = ask(&Session::local(1), query, &path).expect("an answer");
    let schema = batches[0].schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["White", "Year", "SAN(moves)", "moves.plies", "pgn(*)", "plies + 1"]);
    assert_eq!(texts_of(&batches)[0][1..4], ["2001", "e4", "1"]);
    let batches = ask(&Session::local(1), "select max(year) from FILE", &path).expect("an answer");
    assert_eq!(batches[0].schema().field(0).name(), "max(year)");
}

#[test]
fn tables_of_texts_are_asked_beside_ours() {
    let folder = TempDir::new().expect("a folder");
    let ours = pack(&folder, "a.parquet", b"[White \"W\"]\n\n1. e4 {[%clk 0:03:00]} e5 *\n");
    let batches = ask(&Session::local(1), "select * from plain(FILE)", &ours).expect("an answer");
    let texts = folder.path().join("texts.parquet");
    let file = std::fs::File::create(&texts).expect("a file");
    let mut rows = Rows::new(Format::Parquet, &batches[0].schema(), file).expect("columns");
    batches.iter().for_each(|batch| rows.write(batch).expect("rows"));
    rows.finish().expect("a file");
    let query = format!(
        "select White, san(movetext), reaches(movetext, '1. e4') from '{}' union all \
         select White, san(moves), reaches(moves, '1. e4') from FILE",
        texts.display()
    );
    assert_eq!(given(&query, &ours), [["W", "e4 e5", "true"], ["W", "e4 e5", "true"]]);
    let query = "select ply, san, clock from plies(FILE) order by ply";
    let both = [["1", "e4", "180.0"], ["2", "e5", "NULL"]];
    assert_eq!(given(query, &texts), both);
    assert_eq!(given(query, &ours), both);
}
