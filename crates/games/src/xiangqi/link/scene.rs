//! A xiangqi position from the point of view of the side to move, with everything that its
//! candidates share computed once; and the light features of a candidate.

use super::features::light::set;
use super::features::{ANSWERS, CONTEXTS, LIGHT, PLANS, light};
use super::rows::man_rows;
use crate::common::classes::exceeded;
use crate::common::past::{Past, Pasts, undone};
use crate::xiangqi::attacks::{
    Attacks, DEAREST, Men, dearest, first_with, in_danger, targets, union,
};
use crate::xiangqi::board::{Board, Piece, SQUARES, Side, between, first};
use crate::xiangqi::lines::{E_FILE, Man, has, legs, one, squares};
use crate::xiangqi::order::{outcome, phase_and_stage};
use crate::xiangqi::{Position, rules};
use plypack_core::each;

/// The displacement from the first square to the second, clamped to three squares each way: below
/// 49.
pub static DISPLACEMENT: [[u8; SQUARES]; SQUARES] = {
    const fn step(from: usize, to: usize) -> usize {
        let step = (to + 3).saturating_sub(from);
        if step > 6 { 6 } else { step }
    }
    let mut rows = [[0; SQUARES]; SQUARES];
    each!(pair, SQUARES * SQUARES, {
        let (a, b) = (pair / SQUARES, pair % SQUARES);
        // Below 49, but a constant cannot use `try_from`.
        #[expect(clippy::cast_possible_truncation)]
        {
            rows[a][b] = (step(a % 9, b % 9) * 7 + step(a / 9, b / 9)) as u8;
        }
    });
    rows
};

/// The distance between two squares in steps in all eight directions.
pub static DISTANCE: [[u8; SQUARES]; SQUARES] = {
    let mut rows = [[0; SQUARES]; SQUARES];
    each!(pair, SQUARES * SQUARES, {
        let (a, b) = (pair / SQUARES, pair % SQUARES);
        let (files, ranks) = ((a % 9).abs_diff(b % 9), (a / 9).abs_diff(b / 9));
        // Below 10, but a constant cannot use `try_from`.
        #[expect(clippy::cast_possible_truncation)]
        {
            rows[a][b] = if files > ranks { files as u8 } else { ranks as u8 };
        }
    });
    rows
};

/// The outcome of each exchange, by its number within its group.
static OUTCOMES: [u8; 7 * 2 * 6 * 8] = {
    let mut outcomes = [0; 7 * 2 * 6 * 8];
    each!(number, outcomes.len(), {
        let (role, guarded) = (number / 96, number / 48 % 2 == 1);
        let taken = number % 8;
        let gain = if taken == 0 { None } else { Some(Piece::ALL[taken - 1]) };
        // Below 5, but a constant cannot use `try_from`.
        #[expect(clippy::cast_possible_truncation)]
        {
            outcomes[number] = outcome(Piece::ALL[role], guarded, number / 8 % 6, gain) as u8;
        }
    });
    outcomes
};

/// A position from the point of view of the side to move.
#[derive(Debug)]
pub struct Scene {
    /// Whether the board is rotated.
    pub turned: bool,
    /// The rotated board, on which Red is to move.
    pub(super) board: Board,
    /// Its men.
    pub men: Men,
    /// All our men.
    pub ours: u128,
    /// 0 with most pieces on the board, 3 with fewest.
    pub phase: usize,
    stage: usize,
    time: usize,
    set_up: usize,
    choice: usize,
    /// The man on each square: 0 none, 1 our king … 7 our pawn, 8 their king …
    pub at: [u8; SQUARES],
    /// Every man, with its side, and by square its index here.
    each: Vec<(usize, Man)>,
    place: [u8; SQUARES],
    /// Our attacks, and theirs.
    pub by: [Attacks; 2],
    /// Our men that they attack and exactly one of our men defends, and those that none defends.
    single: u128,
    bare: u128,
    /// The squares that they attack, by the cheapest man: pawn, advisor or elephant, horse or
    /// cannon, rook, king.
    least: [u128; 5],
    /// Their king.
    pub their_king: usize,
    watched: u128,
    /// Their men worth attacking with each kind of man.
    targets: [u128; 7],
    /// Our man most in danger: its square, its kind, and its attackers.
    hanging: Option<(usize, usize, u128)>,
    /// The last moves, on the rotated board.
    pub past: Pasts,
    chaser: Option<(u128, usize)>,
    undone: bool,
    /// The squares that block our horses and elephants, and those that block theirs.
    legs: [u128; 2],
    /// The squares that our rooks see, and those that theirs see.
    seen: [u128; 2],
    /// The squares up to those that our cannons attack, and theirs.
    aimed: [u128; 2],
}

