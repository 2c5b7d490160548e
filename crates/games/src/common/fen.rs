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
