//! Clock readings, coded as the time that each move took.

use super::curve::{Curve, Widths};
use super::inputs::Inputs;
use super::primed::Shape;
use super::question::{
    Asker, FLAGS, Gaps, Place, Scene, choice, half_steps, number, plain, unguided,
};
use super::{CLOCK_MAX, DAMAGED};
use crate::error::Error;
use crate::hint::{Hint, binary_logarithm, size};

/// The size of the model.
pub(super) const SHAPE: Shape = Shape {
    nets: 2,
    inputs: 39 + Inputs::OF_HINT + 2 * Hint::REMEMBERED,
    kinds: 4,
    contexts: [2 * 256 + 64, 2 * 256, 2 * 360, 2 * 240, 2 * 384, 2 * 360],
};

/// The minimum and maximum width of the parts of curves: 2^-4 to 2^3 doublings.
pub(super) const WIDTHS: Widths = [-4, 3];

/// Kinds of scenes.
const SECONDS: u32 = 0;
const FIRST: u32 = 1;
const DECIMALS: u32 = 2;
const HEAD: u32 = 3;

/// Places of questions.
const PRESENT: u32 = FLAGS;
const MORE: u32 = FLAGS + 1;
const RISES: u32 = FLAGS + 2;
const GAPS: u32 = FLAGS + 3;

/// Usual base times, in seconds, ascending.
const BASES: [u32; 31] = [
    15, 30, 45, 60, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660, 720, 780, 840, 900,
    1_020, 1_200, 1_500, 1_800, 2_400, 2_700, 3_000, 3_600, 5_400, 6_000, 7_200, 10_800,
];

/// The number of a base that is not in [`BASES`], and of an increment other than 0 to 62 seconds.
const OTHER_BASE: u32 = 31;
const OTHER_INCREMENT: u32 = 63;

/// The time control, coded before the first reading.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    pub decimals: u8,
    /// The assumed initial time of both players.
    base: u32,
    /// The time added for each move.
    increment: u32,
    gaps: Gaps,
    /// Whether any reading exceeds the player's remaining time plus the increment.
    rises: bool,
}

impl Plan {
    /// Returns the plan that fits these readings, at most [`CLOCK_MAX`] each. Any other would work,
    /// at a cost in bits.
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
        // The largest gain may be time given by the opponent.
        let gain = gains.iter().rev().nth(1).copied().unwrap_or(0);
        let increment = gain.next_multiple_of(unit).min(CLOCK_MAX);
        let base = known.unwrap_or(most);
        // First readings are below the base unless one is missing.
        let rises = most > base || gains.last().is_some_and(|&gain| gain > increment) || {
            let mut firsts = [None; 2];
            for (ply, reading) in readings.iter().enumerate() {
                firsts[ply % 2] = firsts[ply % 2].or(*reading);
            }
            firsts.iter().flatten().any(|&first| first > base)
        };
        Self { decimals, base, increment, gaps: Gaps::of(readings), rises }
    }

    fn walk(self, asker: &mut impl Asker) -> Self {
        let scene = |context: u32| Scene {
            kind: HEAD,
            rows: SHAPE.rows([512 + context, u32::MAX, u32::MAX, u32::MAX, u32::MAX, u32::MAX]),
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
        let gaps = self.gaps.ask(asker, &scene(0), GAPS);
        let rises = asker.ask(&scene(0), RISES, 0, self.rises);
        Self { decimals, base, increment, gaps, rises }
    }
}

fn unit(decimals: u8) -> u32 {
    10u32.pow(decimals.min(3).into())
}

/// The state of a player's clock.
#[derive(Clone, Copy)]
struct Player {
    left: i64,
    moved: bool,
    /// The durations of the last three moves.
    taken: [i64; 3],
    /// Their running mean, in 64ths; the latest counts for a fifth.
    mean: i64,
    /// Running means of the sizes of durations, in 65,536ths, with the latest counting for a
    /// quarter and for a twelfth; then of the distances from the first mean, with the latest
    /// counting for a sixth.
    sizes: [i64; 3],
    /// Running mean of the share of moves that took at most a second, in 65,536ths; the latest
    /// counts for an eighth.
    quick: i64,
}

/// Returns the size of a time in seconds, in 256ths, for comparisons.
fn size_of(time: i64, unit: i64) -> i64 {
    size(in_seconds(time.saturating_mul(1_024), unit), 1_024)
}

