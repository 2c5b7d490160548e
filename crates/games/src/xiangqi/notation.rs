//! Reading xiangqi moves: Chinese characters, WXF and coordinates, recognised automatically.
//!
//! Chinese and WXF texts say the same in different signs: the man, by its file as its player counts
//! or by its place among equal men on a file; the direction; and the distance, or the file to go
//! to. So both are first turned into the same symbols.

use plypack_core::{MoveFault, each};

use super::board::{Board, FILES, Piece, Side, bit};
use super::{Move, Position};

/// The usual non-ASCII characters of move texts.
pub const SIGNS: &str = "帥帅將将仕士相象馬马傌車车俥炮砲包兵卒前中後后進进平退一二三四五六七八九\
     １２３４５６７８９＋－＝．ＫＡＥＢＨＮＲＣＰ";

/// Returns the index of the candidate that `text` names.
///
/// Understands Chinese texts in traditional and simplified characters, with any numerals
/// (`炮二平五`, `马8进7`, `前車退３`, `三兵平四`, `前兵四平五`); WXF with either letter for horse and
/// elephant and either sign for sideways, tandem signs before or behind (`C2.5`, `H8+7`, `+C=5`,
/// `C-+1`, `3+.4`, `++.4`); both also in full-width signs; coordinates (`h2e2`, `H2-E2`); and
/// numbers of files and of ranks from the top (`7747`).
///
/// # Errors
/// Returns an error if `text` names no candidate, or several.
pub fn read(position: &Position, candidates: &[Move], text: &str) -> Result<usize, MoveFault> {
    let text = text.trim_end_matches(['!', '?']);
    if let Some(mv) = coordinates(text).or_else(|| numbers(text)) {
        return candidates.iter().position(|&other| other == mv).ok_or(MoveFault::Illegal);
    }
    let said = parse(text).ok_or(MoveFault::Unreadable)?;
    let mut named = candidates
        .iter()
        .enumerate()
        .filter(|&(_, &mv)| said.describes(&position.board, position.side, mv));
    match (named.next(), named.next()) {
        (Some((index, _)), None) => Ok(index),
        (None, _) => Err(MoveFault::Illegal),
        (Some(one), Some(two)) if said.place.is_none() => {
            // WXF names the middle one of several pawns by their file.
            let middle = |&(_, mv): &(usize, &Move)| {
                let like = Like::new(&position.board, position.side, mv.from);
                like.is(Place::Middle)
            };
            let mut middles = [one, two].into_iter().chain(named).filter(middle);
            match (middles.next(), middles.next()) {
                (Some((index, _)), None) => Ok(index),
                _ => Err(MoveFault::Ambiguous),
            }
        }
        _ => Err(MoveFault::Ambiguous),
    }
}

/// Returns a file's number for a player: from 1 at the player's right.
pub(super) fn own_file(side: Side, square: u8) -> u8 {
    let file = square % FILES;
    if side == Side::Red { FILES - file } else { file + 1 }
}

/// Returns how many ranks a move goes ahead, from its player's point of view.
pub(super) fn ranks_ahead(side: Side, mv: Move) -> i8 {
    let ranks = (mv.to / FILES).cast_signed() - (mv.from / FILES).cast_signed();
    if side == Side::Red { ranks } else { -ranks }
}

/// Whether a kind always changes its file, so that a text names the file that it goes to.
pub(super) fn slants(piece: Piece) -> bool {
    matches!(piece, Piece::Advisor | Piece::Elephant | Piece::Horse)
}

/// A man's place among its like: the men of its side and kind.
#[derive(Clone, Copy)]
pub(super) struct Like {
    /// The number of them on its file, and of those ahead of it.
    pub(super) count: u32,
    pub(super) ahead: u32,
    /// The number of files with two or more of them.
    pub(super) files: u32,
    /// Its number, from 1, among all that share a file with another: file by file from its player's
    /// right, the foremost first.
    pub(super) number: u32,
}

impl Like {
    pub(super) fn new(board: &Board, side: Side, square: u8) -> Self {
        let piece = board.piece_on(square).map_or(0, |piece| board.pieces(piece));
        let men = piece & board.side(side);
        let on_file = |file: u8| men & A_FILE << file;
        let file = square % FILES;
        let before = match side {
            Side::Red => !(bit(square) | (bit(square) - 1)),
            Side::Black => bit(square) - 1,
        };
        let ahead = (on_file(file) & before).count_ones();
        let (mut files, mut number) = (0, 1 + ahead);
        for other in 0..FILES {
            let count = on_file(other).count_ones();
            if count >= 2 {
                files += 1;
                if own_file(side, other) < own_file(side, file) {
                    number += count;
                }
            }
        }
        Self { count: on_file(file).count_ones(), ahead, files, number }
    }

