//! Tables of a file's columns, and games with some of their columns.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt64Array, new_null_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;

use super::game::Game;
use super::{Contents, PackedFile};
use crate::error::Error;
use crate::store::condition::{Condition, nearest};
use crate::store::find::runs;
use crate::store::games::schema::SCHEMA;
use crate::store::{Wanted, games};

/// The name of the column of the games' numbers.
const NUMBER: &str = "game";

/// The column by which rows are counted if no other is read: every file has it, and it is small.
const SMALLEST: &str = "layout";

/// What to read of a packed file of games: columns, and which games.
///
/// Only these columns are read and decompressed, only of the games that meet the condition where
/// the file has a page index, and moves are never decoded. A scan reads one row group at a time, of
/// at most 16,384 games.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{PackedFile, Packer, Scan};
///
/// let packed = std::env::temp_dir().join("plypack-scanned.parquet");
/// let games = b"[White \"A\"]\n[WhiteElo \"2500\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n\n";
/// Packer::new().reader("a.pgn", &games[..]).pack(&packed)?;
/// let file = PackedFile::open(&packed)?;
/// let scan = Scan::new().columns(["game", "White"])?.condition("WhiteElo > 2400")?;
/// let table = scan.table(&file, 0)?;
/// assert_eq!((table.num_rows(), table.num_columns()), (1, 2));
/// assert_eq!(scan.games(&file, 0)?[0].number(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scan {
    columns: Option<Vec<Column>>,
    condition: Option<Condition>,
}

/// A column of a table.
#[derive(Clone, Debug)]
enum Column {
    /// The games' numbers.
    Number,
    /// A column of the file.
    Stored(usize),
    /// A tag without a column of its own.
    Tag(String),
}

impl Scan {
    /// Returns a scan of all games, with their tags and moves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects columns, in this order: columns of packed files, which the project's
    /// `docs/FORMAT.md` lists, such as `White`, `WhiteElo`, `played_on` and `moves`; other tags, as
    /// text; and `game`, the number of the game in the file, from 1.
    ///
    /// # Errors
    /// Returns [`Error::Condition`] if a name is neither a column's nor can be a tag's.
    pub fn columns(mut self, names: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, Error> {
        let columns = names.into_iter().map(|name| column(name.as_ref()));
        self.columns = Some(columns.collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Requires a condition, written as in SQL: [`Query::condition`](crate::Query::condition).
    ///
    /// # Errors
    /// Returns [`Error::Condition`] if it cannot be read.
    pub fn condition(mut self, condition: &str) -> Result<Self, Error> {
        self.condition = Some(Condition::parse(condition).map_err(Error::condition)?);
        Ok(self)
    }

    /// Returns the columns and their types, which are the same for every file.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        let field = |column: &Column| match column {
            Column::Number => Field::new(NUMBER, DataType::UInt64, false),
            Column::Stored(place) => SCHEMA.field(*place).clone().with_nullable(true),
            Column::Tag(name) => Field::new(name, DataType::Utf8, true),
        };
        Arc::new(Schema::new(self.chosen().iter().map(field).collect::<Vec<_>>()))
    }

    /// Reads a row group, counted from 0 below [`PackedFile::groups`], as a table; of all games, or
    /// of those that meet the condition.
    ///
    /// # Errors
    /// Returns [`Error::Condition`] if it names what no game has, [`Error::Io`], [`Error::Page`],
    /// or [`Error::File`] if the file is damaged or holds positions.
    pub fn table(&self, file: &PackedFile, group: usize) -> Result<RecordBatch, Error> {
        let Some(runs) = self.runs(file, group)? else {
            return Ok(RecordBatch::new_empty(self.schema()));
        };
        self.read(file, group, runs)
    }

    fn read(
        &self,
        file: &PackedFile,
        group: usize,
        runs: Option<Vec<Range<usize>>>,
    ) -> Result<RecordBatch, Error> {
        let (schema, chosen) = (self.schema(), self.chosen());
        let mut names: Vec<&str> = chosen.iter().filter_map(stored).collect();
        if names.is_empty() {
            names.push(SMALLEST);
        }
        let read = file.inner.read_whole(group, runs.clone(), Wanted::Of(&names));
        let batches = read.map_err(Error::file)?;
        let misfit = || file.misfit("it is damaged: rows are missing");
        let first = batches.first().map(RecordBatch::schema).ok_or_else(misfit)?;
        let whole = concat_batches(&first, &batches).map_err(|_| misfit())?;
        let start = file.inner.group_start(group);
        let columns = chosen.iter().map(|column| match column {
            Column::Number => Ok(numbers(start, runs.as_deref(), whole.num_rows())),
            Column::Stored(place) => Ok(whole_column(&whole, *place)),
            Column::Tag(name) => tag(&whole, name).ok_or_else(misfit),
        });
        let columns = columns.collect::<Result<Vec<_>, Error>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(whole.num_rows()));
        RecordBatch::try_new_with_options(schema, columns, &options).map_err(|_| misfit())
    }

