//! What codecs of lines and of positions have in common.

/// The facts about a codec of this type, and its text: game, name and number.
macro_rules! codec {
    ($codec:ident, $find:ident, $(#[$parse:meta])*) => {
        impl $codec {
            /// Returns the rules of its game.
            #[must_use]
            pub fn rules(self) -> Rules {
                Rules(self.0.game())
            }

            /// Returns its name, such as `line.ranked` or `chess.rank`.
            #[must_use]
            pub fn name(self) -> &'static str {
                self.0.info().name
            }

            /// Returns its number, which is never reused.
            #[must_use]
            pub fn id(self) -> u16 {
                self.0.info().id
            }

            /// Returns one sentence on how it works.
            #[must_use]
            pub fn summary(self) -> &'static str {
                self.0.info().summary
            }
        }

        /// Writes game, name and number.
        impl std::fmt::Display for $codec {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}/{}/{}", self.rules(), self.name(), self.id())
            }
        }

        impl std::fmt::Debug for $codec {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($codec))
            }
        }

        $(#[$parse])*
        impl std::str::FromStr for $codec {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                let (game, name) = text.split_once('/').unwrap_or((text, ""));
                game.parse::<Rules>()?.$find(name)
            }
        }

        impl PartialEq for $codec {
            fn eq(&self, other: &Self) -> bool {
                self.rules() == other.rules() && self.id() == other.id()
            }
        }

        impl Eq for $codec {}

        impl std::hash::Hash for $codec {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (self.rules(), self.id()).hash(state);
            }
        }
    };
}

pub(crate) use codec;
