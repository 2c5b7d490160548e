//! The hints of chess, for predicting clock readings and evaluations: what is hanging, what is
//! captured, how much choice there is, and how engines evaluated the same position in other games.

use cozy_chess::{BitBoard, Board, Color, get_pawn_attacks};
use plypack_core::hint::{Hint, Known, MARKS, size};
use plypack_core::table::Head;
use plypack_core::{Ply, Rules, Work, natively};
use plypack_tables::chess::EVALUATIONS_BOOK;

use super::attacks::attacks;
use super::default::exchange::{Men, WORTH};
use super::fan::Fan;
use super::{Chess, Position};

/// Evaluations of opening positions in other games: a head, then eight bytes each, by ascending
/// key: the upper five bytes of the key; the evaluation in hundredths of a pawn, 16 bits, both
/// big-endian; the number of games with it, up to 255.
static KNOWN: &[u8] = Head::EVALUATIONS.part(EVALUATIONS_BOOK);

/// The last move number whose positions are looked up; [`KNOWN`] has those of 16 plies.
const KNOWN_MOVES: u32 = 10;

/// Looks up how engines evaluated a position in other games.
fn known(position: &Position) -> Option<Known> {
    if position.fullmove_number > KNOWN_MOVES {
        return None;
    }
    let rows = KNOWN.as_chunks::<8>().0;
    let key = &Chess.key(position).to_be_bytes()[..5];
    let place = rows.binary_search_by(|row| row[..5].cmp(key)).ok()?;
    let [.., high, low, games] = *rows.get(place)?;
    Some(Known { value: i16::from_be_bytes([high, low]).into(), games })
}

/// Facts of the board about both sides; White is side 0.
struct Look<'a> {
    men: Men,
    board: &'a Board,
}

impl<'a> Look<'a> {
    fn new(board: &'a Board) -> Self {
        Self { men: Men::of(board), board }
    }

    /// Returns a side's material minus the other's, in pawns.
    fn balance(&self, side: usize) -> i32 {
        let worth = |side: usize| {
            let kinds = self.men.by_kind[side].iter().zip(WORTH).take(5);
            kinds.map(|(men, worth)| men.count_ones().cast_signed() * worth).sum::<i32>()
        };
        worth(side) - worth(1 - side)
    }

    /// Returns the worth of both sides' pieces, without pawns and kings.
    fn pieces(&self) -> i32 {
        let kinds = |side: usize| self.men.by_kind[side].iter().zip(WORTH).take(5).skip(1);
        let all = kinds(0).chain(kinds(1));
        all.map(|(men, worth)| men.count_ones().cast_signed() * worth).sum()
    }

    /// Returns what a side gains on a square with a man of kind `role` if it captures first, with
    /// its cheapest man; 0 if it had better not.
    fn gain(&self, side: usize, to: usize, role: usize) -> i32 {
        let takers = self.men.attackers(to) & self.men.sides[side];
        let of_kind = |&role: &usize| takers & self.men.by_kind[side][role] != 0;
        let Some(taker) = (0..6).find(of_kind) else { return 0 };
        let from = (takers & self.men.by_kind[side][taker]).trailing_zeros() as usize;
        self.men.exchange(side, from, to, taker, WORTH[role]).max(0)
    }

    /// Returns the squares that a side attacks.
    fn attacked(&self, side: usize) -> u64 {
        let men = self.men.by_kind[side];
        let color = if side == 0 { Color::White } else { Color::Black };
        let pawns = BitBoard(men[0]).into_iter();
        let by_pawns = pawns.fold(0, |all, from| all | get_pawn_attacks(from, color).0);
        men.iter().enumerate().skip(1).fold(by_pawns, |all, (role, &men)| {
            let reach = |from| attacks(role, from as usize, self.men.occupied);
            BitBoard(men).into_iter().fold(all, |all, from| all | reach(from))
        })
    }

    /// Returns the most that a side gains by capturing one man, and its square.
    fn best(&self, side: usize) -> (i32, Option<usize>) {
        let attacked = self.attacked(side);
        let mut best = (0, None);
        for role in (0..5).rev().filter(|&role| WORTH[role] > 0) {
            for to in BitBoard(self.men.by_kind[1 - side][role] & attacked) {
                if WORTH[role] > best.0 {
                    let gain = self.gain(side, to as usize, role);
                    if gain > best.0 {
                        best = (gain, Some(to as usize));
                    }
                }
            }
        }
        best
    }
}

