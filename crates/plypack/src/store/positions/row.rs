//! Converts one line of a position file between its bytes and its columns.

use std::borrow::Cow;

use plypack_core::{ErasedPositionCodec, Error as PositionError};
use plypack_records::charset::Charset;
use plypack_records::epd::{self, Layout, Line};

use super::schema::OPCODES_MAX;
use crate::rows::RowError;
use crate::store::patch;
use crate::store::row::{Fault, Reason};

/// A packed line.
#[derive(Debug, Default)]
pub struct PackedPosition<'a> {
    /// The position's code; empty if its block has it.
    pub code: Option<Vec<u8>>,
    /// The position's text, if it is coded with its block.
    pub text: Option<String>,
    /// The counters at the end of the position.
    pub counters: [Option<u32>; 2],
    /// Operands, each with its column's number.
    pub operands: Vec<(usize, &'a str)>,
    /// The text after the operations that have columns.
    pub rest: &'a str,
    /// How to write the line; empty for a verbatim line.
    pub layout: String,
    /// Where its bytes differ from the layout's output; empty if nowhere.
    pub patch: Vec<u8>,
    /// Why it is kept verbatim. Blank lines and comments need no reason.
    pub reason: Option<Reason>,
    /// Why the position could not be coded.
    pub fault: Option<Fault>,
}

/// Packs a line, given its bytes and their decoded text. `opcodes` have columns.
pub fn pack<'a>(
    codec: &dyn ErasedPositionCodec,
    opcodes: &[String],
    bytes: &[u8],
    (charset, text): (Charset, &'a str),
    piece: bool,
) -> PackedPosition<'a> {
    let kept = |reason, fault| PackedPosition { reason, fault, ..PackedPosition::default() };
    if piece {
        return kept(Some(Reason::TooLong), None);
    }
    if epd::is_comment(bytes) {
        return kept(None, None);
    }
    let mut found = None;
    let mut fault = None;
    let line = Line::read(text, charset, &mut |text| match read(codec, text) {
        Ok((code, canonical)) => {
            let words = epd::position_words(&canonical);
            found = Some((code, canonical));
            Some(words)
        }
        Err(error) => {
            fault = Some(error);
            None
        }
    });
    let Some((line, (code, canonical))) = line.zip(found) else {
        let looks_like_one = text.split_ascii_whitespace().take(2).any(|word| word.contains('/'));
        return match fault.filter(|_| looks_like_one) {
            Some(fault) => kept(Some(Reason::Position), Some(fault.into())),
            None => kept(Some(Reason::NoPosition), None),
        };
    };
    let packed = pack_read(&line, opcodes, bytes, &canonical, code);
    let packed = packed
        .map(|packed| PackedPosition { text: codec.has_blocks().then_some(canonical), ..packed });
    packed.unwrap_or_else(|| kept(Some(Reason::Layout), None))
}

/// Returns a position's code and its canonical text.
fn read(codec: &dyn ErasedPositionCodec, text: &str) -> Result<(Vec<u8>, String), PositionError> {
    if codec.has_blocks() {
        return Ok((Vec::new(), codec.game().position_after(Some(text), &[])?));
    }
    let code = codec.encode(text)?.bytes;
    let canonical = codec.decode(&code)?;
    Ok((code, canonical))
}

/// Packs a line whose position was coded. `None` if its bytes differ too much from the layout's
/// output.
fn pack_read<'a>(
    line: &Line<'a>,
    opcodes: &[String],
    bytes: &[u8],
    canonical: &str,
    code: Vec<u8>,
) -> Option<PackedPosition<'a>> {
    let mut operands: Vec<(usize, &str)> = Vec::new();
    let mut layout = line.layout.clone();
    for operation in &line.operations {
        let place = opcodes.iter().position(|opcode| opcode == operation.opcode);
        let place = place.filter(|&place| operands.iter().all(|other| other.0 != place));
        let Some(place) = place else { break };
        operands.push((place, operation.operand));
        layout.operations.push((operation.opcode.to_owned(), operation.quoted));
    }
    let rest = line.rest(operands.len());
    // Rendered from the stored values, as reading does.
    let position = without_counters(canonical);
    let texts = operands.iter().map(|operand| operand.1);
    let mut rendered = layout.write(position, line.counters, texts.clone(), rest)?;
    if rendered != bytes {
        layout.files = true;
        match layout.write(position, line.counters, texts, rest) {
            Some(lettered) if lettered == bytes => rendered = lettered,
            _ => layout.files = false,
        }
    }
    let patch = patch::make(&rendered, bytes, bytes.len() / 2)?;
    let layout = layout.to_string();
    let counters = line.counters;
    Some(PackedPosition {
        code: Some(code),
        counters,
        operands,
        rest,
        layout,
        patch,
        ..PackedPosition::default()
    })
}

