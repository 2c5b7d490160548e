//! The worked examples of series in `docs/FORMAT.md`: every question of a short series, and the
//! steps of the coder.

use plypack_testing::coder::Coder;
use plypack_testing::examples::{self, Example};

use super::inputs::Inputs;
use super::net::OUTPUTS;
use super::primed::{Model, Shape, Table};
use super::question::{Asker, Place, Scene, TRAINED};
use super::{CLOCK_3, EVALUATION_3, Evaluation, REVIEW_2, Review, clocks, evaluations, reviews};
use crate::bits::mixing::{ONE, squash};

const EXAMPLES: [Example; 3] =
    [("clock.mixed", clock), ("eval.mixed", evaluation), ("review.mixed", review)];

#[test]
fn examples_are_what_the_codecs_write() {
    examples::check("core", &EXAMPLES);
}

#[test]
#[ignore = "writes docs/FORMAT.md"]
fn write_examples() {
    examples::write("core", &EXAMPLES);
}

/// Answers as told, and records every question.
struct Scribe<'t> {
    model: Model<'t>,
    shape: Shape,
    coder: Coder,
    out: String,
}

impl<'t> Scribe<'t> {
    fn new(shape: Shape, table: &'t Table) -> Self {
        let out = "contexts                 kind recent place   odds      y      low               \
                   range\n";
        Self { model: Model::new(table), shape, coder: Coder::default(), out: out.to_owned() }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// Appends numbers, wrapped to the width of the document.
    fn list<N: ToString>(&mut self, head: &str, numbers: impl IntoIterator<Item = N>) {
        let mut text = head.to_owned();
        for number in numbers {
            let number = number.to_string();
            if text.len() + 1 + number.len() > 96 {
                self.line(&text);
                text = " ".repeat(head.len());
            }
            text.push(' ');
            text.push_str(&number);
        }
        self.line(&text);
    }

    /// Codes an answer.
    fn code(&mut self, question: &str, odds: i32, yes: u32, answer: bool) {
        let (yes, one) = (u64::from(yes), u64::from(ONE));
        let (start, size) = if answer { (0, yes) } else { (yes, one - yes) };
        self.coder.code(start, size, one);
        let said = if answer { "yes" } else { "no" };
        let (low, range) = (self.coder.low, self.coder.range);
        let text = format!("{question:<42} {odds:>5} {yes:>6} {said:<3}  {low:016x}  {range:016x}");
        self.line(&text);
    }

    /// Returns the example, after checking its code.
    fn finish(mut self, code: &[u8]) -> String {
        assert_eq!(self.coder.clone().finish(), code);
        let bytes: Vec<String> = code.iter().map(|byte| format!("{byte:02x}")).collect();
        self.line(&format!("code  {}", bytes.join(" ")));
        self.out
    }
}

impl Asker for Scribe<'_> {
    fn look(&mut self, net: usize, inputs: &Inputs, _: Place) -> [i32; OUTPUTS] {
        let outputs = self.model.look(net, inputs);
        self.list("inputs ", inputs.numbers());
        self.list("outputs", outputs);
        outputs
    }

    fn ask(&mut self, scene: &Scene, place: u32, odds: i32, answer: bool) -> bool {
        let mut chance = 0;
        let decide = |yes| {
            chance = yes;
            answer
        };
        self.model.answer(scene, place, odds, decide);
        let firsts = self.shape.rows([0; TRAINED]);
        let contexts = scene.rows.iter().zip(firsts);
        let contexts: Vec<String> =
            contexts.map(|(&row, first)| (row - first).to_string()).collect();
        let question = contexts.join(" ");
        let question = format!("{question:<25} {:<4} {:<6} {place:<4}", scene.kind, scene.recent);
        self.code(&question, odds, chance, answer);
        answer
    }

    fn ask_by(&mut self, odds: i32, answer: bool) -> bool {
        self.code("(the curve alone, or even)", odds, squash(odds), answer);
        answer
    }
}

/// Two players with three minutes each; the second thinks for seven seconds.
fn clock() -> String {
    let readings = [Some(180), Some(173)];
    let mut scribe = Scribe::new(clocks::SHAPE, &CLOCK_3.table);
    let plan = clocks::Plan::of(&readings, 0);
    assert!(clocks::walk(readings.len(), &readings, plan, &[], &mut scribe).is_ok());
    scribe.finish(&CLOCK_3.encode(&readings, 0, &[]).unwrap_or_default())
}

fn evaluation() -> String {
    let evaluations = [Some(Evaluation::Pawns(18)), None, Some(Evaluation::Mate(-3))];
    let mut scribe = Scribe::new(evaluations::SHAPE, &EVALUATION_3.table);
    assert!(evaluations::walk(evaluations.len(), &evaluations, &[], &mut scribe).is_ok());
    scribe.finish(&EVALUATION_3.encode(&evaluations, &[]).unwrap_or_default())
}

/// The second move lost two pawns, and had a better line of three plies.
fn review() -> String {
    let evaluations = [Some(Evaluation::Pawns(20)), Some(Evaluation::Pawns(220))];
    let reviews = [None, Some(Review { class: 1, plies: 3 })];
    let mut scribe = Scribe::new(reviews::SHAPE, &REVIEW_2.table);
    let classes = 2;
    assert!(reviews::walk(reviews.len(), &evaluations, classes, &reviews, &mut scribe).is_ok());
    scribe.finish(&REVIEW_2.encode(&reviews, &evaluations, classes).unwrap_or_default())
}
