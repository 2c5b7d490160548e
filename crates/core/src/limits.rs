//! Limits that bound time and memory for any input, however hostile.

use crate::error::Error;

/// The longest line that can be coded, in plies. The longest chess game under the 75-move rule has
/// fewer than 12,000; a go game in which every point is retaken may have more.
pub const PLIES_MAX: u32 = 65_536;

/// The longest accepted text of a position, in bytes.
pub const POSITION_TEXT_MAX: u32 = 1_024;

/// The longest share link, in characters after the `#`.
pub const LINK_CHARACTERS_MAX: u32 = 131_072;

/// Checks the length of a line.
///
/// # Errors
/// Returns [`Error::TooLong`] if it is above [`PLIES_MAX`].
pub fn check_plies(plies: u32) -> Result<(), Error> {
    if plies > PLIES_MAX { Err(Error::TooLong { plies, max: PLIES_MAX }) } else { Ok(()) }
}
