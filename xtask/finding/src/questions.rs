//! The queries of a packed file, as a program makes them of the library.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use plypack::store::condition::Condition;
use plypack::store::find::{self, Asked, Order, Target};
use plypack::store::index::Indices;
use plypack::store::ranges::{Counted, Counts};
use plypack::store::{Error, PackedFile, Wanted, Work};

use crate::sample::Sample;

/// A query for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The moves played there.
    Tree,
    /// The moves played there, and the results of the positions behind them.
    TreeBehind,
    /// The moves played there in some games.
    TreeWhere,
    /// The first games, with their tags.
    Find,
    /// The first games of a player, of either colour, with their tags.
    FindPlayer,
    /// The moves of a player, of either colour, there.
    TreePlayer,
}

/// All queries.
pub const QUESTIONS: &[Question] = &[
    Question::Tree,
    Question::TreeBehind,
    Question::TreeWhere,
    Question::TreePlayer,
    Question::Find,
    Question::FindPlayer,
];

/// The condition of a filtered tree.
const WHERE: &str = "WhiteElo > 2400 AND Result = '1-0'";

/// The number of games listed.
const LIMIT: u64 = 20;

impl Question {
    /// The command with this query.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::TreeBehind => "tree, any order",
            Self::TreeWhere => "tree --where",
            Self::TreePlayer => "tree --player",
            Self::Find => "find --limit 20",
            Self::FindPlayer => "find --player",
        }
    }

    fn condition(self, sample: &Sample) -> Result<Option<Condition>, String> {
        let text = match self {
            Self::Tree | Self::TreeBehind | Self::Find => return Ok(None),
            Self::TreeWhere => WHERE.to_owned(),
            Self::TreePlayer | Self::FindPlayer => {
                format!("player ILIKE '%{}%'", sample.player.replace('\'', "''"))
            }
        };
        Condition::parse(&text).map(Some).map_err(|error| error.to_string())
    }
}

/// An open packed file, with its index if it has one.
pub struct Asker {
    asked: Vec<Asked>,
    threads: usize,
    stop: AtomicBool,
    counts: Arc<Counts>,
}

impl Asker {
    /// Opens a packed file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, as a message.
    pub fn open(path: &Path, threads: usize) -> Result<Self, String> {
        let ranges = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (ranges, counts) = Counted::new(ranges);
        let file = PackedFile::open_ranges(path, Box::new(ranges));
        let file = file.map_err(|error| error.to_string())?;
        let indices = Indices::open(&file);
        let asked = vec![Asked { file, indices, known: None }];
        Ok(Self { asked, threads, stop: AtomicBool::new(false), counts })
    }

    /// The number of ranges of the packed file read since the last call, and their bytes, without
    /// those of the index.
    pub fn take_counts(&self) -> (u64, u64) {
        self.counts.take()
    }

    /// Describes the file.
    pub fn describe(&self) -> String {
        let records: u64 = self.asked.iter().map(|asked| asked.file.records()).sum();
        let scanned: usize = self.asked.iter().map(|asked| asked.indices.uncovered().len()).sum();
        format!("{records} games, {scanned} row groups without an index")
    }

    /// Runs a query and returns the number of games found; for lists, the number listed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or the position is invalid, as a message.
    pub fn ask(&self, question: Question, sample: &Sample) -> Result<u64, String> {
        let chess = plypack_games::game("chess").ok_or("this build lacks chess")?;
        let target = Target::read(chess, Some(&sample.fen), "").map_err(|e| e.to_string())?;
        let condition = question.condition(sample)?;
        let asks = find::Question {
            target: (question != Question::FindPlayer).then_some(&target),
            condition: condition.as_ref(),
            ..find::Question::default()
        };
        let work = Work { threads: self.threads, stop: &self.stop, progress: &|_| {} };
        let answered = match question {
            Question::Tree | Question::TreeWhere | Question::TreePlayer => {
                find::tree(&self.asked, &asks, &work).map(|tree| tree.records)
            }
            Question::TreeBehind => self.behind(&asks, &work),
            Question::Find | Question::FindPlayer => self.list(&asks, &work),
        };
        answered.map_err(|error| error.to_string())
    }

    /// Sums up the moves of a position, and the games of the positions behind them.
    fn behind(&self, asks: &find::Question<'_>, work: &Work<'_>) -> Result<u64, Error> {
        let tree = find::tree(&self.asked, asks, work)?;
        std::hint::black_box(find::successors(&self.asked, asks, &tree.candidates(), work)?);
        Ok(tree.records)
    }

    /// Lists games, and reads their tags.
    fn list(&self, asks: &find::Question<'_>, work: &Work<'_>) -> Result<u64, Error> {
        let mut rows = Vec::new();
        let found = find::find(&self.asked, asks, Order::Stored, LIMIT, work, &mut |found| {
            rows.push(found.row);
            Ok(())
        })?;
        let mut tags = 0;
        for asked in &self.asked {
            find::records::<Error>(asked, &rows, Wanted::TAGS, |_, record, _| {
                tags += record.tags.len();
                Ok(())
            })?;
        }
        std::hint::black_box(tags);
        Ok(found)
    }
}
