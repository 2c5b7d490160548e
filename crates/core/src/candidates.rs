//! The candidates of a position, listed on demand.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::ops::Deref;

use crate::game::Rules;

/// The candidates of a position in canonical order.
///
/// Listing them costs more than most other work on a ply. A move that is read or written from a few
/// bitboards, and coded without a list, needs none; so they are listed when first accessed as a
/// slice.
pub struct Candidates<'a, G: Rules> {
    /// The position.
    position: &'a G::Position,
    list: List<'a, G>,
}

enum List<'a, G: Rules> {
    Listed(&'a [G::Move]),
    OnDemand(&'a G, &'a Listing<G::Move>),
}

impl<G: Rules> Clone for Candidates<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Rules> Copy for Candidates<'_, G> {}

impl<G: Rules> Clone for List<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Rules> Copy for List<'_, G> {}

impl<G: Rules> fmt::Debug for Candidates<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, G: Rules> Candidates<'a, G> {
    /// Creates the candidates of a position, to be listed in `listing`.
    pub fn of(game: &'a G, position: &'a G::Position, listing: &'a Listing<G::Move>) -> Self {
        Self { position, list: List::OnDemand(game, listing) }
    }

    /// Wraps candidates of a position that are listed already.
    pub fn listed(position: &'a G::Position, list: &'a [G::Move]) -> Self {
        Self { position, list: List::Listed(list) }
    }

    /// Returns the position.
    pub fn position(&self) -> &'a G::Position {
        self.position
    }

    /// Returns the list.
    pub fn list(&self) -> &'a [G::Move] {
        match self.list {
            List::Listed(list) => list,
            List::OnDemand(game, listing) => listing.listed.get_or_init(|| {
                let mut list = listing.spare.take();
                game.candidates(self.position, &mut list);
                list
            }),
        }
    }

    /// Returns the index of a move, or `None` if it is not a candidate.
    pub fn index(&self, mv: G::Move) -> Option<usize> {
        self.iter().position(|candidate| *candidate == mv)
    }
}

impl<G: Rules> Deref for Candidates<'_, G> {
    type Target = [G::Move];

    fn deref(&self) -> &[G::Move] {
        self.list()
    }
}

/// Storage for the candidates of a position.
pub struct Listing<M> {
    listed: OnceCell<Vec<M>>,
    /// An empty list whose memory is reused.
    spare: Cell<Vec<M>>,
}

impl<M> Default for Listing<M> {
    fn default() -> Self {
        Self { listed: OnceCell::new(), spare: Cell::default() }
    }
}

impl<M: fmt::Debug> fmt::Debug for Listing<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listing").field(&self.listed).finish()
    }
}

impl<M> Listing<M> {
    /// Prepares for another position.
    pub fn clear(&mut self) {
        if let Some(mut list) = self.listed.take() {
            list.clear();
            self.spare.set(list);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::erased::toy::HEAP;

    #[test]
    fn candidates_are_listed_when_they_are_looked_at() {
        let (game, mut listing) = (&HEAP.0, Listing::default());
        let position = (2, false);
        let candidates = Candidates::of(game, &position, &listing);
        assert!(listing.listed.get().is_none());
        assert_eq!(
            (&*candidates, candidates.index(2), candidates.index(3)),
            (&[1, 2][..], Some(1), None)
        );
        assert!(listing.listed.get().is_some());
        listing.clear();
        assert_eq!(Candidates::of(game, &(9, false), &listing).len(), 3);
    }
}
