//! Chess patterns, tested on bitboards.

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
use plypack_core::Marks;
use plypack_core::pattern::grid::{Diagram, Grid};
use plypack_core::pattern::{Ask, Ending, Image, Men, Moment, Test};

use super::remains::{HOMES, Remains};
use super::{Chess, PROMOTIONS, Position};

static DIAGRAM: Diagram = Diagram {
    game: "chess",
    men: "KQRBNPkqrbnp",
    kinds: true,
    sides: ["white", "black"],
    size: Some((8, 8)),
    rises: true,
    first_rank: 1,
    without_i: false,
    turns: true,
};

/// The kinds in the order of their letters.
const KINDS: [Piece; 6] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// The place of pawns among them.
const PAWN: usize = 5;

impl Grid for Chess {
    fn diagram(&self) -> &'static Diagram {
        &DIAGRAM
    }

    fn size(&self, _: &Position) -> (u16, u16) {
        (8, 8)
    }

    fn symbol(&self, position: &Position, column: u16, rank: u16) -> u8 {
        let Some(square) = square(column, rank) else { return 0 };
        let board = &position.board;
        let man = board.piece_on(square).zip(board.color_on(square));
        man.map_or(0, |man| (1..).zip(men()).find(|(_, other)| *other == man).map_or(0, |at| at.0))
    }

    fn number(&self, _: (u16, u16), mv: Move) -> u16 {
        let promotion =
            PROMOTIONS.iter().zip(1u16..).find(|(kind, _)| Some(**kind) == mv.promotion);
        let promotion = promotion.map_or(0, |(_, place)| place);
        promotion << 12 | (mv.from as u16) << 6 | mv.to as u16
    }

    fn marks(&self, position: &Position) -> Marks {
        let board = &position.board;
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let rights = board.castle_rights(color);
            u8::from(rights.short.is_some()) | u8::from(rights.long.is_some()) << 1
        });
        Marks {
            rights: white | black << 2,
            pushed: board.en_passant().map_or(0, |file| file as u8 + 1),
            clock: u8::try_from(position.halfmove_clock).unwrap_or(u8::MAX),
        }
    }

    fn push_cells(&self, position: &Position, out: &mut Vec<u8>) {
        let mut cells = [0; Square::NUM];
        for ((piece, color), symbol) in men().zip(1u8..) {
            for square in position.board.colored_pieces(color, piece) {
                cells[square as usize] = symbol;
            }
        }
        out.extend_from_slice(&cells);
    }

    fn push_men(&self, position: &Position, out: &mut Vec<u64>) {
        let board = &position.board;
        let sides = [Color::White, Color::Black].map(|color| board.colors(color).0);
        let kinds = KINDS.map(|piece| board.pieces(piece).0);
        let sets: [u64; 12] = std::array::from_fn(|man| sides[man / 6] & kinds[man % 6]);
        out.extend_from_slice(&sets);
    }

    fn quick(&self, asks: &[Ask], image: Image) -> Result<Option<Box<dyn Test<Self>>>, String> {
        let tests = asks.iter().map(|ask| quick(ask, image));
        let Some(tests) = tests.collect::<Result<Option<Vec<Quick>>, String>>()? else {
            return Ok(None);
        };
        Ok(Some(Box::new(Quicks { looks_back: tests.iter().any(Quick::looks_back), tests })))
    }
}

/// Returns the men in the order of their letters.
fn men() -> impl Iterator<Item = (Piece, Color)> {
    let of = |color| KINDS.into_iter().map(move |piece| (piece, color));
    of(Color::White).chain(of(Color::Black))
}

fn square(column: u16, rank: u16) -> Option<Square> {
    let file = File::try_index(column.into())?;
    Some(Square::new(file, Rank::try_index(rank.into())?))
}

/// Returns a square's image, as a set.
fn image_of(image: Image, column: u16, rank: u16) -> BitBoard {
    let cell = image.cell(column, rank, (8, 8));
    let square = cell.and_then(|(column, rank)| square(column, rank));
    square.map_or(BitBoard::EMPTY, Square::bitboard)
}

/// Tests of which at least one must hold.
#[derive(Debug)]
struct Quicks {
    tests: Vec<Quick>,
    looks_back: bool,
}

#[derive(Debug)]
enum Quick {
    Cells(Box<Cells>),
    /// Pawns, and no others.
    Pawns(Box<Cells>),
    Count {
        men: Men,
        squares: BitBoard,
        least: u32,
        most: u32,
    },
    Material(Need, u32),
    /// White's surplus of each kind, the rarest difference first.
    Imbalance(Vec<(Piece, i32)>),
    Move(Made),
    Moved(Men),
    Captured(Men),
    Ending(Ending),
}

