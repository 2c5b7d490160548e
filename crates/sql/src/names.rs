//! Names in a query: columns in any case, and the additional names of `find --where`.
//!
//! `White`, `white` and `WHITE` are one column. `plies`, `Year`, `player`, `FEN` and tags without a
//! column of their own have the meaning given in `docs/where.md`, unless the query defines the name
//! itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, ExceptSelectItem, ExcludeSelectItem, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArguments, Ident, JoinConstraint, ObjectName, ObjectNamePart, Query,
    Select, SelectItem, Statement, TableAlias, TableFactor, VisitMut, VisitorMut,
    WildcardAdditionalOptions,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use crate::conditions::Column;
use crate::error::Error;
use crate::relations::Opened;
use crate::{conditions, relations};

/// Facts about the tables of a query.
pub(crate) struct Known<'k> {
    /// The files named in it.
    pub files: &'k BTreeMap<String, Opened>,
    /// The columns added by tables derived from files.
    pub added: &'k [&'static str],
    /// Whether some game has a tag of this name; called for names without another meaning.
    pub is_tag: &'k dyn Fn(&str) -> Result<bool, Error>,
}

/// Spells each name as its table does, and replaces derived names by their expressions.
///
/// # Errors
/// Returns an error if a name is unknown, with the nearest known one, or if a condition is invalid.
pub(crate) fn resolve(
    statement: &mut Statement,
    known: &Known<'_>,
    query: &str,
) -> Result<(), Error> {
    let columns = known.files.values().flat_map(|opened| &opened.columns);
    let columns = columns.map(String::as_str).chain(known.added.iter().copied());
    let columns: BTreeMap<String, String> =
        columns.map(|name| (name.to_ascii_lowercase(), name.to_owned())).collect();
    let mut own = Own(BTreeSet::new());
    _ = statement.visit(&mut own);
    let mut resolver = Resolver { known, columns, own: own.0, query, sources: Vec::new() };
    match statement.visit(&mut resolver) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The names defined by the query.
struct Own(BTreeSet<String>);

impl Own {
    fn add(&mut self, name: &Ident) {
        self.0.insert(name.value.to_ascii_lowercase());
    }

    fn add_alias(&mut self, alias: &TableAlias) {
        self.add(&alias.name);
        alias.columns.iter().for_each(|column| self.add(&column.name));
    }
}

impl VisitorMut for Own {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        for part in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.add_alias(&part.alias);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                self.add(alias);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
        match table {
            TableFactor::Table { alias: Some(alias), .. }
            | TableFactor::Derived { alias: Some(alias), .. }
            | TableFactor::UNNEST { alias: Some(alias), .. } => self.add_alias(alias),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

struct Resolver<'r> {
    known: &'r Known<'r>,
    /// All columns as spelled, by their names in lower case.
    columns: BTreeMap<String, String>,
    /// The names defined by the query, in lower case.
    own: BTreeSet<String>,
    query: &'r str,
    /// The sources of the enclosing SELECTs, innermost last.
    sources: Vec<Vec<(Option<String>, String)>>,
}

impl Resolver<'_> {
    /// Spells a name as its column is spelled. Returns whether it is a column.
    fn spell(&self, name: &mut Ident) -> bool {
        if name.quote_style.is_some() {
            return true;
        }
        let Some(spelled) = self.columns.get(&name.value.to_ascii_lowercase()) else {
            return false;
        };
        name.value.clone_from(spelled);
        name.quote_style = Some('"');
        true
    }

    fn spell_all(&self, names: &mut [Ident]) {
        names.iter_mut().for_each(|name| _ = self.spell(name));
    }

    fn spell_object(&self, name: &mut ObjectName) {
        if let Some(ObjectNamePart::Identifier(name)) = name.0.last_mut() {
            self.spell(name);
        }
    }

    fn spell_options(&self, options: &mut WildcardAdditionalOptions) {
        if let Some(ExceptSelectItem { first_element, additional_elements }) =
            &mut options.opt_except
        {
            self.spell(first_element);
            self.spell_all(additional_elements);
        }
        match &mut options.opt_exclude {
            Some(ExcludeSelectItem::Single(name)) => self.spell_object(name),
            Some(ExcludeSelectItem::Multiple(names)) => {
                names.iter_mut().for_each(|name| self.spell_object(name));
            }
            None => {}
        }
    }

    /// Whether some table has this column.
    fn has(&self, name: &str) -> bool {
        self.columns.contains_key(&name.to_ascii_lowercase())
    }

    /// The heading of an expression in the answer, unless it is a column: its text.
    fn heading(&self, expr: &Expr) -> Option<Ident> {
        const LETTERS_MAX: usize = 60;
        let text = match expr {
            Expr::Identifier(name) if self.spell(&mut name.clone()) => return None,
            Expr::Identifier(name) => name.value.clone(),
            Expr::CompoundIdentifier(parts) => match &parts[..] {
                [.., column, _] if column.value.eq_ignore_ascii_case("moves") => expr.to_string(),
                _ => return None,
            },
            _ => expr.to_string(),
        };
        (text.chars().count() <= LETTERS_MAX).then(|| Ident::with_quote('"', text))
    }

    /// Resolves a name that is a column or a tag.
    fn column(&self, name: &Ident) -> Option<Column> {
        let small = name.value.to_ascii_lowercase();
        if let Some(column) = self.columns.get(&small) {
            return Some(Column::Own(column.clone()));
        }
        let is_other = self.own.contains(&small) || is_made(&small);
        // Errors about a name are reported where it stands alone.
        let is_tag = || (self.known.is_tag)(&name.value).unwrap_or(false);
        (!is_other && self.has("tags") && is_tag()).then_some(Column::Tag)
    }

    /// Resolves a name that is not a column; `None` if the query defines it, or it is unknown.
    fn meant(&self, name: &Ident) -> Result<Option<Expr>, Error> {
        if name.quote_style.is_some() || self.own.contains(&name.value.to_ascii_lowercase()) {
            return Ok(None);
        }
        let is = |other: &str| name.value.eq_ignore_ascii_case(other);
        let text = if is("plies") && self.has("moves") {
            "get_field(moves, 'plies')".to_owned()
        } else if is("FEN") && self.has("moves") {
            let start = "get_field(moves, 'start')";
            match self.has("tags") {
                true => format!("coalesce({start}, tag(tags, 'FEN'))"),
                false => start.to_owned(),
            }
        } else if is("Year") && (self.has("Date") || self.has("UTCDate")) {
            conditions::year(self.has("Date"), self.has("UTCDate"))
        } else if self.has("tags")
            && (self.known.is_tag)(&name.value)
                .map_err(|error| error.at(self.query, name.span.start))?
        {
            format!("tag(tags, '{}')", name.value.replace('\'', "''"))
        } else {
            return Ok(None);
        };
        conditions::expression(&text).map(Some)
    }

    /// Expands `pgn(*)` and `movetext(*)`: all columns of the games as one value.
    fn write_out_row(&self, function: &mut Function) -> Result<(), Error> {
        let FunctionArguments::List(list) = &mut function.args else { return Ok(()) };
        let [FunctionArg::Unnamed(argument)] = &mut list.args[..] else { return Ok(()) };
        let qualifier = match argument {
            FunctionArgExpr::Wildcard | FunctionArgExpr::WildcardWithOptions(_) => None,
            FunctionArgExpr::QualifiedWildcard(name) => Some(name.to_string()),
            FunctionArgExpr::Expr(_) => return Ok(()),
        };
        let unquoted = |name: &str| name.trim_matches('"').to_ascii_lowercase();
        let sources = self.sources.last().map(Vec::as_slice).unwrap_or_default();
        let source = match (&qualifier, sources) {
            (Some(name), _) => sources.iter().find(|(alias, _)| {
                alias.as_ref().is_some_and(|alias| unquoted(alias) == unquoted(name))
            }),
            (None, [one]) => Some(one),
            (None, _) => None,
        };
        let of = |table: &String| self.known.files.values().find(|opened| opened.table == *table);
        let columns = source.and_then(|(alias, table)| Some((alias, &of(table)?.columns)));
        let name = &function.name;
        let Some((alias, columns)) = columns else {
            let why = format!("`{name}(*)` needs the rows of one file");
            let cure = format!("with several tables write {name}(g.*), where g is one of them");
            return Err(Error::new(why).with_cure(cure));
        };
        let column = |column: &String| {
            let text = column.replace('\'', "''");
            let name = column.replace('"', "\"\"");
            let before = alias.as_ref().map(|alias| format!("\"{}\".", alias.replace('"', "\"\"")));
            format!("'{text}', {}\"{name}\"", before.unwrap_or_default())
        };
        let columns: Vec<String> = columns.iter().map(column).collect();
        let row = conditions::expression(&format!("named_struct({})", columns.join(", ")))?;
        *argument = FunctionArgExpr::Expr(row);
        Ok(())
    }

    fn visit(&mut self, expr: &mut Expr) -> Result<(), Error> {
        match expr {
            Expr::Identifier(name) => {
                if !self.spell(name)
                    && let Some(meant) = self.meant(name)?
                {
                    *expr = meant;
                }
            }
            Expr::CompoundIdentifier(parts) => {
                if let [.., before, last] = &mut parts[..] {
                    // `moves.plies` is a part of a column, `g.White` a column of a table.
                    if before.value.eq_ignore_ascii_case("moves") && self.spell(before) {
                        last.value.make_ascii_lowercase();
                    } else {
                        self.spell(last);
                    }
                }
            }
            Expr::Function(function) => {
                let name = function.name.to_string().to_ascii_lowercase();
                if matches!(name.as_str(), "pgn" | "movetext") {
                    self.write_out_row(function)?;
                } else if let Some(written) = self.players(expr)? {
                    *expr = written;
                }
            }
            _ => {
                if let Some(written) = self.players(expr)? {
                    *expr = written;
                }
                conditions::mean(expr, &|name| self.column(name))
                    .map_err(|error| error.at(self.query, start(expr)))?;
            }
        }
        Ok(())
    }

    /// Rewrites a condition on `player` as one on both players.
    fn players(&self, expr: &Expr) -> Result<Option<Expr>, Error> {
        let is_player = |side: &Expr| match side {
            Expr::Identifier(name) => {
                name.quote_style.is_none()
                    && name.value.eq_ignore_ascii_case("player")
                    && !self.own.contains("player")
                    && !self.has("player")
            }
            _ => false,
        };
        let Some((sides, negated)) = conditions::sides(expr) else { return Ok(None) };
        if !sides.into_iter().any(is_player) {
            return Ok(None);
        }
        let white = match self.has("tags") {
            true => "coalesce(\"White\", tag(tags, 'Red'))",
            false => "\"White\"",
        };
        let of = |player: &str| {
            let player = conditions::expression(player)?;
            let mut one = expr.clone();
            conditions::replace_sides(&mut one, &|side| {
                if is_player(side) {
                    *side = player.clone();
                }
            });
            Ok(Box::new(one))
        };
        let (left, right) = (of(white)?, of("\"Black\"")?);
        let op = if negated { BinaryOperator::And } else { BinaryOperator::Or };
        Ok(Some(Expr::Nested(Box::new(Expr::BinaryOp { left, op, right }))))
    }
}

/// Whether this name, in lower case, is derived from columns as in `--where`.
fn is_made(name: &str) -> bool {
    ["plies", "fen", "year", "player"].contains(&name)
}

/// The start of an expression.
fn start(expr: &Expr) -> Location {
    datafusion::sql::sqlparser::ast::Spanned::span(expr).start
}

impl VisitorMut for Resolver<'_> {
    type Break = Error;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Error> {
        self.sources.push(relations::sources(select));
        for item in &mut select.projection {
            match item {
                SelectItem::ExprWithAlias { alias, .. } => _ = self.spell(alias),
                SelectItem::Wildcard(options) | SelectItem::QualifiedWildcard(_, options) => {
                    self.spell_options(options);
                }
                // An expression's heading is its text.
                SelectItem::UnnamedExpr(expr) => {
                    if let Some(alias) = self.heading(expr) {
                        let expr = expr.clone();
                        *item = SelectItem::ExprWithAlias { expr, alias };
                    }
                }
                _ => {}
            }
        }
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            use datafusion::sql::sqlparser::ast::JoinOperator as Join;
            if let Join::Join(by)
            | Join::Inner(by)
            | Join::Left(by)
            | Join::LeftOuter(by)
            | Join::Right(by)
            | Join::RightOuter(by)
            | Join::FullOuter(by)
            | Join::Semi(by)
            | Join::LeftSemi(by)
            | Join::RightSemi(by)
            | Join::Anti(by)
            | Join::LeftAnti(by)
            | Join::RightAnti(by) = &mut join.join_operator
                && let JoinConstraint::Using(names) = by
            {
                names.iter_mut().for_each(|name| self.spell_object(name));
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &mut Select) -> ControlFlow<Error> {
        self.sources.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Error> {
        match self.visit(expr) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }
}