/// Every man, with its side, and what the men of each side attack.
struct Every {
    at: [u8; SQUARES],
    each: Vec<(usize, Man)>,
    place: [u8; SQUARES],
    by: [Attacks; 2],
    seen: [u128; 2],
    aimed: [u128; 2],
}

impl Every {
    /// Looks from every man.
    #[inline(always)]
    fn new(men: &Men) -> Self {
        let mut every = Self {
            at: [0; SQUARES],
            each: Vec::with_capacity(32),
            place: [0; SQUARES],
            by: [Attacks::default(); 2],
            seen: [0; 2],
            aimed: [0; 2],
        };
        for side in 0..2 {
            for (role, &set) in men.by_role[side].iter().enumerate() {
                for from in squares(set) {
                    let man = Man::new(side, role, from, men.occupied);
                    every.by[side].add(role, man.attacks);
                    match role {
                        4 => every.seen[side] |= man.watch,
                        5 => every.aimed[side] |= man.watch,
                        _ => {}
                    }
                    every.at[from % SQUARES] = u8::try_from(side * 7 + role + 1).unwrap_or(0);
                    every.place[from % SQUARES] = u8::try_from(every.each.len()).unwrap_or(0);
                    every.each.push((side, man));
                }
            }
        }
        every
    }

    /// Returns the attacks and the kind of the man moved last, if it is theirs.
    #[inline(always)]
    fn chaser(&self, last: Past) -> Option<(u128, usize)> {
        let to = usize::from(last.to);
        let (side, man) = self.each.get(usize::from(self.place[to % SQUARES]))?;
        (*side == 1 && man.from == to).then_some((man.attacks, man.role))
    }
}

impl Scene {
    /// Looks at a position with this many candidates.
    #[inline(always)]
    pub fn new(pasts: &Pasts, position: &Position, candidates: usize) -> Self {
        let turned = position.side == Side::Black;
        let board = seated(position);
        let men = Men::of(&board);
        let [our, their] = men.by_role;
        let (ours, theirs) = (union(our), union(their));
        let every = Every::new(&men);
        let [by_us, by_them] = &every.by;
        let (cover, attacked) = (by_us.cover, by_them.cover.once);
        let turn = |square: u8| if turned { 89 - square.min(89) } else { square };
        let past = pasts.map(|past| past.map(|past| past.seen(turn)));
        let chaser = past[0].and_then(|last| every.chaser(last));
        let in_danger = in_danger(&our, &by_them.by_role, cover.once);
        let their_king = first(their[0]).map_or(0, usize::from) % SQUARES;
        let number = position.fullmove_number;
        let (phase, stage) = phase_and_stage(&board, number);
        let middle = |cannons: u128| usize::from(cannons & E_FILE != 0);
        let home = usize::from(our[4] & (1 | 1 << 8) != 0);
        let least = by_them.by_worth();
        let Every { at, each, place, by, seen, aimed } = every;
        Self {
            turned,
            men,
            ours,
            phase,
            stage,
            time: time(number),
            set_up: (middle(our[5]) * 2 + middle(their[5])) * 2 + home,
            choice: exceeded([4, 14, 24, 31, 37, 42, 48], candidates),
            at,
            each,
            place,
            by,
            single: ours & attacked & cover.once & !cover.twice & !our[0],
            bare: ours & attacked & !cover.once & !our[0],
            least,
            their_king,
            watched: rules::watch(&board, Side::Black, u8::try_from(their_king).unwrap_or(0)),
            targets: targets(theirs & !attacked & !their[0], &their),
            hanging: men.hanging(0, in_danger),
            past,
            chaser,
            undone: undone(&past),
            legs: [legs(our[3], our[2]), legs(their[3], their[2])],
            seen,
            aimed,
            board,
        }
    }

