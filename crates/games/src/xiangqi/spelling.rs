//! Writing xiangqi moves in the spellings that records use.

use super::board::{Board, FILES, Piece, Side, squares};
use super::lines::reach;
use super::notation::{self, Like, own_file, ranks_ahead, slants};
use super::{Move, Position};
use plypack_core::each;

/// A way to spell moves. Its texts are read back as the same move in every position: a move that a
/// spelling cannot express is written in coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `h2e2`, or `H2-E2`: files from Red's left, ranks from Red's side, from 0.
    Coordinates {
        /// Whether letters are upper case, with a dash between the squares.
        capital: bool,
    },
    /// `7747`: files as numbers from Red's left and ranks from Black's side, both from 0.
    Numbers,
    /// The letters and signs of the World Xiangqi Federation: `C2.5`, `H8+7`.
    Wxf {
        /// Whether sideways is `=`, not `.`.
        equals: bool,
        /// Whether the place of a man among its like precedes its letter: `+C.5`, not `C+.5`.
        prefix: bool,
        /// Whether all signs are full-width: `Ｃ２＝５`.
        wide: bool,
    },
    /// Chinese characters: `炮二平五`, `馬８進７`.
    Chinese {
        /// Whether the characters are simplified, not traditional.
        simplified: bool,
        /// Whether a man that shares its file is named by the file (`炮五進四`, not `前炮進四`) if no other
        /// of its like there can move like that; never a pawn.
        sparing: bool,
        /// The digits of Red and of Black.
        digits: [Digits; 2],
    },
}

/// How digits are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// `一二三`.
    Chinese,
    /// `１２３`.
    Wide,
    /// `123`.
    Ascii,
}

impl Digits {
    /// Appends a number from 1 to 9.
    fn write(self, number: u32, out: &mut String) {
        const CHINESE: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
        let Some(ascii) = char::from_digit(number, 10) else { return };
        out.push(match self {
            Self::Chinese => number.checked_sub(1).map_or(ascii, |place| CHINESE[place as usize]),
            Self::Wide => widen(ascii),
            Self::Ascii => ascii,
        });
    }
}

/// The full-width form of an ASCII character that is not a space.
fn widen(sign: char) -> char {
    char::from_u32(u32::from(sign) + 0xfee0).unwrap_or(sign)
}

const LETTERS: [char; 7] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];
const TRADITIONAL: [[char; 7]; 2] =
    [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '炮', '卒']];
const SIMPLIFIED: [[char; 7]; 2] =
    [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];

/// The spellings that layouts name, besides the customary one and plain coordinates.
pub const NAMED: [(&str, Spelling); 9] = [
    ("iccs", Spelling::Coordinates { capital: true }),
    ("wxf", Spelling::Wxf { equals: false, prefix: false, wide: false }),
    ("wxf-prefix", Spelling::Wxf { equals: true, prefix: true, wide: false }),
    ("wxf-wide", Spelling::Wxf { equals: true, prefix: true, wide: true }),
    ("traditional", chinese(false, false, Digits::Wide)),
    ("simplified", chinese(true, false, Digits::Wide)),
    ("simplified-sparing", chinese(true, true, Digits::Wide)),
    ("simplified-ascii", chinese(true, false, Digits::Ascii)),
    ("dhtmlxq", Spelling::Numbers),
];

const fn chinese(simplified: bool, sparing: bool, black: Digits) -> Spelling {
    Spelling::Chinese { simplified, sparing, digits: [Digits::Chinese, black] }
}

/// The names of [`NAMED`].
pub const NAMES: &[&str] = &{
    let mut names = [""; NAMED.len()];
    each!(place, NAMED.len(), names[place] = NAMED[place].0);
    names
};

impl Spelling {
    /// The spelling of `Notation::Customary`, that of the largest open collection of games.
    pub const CUSTOMARY: Self =
        Self::Chinese { simplified: false, sparing: true, digits: [Digits::Chinese, Digits::Wide] };

    /// The spelling of `Notation::Coordinate`.
    pub const COORDINATE: Self = Self::Coordinates { capital: false };

