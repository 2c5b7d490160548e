//! Gives conditions on columns the meaning of `find --where` (`docs/where.md`).
//!
//! Conditions with the same meaning in SQL stay as they are. Partial dates, texts compared with
//! numbers, and abbreviated days and times would mean something else.

use datafusion::arrow::datatypes::DataType;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Value,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use plypack::store::condition::{Condition, days};
use plypack::store::games::schema::SCHEMA;

use crate::error::Error;

/// Parses an expression of our own.
pub(crate) fn expression(text: &str) -> Result<Expr, Error> {
    let parsed = Parser::new(&GenericDialect {}).try_with_sql(text);
    parsed.and_then(|mut parser| parser.parse_expr()).map_err(Error::new)
}

/// Returns an expression for the year of a game's date, from these columns.
pub(crate) fn year(date: bool, utc: bool) -> String {
    let date = date.then_some("year_of(\"Date\")");
    let utc = utc.then_some("CAST(date_part('year', \"UTCDate\") AS INT)");
    let both: Vec<&str> = date.into_iter().chain(utc).collect();
    format!("coalesce({})", both.join(", "))
}

/// Returns the operands of a condition, and whether it is true of two columns only if it is true of
/// both.
pub(crate) fn sides(expr: &Expr) -> Option<(Vec<&Expr>, bool)> {
    Some(match expr {
        Expr::BinaryOp { left, op, right } => {
            let negated = *op == BinaryOperator::NotEq;
            (negated || is_comparison(op)).then_some((vec![&**left, &**right], negated))?
        }
        Expr::InList { expr, negated, .. }
        | Expr::Between { expr, negated, .. }
        | Expr::Like { expr, negated, .. }
        | Expr::ILike { expr, negated, .. } => (vec![expr], *negated),
        Expr::IsNull(expr) => (vec![expr], true),
        Expr::IsNotNull(expr) => (vec![expr], false),
        Expr::Function(function) if is_on_names(function) => {
            let FunctionArguments::List(list) = &function.args else { return None };
            let arguments = list.args.iter().filter_map(|argument| match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            });
            (arguments.collect(), false)
        }
        _ => return None,
    })
}

/// Replaces the operands of a condition.
pub(crate) fn replace_sides(expr: &mut Expr, replace: &dyn Fn(&mut Expr)) {
    match expr {
        Expr::BinaryOp { left, right, .. } => {
            replace(left);
            replace(right);
        }
        Expr::InList { expr, .. }
        | Expr::Between { expr, .. }
        | Expr::Like { expr, .. }
        | Expr::ILike { expr, .. }
        | Expr::IsNull(expr)
        | Expr::IsNotNull(expr) => replace(expr),
        Expr::Function(function) if is_on_names(function) => {
            let FunctionArguments::List(list) = &mut function.args else { return };
            for argument in &mut list.args {
                if let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = argument {
                    replace(expr);
                }
            }
        }
        _ => {}
    }
}

/// Whether a function is a condition on names of players.
fn is_on_names(function: &Function) -> bool {
    let name = function.name.to_string();
    ["finds_player", "same_player"].iter().any(|other| name.eq_ignore_ascii_case(other))
}

fn is_comparison(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq};
    matches!(op, Eq | Lt | LtEq | Gt | GtEq)
}

/// The meaning of a name.
pub(crate) enum Column {
    /// The column of this name.
    Own(String),
    /// A tag without a column.
    Tag,
}

/// The kind of values of one of our columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// A date that may be partial, as text.
    Date,
    Number,
    Day,
    Time,
}

impl Kind {
    fn of(column: &str) -> Option<Self> {
        let field = SCHEMA.field_with_name(column).ok()?;
        Some(match field.data_type() {
            DataType::Utf8 if column.ends_with("Date") => Self::Date,
            DataType::Utf8 => Self::Text,
            DataType::Date32 => Self::Day,
            DataType::Time32(_) => Self::Time,
            DataType::Int32 | DataType::Int64 => Self::Number,
            _ => return None,
        })
    }
}

/// Rewrites a condition on a column so that SQL gives it the meaning of `--where`. `column`
/// resolves a name if it is a column or a tag.
///
/// # Errors
/// Returns an error if it is invalid, such as `UTCDate > 'x'`.
pub(crate) fn mean(
    expr: &mut Expr,
    column: &dyn Fn(&Ident) -> Option<Column>,
) -> Result<(), Error> {
    let Some(kind) = only_column(expr, column) else { return Ok(()) };
    let is_asked = |literal: &Expr| match kind {
        Kind::Date => text_of(literal).is_none_or(|text| days(text).is_some()),
        Kind::Text => text_of(literal).is_none(),
        Kind::Number | Kind::Day | Kind::Time => false,
    };
    if literals(expr).into_iter().any(is_asked) {
        *expr = held(expr)?;
        return Ok(());
    }
    match kind {
        Kind::Number => each_literal(expr, &|literal| match text_of(literal) {
            // Quotes around a number make no difference.
            Some(text) if text.trim().parse::<f64>().is_ok() => expression(text.trim()).map(Some),
            _ => Ok(None),
        }),
        Kind::Time => each_literal(expr, &|literal| match text_of(literal) {
            Some(text) if text.len() == 5 => expression(&format!("'{text}:00'")).map(Some),
            _ => Ok(None),
        }),
        Kind::Day => mean_days(expr),
        Kind::Text | Kind::Date => Ok(()),
    }
}