    /// Whether this is the man's place.
    fn is(&self, place: Place) -> bool {
        let Self { count, ahead, files, number } = *self;
        count >= 2
            && match place {
                Place::Front => ahead == 0,
                Place::Rear => ahead + 1 == count,
                Place::Middle => ahead * 2 + 1 == count,
                // With more than three, WXF gives the ends two signs.
                Place::Plus => ahead == u32::from(count > 3),
                Place::Minus => ahead + 1 + u32::from(count > 3) == count,
                Place::Number(said) => number == said.into(),
                Place::OnFile(said) => ahead + 1 == said.into(),
                Place::Twice(_) if files > 1 => ahead * 2 + 1 == count,
                Place::Twice(said) => ahead + 1 == said.into(),
            }
    }
}

/// All squares of file a.
const A_FILE: u128 = {
    let mut set = 0;
    each!(rank, 10, set |= 1 << (rank * 9));
    set
};

/// A man's place among its like, as a text gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Front,
    Middle,
    Rear,
    /// WXF's signs.
    Plus,
    Minus,
    /// Its number among all that share a file with another.
    Number(u8),
    /// Its number on its file, as some engines write it before the file.
    OnFile(u8),
    /// The digit of its file twice: the middle one of a file, if another file also has several.
    Twice(u8),
}

/// A man's direction, from its player's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Ahead,
    Sideways,
    Back,
}

/// The content of a move text.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    piece: Piece,
    file: Option<u8>,
    place: Option<Place>,
    way: Way,
    /// The file that it goes to, or the number of ranks.
    number: u8,
}

impl Said {
    fn describes(&self, board: &Board, side: Side, mv: Move) -> bool {
        if board.pieces(self.piece) & bit(mv.from) == 0 {
            return false;
        }
        let ranks = ranks_ahead(side, mv);
        let way = match ranks {
            0 => Way::Sideways,
            1.. => Way::Ahead,
            _ => Way::Back,
        };
        let straight = way != Way::Sideways && !slants(self.piece);
        let number = if straight { ranks.unsigned_abs() } else { own_file(side, mv.to) };
        way == self.way
            && number == self.number
            && self.file.is_none_or(|file| own_file(side, mv.from) == file)
            && self.place.is_none_or(|place| Like::new(board, side, mv.from).is(place))
    }
}

/// The meaning of a character of a move text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Piece(Piece),
    Digit(u8),
    Place(Place),
    Way(Way),
    /// WXF's signs, which mean ahead and front, or back and rear.
    Plus,
    Minus,
}

impl Symbol {
    fn read(sign: char) -> Option<Self> {
        Some(match narrow(sign) {
            'K' | 'k' | '帥' | '帅' | '將' | '将' => Self::Piece(Piece::King),
            'A' | 'a' | '仕' | '士' => Self::Piece(Piece::Advisor),
            'E' | 'e' | 'B' | 'b' | '相' | '象' => Self::Piece(Piece::Elephant),
            'H' | 'h' | 'N' | 'n' | '馬' | '马' | '傌' => Self::Piece(Piece::Horse),
            'R' | 'r' | '車' | '车' | '俥' => Self::Piece(Piece::Rook),
            'C' | 'c' | '炮' | '砲' | '包' => Self::Piece(Piece::Cannon),
            'P' | 'p' | '兵' | '卒' => Self::Piece(Piece::Pawn),
            '前' => Self::Place(Place::Front),
            '中' => Self::Place(Place::Middle),
            '後' | '后' => Self::Place(Place::Rear),
            '進' | '进' => Self::Way(Way::Ahead),
            '平' | '.' | '=' => Self::Way(Way::Sideways),
            '退' => Self::Way(Way::Back),
            '+' => Self::Plus,
            '-' => Self::Minus,
            '一' => Self::Digit(1),
            '二' => Self::Digit(2),
            '三' => Self::Digit(3),
            '四' => Self::Digit(4),
            '五' => Self::Digit(5),
            '六' => Self::Digit(6),
            '七' => Self::Digit(7),
            '八' => Self::Digit(8),
            '九' => Self::Digit(9),
            digit @ '1'..='9' => Self::Digit(u8::try_from(digit.to_digit(10)?).ok()?),
            _ => return None,
        })
    }

    fn place(self) -> Option<Place> {
        match self {
            Self::Place(place) => Some(place),
            Self::Plus => Some(Place::Plus),
            Self::Minus => Some(Place::Minus),
            _ => None,
        }
    }