    /// Reads the games of a row group, or those that meet the condition. A game has only the
    /// columns that are selected: its tags, its `moves`, its `clocks` and so on; all, if none are.
    ///
    /// # Errors
    /// As [`table`](Self::table).
    pub fn games(&self, file: &PackedFile, group: usize) -> Result<Vec<Game>, Error> {
        let Some(runs) = self.runs(file, group)? else { return Ok(Vec::new()) };
        let names = self.names();
        let wanted = names.as_deref().map_or(Wanted::All, Wanted::Of);
        let rows = file.inner.read_game_rows(group, runs.clone(), wanted).map_err(Error::file)?;
        let (rows, start) = (Arc::new(rows), file.inner.group_start(group));
        let runs = runs.unwrap_or_else(|| std::iter::once(0..rows.len()).collect());
        let games = runs.into_iter().flatten().enumerate().map(|(at, row)| {
            Game::new(file.path.clone(), rows.clone(), at, start + row as u64 + 1)
        });
        Ok(games.collect())
    }

    /// Reads some rows of a row group as a table, in runs that ascend, counted from 0 in the group.
    /// The condition does not apply.
    ///
    /// # Errors
    /// As [`table`](Self::table), and if there is no such row.
    pub fn table_of(
        &self,
        file: &PackedFile,
        group: usize,
        rows: &[Range<usize>],
    ) -> Result<RecordBatch, Error> {
        let records = usize::try_from(file.group_len(group)).unwrap_or(usize::MAX);
        let mut least = 0;
        for run in rows {
            if run.start < least || run.end < run.start || run.end > records {
                return Err(file.misfit("its row group has no such rows, or they do not ascend"));
            }
            least = run.end;
        }
        let runs: Vec<Range<usize>> = rows.iter().filter(|run| !run.is_empty()).cloned().collect();
        if runs.is_empty() {
            return Ok(RecordBatch::new_empty(self.schema()));
        }
        self.read(file, group, Some(runs))
    }

