//! Sums up the lines that games play from a position on, several plies deep.
//!
//! Each game that reaches the position is decoded as far as the plies that are asked for. Its moves
//! are kept as a row of one table, two bytes each, and sorted: games that play the same moves lie
//! side by side, and memory depends on games and plies alone, however many lines there are.

use std::cmp::Reverse;

use plypack_core::{Error as LineError, Notation, Turn};
use plypack_index::Summand;
use plypack_records::pgn::Layout;
use plypack_records::pgn::layout::ResultMark;
use plypack_records::{ItemKind, Rendering, START_TAG};

use super::scan::{CHUNK_GROUPS, Candidates, Search, read_facts};
use super::{Asked, Question, Sum, Target};
use crate::rows::{RowError, may_hit, sides};
use crate::store::error::Error;
use crate::store::facts::Players;
use crate::store::index::head::head;
use crate::store::row::StoredRecord;
use crate::store::work::Work;

/// The most bytes of the table of moves.
const TABLE_MAX: usize = 256 << 20;

/// The most plies: branches are nested so deeply.
pub const PLIES_MAX: u16 = 100;

/// Stands in the table for no move, where a game has ended.
const END: u16 = u16::MAX;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The number of plies, from 1 to [`PLIES_MAX`].
    pub plies: u16,
    /// The fewest games of a move.
    pub records_min: u64,
    /// The most moves of a position, the most frequent ones.
    pub moves_max: usize,
}

/// The lines that games play from a position on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// The number of games that reach the position.
    pub records: u64,
    /// The games that end there.
    pub ended: Sum,
    /// The moves, most frequent first; ties in candidate order. A game that comes back to the
    /// position counts once for each different move that it plays there.
    pub moves: Vec<Branch>,
    /// How many moves were left out.
    pub left_out: usize,
}

/// A move, and how the games that play it go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// The candidate of its position.
    pub candidate: u16,
    /// The games that play it.
    pub sum: Sum,
    /// Those that end after it, if the moves after it were looked at.
    pub ended: Sum,
    /// The moves after it, in the same order.
    pub moves: Vec<Branch>,
    /// How many moves after it were left out.
    pub left_out: usize,
}

/// Sums up the lines that the games answering a question play from its position on. They are told
/// apart by the moves from there, not by the positions that these lead to. Variations do not count.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, the games are too many for so
/// many plies, or the stop flag is set.
pub fn branches(
    files: &[Asked],
    question: &Question<'_>,
    reach: Reach,
    work: &Work<'_>,
) -> Result<Branches, Error> {
    let Some(target) = question.target else { return Ok(Branches::default()) };
    work.run(|| {
        let mut table = Table::new(reach);
        for asked in files {
            let search = Search { asked, question, work };
            for groups in Candidates::of(asked, question, usize::MAX)?.chunks(CHUNK_GROUPS) {
                for candidates in search.narrow(groups)? {
                    work.check()?;
                    table.add(&search, target, &candidates)?;
                }
            }
        }
        Ok(table.grow())
    })
}

/// The moves of games.
struct Table {
    reach: Reach,
    records: u64,
    /// A row of so many plies for each line.
    moves: Vec<u16>,
    /// What the game of each line adds to sums, as bits.
    summands: Vec<u32>,
}

impl Table {
    fn new(reach: Reach) -> Self {
        let reach = Reach { plies: reach.plies.clamp(1, PLIES_MAX), ..reach };
        Self { reach, records: 0, moves: Vec::new(), summands: Vec::new() }
    }

    fn plies(&self) -> usize {
        self.reach.plies.into()
    }

    /// Adds the candidates that reach the position.
    fn add(
        &mut self,
        search: &Search<'_>,
        target: &Target,
        candidates: &Candidates,
    ) -> Result<(), Error> {
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        let plies = self.plies();
        let look = |record: &StoredRecord<'_>| lines_of(record, target, plies);
        search.look(candidates, &look, &mut |row, found| {
            rows.push(row);
            lines.push(found);
            Ok(())
        })?;
        self.records = self.records.saturating_add(rows.len() as u64);
        for (fact, lines) in read_facts(search.asked, &rows)?.iter().zip(lines) {
            let summand = head(fact, Players::default()).summand().to_bits();
            for mut line in lines {
                line.resize(plies, END);
                self.moves.extend(line);
                self.summands.push(summand);
            }
        }
        let bytes = 2 * self.moves.len() + 8 * self.summands.len();
        if bytes > TABLE_MAX {
            let path = search.asked.file.path().to_path_buf();
            let why = format!(
                "more games reach the position than fit into memory with {plies} plies each; ask \
                 for fewer plies, or with a condition"
            );
            return Err(Error::Format { path, why });
        }
        Ok(())
    }

