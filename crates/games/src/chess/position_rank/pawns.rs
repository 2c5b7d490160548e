//! The pawns of both sides as numbers, with the files on which they are still opposed.
//!
//! Pawns pass each other only by captures, so after few captures many files still hold one of our
//! pawns below one of theirs, with no pawn between. Of these *pairs*, exactly as many as required
//! are *witnesses*: they are named before the other pawns. *We* are the side to move and play up
//! the board.

use super::en_passant::{Case, Fixed, KINDS};
use super::subsets::{Squares, choose, count, lowest, open, rank, unrank};

/// Pawns stand on 48 squares, from a2.
const SQUARES: usize = 48;
const FIRST_SQUARE: usize = 8;
const PAWN_SQUARES: u64 = 0x00ff_ffff_ffff_ff00;

/// The greatest number, plus one, of a side's pawns, and of opposed files.
pub const PAWNS: usize = 9;

/// The greatest number, plus one, of squares between the pawns of all pairs.
const BETWEEN: usize = 4 * (PAWNS - 1) + 1;

/// The named witnesses.
#[derive(Clone, Copy, Debug)]
pub struct Witnesses<'a> {
    pub case: &'a Case,
    /// The number of the guard.
    guard: usize,
    /// The pairs on other files: all squares from our pawn up to theirs.
    spans: u64,
}

impl Witnesses<'_> {
    /// Returns the number of pairs, and of squares between their pawns.
    fn pairs(&self) -> (usize, usize) {
        let pairs = count(lower_ends(self.spans));
        (pairs, count(self.spans) - 2 * pairs)
    }
}

impl PartialEq for Witnesses<'_> {
    fn eq(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.case.kind, it.case.number, it.guard, it.spans);
        key(self) == key(other)
    }
}

/// Returns our pawn of the lowest pair of each file that has one.
fn lowest_pairs([ours, theirs]: [u64; 2]) -> u64 {
    let free = !(ours | theirs);
    let mut below = theirs >> 8;
    let mut pairs = 0;
    for _ in 0..5 {
        pairs |= below & ours;
        below = (below & free) >> 8;
    }
    let mut above = pairs << 8;
    above |= above << 8;
    above |= above << 16;
    above |= above << 32;
    pairs & !above
}

/// Returns the squares of our pawns in spans.
fn lower_ends(spans: u64) -> u64 {
    spans & !(spans << 8)
}

/// Returns the squares of their pawns in spans.
fn upper_ends(spans: u64) -> u64 {
    spans & !(spans >> 8)
}

/// Counts and numbers the arrangements of pawns.
#[derive(Debug)]
pub struct Pawns {
    /// By kind and number.
    cases: [Vec<Case>; KINDS],
    /// The number of ways to pick pairs: by number of pairs, of squares between their pawns, and of
    /// files to pick from.
    pairs: [[[u64; 9]; BETWEEN]; PAWNS],
    /// By kind of case, our pawns, theirs, and the files that must be opposed.
    rows: [[[[Row; PAWNS]; PAWNS]; PAWNS]; KINDS],
    /// The terms of all rows, as the numbers of their first arrangements. The arrangements of a
    /// term share the guard and the number of squares between the pawns of pairs.
    terms: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// The number of arrangements of the row.
    size: u64,
    /// The start and end of its terms.
    terms: (usize, usize),
}

/// The pawns that are not named: ours, both sides', and the squares left for them.
#[derive(Clone, Copy)]
struct Free {
    ours: usize,
    both: usize,
    squares: usize,
}

impl Free {
    /// Returns `None` if more pawns are named than there are.
    fn new([ours, theirs]: [usize; 2], fixed: Fixed, pairs: usize, between: usize) -> Option<Self> {
        let ours = ours.checked_sub(count(fixed.ours) + pairs)?;
        let theirs = theirs.checked_sub(count(fixed.theirs) + pairs)?;
        let squares = SQUARES.checked_sub(count(fixed.closed()) + 2 * pairs + between)?;
        Some(Self { ours, both: ours + theirs, squares })
    }

    fn arrangements(self) -> u64 {
        choose(self.squares, self.both) * choose(self.both, self.ours)
    }
}

