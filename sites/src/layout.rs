//! Layouts of a row, as text or as cells, and the decoding of moves and positions from them.

use std::hash::{DefaultHasher, Hash, Hasher};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use plypack::{LineCodec, Notation, PositionCodec};

use crate::lines::{Opening, epd, numbered, sans};

/// A layout of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// Moves in Buffett's notation, `1.e4 d5 2.exd5`, and EPD
    Pgn,
    /// Moves in SAN, separated by spaces, and EPD
    San,
    /// A cell, and the position in 20 bytes
    Cell,
    /// A cell, and the key of the position; the position is computed from the cell
    Key,
}

impl Layout {
    /// Its name, also that of its table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::San => "san",
            Self::Cell => "cell",
            Self::Key => "key",
        }
    }
}

/// The value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A number.
    Number(i64),
}

/// The columns of a row beside its key.
#[derive(Clone, Debug)]
pub struct Row {
    /// The line.
    pub moves: Value,
    /// The position after it.
    pub position: Value,
}

/// A layout with the codecs of its cells.
#[derive(Clone, Copy, Debug)]
pub struct Coder {
    /// The layout.
    pub layout: Layout,
    lines: LineCodec,
    positions: PositionCodec,
}

impl Coder {
    /// Creates a layout whose lines are coded by `lines`.
    pub fn new(layout: Layout, lines: LineCodec) -> Result<Self> {
        Ok(Self { layout, lines, positions: "chess/chess.rank".parse::<PositionCodec>()? })
    }

    /// Encodes the row of this opening.
    pub fn encode(&self, opening: &Opening) -> Result<Row> {
        let cell = || self.lines.encode(opening.moves.split(' ')).map(Value::Bytes);
        let text = || Value::Text(opening.position.clone());
        Ok(match self.layout {
            Layout::Pgn => Row { moves: Value::Text(numbered(&opening.moves)), position: text() },
            Layout::San => Row { moves: Value::Text(opening.moves.clone()), position: text() },
            // The code has a clock. It is that of EPD, 0, so that equal positions have equal bytes.
            Layout::Cell => Row {
                moves: cell()?,
                position: Value::Bytes(self.positions.encode(&opening.position)?),
            },
            Layout::Key => Row { moves: cell()?, position: number(opening.key) },
        })
    }

    /// Decodes rows to moves and positions, and sums them up.
    pub fn decode(&self, rows: &[Row]) -> Result<Sum> {
        let mut sum = Sum::default();
        let (mut moves, mut position) = (String::new(), String::new());
        for row in rows {
            match (&row.moves, &row.position) {
                (Value::Text(text), Value::Text(epd)) => {
                    moves.clear();
                    sans(text).for_each(|mv| push(&mut moves, mv));
                    sum.add(&moves, epd);
                }
                (Value::Bytes(cell), Value::Bytes(code)) => {
                    moves.clear();
                    self.lines.decode(cell)?.iter().for_each(|mv| push(&mut moves, mv));
                    sum.add(&moves, epd(&self.positions.decode(code)?));
                }
                (Value::Bytes(cell), Value::Number(key)) => {
                    moves.clear();
                    position.clear();
                    let mut steps = self.lines.cursor(None, cell)?;
                    while steps.advance()? {
                        let space = if moves.is_empty() { "" } else { " " };
                        moves.push_str(space);
                        steps.write_last_move(Notation::Customary, &mut moves);
                    }
                    ensure!(number(steps.key()) == Value::Number(*key), "another position");
                    steps.write_position(&mut position);
                    sum.add(&moves, epd(&position));
                }
                _ => anyhow::bail!("a row of unknown layout"),
            }
        }
        Ok(sum)
    }
}

/// Converts a key to the signed numbers of databases.
fn number(key: u64) -> Value {
    Value::Number(key.cast_signed())
}

fn push(moves: &mut String, mv: &str) {
    if !moves.is_empty() {
        moves.push(' ');
    }
    moves.push_str(mv);
}

/// A summary of rows, in any layout and order: equal sums mean equal lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number of rows.
    pub rows: u64,
    /// The sum of their hashes.
    pub hashes: u64,
}

impl Sum {
    fn add(&mut self, moves: &str, position: &str) {
        let mut hasher = DefaultHasher::new();
        (moves, position).hash(&mut hasher);
        self.rows += 1;
        self.hashes = self.hashes.wrapping_add(hasher.finish());
    }

    /// Returns the sum of openings, each directly from its text.
    pub fn of<'a>(openings: impl Iterator<Item = &'a Opening>) -> Self {
        let mut sum = Self::default();
        openings.for_each(|opening| sum.add(&opening.moves, &opening.position));
        sum
    }
}

/// Encodes the rows of all openings, in order.
pub fn encode_all(coder: &Coder, openings: &[Opening]) -> Result<Vec<Row>> {
    let encode = |opening: &Opening| {
        coder.encode(opening).with_context(|| format!("the line {}", opening.moves))
    };
    openings.iter().map(encode).collect()
}
