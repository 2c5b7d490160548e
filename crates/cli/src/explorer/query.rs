//! The query part of an address: names and values.

use crate::explorer::error::Refusal;

/// The names and values of a request, unescaped.
#[derive(Clone, Debug, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Parses the part of an address after the `?`.
    pub fn read(text: &str) -> Self {
        let pairs = form_urlencoded::parse(text.as_bytes());
        Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// The first value of this name, unless it is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|pair| pair.0 == name)?;
        Some(found.1.trim()).filter(|value| !value.is_empty())
    }

    /// The same query with this value in place of those of its name.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let others = self.0.iter().filter(|pair| pair.0 != name).cloned();
        Self(others.chain([(name.to_owned(), value.to_owned())]).collect())
    }

    /// Whether there is a value of this name, even an empty one.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|pair| pair.0 == name)
    }

    /// The comma-separated values of this name.
    pub fn list(&self, name: &str) -> Option<Vec<&str>> {
        let text = self.text(name)?;
        Some(text.split(',').map(str::trim).filter(|value| !value.is_empty()).collect())
    }

    /// Returns a whole number, capped at `most`.
    ///
    /// # Errors
    /// Returns an error if it is not a number.
    pub fn number(&self, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse::<u64>().map_err(|_| {
            Refusal::asked(format!("`{name}` must be a whole number, not `{text}`"))
        })?;
        Ok(Some(number.min(most)))
    }

    /// Whether the value is `true`.
    pub fn is_true(&self, name: &str) -> bool {
        self.text(name).is_some_and(|text| text.eq_ignore_ascii_case("true") || text == "1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_addresses_have_them() {
        let query = Query::read("fen=8/8+w&play=e2e4%2Ce7e5&moves=300&empty=&player=M%C3%BCller");
        assert_eq!(query.text("fen"), Some("8/8 w"));
        assert_eq!(query.list("play"), Some(vec!["e2e4", "e7e5"]));
        assert_eq!(query.number("moves", 99), Ok(Some(99)));
        assert_eq!(query.text("player"), Some("Müller"));
        assert_eq!((query.text("empty"), query.text("none")), (None, None));
        assert!(query.number("fen", 1).is_err_and(|refusal| refusal.status == 400));
    }
}
