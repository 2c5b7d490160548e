//! The last stage: writes a record from what will be stored, and compares it with the original.

use std::ops::Range;
use std::sync::Arc;

use crate::reading::record::name_of;
use plypack_core::{GameInfo, Texts, Turn};
use plypack_records::charset::{self, Charset};
use plypack_records::{Format, ItemKind, Layout, Rendering, Sketch, format};

use super::code::Coded;
use super::read::{Draft, Original};
use super::values::Taken;
use crate::store::movetext::{self, ReviewText};
use crate::store::patch;
use crate::store::row::Reason;

/// How many layouts a writer remembers.
const LAYOUTS_KEPT: usize = 12;

/// A patch of this size in bytes or less is not worth searching for a better layout.
const PATCH_SMALL: usize = 24;

/// A newline in a comment costs as much as so many bytes of a patch, which repeat each other.
const NEWLINE_COST: usize = 2;

/// Finds layouts of records. Remembers layouts, which neighbouring records tend to share.
#[derive(Debug, Default)]
pub(super) struct Writer {
    /// Known layouts, the latest first.
    layouts: Vec<Arc<dyn Layout>>,
}

impl Writer {
    /// Returns a record's layout, and the patch from its output to the record's bytes; or why the
    /// bytes are kept.
    pub fn write(
        &mut self,
        original: Original<'_, '_>,
        draft: &Draft<'_>,
        coded: &Coded,
        taken: &Taken<'_>,
        info: &'static GameInfo,
    ) -> Result<(Arc<dyn Layout>, Vec<u8>), Reason> {
        let (style, none) = (taken.style(coded), Texts::default());
        let texts = coded.texts().unwrap_or(&none);
        // Write from what is stored, just as unpacking does.
        let reviews = taken.found.reviews.iter().map(|(ply, class, moves)| ReviewText {
            ply: *ply,
            class: *class,
            moves: moves.iter().collect(),
        });
        let reviews: Vec<ReviewText> = reviews.collect();
        let (annotations, values) = (&taken.found.annotations, &taken.found.values);
        let trunk = coded.trunk();
        let comments = taken.comment_texts(coded.plies(), trunk).map_err(|_| Reason::Layout)?;
        let pieces =
            movetext::assemble(annotations, values, &comments, &reviews, style, texts, trunk);
        let pieces = pieces.map_err(|_| Reason::Layout)?;
        let pieces: Vec<_> = pieces.iter().map(|(kind, text)| (*kind, text.as_ref())).collect();
        let (tags, pieces) = (&draft.record.tag_list(), &pieces);
        let Turn { number, second } = coded.turn;
        let said = Rendering { tags, pieces, values, number, second };
        let written = match &draft.layout {
            Some(layout) if taken.complete => {
                let made = layout.render(&said).filter(|_| is_readable(&**layout));
                let patch = made.and_then(|made| told_patch(&made, original, draft));
                patch.map(|patch| (layout.clone(), patch))
            }
            Some(_) => None,
            None => {
                let moves: Vec<&str> = texts.iter().collect();
                let sketch = Sketch {
                    text: original.text,
                    charset: original.charset,
                    record: &draft.record,
                    moves: &moves,
                    notation: name_of(style.notation, info),
                    values: style.values,
                    reviews: style.reviews,
                    second,
                };
                let (format, bytes) = (draft.format, original.bytes);
                let comments = pieces.iter().filter(|piece| piece.0 == ItemKind::Comment);
                let broken = comments.map(|piece| piece.1.matches('\n').count()).sum();
                self.find_layout(&Unlaid { format, bytes, sketch, said, broken })
            }
        };
        written.ok_or(Reason::Layout)
    }

