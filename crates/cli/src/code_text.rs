//! How codes are written on the command line: bytes as letters and digits, one spelling each way.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::failure::Failure;

/// A way to write bytes as text.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum CodeText {
    /// Hexadecimal, two digits a byte
    Hex,
    /// Base64url without padding, for links
    Base64url,
}

impl CodeText {
    /// The text of some bytes.
    pub fn write(self, bytes: &[u8]) -> String {
        match self {
            Self::Hex => HEXLOWER.encode(bytes),
            Self::Base64url => BASE64URL_NOPAD.encode(bytes),
        }
    }

    /// The bytes of a text. Hexadecimal may have capitals.
    pub fn read(self, text: &str) -> Result<Vec<u8>, Failure> {
        let (encoding, rule) = match self {
            Self::Hex => (&HEXLOWER_PERMISSIVE, "in hexadecimal, two digits a byte"),
            Self::Base64url => (&BASE64URL_NOPAD, "in base64url without padding"),
        };
        let refused = |_| Failure::new(format!("a code is written {rule}"));
        encoding.decode(text.as_bytes()).map_err(refused)
    }
}
