//! Patterns as text: JSON queries, of which Scoutfish's are a subset.

use plypack_core::pattern::{Ask, Condition, Diagram, Query, STEPS_MAX, Step, results};
use plypack_core::{ErasedRules, Pattern};
use serde_json::{Map, Value};

use crate::rows::facts::Outcome;
use crate::rows::row::StoredRecord;

/// The longest text of a pattern, in bytes.
const TEXT_MAX: usize = 1 << 20;

/// The deepest nesting of `not` and `any`.
const NESTING_MAX: u32 = 8;

/// The rules of a condition, in the order in which they are tried: cheap ones first. A player's
/// `..-move` comes before `sub-fen`.
const RULES: [&str; 19] = [
    "pass",
    "result",
    "stm",
    "material",
    "imbalance",
    "captured",
    "moved",
    "structure",
    "pawns",
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

/// Further keys at the top of a pattern.
const TOP: [&str; 7] =
    ["sequence", "streak", "either-colour", "mirrored", "symmetric", "skip", "limit"];

/// A pattern as written, and the matches wanted.
#[derive(Debug)]
pub struct PatternText {
    /// Its rules, which a game gives a meaning.
    rules: Map<String, Value>,
    /// The number of matching games to skip.
    pub skip: u64,
    /// The most games wanted.
    pub limit: Option<u64>,
}

impl PatternText {
    /// Reads a pattern: JSON, or one value alone: a board (`8/8/p7/8/8/1B3N2/8/8`), material
    /// (`KRPKR`) or an imbalance (`vPP`).
    ///
    /// # Errors
    /// Returns an error that says what is wrong and how to fix it.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > TEXT_MAX {
            return Err(format!("the pattern is longer than {TEXT_MAX} bytes"));
        }
        let text = text.trim();
        if !text.starts_with('{') {
            let rules = Map::from_iter([(plain(text)?.to_owned(), text.into())]);
            return Ok(Self { rules, skip: 0, limit: None });
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|error| format!("the pattern is not JSON: {error}"))?;
        let Value::Object(mut top) = value else {
            return Err("a pattern must be an object".into());
        };
        let mut number = |name: &str| match top.remove(name) {
            None => Ok(None),
            Some(value) => {
                let number = value.as_u64().map(Some);
                number.ok_or_else(|| format!("`{name}` must be a number of games"))
            }
        };
        let (skip, limit) = (number("skip")?, number("limit")?);
        Ok(Self { rules: top, skip: skip.unwrap_or(0), limit })
    }

    /// The pattern for this game.
    ///
    /// # Errors
    /// Returns an error that says what is wrong and how to fix it, or what the pattern asks for
    /// and the game lacks.
    pub fn of(&self, game: &dyn ErasedRules) -> Result<Pattern, String> {
        let (mut top, reader) = (self.rules.clone(), Reader { diagram: game.diagram()? });
        let mut flag = |name: &str| match top.remove(name) {
            None => Ok(false),
            Some(Value::Bool(set)) => Ok(set),
            Some(_) => Err(format!("`{name}` must be true or false")),
        };
        let [either_colour, mirrored, symmetric] =
            [flag("either-colour")?, flag("mirrored")?, flag("symmetric")?];
        let steps = reader.steps(top)?;
        game.pattern(&Query { steps, either_colour, mirrored, symmetric })
    }
}

/// The bit of an outcome among the [`results`].
pub fn result_of(outcome: Option<Outcome>) -> u8 {
    match outcome {
        Some(Outcome::White) => results::WHITE,
        Some(Outcome::Black) => results::BLACK,
        Some(Outcome::Draw) => results::DRAW,
        None => results::OTHER,
    }
}

/// The plies at which the main line of a record first meets the conditions of a pattern in turn;
/// `None` if it never does, has no moves, or is of another game.
///
/// # Errors
/// Returns an error that says what is wrong with the record.
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

/// The name of the rule that a bare text stands for.
fn plain(text: &str) -> Result<&'static str, String> {
    let letters = text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !text.is_empty();
    match text {
        _ if text.contains('/') => Ok("sub-fen"),
        _ if letters && text.contains('v') => Ok("imbalance"),
        _ if letters && text.starts_with('K') => Ok("material"),
        _ => Err(format!(
            "`{text}` is not a pattern; use JSON, {{\"sub-fen\": \"8/8/p7/8/8/1B3N2/8/8\"}}, or \
             such a board, material (KRPKR) or imbalance (vPP) alone"
        )),
    }
}

fn step(condition: Condition) -> Step {
    Step { next: false, condition }
}

/// A reader of a pattern's conditions, in the terms of a game.
struct Reader {
    diagram: &'static Diagram,
}

