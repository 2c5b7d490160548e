//! The heavy features of a candidate: exchanges and threats, worked out man by man.

use cozy_chess::{BitBoard, Board, Move, Square, get_between_rays, get_line_rays};

use super::exchange::{CHEAPEST, WORTH};
use super::features::heavy::set;
use super::features::{HEAVY, heavy};
use super::rows::{self, row};
use super::scene::{A_FILE, BESIDE_ABOVE, H_FILE, Scene, bit, few, squares};
use crate::chess::Position;
use crate::chess::attacks::{attacks, square};
use crate::common::worth::{Value, gain_class, loss_class};

/// How many men attack each square, in two bit planes, up to 3.
#[derive(Clone, Copy, Default)]
struct Counts {
    ones: u64,
    twos: u64,
}

impl Counts {
    fn add(&mut self, set: u64) {
        let carry = self.ones & set;
        let full = self.ones & self.twos;
        self.ones = (self.ones ^ set) | (full & set);
        self.twos |= carry;
    }

    fn at(self, square: usize) -> usize {
        bit(self.ones, square) | bit(self.twos, square) << 1
    }
}

/// One of our men that could be captured.
#[derive(Clone, Copy, Default)]
struct Target {
    square: usize,
    /// Its kind, from pawn 1 to queen 5; its worth; what its loss costs if it is guarded.
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

/// What all moves of one of our men share.
pub struct Man {
    /// Where it stands.
    pub from: Square,
    role: usize,
    /// The part of the group `origin` that does not depend on the move.
    origin: usize,
    /// The destinations that uncover a check.
    uncovers: u64,
    /// What it attacks.
    reach: u64,
    /// How many of these squares are not ours, and how many are around their king.
    squares: i32,
    zone: usize,
    /// Whether a slider of theirs attacks it.
    by_slider: bool,
    sheltered: usize,
    pinned: usize,
    chaser: usize,
}

/// A scene, and what else the heavy features need.
pub struct CloseUp<'a> {
    scene: &'a Scene,
    board: &'a Board,
    our_counts: Counts,
    their_counts: Counts,
    our_zone: u64,
    their_zone: u64,
    pinned: u64,
    targets: [Target; 16],
    target_count: usize,
    /// The most that one of their captures gains now, and its class.
    risk: i32,
    risk_class: usize,
    balance: usize,
}

impl<'a> CloseUp<'a> {
    /// Works out what all candidates share.
    pub fn new(scene: &'a Scene, position: &'a Position) -> Self {
        let board = &position.board;
        let [our, their] = &scene.men.by_kind;
        let mut our_counts = Counts::default();
        our_counts.add((our[0] & !A_FILE) << 7);
        our_counts.add((our[0] & !H_FILE) << 9);
        for from in squares(scene.ours & !our[0]) {
            our_counts.add(scene.reach[from % 64]);
        }
        let mut their_counts = Counts::default();
        their_counts.add((their[0] & !A_FILE) >> 9);
        their_counts.add((their[0] & !H_FILE) >> 7);
        for from in squares(scene.theirs & !their[0]) {
            their_counts.add(scene.reach[from % 64]);
        }
        let seen = |set: BitBoard| if scene.turn == 0 { set.0 } else { set.0.swap_bytes() };
        let mut close = Self {
            scene,
            board,
            our_counts,
            their_counts,
            our_zone: attacks(5, scene.our_king, 0) | 1 << scene.our_king,
            their_zone: attacks(5, scene.their_king, 0) | 1 << scene.their_king,
            pinned: seen(board.pinned()) & scene.ours,
            targets: [Target::default(); 16],
            target_count: 0,
            risk: 0,
            risk_class: 0,
            balance: gain_class(scene.balance),
        };
        close.find_targets();
        close.risk_class = loss_class(close.risk);
        close
    }