    /// Returns a square of the rotated board.
    pub fn turn(&self, square: u8) -> usize {
        let square = usize::from(square) % SQUARES;
        if self.turned { SQUARES - 1 - square } else { square }
    }

    /// Returns the cheapest of their men that attacks a square: 0 none, 1 pawn … 5 king.
    #[inline(always)]
    pub fn least(&self, at: usize) -> usize {
        first_with(&self.least, at)
    }

    /// Returns our man on a square.
    #[inline(always)]
    pub fn man(&self, at: usize) -> Man {
        let man = self.each.get(usize::from(self.place[at % SQUARES]));
        man.map_or_else(|| Man::new(0, 6, at, self.men.occupied), |(_, man)| *man)
    }

    /// Returns the man on a square that is empty or theirs: 0 none, 1 the king … 7 a pawn.
    #[inline(always)]
    pub fn taken(&self, to: usize) -> usize {
        usize::from(self.at[to % SQUARES]).saturating_sub(7)
    }

    /// Whether another of our men guards a man's destination.
    #[inline(always)]
    pub fn guarded(&self, attacks: u128, to: usize) -> usize {
        self.by[0].guard(attacks, to)
    }

    /// Returns how a move gives check: 1 by the man itself, 2 by another man, 3 by both.
    #[inline(always)]
    pub fn check(&self, from: usize, to: usize, reach: u128) -> usize {
        let direct = has(reach, self.their_king);
        let moved = one(from) | one(to);
        let uncovered = self.watched & moved != 0 && {
            let king = u8::try_from(self.their_king).unwrap_or(0);
            let occupied = self.men.occupied & !one(from) | one(to);
            let rest = self.ours & !one(from);
            rules::attacked(&self.board, Side::Black, king, occupied, rest)
        };
        direct + 2 * usize::from(uncovered)
    }

    /// Returns the class of the most valuable of their men that a move threatens: 0 none, 1 a pawn,
    /// 2 an advisor or elephant, 3 a horse or cannon, 4 a rook; and all men threatened.
    #[inline(always)]
    pub fn threats(&self, role: usize, to: usize, attacks: u128) -> (usize, u128) {
        let prey = attacks & self.targets[role % 7] & !one(to);
        (dearest(&self.men.by_role[1], prey), prey)
    }

    /// Returns the kind of the most valuable of our men in a set, from 1; 0 if there is none.
    #[inline(always)]
    fn dearest(&self, set: u128) -> usize {
        if set == 0 {
            return 0;
        }
        let men = &self.men.by_role[0];
        DEAREST.into_iter().find(|&role| men[role] & set != 0).map_or(0, |role| role + 1)
    }

    /// Returns the kind, from 1, of the man moved last if it attacks a square; else 0.
    #[inline(always)]
    pub fn chaser(&self, at: usize) -> usize {
        let chaser = self.chaser.filter(|(reach, _)| has(*reach, at) == 1);
        chaser.map_or(0, |(_, role)| role + 1)
    }

    /// Returns a square's relation to their king: 0 on neither its file nor its rank, 1 to 4 on its
    /// file with 0 to 3 men between, 5 to 8 on its rank.
    #[inline(always)]
    fn aim(&self, at: usize, occupied: u128) -> usize {
        let king = u8::try_from(self.their_king).unwrap_or(0);
        let men = between(u8::try_from(at).unwrap_or(0), king, occupied);
        let across = usize::from(at / 9 == self.their_king / 9);
        men.map_or(0, |men| 1 + 4 * across + men.min(3) as usize)
    }

