//! The syntax of game records: reading them without ever failing, and writing them back to the
//! byte. Rules are not known here; a move is a piece of text.

use std::borrow::Cow;

pub mod charset;
pub mod dhtmlxq;
pub mod epd;
mod layout_words;
pub mod pgn;
pub mod psq;
pub mod tag_order;
pub mod transcript;
pub mod wthor;

use charset::Charset;

/// The tag that a set-up position has in PGN. Where another syntax has no room for it, what reads
/// a record may add it, and what writes the record leaves it out.
pub const START_TAG: &str = "FEN";

/// How the records of an input are written, as far as it says where they begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// PGN, or a text that says itself what it is: a page with DhtmlXQ, a PSQ.
    #[default]
    Pgn,
    /// A [`transcript`] a line.
    Transcript,
    /// The games of a file of [`wthor`].
    Wthor,
}

/// The text of a record, and the charset that it is in. Bytes that are no text are described by
/// one.
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], syntax: Syntax, signs: &str) -> (Charset, Cow<'a, str>) {
    let described = (syntax == Syntax::Wthor).then(|| wthor::describe(bytes)).flatten();
    match described {
        Some(text) => (Charset::Utf8, text.into()),
        None => charset::decode(bytes, signs),
    }
}
