//! The board of xiangqi as files store it: men on squares, which become a start in FEN, and moves
//! as four digits. Files count from 0 at Red's left, ranks from 0 at Black's back rank.

use std::fmt::Write;

use crate::layout::read_hexadecimal;

/// The usual start, in FEN.
const USUAL: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// The name of the notation of moves as four digits.
pub(crate) const DIGITS: &str = "dhtmlxq";

/// The men on a board, as letters of FEN, by rank and file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Board(pub [[Option<u8>; 9]; 10]);

impl Board {
    /// The man on a square.
    pub fn man(&self, (file, rank): (u8, u8)) -> Option<u8> {
        *self.0.get(usize::from(rank))?.get(usize::from(file))?
    }

    /// Puts a man on a square of the board; elsewhere there is none.
    pub fn put(&mut self, (file, rank): (u8, u8), man: u8) {
        let squares = self.0.get_mut(usize::from(rank));
        if let Some(square) = squares.and_then(|rank| rank.get_mut(usize::from(file))) {
            *square = Some(man);
        }
    }

    /// The start in FEN, `None` if it is the usual one.
    pub fn start(&self, black: bool) -> Option<String> {
        let mut text = String::new();
        for (rank, squares) in self.0.iter().enumerate() {
            if rank > 0 {
                text.push('/');
            }
            for run in squares.chunk_by(|a, b| a.is_none() && b.is_none()) {
                // Writing to a string cannot fail.
                let _ = match run {
                    [Some(man)] => write!(text, "{}", char::from(*man)),
                    empty => write!(text, "{}", empty.len()),
                };
            }
        }
        let mover = if black { 'b' } else { 'w' };
        (black || text != USUAL).then(|| format!("{text} {mover} - - 0 1"))
    }

    /// Reads a start in FEN, the usual one without a text: the board, and whether Black moves
    /// first. `None` if the text is no start.
    pub fn of_start(start: Option<&str>) -> Option<(Self, bool)> {
        let mut words = start.unwrap_or(USUAL).split(' ');
        let mut board = Self::default();
        let mut ranks = words.next()?.split('/');
        for rank in 0..10 {
            let mut file = 0;
            for sign in ranks.next()?.bytes() {
                match sign {
                    b'1'..=b'9' => file += sign - b'0',
                    sign if sign.is_ascii_alphabetic() && file < 9 => {
                        board.put((file, rank), sign);
                        file += 1;
                    }
                    _ => return None,
                }
                if file > 9 {
                    return None;
                }
            }
        }
        Some((board, words.next() == Some("b")))
    }
}

/// A move as text: four digits if both are squares, else an `x` and the two bytes that a file has
/// in their place.
pub(crate) fn write_move(squares: [Option<(u8, u8)>; 2], bytes: [u8; 2]) -> String {
    match squares {
        [Some((from, out)), Some((to, into))] => format!("{from}{out}{to}{into}"),
        _ => format!("x{:02x}{:02x}", bytes[0], bytes[1]),
    }
}

/// A move that was read from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// File and rank of two squares.
    Squares([(u8, u8); 2]),
    /// The bytes in place of squares.
    Bytes([u8; 2]),
}

/// Reads the text that [`write_move`] writes.
pub(crate) fn read_move(text: &str) -> Option<Move> {
    let bytes = text.as_bytes();
    if let Some(hexadecimal) = text.strip_prefix('x') {
        return read_hexadecimal(hexadecimal)?.try_into().ok().map(Move::Bytes);
    }
    let &[from, out, to, into] = bytes else { return None };
    let digit = |sign: u8, most| sign.checked_sub(b'0').filter(|digit| *digit <= most);
    let square = |file, rank| Some((digit(file, 8)?, digit(rank, 9)?));
    Some(Move::Squares([square(from, out)?, square(to, into)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_a_start() {
        let (usual, black) = Board::of_start(None).expect("the usual start");
        assert_eq!((usual.start(false), black), (None, false));
        assert_eq!(
            (usual.man((4, 9)), usual.man((4, 8)), usual.man((9, 0))),
            (Some(b'K'), None, None)
        );
        let fen = format!("{USUAL} b - - 0 1");
        assert_eq!(usual.start(true).as_deref(), Some(&*fen));
        assert_eq!(Board::of_start(Some(&fen)), Some((usual, true)));
        let odd = "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let (board, black) = Board::of_start(Some(odd)).expect("a start");
        assert_eq!(board.start(black).as_deref(), Some(odd));
        for none in
            ["", "9/9", "99/9/9/9/9/9/9/9/9/9", "8KK/9/9/9/9/9/9/9/9/9", "?8/9/9/9/9/9/9/9/9/9"]
        {
            assert_eq!(Board::of_start(Some(none)), None, "{none}");
        }
    }

    #[test]
    fn moves_are_digits_or_bytes() {
        let squares = [Some((7, 7)), Some((4, 7))];
        assert_eq!(write_move(squares, [0, 0]), "7747");
        assert_eq!(read_move("7747"), Some(Move::Squares([(7, 7), (4, 7)])));
        assert_eq!(write_move([None, Some((4, 7))], [0xff, 0x0a]), "xff0a");
        assert_eq!(read_move("xff0a"), Some(Move::Bytes([0xff, 0x0a])));
        for none in ["", "774", "77477", "9747", "x", "xff0", "xFF0A", "x+f0a", "é747", "xé0a"] {
            assert_eq!(read_move(none), None, "{none}");
        }
    }
}
