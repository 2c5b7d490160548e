//! Links, pasted texts, and the rules of games.
//!
//! Positions, moves and games are texts here, as everywhere outside the typed core. The page draws.

use plypack::reading::pasted::{Pasted, Refusal};
#[cfg(feature = "full")]
use plypack_core::testkit::series;
use plypack_core::{ErasedRules, Notation, Texts};
use plypack_games::GAMES;
use plypack_games::link::Link;
use plypack_records::pgn::Layout;
use plypack_records::pgn::layout::ResultMark;
use plypack_records::{FALLBACK_READER, ItemKind, Rendering, START_TAG};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::find;
use crate::tree::{self, Tree};

/// An opened game.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Opened {
    /// The game's name.
    pub game: String,
    /// The tags, names and values alternating.
    pub tags: Vec<String>,
    /// The nodes of its tree.
    pub nodes: Nodes,
    /// The node to show, by its number.
    pub shown: u32,
    /// The marker that ends the main line; empty if there is none.
    pub result: String,
    /// Why some of it could not be read; empty if all was.
    pub warning: String,
}

/// The positions of a game, each before its successors; the first is the start. All lists have the
/// same length.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// The number of the previous node; 0 for the start.
    pub parents: Vec<u32>,
    /// The moves that led here, in customary notation; empty for the start.
    pub moves: Vec<String>,
    /// The same as squares.
    pub coordinates: Vec<String>,
    /// The positions.
    pub positions: Vec<String>,
    /// Judgements of the moves, such as `!` or `$1`.
    pub glyphs: Vec<String>,
    /// Comments, without the commands for programs.
    pub comments: Vec<String>,
    /// The time left on the clock of the player who moved: `0:02:59`.
    pub clocks: Vec<String>,
    /// Evaluations: `0.25`, `#-3`.
    pub evaluations: Vec<String>,
}

/// The candidates at a position.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Candidates {
    /// The moves, in customary notation.
    pub moves: Vec<String>,
    /// The same as squares.
    pub coordinates: Vec<String>,
}

/// A position after a move.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Played {
    /// The move, in customary notation.
    pub text: String,
    /// The same as squares.
    pub coordinates: String,
    /// The position.
    pub position: String,
}

/// A link, and its size.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Written {
    /// The text after the `#`.
    pub link: String,
    /// The bits of the moves' code.
    pub bits: u32,
    /// The characters of the moves' text, with spaces between them.
    pub characters: u32,
}

/// Returns all games, names and titles alternating.
#[wasm_bindgen]
pub fn games() -> Vec<String> {
    GAMES.iter().flat_map(|game| [game.info().name.into(), game.info().title.into()]).collect()
}

/// Opens a link, or only the part after its `#`; also HullQin's links.
///
/// # Errors
/// Returns an error if it is not a link, is damaged, or is newer than this version.
#[wasm_bindgen]
pub fn open_link(link: &str) -> Result<Opened, JsError> {
    let link = Link::read(link)?;
    let (mut tree, cursor) = Tree::new(link.game, link.start.as_deref())?;
    tree.play_line(cursor, &link.indices)?;
    Ok(Opened {
        game: link.game.info().name.into(),
        tags: Vec::new(),
        nodes: tree.nodes,
        shown: link.shown,
        result: String::new(),
        warning: String::new(),
    })
}

/// Opens a pasted text: a game in any format, moves alone, or a position; an empty text is the
/// start. The game is the one named; without a name, the one that the text indicates, or else the
/// one that reads it best.
///
/// # Errors
/// Returns an error if it contains no game.
#[wasm_bindgen]
pub fn open_text(text: &str, game: Option<String>) -> Result<Opened, JsError> {
    let named = game.map(|name| find(&name)).transpose()?;
    let usual = named.or(GAMES.iter().copied().find(|game| game.info().name == "chess"));
    let usual = usual.ok_or_else(|| JsError::new("there is no game"))?;
    let mut best = read_text(text, usual, named.is_some());
    if named.is_none() {
        for other in GAMES.iter().copied().filter(|other| other.info().id != usual.info().id) {
            if !best.as_ref().is_ok_and(|pasted| pasted.stopped.is_none()) {
                let read = read_text(text, other, true);
                if worth(&read) > worth(&best) {
                    best = read;
                }
            }
        }
    }
    let pasted = best.map_err(|why| JsError::new(&why))?;
    let (mut tree, cursor) = Tree::new(pasted.game, pasted.start.as_deref())?;
    let warning = tree.play_record(cursor, &pasted.record);
    let tags = pasted.record.tags.iter().filter(|tag| tag.0 != START_TAG);
    Ok(Opened {
        game: pasted.game.info().name.into(),
        tags: tags.flat_map(|(name, value)| [(*name).into(), value.clone().into()]).collect(),
        shown: 0,
        nodes: tree.nodes,
        result: pasted.record.result.unwrap_or_default().into(),
        warning,
    })
}

