//! Single games and positions as bytes, links and texts, without files.

use plypack::{LineCodec, Link, PositionCodec, Rules};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::raised;
use crate::game::notation;

/// The names of the games that this version knows.
///
/// >>> "chess" in plypack.games()
/// True
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    Rules::all().map(Rules::name).collect()
}

/// The codecs of a game's lines and positions, each with a sentence on how it works.
///
/// >>> any(name.startswith("chess/line.index/") for name, _ in plypack.codecs("chess"))
/// True
#[pyfunction]
#[pyo3(signature = (game = "chess"))]
pub fn codecs(game: &str) -> PyResult<Vec<(String, &'static str)>> {
    let rules = game.parse::<Rules>().map_err(raised)?;
    let lines = rules.line_codecs().map(|codec| (codec.to_string(), codec.summary()));
    let positions = rules.position_codecs().map(|codec| (codec.to_string(), codec.summary()));
    Ok(lines.chain(positions).collect())
}

/// Encodes moves, in any notation of the game, as a cell of a few bytes.
///
/// >>> cell = plypack.encode(["e4", "e5", "Nf3"], "chess/small")
/// >>> plypack.decode(cell, "chess/small")
/// ['e4', 'e5', 'Nf3']
#[pyfunction]
#[pyo3(signature = (moves, codec = "chess/default", *, start = None))]
pub fn encode<'py>(
    py: Python<'py>,
    moves: Vec<String>,
    codec: &str,
    start: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let codec = codec.parse::<LineCodec>().map_err(raised)?;
    let cell = codec.encode_from(start, moves.iter().map(String::as_str)).map_err(raised)?;
    Ok(PyBytes::new(py, &cell))
}

/// Decodes a cell to moves. Store the codec, with its number, and the start beside a cell.
///
/// >>> plypack.decode(plypack.encode(["e4", "e5"]), notation="uci")
/// ['e2e4', 'e7e5']
#[pyfunction]
#[pyo3(signature = (cell, codec = "chess/default", *, start = None, notation = "san"))]
pub fn decode(
    cell: &[u8],
    codec: &str,
    start: Option<&str>,
    notation: &str,
) -> PyResult<Vec<String>> {
    let codec = codec.parse::<LineCodec>().map_err(raised)?;
    let moves = codec.decode_from(start, cell, self::notation(notation)?).map_err(raised)?;
    Ok(moves.iter().map(str::to_owned).collect())
}

/// Encodes a position, such as a FEN, as bytes.
///
/// >>> code = plypack.encode_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
/// >>> plypack.decode_position(code)
/// '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
#[pyfunction]
#[pyo3(signature = (position, codec = "chess/chess.rank"))]
pub fn encode_position<'py>(
    py: Python<'py>,
    position: &str,
    codec: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let codec = codec.parse::<PositionCodec>().map_err(raised)?;
    Ok(PyBytes::new(py, &codec.encode(position).map_err(raised)?))
}

/// Decodes the bytes of a position.
///
/// >>> plypack.decode_position(plypack.encode_position("8/8/8/8/8/k7/8/K7 b - - 3 1"))
/// '8/8/8/8/8/k7/8/K7 b - - 3 1'
#[pyfunction]
#[pyo3(signature = (code, codec = "chess/chess.rank"))]
pub fn decode_position(code: &[u8], codec: &str) -> PyResult<String> {
    codec.parse::<PositionCodec>().map_err(raised)?.decode(code).map_err(raised)
}

/// Makes a link of a game, shown after this many plies or at its end.
///
/// >>> text = plypack.link(["e4", "e5"], ply=1)
/// >>> plypack.unlink(text).ply
/// 1
#[pyfunction]
#[pyo3(signature = (moves, game = "chess", *, start = None, ply = None))]
pub fn link(
    moves: Vec<String>,
    game: &str,
    start: Option<&str>,
    ply: Option<u32>,
) -> PyResult<String> {
    let rules = game.parse::<Rules>().map_err(raised)?;
    let link = Link::new(rules, start, moves.iter().map(String::as_str)).map_err(raised)?;
    let link = ply.map_or(Ok(link.clone()), |ply| link.shown_at(ply)).map_err(raised)?;
    Ok(link.to_string())
}

/// What a link holds.
#[pyclass(frozen, get_all, module = "plypack")]
pub struct Linked {
    /// The name of the game.
    game: &'static str,
    /// The position the moves start from; None for the usual start.
    start: Option<String>,
    /// The moves in the game's customary notation.
    moves: Vec<String>,
    /// The ply after which the board is shown.
    ply: u32,
    /// The position shown.
    fen: String,
}

/// Reads a link.
///
/// >>> plypack.unlink(plypack.link(["e4", "e5"])).moves
/// ['e4', 'e5']
#[pyfunction]
pub fn unlink(text: &str) -> PyResult<Linked> {
    let link = text.parse::<Link>().map_err(raised)?;
    let moves = link.moves(plypack::Notation::Customary).map_err(raised)?;
    Ok(Linked {
        game: link.rules().name(),
        start: link.start().map(str::to_owned),
        moves: moves.iter().map(str::to_owned).collect(),
        ply: link.ply(),
        fen: link.position().map_err(raised)?,
    })
}
