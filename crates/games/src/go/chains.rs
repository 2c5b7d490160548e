//! The chains of a position, and their liberties.

use crate::go::Position;
use crate::go::rules::{EDGE, EMPTY};

/// The most liberties of a chain that are recorded; a chain with more counts as having this many.
pub const LIBERTIES: usize = 6;

/// A chain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chain {
    /// Number of stones.
    pub size: u16,
    /// The first liberties found, as indices of the padded board.
    pub liberties: [u16; LIBERTIES],
    /// Number of recorded liberties.
    pub free: usize,
}

/// All chains of a position.
#[derive(Debug, Default)]
pub struct Chains {
    chains: Vec<Chain>,
    /// For each index of the padded board, the number of its chain plus 1.
    numbers: Vec<u16>,
}

impl Chains {
    /// Finds the chains of a position.
    pub fn new(position: &Position) -> Self {
        let board = position.array();
        let strides = position.strides();
        let mut found = Self { chains: Vec::new(), numbers: vec![0; board.len()] };
        let mut open: Vec<usize> = Vec::new();
        for (at, &colour) in board.iter().enumerate() {
            if colour == EMPTY || colour == EDGE || found.numbers.get(at) != Some(&0) {
                continue;
            }
            let number = u16::try_from(found.chains.len() + 1).unwrap_or(u16::MAX);
            let mut chain = Chain::default();
            open.push(at);
            if let Some(place) = found.numbers.get_mut(at) {
                *place = number;
            }
            while let Some(stone) = open.pop() {
                chain.size += 1;
                for stride in strides {
                    let beside = stone.wrapping_add_signed(stride);
                    let there = board.get(beside).copied().unwrap_or(EDGE);
                    if there == EMPTY {
                        chain.add(u16::try_from(beside).unwrap_or(0));
                    } else if there == colour
                        && let Some(place) = found.numbers.get_mut(beside).filter(|n| **n == 0)
                    {
                        *place = number;
                        open.push(beside);
                    }
                }
            }
            found.chains.push(chain);
        }
        found
    }

    /// Returns the chain at an index of the padded board, and its number.
    pub fn at(&self, index: usize) -> Option<(u16, &Chain)> {
        let number = *self.numbers.get(index)?;
        let chain = self.chains.get(usize::from(number.checked_sub(1)?))?;
        Some((number, chain))
    }
}

impl Chain {
    /// Adds a liberty, unless it is already recorded.
    pub fn add(&mut self, at: u16) {
        let known = self.liberties.get(..self.free).unwrap_or_default();
        if !known.contains(&at)
            && let Some(place) = self.liberties.get_mut(self.free)
        {
            *place = at;
            self.free += 1;
        }
    }
}
