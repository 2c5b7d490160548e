//! The features of a candidate: exchanges and threats, computed man by man.

use cozy_chess::{
    BitBoard, Color, Move, Square, get_between_rays, get_line_rays, get_pawn_attacks,
};

use super::exchange::{CHEAPEST, WORTH};
use super::features::slot::set;
use super::features::{SLOTS, own, slot};
use super::rows;
use super::scene::{NOWHERE, Scene};
use crate::chess::Position;
use crate::chess::attacks::{attacks, by_pawns, square};
use crate::chess::order::{DISTANCE, OUTCOME};
use crate::chess::sets::{A_FILE, BESIDE_ABOVE, above, beside, bit, few, squares};
use crate::common::worth::{Value, gain_class, loss_class};

/// The number of men that attack each square, in two bit planes, up to 3.
#[derive(Clone, Copy, Default)]
struct Counts {
    ones: u64,
    twos: u64,
}

impl Counts {
    #[inline(always)]
    fn add(&mut self, set: u64) {
        let carry = self.ones & set;
        let full = self.ones & self.twos;
        self.ones = (self.ones ^ set) | (full & set);
        self.twos |= carry;
    }

    #[inline(always)]
    fn at(self, square: usize) -> usize {
        bit(self.ones, square) | bit(self.twos, square) << 1
    }
}

/// One of our men that could be captured.
#[derive(Clone, Copy, Default)]
struct Target {
    square: usize,
    /// Its kind, from pawn 1 to queen 5; its worth; the cost of losing it if it is guarded.
    kind: usize,
    worth: i32,
    guarded: i32,
    /// The gain of the opponent's best exchange there.
    loss: i32,
    attackers: u64,
    defenders: u64,
    /// The squares where one of our men would block all attackers.
    between: u64,
}

/// The moves that affect our men that could be captured.
#[derive(Clone, Copy, Default)]
struct Stakes {
    /// The squares of these men, and of men that alone defend one of them.
    origins: u64,
    /// The destinations that take the only attacker of one, or block all its attackers.
    destinations: u64,
    /// The undefended ones: a man that comes to attack such a square defends it.
    bare: u64,
}

/// Facts shared by all moves of one of our men.
pub struct Man {
    /// Its square.
    pub on: Square,
    role: usize,
    /// The parts of some groups that do not depend on the move.
    leave: usize,
    shelter: usize,
    repeat: usize,
    /// Of the group `chased`; none at the start of a line.
    chased: Option<usize>,
    /// The destinations that give discovered check.
    uncovers: u64,
    /// The squares that it attacks.
    reach: u64,
    /// The number of these squares that are not ours, and of those around their king.
    squares: i32,
    zone: usize,
    /// Whether a slider of theirs attacks it.
    by_slider: bool,
    /// Its distance from their king.
    distance: usize,
    /// The state of its file.
    file: usize,
    /// The destination that undoes its side's last move, and the one that repeats its last move but
    /// one; [`NOWHERE`] if another man made that move.
    back: usize,
    same: usize,
}

/// A scene, and the other facts that the heavy features need.
pub struct CloseUp<'a> {
    scene: &'a Scene,
    our_counts: Counts,
    their_counts: Counts,
    our_zone: u64,
    their_zone: u64,
    pinned: u64,
    targets: [Target; 16],
    target_count: usize,
    stakes: Stakes,
    /// The first of the men whose loss costs most.
    worst: Target,
    /// The most that one of their captures gains now, and its class.
    risk: i32,
    risk_class: usize,
}

impl<'a> CloseUp<'a> {
    /// Computes the facts shared by all candidates.
    #[inline(always)]
    pub fn new(scene: &'a Scene, position: &'a Position) -> Self {
        let board = &position.board;
        let [our, their] = &scene.men.by_kind;
        let mut our_counts = Counts::default();
        by_pawns(our[0], true).into_iter().for_each(|set| our_counts.add(set));
        for from in squares(scene.ours & !our[0]) {
            our_counts.add(scene.reach[from % 64]);
        }
        let mut their_counts = Counts::default();
        by_pawns(their[0], false).into_iter().for_each(|set| their_counts.add(set));
        for from in squares(scene.theirs & !their[0]) {
            their_counts.add(scene.reach[from % 64]);
        }
        let seen = |set: BitBoard| if scene.turn == 0 { set.0 } else { set.0.swap_bytes() };
        let mut close = Self {
            scene,
            our_counts,
            their_counts,
            our_zone: attacks(5, scene.our_king, 0) | 1 << scene.our_king,
            their_zone: attacks(5, scene.their_king, 0) | 1 << scene.their_king,
            pinned: seen(board.pinned()) & scene.ours,
            targets: [Target::default(); 16],
            target_count: 0,
            stakes: Stakes::default(),
            worst: Target::default(),
            risk: 0,
            risk_class: 0,
        };
        close.find_targets();
        close.risk_class = loss_class(close.risk);
        close
    }

