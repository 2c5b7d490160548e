//! A chess position as the features see it, from the point of view of the side to move; facts
//! shared by its candidates are computed once.

use cozy_chess::{BitBoard, Color, Move, Piece, get_line_rays};

use super::exchange::{Men, WORTH};
use super::past::castled;
use crate::chess::Position;
use crate::chess::attacks::{attacks, attacks_of, by_pawns, square};
use crate::chess::order::phase_of;
use crate::chess::sets::{DISPLACEMENT, Octal, bit, fill_files, squares};
use crate::chess::threats::{checks, in_danger, targets};
use crate::common::classes::exceeded;
use crate::common::cover::Cover;
use crate::common::past::{Past, Pasts, undone};

/// Returns the displacement of each square from a move's destination; 0 without a move.
#[inline(always)]
fn around(past: Option<Past>) -> &'static [u8; 64] {
    past.map_or(&[0; 64], |past| &DISPLACEMENT[usize::from(past.to) % 64])
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
    pub time: usize,
    pub wings: usize,
    pub choice: usize,
    /// The squares that each of our men attacks, and each of theirs except pawns.
    pub reach: [u64; 64],
    /// Squares that at least one of our men attacks, and that at least two do.
    pub once: u64,
    pub twice: u64,
    /// The squares that they attack.
    pub attacked: u64,
    /// Their least attacker: 0 none, 1 pawn, 2 knight or bishop, 3 rook, 4 queen, 5 king.
    pub least: Octal,
    /// The man on each square: 0 none, 1 pawn of theirs … 6 king, 7 pawn of ours … 12 king.
    pub men_at: [u8; 64],
    pub by_our_pawns: u64,
    /// The squares that their bishops, rooks and queens attack.
    pub by_their_sliders: u64,
    pub our_king: usize,
    pub their_king: usize,
    pub checkers: u64,
    /// The squares from which each kind of man gives check; eight entries for three bits.
    pub checks: [u64; 8],
    /// Our men that give discovered check when they leave their line.
    pub covers: u64,
    /// Their men worth attacking with each kind of man, likewise.
    pub victims: [u64; 8],
    /// Our men that the opponent gains by capturing, as far as visible at once.
    in_danger: u64,
    pub past: Pasts,
    /// The squares that the man that the opponent moved last attacks, and its kind.
    pub chaser: Option<(u64, usize)>,
    /// Whether the opponent's last move undid the one before.
    pub undone: bool,
    /// The destination of the opponent's last move, or [`NOWHERE`]; and 2 if it captured, else 1.
    pub last_to: usize,
    pub retake: usize,
    /// The displacement of each square from that destination, and from that of our last move.
    pub near_theirs: &'static [u8; 64],
    pub near_ours: &'static [u8; 64],
    /// The files with our pawns, and with theirs.
    pub files: [u64; 2],
}

/// The squares that all men together attack.
struct Attacks {
    cover: Cover<u64>,
    by_our_pawns: u64,
    /// The squares that their men of each kind attack.
    by_them: [u64; 6],
}

impl Attacks {
    /// Looks from every man: notes it on its square, and the squares that it attacks.
    #[inline(always)]
    fn new(men: &Men, men_at: &mut [u8; 64], reach: &mut [u64; 64]) -> Self {
        let ([our, their], occupied) = (&men.by_kind, men.occupied);
        let [west, east] = by_pawns(our[0], true);
        let mut cover = Cover { once: west | east, twice: west & east };
        for from in squares(their[0]) {
            men_at[from % 64] = 1;
        }
        for from in squares(our[0]) {
            men_at[from % 64] = 7;
            reach[from % 64] = attacks(0, from, occupied);
        }
        for ((role, &men), code) in our.iter().enumerate().zip(7..).skip(1) {
            for from in squares(men) {
                let to = attacks(role, from, occupied);
                (men_at[from % 64], reach[from % 64]) = (code, to);
                cover.add(to);
            }
        }
        let mut by = |role: u8| {
            let code = role + 1;
            let role = usize::from(role);
            squares(their[role]).fold(0, |all, at| {
                let to = attacks(role, at, occupied);
                (men_at[at % 64], reach[at % 64]) = (code, to);
                all | to
            })
        };
        let [a, h] = by_pawns(their[0], false);
        let by_them = [a | h, by(1), by(2), by(3), by(4), by(5)];
        Self { cover, by_our_pawns: west | east, by_them }
    }
}

