//! A line as one byte string: the number of plies, then the codec's code.
//!
//! A file has a separate column for the number of plies; elsewhere (a key-value store, the command
//! line) a cell begins with it.

use crate::bits::varint;

use crate::error::Error;

/// Joins the number of plies and a line's code into one cell.
pub fn join(plies: u32, code: &[u8]) -> Vec<u8> {
    let mut cell = Vec::with_capacity(code.len() + 2);
    varint::write_u32(plies, &mut cell);
    cell.extend_from_slice(code);
    cell
}

/// Splits a cell into the number of plies and the code.
///
/// # Errors
/// Returns [`Error::Cell`] if the cell does not begin with a number.
pub fn split(cell: &[u8]) -> Result<(u32, &[u8]), Error> {
    let (plies, length) = varint::read_u32(cell)
        .ok_or(Error::Cell { at: 0, why: "the cell does not begin with its number of plies" })?;
    Ok((plies, &cell[length..]))
}
