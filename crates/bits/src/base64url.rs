//! Bytes as text that needs no escaping in an address: base64url without padding (RFC 4648,
//! section 5).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The text of some bytes: six bits a character, the most significant first, the last character
/// filled up with zeros.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let held = group.iter().fold(0, |held, &byte| held << 8 | u32::from(byte));
        let held = held << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            text.push(char::from(ALPHABET[(held >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

/// The bytes of a text. `None` if it has other characters or a length that no text has, or if it
/// does not end with zeros: every string of bytes has one text.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut held, mut width) = (0u32, 0);
    for symbol in text.bytes() {
        held = held << 6 | value(symbol)?;
        width += 6;
        if width >= 8 {
            width -= 8;
            bytes.push((held >> width & 0xff) as u8);
            held &= (1 << width) - 1;
        }
    }
    (width < 6 && held == 0).then_some(bytes)
}

fn value(symbol: u8) -> Option<u32> {
    Some(u32::from(match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_texts_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["Zg=", "Zg==", "Zm9v+A", "Zm9v/A", "Z", "Zm9vY", "Zh", "Zm9", "Zm 8", "Zmé"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes: Vec<u8>) {
            let text = encode(&bytes);
            prop_assert_eq!(text.len(), (bytes.len() * 8).div_ceil(6));
            prop_assert_eq!(decode(&text), Some(bytes));
        }

        #[test]
        fn a_text_that_decodes_is_the_only_one(text in "[A-Za-z0-9_-]{0,12}") {
            if let Some(bytes) = decode(&text) {
                prop_assert_eq!(encode(&bytes), text);
            }
        }
    }
}
