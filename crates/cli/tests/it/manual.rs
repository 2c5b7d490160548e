//! `plypack completions` and `plypack man`: both know every verb and option that `--help` lists. So
//! does `docs/verbs.md`, for verbs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Sandbox;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The words that begin a line of a help text's list, such as `pack` or `--codec`.
fn listed(help: &str, heading: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    let list = lines.take_while(|line| line.is_empty() || line.starts_with(' '));
    // Descriptions stand further to the right.
    let entries = list.filter(|line| line.trim_start().len() + 6 >= line.len());
    let words = entries.flat_map(|line| {
        let names = line.split("  ").find(|part| !part.is_empty()).unwrap_or_default();
        names.split([' ', ',']).map(str::to_owned).collect::<Vec<_>>()
    });
    words.filter(|word| word.starts_with(|c: char| c == '-' || c.is_ascii_lowercase())).collect()
}

/// Every verb with the words that lead to it, and its options.
fn verbs(sandbox: &Sandbox) -> Vec<(Vec<String>, Vec<String>)> {
    let mut found = Vec::new();
    let mut left = vec![Vec::new()];
    while let Some(path) = left.pop() {
        let arguments = path.iter().map(String::as_str).chain(["-h"]);
        let help = sandbox.run(arguments).expect(0);
        for verb in listed(help.text(), "Commands:") {
            if verb != "help" {
                left.push([path.as_slice(), &[verb]].concat());
            }
        }
        found.push((path, listed(help.text(), "Options:")));
    }
    found
}

#[test]
fn help_lists_what_is_looked_for() {
    let verbs = verbs(&Sandbox::new());
    let of = |path: &[&str]| verbs.iter().find(|verb| verb.0 == path).map(|verb| &verb.1);
    assert!(verbs.len() > 20, "{verbs:?}");
    let pack = of(&["pack"]).expect("a verb");
    assert!(["-o", "--output", "--codec", "--strict"].iter().all(|o| pack.iter().any(|w| w == o)));
    assert!(of(&["line", "encode"]).is_some() && of(&["board", "random"]).is_some());
}

#[test]
fn the_page_of_verbs_shows_every_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Those of a cluster have a document of their own.
    let texts =
        ["docs/verbs.md", "docs/cluster.md"].map(|file| std::fs::read_to_string(root.join(file)));
    let text = texts.map(|text| text.expect("a document")).concat();
    for (path, _) in verbs(&Sandbox::new()).iter().filter(|verb| verb.0.len() == 1) {
        let verb = format!("plypack {}", path[0]);
        assert!(text.contains(&verb), "docs/verbs.md does not show `{verb}`");
    }
}

#[test]
fn every_shell_completes_every_verb_and_option() {
    let sandbox = Sandbox::new();
    let verbs = verbs(&sandbox);
    for shell in SHELLS {
        let script = sandbox.run(["completions", shell]).expect(0);
        for (path, options) in &verbs {
            for word in path.iter().chain(options) {
                // Fish has options without their dashes.
                let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
                assert!(script.text().contains(word), "{shell}: {path:?} {word}");
            }
        }
    }
    sandbox.run(["completions", "tcsh"]).refuses(2, &["tcsh", "bash", "fish"]);
}

#[test]
fn the_manual_page_has_every_verb_and_option() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(["man"]).expect(0);
    let page = page.text();
    assert!(page.contains(".TH plypack 1"), "{page}");
    for (path, options) in verbs(&sandbox).iter().filter(|verb| !verb.0.is_empty()) {
        let heading = format!("\n.SS plypack {}\n", path.join(" "));
        let part = page.split_once(&heading).expect("a part of its own").1;
        let part = part.split("\n.SS ").next().unwrap_or_default().replace("\\-", "-");
        for option in options {
            assert!(part.contains(&format!("\\fB{option}\\fR")), "{path:?} {option}: {part}");
        }
    }
}

#[test]
fn what_verbs_do_is_told_at_length() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(["man"]).expect(0);
    for (verb, words) in [("pack", "WTHOR"), ("bench", "Rates are"), ("completions", "~/.zfunc")] {
        let help = sandbox.run([verb, "--help"]).expect(0);
        assert!(help.text().contains(words) && page.text().contains(words), "{verb}: {words}");
        assert!(!sandbox.run([verb, "-h"]).expect(0).text().contains(words), "{verb} is brief");
    }
}

#[test]
fn the_manual_page_is_sound() {
    let page = Sandbox::new().run(["man"]).expect(0);
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Tutf8", "-ww", "-z"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = groff.spawn() else {
        return plypack_testing::skip("groff is missing");
    };
    child.stdin.take().expect("a pipe").write_all(&page.out).expect("groff reads all");
    let output = child.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}