    /// Finds our men that could be captured, now or if a defender leaves.
    #[inline(always)]
    fn find_targets(&mut self) {
        let Scene { men, ours, theirs, .. } = self.scene;
        for at in squares(ours & self.scene.attacked & !men.by_kind[0][5]).take(16) {
            let around = men.attackers(at);
            let (attackers, defenders) = (around & theirs, around & ours);
            let role = self.scene.role_at(at);
            let worth = WORTH[role];
            let cheapest = self.scene.least.at(at);
            let guarded = (worth - CHEAPEST[cheapest]).max(0);
            let loss = if defenders == 0 {
                worth
            } else if attackers & attackers.wrapping_sub(1) == 0 {
                if cheapest == 5 { 0 } else { guarded }
            } else {
                let role = (0..6).find(|&role| attackers & men.by_kind[1][role] != 0);
                let role = role.unwrap_or(5);
                let from = (attackers & men.by_kind[1][role]).trailing_zeros() as usize;
                men.exchange(1, from % 64, at, role, worth).max(0)
            };
            let between = squares(attackers)
                .fold(!0, |all, from| all & get_between_rays(square(from), square(at)).0);
            let target = Target {
                square: at,
                kind: role + 1,
                worth,
                guarded,
                loss,
                attackers,
                defenders,
                between,
            };
            let lone = |set: u64| if set & set.wrapping_sub(1) == 0 { set } else { 0 };
            self.stakes.origins |= 1 << at | lone(defenders);
            self.stakes.destinations |= between | lone(attackers);
            self.stakes.bare |= u64::from(defenders == 0) << at;
            self.targets[self.target_count % 16] = target;
            self.target_count += 1;
            if loss > self.worst.loss {
                self.worst = target;
            }
            self.risk = self.risk.max(loss);
        }
    }

    /// Looks at the man on a square.
    #[inline(always)]
    pub fn man(&self, on: Square) -> Man {
        let scene = self.scene;
        let from = on as usize ^ scene.turn;
        let role = scene.role_at(from);
        let reach = scene.reach[from % 64];
        let made = scene.past[1].filter(|own| usize::from(own.to) == from);
        let before = scene.past[3].filter(|past| usize::from(past.from) == from);
        let chased = scene.past[0]
            .map(|last| (last.man() * 2 + usize::from(scene.chaser(from) > 0)) * 6 + role);
        let sheltered = bit(self.our_zone, from);
        Man {
            on,
            role,
            leave: (scene.least.at(from) * 2 + bit(scene.once, from)) * 6 + role,
            shelter: (bit(self.pinned, from) * 4 + sheltered) * 24 + role * 4 + scene.phase,
            repeat: (usize::from(scene.undone) * 6 + role) * 4 + scene.phase,
            chased,
            uncovers: scene.uncovers(from),
            reach,
            squares: (reach & !scene.ours).count_ones().cast_signed(),
            zone: few(reach & self.their_zone),
            by_slider: bit(scene.by_their_sliders, from) == 1,
            distance: usize::from(DISTANCE[scene.their_king % 64][from % 64]),
            file: scene.file_state(from),
            back: made.map_or(NOWHERE, |made| made.from.into()),
            same: before.map_or(NOWHERE, |past| past.to.into()),
        }
    }

