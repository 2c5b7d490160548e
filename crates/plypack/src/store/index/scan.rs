//! Extracts the index data of one record: the keys of its positions, and its head.

use std::sync::atomic::AtomicBool;

use plypack_core::bits::varint;
use plypack_core::{Cursor, Error as LineError, Trunk, Visit};
use plypack_index::{END, Head, Occurrence, Players, Spot, Witness};

use crate::rows::RowError;
use crate::store::movetext::{Annotation, AnnotationKind, NESTING_MAX, check_variations};
use crate::store::row::StoredRecord;

/// Maximum length of a witness line, in plies.
const LINE_PLIES_MAX: usize = 255;

/// Index data of one record.
#[derive(Debug, Default)]
pub struct Scan {
    /// Its positions, with game number 0.
    pub(super) occurrences: Vec<Occurrence>,
    /// Whether they have structures other than themselves.
    pub(super) structured: bool,
    /// [`Details`], encoded.
    pub(super) details: Vec<u8>,
    /// Its head.
    pub(super) head: Head,
    /// The remains at the end of its main line.
    pub(super) remains: u64,
}

/// The players of a game, and its first moves.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub players: Players,
    pub line: Witness,
}

impl Scan {
    /// Creates the scan of a record without moves.
    pub(crate) fn of_head(head: Head) -> Self {
        Scanner::new(None, head).finish()
    }

    /// Scans a record that was just packed. `reviews` are the plies of the main line, counted from
    /// 1, that review lines replace, with their moves.
    ///
    /// # Errors
    /// Returns a message if its variations are invalid.
    pub(crate) fn of_trunk<'m>(
        trunk: &dyn Trunk<'static>,
        start: Option<&str>,
        annotations: &[Annotation<'_>],
        reviews: impl Iterator<Item = (u32, impl Iterator<Item = &'m str>)>,
        head: Head,
    ) -> Result<Self, RowError> {
        let mut scanner = Scanner::new(start, head);
        trunk.visit(&mut |visit| scanner.main(visit));
        scanner.remains = trunk.remains();
        if annotations.iter().any(|annotation| annotation.moves.is_some()) {
            scanner.variations(&*trunk.cursor(), annotations, &AtomicBool::new(false))?;
        }
        let mut reviews = reviews.peekable();
        if reviews.peek().is_some() {
            scanner.reviews(&*trunk.cursor(), reviews)?;
        }
        Ok(scanner.finish())
    }

    /// Scans a record of a packed file; without moves it has a head but no positions.
    ///
    /// # Errors
    /// Returns a message if the record is invalid, or if `stop` is set, which the caller checks
    /// too.
    pub(crate) fn of_record(
        record: &StoredRecord<'_>,
        head: Head,
        stop: &AtomicBool,
    ) -> Result<Self, RowError> {
        let Some((_, mut cursor)) = record.cursor()? else { return Ok(Self::of_head(head)) };
        let mut scanner = Scanner::new(record.line.and_then(|line| line.1), head);
        loop {
            let (key, check) = (cursor.key(), cursor.second_key());
            let structure = cursor.structure();
            let candidate = cursor.next()?;
            scanner.main(Visit { key, check, structure, candidate });
            if candidate.is_none() {
                break;
            }
        }
        scanner.remains = cursor.remains();
        let annotations = record.known_annotations()?;
        if annotations.iter().any(|annotation| annotation.moves.is_some()) {
            check_variations(annotations)?;
            scanner.variations(&*cursor, annotations, stop)?;
        }
        let reviews = record.review_lines()?;
        scanner.reviews(&*cursor, reviews.iter().map(|(ply, moves)| (*ply, moves.iter())))?;
        Ok(scanner.finish())
    }
}

/// Returns the number of plies that a record declares, variations included.
pub(super) fn plies(record: &StoredRecord<'_>) -> u64 {
    let variations = record.annotations.iter().flatten();
    let variations = variations.filter_map(|annotation| Some(annotation.moves.as_ref()?.0));
    let line = record.line.map_or(0, |line| line.2);
    variations.fold(line.into(), |sum, plies| sum + u64::from(plies))
}

/// A variation being walked.
struct Branch<'a> {
    line: Box<dyn Cursor<'a> + 'a>,
    /// The ply of its first position, which belongs to the parent line.
    before: u32,
}

struct Scanner {
    occurrences: Vec<Occurrence>,
    structured: bool,
    candidates: Vec<u16>,
    start: Option<String>,
    head: Head,
    remains: u64,
}

impl Scanner {
    fn new(start: Option<&str>, mut head: Head) -> Self {
        let start = start.map(str::to_owned);
        let (occurrences, candidates) = (Vec::with_capacity(96), Vec::with_capacity(96));
        // Many heads wait in memory, and names may have any length.
        for name in [&mut head.players.white, &mut head.players.black] {
            name.truncate(Players::cut(name).len());
        }
        let structured = false;
        Self { occurrences, structured, candidates, start, head, remains: 0 }
    }

    /// Adds the next position of the main line.
    fn main(&mut self, Visit { key, check, structure, candidate }: Visit) {
        let ply = u16::try_from(self.occurrences.len()).unwrap_or(u16::MAX);
        self.take(Spot { structure, key }, check, candidate.unwrap_or(END), ply);
        if self.candidates.len() < LINE_PLIES_MAX {
            self.candidates.extend(candidate);
        }
    }

