//! Names of openings. A game has a list of lines that lead to named positions; a position has its
//! name whatever moves led to it.
//!
//! The names for chess, `chess/openings.tsv`, are those of github.com/lichess-org/chess-openings
//! (CC0). No registry row refers to a list, so a link reader in a browser does not hold it.

use std::sync::LazyLock;

use plypack_core::{Cursor, ErasedRules};

use crate::chess;

/// The name of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings: `B90`.
    pub eco: &'static str,
    /// Its name: `Sicilian Defense: Najdorf Variation`.
    pub name: &'static str,
}

/// The names of a game's positions, by key.
type Names = Vec<(u64, Opening)>;

/// The lists, by game.
static LISTS: &[(&str, &LazyLock<Names>)] = &[("chess", &CHESS)];

static CHESS: LazyLock<Names> = LazyLock::new(|| read(chess::registry::ROWS.game, CHESS_LINES));

/// Code, name and moves, separated by tabs.
static CHESS_LINES: &str = include_str!("chess/openings.tsv");

/// The largest number of plies of a line in a list.
pub const PLIES_MAX: u32 = 40;

/// Returns the name of the last named position of a line: the game's opening. Follows the line only
/// as far as names can occur.
///
/// # Errors
/// Returns an error if the line cannot be decoded.
pub fn opening_of(
    game: &str,
    cursor: &mut dyn Cursor<'_>,
) -> Result<Option<Opening>, plypack_core::Error> {
    let mut last = None;
    if !has_names(game) {
        return Ok(last);
    }
    loop {
        last = opening(game, cursor.key()).or(last);
        if cursor.ply() >= PLIES_MAX || cursor.next()?.is_none() {
            return Ok(last);
        }
    }
}

/// Whether a game's openings have names.
pub fn has_names(game: &str) -> bool {
    LISTS.iter().any(|list| list.0 == game)
}

/// Returns the name of the position with this key, if it has one.
pub fn opening(game: &str, key: u64) -> Option<Opening> {
    let list = LISTS.iter().find(|list| list.0 == game)?.1;
    let at = list.binary_search_by_key(&key, |named| named.0).ok()?;
    list.get(at).map(|named| named.1)
}

/// Returns the name of the openings with this code in chess: that of the shortest line with the
/// code, as far as the names of two thirds of these lines begin with it.
pub fn name_of_code(eco: &str) -> Option<&'static str> {
    let fields = |line: &'static str| {
        let mut fields = line.split('\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    };
    let lines = || CHESS_LINES.lines().filter_map(fields).filter(|line| line.0 == eco);
    let shortest = lines().min_by_key(|line| line.2.split(' ').count())?.1;
    let begins = |part: &str| {
        let ends = |rest: &str| rest.is_empty() || rest.starts_with([':', ',']);
        let with = lines().filter(|line| line.1.strip_prefix(part).is_some_and(ends));
        3 * with.count() >= 2 * lines().count()
    };
    let cuts = shortest.rmatch_indices([':', ',']).map(|(at, _)| shortest.split_at(at).0);
    std::iter::once(shortest).chain(cuts).find(|part| begins(part)).or(Some(shortest))
}

/// Reads a list into names by key. If a position has two names, that of the shorter line counts.
fn read(game: &'static dyn ErasedRules, list: &'static str) -> Names {
    let mut named: Vec<(u64, usize, Opening)> =
        list.lines().filter_map(|line| position(game, line)).collect();
    named.sort_by_key(|(key, plies, _)| (*key, *plies));
    named.dedup_by_key(|(key, ..)| *key);
    named.into_iter().map(|(key, _, opening)| (key, opening)).collect()
}

/// Reads a line of a list: code, name and moves, separated by tabs. Returns the position's key, the
/// number of plies that lead to it, and its name.
fn position(game: &'static dyn ErasedRules, line: &'static str) -> Option<(u64, usize, Opening)> {
    let mut fields = line.split('\t');
    let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
    let mut cursor = game.cursor(None).ok()?;
    for text in moves.split(' ') {
        cursor.read(text).ok()?;
    }
    Some((cursor.key(), moves.split(' ').count(), Opening { eco, name }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Option<Opening> {
        let game = crate::game("chess").expect("chess");
        let mut cursor = game.cursor(None).expect("a start");
        for text in moves.split_ascii_whitespace() {
            cursor.read(text).expect("legal");
        }
        opening("chess", cursor.key())
    }

    #[test]
    fn a_position_has_its_name_by_any_order_of_moves() {
        let najdorf = after("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6").expect("a name");
        assert_eq!(najdorf.eco, "B90");
        assert_eq!(najdorf.name, "Sicilian Defense: Najdorf Variation");
        let (one, other) = (after("d4 Nf6 c4 e6 Nf3"), after("Nf3 Nf6 c4 e6 d4"));
        assert!(one.is_some() && one == other, "{one:?} {other:?}");
        assert_eq!(after("e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2"), None);
        assert_eq!(name_of_code("B90"), Some("Sicilian Defense: Najdorf Variation"));
        // The shortest line is of a gambit, the others are not.
        assert_eq!(name_of_code("C67"), Some("Ruy Lopez: Berlin Defense"));
        // A code of several openings has the name of the shortest line.
        assert_eq!(name_of_code("A45"), Some("Indian Defense"));
        assert_eq!(name_of_code("B9"), None);
        assert_eq!(opening("othello", 0), None);
    }

    #[test]
    fn a_game_is_called_by_its_last_named_position() {
        let codec = crate::line_codec("chess", "line.uniform").expect("a codec");
        let moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Rg1 Rg8 Rh1";
        let line = codec.encode(None, &mut moves.split(' '), plypack_core::Notation::Customary);
        let line = line.expect("legal");
        let mut cursor = codec.cursor(None, line.plies, &line.code).expect("a line");
        let named = opening_of("chess", &mut *cursor).expect("a line").expect("a name");
        assert_eq!(named.eco, "B90");
    }

    #[test]
    fn every_line_of_the_lists_is_legal() {
        for line in CHESS_LINES.lines() {
            let named = position(crate::game("chess").expect("chess"), line).expect(line);
            assert!(named.1 <= PLIES_MAX as usize, "{line}");
        }
        assert!(CHESS.len() > 3_400, "{}", CHESS.len());
    }
}
