//! A chess position as the features see it, from the point of view of the side to move, with
//! everything that its candidates share worked out once; and the light features of a candidate.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_between_rays, get_line_rays, get_pawn_attacks,
};

use super::exchange::{Men, WORTH};
use super::features::light::set;
use super::features::{LIGHT, Past, State, light};
use super::rows;
use crate::chess::Position;
use crate::chess::attacks::{attacks, square};
use crate::chess::order::{DISTANCE, OUTCOME, phase_of};

/// The squares of the a-file.
pub const A_FILE: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const H_FILE: u64 = A_FILE << 7;

/// 1 if the set has the square, else 0.
pub fn bit(set: u64, at: usize) -> usize {
    (set >> (at % 64) & 1) as usize
}

/// The squares of a set, lowest first.
pub fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// How many squares a set has, at most 3.
pub fn few(mut set: u64) -> usize {
    // Most sets are empty. Without branches compilers make slower code.
    let mut count = 0;
    while set != 0 && count < 3 {
        set &= set - 1;
        count += 1;
    }
    count
}

/// The displacement of the second square from the first, clamped to three squares each way: below
/// 49.
pub static DISPLACEMENT: [[u8; 64]; 64] = {
    const fn step(from: usize, to: usize) -> usize {
        let step = (to + 3).saturating_sub(from);
        if step > 6 { 6 } else { step }
    }
    let mut rows = [[0; 64]; 64];
    let mut pair = 0usize;
    while pair < 64 * 64 {
        let (a, b) = (pair / 64, pair % 64);
        // Below 49, but a constant cannot use `try_from`.
        #[expect(clippy::cast_possible_truncation)]
        {
            rows[a][b] = (step(a % 8, b % 8) * 7 + step(a / 8, b / 8)) as u8;
        }
        pair += 1;
    }
    rows
};

/// The displacement of each square from a move's destination; 0 without a move.
fn around(past: Option<Past>) -> &'static [u8; 64] {
    past.map_or(&[0; 64], |past| &DISPLACEMENT[usize::from(past.to) % 64])
}

/// Three planes that hold a number from 0 to 7 for each square.
#[derive(Clone, Copy, Debug, Default)]
pub struct Octal([u64; 3]);

impl Octal {
    pub fn at(self, square: usize) -> usize {
        let [ones, twos, fours] = self.0;
        bit(ones, square) | bit(twos, square) << 1 | bit(fours, square) << 2
    }
}

/// A position, seen by the side to move.
#[derive(Debug)]
pub struct Scene {
    /// What squares are XORed with: 0 for White, 56 for Black.
    pub turn: usize,
    pub men: Men,
    pub ours: u64,
    pub theirs: u64,
    pub occupied: u64,
    /// 0 with most pieces on the board, 3 with fewest.
    pub phase: usize,
    /// Our material minus theirs, in pawns.
    pub balance: i32,
    time: usize,
    wings: usize,
    choice: usize,
    /// What each of our men attacks, and each of theirs except pawns.
    pub reach: [u64; 64],
    /// Squares that at least one of our men attacks, and that at least two do.
    pub once: u64,
    pub twice: u64,
    /// What they attack.
    pub attacked: u64,
    /// Their least attacker: 0 none, 1 pawn, 2 knight or bishop, 3 rook, 4 queen, 5 king.
    pub least: Octal,
    /// The man on each square: 0 none, 1 pawn of theirs … 6 king, 7 pawn of ours … 12 king.
    men_at: [u8; 64],
    pub by_our_pawns: u64,
    /// What their bishops, rooks and queens attack.
    pub by_their_sliders: u64,
    pub our_king: usize,
    pub their_king: usize,
    checkers: u64,
    /// The squares from which each kind of man gives check; eight entries for three bits.
    pub checks: [u64; 8],
    /// Our men that uncover a check when they leave their line.
    covers: u64,
    /// Their men worth attacking with each kind of man, likewise.
    victims: [u64; 8],
    /// Our man most in danger: its square as a set, its kind from 1, and its attackers.
    hanging: (u64, usize, u64),
    pub past: [Option<Past>; 4],
    /// What the man that the opponent moved last attacks, and its kind.
    chaser: Option<(u64, usize)>,
    /// Whether the opponent's last move undid the one before.
    undone: bool,
    /// The destination of the opponent's last move, or [`NOWHERE`]; and 2 if it captured, else 1.
    last_to: usize,
    retake: usize,
    /// The displacement of each square from there, and from the destination of our last move.
    near_theirs: &'static [u8; 64],
    near_ours: &'static [u8; 64],
    /// The files with our pawns, and with theirs.
    files: [u64; 2],
}

