//! How a record says that its game ended: by the colour that won, as in the Result tag of PGN.

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// White won; in xiangqi Red, who moves first.
    White,
    /// A draw.
    Draw,
    /// Black won.
    Black,
}

impl Outcome {
    /// The outcome as PGN writes it.
    pub fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Draw => "1/2-1/2",
            Self::Black => "0-1",
        }
    }

    /// The outcome that a Result tag means, in any spelling in common use; `None` if it means none,
    /// like `*`.
    pub fn read(text: &str) -> Option<Self> {
        Some(match text.trim() {
            "1-0" | "1:0" | "W" | "红胜" | "紅勝" | "红先胜" | "紅先勝" => Self::White,
            "0-1" | "0:1" | "L" | "黑胜" | "黑勝" | "红先负" | "紅先負" => Self::Black,
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "D" | "和" | "和棋" | "和局" | "红先和"
            | "紅先和" | "0" | "Draw" | "Jigo" => Self::Draw,
            // As in SGF: by how much, or how.
            other => match other.as_bytes() {
                [b'W', b'+', ..] => Self::White,
                [b'B', b'+', ..] => Self::Black,
                _ => return None,
            },
        })
    }

    /// Returns the number of an outcome in files and indices; 0 for none.
    pub fn number(outcome: Option<Self>) -> u8 {
        match outcome {
            None => 0,
            Some(Self::White) => 1,
            Some(Self::Draw) => 2,
            Some(Self::Black) => 3,
        }
    }

    /// Returns the outcome of a number; `None` for any that is not 1, 2 or 3.
    pub fn of_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::White),
            2 => Some(Self::Draw),
            3 => Some(Self::Black),
            _ => None,
        }
    }
}
