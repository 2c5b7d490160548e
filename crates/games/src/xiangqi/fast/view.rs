//! The view of a position in `line.fast`, computed once for all its candidates.

use crate::common::cover::Cover;
use crate::common::past::Past;
use crate::xiangqi::Position;
use crate::xiangqi::attacks::{Sets, union};
use crate::xiangqi::board::{HALVES, PALACES, Piece, SQUARES, Side, pawns_to, squares};
use crate::xiangqi::lines::{A_FILE, E_FILE, I_FILE, Lines};
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

/// Returns the halves of each set. A loop: long arrays' `map` is not inlined.
#[inline(always)]
fn planes<const SETS: usize>(sets: [u128; SETS]) -> [Plane; SETS] {
    let mut all = [[0; 2]; SETS];
    for (to, set) in all.iter_mut().zip(sets) {
        *to = plane(set);
    }
    all
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

/// Returns the squares that a king attacks.
#[inline(always)]
pub(in crate::xiangqi) fn by_king(side: Side, king: u128) -> u128 {
    beside(king) & PALACES[side as usize]
}

/// Returns the squares that advisors attack.
#[inline(always)]
pub(in crate::xiangqi) fn by_advisors(side: Side, advisors: u128) -> [u128; 4] {
    diagonals(advisors).map(|set| set & PALACES[side as usize])
}

/// Returns the squares a step away along files and ranks.
#[inline(always)]
pub(in crate::xiangqi) fn beside(set: u128) -> u128 {
    up(set) | down(set) | east(set) | west(set)
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

/// The men of a position with a side to move.
struct Men {
    us: Side,
    them: Side,
    ours: u128,
    theirs: u128,
    occupied: u128,
    empty: u128,
    /// Both sides' men by kind, from king 0 to pawn 6.
    kinds: Sets,
}

/// The attacks of all rooks and cannons, and of some of them.
#[derive(Default)]
struct Sliders {
    /// Of ours.
    by_us: Cover<u128>,
    /// Of our cannons.
    our_cannon: u128,
    /// Of their rooks, and of their cannons.
    rook: u128,
    cannon: u128,
    /// Of the man moved last.
    chased: u128,
}

/// The attacks of our men: all, and by worth.
struct Ours {
    cover: Cover<u128>,
    pawn: u128,
    minor: u128,
    officer: u128,
}

/// The attacks of their men by worth: pawns, advisors and elephants, horses and cannons, rooks, the
/// king.
struct Theirs {
    pawn: u128,
    minor: u128,
    officer: u128,
    rook: u128,
    king: u128,
}

impl Theirs {
    /// Returns all squares that they attack.
    #[inline(always)]
    fn all(&self) -> u128 {
        self.pawn | self.minor | self.officer | self.rook | self.king
    }

    /// Returns the number of the least man that attacks a square, in three planes.
    #[inline(always)]
    fn least(&self) -> [Plane; 3] {
        let Self { pawn, minor, officer, rook, king } = *self;
        let to_minor = pawn | minor;
        let to_officer = to_minor | officer;
        let (minor, officer) = (minor & !pawn, officer & !to_minor);
        let (rook, king) = (rook & !to_officer, king & !(to_officer | rook));
        planes([pawn | officer | king, minor | officer, rook | king])
    }

    /// Returns, by our man's kind, the squares that a man of less worth attacks.
    #[inline(always)]
    fn lesser(&self) -> [Plane; 8] {
        let to_minor = self.pawn | self.minor;
        let to_officer = to_minor | self.officer;
        planes([0, self.pawn, self.pawn, to_minor, to_officer, to_minor, 0, 0])
    }
}

/// Adds attacks to a cover, and returns their union.
#[inline(always)]
fn add_all<const SETS: usize>(cover: &mut Cover<u128>, sets: [u128; SETS]) -> u128 {
    let mut all = 0;
    for set in sets {
        cover.add(set);
        all |= set;
    }
    all
}

impl Men {
    #[inline(always)]
    fn new(position: &Position) -> Self {
        let board = &position.board;
        let (us, them) = (position.side, position.side.other());
        let (ours, theirs) = (board.side(us), board.side(them));
        let occupied = ours | theirs;
        let kinds = Piece::ALL.map(|piece| board.pieces(piece));
        Self { us, them, ours, theirs, occupied, empty: BOARD & !occupied, kinds }
    }

    /// Looks along the lines of rooks and cannons. `last` is the man moved last, or none.
    #[inline(always)]
    fn sliders(&self, last: u128) -> Sliders {
        let mut all = Sliders::default();
        for from in squares(self.kinds[4]) {
            let set = Lines::new(from.into(), self.occupied).seen;
            all.by_us.add(set & of_square(self.ours, from));
            all.rook |= set & of_square(self.theirs, from);
            all.chased |= set & of_square(last, from);
        }
        for from in squares(self.kinds[5]) {
            let set = Lines::new(from.into(), self.occupied).beyond;
            let own = set & of_square(self.ours, from);
            all.by_us.add(own);
            all.our_cannon |= own;
            all.cannon |= set & of_square(self.theirs, from);
            all.chased |= set & of_square(last, from);
        }
        all
    }

    /// Returns the attacks of our men, with those of rooks and cannons.
    #[inline(always)]
    fn ours(&self, sliders: &Sliders) -> Ours {
        let Self { us, ours, empty, kinds, .. } = *self;
        let mut cover = sliders.by_us;
        let horse = add_all(&mut cover, by_horses(kinds[3] & ours, empty));
        let elephant = add_all(&mut cover, by_elephants(us, kinds[2] & ours, empty));
        let advisor = add_all(&mut cover, by_advisors(us, kinds[1] & ours));
        cover.add(by_king(us, kinds[0] & ours));
        let pawn = add_all(&mut cover, by_pawns(us, kinds[6] & ours));
        Ours { cover, pawn, minor: elephant | advisor, officer: sliders.our_cannon | horse }
    }

    /// Returns the attacks of their men, likewise.
    #[inline(always)]
    fn theirs(&self, sliders: &Sliders) -> Theirs {
        let Self { them, theirs, empty, kinds, .. } = *self;
        Theirs {
            pawn: union(by_pawns(them, kinds[6] & theirs)),
            minor: union(by_elephants(them, kinds[2] & theirs, empty))
                | union(by_advisors(them, kinds[1] & theirs)),
            officer: sliders.cannon | union(by_horses(kinds[3] & theirs, empty)),
            rook: sliders.rook,
            king: by_king(them, kinds[0] & theirs),
        }
    }

    /// Returns the squares that the man moved last attacks, if it is not a rook or cannon.
    #[inline(always)]
    fn chased(&self, last: u128) -> u128 {
        let Self {
            them,
            empty,
            kinds: [king, advisors, elephants, horses, rooks, cannons, pawns],
            ..
        } = *self;
        let mut chased = union(by_horses(last & horses, empty));
        if last & !(rooks | cannons | horses) != 0 {
            chased |= union(by_elephants(them, last & elephants, empty))
                | union(by_advisors(them, last & advisors))
                | by_king(them, last & king)
                | union(by_pawns(them, last & pawns));
        }
        chased
    }

    /// Returns the planes of every man's status: guarded; attacked, but by none of less worth;
    /// attacked by one of less worth.
    #[inline(always)]
    fn status(&self, by_us: &Ours, by_them: &Theirs) -> [Plane; 3] {
        let Self {
            ours, theirs, occupied, kinds: [kings, .., horses, rooks, cannons, pawns], ..
        } = *self;
        let (attacked, once) = (by_them.all(), by_us.cover.once);
        let (officers, not_pawns) = (horses | cannons, occupied & !pawns);
        let lesser = |pawn: u128, minor: u128, officer: u128, any: u128| {
            kings & any | pawn & not_pawns | minor & officers | (pawn | minor | officer) & rooks
        };
        let lesser = ours & lesser(by_them.pawn, by_them.minor, by_them.officer, attacked)
            | theirs & lesser(by_us.pawn, by_us.minor, by_us.officer, once);
        let any = ours & attacked | theirs & once;
        planes([ours & once | theirs & attacked, any & !lesser, lesser])
    }

    /// Returns, by kind, the squares from which our men threaten these men; pawns have their own.
    #[inline(always)]
    fn threat(&self, prey: u128, bare: u128, for_pawns: u128) -> [u128; 8] {
        let (rook, cannon) = aimed(prey, bare, self.occupied);
        // From where a pawn of ours would come if it were theirs.
        let pawn = union(by_pawns(self.them, for_pawns));
        [0, 0, 0, horses_at(prey, self.empty), rook, cannon, pawn, 0]
    }

    /// Returns, by kind, the squares from which our men threaten an officer of sufficient worth,
    /// and from which they threaten only a lesser man.
    #[inline(always)]
    fn threats(&self, attacked: u128) -> [[Plane; 8]; 2] {
        let Self { theirs, kinds: [kings, advisors, elephants, horses, rooks, cannons, _], .. } =
            *self;
        let officers = horses | cannons;
        let bare = theirs & !attacked;
        let (dear, light) = (rooks & theirs | officers & bare, bare & !(rooks | officers | kings));
        let strong = self.threat(dear, bare, (rooks | officers) & theirs);
        let weak = self.threat(light, bare, (advisors | elephants) & theirs);
        let weak = std::array::from_fn(|role| plane(weak[role] & !strong[role]));
        [planes(strong), weak]
    }
}

impl View {
    /// Returns the view of a position after the opponent's move `last`.
    #[inline(always)]
    pub fn new(position: &Position, last: Option<Past>) -> Self {
        let men = Men::new(position);
        let Men { us, ours, theirs, occupied, empty, kinds, .. } = men;
        let [kings, advisors, elephants, horses, rooks, cannons, pawns] = kinds;
        let last = last.map_or(0, |last| 1 << last.to) & theirs;
        let sliders = men.sliders(last);
        let (by_us, by_them) = (men.ours(&sliders), men.theirs(&sliders));
        let (cover, attacked) = (by_us.cover, by_them.all());
        let [strong, weak] = men.threats(attacked);

        // A cannon attacks the squares to which it goes only when it captures there.
        let mut defended = [plane(cover.twice); 8];
        defended[5] = plane(cover.twice | cover.once & !theirs);

        let their_king = (kings & theirs).trailing_zeros() as usize % SQUARES;
        let lines = Lines::new(their_king, occupied);
        let horse_checks = horses_at(kings & theirs, empty);
        let pawn_checks = pawns_to(us, u8::try_from(their_king).unwrap_or(0));
        let checks = [0, 0, 0, horse_checks, lines.seen, lines.beyond, pawn_checks, 0];

        let black = us == Side::Black;
        let (phase, stage) = phase_and_stage(&position.board, position.fullmove_number);
        let middle = |men: u128| usize::from(cannons & men & E_FILE != 0);
        let corners = if black { 1 << 81 | 1 << 89 } else { 1 | 1 << 8 };
        let home = usize::from(rooks & ours & corners != 0);
        let turned_king = if black { SQUARES - 1 - their_king } else { their_king };
        Self {
            black,
            time: time(position.fullmove_number),
            set_up: (middle(ours) * 2 + middle(theirs)) * 2 + home,
            phase,
            stage,
            target: (turned_king % 9 + 6) % 9 % 3 + (9 - turned_king / 9) % 3 * 3,
            ours,
            // King 0, advisor 1, elephant 2, horse 3, rook 4, cannon 5, pawn 6.
            roles: planes([
                advisors | horses | cannons,
                elephants | horses | pawns,
                rooks | cannons | pawns,
            ]),
            taken: planes([
                (kings | elephants | rooks | pawns) & theirs,
                (advisors | elephants | cannons | pawns) & theirs,
                (horses | rooks | cannons | pawns) & theirs,
            ]),
            attacked: plane(attacked),
            lesser: by_them.lesser(),
            least: by_them.least(),
            once: plane(cover.once),
            defended,
            chased: plane(sliders.chased | men.chased(last)),
            status: men.status(&by_us, &by_them),
            checks: planes(checks),
            strong,
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
