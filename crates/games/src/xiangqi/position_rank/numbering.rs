//! Placements in order: all of them, or those with nothing between facing kings on one file.
//!
//! A class fixes the number of points left in each half of the board, so that its size is a product
//! of the ways to fill each half with a court and pawns and the ways to place the officers.

use super::courts::{Courts, SIZES};
use super::officers::Officers;
use super::pawns::{COUNTS, GROUNDS, Pawns};
use super::placement::{Half, Placement, on_board};
use super::places::{NOWHERE, choose, number_of, place, points, raise, set_of};
use crate::common::wide::{U192, lower};

/// Numbers of points of half a board, and of a whole one.
const HALF: usize = 45;
const BOARD: usize = 2 * HALF;

/// The numbers of a side's pawns that have not crossed the river and that have: at most five
/// together.
const ARMIES: [[usize; 2]; 21] = {
    let mut armies = [[0; 2]; 21];
    let (mut home, mut crossed, mut place) = (5, 0, 0);
    while place < 21 {
        armies[place] = [home, crossed];
        place += 1;
        if crossed > 0 {
            crossed -= 1;
        } else if home > 0 {
            home -= 1;
            crossed = 5 - home;
        }
    }
    armies
};

/// Returns the index of an army in that list.
fn army_place([home, crossed]: [usize; 2]) -> usize {
    let fewer = 5 - home;
    fewer * (fewer + 1) / 2 + fewer - crossed
}

/// The filling of half a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Filling {
    /// U192 of points that the court takes.
    size: usize,
    /// Numbers of pawns of the half's owner, and of the other side.
    pawns: usize,
    crossed: usize,
}

impl Filling {
    /// Returns the number of points that the court and the owner's pawns leave.
    fn left(self) -> usize {
        HALF - self.size - self.pawns
    }
}

/// A numbering of placements with courts of one kind.
#[derive(Debug)]
pub struct Numbering {
    courts: Courts,
    /// The size of the largest court, and the number of sizes.
    largest: usize,
    sizes: usize,
    /// By the size of the court, the grounds that it leaves, and the number of pawns: the number of
    /// ways to place court and pawns on earlier grounds; and on all grounds.
    starts: Vec<[[u64; COUNTS]; GROUNDS]>,
    homes: Vec<[u64; COUNTS]>,
    /// By class, the number of placements of the classes before it.
    classes: Vec<U192>,
    /// The upper bits of those, which are faster to search.
    tops: Vec<u64>,
    size: U192,
}

/// Returns the bits from 70 up of a number below 2^134, which are monotonic in the number.
fn top(number: U192) -> u64 {
    let (high, low) = number.parts();
    high << 58 | lower(low >> 70)
}

impl Numbering {
    /// Builds the numbering of all placements, or of those with facing kings on one file.
    pub fn new(file: Option<u8>, pawns: &Pawns, officers: &Officers) -> Self {
        let courts = Courts::new(file);
        let mut starts = vec![[[0; COUNTS]; GROUNDS]; SIZES];
        let mut homes = vec![[0; COUNTS]; SIZES];
        for size in courts.sizes() {
            for (grounds, start) in starts[size].iter_mut().enumerate() {
                *start = homes[size];
                for (count, homes) in homes[size].iter_mut().enumerate() {
                    *homes += courts.count(size, grounds) * pawns.count(grounds, count);
                }
            }
        }
        let mut numbering = Self {
            largest: *courts.sizes().end(),
            sizes: courts.sizes().count(),
            courts,
            starts,
            homes,
            classes: Vec::new(),
            tops: Vec::new(),
            size: U192::default(),
        };
        for class in 0..ARMIES.len().pow(2) * numbering.sizes.pow(2) {
            let fillings = numbering.fillings(class);
            numbering.classes.push(numbering.size);
            numbering.tops.push(top(numbering.size));
            let [ours, theirs] = fillings.map(|filling| numbering.halves(filling));
            let size = u128::from(ours * theirs) * officers.count(left(fillings));
            numbering.size = numbering.size.plus(size.into());
        }
        numbering
    }

    /// Returns the number of placements.
    pub fn size(&self) -> U192 {
        self.size
    }

    /// Returns the class of these fillings: by Red's army, Black's army, and the sizes of the
    /// courts, large ones first.
    fn class(&self, [red, black]: [Filling; 2]) -> usize {
        let mut class = army_place([red.pawns, black.crossed]) * ARMIES.len();
        class += army_place([black.pawns, red.crossed]);
        class = class * self.sizes + self.largest - red.size;
        class * self.sizes + self.largest - black.size
    }

