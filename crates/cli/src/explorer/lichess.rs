//! The API of lichess.org's opening explorer: `/lichess`, `/masters`, `/player`. A game's identity
//! in the API is the number of its record.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use plypack::store::columns::Wanted;
use plypack::store::condition::Condition;
use plypack::store::facts::{Fact, Outcome};
use plypack::store::find::{
    Asked, CandidateTexts, Limits, Play, Question, RATING_GROUPS, Speed, Sum, Target, plays,
    records, successors, tree,
};
use serde_json::{Map, Value, json};

use crate::explorer::answer::{Answer, Stop};
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::filter::day;
use crate::explorer::place;
use crate::explorer::query::Query;

/// The requested service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// All games, by rating groups and speeds.
    Lichess,
    /// All games, by years.
    Masters,
    /// The games of one player with one colour.
    Player,
}

/// The speeds, as the API spells them.
const SPEEDS: [(&str, Speed); 6] = [
    ("ultraBullet", Speed::UltraBullet),
    ("bullet", Speed::Bullet),
    ("blitz", Speed::Blitz),
    ("rapid", Speed::Rapid),
    ("classical", Speed::Classical),
    ("correspondence", Speed::Correspondence),
];

/// The default and maximum number of moves listed.
const MOVES_USUAL: u64 = 12;
const MOVES_MAX: u64 = 1_200;

/// The default and maximum number of games listed.
const GAMES_USUAL: u64 = 4;
const MASTERS_USUAL: u64 = 15;
const GAMES_MAX: u64 = 15;

/// Answers a query.
///
/// # Errors
/// Returns an error if the query is invalid, a file cannot be read, or the work was stopped.
pub fn explore(
    database: &Database,
    service: Service,
    query: &Query,
    stop: &Stop,
) -> Result<Answer, Refusal> {
    check_variant(database, query)?;
    let target = place::asked_or_start(database, query)?;
    let is_white = match (service, query.text("color")) {
        (Service::Player, None | Some("white")) => Some(true),
        (Service::Player, Some("black")) => Some(false),
        (Service::Player, Some(_)) => return Err(Refusal::asked("`color` must be white or black")),
        _ => None,
    };
    let condition = is_white.map(|white| of_player(query, white)).transpose()?;
    let limits = limits(service, query)?;
    let question = Question {
        target: Some(&target),
        condition: condition.as_ref(),
        limits: Some(&limits).filter(|limits| !limits.is_none()),
        variations: false,
        pattern: None,
    };
    let usual = if service == Service::Masters { MASTERS_USUAL } else { GAMES_USUAL };
    let most = |name, usual| -> Result<usize, Refusal> {
        let most = query.number(name, GAMES_MAX)?.unwrap_or(usual);
        Ok(usize::try_from(most).unwrap_or(0))
    };
    let tops = if service == Service::Player { 0 } else { most("topGames", usual)? };
    let recents = if service == Service::Masters { 0 } else { most("recentGames", usual)? };
    let with_history = query.is_true("history");
    let mut sums = Sums { is_white, with_history, ..Sums::new(database, tops, recents) };
    let most = query.number("moves", MOVES_MAX)?.unwrap_or(MOVES_USUAL);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let is_listed = tops > 0 || recents > 0 || with_history || condition.is_some();
    if is_listed || !sums.take(&question, most, stop)? {
        plays(database.files(), &question, &stop.work(), &mut |play| sums.add(play))?;
    }
    let moves = sums.moves(most);
    let candidates: Vec<u16> = moves.iter().map(|played| played.0).collect();
    let behind = successors(database.files(), &question, &candidates, &stop.work())?;
    let mut object = sums.object(&target, &moves, &behind)?;
    object.insert("opening".into(), place::opening(database, query));
    if service == Service::Player {
        object.insert("queuePosition".into(), 0.into());
        let mut line = Value::from(object).to_string();
        line.push('\n');
        return Ok(Answer { kind: "application/x-ndjson", body: line.into(), whole: true });
    }
    Ok(Answer::json(&object.into()))
}

