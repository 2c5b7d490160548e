//! What games look like: their length, how they end, and the tags of their records.

use plypack_core::{GameInfo, SplitMix};

use super::ending::Ending;
use super::people::{People, Tags};
use super::rather_small;

/// How games of one kind are generated.
#[derive(Debug)]
pub(super) struct Profile {
    game: &'static str,
    /// The layout of their records.
    pub layout: &'static str,
    /// Quantiles of the maximum number of plies: a sixteenth of the games lies between neighbours.
    plies: [u32; 17],
    /// The value of a unit of material, in rating points.
    pub worth: i32,
    /// Draws among a thousand even games that the board does not decide.
    pub draws: i32,
    /// The tags.
    tags: Kind,
}

/// A kind of tags.
#[derive(Debug)]
enum Kind {
    /// For games whose records name them as their variant.
    Variant,
    Chess,
    Xiangqi,
    Go,
    /// For a game with this number in SGF, and its board size.
    Smart(&'static str, &'static str),
}

/// Any length: played to the end.
const WHOLE: [u32; 17] = [1_024; 17];

/// The lengths come from the real games that models are trained on, without the very longest:
/// 250,292 over-the-board games of chess, 25,739 of xiangqi and 23,775 of go.
static PROFILES: [Profile; 5] = [
    Profile {
        game: "chess",
        layout: "pgn",
        plies: [5, 34, 43, 51, 57, 62, 67, 72, 77, 81, 85, 91, 98, 107, 118, 134, 200],
        worth: 130,
        draws: 550,
        tags: Kind::Chess,
    },
    Profile {
        game: "xiangqi",
        layout: "pgn",
        plies: [20, 42, 49, 55, 59, 64, 68, 72, 77, 82, 88, 95, 103, 114, 127, 152, 220],
        worth: 100,
        draws: 550,
        tags: Kind::Xiangqi,
    },
    Profile {
        game: "go",
        layout: "sgf body=n tail=n",
        plies: [10, 87, 118, 137, 152, 165, 177, 189, 202, 214, 228, 243, 256, 269, 282, 300, 350],
        worth: 0,
        draws: 0,
        tags: Kind::Go,
    },
    Profile {
        game: "othello",
        layout: "sgf body=n tail=n",
        plies: WHOLE,
        worth: 0,
        draws: 0,
        tags: Kind::Smart("2", "8"),
    },
    Profile {
        game: "gomoku",
        layout: "sgf body=n tail=n",
        plies: WHOLE,
        worth: 0,
        draws: 0,
        tags: Kind::Smart("4", "15"),
    },
];

/// The profile of every other game.
static OTHER: Profile =
    Profile { game: "", layout: "pgn", plies: WHOLE, worth: 0, draws: 0, tags: Kind::Variant };

impl Profile {
    /// Returns the profile of the game with this name.
    pub fn of(game: &str) -> &'static Self {
        PROFILES.iter().find(|profile| profile.game == game).unwrap_or(&OTHER)
    }

    /// Draws the maximum number of plies of a game.
    pub fn plies(&self, random: &mut SplitMix) -> u32 {
        let part = random.below(16) as usize;
        let (from, to) = (self.plies.get(part), self.plies.get(part + 1));
        let (from, to) = (from.copied().unwrap_or(0), to.copied().unwrap_or(0));
        from + random.below((to + 1).saturating_sub(from))
    }

    /// Adds the tags of a game.
    pub fn fill(
        &self,
        info: &GameInfo,
        tags: &mut Tags,
        people: &People,
        ending: Ending,
        random: &mut SplitMix,
    ) {
        match self.tags {
            Kind::Chess => {
                fill_pgn(tags, people, ["White", "Black"], ending.pgn());
                for (name, place) in [("WhiteElo", 0), ("BlackElo", 1)] {
                    let rating = tags.players.get(place).map_or(0, |player| player.rating);
                    tags.push(name, rating.to_string());
                }
            }
            Kind::Xiangqi => {
                tags.push("Game", "Chinese Chess");
                fill_pgn(tags, people, ["Red", "Black"], ending.pgn());
            }
            Kind::Variant => {
                tags.push("Variant", info.variants.first().copied().unwrap_or(info.name));
                fill_pgn(tags, people, ["White", "Black"], ending.pgn());
            }
            Kind::Go => {
                fill_sgf(tags, people, ["1", "19"], |tags| {
                    tags.push("Komi", "6.5");
                    let [black, white] = tags.players.map(|player| rank(player.rating));
                    tags.push("BlackRank", black);
                    tags.push("WhiteRank", white);
                });
                let margin = match random.below(16) {
                    0..8 => "R".to_owned(),
                    8 => "T".to_owned(),
                    _ => format!("{}.5", rather_small(random, 40)),
                };
                tags.push("Result", ending.sgf(&margin));
            }
            Kind::Smart(number, size) => {
                fill_sgf(tags, people, [number, size], |_| {});
                // In Othello the discs are counted.
                let margin = match number {
                    "2" => ending.material.abs().to_string(),
                    _ => String::new(),
                };
                tags.push("Result", ending.sgf(&margin));
            }
        }
    }
}

/// Returns the rank of a go player.
fn rank(rating: i32) -> String {
    match (rating - 2_100) / 100 {
        dan @ 0.. => format!("{}d", 1 + dan.min(8)),
        kyu => format!("{}k", kyu.abs().clamp(1, 30)),
    }
}

/// Adds the seven standard tags of PGN.
fn fill_pgn(tags: &mut Tags, people: &People, colours: [&'static str; 2], result: &'static str) {
    let [year, month, day] = tags.date;
    tags.push("Event", tags.event.clone());
    tags.push("Site", tags.place(people));
    tags.push("Date", format!("{year}.{month:02}.{day:02}"));
    tags.push("Round", tags.round.to_string());
    for (colour, player) in colours.into_iter().zip(tags.players) {
        tags.push(colour, people.name(player));
    }
    tags.push("Result", result);
}

/// Adds the properties that every SGF game has, except its result.
fn fill_sgf(
    tags: &mut Tags,
    people: &People,
    [game, size]: [&'static str; 2],
    own: impl FnOnce(&mut Tags),
) {
    let [year, month, day] = tags.date;
    for (name, value) in [("GM", game), ("FF", "4"), ("Charset", "UTF-8"), ("Size", size)] {
        tags.push(name, value);
    }
    for (colour, player) in ["Black", "White"].into_iter().zip(tags.players) {
        tags.push(colour, people.name(player));
    }
    own(tags);
    tags.push("Event", tags.event.clone());
    tags.push("Site", tags.place(people));
    tags.push("Date", format!("{year}-{month:02}-{day:02}"));
    tags.push("Round", tags.round.to_string());
}
