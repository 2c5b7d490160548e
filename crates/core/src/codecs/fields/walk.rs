//! The order of the questions about the fields of a record.

use super::expectation::{Mode, Modes, Past, expected, swapped, usable};
use super::model::{Coder, Contexts, GUESSES, Model, signed_size, size};
use super::template::{Kind, NUMBER_MAX, Template};
use super::{BACK_MAX, Comment, Datum, Line, Source, WORDS_BYTES_MAX};
use crate::error::Error;
use crate::limits::PLIES_MAX;

/// The most subjects of a record's templates: a line has three, any other field one.
pub(super) const SUBJECTS_MAX: usize = 96;

/// The most values of a record.
const VALUES_MAX: usize = 1 << 20;

/// The number of bits of a mode, and of how many fields before in the comment the other one is.
const MODE_BITS: u32 = 4;
pub(super) const DISTANCE_BITS: u32 = 6;

/// The fields of templates.
pub(super) struct Subjects {
    /// Of each template, the kind of each field and its first subject.
    pub fields: Vec<Vec<(Kind, usize)>>,
    /// The number of subjects.
    pub count: usize,
}

/// The number of subjects of a line: whence, how much was foretold, how much not.
const LINE_SUBJECTS: usize = 3;

impl Subjects {
    /// Finds the fields of templates: those with the same name and form are one, and so are the
    /// second ones of that name in each template. `None` if there are too many.
    pub fn of(templates: &[Template]) -> Option<Self> {
        let mut known: Vec<((&str, Form, usize), usize)> = Vec::new();
        let mut fields = Vec::with_capacity(templates.len());
        let mut count = 0;
        for template in templates {
            let mut seen: Vec<(&str, Form)> = Vec::new();
            let mut own = Vec::new();
            for (name, kind) in template.names() {
                let form = form(kind);
                let times = seen.iter().filter(|&&field| field == (name, form)).count();
                seen.push((name, form));
                let key = (name, form, times);
                let subject = match known.iter().find(|known| known.0 == key) {
                    Some(known) => known.1,
                    None => {
                        known.push((key, count));
                        count += if kind == Kind::Line { LINE_SUBJECTS } else { 1 };
                        count - if kind == Kind::Line { LINE_SUBJECTS } else { 1 }
                    }
                };
                own.push((kind, subject));
            }
            fields.push(own);
        }
        (count <= SUBJECTS_MAX).then_some(Self { fields, count })
    }
}

/// What tells fields of one name apart.
type Form = (u8, u8);

fn form(kind: Kind) -> Form {
    match kind {
        Kind::Number { decimals, .. } => (0, decimals),
        Kind::Time { decimals, .. } => (1, decimals),
        Kind::Line => (2, 0),
        Kind::Words => (3, 0),
    }
}

/// The number of bits of a template's number, 0 if there is no comment, and of whence a line comes.
const TEMPLATE_BITS: u32 = 6;
const WHENCE_BITS: u32 = 5;

/// What the lines of one field were like.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    /// Of each player, the last one's number of whence it comes, and its plies.
    own: [(u32, u32); 2],
}

/// What is known of the numbers.
struct Numbers {
    /// Of each subject, the numbers so far.
    pasts: Vec<Past>,
    /// Of each subject, whether each player's mode was asked for.
    told: Vec<[bool; 2]>,
    modes: Vec<Modes>,
    /// The subjects of the numbers before in this comment.
    here: Vec<usize>,
    /// By how much the last number in this comment was missed.
    missed: i64,
}

