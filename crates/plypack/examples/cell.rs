//! A game as a few bytes that fit a database column, and back.

use plypack::{Error, LineCodec};

fn main() -> Result<(), Error> {
    let codec = "chess/default".parse::<LineCodec>()?;
    let cell = codec.encode(["e4", "e5", "Nf3", "Nc6", "Bb5"])?;
    let moves = codec.decode(&cell)?;
    println!("{moves}: {} bytes by {codec}", cell.len());
    Ok(())
}