impl Reader {
    /// The conditions of a pattern, in order.
    fn steps(&self, mut top: Map<String, Value>) -> Result<Vec<Step>, String> {
        let series = (top.remove("sequence"), top.remove("streak"));
        let mut steps = match series {
            (None, None) => return Ok(vec![step(self.condition(top, 0)?)]),
            (Some(_), Some(_)) => {
                return Err("`streak` must be a part of `sequence`, not beside it".into());
            }
            (Some(sequence), None) => {
                let mut steps = Vec::new();
                for part in objects(sequence, "sequence")? {
                    steps.extend(self.part(part)?);
                }
                steps
            }
            (None, Some(list)) => self.streak(list)?,
        };
        if steps.len() > STEPS_MAX {
            return Err(format!(
                "{} conditions in a row; at most {STEPS_MAX} are allowed",
                steps.len()
            ));
        }
        // The result is a fact of the game, wherever it is asked for.
        if let Some(first) = steps.first_mut()
            && let Some(result) = top.remove("result")
        {
            let beside = self.condition(Map::from_iter([("result".to_owned(), result)]), 0)?;
            let old = std::mem::replace(&mut first.condition, Condition::Any(Vec::new()));
            first.condition = Condition::All(vec![beside, old]);
        }
        match top.keys().next() {
            Some(key) => {
                Err(format!("`{key}` cannot stand beside conditions; put it in one of them"))
            }
            None => Ok(steps),
        }
    }

    /// A part of a sequence: a condition, or a streak.
    fn part(&self, mut part: Map<String, Value>) -> Result<Vec<Step>, String> {
        match part.remove("streak") {
            None => Ok(vec![step(self.condition(part, 0)?)]),
            Some(list) if part.is_empty() => self.streak(list),
            Some(_) => Err("a `streak` must be alone in its part of a sequence".into()),
        }
    }

    /// The conditions of a streak: each but the first must hold at the very next ply.
    fn streak(&self, list: Value) -> Result<Vec<Step>, String> {
        let conditions = objects(list, "streak")?.into_iter().enumerate();
        conditions
            .map(|(place, one)| Ok(Step { next: place > 0, condition: self.condition(one, 0)? }))
            .collect()
    }

    /// The condition that an object stands for: all of its rules.
    fn condition(&self, rules: Map<String, Value>, depth: u32) -> Result<Condition, String> {
        if depth > NESTING_MAX {
            return Err(format!("conditions may nest at most {NESTING_MAX} deep"));
        }
        if rules.is_empty() {
            return Err("a condition is empty; {\"pass\": \"\"} matches any position".into());
        }
        let mut all: Vec<(usize, Condition)> = Vec::new();
        // Moves of either player: no ply has both.
        let mut moves = Vec::new();
        for (key, value) in rules {
            if let Some(side) = key.strip_suffix("-move") {
                let second = self.diagram.second(side)?;
                let texts = texts(value, &key)?.into_iter();
                moves.extend(texts.map(|text| Condition::Ask(Ask::Move(second, text))));
                continue;
            }
            let place = RULES.iter().position(|rule| *rule == key).ok_or_else(|| unknown(&key))?;
            all.extend(self.rule(&key, value, depth)?.map(|condition| (place, condition)));
        }
        if !moves.is_empty() {
            let before = RULES.iter().position(|rule| *rule == "sub-fen").unwrap_or(0);
            all.push((before, Condition::Any(moves)));
            all.rotate_right(1);
        }
        all.sort_by_key(|(place, _)| *place);
        Ok(Condition::All(all.into_iter().map(|(_, condition)| condition).collect()))
    }

    /// The condition of a rule; `pass` has none.
    fn rule(&self, key: &str, value: Value, depth: u32) -> Result<Option<Condition>, String> {
        let diagram = self.diagram;
        let any = |read: fn(&str, &Diagram) -> Result<Ask, String>, value| {
            let asks = texts(value, key)?.into_iter();
            let asks = asks.map(|text| read(&text, diagram).map(Condition::Ask));
            Ok::<_, String>(Condition::Any(asks.collect::<Result<_, _>>()?))
        };
        // A condition for each entry of an object.
        let each = |value, example, read: &dyn Fn(String, Value) -> Result<Ask, String>| {
            let Value::Object(map) = value else {
                return Err(format!("`{key}` must be an object such as {example}"));
            };
            let asks = map.into_iter().map(|(name, value)| read(name, value).map(Condition::Ask));
            Ok(Condition::All(asks.collect::<Result<_, _>>()?))
        };
        let counts = |value, bounds: (u32, u32)| {
            each(value, "{\"P\": \"e4 d\"}", &|men, cells| {
                let men = diagram.men(&men)?;
                Ok(Ask::Count(men, diagram.regions(&text(cells, key)?)?, bounds))
            })
        };
        Ok(Some(match key {
            "pass" => return Ok(None),
            "result" => {
                let mut set = 0;
                for text in texts(value, key)? {
                    let outcome = Outcome::read(&text);
                    if outcome.is_none() && text != "*" {
                        return Err(format!(
                            "`{text}` is not a result; use 1-0, 0-1, 1/2-1/2 or *"
                        ));
                    }
                    set |= result_of(outcome);
                }
                Condition::Result(set)
            }
            "stm" => Condition::ToMove(diagram.second(&text(value, key)?)?),
            "material" => any(|text, diagram| diagram.material(text).map(Ask::Material), value)?,
            "imbalance" => any(|text, diagram| diagram.imbalance(text).map(Ask::Imbalance), value)?,
            "captured" => Condition::Ask(Ask::Captured(diagram.kinds(&text(value, key)?)?)),
            "moved" => Condition::Ask(Ask::Moved(diagram.kinds(&text(value, key)?)?)),
            "structure" => {
                let structure = |text: String| {
                    let asks = Ask::structure(&text, diagram)?;
                    Ok::<_, String>(Condition::All(asks.map(Condition::Ask).to_vec()))
                };
                let all = texts(value, key)?.into_iter().map(structure);
                Condition::Any(all.collect::<Result<_, _>>()?)
            }
            "pawns" => any(Ask::pawns, value)?,
            "sub-fen" => any(Ask::board, value)?,
            "shape" => any(Ask::shape, value)?,
            "result-type" => any(|text, _| Ask::ending(text), value)?,
            "on" => each(value, "{\"e4\": \"P\"}", &|cell, men| {
                let (column, rank) = diagram.cell(&cell)?;
                let men = diagram.men(&text(men, key)?)?;
                Ok(Ask::Cells(None, vec![(column, rank, men)]))
            })?,
            "empty" => {
                let cells = diagram.regions(&texts(value, key)?.join(" "))?;
                Condition::Ask(Ask::Count(diagram.men("*")?, cells, (0, 0)))
            }
            "none" => counts(value, (0, 0))?,
            "some" => counts(value, (1, u32::MAX))?,
            "count" => each(value, "{\"Q\": 2}", &|men, value| {
                Ok(Ask::Count(diagram.men(&men)?, diagram.regions("*")?, bounds(&value)?))
            })?,
            "any" => {
                let conditions = objects(value, key)?.into_iter();
                let conditions = conditions.map(|one| self.condition(one, depth + 1));
                Condition::Any(conditions.collect::<Result<_, String>>()?)
            }
            "not" => Condition::Not(Box::new(self.condition(object(value, key)?, depth + 1)?)),
            _ => return Err(unknown(key)),
        }))
    }
}

