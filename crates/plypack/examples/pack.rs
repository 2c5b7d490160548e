//! A file of games packed, and the same bytes back.

use plypack::{Error, pack, unpack};

fn main() -> Result<(), Error> {
    let folder = std::env::temp_dir();
    let (packed, back) = (folder.join("famous.parquet"), folder.join("famous.pgn"));
    let report = pack("samples/famous.pgn", &packed)?;
    println!("{} games, {} plies, {} faulty", report.records, report.plies, report.faulty);
    unpack(&packed, &back)
}
