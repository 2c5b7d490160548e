//! The games of a packed file: tags with their types, and moves.

use plypack::{Error, Notation, PackedFile, pack};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("games.parquet");
    pack("samples/famous.pgn", &packed)?;
    for game in PackedFile::open(&packed)?.games() {
        let game = game?;
        let year = game.date().map(|date| date.year());
        println!("{:?} {year:?} {:?}", game.tag("White"), game.outcome());
        println!("{}", game.moves(Notation::Customary)?);
    }
    Ok(())
}
