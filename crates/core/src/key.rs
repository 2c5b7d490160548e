//! Keys of positions: one number of 64 bits for everything that decides which moves may follow.
//!
//! Two positions have one key if they have the same men on the same cells of equally large boards,
//! the same player to move and the same rights, however they came about. Indices, books and caches
//! find positions by it, and files hold it, so it is part of the format: what is written here and
//! in the section "Key" of each game's `SPEC.md` never changes.
//!
//! A key is the exclusive or of one [`word`] for every fact that holds (A. Zobrist, "A new hashing
//! method with application for game playing", 1970). There is no table of constants to copy: the
//! words are numbers of SplitMix64, and a game says only which fact has which number:
//!
//! | number | fact |
//! |---|---|
//! | 0 ([`SECOND_TO_MOVE`]) | the second player is to move |
//! | 1 to 63 | the board has so many rows |
//! | 64 ([`FIRST_MAN`]) + kinds * cell + kind | such a man stands there; both count from 0 |
//! | beyond the men | what else decides in this game, such as rights to castle |
//!
//! Counters and results are no facts of a position, nor is what a record agrees on beside the
//! board, such as rules or komi: who asks for those filters what was found.

/// The step of SplitMix64: 2^64 divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The fact that the second player is to move. It counts when the game is over, too.
pub const SECOND_TO_MOVE: u32 = 0;

/// The fact that a man of kind 0 stands on cell 0.
pub const FIRST_MAN: u32 = 64;

/// The finaliser of SplitMix64 behind one step: the first number of a generator whose seed is
/// `word` (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators", 2014).
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(STEP);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The word of a fact: number `fact`, counted from 0, of a SplitMix64 whose seed is the game's
/// number times 2^56.
///
/// No word is 0, and no two words are equal, of one game or of two: as the step is odd, the states
/// of the generator come back after 2^64 steps only, and states of two games are a multiple of
/// 2^56 steps apart; from a state to its number there is a way back.
#[must_use]
pub const fn word(game: u8, fact: u32) -> u64 {
    mix(((game as u64) << 56).wrapping_add((fact as u64).wrapping_mul(STEP)))
}

/// The word of a man of this kind, of `kinds`, on this cell.
#[must_use]
pub const fn man(game: u8, kinds: u32, cell: u32, kind: u32) -> u64 {
    word(game, FIRST_MAN + kinds * cell + kind)
}

/// The words of all men by kind and then by cell. Programs work them out when they are first asked
/// for: what looks like chance cannot be compressed, and would make a page in a browser larger.
#[must_use]
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