/// All squares of the files on which a set has squares.
fn fill_files(set: u64) -> u64 {
    let set = set | set >> 32;
    let set = set | set >> 16;
    let set = (set | set >> 8) & 0xff;
    set * A_FILE
}

impl Scene {
    /// Looks at a position with this many candidates.
    pub fn new(state: &State, position: &Position, candidates: usize) -> Self {
        let board = &position.board;
        let us = board.side_to_move();
        let turn = if us == Color::White { 0 } else { 56 };
        let seen = |set: BitBoard| if turn == 0 { set.0 } else { set.0.swap_bytes() };
        let (ours, theirs) = (seen(board.colors(us)), seen(board.colors(!us)));
        let all = Piece::ALL.map(|piece| seen(board.pieces(piece)));
        let (our, their) = (all.map(|set| set & ours), all.map(|set| set & theirs));
        let occupied = ours | theirs;

        let mut reach = [0; 64];
        let (west, east) = ((our[0] & !A_FILE) << 7, (our[0] & !H_FILE) << 9);
        let by_our_pawns = west | east;
        let (mut once, mut twice) = (by_our_pawns, west & east);
        let mut men_at = [0; 64];
        for from in squares(their[0]) {
            men_at[from % 64] = 1;
        }
        for from in squares(our[0]) {
            men_at[from % 64] = 7;
            reach[from % 64] = get_pawn_attacks(square(from), Color::White).0;
        }
        for ((role, &men), code) in our.iter().enumerate().zip(7..).skip(1) {
            for from in squares(men) {
                men_at[from % 64] = code;
                let to = attacks(role, from, occupied);
                reach[from % 64] = to;
                twice |= once & to;
                once |= to;
            }
        }
        let by_pawn = (their[0] & !A_FILE) >> 9 | (their[0] & !H_FILE) >> 7;
        let mut by = |role: u8| {
            let code = role + 1;
            let role = usize::from(role);
            squares(their[role]).fold(0, |all, at| {
                men_at[at % 64] = code;
                let to = attacks(role, at, occupied);
                reach[at % 64] = to;
                all | to
            })
        };
        let (by_knight, by_bishop, by_rook, by_queen, by_king) =
            (by(1), by(2), by(3), by(4), by(5));
        let by_minor = by_knight | by_bishop;
        // A square belongs to its cheapest attacker, so each kind leaves out what cheaper ones
        // attack. The three planes then spell the kind's number in binary.
        let low = by_pawn | by_minor;
        let minor = by_minor & !by_pawn;
        let rook = by_rook & !low;
        let queen = by_queen & !low & !by_rook;
        let king = by_king & !low & !by_rook & !by_queen;
        let least = Octal([by_pawn | rook | king, minor | rook, queen | king]);
        let attacked = low | by_rook | by_queen | by_king;

        let our_king = our[5].trailing_zeros() as usize % 64;
        let their_king = their[5].trailing_zeros() as usize % 64;
        let diagonal = attacks(2, their_king, occupied);
        let straight = attacks(3, their_king, occupied);
        let pawn_checks = get_pawn_attacks(square(their_king), Color::Black).0;
        let knight_checks = attacks(1, their_king, occupied);
        // Remove our men in view of their king: a slider of ours that comes into view only now had
        // one of them in its way.
        let mut covers = 0;
        let behind = attacks(2, their_king, occupied ^ diagonal & ours) & (our[2] | our[4])
            | attacks(3, their_king, occupied ^ straight & ours) & (our[3] | our[4]);
        for slider in squares(behind & !(diagonal | straight)) {
            covers |= get_between_rays(square(their_king), square(slider)).0 & ours;
        }

        let bare = theirs & !attacked & !their[5];
        let majors = their[3] | their[4];
        let pieces = majors | their[1] | their[2];

        let in_danger = (by_pawn & !our[0]
            | by_minor & (our[3] | our[4])
            | by_rook & our[4]
            | attacked & !once)
            & ours
            & !our[5];
        let hanging = (0..5).rev().find_map(|role| {
            let men = in_danger & our[role];
            (men != 0).then(|| (men & men.wrapping_neg(), role + 1))
        });
        let men = Men::new([our, their]);
        let hanging = hanging.map_or((0, 0, 0), |(man, kind)| {
            (man, kind, men.attackers(man.trailing_zeros() as usize) & theirs)
        });

        let [(our_worth, pawns), (their_worth, their_pawns)] = [&our, &their].map(worth);
        let absolute = u8::try_from(turn).unwrap_or(0);
        let past = state.past.map(|past| {
            past.map(|past| Past { from: past.from ^ absolute, to: past.to ^ absolute, ..past })
        });
        let chaser = past[0].and_then(|last| {
            let to = usize::from(last.to);
            let role = usize::from(men_at[to % 64].checked_sub(1)?) % 6;
            let pawn = || get_pawn_attacks(square(to), Color::Black).0;
            Some((if role == 0 { pawn() } else { reach[to % 64] }, role))
        });
        let undone = past[0]
            .zip(past[2])
            .is_some_and(|(last, before)| before.to == last.from && before.from == last.to);
        Self {
            turn,
            men,
            ours,
            theirs,
            occupied,
            phase: phase_of(our_worth + their_worth),
            balance: (our_worth + pawns).cast_signed() - (their_worth + their_pawns).cast_signed(),
            time: time(position),
            wings: wing(our_king) * 3 + wing(their_king),
            choice: match candidates {
                0..=4 => 0,
                5..=9 => 1,
                10..=17 => 2,
                18..=25 => 3,
                26..=32 => 4,
                33..=39 => 5,
                40..=47 => 6,
                _ => 7,
            },
            reach,
            once,
            twice,
            attacked,
            least,
            men_at,
            by_our_pawns,
            by_their_sliders: by_bishop | by_rook | by_queen,
            our_king,
            their_king,
            checkers: seen(board.checkers()),
            checks: [pawn_checks, knight_checks, diagonal, straight, diagonal | straight, 0, 0, 0],
            covers,
            victims: [
                bare | pieces,
                bare | majors,
                bare | majors,
                bare | their[4],
                bare,
                bare,
                0,
                0,
            ],
            hanging,
            past,
            chaser,
            undone,
            last_to: past[0].map_or(NOWHERE, |last| last.to.into()),
            retake: past[0].map_or(0, |last| 1 + usize::from(last.captured)),
            near_theirs: around(past[0]),
            near_ours: around(past[1]),
            files: [fill_files(our[0]), fill_files(their[0])],
        }
    }

