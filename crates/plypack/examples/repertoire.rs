//! Where games leave a repertoire.

use plypack::{Collection, Packer, Repertoire, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir();
    let (packed, lines) = (folder.join("follow.parquet"), folder.join("philidor.pgn"));
    Packer::new().input("samples/famous.pgn").index(true).pack(&packed)?;
    std::fs::write(&lines, "1. e4 e5 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4 exd4 *")?;
    let repertoire = Repertoire::read(&lines, "chess".parse::<Rules>()?, None)?;
    let games = Collection::open([&packed])?;
    for game in games.query().follow(&repertoire)? {
        let (left, by) = (game.left, game.next_move);
        println!("{}: {left:?} by {by:?}, not {:?}", game.number, game.answers);
    }
    Ok(())
}
