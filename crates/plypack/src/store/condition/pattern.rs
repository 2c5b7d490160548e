//! LIKE and ILIKE patterns.

/// A pattern: `%` matches any characters, `_` one character, and `\` escapes the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<Part>,
    /// Whether case is ignored.
    folds: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Any,
    One,
    Letter(char),
}

impl Pattern {
    pub(super) fn new(text: &str, folds: bool) -> Self {
        let mut parts = Vec::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            let part = match letter {
                '%' if parts.last() == Some(&Part::Any) => continue,
                '%' => Part::Any,
                '_' => Part::One,
                '\\' => Part::Letter(letters.next().unwrap_or('\\')),
                letter => Part::Letter(letter),
            };
            match part {
                Part::Letter(letter) if folds => {
                    parts.extend(letter.to_lowercase().map(Part::Letter));
                }
                part => parts.push(part),
            }
        }
        Self { parts, folds }
    }

    /// Whether a text matches.
    pub(super) fn fits(&self, text: &str) -> bool {
        if !self.folds {
            self.fits_letters(text.chars())
        } else if text.is_ascii() {
            self.fits_letters(text.bytes().map(|letter| letter.to_ascii_lowercase().into()))
        } else {
            // Character by character, as in the pattern: `str::to_lowercase` depends on the
            // position in a word.
            let text: String = text.chars().flat_map(char::to_lowercase).collect();
            self.fits_letters(text.chars())
        }
    }

    /// Takes time proportional to the product of both lengths at worst: only the last `%` is
    /// retried.
    fn fits_letters(&self, mut rest: impl Iterator<Item = char> + Clone) -> bool {
        let mut at = 0;
        let mut again = None;
        loop {
            let mut next = rest.clone();
            let fits = match (self.parts.get(at), next.next()) {
                (Some(Part::Any), _) => {
                    again = Some((at + 1, rest.clone()));
                    at += 1;
                    continue;
                }
                (None, None) => return true,
                (Some(Part::One), Some(_)) => true,
                (Some(Part::Letter(wanted)), Some(letter)) => *wanted == letter,
                (_, None) => return false,
                (None, Some(_)) => false,
            };
            if fits {
                (at, rest) = (at + 1, next);
                continue;
            }
            let Some((part, from)) = &mut again else { return false };
            // A character is left, as `rest` had one.
            from.next();
            (at, rest) = (*part, from.clone());
        }
    }

    /// Returns the prefix that all matching texts share.
    pub(super) fn prefix(&self) -> String {
        let letters = self.parts.iter().map_while(|part| match part {
            Part::Letter(letter) if !self.folds => Some(*letter),
            _ => None,
        });
        letters.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_texts() {
        for (pattern, text, fits) in [
            ("", "", true),
            ("", "a", false),
            ("%", "", true),
            ("%", "any", true),
            ("Carlsen%", "Carlsen, Magnus", true),
            ("Carlsen%", "carlsen, magnus", false),
            ("%Magnus", "Carlsen, Magnus", true),
            ("%, M%s", "Carlsen, Magnus", true),
            ("_arl%", "Carlsen", true),
            ("_", "", false),
            ("_", "é", true),
            ("__", "é", false),
            ("a%b%c", "a-b-b-c", true),
            ("a%b%c", "a-c-b", false),
            ("%%%a", "ba", true),
            ("100\\%", "100%", true),
            ("100\\%", "1000", false),
            ("a\\", "a\\", true),
        ] {
            assert_eq!(Pattern::new(pattern, false).fits(text), fits, "{pattern} {text}");
        }
        assert!(Pattern::new("ÉTÉ%", true).fits("été 2020"));
        assert!(Pattern::new("%CARL_en%", true).fits("Magnus Carlsen"));
        assert!(!Pattern::new("%carl_en", true).fits("Carlsen, Magnus"));
        assert_eq!(Pattern::new("Carl%_x", false).prefix(), "Carl");
        assert_eq!(Pattern::new("Carl%_x", true).prefix(), "");
    }

    #[test]
    fn many_wildcards_do_not_take_for_ever() {
        let pattern = Pattern::new(&"a%".repeat(1_000), false);
        assert!(!pattern.fits(&format!("{}b", "a".repeat(900))));
        assert!(pattern.fits(&"a".repeat(1_000)));
    }
}
