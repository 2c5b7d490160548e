//! The last moves of a line, as the models of chess and xiangqi remember them.

/// A move of the line so far.
#[derive(Clone, Copy, Debug)]
pub struct Past {
    /// Its squares, as the first player sees them; castling goes to the king's new square.
    pub from: u8,
    /// See `from`.
    pub to: u8,
    /// The kind of the man that moved, in the order of the game's kinds.
    pub role: u8,
    /// Whether it captured.
    pub captured: bool,
}

/// The last four moves: the opponent's last one, then our own, and so on.
pub type Pasts = [Option<Past>; 4];

impl Past {
    /// Returns the kind of man, and whether it captured, as one number.
    #[inline(always)]
    pub fn man(self) -> usize {
        usize::from(self.role) * 2 + usize::from(self.captured)
    }

    /// Returns the move with its squares as the side to move sees them.
    #[inline(always)]
    pub fn seen(self, square: impl Fn(u8) -> u8) -> Self {
        Self { from: square(self.from), to: square(self.to), ..self }
    }
}

/// Whether the opponent's last move undid the one before.
#[inline(always)]
pub fn undone(pasts: &Pasts) -> bool {
    pasts[0]
        .zip(pasts[2])
        .is_some_and(|(last, before)| before.to == last.from && before.from == last.to)
}