/// Refuses variants that the database does not hold.
fn check_variant(database: &Database, query: &Query) -> Result<(), Refusal> {
    let Some(variant) = query.text("variant") else { return Ok(()) };
    let info = database.game().info();
    let usual = ["standard", "chess", "chess960", "fromPosition"];
    let is_ours = variant.eq_ignore_ascii_case(info.name)
        || info.name == "chess" && usual.iter().any(|name| variant.eq_ignore_ascii_case(name));
    if is_ours {
        return Ok(());
    }
    Err(Refusal::asked(format!(
        "there are no games of the variant {variant}, only of {}",
        info.title
    )))
}

/// Returns the condition that a player of this name had this colour.
fn of_player(query: &Query, white: bool) -> Result<Condition, Refusal> {
    let name = query.text("player").ok_or_else(|| Refusal::asked("`player` is missing"))?;
    let tag = if white { "White" } else { "Black" };
    let condition = format!("same_player({tag}, '{}')", name.replace('\'', "''"));
    Condition::parse(&condition).map_err(Refusal::asked)
}

fn limits(service: Service, query: &Query) -> Result<Limits, Refusal> {
    let since = query.text("since").map(|text| day("since", text, true)).transpose()?;
    let until = query.text("until").map(|text| day("until", text, false)).transpose()?;
    let mut limits = Limits { since, until, ..Limits::default() };
    if service != Service::Masters
        && let Some(names) = query.list("speeds")
    {
        let speed = |name: &&str| {
            let known = SPEEDS.iter().find(|speed| speed.0.eq_ignore_ascii_case(name));
            known.map(|speed| speed.1).ok_or_else(|| {
                let all: Vec<&str> = SPEEDS.iter().map(|speed| speed.0).collect();
                Refusal::asked(format!(
                    "`{name}` is not a speed; the speeds are {}",
                    all.join(", ")
                ))
            })
        };
        let speeds: Vec<Speed> = names.iter().map(speed).collect::<Result<_, _>>()?;
        let all = SPEEDS.iter().all(|speed| speeds.contains(&speed.1));
        limits.speeds = Some(speeds).filter(|_| !all);
    }
    if service == Service::Lichess
        && let Some(names) = query.list("ratings")
    {
        let group = |name: &&str| {
            let wrong = || Refusal::asked(format!("`{name}` is not a rating group"));
            let least: u16 = name.parse().map_err(|_| wrong())?;
            let next = RATING_GROUPS.iter().find(|&&next| next > least);
            Ok(least..=next.map_or(u16::MAX, |next| next - 1))
        };
        let groups: Vec<_> = names.iter().map(group).collect::<Result<_, Refusal>>()?;
        let all =
            RATING_GROUPS.iter().all(|least| groups.iter().any(|group| group.contains(least)));
        limits.ratings = Some(groups).filter(|_| !all);
    }
    Ok(limits)
}

/// Results of games.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    white: u64,
    draws: u64,
    black: u64,
    games: u64,
    rated: u64,
    rating_sum: u64,
    /// The last game counted; the only one if there is but one.
    last: Option<(usize, u64)>,
}

impl Score {
    fn add(&mut self, outcome: Option<Outcome>, rating: Option<u16>, game: (usize, u64)) {
        self.games += 1;
        match outcome {
            Some(Outcome::White) => self.white += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Black) => self.black += 1,
            None => {}
        }
        if let Some(rating) = rating {
            self.rated += 1;
            self.rating_sum += u64::from(rating);
        }
        self.last = Some(game);
    }

    fn merge(&mut self, sum: &Sum) {
        self.white += sum.white;
        self.draws += sum.draws;
        self.black += sum.black;
        self.games += sum.records;
        self.rated += sum.rated;
        self.rating_sum += sum.rating_sum;
    }

    fn mean(&self) -> Option<u64> {
        (self.rating_sum + self.rated / 2).checked_div(self.rated)
    }

    /// The performance by the rule of 400: the opponents' mean plus 400 times the share of wins
    /// minus the share of losses.
    fn performance(&self, is_white: bool) -> Option<i64> {
        let mean = i64::try_from(self.mean()?).ok()?;
        let known = i64::try_from(self.white + self.draws + self.black).ok()?;
        let (white, black) = (i64::try_from(self.white).ok()?, i64::try_from(self.black).ok()?);
        let ahead = if is_white { white - black } else { black - white };
        Some(mean + (400 * ahead).checked_div(known)?)
    }
}

