//! `cargo xtask train`: learns the tables of a game's policy from games.
//!
//! Each position is used once per epoch, in an order that mixes the files evenly. Floats are
//! allowed here: the format is the written files, not this program. The same games give the same
//! tables again on the same machine, and others within noise elsewhere.

mod choices;
pub mod net;

use std::collections::BTreeMap;
use std::time::Instant;

use plypack_core::policy::book::{self, Book, Page};
use plypack_core::policy::{
    self, Features, Scratch, Sight, Strayed, choose, fill_book, share, weigh_scores,
};
use plypack_core::{MoveModel, MoveSink, Ply, Rules};

use crate::corpus::file_name;
use crate::games::{self, Subject, Trained};
use choices::{Choices, Positions, read, sift};
use net::{Gate, Judge, Random, Width};

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask train --game GAME [--tier TIER] [--epochs N] [--hidden N] [--units N]
                  [--least WEIGHT] [--book GAMES]
                  [--check FILE].. [--check-games N] [--blank] [--measure] [--dry-run]
                  [[--every N] [--times N] FILE..]..

Trains the policy of a tier (default: default) on games and writes its tables in
crates/tables/GAME: the gate, unless another model looks first; the judge (none with --units 0);
and the book, the positions that at least --book games (default 4) reached, each game counted once.
Of a file every Nth game is used, N being the last --every before it (default 1), as often per
epoch as the last --times before it (default 1).

--check prints the net bits a ply on other games, in floats and in the tables' integers, without
games that share a position with the training games; --check-games limits the games of each
file (default all); --blank adds the bits without each group of features. --measure trains
nothing and measures the existing tables; the files then only name the games to leave out.
--dry-run writes nothing. --least is the least weight of a candidate that the judge looks at, the
heaviest weighing 4194304. Chess and xiangqi have the tiers default, small, fast and link, the gate
for links; default and small are trained after fast; go and othello default, small and fast;
gomoku default, which trains small, too, and fast. Files are PGN, or if they end in .tsv, lines of a
name, a tab, and moves from the usual start; those of gomoku are the size of the board, a tab, the
rule, a tab and a transcript.";

/// The chore's arguments.
pub struct Options {
    game: String,
    tier: String,
    epochs: usize,
    width: Width,
    /// The least weight of a candidate that the judge looks at, if not the codec's.
    least: Option<u32>,
    /// The least number of games of a position in the book; 0 for no book.
    book: u32,
    check: Vec<String>,
    check_games: usize,
    blank: bool,
    measure: bool,
    dry_run: bool,
    /// Files, each with the step between the games used, and how often an epoch includes them.
    train: Vec<(String, usize, usize)>,
}

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let options = parse(args)?;
    games::chore(&options.game, |row| row.train(&options.tier))?(&options)
}

fn parse(args: &[String]) -> Result<Options, String> {
    let mut options = Options {
        game: String::new(),
        tier: "default".into(),
        epochs: 1,
        width: Width { hidden: 128, units: 32 },
        least: None,
        book: 4,
        check: Vec::new(),
        check_games: usize::MAX,
        blank: false,
        measure: false,
        dry_run: false,
        train: Vec::new(),
    };
    let (mut every, mut times) = (1, 1);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or(USAGE.to_string());
        let number = |value: Result<String, String>| {
            value?.parse::<usize>().map_err(|_| format!("{arg} takes a number"))
        };
        match arg.as_str() {
            "--game" => options.game = value()?,
            "--tier" => options.tier = value()?,
            "--epochs" => options.epochs = number(value())?,
            "--hidden" => options.width.hidden = number(value())?,
            "--units" => options.width.units = number(value())?,
            "--least" => options.least = u32::try_from(number(value())?).ok(),
            "--book" => options.book = u32::try_from(number(value())?).unwrap_or(0),
            "--check" => options.check.push(value()?),
            "--check-games" => options.check_games = number(value())?,
            "--every" => every = number(value())?.max(1),
            "--times" => times = number(value())?.max(1),
            "--blank" => options.blank = true,
            "--measure" => options.measure = true,
            "--dry-run" => options.dry_run = true,
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            _ => options.train.push((arg.clone(), every, times)),
        }
    }
    if options.train.is_empty() {
        return Err(USAGE.into());
    }
    Ok(options)
}

