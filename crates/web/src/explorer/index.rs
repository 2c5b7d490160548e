//! A position index, whose bytes the page fetches: the ranges to read for a position, and their
//! content.

use std::ops::Range;

use plypack_core::Outcome;
use plypack_core::key::Structure;
use plypack_index::{
    Entry, Footer, Head, Heads, MoveSum, Opened, Shared, Spot, Sum, Visit, read_remains,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use super::position::Position;

/// An open index.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Index {
    footer: Footer,
}

/// The content of a page for a position.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug, Default)]
pub struct Found {
    /// The numbers of games in the index; all have to be decoded.
    pub few: Vec<u32>,
    /// For each block, its beginning, the end of the part to read first, and its end.
    pub blocks: Vec<u64>,
}

/// The games that reach a position, each with the candidate played there; -1 if it ends there.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug, Default)]
pub struct Visits {
    /// The numbers of the games in the index, ascending.
    pub games: Vec<u32>,
    /// The candidates played.
    pub candidates: Vec<i32>,
}

/// A position that many games share.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Block {
    shared: Shared,
}

/// Facts about games, in the order of their list.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug, Default)]
pub struct Told {
    /// Their numbers in the index.
    pub games: Vec<u32>,
    /// The candidates played at a position, if known; -1 if they end there.
    pub candidates: Vec<i32>,
    /// The players of White, in xiangqi Red.
    pub whites: Vec<String>,
    /// The players of Black.
    pub blacks: Vec<String>,
    /// White's rating, Black's rating, the year and the outcome of each game; 0 if unknown.
    pub facts: Vec<u16>,
}

#[wasm_bindgen]
impl Index {
    /// Returns the beginning of the end of an index of `size` bytes that has to be read; 0 if
    /// `tail`, its last bytes, contains it.
    ///
    /// # Errors
    /// Returns an error if it is not an index, has another version or is damaged.
    pub fn needs(size: u64, tail: &[u8]) -> Result<u64, JsError> {
        Ok(match Footer::read(size, tail)? {
            Opened::Footer(_) => 0,
            Opened::Needs(range) => range.start,
        })
    }

    /// Opens an index of `size` bytes by its last bytes.
    ///
    /// # Errors
    /// Returns an error if it is not an index, has another version or is damaged.
    #[wasm_bindgen(constructor)]
    pub fn new(size: u64, tail: &[u8]) -> Result<Self, JsError> {
        match Footer::read(size, tail)? {
            Opened::Footer(footer) => Ok(Self { footer }),
            Opened::Needs(_) => Err(JsError::new("the index is damaged: its end is missing")),
        }
    }

    /// The ids of the row groups covered, 16 bytes each.
    pub fn ids(&self) -> Vec<u8> {
        self.footer.groups().iter().flat_map(|group| group.id).collect()
    }

    /// The number of games of each of these.
    pub fn games(&self) -> Vec<u32> {
        self.footer.groups().iter().map(|group| group.games).collect()
    }

    /// Returns the range to read for a position.
    pub fn page(&self, position: &Position) -> Vec<u64> {
        let range = self.footer.page(position.place());
        vec![range.start, range.end]
    }

    /// Looks up the position in that range.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn find(&self, position: &Position, page: &[u8], start: u64) -> Result<Found, JsError> {
        Ok(self.footer.layout().find(position.place(), page, start)?.into_iter().collect())
    }

    /// Returns the ranges of the pages to read for a frame, their beginnings and ends alternating.
    pub fn frame_pages(&self, frame: u64) -> Vec<u64> {
        let pages = self.footer.pages_of_frame(place_of(frame));
        pages.flat_map(|number| bounds(&self.footer.page_at(number).1[0])).collect()
    }

    /// Looks up a frame in one of these pages; of its blocks all games have to be read.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn find_frame(&self, frame: u64, page: &[u8], start: u64) -> Result<Found, JsError> {
        let found = self.footer.layout().find_frame(place_of(frame), page, start)?;
        Ok(found.into_iter().collect())
    }

    /// Reads the games of a whole block, whatever its key.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn block_games(&self, block: &[u8]) -> Result<Vec<u32>, JsError> {
        Ok(Shared::all_games(self.footer.layout(), block)?)
    }

    /// Returns the ranges of the blocks of remains, their beginnings and ends alternating.
    pub fn remains(&self) -> Vec<u64> {
        let blocks = 0..self.footer.remains_blocks();
        blocks.flat_map(|number| bounds(&self.footer.remains(number))).collect()
    }

    /// Reads the block of remains with this number: what is left of each of its games.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn left(&self, number: u32, block: &[u8]) -> Result<Vec<u64>, JsError> {
        Ok(read_remains(self.footer.layout(), number, block)?)
    }

    /// Returns the range with the head of a game and its neighbours.
    pub fn heads(&self, game: u32) -> Vec<u64> {
        let range = self.footer.heads(game);
        vec![range.start, range.end]
    }

    /// Reads the heads of these games, all of which are in the range.
    ///
    /// # Errors
    /// Returns an error if it is damaged, or lacks one of them.
    pub fn tell(&self, games: &[u32], heads: &[u8]) -> Result<Told, JsError> {
        let mut told = Told::default();
        let Some(first) = games.first() else { return Ok(told) };
        let heads = Heads::read(self.footer.layout(), *first, heads)?;
        for &game in games {
            let head = heads.head(game).ok_or_else(|| JsError::new("a game is elsewhere"))?;
            told.add(game, head);
        }
        Ok(told)
    }

    /// Reads the beginning of a block; `None` if it is another key's.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn block(&self, key: u64, block: &[u8]) -> Result<Option<Block>, JsError> {
        let shared = Shared::read(self.footer.layout(), key, block)?;
        Ok(shared.map(|shared| Block { shared }))
    }
}

