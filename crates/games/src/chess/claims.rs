//! What the articles say of coding chess games, with our figures beside theirs.

use plypack_core::Claim;

/// The game that Buffett shows, 133 plies, as he prints it but for the move numbers.
pub const BUFFETT_GAME: &str = "\
e4 d5 exd5 Nf6 d4 Bg4 Be2 Bxe2 Nxe2 Qxd5 O-O Nc6 c3 O-O-O Qb3 Qh5 Nf4 Qh4 Qxf7 Ng4 h3 Nf6 Be3 e6 \
Qxe6+ Kb8 Nd2 Bd6 g3 Qh6 Qf5 Ne7 Qa5 b6 Qa6 Bxf4 Bxf4 Qxh3 Nf3 Ned5 Be5 Qh5 Kg2 Qg6 Rae1 Nh5 Nh4 \
Nhf4+ Bxf4 Nxf4+ Kh2 b5 Qxg6 hxg6 gxf4 Rxh4+ Kg3 Rdh8 Re5 Rh3+ Kg4 R8h4+ Kg5 Rh5+ Kxg6 Rh6+ Kf7 \
Rh7 Rxb5+ Kc8 Rg5 g6+ Kxg6 R3h6+ Kf5 Rf7+ Kg4 Rhf6 f5 Kd7 Re1 Kd6 Re8 Kd7 Ra8 Rh6 Rxa7 Rfh7 Kf4 \
Rh4+ Rg4 Rh2 f3 Rxb2 f6 Rf7 Rg7 Ke6 Rxf7 Kxf7 Rxc7+ Kxf6 a4 Ra2 Rc4 Ra3 d5 Ke7 Ke5 Kd7 f4 Ra2 Kd4 \
Rd2+ Kc5 Ra2 Kb5 Kd6 Rd4 Rb2+ Ka6 Ra2 a5 Kc5 d6 Ra3 d7 Kc6 d8=Q Rxa5+ Kxa5 Kc5 Qc7#";

/// Claims of `line.text`.
pub const TEXT: &[Claim] = &[Claim {
    source: "Buffett",
    case: BUFFETT_GAME,
    what: "his game as PGN text",
    their_bits: 759 * 8,
    our_bits: 4_536,
    why: "his 759 bytes hold the move numbers too; ours are the moves and single spaces",
}];

/// Claims of `line.uniform`.
pub const UNIFORM: &[Claim] = &[Claim {
    source: "Buffett",
    case: BUFFETT_GAME,
    what: "his game in his first scheme, SAN in bits",
    their_bits: 195 * 8,
    our_bits: 568,
    why: "his scheme does not know the position; an index into the legal moves does",
}];

/// Claims of `line.ranked`.
pub const RANKED: &[Claim] = &[Claim {
    source: "Buffett, sequel",
    case: BUFFETT_GAME,
    what: "his game at the 3.7 bits a move that he measured on opening lines",
    their_bits: 492,
    our_bits: 368,
    why: "133 plies at 3.7 bits; a whole game is harder to predict than an opening line",
}];