/// Returns the test for a rule; `None` if no test is faster than looking at cells.
fn quick(ask: &Ask, image: Image) -> Result<Option<Quick>, String> {
    Ok(Some(match ask {
        Ask::Cells(_, cells) => Quick::Cells(Box::new(Cells::new(cells, image))),
        Ask::Pawns(_, _, cells) => Quick::Pawns(Box::new(Cells::new(cells, image))),
        Ask::Count(men, regions, (least, most)) => {
            let mut squares = BitBoard::EMPTY;
            for (column, rank) in (0..64u16).map(|at| (at % 8, at / 8)) {
                if regions.has(column, rank) {
                    squares |= image_of(image, column, rank);
                }
            }
            Quick::Count { men: *men, squares, least: *least, most: *most }
        }
        Ask::Shape(_) => return Ok(None),
        Ask::Material(counts) => {
            let mut need = Need::default();
            for (need, count) in need.counts.iter_mut().flatten().zip(counts) {
                *need = *count;
            }
            Quick::Material(need, counts.iter().sum())
        }
        Ask::Imbalance(more) => {
            let mut kinds: Vec<(Piece, i32)> =
                KINDS.into_iter().zip(more.iter().copied()).skip(1).collect();
            kinds.sort_by_key(|&(piece, more)| (more == 0, piece));
            Quick::Imbalance(kinds)
        }
        Ask::Move(black, text) => {
            let color = if *black { Color::Black } else { Color::White };
            Quick::Move(Made::read(text, color, image)?)
        }
        Ask::Moved(men) => Quick::Moved(*men),
        Ask::Captured(men) => Quick::Captured(*men),
        Ask::Ending(ending) => Quick::Ending(*ending),
    }))
}

impl Test<Chess> for Quicks {
    fn holds(&self, moment: &Moment<'_, Chess>) -> bool {
        self.tests.iter().any(|test| test.holds(moment))
    }

    fn may_come(&self, position: &Position) -> bool {
        self.tests.iter().any(|test| test.may_come(&position.board))
    }

    fn may_leave(&self, remains: u64) -> bool {
        self.tests.iter().any(|test| test.may_leave(&Remains(remains)))
    }

    fn frames(&self) -> Option<Vec<u64>> {
        let frame = |test: &Quick| match test {
            Quick::Pawns(cells) => Some(super::key::frame(cells.colors)),
            _ => None,
        };
        self.tests.iter().map(frame).collect()
    }

    fn looks_back(&self) -> bool {
        self.looks_back
    }
}

impl Quick {
    fn looks_back(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Moved(_) | Self::Captured(_))
    }

    fn holds(&self, moment: &Moment<'_, Chess>) -> bool {
        let board = &moment.at.board;
        match self {
            Self::Cells(cells) => cells.hold(board),
            Self::Pawns(cells) => pawns(board) == cells.colors,
            Self::Count { men, squares, least, most } => {
                (*least..=*most).contains(&(on_board(board, *men) & *squares).len())
            }
            Self::Material(need, total) => {
                board.occupied().len() == *total && need.counts == counts(board)
            }
            Self::Imbalance(kinds) => kinds.iter().all(|&(piece, more)| {
                let of = |color| i64::from(board.colored_pieces(color, piece).len());
                of(Color::White) - of(Color::Black) == i64::from(more)
            }),
            Self::Move(made) => {
                let before = moment.before.map(|before| &before.board);
                before.is_some_and(|before| made.is_made(before, board))
            }
            Self::Moved(men) => {
                let before = moment.before.map(|before| &before.board);
                before.is_some_and(|before| moved(before, board).is_some_and(|at| has(*men, at)))
            }
            Self::Captured(men) => {
                let Some(before) = moment.before.map(|before| &before.board) else { return false };
                let other = board.side_to_move();
                let taken = before.colors(other) & !board.colors(other);
                match (taken.next_square(), *men) {
                    (None, men) => men == 0,
                    (Some(_), 0) => false,
                    (Some(at), men) => before.piece_on(at).is_some_and(|at| has(men, at)),
                }
            }
            Self::Ending(ending) => {
                let checked = !board.checkers().is_empty();
                moment.last
                    && checked == (*ending == Ending::Mate)
                    && !board.generate_moves(|_| true)
            }
        }
    }

    fn may_come(&self, board: &Board) -> bool {
        match self {
            Self::Cells(cells) | Self::Pawns(cells) => cells.need.may_come(board),
            Self::Material(need, _) => need.may_come(board),
            _ => true,
        }
    }

    fn may_leave(&self, left: &Remains) -> bool {
        match self {
            Self::Cells(cells) | Self::Pawns(cells) => cells.may_leave(left),
            Self::Count { men, squares, most, .. } => left.least_on(*men, *squares) <= *most,
            Self::Material(need, _) => need.may_leave(left),
            Self::Move(made) => made.may_leave(left),
            Self::Imbalance(_) | Self::Moved(_) | Self::Captured(_) | Self::Ending(_) => true,
        }
    }
}