/// Learns the policy of one game.
pub fn train<G: Trained>(options: &Options) -> Result<(), String> {
    let (games, checks) = games_of::<G>(options)?;
    let least = options.least.unwrap_or(G::LEAST);
    let folder = format!("crates/tables/{}", options.game);
    let judged = G::JUDGE.filter(|_| options.width.units > 0);
    let booked = G::BOOK.filter(|_| judged.is_some());
    if options.measure {
        let tables = kept::<G>(&folder, least, judged, booked)?;
        examine::<G>(&mut None, &tables, &checks, options.blank);
        return Ok(());
    }
    let lessons = games.iter().flat_map(|game| std::iter::repeat_n(game, game.times));
    let lessons = shuffle(lessons.collect());
    let counts = if booked.is_some() { count::<G>(&games) } else { Counts::new() };
    let mut random = Random::new(0x6a7e);
    let mut gate = Gate::new(G::Eyes::SIZES);
    if G::FIRST.is_none() {
        teach::<G>(&lessons, options.epochs, "gate", |memory, ply, pace, sight| {
            G::EYES.see(&memory.eyes, ply.before, &ply.candidates, sight);
            let cost = bits(gate.predict(sight)[ply.index()]);
            gate.learn(sight, ply.index(), pace, &mut random);
            cost
        });
    }
    let gate_bytes = gate.round();
    let gate_table = policy::Gate::read(&gate_bytes).ok_or("the gate cannot be read back")?;
    let mut judge = judged.map(|_| Judge::new(G::Eyes::SIZES, options.width));
    if let Some(judge) = &mut judge {
        teach_judge::<G>(judge, &lessons, options.epochs, (&gate_table, least, &counts, random));
    }
    let judge_bytes = match &judge {
        Some(judge) => judge.round().ok_or("the judge has parts of the wrong size")?,
        None => Vec::new(),
    };
    let pages = counts.iter().filter(|(_, (games, _))| *games >= options.book);
    // No game with a book has more than 256 usual candidates.
    let narrow = |&(index, played): &(u16, u32)| Some((u8::try_from(index).ok()?, played));
    let page = |(&key, (games, moves)): (_, &(u32, Vec<_>))| Page {
        key,
        games: *games,
        moves: moves.iter().filter_map(narrow).collect(),
    };
    let pages: Vec<Page> = pages.map(page).collect();
    let positions = pages.len();
    let book_bytes = book::write(pages);
    let tables = Tables {
        least,
        gate: gate_table,
        judge: policy::Judge::read(&judge_bytes),
        book: Book::read(&book_bytes).ok_or("the book cannot be read back")?,
    };
    println!(
        "gate {} bytes, judge {} bytes, book {} bytes with {positions} positions",
        gate_bytes.len(),
        judge_bytes.len(),
        book_bytes.len()
    );
    // Save first, as the examination takes time.
    if !options.dry_run {
        let gated = G::FIRST.is_none().then_some(G::GATE);
        for (name, bytes) in [(gated, gate_bytes), (judged, judge_bytes), (booked, book_bytes)] {
            let Some(name) = name else { continue };
            let path = format!("{folder}/{name}");
            std::fs::write(&path, bytes).map_err(|error| format!("{path}: {error}"))?;
        }
    }
    examine::<G>(&mut Some((gate, judge)), &tables, &checks, options.blank);
    Ok(())
}

/// Reads the games to learn from, and those to check with, by file.
fn games_of<G: Trained>(options: &Options) -> Result<(Vec<Choices>, Vec<Check<'_>>), String> {
    let started = Instant::now();
    let rules = G::Rules::GAME;
    let mut files = Vec::new();
    for (path, every, times) in &options.train {
        let mut games = read(&rules, path, *every)?;
        games.iter_mut().for_each(|game| game.times = *times);
        files.push(games);
    }
    let games = sift(files.into_iter().flatten().collect());
    let plies: usize = games.iter().map(|game| game.indices.len()).sum();
    eprintln!("{} games, {plies} plies to learn from, {:.0?}", games.len(), started.elapsed());
    let mut known = Positions::new(&rules);
    if !options.check.is_empty() {
        games.iter().for_each(|game| known.add(game));
    }
    let mut checks = Vec::new();
    for path in &options.check {
        let mut test = known.strict(sift(read(&rules, path, 1)?));
        test.truncate(options.check_games);
        checks.push((file_name(path), test));
    }
    Ok((games, checks))
}

