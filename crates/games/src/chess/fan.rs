//! The moves of a position as bitboards: counted, picked by index without being listed, and listed.

use std::ops::ControlFlow;

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};
use plypack_core::{Error, Work};

use super::sets::{A_FILE, H_FILE};
use super::{PROMOTIONS, Position};

/// The squares of the first and the last rank.
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// More than the groups of a side of 16 men: four of pawns, one for each man, two for captures en
/// passant.
const GROUPS: usize = 32;

/// The origin of a group of pawn moves that come from different squares: the distance from each
/// destination to its origin, for White, plus [`PAWNS`].
const AHEAD: u8 = PAWNS + 8;
const TWO_AHEAD: u8 = PAWNS + 16;
const TOWARDS_A: u8 = PAWNS + 7;
const TOWARDS_H: u8 = PAWNS + 9;
const PAWNS: u8 = 64;

/// The moves of a position, in groups; SPEC.md, "Indices of moves", gives their order.
#[derive(Debug)]
pub struct Fan {
    white: bool,
    /// The king of the side to move.
    pub king: Square,
    length: usize,
    /// The number of moves before each group.
    before: [u32; GROUPS],
    origins: [u8; GROUPS],
    destinations: [u64; GROUPS],
    count: u32,
    /// The groups with promotions, one bit each.
    promoting: u32,
}

/// Moves squares up the board, as the side to move sees it.
#[inline(always)]
fn up(squares: u64, white: bool, by: u32) -> u64 {
    if white { squares << by } else { squares >> by }
}

/// Returns the square with this number.
#[inline(always)]
fn square(number: u32) -> Square {
    Square::ALL[number as usize % Square::NUM]
}

/// A sink for groups of moves.
trait Groups {
    /// Takes one man's moves, none of them promotions.
    fn man(&mut self, from: Square, destinations: u64);

    /// Takes pawn moves, from one square or, by `origin`, from as many as there are destinations.
    fn pawns(&mut self, white: bool, origin: u8, destinations: u64);
}

impl Groups for Fan {
    #[inline(always)]
    fn man(&mut self, from: Square, destinations: u64) {
        self.add(from as u8, destinations);
    }

    /// Each promotion counts four times.
    #[inline(always)]
    fn pawns(&mut self, _: bool, origin: u8, destinations: u64) {
        self.add(origin, destinations);
        let promoting = destinations & LAST_RANKS;
        if promoting != 0 {
            self.promoting |= 1 << (self.length - 1);
            self.count += 3 * promoting.count_ones();
        }
    }
}

/// Finds the moves of a position: the legal ones and, unless `LEGAL`, the king's steps to squares
/// that a knight, bishop, rook or queen attacks. Filtering them out takes a fifth of the time.
#[inline(always)]
fn spread<const LEGAL: bool, G: Groups>(board: &Board, groups: &mut G) {
    let us = board.side_to_move();
    let (white, king) = (us == Color::White, board.king(us));
    let mut spreading = Spreading { board, white, king, groups };
    let checkers = board.checkers();
    if checkers.len() < 2 {
        let checker = checkers.next_square();
        let answers = checker.map_or(!0, |at| checkers.0 | get_between_rays(at, king).0);
        spreading.add_pawns(answers);
        spreading.add_pieces(answers);
    }
    spreading.add_king::<LEGAL>();
}

/// A position whose moves are being found.
struct Spreading<'a, G> {
    board: &'a Board,
    white: bool,
    king: Square,
    groups: &'a mut G,
}

