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
        let mut merge = Merge {
            layout: self.layout,
            few,
            readers: Vec::new(),
            frames,
            open,
            streams: Vec::new(),
        };
        for (file, run) in
            self.file.iter().flat_map(|file| self.runs.iter().map(move |run| (file, run)))
        {
            merge.readers.push(Reader::new(file, run, prefixes.clone(), buffer)?);
            merge.queue(merge.readers.len() - 1);
        }
        Ok(merge)
    }
}

/// Merges runs, frame by frame.
pub(super) struct Merge<'s> {
    layout: Layout,
    few: std::slice::Iter<'s, Occurrence>,
    /// The reader of each run.
    readers: Vec<Reader<'s>>,
    /// The next frame of each run, masked; of those whose frame is open, none.
    frames: BinaryHeap<Reverse<(u32, usize)>>,
    /// The next occurrence of each open stream.
    open: BinaryHeap<Reverse<(Occurrence, usize)>>,
    streams: Vec<Stream<'s>>,
}

/// A frame of a run.
enum Stream<'s> {
    /// The reader of this run is at it.
    Run(usize),
    /// The reader of the run is at a later frame.
    Other(Reader<'s>),
}

impl<'s> Merge<'s> {
    /// A frame without the bits that tell no frames apart.
    fn masked(&self, frame: u32) -> u32 {
        u32::try_from(self.layout.masked(u64::from(frame) << 32) >> 32).unwrap_or(frame)
    }

    /// Puts a run into the queue, by its next frame.
    fn queue(&mut self, run: usize) {
        if let Some(frame) = self.readers.get(run).and_then(Reader::frame) {
            self.frames.push(Reverse((self.masked(frame), run)));
        }
    }

    /// Opens the next frame in all runs that have it.
    fn open_frame(&mut self) -> io::Result<()> {
        let Some(&Reverse((frame, _))) = self.frames.peek() else { return Ok(()) };
        while let Some(&Reverse((next, run))) = self.frames.peek()
            && next == frame
        {
            self.frames.pop();
            // Frames that the layout does not tell apart follow each other in a run, each in order.
            while let Some(reader) = self.readers.get(run)
                && reader.next_frame().is_some_and(|next| self.masked(next) == frame)
            {
                let other = reader.clone();
                self.add(Stream::Other(other))?;
                if let Some(reader) = self.readers.get_mut(run) {
                    while reader.next()?.is_some() {}
                    reader.enter_next()?;
                }
            }
            self.add(Stream::Run(run))?;
        }
        Ok(())
    }

    fn add(&mut self, stream: Stream<'s>) -> io::Result<()> {
        let number = self.streams.len();
        self.streams.push(stream);
        if let Some(first) = self.read(number)? {
            self.open.push(Reverse((first, number)));
        }
        Ok(())
    }

    /// Reads the next occurrence of a stream.
    fn read(&mut self, stream: usize) -> io::Result<Option<Occurrence>> {
        let reader = match self.streams.get_mut(stream) {
            Some(Stream::Run(run)) => self.readers.get_mut(*run),
            Some(Stream::Other(reader)) => Some(reader),
            None => None,
        };
        let next = reader.map(Reader::next).transpose()?.flatten();
        Ok(next.map(|one| Occurrence { place: self.layout.masked(one.place), ..one }))
    }

    fn close_frame(&mut self) -> io::Result<()> {
        while let Some(stream) = self.streams.pop() {
            if let Stream::Run(run) = stream {
                self.readers.get_mut(run).map_or(Ok(()), Reader::enter_next)?;
                self.queue(run);
            }
        }
        Ok(())
    }

    fn take(&mut self) -> io::Result<Option<Occurrence>> {
        if let Some(one) = self.few.next() {
            return Ok(Some(*one));
        }
        if self.open.is_empty() {
            self.close_frame()?;
            self.open_frame()?;
        }
        let Some(&Reverse((one, stream))) = self.open.peek() else { return Ok(None) };
        let next = self.read(stream)?;
        if let Some(mut top) = self.open.peek_mut() {
            match next {
                Some(next) => *top = Reverse((next, stream)),
                None => drop(PeekMut::pop(top)),
            }
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
            let own = if position.is_multiple_of(4) {
                key(position) & !0xffff_ffff
            } else {
                key(at) << 32
            };
            let key = own | position << 7;
            let game = u32::try_from(at % 997).expect("small");
            let ply = u16::try_from(at % 90).expect("small");
            let (ply, candidate) =
                if at.is_multiple_of(11) { (u16::MAX, u16::MAX) } else { (ply, ply / 3) };
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
                let slices: Vec<Occurrence> =
                    slices.map(|one| one.expect("its own file")).collect();
                assert!(slices == expected, "{most} {parts}");
            }
        }
    }
}