/// What a side can win in a position: the most that it gains by capturing one man, and its square.
type Prey = (i32, Option<usize>);

/// Returns what both sides can win, in the form of [`Hint::kept`]: the side to move first.
fn keep(prey: [Prey; 2]) -> [i8; 4] {
    let square = |square: Option<usize>| square.and_then(|at| i8::try_from(at).ok()).unwrap_or(-1);
    let [own, other] = prey.map(|(gain, at)| [i8::try_from(gain).unwrap_or(0), square(at)]);
    [own[0], own[1], other[0], other[1]]
}

fn kept([gain, at, others, their_at]: [i8; 4]) -> [Prey; 2] {
    [(gain.into(), usize::try_from(at).ok()), (others.into(), usize::try_from(their_at).ok())]
}

/// Counts the legal moves of a position.
struct Replies<'a>(&'a Board);

impl Work for Replies<'_> {
    type Outcome = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let mut fan = Fan::EMPTY;
        fan.fill::<true>(self.0);
        fan.count()
    }
}

/// Returns the hint of a ply, given the move before it and its hint.
pub fn hint(ply: &Ply<'_, Chess>, last: Option<(cozy_chess::Move, &Hint)>) -> Hint {
    let (before, after) = (&ply.before.board, Look::new(&ply.after.board));
    let mv = ply.mv();
    let us = before.side_to_move();
    let (own, other) = (us as usize, 1 - us as usize);
    let (from, to) = (mv.from as usize, mv.to as usize);
    let role = before.piece_on(mv.from).map_or(0, |piece| piece as usize);
    let castles = from != to && before.colors(us).has(mv.to);
    let taken = match before.piece_on(mv.to) {
        _ if castles => 0,
        Some(piece) => WORTH[piece as usize],
        // The destination of an en passant capture is empty.
        None => i32::from(role == 0 && from % 8 != to % 8),
    };
    // Without a capture or a pawn move the counter would not be 0.
    let retakes =
        taken > 0 && ply.before.halfmove_clock == 0 && last.is_some_and(|last| last.0.to == mv.to);
    // The last hint's values after its ply are those before this one.
    let ([(chance, prey), (danger, endangered)], balance) = match last {
        Some((_, hint)) => (kept(hint.kept), -hint.worth[1] / 100),
        None => {
            let before = Look::new(before);
            ([before.best(own), before.best(other)], before.balance(own))
        }
    };
    let [risks, threats] = [after.best(other), after.best(own)];
    let (risk, threat) = (risks.0, threats.0);
    let standing = after.board.piece_on(mv.to).map_or(0, |piece| piece as usize);
    let loss = if castles || standing == 5 { 0 } else { after.gain(other, to, standing) };
    let checks = |board: &Board| !board.checkers().is_empty();
    let replies = natively(Replies(after.board));
    let choices = ply.candidates.len();
    let worth = [balance, after.balance(own)];
    let number = |number: usize| i64::try_from(number).unwrap_or(0);
    let pawns = |worth: i32| size(i64::from(worth) * 100, 8);
    let flag = |yes: bool| if yes { 256 } else { 0 };
    let marks: [i64; MARKS] = [
        flag(prey == Some(to)),
        pawns(taken),
        flag(checks(after.board)),
        pawns(loss),
        pawns(chance),
        pawns(danger),
        pawns(risk),
        pawns(threat),
        pawns(taken - loss),
        pawns(taken - risk),
        pawns(chance - taken + risk),
        pawns(worth[0]),
        pawns(worth[1]),
        flag(checks(before)),
        flag(retakes),
        flag(endangered == Some(from)),
        flag(castles),
        flag(taken == 0 && chance > 0),
        flag(mv.promotion.is_some()),
        flag(choices == 1),
        flag(choices < 4),
        flag(replies < 4),
        size(number(choices), 1),
        size(replies.into(), 1),
        i64::from(after.board.occupied().len()) * 8,
        i64::from(after.pieces()) * 4,
        flag(role == 0),
        flag(role == 1),
        flag(role == 2),
        flag(role == 3),
        flag(role == 4),
        flag(role == 5),
    ];
    let marks = marks.map(|mark| i16::try_from(mark).unwrap_or(0));
    let worth = worth.map(|worth| 100 * worth);
    Hint { marks, worth, known: known(ply.after), kept: keep([risks, threats]) }
}

