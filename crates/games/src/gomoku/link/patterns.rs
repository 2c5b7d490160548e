//! The stones on a line around an empty point, from one side's point of view: the number of the
//! pattern, the class of what a stone would make there, and the worth of the fives through the
//! point.

use plypack_core::each;
use std::sync::LazyLock;

use crate::gomoku::Rule;
use crate::gomoku::order::{NOBODYS, OURS, THEIRS};

/// Number of codes of a window of four points on either side.
const CODES: usize = 6561;

/// Number of patterns: codes that are mirror images of each other share one.
pub const PATTERNS: usize = (CODES + 81) / 2;

/// Number of classes: nothing, one, two, open two, three, open three, four, open four, five.
pub const CLASSES: usize = 9;

/// The class of an open two.
pub const OPEN_TWO: u8 = 3;
/// The class of a three.
pub const THREE: u8 = 4;
/// The class of an open three.
pub const OPEN_THREE: u8 = 5;
/// The class of a four.
pub const FOUR: u8 = 6;
/// The class of an open four.
pub const OPEN_FOUR: u8 = 7;
/// The class of a five.
pub const FIVE: u8 = 8;

/// What a window means to the side whose stones are its digits 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pattern {
    /// The number of the pattern.
    pub number: u16,
    /// What the side's stone on the point would make.
    pub class: u8,
    /// The worth of the fives through the point if the side is to move.
    pub ours: u32,
    /// The same if the other side is to move, without the fives that have no stone.
    pub theirs: u32,
}

/// The patterns by code.
#[derive(Debug)]
pub struct Patterns(Box<[Pattern; CODES]>);

impl Patterns {
    /// Returns the patterns of a rule.
    pub fn of(rule: Rule) -> &'static Self {
        match rule {
            Rule::Freestyle => &FREESTYLE,
            Rule::Standard => &STANDARD,
        }
    }

    /// Returns the pattern around the point at `place` on a line. Bit 4 of the sets is the line's
    /// first point; `own` has the side's stones, `closed` the other's and bits beyond the line.
    #[inline(always)]
    pub fn look(&self, own: u32, closed: u32, place: u8) -> Pattern {
        let code = THREES[around(own, place)] + 2 * THREES[around(closed, place)];
        self.0[code % CODES]
    }

    /// Returns the pattern with this code: the digits of the points around, 1 for the side's
    /// stones, 2 for closed points.
    pub fn of_code(&self, code: usize) -> Pattern {
        self.0[code % CODES]
    }

    fn new(exact: bool) -> Self {
        let mut patterns = Box::new([Pattern::default(); CODES]);
        let mut number = 0;
        for code in 0..CODES {
            let mirrored = mirror(code);
            if mirrored < code {
                patterns[code].number = patterns[mirrored].number;
            } else {
                patterns[code].number = number;
                number += 1;
            }
        }
        // One more stone gives a larger code, whose class is already known.
        for code in (0..CODES).rev() {
            let fives = Fives::new(digits(code), exact);
            let makes = |class| {
                let mut filled = (0..8).filter(|&place| code / 3usize.pow(place) % 3 == 0);
                filled.any(|place| patterns[code + 3usize.pow(place)].class == class)
            };
            let class = match fives.most {
                None => 0,
                Some(1) => 1,
                Some(2) => 2 + u8::from(makes(OPEN_THREE)),
                Some(3) => THREE + u8::from(makes(OPEN_FOUR)),
                Some(4) => FOUR + u8::from(fives.completing.count_ones() > 1),
                Some(_) => FIVE,
            };
            patterns[code] =
                Pattern { class, ours: fives.ours, theirs: fives.theirs, ..patterns[code] };
        }
        Self(patterns)
    }
}

static FREESTYLE: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(false));
static STANDARD: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(true));

/// Returns the eight points around a place, without the place itself.
fn around(set: u32, place: u8) -> usize {
    let window = set >> place;
    (window & 15 | window >> 1 & 0xf0) as usize
}

