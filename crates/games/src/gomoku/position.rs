//! Gomoku positions: stones, side to move, board size and rule, as rows of text.

use plypack_core::Error;
use plypack_core::board::symmetry::ImageKeys;
use plypack_core::limits::POSITION_TEXT_MAX;

use super::key;
use crate::common::classes::exceeded;
use crate::common::diagram;

/// The winning rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Five or more stones in a row.
    #[default]
    Freestyle,
    /// Exactly five.
    Standard,
}

impl Rule {
    /// Returns the word for it in a position's text.
    pub fn word(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
        }
    }

    /// Returns the rule with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Freestyle, Self::Standard].into_iter().find(|rule| rule.word() == word)
    }
}

/// The size of a board and the rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    size: u16,
    rule: Rule,
}

impl Variant {
    /// All variants, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self { size: 15, rule: Rule::Freestyle },
        Self { size: 15, rule: Rule::Standard },
        Self { size: 19, rule: Rule::Freestyle },
        Self { size: 19, rule: Rule::Standard },
        Self { size: 20, rule: Rule::Freestyle },
        Self { size: 20, rule: Rule::Standard },
    ];

    /// Reads a size, `20` or `20x20`, if there are boards of this size.
    pub fn read_size(word: &str) -> Option<u16> {
        let (columns, rows) = word.split_once('x').unwrap_or((word, word));
        let size = columns.parse().ok().filter(|_| columns == rows)?;
        Self::ALL.iter().any(|variant| variant.size == size).then_some(size)
    }

    /// Returns the number of rows and of columns: 15, 19 or 20.
    pub fn size(self) -> u16 {
        self.size
    }

    /// Returns the number of points.
    pub fn points(self) -> u16 {
        self.size * self.size
    }

    /// Returns the winning rule.
    pub fn rule(self) -> Rule {
        self.rule
    }
}

/// The largest number of points of a board.
pub(super) const POINTS_MAX: usize = 20 * 20;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    variant: Variant,
    white_to_move: bool,
    /// The points a1 b1 … a2 …: 0 empty, 1 black, 2 white. Entries beyond the board are empty.
    points: [u8; POINTS_MAX],
    /// The stones' part of the keys.
    stones: ImageKeys,
}

impl Position {
    /// Returns an empty board.
    pub fn empty(variant: Variant, white_to_move: bool) -> Self {
        Self { variant, white_to_move, points: [0; POINTS_MAX], stones: ImageKeys::default() }
    }

