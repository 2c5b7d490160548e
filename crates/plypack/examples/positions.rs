//! A file of positions, FEN or EPD, one per line.

use plypack::{Error, PackedFile, Packer};

fn main() -> Result<(), Error> {
    let epd =
        b"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7; id \"a\";\n";
    let packed = std::env::temp_dir().join("positions.parquet");
    Packer::new().reader("mates.epd", &epd[..]).pack(&packed)?;
    for line in PackedFile::open(&packed)?.positions() {
        let line = line?;
        println!("{:?}: {:?}", line.position, line.operation("bm"));
    }
    Ok(())
}
