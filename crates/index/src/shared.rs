//! Blocks: positions that many games share, with sums for the moves played there.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_core::bits::huffman::Code;
use plypack_core::bits::truncated::{self, Form};

use crate::error::{Error, damaged};
use crate::heads;
use crate::list::{self, Games, Place, Symbols, Visit, used};
use plypack_core::Outcome;

use crate::layout::Layout;
use crate::occurrence::{END, Occurrence, Summand};
use crate::ratings::{self, GROUPS, GroupSums, rating_group};
use crate::sum::Sum;
use crate::writer::Source;

/// The most games of a position without a block.
pub const FEW_MAX: usize = 3;

/// The fewest games of a block with examples and a witness.
pub const MANY_MIN: u64 = 32;

/// The number of leading bytes of a block that hold everything but the games from the 1,025th on.
pub const BLOCK_HEAD_BYTES: u64 = 32 << 10;

/// The number of examples in a block.
pub(crate) const EXAMPLES: usize = 3;

/// The longest name of a player, in bytes; a longer one is cut.
pub(crate) const NAME_BYTES_MAX: usize = 100;

/// The longest line of a witness, in plies.
const WITNESS_PLIES_MAX: usize = 255;

/// The longest start of a witness, in bytes.
const START_BYTES_MAX: usize = 1_000;

/// The most moves of a position: three times the points of the largest board. Reading takes time
/// quadratic in the number of moves.
const MOVES_MAX: u32 = 1_200;

/// The orders of the Golomb codes: of the numbers of games and of moves, of a candidate, and of the
/// number of bytes.
const GAMES_ORDER: u32 = 3;
const MOVES_ORDER: u32 = 1;
const CANDIDATE_ORDER: u32 = 4;
const BYTES_ORDER: u32 = 4;

/// The number of bits of a key, of a year and of a rating.
const KEY_BITS: u32 = 64;
const YEAR_BITS: u32 = 12;
const RATING_BITS: u32 = 13;

/// A move that was played in a position, and the games that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSum {
    /// The candidate.
    pub candidate: u16,
    /// The sums of its games.
    pub sum: Sum,
}

/// The players of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Players {
    /// White's name, in xiangqi Red's.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
}

impl Players {
    /// The mean of the known ratings, rounded down.
    pub fn rating(&self) -> Option<u16> {
        match (self.white_rating, self.black_rating) {
            (Some(white), Some(black)) => Some(white.midpoint(black)),
            (one, other) => one.or(other),
        }
    }

    /// As much of a name as an index keeps: at most 100 bytes.
    pub fn cut(name: &str) -> &str {
        name.get(..name.floor_char_boundary(NAME_BYTES_MAX)).unwrap_or_default()
    }
}

/// A game that reaches a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The number of the game among those of the index, from 0.
    pub game: u32,
    /// The candidate that it plays; `None` if it ends here.
    pub candidate: Option<u16>,
    /// What is known of the game.
    pub head: heads::Head,
}

/// A line that leads to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The position that it starts from; `None` for the usual start.
    pub start: Option<String>,
    /// Its moves.
    pub candidates: Vec<u16>,
}

/// A position that many games share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The number of games that reach it.
    pub records: u64,
    /// The moves that they play there, the most frequent first, then in canonical order.
    pub moves: Vec<MoveSum>,
    /// The games that end there.
    pub ended: Option<Sum>,
    /// The best-rated games, then the newest; none if there are fewer than [`MANY_MIN`].
    pub examples: Vec<Example>,
    /// The same games, also if there are fewer: the first is the witness of a block without one.
    pub best: Vec<Visit>,
    /// A line that leads there; `None` if there are fewer than [`MANY_MIN`] games, or if it would
    /// be too long.
    pub witness: Option<Witness>,
    first: Vec<Visit>,
    symbols: Symbols,
    rest: Place,
}

