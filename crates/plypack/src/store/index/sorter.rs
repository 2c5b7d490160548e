//! Sorts any number of occurrences in bounded memory: sorted runs are spilled to a temporary file
//! (`run.rs`) and merged for the places that are asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};

use plypack_index::{Layout, Occurrence};
use rayon::prelude::*;

use super::run::{self, Reader, Run};

/// The number of occurrences sorted in memory: 96 MiB.
const RUN_OCCURRENCES: usize = 3 << 20;

/// The bytes that a merge buffers, of all runs together.
const BUFFERS_BYTES: usize = 8 << 20;

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

/// All occurrences: in sorted runs, or in memory if there are few.
#[derive(Debug)]
pub(super) struct Sorted {
    file: Option<File>,
    runs: Vec<Run>,
    few: Vec<Occurrence>,
    layout: Layout,
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

    /// The number of occurrences.
    pub fn count(&self) -> u64 {
        self.count
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
        let run = run::write(&self.buffer, self.written, file)?;
        self.written = run.end();
        self.runs.push(run);
        self.buffer.clear();
        Ok(())
    }

    /// Sorts the rest. `layout` is that of the index.
    pub fn finish(mut self, layout: Layout) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            for one in &mut self.buffer {
                one.place = layout.masked(one.place);
            }
            self.buffer.par_sort_unstable();
            return Ok(Sorted { file: None, runs: self.runs, few: self.buffer, layout });
        }
        self.spill()?;
        let file = self.file.map(BufWriter::into_inner).transpose();
        let file = file.map_err(io::IntoInnerError::into_error)?;
        Ok(Sorted { file, runs: self.runs, few: Vec::new(), layout })
    }
}

impl Sorted {
    /// The occurrences with these prefixes ([`prefix`](run::prefix)), in order, their places masked
    /// by the layout. Frames have more bits than prefixes where there are runs.
    pub fn of(&self, prefixes: Range<usize>) -> io::Result<Merge<'_>> {
        let [first, end] = [prefixes.start, prefixes.end].map(|at| run::before(&self.few, at));
        let few = self.few.get(first..end).unwrap_or_default().iter();
        let buffer = BUFFERS_BYTES / self.runs.len().max(1);
        let (frames, open) = (BinaryHeap::new(), BinaryHeap::new());
        let mut merge =
            Merge { layout: self.layout, few, readers: Vec::new(), frames, open, streams: Vec::new() };
        for run in self.file.iter().flat_map(|file| self.runs.iter().map(move |run| (file, run))) {
            let reader = Reader::new(run.0, run.1, prefixes.clone(), buffer)?;
            merge.readers.push(None);
            merge.close(merge.readers.len() - 1, reader);
        }
        Ok(merge)
    }
}

/// Merges runs, frame by frame.
pub(super) struct Merge<'s> {
    layout: Layout,
    few: std::slice::Iter<'s, Occurrence>,
    /// The reader of each run, unless its frame is open.
    readers: Vec<Option<Reader<'s>>>,
    /// The next frame of each run, masked.
    frames: BinaryHeap<Reverse<(u32, usize)>>,
    /// The next occurrence of each open stream.
    open: BinaryHeap<Reverse<(Occurrence, usize)>>,
    streams: Vec<Stream<'s>>,
}

/// A frame of a run.
struct Stream<'s> {
    reader: Reader<'s>,
    /// The number of the run, if its reader goes on behind the frame.
    run: Option<usize>,
}

impl<'s> Merge<'s> {
    /// A frame without the bits that tell no frames apart.
    fn masked(&self, frame: u32) -> u32 {
        u32::try_from(self.layout.masked(u64::from(frame) << 32) >> 32).unwrap_or(frame)
    }

    /// Puts the reader of a run back, which is before a frame.
    fn close(&mut self, run: usize, reader: Reader<'s>) {
        if let Some(frame) = reader.frame() {
            self.frames.push(Reverse((self.masked(frame), run)));
        }
        if let Some(slot) = self.readers.get_mut(run) {
            *slot = Some(reader);
        }
    }

