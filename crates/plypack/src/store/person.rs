//! Names of players: which spellings mean the same person, and which names a search finds.
//!
//! A name is read as words without accents and capitals. `Carlsen, Magnus`, `Magnus Carlsen` and
//! `CARLSEN MAGNUS` have the same words. `Carlsen, M.` may be the same person, and is never taken
//! for him without a word about it.

mod words;

use memchr::memmem::Finder;

use self::words::{Token, Word, initials, leave_out_titles, small, take_generation, tokens};
use crate::store::condition::slips;

/// Longer names are one word each, compared byte by byte: they are no names.
const BYTES_MAX: usize = 256;

/// Names of more words are treated like longer ones.
const WORDS_MAX: usize = 16;

/// The most slips in a word of a name.
const SLIPS_MAX: usize = 2;

/// The letters of names that stand for nobody in particular.
const NOBODY: [&str; 6] = ["", "nn", "unknown", "anonymous", "white", "black"];

/// How far two names mean the same person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// They do not.
    Different,
    /// They may: an initial stands for a name, a name is missing, or `ue` may stand for `u`.
    Perhaps,
    /// The words are the same, in their order or with the first ones behind the last ones.
    Same,
}

/// A player's name, as far as it tells who that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Those of the surname first, if a comma tells which they are; none for nobody.
    words: Vec<Word>,
    /// How many words are the surname; 0 if that is unknown.
    surname: usize,
    /// `jr` and the like.
    generation: Option<&'static str>,
    /// Whether it is a single token, such as the name of an account, whose parts have an order.
    is_token: bool,
}

impl Person {
    /// Reads a name.
    pub fn read(name: &str) -> Self {
        let unread = || Self {
            words: vec![Word { plain: name.to_owned(), wide: name.to_owned(), may_begin: false }],
            surname: 0,
            generation: None,
            is_token: true,
        };
        if name.len() > BYTES_MAX {
            return unread();
        }
        let split = name.split_once([',', '\u{ff0c}']);
        let (surname, given) = split.unwrap_or((name, ""));
        let (mut first, mut second) = (tokens(surname), tokens(given));
        if first.len() + second.len() > WORDS_MAX {
            return unread();
        }
        let is_token = split.is_none() && !name.trim().contains(char::is_whitespace);
        let mut has_comma = split.is_some();
        // `Juan Gonzalez, Jr.`: no surname stands before the comma.
        if first.len() > 1 && !second.is_empty() && second.iter().all(Token::is_beside) {
            first.append(&mut second);
            has_comma = false;
        }
        let mut generation = None;
        let mut parts = [first, second];
        for part in parts.iter_mut().filter(|_| !is_token) {
            leave_out_titles(part);
            generation = generation.or(take_generation(part));
        }
        let [first, second] = parts;
        let second = initials(&first, second);
        let mut words: Vec<Word> = first.iter().chain(&second).map(Token::word).collect();
        for word in words.iter_mut().skip(first.len()) {
            word.may_begin = true;
        }
        let letters: String = words.iter().map(|word| word.plain.as_str()).collect();
        let is_nobody = NOBODY.contains(&letters.as_str());
        if is_nobody {
            words.clear();
        }
        let surname = if has_comma && !is_nobody { first.len() } else { 0 };
        Self { words, surname, generation, is_token }
    }

