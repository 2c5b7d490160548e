//! Fictitious players and places: names made of syllables, so that no real person is meant.

use plypack_core::SplitMix;

use super::rather_small;

/// The number of players, as a power of two.
const OCTAVES: u32 = 15;

/// The number, among a seed's generators, of the first that draws names; games have lower ones.
const NAMES: u64 = 1 << 63;
const PLACES: u64 = NAMES + (1 << 62);

const PLACES_COUNT: u32 = 400;

const ONSETS: [&str; 20] = [
    "b", "br", "d", "dr", "f", "g", "gl", "h", "k", "kr", "l", "m", "n", "p", "r", "s", "t", "v",
    "w", "z",
];
const VOWELS: [&str; 6] = ["a", "e", "i", "o", "u", "ai"];
const CODAS: [&str; 10] = ["", "", "", "", "l", "m", "n", "r", "s", "th"];

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Player {
    number: u32,
    /// The rating on the day of the game.
    pub rating: i32,
}

/// The players and places of a seed.
#[derive(Debug)]
pub(super) struct People {
    seed: u64,
}

impl People {
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Draws two different players of similar strength. Few play often and most seldom: player n
    /// plays about 1 / n times as often as the first.
    pub fn pair(&self, random: &mut SplitMix) -> [Player; 2] {
        let octave = random.below(OCTAVES);
        let near = (octave + random.below(3)).saturating_sub(1).min(OCTAVES - 1);
        let within =
            |octave: u32, random: &mut SplitMix| (1u32 << octave) + random.below(1u32 << octave);
        let first = within(octave, random);
        let second = within(near, random);
        let second = if first == second { second + 1 } else { second };
        [first, second].map(|number| self.player(number, random))
    }

    /// Returns a player by number, with the rating on the day of a game.
    fn player(&self, number: u32, random: &mut SplitMix) -> Player {
        let mut own = SplitMix::new(self.seed, NAMES + u64::from(number));
        let spread = |width: u32, random: &mut SplitMix| {
            let steps = (0..3).map(|_| random.below(width)).sum::<u32>();
            steps.cast_signed() - (3 * width / 2).cast_signed()
        };
        let usual = 2_750 - 80 * number.ilog2().cast_signed() + spread(100, &mut own);
        Player { number, rating: usual + spread(15, random) }
    }

    /// Returns a player's name, surname first.
    pub fn name(&self, player: Player) -> String {
        // The seed itself draws the rating.
        let random = &mut SplitMix::new(!self.seed, NAMES + u64::from(player.number));
        let mut name = String::with_capacity(24);
        let syllables = 2 + random.below(2);
        write_word(syllables, random, &mut name);
        name.push_str(", ");
        let syllables = 1 + random.below(2);
        write_word(syllables, random, &mut name);
        name
    }

    /// Returns the name of a place.
    fn place(&self, number: u32) -> String {
        let random = &mut SplitMix::new(self.seed, PLACES + u64::from(number));
        let mut name = String::with_capacity(16);
        write_word(2, random, &mut name);
        name
    }
}

/// Appends a word of this many syllables, capitalised.
fn write_word(syllables: u32, random: &mut SplitMix, out: &mut String) {
    fn one<'a>(of: &[&'a str], random: &mut SplitMix) -> &'a str {
        let count = u32::try_from(of.len()).unwrap_or(0);
        of.get(random.below(count) as usize).copied().unwrap_or_default()
    }
    let begin = out.len();
    for _ in 0..syllables {
        out.push_str(one(&ONSETS, random));
        out.push_str(one(&VOWELS, random));
        out.push_str(one(&CODAS, random));
    }
    if let Some(first) = out.get_mut(begin..begin + 1) {
        first.make_ascii_uppercase();
    }
}

/// A record's tags, and the data they are made from.
#[derive(Debug)]
pub(super) struct Tags {
    list: Vec<(&'static str, String)>,
    /// The players, the first to move first.
    pub players: [Player; 2],
    /// Marks every generated game as such, with its seed.
    pub event: String,
    place: u32,
    /// Year, month and day.
    pub date: [u32; 3],
    /// The round.
    pub round: u32,
}

impl Tags {
    /// Draws the time and place of a game between these players.
    pub fn new(random: &mut SplitMix, seed: u64, players: [Player; 2]) -> Self {
        // Most games are recent.
        let age = rather_small(random, 36);
        let date = [2_025 - age, 1 + random.below(12), 1 + random.below(28)];
        let place = rather_small(random, PLACES_COUNT);
        Self {
            list: Vec::with_capacity(16),
            players,
            event: format!("plypack synth, seed {seed}"),
            place,
            date,
            round: 1 + random.below(11),
        }
    }

    /// Returns the place.
    pub fn place(&self, people: &People) -> String {
        people.place(self.place)
    }

    /// Adds a tag.
    pub fn push(&mut self, name: &'static str, value: impl Into<String>) {
        self.list.push((name, value.into()));
    }

    /// Returns the tags in order.
    pub fn list(&self) -> Vec<(&str, &str)> {
        self.list.iter().map(|tag| (tag.0, tag.1.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn some_play_often_and_nobody_against_himself() {
        let people = People::new(3);
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for number in 0..2_000 {
            let pair = people.pair(&mut SplitMix::new(3, number));
            assert_ne!(pair[0].number, pair[1].number);
            for player in pair {
                assert!((1_000..3_000).contains(&player.rating), "{player:?}");
                *counts.entry(people.name(player)).or_default() += 1;
            }
        }
        let most = counts.values().max().copied().unwrap_or(0);
        assert!(counts.len() > 1_000 && most > 100, "{} names, {most}", counts.len());
        assert!(counts.keys().all(|name| name.is_ascii() && name.len() < 40));
    }
}
