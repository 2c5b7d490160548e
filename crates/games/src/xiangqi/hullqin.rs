//! HullQin's share links: `https://game.hullqin.cn/xq?p=…&r=…&s=1`.
//!
//! `p` is the position at the end of a line, in the code of `xiangqi.candidates`; `r` tells how to
//! undo its moves, the last one first; the meaning of `s` is unknown. Both texts are base64url.
//! Only one link of his is known, with twenty moves of rooks, cannons and pawns. Whatever it does
//! not prove is our choice, as `docs/FORMAT.md` says.

use base64ct::{Base64UrlUnpadded, Encoding};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::truncated::{self, Form};
use plypack_core::limits::PLIES_MAX;
use plypack_core::line::TextSource;
use plypack_core::{Error, MoveSink, Ply, Rules, walk};

use super::board::{FILES, PALACES, Piece, Side, bit};
use super::men::{ALL, Men, TAKEN, is_own, kind_of, side_of, turned_over};
use super::{Move, Position, Xiangqi};

/// The address of the links.
pub const ADDRESS: &str = "https://game.hullqin.cn/xq";

/// The line in a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The position before the first move, as FEN. Its counters are not in the link.
    pub start: String,
    /// The moves, in coordinate notation.
    pub moves: Vec<String>,
    /// The position after them, as FEN.
    pub end: String,
}

/// Reads a link: a URL with a query, or a query alone, with or without its question mark.
///
/// # Errors
/// Returns [`Error::Link`] if it is not such a link, and [`Error::Move`] if a move is not legal.
pub fn read(link: &str) -> Result<Link, Error> {
    let query = link.trim().split_once('?').map_or(link.trim(), |(_, query)| query);
    let query = query.split_once('#').map_or(query, |(query, _)| query);
    let value = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|pair| pair.0 == name).map(|pair| pair.1)
    };
    let bytes = |name: &str, text: &str| {
        let bytes = Base64UrlUnpadded::decode_vec(text);
        bytes.map_err(|_| fault(&format!("`{name}` is not base64url")))
    };
    let p = value("p").ok_or_else(|| fault("it has no `p`"))?;
    let r = value("r").unwrap_or_default();
    let mut men =
        Men::from_code(&bytes("p", p)?).map_err(|error| fault(&format!("`p`: {error}")))?;
    let moves = read_history(&mut men, &bytes("r", r)?)?;
    let start = men.position().map_err(|why| fault(&format!("the line's start: {why}")))?;
    replay(start, &moves)
}

/// Writes the query of a link, from its question mark on, for a line from the usual start or from
/// another, given as FEN. Moves may be in any notation. Counters of the start are left out.
///
/// # Errors
/// Returns an error if the start or a move cannot be read, or if a man is on a square that the link
/// cannot hold.
pub fn write(start: Option<&str>, moves: &mut dyn Iterator<Item = &str>) -> Result<String, Error> {
    let start = start.map_or_else(|| Ok(Xiangqi.start()), |fen| Xiangqi.read_position(fen))?;
    let mut writer = Writer { men: Men::of(&start)?, records: Vec::new() };
    let end = walk(&Xiangqi, start, &mut TextSource::new(&Xiangqi, moves), &mut writer);
    if let Some(error) = end.stopped {
        return Err(error);
    }
    let p = Base64UrlUnpadded::encode_string(&writer.men.to_code()?.bytes);
    let mut history = BitWriter::new();
    for record in writer.records.iter().rev() {
        record.write(&mut history).ok_or(Error::Board {
            why: "a man has moved from a square that is not in the link's list for it",
        })?;
    }
    let r = Base64UrlUnpadded::encode_string(&history.into_bytes_filled_with_ones());
    let r = if r.is_empty() { r } else { format!("&r={r}") };
    Ok(format!("?p={p}{r}&s=1"))
}

fn fault(why: &str) -> Error {
    Error::Link { why: why.into() }
}

/// One move, and what is needed to undo it.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The numbers of the moved man and of the captured one.
    man: usize,
    taken: Option<usize>,
    from: u8,
    to: u8,
}

