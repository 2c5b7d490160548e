//! PGN, portable game notation: S. J. Edwards' standard of 1994, and what the wild adds to it.
//!
//! Nothing here fails: every byte string splits into records, and every record reads as tags,
//! moves and a rest that was not understood.

mod body;
pub mod layout;
pub mod parse;
pub mod reviews;
pub mod split;
pub mod values;

pub use layout::{Layout, Rendering, Spelling};
pub use parse::{Item, Kind, Record, parse, parse_tags};
pub use reviews::ReviewStyle;
pub use split::Splitter;
pub use values::{Evaluation, ValueStyle, Values};

/// The markers that end a game.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
