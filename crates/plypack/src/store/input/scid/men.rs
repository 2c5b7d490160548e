//! The men of a game as SCID numbers them: each side's king is 0, and the last one takes the number
//! of a man that is captured. A move is the number of a man and four bits, whose meaning depends on
//! the man.

use crate::store::input::database::game::{self, Move};

/// The number of squares.
const SQUARES: u8 = 64;

/// The most men of a side.
const MEN_MAX: usize = 16;

/// A man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Man {
    black: bool,
    /// A letter of FEN, a capital.
    kind: u8,
}

/// The men on a board, and their numbers. Squares count from a1, then along the ranks.
#[derive(Clone, Debug)]
pub(super) struct Men {
    board: [Option<Man>; 64],
    /// The squares of each side's men, White's first.
    lists: [Vec<u8>; 2],
    black: bool,
}

impl Men {
    /// The men of a start in FEN, or of the usual one. `None` if the text is none.
    pub fn of_start(fen: Option<&str>) -> Option<Self> {
        const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
        let mut words = fen.unwrap_or(USUAL).split_ascii_whitespace();
        let mut men = Self { board: [None; 64], lists: Default::default(), black: false };
        let mut ranks = words.next()?.split('/');
        for rank in (0..8).rev() {
            let mut file = 0;
            for sign in ranks.next()?.bytes() {
                if let b'1'..=b'8' = sign {
                    file += sign - b'0';
                } else {
                    let man =
                        Man { black: sign.is_ascii_lowercase(), kind: sign.to_ascii_uppercase() };
                    (b"KQRBNP".contains(&man.kind) && file < 8).then_some(())?;
                    men.add(man, 8 * rank + file)?;
                    file += 1;
                }
            }
        }
        men.black = words.next() == Some("b");
        if fen.is_none() {
            // The usual start has the pieces before the pawns on both sides.
            for (list, rank) in men.lists.iter_mut().zip([0, 56]) {
                list.sort_by_key(|&square| (square != rank + 4, square / 8 != rank / 8, square));
            }
        }
        men.lists.iter().all(|list| !list.is_empty()).then_some(men)
    }

    /// Adds a man; the king takes the place of the first one, who becomes the last.
    fn add(&mut self, man: Man, square: u8) -> Option<()> {
        let list = self.lists.get_mut(usize::from(man.black))?;
        (list.len() < MEN_MAX).then_some(())?;
        list.push(square);
        if man.kind == b'K' {
            let last = list.len() - 1;
            list.swap(0, last);
        }
        *self.board.get_mut(usize::from(square))? = Some(man);
        Some(())
    }

