//! Hash keys of positions: the numbers of the facts, as in `SPEC.md`.

use std::sync::LazyLock;

use plypack_core::key::{self as words, SECOND_TO_MOVE, man, word};

use super::{ID, Position};

/// The exclusive or of the words of discs on four consecutive cells: by the number of the group,
/// the colour, and the set of cells with a disc.
type Fours = [[[u64; 16]; 2]; 16];

static FOURS: LazyLock<Fours> = LazyLock::new(|| {
    let mut fours = [[[0; 16]; 2]; 16];
    for (four, first) in fours.iter_mut().zip((0..).step_by(4)) {
        for (sets, player) in four.iter_mut().zip(0..) {
            for (word, set) in sets.iter_mut().zip(0..16u32) {
                let cells = (0..4).filter(|cell| set >> cell & 1 == 1);
                *word = cells.fold(0, |word, cell| word ^ man(ID, 2, first + cell, player));
            }
        }
    }
    fours
});

/// The word for a board of eight rows.
const BOARD: u64 = word(ID, 8);

/// The word for White to move.
const WHITE: u64 = word(ID, SECOND_TO_MOVE);

/// Returns the key without the discs.
fn rest(position: &Position) -> u64 {
    if position.white_to_move() { BOARD ^ WHITE } else { BOARD }
}

/// Returns the exclusive or of the words of all discs.
fn words(fours: &Fours, discs: [u64; 2]) -> u64 {
    let mut key = 0;
    for (place, four) in fours.iter().enumerate() {
        for (sets, discs) in four.iter().zip(discs) {
            key ^= sets[(discs >> (4 * place) & 15) as usize];
        }
    }
    key
}

/// Returns the key of a position.
pub(super) fn key(position: &Position) -> u64 {
    rest(position) ^ words(&FOURS, position.discs())
}

/// Returns the second hash of a position.
pub(super) fn second_key(position: &Position) -> u32 {
    let [black, white] = position.discs();
    words::second_key([black, white, position.white_to_move().into()])
}

/// Returns the least key under the symmetries of the square.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let (fours, rest) = (&*FOURS, rest(position));
    let upright = position.discs();
    let keys = [upright, upright.map(transposed)].into_iter().flat_map(|discs| {
        let turned = [discs, discs.map(u64::reverse_bits)].into_iter();
        turned.flat_map(|discs| [discs, discs.map(u64::swap_bytes)])
    });
    keys.fold(u64::MAX, |least, discs| least.min(rest ^ words(fours, discs)))
}

/// Swaps rows and columns: first of pairs of cells, then of blocks of four, then of sixteen.
fn transposed(mut set: u64) -> u64 {
    for (step, below) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let changed = (set ^ set >> step) & below;
        set ^= changed ^ changed << step;
    }
    set
}
