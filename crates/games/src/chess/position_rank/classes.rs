//! The classes of positions, and how the ranks are laid out by class.
//!
//! A class fixes the number of squares for pawns and for pieces, so that its size is a product. One
//! factor, the splits, sums over the owners of the pieces and the number of promoted men. The first
//! side is the side to move.

use std::ops::Range;

use super::castling;
use super::en_passant::{CASES, KINDS};
use super::pawns::{PAWNS, Pawns};
use super::subsets::choose;
use super::words::{PIECES_MAX, PROMOTED_MAX, Set, Words, most_pieces};
use crate::common::wide::U192;

/// The greatest numbers, plus one, of pieces, of a side's pinned rooks and of a side's promoted
/// men.
const PIECES: usize = 2 * PIECES_MAX + 1;
const PINNED: usize = 3;
const PROMOTED: usize = PROMOTED_MAX + 1;

/// The number of groups of classes, by kind of case, both sides' rooks and pawns, and pieces; and
/// the number of classes.
const GROUPS: u32 = 3 * 3 * 3 * 9 * 9 * 33;
const CLASSES: usize = 49_545;

/// The largest sum of men, pawns and promoted men at which no file must be opposed.
const UNOPPOSED: usize = 40;

/// What the positions of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The kind of the en passant case.
    pub en_passant: usize,
    /// The number of rooks of each side that castling rights pin. If there are any, the king is
    /// pinned, too.
    pub rooks: [usize; 2],
    /// The number of pawns of each side.
    pub pawns: [usize; 2],
    /// The number of pieces that are not pinned, of both sides together.
    pub pieces: usize,
    /// The number of files that must be opposed.
    pub opposed: usize,
}

/// How the free pieces are split between the sides: a set of words for each.
pub type Split = [Set; 2];

impl Class {
    /// Returns the same class with as many opposed files as `promoted` promoted men require; `None`
    /// if there are too few pawns.
    pub fn with_promoted(self, promoted: usize) -> Option<Self> {
        let opposed = (self.load() + promoted).saturating_sub(UNOPPOSED);
        (opposed <= self.pawns[0].min(self.pawns[1])).then_some(Self { opposed, ..self })
    }

    /// Returns the number of men on the board.
    fn men(&self) -> usize {
        let kings = self.rooks.map(|rooks| usize::from(rooks > 0));
        self.pieces + [self.pawns, self.rooks, kings].as_flattened().iter().sum::<usize>()
    }

    /// Returns the number of men and pawns together.
    fn load(&self) -> usize {
        self.men() + self.pawns[0] + self.pawns[1]
    }

    /// Returns the number of squares for the pieces that are not pinned.
    pub fn space(&self) -> usize {
        let behind = if self.en_passant == 0 { 0 } else { 2 };
        64 - behind - (self.men() - self.pieces)
    }

    /// Returns the number of ways to choose the squares of the pieces.
    pub fn squares(&self) -> u64 {
        choose(self.space(), self.pieces)
    }

    /// Returns the number of ways to choose castling rights, the case of en passant, and the pawns.
    pub fn frames(&self, pawns: &Pawns) -> u64 {
        let castling: u64 = self.rooks.iter().map(|&rooks| castling::cases(rooks)).product();
        let arrangements = pawns.size(self.en_passant, self.pawns, self.opposed);
        castling * CASES[self.en_passant] * arrangements
    }

    /// Returns the possible numbers of promoted men, of both sides together.
    fn promoted(&self) -> Range<usize> {
        match (UNOPPOSED + self.opposed).checked_sub(self.load()) {
            Some(most) if self.opposed == 0 => 0..most + 1,
            Some(all) => all..all + 1,
            None => 0..0,
        }
    }

    /// Returns the possible numbers of our men among the promoted ones.
    fn our_promoted(&self, all: usize) -> Range<usize> {
        let [ours_max, theirs_max] = self.pawns.map(|pawns| PROMOTED_MAX - pawns);
        all.saturating_sub(theirs_max)..all.min(ours_max) + 1
    }

    /// Returns the number of the group: classes that differ only in `opposed` share it.
    fn group(&self) -> usize {
        let Self { en_passant, rooks, pawns, pieces, .. } = *self;
        let rooks = (en_passant * PINNED + rooks[0]) * PINNED + rooks[1];
        ((rooks * PAWNS + pawns[0]) * PAWNS + pawns[1]) * PIECES + pieces
    }

    /// Returns a class by its group.
    fn of_group(group: u32, opposed: u32) -> Self {
        let mut rest = group as usize;
        let mut digit = |radix| {
            let digit = rest % radix;
            rest /= radix;
            digit
        };
        let pieces = digit(PIECES);
        let [theirs, ours] = [digit(PAWNS), digit(PAWNS)];
        let [their_rooks, our_rooks] = [digit(PINNED), digit(PINNED)];
        Self {
            en_passant: digit(KINDS),
            rooks: [our_rooks, their_rooks],
            pawns: [ours, theirs],
            pieces,
            opposed: opposed as usize,
        }
    }
}

/// All classes, in order.
#[derive(Debug)]
pub struct Classes {
    /// In ascending order of `start`.
    rows: Vec<Row>,
    /// The first row of each group.
    groups: Vec<u32>,
    /// The number of words of both sides: by pinned rooks and pieces, as `tally` numbers them, then
    /// by both sides' promoted men.
    splits: Vec<[[u128; PROMOTED]; PROMOTED]>,
    /// The number of positions with one side to move.
    size: U192,
}

#[derive(Debug)]
struct Row {
    /// The number of positions in the classes before this one.
    start: U192,
    group: u32,
    opposed: u32,
}

