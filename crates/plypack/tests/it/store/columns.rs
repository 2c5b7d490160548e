//! How columns of large row groups are stored: with a dictionary only where that is smaller.

use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::store::common::{pack, source};

/// Returns whether the column of this name has a dictionary in the first row group.
fn has_dictionary(path: &std::path::Path, name: &str) -> Option<bool> {
    let reader = SerializedFileReader::new(std::fs::File::open(path).ok()?).ok()?;
    let columns = reader.metadata().row_groups().first()?.columns();
    let column = columns.iter().find(|column| column.column_path().string() == name)?;
    Some(column.dictionary_page_offset().is_some())
}

#[test]
fn texts_that_hardly_repeat_and_numbers_may_have_no_dictionary() {
    let games: String = (0..3_000_usize)
        .map(|at| {
            let id = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (players, elo) = (["Ann", "Bob", "Cid", "Dora"], 1_500 + at * at % 1_201);
            let [white, black] = [at % 4, at / 4 % 4].map(|one| players[one]);
            format!(
                "[Site \"https://example.org/{id:016x}\"]\n[White \"{white}\"]\n\
                 [Black \"{black}\"]\n[WhiteElo \"{elo}\"]\n\n1. e4 e5 *\n\n"
            )
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    pack(&path, vec![source("games.pgn", games.as_bytes())]);
    assert_eq!(has_dictionary(&path, "Site"), Some(false));
    assert_eq!(has_dictionary(&path, "White"), Some(true));
    assert_eq!(has_dictionary(&path, "Black"), Some(true));
}