    /// Reads the games with these numbers, counted from 1, and returns them in the same order. Like
    /// those of [`games`](Self::games), they have the selected columns only. The condition does not
    /// apply.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if there is no such game, [`Error::Io`], [`Error::Page`], or
    /// [`Error::File`] if the file is damaged or holds positions.
    pub fn games_at(&self, file: &PackedFile, numbers: &[u64]) -> Result<Vec<Game>, Error> {
        let mut rows = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let missing = || Error::record(&file.path, number, "records are counted from 1");
            rows.push(number.checked_sub(1).ok_or_else(missing)?);
        }
        rows.sort_unstable();
        rows.dedup();
        let runs: Vec<Range<u64>> = runs(rows.iter().copied());
        let names = self.names();
        let wanted = names.as_deref().map_or(Wanted::All, Wanted::Of);
        let read = Arc::new(file.inner.read_rows(&runs, wanted).map_err(Error::file)?);
        let game = |&number: &u64| {
            let place = rows.binary_search(&(number - 1)).unwrap_or(usize::MAX);
            Game::new(file.path.clone(), read.clone(), place, number)
        };
        Ok(numbers.iter().map(game).collect())
    }

    /// Returns the names of the columns that games are read from; `None` for all.
    fn names(&self) -> Option<Vec<&'static str>> {
        let columns = self.columns.as_ref()?;
        let mut names: Vec<&str> = columns.iter().filter_map(stored).collect();
        // Without it every row would seem damaged.
        names.push(SMALLEST);
        Some(names)
    }

    /// Returns the selected columns, or those of tags and moves.
    fn chosen(&self) -> Vec<Column> {
        if let Some(columns) = &self.columns {
            return columns.clone();
        }
        let names = games::schema::TAGS_AND_MOVES.iter();
        let names = names.filter(|name| !matches!(**name, "tag_order" | "moves.start"));
        let places = names.filter_map(|name| SCHEMA.index_of(name).ok());
        std::iter::once(Column::Number).chain(places.map(Column::Stored)).collect()
    }

    /// Returns the rows of a row group that meet the condition, in runs: `None` inside for all,
    /// `None` outside for none.
    fn runs(
        &self,
        file: &PackedFile,
        group: usize,
    ) -> Result<Option<Option<Vec<Range<usize>>>>, Error> {
        if file.contents() != Contents::Games {
            return Err(file.misfit("it holds positions, not games; pack games to scan them"));
        }
        if group >= file.groups() {
            return Ok(None);
        }
        let Some(condition) = &self.condition else { return Ok(Some(None)) };
        condition.check(&[&file.inner]).map_err(Error::file)?;
        if !file.inner.may_match(group, condition) {
            return Ok(None);
        }
        let meets = file.inner.select(group, None, condition).map_err(Error::file)?;
        let runs: Vec<Range<usize>> = meets.set_slices().map(|(start, end)| start..end).collect();
        match meets.count_set_bits() {
            0 => Ok(None),
            all if all == meets.len() => Ok(Some(None)),
            _ => Ok(Some(Some(runs))),
        }
    }
}

/// Finds a column by its name, in any case.
fn column(name: &str) -> Result<Column, Error> {
    if name.eq_ignore_ascii_case(NUMBER) {
        return Ok(Column::Number);
    }
    let fields = SCHEMA.fields().iter();
    if let Some(place) = fields.clone().position(|field| field.name().eq_ignore_ascii_case(name)) {
        return Ok(Column::Stored(place));
    }
    if name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return Ok(Column::Tag(name.to_owned()));
    }
    let names = fields.map(|field| field.name().as_str()).chain([NUMBER]);
    let cure = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "tags begin with a capital letter; docs/FORMAT.md lists the columns".to_owned(),
    };
    Err(Error::Condition { message: format!("there is no column `{name}`; {cure}") })
}

/// Returns the column of the file that a column is made of.
fn stored(column: &Column) -> Option<&'static str> {
    match column {
        Column::Number => None,
        Column::Stored(place) => Some(SCHEMA.field(*place).name()),
        Column::Tag(_) => Some("tags"),
    }
}

/// Returns the numbers of games, from 1, of a row group that begins at a row.
fn numbers(start: u64, runs: Option<&[Range<usize>]>, rows: usize) -> ArrayRef {
    let all = 0..rows;
    let rows = runs.unwrap_or(std::slice::from_ref(&all)).iter().cloned().flatten();
    Arc::new(UInt64Array::from_iter_values(rows.map(|row| start + row as u64 + 1)))
}

/// Returns a column of the file, which it may lack where no game has a value.
fn whole_column(whole: &RecordBatch, place: usize) -> ArrayRef {
    let field = SCHEMA.field(place);
    let found = whole.column_by_name(field.name());
    let found = found.filter(|array| array.data_type() == field.data_type()).cloned();
    found.unwrap_or_else(|| new_null_array(field.data_type(), whole.num_rows()))
}

/// Returns the values of a tag without a column; `None` if the file's types are not ours.
fn tag(whole: &RecordBatch, name: &str) -> Option<ArrayRef> {
    let Some(tags) = whole.column_by_name("tags") else {
        return Some(new_null_array(&DataType::Utf8, whole.num_rows()));
    };
    let tags = tags.as_map_opt()?;
    let mut values = StringBuilder::new();
    for row in 0..tags.len() {
        let entries = tags.value(row);
        let (names, texts) = (entries.column(0), entries.column(1));
        let (names, texts) = (names.as_string_opt::<i32>()?, texts.as_string_opt::<i32>()?);
        let place = (0..names.len()).find(|&at| tags.is_valid(row) && names.value(at) == name);
        values.append_option(place.map(|at| texts.value(at)));
    }
    Some(Arc::new(values.finish()))
}
