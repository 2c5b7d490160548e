//! The view of a position in `line.fast`, computed once for all its candidates.

use crate::xiangqi::Position;
use crate::xiangqi::board::{HALVES, PALACES, Piece, SQUARES, Side, pawns_to, squares};
use crate::xiangqi::lines::{A_FILE, E_FILE, I_FILE, Lines};
use crate::xiangqi::link::features::Past;
use crate::xiangqi::link::scene::time;
use crate::xiangqi::order::phase_and_stage;

/// A set of squares in two halves, so that a look-up does not shift 128 bits.
pub type Plane = [u64; 2];

/// Returns the halves of a set.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "one half, then the other")]
const fn plane(set: u128) -> Plane {
    [set as u64, (set >> 64) as u64]
}

/// Returns 1 if the set has the square, else 0.
#[inline(always)]
pub fn has(plane: &Plane, at: usize) -> usize {
    (plane[at / 64 % 2] >> (at % 64) & 1) as usize
}

/// Returns the number whose bits for a square are in three planes.
#[inline(always)]
fn octal(planes: &[Plane; 3], at: usize) -> usize {
    has(&planes[0], at) | has(&planes[1], at) << 1 | has(&planes[2], at) << 2
}

/// A position from the point of view of the side to move. Squares are those of the board, not
/// rotated.
#[derive(Debug)]
pub struct View {
    /// Whether Black is to move.
    pub black: bool,
    /// The stretch of the game, the set-up of the opening, and the phase and stage of the game.
    pub time: usize,
    /// See `time`.
    pub set_up: usize,
    /// See `time`.
    pub phase: usize,
    /// See `time`.
    pub stage: usize,
    /// The place of their king in its palace: the file less 3, plus 3 for each rank from its last.
    pub target: usize,
    /// Our men.
    pub ours: u128,
    /// Our kinds of men, from king 0 to pawn 6, and theirs, from king 1 to pawn 7; in three planes.
    roles: [Plane; 3],
    taken: [Plane; 3],
    /// The squares that the opponent attacks; and, by our man's kind, those that a man of less
    /// worth attacks.
    attacked: Plane,
    lesser: [Plane; 8],
    /// The opponent's least man that attacks a square: 1 pawn … 5 king, in three planes.
    least: [Plane; 3],
    /// The squares that our men attack; and, by our man's kind, those that another man attacks.
    once: Plane,
    defended: [Plane; 8],
    /// The squares that the man moved last attacks.
    chased: Plane,
    /// For every man: whether its own side guards it; whether an enemy attacks it, but none of less
    /// worth; whether one of less worth does.
    status: [Plane; 3],
    /// By kind, the squares from which it gives check.
    checks: [Plane; 8],
    /// By kind, the squares from which it threatens an officer of sufficient worth, and from which
    /// it threatens only a lesser man.
    strong: [Plane; 8],
    weak: [Plane; 8],
}

/// The squares attacked by at least one man, and by at least two.
#[derive(Clone, Copy, Debug, Default)]
struct Cover {
    once: u128,
    twice: u128,
}

impl Cover {
    /// Adds the attacks of one man, or of several that attack no square in common.
    #[inline(always)]
    fn add(&mut self, set: u128) {
        self.twice |= self.once & set;
        self.once |= set;
    }
}

/// All squares.
pub(in crate::xiangqi) const BOARD: u128 = (1 << SQUARES) - 1;

/// Returns the squares one file to the right.
#[inline(always)]
pub(in crate::xiangqi) fn east(set: u128) -> u128 {
    (set & !I_FILE) << 1
}

#[inline(always)]
pub(in crate::xiangqi) fn west(set: u128) -> u128 {
    (set & !A_FILE) >> 1
}

/// Returns the squares one rank up.
#[inline(always)]
pub(in crate::xiangqi) fn up(set: u128) -> u128 {
    set << 9 & BOARD
}

#[inline(always)]
pub(in crate::xiangqi) fn down(set: u128) -> u128 {
    set >> 9
}

