//! Chess moves as text: reads and writes SAN and UCI, and reads the spellings of SAN found in
//! records.

use cozy_chess::{
    BitBoard, Board, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use plypack_core::MoveFault;

/// The content of a move text; fields that it leaves out are `None`.
struct Said {
    piece: Option<Piece>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl Said {
    /// Finds the legal move that this names, starting from the destination: that takes a fraction
    /// of the time of listing all moves.
    #[inline]
    fn find(&self, board: &Board) -> Result<Move, MoveFault> {
        let mut origins = match self.piece {
            Some(piece) => men_near(board, piece, self.to),
            None => board.colors(board.side_to_move()),
        };
        if let Some(file) = self.from_file {
            origins &= file.bitboard();
        }
        if let Some(rank) = self.from_rank {
            origins &= rank.bitboard();
        }
        let mut found = Err(MoveFault::Illegal);
        for from in origins {
            let mv = Move { from, to: self.to, promotion: self.promotion };
            let is_other = self.piece.is_some() && is_castling(board, mv);
            if is_other || !board.is_legal(mv) {
                continue;
            }
            if found.is_ok() {
                return Err(MoveFault::Ambiguous);
            }
            found = Ok(mv);
        }
        found
    }
}

/// Returns the men of the side to move, of one kind, that may be one move away from a square; no
/// others can go there. For pawns the set is larger.
#[inline]
fn men_near(board: &Board, piece: Piece, to: Square) -> BitBoard {
    let us = board.side_to_move();
    let reach = match piece {
        Piece::Pawn => to.file().bitboard() | get_pawn_attacks(to, !us),
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, board.occupied()),
        Piece::Rook => get_rook_moves(to, board.occupied()),
        Piece::Queen => {
            get_bishop_moves(to, board.occupied()) | get_rook_moves(to, board.occupied())
        }
        Piece::King => get_king_moves(to),
    };
    board.colored_pieces(us, piece) & reach
}

fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// The names of the null move: in most programs, in ChessBase, in others, and in UCI.
const NULLS: [&str; 6] = ["--", "Z0", "null", "pass", "@@@@", "0000"];

/// Whether a text names the null move.
pub fn is_null(text: &str) -> bool {
    NULLS.contains(&text)
}

/// Reads the legal move that `text` names.
///
/// Understands SAN with more or less than the needed disambiguation, with or without check marks,
/// `!` and `?`, `e.p.` and `=`; castling with letters or zeros; long algebraic notation (`Ng1-f3`);
/// UCI, with castling as the king's two steps or as king takes rook.
///
/// # Errors
/// Returns an error if `text` names no legal move, or several.
pub fn read(board: &Board, text: &str) -> Result<Move, MoveFault> {
    let mut text = text.as_bytes();
    while let [rest @ .., b'+' | b'#' | b'!' | b'?'] = text {
        text = rest;
    }
    let text = text.strip_suffix(b"e.p.").unwrap_or(text);
    let castling = |short| find_castling(board, short);
    match text {
        b"O-O" | b"0-0" => return castling(true),
        b"O-O-O" | b"0-0-0" => return castling(false),
        _ => {}
    }
    let said = parse(text).ok_or(MoveFault::Unreadable)?;
    match said.find(board) {
        Err(MoveFault::Illegal) => {
            two_step_castling(&said, board).map_or(Err(MoveFault::Illegal), castling)
        }
        found => found,
    }
}

fn find_castling(board: &Board, short: bool) -> Result<Move, MoveFault> {
    let us = board.side_to_move();
    let (rights, from) = (board.castle_rights(us), board.king(us));
    let file = if short { rights.short } else { rights.long };
    let to = file.map(|file| Square::new(file, Rank::First.relative_to(us)));
    let mv = to.map(|to| Move { from, to, promotion: None });
    mv.filter(|&mv| board.is_legal(mv)).ok_or(MoveFault::Illegal)
}

/// Recognises castling as UCI spells it in standard chess, `e1g1`; returns whether it is short.
fn two_step_castling(said: &Said, board: &Board) -> Option<bool> {
    let from = Square::new(said.from_file?, said.from_rank?);
    let king_home = from.file() == File::E && from == board.king(board.side_to_move());
    match said.to.file() {
        _ if said.piece.is_some() || !king_home || from.rank() != said.to.rank() => None,
        File::G => Some(true),
        File::C => Some(false),
        _ => None,
    }
}

/// Parses a move text from its end: promotion, destination, origin, piece.
fn parse(text: &[u8]) -> Option<Said> {
    let piece = |letter: u8| match letter {
        b'N' | b'n' => Some(Piece::Knight),
        b'B' | b'b' => Some(Piece::Bishop),
        b'R' | b'r' => Some(Piece::Rook),
        b'Q' | b'q' => Some(Piece::Queen),
        b'K' | b'k' => Some(Piece::King),
        _ => None,
    };
    let (promotion, text) = match text {
        [rest @ .., b'=', letter] => (Some(piece(*letter)?), rest),
        [rest @ .., b'1' | b'8', letter] if piece(*letter).is_some() => {
            (piece(*letter), &text[..rest.len() + 1])
        }
        _ => (None, text),
    };
    let (to, text) = match text {
        [rest @ .., file, rank] => (Square::new(read_file(*file)?, read_rank(*rank)?), rest),
        _ => return None,
    };
    let text = match text {
        [rest @ .., b'x' | b'-' | b':'] => rest,
        _ => text,
    };
    let (from_rank, text) = match text {
        [rest @ .., rank] if read_rank(*rank).is_some() => (read_rank(*rank), rest),
        _ => (None, text),
    };
    let (from_file, text) = match text {
        [rest @ .., file] if read_file(*file).is_some() => (read_file(*file), rest),
        _ => (None, text),
    };
    let piece = match text {
        [] if from_file.is_some() && from_rank.is_some() => None,
        [] | [b'P'] => Some(Piece::Pawn),
        [letter] if letter.is_ascii_uppercase() => Some(piece(*letter)?),
        _ => return None,
    };
    Some(Said { piece, from_file, from_rank, to, promotion })
}

fn read_file(letter: u8) -> Option<File> {
    File::try_index(usize::from(letter.wrapping_sub(b'a')))
}

fn read_rank(digit: u8) -> Option<Rank> {
    Rank::try_index(usize::from(digit.wrapping_sub(b'1')))
}

/// A legal move in terms of SAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct San {
    /// What it does.
    pub action: Action,
    /// Whether it gives check, mate included.
    pub check: bool,
    /// Whether it mates.
    pub mate: bool,
}