fn without_counters(canonical: &str) -> &str {
    epd::first_words(canonical, epd::position_words(canonical))
}

/// Returns the opcodes that get columns: those in at least one in 64 of the lines that have
/// operations, in order of appearance.
pub(crate) fn frequent_opcodes<'a>(
    lines: impl Iterator<Item = (&'a dyn ErasedPositionCodec, Charset, &'a str)>,
) -> Vec<String> {
    const RARE: usize = 64;
    let mut with_operations = 0;
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (codec, charset, text) in lines {
        let game = codec.game();
        let line = Line::read(text, charset, &mut |text| {
            let canonical = game.position_after(Some(text), &[]).ok()?;
            Some(epd::position_words(&canonical))
        });
        let operations = line.map(|line| line.operations).unwrap_or_default();
        with_operations += usize::from(!operations.is_empty());
        for operation in operations {
            // Databases ignore case in names.
            let same = |other: &(&str, usize)| other.0.eq_ignore_ascii_case(operation.opcode);
            match counts.iter().position(same) {
                Some(place) if counts[place].0 == operation.opcode => counts[place].1 += 1,
                None if counts.len() < 8 * OPCODES_MAX => counts.push((operation.opcode, 1)),
                _ => {}
            }
        }
    }
    let frequent = counts.iter().filter(|(_, count)| count * RARE >= with_operations);
    frequent.map(|(opcode, _)| (*opcode).to_owned()).take(OPCODES_MAX).collect()
}

/// A stored line, borrowed from the columns.
#[derive(Debug, Default)]
pub struct StoredPosition<'a> {
    /// The codec and the code.
    pub position: Option<(&'a str, &'a [u8])>,
    /// The position from its block, or why it cannot be read; `None` if it has its own code.
    pub of_block: Option<Result<&'a str, RowError>>,
    /// The counters at the end of the position.
    pub counters: [Option<u32>; 2],
    /// The operations that have columns: opcode and operand.
    pub operations: Vec<(&'a str, &'a str)>,
    /// The text after them.
    pub rest: &'a str,
    /// The layout, as text.
    pub layout: Option<&'a str>,
    /// Where the line's bytes differ from the layout's output.
    pub patch: Option<&'a [u8]>,
    /// The line's bytes, if it is kept verbatim.
    pub verbatim: Option<&'a [u8]>,
}

