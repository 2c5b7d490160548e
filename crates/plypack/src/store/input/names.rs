//! Names of inputs in a packed file, and where `unpack -o DIR/` restores them.
//!
//! An input is named after its file. Inputs that would be restored to the same place keep as many
//! parent folders as it takes to tell them apart: `a/games.pgn` and `b/games.pgn`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use plypack_records::Content;

use super::compressed::content_name;
use super::file_name::{name_of, text_of};
use super::opening::{STANDARD, is_standard};
use crate::store::error::Error;

/// File names for restoring standard input: of games, and of positions.
const STANDARD_RESTORED: [&str; 2] = ["stdin.pgn", "stdin.epd"];

/// Returns names for inputs, in their order.
pub(super) fn of_inputs(inputs: &[PathBuf]) -> Result<Vec<String>, Error> {
    let mut depths = vec![1; inputs.len()];
    loop {
        let names: Vec<String> =
            inputs.iter().zip(&depths).map(|(input, &depth)| name(input, depth)).collect();
        let clashes = clashes(&names.iter().map(|name| place(name)).collect::<Vec<_>>());
        if clashes.is_empty() {
            return Ok(names);
        }
        let longer = |&index: &usize| name(&inputs[index], depths[index] + 1) != names[index];
        if let Some(clash) = clashes.iter().find(|clash| !clash.iter().any(longer)) {
            let ends = [clash.first(), clash.last()];
            let [first, second] =
                ends.map(|end| end.map(|&index| inputs[index].clone()).unwrap_or_default());
            let why = format!(
                "cannot be told apart from {} when both are unpacked into a folder; rename one of \
                 them, or pack them separately",
                second.display()
            );
            return Err(Error::Format { path: first, why });
        }
        let growing: BTreeSet<usize> = clashes.into_iter().flatten().filter(longer).collect();
        for index in growing {
            depths[index] += 1;
        }
    }
}

/// Returns the last `depth` parts of a path, or fewer where a `..` or the root ends them.
fn name(path: &Path, depth: usize) -> String {
    if is_standard(path) {
        return STANDARD.to_owned();
    }
    let parts = path.components().rev().map_while(|part| match part {
        Component::Normal(part) => Some(text_of(part)),
        _ => None,
    });
    let mut parts: Vec<_> = parts.take(depth).collect();
    parts.reverse();
    parts.join("/")
}

/// Returns where an input is restored, below the folder: its name without a compression's
/// extension.
fn place(name: &str) -> PathBuf {
    if name == STANDARD { STANDARD_RESTORED[0].into() } else { content_name(Path::new(name)) }
}

/// Like `place`, for a name from a packed file, which may be anything. An error says why the input
/// cannot be restored.
pub fn safe_place(name: &str, kind: Content) -> Result<PathBuf, String> {
    if name.is_empty() {
        return Err("its records do not say which inputs they came from".into());
    }
    let place = match (name, kind) {
        (STANDARD, Content::Positions) => STANDARD_RESTORED[1].into(),
        _ => place(name),
    };
    let inside = place.components().all(|part| matches!(part, Component::Normal(_)));
    if !inside || place.as_os_str().is_empty() {
        return Err(format!("its input `{name}` would be written outside the folder"));
    }
    Ok(place.components().map(|part| name_of(&part.as_os_str().to_string_lossy())).collect())
}

/// Returns the name for restoring the only input beside its packed file: its own, without folders.
/// `None` if there are several inputs, or the name is unusable.
pub fn of_only_input(names: &[String], kind: Content) -> Option<OsString> {
    let [name] = names else { return None };
    let place = safe_place(name, kind).ok().filter(|_| name != STANDARD)?;
    place.file_name().map(OsString::from)
}

/// The places taken by inputs so far.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeSet<PathBuf>);

impl Places {
    /// Takes the place of the input with this name.
    ///
    /// # Errors
    /// Returns an error if another input has it, or one would lie within the other.
    pub(super) fn take(&mut self, name: &str) -> Result<(), Error> {
        let place = place(name);
        // Paths within `place` sort directly after it.
        let next = self.0.range(place.clone()..).next();
        let within = next.is_some_and(|other| other.starts_with(&place));
        if within || place.ancestors().any(|folder| self.0.contains(folder)) {
            let why = "another file would be unpacked to the same place; rename one of them \
                       (unpack an archive first, and pack the folder)";
            return Err(Error::io(name)(std::io::Error::other(why)));
        }
        self.0.insert(place);
        Ok(())
    }
}

