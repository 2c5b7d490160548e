//! `matches`: whether games match a pattern.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use plypack::store::find::PatternText;
use plypack_core::pattern::results;
use plypack_core::{ErasedRules, Pattern};
use plypack_games::GAMES;

use super::call::{Arguments, Function, Parameter};
use super::column::{failed, matched, of_rows};

pub(super) const ROW: Function = Function {
    name: "matches",
    usage: "matches(moves, pattern)",
    gives: "Whether the game matches a pattern, given as JSON: men on squares, material, moves, \
            and sequences of such.",
    forms: &[&[Parameter::Moves, Parameter::Text]],
    returns: DataType::Boolean,
    answer,
};

fn answer(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, texts) = (arguments.moves()?, arguments.texts()?);
    let patterns = Patterns { function: arguments.function, known: Mutex::default() };
    let key = |row| moves.line(row).zip(texts.is_valid(row).then(|| texts.value(row)));
    let found = of_rows(
        arguments.rows,
        key,
        || None,
        |last: &mut Option<_>, (line, text), _| {
            if let Some((_, known)) = last.filter(|(key, _)| *key == (line, text)) {
                return Ok(known);
            }
            let pattern = |game| patterns.get(game, text);
            let known = matched(arguments.function, line, pattern)?;
            *last = Some(((line, text), known));
            Ok(known)
        },
    )?;
    Ok(Arc::new(found.into_iter().collect::<BooleanArray>()))
}

/// The patterns given by texts, per game; `None` in games that lack what they mention.
struct Patterns<'t> {
    function: &'static str,
    known: Mutex<Known<'t>>,
}

/// Keyed by the game's number and the text.
type Known<'t> = BTreeMap<(u8, &'t str), Option<Arc<Pattern>>>;

impl<'t> Patterns<'t> {
    fn get(&self, game: &'static dyn ErasedRules, text: &'t str) -> Result<Option<Arc<Pattern>>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (game.info().id, text);
        if let Some(pattern) = known.get(&key) {
            return Ok(pattern.clone());
        }
        let pattern = self.read(game, text)?;
        known.insert(key, pattern.clone());
        Ok(pattern)
    }

    /// A text invalid in this game may be valid in another: tables may hold several games.
    fn read(&self, game: &'static dyn ErasedRules, text: &str) -> Result<Option<Arc<Pattern>>> {
        let fail = |why| failed(self.function, why);
        let read = PatternText::read(text).map_err(fail)?;
        if read.skip > 0 || read.limit.is_some() {
            return Err(fail("`skip` and `limit` apply to whole queries; use LIMIT".into()));
        }
        match read.of(game) {
            Ok(pattern) if pattern.results() != results::ALL || pattern.asks_result() => {
                let why = "moves do not contain the result; add a condition: Result = '1-0'";
                Err(fail(why.into()))
            }
            Ok(pattern) => Ok(Some(Arc::new(pattern))),
            Err(_) if GAMES.iter().any(|other| read.of(*other).is_ok()) => Ok(None),
            Err(why) => Err(fail(why)),
        }
    }
}
