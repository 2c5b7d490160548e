//! Patterns as texts: the JSON in which they are asked, which Scoutfish's queries are a part of.

use std::fmt::Display;

use plypack_core::pattern::{Condition, Query, Rule, STEPS_MAX, Step, results};
use plypack_core::{ErasedGame, Pattern};
use serde_json::{Map, Value};

use crate::facts::Outcome;
use crate::row::StoredRecord;

/// The longest text of a pattern, in bytes.
const TEXT_MAX: usize = 1 << 20;

/// How deep `not` and `any` nest, at most.
const NESTING_MAX: u32 = 8;

/// The rules of a condition, in the order in which they are tried: what is quickly told first. A
/// player's `..-move` comes before `sub-fen`.
const RULES: [&str; 17] = [
    "pass",
    "result",
    "stm",
    "material",
    "imbalance",
    "captured",
    "moved",
    "sub-fen",
    "on",
    "empty",
    "none",
    "some",
    "count",
    "any",
    "not",
    "shape",
    "result-type",
];

/// What stands beside them at the top of a pattern.
const TOP: [&str; 7] =
    ["sequence", "streak", "either-colour", "mirrored", "symmetric", "skip", "limit"];

/// What is asked besides the pattern itself.
#[derive(Debug)]
pub struct PatternText {
    query: Query,
    /// How many of the games that match are left out, from the first.
    pub skip: u64,
    /// How many games are wanted at most.
    pub limit: Option<u64>,
}

impl PatternText {
    /// Reads a pattern: JSON, or one text of it alone, a board (`8/8/p7/8/8/1B3N2/8/8`), material
    /// (`KRPKR`) or an imbalance (`vPP`).
    ///
    /// # Errors
    /// In words, with a cure.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > TEXT_MAX {
            return Err(format!("the pattern is longer than {TEXT_MAX} bytes"));
        }
        let text = text.trim();
        if !text.starts_with('{') {
            let rule = plain(text)?;
            let query = Query { steps: vec![step(Condition::Rule(rule))], ..Query::default() };
            return Ok(Self { query, skip: 0, limit: None });
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|error| format!("the pattern is not JSON: {error}"))?;
        let Value::Object(mut top) = value else { return Err("a pattern is an object".into()) };
        let flag = |top: &mut Map<String, Value>, name: &str| match top.remove(name) {
            None => Ok(false),
            Some(Value::Bool(set)) => Ok(set),
            Some(_) => Err(format!("`{name}` is true or false")),
        };
        let number = |top: &mut Map<String, Value>, name: &str| match top.remove(name) {
            None => Ok(None),
            Some(value) => {
                let number = value.as_u64().map(Some);
                number.ok_or_else(|| format!("`{name}` is a number of games"))
            }
        };
        let (skip, limit) = (number(&mut top, "skip")?, number(&mut top, "limit")?);
        let query = Query {
            either_colour: flag(&mut top, "either-colour")?,
            mirrored: flag(&mut top, "mirrored")?,
            symmetric: flag(&mut top, "symmetric")?,
            steps: steps(top)?,
        };
        Ok(Self { query, skip: skip.unwrap_or(0), limit })
    }

    /// The pattern, for games of this kind.
    ///
    /// # Errors
    /// In words, if the game has nothing of what is asked.
    pub fn of(&self, game: &dyn ErasedGame) -> Result<Pattern, String> {
        game.pattern(&self.query)
    }
}

/// Which of the [`results`] an outcome is.
#[must_use]
pub fn result_of(outcome: Option<Outcome>) -> u8 {
    match outcome {
        Some(Outcome::White) => results::WHITE,
        Some(Outcome::Black) => results::BLACK,
        Some(Outcome::Draw) => results::DRAW,
        None => results::OTHER,
    }
}

/// The plies at which the main line of a record first meets the conditions of a pattern, one after
/// the other; `None` if it never does, or has no moves, or is a record of another game.
///
/// # Errors
/// What is wrong with the record, in words.
pub fn matched(
    record: &StoredRecord<'_>,
    pattern: &Pattern,
    outcome: Option<Outcome>,
) -> Result<Option<Vec<u32>>, String> {
    let Some((codec, start, plies, code)) = record.line else { return Ok(None) };
    let codec = StoredRecord::codec(codec)?;
    let found = codec.matched(start, plies, code, pattern, result_of(outcome));
    found.map_err(|error| error.to_string())
}