    /// Fills the light slots of a candidate.
    #[inline(always)]
    pub fn see(&self, origin: &Origin, to: u8, slots: &mut [u16; LIGHT]) {
        let (from, to, role) = (origin.from, self.turn(to), origin.role);
        let number = usize::from(origin.rows[to % SQUARES]);
        let place = role * 90 + to;
        let taken = self.taken(to);
        let captures = usize::from(taken > 0);
        let least = self.least(to);
        let guarded = self.guarded(origin.attacks, to);
        let exchange = ((role * 2 + guarded) * 6 + least) * 8 + taken;
        let outcome = usize::from(OUTCOMES[exchange % OUTCOMES.len()]);
        let safe = usize::from(outcome > 0);

        let folded = match origin.folded {
            None => number,
            Some(_) if from % 9 == 4 && to % 9 < 5 => number,
            Some(rows) => usize::from(rows[mirrored(to) % SQUARES]),
        };
        set(slots, light::FOLDED, folded);
        set(slots, light::TIME, self.time * 630 + place);
        set(slots, light::SET_UP, self.set_up * 630 + place);
        self.see_past(origin, to, taken, outcome, slots);
        set(slots, light::TO, self.phase * 630 + place);
        set(slots, light::FROM, self.phase * 630 + role * 90 + from);
        set(slots, light::EXCHANGE, exchange);
        set(slots, light::LEAVE, origin.leave + outcome);
        set(slots, light::CHASED, origin.chased + outcome);

        let occupied = self.men.occupied & !one(from) | one(to);
        let Man { reach, attacks, freedom, .. } = Man::new(0, role, to, occupied);
        let check = self.check(from, to, reach);
        set(slots, light::CHECK, (check * 7 + role) * 5 + outcome);
        let gives_check = usize::from(check > 0);
        set(slots, light::CHOICE, ((self.choice * 2 + captures) * 2 + safe) * 2 + gives_check);
        let (most, prey) = self.threats(role, to, attacks);
        let several = usize::from(prey & prey.wrapping_sub(1) != 0);
        set(slots, light::THREAT, ((most * 2 + several) * 7 + role) * 5 + outcome);
        set(slots, light::KING, origin.king + usize::from(DISTANCE[self.their_king][to % SQUARES]));
        if role == 4 || role == 5 {
            let aim = origin.aim * 9 + self.aim(to, occupied);
            set(slots, light::AIM, (role - 4) * 81 + aim);
        }
        if let 3..=5 = role {
            let gained = (freedom + 7).saturating_sub(origin.freedom.min(7)).min(14);
            set(slots, light::FREEDOM, (gained * 3 + role - 3) * 4 + self.phase);
        }
        let (answer, piece) = match self.hanging {
            None => (0, 0),
            Some((square, piece, _)) if square == from => (1, piece),
            Some((_, piece, attackers)) if has(attackers, to) == 1 => (2, piece),
            Some((square, piece, _)) => (3 * has(attacks, square), piece),
        };
        set(slots, light::HANGING, ((answer * 7 + piece) * 7 + role) * 5 + outcome);
        let front = if to < 81 { usize::from(self.at[(to + 9) % SQUARES]) } else { 0 };
        set(slots, light::FRONT, (front * 10 + to / 9) * 7 + role);
        let lost = origin.attacks & self.single & !attacks;
        set(slots, light::UNDEFENDS, (self.dearest(lost) * 7 + role) * 2 + safe);
        let covered = attacks & self.bare & !one(from);
        set(slots, light::DEFENDS, (self.dearest(covered) * 7 + role) * 2 + safe);
        let pair = |sets: [u128; 2]| has(sets[0], to) * 2 + has(sets[1], to);
        set(slots, light::LEGS, ((origin.legs * 4 + pair(self.legs)) * 7 + role) * 4 + self.phase);
        set(slots, light::LINES, (origin.lines * 4 + pair(self.seen)) * 7 + role);
        set(slots, light::SCREENS, (origin.screened * 4 + pair(self.aimed)) * 7 + role);
    }