impl Pawns {
    pub fn new() -> Self {
        let mut pawns = Self {
            cases: Case::all(),
            pairs: pick_pairs(),
            rows: [[[[Row::default(); PAWNS]; PAWNS]; PAWNS]; KINDS],
            terms: Vec::new(),
        };
        for kind in 0..KINDS {
            for ours in 0..PAWNS {
                for theirs in 0..PAWNS {
                    for opposed in 0..=ours.min(theirs) {
                        pawns.add(kind, [ours, theirs], opposed);
                    }
                }
            }
        }
        pawns
    }

    /// Counts a row.
    fn add(&mut self, kind: usize, pawns: [usize; 2], opposed: usize) {
        // Every case of a kind fixes the same number of squares.
        let case = &self.cases[kind][0];
        let begin = self.terms.len();
        let mut size = 0;
        for guard in &case.guards {
            let pairs = opposed.saturating_sub(guard.opposed);
            for between in 0..terms(guard, opposed) {
                self.terms.push(size);
                if let Some(free) = Free::new(pawns, *guard, pairs, between) {
                    size += self.pairs[pairs][between][case.files.len()] * free.arrangements();
                }
            }
        }
        let terms = (begin, self.terms.len());
        self.rows[kind][pawns[0]][pawns[1]][opposed] = Row { size, terms };
    }

    /// Returns the case with this kind and number.
    pub fn case(&self, kind: usize, number: u64) -> Option<&Case> {
        self.cases.get(kind)?.get(usize::try_from(number).ok()?)
    }

    /// Returns the number of arrangements of our pawns and theirs, if `opposed` files must be
    /// opposed, in one case of a kind.
    pub fn size(&self, kind: usize, [ours, theirs]: [usize; 2], opposed: usize) -> u64 {
        self.rows[kind][ours][theirs][opposed].size
    }

    /// Whether one of their pawns can have made a double step on this file.
    pub fn stepped(&self, file: u8, theirs: u64, occupied: u64) -> bool {
        self.case(2, file.into()).is_some_and(|case| {
            case.fixed.theirs & !theirs == 0 && case.fixed.empty & occupied == 0
        })
    }

