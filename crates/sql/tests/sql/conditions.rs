//! A condition of `find --where` and the same condition in SQL select the same games.

use std::path::Path;

use plypack::store::condition::Condition;
use plypack::store::find::{Asked, Order, Question, find};
use plypack::store::index::Indices;
use plypack::store::{PackedFile, Work};
use tempfile::TempDir;

use crate::packed::{given, pack, sample};

/// Games with odd, partial, empty or missing tags.
const ODD: &str = r#"[Event "A"]
[Date "1992.??.??"]
[Round "10"]
[White "Carlsen, Magnus"]
[Black "O'Neill"]
[Result "1-0"]
[WhiteElo "2401"]
[BlackElo "?"]
[EventDate "1992.01"]
[BlackRD "49.5"]
[UTCDate "2020.02.29"]
[UTCTime "18:30:00"]

1. e4 1-0

[Event "b_c"]
[Date "1992.06.15"]
[Round "9"]
[White "Polgar, J."]
[Black "carlsen, magnus"]
[Result "1/2-1/2"]
[BlackElo "2399"]
[BlackRD "51"]
[UTCDate "2019.12.31"]

1. d4 d5 1/2-1/2

[Event "100%"]
[Date "????.??.??"]
[Round "3.2"]
[White ""]
[Result "*"]
[FEN "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"]
[SetUp "1"]

*

[Event "D"]
[Date "2020.01.31"]
[Round "-"]
[White "Anand"]
[Black "Anand"]
[WhiteElo "2800"]
[BlackElo "2800"]
[WhiteRatingDiff "+5"]
[BlackRatingDiff "-3"]
[Opening "Sicilian"]

1. e4 c5 2. Nf3 0-1
"#;

/// Conditions for every file.
const CONDITIONS: &[&str] = &[
    "WhiteElo > 2400",
    "whiteelo > 2400 AND result = '1-0'",
    "2400 < WhiteElo",
    "WhiteElo > '2400'",
    "WhiteElo > 2400.5",
    "WhiteElo >= BlackElo",
    "BlackElo IS NULL",
    "NOT WhiteElo > 2400",
    "WhiteElo BETWEEN 2300 AND 2500",
    "WhiteElo NOT IN (2401, 2800)",
    "WhiteRatingDiff > 0",
    "White = 'Anand'",
    "White LIKE 'Carlsen%'",
    "white ILIKE 'carl%'",
    "NOT White LIKE '%a%'",
    "Event LIKE '100\\%'",
    "Event LIKE '%\\_%'",
    "Black = 'O''Neill'",
    "White = Black",
    "White <> Black",
    "Result IN ('1-0', '0-1')",
    "Round > 9",
    "Round >= '9'",
    "Round IN (9, 10)",
    "NOT Round < 10",
    "Date = '1992'",
    "Date <> '1992'",
    "Date >= '1992'",
    "Date < '1992-06-01'",
    "Date <= '1992-06'",
    "NOT Date < '1992-06-01'",
    "Date > 1991",
    "Date BETWEEN '1992' AND '1992-06'",
    "Date IN ('1992-06-15', '2020')",
    "Date = '1992.??.??'",
    "Date LIKE '1992%'",
    "'1992' <= Date",
    "EventDate = '1992-01'",
    "UTCDate = '2020'",
    "UTCDate > '2019-12'",
    "UTCDate BETWEEN '2019-12' AND 2020",
    "UTCDate NOT IN ('2020-02')",
    "UTCTime = '18:30'",
    "UTCTime > '18:00:00'",
    "played_on >= '1992-06'",
    "Year = 1992",
    "Year BETWEEN 1990 AND 2000",
    "year IS NULL",
    "NOT Year > 2000",
    "player = 'Carlsen, Magnus'",
    "player ILIKE 'carlsen%'",
    "player <> 'Anand'",
    "player IN ('Anand', 'Polgar, J.')",
    "NOT player = 'Anand'",
    "player IS NULL",
    "player = 'Anand' AND player = 'Carlsen, Magnus'",
    "finds_player(player, 'magnus carlsen')",
    "NOT finds_player(player, 'CARLSEN, M.')",
    "finds_player(White, 'j polgar') OR finds_player(black, 'oneill')",
    "same_player(player, 'CARLSEN MAGNUS')",
    "NOT same_player(White, 'anand') AND same_player(White, White)",
    "plies > 1",
    "moves.plies >= 2",
    "FEN IS NOT NULL",
    "FEN LIKE '8/8/8/4k3%'",
    "number > 2",
    "source = 'odd.parquet'",
    "verbatim_reason IS NULL",
    "Opening = 'Sicilian' OR Year = 1992",
    "(Year < 1993 OR Year > 2019) AND NOT Result = '*'",
];

/// Conditions for files in which some game has the tags.
const OF_TAGS: &[&str] =
    &["BlackRD < 50.5", "blackrd > 50", "tags['BlackRD'] = '51'", "BlackRD IS NULL"];

/// The numbers of the records that `find` returns.
fn found(condition: &str, path: &Path) -> Vec<u64> {
    let file = PackedFile::open(path).expect("a packed file");
    let indices = Indices::none(&file);
    let asked = [Asked { file, indices, known: None }];
    let condition = Condition::parse(condition).expect("a condition");
    let question = Question { condition: Some(&condition), ..Question::default() };
    let work = Work::on(1);
    let mut rows = Vec::new();
    let mut sink = |game: plypack::store::find::Found| {
        rows.push(game.row + 1);
        Ok(())
    };
    find(&asked, &question, Order::Stored, u64::MAX, &work, &mut sink).expect("an answer");
    rows
}

/// The numbers of the records that a query selects.
fn selected(condition: &str, path: &Path) -> Vec<u64> {
    let query = format!("select number from FILE where {condition} order by number");
    given(&query, path).iter().map(|row| row[0].parse().expect("a number")).collect()
}

fn compare(conditions: &[&str], path: &Path) {
    for condition in conditions {
        assert_eq!(selected(condition, path), found(condition, path), "{condition}");
    }
}

#[test]
fn conditions_mean_the_same_in_find_and_in_sql() {
    let folder = TempDir::new().expect("a folder");
    let odd = pack(&folder, "odd.parquet", ODD.as_bytes());
    compare(CONDITIONS, &odd);
    compare(OF_TAGS, &odd);
    assert_eq!(selected("player = 'Carlsen, Magnus'", &odd), [1]);
    assert_eq!(selected("Round > 9", &odd), [1]);
    let championship = pack(&folder, "championship.parquet", &sample("championship.pgn"));
    compare(CONDITIONS, &championship);
    let xiangqi = pack(&folder, "xiangqi.parquet", &sample("xiangqi.pgn"));
    compare(CONDITIONS, &xiangqi);
}

#[test]
fn conditions_reach_through_joins_and_parts() {
    let folder = TempDir::new().expect("a folder");
    let odd = pack(&folder, "odd.parquet", ODD.as_bytes());
    let query = "with late as (select number, Date, white as Who from FILE where date >= '1992') \
                 select l.number, l.who, o.PLIES from late l join FILE o using (NUMBER) \
                 where o.year = 1992 and l.date < '1993' order by 1";
    let query = query.replace("o.PLIES", "o.moves.plies").replace("o.year", "Year");
    let query = query.replace("Year = 1992", "o.number < 9");
    let rows = given(&query, &odd);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0], ["1", "Carlsen, Magnus", "1"]);
}