/// The kind of the column, if a condition compares it only with literals.
fn only_column(expr: &Expr, column: &dyn Fn(&Ident) -> Option<Column>) -> Option<Kind> {
    if matches!(expr, Expr::Like { .. } | Expr::ILike { .. } | Expr::IsNull(_) | Expr::IsNotNull(_))
    {
        return None;
    }
    let (sides, _) = sides(expr)?;
    let mut named = sides.into_iter().filter(|side| is_named(side));
    let (side, None) = (named.next()?, named.next()) else { return None };
    let found = literals(expr);
    let values = match expr {
        Expr::InList { list, .. } => list.len(),
        Expr::Between { .. } => 2,
        _ => 1,
    };
    let is_literal = |side: &&Expr| text_of(side).is_some() || is_number(side);
    if found.len() != values || !found.iter().all(is_literal) {
        return None;
    }
    let name = match side {
        Expr::Identifier(name) => name,
        Expr::CompoundIdentifier(parts) => parts.last()?,
        // `tags['Name']`, which is a text.
        _ => return Some(Kind::Text),
    };
    match column(name)? {
        Column::Own(name) => Kind::of(&name),
        Column::Tag => Some(Kind::Text),
    }
}

/// Whether this is a column or a tag.
fn is_named(side: &Expr) -> bool {
    match side {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
        Expr::CompoundFieldAccess { root, .. } => match &**root {
            Expr::Identifier(name) => name.value.eq_ignore_ascii_case("tags"),
            _ => false,
        },
        _ => false,
    }
}

/// The values with which a condition compares a column.
fn literals(expr: &Expr) -> Vec<&Expr> {
    let other = |side: &&Expr| !is_named(side);
    match expr {
        Expr::BinaryOp { left, right, .. } => {
            [&**left, &**right].into_iter().filter(other).collect()
        }
        Expr::InList { list, .. } => list.iter().collect(),
        Expr::Between { low, high, .. } => vec![low, high],
        _ => Vec::new(),
    }
}

/// The text of a literal.
fn text_of(literal: &Expr) -> Option<&str> {
    match literal {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn is_number(literal: &Expr) -> bool {
    match literal {
        Expr::Value(value) => matches!(value.value, Value::Number(..)),
        Expr::UnaryOp { expr, .. } => is_number(expr),
        _ => false,
    }
}

/// A condition evaluated on the column's text with the semantics of `--where`.
fn held(expr: &Expr) -> Result<Expr, Error> {
    let mut alone = expr.clone();
    // The table does not matter to the condition.
    replace_sides(&mut alone, &|side| {
        if let Expr::CompoundIdentifier(parts) = side
            && let Some(last) = parts.last()
        {
            *side = Expr::Identifier(last.clone());
        }
    });
    let text = alone.to_string();
    Condition::parse(&text).map_err(|error| Error::new(error.why()))?;
    let side = sides(expr).into_iter().flat_map(|sides| sides.0).find(|side| is_named(side));
    let side = side.map(Expr::to_string).unwrap_or_default();
    expression(&format!("holds({side}, '{}')", text.replace('\'', "''")))
}

/// Rewrites each literal of a condition for which `write` returns a replacement.
fn each_literal(
    expr: &mut Expr,
    write: &dyn Fn(&Expr) -> Result<Option<Expr>, Error>,
) -> Result<(), Error> {
    let places: Vec<&mut Expr> = match expr {
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::InList { list, .. } => list.iter_mut().collect(),
        Expr::Between { low, high, .. } => vec![low, high],
        _ => Vec::new(),
    };
    for place in places {
        if let Some(written) = write(place)? {
            *place = written;
        }
    }
    Ok(())
}

/// Rewrites the comparison of a day with a day, a month or a year.
fn mean_days(expr: &mut Expr) -> Result<(), Error> {
    let range = |literal: &Expr| {
        let text = text_of(literal).map_or_else(|| literal.to_string(), str::to_owned);
        days(&text).ok_or_else(|| {
            Error::new(format_args!("'{text}' is not a date"))
                .with_cure("compare with a day, a month or a year: '2020-01-31', '2020-01', 2020")
        })
    };
    let compare = |side: &Expr, op: &str, literal: &Expr| {
        let (first, last) = range(literal)?;
        Ok::<_, Error>(match op {
            "=" => format!("({side} BETWEEN DATE '{first}' AND DATE '{last}')"),
            "<>" => format!("({side} NOT BETWEEN DATE '{first}' AND DATE '{last}')"),
            "<" | ">=" => format!("({side} {op} DATE '{first}')"),
            _ => format!("({side} {op} DATE '{last}')"),
        })
    };
    let text = match expr {
        Expr::BinaryOp { left, op, right } => {
            let op = op.to_string();
            if is_named(left) {
                compare(left, &op, right)?
            } else {
                let turned = match op.as_str() {
                    "<" => ">",
                    ">" => "<",
                    "<=" => ">=",
                    ">=" => "<=",
                    same => same,
                };
                compare(right, turned, left)?
            }
        }
        Expr::Between { expr, negated, low, high } => {
            let not = if *negated { "NOT " } else { "" };
            let (low, high) = (compare(expr, ">=", low)?, compare(expr, "<=", high)?);
            format!("{not}({low} AND {high})")
        }
        Expr::InList { expr, list, negated } => {
            let not = if *negated { "NOT " } else { "" };
            let any: Result<Vec<String>, Error> =
                list.iter().map(|literal| compare(expr, "=", literal)).collect();
            format!("{not}({})", any?.join(" OR "))
        }
        _ => return Ok(()),
    };
    *expr = expression(&text)?;
    Ok(())
}