    /// Returns the witnesses to name if `opposed` files must be opposed; `None` if there are too
    /// few.
    ///
    /// Given a choice, our capturing pawn is the left one, the guard the first in the list, and the
    /// pairs those of the first files, on each file the lowest.
    pub fn witnesses(
        &self,
        pawns: [u64; 2],
        en_passant: Option<u8>,
        opposed: usize,
    ) -> Option<Witnesses<'_>> {
        let pairs = if opposed == 0 { 0 } else { lowest_pairs(pawns) };
        let Some(file) = en_passant else {
            return witnesses_in(self.case(0, 0)?, pawns, pairs, opposed);
        };
        let left = (2 * u64::from(file)).checked_sub(1).and_then(|left| self.case(1, left));
        let right = self.case(1, 2 * u64::from(file));
        let cases = [left, right, self.case(2, file.into())];
        cases.into_iter().flatten().find_map(|case| witnesses_in(case, pawns, pairs, opposed))
    }

    /// Returns the number of the pawns, ours and theirs, in their row, given their witnesses.
    pub fn rank(&self, pawns: [u64; 2], witnesses: &Witnesses<'_>, opposed: usize) -> Option<u64> {
        let Witnesses { case, guard, spans } = *witnesses;
        let counts = pawns.map(count);
        let (pairs, between) = witnesses.pairs();
        let mut term = self.row(case.kind, counts, opposed)?.terms.0 + between;
        term += case.guards[..guard].iter().map(|guard| terms(guard, opposed)).sum::<usize>();
        let fixed = case.guards[guard];
        let free = Free::new(counts, fixed, pairs, between)?;
        let closed = fixed.closed() | spans;
        let [ours, theirs] = pawns.map(|pawns| pawns & !closed);
        let both = ours | theirs;
        let squares = rank(both, PAWN_SQUARES & !closed);
        let number = squares * choose(free.both, free.ours) + rank(ours, both);
        let named = self.rank_pairs(witnesses);
        Some(self.terms.get(term)? + named * free.arrangements() + number)
    }

    /// Returns the pawns, ours and theirs, with this number in their row, and the witnesses that it
    /// names. `None` if the row has no such number.
    pub fn unrank<'a>(
        &self,
        case: &'a Case,
        counts: [usize; 2],
        opposed: usize,
        number: u64,
    ) -> Option<([u64; 2], Witnesses<'a>)> {
        let row = self.row(case.kind, counts, opposed)?;
        let starts = self.terms.get(row.terms.0..row.terms.1)?;
        let mut between = starts.partition_point(|&start| start <= number).checked_sub(1)?;
        let number = number - starts.get(between)?;
        let mut guard = 0;
        while between >= terms(case.guards.get(guard)?, opposed) {
            between -= terms(case.guards.get(guard)?, opposed);
            guard += 1;
        }
        let fixed = *case.guards.get(guard)?;
        let pairs = opposed.checked_sub(fixed.opposed)?;

        let free = Free::new(counts, fixed, pairs, between)?;
        let named = number.checked_div(free.arrangements())?;
        let number = number % free.arrangements();
        let spans = self.unrank_pairs(case, pairs, between, named)?;
        let radix = choose(free.both, free.ours);
        let places = unrank(number / radix, free.both, free.squares);
        let closed = fixed.closed() | spans;
        let both = open(places, closed >> FIRST_SQUARE) << FIRST_SQUARE;
        let ours = Squares::of(both).at(unrank(number % radix, free.ours, free.both));
        let pawns = [
            ours | fixed.ours | lower_ends(spans),
            (both ^ ours) | fixed.theirs | upper_ends(spans),
        ];
        Some((pawns, Witnesses { case, guard, spans }))
    }

    fn row(&self, kind: usize, counts: [usize; 2], opposed: usize) -> Option<&Row> {
        self.rows.get(kind)?.get(counts[0])?.get(counts[1])?.get(opposed)
    }

    /// Returns the number of the pairs among all with the same count and the same squares between.
    /// For each file, no pair comes first, then the pairs with no square between, from the lowest
    /// up, then those with one square between, and so on.
    fn rank_pairs(&self, witnesses: &Witnesses<'_>) -> u64 {
        let (mut pairs, mut between) = witnesses.pairs();
        let mut number = 0;
        let mut files = witnesses.case.files.len();
        for file in &witnesses.case.files {
            if pairs == 0 {
                break;
            }
            files -= 1;
            let span = witnesses.spans & file;
            if span == 0 {
                continue;
            }
            number += self.pairs[pairs][between][files];
            pairs -= 1;
            for (_, ways) in (2..count(span)).zip(heights()) {
                number += ways * self.pairs[pairs][between][files];
                between -= 1;
            }
            let height = u64::from(span.trailing_zeros() / 8) - 1;
            number += height * self.pairs[pairs][between][files];
        }
        number
    }

    /// The inverse of `rank_pairs`.
    fn unrank_pairs(
        &self,
        case: &Case,
        mut pairs: usize,
        mut between: usize,
        mut number: u64,
    ) -> Option<u64> {
        let mut spans = 0;
        let mut files = case.files.len();
        for file in &case.files {
            if pairs == 0 {
                break;
            }
            files -= 1;
            let without = self.pairs[pairs][between][files];
            if number < without {
                continue;
            }
            number -= without;
            pairs -= 1;
            // From the square below the file's first pawn square.
            let mut span = 0x0101;
            for ways in heights() {
                let each = self.pairs[pairs][between][files];
                if number < ways * each {
                    break;
                }
                number -= ways * each;
                between = between.checked_sub(1)?;
                span |= span << 8;
            }
            let each = self.pairs[pairs][between][files];
            let height = number.checked_div(each)?;
            number %= each;
            spans |= (span << (8 * (height + 1))) * (file & 0xff);
        }
        Some(spans)
    }
}

/// Returns the number of terms of a row with this guard: one for each number of squares between the
/// pawns of the pairs, up to 4 a pair.
fn terms(guard: &Fixed, opposed: usize) -> usize {
    opposed.checked_sub(guard.opposed).map_or(0, |pairs| 4 * pairs + 1)
}