    /// Decodes a move; `second` is the byte behind it, which a queen's move may take. `None` if it
    /// is none. Also returns whether that byte was taken.
    pub fn decode(&self, code: u8, second: Option<u8>) -> Option<(Move, bool)> {
        let from = *self.lists.get(usize::from(self.black))?.get(usize::from(code >> 4))?;
        let man = (*self.board.get(usize::from(from))?)?;
        let code = code & 15;
        let (file, rank) = (from % 8, from / 8);
        let along = |code: u8| if code < 8 { 8 * rank + code } else { 8 * (code - 8) + file };
        let by = |difference: i16| u8::try_from(i16::from(from) + difference).ok();
        let mut promotion = None;
        let mut taken = false;
        let to = match man.kind {
            b'K' => {
                const STEPS: [i16; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
                match code {
                    0 => return Some((Move::Null, false)),
                    9 => return Some((Move::Long, false)),
                    10 => return Some((Move::Short, false)),
                    code => by(*STEPS.get(usize::from(code) - 1)?)?,
                }
            }
            b'Q' if code == file => {
                taken = true;
                second?.checked_sub(SQUARES)?
            }
            b'Q' | b'R' => along(code),
            b'B' => {
                let across = i16::from(code % 8) - i16::from(file);
                by(if code < 8 { 9 * across } else { -7 * across })?
            }
            b'N' => {
                const STEPS: [i16; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];
                by(*STEPS.get(usize::from(code).checked_sub(1)?)?)?
            }
            _ => {
                const STEPS: [i16; 3] = [7, 8, 9];
                let step = if code == 15 { 16 } else { STEPS[usize::from(code % 3)] };
                promotion = [None, Some('q'), Some('r'), Some('b'), Some('n'), None]
                    .get(usize::from(code / 3))
                    .copied()
                    .flatten();
                by(if self.black { -step } else { step })?
            }
        };
        (to < SQUARES && to != from).then_some((Move::Plain { from, to, promotion }, taken))
    }

    /// Takes a man off the board, but not off his list.
    fn lift(&mut self, square: u8) -> Option<Man> {
        self.board.get_mut(usize::from(square))?.take()
    }

    /// The number of a man.
    fn place(&self, side: usize, square: u8) -> Option<usize> {
        self.lists.get(side)?.iter().position(|own| *own == square)
    }
}

impl game::Men for Men {
    fn play(&mut self, mv: Move, rook: Option<u8>) -> Option<()> {
        let side = usize::from(self.black);
        let base = if self.black { 56 } else { 0 };
        match mv {
            Move::Null => {}
            Move::Short | Move::Long => {
                let short = mv == Move::Short;
                let rook = rook.unwrap_or(base + if short { 7 } else { 0 });
                let king = *self.lists.get(side)?.first()?;
                let place = self.place(side, rook)?;
                let men = [self.lift(king)?, self.lift(rook)?];
                let squares = if short { [base + 6, base + 5] } else { [base + 2, base + 3] };
                for ((man, square), place) in men.into_iter().zip(squares).zip([0, place]) {
                    *self.board.get_mut(usize::from(square))? = Some(man);
                    *self.lists.get_mut(side)?.get_mut(place)? = square;
                }
            }
            Move::Plain { from, to, promotion } => {
                let place = self.place(side, from)?;
                let mut man = self.lift(from)?;
                let empty = (*self.board.get(usize::from(to))?).is_none();
                let passes = man.kind == b'P' && from % 8 != to % 8 && empty;
                let captured = if passes { 8 * (from / 8) + to % 8 } else { to };
                if self.lift(captured).is_some() {
                    let other = self.place(1 - side, captured)?;
                    self.lists.get_mut(1 - side)?.swap_remove(other);
                }
                if let Some(promotion) = promotion {
                    man.kind = u8::try_from(promotion.to_ascii_uppercase()).ok()?;
                }
                *self.board.get_mut(usize::from(to))? = Some(man);
                *self.lists.get_mut(side)?.get_mut(place)? = to;
            }
        }
        self.black = !self.black;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::input::database::game::Men as _;

    #[test]
    fn men_have_numbers() {
        let men = Men::of_start(None).expect("a start");
        assert_eq!(men.lists[0], [4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(men.lists[1], [60, 56, 57, 58, 59, 61, 62, 63, 48, 49, 50, 51, 52, 53, 54, 55]);
        let fen = "rnb1k2Q/1p5p/p7/4p3/4q3/8/PPP2R1P/2K5 b";
        let men = Men::of_start(Some(fen)).expect("a start");
        // The rook on a8 gives way to the king, and the queen on h8 to White's.
        assert_eq!((men.lists[1][3], men.lists[1][0]), (56, 60));
        assert_eq!((men.lists[0][6], men.lists[0][0]), (63, 2));
        for none in ["", "8/8", "9/8/8/8/8/8/8/8 w", "x7/8/8/8/8/8/8/8 w", "8/8/8/8/8/8/8/8 w"] {
            assert!(Men::of_start(Some(none)).is_none(), "{none}");
        }
    }

    #[test]
    fn moves_are_decoded() {
        let mut men = Men::of_start(None).expect("a start");
        let mut play = |code, second, text: &str| {
            let (mv, taken) = men.decode(code, second).expect(text);
            assert_eq!((mv.text().as_str(), taken), (text, second.is_some()));
            men.play(mv, None).expect(text);
        };
        play(12 << 4 | 15, None, "e2e4");
        play(11 << 4 | 15, None, "d7d5");
        play(12 << 4, None, "e4d5");
        // The pawn on h7 now has the number of the one that was captured.
        play(11 << 4 | 1, None, "h7h6");
        play(4 << 4 | 3, Some(64 + 30), "d1g4");
        play(4 << 4 | 11, None, "d8d4");
        play(5 << 4 | 8, None, "f1a6");
        play(6 << 4 | 1, None, "g8f6");
        play(6 << 4 | 7, None, "g1f3");
        play(0, None, "--");
        play(10, None, "O-O");
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let men = Men::of_start(None).expect("a start");
        for code in 0..=255u8 {
            for second in [None, Some(0), Some(64), Some(127), Some(255)] {
                if let Some((mv, _)) = men.decode(code, second) {
                    let _ = men.clone().play(mv, None);
                }
            }
        }
        assert_eq!(men.decode(4 << 4 | 3, None), None);
        assert_eq!(men.decode(4 << 4 | 3, Some(10)), None);
    }
}
