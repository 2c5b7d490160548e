//! The figures in the articles on coding chess games, next to ours.

use plypack_core::Claim;

/// The 133-ply game in Buffett's article, as printed there, without move numbers.
pub const BUFFETT_GAME: &str = "\
e4 d5 exd5 Nf6 d4 Bg4 Be2 Bxe2 Nxe2 Qxd5 O-O Nc6 c3 O-O-O Qb3 Qh5 Nf4 Qh4 Qxf7 Ng4 h3 Nf6 Be3 e6 \
Qxe6+ Kb8 Nd2 Bd6 g3 Qh6 Qf5 Ne7 Qa5 b6 Qa6 Bxf4 Bxf4 Qxh3 Nf3 Ned5 Be5 Qh5 Kg2 Qg6 Rae1 Nh5 Nh4 \
Nhf4+ Bxf4 Nxf4+ Kh2 b5 Qxg6 hxg6 gxf4 Rxh4+ Kg3 Rdh8 Re5 Rh3+ Kg4 R8h4+ Kg5 Rh5+ Kxg6 Rh6+ Kf7 \
Rh7 Rxb5+ Kc8 Rg5 g6+ Kxg6 R3h6+ Kf5 Rf7+ Kg4 Rhf6 f5 Kd7 Re1 Kd6 Re8 Kd7 Ra8 Rh6 Rxa7 Rfh7 Kf4 \
Rh4+ Rg4 Rh2 f3 Rxb2 f6 Rf7 Rg7 Ke6 Rxf7 Kxf7 Rxc7+ Kxf6 a4 Ra2 Rc4 Ra3 d5 Ke7 Ke5 Kd7 f4 Ra2 Kd4 \
Rd2+ Kc5 Ra2 Kb5 Kd6 Rd4 Rb2+ Ka6 Ra2 a5 Kc5 d6 Ra3 d7 Kc6 d8=Q Rxa5+ Kxa5 Kc5 Qc7#";

/// The usual start.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions in which the moves of Buffett's table other than `e4` are legal.
const BEFORE_EXD5: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const BEFORE_NF3: &str = "8/8/8/8/3k4/8/8/4K1N1 w - - 0 1";
const BEFORE_QXA5: &str = "8/8/8/p6k/8/8/8/Q3K3 w - - 0 1";
const BEFORE_CXD8: &str = "3n3k/2P3pp/8/8/8/8/8/4K3 w - - 0 1";

/// Claims of `line.text`.
pub const TEXT: &[Claim] = &[
    Claim {
        source: "Buffett",
        case: BUFFETT_GAME,
        start: None,
        what: "his game as PGN text",
        their_bits: 759 * 8,
        our_bits: 4_536,
        why: "his 759 bytes hold the move numbers too; ours are the moves and single spaces",
    },
    Claim {
        source: "Shields",
        case: "cxd8=Q#",
        start: Some(BEFORE_CXD8),
        what: "the worst move as text, with the byte that ends it",
        their_bits: 48,
        our_bits: 56,
        why: "SAN has moves of 7 letters; ours has no byte that ends the last move",
    },
];

/// Claims of `line.uniform`.
pub const UNIFORM: &[Claim] = &[
    Claim {
        source: "Buffett",
        case: BUFFETT_GAME,
        start: None,
        what: "his game in his first scheme, SAN in bits",
        their_bits: 195 * 8,
        our_bits: 568,
        why: "his scheme does not know the position; an index into the legal moves does",
    },
    Claim {
        source: "Shields",
        case: "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Bc5",
        start: None,
        what: "the opening he shows, at his 12 bits a move for origin and destination",
        their_bits: 8 * 12,
        our_bits: 40,
        why: "he proposes an index into the legal moves but gives no figure; this is it",
    },
];

/// Claims of `line.ranked`.
pub const RANKED: &[Claim] = &[Claim {
    source: "Buffett, sequel",
    case: BUFFETT_GAME,
    start: None,
    what: "his game at the 3.7 bits a move that he measured on opening lines",
    their_bits: 492,
    our_bits: 368,
    why: "133 plies at 3.7 bits; a whole game is harder to predict than an opening line",
}];

/// Claims of `chess.from-to12`.
pub const FROM_TO12: &[Claim] = &[
    Claim {
        source: "Shields",
        case: "e4",
        start: None,
        what: "a move as origin and destination",
        their_bits: 12,
        our_bits: 12,
        why: "6 + 6",
    },
    Claim {
        source: "Shields",
        case: "cxd8=Q#",
        start: Some(BEFORE_CXD8),
        what: "a promotion",
        their_bits: 12,
        our_bits: 12,
        why: "his 12 bits omit the piece; ours hold it, in place of the last rank",
    },
];

