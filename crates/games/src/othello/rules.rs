//! Othello's moves and the discs they turn, on sets of cells: bit 0 is a1, bit 1 b1 … bit 63 h8.

// Steps are to the right, down left, down and down right (1, 7, 8 and 9) and back. Without the
// outer columns no line can leave one side of the board and continue on the other.

/// All columns except a and h.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Several sets that are processed side by side, so that compilers vectorise them.
pub type Sets<const LANES: usize> = [u64; LANES];

#[inline(always)]
fn each<const LANES: usize>(set: impl Fn(usize) -> u64) -> Sets<LANES> {
    std::array::from_fn(set)
}

/// Returns the unbroken lines of `passable` cells that begin next to `from`, at most six cells
/// long, as two sets: the cells of the lines, and those one step beyond them.
#[inline(always)]
fn lines<const LANES: usize>(
    from: Sets<LANES>,
    passable: Sets<LANES>,
    steps: impl Fn(u64, u32) -> u64,
) -> (Sets<LANES>, Sets<LANES>) {
    let one = each::<LANES>(|lane| steps(from[lane], 1) & passable[lane]);
    let two = each::<LANES>(|lane| one[lane] | steps(one[lane], 1) & passable[lane]);
    // Cells that are passable together with the neighbour before them.
    let both = each::<LANES>(|lane| steps(passable[lane], 1) & passable[lane]);
    let four = each::<LANES>(|lane| two[lane] | steps(two[lane], 2) & both[lane]);
    let six = each::<LANES>(|lane| four[lane] | steps(four[lane], 2) & both[lane]);
    (six, each::<LANES>(|lane| steps(six[lane], 1)))
}

/// Returns where sides with the discs `own` may move.
#[inline(always)]
pub fn moves_each<const LANES: usize>(own: Sets<LANES>, other: Sets<LANES>) -> Sets<LANES> {
    let inner = other.map(|other| other & INNER);
    let mut all = [0; LANES];
    // Unrolled by hand, so that every shift is by a constant.
    ends::<LANES, 1>(&mut all, own, inner);
    ends::<LANES, 7>(&mut all, own, inner);
    ends::<LANES, 8>(&mut all, own, other);
    ends::<LANES, 9>(&mut all, own, inner);
    std::array::from_fn(|lane| all[lane] & !(own[lane] | other[lane]))
}

/// Adds the cells beyond the lines in one direction and its opposite.
#[inline(always)]
fn ends<const LANES: usize, const STEP: u32>(
    all: &mut Sets<LANES>,
    own: Sets<LANES>,
    passable: Sets<LANES>,
) {
    let left = lines(own, passable, |cells, times| cells << (STEP * times)).1;
    let right = lines(own, passable, |cells, times| cells >> (STEP * times)).1;
    for lane in 0..LANES {
        all[lane] |= left[lane] | right[lane];
    }
}

/// Returns where a side with the discs `own` may move.
#[inline(always)]
pub fn moves(own: u64, other: u64) -> u64 {
    let [moves] = moves_each([own], [other]);
    moves
}

/// For each set of `discs`, returns the discs that turn when the side with the discs `own` puts one
/// on its cell.
#[inline(always)]
pub fn turned_each<const LANES: usize>(own: u64, other: u64, discs: Sets<LANES>) -> Sets<LANES> {
    let (inner, every) = ([other & INNER; LANES], [other; LANES]);
    let mut all = [0; LANES];
    closed::<LANES, 1>(&mut all, own, inner, discs);
    closed::<LANES, 7>(&mut all, own, inner, discs);
    closed::<LANES, 8>(&mut all, own, every, discs);
    closed::<LANES, 9>(&mut all, own, inner, discs);
    all
}

/// Adds the lines in one direction and its opposite that end at a disc of `own`.
#[inline(always)]
fn closed<const LANES: usize, const STEP: u32>(
    all: &mut Sets<LANES>,
    own: u64,
    passable: Sets<LANES>,
    discs: Sets<LANES>,
) {
    let left = lines(discs, passable, |cells, times| cells << (STEP * times));
    let right = lines(discs, passable, |cells, times| cells >> (STEP * times));
    for (line, behind) in [left, right] {
        for lane in 0..LANES {
            all[lane] |= if behind[lane] & own == 0 { 0 } else { line[lane] };
        }
    }
}

/// Returns the discs that turn when the side with the discs `own` puts one on `cell`, a number
/// below 64.
#[inline(always)]
pub fn turned(own: u64, other: u64, cell: u8) -> u64 {
    let [turned] = turned_each(own, other, [1u64.checked_shl(cell.into()).unwrap_or(0)]);
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the set of the named cells.
    fn set(names: &str) -> u64 {
        names.split(' ').fold(0, |set, name| match *name.as_bytes() {
            [column, row] => set | 1 << (u32::from(row - b'1') * 8 + u32::from(column - b'a')),
            _ => panic!("{name}"),
        })
    }

    #[test]
    fn lines_end_at_the_edge() {
        // A line across the right edge would continue at the left one.
        let (own, other) = (set("f1 c2"), set("g1 h1 a2 b2"));
        assert_eq!(moves(own, other), 0);
        let (own, other) = (set("g3"), set("h2 a3 h4 a4"));
        assert_eq!(moves(own, other), 0);
    }

    #[test]
    fn a_move_turns_every_line_that_it_closes() {
        let own = set("a1 d1 g1 a4 h4 a7 d8 g7");
        let other = set("b2 d2 f2 c3 d3 e3 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 d7");
        assert_eq!(turned(own, other, 27), other);
        // Six discs, the most in one direction; and a line that ends at an empty cell turns none.
        assert_eq!(turned(set("a1"), set("b1 c1 d1 e1 f1 g1 h2"), 7), set("b1 c1 d1 e1 f1 g1"));
    }
}
