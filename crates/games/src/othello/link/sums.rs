//! `line.link` of othello: the gate's weights, arranged so that a candidate's sum takes one
//! look-up where its features take a multiplication by the phase of the game.
//!
//! The sums equal those of the features that [`Scene::see`] lists; a test compares them.

use std::sync::LazyLock;

use plypack_core::policy::Gate;

use super::GATE;
use super::features::{State, first, light};
use super::scene::{Comparison, Scene, Verdict, count, displacement, nearest_corner, swap};
use crate::othello::order::{CORNERS, around, kind};

/// A row of weights, by a number below 64.
type Row = [i8; 64];

/// Number of phases, and of thirds, which are groups of three phases.
const PHASES: usize = 15;
const THIRDS: usize = 5;

/// The weights of counts, in one phase.
struct Counted {
    turned: Row,
    inner: Row,
    frontier: Row,
    theirs: Row,
    ours: Row,
    opened: Row,
    safe: Row,
    directions: Row,
    /// By the difference of the balance from the best.
    balance: [i8; 129],
    /// By who passes, and whether the region of the cell has an odd number of cells.
    pass: [i8; 8],
}

/// The weights of features by thirds, in one third.
struct Told {
    /// By the class of the number of candidates, then by the opponent's moves beyond the fewest.
    below: [Row; 8],
    /// By kind, then the state of the nearest corner.
    corner: [[i8; 12]; 9],
    /// By corners before and after.
    corners: [i8; 64],
    /// By size, number of regions and whether the opponent may move there.
    region: [i8; 128],
    /// By kind, then whether the move is new and whether the opponent could make it, too.
    new: [[i8; 4]; 9],
    /// By kind, then age.
    age: [[i8; 8]; 9],
    /// By kind, then the number of neighbouring empty cells.
    room: [[i8; 16]; 9],
    /// By cell.
    cell: Row,
    /// By the last cell, then by cell.
    near_last: [Row; 64],
}

/// The gate's weights, arranged for look-ups.
struct Tables {
    counted: Vec<Counted>,
    told: Vec<Told>,
    /// By time, and by the last cell: by cell.
    time: Vec<Row>,
    reply: Vec<Row>,
    /// By a third of the game, then the cell before the last: by cell.
    near_before: Vec<[Row; 64]>,
    /// By the number of the pattern.
    lines: Box<[i8; 1 << 15]>,
    /// By empty cells, up to 12: by difference, and whether the game is over.
    late: Vec<[i8; 34]>,
    /// By column, then by the discs of a row: their contribution to the pattern's number.
    shares: Box<[[u16; 256]; 8]>,
    /// By cell, the first pattern of its row.
    firsts: [u16; 64],
    kinds: [u8; 64],
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| Box::new(Tables::new()));

/// Returns the weight of a feature within its slot.
fn weight(slot: usize, feature: usize) -> i8 {
    GATE.weight(first(slot) + feature)
}

/// Returns the weights of the features `least(number, most) * step + place`.
fn row<const SIZE: usize>(slot: usize, most: usize, step: usize, place: usize) -> [i8; SIZE] {
    std::array::from_fn(|number| weight(slot, number.min(most) * step + place))
}

fn narrow<T: TryFrom<usize> + Default>(number: usize) -> T {
    T::try_from(number).unwrap_or_default()
}

impl Tables {
    fn new() -> Self {
        let kinds: [usize; 64] = std::array::from_fn(|cell| kind(narrow(cell)));
        let near = |slot: usize, last: usize, parts: usize, part: usize| -> Row {
            std::array::from_fn(|cell| {
                weight(slot, displacement(narrow(last), narrow(cell)) * parts + part)
            })
        };
        Self {
            counted: (0..PHASES).map(Counted::new).collect(),
            told: (0..THIRDS).map(|third| Told::new(third, &near)).collect(),
            time: (0..60).map(|time| row(light::TIME, 63, 1, time * 64)).collect(),
            reply: (0..64).map(|last| row(light::REPLY, 63, 1, last * 64)).collect(),
            near_before: (0..3)
                .map(|part| std::array::from_fn(|cell| near(light::NEAR_BEFORE, cell, 3, part)))
                .collect(),
            lines: Box::new(std::array::from_fn(|number| match number {
                ..super::patterns::LINES => weight(light::ROW, number),
                _ => 0,
            })),
            late: (0..13).map(|empty| row(light::LATE, 33, 13, empty)).collect(),
            shares: Box::new(std::array::from_fn(|column| {
                std::array::from_fn(|discs| {
                    narrow(super::patterns::share(narrow(column), narrow(discs)))
                })
            })),
            firsts: std::array::from_fn(|cell| narrow(super::patterns::first(narrow(cell)))),
            kinds: kinds.map(narrow),
        }
    }

