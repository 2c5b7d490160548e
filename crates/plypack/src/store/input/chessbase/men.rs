//! The men of a game as ChessBase numbers them: those of a kind in the order of the squares a1, a2,
//! … h8 at the start. When one is captured, those behind it move up; pawns keep their numbers.

use crate::store::input::database::game::{self, Move};

/// The usual start, as [`Men::of_board`] takes it.
const USUAL: &[u8; 64] = b"RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr";

/// The most men of a kind.
const KIND_MAX: usize = 10;

/// The kinds with lists, in their order.
const KINDS: &[u8; 4] = b"QRBN";

/// The steps of kings and knights by number: files and ranks.
const KING: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: [(i8, i8); 8] =
    [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)];

/// The directions of the other pieces; a bishop has the last two, a rook the first two.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The first codes of pieces: the first code, the place of the kind in [`KINDS`], and the number of
/// the man. The codes of one end where those of the next begin.
const CODES: [(u8, usize, usize); 13] = [
    (11, 0, 0),
    (39, 1, 0),
    (53, 1, 1),
    (67, 2, 0),
    (81, 2, 1),
    (95, 3, 0),
    (103, 3, 1),
    (143, 0, 1),
    (171, 0, 2),
    (199, 1, 2),
    (213, 2, 2),
    (227, 3, 2),
    (235, 4, 0),
];

/// The codes of pawns: four for each.
const PAWNS: std::ops::Range<u8> = 111..143;

/// The squares of men of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    squares: [u8; KIND_MAX],
    length: usize,
}

impl List {
    fn all(&self) -> &[u8] {
        self.squares.get(..self.length).unwrap_or_default()
    }

    fn push(&mut self, square: u8) -> Option<()> {
        *self.squares.get_mut(self.length)? = square;
        self.length += 1;
        Some(())
    }

    fn remove(&mut self, square: u8) -> Option<()> {
        let place = self.all().iter().position(|own| *own == square)?;
        self.squares.copy_within(place + 1..self.length, place);
        self.length -= 1;
        Some(())
    }

    fn shift(&mut self, from: u8, to: u8) -> Option<()> {
        let place = self.all().iter().position(|own| *own == from)?;
        self.squares[place] = to;
        Some(())
    }
}

/// The men of a side.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    king: Option<u8>,
    lists: [List; 4],
    /// The pawns by number.
    pawns: [Option<u8>; 8],
}

/// The men on a board, and their numbers. Squares count from a1, then along the ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    /// Letters of FEN; `.` is no man.
    board: [u8; 64],
    sides: [Side; 2],
    black: bool,
}

impl Men {
    /// The men of the usual start.
    pub fn usual() -> Option<Self> {
        Self::of_board(USUAL, false)
    }

    /// The men of a start. `None` if there are too many of a kind.
    pub fn of_board(board: &[u8; 64], black: bool) -> Option<Self> {
        let mut men = Self { board: *board, sides: [Side::default(); 2], black };
        for place in 0..64u8 {
            let square = place % 8 * 8 + place / 8;
            let man = men.board[usize::from(square)];
            let side = &mut men.sides[usize::from(man.is_ascii_lowercase())];
            match man.to_ascii_uppercase() {
                b'.' => {}
                b'K' => side.king = Some(square),
                b'P' => {
                    // More than eight pawns are legal in no game; they move by their squares.
                    if let Some(free) = side.pawns.iter_mut().find(|pawn| pawn.is_none()) {
                        *free = Some(square);
                    }
                }
                kind => side.lists.get_mut(place_of(kind)?)?.push(square)?,
            }
        }
        Some(men)
    }

    /// Whether Black is to move.
    pub fn is_black(&self) -> bool {
        self.black
    }

    fn side(&self) -> &Side {
        &self.sides[usize::from(self.black)]
    }

    /// The move of a code of one byte. `None` if it is none.
    pub fn decode(&self, code: u8) -> Option<Move> {
        let side = self.side();
        match code {
            0 => return Some(Move::Null),
            9 => return Some(Move::Short),
            10 => return Some(Move::Long),
            1..=8 => return plain(side.king?, KING[usize::from(code - 1)]),
            _ if PAWNS.contains(&code) => {
                let (number, how) = ((code - PAWNS.start) / 4, (code - PAWNS.start) % 4);
                let up = if self.black { -1 } else { 1 };
                let step = [(0, up), (0, 2 * up), (up, up), (-up, up)][usize::from(how)];
                let mv = plain((*side.pawns.get(usize::from(number))?)?, step)?;
                let Move::Plain { to, .. } = mv else { return None };
                return (8..56).contains(&to).then_some(mv);
            }
            _ => {}
        }
        let row = CODES.iter().rfind(|row| row.0 <= code)?;
        let (first, kind, number) = *row;
        let from = *side.lists.get(kind)?.all().get(number)?;
        let code = code - first;
        if kind == 3 {
            return plain(from, *KNIGHT.get(usize::from(code))?);
        }
        // A bishop's directions are the last two.
        let direction = usize::from(code / 7) + if kind == 2 { 2 } else { 0 };
        let (file, rank) = *DIRECTIONS.get(direction)?;
        let steps = i8::try_from(code % 7).ok()? + 1;
        plain(from, (file * steps, rank * steps))
    }

