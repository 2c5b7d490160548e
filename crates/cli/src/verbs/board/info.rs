//! `plypack board info`: shows what a board file holds.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use plypack_core::board::ternary::Size;
use serde_json::json;

use super::input::Input;
use super::parallel;
use crate::failure::Failure;
use crate::{interrupt, progress};

/// Show what a file holds: its size, and how many cells are empty, white and black.
///
/// Reads the whole file, so any damage is found.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The files; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

/// The content of a file.
pub struct Content {
    /// The name of the codec, or `text`.
    pub form: &'static str,
    pub size: Size,
    /// How many cells hold 0, 1 and 2.
    pub counts: [u64; 3],
    /// Length of the file in bytes.
    pub bytes: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let stop = interrupt::flag();
    for path in &arguments.files {
        let mut input = Input::open(path)?;
        let name = input.name().to_owned();
        let threads = parallel::threads(arguments.threads);
        let content = read(&mut input, threads, arguments.quiet, stop)?;
        print(&name, &content, arguments.json)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a board to its end, unless the user asks to stop.
pub fn read(
    input: &mut Input,
    threads: usize,
    quiet: bool,
    stop: &AtomicBool,
) -> Result<Content, Failure> {
    let total = input.size().map(|size| size.packed_bytes());
    let bar = progress::bar(total, true, quiet);
    let form = input.codec().map_or("text", |codec| codec.info().name);
    let mut counts = [0; 3];
    let (mut rows, mut columns) = (0u32, 0);
    loop {
        let boards = input.read(threads)?;
        if boards.is_empty() {
            break;
        }
        for board in boards {
            counts.iter_mut().zip(board.counts()).for_each(|(sum, count)| *sum += count);
            (rows, columns) = (rows.saturating_add(board.size().rows()), board.size().columns());
        }
        super::go_on(stop)?;
        bar.set_position(counts.iter().sum::<u64>() / 5);
    }
    bar.finish_and_clear();
    let size = Size::new(rows, columns).map_err(Failure::check)?;
    Ok(Content { form, size, counts, bytes: input.bytes() })
}

fn print(name: &str, content: &Content, as_json: bool) -> Result<(), Failure> {
    let &Content { form, size, counts: [empty, white, black], bytes } = content;
    let cells = size.cells();
    let bits_per_cell = 8.0 * bytes as f64 / cells as f64;
    if as_json {
        let object = json!({
            "file": name,
            "codec": form,
            "rows": size.rows(),
            "columns": size.columns(),
            "cells": cells,
            "empty": empty,
            "white": white,
            "black": black,
            "bytes": bytes,
            "bits_per_cell": bits_per_cell,
        });
        return crate::verbs::print_line(&object.to_string());
    }
    let percent = |count: u64| 100.0 * count as f64 / cells as f64;
    let count = progress::count;
    let [rows, columns] = [size.rows(), size.columns()].map(u64::from).map(count);
    crate::verbs::print_line(&format!(
        "{name}: {rows} rows, {columns} columns, {} cells\n\
         {form}, {} bytes, {bits_per_cell:.4} bits per cell\n\
         empty {:>15} {:>8.3} %\nwhite {:>15} {:>8.3} %\nblack {:>15} {:>8.3} %",
        count(cells),
        count(bytes),
        count(empty).to_string(),
        percent(empty),
        count(white).to_string(),
        percent(white),
        count(black).to_string(),
        percent(black),
    ))
}