    /// Fills the slots for what a candidate has to do with the last moves.
    #[inline(always)]
    fn see_past(
        &self,
        origin: &Origin,
        to: usize,
        taken: usize,
        outcome: usize,
        slots: &mut [u16; LIGHT],
    ) {
        let (from, role) = (origin.from, origin.role);
        let number = usize::from(origin.rows[to % SQUARES]);
        let [last, own, _, fourth] = self.past;
        if let Some(last) = last {
            set(slots, light::ANSWER, shared(played(last), number, ANSWERS as u64));
            set(slots, light::REPLY, (last.man() * 7 + role) * 5 + outcome);
            let near = usize::from(DISPLACEMENT[usize::from(last.to) % SQUARES][to % SQUARES]);
            set(slots, light::NEAR_THEIRS, (near * 7 + usize::from(last.role)) * 7 + role);
        }
        let mut again = 0;
        if let Some(own) = own {
            set(slots, light::PLAN, shared(played(own), number, PLANS as u64));
            let both = last.map_or(0, played) * 630 + played(own);
            set(slots, light::CONTEXT, shared(both, number, CONTEXTS as u64));
            let near = usize::from(DISPLACEMENT[usize::from(own.to) % SQUARES][to % SQUARES]);
            set(slots, light::NEAR_OURS, (near * 7 + usize::from(own.role)) * 7 + role);
            if usize::from(own.to) == from {
                again = 1 + usize::from(usize::from(own.from) == to);
            }
        }
        let retakes = match last {
            Some(last) if usize::from(last.to) == to => 1 + usize::from(last.captured),
            _ => 0,
        };
        set(slots, light::RETAKE, ((retakes * 7 + role) * 8 + taken) * 5 + outcome);
        set(slots, light::AGAIN, (again * 7 + self.stage) * 7 + role);
        let same =
            fourth.is_some_and(|past| usize::from(past.from) == from && usize::from(past.to) == to);
        let repeat = usize::from(again == 2) * 4 + usize::from(self.undone) * 2 + usize::from(same);
        set(slots, light::REPEAT, repeat * 7 + role);
    }
}

/// Returns a position's board with Red to move: rotated, with the sides exchanged, if it is Black.
#[inline(always)]
fn seated(position: &Position) -> Board {
    let turned = position.side == Side::Black;
    let mut board = Board::default();
    for (side, seat) in [(position.side, Side::Red), (position.side.other(), Side::Black)] {
        for piece in Piece::ALL {
            let men = position.board.pieces(piece) & position.board.side(side);
            let men = if turned { men.reverse_bits() >> (128 - SQUARES) } else { men };
            board.put_all(men, seat, piece);
        }
    }
    board
}

/// Returns the stretch of the game for a move number.
pub fn time(number: u32) -> usize {
    match number {
        0..=10 => number.saturating_sub(1) as usize,
        11..=13 => 10,
        14..=18 => 11,
        19..=28 => 12,
        29..=45 => 13,
        _ => 14,
    }
}

/// Returns a square with left and right swapped.
fn mirrored(square: usize) -> usize {
    square / 9 * 9 + 8 - square % 9
}

/// Returns the man and destination of a move as a number below 630.
pub fn played(past: Past) -> u32 {
    u32::from(past.role) * 90 + u32::from(past.to)
}

/// Returns the number of a move after others, a hash below `most`.
#[inline(always)]
pub fn shared(before: u32, row: usize, most: u64) -> usize {
    let all = before.wrapping_mul(4096).wrapping_add(u32::try_from(row).unwrap_or(0));
    let hash = u64::from(all.wrapping_mul(0x9e37_79b1));
    // The upper bits decide.
    usize::try_from((hash * most) >> 32).unwrap_or(0)
}

/// What all moves of one man share: numbers of features without the destination's part.
pub struct Origin {
    from: usize,
    role: usize,
    attacks: u128,
    freedom: usize,
    /// The numbers of its moves by destination, and of the mirrored ones if they may count.
    rows: &'static [u16; SQUARES],
    folded: Option<&'static [u16; SQUARES]>,
    leave: usize,
    chased: usize,
    king: usize,
    aim: usize,
    legs: usize,
    lines: usize,
    screened: usize,
}

impl Origin {
    /// Looks at the man on a square, given from Red's point of view.
    #[inline(always)]
    pub fn new(scene: &Scene, from: u8) -> Self {
        let from = scene.turn(from);
        let man = scene.man(from);
        let role = man.role;
        let pair = |sets: [u128; 2]| has(sets[0], from) * 2 + has(sets[1], from);
        let guarded = has(scene.by[0].cover.once, from);
        Self {
            from,
            role,
            attacks: man.attacks,
            freedom: man.freedom,
            rows: man_rows(role, from),
            folded: (from % 9 > 3).then(|| man_rows(role, mirrored(from))),
            leave: ((role * 6 + scene.least(from)) * 2 + guarded) * 5,
            chased: (scene.chaser(from) * 7 + role) * 5,
            king: (role * 10 + usize::from(DISTANCE[scene.their_king][from])) * 10,
            aim: if role == 4 || role == 5 { scene.aim(from, scene.men.occupied) } else { 0 },
            legs: pair(scene.legs),
            lines: pair(scene.seen),
            screened: pair(scene.aimed),
        }
    }
}
