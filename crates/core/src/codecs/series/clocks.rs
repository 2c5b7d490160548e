//! Clock readings by the time that each move took.

use super::primed::Shape;
use super::question::{Asker, FLAGS, Scene, choice, half_steps, number, plain};
use super::{CLOCK_MAX, DAMAGED};
use crate::error::Error;

/// The size of the model.
pub(super) const SHAPE: Shape =
    Shape { kinds: 4, contexts: [2 * 256 + 64, 2 * 256, 2 * 360, 2 * 240, 2 * 384, 2 * 360] };

/// Kinds of scenes.
const SECONDS: u32 = 0;
const FIRST: u32 = 1;
const DECIMALS: u32 = 2;
const HEAD: u32 = 3;

/// Places of questions.
const PRESENT: u32 = FLAGS;
const MORE: u32 = FLAGS + 1;

/// Times that games begin with, in seconds, ascending.
const BASES: [u32; 31] = [
    15, 30, 45, 60, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660, 720, 780, 840, 900,
    1_020, 1_200, 1_500, 1_800, 2_400, 2_700, 3_000, 3_600, 5_400, 6_000, 7_200, 10_800,
];

/// The number of a base that is none of [`BASES`], and of an increment of more seconds.
const OTHER_BASE: u32 = 31;
const OTHER_INCREMENT: u32 = 63;

/// What is said before the first reading.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    pub decimals: u8,
    /// The time that both players are taken to begin with.
    base: u32,
    /// What is added for each move.
    increment: u32,
}

impl Plan {
    /// The plan of readings, at most [`CLOCK_MAX`] each. Any plan would do, at a price.
    pub fn of(readings: &[Option<u32>], decimals: u8) -> Self {
        let unit = unit(decimals);
        let most = readings.iter().take(2).flatten().copied().max().unwrap_or(0);
        let known = BASES.iter().map(|base| base * unit).find(|&base| base >= most);
        let mut gains = Vec::new();
        let mut last = [None; 2];
        for (ply, reading) in readings.iter().enumerate() {
            let Some(reading) = *reading else { continue };
            gains.extend(last[ply % 2].map(|last| reading.saturating_sub(last)));
            last[ply % 2] = Some(reading);
        }
        gains.sort_unstable();
        // The largest may be a present of the opponent's.
        let gain = gains.iter().rev().nth(1).copied().unwrap_or(0);
        let increment = gain.next_multiple_of(unit).min(CLOCK_MAX);
        Self { decimals, base: known.unwrap_or(most), increment }
    }

    fn walk(self, asker: &mut dyn Asker) -> Self {
        let scene = |context: u32| Scene {
            kind: HEAD,
            contexts: [512 + context, u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX],
            recent: 0,
        };
        let decimals = plain(asker, 2, self.decimals.into());
        let decimals = u8::try_from(decimals).unwrap_or(0);
        let unit = unit(decimals);
        let place = BASES.iter().position(|base| base * unit == self.base);
        let place = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(OTHER_BASE);
        let place = choice(asker, &scene(0), 5, place);
        let base = match BASES.get(place as usize) {
            Some(base) => base * unit,
            None => plain(asker, 30, self.base),
        };
        let whole = self.increment.is_multiple_of(unit);
        let seconds = if whole { self.increment / unit } else { OTHER_INCREMENT };
        let seconds = choice(asker, &scene(1 + place), 6, seconds.min(OTHER_INCREMENT));
        let increment = match seconds {
            OTHER_INCREMENT => plain(asker, 30, self.increment),
            seconds => seconds * unit,
        };
        Self { decimals, base, increment }
    }
}

fn unit(decimals: u8) -> u32 {
    10u32.pow(decimals.min(3).into())
}

/// What is known of a player's clock.
#[derive(Clone, Copy)]
struct Player {
    left: i64,
    moved: bool,
    /// The times that the last two moves took.
    taken: [i64; 2],
    /// A running mean of them, in 64ths; the latest counts for a fifth.
    mean: i64,
}

/// Asks for the readings of so many plies: for each the time that the move took, which is what the
/// player had left, and the increment, less the reading.
pub(super) fn walk(
    plies: usize,
    readings: &[Option<u32>],
    plan: Plan,
    asker: &mut dyn Asker,
) -> Result<(Vec<Option<u32>>, u8), Error> {
    let plan = plan.walk(asker);
    let first = Player { left: plan.base.into(), moved: false, taken: [0; 2], mean: -1 };
    let mut players = [first; 2];
    let mut found = Vec::new();
    let mut was_present = true;
    for ply in 0..plies {
        let reading = readings.get(ply).copied().flatten();
        let (own, other) = (players[ply % 2], players[1 - ply % 2]);
        let scene = scene(ply, plan, own, other);
        let gap = Scene { recent: u32::from(was_present), ..scene };
        was_present = asker.ask(&gap, PRESENT, reading.is_some());
        if !was_present {
            found.push(None);
            continue;
        }
        let increment = if own.moved { plan.increment } else { 0 };
        let full = own.left + i64::from(increment);
        let taken = full - i64::from(reading.unwrap_or(0));
        let more = asker.ask(&scene, MORE, taken < 0);
        let size = taken.unsigned_abs() - u64::from(taken < 0);
        let size = number(asker, &scene, u32::try_from(size).unwrap_or(0));
        let taken = if more { -1 - i64::from(size) } else { size.into() };
        let valid = u32::try_from(full - taken).ok().filter(|&reading| reading <= CLOCK_MAX);
        found.push(Some(valid.ok_or(DAMAGED)?));
        players[ply % 2] = own.after(taken, unit(plan.decimals).into());
    }
    Ok((found, plan.decimals))
}

impl Player {
    fn after(self, taken: i64, unit: i64) -> Self {
        let left = self.left - taken;
        let taken = taken.max(0);
        let part = taken.min(120 * unit) * 64;
        let mean = if self.mean < 0 { part } else { self.mean + (part - self.mean) / 5 };
        Self { left, moved: true, taken: [taken, self.taken[0]], mean }
    }
}

/// The plies, of one player, from which on a game counts as being at the next stage.
const STAGES: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 9, 11, 14, 19, 25, 35, 45];

fn scene(ply: usize, plan: Plan, own: Player, other: Player) -> Scene {
    let unit = i64::from(unit(plan.decimals));
    let stage = STAGES.partition_point(|&stage| stage <= ply / 2);
    let stage = u32::try_from(stage).unwrap_or(0);
    let exact = plan.decimals > 0;
    let steps = |taken: i64| half_steps(if exact { taken * 10 / unit / 3 } else { taken }, 15);
    let (last, before) = match own.moved {
        true => (steps(own.taken[0]), steps(own.taken[1])),
        false => (15, 15),
    };
    let others = steps(other.taken[0]);
    let left = half_steps(own.left / unit, 23);
    let mean = match own.mean {
        -1 => 15,
        mean => half_steps(mean * 10 / 64 / unit, 14),
    };
    let base = half_steps(i64::from(plan.base) / unit, 23);
    let kind = match own.moved {
        false => FIRST,
        true if exact => DECIMALS,
        true => SECONDS,
    };
    let half = u32::from(exact);
    let contexts = [
        half * 256 + last * 16 + before,
        half * 256 + last * 16 + others,
        half * 360 + left * 15 + stage,
        half * 240 + mean * 15 + stage,
        half * 384 + mean * 24 + left,
        half * 360 + base * 15 + stage,
    ];
    Scene { kind, contexts, recent: last / 2 }
}
