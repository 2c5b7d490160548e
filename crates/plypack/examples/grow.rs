//! A packed file that grows: an archive packed, a week's games appended, files merged, games
//! deleted.

use plypack::{Error, Merger, PackedFile, Packer};

fn main() -> Result<(), Error> {
    let folder = std::env::temp_dir();
    let (games, all) = (folder.join("grow.parquet"), folder.join("all.parquet"));
    // A folder or an archive, such as `KGS.tar.gz`, would do as well.
    Packer::new().input("samples/famous.pgn").index(true).pack(&games)?;
    let report = Packer::new().input("samples/championship.pgn").append(&games)?;
    println!("{} games came in", report.records);
    let merged = Merger::new().file(&games).file(&games).merge(&all)?;
    let deleted = PackedFile::open(&all)?.deleter().condition("Year < 1900").delete()?;
    println!("{deleted} of {} games deleted", merged.records);
    Ok(())
}
