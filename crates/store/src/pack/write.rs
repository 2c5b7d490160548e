//! The last stage: all that will be stored is written out, and compared with the original.

use std::borrow::Cow;
use std::ops::Range;

use plypack_core::{GameInfo, Notation, Texts, Turn};
use plypack_reading::form::{Form, notation};
use plypack_records::charset::{self, Charset};
use plypack_records::pgn::{Layout, Record, Rendering, Spelling, Values};

use super::code::Coded;
use super::read::{Draft, Original};
use super::values::Taken;
use crate::movetext::{self, Piece, ReviewText, Style};
use crate::patch;
use crate::row::Reason;

/// How many layouts a writer remembers.
const LAYOUTS_KEPT: usize = 12;

/// A patch this small, in bytes, is not worth the search for a better layout.
const PATCH_SMALL: usize = 24;

/// Finds how records are written. Remembers layouts, which neighbouring records tend to share.
#[derive(Debug, Default)]
pub(super) struct Writer {
    /// Layouts met so far, the latest first.
    layouts: Vec<Layout>,
}

impl Writer {
    /// How a record is written, and the patch that makes its bytes of that; or why its bytes are
    /// kept.
    pub fn write(
        &mut self,
        original: Original<'_, '_>,
        draft: &Draft<'_>,
        coded: &Coded,
        taken: &Taken<'_>,
        info: &'static GameInfo,
    ) -> Result<(Form, Vec<u8>), Reason> {
        let (style, none) = (taken.style(coded), Texts::default());
        let texts = coded.texts().unwrap_or(&none);
        // What is written out comes from what is stored, by the way that reading takes.
        let reviews = taken.found.reviews.iter().map(|(ply, class, moves)| ReviewText {
            ply: *ply,
            class: *class,
            moves: moves.iter().collect(),
        });
        let reviews: Vec<ReviewText> = reviews.collect();
        let (annotations, values) = (&taken.found.annotations, &taken.found.values);
        let trunk = coded.trunk();
        let pieces = movetext::assemble(annotations, values, &reviews, style, texts, trunk);
        let pieces = pieces.map_err(|_| Reason::Layout)?;
        let written = match &draft.form {
            Some(form) if taken.complete => {
                let patch = form_patch(form, original, draft, &pieces, values, coded.turn);
                patch.map(|patch| (form.clone(), patch))
            }
            Some(_) => None,
            None => {
                let (record, turn) = (&draft.record, coded.turn);
                let sketch = Sketch { original, record, texts, pieces, style, turn, info };
                self.find_layout(&sketch).map(|(layout, patch)| (Form::Pgn(layout), patch))
            }
        };
        written.ok_or(Reason::Layout)
    }

    /// The layout that gives the record's bytes back, and the patch for what it does not explain.
    fn find_layout(&mut self, sketch: &Sketch<'_, '_>) -> Option<(Layout, Vec<u8>)> {
        let fits =
            |layout: &Layout| sketch.render(layout).as_deref() == Some(sketch.original.bytes);
        if let Some(known) = self.layouts.iter().position(fits) {
            self.layouts[..=known].rotate_right(1);
            return Some((self.layouts.first()?.clone(), Vec::new()));
        }
        let limit = sketch.original.bytes.len() / 2;
        let known = closest(&self.layouts, sketch);
        if let Some((at, rendered)) = known
            && let Some(patch) =
                patch::make(&rendered, sketch.original.bytes, PATCH_SMALL.min(limit))
        {
            self.layouts[..=at].rotate_right(1);
            return Some((self.layouts.first()?.clone(), patch));
        }
        let mut layouts = sketch.guesses();
        let exact = layouts.iter().position(fits);
        layouts.extend(self.layouts.iter().cloned());
        let (layout, patch) = match exact {
            Some(exact) => (layouts.swap_remove(exact), Vec::new()),
            None => {
                let (at, patch) = smallest_patch(&layouts, sketch, limit)?;
                (layouts.swap_remove(at), patch)
            }
        };
        self.layouts.retain(|known| *known != layout);
        self.layouts.truncate(LAYOUTS_KEPT - 1);
        self.layouts.insert(0, layout.clone());
        Some((layout, patch))
    }
}

