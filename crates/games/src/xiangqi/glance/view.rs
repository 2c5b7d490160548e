//! What `line.fast` sees of a position, worked out once for all its candidates.

use crate::xiangqi::Position;
use crate::xiangqi::board::{HALVES, PALACES, Piece, SQUARES, Side, pawns_to, squares};
use crate::xiangqi::lines::{A_FILE, E_FILE, I_FILE, Lines};
use crate::xiangqi::model::features::Past;
use crate::xiangqi::model::scene::time;
use crate::xiangqi::order::phase_and_stage;

/// A set of squares in two halves, of which one is asked without shifting 128 bits.
pub type Plane = [u64; 2];

/// The halves of a set.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "one half, then the other")]
const fn plane(set: u128) -> Plane {
    [set as u64, (set >> 64) as u64]
}

/// 1 if the set has the square, else 0.
#[inline(always)]
pub fn has(plane: &Plane, at: usize) -> usize {
    (plane[at / 64 % 2] >> (at % 64) & 1) as usize
}

/// The number whose bits three planes hold for a square.
#[inline(always)]
fn octal(planes: &[Plane; 3], at: usize) -> usize {
    has(&planes[0], at) | has(&planes[1], at) << 1 | has(&planes[2], at) << 2
}

/// A position, seen by the side to move. Squares are those of the board, not rotated.
#[derive(Debug)]
pub struct View {
    /// Whether Black is to move.
    pub black: bool,
    /// Which stretch of the game it is, how the opening is set up, and how far the game has got.
    pub time: usize,
    /// See `time`.
    pub set_up: usize,
    /// See `time`.
    pub phase: usize,
    /// See `time`.
    pub stage: usize,
    /// Where in his palace their king is: his file less 3, and 3 for each rank from his last.
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
    /// The squares that our men attack; and, by our man's kind, those that another attacks.
    once: Plane,
    defended: [Plane; 8],
    /// What the man that moved last attacks.
    chased: Plane,
    /// Of every man: whether one of his side guards him; whether an enemy attacks him, but none of
    /// less worth; whether one of less worth does.
    status: [Plane; 3],
    /// By kind: from where it gives check.
    checks: [Plane; 8],
    /// By kind: from where it threatens an officer that is worth it, and from where only a lesser
    /// man.
    strong: [Plane; 8],
    weak: [Plane; 8],
}

/// What men attack, at least one of them and at least two.
#[derive(Clone, Copy, Debug, Default)]
struct Cover {
    once: u128,
    twice: u128,
}

impl Cover {
    /// Adds what one man attacks, or several that attack no square in common.
    #[inline(always)]
    fn add(&mut self, set: u128) {
        self.twice |= self.once & set;
        self.once |= set;
    }
}

/// All squares.
pub(in crate::xiangqi) const BOARD: u128 = (1 << SQUARES) - 1;

/// The squares one file towards the end, and towards the beginning.
#[inline(always)]
pub(in crate::xiangqi) fn east(set: u128) -> u128 {
    (set & !I_FILE) << 1
}

#[inline(always)]
pub(in crate::xiangqi) fn west(set: u128) -> u128 {
    (set & !A_FILE) >> 1
}

/// The squares one rank up, and down.
#[inline(always)]
pub(in crate::xiangqi) fn up(set: u128) -> u128 {
    set << 9 & BOARD
}

#[inline(always)]
pub(in crate::xiangqi) fn down(set: u128) -> u128 {
    set >> 9
}

/// The squares that horses attack, in eight directions.
#[inline(always)]
pub(in crate::xiangqi) fn by_horses(horses: u128, empty: u128) -> [u128; 8] {
    let [n, s] = [up(horses) & empty, down(horses) & empty].map(|legs| [east(legs), west(legs)]);
    let [e, w] = [east(horses) & empty, west(horses) & empty].map(|legs| [up(legs), down(legs)]);
    [up(n[0]), up(n[1]), down(s[0]), down(s[1]), east(e[0]), east(e[1]), west(w[0]), west(w[1])]
}

/// The squares from which horses attack one of these.
#[inline(always)]
fn horses_at(targets: u128, empty: u128) -> u128 {
    let (e, w) = (east(targets), west(targets));
    let [ne, se, nw, sw] = [up(e), down(e), up(w), down(w)].map(|legs| legs & empty);
    up(ne | nw) | down(se | sw) | east(ne | se) | west(nw | sw)
}

/// The squares a step away on the diagonals.
#[inline(always)]
pub(in crate::xiangqi) fn diagonals(set: u128) -> [u128; 4] {
    let (e, w) = (east(set), west(set));
    [up(e), down(e), up(w), down(w)]
}

