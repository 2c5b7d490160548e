//! Rules, read with the letters and names of a game's board.

use super::grid::{Diagram, MAKE_UP};

/// The maximum number of rows and columns of a drawn board.
pub(super) const SIDE_MAX: u16 = 52;

/// A set of the possible contents of a cell: bit 0 for empty, and a bit for each man.
pub type Men = u32;

/// An empty cell.
pub const EMPTY: Men = 1;

/// A rectangle of cells, by their columns and ranks from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first and the last column.
    pub columns: (u16, u16),
    /// The first and the last rank.
    pub ranks: (u16, u16),
}

impl Region {
    /// Returns whether a cell is in it.
    pub fn has(&self, column: u16, rank: u16) -> bool {
        let within = |at, (first, last)| first <= at && at <= last;
        within(column, self.columns) && within(rank, self.ranks)
    }
}

/// A set of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions(pub Vec<Region>);

impl Regions {
    /// Returns whether a cell is one of them.
    pub fn has(&self, column: u16, rank: u16) -> bool {
        self.0.iter().any(|region| region.has(column, rank))
    }

    /// Returns whether one of them is the whole board.
    pub fn are_all(&self) -> bool {
        self.0.iter().any(|region| [region.columns, region.ranks] == [(0, u16::MAX); 2])
    }
}

/// The required contents of a cell of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// One of these stands on it.
    Men(Men),
    /// It is beyond the edge of the board.
    Outside,
}

/// A shape: cells by column and rank from its corner; the others may hold anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its numbers of columns and ranks.
    pub size: (u16, u16),
    /// The cells with a requirement.
    pub cells: Vec<(u16, u16, Want)>,
}

/// An end of a game on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is in check and has no move.
    Mate,
    /// It has no move, and is not in check.
    Stalemate,
}

/// A rule. Ranks are counted from the one with the lowest number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// On a board of this size, or of any, these men stand on these cells.
    Cells(Option<(u16, u16)>, Vec<(u16, u16, Men)>),
    /// On a board of this size the pawns, which are these men, stand on these cells, and nowhere
    /// else.
    Pawns(Men, (u16, u16), Vec<(u16, u16, Men)>),
    /// The number of these men on these cells is in this range.
    Count(Men, Regions, (u32, u32)),
    /// The shape is somewhere on the board.
    Shape(Shape),
    /// These numbers of each man are left.
    Material(Vec<u32>),
    /// The first player has this many more of each kind.
    Imbalance(Vec<i32>),
    /// Whether the second player made the move, and its text.
    Move(bool, String),
    /// One of these men moved.
    Moved(Men),
    /// One of these men was taken; if the set is empty, nothing was.
    Captured(Men),
    /// The game ended in this way.
    Ending(Ending),
}

impl Ask {
    /// Reads the rows of a board, from the top: letters of men, `*` for any man, numbers for runs
    /// of cells on which anything may stand, `?` for one of them, `.` for an empty cell.
    ///
    /// # Errors
    /// Returns a message with a remedy.
    pub fn board(text: &str, diagram: &Diagram) -> Result<Self, String> {
        let (size, cells) = whole_board(text, diagram)?;
        Ok(Self::Cells(Some(size), cells))
    }

    /// Reads the pawns of a board, whose other men do not matter; as [`board`](Self::board).
    ///
    /// # Errors
    /// As [`board`](Self::board), or if the game has no pawns.
    pub fn pawns(text: &str, diagram: &Diagram) -> Result<Self, String> {
        let pawns = diagram.kinds("P")?;
        let (size, mut cells) = whole_board(text, diagram)?;
        cells.retain(|cell| cell.2 & !pawns == 0);
        Ok(Self::Pawns(pawns, size, cells))
    }

    /// Reads the structure of a board: its pawns, and how many men of each kind there are, wherever
    /// these stand; as [`board`](Self::board).
    ///
    /// # Errors
    /// As [`pawns`](Self::pawns), or if the board does not tell all men.
    pub fn structure(text: &str, diagram: &Diagram) -> Result<[Self; 2], String> {
        let pawns = Self::pawns(text, diagram)?;
        let (_, cells) = whole_board(text, diagram)?;
        let counts = diagram.count_men(cells.into_iter().map(|cell| cell.2)).ok_or_else(|| {
            format!("`{text}` has not all men of a position; `pawns` asks for its pawns alone")
        })?;
        Ok([Self::Material(counts), pawns])
    }