/// The rule that a text alone is.
fn plain(text: &str) -> Result<Rule, String> {
    let letters = text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !text.is_empty();
    match text {
        _ if text.contains('/') => Ok(Rule::Board(text.into())),
        _ if letters && text.contains('v') => Ok(Rule::Imbalance(text.into())),
        _ if letters && text.starts_with('K') => Ok(Rule::Material(text.into())),
        _ => Err(format!(
            "`{text}` is no pattern; it is JSON, {{\"sub-fen\": \"8/8/p7/8/8/1B3N2/8/8\"}}, or such \
             a board, material (KRPKR) or imbalance (vPP) alone"
        )),
    }
}

fn step(condition: Condition) -> Step {
    Step { next: false, condition }
}

/// The conditions of a pattern, one after the other.
fn steps(mut top: Map<String, Value>) -> Result<Vec<Step>, String> {
    let series = (top.remove("sequence"), top.remove("streak"));
    let mut steps = match series {
        (None, None) => return Ok(vec![step(condition(top, 0)?)]),
        (Some(_), Some(_)) => {
            return Err(
                "`streak` stands in a `sequence`, as one of its parts, not beside it".into()
            );
        }
        (Some(sequence), None) => {
            let mut steps = Vec::new();
            for part in objects(sequence, "sequence")? {
                steps.extend(self::part(part)?);
            }
            steps
        }
        (None, Some(list)) => streak(list)?,
    };
    if steps.len() > STEPS_MAX {
        return Err(format!("{} conditions follow one another; {STEPS_MAX} may", steps.len()));
    }
    // The result is the game's, wherever it is asked for.
    if let Some(first) = steps.first_mut()
        && let Some(result) = top.remove("result")
    {
        let beside = condition(Map::from_iter([("result".to_owned(), result)]), 0)?;
        let old = std::mem::replace(&mut first.condition, Condition::Any(Vec::new()));
        first.condition = Condition::All(vec![beside, old]);
    }
    match top.keys().next() {
        Some(key) => Err(format!("`{key}` stands beside conditions; write it into one of them")),
        None => Ok(steps),
    }
}

/// A part of a sequence: a condition, or a streak.
fn part(mut part: Map<String, Value>) -> Result<Vec<Step>, String> {
    match part.remove("streak") {
        None => Ok(vec![step(condition(part, 0)?)]),
        Some(list) if part.is_empty() => streak(list),
        Some(_) => Err("a `streak` stands alone in its part of a sequence".into()),
    }
}

/// Conditions of which each but the first has to hold at the very next ply.
fn streak(list: Value) -> Result<Vec<Step>, String> {
    let conditions = objects(list, "streak")?.into_iter().enumerate();
    conditions
        .map(|(place, one)| Ok(Step { next: place > 0, condition: condition(one, 0)? }))
        .collect()
}

/// The objects of a list of at least one.
fn objects(value: Value, key: &str) -> Result<Vec<Map<String, Value>>, String> {
    let wrong = || format!("`{key}` is a list of objects, at least one");
    let Value::Array(list) = value else { return Err(wrong()) };
    if list.is_empty() {
        return Err(wrong());
    }
    list.into_iter().map(|one| object(one, key)).collect()
}

fn object(value: Value, key: &str) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(format!("`{key}` holds conditions: {{\"stm\": \"white\"}}")),
    }
}

/// The condition that an object is: all of its rules.
fn condition(rules: Map<String, Value>, depth: u32) -> Result<Condition, String> {
    if depth > NESTING_MAX {
        return Err(format!("conditions nest at most {NESTING_MAX} deep"));
    }
    if rules.is_empty() {
        return Err("a condition asks for nothing; {\"pass\": \"\"} is any position".into());
    }
    let mut all: Vec<(usize, Condition)> = Vec::new();
    // Moves of one player or the other: no ply has both.
    let mut moves = Vec::new();
    for (key, value) in rules {
        if let Some(side) = key.strip_suffix("-move") {
            let texts = texts(value, &key)?.into_iter();
            moves.extend(texts.map(|text| Condition::Rule(Rule::Move(side.into(), text))));
            continue;
        }
        let place = RULES.iter().position(|rule| *rule == key).ok_or_else(|| unknown(&key))?;
        all.extend(rule(&key, value, depth)?.map(|condition| (place, condition)));
    }
    if !moves.is_empty() {
        let before = RULES.iter().position(|rule| *rule == "sub-fen").unwrap_or(0);
        all.push((before, Condition::Any(moves)));
        all.rotate_right(1);
    }
    all.sort_by_key(|(place, _)| *place);
    Ok(Condition::All(all.into_iter().map(|(_, condition)| condition).collect()))
}

