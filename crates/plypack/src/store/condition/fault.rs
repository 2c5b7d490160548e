//! What is said of a part of a condition that is not understood.

use sqlparser::ast::{Expr, Spanned};

use super::ConditionError;

/// What is allowed, for messages.
pub(super) const ALLOWED: &str = "a condition compares columns with values using =, <>, <, <=, >, \
                                  >=, IN (..), BETWEEN, LIKE, ILIKE and IS NULL, or players by \
                                  finds_player(..) and same_player(..), joined by AND, OR, NOT and \
                                  parentheses";

pub(super) fn not_understood(expr: &Expr) -> ConditionError {
    let cure = match expr {
        Expr::Function(_) => {
            "there are no functions but finds_player and same_player; to ignore case, use ILIKE"
        }
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) => {
            "it is not compared with anything"
        }
        Expr::InSubquery { .. } | Expr::Subquery(_) | Expr::Exists { .. } => {
            "queries are not supported"
        }
        Expr::Like { .. } | Expr::ILike { .. } => "ESCAPE is not supported; \\ escapes",
        _ => ALLOWED,
    };
    fault(expr, format!("`{}` is not understood; {cure}", cut(expr)))
}

/// A fault where an expression begins.
pub(super) fn fault(expr: &Expr, why: impl Into<String>) -> ConditionError {
    ConditionError::new(why.into(), Some(expr.span().start))
}

/// Formats an expression as SQL, short enough for a message.
pub(super) fn cut(expr: &Expr) -> String {
    shortened(&expr.to_string())
}

pub(super) fn shortened(text: &str) -> String {
    const LETTERS_MAX: usize = 60;
    match text.char_indices().nth(LETTERS_MAX) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
