//! `line.ranked`: candidates are sorted by a heuristic, and a move's weight depends only on its
//! rank.
//!
//! The idea is from Buffett's sequel and the Lichess archive; orders and tables are ours.

use std::fmt::Debug;

use crate::codec::CodecInfo;
use crate::codecs::line::modelled::Modelled;
use crate::game::Rules;
use crate::line::Ply;
use crate::model::MoveModel;
use crate::table::Head;
use crate::table::numbers::short;

/// The description of `line.ranked`, the same for every game.
pub const RANKED_INFO: CodecInfo = CodecInfo {
    name: "line.ranked",
    id: 3,
    summary: "the rank of each move in a heuristic order, weighed by how often that rank is played",
    source: "Buffett's sequel (rank in a heuristic order)",
};

/// Creates the codec for an order, for a registry row.
pub const fn ranked<O>(order: O) -> Modelled<Ranked<O>> {
    Modelled { info: &RANKED_INFO, model: Ranked(order) }
}

/// A heuristic order of the candidates, and the frequency of each rank.
pub trait MoveOrder<G: Rules>: Debug + Send + Sync + 'static {
    /// The order's memory of the line so far.
    type State: Clone + Debug;

    /// Returns the state at the start of a line.
    fn begin(&self, start: &G::Position) -> Self::State;

    /// Fills `keys`, which is empty, with one key for each candidate. The larger the key, the
    /// earlier the rank; equal keys rank in canonical order.
    fn keys(
        &self,
        state: &Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        keys: &mut Vec<i32>,
    );

    /// Returns the weights of the ranks at this position, heaviest first, each at least 1. Ranks
    /// beyond the slice weigh as much as its last entry. `keys` come from [`keys`](Self::keys):
    /// their number, and the gaps between the best, indicate how predictable the move is.
    fn weights(&self, position: &G::Position, keys: &[i32]) -> &[u16];

    /// Records the move that was played.
    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>);
}

/// The trained parameters of an order: the weights of its features, if it has any, and the
/// frequency of each rank. After its header a file has the number of features, of tables, and of
/// ranks in each table, two bytes each; a signed byte for each feature; and the weights of the
/// ranks, two bytes each, table by table. Numbers are little-endian.
#[derive(Debug)]
pub struct Tables<const FEATURES: usize, const TABLES: usize, const RANKS: usize> {
    /// The weight of each feature.
    pub weights: [i8; FEATURES],
    /// The weight of each rank, by table; later ranks weigh as much as the last.
    pub ranks: [[u16; RANKS]; TABLES],
}

impl<const FEATURES: usize, const TABLES: usize, const RANKS: usize>
    Tables<FEATURES, TABLES, RANKS>
{
    /// Reads the tables from a file embedded in the program. A wrong header or size, or a rank of
    /// weight 0, panics; in a static, this is a compile-time error.
    pub const fn part(file: &'static [u8]) -> Self {
        let mut body = Head::ORDER.part(file);
        let sizes = [short(&mut body), short(&mut body), short(&mut body)];
        assert!(
            sizes[0] == FEATURES && sizes[1] == TABLES && sizes[2] == RANKS,
            "an order's tables have the wrong size"
        );
        let mut weights = [0; FEATURES];
        each!(at, FEATURES, weights[at] = body[at].cast_signed());
        body = body.split_at(FEATURES).1;
        let mut ranks = [[0; RANKS]; TABLES];
        at = 0;
        while let Some((weight, rest)) = body.split_first_chunk() {
            ranks[at / RANKS][at % RANKS] = u16::from_le_bytes(*weight);
            assert!(ranks[at / RANKS][at % RANKS] > 0, "a rank has weight 0");
            body = rest;
            at += 1;
        }
        assert!(at == TABLES * RANKS && body.is_empty(), "an order's tables are truncated");
        Self { weights, ranks }
    }

    /// Returns the weights of the ranks of a table.
    pub fn table(&self, number: usize) -> &[u16] {
        self.ranks.get(number).map_or(&[1], |table| table)
    }
}

/// Returns the file of an order's parameters; shorter tables continue with their last weight.
/// Returns `None` if a size does not fit into its two bytes.
pub fn file(weights: &[i8], tables: &[Vec<u16>]) -> Option<Vec<u8>> {
    let ranks = tables.iter().map(Vec::len).max().unwrap_or(0);
    let mut body = Vec::new();
    for size in [weights.len(), tables.len(), ranks] {
        body.extend(u16::try_from(size).ok()?.to_le_bytes());
    }
    body.extend(weights.iter().map(|weight| weight.cast_unsigned()));
    for table in tables {
        let last = std::iter::repeat(table.last().copied().unwrap_or(1));
        let filled = table.iter().copied().chain(last).take(ranks);
        body.extend(filled.flat_map(u16::to_le_bytes));
    }
    Some(Head::ORDER.file(&body))
}

