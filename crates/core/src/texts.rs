//! A list of short texts in one allocation: the moves of a line in some notation.

/// The plies of a line of usual length.
const PLIES: usize = 128;

/// Short texts, stored one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: String,
    ends: Vec<u32>,
}

impl Texts {
    /// Creates an empty list with room for a line of usual length: most lists never grow.
    pub fn of_line() -> Self {
        Self { bytes: String::with_capacity(8 * PLIES), ends: Vec::with_capacity(PLIES) }
    }

    /// Appends one text, which `write` appends to the string passed to it.
    pub fn push_with(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.bytes);
        // A line has at most PLIES_MAX moves of a few bytes each, far below 4 GiB.
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone + '_ {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let text = &self.bytes[start..end as usize];
            start = end as usize;
            text
        })
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut list = Self::default();
        for text in texts {
            list.push_with(|out| out.push_str(text.as_ref()));
        }
        list
    }
}
