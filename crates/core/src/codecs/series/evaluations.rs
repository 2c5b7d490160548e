//! Evaluations, coded as their change, from the point of view of the player who moved.

use super::curve::{Curve, Widths, odds};
use super::inputs::Inputs;
use super::primed::Shape;
use super::question::{Asker, FLAGS, Gaps, Place, Scene, TRAINED, half_steps, number};
use super::{CLOCK_MAX, DAMAGED, Evaluation};
use crate::error::Error;
use crate::hint::{Hint, Known};

/// Number of contexts of each guess in the scene of pawns.
const PAWNS: [u32; TRAINED] = [225, 26 * 15, 26 * 16, 14 * 16, 13 * 16, 1025];

/// The size of the model. The contexts of pawns are followed by those of falls of the evaluation,
/// then by those of mates, of which the later guesses have only one.
pub(super) const SHAPE: Shape = Shape {
    nets: 1,
    inputs: 29 + Inputs::OF_HINT,
    kinds: 4,
    contexts: [
        2 * PAWNS[0] + 64,
        2 * PAWNS[1] + 64,
        2 * PAWNS[2] + 1,
        2 * PAWNS[3] + 1,
        2 * PAWNS[4] + 1,
        2 * PAWNS[5] + 1,
    ],
};

/// The minimum and maximum width of the parts of curves, in doublings of 16 hundredths of a pawn.
pub(super) const WIDTHS: Widths = [-7, 7];

/// Kinds of scenes.
const FLAG: u32 = 0;
const RISE: u32 = 1;
const FALL: u32 = 2;
const MATE: u32 = 3;

/// Places of questions.
const PRESENT: u32 = FLAGS;
const IS_MATE: u32 = FLAGS + 1;
const SAME: u32 = FLAGS + 2;
const ZERO: u32 = FLAGS + 3;
const BETTER: u32 = FLAGS + 4;
const AS_KNOWN: u32 = FLAGS + 5;
const GAPS: u32 = FLAGS + 6;

/// The value assumed for a mate by later evaluations, in hundredths of a pawn.
const MATE_WORTH: i64 = 1_500;

/// The evaluations so far, as a basis for the next.
struct History {
    /// The last four, the latest first.
    values: [i64; 4],
    /// The difference of each from the previous one.
    changes: [i64; 3],
    /// The moves to mate, if the last evaluation was a mate.
    mate: Option<i64>,
    /// The difference of the last number of moves to mate from the expected one.
    surprise: i64,
    /// Running mean of the sizes of changes, in eighths; the latest counts for a fifth.
    activity: i64,
    /// The same, with the latest counting for a half.
    unrest: i64,
    /// Whether the last evaluation known from other games was the actual one: 1, or -1 if not.
    agreed: i64,
}

impl Default for History {
    fn default() -> Self {
        Self {
            values: [0; 4],
            changes: [0; 3],
            mate: None,
            surprise: 0,
            activity: 320,
            unrest: 320,
            agreed: 0,
        }
    }
}

impl History {
    /// Takes an evaluation in pawns.
    fn take(&mut self, value: i64) {
        self.mate = None;
        self.note(value);
        let size = self.changes[0].abs();
        self.activity += (size.min(400) * 8 - self.activity) / 5;
        self.unrest += (size.min(1_000) * 8 - self.unrest) / 2;
    }

    fn note(&mut self, value: i64) {
        let change = value - self.values[0];
        self.changes = [change, self.changes[0], self.changes[1]];
        self.values = [value, self.values[0], self.values[1], self.values[2]];
    }