/// Says what there is instead of a rule of this name.
fn unknown(key: &str) -> String {
    if TOP.contains(&key) {
        return format!("`{key}` stands at the top of a pattern, not within a condition");
    }
    let rules = RULES.join(", ");
    format!("there is no rule `{key}`; these are: {rules}, white-move and black-move")
}

/// What a rule asks for; `pass` asks for nothing.
fn rule(key: &str, value: Value, depth: u32) -> Result<Option<Condition>, String> {
    let any = |rule: fn(String) -> Rule, value| -> Result<Condition, String> {
        let rules = texts(value, key)?.into_iter().map(|text| Condition::Rule(rule(text)));
        Ok(Condition::Any(rules.collect()))
    };
    let counts = |value: Value, bounds: (u32, u32)| -> Result<Condition, String> {
        let Value::Object(map) = value else { return Err(pairs(key, "{\"P\": \"e4 d\"}")) };
        let rules = map.into_iter().map(|(men, cells)| {
            let (least, most) = bounds;
            Ok(Condition::Rule(Rule::Count { men, cells: text(cells, key)?, least, most }))
        });
        Ok(Condition::All(rules.collect::<Result<_, String>>()?))
    };
    Ok(Some(match key {
        "pass" => return Ok(None),
        "result" => {
            let mut set = 0;
            for text in texts(value, key)? {
                let outcome = Outcome::read(&text);
                if outcome.is_none() && text != "*" {
                    return Err(format!("`{text}` is no result; it is 1-0, 0-1, 1/2-1/2 or *"));
                }
                set |= result_of(outcome);
            }
            Condition::Result(set)
        }
        "stm" => Condition::ToMove(text(value, key)?),
        "material" => any(Rule::Material, value)?,
        "imbalance" => any(Rule::Imbalance, value)?,
        "captured" => Condition::Rule(Rule::Captured(text(value, key)?)),
        "moved" => Condition::Rule(Rule::Moved(text(value, key)?)),
        "sub-fen" => any(Rule::Board, value)?,
        "shape" => any(Rule::Shape, value)?,
        "result-type" => any(Rule::Ending, value)?,
        "on" => {
            let Value::Object(map) = value else { return Err(pairs(key, "{\"e4\": \"P\"}")) };
            let rules = map
                .into_iter()
                .map(|(cell, men)| Ok(Condition::Rule(Rule::On(cell, text(men, key)?))));
            Condition::All(rules.collect::<Result<_, String>>()?)
        }
        "empty" => {
            let cells = texts(value, key)?.join(" ");
            Condition::Rule(Rule::Count { men: "*".into(), cells, least: 0, most: 0 })
        }
        "none" => counts(value, (0, 0))?,
        "some" => counts(value, (1, u32::MAX))?,
        "count" => {
            let Value::Object(map) = value else { return Err(pairs(key, "{\"Q\": 2}")) };
            let rules = map.into_iter().map(|(men, value)| {
                let (least, most) = bounds(&value)?;
                Ok(Condition::Rule(Rule::Count { men, cells: "*".into(), least, most }))
            });
            Condition::All(rules.collect::<Result<_, String>>()?)
        }
        "any" => {
            let conditions = objects(value, key)?.into_iter();
            let conditions = conditions.map(|one| condition(one, depth + 1));
            Condition::Any(conditions.collect::<Result<_, String>>()?)
        }
        "not" => Condition::Not(Box::new(condition(object(value, key)?, depth + 1)?)),
        _ => return Err(unknown(key)),
    }))
}

fn pairs(key: &str, example: impl Display) -> String {
    format!("`{key}` is an object such as {example}")
}

/// How many: a number, or the least and the most.
fn bounds(value: &Value) -> Result<(u32, u32), String> {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let bounds = match value {
        Value::Array(list) => match &list[..] {
            [least, most] => number(least).zip(number(most)),
            _ => None,
        },
        value => number(value).map(|number| (number, number)),
    };
    let bounds = bounds.filter(|(least, most)| least <= most);
    bounds.ok_or_else(|| "`count` is a number, or the least and the most: [2, 8]".into())
}

fn text(value: Value, key: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(format!("what `{key}` asks for is a text")),
    }
}

/// A text, or a list of at least one.
fn texts(value: Value, key: &str) -> Result<Vec<String>, String> {
    match value {
        Value::Array(list) if !list.is_empty() => {
            list.into_iter().map(|one| text(one, key)).collect()
        }
        Value::Array(_) => Err(format!("`{key}` has an empty list, which nothing fits")),
        value => Ok(vec![text(value, key)?]),
    }
}
