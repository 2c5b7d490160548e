//! What each number is expected to be, by those before it.

use super::template::NUMBER_MAX;

/// What a number is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing.
    Bare,
    /// The same player's last one.
    Own,
    /// The last one of either player.
    Last,
    /// The same player's last one, moved on by its last change.
    Trend,
    /// The same player's last one, less another field of this comment: a clock after a move's time.
    Less(usize),
    /// The same player's last one, and another field of this comment.
    More(usize),
    /// By how much another field of this comment fell: a move's time from the clock.
    Fall(usize),
    /// The same player's last one, in the proportion of another field of this comment to its last.
    Ratio(usize),
    /// The same player's last one, in the proportion of the product of two other fields of this
    /// comment to their last: nodes by speed and time.
    Product(usize, usize),
    /// In percent, how many of the same player's comments counted so far: moves that he foresaw.
    Share,
}

/// Of each player, the mode of a subject.
pub(super) type Modes = [Option<Mode>; 2];

impl Mode {
    pub fn number(self) -> u64 {
        match self {
            Self::Bare => 0,
            Self::Own => 1,
            Self::Last => 2,
            Self::Trend => 3,
            Self::Less(_) => 4,
            Self::More(_) => 5,
            Self::Fall(_) => 6,
            Self::Ratio(_) => 7,
            Self::Product(..) => 8,
            Self::Share => 9,
        }
    }

    /// Returns the mode with this number, given the subjects of as many other fields as it needs.
    pub fn of(number: u64, others: impl FnMut() -> Option<usize>) -> Option<Self> {
        let mut other = others;
        Some(match number {
            0 => Self::Bare,
            1 => Self::Own,
            2 => Self::Last,
            3 => Self::Trend,
            4 => Self::Less(other()?),
            5 => Self::More(other()?),
            6 => Self::Fall(other()?),
            7 => Self::Ratio(other()?),
            8 => Self::Product(other()?, other()?),
            9 => Self::Share,
            _ => return None,
        })
    }

    /// The subjects of the other fields that it needs.
    pub fn others(self) -> impl Iterator<Item = usize> {
        let others = match self {
            Self::Bare | Self::Own | Self::Last | Self::Trend | Self::Share => [None, None],
            Self::Less(other) | Self::More(other) | Self::Fall(other) | Self::Ratio(other) => {
                [Some(other), None]
            }
            Self::Product(one, other) => [Some(one), Some(other)],
        };
        others.into_iter().flatten()
    }
}

/// A field's values so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Past {
    /// Of each player, the last three numbers, the latest first, and how many there were.
    pub own: [([i64; 3], u8); 2],
    /// The last two differences from what was expected of each player, the latest first.
    pub missed: [[i64; 2]; 2],
    /// The last number of either player.
    last: i64,
    /// Of each player, what his numbers are shares of.
    pub shares: [Share; 2],
}

impl Past {
    pub fn note(&mut self, side: usize, number: i64, missed: i64) {
        let ([first, second, _], count) = self.own[side];
        self.own[side] = ([number, first, second], (count + 1).min(3));
        self.missed[side] = [missed, self.missed[side][0]];
        self.last = number;
    }
}

/// How many of the times so far something happened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    happened: i64,
    times: i64,
}

/// The whole of which a share is a part: 100.0 %.
const WHOLE: i64 = 1_000;

/// The most times that are counted, and by how many they may be too many.
const TIMES_MAX: i64 = 1_024;
const FEWER_MAX: usize = 16;

impl Share {
    /// Returns the share, rounded down.
    fn number(self) -> i64 {
        (WHOLE * self.happened).checked_div(self.times).unwrap_or(0)
    }

    /// Returns the share if it happens the next time, or not.
    fn next(self, happens: bool) -> Self {
        let happened = self.happened + i64::from(happens);
        Self { happened, times: (self.times + 1).min(TIMES_MAX) }
    }

    /// Takes a number for the next share. If it is none, there were fewer times so far.
    pub fn note(&mut self, number: i64) {
        let next = [self.next(true), self.next(false)];
        let fewer = (1..=self.times).rev().take(FEWER_MAX).map(|times| {
            let happened = (number.clamp(0, WHOLE) * times + WHOLE - 1) / WHOLE;
            Self { happened, times }
        });
        let mut all = next.into_iter().chain(fewer);
        *self = all.find(|share| share.number() == number).unwrap_or(next[1]);
    }

    /// Swaps what a number is above the share if it happens: it does not, for one less.
    fn swapped(self, above: i64) -> i64 {
        let not = self.next(false).number() - self.next(true).number();
        match above {
            -1 => not,
            above if above == not => -1,
            above => above,
        }
    }
}