/// Whether `men` includes this kind.
fn has(men: Men, piece: Piece) -> bool {
    let place = (1u32..).zip(KINDS).find(|(_, kind)| *kind == piece);
    place.is_some_and(|(symbol, _)| men >> symbol & 1 == 1)
}

/// Returns the squares on which one of `wanted` stands.
fn on_board(board: &Board, wanted: Men) -> BitBoard {
    let mut squares = if wanted & 1 == 1 { !board.occupied() } else { BitBoard::EMPTY };
    for ((piece, color), symbol) in men().zip(1u32..) {
        if wanted >> symbol & 1 == 1 {
            squares |= board.colored_pieces(color, piece);
        }
    }
    squares
}

/// Returns the pawns of each colour.
fn pawns(board: &Board) -> [BitBoard; 2] {
    [Color::White, Color::Black].map(|color| board.colored_pieces(color, Piece::Pawn))
}

/// Returns the number of men of each colour and kind.
fn counts(board: &Board) -> [[u32; 6]; 2] {
    [Color::White, Color::Black]
        .map(|color| KINDS.map(|piece| board.colored_pieces(color, piece).len()))
}

/// The men that must be on the board, in numbers. Men are only taken, pawns become pieces, and no
/// pawn steps back.
#[derive(Debug, Default)]
struct Need {
    counts: [[u32; 6]; 2],
    /// By colour, for each pawn that must stand on a square, the squares it can come from; at least
    /// one pawn is there.
    ways: [Vec<BitBoard>; 2],
}

impl Need {
    fn may_come(&self, board: &Board) -> bool {
        let sides = self.counts.iter().zip(&self.ways).zip([Color::White, Color::Black]);
        sides.into_iter().all(|((counts, ways), color)| {
            let pawns = board.colored_pieces(color, Piece::Pawn);
            if ways.iter().any(|&way| (pawns & way).is_empty()) {
                return false;
            }
            let Some(spare) = pawns.len().checked_sub(counts[PAWN]) else { return false };
            let wanted = KINDS.into_iter().zip(counts).take(PAWN).filter(|(_, count)| **count > 0);
            let lacking = wanted.map(|(piece, count)| {
                count.saturating_sub(board.colored_pieces(color, piece).len())
            });
            lacking.sum::<u32>() <= spare
        })
    }

    /// Whether these may have been all men: any left beyond them were pawns.
    fn may_leave(&self, left: &Remains) -> bool {
        self.counts.iter().enumerate().all(|(side, counts)| {
            let left = left.counts(side);
            let Some(spare) = counts[PAWN].checked_sub(left[PAWN]) else { return false };
            let beyond = left.iter().zip(counts).take(PAWN);
            beyond.map(|(left, count)| left.saturating_sub(*count)).sum::<u32>() <= spare
        })
    }
}

/// Whether a pawn may have come to a square. Its way must begin where a pawn has left home; a pawn
/// that never left is on its own square.
fn may_have_come(to: BitBoard, side: usize, left: &Remains) -> bool {
    let home = left.home(side);
    let Some(square) = to.next_square().filter(|_| !home.is_empty()) else { return true };
    let from = way(square, side) & HOMES[side];
    !(to & home).is_empty() || !(from & !home).is_empty()
}

/// Returns the squares that a pawn can come from: it steps ahead, and sideways once per capture.
fn way(to: Square, side: usize) -> BitBoard {
    let steps = |from: Square| {
        let ahead = to.rank() as i32 - from.rank() as i32;
        if side == 0 { ahead } else { -ahead }
    };
    let aside = |from: Square| (to.file() as i32 - from.file() as i32).abs();
    Square::ALL.into_iter().filter(|&from| aside(from) <= steps(from)).collect()
}

/// Men on squares.
#[derive(Debug)]
struct Cells {
    colors: [BitBoard; 2],
    kinds: Vec<(Piece, BitBoard)>,
    empty: BitBoard,
    /// Squares on which one of several men must stand.
    others: Vec<(Men, BitBoard)>,
    need: Need,
}

