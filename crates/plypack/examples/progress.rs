//! Several inputs packed into one file, with choices and progress.

use std::ops::ControlFlow;

use plypack::{Error, Packer, Progress};

fn main() -> Result<(), Error> {
    let inputs = Packer::new().input("samples/famous.pgn").input("samples/xiangqi.pgn");
    let report = inputs.threads(2).progress(|so_far: &Progress| {
        println!("{} games so far", so_far.records);
        ControlFlow::Continue(())
    });
    let report = report.pack(std::env::temp_dir().join("both.parquet"))?;
    println!("{} games, {} plies", report.records, report.plies);
    Ok(())
}