    fn row(&self, line: u32) -> &[u16] {
        let (line, plies) = (line as usize, self.plies());
        self.moves.get(line * plies..(line + 1) * plies).unwrap_or_default()
    }

    fn grow(&self) -> Branches {
        // A row has at least 2 bytes, so that their number fits.
        let mut lines: Vec<u32> = (0u32..).take(self.summands.len()).collect();
        lines.sort_unstable_by(|&one, &other| self.row(one).cmp(self.row(other)));
        let (moves, ended, left_out) = self.below(&lines, 0);
        Branches { records: self.records, ended, moves, left_out }
    }

    /// Returns the moves of these lines at this ply, counted from 0, the games that end before it,
    /// and how many moves were left out.
    fn below(&self, lines: &[u32], ply: usize) -> (Vec<Branch>, Sum, usize) {
        let at = |line: u32| self.row(line).get(ply).copied().unwrap_or(END);
        let (mut moves, mut ended) = (Vec::new(), Sum::default());
        for lines in lines.chunk_by(|&one, &other| at(one) == at(other)) {
            let mut sum = Sum::default();
            let summands = lines.iter().filter_map(|&line| self.summands.get(line as usize));
            summands.for_each(|&bits| sum.add(Summand::of_bits(bits)));
            match lines.first().map(|&line| at(line)) {
                None | Some(END) => ended = sum,
                Some(candidate) => moves.push((candidate, sum, lines)),
            }
        }
        moves.sort_by_key(|(_, sum, _)| Reverse(sum.records));
        let found = moves.len();
        moves.retain(|(_, sum, _)| sum.records >= self.reach.records_min);
        moves.truncate(self.reach.moves_max);
        let left_out = found - moves.len();
        let branch = |(candidate, sum, lines): (u16, Sum, &[u32])| {
            let (moves, ended, left_out) = match ply + 1 < self.plies() {
                true => self.below(lines, ply + 1),
                false => Default::default(),
            };
            Branch { candidate, sum, ended, moves, left_out }
        };
        (moves.into_iter().map(branch).collect(), ended, left_out)
    }
}

/// Returns the moves that a record plays from the position on, at most so many plies; a line for
/// each different first move. `None` if it never reaches the position.
fn lines_of(
    record: &StoredRecord<'_>,
    target: &Target,
    plies: usize,
) -> Result<Option<Vec<Vec<u16>>>, RowError> {
    if !may_hit(record, target) {
        return Ok(None);
    }
    let Some((game, mut cursor)) = record.cursor()? else { return Ok(None) };
    if game.info().id != target.game().info().id {
        return Ok(None);
    }
    let mut lines: Vec<Vec<u16>> = Vec::new();
    loop {
        let is_behind = target.is_behind(&*cursor);
        if is_behind && lines.iter().all(|line| line.len() >= plies) {
            break;
        }
        let is_here = !is_behind && target.is_at(&*cursor);
        let played = cursor.next()?;
        let candidate = played.unwrap_or(END);
        lines.iter_mut().filter(|line| line.len() < plies).for_each(|line| line.push(candidate));
        if is_here && !lines.iter().any(|line| line.first() == Some(&candidate)) {
            lines.push(vec![candidate]);
        }
        if played.is_none() {
            break;
        }
    }
    Ok((!lines.is_empty()).then_some(lines))
}

/// Writes the last move of a line, which leads from the target's start to the position after it.
///
/// # Errors
/// Returns an error if there is no such line.
pub fn move_text(target: &Target, moves: &[u16], notation: Notation) -> Result<String, LineError> {
    let texts = target.game().write_moves(target.line().0, moves, notation)?;
    Ok(texts.iter().last().unwrap_or_default().to_owned())
}

