//! Movetext between its pieces and its columns: moves go into codes, clock readings and
//! evaluations into series, and what is left into a list of annotations.

use std::borrow::Cow;

use plypack_core::codecs::series::{self, Evaluation};
use plypack_core::{EncodedLine, Notation, Texts, Trunk};
use plypack_records::pgn::{self, Item, Kind, ValueStyle, Values};

use crate::schema::RECORD_BYTES_MAX;

/// How deep variations may nest before they are kept as text.
const NESTING_MAX: u32 = 64;

/// The most plies that the variations of a record have together: each takes a letter and a space.
/// A code may be empty whatever its plies, so these alone bound what decoding allocates.
const VARIATION_PLIES_MAX: u64 = RECORD_BYTES_MAX as u64 / 2;

/// A piece of movetext: its kind and text, as layouts write them.
pub type Piece<'a> = (Kind, Cow<'a, str>);

/// Something between the moves of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation<'a> {
    /// The plies of the same line since the annotation before, or since the line's beginning.
    pub skip: u32,
    /// What it is.
    pub kind: AnnotationKind,
    /// Its text; empty for the ends of variations.
    pub text: Cow<'a, str>,
    /// The moves of a variation that begins: how many, and their code.
    pub moves: Option<(u32, Cow<'a, [u8]>)>,
}

/// What an annotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationKind {
    /// `!`, `?` and their pairs.
    Suffix,
    /// `$14`.
    Glyph,
    /// A comment in braces.
    Comment,
    /// A comment to the end of the line.
    LineComment,
    /// A variation begins: it replaces the last move.
    Open,
    /// The variation ends.
    Close,
    /// Words that were not understood. Whatever follows the last move that was, too.
    Other,
}

impl AnnotationKind {
    const ALL: [(Self, &'static str, Kind); 7] = [
        (Self::Suffix, "suffix", Kind::Suffix),
        (Self::Glyph, "glyph", Kind::Glyph),
        (Self::Comment, "comment", Kind::Comment),
        (Self::LineComment, "line comment", Kind::LineComment),
        (Self::Open, "variation", Kind::Open),
        (Self::Close, "end", Kind::Close),
        (Self::Other, "other", Kind::Other),
    ];

    /// The name that files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The kind of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn of_piece(kind: Kind) -> Self {
        Self::ALL.into_iter().find(|row| row.2 == kind).map_or(Self::Other, |row| row.0)
    }

    fn piece(self) -> Kind {
        Self::ALL.into_iter().find(|row| row.0 == self).map_or(Kind::Other, |row| row.2)
    }
}

/// Takes a record's movetext apart.
#[derive(Debug)]
pub(crate) struct Dissection<'a> {
    /// The annotations in order.
    pub annotations: Vec<Annotation<'a>>,
    /// The values of each ply of the main line.
    pub values: Vec<Values>,
    /// Whether the movetext ends with its result, and not with something else.
    pub ends_with_result: bool,
}

/// Takes a record's movetext apart. `line` is what its main line was coded to; what follows the
/// first move that was not becomes one annotation.
pub(crate) fn dissect<'a>(
    record: &pgn::Record<'a>,
    plies: u32,
    trunk: Option<&dyn Trunk>,
    style: Option<ValueStyle>,
) -> Dissection<'a> {
    let mut dissector = Dissector {
        movetext: record.movetext.trim_ascii_end(),
        items: &record.items,
        style,
        found: Dissection { annotations: Vec::new(), values: Vec::new(), ends_with_result: false },
    };
    dissector.line(0, plies, trunk, 0);
    dissector.found
}

struct Dissector<'a, 'r> {
    movetext: &'a str,
    items: &'r [Item<'a>],
    style: Option<ValueStyle>,
    found: Dissection<'a>,
}

