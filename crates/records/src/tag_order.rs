//! The order of tags, shared by many records.
//!
//! A record's tag names are a subsequence of a template: a list of names that grows only by
//! insertion, when records have further tags. A record therefore still follows its template after
//! the template has grown, and a group of records needs few templates.

use std::collections::BTreeMap;

/// The most names of a template, and the most templates tried per record. Both bound the work for
/// records whose tags are junk.
const NAMES_MAX: usize = 256;
const TEMPLATES_TRIED: usize = 64;

/// The templates of a group of records.
#[derive(Debug, Default)]
pub struct Templates {
    templates: Vec<Template>,
}

#[derive(Debug, Default)]
struct Template {
    names: Vec<String>,
    place: BTreeMap<String, usize>,
}

impl Templates {
    /// Returns the number of the template, perhaps a new one, that these distinct names follow.
    pub fn assign(&mut self, names: &[&str]) -> usize {
        let mut tried = self.templates.iter_mut().take(TEMPLATES_TRIED);
        if let Some(number) = tried.position(|template| template.accept(names)) {
            return number;
        }
        let mut template = Template::default();
        template.accept(names);
        self.templates.push(template);
        self.templates.len() - 1
    }

    /// A template as text: its names, separated by spaces.
    pub fn text(&self, number: usize) -> String {
        self.templates.get(number).map(|template| template.names.join(" ")).unwrap_or_default()
    }
}

impl Template {
    /// Returns whether the names follow this template. If so, inserts the names that it lacks, each
    /// after the name that precedes it.
    fn accept(&mut self, names: &[&str]) -> bool {
        let known: Vec<Option<usize>> =
            names.iter().map(|&name| self.place.get(name).copied()).collect();
        if !known.iter().flatten().is_sorted() {
            return false;
        }
        if known.iter().all(Option::is_some) {
            return true;
        }
        let unknown = known.iter().filter(|place| place.is_none()).count();
        if !self.names.is_empty() && self.names.len() + unknown > NAMES_MAX {
            return false;
        }
        let mut next = 0;
        for &name in names {
            match self.names[next..].iter().position(|known| known == name) {
                Some(offset) => next += offset + 1,
                None => {
                    self.names.insert(next, name.to_owned());
                    next += 1;
                }
            }
        }
        self.place = self.names.iter().cloned().zip(0..).collect();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_grow_without_reordering() {
        let mut templates = Templates::default();
        assert_eq!(templates.assign(&["Event", "White", "Result"]), 0);
        assert_eq!(templates.assign(&["Event", "Black", "Result"]), 0);
        assert_eq!(templates.assign(&["White", "WhiteElo"]), 0);
        assert_eq!(templates.assign(&["Result", "White"]), 1);
        assert_eq!(templates.assign(&[]), 0);
        assert_eq!(templates.text(0), "Event Black White WhiteElo Result");
        for names in [vec!["Event", "White", "Result"], vec!["Black", "Result"]] {
            assert_eq!(templates.assign(&names), 0);
        }
        assert_eq!(templates.text(1), "Result White");
    }

    #[test]
    fn templates_stay_small_but_for_one_record() {
        let names = |letter| (0..10_000).map(|n| format!("{letter}{n}")).collect::<Vec<_>>();
        let mut templates = Templates::default();
        for (letter, expected) in ["A", "B", "A", "C"].into_iter().zip([0, 1, 0, 2]) {
            let names = names(letter);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let number = templates.assign(&names);
            assert_eq!((number, templates.text(number)), (expected, names.join(" ")));
        }
        assert_eq!(templates.assign(&["Event"]), 3);
    }
}
