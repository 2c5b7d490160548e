//! Chores that make the tables of models and codecs. They are separate from the others because only
//! they need the games; `cargo xtask` starts them.

mod blocks;
mod board_model;
mod corpus;
mod frequencies;
mod games;
mod order;
mod planes;
mod position_tables;
mod ranks;
mod series_tables;
mod train;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next();
    let args: Vec<String> = args.collect();
    let done = match chore.as_deref() {
        Some("frequencies") => frequencies::run(&args),
        Some("ranks") => ranks::run(&args),
        Some("train") => train::run(&args),
        Some("planes") => planes::run(&args),
        Some("blocks") => blocks::run(&args),
        Some("board-model") => board_model::run(&args),
        Some("series-tables") => series_tables::run(&args),
        Some("position-tables") => position_tables::run(&args),
        _ => Err("unknown chore; `cargo xtask` lists them".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
