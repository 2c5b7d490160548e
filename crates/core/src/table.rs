//! The header of a trained table's file. It states kind and layout, so that no reader mistakes one
//! table or layout for another.

pub mod numbers;

/// The kind of a file and the version of its layout, in the file's first four bytes: `PT`, a letter
/// for the kind, and the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head([u8; 4]);

impl Head {
    /// A [`Gate`](crate::policy::Gate).
    pub const GATE: Self = Self(*b"PTG\x01");
    /// A [`Judge`](crate::policy::Judge).
    pub const JUDGE: Self = Self(*b"PTJ\x01");
    /// A [`Tower`](crate::policy::Tower).
    pub const TOWER: Self = Self(*b"PTR\x01");
    /// A [`Book`](crate::policy::Book).
    pub const BOOK: Self = Self(*b"PTB\x01");
    /// The contents of the squares of a chess position (`chess/squares`).
    pub const SQUARES: Self = Self(*b"PTS\x01");
    /// The known evaluations of positions (`chess/hints`).
    pub const EVALUATIONS: Self = Self(*b"PTE\x01");
    /// The nets of a series' codec.
    pub const NETS: Self = Self(*b"PTN\x01");
    /// The guesses and weights of a series' codec.
    pub const SERIES: Self = Self(*b"PTT\x01");
    /// The [`Tables`](crate::codecs::line::ranked::Tables) of an order.
    pub const ORDER: Self = Self(*b"PTO\x01");
    /// The [`Start`](crate::codecs::blocks::Start) of blocks of positions.
    pub const START: Self = Self(*b"PTP\x01");
    /// The text that primes a codec of prose.
    pub const TEXT: Self = Self(*b"PTX\x01");
    /// The code of that text.
    pub const PRIMING: Self = Self(*b"PTC\x01");
    /// [Numbers](numbers), such as counts.
    pub const NUMBERS: Self = Self(*b"PTF\x01");

    /// Its number of bytes.
    pub const BYTES: usize = 4;

    /// Returns the bytes after this header in a file; `None` if the file has another.
    pub const fn body(self, file: &[u8]) -> Option<&[u8]> {
        let Some((head, body)) = file.split_first_chunk::<{ Self::BYTES }>() else {
            return None;
        };
        if u32::from_be_bytes(*head) == u32::from_be_bytes(self.0) { Some(body) } else { None }
    }

    /// Returns the bytes after this header in an embedded file. In a constant, another header is a
    /// compile error.
    pub const fn part(self, file: &'static [u8]) -> &'static [u8] {
        let body = self.body(file);
        assert!(body.is_some(), "a table's file has a header of another kind or version");
        match body {
            Some(body) => body,
            None => &[],
        }
    }

    /// Returns a file with this header.
    pub fn file(self, body: &[u8]) -> Vec<u8> {
        [&self.0, body].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_heads_are_refused() {
        let file = Head::BOOK.file(&[7, 8]);
        assert_eq!(file, *b"PTB\x01\x07\x08");
        assert_eq!(Head::BOOK.body(&file), Some(&[7, 8][..]));
        assert_eq!(Head::BOOK.body(&file[..4]), Some(&[][..]));
        for head in [Head::JUDGE, Head::GATE, Head::EVALUATIONS] {
            assert_eq!(head.body(&file), None);
        }
        for length in 0..4 {
            assert_eq!(Head::BOOK.body(&file[..length]), None);
        }
    }
}
