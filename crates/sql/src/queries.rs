//! Several queries in one text, separated by semicolons.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, Tokenizer};

use crate::error::Error;

/// Returns the queries in a text, split at semicolons outside strings and comments.
///
/// # Errors
/// Returns an error if a string or a comment does not end.
pub fn queries(text: &str) -> Result<Vec<&str>, Error> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location();
    let tokens = tokens.map_err(|error| Error::new(error.message).at(text, error.location))?;
    let mut queries = Vec::new();
    let (mut from, mut is_empty) = (0, true);
    for token in tokens {
        match token.token {
            Token::SemiColon => {
                let at = offset(text, token.span.start);
                queries.extend(text.get(from..at).filter(|_| !is_empty));
                (from, is_empty) = (at + 1, true);
            }
            Token::Whitespace(_) | Token::EOF => {}
            _ => is_empty = false,
        }
    }
    queries.extend(text.get(from..).filter(|_| !is_empty));
    Ok(queries)
}

/// Returns the byte offset of a line and a character, both from 1.
fn offset(text: &str, at: Location) -> usize {
    let number = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let before = text.split_inclusive('\n').take(number(at.line)).map(str::len).sum::<usize>();
    let line = text.get(before..).unwrap_or_default();
    before + line.chars().take(number(at.column)).map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::queries;

    #[test]
    fn queries_end_with_a_semicolon() {
        let text = "select ';' -- ;\n, 'ä'; ;\nselect 2;select 3 ";
        let found = queries(text).expect("tokens");
        assert_eq!(found, ["select ';' -- ;\n, 'ä'", "\nselect 2", "select 3 "]);
        assert_eq!(queries(" ;; -- nothing\n").expect("tokens"), Vec::<&str>::new());
        assert!(queries("select 'x").is_err());
    }
}
