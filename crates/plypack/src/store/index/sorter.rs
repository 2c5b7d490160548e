//! Sorts any number of occurrences in bounded memory: sorted runs are spilled to a temporary file
//! and read back by the leading bits of their places.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use plypack_index::Occurrence;
use rayon::prelude::*;

use crate::store::ranges::Ranges;

/// The number of leading bits of places by which a sorted run can be entered.
pub(super) const PREFIX_BITS: u32 = 12;

/// The number of occurrences sorted in memory: 96 MiB.
const RUN_OCCURRENCES: usize = 3 << 20;

/// Collects occurrences in any order.
#[derive(Debug)]
pub(super) struct Sorter {
    folder: PathBuf,
    buffer: Vec<Occurrence>,
    runs: Vec<Run>,
    /// Holds the runs; unnamed, so that a killed process leaves nothing behind.
    file: Option<BufWriter<File>>,
    written: u64,
    count: u64,
    most: usize,
}

/// A sorted run of occurrences.
#[derive(Debug)]
struct Run {
    /// Its start in the file, in occurrences.
    start: u64,
    /// For each prefix, the number of occurrences before it.
    before: Vec<u32>,
}

/// All occurrences, in sorted runs.
#[derive(Debug)]
pub(super) struct Sorted {
    file: Option<File>,
    runs: Vec<Run>,
    last: Vec<Occurrence>,
    /// The number of occurrences.
    pub count: u64,
}

impl Sorter {
    /// Creates a sorter that keeps its runs in this folder.
    pub fn new(folder: &Path) -> Self {
        Self::with_run(folder, RUN_OCCURRENCES)
    }

    fn with_run(folder: &Path, most: usize) -> Self {
        let (buffer, runs) = (Vec::new(), Vec::new());
        Self { folder: folder.into(), buffer, runs, file: None, written: 0, count: 0, most }
    }

    /// Adds occurrences.
    pub fn add(&mut self, occurrences: impl Iterator<Item = Occurrence>) -> io::Result<()> {
        for occurrence in occurrences {
            if self.buffer.len() >= self.most {
                self.spill()?;
            }
            self.count += 1;
            self.buffer.push(occurrence);
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.buffer.par_sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = tempfile::tempfile_in(&self.folder)?;
                self.file.insert(BufWriter::with_capacity(1 << 20, file))
            }
        };
        for occurrence in &self.buffer {
            file.write_all(&occurrence.to_bytes())?;
        }
        let before = (0..=1u64 << PREFIX_BITS).map(|prefix| before(&self.buffer, prefix));
        let before = before.map(|count| u32::try_from(count).unwrap_or(u32::MAX)).collect();
        self.runs.push(Run { start: self.written, before });
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Sorts the rest.
    pub fn finish(mut self) -> io::Result<Sorted> {
        self.buffer.par_sort_unstable();
        let file = self.file.map(BufWriter::into_inner).transpose();
        let file = file.map_err(io::IntoInnerError::into_error)?;
        Ok(Sorted { file, runs: self.runs, last: self.buffer, count: self.count })
    }
}

/// Counts the sorted occurrences before this prefix.
fn before(sorted: &[Occurrence], prefix: u64) -> usize {
    match prefix.checked_shl(64 - PREFIX_BITS).filter(|_| prefix < 1 << PREFIX_BITS) {
        Some(place) => sorted.partition_point(|one| one.place < place),
        None => sorted.len(),
    }
}

impl Sorted {
    /// Returns the occurrences with these prefixes, in order.
    pub fn of(&self, prefixes: Range<usize>) -> io::Result<Vec<Occurrence>> {
        let mut all = Vec::new();
        for run in &self.runs {
            let at = |prefix: usize| run.before.get(prefix).copied().unwrap_or(0);
            let place = |prefix| (run.start + u64::from(at(prefix))) * Occurrence::BYTES as u64;
            let range = place(prefixes.start)..place(prefixes.end);
            let Some(file) = self.file.as_ref().filter(|_| range.start < range.end) else {
                continue;
            };
            for bytes in file.fetch(std::slice::from_ref(&range))? {
                let (occurrences, _) = bytes.as_chunks();
                all.extend(occurrences.iter().map(Occurrence::of_bytes));
            }
        }
        let [first, end] = [prefixes.start, prefixes.end].map(|at| before(&self.last, at as u64));
        all.extend(self.last.get(first..end).unwrap_or_default());
        if !self.runs.is_empty() {
            // Unlike the unstable sort, this merges existing runs.
            all.sort();
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_come_back_as_one() {
        let key = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let one = |at: u64| Occurrence { place: key(at / 2), ply: 3, ..Occurrence::default() };
        let mut expected: Vec<Occurrence> = (0..10_000).map(one).collect();
        expected.sort_unstable();
        for most in [usize::MAX, 1_000, 9_999, 10_000] {
            let mut sorter = Sorter::with_run(&std::env::temp_dir(), most);
            for start in (0..10_000).step_by(500) {
                sorter.add((start..start + 500).map(one)).expect("room");
            }
            let sorted = sorter.finish().expect("room");
            assert_eq!(sorted.count, 10_000);
            for parts in [1, 16, 4_096] {
                let width = 4_096 / parts;
                let slices = (0..parts).flat_map(|part| {
                    sorted.of(part * width..(part + 1) * width).expect("its own file")
                });
                assert!(slices.eq(expected.iter().copied()), "{most} {parts}");
            }
        }
    }
}
