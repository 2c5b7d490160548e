//! The syntax of game records: reading them without ever failing, and writing them back to the
//! byte. Rules are not known here; a move is a piece of text.

pub mod charset;
pub mod dhtmlxq;
pub mod pgn;
pub mod psq;
pub mod tag_order;
pub mod transcript;
pub mod wthor;

use charset::Charset;

/// What a record says, of a game whose moves have notations of these names: the fields of DhtmlXQ
/// if one is that of its moves and there are any, else PGN.
#[must_use]
pub fn parse<'a>(text: &'a str, notations: &[&str]) -> pgn::Record<'a> {
    let page = notations.contains(&dhtmlxq::NOTATION).then(|| dhtmlxq::parse(text, Charset::Utf8));
    page.flatten().map_or_else(|| pgn::parse(text), |page| page.record)
}