    /// The phase, for the judge.
    pub fn phase(&self) -> u8 {
        u8::try_from(self.phase).unwrap_or(0)
    }

    /// The active inputs of the net.
    pub fn inputs(&self, board: &Board, inputs: &mut Vec<u16>) {
        let mut add = |input: usize| inputs.push(u16::try_from(input).unwrap_or(0));
        for (side, kinds) in self.men.by_kind.iter().enumerate() {
            for (role, &men) in kinds.iter().enumerate() {
                for at in squares(men) {
                    add((side * 6 + role) * 64 + at);
                }
            }
        }
        for (number, past) in self.past[..2].iter().enumerate() {
            if let Some(past) = past {
                add(768 + number * 128 + usize::from(past.from));
                add(768 + number * 128 + 64 + usize::from(past.to));
            }
        }
        let us = board.side_to_move();
        for (side, color) in [us, !us].into_iter().enumerate() {
            let rights = board.castle_rights(color);
            if rights.short.is_some() {
                add(1024 + 2 * side);
            }
            if rights.long.is_some() {
                add(1025 + 2 * side);
            }
        }
        add(1028);
    }

    /// Which pawns are on a square's file: 1 ours, 2 theirs, 3 both.
    fn file_state(&self, at: usize) -> usize {
        bit(self.files[0], at) + 2 * bit(self.files[1], at)
    }

    fn man_at(&self, at: usize) -> usize {
        usize::from(self.men_at[at % 64])
    }