/// What a move does, in terms of SAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `O-O`, or `O-O-O` if it is not short.
    Castle {
        /// Whether the rook is right of the king.
        short: bool,
    },
    /// A man goes to a square.
    Go {
        /// The kind of the man.
        piece: Piece,
        /// The file it comes from, if stated; it always is for a capturing pawn.
        from_file: Option<File>,
        /// The rank it comes from, if stated.
        from_rank: Option<Rank>,
        /// Whether it captures.
        captures: bool,
        /// Its destination.
        to: Square,
        /// The piece of a promotion.
        promotion: Option<Piece>,
    },
}

impl San {
    /// Returns the shortest SAN of a legal move. `after` is `board` with the move played.
    pub fn of(board: &Board, mv: Move, after: &Board) -> Self {
        let check = !after.checkers().is_empty();
        let mate = check && !after.generate_moves(|_| true);
        let Move { from, to, promotion } = mv;
        if is_castling(board, mv) {
            let action = Action::Castle { short: from.file() < to.file() };
            return Self { action, check, mate };
        }
        let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
        // A pawn that changes file captures, perhaps en passant.
        let by_pawn = piece == Piece::Pawn && from.file() != to.file();
        let captures = by_pawn || board.occupied().has(to);
        let (from_file, from_rank) = match piece {
            Piece::Pawn => (by_pawn.then(|| from.file()), None),
            _ => disambiguation(board, mv, piece),
        };
        let action = Action::Go { piece, from_file, from_rank, captures, to, promotion };
        Self { action, check, mate }
    }

    /// Finds the legal move that this names, ignoring check and mate.
    ///
    /// # Errors
    /// Returns an error if it names no legal move, or several.
    pub fn find(&self, board: &Board) -> Result<Move, MoveFault> {
        match self.action {
            Action::Castle { short } => find_castling(board, short),
            Action::Go { piece, from_file, from_rank, to, promotion, .. } => {
                Said { piece: Some(piece), from_file, from_rank, to, promotion }.find(board)
            }
        }
    }
}

/// Appends a legal move in SAN: the shortest disambiguation, `+` for check, `#` for mate. `after`
/// is `board` with the move played. The null move is `--`.
pub fn write_san(board: &Board, mv: Move, after: &Board, out: &mut String) {
    if mv.from == mv.to {
        out.push_str("--");
        return;
    }
    let san = San::of(board, mv, after);
    match san.action {
        Action::Castle { short } => out.push_str(if short { "O-O" } else { "O-O-O" }),
        Action::Go { piece, from_file, from_rank, captures, to, promotion } => {
            if piece != Piece::Pawn {
                out.push(char::from(piece).to_ascii_uppercase());
            }
            out.extend(from_file.map(char::from));
            out.extend(from_rank.map(char::from));
            if captures {
                out.push('x');
            }
            write_square(to, out);
            if let Some(promotion) = promotion {
                out.push('=');
                out.push(char::from(promotion).to_ascii_uppercase());
            }
        }
    }
    if san.check {
        out.push(if san.mate { '#' } else { '+' });
    }
}

