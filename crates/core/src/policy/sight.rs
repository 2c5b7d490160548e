//! The features of a position and its candidates, as input of a policy.

use super::Sizes;

/// The features of one position and of its candidates.
///
/// A candidate has *slots*, one for each group of features. A slot holds the number of the
/// candidate's feature in that group, or 0 for none: feature 0 belongs to no group and has no
/// weight. Light slots are filled for every candidate; heavy ones cost more and are filled only for
/// the chosen candidates.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// The light slots of the first candidate, then those of the second, and so on.
    pub light: Vec<u16>,
    /// The indices of the candidates chosen for a closer look, ascending.
    pub chosen: Vec<u16>,
    /// The heavy slots of the first of these, then those of the second, and so on.
    pub heavy: Vec<u16>,
    /// For each chosen candidate, the row of the net's output that scores it.
    pub rows: Vec<u16>,
    /// The active inputs of the net.
    pub inputs: Vec<u16>,
    /// The phase, for instance the stage of the game.
    pub phase: u8,
}

impl Sight {
    /// Empties everything.
    pub fn clear(&mut self) {
        self.light.clear();
        self.chosen.clear();
        self.heavy.clear();
        self.rows.clear();
        self.inputs.clear();
        self.phase = 0;
    }

    /// Fills `slots` with all slots of the first chosen candidate, the light ones first, then those
    /// of the second, and so on.
    pub(super) fn gather(&self, sizes: Sizes, slots: &mut Vec<u16>) {
        slots.clear();
        for (&index, heavy) in self.chosen.iter().zip(self.heavy.chunks_exact(sizes.heavy.max(1))) {
            let start = usize::from(index) * sizes.light;
            let light = self.light.get(start..start + sizes.light).unwrap_or(&[]);
            slots.extend_from_slice(light);
            slots.extend_from_slice(heavy);
        }
    }
}
