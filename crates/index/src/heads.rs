//! Heads: what lists and sums need of each game. Reading it from the games' file would be slow: the
//! name of one player there costs a dictionary of all.
//!
//! A block has the heads of 256 consecutive games: the names of their players, each once, and
//! numbers in as few bits as the range in the block needs.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_core::bits::huffman::Code;
use plypack_core::bits::truncated::{self, Form};

use crate::checked::{seal, unsealed};
use crate::error::{Error, damaged};
use plypack_core::Outcome;

use crate::layout::Layout;
use crate::occurrence::Summand;
use crate::shared::{NAME_BYTES_MAX, Players};

/// The number of games in a block; the last may have fewer. 256 real games take 2 to 3 KB; with
/// twice as many, a game would take a byte less at best, and each query would read nearly twice as
/// much.
pub const HEADS_GAMES: u32 = 256;

/// The symbol that ends a name; those below are its bytes.
const NAME_END: u16 = 256;

/// The number of symbols.
const SYMBOLS: usize = 257;

/// The number of bits for the length of a codeword: a block has fewer letters than a codeword of 31
/// bits needs.
const LENGTH_BITS: u32 = 5;

/// The orders of the Golomb codes: of the number of symbols, of the step between two, and of the
/// number of bytes that a name shares with the previous one.
const SYMBOLS_ORDER: u32 = 5;
const STEP_ORDER: u32 = 0;
const PREFIX_ORDER: u32 = 1;

/// What an index stores about a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The players; a name of more than 100 bytes is cut.
    pub players: Players,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The year in which it was played.
    pub year: Option<u16>,
}

impl Head {
    /// Returns what the game adds to the sums of its positions.
    pub fn summand(&self) -> Summand {
        Summand { outcome: self.outcome, rating: self.players.rating(), year: self.year }
    }
}

/// Writes the block of these heads, of at most [`HEADS_GAMES`] games.
pub fn write_heads(heads: &[Head]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = heads.iter().flat_map(names_of).collect();
    names.sort_unstable();
    names.dedup();
    let mut bits = BitWriter::new();
    let games = u32::try_from(heads.len()).unwrap_or(u32::MAX);
    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
    truncated::write(&mut bits, count.saturating_sub(1), games.saturating_mul(2), Form::Ascending);
    write_names(&mut bits, &names);
    let years = Span::of(heads.iter().map(|head| head.year));
    let ratings = Span::of(heads.iter().flat_map(ratings_of));
    years.write(&mut bits);
    ratings.write(&mut bits);
    for head in heads {
        bits.write(Outcome::number(head.outcome).into(), 2);
        years.write_one(&mut bits, head.year);
        for rating in ratings_of(head) {
            ratings.write_one(&mut bits, rating);
        }
        for name in names_of(head) {
            let place = names.partition_point(|other| *other < name);
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            truncated::write(&mut bits, place, count, Form::Ascending);
        }
    }
    let mut block = bits.into_bytes();
    seal(&mut block, 0);
    block
}

/// White's name and Black's, as a block stores them.
fn names_of(head: &Head) -> [&[u8]; 2] {
    let Players { white, black, .. } = &head.players;
    [white, black].map(|name| Players::cut(name).as_bytes())
}

fn ratings_of(head: &Head) -> [Option<u16>; 2] {
    [head.players.white_rating, head.players.black_rating]
}