impl<'a> Dissector<'a, '_> {
    /// Goes through a line that has so many coded plies, from the item at `at`. The item behind it.
    fn line(&mut self, mut at: usize, plies: u32, trunk: Option<&dyn Trunk>, depth: u32) -> usize {
        let main = depth == 0;
        let mut ply = 0;
        let mut skip = 0;
        // Whether only suffixes and glyphs came since the last move.
        let mut beside_move = false;
        while let Some(item) = self.items.get(at) {
            let kind = item.kind;
            match kind {
                Kind::Move if ply < plies => {
                    ply += 1;
                    skip += 1;
                    beside_move = true;
                    if main {
                        self.found.values.push(Values::default());
                    }
                    at += 1;
                    continue;
                }
                Kind::Move => return self.rest(at, skip),
                Kind::Result if at + 1 == self.items.len() => {
                    self.found.ends_with_result = true;
                    return at + 1;
                }
                Kind::Result => return self.rest(at, skip),
                Kind::Comment if main && beside_move => {
                    let values = self.style.and_then(|style| style.read(item.text));
                    if let Some((values, place)) = values.zip(self.found.values.last_mut()) {
                        *place = values;
                        beside_move = false;
                        at += 1;
                        continue;
                    }
                }
                Kind::Open => {
                    at = self.variation(at, ply, skip, trunk, depth + 1);
                    skip = 0;
                    beside_move = false;
                    continue;
                }
                Kind::Close if !main => {
                    self.push(skip, AnnotationKind::Close, "", None);
                    return at + 1;
                }
                _ => {}
            }
            let kind = match kind {
                Kind::Close => AnnotationKind::Other,
                kind => AnnotationKind::of_piece(kind),
            };
            beside_move &= matches!(kind, AnnotationKind::Suffix | AnnotationKind::Glyph);
            self.push(skip, kind, item.text, None);
            skip = 0;
            at += 1;
        }
        at
    }

    /// Takes a variation whose `(` is at `at`: coded if all its moves can be, else as text.
    fn variation(
        &mut self,
        at: usize,
        ply: u32,
        skip: u32,
        trunk: Option<&dyn Trunk>,
        nesting: u32,
    ) -> usize {
        let mut depth = 0u32;
        let mut moves = Vec::new();
        let mut end = None;
        for (index, item) in self.items.iter().enumerate().skip(at) {
            match item.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Move if depth == 1 => moves.push(item.text),
                _ => {}
            }
            if depth == 0 {
                end = Some(index);
                break;
            }
        }
        // Without its `)` it goes on to the end of the movetext.
        let Some(end) = end else { return self.rest(at, skip) };
        if let Some(trunk) = trunk.filter(|_| ply > 0 && nesting <= NESTING_MAX) {
            let notation = Notation::Customary;
            let (line, branch) = trunk.encode_branch(ply, &mut moves.iter().copied(), notation);
            if line.stopped.is_none() {
                let EncodedLine { plies, code, .. } = line;
                self.push(skip, AnnotationKind::Open, "", Some((plies, code.into())));
                return self.line(at + 1, plies, Some(&*branch), nesting);
            }
        }
        let text = &self.movetext[self.items[at].start..self.items[end].end];
        self.push(skip, AnnotationKind::Other, text, None);
        end + 1
    }

    /// Takes everything from the item at `at` as text.
    fn rest(&mut self, at: usize, skip: u32) -> usize {
        let text = &self.movetext[self.items[at].start..];
        self.push(skip, AnnotationKind::Other, text, None);
        self.items.len()
    }

    fn push(
        &mut self,
        skip: u32,
        kind: AnnotationKind,
        text: &'a str,
        moves: Option<(u32, Cow<'a, [u8]>)>,
    ) {
        self.found.annotations.push(Annotation { skip, kind, text: text.into(), moves });
    }
}

/// Puts movetext together again.
///
/// # Errors
/// What is wrong with the annotations, in words.
pub(crate) fn assemble<'a>(
    annotations: &'a [Annotation<'_>],
    values: &[Values],
    style: Option<ValueStyle>,
    moves: &'a Texts,
    trunk: Option<&dyn Trunk>,
    notation: Notation,
) -> Result<Vec<Piece<'a>>, String> {
    let variations = annotations.iter().filter_map(|annotation| annotation.moves.as_ref());
    if variations.map(|(plies, _)| u64::from(*plies)).sum::<u64>() > VARIATION_PLIES_MAX {
        return Err("its variations have more moves than a record has room for".into());
    }
    let mut assembler = Assembler {
        annotations: annotations.iter(),
        values: values.iter(),
        style,
        notation,
        pieces: Vec::with_capacity(moves.len() + annotations.len() + values.len()),
        waiting: None,
    };
    assembler.line(&mut moves.iter().map(Cow::Borrowed), trunk, 0)?;
    Ok(assembler.pieces)
}

struct Assembler<'a, 'v, 's> {
    annotations: std::slice::Iter<'a, Annotation<'s>>,
    values: std::slice::Iter<'v, Values>,
    style: Option<ValueStyle>,
    notation: Notation,
    pieces: Vec<Piece<'a>>,
    /// The values of the last move, until its suffix and glyphs are written.
    waiting: Option<Values>,
}

