//! Reading lines from tables: cold, warm, and in the steady state of a site.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::clock::{median, thread_time};
use crate::database::{Database, Question};
use crate::layout::{Coder, Row, Sum};
use crate::lines::{LINES_A_USER, Opening, Random, Rows};

/// What is read, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The rows of the tables.
    pub rows: Rows,
    /// The number of rounds; each measures every layout.
    pub rounds: u64,
    /// The number of lines fetched by key.
    pub lookups: u64,
    /// The number of lines fetched before a steady state is measured; 0 skips it.
    pub fill: u64,
    /// Whether whole tables are read.
    pub scan: bool,
}

/// The number of positions whose lines are fetched.
const POSITIONS: u32 = 50;

/// The ways of reading, in order. Cold data was not requested before.
const WAYS: [&str; 8] = [
    "a user's lines, cold",
    "the same, warm",
    "lines to 50 positions, cold",
    "the same, warm",
    "lines by key, cold",
    "the same, warm",
    "lines by key, steady",
    "the whole table, cold",
];

/// The cost of one reading.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    rows: u64,
    read: Duration,
    decode: Duration,
    disk: u64,
}

/// Reads, compares the rows with the openings, and prints a row for every way and layout.
pub fn report(
    database: &mut dyn Database,
    tables: &[(Coder, Vec<Row>)],
    openings: &[Opening],
    plan: Plan,
) -> Result<()> {
    let mut taken = vec![vec![Vec::new(); WAYS.len()]; tables.len()];
    for round in 0..plan.rounds {
        let first = usize::try_from(round).unwrap_or(0);
        let order = (0..tables.len()).map(|place| (place + first) % tables.len());
        for place in order {
            let (coder, of) = &tables[place];
            let mut measure = Measure { database, coder, openings, plan, of, round };
            measure.all(&mut taken[place])?;
        }
        eprintln!("round {} of {}", round + 1, plan.rounds);
    }
    println!("| | table | rows | read, ms | decode, ms of processor | both | MB from the disk |");
    println!("|---|---|---|---|---|---|---|");
    for (way, name) in WAYS.iter().enumerate() {
        for ((coder, _), taken) in tables.iter().zip(&taken) {
            let Some(first) = taken[way].first() else { continue };
            let of = |what: fn(&Taken) -> Duration| {
                median(&mut taken[way].iter().map(what).collect::<Vec<_>>()).as_secs_f64() * 1e3
            };
            let both = of(|taken| taken.read + taken.decode);
            let (read, decode) = (of(|taken| taken.read), of(|taken| taken.decode));
            let disk = median(&mut taken[way].iter().map(|taken| taken.disk).collect::<Vec<_>>());
            println!(
                "| {name} | {} | {} | {read:.1} | {decode:.1} | {both:.1} | {:.1} |",
                coder.layout.name(),
                first.rows,
                disk as f64 / 1e6,
            );
        }
    }
    Ok(())
}

/// One layout in one round.
struct Measure<'a> {
    database: &'a mut dyn Database,
    coder: &'a Coder,
    openings: &'a [Opening],
    plan: Plan,
    of: &'a [Row],
    round: u64,
}

impl Measure<'_> {
    fn all(&mut self, taken: &mut [Vec<Taken>]) -> Result<()> {
        let rows = self.plan.rows;
        // The same queries for every layout, different ones in every round.
        let mut random = Random(self.round);
        self.database.forget()?;
        let (question, sum) = self.user(&mut random)?;
        self.cold_and_warm(&question, Some(sum), &mut taken[0..2])?;
        let place = |_| usize::try_from(random.below(rows.openings));
        let places = (0..POSITIONS).map(place).collect::<Result<Vec<_>, _>>()?;
        let positions = places.iter().map(|&place| self.of[place].position.clone());
        let question = Question::Positions(positions.collect());
        self.cold_and_warm(&question, None, &mut taken[2..4])?;
        let (question, sum) = self.keys(&mut random, self.plan.lookups)?;
        self.cold_and_warm(&question, Some(sum), &mut taken[4..6])?;
        if self.plan.fill > 0 {
            let (fill, sum) = self.keys(&mut random, self.plan.fill)?;
            self.read(&fill, Some(sum))?;
            for _ in 0..3 {
                let (question, sum) = self.keys(&mut random, self.plan.lookups)?;
                taken[6].push(self.read(&question, Some(sum))?);
            }
        }
        if self.plan.scan {
            self.database.forget()?;
            let (disk, start) = (self.database.disk(), Instant::now());
            self.database.scan(self.coder.layout)?;
            let (read, disk) = (start.elapsed(), self.since(disk));
            taken[7].push(Taken { rows: rows.count, read, disk, ..Taken::default() });
        }
        Ok(())
    }

    /// Returns a query for all lines of a user, and the expected sum.
    fn user(&self, random: &mut Random) -> Result<(Question, Sum)> {
        let rows = self.plan.rows;
        let user = random.below((rows.count / LINES_A_USER).max(1));
        let first = user * LINES_A_USER;
        let lines = first..(first + LINES_A_USER).min(rows.count);
        let lines = lines.map(|row| rows.opening(row)).collect::<Result<Vec<_>>>()?;
        let sum = Sum::of(lines.into_iter().map(|opening| &self.openings[opening]));
        Ok((Question::User(i32::try_from(user)?), sum))
    }

    /// Returns a query for lines anywhere, and the expected sum.
    fn keys(&self, random: &mut Random, count: u64) -> Result<(Question, Sum)> {
        let rows = self.plan.rows;
        let mut places: Vec<u64> = (0..count).map(|_| random.below(rows.count)).collect();
        places.sort_unstable();
        places.dedup();
        // Shuffled, not in table order.
        for place in (1..places.len()).rev() {
            places.swap(place, usize::try_from(random.below(place as u64 + 1))?);
        }
        let lines = places.iter().map(|&row| rows.opening(row)).collect::<Result<Vec<_>>>()?;
        let keys = places.iter().map(|&row| rows.key(row)).collect::<Result<_>>()?;
        let sum = Sum::of(lines.into_iter().map(|opening| &self.openings[opening]));
        Ok((Question::Keys(keys), sum))
    }

    fn cold_and_warm(
        &mut self,
        question: &Question,
        expected: Option<Sum>,
        taken: &mut [Vec<Taken>],
    ) -> Result<()> {
        for taken in taken {
            taken.push(self.read(question, expected)?);
        }
        Ok(())
    }

    fn read(&mut self, question: &Question, expected: Option<Sum>) -> Result<Taken> {
        let (disk, start) = (self.database.disk(), Instant::now());
        let rows = self.database.fetch(self.coder.layout, question)?;
        let (read, disk) = (start.elapsed(), self.since(disk));
        let start = thread_time();
        let sum = self.coder.decode(&rows)?;
        let decode = thread_time().saturating_sub(start);
        ensure!(expected.is_none_or(|expected| expected == sum), "the lines differ");
        Ok(Taken { rows: sum.rows, read, decode, disk })
    }

    fn since(&mut self, before: Option<u64>) -> u64 {
        let now = self.database.disk();
        now.zip(before).map_or(0, |(now, before)| now.saturating_sub(before))
    }
}