    /// Returns the weight of the row through a cell.
    #[inline(always)]
    fn line(&self, [ours, theirs]: [u64; 2], cell: u8) -> i32 {
        let discs = |set: u64| (set >> (cell & 56) & 0xff) as usize;
        let shares = &self.shares[usize::from(cell % 8)];
        let number = usize::from(self.firsts[usize::from(cell & 63)])
            + usize::from(shares[discs(ours)])
            + 2 * usize::from(shares[discs(theirs)]);
        self.lines[number % (1 << 15)].into()
    }
}

impl Counted {
    fn new(phase: usize) -> Self {
        let row = |slot: usize, most: usize| row(slot, most, PHASES, phase);
        Self {
            turned: row(light::TURNED, 13),
            inner: row(light::INNER, 11),
            frontier: row(light::FRONTIER, 15),
            theirs: row(light::THEIRS, 17),
            ours: row(light::OURS, 17),
            opened: row(light::OPENED, 7),
            safe: row(light::SAFE, 11),
            directions: row(light::DIRECTIONS, 8),
            balance: self::row(light::BALANCE_BELOW, 11, PHASES, phase),
            pass: self::row(light::PASS, 5, PHASES, phase),
        }
    }
}

impl Told {
    fn new(third: usize, near: &impl Fn(usize, usize, usize, usize) -> Row) -> Self {
        let of = |slot: usize, feature: usize| weight(slot, feature * THIRDS + third);
        let corner = |kind: usize, state: usize| of(light::CORNER, kind * 12 + state);
        let by_kind = |slot: usize, number: usize, kind: usize| of(slot, number * 9 + kind);
        Self {
            below: std::array::from_fn(|choice| {
                std::array::from_fn(|below| of(light::THEIRS_BELOW, below.min(9) * 8 + choice))
            }),
            corner: std::array::from_fn(|kind| std::array::from_fn(|state| corner(kind, state))),
            corners: std::array::from_fn(|corners| of(light::CORNERS, corners.min(53))),
            region: std::array::from_fn(|region| of(light::REGION, region.min(103))),
            new: std::array::from_fn(|kind| {
                std::array::from_fn(|new| by_kind(light::NEW, new, kind))
            }),
            age: std::array::from_fn(|kind| {
                std::array::from_fn(|age| by_kind(light::AGE, age, kind))
            }),
            room: std::array::from_fn(|kind| {
                std::array::from_fn(|room| by_kind(light::ROOM, room.min(8), kind))
            }),
            cell: std::array::from_fn(|cell| of(light::CELL, cell)),
            near_last: std::array::from_fn(|cell| near(light::NEAR_LAST, cell, THIRDS, third)),
        }
    }
}

/// The sums of a position's candidates.
pub struct Sums<'a> {
    gate: &'static Gate,
    tables: &'static Tables,
    counted: &'static Counted,
    told: &'static Told,
    below: &'static Row,
    late: &'static [i8; 34],
    scene: &'a Scene,
    comparison: Comparison,
    earlier: u64,
    /// By cell, the sum of the weights that depend only on the cell.
    places: [i16; 64],
}