    /// Whether the name stands for nobody in particular, like `?` and `NN`.
    pub fn is_nobody(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns how far two names mean the same person. Nobody is the same as anybody.
    pub fn compare(&self, other: &Self) -> Likeness {
        let differ = self.generation.zip(other.generation).is_some_and(|(one, two)| one != two);
        if self.is_nobody() || other.is_nobody() || differ {
            return Likeness::Different;
        }
        if self.generation == other.generation && self.has_same_words(other) {
            return match self.may_have_same_parts(other) {
                true => Likeness::Same,
                false => Likeness::Perhaps,
            };
        }
        let fewer = self.words.len().min(other.words.len());
        let perhaps = self.shares_name(other) && self.matched(other, Likeness::Perhaps) == fewer;
        if perhaps { Likeness::Perhaps } else { Likeness::Different }
    }

    /// Returns how many letters of these words are missing, added, wrong or transposed in another
    /// name, in whatever order it has them; `None` if a word differs by more than slips. An initial
    /// fits any word that it begins.
    pub(crate) fn slips(&self, other: &Self) -> Option<usize> {
        let of = |word: &Word| {
            let letters: Vec<char> = word.plain.chars().collect();
            let most = letters.len() / 3;
            let to = |other: &Word| match other.plain.starts_with(&word.plain) {
                true => 0,
                false => slips(&letters, &other.plain.chars().collect::<Vec<_>>()),
            };
            other.words.iter().map(to).min().filter(|&least| least <= most.min(SLIPS_MAX))
        };
        self.words.iter().map(of).sum()
    }

    /// Whether the words are the same, from any one on; or the letters, with other spaces.
    fn has_same_words(&self, other: &Self) -> bool {
        let (one, two) = (&self.words, &other.words);
        let turns = if self.is_token || other.is_token { 1 } else { one.len() };
        let is_same = |turn: usize| {
            let mut turned = one.iter().cycle().skip(turn).zip(two);
            turned.all(|(one, two)| one.compare(two) == Likeness::Same)
        };
        one.len() == two.len() && (0..turns).any(is_same)
            || self.joined().is_some_and(|joined| {
                other.joined().is_some_and(|other| joined.iter().any(|one| other.contains(one)))
            })
    }

    /// Returns the letters with no space between words but that of the comma, plain and wide;
    /// `None` for names with numbers, which spaces tell apart.
    fn joined(&self) -> Option<[String; 2]> {
        let has_digit = |word: &Word| word.plain.contains(|c: char| c.is_numeric());
        if self.is_token || self.words.iter().any(has_digit) {
            return None;
        }
        let (surname, given) = self.words.split_at(self.surname);
        let join = |of: fn(&Word) -> &str| {
            let [surname, given] =
                [surname, given].map(|words| words.iter().map(of).collect::<String>());
            format!("{surname},{given}")
        };
        Some([join(|word| &word.plain), join(|word| &word.wide)])
    }

    /// Whether surnames and given names agree, as far as commas tell which they are.
    fn may_have_same_parts(&self, other: &Self) -> bool {
        self.surname == 0 || other.surname == 0 || self.parts() == other.parts()
    }

    /// Returns the letters on both sides of the comma, without the difference between `u` and `ue`;
    /// nothing if there is none.
    pub(crate) fn parts(&self) -> String {
        if self.surname == 0 {
            return String::new();
        }
        let (surname, given) = self.words.split_at(self.surname);
        let [surname, given] =
            [surname, given].map(|words| words.iter().flat_map(Word::loose).collect::<String>());
        format!("{surname},{given}")
    }

    /// Whether a whole word is in both, in the surnames if they are known.
    fn shares_name(&self, other: &Self) -> bool {
        let likes = |one: &Word| other.names().any(|two| one.compare(two) >= Likeness::Perhaps);
        self.names().any(likes)
    }

    /// Returns the whole words that may be the surname.
    fn names(&self) -> impl Iterator<Item = &Word> {
        let most = if self.surname > 0 { self.surname } else { self.words.len() };
        self.words[..most].iter().filter(|word| !word.may_begin)
    }

    /// Returns keys of the name, of which names of the [`Same`](Likeness::Same) person share one,
    /// unless they write some words with `ue` and some with `ü`. Names that share one are the same,
    /// unless commas give them different [`parts`](Self::parts).
    pub(crate) fn keys(&self) -> Vec<String> {
        let end = self.generation.unwrap_or_default();
        let mut keys = Vec::new();
        let mut add = |key: String| {
            if !keys.contains(&key) {
                keys.push(key);
            }
        };
        let of: [fn(&Word) -> &str; 2] = [|word| &word.plain, |word| &word.wide];
        for of in of {
            let words: Vec<&str> = self.words.iter().map(of).collect();
            add(format!("as written {} {end}", words.join(" ")));
            let turned = |turn: usize| words.iter().cycle().skip(turn).take(words.len());
            let least = (0..words.len()).min_by(|&one, &other| turned(one).cmp(turned(other)));
            if let Some(least) = least.filter(|_| !self.is_token) {
                let words: Vec<&str> = turned(least).copied().collect();
                add(format!("in a circle {} {end}", words.join(" ")));
            }
        }
        for joined in self.joined().into_iter().flatten() {
            add(format!("letters {joined} {end}"));
        }
        keys
    }

    /// Returns how many words of two names can be paired so that those of each pair are at least so
    /// alike. What may begin a surname is no given name, and the other way round.
    fn matched(&self, other: &Self, least: Likeness) -> usize {
        let are_parted = self.surname > 0 && other.surname > 0;
        let fits = |one: usize, two: usize| {
            let is_across = are_parted && (one < self.surname) != (two < other.surname);
            let least = if is_across { Likeness::Same } else { least };
            self.words[one].compare(&other.words[two]) >= least
        };
        let mut partners: Vec<Option<usize>> = vec![None; other.words.len()];
        let is_paired =
            |&one: &usize| pair(one, &fits, &mut partners, &mut vec![false; other.words.len()]);
        (0..self.words.len()).filter(is_paired).count()
    }

    /// Returns keys of the names that [`Perhaps`](Likeness::Perhaps) mean this person, and keys
    /// under which they look for it: those for a whole word that may be the surname, and what
    /// stands beside it.
    pub(crate) fn doubtful_keys(&self) -> DoubtfulKeys {
        let mut keys = DoubtfulKeys::default();
        let places = if self.surname > 0 { self.surname } else { self.words.len() };
        for (at, word) in self.words[..places].iter().enumerate().filter(|word| !word.1.may_begin) {
            let name: String = word.loose().collect();
            keys.own.push(format!("{name}, any"));
            let others = self.words.iter().enumerate().filter(|other| other.0 != at);
            let initials = others.filter_map(|other| other.1.loose().next());
            let beside: Vec<String> = initials.map(|c| format!("{name}, {c}")).collect();
            if beside.is_empty() {
                keys.own.push(format!("{name} alone"));
                keys.others.push(format!("{name}, any"));
            } else {
                keys.others.push(format!("{name} alone"));
                keys.others.extend(beside.iter().cloned());
                keys.own.extend(beside);
            }
        }
        keys
    }

    /// Returns the surname's letters and the first letter of the given names, without the
    /// difference between `u` and `ue`: `carlsen m`. Without a comma there are several ways to read
    /// a name; the usual one, with the surname last, comes first. None for nobody.
    pub(crate) fn short_keys(&self) -> Vec<String> {
        let key = |surname: &[Word], given: &[Word]| {
            let mut key: String = surname.iter().flat_map(Word::loose).collect();
            if let Some(initial) = given.first().and_then(|word| word.loose().next()) {
                key.push(' ');
                key.push(initial);
            }
            key
        };
        if self.is_nobody() {
            return Vec::new();
        }
        if self.surname > 0 || self.is_token || self.words.len() == 1 {
            let (surname, given) = self.words.split_at(match self.surname {
                0 => self.words.len(),
                surname => surname,
            });
            return vec![key(surname, given)];
        }
        let splits = || 1..self.words.len();
        let last = splits().rev().map(|at| self.words.split_at(at));
        let first = splits().map(|at| self.words.split_at(at));
        last.map(|(given, surname)| key(surname, given))
            .chain(first.map(|(surname, given)| key(surname, given)))
            .collect()
    }
}

/// See [`Person::doubtful_keys`].
#[derive(Debug, Default)]
pub(crate) struct DoubtfulKeys {
    /// Those under which others find this name.
    pub own: Vec<String>,
    /// Those of the names that it looks for.
    pub others: Vec<String>,
}

/// Returns the words of a text, such as a name or a part of one, in small letters without accents,
/// each in both spellings: `ü` is `u` in the first and `ue` in the second. At most 16 words; none
/// of a text longer than 256 bytes.
pub fn words(text: &str) -> Vec<[String; 2]> {
    if text.len() > BYTES_MAX {
        return Vec::new();
    }
    let words = tokens(text).into_iter().take(WORDS_MAX).map(|token| token.word());
    words.map(|word| [word.plain, word.wide]).collect()
}

/// A name that is searched for.
#[derive(Clone, Debug)]
pub struct SoughtPlayer {
    /// What was typed, in small letters, as part of a name.
    part: Finder<'static>,
    person: Person,
    /// For each whole word a part that no spelling of it in ASCII lacks.
    needles: Vec<Finder<'static>>,
}

impl SoughtPlayer {
    /// Reads a name to search for, or a part of one.
    pub fn read(text: &str) -> Self {
        let person = Person::read(text);
        let whole = person.words.iter().filter(|word| !word.may_begin);
        let needles = whole.map(|word| Finder::new(&word.needle()).into_owned()).collect();
        let part = Finder::new(&small(text)).into_owned();
        Self { part, person, needles }
    }