    /// Finds the layout that restores the record's bytes, and the patch for the differences.
    fn find_layout(&mut self, sketch: &Unlaid<'_>) -> Option<(Arc<dyn Layout>, Vec<u8>)> {
        let fits = |layout: &Arc<dyn Layout>| {
            sketch.cost(&**layout) == 0 && sketch.render(layout).as_deref() == Some(sketch.bytes)
        };
        if let Some(known) = self.layouts.iter().position(fits) {
            self.layouts[..=known].rotate_right(1);
            return Some((self.layouts.first()?.clone(), Vec::new()));
        }
        let limit = sketch.bytes.len() / 2;
        let known = closest(&self.layouts, sketch);
        if let Some((at, rendered)) = known
            && let Some(small) = PATCH_SMALL.checked_sub(sketch.cost(&**self.layouts.get(at)?))
            && let Some(patch) = patch::make(&rendered, sketch.bytes, small.min(limit))
        {
            self.layouts[..=at].rotate_right(1);
            return Some((self.layouts.first()?.clone(), patch));
        }
        let guesses = sketch.format.guess(&sketch.sketch).into_iter();
        let guesses = guesses.filter(|layout| is_readable(&**layout));
        let mut layouts: Vec<Arc<dyn Layout>> = guesses.map(Arc::from).collect();
        let exact = layouts.iter().position(fits);
        layouts.extend(self.layouts.iter().cloned());
        let (layout, patch) = match exact {
            Some(exact) => (layouts.swap_remove(exact), Vec::new()),
            None => {
                let (at, patch) = smallest_patch(&layouts, sketch, limit)?;
                (layouts.swap_remove(at), patch)
            }
        };
        let text = layout.to_string();
        self.layouts.retain(|known| known.to_string() != text);
        self.layouts.truncate(LAYOUTS_KEPT - 1);
        self.layouts.insert(0, layout.clone());
        Some((layout, patch))
    }
}

/// Returns whether a layout can be read back from its text, which is what a file stores.
fn is_readable(layout: &dyn Layout) -> bool {
    let text = layout.to_string();
    format::layout(&text).is_ok_and(|read| read.to_string() == text)
}

/// Returns the patch for the differences from a layout found by reading.
fn told_patch(
    rendered: &[u8],
    Original { bytes, charset, text }: Original<'_, '_>,
    draft: &Draft<'_>,
) -> Option<Vec<u8>> {
    match draft.place.clone() {
        Some(place) => place_patch(rendered, bytes, text, place, charset),
        None => patch::make_short(rendered, bytes, bytes.len()),
    }
}

/// Returns the patch from the output for one part of a record to the whole record. It may hold most
/// of the record: keeping the whole would cost as much. `None` if there is no such patch.
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

/// Returns the layout that comes closest to a record's bytes, judged by how much agrees at either
/// end, and its output.
fn closest(layouts: &[Arc<dyn Layout>], sketch: &Unlaid<'_>) -> Option<(usize, Vec<u8>)> {
    let agreement = |rendered: &[u8]| {
        let pairs = || rendered.iter().zip(sketch.bytes);
        let ahead = pairs().take_while(|(a, b)| a == b).count();
        let back = rendered.iter().rev().zip(sketch.bytes.iter().rev());
        ahead + back.take_while(|(a, b)| a == b).count()
    };
    let rendered = layouts.iter().enumerate();
    let rendered = rendered.filter_map(|(at, layout)| Some((at, sketch.render(layout)?)));
    // Ties go to the first, the likeliest guess.
    rendered.rev().max_by_key(|(_, rendered)| agreement(rendered))
}

/// Returns the layout whose patch, of at most `limit` bytes, and newlines in comments cost least.
/// Ties go to the first.
fn smallest_patch(
    layouts: &[Arc<dyn Layout>],
    sketch: &Unlaid<'_>,
    limit: usize,
) -> Option<(usize, Vec<u8>)> {
    /// The longest record to search, in bytes; longer ones would take too long.
    const SEARCHED_MAX: usize = 1 << 16;
    if sketch.bytes.len() > SEARCHED_MAX {
        let (at, rendered) = closest(layouts, sketch)?;
        return Some((at, patch::make(&rendered, sketch.bytes, limit)?));
    }
    let mut smallest: Option<(usize, Vec<u8>)> = None;
    let mut least = usize::MAX;
    for (at, layout) in layouts.iter().enumerate() {
        let cost = sketch.cost(&**layout);
        let Some(room) = least.checked_sub(cost + 1) else { continue };
        let patch = sketch.render(layout);
        let patch = patch.and_then(|r| patch::make(&r, sketch.bytes, limit.min(room)));
        if let Some(patch) = patch {
            least = patch.len() + cost;
            smallest = Some((at, patch));
        }
    }
    smallest
}