impl Classes {
    pub fn new(pawns: &Pawns, words: &Words) -> Self {
        let mut classes = Self {
            rows: Vec::with_capacity(CLASSES),
            groups: Vec::with_capacity(GROUPS as usize),
            splits: count_splits(words),
            size: U192::default(),
        };
        let mut rows = 0;
        for group in 0..GROUPS {
            classes.groups.push(rows);
            for opposed in 0..9 {
                let class = Class::of_group(group, opposed);
                let size = classes.size_of(&class, pawns);
                if size != U192::default() {
                    classes.rows.push(Row { start: classes.size, group, opposed });
                    classes.size = classes.size.plus(size);
                    rows += 1;
                }
            }
        }
        classes
    }

    /// Returns the number of positions of the class with one side to move.
    pub fn size_of(&self, class: &Class, pawns: &Pawns) -> U192 {
        // Most classes are impossible.
        let frames = class.frames(pawns);
        if frames == 0 || class.promoted().is_empty() {
            return U192::default();
        }
        let splits: u128 = class
            .promoted()
            .flat_map(|all| class.our_promoted(all).map(move |ours| [ours, all - ours]))
            .map(|promoted| self.splits_of(class, promoted))
            .sum();
        U192::from(splits).times(class.squares()).times(frames)
    }

    /// Returns the number of positions with one side to move.
    pub fn size(&self) -> U192 {
        self.size
    }

    /// Returns the number of the first position of a class; `None` if there is no such class.
    pub fn start(&self, class: &Class) -> Option<U192> {
        let group = class.group();
        let first = *self.groups.get(group)? as usize;
        let rows = self.rows.get(first..)?.iter();
        let mut rows = rows.take_while(|row| row.group as usize == group);
        rows.find(|row| row.opposed as usize == class.opposed).map(|row| row.start)
    }

    /// Returns the class of the position with this number, and the number of its first position.
    pub fn find(&self, number: U192) -> Option<(Class, U192)> {
        let after = self.rows.partition_point(|row| !number.is_below(row.start));
        let row = self.rows.get(after.checked_sub(1)?)?;
        Some((Class::of_group(row.group, row.opposed), row.start))
    }

    fn splits_of(&self, class: &Class, [ours, theirs]: [usize; 2]) -> u128 {
        self.splits[tally(class.rooks, class.pieces)][ours][theirs]
    }

    /// Returns the number of the first naming of the pieces with this split. Fewer promoted men
    /// come first, then fewer of ours, then fewer of our pieces.
    pub fn split_start(&self, words: &Words, class: &Class, split: &Split) -> u128 {
        let promoted = split.map(|set| set.promoted);
        let all = promoted[0] + promoted[1];
        let mut start = 0;
        for fewer in class.promoted().start..all {
            for ours in class.our_promoted(fewer) {
                start += self.splits_of(class, [ours, fewer - ours]);
            }
        }
        for ours in class.our_promoted(all).start..promoted[0] {
            start += self.splits_of(class, [ours, all - ours]);
        }
        let fewer = splits(class.rooks, class.pieces, promoted).take_while(|other| other != split);
        start + fewer.map(|split| naming_count(words, &split)).sum::<u128>()
    }

    /// Returns the split of the naming with this number, and the number within that split.
    pub fn find_split(
        &self,
        words: &Words,
        class: &Class,
        mut number: u128,
    ) -> Option<(Split, u128)> {
        for all in class.promoted() {
            for ours in class.our_promoted(all) {
                let promoted = [ours, all - ours];
                let size = self.splits_of(class, promoted);
                if number >= size {
                    number -= size;
                    continue;
                }
                for split in splits(class.rooks, class.pieces, promoted) {
                    let size = naming_count(words, &split);
                    if number < size {
                        return Some((split, number));
                    }
                    number -= size;
                }
            }
        }
        None
    }
}

/// Returns the index into a table of splits.
fn tally(rooks: [usize; 2], pieces: usize) -> usize {
    (rooks[0] * PINNED + rooks[1]) * PIECES + pieces
}

fn count_splits(words: &Words) -> Vec<[[u128; PROMOTED]; PROMOTED]> {
    let mut counts = Vec::new();
    for rooks in (0..PINNED).flat_map(|ours| (0..PINNED).map(move |theirs| [ours, theirs])) {
        for pieces in 0..PIECES {
            let sum = |promoted| {
                let splits = splits(rooks, pieces, promoted);
                splits.map(|split| naming_count(words, &split)).sum()
            };
            counts.push(std::array::from_fn(|ours| {
                std::array::from_fn(|theirs| sum([ours, theirs]))
            }));
        }
    }
    counts
}

/// Iterates over the splits of `pieces` pieces with these promoted men, fewer of our pieces first.
fn splits(rooks: [usize; 2], pieces: usize, promoted: [usize; 2]) -> impl Iterator<Item = Split> {
    let [ours_max, theirs_max] =
        [most_pieces(rooks[0], promoted[0]), most_pieces(rooks[1], promoted[1])];
    (pieces.saturating_sub(theirs_max)..=pieces.min(ours_max)).map(move |ours| {
        [
            Set { pinned: rooks[0], promoted: promoted[0], pieces: ours },
            Set { pinned: rooks[1], promoted: promoted[1], pieces: pieces - ours },
        ]
    })
}

/// Returns the number of ways to choose which pieces are ours, and words for both sides.
fn naming_count(words: &Words, [ours, theirs]: &Split) -> u128 {
    let colors = choose(ours.pieces + theirs.pieces, ours.pieces);
    u128::from(colors * words.size(*ours)) * u128::from(words.size(*theirs))
}
