//! What the registries of all games have in common.

/// Defines a game's row and `ROWS`, from the lists of codecs beside it: `LINES` and `POSITIONS`,
/// which links need, and those of `rest`. The tiers are listed in place, the best first.
macro_rules! rows {
    ($game:ident, $tiers:expr) => {
        /// The rows of the game.
        pub static ROWS: crate::Rows = crate::Rows {
            game: &GAME,
            lines: &[
                LINES,
                #[cfg(feature = "full")]
                rest::LINES,
            ],
            tiers: $tiers,
            text: TEXT,
            positions: &[
                POSITIONS,
                #[cfg(feature = "full")]
                rest::POSITIONS,
            ],
        };

        static GAME: GameRow<super::$game> = GameRow(super::$game);

        /// The positions of the game as texts.
        pub static TEXT: &dyn ErasedPositionCodec =
            &PositionRow { game: &GAME, codec: position::Text, claims: &[] };
    };
}

pub(crate) use rows;