    /// The kind of our man on a square, from pawn 0 to king 5.
    pub fn role_at(&self, at: usize) -> usize {
        self.man_at(at).saturating_sub(7) % 6
    }

    /// The squares of a move, as the side to move sees them, and whether it castles. Castling goes
    /// to the king's new square.
    pub fn squares_of(&self, mv: Move) -> (usize, usize, bool) {
        let (from, to) = (mv.from as usize ^ self.turn, mv.to as usize ^ self.turn);
        if self.man_at(to) > 6 {
            (from, from / 8 * 8 + if from < to { 6 } else { 2 }, true)
        } else {
            (from, to, false)
        }
    }

    /// What a move to an empty or enemy square captures: 0 nothing, 1 a pawn … 5 a queen.
    pub fn taken(&self, role: usize, from: usize, to: usize, castles: bool) -> usize {
        let taken = self.man_at(to);
        if castles {
            0
        } else if role == 0 && from % 8 != to % 8 {
            // An en passant capture has nothing on its square.
            taken.max(1)
        } else {
            taken
        }
    }

    /// 1 if the opponent's last move went to this square, 2 if it captured; else 0.
    pub fn retakes(&self, to: usize) -> usize {
        usize::from(to == self.last_to) * self.retake
    }

    /// Whether another of our men guards a move's destination.
    fn guarded(&self, role: usize, from: usize, to: usize, castles: bool) -> usize {
        // The moving man is among the attackers of the square, except a pawn that moves straight.
        let ahead = role == 0 && from % 8 == to % 8;
        bit(if ahead || castles { self.once } else { self.twice }, to)
    }

    /// Fills the light slots of a candidate: adds its destination's part to its origin's features.
    pub fn see(&self, origin: &Origin, mv: Move, slots: &mut [u16; LIGHT]) {
        let (from, to, castles) = self.squares_of(mv);
        let role = origin.role;
        let taken = self.taken(role, from, to, castles);
        let captures = usize::from(taken > 0);
        let least = self.least.at(to);
        let guarded = self.guarded(role, from, to, castles);
        let exchange = role * 128 + guarded * 64 + least * 8 + taken;
        let outcome = OUTCOME.get(exchange).map_or(0, |&outcome| usize::from(outcome));
        let safe = usize::from(outcome > 0);
        let promoted = mv.promotion.map_or(0, |piece| piece as usize);
        let standing = if promoted > 0 { promoted } else { role };
        let mut set = |slot, more| light::add(slots, &origin.slots, slot, more);

        match (castles, to % 8 == 6) {
            (false, _) => set(light::MOVE, usize::from(origin.moves_before[to % 64])),
            (true, true) => {
                set(light::MOVE, usize::from(rows::CASTLING_SHORT.0) - origin.first_move)
            }
            (true, false) => {
                set(light::MOVE, usize::from(rows::CASTLING_LONG.0) - origin.first_move)
            }
        }
        set(light::TIME, to);
        set(light::WINGS, to * 9);
        set(light::TO, to * 4);
        set(light::FROM, 0);
        set(light::EXCHANGE, least * 72 + guarded * 36 + taken);
        set(light::LEAVE, outcome);
        let check = bit(self.checks[standing % 8], to) + 2 * bit(origin.uncovers, to);
        set(light::CHECK, check * 30 + outcome);
        let retakes = self.retakes(to);
        set(light::RETAKE, retakes * 180 + taken * 5 + outcome);
        set(light::PROMOTION, 0);
        let back = usize::from(to == origin.back);
        set(light::AGAIN, back * 24);
        set(light::CHASED, outcome);

        let reach = attacks(standing, to, self.occupied & !(1 << from));
        let (threatened, most) = self.threats(standing, to, reach);
        let several = usize::from(threatened & threatened.wrapping_sub(1) != 0);
        set(light::THREAT, most * 60 + several * 30 + outcome);
        set(light::KING, usize::from(DISTANCE[self.their_king][to % 64]) * 8);
        set(light::FILE, self.file_state(to) * origin.file_step);
        let evasion = || {
            let kind = match role {
                5 => 0,
                _ if bit(self.checkers, to) == 1 => 1,
                _ => 2,
            };
            kind * 60 + outcome * 2 + usize::from(least > 0)
        };
        set(light::EVASION, if self.checkers == 0 { 0 } else { evasion() });
        let (man, _, attackers) = self.hanging;
        let answer = if bit(man, from) == 1 {
            1
        } else if bit(attackers, to) == 1 {
            2
        } else {
            3 * usize::from(reach & man != 0)
        };
        set(light::HANGING, answer * 180 + outcome);
        set(light::NEAR_THEIRS, usize::from(self.near_theirs[to % 64]) * 36);
        set(light::NEAR_OURS, usize::from(self.near_ours[to % 64]) * 36);
        set(light::REPEAT, back * 24 + usize::from(to == origin.same) * 6);
        let gives_check = usize::from(check > 0);
        set(light::CHOICE, captures * 4 + safe * 2 + gives_check);
        let front = if to >= 56 { 0 } else { self.man_at(to + 8) };
        set(light::FRONT, front * 48 + to / 8 * 6);
        set(light::REPLY, if self.last_to < 64 { outcome } else { 0 });
        if role == 0 {
            self.see_pawn(from, to, least, captures, slots);
        }
        if promoted > 0 {
            light::set(slots, light::PROMOTION, (promoted.min(4) * 2 + captures) * 5 + outcome);
        }
    }

