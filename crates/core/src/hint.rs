//! A game's knowledge about a ply that helps to predict its clock reading and its evaluation.

/// Number of marks of a ply.
pub const MARKS: usize = 32;

/// A game's hint about a ply. Series decode correctly with any hints; good ones make them cheap.
/// Hints decide coded bits, so they are part of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    /// Inputs of a net, in 256ths, of magnitude about 1; the game defines their meaning. All 0 if
    /// it has none. The first [`REMEMBERED`](Self::REMEMBERED) are also inputs of the next two
    /// plies.
    pub marks: [i16; MARKS],
    /// The material balance before and after the ply, in hundredths of a pawn, from the point of
    /// view of the player who moved.
    pub worth: [i32; 2],
    /// The engine evaluation of the position after the ply, known from other games.
    pub known: Option<Known>,
    /// The game's cached results about the position after the ply, which save work in the next
    /// hint. No coded bit depends on it.
    pub kept: [i8; 4],
}

/// An evaluation known from other games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// In hundredths of a pawn, from the first player's point of view.
    pub value: i32,
    /// Number of games with this evaluation, at least 1.
    pub games: u8,
}

impl Hint {
    /// Number of marks that are also inputs of later plies.
    pub const REMEMBERED: usize = 4;
}

/// Returns the size of a number, in 256ths: a quarter of log2(1 + |number| / grain), with the
/// number's sign. `grain` is a power of two.
pub fn size(number: i64, grain: u64) -> i64 {
    let size = binary_logarithm(grain.saturating_add(number.unsigned_abs()));
    let size = i64::from((size - binary_logarithm(grain)) / 4);
    if number < 0 { -size } else { size }
}

/// Returns the binary logarithm of a number, in 256ths: exact for powers of two, interpolated
/// linearly between them; for 0 the same as for 1.
pub(crate) fn binary_logarithm(number: u64) -> i32 {
    let number = number.max(1);
    let whole = number.ilog2();
    let mantissa = if whole >= 8 { number >> (whole - 8) } else { number << (8 - whole) };
    i32::try_from(u64::from(whole) * 256 + (mantissa - 256)).unwrap_or(0)
}