    /// Returns the scene of an evaluation in pawns; `side` is 1 after White's move and -1 after
    /// Black's.
    fn scene(&self, ply: usize, side: i64) -> Scene {
        let [first, second, _] = self.changes.map(|change| signed_class(change * side));
        let level = level(self.values[0]);
        let sided = level + if self.values[0] * side > 0 { 13 } else { 0 };
        let activity = half_steps(self.activity / 8, 15);
        let stage = STAGES.partition_point(|&stage| stage <= ply);
        let stage = u32::try_from(stage).unwrap_or(0);
        let zeros = self.values.iter().fold(0, |zeros, &value| zeros << 1 | u32::from(value == 0));
        // Early equal evaluations are mostly of equal positions.
        let near = u32::try_from(self.values[0] + 32).ok().filter(|&near| near < 128);
        let opening = u32::try_from(ply).ok().filter(|&ply| ply < 8).zip(near);
        let opening = opening.map_or(0, |(ply, near)| 1 + ply * 128 + near);
        let contexts = [
            first * 15 + second,
            sided * 15 + first,
            activity * 26 + sided,
            stage * 16 + activity,
            level * 16 + zeros,
            opening,
        ];
        Scene { kind: FLAG, rows: SHAPE.rows(contexts), recent: activity / 2 }
    }

    /// Returns the net's inputs before an evaluation in pawns.
    fn inputs(&self, ply: usize, side: i64, hint: &Hint, known: Option<Known>) -> Inputs {
        let ply = i64::try_from(ply).unwrap_or(0);
        let last = self.values[0] * side;
        let changes = self.changes.map(|change| change * side);
        let zeros = self.values.iter().filter(|&&value| value == 0).count();
        let mut inputs = Inputs::default();
        inputs.flag(true);
        inputs.size(last, 8);
        inputs.size(last.abs(), 8);
        changes.iter().for_each(|&change| inputs.size(change, 8));
        inputs.size(changes[0].abs(), 8);
        inputs.size(changes[1].abs(), 8);
        inputs.size(self.activity / 8, 8);
        inputs.size(self.unrest / 8, 8);
        inputs.number(last * 256 / 500);
        inputs.number(last.abs() * 256 / 500);
        inputs.size(ply, 1);
        inputs.number(ply * 256 / 80);
        inputs.flag(last == 0);
        inputs.number(i64::try_from(zeros).unwrap_or(0) * 64);
        inputs.number(side * 256);
        [1, 2, 4, 8].iter().for_each(|&end| inputs.flag(ply < end));
        let told = hint.marks.iter().any(|&mark| mark != 0);
        for worth in hint.worth {
            inputs.size(if told { last - i64::from(worth) } else { 0 }, 8);
        }
        let worth = i64::from(hint.worth[1]);
        inputs.number(if told { (last - worth) * 256 / 500 } else { 0 });
        inputs.flag(known.is_some());
        let (value, games) = known.map_or((last, 0), |known| {
            (i64::from(known.value) * side, i64::from(known.games.min(4)))
        });
        inputs.size(value - last, 8);
        inputs.number((value - last).clamp(-100, 100) * 256 / 50);
        inputs.number(games * 64);
        inputs.number(if known.is_some() { self.agreed * 256 } else { 0 });
        inputs.hint(hint);
        inputs
    }

    /// Returns the scene of moves to mate.
    fn mate_scene(&self, side: i64) -> Scene {
        let ahead = u32::from(self.values[0] * side > 0);
        let moves = self.mate.map_or(0, |moves| 1 + moves.unsigned_abs().min(14));
        let moves = u32::try_from(moves).unwrap_or(0);
        let surprise = match self.surprise {
            i64::MIN..=-2 => 0,
            -1 => 1,
            0 => 2,
            1 => 3,
            _ => 4,
        };
        let contexts = [
            2 * PAWNS[0] + ahead * 16 + moves,
            2 * PAWNS[1] + ahead * 32 + surprise * 6 + moves.min(5),
            u32::MAX,
            u32::MAX,
            u32::MAX,
            u32::MAX,
        ];
        Scene { kind: MATE, rows: SHAPE.rows(contexts), recent: ahead }
    }
}

/// The plies at which each next stage of a game begins.
const STAGES: [usize; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40];

