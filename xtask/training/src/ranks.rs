//! `cargo xtask ranks`: learns the weights and rank frequencies of `line.ranked`, for one game.
//!
//! It makes two passes over the games. The first fits the weights of the features, so that a
//! softmax over the candidates' sums makes the moves played likely (AdaGrad, a step for each
//! position, each game once); they are then rounded to a byte. The second ranks the candidates by
//! the rounded weights, as the codec will, and counts how often each rank was played, table by
//! table; sparse tables borrow from the sum of similar ones.
//!
//! Floats are allowed here: the format is the written file, not this program. The same games give
//! the same file again, as long as the machine's `exp` rounds alike.

use plypack_core::Ply;
use plypack_core::codecs::line::ranked::{TABLES, Tally, table};

use crate::corpus::{Line, read_lines};
use crate::games::{self, Learnt, State};
use crate::order::{Learner, Meter, rank, replay, write};

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask ranks [--game GAME] [--check FILE].. [--without GROUP].. [--dry-run]
                  [[--every N] FILE..]..

Learns the weights of the features and the frequencies of the ranks for chess (default) or xiangqi,
and writes crates/tables/GAME/ranked.order; the game's ranks.rs should name the arguments. Of a file
every Nth game is used, N being the last --every before it (default 1). --check prints the net
bits a ply on other games; --without omits a group of features, to see its gain; --dry-run
writes nothing. Files are PGN, or if they end in .tsv, lines of a name, a tab, and moves from the
usual start.";

/// A weight of 1 in the file is 1/16 of a unit of log probability.
const SCALE: f32 = 16.0;

/// The sum of a rank table's weights.
const TOTAL: f64 = 60_000.0;

/// The number of ranks in a table, for few candidates and for many: the last digit of the table's
/// number, `ranked::table`.
const LENGTHS: [usize; 2] = [28, 44];

/// The chore's arguments.
#[derive(Default)]
pub struct Options {
    game: Option<String>,
    check: Vec<String>,
    without: Vec<String>,
    dry_run: bool,
    /// Files, with the step between the games used of each.
    train: Vec<(String, usize)>,
}

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let options = parse(args)?;
    let game = options.game.as_deref().unwrap_or("chess");
    games::chore(game, |row| row.ranks)?(&options)
}

/// Learns the order of one game.
pub fn learn<G: Learnt>(options: &Options) -> Result<(), String> {
    let allowed = allowed::<G>(&options.without)?;
    let mut training = Vec::new();
    for (path, every) in &options.train {
        training.push(read_lines(path, *every)?);
    }
    let games = interleave(training);
    eprintln!("{} games to learn from", games.len());

    let mut trainer = Trainer::new(&allowed, games.len());
    for (done, game) in games.iter().enumerate() {
        trainer.progress = done;
        replay::<G>(game, &mut trainer);
    }
    eprintln!("while learning: {:.4} bits a ply", trainer.bits / trainer.plies.max(1.0));
    let weights = trainer.weights();

    let mut counter = Counter::new(&weights);
    for game in &games {
        replay::<G>(game, &mut counter);
    }
    let tables = smooth(&counter.counts);
    for path in &options.check {
        let meter = Meter::default();
        let mut check = Check { counter: Counter::new(&weights), tables: &tables, meter };
        for game in &read_lines(path, 1)? {
            replay::<G>(game, &mut check);
        }
        check.meter.print(path);
    }
    if options.dry_run { Ok(()) } else { write(G::GAME.info(), &weights, &tables) }
}

fn parse(args: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut every = 1;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or(USAGE.to_string());
        match arg.as_str() {
            "--every" => {
                let number = value()?.parse().ok().filter(|&number| number > 0);
                every = number.ok_or("--every takes a number")?;
            }
            "--game" => options.game = Some(value()?),
            "--check" => options.check.push(value()?),
            "--without" => options.without.push(value()?),
            "--dry-run" => options.dry_run = true,
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            _ => options.train.push((arg.clone(), every)),
        }
    }
    if options.train.is_empty() {
        return Err(USAGE.into());
    }
    Ok(options)
}

/// Interleaves the files evenly, so that none is learnt last.
fn interleave(files: Vec<Vec<Line>>) -> Vec<Line> {
    let mut games: Vec<(f64, Line)> = Vec::new();
    for file in files {
        let count = file.len() as f64;
        let place = |(index, game)| ((index as f64 + 0.5) / count, game);
        games.extend(file.into_iter().enumerate().map(place));
    }
    games.sort_by(|a, b| a.0.total_cmp(&b.0));
    games.into_iter().map(|(_, game)| game).collect()
}

/// The features of one move.
#[derive(Clone, Default)]
struct List(Vec<usize>);

impl Tally for List {
    fn add(&mut self, feature: usize) {
        self.0.push(feature);
    }
}

/// Returns which features are used: all except those of the groups with these names.
fn allowed<G: Learnt>(without: &[String]) -> Result<Vec<bool>, String> {
    if let Some(name) = without.iter().find(|name| !G::GROUPS.iter().any(|group| group.0 == **name))
    {
        return Err(format!("there is no group {name}"));
    }
    let allowed =
        |group: &(&str, usize)| vec![!without.iter().any(|name| name == group.0); group.1];
    Ok(G::GROUPS.iter().flat_map(allowed).collect())
}

/// Softmax regression by AdaGrad, one position at a time.
struct Trainer<'a> {
    /// Whether each feature is used.
    allowed: &'a [bool],
    games: usize,
    /// The number of games done, which decides the size of the steps.
    progress: usize,
    /// The weight of each feature.
    values: Vec<f32>,
    /// The sum of the squares of its gradients so far.
    squares: Vec<f32>,
    /// The bits of the moves, each with the weights learnt before it.
    bits: f64,
    plies: f64,
    lists: Vec<List>,
    scores: Vec<f32>,
}