/// The patch for what a layout that the syntax gives does not explain.
fn form_patch(
    form: &Form,
    Original { bytes, charset, text }: Original<'_, '_>,
    draft: &Draft<'_>,
    pieces: &[Piece<'_>],
    values: &[Values],
    turn: Turn,
) -> Option<Vec<u8>> {
    let tags = borrowed(&draft.record.tags);
    let pieces = pieces.iter().map(|(kind, text)| (*kind, text.as_ref()));
    let rendered = form.render(&tags, pieces, values, turn)?;
    match draft.place.clone() {
        Some(place) => place_patch(&rendered, bytes, text, place, charset),
        None => patch::make_short(&rendered, bytes, bytes.len()),
    }
}

/// The patch that makes a record of what is written out of one place of it. It may have most of the
/// record: so would the whole record, kept instead. `None` if there is none.
fn place_patch(
    rendered: &[u8],
    bytes: &[u8],
    text: &str,
    place: Range<usize>,
    charset: Charset,
) -> Option<Vec<u8>> {
    let length = |text: &str| Some(charset::encode(text.into(), charset)?.len());
    let before = length(text.get(..place.start)?)?;
    let behind = bytes.len().checked_sub(length(text.get(place.end..)?)?)?;
    let actual = bytes.get(before..behind)?;
    let patch = patch::make(rendered, actual, usize::MAX)?;
    let patch = patch::surround(&patch, rendered.len(), &bytes[..before], &bytes[behind..])?;
    (patch::apply(rendered, &patch).as_deref() == Some(bytes)).then_some(patch)
}

/// Tags as layouts take them.
pub(crate) fn borrowed<'a>(tags: &'a [(&str, Cow<'_, str>)]) -> Vec<(&'a str, &'a str)> {
    tags.iter().map(|tag| (tag.0, tag.1.as_ref())).collect()
}

/// The layout that comes closest to a record's bytes, by what agrees at either end, and what it
/// gives.
fn closest(layouts: &[Layout], sketch: &Sketch<'_, '_>) -> Option<(usize, Vec<u8>)> {
    let agreement = |rendered: &[u8]| {
        let pairs = || rendered.iter().zip(sketch.original.bytes);
        let ahead = pairs().take_while(|(a, b)| a == b).count();
        let back = rendered.iter().rev().zip(sketch.original.bytes.iter().rev());
        ahead + back.take_while(|(a, b)| a == b).count()
    };
    let rendered = layouts.iter().enumerate();
    let rendered = rendered.filter_map(|(at, layout)| Some((at, sketch.render(layout)?)));
    // Of equals the first, so that the likeliest guess wins.
    rendered.rev().max_by_key(|(_, rendered)| agreement(rendered))
}

/// The layout that needs the smallest patch, which has at most `limit` bytes. Of equals the first.
fn smallest_patch(
    layouts: &[Layout],
    sketch: &Sketch<'_, '_>,
    limit: usize,
) -> Option<(usize, Vec<u8>)> {
    /// In longer records, in bytes, the search would take too long.
    const SEARCHED_MAX: usize = 1 << 16;
    if sketch.original.bytes.len() > SEARCHED_MAX {
        let (at, rendered) = closest(layouts, sketch)?;
        return Some((at, patch::make(&rendered, sketch.original.bytes, limit)?));
    }
    let mut smallest: Option<(usize, Vec<u8>)> = None;
    for (at, layout) in layouts.iter().enumerate() {
        let limit = smallest.as_ref().map_or(limit, |(_, patch)| patch.len().saturating_sub(1));
        let patch =
            sketch.render(layout).and_then(|r| patch::make(&r, sketch.original.bytes, limit));
        smallest = patch.map(|patch| (at, patch)).or(smallest);
    }
    smallest
}

/// A record on its way to a layout.
struct Sketch<'a, 'r> {
    original: Original<'a, 'r>,
    record: &'r Record<'a>,
    texts: &'r Texts,
    pieces: Vec<Piece<'r>>,
    style: Style<'r>,
    turn: Turn,
    info: &'static GameInfo,
}

impl Sketch<'_, '_> {
    /// The record as a layout gives it; `None` if the layout is for another kind of record.
    fn render(&self, layout: &Layout) -> Option<Vec<u8>> {
        let notation = notation(&layout.spelling, self.info);
        if notation != Some(self.style.notation)
            || layout.values != self.style.values
            || layout.reviews.as_ref() != self.style.reviews
        {
            return None;
        }
        let tags = borrowed(&self.record.tags);
        let Turn { number, second } = self.turn;
        let pieces = self.pieces.iter().map(|(kind, text)| (*kind, text.as_ref()));
        layout.render(Rendering { tags: &tags, pieces, number, second })
    }

    fn guesses(&self) -> Vec<Layout> {
        let spelling = match self.style.notation {
            Notation::Coordinate => Spelling::Coordinates,
            Notation::Customary => {
                let written = self.record.moves.get(..self.texts.len()).unwrap_or_default();
                Spelling::of(self.texts.iter(), written).unwrap_or_default()
            }
            Notation::Other(place) => {
                let name = self.info.notations.get(usize::from(place));
                name.map_or(Spelling::Customary, |name| Spelling::Named((*name).into()))
            }
        };
        let Original { charset, text, .. } = self.original;
        let guesses = Layout::guess(text, self.record, charset, spelling, self.turn.second);
        let (values, reviews) = (self.style.values, self.style.reviews);
        let with = |layout| Layout { values, reviews: reviews.cloned(), ..layout };
        guesses.into_iter().map(with).collect()
    }
}