/// Returns a game's usual start, or another position, in canonical spelling.
///
/// # Errors
/// Returns an error if it is not valid.
#[wasm_bindgen]
pub fn position(game: &str, start: Option<String>) -> Result<String, JsError> {
    Ok(find(game)?.position_after(start.as_deref(), &[])?)
}

/// Returns the candidates at a position.
///
/// # Errors
/// Returns an error if the position is not valid.
#[wasm_bindgen]
pub fn candidates(game: &str, position: &str) -> Result<Candidates, JsError> {
    let game = find(game)?;
    let texts = |notation| game.candidates(Some(position), notation).map(strings);
    Ok(Candidates { moves: texts(Notation::Customary)?, coordinates: texts(Notation::Coordinate)? })
}

/// Plays a move, in any notation.
///
/// # Errors
/// Returns an error if it is not legal.
#[wasm_bindgen]
pub fn play(game: &str, position: &str, text: &str) -> Result<Played, JsError> {
    Ok(tree::play(find(game)?, position, text)?)
}

/// Writes the shortest link that every viewer reads: the game from `start`, in canonical spelling,
/// shown after `shown` plies.
///
/// # Errors
/// Returns an error if a move cannot be read, or the link would be too long.
#[wasm_bindgen]
pub fn write_link(
    game: &str,
    start: Option<String>,
    moves: Vec<String>,
    shown: u32,
) -> Result<Written, JsError> {
    let moves = &mut moves.iter().map(String::as_str);
    let mut link = Link::new(find(game)?, start.as_deref(), moves)?;
    link.shown = shown.min(link.plies());
    let codec = link.shortest_codec()?;
    let texts = link.moves(Notation::Customary)?;
    let line = codec.encode(link.start.as_deref(), &mut texts.iter(), Notation::Customary)?;
    let characters: usize = texts.iter().map(|text| text.chars().count() + 1).sum();
    Ok(Written {
        link: link.write(codec)?,
        bits: line.bits,
        characters: u32::try_from(characters.saturating_sub(1)).unwrap_or(u32::MAX),
    })
}

/// Writes PGN from the pieces of movetext, each with a letter for its kind: `m` a move, `s` its
/// suffix (`!`), `g` its glyph (`$1`), `c` a comment, `(` and `)` the ends of a variation.
///
/// # Errors
/// Returns an error if the start cannot be read.
#[wasm_bindgen]
pub fn write_pgn(
    game: &str,
    tags: Vec<String>,
    start: Option<String>,
    kinds: &str,
    pieces: Vec<String>,
    result: &str,
) -> Result<String, JsError> {
    let game = find(game)?;
    let mut list: Vec<(&str, &str)> =
        tags.chunks_exact(2).map(|tag| (tag[0].as_str(), tag[1].as_str())).collect();
    let has = |name: &str| tags.iter().step_by(2).any(|tag| tag == name);
    // Without a tag, readers of PGN assume chess.
    let variant = game.info().variants.first().filter(|_| game.info().name != "chess");
    list.extend(variant.filter(|_| !has("Variant")).map(|variant| ("Variant", *variant)));
    if let Some(start) = &start {
        list.retain(|tag| tag.0 != "SetUp");
        list.extend([("SetUp", "1"), (START_TAG, start.as_str())]);
    }
    let kind = |letter| match letter {
        's' => ItemKind::Suffix,
        'g' => ItemKind::Glyph,
        'c' => ItemKind::Comment,
        '(' => ItemKind::Open,
        ')' => ItemKind::Close,
        _ => ItemKind::Move,
    };
    let turn = game.turn(start.as_deref())?;
    let pieces: Vec<(ItemKind, &str)> =
        kinds.chars().map(kind).zip(pieces.iter().map(String::as_str)).collect();
    let record = Rendering {
        tags: &list,
        pieces: &pieces,
        values: &[],
        number: turn.number,
        second: turn.second,
    };
    let result = plypack_records::pgn::RESULTS.into_iter().find(|known| *known == result);
    let layout =
        Layout { result: ResultMark::Marker(result.unwrap_or("*")), ..Layout::usual(false) };
    Ok(layout.render_text(&record).trim().to_owned())
}

