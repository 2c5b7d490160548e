//! SQLite: one file per layout.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params};

use crate::database::{Database, Question, Sizes, disk_of, forget_files};
use crate::layout::{Layout, Row, Value};
use crate::lines::Rows;

/// The folder of the files, and the open ones.
#[derive(Debug)]
pub struct Sqlite {
    folder: PathBuf,
    /// The memory of its own cache, in bytes, beside the system's.
    memory: u64,
    open: Vec<(Layout, Connection)>,
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Self::Number(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
        })
    }
}

impl Sqlite {
    /// Opens databases in a folder.
    pub fn new(folder: &Path, memory: u64) -> Result<Self> {
        let folder = folder.join("sqlite");
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Self { folder, memory, open: Vec::new() })
    }

    fn path(&self, layout: Layout) -> PathBuf {
        self.folder.join(format!("{}.db", layout.name()))
    }

    fn connection(&mut self, layout: Layout) -> Result<&Connection> {
        let place = match self.open.iter().position(|open| open.0 == layout) {
            Some(place) => place,
            None => {
                let connection = Connection::open(self.path(layout))?;
                connection.pragma_update(
                    None,
                    "cache_size",
                    -i64::try_from(self.memory / 1024)?,
                )?;
                self.open.push((layout, connection));
                self.open.len() - 1
            }
        };
        Ok(&self.open[place].1)
    }
}

impl Database for Sqlite {
    fn load(&mut self, layout: Layout, rows: Rows, of: &[Row]) -> Result<()> {
        let (text, number) = match layout {
            Layout::Pgn | Layout::San => ("TEXT", "TEXT"),
            Layout::Cell => ("BLOB", "BLOB"),
            Layout::Key => ("BLOB", "INTEGER"),
        };
        let connection = self.connection(layout)?;
        // A file that is filled only once needs no journal.
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
             CREATE TABLE lines (
                 owner INTEGER NOT NULL, number INTEGER NOT NULL,
                 moves {text} NOT NULL, position {number} NOT NULL,
                 PRIMARY KEY (owner, number)) WITHOUT ROWID;"
        ))?;
        let mut insert = connection.prepare("INSERT INTO lines VALUES (?1, ?2, ?3, ?4)")?;
        for row in 0..rows.count {
            let (key, values) = (rows.key(row)?, &of[rows.opening(row)?]);
            insert.execute(params![key.owner, key.number, values.moves, values.position])?;
        }
        drop(insert);
        connection.execute_batch("COMMIT")?;
        let table = std::fs::metadata(self.path(layout))?.len();
        // Written here for `sizes`.
        std::fs::write(self.path(layout).with_extension("table"), table.to_string())?;
        let connection = self.connection(layout)?;
        connection.execute_batch("CREATE INDEX positions ON lines (position)")?;
        Ok(())
    }

    fn sizes(&mut self, layout: Layout) -> Result<Sizes> {
        let table = std::fs::read_to_string(self.path(layout).with_extension("table"))?.parse()?;
        let all = std::fs::metadata(self.path(layout))?.len();
        Ok(Sizes { table, keys: 0, positions: all - table })
    }

    fn forget(&mut self) -> Result<()> {
        self.open.clear();
        forget_files(&self.folder)
    }

    fn fetch(&mut self, layout: Layout, question: &Question) -> Result<Vec<Row>> {
        let value = |row: &rusqlite::Row<'_>, column: usize| -> rusqlite::Result<Value> {
            Ok(match row.get_ref(column)? {
                ValueRef::Integer(number) => Value::Number(number),
                ValueRef::Text(_) => Value::Text(row.get(column)?),
                _ => Value::Bytes(row.get(column)?),
            })
        };
        let row = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Row> {
            Ok(Row { moves: value(row, 0)?, position: value(row, 1)? })
        };
        let connection = self.connection(layout)?;
        let mut rows = Vec::new();
        match question {
            Question::Keys(keys) => {
                let mut select = connection.prepare_cached(
                    "SELECT moves, position FROM lines WHERE owner = ?1 AND number = ?2",
                )?;
                for key in keys {
                    rows.push(select.query_row(params![key.owner, key.number], row)?);
                }
            }
            Question::User(owner) => {
                let mut select = connection
                    .prepare_cached("SELECT moves, position FROM lines WHERE owner = ?1")?;
                for found in select.query_map(params![owner], row)? {
                    rows.push(found?);
                }
            }
            Question::Positions(positions) => {
                let mut select = connection
                    .prepare_cached("SELECT moves, position FROM lines WHERE position = ?1")?;
                for position in positions {
                    for found in select.query_map(params![position], row)? {
                        rows.push(found?);
                    }
                }
            }
        }
        Ok(rows)
    }

    fn scan(&mut self, layout: Layout) -> Result<u64> {
        let connection = self.connection(layout)?;
        let bytes: i64 =
            connection
                .query_row("SELECT sum(octet_length(moves)) FROM lines", [], |row| row.get(0))?;
        Ok(u64::try_from(bytes)?)
    }

    fn disk(&mut self) -> Option<u64> {
        disk_of("self")
    }
}