    /// Returns the fillings of Red's half and of Black's in a class.
    fn fillings(&self, class: usize) -> [Filling; 2] {
        let Self { largest, sizes, .. } = *self;
        let armies = class / sizes / sizes;
        let [red, black] = [ARMIES[armies / ARMIES.len()], ARMIES[armies % ARMIES.len()]];
        [
            Filling { size: largest - class / sizes % sizes, pawns: red[0], crossed: black[1] },
            Filling { size: largest - class % sizes, pawns: black[0], crossed: red[1] },
        ]
    }

    /// Returns the number of ways to fill half a board.
    fn halves(&self, filling: Filling) -> u64 {
        self.homes[filling.size][filling.pawns] * choose(filling.left(), filling.crossed)
    }

    /// Returns the number of a placement of this numbering.
    pub fn number(&self, placement: &Placement, pawns: &Pawns, officers: &Officers) -> U192 {
        let halves = placement.halves.each_ref().map(|half| self.half_number(half, pawns));
        let fillings = halves.map(|(filling, ..)| filling);
        let [(_, red, red_taken), (_, black, black_taken)] = halves;
        let taken = on_board(0, red_taken) | on_board(1, black_taken);
        let both = red * self.halves(fillings[1]) + black;
        let ways = self.halves(fillings[0]) * self.halves(fillings[1]);
        let number = officers.number(&placement.officers, taken) * u128::from(ways);
        self.classes[self.class(fillings)].plus((number + u128::from(both)).into())
    }

    /// Returns the placement with this number, which must be below the size.
    pub fn placement(&self, number: U192, pawns: &Pawns, officers: &Officers) -> Placement {
        let class = self.class_of(number);
        let (_, rest) = number.minus(self.classes[class]).parts();
        let fillings = self.fillings(class);
        let ways = fillings.map(|filling| self.halves(filling));
        let both = u128::from(ways[0] * ways[1]);
        let free = rest / both;
        // The remainder is below the product, which has 61 bits.
        let halves = lower(rest - free * both);
        let (red, red_taken) = self.half(fillings[0], halves / ways[1], pawns);
        let (black, black_taken) = self.half(fillings[1], halves % ways[1], pawns);
        let taken = on_board(0, red_taken) | on_board(1, black_taken);
        let officers = officers.officers(free, taken);
        Placement { black_to_move: false, halves: [red, black], officers }
    }

    /// Returns the class of the placement with this number.
    fn class_of(&self, number: U192) -> usize {
        let top = top(number);
        let mut class = self.tops.partition_point(|&start| start <= top).saturating_sub(1);
        while self.classes[class] > number {
            class -= 1;
        }
        class
    }

    /// Returns the filling of a half, its number among those with the same filling, and the points
    /// taken.
    fn half_number(&self, half: &Half, pawns: &Pawns) -> (Filling, u64, u64) {
        let (court, number) = self.courts.find(half.king, half.guards);
        let grounds = super::pawns::grounds(court.taken);
        let filling = Filling {
            size: court.taken.count_ones() as usize,
            pawns: half.pawns.count_ones() as usize,
            crossed: half.crossed.count_ones() as usize,
        };
        let own = self.starts[filling.size][grounds][filling.pawns]
            + number * pawns.count(grounds, filling.pawns)
            + pawns.number(grounds, half.pawns);
        let taken = court.taken | half.pawns;
        let places = points(half.crossed.into()).map(|point| place(point, taken.into()));
        let number = own * choose(filling.left(), filling.crossed) + number_of(places);
        (filling, number, taken | half.crossed)
    }

    /// Returns the half with this number among those with the same filling, and the points taken.
    fn half(&self, filling: Filling, number: u64, pawns: &Pawns) -> (Half, u64) {
        let ways = choose(filling.left(), filling.crossed);
        let mut own = number / ways;
        let starts = &self.starts[filling.size];
        let mut grounds = GROUNDS - 1;
        while own < starts[grounds][filling.pawns] {
            grounds -= 1;
        }
        own -= starts[grounds][filling.pawns];
        let count = pawns.count(grounds, filling.pawns);
        let court = self.courts.court(filling.size, grounds, own / count);
        let set = pawns.set(grounds, filling.pawns, own % count);
        let taken = court.taken | set;
        let mut places = set_of(number % ways, filling.crossed);
        raise(&mut places, taken.into());
        let men = places.iter().filter(|&&point| point < NOWHERE);
        let crossed = men.fold(0, |set, point| set | 1 << point);
        let half = Half { king: court.king, guards: court.guards, pawns: set, crossed };
        (half, taken | crossed)
    }
}

/// Returns the number of points left for the officers.
fn left(fillings: [Filling; 2]) -> usize {
    let taken = fillings.map(|filling| filling.size + filling.pawns + filling.crossed);
    BOARD - taken[0] - taken[1]
}