/// Classifies a change by size and sign in 15 classes; 7 is no change.
fn signed_class(change: i64) -> u32 {
    let size = [1, 7, 17, 37, 81, 181, 401].partition_point(|&size| size <= change.unsigned_abs());
    let size = u32::try_from(size).unwrap_or(0);
    if change < 0 { 7 - size } else { 7 + size }
}

/// Classifies the distance of an evaluation from 0 in 13 classes.
fn level(value: i64) -> u32 {
    let sizes = [1, 16, 41, 81, 151, 251, 401, 651, 1_001, 1_401, 2_201, 5_001];
    let class = sizes.partition_point(|&size| size <= value.unsigned_abs());
    u32::try_from(class).unwrap_or(0)
}

/// Asks for the evaluations, one or none for each ply. A ply may have a hint.
pub(super) fn walk(
    plies: usize,
    evaluations: &[Option<Evaluation>],
    hints: &[Hint],
    asker: &mut impl Asker,
) -> Result<Vec<Option<Evaluation>>, Error> {
    let mut history = History::default();
    let mut found = Vec::new();
    let mut was_present = true;
    let gaps = Gaps::of(evaluations).ask(asker, &history.scene(0, 1), GAPS);
    for ply in 0..plies {
        let evaluation = evaluations.get(ply).copied().flatten();
        let hint = hints.get(ply).copied().unwrap_or_default();
        let side = if ply % 2 == 0 { 1 } else { -1 };
        let pawns = history.scene(ply, side);
        was_present = match gaps {
            Gaps::None => true,
            Gaps::Last => ply + 1 < plies,
            Gaps::Some => {
                let gap = Scene { recent: u32::from(was_present), ..pawns };
                asker.ask(&gap, PRESENT, 0, evaluation.is_some())
            }
        };
        if !was_present {
            found.push(None);
            continue;
        }
        let (mate, value) = match evaluation {
            Some(Evaluation::Mate(moves)) => (true, i64::from(moves)),
            Some(Evaluation::Pawns(value)) => (false, value.into()),
            None => (false, 0),
        };
        let mates = history.mate_scene(side);
        let scene = if history.mate.is_some() { mates } else { pawns };
        if asker.ask(&scene, IS_MATE, 0, mate) {
            let moves = walk_mate(&mut history, &mates, side, value, asker);
            found.push(Some(Evaluation::Mate(narrow(moves)?)));
        } else {
            // No value is likely after a mate.
            let guided = history.mate.is_none();
            let value = match guided {
                true => guided_pawns(&mut history, &pawns, ply, value, &hint, asker),
                false => {
                    history.values[0] + difference(&pawns, value - history.values[0], side, asker)
                }
            };
            history.take(value);
            found.push(Some(Evaluation::Pawns(narrow(value)?)));
        }
    }
    Ok(found)
}

fn narrow(value: i64) -> Result<i32, Error> {
    let valid = i32::try_from(value).ok().filter(|value| value.unsigned_abs() <= CLOCK_MAX);
    valid.ok_or(DAMAGED)
}

/// Asks for moves to mate. The mating side is expected to come closer with each of its moves, the
/// other to delay mate as long as it can.
fn walk_mate(
    history: &mut History,
    scene: &Scene,
    side: i64,
    moves: i64,
    asker: &mut impl Asker,
) -> i64 {
    let expected = match history.mate {
        Some(last) if last * side > 0 => last - side,
        Some(last) => last,
        None => 0,
    };
    let difference = difference(scene, moves - expected, side, asker) * side;
    let moves = expected + difference * side;
    history.surprise = if history.mate.is_some() { difference } else { 0 };
    history.mate = Some(moves);
    history.note(if moves > 0 { MATE_WORTH } else { -MATE_WORTH });
    moves
}

/// Asks for a difference without a curve.
fn difference(scene: &Scene, difference: i64, side: i64, asker: &mut impl Asker) -> i64 {
    let difference = difference * side;
    if asker.ask(scene, SAME, 0, difference == 0) {
        return 0;
    }
    let better = asker.ask(scene, BETTER, 0, difference > 0);
    side * sized(scene, difference, better, asker, [0; 2], |_| 0)
}