    fn way(self) -> Option<Way> {
        match self {
            Self::Way(way) => Some(way),
            Self::Plus => Some(Way::Ahead),
            Self::Minus => Some(Way::Back),
            _ => None,
        }
    }
}

/// Returns the ASCII character for a full-width one; others stay.
fn narrow(sign: char) -> char {
    match sign {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign),
        _ => sign,
    }
}

/// Reads `h2e2` or `H2-E2`: the file from Red's left, the rank from Red's side.
fn coordinates(text: &str) -> Option<Move> {
    let mut signs = text.chars().map(|sign| narrow(sign).to_ascii_lowercase()).peekable();
    let mut square = || {
        let file = signs.next().filter(|file| ('a'..='i').contains(file))? as u32 - 'a' as u32;
        let rank = signs.next()?.to_digit(10)?;
        signs.next_if(|&sign| sign == '-');
        u8::try_from(rank * u32::from(FILES) + file).ok()
    };
    let mv = Move { from: square()?, to: square()? };
    (signs.next().is_none() && !text.ends_with('-')).then_some(mv)
}

/// Reads a move as DhtmlXQ writes it: files from Red's left, ranks from Black's side, both from 0.
fn numbers(text: &str) -> Option<Move> {
    let &[file, rank, to_file, to_rank] = text.as_bytes() else { return None };
    let square = |file: u8, rank: u8| {
        let is_square = (b'0'..b'0' + FILES).contains(&file) && rank.is_ascii_digit();
        is_square.then(|| (b'9' - rank) * FILES + (file - b'0'))
    };
    Some(Move { from: square(file, rank)?, to: square(to_file, to_rank)? })
}

