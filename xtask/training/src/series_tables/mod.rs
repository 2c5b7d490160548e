//! `cargo xtask series-tables`: learns the tables of the codecs of clock readings, evaluations and
//! reviews. Floats are allowed here: the format is the written files.

mod net;

use std::collections::BTreeMap;

use cpu_time::ThreadTime;
use plypack_core::codecs::series::training::{self, Clocks, Evaluations};
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, Evaluation, REVIEWS, Review};
use plypack_core::table::Head;
use plypack_core::{Candidates, Hint, Known, Listing, Notation, Ply, Rules};
use plypack_games::chess::{Chess, hints};
use plypack_games::line_codec;
use plypack_records::pgn::{self, ReviewStyle, ValueStyle};
use plypack_records::{ItemKind, Record, Values, charset};

use crate::corpus::{file_name, records};
use net::{Beginning, teach};

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask series-tables [--check] PGN..

Learns from the clock readings, evaluations and reviews in PGN files of chess, and writes the nets
and tables crates/tables/series/*.{net,table} and the known evaluations
crates/tables/chess/evaluations.book. --check writes nothing, but prints the bits of a reading, an
evaluation and a review in each file, with the compiled-in tables, and the processor time of each,
and of a ply's hint.";

const FOLDER: &str = "crates/tables/series";
const BOOK: &str = "crates/tables/chess/evaluations.book";

/// The training data.
#[derive(Default)]
struct Series {
    clocks: Vec<Clocks>,
    evaluations: Vec<Evaluations>,
    /// The keys of the positions after each ply of the games with evaluations.
    keys: Vec<Vec<u64>>,
    reviews: Vec<training::Reviewed>,
    lines: Vec<Line>,
}

/// A game's moves.
struct Line {
    start: Option<String>,
    plies: u32,
    code: Vec<u8>,
}

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let check = args.first().is_some_and(|arg| arg == "--check");
    let paths = &args[usize::from(check)..];
    if paths.is_empty() || paths.iter().any(|path| path.starts_with("--")) {
        return Err(USAGE.into());
    }
    let mut series = Series::default();
    for path in paths {
        read(path, &mut series)?;
        if check {
            state(path, &std::mem::take(&mut series));
        }
    }
    if check {
        return Ok(());
    }
    let decimals = |exact: bool| series.clocks.iter().any(|game| (game.decimals > 0) == exact);
    if !(decimals(false) && decimals(true)) || series.reviews.is_empty() {
        return Err("these files lack clock readings, with decimals and without, or reviews".into());
    }
    let known = know(&mut series);
    write(BOOK, Head::EVALUATIONS, &known)?;
    let folder = |name: &str| format!("{FOLDER}/{name}");
    let blind = |game: &mut Clocks| game.hints.clear();
    let lessons = sometimes_blind(&series.clocks, blind, training::clock_lessons);
    let clocks = teach("clocks", &lessons, &TIMES);
    write(&folder("clocks.net"), Head::NETS, &clocks)?;
    let table = training::clock_table(&series.clocks, &clocks);
    write(&folder("clocks.table"), Head::SERIES, &table)?;
    let blind = |game: &mut Evaluations| game.hints.clear();
    let lessons = sometimes_blind(&series.evaluations, blind, training::evaluation_lessons);
    let evaluations = teach("evaluations", &lessons, &CHANGES);
    write(&folder("evaluations.net"), Head::NETS, &evaluations)?;
    let table = training::evaluation_table(&series.evaluations, &evaluations);
    write(&folder("evaluations.table"), Head::SERIES, &table)?;
    write(&folder("reviews.table"), Head::SERIES, &training::review_table(&series.reviews))
}

/// The initial parameters of the nets. Units of times: doublings of 8 seconds; of changes: 16
/// hundredths of a pawn.
const TIMES: Beginning = Beginning {
    middles: [-2.6, 3.5],
    widths: [-0.7, -0.7],
    within: training::WIDTHS[0],
    rates: &[0.003, 0.002],
    epochs: 12,
};
const CHANGES: Beginning = Beginning {
    middles: [0.0, 0.0],
    widths: [-5.4, 2.5],
    within: training::WIDTHS[1],
    rates: &[0.003],
    epochs: 20,
};

/// Returns the lessons of all games, and of every eighth without hints, so that the net learns to
/// do without.
fn sometimes_blind<G: Clone>(
    games: &[G],
    blind: impl Fn(&mut G),
    lessons: impl Fn(&[G]) -> Vec<training::Lesson>,
) -> Vec<training::Lesson> {
    let mut eighth: Vec<G> = games.iter().step_by(8).cloned().collect();
    eighth.iter_mut().for_each(blind);
    let mut all = lessons(games);
    all.extend(lessons(&eighth));
    all
}

/// Known evaluations are for positions after at most this many plies.
const KNOWN_PLIES: usize = 16;

/// Collects the evaluations of positions. Hints get the evaluations of the other games; returns the
/// file with those of all games.
fn know(series: &mut Series) -> Vec<u8> {
    let mut counts: BTreeMap<u64, BTreeMap<i16, u32>> = BTreeMap::new();
    let value = |evaluation: &Option<Evaluation>| match evaluation {
        Some(Evaluation::Pawns(value)) => i16::try_from(*value).ok(),
        _ => None,
    };
    for (game, keys) in series.evaluations.iter().zip(&series.keys) {
        for (key, evaluation) in keys.iter().zip(&game.evaluations).take(KNOWN_PLIES) {
            if let Some(value) = value(evaluation) {
                *counts.entry(*key >> 24).or_default().entry(value).or_default() += 1;
            }
        }
    }
    let most = |values: &BTreeMap<i16, u32>, own: Option<i16>| {
        let others = values.iter().map(|(&value, &n)| (value, n - u32::from(own == Some(value))));
        others
            .filter(|other| other.1 > 0)
            .max_by_key(|&(value, n)| (n, -i32::from(value).abs(), value))
    };
    let games_of = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
    for (game, keys) in series.evaluations.iter_mut().zip(&series.keys) {
        for ((key, evaluation), hint) in keys.iter().zip(&game.evaluations).zip(&mut game.hints) {
            let others =
                counts.get(&(*key >> 24)).and_then(|values| most(values, value(evaluation)));
            hint.known = others.map(|(value, n)| Known { value: value.into(), games: games_of(n) });
        }
    }
    let mut bytes = Vec::new();
    for (key, values) in &counts {
        if let Some((value, n)) = most(values, None) {
            bytes.extend_from_slice(&key.to_be_bytes()[3..]);
            bytes.extend_from_slice(&value.to_be_bytes());
            bytes.push(games_of(n));
        }
    }
    bytes
}

fn write(path: &str, head: Head, table: &[u8]) -> Result<(), String> {
    let file = head.file(table);
    println!("{path}: {} bytes", file.len());
    std::fs::write(path, file).map_err(|error| format!("{path}: {error}"))
}

/// Returns the hint of each ply of a record, and the keys of the positions after them.
fn replay(record: &Record<'_>) -> (Vec<Hint>, Vec<u64>) {
    let mut found: (Vec<Hint>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut before = match record.tag("FEN").map(|text| Chess.read_position(text)) {
        None => Chess.start(),
        Some(Ok(position)) => position,
        Some(Err(_)) => return found,
    };
    let mut last = None;
    for text in &record.moves {
        let listing = Listing::default();
        let candidates = Candidates::of(&Chess, &before, &listing);
        let Ok(mv) = Chess.read_move(&candidates, text) else { break };
        let mut after = before.clone();
        Chess.play(&mut after, mv);
        let ply = Ply::new(candidates, mv, &after);
        let last_hint = last.zip(found.0.last());
        let hint = hints::hint(&ply, last_hint);
        found.0.push(hint);
        found.1.push(Chess.key(&after));
        last = Some(mv);
        before = after;
    }
    found
}

/// The codec of the lines in memory.
const LINE: &str = "line.uniform";

/// Encodes a record's moves.
fn line(record: &Record<'_>) -> Option<Line> {
    let start = record.tag("FEN").map(str::to_owned);
    let mut moves = record.moves.iter().copied();
    let coded =
        line_codec("chess", LINE)?.encode(start.as_deref(), &mut moves, Notation::Customary);
    let coded = coded.ok()?;
    Some(Line { start, plies: coded.plies, code: coded.code })
}

/// Adds the series of a file's records, where they have any.
fn read(path: &str, series: &mut Series) -> Result<(), String> {
    let file = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    for record in records(&file) {
        let text = charset::decode(record, "").1;
        let record = pgn::parse(&text);
        let (values, style, reviews) = values(&record);
        let (hints, keys) = replay(&record);
        if values.iter().any(|values| values.clock.is_some() || values.evaluation.is_some()) {
            series.lines.extend(line(&record));
        }
        if values.iter().any(|values| values.clock.is_some()) {
            series.clocks.push(Clocks {
                readings: values.iter().map(|values| values.clock).collect(),
                decimals: style.decimals,
                hints: hints.clone(),
            });
        }
        if values.iter().any(|values| values.evaluation.is_some()) {
            let evaluation = |values: &Values| {
                values.evaluation.map(|evaluation| match evaluation {
                    plypack_records::Evaluation::Pawns(value) => Evaluation::Pawns(value),
                    plypack_records::Evaluation::Mate(moves) => Evaluation::Mate(moves),
                })
            };
            let evaluations: Vec<Option<Evaluation>> = values.iter().map(evaluation).collect();
            if reviews.iter().any(Option::is_some) {
                series.reviews.push((reviews, evaluations.clone()));
            }
            series.evaluations.push(Evaluations { evaluations, hints });
            series.keys.push(keys);
        }
    }
    Ok(())
}

/// Returns the values of a record's main line, how they are written, and its reviews, all of one
/// class.
fn values(record: &Record<'_>) -> (Vec<Values>, ValueStyle, Vec<Option<Review>>) {
    let comments = record.items.iter().filter(|item| item.kind == ItemKind::Comment);
    let style = ValueStyle::guess(comments.map(|item| item.text)).unwrap_or_default();
    let reviews = ReviewStyle::guess(record, Some(style));
    let mut values: Vec<Values> = Vec::new();
    let mut found = Vec::new();
    let mut depth = 0;
    for (at, item) in record.items.iter().enumerate() {
        match item.kind {
            ItemKind::Open => depth += 1,
            ItemKind::Close => depth -= 1,
            ItemKind::Move if depth == 0 => {
                let before = values.last().and_then(|values| values.evaluation);
                let rest = &record.items[at + 1..];
                let review = reviews.as_ref().and_then(|r| r.read(rest, Some(style), before));
                let plies = review.and_then(|review| u32::try_from(review.moves.len()).ok());
                found.push(plies.map(|plies| Review { class: 0, plies }));
                values.push(Values::default());
            }
            ItemKind::Comment if depth == 0 => {
                if let Some((read, last)) = style.read(item.text).zip(values.last_mut()) {
                    *last = read;
                }
            }
            _ => {}
        }
    }
    (values, style, found)
}

/// How often each codec is timed; the least processor time counts.
const ROUNDS: usize = 5;

fn state(path: &str, Series { clocks, evaluations, reviews, lines, .. }: &Series) {
    let name = file_name(path);
    let plies = lines.iter().map(|line| line.plies).sum::<u32>().max(1);
    let microseconds = hinting(lines) * 1e6 / f64::from(plies);
    println!("{name}: {plies} plies, {microseconds:.3} us to compute a ply's hint");
    let line = |what: &str, cells: usize, values: usize, codes: &[Vec<u8>], times: [f64; 2]| {
        if values == 0 {
            return;
        }
        let bytes: usize = codes.iter().map(Vec::len).sum();
        let bits = bytes as f64 * 8.0 / values.max(1) as f64;
        println!("{name}: {cells} cells, {values} {what}, {bits:.3} bits each");
        let [encode, decode] = times.map(|time| time * 1e6 / values.max(1) as f64);
        println!("{name}: {encode:.3} us to encode one, {decode:.3} us to decode it");
    };
    let (codes, times) = timed(
        clocks,
        |game| CLOCKS.newest.encode(&game.readings, game.decimals, &game.hints),
        |game, code| {
            let plies = u32::try_from(game.readings.len()).unwrap_or(0);
            let back = CLOCKS.newest.decode(plies, &game.hints, code);
            back == Ok((game.readings.clone(), game.decimals))
        },
    );
    let values = clocks.iter().map(|game| game.readings.iter().flatten().count()).sum();
    line("readings", clocks.len(), values, &codes, times);
    let (codes, times) = timed(
        evaluations,
        |game| EVALUATIONS.newest.encode(&game.evaluations, &game.hints),
        |game, code| {
            let plies = u32::try_from(game.evaluations.len()).unwrap_or(0);
            let back = EVALUATIONS.newest.decode(plies, &game.hints, code);
            back.as_ref() == Ok(&game.evaluations)
        },
    );
    let values = evaluations.iter().map(|game| game.evaluations.iter().flatten().count()).sum();
    line("evaluations", evaluations.len(), values, &codes, times);
    let (codes, times) = timed(
        reviews,
        |(series, evaluations)| REVIEWS.newest.encode(series, evaluations, 1),
        |(series, evaluations), code| {
            let plies = u32::try_from(series.len()).unwrap_or(0);
            REVIEWS.newest.decode(plies, evaluations, 1, code).as_ref() == Ok(series)
        },
    );
    let values = reviews.iter().map(|(series, _)| series.iter().flatten().count()).sum();
    line("reviews", reviews.len(), values, &codes, times);
}

/// Returns the processor time of computing these lines' hints, in seconds.
fn hinting(lines: &[Line]) -> f64 {
    let Some(codec) = line_codec("chess", LINE) else { return 0.0 };
    let mut least = [f64::MAX; 2];
    for _ in 0..ROUNDS {
        for (least, hinted) in least.iter_mut().zip([false, true]) {
            let begun = ThreadTime::now();
            for Line { start, plies, code } in lines {
                let start = start.as_deref();
                let line = codec.decode_trunk(start, *plies, code, Notation::Customary, hinted);
                assert!(line.is_ok(), "a line is not restored");
            }
            *least = least.min(begun.elapsed().as_secs_f64());
        }
    }
    least[1] - least[0]
}

/// Returns the codes of all games, and the processor times of encoding and decoding them, in
/// seconds.
fn timed<G>(
    games: &[G],
    encode: impl Fn(&G) -> Option<Vec<u8>>,
    decode: impl Fn(&G, &[u8]) -> bool,
) -> (Vec<Vec<u8>>, [f64; 2]) {
    let mut least = [f64::MAX; 2];
    let mut codes = Vec::new();
    for _ in 0..ROUNDS {
        let begun = ThreadTime::now();
        codes = games.iter().filter_map(&encode).collect();
        least[0] = least[0].min(begun.elapsed().as_secs_f64());
        let begun = ThreadTime::now();
        let right = games.iter().zip(&codes).all(|(game, code)| decode(game, code));
        least[1] = least[1].min(begun.elapsed().as_secs_f64());
        assert!(right, "a series is not restored");
    }
    (codes, least)
}
