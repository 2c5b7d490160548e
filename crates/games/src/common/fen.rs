//! What the FENs of chess and xiangqi have in common.

use plypack_core::Error;

/// Reads the last fields of a FEN: the halfmove clock, 0 if it is left out, and the move number, 1.
pub fn counters<'a>(
    mut fields: impl Iterator<Item = &'a str>,
    error: impl Fn(&str) -> Error,
) -> Result<[u32; 2], Error> {
    let mut counter = |name: &str, default: u32| match fields.next() {
        None => Ok(default),
        Some(field) if field.bytes().all(|byte| byte.is_ascii_digit()) => {
            field.parse().map_err(|_| error(&format!("the {name} is too large")))
        }
        Some(_) => Err(error(&format!("the {name} is not a number"))),
    };
    let counters = [counter("halfmove clock", 0)?, counter("move number", 1)?];
    match fields.next() {
        None => Ok(counters),
        Some(_) => Err(error("it has more than six fields")),
    }
}

/// Appends the rows of a board, the top one first: men as their letters, and runs of empty squares
/// as numbers. `man` returns the letter of the man on a rank and a file.
pub fn write_rows(ranks: u8, files: u8, out: &mut String, man: impl Fn(u8, u8) -> Option<char>) {
    for rank in (0..ranks).rev() {
        let mut empty = 0u8;
        for file in 0..files {
            let man = man(rank, file);
            if man.is_none() {
                empty += 1;
            }
            if empty > 0 && (man.is_some() || file == files - 1) {
                out.push(char::from(b'0' + empty));
                empty = 0;
            }
            out.extend(man);
        }
        if rank > 0 {
            out.push('/');
        }
    }
}

/// Returns a letter as a capital, for the first player, or not.
pub fn cased(letter: char, capital: bool) -> char {
    if capital { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}