/// Divides a time by the unit; constant divisors are much faster.
#[inline(always)]
fn in_seconds(time: i64, unit: i64) -> i64 {
    match unit {
        1 => time,
        10 => time / 10,
        100 => time / 100,
        _ => time / 1_000,
    }
}

/// Returns the ratio of two times, in 256ths, at most 4.
fn share(part: i64, whole: i64) -> i64 {
    part.saturating_mul(256) / whole.max(1)
}

/// Asks for the readings, one or none for each ply. Each is coded as the duration of the move: the
/// player's last reading plus the increment, minus this one. A ply may have a hint.
pub(super) fn walk(
    plies: usize,
    readings: &[Option<u32>],
    plan: Plan,
    hints: &[Hint],
    asker: &mut impl Asker,
) -> Result<(Vec<Option<u32>>, u8), Error> {
    let plan = plan.walk(asker);
    let mut players = [Player::new(plan); 2];
    let mut found = Vec::new();
    let mut was_present = true;
    for ply in 0..plies {
        let reading = readings.get(ply).copied().flatten();
        let (own, other) = (players[ply % 2], players[1 - ply % 2]);
        let scene = scene(ply, plan, own, other);
        was_present = match plan.gaps {
            Gaps::None => true,
            Gaps::Last => ply + 1 < plies,
            Gaps::Some => {
                let gap = Scene { recent: u32::from(was_present), ..scene };
                asker.ask(&gap, PRESENT, 0, reading.is_some())
            }
        };
        if !was_present {
            found.push(None);
            continue;
        }
        let increment = if own.moved { plan.increment } else { 0 };
        let full = own.left + i64::from(increment);
        let taken = full - i64::from(reading.unwrap_or(0));
        let more = plan.rises && asker.ask(&scene, MORE, 0, taken < 0);
        let size = taken.unsigned_abs() - u64::from(taken < 0);
        let size = u32::try_from(size).unwrap_or(0);
        let taken = if more {
            -1 - i64::from(unguided(asker, &scene, size))
        } else {
            let inputs = inputs(ply, plan, own, other, hints);
            guided(asker, &scene, &inputs, size, plan.decimals)
        };
        let valid = u32::try_from(full - taken).ok().filter(|&reading| reading <= CLOCK_MAX);
        found.push(Some(valid.ok_or(DAMAGED)?));
        players[ply % 2] = own.after(taken, full - taken, unit(plan.decimals).into());
    }
    Ok((found, plan.decimals))
}

/// Asks for a time along a curve over doublings, from 8 seconds; the atoms are the three shortest
/// times. Whole seconds use the first net, decimals the second.
fn guided(asker: &mut impl Asker, scene: &Scene, inputs: &Inputs, size: u32, decimals: u8) -> i64 {
    let unit = i64::from(unit(decimals));
    // Start of a time on the curve: the logarithm of the time plus three tenths of a second.
    let start = |time: i64| {
        let seconds = in_seconds(time.saturating_mul(1_024), unit) + 307;
        i64::from(binary_logarithm(seconds.unsigned_abs()) - 13 * 256)
    };
    let time = i64::from(size);
    let place = Place {
        ends: [(time > 0).then(|| start(time)), Some(start(time + 1))],
        is: [time == 0, time == 1, time == 2],
        allowed: [true; 3],
    };
    let curve =
        Curve::new(&asker.look(usize::from(decimals > 0), inputs, place), WIDTHS, place.allowed);
    // `number` codes the time plus one.
    let below = |number: i64| {
        let atoms: u64 = (1..).zip(curve.atoms).filter(|a| a.0 < number).map(|a| a.1).sum();
        atoms + if number <= 1 { 0 } else { curve.below(start(number - 1)) }
    };
    let most = curve.whole() + curve.atoms.iter().sum::<u64>();
    number(asker, scene, size, [0, most], below).into()
}

