//! Reviews: which moves a server judged, predicted from the evaluations, and the length of the
//! better line that it gave.

use super::primed::Shape;
use super::question::{Asker, FLAGS, Scene, choice, unguided};
use super::{DAMAGED, Evaluation, REVIEW_CLASSES_MAX, Review};
use crate::error::Error;
use crate::limits::check_plies;

/// The size of the model.
pub(super) const SHAPE: Shape = Shape {
    nets: 0,
    inputs: 0,
    kinds: 3,
    contexts: [VERDICTS, VERDICTS * 3, LENGTHS * LENGTHS, LENGTHS * 9, LENGTHS * 14, LENGTHS * 17],
};

/// Kinds of scenes.
const FLAG: u32 = 0;
const LENGTH: u32 = 1;
const CLASS: u32 = 2;

/// The place of the question whether there is a review.
const PRESENT: u32 = FLAGS;

/// Number of classes of verdicts, and of lengths: none yet, 1 to 15 plies, more.
const VERDICTS: u32 = 24;
const LENGTHS: u32 = 17;

/// Number of bits of a class.
const CLASS_BITS: u32 = REVIEW_CLASSES_MAX.ilog2();

/// The evaluation at the start of a game, in hundredths of a pawn.
const FIRST: i32 = 15;

/// Values beyond this, in hundredths of a pawn, are as good as won.
const WON: i32 = 1_000;

/// The winning chance, out of 2^20, at a value from -[`WON`] to [`WON`]:
/// 1 / (1 + exp(-0.004 value)), rounded down.
static CHANCES: [i32; 2 * WON as usize + 1] = chances();

const fn chances() -> [i32; 2 * WON as usize + 1] {
    // exp(-0.004) in units of 2^-62.
    const FACTOR: u128 = 4_593_276_118_699_660_232;
    const UNIT: u128 = 1 << 62;
    let mut table = [0; _];
    let mut power = UNIT;
    let mut value = 0;
    while value <= WON as usize {
        #[expect(clippy::cast_possible_truncation, reason = "a chance is below 2^20")]
        {
            table[WON as usize + value] = ((UNIT << 20) / (UNIT + power)) as i32;
            table[WON as usize - value] = ((power << 20) / (UNIT + power)) as i32;
        }
        power = (power * FACTOR) >> 62;
        value += 1;
    }
    table
}

/// Classes of the winning chance that a move lost, out of 2^20. Servers judge moves that lost a
/// twentieth or more, so the classes are narrow there.
const LOSSES: [i32; 12] =
    [0, 10_486, 31_457, 47_186, 51_380, 52_428, 52_953, 57_672, 73_400, 104_858, 157_286, 262_144];

/// Classifies a move by the evaluations before and after it; `side` is 1 for White, -1 for Black.
fn verdict(before: Option<Evaluation>, after: Option<Evaluation>, side: i32) -> u32 {
    use Evaluation::{Mate, Pawns};
    let (Some(before), Some(after)) = (before, after) else { return 0 };
    let own = |value: i32| value.clamp(-WON, WON) * side;
    let mates = |moves: i32| (moves > 0) == (side > 0);
    match (before, after) {
        (Pawns(before), Pawns(after)) => {
            let chance = |value| CHANCES.get(usize::try_from(own(value) + WON).unwrap_or(0));
            let lost = chance(before).unwrap_or(&0) - chance(after).unwrap_or(&0);
            1 + u32::try_from(LOSSES.partition_point(|&loss| loss <= lost)).unwrap_or(0)
        }
        (Pawns(_), Mate(moves)) if mates(moves) => 14,
        (Pawns(before), Mate(_)) => 15 + u32::from(own(before) == -WON),
        (Mate(moves), Pawns(after)) if mates(moves) => match own(after) {
            WON => 17,
            700.. => 18,
            _ => 19,
        },
        (Mate(moves), Mate(after)) if mates(moves) => 20 + u32::from(mates(after)),
        (Mate(_), Mate(after)) if !mates(after) => 22,
        (Mate(_), _) => 23,
    }
}

/// The reviews so far, as a basis for the next.
#[derive(Default)]
struct History {
    /// The classes of the lengths of the last two lines, and of the longest.
    last: u32,
    before: u32,
    longest: u32,
    /// Whether the last move that lost much was reviewed: 1 if it was, 2 if not.
    answered: u32,
}

/// The plies at which each next stage of a game begins.
const STAGES: [usize; 13] = [4, 8, 12, 16, 20, 24, 30, 36, 44, 52, 64, 80, 100];