/// Collects the features of one move. A codec sums their weights, the trainer lists them, so both
/// see the same features.
pub trait Tally: Clone + Default {
    /// Adds a feature of the move.
    fn add(&mut self, feature: usize);
}

/// Returns the number of a group's first feature. A group is a name and a size; features are
/// numbered consecutively through all groups.
pub const fn first_feature(groups: &[(&str, usize)], group: usize) -> usize {
    let mut sum = 0;
    each!(i, group, sum += groups[i].1);
    sum
}

/// Number of frequency tables that [`table`] selects from.
pub const TABLES: usize = 6 * 6 * 2;

/// Returns the frequency table for a position: by the number of keys close to the best, the number
/// within sight of it, and the number of all. 16 is one unit of log probability.
pub fn table(keys: &[i32]) -> usize {
    let best = keys.iter().copied().max().unwrap_or(0);
    let (close, in_sight) = keys.iter().fold((0u32, 0u32), |(close, in_sight), &key| {
        (close + u32::from(key >= best - CLOSE), in_sight + u32::from(key >= best - IN_SIGHT))
    });
    let close = match close {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        4 | 5 => 3,
        6..=8 => 4,
        _ => 5,
    };
    let in_sight = match in_sight {
        0..=3 => 0,
        4..=6 => 1,
        7..=10 => 2,
        11..=15 => 3,
        16..=22 => 4,
        _ => 5,
    };
    let count = match keys.len() {
        0..=28 => 0,
        _ => 1,
    };
    (close * 6 + in_sight) * 2 + count
}

/// The maximum distances from the best key that are close, and in sight: 1 1/4 and 3 1/8 units of
/// log probability.
const CLOSE: i32 = 20;
const IN_SIGHT: i32 = 50;

/// Weighs candidates by their rank in an order.
#[derive(Debug)]
pub struct Ranked<O>(pub O);

/// The order's state and buffers for sorting.
#[derive(Clone, Debug)]
pub struct RankedState<S> {
    order: S,
    keys: Vec<i32>,
    sorted: Vec<u64>,
}

impl<G: Rules, O: MoveOrder<G>> MoveModel<G> for Ranked<O> {
    type State = RankedState<O::State>;

    fn begin(&self, _: &G, start: &G::Position) -> Self::State {
        RankedState { order: self.0.begin(start), keys: Vec::new(), sorted: Vec::new() }
    }

    fn weigh(
        &self,
        state: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) {
        state.keys.clear();
        self.0.keys(&state.order, position, candidates, &mut state.keys);
        // Sort descending by key, ascending by index: complement the key, shifted to unsigned.
        state.sorted.clear();
        state.sorted.extend(
            state
                .keys
                .iter()
                .zip(0u64..)
                .map(|(&key, index)| u64::from(!(key.cast_unsigned() ^ 0x8000_0000)) << 32 | index),
        );
        state.sorted.sort_unstable();
        let by_rank = self.0.weights(position, &state.keys);
        let last = by_rank.last().copied().unwrap_or(1);
        weights.resize(candidates.len(), 0);
        for (rank, &entry) in state.sorted.iter().enumerate() {
            let index = (entry & 0xffff_ffff) as usize;
            weights[index] = by_rank.get(rank).copied().unwrap_or(last).into();
        }
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.0.update(&mut state.order, ply);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back() {
        let written = file(&[-1, 127], &[vec![9, 300], vec![7]]).expect("few");
        assert_eq!(written[4..], [2, 0, 2, 0, 2, 0, 255, 127, 9, 0, 44, 1, 7, 0, 7, 0]);
        let tables: Tables<2, 2, 2> = Tables::part(written.leak());
        assert_eq!((tables.weights, tables.ranks), ([-1, 127], [[9, 300], [7, 7]]));
        assert_eq!([tables.table(1), tables.table(2)], [&[7, 7][..], &[1]]);
        assert_eq!(file(&vec![0; 65_536], &[]), None);
    }

    #[test]
    fn other_tables_are_no_program() {
        let whole = file(&[1], &[vec![5]]).expect("few");
        let longer = [&whole[..], &[1]].concat();
        let shorter = whole[..whole.len() - 1].to_vec();
        let weightless = file(&[1], &[vec![0]]).expect("few");
        for damaged in [longer, shorter, weightless, file(&[], &[vec![5]]).expect("few")] {
            let read = || Tables::<1, 1, 1>::part(damaged.leak());
            assert!(std::panic::catch_unwind(read).is_err());
        }
    }
}