/// Reads the tables that are in use.
fn kept<G: Trained>(
    folder: &str,
    least: u32,
    judged: Option<&str>,
    booked: Option<&str>,
) -> Result<Tables, String> {
    let read = |name: &str| std::fs::read(format!("{folder}/{name}")).unwrap_or_default();
    let odd = |name: &str| format!("{folder}/{name} is missing, or has another layout");
    let gate = || policy::Gate::read(&read(G::GATE)).ok_or(odd(G::GATE));
    let judge = |name| policy::Judge::read(&read(name)).ok_or(odd(name));
    let book = |name| Book::read(&read(name)).ok_or(odd(name));
    Ok(Tables {
        least,
        gate: if G::FIRST.is_some() { policy::Gate::default() } else { gate()? },
        judge: judged.map(judge).transpose()?,
        book: booked.map(book).transpose()?.unwrap_or_default(),
    })
}

/// Teaches a judge what the gate chose for it, with what else is known of the positions.
fn teach_judge<G: Trained>(
    judge: &mut Judge,
    lessons: &[&Choices],
    epochs: usize,
    (gate, least, counts, mut random): (&policy::Gate, u32, &Counts, Random),
) {
    teach::<G>(lessons, epochs, "judge", |memory, ply, pace, sight| {
        let mut weights = Vec::new();
        let scene = memory.first_look(gate, ply, sight, &mut weights);
        let key = G::EYES.key(ply.before);
        let page = key.and_then(|key| counts.get(&key));
        let known = page.and_then(|page| leave_out(page, ply.index())).unwrap_or_default();
        choose(&weights, least, &known.1, &mut sight.chosen);
        G::EYES.look(&memory.eyes, &scene, ply.before, &ply.candidates, sight);
        if let Some(unplayed) = known.0 {
            fill_book(G::Eyes::SIZES, unplayed, &known.1, sight);
        }
        let chosen = sight.chosen.iter().position(|&index| usize::from(index) == ply.index());
        let Some(chosen) = chosen else { return cost(&weights, ply.index()) };
        let mass: f64 = sight.chosen.iter().map(|&index| chance(&weights, index.into())).sum();
        let cost = bits(judge.predict(sight)[chosen]) - mass.log2();
        judge.learn(sight, chosen, pace, &mut random);
        cost
    });
}

/// The name of a file to check with, and its games.
type Check<'a> = (&'a str, Vec<Choices>);

/// Prints the bits of the games of each file and, on request, of the first 100 without each group
/// of features.
fn examine<G: Trained>(floats: &mut Floats, tables: &Tables, checks: &[Check<'_>], blank: bool) {
    for (name, test) in checks {
        let mut examiner = Examiner::<G>::new(floats, tables);
        examiner.examine(test);
        println!("{name}: {} games, {}", test.len(), examiner.report());
        let slots = if blank { G::GROUPS.len() - 1 } else { 0 };
        for slot in 0..slots {
            let mut examiner = Examiner::<G>::new(floats, tables);
            examiner.blank = Some(slot);
            examiner.examine(&test[..test.len().min(100)]);
            let [gate, judge] = examiner.total.table.map(|bits| bits / examiner.total.plies);
            println!(
                "  without {}: first look {gate:.4}, judged {judge:.4}",
                G::GROUPS[slot + 1].0
            );
        }
    }
}

/// Shuffles games, always in the same way.
fn shuffle(mut games: Vec<&Choices>) -> Vec<&Choices> {
    let mut random = Random::new(0x9a3e5);
    for last in (1..games.len()).rev() {
        let place = usize::try_from(random.next() % (last as u64 + 1)).unwrap_or(last);
        games.swap(last, place);
    }
    games
}

/// The number of games that reached a position, and the number that chose each candidate.
type Counts = BTreeMap<u64, (u32, Vec<(u16, u32)>)>;

struct Counter<'a, G: Trained> {
    counts: Counts,
    eyes: &'a G::Eyes,
}