/// Asks for the reviews, one or none for each ply.
pub(super) fn walk(
    plies: usize,
    evaluations: &[Option<Evaluation>],
    classes: u32,
    reviews: &[Option<Review>],
    asker: &mut impl Asker,
) -> Result<Vec<Option<Review>>, Error> {
    let mut history = History::default();
    let mut before = Some(Evaluation::Pawns(FIRST));
    let mut found = Vec::new();
    for ply in 0..plies {
        let known = reviews.get(ply).copied().flatten();
        let after = evaluations.get(ply).copied().flatten();
        let side = if ply % 2 == 0 { 1 } else { -1 };
        let verdict = verdict(before, after, side);
        let scene = history.scene(ply, verdict, before);
        before = after;
        let present = asker.ask(&scene, PRESENT, 0, known.is_some());
        if verdict > 6 {
            history.answered = if present { 1 } else { 2 };
        }
        if !present {
            found.push(None);
            continue;
        }
        let known = known.unwrap_or_default();
        let mut class = 0;
        if classes > 1 {
            // The loss, in the steps of the judgements.
            let recent = (verdict / 2).saturating_sub(3).min(7);
            let scene = Scene { kind: CLASS, recent, ..scene };
            class = choice(asker, &scene, CLASS_BITS, known.class.into());
        }
        let class = u8::try_from(class).ok().filter(|&class| u32::from(class) < classes);
        let class = class.ok_or(DAMAGED)?;
        let scene = Scene { kind: LENGTH, ..scene };
        let length = unguided(asker, &scene, known.plies.saturating_sub(1));
        let length = length.saturating_add(1);
        check_plies(length)?;
        history.note(length);
        found.push(Some(Review { class, plies: length }));
    }
    Ok(found)
}

impl History {
    fn scene(&self, ply: usize, verdict: u32, before: Option<Evaluation>) -> Scene {
        let stage = STAGES.partition_point(|&stage| stage <= ply);
        let stage = u32::try_from(stage).unwrap_or(0);
        let mate = match before {
            Some(Evaluation::Mate(moves)) => moves.unsigned_abs().min(8),
            _ => 0,
        };
        let contexts = [
            verdict,
            verdict * 3 + self.answered,
            self.last * LENGTHS + self.before,
            self.last * 9 + mate,
            self.last * 14 + stage,
            self.longest * LENGTHS + self.last,
        ];
        Scene { kind: FLAG, rows: SHAPE.rows(contexts), recent: self.last / 2 }
    }

    fn note(&mut self, plies: u32) {
        let class = plies.min(LENGTHS - 1);
        (self.last, self.before) = (class, self.last);
        self.longest = self.longest.max(class);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Evaluation::{Mate, Pawns};

    #[test]
    fn chances_are_the_logistic_function() {
        for (value, &chance) in (-WON..).zip(&CHANCES) {
            let exact = f64::from(1 << 20) / (1.0 + (-0.004 * f64::from(value)).exp());
            assert!((f64::from(chance) - exact).abs() < 1.01, "{value}: {chance} {exact}");
        }
    }

    #[test]
    fn verdicts_are_from_the_mover_s_point_of_view() {
        for (before, after, expected) in [
            (Pawns(0), Pawns(40), 1),
            (Pawns(0), Pawns(0), 2),
            (Pawns(0), Pawns(-50), 6),
            (Pawns(0), Pawns(-51), 8),
            (Pawns(0), Pawns(-5_000), 13),
            (Pawns(0), Mate(3), 14),
            (Pawns(0), Mate(-3), 15),
            (Pawns(-1_200), Mate(-3), 16),
            (Mate(3), Pawns(1_200), 17),
            (Mate(3), Pawns(800), 18),
            (Mate(3), Pawns(80), 19),
            (Mate(3), Mate(-2), 20),
            (Mate(3), Mate(2), 21),
            (Mate(-3), Mate(-2), 22),
            (Mate(-3), Pawns(0), 23),
        ] {
            let turned = |evaluation| match evaluation {
                Pawns(value) => Pawns(-value),
                Mate(moves) => Mate(-moves),
            };
            assert_eq!(verdict(Some(before), Some(after), 1), expected, "{before:?} {after:?}");
            let black = verdict(Some(turned(before)), Some(turned(after)), -1);
            assert_eq!(black, expected, "{before:?} {after:?}");
        }
        assert_eq!(verdict(None, Some(Pawns(0)), 1), 0);
    }
}