    /// Appends the text of a candidate of `position` to `out`.
    pub fn write(self, position: &Position, candidates: &[Move], index: usize, out: &mut String) {
        let Some(&mv) = candidates.get(index) else { return };
        let (board, side) = (&position.board, position.side);
        let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let man = Man { mv, side, piece, like: Like::new(board, side, mv.from) };
        let mut sparing = false;
        let write: &dyn Fn(bool, &mut String) = match self {
            Self::Coordinates { capital } => return write_coordinates(mv, capital, out),
            Self::Numbers => return write_numbers(mv, out),
            Self::Wxf { equals, prefix, wide } => {
                &move |by_file, out| man.write_wxf([equals, prefix, wide], by_file, out)
            }
            Self::Chinese { simplified, sparing: spare, digits } => {
                sparing = spare;
                let digits = digits[side as usize];
                &move |by_file, out| man.write_chinese(simplified, digits, by_file, out)
            }
        };
        if man.like.count == 1 {
            return write(true, out);
        }
        let by_file = match piece {
            // With two on a file, one can only advance, the other only retreat.
            Piece::Advisor | Piece::Elephant => true,
            Piece::Pawn => false,
            _ => sparing && !man.has_rival(board),
        };
        let start = out.len();
        for by_file in [by_file, false] {
            write(by_file, out);
            if notation::read(position, candidates, &out[start..]) == Ok(index) {
                return;
            }
            out.truncate(start);
        }
        write_coordinates(mv, false, out);
    }
}

fn write_coordinates(mv: Move, capital: bool, out: &mut String) {
    let a = if capital { b'A' } else { b'a' };
    for (square, dash) in [(mv.from, capital), (mv.to, false)] {
        out.push(char::from(a + square % FILES));
        out.push(char::from(b'0' + square / FILES));
        if dash {
            out.push('-');
        }
    }
}

fn write_numbers(mv: Move, out: &mut String) {
    for square in [mv.from, mv.to] {
        out.push(char::from(b'0' + square % FILES));
        out.push(char::from(b'9' - square / FILES));
    }
}

/// A moving man.
#[derive(Clone, Copy)]
struct Man {
    mv: Move,
    side: Side,
    piece: Piece,
    like: Like,
}

impl Man {
    /// Whether another of its like on its file could go the same way as far, even if that left the
    /// king in check: `sparing` imitates games that are spelt so.
    fn has_rival(&self, board: &Board) -> bool {
        let said = |mv: Move| {
            let man = Self { mv, ..*self };
            (ranks_ahead(man.side, mv).signum(), man.number())
        };
        let ours = board.side(self.side);
        squares(ours & board.pieces(self.piece)).any(|from| {
            from % FILES == self.mv.from % FILES
                && from != self.mv.from
                && squares(reach(self.side, self.piece, from, board.occupied()) & !ours)
                    .any(|to| said(Move { from, to }) == said(self.mv))
        })
    }

    /// Returns the file that it goes to, or the number of ranks.
    fn number(&self) -> u8 {
        match ranks_ahead(self.side, self.mv) {
            ranks if ranks != 0 && !slants(self.piece) => ranks.unsigned_abs(),
            _ => own_file(self.side, self.mv.to),
        }
    }

    /// Writes the Chinese text, with its file or with its place among its like.
    fn write_chinese(&self, simplified: bool, digits: Digits, by_file: bool, out: &mut String) {
        let (men, [rear, ahead]) =
            if simplified { (SIMPLIFIED, ['后', '进']) } else { (TRADITIONAL, ['後', '進']) };
        let man = men[self.side as usize][self.piece as usize];
        if by_file {
            out.push(man);
            digits.write(own_file(self.side, self.mv.from).into(), out);
        } else {
            let Like { count, ahead, files, number } = self.like;
            match ahead {
                // These numbers count men, so they are Chinese for Black, too.
                _ if files > 1 || count > 3 => {
                    Digits::Chinese.write(number, out);
                }
                0 => out.push('前'),
                _ if ahead + 1 == count => out.push(rear),
                _ => out.push('中'),
            }
            out.push(man);
        }
        out.push(match ranks_ahead(self.side, self.mv) {
            0 => '平',
            1.. => ahead,
            _ => '退',
        });
        digits.write(self.number().into(), out);
    }

