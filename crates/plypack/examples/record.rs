//! One game of a packed file: step by step, as a cell, and its original bytes.

use plypack::{Error, PackedFile, pack};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("record.parquet");
    pack("samples/famous.pgn", &packed)?;
    let game = PackedFile::open(&packed)?.game(2)?;
    let Some(mut cursor) = game.cursor()? else { return Ok(()) };
    while cursor.advance()? {}
    println!("{} after {} plies", cursor.position(), cursor.ply());
    println!("{:02x?}", game.cell()?);
    println!("{}", String::from_utf8_lossy(&game.original()?));
    Ok(())
}