    /// Fills the slots of a man's candidate, except the last two. Returns its row of the net's
    /// output and its apparent value.
    #[inline(always)]
    pub fn look(&self, man: &Man, mv: Move, slots: &mut [u16; SLOTS]) -> (u16, Value) {
        let scene = self.scene;
        let men = &scene.men;
        let (from, to, castles) = scene.squares_of(mv);
        let role = man.role;
        let phase = scene.phase;
        let taken = scene.taken(role, from, to, castles);
        let captures = usize::from(taken > 0);
        let gain = taken.checked_sub(1).map_or(0, |taken| WORTH[taken % 6]);
        let promoted = mv.promotion.map_or(0, |piece| piece as usize);
        let standing = if promoted > 0 { promoted } else { role };
        let promotion_gain = if promoted > 0 { WORTH[promoted % 6] - 1 } else { 0 };

        let least = scene.least.at(to);
        let guarded = scene.guarded(role, from, to, castles);
        let exchange = role * 128 + guarded * 64 + least * 8 + taken;
        let outcome = OUTCOME.get(exchange).map_or(0, |&outcome| usize::from(outcome));
        // One of their sliders may attack the square through the man that moves.
        let [.., bishops, rooks, queens, _] = men.by_kind[1];
        let x_rayed = man.by_slider
            && get_line_rays(square(from), square(to)).0 & (bishops | rooks | queens) != 0;
        let won = if castles || least == 0 && !x_rayed {
            gain
        } else {
            men.exchange(0, from, to, role, gain)
        };
        let value = gain_class(won);
        let safe = usize::from(won >= 0);
        let check = bit(scene.checks[standing % 8], to) + 2 * bit(man.uncovers, to);
        let retakes = scene.retakes(to);
        set(slots, slot::VALUE, (((retakes * 6 + role) * 6 + taken) * 7 + value) * 4 + check);
        set(slots, slot::LEAVE, (man.leave * 5 + outcome) * 2 + captures);
        set(slots, slot::EXCHANGE, (((least * 2 + guarded) * 6 + role) * 6 + taken) * 4 + phase);
        // The moving man is among the attackers of its destination, except a pawn that moves
        // straight.
        let ahead = role == 0 && from % 8 == to % 8;
        let itself = usize::from(!ahead && !castles && bit(man.reach, to) == 1);
        let guards = self.our_counts.at(to).saturating_sub(itself);
        let counts = ((self.their_counts.at(to) * 4 + guards) * 6 + role) * 2 + captures;
        let unreached = usize::from(men.by_kind[1][0] & BESIDE_ABOVE[to % 64] == 0);
        let outpost = bit(scene.by_our_pawns, to) * 2 + unreached;
        set(slots, slot::COUNTS, counts * 4 + outpost);
        self.see_places(man, from, to, slots);

        let reach = attacks(standing, to, scene.occupied & !(1 << from));
        let (threatened, most) = scene.threats(standing, to, reach);
        let several = usize::from(threatened & threatened.wrapping_sub(1) != 0);
        let threat = ((most * 2 + several) * 6 + role) * 5 + outcome;
        set(slots, slot::THREAT, threat * 4 + phase);
        let squares_more = (reach & !scene.ours).count_ones().cast_signed() - man.squares;
        let freedom = (squares_more.clamp(-5, 5) + 5).unsigned_abs() as usize;
        let zone = few(reach & self.their_zone) * 4 + man.zone;
        set(slots, slot::FREEDOM, ((freedom * 16 + zone) * 6 + role) * 2 + safe);

        if let Some(chased) = man.chased {
            set(slots, slot::CHASED, chased * 7 + value);
        }
        let own = match role {
            0 if promoted > 0 => {
                own::PROMOTION + ((promoted - 1).min(3) * 2 + captures) * 5 + outcome
            }
            0 => self.pawn(from, to, least),
            1 | 2 => own::OUTPOST + ((role - 1) * 4 + outpost) * 8 + to / 8,
            3 | 4 => own::FILE + ((scene.file_state(to) * 4 + man.file) * 4 + phase) * 2 + role - 3,
            _ => own::KING + (bit(self.our_zone, to) * 2 + usize::from(castles)) * 4 + phase,
        };
        set(slots, slot::OWN, own);
        let choice = ((scene.choice * 2 + captures) * 2 + safe) * 2 + usize::from(check > 0);
        set(slots, slot::CHOICE, choice * 6 + self.risk_class);

        let risk = self.look_at_targets(role, from, to, reach, safe, slots);
        // They capture here or elsewhere, whichever gains more.
        let net = gain + promotion_gain - (gain - won).max(risk);
        let net = i8::try_from(net.clamp(-100, 100)).unwrap_or(0);
        let kind = u8::try_from(captures * 6 + role).unwrap_or(0);
        (rows::row_of(from, to, castles), Value { net, kind })
    }

