//! The state of a position as yes-or-no questions, given the board.

use cozy_chess::{CastleRights, Color, File, Piece};

use super::{Coder, Seen};
use crate::chess::board::{State, symbol};

/// The number of phases; the phase is a quarter of the number of men, rounded down and capped.
const PHASES: usize = 9;

/// The questions of one number: 32 on whether its logarithm is larger, and for each of 33
/// logarithms three on the two bits after the leading one.
const NUMBER: usize = 32 + 3 * 33;

/// By phase: whether the counters are 0 and 1.
const USUAL: usize = 0;
/// By phase: the halfmove clock.
const CLOCK: usize = USUAL + PHASES;
/// By phase: the move number.
const MOVE: usize = CLOCK + PHASES * NUMBER;
/// Whether a rook that may castle is on a file other than a and h.
const ODD_ROOKS: usize = MOVE + PHASES * NUMBER;
/// Whether a king may castle to a side: by the previous answer, by what is there (3), and by the
/// same king's right asked before (none, no, yes).
const RIGHT: usize = ODD_ROOKS + 1;
/// Whether it is the outermost rook.
const OUTERMOST: usize = RIGHT + 2 * 3 * 3;
/// Whether the pawn on a file just made a double step: 0 if it cannot have; else 1, plus 2 if the
/// halfmove clock is 0, plus 1 if a pawn beside it could capture it.
const PUSHED: usize = OUTERMOST + 1;

/// The number of questions.
pub const QUESTIONS: usize = PUSHED + 5;

/// Codes the state of a position, given its board.
pub fn walk(coder: &mut impl Coder, seen: &Seen, told: &State) -> State {
    let phase = (seen.men() / 4).min(PHASES - 1);
    let (halfmove_clock, fullmove_number) = counters(coder, phase, told);
    let rights = rights(coder, seen, told);
    let en_passant = en_passant(coder, seen, halfmove_clock == 0, told.en_passant);
    let side = if seen.black() { Color::Black } else { Color::White };
    State { side, rights, en_passant, halfmove_clock, fullmove_number }
}

fn counters(coder: &mut impl Coder, phase: usize, told: &State) -> (u32, u32) {
    let usual = (told.halfmove_clock, told.fullmove_number) == (0, 1);
    if coder.answer(USUAL + phase, usual) {
        return (0, 1);
    }
    (
        number(coder, CLOCK + phase * NUMBER, told.halfmove_clock),
        number(coder, MOVE + phase * NUMBER, told.fullmove_number),
    )
}

/// Codes a number: the logarithm of the number plus one, then the bits after the leading one. A
/// number that does not fit into 32 bits is read as the largest.
fn number(coder: &mut impl Coder, first: usize, told: u32) -> u32 {
    let told = u64::from(told) + 1;
    let mut length = 0;
    while length < 32 && coder.answer(first + length, told >> (length + 1) > 0) {
        length += 1;
    }
    let mut value = 1;
    for place in (0..length).rev() {
        let bit = told >> place & 1 > 0;
        let below = first + 32 + 3 * length;
        let bit = match value {
            1 => coder.answer(below, bit),
            2 => coder.answer(below + 1, bit),
            3 => coder.answer(below + 2, bit),
            _ => coder.bit(bit),
        };
        value = value << 1 | u64::from(bit);
    }
    u32::try_from(value - 1).unwrap_or(u32::MAX)
}

fn rights(coder: &mut impl Coder, seen: &Seen, told: &State) -> [CastleRights; 2] {
    let odd = coder.answer(ODD_ROOKS, !told.rights_are_standard());
    let mut rights = [CastleRights::EMPTY; 2];
    for (color, (rights, told)) in
        [Color::White, Color::Black].into_iter().zip(rights.iter_mut().zip(&told.rights))
    {
        rights.short = right(coder, seen, Corner { color, short: true, odd, last: 0 }, told.short);
        let last = 1 + usize::from(rights.short.is_some());
        rights.long = right(coder, seen, Corner { color, short: false, odd, last }, told.long);
    }
    rights
}

/// A side to which a king may castle, and the earlier answers.
struct Corner {
    color: Color,
    short: bool,
    odd: bool,
    last: usize,
}

fn right(coder: &mut impl Coder, seen: &Seen, corner: Corner, told: Option<File>) -> Option<File> {
    let Corner { color, short, odd, last } = corner;
    let home = if color == Color::White { 0 } else { 56 };
    let stands =
        |piece, file: &File| u32::from(seen.symbol(home + *file as usize)) == symbol(piece, color);
    let king = File::ALL.into_iter().find(|file| stands(Piece::King, file));
    let outside = |file: &File| king.is_some_and(|king| (*file > king) == short && *file != king);
    let rook = |file: &File| outside(file) && stands(Piece::Rook, file);
    let usual = if short { File::H } else { File::A };
    let outermost = match (odd, short) {
        (false, _) => Some(usual).filter(rook),
        (true, true) => File::ALL.into_iter().rev().find(rook),
        (true, false) => File::ALL.into_iter().find(rook),
    };
    let place = match outermost {
        Some(_) if king == Some(File::E) => 0,
        Some(_) => 1,
        None => 2,
    };
    let question = RIGHT + (usize::from(odd) * 3 + place) * 3 + last;
    if !coder.answer(question, told.is_some()) {
        return None;
    }
    let outermost = outermost.unwrap_or(usual);
    if !odd || coder.answer(OUTERMOST, told == Some(outermost)) {
        return Some(outermost);
    }
    let told = told.map_or(0, |file| file as usize);
    let file = (0..3)
        .rev()
        .fold(0, |file, place| file << 1 | usize::from(coder.bit(told >> place & 1 > 0)));
    File::try_index(file)
}

fn en_passant(
    coder: &mut impl Coder,
    seen: &Seen,
    clock_is_zero: bool,
    told: Option<File>,
) -> Option<File> {
    // For the side not to move: its pawn, the pawn's rank, and the steps back.
    let (mover, other) = match seen.black() {
        true => (Color::Black, Color::White),
        false => (Color::White, Color::Black),
    };
    let ranks = if seen.black() { [3, 2, 1] } else { [4, 5, 6] };
    let at = |rank: usize, file: usize| u32::from(seen.symbol(rank * 8 + file));
    let can_take = |file: usize| at(ranks[0], file) == symbol(Piece::Pawn, mover);
    File::ALL.into_iter().find(|&file| {
        let place = file as usize;
        let pushed = at(ranks[0], place) == symbol(Piece::Pawn, other)
            && ranks[1..].iter().all(|&rank| at(rank, place) == 0);
        let taken = place > 0 && can_take(place - 1) || place < 7 && can_take(place + 1);
        let question = match pushed {
            true => PUSHED + 1 + 2 * usize::from(clock_is_zero) + usize::from(taken),
            false => PUSHED,
        };
        coder.answer(question, told == Some(file))
    })
}