impl Cells {
    fn new(cells: &[(u16, u16, Men)], image: Image) -> Self {
        let mut this = Self {
            colors: [BitBoard::EMPTY; 2],
            kinds: Vec::new(),
            empty: BitBoard::EMPTY,
            others: Vec::new(),
            need: Need::default(),
        };
        let mut kinds = [BitBoard::EMPTY; 6];
        for &(column, rank, wanted) in cells {
            let square = image_of(image, column, rank);
            let single = (1u32..).zip(0..12usize).find(|(symbol, _)| wanted == 1 << symbol);
            match single {
                _ if wanted == 1 => this.empty |= square,
                Some((_, place)) => {
                    let (side, kind) = (place / 6, place % 6);
                    this.colors[side] |= square;
                    kinds[kind] |= square;
                    this.need.counts[side][kind] += 1;
                    if kind == PAWN {
                        this.need.ways[side].extend(square.next_square().map(|at| way(at, side)));
                    }
                }
                None => this.others.push((wanted, square)),
            }
        }
        let kinds = KINDS.into_iter().zip(kinds).filter(|(_, squares)| !squares.is_empty());
        this.kinds = kinds.collect();
        this
    }

    /// Whether men may have stood like this: squares that their pawns never left held nothing else.
    fn may_leave(&self, left: &Remains) -> bool {
        let pawns = self.kinds.iter().find(|kind| kind.0 == Piece::Pawn);
        let pawns = pawns.map_or(BitBoard::EMPTY, |kind| kind.1);
        let pieces = (self.colors[0] | self.colors[1]) & !pawns;
        (0..2).all(|side| {
            let (home, own) = (left.home(side), self.colors[side] & pawns);
            let others = (pieces | self.empty | pawns & !own) & home;
            others.is_empty()
                && own.into_iter().all(|pawn| may_have_come(pawn.bitboard(), side, left))
        }) && self.empty.len() + left.total() <= 64
    }

    #[inline]
    fn hold(&self, board: &Board) -> bool {
        let [white, black] = self.colors;
        board.colors(Color::White) & white == white
            && board.colors(Color::Black) & black == black
            && self.kinds.iter().all(|&(piece, squares)| board.pieces(piece) & squares == squares)
            && (board.occupied() & self.empty).is_empty()
            && self.others.iter().all(|&(men, squares)| on_board(board, men) & squares == squares)
    }
}

/// Returns the kind of the man that moved last; for castling the king.
fn moved(before: &Board, at: &Board) -> Option<Piece> {
    let color = before.side_to_move();
    if castled(before, at, color).is_some() {
        return Some(Piece::King);
    }
    let from = before.colors(color) & !at.colors(color);
    before.piece_on(from.next_square()?)
}

/// Whether a side has just castled, and if so, whether with the right-hand rook. In Chess960 the
/// king or the rook may stay on its square.
fn castled(before: &Board, at: &Board, color: Color) -> Option<bool> {
    let king = |board: &Board| board.colored_pieces(color, Piece::King).next_square();
    let (from, to) = (king(before)?, king(at)?);
    let rooks = |board: &Board| board.colored_pieces(color, Piece::Rook);
    let (left, come) = (rooks(before) & !rooks(at), rooks(at) & !rooks(before));
    let leaps = match (left.next_square(), come.next_square()) {
        // A rook that moves does not leap over its king.
        (Some(left), Some(come)) if from == to => {
            let between = left.file().min(come.file())..=left.file().max(come.file());
            [left, come].iter().all(|rook| rook.rank() == from.rank())
                && between.contains(&from.file())
        }
        (Some(_), Some(_)) => true,
        _ => (from.file() as i32).abs_diff(to.file() as i32) > 1,
    };
    leaps.then(|| to.file() == File::G)
}

/// A move in algebraic notation, as far as the text specifies it.
#[derive(Debug)]
struct Made {
    color: Color,
    piece: Piece,
    from: BitBoard,
    to: BitBoard,
    promotion: Option<Piece>,
    /// Whether it is castling, and if so, whether with the right-hand rook.
    castling: Option<bool>,
}

