//! The first threefold repetition of a game, by the keys of its positions.

use plypack::{Error, LineCodec, Notation};

fn main() -> Result<(), Error> {
    let codec = "chess/small".parse::<LineCodec>()?;
    let cell = codec.encode("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4".split(' '))?;
    let mut cursor = codec.cursor(None, &cell)?;
    while cursor.advance()? && cursor.occurrences() < 3 {}
    let (ply, mv) = (cursor.ply(), cursor.last_move(Notation::Customary));
    println!("ply {ply}, {mv}: {} with the key {:016x}", cursor.position(), cursor.key());
    Ok(())
}
