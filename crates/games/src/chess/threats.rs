//! What men threaten: where they give check, which are worth attacking, and which are in danger.

use cozy_chess::{Color, get_between_rays};

use super::attacks::{attacks, attacks_of, square};
use super::sets::squares;

/// Returns, by kind, the squares from which a man of `us` gives check to a king; and those of our
/// men that give discovered check when they leave their line.
#[inline(always)]
pub fn checks(king: usize, us: Color, our: &[u64; 6], occupied: u64) -> ([u64; 8], u64) {
    let ours = our.iter().fold(0, |all, men| all | men);
    let (diagonal, straight) = (attacks(2, king, occupied), attacks(3, king, occupied));
    let seen = diagonal | straight;
    // Remove our men in view of their king: a slider of ours that only then comes into view was
    // blocked by one of them.
    let behind = attacks(2, king, occupied ^ diagonal & ours) & (our[2] | our[4])
        | attacks(3, king, occupied ^ straight & ours) & (our[3] | our[4]);
    let covers = squares(behind & !seen)
        .fold(0, |covers, slider| covers | get_between_rays(square(king), square(slider)).0 & ours);
    let (pawn, knight) = (attacks_of(!us, 0, king, occupied), attacks(1, king, occupied));
    ([pawn, knight, diagonal, straight, seen, 0, 0, 0], covers)
}

/// Returns, for each kind of man, the other side's men worth attacking with it: the `bare` ones,
/// which nothing guards, and those of more worth.
#[inline(always)]
pub fn targets(bare: u64, [_, knights, bishops, rooks, queens, _]: &[u64; 6]) -> [u64; 8] {
    let majors = bare | rooks | queens;
    [majors | knights | bishops, majors, majors, bare | queens, bare, bare, 0, 0]
}

/// Returns the men of a side, except its king, that the other side gains by capturing, as far as
/// visible at once. `by` has the squares that their pawns, minor pieces, rooks, queens and king
/// attack; ours guard the `guarded` ones.
#[inline(always)]
pub fn in_danger(our: &[u64; 6], by: [u64; 5], guarded: u64) -> u64 {
    let [pawns, knights, bishops, rooks, queens, _] = our;
    let [by_pawn, by_minor, by_rook, by_queen, by_king] = by;
    let pieces = knights | bishops | rooks | queens;
    by_pawn & pieces
        | by_minor & (rooks | queens)
        | by_rook & queens
        | (by_pawn | by_minor | by_rook | by_queen | by_king) & !guarded & (pieces | pawns)
}
