//! What an index keeps of a record's tags.

use plypack_index::{Fact, Outcome, Players};

/// The columns of the tags that are looked at.
pub(super) const TAGS: [&str; 9] =
    ["White", "Black", "Result", "WhiteElo", "BlackElo", "Date", "UTCDate", "tags", "tag_order"];

/// How a game ended, its rating and its year.
pub(super) fn fact<'a>(tag: &dyn Fn(&str) -> Option<&'a str>) -> Fact {
    let outcome = match tag("Result") {
        Some("1-0") => Some(Outcome::White),
        Some("1/2-1/2") => Some(Outcome::Draw),
        Some("0-1") => Some(Outcome::Black),
        _ => None,
    };
    let [white, black] = ratings(tag);
    let rating = match (white, black) {
        (Some(white), Some(black)) => Some(white.midpoint(black)),
        (one, other) => one.or(other),
    };
    let year = |name| tag(name)?.get(..4)?.parse().ok().filter(|&year: &u16| year > 0);
    Fact { outcome, rating, year: year("Date").or_else(|| year("UTCDate")) }
}

/// Who played.
pub(super) fn players<'a>(tag: &dyn Fn(&str) -> Option<&'a str>) -> Players {
    let name = |of: &str, or: &str| tag(of).or_else(|| tag(or)).unwrap_or_default().to_owned();
    let [white_rating, black_rating] = ratings(tag);
    let (white, black) = (name("White", "Red"), name("Black", "Black"));
    Players { white, black, white_rating, black_rating }
}

fn ratings<'a>(tag: &dyn Fn(&str) -> Option<&'a str>) -> [Option<u16>; 2] {
    ["WhiteElo", "BlackElo"].map(|name| tag(name)?.parse().ok().filter(|&rating: &u16| rating > 0))
}
