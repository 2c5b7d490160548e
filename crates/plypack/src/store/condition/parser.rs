//! Parses the text of a condition into an expression, using a SQL parser.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    Ident, Subscript, UnaryOperator, Value,
};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::ConditionError;
use super::expression::{Expression, Text, Texts};
use super::fault::{ALLOWED, cut, fault, not_understood};
use super::literal::{Comparison, Number};
use super::names::{self, Kind, Named, Source, Subject};
use super::pattern::Pattern;
use super::test::{Literal, Test, both, compare, join, leaf, must_be_name, same};
use crate::store::person::{Person, SoughtPlayer};

/// Maximum length of a condition, in bytes.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// Maximum number of tokens besides literals and commas. Each may make the tree one level deeper,
/// and trees are walked and dropped on the stack.
const SIGNS_MAX: usize = 1_000;

/// Approximate maximum nesting of parentheses.
const DEPTH_MAX: usize = 50;

/// A name in a condition that a file may not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub name: String,
    /// The column it stands for; `None` for a tag without a column.
    pub column: Option<&'static str>,
    pub is_quoted: bool,
    pub at: Location,
}

/// Stack size of the parser's thread, in bytes: unoptimised, fifty parentheses need several MiB,
/// and the caller's threads may have less.
const STACK_BYTES: usize = 32 << 20;

/// Parses a condition on a thread with enough stack.
pub(super) fn parse(text: &str) -> Result<(Expression, Vec<Name>), ConditionError> {
    let failed = |why: &str| Err(ConditionError::new(why.to_owned(), None));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, || parse_here(text)) {
            Ok(thread) => thread.join().unwrap_or_else(|_| failed("it cannot be parsed")),
            Err(error) => failed(&format!("no thread can be started to parse it: {error}")),
        }
    })
}

/// Parses a condition on this thread.
fn parse_here(text: &str) -> Result<(Expression, Vec<Name>), ConditionError> {
    if text.len() > TEXT_BYTES_MAX {
        let why = format!("it has {} bytes; the limit is {TEXT_BYTES_MAX}", text.len());
        return Err(ConditionError::new(why, None));
    }
    if text.trim().is_empty() {
        return Err(ConditionError::new(format!("it is empty; {ALLOWED}"), None));
    }
    let dialect = GenericDialect {};
    let tokens = Tokenizer::new(&dialect, text).tokenize_with_location();
    let tokens = tokens.map_err(|error| {
        ConditionError::new(format!("{}; {ALLOWED}", lower(&error.message)), Some(error.location))
    })?;
    if let Some(token) = tokens.iter().filter(|token| is_sign(&token.token)).nth(SIGNS_MAX) {
        let why = format!(
            "it has more than {SIGNS_MAX} words and symbols besides its values; for many values, \
             use IN (..)"
        );
        return Err(ConditionError::new(why, Some(token.span.start)));
    }
    let mut parser =
        Parser::new(&dialect).with_recursion_limit(DEPTH_MAX).with_tokens_with_locations(tokens);
    let read = parser.parse_expr();
    let next = parser.peek_token();
    let expression = read.map_err(|error| failed(&error, &next))?;
    if next.token != Token::EOF {
        let why = format!("unexpected `{}`; {ALLOWED}", next.token);
        return Err(ConditionError::new(why, Some(next.span.start)));
    }
    let mut builder = Builder::default();
    let expression = builder.expression(&expression, false)?;
    Ok((expression, builder.names))
}

fn is_sign(token: &Token) -> bool {
    !matches!(
        token,
        Token::Whitespace(_) | Token::Comma | Token::Number(..) | Token::SingleQuotedString(_)
    )
}

/// Converts a parser error, with its place.
fn failed(error: &ParserError, next: &TokenWithSpan) -> ConditionError {
    let (ParserError::ParserError(said) | ParserError::TokenizerError(said)) = error else {
        let why =
            format!("parentheses or NOT are nested too deeply; the limit is about {DEPTH_MAX}");
        return ConditionError::new(why, None);
    };
    let (what, place) = said.rsplit_once(" at Line: ").unwrap_or((said, ""));
    let place = place.split_once(", Column: ").and_then(|(line, column)| {
        Some(Location { line: line.parse().ok()?, column: column.parse().ok()? })
    });
    let at = place.or((next.token != Token::EOF).then_some(next.span.start));
    let what = what.replace("found: EOF", "found its end");
    ConditionError::new(format!("{}; {ALLOWED}", lower(&what)), at)
}