#[cfg(test)]
mod tests {
    use plypack_core::{Candidates, Listing, Rules};

    use super::*;
    use crate::common::checksum::fnv1a;

    /// The hints of a line; the marks are in the order of `hint`.
    fn hints(start: Option<&str>, moves: &str) -> Vec<Hint> {
        let mut before =
            start.map_or(Chess.start(), |fen| Chess.read_position(fen).expect("a position"));
        let mut last = None;
        let mut found: Vec<Hint> = Vec::new();
        for text in moves.split(' ') {
            let listing = Listing::default();
            let candidates = Candidates::of(&Chess, &before, &listing);
            let mv = Chess.read_move(&candidates, text).expect("a legal move");
            let mut after = before.clone();
            Chess.play(&mut after, mv);
            let ply = Ply::new(candidates, mv, &after);
            let told = hint(&ply, last.zip(found.last()));
            // The last hint gives what a fresh look would find, except which man moved last.
            let mut anew = hint(&ply, None);
            anew.marks[14] = told.marks[14];
            assert_eq!(anew, told);
            found.push(told);
            last = Some(mv);
            before = after;
        }
        found
    }

    /// Returns the mark of this number of pawns.
    fn worth(pawns: i64) -> i16 {
        i16::try_from(size(100 * pawns, 8)).expect("a small number")
    }

    #[test]
    fn captures_and_checks_are_seen() {
        let hints = hints(None, "e4 d5 exd5 Qxd5 Nc3 Qe5+ Be2 Qxe2+");
        let mark = |ply: usize, mark: usize| hints[ply].marks[mark];
        // 2. exd5 wins a pawn that is guarded, 2... Qxd5 one that is not.
        assert_eq!((mark(0, 1), mark(2, 0), mark(2, 1)), (0, 0, mark(3, 1)));
        assert_eq!((mark(3, 0), mark(3, 1), mark(3, 3)), (256, worth(1), 0));
        assert_eq!((mark(3, 14), mark(4, 14)), (256, 0));
        assert_eq!((hints[2].worth, hints[3].worth), ([0, 100], [-100, 0]));
        // 3. Nc3 attacks the queen, which moves away with check.
        assert_eq!((mark(4, 7), mark(5, 5), mark(5, 15)), (worth(9), mark(4, 7), 256));
        assert_eq!((mark(5, 2), mark(6, 13)), (256, 256));
        // The queen takes a guarded bishop.
        assert_eq!((mark(7, 1), mark(7, 3)), (worth(3), worth(9)));
    }

    #[test]
    fn castling_en_passant_and_promotion_are_seen() {
        let start = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
        let castles = &hints(Some(start), "O-O")[0];
        assert_eq!((castles.marks[16], castles.marks[1]), (256, 0));
        let passant = &hints(Some(start), "exd6")[0];
        assert_eq!(passant.marks[1], worth(1));
        let promotes = &hints(Some(start), "bxa8=Q+")[0];
        assert_eq!((promotes.marks[18], promotes.worth), (256, [100, 1_400]));
    }

    /// Other hints would make the clock readings and evaluations in files unreadable.
    #[test]
    fn hints_are_unchanged() {
        let lines = [
            (None, crate::chess::claims::BUFFETT_GAME),
            (Some("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"), "exd6 O-O bxa8=N Rxa8 O-O-O Kg7"),
        ];
        let bytes = lines.into_iter().flat_map(|(start, moves)| {
            hints(start, moves).into_iter().flat_map(|hint| {
                let marks = hint.marks.into_iter().flat_map(i16::to_le_bytes);
                marks.chain(hint.worth.into_iter().flat_map(i32::to_le_bytes)).collect::<Vec<u8>>()
            })
        });
        assert_eq!(fnv1a(bytes), 11_632_395_322_613_680_035);
    }

    #[test]
    fn evaluations_are_known_and_unchanged() {
        let rows = KNOWN.as_chunks::<8>().0;
        assert!(KNOWN.len() == 8 * rows.len() && rows.is_sorted_by(|a, b| a[..5] < b[..5]));
        assert!(hints(None, "e4")[0].known.is_some());
        assert_eq!(hints(Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "Rh2")[0].known, None);
        assert_eq!(fnv1a(KNOWN.iter().copied()), 14_807_591_041_130_933_472);
    }
}