/// Appends ascending names: the code of their letters, then, for each name, the number of bytes
/// that it shares with the previous one, and the rest.
fn write_names(bits: &mut BitWriter, names: &[&[u8]]) {
    let before = [&[][..]].into_iter().chain(names.iter().copied());
    let names: Vec<(usize, &[u8])> = names
        .iter()
        .zip(before)
        .map(|(name, before)| {
            let shared = name.iter().zip(before).take_while(|(one, other)| one == other).count();
            (shared, name.get(shared..).unwrap_or_default())
        })
        .collect();
    let mut frequencies = [0u64; SYMBOLS];
    for symbol in names.iter().flat_map(|name| symbols(name.1)) {
        frequencies[usize::from(symbol)] += 1;
    }
    // So few letters always have a code.
    let Some(code) = Code::from_frequencies(&frequencies) else { return };
    write_code(bits, &code);
    for (shared, rest) in names {
        golomb::write(bits, u32::try_from(shared).unwrap_or(u32::MAX), PREFIX_ORDER);
        for symbol in symbols(rest) {
            // Every symbol that occurs has a codeword.
            let _written = code.write(bits, symbol);
        }
    }
}

/// The symbols of the rest of a name.
fn symbols(rest: &[u8]) -> impl Iterator<Item = u16> {
    rest.iter().map(|&byte| u16::from(byte)).chain([NAME_END])
}

/// Appends the symbols that have codewords, and their lengths; a single symbol has no length.
fn write_code(bits: &mut BitWriter, code: &Code) {
    let lengths = (0..=NAME_END).filter_map(|symbol| Some((symbol, code.length(symbol)?)));
    let lengths: Vec<(u16, u8)> = lengths.collect();
    let count = u32::try_from(lengths.len()).unwrap_or(u32::MAX);
    golomb::write(bits, count.saturating_sub(1), SYMBOLS_ORDER);
    let mut next = 0;
    for (symbol, length) in lengths {
        golomb::write(bits, u32::from(symbol - next), STEP_ORDER);
        if count > 1 {
            bits.write(length.into(), LENGTH_BITS);
        }
        next = symbol + 1;
    }
}

fn read_code(bits: &mut BitReader<'_>) -> Option<Code> {
    let count = golomb::read(bits, SYMBOLS_ORDER)?.checked_add(1)?;
    let mut lengths = [0u8; SYMBOLS];
    let mut symbol = 0usize;
    for _ in 0..count {
        symbol = symbol.checked_add(usize::try_from(golomb::read(bits, STEP_ORDER)?).ok()?)?;
        let length = lengths.get_mut(symbol)?;
        if count == 1 {
            let mut only = vec![0; symbol];
            only.push(1);
            return Code::from_frequencies(&only);
        }
        *length = u8::try_from(bits.read(LENGTH_BITS)?).ok()?;
        symbol += 1;
    }
    Code::from_lengths(&lengths)
}

/// The range of the known numbers of a block.
#[derive(Clone, Copy, Debug)]
struct Span(Option<(u16, u16)>);

impl Span {
    fn of(numbers: impl Iterator<Item = Option<u16>>) -> Self {
        let widen = |span: Option<(u16, u16)>, number: u16| {
            let (least, most) = span.unwrap_or((number, number));
            Some((least.min(number), most.max(number)))
        };
        Self(numbers.flatten().fold(None, widen))
    }

    fn write(self, bits: &mut BitWriter) {
        bits.write_bit(self.0.is_some());
        if let Some((least, most)) = self.0 {
            bits.write(least.into(), 16);
            bits.write(most.into(), 16);
        }
    }

    fn read(bits: &mut BitReader<'_>) -> Option<Self> {
        if !bits.read_bit()? {
            return Some(Self(None));
        }
        let mut number = || u16::try_from(bits.read(16)?).ok();
        let (least, most) = (number()?, number()?);
        (least <= most).then_some(Self(Some((least, most))))
    }

    /// The number of possible values, with unknown first.
    fn values((least, most): (u16, u16)) -> u32 {
        u32::from(most.saturating_sub(least)) + 2
    }

    fn write_one(self, bits: &mut BitWriter, number: Option<u16>) {
        if let Some(span) = self.0 {
            let value = number.map_or(0, |number| u32::from(number.saturating_sub(span.0)) + 1);
            truncated::write(bits, value, Self::values(span), Form::Ascending);
        }
    }

