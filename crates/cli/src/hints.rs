//! Hints for options that do not exist, where others do what was meant.

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Words that people try as options of `find`, `tree` and `delete`, and a condition that does it.
const CONDITIONS: [(&[&str], &str); 10] = [
    (&["eco"], "ECO = 'B90'"),
    (&["opening"], "Opening LIKE 'Sicilian%'"),
    (&["event", "tournament"], "Event LIKE '%Olympiad%'"),
    (&["site"], "Site = 'London'"),
    (&["white"], "finds_player(White, 'Magnus Carlsen')"),
    (&["black"], "finds_player(Black, 'Magnus Carlsen')"),
    (&["result"], "Result = '1-0'"),
    (&["from", "since", "after", "date", "year"], "Date >= '2020-01-31'"),
    (&["to", "until", "before"], "Date <= '2020-01-31'"),
    (&["elo", "rating", "min-elo", "min-rating"], "WhiteElo > 2400 and BlackElo > 2400"),
];

/// Verbs that take a condition.
const VERBS: [&str; 3] = ["find", "tree", "delete"];

/// Replaces the tip of an error about an unknown option where a condition does what was meant.
pub fn add(mut error: Error) -> Error {
    let verb = std::env::args_os().nth(1);
    let takes_condition = verb.is_some_and(|verb| VERBS.iter().any(|known| verb == *known));
    if error.kind() != ErrorKind::UnknownArgument || !takes_condition {
        return error;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if let Some(condition) = condition_for(option) {
        let tip = format!("games are chosen by their tags with --where: --where \"{condition}\"");
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// Returns a condition that does what an unknown option means.
fn condition_for(option: &str) -> Option<&'static str> {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    CONDITIONS.iter().find(|(words, _)| words.contains(&name.as_str())).map(|found| found.1)
}