/// Returns the part of a piece's origin that excludes all other legal moves.
fn disambiguation(board: &Board, mv: Move, piece: Piece) -> (Option<File>, Option<Rank>) {
    let mut rivals = men_near(board, piece, mv.to) & !mv.from.bitboard();
    if rivals.is_empty() {
        return (None, None);
    }
    let can_go = |&from: &Square| board.is_legal(Move { from, ..mv });
    rivals = rivals.into_iter().filter(can_go).collect();
    if rivals.is_empty() {
        return (None, None);
    }
    let same_file = !(rivals & mv.from.file().bitboard()).is_empty();
    let same_rank = !(rivals & mv.from.rank().bitboard()).is_empty();
    let file = (!same_file || same_rank).then(|| mv.from.file());
    (file, same_file.then(|| mv.from.rank()))
}

/// Appends a legal move in UCI. Castling is the king's two steps if king and rook are placed as in
/// standard chess, otherwise king takes rook, as in `UCI_Chess960`. The null move is `0000`.
pub fn write_uci(board: &Board, mv: Move, out: &mut String) {
    if mv.from == mv.to {
        out.push_str("0000");
        return;
    }
    write_square(mv.from, out);
    let standard = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    if is_castling(board, mv) && standard {
        let file = if mv.to.file() == File::H { File::G } else { File::C };
        write_square(Square::new(file, mv.to.rank()), out);
    } else {
        write_square(mv.to, out);
    }
    if let Some(promotion) = mv.promotion {
        out.push(char::from(promotion));
    }
}

fn write_square(square: Square, out: &mut String) {
    out.push(char::from(square.file()));
    out.push(char::from(square.rank()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn read_at(fen: &str, text: &str) -> Result<String, MoveFault> {
        let position = Position::read_fen(fen).expect(fen);
        let mv = read(&position.board, text)?;
        let mut after = position.clone();
        after.play(mv);
        let mut out = String::new();
        write_san(&position.board, mv, &after.board, &mut out);
        out.push(' ');
        write_uci(&position.board, mv, &mut out);
        Ok(out)
    }

    #[test]
    fn spellings_of_one_move() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        for text in ["Bb5", "Bfb5", "Bf1b5", "Bf1-b5", "f1b5", "Bb5!?", "Bb5+", "f1-b5"] {
            assert_eq!(read_at(fen, text).as_deref(), Ok("Bb5 f1b5"), "{text}");
        }
        for text in ["Bb6", "Nb5", "e5", "f1b6", "O-O", "Ke1"] {
            assert_eq!(read_at(fen, text), Err(MoveFault::Illegal), "{text}");
        }
        for text in ["", "B", "b", "9", "Bb9", "--", "Z0", "1-0", "Bxxb5", "Xb5", "kb5", "é4"] {
            assert_eq!(read_at(fen, text), Err(MoveFault::Unreadable), "{text}");
        }
    }

    #[test]
    fn castling_in_both_kinds_of_chess() {
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["O-O", "0-0", "e1g1", "e1h1"] {
            assert_eq!(read_at(standard, text).as_deref(), Ok("O-O e1g1"), "{text}");
        }
        assert_eq!(read_at(standard, "O-O-O").as_deref(), Ok("O-O-O e1c1"));
        assert_eq!(read_at(standard, "Kh1"), Err(MoveFault::Illegal));
        let shuffled = "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
        assert_eq!(read_at(shuffled, "O-O").as_deref(), Ok("O-O f1g1"));
        assert_eq!(read_at(shuffled, "f1b1").as_deref(), Ok("O-O-O f1b1"));
    }

    #[test]
    fn disambiguation_promotion_and_mate() {
        let queens = "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
        assert_eq!(read_at(queens, "Qe1"), Err(MoveFault::Ambiguous));
        assert_eq!(read_at(queens, "Qhe1"), Err(MoveFault::Ambiguous));
        assert_eq!(read_at(queens, "h4e1").as_deref(), Ok("Qh4e1 h4e1"));
        assert_eq!(read_at(queens, "Qe4b4").as_deref(), Ok("Qb4+ e4b4"));
        let promotion = "3r3k/2P5/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(read_at(promotion, "cxd8=Q").as_deref(), Ok("cxd8=Q+ c7d8q"));
        assert_eq!(read_at(promotion, "cd8Q"), Ok("cxd8=Q+ c7d8q".into()));
        assert_eq!(read_at(promotion, "c8"), Err(MoveFault::Illegal));
        let mate = "7k/6pp/8/8/8/8/8/K3R3 w - - 0 1";
        assert_eq!(read_at(mate, "Re8").as_deref(), Ok("Re8# e1e8"));
    }

    #[test]
    fn en_passant_is_a_capture() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        for text in ["exd6", "exd6e.p.", "e5d6", "ed6"] {
            assert_eq!(read_at(fen, text).as_deref(), Ok("exd6 e5d6"), "{text}");
        }
    }
}