/// Returns the squares that horses attack, in eight directions.
#[inline(always)]
pub(in crate::xiangqi) fn by_horses(horses: u128, empty: u128) -> [u128; 8] {
    let [n, s] = [up(horses) & empty, down(horses) & empty].map(|legs| [east(legs), west(legs)]);
    let [e, w] = [east(horses) & empty, west(horses) & empty].map(|legs| [up(legs), down(legs)]);
    [up(n[0]), up(n[1]), down(s[0]), down(s[1]), east(e[0]), east(e[1]), west(w[0]), west(w[1])]
}

/// Returns the squares from which horses attack one of these.
#[inline(always)]
fn horses_at(targets: u128, empty: u128) -> u128 {
    let (e, w) = (east(targets), west(targets));
    let [ne, se, nw, sw] = [up(e), down(e), up(w), down(w)].map(|legs| legs & empty);
    up(ne | nw) | down(se | sw) | east(ne | se) | west(nw | sw)
}

/// Returns the squares a step away on the diagonals.
#[inline(always)]
pub(in crate::xiangqi) fn diagonals(set: u128) -> [u128; 4] {
    let (e, w) = (east(set), west(set));
    [up(e), down(e), up(w), down(w)]
}

/// Returns the squares that elephants of a side attack.
#[inline(always)]
pub(in crate::xiangqi) fn by_elephants(side: Side, elephants: u128, empty: u128) -> [u128; 4] {
    let [ne, se, nw, sw] = diagonals(elephants).map(|legs| legs & empty);
    let half = HALVES[side as usize];
    [up(east(ne)), down(east(se)), up(west(nw)), down(west(sw))].map(|set| set & half)
}

#[inline(always)]
pub(in crate::xiangqi) fn any<const SETS: usize>(sets: [u128; SETS]) -> u128 {
    sets.into_iter().fold(0, |all, set| all | set)
}

/// Returns the squares from which rooks attack one of these men, if it is unguarded, and from which
/// cannons do.
#[inline(always)]
fn aimed(targets: u128, bare: u128, occupied: u128) -> (u128, u128) {
    let (mut rook, mut cannon) = (0, 0);
    for to in squares(targets) {
        let lines = Lines::new(to.into(), occupied);
        rook |= lines.seen & of_square(bare, to);
        cannon |= lines.beyond;
    }
    (rook, cannon)
}

/// Returns all squares if the set has this one, else none.
#[inline(always)]
fn of_square(set: u128, at: u8) -> u128 {
    let at = usize::from(at);
    let bit = u128::from(has(&plane(set), at) == 0);
    bit.wrapping_sub(1)
}

/// Returns the squares that pawns of a side attack: ahead, and beyond the river to either side.
#[inline(always)]
pub(in crate::xiangqi) fn by_pawns(side: Side, pawns: u128) -> [u128; 3] {
    let ahead = if side == Side::Red { up(pawns) } else { down(pawns) };
    let across = pawns & !HALVES[side as usize];
    [ahead, east(across), west(across)]
}

