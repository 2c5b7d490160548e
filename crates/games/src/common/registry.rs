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

        static GAME: plypack_core::GameRow<super::$game> = plypack_core::GameRow(super::$game);

        /// The positions of the game as texts.
        pub static TEXT: &dyn ErasedPositionCodec = position!(plypack_core::position::Text);
    };
}

/// A row of the game's line codecs, with the claims about it, if any.
macro_rules! line {
    ($codec:expr $(,)?) => {
        line!($codec, &[])
    };
    ($codec:expr, $claims:expr $(,)?) => {
        &plypack_core::LineRow { game: &GAME, codec: $codec, claims: $claims }
    };
}

/// A row of the game's position codecs, with the claims about it, if any.
macro_rules! position {
    ($codec:expr $(,)?) => {
        position!($codec, &[])
    };
    ($codec:expr, $claims:expr $(,)?) => {
        &plypack_core::PositionRow { game: &GAME, codec: $codec, claims: $claims }
    };
}

pub(crate) use {line, position, rows};