/// Lower-cases the first letter, so that the message continues a sentence.
fn lower(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// One side of a comparison.
enum Side {
    Named(Named),
    Literal(Literal),
}

#[derive(Default)]
struct Builder {
    names: Vec<Name>,
}

impl Builder {
    /// Builds an expression; negated: one that holds where `expr` is false.
    fn expression(&mut self, expr: &Expr, negated: bool) -> Result<Expression, ConditionError> {
        match expr {
            Expr::Nested(inner) => self.expression(inner, negated),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.expression(expr, !negated),
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                let mut parts = Vec::new();
                self.join(expr, op, negated, &mut parts)?;
                let is_and = *op == BinaryOperator::And;
                Ok(if is_and != negated { Expression::All(parts) } else { Expression::Any(parts) })
            }
            Expr::BinaryOp { left, op, right } => {
                let (comparison, is_not) = comparison(op).ok_or_else(|| not_understood(expr))?;
                self.comparison(expr, left, comparison, right, negated != is_not)
            }
            Expr::IsNull(inner) => self.test(expr, inner, !negated, |_| Ok(Test::Present)),
            Expr::IsNotNull(inner) => self.test(expr, inner, negated, |_| Ok(Test::Present)),
            Expr::InList { expr: inner, list, negated: is_not } => {
                let literals = list.iter().map(|item| self.literal(item));
                let literals: Vec<Literal> = literals.collect::<Result<_, _>>()?;
                self.test(expr, inner, negated != *is_not, |subject| {
                    let equal = |literal| compare(expr, subject, Comparison::Equal, literal);
                    join(literals.iter().map(equal))
                })
            }
            Expr::Between { expr: inner, negated: is_not, low, high } => {
                let negated = negated != *is_not;
                let least =
                    self.comparison(expr, inner, Comparison::GreaterOrEqual, low, negated)?;
                let most = self.comparison(expr, inner, Comparison::LessOrEqual, high, negated)?;
                let both = vec![least, most];
                Ok(if negated { Expression::Any(both) } else { Expression::All(both) })
            }
            Expr::Like { negated: is_not, any: false, expr: inner, pattern, escape_char: None } => {
                self.like(expr, inner, pattern, false, negated != *is_not)
            }
            Expr::ILike {
                negated: is_not,
                any: false,
                expr: inner,
                pattern,
                escape_char: None,
            } => self.like(expr, inner, pattern, true, negated != *is_not),
            Expr::Function(function) => self.function(expr, function, negated),
            _ => Err(not_understood(expr)),
        }
    }

    /// Collects the operands of a chain of ANDs or ORs, however long.
    fn join(
        &mut self,
        expr: &Expr,
        op: &BinaryOperator,
        negated: bool,
        parts: &mut Vec<Expression>,
    ) -> Result<(), ConditionError> {
        let mut rights = Vec::new();
        let mut left = expr;
        while let Expr::BinaryOp { left: inner, op: found, right } = left {
            if found != op {
                break;
            }
            rights.push(right);
            left = inner;
        }
        parts.push(self.expression(left, negated)?);
        for right in rights.into_iter().rev() {
            parts.push(self.expression(right, negated)?);
        }
        Ok(())
    }

    fn comparison(
        &mut self,
        expr: &Expr,
        left: &Expr,
        comparison: Comparison,
        right: &Expr,
        negated: bool,
    ) -> Result<Expression, ConditionError> {
        let sides = (self.side(left)?, self.side(right)?);
        let (named, comparison, literal) = match sides {
            (Side::Named(left), Side::Named(right)) => {
                return both(expr, left, comparison, right, negated);
            }
            (Side::Named(named), Side::Literal(literal)) => (named, comparison, literal),
            (Side::Literal(literal), Side::Named(named)) => (named, comparison.turned(), literal),
            (Side::Literal(_), Side::Literal(_)) => {
                let why = format!("`{}` compares two values; one must be a column", cut(expr));
                return Err(fault(expr, why));
            }
        };
        if matches!(named, Named::Player(_)) && comparison != Comparison::Equal {
            return Err(fault(expr, "`player` allows only =, <>, IN, LIKE and ILIKE"));
        }
        leaf(named, negated, |subject| compare(expr, subject, comparison, &literal))
    }

    fn like(
        &mut self,
        expr: &Expr,
        inner: &Expr,
        pattern: &Expr,
        folds: bool,
        negated: bool,
    ) -> Result<Expression, ConditionError> {
        let Literal::Text(pattern) = self.literal(pattern)? else {
            let why = "a pattern must be text in single quotes, as in `White LIKE 'A%'`";
            return Err(fault(pattern, why));
        };
        let pattern = Pattern::new(&pattern, folds);
        self.test(expr, inner, negated, |subject| match subject.kind {
            Kind::Text | Kind::Date => Ok(Test::Texts(Texts::one(Text::Like(pattern.clone())))),
            kind => {
                let (name, what) = (&subject.name, kind.what());
                let why = format!("`{name}` holds {what}; only text can match a pattern");
                Err(fault(expr, why))
            }
        })
    }

    /// Builds a test of the names of players.
    fn function(
        &mut self,
        expr: &Expr,
        function: &Function,
        negated: bool,
    ) -> Result<Expression, ConditionError> {
        let name = function.name.to_string().to_ascii_lowercase();
        let arguments = two_arguments(function);
        let text = |text| Ok(Test::Texts(Texts::one(text)));
        let misused = |usage: &str| {
            let why = format!("`{}` is not understood; {name} is called as {usage}", cut(expr));
            Err(fault(expr, why))
        };
        match (name.as_str(), arguments) {
            (FINDS_PLAYER, Some([column, sought])) => {
                let (Side::Named(named), Side::Literal(Literal::Text(sought))) =
                    (self.side(column)?, self.side(sought)?)
                else {
                    return misused("finds_player(player, 'carlsen')");
                };
                let sought = Box::new(SoughtPlayer::read(&sought));
                leaf(named, negated, |subject| {
                    must_be_name(expr, subject)?;
                    text(Text::Finds(sought.clone()))
                })
            }
            (SAME_PLAYER, Some([left, right])) => match (self.side(left)?, self.side(right)?) {
                (Side::Named(left), Side::Named(right)) => same(expr, left, right, negated),
                (Side::Named(named), Side::Literal(Literal::Text(name)))
                | (Side::Literal(Literal::Text(name)), Side::Named(named)) => {
                    let person = Person::read(&name);
                    leaf(named, negated, |subject| {
                        must_be_name(expr, subject)?;
                        text(Text::Is(person.clone()))
                    })
                }
                _ => misused("same_player(player, 'Carlsen, Magnus')"),
            },
            (FINDS_PLAYER, None) => misused("finds_player(player, 'carlsen')"),
            (SAME_PLAYER, None) => misused("same_player(player, 'Carlsen, Magnus')"),
            _ => Err(not_understood(expr)),
        }
    }

    /// Builds a test of the column or tag that `inner` names.
    fn test(
        &mut self,
        expr: &Expr,
        inner: &Expr,
        negated: bool,
        test: impl Fn(&Subject) -> Result<Test, ConditionError>,
    ) -> Result<Expression, ConditionError> {
        match self.side(inner)? {
            Side::Named(named) => leaf(named, negated, test),
            Side::Literal(_) => {
                Err(fault(expr, format!("`{}` tests a value, not a column", cut(expr))))
            }
        }
    }

    fn literal(&mut self, expr: &Expr) -> Result<Literal, ConditionError> {
        match self.side(expr)? {
            Side::Literal(literal) => Ok(literal),
            Side::Named(_) => {
                let why = format!(
                    "`{}` is a name where a value is expected; text goes in single quotes, \
                     as in 'Carlsen, Magnus'",
                    cut(expr)
                );
                Err(fault(expr, why))
            }
        }
    }

    /// Reads a name or a literal.
    fn side(&mut self, expr: &Expr) -> Result<Side, ConditionError> {
        let text = |text: &String| Ok(Side::Literal(Literal::Text(text.clone())));
        match expr {
            Expr::Nested(inner) => return self.side(inner),
            Expr::Identifier(name) => return Ok(self.named(name)),
            Expr::CompoundIdentifier(names) => {
                const PARTS: [(&str, &str); 2] = [("plies", "plies"), ("start", "FEN")];
                if let [whole, part] = &names[..]
                    && whole.value.eq_ignore_ascii_case("moves")
                    && let Some((_, name)) =
                        PARTS.iter().find(|(name, _)| part.value.eq_ignore_ascii_case(name))
                {
                    return Ok(Side::Named(names::look_up(name)));
                }
            }
            // SQL syntax: tags['Name'].
            Expr::CompoundFieldAccess { root, access_chain } => {
                if let Expr::Identifier(root) = &**root
                    && root.value.eq_ignore_ascii_case("tags")
                    && let [AccessExpr::Subscript(Subscript::Index { index: Expr::Value(name) })] =
                        &access_chain[..]
                    && let Value::SingleQuotedString(name) = &name.value
                {
                    let (name, at) = (name.clone(), root.span.start);
                    let sources = vec![Source::Tag(name.clone())];
                    let column = None;
                    self.names.push(Name { name: name.clone(), column, is_quoted: false, at });
                    return Ok(Side::Named(Named::One(Subject {
                        name,
                        sources,
                        kind: Kind::Text,
                    })));
                }
            }
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(literal) => return text(literal),
                Value::Number(number, _) => return number_of(expr, number),
                Value::Null => {
                    let why = "nothing is equal to NULL; write IS NULL or IS NOT NULL";
                    return Err(fault(expr, why));
                }
                _ => {}
            },
            Expr::TypedString(typed) => {
                if let Value::SingleQuotedString(literal) = &typed.value.value {
                    return text(literal);
                }
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr: inner } => {
                if let Expr::Value(value) = &**inner
                    && let Value::Number(number, _) = &value.value
                {
                    return number_of(expr, &format!("-{number}"));
                }
            }
            _ => {}
        }
        Err(not_understood(expr))
    }

    fn named(&mut self, ident: &Ident) -> Side {
        let named = names::look_up(&ident.value);
        if let Named::One(Subject { name, sources, .. }) = &named {
            let column = match sources[..] {
                [Source::Tag(_)] => Some(None),
                [Source::Column(column)] => Some(Some(column)),
                // If one of several sources is missing, the others still answer.
                _ => None,
            };
            let (is_quoted, at) = (ident.quote_style.is_some(), ident.span.start);
            let name = |column| Name { name: name.clone(), column, is_quoted, at };
            self.names.extend(column.map(name));
        }
        Side::Named(named)
    }
}

