//! Hash keys of positions: 64 bits for everything that decides which moves may follow.
//!
//! Two positions have the same key if they have the same men on the same cells of boards of the
//! same size, the same side to move and the same rights: transpositions share a key. Indices, books
//! and caches find positions by key, and files contain keys, so they are part of the format: the
//! definition here and in the section "Key" of each game's `SPEC.md` never changes.
//!
//! A key is the exclusive or of one [`word`] for every fact that holds (Zobrist hashing: A.
//! Zobrist, "A new hashing method with application for game playing", 1970). There is no table of
//! constants to copy: the words come from SplitMix64, and a game only numbers its facts:
//!
//! | number | fact |
//! |---|---|
//! | 0 ([`SECOND_TO_MOVE`]) | the second player is to move |
//! | 1 to 63 | the board has so many rows |
//! | 64 ([`FIRST_MAN`]) + kinds * cell + kind | such a man stands there; both count from 0 |
//! | beyond the men | whatever else decides in this game, such as castling rights |
//!
//! Counters and results are not facts, nor are a record's agreements besides the board, such as
//! rules or komi: a search for those filters its results.

/// The step of SplitMix64: 2^64 divided by the golden ratio, made odd.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The fact that the second player is to move, also when the game is over.
pub const SECOND_TO_MOVE: u32 = 0;

/// The fact that a man of kind 0 stands on cell 0.
pub const FIRST_MAN: u32 = 64;

/// One step of SplitMix64 and its finaliser: the first number of a generator whose seed is `word`
/// (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators", 2014).
pub const fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(STEP);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The word of a fact: number `fact`, counted from 0, of a SplitMix64 whose seed is the game's
/// number times 2^56.
///
/// No word is 0, and no two words are equal, within a game or between two: as the step is odd, the
/// generator's states repeat only after 2^64 steps, the states of two games are a multiple of 2^56
/// steps apart, and the finaliser is invertible.
pub const fn word(game: u8, fact: u32) -> u64 {
    mix(((game as u64) << 56).wrapping_add((fact as u64).wrapping_mul(STEP)))
}

/// Returns the word of a man of kind `kind`, of `kinds`, on cell `cell`.
pub const fn man(game: u8, kinds: u32, cell: u32, kind: u32) -> u64 {
    word(game, FIRST_MAN + kinds * cell + kind)
}

/// Returns the words of all men by kind, then by cell. They are computed at first use: random
/// numbers do not compress, so a table would make the browser's page larger.
pub const fn men<const KINDS: usize, const CELLS: usize>(game: u8) -> [[u64; CELLS]; KINDS] {
    let mut men = [[0; CELLS]; KINDS];
    let (mut at, mut fact) = (0, FIRST_MAN);
    while at < KINDS * CELLS {
        men[at % KINDS][at / KINDS] = word(game, fact);
        at += 1;
        fact += 1;
    }
    men
}

/// Returns a hash of words in this order, unrelated to the exclusive or of a key, for
/// [`Rules::second_key`](crate::game::Rules::second_key).
pub fn second_key(words: impl IntoIterator<Item = u64>) -> u32 {
    let hash = words.into_iter().fold(0, |hash, word| mix(hash ^ word));
    // The upper half, which fits.
    u32::try_from(hash >> 32).unwrap_or(0)
}

/// What changes seldom along a line of a game, as two hashes. Positions of the same structure are
/// reached by nearly the same games, so that an index lists these once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// The men that move seldom, on their cells: in chess the pawns.
    pub frame: u64,
    /// How many men of each kind there are.
    pub men: u64,
}

impl Structure {
    /// Returns the structure under which an index lists a position reached in a variation.
    #[must_use]
    pub const fn in_variation(self) -> Self {
        Self { frame: in_variation(self.frame), men: self.men }
    }
}

/// Returns the key under which an index lists a position reached in a variation. It differs from
/// that of the main line, to distinguish the two, and the function is its own inverse.
pub const fn in_variation(key: u64) -> u64 {
    key ^ mix(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The first numbers of the generator with seed 1234567, from the test of another program
    /// (Rosetta Code, "Pseudo-random numbers/Splitmix64").
    #[test]
    fn the_generator_is_splitmix64() {
        let number = |place: u64| mix(1_234_567u64.wrapping_add(STEP.wrapping_mul(place)));
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([0, 1, 2, 3, 4].map(number), expected);
    }

    #[test]
    fn words_of_all_games_differ() {
        let facts = (0..=u8::MAX).flat_map(|game| (0..2_000).map(move |fact| word(game, fact)));
        let words: BTreeSet<u64> = facts.collect();
        assert_eq!(words.len(), 256 * 2_000);
        assert!(!words.contains(&0));
        let by_kind = [[64, 67], [65, 68], [66, 69]].map(|kind| kind.map(|fact| word(6, fact)));
        assert_eq!(men::<3, 2>(6), by_kind);
        assert_eq!(man(6, 3, 1, 2), by_kind[2][1]);
    }
}
