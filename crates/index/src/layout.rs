//! Where positions are listed: by structure first, so that those of one structure are neighbours.

use plypack_core::key::{Structure, in_variation};

/// The numbers of bits of a place: of the frame, the men in it, and the key.
pub(crate) const FRAME_BITS: u32 = 32;
pub(crate) const MEN_BITS: u32 = 12;
pub(crate) const KEY_BITS: u32 = 20;

/// The number of slots of men, but for that of positions which are structures of their own.
const MEN_SLOTS: u64 = (1 << MEN_BITS) - 1;

/// What a position is listed under.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Its structure.
    pub structure: Structure,
    /// Its key.
    pub key: u64,
}

impl Spot {
    /// What the position is listed under where a variation reaches it.
    #[must_use]
    pub fn in_variation(self) -> Self {
        Self { structure: self.structure.in_variation(), key: in_variation(self.key) }
    }

    /// Where pages list it, which are sorted by place: 32 bits of the frame, 12 of the men, 20 of
    /// the key.
    pub fn place(self) -> u64 {
        let Structure { frame, men } = self.structure;
        let men = if men == 0 { 0 } else { 1 + (men >> (64 - MEN_BITS)) % MEN_SLOTS };
        let slot = self.key & ((1 << KEY_BITS) - 1);
        frame >> FRAME_BITS << FRAME_BITS | men << KEY_BITS | slot
    }
}

/// The parts of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots {
    pub frame: u32,
    pub men: u32,
    pub key: u32,
}

/// How positions are addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of games in the index.
    games: u32,
    /// The number of leading bits of a place that tell frames apart: 1 to 32.
    frame_bits: u8,
}

impl Layout {
    /// The layout for this many occurrences in this many games. In a game without structures nearly
    /// every occurrence has a frame of its own; in others, about one in five.
    pub fn new(occurrences: u64, games: u32, structured: bool) -> Self {
        let frames = occurrences.max(1).ilog2();
        let bits = (frames + if structured { 2 } else { 4 }).min(FRAME_BITS);
        Self { games, frame_bits: u8::try_from(bits).unwrap_or(32) }
    }

    /// The layout with these numbers, if they are valid.
    pub(crate) fn of(games: u32, frame_bits: u8) -> Option<Self> {
        (1..=32).contains(&frame_bits).then_some(Self { games, frame_bits })
    }

    /// The number of games in the index.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The number of bits that tell frames apart.
    pub(crate) fn frame_bits(&self) -> u8 {
        self.frame_bits
    }

    /// The same layout for this many games.
    #[must_use]
    pub fn with_games(self, games: u32) -> Self {
        Self { games, ..self }
    }

    /// A place without the bits that tell no frames apart.
    pub fn masked(&self, place: u64) -> u64 {
        let frame = u64::MAX << (64 - u32::from(self.frame_bits));
        place & (frame | u64::from(u32::MAX))
    }

    /// The parts of a place.
    pub(crate) fn slots(&self, place: u64) -> Slots {
        let part = |shift: u32, bits: u32| {
            let part = place.checked_shr(shift).unwrap_or(0) & ((1 << bits) - 1);
            u32::try_from(part).unwrap_or(0)
        };
        let frame_bits = u32::from(self.frame_bits);
        Slots {
            frame: part(64 - frame_bits, frame_bits),
            men: part(KEY_BITS, MEN_BITS),
            key: part(0, KEY_BITS),
        }
    }

    /// The place with these parts.
    pub(crate) fn place_of(&self, Slots { frame, men, key }: Slots) -> u64 {
        let frame = u64::from(frame) << (64 - u32::from(self.frame_bits));
        frame | u64::from(men) << KEY_BITS | u64::from(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_its_parts() {
        let structure = Structure { frame: 0xfedc_ba98_7654_3210, men: 0x0120_0000_0000_0001 };
        let one = Spot { structure, key: 0xffff_ffff_fff1_2345 }.place();
        assert_eq!(one, 0xfedc_ba98_0131_2345);
        let layout = Layout::new(1 << 10, 9, true);
        let slots = layout.slots(one);
        assert_eq!((slots.frame, slots.men, slots.key), (0xfed, 0x013, 0x1_2345));
        assert_eq!(layout.place_of(slots), layout.masked(one));
        assert_eq!(layout.masked(one), 0xfed0_0000_0131_2345);
        let all = Layout::new(u64::MAX, 9, false);
        assert_eq!((all.masked(one), all.place_of(all.slots(one))), (one, one));
    }

    #[test]
    fn only_a_structure_of_its_own_has_no_men() {
        let slot =
            |men| Spot { structure: Structure { frame: 0, men }, key: 0 }.place() >> KEY_BITS;
        assert_eq!([0, 1, u64::MAX, 1 << 52].map(slot), [0, 1, 1, 2]);
    }
}
