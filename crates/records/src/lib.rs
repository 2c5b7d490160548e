//! The syntax of game records: reading them without ever failing, and writing them back to the
//! byte. Rules are not known here; a move is a piece of text.

pub mod charset;
pub mod dhtmlxq;
pub mod epd;
pub mod pgn;
pub mod psq;
pub mod tag_order;
pub mod transcript;
pub mod wthor;

use charset::Charset;

/// What a record says, of a game whose moves have notations of these names: if one is that of
/// DhtmlXQ, the fields of a page or moves alone in that notation; else PGN.
#[must_use]
pub fn parse<'a>(text: &'a str, notations: &[&str]) -> pgn::Record<'a> {
    let page = || {
        dhtmlxq::parse_list(text)
            .or_else(|| dhtmlxq::parse(text, Charset::Utf8).map(|page| page.record))
    };
    let known = notations.contains(&dhtmlxq::NOTATION);
    known.then(page).flatten().unwrap_or_else(|| pgn::parse(text))
}
