//! Comments are in blocks of rows; queries see them as if they stood in each row.

use std::fmt::Write;

use plypack_sql::Session;
use tempfile::TempDir;

use crate::packed::{ask, given, pack, rows};

/// Games, every third of which has no comment.
fn games(count: u32) -> String {
    let mut text = String::new();
    for number in 1..=count {
        let comment = match number % 3 {
            0 => String::new(),
            rest => format!("{{ the knight was better in game {number}, with zugzwang {rest} }} "),
        };
        let game = format!("[White \"w{number}\"]\n\n1. e4 {comment}1... e5 *\n\n");
        text.write_str(&game).expect("a string takes everything");
    }
    text
}

#[test]
fn comments_are_read_from_blocks() {
    let folder = TempDir::new().expect("a folder");
    let file = pack(&folder, "prose.parquet", games(50).as_bytes());
    for (query, expected) in [
        ("select count(*) from FILE where movetext(*) like '%zugzwang 2%'", "17"),
        ("select annotations[1]['text'] like '%game 7,%' from FILE where White = 'w7'", "true"),
        ("select annotations[1]['text'] from FILE where White = 'w6'", "NULL"),
        ("select count(*) from plain(FILE) where movetext like '%game 4_,%'", "7"),
        ("select White from FILE where movetext(*) like '%knight%' limit 1", "w1"),
        ("select count(*) from FILE where White = 'w7'", "1"),
        ("select count(prose) from FILE", "1"),
    ] {
        let found: Vec<String> = given(query, &file).iter().map(|row| row.join(" ")).collect();
        assert_eq!(found, [expected], "{query}");
    }
}

#[test]
fn files_with_and_without_blocks_are_one_table() {
    let folder = TempDir::new().expect("a folder");
    pack(&folder, "a.parquet", games(50).as_bytes());
    pack(&folder, "b.parquet", games(2).as_bytes());
    let query = "select count(*) from FILE where movetext(*) like '%zugzwang%'";
    for threads in [1, 2] {
        let found = ask(&Session::local(threads), query, folder.path()).expect("an answer");
        assert_eq!(rows(&found).concat(), ["36"]);
    }
}

#[test]
fn blocks_may_span_batches() {
    let folder = TempDir::new().expect("a folder");
    let file = pack(&folder, "many.parquet", games(5_000).as_bytes());
    for (query, expected) in [
        ("select count(*) from FILE where movetext(*) like '%zugzwang 1%'", "1667"),
        ("select annotations[1]['text'] like '%4999,%' from FILE where White = 'w4999'", "true"),
        ("select White from FILE where movetext(*) like '%game 4000,%'", "w4000"),
    ] {
        let found: Vec<String> = given(query, &file).iter().map(|row| row.join(" ")).collect();
        assert_eq!(found, [expected], "{query}");
    }
}