    /// Reads rows that may be anywhere on the board; `#` is beyond its edge.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    pub fn shape(text: &str, diagram: &Diagram) -> Result<Self, String> {
        let shape = Shape::read(text, diagram, true)?;
        if !shape.cells.iter().any(|cell| matches!(cell.2, Want::Men(_))) {
            return Err(format!("the shape `{text}` requires nothing on the board"));
        }
        Ok(Self::Shape(shape))
    }

    /// Reads the way in which a game ended on the board.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    pub fn ending(text: &str) -> Result<Self, String> {
        Ok(Self::Ending(match text {
            "mate" => Ending::Mate,
            "stalemate" => Ending::Stalemate,
            _ => return Err(format!("`{text}` is not an ending; use mate or stalemate")),
        }))
    }

    /// Returns the rule for the other colours.
    pub(super) fn swapped(mut self, diagram: &Diagram) -> Self {
        let swap = |men: &mut Men| *men = diagram.swapped(*men);
        match &mut self {
            Self::Cells(_, cells) | Self::Pawns(_, _, cells) => {
                cells.iter_mut().for_each(|cell| swap(&mut cell.2));
            }
            Self::Count(men, ..) => swap(men),
            Self::Shape(shape) => {
                for cell in &mut shape.cells {
                    if let Want::Men(men) = &mut cell.2 {
                        swap(men);
                    }
                }
            }
            Self::Material(counts) => {
                let half = counts.len() / 2;
                counts.rotate_left(half);
            }
            Self::Imbalance(more) => more.iter_mut().for_each(|more| *more = -*more),
            Self::Move(second, _) => *second = !*second,
            Self::Moved(_) | Self::Captured(_) | Self::Ending(_) => {}
        }
        self
    }
}

/// A board's size and the cells with a requirement.
type Board = ((u16, u16), Vec<(u16, u16, Men)>);

/// Reads the rows of a whole board.
fn whole_board(text: &str, diagram: &Diagram) -> Result<Board, String> {
    let Shape { size, cells } = Shape::read(text, diagram, false)?;
    if let Some((columns, rows)) = diagram.size.filter(|&wanted| wanted != size) {
        return Err(format!(
            "`{text}` is not a board of {} with {rows} rows of {columns} cells; a smaller part \
             that may be anywhere is a `shape`",
            diagram.game
        ));
    }
    let cells = cells.into_iter().filter_map(|cell| match cell.2 {
        Want::Men(men) => Some((cell.0, cell.1, men)),
        Want::Outside => None,
    });
    Ok((size, cells.collect()))
}

impl Shape {
    /// Reads rows; with `beyond`, `#` is a cell beyond the edge.
    fn read(text: &str, diagram: &Diagram, beyond: bool) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let board = words.next().unwrap_or_default();
        if words.next().is_some() {
            return Err(format!(
                "`{text}` is more than a board; use `stm` for the side to move, and --fen for a \
                 whole position"
            ));
        }
        let (mut cells, mut width) = (Vec::new(), None);
        let rows = board.split('/').count();
        let rows = u16::try_from(rows).ok().filter(|&rows| rows <= SIDE_MAX);
        let rows = rows.ok_or_else(|| format!("a board has at most {SIDE_MAX} rows"))?;
        for (row, line) in (0..rows).zip(board.split('/')) {
            let rank = if diagram.rises { rows - 1 - row } else { row };
            let mut column: u16 = 0;
            let mut letters = line.chars().peekable();
            while let Some(letter) = letters.next() {
                if let Some(mut run) = letter.to_digit(10) {
                    while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                        run = run.saturating_mul(10).saturating_add(digit);
                        letters.next();
                    }
                    column = column.saturating_add(u16::try_from(run).unwrap_or(u16::MAX));
                } else {
                    match letter {
                        '?' => {}
                        '#' if beyond => cells.push((column, rank, Want::Outside)),
                        '*' => cells.push((column, rank, Want::Men(diagram.men("*")?))),
                        _ => cells.push((column, rank, Want::Men(diagram.man(letter)?))),
                    }
                    column = column.saturating_add(1);
                }
                if column > SIDE_MAX {
                    return Err(format!("`{text}` has a row of more than {SIDE_MAX} cells"));
                }
            }
            if *width.get_or_insert(column) != column {
                return Err(format!("the rows of `{text}` do not have equal lengths"));
            }
        }
        let columns = width.filter(|&width| width > 0);
        let columns = columns.ok_or_else(|| format!("`{text}` has no cells; {MAKE_UP}"))?;
        Ok(Self { size: (columns, rows), cells })
    }
}
