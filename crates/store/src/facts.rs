//! temporary
use crate::row::StoredRecord;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome { White, Draw, Black }

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub outcome: Option<Outcome>,
    pub white_rating: Option<u16>,
    pub black_rating: Option<u16>,
    pub date: Option<(u16, u8, u8)>,
}

pub const COLUMNS: [&str; 7] =
    ["Result", "WhiteElo", "BlackElo", "Date", "UTCDate", "tags", "tag_order"];

impl Facts {
    pub fn of(record: &StoredRecord<'_>) -> Self {
        let tag = |name: &str| record.tags.iter().find(|t| t.0 == name).map(|t| t.1.as_ref());
        let outcome = match tag("Result") {
            Some("1-0") => Some(Outcome::White),
            Some("0-1") => Some(Outcome::Black),
            Some("1/2-1/2") => Some(Outcome::Draw),
            _ => None,
        };
        let rating = |name| tag(name).and_then(|t| t.parse().ok()).filter(|&r: &u16| r > 0);
        let date = |name| {
            let mut parts = tag(name)?.split('.');
            let year: u16 = parts.next()?.parse().ok()?;
            let mut part = || parts.next().and_then(|p| p.parse().ok()).unwrap_or(0u8);
            let month = part();
            Some((year, month, part()))
        };
        let date = date("Date").or_else(|| date("UTCDate"));
        Self { outcome, white_rating: rating("WhiteElo"), black_rating: rating("BlackElo"), date }
    }
    pub fn rating(&self) -> Option<u16> {
        match (self.white_rating, self.black_rating) {
            (Some(a), Some(b)) => Some(((u32::from(a) + u32::from(b)) / 2) as u16),
            (one, other) => one.or(other),
        }
    }
    pub fn year(&self) -> Option<u16> { self.date.map(|d| d.0) }
}