    /// Returns the size of the board and the rule.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        self.white_to_move
    }

    /// Returns the points row by row from the lowest, each from the left: 0 is empty, 1 black, 2
    /// white.
    pub fn points(&self) -> &[u8] {
        self.points.get(..self.variant.points().into()).unwrap_or(&self.points)
    }

    /// Returns the stones' part of the keys.
    pub(super) fn stones(&self) -> &ImageKeys {
        &self.stones
    }

    /// Puts a stone on a point, by the numbers of [`points`](Self::points), or removes it.
    pub(super) fn set(&mut self, point: u16, stone: u8) {
        let on_board = point < self.variant.points();
        if let Some(place) = self.points.get_mut(usize::from(point)).filter(|_| on_board) {
            for stone in [std::mem::replace(place, stone), stone] {
                key::toggle(&mut self.stones, self.variant.size, point, stone);
            }
        }
    }

    /// Puts a stone of the player to move on a point.
    pub fn play(&mut self, point: u16) {
        self.set(point, 1 + u8::from(self.white_to_move));
        self.white_to_move = !self.white_to_move;
    }

    /// Whether the stone on this point is in a winning row.
    pub fn wins_at(&self, point: u16) -> bool {
        let (points, size) = (self.points(), i32::from(self.variant.size));
        let (column, row) = (i32::from(point) % size, i32::from(point) / size);
        let stone = |column: i32, row: i32| {
            let inside = (0..size).contains(&column) && (0..size).contains(&row);
            let place = usize::try_from(row * size + column).ok().filter(|_| inside);
            place.and_then(|place| points.get(place)).copied()
        };
        let Some(own) = stone(column, row).filter(|&stone| stone != 0) else { return false };
        let beyond = |(right, up): (i32, i32)| {
            let same = |step: &i32| stone(column + step * right, row + step * up) == Some(own);
            (1..).take_while(same).count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
            let row = 1 + beyond((right, up)) + beyond((-right, -up));
            match self.variant.rule {
                Rule::Freestyle => row >= 5,
                Rule::Standard => row == 5,
            }
        })
    }

    /// Reads the rows of a board from the top as `diagram::read` does, then the side to move, then
    /// the rule; a missing rule is freestyle.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text is not a position, or the board has another size.
    pub fn read(text: &str) -> Result<Self, Error> {
        let error = |why: &str| Error::position("gomoku", text, why);
        if text.len() > POSITION_TEXT_MAX as usize {
            return Err(error("it is too long to be a position"));
        }
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or_else(|| error("it is empty"))?;
        let side = fields.next().ok_or_else(|| error("the side to move is x or o"))?;
        let rule = match fields.next() {
            None => Rule::default(),
            Some(word) => {
                Rule::of_word(word).ok_or_else(|| error("the rule is freestyle or standard"))?
            }
        };
        if fields.next().is_some() {
            return Err(error("it has more than three fields"));
        }
        let board = diagram::read(board, POINTS_MAX).map_err(error)?;
        let fits = |variant: &&Variant| {
            usize::from(variant.points()) == board.cells.len()
                && board.width.is_none_or(|width| width == usize::from(variant.size))
                && variant.rule == rule
        };
        let variant = Variant::ALL
            .iter()
            .find(fits)
            .ok_or_else(|| error("the board is 15x15, 19x19 or 20x20"))?;
        let white_to_move =
            diagram::second_to_move(side).ok_or_else(|| error("the side to move is x or o"))?;
        let mut position = Self::empty(*variant, white_to_move);
        let upwards = board.cells.chunks(variant.size.into()).rev().flatten();
        for (point, &stone) in (0..).zip(upwards) {
            position.set(point, stone);
        }
        Ok(position)
    }

    /// Appends the rows from the top, `x` for black stones, `o` for white ones and numbers for
    /// runs of empty points, `/` between rows; the side to move; the rule.
    pub fn write(&self, out: &mut String) {
        self.write_facts(out);
        out.push(' ');
        out.push_str(self.variant.rule.word());
    }

    /// Appends the position without the rule, which does not affect the legal moves.
    pub(super) fn write_facts(&self, out: &mut String) {
        for (row, points) in self.points().chunks(self.variant.size.into()).rev().enumerate() {
            if row > 0 {
                out.push('/');
            }
            for run in points.chunk_by(|a, b| *a == 0 && *b == 0) {
                match run {
                    [1] => out.push('x'),
                    [2] => out.push('o'),
                    empty => out.push_str(&empty.len().to_string()),
                }
            }
        }
        out.push_str(if self.white_to_move { " o" } else { " x" });
    }
}

/// Returns the class of a board's size: up to 15 rows, up to 19, or more.
pub(super) fn size_class(size: usize) -> usize {
    exceeded([15, 19], size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Option<String> {
        let mut out = String::new();
        Position::read(text).ok()?.write(&mut out);
        Some(out)
    }

    #[test]
    fn dialects_are_understood() {
        let rows = |size: usize, row: &str| vec![row; size].join("/");
        for variant in Variant::ALL {
            let size = usize::from(variant.size);
            let text = format!("{} x {}", rows(size, &size.to_string()), variant.rule.word());
            assert_eq!(rewritten(&text).as_deref(), Some(&text[..]));
            let dots = format!("{} black {}", rows(size, &".".repeat(size)), variant.rule.word());
            assert_eq!(rewritten(&dots).as_deref(), Some(&text[..]));
            let unbroken = format!("{} B {}", "-".repeat(size * size), variant.rule.word());
            assert_eq!(rewritten(&unbroken).as_deref(), Some(&text[..]));
        }
        let stones = format!("B13w/{} O", rows(14, "15"));
        let canonical = format!("x13o/{} o freestyle", rows(14, "15"));
        assert_eq!(rewritten(&stones), Some(canonical));
    }

    #[test]
    fn the_first_row_of_the_text_is_the_highest() {
        let text = format!("x14/{}/14o x", vec!["15"; 13].join("/"));
        let position = Position::read(&text).expect("a position");
        assert_eq!((position.points()[14 * 15], position.points()[14]), (1, 2));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let rows = |count: usize, row: &str| vec![row; count].join("/");
        for text in [
            String::new(),
            rows(15, "15"),
            format!("{} y", rows(15, "15")),
            format!("{} x renju", rows(15, "15")),
            format!("{} x standard 1", rows(15, "15")),
            format!("{} x", rows(14, "15")),
            format!("{} x", rows(16, "16")),
            format!("{} x", rows(25, "9")),
            format!("{} x", "-".repeat(401)),
            format!("{} x", "x".repeat(3_000)),
        ] {
            assert_eq!(rewritten(&text), None, "{text}");
        }
    }
}