/// The squares that elephants of a side attack.
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

/// The squares from which rooks attack one of these men, if he is bare, and from which cannons do.
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

/// All squares if the set has this one, else none.
#[inline(always)]
fn of_square(set: u128, at: u8) -> u128 {
    let at = usize::from(at);
    let bit = u128::from(has(&plane(set), at) == 0);
    bit.wrapping_sub(1)
}

/// The squares that pawns of a side attack: ahead, and beyond the river to either side.
#[inline(always)]
pub(in crate::xiangqi) fn by_pawns(side: Side, pawns: u128) -> [u128; 3] {
    let ahead = if side == Side::Red { up(pawns) } else { down(pawns) };
    let across = pawns & !HALVES[side as usize];
    [ahead, east(across), west(across)]
}

impl View {
    /// The view of a position, the opponent having moved `last`.
    #[inline(always)]
    #[must_use]
    pub fn new(position: &Position, last: Option<Past>) -> Self {
        let board = &position.board;
        let us = position.side;
        let them = us.other();
        let (ours, theirs) = (board.side(us), board.side(them));
        let occupied = ours | theirs;
        let [kings, advisors, elephants, horses, rooks, cannons, pawns] =
            Piece::ALL.map(|piece| board.pieces(piece));

        // Who moved last, and what he attacks.
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
        // By a man of less worth, and by any.
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
        // From where a pawn of ours would come, had he been theirs.
        let [strong_pawn, weak_pawn] =
            [rooks | officers, advisors | elephants].map(|men| any(by_pawns(them, men & theirs)));
        let strong = [0u128, 0, 0, strong_horse, strong_rook, strong_cannon, strong_pawn, 0];
        let weak = [0, 0, 0, weak_horse, weak_rook, weak_cannon, weak_pawn, 0];
        let weak = std::array::from_fn(|role| plane(weak[role] & !strong[role]));

        // A cannon attacks where he goes only if he takes.
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

    /// A square as the side to move sees it.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self, at: usize) -> u8 {
        // Below 90.
        #[expect(clippy::cast_possible_truncation)]
        let at = at as u8;
        if self.black { 89u8.wrapping_sub(at) } else { at }
    }

    /// The kind of our man on a square, from king 0 to pawn 6.
    #[inline(always)]
    #[must_use]
    pub fn role(&self, at: usize) -> usize {
        octal(&self.roles, at)
    }

    /// The kind of the opponent's man on a square, from king 1; 0 none.
    #[inline(always)]
    #[must_use]
    pub fn taken(&self, at: usize) -> usize {
        octal(&self.taken, at)
    }

    /// The opponent's least man that attacks a square: 0 none, 1 pawn … 5 king.
    #[inline(always)]
    #[must_use]
    pub fn least_at(&self, at: usize) -> usize {
        octal(&self.least, at)
    }

    /// Whether one of our men attacks a square.
    #[inline(always)]
    #[must_use]
    pub fn covered(&self, at: usize) -> usize {
        has(&self.once, at)
    }

    /// The status of the man on a square: 0 if nobody attacks him, 2 if somebody does, but none of
    /// less worth, 4 if one of less worth does; 1 more if he is guarded.
    #[inline(always)]
    #[must_use]
    pub fn status(&self, at: usize) -> usize {
        has(&self.status[0], at) + 2 * has(&self.status[1], at) + 4 * has(&self.status[2], at)
    }

    /// Whether the man that moved last attacks a square.
    #[inline(always)]
    #[must_use]
    pub fn chased(&self, at: usize) -> usize {
        has(&self.chased, at)
    }

    /// 1 if another of our men than the one of kind `role` that goes there attacks a square, else
    /// 0.
    #[inline(always)]
    #[must_use]
    pub fn defended(&self, role: usize, to: usize) -> usize {
        has(&self.defended[role % 8], to)
    }

    /// Who attacks a square: nobody 0, none of less worth than a man of this kind 1, or one 2.
    #[inline(always)]
    #[must_use]
    pub fn danger(&self, role: usize, to: usize) -> usize {
        has(&self.attacked, to) + has(&self.lesser[role % 8], to)
    }

    /// 1 if a man of this kind gives check from a square, else 0.
    #[inline(always)]
    #[must_use]
    pub fn check(&self, role: usize, to: usize) -> usize {
        has(&self.checks[role % 8], to)
    }

    /// What a man of this kind threatens from a square: an officer 2, a lesser man 1, or 0.
    #[inline(always)]
    #[must_use]
    pub fn threat(&self, role: usize, to: usize) -> usize {
        2 * has(&self.strong[role % 8], to) + has(&self.weak[role % 8], to)
    }
}
