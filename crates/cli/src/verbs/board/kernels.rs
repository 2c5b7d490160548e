//! Measures how fast cells are packed and unpacked, compared with a copy of as many bytes in the
//! same run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use plypack_kernels::ternary::{planar, sequential};
use serde_json::json;

use crate::failure::Failure;

/// A kernel to measure: its name, a run of it, and its best time.
struct Kernel {
    name: &'static str,
    run: Run,
    best: Duration,
}

type Run = fn(&mut Buffers);

/// Cells, one per byte, and the same packed in both layouts.
struct Buffers {
    cells: Vec<u8>,
    sequential: Vec<u8>,
    planar: Vec<u8>,
    /// Target of unpacking.
    out: Vec<u8>,
    /// Target of packing.
    packed: Vec<u8>,
    /// Whether no bytes were refused.
    sound: bool,
}

/// The kernels; a copy of the cells comes first.
const KERNELS: [(&str, Run); 7] = [
    ("copy of as many bytes", |b| b.out.copy_from_slice(&b.cells)),
    ("unpack, by table", |b| {
        b.sound &= sequential::unpack_by_table(&b.sequential, &mut b.out).is_ok();
    }),
    ("unpack", |b| b.sound &= sequential::unpack(&b.sequential, &mut b.out).is_ok()),
    ("unpack planar, safe twin", |b| {
        b.sound &= planar::unpack_safely(&b.planar, &mut b.out).is_ok();
    }),
    ("unpack planar", |b| b.sound &= planar::unpack(&b.planar, &mut b.out).is_ok()),
    ("pack", |b| sequential::pack(&b.cells, &mut b.packed)),
    ("pack planar", |b| planar::pack(&b.cells, &mut b.packed)),
];

/// Where the cells are, how many there are, and how often a run is repeated.
const PLACES: [(&str, usize, u32); 2] = [("cache", 153_600, 200), ("memory", 67_108_800, 1)];

impl Buffers {
    fn new(cells: usize) -> Self {
        let sequential: Vec<u8> =
            (0..cells / 5).map(|at| (at * 101 % 243).to_le_bytes()[0]).collect();
        let mut buffers = Self {
            cells: vec![0; cells],
            planar: vec![0; cells / 5],
            out: vec![0; cells],
            packed: vec![0; cells / 5],
            sound: true,
            sequential,
        };
        let unpacked = sequential::unpack(&buffers.sequential, &mut buffers.cells);
        buffers.sound = unpacked.is_ok();
        planar::pack(&buffers.cells, &mut buffers.planar);
        buffers
    }
}

/// Measures and prints. Kernels take turns in each round, so that all meet the same conditions; the
/// best round counts.
pub fn run(rounds: usize, as_json: bool) -> Result<(), Failure> {
    if !as_json {
        crate::verbs::print_line(&format!(
            "{:<8} {:<26} {:>14} {:>10}",
            "from", "kernel", "million cells/s", "of a copy"
        ))?;
    }
    for (place, cells, repeats) in PLACES {
        let mut buffers = Buffers::new(cells);
        let kernel = |(name, run)| Kernel { name, run, best: Duration::MAX };
        let mut kernels = KERNELS.map(kernel);
        for _ in 0..rounds.max(1) {
            for kernel in &mut kernels {
                let begin = Instant::now();
                for _ in 0..repeats {
                    (kernel.run)(black_box(&mut buffers));
                }
                kernel.best = kernel.best.min(begin.elapsed() / repeats);
            }
        }
        if !buffers.sound {
            return Err(Failure::check("a kernel refused sound bytes"));
        }
        let copy = kernels[0].best.as_secs_f64();
        for kernel in &kernels {
            print(place, cells, kernel, copy, as_json)?;
        }
    }
    Ok(())
}

fn print(
    place: &str,
    cells: usize,
    kernel: &Kernel,
    copy: f64,
    as_json: bool,
) -> Result<(), Failure> {
    let seconds = kernel.best.as_secs_f64().max(1e-12);
    let (rate, of_copy) = (cells as f64 / seconds, copy / seconds);
    crate::verbs::print_line(&if as_json {
        let (from, kernel) = (place, kernel.name);
        json!({
            "from": from,
            "kernel": kernel,
            "cells": cells,
            "cells_per_second": rate.round(),
            "of_copy": of_copy,
        })
        .to_string()
    } else {
        format!("{place:<8} {:<26} {:>14.0} {of_copy:>10.2}", kernel.name, rate / 1e6)
    })
}
