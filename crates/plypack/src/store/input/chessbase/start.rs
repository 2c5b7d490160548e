//! The start of a game that does not begin as usual.

use plypack_core::Rules as _;
use plypack_games::chess::{Chess, Position};

use super::blocks::Bytes;

/// The length of a start in bytes, and that of the squares which one of Chess960 has behind it.
const START_BYTES: usize = 28;
const CHESS960_BYTES: usize = 8;

/// The letters of men by their number.
const MEN: &[u8; 8] = b".KQNBRP.";

/// A start.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The letters of FEN on each square, from a1 along the ranks; `.` for none.
    pub board: [u8; 64],
    pub black: bool,
    /// The position in FEN, and as the rules read it.
    pub fen: String,
    pub position: Option<Position>,
    /// Whether castling or en passant is not in the FEN, as the position does not allow it.
    pub is_less: bool,
}

impl Start {
    /// Reads a start. `None` if it is damaged.
    pub fn read(bytes: &mut Bytes<'_>, is_chess960: bool) -> Option<Self> {
        let &[_, turn, castling, number, ref men @ ..] =
            bytes.take(START_BYTES)?.first_chunk::<START_BYTES>()?;
        let squares = if is_chess960 { bytes.take(CHESS960_BYTES)? } else { &[] };
        let board = read_board(men)?;
        let black = turn & 16 != 0;
        let rights = rights(&board, castling, squares);
        let passing = passing(turn & 15, black);
        let placement = placement(&board);
        let side = if black { 'b' } else { 'w' };
        let number = number.max(1);
        let fen = |rights: &str, passing: &str| {
            format!("{placement} {side} {rights} {passing} 0 {number}")
        };
        let full = fen(&rights, &passing);
        // Programs have kept rights that the position does not allow.
        let ways = [full.clone(), fen(&rights, "-"), fen("-", "-")];
        let read = |fen: &String| Some((fen.clone(), Chess.read_position(fen).ok()?));
        let found = ways.iter().find_map(read);
        let (fen, position) = found.map_or((full.clone(), None), |(fen, at)| (fen, Some(at)));
        let is_less = fen != full;
        Some(Self { board, black, fen, position, is_less })
    }
}

/// The men on the board: a bit for an empty square, five for a man, file by file.
fn read_board(bytes: &[u8]) -> Option<[u8; 64]> {
    let mut place = 0;
    let mut bits = |count: usize| {
        (0..count).try_fold(0_usize, |sum, _| {
            let byte = bytes.get(place / 8)?;
            let bit = byte >> (7 - place % 8) & 1;
            place += 1;
            Some(sum << 1 | usize::from(bit))
        })
    };
    let mut board = [b'.'; 64];
    for square in 0..64 {
        if bits(1)? == 0 {
            continue;
        }
        let is_black = bits(1)? == 1;
        let letter = MEN[bits(3)?];
        (letter != b'.').then_some(())?;
        let letter = if is_black { letter.to_ascii_lowercase() } else { letter };
        board[square % 8 * 8 + square / 8] = letter;
    }
    Some(board)
}

/// The men as in FEN.
fn placement(board: &[u8; 64]) -> String {
    let mut text = String::new();
    for (place, rank) in board.chunks(8).rev().enumerate() {
        if place > 0 {
            text.push('/');
        }
        for run in rank.chunk_by(|one, other| one == other) {
            match run {
                [b'.', ..] => text.push_str(&run.len().to_string()),
                men => text.extend(men.iter().map(|&man| char::from(man))),
            }
        }
    }
    text
}

/// The castling rights as in FEN. In Chess960 the squares of the kings and rooks at the start of
/// the game tell the rooks: White's king, Black's, and the rooks.
fn rights(board: &[u8; 64], castling: u8, squares: &[u8]) -> String {
    let mut text = String::new();
    for (bit, usual) in [(1, 'K'), (0, 'Q'), (3, 'k'), (2, 'q')] {
        if castling >> bit & 1 == 0 {
            continue;
        }
        let black = usual.is_ascii_lowercase();
        let (own_king, own_rook) = if black { (b'k', b'r') } else { (b'K', b'R') };
        let king = board.iter().position(|&man| man == own_king).unwrap_or_default() % 8;
        let is_right = usual.eq_ignore_ascii_case(&'K');
        let is_there = |square: &&u8| {
            let (file, rank) = (usize::from(**square / 8), usize::from(**square % 8));
            let is_own = rank == if black { 7 } else { 0 };
            is_own && board.get(rank * 8 + file) == Some(&own_rook) && (file > king) == is_right
        };
        text.push(match squares.iter().skip(2).take(4).find(is_there) {
            Some(square) => char::from((own_rook & 32) + b'A' + square / 8),
            None => usual,
        });
    }
    if text.is_empty() { "-".into() } else { text }
}

/// The square of an en passant capture as in FEN.
fn passing(file: u8, black: bool) -> String {
    match file {
        1..=8 => format!("{}{}", char::from(b'a' + file - 1), if black { 3 } else { 6 }),
        _ => "-".into(),
    }
}
