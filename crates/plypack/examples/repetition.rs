//! The first threefold repetition of a game, by the keys of its positions.

use plypack::{Error, Notation, line_codec};

fn main() -> Result<(), Error> {
    let codec = line_codec("chess", "small")?;
    let cell = codec.encode("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4".split(' '))?;
    let mut steps = codec.steps(None, &cell)?;
    while steps.advance()? && steps.occurrences() < 3 {}
    let (ply, mv) = (steps.ply(), steps.last_move(Notation::Customary));
    println!("ply {ply}, {mv}: {} with the key {:016x}", steps.position(), steps.key());
    Ok(())
}
