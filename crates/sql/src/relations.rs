//! The tables of a query: files by their names, and the two tables derived from a file.
//!
//! `plies('games.parquet')` has one row per ply, `plain('games.parquet')` the games in columns of
//! texts and numbers only. Both are written into the query as subqueries over the file, so that a
//! remote engine needs no extension.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, ObjectName, Query, Select, Statement, TableAlias,
    TableFactor, Value, Visit, VisitMut, Visitor, VisitorMut, visit_expressions,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Location;

use crate::error::Error;
use crate::tables::is_path;

/// A file named in a query.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// Its name, as it was written.
    pub name: String,
    /// Its place in the query.
    pub at: Location,
}

/// Returns the files named in a statement, each once.
pub(crate) fn files(statement: &Statement) -> Vec<Named> {
    let mut files = Files(Vec::new());
    _ = statement.visit(&mut files);
    files.0
}

struct Files(Vec<Named>);

impl Files {
    fn add(&mut self, named: Option<Named>) {
        if let Some(named) = named.filter(|named| self.0.iter().all(|one| one.name != named.name)) {
            self.0.push(named);
        }
    }
}

impl Visitor for Files {
    type Break = ();

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        // `describe 'games.parquet'`
        if let Statement::ExplainTable { table_name, .. } = statement {
            self.add(file_name(table_name));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<()> {
        let named = match table {
            TableFactor::Table { name, args: None, .. } => file_name(name),
            TableFactor::Table { name, args: Some(args), .. } => {
                made(name).and_then(|_| argument(&args.args))
            }
            _ => None,
        };
        self.add(named);
        ControlFlow::Continue(())
    }
}

/// Returns the file that a table's name denotes; `None` if it denotes something else.
fn file_name(name: &ObjectName) -> Option<Named> {
    let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
    let first = parts.first()?;
    let whole: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
    let whole = whole.join(".");
    let is_file = first.quote_style == Some('\'') || is_path(&whole);
    is_file.then_some(Named { name: whole, at: first.span.start })
}

/// Returns the derived table of this name, and the columns that it adds.
fn made(name: &ObjectName) -> Option<(Made, &'static [&'static str])> {
    let [one] = &name.0[..] else { return None };
    let name = &one.as_ident()?.value;
    let made = MADE.iter().find(|made| made.0.eq_ignore_ascii_case(name))?;
    Some((made.1, made.2))
}

/// The only argument, if it is a text.
fn argument(args: &[FunctionArg]) -> Option<Named> {
    match args {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))] => match &value.value {
            Value::SingleQuotedString(name) => {
                Some(Named { name: name.clone(), at: value.span.start })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Builds a derived table's query from the name and the columns of a file.
type Made = fn(&str, &[String]) -> String;

/// The derived tables, and the columns that they add to those of the file.
const MADE: [(&str, Made, &[&str]); 2] = [
    (
        "plies",
        plies,
        &["ply", "san", "uci", "fen", "key", "material", "clock", "eval", "depth", "nodes", "took"],
    ),
    ("plain", plain, &["plies", "FEN", "movetext"]),
];

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn has(columns: &[String], name: &str) -> bool {
    columns.iter().any(|column| column == name)
}

/// The column with a file's moves: ours, or the text in the layout of Lichess.
fn moves(columns: &[String]) -> &'static str {
    if has(columns, "moves") { "moves" } else { "movetext" }
}

/// The functions of values beside moves, the column of codes that each reads, and whether engines'
/// comments tell them, too.
const VALUES: [(&str, Option<&str>, bool); 5] = [
    ("clock", Some("clocks"), false),
    ("eval", Some("evals"), true),
    ("depth", None, true),
    ("nodes", None, true),
    ("took", None, true),
];

/// One row per ply: the position after it, with all columns of its game.
fn plies(file: &str, columns: &[String]) -> String {
    let moves = moves(columns);
    let mut given: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    given.push("ply".into());
    for name in ["san", "uci", "fen", "key", "material"] {
        given.push(format!("{name}({moves}, ply) AS {name}"));
    }
    for (name, series, in_remarks) in VALUES {
        let mut ways = Vec::new();
        if moves == "movetext" {
            ways.push(format!("{name}({moves}, ply)"));
        }
        if let Some(series) = series.filter(|series| has(columns, series)) {
            ways.push(format!("{name}({moves}, {series}, ply)"));
        }
        let remarks = ["annotations", "templates", "fields"]
            .map(|column| if has(columns, column) { column } else { "NULL" });
        if in_remarks && moves == "moves" && remarks.iter().any(|column| *column != "NULL") {
            ways.push(format!("{name}({moves}, {}, ply)", remarks.join(", ")));
        }
        match &ways[..] {
            [] => {}
            [way] => given.push(format!("{way} AS {name}")),
            ways => given.push(format!("coalesce({}) AS {name}", ways.join(", "))),
        }
    }
    format!(
        "SELECT {} FROM (SELECT *, unnest(range(1, plies({moves}) + 1)) AS ply FROM {})",
        given.join(", "),
        literal(file)
    )
}

/// The columns without codes: tags, and the moves as text.
fn plain(file: &str, columns: &[String]) -> String {
    let codes = |name: &&String| !CODES.contains(&name.as_str());
    let mut given: Vec<String> = columns.iter().filter(codes).map(|name| quoted(name)).collect();
    if has(columns, "moves") {
        given.push("plies(moves) AS plies".into());
        given.push("get_field(moves, 'start') AS \"FEN\"".into());
        given.push("movetext(*) AS movetext".into());
    }
    format!("SELECT {} FROM {}", given.join(", "), literal(file))
}

/// The columns that hold parts of records or facts about them, and are not tags.
const CODES: [&str; 17] = [
    "tag_order",
    "layout",
    "source",
    "number",
    "source_records",
    "verbatim_reason",
    "checksum",
    "patch",
    "verbatim",
    "templates",
    "annotations",
    "prose",
    "moves",
    "clocks",
    "evals",
    "reviews",
    "fields",
];

/// A file opened for a query.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// The name of its table.
    pub table: String,
    /// Its columns.
    pub columns: Vec<String>,
}

