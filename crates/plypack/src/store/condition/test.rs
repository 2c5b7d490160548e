//! Tests of what a condition names: which values meet them, and which names they are for.

use sqlparser::ast::Expr;

use super::ConditionError;
use super::expression::{Expression, Text, Texts, in_order, others};
use super::fault::{fault, shortened};
use super::literal::{Comparison, Number, Span};
use super::names::{Kind, Named, Subject};
use crate::store::games::schema::TagType;
use crate::store::tag_value;

/// A literal.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    Text(String),
    Number(Number, String),
}

/// A test of one value.
#[derive(Clone)]
pub(super) enum Test {
    Present,
    Numbers(Vec<(i64, i64)>),
    Texts(Texts),
}

/// Tests everything a name stands for; for `player`, either player.
pub(super) fn leaf(
    named: Named,
    negated: bool,
    test: impl Fn(&Subject) -> Result<Test, ConditionError>,
) -> Result<Expression, ConditionError> {
    let leaf = |subject: Subject| {
        Ok(match test(&subject)? {
            Test::Present => Expression::Present { subject, negated },
            Test::Numbers(ranges) => {
                let ranges = in_order(ranges);
                let ranges = if negated { others(&ranges) } else { ranges };
                Expression::Numbers { subject, ranges }
            }
            Test::Texts(texts) => Expression::Texts { subject, texts, negated },
        })
    };
    match named {
        Named::One(subject) => leaf(subject),
        Named::Player([first, second]) => {
            let players = vec![leaf(first)?, leaf(second)?];
            Ok(if negated { Expression::All(players) } else { Expression::Any(players) })
        }
    }
}

/// Refuses values that are no names of players.
pub(super) fn must_be_name(expr: &Expr, subject: &Subject) -> Result<(), ConditionError> {
    if subject.kind == Kind::Text {
        return Ok(());
    }
    let (name, what) = (&subject.name, subject.kind.what());
    Err(fault(expr, format!("`{name}` holds {what}, not names of players")))
}

/// Compares two columns of names; `player` is either player.
pub(super) fn same(
    expr: &Expr,
    left: Named,
    right: Named,
    negated: bool,
) -> Result<Expression, ConditionError> {
    let subjects = |named| match named {
        Named::One(subject) => vec![subject],
        Named::Player(players) => players.to_vec(),
    };
    let (lefts, rights) = (subjects(left), subjects(right));
    for subject in lefts.iter().chain(&rights) {
        must_be_name(expr, subject)?;
    }
    let pairs = lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right)));
    let one = |(left, right): (&Subject, &Subject)| Expression::SamePlayer {
        left: left.clone(),
        right: right.clone(),
        negated,
    };
    let pairs: Vec<Expression> = pairs.map(one).collect();
    Ok(if negated { Expression::All(pairs) } else { Expression::Any(pairs) })
}

/// Compares two named values.
pub(super) fn both(
    expr: &Expr,
    left: Named,
    comparison: Comparison,
    right: Named,
    negated: bool,
) -> Result<Expression, ConditionError> {
    let (Named::One(left), Named::One(right)) = (left, right) else {
        let why = "`player` can only be compared with text, as in player = 'Carlsen, Magnus'";
        return Err(fault(expr, why));
    };
    let is_text = |kind| matches!(kind, Kind::Text | Kind::Date);
    let like = left.kind == right.kind || (is_text(left.kind) && is_text(right.kind));
    let number =
        |one: &Subject, other: &Subject| one.kind == Kind::Number && other.kind == Kind::Text;
    if !like && !number(&left, &right) && !number(&right, &left) {
        let why = format!(
            "`{}` holds {} and `{}` holds {}, which cannot be compared",
            left.name,
            left.kind.what(),
            right.name,
            right.kind.what()
        );
        return Err(fault(expr, why));
    }
    Ok(Expression::Both { left, comparison, right, negated })
}

/// Builds the test that compares a value with a literal.
pub(super) fn compare(
    expr: &Expr,
    subject: &Subject,
    comparison: Comparison,
    literal: &Literal,
) -> Result<Test, ConditionError> {
    let numbers = |range: Option<(i64, i64)>| Ok(Test::Numbers(range.into_iter().collect()));
    let text = |text| Ok(Test::Texts(Texts::one(text)));
    let fail = |what: &str, cure: &str| {
        let literal = match literal {
            Literal::Text(text) => format!("'{}'", shortened(text)),
            Literal::Number(_, text) => shortened(text),
        };
        let why = format!(
            "`{}` holds {}, and {literal} is not a {what}; {cure}",
            subject.name,
            subject.kind.what()
        );
        Err(fault(expr, why))
    };
    let year = |number: &Number| {
        number.whole().and_then(|year| u16::try_from(year).ok()).and_then(Span::year)
    };
    match (subject.kind, literal) {
        (Kind::Text, Literal::Text(other)) => text(Text::Order(comparison, other.clone())),
        (Kind::Text, Literal::Number(number, _)) => text(Text::Number(comparison, number.value)),
        (Kind::Number, Literal::Number(number, _)) => numbers(number.range(comparison)),
        (Kind::Number, Literal::Text(other)) => match Number::read(other.trim()) {
            Some(number) => numbers(number.range(comparison)),
            None => fail("number", "compare it with digits, as in 2400"),
        },
        (Kind::Date, Literal::Text(other)) => match Span::of_literal(other) {
            Some(days) => text(Text::Days(comparison, days)),
            // A date that is no day, such as `1992.??.??`, is a text; a slip is neither.
            None if comparison == Comparison::Equal || other.contains('?') => {
                text(Text::Order(comparison, other.clone()))
            }
            None => fail("date", DATES),
        },
        (Kind::Date, Literal::Number(number, _)) => match year(number) {
            Some(days) => text(Text::Days(comparison, days)),
            None => fail("year", DATES),
        },
        (Kind::Day, Literal::Text(other)) => match Span::of_literal(other) {
            Some(days) => numbers(Some(days.range(comparison))),
            None => fail("date", DATES),
        },
        (Kind::Day, Literal::Number(number, _)) => match year(number) {
            Some(days) => numbers(Some(days.range(comparison))),
            None => fail("year", DATES),
        },
        (Kind::Time, Literal::Text(other)) => {
            let whole = if other.len() == 5 { format!("{other}:00") } else { other.clone() };
            let time = tag_value::read(TagType::Time, &whole);
            match time.and_then(|time| Number::read(&time.to_string())) {
                Some(time) => numbers(time.range(comparison)),
                None => fail("time", TIMES),
            }
        }
        (Kind::Time, Literal::Number(..)) => fail("time", TIMES),
    }
}

const DATES: &str = "compare it with a day, a month or a year, as in '2020-01-31', '2020-01' or \
                     2020";
const TIMES: &str = "compare it with a time, as in '18:30:00'";

/// Joins tests of one kind: any of them may hold.
pub(super) fn join(
    tests: impl Iterator<Item = Result<Test, ConditionError>>,
) -> Result<Test, ConditionError> {
    let (mut ranges, mut texts) = (Vec::new(), Texts::default());
    let mut is_numbers = false;
    for test in tests {
        match test? {
            Test::Present => {}
            Test::Numbers(more) => {
                is_numbers = true;
                ranges.extend(more);
            }
            Test::Texts(more) => {
                texts.words.extend(more.words);
                texts.others.extend(more.others);
            }
        }
    }
    texts.words.sort_unstable();
    Ok(if is_numbers { Test::Numbers(ranges) } else { Test::Texts(texts) })
}