    /// Their men that a move threatens, and the class of the most valuable: 0 none, 1 a pawn, 2 a
    /// minor piece, 3 a rook, 4 the queen.
    pub fn threats(&self, standing: usize, to: usize, reach: u64) -> (u64, usize) {
        let threatened = reach & self.victims[standing % 8] & !(1 << to);
        let [_, knights, bishops, rooks, queens, _] = self.men.by_kind[1];
        let most = usize::from(threatened != 0)
            .max(2 * usize::from(threatened & (knights | bishops) != 0))
            .max(3 * usize::from(threatened & rooks != 0))
            .max(4 * usize::from(threatened & queens != 0));
        (threatened, most)
    }

    /// The destinations of our man on a square that uncover a check.
    pub fn uncovers(&self, from: usize) -> u64 {
        if bit(self.covers, from) == 1 {
            !get_line_rays(square(self.their_king), square(from)).0
        } else {
            0
        }
    }

    /// The kind, from 1, of the man that moved last if it attacks a square; else 0.
    pub fn chaser(&self, at: usize) -> usize {
        let chaser = self.chaser.filter(|(reach, _)| bit(*reach, at) == 1);
        chaser.map_or(0, |(_, role)| role + 1)
    }

    /// The groups of pawn moves.
    fn see_pawn(
        &self,
        from: usize,
        to: usize,
        least: usize,
        captures: usize,
        slots: &mut [u16; LIGHT],
    ) {
        let [our, their] = &self.men.by_kind;
        let file = A_FILE << (to % 8);
        let beside = beside(to);
        let passed = usize::from(their[0] & (file | beside) & above(to) == 0);
        set(slots, light::PASSED, (passed * 8 + to / 8) * 4 + self.phase);
        let levers = get_pawn_attacks(square(to), Color::White).0 & their[0];
        let supports = get_pawn_attacks(square(to), Color::Black).0 & our[0] & !(1 << from);
        let lone = usize::from(our[0] & beside & !(1 << from) == 0);
        let place = ((few(levers) * 3 + few(supports)) * 2 + lone) * 3 + least.min(2);
        set(slots, light::PAWN, place * 2 + captures);
    }
}

/// The squares from which pawns could come to attack each square: above it on the files beside.
pub static BESIDE_ABOVE: [u64; 64] = {
    let mut sets = [0; 64];
    let mut at = 0;
    while at < 64 {
        sets[at] = beside(at) & above(at);
        at += 1;
    }
    sets
};

/// The squares on the ranks above a square's.
const fn above(at: usize) -> u64 {
    !1 << (at / 8 * 8 + 7)
}

/// The files beside a square's.
const fn beside(at: usize) -> u64 {
    let file = A_FILE << (at % 8);
    (file & !A_FILE) >> 1 | (file & !H_FILE) << 1
}

