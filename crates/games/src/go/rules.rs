//! Go positions and the effect of a move: stones on a rectangle, captures, simple ko.
//!
//! Points lie in an array with sentinels around them ([`Padded`]), so that edges need no tests.
//! Nothing is allocated during play: a chain is gathered in an array on the stack, first a short
//! one, as most chains are short.

use plypack_core::board::{Direction, Padded};

use super::key;

/// The largest number of rows or columns: SGF has this many letters.
pub const SIDE_MAX: u16 = 52;

/// The largest number of points of a board.
pub const POINTS_MAX: usize = (SIDE_MAX * SIDE_MAX) as usize;

/// An empty point.
pub const EMPTY: u8 = 0;
/// A black stone.
pub const BLACK: u8 = 1;
/// A white stone.
pub const WHITE: u8 = 2;
/// A sentinel around the board.
pub const EDGE: u8 = 3;

/// Marks a gathered stone.
const SEEN: u8 = 4;

/// A move: a stone on a point, or a pass, by either player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The number of the point, row by row from the upper left; [`PASS`](Self::PASS) for a pass.
    pub point: u16,
    /// Whether it is White's move.
    pub white: bool,
}

impl Move {
    /// The point of a pass.
    pub const PASS: u16 = u16::MAX;
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rows: u8,
    columns: u8,
    white_to_move: bool,
    /// The index of the ko point; 0, a sentinel, if there is none.
    ko: u16,
    /// The numbers of stones captured by Black and by White.
    captures: [u32; 2],
    /// The exclusive or of the stones' words of the key.
    stones: u64,
    /// The points and their sentinels, laid out as in [`Padded`].
    points: Vec<u8>,
}

