//! The features of chess.
//!
//! Everything is seen by the side to move: for Black the board is flipped, so that every feature is
//! written for a player who moves up the board. The light features (`scene.rs`) take little more
//! than shifts and look-ups; the heavy ones (`close_up.rs`) work out exchanges.

use cozy_chess::{Move, Piece};
use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Game, Ply};

use super::close_up::{CloseUp, Man};
use super::rows;
use super::scene::{Origin, Scene};
use crate::chess::attacks::square;
use crate::chess::{Chess, Position};
use crate::common::worth::Best;

/// The features by groups, each a name and how many there are: none, then the groups of the light
/// slots, of which the first have only weights, then those of the heavy slots.
pub const GROUPS: [(&str, usize); 1 + LIGHT + HEAVY] = [
    ("none", 1),
    ("move", ROWS),
    ("time", 26 * 6 * 64),
    ("wings", 6 * 64 * 9),
    ("to", 6 * 64 * 4),
    ("from", 6 * 64 * 4),
    ("exchange", 6 * 2 * 6 * 6),
    ("leave", 6 * 2 * 6 * 5),
    ("check", 4 * 6 * 5),
    ("retake", 3 * 6 * 6 * 5),
    ("promotion", 5 * 2 * 5),
    ("again", 3 * 6 * 4),
    ("chased", 7 * 6 * 5),
    ("threat", 6 * 2 * 6 * 5),
    ("king", 6 * 8 * 8),
    ("passed", 2 * 8 * 4),
    ("pawn", 3 * 3 * 2 * 3 * 2),
    ("file", 4 * 4 * 4 * 2),
    ("evasion", 3 * 6 * 5 * 2),
    ("hanging", 4 * 6 * 6 * 5),
    ("near-theirs", 49 * 6 * 6),
    ("near-ours", 49 * 6 * 6),
    ("repeat", 8 * 6),
    ("choice", 8 * 2 * 2 * 2),
    ("front", 13 * 8 * 6),
    ("reply", 6 * 2 * 6 * 5),
    // From here on the slots are heavy.
    ("capture", 6 * 6 * 7),
    ("value", 6 * 7 * 4),
    ("value-check", 4 * 6 * 7),
    ("value-retake", 3 * 6 * 6 * 7),
    ("origin", 6 * 2 * 6 * 4),
    ("freedom", 11 * 6 * 4),
    ("zone", 4 * 4 * 6 * 2),
    ("shelter", 2 * 2 * 6 * 4),
    ("mate", 6 * 6 * 2),
    ("pin", 2 * 2 * 6 * 2),
    ("counts", 4 * 4 * 6 * 2),
    ("balance", 7 * 6 * 7),
    ("outpost", 2 * 2 * 8 * 6),
    ("undefends", 6 * 6 * 2),
    ("defends", 6 * 6 * 2),
    ("danger", 4 * 6 * 6 * 2),
    ("risk", 6 * 6 * 6 * 2),
    ("value-threat", 5 * 6 * 7),
    ("value-chased", 7 * 6 * 7),
    ("value-reply", 6 * 2 * 6 * 7),
    ("best", 8 * 2 * 6 * 4),
    ("book", BOOK_FEATURES),
];

/// How many light slots a candidate has.
pub const LIGHT: usize = 25;

/// How many heavy slots a candidate has.
pub const HEAVY: usize = 22;

/// How many slots, from the first, have features without rows in the layer of each move.
const SHALLOW: usize = 3;

/// The number of each slot's first feature, light slots first, then heavy ones.
const FIRST: [u16; LIGHT + HEAVY] = groups::firsts(&GROUPS);

/// The book has no positions beyond this move.
const BOOK_MOVES: u32 = 30;

/// The inputs of the net: men by side, kind and square; the squares of the opponent's last move
/// and of the mover's own; castling rights; one that is always active.
const INPUTS: u16 = 12 * 64 + 4 * 64 + 4 + 1;

/// How many moves an empty board allows, by man: pawn 48 ahead, 84 to the sides, 8 double steps;
/// knight 336, bishop 560, rook 896, queen 1,456, king 420; and the two castling moves.
const ROWS: usize = rows::COUNTS.0 as usize;

/// A move of the line so far.
#[derive(Clone, Copy, Debug)]
pub struct Past {
    /// Its squares, as White sees them; castling goes to the king's new square.
    pub from: u8,
    /// See `from`.
    pub to: u8,
    /// The kind of the man that moved, from pawn 0 to king 5.
    pub role: u8,
    /// Whether it captured.
    pub captured: bool,
}

/// What the features remember of the line: the last four moves, the latest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// The opponent's last move, then our own, and so on.
    pub past: [Option<Past>; 4],
}

/// The features of chess.
#[derive(Debug)]
pub struct Eyes;

impl Features<Chess> for Eyes {
    type State = State;
    type Scene = Scene;

    const SIZES: Sizes = Sizes {
        light: LIGHT,
        shallow: SHALLOW,
        heavy: HEAVY,
        gate: FIRST[LIGHT],
        deep: FIRST[SHALLOW],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: rows::COUNTS.1,
        phases: 4,
        book: (HEAVY - 1, FIRST[LIGHT + HEAVY - 1]),
    };