fn number_of(expr: &Expr, text: &str) -> Result<Side, ConditionError> {
    let number = Number::read(text);
    let number = number.ok_or_else(|| fault(expr, format!("`{}` is not a number", cut(expr))))?;
    Ok(Side::Literal(Literal::Number(number, text.to_owned())))
}

/// The functions on names of players.
const FINDS_PLAYER: &str = "finds_player";
const SAME_PLAYER: &str = "same_player";

/// Returns the arguments of a function, if there are two and nothing else.
fn two_arguments(function: &Function) -> Option<[&Expr; 2]> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let [
        FunctionArg::Unnamed(FunctionArgExpr::Expr(first)),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(second)),
    ] = &list.args[..]
    else {
        return None;
    };
    let is_plain = list.clauses.is_empty()
        && list.duplicate_treatment.is_none()
        && function.filter.is_none()
        && function.over.is_none();
    is_plain.then_some([first, second])
}

/// Returns a comparison, and whether it is negated.
fn comparison(op: &BinaryOperator) -> Option<(Comparison, bool)> {
    Some(match op {
        BinaryOperator::Eq => (Comparison::Equal, false),
        BinaryOperator::NotEq => (Comparison::Equal, true),
        BinaryOperator::Lt => (Comparison::Less, false),
        BinaryOperator::LtEq => (Comparison::LessOrEqual, false),
        BinaryOperator::Gt => (Comparison::Greater, false),
        BinaryOperator::GtEq => (Comparison::GreaterOrEqual, false),
        _ => return None,
    })
}
