//! Patterns for any game with a rectangular board: every rule, resolved and tested cell by cell. A
//! game describes its board, and may test some rules faster.

use super::ask::{EMPTY, SIDE_MAX};
use super::{Ask, Image, Men, Moment, Region, Regions, Shape, Test, Want};
use crate::boards::{BIT_SET_CELLS, Marks};
use crate::game::Rules;

/// The syntax of rows of cells, for messages.
pub(super) const MAKE_UP: &str =
    "rows are letters of men, `*` for any, `.` for none, `?` or a number for anything, and `/`";

/// How a game's board is drawn and its cells are named.
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    /// The name of the game.
    pub game: &'static str,
    /// The letters of the men: the first player's, then as many of the second's in the same order.
    pub men: &'static str,
    /// Whether men differ in kind. If so, the first letters are those of the kinds, the king's
    /// first, and upper and lower case are different men.
    pub kinds: bool,
    /// The names of the first and of the second player.
    pub sides: [&'static str; 2],
    /// The columns and rows of the board, if there is only one size.
    pub size: Option<(u16, u16)>,
    /// Whether ranks are counted from the bottom of a drawing.
    pub rises: bool,
    /// The number of the first rank.
    pub first_rank: u16,
    /// Whether the column letters omit i.
    pub without_i: bool,
    /// Whether the players sit opposite each other, so that swapping colours turns the board upside
    /// down.
    pub turns: bool,
}

impl Diagram {
    /// Returns the number of men.
    fn count(&self) -> u32 {
        u32::try_from(self.men.len()).unwrap_or(0)
    }

    /// Returns the men of the other colour.
    pub fn swapped(&self, men: Men) -> Men {
        let half = self.count() / 2;
        let first: Men = ((1 << half) - 1) << 1;
        men & EMPTY | (men & first) << half | (men >> half) & first
    }

    /// Returns the man or empty cell that a letter denotes.
    ///
    /// # Errors
    /// Returns a message if the letter is unknown.
    pub fn man(&self, letter: char) -> Result<Men, String> {
        if letter == '.' {
            return Ok(EMPTY);
        }
        let same = |man: char| man == letter || !self.kinds && man.eq_ignore_ascii_case(&letter);
        let place = self.men.chars().zip(1u32..).find(|(man, _)| same(*man));
        place.map(|(_, symbol)| 1 << symbol).ok_or_else(|| {
            let (game, men) = (self.game, self.men);
            format!("`{letter}` is not a man of {game}; use {men}, and `.` for an empty cell")
        })
    }

    /// Returns what letters denote, at least one; `*` is any man.
    ///
    /// # Errors
    /// As [`man`](Self::man), or if there are no letters.
    pub fn men(&self, letters: &str) -> Result<Men, String> {
        if letters == "*" {
            return Ok(((1 << self.count()) - 1) << 1);
        }
        if letters.is_empty() {
            return Err(format!("no man is named; those of {} are {}", self.game, self.men));
        }
        letters.chars().try_fold(0, |men, letter| Ok(men | self.man(letter)?))
    }

    /// Returns the men of these kinds, of either colour.
    ///
    /// # Errors
    /// Returns a message if the game's men are all alike, or if a letter is not a kind's.
    pub fn kinds(&self, letters: &str) -> Result<Men, String> {
        self.check_kinds("the kind of man")?;
        let upper = letters.to_ascii_uppercase();
        let men = upper.chars().try_fold(0, |men, letter| Ok::<_, String>(men | self.man(letter)?));
        men.map(|men| (men | self.swapped(men)) & !EMPTY)
    }

    fn check_kinds(&self, what: &str) -> Result<(), String> {
        if self.kinds {
            return Ok(());
        }
        Err(format!(
            "{what} does not apply to {}, whose men are of one kind; `count` counts men",
            self.game
        ))
    }

    /// Returns the number of kinds.
    fn kind_count(&self) -> usize {
        self.men.len() / 2
    }

    /// Counts the men of each kind that these letters name.
    fn tally(&self, letters: &str) -> Result<Vec<u32>, String> {
        let mut counts = vec![0; self.kind_count()];
        for letter in letters.chars() {
            let kinds = self.men.chars().take(self.kind_count());
            let place = kinds.zip(&mut counts).find(|(kind, _)| *kind == letter);
            let kinds = self.men.get(..self.kind_count()).unwrap_or_default();
            let count = place.ok_or_else(|| format!("`{letter}` is not one of {kinds}"))?.1;
            *count += 1;
        }
        Ok(counts)
    }