impl Shared {
    /// Reads the beginning of a block ([`Block::head`](crate::Block::head)); `None` if the block is
    /// for another key.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn read(layout: Layout, key: u64, block: &[u8]) -> Result<Option<Self>, Error> {
        // Compared last, so that a damaged key is not taken for another one.
        let (own, shared) = Self::with_key(layout, block)?;
        Ok((own == key).then_some(shared))
    }

    /// Reads a whole block, whatever its key, and returns its games, ascending; those that play
    /// several moves are there for each.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn all_games(layout: Layout, block: &[u8]) -> Result<Vec<u32>, Error> {
        let (_, shared) = Self::with_key(layout, block)?;
        shared.games(block).map(|visit| visit.map(|visit| visit.game)).collect()
    }

    /// Reads a whole block, whatever its key.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn whole(layout: Layout, block: &[u8]) -> Result<Self, Error> {
        let (_, shared) = Self::with_key(layout, block)?;
        shared.games(block).try_for_each(|visit| visit.map(|_| ()))?;
        Ok(shared)
    }

    /// The key, and the beginning of the block.
    pub(crate) fn with_key(layout: Layout, block: &[u8]) -> Result<(u64, Self), Error> {
        let mut bits = BitReader::new(block);
        let key = bits.read(KEY_BITS).ok_or_else(|| damaged("a block is truncated"))?;
        let head = Head::read(&mut bits, layout).ok_or_else(|| damaged("a block is malformed"))?;
        let Head { records, moves, ended, best, examples, witness } = head;
        let sums = moves.iter().map(|mv| mv.sum.records).chain(ended.map(|sum| sum.records));
        let frequencies: Vec<u64> = sums.collect();
        let left = frequencies.iter().sum::<u64>();
        let code = Code::from_frequencies(&frequencies);
        let code = code.ok_or_else(|| damaged("a block has impossible numbers"))?;
        let played = moves.iter().map(|mv| Some(mv.candidate));
        let candidates = played.chain(ended.map(|_| None)).collect();
        let symbols = Symbols { code, candidates, games: layout.games() };
        let mut rest = Place { at: used(&bits, block.len()), unchecked: 0, last: 0, left };
        let first = symbols.read(block, &mut rest)?;
        let best = match records < MANY_MIN {
            true => best.iter().map(|&place| first.get(place).copied()).collect(),
            false => examples.iter().map(|best| Some(best.visit())).collect::<Option<Vec<_>>>(),
        };
        let best = best.ok_or_else(|| damaged("a block has impossible numbers"))?;
        let shared = Self { records, moves, ended, examples, best, witness, first, symbols, rest };
        Ok((key, shared))
    }

    /// Its first games, up to 1,024, ascending.
    pub fn first_games(&self) -> &[Visit] {
        &self.first
    }

    /// Whether the first games are all.
    pub fn is_whole(&self) -> bool {
        self.rest.left == 0
    }

    /// All of its games, ascending, from the bytes of the whole block.
    pub fn games<'a>(&'a self, block: &'a [u8]) -> Games<'a> {
        let chunk = self.first.clone().into_iter();
        Games { block, symbols: &self.symbols, place: self.rest.clone(), chunk }
    }
}

/// The beginning of a block.
struct Head {
    records: u64,
    moves: Vec<MoveSum>,
    ended: Option<Sum>,
    /// The indices of the best games in the list, if there are few games.
    best: Vec<usize>,
    examples: Vec<Example>,
    witness: Option<Witness>,
}

impl Head {
    fn write(&self, out: &mut BitWriter, layout: Layout) {
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        golomb::write(out, count(self.records) - FEW_COUNT - 1, GAMES_ORDER);
        golomb::write(out, count(self.moves.len() as u64), MOVES_ORDER);
        out.write_bit(self.ended.is_some());
        let sums = || self.moves.iter().map(|mv| &mv.sum).chain(&self.ended);
        let newest = sums().filter_map(|sum| sum.last_year).max();
        out.write_bit(newest.is_some());
        if let Some(newest) = newest {
            out.write(newest.into(), YEAR_BITS);
        }
        for mv in &self.moves {
            golomb::write(out, mv.candidate.into(), CANDIDATE_ORDER);
            mv.sum.write(out, newest);
        }
        if let Some(sum) = &self.ended {
            sum.write(out, newest);
        }
        if self.records < MANY_MIN {
            for &place in &self.best {
                truncated::write(out, count(place as u64), self.visits(), Form::Ascending);
            }
            return;
        }
        for example in &self.examples {
            example.write(out, layout, self);
        }
        out.write_bit(self.witness.is_some());
        if let Some(witness) = &self.witness {
            out.write_bit(witness.start.is_some());
            if let Some(start) = &witness.start {
                write_text(out, start);
            }
            golomb::write(out, count(witness.candidates.len() as u64), BYTES_ORDER);
            for &candidate in &witness.candidates {
                golomb::write(out, candidate.into(), CANDIDATE_ORDER);
            }
        }
    }