impl Position {
    /// Returns an empty board. Sides are clamped to 1 to 52.
    pub fn empty(rows: u16, columns: u16, white_to_move: bool) -> Self {
        let side = |side: u16| u8::try_from(side.clamp(1, SIDE_MAX)).unwrap_or(1);
        let (rows, columns) = (side(rows), side(columns));
        let points = Padded::new(rows.into(), columns.into()).array(EMPTY, EDGE);
        Self { rows, columns, white_to_move, ko: 0, captures: [0; 2], stones: 0, points }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u16 {
        self.rows.into()
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> u16 {
        self.columns.into()
    }

    /// Returns the number of points.
    pub fn count(&self) -> u16 {
        self.rows() * self.columns()
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        self.white_to_move
    }

    /// Returns the numbers of stones captured by Black and by White.
    pub fn captures(&self) -> [u32; 2] {
        self.captures
    }

    /// Returns the ko point.
    pub fn ko(&self) -> Option<u16> {
        let (row, column) = self.padded().place(self.ko.into()).filter(|_| self.ko > 0)?;
        Some(row * self.columns() + column)
    }

    /// Returns the stones' part of the key.
    pub(super) fn stones(&self) -> u64 {
        self.stones
    }

    /// Returns the layout of [`array`](Self::array).
    pub fn padded(&self) -> Padded {
        Padded::new(self.rows(), self.columns())
    }

    /// Returns the points and the sentinels around them.
    pub fn array(&self) -> &[u8] {
        &self.points
    }

    /// Returns the index of a point in [`array`](Self::array); that of a sentinel if there is no
    /// such point.
    pub fn index(&self, point: u16) -> usize {
        let columns = self.columns();
        if point >= self.count() {
            0
        } else {
            self.padded().index(point / columns, point % columns)
        }
    }

    /// Iterates over the points' contents, row by row from the top.
    pub fn points(&self) -> impl Iterator<Item = u8> + Clone + '_ {
        let columns = usize::from(self.columns);
        let rows = self.points.get(columns + 2..).unwrap_or_default().chunks(columns + 1);
        let rows = rows.take(self.rows.into());
        rows.flat_map(move |row| row.iter().take(columns).copied())
    }

    /// Sets the side to move.
    pub(super) fn set_turn(&mut self, white: bool) {
        self.white_to_move = white;
    }

    /// Sets the ko point.
    pub(super) fn set_ko(&mut self, point: Option<u16>) {
        self.ko = point.map_or(0, |point| u16::try_from(self.index(point)).unwrap_or(0));
    }

    /// Sets the numbers of captured stones.
    pub(super) fn set_captures(&mut self, captures: [u32; 2]) {
        self.captures = captures;
    }

    /// Puts a stone on a point, as [`points`](Self::points) numbers them, or removes it; nothing is
    /// captured.
    pub(super) fn set(&mut self, point: u16, stone: u8) {
        let at = self.index(point);
        if at > 0 && stone < EDGE {
            self.put(at, stone);
        }
    }

    /// Puts a stone on the index of a point, or removes it.
    fn put(&mut self, at: usize, stone: u8) {
        let columns = usize::from(self.columns);
        let from_first = at.wrapping_sub(columns + 2);
        let cell = from_first - from_first / (columns + 1);
        if let Some(place) = self.points.get_mut(at) {
            let old = std::mem::replace(place, stone);
            self.stones ^= key::stone(cell, old) ^ key::stone(cell, stone);
        }
    }

    /// Returns the distances in the array from a point to its four neighbours.
    pub fn strides(&self) -> [isize; 4] {
        let right = self.padded().stride(Direction::Right);
        let down = self.padded().stride(Direction::Down);
        [-down, -right, right, down]
    }

    /// Returns the indices of the neighbours of a point.
    fn neighbours(&self, at: usize) -> [usize; 4] {
        let down = usize::from(self.columns) + 1;
        [at.wrapping_sub(down), at.wrapping_sub(1), at + 1, at + down]
    }

    /// Returns the contents of an index.
    #[inline(always)]
    fn at(&self, index: usize) -> u8 {
        self.points.get(index).copied().unwrap_or(EDGE)
    }

    /// Plays a move by one rule for all records, whatever their tags say: the stone is put on its
    /// point, whatever was there; the opponent's neighbouring chains without a liberty are removed;
    /// then its own chain, if it has none.
    pub fn play(&mut self, mv: Move) {
        self.ko = 0;
        self.white_to_move = !mv.white;
        let at = self.index(mv.point);
        if at == 0 {
            return;
        }
        let (ours, theirs) = if mv.white { (WHITE, BLACK) } else { (BLACK, WHITE) };
        self.put(at, ours);
        let neighbours = self.neighbours(at);
        let (mut captured, mut last) = (0u32, 0);
        for next in neighbours {
            if self.at(next) == theirs && !self.has_liberty(next) {
                captured = captured.saturating_add(self.remove(next));
                last = next;
            }
        }
        if captured > 0 {
            self.count_captures(mv.white, captured);
            let around = neighbours.map(|next| self.at(next));
            let alone = around.iter().all(|&stone| stone != ours);
            let liberties = around.iter().filter(|&&stone| stone == EMPTY).count();
            if captured == 1 && alone && liberties == 1 {
                self.ko = u16::try_from(last).unwrap_or(0);
            }
        } else if !self.has_liberty(at) {
            let lost = self.remove(at);
            self.count_captures(!mv.white, lost);
        }
    }

    /// Adds to the number of stones that a player has captured.
    fn count_captures(&mut self, white: bool, stones: u32) {
        let [blacks, whites] = &mut self.captures;
        let captures = if white { whites } else { blacks };
        *captures = captures.saturating_add(stones);
    }

    /// Whether the chain of a stone has a liberty.
    fn has_liberty(&mut self, at: usize) -> bool {
        if self.neighbours(at).iter().any(|&next| self.at(next) == EMPTY) {
            return true;
        }
        self.chain_has_liberty::<48>(at)
            .or_else(|| self.chain_has_liberty::<POINTS_MAX>(at))
            .unwrap_or(true)
    }

    /// The same for a stone without an adjacent liberty. `None` if `ROOM` stones do not decide it.
    #[inline(never)]
    fn chain_has_liberty<const ROOM: usize>(&mut self, at: usize) -> Option<bool> {
        let mut chain = [0u16; ROOM];
        let (count, free) = self.gather(at, &mut chain, true);
        for &stone in chain.get(..count).unwrap_or_default() {
            if let Some(place) = self.points.get_mut(usize::from(stone)) {
                *place &= !SEEN;
            }
        }
        free
    }

    /// Removes a chain from the board; returns its number of stones.
    #[inline(never)]
    fn remove(&mut self, at: usize) -> u32 {
        let mut chain = [0u16; POINTS_MAX];
        let (count, _) = self.gather(at, &mut chain, false);
        for &stone in chain.get(..count).unwrap_or_default() {
            let at = usize::from(stone);
            if let Some(place) = self.points.get_mut(at) {
                *place &= !SEEN;
            }
            self.put(at, EMPTY);
        }
        u32::try_from(count).unwrap_or(0)
    }

    /// Gathers the stones of a chain and marks them; with `stop` only until a liberty is found.
    /// Returns their number, and whether there is a liberty; `None` if `chain` is too short to
    /// tell.
    fn gather(&mut self, at: usize, chain: &mut [u16], stop: bool) -> (usize, Option<bool>) {
        let colour = self.at(at);
        let (mut count, mut next, mut free) = (0, 0, false);
        if !self.mark(at, chain, &mut count) {
            return (count, None);
        }
        while let Some(&stone) = chain.get(..count).and_then(|chain| chain.get(next)) {
            next += 1;
            for beside in self.neighbours(stone.into()) {
                let found = self.at(beside);
                if found == EMPTY {
                    free = true;
                    if stop {
                        return (count, Some(true));
                    }
                } else if found == colour && !self.mark(beside, chain, &mut count) {
                    return (count, None);
                }
            }
        }
        (count, Some(free))
    }

    /// Marks a stone and adds it to a chain. Returns `false` if there is no room.
    fn mark(&mut self, at: usize, chain: &mut [u16], count: &mut usize) -> bool {
        let (Some(room), Some(place)) = (chain.get_mut(*count), self.points.get_mut(at)) else {
            return false;
        };
        *room = u16::try_from(at).unwrap_or(0);
        *place |= SEEN;
        *count += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use plypack_core::testkit::Random;

    use super::*;

    /// Returns the points of the chain at `point` and its liberties, by definition.
    fn chain(board: &[Vec<u8>], point: (usize, usize)) -> [BTreeSet<(usize, usize)>; 2] {
        let colour = board[point.0][point.1];
        let (mut chain, mut free) = (BTreeSet::from([point]), BTreeSet::new());
        let mut open = vec![point];
        while let Some((row, column)) = open.pop() {
            for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let beside = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                match board.get(beside.0).and_then(|row| row.get(beside.1)) {
                    Some(0) => _ = free.insert(beside),
                    Some(&stone) if stone == colour && chain.insert(beside) => open.push(beside),
                    _ => {}
                }
            }
        }
        [chain, free]
    }

    /// A second implementation of capture: first all of the opponent's dead stones are removed,
    /// then all of one's own.
    fn play(board: &mut [Vec<u8>], (row, column): (usize, usize), ours: u8) -> [u32; 2] {
        board[row][column] = ours;
        let mut gone = [0; 2];
        for colour in [3 - ours, ours] {
            let mut dead = BTreeSet::new();
            for row in 0..board.len() {
                for column in 0..board[0].len() {
                    if board[row][column] == colour && chain(board, (row, column))[1].is_empty() {
                        dead.insert((row, column));
                    }
                }
            }
            gone[usize::from(colour - 1)] = u32::try_from(dead.len()).expect("few");
            dead.into_iter().for_each(|(row, column)| board[row][column] = 0);
        }
        gone
    }

    #[test]
    fn random_play_is_as_by_definition() {
        for (seed, (rows, columns)) in
            (0..).zip([(1, 1), (1, 7), (5, 2), (4, 4), (7, 5), (9, 9), (13, 11), (19, 19)])
        {
            let mut random = Random::new(seed);
            let mut position = Position::empty(rows, columns, false);
            let mut board = vec![vec![0u8; columns.into()]; rows.into()];
            let (mut captures, mut kos) = ([0u32; 2], 0);
            for _ in 0..1_500 {
                let number = u16::try_from(random.next_u64() % u64::from(2 * rows * columns));
                let (point, white) =
                    (number.expect("few") / 2, random.next_u64().is_multiple_of(2));
                let place = (usize::from(point / columns), usize::from(point % columns));
                let gone = play(&mut board, place, 1 + u8::from(white));
                captures = [captures[0] + gone[1], captures[1] + gone[0]];
                position.play(Move { point, white });
                assert!(position.points().eq(board.iter().flatten().copied()));
                assert_eq!(position.captures(), captures);
                if let Some(ko) = position.ko() {
                    kos += 1;
                    // Retaking captures one stone and leaves as many stones as before.
                    let mut again = position.clone();
                    again.play(Move { point: ko, white: !white });
                    let [before, after] =
                        [&position, &again].map(|at| at.points().filter(|&s| s > 0).count());
                    assert_eq!(before, after);
                    assert_eq!(again.ko(), Some(point));
                }
            }
            assert!(kos > 0 || rows < 7, "{rows} by {columns}");
            let mut text = String::new();
            position.write(&mut text);
            assert_eq!(Position::read(&text), Ok(position));
        }
    }

    /// Counts the boards of this size in which every chain has a liberty.
    fn legal(rows: u16, columns: u16) -> u64 {
        let mut position = Position::empty(rows, columns, false);
        let points = position.count();
        let mut count = 0;
        'boards: loop {
            let mut stones = (0..points).map(|point| position.index(point));
            let all = stones.all(|at| position.at(at) == EMPTY || position.clone().has_liberty(at));
            count += u64::from(all);
            for point in 0..points {
                let stone = (position.at(position.index(point)) + 1) % 3;
                position.set(point, stone);
                if stone > 0 {
                    continue 'boards;
                }
            }
            return count;
        }
    }

    /// J. Tromp and G. Farnebäck, "Combinatorics of Go"; sequence A094777 of the OEIS for squares.
    #[test]
    fn boards_without_dead_stones_are_as_many_as_tromp_counts() {
        let squares = [1, 2, 3].map(|side| legal(side, side));
        assert_eq!(squares, [1, 57, 12_675]);
        assert_eq!([legal(1, 2), legal(2, 1), legal(1, 3), legal(2, 3)], [5, 5, 15, 489]);
    }

    #[test]
    #[ignore = "takes a minute"]
    fn so_are_those_of_four_rows() {
        assert_eq!(legal(4, 4), 24_318_165);
    }
}