/// A listed game: its sort key, its place, its move.
type Ranked = (Option<i64>, Reverse<usize>, Reverse<u64>, Option<u16>);

/// The `most` highest games.
struct Highest {
    most: usize,
    heap: BinaryHeap<Reverse<Ranked>>,
}

impl Highest {
    fn new(most: usize) -> Self {
        Self { most, heap: BinaryHeap::with_capacity(most + 1) }
    }

    fn offer(&mut self, rank: Option<i64>, play: Play) {
        if self.most == 0 {
            return;
        }
        let ranked = (rank, Reverse(play.file), Reverse(play.row), play.candidate);
        if self.heap.len() >= self.most && self.heap.peek().is_some_and(|least| ranked <= least.0) {
            return;
        }
        self.heap.push(Reverse(ranked));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// Returns the games, highest first.
    fn into_games(self) -> Vec<Play> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        let play = |Reverse((_, Reverse(file), Reverse(row), candidate)): Reverse<Ranked>| Play {
            file,
            row,
            candidate,
        };
        sorted.map(play).collect()
    }
}

/// Sums over the games of a position.
struct Sums<'d> {
    database: &'d Database,
    /// The player's colour, if only one player's games are counted.
    is_white: Option<bool>,
    all: Score,
    moves: BTreeMap<Option<u16>, Score>,
    /// Whether to count by month (year and month).
    with_history: bool,
    months: BTreeMap<(i32, u32), Score>,
    top: Highest,
    recent: Highest,
}

impl<'d> Sums<'d> {
    fn new(database: &'d Database, tops: usize, recents: usize) -> Self {
        Self {
            database,
            is_white: None,
            with_history: false,
            all: Score::default(),
            moves: BTreeMap::new(),
            months: BTreeMap::new(),
            top: Highest::new(tops),
            recent: Highest::new(recents),
        }
    }

    fn fact(&self, play: Play) -> Fact {
        let known = self.database.files().get(play.file).and_then(|asked| asked.known.as_ref());
        known.map(|known| known.fact(play.row)).unwrap_or_default()
    }

    fn speed(&self, play: Play) -> Option<Speed> {
        let known = self.database.files().get(play.file).and_then(|asked| asked.known.as_ref());
        known.and_then(|known| known.speed(play.row))
    }

    fn add(&mut self, play: Play) {
        let fact = self.fact(play);
        let rating = match self.is_white {
            Some(true) => fact.black_rating,
            Some(false) => fact.white_rating,
            None => fact.rating(),
        };
        let game = (play.file, play.row);
        // A game that plays two moves here comes twice in succession.
        if self.all.last != Some(game) {
            self.all.add(fact.outcome, rating, game);
            self.top.offer(fact.rating().map(i64::from), play);
            let day = fact.day.map(i64::from);
            let year = fact.year.map(|year| i64::from(year) * 366 - 719_528);
            self.recent.offer(day.or(year), play);
        }
        self.moves.entry(play.candidate).or_default().add(fact.outcome, rating, game);
        if self.with_history
            && let Some(month) = fact.month()
        {
            self.months.entry(month).or_default().add(fact.outcome, rating, game);
        }
    }

