//! Codes as text on the command line. Each code has a single spelling in either encoding.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::failure::Failure;

/// A text encoding of bytes.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum CodeText {
    /// Hexadecimal, two digits per byte
    Hex,
    /// Base64url without padding, for links
    Base64url,
}

impl CodeText {
    /// Encodes bytes as text.
    pub fn write(self, bytes: &[u8]) -> String {
        match self {
            Self::Hex => HEXLOWER.encode(bytes),
            Self::Base64url => BASE64URL_NOPAD.encode(bytes),
        }
    }

    /// Decodes text to bytes. Hexadecimal may be in upper case.
    pub fn read(self, text: &str) -> Result<Vec<u8>, Failure> {
        let (encoding, rule) = match self {
            Self::Hex => (&HEXLOWER_PERMISSIVE, "in hexadecimal, two digits per byte"),
            Self::Base64url => (&BASE64URL_NOPAD, "in base64url without padding"),
        };
        let refused = |_| Failure::new(format!("a code must be {rule}"));
        encoding.decode(text.as_bytes()).map_err(refused)
    }
}
