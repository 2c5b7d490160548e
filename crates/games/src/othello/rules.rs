//! Which moves othello has and which discs they turn, on sets of cells: bit 0 is a1, bit 1 b1 …
//! bit 63 h8.

/// The steps to the right, down left, down and down right, each with the cells that a line may
/// pass in that direction. Without the outer columns no line can run off one side of the board and
/// go on at the other.
const DIRECTIONS: [(u32, u64); 4] = [(1, INNER), (7, INNER), (8, u64::MAX), (9, INNER)];

/// All columns but a and h.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The most discs that a move turns in one direction.
const TURNED_MAX: u32 = 6;

/// The unbroken lines of `passable` cells that begin beside `from`, as two sets: the cells of the
/// lines, and those one step behind their cells.
fn lines(from: u64, passable: u64, step: impl Fn(u64) -> u64) -> (u64, u64) {
    let mut line = step(from) & passable;
    for _ in 1..TURNED_MAX {
        line |= step(line) & passable;
    }
    (line, step(line))
}

/// Where a side with the discs `own` may put one.
#[must_use]
pub fn moves(own: u64, other: u64) -> u64 {
    let mut all = 0;
    for (step, inside) in DIRECTIONS {
        all |= lines(own, other & inside, |cells| cells << step).1;
        all |= lines(own, other & inside, |cells| cells >> step).1;
    }
    all & !(own | other)
}

/// The discs that turn when the side with the discs `own` puts one on `cell`, a number below 64.
#[must_use]
pub fn turned(own: u64, other: u64, cell: u8) -> u64 {
    let disc = 1u64.checked_shl(cell.into()).unwrap_or(0);
    let mut all = 0;
    for (step, inside) in DIRECTIONS {
        let left = lines(disc, other & inside, |cells| cells << step);
        let right = lines(disc, other & inside, |cells| cells >> step);
        for (line, behind) in [left, right] {
            if behind & own != 0 {
                all |= line;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of some names.
    fn set(names: &str) -> u64 {
        names.split(' ').fold(0, |set, name| match *name.as_bytes() {
            [column, row] => set | 1 << (u32::from(row - b'1') * 8 + u32::from(column - b'a')),
            _ => panic!("{name}"),
        })
    }

    #[test]
    fn lines_end_at_the_edge() {
        // A line over the right edge would go on at the left one.
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
        // Six discs, the most in one direction; and a line that ends at nothing turns none.
        assert_eq!(turned(set("a1"), set("b1 c1 d1 e1 f1 g1 h2"), 7), set("b1 c1 d1 e1 f1 g1"));
    }
}
