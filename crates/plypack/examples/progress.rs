//! Several inputs packed into one file, with options and progress.

use std::ops::ControlFlow;

use plypack::{Error, Packer};

fn main() -> Result<(), Error> {
    let packer = Packer::new().input("samples/famous.pgn").input("samples/xiangqi.pgn");
    let packer = packer.threads(2).progress(|so_far| {
        println!("{} games so far", so_far.records);
        ControlFlow::Continue(())
    });
    let report = packer.pack(std::env::temp_dir().join("both.parquet"))?;
    println!("{} games, {} plies", report.records, report.plies);
    Ok(())
}