impl Record {
    /// Appends the record. `None` if the man has not come from a square of its list.
    fn write(&self, out: &mut BitWriter) -> Option<()> {
        out.write(self.man as u64 % 16, 4);
        out.write_bit(self.taken.is_some());
        if let Some(taken) = self.taken {
            out.write(taken as u64 % 16, 4);
        }
        let list = origins(self.man, self.to);
        let index = list.iter().position(|&origin| origin == self.from)?;
        let (index, count) = (u32::try_from(index).ok()?, u32::try_from(list.len()).ok()?);
        truncated::write(out, index, count, Form::Suffixed);
        Some(())
    }

    /// Reads the record of the move that led to these men.
    fn read(men: &Men, bits: &mut BitReader<'_>) -> Result<Self, &'static str> {
        const CUT: &str = "it ends early";
        // The other side made the last move.
        let (mover, other) = if men.red_to_move { (16, 0) } else { (0, 16) };
        let man = mover + read_man(bits).ok_or(CUT)?;
        let taken = if bits.read_bit().ok_or(CUT)? {
            Some(other + read_man(bits).ok_or(CUT)?)
        } else {
            None
        };
        let to = men.squares[man];
        if to == TAKEN {
            return Err("it moves a captured man");
        }
        if taken.is_some_and(|taken| men.squares[taken] != TAKEN) {
            return Err("it brings back a man that is on the board");
        }
        let list = origins(man, to);
        let count = u32::try_from(list.len()).unwrap_or(0);
        if count == 0 {
            return Err("it moves a man that cannot have come from any square");
        }
        let index = truncated::read(bits, count, Form::Suffixed).ok_or(CUT)?;
        let from = *list.get(index as usize).ok_or(CUT)?;
        if men.squares.contains(&from) {
            return Err("it moves a man from an occupied square");
        }
        Ok(Self { man, taken, from, to })
    }
}

fn read_man(bits: &mut BitReader<'_>) -> Option<usize> {
    usize::try_from(bits.read(4)?).ok()
}

/// Undoes all moves of a history and returns them, the first one first.
fn read_history(men: &mut Men, code: &[u8]) -> Result<Vec<Move>, Error> {
    let mut bits = BitReader::new(code);
    let mut moves = Vec::new();
    while !bits.is_at_end_of_ones() {
        let ply = moves.len() + 1;
        let record = Record::read(men, &mut bits);
        let record =
            record.map_err(|why| fault(&format!("`r`, move {ply} from its end: {why}")))?;
        men.squares[record.man] = record.from;
        if let Some(taken) = record.taken {
            men.squares[taken] = record.to;
        }
        men.red_to_move = !men.red_to_move;
        moves.push(Move { from: turned_over(record.from), to: turned_over(record.to) });
        if moves.len() > PLIES_MAX as usize {
            return Err(fault("`r` has too many moves"));
        }
    }
    moves.reverse();
    Ok(moves)
}

/// Plays moves by the rules.
fn replay(start: Position, moves: &[Move]) -> Result<Link, Error> {
    let coordinates =
        |square: u8| format!("{}{}", char::from(b'a' + square % FILES), square / FILES);
    let moves: Vec<String> =
        moves.iter().map(|mv| coordinates(mv.from) + &coordinates(mv.to)).collect();
    let fen = |position: &Position| {
        let mut fen = String::new();
        position.write_fen(&mut fen);
        fen
    };
    let mut texts = TextSource::new(&Xiangqi, moves.iter().map(String::as_str));
    let first = fen(&start);
    let end = walk(&Xiangqi, start, &mut texts, &mut ());
    match end.stopped {
        Some(error) => Err(error),
        None => Ok(Link { start: first, end: fen(&end.end), moves }),
    }
}

/// Follows the men of a line by their numbers.
struct Writer {
    men: Men,
    records: Vec<Record>,
}

impl MoveSink<Xiangqi> for Writer {
    fn push(&mut self, ply: &Ply<'_, Xiangqi>) {
        let mv = ply.mv();
        let (from, to) = (turned_over(mv.from), turned_over(mv.to));
        let on = |square| self.men.squares.iter().position(|&other| other == square);
        let (Some(man), taken) = (on(from), on(to)) else { return };
        if let Some(taken) = taken {
            self.men.squares[taken] = TAKEN;
        }
        self.men.squares[man] = to;
        self.men.red_to_move = !self.men.red_to_move;
        self.records.push(Record { man, taken, from, to });
    }
}

/// The steps of men, in files to the right and ranks down, in the order of the lists.
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, -1), (0, 1)];
const DIAGONAL: [(i8, i8); 4] = [(1, -1), (1, 1), (-1, -1), (-1, 1)];
const LEAPS: [(i8, i8); 8] =
    [(2, -1), (2, 1), (1, -2), (1, 2), (-1, -2), (-1, 2), (-2, -1), (-2, 1)];

