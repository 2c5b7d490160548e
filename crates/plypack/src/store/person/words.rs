//! The words of a name as they are written, and as they are compared.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Likeness;

/// The most letters of an abbreviation that ends in a dot.
const ABBREVIATED_MAX: usize = 4;

/// Written before or after a name in capitals, such as `GM`.
const CHESS_TITLES: [&str; 11] =
    ["GM", "IM", "FM", "CM", "NM", "LM", "WGM", "WIM", "WFM", "WCM", "WNM"];

/// Written before or after a name in any case.
const TITLES: [&str; 4] = ["dr", "prof", "mr", "mrs"];

/// Words that tell people of one name apart.
const GENERATIONS: [&str; 5] = ["jr", "sr", "ii", "iii", "iv"];

/// A word of a name, in small letters without accents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// `ü` is `u`.
    pub(super) plain: String,
    /// `ü` is `ue`.
    pub(super) wide: String,
    /// Whether it may stand for a word that it begins: an initial, another abbreviation, or
    /// whatever follows a comma.
    pub(super) may_begin: bool,
}

impl Word {
    pub(super) fn new(text: &str, is_dotted: bool) -> Self {
        let (mut plain, mut wide) = (String::new(), String::new());
        for letter in text.nfkd().flat_map(char::to_lowercase) {
            let (as_plain, as_wide) = match letter {
                '\u{308}' if wide.ends_with(['a', 'o', 'u']) => ("", "e"),
                '\u{30a}' if wide.ends_with('a') => ("", "a"),
                '\u{300}'..='\u{36f}' => ("", ""),
                'ø' => ("o", "oe"),
                'ß' => ("ss", "ss"),
                'æ' => ("ae", "ae"),
                'œ' => ("oe", "oe"),
                'þ' => ("th", "th"),
                'đ' | 'ð' => ("d", "d"),
                'ł' => ("l", "l"),
                'ı' => ("i", "i"),
                letter => {
                    plain.push(letter);
                    wide.push(letter);
                    continue;
                }
            };
            plain += as_plain;
            wide += as_wide;
        }
        let mut letters = plain.chars();
        let is_letter = letters.next().is_some_and(char::is_lowercase) && letters.next().is_none();
        let is_abbreviated = is_dotted
            && plain.chars().count() <= ABBREVIATED_MAX
            && plain.chars().all(char::is_alphabetic);
        Self { may_begin: is_letter || is_abbreviated, plain, wide }
    }

    pub(super) fn compare(&self, other: &Self) -> Likeness {
        let is = |one: &str, two: &str| one == two;
        if is(&self.plain, &other.plain)
            || is(&self.plain, &other.wide)
            || is(&self.wide, &other.plain)
            || is(&self.wide, &other.wide)
        {
            Likeness::Same
        } else if self.begins(other) || other.begins(self) || self.loose().eq(other.loose()) {
            Likeness::Perhaps
        } else {
            Likeness::Different
        }
    }

    /// Whether this abbreviates the other word.
    pub(super) fn begins(&self, other: &Self) -> bool {
        let begin = |whole: &String| whole.starts_with(&self.plain);
        self.may_begin && (begin(&other.plain) || begin(&other.wide))
    }

    /// Returns the letters without those that may belong to an umlaut: the same for `Müller`,
    /// `Mueller` and `Muller`, and for plain and wide.
    pub(super) fn loose(&self) -> impl Iterator<Item = char> {
        let mut last = ' ';
        self.wide.chars().filter(move |&letter| {
            let is_kept = !matches!((last, letter), ('a' | 'o' | 'u', 'e') | ('a', 'a'));
            if is_kept {
                last = letter;
            }
            is_kept
        })
    }

    /// Returns the longest part between two places where a spelling in ASCII may have letters of
    /// an umlaut.
    pub(super) fn needle(&self) -> String {
        let loose: String = self.loose().collect();
        let parts = loose.split_inclusive(['a', 'o', 'u']);
        parts.max_by_key(|part| part.len()).unwrap_or_default().to_owned()
    }
}

/// A word as it is written.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) is_dotted: bool,
}

impl Token {
    pub(super) fn word(&self) -> Word {
        Word::new(&self.text, self.is_dotted)
    }

    pub(super) fn is_title(&self) -> bool {
        CHESS_TITLES.contains(&self.text.as_str())
            || TITLES.iter().any(|title| self.text.eq_ignore_ascii_case(title))
    }

    pub(super) fn generation(&self) -> Option<&'static str> {
        GENERATIONS.into_iter().find(|word| self.text.eq_ignore_ascii_case(word))
    }

    /// Whether it stands beside names and is none.
    pub(super) fn is_beside(&self) -> bool {
        self.is_title() || self.generation().is_some()
    }
}

/// Splits a part of a name into words.
pub(super) fn tokens(part: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut text = String::new();
    let mut letters = part.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let is_digit = |letter: Option<char>| letter.is_some_and(char::is_numeric);
        match letter {
            // O'Kelly is one word.
            '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | 'ʻ' => {}
            // So is the version of a program.
            '.' if is_digit(text.chars().next_back()) && is_digit(next) => text.push('.'),
            letter if letter.is_alphanumeric() || letter == '_' || is_combining_mark(letter) => {
                text.push(letter);
            }
            other if !text.is_empty() => {
                tokens.push(Token { text: std::mem::take(&mut text), is_dotted: other == '.' });
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        tokens.push(Token { text, is_dotted: false });
    }
    tokens
}

/// Removes titles from a part of a name, unless it has nothing else.
pub(super) fn leave_out_titles(part: &mut Vec<Token>) {
    if !part.iter().all(Token::is_title) {
        part.retain(|token| !token.is_title());
    }
}

/// Removes a word such as `Jr.` behind a name.
pub(super) fn take_generation(part: &mut Vec<Token>) -> Option<&'static str> {
    let found = |(at, token): (usize, &Token)| Some((at, token.generation()?));
    let (at, generation) = part.iter().enumerate().skip(1).find_map(found)?;
    part.remove(at);
    Some(generation)
}

/// Splits `RJ`, as given names behind a surname in small letters, into initials.
pub(super) fn initials(surname: &[Token], given: Vec<Token>) -> Vec<Token> {
    let is_small = surname.iter().any(|token| token.text.contains(char::is_lowercase));
    match &given[..] {
        [Token { text, .. }]
            if is_small
                && matches!(text.len(), 2 | 3)
                && text.bytes().all(|byte| byte.is_ascii_uppercase()) =>
        {
            let initial = |letter: char| Token { text: letter.into(), is_dotted: true };
            text.chars().map(initial).collect()
        }
        _ => given,
    }
}

/// Returns a text in small letters.
pub(super) fn small(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Letter by letter: `str::to_lowercase` depends on the place in a word.
    text.chars().flat_map(char::to_lowercase).collect()
}