#[wasm_bindgen]
impl Block {
    /// The number of games.
    pub fn records(&self) -> f64 {
        self.shared.records as f64
    }

    /// The candidates played, most frequent first; last, if games end here, -1.
    pub fn candidates(&self) -> Vec<i32> {
        let played = self.shared.moves.iter().map(|played| i32::from(played.candidate));
        played.chain(self.shared.ended.map(|_| -1)).collect()
    }

    /// For each of these: the numbers of games, wins of White, draws, wins of Black and rated
    /// games, the sum of the ratings, and the last year or 0.
    pub fn sums(&self) -> Vec<f64> {
        let sums = self.shared.moves.iter().map(|MoveSum { sum, .. }| *sum);
        sums.chain(self.shared.ended).flat_map(numbers).collect()
    }

    /// Its examples; empty for a position with few games.
    pub fn examples(&self) -> Told {
        let mut told = Told::default();
        for example in &self.shared.examples {
            told.candidates.push(number(example.candidate));
            told.add(example.game, example.head.clone());
        }
        told
    }

    /// The games that prove the position, if no line does.
    pub fn best(&self) -> Vec<u32> {
        self.shared.best.iter().map(|visit| visit.game).collect()
    }

    /// Whether the block is this position's, by a line that leads to it; `None` without such a
    /// line.
    ///
    /// # Errors
    /// Returns an error if the line is invalid.
    pub fn shows(&self, position: &Position) -> Result<Option<bool>, JsError> {
        let Some(witness) = &self.shared.witness else { return Ok(None) };
        Ok(Some(position.is_behind(witness.start.as_deref(), &witness.candidates)?))
    }

    /// The first of its games.
    pub fn first(&self) -> Visits {
        self.shared.first_games().iter().copied().collect()
    }

    /// Whether these are all.
    pub fn is_whole(&self) -> bool {
        self.shared.is_whole()
    }

    /// Reads all of its games from the bytes of the whole block.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub fn all(&self, block: &[u8]) -> Result<Visits, JsError> {
        Ok(self.shared.games(block).collect::<Result<Visits, _>>()?)
    }
}

impl Told {
    fn add(&mut self, game: u32, head: Head) {
        let outcome = Outcome::number(head.outcome).into();
        let players = head.players;
        let known = [players.white_rating, players.black_rating, head.year];
        self.games.push(game);
        self.whites.push(players.white);
        self.blacks.push(players.black);
        self.facts.extend(known.map(Option::unwrap_or_default));
        self.facts.push(outcome);
    }
}

impl FromIterator<Visit> for Visits {
    fn from_iter<I: IntoIterator<Item = Visit>>(visits: I) -> Self {
        let mut all = Self::default();
        for visit in visits {
            all.games.push(visit.game);
            all.candidates.push(number(visit.candidate));
        }
        all
    }
}

impl FromIterator<Entry> for Found {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut found = Self::default();
        for entry in entries {
            match entry {
                Entry::Few(games) => found.few.extend(games),
                Entry::Block(block) => {
                    let whole = block.whole();
                    found.blocks.extend([whole.start, block.head().end, whole.end]);
                }
            }
        }
        found
    }
}

/// Where indices begin to list a frame.
fn place_of(frame: u64) -> u64 {
    Spot { structure: Structure { frame, men: 0 }, key: 0 }.place()
}

/// A range as two numbers.
fn bounds(range: &Range<u64>) -> [u64; 2] {
    [range.start, range.end]
}

/// A candidate as a number; -1 for the end of a game.
pub(super) fn number(candidate: Option<u16>) -> i32 {
    candidate.map_or(-1, i32::from)
}

fn numbers(sum: Sum) -> [f64; 7] {
    let Sum { records, white, draws, black, rated, rating_sum, last_year } = sum;
    let counts = [records, white, draws, black, rated, rating_sum];
    let [records, white, draws, black, rated, rating_sum] = counts.map(|count| count as f64);
    let last_year = f64::from(last_year.unwrap_or_default());
    [records, white, draws, black, rated, rating_sum, last_year]
}
