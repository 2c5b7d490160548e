//! Rust source with tables of numbers in it.

use std::fmt::Write;

/// Writes numbers in lines of at most 100 columns.
pub fn lines<N: ToString>(text: &mut String, numbers: impl Iterator<Item = N>, indent: &str) {
    let mut line = String::new();
    for number in numbers {
        let number = number.to_string();
        if indent.len() + line.len() + number.len() + 2 > 100 {
            let _ = writeln!(text, "{indent}{}", line.trim_end());
            line.clear();
        }
        line.push_str(&number);
        line.push_str(", ");
    }
    if !line.is_empty() {
        let _ = writeln!(text, "{indent}{}", line.trim_end());
    }
}