    /// Parses a text such as `KRPKR` into the number of each man, by their symbols from 1.
    ///
    /// # Errors
    /// Returns a message with an example.
    pub fn material(&self, text: &str) -> Result<Vec<u32>, String> {
        self.check_kinds("material")?;
        let king = self.men.chars().next().unwrap_or('K');
        let second = text.rfind(king).filter(|&second| second > 0 && text.starts_with(king));
        let (one, other) = second.map(|second| text.split_at(second)).ok_or_else(|| {
            format!(
                "`{text}` is not material; name the men that are left, the first player's \
                 after one {king} and the second's after another: KRPKR"
            )
        })?;
        let counts = [self.tally(one)?, self.tally(other)?].concat();
        if !self.has_kings(&counts) {
            return Err(format!("`{text}` is not material: each side has one {king}"));
        }
        Ok(counts)
    }

    /// Returns whether each side has one king, given the number of each man.
    fn has_kings(&self, counts: &[u32]) -> bool {
        counts.iter().step_by(self.kind_count().max(1)).copied().eq([1, 1])
    }

    /// Counts the men on cells, by their symbols from 1; `None` if a cell may have several, or a
    /// side has not one king.
    pub(super) fn count_men(&self, cells: impl Iterator<Item = Men>) -> Option<Vec<u32>> {
        let mut counts = vec![0; self.men.len()];
        for men in cells.filter(|&men| men != EMPTY) {
            let man = men.checked_ilog2().filter(|_| men.is_power_of_two())?.checked_sub(1)?;
            *counts.get_mut(usize::try_from(man).ok()?)? += 1;
        }
        self.has_kings(&counts).then_some(counts)
    }

    /// Parses a text such as `PPvN` into how many more of each kind the first player has.
    ///
    /// # Errors
    /// Returns a message with an example.
    pub fn imbalance(&self, text: &str) -> Result<Vec<i32>, String> {
        self.check_kinds("imbalance")?;
        let (one, other) = text.split_once('v').ok_or_else(|| {
            format!("`{text}` is not an imbalance; name the surplus of each side, as in PPvN or vP")
        })?;
        let counts = |text| -> Result<Vec<i32>, String> {
            Ok(self
                .tally(text)?
                .into_iter()
                .map(|count| i32::try_from(count).unwrap_or(0))
                .collect())
        };
        let (one, other) = (counts(one)?, counts(other)?);
        Ok(one.into_iter().zip(other).map(|(one, other)| one - other).collect())
    }

    /// Returns whether this is the second player.
    ///
    /// # Errors
    /// Returns a message if it is neither's name.
    pub fn second(&self, side: &str) -> Result<bool, String> {
        let [first, second] = self.sides;
        match side.to_ascii_lowercase() {
            side if side == first => Ok(false),
            side if side == second => Ok(true),
            _ => Err(format!("`{side}` is not a player of {}; use {first} or {second}", self.game)),
        }
    }

    /// Returns the column of a letter.
    fn column(&self, letter: char) -> Option<u16> {
        let letter = u8::try_from(letter.to_ascii_lowercase()).ok()?;
        let column = u16::from(letter.checked_sub(b'a').filter(|&column| column < 26)?);
        match column.cmp(&8) {
            std::cmp::Ordering::Equal if self.without_i => None,
            std::cmp::Ordering::Greater if self.without_i => Some(column - 1),
            _ => Some(column),
        }
    }

    /// Returns the column and the rank of a name, either of which may be missing.
    fn place(&self, name: &str) -> Option<(Option<u16>, Option<u16>)> {
        let mut letters = name.chars();
        let column = name.chars().next().filter(char::is_ascii_alphabetic);
        let column = match column {
            Some(letter) => {
                letters.next();
                Some(self.column(letter)?)
            }
            None => None,
        };
        let number = letters.as_str();
        let rank = match number {
            "" => None,
            _ if !number.bytes().all(|byte| byte.is_ascii_digit()) => return None,
            _ => Some(number.parse::<u16>().ok()?.checked_sub(self.first_rank)?),
        };
        let (columns, rows) = self.size.unwrap_or((SIDE_MAX, SIDE_MAX));
        let inside = column.is_none_or(|column| column < columns);
        (inside && rank.is_none_or(|rank| rank < rows)).then_some((column, rank))
    }

