//! The moves played in a position, and their results.

use plypack::{Collection, Error, pack};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("explore.parquet");
    pack("samples/famous.pgn", &packed)?;
    let collection = Collection::open([&packed])?;
    let played = collection.query().moves("1. e4").tree()?;
    println!("{} games", played.games);
    for mv in &played.moves {
        println!("{}: {} games, {} won by White", mv.text, mv.tally.games, mv.tally.white);
    }
    println!("{:?}", played.examples[0].white);
    let branches = collection.query().moves("1. e4").branches(4, 1)?;
    println!("{}", branches.to_pgn().unwrap_or_default());
    Ok(())
}