    /// Whether a name is found: it contains what was typed, ignoring case; or it has all words of
    /// it, in any order, where an initial stands for what begins with it, in either.
    pub fn finds(&self, name: &str) -> bool {
        let finds = |small: &[u8]| {
            self.part.find(small).is_some() || self.may_find(small) && self.fits(name)
        };
        // Nearly all names are short and ASCII, and take no allocation.
        let mut short = [0; BYTES_MAX];
        match short.get_mut(..name.len()).filter(|_| name.is_ascii()) {
            Some(short) => {
                short.copy_from_slice(name.as_bytes());
                short.make_ascii_lowercase();
                finds(short)
            }
            None => finds(small(name).as_bytes()),
        }
    }

    /// Whether the words of a name in small letters may be those that are searched for; a quick
    /// test.
    fn may_find(&self, small: &[u8]) -> bool {
        let is_plain = small.iter().all(|&byte| byte.is_ascii() && byte != b'\'' && byte != b'`');
        match is_plain {
            true => self.needles.iter().any(|needle| needle.find(small).is_some()),
            false => !self.needles.is_empty(),
        }
    }

    fn fits(&self, name: &str) -> bool {
        let (sought, name) = (&self.person, Person::read(name));
        let all = sought.words.len();
        if sought.generation.is_some() && sought.generation != name.generation {
            return false;
        }
        if sought.shares_name(&name) {
            return sought.matched(&name, Likeness::Perhaps) == all;
        }
        sought.surname == 0 && sought.matched(&name, Likeness::Same) == all
    }
}

impl PartialEq for SoughtPlayer {
    fn eq(&self, other: &Self) -> bool {
        self.part.needle() == other.part.needle() && self.person == other.person
    }
}

/// Pairs a word, if need be by giving others new partners; names have few words.
fn pair(
    word: usize,
    fits: &dyn Fn(usize, usize) -> bool,
    partners: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for at in 0..partners.len() {
        if tried[at] || !fits(word, at) {
            continue;
        }
        tried[at] = true;
        if partners[at].is_none_or(|other| pair(other, fits, partners, tried)) {
            partners[at] = Some(word);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use plypack_core::SplitMix;

    use super::*;

    fn compare(one: &str, other: &str) -> Likeness {
        let [first, second] = [one, other].map(Person::read);
        let likeness = first.compare(&second);
        assert_eq!(second.compare(&first), likeness, "{one} | {other}");
        likeness
    }

    /// Spellings of one person; all are the same as the first.
    const SAME: [&[&str]; 19] = [
        &["Magnus Carlsen", "Carlsen, Magnus", "CARLSEN MAGNUS", "carlsen,magnus"],
        &["Carlsen, Magnus", "GM Carlsen, Magnus", "Carlsen, Magnus (GM)", "Magnus  Carlsen, GM"],
        &["Müller, Karsten", "Mueller, Karsten", "Mu\u{308}ller,Karsten", "Karsten Muller"],
        &["Vachier-Lagrave, Maxime", "Maxime Vachier Lagrave", "VACHIER LAGRAVE Maxime"],
        &["Vachier-Lagrave", "Vachier Lagrave"],
        &["Sæther, Bjørn", "Saether, Bjoern", "saether bjorn"],
        &["Åkesson, Ralf", "Aakesson, Ralf", "Akesson,Ralf"],
        &["Weiß, Robert", "Weiss, Robert"],
        &["Wojtaszek, Radosław", "Radoslaw Wojtaszek"],
        &["O'Kelly de Galway, Alberic", "O’Kelly de Galway, Albéric", "O Kelly de Galway,Alberic"],
        &["Van Wely, Loek", "Vanwely, Loek", "Loek van Wely"],
        &["Carlsen, M.", "carlsen,m", "M. Carlsen"],
        &["Fischer, R.J.", "Fischer,RJ", "Fischer, R. J."],
        &["Gonzalez, Juan Jr.", "Gonzalez Jr, Juan", "Juan Gonzalez, Jr"],
        &["Dr. Lasker, Emanuel", "Emanuel Lasker"],
        &["Nguyen Thi Mai Hung", "Thi Mai Hung Nguyen", "Nguyen, Thi Mai Hung"],
        &["DrNykterstein", "drnykterstein"],
        &["İvanchuk, Vasıl", "Ivanchuk, Vasil"],
        &["Карпов, Анатолий", "анатолий карпов"],
    ];

    #[test]
    fn spellings_of_one_name_are_the_same() {
        for spellings in SAME {
            let keys = Person::read(spellings[0]).keys();
            for other in spellings {
                assert_eq!(compare(spellings[0], other), Likeness::Same, "{other}");
                let others = Person::read(other).keys();
                assert!(keys.iter().any(|key| others.contains(key)), "{other}: {others:?}");
            }
        }
    }

    #[test]
    fn what_is_not_said_is_doubtful() {
        for (one, other) in [
            ("Carlsen, M.", "Carlsen, Magnus"),
            ("Carlsen,M", "Magnus Carlsen"),
            ("Carlsen", "Carlsen, Magnus"),
            ("Carlsen", "CARLSEN MAGNUS"),
            ("Carlsen, Magnus", "Carlsen, Sven Magnus"),
            ("Fischer, R", "Fischer, Robert James"),
            ("Fischer,RJ", "Fischer, Robert James"),
            ("Fischer, Rob.", "Fischer, Robert"),
            ("Volokitin,And", "Andrei Volokitin"),
            ("Hussein,AH", "Hussein,HA"),
            ("Carlsen, Sven Magnus", "Carlsen, Magnus Sven"),
            ("Li, Wei Li", "Li, Li Wei"),
            ("Quoc Tran Dung", "Tran, Quoc Dung"),
            ("Vallejo, F", "Vallejo Pons, Francisco"),
            ("Mueller, Hans", "Muller, Hans"),
            ("Gonzalez, Juan Jr", "Gonzalez, Juan"),
            ("Thomas, Martin", "Martin, Thomas"),
            ("Van Wely, L.", "Wely, Loek van"),
        ] {
            assert_eq!(compare(one, other), Likeness::Perhaps, "{one} | {other}");
            let [one, other] = [one, other].map(|name| Person::read(name).doubtful_keys());
            // Swapped names share none: nothing tells which word is the surname of both.
            let meets = one.others.iter().any(|key| other.own.contains(key))
                && other.others.iter().any(|key| one.own.contains(key));
            assert!(meets || one.own[0] == "thomas, any", "{one:?} {other:?}");
        }
    }

    #[test]
    fn different_people_are_different() {
        for (one, other) in [
            ("Carlsen, M.", "Carlsen, Henrik"),
            ("Carlsen, Magnus", "Carlsen, Henrik"),
            ("Magnus", "Carlsen, Magnus"),
            ("Polgar, Judit", "Polgar, Sofia"),
            ("Gonzalez, Juan Jr", "Gonzalez, Juan Sr"),
            ("So, Wesley", "Sokolov, W"),
            ("Garcia Jimenez,F", "Fernandez Garcia,J"),
            ("Carlsen, M", "Magnus, C"),
            ("C., Magnus", "Carlsen, M"),
            ("Fins-0", "fins0"),
            ("a-b", "b-a"),
            ("Dr_Tiger", "Tiger"),
            ("Komodo 10.2", "Komodo 2.10"),
            ("Komodo 1 41", "Komodo 14 1"),
            ("Engine 15", "Engine 16"),
            ("राम", "रोम"),
            ("王浩", "王"),
            ("?", "?"),
            ("", ""),
            ("N.N.", "NN"),
            ("?", "Carlsen, Magnus"),
        ] {
            assert_eq!(compare(one, other), Likeness::Different, "{one} | {other}");
        }
    }

    #[test]
    fn a_search_finds_every_spelling() {
        let names = [
            "Carlsen, Magnus",
            "Magnus Carlsen",
            "CARLSEN MAGNUS",
            "Carlsen, M.",
            "carlsen,m",
            "GM Carlsen, Sven Magnus",
        ];
        for typed in ["Magnus Carlsen", "Carlsen, M.", "carlsen,m", "CARLSEN MAGNUS", "carlsen"] {
            let sought = SoughtPlayer::read(typed);
            for name in names {
                assert!(sought.finds(name), "{typed} | {name}");
            }
            for other in ["Henriksen, Magnus", "Karlsen, M", "Caruana, F", "", "?", "NN"] {
                assert!(!sought.finds(other), "{typed} | {other}");
            }
        }
        for (typed, name, is_found) in [
            ("Vachier Lagrave", "Vachier-Lagrave, Maxime", true),
            ("lagrave", "Vachier-Lagrave, Maxime", true),
            ("Müller", "Mueller, Karsten", true),
            ("Mueller", "Müller, Karsten", true),
            ("Mueller", "Muller, Karsten", true),
            ("Muller", "MUELLER KARSTEN", true),
            ("okelly", "O'Kelly de Galway, Alberic", true),
            ("O'Kelly", "OKelly,A", true),
            ("Bjoern Saether", "Sæther, Bjørn", true),
            ("fischer robert", "Fischer,RJ", true),
            ("Andrei Volokitin", "Volokitin,And", true),
            ("volokitin, andr", "Volokitin, Andrei", true),
            ("Magnus Carlsen", "Carlsen", false),
            ("Magnus Carlsen", "Carlsen, Henrik", false),
            ("Carlsen, Henrik", "Magnus Carlsen", false),
            ("Thomas, Martin", "Martin, Thomas", false),
            ("Wesley So", "Sokolov, Wesley", false),
            ("Gonzalez Jr", "Gonzalez, Juan", false),
            ("Gonzalez Jr", "Gonzalez, Juan Jr.", true),
            ("o'k", "O'Kelly", true),
            ("100%", "100% luck", true),
            ("%", "Carlsen", false),
            ("", "Carlsen", true),
            ("nn", "Anna", true),
            ("m", "Carlsen,M", true),
            ("m s", "Dhoni, M. S.", false),
            ("ИВАНОВ", "Иванов, Иван", true),
        ] {
            assert_eq!(SoughtPlayer::read(typed).finds(name), is_found, "{typed} | {name}");
        }
        for spellings in SAME {
            for (typed, name) in spellings[1..].iter().map(|other| (spellings[0], other)) {
                // Words that are joined elsewhere are not looked for.
                let is_joined = name.starts_with("Vanwely");
                assert_ne!(SoughtPlayer::read(typed).finds(name), is_joined, "{typed} | {name}");
            }
        }
    }

    #[test]
    fn short_keys_are_surname_and_initial() {
        let first = |name: &str| Person::read(name).short_keys().into_iter().next();
        for (one, other) in [
            ("Carlsen, Magnus", "Carlsen,M"),
            ("CARLSEN, M.", "carlsen,magnus"),
            ("Carlsen, M.", "Magnus Carlsen"),
            ("Van Wely, L", "van wely,Loek"),
            ("Vanwely, Loek", "van wely,Loek"),
            ("Müller, K", "Mueller,Karsten"),
            ("Muller, K", "Mueller,Karsten"),
        ] {
            assert_eq!(first(one), first(other), "{one}");
            assert!(first(one).is_some());
        }
        assert_ne!(first("Polgar, Judit"), first("Polgar, Sofia"));
        assert_ne!(first("Carlsen"), first("Carlsen, Magnus"));
        for none in ["", "?", "-", " ", "N.N.", "Unknown"] {
            assert_eq!(first(none), None, "{none}");
        }
        assert!(Person::read("CARLSEN MAGNUS").short_keys().contains(&"carlsen m".to_owned()));
        let keys = Person::read("Maxime Vachier Lagrave").short_keys();
        assert!(keys.contains(&"vachierlagrave m".to_owned()), "{keys:?}");
    }

    /// Words, signs and letters of which hostile names are made.
    const PARTS: [&str; 24] = [
        "a", "ab", "Müller", "mueller", "Muller", "ÅÅ", "aaa", "uee", " ", ",", ".", "-", "'",
        "Jr", "GM", "Dr.", "M.", "RJ", "\u{308}", "\u{fdfa}", "\0", "王", "1.2", "_",
    ];

    fn hostile(random: &mut SplitMix) -> String {
        let parts = random.below(12);
        let part = |_| PARTS[usize::try_from(random.below(24)).expect("small")];
        (0..parts).map(part).collect()
    }

    #[test]
    fn any_two_names_compare_in_either_order_and_find_each_other() {
        let mut random = SplitMix::new(45, 0);
        let mut likenesses = [0; 3];
        for _ in 0..5_000 {
            let [one, other] = [(); 2].map(|()| hostile(&mut random));
            let likeness = compare(&one, &other);
            likenesses[likeness as usize] += 1;
            let person = Person::read(&one);
            let itself = if person.is_nobody() { Likeness::Different } else { Likeness::Same };
            assert_eq!(compare(&one, &one), itself, "{one}");
            let sought = SoughtPlayer::read(&one);
            assert!(sought.finds(&one), "{one}");
            // The quick test never says no where the words would fit.
            if !sought.needles.is_empty() && sought.fits(&other) {
                assert!(sought.finds(&other), "{one} | {other}");
            }
            let shares = person.keys().iter().any(|key| Person::read(&other).keys().contains(key));
            if shares && !person.is_nobody() {
                assert!(likeness >= Likeness::Perhaps, "{one} | {other}");
            }
        }
        assert!(likenesses.iter().all(|&found| found > 3), "{likenesses:?}");
    }

    #[test]
    fn long_names_cost_no_more_than_their_length() {
        for unit in ["a", "ü", "a ", "a,", "\u{fdfa}", "Jr ", "GM ", "\u{308}", ". "] {
            let long = unit.repeat(1 << 18);
            let (one, sought) = (Person::read(&long), SoughtPlayer::read(&long));
            assert_eq!(one.compare(&Person::read(&long)), Likeness::Same);
            assert_eq!(one.compare(&Person::read("a")), Likeness::Different);
            assert!(sought.finds(&long) && !sought.finds("Carlsen, Magnus"));
            assert!(!SoughtPlayer::read("Carlsen, Magnus").finds(&long));
        }
        // Many words that all fit each other.
        let many = "a b c d e f g h i j k l m n o p";
        assert_eq!(compare(many, many), Likeness::Same);
        assert_eq!(Person::read(&format!("{many} q")).words.len(), 1);
    }
}