impl<'a> Assembler<'a, '_, '_> {
    fn line(
        &mut self,
        rest: &mut dyn Iterator<Item = Cow<'a, str>>,
        trunk: Option<&dyn Trunk>,
        depth: u32,
    ) -> Result<(), String> {
        let main = depth == 0;
        if depth > NESTING_MAX {
            return Err("its variations are nested too deep".into());
        }
        let mut ply = 0;
        while let Some(annotation) = self.annotations.next() {
            for _ in 0..annotation.skip {
                let mv = rest.next().ok_or("an annotation stands behind the last move")?;
                self.mv(mv, main);
                ply += 1;
            }
            let kind = annotation.kind;
            if !matches!(kind, AnnotationKind::Suffix | AnnotationKind::Glyph) {
                self.write_waiting();
            }
            let text: &'a str = match kind {
                AnnotationKind::Open => "(",
                AnnotationKind::Close => ")",
                _ => &annotation.text,
            };
            self.pieces.push((kind.piece(), text.into()));
            match kind {
                AnnotationKind::Open => {
                    let (plies, code) =
                        annotation.moves.as_ref().ok_or("a variation has no moves")?;
                    let trunk = trunk.ok_or("a variation has no main line")?;
                    let (texts, branch) = trunk
                        .decode_branch(ply, *plies, code, self.notation)
                        .map_err(|error| error.to_string())?;
                    let mut owned = texts.iter().map(|text| Cow::Owned(text.to_owned()));
                    self.line(&mut owned, Some(&*branch), depth + 1)?;
                }
                AnnotationKind::Close if main => return Err("a variation ends twice".into()),
                AnnotationKind::Close => return Ok(()),
                _ => {}
            }
        }
        for mv in rest {
            self.mv(mv, main);
        }
        self.write_waiting();
        Ok(())
    }

    fn mv(&mut self, mv: Cow<'a, str>, main: bool) {
        self.write_waiting();
        self.pieces.push((Kind::Move, mv));
        if main {
            self.waiting = self.values.next().copied();
        }
    }

    fn write_waiting(&mut self) {
        let values = self.waiting.take().filter(|values| *values != Values::default());
        if let Some((values, style)) = values.zip(self.style) {
            let mut text = String::new();
            style.write(values, &mut text);
            self.pieces.push((Kind::Comment, text.into()));
        }
    }
}

/// The codes of clock readings and of evaluations, where there are any.
pub(crate) type SeriesCodes = (Option<Vec<u8>>, Option<Vec<u8>>);

/// The codes of a main line's clock readings and evaluations; `None` where there are none.
///
/// The values must be those that a style read: others might not be codable.
pub(crate) fn encode_values(values: &[Values], style: ValueStyle) -> Option<SeriesCodes> {
    let clocks: Vec<Option<u32>> = values.iter().map(|values| values.clock).collect();
    let evaluation = |values: &Values| {
        values.evaluation.map(|evaluation| match evaluation {
            pgn::Evaluation::Pawns(value) => Evaluation::Pawns(value),
            pgn::Evaluation::Mate(moves) => Evaluation::Mate(moves),
        })
    };
    let evaluations: Vec<Option<Evaluation>> = values.iter().map(evaluation).collect();
    let clocks = match clocks.iter().any(Option::is_some) {
        true => Some(series::encode_clocks(&clocks, style.decimals)?),
        false => None,
    };
    let evaluations = match evaluations.iter().any(Option::is_some) {
        true => Some(series::encode_evaluations(&evaluations)?),
        false => None,
    };
    Some((clocks, evaluations))
}

/// The code of the times of moves, in units of 10^-`decimals` seconds. `None` if there are none, or
/// one is too long.
pub(crate) fn encode_times(values: &[Values], decimals: u8) -> Option<Vec<u8>> {
    let times: Vec<Option<u32>> = values.iter().map(|values| values.clock).collect();
    if times.is_empty() { None } else { series::encode_clocks(&times, decimals) }
}

/// The values of a main line of `plies` plies.
///
/// # Errors
/// What is wrong with the codes, in words.
pub(crate) fn decode_values(
    plies: u32,
    clocks: Option<&[u8]>,
    evaluations: Option<&[u8]>,
) -> Result<Vec<Values>, String> {
    if clocks.is_none() && evaluations.is_none() {
        return Ok(Vec::new());
    }
    let mut values = Vec::new();
    if let Some(code) = clocks {
        let (clocks, _) = series::decode_clocks(plies, code).map_err(|error| error.to_string())?;
        values.extend(clocks.into_iter().map(|clock| Values { clock, evaluation: None }));
    }
    if let Some(code) = evaluations {
        let evaluations =
            series::decode_evaluations(plies, code).map_err(|error| error.to_string())?;
        values.resize(evaluations.len(), Values::default());
        for (values, evaluation) in values.iter_mut().zip(evaluations) {
            values.evaluation = evaluation.map(|evaluation| match evaluation {
                Evaluation::Pawns(value) => pgn::Evaluation::Pawns(value),
                Evaluation::Mate(moves) => pgn::Evaluation::Mate(moves),
            });
        }
    }
    Ok(values)
}
