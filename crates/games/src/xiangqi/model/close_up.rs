//! The heavy features of a candidate: the move is played, and what either side could then capture
//! is worked out man by man.

use super::exchange::{Attacks, Capture, WORTH};
use super::features::heavy::set;
use super::features::{HEAVY, heavy};
use super::rows::row;
use super::scene::{Scene, few};
use crate::common::worth::{Value, gain_class, loss_class};
use crate::xiangqi::Move;
use crate::xiangqi::board::{PALACES, Side};
use crate::xiangqi::lines::{Man, has};
use crate::xiangqi::rules::legal_moves;

/// A scene, and what else the heavy features need.
pub struct CloseUp<'a> {
    scene: &'a Scene,
    /// What they could capture now, if it were their move, and what we can.
    risk: Capture,
    prospect: Capture,
    balance: usize,
}

impl<'a> CloseUp<'a> {
    /// Works out what all candidates share.
    #[inline(always)]
    pub fn new(scene: &'a Scene) -> Self {
        let men = &scene.men;
        let worth = |side: usize| {
            let worth =
                |role: usize| WORTH[role] * men.by_role[side][role].count_ones().cast_signed();
            (1..7).map(worth).sum::<i32>()
        };
        Self {
            scene,
            risk: men.best_capture(&scene.by, 1),
            prospect: men.best_capture(&scene.by, 0),
            balance: gain_class(worth(0) - worth(1)),
        }
    }

    /// Fills the heavy slots of a candidate, except the last two. Returns its row of the net's
    /// output and its apparent value.
    #[inline(always)]
    pub fn look(&self, mv: Move, slots: &mut [u16; HEAVY]) -> (u16, Value) {
        let scene = self.scene;
        let men = &scene.men;
        let (from, to) = (scene.turn(mv.from), scene.turn(mv.to));
        let before = scene.man(from);
        let role = before.role;
        let taken = scene.taken(to);
        let captures = usize::from(taken > 0);
        let gain = taken.checked_sub(1).map_or(0, |taken| WORTH[taken % 7]);
        let after = men.after(role, from, to);
        let moved = Man::new(0, role, to, after.occupied);
        let by = scene.attacks_after(&moved, from, after.occupied);
        let won = after.won(&by, role, to, gain);
        let value = gain_class(won);
        let safe = usize::from(won >= 0);
        let check = scene.check(from, to, moved.reach);

        set(slots, heavy::CAPTURE, (role * 8 + taken) * 7 + value);
        set(slots, heavy::VALUE, (role * 7 + value) * 4 + scene.phase);
        set(slots, heavy::VALUE_CHECK, (check * 7 + role) * 7 + value);
        set(slots, heavy::BALANCE, (self.balance * 8 + taken) * 7 + value);
        if let Some(last) = scene.past[0] {
            let captured = usize::from(last.captured);
            let retakes = if usize::from(last.to) == to { 1 + captured } else { 0 };
            set(slots, heavy::VALUE_RETAKE, ((retakes * 7 + role) * 8 + taken) * 7 + value);
            let before = usize::from(last.role) * 2 + captured;
            set(slots, heavy::VALUE_REPLY, (before * 7 + role) * 7 + value);
        }
        let (most, _) = scene.threats(role, to, moved.attacks);
        set(slots, heavy::VALUE_THREAT, (most * 7 + role) * 7 + value);
        set(slots, heavy::VALUE_CHASED, (scene.chaser(from) * 7 + role) * 7 + value);
        let at_origin = (scene.least(from) * 2 + has(scene.by[0].once, from)) * 7 + role;
        set(slots, heavy::ORIGIN, at_origin * 4 + safe * 2 + captures);
        let [ours, theirs] = PALACES;
        let palace = few((moved.reach | moved.attacks) & theirs) * 4
            + few((before.reach | before.attacks) & theirs);
        set(slots, heavy::PALACE, (palace * 7 + role) * 2 + safe);
        let sheltered = has(ours, to) * 2 + has(ours, from);
        set(slots, heavy::SHELTER, (sheltered * 7 + role) * 4 + scene.phase);
        let mate = if check > 0 { self.replies(from, to) } else { 0 };
        set(slots, heavy::MATE, (mate * 7 + role) * 2 + safe);
        let count = |by: &Attacks| has(by.once, to) + has(by.twice, to);
        let [guards, enemies] = [count(&by[0]), count(&by[1])];
        set(slots, heavy::COUNTS, ((enemies * 3 + guards) * 7 + role) * 2 + captures);

        let risk = after.best_capture(&by, 1);
        let prospect = after.best_capture(&by, 0);
        let endangered = kind_of(self.risk);
        let answer = if endangered == 0 {
            0
        } else if self.risk.to == from {
            1
        } else {
            2 * usize::from(risk.gain < self.risk.gain)
        };
        set(slots, heavy::DANGER, ((endangered * 3 + answer) * 7 + role) * 2 + safe);
        let classes = loss_class(risk.gain) * 6 + loss_class(self.risk.gain);
        set(slots, heavy::RISK, (classes * 7 + role) * 2 + captures);
        let checks = usize::from(check > 0);
        let itself = usize::from(risk.gain > 0 && risk.to == to);
        set(slots, heavy::LEAVES, ((kind_of(risk) * 2 + itself) * 7 + role) * 2 + checks);
        let classes = loss_class(prospect.gain) * 6 + loss_class(self.prospect.gain);
        set(slots, heavy::PROSPECT, (classes * 7 + role) * 2 + captures);
        set(slots, heavy::AIMS, (kind_of(prospect) * 8 + kind_of(self.prospect)) * 7 + role);

        let net = i8::try_from((gain - risk.gain).clamp(-100, 100)).unwrap_or(0);
        let kind = u8::try_from(captures * 7 + role).unwrap_or(0);
        (row(from, to), Value { net, kind })
    }

    /// How many replies a check leaves: 5 none, which is mate, 1 one, 2 up to three, 3 up to six, 4
    /// more.
    fn replies(&self, from: usize, to: usize) -> usize {
        let square = |square: usize| u8::try_from(square).unwrap_or(0);
        let mut board = self.scene.board.clone();
        board.play(Side::Red, square(from), square(to));
        let mut moves = Vec::new();
        legal_moves(&board, Side::Black, &mut moves);
        match moves.len() {
            0 => 5,
            1 => 1,
            2 | 3 => 2,
            4..=6 => 3,
            _ => 4,
        }
    }
}

/// The kind of the captured man, from 1; 0 if nothing can be gained.
fn kind_of(capture: Capture) -> usize {
    if capture.gain > 0 { 1 + capture.role } else { 0 }
}
