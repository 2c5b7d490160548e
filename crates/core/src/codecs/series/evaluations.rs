//! Evaluations by how much each changes the one before, from the side of who moved.

use super::primed::Shape;
use super::question::{Asker, FLAGS, Scene, TRAINED, half_steps, number};
use super::{CLOCK_MAX, DAMAGED, Evaluation};
use crate::error::Error;

/// How many contexts each guess has in the scene of pawns.
const PAWNS: [u32; TRAINED] = [225, 26 * 15, 26 * 16, 14 * 16, 13 * 16, 1025];

/// The size of the model. Behind the contexts of pawns stand those of how much an evaluation falls,
/// then those of mates, of which the later guesses have one.
pub(super) const SHAPE: Shape = Shape {
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

/// What a mate counts for, in hundredths of a pawn, where evaluations follow it.
const MATE_WORTH: i64 = 1_500;

/// What the evaluations so far say of the next.
struct History {
    /// The last four, the latest first.
    values: [i64; 4],
    /// How each differed from the one before it.
    changes: [i64; 3],
    /// The moves to mate, if the last evaluation said them.
    mate: Option<i64>,
    /// How the last moves to mate differed from what was expected.
    surprise: i64,
    /// A running mean of the sizes of changes, in eighths; the latest counts for a fifth.
    activity: i64,
}

impl History {
    fn note(&mut self, value: i64) {
        let change = value - self.values[0];
        self.changes = [change, self.changes[0], self.changes[1]];
        self.values = [value, self.values[0], self.values[1], self.values[2]];
    }

    /// The scene of an evaluation of pawns; `side` is 1 after White's move and -1 after Black's.
    fn scene(&self, ply: usize, side: i64) -> Scene {
        let [first, second, _] = self.changes.map(|change| signed_class(change * side));
        let level = level(self.values[0]);
        let sided = level + if self.values[0] * side > 0 { 13 } else { 0 };
        let activity = half_steps(self.activity / 8, 15);
        let stage = STAGES.partition_point(|&stage| stage <= ply);
        let stage = u32::try_from(stage).unwrap_or(0);
        let zeros = self.values.iter().fold(0, |zeros, &value| zeros << 1 | u32::from(value == 0));
        // Early on, equal evaluations are mostly those of equal positions.
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
        Scene { kind: FLAG, contexts, recent: activity / 2 }
    }

    /// The scene of moves to mate.
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
        Scene { kind: MATE, contexts, recent: ahead }
    }
}

/// The plies from which on a game counts as being at the next stage.
const STAGES: [usize; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40];

/// A change's size and sign in 15 classes; 7 is none.
fn signed_class(change: i64) -> u32 {
    let size = [1, 7, 17, 37, 81, 181, 401].partition_point(|&size| size <= change.unsigned_abs());
    let size = u32::try_from(size).unwrap_or(0);
    if change < 0 { 7 - size } else { 7 + size }
}

/// How far an evaluation is from even, in 13 classes.
fn level(value: i64) -> u32 {
    let sizes = [1, 16, 41, 81, 151, 251, 401, 651, 1_001, 1_401, 2_201, 5_001];
    let class = sizes.partition_point(|&size| size <= value.unsigned_abs());
    u32::try_from(class).unwrap_or(0)
}

/// Asks for the evaluations of so many plies.
pub(super) fn walk(
    plies: usize,
    evaluations: &[Option<Evaluation>],
    asker: &mut dyn Asker,
) -> Result<Vec<Option<Evaluation>>, Error> {
    let mut history =
        History { values: [0; 4], changes: [0; 3], mate: None, surprise: 0, activity: 320 };
    let mut found = Vec::new();
    let mut was_present = true;
    for ply in 0..plies {
        let known = evaluations.get(ply).copied().flatten();
        let side = if ply % 2 == 0 { 1 } else { -1 };
        let pawns = history.scene(ply, side);
        let gap = Scene { recent: u32::from(was_present), ..pawns };
        was_present = asker.ask(&gap, PRESENT, known.is_some());
        if !was_present {
            found.push(None);
            continue;
        }
        let (mate, value) = match known {
            Some(Evaluation::Mate(moves)) => (true, i64::from(moves)),
            Some(Evaluation::Pawns(value)) => (false, value.into()),
            None => (false, 0),
        };
        let mates = history.mate_scene(side);
        let scene = if history.mate.is_some() { mates } else { pawns };
        if asker.ask(&scene, IS_MATE, mate) {
            let moves = walk_mate(&mut history, &mates, side, value, asker);
            found.push(Some(Evaluation::Mate(narrow(moves)?)));
        } else {
            let value = walk_pawns(&mut history, pawns, side, value, asker);
            found.push(Some(Evaluation::Pawns(narrow(value)?)));
        }
    }
    Ok(found)
}

fn narrow(value: i64) -> Result<i32, Error> {
    let valid = i32::try_from(value).ok().filter(|value| value.unsigned_abs() <= CLOCK_MAX);
    valid.ok_or(DAMAGED)
}

/// Whoever mates comes closer with each move of his; who is mated delays it as best he can.
fn walk_mate(
    history: &mut History,
    scene: &Scene,
    side: i64,
    moves: i64,
    asker: &mut dyn Asker,
) -> i64 {
    let expected = match history.mate {
        Some(last) if last * side > 0 => last - side,
        Some(last) => last,
        None => 0,
    };
    let difference = walk_difference(scene, (moves - expected) * side, asker);
    let moves = expected + difference * side;
    history.surprise = if history.mate.is_some() { difference } else { 0 };
    history.mate = Some(moves);
    history.note(if moves > 0 { MATE_WORTH } else { -MATE_WORTH });
    moves
}

/// A difference that is not none has its sign asked for, and then its size.
fn walk_difference(scene: &Scene, difference: i64, asker: &mut dyn Asker) -> i64 {
    if asker.ask(scene, SAME, difference == 0) {
        return 0;
    }
    let better = asker.ask(scene, BETTER, difference > 0);
    let size = u32::try_from(difference.unsigned_abs().saturating_sub(1)).unwrap_or(0);
    let scene = match scene.kind {
        MATE => *scene,
        _ if better => Scene { kind: RISE, ..*scene },
        // Moves may lose much, and hardly ever win much.
        _ => {
            let mut scene = Scene { kind: FALL, ..*scene };
            scene.contexts.iter_mut().zip(PAWNS).for_each(|(context, size)| *context += size);
            scene
        }
    };
    let size = 1 + i64::from(number(asker, &scene, size));
    if better { size } else { -size }
}

fn walk_pawns(
    history: &mut History,
    scene: Scene,
    side: i64,
    value: i64,
    asker: &mut dyn Asker,
) -> i64 {
    let last = history.values[0];
    let zero = last != 0 && asker.ask(&scene, ZERO, value == 0);
    let value = match zero {
        true => 0,
        false => last + walk_difference(&scene, (value - last) * side, asker) * side,
    };
    history.mate = None;
    history.note(value);
    history.activity += (history.changes[0].abs().min(400) * 8 - history.activity) / 5;
    value
}