/// Returns the net's inputs before a reading.
fn inputs(ply: usize, plan: Plan, own: Player, other: Player, hints: &[Hint]) -> Inputs {
    let unit = i64::from(unit(plan.decimals));
    let (base, increment) = (i64::from(plan.base), i64::from(plan.increment));
    let number = i64::try_from(ply).unwrap_or(0);
    let mut inputs = Inputs::default();
    inputs.flag(true);
    inputs.flag(ply.is_multiple_of(2));
    inputs.flag(!own.moved);
    inputs.size(number, 1);
    inputs.number(number * 256 / 80);
    [6, 12, 20].iter().for_each(|&end| inputs.flag(number < end));
    for time in [base, increment, own.left, other.left] {
        inputs.number(size_of(time, unit));
    }
    inputs.flag(increment == 0);
    inputs.number(share(own.left, base));
    inputs.number(share(other.left, base));
    inputs.number(size_of(own.left - other.left, unit));
    [10, 30, 60].iter().for_each(|&end| inputs.flag(own.left < end * unit));
    let moves = number / 2;
    let spent = (base + moves * increment - own.left) / (moves + 1);
    inputs.number(size_of(spent, unit));
    for (player, times) in [(own, 3), (other, 2)] {
        for &time in player.taken.iter().take(times) {
            inputs.number(size_of(time, unit));
        }
        inputs.flag(player.taken[0] * 5 <= unit);
        inputs.flag(player.taken[0] <= unit);
        inputs.number(size_of(player.mean.max(0) / 64, unit));
        player.sizes.iter().for_each(|&size| inputs.number(size / 256));
        inputs.number(player.quick / 256);
    }
    let hint = |back: usize| {
        ply.checked_sub(back).and_then(|at| hints.get(at)).copied().unwrap_or_default()
    };
    inputs.hint(&hint(0));
    inputs.memory(&hint(1));
    inputs.memory(&hint(2));
    inputs
}

impl Player {
    fn new(plan: Plan) -> Self {
        Self {
            left: plan.base.into(),
            moved: false,
            taken: [0; 3],
            mean: -1,
            sizes: [1 << 15, 1 << 15, 1 << 14],
            quick: 1 << 14,
        }
    }

    /// Returns the player after a move that took `taken`, with `left` on the clock.
    fn after(self, taken: i64, left: i64, unit: i64) -> Self {
        let taken = taken.max(0);
        let part = taken.min(120 * unit) * 64;
        let mean = if self.mean < 0 { part } else { self.mean + (part - self.mean) / 5 };
        let size = size_of(taken, unit) * 256;
        let [short, long, spread] = self.sizes;
        let sizes = [
            short + (size - short) / 4,
            long + (size - long) / 12,
            spread + ((size - short).abs() - spread) / 6,
        ];
        let quick = if taken <= unit { 1 << 16 } else { 0 };
        let quick = self.quick + (quick - self.quick) / 8;
        let taken = [taken, self.taken[0], self.taken[1]];
        Self { left, moved: true, taken, mean, sizes, quick }
    }
}

/// The plies of one player at which each next stage of a game begins.
const STAGES: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 9, 11, 14, 19, 25, 35, 45];

fn scene(ply: usize, plan: Plan, own: Player, other: Player) -> Scene {
    let unit = i64::from(unit(plan.decimals));
    let stage = STAGES.partition_point(|&stage| stage <= ply / 2);
    let stage = u32::try_from(stage).unwrap_or(0);
    let exact = plan.decimals > 0;
    let steps =
        |taken: i64| half_steps(if exact { in_seconds(taken * 10, unit) / 3 } else { taken }, 15);
    let (last, before) = match own.moved {
        true => (steps(own.taken[0]), steps(own.taken[1])),
        false => (15, 15),
    };
    let others = steps(other.taken[0]);
    let left = half_steps(in_seconds(own.left, unit), 23);
    let mean = match own.mean {
        -1 => 15,
        mean => half_steps(in_seconds(mean * 10 / 64, unit), 14),
    };
    let base = half_steps(in_seconds(plan.base.into(), unit), 23);
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
    Scene { kind, rows: SHAPE.rows(contexts), recent: last / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_states_the_bases() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/FORMAT.md");
        let text = std::fs::read_to_string(path).expect(path);
        let (_, stated) = text.split_once("its place, from 0, among ").expect("the bases");
        let (stated, _) = stated.split_once(" seconds").expect("the unit");
        let words = stated.split_ascii_whitespace().filter(|&word| word != "and");
        let number = |word: &str| word.trim_end_matches(',').replace(',', "").parse::<u32>();
        assert_eq!(words.map(number).collect::<Result<Vec<_>, _>>(), Ok(BASES.to_vec()));
    }
}