impl<'a> StoredPosition<'a> {
    /// Looks up the codec that a file names.
    ///
    /// # Errors
    /// Returns an error if it is unknown: another version wrote the file.
    pub fn codec(text: &str) -> Result<&'static dyn ErasedPositionCodec, RowError> {
        Ok(plypack_games::stored_position_codec(text)?)
    }

    /// Returns the position in canonical spelling, with its own counters if it has any. `None` if
    /// the line has no position.
    ///
    /// # Errors
    /// Returns an error if the code is invalid.
    pub fn text(&self) -> Result<Option<String>, RowError> {
        let Some(canonical) = self.canonical()? else { return Ok(None) };
        let mut text = without_counters(&canonical).to_owned();
        for counter in self.counters.into_iter().flatten() {
            text.push_str(&format!(" {counter}"));
        }
        Ok(Some(text))
    }

    /// Returns the position's text; the counters in it are meaningless.
    fn canonical(&self) -> Result<Option<Cow<'a, str>>, RowError> {
        let Some((codec, code)) = self.position else { return Ok(None) };
        Ok(Some(match self.of_block {
            Some(Ok(text)) => Cow::Borrowed(text),
            Some(Err(ref error)) => return Err(error.clone()),
            None => Cow::Owned(Self::codec(codec)?.decode(code)?),
        }))
    }

    /// Returns the line's bytes.
    ///
    /// # Errors
    /// Returns an error if the row is invalid.
    pub fn render(&self) -> Result<Cow<'a, [u8]>, RowError> {
        if let Some(verbatim) = self.verbatim {
            return Ok(Cow::Borrowed(verbatim));
        }
        let layout: Layout = self.layout.ok_or("it has neither a layout nor its bytes")?.parse()?;
        let canonical = self.canonical()?.ok_or("it has a layout, but no position")?;
        let operand = |(name, _): &(String, bool)| {
            let found = self.operations.iter().find(|(opcode, _)| opcode == name);
            found.map(|found| found.1).ok_or_else(|| format!("its operation `{name}` is missing"))
        };
        let operands: Vec<&str> =
            layout.operations.iter().map(operand).collect::<Result<_, _>>()?;
        let position = without_counters(&canonical);
        let bytes = layout.write(position, self.counters, operands.into_iter(), self.rest);
        let bytes = bytes.ok_or("its charset lacks a character")?;
        match self.patch {
            None => Ok(Cow::Owned(bytes)),
            Some(patch) => {
                let bytes = patch::apply(&bytes, patch).ok_or("its patch does not fit")?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASTLED: &str = "r1bq1r1k/p1pnbpp1/1p2p3/6p1/3PB3/5N2/PPPQ1PPP/2KR3R";

    fn pack_line(text: &str) -> PackedPosition<'_> {
        let codec = super::super::default_codec("chess");
        let opcodes = ["bm", "id"].map(String::from);
        pack(codec, &opcodes, text.as_bytes(), (Charset::Utf8, text), false)
    }

    #[test]
    fn what_is_understood_goes_into_columns_and_not_into_a_patch() {
        let text = format!("{CASTLED} w - - bm g4; id \"arasan.1\"; c0 \"J. Polgar\";\n");
        let packed = pack_line(&text);
        assert!(packed.patch.is_empty() && packed.reason.is_none() && packed.fault.is_none());
        assert_eq!(packed.operands, [(0, "g4"), (1, "arasan.1")]);
        assert_eq!(packed.rest, "; c0 \"J. Polgar\"");
        assert_eq!(packed.layout, "epd operations=bm,id\"");
        assert_eq!(packed.code, Some(Vec::new()), "its block has the code");
        assert_eq!(packed.text, Some(format!("{CASTLED} w - - 0 1")));
        let counted = format!("{CASTLED} b - - 12 40\r\n");
        let packed = pack_line(&counted);
        assert_eq!(packed.counters, [Some(12), Some(40)]);
        assert_eq!((packed.layout.as_str(), packed.patch.len()), ("epd end=rn", 0));
    }

    #[test]
    fn a_codec_of_single_positions_gives_codes_at_once() {
        let codec = plypack_games::position_codec("chess", "board.aligned").expect("a codec");
        let text = format!("{CASTLED} w - - 0 1\n");
        let packed = pack(codec, &[], text.as_bytes(), (Charset::Utf8, &text), false);
        assert_eq!(packed.code.map(|code| code.len()), Some(33), "a byte of state, 32 of squares");
        assert_eq!(packed.text, None);
    }

    #[test]
    fn odd_spelling_is_a_patch_of_a_few_bytes() {
        for text in [
            format!("{CASTLED} w  - - 0 1\n"),
            format!("epd {CASTLED} w - -\n"),
            format!("{CASTLED} w - - 007 1\n"),
        ] {
            let packed = pack_line(&text);
            assert_eq!(packed.layout, "epd");
            assert!((1..16).contains(&packed.patch.len()), "{text} {packed:?}");
        }
        // Castling rights as file letters have a layout of their own.
        let lettered = pack_line("rk2r3/8/8/8/8/8/8/RK2R3 w EA - bm e4;\n");
        assert_eq!(lettered.layout, "epd rights=files operations=bm");
        assert!(lettered.patch.is_empty());
        let bare = format!("{CASTLED}\n");
        assert_eq!(pack_line(&bare).layout, "epd words=1");
    }

    #[test]
    fn what_is_no_position_is_kept() {
        for (text, reason, faulty) in [
            ("\n", None, false),
            ("# 8/8/8/8/8/8/8/8 w - -\n", None, false),
            ("perft 1 20\n", Some(Reason::NoPosition), false),
            ("8/8/8/8/8/8/8/8 w - - 0 1\n", Some(Reason::Position), true),
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - bm e4;\n", Some(Reason::Position), true),
        ] {
            let packed = pack_line(text);
            assert_eq!((packed.reason, packed.fault.is_some()), (reason, faulty), "{text}");
            assert!(packed.code.is_none() && packed.layout.is_empty(), "{text}");
        }
    }

    #[test]
    fn rare_opcodes_have_no_columns() {
        let codec = super::super::default_codec("chess");
        let often = format!("{CASTLED} w - - bm e4; ID 7; id 8;");
        let rare = format!("{CASTLED} w - - c9 x; bm e4;");
        let lines = std::iter::repeat_n(often.as_str(), 100).chain([rare.as_str()]);
        let lines = lines.map(|line| (codec, Charset::Utf8, line));
        assert_eq!(frequent_opcodes(lines), ["bm", "ID"]);
    }
}