impl Branches {
    /// Writes the lines as a game in PGN: the moves to the position, then the most frequent moves
    /// as its main line and the others as variations, each with its games and their results as a
    /// comment. `None` for go, which PGN does not have.
    ///
    /// # Errors
    /// Never returns an error, as the lines were read before.
    pub fn pgn(&self, target: &Target) -> Result<Option<String>, LineError> {
        let info = target.game().info();
        if info.name == "go" {
            return Ok(None);
        }
        let (start, moves) = target.line();
        let mut line = moves.to_vec();
        let mut pieces: Vec<(ItemKind, String)> = Vec::new();
        for text in target.game().write_moves(start, moves, Notation::Customary)?.iter() {
            pieces.push((ItemKind::Move, text.to_owned()));
        }
        let write = Write { target, sides: sides(target.game()) };
        write.below(&self.moves, &mut line, &mut pieces)?;
        let games = if self.records == 1 { "game" } else { "games" };
        let event = format!("The moves of {} {games}", self.records);
        let mut tags = Vec::new();
        if info.name != "chess" {
            tags.push(("Variant", info.variants.first().copied().unwrap_or(info.name)));
        }
        tags.extend([("Event", event.as_str()), ("Site", "?"), ("Date", "????.??.??")]);
        tags.extend([("Round", "?"), ("White", "?"), ("Black", "?"), ("Result", "*")]);
        if let Some(start) = start {
            tags.extend([("SetUp", "1"), (START_TAG, start)]);
        }
        let pieces: Vec<(ItemKind, &str)> =
            pieces.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        let layout = Layout { result: ResultMark::Marker("*"), ..Layout::usual(false) };
        let Turn { number, second } = target.game().turn(start)?;
        let rendering = Rendering { tags: &tags, pieces: &pieces, values: &[], number, second };
        Ok(Some(layout.render_text(&rendering)))
    }
}

/// Writes branches as pieces of PGN.
struct Write<'t> {
    target: &'t Target,
    sides: [&'static str; 2],
}

impl Write<'_> {
    /// Writes the first move, the others as variations, and then what follows the first.
    fn below(
        &self,
        branches: &[Branch],
        line: &mut Vec<u16>,
        pieces: &mut Vec<(ItemKind, String)>,
    ) -> Result<(), LineError> {
        let Some((first, others)) = branches.split_first() else { return Ok(()) };
        self.played(first, line, pieces)?;
        for other in others {
            pieces.push((ItemKind::Open, String::new()));
            self.played(other, line, pieces)?;
            self.after(other, line, pieces)?;
            pieces.push((ItemKind::Close, String::new()));
        }
        self.after(first, line, pieces)
    }

    fn after(
        &self,
        branch: &Branch,
        line: &mut Vec<u16>,
        pieces: &mut Vec<(ItemKind, String)>,
    ) -> Result<(), LineError> {
        line.push(branch.candidate);
        self.below(&branch.moves, line, pieces)?;
        line.pop();
        Ok(())
    }

    /// Writes a move, and its games as a comment.
    fn played(
        &self,
        branch: &Branch,
        line: &mut Vec<u16>,
        pieces: &mut Vec<(ItemKind, String)>,
    ) -> Result<(), LineError> {
        line.push(branch.candidate);
        let text = move_text(self.target, line, Notation::Customary)?;
        line.pop();
        pieces.push((ItemKind::Move, text));
        let Sum { records, white, draws, black, .. } = branch.sum;
        let mut comment = format!("{records} {}", if records == 1 { "game" } else { "games" });
        let known = white + draws + black;
        if known > 0 {
            let share = |part: u64| format!("{:.0} %", 100.0 * part as f64 / known as f64);
            let of = |side: &str| share(if side == "Black" { black } else { white });
            let [first, second] = self.sides;
            comment += &format!(
                ", {first} {}, drawn {}, {second} {}",
                of(first),
                share(draws),
                of(second)
            );
        }
        if let Some(rating) = branch.sum.mean_rating() {
            comment += &format!(", rating {rating}");
        }
        pieces.push((ItemKind::Comment, comment));
        Ok(())
    }
}