    /// Takes the sums of indices, where these have them, rather than list all games. Returns
    /// whether they tell enough; otherwise nothing is taken. They do not if a game plays two moves
    /// here, as it counts once, or if one of the `most` frequent moves has a single game, which is
    /// named.
    fn take(&mut self, question: &Question<'_>, most: usize, stop: &Stop) -> Result<bool, Refusal> {
        if question.limits.is_some_and(|limits| limits.rating_groups().is_none()) {
            return Ok(false);
        }
        let tree = tree(self.database.files(), question, &stop.work())?;
        let ended = Some((None, &tree.ended)).filter(|(_, sum)| sum.records > 0);
        let moves = tree.moves.iter().map(|played| (Some(played.candidate), &played.sum));
        let mut taken = Self::new(self.database, 0, 0);
        for (candidate, sum) in moves.chain(ended) {
            taken.all.merge(sum);
            taken.moves.entry(candidate).or_default().merge(sum);
        }
        let is_single = |(_, score): &(u16, Score)| score.games == 1;
        let is_enough = taken.all.games == tree.records && !taken.moves(most).iter().any(is_single);
        if is_enough {
            (self.all, self.moves) = (taken.all, taken.moves);
        }
        Ok(is_enough)
    }

    /// Returns the most frequent moves, up to `most`.
    fn moves(&self, most: usize) -> Vec<(u16, Score)> {
        let mut moves: Vec<(u16, Score)> =
            self.moves.iter().filter_map(|(at, score)| Some(((*at)?, *score))).collect();
        moves.sort_by_key(|(candidate, score)| (Reverse(score.games), *candidate));
        moves.truncate(most);
        moves
    }

    /// `moves` are those to list, `behind` the games of the positions after them.
    fn object(
        mut self,
        target: &Target,
        moves: &[(u16, Score)],
        behind: &[Option<Sum>],
    ) -> Result<Map<String, Value>, Refusal> {
        let texts = target.texts().map_err(Refusal::asked)?;
        let mut listed = Vec::with_capacity(moves.len());
        for ((candidate, score), behind) in moves.iter().zip(behind) {
            let mut one = self.one_move(target, &texts, *candidate, score)?;
            let behind = behind.map(|Sum { white, draws, black, .. }| {
                json!({ "white": white, "draws": draws, "black": black })
            });
            one["any_order"] = behind.into();
            listed.push(one);
        }
        let mut object = Map::new();
        let number = |number: u64| Value::from(number);
        object.insert("white".into(), number(self.all.white));
        object.insert("draws".into(), number(self.all.draws));
        object.insert("black".into(), number(self.all.black));
        object.insert("moves".into(), listed.into());
        let (none, another) = (Highest::new(0), Highest::new(0));
        for (name, highest) in [
            ("topGames", std::mem::replace(&mut self.top, none)),
            ("recentGames", std::mem::replace(&mut self.recent, another)),
        ] {
            let games = self.games(&highest.into_games(), &texts)?;
            object.insert(name.into(), games.into());
        }
        if self.with_history {
            let month = |(month, score): (&(i32, u32), &Score)| {
                let Score { white, draws, black, .. } = score;
                json!({ "month": spelled(*month), "white": white, "draws": draws, "black": black })
            };
            object.insert("history".into(), self.months.iter().map(month).collect());
        }
        Ok(object)
    }

    fn one_move(
        &self,
        target: &Target,
        texts: &CandidateTexts,
        candidate: u16,
        score: &Score,
    ) -> Result<Value, Refusal> {
        let only = score.last.filter(|_| score.games == 1);
        let only = only.map(|(file, row)| Play { file, row, candidate: Some(candidate) });
        let game = self.games(&only.into_iter().collect::<Vec<_>>(), texts)?;
        let mut object = json!({
            "uci": texts.coordinates(Some(candidate)),
            "san": texts.customary(Some(candidate)),
            "white": score.white,
            "draws": score.draws,
            "black": score.black,
            "game": game.into_iter().next(),
            "opening": place::opening_after(self.database, target, candidate),
        });
        // As on lichess.org, a player's numbers are left out where they are unknown; the average
        // rating is always a number: clients require it.
        let Some(is_white) = self.is_white else {
            object["averageRating"] = score.mean().unwrap_or(0).into();
            return Ok(object);
        };
        if let Some(mean) = score.mean() {
            object["averageOpponentRating"] = mean.into();
        }
        if let Some(performance) = score.performance(is_white) {
            object["performance"] = performance.into();
        }
        Ok(object)
    }

