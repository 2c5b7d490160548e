//! Sets of squares as numbers: the combinatorial number system on bitboards.
//!
//! A set of the k places p1 < p2 < …, counted from 0, has the number C(p1, 1) + C(p2, 2) + … +
//! C(pk, k). The sets of k among the first n places have the numbers below C(n, k). A square's
//! place is its index among some bitboard's squares, from a1 to h8.

/// The number of places that the search for a place examines at once.
const WINDOW: usize = 8;

/// Row k holds C(n, k) at n + `WINDOW`; zeros in front end the search.
static ROWS: [[u64; WINDOW + 65]; 33] = rows();

const fn rows() -> [[u64; WINDOW + 65]; 33] {
    let mut rows = [[0; WINDOW + 65]; 33];
    let mut n = 0;
    while n <= 64 {
        rows[0][WINDOW + n] = 1;
        let mut k = 1;
        while k < 33 && n > 0 {
            rows[k][WINDOW + n] = rows[k][WINDOW + n - 1] + rows[k - 1][WINDOW + n - 1];
            k += 1;
        }
        n += 1;
    }
    rows
}

/// Returns C(n, k), n up to 64 and k up to 32.
pub fn choose(n: usize, k: usize) -> u64 {
    ROWS[k][n + WINDOW]
}

/// Returns the number of squares of a board.
pub fn count(board: u64) -> usize {
    board.count_ones() as usize
}

/// Returns the squares of all these boards.
pub fn union(boards: &[u64]) -> u64 {
    boards.iter().fold(0, |all, board| all | board)
}

/// Iterates over the squares of a bitboard, each as a bitboard, ascending.
pub fn each(mut board: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let square = lowest(board);
        board ^= square;
        (square != 0).then_some(square)
    })
}

/// Returns the lowest square of a board, if it has one.
pub fn lowest(board: u64) -> u64 {
    board & board.wrapping_neg()
}

/// Returns the number of squares of `board` below `square`.
pub fn below(board: u64, square: u64) -> usize {
    count(board & square.wrapping_sub(1))
}

/// Returns the number of the set of places, at most 32, that `board` takes among the squares of
/// `all`.
pub fn rank(board: u64, all: u64) -> u64 {
    let first = lowest(board);
    let second = lowest(board ^ first);
    // Most bitboards have at most two squares, which take no branch here.
    let mut number = if first == 0 { 0 } else { choose(below(all, first), 1) };
    number += if second == 0 { 0 } else { choose(below(all, second), 2) };
    for (square, row) in each(board ^ first ^ second).zip(&ROWS[3..]) {
        number += row[below(all, square) + WINDOW];
    }
    number
}

/// Returns the set of `size` among the first `limit` places with this number, which must be below
/// `choose(limit, size)`.
pub fn unrank(mut number: u64, size: usize, mut limit: usize) -> u64 {
    if size == 0 {
        return 0;
    }
    let mut set = 0;
    for row in ROWS[2..=size].iter().rev() {
        // The highest place whose share of the number is not too large.
        loop {
            let window = &row[limit..limit + WINDOW];
            // The top bit of the difference says whether the share is too large: shares have 63
            // bits.
            let too_much: u64 = window.iter().map(|share| number.wrapping_sub(*share) >> 63).sum();
            limit -= (too_much & 0xf) as usize;
            if too_much < WINDOW as u64 {
                break;
            }
        }
        limit -= 1;
        number -= row[limit + WINDOW];
        set |= 1 << limit;
    }
    set | 1 << number
}

/// The squares of a bitboard, to look up places.
#[derive(Debug)]
pub struct Squares([u64; 32]);

impl Squares {
    /// Creates the list of its first 32 squares.
    pub fn of(board: u64) -> Self {
        let mut squares = [0; 32];
        for (slot, square) in squares.iter_mut().zip(each(board)) {
            *slot = square;
        }
        Self(squares)
    }

    /// Returns the squares at these places.
    pub fn at(&self, places: u64) -> u64 {
        each(places).map(|place| self.0[place.trailing_zeros() as usize % 32]).sum()
    }
}

/// Returns the squares of the places in `set`, if the squares of `holes` are skipped.
pub fn open(mut set: u64, holes: u64) -> u64 {
    for hole in each(holes) {
        let above = set & hole.wrapping_neg();
        set = set.wrapping_add(above);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::testkit::Random;

    #[test]
    fn binomials_are_known() {
        assert_eq!(choose(64, 32), 1_832_624_140_942_590_534);
        assert_eq!((choose(0, 0), choose(5, 6), choose(48, 8)), (1, 0, 377_348_994));
    }

    #[test]
    fn every_small_set_has_its_number() {
        for limit in 0..=12 {
            for size in 0..=limit {
                for number in 0..choose(limit, size) {
                    let set = unrank(number, size, limit);
                    assert_eq!((count(set), set >> limit), (size, 0));
                    assert_eq!(rank(set, !0), number);
                }
            }
        }
    }

    #[test]
    fn large_sets_come_back() {
        let mut random = Random::new(3);
        for _ in 0..10_000 {
            let sparse = random.next_u64() & random.next_u64();
            if count(sparse) <= 32 {
                assert_eq!(unrank(rank(sparse, !0), count(sparse), 64), sparse);
            }
        }
        assert_eq!(unrank(choose(64, 32) - 1, 32, 64), !0 << 32);
    }

    #[test]
    fn sets_of_a_board_come_back() {
        let mut random = Random::new(4);
        for _ in 0..10_000 {
            let all = random.next_u64() & random.next_u64();
            let board = all & random.next_u64();
            if count(all) <= 32 {
                let places = unrank(rank(board, all), count(board), count(all));
                assert_eq!(Squares::of(all).at(places), board);
                assert_eq!(open(places, !all), board);
            }
        }
    }
}