impl Numbers {
    /// Asks about a player's number.
    fn about<C: Coder>(
        &mut self,
        model: &mut Model<C>,
        (kind, subject): (Kind, usize),
        side: usize,
        known: i64,
    ) -> Result<i64, Error> {
        let Self { pasts, told, modes, here, missed } = self;
        if !std::mem::replace(&mut told[subject][side], true) {
            let theirs = modes[subject][1 - side].filter(|_| told[subject][1 - side]);
            let mode = about_mode(model, modes[subject][side], theirs, here)?;
            modes[subject][side] = Some(mode);
        }
        let mode = usable(modes[subject][side].unwrap_or(Mode::Bare), here);
        let expected = expected(mode, side, subject, pasts);
        let contexts = contexts_of(&pasts[subject], side, expected, *missed);
        let share = pasts[subject].shares[side];
        let known = swapped(mode, share, known - expected);
        *missed = model.about(subject, contexts).signed(known);
        let number = expected + swapped(mode, share, *missed);
        if number.abs() >= NUMBER_MAX || kind.is_time() && number < 0 {
            return Err(super::DAMAGED);
        }
        pasts[subject].note(side, number, *missed);
        if mode == Mode::Share {
            pasts[subject].shares[side].note(number);
        }
        here.push(subject);
        Ok(number)
    }
}

/// Asks about the comments of `plies` plies. `modes` has that of each subject; a reader finds them.
pub(super) fn walk<C: Coder>(
    subjects: &Subjects,
    plies: usize,
    comments: &[Option<Comment>],
    mut modes: Vec<Modes>,
    model: &mut Model<C>,
) -> Result<Vec<Option<Comment>>, Error> {
    modes.resize(subjects.count, Modes::default());
    let mut numbers = Numbers {
        pasts: vec![Past::default(); subjects.count],
        told: vec![[false; 2]; subjects.count],
        modes,
        here: Vec::new(),
        missed: 0,
    };
    let mut lines = vec![Lines::default(); subjects.count];
    let mut found = Vec::new();
    let mut values = 0;
    // The template of the last comment of each player, and of either.
    let (mut own, mut last) = ([0u32; 2], 0u32);
    for ply in 0..plies {
        let side = ply % 2;
        let known = comments.get(ply).and_then(Option::as_ref);
        let number = known.map_or(0, |known| u32::try_from(known.template + 1).unwrap_or(0));
        let both = own[side] % 21 * 21 + last % 21;
        let contexts = [0, own[side], last, both, NONE, NONE, NONE];
        let number = model.about(subjects.count, contexts).choice(TEMPLATE_BITS, number);
        (own[side], last) = (number, number);
        let Some(template) = (number as usize).checked_sub(1) else {
            found.push(None);
            continue;
        };
        let fields = subjects.fields.get(template).ok_or(super::DAMAGED)?;
        values += fields.len();
        if values > VALUES_MAX {
            return Err(super::DAMAGED);
        }
        let mut data = Vec::with_capacity(fields.len());
        numbers.here.clear();
        numbers.missed = 0;
        for (at, &(kind, subject)) in fields.iter().enumerate() {
            let known = known.and_then(|known| known.data.get(at));
            if kind == Kind::Line {
                let known = match known {
                    Some(Datum::Line(line)) => *line,
                    _ => Line::default(),
                };
                let (own, line) = (lines[subject].own[side], known);
                let line = about_line(model, subject, own, line)?;
                lines[subject].own[side] = (whence(&line), line.plies);
                data.push(Datum::Line(line));
                continue;
            }
            if kind == Kind::Words {
                let known = match known {
                    Some(Datum::Words(words)) => words,
                    _ => "",
                };
                let words = about_words(model, subject, known)?;
                values += words.len();
                data.push(Datum::Words(words));
                continue;
            }
            let known = match known {
                Some(Datum::Number(number)) => *number,
                _ => 0,
            };
            let number = numbers.about(model, (kind, subject), side, known)?;
            data.push(Datum::Number(number));
        }
        found.push(Some(Comment { template, data }));
    }
    Ok(found)
}

/// No context.
pub(super) const NONE: u32 = u32::MAX;

/// Asks for a player's mode of a subject, given the other player's and the numbers before in the
/// comment.
fn about_mode<C: Coder>(
    model: &mut Model<C>,
    mode: Option<Mode>,
    theirs: Option<Mode>,
    here: &[usize],
) -> Result<Mode, Error> {
    let mode = mode.unwrap_or(Mode::Bare);
    if let Some(theirs) = theirs
        && model.plain(1, u64::from(mode == theirs)) == 1
    {
        return Ok(theirs);
    }
    let number = model.plain(MODE_BITS, mode.number());
    let mut others = mode.others();
    let mut other = || {
        let back = |other| here.iter().rev().position(|&subject| subject == other);
        let distance = others.next().and_then(back).unwrap_or(0);
        let distance = model.plain(DISTANCE_BITS, u64::try_from(distance).unwrap_or(0));
        here.iter().rev().nth(usize::try_from(distance).ok()?).copied()
    };
    Mode::of(number, &mut other).ok_or(super::DAMAGED)
}