    /// Opens the next frame in all runs that have it.
    fn open_frame(&mut self) -> io::Result<()> {
        let Some(&Reverse((frame, _))) = self.frames.peek() else { return Ok(()) };
        while let Some(&Reverse((next, run))) = self.frames.peek()
            && next == frame
        {
            self.frames.pop();
            let Some(mut reader) = self.readers.get_mut(run).and_then(Option::take) else { continue };
            // Frames that are told apart no longer follow each other in a run, each in order.
            while reader.next_frame().is_some_and(|next| self.masked(next) == frame) {
                self.add(Stream { reader: reader.clone(), run: None })?;
                while reader.next()?.is_some() {}
                reader.enter_next()?;
            }
            self.add(Stream { reader, run: Some(run) })?;
        }
        Ok(())
    }

    fn close_frame(&mut self) -> io::Result<()> {
        for Stream { mut reader, run } in std::mem::take(&mut self.streams) {
            if let Some(run) = run {
                reader.enter_next()?;
                self.close(run, reader);
            }
        }
        Ok(())
    }

    fn add(&mut self, mut stream: Stream<'s>) -> io::Result<()> {
        if let Some(first) = self.read(&mut stream)? {
            self.open.push(Reverse((first, self.streams.len())));
        }
        self.streams.push(stream);
        Ok(())
    }

    fn read(&self, stream: &mut Stream<'s>) -> io::Result<Option<Occurrence>> {
        let next = stream.reader.next()?;
        Ok(next.map(|one| Occurrence { place: self.layout.masked(one.place), ..one }))
    }

    fn take(&mut self) -> io::Result<Option<Occurrence>> {
        if let Some(one) = self.few.next() {
            return Ok(Some(*one));
        }
        if self.open.is_empty() {
            self.open_frame()?;
        }
        let Some(mut top) = self.open.peek_mut() else { return Ok(None) };
        let Reverse((one, number)) = *top;
        let Some(stream) = self.streams.get_mut(number) else { return Ok(None) };
        if let Some(next) = stream.reader.next()? {
            let place = self.layout.masked(next.place);
            *top = Reverse((Occurrence { place, ..next }, number));
            return Ok(Some(one));
        }
        PeekMut::pop(top);
        if self.open.is_empty() {
            self.close_frame()?;
        }
        Ok(Some(one))
    }
}

impl Iterator for Merge<'_> {
    type Item = io::Result<Occurrence>;

    fn next(&mut self) -> Option<Self::Item> {
        self.take().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_come_back_as_one() {
        let key = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Positions of frames, of men and of their own; frames that the layout does not tell apart.
        let one = |at: u64| {
            let position = at / 3 % 4_000;
            let men = key(position % 7) & 0xf_f000_0000_u64.rotate_left(20);
            let place = match position % 4 {
                0 => key(position) & !0xffff_ffff,
                1 => 0x1234_5678 << 32 | men >> 12 & 0xfff0_0000,
                2 => 0x1234_5679 << 32 | men >> 12 & 0xfff0_0000,
                _ => key(position % 50) & !0xffff_ffff | men >> 12 & 0xfff0_0000,
            };
            let own = if position % 4 == 0 { key(position) & !0xffff_ffff } else { key(at) << 32 };
            let key = own | position << 7;
            let game = u32::try_from(at % 997).expect("small");
            let ply = u16::try_from(at % 90).expect("small");
            let (ply, candidate) = if at % 11 == 0 { (u16::MAX, u16::MAX) } else { (ply, ply / 3) };
            let place = place | key & 0xf_ffff;
            Occurrence { place, key, check: 7 * game / 2, game, candidate, ply }
        };
        let layout = Layout::new(1 << 20, 997, true);
        let mut expected: Vec<Occurrence> = (0..30_000).map(one).collect();
        for one in &mut expected {
            one.place = layout.masked(one.place);
        }
        expected.sort_unstable();
        for most in [usize::MAX, 1_000, 29_999, 30_000] {
            let mut sorter = Sorter::with_run(&std::env::temp_dir(), most);
            for start in (0..30_000).step_by(500) {
                sorter.add((start..start + 500).map(one)).expect("room");
            }
            assert_eq!(sorter.count(), 30_000);
            let sorted = sorter.finish(layout).expect("room");
            for parts in [1, 16, 4_096] {
                let width = 4_096 / parts;
                let slices = (0..parts).flat_map(|part| {
                    sorted.of(part * width..(part + 1) * width).expect("its own file")
                });
                let slices: Vec<Occurrence> = slices.map(|one| one.expect("its own file")).collect();
                assert!(slices == expected, "{most} {parts}");
            }
        }
    }
}