/// Returns the squares from which a man may have come, ignoring other men.
fn origins(man: usize, to: u8) -> Vec<u8> {
    let side = side_of(man);
    let steps = |ways: &[(i8, i8)], length: i8| -> Vec<u8> {
        ways.iter().filter_map(|way| step(to, (way.0 * length, way.1 * length))).collect()
    };
    let mut origins = match kind_of(man) {
        Piece::King => steps(&STRAIGHT, 1),
        Piece::Advisor => steps(&DIAGONAL, 1),
        Piece::Elephant => steps(&DIAGONAL, 2),
        Piece::Horse => steps(&LEAPS, 1),
        Piece::Rook | Piece::Cannon => {
            let reach =
                |way: (i8, i8)| (1..10).map_while(move |n| step(to, (way.0 * n, way.1 * n)));
            STRAIGHT.into_iter().flat_map(reach).collect()
        }
        Piece::Pawn => {
            let behind = if side == Side::Red { (0, 1) } else { (0, -1) };
            let beside = if is_own(side, to) { &[][..] } else { &STRAIGHT[..2] };
            step(to, behind).into_iter().chain(steps(beside, 1)).collect()
        }
    };
    origins.retain(|&square| match kind_of(man) {
        Piece::King | Piece::Advisor => PALACES[side as usize] & bit(turned_over(square)) != 0,
        Piece::Elephant => is_own(side, square),
        _ => true,
    });
    origins
}