    fn read_one(self, bits: &mut BitReader<'_>) -> Option<Option<u16>> {
        let Some(span) = self.0 else { return Some(None) };
        let value = truncated::read(bits, Self::values(span), Form::Ascending)?;
        let Some(above) = value.checked_sub(1) else { return Some(None) };
        Some(Some(u16::try_from(u32::from(span.0) + above).ok()?))
    }
}

/// The heads of a block.
#[derive(Clone, Debug)]
pub struct Heads {
    /// The number of the first game.
    first: u32,
    names: Vec<String>,
    games: Vec<Row>,
}

/// A game's numbers, and the indices of White's and Black's names.
#[derive(Clone, Copy, Debug)]
struct Row {
    outcome: Option<Outcome>,
    year: Option<u16>,
    ratings: [Option<u16>; 2],
    names: [usize; 2],
}

impl Heads {
    /// Reads the block that has the head of a game, in the range that
    /// [`Footer::heads`](crate::Footer::heads) gives.
    ///
    /// # Errors
    /// Returns an error if the block is damaged, or if the index has no such game.
    pub fn read(layout: Layout, game: u32, block: &[u8]) -> Result<Self, Error> {
        let first = game - game % HEADS_GAMES;
        let games = layout.games().saturating_sub(first).min(HEADS_GAMES);
        if game >= layout.games() {
            return Err(damaged("it has no such game"));
        }
        let content = unsealed(block, "the checksum of a block of heads does not match")?;
        Self::read_content(first, games, content)
            .ok_or_else(|| damaged("a block of heads is malformed"))
    }

    fn read_content(first: u32, games: u32, content: &[u8]) -> Option<Self> {
        let mut bits = BitReader::new(content);
        let count = truncated::read(&mut bits, games.checked_mul(2)?, Form::Ascending)? + 1;
        let names = read_names(&mut bits, count)?;
        let (years, ratings) = (Span::read(&mut bits)?, Span::read(&mut bits)?);
        let mut rows = Vec::new();
        for _ in 0..games {
            let outcome = Outcome::of_number(u8::try_from(bits.read(2)?).ok()?);
            let year = years.read_one(&mut bits)?;
            let ratings = [ratings.read_one(&mut bits)?, ratings.read_one(&mut bits)?];
            let mut name =
                || usize::try_from(truncated::read(&mut bits, count, Form::Ascending)?).ok();
            rows.push(Row { outcome, year, ratings, names: [name()?, name()?] });
        }
        Some(Self { first, names, games: rows })
    }

    /// The head of a game; `None` if it is in another block.
    pub fn head(&self, game: u32) -> Option<Head> {
        let at = usize::try_from(game.checked_sub(self.first)?).ok()?;
        let Row { outcome, year, ratings, names } = *self.games.get(at)?;
        let [white, black] = names.map(|place| self.names.get(place).cloned());
        let [white_rating, black_rating] = ratings;
        let players = Players { white: white?, black: black?, white_rating, black_rating };
        Some(Head { players, outcome, year })
    }
}

