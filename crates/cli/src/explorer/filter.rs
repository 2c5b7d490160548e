//! Filters on players, ratings, dates, results and openings.

use plypack::store::PackedFile;
use plypack::store::condition::{Condition, span};
use plypack::store::facts::Outcome;
use plypack::store::find::{Limits, Question, Target};

use crate::explorer::answer::Stop;
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::names::{self, quoted};
use crate::explorer::pattern::Wanted;
use crate::explorer::query::Query;

/// Conditions on games: on the facts in memory, and on tags.
#[derive(Debug, Default)]
pub struct Filter {
    /// Conditions on the facts in memory.
    pub limits: Limits,
    /// Conditions on tags.
    pub condition: Option<Condition>,
}

/// The largest rating that may be requested.
const RATING_MAX: u64 = 9_999;

impl Filter {
    /// Reads `player`, `color`, `rating_min`, `rating_max`, `since`, `until`, `result`, `opening`
    /// and `event`.
    ///
    /// # Errors
    /// Returns an error if one of them is invalid, or the names of players cannot be read.
    pub fn read(database: &Database, query: &Query, stop: &Stop) -> Result<Self, Refusal> {
        let rating = |name, default| -> Result<u16, Refusal> {
            let rating = query.number(name, RATING_MAX)?;
            Ok(rating.and_then(|rating| u16::try_from(rating).ok()).unwrap_or(default))
        };
        let (least, most) = (rating("rating_min", 0)?, rating("rating_max", u16::MAX)?);
        let limits = Limits {
            ratings: (least > 0 || most < u16::MAX).then(|| vec![least..=most]),
            since: query.text("since").map(|text| day("since", text, true)).transpose()?,
            until: query.text("until").map(|text| day("until", text, false)).transpose()?,
            outcome: query.text("result").map(outcome).transpose()?,
            speeds: None,
        };
        let named = condition(database, query, stop)?;
        Ok(Self { limits, condition: named })
    }

    /// The question for games that match, reach a position and meet a pattern.
    pub fn question<'q>(
        &'q self,
        target: Option<&'q Target>,
        wanted: Option<&'q Wanted>,
    ) -> Question<'q> {
        Question {
            target,
            condition: self.condition.as_ref(),
            limits: Some(&self.limits).filter(|limits| !limits.is_none()),
            variations: false,
            pattern: wanted.map(|wanted| &wanted.pattern),
        }
    }

    /// Whether all games match.
    pub fn is_none(&self) -> bool {
        self.limits.is_none() && self.condition.is_none()
    }
}

fn outcome(text: &str) -> Result<Outcome, Refusal> {
    Outcome::read(text).ok_or_else(|| {
        Refusal::asked(format!("`result` must be 1-0, 0-1 or 1/2-1/2, not `{text}`"))
    })
}

/// Returns the first or last day of a year, a month or a day: `2014`, `2014-05`, `2014-05-31`.
pub fn day(name: &str, text: &str, first: bool) -> Result<i32, Refusal> {
    let days = span(text).ok_or_else(|| {
        Refusal::asked(format!(
            "`{name}` must be a year, a month or a day (2014, 2014-05, 2014-05-31), not `{text}`"
        ))
    })?;
    Ok(if first { *days.start() } else { *days.end() })
}

/// Returns the conditions on the players, the event and the opening, as for `plypack find --where`.
fn condition(
    database: &Database,
    query: &Query,
    stop: &Stop,
) -> Result<Option<Condition>, Refusal> {
    let mut parts = Vec::new();
    if let Some(name) = query.text("player") {
        let side = match query.text("color") {
            None => "player",
            Some("white") => "White",
            Some("black") => "Black",
            Some(_) => return Err(Refusal::asked("`color` must be white or black")),
        };
        parts.push(of_player(database, name, side, stop)?);
    }
    if let Some(text) = query.text("event") {
        let part = || check_event(database).map(|()| format!("Event ILIKE '%{}%'", escaped(text)));
        parts.push(quoted(text).map_or_else(part, |name| of_event(database, name))?);
    }
    if let Some(text) = query.text("opening") {
        let text = escaped(text);
        let known = |name: &str| knows(database, name);
        // The beginning of a code, such as B9, or a part of a name.
        let conditions = [
            ("ECO", format!("ECO ILIKE '{text}%'")),
            ("Opening", format!("Opening ILIKE '%{text}%'")),
        ];
        let some: Vec<String> =
            conditions.into_iter().filter(|one| known(one.0)).map(|one| one.1).collect();
        if some.is_empty() {
            return Err(Refusal::asked(
                "these games have no opening tags: ask for the position instead",
            ));
        }
        parts.push(format!("({})", some.join(" OR ")));
    }
    let text = (!parts.is_empty()).then(|| parts.join(" AND "));
    text.map(|text| names::condition(&text)).transpose()
}

/// Returns the condition on a player of either side or one: who is found by a part of the name, or
/// the one of a quoted name, with all spellings.
fn of_player(database: &Database, name: &str, side: &str, stop: &Stop) -> Result<String, Refusal> {
    if let Some(name) = quoted(name) {
        let names = database.names(stop)?;
        return match names.player(name, None) {
            Some(at) => Ok(names.condition(at, side)),
            None => Err(Refusal::missing(format!("there is no player `{name}`"))),
        };
    }
    Ok(format!("finds_player({side}, '{}')", name.replace('\'', "''")))
}

/// Returns the condition that games are of exactly this event.
///
/// # Errors
/// Returns an error if no game has an event.
pub fn of_event(database: &Database, name: &str) -> Result<String, Refusal> {
    check_event(database)?;
    Ok(format!("Event = '{}'", name.replace('\'', "''")))
}

fn check_event(database: &Database) -> Result<(), Refusal> {
    match knows(database, "Event") {
        true => Ok(()),
        false => Err(Refusal::asked("these games have no tag Event")),
    }
}

/// Whether a file has games with this tag.
fn knows(database: &Database, tag: &str) -> bool {
    let condition = Condition::parse(&format!("{tag} = ''"));
    let files: Vec<&PackedFile> = database.files().iter().map(|asked| &asked.file).collect();
    condition.is_ok_and(|condition| condition.check(&files).is_ok())
}

/// Escapes a text for a quoted `LIKE` pattern.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    text.replace('\'', "''")
}