    /// Fills the slots that depend on the squares of a move alone.
    #[inline(always)]
    fn see_places(&self, man: &Man, from: usize, to: usize, slots: &mut [u16; SLOTS]) {
        let scene = self.scene;
        let Man { role, .. } = *man;
        if let Some(last) = scene.past[0] {
            let near = usize::from(scene.near_theirs[to % 64]);
            set(slots, slot::NEAR_THEIRS, (near * 6 + role) * 12 + last.man());
        }
        if let Some(own) = scene.past[1] {
            let near = usize::from(scene.near_ours[to % 64]);
            set(slots, slot::NEAR_OURS, (near * 6 + role) * 6 + usize::from(own.role));
        }
        set(slots, slot::TO, (role * 64 + to) * 4 + scene.phase);
        set(slots, slot::FROM, (role * 64 + from) * 4 + scene.phase);
        let front = if to >= 56 { 0 } else { scene.man_at(to + 8) };
        set(slots, slot::FRONT, (front * 8 + to / 8) * 6 + role);
        set(slots, slot::SHELTER, man.shelter + bit(self.our_zone, to) * 48);
        let distance = usize::from(DISTANCE[scene.their_king % 64][to % 64]);
        set(slots, slot::KING, (role * 8 + distance) * 8 + man.distance);
        let (back, same) = (usize::from(to == man.back), usize::from(to == man.same));
        set(slots, slot::REPEAT, man.repeat + (back * 2 + same) * 48);
    }

    /// Returns the feature of the group `own` of a pawn that does not promote.
    #[inline(always)]
    fn pawn(&self, from: usize, to: usize, least: usize) -> usize {
        let [our, their] = &self.scene.men.by_kind;
        let beside = beside(to);
        let passed = usize::from(their[0] & (A_FILE << (to % 8) | beside) & above(to) == 0);
        let levers = get_pawn_attacks(square(to), Color::White).0 & their[0];
        let others = our[0] & !(1 << from);
        let supports = get_pawn_attacks(square(to), Color::Black).0 & others;
        let lone = usize::from(others & beside == 0);
        let place = ((few(levers) * 3 + few(supports)) * 2 + lone) * 3 + least.min(2);
        (passed * 8 + to / 8) * 54 + place
    }

    /// Looks at our men that could be captured: fills a slot, and returns the gain of the
    /// opponent's best capture, other than of the man that moves.
    #[inline(always)]
    fn look_at_targets(
        &self,
        role: usize,
        from: usize,
        to: usize,
        reach: u64,
        safe: usize,
        slots: &mut [u16; SLOTS],
    ) -> i32 {
        let Stakes { origins, destinations, bare } = self.stakes;
        let concerned = bit(origins, from) | bit(destinations, to) | usize::from(reach & bare != 0);
        let risk = if concerned == 0 { self.risk } else { self.risk_after(from, to, reach) };
        // The most valuable man in danger: how the move answers, and its kind.
        let worst = &self.worst;
        let answer = if worst.square == from {
            1
        } else if worst.attackers & 1 << to != 0 {
            2
        } else {
            let leads = worst.defenders >> (from % 64) & 1 == 1;
            3 * usize::from(bit(reach, worst.square) == 1 && !leads)
        };
        let (answer, kind) = if worst.loss > 0 { (answer, worst.kind) } else { (0, 0) };
        let danger = ((answer * 6 + kind) * 6 + role) * 2 + safe;
        set(slots, slot::DANGER, danger * 6 + loss_class(risk));
        risk
    }

    /// Returns the gain of the opponent's best capture after the move, other than of the man that
    /// moves.
    #[inline(always)]
    fn risk_after(&self, from: usize, to: usize, reach: u64) -> i32 {
        let mut risk = 0;
        for target in &self.targets[..self.target_count % 17] {
            let at = target.square;
            let stays = at != from;
            let covers = bit(reach, at) == 1;
            let others = target.defenders & !(1 << from) == 0;
            let parried =
                target.attackers == target.attackers & 1 << to || bit(target.between, to) == 1;
            let open = stays && !parried && others;
            let leads = target.defenders >> (from % 64) & 1 == 1;
            let (loses, wins) = (open && leads && !covers, open && covers);
            let loss = if loses { target.worth } else { target.loss };
            let loss = if wins { target.guarded } else { loss };
            risk = risk.max(if stays && !parried { loss } else { 0 });
        }
        risk
    }
}