/// By number: the sum of the powers of three of its bits.
const THREES: [usize; 256] = {
    let mut threes = [0; 256];
    each!(number, 1, 256, threes[number] = 3 * threes[number / 2] + number % 2);
    threes
};

/// Returns the digits of a code, with the side's stone in the middle.
fn digits(code: usize) -> [usize; 9] {
    let digit = |place: u32| code / 3usize.pow(place) % 3;
    std::array::from_fn(|place| match u32::try_from(place).unwrap_or(0) {
        4 => 1,
        before @ 0..4 => digit(before),
        after => digit(after - 1),
    })
}

/// Returns the code of the mirror image.
fn mirror(code: usize) -> usize {
    (0..8).fold(0, |mirrored, place| mirrored * 3 + code / 3usize.pow(place) % 3)
}

/// The fives through a point with the side's stone.
#[derive(Default)]
struct Fives {
    /// The most stones, including the new one, on a five that is still possible.
    most: Option<usize>,
    /// The points that would complete the fives with four.
    completing: u16,
    ours: u32,
    theirs: u32,
}

impl Fives {
    fn new(cells: [usize; 9], exact: bool) -> Self {
        let mut fives = Self::default();
        for first in 0..5 {
            let five = &cells[first..first + 5];
            let beside = [first.checked_sub(1), Some(first + 5)];
            let beyond = beside.iter().flatten().any(|&at| cells.get(at) == Some(&1));
            if five.contains(&2) || exact && beyond {
                continue;
            }
            let stones = five.iter().filter(|&&cell| cell == 1).count();
            fives.most = fives.most.max(Some(stones));
            if stones == 4 {
                let gap = five.iter().position(|&cell| cell == 0).unwrap_or(0);
                fives.completing |= 1 << (first + gap);
            }
            fives.ours += if stones == 1 { NOBODYS } else { OURS[stones - 2] };
            fives.theirs += if stones == 1 { 0 } else { THEIRS[stones - 2] };
        }
        fives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pattern around the point `.` of a line: `x` for the side's stones, `o` for
    /// closed points, `-` for empty points.
    fn pattern(rule: Rule, line: &str) -> Pattern {
        let set = |wanted: u8| {
            let bits = line.bytes().zip(4..).filter(|&(symbol, _)| symbol == wanted);
            bits.fold(0, |set, (_, bit)| set | 1 << bit)
        };
        let points = ((1u32 << line.len()) - 1) << 4;
        let place = u8::try_from(line.find('.').expect("a point")).expect("a short line");
        Patterns::of(rule).look(set(b'x'), set(b'o') | !points, place)
    }

    #[test]
    fn stones_are_classed_by_what_they_make() {
        let cases = [
            ("xx.xx", 8),
            ("-xxx.-", 7),
            ("x-x.x-x", 7),
            ("oxxx.-", 6),
            ("xx.x-", 6),
            ("--xx.--", 5),
            ("-x-x.--", 5),
            ("oxx.--", 4),
            ("-xx.-", 4),
            ("--x.---", 3),
            ("ox.---", 2),
            ("o.----", 1),
            ("o.---o", 0),
            (".", 0),
        ];
        for (line, class) in cases {
            assert_eq!(pattern(Rule::Freestyle, line).class, class, "{line}");
        }
        assert_eq!(pattern(Rule::Freestyle, "-xxx.x-").class, FIVE);
        assert_eq!(pattern(Rule::Standard, "-xxx.x-").class, FIVE);
        assert_eq!(pattern(Rule::Freestyle, "xxx.xx").class, FIVE);
        assert!(pattern(Rule::Standard, "xxx.xx").class < FOUR);
    }

    #[test]
    fn mirror_images_share_their_number() {
        for code in 0..CODES {
            let [there, back] = [code, mirror(code)].map(|code| FREESTYLE.0[code].number);
            assert_eq!(there, back);
            assert!(usize::from(there) < PATTERNS);
        }
    }
}
