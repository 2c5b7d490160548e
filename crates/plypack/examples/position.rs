//! Any position of chess as 20 bytes, and back except for the move number.

use plypack::{Error, PositionCodec};

fn main() -> Result<(), Error> {
    let codec = "chess/chess.rank".parse::<PositionCodec>()?;
    let code = codec.encode("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")?;
    println!("{code:02x?}");
    println!("{}", codec.decode(&code)?);
    Ok(())
}