impl<G: Trained> MoveSink<G::Rules> for Counter<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G::Rules>) {
        if let Some(key) = self.eyes.key(ply.before) {
            let (games, moves) = self.counts.entry(key).or_default();
            *games += 1;
            let index = u16::try_from(ply.index()).unwrap_or(u16::MAX);
            match moves.iter_mut().find(|entry| entry.0 == index) {
                Some(entry) => entry.1 += 1,
                None => moves.push((index, 1)),
            }
        }
    }
}

fn count<G: Trained>(games: &[Choices]) -> Counts {
    let mut counter = Counter::<G> { counts: BTreeMap::new(), eyes: &G::EYES };
    games.iter().for_each(|game| game.replay(&G::Rules::GAME, &mut counter));
    // The choice of a single game does not help others.
    counter.counts.retain(|_, (games, _)| *games > 1);
    counter.counts
}

/// Passes every position of the games to `learn`, with a pace that falls from 1 to 0, and reports
/// from time to time the bits that `learn` returns.
fn teach<G: Trained>(
    games: &[&Choices],
    epochs: usize,
    name: &str,
    mut learn: impl FnMut(&mut Memory<G>, &Ply<'_, G::Rules>, f32, &mut Sight) -> f64,
) {
    let started = Instant::now();
    let total = games.len() * epochs;
    let (mut bits, mut plies) = (0.0, 0u64);
    let mut sight = Sight::default();
    for (done, game) in (0..epochs).flat_map(|_| games).enumerate() {
        let pace = 1.0 - done as f32 / total as f32;
        let mut pupil = Pupil::<G, _> {
            memory: None,
            learn: |memory: &mut Memory<G>, ply: &Ply<'_, G::Rules>| {
                plies += 1;
                if ply.candidates.len() > 1 {
                    sight.clear();
                    bits += learn(memory, ply, pace, &mut sight);
                }
            },
        };
        game.replay(&G::Rules::GAME, &mut pupil);
        if (done + 1) % (total / 20).max(1) == 0 {
            let share = 100.0 * (done + 1) as f64 / total as f64;
            let cost = bits / plies as f64;
            let elapsed = started.elapsed();
            eprintln!("{name} {share:3.0} %: {cost:.4} bits a ply while learning, {elapsed:.0?}");
            (bits, plies) = (0.0, 0);
        }
    }
}

/// The state of features and of a first look along a game.
struct Memory<G: Trained> {
    eyes: <G::Eyes as Features<G::Rules>>::State,
    first: Option<<G::First as MoveModel<G::Rules>>::State>,
    strayed: Strayed,
}

impl<G: Trained> Memory<G> {
    fn new(start: &<G::Rules as Rules>::Position) -> Self {
        let first = G::FIRST.map(|first| first.begin(&G::Rules::GAME, start));
        Self { eyes: G::EYES.begin(start), first, strayed: Strayed::default() }
    }

    /// Fills the weights of all candidates.
    fn first_look(
        &mut self,
        gate: &policy::Gate,
        ply: &Ply<'_, G::Rules>,
        sight: &mut Sight,
        weights: &mut Vec<u32>,
    ) -> <G::Eyes as Features<G::Rules>>::Scene {
        let scene = G::EYES.see(&self.eyes, ply.before, &ply.candidates, sight);
        match (&G::FIRST, &mut self.first) {
            (Some(first), Some(state)) => first.weigh(state, ply.before, &ply.candidates, weights),
            _ => {
                let mut scores = Vec::new();
                gate.score(&sight.light, G::Eyes::SIZES.light, &mut scores);
                weigh_scores(&scores, weights);
            }
        }
        scene
    }

    fn update(&mut self, ply: &Ply<'_, G::Rules>) {
        G::EYES.update(&mut self.eyes, ply);
        if let (Some(first), Some(state)) = (&G::FIRST, &mut self.first) {
            first.update(state, ply);
        }
    }
}