/// Returns what is expected of a subject's next number, given the values so far of all subjects.
pub(super) fn expected(mode: Mode, side: usize, subject: usize, pasts: &[Past]) -> i64 {
    let of = |subject: usize| pasts.get(subject).map_or(([0; 3], 0), |past| past.own[side]);
    let ([own, before, _], count) = of(subject);
    let change = if count > 1 { own - before } else { 0 };
    let number = match mode {
        Mode::Bare => 0,
        Mode::Own => own,
        Mode::Last => pasts.get(subject).map_or(0, |past| past.last),
        Mode::Trend => own + change,
        Mode::Share => pasts.get(subject).map_or(0, |past| past.shares[side].next(true).number()),
        // What was left over the last time is expected again.
        Mode::Less(_) | Mode::More(_) if count == 0 => 0,
        Mode::Less(other) => {
            let [now, then, _] = of(other).0;
            own - now + if count > 1 { change + then } else { 0 }
        }
        Mode::More(other) => {
            let [now, then, _] = of(other).0;
            own + now + if count > 1 { change - then } else { 0 }
        }
        Mode::Fall(other) => match of(other) {
            (_, ..2) => 0,
            ([now, then, _], 2) => then - now,
            ([now, then, earlier], _) => then - now + own - (earlier - then),
        },
        Mode::Ratio(other) => {
            let [now, then, _] = of(other).0;
            in_proportion(own, (now, 1), (then, 1))
        }
        Mode::Product(one, other) => {
            let ([now, then, _], [more, less, _]) = (of(one).0, of(other).0);
            in_proportion(own, (now, more), (then, less))
        }
    };
    number.clamp(-NUMBER_MAX, NUMBER_MAX)
}

/// Returns a number in the proportion of one product to another, or as it is if that is 0.
fn in_proportion(number: i64, now: (i64, i64), then: (i64, i64)) -> i64 {
    let product = |(one, other)| i128::from(one) * i128::from(other);
    // Each is below 2^50; what the product of all three has beyond 128 bits is left out below.
    let (mut now, mut then) = (product(now), product(then));
    if now.unsigned_abs() >> 64 > 0 {
        (now, then) = (now >> 40, then >> 40);
    }
    if then == 0 {
        return number;
    }
    let limit = i128::from(NUMBER_MAX);
    i64::try_from((i128::from(number) * now / then).clamp(-limit, limit)).unwrap_or(0)
}

/// Returns what is coded of how far a number is above what was expected of it, and the other way
/// round.
pub(super) fn swapped(mode: Mode, share: Share, above: i64) -> i64 {
    if mode == Mode::Share { share.swapped(above) } else { above }
}

/// Returns the mode, or without a field that it needs the player's last number, the best guess
/// then.
pub(super) fn usable(mode: Mode, here: &[usize]) -> Mode {
    if mode.others().all(|other| here.contains(&other)) { mode } else { Mode::Own }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is coded of the numbers of one player.
    fn missed(mode: Mode, numbers: &[&[i64]]) -> Vec<i64> {
        let mut pasts = vec![Past::default(); numbers[0].len()];
        let mut found = Vec::new();
        for row in numbers {
            let (&last, before) = row.split_last().expect("numbers");
            before.iter().zip(&mut pasts).for_each(|(&number, past)| past.note(0, number, 0));
            let subject = before.len();
            let share = pasts[subject].shares[0];
            let above = swapped(mode, share, last - expected(mode, 0, subject, &pasts));
            assert_eq!(swapped(mode, share, above), last - expected(mode, 0, subject, &pasts));
            found.push(above);
            pasts[subject].note(0, last, above);
            pasts[subject].shares[0].note(last);
        }
        found
    }

    #[test]
    fn products_are_followed() {
        let rows: [&[i64]; 3] = [&[3, 500, 1_500], &[4, 250, 1_000], &[1 << 49, 1 << 49, 7]];
        assert_eq!(missed(Mode::Product(0, 1), &rows)[..2], [1_500, 0]);
        let zero: [&[i64]; 3] = [&[0, 5, 70], &[9, 9, 71], &[9, 8, 64]];
        assert_eq!(missed(Mode::Product(0, 1), &zero), [70, 1, 1]);
    }

    #[test]
    fn shares_are_those_of_the_times_that_counted() {
        // Nothing was foreseen at first; then 1 of 1, 1 of 2, 2 of 3, 3 of 4, 3 of 5.
        let shares: Vec<[i64; 1]> = [0, 1_000, 500, 666, 750, 600].map(|share| [share]).to_vec();
        let shares: Vec<&[i64]> = shares.iter().map(|row| &row[..]).collect();
        assert_eq!(missed(Mode::Share, &shares)[3..], [0, 0, -1]);
        // Whatever it is told, what is coded comes back.
        let any: Vec<[i64; 1]> = (0..3_000).map(|at| [at * 7_919 % 1_403 - 200]).collect();
        let any: Vec<&[i64]> = any.iter().map(|row| &row[..]).collect();
        assert_eq!(missed(Mode::Share, &any).len(), 3_000);
    }
}