/// Returns the moves of a cell, in customary notation, separated by spaces, after checking that
/// they encode to the same cell: this kind of machine must compute as others do.
///
/// # Errors
/// Returns an error if there is no such codec, the cell is not one of its codes, or the moves
/// encode to another.
#[cfg(feature = "full")]
#[wasm_bindgen]
pub fn check_cell(
    game: &str,
    codec: &str,
    start: Option<String>,
    cell: &[u8],
) -> Result<String, JsError> {
    let row =
        plypack_games::line_codec(game, codec).ok_or_else(|| JsError::new("no such codec"))?;
    let (plies, code) = plypack_core::cell::split(cell)?;
    let texts = row.decode(start.as_deref(), plies, code, Notation::Customary)?;
    let again = row.encode(start.as_deref(), &mut texts.iter(), Notation::Customary)?;
    if again.code != code || again.plies != plies {
        return Err(JsError::new("it encodes to another cell"));
    }
    Ok(strings(texts).join(" "))
}

/// Checks that a position has this code, and that the code decodes to a position with this code.
///
/// # Errors
/// Returns an error if there is no such codec, the code is not one of its codes, or the position
/// has another.
#[cfg(feature = "full")]
#[wasm_bindgen]
pub fn check_position(game: &str, codec: &str, text: &str, code: &[u8]) -> Result<(), JsError> {
    let row =
        plypack_games::position_codec(game, codec).ok_or_else(|| JsError::new("no such codec"))?;
    for text in [text, &row.decode(code)?] {
        if row.encode(text)?.bytes != code {
            return Err(JsError::new(&format!("{text} has another code")));
        }
    }
    Ok(())
}

/// Returns the key and the canonical key after moves in any notation, separated by spaces: 16
/// hexadecimal digits each, separated by a tab.
///
/// # Errors
/// Returns an error if there is no such game, or if it cannot read the start or a move.
#[cfg(feature = "full")]
#[wasm_bindgen]
pub fn keys(game: &str, start: Option<String>, moves: &str) -> Result<String, JsError> {
    let mut cursor = find(game)?.cursor(start.as_deref())?;
    for text in moves.split_ascii_whitespace() {
        cursor.read(text)?;
    }
    Ok(format!("{:016x}\t{:016x}", cursor.key(), cursor.canonical_key()))
}

/// Checks that values of a series have this code, and that the code decodes to them. The fields are
/// those of a row of `vectors/series`.
///
/// # Errors
/// Returns an error if there is no such codec, or the results differ.
#[cfg(feature = "full")]
#[wasm_bindgen]
pub fn check_series(
    codec: &str,
    game: Option<String>,
    start: Option<String>,
    moves: &str,
    given: &str,
    values: &str,
    code: &[u8],
) -> Result<(), JsError> {
    let mut hints = Vec::new();
    if let Some(game) = game {
        let row = plypack_games::line_codec(&game, "line.uniform");
        let row = row.ok_or_else(|| JsError::new("no such game"))?;
        let mut texts = moves.split_ascii_whitespace();
        let (_, trunk) =
            row.encode_trunk(start.as_deref(), &mut texts, Notation::Customary, true)?;
        hints.extend_from_slice(trunk.hints()?);
    }
    let wrong = |why: String| JsError::new(&why);
    if series::encode(codec, given, values, &hints).map_err(wrong)? != code {
        return Err(JsError::new(&format!("{values} has another code")));
    }
    let plies = u32::try_from(values.split_ascii_whitespace().count()).unwrap_or(u32::MAX);
    if series::decode(codec, given, plies, &hints, code).map_err(wrong)? != values {
        return Err(JsError::new(&format!("the code of {values} gives others")));
    }
    Ok(())
}

fn read_text<'a>(
    text: &'a str,
    usual: &'static dyn ErasedRules,
    told: bool,
) -> Result<Pasted<'a>, String> {
    Pasted::read(text, FALLBACK_READER, usual, told, None).map_err(|refusal| match refusal {
        Refusal::OtherRules(variant) => format!("the variant `{variant}` has other rules"),
        Refusal::Start(error) => error.to_string(),
        Refusal::Nothing(Some(error)) => format!("there is no game and no position here ({error})"),
        Refusal::Nothing(None) => "there is no game and no position here".into(),
    })
}

/// How much of a text was understood.
fn worth(read: &Result<Pasted<'_>, String>) -> usize {
    read.as_ref()
        .map_or(0, |pasted| 1 + pasted.indices.len() + usize::from(pasted.stopped.is_none()))
}

fn strings(texts: Texts) -> Vec<String> {
    texts.iter().map(str::to_owned).collect()
}
