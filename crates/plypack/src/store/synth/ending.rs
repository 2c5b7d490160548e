//! How a generated game ends: by its rules, or else as such games usually do.

use plypack_core::{Sample, SplitMix, Verdict};

use super::people::Player;
use super::profile::Profile;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub outcome: Verdict,
    /// Whether the board shows it, so that nobody resigned or agreed to a draw.
    pub told: bool,
    /// The first player's material advantage.
    pub material: i32,
}

/// The share of games, in thousandths, that the better player scores beyond half for a rating
/// advantage of a thousand points.
const SLOPE: i32 = 450;

impl Ending {
    /// Returns the outcome that the board shows; otherwise draws one by material and ratings.
    pub fn of(
        profile: &Profile,
        sample: &Sample,
        players: [Player; 2],
        random: &mut SplitMix,
    ) -> Self {
        let Sample { outcome, material, .. } = *sample;
        if let Some(outcome) = outcome {
            return Self { outcome, told: true, material };
        }
        let [first, second] = players.map(|player| player.rating);
        let ahead = material.saturating_mul(profile.worth).saturating_add(first - second + 35);
        let share = 500 + ahead.clamp(-1_000, 1_000) * SLOPE / 1_000;
        // The clearer a game, the less often it is drawn.
        let draws = profile.draws * (500 - (share - 500).abs()) / 500;
        let place = random.below(1_000).cast_signed();
        let outcome = match place {
            place if place < share - draws / 2 => Verdict::First,
            place if place < share + draws / 2 => Verdict::Draw,
            _ => Verdict::Second,
        };
        Self { outcome, told: false, material }
    }

    /// Returns the result in PGN.
    pub fn pgn(self) -> &'static str {
        match self.outcome {
            Verdict::First => "1-0",
            Verdict::Draw => "1/2-1/2",
            Verdict::Second => "0-1",
        }
    }

    /// Returns the result in SGF, where `B` is the first player: the winner, and the margin if
    /// known.
    pub fn sgf(self, margin: &str) -> String {
        match self.outcome {
            Verdict::First => format!("B+{margin}"),
            Verdict::Draw => "0".to_owned(),
            Verdict::Second => format!("W+{margin}"),
        }
    }
}