    /// Writes the WXF text, with its file or with its place among its like.
    fn write_wxf(&self, options: [bool; 3], by_file: bool, out: &mut String) {
        let [equals, prefix, wide] = options;
        let digit = |number: u8| char::from(b'0' + number);
        let letter = LETTERS[self.piece as usize];
        let file = digit(own_file(self.side, self.mv.from));
        let Like { count, ahead, files, .. } = self.like;
        // With more than three, the ends have two signs and no letter.
        let ends = u32::from(count > 3);
        let place = match ahead {
            _ if by_file => file,
            _ if ahead <= ends => '+',
            _ if ahead + 1 + ends >= count => '-',
            _ => file,
        };
        let end = ends == 1 && (ahead == 0 || ahead + 1 == count);
        let [one, two] = match self.piece {
            Piece::Pawn if !by_file && files > 1 => [file, place],
            Piece::Pawn if !by_file && end => [place, place],
            _ if prefix && place != file => [place, letter],
            _ => [letter, place],
        };
        let way = match ranks_ahead(self.side, self.mv) {
            0 if equals => '=',
            0 => '.',
            1.. => '+',
            _ => '-',
        };
        let signs = [one, two, way, digit(self.number())];
        out.extend(signs.map(|sign| if wide { widen(sign) } else { sign }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Xiangqi;
    use plypack_core::Rules;

    const WXF: Spelling = Spelling::Wxf { equals: false, prefix: false, wide: false };
    const PREFIX: Spelling = Spelling::Wxf { equals: true, prefix: true, wide: true };
    const BOOK: Spelling = Spelling::Chinese {
        simplified: true,
        sparing: false,
        digits: [Digits::Chinese, Digits::Ascii],
    };

    /// Writes the moves between the named squares, in a spelling.
    fn written(fen: &str, moves: &str, spelling: Spelling) -> String {
        let position = Position::read_fen(fen).expect(fen);
        let mut candidates = Vec::new();
        Xiangqi.candidates(&position, &mut candidates);
        let texts = moves.split(' ').map(|text| {
            let index = notation::read(&position, &candidates, text).expect(text);
            let mut out = String::new();
            spelling.write(&position, &candidates, index, &mut out);
            out
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn men_alone_on_their_files() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let (red, black) = ("h2e2 b0c2 c3c4 a0a2 d0e1 h2h9", "b7e7 h9g7 g6g5 i9i7 f9e8 b7b0");
        let write = |side: &str, moves, spelling| {
            written(&format!("{start} {side} - - 0 1"), moves, spelling)
        };
        let customary = Spelling::CUSTOMARY;
        assert_eq!(
            write("w", red, customary),
            "炮二平五 馬八進七 兵七進一 車九進二 仕六進五 炮二進七"
        );
        assert_eq!(
            write("b", black, customary),
            "炮２平５ 馬８進７ 卒７進１ 車９進２ 士６進５ 炮２進７"
        );
        assert_eq!(write("w", red, WXF), "C2.5 H8+7 P7+1 R9+2 A6+5 C2+7");
        assert_eq!(write("b", black, BOOK), "炮2平5 马8进7 卒7进1 车9进2 士6进5 炮2进7");
        assert_eq!(write("w", "h2e2 a0a2", Spelling::Numbers), "7747 0907");
        assert_eq!(write("w", "h2e2 d0e1", Spelling::Coordinates { capital: true }), "H2-E2 D0-E1");
    }

    #[test]
    fn men_who_share_a_file() {
        // The front rook could go to the third file, but the rear one could not: a pawn is in its
        // way.
        let fen = "3k5/9/9/2R6/9/2C6/9/2R1p4/2C6/5K3 w - - 0 1";
        let moves = "c6g6 c2d2 c4c3 c1e1 c4e4";
        assert_eq!(written(fen, moves, WXF), "R+.3 R-.6 C+-1 C-.5 C+.5");
        assert_eq!(written(fen, moves, PREFIX), "＋Ｒ＝３ －Ｒ＝６ ＋Ｃ－１ －Ｃ＝５ ＋Ｃ＝５");
        assert_eq!(written(fen, moves, BOOK), "前车平三 后车平六 前炮退一 后炮平五 前炮平五");
        assert_eq!(
            written(fen, moves, Spelling::CUSTOMARY),
            "車七平三 後車平六 前炮退一 後炮平五 前炮平五"
        );
        // Advisors need no place.
        let fen = "3k5/9/9/9/9/9/9/3A5/9/3A1K3 w - - 0 1";
        assert_eq!(written(fen, "d0e1 d2e1", BOOK), "仕六进五 仕六退五");
        assert_eq!(written(fen, "d0e1 d2e1", WXF), "A6+5 A6-5");
    }

    #[test]
    fn pawns_who_share_files() {
        // The examples of the World Xiangqi Federation's page on notation.
        let three = "5k3/9/6P2/6P2/6P2/9/9/9/9/3K5 w - - 0 1";
        assert_eq!(written(three, "g7f7 g6f6 g5f5", WXF), "P+.4 P3.4 P-.4");
        assert_eq!(written(three, "g7f7 g6f6 g5f5", BOOK), "前兵平四 中兵平四 后兵平四");
        let five = "5k3/6P2/6P2/6P2/6P2/6P2/9/9/9/3K5 w - - 0 1";
        let moves = "g8f8 g7f7 g6f6 g5f5";
        assert_eq!(written(five, moves, WXF), "++.4 P+.4 P3.4 P-.4");
        assert_eq!(written(five, moves, BOOK), "一兵平四 二兵平四 三兵平四 四兵平四");
        let two_files = "5k3/9/6P2/2P3P2/2P3P2/9/9/9/9/3K5 w - - 0 1";
        let moves = "g7f7 g6f6 g5f5 c6d6 c5d5";
        assert_eq!(written(two_files, moves, WXF), "3+.4 33.4 3-.4 7+.6 7-.6");
        assert_eq!(written(two_files, moves, BOOK), "一兵平四 二兵平四 三兵平四 四兵平六 五兵平六");
    }
}