/// A record to be written in several layouts.
struct Unlaid<'a> {
    format: &'static dyn Format,
    bytes: &'a [u8],
    sketch: Sketch<'a>,
    said: Rendering<'a>,
    /// The number of newlines in comments.
    broken: usize,
}

impl Unlaid<'_> {
    /// Returns what newlines in comments cost beside a patch, in bytes of one; nothing if the
    /// layout makes them itself.
    fn cost(&self, layout: &dyn Layout) -> usize {
        if layout.fills_comments() { 0 } else { NEWLINE_COST * self.broken }
    }

    /// Writes the record in a layout; `None` if the layout is for another kind of record.
    fn render(&self, layout: &Arc<dyn Layout>) -> Option<Vec<u8>> {
        let Sketch { notation, values, reviews, .. } = self.sketch;
        let style = (layout.notation(), layout.values(), layout.reviews());
        if style == (notation, values, reviews) { layout.render(&self.said) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Coder;
    use super::super::fields::Templates;
    use super::*;
    use plypack_records::FALLBACK;

    /// Writes a record of chess.
    fn write(writer: &mut Writer, text: &str) -> Result<(String, usize), Reason> {
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("it is registered");
        let original = Original { bytes: text.as_bytes(), charset: Charset::Utf8, text };
        let mut draft = Draft::read(codec.game(), original, FALLBACK);
        let coded = Coder::new(codec).code(&draft);
        let taken = Taken::out_of(&draft, &coded, &mut Templates::default());
        if !taken.found.ends_with_result {
            draft.record.result = None;
        }
        let written = writer.write(original, &draft, &coded, &taken, codec.game().info());
        written.map(|(layout, patch)| (layout.to_string(), patch.len()))
    }

    #[test]
    fn layouts_are_remembered_the_latest_first() {
        let mut writer = Writer::default();
        // More line ends than a small patch can fix.
        let record = |end: &str| {
            let tags: String = (0..40).map(|number| format!("[T{number} \"x\"]{end}")).collect();
            format!("{tags}{end}1. e4 e5 *{end}{end}")
        };
        let [unix, dos] = ["\n", "\r\n"].map(record);
        let (plain, patch) = write(&mut writer, &unix).expect("a layout");
        assert_eq!(patch, 0);
        let (other, patch) = write(&mut writer, &dos).expect("a layout");
        assert_eq!((other.contains("newline=crlf"), patch), (true, 0));
        let remembered = |writer: &Writer| -> Vec<String> {
            writer.layouts.iter().map(ToString::to_string).collect()
        };
        assert_eq!(remembered(&writer), [other.clone(), plain.clone()]);
        assert_eq!(write(&mut writer, &unix), Ok((plain.clone(), 0)));
        assert_eq!(remembered(&writer), [plain, other]);
    }

    #[test]
    fn what_no_layout_explains_is_a_patch_and_at_most_half() {
        let mut writer = Writer::default();
        let odd = "[A \"b\"]\n\n1. e4 e5  2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n";
        let (_, patch) = write(&mut writer, odd).expect("a layout");
        assert!((1..8).contains(&patch), "{patch}");
        let odder = "1 .  e4   e5\n\n\t2  . Nf3\n  Nc6   3 .\t\tBb5\n a6\n\n *";
        assert_eq!(write(&mut writer, odder), Err(Reason::Layout));
    }
}
