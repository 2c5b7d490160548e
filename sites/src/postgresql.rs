//! PostgreSQL: one table per layout.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, NoTls};

use crate::database::{Database, Question, Sizes, disk_of, forget_files};
use crate::layout::{Layout, Row, Value};
use crate::lines::Rows;
use crate::server::Server;

/// A server with a connection to it.
pub struct Postgres {
    // Closed before the server is stopped.
    client: Option<Client>,
    server: Server,
    memory: u64,
    process: i32,
}

impl Postgres {
    /// Starts a cluster in a folder, with this many bytes of shared buffers.
    pub fn new(folder: &Path, memory: u64) -> Result<Self> {
        let server = Server::start(folder, memory)?;
        let mut made = Self { client: None, server, memory, process: 0 };
        made.connect()?;
        Ok(made)
    }

    fn connect(&mut self) -> Result<()> {
        let mut client = Config::new()
            .host_path(&self.server.folder)
            .user("postgres")
            .dbname("postgres")
            .connect(NoTls)?;
        // Thousands of keys are looked up one by one, whatever the planner prefers.
        client.batch_execute("SET enable_hashjoin = off; SET enable_mergejoin = off")?;
        self.process = client.query_one("SELECT pg_backend_pid()", &[])?.get(0);
        self.client = Some(client);
        Ok(())
    }

    fn client(&mut self) -> Result<&mut Client> {
        self.client.as_mut().context("there is no connection")
    }
}

impl Database for Postgres {
    fn load(&mut self, layout: Layout, rows: Rows, of: &[Row]) -> Result<()> {
        let name = layout.name();
        // Columns of fixed width come first, to avoid padding.
        let columns = match layout {
            Layout::Pgn | Layout::San => "moves text NOT NULL, position text NOT NULL",
            Layout::Cell => "moves bytea NOT NULL, position bytea NOT NULL",
            Layout::Key => "position bigint NOT NULL, moves bytea NOT NULL",
        };
        let texts = of.iter().map(|row| copied(row, layout)).collect::<Result<Vec<_>>>()?;
        let mut fill = self.client()?.transaction()?;
        fill.batch_execute(&format!(
            "CREATE TABLE {name} (owner integer NOT NULL, number integer NOT NULL, {columns});
             ALTER TABLE {name} ALTER moves SET STORAGE PLAIN"
        ))?;
        let mut copy = fill.copy_in(&format!("COPY {name} FROM STDIN (FREEZE)"))?;
        let mut lines = String::new();
        for row in 0..rows.count {
            let key = rows.key(row)?;
            writeln!(lines, "{}\t{}\t{}", key.owner, key.number, texts[rows.opening(row)?])?;
            if lines.len() > 1 << 16 || row + 1 == rows.count {
                copy.write_all(lines.as_bytes())?;
                lines.clear();
            }
        }
        copy.finish()?;
        fill.commit()?;
        self.client()?.batch_execute(&format!(
            "ALTER TABLE {name} ADD PRIMARY KEY (owner, number);
             CREATE INDEX {name}_positions ON {name} (position);
             ANALYZE {name}; CHECKPOINT"
        ))?;
        Ok(())
    }

    fn sizes(&mut self, layout: Layout) -> Result<Sizes> {
        let mut size = |of: &str| -> Result<u64> {
            let name = format!("{}{of}", layout.name());
            let row = self
                .client()?
                .query_one("SELECT pg_relation_size($1::text::regclass)", &[&name])?;
            Ok(u64::try_from(row.get::<_, i64>(0))?)
        };
        Ok(Sizes { table: size("")?, keys: size("_pkey")?, positions: size("_positions")? })
    }

    fn forget(&mut self) -> Result<()> {
        self.client = None;
        self.server.stop()?;
        forget_files(&self.server.folder.join("data"))?;
        self.server.run(self.memory)?;
        self.connect()
    }

    fn fetch(&mut self, layout: Layout, question: &Question) -> Result<Vec<Row>> {
        let name = layout.name();
        let found = match question {
            Question::Keys(keys) => {
                let owners: Vec<i32> = keys.iter().map(|key| key.owner).collect();
                let numbers: Vec<i32> = keys.iter().map(|key| key.number).collect();
                let select = format!(
                    "SELECT moves, position FROM unnest($1::int[], $2::int[]) AS k (owner, number)
                     JOIN {name} USING (owner, number)"
                );
                self.client()?.query(&select, &[&owners, &numbers])?
            }
            Question::User(owner) => {
                let select = format!("SELECT moves, position FROM {name} WHERE owner = $1");
                self.client()?.query(&select, &[owner])?
            }
            Question::Positions(positions) => {
                let select = format!("SELECT moves, position FROM {name} WHERE position = ANY($1)");
                let list = positions_of(positions);
                self.client()?.query(&select, &[&*list])?
            }
        };
        let value = |row: &postgres::Row, column: usize| match *row.columns()[column].type_() {
            Type::INT8 => Value::Number(row.get(column)),
            Type::TEXT => Value::Text(row.get(column)),
            _ => Value::Bytes(row.get(column)),
        };
        let row = |row: &postgres::Row| Row { moves: value(row, 0), position: value(row, 1) };
        Ok(found.iter().map(row).collect())
    }

    fn scan(&mut self, layout: Layout) -> Result<u64> {
        let select = format!("SELECT sum(octet_length(moves)) FROM {}", layout.name());
        let row = self.client()?.query_one(&select, &[])?;
        Ok(u64::try_from(row.get::<_, i64>(0))?)
    }

    fn disk(&mut self) -> Option<u64> {
        disk_of(&self.process.to_string())
    }
}

/// Formats the columns of a row for COPY.
fn copied(row: &Row, layout: Layout) -> Result<String> {
    let columns = match layout {
        Layout::Key => [&row.position, &row.moves],
        _ => [&row.moves, &row.position],
    };
    let mut text = String::new();
    for (place, value) in columns.into_iter().enumerate() {
        text.push_str(if place == 0 { "" } else { "\t" });
        match value {
            Value::Text(value) => text.push_str(value),
            Value::Number(value) => write!(text, "{value}")?,
            Value::Bytes(bytes) => {
                text.push_str(r"\\x");
                bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))?;
            }
        }
    }
    Ok(text)
}

/// Returns positions of one layout as an array of its type.
fn positions_of(positions: &[Value]) -> Box<dyn ToSql + Sync> {
    let texts = positions.iter().filter_map(|value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    });
    let codes = positions.iter().filter_map(|value| match value {
        Value::Bytes(bytes) => Some(bytes.clone()),
        _ => None,
    });
    let keys = positions.iter().filter_map(|value| match value {
        Value::Number(number) => Some(*number),
        _ => None,
    });
    match positions.first() {
        Some(Value::Number(_)) => Box::new(keys.collect::<Vec<_>>()),
        Some(Value::Bytes(_)) => Box::new(codes.collect::<Vec<_>>()),
        _ => Box::new(texts.collect::<Vec<_>>()),
    }
}