    fn read(bits: &mut BitReader<'_>, layout: Layout) -> Option<Self> {
        let records = u64::from(golomb::read(bits, GAMES_ORDER)?) + u64::from(FEW_COUNT) + 1;
        let count = golomb::read(bits, MOVES_ORDER).filter(|&count| count <= MOVES_MAX)?;
        let has_ended = bits.read_bit()?;
        let newest = read_part(bits, YEAR_BITS)?;
        let mut moves = Vec::new();
        for _ in 0..count {
            let candidate = u16::try_from(golomb::read(bits, CANDIDATE_ORDER)?).ok()?;
            moves.push(MoveSum { candidate, sum: Sum::read(bits, newest)? });
        }
        let ended = if has_ended { Some(Sum::read(bits, newest)?) } else { None };
        let (best, examples) = (Vec::new(), Vec::new());
        let mut head = Self { records, moves, ended, best, examples, witness: None };
        if records < MANY_MIN {
            for _ in 0..EXAMPLES {
                let place = truncated::read(bits, head.visits(), Form::Ascending)?;
                head.best.push(usize::try_from(place).ok()?);
            }
            return Some(head);
        }
        for _ in 0..EXAMPLES {
            head.examples.push(Example::read(bits, layout, &head)?);
        }
        if bits.read_bit()? {
            let mut witness = Witness::default();
            if bits.read_bit()? {
                witness.start = Some(read_text(bits, START_BYTES_MAX)?);
            }
            let plies = golomb::read(bits, BYTES_ORDER)?;
            for _ in 0..usize::try_from(plies).ok().filter(|&p| p <= WITNESS_PLIES_MAX)? {
                let candidate = golomb::read(bits, CANDIDATE_ORDER)?;
                witness.candidates.push(u16::try_from(candidate).ok()?);
            }
            head.witness = Some(witness);
        }
        Some(head)
    }

    /// The number of visits.
    fn visits(&self) -> u32 {
        let sums = self.moves.iter().map(|mv| mv.sum.records).chain(self.ended.map(|e| e.records));
        u32::try_from(sums.fold(0, u64::saturating_add)).unwrap_or(u32::MAX)
    }

    /// The number of moves, counting the end of a game as one.
    fn symbols(&self) -> u32 {
        let moves = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        moves.saturating_add(u32::from(self.ended.is_some()))
    }

    /// The index of a candidate among the block's moves, of which the end of a game is the last.
    fn symbol(&self, candidate: Option<u16>) -> u32 {
        let place = self.moves.iter().position(|mv| Some(mv.candidate) == candidate);
        u32::try_from(place.unwrap_or(self.moves.len())).unwrap_or(u32::MAX)
    }
}

/// [`FEW_MAX`] as a number of games.
const FEW_COUNT: u32 = 3;

impl Example {
    fn visit(&self) -> Visit {
        Visit { game: self.game, candidate: self.candidate }
    }

    fn write(&self, out: &mut BitWriter, layout: Layout, head: &Head) {
        truncated::write(out, self.game, layout.games(), Form::Ascending);
        truncated::write(out, head.symbol(self.candidate), head.symbols(), Form::Ascending);
        let heads::Head { players, outcome, year } = &self.head;
        out.write(Outcome::number(*outcome).into(), 2);
        write_part(out, *year, YEAR_BITS);
        let Players { white, black, white_rating, black_rating } = players;
        write_part(out, *white_rating, RATING_BITS);
        write_part(out, *black_rating, RATING_BITS);
        write_text(out, white);
        write_text(out, black);
    }

    fn read(bits: &mut BitReader<'_>, layout: Layout, head: &Head) -> Option<Self> {
        let game = truncated::read(bits, layout.games(), Form::Ascending);
        let game = game.filter(|&game| game < layout.games())?;
        let symbol = truncated::read(bits, head.symbols(), Form::Ascending)?;
        let candidate = head.moves.get(usize::try_from(symbol).ok()?).map(|mv| mv.candidate);
        let outcome = Outcome::of_number(u8::try_from(bits.read(2)?).ok()?);
        let year = read_part(bits, YEAR_BITS)?;
        let [white_rating, black_rating] =
            [read_part(bits, RATING_BITS)?, read_part(bits, RATING_BITS)?];
        let [white, black] = [read_text(bits, NAME_BYTES_MAX)?, read_text(bits, NAME_BYTES_MAX)?];
        let players = Players { white, black, white_rating, black_rating };
        Some(Self { game, candidate, head: heads::Head { players, outcome, year } })
    }
}

