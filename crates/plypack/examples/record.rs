//! One game of a packed file: step by step, as a cell, and its original bytes.

use plypack::{Error, open, pack};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("record.parquet");
    pack("samples/famous.pgn", &packed)?;
    let game = open(&packed)?.game(2)?;
    let Some(mut steps) = game.steps()? else { return Ok(()) };
    while steps.advance()? {}
    println!("{} after {} plies", steps.position(), steps.ply());
    println!("{:02x?}", game.cell()?);
    println!("{}", String::from_utf8_lossy(&game.original()?));
    Ok(())
}