    /// Returns the column and the rank of a cell, from 0.
    ///
    /// # Errors
    /// Returns a message if it is not a cell's name.
    pub fn cell(&self, name: &str) -> Result<(u16, u16), String> {
        match self.place(name) {
            Some((Some(column), Some(rank))) => Ok((column, rank)),
            _ => Err(format!(
                "`{name}` is not a cell of {}; a cell is a letter and a number",
                self.game
            )),
        }
    }

    /// Returns the cells that words name: cells, `e4`; files, `e`; ranks, `4`; the rectangle
    /// between two of them, `a1-c3`; all, `*`.
    ///
    /// # Errors
    /// Returns a message if a word names none.
    pub fn regions(&self, text: &str) -> Result<Regions, String> {
        let region = |word: &str| -> Option<Region> {
            if word == "*" {
                return Some(Region { columns: (0, u16::MAX), ranks: (0, u16::MAX) });
            }
            let (from, to) = word.split_once('-').unwrap_or((word, word));
            let (from, to) = (self.place(from)?, self.place(to)?);
            let span = |from: Option<u16>, to: Option<u16>| match (from, to) {
                (None, None) => Some((0, u16::MAX)),
                (Some(from), Some(to)) => Some((from.min(to), from.max(to))),
                _ => None,
            };
            Some(Region { columns: span(from.0, to.0)?, ranks: span(from.1, to.1)? })
        };
        let regions = text.split_ascii_whitespace().map(|word| {
            region(word).ok_or_else(|| {
                format!(
                    "`{word}` names no cells of {}; cells are e4, a file e, a rank 4, a rectangle \
                     a1-c3, all are *",
                    self.game
                )
            })
        });
        let regions = regions.collect::<Result<Vec<_>, String>>()?;
        if regions.is_empty() {
            return Err("no cells are named; `*` is the whole board".into());
        }
        Ok(Regions(regions))
    }
}

/// A game whose board is a rectangle of cells.
pub trait Grid: Rules {
    /// Returns how it is drawn.
    fn diagram(&self) -> &'static Diagram;

    /// Returns the number of columns and ranks of the board.
    fn size(&self, position: &Self::Position) -> (u16, u16);

    /// Returns the symbol on a cell: 0 if empty, or the place of a man's letter in the
    /// [`Diagram::men`], from 1.
    fn symbol(&self, position: &Self::Position, column: u16, rank: u16) -> u8;

    /// Returns the number of a move on a board of this size. Where men are only put on the board,
    /// it is the number of the cell, and the number of cells for a pass. Where men move, it is the
    /// origin times the number of cells, plus the destination; a promotion adds, for its place
    /// among them, 1 to 4, the square of the number of cells. Castling ends on the rook's square.
    ///
    /// Cells are numbered as in [`Boards`](crate::Boards).
    fn number(&self, size: (u16, u16), mv: Self::Move) -> u16;

    /// Returns what decides which moves may follow, besides the men.
    fn marks(&self, _position: &Self::Position) -> Marks {
        Marks::default()
    }

    /// Appends the symbol on each cell.
    fn push_cells(&self, position: &Self::Position, out: &mut Vec<u8>) {
        let all = cells(self.size(position));
        out.extend(all.map(|(column, rank)| self.symbol(position, column, rank)));
    }

    /// Appends a bit set per man, on a board of at most 64 cells.
    fn push_men(&self, position: &Self::Position, out: &mut Vec<u64>) {
        let first = out.len();
        out.resize(first + self.diagram().men.len(), 0);
        for (cell, (column, rank)) in cells(self.size(position)).take(BIT_SET_CELLS).enumerate() {
            let man = usize::from(self.symbol(position, column, rank)).checked_sub(1);
            if let Some(set) = man.and_then(|man| out.get_mut(first + man)) {
                *set |= 1 << cell;
            }
        }
    }

    /// Returns a faster test that one of these holds, in this image, with the men already swapped.
    ///
    /// # Errors
    /// Returns a message if a text in them is not understood, or if the game does not support it.
    fn quick(&self, _asks: &[Ask], _image: Image) -> Result<Option<Box<dyn Test<Self>>>, String> {
        Ok(None)
    }
}

/// A game's support for patterns.
pub trait Patterns<G: Rules> {
    /// Returns how its board is drawn.
    fn drawing(&self) -> &'static Diagram;

    /// Returns a test that one of these rules of one kind holds, in this image.
    ///
    /// # Errors
    /// Returns a message if the game does not support it, or if a text is not understood.
    fn test(&self, asks: Vec<Ask>, image: Image) -> Result<Box<dyn Test<G>>, String>;