/// Asks for the size of a difference that is not 0 and whose sign is known.
fn sized(
    scene: &Scene,
    difference: i64,
    better: bool,
    asker: &mut impl Asker,
    ends: [u64; 2],
    below: impl Fn(i64) -> u64,
) -> i64 {
    let size = u32::try_from(difference.unsigned_abs().saturating_sub(1)).unwrap_or(0);
    let scene = match scene.kind {
        MATE => *scene,
        _ if better => Scene { kind: RISE, ..*scene },
        // Moves often lose much, but rarely gain much.
        _ => {
            let mut scene = Scene { kind: FALL, ..*scene };
            scene.rows.iter_mut().zip(PAWNS).for_each(|(row, size)| *row += size);
            scene
        }
    };
    let size = 1 + i64::from(number(asker, &scene, size, ends, below));
    if better { size } else { -size }
}

/// Asks for an evaluation in pawns by its change, from the point of view of the player who moved,
/// along a curve whose unit is 16 hundredths of a pawn. The atoms are no change, a value of 0, and
/// the known value.
fn guided_pawns(
    history: &mut History,
    scene: &Scene,
    ply: usize,
    value: i64,
    hint: &Hint,
    asker: &mut impl Asker,
) -> i64 {
    let side = if ply.is_multiple_of(2) { 1 } else { -1 };
    let last = history.values[0];
    let known = hint.known.filter(|known| known.value.unsigned_abs() <= CLOCK_MAX);
    let known_value = known.map(|known| i64::from(known.value));
    let allowed = [true, last != 0, known.is_some()];
    let change = (value - last) * side;
    let place = Place {
        ends: [Some(start(change)), Some(start(change + 1))],
        is: [change == 0, value == 0 && last != 0, known_value == Some(value)],
        allowed,
    };
    let outputs = asker.look(0, &history.inputs(ply, side, hint, known), place);
    let curve = Curve::new(&outputs, WIDTHS, allowed);
    let whole = curve.whole();
    let point = |value: i64| {
        let change = (value - last) * side;
        curve.below(start(change + 1)) - curve.below(start(change))
    };
    let [stays, even, as_known] = curve.atoms;
    let (falls, kept) = (curve.below(start(0)), curve.below(start(1)));
    let rises = whole.saturating_sub(kept);
    if let Some(known) = known_value {
        // A value that equals the known one may also be no change, or 0.
        let mut yes = point(known) + as_known;
        yes += if known == last { stays } else { 0 };
        yes += if known == 0 && last != 0 { even } else { 0 };
        let no = (whole + stays + even + as_known).saturating_sub(yes);
        let agrees = asker.ask(scene, AS_KNOWN, odds(yes, no), value == known);
        history.agreed = if agrees { 1 } else { -1 };
        if agrees {
            return known;
        }
    }
    if last != 0 && known_value != Some(0) {
        let yes = point(0) + even;
        if asker.ask(scene, ZERO, odds(yes, (whole + stays).saturating_sub(yes - even)), value == 0)
        {
            return 0;
        }
    }
    if known_value != Some(last) {
        let changes = rises + falls;
        let yes = whole.saturating_sub(changes) + stays;
        if asker.ask(scene, SAME, odds(yes, changes), change == 0) {
            return last;
        }
    }
    let better = asker.ask(scene, BETTER, odds(rises, falls), change > 0);
    let below = |size: i64| match better {
        true => curve.below(start(size)),
        false => whole.saturating_sub(curve.below(start(1 - size))),
    };
    let first = if better { kept } else { whole.saturating_sub(falls) };
    last + sized(scene, change, better, asker, [first, whole], below) * side
}

/// Returns the start of a change on the curve: half a hundredth of a pawn below it, in 16ths.
fn start(change: i64) -> i64 {
    16 * change - 8
}