/// Returns the sets of inputs that clash: their places are the same, or one lies within another.
fn clashes(places: &[PathBuf]) -> Vec<BTreeSet<usize>> {
    let mut at: BTreeMap<&Path, BTreeSet<usize>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        at.entry(place).or_default().insert(index);
    }
    let clash = |place: &&Path| -> BTreeSet<usize> {
        place.ancestors().filter_map(|folder| at.get(folder)).flatten().copied().collect()
    };
    at.keys().map(clash).filter(|clash| clash.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(inputs: &[&str]) -> Option<Vec<String>> {
        of_inputs(&inputs.iter().map(PathBuf::from).collect::<Vec<_>>()).ok()
    }

    #[test]
    fn names_are_as_long_as_needed() {
        for (inputs, names) in [
            (&["x/a.pgn", "/y/b.pgn.zst", "-"][..], &["a.pgn", "b.pgn.zst", "-"][..]),
            (&["x/a.pgn", "y/a.pgn", "y/b.pgn"], &["x/a.pgn", "y/a.pgn", "b.pgn"]),
            (&["a.pgn", "x/a.pgn"], &["a.pgn", "x/a.pgn"]),
            (&["../x/a.pgn", "/y/a.pgn.zst"], &["x/a.pgn", "y/a.pgn.zst"]),
            (&["1/x/a.pgn", "2/x/a.pgn"], &["1/x/a.pgn", "2/x/a.pgn"]),
            (&["a/b", "c/b", "x/a"], &["a/b", "c/b", "x/a"]),
            (&["-", "x/stdin.pgn"], &["-", "x/stdin.pgn"]),
        ] {
            assert_eq!(named(inputs).expect("names"), names, "{inputs:?}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_refused() {
        for inputs in [["a.pgn", "a.pgn"], ["-", "-"], ["a.pgn", "a.pgn.zst"], ["a", "../a"]] {
            assert!(named(&inputs).is_none(), "{inputs:?}");
        }
    }

    #[test]
    fn a_place_is_taken_once() {
        let mut places = Places::default();
        for name in ["a/b.sgf", "a/B.sgf", "a/b", "c.pgn.gz", "-", "ab"] {
            places.take(name).expect(name);
        }
        for name in ["a/b.sgf", "a", "a/b/c", "c.pgn", "c.pgn.zst", "stdin.pgn", "a/b.sgf/d"] {
            let error = places.take(name).expect_err(name).to_string();
            assert!(error.starts_with(name) && error.contains("the same place"), "{error}");
        }
    }

    #[test]
    fn only_an_input_with_a_name_keeps_it() {
        let kept = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            of_only_input(&names, Content::Games)
        };
        for (name, expected) in
            [("a.wtb", "a.wtb"), ("a.pgn.zst", "a.pgn"), ("x/y/a.pgn", "a.pgn"), (".a", ".a")]
        {
            assert_eq!(kept(&[name]).as_deref(), Some(expected.as_ref()), "{name}");
        }
        for name in ["", "-", "/", "/etc/passwd", "..", "../a", "x/..", "x/../a", "."] {
            assert_eq!(kept(&[name]), None, "{name}");
        }
        assert_eq!((kept(&[]), kept(&["a", "b"])), (None, None));
    }

    #[test]
    fn a_place_is_inside() {
        for (name, place) in
            [("a.pgn.gz", "a.pgn"), ("x//./a.pgn", "x/a.pgn"), ("-", "stdin.pgn"), ("..a", "..a")]
        {
            assert_eq!(safe_place(name, Content::Games).expect("a place"), Path::new(place));
        }
        for name in ["", "..", "../a", "a/../../b", "/a", ".", "./a", "a/..", "/"] {
            assert!(safe_place(name, Content::Games).is_err(), "{name}");
        }
    }
}