    /// Returns the number of columns and ranks of the board.
    fn extent(&self, position: &G::Position) -> (u16, u16);

    /// Returns the number of a move ([`Grid::number`]).
    fn number_of(&self, size: (u16, u16), mv: G::Move) -> u16;

    /// Returns what decides which moves may follow, besides the men.
    fn marks_of(&self, position: &G::Position) -> Marks;

    /// Appends the symbol on each cell.
    fn write_cells(&self, position: &G::Position, out: &mut Vec<u8>);

    /// Appends a bit set per man ([`Grid::push_men`]).
    fn write_men(&self, position: &G::Position, out: &mut Vec<u64>);
}

impl<G: Grid> Patterns<G> for G {
    fn drawing(&self) -> &'static Diagram {
        self.diagram()
    }

    fn extent(&self, position: &G::Position) -> (u16, u16) {
        self.size(position)
    }

    fn number_of(&self, size: (u16, u16), mv: G::Move) -> u16 {
        self.number(size, mv)
    }

    fn marks_of(&self, position: &G::Position) -> Marks {
        self.marks(position)
    }

    fn write_cells(&self, position: &G::Position, out: &mut Vec<u8>) {
        self.push_cells(position, out);
    }

    fn write_men(&self, position: &G::Position, out: &mut Vec<u64>) {
        self.push_men(position, out);
    }

    fn test(&self, mut asks: Vec<Ask>, image: Image) -> Result<Box<dyn Test<G>>, String> {
        let diagram = self.diagram();
        if image.swapped {
            asks = asks.into_iter().map(|ask| ask.swapped(diagram)).collect();
        }
        if let Some(quick) = self.quick(&asks, image)? {
            return Ok(quick);
        }
        let tests = asks.into_iter().map(|ask| CellTest::new(diagram, ask, image));
        let mut tests = tests.collect::<Result<Vec<_>, String>>()?;
        Ok(if tests.len() == 1 { Box::new(tests.remove(0)) } else { Box::new(OneOf(tests)) })
    }
}

/// One of several tests.
#[derive(Debug)]
struct OneOf(Vec<CellTest>);

impl<G: Grid> Test<G> for OneOf {
    fn holds(&self, moment: &Moment<'_, G>) -> bool {
        self.0.iter().any(|test| test.holds(moment))
    }

    fn may_leave(&self, remains: u64) -> bool {
        self.0.iter().any(|test| Test::<G>::may_leave(test, remains))
    }

    fn looks_back(&self) -> bool {
        self.0.iter().any(|test| Test::<G>::looks_back(test))
    }
}

/// A test of a rule that examines cells.
#[derive(Debug)]
struct CellTest {
    ask: Ask,
    image: Image,
    /// The origin and the destination of a move.
    way: (Option<(u16, u16)>, (u16, u16)),
}

impl CellTest {
    fn new(diagram: &Diagram, ask: Ask, image: Image) -> Result<Self, String> {
        let mut way = (None, (0, 0));
        let ask = match ask {
            Ask::Shape(shape) => Ask::Shape(shape.turned(image)),
            Ask::Move(second, text) => {
                let digits = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
                let starts = |at: &usize| *at > 0 && digits(at - 1) && !digits(*at);
                let (from, to) = match (1..text.len()).find(starts) {
                    Some(at) if diagram.kinds => text.split_at_checked(at).unwrap_or(("", &text)),
                    _ => ("", text.as_str()),
                };
                let from = if from.is_empty() { None } else { Some(diagram.cell(from)?) };
                way = (from, diagram.cell(to)?);
                Ask::Move(second, text)
            }
            Ask::Ending(_) => {
                let game = diagram.game;
                return Err(format!("mate and stalemate are supported in chess, not in {game}"));
            }
            ask => ask,
        };
        Ok(Self { ask, image, way })
    }
}

/// Returns the cells of a board.
fn cells((columns, ranks): (u16, u16)) -> impl Iterator<Item = (u16, u16)> {
    (0..ranks).flat_map(move |rank| (0..columns).map(move |column| (column, rank)))
}