/// Appends a number that may be missing; one that is too large for the width becomes the largest.
fn write_part(out: &mut BitWriter, number: Option<u16>, width: u32) {
    out.write_bit(number.is_some());
    if let Some(number) = number {
        out.write(u64::from(number).min((1 << width) - 1), width);
    }
}

fn read_part(bits: &mut BitReader<'_>, width: u32) -> Option<Option<u16>> {
    if !bits.read_bit()? {
        return Some(None);
    }
    u16::try_from(bits.read(width)?).ok().map(Some)
}

fn write_text(out: &mut BitWriter, text: &str) {
    golomb::write(out, u32::try_from(text.len()).unwrap_or(u32::MAX), BYTES_ORDER);
    out.write_bytes(text.as_bytes());
}

fn read_text(bits: &mut BitReader<'_>, most: usize) -> Option<String> {
    let length = usize::try_from(golomb::read(bits, BYTES_ORDER)?).ok();
    let length = length.filter(|&length| length <= most)?;
    let mut bytes = Vec::with_capacity(length);
    for _ in 0..length {
        bytes.push(u8::try_from(bits.read(8)?).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// The visits of a position from which its block is written. They take some seven bits each.
#[derive(Default)]
pub(crate) struct Tally {
    first: Option<Occurrence>,
    /// The last visits, whose summands are not known yet.
    waiting: Vec<Occurrence>,
    /// What is played, by its first visit.
    played: Vec<Played>,
    /// The sums that these have.
    sums: Vec<Sum>,
    records: u64,
    visits: usize,
    /// The earliest visit of the last game.
    last: Option<Ranked>,
    /// The games by rating group.
    groups: [Group; GROUPS],
    /// The earliest visit of all.
    shortest: Option<Occurrence>,
    log: Log,
}

/// What some games play, with their sums.
struct Played {
    candidate: u16,
    /// The place of the sum of each rating group; few groups have one.
    sums: [Option<u32>; GROUPS],
}

/// Games of a rating group.
#[derive(Default)]
struct Group {
    records: u64,
    /// The best-rated games, then the newest, then the first.
    best: Vec<Ranked>,
}

/// A block, and what goes with it.
#[derive(Debug)]
pub(crate) struct Written {
    pub block: Vec<u8>,
    /// The position's sums by rating group, if an index has them.
    pub ratings: Option<Vec<u8>>,
    /// The number of the position's games.
    pub records: u64,
}

/// A visit of a game with its place among the visits.
struct Ranked {
    visit: Occurrence,
    summand: Summand,
    place: usize,
}

impl Ranked {
    fn rank(&self) -> (Option<u16>, Option<u16>) {
        (self.summand.rating, self.summand.year)
    }
}

/// The number of visits whose summands are asked for together.
const TOGETHER: usize = 1_024;

impl Tally {
    /// Where the position is listed.
    pub fn place(&self) -> u64 {
        self.first.map_or(0, |first| first.place)
    }

    /// Adds the next visit. Of those of a game that play the same, the first one counts.
    pub fn add<S: Source>(&mut self, visit: Occurrence, source: &S) -> Result<(), S::Error> {
        self.first.get_or_insert(visit);
        let same = |last: &Occurrence| (last.game, last.candidate) == (visit.game, visit.candidate);
        if self.waiting.last().is_some_and(same) {
            return Ok(());
        }
        if self.waiting.len() > TOGETHER {
            self.take(source)?;
        }
        self.waiting.push(visit);
        Ok(())
    }

    /// Takes the waiting visits but the last, which the next one may repeat.
    fn take<S: Source>(&mut self, source: &S) -> Result<(), S::Error> {
        let Some(last) = self.waiting.pop() else { return Ok(()) };
        self.take_all(source)?;
        self.waiting.push(last);
        Ok(())
    }

    fn take_all<S: Source>(&mut self, source: &S) -> Result<(), S::Error> {
        let mut visits = std::mem::take(&mut self.waiting);
        let mut games: Vec<u32> = visits.iter().map(|visit| visit.game).collect();
        games.dedup();
        let summands = source.summands(&games)?;
        let mut known = games.into_iter().zip(summands).peekable();
        for visit in visits.drain(..) {
            while known.next_if(|(game, _)| *game < visit.game).is_some() {}
            let summand = known.peek().map(|known| known.1).unwrap_or_default();
            self.take_one(visit, summand);
        }
        self.waiting = visits;
        Ok(())
    }

    fn take_one(&mut self, visit: Occurrence, summand: Summand) {
        let found = self.played.iter().position(|played| played.candidate == visit.candidate);
        let symbol = found.unwrap_or_else(|| {
            self.played.push(Played { candidate: visit.candidate, sums: [None; GROUPS] });
            self.played.len() - 1
        });
        self.sum(symbol, rating_group(summand.rating)).into_iter().for_each(|sum| sum.add(summand));
        self.log.push(visit.game, symbol);
        let is_earlier = |one: &Occurrence| (visit.ply, visit.game) < (one.ply, one.game);
        if self.shortest.as_ref().is_none_or(is_earlier) {
            self.shortest = Some(visit);
        }
        let next = Ranked { visit, summand, place: self.visits };
        self.visits += 1;
        match &mut self.last {
            Some(last) if last.visit.game == visit.game => {
                if visit.ply < last.visit.ply {
                    *last = next;
                }
            }
            _ => {
                self.records += 1;
                let last = self.last.replace(next);
                self.rank(last);
            }
        }
    }

    /// The sum of what is played, among the games of a rating group.
    fn sum(&mut self, symbol: usize, group: usize) -> Option<&mut Sum> {
        let place = self.played.get_mut(symbol)?.sums.get_mut(group)?;
        let place = *place.get_or_insert_with(|| {
            self.sums.push(Sum::default());
            u32::try_from(self.sums.len() - 1).unwrap_or(u32::MAX)
        });
        self.sums.get_mut(usize::try_from(place).ok()?)
    }

    /// Counts a game, and keeps the best ones.
    fn rank(&mut self, game: Option<Ranked>) {
        let Some(game) = game else { return };
        let Some(group) = self.groups.get_mut(rating_group(game.summand.rating)) else { return };
        group.records += 1;
        // Among equals, the first stays ahead.
        let rank = group.best.partition_point(|other| other.rank() >= game.rank());
        if rank < EXAMPLES {
            group.best.insert(rank, game);
            group.best.truncate(EXAMPLES);
        }
    }

    /// The best games of all groups.
    fn best(&self) -> impl Iterator<Item = &Ranked> {
        self.groups.iter().rev().flat_map(|group| &group.best).take(EXAMPLES)
    }

    /// Writes the block.
    pub fn finish<S: Source>(mut self, layout: Layout, source: &S) -> Result<Written, S::Error> {
        self.take_all(source)?;
        let last = self.last.take();
        self.rank(last);
        let head = self.head(source)?;
        let ratings = self.ratings(&head, layout);
        let mut bits = BitWriter::new();
        bits.write(self.first.map_or(0, |visit| visit.key), KEY_BITS);
        head.write(&mut bits, layout);
        let mut out = bits.into_bytes();
        let sums = head.moves.iter().map(|mv| mv.sum.records);
        let frequencies: Vec<u64> = sums.chain(head.ended.map(|sum| sum.records)).collect();
        let symbols = self.played.iter().map(|played| head.symbol(played_by(played.candidate)));
        let symbols: Vec<u16> = symbols.map(|symbol| u16::try_from(symbol).unwrap_or(0)).collect();
        let visits = self
            .log
            .visits()
            .map(|(game, symbol)| (game, symbols.get(symbol).copied().unwrap_or(0)));
        if let Some(code) = Code::from_frequencies(&frequencies) {
            list::write(&mut out, visits, &code);
        }
        Ok(Written { block: out, ratings, records: self.records })
    }

    /// The sums by rating group, if an index has them of such a position.
    fn ratings(&self, head: &Head, layout: Layout) -> Option<Vec<u8>> {
        let sums: Vec<Sum> = head.moves.iter().map(|mv| mv.sum).chain(head.ended).collect();
        if !ratings::is_rated(self.records, &sums) {
            return None;
        }
        let mut groups: [GroupSums; GROUPS] = Default::default();
        for (at, (to, group)) in groups.iter_mut().zip(&self.groups).enumerate() {
            to.records = group.records;
            to.sums = vec![Sum::default(); sums.len()];
            for played in &self.played {
                let symbol = usize::try_from(head.symbol(played_by(played.candidate))).ok()?;
                *to.sums.get_mut(symbol)? = self.sum_of(*played.sums.get(at)?);
            }
            to.best.extend(group.best.iter().map(|best| Visit {
                game: best.visit.game,
                candidate: played_by(best.visit.candidate),
            }));
        }
        Some(ratings::write(&groups, &sums, layout, |candidate| head.symbol(candidate)))
    }

    /// The sum in a place, if there is one.
    fn sum_of(&self, place: Option<u32>) -> Sum {
        let place = place.and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.sums.get(place)).copied().unwrap_or_default()
    }

    fn head<S: Source>(&self, source: &S) -> Result<Head, S::Error> {
        let all = |played: &Played| {
            let mut all = Sum::default();
            played.sums.iter().for_each(|place| all.merge(&self.sum_of(*place)));
            (played.candidate, all)
        };
        let mut sums: Vec<(u16, Sum)> = self.played.iter().map(all).collect();
        let ended = sums.iter().find(|(candidate, _)| *candidate == END).map(|(_, sum)| *sum);
        sums.retain(|(candidate, _)| *candidate != END);
        sums.sort_unstable_by_key(|(candidate, sum)| (std::cmp::Reverse(sum.records), *candidate));
        let moves = sums.into_iter().map(|(candidate, sum)| MoveSum { candidate, sum }).collect();
        let best = self.best().map(|best| best.place).collect();
        let (records, examples) = (self.records, Vec::new());
        let mut head = Head { records, moves, ended, best, examples, witness: None };
        if records < MANY_MIN {
            return Ok(head);
        }
        for Ranked { visit, summand: Summand { outcome, year, .. }, .. } in self.best() {
            let mut players = source.players(visit.game)?;
            for name in [&mut players.white, &mut players.black] {
                name.truncate(Players::cut(name).len());
            }
            let game_head = heads::Head { players, outcome: *outcome, year: *year };
            let candidate = played_by(visit.candidate);
            head.examples.push(Example { game: visit.game, candidate, head: game_head });
        }
        let fits = |visit: &Occurrence| usize::from(visit.ply) <= WITNESS_PLIES_MAX;
        if let Some(visit) = self.shortest.filter(fits) {
            let witness = source.line(visit.game, visit.ply)?;
            let is_short = |start: &String| start.len() <= START_BYTES_MAX;
            head.witness = witness.filter(|witness| witness.start.as_ref().is_none_or(is_short));
        }
        Ok(head)
    }
}

/// The candidate of a visit; `None` if the game ends.
fn played_by(candidate: u16) -> Option<u16> {
    Some(candidate).filter(|&candidate| candidate != END)
}

/// Visits in few bits: a game and the number of its move each, by ascending game.
#[derive(Default)]
struct Log {
    /// Pieces of [`TOGETHER`] visits, each a string of bits in whole bytes.
    bytes: Vec<u8>,
    piece: BitWriter,
    last: u32,
    count: usize,
}

/// The orders of the Golomb codes of the steps between games, and of the numbers of moves.
const STEP_ORDER: u32 = 2;
const SYMBOL_ORDER: u32 = 1;

impl Log {
    fn push(&mut self, game: u32, symbol: usize) {
        golomb::write(&mut self.piece, game - self.last, STEP_ORDER);
        golomb::write(&mut self.piece, u32::try_from(symbol).unwrap_or(0), SYMBOL_ORDER);
        self.last = game;
        self.count += 1;
        if self.count.is_multiple_of(TOGETHER) {
            self.bytes.extend(std::mem::take(&mut self.piece).into_bytes());
        }
    }

    fn visits(self) -> impl Iterator<Item = (u32, usize)> {
        let Self { mut bytes, piece, count, .. } = self;
        bytes.extend(piece.into_bytes());
        let (mut at, mut game) = (0, 0u32);
        let mut piece: std::vec::IntoIter<(u32, usize)> = Vec::new().into_iter();
        (0..count).filter_map(move |_| {
            if let Some(next) = piece.next() {
                return Some(next);
            }
            let rest = bytes.get(at..)?;
            let mut bits = BitReader::new(rest);
            let read = (0..TOGETHER).map_while(|_| {
                let step = golomb::read(&mut bits, STEP_ORDER)?;
                let symbol = golomb::read(&mut bits, SYMBOL_ORDER)?;
                game = game.checked_add(step)?;
                Some((game, usize::try_from(symbol).ok()?))
            });
            piece = read.collect::<Vec<_>>().into_iter();
            at += used(&bits, rest.len());
            piece.next()
        })
    }
}