/// Returns the witnesses to name in one case, given our pawns of the lowest pairs.
fn witnesses_in(case: &Case, pawns: [u64; 2], pairs: u64, opposed: usize) -> Option<Witnesses<'_>> {
    for (guard, fixed) in case.guards.iter().enumerate() {
        if !fixed.holds(pawns) {
            continue;
        }
        let Some(mut missing) = opposed.checked_sub(fixed.opposed) else { continue };
        let mut spans = 0;
        for file in &case.files {
            if missing == 0 {
                break;
            }
            let lower = pairs & file;
            if lower != 0 {
                let upper = lowest(pawns[1] & file & lower.wrapping_neg());
                spans |= file & ((upper - lower) | upper);
                missing -= 1;
            }
        }
        if missing == 0 {
            return Some(Witnesses { case, guard, spans });
        }
    }
    None
}

/// Iterates over the numbers of places of a pair on its file, with 0, 1, … squares between its
/// pawns.
fn heights() -> impl Iterator<Item = u64> {
    (1..=5).rev()
}

/// Returns the number of ways to pick pairs, as in [`Pawns`].
fn pick_pairs() -> [[[u64; 9]; BETWEEN]; PAWNS] {
    let mut ways = [[[0; 9]; BETWEEN]; PAWNS];
    ways[0][0] = [1; 9];
    for pairs in 1..PAWNS {
        for between in 0..BETWEEN {
            for files in 1..9 {
                let rest = heights().zip((0..=between).rev());
                let with_first =
                    rest.map(|(height, rest)| height * ways[pairs - 1][rest][files - 1]);
                ways[pairs][between][files] =
                    ways[pairs][between][files - 1] + with_first.sum::<u64>();
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_small_row_comes_back() {
        let pawns = Pawns::new();
        for case in pawns.cases.iter().flatten() {
            for counts in [[1, 1], [2, 1], [1, 2], [2, 2], [3, 3], [4, 4]] {
                for opposed in 0..=4 {
                    let size = pawns.row(case.kind, counts, opposed).map_or(0, |row| row.size);
                    for number in 0..if size > 40_000 { 0 } else { size } {
                        let (boards, witnesses) =
                            pawns.unrank(case, counts, opposed, number).expect("it is in the row");
                        assert_eq!(boards.map(count), counts);
                        assert_eq!(pawns.rank(boards, &witnesses, opposed), Some(number));
                    }
                }
            }
        }
    }

    /// Iterates over the boards with this many pawns on the first files.
    fn boards(files: u32, size: usize) -> impl Iterator<Item = u64> {
        let all = PAWN_SQUARES & (((1 << files) - 1) * 0x0101_0101_0101_0101);
        let squares = Squares::of(all);
        (0..choose(count(all), size))
            .map(move |number| squares.at(unrank(number, size, count(all))))
    }

    /// Counts the files that hold one of our pawns below one of theirs, square by square.
    fn opposed_files(pawns: [u64; 2]) -> usize {
        let holds = |board: u64, file: u32, rank: u32| board >> (8 * rank + file) & 1 == 1;
        let opposed = |file: &u32| {
            (0..8).any(|rank| {
                holds(pawns[0], *file, rank)
                    && (rank + 1..8).any(|above| holds(pawns[1], *file, above))
            })
        };
        (0..8).filter(opposed).count()
    }

    #[test]
    fn witnesses_are_found_wherever_files_are_opposed() {
        let pawns = Pawns::new();
        for (files, ours, theirs) in [(4, 2, 2), (3, 3, 2), (3, 2, 3)] {
            for our_board in boards(files, ours) {
                for their_board in boards(files, theirs).filter(|board| board & our_board == 0) {
                    let both = [our_board, their_board];
                    let there = opposed_files(both);
                    let stepped = (0..4)
                        .filter(|&file| pawns.stepped(file, their_board, our_board | their_board));
                    for field in std::iter::once(None).chain(stepped.map(Some)) {
                        for opposed in 0..=2 {
                            let found = pawns.witnesses(both, field, opposed);
                            assert_eq!(found.is_some(), there >= opposed, "{both:x?} {field:?}");
                            let Some(found) = found else { continue };
                            let number = pawns.rank(both, &found, opposed).expect("a number");
                            let counts = [ours, theirs];
                            let back = pawns.unrank(found.case, counts, opposed, number);
                            assert_eq!(back, Some((both, found)));
                        }
                    }
                }
            }
        }
    }
}