impl Made {
    fn read(text: &str, color: Color, image: Image) -> Result<Self, String> {
        let refused =
            || format!("`{text}` is not a move; write it as in PGN: Nf3, Rac1, dxe5, e8=Q, O-O");
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let mut made = Self {
            color,
            piece: Piece::King,
            from: !BitBoard::EMPTY,
            to: BitBoard::EMPTY,
            promotion: None,
            castling: None,
        };
        if let "O-O" | "0-0" | "O-O-O" | "0-0-0" = bare {
            made.castling = Some((bare.len() == 3) != image.columns);
            return Ok(made);
        }
        let piece = |letter: char| {
            let letters = "KQRBN".chars().zip(KINDS);
            letters.into_iter().find(|(known, _)| *known == letter).map(|(_, piece)| piece)
        };
        let mut rest = bare;
        made.piece = rest.chars().next().and_then(piece).unwrap_or(Piece::Pawn);
        if made.piece == Piece::Pawn {
            let last = rest.chars().next_back().and_then(piece);
            if let Some(promotion) = last.filter(|piece| *piece != Piece::King) {
                made.promotion = Some(promotion);
                rest = rest.get(..rest.len() - 1).unwrap_or_default();
                rest = rest.strip_suffix('=').unwrap_or(rest);
            }
        } else {
            rest = rest.get(1..).unwrap_or_default();
        }
        let cut = rest.len().checked_sub(2).and_then(|at| rest.split_at_checked(at));
        let (from, to) = cut.ok_or_else(refused)?;
        let (column, rank) = DIAGRAM.cell(to).map_err(|_| refused())?;
        made.to = image_of(image, column, rank);
        let from = from.strip_suffix('x').unwrap_or(from);
        if !from.is_empty() {
            let known = from.len() <= 2 && !from.contains([' ', '-', '*']);
            let regions = DIAGRAM.regions(from).ok().filter(|_| known).ok_or_else(refused)?;
            let squares = (0..64u16).map(|at| (at % 8, at / 8));
            let squares = squares.filter(|&(column, rank)| regions.has(column, rank));
            made.from = squares
                .fold(BitBoard::EMPTY, |from, (column, rank)| from | image_of(image, column, rank));
        }
        Ok(made)
    }

    /// Whether it may have been made: pawns that never left home made none.
    fn may_leave(&self, left: &Remains) -> bool {
        if self.castling.is_some() || self.piece != Piece::Pawn || self.to.len() != 1 {
            return true;
        }
        let side = self.color as usize;
        (self.to & left.home(side)).is_empty() && may_have_come(self.to, side, left)
    }

    fn is_made(&self, before: &Board, at: &Board) -> bool {
        if before.side_to_move() != self.color {
            return false;
        }
        if self.castling.is_none() {
            let to = at.colors(self.color) & !before.colors(self.color) & self.to;
            let Some(to) = to.next_square() else { return false };
            let arrives = self.promotion.unwrap_or(self.piece);
            // Without a stated promotion, a pawn may become anything.
            if at.piece_on(to) != Some(arrives) && self.piece != Piece::Pawn
                || self.promotion.is_some_and(|piece| at.piece_on(to) != Some(piece))
            {
                return false;
            }
            let from = before.colors(self.color) & !at.colors(self.color) & self.from;
            let from = from.next_square();
            return from.is_some_and(|from| before.piece_on(from) == Some(self.piece))
                && castled(before, at, self.color).is_none();
        }
        castled(before, at, self.color) == self.castling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_come_from_behind() {
        let squares = |to: Square, side| way(to, side).into_iter().collect::<Vec<_>>();
        assert_eq!(squares(Square::A2, 0), [Square::A1, Square::B1, Square::A2]);
        assert_eq!(way(Square::E4, 0).len(), 1 + 3 + 5 + 7);
        assert_eq!(way(Square::A7, 1).len(), 1 + 2);
    }

    #[test]
    fn what_is_not_there_any_more_cannot_come() {
        let board = |fen: &str| Position::read_fen(fen).expect(fen).board;
        let cells = |wanted: &[(u16, u16, usize)]| {
            let men = wanted.iter().map(|&(column, rank, man)| (column, rank, 1 << (man + 1)));
            Cells::new(&men.collect::<Vec<_>>(), Image::default()).need
        };
        // A white queen on d4: from a pawn, if there is one.
        let queen = cells(&[(3, 3, 1)]);
        assert!(queen.may_come(&board("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")));
        assert!(!queen.may_come(&board("4k3/p7/8/8/8/8/8/4K3 w - - 0 1")));
        let queen_and_pawn = cells(&[(3, 3, 1), (0, 2, PAWN)]);
        assert!(!queen_and_pawn.may_come(&board("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")));
        assert!(queen_and_pawn.may_come(&board("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1")));
        // A black pawn on a6 comes from a7 or b7.
        let pawn = cells(&[(0, 5, 6 + PAWN)]);
        assert!(pawn.may_come(&board("4k3/1p6/8/8/8/8/8/4K3 w - - 0 1")));
        assert!(!pawn.may_come(&board("4k3/2p5/8/p7/8/8/8/4K3 w - - 0 1")));
    }
}