/// The worth of a side's pieces without its pawns and its king, and the number of its pawns.
fn worth(kinds: &[u64; 6]) -> (u32, u32) {
    let pieces = (1..5).map(|role| WORTH[role].unsigned_abs() * kinds[role].count_ones());
    (pieces.sum(), kinds[0].count_ones())
}

/// The time: pairs of plies up to the 24th, then fours.
fn time(position: &Position) -> usize {
    let ply = 2 * position.fullmove_number.saturating_sub(1).min(39)
        + u32::from(position.board.side_to_move() == Color::Black);
    let time = if ply < 24 { ply / 2 } else { 12 + (ply - 24) / 4 };
    time as usize
}

/// The wing of a king: files a to c, d and e, f to h.
fn wing(king: usize) -> usize {
    match king % 8 {
        0..=2 => 0,
        3 | 4 => 1,
        _ => 2,
    }
}

/// What all moves of one man share.
pub struct Origin {
    role: usize,
    /// The features without the destination's part.
    slots: [u16; LIGHT],
    /// The number of its first move, and by how much each destination's is greater.
    first_move: usize,
    moves_before: &'static [u8; 64],
    /// The destinations that uncover a check.
    uncovers: u64,
    /// The factor of the destination's file state: not 0 only for rooks and queens.
    file_step: usize,
    /// The destination that undoes its side's last move; [`NOWHERE`] if it did not make that move.
    back: usize,
    /// The destination that repeats its side's last move but one, likewise.
    same: usize,
}

/// No square.
const NOWHERE: usize = 64;

impl Origin {
    /// Looks at the man on a square, as White sees it.
    pub fn new(scene: &Scene, from: Square) -> Self {
        let from = from as usize ^ scene.turn;
        let role = scene.role_at(from);
        let own = scene.past[1].filter(|own| usize::from(own.to) == from);
        let (first_move, moves_before) = rows::man_rows(role, from);
        let Scene { phase, .. } = *scene;
        let mut slots = [0; LIGHT];
        let mut set = |slot, feature| light::set(&mut slots, slot, feature);
        set(light::MOVE, first_move);
        set(light::TIME, (scene.time * 6 + role) * 64);
        set(light::WINGS, role * 64 * 9 + scene.wings);
        set(light::TO, role * 64 * 4 + phase);
        set(light::FROM, (role * 64 + from) * 4 + phase);
        set(light::EXCHANGE, role * 6);
        let leave = scene.least.at(from) * 2 + bit(scene.once, from);
        set(light::LEAVE, (leave * 6 + role) * 5);
        set(light::CHECK, role * 5);
        set(light::RETAKE, role * 30);
        set(light::AGAIN, (usize::from(own.is_some()) * 6 + role) * 4 + phase);
        set(light::CHASED, (scene.chaser(from) * 6 + role) * 5);
        set(light::THREAT, role * 5);
        let distance = usize::from(DISTANCE[scene.their_king][from % 64]);
        set(light::KING, role * 64 + distance);
        let mut file_step = 0;
        if matches!(role, 3 | 4) {
            set(light::FILE, scene.file_state(from) * 8 + phase * 2 + role - 3);
            file_step = 32;
        }
        if scene.checkers != 0 {
            set(light::EVASION, role * 10);
        }
        let (_, kind, _) = scene.hanging;
        set(light::HANGING, (kind * 6 + role) * 5);
        if let Some(last) = scene.past[0] {
            set(light::NEAR_THEIRS, usize::from(last.role) * 6 + role);
            let kind = usize::from(last.role) * 2 + usize::from(last.captured);
            set(light::REPLY, (kind * 6 + role) * 5);
        }
        if let Some(own) = scene.past[1] {
            set(light::NEAR_OURS, usize::from(own.role) * 6 + role);
        }
        set(light::REPEAT, usize::from(scene.undone) * 12 + role);
        set(light::CHOICE, scene.choice * 8);
        set(light::FRONT, role);
        let same = scene.past[3].filter(|past| usize::from(past.from) == from);
        Self {
            role,
            slots,
            first_move,
            moves_before,
            uncovers: scene.uncovers(from),
            file_step,
            back: own.map_or(NOWHERE, |own| own.from.into()),
            same: same.map_or(NOWHERE, |past| past.to.into()),
        }
    }
}
