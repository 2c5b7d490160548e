//! The worked examples of `docs/FORMAT.md`: fenced blocks whose info string names an owner, the
//! crate or feature that tests them, and the example, as in `text games/line.uniform`.

use std::path::PathBuf;

/// The name of an example, and the function that makes its lines.
pub type Example = (&'static str, fn() -> String);

/// The beginning of an example's fence.
const FENCE: &str = "```text ";

/// The end of an example.
const END: &str = "```";

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../docs/FORMAT.md"].iter().collect()
}

fn document() -> String {
    let text = std::fs::read_to_string(path());
    text.unwrap_or_else(|error| panic!("{}: {error}", path().display()))
}

/// Compares the examples of an owner in the document with those that its tests make.
///
/// # Panics
/// Panics if one differs or is missing, or if no test makes it.
pub fn check(owner: &str, examples: &[Example]) {
    let text = document();
    let again = with(&text, owner, examples);
    for (now, ours) in text.lines().zip(again.lines()) {
        assert_eq!(now, ours, "an example of {owner} in docs/FORMAT.md differs");
    }
    assert!(text == again, "an example of {owner} in docs/FORMAT.md has another length");
}

/// Writes the examples of an owner into the document.
///
/// # Panics
/// Panics if one is missing, if no test makes it, or if the document cannot be written.
pub fn write(owner: &str, examples: &[Example]) {
    let written = std::fs::write(path(), with(&document(), owner, examples));
    assert!(written.is_ok(), "{}: {written:?}", path().display());
}

/// Returns the document with these examples.
fn with(text: &str, owner: &str, examples: &[Example]) -> String {
    let mut again = String::new();
    let mut lines = text.lines();
    let mut seen = Vec::new();
    while let Some(line) = lines.next() {
        again.push_str(line);
        again.push('\n');
        let Some(name) = line.strip_prefix(FENCE) else { continue };
        let Some(name) = name.strip_prefix(owner).and_then(|name| name.strip_prefix('/')) else {
            continue;
        };
        let example = examples.iter().find(|example| example.0 == name);
        let example = example.unwrap_or_else(|| panic!("no test makes the example {owner}/{name}"));
        again.push_str(&example.1());
        again.push_str(END);
        again.push('\n');
        assert!(lines.any(|line| line == END), "the example {owner}/{name} does not end");
        seen.push(name);
    }
    for (name, _) in examples {
        let times = seen.iter().filter(|seen| seen == &name).count();
        assert_eq!(times, 1, "docs/FORMAT.md has the example {owner}/{name} {times} times");
    }
    again
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n```text x/one\nold\n```\nb\n```text y/two\nold\n```\n";

    #[test]
    fn the_examples_of_one_owner_are_replaced() {
        let again = with(TEXT, "x", &[("one", || "new\nlines\n".to_owned())]);
        assert_eq!(again, TEXT.replacen("old\n", "new\nlines\n", 1));
    }

    #[test]
    #[should_panic(expected = "no test makes")]
    fn what_nobody_makes_is_found() {
        with(TEXT, "x", &[]);
    }

    #[test]
    #[should_panic(expected = "0 times")]
    fn what_is_not_there_is_found() {
        with(TEXT, "y", &[("two", String::new), ("three", String::new)]);
    }

    #[test]
    fn every_example_has_an_owner() {
        let document = document();
        let names = document.lines().filter_map(|line| line.strip_prefix(FENCE));
        for name in names {
            let owner = name.split('/').next().unwrap_or_default();
            assert!(
                ["core", "fields", "games", "store", "ternary"].contains(&owner),
                "nobody checks {name}"
            );
        }
    }
}