impl<G: Groups> Spreading<'_, G> {
    #[inline(always)]
    fn add_pawns(&mut self, answers: u64) {
        let board = self.board;
        let (us, white) = (board.side_to_move(), self.white);
        let (empty, theirs) = (!board.occupied().0, board.colors(!us).0);
        let pawns = board.colored_pieces(us, Piece::Pawn).0;
        let pinned = pawns & board.pinned().0;
        let third = Rank::Third.relative_to(us).bitboard().0;
        let ahead = |pawns: u64| {
            let one = up(pawns, white, 8) & empty;
            (one, up(one & third, white, 8) & empty)
        };
        let free = pawns & !pinned;
        let (one, two) = ahead(free);
        let [towards_a, towards_h] = if white {
            [(free & !A_FILE) << 7, (free & !H_FILE) << 9]
        } else {
            [(free & !A_FILE) >> 9, (free & !H_FILE) >> 7]
        };
        self.groups.pawns(white, AHEAD, one & answers);
        self.groups.pawns(white, TWO_AHEAD, two & answers);
        self.groups.pawns(white, TOWARDS_A, towards_a & theirs & answers);
        self.groups.pawns(white, TOWARDS_H, towards_h & theirs & answers);
        // A pinned man never answers a check.
        if pinned != 0 && board.checkers().is_empty() {
            for from in BitBoard(pinned) {
                let (one, two) = ahead(from.bitboard().0);
                let captures = get_pawn_attacks(from, us).0 & theirs;
                let line = get_line_rays(self.king, from).0;
                self.groups.pawns(white, from as u8, (one | two | captures) & line);
            }
        }
        if let Some(file) = board.en_passant() {
            let to = Square::new(file, Rank::Sixth.relative_to(us));
            for from in get_pawn_attacks(to, !us) & BitBoard(pawns) {
                if board.is_legal(Move { from, to, promotion: None }) {
                    self.groups.man(from, to.bitboard().0);
                }
            }
        }
    }

    #[inline(always)]
    fn add_pieces(&mut self, answers: u64) {
        let board = self.board;
        let ours = board.colors(board.side_to_move());
        let (king, occupied, pinned) = (self.king, board.occupied(), board.pinned());
        let targets = answers & !ours.0;
        let checked = !board.checkers().is_empty();
        let line = |from: Square| match pinned.has(from) {
            false => targets,
            true if checked => 0,
            true => targets & get_line_rays(king, from).0,
        };
        let groups = &mut *self.groups;
        let mut add = |from: Square, reach: BitBoard| groups.man(from, reach.0 & line(from));
        for from in board.pieces(Piece::Knight) & ours & !pinned {
            add(from, get_knight_moves(from));
        }
        for from in board.pieces(Piece::Bishop) & ours {
            add(from, get_bishop_moves(from, occupied));
        }
        for from in board.pieces(Piece::Rook) & ours {
            add(from, get_rook_moves(from, occupied));
        }
        for from in board.pieces(Piece::Queen) & ours {
            add(from, get_bishop_moves(from, occupied) | get_rook_moves(from, occupied));
        }
    }

    #[inline(always)]
    fn add_king<const LEGAL: bool>(&mut self) {
        let board = self.board;
        let (us, king) = (board.side_to_move(), self.king);
        let pawns = board.colored_pieces(!us, Piece::Pawn).0;
        let by_pawns = if self.white {
            (pawns & !A_FILE) >> 9 | (pawns & !H_FILE) >> 7
        } else {
            (pawns & !A_FILE) << 7 | (pawns & !H_FILE) << 9
        };
        let by_king = get_king_moves(board.king(!us)).0;
        let mut targets = get_king_moves(king).0 & !board.colors(us).0 & !by_pawns & !by_king;
        if LEGAL && targets != 0 {
            targets &= !self.reached(targets);
        }
        if board.checkers().is_empty() {
            let rights = board.castle_rights(us);
            for file in [rights.short, rights.long].into_iter().flatten() {
                let to = Square::new(file, Rank::First.relative_to(us));
                if (get_between_rays(king, to) & board.occupied()).is_empty()
                    && board.is_legal(Move { from: king, to, promotion: None })
                {
                    targets |= to.bitboard().0;
                }
            }
        }
        self.groups.man(king, targets);
    }

    /// Returns those of `squares`, around our king, that their knights, bishops, rooks and queens
    /// reach, with our king off the board.
    #[inline(always)]
    fn reached(&self, squares: u64) -> u64 {
        let board = self.board;
        let theirs = board.colors(!board.side_to_move());
        let through = board.occupied() ^ self.king.bitboard();
        let queens = board.pieces(Piece::Queen);
        let mut reached = 0;
        for from in board.pieces(Piece::Knight) & theirs {
            reached |= get_knight_moves(from).0;
        }
        for from in (board.pieces(Piece::Bishop) | queens) & theirs {
            if get_bishop_rays(from).0 & squares != 0 {
                reached |= get_bishop_moves(from, through).0;
            }
        }
        for from in (board.pieces(Piece::Rook) | queens) & theirs {
            if get_rook_rays(from).0 & squares != 0 {
                reached |= get_rook_moves(from, through).0;
            }
        }
        reached
    }
}