    /// Adds the positions of all variations. The cursor is at the end of the main line.
    fn variations<'a>(
        &mut self,
        end: &dyn Cursor<'a>,
        annotations: &'a [Annotation<'_>],
        stop: &AtomicBool,
    ) -> Result<(), RowError> {
        let mut lines: Vec<Branch<'a>> = Vec::new();
        let mut ply = 0u32;
        for annotation in annotations {
            crate::store::work::check(stop).map_err(|_| RowError::Stopped)?;
            match lines.last_mut() {
                None => ply = ply.saturating_add(annotation.skip),
                Some(line) => {
                    for _ in 0..annotation.skip {
                        if !self.step(line)? {
                            return Err("an annotation comes after the last move".into());
                        }
                    }
                }
            }
            match annotation.kind {
                AnnotationKind::Open if lines.len() >= NESTING_MAX as usize => {
                    return Err("its variations are nested too deeply".into());
                }
                AnnotationKind::Open => {
                    let (plies, code) =
                        annotation.moves.as_ref().ok_or("a variation has no moves")?;
                    let branch = match lines.last() {
                        None => end.branch(ply, *plies, code),
                        Some(Branch { line, .. }) => line.branch(line.ply(), *plies, code),
                    };
                    let line = branch?;
                    lines.push(Branch { before: line.ply(), line });
                }
                AnnotationKind::Close => {
                    let mut line = lines.pop().ok_or("a variation ends twice")?;
                    while self.step(&mut line)? {}
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the positions of review lines. The cursor is at the end of the main line.
    fn reviews<'m>(
        &mut self,
        end: &dyn Cursor<'_>,
        reviews: impl Iterator<Item = (u32, impl Iterator<Item = &'m str>)>,
    ) -> Result<(), RowError> {
        for (ply, moves) in reviews {
            let mut line = end.fork(ply);
            let mut last = None;
            for text in moves {
                let played = line.read(text)?;
                self.take_last(last, played);
                last = Some((spot_of(&*line).in_variation(), line.second_key()));
            }
            self.take_last(last, END);
        }
        Ok(())
    }

    /// Adds a position of a review line, and what is played there.
    fn take_last(&mut self, position: Option<(Spot, u32)>, candidate: u16) {
        let Some((spot, check)) = position else { return };
        self.take(spot, check, candidate, u16::MAX);
    }

    /// Adds the current position of a variation and advances. Returns false at its end.
    fn step(&mut self, Branch { line, before }: &mut Branch<'_>) -> Result<bool, LineError> {
        let (spot, check) = (spot_of(&**line).in_variation(), line.second_key());
        let is_its_own = line.ply() > *before;
        let candidate = line.next()?;
        if is_its_own {
            // No main line leads there, so it is never a witness.
            self.take(spot, check, candidate.unwrap_or(END), u16::MAX);
        }
        Ok(candidate.is_some())
    }

    fn take(&mut self, spot: Spot, check: u32, candidate: u16, ply: u16) {
        self.structured |= spot.structure.frame != spot.key;
        let (place, key, game) = (spot.place(), spot.key, 0);
        self.occurrences.push(Occurrence { place, key, check, game, candidate, ply });
    }

    fn finish(self) -> Scan {
        let Self { occurrences, structured, candidates, start, head, remains, .. } = self;
        let line = Witness { start, candidates };
        let details = Details { players: head.players.clone(), line }.to_bytes();
        Scan { occurrences, structured, details, head, remains }
    }
}

/// What the position at a cursor is listed under.
fn spot_of(cursor: &dyn Cursor<'_>) -> Spot {
    Spot { structure: cursor.structure(), key: cursor.key() }
}

impl Details {
    /// Encodes the details for [`Details::read`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let Players { white, black, white_rating, black_rating } = &self.players;
        for name in [white, black] {
            write_text(name, &mut out);
        }
        for rating in [white_rating, black_rating] {
            varint::write_u32(rating.map_or(0, |rating| u32::from(rating) + 1), &mut out);
        }
        varint::write_u32(self.line.start.is_some().into(), &mut out);
        if let Some(start) = &self.line.start {
            write_text(start, &mut out);
        }
        for &candidate in &self.line.candidates {
            varint::write_u32(candidate.into(), &mut out);
        }
        out
    }

    /// Decodes details, with at most `plies` plies of the line; `None` if the bytes are invalid.
    pub fn read(mut bytes: &[u8], plies: usize) -> Option<Self> {
        let [white, black] = [read_text(&mut bytes)?, read_text(&mut bytes)?];
        let mut rating = || Some(read_number(&mut bytes)?.checked_sub(1));
        let [white_rating, black_rating] = [rating()?, rating()?];
        let narrow = |rating: Option<u32>| rating.and_then(|rating| u16::try_from(rating).ok());
        let [white_rating, black_rating] = [white_rating, black_rating].map(narrow);
        let start = match read_number(&mut bytes)? {
            0 => None,
            _ => Some(read_text(&mut bytes)?),
        };
        let mut candidates = Vec::new();
        while !bytes.is_empty() && candidates.len() < plies {
            candidates.push(u16::try_from(read_number(&mut bytes)?).ok()?);
        }
        let players = Players { white, black, white_rating, black_rating };
        Some(Self { players, line: Witness { start, candidates } })
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    varint::write_u32(u32::try_from(text.len()).unwrap_or(u32::MAX), out);
    out.extend(text.as_bytes());
}

fn read_number(bytes: &mut &[u8]) -> Option<u32> {
    let (number, length) = varint::read_u32(bytes)?;
    *bytes = bytes.get(length..)?;
    Some(number)
}

fn read_text(bytes: &mut &[u8]) -> Option<String> {
    let length = usize::try_from(read_number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    String::from_utf8(text.to_vec()).ok()
}
