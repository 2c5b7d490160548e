//! The worked example of fields in `docs/FORMAT.md`: every question about a few comments, and the
//! steps of the coder.

use plypack_testing::coder::Coder as Steps;
use plypack_testing::examples::{self, Example};

use super::choice::choose;
use super::model::{Coder, Model, Question};
use super::walk::{NONE, Subjects, walk};
use super::{Comment, Datum, FIELDS, read_templates};
use crate::bits::mixing::ONE;

const EXAMPLES: [Example; 1] = [("field.mixed", comments)];

#[test]
fn the_example_is_what_the_codec_writes() {
    examples::check("fields", &EXAMPLES);
}

#[test]
#[ignore = "writes docs/FORMAT.md"]
fn write_examples() {
    examples::write("fields", &EXAMPLES);
}

/// Answers as told, and records every question.
#[derive(Default)]
struct Scribe {
    steps: Steps,
    asked: Option<String>,
    out: String,
}

impl Coder for Scribe {
    fn code(&mut self, yes: u32, answer: bool) -> bool {
        let (start, size) = if answer { (0, yes) } else { (yes, ONE - yes) };
        self.steps.code(start.into(), size.into(), ONE.into());
        let even = || format!("even{:36}", "");
        let asked = self.asked.take().unwrap_or_else(even);
        let said = if answer { "yes" } else { "no" };
        let (low, range) = (self.steps.low, self.steps.range);
        let line = format!("{asked} {yes:>5} {said:<3}  {low:016x}  {range:016x}\n");
        self.out.push_str(&line);
        answer
    }

    fn hear(&mut self, asked: &Question) {
        let context = |context: &u32| match *context {
            NONE => "-".to_owned(),
            context => context.to_string(),
        };
        let contexts: Vec<String> = asked.contexts.iter().map(context).collect();
        let (contexts, odds) = (contexts.join(" "), asked.odds);
        self.asked = Some(format!(
            "{:>2} {contexts:<23} {:>3} {:>2} {odds:>5}",
            asked.subject, asked.number, asked.set
        ));
    }
}

/// The first player thinks twice, the second time a little longer.
fn comments() -> String {
    let templates = read_templates("%+2n/%n %1ns").expect("a template");
    let comment = |numbers: [i64; 3]| {
        Some(Comment { template: 0, data: numbers.map(Datum::Number).to_vec() })
    };
    let comments = [comment([31, 20, 52]), None, comment([28, 21, 60])];
    let subjects = Subjects::of(&templates).expect("few");
    let scribe = Scribe::default();
    let mut model = Model::new(scribe, subjects.count + 1);
    let modes = choose(&subjects, &comments);
    walk(&subjects, comments.len(), &comments, modes, &mut model).expect("they fit");
    let mut scribe = model.into_coder();
    let code = FIELDS.newest.encode(&templates, &comments).expect("they fit");
    assert_eq!(scribe.steps.clone().finish(), code);
    let bytes: Vec<String> = code.iter().map(|byte| format!("{byte:02x}")).collect();
    scribe.out.push_str(&format!("code  {}\n", bytes.join(" ")));
    let head = "subject and contexts     question set odds      y      low               range\n";
    [head, &scribe.out].concat()
}