/// Reads `count` names, each of bounded length.
fn read_names(bits: &mut BitReader<'_>, count: u32) -> Option<Vec<String>> {
    let code = read_code(bits)?;
    let mut names = Vec::new();
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let shared = usize::try_from(golomb::read(bits, PREFIX_ORDER)?).ok()?;
        if shared > name.len() {
            return None;
        }
        name.truncate(shared);
        loop {
            match u8::try_from(code.read(bits)?) {
                Ok(byte) if name.len() < NAME_BYTES_MAX => name.push(byte),
                Ok(_) => return None,
                // The only symbol above the bytes ends the name.
                Err(_) => break,
            }
        }
        names.push(String::from_utf8(name.clone()).ok()?);
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn layout(games: usize) -> Layout {
        Layout::new(1_000, u32::try_from(games).expect("few"), true)
    }

    fn head(white: &str, black: &str) -> Head {
        let (white, black) = (white.to_owned(), black.to_owned());
        Head { players: Players { white, black, ..Players::default() }, ..Head::default() }
    }

    fn heads() -> impl Strategy<Value = Vec<Head>> {
        let name = prop_oneof![Just(String::new()), "[A-C][a-cé]{0,40}, [A-C]\\.", ".{0,60}"];
        let rating = proptest::option::of(any::<u16>());
        let ratings = (rating.clone(), prop_oneof![Just(None), rating]);
        let head = (name.clone(), name, ratings, 0u8..4, proptest::option::of(1_800u16..2_100));
        let head = head.prop_map(|(white, black, (white_rating, black_rating), outcome, year)| {
            let players = Players { white, black, white_rating, black_rating };
            Head { players, outcome: Outcome::of_number(outcome), year }
        });
        proptest::collection::vec(head, 1..256)
    }

    fn cut(head: &Head) -> Head {
        let mut head = head.clone();
        for name in [&mut head.players.white, &mut head.players.black] {
            *name = Players::cut(name).to_owned();
        }
        head
    }

    #[test]
    fn games_that_tell_nothing_take_two_bits_each() {
        let all: Vec<Head> = (0..256).map(|_| head("", "")).collect();
        assert!(write_heads(&all).len() < 256 / 4 + 12);
        let read = Heads::read(layout(256), 3, &write_heads(&all)).expect("whole");
        assert_eq!(read.head(255), Some(head("", "")));
    }

    #[test]
    fn a_block_has_its_games_and_no_others() {
        let all: Vec<Head> = (0..40).map(|at| head(&format!("{at}"), "b")).collect();
        let read = Heads::read(layout(296), 290, &write_heads(&all)).expect("whole");
        assert_eq!(read.head(256), Some(head("0", "b")));
        assert_eq!(read.head(295), Some(head("39", "b")));
        assert_eq!((read.head(255), read.head(296)), (None, None));
        assert!(Heads::read(layout(290), 290, &write_heads(&all)).is_err());
    }

    #[test]
    fn a_long_name_is_cut_between_letters() {
        let long = "ö".repeat(60) + "x";
        let read = Heads::read(layout(1), 0, &write_heads(&[head(&long, "a")])).expect("whole");
        let name = read.head(0).expect("it is there").players.white;
        assert_eq!(name, "ö".repeat(50));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let all = [head("Carlsen, Magnus", "Caruana, Fabiano"), head("Anand", "Caruana, Fabiano")];
        let block = write_heads(&all);
        for at in 0..block.len() * 8 {
            let mut bad = block.clone();
            bad[at / 8] ^= 1 << (at % 8);
            assert!(Heads::read(layout(2), 1, &bad).is_err(), "bit {at}");
        }
    }

    proptest! {
        #[test]
        fn heads_come_back(all in heads()) {
            let block = write_heads(&all);
            let read = Heads::read(layout(all.len()), 0, &block).expect("whole");
            for (game, head) in (0..).zip(&all) {
                prop_assert_eq!(read.head(game), Some(cut(head)));
            }
        }

        #[test]
        fn hostile_blocks_give_errors_or_heads(mut block: Vec<u8>, games in 1usize..300) {
            block.extend(crc32fast::hash(&block).to_le_bytes());
            if let Ok(heads) = Heads::read(layout(games), 0, &block) {
                prop_assert!(heads.head(0).is_some());
            }
        }

        /// Most of the block is intact, so that damage is also met further on.
        #[test]
        fn damage_that_its_checksum_hides_does_no_harm(all in heads(), at: usize, to: u8) {
            let mut block = write_heads(&all);
            let content = block.len() - 4;
            block[at % content] = to;
            let checksum = crc32fast::hash(&block[..content]);
            block[content..].copy_from_slice(&checksum.to_le_bytes());
            let _heads = Heads::read(layout(all.len()), 0, &block);
        }
    }
}
