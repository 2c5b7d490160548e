//! Errors in a query are reported plainly, with their place.

use tempfile::TempDir;

use crate::packed::{pack, refused, sample};

#[test]
fn mistakes_are_shown_in_the_query_with_a_cure() {
    let folder = TempDir::new().expect("a folder");
    let path = pack(&folder, "games.parquet", &sample("championship.pgn"));
    for (query, said) in [
        ("select Whit from FILE", "did you mean `White`?\n  select Whit from"),
        ("select selct 1 from FILE fro", "^"),
        ("select * form FILE", "^"),
        ("select reachs(moves, 'e4') from FILE", "did you mean `reaches`?"),
        ("select White from FILE where WhiteEllo > 1", "`WhiteElo`"),
        ("select * from games", "write file names in single quotes, with the extension"),
        ("copy FILE to 'x.parquet'", "queries only read"),
        ("insert into FILE values (1)", "queries only read"),
        ("select UTCDate > 'x' from FILE", "is not a date"),
        ("select reaches(moves, 'Z9') from FILE", "nor is it a list of moves"),
        ("select fen(WhiteElo) from FILE", "fen("),
        ("", "No SQL"),
    ] {
        let message = refused(query, &path);
        assert!(message.contains(said), "{query}: {message}");
    }
    let missing = folder.path().join("gamse.parquet");
    let message = refused("select 1 from FILE", &missing);
    assert!(message.contains("did you mean 'games.parquet'?"), "{message}");
    let junk = folder.path().join("junk.parquet");
    std::fs::write(&junk, "1. e4 e5").expect("a file");
    let message = refused("select 1 from FILE", &junk);
    assert!(message.contains("is not a Parquet file"), "{message}");
}