impl<'a> Sums<'a> {
    /// Computes what all candidates share.
    #[inline(always)]
    pub fn new(scene: &'a Scene, state: &State) -> Self {
        let tables = &**TABLES;
        let phase = scene.phase % PHASES;
        let told = &tables.told[phase / 3];
        let comparison = Comparison::new(&scene.outcomes);
        let time = 60usize.saturating_sub(scene.empty).min(59);
        let mut places = [0i16; 64];
        let mut add = |row: &Row| {
            for (place, &weight) in places.iter_mut().zip(row) {
                *place += i16::from(weight);
            }
        };
        add(&tables.time[time]);
        add(&told.cell);
        if let Some(last) = state.past[0] {
            add(&tables.reply[usize::from(last & 63)]);
            add(&told.near_last[usize::from(last & 63)]);
        }
        if let Some(before) = state.past[1] {
            add(&tables.near_before[phase / 5][usize::from(before & 63)]);
        }
        Self {
            gate: &GATE,
            tables,
            counted: &tables.counted[phase],
            told,
            below: &told.below[comparison.choice % 8],
            late: &tables.late[scene.empty.min(12)],
            scene,
            comparison,
            earlier: state.earlier,
            places,
        }
    }

    /// Returns the score of a candidate.
    #[inline(always)]
    pub fn score(&self, outcome: &Verdict) -> i32 {
        self.gate.scaled(self.of(outcome))
    }

    /// Returns the sum of a candidate.
    #[inline(always)]
    fn of(&self, outcome: &Verdict) -> i32 {
        let Verdict { cell, turned, sides: [own, other], ours, theirs } = *outcome;
        let Self { tables, counted, told, scene, .. } = self;
        let at = usize::from(cell & 63);
        let disc = 1u64 << at;
        let free = !(own | other);
        let kind = usize::from(tables.kinds[at]) % 9;
        let few = |row: &Row, set: u64| i32::from(row[count(set) % 64]);
        let beside = around(disc);

        let mut sum = i32::from(self.places[at])
            + tables.line(scene.sides, cell)
            + tables.line(scene.swapped, swap(cell))
            + few(&counted.turned, turned)
            + few(&counted.inner, turned & around(free))
            + few(&counted.frontier, around(turned | disc) & free)
            + few(&counted.theirs, theirs)
            + few(&counted.ours, ours)
            + few(&counted.opened, theirs & !scene.theirs_now)
            + few(&counted.safe, theirs & !poor(free))
            + few(&counted.directions, beside & turned);
        let below = count(theirs).wrapping_sub(self.comparison.least) % 64;
        sum += i32::from(self.below[below]);
        let below = self.comparison.best.wrapping_sub(outcome.balance()).min(128);
        sum += i32::from(counted.balance[below]);

        let new = usize::from(self.earlier & disc == 0);
        let shared = usize::from(scene.theirs_now & disc != 0);
        sum += i32::from(told.new[kind][new * 2 + shared]);
        sum += i32::from(told.age[kind][usize::from(scene.ages[at].min(7))]);
        sum += i32::from(told.room[kind][count(beside & free) % 16]);
        let (whole, parts) = scene.regions.with(disc);
        let open = usize::from(theirs & whole != 0);
        let size = count(whole);
        sum += i32::from(told.region[((size.min(12) * 4 + parts) * 2 + open) % 128]);
        let passes = usize::from(theirs == 0) + usize::from(theirs | ours == 0);
        sum += i32::from(counted.pass[(passes * 2 + size % 2) % 8]);
        let over = usize::from(ours | theirs == 0);
        let difference = ((64 + count(own) - count(other)).clamp(32, 96) - 32) / 4;
        sum += i32::from(self.late[(over * 17 + difference) % 34]);

        let near = nearest_corner(cell);
        let has = |set: u64| usize::from(set & near != 0);
        let held = has(scene.sides[0]) + 2 * has(scene.sides[1]);
        let corner = (held * 2 + has(theirs)) * 2 + has(scene.theirs_now);
        sum += i32::from(told.corner[kind][corner % 12]);
        let some = |set: u64| count(set & CORNERS).min(2);
        let corners = (some(scene.ours_now) * 2 + some(disc)) * 3 + some(theirs);
        sum + i32::from(told.corners[(corners * 3 + some(scene.theirs_now)) % 64])
    }
}

/// Returns the cells beside empty corners.
#[inline(always)]
fn poor(free: u64) -> u64 {
    // Each corner spreads to its neighbours and is then removed.
    let corners = free & CORNERS;
    around(corners) & !corners
}