    /// Finds our men that could be captured, now or if a defender leaves.
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
            self.targets[self.target_count] = Target {
                square: at,
                kind: role + 1,
                worth,
                guarded,
                loss,
                attackers,
                defenders,
                between,
            };
            self.target_count += 1;
            self.risk = self.risk.max(loss);
        }
    }

    /// Looks at the man on a square.
    pub fn man(&self, on: Square) -> Man {
        let scene = self.scene;
        let from = on as usize ^ scene.turn;
        let role = scene.role_at(from);
        let reach = scene.reach[from % 64];
        Man {
            from: on,
            role,
            origin: (scene.least.at(from) * 2 + bit(scene.once, from)) * 6 + role,
            uncovers: scene.uncovers(from),
            reach,
            squares: (reach & !scene.ours).count_ones().cast_signed(),
            zone: few(reach & self.their_zone),
            by_slider: bit(scene.by_their_sliders, from) == 1,
            sheltered: bit(self.our_zone, from),
            pinned: bit(self.pinned, from),
            chaser: scene.chaser(from),
        }
    }

    /// Fills the heavy slots of a man's candidate, except the last two. Returns its row of the
    /// net's output and its apparent value.
    pub fn look(&self, man: &Man, mv: Move, slots: &mut [u16; HEAVY]) -> (u16, Value) {
        let scene = self.scene;
        let men = &scene.men;
        let (from, to, castles) = scene.squares_of(mv);
        let role = man.role;
        let net_row = match (castles, to % 8 == 6) {
            (false, _) => row(from, to),
            (true, true) => rows::CASTLING_SHORT.1,
            (true, false) => rows::CASTLING_LONG.1,
        };
        let taken = scene.taken(role, from, to, castles);
        let captures = usize::from(taken > 0);
        let gain = taken.checked_sub(1).map_or(0, |taken| WORTH[taken % 6]);
        let promoted = mv.promotion.map_or(0, |piece| piece as usize);
        let standing = if promoted > 0 { promoted } else { role };
        let promotion_gain = if promoted > 0 { WORTH[promoted] - 1 } else { 0 };

        // One of their sliders may attack the square through the man that moves.
        let [.., bishops, rooks, queens, _] = men.by_kind[1];
        let x_rayed = man.by_slider
            && get_line_rays(square(from), square(to)).0 & (bishops | rooks | queens) != 0;
        let least = scene.least.at(to);
        let won = if castles || least == 0 && !x_rayed {
            gain
        } else {
            men.exchange(0, from, to, role, gain)
        };
        let value = gain_class(won);
        let safe = usize::from(won >= 0);
        set(slots, heavy::CAPTURE, (role * 6 + taken) * 7 + value);
        set(slots, heavy::VALUE, (role * 7 + value) * 4 + scene.phase);
        set(slots, heavy::BALANCE, (self.balance * 6 + taken) * 7 + value);
        let check = bit(scene.checks[standing % 8], to) + 2 * bit(man.uncovers, to);
        set(slots, heavy::VALUE_CHECK, (check * 6 + role) * 7 + value);
        let retakes = scene.retakes(to);
        set(slots, heavy::VALUE_RETAKE, ((retakes * 6 + role) * 6 + taken) * 7 + value);
        set(slots, heavy::ORIGIN, man.origin * 4 + safe * 2 + captures);

        let left = scene.occupied & !(1 << from);
        let reach = attacks(standing, to, left);
        let (_, most) = scene.threats(standing, to, reach);
        set(slots, heavy::VALUE_THREAT, (most * 6 + role) * 7 + value);
        set(slots, heavy::VALUE_CHASED, (man.chaser * 6 + role) * 7 + value);
        if let Some(last) = scene.past[0] {
            let kind = usize::from(last.role) * 2 + usize::from(last.captured);
            set(slots, heavy::VALUE_REPLY, (kind * 6 + role) * 7 + value);
        }
        let squares_more = (reach & !scene.ours).count_ones().cast_signed() - man.squares;
        let freedom = (squares_more.clamp(-5, 5) + 5).unsigned_abs() as usize;
        set(slots, heavy::FREEDOM, (freedom * 6 + role) * 4 + scene.phase);
        let zone = few(reach & self.their_zone) * 4 + man.zone;
        set(slots, heavy::ZONE, (zone * 6 + role) * 2 + safe);
        let sheltered = bit(self.our_zone, to) * 2 + man.sheltered;
        set(slots, heavy::SHELTER, (sheltered * 6 + role) * 4 + scene.phase);
        let mate = if check > 0 { self.replies(mv) } else { 0 };
        set(slots, heavy::MATE, (mate * 6 + role) * 2 + safe);
        let x_ray = if matches!(standing, 2..=4) {
            let royal = queens | men.by_kind[1][5];
            let blockers = reach & scene.theirs & !royal;
            // Usually nothing is in the way, or nothing worth attacking is on the lines.
            let stands_behind = || {
                let behind = attacks(standing, to, 0) & !reach & royal;
                behind != 0 && attacks(standing, to, left & !blockers) & behind != 0
            };
            usize::from(blockers != 0 && stands_behind())
        } else {
            0
        };
        set(slots, heavy::PIN, ((man.pinned * 2 + x_ray) * 6 + role) * 2 + safe);
        // The moving man is among the attackers of its destination, except a pawn that moves
        // straight.
        let ahead = role == 0 && from % 8 == to % 8;
        let itself = usize::from(!ahead && !castles && bit(man.reach, to) == 1);
        let guards = self.our_counts.at(to).saturating_sub(itself);
        let enemies = self.their_counts.at(to);
        set(slots, heavy::COUNTS, ((enemies * 4 + guards) * 6 + role) * 2 + captures);
        let unreached = usize::from(men.by_kind[1][0] & BESIDE_ABOVE[to % 64] == 0);
        let outpost = bit(scene.by_our_pawns, to) * 2 + unreached;
        set(slots, heavy::OUTPOST, (outpost * 8 + to / 8) * 6 + role);

        let risk = self.look_at_targets(role, from, to, reach, safe, slots);
        let (now, then) = (self.risk_class, loss_class(risk));
        set(slots, heavy::RISK, ((then * 6 + now) * 6 + role) * 2 + captures);
        // They capture here or there, whichever gains more.
        let net = gain + promotion_gain - (gain - won).max(risk);
        let net = i8::try_from(net.clamp(-100, 100)).unwrap_or(0);
        let kind = u8::try_from(captures * 6 + role).unwrap_or(0);
        (net_row, Value { net, kind })
    }

    /// What happens to our men that could be captured: fills three slots, and returns the gain of
    /// the opponent's best capture, other than of the man that moves.
    fn look_at_targets(
        &self,
        role: usize,
        from: usize,
        to: usize,
        reach: u64,
        safe: usize,
        slots: &mut [u16; HEAVY],
    ) -> i32 {
        let mut risk = 0;
        // Of the men in danger the most valuable: how the move answers, and its kind.
        let mut danger = (0, 0);
        let mut danger_loss = 0;
        let (mut undefended, mut defended) = (0, 0);
        for target in &self.targets[..self.target_count] {
            let at = target.square;
            let kind = target.kind;
            let captured = target.attackers & 1 << to;
            let covers = bit(reach, at) == 1;
            let leads = target.defenders & 1 << from != 0;
            if target.loss > danger_loss {
                danger_loss = target.loss;
                let answer = if at == from {
                    1
                } else if captured != 0 {
                    2
                } else {
                    3 * usize::from(covers && !leads)
                };
                danger = (answer, kind);
            }
            if at == from {
                continue;
            }
            let others = target.defenders & !(1 << from);
            let loss = if target.attackers == captured || bit(target.between, to) == 1 {
                0
            } else if leads && !covers && others == 0 {
                undefended = undefended.max(kind);
                target.worth
            } else if covers && others == 0 {
                defended = defended.max(kind);
                target.guarded
            } else {
                target.loss
            };
            risk = risk.max(loss);
        }
        let (answer, kind) = danger;
        set(slots, heavy::DANGER, ((answer * 6 + kind) * 6 + role) * 2 + safe);
        set(slots, heavy::UNDEFENDS, (undefended * 6 + role) * 2 + safe);
        set(slots, heavy::DEFENDS, (defended * 6 + role) * 2 + safe);
        risk
    }

    /// How many replies a check leaves: 5 none, which is mate, 1 one, 2 up to three, 3 up to six, 4
    /// more.
    fn replies(&self, mv: Move) -> usize {
        let mut board = self.board.clone();
        board.play_unchecked(mv);
        let mut replies = 0;
        board.generate_moves(|moves| {
            replies += moves.len();
            replies > 6
        });
        match replies {
            0 => 5,
            1 => 1,
            2 | 3 => 2,
            4..=6 => 3,
            _ => 4,
        }
    }
}
