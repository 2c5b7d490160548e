//! The moves played in a position, and their results.

use plypack::{Collection, Error, pack};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("explore.parquet");
    pack("samples/famous.pgn", &packed)?;
    let played = Collection::open([&packed])?.query().moves("1. e4").tree()?;
    println!("{} games", played.games);
    for mv in &played.moves {
        println!("{}: {} games, {} won by White", mv.text, mv.tally.games, mv.tally.white);
    }
    println!("{:?}", played.examples[0].white);
    Ok(())
}