/// Returns the origin of a group's move to a square.
#[inline(always)]
fn origin_of(white: bool, origin: u8, to: u32) -> u32 {
    match origin.checked_sub(PAWNS) {
        None => origin.into(),
        Some(by) if white => to.wrapping_sub(by.into()),
        // Black moves down the board: towards the a-file that is 9 squares, not 7.
        Some(by @ (7 | 9)) => to + 16 - u32::from(by),
        Some(by) => to + u32::from(by),
    }
}

impl Fan {
    /// A fan without moves.
    pub const EMPTY: Self = Self {
        white: true,
        king: Square::A1,
        length: 0,
        before: [0; GROUPS],
        origins: [0; GROUPS],
        destinations: [0; GROUPS],
        count: 0,
        promoting: 0,
    };

    /// Replaces the moves by those that [`spread`] finds in a position.
    ///
    /// The groups are not cleared first: that would take a third as long as the rest.
    #[inline(always)]
    pub fn fill<const LEGAL: bool>(&mut self, board: &Board) {
        let us = board.side_to_move();
        (self.white, self.king) = (us == Color::White, board.king(us));
        (self.length, self.count, self.promoting) = (0, 0, 0);
        spread::<LEGAL, _>(board, self);
    }

    /// Returns the number of moves.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    fn add(&mut self, origin: u8, destinations: u64) {
        let place = self.length % GROUPS;
        self.before[place] = self.count;
        self.origins[place] = origin;
        self.destinations[place] = destinations;
        self.length += 1;
        self.count += destinations.count_ones();
    }

    /// Returns the move with this index, which must be below [`count`](Self::count).
    #[inline(always)]
    pub fn pick(&self, index: u32) -> Move {
        let mut group = self.length.wrapping_sub(1) % GROUPS;
        while self.before[group] > index {
            group = group.wrapping_sub(1) % GROUPS;
        }
        let (origin, mut destinations) = (self.origins[group], self.destinations[group]);
        let mut place = index - self.before[group];
        let mut promotion = None;
        if self.promotes(group) {
            let promoting = destinations & LAST_RANKS;
            let promotions = 4 * promoting.count_ones();
            if place < promotions {
                promotion = PROMOTIONS.get(place as usize % 4).copied();
                (destinations, place) = (promoting, place / 4);
            } else {
                (destinations, place) = (destinations & !promoting, place - promotions);
            }
        }
        for _ in 0..place {
            destinations &= destinations.wrapping_sub(1);
        }
        let to = destinations.trailing_zeros();
        Move { from: square(origin_of(self.white, origin, to)), to: square(to), promotion }
    }

    /// Returns the index of a move; `None` if it is not one of these.
    #[inline(always)]
    pub fn index(&self, mv: Move) -> Option<u32> {
        let (from, to) = (mv.from as u32, mv.to as u32);
        let has = |&group: &usize| {
            self.destinations[group] >> to & 1 == 1
                && origin_of(self.white, self.origins[group], to) == from
        };
        let group = (0..self.length.min(GROUPS)).find(has)?;
        let lower = (1 << to) - 1;
        let destinations = self.destinations[group];
        let mut place = (destinations & lower).count_ones();
        if self.promotes(group) {
            let promoting = destinations & LAST_RANKS;
            let promotions = (promoting & lower).count_ones();
            place =
                match PROMOTIONS.iter().zip(0..).find(|&(&piece, _)| Some(piece) == mv.promotion) {
                    Some((_, piece)) => 4 * promotions + piece,
                    None => 4 * promoting.count_ones() + place - promotions,
                };
        }
        Some(self.before[group] + place)
    }

    #[inline(always)]
    fn promotes(&self, group: usize) -> bool {
        self.promoting >> group & 1 == 1
    }
}

/// The number of moves written at once: most men have no more, and a loop that usually runs once is
/// easier to predict.
const AT_ONCE: usize = 4;

/// The destinations of each man, by its square.
struct Scatter {
    destinations: [u64; Square::NUM],
    /// The men with destinations.
    origins: u64,
    /// Whether a pawn promotes.
    promotes: bool,
}

impl Groups for Scatter {
    #[inline(always)]
    fn man(&mut self, from: Square, destinations: u64) {
        self.destinations[from as usize] |= destinations;
        self.origins |= u64::from(destinations != 0) << from as u32;
    }