/// Returns the name of a file's table: the first part of the file's name, made unique by
/// `is_taken`. It has no dots, which Ballista would take for those between a schema and a table.
pub(crate) fn table_name(file: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let last = file.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let word = last.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next();
    let word = word.filter(|word| !word.is_empty()).unwrap_or("games");
    let others = (2..).map(|number| format!("{word}_{number}"));
    let mut names = std::iter::once(word.to_owned()).chain(others);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// Replaces file names by the names of their tables, and expands derived tables. Returns the
/// columns that those add.
///
/// # Errors
/// Returns an error if a derived table cannot be made.
pub(crate) fn write_out(
    statement: &mut Statement,
    files: &BTreeMap<String, Opened>,
) -> Result<Vec<&'static str>, Error> {
    let mut writer = Writer { files, named: Vec::new(), added: Vec::new() };
    match statement.visit(&mut writer) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(writer.added),
    }
}

struct Writer<'w> {
    files: &'w BTreeMap<String, Opened>,
    /// The table names used so far.
    named: Vec<String>,
    /// The columns that derived tables add.
    added: Vec<&'static str>,
}

impl Writer<'_> {
    /// The default alias of a table.
    fn alias(&mut self, file: &str) -> TableAlias {
        let name = table_name(file, |name| self.named.iter().any(|known| known == name));
        self.named.push(name.clone());
        let name = Ident::with_quote('"', name);
        TableAlias { explicit: true, name, columns: Vec::new(), at: None }
    }

    /// The name of a file's table.
    fn table(&self, file: &str) -> ObjectName {
        let table = self.files.get(file).map_or(file, |opened| &opened.table);
        ObjectName::from(vec![Ident::with_quote('"', table)])
    }

    fn write(&mut self, table: &mut TableFactor) -> Result<(), Error> {
        let TableFactor::Table { name, alias, args, .. } = &mut *table else { return Ok(()) };
        let Some(args) = args else {
            if let Some(named) = file_name(name) {
                *name = self.table(&named.name);
                if alias.is_none() {
                    *alias = Some(self.alias(&named.name));
                }
            }
            return Ok(());
        };
        let Some((made, added)) = made(name) else { return Ok(()) };
        let Some(named) = argument(&args.args) else {
            let found = Error::new(format_args!("`{name}` needs one file"));
            return Err(found.with_cure(format_args!("write {name}('games.parquet')")));
        };
        self.added.extend(added);
        let columns = self.files.get(&named.name).map(|opened| opened.columns.as_slice());
        let subquery = query(&made(&named.name, columns.unwrap_or_default()))?;
        let alias = Some(alias.take().unwrap_or_else(|| self.alias(&named.name)));
        *table = TableFactor::Derived { lateral: false, subquery, alias, sample: None };
        Ok(())
    }
}

impl VisitorMut for Writer<'_> {
    type Break = Error;

    fn pre_visit_statement(&mut self, statement: &mut Statement) -> ControlFlow<Error> {
        if let Statement::ExplainTable { table_name, .. } = statement
            && let Some(named) = file_name(table_name)
        {
            *table_name = self.table(&named.name);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<Error> {
        match self.write(table) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }
}

/// Parses a query of our own.
fn query(text: &str) -> Result<Box<Query>, Error> {
    let parsed = Parser::new(&GenericDialect {}).try_with_sql(text);
    parsed.and_then(|mut parser| parser.parse_query()).map_err(Error::new)
}

/// Returns the tables that a SELECT reads from, each with its alias.
pub(crate) fn sources(select: &Select) -> Vec<(Option<String>, String)> {
    let joined = select.from.iter().flat_map(|from| {
        std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation))
    });
    let source = |table: &TableFactor| match table {
        TableFactor::Table { name, alias, args: None, .. } => {
            let alias = alias.as_ref().map(|alias| alias.name.value.clone());
            let parts = name.0.iter().filter_map(|part| part.as_ident());
            let parts: Vec<&str> = parts.map(|part| part.value.as_str()).collect();
            Some((alias, parts.join(".")))
        }
        _ => None,
    };
    joined.filter_map(source).collect()
}

/// Whether a statement asks which games reach a position.
pub(crate) fn asks_for_position(statement: &Statement) -> bool {
    let asks = |expr: &Expr| match expr {
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("reaches") => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    };
    visit_expressions(statement, asks).is_break()
}
