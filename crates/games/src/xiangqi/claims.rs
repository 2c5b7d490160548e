//! HullQin's claims about coding xiangqi positions and games, with our figures beside his.

use plypack_core::Claim;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// All 32 men on the board, each on a square with a long code word.
const LONGEST: &str =
    "2P1N3P/1R1Pa4/3ak1P1R/1NP6/1nb3bC1/C2c5/9/1n1K1A2p/2p1A1rpc/p1Bp2Br1 w - - 0 1";

/// The game of his sample link.
const GAME: &str = "\
    兵五進一 卒５進１ 兵五進一 卒７進１ 兵三進一 炮８進３ 炮二進一 炮８進４ 炮二進三 炮８平６ \
    車一平二 卒３進１ 車二進五 炮２進１ 炮二平九 卒７進１ 車二進一 炮２進３ 車二進二 卒９進１";

/// Claims of `line.uniform`. He says that most games fit into 200 characters; `docs/bench.md` tells
/// how many real games do.
pub const UNIFORM: &[Claim] = &[Claim {
    source: "HullQin",
    case: GAME,
    start: None,
    what: "his sample link: the position after 20 plies, and how to undo them",
    their_bits: 153 + 171,
    our_bits: 112,
    why: "from the start, an index into the legal moves is enough: no position, no man, no square",
}];

/// Claims of `xiangqi.candidates`.
pub const CANDIDATES: &[Claim] = &[
    Claim {
        source: "HullQin",
        case: START,
        start: None,
        what: "the fewest bits of his code, saving 45 % of 256",
        their_bits: 139,
        our_bits: 149,
        why: "a pawn has 48 places, which take 5 or 6 bits, as his tables of logarithms say; his \
              sum has 4 or 5. 42 % are saved",
    },
    Claim {
        source: "HullQin",
        case: LONGEST,
        start: None,
        what: "the most bits of his code, saving 35 % of 256",
        their_bits: 167,
        our_bits: 177,
        why: "the same: ten pawns at a bit more. 31 % are saved",
    },
];

/// Claims of `xiangqi.bytes32`.
pub const BYTES32: &[Claim] = &[Claim {
    source: "HullQin",
    case: START,
    start: None,
    what: "his first scheme, a byte for each of 32 men",
    their_bits: 256,
    our_bits: 256,
    why: "equal; the side to move is in a bit that his squares leave free",
}];