impl<G: Grid> Test<G> for CellTest {
    fn holds(&self, moment: &Moment<'_, G>) -> bool {
        let (game, at) = (moment.game, moment.at);
        let size = game.size(at);
        let men = |position, (column, rank)| 1u32 << game.symbol(position, column, rank);
        // The previous and current contents of each changed cell.
        let changes = || {
            let before = moment.before.filter(|&before| game.size(before) == size);
            let cells = cells(size).filter_map(move |cell| {
                let before = men(before?, cell);
                Some((cell, before, men(at, cell)))
            });
            cells.filter(|change| change.1 != change.2)
        };
        let (image, (from, to)) = (self.image, self.way);
        let holds = |&(column, rank, wanted): &(u16, u16, Men)| {
            let cell = image.cell(column, rank, size);
            cell.is_some_and(|cell| men(at, cell) & wanted != 0)
        };
        match &self.ask {
            Ask::Cells(wanted, cells) => {
                wanted.is_none_or(|wanted| wanted == size) && cells.iter().all(holds)
            }
            Ask::Pawns(pawns, wanted, cells) => {
                let planes = moment.planes.get_or_init(|| Planes::of(game, at));
                *wanted == size
                    && usize::try_from(planes.count(*pawns)) == Ok(cells.len())
                    && cells.iter().all(holds)
            }
            Ask::Count(wanted, regions, (least, most)) if regions.are_all() => {
                let planes = moment.planes.get_or_init(|| Planes::of(game, at));
                (*least..=*most).contains(&planes.count(*wanted))
            }
            Ask::Count(wanted, regions, (least, most)) => {
                let counted = |&(column, rank): &(u16, u16)| {
                    regions.has(column, rank)
                        && (image.cell(column, rank, size))
                            .is_some_and(|cell| men(at, cell) & wanted != 0)
                };
                let count = cells(size).filter(counted).count();
                u32::try_from(count).is_ok_and(|count| (*least..=*most).contains(&count))
            }
            Ask::Shape(shape) => {
                shape.is_in(moment.planes.get_or_init(|| Planes::of(game, at)), size)
            }
            Ask::Material(counts) => tally(game, at, counts.len()) == *counts,
            Ask::Imbalance(more) => {
                let counts = tally(game, at, more.len() * 2);
                let (one, other) = counts.split_at(more.len());
                let difference = |(&one, &other): (&u32, &u32)| i64::from(one) - i64::from(other);
                one.iter().zip(other).map(difference).eq(more.iter().map(|&more| more.into()))
            }
            Ask::Move(second, _) => {
                let diagram = game.diagram();
                let first = ((1u32 << (diagram.count() / 2)) - 1) << 1;
                let own = if *second { diagram.swapped(first) } else { first };
                let change = |(column, rank)| {
                    let cell = image.cell(column, rank, size)?;
                    Some((men(moment.before?, cell), men(at, cell)))
                };
                // Discs that are turned over were there before.
                let kept = if diagram.kinds { own } else { !EMPTY };
                change(to).is_some_and(|(before, after)| before & kept == 0 && after & own != 0)
                    && from.is_none_or(|from| {
                        change(from).is_some_and(|change| change.0 & own != 0 && change.1 == EMPTY)
                    })
            }
            Ask::Moved(wanted) => {
                changes().any(|change| change.1 & wanted != 0 && change.2 == EMPTY)
            }
            Ask::Captured(wanted) => {
                let mut taken = changes().filter(|change| change.1 != EMPTY && change.2 != EMPTY);
                match *wanted {
                    0 => moment.before.is_some() && taken.next().is_none(),
                    wanted => taken.any(|change| change.1 & wanted != 0),
                }
            }
            Ask::Ending(_) => false,
        }
    }

    fn may_leave(&self, remains: u64) -> bool {
        let left = |man: usize| count_left(remains, man);
        match &self.ask {
            // Men are only taken, never added.
            Ask::Material(counts) => counts.iter().zip(0..).all(|(&count, man)| left(man) <= count),
            Ask::Count(wanted, regions, (_, most)) if regions.are_all() => {
                let men = (0..COUNTS_LEFT).filter(|man| wanted >> (man + 1) & 1 == 1);
                men.map(left).sum::<u32>() <= *most
            }
            _ => true,
        }
    }

    fn looks_back(&self) -> bool {
        matches!(self.ask, Ask::Move(..) | Ask::Moved(_) | Ask::Captured(_))
    }
}

/// Number of men that [`counts_left`] counts.
const COUNTS_LEFT: usize = 16;

