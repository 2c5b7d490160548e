//! The light features of a candidate: those shared by its man's moves, and those that its
//! destination adds.

use cozy_chess::{Color, Move, Square, get_pawn_attacks};

use super::features::light::set;
use super::features::{LIGHT, add, light};
use crate::chess::attacks::{attacks, square};
use crate::chess::default::rows;
use crate::chess::default::scene::{NOWHERE, Scene};
use crate::chess::order::{DISTANCE, OUTCOME};
use crate::chess::sets::{A_FILE, above, beside, bit, few};

/// Facts shared by all moves of a man.
pub struct Origin {
    role: usize,
    /// The features without the destination's part.
    slots: [u16; LIGHT],
    /// The number of its first move, and each destination's offset from it.
    first_move: usize,
    moves_before: &'static [u8; 64],
    /// Our man most in danger: see [`Scene::hanging`].
    hanging: (u64, usize, u64),
    /// The destinations that give discovered check.
    uncovers: u64,
    /// The factor of the destination's file state; not 0 only for rooks and queens.
    file_step: usize,
    /// The destination that undoes its side's last move; [`NOWHERE`] if another man made that move.
    back: usize,
    /// The destination that repeats its side's last move but one, likewise.
    same: usize,
}

impl Origin {
    /// Looks at the man on a square, as White sees it.
    pub fn new(scene: &Scene, hanging: (u64, usize, u64), from: Square) -> Self {
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
        let (_, kind, _) = hanging;
        set(light::HANGING, (kind * 6 + role) * 5);
        if let Some(last) = scene.past[0] {
            set(light::NEAR_THEIRS, usize::from(last.role) * 6 + role);
            let kind = last.man();
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
            hanging,
            uncovers: scene.uncovers(from),
            file_step,
            back: own.map_or(NOWHERE, |own| own.from.into()),
            same: same.map_or(NOWHERE, |past| past.to.into()),
        }
    }

    /// Fills the light slots of a candidate: adds the destination's part to what its man's moves
    /// share.
    pub fn see(&self, scene: &Scene, mv: Move, slots: &mut [u16; LIGHT]) {
        let (from, to, castles) = scene.squares_of(mv);
        let role = self.role;
        let taken = scene.taken(role, from, to, castles);
        let captures = usize::from(taken > 0);
        let least = scene.least.at(to);
        let guarded = scene.guarded(role, from, to, castles);
        let exchange = role * 128 + guarded * 64 + least * 8 + taken;
        let outcome = OUTCOME.get(exchange).map_or(0, |&outcome| usize::from(outcome));
        let safe = usize::from(outcome > 0);
        let promoted = mv.promotion.map_or(0, |piece| piece as usize);
        let standing = if promoted > 0 { promoted } else { role };
        let mut set = |slot, more| add(slots, &self.slots, slot, more);

        match (castles, to % 8 == 6) {
            (false, _) => set(light::MOVE, usize::from(self.moves_before[to % 64])),
            (true, true) => set(light::MOVE, usize::from(rows::CASTLING_SHORT.0) - self.first_move),
            (true, false) => set(light::MOVE, usize::from(rows::CASTLING_LONG.0) - self.first_move),
        }
        set(light::TIME, to);
        set(light::WINGS, to * 9);
        set(light::TO, to * 4);
        set(light::FROM, 0);
        set(light::EXCHANGE, least * 72 + guarded * 36 + taken);
        set(light::LEAVE, outcome);
        let check = bit(scene.checks[standing % 8], to) + 2 * bit(self.uncovers, to);
        set(light::CHECK, check * 30 + outcome);
        let retakes = scene.retakes(to);
        set(light::RETAKE, retakes * 180 + taken * 5 + outcome);
        set(light::PROMOTION, 0);
        let back = usize::from(to == self.back);
        set(light::AGAIN, back * 24);
        set(light::CHASED, outcome);

        let reach = attacks(standing, to, scene.occupied & !(1 << from));
        let (threatened, most) = scene.threats(standing, to, reach);
        let several = usize::from(threatened & threatened.wrapping_sub(1) != 0);
        set(light::THREAT, most * 60 + several * 30 + outcome);
        set(light::KING, usize::from(DISTANCE[scene.their_king][to % 64]) * 8);
        set(light::FILE, scene.file_state(to) * self.file_step);
        let evasion = || {
            let kind = match role {
                5 => 0,
                _ if bit(scene.checkers, to) == 1 => 1,
                _ => 2,
            };
            kind * 60 + outcome * 2 + usize::from(least > 0)
        };
        set(light::EVASION, if scene.checkers == 0 { 0 } else { evasion() });
        let (man, _, attackers) = self.hanging;
        let answer = if bit(man, from) == 1 {
            1
        } else if bit(attackers, to) == 1 {
            2
        } else {
            3 * usize::from(reach & man != 0)
        };
        set(light::HANGING, answer * 180 + outcome);
        set(light::NEAR_THEIRS, usize::from(scene.near_theirs[to % 64]) * 36);
        set(light::NEAR_OURS, usize::from(scene.near_ours[to % 64]) * 36);
        set(light::REPEAT, back * 24 + usize::from(to == self.same) * 6);
        let gives_check = usize::from(check > 0);
        set(light::CHOICE, captures * 4 + safe * 2 + gives_check);
        let front = if to >= 56 { 0 } else { scene.man_at(to + 8) };
        set(light::FRONT, front * 48 + to / 8 * 6);
        set(light::REPLY, if scene.last_to < 64 { outcome } else { 0 });
        if role == 0 {
            see_pawn(scene, [from, to], least, captures, slots);
        }
        if promoted > 0 {
            light::set(slots, light::PROMOTION, (promoted.min(4) * 2 + captures) * 5 + outcome);
        }
    }
}

/// Fills the groups of pawn moves.
fn see_pawn(
    scene: &Scene,
    [from, to]: [usize; 2],
    least: usize,
    captures: usize,
    slots: &mut [u16; LIGHT],
) {
    let [our, their] = &scene.men.by_kind;
    let file = A_FILE << (to % 8);
    let beside = beside(to);
    let passed = usize::from(their[0] & (file | beside) & above(to) == 0);
    set(slots, light::PASSED, (passed * 8 + to / 8) * 4 + scene.phase);
    let levers = get_pawn_attacks(square(to), Color::White).0 & their[0];
    let supports = get_pawn_attacks(square(to), Color::Black).0 & our[0] & !(1 << from);
    let lone = usize::from(our[0] & beside & !(1 << from) == 0);
    let place = ((few(levers) * 3 + few(supports)) * 2 + lone) * 3 + least.min(2);
    set(slots, light::PAWN, place * 2 + captures);
}
