//! Computes cozy-chess's table of sliding moves.
//!
//! It is 0.7 MB, twice, and would be half of a browser's download. The build of the page therefore
//! cuts it out of the compiled file, and the page restores it before calling anything.

use cozy_chess_types::{
    BitBoard, SLIDING_MOVE_TABLE_SIZE, Square, get_bishop_moves_index, get_bishop_moves_slow,
    get_bishop_relevant_blockers, get_rook_moves_index, get_rook_moves_slow,
    get_rook_relevant_blockers,
};

/// The table: a bitboard for each square and each set of blockers.
pub fn table() -> Vec<u64> {
    let mut table = vec![0u64; SLIDING_MOVE_TABLE_SIZE];
    let mut fill = |mask: BitBoard, index: &dyn Fn(BitBoard) -> usize, moves: Moves<'_>| {
        for blockers in mask.iter_subsets() {
            if let Some(entry) = table.get_mut(index(blockers)) {
                *entry = moves(blockers).0;
            }
        }
    };
    for square in Square::ALL {
        fill(
            get_rook_relevant_blockers(square),
            &|blockers| get_rook_moves_index(square, blockers),
            &|blockers| get_rook_moves_slow(square, blockers),
        );
        fill(
            get_bishop_relevant_blockers(square),
            &|blockers| get_bishop_moves_index(square, blockers),
            &|blockers| get_bishop_moves_slow(square, blockers),
        );
    }
    table
}

/// Returns the moves of a man among these blockers.
type Moves<'a> = &'a dyn Fn(BitBoard) -> BitBoard;