    /// Returns games as the API lists them.
    fn games(&self, games: &[Play], texts: &CandidateTexts) -> Result<Vec<Value>, Refusal> {
        let mut values = vec![Value::Null; games.len()];
        for (file, asked) in self.database.files().iter().enumerate() {
            let places = games.iter().zip(0..).filter(|(game, _)| game.file == file);
            let here: Vec<(&Play, usize)> = places.collect();
            let rows: Vec<u64> = here.iter().map(|(game, _)| game.row).collect();
            if rows.is_empty() {
                continue;
            }
            let named = players(asked, &rows)?;
            for ((play, at), (white, black)) in here.into_iter().zip(named) {
                if let Some(slot) = values.get_mut(at) {
                    *slot = self.game(*play, white, black, texts);
                }
            }
        }
        Ok(values)
    }

    fn game(&self, play: Play, white: String, black: String, texts: &CandidateTexts) -> Value {
        let fact = self.fact(play);
        let winner = match fact.outcome {
            Some(Outcome::White) => Some("white"),
            Some(Outcome::Black) => Some("black"),
            _ => None,
        };
        // Clients expect numbers, which all games of lichess.org have. 0 is unknown.
        let year = fact.year.map_or(0, i32::from);
        // Without a known speed, it is taken for an over-the-board game.
        let speed = self.speed(play).unwrap_or(Speed::Classical);
        let speed = SPEEDS.iter().find(|known| known.1 == speed).map(|known| known.0);
        json!({
            "id": self.database.id(play.file, play.row).to_string(),
            "uci": texts.coordinates(play.candidate),
            "winner": winner,
            "speed": speed,
            "mode": "rated",
            "white": { "name": white, "rating": fact.white_rating.unwrap_or(0) },
            "black": { "name": black, "rating": fact.black_rating.unwrap_or(0) },
            "year": year,
            "month": spelled(fact.month().unwrap_or((year, 0))),
        })
    }
}

/// Returns the players of the games in these rows, from the index or else the file.
fn players(asked: &Asked, rows: &[u64]) -> Result<Vec<(String, String)>, Refusal> {
    let heads = asked.indices.heads(rows)?;
    let mut named: Vec<Option<(String, String)>> =
        heads.into_iter().map(|head| head.map(|h| (h.players.white, h.players.black))).collect();
    let lacks = |(at, row): (usize, &u64)| named.get(at)?.is_none().then_some((at, *row));
    let (lacking, others): (Vec<usize>, Vec<u64>) =
        rows.iter().enumerate().filter_map(lacks).unzip();
    if !others.is_empty() {
        let columns = Wanted::Of(&["White", "Black", "tags", "tag_order"]);
        records::<Refusal>(asked, &others, columns, |place, record, _| {
            let name = |names: [&str; 2]| {
                let tag = record.tags.iter().find(|tag| names.contains(&tag.0));
                tag.map_or("", |tag| tag.1.as_ref()).to_owned()
            };
            if let Some(slot) = lacking.get(place).and_then(|&at| named.get_mut(at)) {
                *slot = Some((name(["White", "Red"]), name(["Black", "Black"])));
            }
            Ok(())
        })?;
    }
    Ok(named.into_iter().map(Option::unwrap_or_default).collect())
}

/// Formats a month for the API: `2014-05`.
fn spelled((year, month): (i32, u32)) -> String {
    format!("{year:04}-{month:02}")
}
