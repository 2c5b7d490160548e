//! What the rules of a game tell of a ply to those who guess how long it took and what an engine
//! says of it.

/// How many marks a ply has.
pub const MARKS: usize = 32;

/// What a game tells of a ply. Whatever it is, series come back; the likelier it makes them, the
/// fewer bits they take. It decides coded bits, so it is part of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// Numbers in 256ths, about 1 in size, whose meaning is the game's; all 0 if it has none. The
    /// first [`REMEMBERED`](Self::REMEMBERED) are shown again with the two plies that follow.
    pub marks: [i16; MARKS],
    /// What the men on the board are worth before and after the ply, in hundredths of a pawn, from
    /// the side of who moved.
    pub worth: [i32; 2],
    /// What engines said of the position after the ply in other games.
    pub known: Option<Known>,
}

/// An evaluation of a position that is known from other games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// In hundredths of a pawn, from the first player's side.
    pub value: i32,
    /// In how many games it was this; at least 1.
    pub games: u8,
}

impl Hint {
    /// How many marks are shown again with later plies.
    pub const REMEMBERED: usize = 4;
}

/// How large a number is, in 256ths: a quarter of log2(1 + |number| / grain), with the number's
/// sign. A grain is a power of two.
#[must_use]
pub fn size(number: i64, grain: u64) -> i64 {
    let size = binary_logarithm(grain.saturating_add(number.unsigned_abs()));
    let size = i64::from((size - binary_logarithm(grain)) / 4);
    if number < 0 { -size } else { size }
}

/// The binary logarithm of a number in 256ths: whole where it is a power of two, and between two of
/// those on the line that joins them. That of 0 is that of 1.
pub(crate) fn binary_logarithm(number: u64) -> i32 {
    let number = number.max(1);
    let whole = number.ilog2();
    let mantissa = if whole >= 8 { number >> (whole - 8) } else { number << (8 - whole) };
    i32::try_from(u64::from(whole) * 256 + (mantissa - 256)).unwrap_or(0)
}