/// Parses a Chinese or WXF text: man, direction, distance.
fn parse(text: &str) -> Option<Said> {
    // The longest texts have five signs; a sixth makes the text unreadable.
    let mut symbols = [Symbol::Plus; 6];
    let mut count = 0;
    for (sign, symbol) in text.chars().zip(&mut symbols) {
        *symbol = Symbol::read(sign)?;
        count += 1;
    }
    let (who, way, number) = match symbols.get(..count)? {
        // The sign for sideways may be missing.
        [Symbol::Piece(_), Symbol::Digit(_), Symbol::Digit(number)] => {
            (&symbols[..2], Way::Sideways, *number)
        }
        [who @ .., way, Symbol::Digit(number)] => (who, way.way()?, *number),
        _ => return None,
    };
    let pawn = Piece::Pawn;
    let (piece, file, place) = match *who {
        [Symbol::Piece(piece), Symbol::Digit(file)] => (piece, Some(file), None),
        [Symbol::Digit(number), Symbol::Piece(piece)] => (piece, None, Some(Place::Number(number))),
        [Symbol::Piece(piece), place] | [place, Symbol::Piece(piece)] => {
            (piece, None, Some(place.place()?))
        }
        [place, Symbol::Piece(piece), Symbol::Digit(file)] => {
            (piece, Some(file), Some(place.place()?))
        }
        [Symbol::Plus, Symbol::Plus] => (pawn, None, Some(Place::Front)),
        [Symbol::Minus, Symbol::Minus] => (pawn, None, Some(Place::Rear)),
        [Symbol::Digit(one), Symbol::Digit(file)] if one == file => {
            (pawn, Some(file), Some(Place::Twice(file)))
        }
        [Symbol::Digit(one), Symbol::Digit(file)] => (pawn, Some(file), Some(Place::OnFile(one))),
        [Symbol::Digit(file), place] | [place, Symbol::Digit(file)] => {
            (pawn, Some(file), Some(place.place()?))
        }
        _ => return None,
    };
    Some(Said { piece, file, place, way, number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Xiangqi;
    use plypack_core::Rules;

    fn read_at(fen: &str, text: &str) -> Result<String, MoveFault> {
        let position = Position::read_fen(fen).expect(fen);
        let mut candidates = Vec::new();
        Xiangqi.candidates(&position, &mut candidates);
        let mv = candidates[read(&position, &candidates, text)?];
        let square = |square: u8| format!("{}{}", char::from(b'a' + square % 9), square / 9);
        Ok(square(mv.from) + &square(mv.to))
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    #[test]
    fn spellings_of_one_move() {
        let red = format!("{START} w");
        for text in [
            "炮二平五",
            "砲二平五",
            "包二平五",
            "炮2平5",
            "炮２平５",
            "C2.5",
            "C2=5",
            "c2=5",
            "Ｃ２＝５",
            "C25",
            "h2e2",
            "H2-E2",
            "H2E2",
            "h2-e2",
            "炮二平五!",
            "C2.5?!",
        ] {
            assert_eq!(read_at(&red, text).as_deref(), Ok("h2e2"), "{text}");
        }
        let black = format!("{START} b");
        for text in [
            "馬８進７",
            "马８进７",
            "马8进7",
            "傌八進七",
            "馬八进7",
            "H8+7",
            "N8+7",
            "h8+7",
            "Ｈ８＋７",
            "h9g7",
        ] {
            assert_eq!(read_at(&black, text).as_deref(), Ok("h9g7"), "{text}");
        }
        for (text, coordinates) in [
            ("俥九进一", "a0a1"),
            ("帅五进一", "e0e1"),
            ("帥五進一", "e0e1"),
            ("相三进五", "g0e2"),
            ("象三进五", "g0e2"),
            ("B3+5", "g0e2"),
            ("E3+5", "g0e2"),
            ("仕四进五", "f0e1"),
            ("士四進五", "f0e1"),
            ("兵七进一", "c3c4"),
            ("炮八退一", "b2b1"),
        ] {
            assert_eq!(read_at(&red, text).as_deref(), Ok(coordinates), "{text}");
        }
    }

    #[test]
    fn places_among_men_alike() {
        let fen = "3k5/9/9/9/9/7C1/9/7C1/9/4K4 w";
        for text in ["前炮平五", "炮前平五", "+C.5", "C+.5", "＋Ｃ＝５"] {
            assert_eq!(read_at(fen, text).as_deref(), Ok("h4e4"), "{text}");
        }
        for text in ["後炮平五", "后砲平五", "-C=5", "C-.5", "二炮平五"] {
            assert_eq!(read_at(fen, text).as_deref(), Ok("h2e2"), "{text}");
        }
        assert_eq!(read_at(fen, "炮二平五"), Err(MoveFault::Ambiguous));
        assert_eq!(read_at(fen, "中炮平五"), Err(MoveFault::Illegal));
        // The rear one cannot go that far, so the file is enough.
        assert_eq!(read_at(fen, "炮二進五").as_deref(), Ok("h4h9"));
    }

    #[test]
    fn places_among_pawns() {
        let two_files = "5k3/9/6P2/2P3P2/2P3P2/9/9/9/9/3K5 w";
        for text in ["前兵三平四", "前三平四", "3+.4", "一兵平四", "13=4"] {
            assert_eq!(read_at(two_files, text).as_deref(), Ok("g7f7"), "{text}");
        }
        for text in ["中兵三平四", "中三平四", "33.4", "二兵平四", "23=4"] {
            assert_eq!(read_at(two_files, text).as_deref(), Ok("g6f6"), "{text}");
        }
        for text in ["后兵七平六", "後七平六", "7-.6", "五兵平六", "27=6"] {
            assert_eq!(read_at(two_files, text).as_deref(), Ok("c5d5"), "{text}");
        }
        // Two pawns are in front, but only one of them can go there.
        assert_eq!(read_at(two_files, "前兵平四").as_deref(), Ok("g7f7"));
        assert_eq!(read_at(two_files, "前兵進一"), Err(MoveFault::Ambiguous));
        let three = "5k3/9/6P2/6P2/6P2/9/9/9/9/3K5 w";
        assert_eq!(read_at(three, "P3.4").as_deref(), Ok("g6f6"));
        assert_eq!(read_at(three, "33=4").as_deref(), Ok("g5f5"));
        let five = "5k3/6P2/6P2/6P2/6P2/6P2/9/9/9/3K5 w";
        for (text, coordinates) in [
            ("++.4", "g8f8"),
            ("P+.4", "g7f7"),
            ("P3.4", "g6f6"),
            ("-P.4", "g5f5"),
            ("前兵平四", "g8f8"),
            ("四兵平四", "g5f5"),
        ] {
            assert_eq!(read_at(five, text).as_deref(), Ok(coordinates), "{text}");
        }
    }

    #[test]
    fn black_numbers_his_pawns_from_his_own_right() {
        let fen = "5k3/9/9/9/9/6p2/2p3p2/2p5p/9/3K5 b";
        for (text, coordinates) in
            [("一卒平２", "c2b2"), ("2卒平4", "c3d3"), ("三卒平６", "g3f3"), ("后7平8", "g4h4")]
        {
            assert_eq!(read_at(fen, text).as_deref(), Ok(coordinates), "{text}");
        }
    }
}