/// The objects of a non-empty list.
fn objects(value: Value, key: &str) -> Result<Vec<Map<String, Value>>, String> {
    let wrong = || format!("`{key}` must be a non-empty list of objects");
    let Value::Array(list) = value else { return Err(wrong()) };
    if list.is_empty() {
        return Err(wrong());
    }
    list.into_iter().map(|one| object(one, key)).collect()
}

fn object(value: Value, key: &str) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(format!("`{key}` must hold conditions: {{\"stm\": \"white\"}}")),
    }
}

/// The message for an unknown rule.
fn unknown(key: &str) -> String {
    if TOP.contains(&key) {
        return format!("`{key}` belongs at the top of a pattern, not in a condition");
    }
    let rules = RULES.join(", ");
    format!("there is no rule `{key}`; the rules are {rules}, white-move and black-move")
}

/// Reads a count: a number, or the least and the most.
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
    bounds.ok_or_else(|| "`count` must be a number, or the least and the most: [2, 8]".into())
}

fn text(value: Value, key: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(format!("`{key}` must be a string")),
    }
}

/// A string, or a non-empty list of strings.
fn texts(value: Value, key: &str) -> Result<Vec<String>, String> {
    match value {
        Value::Array(list) if !list.is_empty() => {
            list.into_iter().map(|one| text(one, key)).collect()
        }
        Value::Array(_) => Err(format!("`{key}` has an empty list, which matches nothing")),
        value => Ok(vec![text(value, key)?]),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use plypack_core::testkit::{Random, random_line};
    use plypack_core::{Cursor, ErasedLineCodec, Notation};
    use serde_json::json;

    use super::*;

    fn codec(game: &str) -> &'static dyn ErasedLineCodec {
        plypack_games::line_codec(game, "line.uniform").expect("a codec of every game")
    }

    fn pattern(game: &str, text: impl Display) -> Result<Pattern, String> {
        let game = plypack_games::game(game).expect("a game");
        PatternText::read(&text.to_string()).and_then(|text| text.of(game))
    }

    /// The plies at which moves from a start meet a pattern, the same with every codec.
    fn found(
        game: &str,
        (start, moves): (Option<&str>, &str),
        text: impl Display,
    ) -> Option<Vec<u32>> {
        let pattern = pattern(game, &text).expect("a pattern");
        let mut answers = plypack_games::line_codecs(game).map(|codec| {
            let mut texts = moves.split_ascii_whitespace();
            let line = codec.encode(start, &mut texts, Notation::Customary).expect("a start");
            assert_eq!(line.stopped, None);
            let cursor = at_end(codec, start, line.plies, &line.code);
            let found = codec
                .matched(start, line.plies, &line.code, &pattern, results::DRAW)
                .expect("its code");
            assert!(found.is_none() || pattern.may_leave(cursor.remains()), "{text}");
            found
        });
        let first = answers.next().expect("a codec");
        assert!(answers.all(|other| other == first), "{text}");
        first
    }

    /// A cursor after the last move of a line.
    fn at_end<'a>(
        codec: &'a dyn ErasedLineCodec,
        start: Option<&str>,
        plies: u32,
        code: &'a [u8],
    ) -> Box<dyn Cursor<'a> + 'a> {
        let mut cursor = codec.cursor(start, plies, code).expect("its code");
        while cursor.next().expect("its code").is_some() {}
        cursor
    }

    fn refused(game: &str, text: impl Display) -> String {
        pattern(game, text).expect_err("nothing that there is")
    }

    /// Castling, an en passant capture and other captures.
    const CHESS: &str = "e4 Nf6 e5 d5 exd6 Nc6 Nf3 Bg4 Bc4 e6 O-O Qxd6 d4 O-O-O c3 Bxf3 Qxf3 h5";

    #[test]
    fn rules_of_chess() {
        let at = |text: Value| found("chess", (None, CHESS), text);
        let one = |ply: u32| Some(vec![ply]);
        assert_eq!(at(json!({"pass": ""})), one(0));
        assert_eq!(at(json!({"sub-fen": "8/8/8/4P3/8/8/8/8"})), one(3));
        assert_eq!(at(json!({"sub-fen": ["8/8/8/8/8/8/8/7k", "8/8/8/3pP3/8/8/8/8"]})), one(4));
        assert_eq!(at(json!({"sub-fen": "8/8/8/3.4/4.3/8/8/8", "stm": "black"})), one(3));
        assert_eq!(at(json!({"sub-fen": "8/8/5*2/8/8/8/8/8"})), one(2));
        assert_eq!(at(json!({"shape": "*.*"})), one(1));
        assert_eq!(at(json!({"on": {"g1": "K", "f1": "RQ"}})), one(11));
        assert_eq!(at(json!({"on": {"e1": "."}, "empty": "b8 c8"})), one(11));
        assert_eq!(at(json!({"empty": ["e1", "b8"]})), one(11));
        assert_eq!(at(json!({"none": {"P": "e", "p": "d"}})), one(5));
        assert_eq!(at(json!({"none": {"Pp": "e d"}})), None);
        assert_eq!(at(json!({"some": {"n": "c6-d4"}})), one(4 + 2));
        assert_eq!(at(json!({"count": {"P": 8, "p": [0, 6]}})), None);
        assert_eq!(at(json!({"count": {"P": 7, "p": [0, 7]}})), one(12));
        assert_eq!(at(json!({"white-move": "O-O"})), one(11));
        assert_eq!(at(json!({"black-move": ["O-O", "O-O-O"]})), one(14));
        assert_eq!(at(json!({"white-move": "exd6"})), one(5));
        assert_eq!(at(json!({"white-move": "cxd6"})), None);
        assert_eq!(at(json!({"white-move": "Bc4", "black-move": "e6"})), one(9));
        assert_eq!(at(json!({"moved": "P", "captured": "P"})), one(5));
        assert_eq!(at(json!({"captured": "NB"})), one(16));
        assert_eq!(at(json!({"moved": "K", "captured": ""})), one(11));
        assert_eq!(at(json!({"imbalance": "Pv"})), one(5));
        assert_eq!(at(json!({"imbalance": "Nv"})), None);
        assert_eq!(at(json!({"imbalance": "vN"})), one(16));
        assert_eq!(at(json!({"material": "KQRRBBNNPPPPPPPKQRRBBNNPPPPPPP"})), one(12));
        assert_eq!(at(json!({"pawns": "8/8/8/8/8/8/8/8"})), None);
        assert_eq!(at(json!({"pawns": "8/ppp2ppp/3Pp3/8/8/8/PPPP1PPP/8"})), one(10));
        // Its men stand elsewhere, or are others.
        let elsewhere = "rbq1kb1r/ppp2ppp/3Pp3/4nn2/8/8/PPPP1PPP/KRBNQBNR";
        let fewer = "r1q1kb1r/ppp2ppp/3Pp3/4nn2/8/8/PPPP1PPP/KRBNQBNR";
        assert_eq!(at(json!({"structure": elsewhere})), one(10));
        assert_eq!(at(json!({"structure": fewer})), None);
        assert_eq!(at(json!({"structure": [fewer, elsewhere]})), one(10));
        assert_eq!(at(json!({"pawns": fewer})), one(10));
        assert_eq!(
            at(json!({"not": {"stm": "white"}, "any": [{"moved": "B"}, {"moved": "N"}]})),
            one(7)
        );
        assert_eq!(at(json!({"shape": "pp/?P"})), None);
        assert_eq!(at(json!({"shape": "p?p/.P."})), one(5));
        assert_eq!(at(json!({"shape": "###/?k?"})), one(0));
        assert_eq!(at(json!({"result": "1/2-1/2"})), one(0));
        assert_eq!(at(json!({"result": ["1-0", "*"]})), None);
        assert_eq!(at(json!({"not": {"result": "1-0"}, "stm": "black"})), one(1));
    }

    #[test]
    fn images_of_patterns() {
        let at = |text: Value| found("chess", (None, CHESS), text);
        assert_eq!(at(json!({"white-move": "O-O-O"})), None);
        assert_eq!(at(json!({"white-move": "O-O-O", "either-colour": true})), Some(vec![14]));
        assert_eq!(at(json!({"white-move": "O-O-O", "mirrored": true})), Some(vec![11]));
        assert_eq!(at(json!({"on": {"d4": "P"}, "mirrored": true})), Some(vec![1]));
        assert_eq!(at(json!({"on": {"d4": "P"}, "either-colour": true})), Some(vec![4]));
        assert_eq!(at(json!({"imbalance": "Nv", "either-colour": true})), Some(vec![16]));
        // The image that ends first is found.
        let both = json!({"sequence": [{"moved": "K", "stm": "white"}, {"captured": "B"}]});
        assert_eq!(at(both), Some(vec![14, 17]));
        assert!(refused("chess", json!({"pass": "", "symmetric": true})).contains("mirrored"));
    }

    #[test]
    fn conditions_one_after_the_other() {
        let at = |text: Value| found("chess", (None, CHESS), text);
        let quiet = json!({"captured": ""});
        assert_eq!(at(json!({"sequence": [quiet, quiet]})), Some(vec![1, 2]));
        let taken = json!({"captured": "P"});
        assert_eq!(at(json!({"sequence": [taken, taken]})), Some(vec![5, 12]));
        assert_eq!(at(json!({"streak": [taken, quiet, quiet]})), Some(vec![5, 6, 7]));
        // Once broken, a streak starts again as early as it can.
        let black = json!({"stm": "black"});
        let either = json!({"any": [{"captured": "B"}, {"captured": "N"}]});
        assert_eq!(at(json!({"streak": [{"pass": ""}, either, either]})), Some(vec![15, 16, 17]));
        let parts = json!([taken, {"streak": [quiet, taken]}, black]);
        assert_eq!(at(json!({"sequence": parts})), Some(vec![5, 11, 12, 13]));
        assert_eq!(at(json!({"sequence": parts, "result": "1-0"})), None);
        // The last ply of one try may be the first of the next.
        let twice = json!({"streak": [{"moved": "N"}, {"moved": "B"}, {"moved": "B"}]});
        assert_eq!(at(twice), Some(vec![7, 8, 9]));
    }

    #[test]
    fn ends_of_games() {
        let mate = "f3 e5 g4 Qh4#";
        let at = |moves: &str, text: Value| found("chess", (None, moves), text);
        assert_eq!(at(mate, json!({"result-type": "mate"})), Some(vec![4]));
        assert_eq!(at(mate, json!({"result-type": "stalemate"})), None);
        assert_eq!(at("f3 e5 g4", json!({"result-type": "mate"})), None);
        let stalemate = (Some("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "Qf7");
        assert_eq!(found("chess", stalemate, json!({"result-type": "stalemate"})), Some(vec![1]));
        let promotion = (Some("1r5k/P7/8/8/8/8/8/K7 w - - 0 1"), "axb8=N");
        for (text, ply) in [("axb8=N", Some(1)), ("b8", Some(1)), ("b8=Q", None), ("Nb8", None)] {
            let ply = ply.map(|ply| vec![ply]);
            assert_eq!(found("chess", promotion, json!({"white-move": text})), ply, "{text}");
        }
    }

    /// In Chess960, king and rook may already stand on their destinations.
    #[test]
    fn castling_in_chess960() {
        let short = json!({"white-move": "O-O", "moved": "K"});
        for rank in ["4KR2", "5KR1", "6KR", "6RK"] {
            if rank == "6RK" {
                continue;
            }
            let start = format!(
                "4k3/8/8/8/8/8/8/{rank} w {} - 0 1",
                match rank {
                    "4KR2" => "F",
                    "5KR1" => "G",
                    _ => "H",
                }
            );
            assert_eq!(found("chess", (Some(&start), "O-O"), &short), Some(vec![1]), "{rank}");
        }
        let still = (Some("4k3/8/8/8/8/8/8/6KR w H - 0 1"), "Rh5 Kd8 Kf1");
        assert_eq!(found("chess", still, &short), None);
    }

    #[test]
    fn other_games() {
        let at = |game, moves, text: Value| found(game, (None, moves), text);
        let shape = json!({"shape": "xo/?x"});
        assert_eq!(at("tictactoe", "b2 b3 c1 a3 b1", shape), None);
        let shape = json!({"shape": "xo/?x", "symmetric": true});
        assert_eq!(at("tictactoe", "a1 a2 b2 c3", shape), Some(vec![3]));
        assert_eq!(at("tictactoe", "b2 b3", json!({"sub-fen": "?o?/?x?/???"})), Some(vec![2]));
        assert_eq!(at("tictactoe", "b2 b3", json!({"on": {"b2": "x"}, "stm": "x"})), Some(vec![2]));
        assert_eq!(at("othello", "f5 d6", json!({"on": {"e4": "x", "d6": "o"}})), Some(vec![2]));
        assert_eq!(at("othello", "f5 d6", json!({"white-move": "d6"})), Some(vec![2]));
        assert_eq!(at("othello", "f5 d6", json!({"white-move": "d5"})), None);
        assert_eq!(at("othello", "f5 d6", json!({"shape": "ox./oxx/o.."})), Some(vec![2]));
        assert_eq!(
            at("gomoku", "h8 o15", json!({"on": {"h8": "x"}, "none": {"o": "a-g"}})),
            Some(vec![1])
        );
        let red = json!({"red-move": "h2e2"});
        assert_eq!(at("xiangqi", "h2e2 h9g7 e2e6", red), Some(vec![1]));
        let taken = json!({"moved": "C", "captured": "P"});
        assert_eq!(at("xiangqi", "h2e2 h9g7 e2e6", taken), Some(vec![3]));
        assert_eq!(at("xiangqi", "h2e2 h9g7 e2e6", json!({"imbalance": "Pv"})), Some(vec![3]));
        let swapped = json!({"black-move": "h7e7", "either-colour": true});
        assert_eq!(at("xiangqi", "h2e2", swapped), Some(vec![1]));
    }

    #[test]
    fn shapes_of_go() {
        let corner = json!({"shape": "##?/#.x", "symmetric": true});
        let go = |moves: &str, text: &Value| found("go", (None, moves), text);
        assert_eq!(go("B[pd] W[dd] B[bs]", &corner), Some(vec![3]));
        assert_eq!(go("B[pd] W[dd] B[ab]", &corner), Some(vec![3]));
        assert_eq!(go("B[pd] W[sb]", &corner), None);
        let either = json!({"shape": "##?/#.x", "symmetric": true, "either-colour": true});
        assert_eq!(go("B[pd] W[sb]", &either), Some(vec![2]));
        assert_eq!(
            go("B[pd] W[dd]", &json!({"on": {"q16": "x"}, "black-move": "Q16"})),
            Some(vec![1])
        );
        let knight = json!({"shape": "x./.?/.o", "symmetric": true});
        assert_eq!(go("B[dd] W[ff] B[jj] W[lk]", &knight), Some(vec![4]));
        assert_eq!(go("B[dd] W[ff] B[jj] W[ll]", &knight), None);
    }

    /// What is left of a game never rules out a position that was on its board.
    #[test]
    fn what_is_left_leaves_all_that_there_was() {
        const SET_UP: &str = "4k3/1p3p2/8/2P5/8/8/P3P3/4K2R w K - 0 1";
        let starts = [("chess", None), ("chess", Some(SET_UP)), ("xiangqi", None)];
        let (mut told, mut ruled_out) = (0, 0);
        for (game, start) in starts {
            let codec = codec(game);
            for seed in 0..24 {
                let mut random = Random::new(seed);
                // In short lines pawns stay at home; in long ones few men are left.
                let most = if seed % 2 == 0 { 30 } else { 400 };
                let line = random_line(codec, start, most, seed);
                let indices = line.expect("any bytes are a code");
                let after = |plies: usize| {
                    let line = indices.get(..plies).unwrap_or_default();
                    codec.game().position_after(start, line).expect("legal moves")
                };
                let code = codec.encode_indices(start, &indices).expect("legal moves");
                let plies = u32::try_from(indices.len()).expect("few");
                let left = at_end(codec, start, plies, &code).remains();
                for ply in (0..=indices.len()).step_by(7) {
                    for rule in rules_of(&after(ply), &mut random) {
                        let pattern = pattern(game, &rule).expect("a pattern");
                        let found = codec.matched(start, plies, &code, &pattern, results::OTHER);
                        let found = found.expect("its code");
                        assert!(found.is_some(), "{game} {seed}: {rule}");
                        let same = codec.game().matched(start, &indices, &pattern, results::OTHER);
                        assert_eq!(same, Ok(found), "{game} {seed}: {rule}");
                        assert!(pattern.may_leave(left), "{game} {seed}: {rule}, {left:x}");
                        told += u32::from(pattern.asks_remains());
                    }
                }
                // It rules out many other games.
                let other = after(0);
                let material = rules_of(&other, &mut random).swap_remove(0);
                let bare = if game == "chess" { "KK" } else { "KPKP" };
                for rule in [material, json!({"material": bare}), json!({"empty": "a2 h7"})] {
                    let pattern = pattern(game, &rule).expect("a pattern");
                    ruled_out += u32::from(!pattern.may_leave(left));
                }
            }
        }
        assert!(told > 1_000 && ruled_out > 40, "{told}, {ruled_out}");
    }

    /// Rules that hold in this position: its material, the count of some men, some of its cells,
    /// and its board.
    fn rules_of(text: &str, random: &mut Random) -> Vec<Value> {
        let board = text.split(' ').next().unwrap_or_default();
        let men = |upper: bool| {
            let of_side = board.chars().filter(|sign| sign.is_alphabetic());
            let of_side = of_side.filter(|sign| sign.is_uppercase() == upper);
            let mut men: Vec<char> = of_side.map(|sign| sign.to_ascii_uppercase()).collect();
            men.sort_by_key(|man| *man != 'K');
            String::from_iter(men)
        };
        let some = ["Pp", "PNBp", "r", "*", "Qq", "RP"];
        let some = some[usize::try_from(random.next_u64() % 5).expect("small")];
        let chess = board.matches('/').count() == 7;
        let some = if chess { some } else { "Pp" };
        let counted = |sign: &char| sign.is_alphabetic() && (some == "*" || some.contains(*sign));
        let count = board.chars().filter(counted).count();
        let row = |row: &str| {
            let cells = row.chars().map(|sign| match sign.to_digit(10) {
                Some(run) => ".".repeat(run as usize),
                None => sign.to_string(),
            });
            cells.collect::<String>()
        };
        let whole: Vec<String> = board.split('/').map(row).collect();
        let whole = whole.join("/");
        let sparse = whole.chars().map(|sign| match random.next_u64() % 3 {
            _ if sign == '/' => '/',
            0 => sign,
            _ => '?',
        });
        vec![
            json!({"material": men(true) + &men(false)}),
            json!({"count": {some: count}}),
            json!({"sub-fen": sparse.collect::<String>()}),
            json!({"sub-fen": whole}),
            json!({"structure": board}),
            json!({"pawns": board}),
        ]
    }

    #[test]
    fn every_rule_is_read_and_described() {
        let document = include_str!("../../../../docs/patterns.md");
        let game = plypack_games::game("chess").expect("it is registered");
        let reader = Reader { diagram: game.diagram().expect("it has patterns") };
        for key in RULES {
            let why = reader.rule(key, Value::Null, 0).err().unwrap_or_default();
            assert!(!why.contains("there is no rule"), "`{key}` is listed, but not read");
            let is_of_it =
                |line: &str| line.starts_with("| ") && line.contains(&format!("`\"{key}\""));
            assert!(document.lines().any(is_of_it), "docs/patterns.md has no row for `{key}`");
        }
    }

    /// A game without [`plypack_core::Rules::patterns`] would refuse them all.
    #[test]
    fn every_game_has_patterns() {
        for game in plypack_games::GAMES {
            let (name, start) =
                (game.info().name, game.position_after(None, &[]).expect("a start"));
            let board = start.split(' ').next().unwrap_or_default();
            let men = board.chars().filter(char::is_ascii_alphabetic).count();
            let counted = json!({"count": {"*": men}});
            assert_eq!(found(name, (None, ""), counted), Some(vec![0]), "{name}");
        }
    }

    /// The explorer names the side to move as its looks do, or by its letter.
    #[test]
    fn players_of_every_game_are_those_of_the_explorer() {
        let looks = include_str!("../../../web/viewer/games.ts");
        let explorer = include_str!("../../../web/viewer/explorer/pattern.ts");
        for name in plypack_games::GAMES.iter().map(|game| game.info().name) {
            let (_, row) = looks.split_once(&format!("    name: \"{name}\",\n")).expect(name);
            let players = row.split_once("players: { ").and_then(|(_, rest)| rest.split_once(" }"));
            let by_letter = explorer.contains(&format!("game === \"{name}\""));
            for player in players.expect("players").0.split(", ") {
                let (letter, title) = player.split_once(": ").expect("a letter and a name");
                let title = title.trim_matches('"').to_lowercase();
                let side = if by_letter { letter } else { &title };
                let asked = pattern(name, json!({"stm": side}));
                assert!(asked.is_ok(), "{name}: {asked:?}");
            }
        }
    }

    /// In every game, patterns find what a search in the texts of all positions finds.
    #[test]
    fn boards_are_found_as_in_texts() {
        let patterns = [
            ("tictactoe", "x??/?o?/..?"),
            ("othello", "8/8/8/3?x3/3?xo2/8/8/8"),
            ("xiangqi", "9/9/9/9/9/p8/8P/9/9/R8"),
            ("chess", "8/8/8/8/4P3/8/8/8"),
            ("chess", "?nb5/8/8/8/8/8/8/1N6"),
        ];
        for (game, board) in patterns {
            let codec = codec(game);
            let pattern = pattern(game, json!({"sub-fen": board})).expect("a pattern");
            let mut met = 0;
            for seed in 0..40 {
                let indices = random_line(codec, None, 60, seed).expect("any bytes are a code");
                let code = codec.encode_indices(None, &indices).expect("legal moves");
                let plies = u32::try_from(indices.len()).expect("few");
                let found = codec.matched(None, plies, &code, &pattern, results::OTHER);
                let at = |ply: &u32| {
                    let text = codec.game().position_after(None, &indices[..*ply as usize]);
                    looks_like(&text.expect("legal moves"), board)
                };
                let expected = (0..=plies).find(at).map(|ply| vec![ply]);
                met += u32::from(expected.is_some());
                assert_eq!(found, Ok(expected), "{game} {board} {seed}");
            }
            assert!(met > 0, "{game} {board}");
        }
    }

    /// Whether the board of a text matches another, cell by cell.
    fn looks_like(text: &str, board: &str) -> bool {
        let cells = |text: &str| -> Vec<char> {
            let board = text.split(' ').next().unwrap_or_default().chars();
            let board = board.filter(|sign| *sign != '/').flat_map(|sign| {
                let run = sign.to_digit(10).map(|run| vec!['.'; run as usize]);
                run.unwrap_or_else(|| vec![if sign == '-' { '.' } else { sign }])
            });
            board.collect()
        };
        let anything = |sign: char| sign.is_ascii_digit() || sign == '?';
        let wanted: Vec<char> = board
            .chars()
            .filter(|sign| *sign != '/')
            .flat_map(|sign| vec![sign; sign.to_digit(10).unwrap_or(1) as usize])
            .collect();
        let is = |(one, wanted): (char, &char)| {
            anything(*wanted)
                || one.eq_ignore_ascii_case(wanted) && { one == *wanted || !text.contains('/') }
        };
        let there = cells(text);
        there.len() == wanted.len() && there.into_iter().zip(&wanted).all(is)
    }

    #[test]
    fn what_is_not_understood_is_refused_with_a_cure() {
        let says = |game: &str, text: Value, word: &str| {
            let why = refused(game, &text);
            assert!(why.contains(word), "{text}: {why}");
        };
        says("chess", json!({"subfen": "8/8/8/8/8/8/8/8"}), "`subfen`");
        says("chess", json!({"sub-fen": "8/8/8"}), "8 rows");
        says("chess", json!({"sub-fen": "8/8/8/8/8/8/8/8 w"}), "stm");
        says("chess", json!({"sub-fen": "8/8/8/8/8/8/8/7x"}), "`x`");
        says("chess", json!({"sub-fen": "8/8/8/8/8/8/8/"}), "equal lengths");
        says("chess", json!({"shape": "/"}), "`*` for any");
        says("chess", json!({"sub-fen": "8/8/8/8/8/8/8/7"}), "equal lengths");
        says("chess", json!({"sub-fen": []}), "empty list");
        says("chess", json!({"on": "e4"}), "`on`");
        says("chess", json!({"on": {"i4": "P"}}), "`i4`");
        says("chess", json!({"on": {"e4": ""}}), "no man");
        says("chess", json!({"none": {"P": "e9"}}), "`e9`");
        says("chess", json!({"none": {"P": ""}}), "no cells");
        says("chess", json!({"material": "KRP"}), "KRPKR");
        says("chess", json!({"material": "KXKR"}), "`X`");
        says("chess", json!({"structure": "8/8/8/8/8/8/8/K7"}), "all men");
        says("chess", json!({"structure": "8/8/8/8/8/8/*7/K6k"}), "all men");
        says("chess", json!({"structure": "8/8"}), "8 rows");
        says("go", json!({"structure": "x"}), "one kind");
        says("go", json!({"pawns": "x"}), "one kind");
        says("chess", json!({"imbalance": "PP"}), "PPvN");
        says("chess", json!({"result": "2-0"}), "`2-0`");
        says("chess", json!({"result-type": "resigned"}), "mate");
        says("chess", json!({"stm": "balck"}), "`balck`");
        says("chess", json!({"green-move": "e4"}), "`green`");
        says("chess", json!({"white-move": "e9"}), "`e9`");
        says("chess", json!({"white-move": ""}), "PGN");
        says("chess", json!({"white-move": "N--f3"}), "PGN");
        says("chess", json!({"count": {"P": [3, 2]}}), "`count`");
        says("chess", json!({}), "pass");
        says("chess", json!({"sequence": []}), "`sequence`");
        says("chess", json!({"sequence": [{"pass": ""}], "stm": "white"}), "`stm`");
        says("chess", json!({"sequence": [{"pass": ""}], "streak": [{"pass": ""}]}), "`streak`");
        says("chess", json!({"any": [{"streak": [{"pass": ""}]}]}), "top");
        says("chess", json!({"pass": "", "mirrored": 1}), "true or false");
        says("chess", json!({"pass": "", "limit": -1}), "`limit`");
        says("chess", json!({"streak": vec![json!({"pass": ""}); 61]}), "61");
        says("chess", json!({"shape": "###"}), "nothing");
        says("go", json!({"material": "KK"}), "one kind");
        says("go", json!({"moved": "x"}), "one kind");
        says("go", json!({"result-type": "mate"}), "chess");
        says("othello", json!({"sub-fen": "3/3/3"}), "8 rows");
        let mut deep = json!({"pass": ""});
        (0..9).for_each(|_| deep = json!({"not": deep}));
        says("chess", deep, "deep");
        let says = |text: &str, word: &str| {
            let why = refused("chess", text);
            assert!(why.contains(word), "{text}: {why}");
        };
        says("", "JSON");
        says("{", "not JSON");
        says("{\"stm\": \"white\"} x", "not JSON");
        says("hello", "`hello`");
        says(&"{\"not\":".repeat(5_000), "not JSON");
        says(&format!("{{\"sub-fen\": \"{}\"}}", "8/".repeat(1 << 19)), "longer");
        says(&format!("{}{}", "8/".repeat(70), "8"), "rows");
        says(&format!("{{\"shape\": \"{}P\"}}", "9".repeat(400)), "52");
    }

    #[test]
    fn a_text_alone_is_a_rule() {
        let at = |text: &str| found("chess", (None, CHESS), text);
        assert_eq!(at("8/8/8/4P3/8/8/8/8"), Some(vec![3]));
        assert_eq!(at("Pv"), Some(vec![5]));
        assert_eq!(at("KQRRBBNNPPPPPPPKQRRBBNNPPPPPPP"), Some(vec![12]));
    }

    /// The results that a pattern may match serve as a filter.
    #[test]
    fn results_are_a_filter() {
        let results = |text: Value| pattern("chess", text).expect("a pattern").results();
        assert_eq!(results(json!({"pass": ""})), results::ALL);
        assert_eq!(results(json!({"result": ["1-0", "0-1"]})), results::WHITE | results::BLACK);
        let white = json!({"result": "1-0", "stm": "white"});
        assert_eq!(results(white), results::WHITE);
        let either = json!({"result": "1-0", "either-colour": true});
        assert_eq!(results(either), results::WHITE | results::BLACK);
        assert_eq!(results(json!({"not": {"result": "1-0"}})), results::ALL & !results::WHITE);
        let any = json!({"any": [{"result": "1-0"}, {"stm": "white"}]});
        assert_eq!(results(any), results::ALL);
        let apart = json!({"sequence": [{"result": "1-0"}, {"result": "0-1"}]});
        assert_eq!(results(apart), 0);
    }
}