    #[inline(always)]
    fn pawns(&mut self, white: bool, origin: u8, destinations: u64) {
        self.promotes |= destinations & LAST_RANKS != 0;
        if origin < PAWNS {
            self.man(square(origin.into()), destinations);
            return;
        }
        for to in BitBoard(destinations) {
            self.man(square(origin_of(white, origin, to as u32)), to.bitboard().0);
        }
    }
}

impl Scatter {
    #[inline(always)]
    fn of(board: &Board) -> Self {
        let mut scatter = Self { destinations: [0; Square::NUM], origins: 0, promotes: false };
        spread::<true, _>(board, &mut scatter);
        scatter
    }

    /// Returns the number of a man's moves: four for each square if it is a pawn about to promote.
    #[inline(always)]
    fn count_of(&self, from: Square, pawns: BitBoard) -> u32 {
        let destinations = self.destinations[from as usize];
        let promotes = self.promotes && destinations & LAST_RANKS != 0 && pawns.has(from);
        destinations.count_ones() << (2 * u32::from(promotes))
    }

    /// Returns the number of moves.
    #[inline(always)]
    fn count(&self, pawns: BitBoard) -> u32 {
        BitBoard(self.origins).into_iter().map(|from| self.count_of(from, pawns)).sum()
    }

    /// Returns the move with this index in canonical order; the index must be below the count.
    #[inline(always)]
    fn pick(&self, mut index: u32, pawns: BitBoard) -> Move {
        let mut origins = self.origins;
        let mut from = square(origins.trailing_zeros());
        let mut count = self.count_of(from, pawns);
        while index >= count && origins & (origins - 1) != 0 {
            index -= count;
            origins &= origins - 1;
            from = square(origins.trailing_zeros());
            count = self.count_of(from, pawns);
        }
        let mut destinations = self.destinations[from as usize];
        let mut promotion = None;
        if self.promotes && destinations & LAST_RANKS != 0 && pawns.has(from) {
            promotion = PROMOTIONS.get(index as usize % 4).copied();
            index /= 4;
        }
        for _ in 0..index {
            destinations &= destinations.wrapping_sub(1);
        }
        Move { from, to: square(destinations.trailing_zeros()), promotion }
    }
}

/// Follows a line whose moves are given by their indices in canonical order.
#[derive(Debug)]
pub struct Follow<'a, C, S> {
    /// The start position.
    pub position: Position,
    /// The number of moves.
    pub plies: u32,
    /// Chooses the index of the next move, given the number of moves.
    pub choose: &'a mut C,
    /// Called with each move and the position after it.
    pub seen: &'a mut S,
}

impl<C, S> Work for Follow<'_, C, S>
where
    C: FnMut(u32) -> u32,
    S: FnMut(Move, &Position) -> ControlFlow<()>,
{
    type Outcome = Result<(), Error>;

    #[inline(always)]
    fn run(self) -> Result<(), Error> {
        let Self { mut position, plies, choose, seen } = self;
        for ply in 0..plies {
            let board = &position.board;
            let pawns = board.pieces(Piece::Pawn);
            let scatter = Scatter::of(board);
            let count = scatter.count(pawns);
            if count == 0 {
                return Err(Error::Over { plies, ply });
            }
            let mv = scatter.pick(choose(count).min(count - 1), pawns);
            position.play(mv);
            if seen(mv, &position).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Lists the legal moves of a position in canonical order.
#[derive(Debug)]
pub struct LegalMoves<'a> {
    /// The position.
    pub board: &'a Board,
    /// Buffer for the moves; empty.
    pub out: &'a mut Vec<Move>,
}

impl Work for LegalMoves<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let Self { board, out } = self;
        let Scatter { destinations, origins, promotes } = Scatter::of(board);
        let pawns = board.pieces(Piece::Pawn);
        for from in BitBoard(origins) {
            let mut left = destinations[from as usize];
            if promotes && left & LAST_RANKS != 0 && pawns.has(from) {
                for to in BitBoard(left) {
                    out.extend(PROMOTIONS.map(|piece| Move { from, to, promotion: Some(piece) }));
                }
                continue;
            }
            let end = out.len() + left.count_ones() as usize;
            while out.len() < end {
                out.extend_from_slice(&[(); AT_ONCE].map(|()| {
                    let to = square(left.trailing_zeros());
                    left &= left.wrapping_sub(1);
                    Move { from, to, promotion: None }
                }));
            }
            out.truncate(end);
        }
    }
}