/// Returns the square at an offset in files to the right and ranks down, if it is on the board.
fn step(square: u8, (right, down): (i8, i8)) -> Option<u8> {
    let file = (square % FILES).checked_add_signed(right).filter(|&file| file < FILES)?;
    let rank = (square / FILES).checked_add_signed(down).filter(|&rank| rank < ALL / FILES)?;
    Some(rank * FILES + file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Notation};

    #[test]
    fn origins_have_the_order_of_the_lists() {
        // A rook, and pawns beyond the river, at the edge, and before it.
        assert_eq!(
            origins(7, 16),
            [17, 15, 14, 13, 12, 11, 10, 9, 7, 25, 34, 43, 52, 61, 70, 79, 88]
        );
        assert_eq!(origins(13, 40), [49, 41, 39]);
        assert_eq!(origins(13, 44), [53, 43]);
        assert_eq!(origins(13, 49), [58]);
        assert_eq!(origins(29, 49), [40, 50, 48]);
        // Kings and advisors in their palaces, elephants on their side of the river, horses.
        assert_eq!(origins(0, 85), [86, 84, 76]);
        assert_eq!(origins(0, 76), [77, 75, 67, 85]);
        assert_eq!(origins(16, 4), [5, 3, 13]);
        assert_eq!(origins(1, 76), [68, 86, 66, 84]);
        assert_eq!(origins(1, 86), [76]);
        assert_eq!(origins(3, 67), [51, 87, 47, 83]);
        assert_eq!(origins(3, 51), [71, 67]);
        assert_eq!(origins(5, 40), [33, 51, 23, 59, 21, 57, 29, 47]);
        assert_eq!(origins(5, 0), [11, 19]);
    }

    #[test]
    fn every_line_of_moves_comes_back() {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let mut position = Xiangqi.start();
            let mut texts = Vec::new();
            let mut candidates = Vec::new();
            for _ in 0..120 {
                candidates.clear();
                Xiangqi.candidates(&position, &mut candidates);
                let count = candidates.len() as u64;
                if count == 0 {
                    break;
                }
                let index = usize::try_from(random.next_u64() % count).expect("an index");
                let mut text = String::new();
                let coordinate = Notation::Coordinate;
                let listed = Candidates::listed(&position, &candidates);
                let ply = Ply::new(listed, candidates[index], &position);
                Xiangqi.write_move(&ply, coordinate, &mut text);
                texts.push(text);
                Xiangqi.play(&mut position, candidates[index]);
            }
            let link = write(None, &mut texts.iter().map(String::as_str)).expect("a link");
            let line = read(&link).unwrap_or_else(|error| panic!("{link}: {error}"));
            assert_eq!(line.moves, texts);
            assert_eq!(
                line.start,
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
            );
            let mut fen = String::new();
            position.write_fen(&mut fen);
            assert_eq!(line.end, fen);
        }
    }

    /// Reads a history of these numbers and widths that ends with the usual start.
    fn history(fields: &[(u64, u32)]) -> Result<Link, Error> {
        let start = write(None, &mut std::iter::empty()).expect("a link");
        let p = start.split(['=', '&']).nth(1).expect("p").to_string();
        let mut out = BitWriter::new();
        fields.iter().for_each(|&(value, width)| out.write(value, width));
        let r = Base64UrlUnpadded::encode_string(&out.into_bytes_filled_with_ones());
        read(&format!("?p={p}&r={r}"))
    }

    #[test]
    fn histories_that_cannot_be_are_refused() {
        let why = |fields: &[(u64, u32)]| history(fields).expect_err("a fault").to_string();
        // Red is to move, so Black moved last. Its rook 23 on a9 has its list from b9 on.
        assert!(why(&[(7, 4), (0, 1), (0, 4)]).contains("an occupied square"));
        assert!(why(&[(7, 4), (1, 1), (7, 4), (8, 4)]).contains("is on the board"));
        assert!(why(&[(7, 4), (0, 1), (1, 2)]).contains("ends early"));
        // Its pawn 27 on a6 came from a7: the rules allow the start.
        let line = history(&[(11, 4), (0, 1)]).expect("a line");
        assert_eq!(line.moves, ["a7a6"]);
        // Before that, Red's rook 7 came from i1.
        let line = history(&[(11, 4), (0, 1), (7, 4), (0, 1), (8, 4)]).expect("a line");
        assert_eq!(line.moves, ["i1i0", "a7a6"]);
        // Both pawns go back as far as the rooks behind them.
        let steps: Vec<_> = (0..5).flat_map(|_| [(11, 4), (0, 1), (11, 4), (0, 1)]).collect();
        assert!(why(&steps).contains("an occupied square"));
        // Red's king came from the square of its advisor.
        let king = why(&[(11, 4), (0, 1), (0, 4), (0, 1), (0b10, 2)]);
        assert!(king.contains("move 2 from its end: it moves a man from an occupied"), "{king}");
    }

    #[test]
    fn what_is_no_link_is_refused() {
        for (link, why) in [
            ("", "no `p`"),
            ("https://game.hullqin.cn/xq", "no `p`"),
            ("?q=hSQiASVGghCEIUkIgElRoIQhDw", "no `p`"),
            ("?p=hSQiASVGghCEIUkIgElRoIQhD+", "base64url"),
            ("?p=hSQiASVGghCEIUkIgElRoIQh", "too early"),
            ("?p=gAAAAAAAAAAAAAAAAAAAAAAABw", "in check"),
            ("?p=hSQiASVGghCEIUkIgElRoIQhDw&r=!", "`r` is not"),
        ] {
            let error = read(link).expect_err(link).to_string();
            assert!(error.contains(why), "{link}: {error}");
        }
        for link in [
            "?p=hSQiASVGghCEIUkIgElRoIQhDw",
            "p=hSQiASVGghCEIUkIgElRoIQhDw&r=",
            " https://game.hullqin.cn/xq?s=1&p=hSQiASVGghCEIUkIgElRoIQhDw#top\n",
        ] {
            assert_eq!(read(link).expect(link).moves, [""; 0]);
        }
    }

    #[test]
    fn a_line_that_the_lists_cannot_hold_has_no_link() {
        let error = write(Some("4k4/9/9/9/9/9/9/P8/9/3K5 w"), &mut std::iter::empty());
        assert!(error.expect_err("a pawn behind his rank").to_string().contains("pawn"));
        let error = write(Some("4k4/9/9/9/9/9/9/2A6/9/3K5 w"), &mut ["c2d1"].into_iter());
        assert!(error.is_err());
        assert!(write(None, &mut ["h2e9"].into_iter()).is_err());
    }
}