impl View {
    /// Returns the view of a position after the opponent's move `last`.
    #[inline(always)]
    pub fn new(position: &Position, last: Option<Past>) -> Self {
        let board = &position.board;
        let us = position.side;
        let them = us.other();
        let (ours, theirs) = (board.side(us), board.side(them));
        let occupied = ours | theirs;
        let [kings, advisors, elephants, horses, rooks, cannons, pawns] =
            Piece::ALL.map(|piece| board.pieces(piece));

        // The man moved last, and its attacks.
        let last = last.map_or(0, |last| 1 << last.to) & theirs;
        let mut chased = 0;
        let mut by_us = Cover::default();
        let (mut rook, mut cannon) = (0, 0);
        let mut our_cannon = 0;
        for from in squares(rooks) {
            let set = Lines::new(from.into(), occupied).seen;
            by_us.add(set & of_square(ours, from));
            rook |= set & of_square(theirs, from);
            chased |= set & of_square(last, from);
        }
        for from in squares(cannons) {
            let set = Lines::new(from.into(), occupied).beyond;
            let own = set & of_square(ours, from);
            by_us.add(own);
            our_cannon |= own;
            cannon |= set & of_square(theirs, from);
            chased |= set & of_square(last, from);
        }
        let empty = BOARD & !occupied;
        let mut our_officer = our_cannon;
        for set in by_horses(horses & ours, empty) {
            by_us.add(set);
            our_officer |= set;
        }
        let mut our_minor = 0;
        for set in by_elephants(us, elephants & ours, empty) {
            by_us.add(set);
            our_minor |= set;
        }
        let palaces = |side: Side| PALACES[side as usize];
        for set in diagonals(advisors & ours) {
            by_us.add(set & palaces(us));
            our_minor |= set & palaces(us);
        }
        let by_king = |king: u128| up(king) | down(king) | east(king) | west(king);
        by_us.add(by_king(kings & ours) & palaces(us));
        let mut our_pawn = 0;
        for set in by_pawns(us, pawns & ours) {
            by_us.add(set);
            our_pawn |= set;
        }

        let horse = any(by_horses(horses & theirs, empty));
        let elephant = any(by_elephants(them, elephants & theirs, empty));
        let advisor = any(diagonals(advisors & theirs)) & palaces(them);
        let king = by_king(kings & theirs) & palaces(them);
        let pawn = any(by_pawns(them, pawns & theirs));
        let other = last & !(rooks | cannons);
        chased |= any(by_horses(last & horses, empty));
        if other & !horses != 0 {
            chased |= any(by_elephants(them, last & elephants, empty))
                | any(diagonals(last & advisors)) & palaces(them)
                | by_king(last & kings) & palaces(them)
                | any(by_pawns(them, last & pawns));
        }

        let (minor, officer) = (advisor | elephant, horse | cannon);
        let to_minor = pawn | minor;
        let to_officer = to_minor | officer;
        let to_rook = to_officer | rook;
        let attacked = to_rook | king;
        let officers = horses | cannons;
        let not_pawns = occupied & !pawns;
        // Attacked by a man of less worth, and by any.
        let lesser = ours
            & (kings & attacked | pawn & not_pawns | minor & officers | to_officer & rooks)
            | theirs
                & (kings & by_us.once
                    | our_pawn & not_pawns
                    | our_minor & officers
                    | (our_pawn | our_minor | our_officer) & rooks);
        let any_attack = ours & attacked | theirs & by_us.once;
        let guarded = ours & by_us.once | theirs & attacked;
        let status = [guarded, any_attack & !lesser, lesser].map(plane);
        let (minor, officer) = (minor & !pawn, officer & !to_minor);
        let (rook, king) = (rook & !to_officer, king & !to_rook);

        let bare = theirs & !attacked;
        let (dear, light) = (rooks & theirs | officers & bare, bare & !(rooks | officers | kings));
        let (strong_rook, strong_cannon) = aimed(dear, bare, occupied);
        let (weak_rook, weak_cannon) = aimed(light, bare, occupied);
        let [strong_horse, weak_horse] = [dear, light].map(|men| horses_at(men, empty));
        // From where a pawn of ours would come if it were theirs.
        let [strong_pawn, weak_pawn] =
            [rooks | officers, advisors | elephants].map(|men| any(by_pawns(them, men & theirs)));
        let strong = [0u128, 0, 0, strong_horse, strong_rook, strong_cannon, strong_pawn, 0];
        let weak = [0, 0, 0, weak_horse, weak_rook, weak_cannon, weak_pawn, 0];
        let weak = std::array::from_fn(|role| plane(weak[role] & !strong[role]));

        // A cannon attacks the squares to which it goes only when it captures there.
        let mut defended = [plane(by_us.twice); 8];
        defended[5] = plane(by_us.twice | by_us.once & !theirs);

        let their_king = (kings & theirs).trailing_zeros() as usize % SQUARES;
        let their_place = u8::try_from(their_king).unwrap_or(0);
        let lines = Lines::new(their_king, occupied);
        let horse_checks = horses_at(kings & theirs, empty);
        let checks =
            [0, 0, 0, horse_checks, lines.seen, lines.beyond, pawns_to(us, their_place), 0];

        let of = |a: u128, b: u128, c: u128, d: u128| plane(a | b | c | d);
        let black = us == Side::Black;
        let (phase, stage) = phase_and_stage(board, position.fullmove_number);
        let middle = |men: u128| usize::from(cannons & men & E_FILE != 0);
        let corners = if black { 1 << 81 | 1 << 89 } else { 1 | 1 << 8 };
        let home = usize::from(rooks & ours & corners != 0);
        let turned_king = if black { SQUARES - 1 - their_king } else { their_king };
        let target = (turned_king % 9 + 6) % 9 % 3 + (9 - turned_king / 9) % 3 * 3;
        Self {
            black,
            time: time(position.fullmove_number),
            set_up: (middle(ours) * 2 + middle(theirs)) * 2 + home,
            phase,
            stage,
            target,
            ours,
            // King 0, advisor 1, elephant 2, horse 3, rook 4, cannon 5, pawn 6.
            roles: [
                of(advisors, horses, cannons, 0),
                of(elephants, horses, pawns, 0),
                of(rooks, cannons, pawns, 0),
            ],
            taken: [
                plane((kings | elephants | rooks | pawns) & theirs),
                plane((advisors | elephants | cannons | pawns) & theirs),
                plane((horses | rooks | cannons | pawns) & theirs),
            ],
            attacked: plane(attacked),
            lesser: [0, pawn, pawn, to_minor, to_officer, to_minor, 0, 0].map(plane),
            least: [of(pawn, officer, king, 0), of(minor, officer, 0, 0), of(rook, king, 0, 0)],
            once: plane(by_us.once),
            defended,
            chased: plane(chased),
            status,
            checks: checks.map(plane),
            strong: strong.map(plane),
            weak,
        }
    }