impl Scene {
    /// Looks at a position with this many candidates.
    #[inline(always)]
    pub fn new(pasts: &Pasts, position: &Position, candidates: usize) -> Self {
        let board = &position.board;
        let us = board.side_to_move();
        let turn = if us == Color::White { 0 } else { 56 };
        let seen = |set: BitBoard| if turn == 0 { set.0 } else { set.0.swap_bytes() };
        let all = Piece::ALL.map(|piece| seen(board.pieces(piece)));
        let men = Men::new([us, !us].map(|side| all.map(|set| set & seen(board.colors(side)))));
        let ([our, their], [ours, theirs], occupied) = (men.by_kind, men.sides, men.occupied);

        let (mut men_at, mut reach) = ([0; 64], [0; 64]);
        let all = Attacks::new(&men, &mut men_at, &mut reach);
        let [pawn, knight, bishop, rook, queen, king] = all.by_them;
        let by_them = [pawn, knight | bishop, rook, queen, king];
        let (least, attacked) = Octal::cheapest(by_them);
        let Cover { once, twice } = all.cover;
        let [our_king, their_king] =
            [our, their].map(|kinds| kinds[5].trailing_zeros() as usize % 64);
        let (checks, covers) = checks(their_king, Color::White, &our, occupied);
        let [(our_worth, pawns), (their_worth, their_pawns)] = [&our, &their].map(worth);
        let absolute = u8::try_from(turn).unwrap_or(0);
        let past = pasts.map(|past| past.map(|past| past.seen(|square| square ^ absolute)));
        let chaser = past[0].and_then(|last| {
            let to = usize::from(last.to);
            let role = usize::from(men_at[to % 64].checked_sub(1)?) % 6;
            let pawn = || attacks_of(Color::Black, 0, to, 0);
            Some((if role == 0 { pawn() } else { reach[to % 64] }, role))
        });
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
            choice: exceeded([4, 9, 17, 25, 32, 39, 47], candidates),
            reach,
            once,
            twice,
            attacked,
            least,
            men_at,
            by_our_pawns: all.by_our_pawns,
            by_their_sliders: bishop | rook | queen,
            our_king,
            their_king,
            checkers: seen(board.checkers()),
            checks,
            covers,
            victims: targets(theirs & !attacked & !their[5], &their),
            in_danger: in_danger(&our, by_them, once),
            past,
            chaser,
            undone: undone(&past),
            last_to: past[0].map_or(NOWHERE, |last| last.to.into()),
            retake: past[0].map_or(0, |last| 1 + usize::from(last.captured)),
            near_theirs: around(past[0]),
            near_ours: around(past[1]),
            files: [fill_files(our[0]), fill_files(their[0])],
        }
    }

    /// Returns our man most in danger: its square as a set, its kind from 1, and its attackers.
    pub fn hanging(&self) -> (u64, usize, u64) {
        let hanging = self.men.hanging(0, self.in_danger);
        hanging.map_or((0, 0, 0), |(man, role, attackers)| (man, role + 1, attackers))
    }

    /// Returns the phase, for the judge.
    #[inline(always)]
    pub fn phase(&self) -> u8 {
        u8::try_from(self.phase).unwrap_or(0)
    }

    /// Returns which pawns are on a square's file: 1 ours, 2 theirs, 3 both.
    #[inline(always)]
    pub fn file_state(&self, at: usize) -> usize {
        bit(self.files[0], at) + 2 * bit(self.files[1], at)
    }

    #[inline(always)]
    pub fn man_at(&self, at: usize) -> usize {
        usize::from(self.men_at[at % 64])
    }

    /// Returns the kind of our man on a square, from pawn 0 to king 5.
    #[inline(always)]
    pub fn role_at(&self, at: usize) -> usize {
        self.man_at(at).saturating_sub(7) % 6
    }

    /// Returns the squares of a move, as the side to move sees them, and whether it castles.
    /// Castling goes to the king's new square.
    #[inline(always)]
    pub fn squares_of(&self, mv: Move) -> (usize, usize, bool) {
        let (from, to) = (mv.from as usize ^ self.turn, mv.to as usize ^ self.turn);
        if self.man_at(to) > 6 {
            (from, castled(from, to) as usize, true)
        } else {
            (from, to, false)
        }
    }

    /// Returns what a move to an empty or enemy square captures: 0 nothing, 1 a pawn … 5 a queen.
    #[inline(always)]
    pub fn taken(&self, role: usize, from: usize, to: usize, castles: bool) -> usize {
        let taken = self.man_at(to);
        if castles {
            0
        } else if role == 0 && from % 8 != to % 8 {
            // The destination of an en passant capture is empty.
            taken.max(1)
        } else {
            taken
        }
    }

    /// Returns 1 if the opponent's last move went to this square, 2 if it captured; else 0.
    #[inline(always)]
    pub fn retakes(&self, to: usize) -> usize {
        usize::from(to == self.last_to) * self.retake
    }

    /// Whether another of our men guards a move's destination.
    #[inline(always)]
    pub fn guarded(&self, role: usize, from: usize, to: usize, castles: bool) -> usize {
        // The moving man is among the attackers of the square, except a pawn that moves straight.
        let ahead = role == 0 && from % 8 == to % 8;
        bit(if ahead || castles { self.once } else { self.twice }, to)
    }

    /// Returns their men that a move threatens, and the class of the most valuable: 0 none, 1 a
    /// pawn, 2 a minor piece, 3 a rook, 4 the queen.
    #[inline(always)]
    pub fn threats(&self, standing: usize, to: usize, reach: u64) -> (u64, usize) {
        let threatened = reach & self.victims[standing % 8] & !(1 << to);
        let [_, knights, bishops, rooks, queens, _] = self.men.by_kind[1];
        let most = usize::from(threatened != 0)
            .max(2 * usize::from(threatened & (knights | bishops) != 0))
            .max(3 * usize::from(threatened & rooks != 0))
            .max(4 * usize::from(threatened & queens != 0));
        (threatened, most)
    }

    /// Returns the destinations of our man on a square that give discovered check.
    #[inline(always)]
    pub fn uncovers(&self, from: usize) -> u64 {
        if bit(self.covers, from) == 1 {
            !get_line_rays(square(self.their_king), square(from)).0
        } else {
            0
        }
    }

    /// Returns the kind, from 1, of the man that moved last if it attacks a square; else 0.
    #[inline(always)]
    pub fn chaser(&self, at: usize) -> usize {
        let chaser = self.chaser.filter(|(reach, _)| bit(*reach, at) == 1);
        chaser.map_or(0, |(_, role)| role + 1)
    }
}

/// Returns the worth of a side's pieces without its pawns and its king, and the number of its
/// pawns.
#[inline(always)]
fn worth(kinds: &[u64; 6]) -> (u32, u32) {
    let pieces = (1..5).map(|role| WORTH[role].unsigned_abs() * kinds[role].count_ones());
    (pieces.sum(), kinds[0].count_ones())
}

/// Returns the time: pairs of plies up to the 24th, then fours.
#[inline(always)]
fn time(position: &Position) -> usize {
    let ply = 2 * position.fullmove_number.saturating_sub(1).min(39)
        + u32::from(position.board.side_to_move() == Color::Black);
    let time = if ply < 24 { ply / 2 } else { 12 + (ply - 24) / 4 };
    time as usize
}

/// Returns the wing of a king: files a to c, d and e, f to h.
#[inline(always)]
fn wing(king: usize) -> usize {
    exceeded([2, 4], king % 8)
}

/// No square.
pub const NOWHERE: usize = 64;
