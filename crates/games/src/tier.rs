//! Tiers: names by which users choose a model without knowing its codec.

use plypack_core::ErasedLineCodec;

/// A tier of a game: a row of `Rows::tiers`.
#[derive(Clone, Copy, Debug)]
pub struct Tier {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// What it is good for, in a few words.
    pub about: &'static str,
    /// The codec.
    pub codec: &'static dyn ErasedLineCodec,
}

/// The tier that stores lines by default.
pub(crate) const DEFAULT: &str = "default";

impl Tier {
    /// The tier `default`.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "its tables are not here"))]
    pub(crate) const fn default(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { name: DEFAULT, about: "smaller files", codec }
    }

    /// The tier `small`.
    pub(crate) const fn small(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { name: "small", about: "faster, and needs less memory", codec }
    }

    /// The tier `fast`.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "its table is not here"))]
    pub(crate) const fn fast(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { name: "fast", about: "larger files, several times faster to decode", codec }
    }

    /// The tier `max`.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "its table is not here"))]
    pub(crate) const fn max(codec: &'static dyn ErasedLineCodec) -> Self {
        Self { name: "max", about: "the smallest files, far slower to pack and to read", codec }
    }
}