impl<'a> Trainer<'a> {
    fn new(allowed: &'a [bool], games: usize) -> Self {
        Self {
            allowed,
            games,
            progress: 0,
            values: vec![0.0; allowed.len()],
            // Above zero, so that a small first gradient does not cause a full step.
            squares: vec![0.01; allowed.len()],
            bits: 0.0,
            plies: 0.0,
            lists: Vec::new(),
            scores: Vec::new(),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    fn weights(&self) -> Vec<i8> {
        let quantise = |value: &f32| (value * SCALE).round().clamp(-127.0, 127.0) as i8;
        self.values.iter().map(quantise).collect()
    }
}

impl<G: Learnt> Learner<G> for Trainer<'_> {
    fn learn(&mut self, state: &State<G>, ply: &Ply<'_, G>) {
        self.plies += 1.0;
        if ply.candidates.len() < 2 {
            return;
        }
        let Self { lists, scores, values, squares, allowed, .. } = self;
        lists.clear();
        G::tally(state, ply.before, &ply.candidates, |mut list: List| {
            list.0.retain(|&feature| allowed[feature]);
            lists.push(list);
        });
        scores.clear();
        scores.extend(lists.iter().map(|list| list.0.iter().map(|&f| values[f]).sum::<f32>()));
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        scores.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f32 = scores.iter().sum();
        self.bits -= f64::from(scores[ply.index()] / sum).log2();
        let epochs = self.progress as f32 / self.games as f32;
        let rate = 0.1 * (1.0 - 0.9 * epochs);
        for (index, (list, score)) in lists.iter().zip(scores).enumerate() {
            let gradient = *score / sum - f32::from(u8::from(index == ply.index()));
            // Most candidates are hopeless, and being right about them teaches next to nothing.
            if gradient.abs() < 1e-4 {
                continue;
            }
            for &feature in &list.0 {
                squares[feature] += gradient * gradient;
                values[feature] -= rate * gradient / squares[feature].sqrt();
            }
        }
    }
}

/// Counts how often each rank is played.
struct Counter<'a> {
    weights: &'a [i8],
    /// By table, then by rank.
    counts: Vec<Vec<f64>>,
    keys: Vec<i32>,
}

impl<'a> Counter<'a> {
    fn new(weights: &'a [i8]) -> Self {
        // Positions of real games have fewer than 256 candidates.
        Self { weights, counts: vec![vec![0.0; 256]; TABLES], keys: Vec::new() }
    }

    /// Returns the table and the rank of the move played.
    fn place<G: Learnt>(&mut self, state: &State<G>, ply: &Ply<'_, G>) -> (usize, usize) {
        let Self { weights, keys, .. } = self;
        keys.clear();
        G::tally(state, ply.before, &ply.candidates, |list: List| {
            keys.push(list.0.iter().map(|&feature| i32::from(weights[feature])).sum());
        });
        (table(keys), rank(keys, ply.index()))
    }
}

impl<G: Learnt> Learner<G> for Counter<'_> {
    fn learn(&mut self, state: &State<G>, ply: &Ply<'_, G>) {
        if ply.candidates.len() > 1 {
            let (table, rank) = self.place(state, ply);
            self.counts[table][rank] += 1.0;
        }
    }
}

/// Measures tables.
struct Check<'a> {
    counter: Counter<'a>,
    tables: &'a [Vec<u16>],
    meter: Meter,
}

impl<G: Learnt> Learner<G> for Check<'_> {
    fn learn(&mut self, state: &State<G>, ply: &Ply<'_, G>) {
        self.meter.add(ply.candidates.len(), || {
            let (table, rank) = self.counter.place(state, ply);
            (rank, &self.tables[table])
        });
    }
}

/// Converts counts to weights: a table with few positions borrows from the sum of those with about
/// as many candidates, and no rank weighs more than one before it.
#[expect(clippy::cast_possible_truncation, reason = "at most TOTAL")]
fn smooth(counts: &[Vec<f64>]) -> Vec<Vec<u16>> {
    let buckets = LENGTHS.len();
    (0..counts.len())
        .map(|table| {
            let length = LENGTHS[table % buckets];
            let alike = || counts.iter().skip(table % buckets).step_by(buckets);
            // Every rank counts half a move more than was seen, so that none is impossible.
            let pooled: Vec<f64> = (0..length)
                .map(|rank| alike().map(|counts| counts[rank]).sum::<f64>() + 0.5)
                .collect();
            let pool: f64 = pooled.iter().sum();
            // The pool counts as 200 positions.
            let mut mixed: Vec<f64> =
                (0..length).map(|rank| counts[table][rank] + 200.0 * pooled[rank] / pool).collect();
            decrease(&mut mixed);
            let sum: f64 = mixed.iter().sum();
            mixed.iter().map(|count| (count / sum * TOTAL).round().max(1.0) as u16).collect()
        })
        .collect()
}

/// Makes a list non-increasing by levelling neighbours that violate it.
pub fn decrease(values: &mut [f64]) {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &value in values.iter() {
        let mut block = (value, 1);
        while let Some(&(sum, count)) = blocks.last() {
            if sum / count as f64 >= block.0 / block.1 as f64 {
                break;
            }
            block = (block.0 + sum, block.1 + count);
            blocks.pop();
        }
        blocks.push(block);
    }
    let levelled = blocks.iter().flat_map(|&(sum, count)| vec![sum / count as f64; count]);
    for (value, level) in values.iter_mut().zip(levelled) {
        *value = level;
    }
}