/// Follows a game.
struct Pupil<G: Trained, L> {
    memory: Option<Memory<G>>,
    learn: L,
}

impl<G: Trained, L: FnMut(&mut Memory<G>, &Ply<'_, G::Rules>)> MoveSink<G::Rules> for Pupil<G, L> {
    fn push(&mut self, ply: &Ply<'_, G::Rules>) {
        let memory = self.memory.get_or_insert_with(|| Memory::new(ply.before));
        (self.learn)(memory, ply);
        memory.update(ply);
    }
}

fn bits(chance: f32) -> f64 {
    -f64::from(chance.max(1e-30).log2())
}

/// While learning, positions of at least this many other games are looked up.
const BOOK_LEAST: u32 = 3;

/// A book's entry for a position: the feature of unplayed moves, if it is in the book, and the
/// features of the others by index.
type Known = (Option<u16>, Vec<(u16, u16)>);

/// Returns the book's entry for a position without the current game, which plays `own`: the feature
/// of unplayed moves, and those of the others.
fn leave_out((games, moves): &(u32, Vec<(u16, u32)>), own: usize) -> Option<Known> {
    let games = games - 1;
    if games < BOOK_LEAST {
        return None;
    }
    let feature = |played| u16::try_from(book::feature(played, games)).unwrap_or(0);
    let mut known: Vec<(u16, u16)> = moves
        .iter()
        .map(|&(index, played)| (index, played - u32::from(usize::from(index) == own)))
        .filter(|&(_, played)| played > 0)
        .map(|(index, played)| (index, feature(played)))
        .collect();
    known.sort_unstable();
    Some((Some(feature(0)), known))
}

/// The tables as used by codecs.
struct Tables {
    least: u32,
    gate: policy::Gate,
    judge: Option<policy::Judge>,
    book: Book,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    plies: f64,
    /// For the gate alone, and for both.
    float: [f64; 2],
    table: [f64; 2],
}

/// The newly trained tables before rounding, if any.
type Floats = Option<(Gate, Option<Judge>)>;

/// Measures a policy on games.
struct Examiner<'a, G: Trained> {
    floats: &'a mut Floats,
    tables: &'a Tables,
    blank: Option<usize>,
    memory: Option<Memory<G>>,
    sight: Sight,
    scratch: Scratch,
    ply: usize,
    total: Sums,
    decades: [Sums; 32],
    kinds: Vec<(&'static str, Sums)>,
}

impl<'a, G: Trained> Examiner<'a, G> {
    fn new(floats: &'a mut Floats, tables: &'a Tables) -> Self {
        Self {
            floats,
            tables,
            blank: None,
            memory: None,
            sight: Sight::default(),
            scratch: Scratch::default(),
            ply: 0,
            total: Sums::default(),
            decades: [Sums::default(); 32],
            kinds: Vec::new(),
        }
    }

    fn examine(&mut self, games: &[Choices]) {
        for game in games {
            self.memory = None;
            game.replay(&G::Rules::GAME, self);
        }
    }

    fn report(&self) -> String {
        let Sums { plies, float, table } = self.total;
        let mut text = format!("{plies} plies, net bits a ply:");
        for (tier, (table, float)) in ["first look", "judged"].iter().zip(table.iter().zip(float)) {
            text.push_str(&format!(" {tier} {:.4}", table / plies));
            if self.floats.is_some() {
                text.push_str(&format!(" ({:.4} in floats)", float / plies));
            }
        }
        let tier = usize::from(self.tables.judge.is_some());
        let name = ["first look", "judged"][tier];
        text.push_str(&format!("\n  {name} by ply:"));
        let decades = self.decades.iter().enumerate().filter(|(_, sums)| sums.plies > 0.0);
        for (decade, sums) in decades {
            text.push_str(&format!(" {}: {:.2}", 10 * decade, sums.table[tier] / sums.plies));
        }
        text.push_str(&format!("\n  {name} by kind:"));
        for (kind, sums) in &self.kinds {
            let share = 100.0 * sums.plies / plies;
            text.push_str(&format!(" {kind} ({share:.0} %): {:.2}", sums.table[tier] / sums.plies));
        }
        text
    }