    /// The move of two squares, which count file by file; promotions are queen, rook, bishop and
    /// knight. In Chess960, castling goes from where the king arrives to the same square. `None` if
    /// it is none.
    pub fn between(&self, word: u16, is_chess960: bool) -> Option<Move> {
        let square = |bits: u16| u8::try_from(bits & 63).map(|at| at % 8 * 8 + at / 8).ok();
        let (from, to) = (square(word)?, square(word >> 6)?);
        let base = if self.black { 56 } else { 0 };
        if from == to {
            return match to.checked_sub(base) {
                _ if word & 0xfff == 0 => Some(Move::Null),
                Some(6) if is_chess960 => Some(Move::Short),
                Some(2) if is_chess960 => Some(Move::Long),
                _ => None,
            };
        }
        let man = self.board[usize::from(from)].to_ascii_uppercase();
        if man == b'K' && !is_chess960 && self.side().king == Some(base + 4) && from == base + 4 {
            match to.checked_sub(base) {
                Some(6) => return Some(Move::Short),
                Some(2) => return Some(Move::Long),
                _ => {}
            }
        }
        let promotes = man == b'P' && !(8..56).contains(&to);
        let promotion = promotes.then(|| ['q', 'r', 'b', 'n'][usize::from(word >> 12 & 3)]);
        Some(Move::Plain { from, to, promotion })
    }

    /// Takes a man off the board and off his list.
    fn capture(&mut self, square: u8, by: usize) -> Option<()> {
        let man = std::mem::replace(&mut self.board[usize::from(square)], b'.');
        (usize::from(man.is_ascii_lowercase()) != by).then_some(())?;
        let side = &mut self.sides[1 - by];
        match man.to_ascii_uppercase() {
            b'K' => side.king = None,
            b'P' => {
                let pawn = side.pawns.iter_mut().find(|pawn| **pawn == Some(square));
                if let Some(pawn) = pawn {
                    *pawn = None;
                }
            }
            kind => side.lists.get_mut(place_of(kind)?)?.remove(square)?,
        }
        Some(())
    }

    fn castle(&mut self, short: bool, rook: Option<u8>) -> Option<()> {
        let side = usize::from(self.black);
        let base = if self.black { 56 } else { 0 };
        let rook = rook.unwrap_or(base + if short { 7 } else { 0 });
        let king = self.sides[side].king?;
        let (king_to, rook_to) = if short { (base + 6, base + 5) } else { (base + 2, base + 3) };
        self.sides[side].lists[1].shift(rook, rook_to)?;
        self.sides[side].king = Some(king_to);
        let men = [king, rook].map(|at| std::mem::replace(&mut self.board[usize::from(at)], b'.'));
        for (man, square) in men.into_iter().zip([king_to, rook_to]) {
            // Men in between are a fault; their lists must not name other men.
            (self.board[usize::from(square)] == b'.').then_some(())?;
            self.board[usize::from(square)] = man;
        }
        Some(())
    }

    fn step(&mut self, from: u8, to: u8, promotion: Option<char>) -> Option<()> {
        let by = usize::from(self.black);
        let man = self.board[usize::from(from)];
        let kind = man.to_ascii_uppercase();
        (kind != b'.' && man.is_ascii_lowercase() == self.black).then_some(())?;
        let passes = kind == b'P' && from % 8 != to % 8 && self.board[usize::from(to)] == b'.';
        let captured = if passes { 8 * (from / 8) + to % 8 } else { to };
        if self.board[usize::from(captured)] != b'.' {
            self.capture(captured, by)?;
        }
        self.board[usize::from(from)] = b'.';
        self.board[usize::from(to)] = man;
        let side = &mut self.sides[by];
        match kind {
            b'K' => side.king = Some(to),
            b'P' => {
                let pawn = side.pawns.iter_mut().find(|pawn| **pawn == Some(from));
                let became = promotion.and_then(|letter| u8::try_from(letter).ok());
                if let Some(pawn) = pawn {
                    *pawn = became.is_none().then_some(to);
                }
                if let Some(letter) = became {
                    side.lists.get_mut(place_of(letter.to_ascii_uppercase())?)?.push(to)?;
                    let own = if self.black { letter } else { letter.to_ascii_uppercase() };
                    self.board[usize::from(to)] = own;
                }
            }
            kind => side.lists.get_mut(place_of(kind)?)?.shift(from, to)?,
        }
        Some(())
    }
}

impl game::Men for Men {
    fn play(&mut self, mv: Move, rook: Option<u8>) -> Option<()> {
        match mv {
            Move::Null => {}
            Move::Short => self.castle(true, rook)?,
            Move::Long => self.castle(false, rook)?,
            Move::Plain { from, to, promotion } => self.step(from, to, promotion)?,
        }
        self.black = !self.black;
        Some(())
    }
}

/// The place of a kind in [`KINDS`].
fn place_of(kind: u8) -> Option<usize> {
    KINDS.iter().position(|own| *own == kind)
}

/// The move by so many files and ranks, both modulo 8.
fn plain(from: u8, (file, rank): (i8, i8)) -> Option<Move> {
    let along = |at: u8, by: i8| at.wrapping_add_signed(by) & 7;
    let to = along(from / 8, rank) * 8 + along(from % 8, file);
    Some(Move::Plain { from, to, promotion: None })
}