    fn begin(&self, _: &Position) -> State {
        State::default()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        (position.fullmove_number <= BOOK_MOVES).then(|| Chess.key(position))
    }

    fn see(
        &self,
        state: &State,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) -> Scene {
        let scene = Scene::new(state, position, candidates.len());
        sight.light.resize(candidates.len() * LIGHT, 0);
        let mut each = sight.light.as_chunks_mut::<LIGHT>().0.iter_mut();
        for moves in candidates.chunk_by(|a, b| a.from == b.from) {
            let Some(origin) = moves.first().map(|mv| Origin::new(&scene, mv.from)) else { break };
            for (&mv, slots) in moves.iter().zip(each.by_ref()) {
                scene.see(&origin, mv, slots);
            }
        }
        scene
    }

    fn look(
        &self,
        _: &State,
        scene: &Scene,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.phase = scene.phase();
        scene.inputs(&position.board, &mut sight.inputs);
        let close = CloseUp::new(scene, position);
        sight.heavy.resize(sight.chosen.len() * HEAVY, 0);
        let mut best = Best::default();
        let mut man = None;
        for (&index, slots) in sight.chosen.iter().zip(sight.heavy.as_chunks_mut::<HEAVY>().0) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            if man.as_ref().is_none_or(|man: &Man| man.from != mv.from) {
                man = Some(close.man(mv.from));
            }
            let Some(man) = &man else { continue };
            let (row, value) = close.look(man, mv, slots);
            sight.rows.push(row);
            best.add(value);
        }
        let slots = sight.heavy.as_chunks_mut::<HEAVY>().0;
        for (feature, slots) in best.features(12).zip(slots) {
            heavy::set(slots, heavy::BEST, feature);
        }
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Chess>) {
        let board = &ply.before.board;
        let Move { from, mut to, .. } = ply.mv();
        let us = board.side_to_move();
        let role = board.piece_on(from).unwrap_or(Piece::Pawn) as u8;
        let captured = board.colors(!us).has(to) || role == 0 && from.file() != to.file();
        if board.colors(us).has(to) {
            to = castled(from as usize, to as usize);
        }
        let [first, second, third, _] = state.past;
        let last = Past { from: from as u8, to: to as u8, role, captured };
        state.past = [Some(last), first, second, third];
    }
}

/// Where a king lands that castles with a rook.
fn castled(from: usize, rook: usize) -> cozy_chess::Square {
    square(from / 8 * 8 + if from < rook { 6 } else { 2 })
}

/// The light slots, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod light {
    use super::{FIRST, GROUPS, LIGHT, groups};

    pub const MOVE: usize = 0;
    pub const TIME: usize = 1;
    pub const WINGS: usize = 2;
    pub const TO: usize = 3;
    pub const FROM: usize = 4;
    pub const EXCHANGE: usize = 5;
    pub const LEAVE: usize = 6;
    pub const CHECK: usize = 7;
    pub const RETAKE: usize = 8;
    pub const PROMOTION: usize = 9;
    pub const AGAIN: usize = 10;
    pub const CHASED: usize = 11;
    pub const THREAT: usize = 12;
    pub const KING: usize = 13;
    pub const PASSED: usize = 14;
    pub const PAWN: usize = 15;
    pub const FILE: usize = 16;
    pub const EVASION: usize = 17;
    pub const HANGING: usize = 18;
    pub const NEAR_THEIRS: usize = 19;
    pub const NEAR_OURS: usize = 20;
    pub const REPEAT: usize = 21;
    pub const CHOICE: usize = 22;
    pub const FRONT: usize = 23;
    pub const REPLY: usize = 24;

    /// Puts a feature of its group into a slot.
    #[inline(always)]
    pub fn set(slots: &mut [u16; LIGHT], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }

    /// Puts a feature into a slot: the one `more` after that of `bases`, if there is one.
    #[inline(always)]
    pub fn add(slots: &mut [u16; LIGHT], bases: &[u16; LIGHT], slot: usize, more: usize) {
        groups::add(&mut slots[slot], &GROUPS, &FIRST, slot, bases[slot], more);
    }
}

/// The heavy slots, in the order of their groups. The last is the book's.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod heavy {
    use super::{FIRST, GROUPS, HEAVY, LIGHT, groups};

    pub const CAPTURE: usize = 0;
    pub const VALUE: usize = 1;
    pub const VALUE_CHECK: usize = 2;
    pub const VALUE_RETAKE: usize = 3;
    pub const ORIGIN: usize = 4;
    pub const FREEDOM: usize = 5;
    pub const ZONE: usize = 6;
    pub const SHELTER: usize = 7;
    pub const MATE: usize = 8;
    pub const PIN: usize = 9;
    pub const COUNTS: usize = 10;
    pub const BALANCE: usize = 11;
    pub const OUTPOST: usize = 12;
    pub const UNDEFENDS: usize = 13;
    pub const DEFENDS: usize = 14;
    pub const DANGER: usize = 15;
    pub const RISK: usize = 16;
    pub const VALUE_THREAT: usize = 17;
    pub const VALUE_CHASED: usize = 18;
    pub const VALUE_REPLY: usize = 19;
    pub const BEST: usize = 20;

    /// Puts a feature of its group into a slot.
    #[inline(always)]
    pub fn set(slots: &mut [u16; HEAVY], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, LIGHT + slot, feature);
    }
}