    /// Returns the bits of a move: in floats by the gate and by both, and in integers.
    fn cost(&mut self, ply: &Ply<'_, G::Rules>) -> [[f64; 2]; 2] {
        let Self { floats, tables, sight, .. } = self;
        let (mut gate, mut judge) = match floats.as_mut() {
            Some((gate, judge)) => (Some(gate), judge.as_mut()),
            None => (None, None),
        };
        let memory = self.memory.get_or_insert_with(|| Memory::new(ply.before));
        let sizes = G::Eyes::SIZES;
        sight.clear();
        let mut weights = Vec::new();
        let scene = memory.first_look(&tables.gate, ply, sight, &mut weights);
        if let Some(blank) = self.blank.filter(|&blank| blank < sizes.light) {
            sight.light.chunks_exact_mut(sizes.light).for_each(|slots| slots[blank] = 0);
            let mut scores = Vec::new();
            tables.gate.score(&sight.light, sizes.light, &mut scores);
            weights.clear();
            weigh_scores(&scores, &mut weights);
        }
        let mut float = [0.0; 2];
        if let Some(gate) = gate.as_mut().filter(|_| sizes.light > 0) {
            float[0] = bits(gate.predict(sight)[ply.index()]);
        }
        let mut table = [cost(&weights, ply.index()), 0.0];
        if let Some(judge_table) = &tables.judge {
            let mut known = Vec::new();
            let key = || G::EYES.key(ply.before);
            let count = ply.candidates.len();
            let unplayed = memory.strayed.look(&tables.book, key, count, &mut known);
            choose(&weights, tables.least, &known, &mut sight.chosen);
            G::EYES.look(&memory.eyes, &scene, ply.before, &ply.candidates, sight);
            if let Some(unplayed) = unplayed {
                fill_book(sizes, unplayed, &known, sight);
            }
            let blank = self.blank.and_then(|blank| blank.checked_sub(sizes.light));
            if let Some(blank) = blank {
                sight.heavy.chunks_exact_mut(sizes.heavy).for_each(|slots| slots[blank] = 0);
            }
            let chosen = sight.chosen.iter().position(|&index| usize::from(index) == ply.index());
            let mass: f64 = sight.chosen.iter().map(|&index| chance(&weights, index.into())).sum();
            float[1] = match (&mut judge, chosen) {
                (Some(judge), Some(chosen)) => bits(judge.predict(sight)[chosen]) - mass.log2(),
                (Some(_), None) => table[0],
                (None, _) => 0.0,
            };
            let mut judged = Vec::new();
            judge_table.score(sight, sizes, &mut self.scratch, &mut judged);
            let mut own = Vec::new();
            weigh_scores(&judged, &mut own);
            share(&sight.chosen, &own, &mut weights);
            table[1] = cost(&weights, ply.index());
        }
        [float, table]
    }
}

/// Returns the share of a candidate in the sum of all weights.
fn chance(weights: &[u32], index: usize) -> f64 {
    let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    f64::from(weights[index]) / sum
}

/// Returns the bits of a candidate.
fn cost(weights: &[u32], index: usize) -> f64 {
    -chance(weights, index).log2()
}

impl<G: Trained> MoveSink<G::Rules> for Examiner<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G::Rules>) {
        if self.memory.is_none() {
            self.ply = 0;
        }
        let [float, table] = match ply.candidates.len() {
            1 => [[0.0; 2]; 2],
            _ => self.cost(ply),
        };
        let kind = G::Rules::kind(ply.before, ply.mv());
        if !self.kinds.iter().any(|entry| entry.0 == kind) {
            self.kinds.push((kind, Sums::default()));
        }
        let of_kind = self.kinds.iter_mut().find(|entry| entry.0 == kind).map(|entry| &mut entry.1);
        let decade = self.decades.get_mut(self.ply / 10);
        for sums in [Some(&mut self.total), decade, of_kind].into_iter().flatten() {
            sums.plies += 1.0;
            for tier in 0..2 {
                sums.float[tier] += float[tier];
                sums.table[tier] += table[tier];
            }
        }
        self.ply += 1;
        self.memory.get_or_insert_with(|| Memory::new(ply.before)).update(ply);
    }
}