/// Returns the contexts of a number's difference from what is expected; `missed` is that of the
/// number before in the comment.
fn contexts_of(past: &Past, side: usize, expected: i64, missed: i64) -> Contexts {
    let [first, second] = past.missed[side];
    let ([theirs, before, _], count) = past.own[1 - side];
    let change = if count > 1 { theirs - before } else { 0 };
    let coarse = |number: i64| (size(number) / 3).min(20);
    let near = |number: i64| u32::try_from(number.clamp(-8, 8) + 8).unwrap_or(0);
    let contexts: Contexts = [
        0,
        size(first),
        signed_size(change),
        coarse(first) * 21 + coarse(second),
        size(expected),
        signed_size(missed),
        near(first) * 17 + near(second),
    ];
    const { assert!(GUESSES == 7) };
    contexts
}

/// Returns the number of whence a line comes.
fn whence(line: &Line) -> u32 {
    let source = match line.source {
        Source::None => 0,
        Source::Game => 1,
        Source::Line(back) => u32::from(back.min(BACK_MAX)) + 1,
    };
    u32::from(line.base.min(2)) * 8 + source
}

/// The number of bits of a letter.
const LETTER_BITS: u32 = 7;

/// Asks for words, letter by letter, with a zero behind them.
fn about_words<C: Coder>(
    model: &mut Model<C>,
    subject: usize,
    words: &str,
) -> Result<String, Error> {
    let mut found = String::new();
    let (mut last, mut before) = (0, 0);
    let mut letters = words.bytes();
    loop {
        let place = u32::try_from(found.len()).unwrap_or(u32::MAX).min(127);
        let contexts = [0, last, before, NONE, place, NONE, NONE];
        let letter = letters.next().unwrap_or(0).into();
        let letter = model.about(subject, contexts).choice(LETTER_BITS, letter);
        if letter == 0 {
            return Ok(found);
        }
        if found.len() == WORDS_BYTES_MAX {
            return Err(super::DAMAGED);
        }
        found.push(char::from_u32(letter).ok_or(super::DAMAGED)?);
        (last, before) = (letter, last);
    }
}

/// Asks for a line, given the last one of the same player.
fn about_line<C: Coder>(
    model: &mut Model<C>,
    subject: usize,
    (own, plies): (u32, u32),
    line: Line,
) -> Result<Line, Error> {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let contexts = [0, own, size(plies.into()), NONE, NONE, NONE, NONE];
    let place = model.about(subject, contexts).choice(WHENCE_BITS, whence(&line));
    let (base, source) = (place / 8, place % 8);
    let source = match source {
        0 => Source::None,
        1 => Source::Game,
        back => Source::Line(u8::try_from(back - 1).unwrap_or(0)),
    };
    if base > 2 {
        return Err(super::DAMAGED);
    }
    let foretold = match source {
        Source::None => 0,
        _ => {
            let contexts = [0, place, size(plies.into()), NONE, NONE, NONE, NONE];
            number(model.about(subject + 1, contexts).unsigned(line.foretold.into()))
        }
    };
    let rest = u64::from(line.plies.saturating_sub(foretold));
    let expected = i64::from(plies) - i64::from(foretold);
    let contexts = [
        0,
        size(plies.into()),
        signed_size(expected),
        (place % 21) * 21 + (size(foretold.into()) / 2).min(20),
        size(foretold.into()),
        place,
        NONE,
    ];
    let rest = number(model.about(subject + 2, contexts).unsigned(rest));
    let plies = foretold.saturating_add(rest);
    if plies == 0 || plies > PLIES_MAX {
        return Err(super::DAMAGED);
    }
    let base = u8::try_from(base).unwrap_or(0);
    Ok(Line { base, source, foretold, plies })
}
