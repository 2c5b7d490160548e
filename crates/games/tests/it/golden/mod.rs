//! Code shared by tests that read the files of `vectors/`. Every game of the registry must have one
//! file of each kind, so a game that lacks one fails.

#![allow(
    dead_code,
    clippy::expect_used,
    clippy::panic,
    reason = "not every test uses all of this; clippy spares only functions marked #[test]"
)]

use std::path::PathBuf;

/// Returns the path of a file of `vectors/`.
pub fn path_of(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../vectors", name].iter().collect()
}

/// Returns the contents of a file of `vectors/`.
pub fn contents_of(name: &str) -> String {
    let text = std::fs::read_to_string(path_of(name));
    text.unwrap_or_else(|error| panic!("vectors/{name}: {error}"))
}

/// Returns the lines of a file, except empty ones and comments, which begin with `#`.
pub fn rows(name: &str) -> Vec<String> {
    let text = contents_of(name);
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(str::to_owned).collect()
}

/// Returns the files of a kind for a game, such as `line/chess-v1.txt` and what came after it: a
/// file that was released does not change, so what is new stands in the next one.
pub fn versions(stem: &str) -> Vec<String> {
    let names = (1..).map(|number| format!("{stem}-v{number}.txt"));
    let files: Vec<String> = names.take_while(|name| path_of(name).exists()).collect();
    assert!(!files.is_empty(), "vectors/{stem}-v1.txt is missing");
    files
}

/// Returns the rows of these files.
pub fn rows_of(files: &[String]) -> Vec<String> {
    files.iter().flat_map(|file| rows(file)).collect()
}

/// Returns the fields of a row, separated by tabs.
pub fn fields<const COUNT: usize>(row: &str) -> [&str; COUNT] {
    let fields: Vec<&str> = row.split('\t').collect();
    let count = fields.len();
    fields.try_into().unwrap_or_else(|_| panic!("{count} fields, not {COUNT}: {row}"))
}

/// Writes a file of `vectors/`.
pub fn write(name: &str, text: &str) {
    std::fs::write(path_of(name), text).unwrap_or_else(|error| panic!("vectors/{name}: {error}"));
}

/// Rewrites a file of `vectors/`: comments and empty lines stay, `row` returns the new text of each
/// other line.
pub fn rewrite(name: &str, mut row: impl FnMut(&str) -> String) {
    let mut text = String::new();
    for line in contents_of(name).lines() {
        if line.is_empty() || line.starts_with('#') {
            text.push_str(line);
        } else {
            text.push_str(&row(line));
        }
        text.push('\n');
    }
    write(name, &text);
}

/// Returns a text of a row, where `-` stands for none.
pub fn some(text: &str) -> Option<&str> {
    Some(text).filter(|&text| text != "-")
}

/// Returns the bytes of an even number of hexadecimal digits.
pub fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
    (0..hex.len()).step_by(2).map(digits).collect()
}

/// Formats bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the starts from which a game is tested: the usual one, and those in `vectors/starts`.
pub fn starts(game: &str) -> Vec<Option<String>> {
    let set_up = rows(&format!("starts/{game}.txt"));
    std::iter::once(None).chain(set_up.into_iter().map(Some)).collect()
}