/// Returns what remains in a position of a game in which men are taken, but none change or arrive
/// ([`Rules::remains`]): four bits for each of the first 16 men, their number, at most 15.
pub fn counts_left<G: Grid>(game: &G, position: &G::Position) -> u64 {
    let counts = tally(game, position, game.diagram().men.len());
    let counts = counts.into_iter().take(COUNTS_LEFT).zip((0..).step_by(4));
    counts.fold(0, |left, (count, at)| left | u64::from(count.min(15)) << at)
}

fn count_left(remains: u64, man: usize) -> u32 {
    let count = u32::try_from(man * 4).ok().and_then(|at| remains.checked_shr(at));
    count.map_or(0, |count| (count & 15) as u32)
}

/// Returns the number of each man.
fn tally<G: Grid>(game: &G, position: &G::Position, men: usize) -> Vec<u32> {
    let mut counts = vec![0; men];
    for (column, rank) in cells(game.size(position)) {
        let symbol = usize::from(game.symbol(position, column, rank));
        if let Some(count) = symbol.checked_sub(1).and_then(|man| counts.get_mut(man)) {
            *count += 1;
        }
    }
    counts
}

/// A shape is matched with rows of bits: a whole row of places is tried at once.
impl Shape {
    /// Returns its image, the rarest cells first.
    fn turned(mut self, image: Image) -> Self {
        let (columns, ranks) = self.size;
        if image.transposed {
            self.size = (ranks, columns);
        }
        let turned = Image { transposed: false, ..image };
        self.cells.retain_mut(|(column, rank, _)| {
            if image.transposed {
                std::mem::swap(column, rank);
            }
            let cell = turned.cell(*column, *rank, self.size);
            cell.map(|cell| (*column, *rank) = cell).is_some()
        });
        // Men are rarer than empty cells.
        self.cells.sort_by_key(|cell| cell.2 == Want::Men(EMPTY));
        self
    }

    /// Returns whether the shape is anywhere on a board. A row of bits extends beyond each edge by
    /// the width of the shape, and the rows extend by its height.
    fn is_in(&self, planes: &Planes, (columns, ranks): (u16, u16)) -> bool {
        let (wide, high) = self.size;
        let on_board = ((1u128 << columns) - 1) << wide;
        let row = |want: Want, row: u16| {
            let rank = row.checked_sub(high).filter(|&rank| rank < ranks);
            match (want, rank) {
                (Want::Men(men), Some(rank)) => planes.row(men, rank) << wide,
                (Want::Men(_), None) => 0,
                (Want::Outside, Some(_)) => !on_board,
                (Want::Outside, None) => u128::MAX,
            }
        };
        // The shape's lower left corner, from entirely beyond one edge to entirely beyond the
        // other.
        let places = (1u128 << (columns + wide)) - 1;
        (0..ranks + high).any(|corner| {
            let mut left = places;
            for &(column, rank, want) in &self.cells {
                left &= row(want, corner + rank) >> column;
                if left == 0 {
                    return false;
                }
            }
            true
        })
    }
}

/// A board as rows of bits, one board for empty cells and for each man, shared by all shapes and
/// all their images.
#[derive(Debug)]
pub struct Planes {
    /// The boards one after another, each with a row for each rank; bit 0 is the first column.
    rows: Vec<u128>,
    ranks: usize,
}

impl Planes {
    fn of<G: Grid>(game: &G, at: &G::Position) -> Self {
        let (columns, ranks) = game.size(at);
        let height = usize::from(ranks);
        let mut rows = vec![0; (game.diagram().men.len() + 1) * height];
        for (rank, place) in (0..ranks).zip(0..) {
            for column in 0..columns {
                let symbol = usize::from(game.symbol(at, column, rank));
                if let Some(row) = rows.get_mut(symbol * height + place) {
                    *row |= 1u128 << column;
                }
            }
        }
        Self { rows, ranks: height }
    }

    /// Returns the number of these men.
    fn count(&self, men: Men) -> u32 {
        let boards = self.rows.chunks_exact(self.ranks.max(1)).zip(0..);
        let wanted = boards.filter(|(_, symbol)| men >> symbol & 1 == 1);
        wanted.flat_map(|(rows, _)| rows).map(|row| row.count_ones()).sum()
    }

    /// Returns the cells of a rank on which one of these men stands.
    fn row(&self, men: Men, rank: u16) -> u128 {
        let (mut left, mut cells) = (men, 0);
        while left != 0 {
            let symbol = left.trailing_zeros() as usize;
            cells |= self.rows.get(symbol * self.ranks + usize::from(rank)).copied().unwrap_or(0);
            left &= left - 1;
        }
        cells
    }
}
