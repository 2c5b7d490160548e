//! The games that reach a position, with an index beside the packed file.

use plypack::{Collection, Error, Packer};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("find.parquet");
    Packer::new().input("samples/famous.pgn").index(true).pack(&packed)?;
    let games = Collection::open([&packed])?;
    let query = games.query().moves("1. e4 e5 2. Nf3").condition("Year < 1900").limit(20);
    for found in query.find()? {
        let found = found?;
        let (white, hit) = (found.game.tag("White"), &found.hits[0]);
        let next = hit.next_move.as_deref().unwrap_or("end");
        println!("{white:?} after {} plies: {next}", hit.ply);
    }
    Ok(())
}