/// Claims of `chess.san-bits`: Buffett's game takes the 195 bytes that he states, but no decodable
/// layout gives both that and all five rows of his table.
pub const SAN_BITS: &[Claim] = &[
    Claim {
        source: "Buffett",
        case: BUFFETT_GAME,
        start: None,
        what: "his game",
        their_bits: 195 * 8,
        our_bits: 1_556,
        why: "194.5 bytes, rounded up",
    },
    Claim {
        source: "Buffett",
        case: "e4",
        start: None,
        what: "e4",
        their_bits: 10,
        our_bits: 10,
        why: "man 3, special 1, destination 6",
    },
    Claim {
        source: "Buffett",
        case: "exd5",
        start: Some(BEFORE_EXD5),
        what: "exd5",
        their_bits: 12,
        our_bits: 15,
        why: "man 3, special 1, destination 7, and one bit each for capture, check, promotion and \
              disambiguation, for which his 12 leave one bit together",
    },
    Claim {
        source: "Buffett",
        case: "Nf3+",
        start: Some(BEFORE_NF3),
        what: "Nf3+",
        their_bits: 10,
        our_bits: 15,
        why: "3 + 1 + 6 and one bit each for capture, check, mate, promotion, disambiguation; his \
              10 are those of Nf3, and if both took 10 no code would be left for Nxf3",
    },
    Claim {
        source: "Buffett",
        case: "Qxa5+",
        start: Some(BEFORE_QXA5),
        what: "Qxa5+",
        their_bits: 16,
        our_bits: 15,
        why: "3 + 1 + 6 and five bits for what is special; his 16 have one more",
    },
    Claim {
        source: "Buffett",
        case: "cxd8=Q#",
        start: Some(BEFORE_CXD8),
        what: "cxd8=Q#",
        their_bits: 16,
        our_bits: 18,
        why: "3 + 1 + 7, five bits for what is special, and 2 for the queen",
    },
];

/// Claims of `chess.san-bits-naive`.
pub const SAN_BITS_NAIVE: &[Claim] = &[Claim {
    source: "Buffett",
    case: "e4",
    start: None,
    what: "any move",
    their_bits: 29,
    our_bits: 29,
    why: "3 + 1 + 2 + 6 + 6 + 7 + 1 + 1 + 2",
}];

/// A claim about the board of the start.
const fn at_start(their_bits: u32, our_bits: u32, why: &'static str) -> Claim {
    let (source, what) = ("Shields", "the start position");
    Claim { source, case: START, start: None, what, their_bits, our_bits, why }
}

/// Claims of `board.nibble`.
pub const NIBBLE: &[Claim] = &[at_start(256, 256, "64 squares of 4 bits")];

/// Claims of `chess.nibble16`.
pub const NIBBLE16: &[Claim] = &[at_start(256, 256, "64 squares of 4 bits, rights included")];

/// Claims of `board.radix-even`.
pub const RADIX_EVEN: &[Claim] = &[at_start(237, 237, "the bits that hold 13^64 boards")];

/// Claims of `board.radix`.
pub const RADIX: &[Claim] = &[at_start(233, 233, "the bits that hold 11^16 x 13^48 boards")];

/// Claims of `board.huffman`.
pub const HUFFMAN: &[Claim] = &[at_start(164, 164, "32 x 1 + 16 x 3 + 12 x 5 + 4 x 6")];

/// Claims of `board.xor-start`.
pub const XOR_START: &[Claim] = &[at_start(64, 64, "64 differences of 0, each in 1 bit")];

/// Claims of `board.xor-start-rle`.
pub const XOR_START_RLE: &[Claim] =
    &[at_start(64, 17, "he counts 64 zeros; as one run they take 4 + 13 bits")];

/// Claims of `board.best-of`.
pub const BEST_OF: &[Claim] = &[
    at_start(66, 66, "two bits, then `board.xor-start`"),
    Claim {
        source: "Shields",
        case: "8/5k2/8/3p4/8/4K3/4P3/7R w - - 0 1",
        start: None,
        what: "an endgame of five men, two bits more than the best of the four",
        their_bits: 50,
        our_bits: 50,
        why: "two bits, then the 48 of `board.combination`",
    },
];

/// Claims of `chess.piece-list`.
pub const PIECE_LIST: &[Claim] = &[at_start(
    210,
    230,
    "115 a side: king 6, pawns 1 + 3 + 45, others 4 + 7 x 8; his 105 leave out 6 + 1 + 3",
)];

/// Claims of `chess.piece-list-drawn`.
pub const PIECE_LIST_DRAWN: &[Claim] = &[at_start(
    226,
    226,
    "140 bits without the pawns' squares, then the 44 and 42 bits that he states for them",
)];