    /// Returns a square from the point of view of the side to move.
    #[inline(always)]
    pub fn turn(&self, at: usize) -> u8 {
        // Below 90.
        #[expect(clippy::cast_possible_truncation)]
        let at = at as u8;
        if self.black { 89u8.wrapping_sub(at) } else { at }
    }

    /// Returns the kind of our man on a square, from king 0 to pawn 6.
    #[inline(always)]
    pub fn role(&self, at: usize) -> usize {
        octal(&self.roles, at)
    }

    /// Returns the kind of the opponent's man on a square, from king 1; 0 for none.
    #[inline(always)]
    pub fn taken(&self, at: usize) -> usize {
        octal(&self.taken, at)
    }

    /// Returns the opponent's least man that attacks a square: 0 none, 1 pawn … 5 king.
    #[inline(always)]
    pub fn least_at(&self, at: usize) -> usize {
        octal(&self.least, at)
    }

    /// Whether one of our men attacks a square.
    #[inline(always)]
    pub fn covered(&self, at: usize) -> usize {
        has(&self.once, at)
    }

    /// Returns the status of the man on a square: 0 if it is not attacked, 2 if it is, but not by a
    /// man of less worth, 4 if one of less worth attacks it; 1 more if it is guarded.
    #[inline(always)]
    pub fn status(&self, at: usize) -> usize {
        has(&self.status[0], at) + 2 * has(&self.status[1], at) + 4 * has(&self.status[2], at)
    }

    /// Whether the man moved last attacks a square.
    #[inline(always)]
    pub fn chased(&self, at: usize) -> usize {
        has(&self.chased, at)
    }

    /// Returns 1 if one of our men attacks a square, other than the man of kind `role` that goes
    /// there; else 0.
    #[inline(always)]
    pub fn defended(&self, role: usize, to: usize) -> usize {
        has(&self.defended[role % 8], to)
    }

    /// Returns the danger on a square for a man of this kind: 0 if it is not attacked, 1 if not by
    /// a man of less worth, 2 if by one.
    #[inline(always)]
    pub fn danger(&self, role: usize, to: usize) -> usize {
        has(&self.attacked, to) + has(&self.lesser[role % 8], to)
    }

    /// Returns 1 if a man of this kind gives check from a square, else 0.
    #[inline(always)]
    pub fn check(&self, role: usize, to: usize) -> usize {
        has(&self.checks[role % 8], to)
    }

    /// Returns what a man of this kind threatens from a square: 2 an officer, 1 a lesser man, 0
    /// nothing.
    #[inline(always)]
    pub fn threat(&self, role: usize, to: usize) -> usize {
        2 * has(&self.strong[role % 8], to) + has(&self.weak[role % 8], to)
    }
}
