//! `cargo xtask frequencies`: counts how often each rank of a game's heuristic order is played.
//!
//! The order itself, or its few numbers, is written by hand. Tables with few positions borrow from
//! the sum of all tables. Floats are allowed here: the format is the written file, not this
//! program.

use plypack_core::Ply;
use plypack_core::codecs::line::ranked::MoveOrder;

use crate::corpus::read_lines;
use crate::games::{self, Ordered, State};
use crate::order::{Learner, Meter, rank, replay, write};
use crate::ranks::decrease;

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask frequencies GAME [--check TSV].. [--dry-run] TSV..

Counts the ranks that were played in the lines of the TSV files and writes them to
crates/tables/GAME/ranked.order; the game's ranks.rs should name the files. With --check, prints the
net bits a ply on lines that were not counted; with --dry-run, writes nothing. A line of othello is
a name, a tab and a transcript (`f5d6c3`), one of gomoku the size of the board, a tab, the rule, a
tab and a transcript, one of go a name, a tab and moves separated by spaces; further fields are
ignored.";

/// The sum of a table's weights.
const TOTAL: f64 = 60_000.0;

/// The weight of the sum of all tables in each table, in positions.
const POOL: f64 = 200.0;

/// The chore's arguments.
#[derive(Default)]
pub struct Options {
    check: Vec<String>,
    dry_run: bool,
    count: Vec<String>,
}

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let (game, args) = args.split_first().ok_or(USAGE)?;
    let mut options = Options::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--check" => options.check.push(args.next().ok_or(USAGE)?.clone()),
            "--dry-run" => options.dry_run = true,
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            _ => options.count.push(arg.clone()),
        }
    }
    if options.count.is_empty() {
        return Err(USAGE.into());
    }
    games::chore(game, |row| row.frequencies)?(&options)
}

/// Counts the ranks of one game.
pub fn learn<G: Ordered>(options: &Options) -> Result<(), String> {
    let mut counter = Counter::<G>::new();
    for path in &options.count {
        read(path, &mut counter)?;
    }
    let tables = smooth::<G>(&counter);
    for path in &options.check {
        let mut check = Check { tables: &tables, keys: Vec::new(), meter: Meter::default() };
        read::<G>(path, &mut check)?;
        check.meter.print(path);
    }
    if options.dry_run { Ok(()) } else { write(G::GAME.info(), &[], &tables) }
}

/// Plays the lines of a file, as far as each can be read.
fn read<G: Ordered>(path: &str, learner: &mut impl Learner<G>) -> Result<(), String> {
    read_lines(path, 1)?.iter().for_each(|line| replay(line, learner));
    Ok(())
}

/// Returns the table and the rank of the move played; `keys` is scratch memory.
fn place<G: Ordered>(state: &State<G>, ply: &Ply<'_, G>, keys: &mut Vec<i32>) -> (usize, usize) {
    keys.clear();
    G::ORDER.keys(state, ply.before, &ply.candidates, keys);
    (G::table(keys), rank(keys, ply.index()))
}

/// Counts how often each rank is played, and how often it exists.
struct Counter<G> {
    /// By table, then by rank.
    played: Vec<Vec<f64>>,
    offered: Vec<Vec<f64>>,
    keys: Vec<i32>,
    game: std::marker::PhantomData<G>,
}

impl<G: Ordered> Counter<G> {
    fn new() -> Self {
        let none = || vec![Vec::new(); G::TABLES];
        let game = std::marker::PhantomData;
        Self { played: none(), offered: none(), keys: Vec::new(), game }
    }
}

impl<G: Ordered> Learner<G> for Counter<G> {
    fn learn(&mut self, state: &State<G>, ply: &Ply<'_, G>) {
        if ply.candidates.len() > 1 {
            let (table, rank) = place(state, ply, &mut self.keys);
            for counts in [&mut self.played[table], &mut self.offered[table]] {
                let ranks = counts.len().max(ply.candidates.len());
                counts.resize(ranks, 0.0);
            }
            self.played[table][rank] += 1.0;
            self.offered[table][..ply.candidates.len()].iter_mut().for_each(|count| *count += 1.0);
        }
    }
}

/// Measures tables.
struct Check<'a> {
    tables: &'a [Vec<u16>],
    keys: Vec<i32>,
    meter: Meter,
}

impl<G: Ordered> Learner<G> for Check<'_> {
    fn learn(&mut self, state: &State<G>, ply: &Ply<'_, G>) {
        self.meter.add(ply.candidates.len(), || {
            let (table, rank) = place(state, ply, &mut self.keys);
            (rank, &self.tables[table])
        });
    }
}

/// Converts counts to weights: how often a rank was played where it existed. No rank weighs more
/// than one before it, and the last stands for all later ones.
#[expect(clippy::cast_possible_truncation, reason = "at most TOTAL")]
fn smooth<G: Ordered>(counter: &Counter<G>) -> Vec<Vec<u16>> {
    let sum = |lists: &[Vec<f64>], from: usize, to: usize| -> f64 {
        lists.iter().flat_map(|list| list.iter().take(to).skip(from)).sum()
    };
    let rates = |played: &[Vec<f64>], offered: &[Vec<f64>]| -> Vec<f64> {
        let range = |rank| if rank + 1 < G::RANKS { rank..rank + 1 } else { rank..usize::MAX };
        let rate = |rank| {
            let range = range(rank);
            (sum(played, range.start, range.end), sum(offered, range.start, range.end))
        };
        (0..G::RANKS).map(rate).map(|(played, offered)| (played + 0.01) / (offered + 1.0)).collect()
    };
    let pooled = rates(&counter.played, &counter.offered);
    let table = |table: usize| {
        let one = |lists: &[Vec<f64>]| vec![lists[table].clone()];
        let own = rates(&one(&counter.played), &one(&counter.offered));
        let positions: f64 = counter.played[table].iter().sum();
        let share = positions / (positions + POOL);
        let mut mixed: Vec<f64> =
            own.iter().zip(&pooled).map(|(own, pool)| share * own + (1.0 - share) * pool).collect();
        decrease(&mut mixed);
        let offered: f64 = counter.offered[table].iter().sum();
        let even = if positions > 0.0 { G::EVEN * positions / offered } else { 0.0 };
        mixed.iter_mut().for_each(|rate| *rate = (1.0 - G::EVEN) * *rate + even);
        let sum: f64 = mixed.iter().sum();
        mixed.iter().map(|rate| (rate / sum * TOTAL).round().max(1.0) as u16).collect()
    };
    (0..G::TABLES).map(table).collect()
}
