//! The code page of texts. Nothing in a database names it: texts are in that of the computer on
//! which they were written, newer ones in UTF-8.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257, WINDOWS_1258};

/// The least number of bytes outside ASCII that tell a code page.
const TELLING: u64 = 32;

/// The pages of Latin letters. Names of many languages side by side make any of them look likely.
const LATIN: [&Encoding; 4] = [WINDOWS_1250, WINDOWS_1254, WINDOWS_1257, WINDOWS_1258];

/// A code page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page(&'static Encoding);

/// Guesses a page from texts.
pub(super) struct Guess {
    detector: EncodingDetector,
    telling: u64,
}

impl Default for Guess {
    fn default() -> Self {
        Self { detector: EncodingDetector::new(Iso2022JpDetection::Deny), telling: 0 }
    }
}

impl Guess {
    /// Looks at one more text.
    pub fn see(&mut self, text: &[u8]) {
        if std::str::from_utf8(text).is_err() {
            self.telling += text.iter().filter(|byte| !byte.is_ascii()).count() as u64;
            self.detector.feed(text, false);
            self.detector.feed(b"\n", false);
        }
    }

    /// The page of texts in one language.
    pub fn of_texts(self) -> Page {
        if self.telling < TELLING {
            return Page(WINDOWS_1252);
        }
        Page(self.detector.guess(None, Utf8Detection::Deny))
    }

    /// The page of names in many languages.
    pub fn of_names(self) -> Page {
        let Page(guess) = self.of_texts();
        Page(if LATIN.contains(&guess) { WINDOWS_1252 } else { guess })
    }
}

impl Page {
    /// A text in UTF-8 if it is that, or else in this page. Line breaks and other control
    /// characters become spaces.
    pub fn text(self, bytes: &[u8]) -> String {
        let decoded = match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => self.0.decode_without_bom_handling(bytes).0,
        };
        let text = decoded.replace("\r\n", " ").replace(char::is_control, " ");
        text.trim().to_owned()
    }
}
